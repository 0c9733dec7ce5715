// Compiled with AVX2 where the compiler has it; chosen at run time by the processor.
#ifdef GRAZE_HAVE_AVX2
#define BOUNDS_FORM       bounds_form_avx2
#define BOUNDS_FORM_KIND  AVX2_TREE
#define TREE_PAIR_KERNELS bounds_kernels_avx2
#include "bounds_tree.inl"
#else
typedef int bounds_no_avx2; // a translation unit must declare something
#endif
