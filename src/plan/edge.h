/// Whether the straight motion between two states is free: the one place that decides it. Today it
/// looks at configurations a resolution apart; another way of knowing takes this one's place here.
#ifndef GZ_PLAN_EDGE_H
#define GZ_PLAN_EDGE_H

#include "plan/plan_internal.h"

/// When to stop. Looked at between batches of checks.
typedef struct gz_budget {
    double start, max_seconds; ///< monotonic clock
    const volatile int *cancel;
    bool unlimited; ///< ignore the time (not the cancel flag): a path that was found is finished
    bool spent, cancelled; ///< [out] why it was stopped
} gz_budget;

double gz_monotonic_seconds(void);
/// Whether to stop now.
bool gz_budget_spent(gz_budget *budget);

typedef enum gz_edge_verdict {
    GZ_EDGE_FREE = 0,
    GZ_EDGE_BLOCKED = 1,
    GZ_EDGE_STOPPED = 2, ///< the budget is spent
    GZ_EDGE_FAILED = 3   ///< an error, which is in edges->status
} gz_edge_verdict;

/// Which end states are not yet known to be free.
typedef enum gz_edge_ends { GZ_EDGE_NO_END = 0, GZ_EDGE_FROM = 1, GZ_EDGE_TO = 2 } gz_edge_ends;

/// Checks edges of one plan: buffers and counters.
typedef struct gz_edges {
    const graze_checker *checker;
    const gz_plan_space *space;
    gz_budget *budget;
    uint32_t threads;
    graze_workspace *workspace; ///< for a single thread
    double *state, *q, *base;   ///< one batch
    uint8_t *verdicts;
    uint64_t configurations, checked; ///< counters: configurations, edges
    graze_status status;
    graze_error *error;
} gz_edges;

/// All arguments must outlive the result; budget and error are written to by every check.
graze_status gz_edges_make(gz_edges *edges, const graze_checker *checker,
                           const gz_plan_space *space, uint32_t threads, gz_budget *budget,
                           graze_error *error);
void gz_edges_free(gz_edges *edges);

/// Checks from -> to with neighbouring configurations at most `resolution` apart in the metric.
/// The verdict and the counters do not depend on the number of threads. The configurations are
/// those that gz_plan_space_interpolate() gives from `from`, so an edge is checked the way it will
/// be travelled.
gz_edge_verdict gz_edge_check(gz_edges *edges, const double *from, const double *to,
                              gz_edge_ends unknown, double resolution);

#endif
