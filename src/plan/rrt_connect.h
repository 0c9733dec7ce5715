/// RRT-Connect: Kuffner and LaValle, "RRT-Connect: an efficient approach to single-query path
/// planning", ICRA 2000.
#ifndef GZ_PLAN_RRT_CONNECT_H
#define GZ_PLAN_RRT_CONNECT_H

#include "plan/plan_internal.h"

typedef struct gz_rrt_options {
    double step;             ///< longest extension
    double resolution;       ///< of edges
    uint64_t max_iterations; ///< samples
} gz_rrt_options;

typedef struct gz_rrt_result {
    graze_plan_outcome outcome; ///< FOUND, ITERATIONS, TIME or CANCELLED
    uint64_t iterations;
    size_t tree_size[2];
} gz_rrt_result;

/// Looks for a path between two free states and writes its states, both ends included.
/// Every edge has been checked in the direction from start to goal.
graze_status gz_rrt_connect(gz_edges *edges, const double *start, const double *goal,
                            const gz_rrt_options *options, gz_random *random, gz_state_list *path,
                            gz_rrt_result *result, graze_error *error);

#endif
