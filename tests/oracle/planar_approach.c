// Closest point of approach in the plane against brute force (planar_motion.c): time, distance and
// verdict of translations, batches against single answers and one instruction set against another,
// gradients against central differences, and velocity obstacles by their defining property.
//
// usage: planar_approach [--cases N] [--seed N] [--part NAME]
//        N per part (a quarter of it for velocity obstacles); the part is translations, batches,
//        gradients or obstacles; exits with 1 on any violation

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "planar_motion.h"

typedef enum category {
    RANDOM,
    HEAD_ON,
    GRAZING,
    PARALLEL,
    TOUCHING,
    OVERLAPPING,
    AT_REST,
    FAR,
    TINY,
    DEGENERATE,
    CATEGORIES
} category;

static const char *const names[CATEGORIES] = {
    "random",  "head-on",  "grazing", "parallel",  "touching at start", "overlapping at start",
    "at rest", "far away", "tiny",    "degenerate"};

typedef struct scene {
    graze_planar_shape a, b;
    graze_vec2 va, vb;
    double horizon, size; ///< size: of a shape
} scene;

static long violations;

static void complain(const char *what, uint64_t number, double found, double wanted) {
    if (violations++ < 20)
        printf("violated: %s, case %llu: %.17g, wanted %.17g\n", what, (unsigned long long)number,
               found, wanted);
}

static void must(graze_status status) {
    if (status == GRAZE_OK) return;
    printf("unexpected status %s\n", graze_status_name(status));
    exit(3);
}

// -------------------------------------------------------------------------------------- scenes

static graze_vec2 polar(double length, double angle) {
    return (graze_vec2){length * cos(angle), length * sin(angle)};
}

static void shape_make(gz_random *r, graze_vec2 at, double size, bool degenerate,
                       graze_planar_shape *out) {
    double radius = degenerate || gz_random_below(r, 4) == 0 ? 0 : gz_random_range(r, 0, size);
    double angle = gz_random_range(r, 0, 6.3), points[2 * GRAZE_PLANAR_VERTEX_MAX];
    graze_transform2 pose = graze_transform2_make(at.x, at.y, gz_random_below(r, 3) ? angle : 0);
    graze_vec2 half = {size * gz_random_unit(r), size * gz_random_unit(r)};
    graze_vec2 arm = polar(size * gz_random_unit(r), angle);
    uint32_t n = 3 + gz_random_below(r, 14);
    switch (gz_random_below(r, degenerate ? 3 : 4)) {
    case 0:
        must(graze_planar_circle(out, at, radius, NULL));
        return;
    case 1:
        must(graze_planar_capsule(out, at, (graze_vec2){at.x + arm.x, at.y + arm.y}, radius, NULL));
        return;
    case 2:
        if (degenerate) half.y *= gz_random_below(r, 2) ? 1e-14 : 0;
        must(graze_planar_rectangle(out, &pose, half, radius, NULL));
        return;
    default:
        break;
    }
    for (uint32_t i = 0; i < n; i++) {
        graze_vec2 p = polar(size, gz_random_range(r, 0, 6.3));
        points[2 * i] = at.x + p.x;
        points[2 * i + 1] = at.y + p.y;
    }
    must(graze_planar_hull(out, points, n, radius, NULL));
}

static planar_moving moving(const scene *s) {
    return (planar_moving){.a = &s->a, .b = &s->b, .ma.velocity = s->va, .mb.velocity = s->vb};
}

static void shift(graze_planar_shape *s, double x, double y) {
    for (int i = 0; i < GRAZE_PLANAR_VERTEX_MAX; i++) s->vertices[i].x += x, s->vertices[i].y += y;
}

// The velocity of B at which its line just touches A: by bisection over its heading.
static graze_vec2 grazing_velocity(const scene *s, double speed, double heading) {
    planar_moving m = moving(s);
    long double low = heading, high = heading + 3.14159265358979323846L, when;
    for (int i = 0; i < 64; i++) {
        long double middle = (low + high) / 2;
        m.ma.velocity = (graze_vec2){0, 0};
        m.mb.velocity = (graze_vec2){(double)(speed * cosl(middle)),
                                     (double)(speed * sinl(middle))};
        *(planar_least(&m, 50 * s->size / speed, &when) <= 0 ? &low : &high) = middle;
    }
    return (graze_vec2){(double)(speed * cosl(low)), (double)(speed * sinl(low))};
}

static void scene_make(gz_random *r, category c, scene *s) {
    s->size = c == TINY ? 1e-6 : 1;
    double range = s->size * (c == FAR ? 1e6 : 6), base = c == FAR ? 1e5 : 0;
    graze_vec2 at_a = {base + s->size * gz_random_unit(r), s->size * gz_random_unit(r)};
    graze_vec2 off = polar(range * gz_random_unit(r), gz_random_range(r, 0, 6.3));
    bool degenerate = c == DEGENERATE;
    shape_make(r, at_a, s->size, degenerate, &s->a);
    shape_make(r, (graze_vec2){at_a.x + off.x, at_a.y + off.y}, s->size, degenerate, &s->b);
    double speed = s->size * gz_random_range(r, 0.1, 3) * (c == FAR ? 1e5 : 1);
    double angle = gz_random_range(r, 0, 6.3), heading = atan2(-off.y, -off.x);
    s->va = gz_random_below(r, 3) ? polar(speed, gz_random_range(r, 0, 6.3)) : (graze_vec2){0, 0};
    graze_vec2 v = polar(speed, gz_random_below(r, 2) ? angle : heading + 0.4 * sin(angle));
    if (c == HEAD_ON || degenerate) v = polar(speed, heading);
    if (c == HEAD_ON && gz_random_below(r, 2)) { // exactly, along an axis
        shift(&s->b, -off.x, -off.y);
        shift(&s->b, range / 2, 0);
        v = (graze_vec2){-speed, 0};
    }
    if (c == PARALLEL) { // along an edge of either
        const graze_planar_shape *p = gz_random_below(r, 2) ? &s->a : &s->b;
        double x = p->vertices[p->count > 1].x - p->vertices[0].x,
               y = p->vertices[p->count > 1].y - p->vertices[0].y;
        double sign = gz_random_below(r, 2) ? 1 : -1;
        if (x != 0 || y != 0) v = (graze_vec2){sign * x, sign * y};
    }
    if (c == AT_REST) v = (graze_vec2){0, 0};
    if (c == GRAZING) s->va = (graze_vec2){0, 0};
    graze_planar_result d;
    must(graze_planar_distance(&s->a, &s->b, &d));
    if (c == TOUCHING) shift(&s->b, -d.distance * d.normal.x, -d.distance * d.normal.y);
    if (c == OVERLAPPING) {
        double by = d.distance + s->size * 0.5 * gz_random_unit(r);
        shift(&s->b, -by * d.normal.x, -by * d.normal.y);
    }
    if (c == GRAZING && d.distance > 0.01 * s->size) v = grazing_velocity(s, speed, heading);
    s->vb = c == AT_REST ? s->va : (graze_vec2){s->va.x + v.x, s->va.y + v.y};
    s->horizon = gz_random_below(r, 8) == 0   ? INFINITY
                 : gz_random_below(r, 3) == 0 ? gz_random_range(r, 0, 3)
                                              : 20;
}

// A time by which nothing can get closer any more.
static double last_time(const scene *s) {
    double x = s->vb.x - s->va.x, y = s->vb.y - s->va.y, speed = hypot(x, y), far = 0;
    if (speed == 0) return 0;
    for (int i = 0; i < s->a.count; i++)
        for (int j = 0; j < s->b.count; j++)
            far = fmax(far, hypot(s->a.vertices[i].x - s->b.vertices[j].x,
                                  s->a.vertices[i].y - s->b.vertices[j].y));
    return fmin(s->horizon, 1.01 * far / speed);
}

// ------------------------------------------------------------------------------ translations

typedef struct tally {
    long cases, hits, grazes;
    double worst; ///< of |f(t) - distance| / scale
} tally;

static void check_translation(const scene *s, uint64_t number, tally *t) {
    planar_moving m = moving(s);
    graze_planar_approach_result ours;
    must(graze_planar_approach(&s->a, s->va, &s->b, s->vb, s->horizon, &ours));
    planar_found truth = planar_search(&m, last_time(s), 48);
    double scale = planar_scale(&m, ours.time), tolerance = 1e-12 * scale;
    long double there = planar_distance_at(&m, ours.time);
    double off = (double)fabsl(there - ours.distance);
    t->cases++;
    t->hits += ours.hit;
    t->worst = fmax(t->worst, off / scale);
    if (off > tolerance) complain("distance at the time", number, ours.distance, (double)there);
    double late = (double)fabsl(ours.time - truth.time);
    bool grazing = late > 1e-9;
    t->grazes += grazing;
    if (grazing && fabsl(there - truth.value) > tolerance)
        complain("time", number, ours.time, (double)truth.time);
    if (ours.hit != truth.hit && fabsl(there - truth.value) > tolerance)
        complain("hit", number, ours.hit, truth.hit);
    if (!(ours.time >= 0 && ours.time <= s->horizon)) complain("range", number, ours.time, 0);
    // Witnesses: on the normal, the distance apart, and each on its shape.
    double x = ours.point_b.x - ours.point_a.x, y = ours.point_b.y - ours.point_a.y;
    double nn = hypot(ours.normal.x, ours.normal.y), d = ours.distance;
    double apart = hypot(x - d * ours.normal.x, y - d * ours.normal.y);
    if (fabs(nn - 1) > 1e-14 || apart > 2 * tolerance) complain("witnesses", number, apart, 0);
    for (int k = 0; k < 2; k++) {
        graze_vec2 p = k ? ours.point_b : ours.point_a, v = k ? s->vb : s->va;
        graze_planar_shape point = {.count = 1, .vertices[0].x = p.x, .vertices[0].y = p.y};
        planar_moving on = {.a = k ? &s->b : &s->a, .b = &point, .ma.velocity = v};
        planar_moving back = on;
        back.shift[0] = -(long double)ours.time * v.x,
        back.shift[1] = -(long double)ours.time * v.y;
        back.ma.velocity = (graze_vec2){0, 0};
        double gap = (double)planar_distance_at(&back, 0);
        if (gap > 2 * tolerance || (d >= 0 && gap < -2 * tolerance && on.a->radius == 0))
            complain("witness on its shape", number, gap, 0);
    }
}

static void translations(uint64_t seed, uint64_t cases) {
    printf("%-22s %10s %10s %12s %12s\n", "translation", "cases", "hits", "t off >1e-9",
           "worst/scale");
    for (int c = 0; c < CATEGORIES; c++) {
        tally t = {0};
        uint64_t count = cases / CATEGORIES + 1;
        if (c == GRAZING) count = count / 8 + 1; // each is itself a search
        for (uint64_t i = 0; i < count; i++) {
            uint64_t number = (uint64_t)c * 10000000 + i;
            gz_random r = gz_random_make(seed, number);
            scene s;
            scene_make(&r, (category)c, &s);
            check_translation(&s, number, &t);
        }
        printf("%-22s %10ld %10ld %12ld %12.3g\n", names[c], t.cases, t.hits, t.grazes, t.worst);
        fflush(stdout);
    }
}

// ------------------------------------------------------------------------------------ batches

#define BATCH 67

static void check_batch(gz_random *r, uint64_t number, graze_planar_kind ka, graze_planar_kind kb,
                        double *worst) {
    static double rows[2][7 * BATCH], vx[BATCH], vy[BATCH], t[3][BATCH], d[3][BATCH];
    static graze_planar_shape shapes[2][BATCH];
    graze_planar_array arrays[2];
    for (int k = 0; k < 2; k++)
        arrays[k] = (graze_planar_array){k ? kb : ka, 0, BATCH, BATCH, rows[k]};
    bool one = gz_random_below(r, 4) == 0;
    if (one) arrays[0].count = 1;
    for (int i = 0; i < BATCH; i++) {
        for (int k = 0; k < 2; k++) {
            graze_planar_shape *s = &shapes[k][i];
            int want = (k ? kb : ka) == GRAZE_PLANAR_CIRCLE ? 1 : (k ? kb : ka) == 1 ? 2 : 4;
            do
                shape_make(r, (graze_vec2){gz_random_range(r, -4, 4), gz_random_range(r, -4, 4)}, 1,
                           false, s);
            while (s->count != want || graze_planar_array_set(rows[k], BATCH, (size_t)i,
                                                              k ? kb : ka, 0, s) != GRAZE_OK);
        }
        vx[i] = gz_random_below(r, 20) ? gz_random_range(r, -2, 2) : 0;
        vy[i] = gz_random_below(r, 20) ? gz_random_range(r, -2, 2) : 0;
    }
    double horizon = gz_random_below(r, 3) ? 5 : INFINITY;
    static const char *const sets[3] = {"scalar", "sse2", "avx2"};
    for (int k = 0; k < 3; k++) {
        setenv("GRAZE_ISA", sets[k], 1);
        must(graze_planar_approach_batch(&arrays[0], &arrays[1], vx, vy, horizon, t[k], d[k]));
        if (memcmp(t[k], t[0], sizeof t[0]) != 0 || memcmp(d[k], d[0], sizeof d[0]) != 0)
            complain("equal bits", number, k, 0);
    }
    unsetenv("GRAZE_ISA");
    for (int i = 0; i < BATCH; i++) {
        graze_planar_shape *a = &shapes[0][one ? 0 : i], *b = &shapes[1][i];
        graze_vec2 zero = {0, 0}, v = {vx[i], vy[i]};
        graze_planar_approach_result single;
        must(graze_planar_approach(a, zero, b, v, horizon, &single));
        planar_moving m = {.a = a, .b = b, .mb.velocity = v};
        double scale = planar_scale(&m, fmax(t[0][i], single.time));
        double off = (double)fabsl(planar_distance_at(&m, t[0][i]) - d[0][i]) / scale;
        *worst = fmax(*worst, off);
        if (off > 1e-12) complain("batch distance", number, d[0][i], single.distance);
        if (fabs(t[0][i] - single.time) > 1e-9 && fabs(d[0][i] - single.distance) > 1e-12 * scale)
            complain("batch time", number, t[0][i], single.time);
        if ((d[0][i] <= 0) != single.hit && fabs(d[0][i] - single.distance) > 1e-12 * scale)
            complain("batch hit", number, d[0][i], single.distance);
    }
}

static void batches(uint64_t seed, uint64_t cases) {
    double worst = 0;
    uint64_t count = cases / BATCH + 1;
    for (uint64_t i = 0; i < count; i++) {
        gz_random r = gz_random_make(seed ^ 0x6261, i);
        check_batch(&r, i, (graze_planar_kind)(i % 3), (graze_planar_kind)(i / 3 % 3), &worst);
    }
    printf("batches: %llu pairs of 9 kinds, three instruction sets; worst/scale %.3g\n",
           (unsigned long long)(count * BATCH), worst);
}

// ---------------------------------------------------------------------------------- gradients

// Central differences in long double: by B's place (0, 1) and B's velocity (2, 3).
// `when`: that of the least distance or of the impact without a difference.
static long double difference(planar_moving m, long double end, int by, bool impact,
                              long double when) {
    const long double step = 1e-7L;
    long double f[2];
    for (int k = 0; k < 2; k++) {
        planar_moving n = m;
        *(by < 2 ? &n.shift[by] : &n.push[by - 2]) = k ? step : -step;
        f[k] = impact ? planar_root_near(&n, end, when) : planar_least_near(&n, end, when);
    }
    return (f[1] - f[0]) / (2 * step);
}

// The gradient of the time of impact, where differences to both sides agree: of the whole contact
// and of contacts nearer to grazing than the clearance tells, none is.
static void check_impact(const scene *s, const planar_moving *m, double horizon, double clearance,
                         uint64_t number, long counts[4]) {
    graze_planar_approach_result hit;
    must(graze_planar_approach(&s->a, s->va, &s->b, s->vb, horizon, &hit));
    counts[2] += hit.hit;
    if (!hit.hit || !(clearance < -1e-3 && hit.time > 1e-3 && hit.time < horizon - 1e-3)) return;
    graze_vec2 n = hit.normal, v = {s->vb.x - s->va.x, s->vb.y - s->va.y};
    double rate = n.x * v.x + n.y * v.y;
    const double by[2] = {-n.x / rate, -n.y / rate};
    long double impact = planar_root(m, horizon);
    for (int k = 0; k < 4; k++) {
        double wanted = k < 2 ? by[k] : hit.time * by[k - 2];
        double d = (double)difference(*m, horizon, k, true, impact);
        planar_moving there = *m, back = *m;
        *(k < 2 ? &there.shift[k] : &there.push[k - 2]) = 1e-4L;
        *(k < 2 ? &back.shift[k] : &back.push[k - 2]) = -1e-4L;
        long double later = planar_root_near(&there, horizon, impact);
        long double sooner = planar_root_near(&back, horizon, impact);
        // A kink within that way makes the differences of both sides unlike.
        if (!(fabsl(later - 2 * impact + sooner) <= 1e-6L * 1e-4L * fmaxl(1, fabsl(d)))) continue;
        counts[3] += k == 0;
        if (!(fabs(d - wanted) <= 1e-6 * fmax(1, fabs(d))))
            complain("gradient of the impact", number, wanted, d);
    }
}

static void check_gradient(const scene *s, uint64_t number, long counts[4]) {
    planar_moving m = moving(s);
    double horizon = fmin(s->horizon, 20);
    graze_planar_clearance_result g;
    must(graze_planar_clearance(&s->a, s->va, &s->b, s->vb, horizon, 1e-3, &g));
    long double when, least = planar_least(&m, horizon, &when);
    double scale = planar_scale(&m, horizon);
    counts[0]++;
    if (fabsl(least - g.clearance) > 1e-12L * scale)
        complain("clearance", number, g.clearance, (double)least);
    if (fabsl(planar_distance_at(&m, g.time) - least) > 1e-12L * scale)
        complain("time of the clearance", number, g.time, (double)when);
    const double by[4] = {g.by_position.x, g.by_position.y, g.by_velocity.x, g.by_velocity.y};
    counts[1] += g.differentiable;
    for (int k = 0; k < 4 && g.differentiable; k++) {
        double d = (double)difference(m, horizon, k, false, when);
        if (!(fabs(d - by[k]) <= 1e-6 * fmax(1, fabs(d)))) complain("gradient", number, by[k], d);
    }
    if (g.differentiable && g.time == horizon && horizon > 0.1) {
        long double late = planar_least(&m, horizon + 1e-7L, &when);
        double d = (double)((late - planar_least(&m, horizon - 1e-7L, &when)) / 2e-7L);
        if (!(fabs(d - g.by_horizon) <= 1e-6)) complain("by horizon", number, g.by_horizon, d);
    }
    check_impact(s, &m, horizon, g.clearance, number, counts);
}

static void gradients(uint64_t seed, uint64_t cases) {
    long counts[4] = {0};
    for (uint64_t i = 0; i < cases; i++) {
        gz_random r = gz_random_make(seed ^ 0x6772, i);
        scene s;
        static const category kinds[6] = {RANDOM,      HEAD_ON,    PARALLEL,
                                          OVERLAPPING, DEGENERATE, AT_REST};
        scene_make(&r, kinds[i % 8 < 3 ? 0 : i % 8 - 2], &s);
        check_gradient(&s, i, counts);
    }
    printf("gradients: %ld cases, %ld differentiable; %ld impacts, %ld differentiable\n", counts[0],
           counts[1], counts[2], counts[3]);
}

// -------------------------------------------------------------------------- velocity obstacles

// The least distance at relative velocity v.
static double least_at(const scene *s, graze_vec2 v) {
    planar_moving m = {.a = &s->a, .b = &s->b, .mb.velocity = v};
    scene relative = *s;
    relative.va = (graze_vec2){0, 0};
    relative.vb = v;
    long double when;
    return (double)planar_least(&m, last_time(&relative), &when);
}

static bool touches(const scene *s, graze_vec2 v) {
    return least_at(s, v) <= 1e-15; // 0 where the difference is a segment, or nearly
}

// A ball of the distance about the velocity holds only velocities of its own kind, and the border
// is where it is said to be.
static void check_obstacle(scene *s, gz_random *r, uint64_t number, long counts[3]) {
    graze_planar_velocity_obstacle_result o;
    s->horizon = gz_random_below(r, 3) ? gz_random_range(r, 0.5, 5) : INFINITY;
    must(graze_planar_velocity_obstacle(&s->a, s->va, &s->b, s->vb, s->horizon, &o));
    graze_vec2 v = {s->vb.x - s->va.x, s->vb.y - s->va.y};
    counts[0]++;
    counts[1] += o.inside;
    counts[2] += o.overlapping;
    if (o.overlapping) return;
    if (fabs(o.distance) < 1e-6) return;
    if (touches(s, v) != o.inside || o.inside != (o.distance < 0))
        complain("inside", number, o.distance, o.inside);
    for (int k = 0; k < 6; k++) {
        double angle = gz_random_range(r, 0, 6.3), length = fabs(o.distance) * (1 - 1e-9) - 1e-12;
        graze_vec2 w = {v.x + length * cos(angle), v.y + length * sin(angle)};
        if (touches(s, w) != o.inside) complain("free ball", number, length, o.distance);
    }
    double e = 1e-6 * (1 + hypot(v.x, v.y));
    graze_vec2 out = {o.boundary.x + e * o.normal.x, o.boundary.y + e * o.normal.y};
    if (touches(s, out)) complain("outside of the border", number, o.distance, 0);
    // On the border the shapes just touch; at the tip of a cone without end, after all time.
    double tip = s->horizon < INFINITY ? 0 : 1e-3;
    if (hypot(o.boundary.x, o.boundary.y) > tip && fabs(least_at(s, o.boundary)) > 1e-9 * e / 1e-6)
        complain("on the border", number, o.distance, least_at(s, o.boundary));
}

static void obstacles(uint64_t seed, uint64_t cases) {
    long counts[3] = {0};
    for (uint64_t i = 0; i < cases; i++) {
        gz_random r = gz_random_make(seed ^ 0x766f, i);
        scene s;
        scene_make(&r, i % 2 ? RANDOM : HEAD_ON, &s);
        check_obstacle(&s, &r, i, counts);
    }
    printf("velocity obstacles: %ld cases, %ld inside, of these %ld overlapping\n", counts[0],
           counts[1], counts[2]);
}

int main(int argc, char **argv) {
    uint64_t cases = 1000000, seed = 1;
    const char *section = NULL;
    static const struct {
        const char *name;
        void (*run)(uint64_t seed, uint64_t cases);
        uint64_t share;
    } sections[] = {{"translations", translations, 1},
                    {"batches", batches, 1},
                    {"gradients", gradients, 1},
                    {"obstacles", obstacles, 4}};
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (more && !strcmp(argv[i], "--cases"))
            cases = strtoull(argv[++i], NULL, 10);
        else if (more && !strcmp(argv[i], "--seed"))
            seed = strtoull(argv[++i], NULL, 10);
        else if (more && !strcmp(argv[i], "--part"))
            section = argv[++i];
        else
            return fprintf(stderr, "unknown argument %s\n", argv[i]), 2;
    }
    int runs = 0;
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        if (section && strcmp(section, sections[k].name) != 0) continue;
        sections[k].run(seed, cases / sections[k].share);
        fflush(stdout);
        runs++;
    }
    if (runs == 0) return fprintf(stderr, "no section is called %s\n", section), 2;
    printf("violations: %ld\n", violations);
    return violations > 0;
}
