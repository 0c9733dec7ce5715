/// Curved solids against each other. See docs/shapes.md for the bounds.
#include "narrow/curved/curved.h"

#include <math.h>
#include <string.h>

#include "narrow/curved/curved_internal.h"

void gz_curved_center(const gz_curved *s, double p[3]) {
    for (int k = 0; k < 3; k++) p[k] = 0.5 * s->a[k] + 0.5 * s->b[k];
}

double gz_curved_sensitivity(const gz_curved *s) {
    if (s->kind != GRAZE_SHAPE_CYLINDER) return 1;
    // Unit vectors of x and y are at most 2 |x - y| / |x| apart, and the axis changes by at most
    // twice the distance that each end moves.
    double length = sqrt(gz_square_distance(s->a, s->b));
    return length > 0 ? 1 + 4 * s->radius / length : INFINITY;
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

void gz_segments_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                         gz_convex_witness *out) {
    // The four ends, which also settles parallel and degenerate segments.
    const double *ends[4] = {a, b, c, d};
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        double q[3];
        gz_segment_nearest(ends[i], i < 2 ? c : a, i < 2 ? d : b, q);
        double square = gz_square_distance(ends[i], q);
        if (square >= least) continue;
        least = square;
        memcpy(i < 2 ? out->a : out->b, ends[i], sizeof q);
        memcpy(i < 2 ? out->b : out->a, q, sizeof q);
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
    if (gz_square_distance(p, q) >= least) return;
    memcpy(out->a, p, sizeof p);
    memcpy(out->b, q, sizeof q);
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
    double distance = gz_norm(d), reach = s->radius + t->radius + margin;
    if (distance * (1 - 0x1p-50) > reach * (1 + 0x1p-50)) return false;
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
