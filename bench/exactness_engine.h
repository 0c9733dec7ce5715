/// One build of graze behind a table of functions, so that two can be loaded into one process.
#ifndef GRAZE_BENCH_EXACTNESS_ENGINE_H
#define GRAZE_BENCH_EXACTNESS_ENGINE_H

#include "graze/check.h"

typedef struct exactness_checks exactness_checks; ///< robot, world, checker and workspace

typedef struct exactness_engine {
    /// Fetch of the data folder, with a world (NULL: none). Ends the program when that fails.
    exactness_checks *(*open)(const char *data, const char *world, graze_policy policy);
    /// Checks `count` rows of eight joints; verdicts[i] and the sums of what that took are written.
    void (*run)(exactness_checks *checks, const double *rows, size_t count, uint8_t *verdicts,
                graze_stats *stats);
    void (*close)(exactness_checks *checks);
} exactness_engine;

/// The one symbol that a build exports for the bench.
#define EXACTNESS_ENGINE "exactness_engine_table"

enum { EXACTNESS_COLUMNS = 8 };

#endif
