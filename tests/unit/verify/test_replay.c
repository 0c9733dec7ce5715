/// Verdicts that are so are confirmed, those that are not are refuted, to the last bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_sample.h"
#include "verify/kinematics.h"
#include "verify/replay.h"

#define MOST 8

/// Replays a dump that is read without fault; returns how many configurations there were.
static size_t replay(const char *bytes, bool follow, gz_replay_result results[MOST]) {
    graze_error error;
    gz_dump_scene scene = {0};
    gz_dump_configuration configuration = {0};
    gz_kinematics *kinematics = NULL;
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, strlen(bytes), "rb");
    gz_dump_text text = {.stream = stream, .name = "sample", .error = &error};
    graze_status status = gz_dump_read_scene(&text, &scene);
    if (status != GRAZE_OK) print_message("%d: %s\n", error.line, error.message);
    assert_int_equal(status, GRAZE_OK);
    gz_replay *r = gz_replay_create(&scene);
    assert_non_null(r);
    if (follow) assert_int_equal(gz_kinematics_create(&kinematics, &text, &scene), GRAZE_OK);
    size_t count = 0;
    for (bool end = false;;) {
        status = gz_dump_read_configuration(&text, &scene, count, &configuration, &end);
        if (status != GRAZE_OK) print_message("%d: %s\n", error.line, error.message);
        assert_int_equal(status, GRAZE_OK);
        if (end) break;
        assert_true(count < MOST);
        gz_replay_run(r, &configuration, &results[count]);
        if (follow) gz_kinematics_check(kinematics, &configuration, &results[count]);
        count++;
    }
    gz_kinematics_free(kinematics);
    gz_replay_free(r);
    gz_dump_configuration_free(&configuration);
    gz_dump_scene_free(&scene);
    gz_dump_text_free(&text);
    fclose(stream);
    return count;
}

static void test_what_is_so_is_confirmed(void **state) {
    (void)state;
    gz_replay_result results[MOST];
    assert_int_equal(replay(DUMP_WHOLE, true, results), 3);
    for (int i = 0; i < 3; i++) {
        if (results[i].outcome != GZ_REPLAY_CONFIRMED) print_message("%s\n", results[i].message);
        assert_int_equal(results[i].outcome, GZ_REPLAY_CONFIRMED);
        assert_int_equal(results[i].pairs, 4);
    }
    assert_int_equal(results[0].item_pairs, 0);
    assert_true(results[1].item_pairs > 0);
}

/// One place of the sample changed, and what must be said of it.
typedef struct change {
    const char *after, *from, *to;
    int index; ///< the configuration that it changes
    gz_replay_outcome outcome;
    const char *message;
} change;

static void expect(const change *changes, size_t count, bool follow) {
    for (size_t i = 0; i < count; i++) {
        const change *c = &changes[i];
        char *text = dump_changed(DUMP_WHOLE, c->after, c->from, c->to);
        assert_non_null(text);
        gz_replay_result results[MOST];
        replay(text, follow, results);
        const gz_replay_result *found = &results[c->index];
        if (found->outcome != c->outcome || strstr(found->message, c->message) == NULL)
            print_message("'%s' to '%s': %d %s\n", c->from, c->to, (int)found->outcome,
                          found->message);
        assert_int_equal(found->outcome, c->outcome);
        assert_non_null(strstr(found->message, c->message));
        free(text);
    }
}

#define CONTACT_BASE "contact 0 1 0 0 meets 2 0"

static void test_a_flipped_verdict_is_refuted(void **state) {
    (void)state;
    const change changes[] = {
        {"configuration 1", "verdict collision 1\n" CONTACT_BASE, "verdict free", 1,
         GZ_REPLAY_REFUTED, "base, hand elements 0, 0 (triangles 2, 0) collide, which is not"},
        {"configuration 0", "verdict free", "verdict collision 1\n" CONTACT_BASE, 0,
         GZ_REPLAY_REFUTED,
         "base, hand (triangles 2, 0) is claimed to collide, but they are apart"},
        {"configuration 0", "verdict free", "verdict collision 1\ncontact 1 3 0 0 meets 2 -1", 0,
         GZ_REPLAY_REFUTED, "hand, ball (triangles 2, -) is claimed to collide"},
        {"configuration 0", "verdict free", "verdict collision 1\ncontact boundary", 0,
         GZ_REPLAY_REFUTED, "the base is claimed outside the boundary, and is inside"},
        {"boundary", "0x1p+3\n", "-0x1p+1\n", 0, GZ_REPLAY_REFUTED,
         "the base is outside the boundary, which is not claimed"},
    };
    expect(changes, sizeof changes / sizeof *changes, false);
}

static void test_one_unit_in_the_last_place_is_refuted(void **state) {
    (void)state;
    const change changes[] = {
        // The hand an ulp to the right of touching the base. To the left of touching the wall one
        // ulp is lost when 1 is added and the sum rounded: the snapped corner stays; two are not.
        {"configuration 1", "pose 1 0x1p+0 0x0p+0 0x0p+0 0x1p+1",
         "pose 1 0x1p+0 0x0p+0 0x0p+0 0x1.0000000000001p+1", 1, GZ_REPLAY_REFUTED,
         "but they are apart"},
        {"configuration 2", "pose 1 0x1p+0 0x0p+0 0x0p+0 0x1p+3",
         "pose 1 0x1p+0 0x0p+0 0x0p+0 0x1.fffffffffffffp+2", 2, GZ_REPLAY_CONFIRMED, ""},
        {"configuration 2", "pose 1 0x1p+0 0x0p+0 0x0p+0 0x1p+3",
         "pose 1 0x1p+0 0x0p+0 0x0p+0 0x1.ffffffffffffep+2", 2, GZ_REPLAY_REFUTED,
         "hand, wall (triangles 2, 0) is claimed to collide, but they are apart"},
        // Every corner of the wall's near face but one moved away by an ulp: now that one decides.
        {"wall", "v -0x1p+0 -0x1p+0 -0x1p+0", "v -0x1.ffffffffffffep-1 -0x1p+0 -0x1p+0", 2,
         GZ_REPLAY_CONFIRMED, ""},
        {"hand", "v -0x1p+0 -0x1p+0 -0x1p+0", "v -0x1.0000000000001p+0 -0x1p+0 -0x1p+0", 1,
         GZ_REPLAY_CONFIRMED, ""},
    };
    expect(changes, sizeof changes / sizeof *changes, false);
}

static void test_wrong_triangles_are_refuted(void **state) {
    (void)state;
    const change changes[] = {
        {"configuration 1", "meets 2 0", "meets 2 1", 1, GZ_REPLAY_REFUTED,
         "elements 0, 0 (triangles 2, 0) collide and are lower"},
        {"configuration 1", "meets 2 0", "meets 3 0", 1, GZ_REPLAY_REFUTED, "are lower"},
        {"configuration 1", "meets 2 0", "meets 0 0", 1, GZ_REPLAY_REFUTED, "but they are apart"},
        {"configuration 1", "meets 2 0", "meets 12 0", 1, GZ_REPLAY_REFUTED, "are lower"},
        {"configuration 1", "meets 2 0", "meets -1 0", 1, GZ_REPLAY_REFUTED, "no such triangle"},
        {"configuration 1", "meets 2 0", "inside 2 0", 1, GZ_REPLAY_REFUTED, "are lower"},
        {"configuration 0", "verdict free", "verdict collision 1\ncontact 0 1 0 0 meets 99 0", 0,
         GZ_REPLAY_REFUTED, "there is no such triangle"},
        {"configuration 0", "verdict free", "verdict collision 1\ncontact 0 1 0 0 inside -1 0", 0,
         GZ_REPLAY_REFUTED, "neither is inside the other"},
    };
    expect(changes, sizeof changes / sizeof *changes, false);
}

static void test_wrong_corners_are_refuted(void **state) {
    (void)state;
#define CORNERS(x)                                                                                 \
    "meets 2 0 corners 0x1p+0 -0x1p+0 -0x1p+0 0x1p+0 0x1p+0 -0x1p+0 0x1p+0 0x1p+0 0x1p+0 "         \
    "0x1p+0 -0x1p+0 -0x1p+0 0x1p+0 -0x1p+0 0x1p+0 " x " 0x1p+0 0x1p+0"
    const change changes[] = {
        {"configuration 1", "meets 2 0", CORNERS("0x1p+0"), 1, GZ_REPLAY_CONFIRMED, ""},
        {"configuration 1", "meets 2 0", CORNERS("0x1.0000000000001p+0"), 1, GZ_REPLAY_REFUTED,
         "the corners are not fl(R v + t)"},
    };
    expect(changes, sizeof changes / sizeof *changes, false);
}

static void test_pairs_that_do_not_count_are_refuted(void **state) {
    (void)state;
    const change changes[] = {
        {"configuration 1", CONTACT_BASE, "contact 0 2 0 0 meets 2 0", 1, GZ_REPLAY_REFUTED,
         "base, hand elements 0, 0 (triangles 2, 0) collide, which is not claimed"},
        {"configuration 0", "verdict free", "verdict collision 1\ncontact 0 2 0 0 meets 2 0", 0,
         GZ_REPLAY_REFUTED, "base, wall is claimed, which is not checked, or not in check order"},
        {"configuration 1", "collision 1\n" CONTACT_BASE,
         "collision 2\n" CONTACT_BASE "\n" CONTACT_BASE, 1, GZ_REPLAY_REFUTED, "is claimed, which"},
        {"", "pair 0 1 0x0p+0", "skip 0 1 \"forged\"", 1, GZ_REPLAY_REFUTED,
         "base, hand is claimed, which is not checked"},
        {"", "pair 0 1 0x0p+0", "pair 0 1 0x1.8p+1", 0, GZ_REPLAY_REFUTED, "collide, which is not"},
        {"", "pair 0 1 0x0p+0", "pair 0 1 0x1.7ffffffffffffp+1", 0, GZ_REPLAY_CONFIRMED, ""},
    };
    expect(changes, sizeof changes / sizeof *changes, false);
}

static void test_poses_must_be_rigid_and_follow_from_q(void **state) {
    (void)state;
    const change rigid[] = {
        {"configuration 0", "pose 1 0x1p+0", "pose 1 0x1.0000001p+0", 0, GZ_REPLAY_REFUTED,
         "pose 1 is not rigid"},
        {"configuration 0", "pose 1 0x1p+0", "pose 1 -0x1p+0", 0, GZ_REPLAY_REFUTED,
         "pose 1 is not rigid"},
        {"configuration 0", "pose 1 0x1p+0", "pose 1 0x1.0000000000001p+0", 0, GZ_REPLAY_CONFIRMED,
         ""},
    };
    expect(rigid, sizeof rigid / sizeof *rigid, false);
    const change follows[] = {
        {"configuration 0", "q 0x1.4p+2", "q 0x1.4000001p+2", 0, GZ_REPLAY_REFUTED,
         "hand does not stand where q puts it"},
        {"configuration 0", "q 0x1.4p+2", "q 0x1.4000000000001p+2", 0, GZ_REPLAY_CONFIRMED, ""},
        {"configuration 0", "base 0x0p+0 0x0p+0 0x0p+0 0x0p+0", "base 0x0p+0 0x0p+0 0x0p+0 0x1p-20",
         0, GZ_REPLAY_REFUTED, "base does not stand where q puts it"},
        {"", "domain 0x1p+7", "domain 0x1p+1", 0, GZ_REPLAY_REFUTED, "more than the joints"},
    };
    expect(follows, sizeof follows / sizeof *follows, true);
}

static void test_bodies_inside_others_collide_by_policy(void **state) {
    (void)state;
    gz_replay_result results[MOST];
    static const char small[] = "mesh 4 4\nv 0x0p+0 0x0p+0 0x0p+0\nv 0x1p-2 0x0p+0 0x0p+0\n"
                                "v 0x0p+0 0x1p-2 0x0p+0\nv 0x0p+0 0x0p+0 0x1p-2\n"
                                "t 0 2 1\nt 0 1 3\nt 0 3 2\nt 1 2 3\n";
    // A small hand in the middle of the base.
    char *tiny = dump_changed(DUMP_HEAD, "hand", DUMP_BOX, small);
    assert_non_null(tiny);
    char *inside = dump_changed(
        tiny, "hand", "pair 1 3 0x0p+0\n",
        "pair 1 3 0x0p+0\n" DUMP_CONFIGURATION("0", "0x0p+0",
                                               "verdict collision 1\n"
                                               "contact 0 1 0 0 inside -1 0\n") "end 1\n");
    assert_non_null(inside);
    replay(inside, true, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_CONFIRMED);
    assert_int_equal(results[0].points, 1);
    // A box is solid under every policy; as a surface mesh it contains nothing.
    char *surface = dump_changed(inside, "base", "base\" solid", "base\" surface");
    replay(surface, false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_CONFIRMED);
    char *mesh = dump_changed(surface, "base", "box 8 12", "mesh 8 12");
    replay(mesh, false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_REFUTED);
    assert_non_null(strstr(results[0].message, "neither is inside the other"));
    // With a triangle missing it is open: inside only under a cap.
    char *solid = dump_changed(inside, "base", "box 8 12", "mesh 8 11");
    char *open = dump_changed(solid, "base", "t 4 7 6\n", "");
    replay(open, false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_REFUTED);
    char *cap = dump_changed(open, "base", "base\" solid", "base\" cap");
    replay(cap, false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_CONFIRMED);
    // Without the face towards x every half line along x passes through the cap.
    char *fewer = dump_changed(inside, "base", "box 8 12", "mesh 8 10");
    char *pipe = dump_changed(fewer, "base", "t 1 3 7\nt 1 7 5\n", "");
    char *capped = dump_changed(pipe, "base", "base\" solid", "base\" cap");
    replay(capped, false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_CONFIRMED);
    char *texts[] = {tiny, inside, surface, mesh, solid, open, cap, fewer, pipe, capped};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
}

static void test_balls_collide_up_to_the_tolerance_of_the_contract(void **state) {
    (void)state;
    gz_replay_result results[MOST];
#define BALL_AT(q, verdict) DUMP_HEAD DUMP_CONFIGURATION("0", q, verdict) "end 1\n"
#define BALL                "verdict collision 1\ncontact 1 3 0 0 meets 2 -1\n"
    // The ball begins at 31, the hand ends 1 before its place.
    replay(BALL_AT("0x1.ep+4", BALL), false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_CONFIRMED);
    replay(BALL_AT("0x1.dfffffffep+4", BALL), false, results); // 4.7e-10 before
    assert_int_equal(results[0].outcome, GZ_REPLAY_TOLERATED);
    replay(BALL_AT("0x1.dfffffff8p+4", BALL), false, results); // 1.9e-9 before
    assert_int_equal(results[0].outcome, GZ_REPLAY_REFUTED);
    replay(BALL_AT("0x1.dfffffffep+4", "verdict free\n"), false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_CONFIRMED);
    replay(BALL_AT("0x1.ep+4", "verdict free\n"), false, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_REFUTED);
}

static void test_no_verdict_is_never_confirmed(void **state) {
    (void)state;
    gz_replay_result results[MOST];
    replay(DUMP_HEAD "configuration 7\nunknown \"q is \\x6ean\"\nend 1\n", true, results);
    assert_int_equal(results[0].outcome, GZ_REPLAY_UNCLAIMED);
    assert_string_equal(results[0].message, "q is nan");
}

static void test_the_boundary_is_judged_where_the_base_is(void **state) {
    (void)state;
    // The base has geometry here; a root without any has no other body that would tell.
    static const change changes[] = {
        {"configuration 0", "base 0x0p+0", "base 0x1p+4", 0, GZ_REPLAY_REFUTED, "pose 0"},
        {"configuration 0", "base 0x0p+0 0x0p+0", "base 0x0p+0 0x1p-1074", 0, GZ_REPLAY_REFUTED,
         "pose 0"},
    };
    expect(changes, sizeof changes / sizeof *changes, false);
    expect(changes, sizeof changes / sizeof *changes, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_so_is_confirmed),
        cmocka_unit_test(test_a_flipped_verdict_is_refuted),
        cmocka_unit_test(test_one_unit_in_the_last_place_is_refuted),
        cmocka_unit_test(test_wrong_triangles_are_refuted),
        cmocka_unit_test(test_wrong_corners_are_refuted),
        cmocka_unit_test(test_pairs_that_do_not_count_are_refuted),
        cmocka_unit_test(test_poses_must_be_rigid_and_follow_from_q),
        cmocka_unit_test(test_bodies_inside_others_collide_by_policy),
        cmocka_unit_test(test_balls_collide_up_to_the_tolerance_of_the_contract),
        cmocka_unit_test(test_no_verdict_is_never_confirmed),
        cmocka_unit_test(test_the_boundary_is_judged_where_the_base_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
