/// Forward kinematics in 256-bit arithmetic (MPFR) from what the public headers say of a robot: the
/// real poses that graze_robot_link_pose_error() speaks of. Shares no code with the library.
#ifndef GRAZE_TESTS_REAL_POSE_H
#define GRAZE_TESTS_REAL_POSE_H

#include <mpfr.h>

#include "graze/graze.h"

enum { REAL_BITS = 256 };

/// A pose [R | t], as graze_transform.
typedef struct real_pose {
    mpfr_t m[12];
} real_pose;

/// Scratch of the arithmetic, and the links' poses.
typedef struct real_robot {
    const graze_robot *robot;
    real_pose *links;        ///< of every link
    graze_joint_info *above; ///< of every link: the joint that moves it
    int32_t *order;          ///< links, parents first
    int32_t link_count;
    mpfr_t x, y, z, sine, cosine;
    real_pose motion, turned;
} real_robot;

/// Zeroed memory, or the end of the program.
void *real_allocate(size_t count, size_t size);

void real_robot_init(real_robot *real, const graze_robot *robot);
void real_robot_clear(real_robot *real);

/// The value of a joint with one number, mimic chains followed in real arithmetic.
void real_robot_value(real_robot *real, const graze_joint_info *joint, const double *q,
                      mpfr_t value);

/// Poses of all links. @param base x y z roll pitch yaw
void real_robot_pose(real_robot *real, const double *q, const double base[6]);

/// R v + t.
void real_point(real_robot *real, const real_pose *pose, const double v[3], mpfr_t out[3]);

/// The distance of a point (double) from a real one, rounded up.
double real_distance(real_robot *real, const double p[3], mpfr_t real_p[3]);

#endif
