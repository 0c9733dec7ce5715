#include "base/float_environment.h"

// The barriers keep the compiler from moving loads and stores, and with them what is computed from
// or into memory, past the change of the control words, should it ever see through the call.
#define BARRIER() __asm__ __volatile__("" ::: "memory")

void gz_float_control_set(uint64_t control) {
    BARRIER();
#if defined(__SSE2__) && !defined(__wasm__)
    uint16_t x87 = (uint16_t)(control >> 32);
    // Exceptions that were raised while they were masked must not trap when the mask goes.
    if ((control & GZ_X87_MASKS) != GZ_X87_MASKS) __asm__ __volatile__("fnclex");
    __asm__ __volatile__("fldcw %0" ::"m"(x87));
    __builtin_ia32_ldmxcsr((unsigned)control);
#elif defined(__aarch64__)
    __asm__ __volatile__("msr fpcr, %0" ::"r"(control));
#else
    fesetround((int)control);
#endif
    BARRIER();
}
