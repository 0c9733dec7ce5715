// The algorithm of Gilbert, Johnson and Keerthi in doubles: whatever goes wrong in it is corrected
// by the same algorithm with twice the digits, so verdicts do not show it; how often that is needed
// does.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"

// The file itself, with the second algorithm counted.
#define gz_convex_collide_fine counted_fine
#include "narrow/curved/convex.c"
#undef gz_convex_collide_fine

gz_convex_answer gz_convex_collide_fine(const gz_convex *a, const gz_convex *b, double margin,
                                        gz_convex_witness *witness);

static int fine_calls;

gz_convex_answer counted_fine(const gz_convex *a, const gz_convex *b, double margin,
                              gz_convex_witness *witness) {
    fine_calls++;
    return gz_convex_collide_fine(a, b, margin, witness);
}

// --------------------------------------------------------------------------------------- drawing

static gz_convex draw_hull(gz_random *r, int count, double round) {
    gz_convex s = {.count = count, .round = round};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) s.p[i][k] = gz_random_range(r, -0.5, 0.5);
    return s;
}

static gz_convex draw_cylinder(gz_random *r) {
    gz_convex s = draw_hull(r, 2, 0);
    s.disc = gz_random_range(r, 0.05, 0.4);
    gz_subtract(s.p[1], s.p[0], s.axis);
    s.axis_norm = gz_norm(s.axis);
    return s;
}

static void shift(gz_convex *s, const double by[3]) {
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) s->p[i][k] += by[k];
}

static gz_convex draw(gz_random *r, uint32_t kind) {
    switch (kind) {
    case 0:
        return draw_hull(r, 1, 0.2);
    case 1:
        return draw_hull(r, 2, 0.1);
    case 2:
        return draw_hull(r, 3, 0);
    default:
        return draw_cylinder(r);
    }
}

// ----------------------------------------------------------------------------------------- tests

static void test_doubles_decide_what_is_clear(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    int apart = 0, overlap = 0;
    fine_calls = 0;
    for (int i = 0; i < 40000; i++) {
        gz_convex a = draw(&r, gz_random_below(&r, 4)), b = draw(&r, gz_random_below(&r, 4));
        double by[3];
        for (int k = 0; k < 3; k++) by[k] = gz_random_range(&r, -0.7, 0.7);
        shift(&b, by);
        gz_convex_witness witness, fine;
        double margin = i % 2 ? 0 : 0.1;
        gz_convex_answer answer = gz_convex_collide(&a, &b, margin, &witness);
        // Nothing is so near the threshold here that the two could differ.
        assert_int_equal(answer, gz_convex_collide_fine(&a, &b, margin, &fine));
        apart += answer == GZ_CONVEX_APART;
        overlap += answer == GZ_CONVEX_COLLIDE;
    }
    print_message("%d apart, %d meet, %d needed more digits\n", apart, overlap, fine_calls);
    assert_true(apart > 5000 && overlap > 5000);
    assert_true(fine_calls == 0);
}

/// The distance itself is the threshold: then doubles have to come to its last digits.
static void test_doubles_decide_most_of_what_is_close(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    int asked = 0;
    fine_calls = 0;
    for (int i = 0; i < 4000; i++) {
        gz_convex a = draw(&r, gz_random_below(&r, 4)), b = draw(&r, gz_random_below(&r, 4));
        const double by[3] = {gz_random_range(&r, 0.5, 2), gz_random_range(&r, -1, 1), 0};
        shift(&b, by);
        double low = 0, high = 4;
        gz_convex_witness witness;
        for (int step = 0; step < 36; step++) { // the margin from which on they are near
            double middle = 0.5 * (low + high);
            bool overlap = gz_convex_collide(&a, &b, middle, &witness) == GZ_CONVEX_COLLIDE;
            *(overlap ? &high : &low) = middle;
            asked++;
        }
        // What is near is so by a witness: no farther apart than the margin and the tolerance.
        assert_int_equal(gz_convex_collide(&a, &b, high, &witness), GZ_CONVEX_COLLIDE);
        double n[3], tolerance = gz_convex_tolerance(gz_convex_span(&a, &b));
        gz_subtract(witness.a, witness.b, n);
        double distance = gz_norm(n) - a.round - b.round;
        assert_true(distance <= high + 2 * tolerance);
        // Its points are of the two sets: no nearer to each other than these are.
        assert_true(high < 1e-6 || distance >= high - 2 * tolerance);
    }
    print_message("%d of %d needed more digits\n", fine_calls, asked);
    assert_true(fine_calls == 0);
}

/// Errors are relative to the span; a span that leaves something out would shrink every allowance.
static void test_span_is_the_sum_of_both_extents(void **state) {
    (void)state;
    const gz_convex ball = {.count = 1, .p = {{1, -2, 4}}, .round = 0.5};
    const gz_convex capsule = {.count = 2, .p = {{1, 0, 0}, {-1, -8, 1}}, .round = 0.25};
    const gz_convex triangle = {.count = 3, .p = {{1, 0, 0}, {0, -2, 0}, {3, 3, 10}}};
    const gz_convex cylinder = {
        .count = 2, .p = {{0, 0, 16}, {0, 0, 1}}, .disc = 2, .axis = {0, 0, -15}, .axis_norm = 15};
    assert_true(gz_convex_span(&ball, &ball) == 15);
    assert_true(gz_convex_span(&ball, &capsule) == 7.5 + 10.25);
    assert_true(gz_convex_span(&capsule, &triangle) == 10.25 + 16);
    assert_true(gz_convex_span(&cylinder, &triangle) == 18 + 16);
    assert_true(gz_convex_span(&triangle, &cylinder) == 18 + 16);
    assert_true(gz_convex_tolerance(1) == 1e-10);
    assert_true(gz_convex_tolerance(0x1p20) == 0x1p-22);
}

/// The gap along a direction, of any length, is that of the support functions less the allowance.
static void test_gap_is_certified_from_below(void **state) {
    (void)state;
    const gz_convex left = {
        .count = 2, .p = {{0, 0, 0}, {0, 0, 1}}, .disc = 0.5, .axis = {0, 0, 1}, .axis_norm = 1};
    const gz_convex right = {.count = 2, .p = {{3, 0, 0}, {4, 0, 0}}, .round = 0.25};
    const double n[3] = {-2, 0, 0}, none[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    double span = gz_convex_span(&left, &right);
    assert_true(gz_convex_gap(&left, &right, n, span) == 2.25 - 0x1p-47 * span);
    assert_true(gz_convex_gap(&left, &right, none, span) == -INFINITY);
    assert_true(gz_convex_gap(&left, &right, up, span) < 0);
    assert_true(gz_convex_gap(&right, &left, n, span) < -3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_decide_what_is_clear),
        cmocka_unit_test(test_doubles_decide_most_of_what_is_close),
        cmocka_unit_test(test_span_is_the_sum_of_both_extents),
        cmocka_unit_test(test_gap_is_certified_from_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
