// B-splines as trajectories: each span between two knots as a Bezier piece.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "motion/trajectory_internal.h"

/// The points and knots of a column.
typedef struct spline {
    size_t degree;
    const double *knots;
    const double *points; ///< of the column, `stride` numbers apart
    size_t stride;
} spline;

/// The value of the polar form on the span behind knot i: `ups` of its arguments are the next knot,
/// the others knot i (de Boor's algorithm with an argument for each round; Farin, Curves and
/// Surfaces for CAGD, 2002, section 8.4). No weight is outside of [0, 1].
static double blossom(const spline *s, size_t i, size_t ups) {
    double b[GRAZE_TRAJECTORY_DEGREE_MAX + 1] = {0};
    size_t d = s->degree, first = i - d;
    for (size_t j = 0; j <= d; j++) b[j] = s->points[(first + j) * s->stride];
    for (size_t round = 1; round <= d; round++) {
        double u = s->knots[round <= ups ? i + 1 : i];
        for (size_t j = d; j >= round; j--) {
            double low = s->knots[first + j], high = s->knots[first + j + d + 1 - round];
            double a = (u - low) / (high - low);
            b[j] = (1 - a) * b[j - 1] + a * b[j];
        }
    }
    return b[d];
}

static graze_status fail_knot(size_t i, double value, const char *allowed, graze_error *error) {
    char element[64];
    snprintf(element, sizeof element, "knot %zu", i);
    return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = element},
                      "it is %g s; allowed: %s", value, allowed);
}

/// Checks the knots; counts the spans that are longer than 0 between the two ends of the curve.
static graze_status count_spans(size_t degree, size_t count, const double *knots, size_t *spans,
                                graze_error *error) {
    *spans = 0;
    for (size_t i = 0; i < count + degree + 1; i++) {
        if (!isfinite(knots[i])) return fail_knot(i, knots[i], "finite", error);
        if (i > 0 && knots[i] < knots[i - 1])
            return fail_knot(i, knots[i], "no less than the knot before", error);
        bool inner = i > degree && i < count;
        if (inner && knots[i] == knots[i - degree])
            return fail_knot(i, knots[i], "up to as many equal inner knots as the degree", error);
        if (i > degree && i <= count) *spans += knots[i] > knots[i - 1];
    }
    return *spans ? GRAZE_OK : fail_knot(count, knots[count], "later than the curve begins", error);
}

/// Writes the control points of all pieces of columns that are `width` wide.
static void fill(size_t degree, size_t count, const double *knots, const double *points,
                 size_t width, double *out) {
    for (size_t i = degree; i < count; i++) {
        if (!(knots[i + 1] > knots[i])) continue;
        for (size_t row = 0; row <= degree; row++)
            for (size_t k = 0; k < width; k++)
                *out++ = blossom(&(spline){degree, knots, points + k, width}, i, row);
    }
}

graze_status graze_trajectory_from_spline(graze_trajectory **out, const graze_robot *robot,
                                          uint32_t degree, size_t count, const double *knots,
                                          const double *q, const double *base, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    size_t spans;
    if (!out || !robot || !knots || (!q && robot->column_count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, robot, knots or q is NULL");
    *out = NULL;
    if (degree < 1 || degree > GRAZE_TRAJECTORY_DEGREE_MAX || count <= degree)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "degree is %u and there are %zu control points; allowed: 1 to %d, and more "
                       "than the degree",
                       degree, count, GRAZE_TRAJECTORY_DEGREE_MAX);
    GZ_TRY(count_spans(degree, count, knots, &spans, error));
    size_t n = robot->column_count, rows = spans * (degree + 1);
    double *times = gz_malloc(spans + 1 + rows * (n + 6), sizeof *times);
    if (!times) return gz_fail_memory(error);
    double *own_q = times + spans + 1, *own_base = own_q + rows * n, *time = times;
    *time++ = knots[degree];
    for (size_t i = degree; i < count; i++)
        if (knots[i + 1] > knots[i]) *time++ = knots[i + 1];
    fill(degree, count, knots, q, n, own_q);
    if (base) fill(degree, count, knots, base, 6, own_base);
    graze_status status = graze_trajectory_from_bezier(out, robot, degree, spans, times, own_q,
                                                       base ? own_base : NULL, error);
    gz_free(times);
    return status;
}
