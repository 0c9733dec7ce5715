// Edges: every configuration is checked, early collisions are found early, and threads change
// nothing.
#include <time.h>

#include "plan/plan_internal.h"
#include "plan_fixture.h"

// A sphere of 0.1 m that slides along x.
static const char *const slider =
    "<robot name='slider'><link name='rail'/><link name='ball'><collision><geometry>"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='slide' type='prismatic'>"
    "<parent link='rail'/><child link='ball'/><axis xyz='1 0 0'/>"
    "<limit lower='-100' upper='100' effort='1' velocity='1'/></joint></robot>";

/// A little more than 0.25: so many steps of 0.25 are not one more by rounding.
#define QUARTER (0.25 * (1 + 1e-9))

typedef struct edge_fixture {
    fixture f;
    gz_plan_space space;
    gz_budget budget;
    gz_edges edges;
    graze_error error;
} edge_fixture;

static void begin(edge_fixture *e, uint32_t threads, double wall) {
    fixture_begin(&e->f, slider);
    fixture_box(&e->f, "wall", 0.01, 1, 1, wall, 0, 0);
    fixture_finish(&e->f);
    double zero = 0;
    graze_plan_options options = graze_plan_options_default();
    assert_int_equal(
        gz_plan_space_make(&e->space, e->f.checker, &zero, NULL, &zero, NULL, &options, &e->error),
        GRAZE_OK);
    e->budget = (gz_budget){.start = gz_monotonic_seconds(), .max_seconds = 100};
    assert_int_equal(
        gz_edges_make(&e->edges, e->f.checker, &e->space, threads, false, &e->budget, &e->error),
        GRAZE_OK);
}

static void end(edge_fixture *e) {
    gz_edges_free(&e->edges);
    gz_plan_space_free(&e->space);
    fixture_free(&e->f);
}

static void test_a_free_edge_is_looked_at_everywhere_once(void **context) {
    (void)context;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        edge_fixture e;
        begin(&e, threads, 20);
        double from = 0, to = 1.7;
        uint64_t before = 0;
        const struct {
            gz_edge_ends ends;
            uint64_t count;
        } cases[] = {{GZ_EDGE_NO_END, 169}, {GZ_EDGE_TO, 170}, {GZ_EDGE_FROM | GZ_EDGE_TO, 171}};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(gz_edge_check(&e.edges, &from, &to, cases[i].ends, 0.01),
                             GZ_EDGE_FREE);
            // 1.7 / 0.01 is 170 up to rounding, which may only add a step.
            uint64_t count = e.edges.configurations - before;
            assert_in_range(count, cases[i].count, cases[i].count + 1);
            before = e.edges.configurations;
        }
        assert_int_equal(e.edges.checked, 3);
        end(&e);
    }
}

/// The place of sample i among those that an edge of so many steps looks at, from 1: by van der
/// Corput's sequence, written down as fractions. The unit interval is halved again and again: round
/// r visits the odd multiples of 2^-r, in the order of the round before, those below a half first.
static uint64_t place_of(uint64_t sample, uint64_t steps) {
    uint64_t all = 1, place = 0;
    while (all < steps) all *= 2;
    uint64_t *order = calloc(all + 1, sizeof *order);
    assert_non_null(order);
    // order[] of all fractions k / all: the even ones in the order of half as many, then the odd.
    for (uint64_t width = 1; width < all; width *= 2)
        for (uint64_t k = 0; k < width; k++) order[width + k] = order[k] + all / width / 2;
    for (uint64_t k = 1; k < all; k++) {
        if (order[k] < steps) place++;
        if (order[k] == sample) break;
    }
    free(order);
    return place;
}

/// Each sample of an edge alone in the wall: the edge is blocked there, and has looked at as many
/// samples as come before. So an edge looks at all of 1 .. steps - 1, each once, and the last inner
/// one, too.
static void test_each_sample_of_an_edge_is_looked_at_in_its_place(void **context) {
    (void)context;
    static const uint64_t counts[] = {2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33, 64, 65, 100, 128};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        edge_fixture e;
        begin(&e, threads, 0);
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            uint64_t steps = counts[n];
            for (uint64_t i = 0; i <= steps; i += threads) {
                // The wall blocks 0.21 m about 0: nothing but sample i.
                double from = -0.25 * (double)i, to = from + 0.25 * (double)steps;
                uint64_t before = e.edges.configurations;
                gz_edge_verdict found = gz_edge_check(&e.edges, &from, &to, GZ_EDGE_NO_END,
                                                      QUARTER);
                uint64_t looked = e.edges.configurations - before;
                bool inner = i > 0 && i < steps;
                assert_int_equal(found, inner ? GZ_EDGE_BLOCKED : GZ_EDGE_FREE);
                assert_int_equal(looked, inner ? place_of(i, steps) : steps - 1);
            }
        }
        end(&e);
    }
}

/// The first points of an edge are an eighth of those between its ends, at least three; the rest
/// are all others.
static void test_first_points_and_the_rest_are_all_points(void **context) {
    (void)context;
    edge_fixture e;
    begin(&e, 1, 0);
    static const uint64_t counts[] = {1, 2, 4, 5, 20, 31, 32, 100};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        uint64_t steps = counts[n], first = steps / 8 > 3 ? steps / 8 : 3;
        if (first > steps - 1) first = steps - 1;
        for (uint64_t i = 0; i <= steps; i++) {
            double from = -0.25 * (double)i, to = from + 0.25 * (double)steps;
            uint64_t place = i > 0 && i < steps ? place_of(i, steps) : UINT64_MAX;
            uint64_t before = e.edges.configurations;
            bool early = place <= first, late = place > first && place != UINT64_MAX;
            assert_int_equal(
                gz_edge_check_points(&e.edges, &from, &to, GZ_EDGE_NO_END, QUARTER, GZ_EDGE_FIRST),
                early ? GZ_EDGE_BLOCKED : GZ_EDGE_FREE);
            assert_int_equal(e.edges.configurations - before, early ? place : first);
            before = e.edges.configurations;
            assert_int_equal(
                gz_edge_check_points(&e.edges, &from, &to, GZ_EDGE_NO_END, QUARTER, GZ_EDGE_REST),
                late ? GZ_EDGE_BLOCKED : GZ_EDGE_FREE);
            assert_int_equal(e.edges.configurations - before,
                             late ? place - first : steps - 1 - first);
        }
    }
    end(&e);
}

/// The ends count only where they are unknown, and come first: the end, then the start.
static void test_unknown_ends_are_looked_at_first(void **context) {
    (void)context;
    edge_fixture e;
    begin(&e, 1, 0);
    static const struct {
        gz_edge_ends ends;
        double from, to; ///< the wall is at 0
        gz_edge_verdict verdict;
        uint64_t looked; ///< of 8 steps
    } cases[] = {
        {GZ_EDGE_NO_END, 0, 2, GZ_EDGE_FREE, 7},
        {GZ_EDGE_NO_END, 2, 0, GZ_EDGE_FREE, 7},
        {GZ_EDGE_FROM, 0, 2, GZ_EDGE_BLOCKED, 1},
        {GZ_EDGE_FROM, 2, 0, GZ_EDGE_FREE, 8},
        {GZ_EDGE_TO, 0, 2, GZ_EDGE_FREE, 8},
        {GZ_EDGE_TO, 2, 0, GZ_EDGE_BLOCKED, 1},
        {GZ_EDGE_FROM | GZ_EDGE_TO, 0, 2, GZ_EDGE_BLOCKED, 2},
        {GZ_EDGE_FROM | GZ_EDGE_TO, 2, 0, GZ_EDGE_BLOCKED, 1},
        {GZ_EDGE_FROM | GZ_EDGE_TO, 1, 3, GZ_EDGE_FREE, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t before = e.edges.configurations;
        assert_int_equal(
            gz_edge_check(&e.edges, &cases[i].from, &cases[i].to, cases[i].ends, QUARTER),
            cases[i].verdict);
        assert_int_equal(e.edges.configurations - before, cases[i].looked);
    }
    end(&e);
}

/// As many steps as the resolution asks for and no more than one: neighbours are at most the
/// resolution apart, to the last ulp. A length that is a whole number of resolutions may get one
/// step more where a part of 10^12 decides, and does where it is within 9 tenths of that: distances
/// of many numbers are off by their rounding.
static void test_steps_stand_at_the_resolution(void **context) {
    (void)context;
    edge_fixture e;
    begin(&e, 1, 0);
    for (uint64_t k = 1; k <= 300; k++) {
        double resolution = 0x1p-6, exact = (double)k * resolution;
        double shorter = exact * (1 - 1.01e-12), longer = nextafter(exact, INFINITY);
        assert_int_equal(gz_plan_space_steps(&e.space, shorter, resolution), k);
        assert_int_equal(gz_plan_space_steps(&e.space, longer, resolution), k + 1);
        double near = exact * (1 - 0.9e-12);
        assert_int_equal(gz_plan_space_steps(&e.space, near, resolution), k + 1);
        uint64_t at = gz_plan_space_steps(&e.space, exact, resolution);
        assert_in_range(at, k, k + 1);
    }
    assert_int_equal(gz_plan_space_steps(&e.space, 0, 0x1p-6), 1);
    end(&e);
}

/// That many steps of the resolution are no less than the length, in exact numbers, where product
/// and quotient round down, too.
static void test_steps_are_as_long_as_the_edge(void **context) {
    (void)context;
    edge_fixture e;
    begin(&e, 1, 0);
    gz_random random = gz_random_make(5, 0);
    for (int i = 0; i < 20000; i++) {
        e.space.has_rotation = i % 2;
        const double factor = i % 2 ? 1.4142135623730952 : 1;
        double distance = gz_random_range(&random, 1, 2);
        double resolution = factor * distance / (double)(1 + gz_random_below(&random, 100));
        int ulps = (int)gz_random_below(&random, 5) - 2;
        for (; ulps != 0; ulps -= ulps > 0 ? 1 : -1)
            resolution = nextafter(resolution, ulps > 0 ? INFINITY : 0);
        uint64_t steps = gz_plan_space_steps(&e.space, distance, resolution);
        double way = factor * distance, rest = fma(factor, distance, -way);
        double all = (double)steps * resolution, more = fma((double)steps, resolution, -all);
        assert_true((all - way) + (more - rest) >= 0);
    }
    end(&e);
}

static void test_a_wall_is_found_wherever_it_stands(void **context) {
    (void)context;
    for (int i = 1; i < 40; i++) {
        edge_fixture e;
        begin(&e, (uint32_t)i % 3 + 1, 0.11 + i * 0.1);
        double from = 0, to = 4.5;
        // The wall blocks 0.21 m of the way; steps of 0.2 m must meet it.
        assert_int_equal(gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 0.2), GZ_EDGE_BLOCKED);
        end(&e);
    }
}

static void test_a_wall_in_the_middle_costs_few_checks_of_a_long_edge(void **context) {
    (void)context;
    edge_fixture e;
    begin(&e, 1, 4);
    double from = 0, to = 8;
    assert_int_equal(gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 0.001), GZ_EDGE_BLOCKED);
    assert_true(e.edges.configurations <= 3);
    end(&e);
}

static void test_threads_change_neither_verdict_nor_count(void **context) {
    (void)context;
    gz_random random = gz_random_make(2, 0);
    for (int i = 0; i < 20; i++) {
        double from = gz_random_range(&random, -5, 0), to = gz_random_range(&random, 0, 5);
        gz_edge_verdict verdict[3];
        uint64_t count[3];
        for (uint32_t k = 0; k < 3; k++) {
            edge_fixture e;
            begin(&e, k + 1, 2);
            verdict[k] = gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 0.02);
            count[k] = e.edges.configurations;
            end(&e);
        }
        assert_int_equal(verdict[0], to < 1.894 ? GZ_EDGE_FREE : verdict[1]);
        assert_true(verdict[0] == verdict[1] && verdict[1] == verdict[2]);
        assert_true(count[0] == count[1] && count[1] == count[2]);
    }
}

static void test_a_spent_budget_and_a_cancel_flag_stop_an_edge(void **context) {
    (void)context;
    edge_fixture e;
    begin(&e, 1, 20);
    double from = 0, to = 8;
    e.budget.max_seconds = 0;
    assert_int_equal(gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 1e-6), GZ_EDGE_STOPPED);
    assert_true(e.budget.spent && !e.budget.cancelled && e.edges.configurations < 100);
    volatile int cancel = 1;
    e.budget = (gz_budget){.start = gz_monotonic_seconds(), .max_seconds = 100, .cancel = &cancel};
    assert_int_equal(gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 1e-6), GZ_EDGE_STOPPED);
    assert_true(e.budget.cancelled && !e.budget.spent);
    e.budget = (gz_budget){.start = 0, .max_seconds = 0, .unlimited = true};
    assert_int_equal(gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 0.01), GZ_EDGE_FREE);
    end(&e);
}

static void test_an_error_of_a_check_is_not_a_verdict(void **context) {
    (void)context;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        edge_fixture e;
        begin(&e, threads, 20);
        double from = 0, to = NAN;
        assert_int_equal(gz_edge_check(&e.edges, &from, &to, GZ_EDGE_TO, 0.01), GZ_EDGE_FAILED);
        assert_int_equal(e.edges.status, GRAZE_ERROR_RANGE);
        assert_int_equal(e.error.status, GRAZE_ERROR_RANGE);
        end(&e);
    }
}

static void test_an_error_behind_a_collision_depends_on_no_thread(void **context) {
    (void)context;
    // Outside the domain of 100 m a check with a margin fails; the wall comes first in the order.
    static const char far[] = "<robot name='far'><link name='rail'/><link name='ball'><collision>"
                              "<geometry><sphere radius='0.1'/></geometry></collision></link>"
                              "<joint name='slide' type='prismatic'><parent link='rail'/>"
                              "<child link='ball'/><axis xyz='1 0 0'/><limit lower='-200' "
                              "upper='200' effort='1' velocity='1'/></joint></robot>";
    for (int wall = 1; wall >= 0; wall--) {
        graze_error error[2];
        gz_edge_verdict verdict[2];
        uint64_t count[2];
        for (uint32_t threads = 1; threads <= 2; threads++) {
            edge_fixture e = {0};
            fixture_begin(&e.f, far);
            if (wall) fixture_box(&e.f, "wall", 1, 1, 1, 75, 0, 0);
            assert_int_equal(graze_world_commit(e.f.world, NULL), GRAZE_OK);
            graze_checker_options rules = graze_checker_options_default();
            rules.margin = 0.01;
            assert_int_equal(graze_checker_create(&e.f.checker, e.f.robot, e.f.world, &rules, NULL),
                             GRAZE_OK);
            double from = 0, to = 150, zero = 0;
            graze_plan_options options = graze_plan_options_default();
            assert_int_equal(
                gz_plan_space_make(&e.space, e.f.checker, &zero, NULL, &zero, NULL, &options, NULL),
                GRAZE_OK);
            e.budget = (gz_budget){.start = gz_monotonic_seconds(), .max_seconds = 100};
            assert_int_equal(
                gz_edges_make(&e.edges, e.f.checker, &e.space, threads, false, &e.budget, &e.error),
                GRAZE_OK);
            verdict[threads - 1] = gz_edge_check(&e.edges, &from, &to, GZ_EDGE_NO_END, 0.5875);
            count[threads - 1] = e.edges.configurations;
            error[threads - 1] = e.error;
            end(&e);
        }
        // 256 steps: the middle is checked first, then what is beyond the domain.
        assert_int_equal(verdict[0], wall ? GZ_EDGE_BLOCKED : GZ_EDGE_FAILED);
        assert_int_equal(verdict[1], verdict[0]);
        assert_int_equal(count[1], count[0]);
        assert_string_equal(error[1].message, error[0].message);
        assert_string_equal(error[1].element, error[0].element);
    }
}

/// Seconds of the monotonic clock, between two readings of it.
static void test_seconds_are_those_of_the_clock(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct timespec first, last;
        clock_gettime(CLOCK_MONOTONIC, &first);
        double now = gz_monotonic_seconds();
        clock_gettime(CLOCK_MONOTONIC, &last);
        assert_true(now >= (double)first.tv_sec + 1e-9 * (double)first.tv_nsec);
        assert_true(now <= (double)last.tv_sec + 1e-9 * (double)last.tv_nsec);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seconds_are_those_of_the_clock),
        cmocka_unit_test(test_a_free_edge_is_looked_at_everywhere_once),
        cmocka_unit_test(test_each_sample_of_an_edge_is_looked_at_in_its_place),
        cmocka_unit_test(test_first_points_and_the_rest_are_all_points),
        cmocka_unit_test(test_unknown_ends_are_looked_at_first),
        cmocka_unit_test(test_steps_stand_at_the_resolution),
        cmocka_unit_test(test_steps_are_as_long_as_the_edge),
        cmocka_unit_test(test_a_wall_is_found_wherever_it_stands),
        cmocka_unit_test(test_a_wall_in_the_middle_costs_few_checks_of_a_long_edge),
        cmocka_unit_test(test_threads_change_neither_verdict_nor_count),
        cmocka_unit_test(test_a_spent_budget_and_a_cancel_flag_stop_an_edge),
        cmocka_unit_test(test_an_error_of_a_check_is_not_a_verdict),
        cmocka_unit_test(test_an_error_behind_a_collision_depends_on_no_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
