/// How deep two shapes overlap: bounds of the length of the shortest translation that parts them.
#ifndef GZ_NARROW_DISTANCE_SHAPE_DEPTH_H
#define GZ_NARROW_DISTANCE_SHAPE_DEPTH_H

#include "narrow/distance/shape_distance.h"

typedef struct gz_depth {
    double lower, upper; ///< metres
    double escape[3];    ///< moved by that, of length `upper` but for rounding, b is free of a
} gz_depth;

/// Bounds the depth of two shapes that overlap under the policies of the rule. The upper bound is
/// the length of a translation at whose end the tests of the rule prove the two to be farther apart
/// than GZ_DEPTH_MARGIN. The lower one is the sum of the distances of a point inside of both from
/// both surfaces: balls of these radii about it, of which one is moved, meet until they are moved
/// by that much. 0 for curved shapes, and where the policy of the outer is `surface`. Allocates
/// nothing. Cost: some tenths of a millisecond, and a microsecond for each vertex near the other.
gz_depth gz_shapes_depth(const gz_placed *a, const gz_placed *b, const gz_shape_rule *rule);

#define GZ_DEPTH_MARGIN 1e-9

#endif
