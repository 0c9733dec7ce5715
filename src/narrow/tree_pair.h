/// Mesh against mesh: two bounding-volume trees traversed in the frame of one of them.
#ifndef GZ_NARROW_TREE_PAIR_H
#define GZ_NARROW_TREE_PAIR_H

#include "narrow/kernel.h"

/// Sets up the relative pose and the pads. Poses are rigid up to 1e-9.
void gz_tree_pair_prepare(gz_tree_pair *pair, const graze_mesh *a, const double pose_a[12],
                          const graze_mesh *b, const double pose_b[12], bool lowest);

/// Gives a pair that gz_tree_pair_prepare() has set up a margin, GZ_MARGIN_MIN to GZ_MARGIN_MAX.
void gz_tree_pair_grow(gz_tree_pair *pair, double margin);

/// The snapped corners of a triangle, world frame.
void gz_triangle_snap(const graze_mesh *mesh, const double pose[12], uint32_t triangle,
                      double out[3][3]);

#endif
