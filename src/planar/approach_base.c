// The baseline of the processor: SSE2 on x86-64, else the scalar form.
#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define APPROACH_NAME "sse2"
#else
#define APPROACH_NAME "scalar"
#endif
#define APPROACH_KERNELS gz_approach_kernels_base
#include "planar/approach/approach_kernels.inl"
