// The scalar twin of the kernels, there also where the processor has vectors, so that both can be
// compared.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR_TWIN
#define GRAZE_SCALAR
#endif
#ifdef GRAZE_SCALAR_TWIN
#define ISA_NAME  "scalar"
#define ISA(name) name##_scalar
#include "planar/approach/approach_kernels.inl"
#include "planar/distance/distance_kernels.inl"
#include "planar/distance/polygon_quick.inl"
#else
typedef int gz_no_planar_scalar; // the baseline is the scalar form already
#endif
