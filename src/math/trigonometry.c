#include "math/trigonometry.h"

#include <math.h>
#include <stdbool.h>

// pi/2 in three pieces (Cody and Waite 1980): the first two have 33 significant bits, so that their
// products with an integer below 2^20 are exact in a double; the third is rounded.
static const double HALF_PI_1 = 0x1.921fb544p+0;
static const double HALF_PI_2 = 0x1.0b4611a6p-34;
static const double HALF_PI_3 = 0x1.3198a2e037073p-69;
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;

/// x = n pi/2 + (high + low), |high| <= pi/4 + 2^-20, |low| <= 2^-54 + |n| 2^-68.7 < 2^-49.2.
///
/// n * HALF_PI_1 is exact, and so is x minus it: where n is not 0, |x| is above 1/2, so both are
/// multiples of 2^-53, and the difference is below 1. Subtracting n * HALF_PI_2 (exact product) is
/// done with its rounding error kept (two-sum). What is lost: the rounding of n * HALF_PI_3 and of
/// the low part, each below 2^-53 * 2^-49, and the tail of HALF_PI_3, below 2^20 * 2^-122.
static int reduce(double x, double *high, double *low) {
    int n = (int)(x * TWO_OVER_PI + (x < 0 ? -0.5 : 0.5));
    double k = n;
    double a = x - k * HALF_PI_1;
    double b = -(k * HALF_PI_2);
    double sum = a + b;
    double back = sum - a;
    double error = (a - (sum - back)) + (b - back);
    *high = sum;
    *low = error - k * HALF_PI_3;
    return n;
}

/// Taylor polynomials on |r| <= pi/4 + 2^-20. Truncation: r^19/19! < 2^-63 and r^18/18! < 2^-58.
/// Rounding (Horner in r^2), with v = 2^-53: the last operation rounds a value below 1 by at most
/// v/2; the correction terms are below 0.081 (sine) and 0.016 (cosine) and carry at most six
/// roundings of v of themselves, 0.5 v. The low part goes in by its first order, with 1 - r^2/2
/// for cos r (off by at most r^4/24 < 2^-5.9) and r for sin r (off by at most r^3/6 < 2^-3.6):
/// times 2^-49.2 that is below 0.22 v for the sine, 1.15 v for the cosine. All in all below 1.3 v
/// and 1.8 v: less than 2^-52.
static double sine_kernel(double r, double low) {
    double s = r * r;
    double p = 1.0 / 355687428096000.0; // 1/17!
    p = p * s - 1.0 / 1307674368000.0;  // 1/15!
    p = p * s + 1.0 / 6227020800.0;
    p = p * s - 1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return r + (s * r * p + low * (1 - 0.5 * s)); // sin(r + low)
}

static double cosine_kernel(double r, double low) {
    double s = r * r;
    double p = 1.0 / 20922789888000.0; // 1/16!
    p = p * s - 1.0 / 87178291200.0;   // 1/14!
    p = p * s + 1.0 / 479001600.0;
    p = p * s - 1.0 / 3628800.0;
    p = p * s + 1.0 / 40320.0;
    p = p * s - 1.0 / 720.0;
    p = p * s + 1.0 / 24.0;
    double half = 0.5 * s;
    double head = 1 - half; // with the rounding error of the subtraction put back
    return head + (((1 - head) - half) + (s * s * p - r * low));
}

void gz_sine_cosine(double x, double *sine, double *cosine) {
    double r, low;
    if (!(fabs(x) <= GZ_ANGLE_MAX)) { // the conversion to int would be undefined
        *sine = *cosine = NAN;
        return;
    }
    int n = reduce(x, &r, &low);
    double s = sine_kernel(r, low), c = cosine_kernel(r, low);
    switch (n & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}

/// atan(u) for |u| <= tan(pi/8) by its Taylor series. Truncation: u^45/45 < 2^-62. The sum's terms
/// fall by 0.172, so that Horner's roundings are below 3 * 2^-53 of a value below pi/8.
static double arctangent_kernel(double u) {
    double s = u * u, p = 0;
    for (int k = 21; k >= 0; k--) p = 1.0 / (2 * k + 1) - s * p;
    return u * p;
}

// The quotients carry two or three roundings of at most tan(pi/8), the additions of pi/4, pi/2 and
// pi one each of at most pi, and these constants' own: together below 2^-53 (3 + 1 + 2 + 4) <
// 2^-50.
double gz_vector_angle(double y, double x) {
    double a = fabs(y), b = fabs(x);
    if (a == 0 && b == 0) return 0;
    double t = a < b ? a / b : b / a;
    bool is_large = t > 0.41421356237309503; // tan(pi/8)
    double angle = is_large ? GZ_PI / 4 + arctangent_kernel((t - 1) / (t + 1))
                            : arctangent_kernel(t);
    if (!(a < b)) angle = GZ_PI / 2 - angle;
    if (x < 0) angle = GZ_PI - angle;
    return y < 0 ? -angle : angle;
}
