/// The inside of graze_checker and graze_workspace.
#ifndef GZ_CHECK_CHECKER_H
#define GZ_CHECK_CHECKER_H

#include "base/error.h"
#include "broad/bound_test.h"
#include "graze/check.h"
#include "narrow/shape_pair.h"
#include "robot/robot.h"
#include "world/world.h"

/// What became of a pair that no joint moves, in the frame of its body.
typedef struct gz_fixed_verdict {
    graze_contact contact; ///< where it collides
    graze_stats stats;     ///< of its judging
} gz_fixed_verdict;

/// Two links that are checked, or hidden by a rule. There may be millions.
typedef struct gz_check_pair {
    int32_t a, b;
    const char *reason;              ///< of a hidden pair
    double margin;                   ///< not farther apart is a collision; 0: the exact verdict
    double reach;                    ///< of bounds under the margin, see gz_margin_reach()
    bool fixed;                      ///< no joint moves it
    bool allowed;                    ///< by the options: it is to be hidden
    bool collides;                   ///< verdict of a fixed pair
    const gz_fixed_verdict *verdict; ///< the rest of it; NULL of others
} gz_check_pair;

/// What the first test of a checked pair reads.
typedef struct gz_pair_bound {
    int32_t a, b; ///< -1 of a pair that no joint moves
    double reach;
} gz_pair_bound;

struct graze_checker {
    const graze_robot *robot;
    const graze_world *world;      ///< NULL for none
    graze_checker_options options; ///< without the allowed pairs
    const gz_kernels *kernels;

    gz_check_pair *pairs; ///< checked, sorted by (a, b); fixed ones too
    size_t pair_count;
    gz_pair_bound *bounds; ///< of the pairs
    gz_check_pair *hidden; ///< kept back by the SRDF or an allowed pair
    size_t hidden_count;
    gz_fixed_verdict *verdicts; ///< of the pairs that are fixed
    bool fixed_collision;       ///< some fixed pair collides: so does every configuration

    int32_t *links; ///< links with collision geometry, ascending
    size_t link_count;
    struct gz_filter_model *filter; ///< NULL where the float filters do not cover the robot
    struct gz_link_tree *tree;      ///< over the links; NULL where pairs are few
    size_t tree_pairs;              ///< how many are not
    uint8_t *allowed;               ///< link * object_count + object; NULL when none is allowed
    graze_policy *link_policies;
    graze_policy *object_policies; ///< NULL: all count by options.policy; see gz_object_policy()

    struct gz_margins *margins; ///< NULL where all are 0
    bool has_margins; ///< some margin is above 0: then epsilon counts, and the domain is checked
    double epsilon;   ///< of the contract, in the domain of the options
    double reach;     ///< of the robot from its base, where the filters speak (domain.c)

    double robot_error;        ///< of the robot's pose in the domain; NAN until it is known
    struct gz_rule_set *rules; ///< of the options, by name
    size_t idle_rules;         ///< of these, that name what is not there
    graze_checker *source; ///< held: whose rules, pairs with their verdicts, and tree these are; or
                           ///< NULL
    gz_shared shared;
    _Atomic(struct gz_batch_worker *) kept_worker; ///< for the next batch: no part of the checker
};

/// How an object counts.
static inline graze_policy gz_object_policy(const graze_checker *c, int32_t object) {
    return c->object_policies ? c->object_policies[object] : c->options.policy;
}

/// Everything a query writes to.
struct graze_workspace {
    const graze_checker *checker;
    double (*bodies)[12];
    double (*centers)[3]; ///< of the links' bounding spheres, world
    double *radii;        ///< of those, with the links' pads
    graze_obb *boxes;     ///< of the links, world; filled when first needed
    uint8_t *box_ready;
    uint8_t *wanted_bodies, *wanted_links; ///< of gz_workspace_pose_wanted(); 0 between calls
    int32_t *bodies_listed, *links_listed; ///< those
    size_t wanted_count;                   ///< of links
    int32_t *entries;                      ///< of the world near a link
    int32_t *stack;
    struct gz_vicinity *vicinity;       ///< of the robot, in a large world; else NULL
    double last_base[6], last_root[12]; ///< of graze_check(), as given and as a transform
    bool has_base;
    struct gz_query_scratch *query; ///< of the filter; NULL where the checker has none
    double still_base[12];          ///< base pose for which still_free holds
    uint8_t *still_free;            ///< per link: does not move with q, and is free of the world
    bool still_valid;
    struct gz_link_search *search; ///< NULL where the checker has no tree
    void *memory;
};

/// How much to find out about a pair that meets.
typedef enum gz_detail {
    GZ_DETAIL_NONE,   ///< that it does
    GZ_DETAIL_PAIR,   ///< and which is the lowest element, or object
    GZ_DETAIL_PLACE,  ///< and where some of it does
    GZ_DETAIL_WITNESS ///< and its lowest triangles
} gz_detail;

static inline gz_shape_rule gz_rule_make(const graze_checker *checker, graze_policy policy_a,
                                         graze_policy policy_b, double margin, gz_detail detail) {
    return (gz_shape_rule){.kernels = checker->kernels,
                           .policy_a = policy_a,
                           .policy_b = policy_b,
                           .margin = margin,
                           .witness = detail == GZ_DETAIL_WITNESS,
                           .place = detail >= GZ_DETAIL_PLACE};
}

/// graze_checker_create(), with a tree over the links from so many pairs on.
graze_status gz_checker_create(graze_checker **checker, const graze_robot *robot,
                               const graze_world *world, const graze_checker_options *options,
                               size_t tree_pairs, graze_error *error);

/// What became of one pair; see graze_explanation.
typedef struct gz_pair_result {
    bool collides;
    graze_stage stage;
    graze_contact contact;
} gz_pair_result;

/// Poses the robot and forgets what was known of the last configuration.
graze_status gz_workspace_pose(graze_workspace *ws, const double *q, size_t q_count,
                               const double *base, graze_error *error);

/// Notes a link whose pose gz_workspace_pose_wanted() is to find.
void gz_workspace_want(graze_workspace *ws, int32_t link);
/// Poses the links that were noted, for values that are in range: their bodies and those on the way
/// to them. `base` has 12 numbers. The bits are those of gz_workspace_pose().
void gz_workspace_pose_wanted(graze_workspace *ws, const double *q, const double base[12]);

/// Whether a link, which no joint moves, was found free of the world for this base.
bool gz_workspace_is_free(const graze_workspace *ws, int32_t link, const double base[12]);

/// Places the bounding sphere of a link whose body is posed, and forgets where its box was.
void gz_workspace_place_link(graze_workspace *ws, int32_t link);

/// Whether the spheres of two links are apart. What the pads are for: gz_link_pad(),
/// gz_margin_reach().
static inline bool gz_links_apart(const graze_workspace *ws, int32_t a, int32_t b, double reach) {
    return gz_spheres_apart(ws->centers[a], ws->radii[a], ws->centers[b], ws->radii[b], reach);
}

/// The oriented box of a link, posed.
const graze_obb *gz_workspace_box(graze_workspace *ws, int32_t link);

/// link_pair.c: link against link, moving or fixed, through all stages.
bool gz_link_pair_check(const graze_checker *checker, graze_workspace *ws,
                        const gz_check_pair *pair, gz_detail detail, gz_pair_result *result,
                        graze_stats *stats);
/// Two links of one mesh each, whose sketches have told nothing: only what is exact is left.
bool gz_link_pair_finish(const graze_checker *checker, const graze_workspace *ws,
                         const gz_check_pair *pair, gz_detail detail, gz_pair_result *result,
                         graze_stats *stats);
/// The elements of two links of one body, in the frame of the body.
bool gz_link_pair_judge(const graze_checker *checker, const double pose_a[12],
                        const double pose_b[12], const gz_check_pair *pair, gz_detail detail,
                        graze_contact *contact, graze_stats *stats);

/// link_world.c: one link against the world. Calls `each` for every colliding object in ascending
/// order when the witness is wanted, in any order otherwise, until it returns false. Returns
/// whether any collided. `hidden`: looks at allowed pairs instead of the others.
typedef bool (*gz_world_hit)(void *user, const graze_contact *contact);
bool gz_link_world_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         gz_detail detail, bool hidden, gz_world_hit each, void *user,
                         graze_stats *stats);

/// The same against one object, which is no cloud of points and is not allowed.
bool gz_link_object_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                          int32_t object, gz_detail detail, graze_contact *contact,
                          graze_stats *stats);

/// A link and an object; -1: and the whole world.
typedef struct gz_candidate {
    int32_t link, object;
} gz_candidate;

/// What a filter leaves of a configuration, both ascending. A pair is an index, or ~index where
/// gz_link_pair_finish() is enough.
typedef struct gz_candidates {
    const int32_t *pairs;
    size_t pair_count;
    const gz_candidate *objects;
    size_t object_count;
} gz_candidates;

/// check.c: poses and tests only the candidates, for one contact; the rest is known to be apart. q
/// must have been found in range.
void gz_check_candidates(const graze_checker *checker, graze_workspace *ws, graze_answer answer,
                         const double *q, const double base[12], const gz_candidates *candidates,
                         graze_report *report);

/// batch.c: NULL is allowed.
void gz_batch_worker_free(struct gz_batch_worker *worker);

/// level_bounds.c: the verdict of bounding volumes, as KinEval's.
bool gz_level_bounds_check(const graze_checker *checker, graze_workspace *ws, graze_answer answer,
                           graze_report *report);

/// contact.c: the report.
void gz_report_add(graze_report *report, const graze_contact *contact);
/// Names two links of one element each, or such a link and an object, that overlap.
void gz_report_add_pair(graze_report *report, const graze_checker *checker,
                        const gz_check_pair *pair);
void gz_report_add_object(graze_report *report, const graze_checker *checker, int32_t link,
                          int32_t object);
/// Whether the base origin has left the world's boundary; fills the contact.
bool gz_boundary_left(const graze_checker *checker, const graze_workspace *ws,
                      graze_contact *contact);
graze_contact gz_contact_make(graze_contact_kind kind, int32_t link, int32_t element, int32_t other,
                              int32_t other_element, const gz_shape_contact *meeting);

/// A link's element in the pose of its body.
static inline const double *gz_link_pose(const graze_checker *checker, const graze_workspace *ws,
                                         int32_t link) {
    return ws->bodies[checker->robot->links[link].body];
}

/// How far posed bounds may be off besides what grows with their size (gz_link.pad) and what turns
/// with a cylinder's axis (gz_rim_pad()), metres: moving a point by x -> R x + t rounds each
/// coordinate by 2^-51 of |t|, and snapping sets those below 2^-100 to 0; for the bounds' own
/// centre and for the vertex in them.
static inline double gz_pose_pad(const double pose[12]) {
    double t = pose[3] < 0 ? -pose[3] : pose[3];
    t += pose[7] < 0 ? -pose[7] : pose[7];
    t += pose[11] < 0 ? -pose[11] : pose[11];
    return 0x1p-48 * t + 0x1p-97;
}

/// What the rims of a link's cylinders add where what is posed may be `off`, which holds both ends
/// of every axis: the solid of the snapped ends is rigid, its bounds were posed with the axis as it
/// was. The axis changes by at most 2 `off`, so it turns by an angle whose sine is at most 2 `off`
/// / length. A disc of radius r about one centre, turned by an angle, is within r times its sine of
/// where it was: within r, and within 2 r `off` / length; so is the ball that stands for a cylinder
/// whose ends were snapped to one point, as then length <= 2 `off`. gz_link.tilt is twice that,
/// which is more than all of this rounds. A solid is the hull of its two discs.
static inline double gz_rim_pad(const gz_link *link, double off) {
    double turn = link->tilt * off;
    return turn < link->rim ? turn : link->rim;
}

/// How far a link's posed bounds may be from what they are to hold, metres.
static inline double gz_link_pad(const gz_link *link, const double pose[12]) {
    double off = link->pad + gz_pose_pad(pose);
    return off + gz_rim_pad(link, off);
}

#endif
