// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define SINGLE_STAGES gz_single_stages_avx2
#include "check/single_body.h"
#else
typedef int gz_no_single_avx2; // a translation unit must declare something
#endif
