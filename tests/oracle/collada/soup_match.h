/// Do two soups say the same? Compared as sets of triangles, whatever their order.
#ifndef TESTS_ORACLE_COLLADA_SOUP_MATCH_H
#define TESTS_ORACLE_COLLADA_SOUP_MATCH_H

#include <stdbool.h>

#include "mesh/mesh.h"

typedef struct gz_soup_match {
    /// Triangles of the one that the other lacks: [0] of the first soup, [1] of the second. Both 0:
    /// they say the same.
    size_t lacking[2];
    size_t first[2]; ///< the first of these, counted from 0; SIZE_MAX for none
    double apart;    ///< metres: how far the bounds of the two differ, at most
} gz_soup_match;

/// A soup, and how it was cut from polygons.
typedef struct gz_soup_cut {
    const gz_soup *soup;
    /// Of each triangle the number of the polygon that it is a part of, below the count of
    /// triangles; NULL: each is a polygon.
    const size_t *polygons;
} gz_soup_cut;

/// Compares. Corners that are up to `tolerance` apart in each coordinate are the same; those that
/// are more than twice as far are not, unless others stand between them in such steps. One that has
/// no corner of the other soup up to twice as far beside it is not in the other. The order of
/// triangles does not count, nor with which of its corners a triangle begins, nor how often it is
/// there; the way that it faces does. A triangle without area is there or not, as one likes.
/// Polygons that are cut into triangles along other diagonals are the same: rounding decides how
/// one with a straight angle is cut.
/// @param tolerance metres, not below 0
/// @return false when out of memory
/// Cost: n log n in the vertices and triangles of both.
bool gz_soup_match_find(gz_soup_match *match, const gz_soup_cut *ours, const gz_soup_cut *theirs,
                        double tolerance);

#endif
