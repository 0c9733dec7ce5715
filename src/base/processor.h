/// Which instruction set code compiled more than once runs with.
#ifndef GZ_BASE_PROCESSOR_H
#define GZ_BASE_PROCESSOR_H

#include <stdatomic.h>
#include <stdbool.h>

/// Whether code compiled for AVX2 and FMA, as every *_avx2.c is, may run here.
bool gz_processor_has_avx2(void);

typedef enum gz_isa {
    GZ_ISA_SCALAR, ///< no vector instructions, where code exists in that form; else the baseline
    GZ_ISA_BASE,   ///< what every processor of the target has: SSE2 on x86-64
    GZ_ISA_AVX2    ///< AVX2 and FMA
} gz_isa;

/// The instruction set that the environment variable GRAZE_ISA (scalar, sse2, avx2) asks for, where
/// this processor has it; else, or where it is unset or empty, the best. Reads the environment at
/// each call: for use once per object or batch.
gz_isa gz_isa_choose(void);

/// A constant of the process that is set by its first reader, -1 until then: for
/// gz_isa_of_process() only.
extern atomic_int gz_isa_of_process_or_none;
gz_isa gz_isa_choose_for_process(void);

/// gz_isa_choose() of the first call in this process: for functions on single pairs, which are too
/// short to read the environment.
static inline gz_isa gz_isa_of_process(void) {
    int isa = atomic_load_explicit(&gz_isa_of_process_or_none, memory_order_relaxed);
    return isa >= 0 ? (gz_isa)isa : gz_isa_choose_for_process();
}

#endif
