/// A motion of q and base, straight or a piece of a trajectory, from the numbers of a dump: where
/// it is at a place t, and how far the points of a body can move on an interval of t.
/// docs/verify.md states the derivation.
#ifndef GZ_VERIFY_ROBOT_MOTION_H
#define GZ_VERIFY_ROBOT_MOTION_H

#include "verify/dump_reader.h"
#include "verify/posed_shape.h"

/// One number of q, or of the base's pose: at t it is from + t way, or the Bezier curve of
/// `points`, up to `slack`, and that is 0 where it stands still.
typedef struct gz_moving_number {
    double from, to, slack;
    double way;     ///< of a curve: no derivative by t is larger
    int32_t degree; ///< of a curve; 0: straight
    double points[GZ_DUMP_DEGREE_MAX + 1];
    bool circle;    ///< equal after a full turn
    bool ambiguous; ///< half a turn: which way is not certain
} gz_moving_number;

/// A number that moves a joint, in rad or m: by at most rate |t - c| + slack from where it is at c.
typedef struct gz_joint_motion {
    double turn_rate, turn_slack, slide_rate, slide_slack;
} gz_joint_motion;

typedef struct gz_robot_motion {
    const gz_dump_scene *scene;
    gz_moving_number *numbers; ///< of q, then six of the base
    gz_joint_motion *joints;
    gz_joint_motion base;
    int32_t *above;  ///< per link of the tree: the joint that it is the child of, or -1
    int32_t *depth;  ///< per link: joints between it and the root
    bool *moves;     ///< per link: whether some number moves it
    bool supported;  ///< no floating joint turns, no number is ambiguous, origins are rigid
    double times[2]; ///< of objects that move, where t is 0 and 1
    double *q;       ///< at the last place
    double at[6];    ///< the base, there
    double time;     ///< of objects, there
} gz_robot_motion;

/// `order` of joints, parents' first, is not needed: the scene is a tree (gz_kinematics_create).
/// False when memory is out; to be freed also then.
bool gz_robot_motion_make(gz_robot_motion *m, const gz_dump_scene *scene);
void gz_robot_motion_free(gz_robot_motion *m);
/// Takes the motion that begins at a configuration.
void gz_robot_motion_set(gz_robot_motion *m, const gz_dump_configuration *c);
/// Sets q and the base near their real values at c, within the slacks of the numbers, and the time.
void gz_robot_motion_place(gz_robot_motion *m, double c);
/// How far an object that is placed at the time of some t (gz_object_pose_at()) is off its real
/// place there, metres.
double gz_robot_motion_object_off(const gz_robot_motion *m, const gz_dump_body *object,
                                  const double pose[12]);
/// Whether a configuration is the one at t, up to rounding and full turns, and of a timed scene its
/// time, too.
bool gz_robot_motion_is_at(const gz_robot_motion *m, const gz_dump_configuration *c, double t);
/// Whether the base's origin is in the boundary up to t, up to rounding. For a curve false also
/// says that this could not be shown.
bool gz_robot_motion_is_inside(const gz_robot_motion *m, double t);

/// An upper bound, metres, of how much the distance of two bodies can change between the place
/// that they are posed at, and any t no farther from it than `half`. `links` are the poses of the
/// tree there, the boxes those of the bodies' points. `b` may be an object, which may move.
double gz_robot_motion_bound(const gz_robot_motion *m, double (*links)[12], const gz_dump_body *a,
                             const gz_extent *box_a, const gz_dump_body *b, const gz_extent *box_b,
                             double half);

#endif
