/// The inside of graze_checker and graze_workspace.
#ifndef GZ_CHECK_CHECKER_H
#define GZ_CHECK_CHECKER_H

#include "base/error.h"
#include "graze/check.h"
#include "narrow/shape_pair.h"
#include "robot/robot.h"
#include "world/world.h"

/// Two links that are checked, or hidden by a rule.
typedef struct gz_check_pair {
    int32_t a, b;
    const char *reason;    ///< of a hidden pair
    bool fixed;            ///< no joint moves it
    bool collides;         ///< verdict of a fixed pair, in the frame of its body
    graze_contact contact; ///< of a fixed pair that collides, in that frame
    graze_stats stats;     ///< of its judging
} gz_check_pair;

struct graze_checker {
    const graze_robot *robot;
    const graze_world *world;      ///< NULL for none
    graze_checker_options options; ///< without the allowed pairs
    const gz_kernels *kernels;

    gz_check_pair *pairs; ///< checked, sorted by (a, b); fixed ones too
    size_t pair_count;
    gz_check_pair *hidden; ///< kept back by the SRDF or an allowed pair
    size_t hidden_count;
    bool fixed_collision; ///< some fixed pair collides: so does every configuration

    int32_t *links; ///< links with collision geometry, ascending
    size_t link_count;
    graze_obb
        *object_boxes; ///< of the world's objects, posed; points: their sphere's box is not used
    uint8_t *allowed;  ///< link * object_count + object; NULL when none is allowed
};

/// Everything a query writes to.
struct graze_workspace {
    const graze_checker *checker;
    double (*bodies)[12];
    double (*centers)[3]; ///< of the links' bounding spheres, world
    graze_obb *boxes;     ///< of the links, world; filled when first needed
    uint8_t *box_ready;
    int32_t *candidates; ///< entries of the world near a link
    int32_t *stack;
    double still_base[12]; ///< base pose for which still_free holds
    uint8_t *still_free;   ///< per link: does not move with q, and is free of the world
    bool still_valid;
};

/// What became of one pair; see graze_explanation.
typedef struct gz_pair_result {
    bool collides;
    graze_stage stage;
    graze_contact contact;
} gz_pair_result;

/// Poses the robot and forgets what was known of the last configuration.
graze_status gz_workspace_pose(graze_workspace *ws, const double *q, size_t q_count,
                               const double *base, graze_error *error);

/// The oriented box of a link, posed.
const graze_obb *gz_workspace_box(graze_workspace *ws, int32_t link);

/// link_pair.c: link against link, moving or fixed, through all stages.
bool gz_link_pair_check(const graze_checker *checker, graze_workspace *ws,
                        const gz_check_pair *pair, bool witness, gz_pair_result *result,
                        graze_stats *stats);
/// The elements of two links of one body, in the frame of the body.
bool gz_link_pair_judge(const graze_checker *checker, const double pose_a[12],
                        const double pose_b[12], int32_t a, int32_t b, bool witness,
                        graze_contact *contact, graze_stats *stats);

/// link_world.c: one link against the world. Calls `each` for every colliding object in ascending
/// order when `witness`, in any order otherwise, until it returns false. Returns whether any
/// collided. `hidden`: looks at allowed pairs instead of the others.
typedef bool (*gz_world_hit)(void *user, const graze_contact *contact);
bool gz_link_world_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         bool witness, bool hidden, gz_world_hit each, void *user,
                         graze_stats *stats);

/// level_bounds.c: the verdict of bounding volumes, as KinEval's.
bool gz_level_bounds_check(const graze_checker *checker, graze_workspace *ws, graze_answer answer,
                           graze_report *report);

/// contact.c: the report.
void gz_report_add(graze_report *report, const graze_contact *contact);
/// Whether the base origin has left the world's boundary; fills the contact.
bool gz_boundary_left(const graze_checker *checker, const graze_workspace *ws,
                      graze_contact *contact);
graze_contact gz_contact_make(graze_contact_kind kind, int32_t link, int32_t element, int32_t other,
                              int32_t other_element, const gz_meeting *meeting);

/// A link's element in the pose of its body.
static inline const double *gz_link_pose(const graze_checker *checker, const graze_workspace *ws,
                                         int32_t link) {
    return ws->bodies[checker->robot->links[link].body];
}

/// How far posed bounds may be off, metres: bodies' rotations are orthonormal up to 1e-11 (each of
/// at most 10^4 compositions adds less than 8 * 2^-53), sizes are at most r, and moving a point
/// rounds by 2^-48 of |t| + r.
static inline double gz_pose_pad(double r, const double pose[12]) {
    double t = pose[3] < 0 ? -pose[3] : pose[3];
    t += pose[7] < 0 ? -pose[7] : pose[7];
    t += pose[11] < 0 ? -pose[11] : pose[11];
    return 4e-11 * r + 0x1p-48 * t;
}

/// Skew of posed boxes, see gz_obb_apart().
#define GZ_CHECK_SKEW 1e-10

#endif
