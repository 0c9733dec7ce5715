/// Where the configurations of a sweep come from: drawn by a counter, on a grid, or from a file.
/// Configuration i depends on nothing but i and the source.
#ifndef GZ_CLI_SWEEP_SWEEP_SOURCE_H
#define GZ_CLI_SWEEP_SWEEP_SOURCE_H

#include "base/sha256.h"
#include "cli/input/configuration.h"
#include "cli/json.h"

/// One axis of a grid: `count` values of a column, from low to high, both included.
typedef struct gz_grid_axis {
    int32_t place; ///< as in gz_columns
    uint64_t count;
    double low, high;
} gz_grid_axis;

typedef struct gz_sweep_source {
    // Set by the command.
    const graze_robot *robot;
    gz_posture rest;    ///< what the source does not say
    const char *joints; ///< drawn or read columns; NULL: all
    const char *path;   ///< of a file; NULL for the others
    uint64_t seed;
    uint32_t threads;

    uint64_t count; ///< configurations
    gz_grid_axis *axes;
    size_t axis_count;           ///< 0: no grid
    gz_columns drawn;            ///< of `joints`, where configurations are drawn
    char sha256[GZ_SHA256_TEXT]; ///< of the file
    gz_configuration_file file;
    bool open;
    uint64_t next;  ///< row that the file gives next
    double *last_q; ///< row next - 1, with its base behind it
} gz_sweep_source;

/// Reads axes "JOINT=LOW:HIGH:COUNT"; the last varies fastest. Sets the count.
graze_status gz_sweep_source_grid(gz_sweep_source *source, const gz_texts *axes,
                                  graze_error *error);
/// Reads the columns that are drawn.
graze_status gz_sweep_source_draw(gz_sweep_source *source, graze_error *error);
/// Reads the file once, for its length and hash. Sets the count.
graze_status gz_sweep_source_file(gz_sweep_source *source, graze_error *error);

/// Writes rows first .. first + count - 1, all below source->count: rows of q, and rows of 6.
/// A file is read forwards; going back by more than one row opens it anew.
graze_status gz_sweep_source_read(gz_sweep_source *source, uint64_t first, size_t count, double *q,
                                  double *base, graze_error *error);

/// Whether rows differ in their bases.
bool gz_sweep_source_has_base(const gz_sweep_source *source);

/// Hashes a file.
graze_status gz_sweep_hash_file(const char *path, char sha256[GZ_SHA256_TEXT], graze_error *error);

/// Describes the source as an object of JSON, behind its key.
void gz_sweep_source_describe(const gz_sweep_source *source, gz_json *json);

void gz_sweep_source_free(gz_sweep_source *source);

#endif
