// The joint audit against geometry that can be worked out by hand, against dense sampling with the
// checker, and where it cannot say anything.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/check.h"
#include "graze/lint.h"
#include "kinematics/motion_bound.h"
#include "lint/audit.h"
#include "unit/trials.h"

enum { MOST = 256, MOST_Q = 8 };

typedef struct record {
    gz_audit_event items[MOST];
    double q[MOST][MOST_Q];
    size_t count;
} record;

static bool keep(const gz_audit_event *m, void *user) {
    record *r = user;
    assert_true(r->count < MOST);
    r->items[r->count] = *m;
    return ++r->count < MOST;
}

static graze_robot *load(const char *text) {
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, text, strlen(text), "t", NULL, NULL,
                                                       &error);
    if (status) print_message("%s %s\n", error.message, error.element);
    assert_int_equal(status, GRAZE_OK);
    return robot;
}

static void audit(record *r, const graze_robot *robot, uint32_t samples) {
    r->count = 0;
    gz_audit a = {.robot = robot, .samples = samples, .seed = 7, .each = keep, .user = r};
    graze_error error;
    graze_status status = gz_audit_run(&a, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
}

/// A bar that turns about z at the origin, held by a mount that stands apart, and what is in its
/// way, which belongs to the root.
static char *make_bar(char *text, size_t size, double thick, const char *limits,
                      const char *obstacle) {
    snprintf(text, size,
             "<robot name='r'><link name='base'><collision>%s</collision></link>"
             "<link name='mount'><collision><origin xyz='0 0 -5'/><geometry><box size='1 1 1'/>"
             "</geometry></collision></link>"
             "<joint name='f' type='fixed'><parent link='base'/><child link='mount'/></joint>"
             "<link name='bar'><collision><origin xyz='0.55 0 0'/><geometry>"
             "<box size='0.9 %.17g 0.1'/></geometry></collision></link>"
             "<joint name='j' type='%s'><parent link='mount'/><child link='bar'/>"
             "<axis xyz='0 0 1'/>%s</joint></robot>",
             obstacle, thick, *limits ? "revolute" : "continuous", limits);
    return text;
}

#define LIMITS "<limit lower='-3' upper='3' effort='1' velocity='1'/>"

static void test_the_first_contact_is_where_geometry_has_it(void **state) {
    (void)state;
    char text[2048];
    // The corner (1, 0.05) of the bar overlaps the plane y = 0.5: sin t + 0.05 cos t = 0.5. The
    // wall is a micrometre thick, and ends before x = 0.
    double wanted = asin(0.5 / hypot(1, 0.05)) - atan(0.05);
    graze_robot *robot = load(
        make_bar(text, sizeof text, 0.1, LIMITS,
                 "<origin xyz='1 0.5000005 0'/><geometry><box size='1.6 0.000001 1'/></geometry>"));
    record r;
    audit(&r, robot, 0);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.items[0].kind, GZ_AUDIT_CONTACT);
    assert_int_equal(r.items[0].joint, graze_robot_find_joint(robot, "j"));
    assert_int_equal(r.items[0].a, graze_robot_find_link(robot, "base"));
    assert_int_equal(r.items[0].b, graze_robot_find_link(robot, "bar"));
    assert_true(fabs(r.items[0].value - wanted) <= 1e-6);
    assert_true(r.items[0].proved <= r.items[0].value);
    assert_true(r.items[0].value - r.items[0].proved <= 1e-6);
    assert_true(r.items[0].limit == 3);
    graze_robot_free(robot);
}

static void test_nothing_thin_is_stepped_over(void **state) {
    (void)state;
    char text[2048], needle[256];
    // A blade of a tenth of a micrometre and a needle as thin: they share a configuration for less
    // than 1e-6 rad. The other way round, downwards, there is nothing.
    const double places[][2] = {{0.5, 0.3}, {0.9, -0.2}, {-0.35, 0.6}, {0.3, 0.0100001}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        double x = places[i][0], y = places[i][1], wanted = atan2(y, x);
        snprintf(needle, sizeof needle,
                 "<origin xyz='%.17g %.17g 0'/><geometry><box size='1e-7 1e-7 0.2'/></geometry>", x,
                 y);
        graze_robot *robot = load(make_bar(text, sizeof text, 1e-7, LIMITS, needle));
        record r;
        audit(&r, robot, 0);
        assert_int_equal(r.count, 1);
        assert_int_equal(r.items[0].kind, GZ_AUDIT_CONTACT);
        assert_true(fabs(r.items[0].value - wanted) <= 2e-6);
        graze_robot_free(robot);
    }
}

static void test_endless_joints_are_swept_half_a_turn_each_way(void **state) {
    (void)state;
    char text[2048];
    graze_robot *robot = load(
        make_bar(text, sizeof text, 1e-3, "",
                 "<origin xyz='-0.5 0 0'/><geometry><box size='0.2 0.001 0.2'/></geometry>"));
    record r;
    audit(&r, robot, 0);
    assert_int_equal(r.count, 2);
    assert_true(r.items[0].value < -3.1 && r.items[0].value > -M_PI);
    assert_true(r.items[1].value > 3.1 && r.items[1].value < M_PI);
    assert_true(fabs(r.items[0].value + r.items[1].value) < 2e-6);
    graze_robot_free(robot);
}

static void test_surfaces_too_near_for_a_proof_are_told(void **state) {
    (void)state;
    char text[2048];
    // A disc of radius 0.3 about the axis beside the bar's flank: 20 nm apart at rest, and the
    // flank turns away; and a bar that turns 3 nm above a plate.
    graze_robot *robot = load(
        make_bar(text, sizeof text, 0.1, LIMITS,
                 "<origin xyz='0 0 -0.100000003'/><geometry><box size='9 9 0.1'/></geometry>"));
    record r;
    audit(&r, robot, 0);
    assert_int_equal(r.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(r.items[i].kind, GZ_AUDIT_NEAR);
        assert_true(r.items[i].gap < 1e-6 && r.items[i].gap >= 3e-9);
        assert_true(r.items[i].value == 0);
    }
    graze_robot_free(robot);
    // A micrometre is enough for a proof of the whole range, in as many steps as that has
    // micrometres.
    robot = load(make_bar(
        text, sizeof text, 0.1, "<limit lower='-0.3' upper='0.3' effort='1' velocity='1'/>",
        "<origin xyz='0 0 -0.100001'/><geometry><box size='9 9 0.1'/></geometry>"));
    audit(&r, robot, 0);
    assert_int_equal(r.count, 0);
    graze_robot_free(robot);
}

static void test_what_touches_at_rest_is_told_and_left_out(void **state) {
    (void)state;
    char text[2048];
    graze_robot *robot = load(
        make_bar(text, sizeof text, 0.1, LIMITS,
                 "<origin xyz='0.5 0 0'/><geometry><box size='0.2 0.2 0.2'/></geometry>"));
    record r;
    audit(&r, robot, 4);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.items[0].kind, GZ_AUDIT_REST);
    assert_int_equal(r.items[0].joint, -1);
    graze_robot_free(robot);
}

// ---------------------------------------------------------------------------- against dense
// sampling

/// Four links in a chain and one that follows: turning, sliding, mimicking, with boxes and spheres.
static char *make_random(gz_random *random, char *text, size_t size) {
    static const char *const types[] = {"revolute", "prismatic", "continuous", "revolute"};
    char *p = text, *end = text + size;
    p += snprintf(p, (size_t)(end - p), "<robot name='r'>");
    for (int i = 0; i < 6; i++) {
        double v[9];
        for (int k = 0; k < 9; k++) v[k] = gz_random_range(random, -1, 1);
        p += snprintf(p, (size_t)(end - p),
                      "<link name='l%d'><collision><origin xyz='%.3f %.3f %.3f' rpy='%.3f %.3f 0'/>"
                      "<geometry>",
                      i, 0.3 * v[0], 0.3 * v[1], 0.3 * v[2], 3 * v[3], 3 * v[4]);
        if (gz_random_below(random, 4) == 0)
            p += snprintf(p, (size_t)(end - p), "<sphere radius='%.3f'/>", 0.1 + 0.05 * v[5]);
        else
            p += snprintf(p, (size_t)(end - p), "<box size='%.3f %.3f %.3f'/>", 0.3 + 0.25 * v[5],
                          0.2 + 0.19 * v[6], 0.1 + 0.099 * v[7]);
        p += snprintf(p, (size_t)(end - p), "</geometry></collision></link>");
        if (i == 0) continue;
        for (int k = 0; k < 9; k++) v[k] = gz_random_range(random, -1, 1);
        bool follows = i == 5;
        p += snprintf(p, (size_t)(end - p),
                      "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
                      "<origin xyz='%.3f %.3f %.3f' rpy='%.3f %.3f %.3f'/>"
                      "<axis xyz='%.3f %.3f 0.5'/>"
                      "<limit lower='-1.5' upper='1.2' effort='1' velocity='1'/>%s</joint>",
                      i, follows ? "prismatic" : types[gz_random_below(random, 4)],
                      follows ? (int)gz_random_below(random, 4) : i - 1, i, 0.6 * v[0], 0.6 * v[1],
                      0.6 * v[2], 3 * v[3], v[4], v[5], v[6], v[7],
                      follows ? "<mimic joint='j2' multiplier='-0.4' offset='0.1'/>" : "");
    }
    snprintf(p, (size_t)(end - p), "</robot>");
    return text;
}

typedef struct oracle {
    graze_checker *checker;
    graze_workspace *workspace;
    size_t q_size;
    const graze_robot *robot;
    bool resting[8][8]; ///< pairs that touch at rest
} oracle;

/// Whether some pair touches that did not at rest, by the checker's verdicts on all pairs alone.
static bool collides(oracle *o, const double *q) {
    graze_contact contacts[64];
    graze_report report = {.contacts = contacts, .capacity = 64};
    assert_int_equal(
        graze_check(o->checker, o->workspace, GRAZE_ANSWER_ALL, q, o->q_size, NULL, &report, NULL),
        GRAZE_OK);
    assert_false(report.truncated);
    for (size_t i = 0; i < report.count; i++)
        if (!o->resting[contacts[i].link][contacts[i].other]) return true;
    return false;
}

static void make_oracle(oracle *o, const graze_robot *robot, const record *r) {
    *o = (oracle){.robot = robot, .q_size = graze_robot_q_size(robot)};
    assert_int_equal(graze_checker_create(&o->checker, robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&o->workspace, o->checker, NULL), GRAZE_OK);
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].kind == GZ_AUDIT_REST) o->resting[r->items[i].a][r->items[i].b] = true;
}

/// Walks one sweep from rest in small steps: free up to what is proved, and a contact where one is
/// told.
static bool check_sweep(oracle *o, int32_t joint, double limit, const gz_audit_event *m) {
    enum { STEPS = TRIALS(1500, 300) };
    double q[MOST_Q], start;
    graze_joint_info info;
    assert_int_equal(graze_robot_joint(o->robot, joint, &info), GRAZE_OK);
    graze_robot_rest(o->robot, q);
    start = q[info.q_index];
    double proved = m ? m->proved : limit;
    for (int i = 0; i <= STEPS; i++) {
        double t = start + (proved - start) * i / STEPS;
        q[info.q_index] = t;
        assert_false(collides(o, q));
    }
    if (!m || m->kind != GZ_AUDIT_CONTACT) return true;
    q[info.q_index] = m->value;
    assert_true(collides(o, q));
    // A micrometre before its first contact it is free, or it slides along.
    q[info.q_index] = m->value - (m->value > start ? 1 : -1) * GZ_AUDIT_TOLERANCE;
    if (fabs(m->value - start) > GZ_AUDIT_TOLERANCE) assert_false(collides(o, q));
    return fabs(m->value - m->proved) <= GZ_AUDIT_TOLERANCE;
}

static void test_dense_sampling_finds_no_contact_before_the_first(void **state) {
    (void)state;
    gz_random random = gz_random_make(11, 3);
    size_t contacts = 0, clear = 0, near = 0, slow = 0;
    for (int round = 0; round < TRIALS(30, 5); round++) {
        char text[8192];
        graze_robot *robot = load(make_random(&random, text, sizeof text));
        record r;
        audit(&r, robot, 0);
        oracle o;
        make_oracle(&o, robot, &r);
        for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
            graze_joint_info info;
            assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
            if (info.q_index < 0) continue;
            for (int side = 0; side < 2; side++) {
                double limit = info.limited ? (side ? info.upper : info.lower)
                               : side       ? M_PI
                                            : -M_PI;
                const gz_audit_event *m = NULL;
                for (size_t i = 0; i < r.count; i++)
                    if (r.items[i].joint == j && r.items[i].kind != GZ_AUDIT_BEYOND &&
                        (r.items[i].limit > 0) == (side == 1))
                        m = &r.items[i];
                if (m) assert_true(m->limit == limit);
                slow += !check_sweep(&o, j, limit, m);
                contacts += m && m->kind == GZ_AUDIT_CONTACT;
                near += m && m->kind == GZ_AUDIT_NEAR;
                clear += !m;
            }
        }
        graze_workspace_free(o.workspace);
        graze_checker_free(o.checker);
        graze_robot_free(robot);
    }
    print_message("%zu sweeps with a contact (%zu reached slowly), %zu without, %zu too near\n",
                  contacts, slow, clear, near);
    assert_true(contacts > TRIALS(30, 4) && clear > TRIALS(30, 4) && near < 5 && slow < 5);
}

static bool verify_sample(const gz_audit_event *m, void *user) {
    oracle *o = user;
    if (m->kind == GZ_AUDIT_CONTACT) assert_true(collides(o, m->q));
    return true;
}

static void test_sampled_witnesses_collide_and_the_same_seed_finds_the_same(void **state) {
    (void)state;
    gz_random random = gz_random_make(12, 3);
    size_t found = 0;
    for (int round = 0; round < TRIALS(10, 2); round++) {
        char text[8192];
        graze_robot *robot = load(make_random(&random, text, sizeof text));
        record r, again;
        audit(&r, robot, 0);
        oracle o;
        make_oracle(&o, robot, &r);
        gz_audit a = {.robot = robot, .samples = 8, .seed = 3, .each = verify_sample, .user = &o};
        assert_int_equal(gz_audit_run(&a, NULL), GRAZE_OK);
        audit(&r, robot, 8);
        audit(&again, robot, 8);
        assert_int_equal(r.count, again.count);
        for (size_t i = 0; i < r.count; i++) {
            assert_true(r.items[i].value == again.items[i].value);
            assert_true(r.items[i].sample == again.items[i].sample);
            found += r.items[i].sample >= 0;
        }
        graze_workspace_free(o.workspace);
        graze_checker_free(o.checker);
        graze_robot_free(robot);
    }
    assert_true(found > TRIALS(20, 4));
}

/// Some point of a geometry, posed.
static graze_vec3 point_of(const graze_geometry *g, const graze_transform *poses) {
    const double *v = g->vertex_count ? g->vertices : g->ends[0];
    return graze_transform_point(&poses[g->frame], (graze_vec3){v[0], v[1], v[2]});
}

static double distance_of(graze_vec3 a, graze_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void test_no_two_points_come_near_faster_than_their_bound(void **state) {
    (void)state;
    gz_random random = gz_random_make(13, 3);
    double tightest = 0;
    for (int round = 0; round < TRIALS(30, 5); round++) {
        char text[8192];
        graze_robot *robot = load(make_random(&random, text, sizeof text));
        size_t n = graze_robot_q_size(robot), count = graze_robot_collision_count(robot);
        double q[MOST_Q], low[MOST_Q], high[MOST_Q];
        for (size_t i = 0; i < n; i++) {
            graze_joint_info info;
            assert_int_equal(graze_robot_joint(robot, graze_robot_q_joint(robot, i), &info),
                             GRAZE_OK);
            low[i] = info.limited ? info.lower : -3;
            high[i] = info.limited ? info.upper : 3;
        }
        gz_motion_model motion;
        assert_int_equal(gz_motion_model_make(&motion, robot, low, high, NULL), GRAZE_OK);
        for (int shot = 0; shot < 300; shot++) {
            graze_transform poses[2][8];
            double rates[MOST_Q] = {0};
            for (size_t i = 0; i < n; i++) q[i] = gz_random_range(&random, low[i], high[i]);
            int32_t column = (int32_t)gz_random_below(&random, (uint32_t)n);
            double step = gz_random_range(&random, -0.01, 0.01);
            rates[column] = fabs(step);
            assert_int_equal(graze_robot_pose(robot, q, n, NULL, poses[0], NULL), GRAZE_OK);
            q[column] += step;
            assert_int_equal(graze_robot_pose(robot, q, n, NULL, poses[1], NULL), GRAZE_OK);
            for (size_t i = 0; i < count * count; i++) {
                graze_geometry a, b;
                assert_int_equal(graze_robot_collision(robot, i % count, &a), GRAZE_OK);
                assert_int_equal(graze_robot_collision(robot, i / count, &b), GRAZE_OK);
                if (a.owner == b.owner) continue;
                double most = gz_motion_rate(&motion, a.owner, b.owner, rates);
                double change = fabs(distance_of(point_of(&a, poses[1]), point_of(&b, poses[1])) -
                                     distance_of(point_of(&a, poses[0]), point_of(&b, poses[0])));
                assert_true(change <= most + 1e-12);
                if (most > 0) tightest = fmax(tightest, change / most);
            }
        }
        gz_motion_model_free(&motion);
        graze_robot_free(robot);
    }
    print_message("the fastest pair of points reaches %.3f of its bound\n", tightest);
    assert_true(tightest > 0.5);
}

// --------------------------------------------------------------------------------------- the rule

static graze_lint_report *lint(const char *text, uint32_t on, graze_status wanted) {
    graze_lint_options o = graze_lint_options_default();
    o.audit = on;
    o.audit_samples = 2;
    graze_lint_report *report = NULL;
    assert_int_equal(graze_lint_urdf_memory(&report, text, strlen(text), "t", NULL, &o, NULL),
                     wanted);
    return report;
}

static size_t count_audit(const graze_lint_report *r, const char *words) {
    size_t count = 0;
    for (size_t i = 0; i < graze_lint_finding_count(r); i++) {
        const graze_finding *f = graze_lint_finding(r, i);
        count += strcmp(f->rule->id, "S011") == 0 && strstr(f->message, words) != NULL;
    }
    return count;
}

static void test_the_rule_speaks_only_when_asked_and_says_what_it_could_not(void **state) {
    (void)state;
    char text[2048];
    make_bar(text, sizeof text, 0.1, LIMITS,
             "<origin xyz='1 0.51 0'/><geometry><box size='1.6 0.02 1'/></geometry>");
    graze_lint_report *r = lint(text, 0, GRAZE_OK);
    assert_int_equal(count_audit(r, ""), 0);
    graze_lint_report_free(r);
    r = lint(text, 1, GRAZE_OK);
    assert_int_equal(count_audit(r, "graze check -q j=0."), 1);
    graze_lint_report_free(r);
    r = lint("<robot name='r'><link name='a'/><link name='b'/></robot>", 1, GRAZE_OK);
    assert_int_equal(count_audit(r, "not audited"), 1);
    graze_lint_report_free(r);
    r = lint("<robot name='r'><link name='a'/></robot>", 1, GRAZE_OK);
    assert_int_equal(count_audit(r, ""), 0);
    graze_lint_report_free(r);
}

/// A wheel about z that follows an endless one, and a post behind it: at half the rate the arm is
/// in the post after a full turn of what drives it (pi of its own), at a whole rate within one.
static char *make_gear(char *text, size_t size, const char *type, const char *rate,
                       const char *limits) {
    snprintf(text, size,
             "<robot name='r'><link name='base'><collision><origin xyz='0 0 -5'/><geometry>"
             "<box size='1 1 1'/></geometry></collision></link><link name='post'><collision>"
             "<origin xyz='-0.5 0 0'/><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"
             "</link><joint name='p' type='fixed'><parent link='base'/><child link='post'/></joint>"
             "<link name='k'/><link name='w'><collision><origin xyz='0.5 0 0'/><geometry>"
             "<box size='0.1 0.1 0.1'/></geometry></collision></link>"
             "<joint name='a' type='continuous'><parent link='base'/><child link='k'/>"
             "<axis xyz='0 0 1'/></joint>"
             "<joint name='b' type='%s'><parent link='base'/><child link='w'/>"
             "<axis xyz='%d 0 %d'/>%s<mimic joint='a' multiplier='%s'/></joint></robot>",
             type, strcmp(type, "prismatic") == 0, strcmp(type, "prismatic") != 0, limits, rate);
    return text;
}

static bool collides_at(const char *text, double value) {
    graze_robot *robot = load(text);
    oracle o = {0};
    record none = {.count = 0};
    make_oracle(&o, robot, &none);
    bool found = collides(&o, &value);
    graze_workspace_free(o.workspace);
    graze_checker_free(o.checker);
    graze_robot_free(robot);
    return found;
}

static void test_a_gear_that_does_not_come_round_is_told(void **state) {
    (void)state;
    static const struct {
        const char *type, *rate, *limits;
        double overlaps;       ///< a value at which the arm is in the post
        size_t contacts, told; ///< findings, but for sampled sweeps
    } cases[] = {
        {"continuous", "0.5", "", 2 * M_PI, 0, 1},
        {"continuous", "-0.5", "", 2 * M_PI, 0, 1},
        {"continuous", "0.3333333333333333", "", 3 * M_PI, 0, 1},
        {"continuous", "1", "", M_PI, 2, 0},
        {"continuous", "-3", "", M_PI / 3, 2, 0},
        {"continuous", "1.5", "", M_PI / 1.5, 2, 0}, // contacts end both ways: nothing is beyond
        {"continuous", "0", "", NAN, 0, 0},
        // Half a turn is all that limits of its own leave it, or is not.
        {"revolute", "0.5", "<limit lower='-1.5' upper='1.5' effort='1' velocity='1'/>", NAN, 0, 0},
        {"revolute", "0.5", "<limit lower='-1.5' upper='3.1' effort='1' velocity='1'/>", 6.1, 0, 1},
        {"prismatic", "0.01", "<limit lower='-9' upper='0' effort='1' velocity='1'/>", -100, 0, 1},
        {"prismatic", "0.01", "<limit lower='-0.03' upper='0.03' effort='1' velocity='1'/>", NAN, 0,
         0},
        {"prismatic", "-0.5", "<limit lower='-9' upper='9' effort='1' velocity='1'/>", 2, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        make_gear(text, sizeof text, cases[i].type, cases[i].rate, cases[i].limits);
        if (!isnan(cases[i].overlaps) && !collides_at(text, cases[i].overlaps))
            fail_msg("%s at %s is free", cases[i].type, cases[i].rate);
        graze_lint_report *r = lint(text, 1, GRAZE_OK);
        size_t sampled = count_audit(r, "sampled sweeps");
        size_t contacts = count_audit(r, "into contact") - sampled;
        size_t told = count_audit(r, "only half a turn each way is swept");
        if (contacts != cases[i].contacts || told != cases[i].told ||
            count_audit(r, "") != contacts + told + sampled)
            fail_msg("%s at %s: %zu contacts, %zu told", cases[i].type, cases[i].rate, contacts,
                     told);
        graze_lint_report_free(r);
    }
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    char text[2048];
    make_bar(text, sizeof text, 0.1, LIMITS,
             "<origin xyz='1 0.51 0'/><geometry><box size='1.6 0.02 1'/></geometry>");
    bool done = false;
    long n = 1;
    for (; !done; n++) {
        graze_lint_options o = graze_lint_options_default();
        graze_lint_report *report = NULL;
        graze_error e;
        o.audit = 1;
        o.audit_samples = 1;
        gz_memory_fail_after(n, false);
        graze_status status = graze_lint_urdf_memory(&report, text, strlen(text), "x", NULL, &o,
                                                     &e);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        graze_lint_report_free(report);
    }
    assert_true(n > 100);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_contact_is_where_geometry_has_it),
        cmocka_unit_test(test_nothing_thin_is_stepped_over),
        cmocka_unit_test(test_endless_joints_are_swept_half_a_turn_each_way),
        cmocka_unit_test(test_surfaces_too_near_for_a_proof_are_told),
        cmocka_unit_test(test_what_touches_at_rest_is_told_and_left_out),
        cmocka_unit_test(test_dense_sampling_finds_no_contact_before_the_first),
        cmocka_unit_test(test_sampled_witnesses_collide_and_the_same_seed_finds_the_same),
        cmocka_unit_test(test_no_two_points_come_near_faster_than_their_bound),
        cmocka_unit_test(test_the_rule_speaks_only_when_asked_and_says_what_it_could_not),
        cmocka_unit_test(test_a_gear_that_does_not_come_round_is_told),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
