// graze-bench-ompl: planning problems (mbm-1) solved three ways in one run: OMPL's RRTConnect on
// FCL, the same planner on graze's bindings, and graze's own planner. Processor time to the first
// path.

#include <ompl/base/ScopedState.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "graze/ompl.hpp"
#include "peer.h"
#include "problems.h"
#include "stopwatch.h"

namespace {

namespace ob = ompl::base;
using graze::ompl::StateSpace;

struct Settings {
    std::string urdf, srdf, packages, problems;
    size_t every = 1, seeds = 1;
    double seconds = 10, resolution = 0.05;
};

const char usage[] =
    "usage: graze-bench-ompl --robot URDF [--srdf SRDF] [--packages DIR] --problems FILE.json\n"
    "       [--every N] [--seeds N] [--seconds S] [--resolution D]\n"
    "Plans each Nth problem of each family with seeds 1 to N and at most S seconds (default 10), to the\n"
    "first goal. FCL: native meshes and shapes, OBBRSS trees, a dynamic AABB tree, and OMPL's discrete\n"
    "motions at D (default 0.05, that of graze plan); every path is then proved by graze, or not.\n";

Settings parse(int argc, char **argv) {
    Settings s;
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i];
        if (name == "--help") {
            std::fputs(usage, stdout);
            std::exit(0);
        }
        if (++i == argc) scene::fail("%s needs a value\n%s", name.c_str(), usage);
        if (name == "--robot")
            s.urdf = argv[i];
        else if (name == "--srdf")
            s.srdf = argv[i];
        else if (name == "--packages")
            s.packages = argv[i];
        else if (name == "--problems")
            s.problems = argv[i];
        else if (name == "--every")
            s.every = std::max(1UL, std::strtoul(argv[i], nullptr, 10));
        else if (name == "--seeds")
            s.seeds = std::max(1UL, std::strtoul(argv[i], nullptr, 10));
        else if (name == "--seconds")
            s.seconds = std::strtod(argv[i], nullptr);
        else if (name == "--resolution")
            s.resolution = std::strtod(argv[i], nullptr);
        else
            scene::fail("unknown option %s\n%s", name.c_str(), usage);
    }
    if (s.urdf.empty() || s.problems.empty()) scene::fail("%s", usage);
    return s;
}

/// Whether FCL finds a state free.
class FclChecker : public ob::StateValidityChecker {
  public:
    FclChecker(const ob::SpaceInformationPtr &si, const scene::Robot &robot,
               const scene::World *world)
        : ob::StateValidityChecker(si), space_(si->getStateSpace()->as<StateSpace>()),
          robot_(robot), peer_(bench::fcl_manager(robot, world)),
          links_(size_t(robot.link_count())), q_(robot.q_size()) {}
    bool isValid(const ob::State *state) const override {
        double base[6];
        if (!space_->satisfiesBounds(state)) return false;
        space_->toQ(state, q_.data(), base);
        scene::pose(robot_, q_.data(), links_.data());
        return !peer_->check(links_.data());
    }

  private:
    const StateSpace *space_;
    const scene::Robot &robot_;
    std::unique_ptr<bench::Peer> peer_; // one thread uses this checker
    mutable std::vector<graze_transform> links_;
    mutable std::vector<double> q_;
};

/// What became of one way of planning.
struct Way {
    explicit Way(const char *of) : name(of) {}
    const char *name;
    size_t runs = 0, solved = 0, proved = 0;
    std::vector<double> milliseconds;

    void add(double spent, bool found, bool free) {
        runs++, solved += found, proved += free;
        milliseconds.push_back(found ? 1e3 * spent : INFINITY);
    }
};

double median(const std::vector<double> &values) {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? NAN : bench::quantile(sorted, 0.5);
}

/// One run of OMPL's RRTConnect.
void run_ompl(const ob::SpaceInformationPtr &si, const bench::Problem &problem, size_t seed,
              const Settings &s, const graze::Checker &checker, Way *way) {
    auto space = std::static_pointer_cast<StateSpace>(si->getStateSpace());
    ompl::RNG::setSeed(seed);
    auto definition = std::make_shared<ob::ProblemDefinition>(si);
    ob::ScopedState<> start(space), goal(space);
    space->toState(problem.start, start.get());
    space->toState(problem.goals[0], goal.get());
    definition->setStartAndGoalStates(start, goal);
    ompl::geometric::RRTConnect planner(si);
    planner.setProblemDefinition(definition);
    planner.setup();
    double begin = bench::thread_seconds();
    // The limit is of processor time, as the figure is.
    ob::PlannerStatus status = planner.solve(ob::PlannerTerminationCondition(
        [&] { return bench::thread_seconds() - begin > s.seconds; }));
    double spent = bench::thread_seconds() - begin;
    bool found = status == ob::PlannerStatus::EXACT_SOLUTION;
    way->add(spent, found,
             found && graze::ompl::certify(
                          *definition->getSolutionPath()->as<ompl::geometric::PathGeometric>(),
                          checker));
}

void run_graze(const graze::Checker &checker, const bench::Problem &problem,
               const std::vector<int32_t> &columns, size_t seed, const Settings &s, Way *way,
               Way *first) {
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result result;
    graze_error error;
    options.columns = columns.data();
    options.column_count = columns.size();
    options.max_seconds = s.seconds;
    options.seed = seed;
    options.shortcut_rounds = 0;
    double begin = bench::thread_seconds();
    scene::require(graze_plan(checker.get(), problem.start.data(), nullptr, problem.goals[0].data(),
                              nullptr, &options, &result, &error),
                   error, problem.name.c_str());
    const bool found = result.outcome == GRAZE_PLAN_FOUND;
    way->add(bench::thread_seconds() - begin, found, result.certified);
    first->add(result.first_seconds, found, result.certified);
    graze_path_free(result.path);
}

/// A group is made of the problems' columns; OMPL's space has them by name.
class Problems {
  public:
    Problems(const Settings &s) : settings_(s), robot_(load(s)) {
        scene_.load(s.urdf, s.srdf, s.packages);
        file_ = std::make_unique<bench::ProblemFile>(s.problems, scene_);
        columns_.assign(file_->columns().begin(), file_->columns().end());
    }
    void run() {
        for (const std::string &family : file_->families()) {
            Way ways[WAYS] = {Way("OMPL on FCL"), Way("OMPL on graze"), Way("graze"),
                              Way("before its proof")};
            for (size_t k = 0; k < file_->size(family); k += settings_.every)
                solve(file_->read(family, k), ways);
            print(family, ways);
            for (int i = 0; i < WAYS; i++) {
                all_[i].runs += ways[i].runs, all_[i].solved += ways[i].solved;
                all_[i].proved += ways[i].proved;
                all_[i].milliseconds.insert(all_[i].milliseconds.end(),
                                            ways[i].milliseconds.begin(),
                                            ways[i].milliseconds.end());
            }
        }
        print("all", all_);
    }

  private:
    enum { WAYS = 4 };
    static graze::Robot load(const Settings &s) {
        graze_load_options options = graze_load_options_default();
        options.srdf = s.srdf.empty() ? nullptr : s.srdf.c_str();
        options.package_path = s.packages.empty() ? nullptr : s.packages.c_str();
        options.visuals = GRAZE_VISUALS_SKIP;
        // With the tables that graze compile makes.
        const graze::Robot plain = graze::Robot::load(s.urdf, &options);
        graze_robot *out = nullptr;
        graze_error error;
        scene::require(graze_robot_tabulate(&out, plain.get(), nullptr, &error), error, "tables");
        return graze::Robot(out);
    }
    std::shared_ptr<StateSpace> make_space(const bench::Problem &problem) const {
        auto space = std::make_shared<StateSpace>(robot_, columns_);
        space->setRest(problem.start);
        space->setup();
        space->setLongestValidSegmentFraction(settings_.resolution / space->getMaximumExtent());
        return space;
    }
    void solve(const bench::Problem &problem, Way *ways) {
        graze_world *world = problem.world->world;
        problem.world->world = nullptr; // the checker's from here on
        graze::Checker checker(robot_, graze::World(world));
        auto fcl = std::make_shared<ob::SpaceInformation>(make_space(problem));
        auto fcl_checker = std::make_shared<FclChecker>(fcl, scene_, problem.world.get());
        fcl->setStateValidityChecker(fcl_checker);
        fcl->setup();
        auto own = graze::ompl::make_space_information(make_space(problem), checker);
        own->setup();
        ob::ScopedState<> ends[2] = {ob::ScopedState<>(own), ob::ScopedState<>(own)};
        own->getStateSpace()->as<StateSpace>()->toState(problem.start, ends[0].get());
        own->getStateSpace()->as<StateSpace>()->toState(problem.goals[0], ends[1].get());
        for (const ob::ScopedState<> &end : ends)
            if (!own->isValid(end.get()) || !fcl_checker->isValid(end.get())) return;
        for (size_t seed = 1; seed <= settings_.seeds; seed++) {
            run_ompl(fcl, problem, seed, settings_, checker, &ways[0]);
            run_ompl(own, problem, seed, settings_, checker, &ways[1]);
            run_graze(checker, problem, columns_, seed, settings_, &ways[2], &ways[3]);
        }
    }
    static void print(const std::string &family, const Way *ways) {
        double slowest = median(ways[0].milliseconds);
        for (int i = 0; i < WAYS; i++)
            std::printf("%-24s %-16s %5zu %5zu %6zu %10.3f %10.3f %8.1f\n", i ? "" : family.c_str(),
                        ways[i].name, ways[i].runs, ways[i].solved, ways[i].proved,
                        median(ways[i].milliseconds), upper(ways[i].milliseconds),
                        slowest / median(ways[i].milliseconds));
        std::fflush(stdout);
    }
    static double upper(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values.empty() ? NAN : bench::quantile(values, 0.95);
    }

    Settings settings_;
    graze::Robot robot_;
    scene::Robot scene_;
    std::unique_ptr<bench::ProblemFile> file_;
    std::vector<int32_t> columns_;
    Way all_[WAYS] = {Way("OMPL on FCL"), Way("OMPL on graze"), Way("graze"),
                      Way("before its proof")};
};

} // namespace

int main(int argc, char **argv) {
    Settings s = parse(argc, argv);
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    bench::pin();
    std::printf("milliseconds of one thread to the first path; proved: by graze_check_motion()\n"
                "%-24s %-16s %5s %5s %6s %10s %10s %8s\n",
                "family", "planner", "runs", "found", "proved", "median", "95 %", "times");
    Problems(s).run();
    return 0;
}
