// Clouds of points with a radius against links of every shape, through the public API: links moved
// along lines, bisected down to neighbouring doubles, both for where the engine's verdict changes
// and for where the oracle's does (point_oracle.h). Held is the contract: free only where every
// point is farther than margin + radius and none is inside a solid; in collision only where some
// point is at most epsilon farther than that; the point that a contact names is such a one, and
// where the lowest is asked for, no lower one is within margin + radius. Every instruction set and
// the batch must say the same.
//
// usage: points [--poses N] [--seed N] [--only TEXT]

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "point_oracle.h"
#include "point_scene.h"
#include "posed_mesh.h"

enum { STEPS_MAX = 90, STEPS_COARSE = 22 };

typedef struct tally {
    uint64_t poses, collisions, beyond; ///< beyond: collisions that rest on what is within epsilon
    uint64_t points, exact, held;       ///< judged by the oracle, by integers, inside
    uint64_t changes, violations;
} tally;

typedef struct search {
    point_scene scene;
    point_oracle oracle;
    tally *tally;
    char name[64];
} search;

/// What the engine says: the same in every way to ask, or `agree` is false.
typedef struct answer {
    bool collision, agree;
    int32_t some, lowest; ///< points that collide
} answer;

static void complain(search *s, const char *what, double x) {
    const point_scene *p = &s->scene;
    if (s->tally->violations++ > 4) return;
    printf("violation: %s: %s, policy %d, margin %a, radius %a, %zu points, parameter %a\n",
           s->name, what, (int)p->policy, p->margin, p->radius, p->count, x);
}

static bool check(search *s, int set, double x, graze_answer how, int32_t *point) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    graze_error error;
    if (graze_check(s->scene.checker[set], s->scene.workspace[set], how, &x, 1, NULL, &report,
                    &error))
        give_up("check", error.message);
    *point = report.count ? contact.other_element : -1;
    return report.verdict == GRAZE_COLLISION;
}

static bool check_batch(search *s, int set, double x) {
    graze_batch batch = graze_batch_default();
    graze_error error;
    uint8_t verdict[9];
    double rows[9];
    for (int i = 0; i < 9; i++) rows[i] = i % 2 ? 0.5 * x : x; // more than one lane
    batch.count = 9;
    batch.q = rows;
    batch.verdicts = verdict;
    if (graze_check_batch(s->scene.checker[set], &batch, &error)) give_up("batch", error.message);
    for (int i = 2; i < 9; i++)
        if (verdict[i] != verdict[i - 2]) complain(s, "rows of a batch differ", x);
    return verdict[0] == GRAZE_COLLISION;
}

static answer query(search *s, double x) {
    answer out = {.agree = true};
    for (int set = 0; set < POINT_SETS; set++) {
        int32_t some, lowest, of_all;
        bool any = check(s, set, x, GRAZE_ANSWER_ANY, &some);
        bool first = check(s, set, x, GRAZE_ANSWER_FIRST, &lowest);
        bool all = check(s, set, x, GRAZE_ANSWER_ALL, &of_all);
        out.agree &= any == first && any == all && lowest == of_all;
        out.agree &= check_batch(s, set, x) == any;
        out.agree &= set == 0 || (any == out.collision && some == out.some && lowest == out.lowest);
        out.collision = any, out.some = some, out.lowest = lowest;
    }
    return out;
}

/// The state of a point of the cloud.
static point_state state_of(search *s, size_t i) {
    s->tally->points++;
    return point_oracle_evaluate(&s->oracle, s->scene.points + 3 * i);
}

/// The first point below `end` that collides, or `end`.
static size_t find_hit(search *s, size_t end) {
    for (size_t i = 0; i < end; i++)
        if (state_of(s, i) == POINT_HIT) return i;
    return end;
}

static void place(search *s, double x) {
    graze_transform pose = point_scene_pose(&s->scene, x);
    point_oracle_place(&s->oracle, &pose);
}

/// Asks both at a parameter. Returns the engine's verdict, or the oracle's.
static bool evaluate(search *s, double x, bool engine) {
    place(s, x);
    answer told = query(s, x);
    s->tally->poses++;
    s->tally->collisions += told.collision;
    if (!told.agree) complain(s, "ways to ask differ", x);
    size_t count = s->scene.count;
    if (!told.collision) {
        bool hit = find_hit(s, count) < count;
        if (hit) complain(s, "not free", x);
        return !engine && hit;
    }
    bool named = told.some >= 0 && (size_t)told.some < count && told.lowest >= 0 &&
                 (size_t)told.lowest < count;
    if (!named) {
        complain(s, "no point is named", x);
        return true;
    }
    point_state some = state_of(s, (size_t)told.some), lowest = state_of(s, (size_t)told.lowest);
    if (some == POINT_FAR || lowest == POINT_FAR) complain(s, "not in collision", x);
    if (find_hit(s, (size_t)told.lowest) < (size_t)told.lowest) complain(s, "not the lowest", x);
    bool real = some == POINT_HIT || lowest == POINT_HIT;
    if (!real) real = find_hit(s, count) < count;
    s->tally->beyond += !real;
    return engine || real;
}

/// One of the two verdicts, not counted.
static bool peek(search *s, double x, bool engine) {
    int32_t point;
    if (engine) return check(s, POINT_SETS - 1, x, GRAZE_ANSWER_ANY, &point);
    place(s, x);
    return find_hit(s, s->scene.count) < s->scene.count;
}

/// Where the engine's verdict changes (or the oracle's), and a few ulps and up to 1e-6 beyond.
static bool bisect(search *s, double one, double other, bool engine, gz_random *random) {
    bool start = evaluate(s, one, engine);
    if (evaluate(s, other, engine) == start) return false;
    for (int step = 0; step < STEPS_MAX; step++) {
        double middle = one + 0.5 * (other - one);
        if (middle == one || middle == other) break;
        // Far from contact little is to be learned: the side alone is asked for.
        bool now = step < STEPS_COARSE ? peek(s, middle, engine) : evaluate(s, middle, engine);
        *(now == start ? &one : &other) = middle;
    }
    s->tally->changes += nextafter(one, other) == other;
    for (int ulps = 1; ulps <= 5; ulps += 2) {
        double before = one, after = other;
        for (int k = 0; k < ulps; k++) {
            before = nextafter(before, one < other ? -INFINITY : INFINITY);
            after = nextafter(after, one < other ? INFINITY : -INFINITY);
        }
        evaluate(s, before, engine);
        evaluate(s, after, engine);
        double way = pow(10, gz_random_range(random, -14, -6));
        evaluate(s, one + (gz_random_below(random, 2) ? way : -way), engine);
    }
    return true;
}

static void run_scene(search *s, gz_random *random) {
    const point_scene *p = &s->scene;
    double from = p->place[0];
    for (int i = 0; i < 3; i++) {
        evaluate(s, p->place[i], true);
        if (peek(s, p->place[i], true)) from = p->place[i];
    }
    double to = gz_random_below(random, 2) ? p->far : -p->far;
    if (bisect(s, from, to, true, random)) bisect(s, from, to, false, random);
}

static void run(int shape, int cloud, const solid_shape *solids, size_t solid_count, uint64_t poses,
                uint64_t seed, tally *t) {
    search s = {.tally = t};
    snprintf(s.name, sizeof s.name, "%s, %s", point_shape_name(shape), point_cloud_name(cloud));
    for (uint64_t round = 0; t->poses < poses; round++) {
        uint64_t stream = (round * POINT_SHAPES + (uint64_t)shape) * POINT_CLOUDS + (uint64_t)cloud;
        gz_random random = gz_random_make(seed, stream);
        point_scene_draw(&s.scene, shape, cloud, solids, solid_count, &random);
        point_oracle_init(&s.oracle, &s.scene.shape, s.scene.policy, s.scene.radius, s.scene.margin,
                          seed + stream);
        run_scene(&s, &random);
        t->exact += s.oracle.exact;
        t->held += s.oracle.held;
        point_oracle_clear(&s.oracle);
        point_scene_clear(&s.scene);
    }
}

static void print_row(const char *name, const tally *t) {
    printf("%-24s %8" PRIu64 " %9" PRIu64 " %8" PRIu64 " %12" PRIu64 " %9" PRIu64 " %9" PRIu64
           " %8" PRIu64 " %10" PRIu64 "\n",
           name, t->poses, t->collisions, t->beyond, t->points, t->exact, t->held, t->changes,
           t->violations);
    fflush(stdout);
}

static void add(tally *sum, const tally *t) {
    sum->poses += t->poses;
    sum->collisions += t->collisions;
    sum->beyond += t->beyond;
    sum->points += t->points;
    sum->exact += t->exact;
    sum->held += t->held;
    sum->changes += t->changes;
    sum->violations += t->violations;
}

int main(int argc, char **argv) {
    uint64_t poses = 10000, seed = 1;
    const char *only = "";
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--poses")) {
            poses = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--only")) {
            only = argv[i + 1];
        } else {
            fprintf(stderr, "usage: points [--poses N] [--seed N] [--only TEXT]\n");
            return 2;
        }
    }
    size_t solid_count;
    solid_shape *solids = solid_shapes_make(&solid_count);
    printf("%-24s %8s %9s %8s %12s %9s %9s %8s %10s\n", "link, cloud", "poses", "collide", "beyond",
           "points", "exactly", "inside", "changes", "violations");
    tally sum = {0};
    for (int row = 0; row < POINT_SHAPES * POINT_CLOUDS; row++) {
        char name[64];
        int shape = row / POINT_CLOUDS, cloud = row % POINT_CLOUDS;
        snprintf(name, sizeof name, "%s, %s", point_shape_name(shape), point_cloud_name(cloud));
        if (!strstr(name, only)) continue;
        tally t = {0};
        run(shape, cloud, solids, solid_count, poses / (POINT_SHAPES * POINT_CLOUDS) + 1, seed, &t);
        print_row(name, &t);
        add(&sum, &t);
    }
    print_row("all", &sum);
    solid_shapes_free(solids, solid_count);
    // A search that never finds a change would prove nothing.
    return sum.violations != 0 || sum.changes == 0;
}
