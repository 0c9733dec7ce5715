#include <pthread.h>
#include <signal.h>

#include "unit/load/importer_case.h"

static void test_a_host_without_standard_descriptors_can_import(void **state) {
    mesh_case *m = *state;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++) close(i);
        graze_status status = import_text(m, GRAZE_IMPORTER);
        _exit(status == GRAZE_OK && m->soup->triangle_count == 3 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_a_host_that_ignores_its_children_can_import(void **state) {
    mesh_case *m = *state;
    const char *segv = stand_in(m, "segv");
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGCHLD, &ignore, &old);
    graze_status fine = import_text(m, GRAZE_IMPORTER), dead = import_text(m, segv);
    sigaction(SIGCHLD, &old, NULL);
    assert_int_equal(fine, GRAZE_OK);
    assert_int_equal(dead, GRAZE_ERROR_IO);
    assert_message(m, "ended without a whole answer");
}

/// A thread that imports a good and a bad file in turn; each time the answer must be its own.
static void *read_often(void *user) {
    int *wrong = user;
    mesh_case m = {.options = mesh_case_options(), .budget = {.triangles_left = 1000}};
    m.options.importer = GRAZE_IMPORTER;
    for (int i = 0; i < 10; i++) {
        const char *text = i % 2 ? "<COLLADA>" : IMPORTER_TEXT;
        graze_status status = import_bytes(&m, text, strlen(text));
        *wrong += i % 2 ? status != GRAZE_ERROR_PARSE
                        : status != GRAZE_OK || m.soup->triangle_count != 3;
    }
    mesh_case_clear(&m);
    return NULL;
}

static void test_threads_import_side_by_side(void **state) {
    (void)state;
    pthread_t threads[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, &wrong[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(wrong[i], 0);
    }
}

/// Leaves nothing behind: no child, no descriptor.
static int open_descriptors(void) {
    int count = 0;
    for (int i = 0; i < 256; i++) count += fcntl(i, F_GETFD) >= 0;
    return count;
}

static void test_no_child_and_no_descriptor_is_left(void **state) {
    mesh_case *m = *state;
    int before = open_descriptors();
    static const char *const ways[] = {"segv", "garbage", "linger", "exit", "fine", "missing"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) import_text(m, stand_in(m, ways[i]));
    import_text(m, "/nowhere");
    import_text(m, GRAZE_IMPORTER);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_a_host_without_standard_descriptors_can_import),
        MESH_TEST(test_a_host_that_ignores_its_children_can_import),
        MESH_TEST(test_threads_import_side_by_side),
        MESH_TEST(test_no_child_and_no_descriptor_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
