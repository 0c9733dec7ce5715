/// The half line from a point upwards (+z of the world), seen from a mesh's frame: which boxes may
/// it pass, and which may hold the point?
#ifndef GZ_MESH_VERTICAL_RAY_H
#define GZ_MESH_VERTICAL_RAY_H

#include <math.h>
#include <stdbool.h>

#include "math/transform.h"
#include "mesh/mesh.h"

typedef struct gz_vertical_ray {
    double origin[3], direction[3];
    double pad; ///< how far the frame's numbers may be off along the part of the line that matters
} gz_vertical_ray;

/// The snapped mesh lies, seen from its frame, within 3e-9 r of the mesh (the pose is rigid up to
/// 1e-9) and the rounding of the snap and of the point's way back, 2^-48 (|t| + |p| + r); along the
/// line, of which no more than its pass through the mesh matters (a length below |o| + 2 r), the
/// direction's error of 3e-9 counts too. All of it is below 2e-8 (|o| + r) + 2^-48 (|t| + |p|), but
/// for coordinates below 2^-100, which snapping sets to zero.
static inline gz_vertical_ray gz_vertical_ray_make(const double point[3], const graze_mesh *mesh,
                                                   const double pose[12]) {
    gz_vertical_ray r;
    double d[3] = {point[0] - pose[3], point[1] - pose[7], point[2] - pose[11]};
    gz_transform_unrotate(pose, d, r.origin);
    for (int j = 0; j < 3; j++) r.direction[j] = pose[8 + j];
    double far = gz_transform_far(pose) + fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
    r.pad = 2e-8 * (gz_norm(r.origin) + 2 * mesh->max_abs) + 0x1p-48 * far + 1e-29;
    return r;
}

/// Whether the half line may pass through a box: slabs, widened by the pad.
static inline bool gz_vertical_ray_passes(const gz_vertical_ray *r, const double center[3],
                                          const double half[3]) {
    double enter = 0, leave = INFINITY;
    for (int k = 0; k < 3; k++) {
        double low = center[k] - half[k] - r->pad - r->origin[k];
        double high = center[k] + half[k] + r->pad - r->origin[k];
        double d = r->direction[k];
        if (fabs(d) < 1e-7) {
            // So slow along this axis that the pass through the mesh moves it by less than 1e-7 of
            // its length, which is at most |o| + 2 r = pad / 2e-8: 5 pads.
            if (low > 5 * r->pad || high < -5 * r->pad) return false;
            continue;
        }
        double t0 = (d > 0 ? low : high) / d, t1 = (d > 0 ? high : low) / d;
        enter = fmax(enter, t0 - fabs(t0) * 0x1p-50);
        leave = fmin(leave, t1 + fabs(t1) * 0x1p-50);
    }
    return enter <= leave;
}

/// The children of a node that the half line may pass.
static inline unsigned gz_vertical_ray_children(const gz_vertical_ray *r, const gz_node *node) {
    unsigned mask = 0;
    for (int i = 0; i < node->count; i++) {
        double center[3], half[3];
        for (int k = 0; k < 3; k++) {
            center[k] = (double)node->center[k][i];
            half[k] = (double)node->half[k][i];
        }
        if (gz_vertical_ray_passes(r, center, half)) mask |= 1U << i;
    }
    return mask;
}

/// Whether a box of the mesh's frame may hold the point that the half line starts at.
static inline bool gz_vertical_ray_starts_in(const gz_vertical_ray *r, const graze_aabb *box) {
    const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
    for (int k = 0; k < 3; k++)
        if (r->origin[k] < low[k] - r->pad || r->origin[k] > high[k] + r->pad) return false;
    return true;
}

#endif
