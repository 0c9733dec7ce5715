// Triangles in one plane, and triangles without area: the cases where Moeller's intervals do not
// exist. Everything is decided by the exact signs of predicate.h and by comparing coordinates.

#include <string.h>

#include "narrow/triangle/triangle.h"
#include "narrow/triangle/triangle_internal.h"

// Order along a line: points on one line are in lexicographic order, from one end or the other.
static int compare(const double *p, const double *q) {
    for (int k = 0; k < 3; k++) {
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    }
    return 0;
}

// The coordinate along which the normal, rounded, is longest: dropping it first makes the filters
// most likely to decide. Any would do for correctness as long as the projection has area.
static int longest_axis(const double t[3][3]) {
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) u[k] = t[1][k] - t[0][k], v[k] = t[2][k] - t[0][k];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = fabs(u[i] * v[j] - u[j] * v[i]);
    }
    int axis = n[1] > n[0] ? 1 : 0;
    return n[2] > n[axis] ? 2 : axis;
}

gz_flat gz_flat_make(const double t[3][3], uint64_t *exact) {
    gz_flat flat = {.corners = t, .dimension = 2, .axis = -1};
    // The exact normal's components are the areas of the three projections.
    int first = longest_axis(t);
    for (int i = 0; i < 3; i++) {
        int axis = (first + i) % 3;
        flat.turn = gz_turn(t[0], t[1], t[2], axis, exact);
        if (flat.turn != 0) {
            flat.axis = axis;
            return flat;
        }
    }
    flat.p = flat.q = t[0];
    for (int i = 1; i < 3; i++) {
        if (compare(t[i], flat.p) < 0) flat.p = t[i];
        if (compare(t[i], flat.q) > 0) flat.q = t[i];
    }
    flat.dimension = compare(flat.p, flat.q) != 0;
    return flat;
}

// A point of the plane, in a triangle with area.
static bool contains(const gz_flat *t, const double *point, uint64_t *exact) {
    for (int i = 0; i < 3; i++) {
        const double *end, *start = gz_flat_edge(t, i, &end);
        if (gz_turn(start, end, point, t->axis, exact) == -t->turn) return false;
    }
    return true;
}

static bool on_line(const double *p, const double *q, const double *r, uint64_t *exact) {
    for (int axis = 0; axis < 3; axis++) {
        if (gz_turn(p, q, r, axis, exact) != 0) return false;
    }
    return true;
}

bool gz_flat_has_point(const gz_flat *t, const double point[3], uint64_t *exact) {
    if (t->dimension == 2) {
        return gz_orient3d_counted(t->corners[0], t->corners[1], t->corners[2], point, exact) ==
                   0 &&
               contains(t, point, exact);
    }
    return compare(t->p, point) <= 0 && compare(point, t->q) <= 0 &&
           on_line(t->p, t->q, point, exact);
}

bool gz_segments_cross(const double *p, const double *q, const double *r, const double *s, int axis,
                       uint64_t *exact) {
    // Each has its ends on different sides of the other's line, or on it. Where r is on the line pq
    // and s is not, the line rs meets pq in r alone, and p and q are on different sides of it just
    // when r is between them.
    int r_side = gz_turn(p, q, r, axis, exact), s_side = gz_turn(p, q, s, axis, exact);
    if (r_side * s_side > 0) return false;
    int p_side = gz_turn(r, s, p, axis, exact), q_side = gz_turn(r, s, q, axis, exact);
    if (p_side * q_side > 0) return false;
    return r_side != 0 || s_side != 0 || p_side != 0 || q_side != 0;
}

int gz_segments_axis(const double *p, const double *q, const double *r, const double *s,
                     uint64_t *exact) {
    for (int axis = 0; axis < 3; axis++) {
        if (gz_turn(p, q, r, axis, exact) != 0 || gz_turn(p, q, s, axis, exact) != 0 ||
            gz_turn(r, s, p, axis, exact) != 0) {
            return axis;
        }
    }
    return -1;
}

static bool segments_overlap(const gz_flat *a, const gz_flat *b, uint64_t *exact) {
    if (gz_orient3d_counted(a->p, a->q, b->p, b->q, exact) != 0) return false;
    int axis = gz_segments_axis(a->p, a->q, b->p, b->q, exact);
    if (axis >= 0) return gz_segments_cross(a->p, a->q, b->p, b->q, axis, exact);
    return compare(a->p, b->q) <= 0 && compare(b->p, a->q) <= 0;
}

// Both in one plane, t with area: they meet when an end is inside or an edge is crossed. Edges on
// one line that overlap have an end in common with the other's, so that is seen as well.
static bool segment_overlaps_in_plane(const gz_flat *s, const gz_flat *t, uint64_t *exact) {
    if (contains(t, s->p, exact)) return true;
    if (s->dimension == 0) return false;
    if (contains(t, s->q, exact)) return true;
    for (int i = 0; i < 3; i++) {
        const double *end, *start = gz_flat_edge(t, i, &end);
        if (gz_segments_cross(start, end, s->p, s->q, t->axis, exact)) return true;
    }
    return false;
}

static bool segment_overlaps(const gz_flat *s, const gz_flat *t, uint64_t *exact) {
    const double(*c)[3] = t->corners;
    int p_side = gz_orient3d_counted(c[0], c[1], c[2], s->p, exact);
    int q_side = gz_orient3d_counted(c[0], c[1], c[2], s->q, exact);
    if (p_side * q_side > 0) return false;
    if (p_side == 0 && q_side == 0) return segment_overlaps_in_plane(s, t, exact);
    // The line pq passes the plane once, inside when it sees all edges turn the same way.
    int above = 0, below = 0;
    for (int i = 0; i < 3; i++) {
        const double *end, *start = gz_flat_edge(t, i, &end);
        int side = gz_orient3d_counted(s->p, s->q, start, end, exact);
        above |= side > 0;
        below |= side < 0;
    }
    return !(above && below);
}

// The sides of the corners of t at the edges of `of`, inside: >= 0.
static void sides_in_plane(const gz_flat *of, const gz_flat *t, int turn, int axis, int side[3][3],
                           uint64_t *exact) {
    for (int i = 0; i < 3; i++) {
        const double *end, *start = gz_flat_edge(of, i, &end);
        for (int j = 0; j < 3; j++) {
            side[i][j] = turn * gz_turn(start, end, t->corners[j], axis, exact);
        }
    }
}

// Whether a corner of the other triangle is inside of all edges.
static bool some_corner_inside(int side[3][3]) {
    for (int j = 0; j < 3; j++) {
        if (side[0][j] >= 0 && side[1][j] >= 0 && side[2][j] >= 0) return true;
    }
    return false;
}

// Edge-edge, then containment (Moeller). Two tables hold the side of every corner at every edge of
// the other triangle, so each sign is computed once. Edges that cross have their ends on different
// sides of each other, or on them (gz_segments_cross); edges that overlap on one line have an end
// of one on the other, which containment sees.
static bool coplanar_overlap(const gz_flat *a, const gz_flat *b, uint64_t *exact) {
    int axis = a->axis; // serves b too: it lies in the same plane
    int b_turn = gz_turn(b->corners[0], b->corners[1], b->corners[2], axis, exact);
    int b_side[3][3], a_side[3][3];
    sides_in_plane(a, b, a->turn, axis, b_side, exact);
    sides_in_plane(b, a, b_turn, axis, a_side, exact);
    for (int i = 0; i < 3; i++) {
        int i_end = i == 2 ? 0 : i + 1;
        for (int j = 0; j < 3; j++) {
            int j_end = j == 2 ? 0 : j + 1;
            bool one_line = !b_side[i][j] && !b_side[i][j_end];
            if (!one_line && b_side[i][j] * b_side[i][j_end] <= 0 &&
                a_side[j][i] * a_side[j][i_end] <= 0) {
                return true;
            }
        }
    }
    return some_corner_inside(b_side) || some_corner_inside(a_side);
}

bool gz_degenerate_triangles_overlap(const gz_flat *a, const gz_flat *b, uint64_t *exact) {
    if (a->dimension == 2 && b->dimension == 2) return coplanar_overlap(a, b, exact);
    if (a->dimension == 2) return segment_overlaps(b, a, exact);
    if (b->dimension == 2) return segment_overlaps(a, b, exact);
    return segments_overlap(a, b, exact);
}

// The set where two triangles meet, as two points. Which points they are is decided by exact signs;
// only their coordinates are rounded: by Cramer's rule a point of an edge divides it in the ratio
// of two determinants, which are known to 2^-48 each and to the sign.

// Corners of either in the other, at most 6, and crossings of edges, at most 9.
#define POINTS_MAX 15

typedef struct point_set {
    double points[POINTS_MAX][3];
    int count;
} point_set;

// The box that both triangles' boxes share; not empty when they meet.
typedef struct box {
    double low[3], high[3];
} box;

static box box_shared(const double a[3][3], const double b[3][3]) {
    box shared;
    for (int k = 0; k < 3; k++) {
        shared.low[k] = fmax(fmin(fmin(a[0][k], a[1][k]), a[2][k]),
                             fmin(fmin(b[0][k], b[1][k]), b[2][k]));
        shared.high[k] = fmin(fmax(fmax(a[0][k], a[1][k]), a[2][k]),
                              fmax(fmax(b[0][k], b[1][k]), b[2][k]));
    }
    return shared;
}

// The point of pq where a linear function that is p_height in p and q_height in q (of different
// signs, or one 0) vanishes. Taken from the nearer end, and so the same for qp.
static void divide(const double *p, const double *q, double p_height, double q_height,
                   double point[3]) {
    bool near_p = fabs(p_height) <= fabs(q_height);
    const double *from = near_p ? p : q, *to = near_p ? q : p;
    double from_height = near_p ? p_height : q_height, to_height = near_p ? q_height : p_height;
    // Both 0 cannot be, but must not make a NaN either.
    double ratio = from_height == to_height ? 0 : from_height / (from_height - to_height);
    for (int k = 0; k < 3; k++) point[k] = from[k] + ratio * (to[k] - from[k]);
}

// Where the edge pq, whose ends are not both on the plane, crosses the plane of t.
static void cross_plane(const double *p, const double *q, const double t[3][3], double point[3]) {
    divide(p, q, gz_orient3d_value(t[0], t[1], t[2], p), gz_orient3d_value(t[0], t[1], t[2], q),
           point);
}

static void add(point_set *set, const double *point) {
    memcpy(set->points[set->count++], point, sizeof set->points[0]);
}

// Where edges of both cross within both, when they lie in one plane. Crossings in an end of either
// are left out: that end is a corner inside the other, and stands in the set unrounded already.
static void add_crossings(point_set *set, const gz_flat *a, const gz_flat *b, uint64_t *exact) {
    for (int i = 0; i < gz_flat_edge_count(a); i++) {
        const double *q, *p = gz_flat_edge(a, i, &q);
        for (int j = 0; j < gz_flat_edge_count(b); j++) {
            const double *s, *r = gz_flat_edge(b, j, &s);
            int axis = gz_segments_axis(p, q, r, s, exact);
            if (axis < 0 || gz_orient3d_counted(p, q, r, s, exact) != 0) continue;
            if (gz_turn(p, q, r, axis, exact) * gz_turn(p, q, s, axis, exact) >= 0 ||
                gz_turn(r, s, p, axis, exact) * gz_turn(r, s, q, axis, exact) >= 0) {
                continue;
            }
            divide(p, q, gz_turn_value(r, s, p, axis), gz_turn_value(r, s, q, axis),
                   set->points[set->count++]);
        }
    }
}

// Whether a segment, or a point, lies in the plane of a triangle with area.
static bool in_plane(const gz_flat *segment, const gz_flat *t, uint64_t *exact) {
    const double(*c)[3] = t->corners;
    return gz_orient3d_counted(c[0], c[1], c[2], segment->p, exact) == 0 &&
           gz_orient3d_counted(c[0], c[1], c[2], segment->q, exact) == 0;
}

static void add_corners_inside(point_set *set, const gz_flat *of, const gz_flat *in,
                               uint64_t *exact) {
    if (of->dimension == 2) {
        for (int i = 0; i < 3; i++) {
            if (gz_flat_has_point(in, of->corners[i], exact)) add(set, of->corners[i]);
        }
        return;
    }
    if (gz_flat_has_point(in, of->p, exact)) add(set, of->p);
    if (of->dimension == 1 && gz_flat_has_point(in, of->q, exact)) add(set, of->q);
}

static void farthest_pair(const point_set *set, double segment[2][3]) {
    double longest = -1;
    for (int i = 0; i < set->count; i++) {
        for (int j = i; j < set->count; j++) {
            const double *p = set->points[i], *q = set->points[j];
            double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
            double length = x * x + y * y + z * z;
            if (length > longest) {
                longest = length;
                memcpy(segment[0], p, sizeof segment[0]);
                memcpy(segment[1], q, sizeof segment[1]);
            }
        }
    }
}

// Coplanar triangles and triangles without area: the shared set is the hull of the corners of one
// in the other and the crossings of edges; or the one point where a segment passes through the
// plane of the other.
static void flat_segment(const double a[3][3], const double b[3][3], double segment[2][3],
                         uint64_t *exact) {
    gz_flat fa = gz_flat_make(a, exact), fb = gz_flat_make(b, exact);
    point_set set = {.count = 0};
    add_corners_inside(&set, &fa, &fb, exact);
    add_corners_inside(&set, &fb, &fa, exact);
    const gz_flat *thin = fa.dimension < 2 ? &fa : &fb, *other = thin == &fa ? &fb : &fa;
    if (thin->dimension < 2 && other->dimension == 2 && !in_plane(thin, other, exact)) {
        if (set.count == 0) {
            cross_plane(thin->p, thin->q, other->corners, set.points[set.count++]);
        }
    } else {
        add_crossings(&set, &fa, &fb, exact);
    }
    if (set.count == 0) add(&set, a[0]); // they do not meet; the caller's box keeps it sane
    farthest_pair(&set, segment);
}

// Two triangles whose planes meet in a line: the later of the two beginnings and the earlier of the
// two ends of their intervals. Returns whether these are one point.
static bool line_segment(const double a[3][3], const int a_sides[3], const double b[3][3],
                         const int b_sides[3], double segment[2][3], uint64_t *exact) {
    gz_crossing ca = gz_crossing_make(a, a_sides, 1);
    gz_crossing cb = gz_crossing_make(b, b_sides, -1);
    bool begins_in_b = gz_crossing_order(&ca, ca.low, &cb, cb.low, exact) > 0;
    bool ends_in_a = gz_crossing_order(&ca, ca.high, &cb, cb.high, exact) > 0;
    if (begins_in_b) {
        cross_plane(cb.apex, cb.low, a, segment[0]);
    } else {
        cross_plane(ca.apex, ca.low, b, segment[0]);
    }
    if (ends_in_a) {
        cross_plane(ca.apex, ca.high, b, segment[1]);
    } else {
        cross_plane(cb.apex, cb.high, a, segment[1]);
    }
    if (begins_in_b && ends_in_a) return gz_crossing_order(&ca, ca.high, &cb, cb.low, exact) == 0;
    if (!begins_in_b && !ends_in_a) return gz_crossing_order(&ca, ca.low, &cb, cb.high, exact) == 0;
    // Both ends on one triangle: one point just when its apex is on the other's plane.
    const double(*plane)[3] = begins_in_b ? a : b;
    const double *apex = begins_in_b ? cb.apex : ca.apex;
    return gz_orient3d_counted(plane[0], plane[1], plane[2], apex, exact) == 0;
}

// Into the shared box: the exact points are in it, so this can only bring the rounded ones nearer.
static void clamp(double point[3], const box *shared) {
    for (int k = 0; k < 3; k++) {
        point[k] = fmin(fmax(point[k], shared->low[k]), shared->high[k]);
    }
}

int gz_triangles_segment(const double a[3][3], const double b[3][3], double segment[2][3]) {
    uint64_t exact = 0;
    int a_sides[3], b_sides[3];
    for (int i = 0; i < 3; i++) {
        a_sides[i] = -gz_orient3d_counted(b[0], b[1], b[2], a[i], &exact);
        b_sides[i] = -gz_orient3d_counted(a[0], a[1], a[2], b[i], &exact);
    }
    bool one_point = false;
    if (gz_sides_flat(a_sides) || gz_sides_flat(b_sides) || gz_sides_one(a_sides) ||
        gz_sides_one(b_sides)) {
        flat_segment(a, b, segment, &exact);
    } else {
        one_point = line_segment(a, a_sides, b, b_sides, segment, &exact);
    }
    box shared = box_shared(a, b);
    clamp(segment[0], &shared);
    clamp(segment[1], &shared);
    if (one_point) memcpy(segment[1], segment[0], sizeof segment[1]);
    // Lexicographic, so that the order of corners and arguments matters as little as rounding
    // allows.
    int order = 0;
    for (int k = 0; k < 3 && order == 0; k++) {
        order = gz_sign(segment[0][k] - segment[1][k]);
    }
    if (order > 0) {
        double swap[3];
        memcpy(swap, segment[0], sizeof swap);
        memcpy(segment[0], segment[1], sizeof swap);
        memcpy(segment[1], swap, sizeof swap);
    }
    return order == 0 ? 1 : 2;
}
