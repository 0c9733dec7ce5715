// How far can a snapped point of the world be from its place in real arithmetic?

#include <math.h>

#include "base/float_environment.h"
#include "math/transform.h"
#include "mesh/shape.h"
#include "world/world.h"

/// The objects' poses count as given, so only w = fl(R v + t) rounds: R v by GZ_APPLY_ERROR of |v|,
/// the last sum by half an ulp of the largest coordinate, in each of three. The poses are rigid up
/// to 1e-9, which 2^-20 holds with the rounding of this bound.
static double point_error(double span, double largest) {
    return (GZ_APPLY_ERROR * span + sqrt(3) * gz_half_ulp(largest)) * (1 + 0x1p-20) + GZ_SNAP_ERROR;
}

/// The largest magnitude of a coordinate of the placed object.
static double largest_coordinate(const gz_object *o) {
    const double *low = GZ_ARRAY3(o->box.min), *high = GZ_ARRAY3(o->box.max);
    double most = GZ_SNAP_MIN;
    for (int k = 0; k < 3; k++) most = fmax(most, fmax(fabs(low[k]), fabs(high[k])));
    return most;
}

GZ_OUT_OF_LINE double gz_object_error(const gz_object *o) {
    double largest = largest_coordinate(o);
    if (o->kind == GRAZE_SHAPE_POINTS) {
        // No span is kept of them: v = R^-1 (w - t) is no longer than w and t together.
        double shift[3] = {o->pose.m[3], o->pose.m[7], o->pose.m[11]};
        return point_error((sqrt(3) * largest + gz_norm(shift)) * (1 + 0x1p-20), largest);
    }
    if (o->shape.mesh) return point_error(gz_mesh_span(o->shape.mesh), largest);
    double span = fmax(gz_norm(o->shape.a), gz_norm(o->shape.b));
    double error = point_error(span, largest);
    return gz_curved_error(&o->shape, error, 2 * error);
}

double graze_world_pose_error(const graze_world *world) {
    GZ_FLOAT_ENVIRONMENT;
    if (!world) return 0;
    double most = world->extent.error;
    for (size_t i = 0; !world->committed && i < world->object_count; i++)
        most = fmax(most, world->objects[i]->error);
    return most;
}
