// Balls inside meshes: none reaches a triangle, however thin the triangles are.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cspace/inner_solid.h"
#include "graze/graze.h"
#include "unit/trials.h"

/// The distance of p from a triangle in long double, by the plane's normal and the edges: nothing
/// of it is divided by the triangle's area but the normal's length.
static double true_distance(const double *const c[3], const double p[3]) {
    long double e[3][3], to[3][3], n[3], least = INFINITY, height = 0, size = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            e[k][i] = (long double)c[(k + 1) % 3][i] - c[k][i];
            to[k][i] = (long double)p[i] - c[k][i];
        }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        n[i] = e[0][j] * e[1][l] - e[0][l] * e[1][j];
        height += n[i] * to[0][i];
        size += n[i] * n[i];
    }
    bool over = true; // the triangle's inside
    for (int k = 0; k < 3; k++) {
        long double side = 0, along = 0, square = 0, away = 0;
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            side += n[i] * (e[k][j] * to[k][l] - e[k][l] * to[k][j]);
            along += e[k][i] * to[k][i];
            square += e[k][i] * e[k][i];
        }
        over = over && side >= 0;
        along = fminl(fmaxl(along / square, 0), 1);
        for (int i = 0; i < 3; i++) {
            long double d = to[k][i] - along * e[k][i];
            away += d * d;
        }
        least = fminl(least, away);
    }
    return (double)(over ? fabsl(height) / sqrtl(size) : sqrtl(least));
}

enum { RIM = TRIALS(600, 150), CORNERS = 2 * RIM + 4, HALF = 16 * CORNERS };

static void add_corner(double (*v)[3], size_t *count, double x, double y, double z) {
    v[*count][0] = x;
    v[*count][1] = y;
    v[(*count)++][2] = z;
}

/// A thin plate whose faces are fans of needles about one corner, 1.1e-5 rad each.
static void add_plate(graze_world *world) {
    static double v[2 * CORNERS][3];
    static uint32_t t[HALF][3];
    size_t n = 0, count = 0;
    const double half = 0.00105;
    add_corner(v, &n, 0, 0, half);
    add_corner(v, &n, 10, 0, half);
    for (int i = -RIM; i <= RIM; i++) {
        double a = atan(1) + i * 1.1e-5;
        add_corner(v, &n, i <= 0 ? 10 : 10 / tan(a), i < 0 ? 10 * tan(a) : 10, half);
    }
    add_corner(v, &n, 0, 10, half);
    for (size_t i = 0, top = n; i < top; i++) add_corner(v, &n, v[i][0], v[i][1], -half);
    uint32_t m = (uint32_t)n / 2;
    for (uint32_t i = 0; i < m; i++) {
        uint32_t j = (i + 1) % m;
        uint32_t wall[4][3] = {{0, i, j}, {m, m + j, m + i}, {i, m + i, m + j}, {i, m + j, j}};
        // The fans have no triangle at their own corner.
        for (int k = i == 0 || j == 0 ? 2 : 0; k < 4; k++)
            memcpy(t[count++], wall[k], sizeof wall[k]);
    }
    assert_int_equal(graze_world_add_mesh(world, "plate", &v[0][0], n, &t[0][0], count, NULL, NULL),
                     GRAZE_OK);
}

static void test_no_ball_reaches_a_fan_of_needles(void **state) {
    (void)state;
    graze_world *world;
    graze_geometry g;
    gz_ball balls[GZ_INNER_BALLS];
    size_t count = 0;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    add_plate(world);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    assert_int_equal(graze_world_object(world, 0, &g), GRAZE_OK);
    assert_int_equal(gz_inner_balls_find(&g, balls, &count, NULL), GRAZE_OK);
    assert_true(count > 3);
    for (size_t i = 0; i < count; i += TRIALS(1, 5))
        for (size_t k = 0; k < g.triangle_count; k++) {
            const double *c[3];
            for (size_t j = 0; j < 3; j++) c[j] = g.vertices + 3 * (size_t)g.triangles[3 * k + j];
            double distance = true_distance(c, balls[i].center);
            if (!(balls[i].radius < distance))
                fail_msg("ball %d of radius %.12g, triangle %d at %.12g", (int)i, balls[i].radius,
                         (int)k, distance);
        }
    // Needles are no reason to give up: the plate's thickness is nearly used.
    assert_true(balls[0].radius > 0.00104);
    graze_world_free(world);
}

/// A skew box, around which a box has edges of 10, 10 and 15 units.
static void add_block(graze_world *world, double unit) {
    static const uint32_t t[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                      {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    static const double low[2][3] = {{0, 0, 0}, {1, 2, 15}}, high[2][3] = {{10, 10, 0}, {7, 9, 15}};
    double v[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) v[i][k] = unit * ((i >> k & 1) ? high : low)[i >> 2][k];
    assert_int_equal(graze_world_add_mesh(world, "block", &v[0][0], 8, &t[0][0], 12, NULL, NULL),
                     GRAZE_OK);
}

// Its lattice has whole numbers of cells along every edge: how a root is rounded, which is not the
// same in every C library, must not add another.
static void test_blocks_of_one_shape_have_balls_of_one_pattern(void **state) {
    (void)state;
    gz_ball first[GZ_INNER_BALLS], balls[GZ_INNER_BALLS];
    size_t first_count = 0, count = 0;
    for (int i = 0; i < 40; i++) {
        double unit = 1 + i * 0.0371;
        graze_world *world;
        graze_geometry g;
        assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
        add_block(world, unit);
        assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
        assert_int_equal(graze_world_object(world, 0, &g), GRAZE_OK);
        assert_int_equal(gz_inner_balls_find(&g, balls, &count, NULL), GRAZE_OK);
        if (i == 0) {
            memcpy(first, balls, sizeof first);
            first_count = count;
        }
        assert_true(count > 0 && first_count > 0);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(balls[0].center[k] / unit - first[0].center[k]) < 1e-9);
        graze_world_free(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_of_one_shape_have_balls_of_one_pattern),
        cmocka_unit_test(test_no_ball_reaches_a_fan_of_needles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
