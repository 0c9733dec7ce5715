/// Sine, cosine and the angle of a vector: the same bits on every machine, with bounds on their
/// error.
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

/// The angle of the vector (x, y) with the x axis, in [-pi, pi], as atan2(y, x); 0 for the vector
/// 0. Absolute error below 2^-50. Neither is NaN or infinite, nor both below 2^-1000.
double gz_vector_angle(double y, double x);

#endif
