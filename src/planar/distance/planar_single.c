// Distance and approach of one pair: circles and capsules by the inline forms of the headers, at
// the cost of a plain function; what they cannot do goes to planar_distance.c and
// planar_approach.c.
//
// A call takes some nanoseconds, so that what surrounds it counts: one function for each pair of
// kinds, without a frame of its own where the compiler can; no look at the x87 unit, in which
// nothing here computes; results stored number by number. The file is compiled without vectors of
// parts of one pair (cmake/graze_compiler.cmake): a number stored alone and loaded as half of a
// vector waits for the store.

#include <math.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

// Where magnitudes sum to more, each is looked at (planar_distance.c, planar_approach.c).
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

ALWAYS bool circles_distance(const graze_planar_shape *a, const graze_planar_shape *b, double most,
                             graze_planar_result *out) {
    graze_vec2 a0 = gz_planar_vertex(a, 0), b0 = gz_planar_vertex(b, 0);
    graze_planar_result found;
    graze_planar_circles(a0, a->radius, b0, b->radius, &found);
    double size = magnitudes(a0) + magnitudes(b0) + (fabs(a->radius) + fabs(b->radius));
    return distance_store(&found, size, most, false, out);
}

ALWAYS bool circle_capsule_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                    double most, bool swap, graze_planar_result *out) {
    graze_vec2 a0 = gz_planar_vertex(a, 0), b0 = gz_planar_vertex(b, 0);
    graze_vec2 b1 = gz_planar_vertex(b, 1);
    graze_planar_result found;
    graze_planar_circle_capsule(a0, a->radius, b0, b1, b->radius, &found);
    double size = (magnitudes(a0) + magnitudes(b0)) + magnitudes(b1) +
                  (fabs(a->radius) + fabs(b->radius));
    return distance_store(&found, size, most, swap, out);
}

ALWAYS bool capsules_distance(const graze_planar_shape *a, const graze_planar_shape *b, double most,
                              graze_planar_result *out) {
    graze_vec2 a0 = gz_planar_vertex(a, 0), a1 = gz_planar_vertex(a, 1);
    graze_vec2 b0 = gz_planar_vertex(b, 0), b1 = gz_planar_vertex(b, 1);
    graze_planar_result found;
    graze_planar_capsules(a0, a1, a->radius, b0, b1, b->radius, &found);
    double size = (magnitudes(a0) + magnitudes(a1)) + (magnitudes(b0) + magnitudes(b1)) +
                  (fabs(a->radius) + fabs(b->radius));
    return distance_store(&found, size, most, false, out);
}

void gz_planar_ends_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                             graze_planar_result *out) {
    if (a->count + b->count == 2)
        circles_distance(a, b, INFINITY, out);
    else if (a->count == 1)
        circle_capsule_distance(a, b, INFINITY, false, out);
    else if (b->count == 1)
        circle_capsule_distance(b, a, INFINITY, true, out);
    else
        capsules_distance(a, b, INFINITY, out);
}

// With a frame of its own, which the cheaper pairs do without.
static GZ_OUT_OF_LINE graze_status distance_of_others(const graze_planar_shape *a,
                                                      const graze_planar_shape *b,
                                                      graze_planar_result *result) {
    if (!gz_planar_count_ok(a) || !gz_planar_count_ok(b)) return GRAZE_ERROR_ARGUMENT;
    if (a->count == 2 && b->count == 2 && gz_float_environment_is_set() &&
        capsules_distance(a, b, MOST, result))
        return GRAZE_OK;
    return gz_planar_distance_of_any(a, b, result);
}

graze_status graze_planar_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                   graze_planar_result *result) {
    if (a == NULL || b == NULL || result == NULL) return GRAZE_ERROR_ARGUMENT;
    int32_t n = a->count, m = b->count;
    bool done = false;
    if (n == 1 && (m == 1 || m == 2) && gz_float_environment_is_set())
        done = m == 1 ? circles_distance(a, b, MOST, result)
                      : circle_capsule_distance(a, b, MOST, false, result);
    else if (n == 2 && m == 1 && gz_float_environment_is_set())
        done = circle_capsule_distance(b, a, MOST, true, result);
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

ALWAYS bool circles_approach(const moving_pair *pair, graze_planar_approach_result *out) {
    graze_vec2 a = gz_planar_vertex(pair->a, 0), b = gz_planar_vertex(pair->b, 0);
    graze_planar_approach_result found;
    graze_planar_circles_approach(a, pair->a->radius, pair->velocity_a, b, pair->b->radius,
                                  pair->velocity_b, pair->horizon, &found);
    return approach_store(pair, &found, magnitudes(a) + magnitudes(b), false, out);
}

ALWAYS bool circle_capsule_approach(const moving_pair *pair, bool swap,
                                    graze_planar_approach_result *out) {
    graze_vec2 a = gz_planar_vertex(pair->a, 0), b0 = gz_planar_vertex(pair->b, 0);
    graze_vec2 b1 = gz_planar_vertex(pair->b, 1);
    graze_planar_approach_result found;
    graze_planar_circle_capsule_approach(a, pair->a->radius, pair->velocity_a, b0, b1,
                                         pair->b->radius, pair->velocity_b, pair->horizon, &found);
    return approach_store(pair, &found, magnitudes(a) + magnitudes(b0) + magnitudes(b1), swap, out);
}

// Apart, as each then needs less room for what is kept.
static GZ_OUT_OF_LINE graze_status circles_or_all(const graze_planar_shape *a,
                                                  graze_vec2 velocity_a,
                                                  const graze_planar_shape *b,
                                                  graze_vec2 velocity_b, double horizon,
                                                  graze_planar_approach_result *result) {
    moving_pair pair = {a, b, velocity_a, velocity_b, horizon};
    if (circles_approach(&pair, result)) return GRAZE_OK;
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}

static GZ_OUT_OF_LINE graze_status capsule_or_all(const graze_planar_shape *a,
                                                  graze_vec2 velocity_a,
                                                  const graze_planar_shape *b,
                                                  graze_vec2 velocity_b, double horizon,
                                                  graze_planar_approach_result *result) {
    moving_pair pair = {a, b, velocity_a, velocity_b, horizon};
    moving_pair swapped = {b, a, velocity_b, velocity_a, horizon};
    bool swap = a->count > 1;
    if (swap ? circle_capsule_approach(&swapped, true, result)
             : circle_capsule_approach(&pair, false, result))
        return GRAZE_OK;
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}

graze_status graze_planar_approach(const graze_planar_shape *a, graze_vec2 velocity_a,
                                   const graze_planar_shape *b, graze_vec2 velocity_b,
                                   double horizon, graze_planar_approach_result *result) {
    if (a == NULL || b == NULL || result == NULL) return GRAZE_ERROR_ARGUMENT;
    int32_t n = a->count, m = b->count;
    if (n == 1 && m == 1 && gz_float_environment_is_set())
        return circles_or_all(a, velocity_a, b, velocity_b, horizon, result);
    if (n >= 1 && m >= 1 && n + m == 3 && gz_float_environment_is_set())
        return capsule_or_all(a, velocity_a, b, velocity_b, horizon, result);
    return gz_planar_approach_of_any(a, velocity_a, b, velocity_b, horizon, result);
}
