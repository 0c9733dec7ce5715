/// @file stopwatch.h
/// Clocks, and on which processors this thread runs.
#ifndef GRAZE_BENCH_STOPWATCH_H
#define GRAZE_BENCH_STOPWATCH_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// Lets this thread run on one processor only, or on all it had at the start.
void pin();
void unpin();
size_t processor_count();

/// Wall time.
double seconds();
/// The time that this thread has run: what else runs on the machine does not count.
double thread_seconds();
/// The time that all threads of this process have run.
double process_seconds();

/// A counter for things as short as one check: the processor's own where it has one.
uint64_t ticks();
/// How long a tick is, and how many go by between two looks at an empty distance: the lesser half
/// of many, so that reading the counter is not charged to what is measured.
struct TickScale {
    double microseconds;
    uint64_t overhead;
    TickScale();
};

/// A measured value: the figure that is shown, and what the rounds ranged over.
struct Spread {
    double figure = 0, least = 0, most = 0;
};
/// The median of the samples, with their range.
Spread spread_of(std::vector<double> samples);
/// The median of the samples, with the range of the half about it.
Spread quartiles(std::vector<double> samples);
/// The value at a fraction of sorted samples: the smallest that at least this share does not
/// exceed.
double quantile(const std::vector<double> &sorted, double fraction);

} // namespace bench

#endif
