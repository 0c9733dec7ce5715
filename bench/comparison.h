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

namespace bench {

struct Environment {
    std::string name;
    const scene::World *world; ///< NULL: the robot alone
    std::string verdicts;      ///< file, or ""
};

/// One way to check configurations.
struct Row {
    std::string library, method;
    /// Checks the first `count` configurations.
    std::function<void(size_t count, uint8_t *verdicts)> run;
    bool two_threads = false; ///< measured by the wall clock, on all processors
    bool times_only = false;
    double build_seconds = 0;
    size_t count = 0;            ///< configurations measured
    size_t compared = 0;         ///< configurations whose verdicts were compared
    std::vector<double> samples; ///< microseconds per configuration, sorted
    std::vector<uint8_t> verdicts;
    std::vector<size_t> different; ///< configurations where graze (surfaces) says otherwise
    double median() const { return samples.empty() ? 0 : samples[samples.size() / 2]; }
};

class Comparison {
  public:
    Comparison(const scene::Robot &robot, const Environment &environment,
               const scene::Configurations &configs, const scene::Configurations &training,
               const Options &options);
    void measure();
    /// Prints the table; returns whether verdicts are as they should be.
    bool report(std::FILE *csv);

  private:
    void add_graze(graze_policy policy);
    void add_peer(const char *library, const char *method,
                  std::unique_ptr<Peer> (*make)(const scene::Robot &, const scene::World *));
    void add_kinematics();
    bool wanted(const std::string &library, const std::string &method) const;
    bool is_touching(size_t row);
    bool report_differences();
    bool report_verdict_file();

    const scene::Robot &robot_;
    const Environment &environment_;
    const scene::Configurations &configs_;
    const Options &options_;
    size_t count_;
    scene::Checker reference_;
    std::vector<uint8_t> truth_; ///< graze, surfaces
    std::vector<std::vector<graze_transform>> training_;
    std::vector<Row> rows_;
    double base_ = 0; ///< microseconds of graze, surfaces, any pair, one at a time
};

/// Lets this thread run on one processor only, or on all it had at the start.
void pin();
void unpin();

double seconds();

} // namespace bench

#endif
