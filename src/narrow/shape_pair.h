/// One posed shape against another: whether they meet, and where.
#ifndef GZ_NARROW_SHAPE_PAIR_H
#define GZ_NARROW_SHAPE_PAIR_H

#include "graze/check.h"
#include "mesh/shape.h"
#include "narrow/kernel.h"

/// How to look.
typedef struct gz_shape_rule {
    const gz_kernels *kernels;
    graze_policy policy_a, policy_b; ///< how each side counts
    double margin;                   ///< shapes collide when they are not farther apart; 0 is exact
    bool witness;                    ///< find the lowest triangles, not any
    bool place;       ///< say where the shapes meet; else points and segments are left 0
    bool prefiltered; ///< the sketches of two meshes were asked, and told nothing
} gz_shape_rule;

/// Where two shapes meet; triangles are -1 where the shape is curved, or contains the other.
typedef struct gz_shape_contact {
    bool contained;
    int64_t triangle_a, triangle_b;
    bool has_segment;
    double segment[2][3];
    double point[3];
} gz_shape_contact;

/// Whether two posed shapes collide. `meeting` is filled when they do. Allocates nothing.
bool gz_shapes_collide(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                       const double pose_b[12], const gz_shape_rule *rule,
                       gz_shape_contact *meeting, graze_stats *stats);

#endif
