// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define LINK_FINDER gz_link_finder_avx2
#include "check/link_finder_body.h"
#else
typedef int gz_no_link_finder_avx2; // a translation unit must declare something
#endif
