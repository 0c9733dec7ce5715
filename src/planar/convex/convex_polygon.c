// Convex polygons: construction and checks, and three methods to tell whether two overlap.

#include "base/error.h"
#include "base/float_environment.h"
#include "math/expansion.h"
#include "planar/convex/convex_internal.h"

/// (p1 - p0) x (q1 - q0) by expansions, rounded at the end.
static double direction_value(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1) {
    double px[2], py[2], qx[2], qy[2], left[8], right[8], all[16];
    size_t px_n = gz_expansion_difference(p1.x, p0.x, px);
    size_t py_n = gz_expansion_difference(p1.y, p0.y, py);
    size_t qx_n = gz_expansion_difference(q1.x, q0.x, qx);
    size_t qy_n = gz_expansion_difference(q1.y, q0.y, qy);
    size_t left_n = gz_expansion_multiply(px, px_n, qy, qy_n, left);
    size_t right_n = gz_expansion_multiply(py, py_n, qx, qx_n, right);
    gz_expansion_negate(right, right_n);
    return gz_expansion_estimate(all, gz_expansion_sum(left, left_n, right, right_n, all));
}

// The filter is that of gz_orient2d_counted(): two differences, a product and the subtraction round
// each term at most four times, so the error is below 5 u times the terms' magnitudes.
int gz_direction_turn(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1) {
    double left = (p1.x - p0.x) * (q1.y - q0.y), right = (p1.y - p0.y) * (q1.x - q0.x);
    double value = left - right, bound = 0x5p-53 * (fabs(left) + fabs(right));
    if (fabs(value) > bound) return value > 0 ? 1 : -1;
    if (bound == 0) return 0;
    return gz_sign(direction_value(p0, p1, q0, q1));
}

static graze_status check_points(const graze_vec2 *vertices, int32_t count, graze_error *error) {
    for (int32_t i = 0; i < count; i++) {
        if (gz_planar_exact_ok(vertices[i])) continue;
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "vertex %d is (%g, %g); allowed: 0, or magnitudes from 2^-100 to 2^100",
                       (int)i, vertices[i].x, vertices[i].y);
    }
    return GRAZE_OK;
}

static graze_status check_turns(const graze_vec2 *v, int32_t count, graze_error *error) {
    size_t rounds, j = gz_planar_turn_left(v, (size_t)count, &rounds);
    if (j < (size_t)count)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the polygon does not turn left at vertex %zu, (%g, %g); allowed: convex, "
                       "counter-clockwise, no three vertices on a line",
                       j, v[j].x, v[j].y);
    if (rounds == 1) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA, "the polygon winds around %zu times; allowed: once",
                   rounds);
}

static graze_planar_convex convex_of(const graze_vec2 *vertices, int32_t count) {
    graze_planar_convex c = {
        .vertices = vertices, .count = count, .bounds = {vertices[0], vertices[0]}};
    for (int32_t i = 1; i < count; i++) {
        graze_vec2 v = vertices[i];
        if (gz_planar_lower(v, vertices[c.lowest])) c.lowest = i;
        if (gz_planar_lower(vertices[c.highest], v)) c.highest = i;
        c.bounds.min.x = fmin(c.bounds.min.x, v.x);
        c.bounds.max.x = fmax(c.bounds.max.x, v.x);
    }
    c.bounds.min.y = vertices[c.lowest].y;
    c.bounds.max.y = vertices[c.highest].y;
    return c;
}

graze_status graze_planar_convex_make(graze_planar_convex *out, const graze_vec2 *vertices,
                                      int32_t count, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!out || !vertices)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a place",
                       !out ? "out" : "vertices");
    *out = (graze_planar_convex){0};
    if (count < 1)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the polygon has %d vertices; allowed: 1 or more", (int)count);
    graze_status status = check_points(vertices, count, error);
    if (!status && count > 2) status = check_turns(vertices, count, error);
    if (!status && count == 2 && gz_planar_same(vertices[0], vertices[1])) {
        status = gz_fail(error, GRAZE_ERROR_SCHEMA,
                         "vertices 0 and 1 are both (%g, %g); allowed: two different points",
                         vertices[0].x, vertices[0].y);
    }
    if (!status) *out = convex_of(vertices, count);
    return status;
}

// Overlap by edges: two closed convex sets in the plane overlap where their boundaries intersect,
// or where one contains the other.
//
// Edges p0 + t r and q0 + u s, t and u in [0, 1], intersect at
//   t = (w x s) / (r x s), u = (w x r) / (r x s), w = q0 - p0,
// by Cramer's rule. Only the signs of t, 1 - t, u and 1 - u count, so that nothing is divided;
// where the doubles leave one of them open, four exact turns decide instead.

/// A cross product of differences, and the sum of its terms' magnitudes. The error is below 5 u
/// times that sum: each term is rounded by its two differences, its product and the subtraction.
typedef struct cross {
    double value, terms;
} cross;

static cross cross_of(graze_vec2 a, graze_vec2 b) {
    double left = a.x * b.y, right = a.y * b.x;
    return (cross){left - right, fabs(left) + fabs(right)};
}

static bool segments_intersect(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1) {
    graze_vec2 r = {p1.x - p0.x, p1.y - p0.y}, s = {q1.x - q0.x, q1.y - q0.y};
    graze_vec2 w = {q0.x - p0.x, q0.y - p0.y};
    cross det = cross_of(r, s), t = cross_of(w, s), u = cross_of(w, r);
    if (fabs(det.value) > 0x5p-53 * det.terms) {
        // t and u times |det|. The distance to |det| is rounded once more, by at most u times the
        // terms: 7 u of both sums cover that and the rounding of the sums.
        double sign = det.value > 0 ? 1 : -1, whole = fabs(det.value);
        double at_t = sign * t.value, at_u = sign * u.value;
        double t_low = 0x6p-53 * t.terms, u_low = 0x6p-53 * u.terms;
        double t_high = 0x7p-53 * (t.terms + det.terms), u_high = 0x7p-53 * (u.terms + det.terms);
        if (at_t < -t_low || at_u < -u_low || at_t - whole > t_high || at_u - whole > u_high)
            return false;
        if (at_t > t_low && at_u > u_low && whole - at_t > t_high && whole - at_u > u_high)
            return true;
    }
    return gz_segments_intersect(p0, p1, q0, q1);
}

// The vertices are sorted by their angles at the first one: the last one that is not to the left of
// the point's direction is found by bisection, and the edge after it decides.
static bool contains(const graze_planar_convex *polygon, graze_vec2 point) {
    const graze_vec2 *v = polygon->vertices;
    int32_t low = 1, high = polygon->count - 1;
    if (polygon->count < 3) return gz_segments_intersect(v[0], v[high], point, point);
    if (gz_planar_turn(v[0], v[low], point) < 0 || gz_planar_turn(v[0], v[high], point) > 0)
        return false;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (gz_planar_turn(v[0], v[middle], point) >= 0)
            low = middle;
        else
            high = middle;
    }
    return gz_planar_turn(v[low], v[high], point) >= 0;
}

/// Edges for this purpose: a segment has one, and a point counts as one whose ends coincide.
static int32_t border_edges(const graze_planar_convex *p) {
    return p->count < 3 ? 1 : p->count;
}

static bool overlap_by_edges(const graze_planar_convex *a, const graze_planar_convex *b) {
    int32_t a_edges = border_edges(a), b_edges = border_edges(b);
    for (int32_t i = 0; i < a_edges; i++) {
        graze_vec2 p0 = a->vertices[i], p1 = a->vertices[gz_planar_next(i, a->count)];
        for (int32_t j = 0; j < b_edges; j++)
            if (segments_intersect(p0, p1, b->vertices[j],
                                   b->vertices[gz_planar_next(j, b->count)]))
                return true;
    }
    // The boundaries are apart: one polygon contains the other, or they are apart.
    return contains(a, b->vertices[0]) || contains(b, a->vertices[0]);
}

// Overlap by bounding boxes, then by separating axes.
//
// Polygons that are apart are separated by the line of an edge of one of them: their Minkowski
// difference does not contain the origin, so that the origin lies beyond one of its edges, and each
// of those is parallel to an edge of a polygon. "All vertices of B strictly to the right of an edge
// of A" is a matter of exact turns. Where the difference has no area (points, segments that are
// parallel or on one line) the edges' lines may all contain the origin; then everything is on one
// line, where the boxes have decided.

/// Whether an edge of a has all of b strictly on its right. `hint` is the vertex of b that stood
/// against the last edge: it often does so again, being the nearest.
static bool edge_separates(const graze_planar_convex *a, const graze_planar_convex *b) {
    int32_t edges = gz_convex_edges(a), hint = 0;
    for (int32_t i = 0; i < edges; i++) {
        graze_vec2 p = a->vertices[i], q = a->vertices[gz_planar_next(i, a->count)];
        int32_t j = hint, seen = 0;
        while (seen < b->count && gz_planar_turn(p, q, b->vertices[j]) < 0) {
            j = gz_planar_next(j, b->count);
            seen++;
        }
        if (seen == b->count) return true;
        hint = j;
    }
    return false;
}

static bool overlap_by_axes(const graze_planar_convex *a, const graze_planar_convex *b) {
    return gz_planar_boxes_overlap(&a->bounds, &b->bounds) && !edge_separates(a, b) &&
           !edge_separates(b, a);
}

// Overlap by the Minkowski difference: whether it contains the origin.
//
// The difference A - B has the vertices a_i - b_j, which are no doubles, but they are not needed.
// Along an edge of A the border runs from a_i - b_j to a_{i+1} - b_j, and the origin is to its left
// where a_i, a_{i+1}, b_j turn left; along an edge of B, taken backwards, from a_i - b_j to
// a_i - b_{j+1}, and the origin is to its left where b_j, b_{j+1}, a_i turn left:
//   -(b_{j+1} - b_j) x (0 - (a_i - b_j)) = (b_{j+1} - b_j) x (a_i - b_j).
// So the whole test is exact turns of given points. The order of the edges is that of their angles,
// compared exactly too.

static bool overlap_by_minkowski(const graze_planar_convex *a, const graze_planar_convex *b) {
    gz_boundary w = gz_boundary_start(a, b);
    bool has_inside = false;
    while (w.a_left + w.b_left > 0) {
        int order = gz_boundary_order(&w);
        graze_vec2 a0 = a->vertices[w.i], b0 = b->vertices[w.j];
        // Parallel edges are one edge of the difference, and either gives its line.
        int side = order <= 0 ? gz_planar_turn(a0, a->vertices[gz_planar_next(w.i, a->count)], b0)
                              : gz_planar_turn(b0, b->vertices[gz_planar_next(w.j, b->count)], a0);
        if (side < 0) return false;
        has_inside |= side > 0;
        gz_boundary_step(&w, order);
    }
    // On the lines of all edges: the difference is a point or a segment, and everything on one
    // line, where boxes decide.
    return has_inside || gz_planar_boxes_overlap(&a->bounds, &b->bounds);
}

bool graze_planar_convex_meet(const graze_planar_convex *a, const graze_planar_convex *b,
                              graze_planar_method method) {
    GZ_FLOAT_ENVIRONMENT;
    if (!a || !b || a->count < 1 || b->count < 1) return true;
    switch (method) {
    case GRAZE_PLANAR_METHOD_EDGES:
        return overlap_by_edges(a, b);
    case GRAZE_PLANAR_METHOD_AXES:
        return overlap_by_axes(a, b);
    case GRAZE_PLANAR_METHOD_MINKOWSKI:
        return overlap_by_minkowski(a, b);
    }
    return true;
}
