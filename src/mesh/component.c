#include "mesh/component.h"

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/cap.h"

/// Joins the corners of each triangle; then parent[v] leads to one representative a component.
static void join_corners(const graze_mesh *mesh, uint32_t *parent) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) parent[v] = v;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        for (int k = 1; k < 3; k++) gz_join(parent, corner[0], corner[k]);
    }
}

/// Numbers components by their lowest triangle.
static size_t number_components(graze_mesh *mesh, uint32_t *parent, uint32_t *number) {
    size_t count = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) number[v] = UINT32_MAX;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t root = gz_find_root(parent, mesh->triangles[3 * t]);
        if (number[root] == UINT32_MAX) number[root] = (uint32_t)count++;
        mesh->component_of[t] = number[root];
    }
    return count;
}

static int before(const double *a, const double *b, int axis) {
    for (int i = 0; i < 3; i++) {
        int k = (axis + i) % 3;
        if (a[k] != b[k]) return a[k] < b[k];
    }
    return 0;
}

/// Of all vertices none is before another and behind it, as no two are equal: the extreme ones do
/// not depend on the order in which they come.
static void extend_component(gz_component *c, const double *vertices, uint32_t v) {
    const double *p = vertices + 3 * (size_t)v;
    double *low = GZ_ARRAY3(c->box.min), *high = GZ_ARRAY3(c->box.max);
    for (int k = 0; k < 3; k++) {
        if (before(p, vertices + 3 * (size_t)c->extreme[2 * k], k)) {
            c->extreme[2 * k] = v;
            low[k] = p[k];
        }
        if (before(vertices + 3 * (size_t)c->extreme[2 * k + 1], p, k)) {
            c->extreme[2 * k + 1] = v;
            high[k] = p[k];
        }
    }
}

static void begin_component(gz_component *c, const graze_mesh *mesh, size_t t) {
    uint32_t v = mesh->triangles[3 * t];
    const double *p = mesh->vertices + 3 * (size_t)v;
    c->triangle = (uint32_t)t;
    c->closed = true; // until an edge says otherwise
    for (int k = 0; k < 6; k++) c->extreme[k] = v;
    c->box = (graze_aabb){{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
}

/// `number` is that of each vertex's representative. Vertices that no triangle has are left out:
/// theirs is UINT32_MAX.
static void describe_components(graze_mesh *mesh, uint32_t *parent, const uint32_t *number) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        gz_component *c = &mesh->components[mesh->component_of[t]];
        if (c->triangle_count++ == 0) begin_component(c, mesh, t);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t component = number[gz_find_root(parent, v)];
        if (component != UINT32_MAX)
            extend_component(&mesh->components[component], mesh->vertices, v);
    }
    for (size_t i = 0; i < mesh->component_count; i++)
        mesh->components[i].vertex = mesh->components[i].extreme[0];
}

/// The open edges that caps are made of.
typedef struct open_edges {
    graze_mesh *mesh;
    gz_edge *items;
    size_t count, capacity;
} open_edges;

/// The component of an edge that does not cancel is open. One triangle alone needs no cap: with its
/// own border closed it would count twice, once each way.
static bool open_component(void *user, const gz_edge *edge) {
    open_edges *open = user;
    gz_component *c = &open->mesh->components[edge->component];
    c->closed = false;
    if (c->triangle_count == 1) return true;
    c->capped = true;
    if (!gz_array_reserve((void **)&open->items, &open->capacity, open->count + 1,
                          sizeof *open->items))
        return false;
    open->items[open->count++] = *edge;
    return true;
}

static bool find_open_edges(graze_mesh *mesh) {
    open_edges open = {.mesh = mesh};
    bool ok = gz_edges_visit(mesh, true, open_component, &open) &&
              gz_caps_build(mesh, open.items, open.count);
    gz_free(open.items);
    return ok;
}

static void join_box(graze_aabb *box, const graze_aabb *other, bool first) {
    double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    const double *other_low = GZ_ARRAY3(other->min), *other_high = GZ_ARRAY3(other->max);
    for (int k = 0; k < 3; k++) {
        if (first || other_low[k] < low[k]) low[k] = other_low[k];
        if (first || other_high[k] > high[k]) high[k] = other_high[k];
    }
}

bool gz_components_find(graze_mesh *mesh) {
    uint32_t *parent = gz_malloc(mesh->vertex_count, sizeof *parent);
    uint32_t *number = gz_malloc(mesh->vertex_count, sizeof *number);
    mesh->component_of = gz_malloc(mesh->triangle_count, sizeof *mesh->component_of);
    bool ok = parent && number && mesh->component_of;
    gz_memory_populate(parent, mesh->vertex_count, sizeof *parent);
    gz_memory_populate(number, mesh->vertex_count, sizeof *number);
    gz_memory_populate(mesh->component_of, mesh->triangle_count, sizeof *mesh->component_of);
    if (ok) {
        join_corners(mesh, parent);
        mesh->component_count = number_components(mesh, parent, number);
        mesh->components = gz_calloc(mesh->component_count, sizeof *mesh->components);
        ok = mesh->components != NULL;
    }
    if (ok) describe_components(mesh, parent, number);
    gz_free(parent);
    gz_free(number);
    if (!ok) return false;
    if (!find_open_edges(mesh)) return false;
    for (size_t i = 0; i < mesh->component_count; i++) {
        if (!mesh->components[i].closed) continue;
        join_box(&mesh->closed_box, &mesh->components[i].box, mesh->closed_count++ == 0);
    }
    return true;
}
