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

bool separation_prove(separation *s, const double n[3], const double *a, size_t a_count,
                      const double *b, size_t b_count) {
    double norm = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), size = 0;
    if (!(norm > 0) || !isfinite(norm)) return false;
    double gap = -extreme(n, a, a_count, 1, &size) - extreme(n, b, b_count, -1, &size);
    // A dot product is off by at most 3.01 u |n|_1 |p|_max, u = 2^-53; two of them, their
    // difference, and underflow.
    double error = 0x1p-49 * norm * size + 0x1p-900;
    if (gap > error) {
        s->by_doubles++;
        return true;
    }
    if (gap < -error) return false;
    exact_extreme(s, n, a, a_count, 1, s->most);
    exact_extreme(s, n, b, b_count, -1, s->least);
    mpq_add(s->most, s->most, s->least); // max n.a - min n.b
    if (mpq_sgn(s->most) >= 0) return false;
    s->by_rationals++;
    return true;
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
