// The kernels compiled for AVX2 and FMA, where the compiler has them.
#ifdef GRAZE_HAVE_AVX2
#define KERNELS gz_planar_kernels_avx2
#include "planar/kernels.inl"
#else
typedef int gz_no_planar_avx2; // a translation unit must declare something
#endif
