// The baseline of the processor: SSE2 on x86-64, else the scalar twin.
#define POINT_KERNELS gz_point_kernels_base
#include "narrow/points/point_pair.inl"
