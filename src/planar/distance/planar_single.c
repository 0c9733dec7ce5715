// Distance and approach of one pair: circles and capsules by the inline forms of the headers, at
// the cost of a plain function; the rest by polygon_distance.inl and planar_approach.c.
//
// A call takes some nanoseconds, so that what surrounds it counts: one function for each pair of
// kinds, without a frame of its own where the compiler can; a short look at the environment, under
// which subnormal numbers may be flushed: only radii and speeds below 2^-700 lead to any, and
// results that are off by less; results stored number by number. The file is compiled without
// vectors of parts of one pair (cmake/graze_compiler.cmake): a number stored alone and loaded as
// half of a vector waits for the store.

#include <math.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

// Where magnitudes sum to more, each is looked at.
#define MOST GRAZE_PLANAR_COORDINATE_MAX

#define ALWAYS static inline __attribute__((always_inline))

// -------------------------------------------------------------------------------------- distance

ALWAYS double magnitudes(graze_vec2 p) {
    return fabs(p.x) + fabs(p.y);
}

// Stores what was found, of A and B exchanged where `swap`; false, and nothing written, where the
// magnitudes of all coordinates and radii sum to more than `most`, or to NaN.
ALWAYS bool distance_store(const graze_planar_result *found, double size, double most, bool swap,
                           graze_planar_result *out) {
    if (!(size <= most)) return false;
    double sign = swap ? -1 : 1;
    out->distance = found->distance;
    out->normal.x = sign * found->normal.x;
    out->normal.y = sign * found->normal.y;
    out->point_a = swap ? found->point_b : found->point_a;
    out->point_b = swap ? found->point_a : found->point_b;
    out->feature_a = swap ? found->feature_b : found->feature_a;
    out->feature_b = swap ? found->feature_a : found->feature_b;
    return true;
}

// Of shapes of n and m vertices, constants, n <= m <= 2.
ALWAYS bool ends_distance(const graze_planar_shape *a, int n, const graze_planar_shape *b, int m,
                          double most, bool swap, graze_planar_result *out) {
    graze_vec2 a0 = gz_planar_vertex(a, 0), a1 = gz_planar_vertex(a, n - 1);
    graze_vec2 b0 = gz_planar_vertex(b, 0), b1 = gz_planar_vertex(b, m - 1);
    double size = magnitudes(a0) + magnitudes(b0) + (fabs(a->radius) + fabs(b->radius));
    graze_planar_result found;
    if (m == 1)
        graze_planar_circles(a0, a->radius, b0, b->radius, &found);
    else if (n == 1)
        graze_planar_circle_capsule(a0, a->radius, b0, b1, b->radius, &found);
    else
        graze_planar_capsules(a0, a1, a->radius, b0, b1, b->radius, &found);
    size += (m == 2 ? magnitudes(b1) : 0) + (n == 2 ? magnitudes(a1) : 0);
    return distance_store(&found, size, most, swap, out);
}

static void all_ends_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                              graze_planar_result *out) {
    if (a->count + b->count == 2)
        ends_distance(a, 1, b, 1, INFINITY, false, out);
    else if (a->count == 1)
        ends_distance(a, 1, b, 2, INFINITY, false, out);
    else if (b->count == 1)
        ends_distance(b, 1, a, 2, INFINITY, true, out);
    else
        ends_distance(a, 2, b, 2, INFINITY, false, out);
}

// Whether the first and the last vertex and the radius are numbers of which no distance overflows.
static bool in_range(const graze_planar_shape *shape) {
    int32_t last = shape->count - 1;
    double most = GRAZE_PLANAR_COORDINATE_MAX;
    return (fabs(shape->x[0]) <= most) & (fabs(shape->y[0]) <= most) &
           (fabs(shape->x[last]) <= most) & (fabs(shape->y[last]) <= most) &
           (fabs(shape->radius) <= most);
}

// Takes the radii off the distance of two polygons: the witnesses move along the normal.
static void add_radii(graze_planar_result *result, double radius_a, double radius_b) {
    graze_vec2 n = result->normal;
    result->distance -= radius_a + radius_b;
    result->point_a.x += radius_a * n.x;
    result->point_a.y += radius_a * n.y;
    result->point_b.x -= radius_b * n.x;
    result->point_b.y -= radius_b * n.y;
}

// False, and nothing written, where numbers are out of range.
static GZ_OUT_OF_LINE bool any_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                        graze_planar_result *out) {
    if (!in_range(a) || !in_range(b)) return false;
    if (a->count <= 2 && b->count <= 2) {
        all_ends_distance(a, b, out);
        return true;
    }
    if (!gz_polygon_distance(a, b, out)) return false;
    add_radii(out, a->radius, b->radius);
    return true;
}

// With a frame of its own, which the cheaper pairs do without.
static GZ_OUT_OF_LINE graze_status distance_of_others(const graze_planar_shape *a,
                                                      const graze_planar_shape *b,
                                                      graze_planar_result *result) {
    if (!gz_planar_count_ok(a) || !gz_planar_count_ok(b)) return GRAZE_ERROR_ARGUMENT;
    if (a->count == 2 && b->count == 2 && ends_distance(a, 2, b, 2, MOST, false, result))
        return GRAZE_OK;
    return any_distance(a, b, result) ? GRAZE_OK : GRAZE_ERROR_RANGE;
}

static GZ_OUT_OF_LINE graze_status distance_elsewhere(const graze_planar_shape *a,
                                                      const graze_planar_shape *b,
                                                      graze_planar_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    return distance_of_others(a, b, result);
}

graze_status graze_planar_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                   graze_planar_result *result) {
    if (a == NULL || b == NULL || result == NULL) return GRAZE_ERROR_ARGUMENT;
    if (!gz_float_environment_is_set()) return distance_elsewhere(a, b, result);
    int32_t n = a->count, m = b->count;
    bool done = false;
    if (n == 1 && (m == 1 || m == 2))
        done = m == 1 ? ends_distance(a, 1, b, 1, MOST, false, result)
                      : ends_distance(a, 1, b, 2, MOST, false, result);
    else if (n == 2 && m == 1)
        done = ends_distance(b, 1, a, 2, MOST, true, result);
    return done ? GRAZE_OK : distance_of_others(a, b, result);
}

// -------------------------------------------------------------------------------------- approach

/// One pair, A a circle and B a circle or capsule.
typedef struct moving_pair {
    const graze_planar_shape *a, *b;
    graze_vec2 velocity_a, velocity_b;
    double horizon;
} moving_pair;

// Stores what was found. False, and nothing written, where the inline forms are not enough: numbers
// out of range (`size` is the sum of the magnitudes of coordinates), speeds of which squares
// vanish, and normals that rounding would turn, of points nearer than 2^-20 of the coordinates.
ALWAYS bool approach_store(const moving_pair *pair, const graze_planar_approach_result *found,
                           double size, bool swap, graze_planar_approach_result *out) {
    double radius_a = pair->a->radius, radius_b = pair->b->radius, radius = radius_a + radius_b;
    double speeds = magnitudes(pair->velocity_a) + magnitudes(pair->velocity_b);
    graze_vec2 v = gz_vec2_minus(pair->velocity_b, pair->velocity_a);
    double sign = swap ? -1 : 1;
    bool fine = (size + radius + speeds <= MOST) & (fabs(radius_a) + fabs(radius_b) <= radius) &
                (pair->horizon >= 0) & (gz_vec2_dot(v, v) >= 0x1p-400) &
                (found->distance + radius > 0x1p-20 * size);
    if (!fine) return false;
    out->time = found->time;
    out->distance = found->distance;
    out->hit = found->hit;
    out->normal.x = sign * found->normal.x;
    out->normal.y = sign * found->normal.y;
    out->point_a = swap ? found->point_b : found->point_a;
    out->point_b = swap ? found->point_a : found->point_b;
    return true;
}

// B of m vertices, a constant.
ALWAYS bool circle_approach(const moving_pair *pair, int m, bool swap,
                            graze_planar_approach_result *out) {
    const graze_planar_shape *a = pair->a, *b = pair->b;
    graze_vec2 p = gz_planar_vertex(a, 0), b0 = gz_planar_vertex(b, 0);
    graze_vec2 b1 = gz_planar_vertex(b, m - 1);
    graze_planar_approach_result found;
    if (m == 1)
        graze_planar_circles_approach(p, a->radius, pair->velocity_a, b0, b->radius,
                                      pair->velocity_b, pair->horizon, &found);
    else
        graze_planar_circle_capsule_approach(p, a->radius, pair->velocity_a, b0, b1, b->radius,
                                             pair->velocity_b, pair->horizon, &found);
    double size = magnitudes(p) + magnitudes(b0) + (m == 2 ? magnitudes(b1) : 0);
    return approach_store(pair, &found, size, swap, out);
}

// Each a function of its own, as each then needs less room for what is kept.
#define CIRCLE_APPROACH(name, m, exchange)                                                         \
    static GZ_OUT_OF_LINE graze_status name(                                                       \
        const graze_planar_shape *a, graze_vec2 velocity_a, const graze_planar_shape *b,           \
        graze_vec2 velocity_b, double horizon, graze_planar_approach_result *result) {             \
        moving_pair pair = {a, b, velocity_a, velocity_b, horizon};                                \
        moving_pair swapped = {b, a, velocity_b, velocity_a, horizon};                             \
        if (circle_approach((exchange) ? &swapped : &pair, m, exchange, result)) return GRAZE_OK;  \
        return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);           \
    }

CIRCLE_APPROACH(circles_or_all, 1, false)
CIRCLE_APPROACH(circle_capsule_or_all, 2, false)
CIRCLE_APPROACH(capsule_circle_or_all, 2, true)

ALWAYS graze_status approach_by_kinds(const graze_planar_shape *a, graze_vec2 velocity_a,
                                      const graze_planar_shape *b, graze_vec2 velocity_b,
                                      double horizon, graze_planar_approach_result *result) {
    int32_t n = a->count, m = b->count;
    if (n == 1 && m == 1) return circles_or_all(a, velocity_a, b, velocity_b, horizon, result);
    if (n == 1 && m == 2)
        return circle_capsule_or_all(a, velocity_a, b, velocity_b, horizon, result);
    if (n == 2 && m == 1)
        return capsule_circle_or_all(a, velocity_a, b, velocity_b, horizon, result);
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}

static GZ_OUT_OF_LINE graze_status approach_elsewhere(const graze_planar_shape *a,
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
        return approach_elsewhere(a, velocity_a, b, velocity_b, horizon, result);
    return approach_by_kinds(a, velocity_a, b, velocity_b, horizon, result);
}
