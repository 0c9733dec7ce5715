// Signed distance of two convex polygons by their edge normals, each answer checked by its dual.
//
// The method, and f, are those of docs/planar.md: every f(n) / |n| is a lower bound of the signed
// distance, the length of the difference of any two points an upper one. Outside, {n : f(n) >= c
// |n|} is a convex cone for every c >= 0, so that f has one maximum, next to the best edge's
// normal: the nearest point of B - A lies on that edge.
//
// Rounding. u = 2^-53; D bounds the coordinates relative to A's first vertex, at most twice the
// largest. Coordinates relative to it are rounded once (u D). A difference of two coordinates as
// given is rounded once, relative to itself, so an edge's direction and normal e are right to u in
// each component however short the edge is, and 3 u more by the length, the division. An inner
// product e.p of local points is off by at most |e| sqrt(2) D (2 u + u + u): two products and a
// sum, the point's rounding, the edge's. f(e) / |e| takes two and a difference: off by less than 14
// u D. What is returned in the end is computed anew from differences of the given coordinates: at
// most 6 u of the length of the difference, below 9 u D. So the best edge may be one whose f falls
// short of the largest by 28 u D, and where edges are nearly parallel, or very short, the nearest
// point need not be next to it. That shows: the foot of the vertex lies outside the edge, and the
// edge's end is not nearest to the vertex, as one of their neighbours is nearer. Accepted are a
// foot within the edge, and ends from where the boundaries only lead away; the rest is searched
// among more features: first the two edges that face each other (parallel ones end there) with a
// distance d that its dual bound confirms, f(n) >= d - 16 u D as computed; then all, overlapping
// polygons among edges whose f is the largest up to 32 u D. So an answer is off by at most 32 u D
// of choice, 2 * 14 u D of what the choice was made by and 2 * 9 u D computed: 78 u D, D at most
// twice the largest coordinate, below 256 u of it with the radii's roundings. Met were at most
// 62 u, and those in polygons a few roundings thin (docs/planar.md).
//
// Lanes over one pair's edges and vertices; the same for any number. Included by kernels.inl.

#include <math.h>

#include "math/lanes.h"
#include "planar/distance/pair_lanes.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

// A polygon, its vertices relative to an origin, and its edges, each from a vertex to the next.
typedef struct outline {
    const graze_vec2 *at;
    int count;
    double local_x[GRAZE_PLANAR_VERTEX_MAX], local_y[GRAZE_PLANAR_VERTEX_MAX];
    graze_vec2 edge[GRAZE_PLANAR_VERTEX_MAX];
} outline;

// The best value over vertices or edges, and the lowest index that has it.
typedef struct extreme_feature {
    double value;
    int index;
} extreme_feature;

static const double counting[GRAZE_PLANAR_VERTEX_MAX] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                         8, 9, 10, 11, 12, 13, 14, 15};

// Across lanes: the largest value, and of equals the lowest index, for any number of lanes.
ALWAYS extreme_feature reduce(gz_d value, gz_d index) {
    double values[GZ_D_LANES], indices[GZ_D_LANES];
    gz_d_store(values, value);
    gz_d_store(indices, index);
    double best = values[0], at = indices[0];
    for (int k = 1; k < GZ_D_LANES; k++) {
        bool better = values[k] > best || (values[k] == best && indices[k] < at);
        best = better ? values[k] : best;
        at = better ? indices[k] : at;
    }
    return (extreme_feature){best, (int)at};
}

// Returns the largest magnitude of a local coordinate.
ALWAYS double outline_set(outline *out, const graze_planar_shape *shape, int n, graze_vec2 origin) {
    gz_d extent = gz_d_all(0);
    out->at = shape->vertices;
    out->count = n;
    for (int i = 0; i < n; i += GZ_D_LANES) {
        lanes2 local = minus(load_points(out->at + i),
                             (lanes2){gz_d_all(origin.x), gz_d_all(origin.y)});
        gz_d_store(out->local_x + i, local.x);
        gz_d_store(out->local_y + i, local.y);
        extent = gz_d_max(extent, gz_d_max(gz_d_abs(local.x), gz_d_abs(local.y)));
        // Entries after the last edge have no length.
        for (int k = i; k < i + GZ_D_LANES; k++)
            out->edge[k] = k < n ? gz_vec2_minus(out->at[gz_planar_next(k, n)], out->at[k])
                                 : (graze_vec2){0, 0};
    }
    return reduce(extent, gz_d_all(0)).value;
}

// The edge of p whose normal separates the polygons most: value is f |f| for its unit normal.
ALWAYS extreme_feature best_edge(const outline *p, int n, const outline *q, int m) {
    gz_d best = gz_d_all(-INFINITY), index = gz_d_all(0);
    if (n == 1) return (extreme_feature){-INFINITY, 0};
    for (int i = 0; i < n; i += GZ_D_LANES) {
        lanes2 e = load_points(p->edge + i);
        gz_d least = gz_d_all(INFINITY);
        for (int j = 0; j < m; j++) {
            gz_d x = gz_d_all(q->local_x[j]), y = gz_d_all(q->local_y[j]);
            least = gz_d_min(e.y * x - e.x * y, least);
        }
        gz_d f = least - (e.y * gz_d_load(p->local_x + i) - e.x * gz_d_load(p->local_y + i));
        gz_d value = f * gz_d_abs(f) / dot(e, e); // NaN for an edge without length
        gz_d_mask better = gz_d_less(best, value);
        best = gz_d_select(better, value, best);
        index = gz_d_select(better, gz_d_load(counting + i), index);
    }
    return reduce(best, index);
}

// The vertex farthest along (x, y), and how far, local.
ALWAYS extreme_feature support(const outline *p, int n, double x, double y) {
    if (n == 1) return (extreme_feature){x * p->local_x[0] + y * p->local_y[0], 0};
    gz_d dx = gz_d_all(x), dy = gz_d_all(y), best = gz_d_all(-INFINITY), index = gz_d_all(0);
    for (int i = 0; i < n; i += GZ_D_LANES) {
        gz_d along = dx * gz_d_load(p->local_x + i) + dy * gz_d_load(p->local_y + i);
        gz_d_mask better = gz_d_less(best, along);
        best = gz_d_select(better, along, best);
        index = gz_d_select(better, gz_d_load(counting + i), index);
    }
    extreme_feature out = reduce(best, index);
    // Entries past the last vertex repeat it.
    out.index = out.index < n ? out.index : n - 1;
    return out;
}

// An edge of p and the vertex of q nearest along its normal; p is A or B.
typedef struct edge_pair {
    bool p_is_a;
    int edge, vertex;
    double value; ///< f |f| for the edge's unit normal
} edge_pair;

// The pair whose edge normal separates the polygons most.
ALWAYS edge_pair best_pair(const outline *a, int n, const outline *b, int m) {
    extreme_feature edge_a = best_edge(a, n, b, m), edge_b = best_edge(b, m, a, n);
    bool p_is_a = edge_a.value >= edge_b.value;
    const outline *p = p_is_a ? a : b, *q = p_is_a ? b : a;
    extreme_feature edge = p_is_a ? edge_a : edge_b;
    graze_vec2 e = p->edge[edge.index];
    int vertex = support(q, p_is_a ? m : n, -e.y, e.x).index;
    return (edge_pair){p_is_a, edge.index, vertex, edge.value};
}

#define UNIT 0x1p-53

// An edge of one polygon with a vertex of the other.
typedef struct pairing {
    const outline *p, *q; ///< p has the edge
    int edge, vertex;
    graze_vec2 e;   ///< along the edge
    graze_vec2 r;   ///< from p's nearest vertex to q's; only where at a vertex
    double outside; ///< cross product: how far q's vertex is outside the edge, times |e|
    double square;  ///< of the distance
    double beyond;  ///< how far the foot is beyond the edge, times |e|
    int end;        ///< 0: the foot lies within the edge; else 1 + p's nearest vertex
} pairing;

// A vertex of q against an edge of p, from the coordinates as given.
ALWAYS pairing pair_up(const outline *p, int edge, const outline *q, int vertex) {
    int next = gz_planar_next(edge, p->count);
    graze_vec2 e = p->edge[edge], at = q->at[vertex];
    graze_vec2 w = gz_vec2_minus(at, p->at[edge]), v = gz_vec2_minus(at, p->at[next]);
    double past = gz_vec2_dot(w, e), left = gz_vec2_dot(v, e), outside = gz_vec2_cross(w, e);
    bool before = !(past > 0), behind = !(left < 0);
    pairing out = {.p = p, .q = q, .edge = edge, .vertex = vertex, .e = e, .outside = outside};
    out.beyond = before ? -past : behind ? left : 0;
    out.r = (graze_vec2){before ? w.x : v.x, before ? w.y : v.y};
    out.end = before ? 1 + edge : behind ? 1 + next : 0;
    out.square = out.end ? gz_vec2_dot(out.r, out.r) : outside * outside / gz_vec2_dot(e, e);
    return out;
}

// Whether no direction separates the polygons less than (x, y): f(x, y) of p and q as computed
// reaches |(x, y)| times the distance but for rounding.
static bool dual_holds(const outline *p, const outline *q, double x, double y, double distance,
                       double extent) {
    double length = sqrt(x * x + y * y);
    double f = -support(q, q->count, -x, -y).value - support(p, p->count, x, y).value;
    return f >= length * (distance - 16 * UNIT * extent);
}

// The result of a pairing: apart at an end of the edge; within it by the outward normal.
ALWAYS void answer(const pairing *best, bool p_is_a, graze_planar_result *out) {
    bool at_end = best->end > 0, apart = at_end && best->square > 0;
    // Two equal points separate along the edge's normal, or along any direction.
    double x = apart ? best->r.x : best->e.y, y = apart ? best->r.y : -best->e.x;
    double length = sqrt(x * x + y * y), scale = 1 / length;
    double distance = apart ? length : at_end ? 0 : best->outside * scale;
    x = length > 0 ? x * scale : 1;
    y = length > 0 ? y * scale : 0;
    int nearest = at_end ? best->end - 1 : 0;
    graze_vec2 n = {x, y}, on_q = best->q->at[best->vertex];
    graze_vec2 on_p = at_end ? best->p->at[nearest] : gz_vec2_add_scaled(on_q, -distance, n);
    graze_planar_feature feature_p = {at_end ? nearest : best->edge, !at_end};
    graze_planar_feature feature_q = {best->vertex, false};
    out->distance = distance;
    out->normal = (graze_vec2){p_is_a ? x : -x, p_is_a ? y : -y};
    *(p_is_a ? &out->point_a : &out->point_b) = on_p;
    *(p_is_a ? &out->point_b : &out->point_a) = on_q;
    *(p_is_a ? &out->feature_a : &out->feature_b) = feature_p;
    *(p_is_a ? &out->feature_b : &out->feature_a) = feature_q;
}

// Two edges that face each other: the pairing's, and one of the other polygon's at its vertex, all
// four ends against the other edge. Overlapping polygons with another edge are left to the search.
static bool facing_edges(const pairing *first, double extent, bool p_is_a,
                         graze_planar_result *out) {
    const outline *p = first->p, *q = first->q;
    int j = first->vertex, before = j > 0 ? j - 1 : q->count - 1;
    const int beside[2] = {before, gz_planar_next(j, q->count)}, edges[2] = {before, j};
    const int ends[2] = {first->edge, gz_planar_next(first->edge, p->count)};
    pairing best = *first;
    for (int k = 0; k < 6 && q->count > 1; k++) {
        pairing other = k < 2 ? pair_up(p, first->edge, q, beside[k])
                              : pair_up(q, edges[k & 1], p, ends[k / 2 - 1]);
        if (k >= 2 && !other.end && other.outside < 0) continue;
        bool equal = other.square == best.square;
        if (other.square < best.square || (equal && best.end)) best = other;
    }
    double x = best.end ? best.r.x : best.e.y, y = best.end ? best.r.y : -best.e.x;
    double length = sqrt(x * x + y * y), distance = best.end ? length : best.outside / length;
    if (!(length > 0) || !dual_holds(best.p, best.q, x, y, distance, extent)) return false;
    answer(&best, (best.p == p) == p_is_a, out);
    return true;
}

// The nearest of all vertices of q to all edges of p, or *best where that is nearer. Only polygons
// that are apart, or parts of one line, come here, and of those no vertex is behind the edge that
// is nearest to it: where it seems so by more than rounding, `slack`, the edge is one of a polygon
// so thin that its far side is as near as the side that faces.
static void nearest_of_all(const outline *p, const outline *q, double slack, pairing *best) {
    if (p->count == 1 && q->count > 1) return; // the edges of q are enough
    for (int i = 0; i < p->count; i++) {
        for (int j = 0; j < q->count; j++) {
            pairing other = pair_up(p, i, q, j);
            // Of a segment's two edges the one that faces the vertex; an edge before its end.
            bool behind = !other.end && other.outside < 0;
            if (behind && (p->count == 2 || other.square > slack * slack)) continue;
            bool equal = other.square == best->square;
            if (other.square < best->square || (equal && best->end > other.end)) *best = other;
        }
    }
}

// Of the edges of p whose f is the largest up to rounding, with the vertices of q that are their
// support likewise, the pair whose foot is least beyond the edge. Returns how far, at most `least`.
static double deepest_of_all(const outline *p, const outline *q, double most, double slack,
                             double least, pairing *best) {
    for (int i = 0; i < p->count; i++) {
        pairing row[GRAZE_PLANAR_VERTEX_MAX];
        double f = INFINITY;
        for (int j = 0; j < q->count; j++) {
            row[j] = pair_up(p, i, q, j);
            f = row[j].outside < f ? row[j].outside : f;
        }
        double length = sqrt(gz_vec2_dot(row[0].e, row[0].e));
        if (!(length > 0 && f >= length * (most - slack))) continue;
        for (int j = 0; j < q->count; j++) {
            bool supports = row[j].outside <= f + length * slack;
            if (!supports || !(row[j].beyond < length * least)) continue;
            least = row[j].beyond / length;
            *best = row[j];
        }
    }
    return least;
}

// The polygons that are left: parallel, near-parallel and very short edges, contact within
// rounding. most: the largest f |f| over the normals, which decides overlap and contact, unless the
// polygons are parts of one line, where every f is rounding alone and no foot lies within its edge.
static void search_all(const outline *a, const outline *b, double most, double extent,
                       graze_planar_result *out) {
    pairing best = {0};
    double slack = 32 * UNIT * extent;
    if (most <= slack * slack && most > -INFINITY) {
        double f = most < 0 ? -sqrt(-most) : sqrt(most);
        double beyond = deepest_of_all(a, b, f, slack, INFINITY, &best);
        beyond = deepest_of_all(b, a, f, slack, beyond, &best);
        if (beyond <= slack) {
            best.end = 0;
            answer(&best, best.p == a, out);
            return;
        }
    }
    best = pair_up(a, 0, b, 0); // shapes that are not convex may have nothing nearer
    best.square = INFINITY;
    nearest_of_all(a, b, slack, &best);
    nearest_of_all(b, a, slack, &best);
    answer(&best, best.p == a, out);
}

// How far vertex `to` is from vertex `from` along r.
ALWAYS double along(graze_vec2 r, const outline *o, int from, int to) {
    return gz_vec2_dot(r, gz_vec2_minus(o->at[to], o->at[from]));
}

// Whether the pairing of the best edge is the answer: the foot lies within the edge, or an end of
// the edge is nearest, as no neighbour of either vertex is nearer to the other: by convexity the
// boundaries only lead away, and what rounding hides, 4 u a unit of length, is below 16 u D.
ALWAYS bool is_certain(const pairing *first, double value) {
    int n = first->p->count, m = first->q->count, end = first->end - 1, j = first->vertex;
    if (end < 0) return true;
    int before = end > 0 ? end - 1 : n - 1;
    int beyond = end == first->edge ? before : gz_planar_next(end, n);
    // Without branches: each outcome is as likely as the other.
    int nearest = along(first->r, first->p, end, beyond) <= 0;
    nearest &= along(first->r, first->q, j, j > 0 ? j - 1 : m - 1) >= 0;
    nearest &= along(first->r, first->q, j, gz_planar_next(j, m)) >= 0;
    return nearest & (value >= 0);
}

static GZ_OUT_OF_LINE void distance_with_care(const pairing *first, const outline *a,
                                              const outline *b, double value, double extent,
                                              graze_planar_result *out) {
    if (!facing_edges(first, extent, first->p == a, out)) search_all(a, b, value, extent, out);
}

// Of n and m vertices: constants where the compiler is to unroll all loops.
ALWAYS void distance_of(const graze_planar_shape *a, int n, const graze_planar_shape *b, int m,
                        graze_planar_result *out) {
    outline outline_a, outline_b;
    double extent_a = outline_set(&outline_a, a, n, a->vertices[0]);
    double extent_b = outline_set(&outline_b, b, m, a->vertices[0]);
    edge_pair pair = best_pair(&outline_a, n, &outline_b, m);
    pairing first = pair_up(pair.p_is_a ? &outline_a : &outline_b, pair.edge,
                            pair.p_is_a ? &outline_b : &outline_a, pair.vertex);
    if (is_certain(&first, pair.value))
        answer(&first, pair.p_is_a, out);
    else
        distance_with_care(&first, &outline_a, &outline_b, pair.value,
                           extent_b < extent_a ? extent_a : extent_b, out);
}

static void polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                             graze_planar_result *out) {
    if (a->count == 4 && b->count == 4)
        distance_of(a, 4, b, 4, out);
    else if (a->count == 1 && b->count == 4)
        distance_of(a, 1, b, 4, out);
    else if (a->count == 4 && b->count == 1)
        distance_of(a, 4, b, 1, out);
    else if (a->count == 8 && b->count == 8)
        distance_of(a, 8, b, 8, out);
    else
        distance_of(a, a->count, b, b->count, out);
}
