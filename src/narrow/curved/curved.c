/// Curved solids against each other. See docs/shapes.md for the bounds.

#include <math.h>
#include <string.h>

#include "narrow/curved/curved.h"
#include "narrow/curved/curved_internal.h"

void gz_curved_center(const gz_curved *s, double p[3]) {
    for (int k = 0; k < 3; k++) p[k] = 0.5 * s->a[k] + 0.5 * s->b[k];
}

static bool is_ball(const gz_curved *s) {
    return s->a[0] == s->b[0] && s->a[1] == s->b[1] && s->a[2] == s->b[2];
}

gz_convex gz_curved_convex(const gz_curved *s, const double origin[3]) {
    gz_convex out = {.count = is_ball(s) ? 1 : 2, .round = s->radius};
    gz_subtract(s->a, origin, out.p[0]);
    gz_subtract(s->b, origin, out.p[1]);
    if (s->kind == GRAZE_SHAPE_CYLINDER && out.count == 2) {
        // Scaled so that no square underflows, however short the axis is.
        double most = 0;
        gz_subtract(s->b, s->a, out.axis);
        for (int k = 0; k < 3; k++) most = fmax(most, fabs(out.axis[k]));
        for (int k = 0; k < 3; k++) out.axis[k] /= most;
        out.axis_norm = gz_norm(out.axis);
        out.disc = s->radius;
        out.round = 0;
    }
    return out;
}

void gz_curved_point(const gz_convex_witness *witness, const double origin[3], double round_a,
                     double round_b, double point[3]) {
    if (!point) return;
    double n[3];
    gz_subtract(witness->b, witness->a, n);
    double distance = gz_norm(n);
    // The middle of the gap, or of the overlap, between the two surfaces along the witnesses.
    double from_a = 0.5 * (distance + round_a - round_b);
    from_a = fmax(0, fmin(distance, from_a));
    double t = distance > 0 ? from_a / distance : 0;
    for (int k = 0; k < 3; k++) point[k] = origin[k] + (witness->a[k] + t * n[k]);
}

bool gz_curved_decide(const gz_convex *a, const gz_convex *b, double margin,
                      gz_convex_witness *witness, bool has_witness) {
    gz_convex_answer answer = GZ_CONVEX_UNDECIDED;
    if (has_witness) answer = gz_convex_by_witness(a, b, margin, witness);
    if (answer == GZ_CONVEX_UNDECIDED) answer = gz_convex_collide(a, b, margin, witness);
    return answer != GZ_CONVEX_APART;
}

// ------------------------------------------------------------------------------------- segments

// t = (p - a) . e / e^2 has an absolute error of at most 6u |p - a| / |e| (u = 2^-53: dot 4u,
// square 4u of |t|, and |t| <= |p - a| / |e|), so the computed point is within 8u |p - a| of the
// nearest one; distances to it are too large by no more.
void gz_segment_nearest(const double p[3], const double a[3], const double b[3], double out[3]) {
    double e[3], d[3];
    gz_subtract(b, a, e);
    gz_subtract(p, a, d);
    double square = gz_dot(e, e), t = gz_dot(d, e);
    if (!(t > 0)) {
        memcpy(out, a, 3 * sizeof *out);
    } else if (t >= square) {
        memcpy(out, b, 3 * sizeof *out);
    } else {
        t /= square;
        for (int k = 0; k < 3; k++) out[k] = a[k] + t * e[k];
    }
}

/// Keeps p and q if they are nearer to each other than what is there.
static void keep_nearer(gz_convex_witness *best, double *least, const double p[3],
                        const double q[3]) {
    double square = gz_square_distance(p, q);
    if (square >= *least) return;
    *least = square;
    memcpy(best->a, p, sizeof best->a);
    memcpy(best->b, q, sizeof best->b);
}

void gz_segments_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                         gz_convex_witness *out) {
    // The four ends, which also covers parallel and degenerate segments.
    const double *ends[4] = {a, b, c, d};
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        double q[3];
        gz_segment_nearest(ends[i], i < 2 ? c : a, i < 2 ? d : b, q);
        keep_nearer(out, &least, i < 2 ? ends[i] : q, i < 2 ? q : ends[i]);
    }
    // Both insides: the common normal by the cross product, which keeps its digits for directions
    // that are nearly the same.
    double e[3], f[3], w[3], n[3], g[3];
    gz_subtract(b, a, e);
    gz_subtract(d, c, f);
    gz_subtract(c, a, w);
    gz_cross(e, f, n);
    double square = gz_dot(n, n);
    gz_cross(w, f, g);
    double s = gz_dot(g, n);
    if (!(square > 0) || !(s > 0) || !(s < square)) return;
    s /= square;
    double p[3], q[3];
    for (int k = 0; k < 3; k++) p[k] = a[k] + s * e[k];
    // Projecting there and back removes what the quotient lost.
    gz_segment_nearest(p, c, d, q);
    gz_segment_nearest(q, a, b, p);
    keep_nearer(out, &least, p, q);
}

// ---------------------------------------------------------------------------------------- pairs

/// The nearest point of a cylinder to p, and the distance: exact but for GZ_CURVED_ERROR of the
/// span. With the unit axis w (off by 4u), the height of p beyond the caps is
/// max((a - p) . w, (p - b) . w) and its distance from the axis |(p - a) x w|; each is off by at
/// most 12u of the span, u = 2^-53, and so is the root of the sum of the squares of their excesses,
/// which changes by no more than their errors together.
static double cylinder_distance(const gz_convex *s, const double p[3], double nearest[3]) {
    double w[3], d[3], across[3], radial[3];
    for (int k = 0; k < 3; k++) w[k] = s->axis[k] / s->axis_norm;
    gz_subtract(p, s->p[1], d);
    double above = gz_dot(d, w);
    gz_subtract(p, s->p[0], d);
    double height = gz_dot(d, w), beyond = fmax(fmax(above, -height), 0);
    gz_cross(d, w, across);
    gz_cross(w, across, radial);
    double distance = gz_norm(across), outside = fmax(distance - s->disc, 0);
    double shrink = outside > 0 ? s->disc / distance : 1;
    for (int k = 0; k < 3; k++) {
        double foot = above > 0 ? s->p[1][k] : height < 0 ? s->p[0][k] : s->p[0][k] + height * w[k];
        nearest[k] = foot + shrink * radial[k];
    }
    return sqrt(beyond * beyond + outside * outside);
}

static bool ball_cylinder(const gz_convex *ball, const gz_convex *cylinder, double margin,
                          gz_convex_witness *witness) {
    double span = gz_convex_span(ball, cylinder);
    memcpy(witness->a, ball->p[0], sizeof witness->a);
    double distance = cylinder_distance(cylinder, ball->p[0], witness->b);
    return !(distance - ball->round - GZ_CURVED_ERROR * span > margin);
}

/// Two balls: a computed distance has a relative error below 4u, u = 2^-53, the sum of the radii
/// one below 2u.
static bool balls_collide(const gz_curved *s, const gz_curved *t, double margin, double point[3]) {
    double d[3];
    gz_subtract(t->a, s->a, d);
    double distance = gz_norm(d), limit = s->radius + t->radius + margin;
    if (distance * (1 - 0x1p-50) > limit * (1 + 0x1p-50)) return false;
    gz_convex_witness witness = {.a = {0, 0, 0}, .b = {d[0], d[1], d[2]}};
    gz_curved_point(&witness, s->a, s->radius, t->radius, point);
    return true;
}

bool gz_curved_pair_collide(const gz_curved *s, const gz_curved *t, double margin,
                            double point[3]) {
    const double s_ends[2][3] = {{s->a[0], s->a[1], s->a[2]}, {s->b[0], s->b[1], s->b[2]}};
    const double t_ends[2][3] = {{t->a[0], t->a[1], t->a[2]}, {t->b[0], t->b[1], t->b[2]}};
    if (gz_coordinates_apart(s_ends, 2, t_ends, 2, s->radius + t->radius + margin)) return false;
    if (is_ball(s) && is_ball(t)) return balls_collide(s, t, margin, point);
    // All relative to the first solid, so that errors depend on sizes and not on the place.
    const double origin[3] = {s->a[0], s->a[1], s->a[2]};
    gz_convex a = gz_curved_convex(s, origin), b = gz_curved_convex(t, origin);
    gz_convex_witness witness;
    bool collide;
    if (a.disc == 0 && b.disc == 0) {
        gz_segments_nearest(a.p[0], a.p[a.count - 1], b.p[0], b.p[b.count - 1], &witness);
        collide = gz_curved_decide(&a, &b, margin, &witness, true);
    } else if (a.count == 1) {
        collide = ball_cylinder(&a, &b, margin, &witness);
    } else if (b.count == 1) {
        gz_convex_witness swapped;
        collide = ball_cylinder(&b, &a, margin, &swapped);
        memcpy(witness.a, swapped.b, sizeof witness.a);
        memcpy(witness.b, swapped.a, sizeof witness.b);
    } else {
        collide = gz_curved_decide(&a, &b, margin, &witness, false);
    }
    if (collide) gz_curved_point(&witness, origin, a.round, b.round, point);
    return collide;
}

/// Curved solids against triangles. See docs/shapes.md for the bounds.

/// A point of the triangle nearest to p (nearly so for needles): the foot of p where it lies
/// inside, else the best of the three sides.
static void triangle_nearest(const double p[3], const double (*t)[3], double out[3]) {
    double e[3], f[3], n[3], d[3], g[3];
    gz_subtract(t[1], t[0], e);
    gz_subtract(t[2], t[0], f);
    gz_subtract(p, t[0], d);
    gz_cross(e, f, n);
    double square = gz_dot(n, n);
    if (square > 0) {
        gz_cross(d, f, g);
        double s = gz_dot(g, n);
        gz_cross(e, d, g);
        double r = gz_dot(g, n);
        if (s >= 0 && r >= 0 && s + r <= square) {
            s /= square;
            r /= square;
            for (int k = 0; k < 3; k++) out[k] = t[0][k] + (s * e[k] + r * f[k]);
            return;
        }
    }
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double q[3];
        gz_segment_nearest(p, t[i], t[(i + 1) % 3], q);
        double here = gz_square_distance(p, q);
        if (here >= least) continue;
        least = here;
        memcpy(out, q, sizeof q);
    }
}

/// Points of a segment and a triangle near to each other: the nearest but for rounding, since
/// these are at an end of the segment, on a side of the triangle, or where one pierces the other.
static void segment_triangle_nearest(const double a[3], const double b[3], const double (*t)[3],
                                     gz_convex_witness *out) {
    double least = INFINITY, q[3], e[3], f[3], n[3], da[3], db[3];
    triangle_nearest(a, t, q);
    keep_nearer(out, &least, a, q);
    triangle_nearest(b, t, q);
    keep_nearer(out, &least, b, q);
    for (int i = 0; i < 3; i++) {
        gz_convex_witness w;
        gz_segments_nearest(a, b, t[i], t[(i + 1) % 3], &w);
        keep_nearer(out, &least, w.a, w.b);
    }
    gz_subtract(t[1], t[0], e);
    gz_subtract(t[2], t[0], f);
    gz_cross(e, f, n);
    gz_subtract(a, t[0], da);
    gz_subtract(b, t[0], db);
    double ha = gz_dot(n, da), hb = gz_dot(n, db);
    if ((ha > 0 && hb < 0) || (ha < 0 && hb > 0)) {
        double s = ha / (ha - hb), p[3];
        for (int k = 0; k < 3; k++) p[k] = a[k] + s * (b[k] - a[k]);
        triangle_nearest(p, t, q);
        keep_nearer(out, &least, p, q);
    }
}

// --------------------------------------------------------------------------- cylinders, no margin

/// Up to five corners of the triangle cut by two planes.
typedef struct polygon {
    double p[8][3]; ///< the axis is z
    int count;
} polygon;

/// Cuts off what lies beyond z = limit (side 1) or z = -limit (side -1).
static void cut(polygon *polygon_in, double limit, double side) {
    polygon out = {.count = 0};
    for (int i = 0; i < polygon_in->count; i++) {
        const double *p = polygon_in->p[i], *q = polygon_in->p[(i + 1) % polygon_in->count];
        double hp = limit - side * p[2], hq = limit - side * q[2];
        // NaN stays inside, the safe side.
        const bool inside_p = !(hp < 0), inside_q = !(hq < 0);
        if (inside_p) memcpy(out.p[out.count++], p, sizeof out.p[0]);
        if (inside_p == inside_q) continue;
        double t = hp / (hp - hq);
        for (int k = 0; k < 2; k++) out.p[out.count][k] = p[k] + t * (q[k] - p[k]);
        out.p[out.count++][2] = side * limit;
    }
    *polygon_in = out;
}

/// Whether the edge from a to b crosses the half line x > 0 of y = 0, seen along the axis. Signs of
/// coordinates are exact. Where both ends have the same sign of x, it decides; where not, turn > 0
/// is the side of the origin on which a rising edge passes: turn as computed has the sign of that
/// of the edge from a to (b_x (1 + e), b_y (1 + d)) with |e|, |d| <= u, or of either side where it
/// is 0, and that end has the signs of b.
static bool crosses_half_line(const double a[3], const double b[3], double turn) {
    if ((a[1] > 0) == (b[1] > 0)) return false;
    return (a[0] > 0) == (b[0] > 0) ? a[0] > 0 : (turn > 0) == (b[1] > a[1]);
}

/// The point of the polygon nearest to the axis, seen along it. The axis passes through where the
/// outline crosses a half line from it an odd number of times, which stays true of outlines that
/// double back or of which corners coincide, as where a plane cuts off a tip that is smaller than
/// its rounding: the crossings counted are those of an outline whose corners are within 2u of the
/// polygon's (a corner may be moved one way for the edge that ends there and another for the one
/// that starts; the step between the two keeps its signs, so it crosses nothing).
static double nearest_to_axis(const polygon *p, double out[3]) {
    double least = INFINITY, area = 0;
    bool around = false;
    for (int i = 0; i < p->count; i++) {
        const double *a = p->p[i], *b = p->p[(i + 1) % p->count];
        double turn = a[0] * b[1] - a[1] * b[0];
        area += turn;
        around = around != crosses_half_line(a, b, turn);
        double e[3] = {b[0] - a[0], b[1] - a[1], 0}, square = gz_dot(e, e);
        double t = square > 0 ? -(a[0] * e[0] + a[1] * e[1]) / square : 0, q[3];
        t = fmax(0, fmin(1, t));
        for (int k = 0; k < 3; k++) q[k] = a[k] + t * (b[k] - a[k]);
        double here = q[0] * q[0] + q[1] * q[1];
        if (here >= least) continue;
        least = here;
        memcpy(out, q, sizeof q);
    }
    if (!around) return sqrt(least);
    // Where it does: in one of the triangles around the first corner, unless rounding hides it.
    for (int i = 1; i + 1 < p->count; i++) {
        const double *c[3] = {p->p[0], p->p[i], p->p[i + 1]};
        double w[3], sum = 0;
        for (int j = 0; j < 3; j++) {
            const double *a = c[(j + 1) % 3], *b = c[(j + 2) % 3];
            w[j] = (a[0] * b[1] - a[1] * b[0]) * (area > 0 ? 1 : -1);
            sum += w[j];
        }
        if (!(w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && sum > 0)) continue;
        for (int k = 0; k < 3; k++)
            out[k] = (w[0] * c[0][k] + w[1] * c[1][k] + w[2] * c[2][k]) / sum;
        break;
    }
    return 0;
}

/// Whether a cylinder, grown by `pad` in height and radius, overlaps the triangle. With u = 2^-53
/// and the span S, which holds the corners' distances from the middle, and half those from each
/// other:
/// - The frame's vectors are within 6u, 5u and 10u of orthonormal ones of which the last is the
///   axis (axis and norm 6u, of which 2u turn it; cross products 3u each), differences and dot
///   products round by 8u S: corners are off by at most 20u S, the planes by 2u S.
/// - Which corners a plane cuts off is exact for the corners as computed. Where it cuts a side, a
///   relative error of 4u of t and the rounding of p + t (q - p) displace the cut along the plane,
///   by 6u t |q - p| + u S. The second plane cuts a side whose ends have the exact heights, so t is
///   that of the first cut's errorless end; a side cut twice has 6u |q - p| in all: 14u S.
/// - The point of a side nearest to the axis is off by at most 16u S.
/// If the triangle overlaps the solid, the polygon of the corners as computed, cut exactly, is
/// therefore within 20u S of the disc, seen along the axis. Does it lie around the axis, and its
/// outline farther away than 16u S, then so does the outline whose crossings are counted (14u S and
/// 2u S off, no corner on the way passing the axis), and the distance is 0. Otherwise some side is
/// within the disc's radius and 20u S, or within 16u S, of the axis; computed, 30u S more: 50u S. A
/// pad of 64u S makes `false` a proof; and what overlaps the padded cylinder is within sqrt(2) (pad
/// + 50u S) of the real one.
static bool cylinder_overlaps(const gz_convex *s, const double (*t)[3], double pad, double at[3]) {
    double frame[3][3], middle[3];
    for (int k = 0; k < 3; k++) {
        frame[2][k] = s->axis[k] / s->axis_norm;
        middle[k] = 0.5 * (s->p[0][k] + s->p[1][k]);
    }
    // Two directions across the axis, starting from the coordinate that is least along it.
    int least = fabs(frame[2][0]) <= fabs(frame[2][1]) ? 0 : 1;
    if (fabs(frame[2][2]) < fabs(frame[2][least])) least = 2;
    double start[3] = {0, 0, 0};
    start[least] = 1;
    gz_cross(frame[2], start, frame[0]);
    double norm = gz_norm(frame[0]);
    for (int k = 0; k < 3; k++) frame[0][k] /= norm;
    gz_cross(frame[2], frame[0], frame[1]);
    double half = 0.5 * sqrt(gz_square_distance(s->p[0], s->p[1]));
    polygon p = {.count = 3};
    for (int i = 0; i < 3; i++) {
        double d[3];
        gz_subtract(t[i], middle, d);
        for (int k = 0; k < 3; k++) p.p[i][k] = gz_dot(frame[k], d);
    }
    cut(&p, half + pad, 1);
    if (p.count > 0) cut(&p, half + pad, -1);
    if (p.count == 0) return false;
    double local[3], distance = nearest_to_axis(&p, local);
    if (distance > s->disc + pad) return false;
    for (int k = 0; k < 3; k++) {
        at[k] = middle[k] + local[0] * frame[0][k] + local[1] * frame[1][k] +
                local[2] * frame[2][k];
    }
    return true;
}

// ------------------------------------------------------------------------------------- the test

bool gz_curved_triangle_collide(const gz_curved *s, const double t[3][3], double margin,
                                double point[3]) {
    const double ends[2][3] = {{s->a[0], s->a[1], s->a[2]}, {s->b[0], s->b[1], s->b[2]}};
    if (gz_coordinates_apart(ends, 2, t, 3, s->radius + margin)) return false;
    // All relative to the solid, so that errors depend on sizes and not on the place.
    const double origin[3] = {s->a[0], s->a[1], s->a[2]};
    gz_convex solid = gz_curved_convex(s, origin), triangle = {.count = 3};
    for (int i = 0; i < 3; i++) gz_subtract(t[i], origin, triangle.p[i]);
    const double(*corner)[3] = (const double(*)[3])triangle.p;
    gz_convex_witness witness;
    bool collide;
    if (solid.disc > 0 && !(margin > 0)) {
        double pad = GZ_CURVED_ERROR * gz_convex_span(&solid, &triangle);
        collide = cylinder_overlaps(&solid, corner, pad, witness.a);
        memcpy(witness.b, witness.a, sizeof witness.b);
    } else if (solid.disc > 0) {
        collide = gz_curved_decide(&solid, &triangle, margin, &witness, false);
    } else {
        if (solid.count == 1) {
            memcpy(witness.a, solid.p[0], sizeof witness.a);
            triangle_nearest(solid.p[0], corner, witness.b);
        } else {
            segment_triangle_nearest(solid.p[0], solid.p[1], corner, &witness);
        }
        collide = gz_curved_decide(&solid, &triangle, margin, &witness, true);
    }
    if (collide) gz_curved_point(&witness, origin, solid.round, 0, point);
    return collide;
}

// ----------------------------------------------------------------------------------- the distance

/// A point of a set's surface, from its core towards the other set: `t` of the way between the
/// cores.
static void surface_point(const double from[3], const double to[3], double round, double distance,
                          const double origin[3], double out[3]) {
    double t = distance > 0 ? fmin(round / distance, 1) : 0;
    for (int k = 0; k < 3; k++) out[k] = origin[k] + (from[k] + t * (to[k] - from[k]));
}

/// Bounds by witnesses on the cores, which the certified gap along them proves to be the nearest;
/// where it does not, or there are none, by the general algorithm.
static double bound_distance(const gz_convex *a, const gz_convex *b, const double origin[3],
                             gz_convex_witness *witness, bool has_witness, double point[2][3],
                             double normal[3], double *lower) {
    double n[3], span = gz_convex_span(a, b), upper = INFINITY;
    *lower = -INFINITY;
    if (has_witness) {
        gz_subtract(witness->a, witness->b, n);
        upper = gz_norm(n) - (a->round + b->round);
        *lower = gz_convex_gap(a, b, n, span);
    }
    if (!(*lower >= upper - 0.5 * gz_convex_tolerance(span)) && !(upper <= 0))
        upper = gz_convex_distance(a, b, witness, lower);
    gz_subtract(witness->b, witness->a, n);
    double distance = gz_norm(n);
    for (int k = 0; k < 3; k++) normal[k] = distance > 0 ? n[k] / distance : 0;
    surface_point(witness->a, witness->b, a->round, distance, origin, point[0]);
    surface_point(witness->b, witness->a, b->round, distance, origin, point[1]);
    *lower = fmax(*lower, 0);
    return fmax(upper, 0) + GZ_CURVED_ERROR * span;
}

double gz_curved_triangle_distance(const gz_curved *s, const double t[3][3], double point[2][3],
                                   double normal[3], double *lower) {
    const double origin[3] = {s->a[0], s->a[1], s->a[2]};
    gz_convex solid = gz_curved_convex(s, origin), triangle = {.count = 3};
    for (int i = 0; i < 3; i++) gz_subtract(t[i], origin, triangle.p[i]);
    const double(*corner)[3] = (const double(*)[3])triangle.p;
    gz_convex_witness witness;
    bool closed = !(solid.disc > 0);
    if (closed && solid.count == 1) {
        memcpy(witness.a, solid.p[0], sizeof witness.a);
        triangle_nearest(solid.p[0], corner, witness.b);
    } else if (closed) {
        segment_triangle_nearest(solid.p[0], solid.p[1], corner, &witness);
    }
    return bound_distance(&solid, &triangle, origin, &witness, closed, point, normal, lower);
}

double gz_curved_pair_distance(const gz_curved *s, const gz_curved *t, double point[2][3],
                               double normal[3], double *lower) {
    const double origin[3] = {s->a[0], s->a[1], s->a[2]};
    gz_convex a = gz_curved_convex(s, origin), b = gz_curved_convex(t, origin);
    gz_convex_witness witness;
    bool closed = true;
    if (a.disc == 0 && b.disc == 0) {
        gz_segments_nearest(a.p[0], a.p[a.count - 1], b.p[0], b.p[b.count - 1], &witness);
    } else if (a.count == 1 && b.disc > 0) {
        memcpy(witness.a, a.p[0], sizeof witness.a);
        cylinder_distance(&b, a.p[0], witness.b);
    } else if (b.count == 1 && a.disc > 0) {
        memcpy(witness.b, b.p[0], sizeof witness.b);
        cylinder_distance(&a, b.p[0], witness.a);
    } else {
        closed = false;
    }
    return bound_distance(&a, &b, origin, &witness, closed, point, normal, lower);
}
