/// Whether two triangles are at most a given distance apart, in integers and without a filter. The
/// distance of two simplices is that of the affine hulls of two of their faces, where the nearest
/// points lie inside these; all pairs of faces are tried, the nearest points found by Cramer's
/// rule. Shares neither code nor method with the library, which knows corners, edges and faces.
#ifndef GRAZE_TESTS_RATIONAL_DISTANCE_H
#define GRAZE_TESTS_RATIONAL_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>

/// Big integers that are reused from pair to pair.
typedef struct rational_distance rational_distance;

rational_distance *rational_distance_create(void);
void rational_distance_free(rational_distance *distance);

/// Whether the distance of two triangles (x y z of each corner; segments and points where corners
/// coincide or lie on a line) is at most the exact sum of `terms`, none negative. Exact for all
/// finite numbers; closed sets, so 0 where they meet.
bool rational_distance_within(rational_distance *distance, const double a[9], const double b[9],
                              const double *terms, size_t term_count);

#endif
