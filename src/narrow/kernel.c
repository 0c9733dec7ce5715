#include "narrow/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/processor.h"

const gz_kernels *gz_kernels_choose(void) {
#ifdef GRAZE_HAVE_AVX2
    const char *wanted = getenv("GRAZE_ISA");
    bool refused = wanted && wanted[0] && strcmp(wanted, "avx2") != 0;
    if (!refused && gz_processor_has_avx2()) return &gz_kernels_avx2;
#endif
    return &gz_kernels_base;
}
