// States through which a path may be shorter than a bound.
//
// The sum of the distances from the start and to the goal is below the bound in a prolate spheroid
// with these as foci: its longest half axis is half the bound, the others are root(bound^2 -
// direct^2) / 2. A point of the unit ball is scaled by them, and reflected so that the first axis
// leads from the start to the goal. The direction is that of sums of four uniform numbers an axis,
// which are nearly normal: every direction is drawn, and only square roots are needed. The largest
// of n uniform numbers is distributed as the radius of points in a ball of n dimensions.

#include <math.h>

#include "plan/plan_internal.h"

enum { DRAWS_MAX = 100, SUMMANDS = 4 };

gz_informed_sampler gz_informed_sampler_make(const gz_plan_space *space, const double *start,
                                             const double *goal, double bound, double *memory) {
    gz_informed_sampler s = {space, start, goal, bound, memory, memory + space->dimension, 0, 0};
    double square = 0;
    for (size_t i = 0; i < space->dimension; i++) {
        double d = goal[i] - start[i];
        s.way[i] = space->axes[i].kind == GRAZE_Q_CIRCLE ? gz_wrap_angle(d) : d;
        square += s.way[i] * s.way[i];
    }
    s.direct = sqrt(square);
    s.across = 0.5 * sqrt(fmax(bound * bound - s.direct * s.direct, 0));
    return s;
}

/// A point of the unit ball.
static void draw_in_ball(gz_random *random, size_t dimension, double *out) {
    double square = 0, radius = 0;
    for (size_t i = 0; i < dimension; i++) {
        double sum = -0.5 * SUMMANDS;
        for (int k = 0; k < SUMMANDS; k++) sum += gz_random_unit(random);
        out[i] = sum;
        square += sum * sum;
        radius = fmax(radius, gz_random_unit(random));
    }
    double scale = square > 0 ? radius / sqrt(square) : 0;
    for (size_t i = 0; i < dimension; i++) out[i] *= scale;
}

/// Draws in the spheroid; false where that is outside of the ranges.
static bool draw_in_spheroid(const gz_informed_sampler *s, gz_random *random, double *state) {
    size_t n = s->space->dimension;
    const double *way = s->way, direct = s->direct;
    double *y = s->scratch;
    draw_in_ball(random, n, y);
    for (size_t i = 0; i < n; i++) y[i] *= i == 0 ? 0.5 * s->bound : s->across;
    // Reflected at the plane between the first axis and the way: v = e - way / direct.
    double vy = 0, vv = 0;
    for (size_t i = 0; i < n; i++) {
        double v = (i == 0) - (direct > 0 ? way[i] / direct : 0);
        vy += v * y[i];
        vv += v * v;
    }
    double factor = direct > 0 && vv > 0x1p-60 ? 2 * vy / vv : 0;
    for (size_t i = 0; i < n; i++) {
        const gz_axis *axis = &s->space->axes[i];
        double v = (i == 0) - (direct > 0 ? way[i] / direct : 0);
        state[i] = s->start[i] + 0.5 * way[i] + (y[i] - factor * v);
        if (axis->kind == GRAZE_Q_CIRCLE) state[i] = gz_wrap_angle(state[i]);
        if (!(state[i] >= axis->low && state[i] <= axis->high) && axis->kind == GRAZE_Q_LINE)
            return false;
    }
    return true;
}

bool gz_informed_sample(const gz_informed_sampler *s, gz_random *random, double *state) {
    for (int k = 0; k < DRAWS_MAX; k++) {
        // Quaternions have no such spheroid. Thin ones may leave the ranges nearly everywhere.
        bool whole = s->space->has_rotation || k >= DRAWS_MAX / 2;
        if (whole)
            gz_plan_space_sample(s->space, random, state);
        else if (!draw_in_spheroid(s, random, state))
            continue;
        double least = gz_plan_space_distance(s->space, s->start, state) +
                       gz_plan_space_distance(s->space, state, s->goal);
        if (least < s->bound) return true;
    }
    return false;
}
