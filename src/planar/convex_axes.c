// Two convex polygons by bounding boxes, then by separating axes.
//
// Polygons that are apart are separated by the line of an edge of one of them: their Minkowski
// difference does not hold the origin, so that the origin lies beyond one of its edges, and each of
// those is parallel to an edge of a polygon. "All vertices of B strictly to the right of an edge of
// A" is a matter of exact turns. Where the difference has no area (points, segments that are
// parallel or on one line) the edges' lines may all hold the origin; then everything is on one
// line, where the boxes have said all.

#include "planar/convex/convex_internal.h"

/// Whether an edge of a has all of b strictly on its right. `hint` is the vertex of b that stood
/// against the last edge: it often does so again, being the nearest.
static bool edge_separates(const graze_planar_convex *a, const graze_planar_convex *b) {
    int32_t edges = gz_convex_edges(a), hint = 0;
    for (int32_t i = 0; i < edges; i++) {
        graze_vec2 p = a->vertices[i], q = a->vertices[gz_convex_next(a, i)];
        int32_t j = hint, seen = 0;
        while (seen < b->count && gz_turn(p, q, b->vertices[j]) < 0) {
            j = gz_convex_next(b, j);
            seen++;
        }
        if (seen == b->count) return true;
        hint = j;
    }
    return false;
}

bool gz_convex_meet_axes(const graze_planar_convex *a, const graze_planar_convex *b) {
    return gz_planar_boxes_meet(&a->bounds, &b->bounds) && !edge_separates(a, b) &&
           !edge_separates(b, a);
}
