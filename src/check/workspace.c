// The memory of one thread's queries: poses, posed bounds, candidates.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "broad/world_query.h"
#include "check/checker.h"
#include "check/link_tree.h"
#include "check/single_filter.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"

graze_status graze_workspace_create(graze_workspace **out, const graze_checker *checker,
                                    graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    const graze_robot *r = checker->robot;
    const graze_world *w = checker->world;
    size_t links = (size_t)r->link_count;
    graze_workspace *ws = gz_calloc(1, sizeof *ws);
    if (!ws) return gz_fail_memory(error);
    ws->checker = checker;
    ws->bodies = gz_malloc_aligned((size_t)r->body_count, sizeof *ws->bodies);
    ws->centers = gz_malloc_aligned(links, sizeof *ws->centers);
    ws->radii = gz_malloc(links, sizeof *ws->radii);
    ws->boxes = gz_malloc_aligned(links, sizeof *ws->boxes);
    ws->box_ready = gz_calloc(links, 1);
    ws->wanted = gz_calloc((size_t)r->body_count, 1);
    ws->listed = gz_malloc((size_t)r->body_count, sizeof *ws->listed);
    ws->candidates = gz_malloc(w ? w->entry_count : 0, sizeof *ws->candidates);
    ws->stack = gz_malloc((w ? w->node_count : 0) * (GZ_WIDTH - 1) + 8, sizeof *ws->stack);
    ws->still_free = gz_calloc(links, 1);
    bool ok = !checker->tree || gz_link_search_create(&ws->search, checker->tree);
    ok = ok && gz_vicinity_create(&ws->vicinity, w);
    if (checker->single) ws->single = gz_single_scratch_create(checker->single);
    if (ws->single) {
        ws->single->search = ws->search;
        ws->single->candidates = ws->candidates;
        ws->single->vicinity = ws->vicinity;
        ws->single->reach = checker->reach;
        ws->single->stack = ws->stack;
    }
    if (!ok || (checker->single && !ws->single) || !ws->bodies || !ws->centers || !ws->radii ||
        !ws->boxes || !ws->box_ready || !ws->wanted || !ws->listed || !ws->candidates ||
        !ws->stack || !ws->still_free) {
        graze_workspace_free(ws);
        return gz_fail_memory(error);
    }
    *out = ws;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_workspace_free(graze_workspace *ws) {
    if (!ws) return;
    gz_free(ws->bodies);
    gz_free(ws->centers);
    gz_free(ws->radii);
    gz_free(ws->boxes);
    gz_free(ws->box_ready);
    gz_free(ws->wanted);
    gz_free(ws->listed);
    gz_free(ws->candidates);
    gz_free(ws->stack);
    gz_vicinity_free(ws->vicinity);
    gz_free(ws->still_free);
    gz_single_scratch_free(ws->single);
    gz_link_search_free(ws->search);
    gz_free(ws);
}

/// Every snapped coordinate must stay within 2^20 m; the bounding spheres tell.
static graze_status check_reach(const graze_checker *c, const graze_workspace *ws,
                                graze_error *error) {
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &c->robot->links[c->links[i]];
        const double *p = ws->centers[c->links[i]];
        double most = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) + l->sphere.radius;
        if (!(most <= GZ_COORDINATE_MAX))
            return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = l->name},
                              "link '%s' reaches %g m from the world's origin; allowed: at most "
                              "2^20 m",
                              l->name, most);
    }
    return GRAZE_OK;
}

void gz_workspace_place_link(graze_workspace *ws, int32_t link) {
    const gz_link *l = &ws->checker->robot->links[link];
    const double *pose = ws->bodies[l->body];
    gz_transform_apply(pose, GZ_ARRAY3(l->sphere.center), ws->centers[link]);
    ws->radii[link] = l->sphere.radius + gz_link_pad(l, pose);
    ws->box_ready[link] = 0;
}

/// Forgets what was known of links that do not move, which holds for one base pose.
static void forget(graze_workspace *ws, const double base[12]) {
    size_t links = (size_t)ws->checker->robot->link_count;
    if (ws->still_valid && memcmp(ws->still_base, base, sizeof ws->still_base) == 0) return;
    memcpy(ws->still_base, base, sizeof ws->still_base);
    memset(ws->still_free, 0, links);
    ws->still_valid = true;
}

graze_status gz_workspace_pose(graze_workspace *ws, const double *q, size_t q_count,
                               const double *base, graze_error *error) {
    const graze_checker *c = ws->checker;
    const graze_robot *r = c->robot;
    double root[12];
    graze_status status = gz_pose_check(r, q, q_count, error);
    if (status == GRAZE_OK) status = gz_pose_base(base, root, error);
    if (status) return status;
    gz_pose_bodies(r, q, root, ws->bodies);
    for (size_t i = 0; i < c->link_count; i++) gz_workspace_place_link(ws, c->links[i]);
    forget(ws, root);
    return check_reach(c, ws, error);
}

void gz_workspace_pose_links(graze_workspace *ws, const double *q, const double base[12],
                             const int32_t *links, size_t count) {
    const graze_robot *r = ws->checker->robot;
    size_t bodies = 0;
    for (size_t i = 0; i < count; i++)
        for (int32_t b = r->links[links[i]].body; b > 0 && !ws->wanted[b]; b = r->bodies[b].parent)
            ws->wanted[b] = 1;
    for (int32_t b = 1; b < r->body_count; b++) {
        if (!ws->wanted[b]) continue;
        ws->wanted[b] = 0;
        ws->listed[bodies++] = b;
    }
    gz_pose_listed(r, q, base, ws->listed, bodies, ws->bodies);
    for (size_t i = 0; i < count; i++) gz_workspace_place_link(ws, links[i]);
    forget(ws, base);
}

const graze_obb *gz_workspace_box(graze_workspace *ws, int32_t link) {
    graze_obb *out = &ws->boxes[link];
    if (ws->box_ready[link]) return out;
    const gz_link *l = &ws->checker->robot->links[link];
    const double *pose = ws->bodies[l->body];
    gz_transform_apply(pose, GZ_ARRAY3(l->obb.center), GZ_ARRAY3(out->center));
    for (int k = 0; k < 3; k++)
        gz_transform_rotate(pose, GZ_ARRAY3(l->obb.axis[k]), GZ_ARRAY3(out->axis[k]));
    out->half = l->obb.half;
    ws->box_ready[link] = 1;
    return out;
}
