// Normals, depths and points of shapes that overlap: the depth of boxes against all separating axes
// in long double; of every kind of shape, that moving one by it leaves the exact test nothing;
// points and their depths against the shapes they lie in.

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/transform.h"
#include "mesh/shape.h"
#include "narrow/manifold.h"
#include "narrow/penetration.h"
#include "narrow/shape_pair.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

static gz_shape primitive(graze_shape kind, const double size[3], double radius, double length) {
    gz_shape s;
    graze_transform one = graze_transform_identity();
    assert_int_equal(gz_shape_primitive(&s, kind, size, radius, length, &one, NULL), GRAZE_OK);
    return s;
}

static bool collide(const gz_shape *a, const graze_transform *pa, const gz_shape *b,
                    const graze_transform *pb, double margin) {
    gz_shape_rule rule = {
        .kernels = gz_kernels_choose(), .margin = margin, .detail = GZ_DETAIL_PLACE};
    gz_shape_contact found;
    graze_stats stats = {0};
    return gz_shapes_collide(a, pa->m, b, pb->m, &rule, &found, &stats);
}

static graze_transform moved(const graze_transform *pose, const double n[3], double by) {
    graze_transform out = *pose;
    for (int k = 0; k < 3; k++) out.m[4 * k + 3] += by * n[k];
    return out;
}

// ------------------------------------------------------------------------------- separating axes

/// Half of a box along an axis.
static long double half_along(const double size[3], const graze_transform *pose,
                              const long double n[3]) {
    long double sum = 0;
    for (int j = 0; j < 3; j++) {
        long double along = 0;
        for (int k = 0; k < 3; k++) along += n[k] * (long double)pose->m[4 * k + j];
        sum += fabsl(along) * (long double)size[j] / 2;
    }
    return sum;
}

/// The least overlap of two boxes over the 15 axes of Gottschalk, Lin and Manocha (1996).
static long double least_overlap(const double size[2][3], const graze_transform pose[2]) {
    long double axes[2][3][3], least = LDBL_MAX;
    for (int s = 0; s < 2; s++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) axes[s][j][k] = (long double)pose[s].m[4 * k + j];
    for (int i = 0; i < 15; i++) {
        long double n[3];
        if (i < 6) {
            memcpy(n, axes[i / 3][i % 3], sizeof n);
        } else {
            const long double *u = axes[0][(i - 6) / 3], *v = axes[1][(i - 6) % 3];
            for (int k = 0; k < 3; k++)
                n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        }
        long double norm = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), apart = 0;
        if (norm < 1e-9L) continue;
        for (int k = 0; k < 3; k++) {
            n[k] /= norm;
            apart += n[k] * ((long double)pose[1].m[4 * k + 3] - (long double)pose[0].m[4 * k + 3]);
        }
        long double overlap = half_along(size[0], &pose[0], n) + half_along(size[1], &pose[1], n) -
                              fabsl(apart);
        if (overlap < least) least = overlap;
    }
    return least;
}

static void draw_boxes(gz_random *r, double size[2][3], graze_transform pose[2]) {
    double flat = gz_random_below(r, 4) ? 1 : 0.02;
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 3; k++) size[s][k] = gz_random_range(r, 0.1, 1) * (k == 2 ? flat : 1);
        pose[s] = maker_pose(r, 0.4);
    }
    // Faces on faces, and edges along edges, are what touches in practice.
    if (gz_random_below(r, 3) == 0)
        for (int i = 0; i < 3; i++)
            memcpy(&pose[1].m[4 * i], &pose[0].m[4 * i], 3 * sizeof(double));
}

static void test_depth_of_boxes_is_the_least_of_all_axes(void **state) {
    (void)state;
    int checked = 0;
    for (int i = 0; i < TRIALS(20000, 2000); i++) {
        gz_random r = gz_random_make(71, (uint64_t)i);
        double size[2][3];
        graze_transform pose[2];
        draw_boxes(&r, size, pose);
        gz_shape a = primitive(GRAZE_SHAPE_BOX, size[0], 0, 0);
        gz_shape b = primitive(GRAZE_SHAPE_BOX, size[1], 0, 0);
        if (collide(&a, &pose[0], &b, &pose[1], 0)) {
            gz_manifold m;
            gz_manifold_find(&a, pose[0].m, &b, pose[1].m, 0, &m);
            double least = (double)least_overlap((const double(*)[3])size, pose);
            assert_true(m.depth > least - 1e-14);
            if (!(m.depth < least + 1e-11)) fail_msg("%d: %.17g, not %.17g", i, m.depth, least);
            assert_true(m.least <= m.depth && m.least > least - 1e-11);
            graze_transform away = moved(&pose[1], m.normal, m.depth);
            assert_false(collide(&a, &pose[0], &b, &away, 0));
            checked++;
        }
        gz_shape_clear(&a);
        gz_shape_clear(&b);
    }
    assert_true(checked > TRIALS(4000, 400));
}

// ------------------------------------------------------------------------------- shapes of all
// kinds

/// The hull of random points: any triangles over them will do, as depths are those of hulls.
static gz_shape cloud_mesh(gz_random *r) {
    gz_shape s;
    maker m = {0};
    maker_soup(&m, r, 1 + gz_random_below(r, 20), 0.5);
    maker_scale(&m, 0.3);
    gz_shape_mesh(&s, maker_finish(&m));
    return s;
}

static gz_shape draw_shape(gz_random *r) {
    static const double origin[3] = {0, 0, 0};
    double size[3];
    gz_shape s;
    maker m = {0};
    for (int k = 0; k < 3; k++) size[k] = gz_random_range(r, 0.05, 0.5);
    switch (gz_random_below(r, 6)) {
    case 0:
        return primitive(GRAZE_SHAPE_BOX, size, 0, 0);
    case 1:
        return primitive(GRAZE_SHAPE_SPHERE, size, size[0], 0);
    case 2:
        return primitive(GRAZE_SHAPE_CYLINDER, size, size[0], size[1]);
    case 3:
        return primitive(GRAZE_SHAPE_CAPSULE, size, size[0], size[1]);
    case 4:
        return cloud_mesh(r);
    default:
        maker_sphere(&m, origin, size[0], 6, 9);
        gz_shape_mesh(&s, maker_finish(&m));
        return s;
    }
}

static void assert_is_unit(const double n[3]) {
    assert_true(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-14);
}

/// A ball at a place of the manifold, grown by rounding, meets both shapes.
static void assert_in_both(const gz_shape *a, const graze_transform *pa, const gz_shape *b,
                           const graze_transform *pb, const double point[3], double depth) {
    const double size[3] = {1, 1, 1};
    gz_shape ball = primitive(GRAZE_SHAPE_SPHERE, size, 0.5 * depth + 1e-6, 0);
    graze_transform at = graze_transform_identity();
    for (int k = 0; k < 3; k++) at.m[4 * k + 3] = point[k];
    assert_true(collide(&ball, &at, a, pa, 0));
    assert_true(collide(&ball, &at, b, pb, 0));
    gz_shape_clear(&ball);
}

static void test_moving_by_the_depth_frees(void **state) {
    (void)state;
    int checked = 0, with_margin = 0;
    for (int i = 0; i < TRIALS(20000, 1500); i++) {
        gz_random r = gz_random_make(72, (uint64_t)i);
        gz_shape a = draw_shape(&r), b = draw_shape(&r);
        double far = gz_random_below(&r, 3) ? 0.3 : 0.6;
        graze_transform pa = maker_pose(&r, far), pb = maker_pose(&r, far);
        if (gz_random_below(&r, 8) == 0) // far from the origin, where coordinates round more
            for (int k = 0; k < 3; k++) pa.m[4 * k + 3] += 9e4, pb.m[4 * k + 3] += 9e4;
        double margin = gz_random_below(&r, 3) ? 0 : gz_random_range(&r, 1e-3, 0.1);
        if (collide(&a, &pa, &b, &pb, margin)) {
            gz_manifold m;
            gz_manifold_find(&a, pa.m, &b, pb.m, margin, &m);
            assert_is_unit(m.normal);
            assert_true(m.depth >= 0 && m.least >= 0 && m.least <= m.depth);
            graze_transform away = moved(&pb, m.normal, m.depth);
            if (collide(&a, &pa, &b, &away, margin))
                fail_msg("%d: kinds %d and %d at %g", i, (int)a.kind, (int)b.kind, m.depth);
            away = moved(&pa, m.normal, -m.depth);
            assert_false(collide(&a, &away, &b, &pb, margin));
            // What the search leaves between its bounds, in shapes half a metre long.
            if (fabs(pa.m[3]) < 1) assert_true(m.depth - margin - m.least < 0.02 || margin > 0);
            assert_in_range(m.count, 1, 4);
            for (int k = 0; k < m.count; k++) {
                assert_true(m.depths[k] >= 0 && m.depths[k] <= m.depth + 1e-6);
                bool convex = a.kind != GRAZE_SHAPE_MESH && b.kind != GRAZE_SHAPE_MESH;
                if (convex && margin == 0 && fabs(pa.m[3]) < 1)
                    assert_in_both(&a, &pa, &b, &pb, m.points[k], m.depths[k]);
            }
            checked++;
            with_margin += margin > 0;
        }
        gz_shape_clear(&a);
        gz_shape_clear(&b);
    }
    assert_true(checked > TRIALS(5000, 400) && with_margin > 100);
}

/// A box, cylinder or capsule lying on a box, a little in it: where they touch is where they must.
static void test_points_of_what_lies_flat(void **state) {
    (void)state;
    const double table[3] = {2, 2, 0.5}, block[3] = {0.4, 0.2, 0.2};
    gz_shape a = primitive(GRAZE_SHAPE_BOX, table, 0, 0);
    graze_transform pa = graze_transform_identity();
    pa.m[11] = -0.25;
    for (int turn = 0; turn < 7; turn++) {
        const double flat[3] = {0, 0, 0.3 * turn}, side[3] = {acos(0), 0, 0.3 * turn};
        const double at[3] = {0.3, 0.2, 0.099};
        gz_shape box = primitive(GRAZE_SHAPE_BOX, block, 0, 0);
        gz_shape can = primitive(GRAZE_SHAPE_CYLINDER, block, 0.1, 0.4);
        gz_shape pill = primitive(GRAZE_SHAPE_CAPSULE, block, 0.1, 0.4);
        gz_shape ball = primitive(GRAZE_SHAPE_SPHERE, block, 0.1, 0);
        graze_transform lying = graze_transform_from_xyz_rpy(at, side);
        graze_transform standing = graze_transform_from_xyz_rpy(at, flat);
        struct {
            const gz_shape *shape;
            const graze_transform *pose;
            int count;
        } cases[] = {
            {&box, &standing, 4}, {&can, &lying, 2}, {&pill, &lying, 2}, {&ball, &lying, 1}};
        for (int i = 0; i < 4; i++) {
            gz_manifold m;
            gz_manifold_find(&a, pa.m, cases[i].shape, cases[i].pose->m, 0, &m);
            assert_true(fabs(m.normal[2] - 1) < 1e-9);
            assert_true(fabs(m.depth - 0.001) < 1e-6);
            if (m.count != cases[i].count)
                fail_msg("case %d, turn %d: %d points", i, turn, m.count);
            for (int k = 0; k < m.count; k++) {
                assert_true(fabs(m.points[k][2] + 0.0005) < 1e-5);
                assert_true(fabs(m.depths[k] - 0.001) < 1e-5);
                double x = m.points[k][0] - 0.3, y = m.points[k][1] - 0.2;
                double far = i == 0 ? sqrt(0.05) : i == 3 ? 0 : 0.2;
                assert_true(fabs(sqrt(x * x + y * y) - far) < 1e-4);
            }
        }
        gz_shape_clear(&box);
    }
    gz_shape_clear(&a);
}

/// The corners of what two boxes share lie 2^-24 of their way to the middle farther in, where lines
/// through them hit both boxes.
static void test_corners_lie_a_little_inward(void **state) {
    (void)state;
    const double table[3] = {2, 2, 1}, block[3] = {1, 1, 1};
    gz_shape a = primitive(GRAZE_SHAPE_BOX, table, 0, 0),
             b = primitive(GRAZE_SHAPE_BOX, block, 0, 0);
    graze_transform pa = graze_transform_identity(), pb = pa;
    pb.m[11] = 1 - 0x1p-10;
    gz_manifold m;
    gz_manifold_find(&a, pa.m, &b, pb.m, 0, &m);
    assert_int_equal(m.count, 4);
    for (int i = 0; i < m.count; i++)
        for (int k = 0; k < 2; k++)
            assert_true(fabs(fabs(m.points[i][k]) - 0.5 * (1 - 0x1p-24)) < 0x1p-30);
    gz_shape_clear(&a);
    gz_shape_clear(&b);
}

/// A cylinder that stands on a box up to 1e-9 has points at sixteenths of its rim, from an axis of
/// the plane on: all of the rim is as deep, and the points do not turn with which way it leans.
static void test_points_do_not_turn_with_a_lean_of_rounding(void **state) {
    (void)state;
    const double table[3] = {2, 2, 1}, sixteenth = acos(0) / 4;
    gz_shape a = primitive(GRAZE_SHAPE_BOX, table, 0, 0);
    gz_shape can = primitive(GRAZE_SHAPE_CYLINDER, table, 0.1, 0.4);
    graze_transform pa = graze_transform_identity();
    for (int turn = 0; turn < 60; turn++) {
        double lean = turn % 2 ? 3e-10 : 9.9e-10;
        double x = lean * cos(0.21 * turn), y = lean * sin(0.21 * turn);
        graze_transform pb = {{1, 0, x, 0, 0, 1, y, 0, -x, -y, 1, 0.7 - 0x1p-10}};
        gz_manifold m;
        gz_manifold_find(&a, pa.m, &can, pb.m, 0, &m);
        assert_int_equal(m.count, 4);
        for (int i = 0; i < m.count; i++) {
            double at = atan2(m.points[i][1], m.points[i][0]) / sixteenth;
            assert_true(fabs(at - round(at)) < 1e-6);
        }
    }
    gz_shape_clear(&a);
    gz_shape_clear(&can);
}

/// Two boxes that cross with an edge each: one point, where the edges cross.
static void test_crossing_edges_have_one_point(void **state) {
    (void)state;
    const double size[3] = {1, 0.1, 0.1}, zero[3] = {0, 0, 0};
    double half = 0.05 * sqrt(2);
    const double up[3] = {0, 0, 2 * half - 0.002}, turned[3] = {acos(0) / 2, 0, 0};
    const double across[3] = {acos(0) / 2, 0, 1};
    gz_shape a = primitive(GRAZE_SHAPE_BOX, size, 0, 0), b = primitive(GRAZE_SHAPE_BOX, size, 0, 0);
    graze_transform pa = graze_transform_from_xyz_rpy(zero, turned);
    graze_transform pb = graze_transform_from_xyz_rpy(up, across);
    gz_manifold m;
    gz_manifold_find(&a, pa.m, &b, pb.m, 0, &m);
    assert_true(fabs(m.normal[2] - 1) < 1e-9);
    assert_int_equal(m.count, 1);
    assert_true(fabs(m.points[0][0]) < 1e-6 && fabs(m.points[0][1]) < 1e-6);
    assert_true(fabs(m.points[0][2] - (half - 0.001)) < 1e-6);
    assert_true(fabs(m.depths[0] - 0.002) < 1e-6);
    gz_shape_clear(&a);
    gz_shape_clear(&b);
}

// ------------------------------------------------------------------------------------- supports

static double draw(gz_random *r) {
    return 2 * gz_random_unit(r) - 1;
}

static graze_transform draw_pose(gz_random *r) {
    double p[6];
    for (int k = 0; k < 6; k++) p[k] = (k < 3 ? 1 : 3) * draw(r);
    return graze_transform_from_xyz_rpy(p, p + 3);
}

/// The farthest point of a flat cylinder along a direction: at its end, on its rim, across its
/// axis, and as far as the disc reaches.
static void test_supports_of_cylinders_lie_on_their_rims(void **state) {
    (void)state;
    gz_random r = gz_random_make(11, 0);
    gz_shape s = primitive(GRAZE_SHAPE_CYLINDER, NULL, 0.3, 0.8);
    for (int i = 0; i < TRIALS(2000, 200); i++) {
        graze_transform pose = draw_pose(&r);
        double n[3], out[3], axis[3], to[3], across[3];
        for (int k = 0; k < 3; k++) n[k] = draw(&r);
        gz_hull h = gz_hull_make(&s, pose.m);
        memset(out, 0xff, sizeof out); // no numbers
        gz_hull_support(&h, n, out);
        gz_subtract(h.curved.b, h.curved.a, axis);
        const double *end = gz_dot(n, axis) > 0 ? h.curved.b : h.curved.a;
        gz_subtract(out, end, to);
        gz_cross(n, axis, across);
        assert_true(fabs(gz_norm(to) - 0.3) < 1e-12);
        assert_true(fabs(gz_dot(to, axis)) < 1e-12);
        double most = 0.3 * gz_norm(across) / gz_norm(axis);
        assert_true(fabs(gz_dot(to, n) - most) < 1e-12 * (1 + gz_norm(n)));
    }
}

/// A ball that is pressed into a face of a box, both turned anyhow: the point is below the ball's
/// middle, half of the overlap deep.
static void test_the_point_of_a_ball_on_a_face(void **state) {
    (void)state;
    gz_random r = gz_random_make(12, 0);
    const double size[3] = {1, 1.2, 0.8}, radius = 0.25;
    gz_shape box = primitive(GRAZE_SHAPE_BOX, size, 0, 0);
    gz_shape ball = primitive(GRAZE_SHAPE_SPHERE, NULL, radius, 0);
    const int trials = TRIALS(2000, 200);
    int far = 0; // where rounding ends the search early
    for (int i = 0; i < trials; i++) {
        graze_transform pa = draw_pose(&r), pb = graze_transform_identity();
        double depth = 0.02 + 0.05 * gz_random_unit(&r);
        const double local[3] = {0.2 * draw(&r), 0.2 * draw(&r), 0.4 + radius - depth};
        const double middle[3] = {local[0], local[1], 0.4 - 0.5 * depth};
        double center[3], point[3];
        gz_transform_apply(pa.m, local, center);
        gz_transform_apply(pa.m, middle, point);
        for (int k = 0; k < 3; k++) pb.m[4 * k + 3] = center[k];
        gz_hull a = gz_hull_make(&box, pa.m), b = gz_hull_make(&ball, pb.m);
        gz_penetration found = gz_penetration_find(&a, &b);
        double off[3];
        gz_subtract(found.point, point, off);
        far += gz_norm(off) > 1e-5;
        assert_true(fabs(found.overlap - depth) < 1e-9);
        assert_true(found.least <= depth + 1e-12 && found.least > depth * (1 - 1e-3));
    }
    print_message("%d of %d points are off by more than 1e-5 m\n", far, trials);
    assert_int_equal(far, 0);
    gz_shape_clear(&box);
    gz_shape_clear(&ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supports_of_cylinders_lie_on_their_rims),
        cmocka_unit_test(test_the_point_of_a_ball_on_a_face),
        cmocka_unit_test(test_depth_of_boxes_is_the_least_of_all_axes),
        cmocka_unit_test(test_moving_by_the_depth_frees),
        cmocka_unit_test(test_points_of_what_lies_flat),
        cmocka_unit_test(test_corners_lie_a_little_inward),
        cmocka_unit_test(test_points_do_not_turn_with_a_lean_of_rounding),
        cmocka_unit_test(test_crossing_edges_have_one_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
