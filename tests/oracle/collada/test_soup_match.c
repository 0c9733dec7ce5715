#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "oracle/collada/soup_match.h"

// The expected answers follow from how each second soup was made of the first, by hand.

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % n);
}

static void add(gz_soup *soup, const double corners[9]) {
    assert_true(gz_soup_reserve(soup, 3, 1));
    for (uint32_t k = 0; k < 3; k++)
        soup->triangles[3 * soup->triangle_count + k] = (uint32_t)soup->vertex_count + k;
    memcpy(soup->vertices + 3 * soup->vertex_count, corners, 9 * sizeof *corners);
    soup->vertex_count += 3;
    soup->triangle_count++;
}

static void corners_of(const gz_soup *soup, size_t i, double corners[9]) {
    for (size_t k = 0; k < 9; k++)
        corners[k] = soup->vertices[3 * (size_t)soup->triangles[3 * i + k / 3] + k % 3];
}

/// Hills over a grid of n by n squares, a centimetre each.
static gz_soup *make_hills(uint32_t n) {
    gz_soup *soup = gz_soup_create();
    assert_true(soup && gz_soup_reserve(soup, (size_t)(n + 1) * (n + 1), 2 * (size_t)n * n));
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++) {
            double *v = soup->vertices + 3 * soup->vertex_count++;
            v[0] = 0.01 * i;
            v[1] = 0.01 * j;
            v[2] = 0.05 * sin(0.7 * i) * cos(0.3 * j);
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t a = i * (n + 1) + j, b = a + n + 1;
            const uint32_t two[6] = {a, b, b + 1, a, b + 1, a + 1};
            memcpy(soup->triangles + 3 * soup->triangle_count, two, sizeof two);
            soup->triangle_count += 2;
        }
    return soup;
}

enum { TURN = 1, ROUND = 2, MIRROR = 4 };

/// Its triangles, each with corners of its own, in another order; each begun at another corner,
/// rounded to float, or turned around.
static gz_soup *shuffle(const gz_soup *from, int how) {
    gz_soup *soup = gz_soup_create();
    size_t n = from->triangle_count, *order = malloc(n * sizeof *order);
    assert_true(soup && order);
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t k = random_below((uint32_t)i), other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
    for (size_t i = 0; i < n; i++) {
        double c[9], turned[9];
        corners_of(from, order[i], c);
        size_t by = how & TURN ? random_below(3) : 0;
        for (size_t k = 0; k < 3; k++) {
            size_t to = how & MIRROR ? 2 - k : k;
            for (size_t x = 0; x < 3; x++) {
                double value = c[3 * ((k + by) % 3) + x];
                turned[3 * to + x] = how & ROUND ? (double)(float)value : value;
            }
        }
        add(soup, turned);
    }
    free(order);
    return soup;
}

static gz_soup_match match(const gz_soup *a, const gz_soup *b, double tolerance) {
    gz_soup_match found;
    const gz_soup_cut cuts[2] = {{a, NULL}, {b, NULL}};
    assert_true(gz_soup_match_find(&found, &cuts[0], &cuts[1], tolerance));
    return found;
}

static void assert_lacking(const gz_soup *a, const gz_soup *b, double tolerance, size_t ours,
                           size_t theirs) {
    gz_soup_match found = match(a, b, tolerance), back = match(b, a, tolerance);
    if (found.lacking[0] != ours || found.lacking[1] != theirs)
        fail_msg("%zu and %zu lacking; wanted %zu and %zu", found.lacking[0], found.lacking[1],
                 ours, theirs);
    assert_int_equal(back.lacking[0], theirs);
    assert_int_equal(back.lacking[1], ours);
    assert_true((found.first[0] == SIZE_MAX) == (ours == 0));
    assert_true((found.first[1] == SIZE_MAX) == (theirs == 0));
}

static const double first[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static void test_order_and_first_corner_do_not_count(void **state) {
    (void)state;
    gz_soup *a = make_hills(20);
    for (int how = 0; how < 4; how++) {
        gz_soup *b = shuffle(a, how);
        assert_lacking(a, b, 1e-7, 0, 0);
        gz_soup_free(b);
    }
    gz_soup_free(a);
}

static void test_the_way_a_triangle_faces_counts(void **state) {
    (void)state;
    gz_soup *a = make_hills(5), *b = shuffle(a, TURN | MIRROR);
    assert_lacking(a, b, 1e-7, 50, 50);
    gz_soup_free(b);
    gz_soup_free(a);
}

static void test_a_closed_surface_turned_inside_out_is_another(void **state) {
    (void)state;
    static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    gz_soup *a = gz_soup_create(), *b = gz_soup_create(), *c = gz_soup_create();
    for (int i = 0; i < 4; i++) {
        double t[9];
        for (int k = 0; k < 9; k++) t[k] = corners[faces[i][k / 3]][k % 3];
        add(a, t);
        for (int k = 0; k < 9; k++) t[k] += k % 3 == 0 ? 5 : 0;
        add(c, t); // the same elsewhere: its rim is as empty as that of the first
        for (int k = 0; k < 9; k++) t[k] = corners[faces[i][2 - k / 3]][k % 3];
        add(b, t);
    }
    assert_lacking(a, b, 1e-6, 4, 4);
    assert_lacking(a, c, 1e-6, 4, 4);
    assert_true(match(a, c, 1e-6).apart == 5);
    gz_soup_free(a);
    gz_soup_free(b);
    gz_soup_free(c);
}

static void test_one_corner_moved_by_a_millimetre_is_found(void **state) {
    (void)state;
    gz_soup *a = make_hills(20);
    for (int trial = 0; trial < 20; trial++) {
        gz_soup *b = shuffle(a, TURN | ROUND);
        size_t t = random_below((uint32_t)b->triangle_count), v = b->triangles[3 * t];
        b->vertices[3 * v + random_below(3)] += 1e-3;
        assert_lacking(a, b, 1e-6, 1, 1);
        assert_int_equal(match(a, b, 1e-6).first[1], t);
        gz_soup_free(b);
    }
    gz_soup_free(a);
}

static void test_one_corner_moved_by_a_float_is_rounding(void **state) {
    (void)state;
    gz_soup *a = make_hills(20);
    for (int trial = 0; trial < 20; trial++) {
        gz_soup *b = shuffle(a, TURN | ROUND);
        double *x = b->vertices + random_below((uint32_t)(3 * b->vertex_count));
        *x = (double)nextafterf((float)*x, 9);
        assert_lacking(a, b, 0.2 * 0x1p-22, 0, 0);
        gz_soup_free(b);
    }
    gz_soup_free(a);
}

static void test_far_from_the_origin_the_grid_finds_neighbours(void **state) {
    (void)state;
    gz_soup *a = make_hills(10);
    for (size_t i = 0; i < 3 * a->vertex_count; i++) a->vertices[i] += 1048000;
    gz_soup *b = shuffle(a, TURN | ROUND);
    assert_lacking(a, b, 0x1p-4, 0, 0);
    assert_lacking(a, a, 0, 0, 0);
    assert_lacking(a, a, 1e-12, 0, 0);
    gz_soup_free(a);
    gz_soup_free(b);
}

/// Corners right at the borders of cells, moved by what is allowed each way.
static void test_borders_of_cells_split_nothing(void **state) {
    (void)state;
    const double tolerance = 1e-3;
    for (int i = -40; i < 40; i++) {
        gz_soup *a = gz_soup_create(), *b = gz_soup_create();
        double t[9];
        for (int k = 0; k < 9; k++) t[k] = first[k] + i * tolerance / 16;
        add(a, t);
        for (int k = 0; k < 9; k++) t[k] += (k + i) % 2 ? tolerance : -tolerance;
        add(b, t);
        assert_lacking(a, b, tolerance, 0, 0);
        gz_soup *c = gz_soup_create();
        corners_of(a, 0, t);
        t[4] += 2.1 * tolerance;
        add(c, t);
        assert_lacking(a, c, tolerance, 1, 1);
        gz_soup_free(a);
        gz_soup_free(b);
        gz_soup_free(c);
    }
}

static void test_duplicates_do_not_count(void **state) {
    (void)state;
    gz_soup *a = make_hills(4), *b = shuffle(a, TURN);
    for (size_t i = 0; i < 10; i++) {
        double t[9];
        corners_of(a, 3, t);
        add(b, t);
    }
    assert_lacking(a, b, 1e-7, 0, 0);
    gz_soup_free(a);
    gz_soup_free(b);
}

static void test_triangles_without_area_are_there_or_not(void **state) {
    (void)state;
    static const double flat[][9] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0},        {0, 0, 0, 1, 0, 0, 0, 0, 0},
        {0, 0, 0, 1, 1, 1, 1, 1, 1},        {0, 0, 0, 1, 1, 1, 2, 2, 2},
        {.3, .7, 0, .1, .2, 0, .2, .45, 0}, {.3, .7, 0, .1, .2, 0, .2, .45, 1e-7}};
    gz_soup *a = make_hills(4), *b = shuffle(a, TURN);
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
        add(b, flat[i]);
        assert_lacking(a, b, 1e-6, 0, 0);
    }
    static const double thin[9] = {.3, .7, 0, .1, .2, 0, .2, .45, 1e-4};
    add(b, thin);
    assert_lacking(a, b, 1e-6, 0, 1);
    gz_soup_free(a);
    gz_soup_free(b);
}

static void test_soups_without_triangles(void **state) {
    (void)state;
    gz_soup *a = gz_soup_create(), *b = gz_soup_create();
    assert_lacking(a, b, 1e-6, 0, 0);
    add(b, first);
    assert_lacking(a, b, 1e-6, 0, 1);
    assert_true(match(a, b, 1e-6).apart == 0);
    gz_soup_free(a);
    gz_soup_free(b);
}

/// Appends three triangles that cut a square with a straight angle in one side: as a fan, ear by
/// ear, or as two faces do that look the other way.
static void add_square(gz_soup *soup, size_t *polygons, int cut) {
    static const double p[5][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    static const int cuts[4][9] = {{0, 1, 2, 0, 2, 3, 0, 3, 4},
                                   {4, 0, 1, 4, 1, 3, 1, 2, 3},
                                   {2, 1, 0, 3, 2, 0, 4, 3, 0},
                                   {1, 0, 4, 3, 1, 4, 3, 2, 1}};
    size_t from = soup->triangle_count;
    for (int i = 0; i < 3; i++) {
        double t[9];
        for (int k = 0; k < 9; k++) t[k] = p[cuts[cut][3 * i + k / 3]][k % 3] - 9 * (k % 3 == 0);
        add(soup, t);
        polygons[from + (size_t)i] = from;
    }
}

static void assert_cuts(const gz_soup *a, const size_t *of_a, const gz_soup *b, const size_t *of_b,
                        size_t ours, size_t theirs) {
    gz_soup_match found;
    const gz_soup_cut cuts[2] = {{a, of_a}, {b, of_b}};
    assert_true(gz_soup_match_find(&found, &cuts[0], &cuts[1], 1e-6));
    assert_int_equal(found.lacking[0], ours);
    assert_int_equal(found.lacking[1], theirs);
}

/// Two squares in each soup, cut so.
static void assert_squares_match(const int ours[2], const int theirs[2]) {
    gz_soup *a = gz_soup_create(), *b = gz_soup_create();
    size_t of_a[6], of_b[6];
    for (int i = 0; i < 2; i++) {
        add_square(a, of_a, ours[i]);
        add_square(b, of_b, theirs[i]);
    }
    assert_cuts(a, of_a, b, of_b, 0, 0);
    gz_soup_free(a);
    gz_soup_free(b);
}

static void test_other_diagonals_within_one_polygon_are_the_same(void **state) {
    (void)state;
    gz_soup *soups[2];
    size_t polygons[2][32];
    for (int s = 0; s < 2; s++) {
        soups[s] = make_hills(3);
        for (size_t i = 0; i < soups[s]->triangle_count; i++) polygons[s][i] = i;
        add_square(soups[s], polygons[s], s);
    }
    assert_cuts(soups[0], polygons[0], soups[1], polygons[1], 0, 0);
    assert_cuts(soups[0], NULL, soups[1], NULL, 2, 3); // these are triangles: others; one is flat
    soups[1]->triangle_count--;                        // now its rim is another
    assert_cuts(soups[0], polygons[0], soups[1], polygons[1], 2, 2); // of those with an area
    gz_soup_free(soups[0]);
    gz_soup_free(soups[1]);
}

/// Programs that draw both sides of a sheet make two polygons of the same corners; rounding may cut
/// each of them as it cuts the other one in the other reading.
static void test_both_sides_of_a_sheet_may_be_cut_differently(void **state) {
    (void)state;
    assert_squares_match((int[2]){0, 3}, (int[2]){1, 2});
}

/// A polygon that runs back along all of its sides: they cancel, and its cut has triangles.
static void test_a_polygon_that_runs_back_may_be_cut_differently(void **state) {
    (void)state;
    static const double p[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 3, 0}, {3, 2, 0}};
    // 0 1 2 3 0 3 2 1 as a fan around 0, around 1, and with 4 for 3.
    static const int cuts[3][18] = {{0, 1, 2, 0, 2, 3, 0, 3, 0, 0, 0, 3, 0, 3, 2, 0, 2, 1},
                                    {1, 2, 3, 1, 3, 0, 1, 0, 3, 1, 3, 2, 1, 2, 1, 1, 1, 0},
                                    {0, 1, 2, 0, 2, 4, 0, 4, 0, 0, 0, 4, 0, 4, 2, 0, 2, 1}};
    static const size_t polygon[6] = {0, 0, 0, 0, 0, 0};
    gz_soup *soups[3];
    for (int s = 0; s < 3; s++) {
        soups[s] = gz_soup_create();
        for (int i = 0; i < 6; i++) {
            double t[9];
            for (int k = 0; k < 9; k++) t[k] = p[cuts[s][3 * i + k / 3]][k % 3];
            add(soups[s], t);
        }
    }
    assert_cuts(soups[0], polygon, soups[1], polygon, 0, 0);
    assert_cuts(soups[0], NULL, soups[1], NULL, 4, 4);
    assert_cuts(soups[0], polygon, soups[2], polygon, 2, 2); // another corner
    for (int s = 0; s < 3; s++) gz_soup_free(soups[s]);
}

static void test_a_copy_of_a_polygon_may_be_cut_differently(void **state) {
    (void)state;
    assert_squares_match((int[2]){0, 1}, (int[2]){1, 1});
}

/// All triangles at a corner end at it: what is left around it has the same rim wherever it is.
static void test_a_corner_that_triangles_share_is_found_where_it_moved(void **state) {
    (void)state;
    gz_soup *a = make_hills(6), *b = shuffle(a, 0), *c = make_hills(6);
    c->vertices[3 * (3 * 7 + 3) + 2] += 1e-3;
    assert_lacking(a, b, 1e-6, 0, 0);
    assert_lacking(a, c, 1e-6, 6, 6);
    for (size_t i = 0; i < 3; i++) c->vertices[3 * (3 * 7 + 3 + i) + 2] += 1e-3; // a ridge
    assert_lacking(a, c, 1e-6, 14, 14);
    gz_soup_free(a);
    gz_soup_free(b);
    gz_soup_free(c);
}

/// An edge turned in a surface that is not flat.
static void test_triangles_with_another_edge_between_them_are_others(void **state) {
    (void)state;
    gz_soup *a = make_hills(6), *b = make_hills(6);
    uint32_t *t = b->triangles + 3 * 40, *u = t + 3;
    const uint32_t turned[6] = {t[0], t[1], u[2], t[1], t[2], u[2]};
    memcpy(t, turned, sizeof turned);
    assert_lacking(a, b, 1e-6, 2, 2);
    gz_soup_free(a);
    gz_soup_free(b);
}

/// Corners so close to each other that all of them are linked to one.
static void test_corners_in_a_row_do_not_hide_what_ends_early(void **state) {
    (void)state;
    gz_soup *a = gz_soup_create(), *b = gz_soup_create();
    for (int i = 0; i < 2000; i++) {
        const double t[9] = {i, 0, 0, i + 5, 0, 0, i, 9, 0};
        add(a, t);
        if (i < 1000) add(b, t);
    }
    gz_soup_match found = match(a, b, 1), back = match(b, a, 1);
    assert_true(found.lacking[0] > 980 && found.lacking[0] <= 1000 && !found.lacking[1]);
    assert_true(back.lacking[1] == found.lacking[0] && !back.lacking[0]);
    gz_soup_free(a);
    gz_soup_free(b);
}

static void test_vertices_without_triangles_link_nothing(void **state) {
    (void)state;
    gz_soup *a = gz_soup_create(), *b = gz_soup_create();
    add(a, first);
    assert_true(gz_soup_reserve(a, 3000, 0));
    for (int i = 0; i < 3000; i++) {
        const double v[3] = {i < 1000 ? i * 1e-3 : 0, i < 2000 ? 0 : (i - 2000) * 1e-3, 0};
        memcpy(a->vertices + 3 * a->vertex_count++, v, sizeof v);
    }
    assert_lacking(a, b, 1e-3, 1, 0);
    add(b, first);
    assert_lacking(a, b, 1e-3, 0, 0);
    gz_soup_free(a);
    gz_soup_free(b);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_a_hundred_thousand_triangles_take_little_time(void **state) {
    (void)state;
    gz_soup *a = make_hills(224), *b = shuffle(a, TURN | ROUND), *c = gz_soup_create(),
            *d = shuffle(a, TURN | MIRROR);
    assert_true(a->triangle_count > 100000);
    for (size_t i = 0; i < 100000; i++) add(c, first);
    double from = seconds();
    assert_lacking(a, b, 1e-6, 0, 0);
    assert_lacking(a, b, 0.1, 0, 0);                  // all in a few cells
    assert_lacking(a, c, 1e-6, a->triangle_count, 1); // 300,000 corners in three places
    assert_lacking(a, d, 1e-6, a->triangle_count, a->triangle_count);
    double took = seconds() - from;
    print_message("8 comparisons of 100,000 triangles: %.2f s\n", took);
    assert_true(took < 60); // sanitizers and all
    gz_soup_free(a);
    gz_soup_free(b);
    gz_soup_free(c);
    gz_soup_free(d);
}

#ifdef GRAZE_FAULTS
static void test_every_failed_allocation_is_told(void **state) {
    (void)state;
    gz_soup *a = make_hills(5), *b = shuffle(a, TURN);
    const gz_soup_cut cuts[2] = {{a, NULL}, {b, NULL}};
    gz_soup_match found;
    for (long n = 1;; n++) {
        gz_memory_fail_after(n, false);
        bool fine = gz_soup_match_find(&found, &cuts[0], &cuts[1], 1e-6);
        bool all = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(fine, all);
        if (all) break;
    }
    gz_soup_free(a);
    gz_soup_free(b);
}
#else
static void test_every_failed_allocation_is_told(void **state) {
    (void)state;
    skip();
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_first_corner_do_not_count),
        cmocka_unit_test(test_the_way_a_triangle_faces_counts),
        cmocka_unit_test(test_a_closed_surface_turned_inside_out_is_another),
        cmocka_unit_test(test_one_corner_moved_by_a_millimetre_is_found),
        cmocka_unit_test(test_one_corner_moved_by_a_float_is_rounding),
        cmocka_unit_test(test_far_from_the_origin_the_grid_finds_neighbours),
        cmocka_unit_test(test_borders_of_cells_split_nothing),
        cmocka_unit_test(test_duplicates_do_not_count),
        cmocka_unit_test(test_triangles_without_area_are_there_or_not),
        cmocka_unit_test(test_soups_without_triangles),
        cmocka_unit_test(test_other_diagonals_within_one_polygon_are_the_same),
        cmocka_unit_test(test_both_sides_of_a_sheet_may_be_cut_differently),
        cmocka_unit_test(test_a_polygon_that_runs_back_may_be_cut_differently),
        cmocka_unit_test(test_a_copy_of_a_polygon_may_be_cut_differently),
        cmocka_unit_test(test_a_corner_that_triangles_share_is_found_where_it_moved),
        cmocka_unit_test(test_triangles_with_another_edge_between_them_are_others),
        cmocka_unit_test(test_corners_in_a_row_do_not_hide_what_ends_early),
        cmocka_unit_test(test_vertices_without_triangles_link_nothing),
        cmocka_unit_test(test_a_hundred_thousand_triangles_take_little_time),
        cmocka_unit_test(test_every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
