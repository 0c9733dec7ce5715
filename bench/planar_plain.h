/// Distance and approach in the plane as plain scalar C, in float (_f) and in double (_d): what
/// single calls are measured beside. Shapes are points, segments and polygons of up to four
/// vertices, counter-clockwise, with a radius.
#ifndef PLANAR_PLAIN_H
#define PLANAR_PLAIN_H

#include <stdbool.h>

#define PLAIN_DECLARE(type, suffix)                                                                \
    typedef struct plain_vector##suffix {                                                          \
        type x, y;                                                                                 \
    } plain_vector##suffix;                                                                        \
    typedef struct plain_shape##suffix {                                                           \
        type radius;                                                                               \
        int count;                                                                                 \
        type xy[8];                                                                                \
    } plain_shape##suffix;                                                                         \
    typedef struct plain_answer##suffix {                                                          \
        type distance, time, nx, ny, ax, ay, bx, by;                                               \
        bool hit;                                                                                  \
    } plain_answer##suffix;                                                                        \
    typedef void plain_distance##suffix(const plain_shape##suffix *a,                              \
                                        const plain_shape##suffix *b, plain_answer##suffix *out);  \
    typedef void plain_approach##suffix(const plain_shape##suffix *a, plain_vector##suffix va,     \
                                        const plain_shape##suffix *b, plain_vector##suffix vb,     \
                                        type horizon, plain_answer##suffix *out);                  \
    plain_distance##suffix plain_circles##suffix, plain_circle_capsule##suffix,                    \
        plain_polygons##suffix;                                                                    \
    plain_approach##suffix plain_circles_approach##suffix, plain_circle_capsule_approach##suffix,  \
        plain_polygons_approach##suffix;

#ifdef __cplusplus
extern "C" {
#endif

PLAIN_DECLARE(float, _f)
PLAIN_DECLARE(double, _d)

#ifdef __cplusplus
}
#endif

#endif
