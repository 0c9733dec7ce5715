// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define APPROACH_NAME    "avx2"
#define APPROACH_KERNELS gz_approach_kernels_avx2
#include "planar/approach/approach_kernels.inl"
#else
typedef int gz_no_approach_avx2; // a translation unit must declare something
#endif
