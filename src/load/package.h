/// Where is the file that a URI names? package://, file:// and relative paths.
#ifndef GZ_LOAD_PACKAGE_H
#define GZ_LOAD_PACKAGE_H

#include "base/error.h"
#include "graze/robot.h"

/// Finds the file of a URI by the order that docs/cli.md gives: options->packages,
/// options->package_path, GRAZE_PACKAGE_PATH, ROS_PACKAGE_PATH, AMENT_PREFIX_PATH/share (when
/// options->use_environment), then upwards from base_dir.
/// @param base_dir folder of the file that holds the URI
/// @param path     [out] the existing file, free with gz_free(); NULL on failure
/// @return GRAZE_ERROR_NOT_FOUND with every path tried in the message; GRAZE_ERROR_UNSUPPORTED for
///         other schemes (http ...); GRAZE_ERROR_SCHEMA for a malformed URI; _NO_MEMORY
graze_status gz_package_resolve(char **path, const char *uri, const char *base_dir,
                                const graze_load_options *options, gz_warnings *warnings,
                                gz_place place, graze_error *error);

#endif
