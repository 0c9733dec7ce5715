// Eight configurations at a time: the filter never changes a verdict, and its error bound holds.

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

#define ROWS 4000

typedef struct setup {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    size_t size;
    double q[ROWS * 32], base[ROWS * 6];
} setup;

static setup *open_setup(const char *robot, const char *world, graze_policy policy) {
    setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    graze_error error;
    char path[512], srdf[512];
    snprintf(path, sizeof path, "%s/urdf/%s.urdf", GRAZE_SOURCE_DIR, robot);
    snprintf(srdf, sizeof srdf, "%s/urdf/%s.srdf", GRAZE_SOURCE_DIR, robot);
    graze_load_options load = graze_load_options_default();
    load.srdf = srdf;
    if (graze_robot_load_urdf(&s->robot, path, &load, &error)) fail_msg("%s", error.message);
    if (world) {
        assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
        snprintf(path, sizeof path, "%s/worlds/%s.json", GRAZE_SOURCE_DIR, world);
        if (graze_world_add_file(s->world, path, NULL, &error) ||
            graze_world_commit(s->world, &error))
            fail_msg("%s", error.message);
    }
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    assert_int_equal(graze_checker_create(&s->checker, s->robot, s->world, &options, NULL),
                     GRAZE_OK);
    s->size = graze_robot_q_size(s->robot);
    assert_true(s->size <= 32);
    return s;
}

static void close_setup(setup *s) {
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
    free(s);
}

/// Rows within the limits, bases up to `spread` metres from the origin and turned any way.
static void draw_rows(setup *s, uint64_t seed, double spread) {
    gz_random random = gz_random_make(seed, 0);
    for (size_t i = 0; i < ROWS * s->size; i++) {
        graze_joint_info joint;
        graze_robot_joint(s->robot, graze_robot_q_joint(s->robot, i % s->size), &joint);
        double low = joint.limited ? joint.lower : -9, high = joint.limited ? joint.upper : 9;
        s->q[i] = gz_random_range(&random, low, high);
    }
    for (size_t i = 0; i < ROWS * 6; i++)
        s->base[i] = i % 6 == 2 ? 0 : gz_random_range(&random, -spread, spread);
}

static void compare_with_single(const setup *s, const double *base, uint32_t threads) {
    static uint8_t verdicts[ROWS];
    graze_batch b = graze_batch_default();
    b.count = ROWS - 3; // the last block is not full
    b.q = s->q;
    b.base = base;
    b.verdicts = verdicts;
    b.threads = threads;
    graze_check_batch(s->checker, &b, NULL);
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s->checker, NULL), GRAZE_OK);
    size_t hits = 0;
    for (size_t i = 0; i < b.count; i++) {
        graze_report report = {0};
        graze_check(s->checker, ws, GRAZE_ANSWER_ANY, s->q + i * s->size, s->size,
                    base ? base + 6 * i : NULL, &report, NULL);
        if (verdicts[i] != (uint8_t)report.verdict)
            fail_msg("row %zu: %d in a batch, %d alone", i, verdicts[i], (int)report.verdict);
        hits += report.verdict == GRAZE_COLLISION;
    }
    assert_true(hits > 0 && hits < b.count);
    graze_workspace_free(ws);
}

static void test_batches_answer_as_single_checks(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"heron", NULL},       {"heron", "shelf"},
                                           {"heron", "clutter"},  {"heron", "kineval_basic"},
                                           {"six_axis", "table"}, {"two_link", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup *s = open_setup(cases[i][0], cases[i][1], GRAZE_POLICY_SOLID);
        draw_rows(s, i, 2);
        compare_with_single(s, NULL, 1);
        compare_with_single(s, s->base, 2);
        draw_rows(s, i + 50, 9); // bases too far apart for the filter are checked one by one
        compare_with_single(s, s->base, 1);
        close_setup(s);
    }
}

static void test_rows_out_of_range_go_the_ordinary_way(void **state) {
    (void)state;
    setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SURFACE);
    draw_rows(s, 7, 1);
    int32_t lift = graze_robot_find_q(s->robot, "torso_lift_joint");
    for (size_t i = 0; i < ROWS; i += 5) {
        static const double odd[] = {3, -50, 1e5, NAN, INFINITY, 0x1p21};
        s->q[i * s->size + (i % 3 ? (size_t)lift : i % s->size)] = odd[i / 5 % 6];
    }
    s->base[6 * 11 + 1] = NAN;
    compare_with_single(s, s->base, 1);
    close_setup(s);
}

/// The float centres against the double ones: how much of the bound is used.
static void test_error_bound_holds(void **state) {
    (void)state;
    setup *s = open_setup("heron", NULL, GRAZE_POLICY_SOLID);
    draw_rows(s, 3, 3.9);
    const gz_filter_model *model = s->checker->filter;
    assert_non_null(model);
    gz_batch_block block;
    assert_true(gz_batch_block_create(&block, model));
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s->checker, NULL), GRAZE_OK);
    double worst = 0;
    for (size_t first = 0; first < ROWS; first += 8) {
        double base[8][12];
        for (size_t i = 0; i < 8; i++) {
            // Bases within the filter's reach of the first one.
            for (int k = 0; k < 2; k++)
                s->base[6 * (first + i) + (size_t)k] = fmod(s->base[6 * (first + i) + (size_t)k],
                                                            1.9);
            assert_int_equal(gz_pose_base(s->base + 6 * (first + i), base[i], NULL), GRAZE_OK);
        }
        block.unfit = 0;
        gz_filter_kernels_choose(s->checker->kernels)
            ->batch(model, s->q + first * s->size, s->size, 8, base, &block);
        assert_int_equal(block.unfit, 0);
        for (size_t i = 0; i < 8; i++) {
            assert_int_equal(gz_workspace_pose(ws, s->q + (first + i) * s->size, s->size,
                                               s->base + 6 * (first + i), NULL),
                             GRAZE_OK);
            for (size_t l = 0; l < model->link_count; l++) {
                const double *want = ws->centers[model->links[l].link];
                double d2 = 0;
                for (int k = 0; k < 3; k++) {
                    double d = (double)block.centers[l][k][i] - (want[k] - base[0][4 * k + 3]);
                    d2 += d * d;
                }
                worst = fmax(worst, sqrt(d2) / (double)model->links[l].error);
            }
        }
    }
    printf("worst error: %.3f of its bound\n", worst);
    assert_true(worst < 1);
    assert_true(worst > 1e-4); // a bound that is never near is a bound that nobody checked
    graze_workspace_free(ws);
    gz_batch_block_free(&block);
    close_setup(s);
}

static void test_every_instruction_set_filters_soundly(void **state) {
    (void)state;
    setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SOLID);
    draw_rows(s, 21, 0.5);
    setenv("GRAZE_ISA", "sse2", 1);
    graze_checker *base;
    assert_int_equal(graze_checker_create(&base, s->robot, s->world, NULL, NULL), GRAZE_OK);
    unsetenv("GRAZE_ISA");
    static uint8_t one[ROWS], two[ROWS];
    graze_batch b = graze_batch_default();
    b.count = ROWS;
    b.q = s->q;
    b.base = s->base;
    b.verdicts = one;
    assert_int_equal(graze_check_batch(s->checker, &b, NULL), GRAZE_OK);
    b.verdicts = two;
    assert_int_equal(graze_check_batch(base, &b, NULL), GRAZE_OK);
    assert_memory_equal(one, two, ROWS);
    graze_checker_free(base);
    close_setup(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_answer_as_single_checks),
        cmocka_unit_test(test_rows_out_of_range_go_the_ordinary_way),
        cmocka_unit_test(test_error_bound_holds),
        cmocka_unit_test(test_every_instruction_set_filters_soundly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
