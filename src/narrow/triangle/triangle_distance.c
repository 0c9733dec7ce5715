// Two triangles that are apart are nearest at a corner of one and a point of the other, or at two
// edges. The candidates are found in plain doubles, by formulas that may lose digits where
// triangles are needles or edges parallel; nothing rests on that. What is said rests on one of two
// certificates: two points that are near enough, or a direction in which the gap is wide enough.
// Where neither holds, gz_triangles_near_exact() decides.

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "math/wide_integer.h"
#include "narrow/triangle/triangle.h"

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

// fmax() and fmin() are calls, for NaN's sake.
static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static void pair_make(pair *p, const double a[3][3], const double b[3][3]) {
    const double(*t[2])[3] = {a, b};
    p->span = 0;
    for (int side = 0; side < 2; side++) {
        double most = 0;
        for (int i = 0; i < 3; i++) {
            double *c = p->corner[side][i];
            gz_subtract(t[side][i], a[0], c);
            gz_subtract(t[side][(i + 1) % 3], t[side][i], p->edge[side][i]);
            most = larger(most, fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
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
    t = t > 0 ? t : 0; // NaN: 0
    return t < 1 ? t : 1;
}

static void along(const double p[3], double t, const double e[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = p[k] + t * e[k];
}

/// Whether no points are nearer than these but for rounding: along the way v between them the
/// triangles are as far apart as they are, up to 2^-49 S times the 1-norm of v, so others are
/// nearer by at most sqrt(3) 16 u S. What is said in the end rests on a gap of its own, as ever.
static bool is_nearest(const pair *p, const double x[3], const double y[3]) {
    double v[3], high = -INFINITY, low = INFINITY;
    gz_subtract(y, x, v);
    for (int k = 0; k < 3; k++) {
        high = larger(high, gz_dot(v, p->corner[0][k]));
        low = smaller(low, gz_dot(v, p->corner[1][k]));
    }
    double size = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    return low - high >= gz_dot(v, v) - 0x1p-49 * p->span * size;
}

/// Edge against edge: the nearest points of the lines, moved into the edges (Ericson 2005,
/// Real-Time Collision Detection, section 5.1.9). True where they are those of the triangles.
static bool edge_edge(const pair *p, int i, int j, candidate *best) {
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
    if (!keep(best, 0, x, y)) return false;
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
    return is_nearest(p, x, y);
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
        for (int j = 0; j < 3; j++)
            if (edge_edge(p, i, j, best)) return;
        if (best->square <= enough) return;
    }
    face_corners(p, 0, best);
    if (best->square <= enough) return;
    face_corners(p, 1, best);
}

/// A certified lower bound of the distance: the gap between the triangles along n, either way.
/// *back: it is the other way, from b to a; may be NULL.
static double gap_along(const pair *p, const double n[3], bool *back) {
    double norm = gz_norm(n), low[2], high[2];
    if (back) *back = false;
    if (!(norm > 0x1p-400)) return -INFINITY;
    for (int side = 0; side < 2; side++) {
        double x = gz_dot(n, p->corner[side][0]), y = gz_dot(n, p->corner[side][1]),
               z = gz_dot(n, p->corner[side][2]);
        low[side] = smaller(x, smaller(y, z));
        high[side] = larger(x, larger(y, z));
    }
    if (back) *back = low[0] - high[1] > low[1] - high[0];
    return larger(low[0] - high[1], low[1] - high[0]) / norm - ERROR * p->span;
}

/// Of the 1-norm of a corner its place along n is off by 3u for products and sums, and as much for
/// a difference and |n|; no other origin is taken, which is less than ERROR.
double gz_triangles_gap(const double a[3][3], const double b[3][3], const double n[3]) {
    double high = -INFINITY, low = INFINITY, size[2] = {0};
    for (int i = 0; i < 3; i++) {
        high = larger(high, gz_dot(n, a[i]));
        low = smaller(low, gz_dot(n, b[i]));
        size[0] = larger(size[0], fabs(a[i][0]) + fabs(a[i][1]) + fabs(a[i][2]));
        size[1] = larger(size[1], fabs(b[i][0]) + fabs(b[i][1]) + fabs(b[i][2]));
    }
    return low - high - ERROR * (size[0] + size[1]);
}

bool gz_triangles_near(const double a[3][3], const double b[3][3], double margin,
                       gz_triangle_stats *stats) {
    pair p;
    candidate best;
    pair_make(&p, a, b);
    // Two points at most this far apart prove that the triangles are near; squared, and rounded
    // down.
    double limit = margin - ERROR * p.span;
    double enough = limit > 0 ? limit * limit * (1 - 0x1p-50) : -1;
    search(&p, enough, &best);
    if (best.square <= enough) return true;
    double gap[3];
    gz_subtract(best.point[0], best.point[1], gap);
    if (gap_along(&p, best.normal, NULL) > margin || gap_along(&p, gap, NULL) > margin)
        return false;
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

/// The distance by the exact test, to GZ_DISTANCE_WIDTH from below: it is above `low`.
static double bisect(const double a[3][3], const double b[3][3], double low, double high) {
    while (high - low > GZ_DISTANCE_WIDTH) {
        double middle = low + 0.5 * (high - low);
        if (gz_triangles_near_exact(a, b, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

/// Triangles that share a point.
static double touch(const double a[3][3], const double b[3][3], double point[2][3],
                    double normal[3], double *lower) {
    gz_triangles_segment(a, b, point);
    memcpy(point[1], point[0], sizeof point[0]);
    memset(normal, 0, 3 * sizeof *normal);
    return *lower = 0;
}

double gz_triangles_distance(const double a[3][3], const double b[3][3], double point[2][3],
                             double normal[3], double *lower) {
    pair p;
    candidate best;
    double gap[3];
    bool back[2];
    pair_make(&p, a, b);
    search(&p, -1, &best);
    gz_subtract(best.point[1], best.point[0], gap);
    double along[2] = {gap_along(&p, best.normal, &back[0]), gap_along(&p, gap, &back[1])};
    int which = along[1] > along[0];
    *lower = along[which];
    if (!(*lower > 0) && gz_triangles_overlap_exact(a, b, NULL))
        return touch(a, b, point, normal, lower);
    const double *n = which ? gap : best.normal;
    double norm = gz_norm(n) * (back[which] ? -1 : 1), distance = sqrt(best.square);
    for (int k = 0; k < 3; k++) {
        normal[k] = norm != 0 ? n[k] / norm : 0;
        point[0][k] = a[0][k] + best.point[0][k];
        point[1][k] = a[0][k] + best.point[1][k];
    }
    double upper = distance + ERROR * p.span;
    if (!(*lower >= upper - GZ_DISTANCE_WIDTH)) *lower = bisect(a, b, fmax(*lower, 0), upper);
    return upper;
}

// The distance of two triangles against a margin, in integers.
//
// The squared distance of two features (corner, edge, face) is a fraction of polynomials in the
// corners' coordinates; multiplied out, "at most margin^2" is an inequality of integers. All
// coordinates and the margin are multiples of one power of two. How long the integers get: snapped
// coordinates are 0 or at least 2^-100, so multiples of 2^-152, and at most 2^20; with them the
// margin, from 2^-90 to 2^22. So they have at most 174 bits, differences 175, a normal (a cross
// product) 351, its product with a difference 528, the square of that 1056; margin^2 normal^2 has
// 348 + 704 = 1052. The sides of a face (normal . (edge x difference)) have 704, the product of
// two squared lengths 704. GZ_WIDE_BITS is 1152.

_Static_assert(GZ_WIDE_BITS >= 1056 + 64, "room for all products");

typedef struct operands {
    gz_wide corner[2][3][3];
    gz_wide edge[2][3][3], edge_square[2][3]; ///< edge i goes from corner i to the next
    gz_wide between[3][3][3];                 ///< [i][j]: from corner j of b to corner i of a
    gz_wide between_square[3][3];
    gz_wide margin_square;
} operands;

static void exact_subtract(gz_wide out[3], const gz_wide a[3], const gz_wide b[3]) {
    for (int k = 0; k < 3; k++) gz_wide_subtract(&out[k], &a[k], &b[k]);
}

static void read_operands(operands *o, const double a[3][3], const double b[3][3], double margin) {
    int exponent = gz_wide_exponent(margin), other = gz_wide_common_exponent(a[0], 9);
    exponent = other < exponent ? other : exponent;
    other = gz_wide_common_exponent(b[0], 9);
    exponent = other < exponent ? other : exponent;
    const double(*t[2])[3] = {a, b};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                gz_wide_set(&o->corner[side][i][k], t[side][i][k], exponent);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++) {
            exact_subtract(o->edge[side][i], o->corner[side][(i + 1) % 3], o->corner[side][i]);
            gz_wide_dot(&o->edge_square[side][i], o->edge[side][i], o->edge[side][i]);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            exact_subtract(o->between[i][j], o->corner[0][i], o->corner[1][j]);
            gz_wide_dot(&o->between_square[i][j], o->between[i][j], o->between[i][j]);
        }
    gz_wide length;
    gz_wide_set(&length, margin, exponent);
    gz_wide_multiply(&o->margin_square, &length, &length);
}

/// Whether |x|^2 <= margin^2 * scale, for a fraction |x|^2 / scale.
static bool is_within(const operands *o, const gz_wide *square, const gz_wide *scale) {
    gz_wide limit;
    gz_wide_multiply(&limit, &o->margin_square, scale);
    return gz_wide_compare(square, &limit) <= 0;
}

/// Whether 0 < x < limit.
static bool is_between(const gz_wide *x, const gz_wide *limit) {
    return x->sign > 0 && gz_wide_compare(x, limit) < 0;
}

/// A corner against the inside of an edge: the foot is at w . e / e^2, the squared distance is
/// (w^2 e^2 - (w . e)^2) / e^2, for w from the edge's first corner to the corner, or back.
static bool corner_edge(const operands *o, const gz_wide w[3], const gz_wide *w_square, bool back,
                        const gz_wide e[3], const gz_wide *e_square) {
    gz_wide foot, square, product;
    gz_wide_dot(&foot, w, e);
    if (back) foot.sign = -foot.sign;
    if (!is_between(&foot, e_square)) return false;
    gz_wide_multiply(&square, w_square, e_square);
    gz_wide_multiply(&product, &foot, &foot);
    gz_wide_subtract(&square, &square, &product);
    return is_within(o, &square, e_square);
}

/// The insides of two edges that are not parallel: with n = e x f and w from a to b's first corner
/// the squared distance of the lines is (w . n)^2 / n^2, the feet are (w x f) . n / n^2 and
/// (w x e) . n / n^2.
static bool exact_edge_edge(const operands *o, int i, int j) {
    const gz_wide *e = o->edge[0][i], *f = o->edge[1][j];
    gz_wide n[3], n_square, height, square, w[3], x[3], foot;
    gz_wide_cross(n, e, f);
    gz_wide_dot(&n_square, n, n);
    if (n_square.sign == 0) return false;
    gz_wide_dot(&height, o->between[i][j], n);
    gz_wide_multiply(&square, &height, &height);
    if (!is_within(o, &square, &n_square)) return false;
    exact_subtract(w, o->corner[1][j], o->corner[0][i]);
    gz_wide_cross(x, w, f);
    gz_wide_dot(&foot, x, n);
    if (!is_between(&foot, &n_square)) return false;
    gz_wide_cross(x, w, e);
    gz_wide_dot(&foot, x, n);
    return is_between(&foot, &n_square);
}

/// A corner of the other triangle against the inside of a face with the normal n: the foot is
/// inside where n . (e x w) is positive for every edge e, w from the edge's first corner.
static bool face_corner(const operands *o, int face, const gz_wide n[3], const gz_wide *n_square,
                        const gz_wide corner[3]) {
    gz_wide w[3], x[3], height, square;
    exact_subtract(w, corner, o->corner[face][0]);
    gz_wide_dot(&height, w, n);
    gz_wide_multiply(&square, &height, &height);
    if (!is_within(o, &square, n_square)) return false;
    for (int i = 0; i < 3; i++) {
        exact_subtract(w, corner, o->corner[face][i]);
        gz_wide_cross(x, o->edge[face][i], w);
        gz_wide_dot(&height, x, n);
        if (height.sign <= 0) return false;
    }
    return true;
}

static bool faces_near(const operands *o) {
    for (int face = 0; face < 2; face++) {
        gz_wide n[3], n_square;
        gz_wide_cross(n, o->edge[face][0], o->edge[face][1]);
        gz_wide_dot(&n_square, n, n);
        for (int i = 0; i < 3 && n_square.sign; i++)
            if (face_corner(o, face, n, &n_square, o->corner[1 - face][i])) return true;
    }
    return false;
}

bool gz_triangles_near_exact(const double a[3][3], const double b[3][3], double margin) {
    operands o;
    read_operands(&o, a, b, margin);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const gz_wide *w = o.between[i][j], *square = &o.between_square[i][j];
            if (gz_wide_compare(square, &o.margin_square) <= 0) return true;
            // Corner i of a against edge j of b, corner j of b against edge i of a.
            if (corner_edge(&o, w, square, false, o.edge[1][j], &o.edge_square[1][j])) return true;
            if (corner_edge(&o, w, square, true, o.edge[0][i], &o.edge_square[0][i])) return true;
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (exact_edge_edge(&o, i, j)) return true;
    return faces_near(&o);
}
