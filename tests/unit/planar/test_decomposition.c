/// Simple polygons as convex parts: parts are valid, cover the polygon, and nothing twice.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/planar_shape.h"

#define CAPACITY 4096

typedef struct input {
    double xy[2 * CAPACITY];
    size_t sizes[64], loops, size;
} input;

static void begin(input *in) {
    in->loops = in->size = 0;
}

static void loop(input *in, const double *xy, size_t n) {
    assert_true(in->size + n <= CAPACITY);
    memcpy(in->xy + 2 * in->size, xy, 2 * n * sizeof *xy);
    in->sizes[in->loops++] = n;
    in->size += n;
}

// ------------------------------------------------------------------------------------ the oracle

// Twice the area of a loop, in long double.
static long double loop_area(const double *xy, size_t n) {
    long double sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = (i + 1) % n;
        sum += (long double)xy[2 * i] * xy[2 * k + 1] - (long double)xy[2 * k] * xy[2 * i + 1];
    }
    return fabsl(sum);
}

static long double input_area(const input *in) {
    long double sum = 0;
    const double *xy = in->xy;
    for (size_t l = 0; l < in->loops; l++) {
        sum += l == 0 ? loop_area(xy, in->sizes[l]) : -loop_area(xy, in->sizes[l]);
        xy += 2 * in->sizes[l];
    }
    return sum / 2;
}

// Even-odd by crossings, in long double; the tests use points away from edges.
static bool input_holds(const input *in, double x, double y) {
    bool inside = false;
    const double *xy = in->xy;
    for (size_t l = 0; l < in->loops; xy += 2 * in->sizes[l], l++) {
        for (size_t i = 0; i < in->sizes[l]; i++) {
            size_t k = (i + 1) % in->sizes[l];
            long double ax = xy[2 * i], ay = xy[2 * i + 1], bx = xy[2 * k], by = xy[2 * k + 1];
            if ((ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)) inside = !inside;
        }
    }
    return inside;
}

static bool is_vertex(const input *in, double x, double y) {
    for (size_t i = 0; i < in->size; i++) {
        if (in->xy[2 * i] == x && in->xy[2 * i + 1] == y) return true;
    }
    return false;
}

// The area of a part.
static long double part_area(const graze_planar_shape *part) {
    double xy[2 * GRAZE_PLANAR_VERTEX_MAX];
    for (int k = 0; k < part->count; k++) {
        xy[2 * k] = part->vertices[k].x;
        xy[2 * k + 1] = part->vertices[k].y;
    }
    return loop_area(xy, (size_t)part->count) / 2;
}

static bool part_holds(const graze_planar_shape *part, graze_vec2 p) {
    for (int k = 0; k < part->count; k++) {
        int next = (k + 1) % part->count;
        long double ex = (long double)part->vertices[next].x - part->vertices[k].x;
        long double ey = (long double)part->vertices[next].y - part->vertices[k].y;
        if (ex * ((long double)p.y - part->vertices[k].y) <
            ey * ((long double)p.x - part->vertices[k].x))
            return false;
    }
    return true;
}

// Parts are shapes, of the polygon's vertices, sum to its area, and hold what it holds, once.
static size_t check(const input *in, gz_random *random) {
    graze_planar_parts parts;
    graze_error error;
    graze_status status = graze_planar_decompose(&parts, in->xy, in->sizes, in->loops, 0.25,
                                                 &error);
    if (status != GRAZE_OK) print_error("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    long double area = 0, expected = input_area(in);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < 2 * in->size; i++) {
        low = fmin(low, in->xy[i]);
        high = fmax(high, in->xy[i]);
    }
    for (size_t i = 0; i < parts.count; i++) {
        const graze_planar_shape *part = &parts.items[i];
        assert_int_equal(graze_planar_shape_check(part, &error), GRAZE_OK);
        assert_true(part->count >= 3);
        assert_true(part->radius == 0.25);
        for (int k = 0; k < part->count; k++)
            assert_true(is_vertex(in, part->vertices[k].x, part->vertices[k].y));
        area += part_area(part);
    }
    assert_true(fabsl(area - expected) <= 1e-12L * (high - low) * (high - low));
    for (int k = 0; k < 200; k++) {
        graze_vec2 p = {gz_random_range(random, low, high), gz_random_range(random, low, high)};
        int held = 0;
        for (size_t i = 0; i < parts.count; i++) held += part_holds(&parts.items[i], p);
        assert_int_equal(held, input_holds(in, p.x, p.y));
    }
    size_t count = parts.count;
    graze_planar_parts_free(&parts);
    assert_null(parts.items);
    return count;
}

// ------------------------------------------------------------------------------------- the cases

// A star about (x, y): every ray meets it once.
static void star(input *in, gz_random *random, double x, double y, double size, size_t n,
                 bool back) {
    double xy[2 * CAPACITY];
    for (size_t i = 0; i < n; i++) {
        size_t k = back ? n - 1 - i : i;
        double t = 6.283185307179586 * (double)i / (double)n,
               r = size * gz_random_range(random, 0.3, 1);
        xy[2 * k] = x + r * cos(t);
        xy[2 * k + 1] = y + r * sin(t);
    }
    loop(in, xy, n);
}

static void convex_polygons_stay_whole(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 1);
    input in;
    begin(&in);
    double square[] = {0, 0, 1, 0, 1, 1, 0, 1};
    loop(&in, square, 4);
    assert_int_equal(check(&in, &random), 1);
    begin(&in);
    double flat[] = {0, 0, 0.5, 0, 1, 0, 1, 1, 1, 2, 0, 2, 0, 1}; // points on edges
    loop(&in, flat, 7);
    assert_int_equal(check(&in, &random), 1);
}

static void a_convex_polygon_of_many_vertices_is_split_at_16(void **state) {
    (void)state;
    gz_random random = gz_random_make(2, 1);
    input in;
    begin(&in);
    double xy[200];
    for (int i = 0; i < 100; i++) {
        xy[2 * i] = cos(0.0628318530717958 * i);
        xy[2 * i + 1] = sin(0.0628318530717958 * i);
    }
    loop(&in, xy, 100);
    size_t parts = check(&in, &random);
    assert_true(parts >= 7 && parts <= 28); // 98 triangles, 14 of them a part at most
}

static void stars_are_covered_once(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 1);
    for (int i = 0; i < 300; i++) {
        input in;
        begin(&in);
        star(&in, &random, 0, 0, 1, 3 + gz_random_below(&random, 60), i & 1);
        check(&in, &random);
    }
}

static void holes_are_left_out(void **state) {
    (void)state;
    gz_random random = gz_random_make(4, 1);
    for (int i = 0; i < 200; i++) {
        input in;
        begin(&in);
        int side = 1 + (int)gz_random_below(&random, 4);
        double e = side;
        double frame[] = {0, 0, e, 0, e, e, 0, e};
        loop(&in, frame, 4);
        for (int k = 0; k < side * side; k++) {
            double x = k % side + 0.5, y = (double)(k / side) + 0.5;
            star(&in, &random, x, y, 0.45, 3 + gz_random_below(&random, 9), k & 1);
        }
        check(&in, &random);
    }
}

// Corners on a grid: edges in line with corners and bridges, equal heights.
static void grids_of_square_holes_are_left_out(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 1);
    for (int side = 1; side <= 7; side++) {
        input in;
        begin(&in);
        double e = 2 * side + 1;
        double frame[] = {0, 0, e, 0, e, e, 0, e};
        loop(&in, frame, 4);
        for (int k = 0; k < side * side; k++) {
            double x = 2 * (k % side) + 1, y = 2 * (double)(k / side) + 1;
            double hole[] = {x, y, x + 1, y, x + 1, y + 1, x, y + 1};
            loop(&in, hole, 4);
        }
        check(&in, &random);
    }
}

// A comb of n teeth, and a spiral of right angles.
static void combs_and_spirals_are_covered_once(void **state) {
    (void)state;
    gz_random random = gz_random_make(6, 1);
    for (int n = 1; n < 40; n++) {
        double xy[4 * 200];
        size_t k = 0;
        for (int i = 0; i < n; i++) {
            xy[2 * k] = i, xy[2 * k++ + 1] = i & 1 ? 0.25 : 0;
            xy[2 * k] = i + 0.5, xy[2 * k++ + 1] = 5;
        }
        xy[2 * k] = n, xy[2 * k++ + 1] = -1;
        xy[2 * k] = 0, xy[2 * k++ + 1] = -1;
        input in;
        begin(&in);
        loop(&in, xy, k);
        check(&in, &random);
    }
    for (int turns = 2; turns < 60; turns++) {
        // Out along one wall, back along the other.
        double out[2 * 200], x = 0, y = 0;
        size_t n = 0;
        static const double dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
        for (int i = 0; i < turns; i++) {
            out[2 * n] = x, out[2 * n++ + 1] = y;
            x += dx[i % 4] * (i + 1), y += dy[i % 4] * (i + 1);
        }
        double xy[4 * 200];
        for (size_t i = 0; i < n; i++) {
            xy[2 * i] = out[2 * i], xy[2 * i + 1] = out[2 * i + 1];
            size_t back = 2 * n - 1 - i;
            double shift = 0.25;
            int a = (int)i % 4;
            xy[2 * back] = out[2 * i] + (a == 0 || a == 3 ? shift : -shift) * (a & 1 ? 1 : 1);
            xy[2 * back + 1] = out[2 * i + 1] + (a == 0 || a == 1 ? shift : -shift);
        }
        input in;
        begin(&in);
        loop(&in, xy, 2 * n);
        graze_planar_parts parts;
        graze_error error;
        // Not every one is simple near its start; those that are must be covered.
        if (graze_planar_decompose(&parts, xy, in.sizes, 1, 0, &error) != GRAZE_OK) continue;
        graze_planar_parts_free(&parts);
        check(&in, &random);
    }
}

static graze_status status_of(const double *xy, const size_t *sizes, size_t loops, double radius) {
    graze_planar_parts parts = {(graze_planar_shape *)1, 1};
    graze_error error;
    graze_status status = graze_planar_decompose(&parts, xy, sizes, loops, radius, &error);
    if (status != GRAZE_OK) {
        assert_null(parts.items);
        assert_true(parts.count == 0);
        assert_true(error.message[0] != '\0' && error.status == status);
    }
    graze_planar_parts_free(&parts);
    return status;
}

static void what_is_not_simple_is_refused(void **state) {
    (void)state;
    size_t four = 4, two = 2, pair[] = {4, 4};
    double bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
    assert_int_equal(status_of(bow, &four, 1, 0), GRAZE_ERROR_SCHEMA);
    double touching[] = {0, 0, 2, 0, 1, 0, 1, 1}; // turns back
    assert_int_equal(status_of(touching, &four, 1, 0), GRAZE_ERROR_SCHEMA);
    double flat[] = {0, 0, 1, 0, 2, 0, 3, 0};
    assert_int_equal(status_of(flat, &four, 1, 0), GRAZE_ERROR_SCHEMA);
    double twice[] = {0, 0, 1, 0, 1, 0, 0, 1};
    assert_int_equal(status_of(twice, &four, 1, 0), GRAZE_ERROR_SCHEMA);
    double outside[] = {0, 0, 1, 0, 1, 1, 0, 1, 5, 5, 6, 5, 6, 6, 5, 6};
    assert_int_equal(status_of(outside, pair, 2, 0), GRAZE_ERROR_SCHEMA);
    double crossing[] = {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5, 6, 0.5, 6, 0.6, 0.5, 0.6};
    assert_int_equal(status_of(crossing, pair, 2, 0), GRAZE_ERROR_SCHEMA);
    double corner[] = {0, 0, 4, 0, 4, 4, 0, 4, 0, 0, 1, 1, 2, 1, 1, 2}; // touches a corner
    assert_int_equal(status_of(corner, pair, 2, 0), GRAZE_ERROR_SCHEMA);
    double nested[] = {0, 0, 9, 0, 9, 9, 0, 9, 1, 1, 8, 1, 8, 8, 1, 8, 2, 2, 3, 2, 3, 3, 2, 3};
    size_t three[] = {4, 4, 4};
    assert_int_equal(status_of(nested, three, 3, 0), GRAZE_ERROR_SCHEMA);
    assert_int_equal(status_of(bow, &two, 1, 0), GRAZE_ERROR_SCHEMA);
    double square[] = {0, 0, 1, 0, 1, 1, 0, 1};
    assert_int_equal(status_of(square, &four, 1, -1), GRAZE_ERROR_RANGE);
    square[3] = NAN;
    assert_int_equal(status_of(square, &four, 1, 0), GRAZE_ERROR_RANGE);
    assert_int_equal(status_of(NULL, &four, 1, 0), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(status_of(square, &four, 0, 0), GRAZE_ERROR_ARGUMENT);
    size_t many = 65537;
    assert_int_equal(status_of(square, &many, 1, 0), GRAZE_ERROR_LIMIT);
    graze_planar_parts_free(NULL);
}

static void ten_thousand_vertices_take_no_minute(void **state) {
    (void)state;
    size_t n = 10000;
    double *xy = malloc(2 * n * sizeof *xy);
    assert_non_null(xy);
    gz_random random = gz_random_make(7, 1);
    for (size_t i = 0; i < n; i++) {
        double t = 6.283185307179586 * (double)i / (double)n, r = gz_random_range(&random, 0.3, 1);
        xy[2 * i] = r * cos(t);
        xy[2 * i + 1] = r * sin(t);
    }
    graze_planar_parts parts;
    assert_int_equal(graze_planar_decompose(&parts, xy, &n, 1, 0, NULL), GRAZE_OK);
    long double area = 0;
    for (size_t i = 0; i < parts.count; i++) area += part_area(&parts.items[i]);
    assert_true(fabsl(area - loop_area(xy, n) / 2) < 1e-12L);
    graze_planar_parts_free(&parts);
    free(xy);
}

#ifdef GRAZE_FAULTS
static void every_allocation_may_fail(void **state) {
    (void)state;
    double xy[] = {0, 0, 9, 0, 9, 9, 0, 9, 1, 1, 2, 1, 2, 2, 4, 4, 5, 4, 5, 5};
    size_t sizes[] = {4, 3, 3};
    graze_planar_parts parts;
    for (long n = 1;; n++) {
        gz_memory_fail_after(n, false);
        graze_status status = graze_planar_decompose(&parts, xy, sizes, 3, 0, NULL);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        graze_planar_parts_free(&parts);
        if (used < n) {
            assert_int_equal(status, GRAZE_OK);
            break;
        }
        // Giving memory back may fail without harm.
        assert_true(status == GRAZE_ERROR_NO_MEMORY || status == GRAZE_OK);
    }
}
#endif

// Holes in rows and columns: their corners lie on lines with each other and with the outline's.
static void holes_in_line_are_left_out(void **state) {
    (void)state;
    gz_random random = gz_random_make(11, 0);
    for (int side = 1; side <= 7; side++) {
        input in;
        double end = 3 * side + 1;
        const double outline[12] = {0, 0, 2, 0, end, 0, end, end, 2, end, 0, end};
        begin(&in);
        loop(&in, outline, 6);
        for (int k = 0; k < side * side; k++) {
            double x = 3 * (k % side) + 1, y = 3 * (double)(k / side) + 1;
            const double square[8] = {x, y, x + 2, y, x + 2, y + 2, x, y + 2};
            const double chevron[10] = {x, y, x + 2, y, x + 1, y + 1, x + 2, y + 2, x, y + 2};
            loop(&in, k % 3 ? chevron : square, k % 3 ? 5 : 4);
        }
        check(&in, &random);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holes_in_line_are_left_out),
        cmocka_unit_test(convex_polygons_stay_whole),
        cmocka_unit_test(a_convex_polygon_of_many_vertices_is_split_at_16),
        cmocka_unit_test(stars_are_covered_once),
        cmocka_unit_test(holes_are_left_out),
        cmocka_unit_test(grids_of_square_holes_are_left_out),
        cmocka_unit_test(combs_and_spirals_are_covered_once),
        cmocka_unit_test(what_is_not_simple_is_refused),
        cmocka_unit_test(ten_thousand_vertices_take_no_minute),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
