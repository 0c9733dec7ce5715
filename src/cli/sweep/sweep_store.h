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
    GZ_SWEEP_COLLISION,     ///< bool, a bit each: whether the configuration collides
    GZ_SWEEP_PAIR,          ///< int16[2]: the first pair by index into the names; -1 -1 where free
    GZ_SWEEP_MOTION,        ///< uint8: graze_motion_verdict of the way to the next configuration
    GZ_SWEEP_EDGE,          ///< uint8: of the motion along an edge
    GZ_SWEEP_CONFIGURATION, ///< float64[columns]: the configuration itself
    GZ_SWEEP_DISTANCE,      ///< float64[2]: bounds of the least distance, metres
    GZ_SWEEP_NEAREST,       ///< int16[2]: the pair that is nearest; -1 -1 where there is none
    GZ_SWEEP_REACHED,       ///< uint32[x, y, z(, direction)]: configurations of the shard
    GZ_SWEEP_REACHED_FREE,  ///< of these, those without a collision
    GZ_SWEEP_OUTSIDE,       ///< uint32[2]: both, of configurations outside the voxels
    GZ_SWEEP_ARRAYS
} gz_sweep_array_kind;

enum { GZ_SWEEP_INNER = 4 };

typedef struct gz_sweep_array {
    bool used;
    uint64_t length;                ///< items; of an item for each shard set by the store
    uint64_t inner[GZ_SWEEP_INNER]; ///< shape of an item
    size_t inner_count;             ///< 0: a number
    unsigned char *bytes;           ///< of one chunk, as they are written
} gz_sweep_array;

typedef struct gz_sweep_store {
    const char *folder;
    uint64_t count;  ///< items of the longest array
    uint64_t chunk;  ///< items of a shard
    uint64_t worlds; ///< 0: one, and no axis of them
    gz_sweep_array arrays[GZ_SWEEP_ARRAYS];
    unsigned char *values; ///< collisions of one shard, a byte each
} gz_sweep_store;

/// The name of an array in the folder.
const char *gz_sweep_array_name(size_t kind);

/// Makes the memory of one shard; the lengths of arrays are set.
bool gz_sweep_store_make(gz_sweep_store *store);
void gz_sweep_store_free(gz_sweep_store *store);

/// Shards of one world, and of all: shard w * shards of one + k is chunk k of world w.
uint64_t gz_sweep_store_world_shards(const gz_sweep_store *store);
uint64_t gz_sweep_store_shards(const gz_sweep_store *store);

/// Makes the folder with its manifest, or holds the one that is there to it: another robot, world,
/// rules or configurations are refused, and a folder of something else. Prints what is wrong and
/// returns an exit status.
int gz_sweep_store_open(const gz_sweep_store *store, const char *manifest);

/// Whether every chunk of a shard is there, at its full length.
bool gz_sweep_store_has_shard(const gz_sweep_store *store, uint64_t shard);

/// Fills the memory of a shard with what stands for "not computed"; counts begin at 0.
void gz_sweep_store_clear(gz_sweep_store *store);
/// Puts the pair of item i of the shard.
void gz_sweep_store_put_pair(gz_sweep_store *store, gz_sweep_array_kind kind, uint64_t i,
                             int32_t first, int32_t second);
/// Puts `count` numbers at number i of an array of float64.
void gz_sweep_store_put_numbers(gz_sweep_store *store, gz_sweep_array_kind kind, uint64_t i,
                                const double *numbers, size_t count);
/// Adds 1 to count i of an array of counts.
void gz_sweep_store_count(gz_sweep_store *store, gz_sweep_array_kind kind, uint64_t i);
/// Writes the chunks of a shard, each by a temporary name. Prints what is wrong and returns an exit
/// status.
int gz_sweep_store_write(gz_sweep_store *store, uint64_t shard);

#endif
