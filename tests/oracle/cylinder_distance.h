/// Distances of flat-ended cylinders from points, segments, triangles and each other, in 192-bit
/// arithmetic (MPFR), by cases of features: no support functions, no simplices of differences.
/// Shares neither code nor method with the library.
#ifndef GRAZE_TESTS_CYLINDER_DISTANCE_H
#define GRAZE_TESTS_CYLINDER_DISTANCE_H

#include <stddef.h>

/// The points at most `radius` from the axis a-b, between its ends.
typedef struct solid_cylinder {
    double a[3], b[3], radius; ///< a and b differ
} solid_cylinder;

/// Numbers that are reused from call to call.
typedef struct cylinder_distance cylinder_distance;

cylinder_distance *cylinder_distance_create(void);
void cylinder_distance_free(cylinder_distance *d);

/// The distance less the sum of `terms`, rounded once. Whatever it is, two points that far apart
/// have been found: it is never too small by more than 2^-140 of the sizes, and too large by no
/// more than some 2^-70 of them, as golden sections end. Both solids closed: parts alone, negated,
/// where they meet. The other set is the hull of 1 to 3 points.
double cylinder_hull_excess(cylinder_distance *d, const solid_cylinder *c, const double (*p)[3],
                            int count, const double *terms, size_t term_count);
double cylinder_pair_excess(cylinder_distance *d, const solid_cylinder *c, const solid_cylinder *e,
                            const double *terms, size_t term_count);

#endif
