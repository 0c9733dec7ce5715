/// Paths of `graze plan` as CSV (which `graze check --configs` reads), JSON, or a dump.
#ifndef GZ_CLI_PLAN_PATH_WRITER_H
#define GZ_CLI_PLAN_PATH_WRITER_H

#include <stdio.h>

#include "cli/output.h"
#include "graze/graze.h"

/// "found", "start-collides", "goal-limits" ...
const char *gz_plan_outcome_name(graze_plan_outcome outcome);

/// A header of base_x ... base_yaw and the names of q, then a line per waypoint.
void gz_path_write_csv(FILE *stream, const graze_robot *robot, const graze_path *path);

/// One object; without a path it says why.
void gz_path_write_json(FILE *stream, const graze_checker *checker,
                        const graze_plan_result *result);

/// A path as a dump: every configuration that the planner's resolution asks for, with its verdict.
typedef struct gz_path_dump {
    const char *file;
    const graze_checker *checker;
    const graze_path *path;
    double resolution; ///< between neighbours, in the planner's metric
    double domain;     ///< metres: where epsilon holds
    bool no_world;     ///< the boundary does not count
    gz_output output;  ///< [out] the file beside its place
} gz_path_dump;

/// Checks every configuration and writes the dump beside its place. Returns an exit status, its
/// message printed; on failure nothing is left.
int gz_path_dump_write(gz_path_dump *dump);
/// Puts a dump that was written in its place, or removes it. Returns an exit status.
int gz_path_dump_finish(gz_path_dump *dump, bool keep);

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
