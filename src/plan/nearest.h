/// The nearest of many states in the metric of a plan space: a forest of static k-d trees.
#ifndef GZ_PLAN_NEAREST_H
#define GZ_PLAN_NEAREST_H

#include "plan/plan_internal.h"

typedef struct gz_neighbours gz_neighbours;

/// The space must outlive the result; NULL when out of memory.
gz_neighbours *gz_neighbours_make(const gz_plan_space *space);
void gz_neighbours_free(gz_neighbours *nearest);

/// Adds a state, which gets the next number, from 0. False when out of memory or full (2^31 - 1);
/// then nothing has changed.
bool gz_neighbours_add(gz_neighbours *nearest, const double *state);
size_t gz_neighbours_count(const gz_neighbours *nearest);

/// The number of the nearest state, the lowest among equals; -1 when there is none. States are
/// compared as rounded to float: good to about 1e-6 of the range, and the same on every machine.
int32_t gz_neighbours_find(gz_neighbours *nearest, const double *state);

#endif
