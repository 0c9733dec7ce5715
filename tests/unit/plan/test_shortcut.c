// Shortening: never longer, never blocked, ends kept.
#include "base/memory.h"
#include "plan/plan_internal.h"
#include "plan_fixture.h"

// A sphere of 0.1 m that moves in the plane.
static const char *const puck =
    "<robot name='puck'><link name='table'/><link name='ball'><collision><geometry>"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='move' type='planar'>"
    "<parent link='table'/><child link='ball'/><axis xyz='0 0 1'/></joint></robot>";

typedef struct bench {
    fixture f;
    gz_plan_space space;
    gz_budget budget;
    gz_edges edges;
    gz_state_list path;
} bench;

static void begin(bench *b, bool pillar) {
    fixture_begin(&b->f, puck);
    if (pillar) fixture_box(&b->f, "pillar", 2, 2, 1, 0, 0, 0);
    fixture_finish(&b->f);
    assert_int_equal(b->f.n, 3);
    double zero[3] = {0, 0, 0};
    graze_plan_options options = graze_plan_options_default();
    assert_int_equal(
        gz_plan_space_make(&b->space, b->f.checker, zero, NULL, zero, NULL, &options, NULL),
        GRAZE_OK);
    b->budget = (gz_budget){.start = gz_monotonic_seconds(), .max_seconds = 100};
    assert_int_equal(gz_edges_make(&b->edges, b->f.checker, &b->space, 1, false, &b->budget, NULL),
                     GRAZE_OK);
    b->path = gz_state_list_make(3);
}

static void end(bench *b) {
    gz_state_list_free(&b->path);
    gz_edges_free(&b->edges);
    gz_plan_space_free(&b->space);
    fixture_free(&b->f);
}

static void add(bench *b, double x, double y, double yaw) {
    double state[3] = {x, y, yaw};
    assert_true(gz_state_list_add(&b->path, state));
}

/// A wobbly way around the pillar, always more than the puck's radius from it.
static void add_detour(bench *b, uint64_t seed) {
    gz_random random = gz_random_make(seed, 0);
    for (int i = 0; i <= 60; i++) {
        double angle = GZ_PI * i / 60, r = 1.75 + gz_random_range(&random, 0, 1.5);
        add(b, -r * cos(angle), r * sin(angle), gz_random_range(&random, -3, 3));
    }
}

static double own_length(const gz_state_list *path) {
    double sum = 0;
    for (size_t i = 1; i < path->count; i++) {
        const double *a = path->values + 3 * (i - 1), *b = a + 3;
        sum += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                    turn(a[2], b[2]) * turn(a[2], b[2]));
    }
    return sum;
}

static void test_a_zigzag_in_the_open_becomes_straight(void **context) {
    (void)context;
    bench b;
    begin(&b, false);
    for (int i = 0; i <= 20; i++) add(&b, i, i % 2, i % 3);
    gz_random random = gz_random_make(1, 0);
    assert_int_equal(gz_path_shorten(&b.edges, &b.path, 10, 0.05, &random), GRAZE_OK);
    assert_int_equal(b.path.count, 2);
    double first[3] = {0, 0, 0}, last[3] = {20, 0, 2};
    assert_memory_equal(gz_state_list_at(&b.path, 0), first, sizeof first);
    assert_memory_equal(gz_state_list_at(&b.path, 1), last, sizeof last);
    end(&b);
}

static void test_a_path_never_grows_and_stays_free(void **context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        bench b;
        begin(&b, true);
        add_detour(&b, seed);
        double first[3], last[3], before = own_length(&b.path);
        memcpy(first, gz_state_list_at(&b.path, 0), sizeof first);
        memcpy(last, gz_state_list_at(&b.path, b.path.count - 1), sizeof last);
        assert_true(fabs(gz_path_length(&b.space, &b.path) - before) < 1e-9);
        double length = before;
        for (uint32_t rounds = 1; rounds <= 64; rounds *= 4) {
            gz_random random = gz_random_make(seed, rounds);
            assert_int_equal(gz_path_shorten(&b.edges, &b.path, rounds, 0.01, &random), GRAZE_OK);
            double now = own_length(&b.path);
            assert_true(now <= length * (1 + 1e-12));
            length = now;
        }
        // The straight way is through the pillar; around it is at least 2 * 1.1 high and back.
        assert_true(length < 0.7 * before && length > 4.4);
        assert_memory_equal(gz_state_list_at(&b.path, 0), first, sizeof first);
        assert_memory_equal(gz_state_list_at(&b.path, b.path.count - 1), last, sizeof last);
        for (size_t i = 1; i < b.path.count; i++) {
            const double *p = gz_state_list_at(&b.path, i - 1), *q = p + 3;
            for (int k = 0; k <= 1000; k++) {
                double x = p[0] + (q[0] - p[0]) * k / 1000, y = p[1] + (q[1] - p[1]) * k / 1000;
                double out = hypot(fmax(fabs(x) - 1, 0), fmax(fabs(y) - 1, 0));
                assert_true(out > 0.1 - 0.01); // the resolution
            }
        }
        end(&b);
    }
}

/// The pillar is in the way of x and y alone.
static void test_an_axis_that_nothing_blocks_goes_straight(void **context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        bench b;
        begin(&b, true);
        add_detour(&b, seed);
        gz_random random = gz_random_make(seed, 1);
        assert_int_equal(gz_path_shorten(&b.edges, &b.path, 800, 0.05, &random), GRAZE_OK);
        double turned = 0;
        for (size_t i = 1; i < b.path.count; i++)
            turned += fabs(turn(b.path.values[3 * i - 1], b.path.values[3 * i + 2]));
        double least = fabs(turn(b.path.values[2], b.path.values[3 * b.path.count - 1]));
        assert_true(turned < least + 0.3);
        end(&b);
    }
}

static void test_a_spent_budget_leaves_a_valid_path(void **context) {
    (void)context;
    bench b;
    begin(&b, true);
    add_detour(&b, 3);
    double before = own_length(&b.path);
    b.budget.max_seconds = 0;
    gz_random random = gz_random_make(1, 0);
    assert_int_equal(gz_path_shorten(&b.edges, &b.path, 100, 0.01, &random), GRAZE_OK);
    assert_true(b.path.count >= 2 && own_length(&b.path) <= before);
    end(&b);
}

static void test_shortening_survives_every_failing_allocation(void **context) {
    (void)context;
#ifdef GRAZE_FAULTS
    for (long n = 1;; n++) {
        bench b;
        begin(&b, true);
        add_detour(&b, 4);
        gz_random random = gz_random_make(1, 0);
        gz_memory_fail_after(n, true);
        graze_error error;
        b.edges.error = &error;
        graze_status status = gz_path_shorten(&b.edges, &b.path, 20, 0.05, &random);
        gz_memory_fail_after(0, false);
        end(&b);
        if (status == GRAZE_OK) break;
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_int_equal(error.status, GRAZE_ERROR_NO_MEMORY);
    }
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_zigzag_in_the_open_becomes_straight),
        cmocka_unit_test(test_a_path_never_grows_and_stays_free),
        cmocka_unit_test(test_an_axis_that_nothing_blocks_goes_straight),
        cmocka_unit_test(test_a_spent_budget_leaves_a_valid_path),
        cmocka_unit_test(test_shortening_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
