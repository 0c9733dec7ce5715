// The kernels compiled for AVX2 and FMA where the compiler has them; the processor chooses at run
// time.
#ifdef GRAZE_HAVE_AVX2
#define ISA_NAME  "avx2"
#define ISA(name) name##_avx2
#include "planar/approach/approach_kernels.inl"
#include "planar/distance/distance_kernels.inl"
#include "planar/distance/polygon_quick.inl"
#else
typedef int gz_no_planar_avx2; // a translation unit must declare something
#endif
