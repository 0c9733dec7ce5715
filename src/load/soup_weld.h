/// Which corners of two soups are the same point but for rounding?
#ifndef GZ_LOAD_SOUP_WELD_H
#define GZ_LOAD_SOUP_WELD_H

#include <stdbool.h>

#include "mesh/mesh.h"

enum { GZ_SOUP_WELD_COST = 48 }; ///< bytes for each vertex, at most

/// Names the vertices of the first soup, then those of the second: vertices that are up to
/// `tolerance` apart in each coordinate have the same name, and so has what a chain of such, or of
/// ones up to 1.001 times twice as far, links. One that has no vertex of the other soup so close by
/// has a name that the other soup has not, whatever links it. Vertices that no triangle uses link
/// nothing, and what they are called says nothing. @return false when out of memory
bool gz_soup_weld(uint64_t *names, const gz_soup *const soups[2], double tolerance);

#endif
