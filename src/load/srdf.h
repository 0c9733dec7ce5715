/// What does an SRDF say? Pairs that need no check, groups, states: facts about a robot that a
/// builder already holds.
#ifndef GZ_LOAD_SRDF_H
#define GZ_LOAD_SRDF_H

#include "robot/builder.h"

/// Reads an SRDF file into the builder of its robot. Unknown names are warnings.
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _PARSE, _SCHEMA (wrong root, a required attribute is
///         missing), _RANGE, _UNSUPPORTED, _LIMIT, _NO_MEMORY
graze_status gz_srdf_read(gz_builder *builder, const char *path, const graze_limits *limits,
                          graze_error *error);

#endif
