// Files that the caller gives in place of the file system's: a robot, its SRDF, meshes and world
// under names that no disk has, against the same from disk.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/platform.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { FILES = 256, ROWS = TRIALS(500, 60) };

/// What has been asked for. "given/PATH" is PATH of the repository, read once.
typedef struct store {
    char *names[FILES];
    void *bytes[FILES];
    size_t sizes[FILES], count, asked, elsewhere;
    const char *missing; ///< a file that is not there
} store;

static int get(void *user, const char *path, const void **bytes, size_t *size) {
    store *s = user;
    char full[1024];
    s->asked++;
    s->elsewhere += strncmp(path, "given/", 6) != 0;
    if (strncmp(path, "given/", 6) != 0 || (s->missing && strcmp(path, s->missing) == 0)) return 0;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], path) == 0) {
            *bytes = s->bytes[i];
            *size = s->sizes[i];
            return 1;
        }
    snprintf(full, sizeof full, "%s/%s", GRAZE_SOURCE_DIR, path + 6);
    char *read;
    if (gz_file_read(full, SIZE_MAX, &read, size, NULL)) return 0;
    assert_true(s->count < FILES);
    s->names[s->count] = strdup(path);
    s->sizes[s->count] = *size;
    *bytes = s->bytes[s->count++] = read;
    return 1;
}

static void store_free(store *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->names[i]);
        gz_free(s->bytes[i]);
    }
}

static graze_load_options options_of(const graze_files *files, const char *srdf,
                                     const graze_package *package) {
    graze_load_options options = graze_load_options_default();
    options.use_environment = 0;
    options.files = files;
    options.srdf = srdf;
    options.packages = package;
    options.package_count = 1;
    options.visuals = GRAZE_VISUALS_LOAD;
    return options;
}

static size_t compare_verdicts(const graze_robot *a, const graze_world *wa, const graze_robot *b,
                               const graze_world *wb) {
    graze_checker *checker[2];
    graze_workspace *workspace[2];
    size_t n = graze_robot_q_size(a), hits = 0;
    double *q = calloc(n, sizeof *q);
    assert_int_equal(graze_checker_create(&checker[0], a, wa, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&checker[1], b, wb, NULL, NULL), GRAZE_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(graze_workspace_create(&workspace[k], checker[k], NULL), GRAZE_OK);
    for (uint64_t i = 0; i < ROWS; i++) {
        graze_contact contact[2];
        graze_report report[2] = {{.contacts = &contact[0], .capacity = 1},
                                  {.contacts = &contact[1], .capacity = 1}};
        assert_int_equal(graze_robot_sample(a, 5, i, NULL, NULL, q, NULL), GRAZE_OK);
        for (int k = 0; k < 2; k++)
            assert_int_equal(graze_check(checker[k], workspace[k], GRAZE_ANSWER_FIRST, q, n, NULL,
                                         &report[k], NULL),
                             GRAZE_OK);
        assert_int_equal(report[0].verdict, report[1].verdict);
        if (report[0].verdict != GRAZE_COLLISION) continue;
        hits++;
        assert_int_equal(contact[0].link, contact[1].link);
        assert_int_equal(contact[0].triangle, contact[1].triangle);
        assert_memory_equal(&contact[0].point, &contact[1].point, sizeof contact[0].point);
    }
    for (int k = 0; k < 2; k++) {
        graze_workspace_free(workspace[k]);
        graze_checker_free(checker[k]);
    }
    free(q);
    return hits;
}

static void test_a_robot_and_its_world_from_memory_are_those_of_the_disk(void **state) {
    (void)state;
    store s = {0};
    const graze_files files = {get, &s};
    const graze_package given = {"graze", "given"}, disk = {"graze", GRAZE_SOURCE_DIR};
    graze_load_options from_memory = options_of(&files, "given/urdf/heron.srdf", &given),
                       from_disk = options_of(NULL, GRAZE_SOURCE_DIR "/urdf/heron.srdf", &disk);
    graze_robot *a, *b;
    graze_world *wa, *wb;
    graze_error error;
    if (graze_robot_load_urdf(&a, "given/urdf/heron.urdf", &from_memory, &error))
        fail_msg("%s", error.message);
    assert_int_equal(
        graze_robot_load_urdf(&b, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &from_disk, NULL), GRAZE_OK);
    assert_int_equal(graze_world_create(&wa, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_create(&wb, "w", NULL), GRAZE_OK);
    if (graze_world_add_file(wa, "given/worlds/shelf.json", &from_memory, &error))
        fail_msg("%s", error.message);
    assert_int_equal(
        graze_world_add_file(wb, GRAZE_SOURCE_DIR "/worlds/shelf.json", &from_disk, NULL),
        GRAZE_OK);
    assert_int_equal(graze_world_commit(wa, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(wb, NULL), GRAZE_OK);
    assert_int_equal(s.elsewhere, 0);
    assert_true(s.count > 30); // URDF, SRDF, world, meshes to check and to draw
    assert_int_equal(graze_robot_warning_count(a), graze_robot_warning_count(b));
    assert_int_equal(graze_robot_pair_count(a), graze_robot_pair_count(b));
    assert_int_equal(graze_robot_visual_count(a), graze_robot_visual_count(b));
    size_t hits = compare_verdicts(a, wa, b, wb);
    assert_true(hits > ROWS / 20 && hits < ROWS);
    graze_robot_free(a);
    graze_robot_free(b);
    graze_world_free(wa);
    graze_world_free(wb);
    store_free(&s);
}

/// Packages are found upwards by their folder's name, as on disk.
static void test_packages_are_looked_for_above_the_file(void **state) {
    (void)state;
    static const char
        stl[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
        urdf[] = "<robot name='r'><link name='l'><collision><geometry><mesh "
                 "filename='package://part/meshes/a.stl'/></geometry></collision></link></robot>";
    static char names[2][32] = {"given/part/urdf/r.urdf", "given/part/meshes/a.stl"};
    store s = {.names = {strdup(names[0]), strdup(names[1])},
               .bytes = {gz_string_copy(urdf), gz_string_copy(stl)},
               .sizes = {sizeof urdf - 1, sizeof stl - 1},
               .count = 2};
    const graze_files files = {get, &s};
    graze_load_options options = options_of(&files, NULL, NULL);
    options.package_count = 0;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, names[0], &options, &error)) fail_msg("%s", error.message);
    assert_int_equal(graze_robot_collision_count(robot), 1);
    graze_robot_free(robot);
    s.missing = names[1];
    assert_int_equal(graze_robot_load_urdf(&robot, names[0], &options, &error),
                     GRAZE_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "in given/part, has no file meshes/a.stl"));
    assert_string_equal(error.file, names[0]);
    options.limits.file_bytes = 20;
    assert_int_equal(graze_robot_load_urdf(&robot, names[0], &options, &error), GRAZE_ERROR_LIMIT);
    store_free(&s);
}

static int give_nothing(void *user, const char *path, const void **bytes, size_t *size) {
    (void)user;
    (void)path;
    *bytes = NULL;
    *size = 7;
    return 1;
}

static void test_mistakes_of_the_caller_are_errors(void **state) {
    (void)state;
    const graze_files none = {0}, broken = {give_nothing, NULL};
    store s = {0};
    const graze_files files = {get, &s};
    graze_robot *robot;
    graze_error error;
    graze_load_options options = graze_load_options_default();
    options.files = &none;
    assert_int_equal(graze_robot_load_urdf(&robot, "r.urdf", &options, &error),
                     GRAZE_ERROR_ARGUMENT);
    options.files = &broken;
    assert_int_equal(graze_robot_load_urdf(&robot, "r.urdf", &options, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_string_equal(error.file, "r.urdf");
    // A file of the disk is not there.
    options.files = &files;
    assert_int_equal(
        graze_robot_load_urdf(&robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, &error),
        GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(s.asked, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_robot_and_its_world_from_memory_are_those_of_the_disk),
        cmocka_unit_test(test_packages_are_looked_for_above_the_file),
        cmocka_unit_test(test_mistakes_of_the_caller_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
