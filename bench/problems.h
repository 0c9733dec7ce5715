/// @file problems.h
/// A file of planning problems (mbm-1): families of problems, each with a start, goals, joints that
/// stay, boxes and cylinders.
#ifndef GRAZE_BENCH_PROBLEMS_H
#define GRAZE_BENCH_PROBLEMS_H

#include <memory>
#include <string>
#include <vector>

#include "scene.h"

namespace bench {

/// One problem in a world of its own; start and goals are all of q.
struct Problem {
    std::string name; ///< family and number
    std::unique_ptr<scene::World> world;
    std::vector<double> start;
    std::vector<std::vector<double>> goals;
};

/// Anything missing in the file, or of another type, ends the program.
class ProblemFile {
  public:
    ProblemFile(const std::string &path, const scene::Robot &robot);
    ~ProblemFile();
    const std::vector<size_t> &columns() const; ///< of q that are planned
    const std::vector<std::string> &families() const;
    size_t size(const std::string &family) const;
    Problem read(const std::string &family, size_t index) const;

  private:
    struct Content;
    std::unique_ptr<Content> content_;
};

} // namespace bench

#endif
