// How much a distance can change along a chain of joints: worked out by hand, and in time that
// grows with the chain alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "kinematics/motion_bound.h"

enum { JOINTS = 1500 };

/// A straight chain of balls, a hundredth apart, all of whose joints turn about z and follow the
/// first two.
static graze_robot *load_chain(void) {
    size_t size = 400 * (JOINTS + 1), n = 0;
    char *text = malloc(size);
    assert_non_null(text);
    n += (size_t)snprintf(text, size, "<robot name='chain'>");
    for (int i = 0; i <= JOINTS; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "<link name='l%d'><collision><geometry><sphere radius='0.001'/>"
                              "</geometry></collision></link>",
                              i);
    for (int i = 1; i <= JOINTS; i++) {
        n += (size_t)snprintf(text + n, size - n,
                              "<joint name='j%d' type='continuous'><parent link='l%d'/><child "
                              "link='l%d'/><origin xyz='0.01 0 0'/><axis xyz='0 0 1'/>",
                              i, i - 1, i);
        if (i > 2) n += (size_t)snprintf(text + n, size - n, "<mimic joint='j%d'/>", 1 + i % 2);
        n += (size_t)snprintf(text + n, size - n, "</joint>");
    }
    n += (size_t)snprintf(text + n, size - n, "</robot>");
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, n, "chain", NULL, NULL, &error))
        fail_msg("%s", error.message);
    free(text);
    return robot;
}

static void test_a_long_chain_is_bounded_step_by_step_and_soon(void **state) {
    (void)state;
    graze_robot *robot = load_chain();
    const double low[2] = {-3, -3}, high[2] = {3, 3};
    gz_motion_model motion;
    assert_int_equal(gz_motion_model_make(&motion, robot, low, high, NULL), GRAZE_OK);
    const double half[2] = {1e-3, 1e-3};
    double alone = 0, first = 0, turned = 0;
    for (int i = 1; i <= JOINTS; i++) {
        // The last ball from an axis, and the first one from it, each with its radius.
        double down = 0.01 * (JOINTS - i) + 0.001, up = 0.01 * i + 0.001;
        alone += half[0] * down;
        first += half[0] * fmin(down, up);
    }
    clock_t begin = clock();
    for (int k = 0; k < 1000; k++) {
        double world = gz_motion_bound(&motion, -1, JOINTS, half, &turned);
        double pair = gz_motion_bound(&motion, 0, JOINTS, half, &turned);
        assert_true(world >= alone * (1 - 1e-9) && world < alone * (1 + 1e-8));
        assert_true(pair >= first * (1 - 1e-9) && pair < first * (1 + 1e-8));
        assert_true(fabs(turned - half[0] * JOINTS) < 1e-8);
        double back = gz_motion_bound(&motion, JOINTS, 0, half, NULL);
        assert_true(fabs(back - pair) < 1e-8 * pair);
    }
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 3);
    gz_motion_model_free(&motion);
    graze_robot_free(robot);
}

/// A joint that turns, and one of several columns behind it. Where one of these may be 5 m away,
/// what turns moves a ball there by at least what it turns, times its distance from the axis: (1,
/// 1, 1), so that every column counts.
static void test_each_column_that_slides_lengthens_what_turns(void **state) {
    (void)state;
    static const char *types[2] = {"planar", "floating"};
    for (int type = 0; type < 2; type++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<robot name='r'><link name='a'/><link name='b'/><link name='c'><collision><geometry>"
            "<sphere radius='0.001'/></geometry></collision></link>"
            "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='1 1 1'/></joint>"
            "<joint name='k' type='%s'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/></joint></robot>",
            types[type]);
        graze_robot *robot;
        graze_error error;
        if (graze_robot_load_urdf_memory(&robot, text, strlen(text), "r", NULL, NULL, &error))
            fail_msg("%s", error.message);
        for (int slides = type ? 3 : 2, k = 1; k <= slides; k++) {
            double low[8] = {-1}, high[8] = {1}, half[8] = {1e-3};
            for (int i = 1 + slides; i < 8; i++) low[i] = -1, high[i] = 1;
            low[k] = -5;
            gz_motion_model motion;
            assert_int_equal(gz_motion_model_make(&motion, robot, low, high, NULL), GRAZE_OK);
            double bound = gz_motion_bound(&motion, -1, 2, half, NULL), least = 5 * sqrt(2 / 3.0);
            assert_true(bound >= half[0] * least && bound < half[0] * 5.01);
            gz_motion_model_free(&motion);
        }
        graze_robot_free(robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_chain_is_bounded_step_by_step_and_soon),
        cmocka_unit_test(test_each_column_that_slides_lengthens_what_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
