/// Scenes as binary glTF 2.0 (.glb): what other programs draw, print and put on pages.
#ifndef GZ_CLI_VIEW_GLB_WRITER_H
#define GZ_CLI_VIEW_GLB_WRITER_H

#include <stdio.h>

#include "picture/picture.h"

/// Writes what a picture shows: a mesh for each geometry, in its colour, with the name of its link
/// or object; the contacts as lines, and as points where they have no segment. The Y axis is up, as
/// glTF wants it: the scene's node turns.
/// @return GRAZE_OK; GRAZE_ERROR_LIMIT (beyond the 4 GiB of the format); GRAZE_ERROR_NO_MEMORY
/// The same input gives the same bytes.
graze_status gz_glb_write(FILE *stream, const gz_picture *picture, graze_error *error);

#endif
