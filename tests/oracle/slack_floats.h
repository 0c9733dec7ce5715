/// What the float filters of trees, proxies and links round, as parts of their pads: see slack.c.
/// Exact values are of long doubles, which are 2^-40 of a float's error off.
#ifndef GRAZE_TESTS_SLACK_FLOATS_H
#define GRAZE_TESTS_SLACK_FLOATS_H

#include <stdbool.h>

/// Numbers of an input: a pose (quaternion, shift), two points, a direction; or two boxes.
enum { SLACK_TRIANGLES = 16, SLACK_BOXES = 19, SLACK_PLANES = 16, SLACK_SPHERES = 6 };
enum { SLACK_CHAIN = 20 }; ///< values of joints, a base
enum { SLACK_AXIS = 9 };   ///< three points
enum { SLACK_CELLS = 13 }; ///< a pose, a place, a cell's edge and value, the map's middle

/// A pose from seven numbers; false where the quaternion has no length.
bool slack_pose(const double *x, double pose[12]);

/// The gap of two vertices along an axis, in u of S and the axis's 1-norm.
double slack_triangles(const double *x);
/// The gap of two boxes along 15 axes, in u of S.
double slack_boxes(const double *x);
/// A vertex of one proxy in the other's frame, in u of S.
double slack_vertex(const double *x);
/// The gap of two vertices along a direction that is moved into either frame, in u of S.
double slack_planes(const double *x);
/// The squared distance of two spheres' centres, in u of itself.
double slack_spheres(const double *x);
/// The place of an object's box from an origin and along its axes, in u of its size.
double slack_view(const double *x);
/// Sine and cosine in float.
double slack_sine(const double *x);

/// Distances that the kernels claim without any pad, beyond the real ones, in u of S: of a node of
/// a cloud from a box of a mesh; from a box along its own axes; of a point from an axis; and of a
/// node's box from another box, by the axes of both and along the way between them.
double slack_cloud_boxes(const double *x);
double slack_cloud_axes(const double *x);
double slack_cloud_axis(const double *x);
double slack_children(const double *x);
double slack_children_way(const double *x);
/// The radius of a ball that a map of cells calls clear, beyond the real one, of the pair's pad.
double slack_cells(const double *x);

/// The centres of the links' spheres, as the filter of eight configurations places them, of what a
/// link may be off.
double slack_chain(const double *x);
void slack_chain_begin(void);
void slack_chain_end(void);

#endif
