// The mesh files that a description names: each is found and read once.

#include <string.h>

#include "base/memory.h"
#include "lint/lint_model.h"
#include "load/mesh_file.h"
#include "load/package.h"
#include "load/text_file.h"

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
    gz_free(bytes);
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
    c->meshes[c->mesh_count++] = (gz_lint_mesh){.uri = uri, .first_use = g->shape};
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
        if (g->visual)
            c->meshes[g->mesh].visual = true;
        else
            c->meshes[g->mesh].collision = true;
    }
    gz_name_table_free(&table);
    gz_mesh_budget budget = {c->options->load.limits.triangles,
                             c->options->load.limits.memory_bytes};
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++)
        read_mesh(c, &c->meshes[i], &budget);
    return !c->out_of_memory;
}

void gz_lint_meshes_clear(gz_lint_context *c) {
    for (size_t i = 0; i < c->mesh_count; i++) {
        gz_free(c->meshes[i].path);
        gz_soup_free(c->meshes[i].soup);
    }
    gz_free(c->meshes);
}
