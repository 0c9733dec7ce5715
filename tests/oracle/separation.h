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

/// Tries the 11 directions of two triangles (normals and products of edges) and the coordinate
/// ones; true is a proof that the triangles are apart.
bool separation_of_triangles(separation *s, const double a[9], const double b[9]);

#endif
