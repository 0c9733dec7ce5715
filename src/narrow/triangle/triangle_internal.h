/// What the files of the triangle test share; for no other file.
///
/// `exact` counts the determinants that plain doubles could not sign.
#ifndef GZ_NARROW_TRIANGLE_TRIANGLE_INTERNAL_H
#define GZ_NARROW_TRIANGLE_TRIANGLE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "math/predicate.h"

/// The two edges in which a triangle crosses the plane of another. They share the apex, the corner
/// that alone is highest or alone is lowest over that plane.
typedef struct gz_crossing {
    const double *apex;
    const double *low, *high; ///< other end of the edge that is met first, last along the line
    int rise;                 ///< 1: both edges rise from the apex, -1: fall
} gz_crossing;

/// `sides` are the signs of t's heights over the other plane: not all equal, so that the triangle
/// meets that plane in a point or segment. `along` is 1 when the line is to run along
/// N(t) x N(other), -1 against it.
static inline gz_crossing gz_crossing_make(const double t[3][3], const int sides[3], int along) {
    // Of three signs that are not all equal one is above, or below, both others. Arithmetic rather
    // than branches: which one it is cannot be predicted.
    int at_1 = (sides[0] - sides[1]) * (sides[2] - sides[1]) > 0;
    int at_2 = (sides[0] - sides[2]) * (sides[1] - sides[2]) > 0;
    int k = at_2 ? 2 : at_1;
    int next = k == 2 ? 0 : k + 1, last = k == 0 ? 2 : k - 1;
    gz_crossing crossing = {.apex = t[k], .rise = sides[next] > sides[k] ? 1 : -1};
    // Let i, j be where the edges to next and last cross the line. (i - apex) x (j - apex) is along
    // N(t) or zero, so with d = N(t) x N(other) and j - i = m d:
    // (i - apex) x d = N(t) ((i - apex) . N(other)) gives m the sign of rise.
    bool forward = crossing.rise == along;
    crossing.low = forward ? t[next] : t[last];
    crossing.high = forward ? t[last] : t[next];
    return crossing;
}

/// The sign of (where edge b_apex-f crosses the line) - (where edge a_apex-e does), along
/// d = N(a) x N(b).
///
/// With l - i = m d the two places' difference, e and f now the edges' vectors:
/// det(e, b_apex - a_apex, f) = det(e, l - i, f) as i and l lie on the edges' lines
/// = m e . (d x f) = m d . (f x e) = m (N(a) . f) (N(b) . e), as N(a) . e = N(b) . f = 0;
/// the factors' signs are the two rises, neither zero. That determinant is
/// -orient3d(a_apex, e's end, b_apex, f's end).
static inline int gz_crossing_order(const gz_crossing *a, const double *e, const gz_crossing *b,
                                    const double *f, uint64_t *exact) {
    return -gz_orient3d_counted(a->apex, e, b->apex, f, exact) * a->rise * b->rise;
}

/// All three the same and not 0: surely no point on the plane.
static inline bool gz_sides_one(const int s[3]) {
    return s[0] != 0 && s[0] == s[1] && s[0] == s[2];
}
/// All in the plane, or the plane is that of a triangle without area.
static inline bool gz_sides_flat(const int s[3]) {
    return (s[0] | s[1] | s[2]) == 0;
}

/// A triangle as what it is. For one with area, `axis` is a coordinate that can be dropped: the
/// projection along it is one to one on the plane. For the others p and q are the ends (p = q for
/// a point), lexicographically sorted.
typedef struct gz_flat {
    const double (*corners)[3];
    int dimension; ///< 2, 1, 0
    int axis;      ///< -1 where there is no area
    int turn;      ///< of the corners in the projection: 1 or -1
    const double *p, *q;
} gz_flat;

gz_flat gz_flat_make(const double t[3][3], uint64_t *exact);

/// Whether two triangles meet that lie in one plane, or of which at least one has no area.
bool gz_degenerate_triangles_overlap(const gz_flat *a, const gz_flat *b, uint64_t *exact);

bool gz_flat_has_point(const gz_flat *t, const double point[3], uint64_t *exact);

/// Edge i of a triangle; a triangle without area has one edge, the segment p q.
static inline int gz_flat_edge_count(const gz_flat *t) {
    return t->dimension == 2 ? 3 : 1;
}
static inline const double *gz_flat_edge(const gz_flat *t, int i, const double **end) {
    if (t->dimension < 2) return *end = t->q, t->p;
    return *end = t->corners[i == 2 ? 0 : i + 1], t->corners[i];
}

/// Two segments of one plane, projected along `axis`, not both on one line.
bool gz_segments_cross(const double *p, const double *q, const double *r, const double *s, int axis,
                       uint64_t *exact);

/// A coordinate whose dropping keeps p, q, r and s, four points of one plane, apart; -1 where all
/// are on one line.
int gz_segments_axis(const double *p, const double *q, const double *r, const double *s,
                     uint64_t *exact);

/// orient2d of the points projected along a coordinate.
static inline int gz_turn(const double *a, const double *b, const double *c, int axis,
                          uint64_t *exact) {
    int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
    const double a2[2] = {a[u], a[v]}, b2[2] = {b[u], b[v]}, c2[2] = {c[u], c[v]};
    return gz_orient2d_counted(a2, b2, c2, exact);
}

/// The same, its value (relative error below 2^-48).
static inline double gz_turn_value(const double *a, const double *b, const double *c, int axis) {
    int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
    const double a2[2] = {a[u], a[v]}, b2[2] = {b[u], b[v]}, c2[2] = {c[u], c[v]};
    return gz_orient2d_value(a2, b2, c2);
}

#endif
