/// The steps of `graze demo`, each printing what it does and the command that does it again.
#ifndef GZ_CLI_DEMO_TOUR_H
#define GZ_CLI_DEMO_TOUR_H

#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"

#define GZ_DEMO_PATH_SIZE (GRAZE_PATH_SIZE + 64)

typedef struct gz_demo {
    gz_robot_input input;
    const char *output;            ///< folder for the pictures
    char share[GRAZE_PATH_SIZE];   ///< folder with urdf/ and worlds/
    char program[GRAZE_PATH_SIZE]; ///< how a shell reaches this program
    const char *bold, *dim, *off;  ///< colours, or ""
    gz_posture reach, lower, tuck; ///< configurations of the tour
} gz_demo;

/// The steps return an exit status; the message of a failure is printed.
int gz_demo_robot(gz_demo *demo);
int gz_demo_verdicts(gz_demo *demo);
int gz_demo_batch(gz_demo *demo);
int gz_demo_path(gz_demo *demo);

/// Prints a heading, and a command to repeat a step.
void gz_demo_heading(const gz_demo *demo, const char *text);
void gz_demo_command(const gz_demo *demo, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// The path of a file in the output folder. Returns buffer.
const char *gz_demo_file(const gz_demo *demo, char buffer[GZ_DEMO_PATH_SIZE], const char *name);

#endif
