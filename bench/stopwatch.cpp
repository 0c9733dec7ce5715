// Clocks, processors and the little statistics that measured times need.

#include "stopwatch.h"

#include <sched.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>

#include "scene.h"

namespace bench {

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

size_t processor_count() {
    return (size_t)CPU_COUNT(&processors());
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

static double clock_seconds(clockid_t clock) {
    timespec now;
    if (clock_gettime(clock, &now)) scene::fail("no clock for threads and processes");
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double thread_seconds() {
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double process_seconds() {
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t ticks() {
#if defined(__x86_64__)
    // The fences keep the work between two looks from being moved past either.
    _mm_lfence();
    uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
#else
    timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now)) scene::fail("no monotonic clock");
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

TickScale::TickScale() {
    double start = seconds();
    uint64_t first = ticks();
    while (seconds() - start < 0.05) {
    }
    uint64_t last = ticks();
    microseconds = 1e6 * (seconds() - start) / (double)(last - first);
    std::vector<uint64_t> gaps(1001);
    for (uint64_t &gap : gaps) {
        uint64_t before = ticks();
        gap = ticks() - before;
    }
    std::nth_element(gaps.begin(), gaps.begin() + 250, gaps.end());
    overhead = gaps[250];
}

double quantile(const std::vector<double> &sorted, double fraction) {
    size_t rank = (size_t)std::ceil(fraction * (double)sorted.size());
    return sorted.empty() ? 0 : sorted[rank > 0 ? rank - 1 : 0];
}

Spread spread_of(std::vector<double> samples) {
    if (samples.empty()) return {};
    std::sort(samples.begin(), samples.end());
    return {samples[samples.size() / 2], samples.front(), samples.back()};
}

Spread quartiles(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return {quantile(samples, 0.5), quantile(samples, 0.25), quantile(samples, 0.75)};
}

} // namespace bench
