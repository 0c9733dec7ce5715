// Spheres, capsules, cylinders and boxes, some of their sizes 0, against triangles and each other,
// next to contact and next to margins: one of the two is moved along a line, bisected down to
// neighbouring doubles, both for where the engine's verdict changes and for where the distance
// crosses the margin. The oracle looks at the snapped solids: integers where no cylinder takes part
// (rational_distance.h), 192 bits where one does (cylinder_distance.h). Held is the contract: free
// only what is farther apart than the margin, in collision only what is at most margin + epsilon
// apart. A row of its own has triangles with a corner at the plane of a cylinder's cap, where
// verdict and distance need not change: cutting off a tip below rounding must not lose what is
// left.
//
// Printed beside: `excess`, how far beyond the margin a collision was said; `left`, how much of the
// allowance for rounding errors, 2^-47 of the solids' span = 64 u, was left where the engine said
// free (64 less the worst error seen; negative is a violation).
//
// usage: near_curved [--poses N] [--seed N] [--only TEXT]

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "near_curved.h"

enum { STEPS_MAX = 90, LEFT_MAX = 256 };

typedef struct tally {
    uint64_t poses, collisions, beyond; ///< beyond: collisions within (margin, margin + epsilon]
    uint64_t changes, violations;
    double excess; ///< the largest, metres
    double left;   ///< the least, in 2^-53 of the span
} tally;

typedef struct search {
    near_pair *pair;
    tally *tally;
} search;

static void complain(const near_pair *p, const char *what, double x) {
    printf("%s: %s and %s, margin %a, parameter %a\n", what, p->one.name, p->other.name, p->margin,
           x);
    for (int side = 0; side < 2; side++) {
        const near_subject *s = side ? &p->other : &p->one;
        printf(" %s: radius %a;", s->name, s->radius);
        for (int i = 0; i < 3; i++)
            printf(" (%a, %a, %a)", s->snapped[i][0], s->snapped[i][1], s->snapped[i][2]);
        printf("\n");
    }
}

/// Asks both at a parameter, both ways round; `real` receives the oracle's verdict at the margin.
static bool evaluate(search *s, double x, bool *real) {
    near_pair *p = s->pair;
    near_pair_place(p, x);
    bool mine = near_pair_query(p, false), swapped = near_pair_query(p, true);
    double epsilon = fmax(1e-9, 2.5e-12 * p->span);
    s->tally->poses++;
    s->tally->collisions += mine;
    *real = near_pair_within(p, 0);
    // Meshes and boxes are exact at every margin.
    bool exact = near_pair_has_triangles(&p->one) && near_pair_has_triangles(&p->other);
    bool good = exact ? mine == *real : mine ? near_pair_within(p, epsilon) : !*real;
    // The order may matter between margin and margin + epsilon, nowhere else.
    if (swapped != mine && (*real || !near_pair_within(p, epsilon))) good = false;
    s->tally->beyond += mine && !*real;
    if (!good && s->tally->violations++ < 5) complain(p, mine ? "not in collision" : "not free", x);
    return mine;
}

/// The largest excess, or what is least left, at a pose where the verdict changes: searched among
/// powers of two and their halves.
static void measure(search *s, double x, bool mine) {
    near_pair *p = s->pair;
    near_pair_place(p, x);
    if (mine) {
        double low = s->tally->excess, high = 2 * fmax(1e-9, 2.5e-12 * p->span);
        if (near_pair_within(p, low)) return;
        for (int i = 0; i < 12; i++) {
            double middle = 0.5 * (low + high);
            *(near_pair_within(p, middle) ? &high : &low) = middle;
        }
        s->tally->excess = high;
        return;
    }
    if (!near_pair_has_allowance(p)) return;
    double low = 0, high = s->tally->left, unit = 0x1p-53 * p->span;
    if (!near_pair_within(p, high * unit)) return;
    for (int i = 0; i < 8; i++) {
        double middle = 0.5 * (low + high);
        *(near_pair_within(p, middle * unit) ? &high : &low) = middle;
    }
    s->tally->left = low;
}

/// One of the two verdicts, not counted.
static bool peek(near_pair *p, double x, bool engine) {
    near_pair_place(p, x);
    return engine ? near_pair_query(p, false) : near_pair_within(p, 0);
}

/// Where the engine's verdict changes (or the oracle's), and a few ulps and up to 1e-6 beyond.
static bool bisect(search *s, double one, double other, bool engine, gz_random *random) {
    bool real, mine = evaluate(s, one, &real), start = engine ? mine : real;
    mine = evaluate(s, other, &real);
    if ((engine ? mine : real) == start) return false;
    for (int step = 0; step < STEPS_MAX; step++) {
        double middle = one + 0.5 * (other - one);
        if (middle == one || middle == other) break;
        // Far from contact nothing is to be learned: the side alone is asked for.
        bool verdict;
        if (step < 20) {
            verdict = peek(s->pair, middle, engine);
        } else {
            mine = evaluate(s, middle, &real);
            verdict = engine ? mine : real;
        }
        *(verdict == start ? &one : &other) = middle;
    }
    s->tally->changes += nextafter(one, other) == other;
    static const int ulps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof ulps / sizeof *ulps; i++) {
        double before = one, after = other;
        for (int k = 0; k < ulps[i]; k++) {
            before = nextafter(before, one < other ? -INFINITY : INFINITY);
            after = nextafter(after, one < other ? INFINITY : -INFINITY);
        }
        evaluate(s, before, &real);
        evaluate(s, after, &real);
        double way = pow(10, gz_random_range(random, -16, -6));
        evaluate(s, one + (gz_random_below(random, 2) ? way : -way), &real);
    }
    if (engine) {
        measure(s, one, start);
        measure(s, other, !start);
    }
    return true;
}

static void run(near_pair *pair, uint64_t poses, gz_random *random, tally *t) {
    search s = {.pair = pair, .tally = t};
    for (bool real; pair->tip && t->poses < poses;) {
        near_pair_draw_tip(pair, random);
        evaluate(&s, 0, &real);
    }
    for (int vain = 0; t->poses < poses && vain < 1000; vain++) {
        near_pair_draw(pair, random);
        if (!bisect(&s, 0, pair->far, true, random)) continue;
        bisect(&s, 0, pair->far, false, random);
        vain = -1;
    }
}

static void print_row(const char *name, const tally *t) {
    char left[32] = "-";
    if (t->left < LEFT_MAX) snprintf(left, sizeof left, "%.1f", t->left);
    printf("%-36s %8" PRIu64 " %9" PRIu64 " %8" PRIu64 " %9.2g %7s %8" PRIu64 " %10" PRIu64 "\n",
           name, t->poses, t->collisions, t->beyond, t->excess, left, t->changes, t->violations);
    fflush(stdout);
}

static void add(tally *sum, const tally *t) {
    sum->poses += t->poses;
    sum->collisions += t->collisions;
    sum->beyond += t->beyond;
    sum->changes += t->changes;
    sum->violations += t->violations;
    sum->excess = fmax(sum->excess, t->excess);
    sum->left = fmin(sum->left, t->left);
}

int main(int argc, char **argv) {
    uint64_t poses = 100000, seed = 1;
    const char *only = NULL;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--poses")) {
            poses = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--only")) {
            only = argv[i + 1];
        } else {
            fprintf(stderr, "usage: near_curved [--poses N] [--seed N] [--only TEXT]\n");
            return 2;
        }
    }
    size_t rows = 0;
    while (near_pair_name(rows)) rows++;
    printf("%-36s %8s %9s %8s %9s %7s %8s %10s\n", "pair", "poses", "collide", "beyond", "excess m",
           "left u", "changes", "violations");
    tally sum = {.left = LEFT_MAX};
    bool searched = false;
    for (size_t row = 0; row < rows; row++) {
        const char *name = near_pair_name(row);
        if (only && !strstr(name, only)) continue;
        tally t = {.left = LEFT_MAX};
        gz_random random = gz_random_make(seed, row);
        near_pair *pair = near_pair_create(row);
        run(pair, poses / rows + 1, &random, &t);
        searched = searched || !pair->tip;
        near_pair_free(pair);
        print_row(name, &t);
        add(&sum, &t);
    }
    if (!sum.poses) {
        fprintf(stderr, "near_curved: no such row\n");
        return 2;
    }
    print_row("all", &sum);
    // The derivations (docs/shapes.md) use up 40 u at most.
    if (sum.left < 24) printf("violation: less than 24 u are left of an allowance of 64 u\n");
    // A search that never finds a change would prove nothing.
    return sum.violations != 0 || sum.left < 24 || (searched && sum.changes == 0);
}
