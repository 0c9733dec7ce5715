/// Start and goal of a path on the command line, and what is said where they are why there is none.
#ifndef GZ_CLI_PLAN_PATH_ENDS_H
#define GZ_CLI_PLAN_PATH_ENDS_H

#include "cli/argument.h"
#include "cli/input/configuration.h"

enum { GZ_START = 0, GZ_GOAL = 1 };

/// What the command line says of start and goal: nothing at first.
typedef struct gz_path_ends {
    gz_end_options of[2];
} gz_path_ends;

gz_path_ends gz_path_ends_default(void);

/// Whether the command line says anything of an end.
bool gz_path_end_is_given(const gz_path_ends *ends, int end);

/// The options of both, for a list of a command's options.
#define GZ_OPTIONS_OF_ENDS(ends)                                                                   \
    {"start", "Q", .text = &(ends)->of[GZ_START].q, .help = "start: numbers or joint=value,..."},  \
        {"goal", "Q", .text = &(ends)->of[GZ_GOAL].q, .help = "goal, likewise"},                   \
        {"start-state", "NAME", .text = &(ends)->of[GZ_START].state,                               \
         .help = "a group state of the SRDF, under --start"},                                      \
        {"goal-state", "NAME", .text = &(ends)->of[GZ_GOAL].state,                                 \
         .help = "a group state of the SRDF, under --goal"},                                       \
        {"start-base", "x,y,z,r,p,y", .text = &(ends)->of[GZ_START].base,                          \
         .help = "base pose at the start (default: --base)"},                                      \
    {                                                                                              \
        "goal-base", "x,y,z,r,p,y", .text = &(ends)->of[GZ_GOAL].base,                             \
                                    .help = "base pose at the goal (default: --base)"              \
    }

// Each prints why there is no path, and returns the exit status.

int gz_path_end_collides(const graze_checker *checker, int end, const graze_contact *contact);
/// @param q of that end
int gz_path_end_exceeds(const graze_robot *robot, int end, int32_t joint, const double *q);
int gz_path_time_is_spent(double seconds);
int gz_path_interrupted(void);

#endif
