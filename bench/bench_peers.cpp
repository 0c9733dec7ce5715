// graze-bench-peers: graze against FCL, Bullet and ODE.

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "comparison.h"
#include "load_cost.h"

namespace {

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

void print_machine(std::FILE *out, const char *mark) {
    std::fprintf(out, "%sprocessor: %s\n", mark, processor().c_str());
    std::fprintf(out, "%scompiler: %s; peers as packaged: FCL %s, Bullet %s, ODE %s; graze %s\n",
                 mark, GRAZE_BENCH_COMPILER, GRAZE_BENCH_FCL, GRAZE_BENCH_BULLET, GRAZE_BENCH_ODE,
                 graze_version());
}

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

} // namespace

int main(int argc, char **argv) {
    bench::Options options = bench::Options::parse(argc, argv);
    bench::pin();
    if (!options.child.empty()) return bench::run_child(options);

    scene::Robot robot;
    robot.load(options.urdf, options.srdf, options.package_path);
    scene::Configurations configs, training;
    draw(robot, options, configs, training);

    // Each world as it is, triangulated where it has native shapes, and merged on request.
    std::vector<std::unique_ptr<scene::World>> worlds;
    std::vector<bench::Environment> environments = {{"self", nullptr, options.self_verdicts}};
    auto add = [&](const std::string &verdicts) {
        environments.push_back({worlds.back()->name, worlds.back().get(), verdicts});
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

    size_t triangles = 0;
    for (const scene::Body &body : robot.bodies) triangles += body.mesh.indices.size() / 3;
    print_machine(stdout, "");
    std::printf("robot: %s, %zu bodies, %zu triangles, %zu pairs of links; one thread, median of "
                "%zu\n",
                graze_robot_name(robot.robot), robot.bodies.size(), triangles, robot.pairs.size(),
                options.repeat);
    std::FILE *csv = options.csv.empty() ? nullptr : std::fopen(options.csv.c_str(), "w");
    if (!options.csv.empty() && !csv) scene::fail("%s: cannot be written", options.csv.c_str());
    if (csv) {
        print_machine(csv, "# ");
        std::fputs("environment,library,method,rows,median_us,least_us,most_us,collisions,"
                   "different,build_s\n",
                   csv);
    }

    bool good = true;
    for (const bench::Environment &environment : environments) {
        bench::Comparison comparison(robot, environment, configs, training, options);
        comparison.measure();
        good = comparison.report(csv) && good;
        std::fflush(stdout);
    }
    if (options.only.empty()) bench::report_load_costs(options, argc, argv);
    if (csv && std::fclose(csv)) scene::fail("%s: cannot be written", options.csv.c_str());
    if (!good) std::printf("\nverdicts differ: see above\n");
    return good ? 0 : 1;
}
