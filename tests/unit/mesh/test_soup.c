// Soups: hall for more, refused where sizes overflow or memory ends, nothing lost.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "mesh/mesh.h"

static void test_reserving_keeps_what_is_there(void **state) {
    (void)state;
    gz_soup *s = gz_soup_create();
    assert_non_null(s);
    assert_int_equal(s->vertex_count + s->triangle_count, 0);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(gz_soup_reserve(s, 1, 2));
        assert_true(s->vertex_capacity > i && s->triangle_capacity > 2 * i + 1);
        for (int k = 0; k < 3; k++) s->vertices[3 * s->vertex_count + (size_t)k] = i;
        s->vertex_count++;
        for (int k = 0; k < 6; k++) s->triangles[3 * s->triangle_count + (size_t)k] = i;
        s->triangle_count += 2;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(s->vertices[3 * i + 2] == i);
        assert_int_equal(s->triangles[6 * i + 5], i);
    }
    gz_soup_free(s);
    gz_soup_free(NULL);
}

static void test_counts_that_overflow_are_refused(void **state) {
    (void)state;
    gz_soup *s = gz_soup_create();
    assert_non_null(s);
    assert_true(gz_soup_reserve(s, 4, 4));
    s->vertex_count = s->triangle_count = 4;
    for (int k = 0; k < 12; k++) s->vertices[k] = k;
    assert_false(gz_soup_reserve(s, SIZE_MAX - 3, 0));
    assert_false(gz_soup_reserve(s, 0, SIZE_MAX));
    assert_false(gz_soup_reserve(s, SIZE_MAX / 24 + 1, 0));
    assert_int_equal(s->vertex_count, 4);
    assert_true(s->vertices[11] == 11);
    gz_soup_free(s);
}

static void test_soups_survive_faults(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    gz_memory_fail_after(1, false);
    assert_null(gz_soup_create());
    gz_soup *s = gz_soup_create();
    for (long n = 1; n <= 2; n++) {
        gz_memory_fail_after(n, false);
        assert_false(gz_soup_reserve(s, 10 * (size_t)(n * n), 10));
        assert_int_equal(s->vertex_count + s->triangle_count, 0);
    }
    gz_memory_fail_after(0, false);
    assert_true(gz_soup_reserve(s, 100, 100));
    gz_soup_free(s);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserving_keeps_what_is_there),
        cmocka_unit_test(test_counts_that_overflow_are_refused),
        cmocka_unit_test(test_soups_survive_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
