// Measuring the rows of one environment.

#include <algorithm>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

#include "comparison.h"

namespace bench {

// A row is measured for at most about this long at a time, but on at least this many
// configurations; its verdicts are compared for at most this long.
constexpr double most_seconds = 1, most_comparing = 10;
constexpr size_t least_rows = 500;

/// The first `count` configurations, part by part.
void Comparison::run(const Row &row, size_t count, uint8_t *verdicts) const {
    for (size_t section = 0; section + 1 < first_.size() && first_[section] < count; section++)
        row.run(section, 0, std::min(count, first_[section + 1]) - first_[section],
                verdicts + first_[section]);
}

void Comparison::measure() {
    warm_up();
    measure_rounds();
    measure_each();
    measure_scaling();
}

/// Warms up, keeps the verdicts, and decides how many configurations each row is measured on.
void Comparison::warm_up() {
    for (Row &row : rows_) {
        row.verdicts.assign(count_, 0);
        double start = seconds();
        row.count = environment_.whole ? count_ : std::min(count_, least_rows);
        run(row, row.count, row.verdicts.data());
        double each = (seconds() - start) / (double)row.count;
        row.compared = std::max(row.count, std::min(count_, (size_t)(most_comparing / each)));
        if (row.compared > row.count) run(row, row.compared, row.verdicts.data());
        row.count = std::min(count_, std::max(row.count, (size_t)(most_seconds / each)));
        if (row.times_only) continue;
        for (size_t i = 0; i < row.compared; i++)
            if (row.verdicts[i] != truth_[i]) row.different.push_back(i);
    }
}

/// All rows once, then all again: a slow spell of the machine falls on everybody.
void Comparison::measure_rounds() {
    std::vector<uint8_t> verdicts(count_);
    for (size_t round = 0; round < options_.repeat; round++)
        for (Row &row : rows_) {
            double (*clock)() = row.two_threads ? seconds : thread_seconds;
            if (row.two_threads) unpin();
            double start = clock();
            run(row, row.count, verdicts.data());
            row.samples.push_back(1e6 * (clock() - start) / (double)row.count);
            if (row.two_threads) pin();
        }
    for (const Row &row : rows_)
        if (row.library == "graze" && row.method == "surface, any pair")
            base_ = spread_of(row.samples).figure;
}

/// Each configuration timed alone. What interrupts the machine makes single times longer and never
/// shorter, and would be all that a percentile shows: so each is timed in several rounds, and its
/// least counts. The range is that of the figures from thirds of the rounds.
void Comparison::measure_each() {
    const size_t thirds = 3;
    const double third_seconds = 0.2 * (double)options_.repeat;
    const TickScale scale;
    uint8_t verdict;
    for (Row &row : rows_) {
        if (row.batch || row.times_only) continue;
        double round_seconds = 1e-6 * spread_of(row.samples).figure * (double)row.count;
        const size_t rounds = thirds *
                              std::clamp<size_t>((size_t)(third_seconds / round_seconds), 1, 10);
        std::vector<std::vector<double>> least(thirds, std::vector<double>(row.count, 1e300));
        for (size_t round = 0; round < rounds; round++) {
            std::vector<double> &times = least[round % thirds];
            for (size_t i = 0, section = 0; i < row.count; i++) {
                while (i >= first_[section + 1]) section++;
                uint64_t start = ticks();
                row.run(section, i - first_[section], 1, &verdict);
                uint64_t gone = ticks() - start;
                gone -= std::min(gone, scale.overhead);
                times[i] = std::min(times[i], scale.microseconds * (double)gone);
            }
        }
        std::vector<double> all(row.count);
        for (size_t i = 0; i < row.count; i++)
            all[i] = std::min({least[0][i], least[1][i], least[2][i]});
        auto mean = [](const std::vector<double> &x) {
            return std::accumulate(x.begin(), x.end(), 0.0) / (double)x.size();
        };
        auto figures = [&](auto &&figure) {
            Spread out = {figure(all), figure(all), figure(all)};
            for (const std::vector<double> &third : least) {
                out.least = std::min(out.least, figure(third));
                out.most = std::max(out.most, figure(third));
            }
            return out;
        };
        std::sort(all.begin(), all.end());
        for (std::vector<double> &third : least) std::sort(third.begin(), third.end());
        row.mean = figures(mean);
        row.middle = figures([](const std::vector<double> &x) { return quantile(x, 0.5); });
        row.high = figures([](const std::vector<double> &x) { return quantile(x, 0.99); });
        row.worst = all.back();
    }
}

/// Seconds that two processes take, by the wall clock, which do the same at the same time, each for
/// itself: what the machine has two processors for. Each does it once before, so that its memory is
/// its own when the clock starts.
template <typename Work> static double seconds_of_two_processes(const Work &work) {
    int ready[2], gate[2];
    if (pipe(ready) != 0 || pipe(gate) != 0) return -1;
    char byte = 0;
    pid_t children[2];
    for (pid_t &child : children) {
        child = fork();
        if (child != 0) continue;
        close(gate[1]);
        work();
        // The gate is closed by its last writer, once both are here.
        if (write(ready[1], &byte, 1) != 1 || read(gate[0], &byte, 1) != 0) _exit(1);
        work();
        _exit(0);
    }
    close(ready[1]);
    close(gate[0]);
    bool well = read(ready[0], &byte, 1) == 1 && read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    double start = seconds();
    close(gate[1]);
    for (pid_t child : children) {
        int status = 1;
        well = child > 0 && waitpid(child, &status, 0) == child && status == 0 && well;
    }
    return well ? seconds() - start : -1;
}

/// One thread, two, and two processes of one thread each in turns, each turn one call, so long that
/// starting a thread is no part of it. Each round gives a ratio of two threads over one by the wall
/// clock, one of what either cost the processors, and one of two threads over two processes, which
/// share nothing: where others use the machine too, or its processors share a core, two processes
/// say how much there was to gain.
void Comparison::measure_scaling() {
    if (processor_count() < 2) return;
    const double turn_microseconds = std::max(5e4, 2.5e4 * (double)environment_.sections.size());
    for (size_t i = 0; i + 1 < rows_.size(); i++) {
        const Row &one = rows_[i], &two = rows_[i + 1];
        if (!one.batch || one.two_threads || !two.two_threads) continue;
        double each = spread_of(one.samples).figure * (double)count_;
        size_t times = 1 + (size_t)(turn_microseconds / each);
        struct Turn {
            double wall, processors;
        };
        one.run_long(times); // what is made for the first call is no part of a turn
        auto turn = [&](const Row &row) {
            double wall = seconds(), processors = process_seconds();
            row.run_long(times);
            return Turn{seconds() - wall, process_seconds() - processors};
        };
        std::vector<double> walls, shares, processes;
        unpin();
        for (size_t round = 0; round < 4 * options_.repeat + 1; round++) {
            // Who goes first changes, so that a machine that grows slower favours nobody.
            Turn a = turn(round % 2 ? two : one), b = turn(round % 2 ? one : two);
            double both = seconds_of_two_processes([&] { one.run_long(times); });
            if (round % 2) std::swap(a, b);
            walls.push_back(a.wall / b.wall);
            shares.push_back(2 * a.processors / b.processors);
            if (both > 0) processes.push_back(both / (2 * b.wall));
        }
        pin();
        std::string name = one.method.substr(0, one.method.find(',')) +
                           ", batch, two threads over ";
        auto keep = [&](const char *what, const std::vector<double> &ratios) {
            if (!ratios.empty())
                scaling_.push_back({name + what, quartiles(ratios), ratios.size()});
        };
        keep("one", walls);
        keep("one, by processor time", shares);
        keep("two processes", processes);
    }
}

} // namespace bench
