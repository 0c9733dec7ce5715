/// One posed shape against another: whether they collide, and where.
#ifndef GZ_NARROW_SHAPE_PAIR_H
#define GZ_NARROW_SHAPE_PAIR_H

#include "graze/check.h"
#include "mesh/shape.h"
#include "narrow/curved/curved.h"
#include "narrow/kernel.h"

/// How much to find out about a pair that overlaps.
typedef enum gz_detail {
    GZ_DETAIL_NONE,   ///< that it does
    GZ_DETAIL_PAIR,   ///< and which is the lowest element, or object
    GZ_DETAIL_PLACE,  ///< and where some of it does; below, points and segments are left 0
    GZ_DETAIL_WITNESS ///< and its lowest triangles
} gz_detail;

/// How a pair is tested.
typedef struct gz_shape_rule {
    const gz_kernels *kernels;
    graze_policy policy_a, policy_b; ///< how each side counts
    double margin;                   ///< shapes collide when they are not farther apart; 0 is exact
    gz_detail detail;
    bool prefiltered;             ///< the proxies of two meshes have been tested, without a result
    uint64_t *left;               ///< work that may still be done; NULL: no limit
    const gz_triangle_sink *sink; ///< with GZ_DETAIL_WITNESS: gets every pair of triangles that
                                  ///< collides; NULL: none
} gz_shape_rule;

/// Where two shapes overlap; triangles are -1 where the shape is curved, or contains the other.
typedef struct gz_shape_contact {
    bool contained;
    int64_t triangle_a, triangle_b;
    bool has_segment;
    double segment[2][3];
    double point[3];
} gz_shape_contact;

/// A curved shape, snapped.
gz_curved gz_shape_place_curved(const gz_shape *shape, const double pose[12]);

/// A curved shape in a mesh's frame: the box around its axis, and its radius. The shape lies within
/// `radius` of its axis (a cylinder, too), so what is farther from the axis's box is apart from the
/// shape. A box around all of it would let the corners of a large ball's box overlap everything.
typedef struct gz_rounded_box {
    gz_box axis;
    double end[2][3]; ///< of the axis
    double pad;       ///< by how much all that is rounded may be off
    float radius;     ///< pad and margin included
    float square;
} gz_rounded_box;

/// `pose` is the mesh's.
gz_rounded_box gz_rounded_box_make(const gz_curved *s, double margin, const double pose[12],
                                   const graze_mesh *mesh);

/// Whether two posed shapes collide. `contact` is filled when they do, but not the place where the
/// rule has a sink. False where the work that was left is spent, too. Allocates nothing.
bool gz_shapes_collide(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                       const double pose_b[12], const gz_shape_rule *rule,
                       gz_shape_contact *contact, graze_stats *stats);

#endif
