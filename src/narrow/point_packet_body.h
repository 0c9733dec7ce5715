// A point against the triangles of a packet: a part of point_pair_body.h, and file-local as that
// is.

#include "narrow/points/point_lanes.inl"

/// How far the origin is from the extent of three places along an axis; within it, below zero.
static inline gz_f8 gap_of(gz_f8 s0, gz_f8 s1, gz_f8 s2) {
    gz_f8 low = gz_f8_min(s0, gz_f8_min(s1, s2)), high = gz_f8_max(s0, gz_f8_max(s1, s2));
    return gz_f8_max(low, gz_f8_sub(gz_f8_all(0), high));
}

/// How far a direction shows a triangle to be from the origin, and the square of its own length.
typedef struct shadow {
    gz_f8 square, length;
} shadow;

/// All corners are that far along the direction. Any may be asked. With u = 2^-24 and |a| the
/// largest corner, a computed product is off by 3.1 u |n| |a|, which 2^-20 |a| in the reach covers
/// with the rounding of the corners, u |a| in each coordinate; squares and products by 8 u, which
/// ROUND_UP covers; and 1e-30 what underflows, at most 4e-45 times the square of a reach.
static inline shadow cast(lanes3 n, const lanes3 a[3]) {
    gz_f8 gap = gap_of(dot_lanes(n, a[0]), dot_lanes(n, a[1]), dot_lanes(n, a[2]));
    gap = gz_f8_max(gap, gz_f8_all(0));
    return (shadow){gz_f8_mul(gap, gap), dot_lanes(n, n)};
}

/// Lanes in which that is farther than a reach.
static inline gz_f8 beyond(const shadow *s, gz_f8 reach_square) {
    gz_f8 limit = gz_f8_add(gz_f8_mul(s->length, reach_square), gz_f8_all(1e-30f));
    return gz_f8_greater(s->square, limit);
}

/// The square of a reach, as beyond() wants it, for triangles of this size.
static inline gz_f8 reach_square(float reach, gz_f8 size) {
    gz_f8 far = gz_f8_add(gz_f8_all(reach), gz_f8_mul(size, gz_f8_all(0x1p-20f)));
    return gz_f8_mul(gz_f8_mul(far, far), gz_f8_all(ROUND_UP));
}

/// Lanes of a packet whose triangles may be within reach of a point. What separates a point from a
/// triangle best is the way to its nearest place: along the normal of the face, across an edge, or
/// to a corner. All seven are asked, so only what is near in truth passes, but for rounding. Where
/// `close` is wanted, it gets the lanes of them that may be within the inner reach, too.
static unsigned triangles_near(const gz_packet *packet, const float at[3], float reach, float inner,
                               unsigned *close) {
    lanes3 a[3], point = spread_point(at);
    gz_f8 square = gz_f8_all(0), size = gz_f8_all(0);
    for (int c = 0; c < 3; c++) {
        a[c] = sub_lanes(load_lanes3(packet->vertex[c]), point);
        gz_f8 sum = gz_f8_add(gz_f8_abs(a[c].x), gz_f8_abs(a[c].y));
        size = gz_f8_max(size, gz_f8_add(sum, gz_f8_abs(a[c].z)));
    }
    // The boxes around the triangles.
    square = add_gap(square, gap_of(a[0].x, a[1].x, a[2].x));
    square = add_gap(square, gap_of(a[0].y, a[1].y, a[2].y));
    square = add_gap(square, gap_of(a[0].z, a[1].z, a[2].z));
    unsigned lanes = at_most(square, reach) & ((1u << packet->count) - 1);
    if (!lanes) return 0;
    gz_f8 limit = reach_square(reach, size), inner_limit = reach_square(inner, size);
    // The face.
    lanes3 edge[3] = {sub_lanes(a[1], a[0]), sub_lanes(a[2], a[1]), sub_lanes(a[0], a[2])};
    shadow face = cast(cross_lanes(edge[0], edge[1]), a);
    gz_f8 apart = beyond(&face, limit), inner_apart = beyond(&face, inner_limit);
    if (!(lanes & ~gz_f8_mask(apart))) return 0;
    for (int i = 0; i < 3; i++) {
        // The edge: what is left of the way to its corner without the part along it.
        gz_f8 ee = dot_lanes(edge[i], edge[i]), ea = dot_lanes(edge[i], a[i]);
        lanes3 across = sub_lanes(scale_lanes(a[i], ee), scale_lanes(edge[i], ea));
        // And the corner.
        shadow side = cast(across, a), corner = cast(a[i], a);
        apart = gz_f8_or(apart, gz_f8_or(beyond(&side, limit), beyond(&corner, limit)));
        if (!close) continue;
        inner_apart = gz_f8_or(inner_apart, beyond(&side, inner_limit));
        inner_apart = gz_f8_or(inner_apart, beyond(&corner, inner_limit));
    }
    lanes &= ~gz_f8_mask(apart);
    if (close) *close = lanes & ~gz_f8_mask(inner_apart);
    return lanes;
}
