// The baseline of the processor.
#include "math/lanes.h"
#if GZ_D_LANES == 1
#define DISTANCE_NAME "scalar"
#else
#define DISTANCE_NAME "sse2"
#endif
#define DISTANCE_KERNELS gz_distance_kernels_base
#include "planar/distance/distance_kernels.inl"
