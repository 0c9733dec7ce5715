// The kernels for the baseline of the processor: SSE2 on x86-64, else the scalar form.
#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define ISA_NAME "sse2"
#else
#define ISA_NAME "scalar"
#endif
#define ISA(name) name##_base
#include "planar/approach/approach_kernels.inl"
#include "planar/distance/distance_kernels.inl"
#include "planar/distance/polygon_quick.inl"
