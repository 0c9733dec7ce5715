/// The edges of a roadmap: pairs of rows of a file of configurations.
#ifndef GZ_CLI_SWEEP_SWEEP_EDGES_H
#define GZ_CLI_SWEEP_SWEEP_EDGES_H

#include "cli/sweep/sweep_source.h"

typedef struct gz_sweep_edges {
    const char *path; ///< set by the command; NULL: none

    uint32_t *ends; ///< two rows for each edge
    size_t count;
    char sha256[GZ_SHA256_TEXT]; ///< of the file
    double *q, *base;            ///< all rows
} gz_sweep_edges;

/// Reads the edges, an NPY file of two whole numbers for each, and all rows of the source, which is
/// a file.
graze_status gz_sweep_edges_make(gz_sweep_edges *edges, gz_sweep_source *source,
                                 graze_error *error);
void gz_sweep_edges_free(gz_sweep_edges *edges);

#endif
