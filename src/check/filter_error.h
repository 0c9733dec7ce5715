/// By how much do poses in float put two links wrongly to each other? Errors of a long chain of
/// joints add up, but what two links have in common, up to the body where their ways part, moves
/// both: nearly as one rigid body.
#ifndef GZ_CHECK_FILTER_ERROR_H
#define GZ_CHECK_FILTER_ERROR_H

#include "check/filter_model.h"
#include "check/workspace.h"

/// Errors of a body's float pose: of its rotation (Frobenius norm) and its translation (metres),
/// and the bound on its translation's length from the base. From parent to child the length grows
/// by 1.01 |o| or more, with |o| the joint's translation; the translation's error by the parent's
/// rotation error times |o|, and more; the rotation's error is added to.
typedef struct gz_pose_bound {
    double rotation, translation, length;
} gz_pose_bound;

/// Farthest base from the origin of the poses, metres per coordinate, that the filters cover.
#define GZ_FILTER_BASE_MAX 4.0

/// One step of the bound, from a body's parent to the body.
gz_pose_bound gz_pose_bound_next(const gz_pose_bound *parent, const gz_filter_body *body);

/// One side of a pair.
typedef struct gz_pair_side {
    const gz_link *link;
    double error; ///< how far its bounds are off, of which 1.01 times the body's translation error
    const gz_pose_bound *body;
} gz_pair_side;

/// What the bounds of two links must be apart by besides their margin.
typedef struct gz_pair_pads {
    double spheres, boxes;
} gz_pair_pads;

/// For every body the last one that it has in common with `body` on the way from the root.
void gz_common_bodies(const graze_robot *robot, int32_t body, int32_t *common);

/// `common`: the error of the last body that the links have in common.
gz_pair_pads gz_pair_pads_make(const gz_pair_side *a, const gz_pair_side *b,
                               const gz_pose_bound *common, double margin);

/// The part of a link's error in float that is that of its bounds posed in double, wherever the
/// base is: its pad, and what the rims of its cylinders turn for that and for gz_pose_pad(), which
/// is below 2^-26 m as no body is farther out than 2^20 m and the reach that filters cover.
/// gz_pose_pad() itself is in what float rounds.
static inline double gz_filter_pad(const gz_link *l) {
    return l->pad + gz_rim_pad(l, l->pad + 0x1p-26);
}

/// What bounds in float must be apart by, besides their errors: more than in double
/// (gz_margin_threshold()), so that nothing is called apart here that is not there. A gap along an
/// axis is as long as the axis is, up to 1 + the error of its rotation; twice that, and rounding.
float gz_filter_threshold(double margin, double radii, float turn);

#endif
