/// Whether two sets of points are strictly apart along a direction, by exact arithmetic: doubles
/// with a bound on their rounding where these suffice, else rationals (GMP).
#ifndef GRAZE_TESTS_SEPARATION_H
#define GRAZE_TESTS_SEPARATION_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct separation {
    mpq_t most, least, sum, term, factor;
    unsigned long by_doubles, by_rationals; ///< proofs given
} separation;

void separation_init(separation *s);
void separation_clear(separation *s);

/// Whether every n . a is below every n . b. @param a,b x y z of each point
bool separation_prove(separation *s, const double n[3], const double *a, size_t a_count,
                      const double *b, size_t b_count);

/// Whether the two sets are farther apart along n than a margin, by which n . a must be below every
/// n . b times |n|. @param margin metres, finite, not negative
bool separation_prove_beyond(separation *s, const double n[3], const double *a, size_t a_count,
                             const double *b, size_t b_count, double margin);

/// Looks for a direction along which the hulls of two sets are farther apart than a margin (the
/// shortest way between them, by GJK in doubles), and proves it. False where there is none, or
/// where doubles do not find it.
bool separation_search(separation *s, const double *a, size_t a_count, const double *b,
                       size_t b_count, double margin);

/// About the shortest way from b's hull to a's, to some 12 digits mostly; false when they overlap.
bool separation_nearest(const double *a, size_t a_count, const double *b, size_t b_count,
                        double way[3]);

/// Tries the 11 directions of two triangles (normals and products of edges) and the coordinate
/// ones; true is a proof that the triangles are apart.
bool separation_of_triangles(separation *s, const double a[9], const double b[9]);

#endif
