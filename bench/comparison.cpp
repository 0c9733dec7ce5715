// Measuring and comparing the rows of one environment.

#include "comparison.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <regex>

namespace bench {

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// The time that this thread has run: what else runs on the machine does not count.
static double thread_seconds() {
    timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) scene::fail("no clock for threads");
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const cpu_set_t &processors() {
    static cpu_set_t all = [] {
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set)) scene::fail("sched_getaffinity failed");
        return set;
    }();
    return all;
}

void pin() {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = CPU_SETSIZE - 1; i >= 0; i--)
        if (CPU_ISSET(i, &processors())) {
            CPU_SET(i, &one);
            break;
        }
    if (sched_setaffinity(0, sizeof one, &one)) scene::fail("sched_setaffinity failed");
}

void unpin() {
    if (sched_setaffinity(0, sizeof(cpu_set_t), &processors()))
        scene::fail("sched_setaffinity failed");
}

// ------------------------------------------------------------------------------------- the rows

Comparison::Comparison(const scene::Robot &robot, const Environment &environment,
                       const scene::Configurations &configs, const scene::Configurations &training,
                       const Options &options)
    : robot_(robot), environment_(environment), configs_(configs), options_(options),
      count_(std::min(options.rows, configs.count)),
      reference_(robot, environment.world, GRAZE_POLICY_SURFACE) {
    size_t links = (size_t)robot.link_count();
    for (size_t i = 0; i < training.count; i++) {
        training_.emplace_back(links);
        scene::pose(robot, training.row(i), training_.back().data());
    }
    for (size_t i = 0; i < count_; i++)
        truth_.push_back(reference_.check(configs.row(i), GRAZE_ANSWER_FIRST));
    add_graze(GRAZE_POLICY_SURFACE);
    add_graze(GRAZE_POLICY_SOLID);
    add_peer("FCL", "OBBRSS, AABB-tree manager", fcl_manager);
    add_peer("FCL", "OBB, prefilter, hit-ordered", fcl_tuned);
    add_peer("FCL", "OBBRSS, pair loop", fcl_loop);
    add_peer("ODE", "trimesh, prefilter", ode_trimesh);
    add_peer("Bullet", "GImpact, prefilter", bullet_gimpact);
    add_kinematics();
    training_.clear();
}

bool Comparison::wanted(const std::string &library, const std::string &method) const {
    if (options_.only.empty()) return true;
    return std::regex_search(environment_.name + "/" + library + " " + method,
                             std::regex(options_.only));
}

void Comparison::add_graze(graze_policy policy) {
    std::string words = policy == GRAZE_POLICY_SURFACE ? "surface, " : "solid, ";
    double start = seconds();
    auto checker = std::make_shared<scene::Checker>(robot_, environment_.world, policy);
    double built = seconds() - start;
    const std::pair<graze_answer, const char *> answers[] = {
        {GRAZE_ANSWER_ANY, "any pair"},
        {GRAZE_ANSWER_PAIR, "first pair by name"},
        {GRAZE_ANSWER_FIRST, "first pair, triangles"}};
    for (const auto &[asked, name] : answers) {
        graze_answer answer = asked;
        Row row;
        row.library = "graze";
        row.method = words + name;
        row.build_seconds = built;
        row.run = [this, checker, answer](size_t count, uint8_t *verdicts) {
            for (size_t i = 0; i < count; i++)
                verdicts[i] = checker->check(configs_.row(i), answer);
        };
        if (wanted(row.library, row.method)) rows_.push_back(std::move(row));
    }
    for (unsigned threads : {1u, 2u}) {
        Row row;
        row.library = "graze";
        row.method = words + "batch, " + (threads == 1 ? "1 thread" : "2 threads");
        row.build_seconds = built;
        row.two_threads = threads > 1;
        row.run = [this, checker, threads](size_t count, uint8_t *verdicts) {
            graze_error error;
            graze_batch batch = graze_batch_default();
            batch.threads = threads;
            batch.count = count;
            batch.q = configs_.q.data();
            batch.verdicts = verdicts;
            scene::require(graze_check_batch(checker->get(), &batch, &error), error, "batch");
        };
        if (wanted(row.library, row.method)) rows_.push_back(std::move(row));
    }
}

void Comparison::add_peer(const char *library, const char *method,
                          std::unique_ptr<Peer> (*make)(const scene::Robot &,
                                                        const scene::World *)) {
    if (!wanted(library, method)) return;
    Row row;
    row.library = library;
    row.method = method;
    double start = seconds();
    std::shared_ptr<Peer> peer = make(robot_, environment_.world);
    row.build_seconds = seconds() - start;
    peer->learn(training_);
    auto links = std::make_shared<std::vector<graze_transform>>((size_t)robot_.link_count());
    row.run = [this, peer, links](size_t count, uint8_t *verdicts) {
        for (size_t i = 0; i < count; i++) {
            scene::pose(robot_, configs_.row(i), links->data());
            verdicts[i] = peer->check(links->data());
        }
    };
    rows_.push_back(std::move(row));
}

void Comparison::add_kinematics() {
    if (rows_.empty()) return;
    Row row;
    row.library = "graze";
    row.method = "forward kinematics alone";
    row.times_only = true;
    auto links = std::make_shared<std::vector<graze_transform>>((size_t)robot_.link_count());
    row.run = [this, links](size_t count, uint8_t *verdicts) {
        for (size_t i = 0; i < count; i++) {
            scene::pose(robot_, configs_.row(i), links->data());
            verdicts[i] = links->back().m[3] > 1e6;
        }
    };
    rows_.push_back(std::move(row));
}

// ---------------------------------------------------------------------------------- measurement

void Comparison::measure() {
    // A row is measured for at most about this long at a time, but on at least this many; its
    // verdicts are compared for at most this long.
    const double most_seconds = 1, most_comparing = 10;
    const size_t least_rows = 500;
    // Warm up, and keep the verdicts.
    for (Row &row : rows_) {
        row.verdicts.assign(count_, 0);
        double start = seconds();
        row.count = std::min(count_, least_rows);
        row.run(row.count, row.verdicts.data());
        double each = (seconds() - start) / (double)row.count;
        row.compared = std::max(row.count, std::min(count_, (size_t)(most_comparing / each)));
        if (row.compared > row.count) row.run(row.compared, row.verdicts.data());
        row.count = std::min(count_, std::max(least_rows, (size_t)(most_seconds / each)));
        if (row.times_only) continue;
        for (size_t i = 0; i < row.compared; i++)
            if (row.verdicts[i] != truth_[i]) row.different.push_back(i);
    }
    // All rows once, then all again: a slow spell of the machine falls on everybody.
    std::vector<uint8_t> verdicts(count_);
    for (size_t round = 0; round < options_.repeat; round++)
        for (Row &row : rows_) {
            double (*clock)() = row.two_threads ? seconds : thread_seconds;
            if (row.two_threads) unpin();
            double start = clock();
            row.run(row.count, verdicts.data());
            row.samples.push_back(1e6 * (clock() - start) / (double)row.count);
            if (row.two_threads) pin();
        }
    for (Row &row : rows_) {
        std::sort(row.samples.begin(), row.samples.end());
        if (row.library == "graze" && row.method == "surface, any pair") base_ = row.median();
    }
}

// --------------------------------------------------------------------------------------- report

/// Whether graze's own verdict changes when a joint moves by 1e-5: then a library with tolerances,
/// or in single precision, may well say the other thing.
bool Comparison::is_touching(size_t row) {
    std::vector<double> q(configs_.row(row), configs_.row(row) + configs_.width);
    bool verdict = reference_.check(q.data(), GRAZE_ANSWER_ANY);
    for (double &value : q)
        for (double step : {1e-5, -1e-5}) {
            double old = value;
            value += step;
            bool moved = reference_.check(q.data(), GRAZE_ANSWER_ANY);
            value = old;
            if (moved != verdict) return true;
        }
    return false;
}

bool Comparison::report_differences() {
    bool good = true;
    for (const Row &row : rows_) {
        if (row.different.empty()) continue;
        std::printf("  %s, %s: %zu of %zu differ from graze's surfaces:", row.library.c_str(),
                    row.method.c_str(), row.different.size(), row.compared);
        for (size_t i = 0; i < row.different.size(); i++) {
            bool touching = is_touching(row.different[i]);
            if (row.library == "FCL" && !touching) good = false;
            if (i >= 8) continue;
            std::printf(" %zu(%s%s)", row.different[i], truth_[row.different[i]] ? "free" : "hit",
                        touching ? ", touching" : "");
        }
        std::printf("%s\n", row.different.size() > 8 ? " ..." : "");
    }
    return good;
}

bool Comparison::report_verdict_file() {
    if (environment_.verdicts.empty()) return true;
    std::vector<uint8_t> expected = scene::read_verdicts(environment_.verdicts);
    size_t count = std::min(expected.size(), configs_.count), wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += reference_.check(configs_.row(i), GRAZE_ANSWER_ANY) != (expected[i] != 0);
    std::printf("  graze's surfaces against %s: %zu of %zu differ\n", environment_.verdicts.c_str(),
                wrong, count);
    return wrong == 0 && expected.size() == configs_.count;
}

bool Comparison::report(std::FILE *csv) {
    if (rows_.empty()) return report_verdict_file();
    size_t hits = (size_t)std::count(truth_.begin(), truth_.end(), 1);
    std::printf("\n%s: %zu configurations, %.2f %% in collision", environment_.name.c_str(), count_,
                100.0 * (double)hits / (double)count_);
    size_t triangles = 0, objects = environment_.world ? environment_.world->objects.size() : 0;
    for (size_t i = 0; i < objects; i++)
        triangles += environment_.world->objects[i].mesh.indices.size() / 3;
    if (objects) std::printf("; %zu objects, %zu triangles", objects, triangles);
    std::printf("\n");
    std::printf("  %-7s %-28s %6s %9s %19s %9s %8s %7s %8s\n", "library", "method", "rows",
                "us/config", "least .. most", "less FK", "x graze", "differ", "build ms");
    double kinematics = rows_.back().median();
    for (const Row &row : rows_) {
        // A graze row's kinematics are its own, so only peers' rows are given without.
        bool peer = row.library != "graze";
        std::printf("  %-7s %-28s %6zu %9.3f %8.3f .. %7.3f", row.library.c_str(),
                    row.method.c_str(), row.count, row.median(), row.samples.front(),
                    row.samples.back());
        if (peer)
            std::printf(" %9.3f", row.median() - kinematics);
        else
            std::printf(" %9s", "-");
        if (base_ > 0 && !row.times_only)
            std::printf(" %8.2f", row.median() / base_);
        else
            std::printf(" %8s", "-");
        if (row.times_only)
            std::printf(" %7s %8s\n", "-", "-");
        else
            std::printf(" %7zu %8.1f\n", row.different.size(), 1e3 * row.build_seconds);
        if (csv)
            std::fprintf(csv, "\"%s\",\"%s\",\"%s\",%zu,%.6f,%.6f,%.6f,%zu,%zu,%.6f\n",
                         environment_.name.c_str(), row.library.c_str(), row.method.c_str(),
                         row.count, row.median(), row.samples.front(), row.samples.back(),
                         (size_t)std::count(row.verdicts.begin(), row.verdicts.end(), 1),
                         row.different.size(), row.build_seconds);
    }
    bool good = report_differences();
    return report_verdict_file() && good;
}

} // namespace bench
