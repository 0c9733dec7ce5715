/// Certificates of motions: what an answer rests on, written beside it, for `graze verify`.
#ifndef GZ_CLI_MOTION_CERTIFICATE_H
#define GZ_CLI_MOTION_CERTIFICATE_H

#include "cli/check/check_output.h"
#include "cli/output.h"

typedef struct gz_certificate {
    gz_output output;
    gz_dump_writer writer;
    graze_workspace *checks;
    gz_contacts contacts;
} gz_certificate;

/// Opens the file and writes what all motions have in common. Prints what is wrong and returns an
/// exit status; after any, gz_certificate_close().
int gz_certificate_open(gz_certificate *certificate, const char *path, const gz_robot_input *input);
/// Writes a configuration with what graze_check() says of it, and the motion that begins there;
/// NULL for none.
graze_status gz_certificate_put(gz_certificate *certificate, const double *q, const double *base,
                                const gz_dumped_motion *motion, graze_error *error);
/// Ends the file, which takes its place only where `status` is that of an answer. Returns the exit
/// status of both.
int gz_certificate_close(gz_certificate *certificate, int status);

#endif
