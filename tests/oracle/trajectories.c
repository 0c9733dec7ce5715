// Certified trajectories against dense samples: pieces straight, cubic and quintic between random
// knots. Where a configuration is at a time is computed anew, by the power basis in long double.
// What is said to be free must be free at every sample, nothing before `earliest` may collide, and
// graze_check() must confirm the end of every hit. With --near all offsets from the first knot are
// scaled by bisection until the trajectory grazes, and so are velocities of objects; with --base
// the base moves, too; with --moving up to four objects of the world do, and the samples are of
// worlds that graze_scene_revise() moves.
//
//     trajectories [--count N] [--samples N] [--seed N] [--near] [--base] [--moving]
//                  [--scene NAME]
//
// --count is per degree and scene, --samples per piece.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graze/graze.h"
#include "motion_scene.h"

enum { KNOTS = 3, COLUMNS = 64, BASE = 6 };

typedef struct options {
    uint64_t count, samples, seed;
    bool near, base, moving, tables;
    const char *scene;
} options;

/// Columns of q, then of the base: where they are at the first knot, how far from there at each,
/// and derivatives; all but the first are scaled.
typedef struct motion {
    int degree;
    double times[KNOTS], first[COLUMNS], values[3][KNOTS][COLUMNS];
    double velocities[MOTION_MOVING][3]; ///< of objects, scaled likewise
} motion;

typedef struct tally {
    uint64_t free, hit, undecided, samples, wrong;
    double off; ///< the greatest difference of places
} tally;

// ---------------------------------------------------------------------------------------- places

/// A Hermite piece by its power basis; e has position, velocity, acceleration at both ends.
static long double hermite(int degree, long double T, long double t, double e[3][2]) {
    const double *q = e[0], *v = e[1], *a = e[2];
    long double d = q[1] - (long double)q[0];
    if (degree == 1) return q[0] + d * (t / T);
    if (degree == 3)
        return q[0] + v[0] * t + (3 * d / T - 2 * (long double)v[0] - v[1]) / T * t * t +
               (-2 * d / T + v[0] + v[1]) / (T * T) * t * t * t;
    long double c3 = (20 * d - (8 * (long double)v[1] + 12 * (long double)v[0]) * T -
                      (3 * (long double)a[0] - a[1]) * T * T) /
                     (2 * T * T * T);
    long double c4 = (-30 * d + (14 * (long double)v[1] + 16 * (long double)v[0]) * T +
                      (3 * (long double)a[0] - 2 * (long double)a[1]) * T * T) /
                     (2 * T * T * T * T);
    long double c5 = (12 * d - 6 * ((long double)v[1] + v[0]) * T -
                      ((long double)a[0] - a[1]) * T * T) /
                     (2 * T * T * T * T * T);
    return q[0] + v[0] * t + 0.5L * a[0] * t * t + c3 * t * t * t + c4 * t * t * t * t +
           c5 * t * t * t * t * t;
}

/// The number of a column at a knot: its place (which 0), velocity or acceleration.
static double knot_value(const motion *m, double scale, int which, int knot, size_t column) {
    double x = scale * m->values[which][knot][column];
    return which == 0 ? m->first[column] + x : x;
}

static void place(const question *k, const motion *m, double scale, double time, double *q,
                  double base[BASE]) {
    int p = 0;
    while (p + 2 < KNOTS && time >= m->times[p + 1]) p++;
    for (size_t c = 0; c < k->n + BASE; c++) {
        double ends[3][2];
        for (int w = 0; w < 3; w++)
            for (int i = 0; i < 2; i++) ends[w][i] = knot_value(m, scale, w, p + i, c);
        long double x = hermite(m->degree, (long double)m->times[p + 1] - m->times[p],
                                (long double)time - m->times[p], ends);
        *(c < k->n ? &q[c] : &base[c - k->n]) = (double)x;
    }
}

// --------------------------------------------------------------------------------- trajectories

static void draw(question *k, const options *o, int degree, gz_random *random, motion *m) {
    memset(m, 0, sizeof *m);
    m->degree = degree;
    stop_moving(k);
    do {
        graze_robot_rest(k->robot, m->first);
        for (size_t i = 0; i < k->n; i++)
            if (k->varies[i]) m->first[i] = gz_random_range(random, k->lower[i], k->upper[i]);
        for (size_t i = 0; o->base && i < BASE; i++)
            m->first[k->n + i] = gz_random_range(random, -0.3, 0.3) * (i == 2 || i == 3 ? 0.1 : 1);
    } while (collides(k, m->first, m->first + k->n));
    m->times[0] = gz_random_range(random, -10, 10);
    for (int j = 0; j < KNOTS; j++) {
        double size = gz_random_range(random, 0, 1);
        if (j > 0) m->times[j] = m->times[j - 1] + gz_random_range(random, 0.1, 2);
        for (size_t c = 0; c < k->n + BASE; c++) {
            bool of_base = c >= k->n;
            if (of_base ? !o->base : !k->varies[c]) continue;
            double most = of_base ? 0.3 : fmin(1, 0.5 * (k->upper[c] - k->lower[c]));
            for (int w = 0; w < 3 && 2 * w < degree; w++)
                if (j > 0 || w > 0)
                    m->values[w][j][c] = size * gz_random_range(random, -most, most);
        }
    }
    if (!o->moving || graze_world_object_count(k->world) == 0) return;
    draw_moving(k, random, 0.3);
    for (size_t i = 0; i < k->rules.moving_count; i++)
        memcpy(m->velocities[i], k->moving[i].velocity, sizeof m->velocities[i]);
}

/// NULL where some piece leaves the domain of the checker.
static graze_trajectory *make(question *k, const motion *m, double scale) {
    static double rows[6][KNOTS * COLUMNS];
    for (int w = 0; w < 3; w++)
        for (int j = 0; j < KNOTS; j++)
            for (size_t c = 0; c < k->n + BASE; c++) {
                double x = knot_value(m, scale, w, j, c);
                if (c < k->n)
                    rows[w][(size_t)j * k->n + c] = x;
                else
                    rows[3 + w][j * BASE + (int)(c - k->n)] = x;
            }
    graze_trajectory_knots knots = graze_trajectory_knots_default();
    knots.count = KNOTS;
    knots.times = m->times;
    knots.q = rows[0];
    knots.base = rows[3];
    if (m->degree >= 3) knots.velocities = rows[1], knots.base_velocities = rows[4];
    if (m->degree == 5) knots.accelerations = rows[2], knots.base_accelerations = rows[5];
    graze_trajectory *t;
    graze_error error;
    must(graze_trajectory_from_knots(&t, graze_checker_robot(k->motion_checker), &knots, &error),
         &error);
    return t;
}

static graze_trajectory_report query(question *k, const motion *m, double scale,
                                     graze_trajectory **made) {
    graze_trajectory_report report;
    graze_error error;
    graze_trajectory *t = make(k, m, scale);
    for (size_t i = 0; i < k->rules.moving_count; i++)
        for (int c = 0; c < 3; c++) k->moving[i].velocity[c] = scale * m->velocities[i][c];
    graze_status status = graze_check_trajectory(k->motion_checker, k->motion, t, &k->rules,
                                                 &report, &error);
    if (status != GRAZE_ERROR_RANGE) must(status, &error);
    if (made)
        *made = t;
    else
        graze_trajectory_free(t);
    return report;
}

/// A scale next to which the trajectory comes to collide, on the side that is wanted.
static double find_near(question *k, const motion *m, double high, graze_motion_verdict wanted) {
    double low = 0;
    for (int step = 0; step < 40; step++) {
        double middle = 0.5 * (low + high);
        graze_trajectory_report r = query(k, m, middle, NULL);
        if (r.verdict == GRAZE_MOTION_UNDECIDED) return middle;
        *(r.verdict == GRAZE_MOTION_FREE ? &low : &high) = middle;
        if (step > 12 && r.verdict == wanted) return middle;
    }
    return high;
}

// ------------------------------------------------------------------------------------ evaluation

static void fault(tally *t, const char *what, double time, const graze_trajectory_report *r) {
    t->wrong++;
    printf("WRONG: %s at %.17g s of [%.17g, %.17g]\n", what, time, r->earliest, r->latest);
}

/// Whether the robot collides at a time, where it is by the power basis.
static bool collides_at(question *k, const motion *m, double scale, const graze_trajectory *t,
                        double time, tally *out) {
    double base[BASE], other[BASE], q[COLUMNS];
    place(k, m, scale, time, k->q, base);
    must(graze_trajectory_at(t, time, q, other), NULL);
    for (size_t c = 0; c < k->n; c++) out->off = fmax(out->off, fabs(q[c] - k->q[c]));
    for (int c = 0; c < BASE; c++) out->off = fmax(out->off, fabs(other[c] - base[c]));
    out->samples++;
    return collides_when(k, time - m->times[0], k->q, base);
}

static void evaluate(question *k, const options *o, const motion *m, double scale,
                     const graze_trajectory *t, const graze_trajectory_report *r, gz_random *random,
                     tally *out) {
    double begin = m->times[0], end = r->earliest;
    bool free = r->verdict == GRAZE_MOTION_FREE;
    uint64_t samples = o->samples * (KNOTS - 1);
    for (uint64_t i = 0; i < samples && end > begin; i++) {
        double at = begin + (end - begin) * (i < samples / 2
                                                 ? ((double)i + 0.5) / (double)(samples / 2)
                                                 : gz_random_range(random, 0, 1));
        if (at < end && collides_at(k, m, scale, t, at, out)) fault(out, "a collision", at, r);
    }
    for (int j = 0; j < KNOTS; j++)
        if ((m->times[j] < end || free) && collides_at(k, m, scale, t, m->times[j], out))
            fault(out, "a collision", m->times[j], r);
    if (free && end != m->times[KNOTS - 1]) fault(out, "an early end", end, r);
    if (r->verdict != GRAZE_MOTION_HIT) return;
    double q[COLUMNS], base[BASE];
    must(graze_trajectory_at(t, r->latest, q, base), NULL);
    if (!collides_when(k, r->latest - m->times[0], q, base))
        fault(out, "no collision", r->latest, r);
}

static void run(question *k, const options *o, int degree, tally *out) {
    for (uint64_t i = 0; i < o->count; i++) {
        gz_random random = gz_random_make(o->seed + (uint64_t)degree, i);
        motion m;
        draw(k, o, degree, &random, &m);
        graze_trajectory *t = NULL;
        double scale = 1;
        graze_trajectory_report r = query(k, &m, scale, &t);
        // What may leave the domain is drawn smaller.
        while (r.verdict == GRAZE_MOTION_UNKNOWN) {
            graze_trajectory_free(t);
            r = query(k, &m, scale *= 0.5, &t);
        }
        if (o->near && r.verdict == GRAZE_MOTION_HIT) {
            graze_trajectory_free(t);
            scale = find_near(k, &m, scale, i % 2 ? GRAZE_MOTION_FREE : GRAZE_MOTION_HIT);
            r = query(k, &m, scale, &t);
        }
        out->free += r.verdict == GRAZE_MOTION_FREE;
        out->hit += r.verdict == GRAZE_MOTION_HIT;
        out->undecided += r.verdict == GRAZE_MOTION_UNDECIDED;
        evaluate(k, o, &m, scale, t, &r, &random, out);
        graze_trajectory_free(t);
    }
}

static bool parse(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool flag = true;
        if (!strcmp(argv[i], "--near"))
            o->near = true;
        else if (!strcmp(argv[i], "--base"))
            o->base = true;
        else if (!strcmp(argv[i], "--moving"))
            o->moving = true;
        else if (!strcmp(argv[i], "--tables"))
            o->tables = true;
        else
            flag = false;
        if (flag) continue;
        if (!value) return false;
        if (!strcmp(argv[i], "--count"))
            o->count = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--samples"))
            o->samples = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--seed"))
            o->seed = strtoull(value, NULL, 10);
        else if (!strcmp(argv[i], "--scene"))
            o->scene = value;
        else
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv) {
    options o = {.count = 20, .samples = 200, .seed = 1};
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: trajectories [--count N] [--samples N] [--seed N] [--near] "
                        "[--base] [--moving] [--tables] [--scene NAME]\n");
        return 2;
    }
    uint64_t wrong = 0;
    for (size_t i = 0; i < MOTION_SCENES; i++) {
        question k = {.rules = graze_motion_options_default()};
        k.rules.answer = GRAZE_MOTION_FIRST;
        if (o.scene && strcmp(o.scene, motion_scenes[i].name) != 0) continue;
        if (!motion_scene_load(&k, &motion_scenes[i], o.tables)) continue;
        if (k.n + BASE > COLUMNS) return 3;
        for (int degree = 1; degree <= 5; degree += 2) {
            tally t = {0};
            run(&k, &o, degree, &t);
            printf("%-17s degree %d: %" PRIu64 " free, %" PRIu64 " hit, %" PRIu64
                   " undecided; %" PRIu64 " samples, %" PRIu64 " wrong; places differ by %.1e\n",
                   motion_scenes[i].name, degree, t.free, t.hit, t.undecided, t.samples, t.wrong,
                   t.off);
            fflush(stdout);
            wrong += t.wrong + !(t.off < 1e-11);
        }
        motion_scene_unload(&k);
    }
    return wrong != 0;
}
