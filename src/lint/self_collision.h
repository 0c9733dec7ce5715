/// Pairs of links: those that an SRDF names, those that are adjacent, as written, loadable or not;
/// and those that collide in samples.
#ifndef GZ_LINT_SELF_COLLISION_H
#define GZ_LINT_SELF_COLLISION_H

#include "lint/lint.h"

/// `<disable_collisions>` or `<enable_collisions>`.
typedef struct gz_lint_pair {
    const gz_xml_element *element;
    bool enable;
    int32_t a, b; ///< links, a <= b; -1: unknown, and then the first
    size_t first; ///< the first rule of the same kind for the pair: its own index where it is that
} gz_lint_pair;

/// The rules of an SRDF about pairs, in file order, and what is needed to tell adjacent links.
typedef struct gz_lint_pairs {
    gz_lint_pair *items;
    size_t count;
    gz_lint_pair *sorted; ///< the same by pair; of one pair disabling rules first, then file order
    uint32_t *cluster;    ///< per link without geometry: which other such links hang together
    int32_t *cluster_above; ///< per cluster: the link with geometry that it hangs on, or -1
} gz_lint_pairs;

/// The rules of the context's SRDF, read when they are first asked for; none without an SRDF. NULL
/// when out of memory (the context says so). Cost: O(n log n), once.
const gz_lint_pairs *gz_lint_pairs_get(gz_lint_context *context);
void gz_lint_pairs_free(gz_lint_pairs *pairs);

/// The first rule of that kind for two links, in either order, or NULL. Cost: O(log n).
const gz_lint_pair *gz_lint_pairs_find(const gz_lint_pairs *pairs, int32_t a, int32_t b,
                                       bool enable);

/// Whether a link has any `<collision>`.
bool gz_lint_has_collision(const gz_lint_context *context, int32_t link);
/// Whether a joint joins two links, looking through links without collision geometry, as MoveIt and
/// graze do: all links around one connected group of empty ones are adjacent. For rules about
/// pairs, when these were read. Cost: constant.
bool gz_lint_adjacent(const gz_lint_context *context, int32_t a, int32_t b);

/// The robot loaded, and its pairs checked in a few configurations: graze/matrix.h has evidence
/// that holds; this must not take longer than all other rules together. Configuration 0 is at rest;
/// the others are sampled within the limits: of each joint an even number of them is uniform, in
/// the odd ones it is at a limit or anywhere, as likely.
typedef struct gz_lint_survey {
    graze_robot *robot; ///< NULL: it does not load (other rules report why), or has too many pairs
    struct gz_path_joint *path; ///< scratch of paths between links
    bool tried;                 ///< the samples
    int32_t *solid_of;          ///< per link its number among those with collision geometry, or -1
    size_t solids;
    uint32_t *hits;      ///< [solids * i + k], i < k: in how many configurations the pair collides,
                         ///< whatever the SRDF disables; 0 for neighbours. NULL: without samples
    uint32_t *first;     ///< the first of these configurations
    size_t sample_count; ///< configurations
} gz_lint_survey;

/// The survey with the robot, made when it is first asked for; with `samples` the hits, too. NULL
/// when out of memory (the context says so).
const gz_lint_survey *gz_lint_survey_get(gz_lint_context *context, bool samples);
/// Writes configuration `index` into q, graze_robot_q_size() numbers.
void gz_lint_survey_pose(const gz_lint_survey *survey, uint64_t seed, uint64_t index, double *q);
void gz_lint_survey_free(gz_lint_survey *survey);

/// The rules in self_collision.c.
void gz_lint_check_always(gz_lint_context *context); // S001
void gz_lint_check_named(gz_lint_context *context);  // S002
void gz_lint_check_hidden(gz_lint_context *context); // S003

#endif
