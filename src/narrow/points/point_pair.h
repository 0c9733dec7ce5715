/// A posed shape against a cloud of points with a radius.
///
/// The verdicts are those of gz_shapes_collide() for each ball: the trees only leave out what is
/// certainly apart, and the same exact tests decide the rest.
#ifndef GZ_NARROW_POINTS_POINT_PAIR_H
#define GZ_NARROW_POINTS_POINT_PAIR_H

#include "mesh/bvh/point_tree.h"
#include "narrow/shape_pair.h"

typedef struct gz_point_query {
    const gz_shape *shape;
    const double *pose; ///< of the shape: 12 numbers, rigid up to 1e-9
    const gz_point_tree *tree;
    const double *points; ///< x y z each, that the tree was built over
    const double *points_pose;
    double radius;             ///< of each point, above 0
    const gz_shape_rule *rule; ///< policy_a is that of the shape
    const double *low, *high;  ///< world frame: balls whose boxes do not overlap this are left out
    uint32_t limit;            ///< only points below count; UINT32_MAX for all
    bool lowest;               ///< find the lowest point, not any
} gz_point_query;

/// Points and an oriented box of the world.
typedef struct gz_point_box_query {
    const gz_point_tree *tree;
    const double *points_pose;
    double radius; ///< of each point
    const graze_obb *box;
    double margin;           ///< how far apart they may be
    const double *shrinking; ///< NULL, or what `accepts` lowers that margin to, meanwhile
    const gz_kernels *kernels;
} gz_point_box_query;

/// Whether some ball may be within the threshold of the box; false is a proof that all are farther
/// from it. Equal for every instruction set.
bool gz_points_near_box(const gz_point_box_query *query, graze_stats *stats);

/// The lowest point that `accepts` returns true for, or -1. It is called for points whose balls may
/// be within `margin` of the box, as few as the tree can find, and must accept no other. Of points
/// that are within `margin`, but not within what it has lowered that to, it is called for some.
int64_t gz_points_lowest_near_box(const gz_point_box_query *query,
                                  bool (*accepts)(const void *user, uint32_t point),
                                  const void *user, graze_stats *stats);

/// A point whose ball collides with the shape, or -1. Allocates nothing. Equal for every
/// instruction set. Cost: logarithmic in the points, but for what is near the shape.
int64_t gz_point_pair_find(const gz_point_query *query, graze_stats *stats);

#endif
