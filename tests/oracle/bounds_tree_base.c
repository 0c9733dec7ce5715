// The baseline of the processor.
#define BOUNDS_FORM       bounds_form_base
#define BOUNDS_FORM_KIND  BASE_TREE
#define TREE_PAIR_KERNELS bounds_kernels_base
#include "bounds_tree.inl"
