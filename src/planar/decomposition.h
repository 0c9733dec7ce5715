/// Simple polygons split into convex parts, step by step: loops checked, holes bridged, ears cut,
/// triangles merged.
#ifndef GZ_PLANAR_DECOMPOSITION_H
#define GZ_PLANAR_DECOMPOSITION_H

#include "planar/shapes/shape_internal.h"

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
