/// Boxes of one posed mesh, seen from the frame of another.
#ifndef GZ_NARROW_FRAME_CHANGE_H
#define GZ_NARROW_FRAME_CHANGE_H

#include "math/transform.h"
#include "mesh/mesh.h"

typedef struct gz_frame_change {
    double relative[12]; ///< from the frame of one to that of the other
    double pad;          ///< all that snapped triangles may be off, seen from the other frame
} gz_frame_change;

/// The pads of both meshes as derived in vertical_ray.h, for a point of either.
static inline gz_frame_change gz_frame_change_make(const graze_mesh *from,
                                                   const double pose_from[12], const graze_mesh *to,
                                                   const double pose_to[12]) {
    gz_frame_change c;
    gz_transform_relative(pose_from, pose_to, c.relative);
    double t[3] = {c.relative[3], c.relative[7], c.relative[11]};
    c.pad = 2e-8 * (gz_norm(t) + 2 * from->reach + 2 * to->reach) +
            0x1p-46 * (gz_transform_far(pose_from) + gz_transform_far(pose_to)) + 1e-29;
    return c;
}

/// A box (centre, half extents) in the other frame, grown by the pad.
static inline void gz_frame_change_box(const gz_frame_change *c, const double center[3],
                                       const double half[3], double center_out[3],
                                       double half_out[3]) {
    const double *m = c->relative;
    gz_transform_apply(m, center, center_out);
    for (int k = 0; k < 3; k++)
        half_out[k] = fabs(m[4 * k]) * half[0] + fabs(m[4 * k + 1]) * half[1] +
                      fabs(m[4 * k + 2]) * half[2] + c->pad;
}

/// The same as the query of gz_node_overlap() against trees of a mesh: in float, where rounding the
/// query and the sums in the test costs 2^-22 of the sizes. *pad covers it.
static inline gz_box gz_query_box(const double center[3], const double half[3],
                                  const graze_mesh *mesh, float *pad) {
    gz_box box;
    double size = mesh->max_abs;
    for (int k = 0; k < 3; k++) {
        box.center[k] = (float)center[k];
        box.half[k] = (float)half[k];
        size = fmax(size, fabs(center[k]) + half[k]);
    }
    *pad = (float)(0x1p-20 * size + 1e-30);
    return box;
}

#endif
