// Nearest neighbours with AVX2, where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#include "plan/nearest_search.inl"

const gz_nearest_search gz_nearest_search_avx2 = search_nearest;
#else
typedef int gz_no_nearest_avx2; // a translation unit must declare something
#endif
