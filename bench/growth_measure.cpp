// The ways to answer a case, their verdicts side by side, and their times.

#include <malloc.h>

#include <algorithm>
#include <cmath>

#include "growth.h"
#include "stopwatch.h"

namespace growth {

/// What the program has asked malloc for and not given back.
static double heap_bytes() {
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

// malloc's figures take time where there are many free blocks: they are asked outside of the clock.
Meter::Meter() : bytes_(heap_bytes()), seconds_(bench::thread_seconds()) {}

Cost Meter::cost() const {
    double seconds = bench::thread_seconds() - seconds_;
    return {seconds, heap_bytes() - bytes_};
}

double Way::median() const {
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

double Way::least() const {
    return *std::min_element(samples.begin(), samples.end());
}

double Way::most() const {
    return *std::max_element(samples.begin(), samples.end());
}

// ------------------------------------------------------------------------------------- the ways

namespace {

void add_graze(Case &c) {
    const scene::Configurations *configs = &c.configs;
    Meter meter;
    auto checker = std::make_shared<scene::Checker>(*c.robot, c.world.get(), GRAZE_POLICY_SURFACE);
    Way one;
    one.library = "graze";
    one.method = "one at a time";
    one.build = meter.cost();
    one.build.seconds += c.loaded.seconds;
    one.build.bytes += c.loaded.bytes;
    one.run = [checker, configs](uint8_t *verdicts) {
        for (size_t i = 0; i < configs->count; i++)
            verdicts[i] = checker->check(configs->row(i), GRAZE_ANSWER_ANY);
    };
    Way many = one;
    many.method = "batch";
    many.run = [checker, configs](uint8_t *verdicts) {
        graze_error error;
        graze_batch batch = graze_batch_default();
        batch.count = configs->count;
        batch.q = configs->q.data();
        batch.verdicts = verdicts;
        scene::require(graze_check_batch(checker->get(), &batch, &error), error, "batch");
    };
    c.ways.push_back(std::move(one));
    c.ways.push_back(std::move(many));
}

/// A way of which the times alone count: it answers for one row after the other.
void add_times(Case &c, const char *method, std::function<bool(size_t row)> answer) {
    const size_t count = c.configs.count;
    Way way;
    way.library = "graze";
    way.method = method;
    way.times_only = true;
    way.run = [count, answer](uint8_t *verdicts) {
        for (size_t i = 0; i < count; i++) verdicts[i] = answer(i);
    };
    c.ways.push_back(std::move(way));
}

void add_kinematics(Case &c) {
    std::shared_ptr<scene::Robot> robot = c.robot;
    auto links = std::make_shared<std::vector<graze_transform>>((size_t)robot->link_count());
    add_times(c, "kinematics alone", [configs = &c.configs, robot, links](size_t row) {
        scene::pose(*robot, configs->row(row), links->data());
        return links->back().m[3] > 1e6;
    });
}

using SharedChecker = std::shared_ptr<scene::Checker>;

/// The least distance of all pairs, to the last bit: 0 where something collides.
void add_distance(Case &c, const SharedChecker &checker) {
    graze_error error;
    graze_distance_workspace *made;
    scene::require(graze_distance_workspace_create(&made, checker->get(), &error), error,
                   "workspace of distances");
    std::shared_ptr<graze_distance_workspace> workspace(made, graze_distance_workspace_free);
    add_times(c, "least distance", [configs = &c.configs, checker, workspace](size_t row) {
        graze_error error;
        graze_distance_report report{};
        scene::require(graze_distance(checker->get(), workspace.get(), configs->row(row),
                                      configs->width, nullptr, nullptr, &report, &error),
                       error, "distance");
        return report.least.upper > 0;
    });
}

/// Certified motions: from each configuration a twentieth of the way to the next.
void add_motion(Case &c, const SharedChecker &checker) {
    graze_error error;
    graze_motion_workspace *made;
    scene::require(graze_motion_workspace_create(&made, checker->get(), &error), error,
                   "workspace of motions");
    std::shared_ptr<graze_motion_workspace> workspace(made, graze_motion_workspace_free);
    auto to = std::make_shared<std::vector<double>>(c.configs.width);
    add_times(c, "certified motion", [configs = &c.configs, checker, workspace, to](size_t row) {
        graze_error error;
        graze_motion_report report{};
        const double *from = configs->row(row), *next = configs->row((row + 1) % configs->count);
        for (size_t k = 0; k < to->size(); k++) (*to)[k] = from[k] + 0.05 * (next[k] - from[k]);
        scene::require(graze_check_motion(checker->get(), workspace.get(), from, to->data(),
                                          to->size(), nullptr, nullptr, nullptr, &report, &error),
                       error, "motion");
        return report.verdict == GRAZE_MOTION_HIT;
    });
}

// ------------------------------------------------------------------------------------- verdicts

/// Whether graze's own verdict changes when a joint moves by 1e-5 (of many joints, some): then a
/// library that iterates to a tolerance may well say the other thing.
bool is_touching(const Case &c, scene::Checker &checker, size_t row) {
    std::vector<double> q(c.configs.row(row), c.configs.row(row) + c.configs.width);
    bool verdict = checker.check(q.data(), GRAZE_ANSWER_ANY);
    for (size_t joint = 0; joint < q.size(); joint += 1 + q.size() / 32)
        for (double step : {1e-5, -1e-5}) {
            double old = q[joint];
            q[joint] += step;
            bool moved = checker.check(q.data(), GRAZE_ANSWER_ANY);
            q[joint] = old;
            if (moved != verdict) return true;
        }
    return false;
}

/// The points but those near the base, which large balls there would always meet.
std::vector<double> outer_points(const std::vector<double> &points) {
    const double base = 0.46;
    std::vector<double> out;
    for (size_t i = 0; i < points.size(); i += 3)
        if (std::hypot(points[i], points[i + 1]) > base)
            out.insert(out.end(), &points[i], &points[i] + 3);
    return out;
}

/// Cells and balls are not the same. But every occupied cell holds a point, so that a link that
/// meets the cell comes as near to the point as the cell's diagonal; and a link that meets the
/// point meets its cell. So the octree's verdict lies between those of graze for very small and for
/// large balls; what does not is counted, and all verdicts where such balls tell nothing apart.
size_t count_outside(const Case &c, const Way &way, const std::vector<uint8_t> &truth) {
    size_t outside = 0;
    // One after the other: these worlds are large.
    for (bool found : {false, true}) {
        Cost ignored;
        std::shared_ptr<scene::World> world = found ? make_points("large", outer_points(c.points),
                                                                  1.001 * std::sqrt(3) * c.cell,
                                                                  ignored)
                                                    : make_points("small", c.points, 1e-5, ignored);
        scene::Checker checker(*c.robot, world.get(), GRAZE_POLICY_SURFACE);
        size_t opposite = 0;
        for (size_t i = 0; i < c.configs.count; i++) {
            if (checker.check(c.configs.row(i), GRAZE_ANSWER_ANY) == found) continue;
            opposite++;
            outside += way.verdicts[i] != truth[i] && (way.verdicts[i] != 0) == found;
        }
        if (!opposite) return c.configs.count;
    }
    return outside;
}

void compare(Case &c, const Case *steady) {
    // The first pair with its triangles takes another way through graze than any pair does.
    scene::Checker checker(*c.robot, c.world.get(), GRAZE_POLICY_SURFACE);
    std::vector<uint8_t> truth(c.configs.count);
    for (size_t i = 0; i < c.configs.count; i++)
        truth[i] = checker.check(c.configs.row(i), GRAZE_ANSWER_FIRST);
    c.hits = (size_t)std::count(truth.begin(), truth.end(), 1);
    for (Way &way : c.ways) {
        if (way.times_only) continue;
        for (size_t i = 0; i < truth.size(); i++) {
            bool same = way.verdicts[i] == truth[i];
            way.different += !same;
            bool exact = way.library == "graze";
            if (!same && way.same_question && (exact || !is_touching(c, checker, i)))
                way.unexplained++;
            // graze's verdict is exact: it must not depend on the size where the shape does not.
            if (exact && steady && way.verdicts[i] != steady->ways[0].verdicts[i])
                way.unexplained++;
        }
        if (!way.same_question && way.different) way.unexplained = count_outside(c, way, truth);
    }
}

} // namespace

void add_ways(Case &c, const Options &options) {
    add_graze(c);
    if (c.points.empty()) {
        add_manager(c);
    } else {
        add_octree(c);
        if (c.points.size() / 3 <= options.spheres) add_spheres(c);
    }
    if (!c.world) add_kinematics(c);
    auto checker = std::make_shared<scene::Checker>(*c.robot, c.world.get(), GRAZE_POLICY_SURFACE);
    add_distance(c, checker);
    add_motion(c, checker);
}

void measure(Axis &axis, const Options &options) {
    const double least_seconds = 0.05; // of a sample
    const Case *steady = nullptr;
    std::vector<uint8_t> verdicts;
    // Build, warm up and compare, one size after the other.
    for (Case &c : axis.cases) {
        add_ways(c, options);
        for (Way &way : c.ways) {
            way.verdicts.assign(c.configs.count, 0);
            way.run(way.verdicts.data());
            double start = bench::thread_seconds();
            way.run(way.verdicts.data());
            double once = std::fmax(bench::thread_seconds() - start, 1e-6);
            way.passes = (size_t)std::fmax(1, std::ceil(least_seconds / once));
        }
        if (!steady && axis.steady && c.size >= axis.steady) steady = &c;
        compare(c, steady);
    }
    // All ways of all sizes once, then all again: a slow spell of the machine falls on everybody.
    for (size_t round = 0; round < options.repeat; round++)
        for (Case &c : axis.cases)
            for (Way &way : c.ways) {
                verdicts.resize(c.configs.count);
                double start = bench::thread_seconds();
                for (size_t pass = 0; pass < way.passes; pass++) way.run(verdicts.data());
                way.samples.push_back(1e6 * (bench::thread_seconds() - start) /
                                      (double)(way.passes * c.configs.count));
            }
}

} // namespace growth
