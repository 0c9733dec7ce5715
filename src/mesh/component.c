#include <stdlib.h>

#include "base/memory.h"
#include "base/platform.h"
#include "math/transform.h"
#include "mesh/cap.h"
#include "mesh/component.h"

/// A directed edge seen from its lower vertex: twice the other vertex, and one more when it leads
/// towards the lower one. Meshes have fewer than 2^30 vertices.
typedef uint32_t half_edge;

/// The directed edges of a mesh, sorted by their lower vertex. There are fewer than 2^32.
typedef struct edge_table {
    uint32_t *start; ///< edges of v: start[v] to start[v + 1]
    half_edge *edges;
    uint32_t *component; ///< of each vertex that is the lower one of some edge
} edge_table;

#define FEW 16

static int compare_edges(const void *a, const void *b) {
    half_edge x = *(const half_edge *)a, y = *(const half_edge *)b;
    return (x > y) - (x < y);
}

/// Whether the edges of one vertex, at most FEW, cancel: each is struck out by one before it that
/// leads the other way, as long as there is one.
static bool edges_cancel(const half_edge *edges, size_t count) {
    half_edge open[FEW];
    size_t n = 0;
    if (count % 2) return false;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < n && (open[k] ^ edges[i]) != 1) k++;
        if (k < n)
            open[k] = open[--n];
        else
            open[n++] = edges[i];
    }
    return n == 0;
}

/// Adds up the edges of one vertex by their other end.
static bool visit_vertex(const edge_table *table, uint32_t v, bool open_only, gz_edge_visit each,
                         void *user) {
    half_edge *edges = table->edges + table->start[v];
    size_t count = table->start[v + 1] - table->start[v];
    // Nearly every vertex has few edges, all cancelled: no need to sort them.
    if (open_only && count <= FEW && edges_cancel(edges, count)) return true;
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count;) {
        gz_edge edge = {v, edges[i] / 2, 0, 0, table->component[v]};
        for (; i < count && edges[i] / 2 == edge.high; i++, edge.uses++)
            edge.net += edges[i] % 2 ? -1 : 1;
        if ((edge.net || !open_only) && !each(user, &edge)) return false;
    }
    return true;
}

/// Sorts the directed edges by their lower vertex (counting sort). The first pass counts into the
/// slot two above, so that after the prefix sum the slot one above serves as the running position
/// of the second pass.
static void fill_table(const graze_mesh *mesh, edge_table *table) {
    for (int pass = 0; pass < 2; pass++) {
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *corner = mesh->triangles + 3 * t;
            if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
                continue;
            for (size_t k = 0; k < 3; k++) {
                uint32_t a = corner[k], b = corner[(k + 1) % 3], low = a < b ? a : b;
                table->component[low] = mesh->component_of[t];
                if (pass == 0)
                    table->start[low + 2]++;
                else
                    table->edges[table->start[low + 1]++] = a < b ? 2 * b : 2 * a + 1;
            }
        }
        for (size_t v = 2; pass == 0 && v < mesh->vertex_count + 2; v++)
            table->start[v] += table->start[v - 1];
    }
}

bool gz_edges_visit(const graze_mesh *mesh, bool open_only, gz_edge_visit each, void *user) {
    edge_table table = {
        .start = gz_calloc(mesh->vertex_count + 2, sizeof *table.start),
        .edges = gz_malloc(3 * mesh->triangle_count, sizeof *table.edges),
        .component = gz_malloc(mesh->vertex_count, sizeof *table.component),
    };
    bool ok = table.start && table.edges && table.component;
    gz_memory_populate(table.edges, 3 * mesh->triangle_count, sizeof *table.edges);
    if (ok) fill_table(mesh, &table);
    for (uint32_t v = 0; ok && v < mesh->vertex_count; v++)
        if (table.start[v + 1] > table.start[v])
            ok = visit_vertex(&table, v, open_only, each, user);
    gz_free(table.start);
    gz_free(table.edges);
    gz_free(table.component);
    return ok;
}

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
    c->closed = true; // until an open edge is found
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
