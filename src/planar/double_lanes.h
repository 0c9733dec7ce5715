/// Doubles side by side: four with AVX2, two with SSE2, one elsewhere. Every operation is
/// element-wise IEEE double precision without fused operations, so that every form gives each
/// element the same bits.
/// One header per form, so that a line count belongs to one function in every translation unit.
#ifndef GZ_PLANAR_DOUBLE_LANES_H
#define GZ_PLANAR_DOUBLE_LANES_H

#if !defined(GRAZE_SCALAR) && defined(__AVX2__)
#include "math/lanes_avx.h"
#elif !defined(GRAZE_SCALAR) && defined(__SSE2__)
#include "math/lanes_sse2.h"
#else
#include "math/lanes_scalar.h"
#endif

#endif
