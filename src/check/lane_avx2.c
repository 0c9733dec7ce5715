// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define LANE_FILTER gz_lane_filter_avx2
#include "check/lane_body.h"
#else
typedef int gz_no_lane_avx2; // a translation unit must declare something
#endif
