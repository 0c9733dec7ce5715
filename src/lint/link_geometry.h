/// Geometry as written, loaded or not: boxes around it, links as triangles, distances from these.
#ifndef GZ_LINT_LINK_GEOMETRY_H
#define GZ_LINT_LINK_GEOMETRY_H

#include "graze/geometry.h"
#include "lint/lint.h"

/// An axis-aligned box; empty while low > high.
typedef struct gz_lint_box {
    double low[3], high[3];
} gz_lint_box;

gz_lint_box gz_lint_box_empty(void);
bool gz_lint_box_is_empty(const gz_lint_box *box);
void gz_lint_box_add(gz_lint_box *box, const double p[3]);
/// Length of the diagonal; 0 when empty.
double gz_lint_box_diagonal(const gz_lint_box *box);

/// Which geometries of a link count.
typedef enum gz_lint_use {
    GZ_LINT_COLLISION = 1,
    GZ_LINT_VISUAL = 2,
    GZ_LINT_BOTH = 3
} gz_lint_use;

/// The box around one geometry in the link's frame; false where it is not known (no shape, a mesh
/// that cannot be read, sizes that are not valid).
bool gz_lint_geometry_box(const gz_lint_context *context, const gz_lint_geometry *geometry,
                          gz_lint_box *box);
/// The box around a link's geometries in its frame, empty where it has none; false where one is not
/// known.
bool gz_lint_link_box(const gz_lint_context *context, const gz_lint_link *link, gz_lint_use use,
                      gz_lint_box *box);
/// The scale of a mesh geometry: 1 1 1 where none is written.
void gz_lint_scale(const gz_lint_geometry *geometry, double scale[3]);

// The surface of a link: all its geometry, or the visual or collision part, as one set of
// triangles.

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

// Distance of a point from a mesh, and winding number. For comparing surfaces, not for verdicts:
// rounded, in double.

/// The distance of a point from the nearest point of any triangle; `bound` where it is at least
/// that much. Allocates nothing. Cost: logarithmic in the number of triangles for points nearby.
double gz_surface_distance(const graze_mesh *mesh, const double p[3], double bound);

/// How often the surface winds around a point: the solid angle that it takes up, in whole spheres.
/// 1 inside a closed surface that is wound outward, 0 outside; in between at holes, where 1/2 is
/// the natural border. Allocates nothing. Cost: O(n).
/// Source: Van Oosterom and Strackee, The solid angle of a plane triangle (1983); Jacobson, Kavan
/// and Sorkine-Hornung, Robust inside-outside segmentation using generalized winding numbers
/// (2013).
double gz_surface_winding(const graze_mesh *mesh, const double p[3]);

#endif
