/// Which pairs of links collide? For the rules about self-collision: the robot loaded, and its
/// pairs looked at in a few configurations. For evidence that holds there is graze/matrix.h; this
/// here must not take longer than all other rules together.
#ifndef GZ_LINT_SELF_COLLISION_H
#define GZ_LINT_SELF_COLLISION_H

#include "lint/lint.h"

/// Configuration 0 is at rest; the others are sampled within the limits: of each joint an even
/// number of them is uniform, in the odd ones it is at a limit or anywhere, as likely.
typedef struct gz_lint_survey {
    graze_robot *robot; ///< NULL: it does not load (other rules say why), or has too many pairs
    bool tried;         ///< the samples
    int32_t *solid_of;  ///< per link its number among those with collision geometry, or -1
    size_t solids;
    uint32_t *hits;   ///< [solids * i + k], i < k: in how many configurations the pair collides,
                      ///< whatever the SRDF disables; 0 for neighbours. NULL: without samples
    uint32_t *first;  ///< the first of these configurations
    size_t looked_at; ///< configurations
} gz_lint_survey;

/// The survey with the robot, made when it is first asked for; with `samples` the hits, too. NULL
/// when out of memory (the context says so).
const gz_lint_survey *gz_lint_survey_get(gz_lint_context *context, bool samples);
/// Writes configuration `index` into q, graze_robot_q_size() numbers.
void gz_lint_survey_pose(const gz_lint_survey *survey, uint64_t seed, uint64_t index, double *q);
void gz_lint_survey_free(gz_lint_survey *survey);

/// The rules, in self_collision.c and dead_geometry.c.
void gz_lint_check_always(gz_lint_context *context, const gz_lint_rule *rule); // S001
void gz_lint_check_named(gz_lint_context *context, const gz_lint_rule *rule);  // S002
void gz_lint_check_hidden(gz_lint_context *context, const gz_lint_rule *rule); // S003
void gz_lint_check_dead(gz_lint_context *context, const gz_lint_rule *rule);   // S013

#endif
