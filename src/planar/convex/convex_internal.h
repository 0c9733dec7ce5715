/// Convex polygons with any number of vertices: exact signs, and three tests of whether two meet.
#ifndef GZ_PLANAR_CONVEX_CONVEX_INTERNAL_H
#define GZ_PLANAR_CONVEX_CONVEX_INTERNAL_H

#include "graze/planar_scene.h"
#include "math/predicate.h"
#include "planar/shapes/shape_internal.h"

/// Range of magnitudes of coordinates (and 0): narrower than what the predicates need, and the same
/// as that of the other shapes of the plane.
#define GZ_PLANAR_MIN 0x1p-100
#define GZ_PLANAR_MAX 0x1p100

/// The sign of the turn p, q, r: 1 left, -1 right, 0 straight. Exact.
static inline int gz_turn(graze_vec2 p, graze_vec2 q, graze_vec2 r) {
    const double a[2] = {p.x, p.y}, b[2] = {q.x, q.y}, c[2] = {r.x, r.y};
    return gz_orient2d(a, b, c);
}

/// The sign of (p1 - p0) x (q1 - q0): whether the second direction is to the left of the first (1),
/// to its right (-1), or along it or against it (0). Exact.
int gz_direction_turn(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1);

static inline bool gz_coordinate_good(double x) {
    double magnitude = fabs(x);
    return magnitude == 0 || (magnitude >= GZ_PLANAR_MIN && magnitude <= GZ_PLANAR_MAX);
}

/// Whether closed boxes have a point in common.
static inline bool gz_planar_boxes_meet(const graze_planar_bounds *a,
                                        const graze_planar_bounds *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y;
}

/// The vertex behind i.
static inline int32_t gz_convex_next(const graze_planar_convex *p, int32_t i) {
    return i + 1 < p->count ? i + 1 : 0;
}

/// The number of edges: that of the vertices, there and back for a segment, none for a point.
static inline int32_t gz_convex_edges(const graze_planar_convex *p) {
    return p->count > 1 ? p->count : 0;
}

/// Whether a point lies in the closed polygon.
bool gz_convex_holds(const graze_planar_convex *polygon, graze_vec2 point);

bool gz_convex_meet_edges(const graze_planar_convex *a, const graze_planar_convex *b);
bool gz_convex_meet_axes(const graze_planar_convex *a, const graze_planar_convex *b);
bool gz_convex_meet_minkowski(const graze_planar_convex *a, const graze_planar_convex *b);

/// A walk around the border of the Minkowski difference A - B of two convex polygons: its edges are
/// those of A and those of B taken backwards, in the order of their angles.

typedef struct gz_border {
    const graze_planar_convex *a, *b;
    int32_t i, j;           ///< the corner a_i - b_j that the next edge starts from
    int32_t a_left, b_left; ///< edges still to come
} gz_border;

/// At the lowest corner of the difference (leftmost of equals), where angles begin at 0.
static inline gz_border gz_border_start(const graze_planar_convex *a,
                                        const graze_planar_convex *b) {
    return (gz_border){a, b, a->lowest, b->highest, gz_convex_edges(a), gz_convex_edges(b)};
}

/// Whether a direction has an angle in [pi, 2 pi): the second half of the way around.
static inline bool gz_second_half(graze_vec2 from, graze_vec2 to) {
    return to.y < from.y || (to.y == from.y && to.x < from.x);
}

/// Which edge comes next, while there is one: -1 that of A, 1 that of B, 0 both, being parallel.
/// Exact.
static inline int gz_border_order(const gz_border *w) {
    if (w->a_left == 0) return 1;
    if (w->b_left == 0) return -1;
    graze_vec2 a0 = w->a->vertices[w->i], a1 = w->a->vertices[gz_convex_next(w->a, w->i)];
    graze_vec2 b0 = w->b->vertices[w->j], b1 = w->b->vertices[gz_convex_next(w->b, w->j)];
    bool a_half = gz_second_half(a0, a1), b_half = gz_second_half(b1, b0);
    if (a_half != b_half) return a_half ? 1 : -1;
    return -gz_direction_turn(a0, a1, b1, b0);
}

static inline void gz_border_step(gz_border *w, int order) {
    if (order <= 0) {
        w->i = gz_convex_next(w->a, w->i);
        w->a_left--;
    }
    if (order >= 0) {
        w->j = gz_convex_next(w->b, w->j);
        w->b_left--;
    }
}

/// Simple polygons split into convex parts, step by step: loops checked, holes bridged, ears cut,
/// triangles merged.

/// Most vertices of all loops.
#define GZ_DECOMPOSITION_VERTEX_MAX 65536

#define GZ_NONE UINT32_MAX

/// The loops as given, turned so that the inside is to the left: outer counter-clockwise, holes
/// clockwise.
typedef struct gz_loops {
    graze_vec2 *points; ///< all vertices, loop after loop; owned
    uint32_t *number;   ///< of each vertex as the caller counts; owned
    uint32_t *first;    ///< of each loop, and the end; owned
    uint32_t count;     ///< loops
    uint32_t size;      ///< vertices
} gz_loops;

/// A corner of the ring that ears are cut from; points repeat where bridges begin and end.
typedef struct gz_corner {
    graze_vec2 point;
    uint32_t previous, next;
    uint32_t side;     ///< what lies beyond the edge to `next`: a half-edge, a bridge, or nothing
    uint32_t waiting;  ///< first of the corners that this one keeps from being ears
    uint32_t waits_at; ///< the corner that keeps this one; its neighbours in that list:
    uint32_t queued_before, queued_after;
    bool reflex; ///< or on a line
    bool kept;   ///< in the list of reflex corners, perhaps no longer so
    bool gone, listed;
} gz_corner;

/// Marks gz_corner.side as the number of a bridge.
#define GZ_BRIDGE UINT32_C(0x80000000)

/// An edge of a triangle, the triangle to its left.
typedef struct gz_half_edge {
    graze_vec2 origin;
    uint32_t next, previous;
    uint32_t twin; ///< the other side's, or GZ_NONE
    bool done;     ///< taken out, or its part given away
} gz_half_edge;

typedef struct gz_ring {
    gz_corner *corners; ///< owned; room for vertices + 2 per hole
    uint32_t count;
    uint32_t *bridge_sides; ///< owned: per bridge the first half-edge along it
    gz_half_edge *edges;    ///< owned; room for three per corner
    uint32_t edge_count;
} gz_ring;

/// Whether no two edges meet but neighbours in their common vertex, holes lie inside and apart.
graze_status gz_loops_check(const gz_loops *loops, graze_error *error);
/// Whether a vertex lies inside a loop, by crossings of a ray; not for vertices on it.
bool gz_loop_holds(const gz_loops *loops, uint32_t loop, graze_vec2 p);
/// Whether two closed segments share a point.
bool gz_segments_meet(graze_vec2 a, graze_vec2 b, graze_vec2 c, graze_vec2 d);

/// Makes one ring of all loops.
graze_status gz_ring_join(gz_ring *ring, const gz_loops *loops, graze_error *error);
/// Cuts the ring into triangles.
graze_status gz_ring_cut(gz_ring *ring, graze_error *error);
/// Takes out the diagonals that no corner needs.
void gz_ring_merge(gz_ring *ring);

#endif
