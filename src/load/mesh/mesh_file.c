#include <inttypes.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "graze/mesh_report.h"
#include "load/file.h"
#include "load/importer/importer.h"
#include "load/mesh/collada.h"
#include "load/mesh/mesh_file.h"
#include "load/mesh/mesh_formats.h"
#include "load/mesh/mesh_input.h"
#include "load/token.h"

// --------------------------------------------------------------------------------------- format

typedef enum format { UNKNOWN = -1, STL, COLLADA, OBJ, PLY, GLB, GLTF, FORMATS } format;

static const struct {
    const char *ending, *name;
    graze_status (*read)(const gz_mesh_input *input, gz_soup *soup, graze_error *error);
} formats[FORMATS] = {
    [STL] = {"stl", "STL", gz_stl_read},      [COLLADA] = {"dae", "Collada", gz_collada_read},
    [OBJ] = {"obj", "OBJ", gz_obj_read},      [PLY] = {"ply", "PLY", gz_ply_read},
    [GLB] = {"glb", "GLB", gz_gltf_read_glb}, [GLTF] = {"gltf", "glTF", gz_gltf_read_json},
};

#define ALLOWED "STL (.stl), Collada (.dae), OBJ (.obj), PLY (.ply), GLB (.glb), glTF (.gltf)"

static bool holds(const char *bytes, size_t size, const char *text) {
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

/// The format that the content shows, or UNKNOWN: OBJ has no mark to know it by.
static format sniff(const char *bytes, size_t size) {
    // A binary STL's header may hold anything, so its size speaks first.
    if (gz_stl_is_binary(bytes, size) || gz_stl_is_ascii(bytes, size)) return STL;
    if (gz_ply_is(bytes, size)) return PLY;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) return GLB;
    gz_text_cursor cursor = {bytes, bytes + size, 1};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) cursor.at += 3;
    gz_cursor_skip_blanks(&cursor);
    size_t left = (size_t)(cursor.end - cursor.at), head = left < 4096 ? left : 4096;
    if (left && *cursor.at == '<' && holds(cursor.at, head, "<COLLADA")) return COLLADA;
    if (left && *cursor.at == '{' && holds(cursor.at, left, "\"asset\"")) return GLTF;
    return UNKNOWN;
}

/// What stands behind the last dot of a file's name; "" for nothing.
static const char *ending_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

static format from_ending(const char *path) {
    gz_word ending = {ending_of(path), strlen(ending_of(path))};
    for (int f = 0; f < FORMATS; f++)
        if (gz_word_is(ending, formats[f].ending)) return (format)f;
    return UNKNOWN;
}

const char *gz_mesh_file_format(const char *path, const char *bytes, size_t size) {
    format content = size ? sniff(bytes, size) : UNKNOWN;
    if (content == UNKNOWN) content = from_ending(path);
    return content == UNKNOWN ? NULL : formats[content].name;
}

/// Warns where ending and content disagree.
static void warn_ending(const gz_mesh_input *input, format content, format ending) {
    if (content != UNKNOWN && ending != UNKNOWN && content != ending)
        gz_warn(input->warnings, "mesh-ending", gz_mesh_place(input, 0),
                "the content is %s although the name ends in .%s; it was read as %s",
                formats[content].name, formats[ending].ending, formats[content].name);
}

/// assimp goes by the ending; of a file without one that it knows, by the content.
static graze_status read_by_assimp(const gz_mesh_input *input, format content, gz_soup *soup,
                                   graze_error *error) {
    const char *ending = ending_of(input->path);
    char lower[64];
    if (content != UNKNOWN && from_ending(input->path) == UNKNOWN) ending = formats[content].ending;
    size_t n = 0;
    for (; ending[n] && n < sizeof lower - 1; n++)
        lower[n] = (char)(ending[n] >= 'A' && ending[n] <= 'Z' ? ending[n] - 'A' + 'a' : ending[n]);
    lower[n] = '\0';
    graze_status status = gz_importer_read(input, lower, soup, error);
    if (!status && soup->triangle_count == 0)
        return gz_fail_at(error, GRAZE_ERROR_MESH, gz_mesh_place(input, 0),
                          "the .%s file has no triangle; allowed: at least 1", ending);
    return status;
}

static graze_status read_format(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    gz_place place = gz_mesh_place(input, 0);
    if (input->size == 0)
        return gz_fail_at(error, GRAZE_ERROR_MESH, place,
                          "the file is empty; allowed: at least 1 triangle");
    format content = sniff(input->bytes, input->size), ending = from_ending(input->path);
    format chosen = content == UNKNOWN ? ending : content;
    const graze_load_options *options = input->options;
    if (chosen == UNKNOWN &&
        (!ending_of(input->path)[0] || !(options->importer || options->importer_in_process)))
        return gz_fail_at(
            error, GRAZE_ERROR_UNSUPPORTED, place,
            "neither content nor ending \".%.20s\" shows a mesh format; allowed: " ALLOWED
            "; by an importer (the program graze-import), what assimp reads",
            ending_of(input->path));
    if (chosen == UNKNOWN || options->reader == GRAZE_READER_ASSIMP)
        return read_by_assimp(input, content, soup, error);
    warn_ending(input, content, ending);
    return formats[chosen].read(input, soup, error);
}

// ----------------------------------------------------------------------------------------- read

static graze_status take_scale(gz_mesh_input *input, const double scale[3], graze_error *error) {
    for (int k = 0; k < 3; k++) {
        input->scale[k] = scale ? scale[k] : 1.0;
        if (!isfinite(input->scale[k]) || input->scale[k] == 0)
            return gz_fail_at(error, GRAZE_ERROR_RANGE, gz_mesh_place(input, 0),
                              "mesh scale %g %g %g; allowed: finite, other than 0", scale[0],
                              scale[1], scale[2]);
    }
    return GRAZE_OK;
}

static void flip(gz_soup *soup) {
    for (size_t i = 0; i < soup->triangle_count; i++) {
        uint32_t *triangle = soup->triangles + 3 * i, second = triangle[1];
        triangle[1] = triangle[2];
        triangle[2] = second;
    }
}

static graze_status read_soup(gz_soup *soup, const gz_mesh_input *input, graze_error *error) {
    graze_status status = read_format(input, soup, error);
    if (status) {
        gz_error_locate(error, gz_mesh_place(input, 0));
        return status;
    }
    if (soup->triangle_count == 0)
        return gz_fail_at(error, GRAZE_ERROR_MESH, gz_mesh_place(input, 0),
                          "the %s file has no triangle; allowed: at least 1",
                          gz_mesh_file_format(input->path, input->bytes, input->size));
    int negative = 0;
    for (int k = 0; k < 3; k++) negative += input->scale[k] < 0;
    if (negative % 2) flip(soup);
    return input->warnings->out_of_memory ? gz_fail_memory(error) : GRAZE_OK;
}

graze_status gz_mesh_file_read(gz_soup **soup, const char *path, const double scale[3],
                               const graze_load_options *options, gz_mesh_budget *budget,
                               gz_warnings *warnings, graze_error *error) {
    *soup = NULL;
    gz_mesh_input input = {
        .path = path, .options = options, .budget = budget, .warnings = warnings};
    graze_status status = take_scale(&input, scale, error);
    if (status) return status;
    char *bytes;
    status = gz_file_read(path, options->limits.file_bytes, &bytes, &input.size, error);
    if (status) return status;
    input.bytes = bytes;
    gz_soup *made = gz_soup_create();
    status = gz_mesh_check_memory(&input, input.size, "the file", error);
    if (!status) status = made ? read_soup(made, &input, error) : gz_fail_memory(error);
    gz_free(bytes);
    if (status) {
        gz_soup_free(made);
        return status;
    }
    budget->triangles_left -= made->triangle_count;
    budget->memory_left -= gz_mesh_cost(made->vertex_count, made->triangle_count);
    *soup = made;
    gz_error_clear(error);
    return GRAZE_OK;
}

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
