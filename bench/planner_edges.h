/// @file planner_edges.h
/// Configurations as a planner asks for them: side by side along the edges of paths that solve
/// planning problems, close to what is in the way.
#ifndef GRAZE_BENCH_PLANNER_EDGES_H
#define GRAZE_BENCH_PLANNER_EDGES_H

#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "scene.h"

namespace bench {

/// The path of one problem, in its own world.
struct PlannedPath {
    std::string name; ///< family and number
    std::unique_ptr<scene::World> world, triangulated;
    scene::Configurations configs;
    size_t edges;
};

/// Reads a file of problems (mbm-1: families of problems, each with a start, goals, joints that
/// stay, boxes and cylinders), and plans: of each family the first problems whose start and first
/// goal are free, by graze_plan() with seed 1 and a budget of iterations, none of time, so that the
/// paths are the same everywhere. Each edge of the shortened path gets `per_edge` configurations,
/// from its start on, the last edge also its end. What was planned is printed.
std::vector<PlannedPath> plan_edges(const scene::Robot &robot, const Options &options,
                                    size_t per_edge);

} // namespace bench

#endif
