// Comparing the rows of one environment, and printing what was measured.

#include "comparison.h"

#include <algorithm>
#include <cstdio>

namespace bench {

Comparison::Comparison(const scene::Robot &robot, const Environment &environment,
                       const scene::Configurations &training, const Options &options)
    : robot_(robot), environment_(environment), options_(options), first_{0} {
    size_t links = (size_t)robot.link_count();
    for (size_t i = 0; i < training.count; i++) {
        training_.emplace_back(links);
        scene::pose(robot, training.row(i), training_.back().data());
    }
    for (const Section &section : environment.sections) {
        size_t count = environment.whole ? section.configs->count
                                         : std::min(options.rows, section.configs->count);
        reference_.push_back(
            std::make_unique<scene::Checker>(robot, section.world, GRAZE_POLICY_SURFACE));
        for (size_t i = 0; i < count; i++)
            truth_.push_back(reference_.back()->check(section.configs->row(i), GRAZE_ANSWER_FIRST));
        count_ += count;
        first_.push_back(count_);
    }
    add_graze(GRAZE_POLICY_SURFACE);
    add_graze(GRAZE_POLICY_SOLID);
    add_peer("FCL", "OBBRSS, AABB-tree manager", fcl_manager);
    add_peer("FCL", "OBB, prefilter, hit-ordered", fcl_tuned);
    if (!environment.whole) {
        add_peer("FCL", "OBBRSS, pair loop", fcl_loop);
        add_peer("ODE", "trimesh, prefilter", ode_trimesh);
        add_peer("Bullet", "GImpact, prefilter", bullet_gimpact);
    }
    add_kinematics();
    training_.clear();
}

const double *Comparison::configuration(size_t i, size_t *section) const {
    for (*section = 0; i >= first_[*section + 1];) ++*section;
    return environment_.sections[*section].configs->row(i - first_[*section]);
}

/// Whether graze's own verdict changes when a joint moves by 1e-5: then a library with tolerances,
/// or in single precision, may well say the other thing.
bool Comparison::is_touching(size_t i) {
    size_t section;
    const double *row = configuration(i, &section);
    std::vector<double> q(row, row + robot_.q_size());
    bool verdict = reference_[section]->check(q.data(), GRAZE_ANSWER_ANY);
    for (double &value : q)
        for (double step : {1e-5, -1e-5}) {
            double old = value;
            value += step;
            bool moved = reference_[section]->check(q.data(), GRAZE_ANSWER_ANY);
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
    const scene::Configurations &configs = *environment_.sections[0].configs;
    std::vector<uint8_t> expected = scene::read_verdicts(environment_.verdicts);
    size_t count = std::min(expected.size(), configs.count), wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += reference_[0]->check(configs.row(i), GRAZE_ANSWER_ANY) != (expected[i] != 0);
    std::printf("  graze's surfaces against %s: %zu of %zu differ\n", environment_.verdicts.c_str(),
                wrong, count);
    return wrong == 0 && expected.size() == configs.count;
}

void Comparison::print_head() const {
    size_t hits = (size_t)std::count(truth_.begin(), truth_.end(), 1), triangles = 0, objects = 0;
    std::printf("\n%s: %zu configurations, %.2f %% in collision", environment_.name.c_str(), count_,
                100.0 * (double)hits / (double)count_);
    for (const Section &section : environment_.sections)
        for (size_t i = 0; section.world && i < section.world->objects.size(); i++, objects++)
            triangles += section.world->objects[i].mesh.indices.size() / 3;
    if (objects) std::printf("; %zu objects, %zu triangles", objects, triangles);
    if (environment_.sections.size() > 1)
        std::printf(" in %zu worlds", environment_.sections.size());
    std::printf("\n");
}

void Comparison::print_rows(Table &table) {
    std::printf("  %-7s %-28s %6s %9s %19s %9s %8s %7s %8s\n", "library", "method", "rows",
                "us/config", "least .. most", "less FK", "x graze", "differ", "build ms");
    double kinematics = spread_of(rows_.back().samples).figure;
    for (const Row &row : rows_) {
        Spread time = spread_of(row.samples);
        std::printf("  %-7s %-28s %6zu %9.3f %8.3f .. %7.3f", row.library.c_str(),
                    row.method.c_str(), row.count, time.figure, time.least, time.most);
        // A graze row's kinematics are its own, so only peers' rows are given without.
        if (row.library != "graze")
            std::printf(" %9.3f", time.figure - kinematics);
        else
            std::printf(" %9s", "-");
        if (base_ > 0 && !row.times_only)
            std::printf(" %8.2f", time.figure / base_);
        else
            std::printf(" %8s", "-");
        Figure figure = {environment_.name, row.library, row.method, "us", row.count, time};
        if (row.times_only) {
            std::printf(" %7s %8s\n", "-", "-");
        } else {
            std::printf(" %7zu %8.1f\n", row.different.size(), 1e3 * row.build_seconds);
            figure.collisions = std::count(row.verdicts.begin(), row.verdicts.end(), 1);
            figure.different = (long)row.different.size();
            figure.build_seconds = row.build_seconds;
        }
        table.add(figure);
    }
}

void Comparison::print_each(Table &table) {
    bool head = false;
    for (const Row &row : rows_) {
        if (row.batch || row.times_only) continue;
        if (!head)
            std::printf("  each configuration timed alone, us (range: thirds of the rounds)\n"
                        "  %-7s %-28s %6s %9s %9s %9s %19s %9s\n",
                        "library", "method", "rows", "mean", "median", "99th %", "least .. most",
                        "most");
        head = true;
        std::printf("  %-7s %-28s %6zu %9.3f %9.3f %9.3f %8.3f .. %7.3f %9.3f\n",
                    row.library.c_str(), row.method.c_str(), row.count, row.mean.figure,
                    row.middle.figure, row.high.figure, row.high.least, row.high.most, row.worst);
        const std::string name = row.method + ", each: ";
        table.add({environment_.name, row.library, name + "mean", "us", row.count, row.mean});
        table.add({environment_.name, row.library, name + "median", "us", row.count, row.middle});
        table.add(
            {environment_.name, row.library, name + "99th percentile", "us", row.count, row.high});
    }
}

void Comparison::print_scaling(Table &table) {
    for (const Scaling &scaling : scaling_) {
        std::printf("  graze, %s: %.2f x (half of %zu turns: %.2f .. %.2f)\n",
                    scaling.method.c_str(), scaling.ratio.figure, scaling.rounds,
                    scaling.ratio.least, scaling.ratio.most);
        table.add({environment_.name, "graze", scaling.method, "x", count_, scaling.ratio});
    }
}

bool Comparison::report(Table &table) {
    if (rows_.empty()) return report_verdict_file();
    print_head();
    print_rows(table);
    print_each(table);
    print_scaling(table);
    bool good = report_differences();
    return report_verdict_file() && good;
}

} // namespace bench
