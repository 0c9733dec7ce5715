/// Checkers whose margins hold for whole boxes: FREE in the middle is free everywhere.
#ifndef GZ_CSPACE_CSPACE_LEVEL_H
#define GZ_CSPACE_CSPACE_LEVEL_H

#include "check/checker.h"
#include "cspace/cspace_motion.h"

/// A checker with the rules of `checker`, whose margin is, pair by pair, that of `checker`, plus
/// what the pair's distance may change in a box of these half edges, plus twice epsilon. Where it
/// says FREE in the middle, `checker` says so in all of the box, and so does real arithmetic.
/// @param out [out] free with graze_checker_free()
graze_status gz_cspace_level_make(graze_checker **out, const graze_checker *checker,
                                  const gz_cspace_motion *motion, const double half[2],
                                  graze_error *error);

#endif
