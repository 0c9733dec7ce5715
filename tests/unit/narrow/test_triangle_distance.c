// Triangles against a margin: distances known by construction, to the last ulp; the certificate in
// doubles and the integers against each other; and the nearest points.
//
// tests/oracle/margins judges a million random pairs with rational arithmetic.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "narrow/triangle/triangle.h"

typedef double triangle[3][3];

/// Asks both ways, in all orders of corners and arguments; they must agree.
static bool near(triangle a, triangle b, double margin) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    bool answer = gz_triangles_near_exact(GZ_CORNERS(a), GZ_CORNERS(b), margin);
    for (int i = 0; i < 36; i++) {
        triangle x, y;
        for (int k = 0; k < 3; k++) {
            memcpy(x[k], a[orders[i / 6][k]], sizeof x[k]);
            memcpy(y[k], b[orders[i % 6][k]], sizeof y[k]);
        }
        assert_int_equal(gz_triangles_near(GZ_CORNERS(x), GZ_CORNERS(y), margin, NULL), answer);
        assert_int_equal(gz_triangles_near(GZ_CORNERS(y), GZ_CORNERS(x), margin, NULL), answer);
        assert_int_equal(gz_triangles_near_exact(GZ_CORNERS(y), GZ_CORNERS(x), margin), answer);
    }
    return answer;
}

/// The distance is the given double, exactly: near from there on, and not an ulp below.
static void assert_distance(triangle a, triangle b, double distance) {
    assert_true(near(a, b, distance));
    assert_true(near(a, b, nextafter(distance, 2 * distance)));
    assert_true(near(a, b, 1.5 * distance));
    assert_false(near(a, b, nextafter(distance, 0)));
    assert_false(near(a, b, 0.75 * distance));
    double p[3], q[3];
    double found = gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), p, q);
    assert_true(fabs(found - distance) <= 1e-14 * (1 + distance));
}

static void test_every_pair_of_features_has_its_distance(void **state) {
    (void)state;
    triangle a = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle over_face = {{0.25, 0.25, 0.125}, {0.5, 0.5, 2}, {0.25, 0.75, 3}};
    assert_distance(a, over_face, 0.125); // corner, face
    triangle corner = {{-3, -4, 0}, {-6, -4, 1}, {-5, -8, 0}};
    assert_distance(a, corner, 5); // corner, corner
    triangle side = {{0.5, -0.75, 0}, {0.25, -2, 1}, {1, -3, -1}};
    assert_distance(a, side, 0.75); // corner, edge
    triangle across = {{0.5, -0.25, -1}, {0.5, -0.25, 1}, {0.5, -5, 0}};
    assert_distance(a, across, 0.25); // edge, edge
    triangle above = {{0.5, -1, 0.5}, {0.5, 2, 0.5}, {0.5, 0, 3}};
    assert_distance(a, above, 0.5); // edge over the face, both ends outside
    triangle parallel = {{0, 0, 0.5}, {1, 0, 0.5}, {0, 1, 0.5}};
    assert_distance(a, parallel, 0.5);
    triangle in_plane = {{0, -0.125, 0}, {1, -0.125, 0}, {0, -1, 0}};
    assert_distance(a, in_plane, 0.125); // coplanar, edges parallel
}

static void test_triangles_without_area_are_segments_and_points(void **state) {
    (void)state;
    triangle face = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    triangle point = {{1, 1, 0.5}, {1, 1, 0.5}, {1, 1, 0.5}};
    triangle segment = {{-1, 1, 0.5}, {1, 1, 0.5}, {0, 1, 0.5}};
    triangle other = {{1, 1, 3.5}, {1, 1, 2.5}, {1, 1, 2.5}};
    triangle beside = {{-1, -2, 0}, {8, -2, 0}, {5, -2, 0}};
    assert_distance(face, point, 0.5);
    assert_distance(face, segment, 0.5);
    assert_distance(face, beside, 2);
    assert_distance(point, other, 2);
    assert_distance(segment, other, 2);
    triangle below = {{-1, -3, -2.5}, {8, -3, -2.5}, {5, -3, -2.5}};
    assert_distance(segment, below, 5); // 4 across, 3 down
}

static void test_an_irrational_distance_lies_between_its_neighbours(void **state) {
    (void)state;
    triangle a = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, b = {{1, 1, 0}, {2, 1, 0}, {1, 2, 1}};
    // sqrt 2 = 1.41421356237309504880168..., between these doubles.
    assert_false(near(a, b, 0x1.6a09e667f3bccp+0));
    assert_true(near(a, b, 0x1.6a09e667f3bcdp+0));
}

static void test_the_ends_of_the_range_are_exact(void **state) {
    (void)state;
    triangle a = {{0, 0, 0}, {0x1p20, 0, 0}, {0, 0x1p20, 0}};
    triangle b = {{1, 1, 0x1p-90}, {0x1p20, 0x1p20, 0x1p20}, {-0x1p20, 0x1p20, 0x1p19}};
    assert_distance(a, b, GZ_MARGIN_MIN);
    triangle far_a = {
        {-0x1p20, -0x1p20, -0x1p20}, {-0x1p20, -0x1p20, -0x1p20}, {-0x1p20, -0x1p20, -0x1p20}};
    triangle far_b = {{0x1p20, 0x1p20, 0x1p20}, {0x1p20, 0x1p20, 0x1p20}, {0x1p20, 0x1p20, 0x1p20}};
    assert_true(near(far_a, far_b, GZ_MARGIN_MAX));
    assert_false(near(far_a, far_b, 0x1p21 * 1.7320508));
    assert_true(near(far_a, far_b, 0x1p21 * 1.7320509));
    // Coordinates of every size at once: an integer of the greatest length.
    triangle tiny = {{0x1p-100, 0x1.123456789abcdp-100, 0},
                     {0x1.fffffffffffffp19, 0x1p-99, 0},
                     {-0x1p-100, 0x1.fffffffffffffp19, 0}};
    triangle lifted = {{0x1.fp-98, 0x1.5p-97, 0x1p-80},
                       {0x1p-60, 0x1p19, 0x1.fffffffffffffp19},
                       {0x1p19, 0x1p-50, 0x1.fffffffffffffp19}};
    assert_true(near(tiny, lifted, 0x1p-80));
    assert_false(near(tiny, lifted, 0x1.fp-81));
}

static void draw(gz_random *random, double scale, triangle t) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) t[i][k] = scale * gz_random_range(random, -1, 1);
}

/// Needles and near parallel edges, where doubles lose their digits: the certificate must notice.
static void test_what_doubles_cannot_decide_goes_to_integers(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 1);
    gz_triangle_stats stats = {0};
    int answers[2] = {0};
    for (int i = 0; i < 4000; i++) {
        triangle a, b;
        draw(&random, 1, a);
        double thin = pow(10, -gz_random_range(&random, 3, 16)),
               gap = pow(10, -gz_random_range(&random, 6, 12));
        for (int k = 0; k < 3; k++) {
            a[2][k] = 0.5 * (a[0][k] + a[1][k]) + thin * gz_random_range(&random, -1, 1);
            for (int j = 0; j < 3; j++) b[j][k] = a[j][k] + thin * gz_random_range(&random, -1, 1);
        }
        for (int j = 0; j < 3; j++) b[j][2] += gap;
        if (gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL)) continue;
        // Somewhere near, or within a few units of the last place of the distance.
        double margin = gap * gz_random_range(&random, 0.1, 2), p[3], q[3];
        if (i % 2) {
            double found = gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), p, q);
            margin = found + 0x1p-53 * gz_random_range(&random, -4, 4);
        }
        if (!(margin >= GZ_MARGIN_MIN)) continue;
        bool answer = gz_triangles_near(GZ_CORNERS(a), GZ_CORNERS(b), margin, &stats);
        assert_int_equal(gz_triangles_near_exact(GZ_CORNERS(a), GZ_CORNERS(b), margin), answer);
        answers[answer]++;
    }
    assert_true(stats.exact_tests > 0);
    assert_true(answers[0] > 100 && answers[1] > 100);
}

/// Whatever the nearest features are, doubles tell 1e-12 m from the margin, both ways, however
/// small the distance is: a search that misses the nearest points, or the direction across the
/// features, which keeps the digits that the difference of two near points has lost, leaves it to
/// integers.
static void test_doubles_decide_all_but_the_last_digits(void **state) {
    (void)state;
    gz_random random = gz_random_make(9, 1);
    gz_triangle_stats stats = {0};
    int asked = 0;
    for (int i = 0; i < 20000; i++) {
        triangle a, b;
        draw(&random, 1, a);
        draw(&random, 1, b);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 2; j++) b[k][(i + j) % 3] += j ? 0.4 : 1.3;
        if (gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL)) continue;
        double p[3], q[3], found = gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), p, q);
        double gap = pow(10, -gz_random_range(&random, 1, 8));
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) b[j][k] -= (found - gap) / found * (q[k] - p[k]);
        if (gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL)) continue;
        found = gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), p, q);
        for (int side = -1; side < 2; side += 2, asked++)
            assert_int_equal(
                gz_triangles_near(GZ_CORNERS(a), GZ_CORNERS(b), found + side * 1e-12, &stats),
                side > 0);
    }
    print_message("%d of %d needed integers\n", (int)stats.exact_tests, asked);
    assert_true(asked > 20000);
    assert_int_equal(stats.exact_tests, 0);
}

/// The nearest points lie in the triangles, and no sampled pair of points is nearer.
static void test_nearest_points_are_not_beaten_by_samples(void **state) {
    (void)state;
    gz_random random = gz_random_make(6, 1);
    for (int i = 0; i < 300; i++) {
        triangle a, b;
        draw(&random, 1, a);
        draw(&random, 1, b);
        for (int k = 0; k < 3; k++) b[k][i % 3] += 1.5;
        if (gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL)) continue;
        double p[3], q[3], found = gz_triangles_nearest(GZ_CORNERS(a), GZ_CORNERS(b), p, q);
        double square = 0;
        for (int k = 0; k < 3; k++) square += (p[k] - q[k]) * (p[k] - q[k]);
        assert_true(fabs(sqrt(square) - found) < 1e-13);
        triangle at_p = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
        triangle at_q = {{q[0], q[1], q[2]}, {q[0], q[1], q[2]}, {q[0], q[1], q[2]}};
        assert_true(gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(at_p), NULL) ||
                    gz_triangles_near_exact(GZ_CORNERS(a), GZ_CORNERS(at_p), 1e-14));
        assert_true(gz_triangles_overlap_exact(GZ_CORNERS(b), GZ_CORNERS(at_q), NULL) ||
                    gz_triangles_near_exact(GZ_CORNERS(b), GZ_CORNERS(at_q), 1e-14));
        for (int s = 0; s < 3000; s++) {
            double u[2], v[2], sum = 0;
            for (int side = 0; side < 2; side++) {
                u[side] = gz_random_unit(&random);
                v[side] = (1 - u[side]) * gz_random_unit(&random);
            }
            for (int k = 0; k < 3; k++) {
                double x = a[0][k] + u[0] * (a[1][k] - a[0][k]) + v[0] * (a[2][k] - a[0][k]);
                double y = b[0][k] + u[1] * (b[1][k] - b[0][k]) + v[1] * (b[2][k] - b[0][k]);
                sum += (x - y) * (x - y);
            }
            assert_true(sqrt(sum) >= found - 1e-13);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_of_features_has_its_distance),
        cmocka_unit_test(test_triangles_without_area_are_segments_and_points),
        cmocka_unit_test(test_an_irrational_distance_lies_between_its_neighbours),
        cmocka_unit_test(test_the_ends_of_the_range_are_exact),
        cmocka_unit_test(test_what_doubles_cannot_decide_goes_to_integers),
        cmocka_unit_test(test_doubles_decide_all_but_the_last_digits),
        cmocka_unit_test(test_nearest_points_are_not_beaten_by_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
