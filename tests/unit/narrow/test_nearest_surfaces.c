// The nearest triangles of two fine surfaces that are flat and parallel, or nearly: hundreds of
// pairs are at the least distance, up to rounding. Which of them is named must be the first in the
// order of triangles, as a loop over all pairs finds it, whatever was known before.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "distance/distance_internal.h"
#include "mesh/mesh.h"
#include "mesh/shape.h"
#include "narrow/distance/shape_distance.h"
#include "unit/trials.h"

enum { CELLS = 6, LINE = CELLS + 1, CORNERS = LINE * LINE, TRIANGLES = 2 * CELLS * CELLS };

typedef double corners[3][3];

/// A square of that edge about the origin, its corners off the plane by up to `rough`.
static void make_surface(gz_shape *out, double edge, double rough, gz_random *random) {
    double vertices[CORNERS][3];
    uint32_t triangles[TRIANGLES][3], count = 0;
    for (int i = 0; i < CORNERS; i++) {
        vertices[i][0] = edge * ((double)(i % LINE) / CELLS - 0.5);
        vertices[i][1] = edge * ((double)(i / LINE) / CELLS - 0.5);
        vertices[i][2] = rough * gz_random_range(random, -1, 1);
    }
    for (uint32_t c = 0; c < LINE * CELLS; c++) {
        if (c % LINE == CELLS) continue;
        memcpy(triangles[count++], (uint32_t[]){c, c + 1, c + LINE + 1}, 12);
        memcpy(triangles[count++], (uint32_t[]){c, c + LINE + 1, c + LINE}, 12);
    }
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, vertices[0], CORNERS, triangles[0], TRIANGLES, NULL),
                     GRAZE_OK);
    gz_shape_mesh(out, mesh);
}

/// A pose, turned anyhow, and the same one, moved along its z and a little across.
static void draw_poses(gz_random *random, double edge, graze_transform poses[2]) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = gz_random_range(random, -1, 1);
        square += q[i] * q[i];
    }
    const double s = 2 / square, w = q[0], x = q[1], y = q[2], z = q[3];
    poses[0] = (graze_transform){
        {1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w),
         gz_random_range(random, -3, 3), s * (x * y + z * w), 1 - s * (x * x + z * z),
         s * (y * z - x * w), gz_random_range(random, -3, 3), s * (x * z - y * w),
         s * (y * z + x * w), 1 - s * (x * x + y * y), gz_random_range(random, -3, 3)}};
    poses[1] = poses[0];
    const double way[3] = {edge * gz_random_range(random, -0.4, 0.4),
                           edge * gz_random_range(random, -0.4, 0.4),
                           edge * gz_random_range(random, 0.001, 0.2)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) poses[1].m[4 * i + 3] += poses[0].m[4 * i + k] * way[k];
}

static void snap_all(const gz_placed *s, corners *out) {
    for (uint32_t t = 0; t < TRIANGLES; t++) gz_triangle_snap(s->shape->mesh, s->pose, t, out[t]);
}

/// By a loop over all pairs: the first whose upper bound is in the cell of the least, how many are
/// in it, and the last of them.
typedef struct truth {
    int64_t first[2], last[2];
    double upper, least;
    int count;
} truth;

static truth find_truth(const gz_placed *a, const gz_placed *b) {
    static corners x[TRIANGLES], y[TRIANGLES];
    static double upper[TRIANGLES][TRIANGLES];
    truth out = {.least = INFINITY};
    double point[2][3], normal[3], lower;
    snap_all(a, x);
    snap_all(b, y);
    for (int i = 0; i < TRIANGLES; i++)
        for (int j = 0; j < TRIANGLES; j++) {
            upper[i][j] = gz_triangles_distance(GZ_CORNERS(x[i]), GZ_CORNERS(y[j]), point, normal,
                                                &lower);
            out.least = fmin(out.least, upper[i][j]);
        }
    for (int i = 0; i < TRIANGLES; i++)
        for (int j = 0; j < TRIANGLES; j++) {
            if (floor(upper[i][j] * 0x1p34 + 0.382) != floor(out.least * 0x1p34 + 0.382)) continue;
            if (out.count++ == 0) {
                out.first[0] = i;
                out.first[1] = j;
                out.upper = upper[i][j];
            }
            out.last[0] = i;
            out.last[1] = j;
        }
    return out;
}

/// Searches with what is known of two triangles, and for ties where `tie` is above 0.
static gz_nearest find_nearest(const gz_placed *a, const gz_placed *b, const int64_t known[2],
                               double tie) {
    uint64_t left = UINT64_MAX;
    graze_stats stats = {0};
    gz_nearest n;
    gz_nearest_start(&n, INFINITY);
    n.first = true;
    n.tie = tie;
    if (known) {
        gz_shapes_evaluate(a, b, known[0], known[1], &n);
        n.found = n.first = false;
        n.aimed = true;
    }
    gz_shapes_nearest(a, b, gz_distance_kernels_choose(), &n, &left, &stats);
    return n;
}

static void assert_finds(const gz_placed *a, const gz_placed *b, const truth *t,
                         const int64_t known[2]) {
    gz_nearest n = find_nearest(a, b, known, 0);
    assert_int_equal(n.triangle[0], t->first[0]);
    assert_int_equal(n.triangle[1], t->first[1]);
    assert_true(n.upper == t->upper);
    assert_true(n.upper - GZ_NEAREST_WIDTH <= t->least - GZ_DISTANCE_WIDTH);
}

static void test_many_equally_near_triangles(double edge, double rough, int least_ties) {
    static const char *const sets[] = {"scalar", "base", "avx2"};
    gz_random random = gz_random_make(31, 0);
    int most = 0;
    for (int i = 0; i < TRIALS(60, 6); i++) {
        gz_shape shapes[2];
        graze_transform poses[2];
        for (int k = 0; k < 2; k++) make_surface(&shapes[k], edge, rough, &random);
        draw_poses(&random, edge, poses);
        const gz_placed a = {&shapes[0], poses[0].m}, b = {&shapes[1], poses[1].m};
        const truth t = find_truth(&a, &b);
        const int64_t anyhow[2] = {i % TRIANGLES, (7 * i) % TRIANGLES};
        most = t.count > most ? t.count : most;
        for (int k = 0; k < 3; k++) {
            setenv("GRAZE_ISA", sets[k], 1);
            assert_finds(&a, &b, &t, NULL);
            assert_finds(&a, &b, &t, t.first);
            assert_finds(&a, &b, &t, t.last);
            assert_finds(&a, &b, &t, anyhow);
        }
        unsetenv("GRAZE_ISA");
        for (int k = 0; k < 2; k++) gz_shape_clear(&shapes[k]);
    }
    assert_true(most >= least_ties);
}

static void test_flat_surfaces_name_the_first_of_their_nearest_triangles(void **state) {
    (void)state;
    test_many_equally_near_triangles(1, 0, 100);
}

/// The corners are off the plane by about a cell of the grid of equal bounds: some pairs are in the
/// least cell, some in the next ones. Of surfaces of 10 um all that floats are padded by is less
/// than a cell.
static void test_nearly_flat_surfaces_name_the_first_of_their_nearest_triangles(void **state) {
    (void)state;
    test_many_equally_near_triangles(1, 0x1p-35, 3);
    test_many_equally_near_triangles(1e-5, 0x1p-35, 3);
}

/// What is farther than the limit does not count, even where it is in one cell with the limit.
static void test_nothing_beyond_the_limit_is_found(void **state) {
    (void)state;
    gz_random random = gz_random_make(32, 0);
    for (int i = 0; i < TRIALS(30, 5); i++) {
        gz_shape shapes[2];
        graze_transform poses[2];
        for (int k = 0; k < 2; k++) make_surface(&shapes[k], 1, 0, &random);
        draw_poses(&random, 1, poses);
        const gz_placed a = {&shapes[0], poses[0].m}, b = {&shapes[1], poses[1].m};
        const truth t = find_truth(&a, &b);
        for (int k = 0; k < 2; k++) {
            uint64_t left = UINT64_MAX;
            graze_stats stats = {0};
            gz_nearest n;
            gz_nearest_start(&n, k ? t.least : nextafter(t.least, 0));
            n.first = true;
            gz_shapes_nearest(&a, &b, gz_distance_kernels_choose(), &n, &left, &stats);
            assert_int_equal(n.found, k);
            assert_true(n.upper <= n.most);
        }
        for (int k = 0; k < 2; k++) gz_shape_clear(&shapes[k]);
    }
}

// ------------------------------------------------------------------------ whether it is the only
// one

/// Whether some pair of triangles within the tie of the least is nearest at other points than those
/// that were found, by a loop over all pairs.
static bool has_rival(const gz_placed *a, const gz_placed *b, const gz_nearest *n) {
    static corners x[TRIANGLES], y[TRIANGLES];
    double point[2][3], normal[3], lower;
    snap_all(a, x);
    snap_all(b, y);
    for (int i = 0; i < TRIANGLES; i++)
        for (int j = 0; j < TRIANGLES; j++) {
            double upper = gz_triangles_distance(GZ_CORNERS(x[i]), GZ_CORNERS(y[j]), point, normal,
                                                 &lower);
            if (upper > n->upper + n->tie) continue;
            for (int k = 0; k < 6; k++)
                if (fabs(point[k / 3][k % 3] - n->point[k / 3][k % 3]) > 1e-9) return true;
        }
    return false;
}

/// Searches as graze_distance() does where derivatives are wanted.
static gz_nearest find_with_ties(const gz_placed *a, const gz_placed *b, const truth *t,
                                 const int64_t known[2]) {
    uint64_t left = UINT64_MAX;
    graze_stats stats = {0};
    gz_nearest n = find_nearest(a, b, known, GZ_NEAR_TIE);
    if (gz_near_is_unsure(&n)) {
        gz_near_forget_ties(&n);
        n.found = n.first = false;
        n.aimed = true;
        gz_shapes_nearest(a, b, gz_distance_kernels_choose(), &n, &left, &stats);
    }
    assert_int_equal(n.triangle[0], t->first[0]);
    assert_int_equal(n.triangle[1], t->first[1]);
    assert_true(n.upper == t->upper);
    return n;
}

/// Surfaces whose nearest points are unique, nearly not, and not: whatever is known before, a rival
/// is never missed, and where corners stand out by far the points are found to be the only ones.
static void test_rivals_of_the_nearest_points_are_never_missed(void **state) {
    (void)state;
    static const double roughs[] = {0, 1e-12, 1e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 1e-3, 1e-2};
    gz_random random = gz_random_make(33, 0);
    int rivals = 0, certain = 0;
    bool first = false;
    for (int i = 0; i < TRIALS(300, 40); i++) {
        gz_shape shapes[2];
        graze_transform poses[2];
        double rough = roughs[i % 10];
        for (int k = 0; k < 2; k++) make_surface(&shapes[k], 1, rough, &random);
        draw_poses(&random, 1, poses);
        const gz_placed a = {&shapes[0], poses[0].m}, b = {&shapes[1], poses[1].m};
        const truth t = find_truth(&a, &b);
        const int64_t anyhow[2] = {i % TRIANGLES, (7 * i) % TRIANGLES};
        const int64_t *known[] = {NULL, t.first, t.last, anyhow};
        for (int k = 0; k < 4; k++) {
            gz_nearest n = find_with_ties(&a, &b, &t, known[k]);
            bool unique = gz_near_is_smooth(&n), rival = has_rival(&a, &b, &n);
            assert_false(unique && rival);
            if (k > 0) assert_int_equal(unique, first);
            first = unique;
            if (rough >= 1e-3) assert_true(unique || rival);
            rivals += rival;
            certain += unique;
        }
        for (int k = 0; k < 2; k++) gz_shape_clear(&shapes[k]);
    }
    assert_true(rivals > 40 && certain > 20);
}

/// A pair that was left out while there were rivals, which are none of what was found later.
static void test_what_was_left_out_is_looked_at_again_without_its_rivals(void **state) {
    (void)state;
    gz_nearest n = {0};
    gz_nearest_start(&n, INFINITY);
    n.upper = 1;
    n.tie = 1e-6;
    n.normal[0] = 1;
    n.tie_count = 1;
    n.ties[0].upper = 1;
    assert_true(gz_near_is_smooth(&n) && !gz_near_is_unsure(&n));
    n.skipped = 1 + 0.5e-6;
    assert_true(!gz_near_is_smooth(&n) && gz_near_is_unsure(&n));
    // A flat pair counts within the tie, no longer beyond it; so do other points.
    n.tie_count = 2;
    n.ties[1].upper = 1 + 0.9e-6;
    n.ties[1].flat = true;
    assert_true(!gz_near_is_smooth(&n) && !gz_near_is_unsure(&n));
    n.ties[1].upper = 1 + 1.1e-6;
    assert_true(!gz_near_is_smooth(&n) && gz_near_is_unsure(&n));
    n.ties[1].flat = false;
    n.ties[1].upper = 1 + 0.9e-6;
    n.ties[1].point[0][2] = 3e-9;
    assert_true(!gz_near_is_smooth(&n) && !gz_near_is_unsure(&n));
    n.ties[1].upper = 1 + 1.1e-6;
    assert_true(!gz_near_is_smooth(&n) && gz_near_is_unsure(&n));
    gz_near_forget_ties(&n);
    assert_true(!gz_near_is_unsure(&n));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_surfaces_name_the_first_of_their_nearest_triangles),
        cmocka_unit_test(test_nearly_flat_surfaces_name_the_first_of_their_nearest_triangles),
        cmocka_unit_test(test_nothing_beyond_the_limit_is_found),
        cmocka_unit_test(test_rivals_of_the_nearest_points_are_never_missed),
        cmocka_unit_test(test_what_was_left_out_is_looked_at_again_without_its_rivals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
