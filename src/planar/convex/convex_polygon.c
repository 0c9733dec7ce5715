// Convex polygons: construction and checks, and whether two overlap.

#include "base/error.h"
#include "math/expansion.h"
#include "planar/convex/convex_internal.h"

/// p + t - r as an expansion of length 0 to 3.
static size_t moved_gap(double p, double t, double r, double h[3]) {
    double pair[2], high, low, less = -r;
    size_t n = 0;
    gz_two_sum(p, t, &high, &low);
    if (low != 0) pair[n++] = low;
    if (high != 0) pair[n++] = high;
    return gz_expansion_sum(pair, n, &less, less != 0, h);
}

// Filter: with u = 2^-53, s = fl(p + t) and d = fl(s - r), d is off by at most u |s| + u |d|, the
// edge by u of itself, the product and the subtraction round once more each: the error is below
// 6 u (|ex| (|sy| + |dy|) + |ey| (|sx| + |dx|)) with higher powers, and 8 u cover that bound's own
// roundings. Expansions: as in math/predicate.h, with numbers of 2^-100 to 2^100 only.
int gz_moved_turn(graze_vec2 e0, graze_vec2 e1, graze_vec2 p, graze_vec2 t, graze_vec2 r) {
    double ex = e1.x - e0.x, ey = e1.y - e0.y, sx = p.x + t.x, sy = p.y + t.y;
    double dx = sx - r.x, dy = sy - r.y, value = ex * dy - ey * dx;
    double bound = 0x8p-53 * (fabs(ex) * (fabs(sy) + fabs(dy)) + fabs(ey) * (fabs(sx) + fabs(dx)));
    if (fabs(value) > bound) return value > 0 ? 1 : -1;
    if (bound == 0) return 0;
    double gx[2], gy[2], mx[3], my[3], left[12], right[12], all[24];
    size_t gx_n = gz_expansion_difference(e1.x, e0.x, gx);
    size_t gy_n = gz_expansion_difference(e1.y, e0.y, gy);
    size_t mx_n = moved_gap(p.x, t.x, r.x, mx), my_n = moved_gap(p.y, t.y, r.y, my);
    size_t left_n = gz_expansion_multiply(my, my_n, gx, gx_n, left);
    size_t right_n = gz_expansion_multiply(mx, mx_n, gy, gy_n, right);
    gz_expansion_negate(right, right_n);
    size_t n = gz_expansion_sum(left, left_n, right, right_n, all);
    return n > 0 ? gz_sign(all[n - 1]) : 0;
}

static graze_status check_turns(const graze_vec2 *v, int32_t count, graze_error *error) {
    size_t rounds, j = gz_planar_turns(v, (size_t)count, 1, &rounds);
    if (j < (size_t)count)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the polygon does not turn left at vertex %zu, (%g, %g); allowed: convex, "
                       "counter-clockwise, no three vertices on a line",
                       j, v[j].x, v[j].y);
    if (rounds == 1) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA, "the polygon winds around %zu times; allowed: once",
                   rounds);
}

gz_convex gz_convex_of(const graze_vec2 *vertices, int32_t count) {
    gz_convex c = {.vertices = vertices, .count = count, .bounds = {vertices[0], vertices[0]}};
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

graze_status gz_convex_make(gz_convex *out, const graze_vec2 *vertices, int32_t count,
                            graze_error *error) {
    for (int32_t i = 0; i < count; i++)
        if (!gz_planar_exact_ok(vertices[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "vertex %d is (%g, %g); allowed: 0, or magnitudes from 2^-100 to 2^100",
                           (int)i, vertices[i].x, vertices[i].y);
    if (count > 2) GZ_TRY(check_turns(vertices, count, error));
    if (count == 2 && gz_planar_same(vertices[0], vertices[1]))
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "vertices 0 and 1 are both (%g, %g); allowed: two different points",
                       vertices[0].x, vertices[0].y);
    *out = gz_convex_of(vertices, count);
    return GRAZE_OK;
}

// Overlap by bounding boxes, then by separating axes (Gottschalk, Lin and Manocha 1996).
//
// Polygons that are apart are separated by the line of an edge of one of them: the origin lies
// beyond an edge of their Minkowski difference, which is parallel to one of a polygon. Where the
// difference has no area (points, segments that are parallel or on one line) the edges' lines may
// all contain the origin; then everything is on one line, where the boxes have decided.

/// Whether an edge of a has all of b strictly on its right. `hint` is the vertex of b that stood
/// against the last edge: it often does so again, being the nearest.
static bool edge_separates(const gz_convex *a, const gz_convex *b) {
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

bool gz_convex_overlap(const gz_convex *a, const gz_convex *b) {
    if (!a || !b || a->count < 1 || b->count < 1) return true;
    graze_planar_bounds p = a->bounds, q = b->bounds;
    return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y &&
           !edge_separates(a, b) && !edge_separates(b, a);
}
