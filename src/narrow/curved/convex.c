/// The algorithm of Gilbert, Johnson and Keerthi with certificates: what it calls apart is proved
/// by one separating direction, whatever happened on the way to it.

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "narrow/curved/curved_internal.h"

// Four times the steps of the hardest known cases.
#define STEPS 256

double gz_convex_span(const gz_convex *a, const gz_convex *b) {
    double span = 0;
    for (int side = 0; side < 2; side++) {
        const gz_convex *s = side == 0 ? a : b;
        double most = 0;
        for (int i = 0; i < s->count; i++) {
            most = fmax(most, fabs(s->p[i][0]) + fabs(s->p[i][1]) + fabs(s->p[i][2]));
        }
        span += most + s->disc + s->round;
    }
    return span;
}

/// How far the set (without its round) reaches along n: the largest n . x.
static double support_along(const gz_convex *s, const double n[3]) {
    double most = gz_dot(n, s->p[0]);
    for (int i = 1; i < s->count; i++) most = fmax(most, gz_dot(n, s->p[i]));
    if (s->disc > 0) {
        // r |n x d| / |d|: the cross product keeps its digits where n is along the axis.
        double across[3];
        gz_cross(n, s->axis, across);
        most += s->disc * (gz_norm(across) / s->axis_norm);
    }
    return most;
}

// Error bound, u = 2^-53, |x| the 1-norm of a point as given here. A point carries a relative error
// of u from the subtraction of the origin, a dot product 3u: together 4u |n| |x|. The disc term:
// the axis is off by 2u per component, the cross product by 6u |n| |d|, norms, quotient and product
// by 8u of the result: below 16u |n| r. Two such sums, their addition, |n| and the quotient: below
// 4u more of the span. All in all less than 32u of the span; 64u = 2^-47 leaves a reserve.
double gz_convex_gap(const gz_convex *a, const gz_convex *b, const double n[3], double span) {
    double norm = gz_norm(n);
    if (!(norm > 0x1p-400)) return -INFINITY;
    const double back[3] = {-n[0], -n[1], -n[2]};
    double gap = -support_along(a, back) - support_along(b, n);
    return gap / norm - (a->round + b->round) - 0x1p-47 * span;
}

gz_convex_answer gz_convex_by_witness(const gz_convex *a, const gz_convex *b, double margin,
                                      const gz_convex_witness *witness) {
    double n[3], span = gz_convex_span(a, b);
    gz_subtract(witness->a, witness->b, n);
    if (gz_convex_gap(a, b, n, span) > margin) return GZ_CONVEX_APART;
    bool near = gz_norm(n) - (a->round + b->round) <= margin + gz_convex_tolerance(span);
    return near ? GZ_CONVEX_COLLIDE : GZ_CONVEX_UNDECIDED;
}

// ------------------------------------------------------------------------------------ the simplex

/// A point of the difference a - b with the points that it comes from.
typedef struct vertex {
    double y[3], a[3], b[3];
} vertex;

/// The farthest point of the set (without its round) along n.
static void farthest_along(const gz_convex *s, const double n[3], double out[3]) {
    int best = 0;
    double most = gz_dot(n, s->p[0]);
    for (int i = 1; i < s->count; i++) {
        double here = gz_dot(n, s->p[i]);
        if (here > most) {
            most = here;
            best = i;
        }
    }
    for (int k = 0; k < 3; k++) out[k] = s->p[best][k];
    if (!(s->disc > 0)) return;
    // The part of n across the axis, as d x (n x d). Where n is along it, the middle of the cap.
    double across[3], radial[3];
    gz_cross(n, s->axis, across);
    gz_cross(s->axis, across, radial);
    double norm = gz_norm(radial);
    if (!(norm > 0)) return;
    for (int k = 0; k < 3; k++) out[k] += s->disc * (radial[k] / norm);
}

static vertex vertex_along(const gz_convex *a, const gz_convex *b, const double n[3]) {
    vertex v;
    const double back[3] = {-n[0], -n[1], -n[2]};
    // The point of a - b that is lowest along n.
    farthest_along(a, back, v.a);
    farthest_along(b, n, v.b);
    gz_subtract(v.a, v.b, v.y);
    return v;
}

typedef struct simplex {
    vertex v[4];
    double weight[4];
    int count;
    double nearest[3];   ///< the sum of weight * y
    double direction[3]; ///< normal to the simplex, the same way but with all its digits
} simplex;

/// Weights of the point nearest to 0 in the plane through three points; false where they lie on a
/// line, or the foot lies outside.
static bool plane_weights(const double *p, const double *q, const double *r, double weight[3],
                          double normal[3]) {
    double e[3], f[3], g[3];
    gz_subtract(q, p, e);
    gz_subtract(r, p, f);
    gz_cross(e, f, normal);
    if (!(gz_dot(normal, normal) > 0)) return false;
    // The weight of a corner is the part of the area that the foot spans with the side opposite.
    const double *corner[3] = {p, q, r};
    for (int i = 0; i < 3; i++) {
        gz_cross(corner[(i + 1) % 3], corner[(i + 2) % 3], g);
        weight[i] = gz_dot(normal, g);
        if (!(weight[i] >= 0)) return false;
    }
    double sum = weight[0] + weight[1] + weight[2];
    if (!(sum > 0)) return false;
    for (int i = 0; i < 3; i++) weight[i] /= sum;
    return true;
}

/// The point nearest to 0 on the hull of the chosen vertices where it lies in its inside; false
/// elsewhere. `choice` lists count indices.
static bool foot_on(const simplex *s, const int *choice, int count, simplex *out) {
    const double *y[4];
    for (int i = 0; i < count; i++) y[i] = s->v[choice[i]].y;
    double weight[4] = {1, 0, 0, 0}, n[3] = {0, 0, 0};
    if (count == 1) {
        memcpy(n, y[0], sizeof n);
    } else if (count == 2) {
        double e[3];
        gz_subtract(y[1], y[0], e);
        double square = gz_dot(e, e);
        if (!(square > 0)) return false;
        // Measured from the nearer end, which keeps more digits.
        bool first = gz_dot(y[0], y[0]) <= gz_dot(y[1], y[1]);
        double t = -gz_dot(y[first ? 0 : 1], e) / square;
        weight[1] = first ? t : 1 + t;
        weight[0] = 1 - weight[1];
        if (!(weight[0] >= 0 && weight[1] >= 0)) return false;
        for (int k = 0; k < 3; k++) n[k] = y[first ? 0 : 1][k] + t * e[k];
        double along = gz_dot(n, e) / square;
        for (int k = 0; k < 3; k++) n[k] -= along * e[k];
    } else if (count == 3) {
        if (!plane_weights(y[0], y[1], y[2], weight, n)) return false;
        double side = gz_dot(n, y[0]) + gz_dot(n, y[1]) + gz_dot(n, y[2]);
        for (int k = 0; k < 3; k++) n[k] = side < 0 ? -n[k] : n[k];
    } else {
        double volume[4], sum = 0;
        for (int i = 0; i < 4; i++) {
            double g[3];
            gz_cross(y[(i + 1) % 4], y[(i + 2) % 4], g);
            volume[i] = gz_dot(g, y[(i + 3) % 4]) * (i % 2 == 0 ? 1 : -1);
            sum += volume[i];
        }
        if (!(fabs(sum) > 0)) return false;
        for (int i = 0; i < 4; i++) {
            weight[i] = volume[i] / sum;
            if (!(weight[i] >= 0)) return false;
        }
    }
    out->count = count;
    memset(out->nearest, 0, sizeof out->nearest);
    for (int i = 0; i < count; i++) {
        out->weight[i] = weight[i];
        for (int k = 0; k < 3; k++) out->nearest[k] += weight[i] * y[i][k];
    }
    memcpy(out->direction, n, sizeof n);
    return true;
}

/// Reduces the simplex to the face that holds its point nearest to 0, one that has the newest
/// vertex, by trying all of them: a wrong turn from rounding costs a step and never the answer.
/// False when none is nearer than `before`.
static bool simplex_reduce(simplex *s, double before) {
    simplex best = {.count = 0}, here;
    int best_choice[4] = {0};
    double least = before;
    const int newest = s->count - 1;
    for (unsigned set = 0; set < 1U << newest; set++) {
        int choice[4], count = 0;
        for (int i = 0; i < newest; i++)
            if (set >> i & 1U) choice[count++] = i;
        choice[count++] = newest;
        if (!foot_on(s, choice, count, &here)) continue;
        double square = gz_dot(here.nearest, here.nearest);
        if (square >= least) continue;
        least = square;
        memcpy(best_choice, choice, sizeof best_choice);
        best.count = count;
        memcpy(best.weight, here.weight, sizeof best.weight);
        memcpy(best.nearest, here.nearest, sizeof best.nearest);
        memcpy(best.direction, here.direction, sizeof best.direction);
    }
    if (best.count == 0) return false;
    for (int i = 0; i < best.count; i++) best.v[i] = s->v[best_choice[i]];
    *s = best;
    return true;
}

static void simplex_witness(const simplex *s, gz_convex_witness *witness) {
    memset(witness, 0, sizeof *witness);
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++) {
            witness->a[k] += s->weight[i] * s->v[i].a[k];
            witness->b[k] += s->weight[i] * s->v[i].b[k];
        }
    }
}

/// The algorithm, one step at a time.
typedef struct gjk {
    const gz_convex *a, *b;
    simplex s;
    double span, upper, lower; ///< bounds of the distance
} gjk;

static gjk gjk_start(const gz_convex *a, const gz_convex *b) {
    gjk g = {.a = a, .b = b, .s.count = 1, .span = gz_convex_span(a, b), .lower = -INFINITY};
    double n[3];
    gz_subtract(a->p[0], b->p[0], n);
    g.s.v[0] = vertex_along(a, b, n);
    g.s.weight[0] = 1;
    memcpy(g.s.nearest, g.s.v[0].y, sizeof g.s.nearest);
    memcpy(g.s.direction, g.s.v[0].y, sizeof g.s.direction);
    return g;
}

/// The bounds that the simplex gives.
static void gjk_measure(gjk *g, gz_convex_witness *witness) {
    g->upper = gz_norm(g->s.nearest) - (g->a->round + g->b->round);
    simplex_witness(&g->s, witness);
}

static void gjk_prove(gjk *g) {
    g->lower = fmax(g->lower, gz_convex_gap(g->a, g->b, g->s.direction, g->span));
}

/// False where doubles lead no farther.
static bool gjk_advance(gjk *g) {
    if (g->s.count == 4) return false;
    g->s.v[g->s.count] = vertex_along(g->a, g->b, g->s.direction);
    g->s.count++;
    if (simplex_reduce(&g->s, gz_dot(g->s.nearest, g->s.nearest))) return true;
    g->s.count--;
    return false;
}

gz_convex_answer gz_convex_collide(const gz_convex *a, const gz_convex *b, double margin,
                                   gz_convex_witness *witness) {
    gjk g = gjk_start(a, b);
    const double tolerance = gz_convex_tolerance(g.span);
    for (int step = 0; step < STEPS; step++) {
        gjk_measure(&g, witness);
        // What is that near may be called a collision at once; a proof would cost many steps.
        if (g.upper <= margin + tolerance) return GZ_CONVEX_COLLIDE;
        gjk_prove(&g);
        if (g.lower > margin) return GZ_CONVEX_APART;
        if (g.upper - g.lower <= tolerance) return GZ_CONVEX_COLLIDE;
        if (!gjk_advance(&g)) break;
    }
    return gz_convex_collide_fine(a, b, margin, witness);
}

double gz_convex_distance(const gz_convex *a, const gz_convex *b, gz_convex_witness *witness,
                          double *lower) {
    gjk g = gjk_start(a, b);
    const double tolerance = 0.5 * gz_convex_tolerance(g.span);
    for (int step = 0; step < STEPS; step++) {
        gjk_measure(&g, witness);
        gjk_prove(&g);
        if (g.upper <= tolerance || g.upper - g.lower <= tolerance || !gjk_advance(&g)) break;
    }
    *lower = fmax(g.lower, 0);
    // Where doubles have not got that far, each fine test halves what is open.
    for (double high = g.upper; high - *lower > 2 * tolerance;) {
        double middle = *lower + 0.5 * (high - *lower);
        gz_convex_witness finer;
        if (gz_convex_collide_fine(a, b, middle, &finer) == GZ_CONVEX_APART) {
            *lower = middle;
            continue;
        }
        high = middle;
    }
    return g.upper;
}
