#include "base/processor.h"

#include <stdatomic.h>
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

gz_isa gz_isa_of_process(void) {
    // A constant of the process, found out late: threads that race for it write the same value.
    static atomic_int chosen = -1;
    int isa = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (isa < 0) {
        isa = (int)gz_isa_choose();
        atomic_store_explicit(&chosen, isa, memory_order_relaxed);
    }
    return (gz_isa)isa;
}
