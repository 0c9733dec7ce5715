#include <signal.h>

#include "unit/load/importer_case.h"

static void test_memory_and_time_of_an_import_are_limited(void **state) {
    mesh_case *m = *state;
    m->options.limits.memory_bytes = 64 << 20;
    assert_is_refused(m, "limited-memory", GRAZE_ERROR_LIMIT, "the import takes more than 671");
    m->budget.import_processor = m->budget.import_clock = 0; // a load of its own
    m->options.importer_seconds = 1;
    assert_int_equal(import_text(m, stand_in(m, "limited-time")), GRAZE_ERROR_LIMIT);
    // On a machine with little to give, the clock comes first.
    if (!strstr(m->error.message, "took more than 4 s"))
        assert_message(m, "took more than 1 s of processor time; allowed: importer_seconds of 1");
    m->budget.import_processor = m->budget.import_clock = 0; // a load of its own
    assert_int_equal(import_text(m, stand_in(m, "limited-descriptor")), GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message, "none");
    assert_int_equal(import_text(m, stand_in(m, "limited-core")), GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message, "none");
}

static void test_no_file_no_network_no_program_is_available(void **state) {
    mesh_case *m = *state;
    static const char *const forbidden[] = {
        "caged-open", "caged-socket",  "caged-exec",        "caged-fork",         "caged-unlink",
        "caged-kill", "caged-sendmsg", "caged-exec-memory", "caged-exec-protect", "caged-poison"};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        assert_is_refused(m, forbidden[i], GRAZE_ERROR_PARSE,
                          "killed by signal 31 (Bad system call) when it asked the system");
    // What does no harm is not in the way: without a deed, and when C++ gives up.
    assert_int_equal(import_text(m, stand_in(m, "caged-nothing")), GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message, "nothing stopped it");
    assert_int_equal(import_text(m, stand_in(m, "caged-advice")), GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message, "nothing stopped it");
    assert_is_refused(m, "caged-abort", GRAZE_ERROR_PARSE, "killed by signal 6 (Aborted)");
}

static void test_an_unconfined_importer_has_its_limits_and_no_filter(void **state) {
    mesh_case *m = *state;
    m->options.importer_unconfined = 1;
    assert_int_equal(import_text(m, stand_in(m, "caged-open")), GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message, "nothing stopped it");
    assert_int_equal(import_text(m, stand_in(m, "limited-descriptor")), GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message, "none");
    assert_int_equal(import_text(m, GRAZE_IMPORTER), GRAZE_OK);
}

static void test_nothing_of_the_host_reaches_the_importer(void **state) {
    mesh_case *m = *state;
    int kept = fcntl(1, F_DUPFD, 100); // without close-on-exec
    sigset_t user, old;
    sigemptyset(&user);
    sigaddset(&user, SIGUSR1);
    sigprocmask(SIG_BLOCK, &user, &old);
    void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
    graze_status status = import_text(m, stand_in(m, "look-around"));
    signal(SIGPIPE, handler);
    sigprocmask(SIG_SETMASK, &old, NULL);
    close(kept);
    assert_int_equal(status, GRAZE_ERROR_MESH);
    assert_string_equal(m->error.message,
                        "2 descriptors, no environment, USR1 open, PIPE default, group own");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_memory_and_time_of_an_import_are_limited),
        MESH_TEST(test_no_file_no_network_no_program_is_available),
        MESH_TEST(test_an_unconfined_importer_has_its_limits_and_no_filter),
        MESH_TEST(test_nothing_of_the_host_reaches_the_importer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
