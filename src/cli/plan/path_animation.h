/// A path as an animated picture (APNG, https://www.w3.org/TR/png-3/, section 11.3.4): browsers
/// play it, other programs show its first frame.
#ifndef GZ_CLI_PLAN_PATH_ANIMATION_H
#define GZ_CLI_PLAN_PATH_ANIMATION_H

#include "graze/graze.h"
#include "picture/picture.h"

/// Draws the robot on its way, at equal steps of the path's length, all from one place, and writes
/// the pictures to a file (beside its place, then renamed). Returns an exit status; the message is
/// printed.
/// @param frames at least 2; each takes about a second of one processor
int gz_path_animation_write(const char *file, const graze_checker *checker, const gz_view *view,
                            const graze_path *path, uint32_t frames);

#endif
