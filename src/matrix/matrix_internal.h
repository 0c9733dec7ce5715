/// The inside of graze_matrix_compute(): one pair of links by itself, which numbers of q move it,
/// how it is posed, whether it collides; and what is known of it.
#ifndef GZ_MATRIX_MATRIX_INTERNAL_H
#define GZ_MATRIX_MATRIX_INTERNAL_H

#include "base/random.h"
#include "base/thread.h"
#include "check/check_internal.h"
#include "graze/matrix.h"
#include "load/xml/xml.h"

/// A number of q that moves the pair, and its limits.
typedef struct gz_matrix_variable {
    int32_t column;
    double low, high; ///< rad or m
} gz_matrix_variable;

/// A joint on the path from link a to link b that moves.
typedef struct gz_matrix_step {
    int32_t body;     ///< that it moves
    int32_t variable; ///< that moves it, the first of several
    bool turns;
    double rate; ///< rad or m per unit of the variable, not negative
} gz_matrix_step;

typedef struct gz_matrix_pair {
    int32_t a, b;
    bool unbounded;        ///< a planar or floating joint is between, or one without end: the
                           ///< variables' ranges hold but a part of what there is
    gz_matrix_step *steps; ///< from a to b
    int32_t step_count;
    gz_matrix_variable *variables; ///< by column; graze_check() takes all of their ranges
    int32_t variable_count;
    int32_t *bodies; ///< to be posed, parents first
    int32_t body_count;
    double radii; ///< sum of the radii of both links
} gz_matrix_pair;

/// Reads the path between two links; `rest` is graze_robot_rest(). Free in any case; false when out
/// of memory.
bool gz_matrix_pair_make(gz_matrix_pair *pair, const graze_robot *robot, const double *rest,
                         int32_t a, int32_t b);
void gz_matrix_pair_free(gz_matrix_pair *pair);

/// What one thread poses and checks pairs with.
typedef struct gz_matrix_scratch {
    const graze_checker *checker; ///< without a world, SRDF and margins
    graze_workspace *ws;
    double base[12];            ///< the identity
    double *rest;               ///< graze_robot_q_size() numbers; the next two lie behind
    double *q;                  ///< the same but for the pair's variables
    double *values;             ///< scratch, as many
    const volatile int *cancel; ///< may be NULL
    graze_stats stats;
    bool inside; ///< whether the pair's last pose is in the checker's domain
    bool valid;  ///< whether graze_check() accepts it; no other is checked
} gz_matrix_scratch;

graze_status gz_matrix_scratch_make(gz_matrix_scratch *scratch, const graze_checker *checker,
                                    graze_error *error);
void gz_matrix_scratch_free(gz_matrix_scratch *scratch);

/// Whether the caller has cancelled: loops end early, with whatever they have.
static inline bool gz_matrix_scratch_cancelled(const gz_matrix_scratch *scratch) {
    return gz_is_cancelled(scratch->cancel);
}

/// Poses the pair, its variables at `x`, all other numbers of q at rest. The poses of the two links
/// are those of graze_check(), bit for bit.
void gz_matrix_pair_pose(gz_matrix_scratch *scratch, const gz_matrix_pair *pair, const double *x);

/// Whether the pair, as posed, collides by the verdict of graze_check() at that margin (0: exact);
/// false where graze_check() would fail.
bool gz_matrix_pair_collides(gz_matrix_scratch *scratch, const gz_matrix_pair *pair, double margin);

/// Whether the pair collides, and where it does two points, one of each link in the frames of their
/// bodies, that are not farther apart; *found is false where there are none (curved shapes,
/// containment).
bool gz_matrix_pair_contact(gz_matrix_scratch *scratch, const gz_matrix_pair *pair, double margin,
                            double points[2][3], bool *found);

/// Whether a full turn of a variable brings all that it moves of the pair back to where it was.
bool gz_matrix_comes_round(const gz_matrix_pair *pair, int32_t variable);

/// How far apart two such points are as posed, metres, rounded.
double gz_matrix_pair_gap(const gz_matrix_scratch *scratch, const gz_matrix_pair *pair,
                          double points[2][3]);

/// An upper bound of their distance as posed, metres; that of their spheres' farthest points.
double gz_matrix_pair_span(const gz_matrix_scratch *scratch, const gz_matrix_pair *pair);

/// Writes the whole configuration that the pair was last posed at.
void gz_matrix_pair_configuration(const gz_matrix_scratch *scratch, double *q);

/// Work done since the counts were last 0, in units of the least that a pose and a check cost; the
/// same on every machine whose kernels' float filters leave the same to be done: fused ones may
/// leave a little less.
uint64_t gz_matrix_scratch_work(const gz_matrix_scratch *scratch);

// ------------------------------------------------------------------------------- a pair at work

/// Configurations that a search for contact starts from.
#define GZ_MATRIX_STARTS 6

/// A place of small distance: its variables are in starts[...].x.
typedef struct gz_matrix_start {
    double *x;
    double distance; ///< the pair is farther apart than this there, proved but for epsilon
} gz_matrix_start;

/// Points near contact that a proof remembers.
#define GZ_MATRIX_MEMORY 8

/// A proof by branch and bound, and the boxes that are left: `box_size` numbers
/// each, the middle and half the edges of the variables, then the depth.
typedef struct gz_matrix_proof {
    double *boxes;
    size_t box_count, box_size;
    double *half, *shares;               ///< scratch, behind the boxes
    double near[GZ_MATRIX_MEMORY][2][3]; ///< pairs of points, gz_matrix_pair_contact()
    uint64_t near_count;                 ///< met so far; the last ones are kept
    uint64_t nodes, work;                ///< so far
    double share;                        ///< of the volume that is proved free
    bool stuck;                          ///< some box cannot be proved, however small
} gz_matrix_proof;

typedef struct gz_matrix_case {
    gz_matrix_pair pair;
    graze_matrix_entry *entry;
    gz_random random; ///< of the samples
    gz_matrix_start starts[GZ_MATRIX_STARTS];
    int start_count;
    double *coordinates; ///< of the starts
    gz_matrix_proof proof;
    bool apart_only; ///< no configuration so far collides
    bool open;       ///< nothing is known for certain yet
} gz_matrix_case;

/// Takes note of a configuration that collides, or does not, as the pair is posed; false when
/// out of memory.
bool gz_matrix_case_note(gz_matrix_case *c, const gz_matrix_scratch *scratch, bool collides);

/// matrix_sample.c: the rest configuration, corners of the limits, and the first samples; all of
/// them where every one collides. False when out of memory.
bool gz_matrix_case_start(gz_matrix_case *c, gz_matrix_scratch *scratch,
                          const graze_matrix_options *options);
/// matrix_sample.c: the other samples, the nearest kept, and steps towards contact from these.
bool gz_matrix_case_sample(gz_matrix_case *c, gz_matrix_scratch *scratch,
                           const graze_matrix_options *options);

/// matrix_proof.c: whether a proof can be tried: bounded, short enough, and posed with a known
/// error.
bool gz_matrix_proof_possible(const gz_matrix_scratch *scratch, const gz_matrix_pair *pair);
/// The margin at which a FREE verdict in the middle of a box of configurations, where the pair is
/// posed, proves the pair free in all of it; and what a lower bound of the distance there is to be
/// less than the margin, to be one of the real distance in all of it. `half`: half the edges of the
/// box, by variable; `shares`: [out] what each adds, metres.
double gz_matrix_box_margin(const gz_matrix_scratch *scratch, const gz_matrix_pair *pair,
                            const double *half, double *shares);
/// Prepares a proof; false when out of memory.
bool gz_matrix_proof_start(gz_matrix_case *c);
/// Goes on until that much more work is done, the proof is complete (no box is left) or stuck, or a
/// configuration collides, or is cancelled. False when out of memory.
bool gz_matrix_proof_run(gz_matrix_case *c, gz_matrix_scratch *scratch, uint64_t work);
void gz_matrix_proof_free(gz_matrix_proof *proof);

/// matrix_review.c: parses an SRDF; GRAZE_ERROR_SCHEMA for XML that is none. Free with
/// gz_xml_free().
graze_status gz_matrix_document_parse(gz_xml_document **out, const char *text, size_t size,
                                      const char *name, const graze_limits *limits,
                                      graze_error *error);

#endif
