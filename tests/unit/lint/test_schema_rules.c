// The rules of the tier schema: each test holds what was once passed, or blamed, wrongly.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lint_text.h"

#define ROBOT(joint)  "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n" joint "\n</robot>"
#define ENDS          "<parent link='a'/><child link='b'/>"
#define JOINT(more)   ROBOT("<joint name='j' type='floating'>" ENDS more "</joint>")
#define TURNING(more) ROBOT("<joint name='j' type='continuous'>" ENDS more "</joint>")
#define SRDF(body)    "<robot name='r'>\n" body "\n</robot>"

/// The rule speaks once, at that line, of a text that the loader refuses.
static void expect(const char *urdf, const char *srdf, const char *rule, int line) {
    int at;
    size_t count = count_in(urdf, srdf, rule, &at);
    if (count != 1 || at != line) print_message("%s: %zu at %d in %s\n", rule, count, at, urdf);
    assert_int_equal(count, 1);
    assert_int_equal(at, line);
    if (srdf) return;
    graze_robot *robot = NULL;
    graze_error error;
    assert_int_not_equal(
        graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "test.urdf", NULL, NULL, &error),
        GRAZE_OK);
    assert_null(robot);
}

static void expect_none(const char *urdf, const char *srdf, const char *rule) {
    assert_int_equal(count_in(urdf, srdf, rule, NULL), 0);
}

static void test_a_joint_without_a_type_is_an_error(void **state) {
    (void)state;
    expect(ROBOT("<joint name='j'>" ENDS "</joint>"), NULL, "U009", 4);
    expect(ROBOT("<joint name='j' type=''>" ENDS "</joint>"), NULL, "U009", 4);
    expect(TURNING("\n<axis/>"), NULL, "U009", 5);
    expect_none(TURNING("<axis xyz='0 0 1'/>"), NULL, "U009");
}

static void test_what_nobody_reads_is_no_error(void **state) {
    (void)state;
    // The axis of a fixed or floating joint: the loader and urdfdom skip it, whatever it holds.
    expect_none(JOINT("<axis/><axis xyz='0 0 1'/>"), NULL, "U009");
    expect_none(JOINT("<axis/><axis xyz='0 0 1'/>"), NULL, "U010");
    expect_none(ROBOT("<joint name='j' type='fixed'>" ENDS "<limit/><limit/></joint>"), NULL,
                "U010");
    expect(JOINT("\n<limit/>\n<limit/>"), NULL, "U010", 6);
}

static void test_a_type_that_there_is_not_is_an_error(void **state) {
    (void)state;
    const char *const bad[] = {"Revolute", "hinge", "fixed ", "revolute:1", "fixed revolute"};
    const char *const good[] = {"fixed",     "revolute", "continuous",
                                "prismatic", "planar",   "floating"};
    char text[512];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, ROBOT("<joint name='j' type='%s'>" ENDS "</joint>"), bad[i]);
        expect(text, NULL, "U011", 4);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, ROBOT("<joint name='j' type='%s'>" ENDS "</joint>"), good[i]);
        expect_none(text, NULL, "U011");
    }
}

static void test_what_is_there_twice_is_an_error(void **state) {
    (void)state;
    // The loader takes the first axis, with a warning.
    const char *axes = TURNING("\n<axis xyz='0 0 1'/>\n<axis xyz='0 1 0'/>");
    int line;
    assert_int_equal(count_in(axes, NULL, "U010", &line), 1);
    assert_int_equal(line, 6);
    expect(JOINT("\n<child link='b'/>"), NULL, "U010", 5);
    expect(JOINT("\n<origin/><limit/>\n<origin/>"), NULL, "U010", 6);
    expect(JOINT("\n<origin rpy='0 0 1' quat_xyzw='0 0 0 1'/>"), NULL, "U010", 5);
    expect("<robot name='r'><link name='a'><collision><geometry>\n<box size='1 1 1'/>\n"
           "<sphere radius='1'/></geometry></collision></link></robot>",
           NULL, "U010", 3);
    expect("<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry>\n"
           "<geometry><box size='1 1 1'/></geometry></collision></link></robot>",
           NULL, "U010", 2);
    // Two collisions, each with an origin, are no two of one.
    expect_none("<robot name='r'><link name='a'><collision><origin/><geometry><box size='1 1 1'/>"
                "</geometry></collision><collision><origin/><geometry><box size='1 1 1'/>"
                "</geometry></collision></link></robot>",
                NULL, "U010");
}

static void test_an_origin_beyond_what_loads_is_an_error(void **state) {
    (void)state;
    expect(JOINT("\n<origin xyz='0 0 1048577'/>"), NULL, "U006", 5);
    expect(JOINT("\n<origin rpy='-1e7 0 0'/>"), NULL, "U006", 5);
    expect_none(JOINT("<origin xyz='0 0 1048576' rpy='-1048576 0 0'/>"), NULL, "U006");
    graze_lint_report *r = lint_texts(JOINT("<origin xyz='0 -2e6 0'/>"), NULL);
    const graze_finding *f = finding_of(r, "U006", NULL);
    assert_true(f->has_value && f->value == -2e6 && f->threshold == 1048576);
    assert_string_equal(f->unit, "m");
    graze_lint_report_free(r);
}

static void test_a_quaternion_of_zeros_is_an_error(void **state) {
    (void)state;
    expect(JOINT("\n<origin quat_xyzw='0 0 -0 0'/>"), NULL, "U003", 5);
    expect_none(JOINT("<origin quat_xyzw='0 0 0 1e-9'/>"), NULL, "U003");
}

static void test_an_srdf_is_held_to_its_own_schema(void **state) {
    (void)state;
    const char *robot = JOINT("");
    expect(robot, "<semantics name='r'/>", "U001", 1);
    expect(robot, "<robot/>", "U001", 1);
    expect(robot, SRDF("<disable_collisions link1='a' reason='Never'/>"), "U009", 2);
    expect(robot, SRDF("<group/>"), "U009", 2);
    expect(robot, SRDF("<group name='g'>\n<chain base_link='a'/></group>"), "U009", 3);
    expect(robot, SRDF("<virtual_joint name='v' type='revolute' parent_frame='w' child_link='a'/>"),
           "U011", 2);
    expect(robot, SRDF("<collision_margins default_margin='-1'/>"), "U003", 2);
    expect(robot,
           SRDF("<collision_margins>\n<pair_margin link1='a' link2='b' margin='inf'/>"
                "</collision_margins>"),
           "U006", 3);
    expect(robot, SRDF("<disable_colisions link1='a' link2='b'/>"), "U005", 2);
    expect(robot, SRDF("<xacro:include filename='x'/>"), "U002", 2);
    static const char *const rules[] = {"U001", "U002", "U003", "U005",
                                        "U006", "U009", "U010", "U011"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        expect_none(robot,
                    SRDF("<group name='g'><joint name='j'/><chain base_link='a' tip_link='b'/>"
                         "</group><disable_collisions link1='a' link2='b' reason='Adjacent'/>"
                         "<virtual_joint name='v' type='fixed' parent_frame='w' child_link='a'/>"
                         "<collision_margins default_margin='0'/><joint_property/>"),
                    rules[i]);
}

static void test_a_state_has_as_many_values_as_its_joint(void **state) {
    (void)state;
    static const struct {
        const char *type, *value;
        bool good;
    } cases[] = {{"floating", "1 2 3 4 5 6 7", true},
                 {"floating", "1", false},
                 {"planar", "1 2 3", true},
                 {"planar", "1 2", false},
                 {"prismatic", "1", true},
                 {"prismatic", "1 2 3", false},
                 {"prismatic", "", false},
                 {"prismatic", "open", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char urdf[512], srdf[512];
        snprintf(urdf, sizeof urdf, ROBOT("<joint name='j' type='%s'>" ENDS "</joint>"),
                 cases[i].type);
        snprintf(srdf, sizeof srdf,
                 SRDF("<group name='g'/><group_state name='s' group='g'>\n"
                      "<joint name='j' value='%s'/></group_state>"),
                 cases[i].value);
        assert_int_equal(count_in(urdf, srdf, "U003", NULL), !cases[i].good);
    }
    // How many an unknown joint has nobody knows; none at all is wrong whatever it is.
    expect_none(JOINT(""),
                SRDF("<group_state name='s' group='g'><joint name='x' value='1 2'/>"
                     "</group_state>"),
                "U003");
    assert_int_equal(count_in(JOINT(""),
                              SRDF("<group_state name='s' group='g'>"
                                   "<joint name='x' value=' '/></group_state>"),
                              "U003", NULL),
                     1);
}

static void test_a_tab_by_its_number_is_odd_space(void **state) {
    (void)state;
    int line;
    assert_int_equal(count_in(JOINT("\n<origin xyz='1&#9;2 3'/>"), NULL, "U004", &line), 1);
    assert_int_equal(line, 5);
    assert_int_equal(count_in(JOINT("\n<origin xyz='1\t2 3'/>"), NULL, "U004", NULL), 1);
    expect_none(JOINT("\n<origin xyz='1&#32;2 3'/>"), NULL, "U004");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_joint_without_a_type_is_an_error),
        cmocka_unit_test(test_what_nobody_reads_is_no_error),
        cmocka_unit_test(test_a_type_that_there_is_not_is_an_error),
        cmocka_unit_test(test_what_is_there_twice_is_an_error),
        cmocka_unit_test(test_an_origin_beyond_what_loads_is_an_error),
        cmocka_unit_test(test_a_quaternion_of_zeros_is_an_error),
        cmocka_unit_test(test_an_srdf_is_held_to_its_own_schema),
        cmocka_unit_test(test_a_state_has_as_many_values_as_its_joint),
        cmocka_unit_test(test_a_tab_by_its_number_is_odd_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
