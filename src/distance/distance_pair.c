// One pair of links, or a link and an object: its elements, and points of clouds.
#include <math.h>
#include <string.h>

#include "distance/distance_internal.h"
#include "math/transform.h"
#include "narrow/points/point_pair.h"

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// Looks at two shapes; `here` is where they are in the order of checks, `place` where the nearest
/// is.
static void visit_shapes(gz_near_query *q, const gz_near_place *here, const gz_placed *a,
                         const gz_placed *b, gz_near_place *place, gz_nearest *nearest) {
    if (q->joins && gz_frontier_join(q, here, a, b)) return;
    gz_near_begin(here, place, nearest);
    gz_shapes_nearest(a, b, q->d->kernels, nearest, &q->left, &q->report->stats);
    if (!nearest->found) return;
    *place = *here;
    place->found = true;
}

static const gz_geometry *first_of(const graze_distance_workspace *d, int32_t link) {
    const graze_robot *r = d->checker->robot;
    return &r->collisions[r->links[link].first_collision];
}

gz_placed gz_near_element(const graze_distance_workspace *d, int32_t link, int32_t element) {
    return (gz_placed){&first_of(d, link)[element].shape, gz_link_pose(d->checker, d->ws, link)};
}

/// The elements of two links at these poses of their bodies.
static void visit_links(gz_near_query *q, const gz_near_pair *pair, const double pose_a[12],
                        const double pose_b[12], gz_near_place *place, gz_nearest *nearest) {
    const graze_distance_workspace *d = q->d;
    const gz_link *la = &d->ws->links[pair->link], *lb = &d->ws->links[pair->other];
    const gz_geometry *ga = first_of(d, pair->link), *gb = first_of(d, pair->other);
    bool several = la->collision_count * lb->collision_count > 1;
    for (size_t i = 0; i < la->collision_count; i++)
        for (size_t j = 0; j < lb->collision_count; j++) {
            const gz_placed a = {&ga[i].shape, pose_a}, b = {&gb[j].shape, pose_b};
            double limit = q->joins ? gz_frontier_limit(q) : gz_nearest_limit(nearest);
            limit = fmax(limit, 0);
            if (several && gz_elements_apart(a.shape, pose_a, la, b.shape, pose_b, lb, limit)) {
                q->report->stats.sphere_rejects++;
                continue;
            }
            const gz_near_place here = {*pair, (int32_t)i, (int32_t)j, true};
            visit_shapes(q, &here, &a, &b, place, nearest);
        }
}

// ------------------------------------------------------------------------------- clouds of points

static gz_shape make_ball(const gz_object *o, int32_t point) {
    gz_shape ball = {.kind = GRAZE_SHAPE_SPHERE, .radius = o->radius};
    memcpy(ball.a, o->points + 3 * (size_t)point, sizeof ball.a);
    memcpy(ball.b, ball.a, sizeof ball.b);
    return ball;
}

typedef struct point_visit {
    gz_near_query *q;
    const gz_near_pair *pair;
    const gz_object *object;
    const double *pose;
    gz_near_place *place;
    gz_nearest *nearest;
    double *margin; ///< of the link's box: what is farther is not wanted
    double pad;     ///< of it
} point_visit;

static void visit_ball(const point_visit *v, int32_t point) {
    const gz_geometry *g = first_of(v->q->d, v->pair->link);
    const gz_shape ball = make_ball(v->object, point);
    const gz_placed b = {&ball, v->object->pose.m};
    size_t count = v->q->d->ws->links[v->pair->link].collision_count;
    for (size_t i = 0; i < count; i++) {
        const gz_near_place here = {*v->pair, (int32_t)i, point, true};
        const gz_placed a = {&g[i].shape, v->pose};
        visit_shapes(v->q, &here, &a, &b, v->place, v->nearest);
    }
}

/// The greatest distance from the link's box that a ball may have to be wanted.
static double cloud_limit(const point_visit *v) {
    return v->pad + fmax(gz_nearest_limit(v->nearest), 0);
}

static bool visit_point(const void *user, uint32_t point) {
    const point_visit *v = user;
    visit_ball(v, (int32_t)point);
    *v->margin = fmin(*v->margin, cloud_limit(v));
    return false;
}

/// The points near the link's box, farther and farther off, until the nearest is among them. Each
/// that is found draws the limit in for those behind it.
static void visit_cloud(point_visit *v, double bound) {
    const gz_near_query *q = v->q;
    const gz_object *o = v->object;
    int32_t link = v->pair->link;
    double within = v->pad + fmax(bound, 0.05 * q->d->ws->radii[link]), margin;
    for (;; within = fmax(4 * within, 1e-6)) {
        within = margin = fmin(within, cloud_limit(v));
        v->margin = &margin;
        const gz_point_box_query near = {.tree = o->tree,
                                         .points_pose = o->pose.m,
                                         .radius = o->radius,
                                         .box = gz_workspace_box(q->d->ws, link),
                                         .margin = margin,
                                         .shrinking = &margin,
                                         .kernels = q->d->checker->kernels};
        gz_points_lowest_near_box(&near, visit_point, v, &v->q->report->stats);
        if (q->left == 0 || cloud_limit(v) <= within) return;
    }
}

// ------------------------------------------------------------------------------------------ pairs

/// Where a fixed pair is nearest, moved with its body.
static void move_fixed(const gz_fixed_pair *f, const double pose[12], gz_nearest *out) {
    for (int k = 0; k < 2; k++) gz_transform_apply(pose, f->nearest.point[k], out->point[k]);
    gz_transform_rotate(pose, f->nearest.normal, out->normal);
}

static void recall_fixed(const gz_near_query *q, const gz_near_pair *pair, gz_near_place *place,
                         gz_nearest *nearest) {
    const gz_fixed_pair *f = &q->d->fixed[pair->fixed];
    bool first = !place->found || gz_near_comes_before(&f->place, place);
    if (f->nearest.lower < nearest->lower) nearest->lower = f->nearest.lower;
    if (!f->place.found || !gz_nearest_is_better(nearest, f->nearest.upper, first)) {
        nearest->untold = fmin(nearest->untold, f->nearest.upper); // as near as it, maybe
        return;
    }
    nearest->any = true;
    nearest->upper = f->nearest.upper;
    memcpy(nearest->triangle, f->nearest.triangle, sizeof nearest->triangle);
    move_fixed(f, gz_link_pose(q->d->checker, q->d->ws, pair->link), nearest);
    *place = f->place;
}

void gz_near_visit(gz_near_query *q, const gz_near_pair *pair, gz_near_place *place,
                   gz_nearest *nearest) {
    const graze_distance_workspace *d = q->d;
    const double *pose = gz_link_pose(d->checker, d->ws, pair->link);
    q->report->stats.link_pairs++;
    if (pair->pair >= 0) {
        if (pair->fixed >= 0)
            recall_fixed(q, pair, place, nearest);
        else
            visit_links(q, pair, pose, gz_link_pose(d->checker, d->ws, pair->other), place,
                        nearest);
        return;
    }
    const gz_object *o = gz_world_at(d->checker->world, (size_t)pair->other);
    if (o->kind == GRAZE_SHAPE_POINTS) {
        bool joins = q->joins; // points are many
        q->joins = false;
        point_visit v = {.q = q,
                         .pair = pair,
                         .object = o,
                         .pose = pose,
                         .place = place,
                         .nearest = nearest,
                         .pad = gz_link_pad(&d->ws->links[pair->link], pose)};
        visit_cloud(&v, pair->bound);
        q->joins = joins;
        return;
    }
    const gz_geometry *g = first_of(d, pair->link);
    const gz_placed b = {&o->shape, o->pose.m};
    for (size_t i = 0; i < d->ws->links[pair->link].collision_count; i++) {
        const gz_placed a = {&g[i].shape, pose};
        const gz_near_place here = {*pair, (int32_t)i, 0, true};
        visit_shapes(q, &here, &a, &b, place, nearest);
    }
}

void gz_near_evaluate_hint(gz_near_query *q) {
    const graze_distance_workspace *d = q->d;
    const gz_near_place *hint = &d->hint;
    if (!hint->found || hint->pair.fixed >= 0) return;
    const gz_placed a = gz_near_element(d, hint->pair.link, hint->element);
    gz_shape ball;
    gz_placed b;
    if (hint->pair.pair >= 0) {
        b = gz_near_element(d, hint->pair.other, hint->other_element);
    } else {
        const gz_object *o = gz_world_at(d->checker->world, (size_t)hint->pair.other);
        if (o->kind == GRAZE_SHAPE_POINTS) ball = make_ball(o, hint->other_element);
        b = (gz_placed){o->kind == GRAZE_SHAPE_POINTS ? &ball : &o->shape, o->pose.m};
    }
    q->nearest.found = false;
    q->nearest.first = true;
    gz_shapes_evaluate(&a, &b, d->hint_triangle[0], d->hint_triangle[1], &q->nearest);
    if (q->nearest.found) q->place = *hint;
}

bool gz_near_overlaps(const graze_distance_workspace *d, const gz_near_pair *pair, gz_detail detail,
                      graze_contact *contact) {
    const graze_checker *c = d->checker;
    graze_stats stats = {0};
    if (pair->pair < 0)
        return gz_link_object_near(c, d->ws, pair->link, pair->other, 0, detail, contact, &stats);
    gz_check_pair exact = c->pairs[pair->pair];
    exact.margin = exact.threshold = 0;
    if (!exact.fixed)
        return gz_link_pair_test(c, d->ws, gz_link_pose(c, d->ws, pair->link),
                                 gz_link_pose(c, d->ws, pair->other), &exact, detail, false,
                                 contact, &stats);
    const gz_fixed_pair *f = &d->fixed[pair->fixed];
    if (!f->overlaps) return false;
    *contact = f->contact;
    gz_transform_apply(gz_link_pose(c, d->ws, pair->link), GZ_ARRAY3(f->contact.point),
                       GZ_ARRAY3(contact->point));
    return true;
}

/// They are tested in the frame of their body, as when the checker was made.
void gz_near_prepare_fixed(graze_distance_workspace *d) {
    const graze_checker *c = d->checker;
    const graze_distance_options options = graze_distance_options_default();
    graze_distance_report report = {0};
    gz_near_query q = {.d = d, .options = &options, .report = &report, .left = UINT64_MAX};
    graze_stats stats = {0};
    for (size_t i = 0; i < d->fixed_count; i++) {
        gz_fixed_pair *f = &d->fixed[i];
        gz_check_pair exact = c->pairs[f->pair];
        exact.margin = exact.threshold = 0;
        f->overlaps = gz_link_pair_test(c, NULL, identity, identity, &exact, GZ_DETAIL_WITNESS,
                                        false, &f->contact, &stats);
        gz_nearest_start(&f->nearest, INFINITY);
        f->place = (gz_near_place){.found = false};
        const gz_near_pair pair = {
            .pair = f->pair, .link = exact.a, .other = exact.b, .fixed = (int32_t)i};
        visit_links(&q, &pair, identity, identity, &f->place, &f->nearest);
    }
}
