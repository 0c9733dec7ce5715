// The mesh files that a description names: each is found and read once.

#include <string.h>

#include "base/memory.h"
#include "lint/lint_model.h"
#include "load/mesh_file.h"
#include "load/package.h"
#include "load/text_file.h"
#include "mesh/mesh.h"

/// FNV-1a, 64 bits: tells files apart, and defends against nobody.
static uint64_t hash_bytes(const char *bytes, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void measure_file(const gz_lint_context *c, gz_lint_mesh *mesh) {
    char *bytes;
    size_t size;
    mesh->status = gz_file_read(mesh->path, c->options->load.limits.file_bytes, &bytes, &size,
                                &mesh->error);
    if (mesh->status != GRAZE_OK) return;
    mesh->bytes = size;
    mesh->hash = hash_bytes(bytes, size);
    if (!gz_mesh_facts_read(&mesh->facts, mesh->path, bytes, size))
        mesh->status = GRAZE_ERROR_NO_MEMORY;
    gz_free(bytes);
}

/// A file that only the case of letters hides is named by a warning.
static void note_other_case(gz_lint_context *c, gz_lint_mesh *mesh, const gz_warnings *warnings) {
    for (size_t i = 0; i < warnings->count && !mesh->other_case; i++) {
        if (strcmp(warnings->items[i].code, "file-name-case") != 0) continue;
        mesh->other_case = gz_string_copy(warnings->items[i].message);
        c->out_of_memory |= !mesh->other_case;
    }
}

static void read_mesh(gz_lint_context *c, gz_lint_mesh *mesh, gz_mesh_budget *budget) {
    // Warnings of the readers are the rules' business, which look for themselves.
    gz_warnings warnings = {0};
    mesh->status = gz_package_resolve(&mesh->path, mesh->uri, c->base_dir, &c->options->load,
                                      &warnings, (gz_place){.file = c->file}, &mesh->error);
    if (mesh->status == GRAZE_OK) measure_file(c, mesh);
    if (mesh->status == GRAZE_OK)
        mesh->status = gz_mesh_file_read(&mesh->soup, mesh->path, NULL, &c->options->load, budget,
                                         &warnings, &mesh->error);
    if (!mesh->path) note_other_case(c, mesh, &warnings);
    c->out_of_memory |= mesh->status == GRAZE_ERROR_NO_MEMORY || warnings.out_of_memory;
    gz_warnings_free(&warnings);
}

/// The entry of a URI, a new one where it is met first; -1 when out of memory.
static int32_t enter(gz_lint_context *c, gz_name_table *table, const gz_lint_geometry *g) {
    const char *uri = gz_xml_get(g->shape, "filename");
    int32_t index = gz_name_table_find(table, uri);
    if (index >= 0) return index;
    index = (int32_t)c->mesh_count;
    if (!gz_name_table_add(table, uri, index)) return -1;
    c->meshes[c->mesh_count++] = (gz_lint_mesh){
        .uri = uri, .first_use = g->shape, .first_collision = -1};
    return index;
}

bool gz_lint_meshes_read(gz_lint_context *c) {
    gz_name_table table = {0};
    c->meshes = gz_calloc(c->geometry_count ? c->geometry_count : 1, sizeof *c->meshes);
    if (!c->meshes) return false;
    for (size_t i = 0; i < c->geometry_count && !c->out_of_memory; i++) {
        gz_lint_geometry *g = &c->geometries[i];
        if (!g->known || g->kind != GRAZE_SHAPE_MESH || !gz_xml_get(g->shape, "filename")) continue;
        g->mesh = enter(c, &table, g);
        c->out_of_memory |= g->mesh < 0;
        if (g->mesh < 0) break;
        gz_lint_mesh *mesh = &c->meshes[g->mesh];
        if (!g->visual && !mesh->collision) mesh->first_collision = (int32_t)i;
        mesh->visual |= g->visual;
        mesh->collision |= !g->visual;
    }
    gz_name_table_free(&table);
    gz_mesh_budget budget = {c->options->load.limits.triangles,
                             c->options->load.limits.memory_bytes};
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++)
        read_mesh(c, &c->meshes[i], &budget);
    return !c->out_of_memory;
}

bool gz_lint_mesh_measure(gz_lint_context *c, gz_lint_mesh *mesh) {
    if (mesh->mesh) return true;
    if (!mesh->soup || c->out_of_memory) return false;
    graze_status status = gz_mesh_build(&mesh->mesh, mesh->soup, NULL, false, GZ_MESH_LINK, NULL);
    if (status == GRAZE_OK && !gz_mesh_measure_take(&mesh->measure, mesh->mesh))
        status = GRAZE_ERROR_NO_MEMORY;
    c->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    return status == GRAZE_OK;
}

void gz_lint_meshes_clear(gz_lint_context *c) {
    for (size_t i = 0; i < c->mesh_count; i++) {
        gz_free(c->meshes[i].path);
        gz_free(c->meshes[i].other_case);
        graze_mesh_free(c->meshes[i].mesh);
        gz_soup_free(c->meshes[i].soup);
    }
    gz_free(c->meshes);
}
