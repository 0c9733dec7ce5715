/// A sweep: its options, and the run over the shards.
#ifndef GZ_CLI_SWEEP_SWEEP_RUN_H
#define GZ_CLI_SWEEP_SWEEP_RUN_H

#include "cli/input/robot_input.h"
#include "cli/sweep/sweep_map.h"

typedef struct gz_sweep_options {
    gz_robot_input input;
    const char *configs, *edges, *output, *shard;
    gz_texts grid, worlds;
    uint64_t count, seed, slurm;
    uint64_t chunk; ///< 0: as the answers need
    uint32_t threads;
    bool pairs, motion, distances, with_q, stats;
    gz_sweep_map map;
    uint64_t share, shares; ///< shards share, share + shares, ... are this process's
    int argc;
    char **argv;
} gz_sweep_options;

/// Computes what is missing of the share; prints what is wrong and returns an exit status.
int gz_sweep_run(gz_sweep_options *options);

#endif
