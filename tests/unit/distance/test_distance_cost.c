// What a distance costs where many pairs of triangles are about as near.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

/// The Fetch of the test data; NULL without them.
static graze_robot *load_fetch(void) {
    const char *data = getenv("GRAZE_TEST_DATA");
    char urdf[4096], srdf[4096], packages[4096];
    graze_error error;
    graze_robot *robot;
    if (!data) return NULL;
    snprintf(urdf, sizeof urdf, "%s/robots/fetch_description/robots/fetch.urdf", data);
    snprintf(srdf, sizeof srdf, "%s/verdicts/fetch_75.srdf", data);
    snprintf(packages, sizeof packages, "%s/robots", data);
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.package_path = packages;
    if (graze_robot_load_urdf(&robot, urdf, &options, &error)) fail_msg("%s", error.message);
    return robot;
}

/// The flat end of the upper arm faces the torso, whose surface lies 0.1 mm behind that of its
/// hull. What the search between the hulls found was forgotten once it had been evaluated, and all
/// 8 million pairs of triangles of both links were evaluated in turn.
static void what_was_found_between_hulls_is_not_forgotten(void **state) {
    (void)state;
    static const struct {
        const char *joint;
        double value;
    } at[] = {
        {"torso_lift_joint", 0.13785998679530784},   {"shoulder_pan_joint", 0.6578567862088822},
        {"shoulder_lift_joint", 1.3651889933226664}, {"upperarm_roll_joint", -0.7377727541240722},
        {"elbow_flex_joint", -1.4726828428623218},   {"forearm_roll_joint", 0.96903436426484},
        {"wrist_flex_joint", -0.816539925985222},    {"wrist_roll_joint", 0.5505909235939235}};
    graze_robot *robot = load_fetch();
    if (!robot) {
        print_message("skipped: GRAZE_TEST_DATA is not set\n");
        skip();
    }
    graze_checker *checker;
    graze_distance_workspace *workspace;
    size_t n = graze_robot_q_size(robot);
    double *q = calloc(n, sizeof *q);
    assert_non_null(q);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (size_t k = 0; k < n; k++)
            if (!strcmp(graze_robot_q_name(robot, k), at[i].joint)) q[k] = at[i].value;
    assert_int_equal(graze_checker_create(&checker, robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_distance_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    graze_proximity pair;
    graze_distance_report report = {.pairs = &pair, .capacity = 1};
    assert_int_equal(graze_distance(checker, workspace, q, n, NULL, NULL, &report, NULL), GRAZE_OK);
    assert_string_equal(graze_robot_link_name(robot, pair.link), "torso_lift_link");
    assert_string_equal(graze_robot_link_name(robot, pair.other), "upperarm_roll_link");
    assert_true(pair.distance.upper > 0.04903 && pair.distance.upper < 0.04904);
    assert_true(report.stats.triangle_tests < 10000);
    assert_true(report.stats.packet_tests < 10000);
    free(q);
    graze_distance_workspace_free(workspace);
    graze_checker_free(checker);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_found_between_hulls_is_not_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
