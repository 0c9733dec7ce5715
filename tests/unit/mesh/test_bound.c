/// Bounds of point sets: containment in long double, tightness where the best bound is known.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "mesh/bound.h"

#define MOST 3000

typedef struct cloud {
    double v[3 * MOST];
    size_t n;
} cloud;

static cloud points;

static void add(double x, double y, double z) {
    points.v[3 * points.n] = x;
    points.v[3 * points.n + 1] = y;
    points.v[3 * points.n + 2] = z;
    points.n++;
}

/// A rotation from a random quaternion.
static void random_rotation(gz_random *r, double m[3][3]) {
    double q[4], norm = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = gz_random_range(r, -1, 1);
        norm += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(norm);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double out[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(m, out, sizeof out);
}

static void move(gz_random *r, double offset) {
    double m[3][3], t[3];
    random_rotation(r, m);
    for (int k = 0; k < 3; k++) t[k] = gz_random_range(r, -offset, offset);
    for (size_t i = 0; i < points.n; i++) {
        double p[3];
        memcpy(p, points.v + 3 * i, sizeof p);
        for (int k = 0; k < 3; k++) {
            points.v[3 * i + (size_t)k] = m[k][0] * p[0] + m[k][1] * p[1] + m[k][2] * p[2] + t[k];
        }
    }
}

static long double det3(long double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Whether p = center + sum of s_i axis_i has |s_i| <= half_i, by Cramer's rule in long double.
static bool obb_holds(const graze_obb *box, const double *p) {
    long double a[3][3],
        d[3] = {(long double)p[0] - box->center.x, (long double)p[1] - box->center.y,
                (long double)p[2] - box->center.z};
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    for (int i = 0; i < 3; i++) {
        a[0][i] = box->axis[i].x;
        a[1][i] = box->axis[i].y;
        a[2][i] = box->axis[i].z;
    }
    long double whole = det3(a);
    for (int i = 0; i < 3; i++) {
        long double b[3][3];
        memcpy(b, a, sizeof b);
        for (int k = 0; k < 3; k++) b[k][i] = d[k];
        if (fabsl(det3(b) / whole) > half[i]) return false;
    }
    return true;
}

static void check_axes(const graze_obb *box) {
    long double a[3][3];
    for (int i = 0; i < 3; i++) {
        a[i][0] = box->axis[i].x;
        a[i][1] = box->axis[i].y;
        a[i][2] = box->axis[i].z;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            long double d = a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2];
            assert_true(fabsl(d - (i == j)) <= 0x1p-48L);
        }
    }
    assert_true(det3(a) > 0.99L);
}

static double surface(double x, double y, double z) {
    return x * y + y * z + z * x;
}

/// Checks that all three bounds of the cloud hold it, and that the box is no worse than straight.
static void check_bounds(void) {
    graze_aabb box = gz_bound_aabb(points.v, points.n);
    graze_sphere ball = gz_bound_sphere(points.v, points.n);
    graze_obb obb = gz_bound_obb(points.v, points.n);
    bool met[6] = {false};
    for (size_t i = 0; i < points.n; i++) {
        const double *p = points.v + 3 * i;
        assert_true(p[0] >= box.min.x && p[1] >= box.min.y && p[2] >= box.min.z);
        assert_true(p[0] <= box.max.x && p[1] <= box.max.y && p[2] <= box.max.z);
        const bool here[6] = {p[0] == box.min.x, p[1] == box.min.y, p[2] == box.min.z,
                              p[0] == box.max.x, p[1] == box.max.y, p[2] == box.max.z};
        for (int k = 0; k < 6; k++) met[k] = met[k] || here[k];
        long double x = (long double)p[0] - ball.center.x, y = (long double)p[1] - ball.center.y,
                    z = (long double)p[2] - ball.center.z;
        assert_true(sqrtl(x * x + y * y + z * z) <= ball.radius);
        assert_true(obb_holds(&obb, p));
    }
    for (int k = 0; k < 6; k++) assert_true(met[k]);
    check_axes(&obb);
    double straight = surface(box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z);
    double turned = 4 * surface(obb.half.x, obb.half.y, obb.half.z);
    double edge = obb.half.x + obb.half.y + obb.half.z;
    assert_true(turned <= straight * (1 + 1e-9) + 1e-5 * edge * edge);
}

static void test_bounds_contain_random_clouds(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int trial = 0; trial < 300; trial++) {
        points.n = 0;
        size_t n = 1 + gz_random_below(&r, trial % 3 == 0 ? 8 : 400);
        // Flat, thin and tiny ones, lattices with many ties, near the origin and far away.
        double size[3];
        for (int k = 0; k < 3; k++) {
            uint32_t form = gz_random_below(&r, 4);
            size[k] = form == 0 ? 0 : form == 1 ? 1e-7 : gz_random_range(&r, 0.01, 2);
        }
        bool lattice = gz_random_below(&r, 3) == 0;
        for (size_t i = 0; i < n; i++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                double x = lattice ? (double)gz_random_below(&r, 4) : gz_random_range(&r, -1, 1);
                p[k] = size[k] * x;
            }
            add(p[0], p[1], p[2]);
        }
        if (trial % 2 == 0) move(&r, trial % 4 == 0 ? 1 : 1000);
        check_bounds();
    }
}

static void test_bounds_of_extreme_sizes_hold(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    static const double sizes[] = {0x1p20, 0x1p-100, 0x1p-450, 0x1p-600};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        points.n = 0;
        for (int i = 0; i < 50; i++) {
            add(sizes[s] * gz_random_range(&r, -1, 1), sizes[s] * gz_random_range(&r, -1, 1),
                sizes[s] * gz_random_range(&r, -1, 1));
        }
        check_bounds();
    }
}

static void test_bounds_of_one_point_and_of_none_are_that_point(void **state) {
    (void)state;
    const double p[6] = {1.5, -2.25, 1e6, 1.5, -2.25, 1e6};
    for (size_t n = 1; n <= 2; n++) {
        graze_sphere ball = gz_bound_sphere(p, n);
        graze_obb box = gz_bound_obb(p, n);
        assert_true(ball.center.x == p[0] && ball.center.y == p[1] && ball.center.z == p[2]);
        assert_true(ball.radius == 0);
        assert_true(box.center.x == p[0] && box.center.y == p[1] && box.center.z == p[2]);
        assert_true(box.half.x == 0 && box.half.y == 0 && box.half.z == 0);
    }
    assert_true(gz_bound_sphere(NULL, 0).radius == 0);
    assert_true(gz_bound_aabb(NULL, 0).max.x == 0);
    graze_obb none = gz_bound_obb(NULL, 0);
    assert_true(none.half.x == 0 && none.center.x == 0);
    check_axes(&none);
}

static void test_obb_finds_turned_boxes(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int trial = 0; trial < 100; trial++) {
        double size[3];
        for (int k = 0; k < 3; k++) size[k] = gz_random_range(&r, 0.05, 1);
        points.n = 0;
        for (unsigned c = 0; c < 8; c++) {
            add(c & 1 ? size[0] : -size[0], c & 2 ? size[1] : -size[1], c & 4 ? size[2] : -size[2]);
        }
        for (int i = 0; i < 200; i++) {
            add(size[0] * gz_random_range(&r, -1, 1), size[1] * gz_random_range(&r, -1, 1),
                size[2] * gz_random_range(&r, -1, 1));
        }
        move(&r, 1);
        check_bounds();
        graze_obb box = gz_bound_obb(points.v, points.n);
        double found = surface(box.half.x, box.half.y, box.half.z);
        assert_true(found <= surface(size[0], size[1], size[2]) * (1 + 1e-9));
    }
}

static void test_obb_finds_turned_prisms(void **state) {
    (void)state;
    // A tube of 24 sides: long axis along it, the best box a little above the inscribed square's.
    gz_random r = gz_random_make(4, 0);
    for (int trial = 0; trial < 50; trial++) {
        double length = gz_random_range(&r, 0.3, 3);
        points.n = 0;
        for (int i = 0; i < 24; i++) {
            double phi = 2 * acos(-1.0) * i / 24;
            for (int j = 0; j <= 10; j++) add(cos(phi), sin(phi), length * (j - 5) / 10);
        }
        move(&r, 1);
        check_bounds();
        graze_obb box = gz_bound_obb(points.v, points.n);
        double found = surface(box.half.x, box.half.y, box.half.z);
        assert_true(found <= surface(1, 1, 0.5 * length) * 1.02);
    }
}

static double radius_at(double x, double y, double z) {
    double most = 0;
    for (size_t i = 0; i < points.n; i++) {
        double a = points.v[3 * i] - x, b = points.v[3 * i + 1] - y, c = points.v[3 * i + 2] - z;
        most = fmax(most, sqrt(a * a + b * b + c * c));
    }
    return most;
}

/// The least radius over centres with the given coordinates fixed, by golden sections: the
/// function is convex.
static double least_radius(double at[3], int fixed) {
    if (fixed == 3) return radius_at(at[0], at[1], at[2]);
    const double golden = 0.6180339887498949;
    double low = -1, high = 1, best = INFINITY;
    for (int i = 0; i < 34; i++) {
        double x = high - golden * (high - low), y = low + golden * (high - low);
        at[fixed] = x;
        double fx = least_radius(at, fixed + 1);
        at[fixed] = y;
        double fy = least_radius(at, fixed + 1);
        best = fmin(best, fmin(fx, fy));
        if (fx < fy) {
            high = y;
        } else {
            low = x;
        }
    }
    return best;
}

static void test_sphere_is_the_smallest_one(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    for (int trial = 0; trial < 6; trial++) {
        points.n = 0;
        for (int i = 0; i < 3 + 3 * trial; i++) {
            add(gz_random_range(&r, -1, 1), gz_random_range(&r, -1, 1), gz_random_range(&r, -1, 1));
        }
        graze_sphere ball = gz_bound_sphere(points.v, points.n);
        double at[3];
        assert_true(ball.radius <= least_radius(at, 0) * (1 + 1e-6));
    }
    // Larger ones by construction: two opposite points and many inside.
    for (int trial = 0; trial < 50; trial++) {
        points.n = 0;
        add(0, 0, 1);
        while (points.n < 1000) {
            double x = gz_random_range(&r, -1, 1), y = gz_random_range(&r, -1, 1),
                   z = gz_random_range(&r, -1, 1);
            double norm = sqrt(x * x + y * y + z * z);
            // Many of them nearly on the surface.
            double to = 1 - (trial % 2 == 0 ? 1e-12 : 0.1) * gz_random_unit(&r) - 1e-14;
            if (norm > 0.1) add(to * x / norm, to * y / norm, to * z / norm);
        }
        add(0, 0, -1);
        move(&r, 10);
        assert_true(gz_bound_sphere(points.v, points.n).radius <= 1 + 1e-9);
        check_bounds();
    }
}

static void test_bounds_are_the_same_for_the_same_points(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    points.n = 0;
    for (int i = 0; i < 500; i++) {
        add(gz_random_range(&r, -1, 1), gz_random_range(&r, -1, 1), gz_random_range(&r, -1, 1));
    }
    graze_obb a = gz_bound_obb(points.v, points.n), b = gz_bound_obb(points.v, points.n);
    graze_sphere s = gz_bound_sphere(points.v, points.n), t = gz_bound_sphere(points.v, points.n);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(&s, &t, sizeof s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_contain_random_clouds),
        cmocka_unit_test(test_bounds_of_extreme_sizes_hold),
        cmocka_unit_test(test_bounds_of_one_point_and_of_none_are_that_point),
        cmocka_unit_test(test_obb_finds_turned_boxes),
        cmocka_unit_test(test_obb_finds_turned_prisms),
        cmocka_unit_test(test_sphere_is_the_smallest_one),
        cmocka_unit_test(test_bounds_are_the_same_for_the_same_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
