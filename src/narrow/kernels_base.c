// Kernels of the narrow phase for the baseline of the processor: SSE2 on x86-64, else the scalar
// twin.
#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define TREE_PAIR_NAME "sse2"
#else
#define TREE_PAIR_NAME "scalar"
#endif
#define TREE_PAIR_KERNELS gz_kernels_base
#define POINT_KERNELS     gz_point_kernels_base
#define DISTANCE_KERNELS  gz_distance_kernels_base
#include "narrow/points/point_pair.inl"
#include "narrow/tree_pair.inl"

#include "narrow/distance/tree_distance.inl" // behind tree_pair.inl
