/// What the processor at hand can do.
#ifndef GZ_BASE_PROCESSOR_H
#define GZ_BASE_PROCESSOR_H

#include <stdbool.h>

/// Whether code compiled for AVX2 and FMA, as every *_avx2.c is, may run here.
static inline bool gz_processor_has_avx2(void) {
#ifdef GRAZE_HAVE_AVX2
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

#endif
