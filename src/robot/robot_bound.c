// How large is each link?

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/bound.h"
#include "robot/robot.h"

/// The corners of an oriented box, moved outward by more than their rounding: each coordinate is a
/// sum of four terms of magnitude at most m = |center| + |half|_1, so it is off by at most 8 u m
/// with u = 2^-53; growing each half extent by 2^-48 m moves every corner out by more than that.
static void box_corners(const graze_obb *box, double *out) {
    const double *c = GZ_ARRAY3(box->center), *h = GZ_ARRAY3(box->half);
    double m = fabs(c[0]) + fabs(c[1]) + fabs(c[2]) + h[0] + h[1] + h[2];
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = c[k];
            for (int j = 0; j < 3; j++) {
                double half = h[j] + m * 0x1p-48;
                sum += (i >> j & 1 ? half : -half) * GZ_ARRAY3(box->axis[j])[k];
            }
            out[3 * i + k] = sum;
        }
    }
}

/// Points whose hull contains an element: its vertices, or the corners of its box.
static size_t element_points(const gz_shape *shape, double *out) {
    if (!shape->mesh) {
        if (out) box_corners(&shape->obb, out);
        return 8;
    }
    if (out) memcpy(out, shape->mesh->vertices, shape->mesh->vertex_count * 3 * sizeof *out);
    return shape->mesh->vertex_count;
}

/// Gathers the points of a link's elements, in the body frame.
static double *gather_points(const gz_link *l, const gz_geometry *elements, size_t *count) {
    size_t n = 0;
    for (size_t i = 0; i < l->collision_count; i++) n += element_points(&elements[i].shape, NULL);
    double *points = gz_malloc(n, 3 * sizeof *points);
    if (!points) return NULL;
    n = 0;
    for (size_t i = 0; i < l->collision_count; i++)
        n += element_points(&elements[i].shape, points + 3 * n);
    *count = n;
    return points;
}

/// Bounds in the link frame, for reports and for the bounding-volume verdict. Moving the points
/// back rounds each coordinate by less than 2^-48 (|p| + |t|), and is off by the link's skew
/// besides; the bounds are grown by both.
static void bound_locally(gz_link *l, double *points, size_t n) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double back[12], m = 0;
    gz_transform_relative(identity, l->in_body.m, back);
    for (size_t i = 0; i < n; i++) {
        double p[3];
        memcpy(p, points + 3 * i, sizeof p);
        gz_transform_apply(back, p, points + 3 * i);
        m = fmax(m, fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
    }
    double pad = (0x1p-48 + l->skew) * (m + fabs(back[3]) + fabs(back[7]) + fabs(back[11]));
    l->local.sphere = gz_bound_sphere(points, n);
    l->local.aabb = gz_bound_aabb(points, n);
    l->local.obb = gz_bound_obb(points, n);
    l->local.sphere.radius += 2 * pad;
    double *low = GZ_ARRAY3(l->local.aabb.min), *high = GZ_ARRAY3(l->local.aabb.max),
           *half = GZ_ARRAY3(l->local.obb.half);
    for (int k = 0; k < 3; k++) {
        low[k] -= pad;
        high[k] += pad;
        half[k] += 2 * pad;
    }
}

/// What gz_link_pad() needs of a link's cylinders. One whose ends were rounded to one point is a
/// ball wherever it is posed: it has no rim.
static void bound_rims(gz_link *l, const gz_geometry *elements) {
    l->tilt = l->rim = 0;
    for (size_t i = 0; i < l->collision_count; i++) {
        const gz_shape *s = &elements[i].shape;
        if (s->kind != GRAZE_SHAPE_CYLINDER) continue;
        double axis[3];
        gz_subtract(s->b, s->a, axis);
        double length = gz_norm(axis);
        if (!(length > 0)) continue;
        l->tilt = fmax(l->tilt, 4 * s->radius / length);
        l->rim = fmax(l->rim, s->radius);
    }
}

static bool is_identity(const graze_transform *t) {
    graze_transform one = graze_transform_identity();
    return memcmp(t, &one, sizeof one) == 0;
}

static bool bound_link(gz_link *l, const gz_geometry *elements) {
    const gz_shape *only = &elements->shape;
    bool several = l->collision_count > 1, moved = !is_identity(&l->in_body);
    size_t n = 0;
    double *points = several || moved ? gather_points(l, elements, &n) : NULL;
    if (!points && (several || moved)) return false;
    l->sphere = several ? gz_bound_sphere(points, n) : only->sphere;
    l->aabb = several ? gz_bound_aabb(points, n) : only->aabb;
    l->obb = several ? gz_bound_obb(points, n) : only->obb;
    l->local = (graze_link_bounds){
        .triangle_count = l->triangle_count, .sphere = l->sphere, .aabb = l->aabb, .obb = l->obb};
    // A pose x -> R x + t takes bounds to bounds but for |R|, at most 1 + skew, and rounding: the
    // part that grows with sizes is below skew times the reach (skew is at least 2^-44; what grows
    // with |t| is gz_pose_pad(); what turns with a cylinder's axis, gz_rim_pad()).
    l->pad = l->skew * (gz_norm(GZ_ARRAY3(l->sphere.center)) + l->sphere.radius +
                        gz_norm(GZ_ARRAY3(l->obb.center)) + gz_norm(GZ_ARRAY3(l->obb.half)));
    bound_rims(l, elements);
    if (moved) bound_locally(l, points, n);
    gz_free(points);
    return true;
}

bool gz_robot_bound(graze_robot *r) {
    for (size_t i = 0; i < r->collision_count; i++) {
        gz_link *l = &r->links[r->collisions[i].link];
        if (l->collision_count++ == 0) l->first_collision = i;
        if (r->collisions[i].shape.mesh)
            l->triangle_count += r->collisions[i].shape.mesh->triangle_count;
    }
    for (int32_t k = 0; k < r->link_count; k++) {
        gz_link *l = &r->links[k];
        l->local.empty = l->collision_count == 0;
        if (l->local.empty) continue;
        if (!bound_link(l, &r->collisions[l->first_collision])) return false;
    }
    return true;
}

bool gz_robot_bound_last(graze_robot *r) {
    gz_link *l = &r->links[r->link_count - 1];
    const gz_geometry *only = &r->collisions[r->collision_count - 1];
    l->first_collision = r->collision_count - 1;
    l->collision_count = 1;
    l->triangle_count = only->shape.mesh ? only->shape.mesh->triangle_count : 0;
    l->local.empty = false;
    return bound_link(l, only);
}
