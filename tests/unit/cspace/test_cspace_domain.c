// Certified maps where the bounds that proofs rest on are strained: beyond the domain of epsilon,
// around objects of a thousand kilometres, and with frames that are rotations only nearly. What is
// proved of a cell must be the verdict at its ends.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

typedef struct setup {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
} setup;

static void open_robot(setup *s, const char *urdf) {
    graze_error error;
    *s = (setup){0};
    if (graze_robot_load_urdf_memory(&s->robot, urdf, strlen(urdf), "robot", NULL, NULL, &error))
        fail_msg("%s", error.message);
    assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
}

static void open_checker(setup *s, double margin) {
    graze_checker_options rules = graze_checker_options_default();
    rules.margin = margin;
    assert_int_equal(graze_world_commit(s->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&s->checker, s->robot, s->world, &rules, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s->workspace, s->checker, NULL), GRAZE_OK);
}

static void close_setup(setup *s) {
    graze_workspace_free(s->workspace);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static graze_verdict query(const setup *s, double a) {
    const double q[2] = {a, 0};
    graze_report report = {0};
    assert_int_equal(
        graze_check(s->checker, s->workspace, GRAZE_ANSWER_ANY, q, 2, NULL, &report, NULL),
        GRAZE_OK);
    return report.verdict;
}

enum { CELLS = 64 };

/// Maps the first joint over [low, high] in so many cells, and holds every proof against the
/// verdicts at both ends of its cell and in its middle. Returns how many cells are proved.
static int check_row(const setup *s, double low, double high, uint32_t count) {
    graze_cspace_cell cells[CELLS];
    graze_cspace map = graze_cspace_default();
    int proved = 0;
    map.certified = 1;
    map.width = count;
    map.height = 1;
    map.ranges[0][0] = low;
    map.ranges[0][1] = high;
    map.ranges[1][0] = -1e-13;
    map.ranges[1][1] = 1e-13;
    map.cells = cells;
    assert_int_equal(graze_cspace_map(s->checker, &map, NULL, NULL), GRAZE_OK);
    for (uint32_t i = 0; i < count; i++) {
        bool free = cells[i].state == GRAZE_CSPACE_FREE_CERTIFIED;
        if (!free && cells[i].state != GRAZE_CSPACE_COLLIDING_CERTIFIED) continue;
        proved++;
        for (int k = 0; k < 3; k++) {
            double at = low + (i + 0.5 * k) * (high - low) / count;
            if ((query(s, at) == GRAZE_FREE) != free)
                fail_msg("cell %d of %.3g m is proved %s, and is not at %.17g", (int)i,
                         (high - low) / count, free ? "free" : "to collide", at);
        }
    }
    return proved;
}

// The arm's ball is 90 m from the axis, which turns 1040 rad for each metre of the slide and may
// turn by 1 only: a thousand kilometres of arc, where epsilon, for angles up to 2, says nothing.
static void test_nothing_is_proved_where_a_follower_is_beyond_its_limits(void **state) {
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='base'/><link name='car'/><link name='other'/>"
        "<link name='arm'><collision><origin xyz='90 0 0'/><geometry><sphere radius='0.05'/>"
        "</geometry></collision></link>"
        "<joint name='a' type='prismatic'><parent link='base'/><child link='car'/>"
        "<axis xyz='0 0 1'/><limit lower='-1000' upper='1000' effort='1' velocity='1'/></joint>"
        "<joint name='b' type='revolute'><parent link='base'/><child link='other'/>"
        "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
        "<joint name='f' type='revolute'><parent link='base'/><child link='arm'/>"
        "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/>"
        "<mimic joint='a' multiplier='1040'/></joint></robot>";
    const double low = 999.123456789, high = nextafter(low, 2000), q[2] = {high, 0};
    for (double depth = 9e-9; depth < 1.1e-8; depth += 1e-10) {
        setup s;
        graze_transform links[4], place = graze_transform_identity();
        open_robot(&s, urdf);
        assert_int_equal(graze_robot_pose(s.robot, q, 2, NULL, links, NULL), GRAZE_OK);
        const double *arm = links[graze_robot_find_link(s.robot, "arm")].m;
        // A ball of the same size in its way, which it enters by the depth within one ulp.
        for (int i = 0; i < 3; i++)
            place.m[4 * i + 3] = 90 * arm[4 * i] + arm[4 * i + 1] * (0.1 - depth);
        assert_int_equal(graze_world_add_sphere(s.world, "ball", 0.05, &place, NULL), GRAZE_OK);
        open_checker(&s, NAN);
        assert_int_equal(check_row(&s, low, high, 1), 0);
        close_setup(&s);
    }
}

static const char lift[] =
    "<robot name='r'><link name='base'/><link name='x'/><link name='arm'><collision><geometry>%s"
    "</geometry></collision></link>"
    "<joint name='a' type='prismatic'><parent link='base'/><child link='x'/><axis xyz='0 0 1'/>"
    "<limit lower='-50' upper='50' effort='1' velocity='1'/></joint>"
    "<joint name='b' type='prismatic'><parent link='x'/><child link='arm'/><axis xyz='1 0 0'/>"
    "<limit lower='-50' upper='50' effort='1' velocity='1'/></joint></robot>";

static void open_lift(setup *s, const char *geometry) {
    char urdf[1024];
    snprintf(urdf, sizeof urdf, lift, geometry);
    open_robot(s, urdf);
}

// A verdict on curved shapes is open by some part of what they span, on a planet by micrometres.
static void test_proofs_above_a_planet_are_the_verdicts(void **state) {
    (void)state;
    static const char *const shapes[] = {"<box size='0.3 0.2 0.1'/>",
                                         "<cylinder radius='0.2' length='0.3'/>"};
    static const double margins[] = {NAN, 1e-3};
    int proved = 0;
    for (int i = 0; i < 12; i++) {
        setup s;
        open_lift(&s, shapes[i % 2]);
        const double tilt = 0.01 * (i / 4), xyz[3] = {0, 0, -9e5}, rpy[3] = {1.57 + tilt, tilt, 0};
        graze_transform place = graze_transform_from_xyz_rpy(xyz, rpy);
        assert_int_equal(graze_world_add_cylinder(s.world, "planet", 9e5, 1e5, &place, NULL),
                         GRAZE_OK);
        open_checker(&s, margins[i / 2 % 2]);
        double low = -40, high = 49;
        if (query(&s, low) == GRAZE_COLLISION && query(&s, high) == GRAZE_FREE) {
            for (int k = 0; k < 100; k++) {
                double middle = 0.5 * (low + high);
                if (query(&s, middle) == GRAZE_FREE)
                    high = middle;
                else
                    low = middle;
            }
            for (double size = 1e-3; size > 1e-9; size /= 10)
                proved += check_row(&s, low - 0.4 * size, low + size, CELLS);
        }
        close_setup(&s);
    }
    assert_true(proved > 100);
}

// Poses are rigid up to 1e-9: a box that is smaller by this than its frame's axes say.
static void test_a_box_in_a_shrinking_frame_ends_where_its_corners_do(void **state) {
    (void)state;
    static const double sizes[] = {100, 1e6};
    int proved = 0;
    for (int i = 0; i < 2; i++) {
        setup s;
        graze_transform place = graze_transform_identity();
        const double edge[3] = {sizes[i], sizes[i], sizes[i]}, shrink = 4.9e-10;
        for (int k = 0; k < 3; k++) place.m[5 * k] = 1 - shrink;
        place.m[11] = -sizes[i] / 2;
        open_lift(&s, "<sphere radius='0.3'/>");
        assert_int_equal(graze_world_add_box(s.world, "floor", edge, &place, NULL), GRAZE_OK);
        open_checker(&s, NAN);
        // Half of the difference to an upright box, on either side of the contact.
        const double off = shrink * sizes[i], top = 0.3 - off / 2;
        for (int k = -10; k <= 10; k++) {
            double at = top + 0.1 * k * off;
            proved += check_row(&s, at - 0.3 * off, at + 0.3 * off, 1);
        }
        close_setup(&s);
    }
    assert_true(proved > 10);
}

/// Maps the first slide over [low, high] in CELLS cells, and holds every middle against a check by
/// itself: an error there is an undecided cell. Returns how many there are.
static uint64_t check_refusals(const setup *s, double low, double high, uint32_t certified) {
    graze_cspace_cell cells[CELLS];
    graze_cspace_summary sum;
    graze_cspace map = graze_cspace_default();
    graze_error error = {0};
    uint64_t refused = 0;
    map.certified = certified;
    map.width = CELLS;
    map.height = 1;
    map.ranges[0][0] = low;
    map.ranges[0][1] = high;
    map.ranges[1][0] = -1e-3;
    map.ranges[1][1] = 1e-3;
    map.cells = cells;
    if (graze_cspace_map(s->checker, &map, &sum, &error)) fail_msg("%s", error.message);
    for (int i = 0; i < CELLS; i++) {
        const double q[2] = {low + (i + 0.5) * (high - low) / CELLS, 0};
        graze_report report = {0};
        graze_status status = graze_check(s->checker, s->workspace, GRAZE_ANSWER_ANY, q, 2, NULL,
                                          &report, NULL);
        bool free = cells[i].state == GRAZE_CSPACE_FREE ||
                    cells[i].state == GRAZE_CSPACE_FREE_CERTIFIED;
        bool undecided = cells[i].state == GRAZE_CSPACE_UNDECIDED;
        refused += undecided;
        assert_int_equal(cells[i].link >= 0, !free && !undecided);
        if (status == GRAZE_OK) {
            assert_false(undecided);
            assert_int_equal(report.verdict == GRAZE_FREE, free);
        } else {
            assert_int_equal(status, GRAZE_ERROR_RANGE);
            // Proofs speak of real places, wherever the error of a pose has a bound.
            assert_true(undecided || cells[i].state == GRAZE_CSPACE_FREE_CERTIFIED);
        }
    }
    assert_int_equal(sum.undecided, refused);
    return refused;
}

// With a margin the slide may go 1 m beyond its limits, and no farther.
static void test_cells_outside_the_domain_are_undecided_and_the_others_are_not(void **state) {
    (void)state;
    setup s;
    graze_transform place = graze_transform_identity();
    const double edge[3] = {40, 40, 40};
    open_lift(&s, "<sphere radius='0.3'/>");
    place.m[11] = 60;
    assert_int_equal(graze_world_add_box(s.world, "block", edge, &place, NULL), GRAZE_OK);
    open_checker(&s, 1e-3);
    // Middles at -60 + 1.875 (i + 1/2): five of them below -51, and five above 51, in the block.
    assert_int_equal(check_refusals(&s, -60, 60, 0), 10);
    assert_int_equal(check_refusals(&s, 49.9, 51.9, 0), 29); // 51.9 - (i + 1/2) / 32 > 51
    // One ball proves all of these to collide; those beyond 51 have no pair that could be named.
    assert_int_equal(check_refusals(&s, 49.9, 51.9, 1), 29);
    assert_true(check_refusals(&s, -60, 60, 1) >= 5);
    close_setup(&s);
}

static void test_a_map_of_which_no_cell_can_be_checked_is_an_error(void **state) {
    (void)state;
    setup s;
    graze_transform place = graze_transform_identity();
    open_lift(&s, "<sphere radius='0.3'/>");
    assert_int_equal(graze_world_add_sphere(s.world, "ball", 0.1, &place, NULL), GRAZE_OK);
    open_checker(&s, 1e-3);
    graze_cspace_cell cells[CELLS];
    graze_cspace map = graze_cspace_default();
    graze_error error;
    map.width = CELLS;
    map.height = 1;
    map.ranges[0][0] = 52;
    map.ranges[0][1] = 60;
    map.cells = cells;
    for (map.certified = 0; map.certified < 2; map.certified++) {
        assert_int_equal(graze_cspace_map(s.checker, &map, NULL, &error), GRAZE_ERROR_RANGE);
        assert_non_null(strstr(error.message, "value of joint 'a'"));
        assert_int_equal(graze_cspace_map(s.checker, &map, NULL, NULL), GRAZE_ERROR_RANGE);
        for (int i = 0; i < CELLS; i++) assert_int_equal(cells[i].state, GRAZE_CSPACE_UNDECIDED);
    }
    close_setup(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_proved_where_a_follower_is_beyond_its_limits),
        cmocka_unit_test(test_proofs_above_a_planet_are_the_verdicts),
        cmocka_unit_test(test_a_box_in_a_shrinking_frame_ends_where_its_corners_do),
        cmocka_unit_test(test_cells_outside_the_domain_are_undecided_and_the_others_are_not),
        cmocka_unit_test(test_a_map_of_which_no_cell_can_be_checked_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
