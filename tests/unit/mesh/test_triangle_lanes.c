// How far a point is from triangles too small, or too thin, for their squares to be floats: no
// claim is above the distance, and what they meet is found.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/check.h"
#include "mesh/bvh/triangle_lanes.h"
#include "mesh/prefilter/lattice.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/robot/robot_maker.h"

#define ROWS 32

// ------------------------------------------------------------------------------------- the lanes

/// A right triangle of two edges around the origin's corner, the point over its inside: how far it
/// is claimed to be, whichever corner comes first.
static double claimed_over(float width, float length, float height, int turn) {
    const float corner[3][3] = {{0, 0, 0}, {width, 0, 0}, {0, length, 0}};
    float at[3] = {0.25f * width, 0.25f * length, height}, p[3], squares[GZ_WIDTH];
    lanes3 v[3];
    for (int c = 0; c < 3; c++) {
        const float *x = corner[(c + turn) % 3];
        v[c] = (lanes3){gz_f8_all(x[turn]), gz_f8_all(x[(turn + 1) % 3]),
                        gz_f8_all(x[(turn + 2) % 3])};
    }
    for (int k = 0; k < 3; k++) p[k] = at[(k + turn) % 3];
    gz_f8_store(squares, beyond_squares(v, p));
    return sqrt((double)squares[0]);
}

/// Over edges from the least float to a metre: the claim is the distance, and not above.
static void test_no_height_over_a_tiny_normal_is_made_up(void **state) {
    (void)state;
    for (int turn = 0; turn < 3; turn++)
        for (int i = -149; i <= 0; i++)
            for (int j = -149; j <= 0; j++)
                for (int far = -10; far <= 10; far += 4) {
                    float height = ldexpf(1, far);
                    double claim = claimed_over(ldexpf(1, i), ldexpf(1, j), height, turn);
                    double size = fmax((double)height, ldexp(1, i > j ? i : j));
                    if (!(claim <= (double)height + 0x1p-22 * size + 0x1p-29))
                        fail_msg("edges 2^%d and 2^%d at 2^%d, turn %d: %g", i, j, far, turn,
                                 claim);
                    // Nothing is lost by it either: a face tells, and so do edges close together.
                    if (!(claim >= 0.99 * (double)height - 0.5 * ldexp(1, i < j ? i : j)))
                        fail_msg("edges 2^%d and 2^%d at 2^%d, turn %d: only %g", i, j, far, turn,
                                 claim);
                }
}

/// Of a mesh of common size: maps of clearances and cores rest on this.
static void test_a_fleck_in_a_room_is_no_farther_than_it_is(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0}, half[3] = {2, 2, 2};
    gz_random random = gz_random_make(1, 0);
    uint64_t looks = UINT64_MAX;
    for (int i = -100; i <= -8; i++) {
        maker m = {0};
        maker_box(&m, origin, half);
        uint32_t a = maker_vertex(&m, 0, 0, 0.5), b = maker_vertex(&m, ldexp(1, i), 0, 0.5),
                 c = maker_vertex(&m, 0, ldexp(1, i), 0.5);
        maker_triangle(&m, a, b, c);
        graze_mesh *mesh = maker_finish(&m);
        for (int n = 0; n < 200; n++) {
            float p[3] = {0, 0, (float)gz_random_unit(&random)};
            float along = (float)gz_random_range(&random, -1e-3, 1e-3);
            if (n % 4) p[0] = along;
            if (n % 4 > 1) p[1] = n % 4 == 2 ? along : 0.5f * along;
            double real = hypot(hypot((double)p[0], (double)p[1]), (double)p[2] - 0.5);
            float got = gz_nearest_surface(mesh, &mesh->root, 1, p, INFINITY, 0, &looks);
            if (!((double)got <= real))
                fail_msg("2^%d, %g %g %g: %g of %g", i, (double)p[0], (double)p[1], (double)p[2],
                         (double)got, real);
            assert_true((double)got > 0.99 * real - ldexp(1, i) - 1e-4);
        }
        graze_mesh_free(mesh);
    }
}

// ------------------------------------------------------------------------------- what meets them

/// A ball of radius 0.1 and a triangle, on a joint along z.
static graze_robot *make_slide(const double corner[3][3]) {
    static const double origin[3] = {0, 0, 0};
    maker m = {0};
    maker_sphere(&m, origin, 0.1, 6, 8);
    uint32_t at[3];
    for (int i = 0; i < 3; i++) at[i] = maker_vertex(&m, corner[i][0], corner[i][1], corner[i][2]);
    maker_triangle(&m, at[0], at[1], at[2]);
    gz_soup *soup = gz_soup_create();
    assert_true(gz_soup_reserve(soup, m.nv, m.nt));
    memcpy(soup->vertices, m.v, 3 * m.nv * sizeof *m.v);
    memcpy(soup->triangles, m.t, 3 * m.nt * sizeof *m.t);
    soup->vertex_count = m.nv;
    soup->triangle_count = m.nt;
    maker_free(&m);

    gz_builder *b = gz_builder_create("slide", "slide.urdf");
    graze_error e;
    int32_t base, tool;
    assert_int_equal(gz_builder_add_link(b, "base", (gz_line){1, 1}, &base, &e), GRAZE_OK);
    assert_int_equal(gz_builder_add_link(b, "tool", (gz_line){2, 1}, &tool, &e), GRAZE_OK);
    assert_int_equal(robot_joint(b, GRAZE_JOINT_PRISMATIC, "base", "tool", NULL, &e), GRAZE_OK);
    gz_geometry_input in = {.link = tool,
                            .shape = GRAZE_SHAPE_MESH,
                            .origin = graze_transform_identity(),
                            .scale = {1, 1, 1},
                            .soup = soup};
    graze_robot *robot;
    assert_int_equal(gz_builder_add_geometry(b, &in, &e), GRAZE_OK);
    assert_int_equal(gz_builder_finish(b, &robot, &e), GRAZE_OK);
    return robot;
}

/// Asks whether the tool meets a cube; expected[i] at q[i].
static void expect_verdicts(const double corner[3][3], double edge, const double at[3],
                            graze_policy policy, const double *q, const uint8_t *expected) {
    graze_robot *robot = make_slide(corner);
    graze_error e;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    const double size[3] = {edge, edge, edge};
    graze_transform pose = graze_transform_identity();
    for (int k = 0; k < 3; k++) pose.m[4 * k + 3] = at[k];
    assert_int_equal(graze_world_create(&world, "w", &e), GRAZE_OK);
    assert_int_equal(graze_world_add_box(world, "box", size, &pose, &e), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, &e), GRAZE_OK);
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    assert_int_equal(graze_checker_create(&checker, robot, world, &options, &e), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, checker, &e), GRAZE_OK);
    for (int answer = GRAZE_ANSWER_ANY; answer <= GRAZE_ANSWER_FIRST; answer++) {
        uint8_t verdicts[ROWS];
        graze_batch batch = graze_batch_default();
        batch.count = ROWS;
        batch.q = q;
        batch.verdicts = verdicts;
        batch.answer = (graze_answer)answer;
        assert_int_equal(graze_check_batch(checker, &batch, &e), GRAZE_OK);
        for (int i = 0; i < ROWS; i++) {
            graze_report report = {0};
            assert_int_equal(
                graze_check(checker, workspace, (graze_answer)answer, q + i, 1, NULL, &report, &e),
                GRAZE_OK);
            if (verdicts[i] != expected[i] || report.verdict != expected[i])
                fail_msg("width %g, q = %g: %d in a batch, %d alone, of %d", corner[2][1], q[i],
                         verdicts[i], report.verdict, expected[i]);
        }
    }
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
}

static void test_a_fleck_in_a_box_is_found(void **state) {
    (void)state;
    static const double at[3] = {0, 0, 1};
    double q[ROWS];
    uint8_t expected[ROWS];
    for (int i = 0; i < ROWS; i++) {
        q[i] = 0.3 + 0.011 * i;
        expected[i] = q[i] >= 0.4 && q[i] <= 0.6; // where the fleck is; the ball stays below
    }
    for (int i = 8; i <= 26; i++) {
        double width = pow(10, -i);
        const double fleck[3][3] = {{0, 0, 0.5}, {width, 0, 0.5}, {0, width, 0.5}};
        expect_verdicts(fleck, 0.2, at, i % 2 ? GRAZE_POLICY_SOLID : GRAZE_POLICY_SURFACE, q,
                        expected);
    }
}

static void test_a_needle_across_a_box_is_found(void **state) {
    (void)state;
    static const double at[3] = {0.0625, 0, 12};
    double q[ROWS];
    uint8_t expected[ROWS];
    for (int i = 0; i < ROWS; i++) {
        q[i] = i < ROWS - 1 ? 0.015625 * i : 3.5;
        expected[i] = i < ROWS - 1;
    }
    for (int i = 8; i <= 29; i++) {
        double width = pow(10, -i);
        const double needle[3][3] = {{0, 0, 10}, {0, 0, 14}, {0, width, 14}};
        expect_verdicts(needle, 2.5, at, i % 2 ? GRAZE_POLICY_SURFACE : GRAZE_POLICY_SOLID, q,
                        expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_height_over_a_tiny_normal_is_made_up),
        cmocka_unit_test(test_a_fleck_in_a_room_is_no_farther_than_it_is),
        cmocka_unit_test(test_a_fleck_in_a_box_is_found),
        cmocka_unit_test(test_a_needle_across_a_box_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
