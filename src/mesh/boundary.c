#include "mesh/component.h"

#include <stdlib.h>

#include "base/memory.h"

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
