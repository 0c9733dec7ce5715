// Two convex polygons by their Minkowski difference: they meet where it holds the origin.
//
// The difference A - B has the vertices a_i - b_j, which are no doubles, but they are not needed.
// Along an edge of A the border runs from a_i - b_j to a_{i+1} - b_j, and the origin is to its left
// where a_i, a_{i+1}, b_j turn left; along an edge of B, taken backwards, from a_i - b_j to
// a_i - b_{j+1}, and the origin is to its left where b_j, b_{j+1}, a_i turn left:
//   -(b_{j+1} - b_j) x (0 - (a_i - b_j)) = (b_{j+1} - b_j) x (a_i - b_j).
// So the whole test is exact turns of given points. The order of the edges is that of their angles,
// compared exactly too.

#include "planar/convex/convex_internal.h"

bool gz_convex_meet_minkowski(const graze_planar_convex *a, const graze_planar_convex *b) {
    gz_border w = gz_border_start(a, b);
    bool has_inside = false;
    while (w.a_left + w.b_left > 0) {
        int order = gz_border_order(&w);
        graze_vec2 a0 = a->vertices[w.i], b0 = b->vertices[w.j];
        // Parallel edges are one edge of the difference, and either gives its line.
        int side = order <= 0 ? gz_turn(a0, a->vertices[gz_convex_next(a, w.i)], b0)
                              : gz_turn(b0, b->vertices[gz_convex_next(b, w.j)], a0);
        if (side < 0) return false;
        has_inside |= side > 0;
        gz_border_step(&w, order);
    }
    // On the lines of all edges: the difference is a point or a segment, and everything on one
    // line, where boxes decide.
    return has_inside || gz_planar_boxes_meet(&a->bounds, &b->bounds);
}
