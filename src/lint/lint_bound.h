/// How large is what a description draws? Boxes around geometry as written, loaded or not.
#ifndef GZ_LINT_LINT_BOUND_H
#define GZ_LINT_LINT_BOUND_H

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

#endif
