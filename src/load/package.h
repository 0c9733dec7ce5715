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

/// Finds a package that holds the file: one of options->packages, or the folder above it whose
/// package.xml names it, such that package://NAME/REST leads to the very same file by the order of
/// gz_package_resolve(), without a guess.
/// @param name [out] free with gz_free(); NULL where there is none
/// @param root [out] how much of `path` is the package's folder; path[*root] is a slash
/// @param path absolute, of a file that is there
/// @return GRAZE_OK also where there is none; GRAZE_ERROR_NO_MEMORY
graze_status gz_package_name(char **name, size_t *root, const char *path, const char *base_dir,
                             const graze_load_options *options);

#endif
