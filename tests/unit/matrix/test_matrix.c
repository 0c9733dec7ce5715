// The matrix of small robots whose truth can be worked out by hand, against dense grids of
// verdicts, its independence of threads, and what it does with the memory failing.
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/check.h"
#include "graze/matrix.h"

#define BOX(x, y, z)                                                                               \
    "<collision><geometry><box size='" #x " " #y " " #z "'/></geometry></collision>"
#define BOX_AT(x, y, z, at)                                                                        \
    "<collision><origin xyz='" at "'/><geometry><box size='" #x " " #y " " #z                      \
    "'/></geometry></collision>"
#define JOINT(name, type, parent, child, at, axis, limits)                                         \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/><origin xyz='" at "'/><axis xyz='" axis "'/>" limits "</joint>"
#define LIMIT(low, high) "<limit lower='" low "' upper='" high "' effort='1' velocity='1'/>"

// A base, a mount above it without geometry, and a bar of half length 1 m that turns about z. A
// post belongs to the base, its near face at x = post.
#define BAR(post, limits)                                                                                                            \
    "<robot name='bar'><link name='base'>" BOX_AT(0.1, 0.1, 0.2, post " 0 0") "</link><link name='mount'/><link name='hub'>" BOX_AT( \
        0.02, 0.02, 0.02,                                                                                                            \
        "0 0 1") "</link><link name='bar'>" BOX(2, 0.1, 0.1) "</link>" JOINT("fix", "fixed",                                         \
                                                                             "base", "mount",                                        \
                                                                             "0 0 0", "0 0 1", "")                                   \
        JOINT("spin", "continuous", "mount", "hub", "0 0 0", "0 0 1", "")                                                            \
            JOINT("turn", "revolute", "hub", "bar", "0 0 0", "0 0 1", limits) "</robot>"

static graze_robot *load(const char *text) {
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, text, strlen(text), "t", NULL, NULL,
                                                       &error);
    if (status) print_message("%s %s\n", error.message, error.element);
    assert_int_equal(status, GRAZE_OK);
    return robot;
}

static graze_matrix_options quick(void) {
    graze_matrix_options o = graze_matrix_options_default();
    o.samples = 2000;
    o.budget = 1000000;
    return o;
}

static graze_matrix *compute(const graze_robot *robot, const graze_matrix_options *options) {
    graze_matrix *m = NULL;
    graze_error error;
    graze_status status = graze_matrix_compute(&m, robot, options, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    return m;
}

static const graze_matrix_entry *entry_of(const graze_matrix *m, const char *a, const char *b) {
    const graze_robot *r = graze_matrix_robot(m);
    const graze_matrix_entry *e = graze_matrix_find(m, graze_robot_find_link(r, a),
                                                    graze_robot_find_link(r, b));
    assert_non_null(e);
    return e;
}

/// Whether graze_check(), with all pairs checked, says that the two links collide.
static bool pair_collides(const graze_robot *r, const graze_matrix_entry *e, const double *q) {
    graze_checker_options options = graze_checker_options_default();
    options.ignore_srdf = 1;
    graze_checker *checker = NULL;
    graze_workspace *ws = NULL;
    graze_contact contacts[64];
    graze_report report = {.contacts = contacts, .capacity = 64};
    assert_int_equal(graze_checker_create(&checker, r, NULL, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
    assert_int_equal(
        graze_check(checker, ws, GRAZE_ANSWER_ALL, q, graze_robot_q_size(r), NULL, &report, NULL),
        GRAZE_OK);
    bool found = false;
    for (size_t i = 0; i < report.count && i < 64; i++)
        found |= contacts[i].link == e->a && contacts[i].other == e->b;
    graze_workspace_free(ws);
    graze_checker_free(checker);
    return found;
}

static graze_matrix_kind kind_of(const char *text, const char *a, const char *b) {
    graze_robot *r = load(text);
    graze_matrix_options o = quick();
    graze_matrix *m = compute(r, &o);
    const graze_matrix_entry *e = entry_of(m, a, b);
    graze_matrix_kind kind = e->kind;
    if (e->witness) assert_true(e->adjacent || pair_collides(r, e, e->witness));
    if (e->apart) assert_false(pair_collides(r, e, e->apart));
    graze_matrix_free(m);
    graze_robot_free(r);
    return kind;
}

// The bar's corner reaches sqrt(1 + 0.05^2) = 1.001249... m from the axis; the post begins 0.05 m
// before its middle.

static void test_a_bar_that_misses_a_post_by_five_millimetres_is_proved_free(void **state) {
    (void)state;
    assert_int_equal(kind_of(BAR("1.05625", LIMIT("-3", "3")), "base", "bar"),
                     GRAZE_MATRIX_NEVER_PROVED);
}

static void test_a_bar_that_only_its_corner_catches_is_never_called_free(void **state) {
    (void)state;
    // It meets by 0.01 mm, in some 1e-3 of all configurations; the face alone would miss.
    graze_matrix_kind kind = kind_of(BAR("1.05124", LIMIT("-3", "3")), "base", "bar");
    assert_true(kind == GRAZE_MATRIX_SOMETIMES || kind == GRAZE_MATRIX_DEFAULT);
}

static void test_limits_decide(void **state) {
    (void)state;
    // The hub turns freely, so the bar's own limits do not keep it from the post.
    assert_int_equal(kind_of(BAR("0.9", LIMIT("1", "2")), "base", "bar"), GRAZE_MATRIX_SOMETIMES);
    static const char fixed_hub[] =
        "<robot name='r'><link name='base'>" BOX_AT(0.1, 0.1, 0.2, "0.9 0 0") "</link><link name='a'>" BOX_AT(
            0.02, 0.02, 0.02,
            "0 0 1") "</link><link name='bar'>" BOX(2, 0.1, 0.1) "</link>" JOINT("lift",
                                                                                 "prismatic",
                                                                                 "base", "a",
                                                                                 "0 0 0", "0 0 1",
                                                                                 LIMIT("0", "0.01"))
            JOINT("turn", "revolute", "a", "bar", "0 0 0", "0 0 1", LIMIT("0.2", "2.9")) "</robot>";
    assert_int_equal(kind_of(fixed_hub, "base", "bar"), GRAZE_MATRIX_NEVER_PROVED);
}

static void test_contact_at_rest_alone_disables_nothing(void **state) {
    (void)state;
    assert_int_equal(kind_of(BAR("0.9", LIMIT("-3", "3")), "base", "bar"), GRAZE_MATRIX_DEFAULT);
    assert_null(graze_matrix_kind_reason(GRAZE_MATRIX_DEFAULT));
}

static void test_links_that_always_touch_and_neighbours(void **state) {
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='a'>" BOX(1, 1, 1) "</link><link name='b'>" BOX(
            0.1, 0.1,
            2) "</link><link name='c'>" BOX_AT(0.1, 0.1, 0.1,
                                               "0 0 -0.2") "</link>" JOINT("j", "continuous", "a",
                                                                           "b", "0 0 0", "0 0 1",
                                                                           "")
            JOINT("k", "revolute", "b", "c", "0 0 0", "0 0 1", LIMIT("-1", "1")) "</robot>";
    assert_int_equal(kind_of(text, "a", "b"), GRAZE_MATRIX_ADJACENT);
    assert_int_equal(kind_of(text, "a", "c"), GRAZE_MATRIX_ALWAYS);
}

static void test_pairs_that_no_joint_moves_are_decided_exactly(void **state) {
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='a'>" BOX(1, 1, 1) "</link><link name='b'>" BOX(
            1, 1, 1) "</link><link name='c'>" BOX(1, 1, 1) "</link>" JOINT("j", "fixed", "a", "b",
                                                                           "%s 0 0", "0 0 1", "")
            JOINT("k", "fixed", "b", "c", "0.5 0 0", "0 0 1", "") "</robot>";
    char touching[2048], apart[2048];
    snprintf(touching, sizeof touching, text, "0.5");
    snprintf(apart, sizeof apart, text, "0.5000000000000002");
    assert_int_equal(kind_of(touching, "a", "c"), GRAZE_MATRIX_ALWAYS);
    assert_int_equal(kind_of(apart, "a", "c"), GRAZE_MATRIX_NEVER_PROVED);
}

static void test_a_mimic_joint_is_no_variable_of_its_own(void **state) {
    (void)state;
    // Fingers that close towards each other, each by x, and stop 1 mm apart.
    static const char text[] =
        "<robot name='r'><link name='palm'>" BOX(0.2, 0.02, 0.02) "</link><link name='l'>" BOX_AT(
            0.02, 0.02, 0.1,
            "0 0 0.2") "</link><link name='r'>" BOX_AT(0.02, 0.02, 0.1,
                                                       "0 0 0.2") "</link>" JOINT("a", "prismatic",
                                                                                  "palm", "l",
                                                                                  "-0.1 0 0",
                                                                                  "1 0 0",
                                                                                  LIMIT("0",
                                                                                        "0.0895"))
            JOINT("b", "prismatic", "palm", "r", "0.1 0 0", "-1 0 0",
                  LIMIT("0", "0.2") "<mimic joint='a'/>") "</robot>";
    graze_robot *r = load(text);
    graze_matrix_options o = quick();
    graze_matrix *m = compute(r, &o);
    const graze_matrix_entry *e = entry_of(m, "l", "r");
    assert_int_equal(e->kind, GRAZE_MATRIX_NEVER_PROVED);
    assert_int_equal(e->joint_count, 2);
    assert_int_equal(e->column_count, 1);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_a_floating_joint_leaves_all_open(void **state) {
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='a'>" BOX(1, 1, 1) "</link><link name='b'>" BOX(
            1, 1, 1) "</link><link name='c'>" BOX(1, 1, 1) "</link>" JOINT("f", "floating", "a",
                                                                           "b", "50 0 0", "0 0 1",
                                                                           "")
            JOINT("k", "continuous", "b", "c", "3 0 0", "0 0 1", "") "</robot>";
    assert_int_equal(kind_of(text, "a", "c"), GRAZE_MATRIX_UNBOUNDED);
}

// ------------------------------------------------------------------------------- a gantry, by grid

// Two hooks on slides and a wheel: near misses that a dense grid can look at.
#define GANTRY(gap)                                                                                                                                                   \
    "<robot name='g'><link name='base'>" BOX_AT(0.4, 0.4, 0.1, "0 0 -1") "</link><link name='x'>" BOX_AT(0.1, 0.1, 0.1, "0 0 0.5") "</link><link name='arm'>" BOX_AT( \
        0.6, 0.1, 0.1,                                                                                                                                                \
        "0.3 0 " gap) "</link><link name='tip'>" BOX_AT(0.1, 0.3, 0.1,                                                                                                \
                                                        "0.3 0 0") "</link>" JOINT("s",                                                                               \
                                                                                   "prismatic",                                                                       \
                                                                                   "base", "x",                                                                       \
                                                                                   "0 0 0",                                                                           \
                                                                                   "1 0 0",                                                                           \
                                                                                   LIMIT("-0.5",                                                                      \
                                                                                         "0.5"))                                                                      \
        JOINT("t", "continuous", "x", "arm", "0 0 0", "0 0 1", "")                                                                                                    \
            JOINT("u", "revolute", "arm", "tip", "0.4 0 0", "0 1 0", LIMIT("-2", "2")) "</robot>"

static void check_by_grid(const char *text) {
    enum { STEPS = 33 };
    graze_robot *r = load(text);
    graze_matrix_options o = quick();
    graze_matrix *m = compute(r, &o);
    for (size_t i = 0; i < graze_matrix_count(m); i++) {
        const graze_matrix_entry *e = graze_matrix_at(m, i);
        if (e->kind != GRAZE_MATRIX_NEVER_PROVED && e->kind != GRAZE_MATRIX_NEVER_SAMPLED) continue;
        graze_checker_options options = graze_checker_options_default();
        graze_checker *checker = NULL;
        graze_workspace *ws = NULL;
        assert_int_equal(graze_checker_create(&checker, r, NULL, &options, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
        for (int k = 0; k < STEPS * STEPS * STEPS; k++) {
            double f[3] = {k % STEPS / (STEPS - 1.0), k / STEPS % STEPS / (STEPS - 1.0),
                           k / STEPS / STEPS / (STEPS - 1.0)};
            double q[3] = {f[0] - 0.5, 6.283185307179586 * f[1] - 3.141592653589793, 4 * f[2] - 2};
            graze_contact contacts[8];
            graze_report report = {.contacts = contacts, .capacity = 8};
            assert_int_equal(graze_check(checker, ws, GRAZE_ANSWER_ALL, q, 3, NULL, &report, NULL),
                             GRAZE_OK);
            for (size_t c = 0; c < report.count; c++)
                assert_false(contacts[c].link == e->a && contacts[c].other == e->b);
        }
        graze_workspace_free(ws);
        graze_checker_free(checker);
    }
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_no_point_of_a_grid_hits_what_is_called_never(void **state) {
    (void)state;
    check_by_grid(GANTRY("0"));
    check_by_grid(GANTRY("-0.5"));
    check_by_grid(GANTRY("0.3999"));
}

// -------------------------------------------------------------------------------------- the rest

static bool same_numbers(const double *a, const double *b, size_t n) {
    return (a == NULL) == (b == NULL) && (!a || memcmp(a, b, n * sizeof *a) == 0);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    graze_robot *r = load(GANTRY("0.3999"));
    graze_matrix_options o = quick();
    o.budget = 3000;
    graze_matrix *one = compute(r, &o);
    o.threads = 3;
    graze_matrix *three = compute(r, &o);
    size_t n = graze_robot_q_size(r);
    assert_int_equal(graze_matrix_count(one), graze_matrix_count(three));
    for (size_t i = 0; i < graze_matrix_count(one); i++) {
        const graze_matrix_entry *a = graze_matrix_at(one, i), *b = graze_matrix_at(three, i);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->samples, b->samples);
        assert_int_equal(a->collisions, b->collisions);
        assert_int_equal(a->searched, b->searched);
        assert_int_equal(a->nodes, b->nodes);
        assert_true(a->proved_share == b->proved_share);
        assert_true(same_numbers(a->witness, b->witness, n));
        assert_true(same_numbers(a->nearest, b->nearest, n));
        assert_true(same_numbers(a->apart, b->apart, n));
    }
    graze_matrix_free(one);
    graze_matrix_free(three);
    graze_robot_free(r);
}

static void test_without_a_budget_nothing_is_proved_and_the_rule_of_three_counts(void **state) {
    (void)state;
    graze_robot *r = load(BAR("1.2", LIMIT("-3", "3")));
    graze_matrix_options o = quick();
    o.budget = 0;
    o.samples = 1000;
    graze_matrix *m = compute(r, &o);
    const graze_matrix_entry *e = entry_of(m, "base", "bar");
    assert_int_equal(e->kind, GRAZE_MATRIX_NEVER_SAMPLED);
    assert_true(e->samples == 1000 && e->rate_bound == 0.003);
    // The corner comes as near as 1.15 - 1.001249 m; the search ends within some percent of that.
    assert_true(e->distance > 0.1487 * 0.8 && e->distance <= 0.14876 * 1.1);
    assert_false(pair_collides(r, e, e->nearest));
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_bad_arguments_are_refused(void **state) {
    (void)state;
    graze_robot *r = load(BAR("1.2", LIMIT("-3", "3")));
    graze_matrix *m = NULL;
    graze_error error;
    graze_matrix_options o = quick();
    assert_int_equal(graze_matrix_compute(NULL, r, &o, &error), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_matrix_compute(&m, NULL, &o, &error), GRAZE_ERROR_ARGUMENT);
    o.samples = 0;
    assert_int_equal(graze_matrix_compute(&m, r, &o, &error), GRAZE_ERROR_RANGE);
    o = quick();
    o.struct_size = 1;
    assert_int_equal(graze_matrix_compute(&m, r, &o, &error), GRAZE_ERROR_ARGUMENT);
    o = quick();
    volatile int cancel = 1;
    o.cancel = &cancel;
    assert_int_equal(graze_matrix_compute(&m, r, &o, &error), GRAZE_ERROR_CANCELLED);
    assert_null(m);
    graze_robot_free(r);
}

#ifdef GRAZE_FAULTS
static void test_every_failing_allocation_is_no_memory(void **state) {
    (void)state;
    graze_robot *r = load(GANTRY("0.3999"));
    graze_matrix_options o = quick();
    o.samples = 300;
    o.budget = 2000;
    for (long n = 1;; n++) {
        graze_matrix *m = NULL;
        graze_error error;
        gz_memory_fail_after(n, true);
        graze_status status = graze_matrix_compute(&m, r, &o, &error);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            assert_true(n > 20);
            graze_matrix_free(m);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_null(m);
    }
    graze_robot_free(r);
}
#endif

// A knob without limits, a post beside it that holds the two links apart in the tree, and a joint
// that follows the knob.
#define GEAR(kind, limits, multiplier, at, arm)                                                    \
    "<robot name='gear'><link name='base'>" BOX_AT(                                                \
        0.3, 0.3, 0.3,                                                                             \
        at) "</link><link name='knob'/>"                                                           \
            "<link name='mid'>" BOX_AT(                                                            \
                0.1, 0.1, 0.1,                                                                     \
                "0 0 -9") "</link><link name='arm'>" arm "</link>" JOINT("motor", "continuous",    \
                                                                         "base", "knob", "0 0 0",  \
                                                                         "0 0 1", "")              \
                JOINT("post", "revolute", "base", "mid", "0 0 0", "0 0 1", LIMIT("-0.01", "0.01")) \
                    JOINT("out", kind, "mid", "arm", "0 0 0", "0 0 1",                             \
                          limits "<mimic joint='motor' multiplier='" multiplier "'/>") "</robot>"
#define ARM    BOX_AT(0.3, 0.3, 0.3, "1 0 0")
#define SLIDER BOX_AT(0.2, 0.2, 0.2, "0 0 1")

static void test_a_followed_turn_goes_as_far_as_its_followers(void **state) {
    (void)state;
    // Half the rate: the arm is behind the base at two half turns of the motor, 2 pi, and that is
    // beyond one turn about 0. No limit holds the motor, so nothing is proved of what is missed.
    graze_matrix_kind kind = kind_of(GEAR("continuous", "", "0.5", "-1 0 0", ARM), "base", "arm");
    assert_true(kind == GRAZE_MATRIX_UNBOUNDED || kind == GRAZE_MATRIX_SOMETIMES);
    // A screw goes on turn by turn to its own limits, and meets the base at 17 rad and more.
    assert_int_equal(
        kind_of(GEAR("prismatic", LIMIT("-1", "1"), "0.05", "0 0 0", SLIDER), "base", "arm"),
        GRAZE_MATRIX_SOMETIMES);
    assert_int_equal(
        kind_of(GEAR("prismatic", LIMIT("-0.7", "1"), "0.05", "0 0 0", SLIDER), "base", "arm"),
        GRAZE_MATRIX_NEVER_PROVED);
    // Limits of a follower that leave out 0 are not cut by half a turn either way.
    assert_int_equal(kind_of(GEAR("revolute", LIMIT("4", "6"), "1", "0 -1 0", ARM), "base", "arm"),
                     GRAZE_MATRIX_SOMETIMES);
    assert_int_equal(
        kind_of(GEAR("revolute", LIMIT("5.5", "6"), "1", "0 -1 0", ARM), "base", "arm"),
        GRAZE_MATRIX_NEVER_PROVED);
    // Whole rates come round: one turn is all there is.
    assert_int_equal(kind_of(GEAR("continuous", "", "-2", "0 0 1", ARM), "base", "arm"),
                     GRAZE_MATRIX_NEVER_PROVED);
    assert_int_equal(kind_of(GEAR("continuous", "", "2", "-1 0 0", ARM), "base", "arm"),
                     GRAZE_MATRIX_SOMETIMES);
}

// ----------------------------------------------------------------------- ranges that hold not all

// A small link that keeps a car, fixed to it, from being the base's neighbour.
#define CAR(joints)                                                                                          \
    "<robot name='r'><link name='base'>" BOX(1, 1, 1) "</link><link name='knob'>" BOX_AT(                    \
        0.1, 0.1, 0.1,                                                                                       \
        "0 9 0") "</link><link name='m'>" BOX_AT(0.1, 0.1, 0.1,                                              \
                                                 "0 0 9") "</link><link name='car'>" BOX(1, 1,               \
                                                                                         1) "</link>" joints \
                                                                                            "</robot>"
#define KNOB      JOINT("turn", "revolute", "base", "knob", "0 0 0", "0 0 1", LIMIT("-1", "1"))
#define CAR_AT(y) JOINT("fix", "fixed", "m", "car", "0 " y " 0", "0 0 1", "")
#define SLIDE(limits)                                                                              \
    CAR(KNOB JOINT("slide", "prismatic", "base", "m", "0 0 0", "1 0 0", limits) CAR_AT("0"))

static void test_what_collides_in_some_of_the_configurations_is_not_always(void **state) {
    (void)state;
    // A diver in a tank: a floating joint goes farther than the metre that samples are drawn from.
    static const char tank[] =
        "<robot name='r'><link name='a'>" BOX(20, 20, 20) "</link><link name='b'>" BOX_AT(
            0.1, 0.1, 0.1,
            "0 0 50") "</link><link name='c'>" BOX(1, 1, 1) "</link>" JOINT("f", "floating", "a",
                                                                            "b", "0 0 0", "0 0 1",
                                                                            "")
            JOINT("k", "fixed", "b", "c", "0 0 0", "0 0 1", "") "</robot>";
    assert_int_equal(kind_of(tank, "a", "c"), GRAZE_MATRIX_DEFAULT);
    // A slow wheel: in one turn of its motor it leaves no contact that it leaves in ten.
    assert_int_equal(kind_of(GEAR("continuous", "", "0.02", "1 0 0", ARM), "base", "arm"),
                     GRAZE_MATRIX_DEFAULT);
    assert_int_equal(
        kind_of(GEAR("revolute", LIMIT("-0.06", "0.06"), "0.02", "1 0 0", ARM), "base", "arm"),
        GRAZE_MATRIX_ALWAYS);
}

static void test_limits_beyond_what_a_check_takes_are_cut(void **state) {
    (void)state;
    // Poses of larger values are no numbers: predicates were asked about these, without end.
    assert_int_equal(kind_of(SLIDE(LIMIT("-1.7e308", "1.7e308")), "base", "car"),
                     GRAZE_MATRIX_DEFAULT);
    static const char turn[] = CAR(KNOB JOINT("spin", "revolute", "base", "m", "0 0 0", "0 0 1",
                                              LIMIT("-1e9", "1e9")) CAR_AT("3"));
    assert_int_equal(kind_of(turn, "base", "car"), GRAZE_MATRIX_NEVER_SAMPLED);
    // The joint that follows is what the check refuses: its leader may turn by 2 rad or so.
    static const char fast[] = CAR(
        JOINT("turn", "revolute", "base", "knob", "0 0 0", "0 0 1", LIMIT("-100", "100"))
            JOINT("spin", "continuous", "base", "m", "0 0 0", "0 0 1",
                  "<mimic joint='turn' multiplier='-5e5' offset='1000'/>") CAR_AT("3"));
    assert_int_equal(kind_of(fast, "base", "car"), GRAZE_MATRIX_NEVER_SAMPLED);
    // Of a free turn of which the check takes only a part nothing is claimed.
    static const char free_turn[] = CAR(
        JOINT("turn", "continuous", "base", "knob", "0 0 0", "0 0 1", "")
            JOINT("spin", "continuous", "base", "m", "0 0 0", "0 0 1",
                  "<mimic joint='turn' offset='1048575'/>") CAR_AT("3"));
    assert_int_equal(kind_of(free_turn, "base", "car"), GRAZE_MATRIX_UNBOUNDED);
}

static void test_a_robot_that_no_check_takes_at_rest_is_refused(void **state) {
    (void)state;
    static const char text[] = CAR(KNOB JOINT("spin", "continuous", "base", "m", "0 0 0", "0 0 1",
                                              "<mimic joint='turn' offset='1e15'/>") CAR_AT("3"));
    graze_robot *r = load(text);
    graze_matrix *m = NULL;
    graze_error error;
    assert_int_equal(graze_matrix_compute(&m, r, NULL, &error), GRAZE_ERROR_RANGE);
    assert_null(m);
    assert_string_equal(error.element, "joint 'spin'");
    graze_robot_free(r);
}

static void test_no_distance_is_claimed_that_was_not_asked_for(void **state) {
    (void)state;
    // The car passes the base by 2e-10 m, less than any margin that is tried.
    graze_robot *r = load(CAR(KNOB JOINT("slide", "prismatic", "base", "m", "0 0 0", "1 0 0",
                                         LIMIT("-0.1", "0.1")) CAR_AT("1.0000000002")));
    graze_matrix_options o = quick();
    graze_matrix *m = compute(r, &o);
    const graze_matrix_entry *e = entry_of(m, "base", "car");
    assert_int_equal(e->kind, GRAZE_MATRIX_NEVER_SAMPLED);
    assert_true(e->distance <= 2e-10);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_what_no_joint_moves_is_decided_without_a_budget(void **state) {
    (void)state;
    // A joint between them follows another at the rate 0.
    graze_robot *r = load(CAR(KNOB JOINT("spin", "continuous", "base", "m", "0 0 0", "0 0 1",
                                         "<mimic joint='turn' multiplier='0'/>") CAR_AT("3")));
    graze_matrix_options o = quick();
    o.budget = 0;
    graze_matrix *m = compute(r, &o);
    assert_int_equal(entry_of(m, "base", "car")->kind, GRAZE_MATRIX_NEVER_PROVED);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static volatile int alarm_rang;

static void ring(int number) {
    (void)number;
    alarm_rang = 1;
}

/// Whether work that would take hours ends soon after it is cancelled.
static void cancel_late(const char *text, uint64_t search, uint64_t budget) {
    graze_robot *r = load(text);
    graze_matrix_options o = quick();
    o.search = search;
    o.budget = budget;
    o.cancel = &alarm_rang;
    alarm_rang = 0;
    signal(SIGALRM, ring);
    alarm(1);
    time_t start = time(NULL);
    graze_matrix *m = NULL;
    assert_int_equal(graze_matrix_compute(&m, r, &o, NULL), GRAZE_ERROR_CANCELLED);
    assert_true(difftime(time(NULL), start) < 20);
    graze_robot_free(r);
}

static void test_a_search_and_a_proof_can_be_cancelled(void **state) {
    (void)state;
    // They pass each other 10 mm apart: no search finds contact, nor ends before all its steps.
    cancel_late(CAR(KNOB JOINT("slide", "prismatic", "base", "m", "0 0 0", "1 0 0",
                               LIMIT("-500", "500")) CAR_AT("1.01")),
                1000000000, 0);
    // Two slides lead past at 2e-6 m, along 4 m2: a proof needs some 1e12 boxes of that size.
    cancel_late(
        CAR(KNOB JOINT("slide", "prismatic", "base", "m", "0 0 0", "1 0 0", LIMIT("-50", "50"))
                JOINT("lift", "prismatic", "m", "car", "0 1.000002 0", "0 0 1",
                      LIMIT("-50", "50"))),
        0, UINT64_C(1000000000000));
}

/// A quick matrix calls never only what it has proved, whatever is left of its work, and what a
/// deep one sees as colliding it does not leave out.
static void test_a_quick_matrix_calls_never_only_what_it_proves(void **state) {
    (void)state;
    // The bar misses the post by 5 mm: a short proof. Its reach is looked at from all sides.
    graze_robot *robot = load(BAR("1.1049", LIMIT("-3", "3")));
    const uint64_t works[] = {1, 100, 10000, GRAZE_MATRIX_QUICK};
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        graze_matrix_options options = graze_matrix_options_default();
        options.quick = works[i];
        graze_matrix *m = compute(robot, &options);
        graze_matrix_kind kind = entry_of(m, "base", "bar")->kind;
        if (i == 0) assert_int_equal(kind, GRAZE_MATRIX_UNPROVED);
        if (i == 3) assert_int_equal(kind, GRAZE_MATRIX_NEVER_PROVED);
        for (size_t k = 0; k < graze_matrix_count(m); k++)
            assert_int_not_equal(graze_matrix_at(m, k)->kind, GRAZE_MATRIX_NEVER_SAMPLED);
        graze_matrix_free(m);
    }
    graze_robot_free(robot);
    assert_null(graze_matrix_kind_reason(GRAZE_MATRIX_UNPROVED));
}

static void test_a_quick_matrix_is_the_same_for_all_threads(void **state) {
    (void)state;
    graze_robot *robot = load(BAR("1.04", LIMIT("-3", "3")));
    graze_matrix_options options = graze_matrix_options_default();
    options.quick = 3000;
    char *text[2];
    for (uint32_t i = 0; i < 2; i++) {
        size_t size;
        options.threads = 1 + 3 * i;
        graze_matrix *m = compute(robot, &options);
        assert_int_equal(graze_matrix_write_srdf(&text[i], &size, m, NULL, 0, NULL, NULL, NULL),
                         GRAZE_OK);
        graze_matrix_free(m);
    }
    assert_string_equal(text[0], text[1]);
    graze_matrix_text_free(text[0]);
    graze_matrix_text_free(text[1]);
    graze_robot_free(robot);
}

static void keep_greatest(uint64_t done, uint64_t total, void *user) {
    uint64_t *last = user;
    assert_true(done >= *last && done <= total && total > 0);
    *last = done;
}

static void test_progress_never_goes_back(void **state) {
    (void)state;
    graze_robot *robot = load(BAR("1.1049", LIMIT("-3", "3")));
    for (int i = 0; i < 2; i++) {
        uint64_t last = 0;
        graze_matrix_options options = graze_matrix_options_default();
        options.quick = i ? GRAZE_MATRIX_QUICK : 0;
        options.progress = keep_greatest;
        options.user = &last;
        graze_matrix_free(compute(robot, &options));
        assert_true(last > 0);
    }
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bar_that_misses_a_post_by_five_millimetres_is_proved_free),
        cmocka_unit_test(test_a_bar_that_only_its_corner_catches_is_never_called_free),
        cmocka_unit_test(test_limits_decide),
        cmocka_unit_test(test_contact_at_rest_alone_disables_nothing),
        cmocka_unit_test(test_links_that_always_touch_and_neighbours),
        cmocka_unit_test(test_pairs_that_no_joint_moves_are_decided_exactly),
        cmocka_unit_test(test_a_mimic_joint_is_no_variable_of_its_own),
        cmocka_unit_test(test_a_floating_joint_leaves_all_open),
        cmocka_unit_test(test_no_point_of_a_grid_hits_what_is_called_never),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_without_a_budget_nothing_is_proved_and_the_rule_of_three_counts),
        cmocka_unit_test(test_bad_arguments_are_refused),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_every_failing_allocation_is_no_memory),
#endif
        cmocka_unit_test(test_a_followed_turn_goes_as_far_as_its_followers),
        cmocka_unit_test(test_what_collides_in_some_of_the_configurations_is_not_always),
        cmocka_unit_test(test_limits_beyond_what_a_check_takes_are_cut),
        cmocka_unit_test(test_a_robot_that_no_check_takes_at_rest_is_refused),
        cmocka_unit_test(test_no_distance_is_claimed_that_was_not_asked_for),
        cmocka_unit_test(test_what_no_joint_moves_is_decided_without_a_budget),
        cmocka_unit_test(test_a_search_and_a_proof_can_be_cancelled),
        cmocka_unit_test(test_a_quick_matrix_calls_never_only_what_it_proves),
        cmocka_unit_test(test_a_quick_matrix_is_the_same_for_all_threads),
        cmocka_unit_test(test_progress_never_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
