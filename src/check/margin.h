/// How far apart must every pair be to count as free?
#ifndef GZ_CHECK_MARGIN_H
#define GZ_CHECK_MARGIN_H

#include "check/checker.h"
#include "math/transform.h"

/// A margin of two links, or of a link (a) and an object (b).
typedef struct gz_pair_margin {
    int32_t a, b;
    double margin;
    size_t index; ///< of the options' entry, or GZ_MARGIN_OF_SRDF
} gz_pair_margin;

#define GZ_MARGIN_OF_SRDF SIZE_MAX

typedef struct gz_pair_margins {
    gz_pair_margin *items; ///< sorted by (a, b), each pair once
    size_t count;
} gz_pair_margins;

/// Everything that was given; only checkers with a margin above 0 have it.
struct gz_margins {
    double all;            ///< where nothing else is given
    double *of_links;      ///< per link: given for all its pairs, or NAN
    double *of_objects;    ///< per object, likewise; NULL where none has one
    gz_pair_margins self;  ///< of two links
    gz_pair_margins world; ///< of a link and an object
    double *greatest;      ///< per link: the greatest margin against any object
    double *thresholds;    ///< per link: the greatest gz_margin_threshold() against any object
    double least;          ///< least margin above 0, as it counts
    void *memory;          ///< of all but `of_objects`
};

/// Reads the margins of the options and of the robot's SRDF, and sets has_margins where any
/// is above 0. GRAZE_ERROR_ARGUMENT names the entry: a name that nothing has, two objects, one
/// thing twice, two margins of one pair; GRAZE_ERROR_RANGE: a margin that is negative, infinite or
/// no number. What was allocated belongs to the checker in any case.
graze_status gz_margins_read(graze_checker *checker, const graze_checker_options *options,
                             graze_error *error);

/// Raises margins between 0 and epsilon to epsilon, and gives each pair of links its own. Epsilon,
/// pairs, links and object boxes of the checker are known.
void gz_margins_resolve(graze_checker *checker);

void gz_margins_free(struct gz_margins *margins);

/// A margin as it counts: 0, or at least epsilon. What is never reached is cut to what the exact
/// test takes.
double gz_margin_effective(double margin, double epsilon);

/// A pair of a sorted list; NULL where it is not in it.
gz_pair_margin *gz_pair_margins_find(const gz_pair_margins *list, int32_t a, int32_t b);
/// Finds epsilon and the thresholds anew after the objects of the checker's world have moved. False
/// where margins of pairs depend on it, or an object without an end is too far away: then the
/// checker has to be made anew. Allocates nothing.
bool gz_margins_follow(graze_checker *checker);

/// The margin of a link against an object, as it counts.
double gz_margins_find(const struct gz_margins *margins, int32_t link, int32_t object);

static inline double gz_object_margin(const graze_checker *c, int32_t link, int32_t object) {
    return c->margins ? gz_margins_find(c->margins, link, object) : 0;
}

/// How far apart a pair must be at the snapped pose for its verdict to be FREE at all real poses
/// that differ by no motion of the two against each other; a: -1 for the world. With what the
/// distance may change besides, it is what proofs over whole sets of configurations ask for.
double gz_margin_certified(const graze_checker *checker, int32_t a, int32_t b, double margin);

/// How far apart bounds must be to be rejected under a margin; 0 at margin 0. It is more than the
/// margin: the narrow phase may call a collision what is up to 1e-9 m, or 2.5e-12 of what both
/// shapes span, farther apart, where one is curved (narrow/curved.h); the verdict must not depend
/// on which stage decides first, nor a greater margin free what a smaller one does not. Two shapes
/// no farther apart than that span, in the 1-norm from a point of one of them, less than 8 times
/// their radii and the margin, and 8 * 2.5e-12 < 2^-35.
static inline double gz_margin_threshold(double margin, double radii) {
    return margin > 0 ? margin + 2e-9 + 0x1p-35 * (radii + margin) : 0;
}

/// Epsilon, and the domain in which it holds: what a margin above 0 rests on.

/// Fills epsilon and reach of a checker whose robot, world and options are set.
/// GRAZE_ERROR_RANGE for a domain that is none, or, with a margin above 0, where there is no bound,
/// or beyond what is held of an object without an end.
graze_status gz_domain_prepare(graze_checker *checker, graze_error *error);

/// Whether the configuration that the workspace is posed at is in the domain; true where it does
/// not count (gz_ruled_domain()). GRAZE_ERROR_RANGE names the base, the link or the joint.
graze_status gz_domain_check(const graze_checker *checker, const graze_workspace *ws,
                             const double *q, graze_error *error);

/// The part of it that the poses decide, wherever they are from.
graze_status gz_domain_check_places(const graze_checker *checker, const graze_workspace *ws,
                                    graze_error *error);

/// Whether the robot is in the domain with its base there, as far as the base decides it. Where the
/// domain counts.
static inline bool gz_domain_holds_base(const graze_checker *c, const double base[12]) {
    return gz_transform_far(base) + c->workspace_radius <= c->options.domain;
}
/// Whether a configuration that the float filters cover is in the domain, without posing it; false
/// where that is not sure. Where the domain counts.
bool gz_domain_surely(const graze_checker *checker, const double *q, const double base[12]);

#endif
