/// The options of a load, checked.
#ifndef GZ_LOAD_LOAD_OPTIONS_H
#define GZ_LOAD_LOAD_OPTIONS_H

#include "base/error.h"
#include "graze/robot.h"

/// Puts the defaults, or the caller's options where there are some, into *checked.
/// @return GRAZE_ERROR_ARGUMENT for options that did not come from graze_load_options_default(),
///         unknown enumerators and packages without a name or folder
graze_status gz_load_options_check(const graze_load_options *options, graze_load_options *checked,
                                   graze_error *error);

#endif
