// KinEval's last exercise: from a random free configuration to the rest configuration at the
// world's origin, with the shipped mobile manipulator. GRAZE_LONG=1 in the environment runs a
// hundred seeds per world and prints a table.
#include "plan_fixture.h"

static const char *const worlds[] = {"kineval_empty",        "kineval_basic", "kineval_barrier",
                                     "kineval_local_minima", "kineval_s",     "kineval_random"};
enum { WORLDS = sizeof worlds / sizeof worlds[0], LONG_SEEDS = 100, SHORT_SEEDS = 1 };

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// A seed of a world; the seconds that it took, or infinity where no path was found, and those to
/// the first path.
static double solve(const fixture *f, uint64_t seed, double *first) {
    double start[64], goal[64], base[6];
    graze_error error;
    assert_in_range(f->n, 1, 64);
    if (graze_plan_kineval_start(f->checker, seed, start, base, &error) != GRAZE_OK)
        fail_msg("start: %s", error.message);
    graze_robot_rest(f->robot, goal);
    graze_plan_options options = graze_plan_options_default();
    options.planar_base = 1;
    options.seed = seed;
    options.max_seconds = 60;
    graze_plan_result r = plan_and_recheck(f, start, base, goal, NULL, &options);
    graze_path_free(r.path);
    *first = r.first_seconds;
    return r.outcome == GRAZE_PLAN_FOUND ? r.seconds : HUGE_VAL;
}

static void test_every_world_of_kineval_is_solved(void **context) {
    (void)context;
    const char *long_mode = getenv("GRAZE_LONG"), *only = getenv("GRAZE_KINEVAL_WORLD");
    bool is_long = long_mode && *long_mode && strcmp(long_mode, "0") != 0;
    int seeds = is_long ? LONG_SEEDS : SHORT_SEEDS;
    for (int w = 0; w < WORLDS; w++) {
        if (only && strcmp(only, worlds[w]) != 0) continue;
        fixture f;
        fixture_load(&f, "heron", worlds[w]);
        double seconds[LONG_SEEDS], first[LONG_SEEDS];
        int solved = 0, within = 0;
        for (int i = 0; i < seeds; i++) {
            seconds[i] = solve(&f, (uint64_t)i + 1, &first[i]);
            solved += isfinite(seconds[i]);
            within += seconds[i] <= 10;
        }
        qsort(seconds, (size_t)seeds, sizeof *seconds, compare_doubles);
        qsort(first, (size_t)seeds, sizeof *first, compare_doubles);
        printf(
            "%-22s solved %3d of %3d, within 10 s %3d; median to the first path %6.2f ms, in all "
            "%6.2f, at most %6.2f\n",
            worlds[w], solved, seeds, within, 1e3 * first[seeds / 2], 1e3 * seconds[seeds / 2],
            1e3 * seconds[seeds - 1]);
        fflush(stdout);
        assert_int_equal(solved, seeds);
        fixture_free(&f);
    }
}

static void test_starts_are_free_inside_and_repeatable(void **context) {
    (void)context;
    fixture f;
    fixture_load(&f, "heron", "kineval_basic");
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, f.checker, NULL), GRAZE_OK);
    double low[3], high[3], last_x = 1e9;
    assert_true(graze_world_boundary(f.world, low, high));
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double q[64], base[6], again[64], base_again[6];
        assert_int_equal(graze_plan_kineval_start(f.checker, seed, q, base, NULL), GRAZE_OK);
        assert_int_equal(graze_plan_kineval_start(f.checker, seed, again, base_again, NULL),
                         GRAZE_OK);
        assert_memory_equal(q, again, f.n * sizeof *q);
        assert_memory_equal(base, base_again, sizeof base);
        assert_true(base[0] != last_x);
        last_x = base[0];
        assert_true(base[0] >= low[0] && base[0] <= high[0] && base[1] >= low[1] &&
                    base[1] <= high[1]);
        assert_true(base[2] == 0 && base[3] == 0 && base[4] == 0 && fabs(base[5]) <= M_PI);
        int32_t violated;
        graze_report report = {.violated = &violated, .violated_capacity = 1};
        assert_int_equal(
            graze_check(f.checker, workspace, GRAZE_ANSWER_ANY, q, f.n, base, &report, NULL),
            GRAZE_OK);
        assert_int_equal(report.verdict, GRAZE_FREE);
        assert_int_equal(report.violated_count, 0);
    }
    graze_workspace_free(workspace);
    fixture_free(&f);
}

/// A block on wheels, alone on a floor of 10 m x 10 m.
static void make_floor(fixture *f, bool pen, bool blocked) {
    fixture_begin(f, "<robot name='block'><link name='base'><collision><origin xyz='0 0 0.5'/>"
                     "<geometry><box size='0.5 0.5 0.5'/></geometry></collision></link></robot>");
    if (pen) { // the right half is shut off
        fixture_box(f, "fence", 0.05, 12, 1, 1, 0, 0.5);
    }
    if (blocked) fixture_box(f, "rock", 0.3, 0.3, 1, 0.2, 0, 0.5);
    const double low[3] = {-5, -5, 0}, high[3] = {5, 5, 3};
    assert_int_equal(graze_world_set_boundary(f->world, low, high, NULL), GRAZE_OK);
    fixture_finish(f);
}

static void test_starts_are_never_drawn_from_a_closed_pen(void **context) {
    (void)context;
    fixture f;
    make_floor(&f, true, false);
    double farthest = -5;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        double base[6];
        assert_int_equal(graze_plan_kineval_start(f.checker, seed, NULL, base, NULL), GRAZE_OK);
        assert_true(base[0] < 1);
        farthest = fmax(farthest, base[0]);
    }
    assert_true(farthest > 0); // and everywhere else they are
    fixture_free(&f);
}

static void test_a_world_without_a_fair_question_is_an_error(void **context) {
    (void)context;
    graze_error error;
    double q[64], base[6];
    fixture f;
    make_floor(&f, false, true);
    assert_int_equal(graze_plan_kineval_start(f.checker, 1, q, base, &error), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(error.message, "goal"));
    fixture_free(&f);
    fixture_load(&f, "two_link", NULL);
    assert_int_equal(graze_plan_kineval_start(f.checker, 1, q, base, &error), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "boundary"));
    assert_int_equal(graze_plan_kineval_start(f.checker, 1, NULL, base, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_plan_kineval_start(NULL, 1, q, base, &error), GRAZE_ERROR_ARGUMENT);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_world_of_kineval_is_solved),
        cmocka_unit_test(test_starts_are_free_inside_and_repeatable),
        cmocka_unit_test(test_starts_are_never_drawn_from_a_closed_pen),
        cmocka_unit_test(test_a_world_without_a_fair_question_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
