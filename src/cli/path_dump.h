/// A path as a dump: every configuration that the planner's resolution asks for, with its verdict.
#ifndef GZ_CLI_PATH_DUMP_H
#define GZ_CLI_PATH_DUMP_H

#include "cli/output.h"
#include "graze/graze.h"

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

#endif
