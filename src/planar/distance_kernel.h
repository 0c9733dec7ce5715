/// The batch loops of signed distance, compiled once per instruction set.
#ifndef GZ_PLANAR_DISTANCE_KERNEL_H
#define GZ_PLANAR_DISTANCE_KERNEL_H

#include "graze/planar_distance.h"

/// Loops take their shapes in steps of so many.
#define GZ_DISTANCE_STEP 4

typedef struct gz_distance_block {
    const double *a[GRAZE_PLANAR_ROW_MAX], *b[GRAZE_PLANAR_ROW_MAX]; ///< rows
    int32_t vertices_a, vertices_b;                                  ///< of polygons
    size_t count;                                                    ///< a multiple of the step
    double *distances;
} gz_distance_block;

typedef void gz_distance_loop(const gz_distance_block *block);

typedef struct gz_distance_kernels {
    const char *name; ///< "scalar", "sse2", "avx2"
    /// By A's and B's kind; NULL where the kinds are to be exchanged or taken as polygons.
    gz_distance_loop *loops[4][4];
} gz_distance_kernels;

extern const gz_distance_kernels gz_distance_kernels_base;
#ifndef GRAZE_SCALAR
extern const gz_distance_kernels gz_distance_kernels_scalar;
#endif
#ifdef GRAZE_HAVE_AVX2
extern const gz_distance_kernels gz_distance_kernels_avx2;
#endif

/// The best for this processor, or what GRAZE_ISA (scalar, sse2, avx2) asks for where it exists.
/// All give the same bits.
const gz_distance_kernels *gz_distance_kernels_choose(void);

/// The signed distance of one pair of polygons of a block, radii included, for the lanes that the
/// loops leave: in one form for all instruction sets.
double gz_distance_of_polygons(const gz_distance_block *block, size_t pair);

#endif
