/// The allowed-collision matrix and the review of an SRDF, as text and as JSON.
#ifndef GZ_CLI_SRDF_WRITER_H
#define GZ_CLI_SRDF_WRITER_H

#include <stdio.h>

#include "graze/graze.h"

/// How the user would check a configuration: words behind "graze check".
typedef struct gz_srdf_origin {
    const char *robot;           ///< the operand
    const char *const *packages; ///< of --package
    size_t package_count;
    const char *package_path; ///< NULL if none
    const char *collada;      ///< NULL for the default
    const char *use_visual;   ///< likewise
} gz_srdf_origin;

void gz_srdf_text(FILE *stream, const graze_matrix *matrix);
void gz_srdf_json(FILE *stream, const graze_matrix *matrix);

void gz_srdf_review_text(FILE *stream, const graze_matrix_review *review,
                         const graze_matrix *matrix, const char *file,
                         const gz_srdf_origin *origin);
void gz_srdf_review_json(FILE *stream, const graze_matrix_review *review,
                         const graze_matrix *matrix, const char *file);

#endif
