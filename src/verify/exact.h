/// Exact tests in big integers: vectors, points, segments and triangles, winding numbers. Doubles
/// become integers by one common power of two, so nothing is rounded.
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

/// Zeroed memory of which the first `count` members are numbers, which are made too: structs of
/// mpz_t, vectors and arrays of these, and something behind. NULL when memory is out.
void *gz_exact_numbers_create(size_t size, size_t count);
/// Clears the numbers and frees; NULL is allowed.
void gz_exact_numbers_free(void *memory, size_t count);

void gz_exact_vector_set(gz_exact_vector *out, const double x[3], int exponent);

// Arguments may be one another, but for the output of gz_exact_cross() and gz_exact_dot().
void gz_exact_subtract(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b);
void gz_exact_cross(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b);
void gz_exact_dot(mpz_t out, const gz_exact_vector *a, const gz_exact_vector *b);

/// Whether R^T R of a pose is the identity up to 1e-9 and det R > 0, exactly. The engine tests that
/// in doubles: their rounding is allowed, too.
bool gz_exact_is_rigid(const double pose[12]);

// -------------------------------------------------------------------------------------- simplices
// Another method than src/narrow: an edge against a triangle by signed volumes, and squared
// distances as fractions, which are 0 where edges touch.

/// A point, a segment or a triangle, by 1 to 3 corners; corners may coincide or lie on a line.
typedef struct gz_simplex {
    double corners[3][3];
    int count;
} gz_simplex;

/// Numbers that are reused from question to question; one thread at a time.
typedef struct gz_exact gz_exact;

/// Returns NULL when memory is out.
gz_exact *gz_exact_create(void);
void gz_exact_free(gz_exact *x);

/// Whether the closed sets share a point. Exact for all finite coordinates.
bool gz_exact_intersect(gz_exact *x, const gz_simplex *a, const gz_simplex *b);

#define GZ_THRESHOLD_TERMS 4
/// Whether their distance is at most the sum of four lengths >= 0 (two radii, a margin, a
/// tolerance), the sum in real arithmetic. Exact.
bool gz_exact_within(gz_exact *x, const gz_simplex *a, const gz_simplex *b,
                     const double threshold[GZ_THRESHOLD_TERMS]);

// ---------------------------------------------------------------------------------------- winding
// Signed crossings of a half line from the point. Another one than in src/narrow, which looks along
// z with an infinitely small shift: here it runs along x, and where it passes through an edge or a
// corner another direction is taken.

typedef struct gz_exact_winding gz_exact_winding;

/// Returns NULL when memory is out.
gz_exact_winding *gz_exact_winding_create(void);
void gz_exact_winding_free(gz_exact_winding *x);

/// One triangle, counted `weight` times.
typedef struct gz_winding_triangle {
    const double *corners[3];
    int weight;
} gz_winding_triangle;

/// Begins the count of windings around a point.
void gz_exact_winding_begin(gz_exact_winding *x, const double point[3]);
/// Adds a triangle. When this returns false the half line passes through its border, and the count
/// begins anew with gz_exact_winding_turn() and all triangles once more.
bool gz_exact_winding_add(gz_exact_winding *x, const gz_winding_triangle *triangle);
/// Takes another direction. False after 64 directions, which is as good as impossible: then there
/// is no answer.
bool gz_exact_winding_turn(gz_exact_winding *x);
/// The winding number: of a closed surface that is oriented outward 1 inside and 0 outside.
int64_t gz_exact_winding_sum(const gz_exact_winding *x);
/// Whether some triangle contained the point itself.
bool gz_exact_winding_on_surface(const gz_exact_winding *x);

// -------------------------------------------------------------------------------------- cylinders
// Flat-ended cylinders against everything: integers prove what doubles have found.
//
// A pair is proved apart by a direction along which a gap exceeds the threshold, and near by a
// point that is inside the cylinder and near the other; doubles only propose which direction and
// which point. Between the two lies a zone of some 1e-12 m in which nothing is proved.

/// The points within `radius` of a simplex; with flat ends the cylinder around a segment.
typedef struct gz_solid {
    gz_simplex simplex;
    double radius;
    bool flat_ended; ///< then the simplex has two different ends
} gz_solid;

typedef enum gz_nearness {
    GZ_APART,    ///< proved: farther apart than the threshold
    GZ_NEAR,     ///< proved: at most the threshold apart
    GZ_UNDECIDED ///< within some 1e-12 m of the threshold
} gz_nearness;

typedef struct gz_exact_cylinder gz_exact_cylinder;

/// NULL when memory is out.
gz_exact_cylinder *gz_exact_cylinder_create(void);
void gz_exact_cylinder_free(gz_exact_cylinder *x);

/// How deep inside a cylinder a point must be to prove that something as near to it overlaps the
/// cylinder.
#define GZ_CYLINDER_DEPTH 0x1p-40

/// The two sides of a proof of nearness, exactly: whether the ball of that radius around a point
/// lies in a cylinder; and whether a point is at most threshold[0] + threshold[1] and that radius
/// from a solid.
bool gz_exact_cylinder_is_deep(gz_exact_cylinder *x, const gz_solid *cylinder,
                               const double point[3]);
bool gz_exact_cylinder_is_near(gz_exact_cylinder *x, gz_exact *simplices, const double point[3],
                               const gz_solid *solid, const double threshold[2]);

/// Whether two solids, at least one of them with flat ends, are at most threshold[0] + threshold[1]
/// apart.
gz_nearness gz_exact_cylinder_within(gz_exact_cylinder *x, gz_exact *simplices, const gz_solid *a,
                                     const gz_solid *b, const double threshold[2]);

#endif
