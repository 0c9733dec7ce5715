// The verdict of bounding volumes, as KinEval gives it: boundary, then the world's objects against
// each link's axis-aligned box in the link frame; no link against link. A margin grows the boxes:
// free is still proved to be farther apart, a collision may be said of what is up to sqrt 3 times
// the margin apart.

#include <math.h>

#include "broad/bound_test.h"
#include "check/margin.h"
#include "math/transform.h"
#include "narrow/points/point_pair.h"

/// A sphere of the world against a link's box, in the link frame.
static bool sphere_meets(const double center[3], double radius, const double pose[12],
                         const gz_link *link, double margin) {
    double d[3] = {center[0] - pose[3], center[1] - pose[7], center[2] - pose[11]}, local[3];
    gz_transform_unrotate(pose, d, local);
    double pad = link->skew * (gz_norm(local) + radius) + gz_link_pad(link, pose) +
                 0x1p-48 * (fabs(center[0]) + fabs(center[1]) + fabs(center[2]));
    return !gz_sphere_aabb_apart(local, radius, GZ_ARRAY3(link->local.aabb.min),
                                 GZ_ARRAY3(link->local.aabb.max), pad + margin);
}

/// A link's axis-aligned box as an oriented box of the world.
static graze_obb place_box(const graze_link_bounds *bounds, const double pose[12]) {
    const double *low = GZ_ARRAY3(bounds->aabb.min), *high = GZ_ARRAY3(bounds->aabb.max);
    double middle[3];
    graze_obb box;
    double *half = GZ_ARRAY3(box.half);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (low[k] + high[k]);
        double m = fmax(fabs(low[k]), fabs(high[k]));
        half[k] = 0.5 * (high[k] - low[k]) + 0x1p-50 * m;
        box.axis[k] = (graze_vec3){pose[k], pose[4 + k], pose[8 + k]};
    }
    gz_transform_apply(pose, middle, GZ_ARRAY3(box.center));
    return box;
}

/// A link's box and a cloud of points.
typedef struct box_cloud {
    const gz_object *object;
    const double *pose;
    const gz_link *link;
    double margin;
} box_cloud;

static bool ball_meets(const void *user, uint32_t point) {
    const box_cloud *b = user;
    double center[3];
    gz_snap(b->object->pose.m, b->object->points + 3 * (size_t)point, center);
    return sphere_meets(center, b->object->radius, b->pose, b->link, b->margin);
}

/// Each ball that sphere_meets() takes is, but for rounding, within the margin of the box along
/// each of its axes: near the box that is as much larger. What its pads add is some times the
/// link's skew, below 2^-24 (of attached bodies; of others below 3e-9), of the sizes: less than the
/// half of the tree's own pad that is left (above reach_of(), point_pair.c); but for what a flat
/// cylinder's rims may turn, which has no such bound.
static bool points_meet(const gz_object *o, const double pose[12], const gz_link *link,
                        double margin, const gz_kernels *kernels, int32_t *point,
                        graze_stats *stats) {
    const box_cloud cloud = {o, pose, link, margin};
    graze_obb box = place_box(&link->local, pose);
    double turn = gz_rim_pad(link, link->pad + gz_pose_pad(pose));
    for (int k = 0; k < 3; k++) GZ_ARRAY3(box.half)[k] += margin + turn;
    gz_point_box_query query = {.tree = o->tree,
                                .points_pose = o->pose.m,
                                .radius = o->radius,
                                .box = &box,
                                .kernels = kernels};
    int64_t found = gz_points_lowest_near_box(&query, ball_meets, &cloud, stats);
    *point = (int32_t)found;
    return found >= 0;
}

static bool object_meets(const graze_checker *c, const gz_object *o, const double pose[12],
                         const gz_link *link, double margin, int32_t *point, graze_stats *stats) {
    *point = 0;
    if (o->kind == GRAZE_SHAPE_SPHERE) {
        double center[3];
        gz_snap(o->pose.m, o->shape.a, center);
        return sphere_meets(center, o->radius, pose, link, margin);
    }
    if (o->kind == GRAZE_SHAPE_POINTS)
        return points_meet(o, pose, link, margin, c->kernels, point, stats);
    graze_obb box = place_box(&link->local, pose);
    double pad = gz_link_pad(link, pose) + margin;
    return !gz_obb_apart(&box, &o->posed, link->skew + GZ_OBJECT_SKEW, pad);
}

bool gz_level_bounds_check(const graze_checker *c, graze_workspace *ws, graze_answer answer,
                           graze_report *report) {
    if (!c->world || c->options.no_world) return false;
    const graze_robot *r = c->robot;
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        double pose[12];
        gz_transform_compose(ws->bodies[l->body], l->in_body.m, pose);
        for (size_t k = 0; k < c->world->object_count; k++) {
            int32_t point;
            if (c->allowed && c->allowed[(size_t)c->links[i] * c->world->object_count + k])
                continue;
            report->stats.link_pairs++;
            double margin = gz_object_margin(c, c->links[i], (int32_t)k);
            const gz_object *o = gz_world_at(c->world, k);
            if (!object_meets(c, o, pose, l, margin, &point, &report->stats)) continue;
            graze_contact contact = {.kind = GRAZE_CONTACT_WORLD,
                                     .link = c->links[i],
                                     .element = -1,
                                     .other = (int32_t)k,
                                     .other_element = point,
                                     .triangle = -1,
                                     .other_triangle = -1};
            graze_vec3 middle = l->local.sphere.center;
            gz_transform_apply(pose, GZ_ARRAY3(middle), GZ_ARRAY3(contact.point));
            gz_report_add(report, &contact);
            if (answer != GRAZE_ANSWER_ALL) return true;
        }
    }
    return report->verdict == GRAZE_COLLISION;
}
