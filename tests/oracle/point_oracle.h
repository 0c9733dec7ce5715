/// Which points of a cloud meet a posed shape? Distances in doubles with a bound on their error
/// where that decides, else in integers (rational_distance.h) or 192 bits (cylinder_distance.h);
/// what is inside by crossings (crossing_number.h). Shares no code with the library.
#ifndef GRAZE_TESTS_POINT_ORACLE_H
#define GRAZE_TESTS_POINT_ORACLE_H

#include "crossing_number.h"
#include "cylinder_distance.h"
#include "graze/robot.h"
#include "rational_distance.h"

/// What a point does: at most margin + radius from the shape, or inside it; within epsilon above
/// that, where either verdict may be given; farther.
typedef enum point_state { POINT_FAR, POINT_EITHER, POINT_HIT } point_state;

typedef struct point_oracle {
    graze_geometry shape;
    bool inside, cap; ///< what is inside collides, and what only caps close in
    double terms[3];  ///< radius of the points, the margin, radius of the shape
    double limit;     ///< their sum
    double *corners;  ///< snapped
    double *boxes;    ///< low 3, high 3 per triangle
    double box[6];
    crossing_mesh crossing; ///< of meshes and boxes
    // Tools, and how often each was needed.
    gz_random random;
    rational_clip *clip;
    rational_distance *rational;
    cylinder_distance *cylinders;
    uint64_t exact; ///< points that doubles could not judge
    uint64_t held;  ///< points inside, off the surface
    uint64_t signs;
} point_oracle;

/// What the geometry points to is borrowed.
void point_oracle_init(point_oracle *oracle, const graze_geometry *shape, graze_policy policy,
                       double radius, double margin, uint64_t seed);
void point_oracle_clear(point_oracle *oracle);

/// Snaps the shape's points.
void point_oracle_place(point_oracle *oracle, const graze_transform *pose);

point_state point_oracle_evaluate(point_oracle *oracle, const double point[3]);

/// By how much a verdict may be off: docs/shapes.md.
#define POINT_EPSILON 1e-9

#endif
