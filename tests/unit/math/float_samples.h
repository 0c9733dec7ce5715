// What the tests of four and of eight floats side by side share: floats of every kind, and what a
// lane may be told to equal.

#ifndef GZ_TESTS_FLOAT_SAMPLES_H
#define GZ_TESTS_FLOAT_SAMPLES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"

/// A special value, one of everyday size, or any bits.
static inline float sample_float(gz_random *r) {
    static const float special[] = {0.0f,       -0.0f,     1.0f,     -1.0f,     0x1p-149f,
                                    -0x1p-140f, 0x1p-126f, 0x1p127f, -0x1p127f, INFINITY,
                                    -INFINITY,  NAN,       1e30f,    -1e30f};
    switch (gz_random_below(r, 3)) {
    case 0:
        return special[gz_random_below(r, sizeof special / sizeof *special)];
    case 1:
        return (float)gz_random_range(r, -2, 2);
    default: {
        uint32_t bits = (uint32_t)(gz_random_next(r) >> 32);
        float f;
        memcpy(&f, &bits, sizeof f);
        return f;
    }
    }
}

static inline void sample_floats(gz_random *r, float *v, int count) {
    for (int i = 0; i < count; i++) v[i] = sample_float(r);
}

/// Equal bit for bit, or both NaN (whose bits IEEE leaves open).
static inline void assert_same_float(float got, float want, const char *form, const char *what) {
    if (isnan(got) && isnan(want)) return;
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s: %s: %a, not %a", form, what, (double)got, (double)want);
}

/// a b + c, rounded once or twice: no other number.
static inline void assert_product(float got, float a, float b, float c, const char *form) {
    volatile float product = a * b, twice = product + c;
    float once = fmaf(a, b, c);
    if (memcmp(&got, &once, sizeof got) != 0) assert_same_float(got, twice, form, "a b + c");
}

#endif
