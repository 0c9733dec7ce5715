// The scalar twin, there also where the processor has vectors, so that both can be compared.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR_TWIN
#define GRAZE_SCALAR
#endif
#ifdef GRAZE_SCALAR_TWIN
#define DISTANCE_NAME    "scalar"
#define DISTANCE_KERNELS gz_distance_kernels_scalar
#include "planar/distance/distance_kernels.inl"
#else
typedef int gz_no_distance_scalar; // the baseline is the scalar form already
#endif
