// The heap: what comes out is what went in, by rising keys, also after keys were changed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/heap.h"
#include "base/memory.h"
#include "base/random.h"

enum { ITEMS = 200 };

/// Takes all of the items, each of which has its key in `keys` and comes once.
static void assert_sorted(gz_heap *heap, const double *keys, size_t count) {
    bool seen[ITEMS] = {false};
    double last = -1;
    assert_int_equal(heap->count, count);
    for (size_t i = 0; i < count; i++) {
        gz_heap_entry e = gz_heap_pop(heap);
        assert_true(e.key == keys[e.item] && e.key >= last && !seen[e.item]);
        seen[e.item] = true;
        last = e.key;
    }
    assert_int_equal(heap->count, 0);
}

static void test_items_come_by_their_keys(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 1);
    gz_heap heap = {0};
    for (uint32_t count = 0; count <= ITEMS; count += 7) {
        double keys[ITEMS];
        for (uint32_t i = 0; i < count; i++) {
            keys[i] = gz_random_below(&random, 50); // some are equal
            assert_true(gz_heap_push(&heap, keys[i], i));
        }
        assert_sorted(&heap, keys, count);
        for (uint32_t i = 0; i < count; i++) assert_true(gz_heap_push(&heap, keys[i], i));
        for (size_t i = 0; i < count; i++)
            keys[heap.entries[i].item] = heap.entries[i].key = gz_random_below(&random, 50);
        gz_heap_order(&heap);
        assert_sorted(&heap, keys, count);
    }
    gz_free(heap.entries);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_items_come_by_their_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
