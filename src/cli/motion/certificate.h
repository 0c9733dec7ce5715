/// Certificates of motions: what an answer rests on, written beside it, for `graze verify`.
#ifndef GZ_CLI_MOTION_CERTIFICATE_H
#define GZ_CLI_MOTION_CERTIFICATE_H

#include "cli/check/check_output.h"
#include "cli/motion/moving_world.h"
#include "cli/output.h"

typedef struct gz_certificate {
    gz_output output;
    gz_dump_writer writer;
    graze_workspace *checks; ///< where nothing moves
    gz_moving_world world;   ///< of the time that is written
    gz_contacts contacts;
} gz_certificate;

/// A place of a motion.
typedef struct gz_certified_place {
    const double *q, *base;
    double time; ///< of objects that move; else not read
} gz_certified_place;

/// Opens the file and writes what all motions have in common. `moving`, NULL for none, must outlive
/// it. Prints what is wrong and returns an exit status; after any, gz_certificate_close().
int gz_certificate_open(gz_certificate *certificate, const char *path, const gz_robot_input *input,
                        const gz_dumped_moving *moving);
/// Writes the place where a motion begins, with what graze_check() says of it in the world of its
/// time; the motion; and, where it is a HIT, the place `hit` likewise. Where objects move it may be
/// that graze_check() finds no collision there, since objects that move are rounded: then the
/// motion is written as undecided.
graze_status gz_certificate_put(gz_certificate *certificate, const gz_certified_place *begin,
                                const gz_dumped_motion *motion, const gz_certified_place *hit,
                                graze_error *error);
/// Ends the file, which takes its place only where `status` is that of an answer. Returns the exit
/// status of both.
int gz_certificate_close(gz_certificate *certificate, int status);

#endif
