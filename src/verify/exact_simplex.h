/// Whether points, segments and triangles meet, or are at most some distance apart: integers only.
///
/// Another method than src/narrow: an edge against a triangle by signed volumes, an edge against an
/// edge in their common plane, and squared distances as fractions.
#ifndef GZ_VERIFY_EXACT_SIMPLEX_H
#define GZ_VERIFY_EXACT_SIMPLEX_H

#include <stdbool.h>

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

#endif
