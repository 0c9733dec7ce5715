/// @file comparison.h
/// One environment: every way to check it, measured in turn, and the verdicts side by side.
#ifndef GRAZE_BENCH_COMPARISON_H
#define GRAZE_BENCH_COMPARISON_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "peer.h"
#include "stopwatch.h"
#include "table.h"

namespace bench {

/// Configurations that meet one world.
struct Section {
    const scene::World *world; ///< NULL: the robot alone
    const scene::Configurations *configs;
};

struct Environment {
    std::string name;
    std::vector<Section> sections;
    std::string verdicts; ///< file for the only part, or ""
    /// Rows of neighbours: all are measured by every row, for a part of them would be another
    /// question, and the rows that take longest are left out.
    bool whole = false;
};

/// One way to check configurations.
struct Row {
    std::string library, method;
    /// Checks `count` configurations of a part, from its `first` on.
    std::function<void(size_t section, size_t first, size_t count, uint8_t *verdicts)> run;
    /// Of a batch: each part's configurations, repeated so often, in one call.
    std::function<void(size_t times)> run_long;
    bool batch = false;       ///< answers for many at once: no time of a single one
    bool two_threads = false; ///< measured by the wall clock, on all processors
    bool times_only = false;
    double build_seconds = 0;
    size_t count = 0;            ///< configurations measured
    size_t compared = 0;         ///< configurations whose verdicts were compared
    std::vector<double> samples; ///< microseconds per configuration
    std::vector<uint8_t> verdicts;
    std::vector<size_t> different; ///< configurations where graze (surfaces) says otherwise
    Spread mean, middle, high; ///< each configuration timed alone: mean, median, 99th percentile
    double worst = 0;
};

/// How much faster two threads are than one, in turns of either.
struct Scaling {
    std::string method;
    Spread ratio;
    size_t rounds;
};

class Comparison {
  public:
    Comparison(const scene::Robot &robot, const Environment &environment,
               const scene::Configurations &training, const Options &options);
    void measure();
    /// Prints the tables; returns whether verdicts are as they should be.
    bool report(Table &table);

  private:
    // rows.cpp
    void add_graze(graze_policy policy);
    void add_peer(const char *library, const char *method,
                  std::unique_ptr<Peer> (*make)(const scene::Robot &, const scene::World *));
    void add_kinematics();
    void repeat_configurations(size_t times);
    bool wanted(const std::string &library, const std::string &method) const;
    // measurement.cpp
    void run(const Row &row, size_t count, uint8_t *verdicts) const;
    void warm_up();
    void measure_rounds();
    void measure_each();
    void measure_scaling();
    // comparison.cpp
    const double *configuration(size_t i, size_t *section) const;
    bool is_touching(size_t i);
    bool report_differences();
    bool report_verdict_file();
    void print_head() const;
    void print_rows(Table &table);
    void print_each(Table &table);
    void print_scaling(Table &table);

    const scene::Robot &robot_;
    const Environment &environment_;
    const Options &options_;
    std::vector<size_t> first_; ///< of each part among all; one more for the end
    size_t count_ = 0;
    std::vector<std::unique_ptr<scene::Checker>> reference_; ///< graze, surfaces; of each part
    std::vector<uint8_t> truth_;
    std::vector<std::vector<graze_transform>> training_;
    std::vector<Row> rows_;
    size_t repeated_times_ = 0;
    std::vector<std::vector<double>> repeated_; ///< q of each part, so often
    std::vector<Scaling> scaling_;
    double base_ = 0; ///< microseconds of graze, surfaces, any pair, one at a time
};

} // namespace bench

#endif
