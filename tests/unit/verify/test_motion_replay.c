/// Motions of a dump: what is free is proved, what is not is never confirmed, and bounds of motion
/// hold where they are sampled.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_sample.h"
#include "unit/trials.h"
#include "verify/motion_replay.h"
#include "verify/robot_motion.h"

/// A dump that is being read.
typedef struct reading {
    graze_error error;
    gz_dump_text text;
    gz_dump_scene scene;
    gz_dump_configuration configuration;
    gz_kinematics *kinematics;
} reading;

static void open_dump(reading *r, const char *bytes) {
    *r = (reading){.text = {.name = "sample"}};
    r->text.stream = fmemopen((void *)(uintptr_t)bytes, strlen(bytes), "rb");
    r->text.error = &r->error;
    assert_int_equal(gz_dump_read_scene(&r->text, &r->scene), GRAZE_OK);
    assert_int_equal(gz_kinematics_create(&r->kinematics, &r->text, &r->scene), GRAZE_OK);
}

static bool next_configuration(reading *r, uint64_t count) {
    bool end = false;
    graze_status status = gz_dump_read_configuration(&r->text, &r->scene, count, &r->configuration,
                                                     &end);
    if (status != GRAZE_OK) print_message("%d: %s\n", r->error.line, r->error.message);
    assert_int_equal(status, GRAZE_OK);
    return !end;
}

static void close_dump(reading *r) {
    fclose(r->text.stream);
    gz_kinematics_free(r->kinematics);
    gz_dump_configuration_free(&r->configuration);
    gz_dump_scene_free(&r->scene);
    gz_dump_text_free(&r->text);
}

/// The outcome of the motion at the first configuration, with that of the one behind it.
static gz_replay_outcome replay(const char *bytes, gz_motion_result *result) {
    reading r;
    open_dump(&r, bytes);
    gz_replay *replay = gz_replay_create(&r.scene);
    gz_motion_replay *motions = gz_motion_replay_create(&r.scene, r.kinematics);
    assert_non_null(replay);
    assert_non_null(motions);
    gz_replay_result start;
    assert_true(next_configuration(&r, 0));
    assert_true(r.configuration.has_motion);
    gz_replay_run(replay, &r.configuration, &start);
    assert_true(gz_motion_replay_run(motions, &r.configuration, start.outcome,
                                     GZ_MOTION_REPLAY_TESTS, result));
    bool more = next_configuration(&r, 1);
    if (more) gz_replay_run(replay, &r.configuration, &start);
    gz_motion_replay_end(motions, more ? &r.configuration : NULL, start.outcome, result);
    gz_motion_replay_free(motions);
    gz_replay_free(replay);
    close_dump(&r);
    return result->replay.outcome;
}

#define AT_ORIGIN "0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0"
// The hand from 5 to `to`: the wall begins at 9, and the hand reaches 1 beyond its place.
#define SLIDE(to, to_base, claim, behind, end)                                                     \
    DUMP_HEAD DUMP_CONFIGURATION("0 motion", "0x1.4p+2",                                           \
                                 "verdict free\n") "straight shorter\nto " to "\nto-base " to_base \
                                                   "\nmotion " claim "\n" behind "end " end "\n"

static void test_free_motion_is_proved(void **state) {
    (void)state;
    gz_motion_result result;
    assert_int_equal(replay(SLIDE("0x1.8p+2", AT_ORIGIN, "free", "", "1"), &result),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(result.intervals, 1);
    // Up to 2^-30 m before the wall, and the base turned and moved with it.
    assert_int_equal(replay(SLIDE("0x1.fffffffep+2", AT_ORIGIN, "free", "", "1"), &result),
                     GZ_REPLAY_CONFIRMED);
    assert_true(result.intervals > 10);
    assert_int_equal(
        replay(SLIDE("0x1.4p+2", "-0x1p+0 0x1p+0 0x0p+0 0x0p+0 0x1p-3 0x1p-2", "free", "", "1"),
               &result),
        GZ_REPLAY_CONFIRMED);
}

static void test_motion_through_a_wall_between_free_ends_is_refuted(void **state) {
    (void)state;
    gz_motion_result result;
    // Both ends are free, 2 m before and 9 m behind; so is the middle.
    assert_int_equal(replay(SLIDE("0x1.4p+4", AT_ORIGIN, "free", "", "1"), &result),
                     GZ_REPLAY_REFUTED);
    // It touches at the end, or stops nearer than epsilon, 2^-35: neither is a proof.
    assert_int_not_equal(replay(SLIDE("0x1p+3", AT_ORIGIN, "free", "", "1"), &result),
                         GZ_REPLAY_CONFIRMED);
    assert_int_not_equal(replay(SLIDE("0x1.fffffffffp+2", AT_ORIGIN, "free", "", "1"), &result),
                         GZ_REPLAY_CONFIRMED);
}

static void test_motion_from_or_to_where_it_must_not_be_is_not_confirmed(void **state) {
    (void)state;
    gz_motion_result result;
    // The base leaves the boundary, 8 m wide.
    assert_int_equal(
        replay(SLIDE("0x1.4p+2", "0x0p+0 0x1.2p+3 0x0p+0 0x0p+0 0x0p+0 0x0p+0", "free", "", "1"),
               &result),
        GZ_REPLAY_REFUTED);
    // The ball stands in the base, which nothing moves: the configuration that it begins at tells.
    char *text = dump_changed(SLIDE("0x1.8p+2", AT_ORIGIN, "free", "", "1"), "object \"ball\"",
                              "0x1p+5", "0x1p+0");
    assert_non_null(text);
    assert_int_equal(replay(text, &result), GZ_REPLAY_UNDECIDED);
    free(text);
}

static void test_pair_that_comes_nearer_than_its_margin_is_not_confirmed(void **state) {
    (void)state;
    // The hand ends 2 m before the wall, and begins at 3.
    static const char *const margins[] = {"pair 1 2 0x1.8p+0", "pair 1 2 0x1.4p+1"};
    for (int i = 0; i < 2; i++) {
        gz_motion_result result;
        char *text = dump_changed(SLIDE("0x1.8p+2", AT_ORIGIN, "free", "", "1"), "pairs",
                                  "pair 1 2 0x0p+0", margins[i]);
        assert_non_null(text);
        assert_int_equal(replay(text, &result), i == 0 ? GZ_REPLAY_CONFIRMED : GZ_REPLAY_REFUTED);
        free(text);
    }
}

// A box of edge 8, open towards the hand.
#define OPEN_BOX                                                                                   \
    "mesh 8 10\n"                                                                                  \
    "v -0x1p+2 -0x1p+2 -0x1p+2\nv 0x1p+2 -0x1p+2 -0x1p+2\nv -0x1p+2 0x1p+2 -0x1p+2\n"              \
    "v 0x1p+2 0x1p+2 -0x1p+2\nv -0x1p+2 -0x1p+2 0x1p+2\nv 0x1p+2 -0x1p+2 0x1p+2\n"                 \
    "v -0x1p+2 0x1p+2 0x1p+2\nv 0x1p+2 0x1p+2 0x1p+2\n"                                            \
    "t 1 3 7\nt 1 7 5\nt 0 1 5\nt 0 5 4\nt 2 6 7\nt 2 7 3\nt 0 2 3\nt 0 3 1\nt 4 5 7\nt 4 7 6\n"

static void test_motion_through_a_cap_is_refuted(void **state) {
    (void)state;
    static const char *const walls[] = {"surface 1 0x1p+0 0x0p+0 0x0p+0 0x1.404p+3",
                                        "cap 1 0x1p+0 0x0p+0 0x0p+0 0x1.404p+3"};
    for (int i = 0; i < 2; i++) {
        gz_motion_result result;
        // It passes the opening by 2^-8 m, at 2^-7 m: in the middle it has not, and all surfaces
        // are 3 m away.
        char *text = dump_changed(SLIDE("0x1.40cp+2", AT_ORIGIN, "free", "", "1"),
                                  "object \"wall\"", "solid 1 0x1p+0 0x0p+0 0x0p+0 0x1.4p+3",
                                  walls[i]);
        assert_non_null(text);
        char *open = dump_changed(text, "object \"wall\"", DUMP_BOX, OPEN_BOX);
        assert_non_null(open);
        assert_int_equal(replay(open, &result), i == 0 ? GZ_REPLAY_CONFIRMED : GZ_REPLAY_REFUTED);
        free(open);
        free(text);
    }
}

static void test_collision_is_free_before_and_follows(void **state) {
    (void)state;
    gz_motion_result result;
    // 5 to 9: the wall is met at 8, t = 0.75.
    assert_int_equal(
        replay(SLIDE("0x1.2p+3", AT_ORIGIN, "collision 0x1.7ffp-1 0x1.8p-1", DUMP_WALL, "2"),
               &result),
        GZ_REPLAY_CONFIRMED);
    // Free too far; another place; no configuration behind it; one that is free.
    assert_int_equal(
        replay(SLIDE("0x1.4p+3", AT_ORIGIN, "collision 0x1.8p-1 0x1.8p-1", DUMP_WALL, "2"),
               &result),
        GZ_REPLAY_REFUTED);
    assert_int_equal(
        replay(SLIDE("0x1.2p+3", AT_ORIGIN, "collision 0x1p-1 0x1.80001p-1", DUMP_WALL, "2"),
               &result),
        GZ_REPLAY_REFUTED);
    assert_int_equal(
        replay(SLIDE("0x1.2p+3", AT_ORIGIN, "collision 0x1p-1 0x1.8p-1", "", "1"), &result),
        GZ_REPLAY_REFUTED);
    assert_int_equal(
        replay(SLIDE("0x1.2p+3", AT_ORIGIN, "collision 0x0p+0 0x0p+0", DUMP_FREE, "2"), &result),
        GZ_REPLAY_REFUTED);
    assert_int_equal(
        replay(SLIDE("0x1.2p+3", AT_ORIGIN, "undecided 0x1p-1 0x1p-1", "", "1"), &result),
        GZ_REPLAY_UNCLAIMED);
}

// ---------------------------------------------------------------------------------------- objects

/// The outcome of the motion of a dump that is given times, in which the wall (`velocity`), which
/// is where it stands at the time `begin`, moves.
static gz_replay_outcome replay_moving(const char *bytes, const char *begin, const char *velocity,
                                       const char *time, const char *hit_time) {
    char moves[256], start[64], end[64];
    gz_motion_result result;
    snprintf(moves, sizeof moves, " 0x0p+0 moves %s %s\nbox", begin, velocity);
    snprintf(start, sizeof start, "\ntime %s\npose 0", time);
    snprintf(end, sizeof end, "\ntime %s\npose 0", hit_time);
    const char *const changes[][3] = {{"", "graze-dump 1", "graze-dump 2"},
                                      {"object \"wall\"", " 0x0p+0\nbox", moves},
                                      {"configuration 0 motion", "\npose 0", start},
                                      {"configuration 2", "\npose 0", end}};
    char *text = strdup(bytes);
    for (int i = 0; i < (strstr(bytes, "configuration 2") ? 4 : 3); i++) {
        char *next = dump_changed(text, changes[i][0], changes[i][1], changes[i][2]);
        assert_non_null(next);
        free(text);
        text = next;
    }
    gz_replay_outcome outcome = replay(text, &result);
    free(text);
    return outcome;
}

#define TO(x)        SLIDE(x, AT_ORIGIN, "free", "", "1")
#define ALONG(x)     x " 0x0p+0 0x0p+0"
#define ACROSS(x, y) x " " y " 0x0p+0"
#define STAYS(b, v)  replay_moving(TO("0x1.4p+2"), b, v, "0x0p+0", "")
#define GOES(x, v)   replay_moving(TO(x), "0x0p+0", v, "0x0p+0", "")
#define HITS(claim, at)                                                                            \
    replay_moving(SLIDE("0x1.4p+2", AT_ORIGIN, claim, DUMP_STRUCK, "2"), "0x0p+0",                 \
                  ALONG("-0x1p+2"), "0x0p+0", at)
// The wall, 2 m away, has come to touch the hand, at 5.
#define DUMP_STRUCK                                                                                \
    DUMP_CONFIGURATION("2", "0x1.4p+2", "verdict collision 1\ncontact 1 2 0 0 meets 2 0\n")

static void test_wall_that_moves_is_where_its_time_says(void **state) {
    (void)state;
    // The hand stays at 5, and the wall begins 3 m from it: to 2^-30 m, over it, and across the way
    // behind it and out of it.
    assert_int_equal(STAYS("0x0p+0", ALONG("-0x1.7fffffffp+1")), GZ_REPLAY_CONFIRMED);
    assert_int_equal(STAYS("0x0p+0", ALONG("-0x1.8p+3")), GZ_REPLAY_REFUTED);
    assert_int_not_equal(STAYS("0x0p+0", ALONG("-0x1.8p+1")), GZ_REPLAY_CONFIRMED);
    assert_int_equal(STAYS("0x0p+0", ACROSS("0x0p+0", "0x1p+6")), GZ_REPLAY_CONFIRMED);
    // With the begin 1 it has been moving away: at 0 it is 2 m farther.
    assert_int_equal(STAYS("0x1p+0", ALONG("-0x1p+1")), GZ_REPLAY_CONFIRMED);
    assert_int_equal(STAYS("0x1p+0", ALONG("0x1p+1")), GZ_REPLAY_CONFIRMED);
    assert_int_not_equal(STAYS("0x1p+0", ALONG("0x1p+2")), GZ_REPLAY_CONFIRMED);
    // The hand follows a wall that moves away, and does not pass one that comes.
    assert_int_equal(GOES("0x1p+4", ALONG("0x1.ap+3")), GZ_REPLAY_CONFIRMED);
    assert_int_equal(GOES("0x1p+4", ALONG("0x1p+3")), GZ_REPLAY_REFUTED);
    assert_int_equal(GOES("0x1.8p+2", ALONG("-0x1.fp+0")), GZ_REPLAY_CONFIRMED);
    // Both move across: over the hand by the middle, and not there at the ends.
    assert_int_equal(GOES("0x1.4p+4", ACROSS("-0x1.4p+3", "0x0p+0")), GZ_REPLAY_REFUTED);
    // Beyond the range of coordinates nothing is known of it.
    assert_int_not_equal(STAYS("0x0p+0", ALONG("0x1p+50")), GZ_REPLAY_CONFIRMED);
    assert_int_not_equal(STAYS("-0x1p+40", ALONG("-0x1p+50")), GZ_REPLAY_CONFIRMED);
}

static void test_collision_with_a_wall_that_moves_is_at_its_time(void **state) {
    (void)state;
    // 4 m/s from 3 m: at 0.75.
    assert_int_equal(HITS("collision 0x1.7ffp-1 0x1.8p-1", "0x1.8p-1"), GZ_REPLAY_CONFIRMED);
    assert_int_equal(HITS("collision 0x1.7ffp-1 0x1.800001p-1", "0x1.8p-1"), GZ_REPLAY_REFUTED);
    assert_int_equal(HITS("collision 0x1.8p-1 0x1.8p-1", "0x1.8p-1"), GZ_REPLAY_REFUTED);
    assert_int_equal(HITS("collision 0x1.7ffp-1 0x1.7ffp-1", "0x1.7ffp-1"), GZ_REPLAY_REFUTED);
    // A motion begins at t = 0.
    assert_int_equal(replay_moving(TO("0x1.4p+2"), "0x0p+0", ALONG("0x1p+0"), "0x1p-30", ""),
                     GZ_REPLAY_REFUTED);
}

// A piece from 5 over two control points, and another one behind it that stands still.
#define CURVE(middle, to, to_base, claim, more, end)                                               \
    DUMP_HEAD DUMP_CONFIGURATION("0 motion", "0x1.4p+2",                                           \
                                 "verdict free\n") "curve 2 0x1p+0 0x1p+1\nto " middle             \
                                                   "\nto-base " AT_ORIGIN "\nto " to               \
                                                   "\nto-base " to_base "\nmotion " claim          \
                                                   "\n" more "end " end "\n"
#define STANDING(at, time)                                                                         \
    DUMP_CONFIGURATION("1 motion", at, "verdict free\n")                                           \
    "curve 1 " time " 0x1p+2\nto " at "\nto-base " AT_ORIGIN "\nmotion free\n"

static void test_wall_moves_by_the_seconds_of_a_piece(void **state) {
    (void)state;
    // From 1 s to 2 s the hand stays, and the wall comes by 2 m a second, from where it is at 0.5
    // s: to 2^-20 m; then from where it is at 0 s, which is too near.
    const char *stay = CURVE("0x1.4p+2", "0x1.4p+2", AT_ORIGIN, "free", "", "1");
    assert_int_equal(replay_moving(stay, "0x1p-1", ALONG("-0x1.ffffp+0"), "0x1p+0", ""),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(replay_moving(stay, "0x0p+0", ALONG("-0x1.ffffp+0"), "0x1p+0", ""),
                     GZ_REPLAY_REFUTED);
    assert_int_equal(replay_moving(stay, "0x1p-1", ALONG("-0x1.ffffp+0"), "0x0p+0", ""),
                     GZ_REPLAY_REFUTED);
}

static void test_curve_that_swings_into_the_wall_is_refuted(void **state) {
    (void)state;
    gz_motion_result result;
    // Both ends are at 5. Over 10.5 the middle is at 7.75, over 12 at 8.5: the wall is met at 8.
    assert_int_equal(replay(CURVE("0x1.5p+3", "0x1.4p+2", AT_ORIGIN, "free", "", "1"), &result),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(replay(CURVE("0x1.8p+3", "0x1.4p+2", AT_ORIGIN, "free", "", "1"), &result),
                     GZ_REPLAY_REFUTED);
    // It stays within 2^-40 m of the wall for a while, which is below epsilon.
    assert_int_not_equal(
        replay(CURVE("0x1.5fffffffffp+3", "0x1.4p+2", AT_ORIGIN, "free", "", "1"), &result),
        GZ_REPLAY_CONFIRMED);
    // The base, 8 m wide, is left between ends that are inside, or not quite.
    assert_int_equal(replay(CURVE("0x1.4p+2", "0x1.4p+2",
                                  "0x0p+0 0x1.2p+3 0x0p+0 0x0p+0 0x0p+0 0x0p+0", "free", "", "1"),
                            &result),
                     GZ_REPLAY_UNDECIDED);
    assert_int_equal(replay(CURVE("0x1.4p+2", "0x1.4p+2",
                                  "0x0p+0 0x1.fp+1 0x0p+0 0x0p+0 0x0p+0 0x0p+0", "free", "", "1"),
                            &result),
                     GZ_REPLAY_CONFIRMED);
}

/// The outcome of the second piece of a dump.
static gz_replay_outcome replay_second(const char *bytes) {
    reading r;
    gz_motion_result result;
    open_dump(&r, bytes);
    gz_motion_replay *motions = gz_motion_replay_create(&r.scene, r.kinematics);
    assert_non_null(motions);
    for (uint64_t i = 0; i < 2; i++) {
        assert_true(next_configuration(&r, i));
        assert_true(gz_motion_replay_run(motions, &r.configuration, GZ_REPLAY_CONFIRMED,
                                         GZ_MOTION_REPLAY_TESTS, &result));
    }
    gz_motion_replay_free(motions);
    close_dump(&r);
    return result.replay.outcome;
}

static void test_piece_that_does_not_begin_where_the_last_one_ends_is_refuted(void **state) {
    (void)state;
    assert_int_equal(replay_second(CURVE("0x1.4p+2", "0x1.8p+2", AT_ORIGIN, "free",
                                         STANDING("0x1.8p+2", "0x1p+1"), "2")),
                     GZ_REPLAY_CONFIRMED);
    assert_int_equal(replay_second(CURVE("0x1.4p+2", "0x1.8p+2", AT_ORIGIN, "free",
                                         STANDING("0x1.8000001p+2", "0x1p+1"), "2")),
                     GZ_REPLAY_REFUTED);
    assert_int_equal(replay_second(CURVE("0x1.4p+2", "0x1.8p+2", AT_ORIGIN, "free",
                                         STANDING("0x1.8p+2", "0x1.000001p+1"), "2")),
                     GZ_REPLAY_REFUTED);
}

// ---------------------------------------------------------------------------------------- bounds

#define O(x, y, z)                                                                                 \
    "0x1p+0 0x0p+0 0x0p+0 " x " 0x0p+0 0x0p+0 -0x1p+0 " y " 0x0p+0 0x1p+0 0x0p+0 " z "\n"
#define CHAIN                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     \
    "graze-dump 1\nversion \"0\"\nrobot \"r\"\nanswer all\nepsilon 0x1p-40\ndomain 0x1p+7\nq 6\n"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 \
    "tree 6 0\njoints 5\n"                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        \
    "joint \"a\" revolute 0 1 0 -1 0x1p+0 0x0p+0 0x1p-1 0x1p+0 0x0p+0 " O("0x1p-1", "0x0p+0",                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     \
                                                                          "0x1p+0") "joint \"b\" prismatic 1 2 1 -1 0x1p+0 0x0p+0 0x1p+0 0x0p+0 0x1p+1 " O("0x0p+0",                                                                                                                                                                                                                                                                                                                                                                                                                                              \
                                                                                                                                                           "0x1p-2",                                                                                                                                                                                                                                                                                                                                                                                                                                              \
                                                                                                                                                           "0x1p+0") "joint \"c\" continuous 2 3 2 -1 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x1p+0 " O("0x1p+0",                                                                                                                                                                                                                                                                                                                                                            \
                                                                                                                                                                                                                                             "0x0p+0", "0x0p+0") "joint \"d\" planar 1 4 3 -1 0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x1p+0 " O("0x0p+0",                                                                                                                                                                                                                                                                    \
                                                                                                                                                                                                                                                                                                                                     "0x1p+1", "0x0p+0") "joint \"e\" revolute 4 5 -1 0 -0x1.cp+1 0x1p-2 0x1p+0 0x0p+0 0x0p+0 " O("0x1p-1", "0x0p+0", "0x1p-1") "frames 3\nframe 0\nframe 3\nframe 5\nboundary none\nparts 2\n"                                                                                   \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                "link \"hand\" solid 1 0x1p-45 1\n" DUMP_BOX "link \"other\" solid 2 0x1p-45 1\n" DUMP_BOX                                                        \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                "pairs\npair 0 1 0x0p+0\n"                                                                                                                        \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                "configuration 0 motion\nq 0x1p-1 0x1p-2 -0x1.8p+1 0x1p-1 -0x1p-2 0x1p+1\nbase " AT_ORIGIN                                                        \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                "\npose 0 " DUMP_IDENTITY_AT(                                                                                                                     \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                    "0x0p+0") "\npose 1 " DUMP_IDENTITY_AT("0x0p+0") "\npose 2 " DUMP_IDENTITY_AT("0x0p+0") "\nverdict free\nstraight shorter\n"                  \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "to -0x1p+0 0x1p+0 0x1.8p+1 -0x1p-1 0x1p-1 -0x1p+0\n" \
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "to-base 0x1p+0 -0x1p-1 0x0p+0 0x1p+0 0x1p-1 -0x1p+0\nmotion free\nend 1\n"

static uint64_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static double uniform(uint64_t *state) {
    return (double)draw(state) * 0x1p-31;
}

/// Places both bodies' vertices at t, and their boxes, each number up to some 1e-14.
static void place_all(reading *r, gz_robot_motion *m, double t, double (*links)[12],
                      double points[2][8][3], gz_extent boxes[2]) {
    gz_replay_result result = {.outcome = GZ_REPLAY_CONFIRMED};
    gz_robot_motion_place(m, t);
    assert_true(gz_kinematics_place(r->kinematics, m->q, m->at, links, &result));
    for (int b = 0; b < 2; b++) {
        for (int k = 0; k < 3; k++) boxes[b].low[k] = INFINITY, boxes[b].high[k] = -INFINITY;
        for (int v = 0; v < 8; v++) {
            gz_posed_snap(links[r->scene.frames[r->scene.bodies[b].frame]],
                          r->scene.bodies[b].elements[0].points[v], points[b][v]);
            for (int k = 0; k < 3; k++) {
                boxes[b].low[k] = fmin(boxes[b].low[k], points[b][v][k]);
                boxes[b].high[k] = fmax(boxes[b].high[k], points[b][v][k]);
            }
        }
    }
}

static double apart(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void test_no_distance_changes_by_more_than_its_bound(void **state) {
    (void)state;
    reading r;
    gz_robot_motion m;
    open_dump(&r, CHAIN);
    assert_true(next_configuration(&r, 0));
    assert_true(gz_robot_motion_make(&m, &r.scene));
    gz_robot_motion_set(&m, &r.configuration);
    assert_true(m.supported);
    // A point of the world, as an object: only its being one counts.
    const gz_dump_body object = {.is_object = true};
    const double fixed[3] = {0.5, -2, 1};
    double links[6][12], other[6][12], at[2][8][3], then[2][8][3], tightest = INFINITY;
    gz_extent boxes[2], unused[2];
    uint64_t random = 1;
    const gz_dump_configuration whole = r.configuration;
    double to[6], rows[3 * 6];
    memcpy(to, whole.motion.to, sizeof to);
    r.configuration.motion.to = rows;
    for (int i = 0; i < TRIALS(4000, 800); i++) {
        // All numbers move, or one, or some.
        uint64_t movers = i % 4 == 0   ? 0xfff
                          : i % 4 == 1 ? draw(&random)
                                       : 1U << draw(&random) % 12;
        // Straight, or a cubic with control points between the ends and twice as far.
        gz_dump_motion *motion = &r.configuration.motion;
        motion->is_curve = i % 3 == 0;
        motion->degree = motion->is_curve ? 3 : 1;
        for (int k = 0; k < 6 * motion->degree; k++) {
            double share = motion->is_curve ? 2 * uniform(&random) : 1;
            bool joint = movers >> k % 6 & 1, base = movers >> (6 + k % 6) & 1;
            double way = joint ? to[k % 6] - whole.q[k % 6] : 0;
            motion->to[k] = whole.q[k % 6] + share * way;
            way = base ? whole.motion.to_base[k % 6] - whole.base[k % 6] : 0;
            motion->to_base[k] = whole.base[k % 6] + share * way;
        }
        gz_robot_motion_set(&m, &r.configuration);
        double c = uniform(&random), half = ldexp(1, -(int)(draw(&random) % 12)) * 0.5;
        place_all(&r, &m, c, links, at, boxes);
        double pair = gz_robot_motion_bound(&m, links, &r.scene.bodies[0], &boxes[0],
                                            &r.scene.bodies[1], &boxes[1], half);
        double world = gz_robot_motion_bound(&m, links, &r.scene.bodies[0], &boxes[0], &object,
                                             &boxes[0], half);
        double t = c + half * (2 * uniform(&random) - 1);
        place_all(&r, &m, fmin(fmax(t, 0), 1), other, then, unused);
        for (int v = 0; v < 8; v++) {
            assert_true(fabs(apart(at[0][v], fixed) - apart(then[0][v], fixed)) <= world + 1e-13);
            for (int w = 0; w < 8; w++) {
                double change = fabs(apart(at[0][v], at[1][w]) - apart(then[0][v], then[1][w]));
                assert_true(change <= pair + 1e-13);
                tightest = fmin(tightest, pair / (change + 1e-9));
            }
        }
    }
    // A bound that is never near what happens would test nothing.
    assert_true(tightest < 3);
    r.configuration.motion.to = whole.motion.to;
    gz_robot_motion_free(&m);
    close_dump(&r);
}

static void test_circle_of_a_column_ends_where_a_follower_does_not_return(void **state) {
    (void)state;
    reading r;
    gz_robot_motion m;
    open_dump(&r, CHAIN);
    assert_true(next_configuration(&r, 0));
    assert_true(gz_robot_motion_make(&m, &r.scene));
    gz_robot_motion_set(&m, &r.configuration);
    // Of the columns the continuous joint's and the planar one's angle are circles: -3 to 3 goes
    // the short way.
    for (int i = 0; i < 6; i++) assert_int_equal(m.numbers[i].circle, i == 2 || i == 5);
    assert_true(fabs(m.numbers[2].way - (6 - 2 * acos(-1))) < 1e-15);
    // Where joint e follows it, by -3.5, it is none; by -1 it is.
    r.scene.joints[4].mimic = 2;
    gz_robot_motion_set(&m, &r.configuration);
    assert_false(m.numbers[2].circle);
    assert_true(m.numbers[2].way == 6);
    r.scene.joints[4].multiplier = -1;
    gz_robot_motion_set(&m, &r.configuration);
    assert_true(m.numbers[2].circle);
    // Half a turn has no shorter way.
    r.configuration.q[2] = -3;
    r.configuration.motion.to[2] = -3 + 3 * acos(-1);
    gz_robot_motion_set(&m, &r.configuration);
    assert_false(m.supported);
    gz_robot_motion_free(&m);
    close_dump(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve_that_swings_into_the_wall_is_refuted),
        cmocka_unit_test(test_piece_that_does_not_begin_where_the_last_one_ends_is_refuted),
        cmocka_unit_test(test_free_motion_is_proved),
        cmocka_unit_test(test_motion_through_a_wall_between_free_ends_is_refuted),
        cmocka_unit_test(test_motion_from_or_to_where_it_must_not_be_is_not_confirmed),
        cmocka_unit_test(test_motion_through_a_cap_is_refuted),
        cmocka_unit_test(test_pair_that_comes_nearer_than_its_margin_is_not_confirmed),
        cmocka_unit_test(test_wall_that_moves_is_where_its_time_says),
        cmocka_unit_test(test_collision_with_a_wall_that_moves_is_at_its_time),
        cmocka_unit_test(test_wall_moves_by_the_seconds_of_a_piece),
        cmocka_unit_test(test_collision_is_free_before_and_follows),
        cmocka_unit_test(test_no_distance_changes_by_more_than_its_bound),
        cmocka_unit_test(test_circle_of_a_column_ends_where_a_follower_does_not_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
