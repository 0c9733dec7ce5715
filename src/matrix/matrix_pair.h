/// One pair of links by itself: which numbers of q move it, how it is posed, and whether it
/// collides.
#ifndef GZ_MATRIX_MATRIX_PAIR_H
#define GZ_MATRIX_MATRIX_PAIR_H

#include "check/check_internal.h"
#include "graze/matrix.h"

/// A number of q that moves the pair, and its limits.
typedef struct gz_matrix_variable {
    int32_t column;
    double low, high; ///< rad or m
} gz_matrix_variable;

/// A joint on the way from link a to link b that moves.
typedef struct gz_matrix_step {
    int32_t body;     ///< that it moves
    int32_t variable; ///< that moves it, the first of several
    bool turns;
    double rate; ///< rad or m per unit of the variable, not negative
} gz_matrix_step;

typedef struct gz_matrix_pair {
    int32_t a, b;
    bool unbounded;        ///< a planar or floating joint is on the way, or one without end: the
                           ///< variables' ranges hold but a part of what there is
    gz_matrix_step *steps; ///< from a to b
    int32_t step_count;
    gz_matrix_variable *variables; ///< by column; graze_check() takes all of their ranges
    int32_t variable_count;
    int32_t *bodies; ///< to be posed, parents first
    int32_t body_count;
    double reach; ///< of bounds: sum of the radii of both links
} gz_matrix_pair;

/// Reads the way between two links; `rest` is graze_robot_rest(). Free in any case; false when out
/// of memory.
bool gz_matrix_pair_make(gz_matrix_pair *pair, const graze_robot *robot, const double *rest,
                         int32_t a, int32_t b);
void gz_matrix_pair_free(gz_matrix_pair *pair);

/// What one thread looks at pairs with.
typedef struct gz_matrix_probe {
    const graze_checker *checker; ///< without a world, SRDF and margins
    graze_workspace *ws;
    double base[12];            ///< the identity
    double *rest;               ///< graze_robot_q_size() numbers
    double *q;                  ///< the same but for the pair's variables
    double *values;             ///< scratch, as many
    const volatile int *cancel; ///< may be NULL
    graze_stats stats;
    bool inside; ///< whether the pair's last pose is in the checker's domain
    bool taken;  ///< whether it is one that graze_check() takes; no other is asked about
} gz_matrix_probe;

graze_status gz_matrix_probe_make(gz_matrix_probe *probe, const graze_checker *checker,
                                  graze_error *error);
void gz_matrix_probe_free(gz_matrix_probe *probe);

/// Whether the caller wants no answer any more: loops end early, with whatever they have.
static inline bool gz_matrix_probe_cancelled(const gz_matrix_probe *probe) {
    return probe->cancel && *probe->cancel;
}

/// Poses the pair, its variables at `x`, all other numbers of q at rest. The poses of the two links
/// are those of graze_check(), bit for bit.
void gz_matrix_pair_pose(gz_matrix_probe *probe, const gz_matrix_pair *pair, const double *x);

/// Whether the pair, as posed, collides as graze_check() would say at that margin (0: exact);
/// false where it would say nothing.
bool gz_matrix_pair_collides(gz_matrix_probe *probe, const gz_matrix_pair *pair, double margin);

/// The same, and where it collides two points, one of each link in the frames of their bodies, that
/// are not farther apart; *found is false where none are told (curved shapes, containment).
bool gz_matrix_pair_meets(gz_matrix_probe *probe, const gz_matrix_pair *pair, double margin,
                          double points[2][3], bool *found);

/// How far apart two such points are as posed, metres, rounded.
double gz_matrix_pair_gap(const gz_matrix_probe *probe, const gz_matrix_pair *pair,
                          double points[2][3]);

/// An upper bound of their distance as posed, metres; that of their spheres' farthest points.
double gz_matrix_pair_span(const gz_matrix_probe *probe, const gz_matrix_pair *pair);

/// Writes the whole configuration that the pair was last posed at.
void gz_matrix_pair_configuration(const gz_matrix_probe *probe, double *q);

/// Work done so far, in units of the least that a pose and a check cost; the same on every machine
/// whose kernels' float filters leave the same to be done: fused ones may leave a little less.
uint64_t gz_matrix_probe_work(const gz_matrix_probe *probe);

#endif
