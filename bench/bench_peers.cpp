// graze-bench-peers: graze against FCL, Bullet and ODE.

#include <algorithm>
#include <cstdio>

#include "comparison.h"
#include "load_cost.h"
#include "planner_edges.h"

namespace {

/// The configurations to measure, and others to learn from: the last rows of a file that has
/// enough, otherwise drawn.
void draw(const scene::Robot &robot, const bench::Options &options, scene::Configurations &configs,
          scene::Configurations &training) {
    std::vector<size_t> columns = scene::columns_of(robot, options.joints);
    training = scene::random_configurations(robot, columns, options.training, options.seed + 1);
    if (options.configs.empty()) {
        configs = scene::random_configurations(robot, columns, options.rows, options.seed);
        return;
    }
    configs = scene::read_configurations(robot, columns, options.configs);
    if (configs.count >= options.rows + options.training)
        training.q.assign(configs.q.end() - (std::ptrdiff_t)training.q.size(), configs.q.end());
}

/// The worlds of the options: each as it is, triangulated where it has native shapes, and merged on
/// request. The environments point to the worlds and the configurations.
std::vector<std::unique_ptr<scene::World>> load_worlds(const bench::Options &options,
                                                       const scene::Configurations &configs,
                                                       std::vector<bench::Environment> &out) {
    std::vector<std::unique_ptr<scene::World>> worlds;
    auto add = [&](const std::string &verdicts) {
        out.push_back({worlds.back()->name, {{worlds.back().get(), &configs}}, verdicts});
    };
    for (const bench::WorldFile &file : options.worlds) {
        worlds.push_back(std::make_unique<scene::World>());
        scene::World &native = *worlds.back();
        native.load(file.path);
        add(file.verdicts);
        if (!native.has_native_shapes()) continue;
        worlds.push_back(std::make_unique<scene::World>());
        worlds.back()->triangulate(native, options.sides);
        add(file.triangulated_verdicts);
        if (!options.merge) continue;
        worlds.push_back(std::make_unique<scene::World>());
        worlds.back()->merge(native, options.sides, 0.02);
        add("");
    }
    return worlds;
}

/// The paths of all problems as two environments: their worlds as they are, and triangulated.
void add_edges(const std::vector<bench::PlannedPath> &paths, std::vector<bench::Environment> &out) {
    bench::Environment native{"planner edges", {}, "", true};
    bench::Environment triangulated{"planner edges triangulated", {}, "", true};
    for (const bench::PlannedPath &path : paths) {
        native.sections.push_back({path.world.get(), &path.configs});
        triangulated.sections.push_back({path.triangulated.get(), &path.configs});
    }
    out.push_back(std::move(native));
    out.push_back(std::move(triangulated));
}

} // namespace

int main(int argc, char **argv) {
    bench::Options options = bench::Options::parse(argc, argv);
    bench::pin();
    if (!options.child.empty()) return bench::run_child(options);

    scene::Robot robot;
    robot.load(options.urdf, options.srdf, options.package_path);
    scene::Configurations configs, training;
    draw(robot, options, configs, training);

    std::vector<bench::Environment> environments = {
        {"self", {{nullptr, &configs}}, options.self_verdicts}};
    const auto worlds = load_worlds(options, configs, environments);
    bench::Table table(options);
    bench::print_machine(stdout, "");
    size_t triangles = 0;
    for (const scene::Body &body : robot.bodies) triangles += body.mesh.indices.size() / 3;
    std::printf("robot: %s, %zu bodies, %zu triangles, %zu pairs of links; one thread, median of "
                "%zu\n",
                graze_robot_name(robot.robot), robot.bodies.size(), triangles, robot.pairs.size(),
                options.repeat);
    std::vector<bench::PlannedPath> paths;
    if (!options.problems.empty()) {
        paths = bench::plan_edges(robot, options, 200);
        add_edges(paths, environments);
    }

    bool good = true;
    for (const bench::Environment &environment : environments) {
        bench::Comparison comparison(robot, environment, training, options);
        comparison.measure();
        good = comparison.report(table) && good;
        std::fflush(stdout);
    }
    if (options.only.empty()) bench::report_load_costs(options, table, argc, argv);
    table.finish();
    if (!good) std::printf("\nverdicts differ: see above\n");
    return good ? 0 : 1;
}
