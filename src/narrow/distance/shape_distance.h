/// The distance of two posed shapes that do not overlap, with certified bounds.
#ifndef GZ_NARROW_DISTANCE_SHAPE_DISTANCE_H
#define GZ_NARROW_DISTANCE_SHAPE_DISTANCE_H

#include <stddef.h>
#include <string.h>

#include "narrow/distance/tree_distance.h"
#include "narrow/shape_pair.h"
#include "narrow/triangle/triangle.h"

/// Bounds of two curved shapes, or of one and a triangle, may be that far apart, metres; and
/// GZ_CURVED_TOLERANCE of what they span beyond 400 m.
#define GZ_NEAREST_WIDTH (2 * GZ_DISTANCE_WIDTH)

/// Pairs of triangles that are about as near as the nearest one, by where they are.
#define GZ_NEAREST_TIES 12

/// What has been found of the distance of a pair of shapes, or of many that share it.
///
/// `upper` is the least upper bound of all pairs of triangles (or curved shapes) but for
/// GZ_NEAREST_CELL: what is left out is farther. Each pair's bounds depend on its own places alone,
/// so what is found does not depend on the order in which they are visited.
typedef struct gz_nearest {
    double upper;    ///< [in,out] nothing farther is wanted
    double most;     ///< [in] nothing farther counts at all
    bool any;        ///< [in,out] `upper` is of a pair
    bool first;      ///< [in] at an equal distance this pair of shapes comes before what was found
    bool aimed;      ///< [in] what was found, and `normal`, are of this pair of shapes
    bool trees_only; ///< [in] of meshes, convex hulls are known to say too little
    bool found;      ///< [out] `upper` and what follows are of this pair of shapes
    double lower; ///< [in,out] least lower bound of what was found to be farther than that from its
                  ///< own upper bound: INFINITY but for large curved shapes
    double unseen;        ///< [in,out] lower bound of what was not looked at, as work was spent
    int64_t triangle[2];  ///< -1 of a curved shape
    double point[2][3];   ///< on a and b, world frame
    double normal[3];     ///< unit, from a to b; 0: unknown
    double shrink, slack; ///< [in] once something is found, what is farther than upper * shrink -
                          ///< slack is not wanted; 1, 0
    double tie;           ///< [in] what is at most so much farther counts as as near; 0: no ties
    int tie_count;        ///< [in,out]
    double untold;        ///< [in,out] of those whose points are not known, the nearest
    double skipped; ///< [in,out] lower bound of those that did not fit, or were not evaluated,
                    ///< as the nearest points were known not to be unique
    struct {
        double upper, point[2][3];
        bool flat; ///< the nearest points of the two are not unique, or nearly not
    } ties[GZ_NEAREST_TIES];
} gz_nearest;

/// Nothing is known yet. Ties are left as they are: there are none.
static inline void gz_nearest_start(gz_nearest *out, double upper) {
    memset(out, 0, offsetof(gz_nearest, ties));
    out->upper = out->most = upper;
    out->lower = out->unseen = out->untold = out->skipped = INFINITY;
    out->shrink = 1;
    out->triangle[0] = out->triangle[1] = -1;
}

/// How far points may be apart that count as one, metres.
#define GZ_NEAREST_SAME 1e-9

/// Whether two pairs of points differ by more, in a coordinate.
bool gz_nearest_differs(const double a[2][3], const double b[2][3], double more);

/// Whether those that count as as near show that the nearest points are not unique, whichever of
/// them is the nearest: one is flat, or two are of points farther apart than twice GZ_NEAREST_SAME.
bool gz_nearest_has_rivals(const gz_nearest *nearest);

/// Upper bounds within one cell of a grid count as equal, and the first pair in the order of links,
/// elements and triangles is taken: so not all pairs of two flat and parallel surfaces are
/// evaluated. With GZ_DISTANCE_WIDTH, by which the bounds of a pair may differ, this is less than
/// GZ_NEAREST_WIDTH. The shift keeps multiples of powers of two off the cells' borders.
#define GZ_NEAREST_CELL 0x1p-34
static inline double gz_nearest_cell(double upper) {
    return floor(upper * (1 / GZ_NEAREST_CELL) + 0.382);
}

/// How far a bound may be from being wanted: above it nothing is looked at. As long as nothing is
/// found, that is all up to `upper`.
static inline double gz_nearest_limit(const gz_nearest *n) {
    const double wanted = n->any ? n->upper * n->shrink - n->slack : n->upper;
    return wanted + n->tie + GZ_NEAREST_CELL;
}

/// Whether a bound takes the place of what was found; `first`: at an equal one.
static inline bool gz_nearest_is_better(const gz_nearest *n, double upper, bool first) {
    if (!n->any || upper > n->most) return upper <= n->most;
    double cell = gz_nearest_cell(upper), best = gz_nearest_cell(n->upper);
    return cell < best || (cell == best && first);
}

/// A shape in its place.
typedef struct gz_placed {
    const gz_shape *shape;
    const double *pose; ///< 12 numbers, rigid up to 1e-9
} gz_placed;

/// Looks for what is nearer than `nearest` knows. Allocates nothing. Cost: logarithmic in the
/// triangles, and some 0.2 us for each pair of triangles that is nearly the nearest.
void gz_shapes_nearest(const gz_placed *a, const gz_placed *b, const gz_distance_kernels *kernels,
                       gz_nearest *nearest, uint64_t *left, graze_stats *stats);

/// A search of two shapes, at least one of them a mesh, that goes on step by step.
typedef struct gz_shape_search gz_shape_search;
struct gz_shape_search {
    gz_placed a, b;
    gz_nearest *nearest;
    /// Called before something is compared with what is nearest, to set its flags, and where it has
    /// become the nearest; NULL: not.
    void (*begin)(gz_shape_search *search);
    void (*took)(gz_shape_search *search);
    void *user;
    gz_curved solid;
    bool solid_first;
    int64_t snapped;      ///< the triangle of a whose corners follow, or -1
    double corners[3][3]; ///< snapped: candidates of one triangle of a come in turn
    gz_tree_search search;
};

/// No candidates, of searches for what is nearer than `nearest` knows.
void gz_candidates_start(gz_near_candidates *candidates, const gz_nearest *nearest);

/// Begins a search whose shapes, `nearest` and calls are set.
void gz_shape_search_start(gz_shape_search *search, gz_near_candidates *candidates, uint64_t *left);

/// Evaluates one pair of triangles, -1 of a curved shape; what it was nearest at before, say.
void gz_shapes_evaluate(const gz_placed *a, const gz_placed *b, int64_t triangle_a,
                        int64_t triangle_b, gz_nearest *nearest);

/// The kernels for this processor.
const gz_distance_kernels *gz_distance_kernels_choose(void);

#endif
