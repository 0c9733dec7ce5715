/// A pair at work: what is known of it so far, and where its samples and its proof have got to.
#ifndef GZ_MATRIX_MATRIX_CASE_H
#define GZ_MATRIX_MATRIX_CASE_H

#include "base/random.h"
#include "matrix/matrix_pair.h"

/// Configurations that a search for contact starts from.
#define GZ_MATRIX_STARTS 6

/// A place of small distance: its variables are in starts[...].x.
typedef struct gz_matrix_start {
    double *x;
    double distance; ///< the pair is farther apart than this there, proved but for epsilon
} gz_matrix_start;

/// Points near contact that a proof remembers.
#define GZ_MATRIX_MEMORY 8

/// A proof by branch and bound, and the boxes that it still has to look at: `box_size` numbers
/// each, the middle and half the edges of the variables, then the depth.
typedef struct gz_matrix_proof {
    double *boxes;
    size_t box_count, box_size;
    double *half, *parts;                ///< scratch
    double near[GZ_MATRIX_MEMORY][2][3]; ///< pairs of points, gz_matrix_pair_meets()
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

/// Takes note of a configuration that collides, or does not, as the probe is posed; false when out
/// of memory.
bool gz_matrix_case_note(gz_matrix_case *c, const gz_matrix_probe *probe, bool collides);

/// matrix_sample.c: the rest configuration, corners of the limits, and the first samples; all of
/// them where every one collides. False when out of memory.
bool gz_matrix_case_look(gz_matrix_case *c, gz_matrix_probe *probe,
                         const graze_matrix_options *options);
/// matrix_sample.c: the other samples, the nearest kept, and steps towards contact from these.
bool gz_matrix_case_sample(gz_matrix_case *c, gz_matrix_probe *probe,
                           const graze_matrix_options *options);

/// matrix_proof.c: whether a proof can be tried: bounded, short enough, and posed with a known
/// error.
bool gz_matrix_proof_possible(const gz_matrix_probe *probe, const gz_matrix_pair *pair);
/// Prepares a proof; false when out of memory.
bool gz_matrix_proof_start(gz_matrix_case *c);
/// Goes on until that much more work is done, the proof is complete (no box is left) or stuck, or a
/// configuration collides, or is cancelled. False when out of memory.
bool gz_matrix_proof_run(gz_matrix_case *c, gz_matrix_probe *probe, uint64_t work);
void gz_matrix_proof_free(gz_matrix_proof *proof);

/// matrix_run.c: fills the kinds and the evidence of all entries, which are there, sorted, and hold
/// their links.
graze_status gz_matrix_run(const graze_robot *robot, graze_matrix_entry *entries, size_t count,
                           const graze_matrix_options *options, graze_error *error);

#endif
