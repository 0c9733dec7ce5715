// The algorithm of Gilbert, Johnson and Keerthi with twice the digits: for sets that (nearly)
// touch, where the simplex gets so flat that doubles lose its normal.

#include <math.h>
#include <string.h>

#include "math/double_double.h"
#include "math/transform.h"
#include "narrow/curved/curved_internal.h"

#define STEPS 512

/// A point of the difference a - b with the points that it comes from.
typedef struct vertex {
    gz_dd y[3], a[3], b[3];
} vertex;

typedef struct simplex {
    vertex v[4];
    gz_dd weight[4];
    int count;
    gz_dd nearest[3], square; ///< the sum of weight * y, and its square
    gz_dd direction[3];       ///< normal to the simplex, the same way but with all its digits
} simplex;

static void subtract(const gz_dd a[3], const gz_dd b[3], gz_dd out[3]) {
    for (int k = 0; k < 3; k++) out[k] = gz_dd_subtract(a[k], b[k]);
}

static void widen(const double a[3], gz_dd out[3]) {
    for (int k = 0; k < 3; k++) out[k] = gz_dd_of(a[k]);
}

/// The farthest point of the set (without its round) along n.
static void farthest_along(const gz_convex *s, const gz_dd n[3], gz_dd out[3]) {
    gz_dd most = gz_dd_of(-INFINITY), p[3];
    for (int i = 0; i < s->count; i++) {
        widen(s->p[i], p);
        gz_dd here = gz_dd_dot(n, p);
        if (i > 0 && gz_dd_sign(gz_dd_subtract(here, most)) <= 0) continue;
        most = here;
        memcpy(out, p, sizeof p);
    }
    if (!(s->disc > 0)) return;
    gz_dd axis[3], across[3], radial[3];
    widen(s->axis, axis);
    gz_dd_cross(n, axis, across);
    gz_dd_cross(axis, across, radial);
    gz_dd norm = gz_dd_sqrt(gz_dd_dot(radial, radial));
    if (gz_dd_sign(norm) <= 0) return;
    gz_dd factor = gz_dd_divide(gz_dd_of(s->disc), norm);
    for (int k = 0; k < 3; k++) out[k] = gz_dd_add(out[k], gz_dd_multiply(factor, radial[k]));
}

static vertex vertex_along(const gz_convex *a, const gz_convex *b, const gz_dd n[3]) {
    vertex v;
    gz_dd back[3];
    for (int k = 0; k < 3; k++) back[k] = gz_dd_negate(n[k]);
    farthest_along(a, back, v.a);
    farthest_along(b, n, v.b);
    subtract(v.a, v.b, v.y);
    return v;
}

/// Weights of the foot of 0 on a segment, and the normal through it.
static bool foot_on_segment(const gz_dd *p, const gz_dd *q, gz_dd weight[2], gz_dd n[3]) {
    gz_dd e[3];
    subtract(q, p, e);
    gz_dd square = gz_dd_dot(e, e);
    if (gz_dd_sign(square) <= 0) return false;
    weight[0] = gz_dd_divide(gz_dd_dot(q, e), square);
    weight[1] = gz_dd_negate(gz_dd_divide(gz_dd_dot(p, e), square));
    for (int k = 0; k < 3; k++) n[k] = gz_dd_add(p[k], gz_dd_multiply(weight[1], e[k]));
    return true;
}

/// Weights of the foot of 0 on a triangle, and the normal through it: the weight of a corner is the
/// part of the area that the foot spans with the side opposite.
static bool foot_on_triangle(const gz_dd *const y[3], gz_dd weight[3], gz_dd n[3]) {
    gz_dd e[3], f[3], g[3];
    subtract(y[1], y[0], e);
    subtract(y[2], y[0], f);
    gz_dd_cross(e, f, n);
    gz_dd square = gz_dd_dot(n, n);
    if (gz_dd_sign(square) <= 0) return false;
    for (int i = 0; i < 3; i++) {
        gz_dd_cross(y[(i + 1) % 3], y[(i + 2) % 3], g);
        weight[i] = gz_dd_divide(gz_dd_dot(n, g), square);
    }
    if (gz_dd_sign(gz_dd_dot(n, y[0])) < 0)
        for (int k = 0; k < 3; k++) n[k] = gz_dd_negate(n[k]);
    return true;
}

/// Weights of 0 in a tetrahedron, by volumes.
static bool foot_in_tetrahedron(const gz_dd *const y[4], gz_dd weight[4]) {
    gz_dd sum = gz_dd_of(0);
    for (int i = 0; i < 4; i++) {
        gz_dd g[3];
        gz_dd_cross(y[(i + 1) % 4], y[(i + 2) % 4], g);
        weight[i] = gz_dd_dot(g, y[(i + 3) % 4]);
        if (i % 2 == 1) weight[i] = gz_dd_negate(weight[i]);
        sum = gz_dd_add(sum, weight[i]);
    }
    if (gz_dd_sign(sum) == 0) return false;
    for (int i = 0; i < 4; i++) weight[i] = gz_dd_divide(weight[i], sum);
    return true;
}

/// The point nearest to 0 on the hull of the chosen vertices where it lies in its inside.
static bool foot_on(const simplex *s, const int *choice, int count, simplex *out) {
    const gz_dd *y[4] = {0};
    gz_dd *weight = out->weight, *n = out->direction;
    for (int i = 0; i < count; i++) y[i] = s->v[choice[i]].y;
    bool found = true;
    if (count == 1) {
        weight[0] = gz_dd_of(1);
        memcpy(n, y[0], sizeof out->direction);
    } else if (count == 2) {
        found = foot_on_segment(y[0], y[1], weight, n);
    } else if (count == 3) {
        found = foot_on_triangle(y, weight, n);
    } else {
        found = foot_in_tetrahedron(y, weight);
    }
    for (int i = 0; i < count && found; i++) found = gz_dd_sign(weight[i]) >= 0;
    if (!found) return false;
    out->count = count;
    for (int k = 0; k < 3; k++) {
        out->nearest[k] = gz_dd_of(0);
        for (int i = 0; i < count; i++)
            out->nearest[k] = gz_dd_add(out->nearest[k], gz_dd_multiply(weight[i], y[i][k]));
    }
    out->square = gz_dd_dot(out->nearest, out->nearest);
    return true;
}

/// As in convex.c: the face nearest to 0 of those that have the newest vertex. One that is as near
/// as before, up to 2^-40, will do, as its direction is another: where the nearest point is 2^-40
/// of the vertices' distances away, what a step gains of it, some 2^-80, is lost in the rounding of
/// its weights, but the normal of the face still has digits enough to part the sets. Steps are
/// counted, so that nothing goes round for ever. A tetrahedron has no direction, and must be
/// nearer.
static bool simplex_reduce(simplex *s) {
    simplex best = {.count = 0}, here;
    best.square = gz_dd_multiply(s->square, gz_dd_of(1 + 0x1p-40));
    int best_choice[4] = {0};
    const int newest = s->count - 1;
    for (unsigned set = 0; set < 1U << newest; set++) {
        int choice[4], count = 0;
        for (int i = 0; i < newest; i++)
            if (set >> i & 1U) choice[count++] = i;
        choice[count++] = newest;
        if (!foot_on(s, choice, count, &here)) continue;
        if (gz_dd_sign(gz_dd_subtract(here.square, best.square)) >= 0) continue;
        if (count == 4 && gz_dd_sign(gz_dd_subtract(here.square, s->square)) >= 0) continue;
        best = here;
        memcpy(best_choice, choice, sizeof best_choice);
    }
    if (best.count == 0) return false;
    for (int i = 0; i < best.count; i++) best.v[i] = s->v[best_choice[i]];
    *s = best;
    return true;
}

static void simplex_witness(const simplex *s, gz_convex_witness *witness) {
    for (int k = 0; k < 3; k++) {
        gz_dd a = gz_dd_of(0), b = gz_dd_of(0);
        for (int i = 0; i < s->count; i++) {
            a = gz_dd_add(a, gz_dd_multiply(s->weight[i], s->v[i].a[k]));
            b = gz_dd_add(b, gz_dd_multiply(s->weight[i], s->v[i].b[k]));
        }
        witness->a[k] = gz_dd_round(a);
        witness->b[k] = gz_dd_round(b);
    }
}

gz_convex_answer gz_convex_collide_fine(const gz_convex *a, const gz_convex *b, double margin,
                                        gz_convex_witness *witness) {
    const double span = gz_convex_span(a, b), round = a->round + b->round;
    const double tolerance = gz_convex_tolerance(span);
    double start[3], lower = -INFINITY;
    gz_subtract(a->p[0], b->p[0], start);
    simplex s = {.count = 1};
    gz_dd n[3];
    widen(start, n);
    s.v[0] = vertex_along(a, b, n);
    s.weight[0] = gz_dd_of(1);
    memcpy(s.nearest, s.v[0].y, sizeof s.nearest);
    memcpy(s.direction, s.v[0].y, sizeof s.direction);
    s.square = gz_dd_dot(s.nearest, s.nearest);
    for (int step = 0; step < STEPS; step++) {
        double upper = sqrt(fmax(0, gz_dd_round(s.square))) - round;
        simplex_witness(&s, witness);
        if (upper <= margin + tolerance) return GZ_CONVEX_COLLIDE;
        double along[3];
        for (int k = 0; k < 3; k++) along[k] = gz_dd_round(s.direction[k]);
        lower = fmax(lower, gz_convex_gap(a, b, along, span));
        if (lower > margin) return GZ_CONVEX_APART;
        if (upper - lower <= tolerance) return GZ_CONVEX_COLLIDE;
        if (s.count == 4) break;
        s.v[s.count] = vertex_along(a, b, s.direction);
        s.count++;
        if (!simplex_reduce(&s)) break;
    }
    return GZ_CONVEX_UNDECIDED;
}
