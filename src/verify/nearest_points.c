#include "verify/nearest_points.h"

#include <math.h>
#include <string.h>

typedef long double real;

#define STEPS 200

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// v becomes the unit vector of its part perpendicular to an axis of unit length. Twice: of a
/// vector nearly along the axis the first difference leaves little but rounding, in any direction.
/// False where nothing is left.
static bool make_perpendicular(real v[3], const real axis[3]) {
    for (int time = 0; time < 2; time++) {
        real along = dot(v, axis), before = sqrtl(dot(v, v));
        for (int k = 0; k < 3; k++) v[k] -= along * axis[k];
        real size = sqrtl(dot(v, v));
        if (!(size > 1e-18L * before)) return false;
        for (int k = 0; k < 3; k++) v[k] /= size;
    }
    return true;
}

/// The farthest point of a solid along a direction.
static void support(const gz_solid *s, real inset, const real n[3], real out[3]) {
    const double *ends[3] = {s->core.corners[0], s->core.corners[1], s->core.corners[2]};
    real best = -INFINITY, axis[3], radius = s->radius - inset, length = sqrtl(dot(n, n));
    int found = 0;
    for (int i = 0; i < s->core.count; i++) {
        real p[3] = {ends[i][0], ends[i][1], ends[i][2]}, height = dot(n, p);
        if (height > best) {
            best = height;
            found = i;
        }
    }
    for (int k = 0; k < 3; k++) out[k] = ends[found][k];
    real across[3] = {n[0] / length, n[1] / length, n[2] / length};
    bool is_across = true;
    if (s->flat_ended) {
        for (int k = 0; k < 3; k++) axis[k] = (real)ends[1][k] - (real)ends[0][k];
        real size = sqrtl(dot(axis, axis));
        for (int k = 0; k < 3; k++) {
            axis[k] /= size;
            out[k] += (found == 0 ? inset : -inset) * axis[k];
        }
        is_across = make_perpendicular(across, axis);
    }
    for (int k = 0; is_across && k < 3; k++) out[k] += radius * across[k];
}

/// A point of the difference a - b, with what it comes from.
typedef struct corner {
    real d[3], a[3], b[3];
    real weight;
} corner;

/// Solves the symmetric n x n system m w = r (n <= 3) by elimination. False where it is singular.
static bool solve(int n, real m[3][3], real r[3]) {
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int k = i + 1; k < n; k++)
            if (fabsl(m[k][i]) > fabsl(m[pivot][i])) pivot = k;
        if (!(fabsl(m[pivot][i]) > 0)) return false;
        for (int k = 0; k < n; k++) {
            real swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        real swap = r[i];
        r[i] = r[pivot];
        r[pivot] = swap;
        for (int k = i + 1; k < n; k++) {
            real factor = m[k][i] / m[i][i];
            for (int j = i; j < n; j++) m[k][j] -= factor * m[i][j];
            r[k] -= factor * r[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) r[i] -= m[i][j] * r[j];
        r[i] /= m[i][i];
    }
    return true;
}

/// The point nearest to 0 of the plane through the chosen corners, as weights; false where it is
/// outside their hull.
static bool weigh(const corner *corners, const int *chosen, int count, real weights[4]) {
    real m[3][3], r[3], sum = 0;
    const real *o = corners[chosen[0]].d;
    real edges[3][3];
    for (int i = 1; i < count; i++)
        for (int k = 0; k < 3; k++) edges[i - 1][k] = corners[chosen[i]].d[k] - o[k];
    for (int i = 0; i < count - 1; i++) {
        for (int j = 0; j < count - 1; j++) m[i][j] = dot(edges[i], edges[j]);
        r[i] = -dot(edges[i], o);
    }
    if (!solve(count - 1, m, r)) return false;
    for (int i = 0; i < count - 1; i++) {
        if (!(r[i] >= 0)) return false;
        weights[i + 1] = r[i];
        sum += r[i];
    }
    weights[0] = 1 - sum;
    return weights[0] >= 0;
}

/// Keeps the corners of the smallest face that holds the point nearest to 0, which goes to v. Four
/// are kept only where they are around 0: of a flat tetrahedron the weights are rounding alone.
static int reduce(corner *corners, int count, real v[3]) {
    real best = INFINITY, largest = 0, kept_weights[4] = {1, 0, 0, 0};
    for (int i = 0; i < count; i++) largest = fmaxl(largest, dot(corners[i].d, corners[i].d));
    int kept[4] = {0}, kept_count = 1;
    for (int mask = 1; mask < 1 << count; mask++) {
        int chosen[4], n = 0;
        real weights[4], p[3] = {0, 0, 0};
        for (int i = 0; i < count; i++)
            if (mask >> i & 1) chosen[n++] = i;
        if (!weigh(corners, chosen, n, weights)) continue;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) p[k] += weights[i] * corners[chosen[i]].d[k];
        real size = dot(p, p);
        if (!(size < best) || (n == 4 && size > 1e-32L * largest)) continue;
        best = size;
        kept_count = n;
        memcpy(kept, chosen, sizeof kept);
        memcpy(kept_weights, weights, sizeof kept_weights);
        memcpy(v, p, sizeof p);
    }
    corner out[4];
    for (int i = 0; i < kept_count; i++) {
        out[i] = corners[kept[i]];
        out[i].weight = kept_weights[i];
    }
    memcpy(corners, out, (size_t)kept_count * sizeof *out);
    return kept_count;
}

static void add_corner(const gz_solid *a, const gz_solid *b, real inset, const real n[3],
                       corner *out) {
    real back[3] = {-n[0], -n[1], -n[2]};
    support(a, inset, n, out->a);
    support(b, 0, back, out->b);
    for (int k = 0; k < 3; k++) out->d[k] = out->a[k] - out->b[k];
}

gz_neighbours gz_closest_points_find(const gz_solid *a, const gz_solid *b, double inset) {
    corner corners[5];
    int count = 1;
    real v[3], n[3] = {1, 0, 0};
    add_corner(a, b, inset, n, &corners[0]);
    corners[0].weight = 1;
    memcpy(v, corners[0].d, sizeof v);
    for (int step = 0; step < STEPS; step++) {
        real size = dot(v, v);
        if (!(size > 1e-36L)) break;
        for (int k = 0; k < 3; k++) n[k] = -v[k];
        corner next;
        add_corner(a, b, inset, n, &next);
        if (size - dot(v, next.d) <= 1e-19L * size) break; // as near as it gets
        real before[3];
        corner kept[4];
        int kept_count = count;
        memcpy(before, v, sizeof v);
        memcpy(kept, corners, (size_t)count * sizeof *kept);
        corners[count++] = next;
        count = reduce(corners, count, v);
        if (count == 4) { // around 0
            memset(v, 0, sizeof v);
            break;
        }
        if (!(dot(v, v) < size)) { // rounding has the last word
            memcpy(corners, kept, sizeof kept);
            memcpy(v, before, sizeof v);
            count = kept_count;
            break;
        }
    }
    gz_neighbours out = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    real length = sqrtl(dot(v, v));
    for (int k = 0; k < 3; k++) {
        real pa = 0, pb = 0;
        for (int i = 0; i < count; i++) {
            pa += corners[i].weight * corners[i].a[k];
            pb += corners[i].weight * corners[i].b[k];
        }
        out.a[k] = (double)pa;
        out.b[k] = (double)pb;
        out.direction[k] = length > 0 ? (double)(-v[k] / length) : 0;
    }
    return out;
}
