/// Pictures: the one place where the command meets the picture room.
#ifndef GZ_CLI_PICTURE_OUTPUT_H
#define GZ_CLI_PICTURE_OUTPUT_H

#include "graze/graze.h"

/// A configuration and base pose to draw.
typedef struct gz_pictured_pose {
    const double *q, *base;
} gz_pictured_pose;

/// Draws the robot in its world and writes a PNG (beside its place, then renamed): the last pose
/// solid with all its colliding links red and what they touch orange, those before it see-through.
/// Returns an exit status; the message is printed.
int gz_picture_output(const char *path, const graze_checker *checker, const gz_pictured_pose *poses,
                      size_t pose_count);

#endif
