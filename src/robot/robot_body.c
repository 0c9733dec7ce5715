// Which links move as one, and how is each rigid body hung on its parent?

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "mesh/bound.h"
#include "robot/robot.h"

/// Rodrigues' formula for a rotation by v about a unit axis a, with the origin's rotation O folded
/// in: O R(v) = O a a^T + cos v (O - O a a^T) + sin v O [a]x.
static void fold_rotation(gz_body *body) {
    const double *a = body->axis, *o = body->origin;
    double outer[9], cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) outer[3 * i + j] = a[i] * a[j];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double projection = 0, turn = 0;
            for (int k = 0; k < 3; k++) {
                projection += o[4 * i + k] * outer[3 * k + j];
                turn += o[4 * i + k] * cross[3 * k + j];
            }
            body->axis_projection[3 * i + j] = projection;
            body->cosine[3 * i + j] = o[4 * i + j] - projection;
            body->sine[3 * i + j] = turn;
        }
    }
}

/// What one joint adds to the skew |R^T R - I| of a pose (2-norm), whatever its value; u = 2^-53.
/// Its own rotation, projection + c cosine + s sine: an origin from three angles or a quaternion
/// (each entry within 20 u of an exact rotation), the axis (2 u), the folded constants (6 u), sine
/// and cosine (2 u), products and sums (4 u), times norms of at most 3: below 100 u away from a
/// rotation. The product with the parent's pose rounds each entry by 3 u: 9 u. Twice the sum is
/// below 2^8 u. The base, from three angles, and the rounding of axes that a pose turns, 16 u,
/// count as one joint each; so do fixed joints, whose origins are composed in the same way.
#define SKEW_OF_JOINT 0x1p-45

/// What the pose of an attached link adds, which is the caller's and may be off rigid by 1e-9 an
/// entry: its own skew e. Frobenius' norm bounds the 2-norm, and 12 u what the dots round. Behind a
/// pose of skew s the product has at most s + e + s e: |A^T (B^T B - I) A + A^T A - I| <= s |A|^2 +
/// e. The factor pays for who moves points back by the transpose instead of the inverse
/// (gz_robot_bound()): that is off by s (1 + s)^2 of their way, and s is at most SKEW_MAX. Up to
/// 2^7 u it is what an origin of a file may have: with the product's 18 u that is within a joint's.
static double skew_of_pose(const double m[12]) {
    double skew = gz_robot_skew(m) * (1 + 0x1p-18) + 0x1p-48;
    return skew > SKEW_OF_JOINT / 2 ? skew : 0;
}

/// Of a body that is carried by bodies that are carried: some 20 of them, each off by all that is
/// accepted. Pads of a few times so much of the sizes are what the point trees have left for them
/// at level bounds: half of 64 u, u = 2^-24 (padded_threshold(), point_pair.c).
#define SKEW_MAX 0x1p-24

/// As many joints in a row as the pads of the narrow phase allow for: 10^5 * 2^-45 < 3e-9.
#define CHAIN_MAX 100000

static void start_body(graze_robot *r, int32_t link, int32_t joint) {
    int32_t index = r->body_count++;
    gz_body *body = &r->bodies[index];
    *body = (gz_body){.root_link = link, .parent = -1, .joint = joint, .column = -1};
    r->links[link].body = index;
    r->links[link].in_body = graze_transform_identity();
    r->links[link].skew = 2 * SKEW_OF_JOINT;
    if (joint < 0) return;
    const gz_joint *j = &r->joints[joint];
    const gz_link *parent = &r->links[j->info.parent];
    body->parent = parent->body;
    body->type = j->info.type;
    body->column = j->column;
    body->multiplier = j->multiplier;
    body->offset = j->offset;
    memcpy(body->axis, &j->info.axis, sizeof body->axis);
    gz_transform_compose(parent->in_body.m, j->info.origin.m, body->origin);
    body->moves = body->column >= 0 || r->bodies[body->parent].moves;
    fold_rotation(body);
}

static graze_status check_chains(const graze_robot *r, graze_error *error) {
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        if (l->is_attached && l->skew > SKEW_MAX)
            return gz_fail(error, GRAZE_ERROR_LIMIT,
                           "'%s' and the bodies that carry it have poses that are off rigid by %g "
                           "in all; allowed: up to %g",
                           l->name, l->skew, SKEW_MAX);
        // What is attached is no joint, and its geometry is posed as that of the link it hangs on.
        if (!l->is_attached && l->skew > (CHAIN_MAX + 2) * SKEW_OF_JOINT)
            return gz_fail_at(error, GRAZE_ERROR_LIMIT,
                              gz_robot_place(r, r->links[i].at, "/robot/link"),
                              "link '%s' has more than %d joints above it; allowed: up to %d",
                              r->links[i].name, CHAIN_MAX, CHAIN_MAX);
    }
    return GRAZE_OK;
}

/// Finds the body of a link whose parent has one.
static void fold_link(graze_robot *r, int32_t link) {
    gz_link *l = &r->links[link];
    const graze_joint_info *info = &r->joints[l->parent_joint].info;
    const gz_link *parent = &r->links[info->parent];
    if (info->type == GRAZE_JOINT_FIXED) {
        l->body = parent->body;
        gz_transform_compose(parent->in_body.m, info->origin.m, l->in_body.m);
    } else {
        start_body(r, link, l->parent_joint);
    }
    l->skew = parent->skew + SKEW_OF_JOINT;
    if (l->is_attached) l->skew += (1 + l->skew) * skew_of_pose(info->origin.m);
}

graze_status gz_robot_fold(graze_robot *r, graze_error *error) {
    size_t count;
    int32_t *order = gz_robot_order(r, &count);
    r->bodies = gz_calloc((size_t)r->link_count, sizeof *r->bodies);
    bool ok = order && r->bodies;
    if (ok) start_body(r, r->root, -1);
    for (size_t i = 1; ok && i < count; i++) fold_link(r, order[i]);
    graze_status status = ok ? check_chains(r, error) : GRAZE_OK;
    ok = ok && (status || gz_robot_analyse(r, order));
    gz_free(order);
    return ok ? status : gz_fail_memory(error);
}

// How large is each link?

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

static bool bound_link(gz_link *l, const gz_geometry *elements) {
    const gz_shape *only = &elements->shape;
    bool several = l->collision_count > 1, moved = !gz_transform_is_identity(&l->in_body);
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

bool gz_robot_bound_last(graze_robot *r, size_t shapes) {
    gz_link *l = &r->links[r->link_count - 1];
    const gz_geometry *elements = &r->collisions[r->collision_count - shapes];
    l->first_collision = r->collision_count - shapes;
    l->collision_count = shapes;
    l->triangle_count = 0;
    for (size_t i = 0; i < shapes; i++)
        if (elements[i].shape.mesh) l->triangle_count += elements[i].shape.mesh->triangle_count;
    l->local.empty = false;
    return bound_link(l, elements);
}
