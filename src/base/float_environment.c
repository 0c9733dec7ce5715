#include "base/float_environment.h"

// The barriers keep the compiler from moving loads and stores, and with them what is computed from
// or into memory, past the change of the control word; both functions are out of line besides.
#define BARRIER() __asm__ __volatile__("" ::: "memory")

#if defined(__SSE2__)

#include <xmmintrin.h>

// MXCSR: bits 0 to 5 are sticky flags, 6 takes subnormal inputs for zero, 7 to 12 mask the six
// exceptions, 13 and 14 choose the rounding (0: nearest), 15 flushes subnormal results to zero.
#define FLAGS  UINT64_C(0x003f)
#define WANTED UINT64_C(0x1f80)

// The x87 unit computes nothing here, but the C library looks at its rounding when it reads and
// writes numbers. Control word, from bit 32 on: 0 to 5 mask exceptions, 10 and 11 choose the
// rounding, 8 and 9 the precision, which is kept.
#define X87_MASKS    (UINT64_C(0x003f) << 32)
#define X87_ROUNDING (UINT64_C(0x0c00) << 32)

static uint64_t read_control(void) {
    uint16_t x87;
    __asm__ __volatile__("fnstcw %0" : "=m"(x87));
    return _mm_getcsr() | (uint64_t)x87 << 32;
}
static void write_control(uint64_t control) {
    uint16_t x87 = (uint16_t)(control >> 32);
    // Exceptions that were raised while they were masked must not trap when the mask goes.
    if ((control & X87_MASKS) != X87_MASKS) __asm__ __volatile__("fnclex");
    __asm__ __volatile__("fldcw %0" ::"m"(x87));
    _mm_setcsr((unsigned)control);
}
static uint64_t wanted_of(uint64_t found) {
    uint64_t x87 = ((found >> 32 << 32) | X87_MASKS) & ~X87_ROUNDING;
    return (found & FLAGS) | WANTED | x87;
}

#elif defined(__aarch64__)

// FPCR: 0 to 2 are FIZ, AH and NEP; 8 to 12 and 15 enable traps; 22 and 23 choose the rounding
// (0: nearest), 24 flushes subnormals, 25 makes every NaN the default one, 26 is alternative half
// precision. The rest is reserved and kept.
#define UNWANTED (UINT64_C(0x7) | UINT64_C(0x9f00) | UINT64_C(0x7c00000))

static uint64_t read_control(void) {
    uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    return control;
}
static void write_control(uint64_t control) {
    __asm__ __volatile__("msr fpcr, %0" ::"r"(control));
}
static uint64_t wanted_of(uint64_t found) {
    return found & ~UNWANTED;
}

#else

// Elsewhere at least the rounding, by the standard's own means.
#include <fenv.h>

static uint64_t read_control(void) {
    return (uint64_t)fegetround();
}
static void write_control(uint64_t control) {
    fesetround((int)control);
}
static uint64_t wanted_of(uint64_t found) {
    (void)found;
#ifdef FE_TONEAREST
    return (uint64_t)FE_TONEAREST;
#else
    return found;
#endif
}

#endif

gz_float_environment gz_float_environment_enter(void) {
    uint64_t found = read_control(), wanted = wanted_of(found);
    gz_float_environment environment = {.found = found, .changed = found != wanted};
    if (environment.changed) {
        BARRIER();
        write_control(wanted);
        BARRIER();
    }
    return environment;
}

void gz_float_environment_leave(const gz_float_environment *environment) {
    if (!environment->changed) return;
    BARRIER();
    write_control(environment->found);
    BARRIER();
}
