// The scalar twin, there also where the processor has vectors, so that both can be compared.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR_TWIN
#define GRAZE_SCALAR
#endif
#ifdef GRAZE_SCALAR_TWIN
#define APPROACH_NAME    "scalar"
#define APPROACH_KERNELS gz_approach_kernels_scalar
#include "planar/approach/approach_kernels.inl"
#else
typedef int gz_no_approach_scalar; // the baseline is the scalar form already
#endif
