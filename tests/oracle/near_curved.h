/// Two shapes, one of them moved along a line, for near_curved.c: drawing them, asking the engine,
/// and asking the oracle.
#ifndef GRAZE_TESTS_NEAR_CURVED_H
#define GRAZE_TESTS_NEAR_CURVED_H

#include "base/random.h"
#include "cylinder_distance.h"
#include "mesh/shape.h"
#include "rational_distance.h"

/// A shape, drawn and placed.
typedef struct near_subject {
    const char *name;
    graze_shape kind; ///< GRAZE_SHAPE_MESH: one triangle
    gz_shape shape;
    double corner[8][3]; ///< own frame: corners of a triangle or a box, ends of an axis
    graze_transform pose;
    double snapped[8][3]; ///< world frame
    double radius;        ///< 0 for triangles and boxes
    double full_radius;   ///< of all of it from the own frame's origin
} near_subject;

typedef struct near_pair {
    near_subject one, other;
    bool tip; ///< near_pair_draw_tip() draws it
    double margin;
    double start[3], direction[3]; ///< other's translation at the parameter x: start + x direction
    double far;                    ///< a parameter at which they are surely apart
    double span;                   ///< as docs/shapes.md defines it, or more
    rational_distance *rational;
    cylinder_distance *cylinders;
    double cylinder_excess; ///< at this place, or NaN
} near_pair;

/// The rows; NULL after the last.
const char *near_pair_name(size_t row);
near_pair *near_pair_create(size_t row);
void near_pair_free(near_pair *pair);

/// Draws sizes, poses, a margin and a line. At the parameter 0 the two mostly overlap.
void near_pair_draw(near_pair *pair, gz_random *random);
/// Draws a cylinder and a triangle of which a corner stands at the plane of a cap, or a few ulps
/// over it, mostly with the axis through the triangle. There is no line: they stay where they are.
void near_pair_draw_tip(near_pair *pair, gz_random *random);
void near_pair_place(near_pair *pair, double x);

/// The engine's verdict, the two in either order.
bool near_pair_query(const near_pair *pair, bool swapped);
/// Whether the solids as snapped are at most margin + extra apart (extra >= 0).
bool near_pair_within(near_pair *pair, double extra);
/// Whether a subject is made of triangles: a box or a triangle.
bool near_pair_has_triangles(const near_subject *s);
/// Whether what is free here was proved free with an allowance of 2^-47 of the span.
bool near_pair_has_allowance(const near_pair *pair);

#endif
