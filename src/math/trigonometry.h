/// Sine and cosine that are the same bits on every machine, with a bound on their error.
#ifndef GZ_MATH_TRIGONOMETRY_H
#define GZ_MATH_TRIGONOMETRY_H

#define GZ_PI     3.14159265358979323846
#define GZ_TWO_PI 6.28318530717958647693

/// Largest argument: beyond it the bound does not hold and callers must refuse.
#define GZ_ANGLE_MAX 0x1p20

/// Absolute error of either result for |x| <= GZ_ANGLE_MAX (derived in trigonometry.c).
#define GZ_TRIGONOMETRY_ERROR 0x1p-52

/// sin(x) and cos(x) for |x| <= GZ_ANGLE_MAX, NaN for all others; x = 0 gives exactly 0 and 1.
void gz_sine_cosine(double x, double *sine, double *cosine);

#endif
