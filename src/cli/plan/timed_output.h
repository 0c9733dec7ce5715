/// The timed trajectory of a path, as a JointTrajectory that `graze certify` and ROS read.
#ifndef GZ_CLI_PLAN_TIMED_OUTPUT_H
#define GZ_CLI_PLAN_TIMED_OUTPUT_H

#include "cli/check/check_output.h"
#include "graze/graze.h"

typedef struct gz_timed_output {
    const char *file;    ///< NULL for none
    const char *limits;  ///< a joint_limits.yaml; NULL: the description alone
    double acceleration; ///< of every joint, rad/s^2 and m/s^2; 0: the description's
    double velocity;     ///< likewise, rad/s and m/s; 0: the description's
    double jerk;         ///< likewise, rad/s^3 and m/s^3; 0: the description's, where it has them
    double base_limits[3][2]; ///< of the base, where it moves: velocity, acceleration and jerk,
                              ///< each of its place, m, and of its angles, rad; 0: none is given
    double scale;             ///< of velocities, above 0, at most 1
    double corner;            ///< as graze_timing_options has it
    bool spline;              ///< likewise
    bool quiet;
} gz_timed_output;

/// Whether the options go together, and no file is written twice. Returns an exit status.
int gz_timed_output_usage(const gz_timed_output *output, const gz_check_files *files);

/// Times the path, proves what is written, and writes it. Returns an exit status, its message
/// printed: GZ_EXIT_FINDING where it is not proved free.
int gz_timed_output_write(const gz_timed_output *output, const graze_checker *checker,
                          const graze_path *path);

#endif
