// Smooth distances and constraints of segments and planar arms, with gradients. First the smooth
// step and the smooth saturation (docs/planar.md proves their bounds).

#include <math.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "graze/planar_smooth.h"
#include "math/trigonometry.h"
#include "planar/shapes/shape_internal.h"

/// Ends no farther apart than this, or this share of the size, count as one point: a length without
/// all its digits gives no direction, and the place along the line would leave the doubles.
#define SHORTEST       0x1p-1000
#define SHORTEST_SHARE 0x1p-900

/// (1 + t / r) / 2 without cancellation for t < 0: there it is w^2 / (2 r (r - t)).
static double step_value(double t, double width, double r) {
    if (t >= 0) return isinf(t) ? 1 : 0.5 + 0.5 * (t / r);
    return 0.5 * (width / r) * (width / (r - t));
}

static graze_planar_slope smooth_step(double t, double width) {
    if (!(width >= 0) || isnan(t)) return (graze_planar_slope){NAN, NAN};
    if (width == 0) return (graze_planar_slope){t > 0 ? 1 : t < 0 ? 0 : 0.5, 0};
    // hypot neither overflows nor underflows where the squares would.
    double r = hypot(t, width);
    double slant = width / r;
    return (graze_planar_slope){step_value(t, width, r), 0.5 * slant * slant / r};
}

/// (t + sqrt(t^2 + w^2)) / 2 - max(t, 0), which is w^2 / (2 (r + |t|)): at most w / 2; 0 for w = 0.
static double ramp_excess(double t, double width) {
    return width > 0 ? 0.5 * width * (width / (hypot(t, width) + fabs(t))) : 0;
}

static graze_planar_slope smooth_saturation(double t, double width) {
    if (!(width >= 0) || isnan(t)) return (graze_planar_slope){NAN, NAN};
    double value = t <= 0 ? 0 : t >= 1 ? 1 : t;
    if (width == 0) {
        double derivative = t > 0 && t < 1 ? 1 : t == 0 || t == 1 ? 0.5 : 0;
        return (graze_planar_slope){value, derivative};
    }
    // The exact value lies inside (0, 1); rounding may reach the ends, and goes no further.
    value += ramp_excess(t, width) - ramp_excess(t - 1, width);
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    // step(t) - step(t - 1) = step(t) + step(1 - t) - 1, each taken where its terms are small.
    double derivative = t < 0.5 ? smooth_step(t, width).value - smooth_step(t - 1, width).value
                                : smooth_step(1 - t, width).value - smooth_step(-t, width).value;
    return (graze_planar_slope){value, derivative < 0 ? 0 : derivative};
}

graze_planar_slope graze_planar_step(double t, double width) {
    GZ_FLOAT_ENVIRONMENT;
    return smooth_step(t, width);
}

graze_planar_slope graze_planar_saturation(double t, double width) {
    GZ_FLOAT_ENVIRONMENT;
    return smooth_saturation(t, width);
}

// The least and the greatest distance from a point to a segment, smoothed or not, with gradients.
//
// With e, t, s of docs/planar.md, p = a + s e, v = p - c: the least distance is d = |v|, its
// gradient by a point n = v / |v| times what the point does to p: dp = (1 - s) da + s db + e s' dt,
//   dt = ((dc - da).e + (c - a).(db - da) - 2 t e.(db - da)) / e.e
// Without smoothing the last term of dp is 0: inside the segment n is across e, beyond it s' = 0.

// A length below this part of the size counts as near a place without a gradient.
#define NEAR 0x1p-16

/// |v|, or sqrt(v.v + width^2), above |v| by at most the width; and its gradient.
static double norm_of(graze_vec2 v, double width, graze_vec2 *gradient) {
    double n = hypot(hypot(v.x, v.y), width);
    // At 0 without smoothing there is no gradient: 0 is one of its limits' mean values.
    *gradient = n > 0 ? (graze_vec2){v.x / n, v.y / n} : (graze_vec2){0, 0};
    return n;
}

static double extent(graze_vec2 v) {
    return fmax(fabs(v.x), fabs(v.y));
}

/// target += factor * source; errors by the factor's magnitude, flags united.
static void measure_add(graze_planar_measure *target, double factor,
                        const graze_planar_measure *source) {
    target->value += factor * source->value;
    target->error += fabs(factor) * source->error;
    target->by_a = gz_vec2_add_scaled(target->by_a, factor, source->by_a);
    target->by_b = gz_vec2_add_scaled(target->by_b, factor, source->by_b);
    target->by_center = gz_vec2_add_scaled(target->by_center, factor, source->by_center);
    target->by_radius += factor * source->by_radius;
    target->flags |= source->flags;
}

/// The least distance. Error: s is off by at most w / 2 (docs/planar.md), so p by |e| w / 2 and |v|
/// with it; the norm adds at most its width. Both only add: p is a point of the segment.
static void find_least(graze_vec2 a, graze_vec2 b, graze_vec2 c, graze_planar_smoothing width,
                       double size, graze_planar_segment_range *range) {
    graze_vec2 e = gz_vec2_minus(b, a), f = gz_vec2_minus(c, a);
    double length = hypot(e.x, e.y);
    bool has_length = length > fmax(SHORTEST, SHORTEST_SHARE * size);
    bool coincident = !(has_length && length > NEAR * size);
    // In units of the length: e.e alone would leave the doubles for the shortest segments.
    graze_vec2 unit = has_length ? (graze_vec2){e.x / length, e.y / length} : (graze_vec2){0, 0};
    double t = has_length ? gz_vec2_dot(f, unit) / length : 0;
    graze_planar_slope s = smooth_saturation(t, width.saturation);
    range->t = t;
    range->s = s.value;
    range->nearest = gz_vec2_add_scaled(a, s.value, e);
    // From the nearer end, so that nothing is lost where the centre is close to it.
    graze_vec2 v = s.value <= 0.5 ? gz_vec2_add_scaled((graze_vec2){-f.x, -f.y}, s.value, e)
                                  : gz_vec2_add_scaled(gz_vec2_minus(b, c), s.value - 1, e);
    graze_vec2 n;
    double norm = norm_of(v, width.length, &n);
    graze_planar_measure *least = &range->least;
    *least = (graze_planar_measure){.value = norm,
                                    .error = 0.5 * width.saturation * length + width.length};
    least->by_a = gz_vec2_add_scaled((graze_vec2){0, 0}, 1 - s.value, n);
    least->by_b = gz_vec2_add_scaled((graze_vec2){0, 0}, s.value, n);
    least->by_center = (graze_vec2){-n.x, -n.y};
    if (width.saturation > 0 && has_length) {
        // n.e s' / |e|^2 times the gradient of t e.e: by c, e; by b, f - 2 t e; by a, minus both.
        double k = gz_vec2_dot(n, unit) * s.derivative;
        graze_vec2 by_b = gz_vec2_add_scaled((graze_vec2){f.x / length, f.y / length}, -2 * t,
                                             unit);
        least->by_center = gz_vec2_add_scaled(least->by_center, k, unit);
        least->by_b = gz_vec2_add_scaled(least->by_b, k, by_b);
        least->by_a = gz_vec2_add_scaled(least->by_a, -k, by_b);
        least->by_a = gz_vec2_add_scaled(least->by_a, -k, unit);
    }
    if (coincident) least->flags |= GRAZE_PLANAR_FLAG_COINCIDENT;
    if (width.length == 0 && !(norm > NEAR * size)) least->flags |= GRAZE_PLANAR_FLAG_CENTER;
}

/// The greatest (sign 1) or the least (-1) of two parts: (x + y + sign sqrt((x - y)^2 + w^2)) / 2,
/// and the least lifted by w / 2.
static graze_planar_measure blend(const graze_planar_measure *x, const graze_planar_measure *y,
                                  double sign, double width, double size, uint32_t level_flag) {
    double gap = x->value - y->value;
    double share = smooth_step(sign * gap, width).value;
    double excess = ramp_excess(gap, width);
    graze_planar_measure g = {0};
    measure_add(&g, share, x);
    measure_add(&g, 1 - share, y);
    bool first = sign * gap >= 0;
    g.value = (first ? x->value : y->value) + (sign > 0 ? excess : 0.5 * width - excess);
    // Both parts may be high by their errors, and the blend by half its width.
    g.error = fmax(x->error, y->error) + 0.5 * width;
    // Without smoothing only the winning part's flags count, unless both are level.
    if (width == 0) {
        bool level = !(fabs(gap) > NEAR * size);
        g.flags = level ? x->flags | y->flags | level_flag : (first ? x->flags : y->flags);
    }
    return g;
}

/// The distance of an end, with its gradients; the norm adds at most its width.
static graze_planar_measure end_distance(graze_vec2 end, bool first, graze_vec2 c, double width) {
    graze_vec2 n;
    graze_planar_measure m = {.value = norm_of(gz_vec2_minus(end, c), width, &n), .error = width};
    *(first ? &m.by_a : &m.by_b) = n;
    m.by_center = (graze_vec2){-n.x, -n.y};
    return m;
}

/// The greatest distance is that of an end.
static void find_greatest(graze_vec2 a, graze_vec2 b, graze_vec2 c, double width, double size,
                          graze_planar_measure *greatest) {
    graze_planar_measure at_a = end_distance(a, true, c, width),
                         at_b = end_distance(b, false, c, width);
    *greatest = blend(&at_a, &at_b, 1, width, size, GRAZE_PLANAR_FLAG_TIE);
    if (width == 0 && !(greatest->value > NEAR * size)) greatest->flags |= GRAZE_PLANAR_FLAG_CENTER;
}

static void segment_range(graze_vec2 a, graze_vec2 b, graze_vec2 center,
                          const graze_planar_smoothing *smoothing,
                          graze_planar_segment_range *range) {
    graze_planar_smoothing width = smoothing ? *smoothing : (graze_planar_smoothing){0};
    double size = fmax(fmax(extent(gz_vec2_minus(b, a)), extent(gz_vec2_minus(center, a))),
                       extent(gz_vec2_minus(center, b)));
    find_least(a, b, center, width, size, range);
    find_greatest(a, b, center, width.length, size, &range->greatest);
}

// ----------------------------------------------------------------------------------- the interface

static graze_status smooth_check(const char *name, double value, double least, graze_error *error) {
    return gz_planar_range_check(name, value, least, GRAZE_PLANAR_COORDINATE_MAX,
                                 least < 0 ? "-2^100 to 2^100" : "0 to 2^100", error);
}

static graze_status check_point(const char *name, graze_vec2 p, graze_error *error) {
    if (gz_planar_point_ok(p)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE,
                   "%s is (%g, %g); allowed: finite, magnitude at most 2^100", name, p.x, p.y);
}

static graze_status check_ends(graze_vec2 a, graze_vec2 b, graze_error *error) {
    GZ_TRY(check_point("the segment's first end", a, error));
    return check_point("the segment's second end", b, error);
}

/// NULL is allowed, and stands for no smoothing.
static graze_status check_widths(const graze_planar_smoothing *smoothing, graze_error *error) {
    if (!smoothing) return GRAZE_OK;
    GZ_TRY(smooth_check("the width of the saturation", smoothing->saturation, 0, error));
    return smooth_check("the width of lengths", smoothing->length, 0, error);
}

graze_status graze_planar_segment_range_find(graze_vec2 a, graze_vec2 b, graze_vec2 center,
                                             const graze_planar_smoothing *smoothing,
                                             graze_planar_segment_range *range,
                                             graze_error *error) {
    GZ_ENTER(error);
    if (!range) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "range is NULL; allowed: a place");
    *range = (graze_planar_segment_range){0};
    GZ_TRY(check_ends(a, b, error));
    GZ_TRY(check_point("the centre", center, error));
    GZ_TRY(check_widths(smoothing, error));
    segment_range(a, b, center, smoothing, range);
    return GRAZE_OK;
}

// A segment against a disk and its circle, as g <= 0.
//
// The exact parts are sums of +-d or +-D, +-R and the margin; -d and -D are lifted by their whole
// error bound, so that g - error <= g_exact <= g (docs/planar.md) for every part, for their
// greatest and, after a lift of half a width, for their least.

typedef struct problem {
    graze_planar_segment_range range;
    graze_planar_smoothing width;
    graze_vec2 a, b;
    double length, radius, margin;
} problem;

/// sign (distance - R) + margin, on the safe side.
static graze_planar_measure inequality_of(const problem *p, const graze_planar_measure *distance,
                                          double sign) {
    graze_planar_measure g = {.value = p->margin - sign * p->radius, .by_radius = -sign};
    measure_add(&g, sign, distance);
    if (sign < 0) g.value += distance->error;
    return g;
}

/// The lift of -d is w |b - a| / 2 and the width of lengths: the first part has a gradient.
static void add_gradient_of_lift(const problem *p, graze_planar_measure *g) {
    if (!(p->length > SHORTEST)) return;
    graze_vec2 e = gz_vec2_minus(p->b, p->a);
    graze_vec2 unit = {e.x / p->length, e.y / p->length};
    g->by_b = gz_vec2_add_scaled(g->by_b, 0.5 * p->width.saturation, unit);
    g->by_a = gz_vec2_add_scaled(g->by_a, -0.5 * p->width.saturation, unit);
}

static void segment_constraint(graze_planar_relation relation, graze_vec2 a, graze_vec2 b,
                               graze_vec2 center, double radius, double margin,
                               const graze_planar_smoothing *smoothing,
                               graze_planar_constraint *out) {
    problem p = {.a = a, .b = b, .radius = radius, .margin = margin};
    p.width = smoothing ? *smoothing : (graze_planar_smoothing){0};
    p.length = hypot(b.x - a.x, b.y - a.y);
    segment_range(a, b, center, &p.width, &p.range);
    bool clear = relation == GRAZE_PLANAR_CLEAR_OF_DISK || relation == GRAZE_PLANAR_CLEAR_OF_CIRCLE;
    bool circle = relation == GRAZE_PLANAR_CLEAR_OF_CIRCLE || relation == GRAZE_PLANAR_MEETS_CIRCLE;
    *out = (graze_planar_constraint){.part_count = 1, .choice = clear && circle};
    // Clear: d >= R; meets: d <= R.
    out->part[0] = inequality_of(&p, &p.range.least, clear ? -1 : 1);
    if (clear) add_gradient_of_lift(&p, &out->part[0]);
    out->whole = out->part[0];
    // A segment longer than the diameter cannot be inside: D >= |b - a| / 2 > R.
    if (!circle || (clear && p.length > 2 * radius)) {
        out->choice = false;
        return;
    }
    // Clear: D <= R; meets: D >= R.
    out->part_count = 2;
    out->part[1] = inequality_of(&p, &p.range.greatest, clear ? 1 : -1);
    out->whole = blend(&out->part[0], &out->part[1], clear ? -1 : 1, p.width.length,
                       fmax(p.range.greatest.value, radius), GRAZE_PLANAR_FLAG_BRANCH);
}

static graze_status check_constraint(graze_planar_relation relation, graze_vec2 center,
                                     double radius, double margin,
                                     const graze_planar_smoothing *smoothing, graze_error *error) {
    if ((int)relation < 0 || (int)relation > (int)GRAZE_PLANAR_MEETS_CIRCLE)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "relation is %d; allowed: 0 to 3",
                       (int)relation);
    GZ_TRY(check_point("the centre", center, error));
    GZ_TRY(smooth_check("the radius", radius, 0, error));
    GZ_TRY(smooth_check("the margin", margin, -GRAZE_PLANAR_COORDINATE_MAX, error));
    return check_widths(smoothing, error);
}

graze_status graze_planar_segment_constraint(graze_planar_relation relation, graze_vec2 a,
                                             graze_vec2 b, graze_vec2 center, double radius,
                                             double margin, const graze_planar_smoothing *smoothing,
                                             graze_planar_constraint *out, graze_error *error) {
    GZ_ENTER(error);
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL; allowed: a place");
    *out = (graze_planar_constraint){0};
    GZ_TRY(check_constraint(relation, center, radius, margin, smoothing, error));
    GZ_TRY(check_ends(a, b, error));
    segment_constraint(relation, a, b, center, radius, margin, smoothing, out);
    return GRAZE_OK;
}

// A planar arm: where its joints are, and the constraints of its links by its angles.

static graze_status check_arm(const graze_planar_arm *arm, const double *q, graze_error *error) {
    if (!arm || !q || !arm->lengths) return gz_planar_fail_null(error);
    if (arm->link_count < 1 || arm->link_count > GRAZE_PLANAR_LINK_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the arm has %d links; allowed: 1 to %d",
                       (int)arm->link_count, GRAZE_PLANAR_LINK_MAX);
    GZ_TRY(check_point("the arm's base", arm->base, error));
    double angle = 0;
    for (int32_t i = 0; i < arm->link_count; i++) {
        angle += q[i];
        if (!(fabs(angle) <= GZ_ANGLE_MAX))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the angles up to joint %d sum to %g; allowed: magnitude at most 2^20",
                           (int)i, angle);
        GZ_TRY(smooth_check("a link's length", arm->lengths[i], 0, error));
    }
    return GRAZE_OK;
}

/// Positions of the joints and the tip. 64 links of 2^100 stay far inside the range of doubles.
static void arm_points(const graze_planar_arm *arm, const double *q, int32_t count,
                       graze_vec2 *points) {
    double angle = 0;
    points[0] = arm->base;
    for (int32_t i = 0; i < count; i++) {
        double sine, cosine;
        angle += q[i];
        gz_sine_cosine(angle, &sine, &cosine);
        points[i + 1] = gz_vec2_add_scaled(points[i], arm->lengths[i], (graze_vec2){cosine, sine});
    }
}

graze_status graze_planar_arm_points(const graze_planar_arm *arm, const double *q,
                                     graze_vec2 *points, graze_error *error) {
    GZ_ENTER(error);
    if (!points) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "points is NULL; allowed: a place");
    GZ_TRY(check_arm(arm, q, error));
    arm_points(arm, q, arm->link_count, points);
    return GRAZE_OK;
}

/// Turning at joint j moves a point behind it across its distance from the joint.
static double turned(graze_vec2 gradient, graze_vec2 point, graze_vec2 joint) {
    return gradient.y * (point.x - joint.x) - gradient.x * (point.y - joint.y);
}

graze_status graze_planar_arm_constraint(const graze_planar_arm *arm, const double *q, int32_t link,
                                         graze_planar_relation relation, graze_vec2 center,
                                         double radius, double margin,
                                         const graze_planar_smoothing *smoothing,
                                         graze_planar_constraint *out, double *gradient,
                                         graze_error *error) {
    GZ_ENTER(error);
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL; allowed: a place");
    *out = (graze_planar_constraint){0};
    GZ_TRY(check_arm(arm, q, error));
    GZ_TRY(check_constraint(relation, center, radius, margin, smoothing, error));
    if (link < 0 || link >= arm->link_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "link is %d; allowed: 0 to %d", (int)link,
                       (int)arm->link_count - 1);
    graze_vec2 points[GRAZE_PLANAR_LINK_MAX + 1];
    arm_points(arm, q, link + 1, points);
    graze_vec2 a = points[link], b = points[link + 1];
    segment_constraint(relation, a, b, center, radius, margin, smoothing, out);
    for (int32_t j = 0; gradient && j < arm->link_count; j++) {
        gradient[j] = j > link ? 0
                               : turned(out->whole.by_a, a, points[j]) +
                                     turned(out->whole.by_b, b, points[j]);
    }
    return GRAZE_OK;
}
