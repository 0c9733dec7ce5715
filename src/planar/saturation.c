// The smooth step and the smooth saturation (docs/planar.md proves their bounds).

#include <math.h>

#include "base/float_environment.h"
#include "graze/planar_smooth.h"
#include "planar/smooth/smooth_internal.h"

/// (1 + t / r) / 2 without cancellation for t < 0: there it is w^2 / (2 r (r - t)).
static double step_value(double t, double width, double r) {
    if (t >= 0) return isinf(t) ? 1 : 0.5 + 0.5 * (t / r);
    return 0.5 * (width / r) * (width / (r - t));
}

graze_planar_slope gz_smooth_step(double t, double width) {
    if (!(width >= 0) || isnan(t)) return (graze_planar_slope){NAN, NAN};
    if (width == 0) return (graze_planar_slope){t > 0 ? 1 : t < 0 ? 0 : 0.5, 0};
    // hypot neither overflows nor underflows where the squares would.
    double r = hypot(t, width);
    double slant = width / r;
    return (graze_planar_slope){step_value(t, width, r), 0.5 * slant * slant / r};
}

/// (t + sqrt(t^2 + w^2)) / 2 - max(t, 0), which is w^2 / (2 (r + |t|)): above 0, at most w / 2.
static double ramp_excess(double t, double width) {
    return 0.5 * width * (width / (hypot(t, width) + fabs(t)));
}

graze_planar_slope gz_smooth_saturation(double t, double width) {
    if (!(width >= 0) || isnan(t)) return (graze_planar_slope){NAN, NAN};
    double value = t <= 0 ? 0 : t >= 1 ? 1 : t;
    if (width == 0) {
        double derivative = t > 0 && t < 1 ? 1 : t == 0 || t == 1 ? 0.5 : 0;
        return (graze_planar_slope){value, derivative};
    }
    // The exact value lies inside (0, 1); rounding may reach the ends, and goes no further.
    value += ramp_excess(t, width) - ramp_excess(t - 1, width);
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    // step(t) - step(t - 1) = step(t) + step(1 - t) - 1; each difference is taken where its terms
    // are small, which is below 0 and above 1.
    double derivative = t < 0.5
                            ? gz_smooth_step(t, width).value - gz_smooth_step(t - 1, width).value
                            : gz_smooth_step(1 - t, width).value - gz_smooth_step(-t, width).value;
    return (graze_planar_slope){value, derivative < 0 ? 0 : derivative};
}

graze_planar_slope graze_planar_step(double t, double width) {
    GZ_FLOAT_ENVIRONMENT;
    return gz_smooth_step(t, width);
}

graze_planar_slope graze_planar_saturation(double t, double width) {
    GZ_FLOAT_ENVIRONMENT;
    return gz_smooth_saturation(t, width);
}
