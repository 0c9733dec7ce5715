/// Shared by the traversals of a cloud of points: the query in float, and the exact tests in
/// double.
#ifndef GZ_NARROW_POINTS_POINT_PAIR_INTERNAL_H
#define GZ_NARROW_POINTS_POINT_PAIR_INTERNAL_H

#include "narrow/curved/curved.h"
#include "narrow/points/point_pair.h"

/// The half extents of a box of points, summed, up to which it matters little which of them is near
/// a box: in radii.
#define GZ_POINT_SMALL 0.5

/// An oriented box as the traversal sees it, in the points' frame.
typedef struct gz_point_box {
    const gz_point_tree *tree;
    gz_box seen;                      ///< around it, grown by radius and threshold
    float pad;                        ///< what that may be off
    float axis[3][3], abs_axis[3][3]; ///< its own axes
    float half[3];                    ///< along them, grown by all that
    float small;                      ///< boxes of points with half extents up to this are as one
    /// Asked of points that may be near; NULL where one that may be is enough.
    bool (*accepts)(const void *user, uint32_t point);
    const void *user;
    uint32_t limit; ///< points from here on do not count any more
} gz_point_box;

typedef struct gz_point_pair {
    const gz_point_query *query;
    graze_stats *stats;
    uint32_t limit; ///< points from here on do not count any more
    bool done;      ///< the traversal may end
    bool hit;

    /// The shape keeps what is farther from a point than this apart from its ball: radius, margin
    /// and all that floats may be off; of a curved shape its own radius, too.
    float threshold;

    // A mesh: everything is seen from its frame.
    const graze_mesh *mesh;     ///< NULL for curved shapes
    float r[3][3], abs_r[3][3]; ///< rotation from the points' frame
    float t[3];
    bool solid, cap; ///< what is inside collides; and what only caps close in
    gz_box inside;   ///< contains all that can be inside, but for `pad`
    float pad;
    gz_point_box around; ///< what is around the mesh, in the points' frame

    // A curved solid: everything is seen from the points' frame.
    gz_curved curved;
    float axis[3], along[3]; ///< an end of its axis, and the way to the other
    float inverse;           ///< 1 / |along|^2, or 0
    gz_box axis_box;
} gz_point_pair;

/// The ball of one point.
void gz_point_ball_make(const gz_point_pair *pair, uint32_t point, gz_curved *out);
/// Whether the ball's box overlaps that of the query.
bool gz_point_ball_counts(const gz_point_pair *pair, const gz_curved *ball);
/// Whether the ball collides with a triangle of the mesh.
bool gz_point_ball_overlaps(gz_point_pair *pair, const gz_curved *ball, uint32_t triangle);
/// Whether it collides with the curved solid.
bool gz_point_ball_collides(gz_point_pair *pair, const gz_curved *ball);
/// Whether a ball that overlaps no triangle lies inside the mesh.
bool gz_point_ball_is_inside(gz_point_pair *pair, const gz_curved *ball);
/// Notes that a point collides.
void gz_point_pair_record(gz_point_pair *pair, uint32_t point);

/// The traversals, per instruction set.
typedef struct gz_point_kernels {
    void (*traverse)(gz_point_pair *pair); ///< of a mesh, or of a curved solid
    bool (*box)(const gz_point_box *box, graze_stats *stats);
    void (*lowest)(gz_point_box *box, graze_stats *stats); ///< leaves it in `limit`
} gz_point_kernels;
extern const gz_point_kernels gz_point_kernels_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_point_kernels gz_point_kernels_avx2;
#endif

#endif
