/// Dumps are read strictly: what is not a whole dump is an error with its place.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dump_sample.h"

typedef struct reading {
    graze_error error;
    gz_dump_scene scene;
    gz_dump_configuration configuration;
    uint64_t count;
} reading;

/// Reads all of a dump; leaves the scene and the last configuration.
static graze_status read_bytes(reading *r, const char *bytes, size_t size) {
    *r = (reading){0};
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    assert_non_null(stream);
    gz_dump_text text = {.stream = stream, .name = "sample", .error = &r->error};
    graze_status status = gz_dump_read_scene(&text, &r->scene);
    for (bool end = false; status == GRAZE_OK; r->count++) {
        status = gz_dump_read_configuration(&text, &r->scene, r->count, &r->configuration, &end);
        if (end) break;
    }
    gz_dump_text_free(&text);
    fclose(stream);
    return status;
}

static void release(reading *r) {
    gz_dump_scene_free(&r->scene);
    gz_dump_configuration_free(&r->configuration);
}

static void test_a_whole_dump_is_read(void **state) {
    (void)state;
    reading r;
    assert_int_equal(read_bytes(&r, DUMP_WHOLE, strlen(DUMP_WHOLE)), GRAZE_OK);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.scene.body_count, 4);
    assert_int_equal(r.scene.link_count, 2);
    assert_int_equal(r.scene.pair_count, 5);
    assert_true(r.scene.pairs[1].skipped);
    assert_string_equal(r.scene.pairs[1].reason, "allowed");
    assert_string_equal(r.scene.bodies[3].name, "ball");
    assert_true(r.scene.bodies[2].pose[3] == 10);
    assert_true(r.scene.bodies[0].elements[0].points[1][0] == 1);
    assert_int_equal(r.configuration.contacts[0].other, 2);
    assert_true(r.configuration.poses[1][3] == 8);
    release(&r);
}

static void test_every_cut_is_an_error(void **state) {
    (void)state;
    size_t size = strlen(DUMP_WHOLE);
    for (size_t cut = 1; cut < size; cut++) {
        reading r;
        graze_status status = read_bytes(&r, DUMP_WHOLE, cut);
        assert_int_equal(status, GRAZE_ERROR_PARSE);
        assert_true(r.error.line > 0 && r.error.message[0] != '\0');
        assert_string_equal(r.error.file, "sample");
        release(&r);
    }
}

static void test_faults_are_told_with_their_place(void **state) {
    (void)state;
    const struct {
        const char *after, *from, *to;
        int line, column;
        const char *message;
    } faults[] = {
        {"", "graze-dump 1", "graze-dump 3", 1, 12,
         "found '3'; allowed: a whole number from 1 to 2"},
        // The second version has times, the first one no objects that move.
        {"", "graze-dump 1", "graze-dump 2", 95, 1, "found 'pose'; allowed: time"},
        {"object \"wall\"", " 0x0p+0\nbox", " 0x0p+0 moves 0x0p+0 0x1p+0 0x0p+0 0x0p+0\nbox", 60,
         109, "found 'moves'; allowed: the end of the line"},
        {"", "graze-dump 1\n", "{}\n", 1, 1, "found '{}'; allowed: graze-dump"},
        {"", "robot \"slider\"", "robot slider", 3, 7, "found 'slider'; allowed: a name in double"},
        {"", "robot \"slider\"", "robot \"sli\\qer\"", 3, 7, "allowed: a name in double quotes"},
        {"", "robot \"slider\"", "robot \"slider\" x", 3, 16,
         "found 'x'; allowed: the end of the line"},
        {"", "robot \"slider\"", "robot \"slider\" ", 3, 15, "a blank at the end of the line"},
        {"", "answer all", "answer some", 4, 8, "found 'some'; allowed: first, all"},
        {"", "epsilon 0x1p-35", "epsilon 0x1p-3", 5, 0, "epsilon is 0.125; allowed"},
        {"", "q 1", "q -1", 7, 3, "found '-1'; allowed: a whole number from 0"},
        {"", "q 1", "q 99999999999999999999", 7, 3, "allowed: a whole number"},
        {"", "slide\" prismatic", "slide\" sliding", 10, 15, "found 'sliding'; allowed: fixed, "},
        {"", "slide\" prismatic 0 1 0", "slide\" prismatic 0 1 1", 10, 29,
         "allowed: a whole number"},
        {"", "slide\" prismatic 0 1", "slide\" prismatic 0 2", 10, 27, "allowed: a whole number"},
        {"", "frame 1\n", "frame 2\n", 13, 7, "found '2'"},
        {"", "link \"base\" solid 0", "link \"base\" soft 0", 16, 13,
         "allowed: solid, surface, cap"},
        {"", "link \"base\" solid 0", "link \"base\" solid 7", 16, 19, "found '7'"},
        {"", "box 8 12", "box 8 0", 17, 7, "found '0'"},
        {"", "box 8 12", "torus 8 12", 17, 1,
         "allowed: box, mesh, sphere, capsule, cylinder, points, cone, halfspace, plane"},
        {"", "v -0x1p+0", "v nan", 18, 3, "found 'nan'; allowed: a finite number as %a writes it"},
        {"", "v -0x1p+0", "v -1", 18, 3, "found '-1'; allowed: a finite number as %a"},
        {"", "v -0x1p+0", "v 0x1p+1024", 18, 3, "found '0x1p+1024'"},
        {"", "v -0x1p+0", "v 0x1.00000000000001p+0", 18, 3, "found '0x1.00000000000001p+0'"},
        {"", "v -0x1p+0", "v 0x2p+0", 18, 3, "found '0x2p+0'"},
        {"", "v -0x1p+0", "v 0x1p-2000", 18, 3, "found '0x1p-2000'"},
        {"", "t 0 4 6\n", "t 0 4 8\n", 26, 7, "found '8'; allowed: a whole number from 0 to 7"},
        {"", "t 0 4 6\n", "", 37, 1, "found 'link'; allowed: t"},
        {"", "v 0x1p+0 0x1p+0 0x1p+0\n", "", 25, 1, "found 't'; allowed: v"},
        {"hand", "t 4 7 6\n", "t 4 7 6\nt 4 7 6\n", 60, 1, "found 't'; allowed: link, object"},
        {"", "sphere 0x1p+0", "sphere -0x1p+0", 83, 0, "radius is -1; allowed: not negative"},
        {"", "sphere 0x1p+0", "points 1 0x1p+0", 85, 1, "found 'v'; allowed: pairs"},
        {"", "pair 0 1 0x0p+0\n", "", 87, 8, "found '2'; allowed: a whole number from 1 to 1"},
        {"", "skip 0 2 \"allowed\"\n", "", 88, 8, "found '3'; allowed: a whole number from 2 to 2"},
        {"", "pair 1 3 0x0p+0\n", "", 91, 1, "found 'configuration'; allowed: pair, skip"},
        {"", "pair 1 3 0x0p+0", "pair 1 3 -0x1p+0", 91, 0, "margin is -1; allowed: not negative"},
        {"configuration 0", "pose 1", "pose 0", 96, 6, "found '0'; allowed: a whole number from 1"},
        {"configuration 1", "collision 1", "collision 0", 103, 19, "found '0'"},
        {"configuration 1", "collision 1", "collision 2", 105, 1, "found 'configuration'; allowed"},
        {"configuration 1", "contact 0 1", "contact 1 0", 104, 11, "found '0'"},
        {"configuration 1", "contact 0 1", "contact 0 9", 104, 11, "found '9'"},
        {"configuration 1", "0 0 meets", "0 1 meets", 104, 15, "found '1'"},
        {"configuration 1", "meets", "kisses", 104, 17, "found 'kisses'; allowed: meets, inside"},
        {"", "end 3", "end 4", 112, 0, "the file promises 4 configurations and holds 3"},
        {"", "end 3\n", "end 3\nend 3\n", 112, 0, "something follows"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *text = dump_changed(DUMP_WHOLE, faults[i].after, faults[i].from, faults[i].to);
        assert_non_null(text);
        reading r;
        graze_status status = read_bytes(&r, text, strlen(text));
        if (strstr(r.error.message, faults[i].message) == NULL || r.error.line != faults[i].line)
            print_message("fault %zu ('%s' to '%s'): %d:%d: %s\n", i, faults[i].from, faults[i].to,
                          r.error.line, r.error.column, r.error.message);
        assert_int_not_equal(status, GRAZE_OK);
        assert_non_null(strstr(r.error.message, faults[i].message));
        assert_int_equal(r.error.line, faults[i].line);
        if (faults[i].column > 0) assert_int_equal(r.error.column, faults[i].column);
        release(&r);
        free(text);
    }
}

static void test_objects_that_move_are_read(void **state) {
    (void)state;
    static const char *const changes[][3] = {
        {"", "graze-dump 1", "graze-dump 2"},
        {"object \"wall\"", " 0x0p+0\nbox", " 0x0p+0 moves 0x1p-1 0x1p+0 0x0p+0 -0x1p+1\nbox"},
        {"configuration 0", "\npose 0", "\ntime 0x1p+0\npose 0"},
        {"configuration 1", "\npose 0", "\ntime 0x0p+0\npose 0"},
        {"configuration 2", "\npose 0", "\ntime 0x1.8p+1\npose 0"},
    };
    reading r;
    char *text = strdup(DUMP_WHOLE);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *next = dump_changed(text, changes[i][0], changes[i][1], changes[i][2]);
        assert_non_null(next);
        free(text);
        text = next;
    }
    assert_int_equal(read_bytes(&r, text, strlen(text)), GRAZE_OK);
    assert_true(r.scene.timed && r.scene.bodies[2].moves && !r.scene.bodies[3].moves);
    assert_true(r.scene.bodies[2].begin == 0.5 && r.scene.bodies[2].velocity[0] == 1);
    assert_true(r.scene.bodies[2].velocity[2] == -2);
    assert_true(r.configuration.time == 3);
    release(&r);
    free(text);
}

static void test_any_byte_changed_never_crashes(void **state) {
    (void)state;
    static const char others[] = {' ', '\n', '"', '-', '0', '9', 'x', '\\', 1, (char)0xff, 0};
    size_t size = strlen(DUMP_WHOLE);
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i += 3) {
        memcpy(text, DUMP_WHOLE, size + 1);
        text[i] = others[i / 3 % sizeof others];
        reading r;
        if (read_bytes(&r, text, size) != GRAZE_OK) assert_true(r.error.message[0] != '\0');
        release(&r);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_dump_is_read),
        cmocka_unit_test(test_every_cut_is_an_error),
        cmocka_unit_test(test_faults_are_told_with_their_place),
        cmocka_unit_test(test_objects_that_move_are_read),
        cmocka_unit_test(test_any_byte_changed_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
