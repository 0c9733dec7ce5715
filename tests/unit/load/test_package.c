#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/package.h"
#include "unit/load/temporary_folder.h"

/// One test's folder, options and what the last look-up gave.
typedef struct fixture {
    temporary_folder folder;
    graze_load_options options;
    gz_warnings warnings;
    graze_error error;
    char text[2 * TEMPORARY_PATH_SIZE];
} fixture;

static fixture make(void) {
    fixture f = {.folder = temporary_folder_make(), .options = graze_load_options_default()};
    f.options.use_environment = 0;
    return f;
}

static void end(fixture *f) {
    gz_warnings_free(&f->warnings);
    temporary_folder_remove(&f->folder);
}

/// Looks for a URI from a folder below the fixture's; `expected` is relative to the fixture's, too.
static void assert_found(fixture *f, const char *uri, const char *base, const char *expected) {
    snprintf(f->text, sizeof f->text, "%s/%s", f->folder.path, base);
    char *path;
    graze_status status = gz_package_resolve(&path, uri, f->text, &f->options, NULL, &f->warnings,
                                             (gz_place){0}, &f->error);
    if (status != GRAZE_OK) fail_msg("%s: %s", uri, f->error.message);
    char real[4096], wanted[4096];
    assert_non_null(realpath(path, real));
    assert_non_null(realpath(temporary_path(&f->folder, expected), wanted));
    assert_string_equal(real, wanted);
    gz_free(path);
}

static void assert_refused(fixture *f, const char *uri, const char *base, graze_status expected,
                           const char *message) {
    snprintf(f->text, sizeof f->text, "%s/%s", f->folder.path, base);
    char *path = (char *)f;
    gz_place place = {"r.urdf", "/robot/x", 3, 4};
    graze_status status = gz_package_resolve(&path, uri, f->text, &f->options, NULL, &f->warnings,
                                             place, &f->error);
    assert_int_equal(status, expected);
    assert_null(path);
    assert_string_equal(f->error.file, "r.urdf");
    assert_string_equal(f->error.element, "/robot/x");
    assert_int_equal(f->error.line, 3);
    assert_int_equal(f->error.column, 4);
    if (!strstr(f->error.message, message)) fail_msg("%s", f->error.message);
}

static void test_package_by_name_and_folder_comes_first(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "one/m/a.stl", "");
    temporary_write_text(&f.folder, "two/m/a.stl", "");
    temporary_write_text(&f.folder, "path/arm/m/a.stl", "");
    char one[TEMPORARY_PATH_SIZE + 8], two[TEMPORARY_PATH_SIZE + 8], path[TEMPORARY_PATH_SIZE + 8];
    snprintf(one, sizeof one, "%s/one", f.folder.path);
    snprintf(two, sizeof two, "%s/two", f.folder.path);
    snprintf(path, sizeof path, "%s/path", f.folder.path);
    const graze_package packages[] = {{"leg", two}, {"arm", one}, {"arm", two}};
    f.options.packages = packages;
    f.options.package_count = 3;
    f.options.package_path = path;
    assert_found(&f, "package://arm/m/a.stl", "", "one/m/a.stl");
    f.options.packages = packages + 2;
    f.options.package_count = 1;
    assert_found(&f, "package://arm/m/a.stl", "", "two/m/a.stl");
    f.options.package_count = 0;
    assert_found(&f, "package://arm/m/a.stl", "", "path/arm/m/a.stl");
    end(&f);
}

static void test_package_path_is_a_list_of_folders_that_hold_or_are_packages(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "a/other/m.stl", "");
    temporary_write_text(&f.folder, "b/arm/m.stl", "");
    temporary_write_text(&f.folder, "c/odd_name/m2.stl", "");
    temporary_write_text(&f.folder, "c/odd_name/package.xml",
                         "<package><name> arm </name></package>");
    char path[4 * TEMPORARY_PATH_SIZE];
    const char *root = f.folder.path;
    snprintf(path, sizeof path, "%s/a::%s/b/:%s/c/odd_name", root, root, root);
    f.options.package_path = path;
    assert_found(&f, "package://arm/m.stl", "", "b/arm/m.stl");
    assert_found(&f, "package://arm/m2.stl", "", "c/odd_name/m2.stl");
    snprintf(path, sizeof path, "%s/b/arm/", root);
    assert_found(&f, "package://arm/m.stl", "a", "b/arm/m.stl");
    end(&f);
}

/// The folders of a path are looked through for package.xml, as rospack does.
static void test_packages_lie_anywhere_below_the_folders_of_a_path(void **state) {
    (void)state;
    fixture f = make();
    static const char *const packages[][2] = {
        {"ws/src/deep/Odd_Name", "arm"}, {"ws/src/outer", "outer"},
        {"ws/src/outer/inner", "inner"}, {"ws/.hidden/x", "hidden"},
        {"ws/skipped/p", "skipped"},     {"ws/a/one", "twice"},
        {"ws/b/two", "twice"},           {"other/legs", "leg"},
    };
    char text[100], path[TEMPORARY_PATH_SIZE + 8];
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        snprintf(path, sizeof path, "%s/package.xml", packages[i][0]);
        snprintf(text, sizeof text, "<package><name>%s</name></package>", packages[i][1]);
        temporary_write_text(&f.folder, path, text);
        snprintf(path, sizeof path, "%s/m.stl", packages[i][0]);
        temporary_write_text(&f.folder, path, "");
    }
    temporary_write_text(&f.folder, "ws/skipped/COLCON_IGNORE", "");
    temporary_write_text(&f.folder, "base/x", "");
    char loop[TEMPORARY_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s/ws", f.folder.path);
    snprintf(loop, sizeof loop, "%s/ws/src/loop", f.folder.path);
    assert_int_equal(symlink(path, loop), 0);
    f.options.package_path = path;
    assert_found(&f, "package://arm/m.stl", "base", "ws/src/deep/Odd_Name/m.stl");
    assert_found(&f, "package://outer/m.stl", "base", "ws/src/outer/m.stl");
    assert_found(&f, "package://twice/m.stl", "base", "ws/a/one/m.stl");
    static const char *const none[] = {"inner", "hidden", "skipped", "leg"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "package://%s/m.stl", none[i]);
        assert_refused(&f, text, "base", GRAZE_ERROR_NOT_FOUND,
                       i == 2 ? " has no file m.stl" : " is in none of "); // by its name it is one
    }
    f.options.use_environment = 1;
    setenv("ROS_PACKAGE_PATH", temporary_path(&f.folder, "other"), 1);
    assert_found(&f, "package://leg/m.stl", "base", "other/legs/m.stl");
    unsetenv("ROS_PACKAGE_PATH");
    end(&f);
}

static void test_a_load_looks_through_a_folder_once_and_not_without_end(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "ws/arm/robot/package.xml",
                         "<package><name>arm</name></package>");
    temporary_write_text(&f.folder, "ws/arm/robot/m.stl", "");
    char ws[TEMPORARY_PATH_SIZE + 8], link[TEMPORARY_PATH_SIZE + 32];
    snprintf(ws, sizeof ws, "%s/ws", f.folder.path);
    f.options.package_path = ws;
    gz_package_cache cache = {0};
    size_t looked_at = 0;
    for (int i = 0; i < 3; i++) {
        char *path;
        assert_int_equal(gz_package_resolve(&path, "package://arm/m.stl", "/", &f.options, &cache,
                                            &f.warnings, (gz_place){0}, &f.error),
                         GRAZE_OK);
        if (i == 0) looked_at = cache.folders;
        gz_free(path);
    }
    assert_int_equal(looked_at, 3);
    assert_int_equal(cache.folders, looked_at);
    assert_int_equal(f.warnings.count, 0);
    gz_package_cache_free(&cache);
    for (int i = 0; i < 4; i++) { // four ways round at each of 16 depths
        snprintf(link, sizeof link, "%s/loop%d", ws, i);
        assert_int_equal(symlink(ws, link), 0);
    }
    assert_refused(&f, "package://leg/m.stl", "", GRAZE_ERROR_NOT_FOUND,
                   "package leg is in none of ");
    assert_int_equal(f.warnings.count, 1);
    assert_string_equal(f.warnings.items[0].code, "package-folders");
    end(&f);
}

static void test_environment_is_asked_in_order_and_only_if_wanted(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "g/arm/m.stl", "");
    temporary_write_text(&f.folder, "r/arm/m.stl", "");
    temporary_write_text(&f.folder, "p/share/arm/m.stl", "");
    temporary_write_text(&f.folder, "base/x", "");
    setenv("GRAZE_PACKAGE_PATH", temporary_path(&f.folder, "g"), 1);
    setenv("ROS_PACKAGE_PATH", temporary_path(&f.folder, "r"), 1);
    setenv("AMENT_PREFIX_PATH", temporary_path(&f.folder, "p"), 1);
    assert_refused(&f, "package://arm/m.stl", "base", GRAZE_ERROR_NOT_FOUND, "package arm");
    f.options.use_environment = 1;
    assert_found(&f, "package://arm/m.stl", "base", "g/arm/m.stl");
    unsetenv("GRAZE_PACKAGE_PATH");
    assert_found(&f, "package://arm/m.stl", "base", "r/arm/m.stl");
    unsetenv("ROS_PACKAGE_PATH");
    assert_found(&f, "package://arm/m.stl", "base", "p/share/arm/m.stl");
    unsetenv("AMENT_PREFIX_PATH");
    end(&f);
}

static void test_walk_upwards(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "ws/arm/urdf/r.urdf", "");
    temporary_write_text(&f.folder, "ws/arm/m/a.stl", "");
    temporary_write_text(&f.folder, "ws/leg/m/b.stl", "");
    temporary_write_text(&f.folder, "ws/src-1.2/urdf/r.urdf", "");
    temporary_write_text(&f.folder, "ws/src-1.2/m/c.stl", "");
    temporary_write_text(&f.folder, "ws/src-1.2/package.xml",
                         "<?xml version=\"1.0\"?><package format=\"3\"><name>hand</name>"
                         "<maintainer email=\"a@b\">A</maintainer></package>");
    // a folder called so, one beside it, one whose package.xml says so
    assert_found(&f, "package://arm/m/a.stl", "ws/arm/urdf", "ws/arm/m/a.stl");
    assert_found(&f, "package://leg/m/b.stl", "ws/arm/urdf", "ws/leg/m/b.stl");
    assert_found(&f, "package://hand/m/c.stl", "ws/src-1.2/urdf", "ws/src-1.2/m/c.stl");
    assert_int_equal(f.warnings.count, 0);
    // one that holds the rest of the path: a guess, and said so
    assert_found(&f, "package://nose/m/c.stl", "ws/src-1.2/urdf", "ws/src-1.2/m/c.stl");
    assert_int_equal(f.warnings.count, 1);
    assert_string_equal(f.warnings.items[0].code, "package-guessed");
    // a name that fits farther up wins over a guess nearby
    temporary_write_text(&f.folder, "ws/src-1.2/m/b.stl", "");
    assert_found(&f, "package://leg/m/b.stl", "ws/src-1.2/urdf", "ws/leg/m/b.stl");
    // ".." and links in the folder's own path do not confuse the walk
    assert_found(&f, "package://leg/m/b.stl", "ws/arm/../src-1.2/./urdf", "ws/leg/m/b.stl");
    assert_int_equal(symlink("src-1.2", temporary_path(&f.folder, "ws/foot")), 0);
    assert_found(&f, "package://foot/m/c.stl", "ws/foot/urdf", "ws/src-1.2/m/c.stl");
    end(&f);
}

static void test_walk_upwards_from_a_relative_folder(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "arm/urdf/r.urdf", "");
    temporary_write_text(&f.folder, "arm/m/a.stl", "");
    char old[4096], *path;
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(temporary_path(&f.folder, "arm/urdf")), 0);
    static const char *const bases[] = {".", "", "./", "../urdf"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(gz_package_resolve(&path, "package://arm/m/a.stl", bases[i], &f.options,
                                            NULL, &f.warnings, (gz_place){0}, &f.error),
                         GRAZE_OK);
        gz_free(path);
    }
    assert_int_equal(gz_package_resolve(&path, "../m/a.stl", ".", &f.options, NULL, &f.warnings,
                                        (gz_place){0}, &f.error),
                     GRAZE_OK);
    assert_string_equal(path, "../m/a.stl");
    gz_free(path);
    assert_int_equal(chdir(old), 0);
    end(&f);
}

static void test_paths_and_file_uris(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "m/a.stl", "");
    temporary_write_text(&f.folder, "urdf/b.stl", "");
    assert_found(&f, "b.stl", "urdf", "urdf/b.stl");
    assert_found(&f, "../m/a.stl", "urdf", "m/a.stl");
    char uri[2 * TEMPORARY_PATH_SIZE];
    snprintf(uri, sizeof uri, "%s/m/a.stl", f.folder.path);
    assert_found(&f, uri, "urdf", "m/a.stl");
    static const char *const schemes[] = {"file://", "file://localhost", "file:", "FILE://"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(uri, sizeof uri, "%s%s/m/a.stl", schemes[i], f.folder.path);
        assert_found(&f, uri, "urdf", "m/a.stl");
    }
    assert_refused(&f, "file://server/m/a.stl", "", GRAZE_ERROR_SCHEMA, "file:///PATH");
    assert_refused(&f, "model://m/a.stl", "", GRAZE_ERROR_UNSUPPORTED, "unknown scheme");
    assert_refused(&f, "https://m/a.stl", "", GRAZE_ERROR_UNSUPPORTED, "unknown scheme");
    assert_refused(&f, "", "", GRAZE_ERROR_SCHEMA, "is empty");
    assert_refused(&f, "m", "", GRAZE_ERROR_NOT_FOUND, "was not found"); // a folder is no file
    end(&f);
}

static void test_percent_signs_and_backslashes(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "my meshes/a b.stl", "");
    temporary_write_text(&f.folder, "100%.stl", "");
    temporary_write_text(&f.folder, "50%20.stl", "");
    temporary_write_text(&f.folder, "\xc3\xa4.stl", "");
    assert_found(&f, "my meshes/a b.stl", "", "my meshes/a b.stl");
    assert_found(&f, "my%20meshes/a%20b.stl", "", "my meshes/a b.stl");
    assert_found(&f, "package://my%20meshes/a%20b.stl", "", "my meshes/a b.stl");
    assert_found(&f, "100%.stl", "", "100%.stl");
    assert_found(&f, "50%20.stl", "", "50%20.stl"); // as written comes first
    assert_found(&f, "%C3%a4.stl", "", "\xc3\xa4.stl");
    assert_refused(&f, "a%00b.stl", "", GRAZE_ERROR_NOT_FOUND, "a%00b.stl");
    assert_int_equal(f.warnings.count, 0);
    assert_found(&f, "my meshes\\a b.stl", "", "my meshes/a b.stl");
    assert_int_equal(f.warnings.count, 1);
    assert_string_equal(f.warnings.items[0].code, "backslash");
    end(&f);
}

static void test_package_paths_cannot_climb_out(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "arm/m/a.stl", "");
    temporary_write_text(&f.folder, "secret", "");
    assert_found(&f, "package://arm/m/../m/./a.stl", "", "arm/m/a.stl");
    static const char *const bad[] = {"package://arm/../secret",
                                      "package://arm/m/../../secret",
                                      "package://arm/..",
                                      "package://arm/%2e%2e/secret",
                                      "package://../secret",
                                      "package://./secret",
                                      "package://arm/m\\..\\..\\..\\secret"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(&f, bad[i], "arm", GRAZE_ERROR_SCHEMA, "climbs out");
    static const char *const malformed[] = {"package://", "package://arm", "package://arm/",
                                            "package:///"};
    for (size_t i = 0; i < 4; i++)
        assert_refused(&f, malformed[i], "arm", GRAZE_ERROR_SCHEMA, "names no package");
    end(&f);
}

static void test_a_slash_too_many_behind_package_is_read(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "arm/m/a.stl", "");
    temporary_write_text(&f.folder, "secret", "");
    assert_found(&f, "package:///arm/m/a.stl", "arm", "arm/m/a.stl");
    assert_int_equal(f.warnings.count, 1);
    assert_string_equal(f.warnings.items[0].code, "package-slash");
    assert_refused(&f, "package:///../secret", "arm", GRAZE_ERROR_SCHEMA, "climbs out");
    assert_refused(&f, "package:////arm/../secret", "arm", GRAZE_ERROR_SCHEMA, "climbs out");
    end(&f);
}

/// The message for a file of package "arm" of a URDF in /no/urdf.
static const char *refusal(fixture *f, const char *uri) {
    char *path;
    assert_int_equal(gz_package_resolve(&path, uri, "/no/urdf", &f->options, NULL, &f->warnings,
                                        (gz_place){0}, &f->error),
                     GRAZE_ERROR_NOT_FOUND);
    return f->error.message;
}

static void test_error_says_where_the_package_was_looked_for(void **state) {
    (void)state;
    fixture f = make();
    f.options.package_path = "/pp1:/pp2";
    static const char nowhere[] = "package arm is in none of /pp1, /pp2, the folders from /no/urdf "
                                  "upwards; allowed: --package arm=DIR";
    // The same for all files of the package, so that they count as one.
    assert_string_equal(refusal(&f, "package://arm/m/a.stl"), nowhere);
    assert_string_equal(refusal(&f, "package://arm/b.stl"), nowhere);
    const graze_package package = {"arm", "/given"};
    f.options.packages = &package;
    f.options.package_count = 1;
    assert_string_equal(refusal(&f, "package://arm/m/a.stl"),
                        "package arm is to be in /given, which is no folder");
    const graze_package found = {"arm", f.folder.path};
    f.options.packages = &found;
    char wanted[512];
    snprintf(wanted, sizeof wanted, "package arm, in %s, has no file m/a.stl", f.folder.path);
    assert_string_equal(refusal(&f, "package://arm/m/a.stl"), wanted);
    end(&f);
}

static void test_error_lists_every_path_tried_on_request(void **state) {
    (void)state;
    fixture f = make();
    // Short paths, so that all fit into the message.
    f.options.package_path = "/pp1:/pp2";
    f.options.list_tried = 1;
    const graze_package package = {"arm", "/given"};
    f.options.packages = &package;
    f.options.package_count = 1;
    char *path;
    assert_string_equal(
        refusal(&f, "package://arm/m/a.stl"),
        "package arm is to be in /given, which is no folder; tried: /given/m/a.stl, "
        "/pp1/arm/m/a.stl, /pp2/arm/m/a.stl, /no/urdf/arm/m/a.stl, /no/arm/m/a.stl, "
        "/arm/m/a.stl, /no/urdf/m/a.stl, /no/m/a.stl, /m/a.stl");
    // A list that does not fit is cut between paths, and counted.
    char deep[900] = "";
    for (int i = 0; i < 40; i++) strcat(deep, "/a-folder-level");
    assert_int_equal(gz_package_resolve(&path, "package://arm/m/a.stl", deep, &f.options, NULL,
                                        &f.warnings, (gz_place){0}, &f.error),
                     GRAZE_ERROR_NOT_FOUND);
    assert_true(strlen(f.error.message) < sizeof f.error.message - 1);
    const char *more = strstr(f.error.message, "; and ");
    assert_non_null(more);
    int rest, end_at = 0;
    assert_int_equal(sscanf(more, "; and %d more%n", &rest, &end_at), 1);
    assert_int_equal(more[end_at], '\0');
    int shown = 0;
    for (const char *p = f.error.message; (p = strstr(p, "a.stl")); p++) shown++;
    assert_int_equal(shown + rest, 3 + 2 * 41);
    end(&f);
}

static void test_case_only_mismatch_is_reported(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "Meshes/Base.STL", "");
    assert_refused(&f, "Meshes/base.stl", "", GRAZE_ERROR_NOT_FOUND,
                   "Meshes/Base.STL exists: case differs");
    assert_refused(&f, "meshes/base.stl", "", GRAZE_ERROR_NOT_FOUND,
                   "Meshes/Base.STL exists: case differs");
    assert_refused(&f, "package://meshes/base.stl", "", GRAZE_ERROR_NOT_FOUND,
                   "Meshes/Base.STL exists: case differs");
    assert_refused(&f, "Meshes/other.stl", "", GRAZE_ERROR_NOT_FOUND, "was not found; tried: ");
    end(&f);
}

#ifdef GRAZE_FAULTS
static void test_out_of_memory_at_any_allocation(void **state) {
    (void)state;
    fixture f = make();
    temporary_write_text(&f.folder, "ws/src/urdf/r.urdf", "");
    temporary_write_text(&f.folder, "ws/src/a b.stl", "");
    temporary_write_text(&f.folder, "ws/src/package.xml", "<package><name>arm</name></package>");
    snprintf(f.text, sizeof f.text, "%s/ws/src/urdf", f.folder.path);
    f.options.package_path = "/pp1:/pp2";
    static const char *const uris[] = {"package://arm/a%20b.stl", "package://leg/a%20b.stl",
                                       "package://arm/none.stl"};
    for (int i = 0; i < 3; i++) {
        bool refused = false, done = false;
        for (long n = 1; !done; n++) {
            char *path;
            gz_memory_fail_after(n, true);
            graze_status status = gz_package_resolve(&path, uris[i], f.text, &f.options, NULL,
                                                     &f.warnings, (gz_place){0}, &f.error);
            done = gz_memory_allocation_count() < n;
            gz_memory_fail_after(0, false);
            refused |= status == GRAZE_ERROR_NO_MEMORY;
            // A warning or a hint about case may be lost to it, an answer may not.
            if (status != GRAZE_ERROR_NO_MEMORY)
                assert_int_equal(status, i == 2 ? GRAZE_ERROR_NOT_FOUND : GRAZE_OK);
            gz_free(path);
        }
        assert_true(refused);
    }
    end(&f);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_package_by_name_and_folder_comes_first),
        cmocka_unit_test(test_package_path_is_a_list_of_folders_that_hold_or_are_packages),
        cmocka_unit_test(test_packages_lie_anywhere_below_the_folders_of_a_path),
        cmocka_unit_test(test_a_load_looks_through_a_folder_once_and_not_without_end),
        cmocka_unit_test(test_environment_is_asked_in_order_and_only_if_wanted),
        cmocka_unit_test(test_walk_upwards),
        cmocka_unit_test(test_walk_upwards_from_a_relative_folder),
        cmocka_unit_test(test_paths_and_file_uris),
        cmocka_unit_test(test_percent_signs_and_backslashes),
        cmocka_unit_test(test_package_paths_cannot_climb_out),
        cmocka_unit_test(test_a_slash_too_many_behind_package_is_read),
        cmocka_unit_test(test_error_says_where_the_package_was_looked_for),
        cmocka_unit_test(test_error_lists_every_path_tried_on_request),
        cmocka_unit_test(test_case_only_mismatch_is_reported),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_out_of_memory_at_any_allocation),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
