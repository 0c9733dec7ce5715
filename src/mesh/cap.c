#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "math/predicate.h"
#include "math/transform.h"
#include "math/wide_integer.h"
#include "mesh/cap.h"

/// The unit of exact sums, as an exponent of 2. A coordinate of a mesh is 0 or of magnitude 2^-100
/// (GZ_SNAP_MIN) to 2^20 (GZ_COORDINATE_MAX), so it is a whole number of units; 2^32 of them stay
/// below 2^204 units.
#define UNIT (-152)

/// A connected piece of the boundary while its apex is found.
typedef struct piece {
    gz_wide sum[3]; ///< of the edges' starting points, each as often as the edge counts
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
        gz_wide x;
        gz_wide_set(&x, v[k], UNIT);
        for (uint32_t i = 0; i < count; i++) gz_wide_add(&p->sum[k], &p->sum[k], &x);
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
        double mean = gz_wide_value(&p->sum[k], UNIT) / (double)p->weight;
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
    if (edge_count == 0) return true;
    gz_caps *caps = mesh->caps = gz_calloc(1, sizeof *caps);
    uint32_t *parent = gz_malloc(mesh->vertex_count, sizeof *parent);
    uint32_t *piece_of = gz_malloc(mesh->vertex_count, sizeof *piece_of);
    bool ok = caps && parent && piece_of;
    if (ok) caps->apex_count = find_pieces(mesh, edges, edge_count, parent, piece_of);
    ok = ok && make_apexes(caps, mesh, edges, edge_count, parent, piece_of) &&
         make_triangles(caps, mesh, edges, edge_count, parent, piece_of) &&
         (caps->triangle_count == 0 || sort_triangles(caps, mesh));
    gz_free(parent);
    gz_free(piece_of);
    return ok;
}

// Winding numbers by a vertical ray: signs of determinants, ties broken by a symbolic shift
// (Edelsbrunner and Muecke 1990, "Simulation of simplicity").

/// On which side of the line a-b, seen from above, the shifted point lies: 1 left, -1 right. The
/// determinant changes by (a_y - b_y) per unit of p_x and by (b_x - a_x) per unit of p_y; it is 0
/// only where a and b coincide, seen from above.
static int shifted_side(const double a[3], const double b[3], const double p[3]) {
    int side = gz_orient2d(a, b, p);
    if (side == 0) side = gz_sign(a[1] - b[1]);
    if (side == 0) side = gz_sign(b[0] - a[0]);
    return side;
}

/// The sign of one component of the normal (b - a) x (c - a): that of the triangle seen along the
/// axis, in the plane of the two axes after it.
static int normal_sign(const double t[3][3], int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double a[2] = {t[0][u], t[0][v]}, b[2] = {t[1][u], t[1][v]}, c[2] = {t[2][u], t[2][v]};
    return gz_orient2d(a, b, c);
}

/// Whether the shifted point lies below the plane of the triangle, which faces up (up = 1) or down
/// (up = -1). gz_orient3d is n . (a - p) for the normal n; a shift of p by s changes it by -n . s,
/// and up * n_z > 0 decides last, towards "above".
static bool shifted_below(const double p[3], const double t[3][3], int up) {
    int side = gz_orient3d(t[0], t[1], t[2], p);
    if (side == 0) side = -normal_sign(t, 0);
    if (side == 0) side = -normal_sign(t, 1);
    return side == up;
}

int gz_winding_crossing(const double p[3], const double t[3][3]) {
    // The shifted point is beyond every coordinate that p has reached, hence <= on the upper side.
    double low_z = t[0][2];
    for (int k = 0; k < 3; k++) {
        double low = t[0][k], high = t[0][k];
        for (int i = 1; i < 3; i++) {
            low = t[i][k] < low ? t[i][k] : low;
            high = t[i][k] > high ? t[i][k] : high;
        }
        if (high <= p[k] || (k < 2 && low > p[k])) return 0;
        low_z = low;
    }
    int up = shifted_side(t[0], t[1], p);
    if (up == 0 || shifted_side(t[1], t[2], p) != up || shifted_side(t[2], t[0], p) != up) return 0;
    if (low_z > p[2]) return up;
    return shifted_below(p, t, up) ? up : 0;
}
