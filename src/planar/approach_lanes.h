// Where a moving point meets the difference of two shapes, in lanes: circles, capsules and
// rectangles (docs/planar.md). The difference is a sum of up to four segments about the origin,
// grown by r; the point runs from P along v. In axes along v (u) and to its left (w), both times
// |v|, an edge g of half length h reaches h g_w to either side of its middle m, and is what the
// point meets where
//
//     G = w - (m + r n_w),   w = v x P,
//
// lies within that (n: the edge's unit normal against v). Beyond one end or the other, the contact
// lies before or after the edge along the chain. So an edge's part of the contact, from its middle,
// is G / g_w kept within [-h, h], for each edge by itself.
#ifndef GZ_PLANAR_APPROACH_LANES_H
#define GZ_PLANAR_APPROACH_LANES_H

#include "planar/distance/pair_lanes.h"

/// The place on the chain, from P: its way along v and to the left of it, both times |v|.
typedef struct meeting {
    gz_d along, left;
} meeting;

// An edge's part of the contact: g / across within [-half, half], where half * across = `reach`. Of
// an edge along the motion (across = 0) -half is the end that comes first: what is left of g is
// negative, for minus infinity, or 0, for no number, and of that and a bound gz_d_max() takes the
// bound.
ALWAYS gz_d edge_part(gz_d g, gz_d across, gz_d reach, gz_d half) {
    return gz_d_max(gz_d_div(gz_d_min(g, reach), across), gz_d_negative(half));
}

// A disk and a segment from q to q + e: the foot f = q + s e + t v of a contact with the segment's
// side has f.e = 0, |f| = r and f.v < 0, so that v x (q + s e) = v x f = r (v.e) sgn(v x e) / |e|.
ALWAYS meeting segment_meeting(lanes2 v, lanes2 q, lanes2 e, gz_d length, gz_d r) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    gz_d along = dot(v, e), left = cross(v, e), off = cross(v, q);
    gz_d side = sub(gz_d_turn(mul(r, along), left), mul(off, length));
    gz_d s = gz_d_min(gz_d_max(gz_d_div(side, mul(length, left)), zero), one);
    // Along the motion the foremost end is met first.
    gz_d_mask turned = gz_d_less(zero, gz_d_abs(left));
    s = pick(turned, s, gz_d_keep(gz_d_less(zero, along), one));
    return (meeting){gz_d_negative(add(dot(v, q), mul(s, along))), add(off, mul(s, left))};
}

/// One of two segments: its length and v in its axes, times that.
typedef struct segment {
    gz_d length, along, left;
} segment;

ALWAYS segment segment_make(lanes2 e, gz_d length, lanes2 v) {
    return (segment){length, dot(v, e), cross(v, e)};
}

// Its part of the contact, in [-1, 1] of half of it; w is twice that of the point, r twice the
// radius. Numerator and denominator are times its length, so that only the product is divided by.
// Of two segments that point to the left the one that points further back comes first and leaves
// the other its own half way to the left: `other` is the other's way, with the sign of this x
// other.
ALWAYS gz_d segment_part(const segment *s, gz_d w, gz_d other, gz_d r) {
    gz_d one = gz_d_all(1), g = sub(w, gz_d_turn(other, s->left));
    g = sub(mul(g, s->length), mul(r, gz_d_turn(s->along, s->left)));
    gz_d part = gz_d_div(g, mul(s->length, s->left));
    part = gz_d_min(gz_d_max(part, gz_d_negative(one)), one);
    gz_d_mask turned = gz_d_less(gz_d_all(0), gz_d_abs(s->left));
    return pick(turned, part, gz_d_negative(gz_d_turn(one, s->along)));
}

// Of p, twice the way between the segments' middles, and r, twice the radius: twice the way.
ALWAYS meeting segments_meeting(lanes2 v, lanes2 p, const segment *a, const segment *b, gz_d x,
                                gz_d r) {
    gz_d w = cross(v, p);
    gz_d part_a = segment_part(a, w, gz_d_turn(b->left, x), r);
    gz_d part_b = segment_part(b, w, gz_d_negative(gz_d_turn(a->left, x)), r);
    gz_d along = add(mul(part_a, a->along), mul(part_b, b->along));
    gz_d left = add(mul(part_a, a->left), mul(part_b, b->left));
    return (meeting){sub(along, dot(v, p)), sub(w, left)};
}

// A disk and a box, mirrored so that v >= 0: the point can meet the left side and the one below.
ALWAYS meeting box_meeting(lanes2 v, lanes2 p, lanes2 half, gz_d r) {
    gz_d w = cross(v, p), up = mul(v.x, half.y), right = mul(v.y, half.x);
    gz_d g_left = sub(w, add(right, mul(v.y, r)));
    gz_d g_below = gz_d_negative(add(w, add(up, mul(v.x, r))));
    gz_d y = edge_part(g_left, v.x, up, half.y);
    gz_d x = edge_part(g_below, v.y, right, half.x);
    gz_d along = add(mul(v.y, y), mul(v.x, x)), left = add(sub(w, mul(v.x, y)), mul(v.y, x));
    return (meeting){sub(along, dot(v, p)), left};
}

// Two boxes in the axes of the first (half extents a), mirrored so that v >= 0, where the second
// (b) is turned by an angle from 0 to 90 degrees. Against v stand, in this order along the chain,
// from the left: A's left side, one of B's, A's side below; B's other one, which runs along its
// first axis, ends or begins the chain, by the sign of v along B's second axis. `flat`: a.y is 0.
ALWAYS meeting boxes_meeting(lanes2 v, lanes2 p, lanes2 axis, lanes2 a, lanes2 b, gz_d r,
                             bool flat) {
    gz_d w = cross(v, p);
    gz_d forward = dot(axis, v), down = cross(v, axis); // v in B's axes, the second negated
    gz_d sideways = gz_d_abs(down);
    // Half ways across v, and from these the middles.
    gz_d up = mul(a.y, v.x), right = mul(a.x, v.y), side = mul(b.y, forward);
    gz_d last = mul(b.x, down), before = sub(right, last);
    gz_d lower = flat ? side : add(up, side);
    gz_d g_side = sub(sub(flat ? before : sub(before, up), mul(r, down)), w);
    gz_d g_below = sub(gz_d_negative(add(w, last)), add(lower, mul(r, v.x)));
    gz_d g_last = sub(gz_d_turn(w, down), add(add(lower, right), mul(r, forward)));

    gz_d x = edge_part(g_below, v.y, right, a.x);
    gz_d bx = edge_part(g_last, sideways, mul(b.x, sideways), b.x);
    // Along B's second axis, turned to go with v.
    gz_d by = edge_part(gz_d_turn(g_side, down), forward, side, b.y);
    gz_d along = add(add(mul(v.x, x), mul(forward, bx)), mul(sideways, by));
    gz_d left = gz_d_turn(sub(mul(forward, by), mul(sideways, bx)), down);
    left = add(w, add(mul(v.y, x), left));
    if (!flat) {
        gz_d y = edge_part(sub(w, add(add(side, before), mul(r, v.y))), v.x, up, a.y);
        along = add(along, mul(v.y, y));
        left = sub(left, mul(v.x, y));
    }
    return (meeting){sub(along, dot(v, p)), left};
}

#endif
