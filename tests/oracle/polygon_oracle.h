// Whether two convex polygons of the plane have a common point, in exact arithmetic.
#ifndef POLYGON_ORACLE_H
#define POLYGON_ORACLE_H

#include <stdbool.h>

#include "graze/planar_shape.h"

#define POLYGON_ORACLE_MAX 48

// Counter-clockwise and strictly convex, or two different points, or one.
typedef struct polygon_oracle_polygon {
    graze_vec2 v[POLYGON_ORACLE_MAX];
    int32_t count;
} polygon_oracle_polygon;

typedef struct polygon_oracle polygon_oracle;

polygon_oracle *polygon_oracle_create(void);
void polygon_oracle_free(polygon_oracle *o);

// Whether a and b + shift have a common point; the sum is exact too.
bool polygon_oracle_overlap(polygon_oracle *o, const polygon_oracle_polygon *a,
                            const polygon_oracle_polygon *b, graze_vec2 shift);

#endif
