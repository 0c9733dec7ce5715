// Bounds of point sets. See docs/shapes.md for the derivations in prose.

#include <math.h>
#include <string.h>

#include "math/transform.h"
#include "mesh/bound.h"

// Limits of the rounds: far more than ever needed.
#define BALL_PIVOTS 64
#define BOX_ROUNDS  6
#define BOX_SWEEPS  4

static void copy(double out[3], const double a[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k];
}

graze_aabb gz_bound_aabb(const double *v, size_t n) {
    if (n == 0) return (graze_aabb){{0, 0, 0}, {0, 0, 0}};
    // Six numbers on their own, which stay in registers.
    double x0 = v[0], y0 = v[1], z0 = v[2], x1 = x0, y1 = y0, z1 = z0;
    for (size_t i = 1; i < n; i++) {
        double x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
        x0 = x < x0 ? x : x0;
        x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0;
        y1 = y > y1 ? y : y1;
        z0 = z < z0 ? z : z0;
        z1 = z > z1 ? z : z1;
    }
    return (graze_aabb){{x0, y0, z0}, {x1, y1, z1}};
}

static void middle_of(const graze_aabb *box, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = 0.5 * (GZ_ARRAY3(box->min)[k] + GZ_ARRAY3(box->max)[k]);
}

// ------------------------------------------------------------------------------------- the ball

typedef struct ball {
    double center[3];
    double square; ///< of the radius
} ball;

static size_t farthest(const double *v, size_t n, const double center[3], double *square) {
    size_t best = 0;
    double most = -1;
    const double x = center[0], y = center[1], z = center[2];
    for (size_t i = 0; i < n; i++) {
        double dx = v[3 * i] - x, dy = v[3 * i + 1] - y, dz = v[3 * i + 2] - z;
        double d = dx * dx + dy * dy + dz * dz;
        if (d > most) {
            most = d;
            best = i;
        }
    }
    *square = most;
    return best;
}

/// The smallest ball with count (1 to 4) points on its surface; false where they are (nearly)
/// dependent. The centre is p0 + sum of x_i e_i with e_i = p_i - p0 and 2 e_i . (sum of x_j e_j) =
/// e_i . e_i, a Gram system that is solved by elimination.
static bool ball_through(ball *out, double (*const p)[3], const int *index, int count) {
    double e[3][3], m[3][4], x[3];
    const double *origin = p[index[0]];
    int size = count - 1;
    for (int i = 0; i < size; i++) gz_subtract(p[index[i + 1]], origin, e[i]);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) m[i][j] = 2 * gz_dot(e[i], e[j]);
        m[i][size] = gz_dot(e[i], e[i]);
    }
    // A Gram matrix is positive definite unless the points are dependent: no pivoting.
    for (int i = 0; i < size; i++) {
        if (!(m[i][i] > 1e-12 * 2 * gz_dot(e[i], e[i]))) return false;
        for (int r = i + 1; r < size; r++) {
            double f = m[r][i] / m[i][i];
            for (int c = i; c <= size; c++) m[r][c] -= f * m[i][c];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        x[i] = m[i][size];
        for (int c = i + 1; c < size; c++) x[i] -= m[i][c] * x[c];
        x[i] /= m[i][i];
    }
    double offset[3] = {0, 0, 0};
    for (int i = 0; i < size; i++)
        for (int k = 0; k < 3; k++) offset[k] += x[i] * e[i][k];
    for (int k = 0; k < 3; k++) out->center[k] = origin[k] + offset[k];
    out->square = gz_dot(offset, offset);
    return true;
}

/// The smallest ball around count (2 to 5) points that has the last on its surface; keeps in p only
/// the points that carry it and returns their number, or 0 when rounding spoils all candidates.
static int ball_around(ball *out, double p[5][3], int count) {
    int best[4] = {0}, best_count = 0;
    for (unsigned set = 0; set < 1U << (count - 1); set++) {
        int index[5], size = 0;
        index[size++] = count - 1;
        for (int i = 0; i + 1 < count; i++)
            if (set >> i & 1U) index[size++] = i;
        ball b;
        if (size > 4 || !ball_through(&b, p, index, size)) continue;
        if (best_count > 0 && b.square >= out->square) continue;
        bool contains = true;
        for (int i = 0; i < count && contains; i++) {
            double d[3];
            gz_subtract(p[i], b.center, d);
            contains = gz_dot(d, d) <= b.square * (1 + 1e-10);
        }
        if (!contains) continue;
        *out = b;
        best_count = size;
        for (int i = 0; i < size; i++) best[i] = index[i];
    }
    double kept[4][3];
    for (int i = 0; i < best_count; i++) copy(kept[i], p[best[i]]);
    memcpy(p, kept, (size_t)best_count * sizeof *kept);
    return best_count;
}

graze_sphere gz_bound_sphere(const double *v, size_t n) {
    if (n == 0) return (graze_sphere){{0, 0, 0}, 0};
    // Gaertner's pivoting: the farthest point joins those that carry the ball; the smallest ball of
    // these (at most five) is found by trying all subsets; its radius grows with every step.
    graze_aabb box = gz_bound_aabb(v, n);
    double middle[3], support[5][3], square;
    middle_of(&box, middle);
    copy(support[0], v + 3 * farthest(v, n, middle, &square));
    ball b = {.square = 0}, smallest = {.square = square};
    copy(b.center, support[0]);
    copy(smallest.center, middle);
    int count = 1;
    for (int pivot = 0; pivot < BALL_PIVOTS; pivot++) {
        size_t far = farthest(v, n, b.center, &square);
        // Whatever the pivots do, the best centre so far is kept.
        if (square < smallest.square) {
            copy(smallest.center, b.center);
            smallest.square = square;
        }
        if (square <= b.square * (1 + 1e-12)) break;
        double before = b.square;
        copy(support[count], v + 3 * far);
        count = ball_around(&b, support, count + 1);
        if (count == 0 || b.square <= before) break;
    }
    // The radius. A computed square distance has a relative error below 6u (u = 2^-53: difference
    // 2u, square u, two sums 2u), and underflow of three squares adds 1.5 * 2^-1074; the factor 1 +
    // 2^-50 = 1 + 8u of the root holds these and two roundings where the square is at least
    // 2^-1022.
    farthest(v, n, smallest.center, &square);
    double radius = sqrt(square) * (1 + 0x1p-50);
    if (square < 0x1p-1022) {
        // So close to underflow, take the maximum norm, times two for sqrt(3) and rounding.
        radius = 0;
        for (size_t i = 0; i < 3 * n; i++) {
            double d = 2 * fabs(v[i] - smallest.center[i % 3]);
            if (d > radius) radius = d;
        }
    }
    return (graze_sphere){{smallest.center[0], smallest.center[1], smallest.center[2]}, radius};
}

// ------------------------------------------------------------------------------ axes of the box

static bool normalize(double a[3]) {
    double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    if (!(most > 0)) return false;
    for (int k = 0; k < 3; k++) a[k] /= most;
    double length = sqrt(gz_dot(a, a));
    for (int k = 0; k < 3; k++) a[k] /= length;
    return true;
}

void gz_bound_axes(double axis[3][3], const double first[3], const double second[3]) {
    copy(axis[0], first);
    if (!normalize(axis[0])) copy(axis[0], (double[3]){1, 0, 0});
    copy(axis[1], second);
    bool found = normalize(axis[1]);
    for (int attempt = 0; attempt < 2; attempt++) {
        // Twice is enough: the second projection removes what rounding left of the first.
        for (int pass = 0; pass < 2 && found; pass++) {
            double along = gz_dot(axis[0], axis[1]);
            for (int k = 0; k < 3; k++) axis[1][k] -= along * axis[0][k];
            found = gz_dot(axis[1], axis[1]) > 1e-16 && normalize(axis[1]);
        }
        if (found) break;
        // No second direction: the coordinate axis that is least along the first.
        int least = 0;
        for (int k = 1; k < 3; k++)
            if (fabs(axis[0][k]) < fabs(axis[0][least])) least = k;
        for (int k = 0; k < 3; k++) axis[1][k] = k == least ? 1 : 0;
        found = true;
    }
    gz_cross(axis[0], axis[1], axis[2]);
    normalize(axis[2]);
}

/// Extents of the points (relative to a reference point, so that no digits are lost) along the
/// axes, with the points that span them.
typedef struct extents {
    double low[3], high[3];
    size_t lowest[3], highest[3];
} extents;

/// Points from first to end, taken into what is known of those before, which this gives back.
static extents extents_of_block(const extents *before, const double *v, size_t first, size_t end,
                                const double reference[3], const double axis[3][3]) {
    const double x = reference[0], y = reference[1], z = reference[2];
    const double ax = axis[0][0], ay = axis[0][1], az = axis[0][2], bx = axis[1][0],
                 by = axis[1][1], bz = axis[1][2], cx = axis[2][0], cy = axis[2][1],
                 cz = axis[2][2];
    double a0 = before->low[0], a1 = before->high[0], b0 = before->low[1], b1 = before->high[1],
           c0 = before->low[2], c1 = before->high[2];
    for (size_t i = first; i < end; i++) {
        double dx = v[3 * i] - x, dy = v[3 * i + 1] - y, dz = v[3 * i + 2] - z;
        double a = ax * dx + ay * dy + az * dz, b = bx * dx + by * dy + bz * dz,
               c = cx * dx + cy * dy + cz * dz;
        a0 = a < a0 ? a : a0;
        a1 = a > a1 ? a : a1;
        b0 = b < b0 ? b : b0;
        b1 = b > b1 ? b : b1;
        c0 = c < c0 ? c : c0;
        c1 = c > c1 ? c : c1;
    }
    extents e = *before;
    const double low[3] = {a0, b0, c0}, high[3] = {a1, b1, c1};
    for (int k = 0; k < 3; k++) {
        if (low[k] < e.low[k]) e.lowest[k] = first;
        if (high[k] > e.high[k]) e.highest[k] = first;
        e.low[k] = low[k];
        e.high[k] = high[k];
    }
    return e;
}

/// The first point of a block that is so far along an axis.
static size_t point_at(double far, const double *v, size_t first, const double reference[3],
                       const double axis[3]) {
    for (size_t i = first;; i++) {
        double d[3];
        gz_subtract(v + 3 * i, reference, d);
        if (gz_dot(axis, d) == far) return i;
    }
}

/// Block by block: within one, no branch and no number of a point, which is found in the end.
static extents extents_of(const double *v, size_t n, const double reference[3],
                          const double axis[3][3]) {
    enum { BLOCK = 32 };
    extents e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0}, {0}};
    for (size_t i = 0; i < n; i += BLOCK)
        e = extents_of_block(&e, v, i, n - i < BLOCK ? n : i + BLOCK, reference, axis);
    for (int k = 0; k < 3 && n > 0; k++) {
        e.lowest[k] = point_at(e.low[k], v, e.lowest[k], reference, axis[k]);
        e.highest[k] = point_at(e.high[k], v, e.highest[k], reference, axis[k]);
    }
    return e;
}

/// A quarter of the surface of the box, and a little of its edges so that flat sets have a smallest
/// box, too.
static double cost_of(double x, double y, double z) {
    return x * y + y * z + z * x + 0x1p-20 * (x * x + y * y + z * z);
}

static double extents_cost(const extents *e) {
    return cost_of(e->high[0] - e->low[0], e->high[1] - e->low[1], e->high[2] - e->low[2]);
}

// ------------------------------------------------------------------------- the box of few points

/// As many as the directions and the rounds can add.
#define BOX_POINTS (26 + 6 * BOX_ROUNDS)

/// The points that carry the box: extreme ones in some directions, relative to the reference point.
typedef struct few {
    double p[BOX_POINTS][3];
    size_t count;
} few;

static void few_add(few *f, const double *v, size_t i, const double reference[3]) {
    double d[3];
    gz_subtract(v + 3 * i, reference, d);
    for (size_t j = 0; j < f->count; j++)
        if (f->p[j][0] == d[0] && f->p[j][1] == d[1] && f->p[j][2] == d[2]) return;
    if (f->count < BOX_POINTS) copy(f->p[f->count++], d);
}

/// Points extreme along the three axes, the six face diagonals and the four space diagonals.
static void few_start(few *f, const double *v, size_t n, const double reference[3]) {
    enum { DIRECTIONS = 13 };
    double low[DIRECTIONS], high[DIRECTIONS];
    size_t lowest[DIRECTIONS] = {0}, highest[DIRECTIONS] = {0};
    for (int k = 0; k < DIRECTIONS; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = 0; i < n; i++) {
        double x = v[3 * i] - reference[0], y = v[3 * i + 1] - reference[1],
               z = v[3 * i + 2] - reference[2];
        const double along[DIRECTIONS] = {x,         y,         z,        x + y, x - y,
                                          x + z,     x - z,     y + z,    y - z, x + y + z,
                                          x + y - z, x - y + z, x - y - z};
        for (int k = 0; k < DIRECTIONS; k++) {
            if (along[k] < low[k]) {
                low[k] = along[k];
                lowest[k] = i;
            }
            if (along[k] > high[k]) {
                high[k] = along[k];
                highest[k] = i;
            }
        }
    }
    f->count = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        few_add(f, v, lowest[k], reference);
        few_add(f, v, highest[k], reference);
    }
}

typedef struct flat_point {
    double x, y;
} flat_point;

static double turn(flat_point a, flat_point b, flat_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Convex hull by Andrew's monotone chain; sorts p, returns the number of corners in hull, which
/// has room for 2 n: turns are rounded, and no sign of theirs makes either chain longer than the
/// points that it is offered, n and n - 1.
static size_t flat_hull(flat_point *hull, flat_point *p, size_t n) {
    for (size_t i = 1; i < n; i++) {
        flat_point key = p[i];
        size_t j = i;
        for (; j > 0 && (p[j - 1].x > key.x || (p[j - 1].x == key.x && p[j - 1].y > key.y)); j--) {
            p[j] = p[j - 1];
        }
        p[j] = key;
    }
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        while (count >= 2 && turn(hull[count - 2], hull[count - 1], p[i]) <= 0) count--;
        hull[count++] = p[i];
    }
    size_t base = count + 1;
    for (size_t i = n - 1; i-- > 0;) {
        while (count >= base && turn(hull[count - 2], hull[count - 1], p[i]) <= 0) count--;
        hull[count++] = p[i];
    }
    return count > 1 ? count - 1 : count;
}

/// The corner of a convex polygon that is farthest in each of three directions.
typedef struct calipers {
    const flat_point *hull;
    size_t corners;
    double slack; ///< far more than the corners are off by rounding
    size_t front, top, back;
} calipers;

/// Moves on from the corner *at, anticlockwise, as long as that leads farther along (x, y), or not
/// back by more than rounding; returns how far. The corner need not be the farthest to the last
/// bit: what comes of it is a choice of axes, not a bound.
static double farthest_on(const calipers *c, size_t *at, double x, double y) {
    size_t i = *at < c->corners ? *at : 0;
    double most = x * c->hull[i].x + y * c->hull[i].y;
    *at = i;
    for (size_t steps = 1; steps < c->corners; steps++) {
        i = i + 1 < c->corners ? i + 1 : 0;
        double far = x * c->hull[i].x + y * c->hull[i].y;
        if (far < most - c->slack) break;
        if (far < most) continue;
        most = far;
        *at = i;
    }
    return most;
}

/// Turns axes u and w about the third so that the box of the few points gets smaller: of all boxes
/// with that axis the smallest has a side along an edge of the flat hull. True when it got smaller.
static bool turn_about(const few *f, double axis[3][3], int fixed, double *cost) {
    const int u = (fixed + 1) % 3, w = (fixed + 2) % 3;
    flat_point p[BOX_POINTS], hull[2 * BOX_POINTS];
    double low = INFINITY, high = -INFINITY, size = 0;
    for (size_t i = 0; i < f->count; i++) {
        double z = gz_dot(axis[fixed], f->p[i]);
        low = z < low ? z : low;
        high = z > high ? z : high;
        p[i] = (flat_point){gz_dot(axis[u], f->p[i]), gz_dot(axis[w], f->p[i])};
        double far = fabs(z) + fabs(p[i].x) + fabs(p[i].y);
        size = far > size ? far : size;
    }
    size_t corners = flat_hull(hull, p, f->count);
    double best = *cost * (1 - 1e-9), best_x = 0, best_y = 0;
    // The farthest corners along an edge and across it move on with the edge (Toussaint 1983,
    // "Solving geometric problems with the rotating calipers").
    calipers c = {hull, corners, 1e-12 * size, 1, 1, 1};
    bool first = true;
    for (size_t i = 0; i < corners; i++) {
        flat_point a = hull[i], b = hull[(i + 1) % corners];
        double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
        if (!(length > c.slack)) continue; // has no direction
        x /= length;
        y /= length;
        if (first) c.front = i;
        double s1 = farthest_on(&c, &c.front, x, y);
        if (first) c.top = c.front; // each comes behind the one before, going round
        double t1 = farthest_on(&c, &c.top, -y, x);
        if (first) c.back = c.top;
        first = false;
        double s0 = -farthest_on(&c, &c.back, -x, -y), t0 = x * a.y - y * a.x;
        double here = cost_of(s1 - s0, t1 - t0, high - low);
        if (here < best) {
            best = here;
            best_x = x;
            best_y = y;
        }
    }
    if (best_x == 0 && best_y == 0) return false;
    *cost = best;
    double turned[3], out[3][3];
    for (int k = 0; k < 3; k++) turned[k] = best_x * axis[u][k] + best_y * axis[w][k];
    gz_bound_axes(out, axis[fixed], turned);
    for (int k = 0; k < 3; k++) copy(axis[(fixed + k) % 3], out[k]);
    return true;
}

/// Turns about each axis in turn until nothing gets smaller.
static double shrink(const few *f, double axis[3][3]) {
    static const double origin[3] = {0, 0, 0};
    extents e = extents_of(f->p[0], f->count, origin, (const double(*)[3])axis);
    double cost = extents_cost(&e);
    int idle = 0;
    for (int step = 0; step < 3 * BOX_SWEEPS && idle < 3; step++) {
        idle = turn_about(f, axis, step % 3, &cost) ? 0 : idle + 1;
    }
    return cost;
}

/// Axes along the directions of most and second most spread of the few points: the eigenvectors of
/// their covariance by Jacobi's rotations.
static void spread_axes(const few *f, double axis[3][3]) {
    double mean[3] = {0, 0, 0}, c[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (size_t i = 0; i < f->count; i++)
        for (int k = 0; k < 3; k++) mean[k] += f->p[i][k] / (double)f->count;
    for (size_t i = 0; i < f->count; i++) {
        double d[3];
        gz_subtract(f->p[i], mean, d);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) c[r][k] += d[r] * d[k];
    }
    for (int step = 0; step < 24; step++) {
        int p = step % 3 == 2 ? 1 : 0, q = step % 3 == 0 ? 1 : 2;
        if (c[p][q] == 0) continue;
        double theta = (c[q][q] - c[p][p]) / (2 * c[p][q]);
        double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
        double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
        for (int k = 0; k < 3; k++) {
            double a = c[k][p], b = c[k][q];
            c[k][p] = cosine * a - sine * b;
            c[k][q] = sine * a + cosine * b;
        }
        for (int k = 0; k < 3; k++) {
            double a = c[p][k], b = c[q][k];
            c[p][k] = cosine * a - sine * b;
            c[q][k] = sine * a + cosine * b;
            a = v[k][p];
            b = v[k][q];
            v[k][p] = cosine * a - sine * b;
            v[k][q] = sine * a + cosine * b;
        }
    }
    int most = 0;
    for (int k = 1; k < 3; k++)
        if (c[k][k] > c[most][most]) most = k;
    int other = (most + 1) % 3, last = (most + 2) % 3;
    int second = c[last][last] > c[other][other] ? last : other;
    gz_bound_axes(axis, (double[3]){v[0][most], v[1][most], v[2][most]},
                  (double[3]){v[0][second], v[1][second], v[2][second]});
}

/// Axes of the large triangle of DiTO (Larsson and Kallberg 2011): the longest pair of the few
/// points, and the point farthest from their line.
static void triangle_axes(const few *f, double axis[3][3]) {
    size_t a = 0, b = 0;
    double most = -1;
    for (size_t i = 0; i < f->count; i++) {
        for (size_t j = i + 1; j < f->count; j++) {
            double d[3];
            gz_subtract(f->p[j], f->p[i], d);
            if (!(gz_dot(d, d) > most)) continue;
            most = gz_dot(d, d);
            a = i;
            b = j;
        }
    }
    double edge[3], normal[3] = {0, 0, 0};
    gz_subtract(f->p[b], f->p[a], edge);
    for (size_t i = 0; i < f->count; i++) {
        double d[3], n[3];
        gz_subtract(f->p[i], f->p[a], d);
        gz_cross(edge, d, n);
        if (gz_dot(n, n) > gz_dot(normal, normal)) copy(normal, n);
    }
    gz_bound_axes(axis, normal, edge);
}

// --------------------------------------------------------------------------------------- the box

graze_obb gz_bound_obb_along(const double *v, size_t n, const double axis[3][3], double radius,
                             const bool radial[3]) {
    graze_aabb box = gz_bound_aabb(v, n);
    double reference[3], center[3], half[3] = {0, 0, 0};
    middle_of(&box, reference);
    copy(center, reference);
    if (n > 0) {
        extents e = extents_of(v, n, reference, axis);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) center[k] += 0.5 * (e.low[i] + e.high[i]) * axis[i][k];
        // Seen from the centre as rounded, so that its error does not count.
        e = extents_of(v, n, center, axis);
        for (int k = 0; k < 3; k++) half[k] = fmax(-e.low[k], e.high[k]);
    }
    for (int k = 0; k < 3; k++) half[k] += radial[k] ? radius : 0;
    // Growth. A point is c + A s with s = (A^T A)^-1 A^T d, d = v - c, and the computed p is A^T d
    // up to 4u |d|_1 (u = 2^-53). With A^T A = I + E, |E_ij| <= e = 2^-48 (checked to 2^-49 before,
    // with an error below 8u), |s - p| <= 3 e |s|_max + 4u |d|_1, and both norms are below twice
    // the sum of the computed halves: 14 e is enough for the points. A ball of the radius needs
    // (1 + 3 e) of it; a disc across an axis, whose direction is off by at most 2^-49, reaches
    // 2^-49 of the radius to its sides. With the roundings of the sums, 2^-43 holds all.
    double grow = 0x1p-43 * (half[0] + half[1] + half[2] + radius);
    graze_obb out = {{center[0], center[1], center[2]},
                     .half = {half[0] + grow, half[1] + grow, half[2] + grow}};
    memcpy(out.axis, axis, sizeof out.axis);
    return out;
}

/// Whether the axes are as orthonormal as the growth above assumes; rounding keeps them so.
static bool orthonormal(const double axis[3][3]) {
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++)
            if (!(fabs(gz_dot(axis[i], axis[j]) - (i == j ? 1 : 0)) <= 0x1p-49)) return false;
    }
    return true;
}

graze_obb gz_bound_obb(const double *v, size_t n) {
    static const double straight[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const bool no_radius[3] = {false, false, false};
    if (n < 2) return gz_bound_obb_along(v, n, straight, 0, no_radius);
    graze_aabb box = gz_bound_aabb(v, n);
    double reference[3];
    middle_of(&box, reference);
    // The smallest box of a few extreme points, from three starts.
    few f;
    few_start(&f, v, n, reference);
    double axis[3][3], start[3][3][3], least = INFINITY;
    memcpy(start[0], straight, sizeof straight);
    spread_axes(&f, start[1]);
    triangle_axes(&f, start[2]);
    for (int s = 0; s < 3; s++) {
        double cost = shrink(&f, start[s]);
        if (cost >= least) continue;
        least = cost;
        memcpy(axis, start[s], sizeof axis);
    }
    // Points that stick out of it join the few, until none does.
    double best_axis[3][3], best = INFINITY;
    for (int round = 0; round < BOX_ROUNDS; round++) {
        extents e = extents_of(v, n, reference, (const double(*)[3])axis);
        double cost = extents_cost(&e);
        if (cost < best && orthonormal((const double(*)[3])axis)) {
            best = cost;
            memcpy(best_axis, axis, sizeof axis);
        }
        if (cost <= least * (1 + 1e-6)) break;
        size_t before = f.count;
        for (int k = 0; k < 3; k++) {
            few_add(&f, v, e.lowest[k], reference);
            few_add(&f, v, e.highest[k], reference);
        }
        if (f.count == before) break;
        least = shrink(&f, axis);
    }
    // The straight box unless the other is smaller by more than rounding.
    double straight_cost = cost_of(box.max.x - box.min.x, box.max.y - box.min.y,
                                   box.max.z - box.min.z);
    bool turned = best < straight_cost * (1 - 1e-9);
    return gz_bound_obb_along(v, n, turned ? (const double(*)[3])best_axis : straight, 0,
                              no_radius);
}
