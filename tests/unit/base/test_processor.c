// The one choice of the instruction set: GRAZE_ISA is honoured, where the processor allows it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/processor.h"

typedef struct request {
    const char *value; ///< of GRAZE_ISA; NULL: unset
    gz_isa isa;        ///< where the processor has AVX2
} request;

static const request requests[] = {{NULL, GZ_ISA_AVX2},       {"", GZ_ISA_AVX2},
                                   {"avx2", GZ_ISA_AVX2},     {"sse2", GZ_ISA_BASE},
                                   {"scalar", GZ_ISA_SCALAR}, {"unknown", GZ_ISA_BASE}};

enum { REQUESTS = sizeof requests / sizeof *requests };

static void set(const request *r) {
    if (r->value)
        assert_int_equal(setenv("GRAZE_ISA", r->value, 1), 0);
    else
        unsetenv("GRAZE_ISA");
}

static gz_isa wanted(const request *r) {
    return r->isa == GZ_ISA_AVX2 && !gz_processor_has_avx2() ? GZ_ISA_BASE : r->isa;
}

static void test_the_environment_is_read_at_each_choice(void **state) {
    (void)state;
    for (int i = 0; i < REQUESTS; i++) {
        set(&requests[i]);
        assert_int_equal(gz_isa_choose(), wanted(&requests[i]));
    }
    unsetenv("GRAZE_ISA");
}

// Each value in a process of its own, which changes its mind after the first call.
static void test_a_process_keeps_its_first_choice(void **state) {
    (void)state;
    for (int i = 0; i < REQUESTS; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            set(&requests[i]);
            bool chosen = gz_isa_of_process() == wanted(&requests[i]);
            set(&requests[(i + 3) % REQUESTS]);
            _exit(chosen && gz_isa_of_process() == wanted(&requests[i]) ? 0 : 1);
        }
        int status = 1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_environment_is_read_at_each_choice),
        cmocka_unit_test(test_a_process_keeps_its_first_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
