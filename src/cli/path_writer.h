/// Paths as CSV (which `graze check --configs` reads) or JSON.
#ifndef GZ_CLI_PATH_WRITER_H
#define GZ_CLI_PATH_WRITER_H

#include <stdio.h>

#include "graze/graze.h"

/// "found", "start-collides", "goal-limits" ...
const char *gz_plan_outcome_name(graze_plan_outcome outcome);

/// A header of base_x ... base_yaw and the names of q, then a line per waypoint.
void gz_path_write_csv(FILE *stream, const graze_robot *robot, const graze_path *path);

/// One object; without a path it says why.
void gz_path_write_json(FILE *stream, const graze_checker *checker,
                        const graze_plan_result *result);

#endif
