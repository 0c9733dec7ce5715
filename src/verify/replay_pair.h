/// Two bodies at their poses: whether they collide, and whether a claimed contact is one.
#ifndef GZ_VERIFY_REPLAY_PAIR_H
#define GZ_VERIFY_REPLAY_PAIR_H

#include "verify/exact.h"
#include "verify/posed_shape.h"

/// A body at a pose.
typedef struct gz_posed_body {
    const gz_dump_body *source;
    gz_posed_shape *shapes; ///< one per element
    gz_extent box;
    bool in_range;
} gz_posed_body;

/// Returns false when memory is out. Free it also then.
bool gz_posed_body_make(gz_posed_body *body, const gz_dump_body *source);
void gz_posed_body_free(gz_posed_body *body);
void gz_posed_body_place(gz_posed_body *body, const double pose[12]);
/// Where an object that moves is at a time: its pose, moved by fl(velocity fl(time - begin)).
void gz_object_pose_at(const gz_dump_body *object, double time, double pose[12]);

/// Scratch of the exact tests, and how many were made.
typedef struct gz_pair_scratch {
    gz_exact *simplices;
    gz_exact_cylinder *cylinders;
    gz_exact_winding *winding;
    uint64_t item_pairs, points;
} gz_pair_scratch;

/// The lowest contact of two bodies, by the order of the contract.
typedef struct gz_pair_finding {
    bool collides;
    bool undecided; ///< something before it could not be decided
    int32_t element, other_element;
    bool inside;
    int64_t triangle, other_triangle;
} gz_pair_finding;

/// Whether two bodies are at most `margin` apart, or one holds a body of the other; exactly.
void gz_pair_find(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b, double margin,
                  gz_pair_finding *finding);

/// Whether all caps of either body, which surfaces pass through, are proved farther than `margin`
/// from the other.
bool gz_pair_caps_apart(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b,
                        double margin);

/// Whether what is claimed of the two elements and triangles alone is so, up to a tolerance. Says
/// in *why, where not.
gz_nearness gz_pair_confirm(gz_pair_scratch *scratch, gz_posed_body *a, gz_posed_body *b,
                            double margin, double tolerance, const gz_dump_contact *claim,
                            const char **why);

/// How much farther apart than its margin the contract lets a pair be that it calls a collision:
/// nothing for triangles at margin 0, epsilon under a margin, and for curved shapes 1e-9 m, or
/// 2.5e-12 of their span where they span more than 400 m (docs/shapes.md).
double gz_pair_tolerance(const gz_posed_body *a, const gz_posed_body *b,
                         const gz_dump_contact *claim, double margin, double epsilon);

/// The order of contacts of one pair: below 0 where the claim comes before the finding.
int gz_pair_compare(const gz_posed_body *b, const gz_dump_contact *claim,
                    const gz_pair_finding *finding);

#endif
