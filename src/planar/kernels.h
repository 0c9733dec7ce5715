/// The loops over batches of planar shapes, and the quick distance of one pair of polygons:
/// compiled once per instruction set, from approach/approach_kernels.inl,
/// distance/distance_kernels.inl and distance/polygon_quick.inl.
#ifndef GZ_PLANAR_KERNELS_H
#define GZ_PLANAR_KERNELS_H

#include "base/processor.h"
#include "graze/planar_approach.h"
#include "graze/planar_distance.h"

/// Distance loops take their pairs in steps of so many.
#define GZ_DISTANCE_STEP 4

typedef struct gz_distance_block {
    const double *a[GRAZE_PLANAR_ROW_MAX], *b[GRAZE_PLANAR_ROW_MAX]; ///< rows
    int32_t vertices_a, vertices_b;                                  ///< of polygons
    size_t count;                                                    ///< a multiple of the step
    double *distances;
} gz_distance_block;

typedef void gz_distance_loop(const gz_distance_block *block);

/// Rows of a rectangle, the kind with the most of those that have approach loops.
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

/// gz_polygon_distance() where features are certain without a search; false, and nothing written,
/// where they are not.
typedef bool gz_polygon_quick(const graze_planar_shape *a, const graze_planar_shape *b,
                              graze_planar_result *out);

typedef struct gz_planar_kernels {
    const char *name; ///< "scalar", "sse2", "avx2"
    /// By A's and B's kind; NULL where the kinds are to be exchanged or handled as polygons.
    gz_distance_loop *distance[4][4];
    /// By A's and B's kind, circles to rectangles; NULL where A's is the larger.
    gz_approach_loop *approach[3][3];
    gz_polygon_quick *polygon;
} gz_planar_kernels;

extern const gz_planar_kernels gz_planar_kernels_base, gz_planar_kernels_scalar,
    gz_planar_kernels_avx2; ///< the last only with GRAZE_HAVE_AVX2

/// The kernels for an instruction set; all give the same bits.
const gz_planar_kernels *gz_planar_kernels_for(gz_isa isa);

/// Signed distance, normal, witnesses and features of two convex polygons of 1 to
/// GRAZE_PLANAR_VERTEX_MAX vertices, their radii left out. False, and nothing written, where
/// coordinates are not finite or far too large. Error and method: polygon_distance.c.
bool gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out);

/// Whether an array has shapes of a known kind, and a stride and data for them.
bool gz_planar_array_ok(const graze_planar_array *array);

/// The signed distance of one pair of polygons of a block, radii included, for the pairs that the
/// loops cannot decide. The same code for all instruction sets.
double gz_distance_of_polygons(const gz_distance_block *block, size_t pair);

#endif
