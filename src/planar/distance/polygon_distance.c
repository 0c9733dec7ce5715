// Signed distance of two convex polygons by their edge normals, each answer checked by its dual.
//
// For a direction n let f(n) = min { n.q : q in B } - max { n.p : p in A }. The signed distance is
// the largest f(n) over unit n (graze/planar_distance.h), so every f(n) / |n| is a lower bound of
// it, and the length of the difference of any two points an upper one.
//
// Which features. The difference B - A is a convex polygon whose edges are those of A and of B,
// each with the other's support vertex. Take the edge with the largest f(n) of all their normals.
// - Where that is negative, the origin is inside, and this edge is the nearest: f(n) is the answer.
// - Else the origin is outside, f is the inner product of the unit circle with one vertex of B - A
//   between two neighbouring normals, and {n : f(n) >= c |n|} is a convex cone for every c >= 0: f
//   has one maximum, rises up to it and falls after it. So the best sample is next to the maximum,
//   and the vertex of B - A that the maximum belongs to is an end of the best edge: the nearest
//   point of B - A lies on the best edge.
// Hence one pass over all pairs of an edge and a vertex, and then a point and a segment.
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
// edge's end is not nearest to the vertex, as one of their neighbours is nearer. The quick way
// (polygon_quick.h) accepts a foot within the edge, or ends from where the borders only lead away;
// what it refuses is looked for here among more features: first the two edges that face each other
// (parallel edges of two polygons end there) with a distance d that its dual bound confirms, f(n)
// >= d - 16 u D as computed; then all, overlapping polygons among edges whose f is the largest up
// to 32 u D. So an answer is off by at most 32 u D of choice, 2 * 14 u D of what the choice was
// made by and 2 * 9 u D computed: 78 u D, D at most twice the largest coordinate, below 256 u of it
// with the radii's roundings. Met were at most 62 u, and those in polygons a few roundings thin
// (docs/planar.md).

#include "base/processor.h"
#include "planar/distance/polygon_edges.h"
#include "planar/kernels.h"

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
static pairing pair_up(const outline *p, int edge, const outline *q, int vertex) {
    pairing out = {.p = p, .q = q, .edge = edge, .vertex = vertex};
    int next = edge + 1 < p->count ? edge + 1 : 0;
    double ax = p->x[edge], ay = p->y[edge], bx = p->x[next], by = p->y[next];
    double wx = q->x[vertex] - ax, wy = q->y[vertex] - ay;
    double vx = q->x[vertex] - bx, vy = q->y[vertex] - by;
    double ex = bx - ax, ey = by - ay;
    double past = wx * ex + wy * ey, left = vx * ex + vy * ey;
    bool before = !(past > 0), behind = !(left < 0);
    out.e = (graze_vec2){ex, ey};
    out.outside = ey * wx - ex * wy;
    out.beyond = before ? -past : behind ? left : 0;
    out.r = (graze_vec2){before ? wx : vx, before ? wy : vy};
    out.end = before ? 1 + edge : behind ? 1 + next : 0;
    out.square = out.end ? out.r.x * out.r.x + out.r.y * out.r.y
                         : out.outside * out.outside / (ex * ex + ey * ey);
    return out;
}

// Whether no direction parts the polygons less than (x, y) says: f(x, y) of p and q as computed
// reaches |(x, y)| times the distance but for rounding.
static bool dual_holds(const outline *p, const outline *q, double x, double y, double distance,
                       double extent) {
    double length = sqrt(x * x + y * y);
    double f = -support(q, q->count, -x, -y).value - support(p, p->count, x, y).value;
    return f >= length * (distance - 16 * UNIT * extent);
}

// The answer that a pairing gives: at an end of the edge apart; within it apart or overlapping, as
// its outward normal says.
static void answer(const pairing *best, bool p_is_a, graze_planar_result *out) {
    double x = best->e.y, y = -best->e.x; // outward
    double length = sqrt(x * x + y * y), distance = best->end ? 0 : best->outside / length;
    if (best->end && best->square > 0) {
        x = best->r.x;
        y = best->r.y;
        distance = length = sqrt(best->square);
    }
    // Two equal points part any way.
    x = length > 0 ? x / length : 1;
    y = length > 0 ? y / length : 0;
    graze_vec2 on_q = {best->q->x[best->vertex], best->q->y[best->vertex]};
    graze_vec2 on_p = {on_q.x - distance * x, on_q.y - distance * y};
    graze_planar_feature feature_p = {best->edge, true}, feature_q = {best->vertex, false};
    if (best->end) {
        on_p = (graze_vec2){best->p->x[best->end - 1], best->p->y[best->end - 1]};
        feature_p = (graze_planar_feature){best->end - 1, false};
    }
    out->distance = distance;
    out->normal = (graze_vec2){p_is_a ? x : -x, p_is_a ? y : -y};
    out->point_a = p_is_a ? on_p : on_q;
    out->point_b = p_is_a ? on_q : on_p;
    out->feature_a = p_is_a ? feature_p : feature_q;
    out->feature_b = p_is_a ? feature_q : feature_p;
}

// Two edges that face each other: the pairing's, and the one of the other polygon's at its vertex
// that is more nearly parallel to it. All four ends against the other edge.
static bool facing_edges(const pairing *first, double extent, bool p_is_a,
                         graze_planar_result *out) {
    const outline *p = first->p, *q = first->q;
    int j = first->vertex, n = q->count;
    if (n < 2) return false;
    // Of the neighbours, the one that lies less outside.
    int before = j > 0 ? j - 1 : n - 1, after = j + 1 < n ? j + 1 : 0;
    double x = first->e.y, y = -first->e.x;
    double by = (q->x[before] - q->x[j]) * x + (q->y[before] - q->y[j]) * y;
    double ay = (q->x[after] - q->x[j]) * x + (q->y[after] - q->y[j]) * y;
    int facing = by < ay ? before : j, other = by < ay ? before : after;
    // A segment's edge there and its edge back are one line; the one that faces p is meant.
    if (n == 2 && pair_up(q, facing, p, first->edge).outside < 0) facing = 1 - facing;
    int next = first->edge + 1 < p->count ? first->edge + 1 : 0;
    pairing tries[3] = {pair_up(p, first->edge, q, other), pair_up(q, facing, p, first->edge),
                        pair_up(q, facing, p, next)};
    pairing best = *first;
    for (int k = 0; k < 3; k++) {
        bool equal = tries[k].square == best.square;
        if (tries[k].square < best.square || (equal && best.end)) best = tries[k];
    }
    // Overlapping polygons are left to the search unless the edge is the one found first.
    bool same = best.p == p;
    x = best.end ? best.r.x : best.e.y;
    y = best.end ? best.r.y : -best.e.x;
    double length = sqrt(x * x + y * y), distance = best.end ? length : best.outside / length;
    if (!(length > 0) || !dual_holds(best.p, best.q, x, y, distance, extent)) return false;
    if (distance < 0 && !same) return false;
    answer(&best, same == p_is_a, out);
    return true;
}

// The nearest of all vertices of q to all edges of p, or *best where that is nearer. Only polygons
// that are apart, or parts of one line, come here, and of those no vertex is behind the edge that
// is nearest to it: where it seems so by more than rounding, `slack`, the edge is one of a polygon
// so thin that its far side is as near as the side that faces.
static void nearest_of_all(const outline *p, const outline *q, double slack, pairing *best) {
    if (p->count == 1 && q->count > 1) return; // the edges of q tell all
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

// Of the edges of p whose f is the largest up to rounding, each with the vertices of q that are its
// support up to rounding, the pair whose foot is least beyond the edge. Returns how far that is, or
// `least` where that is less.
static double deepest_of_all(const outline *p, const outline *q, double most, double slack,
                             double least, pairing *best) {
    for (int i = 0; i < p->count; i++) {
        pairing row[GRAZE_PLANAR_VERTEX_MAX];
        double f = INFINITY;
        for (int j = 0; j < q->count; j++) {
            row[j] = pair_up(p, i, q, j);
            f = row[j].outside < f ? row[j].outside : f;
        }
        double length = sqrt(row[0].e.x * row[0].e.x + row[0].e.y * row[0].e.y);
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

// The polygons that the quick way leaves: parallel, near-parallel and very short edges, contact
// within rounding. most: the largest f |f| over the normals. It tells overlap and contact, unless
// the polygons are parts of one line, where every f is rounding alone and no foot lies within its
// edge.
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

// Everything from the start, with the means for what the quick way leaves.
static bool distance_with_care(const graze_planar_shape *a, const graze_planar_shape *b,
                               graze_planar_result *out) {
    outline outline_a, outline_b;
    graze_vec2 origin = gz_planar_vertex(a, 0);
    double extent_a = outline_set(&outline_a, a, a->count, origin);
    double extent_b = outline_set(&outline_b, b, b->count, origin);
    double extent = extent_b < extent_a ? extent_a : extent_b;
    if (!(extent_a + extent_b <= POLYGON_EXTENTS_MAX)) return false;
    extreme_feature edge_a = best_edge(&outline_a, a->count, &outline_b, b->count);
    extreme_feature edge_b = best_edge(&outline_b, b->count, &outline_a, a->count);
    bool p_is_a = edge_a.value >= edge_b.value;
    const outline *p = p_is_a ? &outline_a : &outline_b, *q = p_is_a ? &outline_b : &outline_a;
    extreme_feature edge = p_is_a ? edge_a : edge_b;
    int next = edge.index + 1 < p->count ? edge.index + 1 : 0;
    double ex = p->x[next] - p->x[edge.index], ey = p->y[next] - p->y[edge.index];
    int vertex = support(q, q->count, -ey, ex).index;
    pairing first = pair_up(p, edge.index, q, vertex);
    if (!facing_edges(&first, extent, p_is_a, out))
        search_all(&outline_a, &outline_b, edge.value, extent, out);
    return true;
}

bool gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_processor_has_avx2()) {
        return gz_polygon_quick_avx2(a, b, out) || distance_with_care(a, b, out);
    }
#endif
    return gz_polygon_quick_base(a, b, out) || distance_with_care(a, b, out);
}
