// Eight floats side by side: every form does, lane by lane, what a loop over scalars does; NaN,
// infinities, both zeros and denormals included. Compiled twice where there is AVX2: once for the
// baseline, once for AVX2 and FMA.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/processor.h"
#include "base/random.h"
#include "math/lanes.h"
#include "unit/math/float_samples.h"

static const char *const names[] = {"a + b", "a - b", "a b", "min", "max", "a / b", "sqrt"};

typedef struct form {
    const char *name;
    void (*binary)(int op, const float *a, const float *b, float *out);
    void (*absolute)(const float *a, float *out);
    void (*all)(float x, float *out);
    unsigned (*greater)(const float *a, const float *b);
    unsigned (*greater_or)(const float *a, const float *b, const float *c, const float *d);
    void (*select)(const float *a, const float *b, const float *c, const float *d, float *out);
    void (*product)(const float *a, const float *b, const float *c, float *out); ///< a b + c
    void (*gather)(const float *const *p, size_t offset, float *out);
    float (*least)(const float *a);
    int (*least_lane)(const float *a);
} form;

// The form of this build, and the scalar twin, from the same text under two sets of names.
#define DEFINE_FORM(prefix)                                                                        \
    static void prefix##binary(int op, const float *a, const float *b, float *out) {               \
        gz_f8 x = gz_f8_load(a), y = gz_f8_load(b), z;                                             \
        z = op == 0   ? gz_f8_add(x, y)                                                            \
            : op == 1 ? gz_f8_sub(x, y)                                                            \
            : op == 2 ? gz_f8_mul(x, y)                                                            \
            : op == 3 ? gz_f8_min(x, y)                                                            \
            : op == 4 ? gz_f8_max(x, y)                                                            \
            : op == 5 ? gz_f8_div(x, y)                                                            \
                      : gz_f8_sqrt(x);                                                             \
        gz_f8_store(out, z);                                                                       \
    }                                                                                              \
    static void prefix##absolute(const float *a, float *out) {                                     \
        gz_f8_store(out, gz_f8_abs(gz_f8_load(a)));                                                \
    }                                                                                              \
    static void prefix##all(float x, float *out) {                                                 \
        gz_f8_store(out, gz_f8_all(x));                                                            \
    }                                                                                              \
    static unsigned prefix##greater(const float *a, const float *b) {                              \
        return gz_f8_mask(gz_f8_greater(gz_f8_load(a), gz_f8_load(b)));                            \
    }                                                                                              \
    static unsigned prefix##greater_or(const float *a, const float *b, const float *c,             \
                                       const float *d) {                                           \
        return gz_f8_mask(gz_f8_or(gz_f8_greater(gz_f8_load(a), gz_f8_load(b)),                    \
                                   gz_f8_greater(gz_f8_load(c), gz_f8_load(d))));                  \
    }                                                                                              \
    static void prefix##select(const float *a, const float *b, const float *c, const float *d,     \
                               float *out) {                                                       \
        gz_f8 mask = gz_f8_greater(gz_f8_load(c), gz_f8_load(d));                                  \
        gz_f8_store(out, gz_f8_select(gz_f8_load(a), gz_f8_load(b), mask));                        \
    }                                                                                              \
    static void prefix##product(const float *a, const float *b, const float *c, float *out) {      \
        gz_f8_store(out, gz_f8_muladd(gz_f8_load(a), gz_f8_load(b), gz_f8_load(c)));               \
    }                                                                                              \
    static float prefix##least(const float *a) {                                                   \
        return gz_f8_least(gz_f8_load(a));                                                         \
    }                                                                                              \
    static int prefix##least_lane(const float *a) {                                                \
        return gz_f8_least_lane(gz_f8_load(a));                                                    \
    }                                                                                              \
    static void prefix##gather(const float *const *p, size_t offset, float *out) {                 \
        gz_f8_store(out, gz_f8_gather(p, offset));                                                 \
    }                                                                                              \
    static const form prefix##form = {#prefix,        prefix##binary,    prefix##absolute,         \
                                      prefix##all,    prefix##greater,   prefix##greater_or,       \
                                      prefix##select, prefix##product,   prefix##gather,           \
                                      prefix##least,  prefix##least_lane};

enum { DOUBLE_OPS = 17 };

static const char *const double_names[DOUBLE_OPS] = {
    "a + b",  "a - b", "a b",         "a / b", "-a",   "min",  "max",        "abs", "mulsign",
    "select", "and",   "if negative", "keep",  "drop", "sqrt", "load whole", "all"};

// The operations on doubles, eight lanes each; and the way from floats and to floats.
#define DEFINE_DOUBLES(prefix)                                                                     \
    static void prefix##doubles(const double *a, const double *b, const int32_t *whole,            \
                                double out[DOUBLE_OPS][8]) {                                       \
        for (int i = 0; i < 8; i += GZ_D_LANES) {                                                  \
            gz_d x = gz_d_load(a + i), y = gz_d_load(b + i);                                       \
            gz_d_mask less = gz_d_less(x, y), most = gz_d_at_most(x, y);                           \
            const gz_d all[DOUBLE_OPS] = {x + y,                                                   \
                                          x - y,                                                   \
                                          x * y,                                                   \
                                          x / y,                                                   \
                                          -x,                                                      \
                                          gz_d_min(x, y),                                          \
                                          gz_d_max(x, y),                                          \
                                          gz_d_abs(x),                                             \
                                          gz_d_mulsign(x, y),                                      \
                                          gz_d_select(most, x, y),                                 \
                                          gz_d_select(gz_d_and(less, most), x, y),                 \
                                          gz_d_if_negative(x, x, y),                               \
                                          gz_d_keep(less, x),                                      \
                                          gz_d_drop(less, x),                                      \
                                          gz_d_sqrt(x),                                            \
                                          gz_d_load_whole(whole + i),                              \
                                          gz_d_all(a[0])};                                         \
            for (int k = 0; k < DOUBLE_OPS; k++) gz_d_store(out[k] + i, all[k]);                   \
        }                                                                                          \
    }                                                                                              \
    static void prefix##conversions(const double *a, const float *b, const float *c, float *round, \
                                    double *wide, int32_t *whole) {                                \
        gz_d8 all;                                                                                 \
        for (int k = 0; k < GZ_F8_VECTORS; k++) all.vector[k] = gz_d_load(a + k * GZ_D_LANES);     \
        gz_f8_store(round, gz_f8_round(all));                                                      \
        gz_f8 x = gz_f8_load(b), y = gz_f8_load(c);                                                \
        gz_f8_store_wide(wide, gz_f8_keep(gz_f8_greater(x, y), x));                                \
        gz_f8_store_whole(whole, gz_f8_whole(gz_f8_load(c)));                                      \
    }

DEFINE_FORM(native_)
DEFINE_DOUBLES(native_)

#undef GZ_MATH_LANES_H
#undef GZ_MATH_LANES_PAIR_H
#undef GZ_MATH_DOUBLE_LANES_H
#undef GZ_MATH_DOUBLE_PLAIN_H
#undef GZ_MATH_FLOAT_QUAD_H
#undef GZ_F4_SSE2
#undef GZ_F4_NEON
#undef GZ_D_OP
#undef GZ_LANES
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR
#endif
#define gz_f4             twin_f4
#define gz_i4             twin_i4
#define gz_f4_load        quad_load
#define gz_f4_store       quad_store
#define gz_f4_set         quad_set
#define gz_f4_all         quad_all
#define gz_f4_add         quad_add
#define gz_f4_sub         quad_sub
#define gz_f4_mul         quad_mul
#define gz_f4_div         quad_div
#define gz_f4_muladd      quad_muladd
#define gz_f4_sqrt        quad_sqrt
#define gz_f4_abs         quad_abs
#define gz_f4_select      quad_select
#define gz_f4_min         quad_min
#define gz_f4_max         quad_max
#define gz_f4_next        quad_next
#define gz_f4_three       quad_three
#define gz_f4_mask        quad_mask
#define gz_f4_above       quad_above
#define gz_f4_transpose   quad_transpose
#define gz_f4_dot         quad_dot
#define gz_f4_pairs       quad_pairs
#define gz_f4_words       quad_words
#define gz_f4_and         quad_and
#define gz_f4_or          quad_or
#define gz_f4_andnot      quad_andnot
#define gz_f4_greater     quad_greater
#define gz_f4_bytes       quad_bytes
#define gz_f8             twin_f8
#define gz_f8_load        twin_load
#define gz_f8_store       twin_store
#define gz_f8_all         twin_all_lanes
#define gz_f8_add         twin_add
#define gz_f8_sub         twin_sub
#define gz_f8_mul         twin_mul
#define gz_f8_div         twin_div
#define gz_f8_muladd      twin_muladd
#define gz_f8_sqrt        twin_sqrt
#define gz_f8_gather      twin_gather_lanes
#define gz_f8_min         twin_min
#define gz_f8_max         twin_max
#define gz_f8_abs         twin_abs
#define gz_f8_greater     twin_greater_lanes
#define gz_f8_or          twin_or
#define gz_f8_select      twin_select_lanes
#define gz_f8_whole       twin_whole
#define gz_f8_mask        twin_mask
#define gz_f8_least       twin_least_value
#define gz_f8_least_lane  twin_lane_of_least
#define gz_take_least     twin_take_least
#define gz_d              twin_d
#define gz_d8             twin_d8
#define gz_d_abs          twin_d_abs
#define gz_d_all          twin_d_all
#define gz_d_and          twin_d_and
#define gz_d_at_most      twin_d_at_most
#define gz_d_drop         twin_d_drop
#define gz_d_if_negative  twin_d_if_negative
#define gz_d_keep         twin_d_keep
#define gz_d_less         twin_d_less
#define gz_d_load         twin_d_load
#define gz_d_load_whole   twin_d_load_whole
#define gz_d_mask         twin_d_mask
#define gz_d_max          twin_d_max
#define gz_d_min          twin_d_min
#define gz_d_sqrt         twin_d_root
#define gz_d_select       twin_d_select
#define gz_d_store        twin_d_store
#define gz_d_mulsign      twin_d_turn
#define gz_f8_keep        twin_f8_keep
#define gz_f8_round       twin_f8_round
#define gz_f8_store_whole twin_f8_store_whole
#define gz_f8_store_wide  twin_f8_store_wide
#undef GZ_D_LANES
#undef GZ_F8_VECTORS
#include "math/lanes.h" // NOLINT: the scalar twin

DEFINE_FORM(twin_)
DEFINE_DOUBLES(twin_)

/// Of numbers; which zero it is does not matter.
static void assert_least(const form *f, const float *a) {
    float least = INFINITY, got = f->least(a);
    for (int i = 0; i < 8; i++) {
        if (isnan(a[i])) return;
        least = fminf(least, a[i]);
    }
    if (!(got >= least && got <= least))
        fail_msg("%s: the least is %a, not %a", f->name, (double)got, (double)least);
    int first = 0;
    while (!(a[first] <= least)) first++;
    assert_int_equal(f->least_lane(a), first);
}

/// One number from each of eight places.
static void assert_gathered(const form *f, gz_random *r) {
    float text[64], got[8];
    const float *p[8];
    for (int i = 0; i < 64; i++) text[i] = (float)(i + 1);
    for (int i = 0; i < 8; i++) p[i] = text + gz_random_below(r, 32);
    size_t offset = gz_random_below(r, 32);
    f->gather(p, offset, got);
    for (int i = 0; i < 8; i++) assert_true(got[i] == p[i][offset]);
}

static void check_form(const form *f) {
    gz_random r = gz_random_make(7, 0);
    for (int round = 0; round < 30000; round++) {
        float a[8], b[8], c[8], d[8], got[8];
        sample_floats(&r, a, 8);
        sample_floats(&r, b, 8);
        sample_floats(&r, c, 8);
        sample_floats(&r, d, 8);
        if (round % 4 == 0) memcpy(b, a, sizeof a);
        for (int op = 0; op < 7; op++) {
            f->binary(op, a, b, got);
            for (int i = 0; i < 8; i++) {
                volatile float x = a[i], y = b[i], want = 0;
                if (op == 0) want = x + y;
                if (op == 1) want = x - y;
                if (op == 2) want = x * y;
                if (op == 3) want = x < y ? x : y;
                if (op == 4) want = x > y ? x : y;
                if (op == 5) want = x / y;
                if (op == 6) want = sqrtf(x);
                assert_same_float(got[i], want, f->name, names[op]);
            }
        }
        f->product(a, b, c, got);
        for (int i = 0; i < 8; i++) assert_product(got[i], a[i], b[i], c[i], f->name);
        assert_gathered(f, &r);
        assert_least(f, a);
        f->absolute(a, got);
        for (int i = 0; i < 8; i++) assert_same_float(got[i], fabsf(a[i]), f->name, "abs");
        f->all(a[0], got);
        for (int i = 0; i < 8; i++) assert_same_float(got[i], a[0], f->name, "all");
        unsigned greater = 0, either = 0;
        for (int i = 0; i < 8; i++) {
            volatile float x = a[i], y = b[i], z = c[i], w = d[i];
            bool g = isgreater(x, y), h = isgreater(z, w);
            greater |= (g ? 1u : 0u) << i;
            either |= (g || h ? 1u : 0u) << i;
        }
        assert_int_equal(f->greater(a, b), greater);
        assert_int_equal(f->greater_or(a, b, c, d), either);
        f->select(a, b, c, d, got);
        for (int i = 0; i < 8; i++)
            assert_same_float(got[i], isgreater(c[i], d[i]) ? b[i] : a[i], f->name, "select");
    }
}

static void test_form_of_this_build_equals_scalar_loops(void **state) {
    (void)state;
    check_form(&native_form);
}

static void test_scalar_twin_equals_scalar_loops(void **state) {
    (void)state;
    check_form(&twin_form);
}

static double sample_double(gz_random *r) {
    uint64_t bits = gz_random_next(r);
    double any;
    memcpy(&any, &bits, sizeof any);
    return gz_random_below(r, 4) ? (double)sample_float(r) : any;
}

static void assert_same_double(double got, double want, const char *what) {
    if (isnan(got) && isnan(want)) return;
    if (memcmp(&got, &want, sizeof got) != 0) fail_msg("%s: %a, not %a", what, got, want);
}

/// What the scalar twin computes is what C says of a double: its lanes are doubles.
static void test_doubles_are_those_of_the_scalar_twin(void **state) {
    (void)state;
    gz_random r = gz_random_make(11, 0);
    for (int round = 0; round < 30000; round++) {
        double a[8], b[8], out[2][DOUBLE_OPS][8];
        int32_t whole[8];
        for (int i = 0; i < 8; i++) {
            a[i] = sample_double(&r);
            b[i] = gz_random_below(&r, 4) ? sample_double(&r) : a[i];
            whole[i] = (int32_t)gz_random_next(&r);
        }
        native_doubles(a, b, whole, out[0]);
        twin_doubles(a, b, whole, out[1]);
        for (int k = 0; k < DOUBLE_OPS; k++)
            for (int i = 0; i < 8; i++)
                assert_same_double(out[0][k][i], out[1][k][i], double_names[k]);
    }
}

static void test_conversions_are_those_of_the_scalar_twin(void **state) {
    (void)state;
    gz_random r = gz_random_make(12, 0);
    for (int round = 0; round < 30000; round++) {
        double a[8], wide[2][8];
        float b[8], c[8], rounded[2][8];
        int32_t whole[2][8];
        for (int i = 0; i < 8; i++) {
            a[i] = sample_double(&r);
            c[i] = (float)gz_random_range(&r, -0x1p22, 0x1p22);
        }
        sample_floats(&r, b, 8);
        native_conversions(a, b, c, rounded[0], wide[0], whole[0]);
        twin_conversions(a, b, c, rounded[1], wide[1], whole[1]);
        for (int i = 0; i < 8; i++) {
            assert_same_float(rounded[0][i], rounded[1][i], "native", "round");
            assert_same_double(wide[0][i], wide[1][i], "keep and widen");
            assert_int_equal(whole[0][i], whole[1][i]);
        }
    }
}

static void test_absolute_value_of_minus_zero_is_plus_zero_in_every_form(void **state) {
    (void)state;
    const float zeros[8] = {-0.0f, 0.0f, -0.0f, -1.0f, 1.0f, -0.0f, 0.0f, -0.0f};
    const form *forms[] = {&native_form, &twin_form};
    for (int k = 0; k < 2; k++) {
        float out[8];
        forms[k]->absolute(zeros, out);
        for (int i = 0; i < 8; i++) assert_false(signbit(out[i]));
    }
}

/// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last is lost where the product is rounded by itself.
static void test_products_are_fused_where_the_processor_can(void **state) {
    (void)state;
    float a[8], c[8], out[8];
    for (int i = 0; i < 8; i++) {
        a[i] = 1 + 0x1p-12f;
        c[i] = -(1 + 0x1p-11f);
    }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    const float native = 0x1p-24f;
#else
    const float native = 0;
#endif
    native_form.product(a, a, c, out);
    for (int i = 0; i < 8; i++) assert_true(out[i] == native);
    twin_form.product(a, a, c, out);
    for (int i = 0; i < 8; i++) assert_true(out[i] == 0);
}

/// Of any lanes, down to the last: none is less than that which was taken, and of equal ones the
/// lowest comes first.
static void test_lanes_are_taken_in_the_order_of_their_values(void **state) {
    (void)state;
    gz_random r = gz_random_make(9, 0);
    for (int round = 0; round < 2000; round++) {
        float values[8];
        for (int i = 0; i < 8; i++) values[i] = (float)gz_random_below(&r, 6);
        unsigned mask = 1 + gz_random_below(&r, 255);
        while (mask) {
            unsigned before = mask;
            int lane = gz_take_least(values, &mask);
            assert_int_equal(before & ~(1u << lane), mask);
            assert_true(before >> lane & 1);
            for (int i = 0; i < 8; i++)
                if (mask >> i & 1)
                    assert_true(values[i] > values[lane] ||
                                (values[i] == values[lane] && i > lane));
        }
    }
}

int main(void) {
#ifdef __AVX2__
    if (!gz_processor_has_avx2()) return 77; // skipped
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form_of_this_build_equals_scalar_loops),
        cmocka_unit_test(test_scalar_twin_equals_scalar_loops),
        cmocka_unit_test(test_doubles_are_those_of_the_scalar_twin),
        cmocka_unit_test(test_conversions_are_those_of_the_scalar_twin),
        cmocka_unit_test(test_absolute_value_of_minus_zero_is_plus_zero_in_every_form),
        cmocka_unit_test(test_products_are_fused_where_the_processor_can),
        cmocka_unit_test(test_lanes_are_taken_in_the_order_of_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
