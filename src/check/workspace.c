#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "broad/world_query.h"
#include "check/filters.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"

// The memory of one thread's queries: poses, posed bounds, candidates.

static void lay_out_query(gz_query_scratch *s, const gz_filter_model *m, gz_arena *arena) {
    s->sines = gz_arena_array(arena, 2 * m->turning, sizeof *s->sines);
    s->poses = gz_arena_array(arena, m->body_count, sizeof *s->poses);
    s->boxes = gz_arena_array(arena, m->link_count, sizeof *s->boxes);
    s->box_ready = gz_arena_array(arena, m->link_count, sizeof *s->box_ready);
    s->objects = gz_arena_array(arena, m->object_count, sizeof *s->objects);
    s->places = gz_arena_array(arena, m->group_count, sizeof *s->places);
    s->possible = gz_arena_array(arena, m->link_count * m->group_count, sizeof *s->possible);
    s->pairs = gz_arena_array(arena, m->pair_count, sizeof *s->pairs);
    s->candidates = gz_arena_array(arena, gz_filter_candidates_max(m), sizeof *s->candidates);
}

static void lay_out(graze_workspace *ws, gz_arena *arena) {
    const graze_checker *c = ws->checker;
    const graze_robot *r = c->robot;
    const graze_world *w = c->world;
    size_t links = (size_t)r->link_count, bodies = (size_t)r->body_count;
    // To be cleared: flags, and values and spheres that fill up a group of eight.
    ws->box_ready = gz_arena_array(arena, links, sizeof *ws->box_ready);
    ws->wanted_bodies = gz_arena_array(arena, bodies, sizeof *ws->wanted_bodies);
    ws->wanted_links = gz_arena_array(arena, links, sizeof *ws->wanted_links);
    ws->static_free = gz_arena_array(arena, links, sizeof *ws->static_free);
    if (ws->query) {
        gz_query_scratch *s = ws->query;
        s->values = gz_arena_array(arena, c->filter->turning + bodies, sizeof *s->values);
        for (int k = 0; k < 3; k++)
            s->centers[k] = gz_arena_array(arena, c->link_count + GZ_LANES, sizeof *s->centers[k]);
    }
    // The rest.
    ws->bodies = gz_arena_array(arena, bodies, sizeof *ws->bodies);
    ws->centers = gz_arena_array(arena, links, sizeof *ws->centers);
    ws->radii = gz_arena_array(arena, links, sizeof *ws->radii);
    ws->boxes = gz_arena_array(arena, links, sizeof *ws->boxes);
    ws->bodies_listed = gz_arena_array(arena, bodies, sizeof *ws->bodies_listed);
    ws->links_listed = gz_arena_array(arena, links, sizeof *ws->links_listed);
    ws->entries = gz_arena_array(arena, w ? w->object_count : 0, sizeof *ws->entries);
    ws->stack = gz_arena_array(arena, (w ? w->node_count : 0) * (GZ_WIDTH - 1) + 8,
                               sizeof *ws->stack);
    if (ws->query) lay_out_query(ws->query, c->filter, arena);
}

/// Lays out the memory, and makes what has its own; false when out of memory.
static bool fill_workspace(graze_workspace *ws) {
    const graze_checker *c = ws->checker;
    gz_arena arena = {0};
    lay_out(ws, &arena);
    if (!gz_arena_create(&arena)) return false;
    ws->memory = arena.memory;
    lay_out(ws, &arena);
    memset(ws->memory, 0, (size_t)((char *)ws->bodies - arena.memory));
    if (c->tree && !gz_link_search_create(&ws->search, c->tree)) return false;
    if (!gz_local_tree_create(&ws->local_tree, c->world)) return false;
    if (!ws->query) return true;
    ws->query->search = ws->search;
    ws->query->entries = ws->entries;
    ws->query->local_tree = ws->local_tree;
    ws->query->stack = ws->stack;
    return true;
}

graze_status graze_workspace_create(graze_workspace **out, const graze_checker *checker,
                                    graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    struct both {
        graze_workspace ws;
        gz_query_scratch query;
    } *both = gz_calloc(1, sizeof *both);
    if (!both) return gz_fail_memory(error);
    both->ws.checker = checker;
    if (checker->filter) both->ws.query = &both->query;
    if (!fill_workspace(&both->ws)) {
        graze_workspace_free(&both->ws);
        return gz_fail_memory(error);
    }
    *out = &both->ws;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_workspace_free(graze_workspace *ws) {
    if (!ws) return;
    gz_local_tree_free(ws->local_tree);
    gz_link_search_free(ws->search);
    gz_free(ws->memory);
    gz_free(ws);
}

/// Every snapped coordinate must stay within 2^20 m; by the bounding spheres.
static graze_status check_coordinates(const graze_checker *c, const graze_workspace *ws,
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
    if (ws->static_valid && memcmp(ws->static_base, base, sizeof ws->static_base) == 0) return;
    memcpy(ws->static_base, base, sizeof ws->static_base);
    memset(ws->static_free, 0, links);
    ws->static_valid = true;
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
    return check_coordinates(c, ws, error);
}

void gz_workspace_want(graze_workspace *ws, int32_t link) {
    const graze_robot *r = ws->checker->robot;
    if (ws->wanted_links[link]) return;
    ws->wanted_links[link] = 1;
    ws->links_listed[ws->wanted_count++] = link;
    for (int32_t b = r->links[link].body; b > 0 && !ws->wanted_bodies[b]; b = r->bodies[b].parent)
        ws->wanted_bodies[b] = 1;
}

void gz_workspace_pose_wanted(graze_workspace *ws, const double *q, const double base[12]) {
    const graze_robot *r = ws->checker->robot;
    size_t bodies = 0;
    for (int32_t b = 1; b < r->body_count; b++) {
        if (!ws->wanted_bodies[b]) continue;
        ws->wanted_bodies[b] = 0;
        ws->bodies_listed[bodies++] = b;
    }
    gz_pose_listed(r, q, base, ws->bodies_listed, bodies, ws->bodies);
    for (size_t i = 0; i < ws->wanted_count; i++) {
        ws->wanted_links[ws->links_listed[i]] = 0;
        gz_workspace_place_link(ws, ws->links_listed[i]);
    }
    ws->wanted_count = 0;
    forget(ws, base);
}

bool gz_workspace_is_free(const graze_workspace *ws, int32_t link, const double base[12]) {
    return ws->static_valid && ws->static_free[link] &&
           memcmp(ws->static_base, base, sizeof ws->static_base) == 0;
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
