/// What was counted between two moments.
#ifndef GZ_CHECK_STATS_H
#define GZ_CHECK_STATS_H

#include "graze/check.h"

/// Counter by counter `now` less `before`.
graze_stats gz_stats_since(const graze_stats *now, const graze_stats *before);

#endif
