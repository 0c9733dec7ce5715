// The points that a verdict is about, for anybody who wants to check one.

#include <string.h>

#include "base/float_environment.h"
#include "graze/robot.h"
#include "math/transform.h"

static bool is_curved(const graze_geometry *geometry) {
    return geometry->shape == GRAZE_SHAPE_SPHERE || geometry->shape == GRAZE_SHAPE_CYLINDER ||
           geometry->shape == GRAZE_SHAPE_CAPSULE;
}

size_t graze_geometry_point_count(const graze_geometry *geometry) {
    return is_curved(geometry) ? 2 : geometry->vertex_count;
}

GZ_OUT_OF_LINE static void snap_all(const double pose[12], const double *in, size_t count,
                                    double *out) {
    for (size_t i = 0; i < count; i++) gz_snap(pose, in + 3 * i, out + 3 * i);
}

void graze_geometry_snap(const graze_geometry *geometry, const graze_transform *pose,
                         double *points) {
    GZ_FLOAT_ENVIRONMENT;
    const double *in = is_curved(geometry) ? geometry->ends[0] : geometry->vertices;
    snap_all(pose->m, in, graze_geometry_point_count(geometry), points);
}
