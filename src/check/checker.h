/// The inside of graze_checker: which pairs count, by which rules.
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
    graze_stats stats;     ///< of its test
} gz_fixed_verdict;

/// Two links that are checked, or hidden by a rule. There may be millions.
typedef struct gz_check_pair {
    int32_t a, b;
    const char *reason;                ///< of a hidden pair
    double margin;                     ///< not farther apart is a collision; 0: the exact verdict
    double threshold;                  ///< of bounds under the margin, see gz_margin_threshold()
    bool fixed;                        ///< no joint moves it
    bool allowed;                      ///< by the options: it is to be hidden
    bool collides;                     ///< verdict of a fixed pair
    const gz_fixed_verdict *verdict;   ///< the rest of it; NULL of others
    const struct gz_pair_table *table; ///< the robot's, where it counts; or NULL
} gz_check_pair;

/// The order of pairs.
static inline bool gz_pair_comes_before(const gz_check_pair *x, const gz_check_pair *y) {
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

/// What the first test of a checked pair reads.
typedef struct gz_pair_bound {
    int32_t a, b; ///< -1 of a pair that no joint moves
    double threshold;
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
    double workspace_radius; ///< of the robot from its base, where the float filters apply

    double robot_error;        ///< of the robot's pose in the domain; NAN until it is known
    struct gz_rule_set *rules; ///< of the options, by name
    size_t idle_rules;         ///< of these, that name what is not there
    graze_checker *source; ///< held: whose rules, pairs with their verdicts, and tree these are; or
                           ///< NULL
    gz_shared shared;
    uint64_t revision; ///< how often the world's objects have moved in place (scene.c)
    _Atomic(struct gz_batch_worker *) kept_worker; ///< for the next batch: no part of the checker
};

/// How an object counts.
static inline graze_policy gz_object_policy(const graze_checker *c, int32_t object) {
    return c->object_policies ? c->object_policies[object] : c->options.policy;
}

/// What a name stands for: a link, else an object, by its first shape; -1 where it is not one.
typedef struct gz_named {
    int32_t link, object;
    int32_t end; ///< behind the object's last shape
} gz_named;

/// False where a name, which may be NULL, stands for nothing.
static inline bool gz_find_named(const graze_robot *robot, const graze_world *world,
                                 const char *name, gz_named *out) {
    out->link = name ? graze_robot_find_link(robot, name) : -1;
    out->object = name && out->link < 0 && world ? graze_world_find_object(world, name) : -1;
    out->end = out->object < 0 ? -1
                               : out->object + (int32_t)gz_world_shapes(world, (size_t)out->object);
    return out->link >= 0 || out->object >= 0;
}

/// Whether the options allow a link and an object to collide.
static inline bool gz_object_allowed(const graze_checker *c, int32_t link, int32_t object) {
    return c->allowed && c->allowed[(size_t)link * c->world->object_count + (size_t)object];
}

/// graze_checker_create(), with a tree over the links from so many pairs on.
graze_status gz_checker_create(graze_checker **checker, const graze_robot *robot,
                               const graze_world *world, const graze_checker_options *options,
                               size_t tree_pairs, graze_error *error);

#endif
