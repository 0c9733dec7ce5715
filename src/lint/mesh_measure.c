#include "lint/mesh_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/mesh.h"

// ----------------------------------------------------------------------------- triangles there
// twice

typedef struct corners {
    uint32_t vertex[3]; ///< ascending
} corners;

static int compare_corners(const void *x, const void *y) {
    const corners *a = x, *b = y;
    for (int i = 0; i < 3; i++)
        if (a->vertex[i] != b->vertex[i]) return a->vertex[i] < b->vertex[i] ? -1 : 1;
    return 0;
}

static void sort3(uint32_t v[3]) {
    for (int i = 0; i < 3; i++) {
        int k = i == 2 ? 0 : i; // 0-1, 1-2, 0-1
        uint32_t low = v[k] < v[k + 1] ? v[k] : v[k + 1], high = v[k] ^ v[k + 1] ^ low;
        v[k] = low;
        v[k + 1] = high;
    }
}

static bool count_duplicates(gz_mesh_measure *out, const graze_mesh *mesh) {
    corners *all = gz_malloc(mesh->triangle_count, sizeof *all);
    if (!all) return false;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        memcpy(all[t].vertex, mesh->triangles + 3 * t, sizeof all[t].vertex);
        sort3(all[t].vertex);
    }
    qsort(all, mesh->triangle_count, sizeof *all, compare_corners);
    for (size_t t = 1; t < mesh->triangle_count; t++)
        out->duplicate_count += compare_corners(&all[t - 1], &all[t]) == 0;
    gz_free(all);
    return true;
}

// ------------------------------------------------------------------------------ shells inside
// others

/// Components beyond these are not searched, and no more questions than these are asked: a mesh of
/// so many parts is reported for their number alone.
enum { MOST_COMPONENTS = 2000, MOST_QUESTIONS = 2000 };

typedef struct shells {
    const graze_mesh *mesh;
    const graze_component_info *info;
    size_t *first;      ///< per component and one more: where its triangles begin in `order`
    uint32_t *order;    ///< triangles by component
    graze_mesh **parts; ///< each component as a mesh of its own, made when it is first needed
    size_t questions;
} shells;

static bool order_triangles(shells *s) {
    const graze_mesh *mesh = s->mesh;
    size_t n = mesh->component_count, at = 0;
    s->first = gz_malloc(n + 1, sizeof *s->first);
    s->order = gz_malloc(mesh->triangle_count, sizeof *s->order);
    if (!s->first || !s->order) return false;
    for (size_t i = 0; i < n; i++) {
        s->first[i] = at;
        at += mesh->components[i].triangle_count;
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        s->order[s->first[mesh->component_of[t]]++] = (uint32_t)t;
    // Each first has moved to the next one's place.
    for (size_t i = n; i > 0; i--) s->first[i] = s->first[i - 1];
    s->first[0] = 0;
    return true;
}

static bool make_part(shells *s, size_t c) {
    if (s->parts[c]) return true;
    const graze_mesh *mesh = s->mesh;
    size_t n = mesh->components[c].triangle_count, count = 0;
    uint32_t *triangles = gz_malloc(n, 3 * sizeof *triangles);
    double *vertices = gz_malloc(3 * n, 3 * sizeof *vertices);
    for (size_t k = s->first[c]; triangles && vertices && k < s->first[c + 1]; k++)
        for (size_t i = 0; i < 3; i++, count++) {
            size_t vertex = mesh->triangles[3 * (size_t)s->order[k] + i];
            memcpy(vertices + 3 * count, mesh->vertices + 3 * vertex, 3 * sizeof *vertices);
            triangles[count] = (uint32_t)count;
        }
    const gz_soup soup = {
        .vertices = vertices, .vertex_count = 3 * n, .triangles = triangles, .triangle_count = n};
    if (triangles && vertices) gz_mesh_build(&s->parts[c], &soup, NULL, false, GZ_MESH_LINK, NULL);
    gz_free(triangles);
    gz_free(vertices);
    return s->parts[c] != NULL;
}

static bool is_boxed(const graze_aabb *in, const graze_aabb *out) {
    return out->min.x < in->min.x && out->min.y < in->min.y && out->min.z < in->min.z &&
           in->max.x < out->max.x && in->max.y < out->max.y && in->max.z < out->max.z;
}

/// Whether component b is inside component a, which is closed: surfaces apart, and b enclosed.
static bool judge_inside(shells *s, size_t a, size_t b, bool *inside) {
    *inside = false;
    if (!make_part(s, a) || !make_part(s, b)) return false;
    graze_transform here = graze_transform_identity();
    graze_mesh_overlap result;
    s->questions++;
    graze_status status = graze_meshes_overlap(s->parts[a], here.m, s->parts[b], here.m,
                                               GRAZE_POLICY_SOLID, &result, NULL);
    // Of the two only b fits into the other, by their boxes.
    *inside = status == GRAZE_OK && result.overlap && result.contained;
    return status != GRAZE_ERROR_NO_MEMORY;
}

static bool search_container(shells *s, size_t b, gz_mesh_measure *out) {
    const graze_mesh *mesh = s->mesh;
    for (size_t a = 0; a < mesh->component_count; a++) {
        if (a == b || !mesh->components[a].closed || s->info[a].cavity ||
            !is_boxed(&mesh->components[b].box, &mesh->components[a].box))
            continue;
        if (s->questions == MOST_QUESTIONS) {
            out->inner_partial = true;
            return true;
        }
        bool inside;
        if (!judge_inside(s, a, b, &inside)) return false;
        out->inner_count += inside;
        if (inside) return true;
    }
    return true;
}

static bool count_inner(gz_mesh_measure *out, const graze_mesh *mesh,
                        const graze_component_info *info) {
    out->inner_partial = mesh->component_count > MOST_COMPONENTS;
    if (out->inner_partial || mesh->component_count < 2) return true;
    shells s = {
        .mesh = mesh, .info = info, .parts = gz_calloc(mesh->component_count, sizeof *s.parts)};
    bool ok = s.parts && order_triangles(&s);
    for (size_t b = 0; ok && b < mesh->component_count && !out->inner_partial; b++)
        ok = info[b].cavity || search_container(&s, b, out);
    for (size_t i = 0; s.parts && i < mesh->component_count; i++) graze_mesh_free(s.parts[i]);
    gz_free(s.parts);
    gz_free(s.first);
    gz_free(s.order);
    return ok;
}

// -------------------------------------------------------------------------------------------- all

static double area_of(const graze_mesh *mesh) {
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *p[3];
        for (size_t i = 0; i < 3; i++)
            p[i] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + i];
        double e[3], f[3], n[3];
        gz_subtract(p[1], p[0], e);
        gz_subtract(p[2], p[0], f);
        gz_cross(e, f, n);
        sum += 0.5 * gz_norm(n);
    }
    return sum;
}

bool gz_mesh_measure_take(gz_mesh_measure *out, const graze_mesh *mesh) {
    *out = (gz_mesh_measure){0};
    size_t count = mesh->component_count;
    graze_component_info *info = gz_malloc(count, sizeof *info);
    bool ok = info && graze_mesh_solids(mesh, &out->solids, info, count, NULL) == GRAZE_OK &&
              count_duplicates(out, mesh) && count_inner(out, mesh, info);
    for (size_t i = 0; ok && i < count; i++) {
        out->volume += info[i].volume;
        out->reversed_count += info[i].reversed && !info[i].cavity;
    }
    gz_free(info);
    if (!ok) return false;
    out->area = area_of(mesh);
    if (!out->solids.open_count) out->fit = gz_mesh_fit_find(mesh, out->area, fabs(out->volume));
    return true;
}
