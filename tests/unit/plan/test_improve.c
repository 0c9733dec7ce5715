// Shorter paths: improve_iterations of graze_plan(), on the real engine. The least lengths are
// those of a disk in the plane about the corners of boxes, which geometry gives.
#include "plan_fixture.h"
#include "unit/trials.h"

#define RADIUS 0.1

// A sphere that moves in the plane, and does not turn.
#define PUCK                                                                                        \
    "<robot name='puck'><link name='table'/><link name='car'/><link name='ball'><collision>"        \
    "<geometry><sphere radius='0.1'/></geometry></collision></link>"                                \
    "<joint name='x' type='prismatic'><parent link='table'/><child link='car'/><axis xyz='1 0 0'/>" \
    "<limit lower='-2' upper='2' effort='1' velocity='1'/></joint>"                                 \
    "<joint name='y' type='prismatic'><parent link='car'/><child link='ball'/><axis xyz='0 1 0'/>"  \
    "<limit lower='-2' upper='2' effort='1' velocity='1'/></joint></robot>"

// A plank that flies.
#define DRONE                                                                                      \
    "<robot name='drone'><link name='world'/><link name='plank'><collision><geometry>"             \
    "<box size='0.4 0.1 0.1'/></geometry></collision></link><joint name='fly' type='floating'>"    \
    "<parent link='world'/><child link='plank'/></joint></robot>"

static const double start[2] = {-1, -0.5}, goal[2] = {1, -0.5};

/// A wall at x = 0 from y = -1.2 to 0.2: a way over it, and a longer one under it.
static void make_wall(fixture *f) {
    fixture_begin(f, PUCK);
    fixture_box(f, "wall", 0.1, 1.4, 1, 0, -0.5 * (1.2 - 0.2), 0);
    fixture_finish(f);
}

/// The way over the wall's upper corners at x = -+0.05, y = `top`, which the disk touches: two
/// tangents, two arcs, and the wall's thickness.
static double over(double top) {
    double x = 1 - 0.05, y = top + 0.5, away = hypot(x, y);
    double tangent = sqrt(away * away - RADIUS * RADIUS);
    double turn = atan2(y, x) + asin(RADIUS / away);
    return 2 * (tangent + RADIUS * turn) + 0.1;
}

static graze_plan_result plan_with(const fixture *f, const graze_plan_options *options) {
    return plan_and_recheck(f, start, NULL, goal, NULL, options);
}

static void test_lengths_tend_to_the_least(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    const double least = over(0.2);
    int improved = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)TRIALS(12, 3); seed++) {
        graze_plan_options options = graze_plan_options_default();
        options.seed = seed;
        options.shortcut_rounds = 20;
        graze_plan_result first = plan_with(&f, &options);
        options.improve_iterations = 20000;
        graze_plan_result r = plan_with(&f, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_true(r.certified && r.length_first == first.length);
        assert_int_equal(r.improve_iterations, 20000);
        if (!(r.length >= least && r.length <= 1.01 * least))
            fail_msg("seed %d: %.6f, the least is %.6f", (int)seed, r.length, least);
        improved += first.length > 1.01 * least && r.improvements > 0;
        graze_path_free(first.path);
        graze_path_free(r.path);
    }
    assert_true(improved > 0);
    fixture_free(&f);
}

static void test_a_good_length_ends_the_search(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    graze_plan_options options = graze_plan_options_default();
    options.improve_iterations = UINT64_MAX;
    options.max_seconds = INFINITY;
    options.good_length = 1.01 * over(0.2);
    for (options.seed = 1; options.seed <= 5; options.seed++) {
        graze_plan_result r = plan_with(&f, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_true(r.length <= options.good_length * (1 + 1e-6));
        graze_path_free(r.path);
    }
    // Of two configurations that see each other there is nothing to improve.
    const double near[2] = {-1, 1};
    options.good_length = 0;
    graze_plan_result r = plan_and_recheck(&f, start, NULL, near, NULL, &options);
    assert_int_equal(r.improve_iterations, 0);
    assert_true(fabs(r.length - 1.5) < 1e-12);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void test_the_time_ends_the_search_with_a_path(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    graze_plan_options options = graze_plan_options_default();
    options.improve_iterations = UINT64_MAX;
    options.max_seconds = 1;
    graze_plan_result r = plan_with(&f, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    assert_true(r.certified && r.improve_iterations > 0);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    graze_plan_options options = graze_plan_options_default();
    options.improve_iterations = 2000;
    graze_plan_result r[2];
    for (uint32_t k = 0; k < 2; k++) {
        options.threads = 1 + 2 * k;
        r[k] = plan_with(&f, &options);
    }
    assert_true(r[0].length == r[1].length && r[0].improvements == r[1].improvements);
    assert_int_equal(r[0].configurations_checked, r[1].configurations_checked);
    assert_int_equal(graze_path_count(r[0].path), graze_path_count(r[1].path));
    for (size_t i = 0; i < graze_path_count(r[0].path); i++)
        assert_memory_equal(graze_path_q(r[0].path, i), graze_path_q(r[1].path, i), sizeof start);
    for (int k = 0; k < 2; k++) graze_path_free(r[k].path);
    fixture_free(&f);
}

/// Rotations have no spheroid of samples.
static void test_a_plank_flies_a_shorter_way(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, DRONE);
    fixture_box(&f, "wall", 0.1, 2, 4, 0, 0, 0);
    fixture_finish(&f);
    const double here[7] = {-1, -0.5, 0, 0, 0, 0, 1}, there[7] = {1, -0.5, 0, 0, 0, 0, 1};
    graze_plan_options options = graze_plan_options_default();
    options.shortcut_rounds = 10;
    double before = 0, after = 0;
    for (options.seed = 1; options.seed <= 5; options.seed++) {
        options.improve_iterations = 20000;
        graze_plan_result r = plan_and_recheck(&f, here, NULL, there, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        before += r.length_first;
        after += r.length;
        graze_path_free(r.path);
    }
    assert_true(after < before);
    fixture_free(&f);
}

static void test_a_good_length_that_is_none_is_refused(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    const double bad[2] = {-1, NAN};
    for (int k = 0; k < 2; k++) {
        graze_plan_options options = graze_plan_options_default();
        graze_plan_result r;
        graze_error error;
        options.good_length = bad[k];
        assert_int_equal(graze_plan(f.checker, start, NULL, goal, NULL, &options, &r, &error),
                         GRAZE_ERROR_RANGE);
        assert_non_null(strstr(error.message, "good_length"));
    }
    fixture_free(&f);
}

static void test_improvement_survives_every_failing_allocation(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    fixture f;
    make_wall(&f);
    graze_plan_options options = graze_plan_options_default();
    options.shortcut_rounds = 2;
    options.improve_iterations = 40;
    fixture_fail_allocations(&f, start, goal, &options);
    fixture_free(&f);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_tend_to_the_least),
        cmocka_unit_test(test_a_good_length_ends_the_search),
        cmocka_unit_test(test_the_time_ends_the_search_with_a_path),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_a_plank_flies_a_shorter_way),
        cmocka_unit_test(test_a_good_length_that_is_none_is_refused),
        cmocka_unit_test(test_improvement_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
