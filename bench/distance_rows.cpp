// Distances: graze beside FCL, the same robot, triangles, pairs and configurations in one run. FCL
// is given the running minimum: pairs whose world boxes are farther apart are left out.
//   graze-bench-distance [--fetch DATA_DIR] [--count N] [--peer N]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fcl_model.h"
#include "scene.h"
#include "stopwatch.h"

namespace {

struct Options {
    std::string urdf = GRAZE_SOURCE_DIR "/urdf/heron.urdf",
                srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf", package_path, configs;
    std::vector<std::string> worlds{GRAZE_SOURCE_DIR "/worlds/shelf.json",
                                    GRAZE_SOURCE_DIR "/worlds/clutter.json"};
    size_t count = 2000, peer = 100;
};

Options read_options(int argc, char **argv) {
    Options o;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i], value = argv[i + 1];
        if (name == "--count") {
            o.count = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--peer") {
            o.peer = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--fetch") {
            o.urdf = value + "/robots/fetch_description/robots/fetch.urdf";
            o.srdf = value + "/verdicts/fetch_75.srdf";
            o.package_path = value + "/robots";
            o.configs = value + "/verdicts/fetch_configs.npy";
            o.worlds = {value + "/worlds/shelf.json", value + "/worlds/clutter.ply"};
        } else {
            scene::fail("no option %s; allowed: --fetch, --count, --peer", argv[i]);
        }
    }
    return o;
}

/// FCL's fcl::distance over all pairs of bodies.
class Fcl {
  public:
    Fcl(const scene::Robot &robot, const scene::World *world) : robot_(robot), world_(world) {
        for (const scene::Body &body : robot.bodies) add(body);
        if (world)
            for (const scene::Body &body : world->objects) add(body);
        pairs_ = scene::body_pairs(robot, world);
    }

    double least(const graze_transform *links) {
        for (size_t i = 0; i < robot_.bodies.size(); i++) place(i, robot_.bodies[i].pose(links));
        double best = std::numeric_limits<double>::infinity();
        for (const auto &pair : pairs_) {
            fcl::CollisionObjectd &a = *objects_[pair.first], &b = *objects_[pair.second];
            if (a.getAABB().distance(b.getAABB()) > best) continue;
            fcl::DistanceRequestd request;
            fcl::DistanceResultd result;
            fcl::distance(&a, &b, request, result);
            best = std::min(best, std::max(result.min_distance, 0.0));
            if (!(best > 0)) return 0;
        }
        return best;
    }

  private:
    void place(size_t i, const graze_transform &pose) {
        objects_[i]->setTransform(bench::fcl_transform(pose));
        objects_[i]->computeAABB();
    }
    void add(const scene::Body &body) {
        objects_.push_back(
            std::make_unique<fcl::CollisionObjectd>(bench::fcl_geometry<fcl::OBBRSSd>(body)));
        place(objects_.size() - 1, body.origin);
    }

    const scene::Robot &robot_;
    const scene::World *world_;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
    std::vector<std::pair<size_t, size_t>> pairs_;
};

/// graze, with one answer.
class Engine {
  public:
    Engine(const scene::Robot &robot, const scene::World *world) : size_(robot.q_size()) {
        graze_error error;
        scene::require(graze_checker_create(&checker_, robot.robot, world ? world->world : nullptr,
                                            nullptr, &error),
                       error, "checker");
        scene::require(graze_distance_workspace_create(&workspace_, checker_, &error), error,
                       "workspace");
        by_q_.resize(size_);
    }
    ~Engine() {
        graze_distance_workspace_free(workspace_);
        graze_checker_free(checker_);
    }
    double least(const double *q, graze_distance_answer answer, bool gradient, bool named = true) {
        graze_error error;
        graze_proximity pair;
        graze_distance_options options = graze_distance_options_default();
        options.answer = answer;
        graze_distance_report report{};
        report.pairs = named ? &pair : nullptr;
        report.capacity = named;
        report.by_q = gradient ? by_q_.data() : nullptr;
        scene::require(
            graze_distance(checker_, workspace_, q, size_, nullptr, &options, &report, &error),
            error, "distance");
        return report.least.upper;
    }

  private:
    size_t size_;
    graze_checker *checker_ = nullptr;
    graze_distance_workspace *workspace_ = nullptr;
    std::vector<double> by_q_;
};

struct Row {
    double microseconds, mean;
};

Row run_engine(Engine &engine, const scene::Configurations &rows, size_t count,
               graze_distance_answer answer, bool gradient, bool named = true) {
    std::vector<double> times;
    double sum = 0;
    for (int round = 0; round < 5; round++) {
        sum = 0;
        double started = bench::thread_seconds();
        for (size_t i = 0; i < count; i++)
            sum += engine.least(rows.row(i), answer, gradient, named);
        times.push_back(1e6 * (bench::thread_seconds() - started) / (double)count);
    }
    return {bench::spread_of(times).least, sum / (double)count};
}

void run_world(const scene::Robot &robot, const scene::World *world, const std::string &name,
               const scene::Configurations &rows, const Options &o) {
    Engine engine(robot, world);
    Fcl fcl(robot, world);
    const size_t count = std::min(o.count, rows.count), peer = std::min(o.peer, count);
    std::vector<graze_transform> links((size_t)robot.link_count());
    std::vector<double> found;
    double sum = 0, started = bench::thread_seconds();
    for (size_t i = 0; i < peer; i++) {
        scene::pose(robot, rows.row(i), links.data());
        found.push_back(fcl.least(links.data()));
        sum += found.back();
    }
    const Row other{1e6 * (bench::thread_seconds() - started) / (double)peer, sum / (double)peer};
    const Row own = run_engine(engine, rows, count, GRAZE_DISTANCE_LEAST, false),
              same = run_engine(engine, rows, peer, GRAZE_DISTANCE_LEAST, false),
              bound = run_engine(engine, rows, count, GRAZE_DISTANCE_BOUND, false, false),
              rough = run_engine(engine, rows, count, GRAZE_DISTANCE_BOUND, false),
              rates = run_engine(engine, rows, count, GRAZE_DISTANCE_LEAST, true);
    // What lies inside a solid is at distance 0 for graze alone.
    double apart = 0;
    size_t inside = 0;
    for (size_t i = 0; i < peer; i++) {
        double d = engine.least(rows.row(i), GRAZE_DISTANCE_LEAST, false);
        inside += d <= 1e-8 && found[i] > 1e-8;
        if (d > 1e-8) apart = std::max(apart, std::fabs(d - found[i]));
    }
    std::printf("%-11s  %8.2f  %8.2f  %8.2f  %8.2f  %10.1f  %6.0f  %9.2g  %6zu\n", name.c_str(),
                own.microseconds, bound.microseconds, rough.microseconds, rates.microseconds,
                other.microseconds, other.microseconds / same.microseconds, apart, inside);
}

} // namespace

int main(int argc, char **argv) {
    const Options o = read_options(argc, argv);
    scene::Robot robot;
    robot.load(o.urdf, o.srdf, o.package_path);
    const std::vector<size_t> columns = scene::columns_of(robot, scene::arm_joints);
    const scene::Configurations rows = o.configs.empty()
                                           ? scene::random_configurations(robot, columns, o.count,
                                                                          1)
                                           : scene::read_configurations(robot, columns, o.configs);
    std::printf("microseconds per configuration, processor time, the least of 5 rounds; FCL once\n"
                "%-11s  %8s  %8s  %8s  %8s  %10s  %6s  %9s  %6s\n",
                "world", "least", "bounds", "and pair", "gradient", "FCL " GRAZE_BENCH_FCL, "ratio",
                "differ, m", "inside");
    run_world(robot, nullptr, "none", rows, o);
    for (const std::string &path : o.worlds) {
        scene::World world, triangles;
        world.load(path);
        triangles.triangulate(world, 16);
        const std::string name = path.substr(path.find_last_of('/') + 1);
        run_world(robot, &triangles, name, rows, o);
    }
    return 0;
}
