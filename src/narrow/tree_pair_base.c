// The baseline of the processor: SSE2 on x86-64, else the scalar twin.
#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define TREE_PAIR_NAME "sse2"
#else
#define TREE_PAIR_NAME "scalar"
#endif
#define TREE_PAIR_KERNELS gz_kernels_base
#include "narrow/tree_pair.inl"
