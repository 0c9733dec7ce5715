// The scalar twin, there also where the processor has vectors, so that both can be compared.
#ifndef GRAZE_SCALAR
#define GRAZE_SCALAR_TWIN
#define GRAZE_SCALAR
#endif
#ifdef GRAZE_SCALAR_TWIN
#define QUICK_NAME gz_polygon_quick_scalar
#include "planar/distance/polygon_quick.inl"
#else
typedef int gz_no_quick_scalar; // the baseline is the scalar form already
#endif
