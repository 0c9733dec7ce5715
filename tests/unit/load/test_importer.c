#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "unit/load/importer_case.h"

// --------------------------------------------------------------------------------------- answers

static void test_the_importer_reads_what_assimp_reads(void **state) {
    mesh_case *m = *state;
    const double corners[] = {.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5};
    assert_int_equal(import_text(m, GRAZE_IMPORTER), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 3);
    m->soup->triangle_count = 1;
    assert_triangles(m, corners, 1, 0);
}

static void test_an_error_of_the_file_comes_through_in_its_words(void **state) {
    mesh_case *m = *state;
    m->options.limits.elements = 2; // the root and one node: assimp adds the geometry's own
    m->budget.triangles_left = 2;
    assert_int_equal(import_text(m, GRAZE_IMPORTER), GRAZE_ERROR_LIMIT);
    assert_message(m, "at least 3 triangles, 2 are left; allowed: triangles of 64000000");
    assert_int_equal(import_bytes(m, "<COLLADA", 8), GRAZE_ERROR_PARSE);
    assert_message(m, "assimp cannot read the file: ");
}

static void test_an_importer_that_is_not_there_is_named(void **state) {
    mesh_case *m = *state;
    assert_int_equal(import_text(m, "/nowhere/graze-import"), GRAZE_ERROR_NOT_FOUND);
    assert_message(m, "/nowhere/graze-import cannot be started: No such file or directory");
    assert_message(m, "allowed: the path of graze-import");
    mesh_case_write(m, "text", "no program", 10);
    char path[512];
    snprintf(path, sizeof path, "%s", mesh_case_path(m, "text"));
    assert_int_equal(import_text(m, path), GRAZE_ERROR_IO);
}

static void test_options_of_the_importer_are_judged(void **state) {
    (void)state;
    static const struct {
        const char *importer;
        uint32_t seconds;
        const char *message;
    } cases[] = {{"", 60, "load options have importer \"\""},
                 {NULL, 0, "load options have importer_seconds 0; allowed: 1 to 86400"},
                 {NULL, 86401, "load options have importer_seconds 86401"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_load_options options = graze_load_options_default();
        options.importer = cases[i].importer;
        options.importer_seconds = cases[i].seconds;
        graze_robot *robot;
        graze_error error;
        assert_int_equal(graze_robot_load_urdf_memory(&robot, "<robot name='r'/>", 17, "r", NULL,
                                                      &options, &error),
                         GRAZE_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, cases[i].message));
    }
}

// ---------------------------------------------------------------------------- a hostile importer

static void test_an_importer_that_dies_is_an_error(void **state) {
    mesh_case *m = *state;
    assert_is_refused(m, "exit", GRAZE_ERROR_IO, "ended with exit status 3 without a whole answer");
    assert_is_refused(m, "exit-fine", GRAZE_ERROR_IO, "ended with exit status 0 without");
    assert_is_refused(m, "segv", GRAZE_ERROR_PARSE, "killed by signal 11 (Segmentation fault)");
    assert_is_refused(m, "segv-late", GRAZE_ERROR_PARSE, "killed by signal 11");
    assert_is_refused(m, "abort-at-once", GRAZE_ERROR_PARSE, "killed by signal 6 (Aborted)");
    assert_is_refused(m, "crash-after", GRAZE_ERROR_PARSE, "killed by signal 11");
    assert_is_refused(m, "exit-after", GRAZE_ERROR_IO, "ended with exit status 5");
}

static void test_an_importer_that_breaks_off_is_an_error(void **state) {
    mesh_case *m = *state;
    assert_is_refused(m, "close", GRAZE_ERROR_IO, "was stopped without a whole answer");
    assert_is_refused(m, "short", GRAZE_ERROR_IO, "without a whole answer");
    assert_is_refused(m, "linger", GRAZE_ERROR_IO, "was stopped");
}

static void test_an_importer_that_hangs_is_stopped_by_the_clock(void **state) {
    mesh_case *m = *state;
    static const char *const hanging[] = {"hang", "flood", "stay-open"};
    for (size_t i = 0; i < sizeof hanging / sizeof *hanging; i++) {
        m->options.importer_seconds = 1;
        m->budget.import_processor = m->budget.import_clock = 0; // a load of its own
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        graze_status status = import_text(m, stand_in(m, hanging[i]));
        clock_gettime(CLOCK_MONOTONIC, &to);
        // The one that floods is refused for what it says as soon as it is listened to.
        bool flood = i == 1;
        if (!flood) {
            assert_int_equal(status, GRAZE_ERROR_LIMIT);
            assert_message(m, "took more than 4 s; allowed: 4 times importer_seconds of 1");
        } else {
            assert_int_equal(status, GRAZE_ERROR_IO);
        }
        assert_int_equal(m->soup->triangle_count, 0);
        assert_true(to.tv_sec - from.tv_sec <= 30);
    }
}

static void test_an_importer_that_sleeps_is_stopped_long_before_its_time(void **state) {
    mesh_case *m = *state;
    static const char *const sleeping[] = {"hang", "stay-open"}; // before and after an answer
    for (size_t i = 0; i < sizeof sleeping / sizeof *sleeping; i++) {
        m->options.importer_seconds = 3600;
        m->budget.import_clock = 0;
        assert_is_refused(m, sleeping[i], GRAZE_ERROR_LIMIT, "did nothing for 10 s");
    }
}

static void test_the_imports_of_a_load_share_their_time(void **state) {
    mesh_case *m = *state;
    m->options.importer_seconds = 1;
    assert_int_equal(import_text(m, stand_in(m, "busy")), GRAZE_OK);
    assert_true(m->budget.import_processor >= 1);
    assert_true(m->budget.import_clock >= 1);
    assert_is_refused(m, "busy", GRAZE_ERROR_LIMIT, "the imports before this one took 1.");
    m->options.importer_seconds = 60;
    assert_int_equal(import_text(m, stand_in(m, "fine")), GRAZE_OK);
    m->budget.import_clock = 240;
    assert_is_refused(m, "fine", GRAZE_ERROR_LIMIT, "4 times that by the clock");
}

static void read_shared(mesh_case *m, const char *name, double scale, size_t runs) {
    const double scales[3] = {scale, scale, scale};
    mesh_case_clear(m);
    m->options.importer = stand_in(m, "counted");
    assert_int_equal(gz_mesh_file_read(&m->soup, mesh_case_path(m, name), scales, &m->options,
                                       &m->budget, &m->warnings, &m->error),
                     GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
    assert_int_equal(m->soup->vertex_count, 3);
    assert_true(m->soup->vertices[3] == 1);
    assert_int_equal(m->warnings.count, 1);
    assert_string_equal(m->warnings.items[0].code, "read-by-assimp");
    struct stat about;
    assert_int_equal(stat(mesh_case_path(m, "counted.log"), &about), 0);
    assert_int_equal(about.st_size, runs);
}

static void test_equal_files_are_imported_once_in_a_load(void **state) {
    mesh_case *m = *state;
    m->options.importer_seconds = 60;
    m->budget.imports = gz_import_cache_create();
    mesh_case_write(m, "a.off", "one", 3);
    mesh_case_write(m, "b.off", "one", 3);
    mesh_case_write(m, "c.off", "two", 3);
    mesh_case_write(m, "d.lwo", "one", 3);
    const uint64_t triangles = m->budget.triangles_left;
    read_shared(m, "a.off", 1, 1);
    read_shared(m, "a.off", 1, 1);
    read_shared(m, "b.off", 1, 1);
    assert_int_equal(m->budget.triangles_left, triangles - 3); // instances are counted all the same
    read_shared(m, "c.off", 1, 2);
    read_shared(m, "b.off", 2, 3); // the importer applies the scale
    read_shared(m, "d.lwo", 1, 4); // the ending decides the format
    mesh_case_write(m, "a.off", "new", 3);
    read_shared(m, "a.off", 1, 5);
    gz_import_cache_free(m->budget.imports);
    m->budget.imports = NULL;
    read_shared(m, "a.off", 1, 6); // another load
}

static void test_garbage_is_never_taken_for_an_answer(void **state) {
    mesh_case *m = *state;
    assert_is_refused(m, "garbage", GRAZE_ERROR_IO, "has the mark");
    assert_is_refused(m, "mark", GRAZE_ERROR_IO, "has the mark 7");
    assert_is_refused(m, "status", GRAZE_ERROR_IO, "has status 77");
    assert_is_refused(m, "cancelled", GRAZE_ERROR_IO, "has status 11");
    assert_is_refused(m, "silent-error", GRAZE_ERROR_IO, "a message size of 0");
    assert_is_refused(m, "long-message", GRAZE_ERROR_IO, "a message size of 4294967295");
    assert_is_refused(m, "error-with-mesh", GRAZE_ERROR_IO, "a vertex count of 3");
    assert_is_refused(m, "trailing", GRAZE_ERROR_IO, "has more bytes than 140;");
    assert_is_refused(m, "index", GRAZE_ERROR_IO, "has vertex index 3");
    assert_is_refused(m, "nan", GRAZE_ERROR_IO, "a coordinate out of range, number 4");
    assert_is_refused(m, "far", GRAZE_ERROR_IO, "a coordinate out of range, number 8");
}

static void test_huge_counts_take_no_memory(void **state) {
    mesh_case *m = *state;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_is_refused(m, "many-vertices", GRAZE_ERROR_LIMIT, "more vertices than 32-bit indices");
    assert_is_refused(m, "more-vertices", GRAZE_ERROR_LIMIT, "memory_bytes of 4294967296");
    assert_is_refused(m, "many-triangles", GRAZE_ERROR_LIMIT, "are left; allowed: triangles of");
    assert_is_refused(m, "more-triangles", GRAZE_ERROR_LIMIT, "at least 64000001 triangles");
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 64 * 1024); // kilobytes
}

static void test_a_sound_answer_of_another_program_is_taken(void **state) {
    mesh_case *m = *state;
    assert_int_equal(import_text(m, stand_in(m, "fine")), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
    assert_int_equal(import_text(m, stand_in(m, "nothing-there")), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 0);
}

static void test_a_crash_of_assimp_is_contained(void **state) {
    mesh_case *m = *state;
    m->options.importer = GRAZE_IMPORTER;
    // The judgement refuses so deep a tree; assimp 5.2 follows it down its stack and over the end.
    enum { DEPTH = 400000 };
    static const char head[] = "<COLLADA version=\"1.4.1\"><library_visual_scenes><visual_scene "
                               "id=\"s\">",
                      tail[] = "</visual_scene></library_visual_scenes><scene>"
                               "<instance_visual_scene url=\"#s\"/></scene></COLLADA>";
    char *text = malloc(sizeof head + sizeof tail + DEPTH * strlen("<node></node>"));
    assert_non_null(text);
    char *at = stpcpy(text, head);
    for (int i = 0; i < DEPTH; i++) at = stpcpy(at, "<node>");
    for (int i = 0; i < DEPTH; i++) at = stpcpy(at, "</node>");
    at = stpcpy(at, tail);
    assert_int_equal(import_bytes(m, text, (size_t)(at - text)), GRAZE_ERROR_PARSE);
    assert_message(m, "the importer was killed by signal 11 (Segmentation fault)");
    assert_int_equal(m->soup->triangle_count, 0);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_the_importer_reads_what_assimp_reads),
        MESH_TEST(test_an_error_of_the_file_comes_through_in_its_words),
        MESH_TEST(test_an_importer_that_is_not_there_is_named),
        MESH_TEST(test_options_of_the_importer_are_judged),
        MESH_TEST(test_an_importer_that_dies_is_an_error),
        MESH_TEST(test_an_importer_that_breaks_off_is_an_error),
        MESH_TEST(test_an_importer_that_hangs_is_stopped_by_the_clock),
        MESH_TEST(test_an_importer_that_sleeps_is_stopped_long_before_its_time),
        MESH_TEST(test_the_imports_of_a_load_share_their_time),
        MESH_TEST(test_equal_files_are_imported_once_in_a_load),
        MESH_TEST(test_garbage_is_never_taken_for_an_answer),
        MESH_TEST(test_huge_counts_take_no_memory),
        MESH_TEST(test_a_sound_answer_of_another_program_is_taken),
        MESH_TEST(test_a_crash_of_assimp_is_contained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
