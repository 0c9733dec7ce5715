// A goal from which one narrow way leads: a hand between shelves, of MotionBenchMaker's problems
// (GRAZE_TEST_DATA). Its tree stays small, while the other one fills all of its space. Before
// enclosed trees grew from any of their nodes, ten seeds took up to 644,748 iterations.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/plan.h"
#include "graze/problems.h"
#include "unit/trials.h"

typedef struct arm {
    graze_robot *robot;
    graze_problems *problems;
    graze_checker *checker;
    graze_problem problem; ///< the one that is named
} arm;

static void load_arm(arm *a, const char *data, const char *name) {
    graze_error error;
    char path[1000], srdf[1000];
    snprintf(path, sizeof path, "%s/robots/panda_mbm/panda.urdf", data);
    snprintf(srdf, sizeof srdf, "%s/robots/panda_mbm/panda.srdf", data);
    graze_load_options load = graze_load_options_default();
    load.srdf = srdf;
    if (graze_robot_load_urdf(&a->robot, path, &load, &error)) fail_msg("%s", error.message);
    snprintf(path, sizeof path, "%s/mbm/panda.json", data);
    if (graze_problems_load(&a->problems, a->robot, path, NULL, &error))
        fail_msg("%s", error.message);
    size_t count = graze_problems_count(a->problems), i = 0;
    while (i < count && graze_problems_get(a->problems, i, &a->problem) == GRAZE_OK &&
           strcmp(a->problem.name, name) != 0)
        i++;
    assert_true(i < count);
    if (graze_checker_create(&a->checker, a->robot, a->problem.world, NULL, &error))
        fail_msg("%s", error.message);
}

static void free_arm(arm *a) {
    graze_checker_free(a->checker);
    graze_problems_free(a->problems);
    graze_robot_free(a->robot);
}

static void an_enclosed_tree_gets_out(void **state) {
    (void)state;
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("GRAZE_TEST_DATA is not set\n");
        skip();
    }
    arm a = {0};
    load_arm(&a, data, "bookshelf_thin/89");
    for (uint64_t seed = 10; seed > TRIALS(0, 8); seed--) {
        graze_plan_options options = graze_plan_options_default();
        graze_plan_result result;
        graze_error error;
        options.columns = a.problem.columns;
        options.column_count = a.problem.column_count;
        options.seed = seed;
        options.max_seconds = 1000;
        options.max_iterations = 400000;
        options.shortcut_rounds = options.recheck = options.certify = 0;
        if (graze_plan(a.checker, a.problem.start, NULL, a.problem.goals, NULL, &options, &result,
                       &error))
            fail_msg("%s", error.message);
        assert_int_equal(result.outcome, GRAZE_PLAN_FOUND);
        graze_path_free(result.path);
    }
    free_arm(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_enclosed_tree_gets_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
