#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "math/transform.h"
#include "mesh/bound.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/cap.h"
#include "mesh/component.h"
#include "mesh/mesh.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "mesh/shape.h"

// ----------------------------------------------------------------------------------- field tables

static const gz_field caps_fields[] = {
    GZ_ARRAY(gz_caps, apexes, apex_count, 3),
    GZ_SIZE(gz_caps, apex_count),
    GZ_ARRAY(gz_caps, triangles, triangle_count, 1),
    GZ_SIZE(gz_caps, triangle_count),
    GZ_ARRAY(gz_caps, tree.nodes, tree.node_count, 1),
    GZ_ARRAY(gz_caps, tree.node_boxes, tree.node_count, 1),
    GZ_SIZE(gz_caps, tree.node_count),
    GZ_ARRAY(gz_caps, tree.leaves, tree.leaf_count, 1),
    GZ_ARRAY(gz_caps, tree.leaf_boxes, tree.leaf_count, 1),
    GZ_SIZE(gz_caps, tree.leaf_count),
    GZ_VALUE(gz_caps, tree.root),
};
GZ_TYPE_TABLE(gz_type_caps, gz_caps, caps_fields);

static const gz_field proxy_fields[] = {
    GZ_VALUE(gz_mesh_proxy, support),
    GZ_VALUE(gz_mesh_proxy, support_radius),
    GZ_VALUE(gz_mesh_proxy, samples),
    GZ_VALUE(gz_mesh_proxy, center),
    GZ_VALUE(gz_mesh_proxy, half),
    GZ_NUMBERS(gz_mesh_proxy, span),
    GZ_NUMBERS(gz_mesh_proxy, enclosure),
    GZ_NUMBERS(gz_mesh_proxy, shortest),
    GZ_VALUE(gz_mesh_proxy, spheres),
    GZ_VALUE(gz_mesh_proxy, sphere_count),
    GZ_VALUE(gz_mesh_proxy, sphere_set),
    GZ_VALUE(gz_mesh_proxy, inside.low),
    GZ_VALUE(gz_mesh_proxy, inside.inverse),
    GZ_VALUE(gz_mesh_proxy, inside.pad),
    GZ_VALUE(gz_mesh_proxy, inside.count),
    GZ_ARRAY(gz_mesh_proxy, inside.bits, inside.word_count, 1),
    GZ_SIZE(gz_mesh_proxy, inside.word_count),
    GZ_VALUE(gz_mesh_proxy, clearance.low),
    GZ_VALUE(gz_mesh_proxy, clearance.inverse),
    GZ_VALUE(gz_mesh_proxy, clearance.unit),
    GZ_VALUE(gz_mesh_proxy, clearance.step),
    GZ_VALUE(gz_mesh_proxy, clearance.count),
    GZ_ARRAY(gz_mesh_proxy, clearance.cells, clearance.cell_count, 1),
    GZ_SIZE(gz_mesh_proxy, clearance.cell_count),
    GZ_ARRAY(gz_mesh_proxy, components, component_count, 1),
    GZ_SIZE(gz_mesh_proxy, component_count),
};
static GZ_TYPE_TABLE(type_proxy, gz_mesh_proxy, proxy_fields);

static const gz_field mesh_fields[] = {
    GZ_SIZE(graze_mesh, vertex_count),
    GZ_SIZE(graze_mesh, triangle_count),
    GZ_ARRAY(graze_mesh, vertices, vertex_count, 3),
    GZ_ARRAY(graze_mesh, triangles, triangle_count, 3),
    GZ_SIZE(graze_mesh, given_vertex_count),
    GZ_SIZE(graze_mesh, degenerate_count),
    GZ_ARRAY(graze_mesh, component_of, triangle_count, 1),
    GZ_ARRAY(graze_mesh, components, component_count, 1),
    GZ_SIZE(graze_mesh, component_count),
    GZ_SIZE(graze_mesh, closed_count),
    GZ_BOX(graze_mesh, closed_box),
    GZ_MAYBE(graze_mesh, caps, gz_type_caps),
    GZ_NUMBERS(graze_mesh, sphere),
    GZ_BOX(graze_mesh, aabb),
    GZ_NUMBERS(graze_mesh, obb),
    GZ_NUMBERS(graze_mesh, max_abs),
    GZ_ARRAY(graze_mesh, nodes, node_count, 1),
    GZ_ARRAY(graze_mesh, packets, packet_count, 1),
    GZ_ARRAY(graze_mesh, node_boxes, node_count, 1),
    GZ_ARRAY(graze_mesh, packet_boxes, packet_count, 1),
    GZ_SIZE(graze_mesh, node_count),
    GZ_SIZE(graze_mesh, packet_count),
    GZ_VALUE(graze_mesh, root),
    GZ_ARRAY(graze_mesh, component_nodes, component_node_count, 1),
    GZ_SIZE(graze_mesh, component_node_count),
    GZ_VALUE(graze_mesh, component_root),
    GZ_MAYBE(graze_mesh, proxy, type_proxy),
};

static void hold(const void *structure) {
    gz_mesh_hold(structure);
}

static void drop(void *structure) {
    graze_mesh_free(structure);
}

const gz_type gz_type_mesh = {.name = "graze_mesh",
                              .size = sizeof(graze_mesh),
                              .field_count = sizeof mesh_fields / sizeof *mesh_fields,
                              .fields = mesh_fields,
                              .hold = hold,
                              .drop = drop};

// ---------------------------------------------------------------------------------------- welding

static uint64_t hash_point(const double p[3]) {
    uint64_t bits[3];
    memcpy(bits, p, sizeof bits);
    uint64_t h = bits[0] * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32) ^ bits[1]) * UINT64_C(0xd1b54a32d192ed03);
    h = (h ^ (h >> 32) ^ bits[2]) * UINT64_C(0x8cb92ba72f3d8dd7);
    return h ^ (h >> 32);
}

typedef struct entry {
    double p[3];
    uint32_t number;
} entry;

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = memcmp(x->p, y->p, sizeof x->p);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/// Welds by sorting, for vertices of which many have the same hash.
static size_t weld_by_sorting(double *vertices, size_t vertex_count, uint32_t *index) {
    entry *entries = gz_malloc(vertex_count, sizeof *entries);
    if (!entries) return 0;
    for (size_t i = 0; i < vertex_count; i++) {
        memcpy(entries[i].p, vertices + 3 * i, sizeof entries[i].p);
        entries[i].number = (uint32_t)i;
    }
    qsort(entries, vertex_count, sizeof *entries, compare_entries);
    // The first of each that are equal stands for all of them.
    uint32_t first = 0;
    for (size_t i = 0; i < vertex_count; i++) {
        const entry *e = &entries[i];
        if (i == 0 || memcmp(e->p, e[-1].p, sizeof e->p) != 0) first = e->number;
        index[e->number] = first;
    }
    gz_free(entries);
    // By first appearance: a vertex is behind the one that stands for it, whose number is known.
    size_t distinct = 0;
    for (size_t i = 0; i < vertex_count; i++) {
        if (index[i] == i) {
            memmove(vertices + 3 * distinct, vertices + 3 * i, 3 * sizeof *vertices);
            index[i] = (uint32_t)distinct++;
        } else {
            index[i] = index[index[i]];
        }
    }
    return distinct;
}

/// Puts back the first `count` vertices, to where `index` moved them: never farther back
/// than where they were, so none is overwritten before it is read.
static void unweld(double *vertices, size_t count, const uint32_t *index) {
    for (size_t i = count; i-- > 0;)
        memmove(vertices + 3 * i, vertices + 3 * (size_t)index[i], 3 * sizeof *vertices);
}

size_t gz_weld(double *vertices, size_t vertex_count, uint32_t *index, uint64_t *steps) {
    size_t slots = 16;
    while (slots < vertex_count + vertex_count / 2) slots *= 2;
    // Open addressing; a slot holds the new number plus one.
    uint32_t *table = gz_calloc(slots, sizeof *table);
    if (!table) return 0;
    size_t distinct = 0;
    const uint64_t most = GZ_WELD_STEPS * (uint64_t)vertex_count + GZ_WELD_STEPS_LEAST;
    uint64_t left = most;
    if (steps) *steps = most; // where it ends by sorting
    for (size_t i = 0; i < vertex_count; i++) {
        const double *p = vertices + 3 * i;
        size_t slot = hash_point(p) & (slots - 1);
        for (; table[slot] && left; left--) {
            if (memcmp(vertices + 3 * (size_t)(table[slot] - 1), p, 24) == 0) break;
            slot = (slot + 1) & (slots - 1);
        }
        // A file may be made to have its vertices in one place of the table.
        if (!left) {
            gz_free(table);
            unweld(vertices, i, index);
            return weld_by_sorting(vertices, vertex_count, index);
        }
        if (!table[slot]) {
            if (distinct != i) memcpy(vertices + 3 * distinct, p, 24);
            table[slot] = (uint32_t)++distinct;
        }
        index[i] = table[slot] - 1;
    }
    if (steps) *steps = most - left;
    gz_free(table);
    return distinct;
}

static graze_status check_soup(const gz_soup *soup, graze_error *error) {
    if (soup->triangle_count == 0) return gz_fail(error, GRAZE_ERROR_MESH, "mesh has no triangle");
    if (soup->vertex_count == 0) return gz_fail(error, GRAZE_ERROR_MESH, "mesh has no vertex");
    if (soup->vertex_count > INT32_MAX / 4 || soup->triangle_count > INT32_MAX / 4)
        return gz_fail(error, GRAZE_ERROR_LIMIT,
                       "mesh has %zu vertices and %zu triangles; allowed: up to %d of each",
                       soup->vertex_count, soup->triangle_count, INT32_MAX / 4);
    for (size_t i = 0; i < 3 * soup->vertex_count; i++)
        if (!(fabs(soup->vertices[i]) <= GZ_COORDINATE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "vertex %zu has the coordinate %g; allowed: finite, at most 2^20 m",
                           i / 3, soup->vertices[i]);
    for (size_t i = 0; i < 3 * soup->triangle_count; i++)
        if (soup->triangles[i] >= soup->vertex_count)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "triangle %zu names vertex %u; allowed: 0 to %zu", i / 3,
                           soup->triangles[i], soup->vertex_count - 1);
    return GRAZE_OK;
}

/// Puts the vertices of the soup into their place: rounded once, tiny values (and -0) made +0.
static bool place_vertices(graze_mesh *mesh, const gz_soup *soup, const graze_transform *place) {
    for (size_t i = 0; i < soup->vertex_count; i++) {
        // The soup's vertices may be the mesh's own.
        double *out = mesh->vertices + 3 * i, in[3];
        memcpy(in, soup->vertices + 3 * i, sizeof in);
        if (place)
            gz_snap(place->m, in, out);
        else
            memcpy(out, in, sizeof in);
        for (int k = 0; k < 3; k++) {
            if (fabs(out[k]) < GZ_SNAP_MIN) out[k] = 0;
            if (!(fabs(out[k]) <= GZ_COORDINATE_MAX)) return false;
        }
    }
    return true;
}

static bool weld_vertices(graze_mesh *mesh, const gz_soup *soup, bool flip) {
    uint32_t *index = gz_malloc(soup->vertex_count, sizeof *index);
    size_t distinct = index ? gz_weld(mesh->vertices, soup->vertex_count, index, NULL) : 0;
    for (size_t t = 0; distinct && t < soup->triangle_count; t++) {
        const uint32_t *in = soup->triangles + 3 * t;
        const uint32_t second = index[in[flip ? 2 : 1]], third = index[in[flip ? 1 : 2]];
        uint32_t *out = mesh->triangles + 3 * t;
        out[0] = index[in[0]];
        out[1] = second;
        out[2] = third;
    }
    gz_free(index);
    mesh->vertex_count = distinct;
    return distinct != 0;
}

/// Whether a triangle has no area, decided on the doubles: two corners are one vertex, or the cross
/// product of the edges vanishes (rounded; a count for the report, not a verdict).
static bool is_degenerate(const graze_mesh *mesh, size_t t) {
    const uint32_t *c = mesh->triangles + 3 * t;
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) return true;
    double e[3], f[3], n[3];
    gz_subtract(mesh->vertices + 3 * (size_t)c[1], mesh->vertices + 3 * (size_t)c[0], e);
    gz_subtract(mesh->vertices + 3 * (size_t)c[2], mesh->vertices + 3 * (size_t)c[0], f);
    gz_cross(e, f, n);
    return n[0] == 0 && n[1] == 0 && n[2] == 0;
}

static void bound_mesh(graze_mesh *mesh) {
    mesh->aabb = gz_bound_aabb(mesh->vertices, mesh->vertex_count);
    mesh->sphere = gz_bound_sphere(mesh->vertices, mesh->vertex_count);
    mesh->obb = gz_bound_obb(mesh->vertices, mesh->vertex_count);
    const double *corner[2] = {GZ_ARRAY3(mesh->aabb.min), GZ_ARRAY3(mesh->aabb.max)};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) mesh->max_abs = fmax(mesh->max_abs, fabs(corner[i][k]));
}

/// Gives back what an array has beyond what is used, where it is much.
static void shrink(void **array, size_t used, size_t capacity, size_t size) {
    enum { MUCH = 16384 }; // bytes
    if (used > capacity / 4 * 3 || (capacity - used) * size < MUCH) return;
    void *smaller = gz_realloc(*array, used, size);
    if (smaller) *array = smaller;
}

/// Gives a new mesh its arrays: the soup's own, or others of that size.
static bool take_arrays(graze_mesh *mesh, const gz_soup *soup, gz_soup *owned) {
    mesh->given_vertex_count = soup->vertex_count;
    mesh->triangle_count = soup->triangle_count;
    if (owned) {
        mesh->vertices = owned->vertices;
        mesh->triangles = owned->triangles;
        owned->vertices = NULL;
        owned->triangles = NULL;
        return true;
    }
    mesh->vertices = gz_malloc(soup->vertex_count, 3 * sizeof *mesh->vertices);
    mesh->triangles = gz_malloc(soup->triangle_count, 3 * sizeof *mesh->triangles);
    return mesh->vertices && mesh->triangles;
}

/// Welds the placed vertices, and gives back what is over.
static bool weld_soup(graze_mesh *mesh, const gz_soup *soup, bool flip) {
    if (!weld_vertices(mesh, soup, flip)) return false;
    size_t vertices = soup->vertex_capacity, triangles = soup->triangle_capacity;
    if (vertices < soup->vertex_count) vertices = soup->vertex_count;
    shrink((void **)&mesh->vertices, mesh->vertex_count, vertices, 3 * sizeof *mesh->vertices);
    if (triangles > soup->triangle_count)
        shrink((void **)&mesh->triangles, mesh->triangle_count, triangles,
               3 * sizeof *mesh->triangles);
    return true;
}

/// @param owned the soup, where its arrays become the mesh's; else NULL
static graze_status build(graze_mesh **out, const gz_soup *soup, gz_soup *owned,
                          const graze_transform *place, bool flip, gz_mesh_role role,
                          graze_error *error) {
    *out = NULL;
    graze_status status = check_soup(soup, error);
    if (status) return status;
    graze_mesh *mesh = gz_calloc(1, sizeof *mesh);
    if (!mesh) return gz_fail_memory(error);
    const gz_soup given = *soup;
    bool ok = take_arrays(mesh, &given, owned);
    if (ok && !place_vertices(mesh, &given, place)) {
        graze_mesh_free(mesh);
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "a vertex leaves the range in its place; allowed: at most 2^20 m");
    }
    ok = ok && weld_soup(mesh, &given, flip);
    ok = ok && gz_components_find(mesh);
    if (ok) bound_mesh(mesh);
    ok = ok && gz_tree_build(mesh);
    ok = ok && gz_mesh_proxy_build(&mesh->proxy, mesh, role);
    if (!ok) {
        graze_mesh_free(mesh);
        return gz_fail_memory(error);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        mesh->degenerate_count += is_degenerate(mesh, t);
#ifdef GRAZE_VALIDATE
    status = gz_mesh_validate_or_abort(mesh, error);
    if (status) {
        graze_mesh_free(mesh);
        return status;
    }
#endif
    *out = mesh;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status gz_mesh_build(graze_mesh **out, const gz_soup *soup, const graze_transform *place,
                           bool flip, gz_mesh_role role, graze_error *error) {
    return build(out, soup, NULL, place, flip, role, error);
}

graze_status gz_mesh_build_of(graze_mesh **out, gz_soup *soup, const graze_transform *place,
                              gz_mesh_role role, graze_error *error) {
    return build(out, soup, soup, place, false, role, error);
}

graze_mesh *gz_mesh_hold(const graze_mesh *mesh) {
    gz_kept_hold(&mesh->shared, mesh->keeper);
    return (graze_mesh *)(uintptr_t)mesh;
}

/// A mesh of the same triangles, moved.
static graze_status build_again(graze_mesh **out, const graze_mesh *mesh,
                                const graze_transform *place, gz_mesh_role role,
                                graze_error *error) {
    const gz_soup soup = {.vertices = mesh->vertices,
                          .vertex_count = mesh->vertex_count,
                          .triangles = mesh->triangles,
                          .triangle_count = mesh->triangle_count};
    GZ_TRY(gz_mesh_build(out, &soup, place, false, role, error));
    (*out)->given_vertex_count = mesh->given_vertex_count;
    return GRAZE_OK;
}

graze_status gz_mesh_share(graze_mesh **out, const graze_mesh *mesh, gz_mesh_role role,
                           graze_error *error) {
    if (!gz_mesh_proxy_suits(mesh, role)) return build_again(out, mesh, NULL, role, error);
    *out = gz_mesh_hold(mesh);
    return GRAZE_OK;
}

graze_status gz_mesh_share_at(graze_mesh **out, const graze_mesh *mesh,
                              const graze_transform *place, gz_mesh_role role, graze_error *error) {
    if (gz_transform_is_identity(place)) return gz_mesh_share(out, mesh, role, error);
    return build_again(out, mesh, place, role, error);
}

void graze_mesh_free(graze_mesh *mesh) {
    if (!mesh || !gz_kept_drop(&mesh->shared, mesh->keeper)) return;
    gz_type_clear(&gz_type_mesh, mesh);
    gz_free(mesh);
}

graze_status graze_mesh_create(graze_mesh **out, const double *vertices, size_t vertex_count,
                               const uint32_t *triangles, size_t triangle_count,
                               graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if ((!vertices && vertex_count) || (!triangles && triangle_count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "vertices or triangles is NULL");
    // Read only: the soup borrows the caller's arrays.
    gz_soup soup = {.vertices = (double *)(uintptr_t)vertices,
                    .vertex_count = vertex_count,
                    .triangles = (uint32_t *)(uintptr_t)triangles,
                    .triangle_count = triangle_count};
    return gz_mesh_build(out, &soup, NULL, false, GZ_MESH_OBJECT, error);
}

graze_status graze_mesh_describe_sized(const graze_mesh *mesh, graze_mesh_info *info, size_t size) {
    if (!mesh || !info) return GRAZE_ERROR_ARGUMENT;
    graze_mesh_info out = {.triangle_count = mesh->triangle_count,
                           .vertex_count = mesh->vertex_count,
                           .degenerate_count = mesh->degenerate_count,
                           .component_count = mesh->component_count,
                           .closed_count = mesh->closed_count,
                           .sphere = mesh->sphere,
                           .aabb = mesh->aabb,
                           .obb = mesh->obb};
    gz_fill(info, size, &out, sizeof out);
    return GRAZE_OK;
}

static graze_aabb box_of(const gz_box *box) {
    graze_aabb out;
    double *min = &out.min.x, *max = &out.max.x;
    for (int k = 0; k < 3; k++) {
        min[k] = (double)box->center[k] - (double)box->half[k];
        max[k] = (double)box->center[k] + (double)box->half[k];
    }
    return out;
}

size_t graze_mesh_tree_level(const graze_mesh *mesh, uint32_t level, graze_aabb *boxes,
                             size_t capacity) {
    int32_t references[GZ_TREE_STACK];
    uint32_t depths[GZ_TREE_STACK];
    size_t count = 0, top = 0;
    if (!mesh) return 0;
    references[top] = mesh->root;
    depths[top++] = 0;
    while (top > 0) {
        int32_t reference = references[--top];
        uint32_t depth = depths[top];
        if (reference < 0 || depth == level) {
            if (count < capacity)
                boxes[count] = box_of(reference < 0 ? &mesh->packet_boxes[~reference]
                                                    : &mesh->node_boxes[reference]);
            count++;
            continue;
        }
        const gz_node *node = &mesh->nodes[reference];
        for (int32_t k = node->count - 1; k >= 0; k--) {
            references[top] = node->child[k];
            depths[top++] = depth + 1;
        }
    }
    return count;
}
