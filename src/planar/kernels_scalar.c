// The scalar twin of the kernels, also where the processor has vectors, for comparisons.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR
#endif
#define ISA_NAME "scalar"
#define KERNELS  gz_planar_kernels_scalar
#include "planar/kernels.inl"
