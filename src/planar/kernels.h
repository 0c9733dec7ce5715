/// The batch loops of signed distance, compiled once per instruction set.
#ifndef GZ_PLANAR_KERNELS_H
#define GZ_PLANAR_KERNELS_H

#include "graze/planar_approach.h"
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

/// The batch loops of planar_approach.h, compiled once per instruction set.

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

/// Signed distance of two convex polygons, their radii left out.

/// Signed distance, normal, witnesses and features of the polygons of a and b, 1 to
/// GRAZE_PLANAR_VERTEX_MAX vertices each. False, and nothing written, where coordinates are not
/// finite or far too large. Error and method: polygon_distance.c.
bool gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out);

/// The same where it takes no more than the quick way; false, and nothing written, where it does.
/// The forms give the same bits.
bool gz_polygon_quick_base(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_planar_result *out);
#if !defined(GRAZE_SCALAR) || defined(GRAZE_SCALAR_TWIN)
bool gz_polygon_quick_scalar(const graze_planar_shape *a, const graze_planar_shape *b,
                             graze_planar_result *out);
#endif
#ifdef GRAZE_HAVE_AVX2
bool gz_polygon_quick_avx2(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_planar_result *out);
#endif

/// The result with the shapes' radii: the witnesses move along the normal.
static inline void gz_planar_result_round(graze_planar_result *result, double radius_a,
                                          double radius_b) {
    graze_vec2 n = result->normal;
    result->distance -= radius_a + radius_b;
    result->point_a.x += radius_a * n.x;
    result->point_a.y += radius_a * n.y;
    result->point_b.x -= radius_b * n.x;
    result->point_b.y -= radius_b * n.y;
}

#endif
