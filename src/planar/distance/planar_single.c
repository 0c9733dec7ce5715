// Distance and approach of one pair: circles and capsules by the inline forms of the headers, at
// the cost of a plain function; the rest by polygon_distance.inl and planar_approach.c.
//
// A call takes some nanoseconds, so that what surrounds it counts: the cheapest pairs come first,
// are checked by one sum of squares, and need a short look at the environment alone. Under it
// subnormal numbers may be flushed: only radii and speeds below 2^-700 lead to any, and results
// that are off by less. The file is compiled without vectors that the compiler finds by itself
// (cmake/graze_compiler.cmake): the numbers of a result would be paired across its points.

#include <math.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

typedef graze_planar_pair pair;

// GZ_PLANAR_SQUARES_FINE for both (two alike would be put together anew at each call).
#define MOST ((pair){GZ_PLANAR_SQUARES_FINE, 1.5 * GZ_PLANAR_SQUARES_FINE})

static inline bool at_most(pair numbers, pair most) {
#if defined(__SSE2__) && !defined(__wasm__)
    return __builtin_ia32_movmskpd((pair)(numbers <= most)) == 3;
#else
    return numbers[0] <= most[0] && numbers[1] <= most[1];
#endif
}

static inline pair vertex(const graze_planar_shape *shape, int i) {
    return *(const graze_planar_pair_at *)&shape->vertices[i];
}

static inline graze_vec2 vec2(pair p) {
    return (graze_vec2){p[0], p[1]};
}

// Squares of what a pair is as large as: coordinates of A, the way from it to B, and B's length.
static inline pair size_to_circle(const graze_planar_shape *a, const graze_planar_shape *b) {
    pair p = vertex(a, 0), d = vertex(b, 0) - p;
    return d * d + p * p;
}

static inline pair size_to_capsule(const graze_planar_shape *a, const graze_planar_shape *b) {
    pair e = vertex(b, 1) - vertex(b, 0);
    return size_to_circle(a, b) + e * e;
}

// -------------------------------------------------------------------------------------- distance

// Turn what was found of B and A into that of A and B.
static inline void exchange(graze_vec2 *normal, graze_vec2 *point_a, graze_vec2 *point_b) {
    graze_vec2 point = *point_a;
    *normal = (graze_vec2){-normal->x, -normal->y};
    *point_a = *point_b;
    *point_b = point;
}

static inline void to_capsule(const graze_planar_shape *a, const graze_planar_shape *b,
                              graze_planar_result *out) {
    graze_planar_circle_capsule(vec2(vertex(a, 0)), a->radius, vec2(vertex(b, 0)),
                                vec2(vertex(b, 1)), b->radius, out);
}

// Pairs with a circle and no polygon whose squares sum to no more than so much; false: none.
GZ_ALWAYS_INLINE bool distance_of_circle(const graze_planar_shape *a, const graze_planar_shape *b,
                                         pair most, graze_planar_result *out) {
    int32_t n = a->count, m = b->count;
    pair r = {a->radius, b->radius};
    if (n == 1 && m == 1 && at_most(size_to_circle(a, b) + r * r, most)) {
        graze_planar_circles(vec2(vertex(a, 0)), r[0], vec2(vertex(b, 0)), r[1], out);
        return true;
    }
    if (n == 1 && m == 2 && at_most(size_to_capsule(a, b) + r * r, most)) {
        to_capsule(a, b, out);
        return true;
    }
    if (n == 2 && m == 1 && at_most(size_to_capsule(b, a) + r * r, most)) {
        to_capsule(b, a, out);
        exchange(&out->normal, &out->point_a, &out->point_b);
        out->feature_a = out->feature_b;
        out->feature_b = (graze_planar_feature){0, false};
        return true;
    }
    return false;
}

void gz_planar_distance_in_range(const graze_planar_shape *a, const graze_planar_shape *b,
                                 graze_planar_result *out) {
    const graze_vec2 *v = a->vertices, *w = b->vertices;
    if (distance_of_circle(a, b, (pair){INFINITY, INFINITY}, out)) return;
    if (a->count == 2 && b->count == 2) {
        graze_planar_capsules(v[0], v[1], a->radius, w[0], w[1], b->radius, out);
        return;
    }
    gz_polygon_distance(a, b, out);
    // The radii come off: the witnesses move along the normal.
    out->distance -= a->radius + b->radius;
    out->point_a = gz_vec2_add_scaled(out->point_a, a->radius, out->normal);
    out->point_b = gz_vec2_add_scaled(out->point_b, -b->radius, out->normal);
}

// All pairs. With a frame of its own, which the cheapest do without.
static GZ_OUT_OF_LINE graze_status distance_of_any(const graze_planar_shape *a,
                                                   const graze_planar_shape *b,
                                                   graze_planar_result *out) {
    if (!gz_planar_count_ok(a) || !gz_planar_count_ok(b)) return GRAZE_ERROR_ARGUMENT;
    if (!gz_planar_shape_in_range(a) || !gz_planar_shape_in_range(b)) return GRAZE_ERROR_RANGE;
    gz_planar_distance_in_range(a, b, out);
    return GRAZE_OK;
}

static GZ_OUT_OF_LINE graze_status distance_with_care(const graze_planar_shape *a,
                                                      const graze_planar_shape *b,
                                                      graze_planar_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    return distance_of_any(a, b, result);
}

graze_status graze_planar_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                   graze_planar_result *result) {
    if (a == NULL || b == NULL || result == NULL) return GRAZE_ERROR_ARGUMENT;
    if (!gz_float_environment_is_set()) return distance_with_care(a, b, result);
    return distance_of_circle(a, b, MOST, result) ? GRAZE_OK : distance_of_any(a, b, result);
}

// -------------------------------------------------------------------------------------- approach

// Whether the inline forms are enough: no number is out of range, nor are speeds so low that their
// squares vanish, and the radii are no less than 2^-16 of the coordinates: then rounding does not
// turn normals of shapes that overlap by less than 15/16 of the radii.
GZ_ALWAYS_INLINE bool is_usual(pair size, double radius_a, double radius_b, pair velocity, pair v,
                               double horizon) {
    double r = radius_a + radius_b, least = radius_a < radius_b ? radius_a : radius_b;
    double vv = graze_planar_pair_dot(v, v), rr = r * r;
    least = least < horizon ? least : horizon;
    return least >= 0 && vv >= 0x1p-400 && size[0] + size[1] <= 0x1p32 * rr &&
           graze_planar_pair_dot(velocity, velocity) + vv + rr <= GZ_PLANAR_SQUARES_FINE;
}

// What graze_planar_approach() takes.
#define MOVING                                                                                     \
    const graze_planar_shape *a, graze_vec2 velocity_a, const graze_planar_shape *b,               \
        graze_vec2 velocity_b, double horizon, graze_planar_approach_result *result

static GZ_OUT_OF_LINE graze_status approach_of_circles(MOVING) {
    pair va = graze_planar_pair_of(velocity_a), v = graze_planar_pair_of(velocity_b) - va;
    pair d = vertex(b, 0) - vertex(a, 0);
    double r = a->radius + b->radius;
    if (!is_usual(size_to_circle(a, b), a->radius, b->radius, va, v, horizon) ||
        graze_planar_pair_dot(d, d) < r * r / 256)
        return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
    graze_planar_circles_approach(vec2(vertex(a, 0)), a->radius, velocity_a, vec2(vertex(b, 0)),
                                  b->radius, velocity_b, horizon, result);
    return GRAZE_OK;
}

static GZ_OUT_OF_LINE graze_status approach_to_capsule(MOVING) {
    pair va = graze_planar_pair_of(velocity_a), v = graze_planar_pair_of(velocity_b) - va;
    if (is_usual(size_to_capsule(a, b), a->radius, b->radius, va, v, horizon)) {
        graze_planar_circle_capsule_approach(vec2(vertex(a, 0)), a->radius, velocity_a,
                                             vec2(vertex(b, 0)), vec2(vertex(b, 1)), b->radius,
                                             velocity_b, horizon, result);
        if (result->distance > -0.9375 * (a->radius + b->radius)) return GRAZE_OK;
    }
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}

static GZ_OUT_OF_LINE graze_status approach_exchanged(MOVING) {
    GZ_TRY(approach_to_capsule(b, velocity_b, a, velocity_a, horizon, result));
    exchange(&result->normal, &result->point_a, &result->point_b);
    return GRAZE_OK;
}

GZ_ALWAYS_INLINE graze_status approach_by_kinds(MOVING) {
    int32_t n = a->count, m = b->count;
    if (n == 1 && m == 1) return approach_of_circles(a, velocity_a, b, velocity_b, horizon, result);
    if (n == 1 && m == 2) return approach_to_capsule(a, velocity_a, b, velocity_b, horizon, result);
    if (n == 2 && m == 1) return approach_exchanged(a, velocity_a, b, velocity_b, horizon, result);
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}

static GZ_OUT_OF_LINE graze_status approach_with_care(MOVING) {
    GZ_FLOAT_ENVIRONMENT;
    return approach_by_kinds(a, velocity_a, b, velocity_b, horizon, result);
}

graze_status graze_planar_approach(const graze_planar_shape *a, graze_vec2 velocity_a,
                                   const graze_planar_shape *b, graze_vec2 velocity_b,
                                   double horizon, graze_planar_approach_result *result) {
    if (a == NULL || b == NULL || result == NULL) return GRAZE_ERROR_ARGUMENT;
    if (!gz_float_environment_is_set())
        return approach_with_care(a, velocity_a, b, velocity_b, horizon, result);
    return approach_by_kinds(a, velocity_a, b, velocity_b, horizon, result);
}
