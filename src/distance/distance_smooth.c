// A soft least distance with derivatives. With t the temperature, T the threshold, and d the
// distances of the pairs that are nearer than T,
//
//     S = -t ln(exp(-T / t) + sum of w(d)),  w(d) = exp(-d / t) - exp(-T / t) (1 + (T - d) / t),
//
// where w and its derivative are 0 at T. The soft minimum is the log-sum-exp of Boyd and
// Vandenberghe (Convex Optimization, 2004, section 3.1.5). Let m = min(T, least d), of n pairs:
// w(d) <= exp(-d / t), so that S >= m - t ln(n + 1); and with x = (T - m) / t one term alone makes
// S <= m - t ln(1 - x exp(-x)) <= m - t ln(1 - 1 / e) < m + 0.46 t.
#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/options.h"
#include "distance/distance_internal.h"

// exp(-threshold / temperature) is a normal number.
#define COLDEST 600

/// Sums are kept times exp(reference / t): the reference is the least distance, so none overflows.
static void lower_reference(gz_smooth_sum *s, size_t columns, double distance) {
    if (!(distance < s->reference)) return;
    double factor = exp((distance - s->reference) / s->temperature);
    s->sum *= factor;
    for (size_t i = 0; i < columns; i++) s->by_q[i] *= factor;
    for (int k = 0; k < 6; k++) s->by_base[k] *= factor;
    s->reference = distance;
}

void gz_smooth_add(const gz_near_query *q, const graze_proximity *pair) {
    gz_smooth_sum *s = q->smooth;
    size_t columns = q->d->checker->robot->column_count;
    double d = pair->overlap ? 0 : pair->distance.upper, t = s->temperature;
    s->count++;
    s->least = fmin(s->least, d);
    s->differentiable = s->differentiable && pair->smooth;
    if (!(d < s->threshold)) return;
    lower_reference(s, columns, d);
    double own = exp((s->reference - d) / t), cut = exp((s->reference - s->threshold) / t);
    s->sum += own - cut * (1 + (s->threshold - d) / t);
    // d S / d d, but for the sum of all.
    for (size_t i = 0; i < columns; i++) s->by_q[i] += (own - cut) * q->d->by_q[i];
    for (int k = 0; k < 6; k++) s->by_base[k] += (own - cut) * q->d->by_base[k];
}

static graze_status check_sizes(double threshold, double temperature, graze_error *error) {
    if (!(threshold > 0 && threshold < INFINITY))
        return gz_fail(error, GRAZE_ERROR_RANGE, "threshold is %g m; allowed: finite, above 0",
                       threshold);
    if (temperature >= threshold / COLDEST && temperature < INFINITY) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE, "temperature is %g m; allowed: finite, at least %g",
                   temperature, threshold / COLDEST);
}

/// Sums up, and divides by the sum.
GZ_OUT_OF_LINE static graze_status measure(const graze_checker *checker,
                                           graze_distance_workspace *d, const double *q,
                                           size_t q_count, const double *base, gz_smooth_sum *s,
                                           graze_error *error) {
    GZ_TRY(check_sizes(s->threshold, s->temperature, error));
    if (!checker || !d || d->checker != checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "checker or workspace is NULL, or the workspace is of another checker");
    size_t columns = checker->robot->column_count;
    graze_distance_options options = graze_distance_options_default();
    graze_distance_report report = {.capacity = 0};
    options.answer = GRAZE_DISTANCE_PAIRS;
    options.threshold = s->threshold;
    s->by_q = d->by_sum;
    memset(s->by_q, 0, columns * sizeof *s->by_q);
    GZ_TRY(gz_distance_measure(checker, d, q, q_count, base, &options, s, &report, error));
    for (size_t i = 0; i < columns; i++) s->by_q[i] /= s->sum;
    for (int k = 0; k < 6; k++) s->by_base[k] /= s->sum;
    return GRAZE_OK;
}

graze_status graze_distance_smooth_sized(const graze_checker *checker,
                                         graze_distance_workspace *workspace, const double *q,
                                         size_t q_count, const double *base, double threshold,
                                         double temperature, graze_smooth_clearance *clearance,
                                         size_t size, double *by_q, double *by_base,
                                         graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!clearance) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "clearance is NULL");
    graze_smooth_clearance filled = {0};
    gz_smooth_sum s = {.threshold = threshold,
                       .temperature = temperature,
                       .reference = threshold,
                       .sum = 1,
                       .least = threshold,
                       .differentiable = true,
                       .base_stands = !by_base};
    graze_status status = measure(checker, workspace, q, q_count, base, &s, error);
    if (status == GRAZE_OK) {
        filled.value = s.reference - temperature * log(s.sum);
        filled.least = s.least;
        filled.count = s.count;
        filled.differentiable = s.differentiable;
        if (by_q && q_count) memcpy(by_q, s.by_q, q_count * sizeof *by_q);
        if (by_base) memcpy(by_base, s.by_base, sizeof s.by_base);
        gz_error_clear(error);
    }
    gz_fill(clearance, size, &filled, sizeof filled);
    return status;
}
