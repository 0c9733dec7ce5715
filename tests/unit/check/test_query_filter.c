// One configuration in float: the filter never changes a verdict, a contact or an error, and its
// error bounds hold.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "check/filter_error.h"
#include "check/filters.h"
#include "graze/control.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"
#include "unit/trials.h"

#define ROWS TRIALS(1500, 300)

typedef struct setup {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *filtered, *plain;
    size_t size;
    double q[ROWS * 32], base[ROWS * 6];
} setup;

/// Many boxes and balls about the robot, more than are looked at one by one; with a cloud of points
/// where `points` is set, and the base held in a boundary.
static graze_world *make_crowd(bool points) {
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "crowd", NULL), GRAZE_OK);
    gz_random random = gz_random_make(99, 0);
    for (int i = 0; i < GZ_FILTER_OBJECTS + 20; i++) {
        graze_transform pose = graze_transform_identity();
        for (int k = 0; k < 3; k++) pose.m[4 * k + 3] = gz_random_range(&random, -1.6, 1.6);
        char name[16];
        snprintf(name, sizeof name, "o%d", i);
        const double size[3] = {0.1, 0.2, 0.05};
        assert_int_equal(i % 3 ? graze_world_add_box(world, name, size, &pose, NULL)
                               : graze_world_add_sphere(world, name, 0.08, &pose, NULL),
                         GRAZE_OK);
    }
    double cloud[3 * 40];
    for (int i = 0; i < 3 * 40; i++) cloud[i] = gz_random_range(&random, -1.3, 1.3);
    if (points)
        assert_int_equal(graze_world_add_points(world, "cloud", cloud, 40, 0.02, NULL, NULL),
                         GRAZE_OK);
    const double low[3] = {-1.5, -9, -9}, high[3] = {9, 9, 9};
    assert_int_equal(graze_world_set_boundary(world, low, high, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    return world;
}

static setup *open_setup(const char *robot, const char *world, graze_policy policy, double margin) {
    setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    graze_error error;
    char path[512], srdf[512];
    snprintf(path, sizeof path, "%s/urdf/%s.urdf", GRAZE_SOURCE_DIR, robot);
    snprintf(srdf, sizeof srdf, "%s/urdf/%s.srdf", GRAZE_SOURCE_DIR, robot);
    graze_load_options load = graze_load_options_default();
    load.srdf = srdf;
    if (graze_robot_load_urdf(&s->robot, path, &load, &error)) fail_msg("%s", error.message);
    if (world && strncmp(world, "crowd", 5) == 0) {
        s->world = make_crowd(world[5] != 0);
    } else if (world) {
        assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
        snprintf(path, sizeof path, "%s/worlds/%s.json", GRAZE_SOURCE_DIR, world);
        if (graze_world_add_file(s->world, path, NULL, &error) ||
            graze_world_commit(s->world, &error))
            fail_msg("%s", error.message);
    }
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    options.margin = margin;
    assert_int_equal(graze_checker_create(&s->checker, s->robot, s->world, &options, NULL),
                     GRAZE_OK);
    assert_non_null(s->checker->filter);
    assert_int_equal(graze_workspace_create(&s->filtered, s->checker, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s->plain, s->checker, NULL), GRAZE_OK);
    s->size = graze_robot_q_size(s->robot);
    assert_true(s->size <= 32);
    return s;
}

static void close_setup(setup *s) {
    graze_workspace_free(s->filtered);
    graze_workspace_free(s->plain);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
    free(s);
}

/// Rows within the limits or a little outside; bases up to `spread` from the origin, turned any
/// way. Every other row keeps the base of the one before.
static void draw_rows(setup *s, uint64_t seed, double spread) {
    gz_random random = gz_random_make(seed, 0);
    for (size_t i = 0; i < ROWS * s->size; i++) {
        graze_joint_info joint;
        graze_robot_joint(s->robot, graze_robot_q_joint(s->robot, i % s->size), &joint);
        double low = joint.limited ? joint.lower : -9, high = joint.limited ? joint.upper : 9;
        s->q[i] = gz_random_range(&random, low, high + (i % 97 ? 0 : 0.1));
    }
    for (size_t i = 0; i < ROWS * 6; i++)
        s->base[i] = i % 6 == 2 ? 0 : gz_random_range(&random, -spread, spread);
    for (size_t i = 1; i < ROWS; i += 2)
        memcpy(s->base + 6 * i, s->base + 6 * (i - 1), 6 * sizeof *s->base);
}

/// The same check without the filter: the ordinary way is the reference.
static graze_status check_plain(setup *s, graze_answer answer, const double *q, const double *base,
                                graze_report *report, graze_error *error) {
    struct gz_filter_model *filter = s->checker->filter;
    s->checker->filter = NULL;
    graze_status status = graze_check(s->checker, s->plain, answer, q, s->size, base, report,
                                      error);
    s->checker->filter = filter;
    return status;
}

/// Compares a row under one answer; returns whether it collides.
static bool compare_row(setup *s, size_t row, graze_answer answer, const double *base) {
    const double *q = s->q + row * s->size;
    graze_contact one, two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    int32_t out_one[32] = {0}, out_two[32] = {0};
    graze_report filtered = {
        .contacts = &one, .capacity = 1, .violated = out_one, .violated_capacity = 32};
    graze_report plain = {
        .contacts = &two, .capacity = 1, .violated = out_two, .violated_capacity = 32};
    if (answer == GRAZE_ANSWER_ANY && row % 2) filtered.capacity = plain.capacity = 0;
    graze_error error = {0}, wanted = {0};
    graze_status status = graze_check(s->checker, s->filtered, answer, q, s->size, base, &filtered,
                                      &error);
    assert_int_equal(status, check_plain(s, answer, q, base, &plain, &wanted));
    if (filtered.verdict != plain.verdict)
        fail_msg("row %zu: %d with the filter, %d without", row, (int)filtered.verdict,
                 (int)plain.verdict);
    assert_string_equal(error.message, wanted.message);
    if (status) return false;
    assert_int_equal(filtered.violated_count, plain.violated_count);
    assert_memory_equal(out_one, out_two, sizeof out_one);
    assert_int_equal(filtered.count, plain.count);
    assert_int_equal(filtered.truncated, plain.truncated);
    // Which pair any is, is open; that of the other answers is not.
    if (answer != GRAZE_ANSWER_ANY && filtered.count) {
        assert_int_equal(one.kind, two.kind);
        assert_int_equal(one.link, two.link);
        assert_int_equal(one.element, two.element);
        assert_int_equal(one.other, two.other);
        assert_int_equal(one.other_element, two.other_element);
        assert_int_equal(one.triangle, two.triangle);
        assert_int_equal(one.other_triangle, two.other_triangle);
        assert_memory_equal(&one.point, &two.point, sizeof one.point);
    }
    return filtered.count > 0;
}

static size_t compare_rows(setup *s, const double *base) {
    static const graze_answer answers[] = {GRAZE_ANSWER_PAIR, GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST,
                                           GRAZE_ANSWER_PAIR, GRAZE_ANSWER_ALL};
    size_t hits = 0;
    for (size_t i = 0; i < ROWS; i++)
        hits += compare_row(s, i, answers[i % 5], base ? base + 6 * i : NULL);
    return hits;
}

static void test_answers_are_those_without_the_filter(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"heron", NULL},       {"heron", "shelf"}, {"heron", "clutter"}, {"heron", "kineval_basic"},
        {"six_axis", "table"}, {"two_link", NULL}, {"heron", "crowd"},   {"six_axis", "crowd+"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_policy policy = i % 2 ? GRAZE_POLICY_SOLID : GRAZE_POLICY_SURFACE;
        setup *s = open_setup(cases[i][0], cases[i][1], policy, 0);
        draw_rows(s, i, 2);
        size_t hits = compare_rows(s, NULL);
        assert_in_range(hits, 1, ROWS - 1);
        hits = compare_rows(s, s->base);
        assert_in_range(hits, 1, ROWS);
        close_setup(s);
    }
}

static bool collides(setup *s, const double *q) {
    graze_report report = {0};
    check_plain(s, GRAZE_ANSWER_ANY, q, NULL, &report, NULL);
    return report.count > 0;
}

/// Rows in small steps, from a free one (drawn first) towards one that is drawn, and then around
/// the place where the verdict changes, which is bisected.
static void draw_walk(setup *s, uint64_t seed) {
    enum { STEPS = 60 };
    draw_rows(s, seed, 0);
    size_t next = 0;
    for (size_t i = 0; i + STEPS < ROWS; i += STEPS) {
        double *from = s->q + i * s->size, *to = from + STEPS * s->size, low = 0, high = 1;
        for (; next < ROWS && collides(s, from); next++)
            memcpy(from, s->q + next * s->size, s->size * sizeof *from);
        for (size_t step = 1; step < STEPS; step++) {
            double t = step < STEPS / 2 ? (double)step / STEPS : 0.5 * (low + high);
            double *q = from + step * s->size;
            for (size_t k = 0; k < s->size; k++) q[k] = from[k] + t * (to[k] - from[k]);
            if (step >= STEPS / 2) *(collides(s, q) ? &high : &low) = t;
        }
    }
}

/// What the workspace keeps of a row changes no answer of those after it, under a margin either.
static void test_answers_on_a_walk_are_those_without_the_filter(void **state) {
    (void)state;
    static const struct {
        const char *robot, *world;
        double margin;
    } cases[] = {{"heron", "clutter", 0}, {"heron", "clutter", 1e-3}, {"heron", "shelf", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup *s = open_setup(cases[i].robot, cases[i].world, GRAZE_POLICY_SOLID, cases[i].margin);
        draw_walk(s, 40 + i);
        assert_int_equal(graze_workspace_set_coherent(s->filtered, 1, NULL), GRAZE_OK);
        size_t hits = 0;
        for (size_t row = 0; row < ROWS; row++)
            hits += compare_row(s, row, row % 7 ? GRAZE_ANSWER_ANY : GRAZE_ANSWER_PAIR, NULL);
        assert_in_range(hits, ROWS / 20, ROWS - ROWS / 20);
        size_t kept = 0;
        for (size_t k = 0; k < s->checker->filter->pair_count; k++)
            kept += s->filtered->query->pair_planes[k].normal[0] != 0;
        assert_true(kept > 0);
        close_setup(s);
    }
}

/// The answer `any` names a pair that collides, and nothing else; to have it named costs nothing.
static void test_any_names_a_pair_at_no_cost(void **state) {
    (void)state;
    setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SOLID, 0);
    draw_rows(s, 17, 0.3);
    static const graze_contact none = {0};
    graze_contact all[64], named[ROWS];
    uint8_t verdicts[ROWS];
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = s->q;
    batch.verdicts = verdicts;
    batch.contacts = named;
    assert_int_equal(graze_check_batch(s->checker, &batch, NULL), GRAZE_OK);
    size_t hits = 0;
    for (size_t i = 0; i < ROWS; i++) {
        graze_contact one = {0};
        graze_report with = {.contacts = &one, .capacity = 1}, without = {0};
        graze_report every = {.contacts = all, .capacity = 64};
        const double *q = s->q + i * s->size;
        graze_check(s->checker, s->filtered, GRAZE_ANSWER_ANY, q, s->size, NULL, &with, NULL);
        graze_check(s->checker, s->filtered, GRAZE_ANSWER_ANY, q, s->size, NULL, &without, NULL);
        graze_check(s->checker, s->plain, GRAZE_ANSWER_ALL, q, s->size, NULL, &every, NULL);
        assert_memory_equal(&with.stats, &without.stats, sizeof with.stats);
        assert_int_equal(with.count, without.count);
        if (with.count == 0) continue;
        hits++;
        const graze_contact *found[] = {&one, &named[i]};
        for (int k = 0; k < 2; k++) {
            bool known = false;
            for (size_t c = 0; c < every.count && c < 64; c++)
                known |= all[c].kind == found[k]->kind && all[c].link == found[k]->link &&
                         all[c].other == found[k]->other;
            assert_true(known);
            assert_true(found[k]->triangle == -1 && found[k]->other_triangle == -1);
            assert_false(found[k]->has_segment || found[k]->contained);
            assert_memory_equal(&found[k]->point, &none.point, sizeof none.point);
        }
    }
    assert_in_range(hits, 1, ROWS - 1);
    close_setup(s);
}

static void test_margins_are_kept(void **state) {
    (void)state;
    static const char *const worlds[] = {"shelf", "clutter", "crowd"};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        size_t hits[2];
        for (int k = 0; k < 2; k++) {
            setup *s = open_setup("heron", worlds[i], GRAZE_POLICY_SURFACE, k ? 0.02 : 0);
            draw_rows(s, 31, 0.3);
            hits[k] = compare_rows(s, NULL);
            close_setup(s);
        }
        assert_true(hits[1] > hits[0]);
    }
}

/// A link may touch an object that is allowed for it, and no other.
static void test_allowed_objects_are_left_out(void **state) {
    (void)state;
    setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SURFACE, 0);
    draw_rows(s, 61, 0.3);
    size_t all = compare_rows(s, NULL);
    graze_contact contact = {0};
    for (size_t i = 0; i < ROWS && contact.kind != GRAZE_CONTACT_WORLD; i++) {
        graze_report report = {.contacts = &contact, .capacity = 1};
        check_plain(s, GRAZE_ANSWER_PAIR, s->q + i * s->size, NULL, &report, NULL);
        if (report.count == 0) contact.kind = GRAZE_CONTACT_SELF;
    }
    assert_int_equal(contact.kind, GRAZE_CONTACT_WORLD);
    graze_allowed_pair pair = {graze_contact_link_name(s->checker, &contact),
                               graze_contact_other_name(s->checker, &contact)};
    graze_checker_options options = graze_checker_options_default();
    options.policy = GRAZE_POLICY_SURFACE;
    options.allowed = &pair;
    options.allowed_count = 1;
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, s->robot, s->world, &options, NULL), GRAZE_OK);
    graze_workspace_free(s->filtered);
    graze_workspace_free(s->plain);
    graze_checker_free(s->checker);
    s->checker = checker;
    assert_int_equal(graze_workspace_create(&s->filtered, checker, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s->plain, checker, NULL), GRAZE_OK);
    assert_true(compare_rows(s, NULL) < all);
    close_setup(s);
}

static void test_what_is_out_of_range_goes_the_ordinary_way(void **state) {
    (void)state;
    setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SURFACE, 0);
    draw_rows(s, 7, 1);
    int32_t lift = graze_robot_find_q(s->robot, "torso_lift_joint");
    for (size_t i = 0; i < ROWS; i += 5) {
        static const double odd[] = {3, -50, 1e5, NAN, INFINITY, 0x1p21};
        s->q[i * s->size + (i % 3 ? (size_t)lift : i % s->size)] = odd[i / 5 % 6];
    }
    s->base[6 * 11 + 1] = NAN;
    s->base[6 * 12] = 0x1p19;
    s->base[6 * 14] = 0x1p20;
    s->base[6 * 16 + 1] = -0x1p18;
    compare_rows(s, s->base);
    graze_report report = {0};
    assert_int_equal(
        graze_check(s->checker, s->filtered, GRAZE_ANSWER_ANY, NULL, 0, NULL, &report, NULL),
        GRAZE_ERROR_ARGUMENT);
    close_setup(s);
}

/// What a check counts does not depend on what the workspace did before.
static void test_counters_do_not_depend_on_the_past(void **state) {
    (void)state;
    setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SOLID, 0);
    draw_rows(s, 5, 1);
    uint64_t rejects = 0;
    for (size_t i = 0; i < 200; i++) {
        graze_report first = {0}, again = {0}, late = {0};
        const double *q = s->q + i * s->size, *base = i % 3 ? s->base + 6 * i : NULL;
        graze_check(s->checker, s->filtered, GRAZE_ANSWER_PAIR, q, s->size, base, &first, NULL);
        graze_check(s->checker, s->filtered, GRAZE_ANSWER_PAIR, q, s->size, base, &again, NULL);
        graze_workspace *fresh;
        assert_int_equal(graze_workspace_create(&fresh, s->checker, NULL), GRAZE_OK);
        graze_check(s->checker, fresh, GRAZE_ANSWER_PAIR, q, s->size, base, &late, NULL);
        graze_workspace_free(fresh);
        assert_memory_equal(&first.stats, &again.stats, sizeof first.stats);
        assert_memory_equal(&first.stats, &late.stats, sizeof first.stats);
        rejects += first.stats.lane_rejects;
        assert_int_equal(first.stats.configurations, 1);
    }
    assert_true(rejects > 0);
    close_setup(s);
}

/// How far a float point is off, seen from the base's origin.
static double miss(const float *found, size_t stride, const double want[3], const double base[12]) {
    double d2 = 0;
    for (size_t k = 0; k < 3; k++) {
        double d = (double)found[k * stride] - (want[k] - base[4 * k + 3]);
        d2 += d * d;
    }
    return sqrt(d2);
}

/// The float centres of spheres and boxes against the double ones; how much of the bound is used.
static void compare_scratch(setup *s, const gz_query_scratch *scratch, const double root[12],
                            double *worst) {
    const gz_filter_model *m = s->checker->filter;
    for (size_t l = 0; l < m->link_count; l++) {
        const gz_filter_link *link = &m->links[l];
        const float center[3] = {scratch->centers[0][l], scratch->centers[1][l],
                                 scratch->centers[2][l]};
        double off = miss(center, 1, s->plain->centers[link->link], root);
        if (scratch->box_ready[l]) {
            const graze_obb *box = gz_workspace_box(s->plain, link->link);
            off = fmax(off, miss(scratch->boxes[l].column[3], 1, GZ_ARRAY3(box->center), root));
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++) {
                    double turn = fabs((double)scratch->boxes[l].row[i][k] -
                                       GZ_ARRAY3(box->axis[k])[i]);
                    assert_true(turn <= (double)link->turn);
                }
        }
        *worst = fmax(*worst, off / (double)link->error);
    }
}

/// Of poses from q and of poses from the caller, by one instruction set.
static void compare_places(const char *robot, const gz_filter_kernels *stages, double worst[2]) {
    setup *s = open_setup(robot, NULL, GRAZE_POLICY_SOLID, 0);
    draw_rows(s, 3, 9);
    const gz_filter_model *m = s->checker->filter;
    gz_query_scratch *scratch = s->filtered->query;
    graze_stats stats = {0};
    for (size_t row = 0; row < ROWS; row++) {
        const double *q = s->q + row * s->size, *base = s->base + 6 * row;
        double root[12];
        assert_int_equal(gz_pose_base(base, root, NULL), GRAZE_OK);
        assert_true(stages->pose(m, q, root, scratch));
        assert_int_equal(gz_workspace_pose(s->plain, q, s->size, base, NULL), GRAZE_OK);
        stages->pairs(m, GZ_PROXY_TEST_APART, scratch, &stats);
        compare_scratch(s, scratch, root, &worst[0]);
        assert_true(stages->take(m, s->plain->bodies, scratch));
        stages->pairs(m, GZ_PROXY_TEST_APART, scratch, &stats);
        compare_scratch(s, scratch, root, &worst[1]);
        // What is farther from the root than joints could take it is not covered.
        double *body = s->plain->bodies[m->body_count - 1];
        body[3] = root[3] + 1.01 * m->errors[m->body_count - 1].length;
        assert_false(stages->take(m, s->plain->bodies, scratch));
    }
    close_setup(s);
}

static void test_error_bounds_hold(void **state) {
    (void)state;
    static const char *const robots[] = {"heron", "six_axis", "two_link"};
    double worst[2] = {0};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        compare_places(robots[i], &gz_filter_kernels_base, worst);
#ifdef GRAZE_HAVE_AVX2
        if (gz_kernels_choose() == &gz_kernels_avx2)
            compare_places(robots[i], &gz_filter_kernels_avx2, worst);
#endif
    }
    printf("worst error: %.3f of its bound, %.3f of poses from outside\n", worst[0], worst[1]);
    assert_true(worst[0] < 1 && worst[1] < worst[0]);
    assert_true(worst[1] > 1e-4); // a bound that is never near is a bound that nobody checked
}

static void test_every_instruction_set_answers_alike(void **state) {
    (void)state;
    static const char *const sets[] = {"sse2", "scalar"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        setenv("GRAZE_ISA", sets[k], 1);
        setup *s = open_setup("heron", "shelf", GRAZE_POLICY_SOLID, 0);
        unsetenv("GRAZE_ISA");
        draw_rows(s, 21, 0.5);
        assert_true(compare_rows(s, s->base) > 0);
        close_setup(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_those_without_the_filter),
        cmocka_unit_test(test_answers_on_a_walk_are_those_without_the_filter),
        cmocka_unit_test(test_any_names_a_pair_at_no_cost),
        cmocka_unit_test(test_margins_are_kept),
        cmocka_unit_test(test_allowed_objects_are_left_out),
        cmocka_unit_test(test_what_is_out_of_range_goes_the_ordinary_way),
        cmocka_unit_test(test_counters_do_not_depend_on_the_past),
        cmocka_unit_test(test_error_bounds_hold),
        cmocka_unit_test(test_every_instruction_set_answers_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
