/// Checkers whose margins hold for whole boxes: FREE in the middle is free everywhere.
#ifndef GZ_CSPACE_CSPACE_LEVEL_H
#define GZ_CSPACE_CSPACE_LEVEL_H

#include "check/check_internal.h"
#include "cspace/cspace_motion.h"

/// A checker with the rules of `checker`, whose margin is, pair by pair, that of `checker`, plus
/// what the pair's distance may change in a box of these half edges, plus twice epsilon. Where it
/// says FREE in the middle, `checker` says so in all of the box, and so does real arithmetic, but
/// for what goes through openings that caps close (cspace_caps.h).
/// @param out [out] free with graze_checker_free()
graze_status gz_cspace_level_make(graze_checker **out, const graze_checker *checker,
                                  const gz_cspace_motion *motion, const double half[2],
                                  graze_error *error);

/// The margin of one pair there: a link and, below 0, the world, or another link.
double gz_cspace_level_margin(const graze_checker *checker, const gz_cspace_motion *motion,
                              const double half[2], int32_t a, int32_t b, double margin);

#endif
