// Certified motion against dense samples: every configuration of an edge that is said to be free
// must be free, graze_check() must confirm the end of every hit, and nothing before `earliest` may
// collide. Edges are random, of random length, or (--near) moved by bisection until they graze: the
// far end goes to and fro between an edge that is free and one that is not. With --base the base
// moves, too.
//
//     motion_edges [--edges N] [--samples N] [--seed N] [--length RAD] [--near] [--base] [--first]
//                  [--moving] [--tables] [--scene NAME] [--time] [--tunnels N]
//
// With --tables motions are about the robot with tables of its pairs, and samples about the one
// without.
// --moving lets up to four objects of the world move; the samples are of worlds that are moved by
// graze_scene_revise().
//
// --tunnels puts a plate or a needle, 1e-3 to 1e-9 m thin, through a corner of a link at a random
// place of an edge: an edge that collides there, and nearly nowhere else, must not be called free.
// --time prints medians beside those of samples in bit-reversed order, for edges between free ends.

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "graze/graze.h"
#include "motion_scene.h"

typedef struct options {
    uint64_t edges, samples, seed;
    double length; // 0: random, up to a rad of each column
    uint64_t tunnels;
    bool near, base, first, moving, time, tables;
    const char *scene;
} options;

typedef struct tally {
    uint64_t free, hit, undecided, wrong, samples, pair_tests, configurations, far_pairs;
    double seconds, worst_gap;
} tally;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ------------------------------------------------------------------------------------- one edge

/// The base's straight motion, by the rule of graze/motion.h, written anew.
static void place_base(const question *k, double t, double out[6]) {
    for (int i = 0; i < 6; i++) {
        double a = k->base[0][i], b = k->base[1][i];
        out[i] = t == 1 ? b : a + t * (b - a); // differences are below pi
    }
}

static bool collides_at(question *k, double t) {
    double base[6];
    graze_error error;
    must(graze_robot_interpolate(k->robot, k->from, k->to, k->n, GRAZE_TURN_SHORTER, t, k->q,
                                 &error),
         &error);
    place_base(k, t, base);
    return collides_when(k, t, k->q, base);
}

static void draw_from(question *k, gz_random *random) {
    do {
        graze_robot_rest(k->robot, k->from);
        for (size_t i = 0; i < k->n; i++)
            if (k->varies[i]) k->from[i] = gz_random_range(random, k->lower[i], k->upper[i]);
        memset(k->base, 0, sizeof k->base);
        for (int i = 0; k->moves_base && i < 6; i++)
            k->base[0][i] = gz_random_range(random, -0.3, 0.3) * (i == 2 || i == 3 ? 0.1 : 1);
        memcpy(k->base[1], k->base[0], sizeof k->base[1]);
        memcpy(k->to, k->from, k->n * sizeof *k->to);
    } while (collides_at(k, 0));
}

static void draw_to(question *k, gz_random *random, double length) {
    double scale = length > 0 ? length : gz_random_range(random, 0, 1);
    for (size_t i = 0; i < k->n; i++) {
        if (!k->varies[i]) continue;
        // Of a given length in every column, up or down, whichever stays in the limits.
        double d = length > 0 ? (gz_random_range(random, -1, 1) < 0 ? -scale : scale)
                              : scale * gz_random_range(random, -1, 1);
        if (k->upper[i] - k->lower[i] < 2 * scale) d *= 0.5 * (k->upper[i] - k->lower[i]);
        double end = k->from[i] + d;
        if (end < k->lower[i] || end > k->upper[i]) end = k->from[i] - d;
        k->to[i] = fmin(fmax(end, k->lower[i]), k->upper[i]);
    }
    for (int i = 0; k->moves_base && i < 6; i++)
        k->base[1][i] = k->base[0][i] + scale * gz_random_range(random, -0.5, 0.5);
}

static graze_motion_report query(question *k) {
    graze_motion_report report;
    graze_error error;
    must(graze_check_motion(k->motion_checker, k->motion, k->from, k->to, k->n, k->base[0],
                            k->base[1], &k->rules, &report, &error),
         &error);
    return report;
}

/// Moves the end of the edge between one that is free and one that is not, some steps.
static void move_near(question *k, double *free_to, double *hit_to) {
    size_t bytes = k->n * sizeof(double);
    memcpy(hit_to, k->to, bytes);
    memcpy(free_to, k->from, bytes);
    for (int step = 0; step < 40; step++) {
        for (size_t i = 0; i < k->n; i++) k->to[i] = 0.5 * (free_to[i] + hit_to[i]);
        graze_motion_report report = query(k);
        if (report.verdict == GRAZE_MOTION_UNDECIDED) return;
        memcpy(report.verdict == GRAZE_MOTION_FREE ? free_to : hit_to, k->to, bytes);
        if (step > 12 && report.verdict == GRAZE_MOTION_FREE) return;
    }
}

static void fault(tally *t, const char *what, double at, const graze_motion_report *r) {
    t->wrong++;
    printf("WRONG: %s at t = %.17g of [%.17g, %.17g]\n", what, at, r->earliest, r->latest);
}

/// Everything that the report claims, at `samples` random places and around its ends.
static void evaluate(question *k, const options *o, const graze_motion_report *r, gz_random *random,
                     tally *t) {
    double end = r->verdict == GRAZE_MOTION_FREE ? 1 : r->earliest;
    for (uint64_t i = 0; i < o->samples && end > 0; i++) {
        double at = end * (i < o->samples / 2 ? ((double)i + 0.5) / (double)(o->samples / 2)
                                              : gz_random_range(random, 0, 1));
        if (r->verdict != GRAZE_MOTION_FREE && at >= end) continue;
        t->samples++;
        if (collides_at(k, at)) fault(t, "a collision", at, r);
    }
    if (r->verdict == GRAZE_MOTION_FREE && collides_at(k, 1)) fault(t, "a collision", 1, r);
    if (r->verdict == GRAZE_MOTION_HIT && !collides_at(k, r->latest))
        fault(t, "no collision", r->latest, r);
    if (r->verdict == GRAZE_MOTION_HIT && k->rules.answer == GRAZE_MOTION_FIRST &&
        r->latest - r->earliest > 2 * k->rules.width && r->earliest < r->latest)
        t->worst_gap = fmax(t->worst_gap, r->latest - r->earliest);
}

static void run_edges(question *k, const options *o, tally *t) {
    double *ends[2] = {calloc(k->n, sizeof(double)), calloc(k->n, sizeof(double))};
    bool moves = o->moving && graze_world_object_count(k->world) > 0;
    for (uint64_t i = 0; i < o->edges; i++) {
        gz_random random = gz_random_make(o->seed, i);
        stop_moving(k);
        draw_from(k, &random);
        draw_to(k, &random, o->length);
        if (moves) draw_moving(k, &random, 0.6);
        graze_motion_report report = query(k);
        if (o->near && report.verdict == GRAZE_MOTION_HIT) {
            move_near(k, ends[0], ends[1]);
        }
        double start = now();
        report = query(k);
        t->seconds += now() - start;
        t->free += report.verdict == GRAZE_MOTION_FREE;
        t->hit += report.verdict == GRAZE_MOTION_HIT;
        t->undecided += report.verdict == GRAZE_MOTION_UNDECIDED;
        t->pair_tests += report.pair_tests;
        t->configurations += report.configurations;
        t->far_pairs += report.far_pairs;
        if (report.verdict == GRAZE_MOTION_UNDECIDED && getenv("SHOW_UNDECIDED"))
            printf("undecided [%.17g, %.17g] %s %s spent %d\n", report.earliest, report.latest,
                   graze_contact_link_name(k->checker, &report.contact),
                   graze_contact_other_name(k->checker, &report.contact), report.spent);
        evaluate(k, o, &report, &random, t);
    }
    free(ends[0]);
    free(ends[1]);
    stop_moving(k);
}

// ------------------------------------------------------------------------------------------ times

static double reversed(uint64_t i) {
    double out = 0, bit = 0.5;
    for (; i; i >>= 1, bit *= 0.5) out += (double)(i & 1) * bit;
    return out;
}

/// The ends, then samples in bit-reversed order up to the first collision.
static bool sample(question *k, uint64_t count) {
    if (collides_at(k, 0) || collides_at(k, 1)) return true;
    for (uint64_t i = 1; i < count; i++)
        if (collides_at(k, reversed(i))) return true;
    return false;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double fraction) {
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, compare);
    return 1e6 * values[(size_t)(fraction * (double)(count - 1))];
}

static void print_times(double (*times)[4], size_t count, const char *what) {
    double *column = calloc(count + 1, sizeof *column);
    printf("  %-9s %6zu edges, us (median, p90):", what, count);
    static const char *const names[3] = {"certified", "45 samples", "200 samples"};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < count; i++) column[i] = times[i][k];
        printf("  %s %.1f, %.1f", names[k], quantile(column, count, 0.5),
               quantile(column, count, 0.9));
    }
    printf("\n");
    free(column);
}

static void run_times(question *k, const options *o) {
    double(*times[2])[4];
    size_t counts[2] = {0};
    for (int i = 0; i < 2; i++) times[i] = calloc(o->edges, sizeof **times);
    for (uint64_t i = 0; i < o->edges; i++) {
        gz_random random = gz_random_make(o->seed, i);
        draw_from(k, &random);
        int tries = 0;
        do draw_to(k, &random, o->length);
        while (collides_at(k, 1) && ++tries < 50);
        if (tries == 50) continue;
        double one[4];
        graze_motion_report report = {.verdict = GRAZE_MOTION_UNKNOWN};
        // What comes first finds the caches cold: each of the three does in turn.
        for (uint64_t j = 0; j < 3; j++) {
            uint64_t turn = (i + j) % 3;
            double start = now();
            if (turn == 0)
                report = query(k);
            else
                sample(k, turn == 1 ? 45 : 200);
            one[turn] = now() - start;
        }
        if (report.verdict == GRAZE_MOTION_UNDECIDED) continue;
        int which = report.verdict == GRAZE_MOTION_HIT;
        memcpy(times[which][counts[which]++], one, sizeof one);
    }
    print_times(times[0], counts[0], "free");
    print_times(times[1], counts[1], "colliding");
    for (int i = 0; i < 2; i++) free(times[i]);
}

// ---------------------------------------------------------------------------------------- tunnels

typedef struct tunnels {
    uint64_t count, between_free, hit, undecided, missed;
} tunnels;

/// A corner of some link, where the edge is at t.
static graze_vec3 draw_corner(question *k, gz_random *random, graze_transform *poses, double t) {
    double base[6];
    graze_error error;
    graze_geometry g;
    must(graze_robot_interpolate(k->robot, k->from, k->to, k->n, GRAZE_TURN_SHORTER, t, k->q,
                                 &error),
         &error);
    place_base(k, t, base);
    must(graze_robot_pose(k->robot, k->q, k->n, base, poses, &error), &error);
    do {
        size_t count = graze_robot_collision_count(k->robot);
        size_t i = (size_t)gz_random_range(random, 0, (double)count);
        must(graze_robot_collision(k->robot, i < count ? i : 0, &g), &error);
    } while (g.vertex_count == 0);
    size_t v = (size_t)gz_random_range(random, 0, (double)g.vertex_count - 1);
    const double *c = g.vertices + 3 * v, *m = poses[g.frame].m;
    return (graze_vec3){m[0] * c[0] + m[1] * c[1] + m[2] * c[2] + m[3],
                        m[4] * c[0] + m[5] * c[1] + m[6] * c[2] + m[7],
                        m[8] * c[0] + m[9] * c[1] + m[10] * c[2] + m[11]};
}

/// A world of one thin box that holds a point.
static graze_world *make_plate(gz_random *random, graze_vec3 at) {
    double q[4], length = 0, thin = pow(10, -gz_random_range(random, 3, 9));
    for (int i = 0; i < 4; i++) {
        q[i] = gz_random_range(random, -1, 1);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    double wide = gz_random_range(random, 0.002, 0.06), size[3] = {wide, wide, thin};
    if (gz_random_range(random, 0, 1) < 0.3) size[1] = thin; // a needle
    double place[3] = {at.x, at.y, at.z}, off = gz_random_range(random, -0.4, 0.4) * wide;
    graze_transform pose;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) pose.m[4 * i + j] = r[i][j];
        pose.m[4 * i + 3] = place[i] + r[i][0] * off;
    }
    graze_world *world;
    graze_error error;
    must(graze_world_create(&world, "plate", &error), &error);
    must(graze_world_add_box(world, "plate", size, &pose, &error), &error);
    must(graze_world_commit(world, &error), &error);
    return world;
}

static void try_tunnel(question *k, gz_random *random, double t, tunnels *out) {
    if (!collides_at(k, t)) return; // rounding has moved it past the corner
    out->count++;
    out->between_free += !collides_at(k, 0) && !collides_at(k, 1);
    k->rules.answer = gz_random_range(random, 0, 1) < 0.5 ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
    graze_motion_report r = query(k);
    out->hit += r.verdict == GRAZE_MOTION_HIT;
    out->undecided += r.verdict == GRAZE_MOTION_UNDECIDED;
    bool late = r.earliest > t,
         unconfirmed = r.verdict == GRAZE_MOTION_HIT && !collides_at(k, r.latest);
    if (r.verdict != GRAZE_MOTION_FREE && !late && !unconfirmed) return;
    out->missed++;
    printf("MISSED: t = %.17g, [%.17g, %.17g]\n", t, r.earliest, r.latest);
}

/// The plates alone: the scene's world and the robot itself do not count.
static void run_tunnels(const question *loaded, const options *o, const char *name) {
    tunnels out = {0};
    question k = *loaded;
    graze_transform *poses = calloc(graze_robot_link_count(k.robot), sizeof *poses);
    graze_checker_options rules = graze_checker_options_default();
    graze_error error;
    rules.no_self = 1;
    for (uint64_t i = 0; i < o->tunnels; i++) {
        gz_random random = gz_random_make(o->seed + 77, i);
        for (size_t j = 0; j < k.n; j++)
            k.from[j] = k.varies[j] ? gz_random_range(&random, k.lower[j], k.upper[j]) : 0;
        memset(k.base, 0, sizeof k.base);
        memcpy(k.to, k.from, k.n * sizeof *k.to);
        k.moves_base = i % 3 == 0;
        draw_to(&k, &random, 0);
        double t = gz_random_range(&random, 0, 1);
        k.world = make_plate(&random, draw_corner(&k, &random, poses, t));
        must(graze_checker_create(&k.checker, k.robot, k.world, &rules, &error), &error);
        must(graze_workspace_create(&k.workspace, k.checker, &error), &error);
        k.motion_checker = k.checker;
        must(graze_motion_workspace_create(&k.motion, k.checker, &error), &error);
        try_tunnel(&k, &random, t, &out);
        graze_motion_workspace_free(k.motion);
        graze_workspace_free(k.workspace);
        graze_checker_free(k.checker);
        graze_world_free(k.world);
    }
    free(poses);
    printf("%-17s %" PRIu64 " plates crossed, %" PRIu64 " between free ends: %" PRIu64
           " hit, %" PRIu64 " undecided, %" PRIu64 " missed\n",
           name, out.count, out.between_free, out.hit, out.undecided, out.missed);
    if (out.missed) exit(1);
}

// ------------------------------------------------------------------------------------------- main

static bool parse(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--near")) {
            o->near = true;
        } else if (!strcmp(argv[i], "--base")) {
            o->base = true;
        } else if (!strcmp(argv[i], "--first")) {
            o->first = true;
        } else if (!strcmp(argv[i], "--moving")) {
            o->moving = true;
        } else if (!strcmp(argv[i], "--tables")) {
            o->tables = true;
        } else if (!strcmp(argv[i], "--time")) {
            o->time = true;
        } else if (!value) {
            return false;
        } else {
            if (!strcmp(argv[i], "--edges"))
                o->edges = strtoull(value, NULL, 10);
            else if (!strcmp(argv[i], "--samples"))
                o->samples = strtoull(value, NULL, 10);
            else if (!strcmp(argv[i], "--seed"))
                o->seed = strtoull(value, NULL, 10);
            else if (!strcmp(argv[i], "--length"))
                o->length = strtod(value, NULL);
            else if (!strcmp(argv[i], "--scene"))
                o->scene = value;
            else if (!strcmp(argv[i], "--tunnels"))
                o->tunnels = strtoull(value, NULL, 10);
            else
                return false;
            i++;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    options o = {.edges = 100, .samples = 200, .seed = 1};
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: motion_edges [--edges N] [--samples N] [--seed N] [--length RAD] "
                        "[--near] [--base] [--first] [--moving] [--tables] [--scene NAME] "
                        "[--time] [--tunnels N]\n");
        return 2;
    }
    uint64_t wrong = 0;
    for (size_t i = 0; i < MOTION_SCENES; i++) {
        question k = {.moves_base = o.base, .rules = graze_motion_options_default()};
        tally t = {0};
        if (o.scene && strcmp(o.scene, motion_scenes[i].name) != 0) continue;
        if (!motion_scene_load(&k, &motion_scenes[i], o.tables)) continue;
        if (o.first) k.rules.answer = GRAZE_MOTION_FIRST;
        run_edges(&k, &o, &t);
        double edges = (double)o.edges;
        printf("%-17s %" PRIu64 " free, %" PRIu64 " hit, %" PRIu64 " undecided; %" PRIu64
               " samples, %" PRIu64 " wrong; %.1f us, %.1f poses, %.0f tests, %.0f far an edge; "
               "widest %.1e\n",
               motion_scenes[i].name, t.free, t.hit, t.undecided, t.samples, t.wrong,
               1e6 * t.seconds / edges, (double)t.configurations / edges,
               (double)t.pair_tests / edges, (double)t.far_pairs / edges, t.worst_gap);
        fflush(stdout);
        if (o.time) run_times(&k, &o);
        if (o.tunnels) run_tunnels(&k, &o, motion_scenes[i].name);
        wrong += t.wrong;
        motion_scene_unload(&k);
    }
    return wrong != 0;
}
