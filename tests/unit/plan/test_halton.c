// Samples by the Halton sequence: its numbers against exact fractions whose digits Faure's
// published permutations give, how evenly they lie against random ones, and plans that follow it.
#include "base/random.h"
#include "plan/plan_internal.h"
#include "plan_fixture.h"
#include "unit/trials.h"

enum { AXES = 12, POINTS = 500 };

// A sphere that moves in the plane, and a plank that flies.
#define PUCK                                                                                        \
    "<robot name='puck'><link name='table'/><link name='car'/><link name='ball'><collision>"        \
    "<geometry><sphere radius='0.1'/></geometry></collision></link>"                                \
    "<joint name='x' type='prismatic'><parent link='table'/><child link='car'/><axis xyz='1 0 0'/>" \
    "<limit lower='-2' upper='2' effort='1' velocity='1'/></joint>"                                 \
    "<joint name='y' type='prismatic'><parent link='car'/><child link='ball'/><axis xyz='0 1 0'/>"  \
    "<limit lower='-2' upper='2' effort='1' velocity='1'/></joint></robot>"
#define DRONE                                                                                      \
    "<robot name='drone'><link name='world'/><link name='plank'><collision><geometry>"             \
    "<box size='0.4 0.1 0.1'/></geometry></collision></link><joint name='fly' type='floating'>"    \
    "<parent link='world'/><child link='plank'/></joint></robot>"

/// The permutations of the first bases, as Faure's paper lists them.
static const struct {
    uint32_t base;
    uint32_t of[13];
} published[] = {
    {2, {0, 1}},
    {3, {0, 1, 2}},
    {5, {0, 3, 2, 1, 4}},
    {7, {0, 2, 5, 3, 1, 4, 6}},
    {11, {0, 7, 4, 2, 9, 5, 1, 8, 6, 3, 10}},
    {13, {0, 4, 9, 2, 7, 11, 6, 1, 5, 10, 3, 8, 12}},
};
enum { PUBLISHED = sizeof published / sizeof *published };

static gz_axis lines[26];

/// A space of lines from 0 to 1, whose samples are the numbers themselves.
static gz_plan_space cube(size_t dimension) {
    assert_true(dimension <= sizeof lines / sizeof *lines);
    for (size_t k = 0; k < dimension; k++)
        lines[k] = (gz_axis){.kind = GRAZE_Q_LINE, .low = 0, .high = 1};
    return (gz_plan_space){.axes = lines, .dimension = dimension};
}

/// Whether a value is the sum over k of of[digit k] / base^(k+1), as an integer over a power of the
/// base, rounded once.
static void check_fraction(size_t which, uint32_t index, double value) {
    const uint32_t base = published[which].base;
    uint64_t above = 0, below = 1;
    int count = 0;
    for (uint32_t rest = index; rest > 0; rest /= base) count++;
    for (int k = count - 1; k >= 0; k--) { // the last digit of the fraction first
        uint32_t digit = index;
        for (int i = 0; i < k; i++) digit /= base;
        above += below * published[which].of[digit % base];
        below *= base;
    }
    assert_true(value >= 0 && value < 1);
    // |value - above / below| is at most half of the last place, with one rounding of the rest.
    assert_true(fabs(fma(value, (double)below, -(double)above)) <= 0x1p-54 * (double)below);
}

/// So many samples from one on.
static void check_run(uint32_t first, uint32_t count) {
    gz_plan_space space = cube(PUBLISHED);
    gz_halton *halton = gz_halton_make(&space, first);
    for (uint32_t i = 0; i < count; i++) {
        double x[PUBLISHED];
        gz_halton_next(halton, x);
        for (size_t k = 0; k < PUBLISHED; k++) check_fraction(k, first + i, x[k]);
    }
    gz_halton_free(halton);
}

static void test_numbers_are_the_fractions_of_permuted_digits(void **state) {
    (void)state;
    static const double two[] = {0, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875};
    static const double ninths[] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    gz_plan_space space = cube(2);
    gz_halton *halton = gz_halton_make(&space, 0);
    for (uint32_t i = 0; i < 8; i++) {
        double x[2];
        gz_halton_next(halton, x);
        assert_true(x[0] == two[i] && x[1] == ninths[i] / 9);
    }
    gz_halton_free(halton);
    check_run(0, 3000);
    check_run(UINT32_MAX - 99, 100);
    gz_random random = gz_random_make(1, 0);
    for (int i = 0; i < 300; i++) {
        uint32_t first = (uint32_t)(gz_random_next(&random) >> 32);
        check_run(first < 20 ? first : first - 20, 20);
    }
}

/// Behind sample 2^32 - 1 the sequence goes on: in base 2 with the half of 2^-33 more.
static void test_the_sequence_goes_on_behind_the_last_first_sample(void **state) {
    (void)state;
    gz_plan_space space = cube(2);
    double last[2], x[2];
    gz_halton *halton = gz_halton_make(&space, UINT32_MAX);
    gz_halton_next(halton, last);
    gz_halton_next(halton, x);
    assert_true(last[0] == 1 - 0x1p-32 && x[0] == 0x1p-33);
    assert_true(x[1] > 0 && x[1] < 1 && x[1] != last[1]);
    gz_halton_free(halton);
}

/// In every base, base^2 numbers in a row, from a multiple of it on, stand in each of as many equal
/// intervals once.
static void test_each_interval_gets_one_number_in_turn(void **state) {
    (void)state;
    static const struct {
        size_t axis;
        uint32_t base;
    } cases[] = {{0, 2}, {1, 3}, {6, 17}, {7, 19}, {15, 53}, {25, 101}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t square = cases[k].base * cases[k].base;
        unsigned char seen[101 * 101] = {0};
        gz_plan_space space = cube(26);
        gz_halton *halton = gz_halton_make(&space, 5 * square);
        for (uint32_t i = 0; i < square; i++) {
            double x[26];
            gz_halton_next(halton, x);
            double place = floor(x[cases[k].axis] * square);
            assert_true(place < square && !seen[(size_t)place]);
            seen[(size_t)place] = 1;
        }
        gz_halton_free(halton);
    }
}

// ------------------------------------------------------------------------------------ evenness

/// The square of the L2 star discrepancy of points in the unit cube (Warnock 1972).
static double discrepancy(const double *points, int count, int dimension, const int *axes) {
    double one = 0, two = 0;
    for (int i = 0; i < count; i++) {
        double product = 1;
        for (int k = 0; k < dimension; k++) {
            double x = points[i * AXES + axes[k]];
            product *= 0.5 * (1 - x * x);
        }
        one += product;
        for (int j = 0; j < count; j++) {
            product = 1;
            for (int k = 0; k < dimension; k++)
                product *= 1 - fmax(points[i * AXES + axes[k]], points[j * AXES + axes[k]]);
            two += product;
        }
    }
    return pow(3, -dimension) - 2 * one / count + two / count / count;
}

/// The mean of that square of random points.
static double mean_of_random(int count, int dimension) {
    return (pow(2, -dimension) - pow(3, -dimension)) / count;
}

/// Points from a place in the sequence on.
static void fill(double *points, uint32_t first) {
    gz_plan_space space = cube(AXES);
    gz_halton *halton = gz_halton_make(&space, first);
    for (int i = 0; i < POINTS; i++) gz_halton_next(halton, &points[i * AXES]);
    gz_halton_free(halton);
}

/// Wherever the sequence begins: in two dimensions, in seven, and of twelve in any two, which are
/// less even than random points where digits are not permuted.
static void test_points_are_more_even_than_random_ones(void **state) {
    (void)state;
    static const int axes[7] = {0, 1, 2, 3, 4, 5, 6};
    static double points[POINTS * AXES];
    gz_random random = gz_random_make(3, 0);
    const double plane = mean_of_random(POINTS, 2), seven = mean_of_random(POINTS, 7);
    double sum = 0;
    for (int trial = 0; trial < TRIALS(8, 2); trial++) {
        fill(points, (uint32_t)(gz_random_next(&random) >> 32));
        assert_true(discrepancy(points, POINTS, 2, axes) < 0.05 * plane);
        assert_true(discrepancy(points, POINTS, 7, axes) < 0.6 * seven);
        for (int a = 0; a < AXES; a++)
            for (int b = 0; b < a; b++)
                assert_true(discrepancy(points, POINTS, 2, (int[2]){a, b}) < 0.35 * plane);
    }
    // The formula gives random points what they have in the mean.
    for (int trial = 0; trial < 40; trial++) {
        for (size_t i = 0; i < POINTS * AXES; i++) points[i] = gz_random_unit(&random);
        sum += discrepancy(points, POINTS, 7, axes) / 40;
    }
    assert_true(sum > 0.7 * seven && sum < 1.3 * seven);
}

static void test_samples_fill_their_ranges(void **state) {
    (void)state;
    enum { LINE, CIRCLE, TURN, ALL = 7, COUNT = 20000 };
    gz_axis axes[ALL] = {{.kind = GRAZE_Q_LINE, .low = -0.1, .high = 0.3},
                         {.kind = GRAZE_Q_CIRCLE, .low = -GZ_PI, .high = GZ_PI},
                         {.kind = GRAZE_Q_ROTATION},
                         {.kind = GRAZE_Q_ROTATION},
                         {.kind = GRAZE_Q_ROTATION},
                         {.kind = GRAZE_Q_ROTATION},
                         {.kind = GRAZE_Q_CIRCLE, .low = -GZ_PI, .high = GZ_PI}};
    gz_plan_space space = {.axes = axes, .dimension = ALL, .has_rotation = true};
    gz_halton *halton = gz_halton_make(&space, UINT32_MAX - 1000);
    double mean[ALL] = {0}, least = 1, greatest = -1;
    int turned = 0;
    for (int i = 0; i < COUNT; i++) {
        double x[ALL], norm = 0;
        gz_halton_next(halton, x);
        assert_true(x[LINE] >= -0.1 && x[LINE] <= 0.3);
        assert_true(fabs(x[CIRCLE]) <= GZ_PI && fabs(x[6]) <= GZ_PI);
        least = fmin(least, x[LINE]);
        greatest = fmax(greatest, x[LINE]);
        for (int k = 0; k < ALL; k++) mean[k] += x[k] / COUNT;
        for (int k = TURN; k < 6; k++) norm += x[k] * x[k];
        assert_true(fabs(norm - 1) < 1e-12);
        // Of uniform rotations as many turn by less than an angle as (angle - sin(angle)) / pi.
        turned += 2 * acos(fmin(fabs(x[5]), 1)) < 2;
    }
    gz_halton_free(halton);
    assert_true(least < -0.0999 && greatest > 0.2999);
    assert_true(fabs(mean[LINE] - 0.1) < 1e-4 && fabs(mean[CIRCLE]) < 2e-3);
    for (int k = TURN; k < 6; k++) assert_true(fabs(mean[k]) < 2e-3);
    assert_true(fabs(turned / (double)COUNT - (2 - sin(2)) / GZ_PI) < 2e-3);
}

// --------------------------------------------------------------------------------------- plans

static graze_plan_options halton_options(void) {
    graze_plan_options options = graze_plan_options_default();
    options.sampler = GRAZE_PLAN_SAMPLER_HALTON;
    return options;
}

/// A wall at x = 0 that ends at y = 0.2.
static void make_wall(fixture *f) {
    fixture_begin(f, PUCK);
    fixture_box(f, "wall", 0.1, 3, 1, 0, 0.2 - 1.5, 0);
    fixture_finish(f);
}
static const double left[2] = {-1, -0.5}, right[2] = {1, -0.5};

static bool same_path(const fixture *f, const graze_path *a, const graze_path *b) {
    if (graze_path_count(a) != graze_path_count(b)) return false;
    for (size_t i = 0; i < graze_path_count(a); i++)
        if (memcmp(graze_path_q(a, i), graze_path_q(b, i), f->n * sizeof(double)) != 0)
            return false;
    return true;
}

static void test_plans_are_proved_and_depend_on_the_seed_alone(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    graze_plan_options options = halton_options();
    options.shortcut_rounds = 0;
    graze_path *last = NULL;
    for (options.seed = 1; options.seed <= 20; options.seed++) {
        graze_plan_result r[3];
        for (uint32_t k = 0; k < 3; k++) {
            options.threads = k == 1 ? 3 : 1;
            options.sampler = k == 2 ? GRAZE_PLAN_SAMPLER_RANDOM : GRAZE_PLAN_SAMPLER_HALTON;
            r[k] = plan_and_recheck(&f, left, NULL, right, NULL, &options);
            assert_int_equal(r[k].outcome, GRAZE_PLAN_FOUND);
            assert_true(r[k].certified && r[k].iterations > 0);
        }
        assert_true(same_path(&f, r[0].path, r[1].path));
        assert_int_equal(r[0].configurations_checked, r[1].configurations_checked);
        assert_false(same_path(&f, r[0].path, r[2].path));
        if (last != NULL) assert_false(same_path(&f, r[0].path, last));
        graze_path_free(last);
        last = r[0].path;
        for (int k = 1; k < 3; k++) graze_path_free(r[k].path);
    }
    graze_path_free(last);
    fixture_free(&f);
}

static void test_a_plank_turns_to_fly_through_a_slot(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, DRONE);
    fixture_box(&f, "left", 0.1, 4, 3, 0, 2.15, 0);
    fixture_box(&f, "right", 0.1, 4, 3, 0, -2.15, 0);
    fixture_box(&f, "floor", 6, 9, 0.1, 0, 0, -1.5);
    fixture_box(&f, "roof", 6, 9, 0.1, 0, 0, 1.5);
    fixture_finish(&f);
    const double across = 0.70710678118654752;
    // Across the slot, 0.3 m wide, at both ends: the straight way is blocked.
    const double start[7] = {-1.5, 0, 0, 0, 0, across, across};
    const double goal[7] = {1.5, 0, 0, 0, 0, across, across};
    graze_plan_options options = halton_options();
    options.step = 0.5;
    for (options.seed = 1; options.seed <= 3; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, start, NULL, goal, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_true(r.iterations > 0);
        graze_path_free(r.path);
    }
    fixture_free(&f);
}

static void test_a_sampler_that_is_none_is_refused(void **state) {
    (void)state;
    fixture f;
    make_wall(&f);
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result r;
    graze_error error;
    assert_int_equal(options.sampler, GRAZE_PLAN_SAMPLER_RANDOM);
    options.sampler = 2;
    assert_int_equal(graze_plan(f.checker, left, NULL, right, NULL, &options, &r, &error),
                     GRAZE_ERROR_RANGE);
    assert_non_null(strstr(error.message, "sampler is 2"));
    fixture_free(&f);
}

static void test_a_lack_of_memory_is_an_error(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    fixture f;
    make_wall(&f);
    graze_plan_options options = halton_options();
    options.shortcut_rounds = 0;
    fixture_fail_allocations(&f, left, right, &options);
    fixture_free(&f);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_the_fractions_of_permuted_digits),
        cmocka_unit_test(test_the_sequence_goes_on_behind_the_last_first_sample),
        cmocka_unit_test(test_each_interval_gets_one_number_in_turn),
        cmocka_unit_test(test_points_are_more_even_than_random_ones),
        cmocka_unit_test(test_samples_fill_their_ranges),
        cmocka_unit_test(test_plans_are_proved_and_depend_on_the_seed_alone),
        cmocka_unit_test(test_a_plank_turns_to_fly_through_a_slot),
        cmocka_unit_test(test_a_sampler_that_is_none_is_refused),
        cmocka_unit_test(test_a_lack_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
