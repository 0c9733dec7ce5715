// Inside or outside: winding numbers against solid angles in long double, containment against a
// loop over all components.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "narrow/containment.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

/// Shells of one mesh, and which of its triangles belong to closed ones by construction.
typedef struct shells {
    maker made;
    uint8_t *counts; ///< per triangle: of a closed shell
} shells;

/// Marks the triangles that were made since `first`.
static void mark(shells *s, size_t first, bool closed) {
    s->counts = realloc(s->counts, s->made.nt + 1);
    assert_non_null(s->counts);
    memset(s->counts + first, closed, s->made.nt - first);
}

static void add_sphere(shells *s, const double center[3], double radius, bool reversed, bool open) {
    size_t first = s->made.nt;
    maker_sphere(&s->made, center, radius, 6, 8);
    if (reversed) maker_flip(&s->made, first);
    if (open) s->made.nt--;
    mark(s, first, !open);
}

/// The winding number of a world point by the solid angles of the snapped triangles (van Oosterom
/// and Strackee 1983), and in *clear how far it is from a whole number.
static long winding(const shells *s, const double pose[12], const double p[3], long double *clear) {
    long double sum = 0;
    graze_transform t;
    memcpy(t.m, pose, sizeof t.m);
    for (size_t i = 0; i < s->made.nt; i++) {
        if (!s->counts[i]) continue;
        long double r[3][3], n[3];
        for (int c = 0; c < 3; c++) {
            const double *v = s->made.v + 3 * (size_t)s->made.t[3 * i + (size_t)c];
            graze_vec3 w = graze_transform_point(&t, (graze_vec3){v[0], v[1], v[2]});
            r[c][0] = (long double)w.x - p[0];
            r[c][1] = (long double)w.y - p[1];
            r[c][2] = (long double)w.z - p[2];
            n[c] = sqrtl(r[c][0] * r[c][0] + r[c][1] * r[c][1] + r[c][2] * r[c][2]);
        }
        long double triple = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                             r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                             r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
        long double d01 = 0, d12 = 0, d20 = 0;
        for (int k = 0; k < 3; k++) {
            d01 += r[0][k] * r[1][k];
            d12 += r[1][k] * r[2][k];
            d20 += r[2][k] * r[0][k];
        }
        sum += 2 * atan2l(triple, n[0] * n[1] * n[2] + d01 * n[2] + d12 * n[0] + d20 * n[1]);
    }
    sum /= 4 * acosl(-1);
    *clear = fabsl(sum - roundl(sum));
    return lroundl(sum);
}

static graze_mesh *finish(shells *s) {
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, s->made.v, s->made.nv, s->made.t, s->made.nt, NULL),
                     GRAZE_OK);
    return mesh;
}

static void clear_shells(shells *s) {
    maker_free(&s->made);
    free(s->counts);
    *s = (shells){0};
}

/// Nested, overlapping, reversed and open shells.
static void make_shells(shells *s, gz_random *r) {
    double origin[3] = {0, 0, 0};
    uint32_t n = 1 + gz_random_below(r, 7);
    for (uint32_t i = 0; i < n; i++) {
        double c[3];
        for (int k = 0; k < 3; k++) c[k] = gz_random_range(r, -0.8, 0.8);
        switch (gz_random_below(r, 5)) {
        case 0: { // a hollow ball: the inner shell is reversed
            add_sphere(s, origin, 1.5, false, false);
            add_sphere(s, origin, 1.1, true, false);
            break;
        }
        case 1:
            add_sphere(s, c, gz_random_range(r, 0.2, 1.2), true, false);
            break;
        case 2:
            add_sphere(s, c, gz_random_range(r, 0.2, 1.2), false, true);
            break;
        case 3: {
            size_t first = s->made.nt;
            maker_torus(&s->made, 1, 0.4, 9, 6);
            mark(s, first, true);
            break;
        }
        default:
            add_sphere(s, c, gz_random_range(r, 0.2, 1.2), false, false);
        }
    }
}

static void test_winding_numbers_equal_solid_angles(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    int seen[7] = {0}, told = 0;
    for (int round = 0; round < 60; round++) {
        shells s = {0};
        make_shells(&s, &r);
        double scale = pow(10, gz_random_range(&r, -5, 4));
        maker_scale(&s.made, scale);
        graze_mesh *mesh = finish(&s);
        graze_transform pose = maker_pose(&r, round % 2 ? 0 : 1000 * scale);
        if (round % 5 == 0) pose = graze_transform_identity(); // rays along edges and vertices
        for (int i = 0; i < 25; i++) {
            double p[3], x[3];
            for (int k = 0; k < 3; k++) x[k] = scale * gz_random_range(&r, -1.6, 1.6);
            if (round % 5 == 0 && i % 2) x[0] = x[1] = 0; // below the poles
            graze_vec3 w = graze_transform_point(&pose, (graze_vec3){x[0], x[1], x[2]});
            p[0] = w.x, p[1] = w.y, p[2] = w.z;
            long double clear;
            long want = winding(&s, pose.m, p, &clear);
            if (clear > 1e-6L) continue; // on a surface, or nearly
            told++;
            graze_stats stats = {0};
            assert_int_equal(gz_winding_number(p, mesh, pose.m, false, &stats), want);
            assert_int_equal(gz_mesh_contains_point(mesh, pose.m, false, p, NULL, &stats),
                             want != 0);
            if (want >= -3 && want <= 3) seen[want + 3]++;
        }
        graze_mesh_free(mesh);
        clear_shells(&s);
    }
    print_message("winding numbers -3..3: %d %d %d %d %d %d %d\n", seen[0], seen[1], seen[2],
                  seen[3], seen[4], seen[5], seen[6]);
    assert_true(told > 1000 && seen[2] > 20 && seen[3] > 100 && seen[4] > 100 && seen[5] > 20);
}

/// Whether a small ball about c with radius rho stays clear of the shells of `make_whole`.
static const double whole_balls[5][4] = {
    {0, 0, 0, 2}, {0, 0, 0, 1}, {4, 0, 0, 1.5}, {4, 1.2, 0, 1.5}, {-4, 0, 0, 1.5}};

static void make_whole(shells *s) {
    add_sphere(s, whole_balls[0], 2, false, false);
    add_sphere(s, whole_balls[1], 1, true, false);    // a cavity
    add_sphere(s, whole_balls[2], 1.5, false, false); // two that overlap
    add_sphere(s, whole_balls[3], 1.5, false, false);
    add_sphere(s, whole_balls[4], 1.5, false, true); // open
}

static bool is_clear(const double c[3], double rho) {
    for (int i = 0; i < 5; i++) {
        const double *b = whole_balls[i];
        double d = sqrt((c[0] - b[0]) * (c[0] - b[0]) + (c[1] - b[1]) * (c[1] - b[1]) +
                        (c[2] - b[2]) * (c[2] - b[2]));
        // The facets lie between 0.8 and 1 of the radius.
        if (d - rho < b[3] * 1.001 && d + rho > b[3] * 0.8) return false;
    }
    return true;
}

static void test_containment_of_many_components_equals_a_loop_over_them(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    int contained = 0, outside = 0;
    for (int round = 0; round < TRIALS(24, 9); round++) {
        shells whole = {0}, inner = {0};
        make_whole(&whole);
        // Mostly outside, so that the lowest part inside varies; in some rounds none is.
        size_t components = 100 + gz_random_below(&r, 150);
        while (components > 0) {
            double c[3], rho = gz_random_range(&r, 0.02, 0.1);
            for (int k = 0; k < 3; k++) c[k] = gz_random_range(&r, -7, 7);
            double away = fabs(c[0]) + fabs(c[1]) + fabs(c[2]);
            switch (gz_random_below(&r, 120)) {
            case 0: // in one of the two that overlap
                for (int k = 0; k < 3; k++) c[k] = whole_balls[2][k] + 0.06 * c[k];
                if (round % 3 == 0) continue;
                break;
            case 1: // in the wall of the hollow ball
                if (round % 3 == 0) continue;
                break;
            case 2: // in the open one
                for (int k = 0; k < 3; k++) c[k] = whole_balls[4][k] + 0.06 * c[k];
                break;
            default:
                if (away < 11)
                    for (int k = 0; k < 3; k++) c[k] *= 0.05; // in the cavity, else outside
            }
            if (!is_clear(c, rho)) continue;
            add_sphere(&inner, c, rho, false, false);
            components--;
        }
        graze_mesh *mw = finish(&whole), *mp = finish(&inner);
        graze_transform pose = maker_pose(&r, round % 2 ? 10 : 0);
        // Brute force: the lowest part whose first vertex has a winding number other than 0.
        size_t each = inner.made.nt / mp->component_count, found = SIZE_MAX;
        for (size_t i = 0; i < mp->component_count && found == SIZE_MAX; i++) {
            const double *v = inner.made.v + 3 * (size_t)inner.made.t[3 * i * each];
            graze_vec3 w = graze_transform_point(&pose, (graze_vec3){v[0], v[1], v[2]});
            long double clear;
            const double p[3] = {w.x, w.y, w.z};
            if (winding(&whole, pose.m, p, &clear)) found = i;
            assert_true(clear < 1e-6L);
        }
        gz_contained inside;
        graze_stats stats = {0};
        bool got = gz_mesh_contains(mw, pose.m, false, mp, pose.m, &inside, NULL, &stats);
        assert_int_equal(got, found != SIZE_MAX);
        if (got) assert_int_equal(inside.triangle, found * each);
        contained += got;
        outside += !got;
        // The other way round nothing is contained: the balls are too small.
        assert_false(gz_mesh_contains(mp, pose.m, false, mw, pose.m, &inside, NULL, &stats));
        graze_mesh_free(mw);
        graze_mesh_free(mp);
        clear_shells(&whole);
        clear_shells(&inner);
    }
    assert_true(contained > TRIALS(7, 1) && outside > TRIALS(7, 1));
}

static void test_open_meshes_contain_nothing(void **state) {
    (void)state;
    shells whole = {0}, inner = {0};
    double c[3] = {0, 0, 0};
    add_sphere(&whole, c, 2, false, true);
    add_sphere(&inner, c, 0.1, false, false);
    graze_mesh *mw = finish(&whole), *mp = finish(&inner);
    graze_transform one = graze_transform_identity();
    gz_contained t;
    graze_stats stats = {0};
    assert_false(gz_mesh_contains(mw, one.m, false, mp, one.m, &t, NULL, &stats));
    assert_false(gz_mesh_contains_point(mw, one.m, false, c, NULL, &stats));
    assert_int_equal(stats.containment_tests, 0);
    // A shell turned inside out is closed all the same: its winding number is -1.
    add_sphere(&whole, c, 3, true, false);
    graze_mesh_free(mw);
    mw = finish(&whole);
    assert_true(gz_mesh_contains(mw, one.m, false, mp, one.m, &t, NULL, &stats));
    assert_int_equal(gz_winding_number(c, mw, one.m, false, &stats), -1);
    graze_mesh_free(mw);
    graze_mesh_free(mp);
    clear_shells(&whole);
    clear_shells(&inner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winding_numbers_equal_solid_angles),
        cmocka_unit_test(test_containment_of_many_components_equals_a_loop_over_them),
        cmocka_unit_test(test_open_meshes_contain_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
