// Whether a pair is clear at one pose by more than a distance: the stages of a check, with that
// distance in place of the margin.
#include <math.h>

#include "check/margin.h"
#include "motion/motion_internal.h"
#include "narrow/triangle/triangle.h"

/// Whether a body is another, or on the way from it to the root.
static bool is_above(const graze_robot *r, int32_t above, int32_t body) {
    while (body > above) body = r->bodies[body].parent; // parents come first
    return body == above;
}

gz_motion_pair gz_motion_pair_links(const graze_checker *c, int32_t index) {
    const graze_robot *r = c->robot;
    const gz_check_pair *p = &c->pairs[index];
    int32_t a = r->links[p->a].body, b = r->links[p->b].body;
    const graze_checked_pair asked = {
        .link = p->a, .other = p->b, .policies = {c->link_policies[p->a], c->link_policies[p->b]}};
    return (gz_motion_pair){.pair = index,
                            .link = p->a,
                            .other = p->b,
                            .above = is_above(r, a, b)   ? 1
                                     : is_above(r, b, a) ? 2
                                                         : 0,
                            .caps = gz_pair_has_caps(c, &asked),
                            .table = p->table,
                            .margin = p->margin,
                            .need = gz_margin_certified(c, p->a, p->b, p->margin)};
}

gz_motion_pair gz_motion_pair_object(const graze_checker *c, int32_t link, int32_t object) {
    const graze_checked_pair asked = {
        .link = link,
        .other = object,
        .is_world = true,
        .policies = {c->link_policies[link], gz_object_policy(c, object)}};
    double margin = gz_object_margin(c, link, object);
    return (gz_motion_pair){.pair = -1,
                            .link = link,
                            .other = object,
                            .caps = gz_pair_has_caps(c, &asked),
                            .margin = margin,
                            .need = gz_margin_certified(c, -1, link, margin)};
}

/// What passes an opening that a cap closes need not come near the surfaces.
static bool caps_clear(const graze_checker *c, graze_workspace *ws, const gz_motion_pair *p,
                       double need) {
    if (!p->caps) return true;
    bool world = p->pair < 0;
    const graze_checked_pair asked = {
        .link = p->link,
        .other = p->other,
        .is_world = world,
        .policies = {c->link_policies[p->link],
                     world ? gz_object_policy(c, p->other) : c->link_policies[p->other]}};
    return gz_caps_apart(c, ws, &asked, need);
}

/// Up to which distance triangles are looked at, as a part of the radii of both sets: beyond, much
/// of both is within it, and an interval half as long is cheaper. In a scene of many components the
/// boxes say little, and its clearance map is quick.
#define WORTH       0.05
#define WORTH_SCENE 0.1

static double worth_of(const graze_checker *c, const gz_motion_pair *p) {
    const gz_link *links = c->robot->links;
    double radius = links[p->link].sphere.radius;
    if (p->pair >= 0) return WORTH * (radius + links[p->other].sphere.radius);
    const graze_mesh *mesh = gz_world_at(c->world, (size_t)p->other)->shape.mesh;
    bool scene = mesh && mesh->proxy && mesh->proxy->clearance.cell_count;
    return 2 * radius * (scene ? WORTH_SCENE : WORTH);
}

static bool links_clear(const graze_checker *c, graze_workspace *ws, const gz_motion_pair *p,
                        double need) {
    const gz_link *a = &ws->links[p->link], *b = &ws->links[p->other];
    const double *pose_a = gz_link_pose(c, ws, p->link), *pose_b = gz_link_pose(c, ws, p->other);
    if (gz_links_apart(ws, p->link, p->other, need)) return true;
    if (gz_obb_apart(gz_workspace_box(ws, p->link), gz_workspace_box(ws, p->other),
                     a->skew + b->skew, gz_link_pad(a, pose_a) + gz_link_pad(b, pose_b) + need))
        return true;
    if (need > worth_of(c, p)) return false;
    gz_check_pair pair = c->pairs[p->pair];
    pair.margin = need;
    pair.threshold = gz_margin_threshold(need, a->sphere.radius + b->sphere.radius);
    graze_contact contact;
    graze_stats stats = {0};
    return !gz_link_pair_test(c, ws, pose_a, pose_b, &pair, GZ_DETAIL_NONE, false, &contact,
                              &stats) &&
           caps_clear(c, ws, p, need);
}

bool gz_motion_pair_clear(const graze_checker *c, graze_workspace *ws, const gz_motion_pair *p,
                          double need) {
    graze_contact contact;
    graze_stats stats = {0};
    if (!(need >= GZ_MARGIN_MIN && need <= GZ_MARGIN_MAX)) return false;
    if (p->pair >= 0) return links_clear(c, ws, p, need);
    if (need > worth_of(c, p)) return gz_link_object_boxes_apart(c, ws, p->link, p->other, need);
    return !gz_link_object_near(c, ws, p->link, p->other, need, GZ_DETAIL_NONE, &contact, &stats) &&
           caps_clear(c, ws, p, need);
}

bool gz_motion_pair_collides(const graze_checker *c, graze_workspace *ws, const gz_motion_pair *p) {
    graze_contact contact;
    graze_stats stats = {0};
    if (p->pair >= 0)
        return gz_link_pair_check(c, ws, &c->pairs[p->pair], GZ_DETAIL_NONE, &contact, &stats);
    return gz_link_object_near(c, ws, p->link, p->other, p->margin, GZ_DETAIL_NONE, &contact,
                               &stats);
}
