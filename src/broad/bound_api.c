/// The public overlap tests of bounds.
#include "base/float_environment.h"
#include "broad/bound_test.h"
#include "graze/geometry.h"

GZ_OUT_OF_LINE static bool sphere_overlaps(const graze_sphere *sphere, const graze_aabb *box) {
    const double center[3] = {sphere->center.x, sphere->center.y, sphere->center.z};
    const double low[3] = {box->min.x, box->min.y, box->min.z};
    const double high[3] = {box->max.x, box->max.y, box->max.z};
    return !gz_sphere_aabb_apart(center, sphere->radius, low, high, 0);
}

bool graze_sphere_aabb_overlap(const graze_sphere *sphere, const graze_aabb *box) {
    GZ_FLOAT_ENVIRONMENT;
    return sphere_overlaps(sphere, box);
}

GZ_OUT_OF_LINE static bool boxes_overlap(const graze_obb *a, const graze_obb *b) {
    return !gz_obb_apart(a, b, gz_obb_skew(a) + gz_obb_skew(b), 0);
}

bool graze_obb_overlap(const graze_obb *a, const graze_obb *b) {
    GZ_FLOAT_ENVIRONMENT;
    return boxes_overlap(a, b);
}
