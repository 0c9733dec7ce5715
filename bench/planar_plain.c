// The plain scalar forms, compiled for float and for double.

#include <math.h>

#include "planar_plain.h"

#define REAL        float
#define ROOT        sqrtf
#define PLAIN(name) name##_f
#include "planar_plain.inl"
#undef REAL
#undef ROOT
#undef PLAIN

#define REAL        double
#define ROOT        sqrt
#define PLAIN(name) name##_d
#include "planar_plain.inl"
