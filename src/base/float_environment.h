/// The floating-point environment that every verdict is promised for: rounding to nearest,
/// subnormal numbers kept, no traps. Hosts set others (-ffast-math at start-up, audio and game
/// loops), so each public function that computes sets what it needs and gives back what it found.
#ifndef GZ_BASE_FLOAT_ENVIRONMENT_H
#define GZ_BASE_FLOAT_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#if (!defined(__SSE2__) || defined(__wasm__)) && !defined(__aarch64__)
#include <fenv.h>
#endif

typedef struct gz_float_environment {
    uint64_t found; ///< control words (and flags) of the caller
    bool changed;
} gz_float_environment;

#if defined(__SSE2__) && !defined(__wasm__)

// (In WebAssembly SSE2 is a way to write its vectors; there is no control word: rounding is to
// nearest, subnormal numbers are kept.)
// MXCSR: bits 0 to 5 are sticky flags, 6 takes subnormal inputs for zero, 7 to 12 mask the six
// exceptions, 13 and 14 choose the rounding (0: nearest), 15 flushes subnormal results to zero.
#define GZ_MXCSR_FLAGS  UINT64_C(0x003f)
#define GZ_MXCSR_WANTED UINT64_C(0x1f80)

// The x87 unit computes nothing here, but the C library looks at its rounding when it reads and
// writes numbers. Control word, from bit 32 on: 0 to 5 mask exceptions, 10 and 11 choose the
// rounding, 8 and 9 the precision, which is kept.
#define GZ_X87_MASKS    (UINT64_C(0x003f) << 32)
#define GZ_X87_ROUNDING (UINT64_C(0x0c00) << 32)

static inline uint64_t gz_float_control(void) {
    uint16_t x87;
    __asm__ __volatile__("fnstcw %0" : "=m"(x87));
    return __builtin_ia32_stmxcsr() | (uint64_t)x87 << 32;
}
static inline uint64_t gz_float_control_wanted(uint64_t found) {
    uint64_t x87 = ((found >> 32 << 32) | GZ_X87_MASKS) & ~GZ_X87_ROUNDING;
    return (found & GZ_MXCSR_FLAGS) | GZ_MXCSR_WANTED | x87;
}

#elif defined(__aarch64__)

// FPCR: 0 to 2 are FIZ, AH and NEP; 8 to 12 and 15 enable traps; 22 and 23 choose the rounding
// (0: nearest), 24 flushes subnormals, 25 makes every NaN the default one, 26 is alternative half
// precision. The rest is reserved and kept.
#define GZ_FPCR_UNWANTED (UINT64_C(0x7) | UINT64_C(0x9f00) | UINT64_C(0x7c00000))

static inline uint64_t gz_float_control(void) {
    uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    return control;
}
static inline uint64_t gz_float_control_wanted(uint64_t found) {
    return found & ~GZ_FPCR_UNWANTED;
}

#else

// Elsewhere at least the rounding, by the standard's own means.
static inline uint64_t gz_float_control(void) {
    return (uint64_t)fegetround();
}
static inline uint64_t gz_float_control_wanted(uint64_t found) {
    (void)found;
    return (uint64_t)FE_TONEAREST;
}

#endif

/// Writes the control words of the calling thread; out of line, so that nothing moves past it.
void gz_float_control_set(uint64_t control);

/// Sets what is needed, of the calling thread; reads, and writes only where something differs.
static inline gz_float_environment gz_float_environment_enter(void) {
    uint64_t found = gz_float_control(), wanted = gz_float_control_wanted(found);
    gz_float_environment environment = {.found = found, .changed = found != wanted};
    if (environment.changed) gz_float_control_set(wanted);
    return environment;
}
static inline void gz_float_environment_leave(const gz_float_environment *environment) {
    if (environment->changed) gz_float_control_set(environment->found);
}

static inline void gz_float_environment_leave_scope(gz_float_environment *environment) {
    gz_float_environment_leave(environment);
}

/// Whether doubles are computed as promised already, for the short way of a function that does so
/// little that entering and leaving would show. MXCSR itself is not read: that waits for all
/// results before, as it holds their flags. Rounding shows in two sums of which neither may move.
/// The C library keeps the masks of exceptions, and the rounding, in the x87 unit's control word,
/// too, of which any value but the one that processes start with is refused. Not seen are hosts
/// that flush subnormal numbers, of which the function must be independent, and those that unmask
/// exceptions in MXCSR by hand.
static inline bool gz_float_environment_is_set(void) {
#if defined(__SSE2__) && !defined(__wasm__)
    typedef double pair __attribute__((vector_size(16)));
    uint16_t x87;
    pair steps = {0x1p-60, -0x1p-60}, from = {1, 2}; // two alike would be put together anew
    __asm__ __volatile__("fnstcw %0" : "=m"(x87));
    if (x87 != 0x037f) return false;
    __asm__ __volatile__("" : "+x"(steps)); // the sums, which may trap, come after
    return __builtin_ia32_movmskpd(__builtin_ia32_cmpeqpd(from + steps, from)) == 3;
#else
    uint64_t found = gz_float_control();
    return found == gz_float_control_wanted(found);
#endif
}

/// The first statement of a function: from here to its end, whichever way it is left, the
/// environment is the promised one. Where the computing is not done by functions that the compiler
/// keeps apart, it belongs into a GZ_OUT_OF_LINE function of its own: nothing else holds it between
/// the two.
#define GZ_FLOAT_ENVIRONMENT                                                                       \
    gz_float_environment gz_float_scope_ __attribute__((cleanup(gz_float_environment_leave_scope), \
                                                        unused)) = gz_float_environment_enter()

/// The same of a function that clears an error (base/error.h), which may be NULL.
#define GZ_ENTER(error)                                                                            \
    GZ_FLOAT_ENVIRONMENT;                                                                          \
    gz_error_clear(error)

#define GZ_OUT_OF_LINE __attribute__((noinline))
/// Of what every query runs, and several functions call.
#define GZ_ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
