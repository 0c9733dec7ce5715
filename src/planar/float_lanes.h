/// What a search in the plane needs of eight floats beyond math/lanes.h: the way from doubles
/// and back. Element-wise IEEE operations, so that every form gives the same bits.
#ifndef GZ_PLANAR_FLOAT_LANES_H
#define GZ_PLANAR_FLOAT_LANES_H

#include <math.h>
#include <stdint.h>

#include "math/lanes.h"

/// Vectors of doubles that fill the lanes of one of floats.
#define GZ_F8_PARTS (GZ_LANES / GZ_D_LANES)

/// Eight doubles.
typedef struct gz_d8 {
    gz_d part[GZ_F8_PARTS];
} gz_d8;

#if GZ_D_LANES == 4
#include "math/lanes_avx.h"
#elif GZ_D_LANES == 2
#include "math/lanes_sse2.h"
#else
#include "math/lanes_scalar.h"
#endif

#endif
