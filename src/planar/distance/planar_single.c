// Distance and approach of one pair: circles and capsules by the inline forms of the headers, at
// the cost of a plain function; the rest by polygon_distance.inl and planar_approach.c.
//
// A call takes some nanoseconds, so that what surrounds it counts: the cheapest pairs come first,
// are checked by one sum of magnitudes, and need a short look at the environment alone. Under it
// subnormal numbers may be flushed: only radii and speeds below 2^-700 lead to any, and results
// that are off by less. The file is compiled without vectors of parts of one pair
// (cmake/graze_compiler.cmake): the numbers of a result would be paired across its points.

#include <math.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

// Where magnitudes sum to more, or to NaN, each is looked at.
#define MOST GRAZE_PLANAR_COORDINATE_MAX

/// Two numbers side by side, and their bits.
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t pair_bits __attribute__((vector_size(16)));

static inline pair magnitudes(pair p) {
    return (pair)((pair_bits)p & (pair_bits){INT64_MAX, INT64_MAX});
}

// Of a vertex.
static inline pair magnitudes_at(const graze_vec2 *p) {
    return magnitudes(*(const pair *)p);
}

static inline double sum(pair p) {
    return p[0] + p[1];
}

// -------------------------------------------------------------------------------------- distance

// Turn what was found of B and A into that of A and B.
static inline void exchange(graze_vec2 *normal, graze_vec2 *point_a, graze_vec2 *point_b) {
    graze_vec2 point = *point_a;
    *normal = (graze_vec2){-normal->x, -normal->y};
    *point_a = *point_b;
    *point_b = point;
}

static inline void distance_exchange(graze_planar_result *r) {
    graze_planar_feature feature = r->feature_a;
    exchange(&r->normal, &r->point_a, &r->point_b);
    r->feature_a = r->feature_b;
    r->feature_b = feature;
}

// A circle and a capsule.
GZ_ALWAYS_INLINE void to_capsule(const graze_planar_shape *a, const graze_planar_shape *b,
                                 graze_planar_result *out) {
    graze_planar_circle_capsule(a->vertices[0], a->radius, b->vertices[0], b->vertices[1],
                                b->radius, out);
}

// Takes the radii off the distance of two polygons: the witnesses move along the normal.
static void add_radii(graze_planar_result *result, double radius_a, double radius_b) {
    graze_vec2 n = result->normal;
    result->distance -= radius_a + radius_b;
    result->point_a = gz_vec2_add_scaled(result->point_a, radius_a, n);
    result->point_b = gz_vec2_add_scaled(result->point_b, -radius_b, n);
}

// All pairs. With a frame of its own, which the cheapest do without.
static GZ_OUT_OF_LINE graze_status distance_of_any(const graze_planar_shape *a,
                                                   const graze_planar_shape *b,
                                                   graze_planar_result *out) {
    if (!gz_planar_count_ok(a) || !gz_planar_count_ok(b)) return GRAZE_ERROR_ARGUMENT;
    if (!gz_planar_shape_in_range(a) || !gz_planar_shape_in_range(b)) return GRAZE_ERROR_RANGE;
    const graze_vec2 *v = a->vertices, *w = b->vertices;
    if (a->count == 2 && b->count == 2) {
        graze_planar_capsules(v[0], v[1], a->radius, w[0], w[1], b->radius, out);
    } else if (a->count == 1 && b->count == 1) {
        graze_planar_circles(v[0], a->radius, w[0], b->radius, out);
    } else if (a->count == 1 && b->count == 2) {
        to_capsule(a, b, out);
    } else if (a->count == 2 && b->count == 1) {
        to_capsule(b, a, out);
        distance_exchange(out);
    } else {
        gz_polygon_distance(a, b, out);
        add_radii(out, a->radius, b->radius);
    }
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
    int32_t n = a->count, m = b->count;
    graze_vec2 p = a->vertices[0], q = b->vertices[0];
    pair size = magnitudes_at(a->vertices) + magnitudes_at(b->vertices);
    size += magnitudes((pair){a->radius, b->radius});
    if (n == 1 && m == 1 && sum(size) <= MOST) {
        graze_planar_circles(p, a->radius, q, b->radius, result);
        return GRAZE_OK;
    }
    if (n == 1 && m == 2 && sum(size + magnitudes_at(b->vertices + 1)) <= MOST) {
        to_capsule(a, b, result);
        return GRAZE_OK;
    }
    if (n == 2 && m == 1 && sum(size + magnitudes_at(a->vertices + 1)) <= MOST) {
        to_capsule(b, a, result);
        distance_exchange(result);
        return GRAZE_OK;
    }
    return distance_of_any(a, b, result);
}

// -------------------------------------------------------------------------------------- approach

// A circle, B a circle or capsule. False where the inline forms are not enough: numbers out of
// range, speeds of which squares vanish, and normals that rounding would turn, of points nearer
// than 2^-20 of the coordinates.
GZ_ALWAYS_INLINE bool circle_approach(const graze_planar_shape *a, graze_vec2 velocity_a,
                                      const graze_planar_shape *b, graze_vec2 velocity_b,
                                      double horizon, graze_planar_approach_result *out) {
    graze_vec2 p = a->vertices[0], q = b->vertices[0], v = gz_vec2_minus(velocity_b, velocity_a);
    double radius = a->radius + b->radius;
    pair size = magnitudes_at(a->vertices) + magnitudes_at(b->vertices);
    if (b->count == 2) size += magnitudes_at(b->vertices + 1);
    pair all = size + magnitudes((pair){velocity_a.x, velocity_a.y}) +
               magnitudes((pair){velocity_b.x, velocity_b.y}) +
               magnitudes((pair){a->radius, b->radius});
    double total = sum(all);
    bool fine = (total <= MOST) & (a->radius >= 0) & (b->radius >= 0) & (horizon >= 0) &
                (gz_vec2_dot(v, v) >= 0x1p-400);
    if (!fine) return false;
    if (b->count == 1)
        graze_planar_circles_approach(p, a->radius, velocity_a, q, b->radius, velocity_b, horizon,
                                      out);
    else
        graze_planar_circle_capsule_approach(p, a->radius, velocity_a, q, b->vertices[1], b->radius,
                                             velocity_b, horizon, out);
    return out->distance + radius > 0x1p-20 * sum(size);
}

GZ_ALWAYS_INLINE graze_status approach_by_kinds(const graze_planar_shape *a, graze_vec2 velocity_a,
                                                const graze_planar_shape *b, graze_vec2 velocity_b,
                                                double horizon,
                                                graze_planar_approach_result *result) {
    int32_t n = a->count, m = b->count;
    if (n == 1 && (m == 1 || m == 2)) {
        if (circle_approach(a, velocity_a, b, velocity_b, horizon, result)) return GRAZE_OK;
    } else if (n == 2 && m == 1) {
        if (circle_approach(b, velocity_b, a, velocity_a, horizon, result)) {
            exchange(&result->normal, &result->point_a, &result->point_b);
            return GRAZE_OK;
        }
    }
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}

static GZ_OUT_OF_LINE graze_status approach_with_care(const graze_planar_shape *a,
                                                      graze_vec2 velocity_a,
                                                      const graze_planar_shape *b,
                                                      graze_vec2 velocity_b, double horizon,
                                                      graze_planar_approach_result *result) {
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
