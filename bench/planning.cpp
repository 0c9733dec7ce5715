// graze-bench-plan: planning problems (mbm-1) solved on one thread: processor time to the first
// path, and beside it what its proof and its shortening cost; and how many edges of first paths, of
// which the planner saw samples, graze_check_motion() proves free, or does not.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "problems.h"
#include "stopwatch.h"

namespace {

struct Settings {
    std::string urdf, srdf, packages, problems;
    size_t every = 1, seeds = 1, first = 0;
    double seconds = 1, step = 0, resolution = 0;
    uint32_t rounds = graze_plan_options_default().shortcut_rounds;
    bool list = false;
};

/// Seconds of the clock for a second of processor time, at most.
constexpr double WALL = 5;

const char usage[] =
    "usage: graze-bench-plan --robot URDF [--srdf SRDF] [--packages DIR] --problems FILE.json\n"
    "       [--every N] [--first K] [--seeds N] [--seconds S] [--rounds N] [--list]\n"
    "Plans each Nth problem of each family, from the Kth on, with seeds 1 to N and S seconds of\n"
    "processor time each (default 1), to the first goal, with the planner's step and resolution or\n"
    "these; --list prints a line for each problem.\n";

Settings parse(int argc, char **argv) {
    Settings s;
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i];
        if (name == "--help") {
            std::fputs(usage, stdout);
            std::exit(0);
        }
        if (name == "--list") {
            s.list = true;
            continue;
        }
        if (++i == argc) scene::fail("%s needs a value\n%s", name.c_str(), usage);
        std::string value = argv[i];
        if (name == "--robot")
            s.urdf = value;
        else if (name == "--srdf")
            s.srdf = value;
        else if (name == "--packages")
            s.packages = value;
        else if (name == "--problems")
            s.problems = value;
        else if (name == "--every")
            s.every = std::max(1UL, std::strtoul(argv[i], nullptr, 10));
        else if (name == "--first")
            s.first = std::strtoul(argv[i], nullptr, 10);
        else if (name == "--seeds")
            s.seeds = std::max(1UL, std::strtoul(argv[i], nullptr, 10));
        else if (name == "--seconds")
            s.seconds = std::strtod(argv[i], nullptr);
        else if (name == "--step")
            s.step = std::strtod(argv[i], nullptr);
        else if (name == "--rounds")
            s.rounds = (uint32_t)std::strtoul(argv[i], nullptr, 10);
        else if (name == "--resolution")
            s.resolution = std::strtod(argv[i], nullptr);
        else
            scene::fail("unknown option %s\n%s", name.c_str(), usage);
    }
    if (s.urdf.empty() || s.problems.empty()) scene::fail("%s", usage);
    return s;
}

/// What became of the runs of a family.
struct Tally {
    size_t runs = 0, solved = 0, blocked = 0, uncertified = 0;
    std::vector<double> first, proof, whole, iterations, checks, length;
    size_t edges = 0, colliding = 0, undecided = 0; ///< of first paths

    void add(const Tally &t) {
        runs += t.runs, solved += t.solved, blocked += t.blocked, uncertified += t.uncertified;
        edges += t.edges, colliding += t.colliding, undecided += t.undecided;
        for (auto member : {&Tally::first, &Tally::proof, &Tally::whole, &Tally::iterations,
                            &Tally::checks, &Tally::length})
            (this->*member).insert((this->*member).end(), (t.*member).begin(), (t.*member).end());
    }
};

double quantile(std::vector<double> values, double level) {
    if (values.empty()) return NAN;
    size_t at = std::min(values.size() - 1, (size_t)(level * (double)values.size()));
    std::nth_element(values.begin(), values.begin() + (long)at, values.end());
    return values[at];
}

double mean(const std::vector<double> &values) {
    double sum = 0;
    for (double v : values) sum += v;
    return sum / (double)values.size();
}

/// Plans once; the processor time in milliseconds.
double run(const scene::Checker &checker, const bench::Problem &problem,
           const graze_plan_options &options, graze_plan_result *result) {
    graze_error error;
    double start = bench::thread_seconds();
    scene::require(graze_plan(checker.get(), problem.start.data(), nullptr, problem.goals[0].data(),
                              nullptr, &options, result, &error),
                   error, problem.name.c_str());
    return 1e3 * (bench::thread_seconds() - start);
}

double run_and_free(const scene::Checker &checker, const bench::Problem &problem,
                    const graze_plan_options &options, graze_plan_result *result) {
    double spent = run(checker, problem, options, result);
    graze_path_free(result->path);
    return spent;
}

/// Certifies the edges of a path one by one.
void count_edges(const scene::Checker &checker, const graze_path *path, size_t q_size,
                 Tally *tally) {
    graze_error error;
    graze_motion_workspace *workspace;
    scene::require(graze_motion_workspace_create(&workspace, checker.get(), &error), error,
                   "workspace of motions");
    for (size_t i = 0; i + 1 < graze_path_count(path); i++) {
        graze_motion_report report;
        scene::require(graze_check_motion(checker.get(), workspace, graze_path_q(path, i),
                                          graze_path_q(path, i + 1), q_size, nullptr, nullptr,
                                          nullptr, &report, &error),
                       error, "motion");
        tally->edges++;
        tally->colliding += report.verdict == GRAZE_MOTION_HIT;
        tally->undecided += report.verdict == GRAZE_MOTION_UNDECIDED;
    }
    graze_motion_workspace_free(workspace);
}

void solve(const scene::Checker &checker, const bench::Problem &problem, const Settings &s,
           const std::vector<int32_t> &columns, Tally *tally) {
    for (size_t seed = 1; seed <= s.seeds; seed++) {
        graze_plan_options options = graze_plan_options_default();
        graze_plan_result first, proved, whole;
        options.columns = columns.data();
        options.column_count = columns.size();
        options.max_seconds = WALL * s.seconds;
        if (s.step > 0) options.step = s.step;
        if (s.resolution > 0) options.resolution = s.resolution;
        options.seed = seed;
        options.shortcut_rounds = options.recheck = options.certify = 0;
        double to_first = run(checker, problem, options, &first);
        if (first.path) count_edges(checker, first.path, problem.start.size(), tally);
        graze_path_free(first.path);
        if (first.outcome == GRAZE_PLAN_START_COLLIDES ||
            first.outcome == GRAZE_PLAN_GOAL_COLLIDES) {
            tally->blocked++;
            return;
        }
        tally->runs++;
        if (s.list)
            std::printf(
                "  %s, seed %zu: %s, %.3f ms, %llu iterations, %llu configurations, trees of %zu and %zu\n",
                problem.name.c_str(), seed, first.outcome == GRAZE_PLAN_FOUND ? "found" : "no path",
                to_first, (unsigned long long)first.iterations,
                (unsigned long long)first.configurations_checked, first.tree_size[0],
                first.tree_size[1]);
        tally->first.push_back(
            first.outcome == GRAZE_PLAN_FOUND && to_first <= 1e3 * s.seconds ? to_first : INFINITY);
        if (first.outcome != GRAZE_PLAN_FOUND || to_first > 1e3 * s.seconds) continue;
        options.certify = 1;
        double with_proof = run_and_free(checker, problem, options, &proved);
        options.shortcut_rounds = s.rounds;
        double with_all = run_and_free(checker, problem, options, &whole);
        tally->solved++;
        tally->uncertified += !proved.certified || !whole.certified;
        tally->proof.push_back(with_proof - to_first);
        tally->whole.push_back(with_all);
        tally->iterations.push_back((double)first.iterations);
        tally->checks.push_back((double)first.configurations_checked);
        tally->length.push_back(whole.length);
    }
}

void print(const std::string &name, const Tally &t) {
    std::printf("%-24s %5zu %5zu %4zu %4zu %8.3f %8.3f %8.3f %8.0f %8.0f %8.3f %8.3f %6.2f\n",
                name.c_str(), t.runs, t.solved, t.blocked, t.uncertified, quantile(t.first, 0.5),
                quantile(t.first, 0.95), mean(t.first), quantile(t.iterations, 0.5),
                quantile(t.checks, 0.5), quantile(t.proof, 0.5), quantile(t.whole, 0.5),
                mean(t.length));
}

} // namespace

int main(int argc, char **argv) {
    Settings s = parse(argc, argv);
    scene::Robot robot;
    robot.load(s.urdf, s.srdf, s.packages);
    bench::ProblemFile file(s.problems, robot);
    std::vector<int32_t> columns(file.columns().begin(), file.columns().end());
    bench::pin();
    std::printf("milliseconds of one thread; blocked: start or goal collides\n"
                "%-24s %5s %5s %4s %4s %8s %8s %8s %8s %8s %8s %8s %6s\n",
                "family", "runs", "found", "blkd", "unpr", "median", "95 %", "mean", "iterat.",
                "configs", "proof", "whole", "length");
    Tally all;
    for (const std::string &family : file.families()) {
        Tally tally;
        for (size_t k = s.first; k < file.size(family); k += s.every) {
            bench::Problem problem = file.read(family, k);
            scene::Checker checker(robot, problem.world.get(), GRAZE_POLICY_SOLID);
            solve(checker, problem, s, columns, &tally);
        }
        print(family, tally);
        std::fflush(stdout);
        all.add(tally);
    }
    print("all", all);
    std::printf(
        "edges of first paths, which the planner saw samples of: %zu, of which %zu collide, %zu "
        "undecided\n",
        all.edges, all.colliding, all.undecided);
    return 0;
}
