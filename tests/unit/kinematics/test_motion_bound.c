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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_chain_is_bounded_step_by_step_and_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
