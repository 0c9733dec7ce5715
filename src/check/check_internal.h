/// Between the files of a check: how much to find out, what filters leave, how pairs are tested,
/// what is reported.
#ifndef GZ_CHECK_CHECK_INTERNAL_H
#define GZ_CHECK_CHECK_INTERNAL_H

#include "check/workspace.h"
#include "narrow/shape_pair.h"

static inline gz_shape_rule gz_rule_make(const graze_checker *checker, graze_policy policy_a,
                                         graze_policy policy_b, double margin, gz_detail detail) {
    return (gz_shape_rule){.kernels = checker->kernels,
                           .policy_a = policy_a,
                           .policy_b = policy_b,
                           .margin = margin,
                           .detail = detail};
}

/// Two elements, or an element and an object of the world or a point of it, as they are tested.
typedef struct gz_element_pair {
    graze_contact name; ///< kind, link, element, other and other_element
    const gz_shape *a, *b;
    const double *pose_a, *pose_b; ///< 12 numbers each
    double margin;
} gz_element_pair;

/// Visits everything that collides, where the workspace has a visitor and GZ_DETAIL_WITNESS is
/// wanted: a pair of links is then not done with its first elements, nor elements with their first
/// triangles, and contacts have no place.
struct gz_visitor {
    gz_triangle_sink triangles; ///< every pair of triangles of `now`
    void (*elements)(void *user,
                     bool contained); ///< `now`, which collides; its triangles came before
    void *user;
    gz_element_pair now; ///< that are tested; of the boundary name alone
    const double *frame; ///< set for pairs that no joint moves, which are tested in their body's
                         ///< frame: its pose; else NULL
};

/// link_check.c: link against link, moving or fixed, through all stages.
bool gz_link_pair_check(const graze_checker *checker, graze_workspace *ws,
                        const gz_check_pair *pair, gz_detail detail, graze_contact *contact,
                        graze_stats *stats);
/// Tests two links of one mesh each, which their proxies have not decided: only the exact test is
/// left.
bool gz_link_pair_finish(const graze_checker *checker, graze_workspace *ws,
                         const gz_check_pair *pair, gz_detail detail, graze_contact *contact,
                         graze_stats *stats);
/// Tests the elements of two links. `ws`: whose bounds of links hold for the poses, whose work is
/// spent and who hears of collisions; NULL: the robot's, no limit, nobody. `prefiltered`: their
/// proxies have been tested.
bool gz_link_pair_test(const graze_checker *checker, graze_workspace *ws, const double pose_a[12],
                       const double pose_b[12], const gz_check_pair *pair, gz_detail detail,
                       bool prefiltered, graze_contact *contact, graze_stats *stats);

/// Whether two elements are apart by their bounding spheres, by more than a threshold.
bool gz_elements_apart(const gz_shape *a, const double pose_a[12], const gz_link *link_a,
                       const gz_shape *b, const double pose_b[12], const gz_link *link_b,
                       double threshold);

/// link_check.c: one link against the world. Calls `each` for every colliding object in ascending
/// order when the witness is wanted, in any order otherwise, until it returns false. Returns
/// whether any collided. `hidden`: tests allowed pairs instead of the others.
typedef bool (*gz_world_hit)(void *user, const graze_contact *contact);
bool gz_link_world_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         gz_detail detail, bool hidden, gz_world_hit each, void *user,
                         graze_stats *stats);

/// Tests a link against one object, which is no cloud of points and is not allowed.
bool gz_link_object_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                          int32_t object, gz_detail detail, graze_contact *contact,
                          graze_stats *stats);

/// gz_link_object_check() of any object, under this margin in place of the checker's.
bool gz_link_object_near(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         int32_t object, double margin, gz_detail detail, graze_contact *contact,
                         graze_stats *stats);
/// Whether their boxes alone prove that; false of clouds of points.
bool gz_link_object_boxes_apart(const graze_checker *checker, graze_workspace *ws, int32_t link,
                                int32_t object, double margin);
/// Lists in ws->entries, in any order, the objects that may be within `threshold` of a link;
/// returns how many.
size_t gz_link_world_near(const graze_checker *checker, graze_workspace *ws, int32_t link,
                          double threshold, graze_stats *stats);

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

/// check_filter.c: checks a configuration by the filter, whose scratch then has its poses. Returns
/// the base's pose, 12 numbers; NULL where the filter does not apply: then nothing is reported.
const double *gz_check_by_filter(const graze_checker *checker, graze_workspace *ws,
                                 graze_answer answer, const double *q, size_t q_count,
                                 const double *base, graze_report *report);

/// check_filter.c: the same of poses that were taken from the caller; false where it does not
/// apply.
bool gz_check_posed_by_filter(const graze_checker *checker, graze_workspace *ws,
                              graze_answer answer, graze_report *report);

/// batch.c: frees a worker that a checker has kept, with its workspace. NULL is allowed.
void gz_batch_worker_free(struct gz_batch_worker *worker);
/// Forgets what is known of the world.
void gz_batch_renew(struct gz_batch_worker *worker);
/// Frees what a workspace has for batches.
void gz_workspace_drop_batch(graze_workspace *ws);

/// What an answer needs to know of a pair.
static inline gz_detail gz_answer_detail(graze_answer answer) {
    if (answer == GRAZE_ANSWER_ANY) return GZ_DETAIL_NONE;
    return answer == GRAZE_ANSWER_PAIR ? GZ_DETAIL_PAIR : GZ_DETAIL_WITNESS;
}

/// contact.c: the report.
void gz_report_add(graze_report *report, const graze_contact *contact);
/// Where only names are asked for, without what depends on how the contact was found.
void gz_report_answer(graze_report *report, graze_answer answer, const graze_contact *contact);
/// Names two links of one element each, or such a link and an object, that overlap.
void gz_report_add_pair(graze_report *report, const graze_checker *checker,
                        const gz_check_pair *pair);
void gz_report_add_object(graze_report *report, const graze_checker *checker, int32_t link,
                          int32_t object);
/// Whether the base origin is outside of the boundary, which the world has; fills the contact.
bool gz_boundary_excludes(const graze_checker *checker, const double base[12],
                          graze_contact *contact);
/// Whether it has left the world's boundary; fills the contact.
static inline bool gz_boundary_left(const graze_checker *checker, const double base[12],
                                    graze_contact *contact) {
    const graze_world *w = checker->world;
    return w && w->has_boundary && !checker->options.no_world &&
           gz_boundary_excludes(checker, base, contact);
}
/// `found`: where; NULL: the contact has no place.
graze_contact gz_contact_make(graze_contact_kind kind, int32_t link, int32_t element, int32_t other,
                              int32_t other_element, const gz_shape_contact *found);

/// explain.c: counter by counter `now` less `before`.
graze_stats gz_stats_since(const graze_stats *now, const graze_stats *before);

// cap_clearance.c: what is proved by how far surfaces are apart says nothing about caps, which are
// no surfaces: what goes through an opening need not come near the walls around it.

/// Whether a pair of the checker counts caps: the policy `cap` is in force for one side, and closes
/// some mesh of it.
bool gz_pair_has_caps(const graze_checker *checker, const graze_checked_pair *pair);

/// Whether the caps of each side are surely farther than `threshold` from all of the other, with
/// the links posed in `ws`: a box around the caps of a mesh is, from the other side's box. True
/// where there are no caps. Cost: O(triangles of the caps).
bool gz_caps_apart(const graze_checker *checker, graze_workspace *ws,
                   const graze_checked_pair *pair, double threshold);

#endif
