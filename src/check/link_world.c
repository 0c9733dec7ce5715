// Link against the world: the tree over the world, boxes, then shapes.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "broad/bound_test.h"
#include "broad/world_query.h"
#include "check/margin.h"
#include "math/transform.h"

static int compare_entries(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool is_allowed(const graze_checker *c, int32_t link, int32_t object) {
    return c->allowed && c->allowed[(size_t)link * c->world->object_count + (size_t)object];
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
    double margin; ///< against the object that is looked at
    gz_detail detail;
    graze_stats *stats;
} link_query;

/// One element against one entry.
static bool element_meets(const link_query *q, const gz_geometry *g, const gz_entry *entry,
                          gz_meeting *meeting) {
    const graze_checker *c = q->checker;
    const gz_object *o = &c->world->objects[entry->object];
    gz_shape_rule rule = gz_rule_make(c, c->link_policies[q->link],
                                      c->object_policies[entry->object], q->margin, q->detail);
    if (entry->point < 0)
        return gz_shapes_meet(&g->shape, q->pose, &o->shape, o->pose.m, &rule, meeting, q->stats);
    gz_shape ball = {.kind = GRAZE_SHAPE_SPHERE, .radius = o->radius};
    memcpy(ball.a, o->points + 3 * (size_t)entry->point, sizeof ball.a);
    memcpy(ball.b, ball.a, sizeof ball.b);
    return gz_shapes_meet(&g->shape, q->pose, &ball, o->pose.m, &rule, meeting, q->stats);
}

/// By how much the boxes of link and object must be apart, besides the pad.
static double object_reach(const link_query *q, int32_t object) {
    if (!(q->margin > 0)) return 0;
    double radius = gz_norm(GZ_ARRAY3(q->checker->object_boxes[object].half));
    return gz_margin_reach(q->margin, q->checker->robot->links[q->link].sphere.radius + radius);
}

static bool link_meets(link_query *q, const gz_entry *entry, graze_contact *contact) {
    const gz_link *l = &q->checker->robot->links[q->link];
    q->stats->link_pairs++;
    q->margin = gz_object_margin(q->checker, q->link, entry->object);
    if (entry->point < 0 &&
        gz_obb_apart(gz_workspace_box(q->ws, q->link), &q->checker->object_boxes[entry->object],
                     l->skew + GZ_OBJECT_SKEW, q->pad + object_reach(q, entry->object))) {
        q->stats->obb_rejects++;
        return false;
    }
    for (size_t i = 0; i < l->collision_count; i++) {
        const gz_geometry *g = &q->checker->robot->collisions[l->first_collision + i];
        gz_meeting meeting;
        if (!element_meets(q, g, entry, &meeting)) continue;
        *contact = gz_contact_make(GRAZE_CONTACT_WORLD, q->link, g->element, entry->object,
                                   entry->point < 0 ? 0 : entry->point, &meeting);
        return true;
    }
    return false;
}

bool gz_link_world_check(const graze_checker *checker, graze_workspace *ws, int32_t link,
                         gz_detail detail, bool hidden, gz_world_hit each, void *user,
                         graze_stats *stats) {
    const graze_world *w = checker->world;
    const gz_link *l = &checker->robot->links[link];
    const double *pose = gz_link_pose(checker, ws, link);
    link_query q = {.checker = checker,
                    .ws = ws,
                    .link = link,
                    .pose = pose,
                    .pad = l->pad + gz_pose_pad(pose),
                    .detail = detail,
                    .stats = stats};
    double low[3], high[3];
    double reach = checker->margins ? checker->margins->reaches[link] : 0;
    box_extent(gz_workspace_box(ws, link), q.pad + reach, low, high);
    size_t count = gz_world_query(w, low, high, ws->candidates, ws->stack, &stats->node_tests);
    if ((detail == GZ_DETAIL_WITNESS || detail == GZ_DETAIL_PAIR) && count > 1)
        qsort(ws->candidates, count, sizeof *ws->candidates, compare_entries);
    bool any = false;
    int32_t done = -1; // an object of points collides once, with its lowest point
    for (size_t i = 0; i < count; i++) {
        const gz_entry *entry = &w->entries[ws->candidates[i]];
        if (entry->object == done || is_allowed(checker, link, entry->object) != hidden) continue;
        graze_contact contact;
        if (!link_meets(&q, entry, &contact)) continue;
        any = true;
        done = entry->object;
        if (!each(user, &contact)) break;
    }
    return any;
}
