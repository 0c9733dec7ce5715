// Motions: whether they are free, trajectories, plans.

#include <stdlib.h>

#include "graze_web_scene.h"

static graze_status need_motion(graze_web *web) {
    if (web->motion != NULL) return GRAZE_OK;
    return graze_motion_workspace_create(&web->motion, web->checker, &web->error);
}

GRAZE_WEB_API graze_status graze_web_motion(graze_web *web, const double *from, const double *to,
                                            const double *from_base, const double *to_base,
                                            bool first, double report[6]) {
    graze_status status = need_motion(web);
    if (status != GRAZE_OK) return status;
    graze_motion_options options = graze_motion_options_default();
    options.answer = first ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
    graze_motion_report r;
    status = graze_check_motion(web->checker, web->motion, from, to, q_size(web), from_base,
                                to_base, &options, &r, &web->error);
    if (status != GRAZE_OK) return status;
    report = put(put(put(report, r.verdict), r.earliest), r.latest);
    put(put(put(report, r.contact.kind), r.contact.link), r.contact.other);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_set_trajectory(graze_web *web, uint32_t degree, size_t count,
                                                    const double *times, const double *q,
                                                    const double *base) {
    graze_trajectory_free(web->trajectory);
    return graze_trajectory_from_bezier(&web->trajectory, web->robot, degree, count, times, q, base,
                                        &web->error);
}

GRAZE_WEB_API graze_status graze_web_trajectory_at(graze_web *web, double time, double *place) {
    graze_status status = graze_trajectory_at(web->trajectory, time, place, place + q_size(web));
    return status == GRAZE_OK ? GRAZE_OK : fail(web, status, "no trajectory, or no finite time");
}

/// A piece as a trajectory of its own.
static graze_status take_piece(graze_web *web, size_t piece, graze_trajectory **one) {
    if (piece >= graze_trajectory_piece_count(web->trajectory))
        return fail(web, GRAZE_ERROR_ARGUMENT, "there is no such piece of the trajectory");
    const double *base, *q = graze_trajectory_points(web->trajectory, piece, &base);
    const double times[2] = {graze_trajectory_time(web->trajectory, piece),
                             graze_trajectory_time(web->trajectory, piece + 1)};
    return graze_trajectory_from_bezier(one, web->robot, graze_trajectory_degree(web->trajectory),
                                        1, times, q, base, &web->error);
}

GRAZE_WEB_API graze_status graze_web_check_piece(graze_web *web, size_t piece, double report[6]) {
    graze_trajectory *one = NULL;
    graze_trajectory_report r;
    graze_status status = need_motion(web);
    if (status == GRAZE_OK) status = take_piece(web, piece, &one);
    if (status == GRAZE_OK)
        status = graze_check_trajectory(web->checker, web->motion, one, NULL, &r, &web->error);
    graze_trajectory_free(one);
    if (status != GRAZE_OK) return status;
    report = put(put(put(report, r.verdict), r.earliest), r.latest);
    put(put(put(report, r.contact.kind), r.contact.link), r.contact.other);
    return GRAZE_OK;
}

static void report_node(void *user, const graze_plan_node *node) {
    graze_web *web = user;
    if (graze_robot_pose(web->robot, node->q, q_size(web), node->base, web->links, NULL) !=
        GRAZE_OK)
        return;
    const double *m = web->links[web->watched].m;
    graze_web_node(node->tree, node->parent, m[3], m[7], m[11]);
}

/// Has graze_web_node() told of the search, where a link is watched.
static graze_status watch(graze_web *web, double link, graze_plan_options *o) {
    size_t count = graze_robot_link_count(web->robot);
    if (link < 0) return GRAZE_OK;
    if (!(link < (double)count))
        return fail(web, GRAZE_ERROR_ARGUMENT, "there is no link of the number that is watched");
    if (web->links == NULL) web->links = calloc(count, sizeof *web->links);
    if (web->links == NULL) return fail_memory(web);
    web->watched = (int32_t)link;
    o->on_node = report_node;
    o->on_node_user = web;
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_plan(graze_web *web, const double *start,
                                          const double *start_base, const double *goal,
                                          const double *goal_base, const double options[10],
                                          const int32_t *columns, size_t column_count,
                                          double result[13]) {
    graze_plan_options o = graze_plan_options_default();
    o.step = options[0];
    o.resolution = options[1];
    o.seed = (uint64_t)options[2];
    o.max_iterations = (uint64_t)options[3];
    o.max_seconds = options[4];
    o.shortcut_rounds = (uint32_t)options[5];
    o.planar_base = options[6] != 0;
    o.certify = options[7] != 0;
    o.sampler = (uint32_t)options[9];
    o.columns = columns;
    o.column_count = column_count;
    graze_path_free(web->path);
    web->path = NULL;
    graze_plan_result r = {0};
    graze_status status = watch(web, options[8], &o);
    if (status == GRAZE_OK) status = need_plan_checker(web);
    if (status != GRAZE_OK) return status;
    status = graze_plan(web->plan_checker, start, start_base, goal, goal_base, &o, &r, &web->error);
    if (status != GRAZE_OK) return status;
    web->path = r.path;
    result = put_pointer(put(result, r.outcome), r.path);
    result = put(put(put(result, r.joint), (double)r.iterations), (double)r.configurations_checked);
    result = put(put(result, (double)r.tree_size[0]), (double)r.tree_size[1]);
    result = put(put(put(result, r.length_raw), r.length), r.certified);
    put(put(put(result, r.contact.kind), r.contact.link), r.contact.other);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_simplify(graze_web *web, size_t count, const double *q,
                                              const double *base, uint32_t *kept, double *left) {
    graze_status status = need_plan_checker(web);
    if (status == GRAZE_OK && web->plan_motion == NULL)
        status = graze_motion_workspace_create(&web->plan_motion, web->plan_checker, &web->error);
    size_t n = 0, size = q_size(web);
    graze_motion_report r = {0};
    for (size_t i = 0; status == GRAZE_OK && i < count; n++) {
        kept[n] = (uint32_t)i;
        size_t next = count - 1;
        // The neighbour stays where nothing farther is proved.
        for (; status == GRAZE_OK && next > i + 1; next--) {
            status = graze_check_motion(web->plan_checker, web->plan_motion, q + i * size,
                                        q + next * size, size, base + i * 6, base + next * 6, NULL,
                                        &r, &web->error);
            if (r.verdict == GRAZE_MOTION_FREE) break;
        }
        i = next > i ? next : count;
    }
    *left = (double)n;
    return status;
}
