/// Which package does a file belong to?
#ifndef GZ_LOAD_PACKAGE_NAME_H
#define GZ_LOAD_PACKAGE_NAME_H

#include "base/error.h"
#include "graze/robot.h"

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
