#include "mesh/cap.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"

/// A connected piece of the boundary while its apex is found.
typedef struct piece {
    gz_exact_sum sum[3]; ///< of the edges' starting points, each as often as the edge counts
    double low[3], high[3];
    size_t weight, edge_count;
    uint32_t vertex; ///< of its first edge
} piece;

/// The edge as the mesh has too many of it: from one vertex to the other.
static void directed(const gz_edge *edge, uint32_t *from, uint32_t *to) {
    *from = edge->net > 0 ? edge->low : edge->high;
    *to = edge->net > 0 ? edge->high : edge->low;
}

static void add_edge(piece *p, const graze_mesh *mesh, const gz_edge *edge) {
    uint32_t from, to;
    directed(edge, &from, &to);
    const double *v = mesh->vertices + 3 * (size_t)from;
    uint32_t count = (uint32_t)(edge->net < 0 ? -edge->net : edge->net);
    if (p->edge_count++ == 0) p->vertex = from;
    p->weight += count;
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < count; i++) gz_exact_sum_add(&p->sum[k], v[k]);
        if (p->edge_count == 1 || v[k] < p->low[k]) p->low[k] = v[k];
        if (p->edge_count == 1 || v[k] > p->high[k]) p->high[k] = v[k];
    }
}

/// The apex: the mean, kept inside the piece's box, so that it leaves the bounds of the mesh by no
/// more than rounding, 2^-51 of a coordinate, which every pad of a posed bound covers many times
/// (gz_link.pad: 2^-44, place_object: 2^-46, containment: 2e-8). Three edges in a ring are the
/// border of one triangle: any corner as apex gives just that triangle, flat without rounding.
static void set_apex(const piece *p, const graze_mesh *mesh, double apex[3]) {
    if (p->edge_count == 3) {
        memcpy(apex, mesh->vertices + 3 * (size_t)p->vertex, 3 * sizeof *apex);
        return;
    }
    for (int k = 0; k < 3; k++) {
        double mean = gz_exact_sum_mean(&p->sum[k], p->weight);
        mean = fmin(fmax(mean, p->low[k]), p->high[k]);
        apex[k] = fabs(mean) < GZ_SNAP_MIN ? 0 : mean;
    }
}

/// Numbers the connected pieces: piece_of[v] for the root v of each, by the order of the edges.
static size_t find_pieces(const graze_mesh *mesh, const gz_edge *edges, size_t count,
                          uint32_t *parent, uint32_t *piece_of) {
    size_t pieces = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) parent[v] = v;
    for (size_t i = 0; i < count; i++) gz_join(parent, edges[i].low, edges[i].high);
    for (size_t v = 0; v < mesh->vertex_count; v++) piece_of[v] = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        uint32_t root = gz_find_root(parent, edges[i].low);
        if (piece_of[root] == UINT32_MAX) piece_of[root] = (uint32_t)pieces++;
    }
    return pieces;
}

static bool make_apexes(gz_caps *caps, const graze_mesh *mesh, const gz_edge *edges, size_t count,
                        uint32_t *parent, const uint32_t *piece_of) {
    piece *pieces = gz_calloc(caps->apex_count, sizeof *pieces);
    caps->apexes = gz_malloc(caps->apex_count, 3 * sizeof *caps->apexes);
    bool ok = pieces && caps->apexes;
    for (size_t i = 0; ok && i < count; i++)
        add_edge(&pieces[piece_of[gz_find_root(parent, edges[i].low)]], mesh, &edges[i]);
    for (size_t i = 0; ok && i < caps->apex_count; i++)
        set_apex(&pieces[i], mesh, caps->apexes + 3 * i);
    gz_free(pieces);
    return ok;
}

/// A triangle with no area because its edge begins or ends in the apex adds nothing.
static bool is_empty(const gz_caps *caps, const graze_mesh *mesh, const gz_cap_triangle *t) {
    const double *apex = caps->apexes + 3 * (size_t)t->apex;
    return memcmp(apex, mesh->vertices + 3 * (size_t)t->from, 3 * sizeof *apex) == 0 ||
           memcmp(apex, mesh->vertices + 3 * (size_t)t->to, 3 * sizeof *apex) == 0;
}

static bool make_triangles(gz_caps *caps, const graze_mesh *mesh, const gz_edge *edges,
                           size_t count, uint32_t *parent, const uint32_t *piece_of) {
    caps->triangles = gz_malloc(count, sizeof *caps->triangles);
    if (!caps->triangles) return false;
    for (size_t i = 0; i < count; i++) {
        gz_cap_triangle t = {.apex = piece_of[gz_find_root(parent, edges[i].low)],
                             .count = edges[i].net < 0 ? -edges[i].net : edges[i].net};
        directed(&edges[i], &t.to, &t.from);
        if (!is_empty(caps, mesh, &t)) caps->triangles[caps->triangle_count++] = t;
    }
    return true;
}

static void bound_triangle(const gz_caps *caps, const graze_mesh *mesh, size_t i, double low[3],
                           double high[3]) {
    const gz_cap_triangle *t = &caps->triangles[i];
    const double *a = caps->apexes + 3 * (size_t)t->apex, *b = mesh->vertices + 3 * (size_t)t->from,
                 *c = mesh->vertices + 3 * (size_t)t->to;
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(a[k], fmin(b[k], c[k]));
        high[k] = fmax(a[k], fmax(b[k], c[k]));
    }
}

/// Builds the tree and puts the triangles into the order of its leaves.
static bool sort_triangles(gz_caps *caps, const graze_mesh *mesh) {
    size_t count = caps->triangle_count;
    gz_tree_item *items = gz_malloc(count, sizeof *items);
    gz_cap_triangle *sorted = gz_malloc(count, sizeof *sorted);
    bool ok = items && sorted;
    for (size_t i = 0; ok && i < count; i++) {
        double low[3], high[3];
        bound_triangle(caps, mesh, i, low, high);
        items[i] = gz_tree_item_make(low, high, (uint32_t)i);
    }
    ok = ok && gz_box_tree_build(&caps->tree, items, count, GZ_WIDTH);
    for (size_t i = 0; ok && i < count; i++) sorted[i] = caps->triangles[items[i].index];
    if (ok) {
        gz_free(caps->triangles);
        caps->triangles = sorted;
        sorted = NULL;
    }
    gz_free(sorted);
    gz_free(items);
    return ok;
}

bool gz_caps_build(graze_mesh *mesh, const gz_edge *edges, size_t edge_count) {
    mesh->caps = NULL;
    if (edge_count == 0) return true;
    gz_caps *caps = gz_calloc(1, sizeof *caps);
    uint32_t *parent = gz_malloc(mesh->vertex_count, sizeof *parent);
    uint32_t *piece_of = gz_malloc(mesh->vertex_count, sizeof *piece_of);
    bool ok = caps && parent && piece_of;
    if (ok) caps->apex_count = find_pieces(mesh, edges, edge_count, parent, piece_of);
    ok = ok && make_apexes(caps, mesh, edges, edge_count, parent, piece_of) &&
         make_triangles(caps, mesh, edges, edge_count, parent, piece_of) &&
         (caps->triangle_count == 0 || sort_triangles(caps, mesh));
    gz_free(parent);
    gz_free(piece_of);
    if (!ok) {
        gz_caps_free(caps);
        return false;
    }
    mesh->caps = caps;
    return true;
}

void gz_caps_free(gz_caps *caps) {
    if (!caps) return;
    gz_free(caps->apexes);
    gz_free(caps->triangles);
    gz_box_tree_free(&caps->tree);
    gz_free(caps);
}

size_t gz_caps_bytes(const gz_caps *caps) {
    if (!caps) return 0;
    return sizeof *caps + caps->apex_count * 24 + caps->triangle_count * sizeof *caps->triangles +
           caps->tree.node_count * (sizeof *caps->tree.nodes + sizeof(gz_box)) +
           caps->tree.leaf_count * (sizeof *caps->tree.leaves + sizeof(gz_box));
}
