// The least and the greatest distance from a point to a segment, smoothed or not, with gradients.
//
// With e = b - a, t = (c - a).e / e.e, s = saturation(t), p = a + s e, v = p - c: the least
// distance is d = |v|, its gradient by a point n = v / |v| times what the point does to p:
//   dp = (1 - s) da + s db + e s' dt,   dt = ((dc - da).e + (c - a).(db - da) - 2 t e.(db - da)) /
//   e.e
// Without smoothing the last term of dp drops out: inside the segment n is across e, beyond it
// s' = 0.

#include "base/error.h"
#include "base/float_environment.h"
#include "planar/smooth/smooth_internal.h"

// Below this part of the size, what has no gradient is near.
#define NEAR 0x1p-16

/// |v|, or sqrt(v.v + width^2), above |v| by at most the width; and its gradient.
typedef struct norm {
    double value;
    graze_vec2 gradient;
} norm;

static norm norm_of(graze_vec2 v, double width) {
    norm n = {hypot(hypot(v.x, v.y), width), {0, 0}};
    // At 0 without smoothing there is no gradient: 0 is one of its limits' mean values.
    if (n.value > 0) n.gradient = (graze_vec2){v.x / n.value, v.y / n.value};
    return n;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double extent(graze_vec2 v) {
    return larger(fabs(v.x), fabs(v.y));
}

void gz_measure_add(graze_planar_measure *target, double factor,
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
    bool has_length = length > larger(GZ_SMOOTH_SHORTEST, GZ_SMOOTH_SHORTEST_PART * size);
    bool coincident = !(has_length && length > NEAR * size);
    // In units of the length: e.e alone would leave the doubles for the shortest segments.
    graze_vec2 unit = has_length ? (graze_vec2){e.x / length, e.y / length} : (graze_vec2){0, 0};
    double t = has_length ? gz_vec2_dot(f, unit) / length : 0;
    graze_planar_slope s = gz_smooth_saturation(t, width.saturation);
    range->t = t;
    range->s = s.value;
    range->nearest = gz_vec2_add_scaled(a, s.value, e);
    // From the nearer end, so that nothing is lost where the centre is close to it.
    graze_vec2 v = s.value <= 0.5 ? gz_vec2_add_scaled((graze_vec2){-f.x, -f.y}, s.value, e)
                                  : gz_vec2_add_scaled(gz_vec2_minus(b, c), s.value - 1, e);
    norm n = norm_of(v, width.length);
    graze_planar_measure *least = &range->least;
    *least = (graze_planar_measure){.value = n.value,
                                    .error = 0.5 * width.saturation * length + width.length};
    least->by_a = gz_vec2_add_scaled((graze_vec2){0, 0}, 1 - s.value, n.gradient);
    least->by_b = gz_vec2_add_scaled((graze_vec2){0, 0}, s.value, n.gradient);
    least->by_center = (graze_vec2){-n.gradient.x, -n.gradient.y};
    if (width.saturation > 0 && has_length) {
        // n.e s' / |e|^2 times the gradient of t e.e: by c, e; by b, f - 2 t e; by a, minus both.
        double k = gz_vec2_dot(n.gradient, unit) * s.derivative;
        graze_vec2 by_b = gz_vec2_add_scaled((graze_vec2){f.x / length, f.y / length}, -2 * t,
                                             unit);
        least->by_center = gz_vec2_add_scaled(least->by_center, k, unit);
        least->by_b = gz_vec2_add_scaled(least->by_b, k, by_b);
        least->by_a = gz_vec2_add_scaled(least->by_a, -k, by_b);
        least->by_a = gz_vec2_add_scaled(least->by_a, -k, unit);
    }
    if (coincident) least->flags |= GRAZE_PLANAR_FLAG_COINCIDENT;
    if (width.length == 0 && !(n.value > NEAR * size)) least->flags |= GRAZE_PLANAR_FLAG_CENTER;
}

/// The greatest distance is that of an end: max(x, y), smoothed (x + y + sqrt((x - y)^2 + w^2))
/// / 2. Error: at most w / 2 over the norms, and w over the distances for those.
static void find_greatest(graze_vec2 a, graze_vec2 b, graze_vec2 c, graze_planar_smoothing width,
                          double size, graze_planar_measure *greatest) {
    norm at_a = norm_of(gz_vec2_minus(a, c), width.length);
    norm at_b = norm_of(gz_vec2_minus(b, c), width.length);
    double gap = at_a.value - at_b.value;
    double share = gz_smooth_step(gap, width.length).value; // of a in the gradient
    double over = width.length > 0
                      ? 0.5 * width.length * (width.length / (hypot(gap, width.length) + fabs(gap)))
                      : 0;
    *greatest = (graze_planar_measure){.value = larger(at_a.value, at_b.value) + over,
                                       .error = 1.5 * width.length};
    greatest->by_a = (graze_vec2){share * at_a.gradient.x, share * at_a.gradient.y};
    greatest->by_b = (graze_vec2){(1 - share) * at_b.gradient.x, (1 - share) * at_b.gradient.y};
    greatest->by_center = gz_vec2_add_scaled((graze_vec2){-greatest->by_a.x, -greatest->by_a.y}, -1,
                                             greatest->by_b);
    if (width.length > 0) return;
    if (!(fabs(gap) > NEAR * size)) greatest->flags |= GRAZE_PLANAR_FLAG_TIE;
    if (!(greatest->value > NEAR * size)) greatest->flags |= GRAZE_PLANAR_FLAG_CENTER;
}

void gz_segment_range(graze_vec2 a, graze_vec2 b, graze_vec2 center,
                      const graze_planar_smoothing *smoothing, graze_planar_segment_range *range) {
    graze_planar_smoothing width = smoothing ? *smoothing : (graze_planar_smoothing){0};
    double size = larger(larger(extent(gz_vec2_minus(b, a)), extent(gz_vec2_minus(center, a))),
                         extent(gz_vec2_minus(center, b)));
    find_least(a, b, center, width, size, range);
    find_greatest(a, b, center, width, size, &range->greatest);
}

// ----------------------------------------------------------------------------------- the interface

graze_status gz_smooth_check(const char *name, double value, double least, graze_error *error) {
    if (value >= least && value <= GZ_SMOOTH_MAX) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE, "%s is %g; allowed: %s%g to 2^100", name, value,
                   least < 0 ? "finite, " : "", least);
}

graze_status gz_smooth_check_point(const char *name, graze_vec2 p, graze_error *error) {
    if (fabs(p.x) <= GZ_SMOOTH_MAX && fabs(p.y) <= GZ_SMOOTH_MAX) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE,
                   "%s is (%g, %g); allowed: finite, magnitude at most 2^100", name, p.x, p.y);
}

graze_status gz_smooth_check_widths(const graze_planar_smoothing *smoothing, graze_error *error) {
    if (!smoothing) return GRAZE_OK;
    graze_status status = gz_smooth_check("the width of the saturation", smoothing->saturation, 0,
                                          error);
    if (status) return status;
    return gz_smooth_check("the width of lengths", smoothing->length, 0, error);
}

graze_status graze_planar_segment_range_find(graze_vec2 a, graze_vec2 b, graze_vec2 center,
                                             const graze_planar_smoothing *smoothing,
                                             graze_planar_segment_range *range,
                                             graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!range) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "range is NULL; allowed: a place");
    *range = (graze_planar_segment_range){0};
    graze_status status = gz_smooth_check_point("the segment's first end", a, error);
    if (!status) status = gz_smooth_check_point("the segment's second end", b, error);
    if (!status) status = gz_smooth_check_point("the centre", center, error);
    if (!status) status = gz_smooth_check_widths(smoothing, error);
    if (status) return status;
    gz_segment_range(a, b, center, smoothing, range);
    return GRAZE_OK;
}
