/// @file problems.h
/// Planning problems, by family.
#ifndef GRAZE_BENCH_PROBLEMS_H
#define GRAZE_BENCH_PROBLEMS_H

#include <memory>
#include <string>
#include <vector>

#include <graze/problems.h>

#include "scene.h"

namespace bench {

/// One problem in a world of its own; start and goals are all of q.
struct Problem {
    std::string name; ///< family and number
    std::unique_ptr<scene::World> world;
    std::vector<double> start;
    std::vector<std::vector<double>> goals;
};

/// The file, or folder, that graze_problems_load() reads; what it refuses ends the program.
class ProblemFile {
  public:
    ProblemFile(const std::string &path, const scene::Robot &robot);
    ~ProblemFile();
    ProblemFile(const ProblemFile &) = delete;
    ProblemFile &operator=(const ProblemFile &) = delete;
    const std::vector<size_t> &columns() const { return columns_; } ///< of q that are planned
    const std::vector<std::string> &families() const { return families_; }
    size_t size(const std::string &family) const;
    Problem read(const std::string &family, size_t index) const;

  private:
    graze_problem get(size_t index) const;
    size_t place(const std::string &family) const;

    size_t width_;
    graze_problems *problems_ = nullptr;
    std::vector<size_t> columns_, begin_; ///< begin_: of each family, and the end
    std::vector<std::string> families_;
};

} // namespace bench

#endif
