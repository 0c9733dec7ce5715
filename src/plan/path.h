/// The inside of graze_path.
#ifndef GZ_PLAN_PATH_H
#define GZ_PLAN_PATH_H

#include "plan/plan_internal.h"

struct graze_path {
    gz_plan_space space;
    gz_state_list states;
    double *q;    ///< waypoints in full
    double *base; ///< 6 numbers each
};

/// A path from its states; the space is copied. NULL when out of memory.
graze_path *gz_path_make(const gz_plan_space *space, const gz_state_list *states);

#endif
