// Two triangles that are apart are nearest at a corner of one and a point of the other, or at two
// edges. The candidates are found in plain doubles, by formulas that may lose digits where
// triangles are needles or edges parallel; nothing rests on that. What is said rests on one of two
// certificates: two points that are near enough, or a direction in which the gap is wide enough.
// Where neither holds, triangle_distance_exact.c decides.

#include "narrow/triangle/triangle.h"

#include <math.h>
#include <string.h>

#include "math/transform.h"

/// Both triangles relative to the first corner of a, with their edges: edge i from corner i to the
/// next.
typedef struct pair {
    double corner[2][3][3], edge[2][3][3];
    double span; ///< of both from that origin, in the 1-norm: what errors are relative to
} pair;

/// The nearest candidate so far.
typedef struct candidate {
    double square;
    double point[2][3];
    double normal[3]; ///< direction in which the two features' carriers are apart; 0: along the gap
} candidate;

/// With u = 2^-53, S the span and a point written by its 1-norm: subtracting the origin costs u of
/// a corner, so each corner used here is off by u S and each edge by 2u S. A point of an edge or a
/// face, with weights from 0 to 1 whatever these are, which may sum to 1 + 2u, adds at most 12u S
/// in products and sums; the difference of two such points, its squares, sum and root 6u of it. So
/// the distance of two computed points is that of two real ones up to 20u S. A gap: u S for the
/// corners, 3u for the products and sums, per side, |n| and the quotient 4u: 12u S in all. 2^-47 S
/// = 64u S covers both, and the rounding of its own product.
#define ERROR 0x1p-47

static void pair_make(pair *p, const double a[3][3], const double b[3][3]) {
    const double(*t[2])[3] = {a, b};
    p->span = 0;
    for (int side = 0; side < 2; side++) {
        double most = 0;
        for (int i = 0; i < 3; i++) {
            double *c = p->corner[side][i];
            gz_subtract(t[side][i], a[0], c);
            gz_subtract(t[side][(i + 1) % 3], t[side][i], p->edge[side][i]);
            most = fmax(most, fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
        }
        p->span += most;
    }
}

/// Keeps two points if they are nearer than what is there; `side` is the triangle of the first.
static bool keep(candidate *best, int side, const double p[3], const double q[3]) {
    double d[3];
    gz_subtract(p, q, d);
    double square = gz_dot(d, d);
    if (!(square < best->square)) return false;
    best->square = square;
    memcpy(best->point[side], p, sizeof best->point[side]);
    memcpy(best->point[1 - side], q, sizeof best->point[side]);
    return true;
}

static double clamp(double t) {
    return t > 0 ? (t < 1 ? t : 1) : 0; // NaN: 0
}

static void along(const double p[3], double t, const double e[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = p[k] + t * e[k];
}

/// Edge against edge: the nearest points of the lines, moved into the edges (Ericson 2005,
/// Real-Time Collision Detection, section 5.1.9).
static void edge_edge(const pair *p, int i, int j, candidate *best) {
    const double *a = p->corner[0][i], *e = p->edge[0][i], *b = p->corner[1][j], *f = p->edge[1][j];
    double r[3], x[3], y[3];
    gz_subtract(a, b, r);
    double ee = gz_dot(e, e), ff = gz_dot(f, f), ef = gz_dot(e, f);
    double er = gz_dot(e, r), fr = gz_dot(f, r), area = ee * ff - ef * ef;
    double s = area > 0 ? clamp((ef * fr - er * ff) / area) : 0;
    double t = ff > 0 ? (ef * s + fr) / ff : 0;
    bool inside = s > 0 && s < 1 && t > 0 && t < 1;
    if (!inside) {
        t = clamp(t);
        s = ee > 0 ? clamp((ef * t - er) / ee) : 0;
    }
    along(a, s, e, x);
    along(b, t, f, y);
    if (!keep(best, 0, x, y)) return;
    memset(best->normal, 0, sizeof best->normal);
    if (inside) {
        gz_cross(e, f, best->normal);
    } else if ((s > 0 && s < 1) != (t > 0 && t < 1)) {
        // A corner against an edge: across the edge, to its last digits.
        const double *g = s > 0 && s < 1 ? e : f;
        gz_subtract(x, y, best->normal);
        double off = gz_dot(best->normal, g) / gz_dot(g, g);
        for (int k = 0; k < 3; k++) best->normal[k] -= off * g[k];
    }
}

/// A triangle's face against the corners of the other. Only feet inside count; what is nearest to a
/// side is nearest to an edge there.
static void face_corners(const pair *p, int face, candidate *best) {
    const double *c = p->corner[face][0], *e = p->edge[face][0], *back = p->edge[face][2];
    double n[3], f[3] = {-back[0], -back[1], -back[2]};
    gz_cross(e, f, n);
    double square = gz_dot(n, n);
    if (!(square > 0)) return;
    for (int i = 0; i < 3; i++) {
        const double *corner = p->corner[1 - face][i];
        double d[3], g[3], foot[3];
        gz_subtract(corner, c, d);
        double h = gz_dot(d, n);
        if (!(h * h < best->square * square)) continue;
        gz_cross(d, f, g);
        double s = gz_dot(g, n);
        gz_cross(e, d, g);
        double t = gz_dot(g, n);
        if (!(s >= 0 && t >= 0 && s + t <= square)) continue;
        for (int k = 0; k < 3; k++) foot[k] = c[k] + ((s / square) * e[k] + (t / square) * f[k]);
        if (keep(best, face, foot, corner)) memcpy(best->normal, n, sizeof n);
    }
}

/// The nearest pair of points that the formulas find; stops early at one whose square is at most
/// `enough`.
static void search(const pair *p, double enough, candidate *best) {
    best->square = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) edge_edge(p, i, j, best);
        if (best->square <= enough) return;
    }
    face_corners(p, 0, best);
    if (best->square <= enough) return;
    face_corners(p, 1, best);
}

/// A certified lower bound of the distance: the gap between the triangles along n, either way.
static double gap_along(const pair *p, const double n[3]) {
    double norm = gz_norm(n), low[2], high[2];
    if (!(norm > 0x1p-400)) return -INFINITY;
    for (int side = 0; side < 2; side++) {
        double x = gz_dot(n, p->corner[side][0]), y = gz_dot(n, p->corner[side][1]),
               z = gz_dot(n, p->corner[side][2]);
        low[side] = fmin(x, fmin(y, z));
        high[side] = fmax(x, fmax(y, z));
    }
    return fmax(low[0] - high[1], low[1] - high[0]) / norm - ERROR * p->span;
}

bool gz_triangles_near(const double a[3][3], const double b[3][3], double margin,
                       gz_triangle_stats *stats) {
    pair p;
    candidate best;
    pair_make(&p, a, b);
    // Two points at most this far apart prove that the triangles are near; squared, and rounded
    // down.
    double reach = margin - ERROR * p.span;
    double enough = reach > 0 ? reach * reach * (1 - 0x1p-50) : -1;
    search(&p, enough, &best);
    if (best.square <= enough) return true;
    double gap[3];
    gz_subtract(best.point[0], best.point[1], gap);
    if (gap_along(&p, best.normal) > margin || gap_along(&p, gap) > margin) return false;
    if (stats) stats->exact_tests++;
    return gz_triangles_near_exact(a, b, margin);
}

double gz_triangles_nearest(const double a[3][3], const double b[3][3], double point_a[3],
                            double point_b[3]) {
    pair p;
    candidate best;
    pair_make(&p, a, b);
    search(&p, -1, &best);
    for (int k = 0; k < 3; k++) {
        point_a[k] = a[0][k] + best.point[0][k];
        point_b[k] = a[0][k] + best.point[1][k];
    }
    return sqrt(best.square);
}
