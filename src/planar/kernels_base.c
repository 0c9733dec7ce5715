// The kernels for what every processor of the target has: SSE2 on x86-64, else the scalar form.
#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define ISA_NAME "sse2"
#else
#define ISA_NAME "scalar"
#endif
#define KERNELS gz_planar_kernels_base
#include "planar/kernels.inl"
