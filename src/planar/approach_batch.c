// Batches of closest approach: arguments, and the choice of the instruction set.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/processor.h"
#include "planar/approach/approach_internal.h"
#include "planar/kernels.h"

// The loops compare squares of speeds times lengths, which below this vanish. Then a pair is
// answered by itself, its time counted in UNIT seconds: the same numbers but for a power of two.
#define SLOW 0x1p-300
#define UNIT 0x1p600

const gz_approach_kernels *gz_approach_kernels_choose(void) {
#ifndef GRAZE_SCALAR
    const char *wanted = getenv("GRAZE_ISA");
    if (wanted && strcmp(wanted, "scalar") == 0) return &gz_approach_kernels_scalar;
#ifdef GRAZE_HAVE_AVX2
    bool refused = wanted && wanted[0] && strcmp(wanted, "avx2") != 0;
    if (!refused && gz_processor_has_avx2()) return &gz_approach_kernels_avx2;
#endif
#endif
    return &gz_approach_kernels_base;
}

static graze_status array_check(const graze_planar_array *array, size_t count) {
    if (array == NULL) return GRAZE_ERROR_ARGUMENT;
    if (array->kind == GRAZE_PLANAR_POLYGON) return GRAZE_ERROR_UNSUPPORTED;
    bool known = array->kind == GRAZE_PLANAR_CIRCLE || array->kind == GRAZE_PLANAR_CAPSULE ||
                 array->kind == GRAZE_PLANAR_RECTANGLE;
    if (!known || array->stride < array->count || (array->count > 0 && !array->data))
        return GRAZE_ERROR_ARGUMENT;
    return array->count == count || array->count == 1 ? GRAZE_OK : GRAZE_ERROR_ARGUMENT;
}

static void rows_set(gz_approach_batch *batch, int which, const graze_planar_array *array) {
    static const int rows[3] = {3, 5, 7}; // circle, capsule, rectangle
    for (int k = 0; k < GZ_APPROACH_ROWS; k++)
        batch->rows[which][k] = k < rows[array->kind] ? array->data + (size_t)k * array->stride
                                                      : NULL;
    batch->one[which] = array->count == 1;
}

static void answer_slow(const gz_approach_batch *all, gz_approach_loop *loop, size_t i) {
    double x = fabs(all->vx[i]), y = fabs(all->vy[i]),
           unit = x < GZ_APPROACH_REST && y < GZ_APPROACH_REST ? 0 : UNIT;
    double vx = all->vx[i] * unit, vy = all->vy[i] * unit;
    gz_approach_batch one = *all;
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < GZ_APPROACH_ROWS && !one.one[which]; k++)
            if (one.rows[which][k]) one.rows[which][k] += i;
    one.vx = &vx;
    one.vy = &vy;
    one.horizon /= UNIT;
    one.times += i;
    one.distances += i;
    one.count = 1;
    loop(&one);
    *one.times *= UNIT;
}

// All pairs, and of those once more the ones that are too slow for that.
static void run(gz_approach_batch *batch, gz_approach_loop *loop) {
    loop(batch);
    for (size_t i = 0; batch->slowest < SLOW && i < batch->count; i++)
        if (fabs(batch->vx[i]) < SLOW && fabs(batch->vy[i]) < SLOW) answer_slow(batch, loop, i);
}

graze_status graze_planar_approach_batch(const graze_planar_array *a, const graze_planar_array *b,
                                         const double *vx, const double *vy, double horizon,
                                         double *times, double *distances) {
    GZ_FLOAT_ENVIRONMENT;
    if (a == NULL || b == NULL) return GRAZE_ERROR_ARGUMENT;
    size_t count = a->count == 1 ? b->count : a->count;
    graze_status status = array_check(a, count);
    if (status == GRAZE_OK) status = array_check(b, count);
    if (status) return status;
    if (!(horizon >= 0)) return GRAZE_ERROR_RANGE;
    if (count == 0) return GRAZE_OK;
    if (!vx || !vy || !times || !distances) return GRAZE_ERROR_ARGUMENT;
    const gz_approach_kernels *kernels = gz_approach_kernels_choose();
    bool exchange = a->kind > b->kind;
    gz_approach_batch batch = {.vx = vx,
                               .vy = vy,
                               .sign = exchange ? -1 : 1,
                               .horizon = horizon,
                               .times = times,
                               .distances = distances,
                               .count = count,
                               .slowest = INFINITY};
    rows_set(&batch, exchange, a);
    rows_set(&batch, !exchange, b);
    run(&batch, exchange ? kernels->loops[b->kind][a->kind] : kernels->loops[a->kind][b->kind]);
    return GRAZE_OK;
}
