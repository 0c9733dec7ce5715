// The kernels for what every processor of the target has: SSE2, NEON, or the scalar form.
#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define ISA_NAME "sse2"
#elif !defined(GRAZE_SCALAR) && defined(__aarch64__)
#define ISA_NAME "neon"
#else
#define ISA_NAME "scalar"
#endif
#define KERNELS gz_planar_kernels_base
#include "planar/kernels.inl"
