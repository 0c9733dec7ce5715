/// Paths of `graze plan` and `graze roadmap query` as CSV (which `graze check --configs` reads),
/// JSON, or a dump.
#ifndef GZ_CLI_PLAN_PATH_WRITER_H
#define GZ_CLI_PLAN_PATH_WRITER_H

#include "graze/graze.h"

typedef struct gz_path_output {
    const char *file;  ///< of the path; NULL for standard output
    const char *dump;  ///< every configuration that the resolution asks for; NULL for none
    bool json;         ///< else CSV, which needs a path
    double resolution; ///< of the dump: between neighbours, in the planner's metric; of rows of CSV
                       ///< on the bends of a curve
    double domain;     ///< of the dump, metres: where epsilon holds
    bool no_world;     ///< of the dump: the boundary does not count
} gz_path_output;

/// Writes the path (or, as JSON, why there is none), and a dump that takes its place only with it.
/// Returns an exit status, its message printed.
int gz_path_output_write(const gz_path_output *output, const graze_checker *checker,
                         const graze_plan_result *result);

/// Likewise the answer of a roadmap: its path, which CSV needs, or as JSON why it has none. No
/// dump.
int gz_roadmap_answer_write(const gz_path_output *output, const graze_checker *checker,
                            const graze_roadmap_result *result, const graze_path *path);

#endif
