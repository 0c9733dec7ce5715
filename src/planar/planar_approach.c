// Closest point of approach of two shapes that move without turning.

#include <math.h>

#include "base/float_environment.h"
#include "graze/planar_approach.h"
#include "planar/approach/approach_internal.h"

// Within this part of the largest length, rounding tells no contact from a gap: a pair that close,
// on its way in by the chain, touches. 16 units: two of the coordinates' differences, one each of
// the projections, and the distance's own bound in the units of its operands.
#define TOUCH 0x1p-49

typedef struct query {
    const graze_planar_shape *a, *b;
    graze_vec2 velocity_a, v; ///< A's, and B's relative to A
    double horizon;
} query;

static void fill(graze_planar_approach_result *out, double time, double distance, bool hit,
                 graze_vec2 n, graze_vec2 a, graze_vec2 b) {
    out->time = time;
    out->distance = distance;
    out->hit = hit;
    out->normal = n;
    out->point_a = a;
    out->point_b = b;
}

// The answer at one given time: the signed distance there.
static graze_status answer_at(const query *q, double time, bool touching,
                              graze_planar_approach_result *out) {
    graze_planar_shape moved;
    const graze_planar_shape *b = q->b;
    if (time > 0) {
        gz_approach_move(&moved, q->b, (graze_vec2){q->v.x * time, q->v.y * time});
        b = &moved;
    }
    graze_planar_result d;
    graze_status status = graze_planar_distance(q->a, b, &d);
    if (status) return status;
    if (touching && d.distance > 0) {
        double scale = fmax(gz_approach_extent(q->a), gz_approach_extent(q->b));
        if (d.distance <= TOUCH * scale) d.distance = 0;
    }
    double x = q->velocity_a.x * time, y = q->velocity_a.y * time;
    fill(out, time, d.distance, d.distance <= 0, d.normal,
         (graze_vec2){d.point_a.x + x, d.point_a.y + y},
         (graze_vec2){d.point_b.x + x, d.point_b.y + y});
    return GRAZE_OK;
}

static inline graze_status answer(const query *q, graze_planar_approach_result *out) {
    graze_vec2 direction;
    double speed, ra = q->a->radius, rb = q->b->radius;
    if (!gz_approach_direction(q->v, &direction, &speed)) return answer_at(q, 0, false, out);
    gz_approach_line line;
    gz_approach_line_find(q->a, q->b, direction, ra + rb, &line);
    // f is convex: before the line's entry (or its nearest place) it falls, so that what lies
    // outside the time is answered at the nearer end. An entry in the past leaves three cases to
    // the distance now: overlapping, touching, and past it.
    double t = line.way / speed;
    if (!(t > 0)) return answer_at(q, 0, line.meets, out);
    if (t > q->horizon) return answer_at(q, q->horizon, false, out);
    double nx = line.normal.x, ny = line.normal.y, x = q->velocity_a.x * t, y = q->velocity_a.y * t;
    double bx = line.core_b.x + q->v.x * t, by = line.core_b.y + q->v.y * t;
    fill(out, t, line.gap, line.meets, line.normal,
         (graze_vec2){line.core_a.x + x + nx * ra, line.core_a.y + y + ny * ra},
         (graze_vec2){bx + x - nx * rb, by + y - ny * rb});
    return GRAZE_OK;
}

graze_status graze_planar_approach(const graze_planar_shape *a, graze_vec2 velocity_a,
                                   const graze_planar_shape *b, graze_vec2 velocity_b,
                                   double horizon, graze_planar_approach_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    if (result == NULL) return GRAZE_ERROR_ARGUMENT;
    graze_status status = gz_approach_check(a, velocity_a, b, velocity_b);
    if (status) return status;
    if (!(horizon >= 0)) return GRAZE_ERROR_RANGE;
    graze_vec2 v = {velocity_b.x - velocity_a.x, velocity_b.y - velocity_a.y};
    query q = {a, b, velocity_a, v, horizon};
    return answer(&q, result); // writes on success only
}
