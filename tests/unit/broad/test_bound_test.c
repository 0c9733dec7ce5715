/// Bounds against each other: what shares a point is never apart, what is clearly apart is found.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "broad/bound_test.h"
#include "graze/geometry.h"

typedef long double real;

static void random_axes(gz_random *r, double m[3][3]) {
    double q[4], norm = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = gz_random_range(r, -1, 1);
        if (gz_random_below(r, 4) == 0) q[i] *= 1e-8;
        norm += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(norm);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double out[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(m, out, sizeof out);
}

/// A box; its axes are off from orthonormal by up to skew.
static graze_obb random_box(gz_random *r, double skew) {
    double m[3][3], h[3];
    random_axes(r, m);
    for (int i = 0; i < 3; i++) {
        h[i] = i > 0 && gz_random_below(r, 6) == 0 ? 0 : gz_random_range(r, 0.01, 1);
        for (int k = 0; k < 3; k++) m[i][k] += gz_random_range(r, -skew, skew);
    }
    return (graze_obb){
        {gz_random_range(r, -2, 2), gz_random_range(r, -2, 2), gz_random_range(r, -2, 2)},
        {{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}},
        {h[0], h[1], h[2]}};
}

/// The offset of a point of the box, as stored, from its centre.
static void offset_at(const graze_obb *b, const double s[3], real out[3]) {
    const real x = (real)s[0] * b->half.x, y = (real)s[1] * b->half.y, z = (real)s[2] * b->half.z;
    out[0] = x * b->axis[0].x + y * b->axis[1].x + z * b->axis[2].x;
    out[1] = x * b->axis[0].y + y * b->axis[1].y + z * b->axis[2].y;
    out[2] = x * b->axis[0].z + y * b->axis[1].z + z * b->axis[2].z;
}

/// Moves b so that its corner meets a's along n but for `gap`, in long double, rounded once.
static void place(const graze_obb *a, graze_obb *b, const double s[3], const double t[3],
                  const real n[3], real gap) {
    real p[3], q[3];
    offset_at(a, s, p);
    offset_at(b, t, q);
    b->center.x = (double)(a->center.x + p[0] - q[0] + gap * n[0]);
    b->center.y = (double)(a->center.y + p[1] - q[1] + gap * n[1]);
    b->center.z = (double)(a->center.z + p[2] - q[2] + gap * n[2]);
}

static void normalize(real n[3]) {
    real norm = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) n[k] /= norm;
}

/// The corner that is farthest along n (sign 1) or against it (sign -1).
static void corner_along(const graze_obb *b, const real n[3], int sign, double s[3]) {
    for (int i = 0; i < 3; i++) {
        real along = n[0] * b->axis[i].x + n[1] * b->axis[i].y + n[2] * b->axis[i].z;
        s[i] = along * sign >= 0 ? 1 : -1;
    }
}

static void random_normal(gz_random *r, const graze_obb *a, const graze_obb *b, real n[3]) {
    uint32_t form = gz_random_below(r, 3), i = gz_random_below(r, 3), j = gz_random_below(r, 3);
    const graze_vec3 u = a->axis[i], v = b->axis[j];
    if (form == 0) {
        n[0] = u.x;
        n[1] = u.y;
        n[2] = u.z;
    } else if (form == 1) {
        n[0] = v.x;
        n[1] = v.y;
        n[2] = v.z;
    } else {
        n[0] = (real)u.y * v.z - (real)u.z * v.y;
        n[1] = (real)u.z * v.x - (real)u.x * v.z;
        n[2] = (real)u.x * v.y - (real)u.y * v.x;
    }
    real square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (square < 0.01L) {
        n[0] = u.x;
        n[1] = u.y;
        n[2] = u.z;
    }
    normalize(n);
}

static void test_obbs_that_touch_overlap(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    static const double skews[] = {0, 1e-16, 1e-12, 1e-9, 1e-6};
    for (int trial = 0; trial < 200000; trial++) {
        double skew = skews[trial % 5];
        graze_obb a = random_box(&r, skew), b = random_box(&r, skew);
        double s[3], t[3];
        real n[3];
        random_normal(&r, &a, &b, n);
        corner_along(&a, n, 1, s);
        corner_along(&b, n, -1, t);
        if (trial % 3 == 0) {
            // Not corner to corner: some other points of face or edge.
            for (int k = 0; k < 3; k++) {
                s[k] *= gz_random_below(&r, 2) == 0 ? 1 : gz_random_unit(&r);
                t[k] *= gz_random_below(&r, 2) == 0 ? 1 : gz_random_unit(&r);
            }
        }
        // 1e-15 deep: more than the rounding of the centre, coordinates being below 6.
        place(&a, &b, s, t, n, -1e-15L);
        assert_true(graze_obb_overlap(&a, &b));
        assert_true(graze_obb_overlap(&b, &a));
    }
}

static void test_obbs_with_exact_coordinates_that_touch_overlap(void **state) {
    (void)state;
    // Quarter turns and dyadic sizes: every number is exact, the boxes share exactly a face, an
    // edge or a corner.
    gz_random r = gz_random_make(2, 0);
    for (int trial = 0; trial < 20000; trial++) {
        graze_obb box[2];
        for (int i = 0; i < 2; i++) {
            double m[3][3] = {{0}};
            uint32_t first = gz_random_below(&r, 3);
            for (uint32_t k = 0; k < 3; k++) {
                m[k][(first + k) % 3] = gz_random_below(&r, 2) == 0 ? 1 : -1;
            }
            double h[3];
            for (int k = 0; k < 3; k++) h[k] = 0.25 * (double)gz_random_below(&r, 5);
            box[i] = (graze_obb){{0, 0, 0},
                                 {{m[0][0], m[0][1], m[0][2]},
                                  {m[1][0], m[1][1], m[1][2]},
                                  {m[2][0], m[2][1], m[2][2]}},
                                 {h[0], h[1], h[2]}};
        }
        double s[3], t[3];
        for (int k = 0; k < 3; k++) {
            s[k] = (double)gz_random_below(&r, 3) - 1;
            t[k] = (double)gz_random_below(&r, 3) - 1;
        }
        const real none[3] = {0, 0, 0};
        place(&box[0], &box[1], s, t, none, 0);
        assert_true(graze_obb_overlap(&box[0], &box[1]));
    }
}

static void test_obbs_a_pad_apart_to_the_last_bit_are_not_apart(void **state) {
    (void)state;
    // Axes that are coordinates need no allowance for skew: what is left covers the rounding of the
    // sums alone, which comes first where the pad is one of the summands.
    gz_random r = gz_random_make(12, 0);
    int needed = 0;
    for (int trial = 0; trial < 100000; trial++) {
        double ca[3], cb[3], ha[3], hb[3], pad = gz_random_range(&r, 1e-4, 1e-3);
        int axis = (int)gz_random_below(&r, 3);
        // Flat but for one axis: the allowance is relative to all extents.
        for (int k = 0; k < 3; k++) {
            ca[k] = gz_random_range(&r, -0.01, 0.01);
            cb[k] = ca[k];
            ha[k] = k == axis ? gz_random_range(&r, 0.01, 0.7) : 1e-6;
            hb[k] = k == axis ? gz_random_range(&r, 0.01, 0.7) : 1e-6;
        }
        // The farthest double at which the gap is not above the pad in real arithmetic: 64 bits
        // hold these sums.
        real distance = (real)ha[axis] + hb[axis] + pad;
        cb[axis] = (double)(ca[axis] + distance);
        while ((real)cb[axis] - ca[axis] > distance) cb[axis] = nextafter(cb[axis], -INFINITY);
        graze_obb a = {{ca[0], ca[1], ca[2]},
                       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                       {ha[0], ha[1], ha[2]}},
                  b = {{cb[0], cb[1], cb[2]},
                       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                       {hb[0], hb[1], hb[2]}};
        needed += cb[axis] - ca[axis] > ha[axis] + hb[axis] + pad;
        assert_false(gz_obb_apart(&a, &b, 0, pad));
        assert_false(gz_obb_apart(&b, &a, 0, pad));
    }
    assert_true(needed > 1000); // the sums do round
}

static void test_obbs_with_a_gap_are_apart(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int trial = 0; trial < 100000; trial++) {
        graze_obb a = random_box(&r, 0), b = random_box(&r, 0);
        double s[3], t[3];
        real n[3];
        random_normal(&r, &a, &b, n);
        corner_along(&a, n, 1, s);
        corner_along(&b, n, -1, t);
        // The cross axes are not unit: 0.1 at least, so the bound may be ten times as wide.
        double gap = trial % 2 == 0 ? 1e-10 : gz_random_range(&r, 1e-9, 1);
        place(&a, &b, s, t, n, gap);
        assert_false(graze_obb_overlap(&a, &b));
        assert_false(graze_obb_overlap(&b, &a));
        // The pad closes a gap and is not much wider than it says for face axes.
        if (gap >= 1e-9) assert_true(gz_obb_apart(&a, &b, 1e-12, 0));
        assert_false(gz_obb_apart(&a, &b, 1e-12, gap * (1 + 1e-12) + 1e-12));
    }
}

static void test_obbs_that_hold_each_others_samples_overlap(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    size_t overlaps = 0;
    for (int trial = 0; trial < 20000; trial++) {
        graze_obb a = random_box(&r, 0), b = random_box(&r, 0);
        bool shared = false;
        for (int sample = 0; sample < 30 && !shared; sample++) {
            double s[3];
            real p[3];
            for (int k = 0; k < 3; k++) s[k] = gz_random_range(&r, -1, 1);
            offset_at(&a, s, p);
            p[0] += (real)a.center.x - b.center.x;
            p[1] += (real)a.center.y - b.center.y;
            p[2] += (real)a.center.z - b.center.z;
            const double h[3] = {b.half.x, b.half.y, b.half.z};
            shared = true;
            for (int i = 0; i < 3; i++) {
                real along = p[0] * b.axis[i].x + p[1] * b.axis[i].y + p[2] * b.axis[i].z;
                shared = shared && fabsl(along) <= h[i];
            }
        }
        if (!shared) continue;
        overlaps++;
        assert_true(graze_obb_overlap(&a, &b));
    }
    assert_true(overlaps > 100);
}

/// The skew is never below the real one: what its dot products round off is added.
static void test_skew_is_measured_from_above(void **state) {
    (void)state;
    gz_random r = gz_random_make(21, 0);
    real closest = 1;
    for (int trial = 0; trial < 100000; trial++) {
        graze_obb box = random_box(&r, trial % 2 ? 0 : 1e-15);
        const graze_vec3 *u = box.axis;
        real most = 0;
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++) {
                real dot = (real)u[i].x * u[j].x + (real)u[i].y * u[j].y + (real)u[i].z * u[j].z;
                most = fmaxl(most, fabsl(dot - (i == j)));
            }
        assert_true(gz_obb_skew(&box) >= most);
        closest = fminl(closest, gz_obb_skew(&box) - most);
    }
    assert_true(closest < 0x1p-50L); // some of the allowance was needed
}

static void test_skew_is_measured(void **state) {
    (void)state;
    graze_obb box = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
    assert_true(gz_obb_skew(&box) < 1e-15);
    box.axis[1].x = 1e-5;
    assert_true(gz_obb_skew(&box) >= 1e-5 && gz_obb_skew(&box) < 1.1e-5);
    box.axis[2].z = NAN;
    assert_true(isnan(gz_obb_skew(&box)));
}

static void test_what_is_not_a_number_or_not_a_box_overlaps(void **state) {
    (void)state;
    const graze_obb unit = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
    const graze_obb far = {{10, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
    assert_false(graze_obb_overlap(&unit, &far));
    for (size_t i = 0; i < sizeof far / sizeof(double); i++) {
        graze_obb bad = far;
        double *numbers = &bad.center.x;
        numbers[i] = NAN;
        assert_true(graze_obb_overlap(&unit, &bad));
        assert_true(graze_obb_overlap(&bad, &unit));
        numbers[i] = 1e300;
        if (i >= 3) assert_true(graze_obb_overlap(&unit, &bad));
    }
    const graze_sphere ball = {{5, 0, 0}, 1};
    const graze_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    assert_false(graze_sphere_aabb_overlap(&ball, &box));
    for (size_t i = 0; i < 4; i++) {
        graze_sphere bad = ball;
        (&bad.center.x)[i] = NAN;
        assert_true(graze_sphere_aabb_overlap(&bad, &box));
    }
    for (size_t i = 0; i < 6; i++) {
        graze_aabb bad = box;
        (&bad.min.x)[i] = NAN;
        assert_true(graze_sphere_aabb_overlap(&ball, &bad));
    }
}

static void test_sphere_and_box_agree_with_their_distance(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    for (int trial = 0; trial < 200000; trial++) {
        double low[3], high[3], c[3];
        real square = 0;
        for (int k = 0; k < 3; k++) {
            low[k] = gz_random_range(&r, -2, 1);
            high[k] = low[k] + gz_random_range(&r, 0, 2);
            c[k] = gz_random_range(&r, -4, 4);
            real gap = c[k] < low[k]    ? (real)low[k] - c[k]
                       : c[k] > high[k] ? (real)c[k] - high[k]
                                        : 0;
            square += gap * gap;
        }
        // Radii within a few units in the last place of touching, and others.
        double touch = (double)sqrtl(square), radius = touch;
        for (uint32_t i = gz_random_below(&r, 4); i > 0; i--) radius = nextafter(radius, 9);
        if (trial % 3 == 0) radius = gz_random_range(&r, 0, 4);
        if (trial % 3 == 1) radius = touch * (1 - 1e-13);
        const graze_sphere ball = {{c[0], c[1], c[2]}, radius};
        const graze_aabb box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
        bool overlap = graze_sphere_aabb_overlap(&ball, &box);
        if (sqrtl(square) <= (real)radius) assert_true(overlap);
        if (sqrtl(square) > (real)radius * (1 + 2e-14L)) assert_false(overlap);
        assert_true(gz_sphere_aabb_apart(c, radius, low, high, 0) == !overlap);
        if (touch > radius) {
            assert_false(
                gz_sphere_aabb_apart(c, radius, low, high, (touch - radius) * (1 + 1e-15)));
            assert_true(
                gz_sphere_aabb_apart(c, radius, low, high, 0.9 * (touch - radius) - 1e-13) ||
                touch - radius < 1e-12);
        }
    }
}

static void test_tiny_and_huge_spheres_are_judged_safely(void **state) {
    (void)state;
    const graze_aabb box = {{0, 0, 0}, {1, 1, 1}};
    // Touching at a distance whose square underflows, and one whose square overflows.
    const graze_sphere tiny = {{-0x1p-600, 0, 0}, 0x1p-600}, huge = {{-0x1p600, 0, 0}, 0x1p600};
    assert_true(graze_sphere_aabb_overlap(&tiny, &box));
    assert_true(graze_sphere_aabb_overlap(&huge, &box));
    const double a[3] = {0, 0, 0}, b[3] = {0x1p-700, 0, 0}, c[3] = {0x1p700, 0, 0};
    assert_false(gz_spheres_apart(a, 0, b, 0x1p-700, 0));
    assert_false(gz_spheres_apart(a, 0x1p699, c, 0x1p699, 0));
}

static void test_spheres_agree_with_their_distance(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    for (int trial = 0; trial < 100000; trial++) {
        double a[3], b[3];
        real square = 0;
        for (int k = 0; k < 3; k++) {
            a[k] = gz_random_range(&r, -1, 1);
            b[k] = gz_random_range(&r, -1, 1);
            square += ((real)a[k] - b[k]) * ((real)a[k] - b[k]);
        }
        double radius = gz_random_range(&r, 0, 0.5), touch = (double)sqrtl(square);
        double other = trial % 2 == 0 ? gz_random_range(&r, 0, 2) : fmax(0, touch - radius);
        bool apart = gz_spheres_apart(a, radius, b, other, 0);
        if (sqrtl(square) <= (real)radius + other) assert_false(apart);
        if (sqrtl(square) > ((real)radius + other) * (1 + 2e-14L)) assert_true(apart);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obbs_that_touch_overlap),
        cmocka_unit_test(test_obbs_with_exact_coordinates_that_touch_overlap),
        cmocka_unit_test(test_obbs_a_pad_apart_to_the_last_bit_are_not_apart),
        cmocka_unit_test(test_obbs_with_a_gap_are_apart),
        cmocka_unit_test(test_obbs_that_hold_each_others_samples_overlap),
        cmocka_unit_test(test_skew_is_measured_from_above),
        cmocka_unit_test(test_skew_is_measured),
        cmocka_unit_test(test_what_is_not_a_number_or_not_a_box_overlaps),
        cmocka_unit_test(test_sphere_and_box_agree_with_their_distance),
        cmocka_unit_test(test_tiny_and_huge_spheres_are_judged_safely),
        cmocka_unit_test(test_spheres_agree_with_their_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
