// Inverse kinematics where all solutions are known by hand, and of the shipped robot, judged by a
// chain of rotations of its own.
#include "plan_fixture.h"

#include "graze/graze.h"

#define PI 3.14159265358979323846

/// Two links of a metre in the plane, which turn by so much about z; a tip at the end of the
/// second.
static void begin_arm(fixture *f, double lower, double upper) {
    char urdf[2048];
    snprintf(
        urdf, sizeof urdf,
        "<robot name='arm'><link name='base'/><link name='first'/>"
        "<link name='second'><collision><origin xyz='0.5 0 0'/><geometry>"
        "<box size='0.8 0.02 0.02'/></geometry></collision></link>"
        "<joint name='a' type='revolute'><parent link='base'/><child link='first'/>"
        "<axis xyz='0 0 1'/><limit lower='%.17g' upper='%.17g' effort='1' velocity='1'/></joint>"
        "<joint name='b' type='revolute'><parent link='first'/><child link='second'/>"
        "<origin xyz='1 0 0'/><axis xyz='0 0 1'/>"
        "<limit lower='%.17g' upper='%.17g' effort='1' velocity='1'/></joint></robot>",
        lower, upper, lower, upper);
    fixture_begin(f, urdf);
}

/// The tip of the second link, a metre along it.
static const graze_transform tip = {{1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}};

static graze_transform at(double x, double y) {
    return (graze_transform){{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0}};
}

static graze_ik_options tip_options(void) {
    graze_ik_options options = graze_ik_options_default();
    options.frame = &tip;
    options.position_only = 1;
    return options;
}

static graze_ik_result solve(fixture *f, int32_t link, graze_transform pose, const double *start,
                             const graze_ik_options *options, double *rows, size_t capacity) {
    graze_ik_result result;
    graze_error error;
    if (graze_ik(f->checker, link, &pose, start, NULL, options, rows, capacity, &result, &error))
        fail_msg("%s", error.message);
    return result;
}

/// The two angles of the elbow for a place of the tip: law of cosines.
static void analytic(double x, double y, double sign, double q[2]) {
    q[1] = sign * acos((x * x + y * y - 2) / 2);
    q[0] = atan2(y, x) - atan2(sin(q[1]), 1 + cos(q[1]));
}

static void test_both_elbows_are_found(void **state) {
    (void)state;
    fixture f;
    begin_arm(&f, -3, 3);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    for (int i = 0; i < 50; i++) {
        double x = 0.2 + 0.025 * i, y = 1.2 - 0.03 * i, start[2] = {0, i % 2 ? 0.3 : -0.3};
        double rows[6], wanted[2];
        graze_ik_result r = solve(&f, 2, at(x, y), start, &options, rows, 3);
        assert_int_equal(r.count, 2);
        assert_true(r.position_error <= 1e-8 && r.angle_error == 0);
        for (int k = 0; k < 2; k++) {
            analytic(x, y, rows[2 * k + 1] < 0 ? -1 : 1, wanted);
            assert_true(fabs(rows[2 * k] - wanted[0]) + fabs(rows[2 * k + 1] - wanted[1]) < 1e-6);
        }
        assert_true(rows[1] * rows[3] < 0);
        // The nearest to the start is the first.
        double d[2];
        for (int k = 0; k < 2; k++)
            d[k] = hypot(rows[2 * k] - start[0], rows[2 * k + 1] - start[1]);
        assert_true(d[0] <= d[1]);
    }
    fixture_free(&f);
}

static void test_limits_leave_one_elbow(void **state) {
    (void)state;
    fixture f;
    begin_arm(&f, 0, 3);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    double rows[6], wanted[2];
    const double start[2] = {1, 1};
    graze_ik_result r = solve(&f, 2, at(0.3, 1.2), start, &options, rows, 3);
    analytic(0.3, 1.2, 1, wanted);
    assert_int_equal(r.count, 1);
    assert_true(fabs(rows[0] - wanted[0]) + fabs(rows[1] - wanted[1]) < 1e-6);
    fixture_free(&f);
}

/// With limits of one and a half turns each way every angle is there three times.
static void test_whole_turns_are_solutions_too(void **state) {
    (void)state;
    fixture f;
    begin_arm(&f, -3 * PI, 3 * PI);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    double rows[2 * 40];
    const double start[2] = {2 * PI, 0};
    graze_ik_result r = solve(&f, 2, at(0.3, 1.2), start, &options, rows, 40);
    assert_int_equal(r.count, 18);
    for (size_t i = 0; i < r.count; i++) {
        const double *q = rows + 2 * i;
        assert_true(fabs(q[0]) <= 3 * PI && fabs(q[1]) <= 3 * PI);
        assert_true(hypot(cos(q[0]) + cos(q[0] + q[1]) - 0.3, sin(q[0]) + sin(q[0] + q[1]) - 1.2) <
                    2e-8);
        for (size_t k = 0; k < i; k++)
            assert_true(hypot(q[0] - rows[2 * k], q[1] - rows[2 * k + 1]) > 0.1);
    }
    // One alone is the nearest turn of a solution.
    r = solve(&f, 2, at(0.3, 1.2), start, &options, rows, 1);
    assert_int_equal(r.count, 1);
    assert_true(fabs(rows[0] - start[0]) <= PI && fabs(rows[1] - start[1]) <= PI);
    fixture_free(&f);
}

/// The start is at a solution that collides; the other one is found from places drawn among three
/// turns of each joint.
static void test_each_joint_of_one_solution_is_turned_to_the_start(void **state) {
    (void)state;
    fixture f;
    const double size[3] = {0.1, 0.1, 0.1};
    double blocked[2], row[2];
    begin_arm(&f, -3 * PI, 3 * PI);
    analytic(0.3, 1.2, 1, blocked);
    double middle = 0.5 * cos(blocked[0] + blocked[1]), height = 0.5 * sin(blocked[0] + blocked[1]);
    graze_transform pose = at(cos(blocked[0]) + middle, sin(blocked[0]) + height);
    assert_int_equal(graze_world_add_box(f.world, "box", size, &pose, NULL), GRAZE_OK);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    const double start[2] = {blocked[0], blocked[1] - 2 * PI};
    for (options.seed = 1; options.seed <= 20; options.seed++) {
        graze_ik_result r = solve(&f, 2, at(0.3, 1.2), start, &options, row, 1);
        assert_int_equal(r.count, 1);
        assert_true(r.collided > 0);
        for (int k = 0; k < 2; k++) assert_true(fabs(row[k] - start[k]) <= PI);
    }
    fixture_free(&f);
}

static void test_solutions_are_free(void **state) {
    (void)state;
    fixture f;
    double rows[6], wanted[2];
    const double start[2] = {0, 0}, size[3] = {0.1, 0.1, 0.1};
    begin_arm(&f, -3, 3);
    analytic(0.3, 1.2, 1, wanted); // a box in the middle of its second link
    double middle = 0.5 * cos(wanted[0] + wanted[1]), height = 0.5 * sin(wanted[0] + wanted[1]);
    graze_transform pose = at(cos(wanted[0]) + middle, sin(wanted[0]) + height);
    assert_int_equal(graze_world_add_box(f.world, "box", size, &pose, NULL), GRAZE_OK);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    graze_ik_result r = solve(&f, 2, at(0.3, 1.2), start, &options, rows, 3);
    assert_int_equal(r.count, 1);
    assert_true(rows[1] < 0 && r.collided > 0);
    assert_int_equal(r.contact.link, 2);
    options.colliding = 1;
    assert_int_equal(solve(&f, 2, at(0.3, 1.2), start, &options, rows, 3).count, 2);
    fixture_free(&f);
}

static void test_what_cannot_be_reached_says_how_far_it_is(void **state) {
    (void)state;
    fixture f;
    begin_arm(&f, -3, 3);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    double rows[2];
    const double start[2] = {0.4, 0.4};
    options.iterations = 2000; // where the error is 1 the damping is strong, and steps are short
    graze_ik_result r = solve(&f, 2, at(0, 3), start, &options, rows, 1);
    assert_int_equal(r.count, 0);
    assert_int_equal(r.starts, options.starts);
    assert_true(r.position_error >= 1 - 1e-12 && r.position_error < 1.001);
    fixture_free(&f);
}

/// The pose of a link by rotations about axes (Rodrigues), with the C library's sine and cosine.
static void chain(const graze_robot *robot, const double *q, int32_t link, double m[12]) {
    graze_joint_info joint;
    double above[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, value = 0;
    int32_t found = -1;
    for (size_t j = 0; j < graze_robot_joint_count(robot); j++) {
        assert_int_equal(graze_robot_joint(robot, (int32_t)j, &joint), GRAZE_OK);
        if (joint.child == link) found = (int32_t)j;
    }
    memcpy(m, above, sizeof above);
    if (found < 0) return;
    assert_int_equal(graze_robot_joint(robot, found, &joint), GRAZE_OK);
    chain(robot, q, joint.parent, above);
    assert_true(joint.mimic < 0);
    if (joint.q_index >= 0) value = q[joint.q_index];
    double a[3] = {joint.axis.x, joint.axis.y, joint.axis.z}, local[12] = {0}, placed[12];
    bool slides = joint.type == GRAZE_JOINT_PRISMATIC;
    double c = slides ? 1 : cos(value), s = slides ? 0 : sin(value);
    const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            local[4 * i + k] = c * (i == k) + s * cross[3 * i + k] + (1 - c) * a[i] * a[k];
        local[4 * i + 3] = slides ? value * a[i] : 0;
    }
    const double *pairs[2][2] = {{above, joint.origin.m}, {placed, local}};
    double *outs[2] = {placed, m};
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                double sum = k == 3 ? pairs[p][0][4 * i + 3] : 0;
                for (int j = 0; j < 3; j++) sum += pairs[p][0][4 * i + j] * pairs[p][1][4 * j + k];
                outs[p][4 * i + k] = sum;
            }
}

/// How far two poses are apart: metres, and rad by the trace.
static void assert_same_pose(const double *a, const double *b, double tolerance) {
    double difference = 0;
    for (int i = 0; i < 12; i++) difference = fmax(difference, fabs(a[i] - b[i]));
    assert_true(difference < tolerance);
}

static bool is_listed(const int32_t *list, size_t count, int32_t item) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == item) return true;
    return false;
}

/// 300 poses that free configurations of the arm at the shelf have: all are found again, free, and
/// within limits.
static void test_poses_of_the_shipped_robot_are_reached(void **state) {
    (void)state;
    fixture f;
    fixture_load(&f, "heron", "shelf");
    int32_t link = graze_robot_find_link(f.robot, "gripper_link");
    int32_t columns[32], group = graze_robot_find_group(f.robot, "arm_with_torso");
    graze_ik_options options = graze_ik_options_default(); // all joints that move the link
    size_t moving = graze_robot_group_columns(f.robot, (size_t)group, columns, 32);
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, f.checker, NULL), GRAZE_OK);
    double q[32], rest[32], rows[4 * 32], sample[32];
    graze_report report = {0};
    graze_robot_rest(f.robot, rest);
    size_t poses = 0, solved = 0, several = 0;
    for (uint64_t i = 0; poses < 300; i++) {
        assert_int_equal(graze_robot_sample(f.robot, 5, i, NULL, NULL, sample, NULL), GRAZE_OK);
        memcpy(q, rest, sizeof q);
        for (size_t k = 0; k < moving; k++) q[columns[k]] = sample[columns[k]];
        assert_int_equal(
            graze_check(f.checker, workspace, GRAZE_ANSWER_ANY, q, f.n, NULL, &report, NULL),
            GRAZE_OK);
        if (report.verdict != GRAZE_FREE) continue;
        graze_transform pose;
        chain(f.robot, q, link, pose.m);
        poses++;
        graze_ik_result r = solve(&f, link, pose, rest, &options, rows, 4);
        solved += r.count > 0;
        several += r.count == 4;
        for (size_t k = 0; k < r.count; k++) {
            double reached[12];
            chain(f.robot, rows + k * f.n, link, reached);
            assert_same_pose(reached, pose.m, 1e-7);
            for (size_t c = 0; c < f.n; c++) // wheels, head and fingers do not move the hand
                if (!is_listed(columns, moving, (int32_t)c))
                    assert_true(rows[k * f.n + c] == rest[c]);
            assert_int_equal(graze_robot_limits_violated(f.robot, rows + k * f.n, NULL, 0), 0);
            assert_int_equal(graze_check(f.checker, workspace, GRAZE_ANSWER_ANY, rows + k * f.n,
                                         f.n, NULL, &report, NULL),
                             GRAZE_OK);
            assert_int_equal(report.verdict, GRAZE_FREE);
        }
    }
    assert_true(solved >= 297 && several > 200);
    graze_workspace_free(workspace);
    fixture_free(&f);
}

static void test_the_same_call_gives_the_same_solutions(void **state) {
    (void)state;
    fixture f;
    fixture_load(&f, "heron", "shelf");
    int32_t link = graze_robot_find_link(f.robot, "gripper_link");
    double rest[32], rows[3][5 * 32];
    graze_robot_rest(f.robot, rest);
    graze_transform pose = {{1, 0, 0, 0.6, 0, 1, 0, 0.1, 0, 0, 1, 1.1}};
    graze_ik_options options = graze_ik_options_default();
    for (int i = 0; i < 3; i++) {
        options.seed = i < 2 ? 7 : 8;
        assert_int_equal(solve(&f, link, pose, rest, &options, rows[i], 5).count, 5);
    }
    assert_memory_equal(rows[0], rows[1], 5 * f.n * sizeof(double));
    assert_memory_not_equal(rows[0], rows[2], 5 * f.n * sizeof(double));
    fixture_free(&f);
}

static void test_bad_arguments_are_errors(void **state) {
    (void)state;
    fixture f;
    begin_arm(&f, -3, 3);
    fixture_finish(&f);
    graze_ik_options good = tip_options(), options;
    graze_ik_result result;
    const double start[2] = {0, 0}, nan_start[2] = {NAN, 0};
    double rows[2];
    const volatile int cancel = 1;
    const int32_t twice[2] = {0, 0}, beyond[1] = {2};
    graze_transform pose = at(1, 1), flat = {{0}}, mirrored = {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
#define TRY(link, pose, start, capacity)                                                           \
    graze_ik(f.checker, link, &(pose), start, NULL, &options, rows, capacity, &result, NULL)
    options = good;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_OK);
    assert_int_equal(TRY(3, pose, start, 1), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(TRY(-1, pose, start, 1), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(TRY(2, pose, start, 0), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(TRY(2, flat, start, 1), GRAZE_ERROR_RANGE);
    assert_int_equal(TRY(2, mirrored, start, 1), GRAZE_ERROR_RANGE);
    assert_int_equal(TRY(2, pose, nan_start, 1), GRAZE_ERROR_RANGE);
    options.frame = &flat;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_RANGE);
    options = good, options.position_tolerance = 0;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_RANGE);
    options = good, options.distinct = NAN;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_RANGE);
    options = good, options.starts = 0;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_RANGE);
    options = good, options.columns = twice, options.column_count = 2;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_ARGUMENT);
    options.columns = beyond, options.column_count = 1;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_ARGUMENT);
    options = good, options.cancel = &cancel;
    assert_int_equal(TRY(2, pose, start, 1), GRAZE_ERROR_CANCELLED);
    assert_int_equal(result.count, 0);
    fixture_free(&f);
}

/// A column that may not move stays; a floating body is put at the pose in one descent.
static void test_columns_that_may_not_move_stay(void **state) {
    (void)state;
    fixture f;
    begin_arm(&f, -3, 3);
    fixture_finish(&f);
    graze_ik_options options = tip_options();
    const int32_t second[1] = {1};
    options.columns = second, options.column_count = 1;
    const double start[2] = {0, 0.1};
    double rows[4];
    assert_int_equal(solve(&f, 2, at(1, 1), start, &options, rows, 1).count, 1);
    assert_true(rows[0] == 0 && fabs(rows[1] - PI / 2) < 1e-7);
    fixture_free(&f);
    fixture_begin(&f, "<robot name='r'><link name='a'/><link name='b'/><joint name='j' "
                      "type='floating'><parent link='a'/><child link='b'/></joint></robot>");
    fixture_finish(&f);
    const double rest[7] = {0, 0, 0, 0, 0, 0, 1};
    double q[7];
    graze_transform turned = {{0, -1, 0, 3, 0, 0, -1, 4, 1, 0, 0, 5}};
    graze_ik_result r = solve(&f, 1, turned, rest, NULL, q, 1);
    assert_int_equal(r.count, 1);
    graze_transform links[2];
    assert_int_equal(graze_robot_pose(f.robot, q, 7, NULL, links, NULL), GRAZE_OK);
    assert_same_pose(links[1].m, turned.m, 1e-7);
    const int32_t half[2] = {3, 4};
    options = graze_ik_options_default();
    options.columns = half, options.column_count = 2;
    assert_int_equal(graze_ik(f.checker, 1, &turned, rest, NULL, &options, q, 1, &r, NULL),
                     GRAZE_ERROR_UNSUPPORTED);
    fixture_free(&f);
}

/// What the header says of each number.
static void test_the_defaults_are_those_of_the_header(void **context) {
    (void)context;
    const graze_ik_options o = graze_ik_options_default();
    assert_true(o.starts == 200 && o.iterations == 60 && o.seed == 1);
    assert_true(o.position_tolerance == 1e-8 && o.angle_tolerance == 1e-8 && o.distinct == 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_defaults_are_those_of_the_header),
        cmocka_unit_test(test_both_elbows_are_found),
        cmocka_unit_test(test_limits_leave_one_elbow),
        cmocka_unit_test(test_whole_turns_are_solutions_too),
        cmocka_unit_test(test_each_joint_of_one_solution_is_turned_to_the_start),
        cmocka_unit_test(test_solutions_are_free),
        cmocka_unit_test(test_what_cannot_be_reached_says_how_far_it_is),
        cmocka_unit_test(test_poses_of_the_shipped_robot_are_reached),
        cmocka_unit_test(test_the_same_call_gives_the_same_solutions),
        cmocka_unit_test(test_bad_arguments_are_errors),
        cmocka_unit_test(test_columns_that_may_not_move_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
