// The scalar twin of the kernels, also where the processor has vectors, for comparisons.
#undef GRAZE_SCALAR
#define GRAZE_SCALAR
#define KERNELS gz_planar_kernels_scalar
#include "planar/kernels.inl"
