/// Cylinders against triangles, balls, capsules and each other: against dense samples, and at
/// distances that are known.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "verify/exact.h"

static gz_exact *exact;
static gz_exact_cylinder *cylinders;

static int set_up(void **state) {
    (void)state;
    exact = gz_exact_create();
    cylinders = gz_exact_cylinder_create();
    return exact != NULL && cylinders != NULL ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    gz_exact_free(exact);
    gz_exact_cylinder_free(cylinders);
    return 0;
}

static gz_nearness compare(const gz_solid *a, const gz_solid *b, double margin, double tolerance) {
    double threshold[2] = {margin, tolerance};
    gz_nearness one = gz_exact_cylinder_within(cylinders, exact, a, b, threshold);
    gz_nearness other = gz_exact_cylinder_within(cylinders, exact, b, a, threshold);
    // The other way round the proofs may succeed where these did not, but never contradict them.
    assert_false((one == GZ_NEAR && other == GZ_APART) || (one == GZ_APART && other == GZ_NEAR));
    return one;
}

/// How far a point is from a solid, by the formulas of school.
static double point_distance(const double p[3], const gz_solid *s) {
    const double *a = s->simplex.corners[0], *b = s->simplex.corners[s->simplex.count - 1];
    double d[3], w[3], length = 0, along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        w[k] = p[k] - a[k];
        length += d[k] * d[k];
        along += w[k] * d[k];
        square += w[k] * w[k];
    }
    length = sqrt(length);
    along = length > 0 ? along / length : 0;
    double beyond = fmax(0, fmax(-along, along - length));
    double across = sqrt(fmax(0, square - along * along));
    if (s->flat_ended) return hypot(beyond, fmax(0, across - s->radius));
    return fmax(0, hypot(beyond, across) - s->radius);
}

#define SAMPLES 160

/// The least distance from samples of b's simplex to a, less b's radius: not below the real
/// distance.
static double sampled(const gz_solid *a, const gz_solid *b) {
    double least = INFINITY;
    int most_v = b->simplex.count == 3 ? SAMPLES : 0, most_u = b->simplex.count > 1 ? SAMPLES : 0;
    for (int u = 0; u <= most_u; u++) {
        for (int v = 0; v <= (most_v > 0 ? most_v - u : 0); v++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                double o = b->simplex.corners[0][k];
                p[k] = o;
                if (most_u > 0) p[k] += (b->simplex.corners[1][k] - o) * u / SAMPLES;
                if (most_v > 0) p[k] += (b->simplex.corners[2][k] - o) * v / SAMPLES;
            }
            least = fmin(least, point_distance(p, a));
        }
    }
    return fmax(0, least - b->radius);
}

static void fill(gz_random *random, gz_solid *s, int count, double radius, bool flat) {
    *s = (gz_solid){.simplex = {.count = count}, .radius = radius, .flat_ended = flat};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) s->simplex.corners[i][k] = 2 * gz_random_unit(random) - 1;
}

static void test_verdicts_agree_with_samples(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 0);
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < 1500; i++) {
        gz_solid a, b;
        fill(&random, &a, 2, 0.05 + 0.5 * gz_random_unit(&random), true);
        int count = 1 + (int)gz_random_below(&random, 3);
        fill(&random, &b, count, count < 3 ? 0.2 * gz_random_unit(&random) : 0, false);
        double margin = i % 2 == 0 ? 0 : 0.3 * gz_random_unit(&random);
        double above = sampled(&a, &b);
        // Neighbouring samples are at most 2 sqrt 3 / SAMPLES apart in each direction.
        double below = above - 2 * 3.47 / SAMPLES;
        gz_nearness found = compare(&a, &b, margin, 0);
        counts[found]++;
        if (above < margin - 1e-9) assert_int_equal(found, GZ_NEAR);
        if (below > margin) assert_int_equal(found, GZ_APART);
        if (fabs(above - margin) > 1e-6 && above > 0) assert_int_not_equal(found, GZ_UNDECIDED);
    }
    assert_true(counts[GZ_NEAR] > 200 && counts[GZ_APART] > 200 && counts[GZ_UNDECIDED] < 10);
}

static void test_two_cylinders_never_contradict_the_solids_in_and_around_them(void **state) {
    (void)state;
    gz_random random = gz_random_make(4, 0);
    int near = 0, apart = 0;
    for (int i = 0; i < 1000; i++) {
        gz_solid a, b;
        fill(&random, &a, 2, 0.3 * gz_random_unit(&random) + 0.01, true);
        fill(&random, &b, 2, 0.3 * gz_random_unit(&random) + 0.01, true);
        gz_nearness found = compare(&a, &b, 0, 0);
        // b is around its axis and inside the capsule of its axis.
        gz_solid axis = b, capsule = b;
        axis.radius = 0;
        axis.flat_ended = capsule.flat_ended = false;
        if (compare(&a, &axis, 0, 0) == GZ_NEAR) assert_int_equal(found, GZ_NEAR);
        if (compare(&a, &capsule, 0, 0) == GZ_APART) assert_int_equal(found, GZ_APART);
        near += found == GZ_NEAR;
        apart += found == GZ_APART;
    }
    assert_true(near > 100 && apart > 100);
}

static void test_known_distances_are_found_to_a_picometre(void **state) {
    (void)state;
    gz_solid a = {.simplex = {{{0, 0, -1}, {0, 0, 1}}, 2}, .radius = 0.5, .flat_ended = true};
    gz_solid ball = {.simplex = {{{0.5 + 3, 0, 1 + 4}}, 1}, .radius = 1}; // 5 from the rim, less 1
    gz_solid beside = {.simplex = {{{2, 0, -1}, {2, 0, 1}}, 2}, .radius = 0.25, .flat_ended = true};
    gz_solid over = {.simplex = {{{-9, -9, 3}, {9, -9, 3}, {0, 9, 3}}, 3}};
    const struct {
        const gz_solid *other;
        double distance;
    } cases[] = {{&ball, 4}, {&beside, 1.25}, {&over, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(compare(&a, cases[i].other, cases[i].distance + 4e-12, 0), GZ_NEAR);
        assert_int_equal(compare(&a, cases[i].other, cases[i].distance, 4e-12), GZ_NEAR);
        assert_int_equal(compare(&a, cases[i].other, cases[i].distance - 1e-12, 0), GZ_APART);
        assert_int_not_equal(compare(&a, cases[i].other, cases[i].distance, 0), GZ_APART);
    }
}

static void test_a_point_is_near_and_deep_to_the_last_bit(void **state) {
    (void)state;
    gz_solid a = {.simplex = {{{0, 0, -1}, {0, 0, 1}}, 2}, .radius = 0.5, .flat_ended = true};
    const double depth = GZ_CYLINDER_DEPTH;
    // 5 from the rim, 3 from the side, 4 from an end; each from points that leave no root.
    const struct {
        double p[3], distance;
    } outside[] = {{{3.5, 0, 5}, 5}, {{0, -3.5, 0.25}, 3}, {{0.3, 0.4, -5}, 4}, {{0.5, 0, 1}, 0}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        double at[2] = {outside[i].distance, 0}, before[2] = {outside[i].distance - 2 * depth, 0};
        assert_true(gz_exact_cylinder_is_near(cylinders, exact, outside[i].p, &a, at));
        if (outside[i].distance > 0)
            assert_false(gz_exact_cylinder_is_near(cylinders, exact, outside[i].p, &a, before));
        assert_false(gz_exact_cylinder_is_deep(cylinders, &a, outside[i].p));
    }
    const struct {
        double p[3];
        bool deep;
    } inside[] = {{{0, 0, 0}, true},
                  {{0.5 - depth, 0, 0}, true},
                  {{0.5 - depth / 2, 0, 0}, false},
                  {{0, 0, 1 - depth}, true},
                  {{0, 0, 1 - depth / 2}, false},
                  {{0, 0.25, depth - 1}, true},
                  {{0, 0.25, depth / 2 - 1}, false}};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        assert_int_equal(gz_exact_cylinder_is_deep(cylinders, &a, inside[i].p), inside[i].deep);
}

static void test_touching_is_never_proved_apart(void **state) {
    (void)state;
    gz_solid a = {.simplex = {{{0, 0, 0}, {0, 0, 1}}, 2}, .radius = 1, .flat_ended = true};
    gz_solid cap = {.simplex = {{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, 3}};
    gz_solid side = {.simplex = {{{1, -1, 0}, {1, 1, 0}, {1, 0, 1}}, 3}};
    assert_int_not_equal(compare(&a, &cap, 0, 0), GZ_APART);
    assert_int_not_equal(compare(&a, &side, 0, 0), GZ_APART);
    assert_int_equal(compare(&a, &cap, 0, 1e-9), GZ_NEAR);
    assert_int_equal(compare(&a, &side, 0, 1e-9), GZ_NEAR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts_agree_with_samples),
        cmocka_unit_test(test_two_cylinders_never_contradict_the_solids_in_and_around_them),
        cmocka_unit_test(test_known_distances_are_found_to_a_picometre),
        cmocka_unit_test(test_a_point_is_near_and_deep_to_the_last_bit),
        cmocka_unit_test(test_touching_is_never_proved_apart),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
