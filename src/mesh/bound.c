/// The straight box and the ball of a point set. See docs/shapes.md for the derivations in prose.
#include "mesh/bound.h"

#include <math.h>

#include "math/transform.h"

/// Far more than ever needed, so that nothing can loop.
#define BALL_PIVOTS 64

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
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < 3; k++) offset[k] += x[i] * e[i][k];
    }
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
        for (int i = 0; i + 1 < count; i++) {
            if (set >> i & 1U) index[size++] = i;
        }
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
    for (int i = 0; i < best_count; i++) copy(p[i], kept[i]);
    return best_count;
}

graze_sphere gz_bound_sphere(const double *v, size_t n) {
    if (n == 0) return (graze_sphere){{0, 0, 0}, 0};
    // Gaertner's pivoting: the farthest point joins those that carry the ball; the smallest ball of
    // these (at most five) is found by trying all subsets; its radius grows with every step.
    graze_aabb box = gz_bound_aabb(v, n);
    double middle[3] = {0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y),
                        0.5 * (box.min.z + box.max.z)};
    double support[5][3], square;
    copy(support[0], v + 3 * farthest(v, n, middle, &square));
    ball b = {{support[0][0], support[0][1], support[0][2]}, 0};
    ball smallest = {{middle[0], middle[1], middle[2]}, square};
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
    // 2u, square u, two sums 2u), its root below 4u, and underflow of the squares adds less than
    // sqrt(3 * 2^-1074) < 2^-536; the factor 1 + 2^-50 = 1 + 8u holds these and its own rounding.
    farthest(v, n, smallest.center, &square);
    double radius = sqrt(square) * (1 + 0x1p-50);
    if (square < 0x1p-900) {
        // So close to underflow, take the maximum norm, times two for sqrt(3) and rounding.
        radius = 0;
        for (size_t i = 0; i < 3 * n; i++) {
            double d = 2 * fabs(v[i] - smallest.center[i % 3]);
            if (d > radius) radius = d;
        }
    }
    return (graze_sphere){{smallest.center[0], smallest.center[1], smallest.center[2]}, radius};
}
