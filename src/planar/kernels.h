/// The loops over batches of planar shapes, and the distance of one pair of polygons: compiled once
/// per instruction set, from approach/approach_kernels.inl, distance/distance_kernels.inl and
/// distance/polygon_distance.inl.
#ifndef GZ_PLANAR_KERNELS_H
#define GZ_PLANAR_KERNELS_H

#include "base/processor.h"
#include "graze/planar_approach.h"
#include "graze/planar_distance.h"

/// Loops take their pairs in steps of so many.
#define GZ_PAIR_STEP 4

/// Rows of a rectangle, the kind with the most of those that are not polygons.
#define GZ_SIMPLE_ROWS 7

/// Loops of approach take their pairs in tiles of so many at most.
#define GZ_PAIR_TILE 64

/// Pairs of shapes for one loop; what concerns the approach is not read by loops of distance.
typedef struct gz_pair_block {
    const double *a[GRAZE_PLANAR_ROW_MAX], *b[GRAZE_PLANAR_ROW_MAX]; ///< rows
    int32_t vertices_a, vertices_b;                                  ///< of polygons
    size_t count;                                                    ///< a multiple of the step
    double *distances;

    double *times;
    bool one[2];           ///< the rows of A or B hold one shape, a tile of copies of it
    const double *vx, *vy; ///< of B relative to A,
    double sign;           ///< times this: -1 where A and B were exchanged
    double horizon;
} gz_pair_block;

typedef void gz_pair_loop(gz_pair_block *block);

/// A loop over all pairs of two arrays, of which either may hold one shape.
typedef struct gz_pair_job {
    const graze_planar_array *a, *b;
    gz_pair_loop *loop;
    bool as_polygons; ///< rows are rewritten as those of polygons first
    bool exchanged;   ///< the velocities are those of A relative to B
    size_t count;
    double *distances, *times;
    const double *vx, *vy;
    double horizon;
} gz_pair_job;

/// Runs it, in blocks; shapes that loops cannot read in place are copied.
void gz_pairs_run(const gz_pair_job *job);

/// Signed distance, normal, witnesses and features of two convex polygons in range, their radii
/// left out. Error and method: polygon_distance.inl.
typedef void gz_polygon_pair(const graze_planar_shape *a, const graze_planar_shape *b,
                             graze_planar_result *out);

typedef struct gz_planar_kernels {
    /// By A's and B's kind; NULL where the kinds are to be exchanged or handled as polygons.
    gz_pair_loop *distance[4][4];
    /// By A's and B's kind, circles to rectangles; NULL where A's is the larger.
    gz_pair_loop *approach[3][3];
    gz_polygon_pair *polygon;
} gz_planar_kernels;

extern const gz_planar_kernels gz_planar_kernels_base, gz_planar_kernels_scalar,
    gz_planar_kernels_avx2; ///< the last only with GRAZE_HAVE_AVX2

/// The kernels for an instruction set; all give the same bits.
const gz_planar_kernels *gz_planar_kernels_for(gz_isa isa);

/// The same by the kernels for this process.
gz_polygon_pair gz_polygon_distance;

/// graze_planar_distance() of shapes in range; the environment is set.
void gz_planar_distance_in_range(const graze_planar_shape *a, const graze_planar_shape *b,
                                 graze_planar_result *out);

/// graze_planar_approach() for every pair; arguments are not NULL, the environment is set.
graze_status gz_planar_approach_of_any(const graze_planar_shape *a, graze_vec2 velocity_a,
                                       const graze_planar_shape *b, graze_vec2 velocity_b,
                                       double horizon, graze_planar_approach_result *result);

/// Whether both arrays are well formed, with as many shapes as the other, or one; that number.
bool gz_planar_arrays_ok(const graze_planar_array *a, const graze_planar_array *b, size_t *count);

/// The signed distance of one pair of polygons of a block, radii included, for the pairs that the
/// loops cannot decide. The same code for all instruction sets.
double gz_distance_of_polygons(const gz_pair_block *block, size_t pair);

#endif
