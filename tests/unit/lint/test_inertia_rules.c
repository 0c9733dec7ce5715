// The rules of the tier inertia: what was once passed, or blamed, wrongly, and the moments against
// tensors whose moments are known by how they are made.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lint_text.h"

#define SIX "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"

static size_t gaps(const char *inertial) {
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'/><link name='b'><inertial>%s</inertial></link>"
             "</robot>",
             inertial);
    return count_in(text, NULL, "I007", NULL);
}

static void test_an_origin_that_cannot_be_read_is_a_gap(void **state) {
    (void)state;
    // urdfdom's parseInertial gives up at a bad origin as at a missing number.
    assert_int_equal(gaps("<origin xyz='0 0'/><mass value='1'/>" SIX), 1);
    assert_int_equal(gaps("<origin xyz='0 0 0' rpy='x 0 0'/><mass value='1'/>" SIX), 1);
    assert_int_equal(gaps("<origin/><mass value='1'/>" SIX), 0);
    assert_int_equal(gaps("<mass value='1'/>" SIX), 0);
}

static void test_a_template_has_no_gap_where_its_values_will_be(void **state) {
    (void)state;
    // U002 speaks of the template; what it holds is known when it is expanded.
    assert_int_equal(gaps("<mass value='${m}'/>" SIX), 0);
    assert_int_equal(gaps("<mass value='1'/><inertia ixx='${i}' ixy='0' ixz='0' iyy='$(arg i)' "
                          "iyz='0' izz='1'/>"),
                     0);
    assert_int_equal(gaps("<mass value='1'/><inertia ixx='${i}' ixy='0' ixz='0' iyy='1' izz='1'/>"),
                     1);
    assert_int_equal(gaps("<mass value='heavy'/>" SIX), 1);
}

/// A tensor with given moments, turned by three angles: R diag(m) R^T.
static void turned(const double m[3], const double angle[3], double out[6]) {
    double r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        int p = k, q = (k + 1) % 3;
        double c = cos(angle[k]), s = sin(angle[k]);
        for (int i = 0; i < 3; i++) {
            double x = r[i][p], y = r[i][q];
            r[i][p] = c * x - s * y;
            r[i][q] = s * x + c * y;
        }
    }
    static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    for (int n = 0; n < 6; n++) {
        out[n] = 0;
        for (int k = 0; k < 3; k++) out[n] += r[at[n][0]][k] * m[k] * r[at[n][1]][k];
    }
}

static graze_lint_report *lint_tensor(const double t[6]) {
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='%.17g' "
             "ixy='%.17g' ixz='%.17g' iyy='%.17g' iyz='%.17g' izz='%.17g'/></inertial></link>"
             "</robot>",
             t[0], t[1], t[2], t[3], t[4], t[5]);
    return lint_texts(text, NULL);
}

static void test_moments_are_those_that_the_tensor_was_made_of(void **state) {
    (void)state;
    uint32_t seed = 12345;
    int fired = 0, calm = 0;
    for (int n = 0; n < 2000; n++) {
        double v[6];
        for (int k = 0; k < 6; k++) {
            seed = seed * 1664525u + 1013904223u;
            v[k] = (double)(seed >> 8) / 0x1p24;
        }
        // Ascending moments over many magnitudes; the third is near the sum of the others.
        double scale = pow(10, 12 * v[0] - 9), m[3] = {scale, scale * (1 + 9 * v[1]), 0}, t[6];
        double excess = 0.2 * v[2] - 0.1;
        m[2] = (m[0] + m[1]) * (1 + excess);
        if (fabs(excess - 1e-3) < 1e-6 || m[2] < m[1]) continue;
        turned(m, (double[3]){7 * v[3], 7 * v[4], 7 * v[5]}, t);
        graze_lint_report *r = lint_tensor(t);
        const graze_finding *f = finding_of(r, "I004", NULL);
        assert_int_equal(f != NULL, excess > 1e-3);
        assert_null(finding_of(r, "I003", NULL));
        if (f) {
            assert_true(fabs(f->value - m[2]) <= 1e-12 * m[2]);
            assert_true(fabs(f->threshold - (m[0] + m[1])) <= 1e-12 * m[2]);
        }
        graze_lint_report_free(r);
        fired += f != NULL;
        calm += f == NULL;
    }
    assert_true(fired > 500 && calm > 500);
}

static void test_a_moment_below_zero_is_found_however_the_tensor_is_turned(void **state) {
    (void)state;
    for (int n = 0; n < 500; n++) {
        double sign = n % 2 ? -1 : 1, m[3] = {sign * 1e-6, 1, 1}, t[6];
        turned(m, (double[3]){0.1 * n, 0.07 * n, 0.03 * n}, t);
        graze_lint_report *r = lint_tensor(t);
        const graze_finding *f = finding_of(r, "I003", NULL);
        assert_int_equal(f != NULL, n % 2);
        if (f) assert_true(fabs(f->value + 1e-6) < 1e-14);
        graze_lint_report_free(r);
    }
}

static void test_what_rounding_leaves_of_zeros_is_no_tensor(void **state) {
    (void)state;
    // iCub's r_ankle_1, with its mass: I004 judged the noise, as if a body could have it.
    const double noise[6] = {5.45e-20, 0, 0, 2e-20, 0, 2.0363e-20};
    graze_lint_report *r = lint_tensor(noise);
    assert_non_null(finding_of(r, "I003", NULL));
    assert_null(finding_of(r, "I004", NULL));
    graze_lint_report_free(r);
    // A grain of sand, 1 mg and 0.2 mm across, has a tensor of its own.
    const double sand[6] = {4e-15, 0, 0, 4e-15, 0, 4e-15};
    char text[512];
    snprintf(
        text, sizeof text,
        "<robot name='r'><link name='a'><inertial><mass value='1e-6'/><inertia ixx='%g' ixy='0' "
        "ixz='0' iyy='%g' iyz='0' izz='%g'/></inertial></link></robot>",
        sand[0], sand[3], sand[5]);
    assert_int_equal(count_in(text, NULL, "I003", NULL), 0);
}

static size_t center_findings(double z) {
    char text[512];
    snprintf(
        text, sizeof text,
        "<robot name='r'><link name='a'><inertial><origin xyz='0 0 %.17g'/><mass value='1'/>" SIX
        "</inertial><collision><geometry><box size='0.3 0.4 1.2'/></geometry></collision></link>"
        "</robot>",
        z);
    return count_in(text, NULL, "I005", NULL);
}

static void test_a_center_a_hair_outside_of_a_simplified_mesh_is_inside(void **state) {
    (void)state;
    // The diagonal is 1.3 m: 13 mm are allowed beyond the face at 0.6 m.
    assert_int_equal(center_findings(0.6129), 0);
    assert_int_equal(center_findings(0.6131), 1);
    assert_int_equal(center_findings(-0.6129), 0);
    assert_int_equal(center_findings(-0.6131), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_origin_that_cannot_be_read_is_a_gap),
        cmocka_unit_test(test_a_template_has_no_gap_where_its_values_will_be),
        cmocka_unit_test(test_moments_are_those_that_the_tensor_was_made_of),
        cmocka_unit_test(test_a_moment_below_zero_is_found_however_the_tensor_is_turned),
        cmocka_unit_test(test_what_rounding_leaves_of_zeros_is_no_tensor),
        cmocka_unit_test(test_a_center_a_hair_outside_of_a_simplified_mesh_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
