// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define DISTANCE_NAME    "avx2"
#define DISTANCE_KERNELS gz_distance_kernels_avx2
#include "planar/distance/distance_kernels.inl"
#else
typedef int gz_no_distance_avx2; // a translation unit must declare something
#endif
