/// Where each kind of joint puts a link, in places that are known without rounding; and joints that
/// are no tree.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_sample.h"
#include "verify/kinematics.h"

#define HEAD_START                                                                                 \
    "graze-dump 1\nversion \"0\"\nrobot \"r\"\nanswer all\nepsilon 0x1p-44\ndomain 0x1p+7\n"
#define HEAD(q) HEAD_START "q " q "\n"
#define BODY                                                                                       \
    "frames 2\nframe 0\nframe 1\nboundary none\nparts 1\n"                                         \
    "link \"hand\" solid 1 0x1p-45 1\nmesh 3 1\nv 0x1p+0 0x0p+0 0x0p+0\nv 0x0p+0 0x1p+0 0x0p+0\n"  \
    "v 0x0p+0 0x0p+0 0x1p+0\nt 0 1 2\npairs\n"
#define ORIGIN DUMP_IDENTITY_AT("0x0p+0")
#define JOINT(name, type, parent, child, column, mimic, multiplier, offset, axis)                  \
    "joint \"" name "\" " type " " parent " " child " " column " " mimic " " multiplier " " offset \
    " " axis " " ORIGIN "\n"
#define AT(q, pose)                                                                                \
    "configuration 0\nq " q "\nbase 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\npose 0 " ORIGIN     \
    "\npose 1 " pose "\nverdict free\nend 1\n"

#define X "0x1p+0 0x0p+0 0x0p+0"
#define Y "0x0p+0 0x1p+0 0x0p+0"
#define Z "0x0p+0 0x0p+0 0x1p+0"
#define N "0x0p+0"

/// The outcome of following one configuration, or the status of an order that is none.
static gz_replay_outcome follow(const char *bytes, graze_status wanted) {
    graze_error error;
    gz_dump_scene scene = {0};
    gz_dump_configuration configuration = {0};
    gz_kinematics *kinematics = NULL;
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, strlen(bytes), "rb");
    gz_dump_text text = {.stream = stream, .name = "sample", .error = &error};
    graze_status status = gz_dump_read_scene(&text, &scene);
    if (status != GRAZE_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, GRAZE_OK);
    status = gz_kinematics_create(&kinematics, &text, &scene);
    assert_int_equal(status, wanted);
    gz_replay_result result = {.outcome = GZ_REPLAY_CONFIRMED};
    bool end = false;
    if (status == GRAZE_OK) {
        status = gz_dump_read_configuration(&text, &scene, 0, &configuration, &end);
        if (status != GRAZE_OK) print_message("%d: %s\n", error.line, error.message);
        assert_int_equal(status, GRAZE_OK);
        gz_kinematics_check(kinematics, &configuration, &result);
    }
    gz_kinematics_free(kinematics);
    gz_dump_configuration_free(&configuration);
    gz_dump_scene_free(&scene);
    gz_dump_text_free(&text);
    fclose(stream);
    return result.outcome;
}

static void test_each_kind_of_joint_moves_as_it_is_defined(void **state) {
    (void)state;
    static const char *const good[] = {
        // A slide along y by 3; a turn by 0 and about z by the double nearest to pi / 2.
        HEAD("1") "tree 2 0\njoints 1\n" JOINT("j", "prismatic", "0", "1", "0", "-1", "0x1p+0", N,
                                               "0x0p+0 0x1p+2 0x0p+0")
            BODY AT("0x1.8p+1", X " " N " " Y " 0x1.8p+1 " Z " " N),
        HEAD("1") "tree 2 0\njoints 1\n" JOINT("j", "continuous", "0", "1", "0", "-1", "0x1p+0", N,
                                               Z)
            BODY AT("0x1.921fb54442d18p+0", "0x0p+0 -0x1p+0 0x0p+0 " N " " X " " N " " Z " " N),
        // A joint that follows another: 2 q + 1.
        HEAD("1") "tree 3 2\njoints 2\n" JOINT("a", "prismatic", "2", "0", "-1", "1", "0x1p+1",
                                               "0x1p+0", X)
            JOINT("b", "prismatic", "2", "1", "0", "-1", "0x1p+0", N,
                  Y) "frames 2\nframe 2\nframe 0\nboundary none\nparts 1\n"
                     "link \"hand\" solid 1 0x1p-45 1\nsphere 0x1p+0\nv 0x0p+0 0x0p+0 0x0p+0\n"
                     "v 0x0p+0 0x0p+0 0x0p+0\npairs\n" AT("0x1p+2",
                                                          X " 0x1.2p+3 " Y " " N " " Z " " N),
        // In the plane across z: x 1, y 2, no turn. Across x the directions are y and z.
        HEAD("3") "tree 2 0\njoints 1\n" JOINT("j", "planar", "0", "1", "0", "-1", "0x1p+0", N, Z)
            BODY AT("0x1p+0 0x1p+1 0x0p+0", X " 0x1p+0 " Y " 0x1p+1 " Z " " N),
        HEAD("3") "tree 2 0\njoints 1\n" JOINT("j", "planar", "0", "1", "0", "-1", "0x1p+0", N, X)
            BODY AT("0x1p+0 0x1p+1 0x0p+0", X " " N " " Y " 0x1p+0 " Z " 0x1p+1"),
        // A quaternion of length sqrt 8: a quarter turn about z.
        HEAD("7") "tree 2 0\njoints 1\n" JOINT("j", "floating", "0", "1", "0", "-1", "0x1p+0", N, X)
            BODY AT("0x1p+0 0x1p+1 0x1p+2 0x0p+0 0x0p+0 0x1p+1 0x1p+1",
                    "0x0p+0 -0x1p+0 0x0p+0 0x1p+0 " X " 0x1p+1 " Z " 0x1p+2"),
    };
    int refuted = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(follow(good[i], GRAZE_OK), GZ_REPLAY_CONFIRMED);
        // The same with a pose that is 2^-44 off, and the bound 2^-45.
        char *off = dump_changed(good[i], "pose 1", " 0x0p+0\nverdict", " 0x1p-44\nverdict");
        if (off == NULL) continue; // its last place is not 0
        refuted++;
        assert_int_equal(follow(off, GRAZE_OK), GZ_REPLAY_REFUTED);
        free(off);
    }
    assert_int_equal(refuted, 4);
}

static void test_joints_that_are_no_tree_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        // One link twice and one never; a ring beside the root; a joint too few.
        "tree 3 0\njoints 2\n" JOINT("a", "fixed", "0", "1", "-1", "-1", "0x1p+0", N, X)
            JOINT("b", "fixed", "0", "1", "-1", "-1", "0x1p+0", N, X),
        "tree 3 0\njoints 2\n" JOINT("a", "fixed", "1", "2", "-1", "-1", "0x1p+0", N, X)
            JOINT("b", "fixed", "2", "1", "-1", "-1", "0x1p+0", N, X),
        "tree 3 0\njoints 1\n" JOINT("a", "fixed", "0", "1", "-1", "-1", "0x1p+0", N, X),
        // No value: no column; mimics in a ring; a mimic of what is not there, of a planar joint.
        "tree 2 0\njoints 1\n" JOINT("a", "revolute", "0", "1", "-1", "-1", "0x1p+0", N, X),
        "tree 3 0\njoints 2\n" JOINT("a", "revolute", "0", "1", "-1", "1", "0x1p+0", N, X)
            JOINT("b", "revolute", "1", "2", "-1", "0", "0x1p+0", N, X),
        "tree 2 0\njoints 1\n" JOINT("a", "revolute", "0", "1", "-1", "4", "0x1p+0", N, X),
        "q 3\ntree 3 0\njoints 2\n" JOINT("a", "revolute", "0", "1", "-1", "1", "0x1p+0", N, X)
            JOINT("b", "planar", "1", "2", "0", "-1", "0x1p+0", N, X),
        // Links that only a number claims: 2^30 of them would be 48 GB.
        "tree 1073741824 0\njoints 1\n" JOINT("a", "revolute", "0", "1", "0", "-1", "0x1p+0", N, X),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[4096];
        bool own = strncmp(bad[i], "q ", 2) == 0; // its own size of q
        snprintf(text, sizeof text, "%s%s%s%s", own ? HEAD_START : HEAD("1"), bad[i], BODY,
                 "end 0\n");
        follow(text, GRAZE_ERROR_SCHEMA);
    }
}

#define SLIDE                                                                                      \
    HEAD("1")                                                                                      \
    "tree 2 0\njoints 1\n" JOINT("j", "prismatic", "0", "1", "0", "-1", "0x1p+0", N, Y)            \
        BODY AT("0x1p+0", X " " N " " Y " 0x1p+0 " Z " " N)

/// The outcome where one word of the slide is another.
static gz_replay_outcome follow_changed(const char *after, const char *from, const char *to) {
    char *text = dump_changed(SLIDE, after, from, to);
    assert_non_null(text);
    gz_replay_outcome outcome = follow(text, GRAZE_OK);
    free(text);
    return outcome;
}

static void test_a_link_that_may_stand_anywhere_is_not_confirmed(void **state) {
    (void)state;
    assert_int_equal(follow(SLIDE, GRAZE_OK), GZ_REPLAY_CONFIRMED);
    // Epsilon is 2^-44.
    assert_int_equal(follow_changed("hand", "0x1p-45", "0x1p-44"), GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow_changed("hand", "0x1p-45", "0x1p-43"), GZ_REPLAY_UNDECIDED);
    assert_int_equal(follow_changed("hand", "0x1p-45", "0x1p+4"), GZ_REPLAY_UNDECIDED);
    assert_int_equal(follow_changed("hand", "0x1p-45", "unbounded"), GZ_REPLAY_UNDECIDED);
}

static void test_joints_without_a_direction_or_a_place_are_refuted(void **state) {
    (void)state;
    assert_int_equal(follow_changed("\"j\"", Y, "0x0p+0 0x0p+0 0x0p+0"), GZ_REPLAY_REFUTED);
    assert_int_equal(follow_changed("\"j\"", Y, "0x0p+0 0x1p-401 0x0p+0"), GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow(HEAD("7") "tree 2 0\njoints 1\n" JOINT("j", "floating", "0", "1", "0",
                                                                   "-1", "0x1p+0", N, X)
                                BODY AT("0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0", ORIGIN),
                            GRAZE_OK),
                     GZ_REPLAY_REFUTED);
    // 2^60 times 2^60: no sine of that.
    assert_int_equal(follow(HEAD("1") "tree 3 0\njoints 2\n" JOINT("a", "revolute", "0", "1", "-1",
                                                                   "1", "0x1p+60", N, X)
                                JOINT("b", "revolute", "1", "2", "0", "-1", "0x1p+0", N, X)
                                    BODY AT("0x1p+60", ORIGIN),
                            GRAZE_OK),
                     GZ_REPLAY_REFUTED);
}

static void test_a_joint_that_follows_a_fixed_one_stands_at_its_offset(void **state) {
    (void)state;
    static const char text[] = HEAD("0") "tree 3 0\njoints 2\n" JOINT(
        "a", "prismatic", "2", "1", "-1", "1", "0x1p+2", "0x1.8p+1", Y)
        JOINT("b", "fixed", "0", "2", "-1", "-1", "0x1p+0", N, X) BODY
        "configuration 0\nq\nbase 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\n"
        "pose 0 " ORIGIN "\npose 1 " X " " N " " Y " 0x1.8p+1 " Z " " N "\nverdict free\nend 1\n";
    assert_int_equal(follow(text, GRAZE_OK), GZ_REPLAY_CONFIRMED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_of_joint_moves_as_it_is_defined),
        cmocka_unit_test(test_joints_that_are_no_tree_are_refused),
        cmocka_unit_test(test_a_link_that_may_stand_anywhere_is_not_confirmed),
        cmocka_unit_test(test_joints_without_a_direction_or_a_place_are_refuted),
        cmocka_unit_test(test_a_joint_that_follows_a_fixed_one_stands_at_its_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
