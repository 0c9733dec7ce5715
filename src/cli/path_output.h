/// Where a plan goes: the path, and a dump of its configurations beside it.
#ifndef GZ_CLI_PATH_OUTPUT_H
#define GZ_CLI_PATH_OUTPUT_H

#include "graze/graze.h"

typedef struct gz_path_output {
    const char *file;  ///< of the path; NULL for standard output
    const char *dump;  ///< NULL for none
    bool json;         ///< else CSV, which needs a path
    double resolution; ///< of the dump, see gz_path_dump
    double domain;
    bool no_world;
} gz_path_output;

/// Writes the path (or, as JSON, why there is none), and a dump that takes its place only with it.
/// Returns an exit status, its message printed.
int gz_path_output_write(const gz_path_output *output, const graze_checker *checker,
                         const graze_plan_result *result);

#endif
