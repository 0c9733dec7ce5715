// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define QUICK_NAME gz_polygon_quick_avx2
#include "planar/distance/polygon_quick.inl"
#else
typedef int gz_no_quick_avx2; // a translation unit must declare something
#endif
