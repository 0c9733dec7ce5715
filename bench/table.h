/// @file table.h
/// The CSV that --csv asks for: comments that name machine and builds, then a line for each figure.
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include <cstdio>
#include <string>

#include "options.h"
#include "stopwatch.h"

namespace bench {

/// One figure. Its name is environment, library and method; no two have the same.
struct Figure {
    std::string environment, library, method;
    const char *unit; ///< "us" of one configuration, "x" as many times, "ms", "MiB"
    size_t rows;      ///< configurations, or processes, behind it
    Spread value;
    long collisions = -1, different = -1; ///< -1: not a row of verdicts
    double build_seconds = -1;
};

class Table {
  public:
    /// Opens the file that the options name; without one nothing is written.
    explicit Table(const Options &options);
    ~Table();
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;
    void add(const Figure &figure);
    /// Everything must have arrived.
    void finish();

  private:
    std::string path_;
    std::FILE *file_ = nullptr;
};

/// Processor, compiler, peers, date and commit, a line each, behind `mark`.
void print_machine(std::FILE *out, const char *mark);

} // namespace bench

#endif
