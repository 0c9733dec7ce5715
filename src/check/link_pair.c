// Link against link: spheres, boxes, then the elements' shapes.

#include <string.h>

#include "broad/bound_test.h"
#include "check/checker.h"
#include "math/transform.h"

static graze_stage stage_of(const graze_stats *stats) {
    if (stats->containment_tests) return GRAZE_STAGE_CONTAINMENT;
    if (stats->exact_tests) return GRAZE_STAGE_EXACT;
    if (stats->triangle_tests || stats->shape_tests) return GRAZE_STAGE_TRIANGLE;
    return GRAZE_STAGE_TREE;
}

/// The bounding sphere of a link's shape, posed, and how far it may be off (see gz_link_pad()).
static double pose_sphere(const gz_shape *shape, const double pose[12], const gz_link *link,
                          double center[3]) {
    gz_transform_apply(pose, GZ_ARRAY3(shape->sphere.center), center);
    double off = link->skew * (gz_norm(GZ_ARRAY3(shape->sphere.center)) + shape->sphere.radius) +
                 gz_pose_pad(pose);
    return off + gz_rim_pad(link, off);
}

/// Whether two elements are apart by their bounding spheres, by more than the pair's reach.
static bool elements_apart(const gz_shape *a, const double pose_a[12], const gz_link *link_a,
                           const gz_shape *b, const double pose_b[12], const gz_link *link_b,
                           double reach) {
    double ca[3], cb[3];
    double pad = pose_sphere(a, pose_a, link_a, ca) + pose_sphere(b, pose_b, link_b, cb) + reach;
    return gz_spheres_apart(ca, a->sphere.radius, cb, b->sphere.radius, pad);
}

bool gz_link_pair_judge(const graze_checker *checker, const double pose_a[12],
                        const double pose_b[12], const gz_check_pair *pair, gz_detail detail,
                        graze_contact *contact, graze_stats *stats) {
    const graze_robot *r = checker->robot;
    int32_t a = pair->a, b = pair->b;
    const gz_link *la = &r->links[a], *lb = &r->links[b];
    gz_shape_rule rule = gz_rule_make(checker, checker->link_policies[a], checker->link_policies[b],
                                      pair->margin, detail);
    bool several = la->collision_count * lb->collision_count > 1;
    for (size_t i = 0; i < la->collision_count; i++) {
        const gz_geometry *ga = &r->collisions[la->first_collision + i];
        for (size_t j = 0; j < lb->collision_count; j++) {
            const gz_geometry *gb = &r->collisions[lb->first_collision + j];
            if (several &&
                elements_apart(&ga->shape, pose_a, la, &gb->shape, pose_b, lb, pair->reach)) {
                stats->sphere_rejects++;
                continue;
            }
            gz_shape_contact meeting;
            if (!gz_shapes_collide(&ga->shape, pose_a, &gb->shape, pose_b, &rule, &meeting, stats))
                continue;
            *contact = gz_contact_make(GRAZE_CONTACT_SELF, a, ga->element, b, gb->element,
                                       &meeting);
            return true;
        }
    }
    return false;
}

static graze_vec3 move_point(const double pose[12], graze_vec3 p) {
    graze_vec3 out;
    gz_transform_apply(pose, GZ_ARRAY3(p), GZ_ARRAY3(out));
    return out;
}

/// A pair that no joint moves: the verdict is known, only its place moves with the body.
static bool recall_fixed(const graze_checker *checker, const graze_workspace *ws,
                         const gz_check_pair *pair, gz_pair_result *result) {
    *result = (gz_pair_result){.collides = pair->collides, .stage = GRAZE_STAGE_STATIC};
    if (!pair->collides) return false;
    const double *pose = gz_link_pose(checker, ws, pair->a);
    const graze_contact *contact = &pair->verdict->contact;
    result->contact = *contact;
    result->contact.point = move_point(pose, contact->point);
    for (int k = 0; k < 2; k++) result->contact.segment[k] = move_point(pose, contact->segment[k]);
    return true;
}

bool gz_link_pair_finish(const graze_checker *checker, const graze_workspace *ws,
                         const gz_check_pair *pair, gz_detail detail, gz_pair_result *result,
                         graze_stats *stats) {
    const graze_robot *r = checker->robot;
    const gz_link *la = &r->links[pair->a], *lb = &r->links[pair->b];
    const gz_geometry *ga = &r->collisions[la->first_collision],
                      *gb = &r->collisions[lb->first_collision];
    gz_shape_rule rule = gz_rule_make(checker, checker->link_policies[pair->a],
                                      checker->link_policies[pair->b], pair->margin, detail);
    rule.prefiltered = true;
    gz_shape_contact meeting;
    stats->link_pairs++;
    result->stage = GRAZE_STAGE_TREE;
    result->collides = gz_shapes_collide(&ga->shape, ws->bodies[la->body], &gb->shape,
                                         ws->bodies[lb->body], &rule, &meeting, stats);
    if (result->collides)
        result->contact = gz_contact_make(GRAZE_CONTACT_SELF, pair->a, ga->element, pair->b,
                                          gb->element, &meeting);
    return result->collides;
}

bool gz_link_pair_check(const graze_checker *checker, graze_workspace *ws,
                        const gz_check_pair *pair, gz_detail detail, gz_pair_result *result,
                        graze_stats *stats) {
    stats->link_pairs++;
    if (pair->fixed) return recall_fixed(checker, ws, pair, result);
    const graze_robot *r = checker->robot;
    const gz_link *la = &r->links[pair->a], *lb = &r->links[pair->b];
    const double *pose_a = ws->bodies[la->body], *pose_b = ws->bodies[lb->body];

    // Spheres.
    result->collides = false;
    result->stage = GRAZE_STAGE_SPHERE;
    if (gz_links_apart(ws, pair->a, pair->b, pair->reach)) {
        stats->sphere_rejects++;
        return false;
    }
    // Oriented boxes.
    double pad = gz_link_pad(la, pose_a) + gz_link_pad(lb, pose_b) + pair->reach;
    result->stage = GRAZE_STAGE_BOX;
    if (gz_obb_apart(gz_workspace_box(ws, pair->a), gz_workspace_box(ws, pair->b),
                     la->skew + lb->skew, pad)) {
        stats->obb_rejects++;
        return false;
    }
    // Shapes.
    graze_stats before = *stats;
    result->collides = gz_link_pair_judge(checker, pose_a, pose_b, pair, detail, &result->contact,
                                          stats);
    graze_stats own = {.exact_tests = stats->exact_tests - before.exact_tests,
                       .triangle_tests = stats->triangle_tests - before.triangle_tests,
                       .shape_tests = stats->shape_tests - before.shape_tests,
                       .containment_tests = stats->containment_tests - before.containment_tests};
    result->stage = stage_of(&own);
    return result->collides;
}
