// Planning problems, the paths that solve them, and the configurations along these.

#include "planner_edges.h"

#include <cmath>
#include <cstdio>

#include "problems.h"

namespace bench {
namespace {

/// The configurations along a path.
scene::Configurations along(const scene::Robot &robot, const graze_path *path, size_t per_edge) {
    scene::Configurations out;
    out.width = robot.q_size();
    size_t edges = graze_path_count(path) - 1;
    out.count = edges * per_edge + 1;
    out.q.resize(out.count * out.width);
    for (size_t i = 0; i < out.count; i++) {
        size_t edge = std::min(i / per_edge, edges - 1);
        double base[6], t = (double)(i - edge * per_edge) / (double)per_edge;
        if (graze_path_interpolate(path, edge, t, &out.q[i * out.width], base) != GRAZE_OK)
            scene::fail("edge %zu has no configuration at %g", edge, t);
    }
    return out;
}

/// Plans one problem; whether a path was found.
bool plan(const scene::Robot &robot, const Problem &problem, const std::vector<size_t> &columns,
          size_t per_edge, PlannedPath *out) {
    scene::Checker checker(robot, problem.world.get(), GRAZE_POLICY_SOLID);
    std::vector<int32_t> planned(columns.begin(), columns.end());
    graze_plan_options options = graze_plan_options_default();
    options.columns = planned.data();
    options.column_count = planned.size();
    options.max_iterations = 20000;
    options.max_seconds = INFINITY;
    graze_plan_result result;
    graze_error error;
    scene::require(graze_plan(checker.get(), problem.start.data(), nullptr, problem.goals[0].data(),
                              nullptr, &options, &result, &error),
                   error, out->name.c_str());
    if (result.outcome != GRAZE_PLAN_FOUND) return false;
    out->edges = graze_path_count(result.path) - 1;
    out->configs = along(robot, result.path, per_edge);
    graze_path_free(result.path);
    return true;
}

} // namespace

std::vector<PlannedPath> plan_edges(const scene::Robot &robot, const Options &options,
                                    size_t per_edge) {
    ProblemFile file(options.problems, robot);
    std::vector<PlannedPath> out;
    size_t tried = 0, edges = 0;
    for (const std::string &family : file.families()) {
        size_t found = 0;
        for (size_t k = 0; k < file.size(family) && found < options.paths; k++, tried++) {
            Problem problem = file.read(family, k);
            PlannedPath path;
            path.name = problem.name;
            if (!plan(robot, problem, file.columns(), per_edge, &path)) continue;
            path.world = std::move(problem.world);
            path.triangulated = std::make_unique<scene::World>();
            path.triangulated->triangulate(*path.world, options.sides);
            edges += path.edges;
            found++;
            out.push_back(std::move(path));
        }
    }
    if (out.empty()) scene::fail("%s: no problem was solved", options.problems.c_str());
    std::printf("planner edges: %zu problems of %s planned, %zu paths found, %zu edges, %zu "
                "configurations each\n",
                tried, options.problems.c_str(), out.size(), edges, per_edge);
    return out;
}

} // namespace bench
