// Kernels of the narrow phase for AVX2, where the compiler has it; chosen at run time by the
// processor.
#ifdef GRAZE_HAVE_AVX2
#define TREE_PAIR_NAME    "avx2"
#define TREE_PAIR_KERNELS gz_kernels_avx2
#define POINT_KERNELS     gz_point_kernels_avx2
#define DISTANCE_KERNELS  gz_distance_kernels_avx2
#include "narrow/points/point_pair.inl"
#include "narrow/tree_pair.inl"

#include "narrow/distance/tree_distance.inl" // behind tree_pair.inl
#else
typedef int gz_no_avx2; // a translation unit must declare something
#endif
