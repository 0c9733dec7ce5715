#include "mesh/shape.h"

#include <math.h>

#include "math/transform.h"

double gz_half_ulp(double most) {
    int exponent;
    (void)frexp(most, &exponent); // most = f 2^exponent, 1/2 <= f < 1
    return ldexp(0x1p-53, exponent - 1);
}

double gz_mesh_span(const graze_mesh *mesh) {
    // The ball's bound, or the box's; both computed, so 2^-40 outward.
    double ball = gz_norm(GZ_ARRAY3(mesh->sphere.center)) + mesh->sphere.radius;
    return fmin(ball, sqrt(3) * mesh->max_abs) * (1 + 0x1p-40);
}

double gz_curved_error(const gz_shape *shape, double error, double apart) {
    if (shape->kind != GRAZE_SHAPE_CYLINDER) return error;
    double axis[3], radius = shape->radius;
    gz_subtract(shape->b, shape->a, axis);
    double length = gz_norm(axis);
    if (!(length > 0)) return error + radius;
    return error + fmin(2 * radius * (apart / length) * (1 + 0x1p-20), radius);
}
