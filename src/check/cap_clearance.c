#include "check/check_internal.h"

#include <math.h>

#include "math/transform.h"
#include "mesh/cap.h"

/// One side of a pair: its box, how skew that is and by how much it is off.
typedef struct bound {
    graze_obb box;
    double skew, pad;
} bound;

static bool link_has_caps(const graze_robot *r, const gz_link *l) {
    for (size_t i = 0; i < l->collision_count; i++) {
        const graze_mesh *mesh = r->collisions[l->first_collision + i].shape.mesh;
        if (mesh && mesh->caps) return true;
    }
    return false;
}

bool gz_pair_has_caps(const graze_checker *c, const graze_checked_pair *p) {
    const graze_robot *r = c->robot;
    if (p->policies[0] == GRAZE_POLICY_CAP && link_has_caps(r, &r->links[p->link])) return true;
    if (p->policies[1] != GRAZE_POLICY_CAP) return false;
    if (!p->is_world) return link_has_caps(r, &r->links[p->other]);
    const graze_mesh *mesh = gz_world_at(c->world, (size_t)p->other)->shape.mesh;
    return mesh && mesh->caps;
}

static bound bound_link(const graze_checker *c, graze_workspace *ws, int32_t link) {
    const gz_link *l = &c->robot->links[link];
    return (bound){*gz_workspace_box(ws, link), l->skew, gz_link_pad(l, gz_link_pose(c, ws, link))};
}

/// The box between low and high. Its centre and half extents are rounded by 2^-52 of the
/// coordinates each; the half extents are grown by more than both.
static graze_obb box_between(const double low[3], const double high[3]) {
    graze_obb out = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double *center = GZ_ARRAY3(out.center), *half = GZ_ARRAY3(out.half);
    for (int k = 0; k < 3; k++) {
        center[k] = 0.5 * low[k] + 0.5 * high[k];
        half[k] = (0.5 * high[k] - 0.5 * low[k]) + 0x1p-48 * (fabs(low[k]) + fabs(high[k]));
    }
    return out;
}

/// A cloud of points has a box along the world's axes only.
static bound bound_object(const gz_object *o) {
    if (o->kind != GRAZE_SHAPE_POINTS) return (bound){o->posed, GZ_OBJECT_SKEW, 0};
    return (bound){box_between(GZ_ARRAY3(o->box.min), GZ_ARRAY3(o->box.max)), 0, 0};
}

/// The box around a mesh's caps, posed as what it is part of: as skew and as far off as that.
static graze_obb box_of_caps(const graze_mesh *mesh, const double pose[12]) {
    const gz_caps *caps = mesh->caps;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < caps->triangle_count; i++) {
        const gz_cap_triangle *t = &caps->triangles[i];
        const double *corner[3] = {caps->apexes + 3 * (size_t)t->apex,
                                   mesh->vertices + 3 * (size_t)t->from,
                                   mesh->vertices + 3 * (size_t)t->to};
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                low[k] = fmin(low[k], corner[c][k]);
                high[k] = fmax(high[k], corner[c][k]);
            }
    }
    graze_obb box = box_between(low, high), out = {.half = box.half};
    for (int k = 0; k < 3; k++)
        gz_transform_rotate(pose, GZ_ARRAY3(box.axis[k]), GZ_ARRAY3(out.axis[k]));
    gz_transform_apply(pose, GZ_ARRAY3(box.center), GZ_ARRAY3(out.center));
    return out;
}

static bool link_caps_apart(const graze_checker *c, const graze_workspace *ws, int32_t link,
                            const bound *own, const bound *other, double threshold) {
    const gz_link *l = &c->robot->links[link];
    for (size_t i = 0; i < l->collision_count; i++) {
        const graze_mesh *mesh = c->robot->collisions[l->first_collision + i].shape.mesh;
        if (!mesh || !mesh->caps) continue;
        graze_obb box = box_of_caps(mesh, gz_link_pose(c, ws, link));
        if (!gz_obb_apart(&box, &other->box, own->skew + other->skew,
                          own->pad + other->pad + threshold))
            return false;
    }
    return true;
}

bool gz_caps_apart(const graze_checker *c, graze_workspace *ws, const graze_checked_pair *p,
                   double threshold) {
    const gz_object *o = p->is_world ? gz_world_at(c->world, (size_t)p->other) : NULL;
    bound a = bound_link(c, ws, p->link), b = o ? bound_object(o) : bound_link(c, ws, p->other);
    if (p->policies[0] == GRAZE_POLICY_CAP && !link_caps_apart(c, ws, p->link, &a, &b, threshold))
        return false;
    if (p->policies[1] != GRAZE_POLICY_CAP) return true;
    if (!o) return link_caps_apart(c, ws, p->other, &b, &a, threshold);
    if (!o->shape.mesh || !o->shape.mesh->caps) return true;
    // What turns is no longer than the box, and the object's own has been grown for it.
    graze_obb box = box_of_caps(o->shape.mesh, o->pose.m);
    double off = 0x1p-46 * o->shape.mesh->max_abs + gz_pose_pad(o->pose.m);
    return gz_obb_apart(&box, &a.box, GZ_OBJECT_SKEW + a.skew, off + a.pad + threshold);
}
