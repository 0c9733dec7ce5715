// Speeds along a path: reachability analysis (Pham and Pham 2018, sections III and IV).
//
// With x the square of the speed ds/dt and u the acceleration d2s/dt2, a column's velocity is
// q' sqrt(x) and its acceleration q' u + q'' x: limits are linear in u and x. On a cell of length
// h, u is constant, and x at its end is x + 2 h u. Backward, the greatest x is found from which the
// end can be reached within the limits; forward, u is as great as they allow.
#include <float.h>
#include <math.h>

#include "plan/timing_internal.h"

// Halvings of an interval of speeds.
enum { HALVINGS = 60 };

/// The interval of u that is allowed on a cell.
typedef struct interval {
    double low, high;
} interval;

/// Cuts off what |c u + r| <= limit does not allow.
static void restrict_to(interval *i, double c, double r, double limit) {
    double low = -limit - r, high = limit - r;
    if (fabs(c) < DBL_MIN) {
        if (low > 0 || high < 0) *i = (interval){1, -1};
        return;
    }
    double a = low / c, b = high / c;
    i->low = fmax(i->low, fmin(a, b));
    i->high = fmin(i->high, fmax(a, b));
}

/// What is allowed where the cell begins with x and must end with at most `next`.
static interval allowed(const gz_timed_path *p, const gz_path_cell *cell, double x, double next) {
    double twice = 2 * (cell->to - cell->from);
    interval i = {-x / twice, (next - x) / twice};
    for (size_t k = 0; k < p->width; k++)
        for (int end = 0; end < 2; end++) {
            double first, second;
            gz_timed_path_slope(p, p->spans + cell->span, end ? cell->to : cell->from, k, &first,
                                &second);
            double c = first + (end ? twice * second : 0);
            if (first != 0 || second != 0) restrict_to(&i, c, second * x, p->accelerations[k]);
        }
    return i;
}

/// The greatest x at a knot that velocities allow, on the side of a cell.
static double fastest(const gz_timed_path *p, const gz_path_cell *cell, double at) {
    double most = INFINITY;
    for (size_t k = 0; k < p->width; k++) {
        double first, second;
        gz_timed_path_slope(p, p->spans + cell->span, at, k, &first, &second);
        double speed = p->velocities[k] / fabs(first);
        if (first != 0) most = fmin(most, speed * speed);
    }
    return most;
}

/// The greatest x from which `next` can be had; 0 always can.
static double controllable(const gz_timed_path *p, const gz_path_cell *cell, double most,
                           double next) {
    interval i = allowed(p, cell, most, next);
    if (i.low <= i.high) return most;
    double low = 0, high = most;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        i = allowed(p, cell, middle, next);
        if (i.low <= i.high)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void gz_timed_path_speeds(gz_timed_path *p, const bool *stops) {
    size_t n = p->cell_count;
    double *x = p->speeds;
    x[n] = 0;
    for (size_t i = n; i-- > 0;) {
        double most = fastest(p, p->cells + i, p->cells[i].from);
        if (i > 0) most = fmin(most, fastest(p, p->cells + i - 1, p->cells[i - 1].to));
        // A curve without velocity somewhere: what a cell at full speed could take.
        if (!isfinite(most)) most = 1e12;
        x[i] = i == 0 || stops[i] ? 0 : controllable(p, p->cells + i, most, x[i + 1]);
    }
    for (size_t i = 0; i < n; i++) {
        interval u = allowed(p, p->cells + i, x[i], x[i + 1]);
        double next = x[i] + 2 * (p->cells[i].to - p->cells[i].from) * u.high;
        x[i + 1] = fmin(x[i + 1], fmax(next, 0));
    }
}
