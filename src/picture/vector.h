/// Arithmetic on graze_vec3 for drawing: what lies in the world, which may be far from its origin
/// and is in double. What is seen from the camera or lit is in float, by cglm (camera.h, light.h).
#ifndef GZ_PICTURE_VECTOR_H
#define GZ_PICTURE_VECTOR_H

#include <math.h>

#include "graze/types.h"

/// Without the care that fmin and fmax take of NaN, which compilers do not inline.
static inline double least(double a, double b) {
    return a < b ? a : b;
}

static inline double most(double a, double b) {
    return a > b ? a : b;
}

static inline graze_vec3 vec(double x, double y, double z) {
    return (graze_vec3){x, y, z};
}

/// The least, and the greatest, of each coordinate.
static inline graze_vec3 vec_least(graze_vec3 a, graze_vec3 b) {
    return vec(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z));
}

static inline graze_vec3 vec_most(graze_vec3 a, graze_vec3 b) {
    return vec(most(a.x, b.x), most(a.y, b.y), most(a.z, b.z));
}

static inline graze_vec3 vec_add(graze_vec3 a, graze_vec3 b) {
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline graze_vec3 vec_sub(graze_vec3 a, graze_vec3 b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline graze_vec3 vec_scale(graze_vec3 a, double s) {
    return vec(a.x * s, a.y * s, a.z * s);
}

static inline double vec_dot(graze_vec3 a, graze_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline graze_vec3 vec_cross(graze_vec3 a, graze_vec3 b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(graze_vec3 a) {
    return sqrt(vec_dot(a, a));
}

/// Of unit length; the zero vector stays.
static inline graze_vec3 vec_unit(graze_vec3 a) {
    double length = vec_length(a);
    return length > 0 ? vec_scale(a, 1 / length) : a;
}

/// The rotation of a pose, without its translation.
static inline graze_vec3 vec_rotate(const graze_transform *t, graze_vec3 a) {
    const double *m = t->m;
    return vec(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[4] * a.x + m[5] * a.y + m[6] * a.z,
               m[8] * a.x + m[9] * a.y + m[10] * a.z);
}

#endif
