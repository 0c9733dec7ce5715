// Poses of eight configurations in float: every kind of joint within the error that is derived for
// it, and the same bits whatever a block has seen before.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "check/filters.h"
#include "kinematics/forward_kinematics.h"

typedef struct joint_case {
    const char *type, *rpy, *axis;
    bool along; ///< about or along an axis, by permuted axes
} joint_case;

// A quarter turn with all digits permutes axes; with six it nearly does, with four it does not.
static const joint_case cases[] = {
    {"revolute", "0 0 0", "0 0 1", true},
    {"revolute", "1.5707963267948966 0 0", "0 1 0", true},
    {"revolute", "0 -1.5707963267948966 0", "-1 0 0", true},
    {"prismatic", "3.141592653589793 0 0", "0 0 -1", true},
    {"continuous", "1.5707963267948966 0 1.5707963267948966", "0 -1 0", true},
    {"revolute", "1.570796 0 0", "1 0 0", true},
    {"prismatic", "0 0 -1.5707963267948966", "1 0 0", true},
    {"revolute", "1.5708 0 0", "0 0 1", false},
    {"revolute", "0 0 0", "1 2 3", false},
    {"prismatic", "0.3 0.2 -0.1", "1 -1 0.5", false},
    {"continuous", "0.7 -2 1", "1 0 0", false}};

enum { CASES = sizeof cases / sizeof *cases, BLOCKS = 400 };

typedef struct setup {
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *ws;
    gz_batch_block block;
    size_t size;
} setup;

/// A chain of all cases, a box to a link.
static setup open_chain(void) {
    static char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text, "<robot name='chain'><link name='l0'/>");
    for (int i = 0; i < CASES; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "<link name='l%d'><collision><origin xyz='0.05 0.02 -0.03'/><geometry><box "
            "size='0.1 0.07 0.05'/></geometry></collision></link><joint name='j%d' type='%s'>"
            "<origin xyz='0.11 -0.07 0.13' rpy='%s'/><parent link='l%d'/><child link='l%d'/>"
            "<axis xyz='%s'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>",
            i + 1, i, cases[i].type, cases[i].rpy, i, i + 1, cases[i].axis);
    n += (size_t)snprintf(text + n, sizeof text - n, "</robot>");
    assert_true(n < sizeof text);
    setup s = {0};
    graze_error error;
    if (graze_robot_load_urdf_memory(&s.robot, text, n, "chain", NULL, NULL, &error))
        fail_msg("%s", error.message);
    assert_int_equal(graze_checker_create(&s.checker, s.robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s.ws, s.checker, NULL), GRAZE_OK);
    assert_non_null(s.checker->filter);
    assert_true(gz_batch_block_create(&s.block, s.checker->filter));
    s.size = graze_robot_q_size(s.robot);
    assert_int_equal(s.size, CASES);
    return s;
}

static void close_chain(setup *s) {
    gz_batch_block_free(&s->block);
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_robot_free(s->robot);
}

static double draw_value(gz_random *r, size_t column) {
    bool turns = cases[column].type[0] == 'c';
    return turns && gz_random_below(r, 4) == 0 ? gz_random_range(r, -0x1p20, 0x1p20)
                                               : gz_random_range(r, -3, 3);
}

static void draw_base(gz_random *r, double own[6], double base[12]) {
    for (int k = 0; k < 6; k++) own[k] = gz_random_range(r, -1.9, 1.9);
    assert_int_equal(gz_pose_base(own, base, NULL), GRAZE_OK);
}

static void test_joints_along_their_axes_are_seen(void **state) {
    (void)state;
    setup s = open_chain();
    for (int i = 0; i < CASES; i++)
        assert_int_equal(s.checker->filter->bodies[i + 1].permutes, cases[i].along);
    close_chain(&s);
}

/// The error of a rotation's entries, and of the sphere's centre, as parts of their bounds.
static void measure_lane(const setup *s, const double *origin, int lane, double *turn,
                         double *center) {
    const gz_filter_model *m = s->checker->filter;
    for (size_t l = 0; l < m->link_count; l++) {
        const gz_filter_link *link = &m->links[l];
        const double *want = s->ws->bodies[link->body], *at = s->ws->centers[link->link];
        double d2 = 0, c2 = 0;
        for (int k = 0; k < 12; k++) {
            double d = (double)s->block.poses[link->body][k][lane] - want[k];
            if (k % 4 < 3) d2 += d * d;
        }
        for (int k = 0; k < 3; k++) {
            double d = (double)s->block.centers[l][k][lane] - (at[k] - origin[4 * k + 3]);
            c2 += d * d;
        }
        *turn = fmax(*turn, sqrt(d2) / (double)link->turn);
        *center = fmax(*center, sqrt(c2) / (double)link->error);
    }
}

static void test_every_kind_of_joint_stays_within_its_error(void **state) {
    (void)state;
    static const char *const sets[] = {"scalar", "sse2", "avx2"};
    for (int set = 0; set < 3; set++) {
        setenv("GRAZE_ISA", sets[set], 1);
        setup s = open_chain();
        unsetenv("GRAZE_ISA");
        gz_random random = gz_random_make(11, 0);
        double turn = 0, center = 0;
        for (int block = 0; block < BLOCKS; block++) {
            double q[GZ_LANES * CASES], own[GZ_LANES][6], base[GZ_LANES][12];
            for (size_t i = 0; i < GZ_LANES * CASES; i++) q[i] = draw_value(&random, i % CASES);
            for (int i = 0; i < GZ_LANES; i++) draw_base(&random, own[i], base[i]);
            s.block.unfit = 0;
            gz_filter_kernels_choose(s.checker->kernels)
                ->batch(s.checker->filter, q, s.size, GZ_LANES, base, &s.block);
            assert_int_equal(s.block.unfit, 0);
            for (int i = 0; i < GZ_LANES; i++) {
                assert_int_equal(gz_workspace_pose(s.ws, q + i * CASES, s.size, own[i], NULL),
                                 GRAZE_OK);
                measure_lane(&s, base[0], i, &turn, &center);
            }
        }
        printf("%s: %.3f of the bound on rotations, %.3f of that on centres\n", sets[set], turn,
               center);
        assert_true(turn < 1 && center < 1);
        assert_true(turn > 1e-2 && center > 1e-3); // else the bound says little
        close_chain(&s);
    }
}

/// What a block of its own, which has seen nothing, makes of the same rows.
static void assert_as_fresh(const setup *s, const double *q, size_t count, double (*base)[12]) {
    const gz_filter_model *m = s->checker->filter;
    gz_batch_block fresh;
    assert_true(gz_batch_block_create(&fresh, m));
    fresh.unfit = 0;
    gz_filter_kernels_choose(s->checker->kernels)->batch(m, q, s->size, count, base, &fresh);
    assert_int_equal(s->block.unfit, fresh.unfit);
    assert_int_equal(s->block.left, fresh.left);
    assert_memory_equal(s->block.poses, fresh.poses, m->body_count * sizeof *fresh.poses);
    assert_memory_equal(s->block.centers, fresh.centers, m->link_count * sizeof *fresh.centers);
    assert_int_equal(s->block.pair_count, fresh.pair_count);
    assert_memory_equal(s->block.pairs, fresh.pairs, fresh.pair_count * sizeof *fresh.pairs);
    gz_batch_block_free(&fresh);
}

static void test_blocks_do_not_depend_on_those_before(void **state) {
    (void)state;
    setup s = open_chain();
    gz_random random = gz_random_make(12, 0);
    double q[GZ_LANES * CASES] = {0}, own[6], base[GZ_LANES][12];
    draw_base(&random, own, base[0]);
    size_t pairs = 0, unfit = 0;
    for (int block = 0; block < BLOCKS; block++) {
        // A few columns change, in a few rows; now and then to what is no value, or the base does.
        for (uint32_t k = gz_random_below(&random, 4); k > 0; k--) {
            static const double odd[] = {NAN, INFINITY, 0x1p21, -0.0, 5};
            size_t i = gz_random_below(&random, GZ_LANES * CASES);
            q[i] = gz_random_below(&random, 6) ? draw_value(&random, i % CASES)
                                               : odd[gz_random_below(&random, 5)];
        }
        if (gz_random_below(&random, 8) == 0) draw_base(&random, own, base[0]);
        for (int i = 1; i < GZ_LANES; i++) memcpy(base[i], base[0], sizeof base[0]);
        if (gz_random_below(&random, 16) == 0) memset(q, 0, sizeof q);
        s.block.one_base = gz_random_below(&random, 8) > 0;
        if (!s.block.one_base) draw_base(&random, own, base[1]);
        s.block.unfit = 0;
        size_t count = gz_random_below(&random, 8) ? GZ_LANES : 1 + gz_random_below(&random, 7);
        gz_filter_kernels_choose(s.checker->kernels)
            ->batch(s.checker->filter, q, s.size, count, base, &s.block);
        assert_as_fresh(&s, q, count, base);
        pairs += s.block.pair_count;
        unfit += s.block.unfit != 0;
    }
    assert_true(pairs > 0 && unfit > 0 && unfit < BLOCKS);
    close_chain(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_along_their_axes_are_seen),
        cmocka_unit_test(test_every_kind_of_joint_stays_within_its_error),
        cmocka_unit_test(test_blocks_do_not_depend_on_those_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
