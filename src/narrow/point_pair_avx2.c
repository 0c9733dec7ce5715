// Compiled with AVX2 where the compiler has it; chosen with the other kernels.
#ifdef GRAZE_HAVE_AVX2
#define POINT_KERNELS gz_point_kernels_avx2
#include "narrow/points/point_pair.inl"
#else
typedef int gz_no_avx2_points; // a translation unit must declare something
#endif
