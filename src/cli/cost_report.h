/// What does each link cost? graze info --cost.
#ifndef GZ_CLI_COST_REPORT_H
#define GZ_CLI_COST_REPORT_H

#include <stdio.h>

#include "graze/graze.h"

typedef struct gz_link_cost {
    int32_t link;
    size_t triangles; ///< of its collision meshes and boxes
    double area;      ///< of the faces of its collision geometry's box, m^2
    double seconds;   ///< a configuration: of the checks of the pairs that it is in
    bool candidate;   ///< for decimation
} gz_link_cost;

typedef struct gz_cost_report {
    const graze_robot *robot;
    gz_link_cost *links; ///< with collision geometry, by triangles, then by number
    size_t count, triangles, pairs, configurations;
    double seconds;      ///< a configuration: of all pairs, posing included
    double posing;       ///< of it, without any pair
    double link_seconds; ///< the sum over the links: each pair counts for both
    size_t candidate_triangles;
} gz_cost_report;

/// Counts, and measures on configurations that are sampled within the limits (an endless joint:
/// one turn). Self-collision alone. Free in any case.
graze_status gz_cost_report_make(gz_cost_report *report, const graze_robot *robot, size_t samples,
                                 uint64_t seed, graze_error *error);
void gz_cost_report_free(gz_cost_report *report);

void gz_cost_report_text(FILE *stream, const gz_cost_report *report);
void gz_cost_report_json(FILE *stream, const gz_cost_report *report);

#endif
