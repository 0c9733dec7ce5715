// A segment against a disk and its circle, as g <= 0.
//
// The exact parts are sums of +-d or +-D, +-R and the margin. Smoothed d and D are never below the
// exact ones, so +d and +D stay on the safe side by themselves, and -d and -D are lifted by their
// whole error bound. So g - error <= g_exact <= g for every part, for their greatest and, after a
// lift of half a width, for their least.

#include "base/error.h"
#include "base/float_environment.h"
#include "planar/smooth/smooth_internal.h"

#define NEAR 0x1p-16 // as in segment_range.c

typedef struct problem {
    graze_planar_segment_range range;
    graze_planar_smoothing width;
    graze_vec2 a, b;
    double length, radius, margin;
} problem;

/// sign (distance - R) + margin, on the safe side.
static graze_planar_measure part_of(const problem *p, const graze_planar_measure *distance,
                                    double sign) {
    graze_planar_measure g = {.value = p->margin - sign * p->radius, .by_radius = -sign};
    gz_measure_add(&g, sign, distance);
    if (sign < 0) g.value += distance->error;
    return g;
}

/// The lift of -d is w |b - a| / 2 and the width of lengths: the first part has a gradient.
static void add_gradient_of_lift(const problem *p, graze_planar_measure *g) {
    if (!(p->length > GZ_SMOOTH_SHORTEST)) return;
    graze_vec2 e = gz_vec2_minus(p->b, p->a);
    graze_vec2 unit = {e.x / p->length, e.y / p->length};
    g->by_b = gz_vec2_add_scaled(g->by_b, 0.5 * p->width.saturation, unit);
    g->by_a = gz_vec2_add_scaled(g->by_a, -0.5 * p->width.saturation, unit);
}

/// The greatest (sign 1) or the least (-1) of two parts: (x + y + sign sqrt((x - y)^2 + w^2)) / 2,
/// and the least lifted by w / 2.
static graze_planar_measure blend(const graze_planar_measure *x, const graze_planar_measure *y,
                                  double sign, double width, double size) {
    double gap = x->value - y->value;
    double share = gz_smooth_step(sign * gap, width).value;
    double over = width > 0 ? 0.5 * width * (width / (hypot(gap, width) + fabs(gap))) : 0;
    graze_planar_measure g = {0};
    gz_measure_add(&g, share, x);
    gz_measure_add(&g, 1 - share, y);
    bool first = sign * gap >= 0;
    g.value = (first ? x->value : y->value) + (sign > 0 ? over : 0.5 * width - over);
    // Both parts may be high by their errors, and the blend by half its width.
    g.error = (x->error > y->error ? x->error : y->error) + 0.5 * width;
    // What the losing part cannot do is no concern without smoothing, unless they are level.
    if (width == 0) {
        bool level = !(fabs(gap) > NEAR * size);
        g.flags = level ? x->flags | y->flags | GRAZE_PLANAR_FLAG_BRANCH
                        : (first ? x->flags : y->flags);
    }
    return g;
}

void gz_segment_constraint(graze_planar_relation relation, graze_vec2 a, graze_vec2 b,
                           graze_vec2 center, double radius, double margin,
                           const graze_planar_smoothing *smoothing, graze_planar_constraint *out) {
    problem p = {.a = a, .b = b, .radius = radius, .margin = margin};
    p.width = smoothing ? *smoothing : (graze_planar_smoothing){0};
    p.length = hypot(b.x - a.x, b.y - a.y);
    gz_segment_range(a, b, center, &p.width, &p.range);
    bool clear = relation == GRAZE_PLANAR_CLEAR_OF_DISK || relation == GRAZE_PLANAR_CLEAR_OF_CIRCLE;
    bool circle = relation == GRAZE_PLANAR_CLEAR_OF_CIRCLE || relation == GRAZE_PLANAR_MEETS_CIRCLE;
    *out = (graze_planar_constraint){.part_count = 1, .choice = clear && circle};
    // Clear: d >= R; meets: d <= R.
    out->part[0] = part_of(&p, &p.range.least, clear ? -1 : 1);
    if (clear) add_gradient_of_lift(&p, &out->part[0]);
    out->whole = out->part[0];
    // A segment longer than the diameter cannot be inside: D >= |b - a| / 2 > R.
    if (!circle || (clear && p.length > 2 * radius)) {
        out->choice = false;
        return;
    }
    // Clear: D <= R; meets: D >= R.
    out->part_count = 2;
    out->part[1] = part_of(&p, &p.range.greatest, clear ? 1 : -1);
    double size = p.range.greatest.value > radius ? p.range.greatest.value : radius;
    out->whole = blend(&out->part[0], &out->part[1], clear ? -1 : 1, p.width.length, size);
}

graze_status gz_constraint_check(graze_planar_relation relation, graze_vec2 center, double radius,
                                 double margin, const graze_planar_smoothing *smoothing,
                                 graze_error *error) {
    if ((int)relation < 0 || (int)relation > (int)GRAZE_PLANAR_MEETS_CIRCLE) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "relation is %d; allowed: 0 to 3",
                       (int)relation);
    }
    graze_status status = gz_smooth_check_point("the centre", center, error);
    if (!status) status = gz_smooth_check("the radius", radius, 0, error);
    if (!status) status = gz_smooth_check("the margin", margin, -GZ_SMOOTH_MAX, error);
    if (!status) status = gz_smooth_check_widths(smoothing, error);
    return status;
}

graze_status graze_planar_segment_constraint(graze_planar_relation relation, graze_vec2 a,
                                             graze_vec2 b, graze_vec2 center, double radius,
                                             double margin, const graze_planar_smoothing *smoothing,
                                             graze_planar_constraint *out, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL; allowed: a place");
    *out = (graze_planar_constraint){0};
    graze_status status = gz_constraint_check(relation, center, radius, margin, smoothing, error);
    if (!status) status = gz_smooth_check_point("the segment's first end", a, error);
    if (!status) status = gz_smooth_check_point("the segment's second end", b, error);
    if (status) return status;
    gz_segment_constraint(relation, a, b, center, radius, margin, smoothing, out);
    return GRAZE_OK;
}
