/// What a sweep writes: a folder that is a group of Zarr, version 2
/// (https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html), with an array for each answer. A
/// shard is one chunk of each array, a file of its own. What a missing chunk reads as is never
/// "free".
#ifndef GZ_CLI_SWEEP_SWEEP_STORE_H
#define GZ_CLI_SWEEP_SWEEP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/base.h"

typedef enum gz_sweep_array_kind {
    GZ_SWEEP_COLLISION, ///< bool, a bit each: whether the configuration collides
    GZ_SWEEP_PAIR,      ///< int16[2]: the first pair by index into the names; -1 -1 where free
    GZ_SWEEP_MOTION,    ///< uint8: graze_motion_verdict of the way to the next configuration
    GZ_SWEEP_ARRAYS
} gz_sweep_array_kind;

typedef struct gz_sweep_store {
    const char *folder;
    uint64_t count; ///< configurations
    uint64_t chunk; ///< configurations of a shard
    bool has[GZ_SWEEP_ARRAYS];
    unsigned char *bytes[GZ_SWEEP_ARRAYS]; ///< of one shard, as they are written
    unsigned char *values;                 ///< collisions of one shard, a byte each
} gz_sweep_store;

/// Makes the memory of one shard.
bool gz_sweep_store_make(gz_sweep_store *store);
void gz_sweep_store_free(gz_sweep_store *store);

uint64_t gz_sweep_store_shards(const gz_sweep_store *store);
/// How many items of an array there are: one a configuration, or one a way between two.
uint64_t gz_sweep_store_length(const gz_sweep_store *store, gz_sweep_array_kind kind);

/// Makes the folder with its manifest, or holds the one that is there to it: another robot, world,
/// rules or configurations are refused, and a folder of something else. Prints what is wrong and
/// returns an exit status.
int gz_sweep_store_open(const gz_sweep_store *store, const char *manifest);

/// Whether every chunk of a shard is there, at its full length.
bool gz_sweep_store_has_shard(const gz_sweep_store *store, uint64_t shard);

/// Fills the memory of a shard with what stands for "not computed".
void gz_sweep_store_clear(gz_sweep_store *store);
/// Puts the first pair of item i of the shard.
void gz_sweep_store_put_pair(gz_sweep_store *store, uint64_t i, int32_t first, int32_t second);
/// Writes the chunks of a shard, each by a temporary name. Prints what is wrong and returns an exit
/// status.
int gz_sweep_store_write(gz_sweep_store *store, uint64_t shard);

#endif
