// Signed distance of one pair of planar shapes where planar_single.c does not answer.

#include <math.h>

#include "base/float_environment.h"
#include "planar/kernels.h"
#include "planar/shapes/shape_internal.h"

const gz_planar_kernels *gz_planar_kernels_for(gz_isa isa) {
#ifdef GRAZE_HAVE_AVX2
    if (isa == GZ_ISA_AVX2) return &gz_planar_kernels_avx2;
#endif
    return isa == GZ_ISA_SCALAR ? &gz_planar_kernels_scalar : &gz_planar_kernels_base;
}

bool gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out) {
    return gz_planar_kernels_for(gz_isa_of_process())->polygon(a, b, out);
}

// Whether the first and the last vertex and the radius are numbers of which no distance overflows.
static bool in_range(const graze_planar_shape *shape) {
    int32_t last = shape->count - 1;
    double most = GRAZE_PLANAR_COORDINATE_MAX;
    return (fabs(shape->x[0]) <= most) & (fabs(shape->y[0]) <= most) &
           (fabs(shape->x[last]) <= most) & (fabs(shape->y[last]) <= most) &
           (fabs(shape->radius) <= most);
}

// Takes the radii off the distance of two polygons: the witnesses move along the normal.
static void add_radii(graze_planar_result *result, double radius_a, double radius_b) {
    graze_vec2 n = result->normal;
    result->distance -= radius_a + radius_b;
    result->point_a.x += radius_a * n.x;
    result->point_a.y += radius_a * n.y;
    result->point_b.x -= radius_b * n.x;
    result->point_b.y -= radius_b * n.y;
}

// False, and nothing written, where numbers are out of range.
static GZ_OUT_OF_LINE bool pair_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                                         graze_planar_result *out) {
    if (!in_range(a) || !in_range(b)) return false;
    if (a->count <= 2 && b->count <= 2) {
        gz_planar_ends_distance(a, b, out);
        return true;
    }
    if (!gz_polygon_distance(a, b, out)) return false;
    add_radii(out, a->radius, b->radius);
    return true;
}

graze_status gz_planar_distance_of_any(const graze_planar_shape *a, const graze_planar_shape *b,
                                       graze_planar_result *result) {
    GZ_FLOAT_ENVIRONMENT;
    return pair_distance(a, b, result) ? GRAZE_OK : GRAZE_ERROR_RANGE;
}
