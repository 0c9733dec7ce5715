/// A reachability map: into which voxels the configurations of a shard put the origin of a frame,
/// how many of them, and how many of these collide with nothing.
#ifndef GZ_CLI_SWEEP_SWEEP_MAP_H
#define GZ_CLI_SWEEP_SWEEP_MAP_H

#include "cli/sweep/sweep_source.h"
#include "cli/sweep/sweep_store.h"

typedef struct gz_sweep_map {
    // Set by the command.
    const char *name;    ///< of the link; NULL: no map
    const char *frame;   ///< x,y,z,roll,pitch,yaw on it, or NULL
    const char *box;     ///< x,y,z,x,y,z of two corners, or NULL: what the first rows need
    double voxel;        ///< edge, metres
    uint32_t directions; ///< cells along an edge of the cube of directions; 0: none

    int32_t link;
    graze_transform in_link; ///< of the frame
    double low[3];
    uint64_t size[3]; ///< voxels
    uint32_t threads;
    graze_transform *poses; ///< of all links, for each thread
    uint32_t *cells;        ///< of each row of a block
} gz_sweep_map;

/// Reads link, frame and box, and takes memory for blocks of `rows`; q and base are as long.
/// Without a box the voxels hold the first rows of the source, some 10^5, and one more on each
/// side.
graze_status gz_sweep_map_make(gz_sweep_map *map, gz_sweep_source *source, size_t rows, double *q,
                               double *base, graze_error *error);
void gz_sweep_map_free(gz_sweep_map *map);

/// Tells the store which arrays the map has.
void gz_sweep_map_arrays(const gz_sweep_map *map, gz_sweep_store *store);

/// Counts rows of q, and rows of 6, whose verdicts are known, into the memory of the shard.
graze_status gz_sweep_map_add(gz_sweep_map *map, const gz_sweep_source *source,
                              gz_sweep_store *store, size_t count, const double *q,
                              const double *base, const unsigned char *verdicts,
                              graze_error *error);

/// Describes the map as an object of JSON, behind its key.
void gz_sweep_map_describe(const gz_sweep_map *map, gz_json *json);

#endif
