/// How far can a point of one link move, seen from another, while q changes inside a box? The bound
/// of which certified maps, allowed-collision matrices and joint audits are made; its proof is in
/// motion_bound.c.
#ifndef GZ_KINEMATICS_MOTION_BOUND_H
#define GZ_KINEMATICS_MOTION_BOUND_H

#include "base/error.h"
#include "robot/robot.h"

/// A joint on the path from link a to link b.
typedef struct gz_path_joint {
    int32_t body;     ///< that it moves
    bool on_b_side;   ///< b is on its child's side, not a
    double slide;     ///< how far it slides, metres
    double chord;     ///< how far it moves a point at 1 m from its axis, metres
    double radius[2]; ///< greatest distance of a point of a, of b, from its axis, metres
    double share;     ///< [out] what it adds to the bound, metres
} gz_path_joint;

/// Lists the joints between two bodies, from a to b. `varying` (NULL: all joints): per body, the
/// nearest one at or above it whose joint counts. Returns how many; `path` has room for all joints
/// from both bodies up to the root.
int32_t gz_motion_path(const graze_robot *robot, const int32_t *varying, int32_t body_a,
                       int32_t body_b, gz_path_joint *path);

/// The bound, metres, of a path of which slides, chords and radii are set; sets the shares.
double gz_motion_sum(gz_path_joint *path, int32_t count);

/// The factor by which a bound over so many joints grows because stored origins are not quite
/// rigid.
double gz_motion_stretch(const graze_robot *robot, int32_t a, int32_t b, int32_t count);

// ------------------------------------------------------------------------ around one configuration

/// A link posed in the world.
typedef struct gz_posed_link {
    int32_t link;
    const double *center; ///< of its bounding sphere
    const graze_obb *box;
    double error; ///< how far sphere and box may be off, metres
} gz_posed_link;

/// Sets the radii of a path in one configuration: the bound then holds for boxes around that one.
/// @param bodies  world poses
/// @param links   a and b
/// @param epsilon how far posed points may be off, metres
void gz_motion_set_radii(const graze_robot *robot, const double (*bodies)[12],
                         const gz_posed_link links[2], double epsilon, gz_path_joint *path,
                         int32_t count);

// --------------------------------------------------------------------------------- in a whole
// range

/// A joint that varies, in the frame of the nearest body above it that varies, too.
typedef struct gz_joint_frame {
    double origin[3], axis[3]; ///< the axis has length 1
    double slide_range;        ///< greatest distance of the child's frame from the joint's, metres
} gz_joint_frame;

/// Lengths of a robot that hold in all of a range of q.
typedef struct gz_motion_model {
    const graze_robot *robot;
    int32_t *varying;       ///< per body: the nearest at or above it whose joint varies; 0: none
    gz_joint_frame *frames; ///< per body that varies
    double (*centers)[3];   ///< per link: of its bounding sphere, in the frame of that body
    double *radii;          ///< per link
    gz_path_joint *path;    ///< scratch
    double (*poses)[12];    ///< per body, in the frame of the nearest one that varies
    void *memory;
} gz_motion_model;

/// Prepares bounds for every q from `low` to `high` (graze_robot_q_size() numbers each; a column
/// whose two are equal does not vary, nor may that of a quaternion). Slides may be infinite. Free
/// in any case.
graze_status gz_motion_model_make(gz_motion_model *model, const graze_robot *robot,
                                  const double *low, const double *high, graze_error *error);
void gz_motion_model_free(gz_motion_model *model);

/// Whether link b moves, seen from link a (-1: from the world).
bool gz_motion_moves(const gz_motion_model *model, int32_t a, int32_t b);

/// An upper bound, metres, of how much the distance of two links (a of -1: the world) differs
/// between the middle of a box of the range and any other place in it; on a segment from q0 to q1,
/// between its middle and any other place, where `half` is |q1 - q0| / 2.
/// @param half   of the box's edges, one per column of q
/// @param turned [out] an upper bound of the angle by which the links turn against each other, rad;
///               may be NULL
/// One thread at a time. Cost: linear in the joints that vary between the links.
double gz_motion_bound(const gz_motion_model *model, int32_t a, int32_t b, const double *half,
                       double *turned);

/// An upper bound of how fast that distance changes, metres per unit of time, while the columns of
/// q change at these rates, anywhere in the range; 0 where they do not move one link against the
/// other; infinite where a slide between the two is.
double gz_motion_rate(const gz_motion_model *model, int32_t a, int32_t b, const double *rates);

#endif
