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

#include "math/wide_integer.h"
#include "narrow/triangle/triangle.h"

_Static_assert(GZ_WIDE_BITS >= 1056 + 64, "room for all products");

typedef struct operands {
    gz_wide corner[2][3][3];
    gz_wide edge[2][3][3], edge_square[2][3]; ///< edge i goes from corner i to the next
    gz_wide between[3][3][3];                 ///< [i][j]: from corner j of b to corner i of a
    gz_wide between_square[3][3];
    gz_wide margin_square;
} operands;

static void subtract(gz_wide out[3], const gz_wide a[3], const gz_wide b[3]) {
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
            subtract(o->edge[side][i], o->corner[side][(i + 1) % 3], o->corner[side][i]);
            gz_wide_dot(&o->edge_square[side][i], o->edge[side][i], o->edge[side][i]);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            subtract(o->between[i][j], o->corner[0][i], o->corner[1][j]);
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
static bool edge_edge(const operands *o, int i, int j) {
    const gz_wide *e = o->edge[0][i], *f = o->edge[1][j];
    gz_wide n[3], n_square, height, square, w[3], x[3], foot;
    gz_wide_cross(n, e, f);
    gz_wide_dot(&n_square, n, n);
    if (n_square.sign == 0) return false;
    gz_wide_dot(&height, o->between[i][j], n);
    gz_wide_multiply(&square, &height, &height);
    if (!is_within(o, &square, &n_square)) return false;
    subtract(w, o->corner[1][j], o->corner[0][i]);
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
    subtract(w, corner, o->corner[face][0]);
    gz_wide_dot(&height, w, n);
    gz_wide_multiply(&square, &height, &height);
    if (!is_within(o, &square, n_square)) return false;
    for (int i = 0; i < 3; i++) {
        subtract(w, corner, o->corner[face][i]);
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
            if (edge_edge(&o, i, j)) return true;
    return faces_near(&o);
}
