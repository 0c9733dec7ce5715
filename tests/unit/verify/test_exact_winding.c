/// Winding numbers against sums of solid angles, and where the first half line meets edges.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "verify/exact.h"

static gz_exact_winding *winding;

static int set_up(void **state) {
    (void)state;
    winding = gz_exact_winding_create();
    return winding != NULL ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    gz_exact_winding_free(winding);
    return 0;
}

typedef struct solid {
    double points[8][3];
    int triangles[12][3];
    int triangle_count;
} solid;

static const solid cube = {{{-1, -1, -1},
                            {1, -1, -1},
                            {-1, 1, -1},
                            {1, 1, -1},
                            {-1, -1, 1},
                            {1, -1, 1},
                            {-1, 1, 1},
                            {1, 1, 1}},
                           {{0, 4, 6},
                            {0, 6, 2},
                            {1, 3, 7},
                            {1, 7, 5},
                            {0, 1, 5},
                            {0, 5, 4},
                            {2, 6, 7},
                            {2, 7, 3},
                            {0, 2, 3},
                            {0, 3, 1},
                            {4, 5, 7},
                            {4, 7, 6}},
                           12};

static bool add_all(const solid *s, int weight) {
    for (int i = 0; i < s->triangle_count; i++) {
        const int *c = s->triangles[i];
        gz_winding_triangle t = {{s->points[c[0]], s->points[c[1]], s->points[c[2]]}, weight};
        if (!gz_exact_winding_add(winding, &t)) return false;
    }
    return true;
}

static int64_t count(const solid *s, const double p[3], int weight) {
    gz_exact_winding_begin(winding, p);
    while (!add_all(s, weight)) assert_true(gz_exact_winding_turn(winding));
    return gz_exact_winding_sum(winding);
}

/// The sum of signed solid angles over 4 pi (van Oosterom and Strackee 1983).
static double solid_angle(const solid *s, const double p[3]) {
    double sum = 0;
    for (int i = 0; i < s->triangle_count; i++) {
        double r[3][3], length[3], dots[3], volume;
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) r[c][k] = s->points[s->triangles[i][c]][k] - p[k];
            length[c] = sqrt(r[c][0] * r[c][0] + r[c][1] * r[c][1] + r[c][2] * r[c][2]);
        }
        for (int c = 0; c < 3; c++) {
            const double *u = r[c], *v = r[(c + 1) % 3];
            dots[c] = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        }
        volume = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                 r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                 r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
        sum += 2 * atan2(volume, length[0] * length[1] * length[2] + dots[0] * length[2] +
                                     dots[1] * length[0] + dots[2] * length[1]);
    }
    return sum / (4 * 3.14159265358979323846);
}

static void test_it_is_the_sum_of_solid_angles(void **state) {
    (void)state;
    gz_random random = gz_random_make(11, 0);
    int counts[8] = {0};
    for (int i = 0; i < 3000; i++) {
        // A cube with its corners thrown about: closed, and often through itself.
        solid s = cube;
        double spread = (i % 3) * 1.2, p[3];
        for (int v = 0; v < 8; v++)
            for (int k = 0; k < 3; k++) s.points[v][k] += spread * (gz_random_unit(&random) - 0.5);
        for (int k = 0; k < 3; k++) p[k] = 3 * gz_random_unit(&random) - 1.5;
        double expected = solid_angle(&s, p);
        if (fabs(expected - round(expected)) > 1e-6) continue; // too near the surface to tell
        int64_t found = count(&s, p, 1);
        assert_int_equal(found, (int64_t)round(expected));
        assert_int_equal(count(&s, p, -3), -3 * found);
        assert_true(found >= -3 && found <= 4);
        counts[found + 3]++;
    }
    assert_true(counts[3] > 500 && counts[4] > 500);
}

static void test_edges_and_corners_on_the_half_line_count_once(void **state) {
    (void)state;
    // From the middle along x the half line meets the diagonal of a face; from others its corners
    // and edges; behind the point borders do not matter.
    const struct {
        double p[3];
        int64_t winding;
    } points[] = {{{0, 0, 0}, 1},      {{0.5, 0.25, 0.25}, 1}, {{-2, 0, 0}, 0},  {{2, 0, 0}, 0},
                  {{-2, 1, 1}, 0},     {{-2, 1, 0.5}, 0},      {{2, 1, 1}, 0},   {{-3, -1, 1}, 0},
                  {{0.5, 2, 0}, 0},    {{0, -0.5, -0.5}, 1},   {{-2, 1, -1}, 0}, {{0, 3, 1}, 0},
                  {{0.75, 0.5, 0}, 1}, {{0x1p-90, 0, 0}, 1}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        assert_int_equal(count(&cube, points[i].p, 1), points[i].winding);
}

static void test_a_point_on_a_face_is_told(void **state) {
    (void)state;
    const double p[3] = {1, 0.5, 0.25};
    count(&cube, p, 1);
    assert_true(gz_exact_winding_on_surface(winding));
    const double q[3] = {nextafter(1, 0), 0.5, 0.25}, r[3] = {nextafter(1, 2), 0.5, 0.25};
    assert_int_equal(count(&cube, q, 1), 1);
    assert_false(gz_exact_winding_on_surface(winding));
    assert_int_equal(count(&cube, r, 1), 0);
}

static void test_on_an_edge_there_is_no_answer(void **state) {
    (void)state;
    const double p[3] = {1, 1, 0.25};
    gz_exact_winding_begin(winding, p);
    int turns = 0;
    while (!add_all(&cube, 1) && gz_exact_winding_turn(winding)) turns++;
    assert_int_equal(turns, 63);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_the_sum_of_solid_angles),
        cmocka_unit_test(test_edges_and_corners_on_the_half_line_count_once),
        cmocka_unit_test(test_a_point_on_a_face_is_told),
        cmocka_unit_test(test_on_an_edge_there_is_no_answer),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
