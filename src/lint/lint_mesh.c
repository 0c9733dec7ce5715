// The mesh files that a description names: each is found and read once.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lint/lint.h"
#include "load/mesh/mesh_file.h"
#include "load/package.h"
#include "load/token.h"
#include "mesh/mesh.h"

/// FNV-1a, 64 bits: tells files apart, and defends against nobody.
static uint64_t hash_bytes(const char *bytes, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/// What the files of one run may be: a large one has many names, and each is read.
typedef struct reading {
    gz_mesh_budget budget;
    uint64_t bytes_left;
} reading;

static void measure_file(const gz_lint_context *c, gz_lint_mesh *mesh, reading *r) {
    char *bytes;
    size_t size;
    const graze_limits *limits = &c->options->load.limits;
    uint64_t most = limits->file_bytes < r->bytes_left ? limits->file_bytes : r->bytes_left;
    mesh->status = gz_file_read(mesh->path, most, &bytes, &size, &mesh->error);
    if (mesh->status == GRAZE_ERROR_LIMIT && most < limits->file_bytes)
        gz_fail_at(&mesh->error, GRAZE_ERROR_LIMIT, (gz_place){.file = mesh->path},
                   "of the bytes of all mesh files %llu are left, and it has more; allowed: %llu "
                   "in all (limits.memory_bytes)",
                   (unsigned long long)most, (unsigned long long)limits->memory_bytes);
    if (mesh->status != GRAZE_OK) return;
    r->bytes_left -= size;
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

/// Reads the file in its own units, as if no scale were written. One that is drawn in micrometres
/// may be out of range in these, and well inside after the scale of its first use, by which the
/// loader goes: then it is read 2^20 times smaller, and made as large again, both without rounding.
static void read_soup(gz_lint_context *c, gz_lint_mesh *mesh, reading *r, gz_warnings *warnings) {
    const double smaller[3] = {0x1p-20, 0x1p-20, 0x1p-20};
    mesh->status = gz_mesh_file_read(&mesh->soup, mesh->path, NULL, &c->options->load, &r->budget,
                                     warnings, &mesh->error);
    gz_lint_numbers scale = gz_lint_numbers_read(mesh->first_use, "scale", 3);
    bool shrinks = scale.valid && (fabs(scale.value[0]) < 1 || fabs(scale.value[1]) < 1 ||
                                   fabs(scale.value[2]) < 1);
    if (mesh->status == GRAZE_OK || mesh->status == GRAZE_ERROR_NO_MEMORY || !shrinks) return;
    graze_error second;
    graze_status status = gz_mesh_file_read(&mesh->soup, mesh->path, smaller, &c->options->load,
                                            &r->budget, warnings, &second);
    // What is wrong besides is told in the units of the file.
    if (status != GRAZE_OK && status != GRAZE_ERROR_NO_MEMORY) return;
    mesh->status = status;
    for (size_t i = 0; status == GRAZE_OK && i < 3 * mesh->soup->vertex_count; i++)
        mesh->soup->vertices[i] *= 0x1p20;
}

static void read_mesh(gz_lint_context *c, gz_lint_mesh *mesh, reading *r) {
    // Warnings of the readers are the rules' business, which look for themselves.
    gz_warnings warnings = {0};
    mesh->status = gz_package_resolve(&mesh->path, mesh->uri, c->base_dir, &c->options->load,
                                      &warnings, (gz_place){.file = c->file}, &mesh->error);
    if (mesh->status == GRAZE_OK) measure_file(c, mesh, r);
    if (mesh->status == GRAZE_OK) read_soup(c, mesh, r, &warnings);
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

/// A file is read once, however many elements name it; rules look at it, and the loader reads it,
/// for each of them. Beyond the limit, which counts them all, they are left alone. What is only
/// seen has a limit of its own: a robot may be loaded without.
static void count_instances(gz_lint_context *c) {
    uint64_t most = c->options->load.limits.triangles, left[2] = {most, most};
    for (size_t i = 0; i < c->geometry_count; i++) {
        gz_lint_geometry *g = &c->geometries[i];
        const gz_soup *soup = g->mesh >= 0 ? c->meshes[g->mesh].soup : NULL;
        if (!soup) continue;
        g->left = left[g->visual];
        g->over = soup->triangle_count > g->left;
        if (!g->over) left[g->visual] -= soup->triangle_count;
    }
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
    const graze_limits *limits = &c->options->load.limits;
    reading r = {{limits->triangles, limits->memory_bytes}, limits->memory_bytes};
    for (size_t i = 0; i < c->mesh_count && !c->out_of_memory; i++) read_mesh(c, &c->meshes[i], &r);
    count_instances(c);
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
