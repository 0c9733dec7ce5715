// Without vector instructions.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR
#endif
#define BOUNDS_FORM       bounds_form_scalar
#define BOUNDS_FORM_KIND  SCALAR_TREE
#define TREE_PAIR_KERNELS bounds_kernels_scalar
#include "bounds_tree.inl"
