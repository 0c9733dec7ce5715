// Tables of pairs against distances in closed form, in long double; and the answers of a robot with
// tables against those of the same robot without.
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
#include "check/check_internal.h"
#include "check/filter_model.h"
#include "graze/graze.h"
#include "robot/robot.h"

// A dumb-bell, whose oriented box is as long as it, and a ball that turns about its middle, so that
// the ball is in the box in a fifth of all places. A sleeve slides the ball out; `follow` makes it
// follow the turn instead.
#define BALL(x, r)                                                                                 \
    "<collision><origin xyz='" x " 0 0'/><geometry><sphere radius='" r "'/></geometry></collision>"
#define LINKS                                                                                      \
    "<robot name='r'><link name='bell'>" BALL("1", ".1")                                           \
        BALL("-1", ".1") "</link><link name='hub'>" BALL(                                          \
            "9", ".1") "</link><link name='ball'>" BALL("0", ".05") "</link>"
#define LIMIT(low, high)        "<limit lower='" low "' upper='" high "' effort='1' velocity='1'/>"
#define JOINT(type, name, more) "<joint name='" name "' type='" type "'>" more "</joint>"
#define HUB                     "<parent link='bell'/><child link='hub'/><axis xyz='0 0 1'/>"
#define SLEEVE                  "<parent link='hub'/><child link='ball'/><origin xyz='.5 0 0'/><axis xyz='1 0 0'/>"
#define TURNS                   JOINT("revolute", "t", HUB LIMIT("-1.3", "2.9"))
#define ROUND                   JOINT("continuous", "t", HUB)
#define FIXED                   JOINT("fixed", "s", SLEEVE) "</robot>"
#define SLIDES                  JOINT("prismatic", "s", SLEEVE LIMIT("-.2", ".4")) "</robot>"
#define FOLLOWS                                                                                    \
    JOINT("prismatic", "s",                                                                        \
          SLEEVE LIMIT("-9", "9") "<mimic joint='t' multiplier='.25' offset='.1'/>")               \
    "</robot>"

typedef struct made {
    const char *urdf;
    bool rounds;
    int32_t columns;
    double slide, rate; ///< of the ball, where it is no column: slide + rate * turn
    double low[2], high[2];
} made;

static const made robots[] = {
    {LINKS TURNS FIXED, false, 1, 0, 0, {-1.3, 0}, {2.9, 0}},
    {LINKS ROUND FIXED, true, 1, 0, 0, {-M_PI, 0}, {M_PI, 0}},
    {LINKS TURNS FOLLOWS, false, 1, .1, .25, {-1.3, 0}, {2.9, 0}},
    {LINKS TURNS SLIDES, false, 2, 0, 0, {-1.3, -.2}, {2.9, .4}},
    {LINKS ROUND SLIDES, true, 2, 0, 0, {-M_PI, -.2}, {M_PI, .4}},
};
enum { ROBOTS = sizeof robots / sizeof *robots };

static graze_robot *load(const char *urdf) {
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "t", NULL, NULL, NULL), GRAZE_OK);
    return robot;
}

static graze_robot *tabulate(const graze_robot *robot) {
    graze_robot *out;
    assert_int_equal(graze_robot_tabulate(&out, robot, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_robot_table_count(out), 1);
    return out;
}

/// The robot of a text with its tables.
static graze_robot *load_tabulated(const char *urdf) {
    graze_robot *plain = load(urdf), *out = tabulate(plain);
    graze_robot_free(plain);
    return out;
}

/// How far the ball is from the bell, less than 0 where they overlap.
static long double gap(const made *m, const double *q) {
    long double out = .5L + (m->columns > 1 ? q[1] : (long double)m->slide + m->rate * q[0]);
    long double x = out * cosl(q[0]), y = out * sinl(q[0]);
    return fminl(hypotl(x - 1, y), hypotl(x + 1, y)) - (.1L + .05L);
}

// -------------------------------------------------------------------------------------- the cells

static void draw(const made *m, gz_random *random, double q[2]) {
    for (int k = 0; k < 2; k++) q[k] = gz_random_range(random, m->low[k], m->high[k]);
}

/// A place at the border of two cells, some ulps to either side.
static void draw_border(const made *m, const gz_pair_table *t, gz_random *random, double q[2]) {
    draw(m, random, q);
    int k = (int)gz_random_below(random, (uint32_t)m->columns);
    double cell = gz_random_below(random, (uint32_t)t->counts[k] + 1);
    q[k] = m->low[k] + (m->high[k] - m->low[k]) * cell / t->counts[k];
    int ulps = (int)gz_random_below(random, 7) - 3;
    for (; ulps > 0; ulps--) q[k] = nextafter(q[k], INFINITY);
    for (; ulps < 0; ulps++) q[k] = nextafter(q[k], -INFINITY);
}

static void expect_bound(const made *m, const graze_robot *robot, const double *q) {
    double bound = graze_robot_table_bound(robot, 0, q, graze_robot_q_size(robot));
    if ((long double)bound > fmaxl(gap(m, q), 0))
        fail_msg("%.17g, %.17g: %.9g; allowed: up to %.9Lg", q[0], q[1], bound, gap(m, q));
}

static void no_cell_is_above_the_distance(void **state) {
    (void)state;
    for (int i = 0; i < ROBOTS; i++) {
        const made *m = &robots[i];
        graze_robot *plain = load(m->urdf), *robot = tabulate(plain);
        gz_random random = gz_random_make(5, (uint64_t)i);
        for (int n = 0; n < 40000; n++) {
            double q[2];
            draw(m, &random, q);
            expect_bound(m, robot, q);
            draw_border(m, robot->tables, &random, q);
            expect_bound(m, robot, q);
        }
        graze_robot_free(robot);
        graze_robot_free(plain);
    }
}

/// The bound is 3/4 of the distance in the middle, less what a cell adds on the way: half of a cell
/// moves the ball by less than 0.9 m times that of the turn, and the slide besides.
static void no_cell_is_far_below_the_distance(void **state) {
    (void)state;
    for (int i = 0; i < ROBOTS; i++) {
        const made *m = &robots[i];
        graze_robot *plain = load(m->urdf), *robot = tabulate(plain);
        const gz_pair_table *t = robot->tables;
        gz_random random = gz_random_make(6, (uint64_t)i);
        double step = 0;
        for (int k = 0; k < m->columns; k++)
            step += (m->high[k] - m->low[k]) / t->counts[k] * (k ? 1 : 0.9 + m->rate);
        for (int n = 0; n < 20000; n++) {
            double q[2];
            draw(m, &random, q);
            double bound = graze_robot_table_bound(robot, 0, q, graze_robot_q_size(robot));
            if (bound < 0.999) assert_true(bound >= 0.7 * (double)gap(m, q) - 3 * step - 1e-4);
        }
        graze_robot_free(robot);
        graze_robot_free(plain);
    }
}

/// What comes round is known on every turn, what does not only in its limits.
static void turns_and_limits(void **state) {
    (void)state;
    for (int i = 0; i < ROBOTS; i++) {
        const made *m = &robots[i];
        graze_robot *plain = load(m->urdf), *robot = tabulate(plain);
        size_t n = graze_robot_q_size(robot);
        double low[2] = {m->low[0], m->low[1]}, high[2] = {m->high[0], m->high[1]};
        assert_true(robot->tables->rounds[0] == m->rounds);
        expect_bound(m, robot, low);
        expect_bound(m, robot, high);
        gz_random random = gz_random_make(7, (uint64_t)i);
        int known = 0;
        for (int k = 0; k < 20000; k++) {
            double q[2];
            draw(m, &random, q);
            q[0] += 2 * M_PI * ((int)gz_random_below(&random, 301) - 150);
            double bound = graze_robot_table_bound(robot, 0, q, n);
            if (m->rounds) expect_bound(m, robot, q);
            known += bound > 0 && fabs(q[0]) > 4;
        }
        assert_true(m->rounds ? known > 10000 : known == 0);
        const double odd[] = {NAN, INFINITY, -INFINITY, 1001, -1e300};
        for (int k = 0; k < 5; k++) {
            double q[2] = {odd[k], 0}, p[2] = {1.5, odd[k]};
            assert_true(graze_robot_table_bound(robot, 0, q, n) == 0);
            if (m->columns > 1) assert_true(graze_robot_table_bound(robot, 0, p, n) == 0);
        }
        assert_true(graze_robot_table_bound(robot, 0, low, n + 1) == 0);
        assert_true(graze_robot_table_bound(robot, 1, low, n) == 0);
        graze_robot_free(robot);
        graze_robot_free(plain);
    }
}

/// Over a range it is the least of the cells that the range touches.
static void ranges_hold_all_their_places(void **state) {
    (void)state;
    for (int i = 0; i < ROBOTS; i++) {
        const made *m = &robots[i];
        graze_robot *plain = load(m->urdf), *robot = tabulate(plain);
        const gz_pair_table *t = robot->tables;
        gz_random random = gz_random_make(8, (uint64_t)i);
        int known = 0;
        for (int n = 0; n < 3000; n++) {
            double q[2], half[2], p[2];
            draw_border(m, t, &random, q);
            for (int k = 0; k < 2; k++)
                half[k] = (m->high[k] - m->low[k]) * pow(2, -gz_random_range(&random, 1, 40));
            uint16_t least = gz_pair_table_within(t, q, half);
            known += least > 0;
            for (int s = 0; s < 20; s++) {
                for (int k = 0; k < 2; k++) {
                    double share = s < 4 ? (s >> k & 1 ? 1 : -1) : gz_random_range(&random, -1, 1);
                    p[k] = q[k] + share * half[k];
                }
                uint16_t here = gz_pair_table_at(t, p);
                // Just beyond a border the neighbour's cell is found; its proof holds here, too.
                if (here < least && !(n % 7 == 0 && here == 0))
                    assert_true(GZ_PAIR_TABLE_UNIT * least <= (double)gap(m, p));
            }
        }
        assert_true(known > 500);
        graze_robot_free(robot);
        graze_robot_free(plain);
    }
}

// ------------------------------------------------------------------------------- the same answers

typedef struct side {
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *ws;
    graze_distance_workspace *distance;
    graze_motion_workspace *motion;
} side;

static side open_side(graze_robot *robot, const graze_checker_options *rules) {
    side s = {.robot = robot};
    assert_int_equal(graze_checker_create(&s.checker, robot, NULL, rules, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s.ws, s.checker, NULL), GRAZE_OK);
    assert_int_equal(graze_distance_workspace_create(&s.distance, s.checker, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&s.motion, s.checker, NULL), GRAZE_OK);
    return s;
}

static void close_side(side *s) {
    graze_motion_workspace_free(s->motion);
    graze_distance_workspace_free(s->distance);
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_robot_free(s->robot);
}

static graze_verdict check(const side *s, const double *q, graze_contact *contact) {
    graze_report report = {.contacts = contact, .capacity = 1};
    assert_int_equal(graze_check(s->checker, s->ws, GRAZE_ANSWER_PAIR, q,
                                 graze_robot_q_size(s->robot), NULL, &report, NULL),
                     GRAZE_OK);
    return report.verdict;
}

static graze_interval distance(const side *s, const double *q, const double *base) {
    graze_proximity pair;
    graze_distance_report report = {.pairs = &pair, .capacity = 1};
    assert_int_equal(graze_distance(s->checker, s->distance, q, graze_robot_q_size(s->robot), base,
                                    NULL, &report, NULL),
                     GRAZE_OK);
    return report.least;
}

static graze_motion_report motion(const side *s, const double *from, const double *to) {
    graze_motion_options options = graze_motion_options_default();
    options.answer = GRAZE_MOTION_FIRST;
    graze_motion_report report;
    assert_int_equal(graze_check_motion(s->checker, s->motion, from, to,
                                        graze_robot_q_size(s->robot), NULL, NULL, &options, &report,
                                        NULL),
                     GRAZE_OK);
    return report;
}

static void compare(const side *a, const side *b, const double *q, const double *to) {
    graze_contact x = {0}, y = {0};
    assert_int_equal(check(a, q, &x), check(b, q, &y));
    assert_memory_equal(&x, &y, sizeof x);
    const double bases[3][6] = {{0}, {90, 0, 0, 0, 0, 1}, {4e5, -4e5, 4e5, 0, 0, 1}};
    for (int i = 0; i < 3; i++) { // the last one is out of the domain
        graze_interval d = distance(a, q, bases[i]), e = distance(b, q, bases[i]);
        assert_true(d.lower == e.lower && d.upper == e.upper);
    }
    graze_motion_report m = motion(a, q, to), n = motion(b, q, to);
    assert_true(m.verdict == n.verdict || m.verdict == GRAZE_MOTION_UNDECIDED);
    if (m.verdict == GRAZE_MOTION_HIT) assert_true(n.earliest >= m.earliest - 1e-3);
    assert_true(n.pair_tests <= m.pair_tests);
}

static void compare_batches(const side *a, const side *b, const double *q, size_t rows) {
    uint8_t *verdicts = calloc(rows, 2);
    const side *sides[2] = {a, b};
    for (size_t k = 0; k < 2; k++) {
        graze_batch batch = graze_batch_default();
        batch.count = rows;
        batch.q = q;
        batch.verdicts = verdicts + k * rows;
        assert_int_equal(graze_check_batch(sides[k]->checker, &batch, NULL), GRAZE_OK);
    }
    assert_memory_equal(verdicts, verdicts + rows, rows);
    free(verdicts);
}

static void answers_are_the_same(void **state) {
    (void)state;
    enum { ROWS = 600 };
    for (int i = 0; i < ROBOTS; i++) {
        graze_checker_options rules = graze_checker_options_default();
        if (i % 2) rules.margin = 0.05;
        graze_robot *robot = load(robots[i].urdf);
        side a = open_side(robot, &rules), b = open_side(tabulate(robot), &rules);
        size_t n = graze_robot_q_size(robot);
        double *q = calloc((ROWS + 1) * n, sizeof *q);
        gz_random random = gz_random_make(9, (uint64_t)i);
        for (int row = 0; row <= ROWS; row++) {
            double x[2];
            draw(&robots[i], &random, x);
            memcpy(q + (size_t)row * n, x, n * sizeof *x);
        }
        for (size_t row = 0; row < ROWS; row++) compare(&a, &b, q + row * n, q + (row + 1) * n);
        compare_batches(&a, &b, q, ROWS);
        free(q);
        close_side(&a);
        close_side(&b);
    }
}

/// Where the pair is just farther apart than the margin, and just nearer: the dial is the margin.
static void margins_stand_at_the_cell(void **state) {
    (void)state;
    graze_robot *robot = load_tabulated(robots[0].urdf);
    const double q[1] = {0.8};
    double bound = graze_robot_table_bound(robot, 0, q, 1);
    assert_true(bound > 0.1);
    for (int k = -3; k <= 3; k++) {
        graze_checker_options rules = graze_checker_options_default();
        rules.margin = bound + k * GZ_PAIR_TABLE_UNIT / 4;
        graze_checker *c;
        assert_int_equal(graze_checker_create(&c, robot, NULL, &rules, NULL), GRAZE_OK);
        const gz_check_pair *p = &c->pairs[0];
        const gz_filter_pair *f = &c->filter->pairs[0];
        assert_non_null(p->table);
        bool free = gz_pair_table_at(f->table, q) >= f->table_least;
        assert_true(free == (k < 0));
        graze_checker_free(c);
    }
    graze_robot_free(robot);
}

// --------------------------------------------------------------------------------- whose they are

static const gz_check_pair *pair_under(graze_checker **c, const graze_robot *robot,
                                       graze_policy policy) {
    graze_checker_options rules = graze_checker_options_default();
    rules.policy = policy;
    assert_int_equal(graze_checker_create(c, robot, NULL, &rules, NULL), GRAZE_OK);
    assert_int_equal((*c)->pair_count, 1);
    return (*c)->pairs;
}

static void caps_are_not_in_tables(void **state) {
    (void)state;
    graze_robot *robot = load_tabulated(robots[3].urdf);
    const graze_policy policies[] = {GRAZE_POLICY_SOLID, GRAZE_POLICY_SURFACE, GRAZE_POLICY_CAP};
    for (int i = 0; i < 3; i++) {
        graze_checker *c;
        const gz_check_pair *p = pair_under(&c, robot, policies[i]);
        assert_true((p->table != NULL) == (policies[i] != GRAZE_POLICY_CAP));
        graze_checker_free(c);
    }
    graze_robot_free(robot);
}

static void attached_bodies_leave_tables(void **state) {
    (void)state;
    graze_robot *robot = load_tabulated(robots[3].urdf), *carrying, *again, *anew;
    graze_geometry shape = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.2};
    graze_attachment a = graze_attachment_default();
    a.name = "load";
    a.link = "ball";
    a.geometry = &shape;
    assert_int_equal(graze_robot_attach(&carrying, robot, &a, NULL), GRAZE_OK);
    assert_int_equal(graze_robot_table_count(carrying), 1);
    anew = tabulate(carrying);
    assert_int_equal(graze_robot_table_count(anew), 1);
    assert_int_equal(graze_robot_detach(&again, carrying, "load", NULL), GRAZE_OK);
    assert_int_equal(graze_robot_table_count(again), 1);
    for (int32_t i = 0; i < 64 * 64; i++) {
        assert_int_equal(robot->tables->cells[i], again->tables->cells[i]);
        assert_int_equal(robot->tables->cells[i], anew->tables->cells[i]);
    }
    graze_robot_free(anew);
    graze_robot_free(again);
    graze_robot_free(carrying);
    graze_robot_free(robot);
}

/// Opens what was compiled, and verifies it.
static graze_status prove(const graze_robot *robot) {
    unsigned char *bytes;
    size_t size;
    graze_compiled *compiled;
    graze_status status = graze_compile(&bytes, &size, robot, NULL, NULL, NULL);
    if (status) return status;
    assert_int_equal(graze_compiled_open_memory(&compiled, bytes, size, "t", NULL), GRAZE_OK);
    status = graze_compiled_verify(compiled, NULL);
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
    return status;
}

static void forged_tables_are_found_out(void **state) {
    (void)state;
    for (int i = 0; i < ROBOTS; i++) {
        graze_robot *robot = load_tabulated(robots[i].urdf);
        gz_pair_table *t = robot->tables;
        assert_int_equal(prove(robot), GRAZE_OK);
        t->cells[7]++;
        assert_int_equal(prove(robot), GRAZE_ERROR_MESH);
        t->cells[7]--;
        t->high[0] += 0.1;
        assert_int_equal(prove(robot), GRAZE_ERROR_MESH);
        t->high[0] = robots[i].high[0];
        // What lookups would go astray by is refused where the file is opened.
        const gz_pair_table known = *t;
        gz_pair_table forged[7] = {known, known, known, known, known, known, known};
        forged[0].a = -1;
        forged[1].b = 9;
        forged[2].columns[0] = -1;
        forged[3].columns[1] = 2;
        forged[4].counts[0] *= 2;
        forged[5].low[0] = known.high[0];
        forged[6].counts[1] = 0;
        for (int k = 0; k < 7; k++) {
            *t = forged[k];
            assert_int_equal(prove(robot), GRAZE_ERROR_PARSE);
        }
        *t = known;
        graze_robot_free(robot);
    }
}

// -------------------------------------------------------------------------------------- arguments

static void arguments(void **state) {
    (void)state;
    graze_robot *robot = load(robots[3].urdf), *out;
    graze_tabulate_options o = graze_tabulate_options_default();
    graze_error error;
    assert_int_equal(graze_robot_tabulate(NULL, robot, &o, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_tabulate(&out, NULL, &o, NULL), GRAZE_ERROR_ARGUMENT);
    assert_null(out);
    const uint32_t cells[] = {0, 1, 3, 63, 512};
    for (int i = 0; i < 5; i++) {
        o.cells = cells[i];
        assert_int_equal(graze_robot_tabulate(&out, robot, &o, &error), GRAZE_ERROR_RANGE);
        assert_non_null(strstr(error.message, "a power of two from 2 to 256"));
    }
    const int cancelled = 1;
    o.cells = 2;
    o.cancel = &cancelled;
    assert_int_equal(graze_robot_tabulate(&out, robot, &o, &error), GRAZE_ERROR_CANCELLED);
    o.cancel = NULL;
    assert_int_equal(graze_robot_tabulate(&out, robot, &o, NULL), GRAZE_OK);
    graze_pair_table t;
    assert_int_equal(graze_robot_table(out, 0, &t), GRAZE_OK);
    assert_true(t.a == 0 && t.b == 2 && t.columns[0] == 0 && t.columns[1] == 1);
    assert_true(t.cells[0] == 2 && t.cells[1] == 2 && t.share >= 0 && t.share <= 1);
    assert_int_equal(graze_robot_table(out, 1, &t), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_table_count(NULL), 0);
    graze_robot_free(out);
    graze_robot_free(robot);
}

/// The tables are the same on several threads, and of a robot that has some.
static void threads_change_nothing(void **state) {
    (void)state;
    graze_robot *plain = load(robots[4].urdf), *one = tabulate(plain), *two;
    graze_tabulate_options o = graze_tabulate_options_default();
    o.threads = 2;
    assert_int_equal(graze_robot_tabulate(&two, one, &o, NULL), GRAZE_OK);
    assert_memory_equal(one->tables->cells, two->tables->cells,
                        one->tables->cell_count * sizeof *one->tables->cells);
    graze_robot_free(two);
    graze_robot_free(one);
    graze_robot_free(plain);
}

static void each_allocation_may_fail(void **state) {
#ifdef GRAZE_FAULTS
    (void)state;
    graze_robot *robot = load(robots[3].urdf), *out;
    graze_tabulate_options o = graze_tabulate_options_default();
    o.cells = 2;
    for (long n = 1;; n++) {
        gz_memory_fail_after(n, false);
        graze_status status = graze_robot_tabulate(&out, robot, &o, NULL);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        assert_int_equal(status, used < n ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        if (used < n) break;
        assert_null(out);
    }
    graze_robot_free(out);
    graze_robot_free(robot);
#else
    (void)state;
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_is_above_the_distance),
        cmocka_unit_test(no_cell_is_far_below_the_distance),
        cmocka_unit_test(turns_and_limits),
        cmocka_unit_test(ranges_hold_all_their_places),
        cmocka_unit_test(answers_are_the_same),
        cmocka_unit_test(margins_stand_at_the_cell),
        cmocka_unit_test(caps_are_not_in_tables),
        cmocka_unit_test(attached_bodies_leave_tables),
        cmocka_unit_test(forged_tables_are_found_out),
        cmocka_unit_test(arguments),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
