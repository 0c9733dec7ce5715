// Two trees of triangles under a margin, against every pair of triangles: margins a little above
// and a little below the distance, where a filter that reaches too short loses the one pair that
// counts.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "narrow/kernel.h"
#include "narrow/triangle/triangle.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

typedef double corners[3][3];

static corners *snap_all(const graze_mesh *mesh, const double pose[12]) {
    corners *out = malloc(mesh->triangle_count * sizeof *out);
    assert_non_null(out);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) gz_triangle_snap(mesh, pose, t, out[t]);
    return out;
}

/// The least distance of two triangles, but for rounding, and where: q - p. 0 where some meet.
static double least_distance(const corners *a, size_t a_count, const corners *b, size_t b_count,
                             double way[3]) {
    double least = INFINITY, p[3], q[3];
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++) {
            if (gz_triangles_overlap_exact(GZ_CORNERS(a[i]), GZ_CORNERS(b[j]), NULL)) return 0;
            double here = gz_triangles_nearest(GZ_CORNERS(a[i]), GZ_CORNERS(b[j]), p, q);
            if (here >= least) continue;
            least = here;
            for (int k = 0; k < 3; k++) way[k] = q[k] - p[k];
        }
    return least;
}

/// Whether the traversal under a margin says what a loop over all pairs says, and finds the lowest.
static bool check(const graze_mesh *a, const graze_transform *pa, const graze_mesh *b,
                  const graze_transform *pb, const corners *ca, const corners *cb, double margin) {
    int64_t lowest[2] = {-1, -1};
    for (size_t i = 0; i < a->triangle_count && lowest[0] < 0; i++)
        for (size_t j = 0; j < b->triangle_count && lowest[0] < 0; j++)
            if (gz_triangles_near(GZ_CORNERS(ca[i]), GZ_CORNERS(cb[j]), margin, NULL))
                lowest[0] = (int64_t)i, lowest[1] = (int64_t)j;
    static const char *const names[] = {"scalar", "avx2"};
    for (int k = 0; k < 2; k++) {
        setenv("GRAZE_ISA", names[k], 1);
        gz_tree_pair pair;
        graze_stats stats = {0};
        gz_tree_pair_prepare(&pair, a, pa->m, b, pb->m, true);
        gz_tree_pair_grow(&pair, margin);
        gz_kernels_choose()->tree_pair_near(&pair, &stats);
        assert_int_equal(pair.hit, lowest[0] >= 0);
        if (!pair.hit) continue;
        assert_int_equal(pair.triangle_a, lowest[0]);
        assert_int_equal(pair.triangle_b, lowest[1]);
    }
    unsetenv("GRAZE_ISA");
    return lowest[0] >= 0;
}

static graze_mesh *draw_mesh(gz_random *r) {
    static const double origin[3] = {0, 0, 0};
    double half[3];
    maker m = {0};
    for (int k = 0; k < 3; k++) half[k] = gz_random_range(r, 0.02, 0.5);
    switch (gz_random_below(r, 4)) {
    case 0:
        maker_sphere(&m, origin, 0.5, 4, 5);
        break;
    case 1:
        maker_box(&m, origin, half);
        break;
    default:
        maker_soup(&m, r, 1 + gz_random_below(r, 12), 0.5);
    }
    return maker_finish(&m);
}

static void test_margins_next_to_the_distance_equal_brute_force(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    static const double off[] = {1e-12, -1e-12, 1e-7, -1e-7, 1e-3, -1e-3, 0.05};
    int hits = 0, misses = 0;
    for (int round = 0; round < TRIALS(1500, 300); round++) {
        graze_mesh *a = draw_mesh(&r), *b = draw_mesh(&r);
        graze_transform pa = maker_pose(&r, round % 5 ? 0 : 100), move = maker_pose(&r, 0), pb;
        // Aligned now and then, in all directions, from a tenth to some sizes away.
        if (round % 3 == 0) move = graze_transform_identity();
        if (round % 6 == 0) pa = graze_transform_identity();
        double way = pow(10, gz_random_range(&r, -0.5, 1)), d[3], length = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = gz_random_below(&r, 2) ? gz_random_below(&r, 3) - 1.0
                                          : gz_random_range(&r, -1, 1);
            length = fmax(length, fabs(d[k]));
        }
        for (int k = 0; k < 3; k++) move.m[4 * k + 3] = length > 0 ? way * d[k] / length : way;
        pb = graze_transform_multiply(&pa, &move);
        corners *ca = snap_all(a, pa.m), *cb = snap_all(b, pb.m);
        double gap[3] = {0}, distance = least_distance((const corners *)ca, a->triangle_count,
                                                       (const corners *)cb, b->triangle_count, gap);
        if (round % 2 && distance > 0) { // much nearer, where the pads weigh more than the margin
            double wanted = distance * pow(10, gz_random_range(&r, -6, -2));
            for (int k = 0; k < 3; k++) pb.m[4 * k + 3] -= (distance - wanted) / distance * gap[k];
            free(cb);
            cb = snap_all(b, pb.m);
            distance = least_distance((const corners *)ca, a->triangle_count, (const corners *)cb,
                                      b->triangle_count, gap);
        }
        for (size_t i = 0; i < sizeof off / sizeof *off && distance > 0; i++) {
            bool hit = check(a, &pa, b, &pb, (const corners *)ca, (const corners *)cb,
                             distance * (1 + off[i]));
            hits += hit;
            misses += !hit;
        }
        free(ca);
        free(cb);
        graze_mesh_free(a);
        graze_mesh_free(b);
    }
    assert_true(hits > TRIALS(2000, 400) && misses > TRIALS(2000, 400));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margins_next_to_the_distance_equal_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
