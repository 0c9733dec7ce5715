/// Convex polygons with any number of vertices: exact signs, overlap, the boundary of
/// Minkowski differences, and the decomposition of simple polygons.
#ifndef GZ_PLANAR_CONVEX_CONVEX_INTERNAL_H
#define GZ_PLANAR_CONVEX_CONVEX_INTERNAL_H

#include "graze/planar_cspace.h"
#include "planar/shapes/shape_internal.h"

/// A convex polygon of any number of vertices: counter-clockwise, every three neighbours turning
/// strictly left, once around; or a segment, or a point.
typedef struct gz_convex {
    const graze_vec2 *vertices; ///< count of them; not owned
    int32_t count;
    int32_t lowest, highest; ///< vertices of least y (then x), and of greatest y (then x)
    graze_planar_bounds bounds;
} gz_convex;

/// Fails unless the vertices, which must live as long as *out, are such a polygon. Exact.
graze_status gz_convex_make(gz_convex *out, const graze_vec2 *vertices, int32_t count,
                            graze_error *error);

/// Of vertices that are known to be such a polygon.
gz_convex gz_convex_of(const graze_vec2 *vertices, int32_t count);

/// Whether two polygons have a point in common, exactly; true for NULL.
bool gz_convex_overlap(const gz_convex *a, const gz_convex *b);

/// A polygon of a scene; NULL where there is none.
const gz_convex *gz_scene_polygon(const graze_planar_scene *scene, size_t index);

/// The corners of obstacle + (-part); room for the vertices of both. Returns their number.
size_t gz_cspace_obstacle(const gz_convex *obstacle, const gz_convex *part,
                          graze_planar_cspace_vertex *vertices);

/// Whether the part, translated by `at`, meets the obstacle: exactly, without rounding the
/// translated vertices. True for what cannot be judged (NULL, NaN).
bool gz_cspace_blocked(const gz_convex *obstacle, const gz_convex *part, graze_vec2 at);

/// The sign of (e1 - e0) x (p + t - r). Exact.
int gz_moved_turn(graze_vec2 e0, graze_vec2 e1, graze_vec2 p, graze_vec2 t, graze_vec2 r);

/// The sign of (p1 - p0) x (q1 - q0): whether the second direction is to the left of the first (1),
/// to its right (-1), or along it or against it (0). Exact.
static inline int gz_direction_turn(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1) {
    return gz_moved_turn(p0, p1, q1, (graze_vec2){0, 0}, q0);
}

/// Whether coordinates are 0 or of a magnitude for exact signs: as gz_planar_snap() leaves them.
static inline bool gz_planar_exact_ok(graze_vec2 p) {
    return gz_planar_point_ok(p) && gz_planar_same(p, gz_planar_snap(p));
}

/// What a sweep along x visits, by where its box begins.
typedef struct gz_planar_span {
    double low, high;
    size_t index;
} gz_planar_span;

/// Sorts by `low`, then by index.
void gz_planar_spans_sort(gz_planar_span *spans, size_t count);

/// The number of edges: that of the vertices, there and back for a segment, none for a point.
static inline int32_t gz_convex_edges(const gz_convex *p) {
    return p->count > 1 ? p->count : 0;
}

/// An iterator over the boundary of the Minkowski difference A - B of two convex polygons: its
/// edges are those of A and those of B reversed, in the order of their angles.
typedef struct gz_boundary {
    const gz_convex *a, *b;
    int32_t i, j;           ///< the corner a_i - b_j that the next edge starts from
    int32_t a_left, b_left; ///< edges still to come
} gz_boundary;

/// Starts at the lowest corner of the difference (leftmost of equals), where angles begin at 0.
static inline gz_boundary gz_boundary_start(const gz_convex *a, const gz_convex *b) {
    return (gz_boundary){a, b, a->lowest, b->highest, gz_convex_edges(a), gz_convex_edges(b)};
}

/// Which edge comes next, if any: -1 that of A, 1 that of B, 0 both, being parallel. Exact.
static inline int gz_boundary_order(const gz_boundary *w) {
    if (w->a_left == 0) return 1;
    if (w->b_left == 0) return -1;
    graze_vec2 a0 = w->a->vertices[w->i], a1 = w->a->vertices[gz_planar_next(w->i, w->a->count)];
    graze_vec2 b0 = w->b->vertices[w->j], b1 = w->b->vertices[gz_planar_next(w->j, w->b->count)];
    // Angles in [pi, 2 pi) are the second half of the way around.
    bool a_half = gz_planar_lower(a1, a0), b_half = gz_planar_lower(b0, b1);
    if (a_half != b_half) return a_half ? 1 : -1;
    return -gz_direction_turn(a0, a1, b1, b0);
}

static inline void gz_boundary_step(gz_boundary *w, int order) {
    if (order <= 0) {
        w->i = gz_planar_next(w->i, w->a->count);
        w->a_left--;
    }
    if (order >= 0) {
        w->j = gz_planar_next(w->j, w->b->count);
        w->b_left--;
    }
}

// ------------------------------------------------------------------------------- decomposition

/// Most vertices of all loops.
#define GZ_DECOMPOSITION_VERTEX_MAX 65536

#define GZ_NONE UINT32_MAX

/// A corner of the rings that parts are cut from; at first one ring a loop, the inside to the left:
/// outer counter-clockwise, holes clockwise. Points repeat at the ends of diagonals.
typedef struct gz_corner {
    graze_vec2 point;
    uint32_t number; ///< as the caller counts vertices
    uint32_t previous, next;
    bool reflex; ///< or on a line
    bool kept;   ///< in the list of reflex corners, which may be out of date
    bool cut, listed;
    bool hole; ///< of a ring that is not joined yet with that of the outline
} gz_corner;

typedef struct gz_rings {
    gz_corner *corners; ///< owned; room for `most`
    uint32_t count, most;
} gz_rings;

/// Whether two closed segments, which may be points, intersect. Exact.
bool gz_segments_intersect(graze_vec2 a, graze_vec2 b, graze_vec2 c, graze_vec2 d);

static inline void gz_corners_link(gz_rings *rings, uint32_t from, uint32_t to) {
    rings->corners[from].next = to;
    rings->corners[to].previous = from;
}

/// Cuts the rings into convex parts; room for one a triangle: corners and two a hole.
graze_status gz_rings_cut(gz_rings *rings, graze_planar_parts *parts, double radius,
                          graze_error *error);

#endif
