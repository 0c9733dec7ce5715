/// A walk around the border of the Minkowski difference A - B of two convex polygons: its edges are
/// those of A and those of B taken backwards, in the order of their angles.
#ifndef GZ_PLANAR_BORDER_H
#define GZ_PLANAR_BORDER_H

#include "planar/convex/convex_internal.h"

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

#endif
