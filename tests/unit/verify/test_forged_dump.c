/// Dumps made to be trusted: what no rational arithmetic proves is not confirmed, and what is so
/// is not refuted.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "dump_sample.h"
#include "verify/kinematics.h"
#include "verify/posed_shape.h"
#include "verify/replay.h"

#define UNREAD (-1)

/// What becomes of the one configuration of a dump; UNREAD where it cannot be read.
static int evaluate(const char *bytes, bool follow) {
    graze_error error = {0};
    gz_dump_scene scene = {0};
    gz_dump_configuration configuration = {0};
    gz_kinematics *kinematics = NULL;
    gz_replay_result result = {.outcome = GZ_REPLAY_REFUTED};
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, strlen(bytes), "rb");
    gz_dump_text text = {.stream = stream, .name = "sample", .error = &error};
    bool end = false;
    graze_status status = gz_dump_read_scene(&text, &scene);
    if (status == GRAZE_OK)
        status = gz_dump_read_configuration(&text, &scene, 0, &configuration, &end);
    if (status != GRAZE_OK) print_message("%d: %s\n", error.line, error.message);
    if (status == GRAZE_OK) {
        gz_replay *replay = gz_replay_create(&scene);
        assert_non_null(replay);
        gz_replay_run(replay, &configuration, &result);
        gz_replay_free(replay);
        if (follow) {
            assert_int_equal(gz_kinematics_create(&kinematics, &text, &scene), GRAZE_OK);
            gz_kinematics_check(kinematics, &configuration, &result);
        }
        print_message("%d: %s\n", (int)result.outcome, result.message);
    }
    gz_kinematics_free(kinematics);
    gz_dump_configuration_free(&configuration);
    gz_dump_scene_free(&scene);
    gz_dump_text_free(&text);
    fclose(stream);
    return status == GRAZE_OK ? (int)result.outcome : UNREAD;
}

#define N "0x0p+0"
#define X "0x1p+0 " N " " N
#define Y N " 0x1p+0 " N
#define Z N " " N " 0x1p+0"
#define I DUMP_IDENTITY_AT(N)
#define START_WITHIN(epsilon)                                                                      \
    "graze-dump 1\nversion \"0\"\nrobot \"r\"\nanswer all\nepsilon " epsilon "\ndomain 0x1p+7\n"
#define START   START_WITHIN("0x1p-44")
#define BALL(x) "sphere 0x1p-3\nv " x " " N " " N "\nv " x " " N " " N "\n"
#define TURNS   "joint \"j\" continuous 0 1 0 -1 0x1p+0 " N " " Z " " I "\n"
#define BASE    "base " N " " N " " N " " N " " N " " N "\n"

/// A robot of joints, the last of which carries the hand with one shape; nothing else.
static int follow_within(const char *epsilon, const char *q_size, const char *tree,
                         const char *hand, const char *pose_error, const char *shape, const char *q,
                         const char *pose) {
    static char text[16384];
    snprintf(text, sizeof text,
             START_WITHIN("%s") "q %s\n%sframes 2\nframe 0\nframe %s\nboundary none\nparts 1\n"
                                "link \"hand\" solid 1 %s 1\n%spairs\nconfiguration 0\nq%s\n" BASE
                                "pose 0 " I "\npose 1 %s\nverdict free\nend 1\n",
             epsilon, q_size, tree, hand, pose_error, shape, q, pose);
    return evaluate(text, true);
}

static int follow(const char *q_size, const char *tree, const char *hand, const char *pose_error,
                  const char *shape, const char *q, const char *pose) {
    return follow_within("0x1p-44", q_size, tree, hand, pose_error, shape, q, pose);
}

static void test_a_pose_error_below_zero_was_as_good_as_a_large_one(void **state) {
    (void)state;
    const char *const tree = "tree 2 0\njoints 1\n" TURNS, *const q = " 0x0p+0";
    assert_int_equal(follow("1", tree, "1", "0x1p-45", BALL(N), q, I), GZ_REPLAY_CONFIRMED);
    const char *const away = DUMP_IDENTITY_AT("0x1p+3");
    assert_int_equal(follow("1", tree, "1", "0x1p-45", BALL(N), q, away), GZ_REPLAY_REFUTED);
    assert_int_equal(follow("1", tree, "1", "-0x1p+4", BALL(N), q, away), UNREAD);
    assert_int_equal(follow("1", tree, "1", "-0x0p+0", BALL(N), q, I), GZ_REPLAY_CONFIRMED);
}

static void test_a_disc_cannot_be_turned_within_its_pose_error(void **state) {
    (void)state;
    const char *const tree = "tree 2 0\njoints 1\n" TURNS, *const q = " 0x0p+0";
#define THIN "0x1p-30"
    // 2^-31 thick and 2 wide: turned by a quarter about y its ends are not 2^-31 off, its rims 1.
    static const char disc[] = "cylinder 0x1p+0\nv " N " " N " -0x1p-32\nv " N " " N " 0x1p-32\n";
    static const char turned[] = N " " N " 0x1p+0 " N " " Y " " N " -0x1p+0 " N " " N " " N;
    assert_int_equal(follow_within(THIN, "1", tree, "1", "0x1p-31", disc, q, I),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow_within(THIN, "1", tree, "1", "0x1p-31", disc, q, turned),
                     GZ_REPLAY_REFUTED);
    // About its own axis it turns as it likes; a rod is long enough for its ends to tell.
    static const char round[] = N " -0x1p+0 " N " " N " " X " " N " " Z " " N;
    assert_int_equal(follow_within(THIN, "1", tree, "1", "0x1p-31", disc, q, round),
                     GZ_REPLAY_CONFIRMED);
    static const char rod[] = "cylinder 0x1p-4\nv " N " " N " -0x1p+0\nv " N " " N " 0x1p+0\n";
    assert_int_equal(follow("1", tree, "1", "0x1p-45", rod, q, I), GZ_REPLAY_CONFIRMED);
}

static void test_short_directions_are_not_cut_off(void **state) {
    (void)state;
    // A quaternion in the ratio 1 to 2 turns by twice the angle with the tangent 1/2.
    static const char tree[] = "tree 2 0\njoints 1\njoint \"j\" floating 0 1 0 -1 0x1p+0 " N " " X
                               " " I "\n";
    static const char q[] = " " N " " N " " N " " N " " N " 0x1p-401 0x1p-400";
    static const char turned[] = "0x1.3333333333333p-1 -0x1.999999999999ap-1 " N " " N
                                 " 0x1.999999999999ap-1 0x1.3333333333333p-1 " N " " N " " Z " " N;
    assert_int_equal(follow("7", tree, "1", "0x1p-45", BALL("0x1p+0"), q, I), GZ_REPLAY_REFUTED);
    assert_int_equal(follow("7", tree, "1", "0x1p-45", BALL("0x1p+0"), q, turned),
                     GZ_REPLAY_CONFIRMED);
    // A slide of 5 along (3, 4).
    static const char slides[] = "tree 2 0\njoints 1\njoint \"j\" prismatic 0 1 0 -1 0x1p+0 " N
                                 " 0x1.8p-401 0x1p-400 " N " " I "\n";
    static const char slid[] = X " 0x1.8p+1 " Y " 0x1p+2 " Z " " N;
    static const char cut[] = X " " N " " Y " 0x1.4p+2 " Z " " N;
    assert_int_equal(follow("1", slides, "1", "0x1p-45", BALL(N), " 0x1.4p+2", slid),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow("1", slides, "1", "0x1p-45", BALL(N), " 0x1.4p+2", cut),
                     GZ_REPLAY_REFUTED);
}

static void test_followers_lose_nothing_between_small_and_large(void **state) {
    (void)state;
    // Each follows the next, seven times as 2^60 and once as 2^30 to 1; the last is at 2^-450.
    char tree[8192];
    int used = snprintf(tree, sizeof tree, "tree 10 0\njoints 9\n");
    for (int j = 0; j < 9; j++) {
        const char *factor = j < 7 ? "0x1p+60" : "0x1p+30";
        used += snprintf(tree + used, sizeof tree - (size_t)used,
                         "joint \"j%d\" prismatic 0 %d %d %d %s " N " " X " " I "\n", j, j + 1,
                         j == 8 ? 0 : -1, j == 8 ? -1 : j + 1, factor);
    }
    assert_true(used < (int)sizeof tree);
    assert_int_equal(follow("1", tree, "1", "0x1p-45", BALL(N), " 0x1p-450", I), GZ_REPLAY_REFUTED);
    assert_int_equal(
        follow("1", tree, "1", "0x1p-45", BALL(N), " 0x1p-450", DUMP_IDENTITY_AT("0x1p+0")),
        GZ_REPLAY_CONFIRMED);
}

static void test_origins_that_shrink_and_stretch_are_no_joints(void **state) {
    (void)state;
    char tree[8192];
    int used = snprintf(tree, sizeof tree, "tree 11 0\njoints 10\n");
    for (int j = 0; j < 10; j++) {
        const char *size = j == 0   ? "0x1p-300"
                           : j == 1 ? "0x1p-150"
                           : j < 9  ? "0x1p+60"
                                    : "0x1p+30";
        used += snprintf(tree + used, sizeof tree - (size_t)used,
                         "joint \"j%d\" fixed %d %d -1 -1 0x1p+0 " N " " X " %s " N " " N " " N
                         " " N " %s " N " " N " " N " " N " %s " N "\n",
                         j, j, j + 1, size, size, size);
    }
    assert_true(used < (int)sizeof tree);
    // The ball is at x = 1; where the turn is lost on the way it is at 0.
    assert_int_equal(
        follow("0", tree, "10", "0x1p-45", BALL("0x1p+0"), "", DUMP_IDENTITY_AT("-0x1p+0")),
        GZ_REPLAY_REFUTED);
}

static void test_what_is_outside_the_domain_is_not_refuted(void **state) {
    (void)state;
#define SLIDES(limits)                                                                             \
    "tree 2 0\njoints 1\njoint \"j\" prismatic 0 1 0 -1 0x1p+0 " N " " X " " I limits "\n"
    const char *const off = DUMP_IDENTITY_AT("0x1.8000000001p+1"); // 3 and 3 * 2^-40
    const struct {
        const char *tree;
        int outcome;
    } slides[] = {
        {SLIDES(""), GZ_REPLAY_REFUTED},
        {SLIDES(" limits 0x0p+0 0x1p+1"), GZ_REPLAY_REFUTED},
        {SLIDES(" limits -0x1p+1 0x0p+0"), GZ_REPLAY_REFUTED},
        {SLIDES(" limits 0x0p+0 0x1p+0"), GZ_REPLAY_UNDECIDED},
        {SLIDES(" limits 0x0p+0"), UNREAD},
    };
    for (size_t i = 0; i < sizeof slides / sizeof *slides; i++)
        assert_int_equal(follow("1", slides[i].tree, "1", "0x1p-45", BALL(N), " 0x1.8p+1", off),
                         slides[i].outcome);
    // Out to 2^10 m and back again, where the domain ends at 2^7.
    static const char far[] = "tree 3 0\njoints 2\njoint \"j\" prismatic 0 1 0 -1 0x1p+0 " N " " X
                              " " I "\njoint \"k\" prismatic 1 2 1 -1 0x1p+0 " N " " X " " I "\n";
    static const char q[] = " 0x1p+10 -0x1.fe8p+9"; // to 3
    assert_int_equal(follow("2", far, "2", "0x1p-45", BALL(N), q, off), GZ_REPLAY_UNDECIDED);
    assert_int_equal(follow("2", far, "2", "0x1p-30", BALL(N), q, off), GZ_REPLAY_REFUTED);
}

static void test_a_pose_error_is_no_larger_than_the_joints_make_it(void **state) {
    (void)state;
    // 60 micrometres off, and claimed to be no more than rounding does.
    const char *const tree = "tree 2 0\njoints 1\n" TURNS, *const q = " 0x0p+0";
    const char *const off = DUMP_IDENTITY_AT("0x1p-41"), *const far = DUMP_IDENTITY_AT("0x1p-31");
    assert_int_equal(follow("1", tree, "1", "0x1p-45", BALL(N), q, I), GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow("1", tree, "1", "0x1p-31", BALL(N), q, I), GZ_REPLAY_REFUTED);
    assert_int_equal(follow("1", tree, "1", "0x1p-31", BALL(N), q, far), GZ_REPLAY_REFUTED);
    assert_int_equal(follow("1", tree, "1", "0x1p-45", BALL(N), q, off), GZ_REPLAY_REFUTED);
    // Limits of a million kilometres let a slide's bound be large; no point of the domain is so
    // far.
    static const char wide[] = "tree 3 0\njoints 2\njoint \"j\" prismatic 0 1 0 -1 0x1p+0 " N " " X
                               " " I
                               " limits -0x1p+40 0x1p+40\njoint \"k\" fixed 1 2 -1 -1 0x1p+0 " N
                               " " X " " I "\n";
    assert_int_equal(follow_within(THIN, "1", wide, "1", "0x1p-31", BALL(N), q, I),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow_within(THIN, "1", wide, "1", "0x1p-31", BALL(N), q, far),
                     GZ_REPLAY_REFUTED);
    // A turn without limits that follows another may round by 2^-32 at 2^20 rad; at 0 it does not.
    static const char follower[] = "tree 3 0\njoints 2\n" TURNS "joint \"k\" continuous 1 2 -1 0 "
                                   "0x1.6p-1 " N " " Z " " I "\n";
    assert_int_equal(follow_within(THIN, "1", follower, "2", "0x1p-31", BALL("0x1p+2"), q, I),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(follow_within(THIN, "1", follower, "2", "0x1p-31", BALL("0x1p+2"), q, far),
                     GZ_REPLAY_REFUTED);
}

static void test_an_epsilon_is_no_larger_than_the_joints_and_objects_make_it(void **state) {
    (void)state;
    static char sound[8192];
    snprintf(sound, sizeof sound, "%s", DUMP_HEAD DUMP_FREE "end 1\n");
    char *large = dump_changed(sound, "graze-dump", "epsilon 0x1p-35", "epsilon 0x1.fp-15");
    assert_non_null(large);
    assert_int_equal(evaluate(sound, true), GZ_REPLAY_CONFIRMED);
    assert_int_equal(evaluate(large, true), GZ_REPLAY_REFUTED);
    free(large);
}

static void test_a_skip_is_not_for_a_reason_that_the_dump_refutes(void **state) {
    (void)state;
    static const char sound[] = DUMP_HEAD DUMP_BASE "end 1\n";
    const struct {
        const char *from, *to;
        int outcome;
    } skips[] = {
        {"skip 0 2 \"allowed\"", "skip 0 2 \"adjacent\"", GZ_REPLAY_REFUTED},
        {"pair 1 2 0x0p+0", "skip 1 2 \"adjacent\"", GZ_REPLAY_REFUTED},
        {"pair 1 2 0x0p+0", "skip 1 2 \"Never\"", GZ_REPLAY_CONFIRMED},
        {"pair 1 2 0x0p+0", "skip 1 2 \"allowed\"", GZ_REPLAY_CONFIRMED},
    };
    for (size_t i = 0; i < sizeof skips / sizeof *skips; i++) {
        char *text = dump_changed(sound, "pairs", skips[i].from, skips[i].to);
        assert_non_null(text);
        char *one = dump_changed(text, "configuration", "configuration 1", "configuration 0");
        assert_non_null(one);
        assert_int_equal(evaluate(one, false), skips[i].outcome);
        free(one);
        free(text);
    }
    // The two links are joined by the slide, but they collide where it is at 2.
    static const char *const words[] = {"adjacent", "Never"};
    for (int i = 0; i < 2; i++) {
        char skip[64];
        snprintf(skip, sizeof skip, "skip 0 1 \"%s\"", words[i]);
        char *text = dump_changed(sound, "pairs", "pair 0 1 0x0p+0", skip);
        assert_non_null(text);
        char *free_one = dump_changed(text, "configuration",
                                      "collision 1\ncontact 0 1 0 0 meets 2 0", "free");
        assert_non_null(free_one);
        assert_int_equal(evaluate(free_one, false),
                         i == 0 ? GZ_REPLAY_CONFIRMED : GZ_REPLAY_REFUTED);
        free(free_one);
        free(text);
    }
}

static void test_links_without_geometry_are_looked_through(void **state) {
    (void)state;
    // A chain of links 0 to 3 along x; the first and the last have shapes, and so may the second.
    static char text[16384];
    for (int full = 0; full < 2; full++) {
        int used = snprintf(text, sizeof text, START "q 3\ntree 4 0\njoints 3\n");
        for (int j = 0; j < 3; j++)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             "joint \"j%d\" continuous %d %d %d -1 0x1p+0 " N " " X " " I "\n", j,
                             j, j + 1, j);
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "frames 3\nframe 0\nframe 1\nframe 3\nboundary none\nparts %d\n"
                         "link \"a\" solid 0 0x1p-45 1\n" BALL(N),
                         2 + full);
        if (full)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             "link \"b\" solid 1 0x1p-45 1\n" BALL("0x1p+2"));
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "link \"d\" solid 2 0x1p-45 1\n" BALL(
                             "0x1p+3") "pairs\n%s"
                                       "configuration 0\nq " N " " N " " N "\n" BASE "pose 0 " I
                                       "\npose 1 " I "\npose 2 " I "\nverdict free\nend 1\n",
                         full ? "pair 0 1 " N "\nskip 0 2 \"adjacent\"\nskip 1 2 \"adjacent\"\n"
                              : "skip 0 1 \"adjacent\"\n");
        assert_true(used < (int)sizeof text);
        assert_int_equal(evaluate(text, false), full ? GZ_REPLAY_REFUTED : GZ_REPLAY_CONFIRMED);
    }
}

/// A link of some shapes, and an object, at rest.
static int rest(const char *link, const char *object, const char *verdict) {
    static char text[16384];
    snprintf(text, sizeof text,
             START "q 0\ntree 1 0\njoints 0\nframes 1\nframe 0\nboundary none\nparts 2\n"
                   "link \"hand\" solid 0 0x1p-45 %sobject \"thing\" %spairs\npair 0 1 " N
                   "\nconfiguration 0\nq\n" BASE "pose 0 " I "\n%send 1\n",
             link, object, verdict);
    return evaluate(text, false);
}

#define CONTACT(what) "verdict collision 1\ncontact 0 1 " what "\n"

static void test_a_point_inside_names_the_element_that_holds_it(void **state) {
    (void)state;
    static const char link[] = "2\n" BALL("0x1p+4") DUMP_BOX;
    static const char point[] = "solid 1 " I "\npoints 1 0x1p-3\nv " N " " N " " N "\n";
    assert_int_equal(rest(link, point, CONTACT("1 0 inside -1 -1")), GZ_REPLAY_CONFIRMED);
    assert_int_equal(rest(link, point, CONTACT("0 0 inside -1 -1")), GZ_REPLAY_REFUTED);
}

static void test_a_lower_contact_that_is_undecided_stays_so(void **state) {
    (void)state;
    // The rod touches the wall's face at x = -1, which cannot be proved; the ball stands in it.
    static const char wall[] = "solid 1 " I "\n" DUMP_BOX;
    static const char link[] = "2\ncylinder 0x1p+0\nv -0x1p+1 " N " -0x1p-1\nv -0x1p+1 " N
                               " 0x1p-1\nsphere 0x1p-1\nv -0x1p+0 " N " " N "\nv -0x1p+0 " N " " N
                               "\n";
    assert_int_equal(rest(link, wall, CONTACT("1 0 meets -1 0")), GZ_REPLAY_UNDECIDED);
    // Behind the lowest contact nothing need be known: the second sheet is touched.
    static const char sheets[] = "surface 1 " I "\nmesh 6 2\nv -0x1p+1 " N " " N "\nv -0x1p+1 " N
                                 " 0x1p+2\nv -0x1p+1 0x1p+2 " N "\nv -0x1p+0 -0x1p+2 -0x1p+2\n"
                                 "v -0x1p+0 0x1p+2 -0x1p+2\nv -0x1p+0 " N " 0x1p+2\n"
                                 "t 0 1 2\nt 3 4 5\n";
    static const char rod[] = "1\ncylinder 0x1p+0\nv -0x1p+1 " N " -0x1p-1\nv -0x1p+1 " N
                              " 0x1p-1\n";
    assert_int_equal(rest(rod, sheets, CONTACT("0 0 meets -1 0")), GZ_REPLAY_CONFIRMED);
}

static void test_corners_of_what_is_inside_are_none(void **state) {
    (void)state;
    static const char small[] = "solid 1 " I "\nmesh 4 4\nv " N " " N " " N "\nv 0x1p-2 " N " " N
                                "\nv " N " 0x1p-2 " N "\nv " N " " N " 0x1p-2\n"
                                "t 0 2 1\nt 0 1 3\nt 0 3 2\nt 1 2 3\n";
    static const char box[] = "1\n" DUMP_BOX;
    assert_int_equal(rest(box, small, CONTACT("0 0 inside -1 0")), GZ_REPLAY_CONFIRMED);
    assert_int_equal(
        rest(box, small, CONTACT("0 0 inside -1 0 corners " X " " X " " X " " X " " X " " X)),
        GZ_REPLAY_REFUTED);
}

static void test_objects_stand_rigidly(void **state) {
    (void)state;
    // At 4 the box is apart from the hand's; four times as large it would not be.
    static const char box[] = "1\n" DUMP_BOX;
    static const char at_four[] = "solid 1 " DUMP_IDENTITY_AT("0x1p+2") "\n" DUMP_BOX;
    static const char smaller[] = "solid 1 0x1p-2 " N " " N " 0x1p+0 " N " 0x1p-2 " N " " N " " N
                                  " " N " 0x1p-2 0x1p+2\n" DUMP_BOX;
    static const char mirrored[] = "solid 1 -0x1p+0 " N " " N " 0x1p+2 " Y " " N " " Z " " N
                                   "\n" DUMP_BOX;
    assert_int_equal(rest(box, at_four, "verdict free\n"), GZ_REPLAY_CONFIRMED);
    assert_int_equal(rest(box, smaller, "verdict free\n"), GZ_REPLAY_REFUTED);
    assert_int_equal(rest(box, mirrored, "verdict free\n"), GZ_REPLAY_REFUTED);
}

static void test_a_cap_may_extend_beyond_the_box_of_what_it_closes(void **state) {
    (void)state;
    // 10^5 m from its origin a turn rounds: the rim of the pipe's opening ends up at x = -2^-36,
    // the apex of its cap at x = 2^-36, and the point at 0 between them.
    static const char pipe[] =
        "1\nmesh 8 10\n"
        "v 0x1.c50824f7eb6e0p+16 0x1.53c61bb9f0928p+16 0x0p+0\n"
        "v 0x1.c50824f7eb6e0p+16 0x1.53c61bb9f0928p+16 0x1p+0\n"
        "v 0x1.c5084ff131c77p+16 0x1.53c63bf4e5559p+16 0x0p+0\n"
        "v 0x1.c5084ff131c77p+16 0x1.53c63bf4e5559p+16 0x1p+0\n"
        "v 0x1.c5078b5e51d46p+16 0x1.53c6e886bd5f5p+16 0x0p+0\n"
        "v 0x1.c5078b5e51d46p+16 0x1.53c6e886bd5f5p+16 0x1p+0\n"
        "v 0x1.c507b657982ddp+16 0x1.53c708c1b2226p+16 0x0p+0\n"
        "v 0x1.c507b657982ddp+16 0x1.53c708c1b2226p+16 0x1p+0\n"
        "t 4 5 7\nt 4 7 6\nt 0 1 5\nt 0 5 4\nt 2 6 7\nt 2 7 3\nt 0 4 6\nt 0 6 2\nt 1 3 7\nt 1 7 5\n";
    static const char point[] = "solid 1 " I "\npoints 1 " N "\nv " N " 0x1.adbcb3d8p-4 0x1p-1\n";
    static char text[16384];
    for (int open = 0; open < 2; open++) {
        snprintf(text, sizeof text,
                 START "q 0\ntree 2 0\njoints 1\njoint \"j\" fixed 0 1 -1 -1 0x1p+0 " N " " X " " I
                       "\nframes 2\nframe 0\nframe 1\nboundary none\nparts 2\n"
                       "link \"hand\" %s 1 0x1p-45 %sobject \"thing\" %spairs\npair 0 1 " N
                       "\nconfiguration 0\nq\n" BASE "pose 0 " I
                       "\npose 1 0x1.3333333333333p-1 -0x1.999999999999ap-1 " N " " N
                       " 0x1.999999999999ap-1 0x1.3333333333333p-1 " N " -0x1.1b25171af324cp+17 " Z
                       " " N "\nverdict free\nend 1\n",
                 open ? "solid" : "cap", pipe, point);
        assert_int_equal(evaluate(text, false), open ? GZ_REPLAY_CONFIRMED : GZ_REPLAY_REFUTED);
    }
}

static void test_many_open_pieces_take_no_quadratic_time(void **state) {
    (void)state;
    // Two triangles each, which share an edge.
    enum { PIECES = 40000 };
    gz_dump_element e = {.shape = GZ_DUMP_MESH, .point_count = 4 * PIECES};
    e.triangle_count = 2 * PIECES;
    e.points = calloc(e.point_count, sizeof *e.points);
    e.triangles = calloc(e.triangle_count, sizeof *e.triangles);
    assert_non_null(e.points);
    assert_non_null(e.triangles);
    for (uint32_t i = 0; i < e.point_count; i++) {
        e.points[i][0] = i / 4 * 4;
        e.points[i][1] = i % 2;
        e.points[i][2] = i / 2 % 2;
    }
    for (uint32_t i = 0; i < PIECES; i++) {
        const uint32_t t[2][3] = {{4 * i, 4 * i + 1, 4 * i + 2}, {4 * i + 1, 4 * i + 3, 4 * i + 2}};
        memcpy(e.triangles[2 * i], t, sizeof t);
    }
    gz_surface surface;
    gz_verify_caps caps;
    clock_t begin = clock();
    assert_true(gz_surface_make(&surface, &e));
    assert_true(gz_verify_caps_make(&caps, &e, &surface));
    assert_true(clock() - begin < 4 * CLOCKS_PER_SEC);
    assert_int_equal(caps.apex_count, PIECES);
    assert_int_equal(caps.triangle_count, 4 * PIECES);
    for (uint32_t i = 0; i < PIECES; i++) {
        const double middle[3] = {4.0 * i, 0.5, 0.5};
        assert_memory_equal(caps.apexes[i], middle, sizeof middle);
    }
    gz_verify_caps_free(&caps);
    gz_surface_free(&surface);
    free(e.points);
    free(e.triangles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pose_error_below_zero_was_as_good_as_a_large_one),
        cmocka_unit_test(test_a_disc_cannot_be_turned_within_its_pose_error),
        cmocka_unit_test(test_short_directions_are_not_cut_off),
        cmocka_unit_test(test_followers_lose_nothing_between_small_and_large),
        cmocka_unit_test(test_origins_that_shrink_and_stretch_are_no_joints),
        cmocka_unit_test(test_what_is_outside_the_domain_is_not_refuted),
        cmocka_unit_test(test_a_pose_error_is_no_larger_than_the_joints_make_it),
        cmocka_unit_test(test_an_epsilon_is_no_larger_than_the_joints_and_objects_make_it),
        cmocka_unit_test(test_a_skip_is_not_for_a_reason_that_the_dump_refutes),
        cmocka_unit_test(test_links_without_geometry_are_looked_through),
        cmocka_unit_test(test_a_point_inside_names_the_element_that_holds_it),
        cmocka_unit_test(test_a_lower_contact_that_is_undecided_stays_so),
        cmocka_unit_test(test_corners_of_what_is_inside_are_none),
        cmocka_unit_test(test_objects_stand_rigidly),
        cmocka_unit_test(test_a_cap_may_extend_beyond_the_box_of_what_it_closes),
        cmocka_unit_test(test_many_open_pieces_take_no_quadratic_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
