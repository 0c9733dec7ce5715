// The z-buffer against a test of every sample in extended precision.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "picture/raster.h"

enum { WIDTH = 61, HEIGHT = 47 };

static double random_unit(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static long double side(const gz_corner *a, const gz_corner *b, long double x, long double y) {
    return ((long double)b->x - (long double)a->x) * (y - (long double)a->y) -
           ((long double)b->y - (long double)a->y) * (x - (long double)a->x);
}

/// Whether a sample is inside (1), outside (0), or too near to an edge to tell (-1); its depth.
static int inside(const gz_corner c[3], double x, double y, long double *depth) {
    long double area = side(&c[0], &c[1], (long double)c[2].x, (long double)c[2].y);
    long double w[3];
    int result = 1;
    *depth = 0;
    for (int k = 0; k < 3; k++) {
        w[k] = side(&c[(k + 1) % 3], &c[(k + 2) % 3], (long double)x, (long double)y) / area;
        *depth += w[k] * (long double)c[k].depth;
        if (fabsl(w[k]) < 1e-9L)
            result = -1;
        else if (w[k] < 0 && result != -1)
            result = 0;
    }
    return result;
}

static void test_triangles_fill_the_samples_inside_them(void **context) {
    (void)context;
    gz_raster raster;
    assert_true(gz_raster_make(&raster, WIDTH, HEIGHT, true));
    uint64_t state = 1;
    int drawn = 0;
    for (int i = 0; i < 4000; i++) {
        gz_corner c[3];
        double extent = i % 4 == 0 ? 2 : i % 4 == 1 ? 30 : i % 4 == 2 ? 300 : 1e5;
        double x = random_unit(&state) * WIDTH, y = random_unit(&state) * HEIGHT;
        for (int k = 0; k < 3; k++) {
            c[k].x = x + (random_unit(&state) - 0.5) * extent;
            c[k].y = y + (random_unit(&state) - 0.5) * extent;
            c[k].depth = random_unit(&state);
        }
        if (i % 3 == 0) { // a sliver
            c[2].x = c[0].x + (c[1].x - c[0].x) * 0.3 + 0.7;
            c[2].y = c[0].y + (c[1].y - c[0].y) * 0.3;
        }
        gz_raster_clear(&raster);
        gz_raster_triangle(&raster, c, 7, false);
        for (int py = 0; py < HEIGHT; py++) {
            for (int px = 0; px < WIDTH; px++) {
                long double depth;
                int expected = inside(c, px + 0.5, py + 0.5, &depth);
                int32_t id = raster.ids[py * WIDTH + px];
                if (expected >= 0) assert_int_equal(id, expected ? 7 : -1);
                if (expected == 1)
                    assert_true(fabsl((long double)raster.depth[py * WIDTH + px] - depth) < 1e-4L);
                drawn += id == 7;
            }
        }
    }
    assert_true(drawn > 100000);
    gz_raster_free(&raster);
}

static void test_the_nearer_triangle_is_seen_in_either_order(void **context) {
    (void)context;
    gz_corner far[3] = {{0, 0, 0.1}, {60, 0, 0.1}, {0, 40, 0.1}};
    gz_corner near[3] = {{0, 0, 0.2}, {60, 0, 0.2}, {0, 40, 0.2}};
    for (int order = 0; order < 2; order++) {
        gz_raster raster;
        assert_true(gz_raster_make(&raster, WIDTH, HEIGHT, true));
        gz_raster_triangle(&raster, order ? near : far, order ? 1 : 0, false);
        gz_raster_triangle(&raster, order ? far : near, order ? 0 : 1, false);
        assert_int_equal(raster.ids[5 * WIDTH + 5], 1);
        assert_int_equal(raster.ids[45 * WIDTH + 60], -1);
        gz_raster_free(&raster);
    }
}

static void test_a_sieve_leaves_every_other_sample(void **context) {
    (void)context;
    gz_raster raster;
    assert_true(gz_raster_make(&raster, WIDTH, HEIGHT, true));
    gz_corner all[3] = {{-200, -200, 1}, {400, -200, 1}, {-200, 400, 1}};
    gz_raster_triangle(&raster, all, 3, true);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_int_equal(raster.ids[y * WIDTH + x], (x + y) % 2 ? -1 : 3);
    gz_raster_free(&raster);
}

static void test_degenerate_and_far_triangles_draw_nothing(void **context) {
    (void)context;
    gz_raster raster;
    assert_true(gz_raster_make(&raster, WIDTH, HEIGHT, true));
    gz_corner line[3] = {{0, 0, 1}, {10, 10, 1}, {20, 20, 1}};
    gz_corner away[3] = {{100, 0, 1}, {200, 0, 1}, {100, 90, 1}};
    gz_corner nan[3] = {{NAN, 0, 1}, {20, 0, 1}, {0, 20, 1}};
    gz_corner huge[3] = {{-1e300, -1e300, 1}, {1e300, 0, 1}, {0, 1e300, 1}};
    gz_raster_triangle(&raster, line, 1, false);
    gz_raster_triangle(&raster, away, 1, false);
    gz_raster_triangle(&raster, nan, 1, false);
    gz_raster_triangle(&raster, huge, 1, false);
    for (int i = 0; i < WIDTH * HEIGHT; i++) assert_int_equal(raster.ids[i], -1);
    gz_raster_free(&raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles_fill_the_samples_inside_them),
        cmocka_unit_test(test_the_nearer_triangle_is_seen_in_either_order),
        cmocka_unit_test(test_a_sieve_leaves_every_other_sample),
        cmocka_unit_test(test_degenerate_and_far_triangles_draw_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
