#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "broad/world_query.h"
#include "check/filters.h"
#include "graze/control.h"
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

/// Planes of pairs of links, where those are few, and of links and objects.
static void lay_out_planes(gz_query_scratch *s, const gz_filter_model *m, gz_arena *arena) {
    size_t objects = m->all_near ? 0 : m->group_count * GZ_LANES;
    s->pair_planes = gz_arena_array(arena, m->tree ? 0 : m->pair_count, sizeof *s->pair_planes);
    s->object_planes = gz_arena_array(arena, m->link_count * objects, sizeof *s->object_planes);
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
        for (int k = 0; k < 4; k++)
            s->clear[k] = gz_arena_array(arena, c->link_count + GZ_LANES, sizeof *s->clear[k]);
        lay_out_planes(s, c->filter, arena);
    }
    // The rest.
    ws->bodies = gz_arena_array(arena, bodies, sizeof *ws->bodies);
    ws->centers = gz_arena_array(arena, links, sizeof *ws->centers);
    ws->radii = gz_arena_array(arena, links, sizeof *ws->radii);
    ws->boxes = gz_arena_array(arena, links, sizeof *ws->boxes);
    ws->bodies_listed = gz_arena_array(arena, bodies, sizeof *ws->bodies_listed);
    ws->links_listed = gz_arena_array(arena, links, sizeof *ws->links_listed);
    ws->loosened = gz_arena_array(arena, links, sizeof *ws->loosened);
    ws->entries = gz_arena_array(arena, w ? w->object_count : 0, sizeof *ws->entries);
    ws->stack = gz_arena_array(arena, (w ? w->node_count : 0) * (GZ_WIDTH - 1) + 8,
                               sizeof *ws->stack);
    if (ws->query) lay_out_query(ws->query, c->filter, arena);
    if (c->tree) gz_link_search_place(&ws->search, c->tree, arena);
    gz_local_tree_place(&ws->local_tree, w, arena);
}

/// A workspace with what it may need for a filter.
typedef struct whole {
    graze_workspace ws;
    gz_query_scratch query;
} whole;

/// Bytes of that in the memory of a caller, before the arrays.
#define WHOLE_SIZE                                                                                 \
    ((sizeof(whole) + GRAZE_WORKSPACE_ALIGNMENT - 1) / GRAZE_WORKSPACE_ALIGNMENT *                 \
     GRAZE_WORKSPACE_ALIGNMENT)

/// How many bytes the arrays of a workspace take.
static size_t measure(const graze_checker *checker) {
    gz_query_scratch query;
    graze_workspace ws = {.checker = checker, .query = checker->filter ? &query : NULL};
    gz_arena arena = {0};
    lay_out(&ws, &arena);
    return arena.size;
}

/// Makes a workspace one of a checker, with arrays in memory that is aligned to 64 bytes.
static void fill(whole *w, const graze_checker *checker, void *memory, size_t size, bool owns) {
    *w = (whole){.ws = {.checker = checker,
                        .revision = checker->revision,
                        .links = checker->robot->links,
                        .budget = UINT64_MAX,
                        .left = UINT64_MAX,
                        .memory = memory,
                        .memory_size = size,
                        .owns_memory = owns}};
    graze_workspace *ws = &w->ws;
    if (checker->filter) ws->query = &w->query;
    gz_arena arena = {.memory = memory};
    lay_out(ws, &arena);
    memset(ws->box_ready, 0, (size_t)((char *)ws->bodies - (char *)ws->box_ready));
    if (!ws->query) return;
    ws->query->search = ws->search;
    ws->query->entries = ws->entries;
    ws->query->local_tree = ws->local_tree;
    ws->query->stack = ws->stack;
}

graze_status graze_workspace_create(graze_workspace **out, const graze_checker *checker,
                                    graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    const size_t size = measure(checker);
    gz_arena arena = {.size = size};
    whole *w = gz_calloc(1, sizeof *w);
    if (!w || !gz_arena_create(&arena)) {
        gz_free(w);
        return gz_fail_memory(error);
    }
    fill(w, checker, arena.memory, size, true);
    *out = &w->ws;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_workspace_rebind(graze_workspace *ws, const graze_checker *checker,
                                    graze_error *error) {
    if (!ws || !checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "workspace or checker is NULL");
    const graze_checker *held = ws->held;
    const bool owns = ws->owns_memory;
    void *memory = ws->memory;
    size_t size = measure(checker), capacity = ws->memory_size;
    if (size > capacity && !owns)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the workspace lies in %zu bytes of the caller's, the checker needs %zu; "
                       "allowed: graze_workspace_place() in more",
                       capacity + WHOLE_SIZE, size + WHOLE_SIZE);
    if (size > capacity) {
        capacity = size + size / 4; // worlds grow by and by: a version in four asks for more
        gz_arena arena = {.size = capacity};
        if (!gz_arena_create(&arena)) return gz_fail_memory(error);
        memory = arena.memory;
    }
    gz_workspace_drop_batch(ws);
    if (memory != ws->memory) gz_free(ws->memory);
    fill((whole *)(void *)ws, checker, memory, capacity, owns);
    ws->held = held;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_workspace_free(graze_workspace *ws) {
    if (!ws) return;
    gz_workspace_drop_batch(ws);
    graze_checker_free((graze_checker *)(uintptr_t)ws->held);
    if (!ws->owns_memory) return;
    gz_free(ws->memory);
    gz_free(ws);
}

size_t graze_workspace_size(const graze_checker *checker) {
    return checker ? WHOLE_SIZE + measure(checker) : 0;
}

graze_status graze_workspace_place(graze_workspace **out, const graze_checker *checker,
                                   void *memory, size_t size, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker || !memory)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or memory is NULL");
    size_t needed = graze_workspace_size(checker);
    if (size < needed || (uintptr_t)memory % GRAZE_WORKSPACE_ALIGNMENT)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "memory has %zu bytes from an address that is %u beyond a multiple of %d; "
                       "allowed: at least %zu, from a multiple",
                       size, (unsigned)((uintptr_t)memory % GRAZE_WORKSPACE_ALIGNMENT),
                       GRAZE_WORKSPACE_ALIGNMENT, needed);
    whole *w = memory;
    fill(w, checker, (char *)memory + WHOLE_SIZE, size - WHOLE_SIZE, false);
    *out = &w->ws;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_workspace_set_coherent(graze_workspace *ws, uint32_t coherent,
                                          graze_error *error) {
    gz_error_clear(error);
    if (!ws || coherent > 1)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s",
                       ws ? "coherent is neither 0 nor 1" : "workspace is NULL");
    ws->keeps_planes = coherent;
    return GRAZE_OK;
}

// How much work a check may do, and how much it did.

graze_status graze_workspace_set_budget(graze_workspace *ws, uint64_t units, graze_error *error) {
    if (!ws) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "workspace is NULL");
    ws->budget = units ? units : UINT64_MAX;
    gz_error_clear(error);
    return GRAZE_OK;
}

void gz_workspace_free_of_limits(graze_workspace *ws) {
    ws->budget = ws->left = UINT64_MAX;
    graze_workspace_reset_work(ws);
}

uint64_t graze_workspace_work(const graze_workspace *ws) {
    return ws ? ws->last_work : 0;
}

uint64_t graze_workspace_most_work(const graze_workspace *ws) {
    return ws ? ws->most_work : 0;
}

void graze_workspace_reset_work(graze_workspace *ws) {
    if (ws) ws->last_work = ws->most_work = 0;
}

void gz_workspace_renew(graze_workspace *ws) {
    ws->revision = ws->checker->revision;
    ws->static_valid = false;
    memset(ws->static_free, 0, (size_t)ws->checker->robot->link_count);
    if (ws->local_tree) ws->local_tree->aimed = ws->local_tree->holds = false;
    if (ws->query) ws->query->has_views = false;
    if (ws->batch) gz_batch_renew(ws->batch);
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
    const gz_link *l = &ws->links[link];
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
    forget(ws, root);
    return gz_workspace_place(ws, error);
}

// Poses from the caller. The verdict is about w = fl(R v + t) with a body's pose as given, that of
// its root link: nothing is computed of it but what is tested. Links hold proved bounds on how far
// a computed rotation is off rigid (gz_link.skew), from which all pads follow; where a given one is
// farther off, links with larger bounds take their place. So poses of graze_robot_pose() are tested
// with the pads that poses from q are.

/// How far a link's pose may be from where the pose of its body places it, metres, and entries of
/// R: what is posed in float and made rigid is that far off some metres from the origin.
#define AGREE_TOLERANCE 1e-6

static bool place_fits(const double m[12]) {
    return (fabs(m[3]) <= GZ_COORDINATE_MAX) & (fabs(m[7]) <= GZ_COORDINATE_MAX) &
           (fabs(m[11]) <= GZ_COORDINATE_MAX);
}

static graze_status check_entries(const gz_link *l, const double m[12], graze_error *error) {
    for (int i = 0; i < 12; i++)
        if (!(fabs(m[i]) <= GZ_COORDINATE_MAX))
            return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = l->name},
                              "pose of link '%s' has the entry %g in row %d, column %d; allowed: "
                              "finite, magnitude at most 2^20",
                              l->name, m[i], i / 4, i % 4);
    return GRAZE_OK;
}

/// The square of gz_robot_skew(), and whether a pose is rigid as gz_transform_is_rigid() has it: no
/// entry is greater than the norm.
static bool is_rigid(const double m[12], double *skew_square) {
    double column[3][3], sum = 0, normal[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) column[i][k] = m[4 * k + i];
    for (int i = 0; i < 3; i++) {
        const double *next = column[i == 2 ? 0 : i + 1];
        double length = gz_dot(column[i], column[i]) - 1, dot = gz_dot(column[i], next);
        sum += length * length + 2 * (dot * dot);
    }
    *skew_square = sum;
    gz_cross(column[0], column[1], normal);
    if (sum < 0.5 * (GZ_RIGID_TOLERANCE * GZ_RIGID_TOLERANCE) && gz_dot(normal, column[2]) > 0)
        return true;
    return gz_transform_is_rigid(m, GZ_RIGID_TOLERANCE);
}

/// Takes the pose of a body; *loose: it is farther off rigid than the bounds of its links allow.
static graze_status take_body(graze_workspace *ws, int32_t body, const graze_transform *links,
                              bool *loose, graze_error *error) {
    const graze_robot *r = ws->checker->robot;
    int32_t link = r->bodies[body].root_link;
    const gz_link *l = &r->links[link];
    const double *m = links[link].m;
    double square;
    // What is rigid has entries that are, but for those of its place.
    bool rigid = is_rigid(m, &square);
    if (!rigid || !place_fits(m)) GZ_TRY(check_entries(l, m, error));
    if (!rigid)
        return gz_fail_at(error, GRAZE_ERROR_ARGUMENT, (gz_place){.element = l->name},
                          "pose of link '%s' is not rigid, |R^T R - I| is %g; allowed: entries of "
                          "up to 1e-9, without mirroring; see graze_transform_normalise()",
                          l->name, gz_robot_skew(m));
    if (square > l->skew * l->skew) *loose = true;
    memcpy(ws->bodies[body], m, sizeof ws->bodies[body]);
    return GRAZE_OK;
}

/// Checks that a link is where its body, whose pose counts, places it.
static graze_status check_follower(const graze_robot *r, int32_t link, const graze_transform *links,
                                   graze_error *error) {
    const gz_link *l = &r->links[link];
    int32_t root = r->bodies[l->body].root_link;
    if (link == root) return GRAZE_OK;
    const double *m = links[link].m;
    double there[12], off = 0;
    bool agrees = place_fits(m);
    gz_transform_compose(links[root].m, l->in_body.m, there);
    for (int i = 0; i < 12; i++) agrees = agrees & (fabs(m[i] - there[i]) <= AGREE_TOLERANCE);
    if (agrees) return GRAZE_OK;
    GZ_TRY(check_entries(l, m, error));
    for (int i = 0; i < 12; i++) off = fmax(off, fabs(m[i] - there[i]));
    return gz_fail_at(error, GRAZE_ERROR_ARGUMENT, (gz_place){.element = l->name},
                      "pose of link '%s' is %g off where link '%s', to which it is fixed, places "
                      "it; allowed: entries of up to 1e-6",
                      l->name, off, r->links[root].name);
}

/// The robot's links with bounds for any rotation that is rigid up to GZ_RIGID_TOLERANCE, whose
/// 2-norm of R^T R - I is below GZ_OBJECT_SKEW.
static const gz_link *loosen(graze_workspace *ws) {
    const graze_robot *r = ws->checker->robot;
    for (int32_t i = 0; !ws->has_loosened && i < r->link_count; i++) {
        gz_link *l = &ws->loosened[i];
        *l = r->links[i];
        l->skew += GZ_OBJECT_SKEW;
        l->pad *= l->skew / r->links[i].skew; // skew times the reach
    }
    ws->has_loosened = true;
    return ws->loosened;
}

graze_status gz_workspace_take(graze_workspace *ws, const graze_transform *links, size_t link_count,
                               graze_error *error) {
    const graze_checker *c = ws->checker;
    const graze_robot *r = c->robot;
    if (!links || link_count != (size_t)r->link_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "links is NULL or has %zu poses; allowed: exactly %d, one for each link",
                       link_count, (int)r->link_count);
    bool loose = false;
    for (int32_t i = 0; i < r->body_count; i++) GZ_TRY(take_body(ws, i, links, &loose, error));
    if (loose) ws->links = loosen(ws);
    for (size_t i = 0; i < c->link_count; i++) GZ_TRY(check_follower(r, c->links[i], links, error));
    // What is known of links that no joint moves holds where the base places them.
    ws->static_valid = false;
    memset(ws->static_free, 0, (size_t)r->link_count);
    return GRAZE_OK;
}

graze_status gz_workspace_place(graze_workspace *ws, graze_error *error) {
    const graze_checker *c = ws->checker;
    for (size_t i = 0; i < c->link_count; i++) gz_workspace_place_link(ws, c->links[i]);
    return check_coordinates(c, ws, error);
}

void gz_workspace_release(graze_workspace *ws) {
    ws->links = ws->checker->robot->links;
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
    if (q) gz_pose_listed(r, q, base, ws->bodies_listed, bodies, ws->bodies);
    for (size_t i = 0; i < ws->wanted_count; i++) {
        ws->wanted_links[ws->links_listed[i]] = 0;
        gz_workspace_place_link(ws, ws->links_listed[i]);
    }
    ws->wanted_count = 0;
    if (q) forget(ws, base);
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
