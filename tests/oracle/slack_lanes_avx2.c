// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define SLACK_LANES slack_lanes_avx2
#include "slack_lanes.inl"
#else
typedef int slack_no_avx2; // a translation unit must declare something
#endif
