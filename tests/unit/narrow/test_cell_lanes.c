// Eight cells of a clearance map at once: the values that the map holds, up to its last cell; and
// balls that just reach the ball of their cell.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

#define CELLS 5

/// Whether a ball is clear in a map of cells of one metre that all have this value.
static bool ball_is_clear(uint8_t value, const float at[3], float radius) {
    gz_clearance_map map = {.inverse = 1, .cell_count = (size_t)CELLS * CELLS * CELLS};
    for (int k = 0; k < 3; k++) map.count[k] = CELLS;
    map.cells = malloc(map.cell_count);
    assert_non_null(map.cells);
    memset(map.cells, value, map.cell_count);
    moved_points p;
    for (int k = 0; k < 3; k++) p.x[k] = gz_f8_all(at[k]);
    ball_answer ball = query_balls(&map, &p, gz_f8_all(radius));
    free(map.cells);
    assert_true((ball.clear & 0xff) == 0 || (ball.clear & 0xff) == 0xff);
    return ball.clear & 0xff;
}

/// A ball that just reaches the ball of its cell from within is not clear; one 4e-5 smaller is.
static void balls_stand_at_their_cells(void **state) {
    (void)state;
    // In the middle of its cell, and (2, 3, 6) / 16 from it: 7 / 16 away.
    static const float middle[3] = {2.5f, 2.5f, 2.5f}, aside[3] = {2.625f, 2.6875f, 2.875f};
    for (uint8_t metres = 1; metres <= 20; metres++) {
        uint8_t value = (uint8_t)(GZ_CLEARANCE_PER_CELL * metres);
        const float radius[2] = {(float)metres, (float)metres - 0.4375f};
        for (int i = 0; i < 2; i++) {
            const float *at = i ? aside : middle;
            assert_false(ball_is_clear(value, at, radius[i]));
            assert_true(ball_is_clear(value, at, radius[i] - 4e-5f * (float)metres));
        }
    }
    // Beyond the lattice, from the middles of its last cells.
    static const float beyond[3] = {12.5f, 2.5f, 2.5f};
    assert_false(ball_is_clear(0, beyond, 8));
    assert_true(ball_is_clear(0, beyond, 8 * (1 - 4e-5f)));
}

int main(void) {
#ifdef __AVX2__
    if (!gz_processor_has_avx2()) return 77; // skipped
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_read_as_they_are_stored),
        cmocka_unit_test(balls_stand_at_their_cells),
    };
    return cmocka_run_group_tests_name("cell_lanes", tests, NULL, NULL);
}
