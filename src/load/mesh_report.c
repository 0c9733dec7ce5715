#include "graze/mesh_report.h"

#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/mesh/collada.h"
#include "load/mesh/gltf_internal.h"
#include "load/token.h"

static uint64_t hash_bytes(const char *bytes, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static graze_status read_collada(graze_mesh_report *report, const gz_mesh_input *input,
                                 gz_mesh_nodes *nodes, graze_error *error) {
    gz_collada c;
    graze_status status = gz_collada_open(&c, input, error);
    report->unit = c.facts.unit;
    report->up = c.facts.up;
    if (!status) status = gz_collada_list_nodes(&c, nodes);
    gz_collada_close(&c);
    return status;
}

/// glTF is in metres with y up; its reader tells the nodes while it places their meshes.
static graze_status read_gltf(graze_mesh_report *report, gz_mesh_input *input, gz_mesh_nodes *nodes,
                              graze_error *error) {
    gz_soup *soup = gz_soup_create();
    if (!soup) return gz_fail_memory(error);
    report->unit = 1;
    report->up = 'y';
    input->nodes = nodes;
    bool binary = strcmp(report->format, "GLB") == 0;
    graze_status status = binary ? gz_gltf_read_glb(input, soup, error)
                                 : gz_gltf_read_json(input, soup, error);
    gz_soup_free(soup);
    return status;
}

static graze_status fill(graze_mesh_report *report, gz_mesh_input *input, gz_mesh_nodes *nodes,
                         graze_error *error) {
    report->bytes = input->size;
    report->hash = hash_bytes(input->bytes, input->size);
    report->format = gz_mesh_file_format(input->path, input->bytes, input->size);
    if (!report->format)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, gz_mesh_place(input, 0),
                          "neither content nor ending shows a mesh format; allowed: STL, Collada, "
                          "OBJ, PLY, GLB, glTF");
    graze_status status = GRAZE_OK;
    if (strcmp(report->format, "Collada") == 0) status = read_collada(report, input, nodes, error);
    if (report->format[0] == 'G' || report->format[0] == 'g')
        status = read_gltf(report, input, nodes, error);
    gz_error_locate(error, gz_mesh_place(input, 0));
    return status;
}

graze_status graze_mesh_report_create(graze_mesh_report **out, const char *path,
                                      const graze_limits *limits, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (out) *out = NULL;
    if (!out || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "an argument is NULL; allowed: out and path that are not");
    graze_load_options options = graze_load_options_default();
    if (limits) options.limits = *limits;
    gz_mesh_budget budget = {options.limits.triangles, options.limits.memory_bytes};
    gz_warnings warnings = {0};
    gz_mesh_nodes nodes = {0};
    gz_mesh_input input = {.path = path,
                           .scale = {1, 1, 1},
                           .options = &options,
                           .budget = &budget,
                           .warnings = &warnings};
    char *bytes;
    graze_status status = gz_file_read(path, options.limits.file_bytes, &bytes, &input.size, error);
    if (status) return status;
    input.bytes = bytes;
    graze_mesh_report *report = gz_calloc(1, sizeof *report);
    status = report ? fill(report, &input, &nodes, error) : gz_fail_memory(error);
    if (!status && warnings.out_of_memory) status = gz_fail_memory(error);
    gz_free(bytes);
    gz_warnings_free(&warnings);
    if (status) {
        gz_mesh_nodes_free(&nodes);
        gz_free(report);
        return status;
    }
    report->nodes = nodes.items;
    report->node_count = nodes.count;
    *out = report;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_mesh_report_free(graze_mesh_report *report) {
    if (!report) return;
    gz_mesh_nodes nodes = {.items = (graze_mesh_node *)(uintptr_t)report->nodes,
                           .count = report->node_count};
    gz_mesh_nodes_free(&nodes);
    gz_free(report);
}
