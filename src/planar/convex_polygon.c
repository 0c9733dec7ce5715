// Convex polygons: what one is, and which method compares two.

#include "planar/convex/convex_internal.h"

#include "base/error.h"
#include "base/float_environment.h"
#include "math/expansion.h"

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

/// Below the other in y, then in x.
static bool lower(graze_vec2 p, graze_vec2 q) {
    return p.y < q.y || (p.y == q.y && p.x < q.x);
}

static graze_status check_points(const graze_vec2 *vertices, int32_t count, graze_error *error) {
    for (int32_t i = 0; i < count; i++) {
        if (gz_coordinate_good(vertices[i].x) && gz_coordinate_good(vertices[i].y)) continue;
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "vertex %d is (%g, %g); allowed: 0, or magnitudes from 2^-100 to 2^100",
                       (int)i, vertices[i].x, vertices[i].y);
    }
    return GRAZE_OK;
}

/// All turns left, and the edges' directions go around once: they change from downward to upward (a
/// level edge to the right counts as upward) a single time.
static graze_status check_turns(const graze_vec2 *v, int32_t count, graze_error *error) {
    int32_t rises = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t j = i + 1 < count ? i + 1 : 0, k = j + 1 < count ? j + 1 : 0;
        if (gz_turn(v[i], v[j], v[k]) <= 0) {
            return gz_fail(
                error, GRAZE_ERROR_SCHEMA,
                "the polygon does not turn left at vertex %d, (%g, %g); allowed: convex, "
                "counter-clockwise, no three vertices on a line",
                (int)j, v[j].x, v[j].y);
        }
        rises += lower(v[j], v[i]) && lower(v[j], v[k]);
    }
    if (rises == 1) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA, "the polygon winds around %d times; allowed: once",
                   (int)rises);
}

static graze_planar_convex convex_of(const graze_vec2 *vertices, int32_t count) {
    graze_planar_convex c = {
        .vertices = vertices, .count = count, .bounds = {vertices[0], vertices[0]}};
    for (int32_t i = 1; i < count; i++) {
        graze_vec2 v = vertices[i];
        if (lower(v, vertices[c.lowest])) c.lowest = i;
        if (lower(vertices[c.highest], v)) c.highest = i;
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
    if (!out || !vertices) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a place",
                       !out ? "out" : "vertices");
    }
    *out = (graze_planar_convex){0};
    if (count < 1) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the polygon has %d vertices; allowed: 1 or more", (int)count);
    }
    graze_status status = check_points(vertices, count, error);
    if (!status && count > 2) status = check_turns(vertices, count, error);
    if (!status && count == 2 && !lower(vertices[0], vertices[1]) &&
        !lower(vertices[1], vertices[0])) {
        status = gz_fail(error, GRAZE_ERROR_SCHEMA,
                         "vertices 0 and 1 are both (%g, %g); allowed: two different points",
                         vertices[0].x, vertices[0].y);
    }
    if (!status) *out = convex_of(vertices, count);
    return status;
}

bool graze_planar_convex_meet(const graze_planar_convex *a, const graze_planar_convex *b,
                              graze_planar_method method) {
    GZ_FLOAT_ENVIRONMENT;
    if (!a || !b || a->count < 1 || b->count < 1) return true;
    switch (method) {
    case GRAZE_PLANAR_METHOD_EDGES:
        return gz_convex_meet_edges(a, b);
    case GRAZE_PLANAR_METHOD_AXES:
        return gz_convex_meet_axes(a, b);
    case GRAZE_PLANAR_METHOD_MINKOWSKI:
        return gz_convex_meet_minkowski(a, b);
    }
    return true;
}
