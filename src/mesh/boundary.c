#include "mesh/boundary.h"

#include <stdlib.h>

#include "base/memory.h"

/// A directed edge seen from its lower vertex: the other vertex, and +1 when it leads away from the
/// lower one, -1 when towards it.
typedef struct half_edge {
    uint32_t other;
    int32_t direction;
} half_edge;

/// The directed edges of a mesh, sorted by their lower vertex.
typedef struct edge_table {
    size_t *start; ///< edges of v: start[v] to start[v + 1]
    half_edge *edges;
    uint32_t *component; ///< of each vertex that is the lower one of some edge
} edge_table;

static int compare_edges(const void *a, const void *b) {
    uint32_t x = ((const half_edge *)a)->other, y = ((const half_edge *)b)->other;
    return (x > y) - (x < y);
}

/// Whether the few edges of one vertex cancel: for every other vertex the directions sum to 0.
static bool edges_cancel(const half_edge *edges, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (size_t j = 0; j < count; j++)
            if (edges[j].other == edges[i].other) sum += edges[j].direction;
        if (sum) return false;
    }
    return true;
}

/// Adds up the edges of one vertex by their other end.
static bool visit_vertex(const edge_table *table, uint32_t v, bool open_only, gz_edge_visit each,
                         void *user) {
    half_edge *edges = table->edges + table->start[v];
    size_t count = table->start[v + 1] - table->start[v];
    // Nearly every vertex has few edges, all cancelled: no need to sort them.
    if (open_only && count <= 16 && edges_cancel(edges, count)) return true;
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count;) {
        gz_edge edge = {v, edges[i].other, 0, 0, table->component[v]};
        for (; i < count && edges[i].other == edge.high; i++, edge.uses++)
            edge.net += edges[i].direction;
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
                    table->edges[table->start[low + 1]++] = (half_edge){a < b ? b : a,
                                                                        a < b ? 1 : -1};
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
    if (ok) fill_table(mesh, &table);
    for (uint32_t v = 0; ok && v < mesh->vertex_count; v++)
        if (table.start[v + 1] > table.start[v])
            ok = visit_vertex(&table, v, open_only, each, user);
    gz_free(table.start);
    gz_free(table.edges);
    gz_free(table.component);
    return ok;
}
