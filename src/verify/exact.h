/// Vectors of big integers. Doubles become integers by one common power of two, so that every sum,
/// product and comparison below is that of the numbers themselves, without any rounding.
#ifndef GZ_VERIFY_EXACT_H
#define GZ_VERIFY_EXACT_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Three coordinates.
typedef struct gz_exact_vector {
    mpz_t x[3];
} gz_exact_vector;

/// The exponent e of the lowest set bit of a finite x != 0: x is a multiple of 2^e and of no
/// greater power of two. 0 counts as a multiple of everything: INT_MAX.
int gz_exact_exponent(double x);
/// The least exponent of several numbers; INT_MAX when all are 0.
int gz_exact_common_exponent(const double *x, size_t count);
/// out = x 2^-exponent, an integer when exponent is not above gz_exact_exponent(x).
void gz_exact_set(mpz_t out, double x, int exponent);

void gz_exact_vector_init(gz_exact_vector *v);
void gz_exact_vector_clear(gz_exact_vector *v);
void gz_exact_vector_set(gz_exact_vector *out, const double x[3], int exponent);

// Arguments may be one another, but for the output of gz_exact_cross() and gz_exact_dot().
void gz_exact_subtract(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b);
void gz_exact_cross(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b);
void gz_exact_dot(mpz_t out, const gz_exact_vector *a, const gz_exact_vector *b);
bool gz_exact_is_zero(const gz_exact_vector *v);
bool gz_exact_equal(const gz_exact_vector *a, const gz_exact_vector *b);

/// Whether points, segments and triangles meet, or are at most some distance apart: integers only.
///
/// Another method than src/narrow: an edge against a triangle by signed volumes, an edge against an
/// edge in their common plane, and squared distances as fractions.

/// A point, a segment or a triangle, by 1 to 3 corners; corners may coincide or lie on a line.
typedef struct gz_simplex {
    double corners[3][3];
    int count;
} gz_simplex;

/// Numbers that are reused from question to question; one thread at a time.
typedef struct gz_exact gz_exact;

/// NULL when memory is out.
gz_exact *gz_exact_create(void);
void gz_exact_free(gz_exact *x);

/// Whether the closed sets share a point. Exact for all finite coordinates.
bool gz_exact_meet(gz_exact *x, const gz_simplex *a, const gz_simplex *b);

#define GZ_REACH_TERMS 4
/// Whether their distance is at most the sum of four lengths >= 0 (two radii, a margin, a
/// tolerance), the sum in real arithmetic. Exact.
bool gz_exact_within(gz_exact *x, const gz_simplex *a, const gz_simplex *b,
                     const double reach[GZ_REACH_TERMS]);

/// How often closed surfaces wind around a point: signed crossings of a half line, integers only.
///
/// Another half line than src/narrow, which looks along z with an infinitely small shift: here it
/// runs along x, and where it meets an edge or a corner another direction is taken.

typedef struct gz_exact_winding gz_exact_winding;

/// NULL when memory is out.
gz_exact_winding *gz_exact_winding_create(void);
void gz_exact_winding_free(gz_exact_winding *x);

/// One triangle, counted `weight` times.
typedef struct gz_winding_triangle {
    const double *corners[3];
    int weight;
} gz_winding_triangle;

/// Begins a count about a point.
void gz_exact_winding_begin(gz_exact_winding *x, const double point[3]);
/// Adds a triangle. When this returns false the half line met its border, and the count begins anew
/// with gz_exact_winding_turn() and all triangles once more.
bool gz_exact_winding_add(gz_exact_winding *x, const gz_winding_triangle *triangle);
/// Takes another direction. False when 64 have been in vain, which no input of finite size and
/// luck that is not against all odds reaches: then there is no answer.
bool gz_exact_winding_turn(gz_exact_winding *x);
/// The sum: over a closed surface that is oriented outward 1 inside and 0 outside.
int64_t gz_exact_winding_sum(const gz_exact_winding *x);
/// Whether some triangle contained the point itself.
bool gz_exact_winding_on_surface(const gz_exact_winding *x);

#endif
