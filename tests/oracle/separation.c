#include "separation.h"

#include <math.h>

void separation_init(separation *s) {
    *s = (separation){.by_doubles = 0};
    mpq_inits(s->most, s->least, s->sum, s->term, s->factor, (mpq_ptr)0);
}

void separation_clear(separation *s) {
    mpq_clears(s->most, s->least, s->sum, s->term, s->factor, (mpq_ptr)0);
}

/// The extreme of sign * (n . p), rounded, and the largest |p_k|.
static double extreme(const double n[3], const double *p, size_t count, double sign, double *size) {
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double *v = p + 3 * i;
        double dot = sign * ((n[0] * v[0] + n[1] * v[1]) + n[2] * v[2]);
        most = dot > most ? dot : most;
        *size = fmax(*size, fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))));
    }
    return most;
}

static void exact_extreme(separation *s, const double n[3], const double *p, size_t count, int sign,
                          mpq_t out) {
    for (size_t i = 0; i < count; i++) {
        mpq_set_ui(s->sum, 0, 1);
        for (int k = 0; k < 3; k++) {
            mpq_set_d(s->term, p[3 * i + (size_t)k]);
            mpq_set_d(s->factor, sign * n[k]);
            mpq_mul(s->term, s->term, s->factor);
            mpq_add(s->sum, s->sum, s->term);
        }
        if (i == 0 || mpq_cmp(s->sum, out) > 0) mpq_set(out, s->sum);
    }
}

/// Whether the gap that s->most holds with the wrong sign is longer than margin |n|, by squares.
static bool exceeds(separation *s, const double n[3], double margin) {
    if (mpq_sgn(s->most) >= 0) return false;
    if (margin == 0) return true;
    mpq_mul(s->most, s->most, s->most);
    mpq_set_ui(s->sum, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(s->term, n[k]);
        mpq_mul(s->term, s->term, s->term);
        mpq_add(s->sum, s->sum, s->term);
    }
    mpq_set_d(s->factor, margin);
    mpq_mul(s->factor, s->factor, s->factor);
    mpq_mul(s->sum, s->sum, s->factor);
    return mpq_cmp(s->most, s->sum) > 0;
}

bool separation_prove_beyond(separation *s, const double n[3], const double *a, size_t a_count,
                             const double *b, size_t b_count, double margin) {
    double norm = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), size = 0;
    if (!(norm > 0) || !isfinite(norm)) return false;
    double gap = -extreme(n, a, a_count, 1, &size) - extreme(n, b, b_count, -1, &size);
    double threshold = margin * sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    // A dot product is off by at most 3.01 u |n|_1 |p|_max, u = 2^-53; two of them, their
    // difference, and underflow. The reach is off by 4 u of itself, its difference by u.
    double error = 0x1p-49 * norm * size + 0x1p-49 * threshold + 0x1p-900;
    if (gap - threshold > error) {
        s->by_doubles++;
        return true;
    }
    if (gap - threshold < -error) return false;
    exact_extreme(s, n, a, a_count, 1, s->most);
    exact_extreme(s, n, b, b_count, -1, s->least);
    mpq_add(s->most, s->most, s->least); // max n.a - min n.b
    if (!exceeds(s, n, margin)) return false;
    s->by_rationals++;
    return true;
}

bool separation_prove(separation *s, const double n[3], const double *a, size_t a_count,
                      const double *b, size_t b_count) {
    return separation_prove_beyond(s, n, a, a_count, b, b_count, 0);
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

/// Either way round.
static bool prove_both(separation *s, const double n[3], const double a[9], const double b[9]) {
    return separation_prove(s, n, a, 3, b, 3) || separation_prove(s, n, b, 3, a, 3);
}

bool separation_of_triangles(separation *s, const double a[9], const double b[9]) {
    double ea[3][3], eb[3][3], n[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            ea[k][i] = a[3 * ((k + 1) % 3) + i] - a[3 * k + i];
            eb[k][i] = b[3 * ((k + 1) % 3) + i] - b[3 * k + i];
            n[i] = i == k;
        }
        if (prove_both(s, n, a, b)) return true;
    }
    cross(ea[0], ea[1], n);
    if (prove_both(s, n, a, b)) return true;
    cross(eb[0], eb[1], n);
    if (prove_both(s, n, a, b)) return true;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            cross(ea[i], eb[j], n);
            if (prove_both(s, n, a, b)) return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------ search

/// Corners of the difference A - B that hold its point nearest to the origin.
typedef struct corners {
    double p[4][3];
    int count;
} corners;

static double dot(const double a[3], const double b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// The point nearest to the origin of the flat through some of the corners, where it lies between
/// them: by Cramer's rule on the products of the edges from the first.
static bool nearest_between(const corners *c, const int *chosen, int count, double out[3]) {
    const double *origin = c->p[chosen[0]];
    double e[3][3], g[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, right[3] = {0, 0, 0}, weight[3];
    for (int i = 1; i < count; i++)
        for (int k = 0; k < 3; k++) e[i - 1][k] = c->p[chosen[i]][k] - origin[k];
    for (int i = 0; i < count - 1; i++) {
        for (int j = 0; j < count - 1; j++) g[i][j] = dot(e[i], e[j]);
        right[i] = -dot(e[i], origin);
    }
    double cofactor[3], rest = 1;
    cross(g[1], g[2], cofactor);
    double determinant = dot(g[0], cofactor);
    if (!(determinant > 0)) return false;
    for (int i = 0; i < 3; i++) {
        // The matrix is symmetric: its rows are its columns.
        double m[3][3], product[3];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) m[j][k] = j == i ? right[k] : g[j][k];
        cross(m[1], m[2], product);
        weight[i] = dot(m[0], product) / determinant;
        if (i < count - 1 && weight[i] < 0) return false;
        rest -= i < count - 1 ? weight[i] : 0;
    }
    if (rest < 0) return false;
    for (int k = 0; k < 3; k++) {
        out[k] = origin[k];
        for (int i = 0; i < count - 1; i++) out[k] += weight[i] * e[i][k];
    }
    return true;
}

/// Keeps the corners around the nearest point, and returns it; false when they hold the origin.
static bool reduce(corners *c, double out[3]) {
    double best = INFINITY;
    corners kept = *c;
    for (int mask = 1; mask < 1 << c->count; mask++) {
        int chosen[4] = {0}, count = 0;
        for (int i = 0; i < c->count; i++)
            if (mask >> i & 1) chosen[count++] = i;
        double p[3];
        if (!nearest_between(c, chosen, count, p) || !(dot(p, p) < best)) continue;
        best = dot(p, p);
        for (int k = 0; k < 3; k++) out[k] = p[k];
        kept.count = count;
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) kept.p[i][k] = c->p[chosen[i]][k];
    }
    *c = kept;
    return c->count < 4 && best < INFINITY;
}

/// The point of a set that is least along d.
static const double *least(const double *p, size_t count, const double d[3], double sign) {
    size_t best = 0;
    double low = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double along = sign * dot(p + 3 * i, d);
        if (along < low) {
            low = along;
            best = i;
        }
    }
    return p + 3 * best;
}

/// Goes down to the shortest way v from b's hull to a's, or with `s` only as far as needed to prove
/// that it is longer than the margin.
static bool descend(separation *s, const double *a, size_t a_count, const double *b, size_t b_count,
                    double margin, double v[3]) {
    for (int k = 0; k < 3; k++) v[k] = a[k] - b[k];
    corners c = {.count = 0};
    for (int step = 0; step < 200; step++) {
        double length = sqrt(dot(v, v)), w[3];
        if (!(length > 0)) return false;
        const double *pa = least(a, a_count, v, 1), *pb = least(b, b_count, v, -1);
        for (int k = 0; k < 3; k++) w[k] = pa[k] - pb[k];
        // The sets are at least so far apart along v; where that is nearly all, v is the way.
        double along = dot(v, w) / length;
        if (s && along > margin && separation_prove_beyond(s, v, b, b_count, a, a_count, margin))
            return true;
        if (length - along <= 1e-13 * length) return !s;
        if (s && length < margin) return false;
        for (int k = 0; k < 3; k++) c.p[c.count][k] = w[k];
        c.count++;
        if (!reduce(&c, v)) return false;
    }
    return !s;
}

bool separation_search(separation *s, const double *a, size_t a_count, const double *b,
                       size_t b_count, double margin) {
    double way[3];
    return descend(s, a, a_count, b, b_count, margin, way);
}

bool separation_nearest(const double *a, size_t a_count, const double *b, size_t b_count,
                        double way[3]) {
    return descend(NULL, a, a_count, b, b_count, 0, way);
}
