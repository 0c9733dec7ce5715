// Suggestions for misspelt names: the distance, and which of several names is suggested.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/spelling.h"

static void test_edit_distance(void **state) {
    (void)state;
    assert_int_equal(gz_edit_distance("kitten", "sitting", 9), 3);
    assert_int_equal(gz_edit_distance("", "abc", 9), 3);
    assert_int_equal(gz_edit_distance("abc", "abc", 0), 0);
    assert_int_equal(gz_edit_distance("kitten", "sitting", 2), 3); // limit + 1
    assert_int_equal(gz_edit_distance("ab", "ba", 5), 2);
    char big[300];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_int_equal(gz_edit_distance(big, big, 4), 5);
    gz_spelling n = gz_spelling_start("elbow_lnk");
    assert_false(gz_spelling_try(&n, "shoulder_link", 0));
    assert_true(gz_spelling_try(&n, "elbow_link", 1));
    assert_false(gz_spelling_try(&n, "elbow_linq", 2));
    assert_int_equal(n.index, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edit_distance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
