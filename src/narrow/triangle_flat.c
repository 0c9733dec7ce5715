// Triangles in one plane, and triangles without area: the cases where Moeller's intervals do not
// exist. Everything is decided by the exact signs of predicate.h and by comparing coordinates.

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

static bool segments_meet(const gz_flat *a, const gz_flat *b, uint64_t *exact) {
    if (gz_orient3d_counted(a->p, a->q, b->p, b->q, exact) != 0) return false;
    int axis = gz_segments_axis(a->p, a->q, b->p, b->q, exact);
    if (axis >= 0) return gz_segments_cross(a->p, a->q, b->p, b->q, axis, exact);
    return compare(a->p, b->q) <= 0 && compare(b->p, a->q) <= 0;
}

// Both in one plane, t with area: they meet when an end is inside or an edge is crossed. Edges on
// one line that overlap have an end in common with the other's, so that is seen as well.
static bool segment_meets_in_plane(const gz_flat *s, const gz_flat *t, uint64_t *exact) {
    if (contains(t, s->p, exact)) return true;
    if (s->dimension == 0) return false;
    if (contains(t, s->q, exact)) return true;
    for (int i = 0; i < 3; i++) {
        const double *end, *start = gz_flat_edge(t, i, &end);
        if (gz_segments_cross(start, end, s->p, s->q, t->axis, exact)) return true;
    }
    return false;
}

static bool segment_meets(const gz_flat *s, const gz_flat *t, uint64_t *exact) {
    const double(*c)[3] = t->corners;
    int p_side = gz_orient3d_counted(c[0], c[1], c[2], s->p, exact);
    int q_side = gz_orient3d_counted(c[0], c[1], c[2], s->q, exact);
    if (p_side * q_side > 0) return false;
    if (p_side == 0 && q_side == 0) return segment_meets_in_plane(s, t, exact);
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
static bool coplanar_meet(const gz_flat *a, const gz_flat *b, uint64_t *exact) {
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
    if (a->dimension == 2 && b->dimension == 2) return coplanar_meet(a, b, exact);
    if (a->dimension == 2) return segment_meets(b, a, exact);
    if (b->dimension == 2) return segment_meets(a, b, exact);
    return segments_meet(a, b, exact);
}
