#include "mesh/component.h"

#include <stdlib.h>

#include "base/memory.h"
#include "math/transform.h"

/// Union-find with path halving.
static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/// Joins the corners of each triangle; then parent[v] leads to one representative a component. The
/// lower index always wins, so the result does not depend on anything but the triangles.
static void join_corners(const graze_mesh *mesh, uint32_t *parent) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) parent[v] = v;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        for (int k = 1; k < 3; k++) {
            uint32_t a = find_root(parent, corner[0]), b = find_root(parent, corner[k]);
            if (a < b) parent[b] = a;
            if (b < a) parent[a] = b;
        }
    }
}

/// Numbers components by their lowest triangle.
static size_t number_components(graze_mesh *mesh, uint32_t *parent, uint32_t *number) {
    size_t count = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) number[v] = UINT32_MAX;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t root = find_root(parent, mesh->triangles[3 * t]);
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

static void extend_component(gz_component *c, const double *vertices, uint32_t v, bool first) {
    const double *p = vertices + 3 * (size_t)v;
    double *low = GZ_ARRAY3(c->box.min), *high = GZ_ARRAY3(c->box.max);
    for (int k = 0; k < 3; k++) {
        if (first || p[k] < low[k]) low[k] = p[k];
        if (first || p[k] > high[k]) high[k] = p[k];
        if (first || before(p, vertices + 3 * (size_t)c->extreme[2 * k], k)) c->extreme[2 * k] = v;
        if (first || before(vertices + 3 * (size_t)c->extreme[2 * k + 1], p, k))
            c->extreme[2 * k + 1] = v;
    }
    c->vertex = c->extreme[0];
}

static void describe_components(graze_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        gz_component *c = &mesh->components[mesh->component_of[t]];
        bool first = c->triangle_count++ == 0;
        if (first) {
            c->triangle = (uint32_t)t;
            c->closed = true; // until an edge says otherwise
        }
        for (int k = 0; k < 3; k++)
            extend_component(c, mesh->vertices, mesh->triangles[3 * t + (size_t)k], first && !k);
    }
}

/// A directed edge seen from its lower vertex: the other vertex, and +1 when it leads away from the
/// lower one, -1 when towards it.
typedef struct half_edge {
    uint32_t other;
    int32_t direction;
} half_edge;

static int compare_edges(const void *a, const void *b) {
    uint32_t x = ((const half_edge *)a)->other, y = ((const half_edge *)b)->other;
    return (x > y) - (x < y);
}

/// Whether the edges of one vertex cancel: for every other vertex the directions sum to 0.
static bool edges_cancel(half_edge *edges, size_t count) {
    if (count > 16) {
        qsort(edges, count, sizeof *edges, compare_edges);
        for (size_t i = 0; i < count;) {
            int64_t sum = 0;
            size_t j = i;
            for (; j < count && edges[j].other == edges[i].other; j++) sum += edges[j].direction;
            if (sum) return false;
            i = j;
        }
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (size_t j = 0; j < count; j++)
            if (edges[j].other == edges[i].other) sum += edges[j].direction;
        if (sum) return false;
    }
    return true;
}

/// Sorts the directed edges by their lower vertex (counting sort), then lets each vertex cancel its
/// own. An edge from a vertex to itself (of a degenerate triangle) cancels with nothing needed.
static bool find_open_edges(graze_mesh *mesh) {
    size_t edge_count = 3 * mesh->triangle_count;
    size_t *start = gz_calloc(mesh->vertex_count + 2, sizeof *start);
    half_edge *edges = gz_malloc(edge_count, sizeof *edges);
    uint32_t *component = gz_malloc(mesh->vertex_count, sizeof *component);
    bool ok = start && edges && component;
    for (int pass = 0; ok && pass < 2; pass++) {
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            for (size_t k = 0; k < 3; k++) {
                uint32_t a = mesh->triangles[3 * t + k], b = mesh->triangles[3 * t + (k + 1) % 3];
                uint32_t low = a < b ? a : b;
                component[low] = mesh->component_of[t];
                if (a == b) continue;
                // First pass counts into the slot two above, so that after the prefix sum the slot
                // one above serves as the running position of the second pass.
                if (pass == 0)
                    start[low + 2]++;
                else
                    edges[start[low + 1]++] = (half_edge){a < b ? b : a, a < b ? 1 : -1};
            }
        }
        for (size_t v = 2; pass == 0 && v < mesh->vertex_count + 2; v++) start[v] += start[v - 1];
    }
    for (size_t v = 0; ok && v < mesh->vertex_count; v++)
        if (start[v + 1] > start[v] && !edges_cancel(edges + start[v], start[v + 1] - start[v]))
            mesh->components[component[v]].closed = false;
    gz_free(start);
    gz_free(edges);
    gz_free(component);
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
    if (ok) {
        join_corners(mesh, parent);
        mesh->component_count = number_components(mesh, parent, number);
        mesh->components = gz_calloc(mesh->component_count, sizeof *mesh->components);
        ok = mesh->components != NULL;
    }
    gz_free(parent);
    gz_free(number);
    if (!ok) return false;
    describe_components(mesh);
    if (!find_open_edges(mesh)) return false;
    for (size_t i = 0; i < mesh->component_count; i++) {
        if (!mesh->components[i].closed) continue;
        join_box(&mesh->closed_box, &mesh->components[i].box, mesh->closed_count++ == 0);
    }
    return true;
}
