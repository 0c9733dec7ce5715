/// The surface that a link shows, or collides with: all its geometry as one set of triangles.
#ifndef GZ_LINT_LINK_SURFACE_H
#define GZ_LINT_LINK_SURFACE_H

#include "lint/link_geometry.h"

/// The triangles of a link's geometries in the link's frame; curved shapes as 48 sides around,
/// which are at most 0.3 % of the radius inside. Geometry that is not known is left out.
/// @param soup [out] NULL where there is none, and when out of memory (the context says so); free
///             with gz_soup_free()
/// Cost: linear.
void gz_link_surface_make(gz_soup **soup, gz_lint_context *context, const gz_lint_link *link,
                          gz_lint_use use);

/// `count` points spread over a surface, by area: x y z each, into `points`. Deterministic. Returns
/// how many: none for a surface without area.
/// Cost: linear in triangles and points.
size_t gz_link_surface_sample(const gz_soup *soup, double *points, size_t count);

#endif
