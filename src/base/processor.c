#include "base/processor.h"

#include <stdlib.h>
#include <string.h>

bool gz_processor_has_avx2(void) {
#ifdef GRAZE_HAVE_AVX2
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

gz_isa gz_isa_choose(void) {
    const char *wanted = getenv("GRAZE_ISA");
    bool any = wanted == NULL || wanted[0] == '\0';
    if (!any && strcmp(wanted, "scalar") == 0) return GZ_ISA_SCALAR;
    if (!any && strcmp(wanted, "avx2") != 0) return GZ_ISA_BASE;
    return gz_processor_has_avx2() ? GZ_ISA_AVX2 : GZ_ISA_BASE;
}

atomic_int gz_isa_of_process_or_none = -1;

// Threads that race for the constant write the same value.
gz_isa gz_isa_choose_for_process(void) {
    gz_isa isa = gz_isa_choose();
    atomic_store_explicit(&gz_isa_of_process_or_none, (int)isa, memory_order_relaxed);
    return isa;
}
