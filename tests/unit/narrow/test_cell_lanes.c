// Eight cells of a clearance map at once: the values that the map holds, up to its last cell.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/processor.h"
#include "base/random.h"
#include "narrow/prefilter/cell_lanes.h"

static void cells_are_read_as_they_are_stored(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 0);
    for (size_t count = 27; count < 60; count++) {
        gz_clearance_map map = {.cells = malloc(count), .cell_count = count};
        assert_non_null(map.cells);
        for (size_t i = 0; i < count; i++) map.cells[i] = (uint8_t)gz_random_range(&random, 0, 256);
        for (size_t first = 0; first < count; first++) {
            float index[GZ_WIDTH], values[GZ_WIDTH];
            size_t cell[GZ_WIDTH];
            unsigned inside, expected = 0;
            for (size_t i = 0; i < GZ_WIDTH; i++) {
                cell[i] = (first + i * i) % count;
                index[i] = (float)cell[i];
                expected |= (unsigned)(map.cells[cell[i]] >= GZ_CLEARANCE_INSIDE) << i;
            }
            gz_f8_store(values, clearance_values(&map, gz_f8_load(index), &inside));
            assert_int_equal(inside, expected);
            for (size_t i = 0; i < GZ_WIDTH; i++)
                assert_true(values[i] == (float)(map.cells[cell[i]] % GZ_CLEARANCE_INSIDE));
        }
        free(map.cells);
    }
}

int main(void) {
#ifdef __AVX2__
    if (!gz_processor_has_avx2()) return 77; // skipped
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_read_as_they_are_stored)};
    return cmocka_run_group_tests_name("cell_lanes", tests, NULL, NULL);
}
