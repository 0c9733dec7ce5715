// Four floats side by side: both forms do, lane by lane, what a loop over scalars does; NaN,
// infinities, both zeros and denormals included. Compiled twice where there is AVX2: once for the
// baseline, once for AVX2 and FMA.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/processor.h"
#include "base/random.h"
#include "math/float_quad.h"
#include "unit/math/float_samples.h"

enum { ADD, SUB, MUL, DIV, MIN, MAX, SQRT, NEXT, THREE, ABS, OPERATIONS };

static const char *const names[] = {"a + b", "a - b", "a b",  "a / b", "min",
                                    "max",   "sqrt",  "next", "three", "abs"};

typedef struct form {
    const char *name;
    void (*apply)(int op, const float *a, const float *b, float *out);
    void (*product)(const float *a, const float *b, const float *c, float *out); ///< a b + c
    void (*all)(float x, float *out);
    void (*transpose)(float m[4][4]);
    unsigned (*above)(const float *a, const float *b);
    float (*pairs)(const float *a);
    float (*dot)(const float *a, const float *b);
    uint32_t (*bytes)(const float *a);
    void (*words)(const float *a, int32_t *out);
} form;

// The form of this build, and the scalar twin, from the same text under two sets of names.
#define DEFINE_FORM(prefix)                                                                        \
    static void prefix##apply(int op, const float *a, const float *b, float *out) {                \
        gz_f4 x = gz_f4_load(a), y = gz_f4_set(b[0], b[1], b[2], b[3]), z;                         \
        z = op == ADD     ? gz_f4_add(x, y)                                                        \
            : op == SUB   ? gz_f4_sub(x, y)                                                        \
            : op == MUL   ? gz_f4_mul(x, y)                                                        \
            : op == DIV   ? gz_f4_div(x, y)                                                        \
            : op == MIN   ? gz_f4_min(x, y)                                                        \
            : op == MAX   ? gz_f4_max(x, y)                                                        \
            : op == SQRT  ? gz_f4_sqrt(x)                                                          \
            : op == NEXT  ? gz_f4_next(x)                                                          \
            : op == THREE ? gz_f4_three(x)                                                         \
                          : gz_f4_abs(x);                                                          \
        gz_f4_store(out, z);                                                                       \
    }                                                                                              \
    static void prefix##product(const float *a, const float *b, const float *c, float *out) {      \
        gz_f4_store(out, gz_f4_muladd(gz_f4_load(a), gz_f4_load(b), gz_f4_load(c)));               \
    }                                                                                              \
    static void prefix##all(float x, float *out) {                                                 \
        gz_f4_store(out, gz_f4_all(x));                                                            \
    }                                                                                              \
    static void prefix##transpose(float m[4][4]) {                                                 \
        gz_f4 rows[4];                                                                             \
        for (int i = 0; i < 4; i++) rows[i] = gz_f4_load(m[i]);                                    \
        gz_f4_transpose(rows);                                                                     \
        for (int i = 0; i < 4; i++) gz_f4_store(m[i], rows[i]);                                    \
    }                                                                                              \
    static unsigned prefix##above(const float *a, const float *b) {                                \
        return gz_f4_above(gz_f4_load(a), gz_f4_load(b));                                          \
    }                                                                                              \
    static float prefix##pairs(const float *a) {                                                   \
        return gz_f4_pairs(gz_f4_load(a));                                                         \
    }                                                                                              \
    static float prefix##dot(const float *a, const float *b) {                                     \
        return gz_f4_dot(gz_f4_load(a), gz_f4_load(b));                                            \
    }                                                                                              \
    static uint32_t prefix##bytes(const float *a) {                                                \
        return gz_f4_bytes(gz_f4_load(a));                                                         \
    }                                                                                              \
    static void prefix##words(const float *a, int32_t *out) {                                      \
        gz_f4_words(out, gz_f4_load(a));                                                           \
    }                                                                                              \
    static const form prefix##form = {                                                             \
        #prefix,       prefix##apply, prefix##product, prefix##all,   prefix##transpose,           \
        prefix##above, prefix##pairs, prefix##dot,     prefix##bytes, prefix##words};

DEFINE_FORM(native_)

#undef GZ_MATH_FLOAT_QUAD_H
#undef GZ_F4_SSE2
#undef GZ_F4_NEON
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR
#endif
#define gz_f4           twin_f4
#define gz_i4           twin_i4
#define gz_f4_load      twin_load
#define gz_f4_store     twin_store
#define gz_f4_set       twin_set
#define gz_f4_add       twin_add
#define gz_f4_sub       twin_sub
#define gz_f4_mul       twin_mul
#define gz_f4_div       twin_div
#define gz_f4_sqrt      twin_sqrt
#define gz_f4_all       twin_all_lanes
#define gz_f4_muladd    twin_muladd
#define gz_f4_abs       twin_abs
#define gz_f4_next      twin_next
#define gz_f4_mask      twin_mask
#define gz_f4_and       twin_and
#define gz_f4_or        twin_or
#define gz_f4_andnot    twin_andnot
#define gz_f4_greater   twin_greater
#define gz_f4_select    twin_select
#define gz_f4_above     twin_above_lanes
#define gz_f4_transpose twin_transpose_rows
#define gz_f4_min       twin_min
#define gz_f4_max       twin_max
#define gz_f4_three     twin_three
#define gz_f4_pairs     twin_pairs_of
#define gz_f4_dot       twin_dot_of
#define gz_f4_bytes     twin_bytes_of
#define gz_f4_words     twin_words_of
#include "math/float_quad.h" // NOLINT: the scalar twin

DEFINE_FORM(twin_)

static float expected(int op, const float *a, const float *b, int i) {
    volatile float x = a[i], y = b[i], out = 0;
    switch (op) {
    case ADD:
        out = x + y;
        break;
    case SUB:
        out = x - y;
        break;
    case MUL:
        out = x * y;
        break;
    case DIV:
        out = x / y;
        break;
    case MIN:
        out = isless(x, y) ? x : y;
        break;
    case MAX:
        out = isgreater(x, y) ? x : y;
        break;
    case SQRT:
        out = sqrtf(x);
        break;
    case NEXT:
        out = a[i == 3 ? 3 : (i + 1) % 3];
        break;
    case THREE:
        out = i == 3 ? 0 : x;
        break;
    default:
        out = fabsf(x);
    }
    return out;
}

static void check_lanes(const form *f) {
    gz_random r = gz_random_make(1, 0);
    for (int round = 0; round < 30000; round++) {
        float a[4], b[4], c[4], got[4];
        sample_floats(&r, a, 4);
        sample_floats(&r, b, 4);
        sample_floats(&r, c, 4);
        if (round % 4 == 0) memcpy(b, a, sizeof a);
        for (int op = 0; op < OPERATIONS; op++) {
            f->apply(op, a, b, got);
            for (int i = 0; i < 4; i++) {
                float want = expected(op, a, b, i);
                assert_same_float(got[i], want, f->name, names[op]);
            }
        }
        f->product(a, b, c, got);
        unsigned above = 0;
        for (int i = 0; i < 4; i++) {
            assert_product(got[i], a[i], b[i], c[i], f->name);
            above |= (isgreater(a[i], b[i]) ? 1u : 0u) << i;
        }
        assert_int_equal(f->above(a, b), above);
        f->all(a[0], got);
        for (int i = 0; i < 4; i++) assert_same_float(got[i], a[0], f->name, "all");
    }
}

static void check_across(const form *f) {
    gz_random r = gz_random_make(2, 0);
    for (int round = 0; round < 30000; round++) {
        float a[4], b[4], m[4][4], turned[4][4];
        sample_floats(&r, a, 4);
        sample_floats(&r, b, 4);
        volatile float p = a[0] * a[1], q = a[1] * a[2], s = a[2] * a[0], sum = p + q;
        assert_same_float(f->pairs(a), sum + s, f->name, "pairs");
        volatile float x = a[0] * b[0], y = a[1] * b[1], z = a[2] * b[2], dot = x + y;
        assert_same_float(f->dot(a, b), dot + z, f->name, "dot");
        for (int i = 0; i < 4; i++) sample_floats(&r, m[i], 4);
        memcpy(turned, m, sizeof m);
        f->transpose(turned);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                assert_same_float(turned[j][i], m[i][j], f->name, "transpose");
        uint32_t bytes = 0;
        int32_t words[4];
        for (int i = 0; i < 4; i++) {
            a[i] = (float)gz_random_range(&r, 0, 127.99);
            b[i] = (float)gz_random_range(&r, 0, 0x1p30);
            bytes |= (uint32_t)a[i] << 8 * i;
        }
        assert_int_equal(f->bytes(a), bytes);
        f->words(b, words);
        for (int i = 0; i < 4; i++) assert_int_equal(words[i], (int32_t)b[i]);
    }
}

static void test_lanes_are_scalars_side_by_side(void **state) {
    (void)state;
    check_lanes(&native_form);
    check_lanes(&twin_form);
}

static void test_what_goes_across_lanes_is_a_loop_over_scalars(void **state) {
    (void)state;
    check_across(&native_form);
    check_across(&twin_form);
}

int main(void) {
#ifdef __AVX2__
    if (!gz_processor_has_avx2()) return 77; // skipped
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_are_scalars_side_by_side),
        cmocka_unit_test(test_what_goes_across_lanes_is_a_loop_over_scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
