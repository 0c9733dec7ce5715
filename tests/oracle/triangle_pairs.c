// Compares graze_triangles_overlap() with rational arithmetic, with CGAL's exact kernel, and with
// itself under every order of corners and arguments; and its segments with the exact shared set.
// With --time, measures it instead.

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cgal_triangles.h"
#include "graze/geometry.h"
#include "narrow/triangle/triangle.h"
#include "rational_clip.h"
#include "triangle_cases.h"

// One pair in so many is also checked by:
#define EVERY_CGAL    10
#define EVERY_ORDER   100
#define EVERY_SEGMENT 20

#define SHOWN_MAX 10

typedef struct tally {
    uint64_t pairs, meeting, missed, wrong_hit, cgal, orders, segments;
    uint64_t other; // disagreements of CGAL, orders, segments
    gz_triangle_stats stats;
} tally;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show(const char *category, const char *what, const double a[9], const double b[9]) {
    static int shown;
    if (shown++ >= SHOWN_MAX) return;
    fprintf(stderr, "%s: %s\n a", category, what);
    for (int i = 0; i < 9; i++) fprintf(stderr, " %a", a[i]);
    fprintf(stderr, "\n b");
    for (int i = 0; i < 9; i++) fprintf(stderr, " %a", b[i]);
    fprintf(stderr, "\n");
}

static void reordered(const double t[9], int order, double out[9]) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < 3; i++) memcpy(out + 3 * i, t + 3 * orders[order][i], 3 * sizeof *t);
}

// All 72 orders of corners and arguments give the same answer.
static bool orders_agree(const double a[9], const double b[9], bool verdict) {
    double ra[9], rb[9];
    for (int i = 0; i < 36; i++) {
        reordered(a, i / 6, ra);
        reordered(b, i % 6, rb);
        if (graze_triangles_overlap(ra, rb) != verdict) return false;
        if (graze_triangles_overlap(rb, ra) != verdict) return false;
    }
    return true;
}

static double distance(const double p[3], const double q[3]) {
    // hypot, as squares of the range's ends leave the doubles.
    return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

// The segment's ends are corners of the exact shared set, up to rounding, and no two corners of it
// are farther apart. `clip` holds that set.
static bool segment_agrees(rational_clip *clip, const double a[9], const double b[9]) {
    double exact[RATIONAL_CLIP_MAX][3], ours[6];
    int count = rational_clip_shared(clip, exact);
    bool overlap;
    if (graze_triangles_overlap_checked(a, b, &overlap, ours) != GRAZE_OK || !overlap) return false;

    // Tolerance: a point of an edge is from + ratio (to - from), each part right to 2^-48 or
    // better.
    double largest = 0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
    double tolerance = 0x1p-45 * largest;
    double longest = 0;
    for (int end = 0; end < 2; end++) {
        double nearest = DBL_MAX;
        for (int i = 0; i < count; i++) {
            nearest = fmin(nearest, distance(ours + 3 * end, exact[i]));
            for (int j = 0; j < i; j++) longest = fmax(longest, distance(exact[i], exact[j]));
        }
        if (!(nearest <= tolerance)) return false;
    }
    double length = distance(ours, ours + 3);
    if (!(fabs(length - longest) <= 4 * tolerance)) return false;
    return !rational_clip_shared_is_point(clip) || length == 0;
}

// The segment predicate: an edge of a against b.
static bool edge_agrees(rational_clip *clip, const double a[9], const double b[9]) {
    double edge[9];
    memcpy(edge, a, 6 * sizeof *a);
    memcpy(edge + 6, a, 3 * sizeof *a);
    return gz_segment_intersects_triangle(a, a + 3, GZ_CORNERS(b)) ==
           rational_clip_overlap(clip, edge, b);
}

static void check_pair(rational_clip *clip, const char *name, uint64_t number, const double a[9],
                       const double b[9], tally *t) {
    bool verdict = graze_triangles_overlap(a, b);
    bool truth = rational_clip_overlap(clip, a, b);
    bool b_has_area = rational_clip_dimension(clip) == 2;
    t->pairs++;
    t->meeting += truth;
    if (verdict != truth) {
        t->missed += truth;
        t->wrong_hit += verdict;
        show(name, truth ? "missed" : "false hit", a, b);
    }
    if (gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), &t->stats) != verdict) {
        t->other++;
        show(name, "internal and public verdicts differ", a, b);
    }
    if (truth && number % EVERY_SEGMENT == 0) {
        t->segments++;
        if (!segment_agrees(clip, a, b)) {
            t->other++;
            show(name, "segment differs", a, b);
        }
    }
    if (number % EVERY_ORDER == 0) {
        t->orders++;
        if (!orders_agree(a, b, verdict)) {
            t->other++;
            show(name, "verdict depends on order", a, b);
        }
    }
    if (number % EVERY_CGAL == 0) {
        // The other way round this also asks the oracle twice.
        if (rational_clip_overlap(clip, b, a) != truth) {
            t->other++;
            show(name, "the oracle contradicts itself", a, b);
        }
        if (b_has_area && rational_clip_dimension(clip) == 2) {
            t->cgal++;
            if (cgal_triangles_overlap(a, b) != truth) {
                t->other++;
                show(name, "CGAL differs", a, b);
            }
        }
        if (!edge_agrees(clip, a, b)) {
            t->other++;
            show(name, "edge against triangle differs", a, b);
        }
    }
}

static void add(tally *sum, const tally *t) {
    sum->pairs += t->pairs;
    sum->meeting += t->meeting;
    sum->missed += t->missed;
    sum->wrong_hit += t->wrong_hit;
    sum->cgal += t->cgal;
    sum->orders += t->orders;
    sum->segments += t->segments;
    sum->other += t->other;
    sum->stats.tests += t->stats.tests;
    sum->stats.exact_tests += t->stats.exact_tests;
}

static void print_row(const char *name, const tally *t, double wall) {
    double pairs = (double)t->pairs;
    printf("%-17s %9llu %9llu %6llu %6llu %6llu %8llu %7llu %8llu %6.2f%% %9.0f\n", name,
           (unsigned long long)t->pairs, (unsigned long long)t->meeting,
           (unsigned long long)t->missed, (unsigned long long)t->wrong_hit,
           (unsigned long long)t->other, (unsigned long long)t->cgal, (unsigned long long)t->orders,
           (unsigned long long)t->segments, 100 * (double)t->stats.exact_tests / pairs,
           wall > 0 ? pairs / wall : 0);
    fflush(stdout);
}

// 0 when nothing disagrees.
static int compare(uint64_t pairs, uint64_t seed, const char *only) {
    printf("%-17s %9s %9s %6s %6s %6s %8s %7s %8s %7s %9s\n", "category", "pairs", "meeting",
           "missed", "false", "other", "cgal", "orders", "segments", "exact", "pairs/s");
    rational_clip *clip = rational_clip_create();
    tally sum = {0};
    double start = seconds();
    int chosen = 0;
    for (int c = 0; c < triangle_category_count; c++) {
        chosen += only == NULL || strcmp(only, triangle_categories[c].name) == 0;
    }
    for (int c = 0; c < triangle_category_count && chosen != 0; c++) {
        const triangle_category *category = &triangle_categories[c];
        if (only != NULL && strcmp(only, category->name) != 0) continue;
        gz_random random = gz_random_make(seed, (uint64_t)c);
        tally t = {0};
        double began = seconds();
        uint64_t count = (pairs + (uint64_t)chosen - 1) / (uint64_t)chosen;
        for (uint64_t i = 0; i < count; i++) {
            double a[9], b[9];
            category->make(&random, a, b);
            if (gz_random_below(&random, 2)) {
                check_pair(clip, category->name, i, a, b, &t);
            } else {
                check_pair(clip, category->name, i, b, a, &t);
            }
        }
        print_row(category->name, &t, seconds() - began);
        add(&sum, &t);
    }
    print_row("all", &sum, seconds() - start);
    rational_clip_free(clip);
    if (chosen == 0) {
        fprintf(stderr, "no category '%s'\n", only);
        return 2;
    }
    return sum.missed + sum.wrong_hit + sum.other != 0;
}

enum { TIMED_PAIRS = 4096, TIMED_ROUNDS = 30 };

// Nanoseconds per call, the best round of many: others share the machine.
static double time_pairs(double (*pairs)[2][9], int count, uint64_t *hits) {
    double best = DBL_MAX;
    for (int round = 0; round < TIMED_ROUNDS && count != 0; round++) {
        double start = seconds();
        for (int i = 0; i < count; i++) {
            *hits += gz_triangles_overlap_exact(GZ_CORNERS(pairs[i][0]), GZ_CORNERS(pairs[i][1]),
                                                NULL);
        }
        best = fmin(best, seconds() - start);
    }
    return count == 0 ? 0 : best * 1e9 / count;
}

static int measure(uint64_t seed) {
    static double pairs[2][TIMED_PAIRS][2][9]; // apart, meeting
    printf("%-17s %9s %9s %9s %9s\n", "category", "meeting", "ns", "apart", "ns");
    uint64_t hits = 0;
    for (int c = 0; c < triangle_category_count; c++) {
        gz_random random = gz_random_make(seed, (uint64_t)c);
        int counts[2] = {0, 0};
        for (int i = 0; i < 4 * TIMED_PAIRS; i++) {
            double a[9], b[9];
            triangle_categories[c].make(&random, a, b);
            bool overlap = graze_triangles_overlap(a, b);
            if (counts[overlap] == TIMED_PAIRS) continue;
            memcpy(pairs[overlap][counts[overlap]][0], a, sizeof a);
            memcpy(pairs[overlap][counts[overlap]++][1], b, sizeof b);
        }
        double meeting_ns = time_pairs(pairs[1], counts[1], &hits);
        double apart_ns = time_pairs(pairs[0], counts[0], &hits);
        printf("%-17s %9d %9.1f %9d %9.1f\n", triangle_categories[c].name, counts[1], meeting_ns,
               counts[0], apart_ns);
        fflush(stdout);
    }
    return hits == 0; // none is impossible; asking keeps the calls from being optimised away
}

static int usage(void) {
    fprintf(stderr, "usage: triangle_pairs [--pairs N] [--seed N] [--category NAME] [--time]\n"
                    "categories:\n");
    for (int c = 0; c < triangle_category_count; c++) {
        fprintf(stderr, "  %-17s %s\n", triangle_categories[c].name, triangle_categories[c].what);
    }
    return 2;
}

int main(int argc, char **argv) {
    uint64_t pairs = 100000, seed = 1;
    const char *category = NULL;
    bool timed = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--time") == 0) {
            timed = true;
        } else if (i + 1 < argc && strcmp(argv[i], "--pairs") == 0) {
            pairs = strtoull(argv[++i], NULL, 10);
        } else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(argv[++i], NULL, 10);
        } else if (i + 1 < argc && strcmp(argv[i], "--category") == 0) {
            category = argv[++i];
        } else {
            return usage();
        }
    }
    return timed ? measure(seed) : compare(pairs, seed, category);
}
