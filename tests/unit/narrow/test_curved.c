/// Curved solids against minimisation in long double, and against distances known by construction.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "math/transform.h"
#include "narrow/curved/curved.h"
#include "narrow/triangle/triangle.h"

// ------------------------------------------------------------------------------------ the oracle

// The least distance of two convex sets by nested golden sections over the parameters of one of
// them and the distance of a point to the other: from above, off by less than about 3e-10.
typedef long double real;

typedef struct set {
    int kind; ///< 1 segment, 2 triangle, 3 cylinder: also the number of parameters
    real p[3][3];
    real radius, w[3], u[3], v[3], length; ///< of the cylinder
} set;

static real rdot(const real *a, const real *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void rcross(real *out, const real *a, const real *b) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static set set_of_curved(const gz_curved *s) {
    set out = {.kind = s->kind == GRAZE_SHAPE_CYLINDER ? 3 : 1, .radius = s->radius};
    real d[3];
    for (int k = 0; k < 3; k++) {
        out.p[0][k] = s->a[k];
        out.p[1][k] = s->b[k];
        d[k] = out.p[1][k] - out.p[0][k];
    }
    out.length = sqrtl(rdot(d, d));
    if (out.kind == 1) return out;
    for (int k = 0; k < 3; k++) out.w[k] = d[k] / out.length;
    real other[3] = {0, 0, 0};
    other[fabsl(out.w[0]) < 0.7L ? 0 : 1] = 1;
    rcross(out.u, out.w, other);
    real norm = sqrtl(rdot(out.u, out.u));
    for (int k = 0; k < 3; k++) out.u[k] /= norm;
    rcross(out.v, out.w, out.u);
    return out;
}

static set set_of_triangle(const double t[3][3]) {
    set out = {.kind = 2};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out.p[i][k] = t[i][k];
    }
    return out;
}

/// Distance of a point to a segment or a cylinder.
static real point_distance(const set *s, const real *p) {
    real d[3];
    for (int k = 0; k < 3; k++) d[k] = p[k] - s->p[0][k];
    if (s->kind == 3) {
        real z = rdot(d, s->w), x = rdot(d, s->u), y = rdot(d, s->v);
        real out = sqrtl(x * x + y * y) - s->radius;
        real beyond = z < 0 ? -z : z > s->length ? z - s->length : 0;
        if (out < 0) out = 0;
        return sqrtl(out * out + beyond * beyond);
    }
    real e[3];
    for (int k = 0; k < 3; k++) e[k] = s->p[1][k] - s->p[0][k];
    real square = rdot(e, e), t = square > 0 ? rdot(d, e) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) d[k] -= t * e[k];
    return sqrtl(rdot(d, d));
}

typedef struct search {
    const set *over, *target;
    real at[3], best, best_at[3];
} search;

static real descend(search *s, int depth, real limit);

static real value_at(search *s, int depth, real x) {
    s->at[depth] = x;
    if (depth + 1 < s->over->kind) {
        // The interval of the next parameter depends on this one.
        real limit = s->over->kind == 2 ? 1 - x
                     : depth == 0       ? s->over->radius
                                  : sqrtl(fmaxl(0, s->over->radius * s->over->radius - x * x));
        return descend(s, depth + 1, limit);
    }
    real p[3];
    const set *o = s->over;
    for (int k = 0; k < 3; k++) {
        real along = o->p[1][k] - o->p[0][k];
        p[k] = o->p[0][k] + s->at[0] * along;
        if (o->kind == 2) p[k] += s->at[1] * (o->p[2][k] - o->p[0][k]);
        if (o->kind == 3) p[k] += s->at[1] * o->u[k] + s->at[2] * o->v[k];
    }
    real value = point_distance(s->target, p);
    if (value < s->best) {
        s->best = value;
        memcpy(s->best_at, p, sizeof p);
    }
    return value;
}

static real descend(search *s, int depth, real limit) {
    const real golden = 0.618033988749894848204586834365638L;
    const bool both = s->over->kind == 3 && depth > 0;
    const int steps = s->over->kind == 3 ? 46 : 60;
    real low = both ? -limit : 0, high = limit;
    real least = fminl(value_at(s, depth, low), value_at(s, depth, high));
    real x = high - golden * (high - low), y = low + golden * (high - low);
    real fx = value_at(s, depth, x), fy = value_at(s, depth, y);
    for (int i = 0; i < steps; i++) {
        least = fminl(least, fminl(fx, fy));
        if (fx <= fy) {
            high = y;
            y = x;
            fy = fx;
            x = high - golden * (high - low);
            fx = value_at(s, depth, x);
        } else {
            low = x;
            x = y;
            fx = fy;
            y = low + golden * (high - low);
            fy = value_at(s, depth, y);
        }
    }
    return fminl(least, fminl(fx, fy));
}

/// Distance of the sets without rounds; writes the direction from b to a where they are apart.
static double distance(const set *a, const set *b, double direction[3]) {
    // The target is a cylinder or a segment, the other is searched.
    bool swap = b->kind == 2 || (a->kind == 3 && b->kind == 1);
    search s = {.over = swap ? b : a, .target = swap ? a : b, .best = INFINITY};
    descend(&s, 0, 1);
    // The gradient of the distance points from the target to the best point.
    real h = 1e-4L * s.best, norm = 0, g[3];
    for (int k = 0; k < 3; k++) {
        real p[3], q[3];
        memcpy(p, s.best_at, sizeof p);
        memcpy(q, s.best_at, sizeof q);
        p[k] += h;
        q[k] -= h;
        g[k] = (point_distance(s.target, p) - point_distance(s.target, q)) * (swap ? -1 : 1);
        norm += g[k] * g[k];
    }
    norm = sqrtl(norm);
    for (int k = 0; k < 3; k++) direction[k] = norm > 0 ? (double)(g[k] / norm) : k == 0;
    return (double)s.best;
}

// ------------------------------------------------------------------------------------- generators

static double log_range(gz_random *r, double low, double high) {
    return low * pow(high / low, gz_random_unit(r));
}

static void random_direction(gz_random *r, double d[3]) {
    double norm;
    do {
        norm = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = gz_random_range(r, -1, 1);
            norm += d[k] * d[k];
        }
    } while (norm > 1 || norm < 0.01);
    for (int k = 0; k < 3; k++) d[k] /= sqrt(norm);
    uint32_t special = gz_random_below(r, 6), axis = gz_random_below(r, 3);
    // Along a coordinate, or nearly.
    double tilt = log_range(r, 1e-10, 1e-2);
    for (uint32_t k = 0; k < 3 && special < 2; k++) {
        d[k] = (k == axis ? 1 : 0) + (special == 1 ? tilt * d[k] : 0);
    }
}

static gz_curved random_curved(gz_random *r, graze_shape kind) {
    gz_curved s = {.kind = kind};
    double d[3];
    random_direction(r, d);
    uint32_t form = gz_random_below(r, 4);
    // Needles, coins and ordinary ones.
    double length = form == 0 ? log_range(r, 1e-6, 0.1) : gz_random_range(r, 0.1, 1.5);
    s.radius = form == 1 ? log_range(r, 1e-6, 0.1) : gz_random_range(r, 0.05, 0.7);
    double place = gz_random_below(r, 4) == 0 ? 95 : 0;
    for (int k = 0; k < 3; k++) {
        double c = place + (gz_random_below(r, 3) == 0 ? 0 : gz_random_range(r, -1, 1));
        s.a[k] = kind == GRAZE_SHAPE_SPHERE ? c : c - 0.5 * length * d[k];
        s.b[k] = kind == GRAZE_SHAPE_SPHERE ? c : c + 0.5 * length * d[k];
    }
    return s;
}

static void random_triangle(gz_random *r, double t[3][3], const double near[3]) {
    double size = log_range(r, 0.01, 5);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t[i][k] = near[k] + size * (gz_random_below(r, 4) == 0 ? 0 : gz_random_range(r, -1, 1));
        }
    }
    uint32_t form = gz_random_below(r, 8);
    for (int k = 0; k < 3; k++) {
        if (form == 0) t[2][k] = t[1][k];                                   // a segment
        if (form == 1) t[2][k] = t[1][k] = t[0][k];                         // a point
        if (form == 2) t[2][k] = t[1][k] + gz_random_range(r, -1e-9, 1e-9); // a needle
        if (form == 3) t[2][k] = 0.5 * t[1][k] + 0.5 * t[0][k];             // in a line, or nearly
    }
}

static const double gaps[] = {-1e-3, -1e-6, -2e-9, 0, 1e-12, 1e-9, 2.5e-9, 1e-6, 1e-3};
enum { GAPS = sizeof gaps / sizeof gaps[0] };

static double round_of(const gz_curved *s) {
    return s->kind == GRAZE_SHAPE_CYLINDER ? 0 : s->radius;
}

static double random_margin(gz_random *r) {
    return gz_random_below(r, 2) == 0 ? 0 : log_range(r, 1e-9, 0.2);
}

// What the promise leaves open, with the oracle's own error from above.
static void evaluate(bool collide, double apart, double margin) {
    // apart is never below the true distance, but for rounding in long double.
    if (apart <= margin - 1e-14) assert_true(collide);
    if (apart > margin + 1.4e-9) assert_false(collide);
}

static void evaluate_point(const double point[3], const set *s, double round, double margin) {
    real p[3] = {point[0], point[1], point[2]}, away;
    if (s->kind == 2) {
        set at = {.kind = 1};
        memcpy(at.p[0], p, sizeof p);
        memcpy(at.p[1], p, sizeof p);
        double direction[3];
        away = distance(s, &at, direction);
    } else {
        away = point_distance(s, p);
    }
    assert_true(away - round <= margin + 1e-6);
}

// ------------------------------------------------------------------------------------------ tests

static size_t tries_of(graze_shape a, graze_shape b) {
    return a == GRAZE_SHAPE_CYLINDER && b == GRAZE_SHAPE_CYLINDER ? 14 : 200;
}

static void pairs_agree(graze_shape first, graze_shape second) {
    gz_random r = gz_random_make(11, (uint64_t)first * 8 + (uint64_t)second);
    size_t collisions = 0, tests = 0;
    for (size_t i = 0; i < tries_of(first, second); i++) {
        gz_curved s = random_curved(&r, first), t = random_curved(&r, second);
        for (int k = 0; k < 3; k++) {
            // Both in the same place of the world.
            double move = s.a[k] > 50 && t.a[k] < 50 ? 95 : s.a[k] < 50 && t.a[k] > 50 ? -95 : 0;
            t.a[k] += move;
            t.b[k] += move;
        }
        set a = set_of_curved(&s), b = set_of_curved(&t);
        double direction[3], margin = random_margin(&r), point[3];
        double apart = distance(&a, &b, direction);
        const double rounds = round_of(&s) + round_of(&t);
        const gz_curved start = t;
        for (int g = -1; g < GAPS; g++) {
            if (g >= 0) {
                if (apart < 1e-3) break;
                double move = apart - (rounds + margin + gaps[g]);
                for (int k = 0; k < 3; k++) {
                    t.a[k] = start.a[k] + move * direction[k];
                    t.b[k] = start.b[k] + move * direction[k];
                }
                b = set_of_curved(&t);
            }
            double unused[3], here = distance(&a, &b, unused) - rounds;
            bool collide = gz_curved_pair_collide(&s, &t, margin, point);
            evaluate(collide, here, margin);
            evaluate(gz_curved_pair_collide(&t, &s, margin, NULL), here, margin);
            if (collide) {
                evaluate_point(point, &a, round_of(&s), margin);
                evaluate_point(point, &b, round_of(&t), margin);
            }
            tests++;
            collisions += collide;
        }
    }
    assert_true(collisions > tests / 8 && collisions < tests - tests / 8);
}

static void test_ball_pairs_agree_with_minimisation(void **state) {
    (void)state;
    pairs_agree(GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_SPHERE);
    pairs_agree(GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CAPSULE);
    pairs_agree(GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CAPSULE);
}

static void test_ball_and_cylinder_pairs_agree_with_minimisation(void **state) {
    (void)state;
    pairs_agree(GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER);
    pairs_agree(GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_CYLINDER);
}

static void test_cylinder_pairs_agree_with_minimisation(void **state) {
    (void)state;
    pairs_agree(GRAZE_SHAPE_CYLINDER, GRAZE_SHAPE_CYLINDER);
}

static void triangles_agree(graze_shape kind) {
    gz_random r = gz_random_make(12, (uint64_t)kind);
    size_t collisions = 0, tests = 0;
    for (size_t i = 0; i < 70; i++) {
        gz_curved s = random_curved(&r, kind);
        double t[3][3], start[3][3], direction[3], margin = random_margin(&r), point[3];
        random_triangle(&r, t, s.a);
        memcpy(start, t, sizeof t);
        set a = set_of_curved(&s), b = set_of_triangle((const double(*)[3])t);
        double apart = distance(&a, &b, direction);
        for (int g = -1; g < GAPS; g++) {
            if (g >= 0) {
                if (apart < 1e-3) break;
                double move = apart - (round_of(&s) + margin + gaps[g]);
                for (int c = 0; c < 3; c++) {
                    for (int k = 0; k < 3; k++) t[c][k] = start[c][k] + move * direction[k];
                }
                b = set_of_triangle((const double(*)[3])t);
            }
            double unused[3], here = distance(&a, &b, unused) - round_of(&s);
            bool collide = gz_curved_triangle_collide(&s, (const double(*)[3])t, margin, point);
            evaluate(collide, here, margin);
            const double turned[3][3] = {{t[2][0], t[2][1], t[2][2]},
                                         {t[1][0], t[1][1], t[1][2]},
                                         {t[0][0], t[0][1], t[0][2]}};
            evaluate(gz_curved_triangle_collide(&s, turned, margin, NULL), here, margin);
            if (collide) {
                evaluate_point(point, &a, round_of(&s), margin);
                evaluate_point(point, &b, 0, margin);
            }
            tests++;
            collisions += collide;
        }
    }
    assert_true(collisions > tests / 8 && collisions < tests - tests / 8);
}

static void test_spheres_and_triangles_agree_with_minimisation(void **state) {
    (void)state;
    triangles_agree(GRAZE_SHAPE_SPHERE);
}

static void test_capsules_and_triangles_agree_with_minimisation(void **state) {
    (void)state;
    triangles_agree(GRAZE_SHAPE_CAPSULE);
}

static void test_cylinders_and_triangles_agree_with_minimisation(void **state) {
    (void)state;
    triangles_agree(GRAZE_SHAPE_CYLINDER);
}

/// A pair whose distance is known: 0 at the start, and growing as the second moves along `away`.
typedef struct contact {
    gz_curved s, t;
    double away[3];
} contact;

#define SPHERE(x, y, z, r)                                                                         \
    { GRAZE_SHAPE_SPHERE, {x, y, z}, {x, y, z}, r }
#define ROD(kind, x, y, z, u, v, w, r)                                                             \
    { kind, {x, y, z}, {u, v, w}, r }
#define CYLINDER(...) ROD(GRAZE_SHAPE_CYLINDER, __VA_ARGS__)
#define CAPSULE(...)  ROD(GRAZE_SHAPE_CAPSULE, __VA_ARGS__)

static const contact contacts[] = {
    {SPHERE(0, 0, 0, 0.5), SPHERE(0, 0, 2, 1.5), {0, 0, 1}},
    {SPHERE(0, 0, 0, 0.5), CAPSULE(-3, 1, 0, 4, 1, 0, 0.5), {0, 1, 0}},
    {SPHERE(0, 0, 0, 0.5), CAPSULE(0, 0, 1, 0, 0, 3, 0.5), {0, 0, 1}},
    {CAPSULE(-1, 0, 0, 1, 0, 0, 0.25), CAPSULE(0, -1, 0.5, 0, 1, 0.5, 0.25), {0, 0, 1}},
    {CAPSULE(-1, 0, 0, 1, 0, 0, 0.25), CAPSULE(0.5, 0.5, 0, 3, 0.5, 0, 0.25), {0, 1, 0}},
    {CAPSULE(-1, 0, 0, 1, 0, 0, 0.25), CAPSULE(1.5, 0, 0, 3, 0, 0, 0.25), {1, 0, 0}},
    {SPHERE(0, 0, 1.5, 0.5), CYLINDER(0, 0, -1, 0, 0, 1, 2), {0, 0, -1}},
    {SPHERE(2.5, 0, 0.25, 0.5), CYLINDER(0, 0, -1, 0, 0, 1, 2), {-1, 0, 0}},
    {SPHERE(5, 0, 5, 5), CYLINDER(0, 0, -1, 0, 0, 1, 2), {-0.6, 0, -0.8}},
    {CAPSULE(-9, 0, 1.5, 9, 0, 1.5, 0.5), CYLINDER(0, 0, -1, 0, 0, 1, 2), {0, 0, -1}},
    {CAPSULE(2.5, 0, 0, 2.5, 0, 9, 0.5), CYLINDER(0, 0, -1, 0, 0, 1, 2), {-1, 0, 0}},
    {CAPSULE(5, -9, 5, 5, 9, 5, 5), CYLINDER(0, 0, -1, 0, 0, 1, 2), {-0.6, 0, -0.8}},
    // Caps on each other, sides along and across each other, equal rims in one plane.
    {CYLINDER(0, 0, 0, 0, 0, 1, 1), CYLINDER(0.5, 0, 1, 0.5, 0, 3, 2), {0, 0, 1}},
    {CYLINDER(0, 0, 0, 0, 0, 1, 1), CYLINDER(0, 0, 1, 0, 0, 2, 1), {0, 0, 1}},
    {CYLINDER(0, 0, 0, 0, 0, 1, 1), CYLINDER(3, 0, 0, 3, 0, 1, 2), {1, 0, 0}},
    {CYLINDER(0, 0, 0, 0, 0, 1, 1), CYLINDER(3, 0, 0.5, 3, 0, 8, 2), {1, 0, 0}},
    {CYLINDER(0, 0, -1, 0, 0, 1, 1), CYLINDER(3, -1, 0, 3, 1, 0, 2), {1, 0, 0}},
    {CYLINDER(0, 0, 0, 0, 0, 1, 1), CYLINDER(2, 0, 1, 2, 0, 2, 1), {1, 0, 0}},
    {CYLINDER(0, 0, 0, 0, 0, 1, 1), CYLINDER(1, 0, 0, 4, 0, 0, 0.5), {1, 0, 0}},
    {CYLINDER(0, 0, 0, 0, 0, 0x1p-20, 1), CYLINDER(2, 0, 0, 2, 0, 0x1p-20, 1), {1, 0, 0}},
    {CYLINDER(0, 0, 0, 0, 0, 1, 0x1p-20),
     CYLINDER(0x1p-19, -1, 0.5, 0x1p-19, 1, 0.5, 0x1p-20),
     {1, 0, 0}},
};

static void test_pairs_of_known_distance_are_judged_at_every_gap(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contacts / sizeof contacts[0]; i++) {
        for (int turn = 0; turn < 3; turn++) {
            for (int g = 3; g < GAPS; g++) {
                gz_curved s = contacts[i].s, t = contacts[i].t;
                gz_curved first = {.kind = s.kind, .radius = s.radius},
                          second = {.kind = t.kind, .radius = t.radius};
                for (int k = 0; k < 3; k++) {
                    int to = (k + turn) % 3;
                    first.a[to] = s.a[k];
                    first.b[to] = s.b[k];
                    second.a[to] = t.a[k] + gaps[g] * contacts[i].away[k];
                    second.b[to] = t.b[k] + gaps[g] * contacts[i].away[k];
                }
                bool there = gz_curved_pair_collide(&first, &second, 0, NULL);
                bool back = gz_curved_pair_collide(&second, &first, 0, NULL);
                if (gaps[g] == 0) assert_true(there && back);
                if (gaps[g] > 1.1e-9) assert_false(there || back);
                // The same as a margin.
                if (gaps[g] > 1.1e-9) {
                    assert_true(gz_curved_pair_collide(&first, &second, gaps[g] + 1e-13, NULL));
                    assert_false(gz_curved_pair_collide(&first, &second, gaps[g] - 1.1e-9, NULL));
                }
            }
        }
    }
}

static void test_triangles_of_known_distance_are_judged_at_every_gap(void **state) {
    (void)state;
    // A floor (a large one, too) under shapes that stand, lie, lean on a rim, and hang on a corner.
    static const gz_curved above[] = {
        SPHERE(0.25, 0.25, 0.5, 0.5),
        CAPSULE(-0.5, 0, 0.5, 0.5, 0.25, 0.5, 0.5),
        CAPSULE(0, 0, 0.5, 0, 1, 2, 0.5),
        CYLINDER(0, 0, 0, 0, 0, 1, 0.25),
        CYLINDER(-0.5, 0, 0.25, 0.5, 0, 0.25, 0.25),
        // Axis (3, 0, 4) / 5: the rim of radius 5 reaches 3 down.
        CYLINDER(0, 0, 3, 3, 0, 7, 5),
        CYLINDER(0, 0, 3, 3, 0, 7, 5),
    };
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++) {
        for (double size = 8; size < 200; size *= 4) {
            for (int g = 3; g < GAPS; g++) {
                double z = -gaps[g];
                const double floor[3][3] = {
                    {-size, -size, z}, {2 * size, -size, z}, {-size, 2 * size, z}};
                bool collide = gz_curved_triangle_collide(&above[i], floor, 0, NULL);
                if (gaps[g] == 0) assert_true(collide);
                if (gaps[g] > 1.1e-9) {
                    assert_false(collide);
                    assert_true(
                        gz_curved_triangle_collide(&above[i], floor, gaps[g] + 1e-12, NULL));
                    assert_false(
                        gz_curved_triangle_collide(&above[i], floor, gaps[g] - 1.2e-9, NULL));
                }
            }
        }
    }
}

static void test_a_triangle_inside_and_one_around_collide(void **state) {
    (void)state;
    static const gz_curved solids[] = {SPHERE(0, 0, 0, 1), CAPSULE(0, 0, -1, 0, 0, 1, 1),
                                       CYLINDER(0, 0, -1, 0, 0, 1, 1)};
    static const double inside[3][3] = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.2}};
    static const double around[3][3] = {{-90, -90, 0.5}, {90, -90, 0.5}, {0, 90, 0.5}};
    static const double along[3][3] = {{0.5, -90, -90}, {0.5, 90, -90}, {0.5, 0, 90}};
    for (int i = 0; i < 3; i++) {
        double point[3];
        assert_true(gz_curved_triangle_collide(&solids[i], inside, 0, point));
        assert_true(gz_curved_triangle_collide(&solids[i], around, 0, point));
        assert_true(gz_curved_triangle_collide(&solids[i], along, 0, point));
        assert_true(gz_curved_triangle_collide(&solids[i], along, 0.01, point));
        assert_true(gz_curved_pair_collide(&solids[i], &solids[i], 0, point));
        gz_curved_center(&solids[i], point);
        assert_true(point[0] == 0 && point[1] == 0 && point[2] == 0);
    }
}

static void test_a_cylinder_without_length_counts_as_a_ball(void **state) {
    (void)state;
    const gz_curved disc = {GRAZE_SHAPE_CYLINDER, {1, 2, 3}, {1, 2, 3}, 0.5};
    const gz_curved near = SPHERE(1, 2, 4, 0.5), far = SPHERE(1, 2, 4, 0.49);
    assert_true(gz_curved_pair_collide(&disc, &near, 0, NULL));
    assert_false(gz_curved_pair_collide(&disc, &far, 0, NULL));
}

/// How much farther than its axis ends a cylinder may move when each of these moves by some small
/// distance, because its rims turn with the axis (docs/shapes.md).
static real sensitivity(const gz_curved *s) {
    double d[3];
    gz_subtract(s->b, s->a, d);
    return 1 + 4 * (real)s->radius / (real)gz_norm(d);
}

static void test_sensitivity_bounds_what_moving_the_ends_does(void **state) {
    (void)state;
    gz_random r = gz_random_make(13, 0);
    for (int i = 0; i < 2000; i++) {
        gz_curved s = random_curved(&r, GRAZE_SHAPE_CYLINDER), moved = s;
        if (s.a[0] > 50) continue;
        double step = 1e-8, d[3], e[3];
        random_direction(&r, d);
        random_direction(&r, e);
        for (int k = 0; k < 3; k++) {
            moved.a[k] += step * d[k];
            moved.b[k] += step * e[k];
        }
        set a = set_of_curved(&s), b = set_of_curved(&moved);
        // Rim points of one, as seen from the other.
        for (int c = 0; c < 8; c++) {
            double phi = gz_random_range(&r, 0, 6.3);
            real p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = a.p[c % 2][k] + a.radius * (cosl(phi) * a.u[k] + sinl(phi) * a.v[k]);
            }
            assert_true(point_distance(&b, p) <= 1.03L * step * sensitivity(&s));
        }
    }
}

/// A triangle that the axis pierces for certain, with one corner so little above the cap, or on it,
/// that the plane of the cap cuts off a tip below rounding.
static void test_a_tip_cut_off_by_a_cap_leaves_the_axis_inside(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 1);
    int pierced = 0;
    for (int i = 0; i < 5000; i++) {
        double h = ldexp(1 - 1e-3 * gz_random_unit(&r), (int)gz_random_below(&r, 6) - 3);
        const gz_curved s = CYLINDER(0, 0, -h, 0, 0, h, 1e-3 * h);
        double t[3][3], x = h * (0.5 + gz_random_unit(&r)), y = x * gz_random_range(&r, 0.5, 1);
        for (int k = 1; k < 3; k++) {
            double length = h * gz_random_range(&r, 5, 200), side = k == 1 ? 0.6 : -0.6;
            double angle = atan2(y, x) + M_PI + side * gz_random_range(&r, 0.3, 1.5);
            t[k][0] = x + length * cos(angle);
            t[k][1] = y + length * sin(angle);
            t[k][2] = -length * h / x * gz_random_range(&r, 0.3, 1);
        }
        t[0][0] = x, t[0][1] = y, t[0][2] = h;
        // The plane of the cap, grown by 2^-47 of what the two span.
        double most = 0;
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(t[k][0]) + fabs(t[k][1]) + fabs(t[k][2] + h));
        double limit = h + 0x1p-47 * (2 * h + s.radius + most), ulp = nextafter(limit, 9e9) - limit;
        for (int above = 0; above <= 128; above += above ? above : 1) {
            t[0][2] = limit + above * ulp;
            if (!gz_segment_intersects_triangle(s.a, s.b, (const double(*)[3])t)) continue;
            pierced++;
            assert_true(gz_curved_triangle_collide(&s, (const double(*)[3])t, 0, NULL));
        }
    }
    assert_true(pierced > 10000);
}

static void test_not_a_number_counts_as_a_collision(void **state) {
    (void)state;
    static const gz_curved solids[] = {SPHERE(0, 0, 0, 1), CAPSULE(0, 0, -1, 0, 0, 1, 1),
                                       CYLINDER(0, 0, -1, 0, 0, 1, 1)};
    const double bad[3][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    gz_curved lost = SPHERE(NAN, NAN, NAN, 1);
    for (int i = 0; i < 3; i++) {
        assert_true(gz_curved_triangle_collide(&solids[i], bad, 0, NULL));
        assert_true(gz_curved_triangle_collide(&solids[i], bad, 0.1, NULL));
        assert_true(gz_curved_pair_collide(&solids[i], &lost, 0, NULL));
    }
}

/// How far two cylinders are apart along a direction, at least.
static long double gap_along(const gz_curved *s, const gz_curved *t, const double n[3]) {
    long double extent[2] = {-INFINITY, -INFINITY}, norm = 0;
    const gz_curved *both[2] = {s, t};
    for (int k = 0; k < 3; k++) norm += (long double)n[k] * n[k];
    for (int i = 0; i < 2; i++) {
        const gz_curved *c = both[i];
        long double axis[3], across[3], length = 0, radial = 0;
        for (int k = 0; k < 3; k++) axis[k] = (long double)c->b[k] - c->a[k];
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            across[k] = n[u] * axis[v] - n[v] * axis[u];
            length += axis[k] * axis[k];
            radial += across[k] * across[k];
        }
        for (int e = 0; e < 2; e++) {
            long double sum = 0;
            for (int k = 0; k < 3; k++) sum += (i ? -1.0L : 1.0L) * n[k] * (e ? c->b : c->a)[k];
            extent[i] = fmaxl(extent[i], sum + c->radius * sqrtl(radial / length));
        }
    }
    return -(extent[0] + extent[1]) / sqrtl(norm);
}

/// The step that parts these gains less than the rounding of 106 bits.
static void test_large_flat_cylinders_farther_apart_than_epsilon_are_free(void **state) {
    (void)state;
    const gz_curved s = {.kind = GRAZE_SHAPE_CYLINDER,
                         .a = {-0x1.ea24468fa6823p+0, -0x1.a670514953181p+0, 0x1.aa8fa7d21d546p+0},
                         .b = {0x1.ea24468fa6823p+0, 0x1.a670514953181p+0, -0x1.aa8fa7d21d546p+0},
                         .radius = 0x1.9a92b7668a184p+17};
    const gz_curved t = {
        .kind = GRAZE_SHAPE_CYLINDER,
        .a = {0x1.94b9b56b77804p+10, -0x1.b3eda81479cfcp+9, 0x1.efa30cb583ffep+9},
        .b = {0x1.1f9c9849681e5p+12, 0x1.a8c04d44f9aa6p+10, -0x1.912b3d39d9ea9p+10},
        .radius = 0x1.1d44648770f06p+11};
    const double n[3] = {-0x1.a988080ed4dfp+35, -0x1.6ec0c44b1f07cp+35, 0x1.7254fd8ee0d4cp+35};
    long double gap = fmaxl(gap_along(&s, &t, n), gap_along(&t, &s, n));
    assert_true(gap > 3.3e-6L);
    // They span 220 km.
    assert_false(gz_curved_pair_collide(&s, &t, 0, NULL));
    assert_false(gz_curved_pair_collide(&t, &s, 0, NULL));
    assert_false(gz_curved_pair_collide(&s, &t, 3.3e-6 - 2.5e-12 * 220e3, NULL));
    assert_true(gz_curved_pair_collide(&s, &t, 3.4e-6, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_pairs_agree_with_minimisation),
        cmocka_unit_test(test_ball_and_cylinder_pairs_agree_with_minimisation),
        cmocka_unit_test(test_cylinder_pairs_agree_with_minimisation),
        cmocka_unit_test(test_spheres_and_triangles_agree_with_minimisation),
        cmocka_unit_test(test_capsules_and_triangles_agree_with_minimisation),
        cmocka_unit_test(test_cylinders_and_triangles_agree_with_minimisation),
        cmocka_unit_test(test_pairs_of_known_distance_are_judged_at_every_gap),
        cmocka_unit_test(test_triangles_of_known_distance_are_judged_at_every_gap),
        cmocka_unit_test(test_a_triangle_inside_and_one_around_collide),
        cmocka_unit_test(test_a_cylinder_without_length_counts_as_a_ball),
        cmocka_unit_test(test_sensitivity_bounds_what_moving_the_ends_does),
        cmocka_unit_test(test_a_tip_cut_off_by_a_cap_leaves_the_axis_inside),
        cmocka_unit_test(test_not_a_number_counts_as_a_collision),
        cmocka_unit_test(test_large_flat_cylinders_farther_apart_than_epsilon_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
