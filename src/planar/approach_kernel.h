/// The batch loops of planar_approach.h, compiled once per instruction set.
#ifndef GZ_PLANAR_APPROACH_KERNEL_H
#define GZ_PLANAR_APPROACH_KERNEL_H

#include "graze/planar_approach.h"

/// Rows of a rectangle, the kind with the most of those that have loops.
#define GZ_APPROACH_ROWS 7

typedef struct gz_approach_batch {
    const double *rows[2][GZ_APPROACH_ROWS]; ///< of A and of B, as graze_planar_kind lists them
    bool one[2];                             ///< the rows hold one shape for all
    const double *vx, *vy;                   ///< of B relative to A,
    double sign;                             ///< times this: -1 where A and B were exchanged
    double horizon;
    double *times, *distances;
    size_t count;
    double slowest; ///< out: no moving pair has a lower speed (the larger component); from INFINITY
} gz_approach_batch;

typedef void gz_approach_loop(gz_approach_batch *batch);

typedef struct gz_approach_kernels {
    const char *name; ///< "scalar", "sse2", "avx2"
    /// By A's and B's kind, circles to rectangles; NULL where A's is the larger.
    gz_approach_loop *loops[3][3];
} gz_approach_kernels;

extern const gz_approach_kernels gz_approach_kernels_base;
#ifndef GRAZE_SCALAR
extern const gz_approach_kernels gz_approach_kernels_scalar;
#endif
#ifdef GRAZE_HAVE_AVX2
extern const gz_approach_kernels gz_approach_kernels_avx2;
#endif

/// The best for this processor, or what GRAZE_ISA (scalar, sse2, avx2) asks for where it exists.
const gz_approach_kernels *gz_approach_kernels_choose(void);

#endif
