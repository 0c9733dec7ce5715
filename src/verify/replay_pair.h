/// Whether a shape, or a part of it, lies inside another: winding numbers, exactly.
#ifndef GZ_VERIFY_REPLAY_PAIR_H
#define GZ_VERIFY_REPLAY_PAIR_H

#include "verify/exact.h"
#include "verify/exact_cylinder.h"
#include "verify/posed_shape.h"

typedef enum gz_enclosed {
    GZ_OUTSIDE,
    GZ_INSIDE,
    GZ_ENCLOSED_UNKNOWN ///< no direction was free of edges: no answer
} gz_enclosed;

/// Whether `part`, whose surface is apart from that of `whole`, lies inside it: some part of its
/// surface does, or, where it is curved, its axis. *triangle is the lowest triangle of the lowest
/// such part, -1 for curved shapes. Lids count with cap. `*rays` is raised by the points that were
/// judged.
gz_enclosed gz_enclosure_find(gz_exact_winding *winding, gz_exact *simplices, gz_posed_shape *whole,
                              bool cap, const gz_posed_shape *part, int64_t *triangle,
                              uint64_t *rays);

/// The same question about one point off the surface.
gz_enclosed gz_enclosure_of_point(gz_exact_winding *winding, gz_exact *simplices,
                                  gz_posed_shape *whole, bool cap, const double point[3],
                                  uint64_t *rays);

/// Two parts at their poses: do they collide, and is the contact that is claimed of them one?

/// A part at a pose.
typedef struct gz_posed_part {
    const gz_dump_part *source;
    gz_posed_shape *shapes; ///< one per element
    gz_extent box;
    bool in_range;
} gz_posed_part;

/// False when memory is out. Free it also then.
bool gz_posed_part_make(gz_posed_part *part, const gz_dump_part *source);
void gz_posed_part_free(gz_posed_part *part);
void gz_posed_part_place(gz_posed_part *part, const double pose[12]);

/// The numbers that questions are answered with, and how many were.
typedef struct gz_judge {
    gz_exact *simplices;
    gz_exact_cylinder *cylinders;
    gz_exact_winding *winding;
    uint64_t item_pairs, points;
} gz_judge;

/// The lowest contact of two parts, by the order of the contract.
typedef struct gz_pair_finding {
    bool collides;
    bool undecided; ///< something before it could not be decided
    int32_t element, other_element;
    bool inside;
    int64_t triangle, other_triangle;
} gz_pair_finding;

/// Whether two parts are at most `margin` apart, or one holds a part of the other; exactly.
void gz_pair_find(gz_judge *judge, gz_posed_part *a, gz_posed_part *b, double margin,
                  gz_pair_finding *finding);

/// Whether what is claimed of the two elements and triangles alone is so, up to a tolerance. Says
/// in *why, where not.
gz_nearness gz_pair_confirm(gz_judge *judge, gz_posed_part *a, gz_posed_part *b, double margin,
                            double tolerance, const gz_dump_contact *claim, const char **why);

/// How much farther apart than its margin the contract lets a pair be that it calls a collision:
/// nothing for triangles at margin 0, epsilon under a margin, and for curved shapes 1e-9 m, or
/// 2.5e-12 of their span where they span more than 400 m (docs/shapes.md).
double gz_pair_tolerance(const gz_posed_part *a, const gz_posed_part *b,
                         const gz_dump_contact *claim, double margin, double epsilon);

/// The order of contacts of one pair: below 0 where the claim comes before the finding.
int gz_pair_compare(const gz_posed_part *b, const gz_dump_contact *claim,
                    const gz_pair_finding *finding);

#endif
