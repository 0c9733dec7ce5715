#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/load/robot_text.h"

#define BALL "<collision><geometry><sphere radius='.1'/></geometry></collision>"

/// base - j1 - one - j2 - two - tool (fixed) - hand - finger (mimic), and float (floating).
static const char urdf[] =
    "<robot name='r'><link name='base'>" BALL "</link><link name='one'>" BALL "</link>"
    "<link name='two'>" BALL "</link><link name='hand'>" BALL "</link>"
    "<link name='finger'>" BALL "</link><link name='drone'>" BALL "</link>"
    "<joint name='j1' type='continuous'><parent link='base'/><child link='one'/></joint>"
    "<joint name='j2' type='continuous'><parent link='one'/><child link='two'/></joint>"
    "<joint name='tool' type='fixed'><parent link='two'/><child link='hand'/></joint>"
    "<joint name='grip' type='continuous'><mimic joint='j2'/><parent link='hand'/>"
    "<child link='finger'/></joint>"
    "<joint name='fly' type='floating'><parent link='base'/><child link='drone'/></joint></robot>";

static temporary_folder folder;

static int make_folder(void **state) {
    (void)state;
    folder = temporary_folder_make();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    temporary_folder_remove(&folder);
    return 0;
}

static graze_load_options with_srdf(const char *root_attributes, const char *inside) {
    char text[4000];
    snprintf(text, sizeof text, "<robot %s>\n%s\n</robot>\n", root_attributes, inside);
    temporary_write_text(&folder, "r.srdf", text);
    graze_load_options options = graze_load_options_default();
    options.srdf = temporary_path(&folder, "r.srdf");
    return options;
}

static graze_robot *load(const char *inside) {
    graze_load_options options = with_srdf("name='r'", inside);
    return robot_from(urdf, NULL, &options);
}

static graze_pair pair_of(const graze_robot *robot, const char *a, const char *b) {
    int32_t i = graze_robot_find_link(robot, a), j = graze_robot_find_link(robot, b);
    for (size_t k = 0; k < graze_robot_pair_count(robot); k++) {
        graze_pair pair;
        assert_int_equal(graze_robot_pair(robot, k, &pair), GRAZE_OK);
        if ((pair.a == i && pair.b == j) || (pair.a == j && pair.b == i)) return pair;
    }
    fail_msg("no pair %s, %s", a, b);
    return (graze_pair){0};
}

static graze_group group_of(const graze_robot *robot, const char *name) {
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group group;
        assert_int_equal(graze_robot_group(robot, i, &group), GRAZE_OK);
        if (strcmp(group.name, name) == 0) return group;
    }
    fail_msg("no group %s", name);
    return (graze_group){0};
}

/// Whether the joints of a group are exactly these, by name, separated by blanks.
static void assert_joints(const graze_robot *robot, const char *group, const char *expected) {
    graze_group g = group_of(robot, group);
    char text[400] = "";
    for (size_t i = 0; i < g.joint_count; i++) {
        graze_joint_info info;
        assert_int_equal(graze_robot_joint(robot, g.joints[i], &info), GRAZE_OK);
        if (i) strcat(text, " ");
        strcat(text, info.name);
    }
    assert_string_equal(text, expected);
}

static void test_disabled_pairs(void **state) {
    (void)state;
    graze_robot *robot = load("<disable_collisions link2='base' link1='two' reason='Never'/>"
                              "<disable_collisions link1='base' link2='two'/>"
                              "<disable_collisions link1='finger' link2='base'/>");
    graze_pair pair = pair_of(robot, "base", "two");
    assert_int_equal(pair.state, GRAZE_PAIR_DISABLED);
    assert_string_equal(pair.reason, "Never");
    assert_string_equal(pair_of(robot, "finger", "base").reason, "");
    assert_int_equal(pair_of(robot, "base", "hand").state, GRAZE_PAIR_CHECKED);
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_default_off_then_on_then_off(void **state) {
    (void)state;
    // The order in the file does not matter: defaults, then enables, then disables.
    graze_robot *robot = load("<disable_collisions link1='drone' link2='two' reason='Never'/>"
                              "<enable_collisions link1='drone' link2='one'/>"
                              "<enable_collisions link1='drone' link2='two'/>"
                              "<disable_default_collisions link='drone'/>");
    assert_int_equal(pair_of(robot, "drone", "hand").state, GRAZE_PAIR_DEFAULT);
    assert_int_equal(pair_of(robot, "drone", "one").state, GRAZE_PAIR_CHECKED);
    assert_int_equal(pair_of(robot, "drone", "two").state, GRAZE_PAIR_DISABLED);
    graze_robot_free(robot);
}

static void test_groups_of_every_kind(void **state) {
    (void)state;
    graze_robot *robot = load("<group name='all'><group name='arm'/><group name='grip'/></group>"
                              "<group name='arm'><chain base_link='base' tip_link='hand'/></group>"
                              "<group name='grip'><link name='finger'/></group>"
                              "<group name='two'><joint name='j2'/><joint name='fly'/></group>");
    assert_int_equal(graze_robot_group_count(robot), 4);
    assert_joints(robot, "arm", "j1 j2 tool");
    assert_joints(robot, "grip", "grip");
    assert_joints(robot, "two", "j2 fly");
    assert_joints(robot, "all", "j1 j2 tool grip");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_group_states(void **state) {
    (void)state;
    graze_robot *robot = load(
        "<group name='arm'><joint name='j1'/><joint name='j2'/></group>"
        "<group name='all'><group name='arm'/><joint name='fly'/></group>"
        "<group_state name='up' group='arm'><joint name='j2' value='-1.5'/></group_state>"
        "<group_state name='up' group='all'><joint name='j1' value='.25'/>"
        "<joint name='fly' value='1 2 3 0 0 0 1'/></group_state>");
    double q[9];
    assert_int_equal(graze_robot_q_size(robot), 9);
    for (int i = 0; i < 9; i++) q[i] = 7;
    assert_int_equal(graze_robot_apply_state(robot, NULL, "up", q, NULL), GRAZE_OK);
    assert_true(q[0] == 7 && q[1] == -1.5 && q[2] == 7);
    assert_int_equal(graze_robot_apply_state(robot, "all", "up", q, NULL), GRAZE_OK);
    assert_true(q[0] == .25 && q[1] == -1.5 && q[2] == 1 && q[4] == 3 && q[5] == 0 && q[8] == 1);
    assert_int_equal(graze_robot_apply_state(robot, "all", "down", q, NULL), GRAZE_ERROR_NOT_FOUND);
    graze_robot_free(robot);
}

static void test_virtual_passive_and_end_effector(void **state) {
    (void)state;
    graze_robot *robot = load(
        "<virtual_joint name='v' type='planar' parent_frame='odom' child_link='base'/>"
        "<passive_joint name='j2'/><group name='g'><link name='finger'/></group>"
        "<group name='a'><joint name='j1'/></group>"
        "<end_effector name='e' group='g' parent_link='hand' parent_group='a'/>"
        "<end_effector name='f' group='g' parent_link='two'/>");
    graze_virtual_joint v;
    graze_end_effector e;
    assert_int_equal(graze_robot_virtual_joint_count(robot), 1);
    assert_int_equal(graze_robot_virtual_joint(robot, 0, &v), GRAZE_OK);
    assert_string_equal(v.type, "planar");
    assert_string_equal(v.parent_frame, "odom");
    assert_int_equal(v.child, 0);
    assert_true(robot_joint(robot, "j2").passive && !robot_joint(robot, "j1").passive);
    assert_int_equal(graze_robot_end_effector_count(robot), 2);
    assert_int_equal(graze_robot_end_effector(robot, 0, &e), GRAZE_OK);
    assert_string_equal(e.group, "g");
    assert_string_equal(e.parent_group, "a");
    assert_int_equal(e.parent_link, graze_robot_find_link(robot, "hand"));
    assert_int_equal(graze_robot_end_effector(robot, 1, &e), GRAZE_OK);
    assert_string_equal(e.parent_group, "");
    graze_robot_free(robot);
}

static void assert_one_warning(const char *inside, const char *code, const char *message) {
    graze_robot *robot = load(inside);
    graze_warning w = robot_warning(robot, code);
    if (w.count != 1 || !strstr(w.message, message) || w.line < 1 || w.column < 1)
        fail_msg("%s: %s", inside, w.message ? w.message : "no warning");
    assert_string_equal(w.file, temporary_path(&folder, "r.srdf"));
    graze_robot_free(robot);
}

static void test_unknown_names_are_warnings_with_the_nearest_name(void **state) {
    (void)state;
    static const char group[] = "<group name='arm'><joint name='j1'/></group>";
    char text[600];
    assert_one_warning("<disable_collisions link1='fingr' link2='base'/>", "srdf-unknown-link",
                       "no link fingr (did you mean finger?): <disable_collisions> is left out");
    assert_one_warning("<disable_collisions link1='base' link2='gripper_palm'/>",
                       "srdf-unknown-link", "no link gripper_palm: <disable");
    assert_one_warning("<enable_collisions link1='bse' link2='one'/>", "srdf-unknown-link",
                       "did you mean base?");
    assert_one_warning("<disable_default_collisions link='twoo'/>", "srdf-unknown-link",
                       "did you mean two?");
    assert_one_warning("<passive_joint name='j3'/>", "srdf-unknown-joint", "did you mean j1?");
    assert_one_warning("<group name='g'><joint name='tol'/></group>", "srdf-unknown-joint",
                       "did you mean tool?");
    assert_one_warning("<group name='g'><chain base_link='base' tip_link='hnad'/></group>",
                       "srdf-unknown-link", "no link hnad");
    assert_one_warning("<group name='left_arm'/><group name='g'><group name='left_am'/></group>",
                       "srdf-unknown-group", "did you mean left_arm?");
    snprintf(text, sizeof text, "%s<group_state name='s' group='amr'/>", group);
    assert_one_warning(text, "srdf-unknown-group", "no group amr");
    snprintf(text, sizeof text,
             "%s<group_state name='s' group='arm'><joint name='J1' value='0'/></group_state>",
             group);
    assert_one_warning(text, "srdf-unknown-joint", "did you mean j1?");
    assert_one_warning("<virtual_joint name='v' type='fixed' parent_frame='w' child_link='bas'/>",
                       "srdf-unknown-link", "did you mean base?");
    snprintf(text, sizeof text, "%s<end_effector name='e' group='arm' parent_link='hnd'/>", group);
    assert_one_warning(text, "srdf-unknown-link", "did you mean hand?");
}

static void test_one_unknown_link_in_many_rules_is_one_warning(void **state) {
    (void)state;
    graze_robot *robot = load("<disable_collisions link1='palm' link2='base'/>"
                              "<disable_collisions link1='palm' link2='one'/>"
                              "<disable_collisions link1='two' link2='palm'/>");
    assert_int_equal(robot_warnings(robot, "srdf-unknown-link"), 1);
    assert_int_equal(robot_warning(robot, "srdf-unknown-link").count, 3);
    graze_warning w = robot_warning(robot, "srdf-no-effect");
    assert_int_equal(w.count, 1);
    assert_string_equal(w.message, "none of the 3 rules about collision pairs took effect");
    graze_robot_free(robot);
}

static void test_groups_and_states_may_name_the_virtual_joint(void **state) {
    (void)state;
    graze_robot *robot = load(
        "<group name='g'><joint name='world'/><joint name='j1'/></group>"
        "<group_state name='s' group='g'><joint name='world' value='1 2 3'/>"
        "<joint name='j1' value='1'/></group_state>"
        "<virtual_joint name='world' type='planar' parent_frame='w' child_link='base'/>");
    assert_joints(robot, "g", "j1");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_a_virtual_joint_below_the_root_is_a_warning(void **state) {
    (void)state;
    graze_robot *robot = load(
        "<virtual_joint name='ok' type='planar' parent_frame='w' child_link='base'/>\n"
        "<virtual_joint name='odd' type='floating' parent_frame='w' child_link='hand'/>");
    assert_int_equal(graze_robot_virtual_joint_count(robot), 2);
    assert_int_equal(graze_robot_warning_count(robot), 1);
    graze_warning w = robot_warning(robot, "virtual-joint-not-at-root");
    assert_string_equal(w.message, "virtual joint 'odd' has the child link 'hand', but the root is "
                                   "'base', which is what a base pose places");
    assert_int_equal(w.line, 3);
    assert_non_null(strstr(w.file, "r.srdf"));
    assert_non_null(strstr(w.element, "virtual_joint"));
    graze_robot_free(robot);
}

static void test_no_effect_is_said_only_when_there_was_none(void **state) {
    (void)state;
    graze_robot *robot = load("<disable_collisions link1='palm' link2='base'/>"
                              "<disable_collisions link1='one' link2='base'/>");
    assert_int_equal(robot_warning(robot, "srdf-no-effect").count, 0);
    graze_robot_free(robot);
    robot = load("<group name='g'><joint name='j1'/></group>");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_other_warnings(void **state) {
    (void)state;
    assert_one_warning("<disable_collisions link1='one' link2='one'/>", "srdf-same-link",
                       "names link one twice");
    assert_one_warning("<group name='g'/><group name='g'><joint name='j1'/></group>",
                       "srdf-duplicate-group", "group g is defined twice");
    assert_one_warning("<group name='g'><chain base_link='finger' tip_link='base'/></group>",
                       "srdf-no-chain", "from 'finger' down to 'base'");
    assert_one_warning("<group name='g'/><group_state name='s' group='g'>"
                       "<joint name='tool' value='0'/></group_state>",
                       "srdf-state-not-moving", "'tool'");
    assert_one_warning(
        "<link_sphere_approximation link='one'><sphere/></link_sphere_approximation>",
        "extension-ignored", "<link_sphere_approximation>");
    assert_one_warning("<group_tcps group='g'/>", "extension-ignored", "<group_tcps>");
    assert_one_warning("<disable_colisions link1='one' link2='two'/>", "unknown-element",
                       "did you mean disable_collisions?");
    assert_one_warning("<link name='one'/>", "srdf-is-urdf", "looks like a URDF");
    graze_load_options options = with_srdf("name='robby' version='1.0'", "");
    graze_robot *robot = robot_from(urdf, NULL, &options);
    assert_non_null(strstr(robot_warning(robot, "srdf-robot-name").message, "robby"));
    assert_int_equal(graze_robot_warning_count(robot), 1);
    graze_robot_free(robot);
}

static void test_collision_margins_as_tesseract_writes_them(void **state) {
    (void)state;
    graze_robot *robot = load("<collision_margins default_margin='0.025'>"
                              "<pair_margin link1='two' link2='base' margin='0.01'/>"
                              "<pair_margin link1='base' link2='one' margin='0'/>"
                              "</collision_margins>");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    assert_true(graze_robot_default_margin(robot) == 0.025);
    assert_int_equal(graze_robot_margin_count(robot), 2);
    graze_link_margin margin;
    assert_int_equal(graze_robot_margin(robot, 0, &margin), GRAZE_OK);
    assert_true(margin.a == 0 && margin.b == 1 && margin.margin == 0);
    assert_int_equal(graze_robot_margin(robot, 1, &margin), GRAZE_OK);
    assert_true(margin.a == 0 && margin.b == 2 && margin.margin == 0.01);
    assert_int_equal(graze_robot_margin(robot, 2, &margin), GRAZE_ERROR_ARGUMENT);
    graze_robot_free(robot);
    robot = load("<group name='g'/>");
    assert_true(isnan(graze_robot_default_margin(robot)));
    assert_int_equal(graze_robot_margin_count(robot), 0);
    graze_robot_free(robot);
}

static void test_of_two_margins_the_greater_counts_with_a_warning(void **state) {
    (void)state;
    graze_robot *robot = load("<collision_margins default_margin='0.5'>"
                              "<pair_margin link1='one' link2='base' margin='0.25'/>"
                              "<pair_margin link1='base' link2='one' margin='0.125'/>"
                              "</collision_margins><collision_margins default_margin='1'/>");
    graze_link_margin margin;
    assert_int_equal(graze_robot_margin_count(robot), 1);
    assert_int_equal(graze_robot_margin(robot, 0, &margin), GRAZE_OK);
    assert_true(margin.margin == 0.25);
    assert_true(graze_robot_default_margin(robot) == 1);
    assert_non_null(strstr(robot_warning(robot, "srdf-two-margins").message, "greater counts"));
    graze_robot_free(robot);
    assert_one_warning("<collision_margins><pair_margin link1='one' link2='onne' margin='1'/>"
                       "</collision_margins>",
                       "srdf-unknown-link", "<pair_margin> is left out");
    assert_one_warning("<collision_margins><pair_margin link1='one' link2='one' margin='1'/>"
                       "</collision_margins>",
                       "srdf-same-link", "names link one twice");
    assert_one_warning("<collision_margins defaultmargin='1'/>", "unknown-attribute",
                       "default_margin");
}

/// The balls of radius 0.1 all sit at the origin, two by two; the drone flies.
static void test_checkers_heed_the_margins_of_the_srdf(void **state) {
    (void)state;
    graze_robot *robot = load("<collision_margins default_margin='0.25'>"
                              "<pair_margin link1='one' link2='drone' margin='0.5'/>"
                              "</collision_margins>");
    // Only the drone and link one count: 0.3 apart, 0.4 apart, ...
    static const char *const others[] = {"two", "hand", "finger", "base"};
    graze_allowed_pair allowed[16];
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        allowed[count++] = (graze_allowed_pair){others[i], "one"};
        allowed[count++] = (graze_allowed_pair){others[i], "drone"};
        for (int k = 0; k < i; k++) allowed[count++] = (graze_allowed_pair){others[i], others[k]};
    }
    const struct {
        double apart, margin;
        uint32_t ignore;
        graze_verdict verdict;
    } cases[] = {
        {0.45, NAN, 0, GRAZE_COLLISION},   {0.55, NAN, 0, GRAZE_FREE},
        {0.45, 0.125, 0, GRAZE_COLLISION}, {0.45, NAN, 1, GRAZE_FREE},
        {0.45, 0.5, 1, GRAZE_COLLISION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_checker_options o = graze_checker_options_default();
        o.allowed = allowed;
        o.allowed_count = count;
        o.margin = cases[i].margin;
        o.ignore_srdf_margins = cases[i].ignore;
        graze_checker *checker;
        graze_workspace *ws;
        assert_int_equal(graze_checker_create(&checker, robot, NULL, &o, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
        double q[9] = {0};
        assert_int_equal(graze_robot_q_size(robot), 9);
        q[2] = 0.2 + cases[i].apart;
        q[8] = 1;
        graze_report report = {0};
        assert_int_equal(graze_check(checker, ws, GRAZE_ANSWER_ANY, q, 9, NULL, &report, NULL),
                         GRAZE_OK);
        assert_int_equal(report.verdict, cases[i].verdict);
        graze_workspace_free(ws);
        graze_checker_free(checker);
    }
    graze_robot_free(robot);
}

/// Groups whose members double at every level would take 2^30 steps if each were followed.
static void test_nested_groups_are_followed_once(void **state) {
    (void)state;
    char text[4000] = "<group name='g0'><joint name='j1'/></group>";
    for (int i = 1; i <= 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<group name='g%d'><group name='g%d'/><group name='g%d'/></group>", i, i - 1,
                 i - 1);
    graze_robot *robot = load(text);
    assert_joints(robot, "g30", "j1");
    graze_robot_free(robot);
}

static void test_too_many_groups_are_refused(void **state) {
    (void)state;
    enum { GROUPS = 1001, WIDTH = 24 };
    static char text[GROUPS * WIDTH + 64];
    char *p = text + sprintf(text, "<robot name='r'>\n");
    for (int i = 0; i < GROUPS; i++) p += sprintf(p, "<group name='g%d'/>\n", i);
    strcpy(p, "</robot>");
    temporary_write_text(&folder, "r.srdf", text);
    graze_load_options options = graze_load_options_default();
    options.srdf = temporary_path(&folder, "r.srdf");
    graze_error error = robot_error(urdf, NULL, &options);
    assert_int_equal(error.status, GRAZE_ERROR_LIMIT);
    assert_string_equal(error.element, "/robot/group[@name='g1000']");
    assert_int_equal(error.line, 1002);
}

static void test_missing_srdf_is_an_error(void **state) {
    (void)state;
    graze_load_options options = graze_load_options_default();
    options.srdf = temporary_path(&folder, "none.srdf");
    graze_error error = robot_error(urdf, NULL, &options);
    assert_int_equal(error.status, GRAZE_ERROR_NOT_FOUND);
    assert_string_equal(error.file, options.srdf);
}

/// Chains are counted at their ends, not followed: what several share, hold within each other, or
/// leave out must come out as if each were.
static void test_chains_that_share_and_nest(void **state) {
    (void)state;
    graze_robot *robot = load(
        "<group name='nested'><chain base_link='base' tip_link='finger'/>"
        "<chain base_link='one' tip_link='two'/></group>"
        "<group name='apart'><chain base_link='base' tip_link='one'/>"
        "<chain base_link='two' tip_link='finger'/></group>"
        "<group name='forked'><chain base_link='base' tip_link='drone'/>"
        "<chain base_link='one' tip_link='two'/></group>"
        "<group name='point'><chain base_link='two' tip_link='two'/></group>"
        "<group name='again'><group name='apart'/><chain base_link='one' tip_link='two'/></group>");
    assert_joints(robot, "nested", "j1 j2 tool grip");
    assert_joints(robot, "apart", "j1 tool grip");
    assert_joints(robot, "forked", "j2 fly");
    assert_joints(robot, "point", "");
    assert_int_equal(group_of(robot, "point").link_count, 1);
    assert_joints(robot, "again", "j1 j2 tool grip");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

/// Groups in layers, each of all groups of the layer below; an SRDF of a megabyte.
static void test_many_nested_groups_take_no_time(void **state) {
    (void)state;
    enum { WIDTH = 200, LAYERS = 5 };
    size_t size = 0, capacity = 4 << 20;
    char *text = malloc(capacity);
    assert_non_null(text);
    size += (size_t)sprintf(text, "<robot name='r'>");
    for (int layer = 0; layer < LAYERS; layer++) {
        for (int i = 0; i < WIDTH; i++) {
            size += (size_t)sprintf(text + size, "<group name='g%d_%d'>", layer, i);
            if (layer == 0)
                size += (size_t)sprintf(text + size, "<joint name='%s'/>", i & 1 ? "j1" : "j2");
            for (int k = 0; layer > 0 && k < (layer == 1 ? WIDTH : WIDTH / 2); k++)
                size += (size_t)sprintf(text + size, "<group name='g%d_%d'/>", layer - 1, k);
            size += (size_t)sprintf(text + size, "</group>\n");
            assert_true(size + 10000 < capacity);
        }
    }
    size += (size_t)sprintf(text + size, "</robot>");
    temporary_write_text(&folder, "r.srdf", text);
    free(text);
    graze_load_options options = graze_load_options_default();
    options.srdf = temporary_path(&folder, "r.srdf");
    clock_t start = clock();
    graze_robot *robot = robot_from(urdf, NULL, &options);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 4) fail_msg("%g s", seconds);
    assert_joints(robot, "g0_1", "j1");
    assert_joints(robot, "g4_199", "j1 j2");
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disabled_pairs),
        cmocka_unit_test(test_default_off_then_on_then_off),
        cmocka_unit_test(test_groups_of_every_kind),
        cmocka_unit_test(test_group_states),
        cmocka_unit_test(test_virtual_passive_and_end_effector),
        cmocka_unit_test(test_unknown_names_are_warnings_with_the_nearest_name),
        cmocka_unit_test(test_one_unknown_link_in_many_rules_is_one_warning),
        cmocka_unit_test(test_groups_and_states_may_name_the_virtual_joint),
        cmocka_unit_test(test_a_virtual_joint_below_the_root_is_a_warning),
        cmocka_unit_test(test_no_effect_is_said_only_when_there_was_none),
        cmocka_unit_test(test_other_warnings),
        cmocka_unit_test(test_collision_margins_as_tesseract_writes_them),
        cmocka_unit_test(test_of_two_margins_the_greater_counts_with_a_warning),
        cmocka_unit_test(test_checkers_heed_the_margins_of_the_srdf),
        cmocka_unit_test(test_nested_groups_are_followed_once),
        cmocka_unit_test(test_too_many_groups_are_refused),
        cmocka_unit_test(test_missing_srdf_is_an_error),
        cmocka_unit_test(test_chains_that_share_and_nest),
        cmocka_unit_test(test_many_nested_groups_take_no_time),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
