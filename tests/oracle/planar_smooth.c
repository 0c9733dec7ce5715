// The smooth constraints of the plane against their definitions, in long double.
//
// Bounds: the smooth step and saturation against the exact ones, the smoothed distances and
// constraints against the exact ones within the errors that they state. Gradients: against central
// differences of an implementation of its own, by end points, centre and radius, and through the
// joints of arms; within 1e-6, or flagged.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/planar_smooth.h"

typedef long double real;

// -------------------------------------------------------------------------------------- oracle

static real oracle_clamp(real t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/// (t + sqrt(t^2 + w^2)) / 2 less the same at t - 1: the definition, subtraction and all.
static real oracle_saturation(real t, real w) {
    real r0 = sqrtl(t * t + w * w), r1 = sqrtl((t - 1) * (t - 1) + w * w);
    return w == 0 ? oracle_clamp(t) : (1 + r0 - r1) / 2;
}

/// x: ax ay bx by cx cy R.
typedef struct oracle_value {
    real least, greatest;
} oracle_value;

static oracle_value oracle_range(const real x[7], const graze_planar_smoothing *w) {
    real ex = x[2] - x[0], ey = x[3] - x[1], fx = x[4] - x[0], fy = x[5] - x[1];
    real ee = ex * ex + ey * ey, t = ee > 0 ? (ex * fx + ey * fy) / ee : 0;
    real s = oracle_saturation(t, w->saturation), l = w->length;
    real vx = s * ex - fx, vy = s * ey - fy;
    real da = sqrtl(fx * fx + fy * fy + l * l);
    real gx = x[4] - x[2], gy = x[5] - x[3], db = sqrtl(gx * gx + gy * gy + l * l);
    oracle_value v = {sqrtl(vx * vx + vy * vy + l * l),
                      (da + db + sqrtl((da - db) * (da - db) + l * l)) / 2};
    return v;
}

/// The whole constraint, by its definition in docs/planar.md.
static real oracle_constraint(graze_planar_relation relation, const real x[7], real margin,
                              const graze_planar_smoothing *w) {
    oracle_value v = oracle_range(x, w);
    real ex = x[2] - x[0], ey = x[3] - x[1], length = sqrtl(ex * ex + ey * ey), r = x[6];
    real lift = w->saturation * length / 2 + w->length, l = w->length;
    real outside = r - v.least + lift + margin, reaches = v.least - r + margin;
    real inside = v.greatest - r + margin, beyond = r - v.greatest + 1.5L * l + margin;
    real gap;
    switch (relation) {
    case GRAZE_PLANAR_CLEAR_OF_DISK:
        return outside;
    case GRAZE_PLANAR_OVERLAPS_DISK:
        return reaches;
    case GRAZE_PLANAR_CLEAR_OF_CIRCLE:
        if (length > 2 * r) return outside;
        gap = outside - inside;
        return (outside + inside - sqrtl(gap * gap + l * l) + l) / 2;
    case GRAZE_PLANAR_INTERSECTS_CIRCLE:
        gap = reaches - beyond;
        return (reaches + beyond + sqrtl(gap * gap + l * l)) / 2;
    }
    return NAN;
}

/// Whether the relation holds, by the definition of the distances alone; `slack` either way is
/// neither.
static int oracle_holds(graze_planar_relation relation, const real x[7], real slack) {
    const graze_planar_smoothing none = {0, 0};
    oracle_value v = oracle_range(x, &none);
    real r = x[6];
    real wanted = relation == GRAZE_PLANAR_CLEAR_OF_DISK     ? v.least - r
                  : relation == GRAZE_PLANAR_OVERLAPS_DISK   ? r - v.least
                  : relation == GRAZE_PLANAR_CLEAR_OF_CIRCLE ? fmaxl(v.least - r, r - v.greatest)
                                                             : fminl(r - v.least, v.greatest - r);
    return wanted > slack ? 1 : wanted < -slack ? 0 : -1;
}

// --------------------------------------------------------------------------------------- cases

typedef struct tally {
    uint64_t samples, flagged, wrong;
    double worst;
} tally;

static void note(tally *t, double off, double allowed, const char *what, const real x[7]) {
    static int shown;
    if (off > t->worst || isnan(off)) t->worst = off;
    if (off <= allowed) return;
    t->wrong++;
    if (shown++ < 10) {
        fprintf(stderr, "%s: off by %g, allowed %g at", what, off, allowed);
        for (int i = 0; x != NULL && i < 7; i++) fprintf(stderr, " %.17Lg", x[i]);
        fprintf(stderr, "\n");
    }
}

static double range(gz_random *r, double low, double high) {
    return gz_random_range(r, low, high);
}

/// Segments of many kinds near a disk of radius about 1, scaled.
static void make_case(gz_random *r, real x[7], double *scale) {
    double a[7];
    for (int i = 0; i < 6; i++) a[i] = range(r, -2, 2);
    a[6] = range(r, 0, 1.5);
    switch (gz_random_below(r, 8)) {
    case 0: // short
        for (int i = 0; i < 2; i++)
            a[2 + i] = a[i] + ldexp(range(r, -1, 1), -(int)gz_random_below(r, 20));
        break;
    case 1: // the centre close to the segment
    case 2: {
        double t = range(r, -0.2, 1.2), off = ldexp(range(r, -1, 1), -(int)gz_random_below(r, 25));
        a[4] = a[0] + t * (a[2] - a[0]) - off * (a[3] - a[1]);
        a[5] = a[1] + t * (a[3] - a[1]) + off * (a[2] - a[0]);
        break;
    }
    case 3: // ends about equally far
        a[4] = (a[0] + a[2]) / 2 + ldexp(range(r, -1, 1), -(int)gz_random_below(r, 30));
        a[5] = (a[1] + a[3]) / 2 + ldexp(range(r, -1, 1), -(int)gz_random_below(r, 30));
        break;
    case 4: // the projection on an end
        a[4] = a[0] - range(r, -2, 2) * (a[3] - a[1]);
        a[5] = a[1] + range(r, -2, 2) * (a[2] - a[0]);
        break;
    default:
        break;
    }
    *scale = gz_random_below(r, 4) == 0 ? ldexp(1, (int)gz_random_below(r, 61) - 30) : 1;
    for (int i = 0; i < 7; i++) x[i] = (real)(double)(a[i] * *scale);
}

static graze_planar_smoothing make_widths(gz_random *r, double scale) {
    graze_planar_smoothing w = {0, 0};
    if (gz_random_below(r, 2)) w.saturation = ldexp(range(r, 0.5, 1), -(int)gz_random_below(r, 8));
    if (gz_random_below(r, 2))
        w.length = ldexp(range(r, 0.5, 1), -(int)gz_random_below(r, 8)) * scale;
    return w;
}

static graze_vec2 point(const real *x) {
    return (graze_vec2){(double)x[0], (double)x[1]};
}

// ------------------------------------------------------------------------------------- judging

/// The saturation and the step alone.
static void judge_saturation(gz_random *r, tally *t) {
    double width = ldexp(range(r, 0.5, 1), 3 - (int)gz_random_below(r, 40));
    double at = gz_random_below(r, 2) ? range(r, -3, 4)
                                      : ldexp(range(r, -1, 1), 8 - (int)gz_random_below(r, 40));
    graze_planar_slope s = graze_planar_saturation(at, width), p = graze_planar_step(at, width);
    const double ulps = 0x1p-50 * (1 + width);
    t->samples++;
    double exact = at < 0 ? 0 : at > 1 ? 1 : at;
    note(t, fabs(s.value - exact), width / 2 + ulps, "saturation's bound", NULL);
    note(t, s.value >= 0 && s.value <= 1 ? 0 : 1, 0, "saturation's range", NULL);
    double step = at > 0 ? 1 : 0, bound = fmin(0.5, width * width / (4 * at * at));
    note(t, fabs(p.value - step), bound * (1 + 0x1p-50) + 0x1p-52, "step's bound", NULL);
    // Values and derivatives by the definition.
    note(t, (double)fabsl(s.value - oracle_saturation(at, width)), ulps + fabs(at) * 0x1p-60,
         "saturation's value", NULL);
    real r0 = sqrtl((real)at * at + (real)width * width);
    real r1 = sqrtl((real)(at - 1) * (at - 1) + (real)width * width);
    real slope = ((real)at / r0 - ((real)at - 1) / r1) / 2;
    note(t, (double)fabsl(s.derivative - slope), 0x1p-50, "saturation's slope", NULL);
    real steep = (real)width / r0 * ((real)width / r0) / (2 * r0);
    note(t, (double)fabsl((p.derivative - steep) / steep), 0x1p-49, "step's slope", NULL);
    // Increasing, up to rounding.
    note(t, graze_planar_saturation(nextafter(at, 9), width).value >= s.value - ulps ? 0 : 1, 0,
         "saturation increases", NULL);
}

/// Values: against the definition, within the stated error of the exact one, and safe.
static void judge_values(gz_random *r, tally *t) {
    real x[7];
    double scale;
    make_case(r, x, &scale);
    graze_planar_smoothing w = make_widths(r, scale);
    const graze_planar_smoothing none = {0, 0};
    double tiny = 1e-13 * scale, margin = range(r, -0.1, 0.1) * scale;
    graze_planar_segment_range got;
    t->samples++;
    if (graze_planar_segment_range_find(point(x), point(x + 2), point(x + 4), &w, &got, NULL)) {
        t->wrong++;
        return;
    }
    oracle_value exact = oracle_range(x, &none);
    double low = (double)(got.least.value - exact.least);
    note(t, fmax(-low, low - got.least.error) / scale, 1e-13, "least distance's bound", x);
    double high = (double)(got.greatest.value - exact.greatest);
    note(t, fmax(-high, high - got.greatest.error) / scale, 1e-13, "greatest distance's bound", x);
    for (int k = 0; k < 4; k++) {
        graze_planar_constraint c;
        graze_planar_relation relation = (graze_planar_relation)k;
        if (graze_planar_segment_constraint(relation, point(x), point(x + 2), point(x + 4),
                                            (double)x[6], margin, &w, &c, NULL)) {
            t->wrong++;
            continue;
        }
        bool coincident = (c.term[0].flags & GRAZE_PLANAR_FLAG_COINCIDENT) != 0;
        real defined = oracle_constraint(relation, x, margin, &w);
        real without = oracle_constraint(relation, x, margin, &none);
        // The projection on a segment of next to no length is ill-defined where it is smoothed.
        if (!coincident || w.saturation == 0) {
            note(t, (double)fabsl(c.whole.value - defined) / scale, 1e-12, "constraint's value", x);
        }
        double over = (double)(c.whole.value - without);
        note(t, fmax(-over, over - c.whole.error) / scale, 1e-12, "constraint's bound", x);
        int holds = oracle_holds(relation, x, margin + tiny);
        if (c.whole.value <= 0 && holds == 0 && margin >= 0) note(t, 1, 0, "constraint is safe", x);
        int clearly = oracle_holds(relation, x, fabs(margin) + c.whole.error + tiny);
        if (clearly == 1 && c.whole.value > 0) note(t, 1, 0, "constraint is met", x);
    }
}

/// The gradient by the seven numbers against central differences.
static void judge_gradient(gz_random *r, tally *t) {
    real x[7];
    double scale;
    make_case(r, x, &scale);
    graze_planar_smoothing w = make_widths(r, scale);
    graze_planar_relation relation = (graze_planar_relation)gz_random_below(r, 4);
    graze_planar_constraint c;
    t->samples++;
    if (graze_planar_segment_constraint(relation, point(x), point(x + 2), point(x + 4),
                                        (double)x[6], 0, &w, &c, NULL)) {
        t->wrong++;
        return;
    }
    if (c.whole.flags != 0) {
        t->flagged++;
        return;
    }
    const graze_planar_measure *g = &c.whole;
    const double ours[7] = {g->by_a.x,      g->by_a.y,      g->by_b.x,   g->by_b.y,
                            g->by_center.x, g->by_center.y, g->by_radius};
    real h = 1e-11L * (real)scale;
    real ex = x[2] - x[0], ey = x[3] - x[1];
    // Where one inequality becomes two, values jump: by design, and for links never.
    if (relation == GRAZE_PLANAR_CLEAR_OF_CIRCLE &&
        fabsl(sqrtl(ex * ex + ey * ey) - 2 * x[6]) < 4 * h) {
        t->flagged++;
        return;
    }
    for (int i = 0; i < 7; i++) {
        real up[7], down[7];
        memcpy(up, x, sizeof up);
        memcpy(down, x, sizeof down);
        up[i] += h;
        down[i] -= h;
        real slope = (oracle_constraint(relation, up, 0, &w) -
                      oracle_constraint(relation, down, 0, &w)) /
                     (2 * h);
        double size = fmax(1, (double)fabsl(slope));
        note(t, (double)fabsl(ours[i] - slope) / size, 1e-6, "gradient", x);
    }
}

#define LINKS 6

static void arm_points(const real q[LINKS], const double lengths[LINKS], int link, real x[7]) {
    real angle = 0, px = x[0], py = x[1];
    for (int i = 0; i <= link; i++) {
        angle += q[i];
        x[0] = px;
        x[1] = py;
        px += (real)lengths[i] * cosl(angle);
        py += (real)lengths[i] * sinl(angle);
    }
    x[2] = px;
    x[3] = py;
}

/// The gradient by the joints of an arm.
static void judge_arm(gz_random *r, tally *t) {
    double lengths[LINKS], q[LINKS], gradient[LINKS];
    int links = 1 + (int)gz_random_below(r, LINKS), link = (int)gz_random_below(r, (uint32_t)links);
    for (int i = 0; i < links; i++) {
        lengths[i] = range(r, 0.05, 1.5);
        q[i] = range(r, -3.2, 3.2);
    }
    graze_planar_arm arm = {{range(r, -1, 1), range(r, -1, 1)}, lengths, links};
    graze_vec2 center = {range(r, -2, 2), range(r, -2, 2)};
    double radius = range(r, 0, 1.5);
    graze_planar_smoothing w = make_widths(r, 1);
    graze_planar_relation relation = (graze_planar_relation)gz_random_below(r, 4);
    graze_planar_constraint c;
    t->samples++;
    if (graze_planar_arm_constraint(&arm, q, link, relation, center, radius, 0, &w, &c, gradient,
                                    NULL)) {
        t->wrong++;
        return;
    }
    if (c.whole.flags != 0 || fabs(lengths[link] - 2 * radius) < 1e-9) {
        t->flagged++;
        return;
    }
    const real h = 1e-11L;
    for (int i = 0; i < links; i++) {
        real side[2];
        for (int k = 0; k < 2; k++) {
            real x[7] = {arm.base.x, arm.base.y, 0, 0, center.x, center.y, radius}, moved[LINKS];
            for (int j = 0; j < links; j++) moved[j] = q[j] + (j == i ? (k == 0 ? -h : h) : 0);
            arm_points(moved, lengths, link, x);
            side[k] = oracle_constraint(relation, x, 0, &w);
        }
        real slope = (side[1] - side[0]) / (2 * h);
        double size = fmax(1, (double)fabsl(slope));
        note(t, (double)fabsl(gradient[i] - slope) / size, 1e-6, "gradient by a joint", NULL);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*judge)(gz_random *r, tally *t);
    } parts[] = {{"saturation, step", judge_saturation},
                 {"values and bounds", judge_values},
                 {"gradients", judge_gradient},
                 {"gradients by joints", judge_arm}};
    uint64_t samples = 1000000, seed = 1, wrong = 0;
    bool many_flagged = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--samples") == 0) samples = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 10);
    }
    printf("%-20s %10s %9s %8s %10s\n", "what", "samples", "flagged", "wrong", "worst");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        gz_random random = gz_random_make(seed, k);
        tally t = {0};
        for (uint64_t i = 0; i < samples; i++) parts[k].judge(&random, &t);
        printf("%-20s %10llu %9llu %8llu %10.3g\n", parts[k].name, (unsigned long long)t.samples,
               (unsigned long long)t.flagged, (unsigned long long)t.wrong, t.worst);
        wrong += t.wrong;
        many_flagged |= t.flagged > t.samples / 5;
    }
    printf("%llu wrong\n", (unsigned long long)wrong);
    return wrong > 0 || many_flagged;
}
