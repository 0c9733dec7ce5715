#include "rational_distance.h"

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "posed_mesh.h"

// Unknowns of two faces: (corners of one - 1) + (corners of the other - 1), at most 3 here: two
// faces with inner nearest points and four unknowns are parallel, or meet with an edge of one.
enum { UNKNOWNS = 3 };

struct rational_distance {
    mpz_t corner[2][3][3];
    mpz_t limit_square;
    mpz_t direction[UNKNOWNS][3]; ///< from the first corner of a face to the others; b's negated
    mpz_t between[3];             ///< from the first corner of b's face to that of a's
    mpz_t gram[UNKNOWNS][UNKNOWNS], right[UNKNOWNS];
    mpz_t determinant, solution[UNKNOWNS], term, product, sum;
};

static void each_number(rational_distance *d, void (*act)(mpz_ptr)) {
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) act(d->corner[side][i][k]);
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int k = 0; k < 3; k++) act(d->direction[i][k]);
        for (int j = 0; j < UNKNOWNS; j++) act(d->gram[i][j]);
        act(d->right[i]);
        act(d->solution[i]);
        act(d->between[i]);
    }
    mpz_ptr others[] = {d->limit_square, d->determinant, d->term, d->product, d->sum};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) act(others[i]);
}

static void start(mpz_ptr x) {
    mpz_init2(x, 2048);
}
static void stop(mpz_ptr x) {
    mpz_clear(x);
}

rational_distance *rational_distance_create(void) {
    rational_distance *d = allocate(1, sizeof *d);
    each_number(d, start);
    return d;
}

void rational_distance_free(rational_distance *d) {
    if (!d) return;
    each_number(d, stop);
    free(d);
}

// x is a multiple of 2^this.
static int exponent_of(double x) {
    int e;
    if (x == 0) return INT_MAX;
    frexp(x, &e);
    return e - 53;
}

static void set_integer(mpz_t out, double x, int exponent) {
    int e;
    double digits = ldexp(frexp(x, &e), 53);
    mpz_set_d(out, digits);
    if (x != 0) mpz_mul_2exp(out, out, (mp_bitcnt_t)(e - 53 - exponent));
}

static void dot(rational_distance *d, mpz_t out, mpz_t a[3], mpz_t b[3]) {
    mpz_mul(out, a[0], b[0]);
    for (int k = 1; k < 3; k++) {
        mpz_mul(d->product, a[k], b[k]);
        mpz_add(out, out, d->product);
    }
}

// The determinant of the first n rows and columns of gram, column `replaced` taken from right.
static void determinant(rational_distance *d, int n, int replaced, mpz_t out) {
    mpz_t *m[UNKNOWNS][UNKNOWNS];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m[i][j] = j == replaced ? &d->right[i] : &d->gram[i][j];
    if (n == 0) {
        mpz_set_ui(out, 1);
    } else if (n == 1) {
        mpz_set(out, *m[0][0]);
    } else if (n == 2) {
        mpz_mul(out, *m[0][0], *m[1][1]);
        mpz_submul(out, *m[0][1], *m[1][0]);
    } else {
        mpz_set_ui(out, 0);
        for (int j = 0; j < 3; j++) {
            int u = (j + 1) % 3, v = (j + 2) % 3;
            mpz_mul(d->term, *m[1][u], *m[2][v]);
            mpz_submul(d->term, *m[1][v], *m[2][u]);
            mpz_addmul(out, *m[0][j], d->term);
        }
    }
}

// Whether the nearest points of the hulls of two faces lie in the faces and are near enough. With
// the directions D (columns), unknowns w and the difference v of the first corners, |v + D w|^2 is
// least at D^T D w = -D^T v, and there v^2 + w . D^T v.
static bool faces_within(rational_distance *d, const int *face_a, int count_a, const int *face_b,
                         int count_b) {
    int n = count_a + count_b - 2;
    if (n > UNKNOWNS) return false;
    for (int k = 0; k < 3; k++) {
        mpz_sub(d->between[k], d->corner[0][face_a[0]][k], d->corner[1][face_b[0]][k]);
        for (int i = 1; i < count_a; i++)
            mpz_sub(d->direction[i - 1][k], d->corner[0][face_a[i]][k], d->corner[0][face_a[0]][k]);
        for (int i = 1; i < count_b; i++)
            mpz_sub(d->direction[count_a + i - 2][k], d->corner[1][face_b[0]][k],
                    d->corner[1][face_b[i]][k]);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) dot(d, d->gram[i][j], d->direction[i], d->direction[j]);
        dot(d, d->right[i], d->direction[i], d->between);
        mpz_neg(d->right[i], d->right[i]);
    }
    determinant(d, n, -1, d->determinant);
    if (mpz_sgn(d->determinant) <= 0) return false; // a Gram determinant is not negative
    // Weights: all of the solution at least 0, and their sums per face at most 1.
    for (int i = 0; i < n; i++) {
        determinant(d, n, i, d->solution[i]);
        if (mpz_sgn(d->solution[i]) < 0) return false;
    }
    for (int side = 0; side < 2; side++) {
        int from = side ? count_a - 1 : 0, to = side ? n : count_a - 1;
        mpz_set(d->sum, d->determinant);
        for (int i = from; i < to; i++) mpz_sub(d->sum, d->sum, d->solution[i]);
        if (mpz_sgn(d->sum) < 0) return false;
    }
    // v^2 det - solution . right <= limit^2 det
    dot(d, d->sum, d->between, d->between);
    mpz_sub(d->sum, d->sum, d->limit_square);
    mpz_mul(d->sum, d->sum, d->determinant);
    for (int i = 0; i < n; i++) mpz_submul(d->sum, d->solution[i], d->right[i]);
    return mpz_sgn(d->sum) <= 0;
}

bool rational_distance_within(rational_distance *d, const double a[9], const double b[9],
                              const double *terms, size_t term_count) {
    int exponent = 0, e;
    for (int i = 0; i < 9; i++) {
        if ((e = exponent_of(a[i])) < exponent) exponent = e;
        if ((e = exponent_of(b[i])) < exponent) exponent = e;
    }
    for (size_t i = 0; i < term_count; i++)
        if ((e = exponent_of(terms[i])) < exponent) exponent = e;
    for (int i = 0; i < 9; i++) {
        set_integer(d->corner[0][i / 3][i % 3], a[i], exponent);
        set_integer(d->corner[1][i / 3][i % 3], b[i], exponent);
    }
    mpz_set_ui(d->limit_square, 0);
    for (size_t i = 0; i < term_count; i++) {
        set_integer(d->term, terms[i], exponent);
        mpz_add(d->limit_square, d->limit_square, d->term);
    }
    mpz_mul(d->limit_square, d->limit_square, d->limit_square);
    static const int faces[7][3] = {{0}, {1}, {2}, {0, 1}, {1, 2}, {2, 0}, {0, 1, 2}};
    static const int counts[7] = {1, 1, 1, 2, 2, 2, 3};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            if (faces_within(d, faces[i], counts[i], faces[j], counts[j])) return true;
    return false;
}
