// Kernels of meshes for AVX2, where the compiler has it; chosen at run time by the processor.

#ifdef GRAZE_HAVE_AVX2
#define NEAREST_SURFACE gz_nearest_surface_avx2
#include "mesh/prefilter/nearest_surface.inl"
#else
typedef int gz_no_avx2_distances; // a translation unit must declare something
#endif
