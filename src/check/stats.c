// Sums and differences of counters.
#include "check/stats.h"

#include <string.h>

// All counters are of one type, one after the other, so that none can be forgotten here.
enum { COUNTERS = sizeof(graze_stats) / sizeof(uint64_t) };
_Static_assert(sizeof(graze_stats) % sizeof(uint64_t) == 0, "a counter of another type");

void graze_stats_add(graze_stats *sum, const graze_stats *more) {
    uint64_t a[COUNTERS], b[COUNTERS];
    memcpy(a, sum, sizeof a);
    memcpy(b, more, sizeof b);
    for (int i = 0; i < COUNTERS; i++) a[i] += b[i];
    memcpy(sum, a, sizeof a);
}

graze_stats gz_stats_since(const graze_stats *now, const graze_stats *before) {
    uint64_t a[COUNTERS], b[COUNTERS];
    memcpy(a, now, sizeof a);
    memcpy(b, before, sizeof b);
    for (int i = 0; i < COUNTERS; i++) a[i] -= b[i];
    graze_stats out;
    memcpy(&out, a, sizeof out);
    return out;
}
