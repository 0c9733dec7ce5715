// The same work on several threads: every index once, the first one here, also where no memory or
// no thread is to be had.

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/thread.h"

#define MOST 64

typedef struct tally {
    atomic_int times[MOST];
    pthread_t thread[MOST];
} tally;

static void count_index(void *user, uint32_t i) {
    tally *t = user;
    atomic_fetch_add(&t->times[i], 1);
    t->thread[i] = pthread_self();
}

static void test_every_index_runs_once_and_the_first_on_the_caller(void **state) {
    (void)state;
    static tally t;
    for (uint32_t count = 0; count <= MOST; count = count < 4 ? count + 1 : count * 2) {
        memset(&t, 0, sizeof t);
        gz_thread_run(count, count_index, &t);
        for (uint32_t i = 0; i < MOST; i++) assert_int_equal(atomic_load(&t.times[i]), i < count);
        if (count) assert_true(pthread_equal(t.thread[0], pthread_self()));
    }
}

/// Meets at a barrier: returns only if all run at the same time.
static void wait_for_all(void *user, uint32_t i) {
    (void)i;
    pthread_barrier_wait(user);
}

static void test_indices_run_at_the_same_time(void **state) {
    (void)state;
    pthread_barrier_t barrier;
    assert_int_equal(pthread_barrier_init(&barrier, NULL, 4), 0);
    gz_thread_run(4, wait_for_all, &barrier);
    pthread_barrier_destroy(&barrier);
}

/// More threads than are noted without memory.
static void test_work_is_done_without_memory_for_threads(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    static tally t;
    memset(&t, 0, sizeof t);
    gz_memory_fail_after(1, true);
    gz_thread_run(MOST, count_index, &t);
    gz_memory_fail_after(0, false);
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(atomic_load(&t.times[i]), 1);
        assert_true(pthread_equal(t.thread[i], pthread_self()));
    }
#else
    skip();
#endif
}

static void test_there_is_a_processor(void **state) {
    (void)state;
    assert_true(gz_thread_processors() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_runs_once_and_the_first_on_the_caller),
        cmocka_unit_test(test_indices_run_at_the_same_time),
        cmocka_unit_test(test_work_is_done_without_memory_for_threads),
        cmocka_unit_test(test_there_is_a_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
