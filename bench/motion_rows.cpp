// Motions: graze's certified ones beside samples of itself, FCL's conservative advancement and
// Bullet's cast hulls, the same edges in one run. What an edge is, graze says: a proof, or a
// collision that its check and FCL's confirm at one place of it.
//   graze-bench-motion [--fetch DATA_DIR] [--edges N] [--peer N] [--length RAD]
// --peer: FCL, which takes a second an edge, is asked about so many that are free and as many that
// are not.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "motion_peers.h"
#include "peer.h"
#include "stopwatch.h"

namespace {

struct Options {
    std::string urdf = GRAZE_SOURCE_DIR "/urdf/heron.urdf",
                srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf", package_path;
    std::vector<std::string> worlds{GRAZE_SOURCE_DIR "/worlds/shelf.json"};
    size_t edges = 200, peer = 5;
    double length = std::sqrt(2);
};

Options read_options(int argc, char **argv) {
    Options o;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 == argc) scene::fail("%s has no value", argv[i]);
        const std::string value = argv[i + 1];
        if (name == "--edges") {
            o.edges = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--peer") {
            o.peer = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--length") {
            o.length = std::strtod(value.c_str(), nullptr);
        } else if (name == "--fetch") {
            o.urdf = value + "/robots/fetch_description/robots/fetch.urdf";
            o.srdf = value + "/robots/fetch_mbm.srdf";
            o.package_path = value + "/robots";
            o.worlds = {value + "/worlds/shelf.json"};
        } else {
            scene::fail("no option %s; allowed: --fetch, --edges, --peer, --length", argv[i]);
        }
    }
    if (o.edges == 0 || !(o.length > 0)) scene::fail("--edges and --length must be above 0");
    return o;
}

struct Edge {
    std::vector<double> from, to;
};

/// graze on edges: proofs, and samples.
class Engine {
  public:
    Engine(const scene::Robot &robot, const scene::World &world)
        : robot_(robot), checker_(robot, &world, GRAZE_POLICY_SURFACE), q_(robot.q_size()) {
        graze_error error;
        scene::require(graze_motion_workspace_create(&workspace_, checker_.get(), &error), error,
                       "workspace of motions");
    }
    ~Engine() { graze_motion_workspace_free(workspace_); }
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    graze_motion_report prove(const Edge &e) {
        graze_error error;
        graze_motion_report report;
        scene::require(graze_check_motion(checker_.get(), workspace_, e.from.data(), e.to.data(),
                                          q_.size(), nullptr, nullptr, nullptr, &report, &error),
                       error, "motion");
        return report;
    }
    const double *at(const Edge &e, double t) {
        graze_error error;
        scene::require(graze_robot_interpolate(robot_.robot, e.from.data(), e.to.data(), q_.size(),
                                               GRAZE_TURN_SHORTER, t, q_.data(), &error),
                       error, "interpolation");
        return q_.data();
    }
    bool collides(const double *q) { return checker_.check(q, GRAZE_ANSWER_PAIR); }
    /// Both ends, then places between in bit-reversed order, as many in all.
    bool sample(const Edge &e, unsigned count) {
        if (collides(e.from.data()) || collides(e.to.data())) return true;
        for (unsigned i = 1; i + 1 < count; i++) {
            double t = 0, bit = 0.5;
            for (unsigned k = i; k; k >>= 1, bit *= 0.5) t += (k & 1) * bit;
            if (collides(at(e, t))) return true;
        }
        return false;
    }

  private:
    const scene::Robot &robot_;
    scene::Checker checker_;
    std::vector<double> q_;
    graze_motion_workspace *workspace_ = nullptr;
};

/// Edges of one length between free ends, in every direction.
std::vector<Edge> draw_edges(const scene::Robot &robot, Engine &engine, const Options &o) {
    const std::vector<size_t> columns = scene::columns_of(robot, scene::arm_joints);
    std::vector<double> low(robot.q_size()), high(robot.q_size());
    graze_robot_q_limits(robot.robot, low.data(), high.data());
    const scene::Configurations rows = scene::random_configurations(robot, columns, 400 * o.edges,
                                                                    7);
    scene::Random random(11);
    std::vector<Edge> edges;
    for (size_t i = 0; i < rows.count && edges.size() < o.edges; i++) {
        Edge e{{rows.row(i), rows.row(i) + rows.width}, {}};
        if (engine.collides(e.from.data())) continue;
        e.to = e.from;
        std::vector<double> way(columns.size());
        double norm = 0;
        for (double &w : way) {
            w = random.between(-1, 1);
            norm += w * w;
        }
        bool within = norm > 0;
        for (size_t k = 0; k < columns.size(); k++) {
            double &x = e.to[columns[k]];
            x += way[k] * o.length / std::sqrt(norm);
            within &= x >= low[columns[k]] && x <= high[columns[k]];
        }
        if (within && !engine.collides(e.to.data())) edges.push_back(e);
    }
    return edges;
}

/// Thin sheets about the robot, such as samples step over.
void make_sheets(scene::World &world, double thickness) {
    graze_error error;
    scene::Random random(5);
    world.name = "sheets";
    scene::require(graze_world_create(&world.world, "sheets", &error), error, "world");
    const double size[3] = {0.25, 0.25, thickness};
    for (int i = 0; i < 24; i++) {
        const double turn = random.between(0, 6.28), tilt = random.between(0, 3.14),
                     c = std::cos(turn), s = std::sin(turn), u = std::cos(tilt), v = std::sin(tilt),
                     far = random.between(0.5, 1.1), round = random.between(-1.5, 1.5);
        const graze_transform pose{{c, -s * u, s * v, far * std::cos(round), s, c * u, -c * v,
                                    far * std::sin(round), 0, v, u, random.between(0.4, 1.4)}};
        const std::string name = "sheet_" + std::to_string(i);
        scene::require(graze_world_add_box(world.world, name.c_str(), size, &pose, &error), error,
                       "sheet");
    }
    world.finish();
}

struct Truth {
    std::vector<Edge> free, hit;
    std::vector<double> latest;
    size_t undecided = 0;
};

/// The median time of an answer, and how many edges have it.
struct Row {
    std::vector<double> times;
    size_t colliding = 0;
};

Row measure_edges(const std::vector<Edge> &edges, size_t most,
                  const std::function<bool(const Edge &)> &collides) {
    Row row;
    for (size_t i = 0; i < edges.size() && i < most; i++) {
        const Edge &e = edges[i];
        const double started = bench::thread_seconds();
        row.colliding += collides(e);
        row.times.push_back(1e6 * (bench::thread_seconds() - started));
    }
    return row;
}

std::string share(size_t count, const Row &of) {
    return std::to_string(count) + "/" + std::to_string(of.times.size());
}

void print_row(const std::string &name, const Truth &truth, size_t most, size_t undecided,
               const std::function<bool(const Edge &)> &collides) {
    const Row free = measure_edges(truth.free, most, collides),
              hit = measure_edges(truth.hit, most, collides);
    std::printf("  %-36s %9s %9s %9zu %11.1f %11.1f\n", name.c_str(),
                share(hit.times.size() - hit.colliding, hit).c_str(),
                share(free.colliding, free).c_str(), undecided, bench::spread_of(free.times).figure,
                bench::spread_of(hit.times).figure);
}

bool step_through(bench::MotionPeer &peer, const scene::Robot &robot, Engine &engine, const Edge &e,
                  int steps) {
    std::vector<graze_transform> from((size_t)robot.link_count()), to(from.size());
    scene::pose(robot, e.from.data(), from.data());
    for (int i = 1; i <= steps; i++) {
        scene::pose(robot, i == steps ? e.to.data() : engine.at(e, (double)i / steps), to.data());
        if (peer.collides(from.data(), to.data())) return true;
        std::swap(from, to);
    }
    return false;
}

Truth sort_edges(Engine &engine, const std::vector<Edge> &edges) {
    Truth truth;
    for (const Edge &e : edges) {
        const graze_motion_report report = engine.prove(e);
        if (report.verdict == GRAZE_MOTION_FREE) {
            truth.free.push_back(e);
        } else if (report.verdict == GRAZE_MOTION_HIT) {
            truth.hit.push_back(e);
            truth.latest.push_back(report.latest);
        } else {
            truth.undecided++;
        }
    }
    return truth;
}

size_t confirmed_by_fcl(const scene::Robot &robot, const scene::World &world, Engine &engine,
                        const Truth &truth) {
    const std::unique_ptr<bench::Peer> fcl = bench::fcl_tuned(robot, &world);
    std::vector<graze_transform> links((size_t)robot.link_count());
    size_t count = 0;
    for (size_t i = 0; i < truth.hit.size(); i++) {
        scene::pose(robot, engine.at(truth.hit[i], truth.latest[i]), links.data());
        count += fcl->check(links.data());
    }
    return count;
}

/// The poses at the ends of the first edges.
std::vector<std::vector<graze_transform>> free_poses(const scene::Robot &robot,
                                                     const Truth &truth) {
    std::vector<std::vector<graze_transform>> poses;
    for (size_t i = 0; i < truth.free.size() && i < 100; i++) {
        poses.emplace_back((size_t)robot.link_count());
        scene::pose(robot, truth.free[i].from.data(), poses.back().data());
    }
    return poses;
}

void run_world(const scene::Robot &robot, const scene::World &world, const std::string &name,
               const Options &o) {
    Engine engine(robot, world);
    const Truth truth = sort_edges(engine, draw_edges(robot, engine, o));
    std::printf(
        "%s: %zu edges of length %.2f between free ends, %zu free, %zu colliding, FCL's check "
        "confirms %zu of these\n",
        name.c_str(), truth.free.size() + truth.hit.size() + truth.undecided, o.length,
        truth.free.size(), truth.hit.size(), confirmed_by_fcl(robot, world, engine, truth));
    print_row("graze_check_motion()", truth, SIZE_MAX, truth.undecided,
              [&](const Edge &e) { return engine.prove(e).verdict == GRAZE_MOTION_HIT; });
    for (unsigned count : {45u, 50u, 200u})
        print_row(std::to_string(count) + " samples by graze_check()", truth, SIZE_MAX, 0,
                  [&](const Edge &e) { return engine.sample(e, count); });
    const std::unique_ptr<bench::MotionPeer> peers[] = {bench::bullet_cast_hulls(robot, &world),
                                                        bench::fcl_advancement(robot, &world)};
    const char *names[] = {"Bullet " GRAZE_BENCH_BULLET ", cast hulls",
                           "FCL " GRAZE_BENCH_FCL ", advancement"};
    for (int k = 0; k < 2; k++) {
        const size_t all = peers[k]->pair_count(),
                     dropped = peers[k]->drop_false(free_poses(robot, truth));
        std::printf("  %s: %zu of %zu pairs left out, colliding for it in free poses\n", names[k],
                    dropped, all);
        for (int steps : {1, 10})
            print_row(std::string(names[k]) + (steps == 1 ? ", 1 step" : ", 10 steps"), truth,
                      k == 0 ? SIZE_MAX : o.peer, 0, [&](const Edge &e) {
                          return step_through(*peers[k], robot, engine, e, steps);
                      });
    }
}

} // namespace

int main(int argc, char **argv) {
    const Options o = read_options(argc, argv);
    scene::Robot robot;
    robot.load(o.urdf, o.srdf, o.package_path);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf(
        "Processor time in microseconds an edge, the median. Missed: colliding, called free. "
        "False: free, called colliding\n  %-36s %9s %9s %9s %11s %11s\n",
        "", "missed", "false", "undecided", "free edge", "colliding");
    for (const std::string &path : o.worlds) {
        scene::World world, triangles;
        world.load(path);
        triangles.triangulate(world, 16);
        run_world(robot, triangles, path.substr(path.find_last_of('/') + 1), o);
    }
    for (double thickness : {1e-3, 1e-6}) {
        scene::World sheets, triangles;
        make_sheets(sheets, thickness);
        triangles.triangulate(sheets, 16);
        char name[64];
        std::snprintf(name, sizeof name, "24 sheets of %g m", thickness);
        run_world(robot, triangles, name, o);
    }
    return 0;
}
