/// Making a path shorter, and proving a finished one again.
#ifndef GZ_PLAN_SHORTCUT_H
#define GZ_PLAN_SHORTCUT_H

#include "plan/plan_internal.h"

/// The length of a path in the metric.
double gz_path_length(const gz_plan_space *space, const gz_state_list *path);

/// Shortens a path whose edges are free: leaves out waypoints, then `rounds` times tries a straight
/// way between two random points of it, then leaves out waypoints again. The length never grows;
/// ends stay. Stops early, with a valid path, when the budget is spent.
/// @return GRAZE_OK, or the error of a check or allocation
graze_status gz_path_shorten(gz_edges *edges, gz_state_list *path, uint32_t rounds,
                             double resolution, gz_random *random, graze_error *error);

#endif
