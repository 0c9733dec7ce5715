// What the tests of world files share: texts become files in a folder of their own, which is
// emptied afterwards.
#ifndef TESTS_UNIT_LOAD_WORLD_FIXTURE_H
#define TESTS_UNIT_LOAD_WORLD_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "graze/world.h"

static char fixture_folder[64];
static char fixture_files[32][16];
static size_t fixture_count;

static int fixture_open(void **state) {
    (void)state;
    snprintf(fixture_folder, sizeof fixture_folder, "/tmp/graze-test-XXXXXX");
    fixture_count = 0;
    return mkdtemp(fixture_folder) ? 0 : -1;
}

static inline const char *fixture_path(const char *name) {
    static char path[640];
    snprintf(path, sizeof path, "%s/%s", fixture_folder, name);
    return path;
}

static int fixture_close(void **state) {
    (void)state;
    for (size_t i = 0; i < fixture_count; i++) remove(fixture_path(fixture_files[i]));
    return rmdir(fixture_folder);
}

static inline void fixture_write(const char *name, const char *bytes, size_t size) {
    FILE *file = fopen(fixture_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < fixture_count; i++)
        if (strcmp(fixture_files[i], name) == 0) return;
    assert_true(fixture_count < 32 && strlen(name) < 16);
    snprintf(fixture_files[fixture_count++], 16, "%s", name);
}

static inline void fixture_text(const char *name, const char *text) {
    fixture_write(name, text, strlen(text));
}

/// Writes the text to a file and adds it to a new world.
static inline graze_status fixture_load(graze_world **world, const char *name, const char *text,
                                        const graze_load_options *options, graze_error *error) {
    fixture_text(name, text);
    assert_int_equal(graze_world_create(world, "", NULL), GRAZE_OK);
    return graze_world_add_file(*world, fixture_path(name), options, error);
}

static inline graze_world *fixture_load_ok(const char *name, const char *text) {
    graze_world *world;
    graze_error error;
    if (fixture_load(&world, name, text, NULL, &error) != GRAZE_OK)
        fail_msg("%s:%d:%d %s: %s", name, error.line, error.column, error.element, error.message);
    assert_int_equal(error.status, GRAZE_OK);
    assert_string_equal(error.message, "");
    return world;
}

/// Expects a failure with this status and line and with these texts in element and message, and an
/// empty world afterwards.
static inline void fixture_expect(const char *name, const char *text, graze_status status,
                                  int32_t line, const char *element, const char *message) {
    graze_world *world;
    graze_error error;
    memset(&error, 0x55, sizeof error);
    graze_status got = fixture_load(&world, name, text, NULL, &error);
    if (got != status || error.status != status || error.line != line ||
        !strstr(error.element, element) || !strstr(error.message, message) ||
        strcmp(error.file, fixture_path(name)) != 0)
        fail_msg("got %s %s:%d:%d '%s' '%s'; wanted %s line %d '%s' '%s' for %s",
                 graze_status_name(got), error.file, error.line, error.column, error.element,
                 error.message, graze_status_name(status), line, element, message, text);
    assert_int_equal(graze_world_object_count(world), 0);
    assert_int_equal(graze_world_warning_count(world), 0);
    assert_false(graze_world_boundary(world, NULL, NULL));
    assert_string_equal(graze_world_name(world), "");
    graze_world_free(world);
}

static inline graze_geometry fixture_object(const graze_world *world, const char *name) {
    graze_geometry geometry;
    int32_t index = graze_world_find_object(world, name);
    if (index < 0) fail_msg("no object '%s'", name);
    assert_int_equal(graze_world_object(world, (size_t)index, &geometry), GRAZE_OK);
    return geometry;
}

static inline void fixture_expect_pose(const graze_geometry *geometry, const double expected[12]) {
    for (int i = 0; i < 12; i++)
        if (!(fabs(geometry->origin.m[i] - expected[i]) <= 1e-15))
            fail_msg("%s: pose entry %d is %.17g, not %.17g", geometry->name, i,
                     geometry->origin.m[i], expected[i]);
}

/// How often a warning of that code occurred, in all.
static inline uint32_t fixture_warnings(const graze_world *world, const char *code) {
    uint32_t count = 0;
    for (size_t i = 0; i < graze_world_warning_count(world); i++) {
        graze_warning warning = graze_world_warning(world, i);
        if (strcmp(warning.code, code) == 0) count += warning.count;
    }
    return count;
}

#ifdef GRAZE_FAULTS
/// Loads the text again and again, each time with another allocation failing.
static inline void fixture_fail_everywhere(const char *name, const char *text, long at_least) {
    fixture_text(name, text);
    long failures = 0;
    for (long n = 1;; n++) {
        graze_world *world;
        graze_error error;
        assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
        assert_int_equal(graze_world_add_sphere(world, "before", 1, NULL, NULL), GRAZE_OK);
        gz_memory_fail_after(n, false);
        graze_status status = graze_world_add_file(world, fixture_path(name), NULL, &error);
        long allocations = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        if (status) {
            if (status != GRAZE_ERROR_NO_MEMORY) fail_msg("allocation %ld: %s", n, error.message);
            assert_int_equal(error.status, GRAZE_ERROR_NO_MEMORY);
            assert_int_equal(graze_world_object_count(world), 1);
            assert_int_equal(graze_world_find_object(world, "before"), 0);
            assert_int_equal(graze_world_warning_count(world), 0);
            assert_false(graze_world_boundary(world, NULL, NULL));
            assert_string_equal(graze_world_name(world), "");
            assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
            failures++;
        }
        graze_world_free(world);
        if (allocations < n) break;
    }
    assert_true(failures >= at_least);
}
#endif

#endif
