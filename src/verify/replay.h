/// The verdicts of a dump, decided anew in integers: what is claimed is confirmed or refuted.
#ifndef GZ_VERIFY_REPLAY_H
#define GZ_VERIFY_REPLAY_H

#include "verify/dump_reader.h"

typedef enum gz_replay_outcome {
    GZ_REPLAY_CONFIRMED,
    GZ_REPLAY_TOLERATED, ///< a collision is claimed of what is apart by no more than the contract
                         ///< allows (curved shapes, margins)
    GZ_REPLAY_UNDECIDED, ///< a cylinder is within some 1e-12 m of what it should be apart from
    GZ_REPLAY_UNCLAIMED, ///< the dump has no verdict
    GZ_REPLAY_REFUTED
} gz_replay_outcome;

#define GZ_REPLAY_MESSAGE 1024

/// What became of one configuration.
typedef struct gz_replay_result {
    gz_replay_outcome outcome;
    char message[GZ_REPLAY_MESSAGE]; ///< why, where it is not confirmed
    uint64_t pairs;                  ///< of bodies, decided
    uint64_t item_pairs;             ///< of triangles and curved shapes, decided in integers
    uint64_t points;                 ///< winding numbers counted
} gz_replay_result;

typedef struct gz_replay gz_replay;

/// Makes the trees and numbers for a scene, which must outlive it. NULL when memory is out.
gz_replay *gz_replay_create(const gz_dump_scene *scene);
void gz_replay_free(gz_replay *replay);

/// Replays one configuration.
void gz_replay_run(gz_replay *replay, const gz_dump_configuration *configuration,
                   gz_replay_result *result);

#endif
