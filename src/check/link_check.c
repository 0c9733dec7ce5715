// Link against link: spheres, boxes, then the elements' shapes.

#include "check/check_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "broad/bound_test.h"
#include "broad/world_query.h"
#include "check/call_rules.h"
#include "check/margin.h"
#include "math/transform.h"
#include "narrow/points/point_pair.h"

/// The bounding sphere of a link's shape, posed, and how far it may be off (see gz_link_pad()).
static double pose_sphere(const gz_shape *shape, const double pose[12], const gz_link *link,
                          double center[3]) {
    gz_transform_apply(pose, GZ_ARRAY3(shape->sphere.center), center);
    double off = link->skew * (gz_norm(GZ_ARRAY3(shape->sphere.center)) + shape->sphere.radius) +
                 gz_pose_pad(pose);
    return off + gz_rim_pad(link, off);
}

bool gz_elements_apart(const gz_shape *a, const double pose_a[12], const gz_link *link_a,
                       const gz_shape *b, const double pose_b[12], const gz_link *link_b,
                       double threshold) {
    double ca[3], cb[3];
    double pad = pose_sphere(a, pose_a, link_a, ca) + pose_sphere(b, pose_b, link_b, cb) +
                 threshold;
    return gz_spheres_apart(ca, a->sphere.radius, cb, b->sphere.radius, pad);
}

/// Gives a test the workspace's budget and visitor.
static void attach(gz_shape_rule *rule, graze_workspace *ws) {
    if (!ws) return;
    rule->left = &ws->left;
    rule->sink = ws->visitor ? &ws->visitor->triangles : NULL;
}

/// Tests two shapes, and has the visitor visit what collides.
static bool visit(graze_workspace *ws, const gz_element_pair *pair, const gz_shape_rule *rule,
                  gz_shape_contact *found, graze_stats *stats) {
    ws->visitor->now = *pair;
    if (!gz_shapes_collide(pair->a, pair->pose_a, pair->b, pair->pose_b, rule, found, stats))
        return false;
    ws->visitor->elements(ws->visitor->user, found->contained);
    return true;
}

static bool visit_elements(graze_workspace *ws, const gz_geometry *a, const double pose_a[12],
                           const gz_geometry *b, const double pose_b[12], const gz_shape_rule *rule,
                           gz_shape_contact *found, graze_stats *stats) {
    const gz_element_pair pair = {
        gz_contact_make(GRAZE_CONTACT_SELF, a->link, a->element, b->link, b->element, NULL),
        &a->shape,
        &b->shape,
        pose_a,
        pose_b,
        rule->margin};
    return visit(ws, &pair, rule, found, stats);
}

bool gz_link_pair_test(const graze_checker *checker, graze_workspace *ws, const double pose_a[12],
                       const double pose_b[12], const gz_check_pair *pair, gz_detail detail,
                       bool prefiltered, graze_contact *contact, graze_stats *stats) {
    const graze_robot *r = checker->robot;
    const gz_link *links = ws ? ws->links : r->links;
    int32_t a = pair->a, b = pair->b;
    const gz_link *la = &links[a], *lb = &links[b];
    gz_shape_rule rule = gz_rule_make(checker, checker->link_policies[a], checker->link_policies[b],
                                      pair->margin, detail);
    rule.prefiltered = prefiltered;
    attach(&rule, ws);
    bool any = false, visited = ws && ws->visitor;
    bool several = la->collision_count * lb->collision_count > 1;
    for (size_t i = 0; i < la->collision_count; i++) {
        const gz_geometry *ga = &r->collisions[la->first_collision + i];
        for (size_t j = 0; j < lb->collision_count; j++) {
            const gz_geometry *gb = &r->collisions[lb->first_collision + j];
            if (several && gz_elements_apart(&ga->shape, pose_a, la, &gb->shape, pose_b, lb,
                                             pair->threshold)) {
                stats->sphere_rejects++;
                continue;
            }
            gz_shape_contact found;
            if (!(visited ? visit_elements(ws, ga, pose_a, gb, pose_b, &rule, &found, stats)
                          : gz_shapes_collide(&ga->shape, pose_a, &gb->shape, pose_b, &rule, &found,
                                              stats)))
                continue;
            *contact = gz_contact_make(GRAZE_CONTACT_SELF, a, ga->element, b, gb->element, &found);
            if (!visited) return true;
            any = true;
        }
    }
    return any;
}

static graze_vec3 move_point(const double pose[12], graze_vec3 p) {
    graze_vec3 out;
    gz_transform_apply(pose, GZ_ARRAY3(p), GZ_ARRAY3(out));
    return out;
}

/// Tells the visitor of the elements of a pair that no joint moves, as they were tested when the
/// checker was made.
static void revisit_fixed(const graze_checker *checker, graze_workspace *ws,
                          const gz_check_pair *pair, const double pose[12]) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const gz_link *links = ws->links;
    graze_contact contact;
    graze_stats uncounted = {0};
    ws->links = checker->robot->links;
    ws->visitor->frame = pose;
    gz_link_pair_test(checker, ws, identity, identity, pair, GZ_DETAIL_WITNESS, false, &contact,
                      &uncounted);
    ws->visitor->frame = NULL;
    ws->links = links;
}

/// A pair that no joint moves: the verdict is known, only its place moves with the body.
static bool recall_fixed(const graze_checker *checker, graze_workspace *ws,
                         const gz_check_pair *pair, graze_contact *contact) {
    if (!pair->collides) return false;
    const double *pose = gz_link_pose(checker, ws, pair->a);
    if (ws->visitor) revisit_fixed(checker, ws, pair, pose);
    *contact = pair->verdict->contact;
    contact->point = move_point(pose, contact->point);
    for (int k = 0; k < 2; k++) contact->segment[k] = move_point(pose, contact->segment[k]);
    return true;
}

bool gz_link_pair_finish(const graze_checker *checker, graze_workspace *ws,
                         const gz_check_pair *pair, gz_detail detail, graze_contact *contact,
                         graze_stats *stats) {
    stats->link_pairs++;
    return gz_link_pair_test(checker, ws, gz_link_pose(checker, ws, pair->a),
                             gz_link_pose(checker, ws, pair->b), pair, detail, true, contact,
                             stats);
}

bool gz_link_pair_check(const graze_checker *checker, graze_workspace *ws,
                        const gz_check_pair *pair, gz_detail detail, graze_contact *contact,
                        graze_stats *stats) {
    stats->link_pairs++;
    if (pair->fixed) return recall_fixed(checker, ws, pair, contact);
    const gz_link *la = &ws->links[pair->a], *lb = &ws->links[pair->b];
    const double *pose_a = ws->bodies[la->body], *pose_b = ws->bodies[lb->body];
    if (gz_links_apart(ws, pair->a, pair->b, pair->threshold)) {
        stats->sphere_rejects++;
        return false;
    }
    double pad = gz_link_pad(la, pose_a) + gz_link_pad(lb, pose_b) + pair->threshold;
    if (gz_obb_apart(gz_workspace_box(ws, pair->a), gz_workspace_box(ws, pair->b),
                     la->skew + lb->skew, pad)) {
        stats->obb_rejects++;
        return false;
    }
    return gz_link_pair_test(checker, ws, pose_a, pose_b, pair, detail, false, contact, stats);
}

// Link against the world: the tree over the world, boxes, then shapes.

static int compare_entries(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/// The world-frame box around a link's oriented box.
static void box_extent(const graze_obb *box, double pad, double low[3], double high[3]) {
    const double *c = GZ_ARRAY3(box->center), *h = GZ_ARRAY3(box->half);
    for (int k = 0; k < 3; k++) {
        double e = 0;
        for (int j = 0; j < 3; j++) e += fabs(GZ_ARRAY3(box->axis[j])[k]) * h[j];
        e = e * (1 + 0x1p-48) + pad + fabs(c[k]) * 0x1p-50;
        low[k] = c[k] - e;
        high[k] = c[k] + e;
    }
}

typedef struct link_query {
    const graze_checker *checker;
    graze_workspace *ws;
    int32_t link;
    const double *pose;
    double pad;
    double margin; ///< against the object that is tested
    gz_detail detail;
    double low[3], high[3]; ///< world: around the link, as far as it looks
    graze_stats *stats;
} link_query;

/// The rule for the link and an object.
static gz_shape_rule make_rule(const link_query *q, int32_t object) {
    const graze_checker *c = q->checker;
    gz_shape_rule rule = gz_rule_make(c, c->link_policies[q->link], gz_object_policy(c, object),
                                      q->margin, q->detail);
    attach(&rule, q->ws);
    return rule;
}

/// Finds the lowest point that some element overlaps, and of these the lowest element (any, where
/// that is enough): each element is tested for points below those found.
static const gz_geometry *find_point(const link_query *q, gz_point_query *query) {
    const graze_robot *r = q->checker->robot;
    const gz_link *l = &r->links[q->link];
    const gz_geometry *own = NULL;
    for (size_t i = 0; i < l->collision_count && query->limit > 0; i++) {
        const gz_geometry *g = &r->collisions[l->first_collision + i];
        query->shape = &g->shape;
        int64_t found = gz_point_pair_find(query, q->stats);
        if (found < 0) continue;
        own = g;
        query->limit = (uint32_t)found;
        if (!query->lowest) break;
    }
    return own;
}

/// A ball of a cloud as a shape.
static gz_shape make_ball(const gz_object *o, uint32_t point) {
    gz_shape ball = {.kind = GRAZE_SHAPE_SPHERE, .radius = o->radius};
    memcpy(ball.a, o->points + 3 * (size_t)point, sizeof ball.a);
    memcpy(ball.b, ball.a, sizeof ball.b);
    return ball;
}

/// Tests an element and an object, or a point of it, and has the visitor visit what collides.
static bool visit_object(const link_query *q, const gz_geometry *own, const gz_shape *other,
                         const gz_object *o, int32_t object, int32_t point,
                         const gz_shape_rule *rule, gz_shape_contact *found) {
    const gz_element_pair pair = {
        gz_contact_make(GRAZE_CONTACT_WORLD, q->link, own->element, object, point, NULL),
        &own->shape,
        other,
        q->pose,
        o->pose.m,
        rule->margin};
    return visit(q->ws, &pair, rule, found, q->stats);
}

/// An element of the link and a cloud, whose points are visited in any order.
typedef struct point_visit {
    const link_query *q;
    const gz_object *object;
    const gz_geometry *own;
    const gz_shape_rule *rule;
    int32_t index;
} point_visit;

static bool visit_point(const void *user, uint32_t point) {
    const point_visit *v = user;
    const gz_shape ball = make_ball(v->object, point);
    gz_shape_contact found;
    visit_object(v->q, v->own, &ball, v->object, v->index, (int32_t)point, v->rule, &found);
    return false;
}

static void visit_points(const link_query *q, const gz_object *o, int32_t object,
                         const gz_shape_rule *rule, const gz_point_box_query *near) {
    const graze_robot *r = q->checker->robot;
    const gz_link *l = &r->links[q->link];
    for (size_t i = 0; i < l->collision_count; i++) {
        const point_visit v = {q, o, &r->collisions[l->first_collision + i], rule, object};
        gz_points_lowest_near_box(near, visit_point, &v, q->stats);
    }
}

/// A link against a cloud of points.
static bool points_overlap(const link_query *q, const gz_object *o, int32_t object,
                           graze_contact *contact) {
    const graze_checker *c = q->checker;
    double radii = c->robot->links[q->link].sphere.radius + o->radius;
    gz_point_box_query near = {.tree = o->tree,
                               .points_pose = o->pose.m,
                               .radius = o->radius,
                               .box = gz_workspace_box(q->ws, q->link),
                               .margin = q->pad + gz_margin_threshold(q->margin, radii),
                               .kernels = c->kernels};
    if (!gz_points_near_box(&near, q->stats)) {
        q->stats->obb_rejects++;
        return false;
    }
    gz_shape_rule rule = make_rule(q, object);
    gz_point_query query = {.tree = o->tree,
                            .points = o->points,
                            .points_pose = o->pose.m,
                            .radius = o->radius,
                            .rule = &rule,
                            .pose = q->pose,
                            .low = q->low,
                            .high = q->high,
                            .limit = UINT32_MAX,
                            .lowest = q->detail == GZ_DETAIL_WITNESS ||
                                      q->detail == GZ_DETAIL_PAIR};
    const gz_geometry *own = find_point(q, &query);
    if (!own) return false;
    if (rule.sink) visit_points(q, o, object, &rule, &near);
    // The ball by itself gives the place, and the triangle.
    gz_shape_contact found = {.triangle_a = -1, .triangle_b = -1};
    gz_shape ball = make_ball(o, query.limit);
    if (q->detail >= GZ_DETAIL_PLACE && !rule.sink)
        gz_shapes_collide(&own->shape, q->pose, &ball, o->pose.m, &rule, &found, q->stats);
    *contact = gz_contact_make(GRAZE_CONTACT_WORLD, q->link, own->element, object,
                               (int32_t)query.limit, &found);
    return true;
}

/// By how much the boxes of link and object must be apart, besides the pad.
static double object_threshold(const link_query *q, const gz_object *o) {
    if (!(q->margin > 0)) return 0;
    double radius = gz_norm(GZ_ARRAY3(o->posed.half));
    return gz_margin_threshold(q->margin, q->checker->robot->links[q->link].sphere.radius + radius);
}

/// Under q->margin.
static bool overlaps_under_margin(link_query *q, int32_t object, graze_contact *contact) {
    const gz_link *l = &q->ws->links[q->link];
    q->stats->link_pairs++;
    const gz_object *o = gz_world_at(q->checker->world, (size_t)object);
    if (o->kind == GRAZE_SHAPE_POINTS) return points_overlap(q, o, object, contact);
    if (gz_obb_apart(gz_workspace_box(q->ws, q->link), &o->posed, l->skew + GZ_OBJECT_SKEW,
                     q->pad + object_threshold(q, o))) {
        q->stats->obb_rejects++;
        return false;
    }
    gz_shape_rule rule = make_rule(q, object);
    bool any = false;
    for (size_t i = 0; i < l->collision_count; i++) {
        const gz_geometry *g = &q->checker->robot->collisions[l->first_collision + i];
        gz_shape_contact found;
        if (!(q->ws->visitor ? visit_object(q, g, &o->shape, o, object, 0, &rule, &found)
                             : gz_shapes_collide(&g->shape, q->pose, &o->shape, o->pose.m, &rule,
                                                 &found, q->stats)))
            continue;
        *contact = gz_contact_make(GRAZE_CONTACT_WORLD, q->link, g->element, object, 0, &found);
        if (!q->ws->visitor) return true;
        any = true;
    }
    return any;
}

static bool link_overlaps(link_query *q, int32_t object, graze_contact *contact) {
    q->margin = gz_object_ruled_margin(q->checker, q->ws->rules, q->link, object);
    return overlaps_under_margin(q, object, contact);
}

static link_query make_query(const graze_checker *checker, graze_workspace *ws, int32_t link,
                             gz_detail detail, graze_stats *stats) {
    const double *pose = gz_link_pose(checker, ws, link);
    return (link_query){.checker = checker,
                        .ws = ws,
                        .link = link,
                        .pose = pose,
                        .pad = gz_link_pad(&ws->links[link], pose),
                        .detail = detail,
                        .stats = stats};
}

bool gz_link_object_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                          int32_t object, gz_detail detail, graze_contact *contact,
                          graze_stats *stats) {
    link_query q = make_query(checker, ws, link, detail, stats);
    return link_overlaps(&q, object, contact);
}

bool gz_link_object_boxes_apart(const graze_checker *checker, graze_workspace *ws, int32_t link,
                                int32_t object, double margin) {
    link_query q = make_query(checker, ws, link, GZ_DETAIL_NONE, NULL);
    const gz_object *o = gz_world_at(checker->world, (size_t)object);
    q.margin = margin;
    return o->kind != GRAZE_SHAPE_POINTS &&
           gz_obb_apart(gz_workspace_box(ws, link), &o->posed,
                        ws->links[link].skew + GZ_OBJECT_SKEW, q.pad + object_threshold(&q, o));
}

bool gz_link_object_near(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         int32_t object, double margin, gz_detail detail, graze_contact *contact,
                         graze_stats *stats) {
    link_query q = make_query(checker, ws, link, detail, stats);
    q.margin = margin;
    // Clouds of points are searched in a box.
    double radius = gz_world_at(checker->world, (size_t)object)->radius;
    double near = gz_margin_threshold(margin, checker->robot->links[link].sphere.radius + radius);
    box_extent(gz_workspace_box(ws, link), q.pad + near, q.low, q.high);
    return overlaps_under_margin(&q, object, contact);
}

/// The objects near the link's box; where the base is known, among those near the robot.
static size_t list_candidates(const link_query *q) {
    const graze_checker *c = q->checker;
    graze_workspace *ws = q->ws;
    const double *b = ws->static_base, place[3] = {b[3], b[7], b[11]};
    return gz_world_query_near(ws->static_valid ? ws->local_tree : NULL, place, c->workspace_radius,
                               c->world, q->low, q->high, ws->entries, ws->stack,
                               &q->stats->node_tests);
}

size_t gz_link_world_near(const graze_checker *checker, graze_workspace *ws, int32_t link,
                          double threshold, graze_stats *stats) {
    link_query q = make_query(checker, ws, link, GZ_DETAIL_NONE, stats);
    box_extent(gz_workspace_box(ws, link), q.pad + threshold, q.low, q.high);
    return list_candidates(&q);
}

bool gz_link_world_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         gz_detail detail, bool hidden, gz_world_hit each, void *user,
                         graze_stats *stats) {
    link_query q = make_query(checker, ws, link, detail, stats);
    double threshold = gz_object_threshold(checker, ws->rules, link);
    box_extent(gz_workspace_box(ws, link), q.pad + threshold, q.low, q.high);
    size_t count = list_candidates(&q);
    // In what order the tree gives them must not show: versions of a world have different trees.
    if (detail != GZ_DETAIL_NONE && count > 1)
        qsort(ws->entries, count, sizeof *ws->entries, compare_entries);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (gz_object_hidden(checker, ws->rules, link, ws->entries[i]) != hidden) continue;
        graze_contact contact;
        if (!link_overlaps(&q, ws->entries[i], &contact)) continue;
        any = true;
        if (!each(user, &contact)) break;
    }
    return any;
}
