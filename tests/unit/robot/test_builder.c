// From what was said to a robot: names used twice, columns of q, mimic chains, groups, states, and
// running out of memory at every allocation.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "unit/robot/robot_maker.h"

static const gz_place nowhere;

/// A chain a - b - c - d - e - f with a fork c - g: b revolute, c planar, d floating, e prismatic
/// following b, f fixed, g continuous.
static graze_status say_links(gz_builder *b, graze_error *e) {
    static const struct {
        const char *name, *parent;
        graze_joint_type type;
    } links[] = {{"a", NULL, GRAZE_JOINT_FIXED},    {"b", "a", GRAZE_JOINT_REVOLUTE},
                 {"c", "b", GRAZE_JOINT_PLANAR},    {"d", "c", GRAZE_JOINT_FLOATING},
                 {"e", "d", GRAZE_JOINT_PRISMATIC}, {"f", "e", GRAZE_JOINT_FIXED},
                 {"g", "c", GRAZE_JOINT_CONTINUOUS}};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < 7 && status == GRAZE_OK; i++) {
        int32_t link;
        status = gz_builder_add_link(b, links[i].name, (gz_line){(int32_t)i + 1, 2}, &link, e);
        if (status == GRAZE_OK && i % 2 == 0) status = robot_box(b, link, 0.1, NULL, e);
        if (status || !links[i].parent) continue;
        char name[16];
        snprintf(name, sizeof name, "to_%s", links[i].name);
        gz_joint_input in = {.name = name,
                             .type = links[i].type,
                             .parent = links[i].parent,
                             .child = links[i].name,
                             .origin = graze_transform_identity(),
                             .axis = {0, 0, 1},
                             .has_limit = true,
                             .lower = i == 1 ? 0.5 : -2,
                             .upper = i == 1 ? 1.5 : -1,
                             .mimic = i == 4 ? "to_b" : NULL,
                             .multiplier = 2,
                             .offset = 0.25,
                             .at = {(int32_t)i + 10, 3}};
        status = gz_builder_add_joint(b, &in, e);
    }
    return status;
}

enum { A, B, C, D, E, F, G };

static gz_builder *said(void) {
    gz_builder *b = gz_builder_create("seven", "seven.urdf");
    assert_non_null(b);
    assert_int_equal(say_links(b, NULL), GRAZE_OK);
    return b;
}

static graze_robot *finish(gz_builder *b) {
    graze_robot *robot;
    graze_error e;
    if (gz_builder_finish(b, &robot, &e)) fail_msg("%s", e.message);
    assert_int_equal(e.status, GRAZE_OK);
    return robot;
}

static void test_columns_are_named_in_the_order_of_the_joints(void **state) {
    (void)state;
    graze_robot *robot = finish(said());
    static const char *const names[] = {"to_b",    "to_c/x",  "to_c/y",  "to_c/angle",
                                        "to_d/x",  "to_d/y",  "to_d/z",  "to_d/qx",
                                        "to_d/qy", "to_d/qz", "to_d/qw", "to_g"};
    static const int32_t joints[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 5};
    assert_int_equal(graze_robot_q_size(robot), 12);
    for (size_t i = 0; i < 12; i++) {
        assert_string_equal(graze_robot_q_name(robot, i), names[i]);
        assert_int_equal(graze_robot_q_joint(robot, i), joints[i]);
        assert_int_equal(graze_robot_find_q(robot, names[i]), i);
    }
    assert_null(graze_robot_q_name(robot, 12));
    assert_int_equal(graze_robot_q_joint(robot, 12), -1);
    assert_int_equal(graze_robot_find_q(robot, "to_c"), -1);
    assert_int_equal(graze_robot_find_q(robot, NULL), -1);
    double q[12];
    graze_robot_rest(robot, q);
    for (int i = 0; i < 12; i++) assert_true(q[i] == (i == 0 ? 0.5 : i == 10 ? 1 : 0));
    static const int32_t first[] = {0, 1, 4, -1, -1, 11}, count[] = {1, 3, 7, 0, 0, 1};
    for (int32_t j = 0; j < 6; j++) {
        graze_joint_info info;
        assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
        assert_int_equal(info.q_index, first[j]);
        assert_int_equal(info.q_count, count[j]);
        bool limited = info.type == GRAZE_JOINT_REVOLUTE || info.type == GRAZE_JOINT_PRISMATIC;
        assert_int_equal(info.limited, limited);
        if (!limited) assert_true(info.lower == -INFINITY && info.upper == INFINITY);
        assert_int_equal(info.mimic, j == 3 ? 0 : -1);
        assert_int_equal(graze_robot_find_joint(robot, info.name), j);
    }
    graze_joint_info info;
    assert_int_equal(graze_robot_joint(robot, 6, &info), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_joint(robot, -1, &info), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_joint(robot, 0, NULL), GRAZE_ERROR_ARGUMENT);
    assert_string_equal(graze_robot_name(robot), "seven");
    assert_int_equal(graze_robot_link_count(robot), 7);
    assert_int_equal(graze_robot_root(robot), A);
    assert_int_equal(graze_robot_find_link(robot, "g"), G);
    assert_int_equal(graze_robot_find_link(robot, "h"), -1);
    assert_int_equal(graze_robot_find_link(robot, NULL), -1);
    assert_null(graze_robot_link_name(robot, 7));
    assert_null(graze_robot_link_name(robot, -1));
    graze_robot_free(robot);
    graze_robot_free(NULL);
}

static void test_names_may_be_used_once(void **state) {
    (void)state;
    gz_builder *b = said();
    graze_error e;
    int32_t link;
    assert_int_equal(gz_builder_add_link(b, "c", (gz_line){40, 5}, &link, &e), GRAZE_ERROR_SCHEMA);
    assert_int_equal(e.line, 40);
    assert_string_equal(e.file, "seven.urdf");
    assert_non_null(strstr(e.message, "line 3"));
    assert_int_equal(robot_joint(b, GRAZE_JOINT_FIXED, "a", "b", NULL, &e), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(e.message, "to_b"));
    const graze_robot *so_far = gz_builder_robot(b);
    assert_int_equal(graze_robot_link_count(so_far), 7);
    assert_int_equal(graze_robot_joint_count(so_far), 6);
    assert_int_equal(gz_builder_find_joint(b, "to_g"), 5);
    assert_int_equal(gz_builder_find_joint(b, "to_h"), -1);
    graze_joint_info joint;
    assert_int_equal(graze_robot_joint(so_far, 5, &joint), GRAZE_OK);
    assert_string_equal(joint.name, "to_g");
    assert_string_equal(graze_robot_link_name(so_far, 6), "g");
    assert_string_equal(graze_robot_name(so_far), "seven");
    gz_builder_free(b);
    gz_builder_free(NULL);
}

static void test_geometry_of_impossible_size_is_refused(void **state) {
    (void)state;
    const double bad[] = {-0x1p-1074, -1, NAN, INFINITY, 0x1p21};
    for (size_t i = 0; i < 5; i++) {
        gz_builder *b = said();
        graze_error e;
        assert_int_equal(robot_box(b, 1, bad[i], NULL, &e), GRAZE_ERROR_RANGE);
        assert_string_equal(e.file, "seven.urdf");
        gz_geometry_input in = {.link = 1,
                                .shape = GRAZE_SHAPE_CAPSULE,
                                .radius = 1,
                                .length = bad[i],
                                .origin = graze_transform_identity()};
        assert_int_equal(gz_builder_add_geometry(b, &in, &e), GRAZE_ERROR_RANGE);
        gz_builder_free(b);
    }
}

static void assert_lists(const int32_t *list, size_t count, const char *want) {
    assert_int_equal(count, strlen(want));
    for (size_t i = 0; i < count; i++) assert_int_equal(list[i], want[i] - '0');
}

static void test_groups_resolve_chains_links_and_subgroups(void **state) {
    (void)state;
    gz_builder *b = said();
    int32_t arm, tool, both, none;
    assert_int_equal(gz_builder_add_group(b, "arm", &arm), GRAZE_OK);
    assert_int_equal(gz_builder_add_group(b, "both", &both), GRAZE_OK);
    assert_int_equal(gz_builder_add_group(b, "tool", &tool), GRAZE_OK);
    assert_int_equal(gz_builder_add_group(b, "none", &none), GRAZE_OK);
    assert_int_equal(gz_builder_find_group(b, "tool"), tool);
    assert_int_equal(gz_builder_find_group(b, "loot"), -1);
    gz_builder_group_chain(b, arm, B, E, nowhere);       // joints to_c to_d to_e, links b c d e
    gz_builder_group_joint(b, tool, 5);                  // to_g, and so link g
    gz_builder_group_link(b, tool, F);                   // f, and so the joint to_f
    gz_builder_group_subgroup(b, both, "tool", nowhere); // a group named before it is defined
    gz_builder_group_subgroup(b, both, "arm", nowhere);
    gz_builder_group_subgroup(b, both, "tool", nowhere); // twice is once
    gz_builder_group_subgroup(b, none, "missing", nowhere);
    gz_builder_group_chain(b, none, E, B, nowhere); // the wrong way round
    graze_robot *robot = finish(b);
    graze_group g;
    assert_int_equal(graze_robot_group_count(robot), 4);
    assert_int_equal(graze_robot_group(robot, (size_t)arm, &g), GRAZE_OK);
    assert_string_equal(g.name, "arm");
    assert_lists(g.joints, g.joint_count, "123");
    assert_lists(g.links, g.link_count, "1234");
    graze_robot_group(robot, (size_t)tool, &g);
    assert_lists(g.joints, g.joint_count, "45");
    assert_lists(g.links, g.link_count, "56");
    graze_robot_group(robot, (size_t)both, &g);
    assert_lists(g.joints, g.joint_count, "12345");
    assert_lists(g.links, g.link_count, "123456");
    graze_robot_group(robot, (size_t)none, &g);
    assert_int_equal(g.joint_count + g.link_count, 0);
    assert_int_equal(graze_robot_group(robot, 4, &g), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_group(robot, 0, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_warning_count(robot), 2);
    assert_string_equal(graze_robot_warning(robot, 0).code, "srdf-unknown-group");
    assert_string_equal(graze_robot_warning(robot, 1).code, "srdf-no-chain");
    assert_null(graze_robot_warning(robot, 2).code);
    graze_robot_free(robot);
}

static void test_groups_that_contain_themselves_are_refused(void **state) {
    (void)state;
    for (int length = 1; length < 4; length++) {
        gz_builder *b = said();
        static const char *const names[] = {"x", "y", "z"};
        int32_t group;
        for (int i = 0; i < length; i++) gz_builder_add_group(b, names[i], &group);
        for (int i = 0; i < length; i++)
            gz_builder_group_subgroup(b, i, names[(i + 1) % length],
                                      (gz_place){"seven.srdf", "/robot/group", 8, 4});
        graze_robot *robot;
        graze_error e;
        assert_int_equal(gz_builder_finish(b, &robot, &e), GRAZE_ERROR_SCHEMA);
        assert_null(robot);
        assert_string_equal(e.file, "seven.srdf");
        assert_int_equal(e.line, 8);
    }
    // A long chain of groups without a cycle, and one that is too long.
    for (int length = 30; length < 60; length += 25) {
        gz_builder *b = said();
        for (int i = 0; i < length; i++) {
            char name[16], next[16];
            int32_t group;
            snprintf(name, sizeof name, "g%d", i);
            snprintf(next, sizeof next, "g%d", i + 1);
            gz_builder_add_group(b, name, &group);
            if (i + 1 < length)
                gz_builder_group_subgroup(b, group, next, nowhere);
            else
                gz_builder_group_joint(b, group, 5);
        }
        graze_robot *robot;
        graze_error e;
        assert_int_equal(gz_builder_finish(b, &robot, &e),
                         length < 33 ? GRAZE_OK : GRAZE_ERROR_LIMIT);
        if (length < 33) {
            graze_group g;
            graze_robot_group(robot, 0, &g);
            assert_lists(g.joints, g.joint_count, "5");
            graze_robot_free(robot);
        }
    }
}

static void test_states_write_their_joints_and_nothing_else(void **state) {
    (void)state;
    gz_builder *b = said();
    int32_t home, other;
    gz_builder_add_state(b, "home", "arm", &home);
    gz_builder_add_state(b, "home", "tool", &other);
    const double one[] = {0.75}, three[] = {1, 2, 3}, seven[] = {1, 2, 3, 0, 0, 0, 1};
    gz_builder_state_joint(b, home, 0, one, 1, nowhere);
    gz_builder_state_joint(b, home, 2, seven, 7, nowhere);
    gz_builder_state_joint(b, home, 3, one, 1, nowhere); // a mimic joint has no value of its own
    gz_builder_state_joint(b, other, 1, three, 3, nowhere);
    graze_robot *robot = finish(b);
    double q[12];
    graze_error e;
    for (int i = 0; i < 12; i++) q[i] = -9;
    assert_int_equal(graze_robot_apply_state(robot, "arm", "home", q, &e), GRAZE_OK);
    const double arm[] = {0.75, -9, -9, -9, 1, 2, 3, 0, 0, 0, 1, -9};
    assert_memory_equal(q, arm, sizeof arm);
    for (int i = 0; i < 12; i++) q[i] = -9;
    assert_int_equal(graze_robot_apply_state(robot, NULL, "home", q, &e), GRAZE_OK);
    assert_memory_equal(q, arm, sizeof arm); // the first of that name
    assert_int_equal(graze_robot_apply_state(robot, "tool", "home", q, &e), GRAZE_OK);
    assert_true(q[1] == 1 && q[2] == 2 && q[3] == 3 && q[0] == 0.75);
    assert_int_equal(graze_robot_apply_state(robot, "arm", "rest", q, &e), GRAZE_ERROR_NOT_FOUND);
    assert_non_null(strstr(e.message, "tool/home"));
    assert_int_equal(graze_robot_apply_state(robot, "leg", "home", q, &e), GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(graze_robot_apply_state(robot, "arm", NULL, q, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_apply_state(robot, "arm", "home", NULL, &e), GRAZE_ERROR_ARGUMENT);
    const char *name, *group;
    assert_int_equal(graze_robot_state_count(robot), 2);
    assert_int_equal(graze_robot_state(robot, 1, &name, &group), GRAZE_OK);
    assert_string_equal(name, "home");
    assert_string_equal(group, "tool");
    assert_int_equal(graze_robot_state(robot, 1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_robot_state(robot, 2, &name, &group), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_warning_count(robot), 1);
    assert_string_equal(graze_robot_warning(robot, 0).code, "srdf-state-not-moving");
    graze_robot_free(robot);
    // Too few and too many values.
    for (size_t count = 0; count < 10; count++) {
        if (count == 3) continue;
        const double many[10] = {0};
        b = said();
        gz_builder_add_state(b, "home", "arm", &home);
        gz_builder_state_joint(b, home, 1, many, count, (gz_place){"s", "e", 4, 1});
        assert_int_equal(gz_builder_finish(b, &robot, &e), GRAZE_ERROR_SCHEMA);
        assert_int_equal(e.line, 4);
    }
}

static void test_mimic_chains_are_composed(void **state) {
    (void)state;
    gz_builder *b = gz_builder_create("m", "m.urdf");
    static const char *const names[] = {"l0", "l1", "l2", "l3"};
    int32_t link;
    for (int i = 0; i < 4; i++) gz_builder_add_link(b, names[i], (gz_line){0}, &link, NULL);
    for (int i = 1; i < 4; i++) { // j1 = 2 j2 + 1, j2 = -3 j3 + 0.5, j3 is free
        char name[8], other[8];
        snprintf(name, sizeof name, "j%d", i);
        snprintf(other, sizeof other, "j%d", i + 1);
        gz_joint_input in = {.name = name,
                             .type = GRAZE_JOINT_CONTINUOUS,
                             .parent = names[i - 1],
                             .child = names[i],
                             .origin = graze_transform_identity(),
                             .axis = {1, 0, 0},
                             .mimic = i < 3 ? other : NULL,
                             .multiplier = i == 1 ? 2 : -3,
                             .offset = i == 1 ? 1 : 0.5};
        assert_int_equal(gz_builder_add_joint(b, &in, NULL), GRAZE_OK);
    }
    graze_robot *robot = finish(b);
    assert_int_equal(graze_robot_q_size(robot), 1);
    assert_true(robot->joints[0].multiplier == -6 && robot->joints[0].offset == 2);
    assert_true(robot->joints[1].multiplier == -3 && robot->joints[1].offset == 0.5);
    for (int i = 0; i < 3; i++) assert_int_equal(robot->joints[i].column, 0);
    graze_joint_info info; // the file's own numbers
    graze_robot_joint(robot, 0, &info);
    assert_true(info.multiplier == 2 && info.offset == 1 && info.mimic == 1);
    graze_robot_free(robot);
}

/// Everything that a builder can be told; stops at the first failure.
static graze_status say_all(gz_builder *b, graze_error *e) {
    graze_status s = say_links(b, e);
    int32_t group = 0, state = 0;
    const double one[] = {1};
    gz_place place = {"f", "e", 1, 2};
    if (s == GRAZE_OK) s = gz_builder_disable_pair(b, A, E, "Never");
    if (s == GRAZE_OK) s = gz_builder_enable_pair(b, A, C);
    gz_place margins = {"r.srdf", "/robot/collision_margins", 3, 1};
    if (s == GRAZE_OK) s = gz_builder_pair_margin(b, -1, -1, 0.25, margins);
    if (s == GRAZE_OK) s = gz_builder_pair_margin(b, C, A, 0.5, margins);
    if (s == GRAZE_OK) s = gz_builder_pair_margin(b, A, C, 0.125, margins);
    if (s == GRAZE_OK) s = gz_builder_disable_default(b, G);
    if (s == GRAZE_OK) s = gz_builder_passive_joint(b, 5);
    if (s == GRAZE_OK) s = gz_builder_virtual_joint(b, "v", "fixed", "world", A, place);
    if (s == GRAZE_OK) s = gz_builder_end_effector(b, "hand", "arm", NULL, E);
    if (s == GRAZE_OK) s = gz_builder_add_group(b, "arm", &group);
    if (s == GRAZE_OK) s = gz_builder_group_chain(b, group, A, E, place);
    if (s == GRAZE_OK) s = gz_builder_add_group(b, "all", &group);
    if (s == GRAZE_OK) s = gz_builder_group_subgroup(b, group, "arm", place);
    if (s == GRAZE_OK) s = gz_builder_group_subgroup(b, group, "missing", place);
    if (s == GRAZE_OK) s = gz_builder_group_joint(b, group, 5);
    if (s == GRAZE_OK) s = gz_builder_add_state(b, "home", "arm", &state);
    if (s == GRAZE_OK) s = gz_builder_state_joint(b, state, 0, one, 1, place);
    gz_geometry_input in = {.visual = true,
                            .link = G,
                            .name = "look",
                            .shape = GRAZE_SHAPE_MESH,
                            .file = "a.stl",
                            .uri = "package://a.stl",
                            .scale = {1, 1, 1},
                            .origin = graze_transform_identity()};
    if (s == GRAZE_OK) {
        in.soup = gz_soup_create();
        bool ok = in.soup && gz_soup_reserve(in.soup, 3, 1);
        if (ok) {
            const double v[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
            const uint32_t t[3] = {0, 1, 2};
            memcpy(in.soup->vertices, v, sizeof v);
            memcpy(in.soup->triangles, t, sizeof t);
            in.soup->vertex_count = 3;
            in.soup->triangle_count = 1;
            s = gz_builder_add_geometry(b, &in, e);
        } else {
            gz_soup_free(in.soup);
            s = GRAZE_ERROR_NO_MEMORY;
        }
    }
    return s;
}

static void test_out_of_memory_at_every_allocation(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    for (long n = 1;; n++) {
        graze_error e;
        graze_robot *robot = NULL;
        gz_memory_fail_after(n, false);
        gz_builder *b = gz_builder_create("r", "r.urdf");
        graze_status status = b ? say_all(b, &e) : GRAZE_ERROR_NO_MEMORY;
        if (status == GRAZE_OK)
            status = gz_builder_finish(b, &robot, &e);
        else
            gz_builder_free(b);
        bool finished = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        // One allocation may fail unseen: giving back what welding freed.
        if (status == GRAZE_OK) {
            assert_non_null(robot);
            graze_robot_free(robot);
            if (finished) {
                assert_true(n > 100);
                return;
            }
            continue;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_null(robot);
    }
#else
    skip();
#endif
}

static void test_srdf_facts_can_be_read_back(void **state) {
    (void)state;
    gz_builder *b = gz_builder_create("r", "r.urdf");
    graze_error e;
    assert_int_equal(say_all(b, &e), GRAZE_OK);
    graze_robot *robot = finish(b);
    graze_virtual_joint v;
    assert_int_equal(graze_robot_virtual_joint_count(robot), 1);
    assert_int_equal(graze_robot_virtual_joint(robot, 0, &v), GRAZE_OK);
    assert_string_equal(v.name, "v");
    assert_string_equal(v.parent_frame, "world");
    assert_int_equal(graze_robot_virtual_joint(robot, 1, &v), GRAZE_ERROR_ARGUMENT);
    graze_end_effector end;
    assert_int_equal(graze_robot_end_effector_count(robot), 1);
    assert_int_equal(graze_robot_end_effector(robot, 0, &end), GRAZE_OK);
    assert_string_equal(end.group, "arm");
    assert_string_equal(end.parent_group, "");
    assert_int_equal(end.parent_link, E);
    assert_int_equal(graze_robot_end_effector(robot, 1, &end), GRAZE_ERROR_ARGUMENT);
    graze_joint_info info;
    graze_robot_joint(robot, 5, &info);
    assert_true(info.passive);
    graze_geometry g;
    assert_int_equal(graze_robot_visual_count(robot), 1);
    assert_int_equal(graze_robot_visual(robot, 0, &g), GRAZE_OK);
    assert_string_equal(g.name, "look");
    assert_string_equal(g.file, "a.stl");
    assert_string_equal(g.uri, "package://a.stl");
    assert_int_equal(g.triangle_count, 1);
    assert_int_equal(g.owner, G);
    assert_int_equal(graze_robot_visual(robot, 1, &g), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_collision(robot, 99, &g), GRAZE_ERROR_ARGUMENT);
    graze_robot_free(robot);
}

static void test_mimic_chains_beyond_all_numbers_are_refused(void **state) {
    (void)state;
    for (int overflow = 0; overflow < 2; overflow++) {
        gz_builder *b = gz_builder_create("m", "m.urdf");
        static const char *const names[] = {"l0", "l1", "l2", "l3"};
        int32_t link;
        for (int i = 0; i < 4; i++) gz_builder_add_link(b, names[i], (gz_line){0}, &link, NULL);
        for (int i = 1; i < 4; i++) { // a product, or an offset, that overflows
            char name[8], other[8];
            snprintf(name, sizeof name, "j%d", i);
            snprintf(other, sizeof other, "j%d", i + 1);
            gz_joint_input in = {.name = name,
                                 .type = GRAZE_JOINT_CONTINUOUS,
                                 .parent = names[i - 1],
                                 .child = names[i],
                                 .origin = graze_transform_identity(),
                                 .axis = {1, 0, 0},
                                 .mimic = i < 3 ? other : NULL,
                                 .mimic_at = {10 + i, 1},
                                 .multiplier = overflow == 0 ? 1e300
                                               : i == 1      ? 1e200
                                                             : 1,
                                 .offset = overflow == 0 ? 0 : 1e200};
            assert_int_equal(gz_builder_add_joint(b, &in, NULL), GRAZE_OK);
        }
        graze_robot *robot;
        graze_error e;
        assert_int_equal(gz_builder_finish(b, &robot, &e), GRAZE_ERROR_SCHEMA);
        assert_null(robot);
        assert_int_equal(e.line, 11);
        assert_string_equal(e.element, "/robot/joint[@name='j1']/mimic");
        assert_non_null(strstr(e.message, "beyond all numbers"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_named_in_the_order_of_the_joints),
        cmocka_unit_test(test_names_may_be_used_once),
        cmocka_unit_test(test_geometry_of_impossible_size_is_refused),
        cmocka_unit_test(test_groups_resolve_chains_links_and_subgroups),
        cmocka_unit_test(test_groups_that_contain_themselves_are_refused),
        cmocka_unit_test(test_states_write_their_joints_and_nothing_else),
        cmocka_unit_test(test_mimic_chains_are_composed),
        cmocka_unit_test(test_out_of_memory_at_every_allocation),
        cmocka_unit_test(test_srdf_facts_can_be_read_back),
        cmocka_unit_test(test_mimic_chains_beyond_all_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
