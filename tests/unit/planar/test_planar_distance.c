/// Signed distance: known cases, dense samples of borders, the inline forms, rectangles by
/// vertices, batches in every form.
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/planar_approach.h"
#include "planar/kernels.h"

static graze_planar_shape polygon(const double *xy, size_t n, double radius) {
    graze_planar_shape s;
    assert_int_equal(graze_planar_hull(&s, xy, n, radius, NULL), GRAZE_OK);
    return s;
}

static graze_planar_shape box(double x0, double y0, double x1, double y1, double radius) {
    double xy[] = {x0, y0, x1, y0, x1, y1, x0, y1};
    return polygon(xy, 4, radius);
}

static graze_planar_shape segment(double x0, double y0, double x1, double y1, double radius) {
    double xy[] = {x0, y0, x1, y1};
    return polygon(xy, 2, radius);
}

static graze_planar_shape circle(double x, double y, double radius) {
    double xy[] = {x, y};
    return polygon(xy, 1, radius);
}

static graze_planar_result solve(const graze_planar_shape *a, const graze_planar_shape *b) {
    graze_planar_result r;
    assert_int_equal(graze_planar_distance(a, b, &r), GRAZE_OK);
    return r;
}

static void expect(graze_planar_shape a, graze_planar_shape b, double distance, double nx,
                   double ny) {
    graze_planar_result r = solve(&a, &b), s = solve(&b, &a);
    assert_true(r.distance == distance && s.distance == distance);
    assert_true(hypot(r.normal.x - nx, r.normal.y - ny) < 2e-16);
    assert_true(hypot(s.normal.x + nx, s.normal.y + ny) < 2e-16);
}

static void known_distances_are_exact(void **state) {
    (void)state;
    expect(circle(0, 0, 1), circle(3, 4, 1), 3, 0.6, 0.8);
    expect(circle(0, 0, 1), circle(1, 0, 2), -2, 1, 0);
    expect(circle(0, 3, 1), segment(-5, 0, 5, 0, 1), 1, 0, -1);
    expect(box(0, 0, 1, 1, 0), box(3, 0, 4, 1, 0), 2, 1, 0);      // parallel edges
    expect(box(0, 0, 1, 1, 0), box(1, 0, 4, 1, 0), 0, 1, 0);      // sharing an edge
    expect(box(0, 0, 1, 1, 0), box(4, 5, 5, 6, 0), 5, 0.6, 0.8);  // corner to corner
    expect(box(0, 0, 4, 4, 0), box(3, 1, 9, 3, 0), -1, 1, 0);     // the shorter way out
    expect(box(0, 0, 8, 8, 0), box(6, 3, 7, 4, 0.5), -2.5, 1, 0); // contained, with a radius
    expect(segment(-1, 0, 1, 0, 0), segment(-1, 2, 1, 2, 0), 2, 0, 1);
    expect(segment(0, 0, 1, 0, 0), segment(3, 0, 4, 0, 0.5), 1.5, 1, 0); // on one line
    expect(segment(-4, 0, 4, 0, 0), segment(0, -1, 0, 3, 0), -1, 0, 1);  // crossing
}

static void a_tie_is_settled_by_the_arguments_alone(void **state) {
    (void)state;
    graze_planar_shape a = circle(2, 2, 1), b = circle(2, 2, 3);
    graze_planar_result r = solve(&a, &b);
    assert_true(r.distance == -4 && r.normal.x == 1 && r.normal.y == 0);
    a = box(0, 0, 1, 1, 0);
    r = solve(&a, &a);
    graze_planar_result again = solve(&a, &a);
    assert_true(r.distance == -1);
    assert_memory_equal(&r.normal, &again.normal, sizeof r.normal);
}

// Touching shapes with radius 0, where no difference of points gives a direction.
static void touching_corners_have_a_normal_that_separates(void **state) {
    (void)state;
    graze_planar_shape pairs[][2] = {
        {segment(0, 0, 4, 0, 0), segment(4, 0, 6, 3, 0)},
        {segment(0, 0, 4, 0, 0), segment(2, 0, 3, 2, 0)},
        {segment(0, 0, 4, 0, 0), segment(2, 0, 9, 0, 0)},
        {box(0, 0, 1, 1, 0), box(1, 1, 2, 2, 0)},
        {box(0, 0, 1, 1, 0), segment(1, 0.5, 3, 0.25, 0)},
        {box(0, 0, 1, 1, 0), circle(1, 1, 0)},
        {circle(4, 0, 0), segment(0, 0, 4, 0, 0)},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const graze_planar_shape *a = &pairs[i][0], *b = &pairs[i][1];
        graze_planar_result r = solve(a, b);
        assert_true(r.distance == 0);
        assert_true(fabs(hypot(r.normal.x, r.normal.y) - 1) < 1e-15);
        double most = -INFINITY, least = INFINITY;
        for (int k = 0; k < a->count; k++)
            most = fmax(most, a->vertices[k].x * r.normal.x + a->vertices[k].y * r.normal.y);
        for (int k = 0; k < b->count; k++)
            least = fmin(least, b->vertices[k].x * r.normal.x + b->vertices[k].y * r.normal.y);
        assert_true(least - most >= -1e-15);
    }
}

// --------------------------------------------------------------------- borders, densely sampled

// The largest f(n) over many directions is a lower bound, near the truth: f falls by at most the
// largest distance of two points times the angle to the best direction.
static double sampled_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                               double *slack) {
    double best = -INFINITY, far = 0;
    for (int i = 0; i < 4096; i++) {
        double t = i * (6.283185307179586 / 4096), x = cos(t), y = sin(t);
        double most = -INFINITY, least = INFINITY;
        for (int k = 0; k < a->count; k++)
            most = fmax(most, a->vertices[k].x * x + a->vertices[k].y * y);
        for (int k = 0; k < b->count; k++)
            least = fmin(least, b->vertices[k].x * x + b->vertices[k].y * y);
        best = fmax(best, least - most);
    }
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++)
            far = fmax(far, hypot(a->vertices[i].x - b->vertices[k].x,
                                  a->vertices[i].y - b->vertices[k].y));
    }
    *slack = far * 6.283185307179586 / 8192 + 1e-12;
    return best - a->radius - b->radius;
}

static graze_planar_shape random_shape(gz_random *random) {
    double xy[2 * 16], x = gz_random_range(random, -2, 2), y = gz_random_range(random, -2, 2);
    size_t n = 1 + gz_random_below(random, 16);
    for (size_t i = 0; i < n; i++) {
        xy[2 * i] = x + gz_random_range(random, -1, 1);
        xy[2 * i + 1] = y + gz_random_range(random, -1, 1);
    }
    return polygon(xy, n, gz_random_below(random, 2) ? gz_random_unit(random) : 0);
}

static void random_shapes_agree_with_many_directions(void **state) {
    (void)state;
    gz_random random = gz_random_make(11, 1);
    for (int i = 0; i < 3000; i++) {
        graze_planar_shape a = random_shape(&random), b = random_shape(&random);
        graze_planar_result r = solve(&a, &b);
        double slack, sampled = sampled_distance(&a, &b, &slack);
        assert_true(r.distance >= sampled - 1e-12 && r.distance <= sampled + slack);
    }
}

static void the_translation_by_the_depth_separates(void **state) {
    (void)state;
    gz_random random = gz_random_make(12, 1);
    int overlapping = 0;
    for (int i = 0; i < 3000; i++) {
        graze_planar_shape a = random_shape(&random), b = random_shape(&random);
        graze_planar_result r = solve(&a, &b);
        graze_transform2 t = {1, 0, -r.distance * r.normal.x, -r.distance * r.normal.y};
        assert_int_equal(graze_planar_transform(&b, &b, &t, NULL), GRAZE_OK);
        overlapping += r.distance < 0;
        assert_true(fabs(solve(&a, &b).distance) < 1e-14);
    }
    assert_true(overlapping > 500);
}

// ------------------------------------------------------------------------------------ the forms

// The largest gap of the edges' lines in long double: below 0 where the polygons overlap, and else
// no more than the distance.
static long double widest_gap(const graze_planar_shape *a, const graze_planar_shape *b) {
    long double widest = -INFINITY;
    for (int side = 0; side < 2; side++) {
        const graze_planar_shape *p = side ? b : a, *q = side ? a : b;
        for (int i = 0; i < p->count; i++) {
            int k = (i + 1) % p->count;
            long double x = (long double)p->vertices[k].x - p->vertices[i].x,
                        y = (long double)p->vertices[k].y - p->vertices[i].y;
            long double least = INFINITY;
            for (int j = 0; j < q->count; j++) {
                least = fminl(least, y * (q->vertices[j].x - (long double)p->vertices[i].x) -
                                         x * (q->vertices[j].y - (long double)p->vertices[i].y));
            }
            widest = fmaxl(widest, least / hypotl(x, y));
        }
    }
    return widest;
}

// Points on a line, but for rounding: edges there and edges back are as near as each other.
static graze_planar_shape sliver(gz_random *random) {
    double xy[12], x = gz_random_range(random, -2, 2), y = gz_random_range(random, -2, 2);
    double dx = gz_random_range(random, -2, 2), dy = gz_random_range(random, -2, 2);
    size_t n = 3 + gz_random_below(random, 4);
    for (size_t i = 0; i < n; i++) {
        double t = i < 2 ? (double)i : gz_random_range(random, 0, 1);
        xy[2 * i] = x + t * dx;
        xy[2 * i + 1] = y + t * dy;
    }
    return polygon(xy, n, 0);
}

static void a_sliver_turns_its_back_on_nobody(void **state) {
    (void)state;
    gz_random random = gz_random_make(14, 1);
    int apart = 0;
    for (int i = 0; i < 20000; i++) {
        graze_planar_shape a = sliver(&random);
        graze_planar_shape b = i % 3 ? random_shape(&random) : sliver(&random);
        a.radius = b.radius = 0;
        if (a.count < 3 || b.count < 3) continue;
        double gap = (double)widest_gap(&a, &b);
        graze_planar_result r = solve(&a, &b), s = solve(&b, &a);
        if (gap <= 0) {
            assert_true(fabs(r.distance - gap) < 1e-12 && fabs(s.distance - gap) < 1e-12);
            continue;
        }
        assert_true(r.distance > gap - 1e-12 && fabs(r.distance - s.distance) < 1e-12);
        apart++;
        double rows[2][33], distance;
        graze_planar_array arrays[2];
        for (int side = 0; side < 2; side++) {
            assert_int_equal(
                graze_planar_array_set(rows[side], 1, 0, GRAZE_PLANAR_POLYGON, 16, side ? &b : &a),
                GRAZE_OK);
            arrays[side] = (graze_planar_array){GRAZE_PLANAR_POLYGON, 16, 1, 1, rows[side]};
        }
        assert_int_equal(graze_planar_distance_batch(&arrays[0], &arrays[1], &distance), GRAZE_OK);
        assert_true(fabs(distance - r.distance) < 1e-12);
    }
    assert_true(apart > 1000);
}

static void the_largest_coordinates_are_answered(void **state) {
    (void)state;
    // Relative to A's first vertex both reach farther than a coordinate may.
    double most = GRAZE_PLANAR_COORDINATE_MAX;
    double corner[] = {-most, -most, most, -most, -most, most};
    double other[] = {most, most, most / 2, most, most, most / 2};
    graze_planar_shape a = polygon(corner, 3, 0), b = polygon(other, 3, 0);
    double gap = most * sqrt(1.125);
    graze_planar_result r = solve(&a, &b);
    assert_true(fabs(r.distance / gap - 1) < 1e-13 && fabs(r.normal.x - sqrt(0.5)) < 1e-13);
    a.radius = most;
    assert_true(fabs(solve(&b, &a).distance / (gap - most) - 1) < 1e-12);
    double rows_a[7], rows_b[7], distance;
    assert_int_equal(graze_planar_array_set(rows_a, 1, 0, GRAZE_PLANAR_POLYGON, 3, &a), GRAZE_OK);
    assert_int_equal(graze_planar_array_set(rows_b, 1, 0, GRAZE_PLANAR_POLYGON, 3, &b), GRAZE_OK);
    graze_planar_array of_a = {GRAZE_PLANAR_POLYGON, 3, 1, 1, rows_a};
    graze_planar_array of_b = {GRAZE_PLANAR_POLYGON, 3, 1, 1, rows_b};
    assert_int_equal(graze_planar_distance_batch(&of_a, &of_b, &distance), GRAZE_OK);
    assert_true(fabs(distance / (gap - most) - 1) < 1e-12);
}

static void bad_arguments_are_refused_and_nothing_is_written(void **state) {
    (void)state;
    graze_planar_shape a = box(0, 0, 1, 1, 0), bad = a;
    graze_planar_result r, untouched;
    memset(&r, 77, sizeof r);
    memset(&untouched, 77, sizeof untouched);
    bad.count = 0;
    assert_int_equal(graze_planar_distance(&a, &bad, &r), GRAZE_ERROR_ARGUMENT);
    bad.count = 17;
    assert_int_equal(graze_planar_distance(&bad, &a, &r), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_distance(NULL, &a, &r), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_distance(&a, &a, NULL), GRAZE_ERROR_ARGUMENT);
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (size_t k = 0; k < 4; k++) {
        for (int32_t count = 1; count <= 8; count++) {
            for (int32_t i = 0; i < count; i++) {
                double xy[16];
                for (int v = 0; v < 8; v++) xy[2 * v] = cos(v), xy[2 * v + 1] = sin(v);
                bad = polygon(xy, (size_t)count, 0.5);
                bad.vertices[i].y = numbers[k];
                assert_int_equal(graze_planar_distance(&a, &bad, &r), GRAZE_ERROR_RANGE);
                assert_int_equal(graze_planar_distance(&bad, &bad, &r), GRAZE_ERROR_RANGE);
                bad = polygon(xy, (size_t)count, 0.5);
                bad.radius = numbers[k];
                assert_int_equal(graze_planar_distance(&bad, &a, &r), GRAZE_ERROR_RANGE);
            }
        }
    }
    assert_memory_equal(&r, &untouched, sizeof r);
}

// Bit for bit but for the padding, which builds without optimisation leave as it was.
static void assert_same(const graze_planar_result *p, const graze_planar_result *q) {
    assert_memory_equal(p, q, offsetof(graze_planar_result, feature_a));
    assert_int_equal(p->feature_a.index, q->feature_a.index);
    assert_int_equal(p->feature_a.edge, q->feature_a.edge);
    assert_int_equal(p->feature_b.index, q->feature_b.index);
    assert_int_equal(p->feature_b.edge, q->feature_b.edge);
}

static void the_forms_of_the_quick_way_give_the_same_bits(void **state) {
    (void)state;
    gz_random random = gz_random_make(13, 1);
    for (int i = 0; i < 20000; i++) {
        graze_planar_shape a = random_shape(&random), b = i % 5 ? random_shape(&random) : a;
        graze_planar_result r[3];
        memset(r, 0, sizeof r);
        gz_planar_kernels_for(GZ_ISA_BASE)->polygon(&a, &b, &r[0]);
        for (int k = 1; k < 3; k++) {
            gz_isa isa = k == 2 && gz_processor_has_avx2() ? GZ_ISA_AVX2 : GZ_ISA_SCALAR;
            gz_planar_kernels_for(isa)->polygon(&a, &b, &r[k]);
            assert_same(&r[0], &r[k]);
        }
    }
}

static double turned_rectangle(gz_random *random, double xy[8], bool clockwise) {
    double x = gz_random_range(random, -2, 2), y = gz_random_range(random, -2, 2);
    graze_transform2 t = graze_transform2_make(x, y, gz_random_range(random, -3, 3));
    double u = gz_random_range(random, 0.1, 1), v = gz_random_range(random, 0.1, 1);
    for (int i = 0; i < 4; i++) {
        int k = clockwise ? 3 - i : i;
        graze_vec2 p = {k == 1 || k == 2 ? u : -u, k >= 2 ? v : -v};
        p = graze_transform2_point(&t, p);
        xy[2 * i] = p.x;
        xy[2 * i + 1] = p.y;
    }
    return u * v;
}

static double to_segment(const double *p, const double *a, const double *b) {
    double ex = b[0] - a[0], ey = b[1] - a[1], wx = p[0] - a[0], wy = p[1] - a[1];
    double t = fmin(fmax((wx * ex + wy * ey) / (ex * ex + ey * ey), 0), 1);
    return hypot(wx - t * ex, wy - t * ey);
}

/// Rectangles as polygons of their vertices, either way around: features are those of the caller's
/// vertices, counted the other way where they run clockwise.
static void features_name_vertices_and_edges_as_given(void **state) {
    (void)state;
    gz_random random = gz_random_make(14, 1);
    for (int i = 0; i < 5000; i++) {
        double ab[2][8];
        for (int k = 0; k < 2; k++) turned_rectangle(&random, ab[k], i >> k & 1);
        graze_planar_shape a, b;
        assert_int_equal(graze_planar_polygon(&a, ab[0], 4, 0, NULL), GRAZE_OK);
        assert_int_equal(graze_planar_polygon(&b, ab[1], 4, 0, NULL), GRAZE_OK);
        graze_planar_result r = solve(&a, &b);
        graze_planar_feature of[2] = {r.feature_a, r.feature_b};
        assert_false(of[0].edge && of[1].edge);
        int side = of[0].edge ? 1 : 0; // whose vertex it is
        for (int k = 0; k < 2; k++)
            if (i >> k & 1) of[k].index = of[k].edge ? 3 - of[k].index : (4 - of[k].index) % 4;
        const double *v = ab[side] + 2 * of[side].index, *e = ab[!side];
        int from = of[!side].index, to = of[!side].edge ? (from + 1) % 4 : from;
        double d = from == to ? hypot(v[0] - e[2 * from], v[1] - e[2 * from + 1])
                              : to_segment(v, e + 2 * from, e + 2 * to);
        assert_true(fabs(d - fabs(r.distance)) < 1e-14);
        for (int k = 0; r.distance > 0 && k < 32; k++) { // the least of all 32
            const double *q = ab[k / 16] + 2 * (k % 4), *f = ab[1 - k / 16];
            int edge = k / 4 % 4;
            assert_true(to_segment(q, f + 2 * edge, f + 2 * ((edge + 1) % 4)) >=
                        r.distance - 1e-14);
        }
    }
}

// -------------------------------------------------------------------------------- environments

typedef struct pair_answers {
    graze_planar_result distance;
    graze_planar_approach_result approach;
} pair_answers;

static pair_answers answers_of(const graze_planar_shape *a, const graze_planar_shape *b,
                               graze_vec2 v) {
    pair_answers out;
    memset(&out, 0, sizeof out);
    assert_int_equal(graze_planar_distance(a, b, &out.distance), GRAZE_OK);
    assert_int_equal(graze_planar_approach(a, (graze_vec2){0, 0}, b, v, 9, &out.approach),
                     GRAZE_OK);
    return out;
}

static void no_environment_of_the_host_changes_a_bit(void **state) {
    (void)state;
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    gz_random random = gz_random_make(16, 1);
    for (int i = 0; i < 4000; i++) {
        graze_planar_shape s[2];
        for (int k = 0; k < 2; k++) {
            double x = gz_random_range(&random, -3, 3), y = gz_random_range(&random, -3, 3);
            double xy[] = {x, y, x + gz_random_range(&random, -1, 1), y + 1, x - 1, y + 0.5};
            double radius = i % 3 ? gz_random_unit(&random) : ldexp(1, -(i % 700));
            s[k] = polygon(xy, 1 + gz_random_below(&random, 3), radius);
        }
        if (i % 50 == 0) s[1] = s[0];
        graze_vec2 v = {gz_random_range(&random, -1, 1), i % 7 ? gz_random_unit(&random) : 0};
        if (i % 11 == 0) v = (graze_vec2){0, 0};
        pair_answers usual = answers_of(&s[0], &s[1], v);
        for (int k = 0; k < 10; k++) {
            fenv_t found;
            fegetenv(&found);
            feclearexcept(FE_ALL_EXCEPT);
            fesetround(roundings[k % 4]);
#if defined(__SSE2__)
            // Flushing; k = 8: rounding in MXCSR alone; k = 9: exceptions trap.
            if (k >= 4) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);
            if (k == 8) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x4000u);
#endif
#ifdef __GLIBC__
            if (k == 9) feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_INEXACT);
#endif
            pair_answers here = answers_of(&s[0], &s[1], v);
            fesetenv(&found);
            assert_same(&here.distance, &usual.distance);
            const graze_planar_approach_result *p = &here.approach, *q = &usual.approach;
            assert_true(p->time == q->time && p->distance == q->distance && p->hit == q->hit);
            assert_memory_equal(&p->normal, &q->normal, sizeof p->normal);
            assert_memory_equal(&p->point_a, &q->point_a, sizeof p->point_a);
            assert_memory_equal(&p->point_b, &q->point_b, sizeof p->point_b);
        }
    }
}

// -------------------------------------------------------------------------------------- batches

#define PAIRS 103 // no multiple of any number of lanes

static void fill(gz_random *random, graze_planar_kind kind, graze_planar_shape *shapes,
                 double *rows, int32_t vertices) {
    for (size_t i = 0; i < PAIRS; i++) {
        graze_planar_shape *s = &shapes[i];
        if (kind == GRAZE_PLANAR_RECTANGLE) {
            double xy[8];
            turned_rectangle(random, xy, false);
            *s = polygon(xy, 4, gz_random_unit(random));
        } else {
            int most = kind == GRAZE_PLANAR_CIRCLE    ? 1
                       : kind == GRAZE_PLANAR_CAPSULE ? 2
                                                      : vertices;
            do {
                *s = random_shape(random);
            } while (s->count > most);
        }
        assert_int_equal(graze_planar_array_set(rows, PAIRS, i, kind, vertices, s), GRAZE_OK);
    }
}

static void batches_agree_with_single_pairs_in_every_form(void **state) {
    (void)state;
    gz_random random = gz_random_make(15, 1);
    static const char *const forms[] = {"scalar", "sse2", "avx2"};
    for (int k = 0; k < 16; k++) {
        graze_planar_kind ka = (graze_planar_kind)(k / 4), kb = (graze_planar_kind)(k % 4);
        for (int32_t vertices = 3; vertices <= 8; vertices += 5) {
            static graze_planar_shape a[PAIRS], b[PAIRS];
            static double ra[33 * PAIRS], rb[33 * PAIRS];
            fill(&random, ka, a, ra, vertices);
            fill(&random, kb, b, rb, vertices);
            graze_planar_array aa = {ka, vertices, PAIRS, PAIRS, ra},
                               bb = {kb, vertices, PAIRS, PAIRS, rb};
            double first[PAIRS + 1], out[PAIRS + 1];
            for (int f = 0; f < 3; f++) {
                assert_int_equal(setenv("GRAZE_ISA", forms[f], 1), 0);
                out[PAIRS] = 42;
                assert_int_equal(graze_planar_distance_batch(&aa, &bb, out), GRAZE_OK);
                assert_true(out[PAIRS] == 42);
                if (f == 0) memcpy(first, out, sizeof out);
                assert_memory_equal(first, out, sizeof out);
            }
            for (size_t i = 0; i < PAIRS; i++)
                assert_true(fabs(out[i] - solve(&a[i], &b[i]).distance) < 1e-14);
            // One against all, from either side.
            aa.count = 1;
            assert_int_equal(graze_planar_distance_batch(&aa, &bb, out), GRAZE_OK);
            for (size_t i = 0; i < PAIRS; i++)
                assert_true(fabs(out[i] - solve(&a[0], &b[i]).distance) < 1e-14);
            aa.count = PAIRS, bb.count = 1;
            assert_int_equal(graze_planar_distance_batch(&aa, &bb, out), GRAZE_OK);
            for (size_t i = 0; i < PAIRS; i++)
                assert_true(fabs(out[i] - solve(&a[i], &b[0]).distance) < 1e-14);
        }
    }
    unsetenv("GRAZE_ISA");
}

// --------------------------------------- batches of polygons: pairs beyond single precision

static void expect_batch_of_polygons(const graze_planar_shape *a, const graze_planar_shape *b,
                                     int32_t vertices, double tolerance) {
    static const char *const forms[] = {"scalar", "sse2", "avx2"};
    static double rows[2][33 * PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
        assert_int_equal(
            graze_planar_array_set(rows[0], PAIRS, i, GRAZE_PLANAR_POLYGON, vertices, &a[i]),
            GRAZE_OK);
        assert_int_equal(
            graze_planar_array_set(rows[1], PAIRS, i, GRAZE_PLANAR_POLYGON, vertices, &b[i]),
            GRAZE_OK);
    }
    graze_planar_array aa = {GRAZE_PLANAR_POLYGON, vertices, PAIRS, PAIRS, rows[0]},
                       bb = {GRAZE_PLANAR_POLYGON, vertices, PAIRS, PAIRS, rows[1]};
    double first[PAIRS], out[PAIRS];
    for (int f = 0; f < 3; f++) {
        assert_int_equal(setenv("GRAZE_ISA", forms[f], 1), 0);
        assert_int_equal(graze_planar_distance_batch(&aa, &bb, out), GRAZE_OK);
        if (f == 0) memcpy(first, out, sizeof out);
        assert_memory_equal(first, out, sizeof out);
    }
    unsetenv("GRAZE_ISA");
    for (size_t i = 0; i < PAIRS; i++)
        assert_true(fabs(out[i] - solve(&a[i], &b[i]).distance) <= tolerance);
}

// An octagon about (x, y), each side at its own distance from there.
static graze_planar_shape octagon(double x, double y, const double sides[8], double tilt) {
    double xy[16];
    for (int i = 0; i < 8; i++) {
        // Where the lines of sides i and i + 1 meet.
        double t = tilt + i * 0.78539816339744831, p = sides[i], q = sides[(i + 1) % 8];
        double along = (q - p * 0.70710678118654757) / 0.70710678118654757;
        xy[2 * i] = x + p * cos(t) - along * sin(t);
        xy[2 * i + 1] = y + p * sin(t) + along * cos(t);
    }
    return polygon(xy, 8, 0);
}

// A small octagon in a large one whose sides are nearly equally far: the nearest is nearest by less
// than floats can resolve, or by as much as they just can.
static void the_shortest_of_nearly_equal_ways_out_is_found(void **state) {
    (void)state;
    gz_random random = gz_random_make(17, 1);
    static graze_planar_shape a[PAIRS], b[PAIRS];
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < PAIRS; i++) {
            double sides[8], small[8], x = gz_random_range(&random, -9, 9),
                                       tilt = gz_random_range(&random, -3, 3),
                                       by = pow(10, gz_random_range(&random, -12, -2));
            for (int k = 0; k < 8; k++) {
                sides[k] = 1 + by * gz_random_unit(&random);
                small[k] = 0.1;
            }
            a[i] = octagon(x, -x, sides, tilt);
            b[i] = octagon(x, -x, small, tilt);
        }
        expect_batch_of_polygons(a, b, 8, 1e-14);
    }
}

// Far from the origin, far from each other, tiny, huge, with corners that repeat: where the quick
// way has no float to go by, or none that is good enough.
static void polygons_of_any_size_and_place_agree_with_single_pairs(void **state) {
    (void)state;
    gz_random random = gz_random_make(18, 1);
    static const double scales[] = {1, 1e-25, 1e-12, 1e-6, 1e6, 1e12, 1e20};
    static graze_planar_shape a[PAIRS], b[PAIRS];
    for (size_t s = 0; s < 3 * sizeof scales / sizeof *scales; s++) {
        double scale = scales[s / 3], apart = s % 3 == 1 ? 1000 * scale : 0,
               away = s % 3 == 2 ? 1e7 * scale : 0, most = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            graze_planar_shape *shapes[2] = {&a[i], &b[i]};
            for (int k = 0; k < 2; k++) {
                graze_planar_shape given = random_shape(&random);
                double xy[32];
                for (int v = 0; v < given.count; v++) {
                    xy[2 * v] = given.vertices[v].x * scale + away + k * apart;
                    xy[2 * v + 1] = given.vertices[v].y * scale - away;
                    most = fmax(most, fmax(fabs(xy[2 * v]), fabs(xy[2 * v + 1])));
                }
                *shapes[k] = polygon(xy, (size_t)given.count, 0);
            }
        }
        expect_batch_of_polygons(a, b, 16, 256 * 0x1p-52 * most);
    }
}

// Rows whole pages apart are copied first; the answers are those of other strides.
static void strides_do_not_change_a_bit(void **state) {
    (void)state;
    gz_random random = gz_random_make(16, 1);
    static graze_planar_shape shapes[2][PAIRS];
    static double rows[2][17 * PAIRS], wide[2][17 * 512];
    graze_planar_array narrow_arrays[2], wide_arrays[2];
    for (int side = 0; side < 2; side++) {
        fill(&random, GRAZE_PLANAR_POLYGON, shapes[side], rows[side], 8);
        for (int k = 0; k < 17; k++)
            memcpy(wide[side] + 512 * k, rows[side] + PAIRS * k, PAIRS * sizeof(double));
        narrow_arrays[side] = (graze_planar_array){GRAZE_PLANAR_POLYGON, 8, PAIRS, PAIRS,
                                                   rows[side]};
        wide_arrays[side] = (graze_planar_array){GRAZE_PLANAR_POLYGON, 8, PAIRS, 512, wide[side]};
    }
    double one[PAIRS], other[PAIRS];
    assert_int_equal(graze_planar_distance_batch(&narrow_arrays[0], &narrow_arrays[1], one),
                     GRAZE_OK);
    assert_int_equal(graze_planar_distance_batch(&wide_arrays[0], &wide_arrays[1], other),
                     GRAZE_OK);
    assert_memory_equal(one, other, sizeof one);
}

static void bad_batches_are_refused(void **state) {
    (void)state;
    double rows[33] = {0}, out[4];
    graze_planar_array good = {GRAZE_PLANAR_CIRCLE, 0, 1, 1, rows}, bad = good;
    assert_int_equal(graze_planar_distance_batch(&good, &good, out), GRAZE_OK);
    assert_int_equal(graze_planar_distance_batch(&good, &good, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_distance_batch(NULL, &good, out), GRAZE_ERROR_ARGUMENT);
    bad.data = NULL;
    assert_int_equal(graze_planar_distance_batch(&bad, &good, out), GRAZE_ERROR_ARGUMENT);
    bad = good, bad.kind = (graze_planar_kind)9;
    assert_int_equal(graze_planar_distance_batch(&bad, &good, out), GRAZE_ERROR_ARGUMENT);
    bad = good, bad.stride = 0;
    assert_int_equal(graze_planar_distance_batch(&bad, &good, out), GRAZE_ERROR_ARGUMENT);
    bad = good, bad.kind = GRAZE_PLANAR_POLYGON, bad.vertex_count = 17;
    assert_int_equal(graze_planar_distance_batch(&bad, &good, out), GRAZE_ERROR_ARGUMENT);
    bad = good, bad.count = bad.stride = 2;
    graze_planar_array three = good;
    three.count = three.stride = 3;
    assert_int_equal(graze_planar_distance_batch(&bad, &three, out), GRAZE_ERROR_ARGUMENT);
    good.count = 0;
    assert_int_equal(graze_planar_distance_batch(&good, &good, out), GRAZE_OK);
    graze_planar_shape triangle = random_shape(&(gz_random){1});
    double xy[] = {0, 0, 1, 0, 0, 1};
    triangle = polygon(xy, 3, 0);
    assert_int_equal(graze_planar_array_set(rows, 1, 0, GRAZE_PLANAR_RECTANGLE, 0, &triangle),
                     GRAZE_ERROR_UNSUPPORTED);
    assert_int_equal(graze_planar_array_set(rows, 1, 0, GRAZE_PLANAR_CAPSULE, 0, &triangle),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_array_set(rows, 1, 1, GRAZE_PLANAR_POLYGON, 3, &triangle),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_row_count(GRAZE_PLANAR_POLYGON, 16), GRAZE_PLANAR_ROW_MAX);
    assert_int_equal(graze_planar_row_count(GRAZE_PLANAR_POLYGON, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_distances_are_exact),
        cmocka_unit_test(a_tie_is_settled_by_the_arguments_alone),
        cmocka_unit_test(touching_corners_have_a_normal_that_separates),
        cmocka_unit_test(random_shapes_agree_with_many_directions),
        cmocka_unit_test(the_translation_by_the_depth_separates),
        cmocka_unit_test(a_sliver_turns_its_back_on_nobody),
        cmocka_unit_test(the_largest_coordinates_are_answered),
        cmocka_unit_test(bad_arguments_are_refused_and_nothing_is_written),
        cmocka_unit_test(the_forms_of_the_quick_way_give_the_same_bits),
        cmocka_unit_test(features_name_vertices_and_edges_as_given),
        cmocka_unit_test(no_environment_of_the_host_changes_a_bit),
        cmocka_unit_test(batches_agree_with_single_pairs_in_every_form),
        cmocka_unit_test(the_shortest_of_nearly_equal_ways_out_is_found),
        cmocka_unit_test(polygons_of_any_size_and_place_agree_with_single_pairs),
        cmocka_unit_test(strides_do_not_change_a_bit),
        cmocka_unit_test(bad_batches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
