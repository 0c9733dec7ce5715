// Motions that turn: conservative advancement along the normal of the closest points.
//
// At time t let n be the normal from A to B and d the distance. For any later time t + x the two
// stay parted by the direction n as long as
//     L(x) = d + x n.(v_b - v_a) - rise_a(x) - rise_b(x) > 0,
// where rise_a is how far A's vertices, turning about the moving centre, come forward along n past
// where A's foremost one is now, and rise_b the same of B along -n. With r from the centre to the
// vertex, J r its left normal and w the rate of turning, Taylor's formula gives for each vertex
//     n.(R(wx) - 1) r  <=  x w n.J r + (w x)^2 |r| / 2,
// and turning whole circles never brings it beyond the centre plus |r|. The first makes each pair
// of vertices a parabola whose root is taken, the second bounds fast spinning: either allows a
// step. The first agrees with the motion up to second order, so that steps converge as Newton's do.
//
// Time is counted in the power of two above the horizon, which changes no bit of anything but where
// a number would overflow or underflow: what is squared below is then a length or an angle of the
// whole motion. Squares of less than 1e-160 are lost, of a motion that goes no farther in all its
// time.

#include <math.h>

#include "base/float_environment.h"
#include "math/trigonometry.h"
#include "planar/approach/approach_internal.h"
#include "planar/shapes/shape_internal.h"

typedef struct mover {
    const graze_planar_shape *shape;
    const graze_planar_motion *motion;
    graze_planar_shape at; ///< the shape at the time of the last pose()
    graze_vec2 center;     ///< likewise
    double radius;         ///< of the vertices about the centre
} mover;

typedef struct sweep {
    mover a, b;
    double horizon, width;
    double error; ///< metres: how far a computed distance may be from the true one
} sweep;

static void pose(mover *m, double time) {
    const graze_planar_motion *o = m->motion;
    double sine, cosine;
    gz_sine_cosine(o->turn * time, &sine, &cosine);
    m->center = (graze_vec2){o->center.x + time * o->velocity.x,
                             o->center.y + time * o->velocity.y};
    gz_planar_place(&m->at, m->shape, o->center, cosine, sine, m->center);
}

static graze_status distance_at(sweep *s, double time, graze_planar_result *out) {
    pose(&s->a, time);
    pose(&s->b, time);
    return graze_planar_distance(&s->a.at, &s->b.at, out);
}

/// How one vertex comes forward along a direction: lag behind the foremost, rate, half the bound of
/// the second derivative.
typedef struct rise {
    double lag, rate, bend;
} rise;

// Fills one entry a vertex; returns how far the foremost may come forward by turning at all.
static double rises(const mover *m, graze_vec2 n, rise out[GRAZE_PLANAR_VERTEX_MAX]) {
    double foremost = -INFINITY, turn = m->motion->turn;
    for (int i = 0; i < m->at.count; i++) {
        double x = m->at.x[i] - m->center.x, y = m->at.y[i] - m->center.y;
        double ahead = n.x * x + n.y * y;
        out[i] = (rise){ahead, turn * (n.y * x - n.x * y), 0.5 * turn * turn * sqrt(x * x + y * y)};
        foremost = ahead > foremost ? ahead : foremost;
    }
    for (int i = 0; i < m->at.count; i++) out[i].lag = foremost - out[i].lag;
    return turn == 0 ? 0 : m->radius - foremost;
}

// The least positive root of gap + x rate - x^2 bend, gap > 0, bend >= 0; INFINITY without one.
// Of the two forms of the root the one is taken that adds: each is right to some units of 2^-53.
static double root(double gap, double rate, double bend) {
    double size = sqrt(rate * rate + 4 * gap * bend);
    if (rate > 0) return bend > 0 ? (size + rate) / (2 * bend) : INFINITY;
    return size - rate > 0 ? 2 * gap / (size - rate) : INFINITY;
}

// For how long after the last pose the two are certainly apart, `gap` > 0 being a lower bound of
// their distance along n.
static double safe_step(const sweep *s, graze_vec2 n, double gap) {
    const graze_planar_motion *ma = s->a.motion, *mb = s->b.motion;
    double rate = n.x * (mb->velocity.x - ma->velocity.x) + n.y * (mb->velocity.y - ma->velocity.y);
    rise a[GRAZE_PLANAR_VERTEX_MAX], b[GRAZE_PLANAR_VERTEX_MAX];
    double most = rises(&s->a, n, a) + rises(&s->b, (graze_vec2){-n.x, -n.y}, b);
    double parabola = INFINITY;
    for (int i = 0; i < s->a.at.count; i++)
        for (int j = 0; j < s->b.at.count; j++) {
            double x = root(gap + a[i].lag + b[j].lag, rate - a[i].rate - b[j].rate,
                            a[i].bend + b[j].bend);
            parabola = x < parabola ? x : parabola;
        }
    double circle = gap - most > 0 ? root(gap - most, rate, 0) : 0;
    // A hair less covers the rounding of the step itself, of the sums before it and the root: that
    // of gap + lags is a few units, and what posed vertices and rates are off is part of `error`.
    return (1 - 0x1p-40) * (parabola > circle ? parabola : circle);
}

static graze_status finish(graze_planar_sweep_result *out, graze_planar_sweep_verdict verdict,
                           double earliest, double latest, const graze_planar_result *d) {
    out->verdict = verdict;
    out->earliest = earliest;
    out->latest = latest;
    if (verdict == GRAZE_PLANAR_SWEEP_HIT || d->distance < out->distance) {
        out->distance = d->distance;
        out->normal = d->normal;
        out->point_a = d->point_a;
        out->point_b = d->point_b;
    }
    return GRAZE_OK;
}

static graze_status advance(sweep *s, int32_t steps, graze_planar_sweep_result *out) {
    double t = 0;
    graze_planar_result d, later;
    out->distance = INFINITY;
    for (out->steps = 0; out->steps < steps;) {
        GZ_TRY(distance_at(s, t, &d));
        out->steps++;
        if (d.distance <= 2 * s->error) return finish(out, GRAZE_PLANAR_SWEEP_HIT, t, t, &d);
        double step = safe_step(s, d.normal, d.distance - s->error);
        double next = t + step;
        if (next >= s->horizon)
            return finish(out, GRAZE_PLANAR_SWEEP_FREE, s->horizon, s->horizon, &d);
        finish(out, GRAZE_PLANAR_SWEEP_UNDECIDED, t, s->horizon, &d);
        // Close by, an overlap within the width ends the search.
        double end = fmin(t + s->width, s->horizon);
        if (end - t > s->width) end = nextafter(end, t);
        if (step < s->width && out->steps < steps) {
            GZ_TRY(distance_at(s, end, &later));
            out->steps++;
            if (later.distance <= 0) return finish(out, GRAZE_PLANAR_SWEEP_HIT, t, end, &later);
        }
        if (!(next > t)) break; // time itself is too coarse
        t = next;
        out->earliest = t;
    }
    return GRAZE_OK;
}

static bool motion_in_range(const graze_planar_motion *m, double horizon) {
    const double numbers[4] = {m->center.x, m->center.y, m->velocity.x, m->velocity.y};
    for (int i = 0; i < 4; i++)
        if (!(fabs(numbers[i]) <= GRAZE_PLANAR_COORDINATE_MAX)) return false;
    return fabs(m->turn) * horizon <= GZ_ANGLE_MAX &&
           fabs(m->turn) <= GRAZE_PLANAR_COORDINATE_MAX &&
           (fabs(m->velocity.x) + fabs(m->velocity.y)) * horizon <= GRAZE_PLANAR_COORDINATE_MAX;
}

// The radius, and what the motion adds to the largest length.
static void mover_make(mover *m, const graze_planar_shape *shape,
                       const graze_planar_motion *motion) {
    *m = (mover){.shape = shape, .motion = motion};
    for (int i = 0; i < shape->count; i++) {
        double x = shape->x[i] - motion->center.x, y = shape->y[i] - motion->center.y;
        m->radius = fmax(m->radius, sqrt(x * x + y * y));
    }
    m->radius *= 1 + 0x1p-50; // rounded outward
}

// No posed coordinate is larger: the centre's, its path and the radius.
static double span_of(const mover *m, double horizon) {
    const graze_planar_motion *o = m->motion;
    return fmax(fabs(o->center.x) + horizon * fabs(o->velocity.x),
                fabs(o->center.y) + horizon * fabs(o->velocity.y)) +
           m->radius;
}

// How far a computed distance may be from the true one; u = 2^-53, P the larger of both spans, s
// the largest length that the header counts (centre, path and radius: P <= 3 s).
// A vertex: u of the radius by its difference from the centre, 3 by sine and cosine (each off by 2
// u), 2 by products and sum; 3 u of centre and path by product and sum, u P by the last sum: 7 u P
// in each coordinate, 10 u P in the plane, for both shapes 20 u P. The angle is rounded, too: u
// |angle| of the radius. The distance of the posed shapes: 78 u D (polygon_distance.inl) with D <=
// 2 P, and 6 u of the larger radius. What safe_step() takes from the posed vertices (an inner
// product, its normal): 20 u P. Together below 208 u P = 1.625 * 2^-46 P, and u |angle| radius for
// each shape, stated as 2 u. A hit is what comes within twice that, so truly within three times:
// 624 u * 3 s < 2^-42 s and 5 u (angle radius + angle radius) < 2^-49 of the larger, as the header
// has it.
static double error_of(const sweep *s) {
    const mover *a = &s->a, *b = &s->b;
    double span = fmax(span_of(a, s->horizon), span_of(b, s->horizon));
    double radius = fmax(a->shape->radius, b->shape->radius);
    double turned = fabs(a->motion->turn) * a->radius + fabs(b->motion->turn) * b->radius;
    return 0x1.ap-46 * fmax(span, radius) + 0x1p-52 * s->horizon * turned;
}

// The motion with its time counted in units of 2^exponent.
static graze_planar_motion scaled(const graze_planar_motion *m, int exponent) {
    graze_planar_motion out = *m;
    out.turn = ldexp(m->turn, exponent);
    out.velocity = (graze_vec2){ldexp(m->velocity.x, exponent), ldexp(m->velocity.y, exponent)};
    return out;
}

graze_status graze_planar_sweep(const graze_planar_shape *a, const graze_planar_motion *motion_a,
                                const graze_planar_shape *b, const graze_planar_motion *motion_b,
                                double horizon, double width, int32_t steps,
                                graze_planar_sweep_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    if (result == NULL || motion_a == NULL || motion_b == NULL) return GRAZE_ERROR_ARGUMENT;
    GZ_TRY(gz_approach_check(a, motion_a->velocity, b, motion_b->velocity));
    if (!(horizon >= 0) || !(horizon < INFINITY) || !(width > 0) || steps < 1)
        return GRAZE_ERROR_RANGE;
    if (!motion_in_range(motion_a, horizon) || !motion_in_range(motion_b, horizon))
        return GRAZE_ERROR_RANGE;
    int unit;
    sweep s = {.horizon = frexp(horizon, &unit)};
    s.width = ldexp(width, -unit);
    graze_planar_motion ma = scaled(motion_a, unit), mb = scaled(motion_b, unit);
    mover_make(&s.a, a, &ma);
    mover_make(&s.b, b, &mb);
    s.error = error_of(&s);
    graze_planar_sweep_result out = {0};
    GZ_TRY(advance(&s, steps, &out));
    out.earliest = ldexp(out.earliest, unit);
    out.latest = ldexp(out.latest, unit);
    *result = out;
    return GRAZE_OK;
}
