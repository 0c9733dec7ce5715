/// @file planar_shape.h
/// Shapes in the plane: convex polygons of up to 16 vertices with a radius.
#ifndef GRAZE_PLANAR_SHAPE_H
#define GRAZE_PLANAR_SHAPE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most vertices of one convex shape.
#define GRAZE_PLANAR_VERTEX_MAX 16

/// A point or direction in the plane, metres unless said otherwise.
typedef struct graze_vec2 {
    double x, y;
} graze_vec2;

/// A rigid transform of the plane: p' = (c p.x - s p.y + x, s p.x + c p.y + y), c^2 + s^2 = 1.
typedef struct graze_transform2 {
    double c, s;
    double x, y;
} graze_transform2;

/// The points within `radius` of a convex polygon: a circle is one vertex, a capsule two, a rounded
/// rectangle four. Vertices run counter-clockwise and are the corners of their hull; the arrays
/// beyond `count` repeat the last vertex, so that lanes may read them. Make one with the functions
/// below; a plain value, copied freely.
typedef struct graze_planar_shape {
    double x[GRAZE_PLANAR_VERTEX_MAX], y[GRAZE_PLANAR_VERTEX_MAX];
    double radius;
    int32_t count;
} graze_planar_shape;

#ifdef __cplusplus
}
#endif

#endif
