// The kernels for what every processor of the target has: SSE2, NEON, or the scalar form.
#define KERNELS gz_planar_kernels_base
#include "planar/kernels.inl"
