// Pairs that neither column moves are posed from the same numbers everywhere in the map, so their
// verdict is the same, too, and keeps its margin. So it is for links that are one body. For all
// others, FREE in the middle at gz_margin_certified(), plus the most that the distance changes in
// the box, keeps the checker from COLLISION in all of it.

#include <math.h>

#include "base/memory.h"
#include "check/margin.h"
#include "cspace/cspace.h"

typedef struct rules {
    const graze_checker *checker;
    const gz_motion_model *motion;
    const double *half;
    graze_pair_margin *margins;
    graze_allowed_pair *allowed;
    graze_name_policy *policies;
    size_t margin_count, allowed_count, policy_count;
    double *of_links; ///< per link: the greatest margin against any object; below 0: none
} rules;

double gz_cspace_level_margin(const graze_checker *checker, const gz_motion_model *motion,
                              const double *half, const graze_checked_pair *pair) {
    const gz_link *links = checker->robot->links;
    int32_t a = gz_pair_first(pair), b = gz_pair_second(pair);
    double margin = pair->margin;
    if (!gz_pair_moves(motion, pair) || (a >= 0 && links[a].body == links[b].body)) return margin;
    return gz_margin_certified(checker, a, b, margin) + gz_motion_bound(motion, a, b, half, NULL);
}

static void add_margin(rules *r, const char *a, const char *b, const graze_checked_pair *pair) {
    double margin = gz_cspace_level_margin(r->checker, r->motion, r->half, pair);
    r->margins[r->margin_count++] = (graze_pair_margin){a, b, margin};
}

static void add_policy(rules *r, const char *name, graze_policy policy) {
    if (policy == r->checker->options.policy) return;
    r->policies[r->policy_count++] = (graze_name_policy){name, policy};
}

static bool add_pair(const graze_checked_pair *pair, void *user) {
    rules *r = user;
    const gz_link *links = r->checker->robot->links;
    if (pair->hidden) return true;
    if (pair->is_world)
        r->of_links[pair->link] = fmax(r->of_links[pair->link], pair->margin);
    else
        add_margin(r, links[pair->link].name, links[pair->other].name, pair);
    return true;
}

static size_t object_count(const graze_checker *c) {
    return c->world ? graze_world_object_count(c->world) : 0;
}

/// The pairs that options have hidden; the SRDF's and the robot's own hide themselves again.
static void list_allowed(rules *r) {
    const graze_checker *c = r->checker;
    const gz_link *links = c->robot->links;
    for (size_t i = 0; i < c->hidden_count; i++)
        r->allowed[r->allowed_count++] = (graze_allowed_pair){links[c->hidden[i].a].name,
                                                              links[c->hidden[i].b].name};
    size_t objects = object_count(c);
    for (size_t i = 0; c->allowed && i < objects * (size_t)c->robot->link_count; i++) {
        graze_geometry object;
        if (c->allowed[i] && graze_world_object(c->world, i % objects, &object) == GRAZE_OK)
            r->allowed[r->allowed_count++] = (graze_allowed_pair){links[i / objects].name,
                                                                  object.name};
    }
}

static void list_policies(rules *r) {
    const graze_checker *c = r->checker;
    for (int32_t i = 0; i < c->robot->link_count; i++)
        add_policy(r, c->robot->links[i].name, c->link_policies[i]);
    for (size_t i = 0; i < object_count(c); i++) {
        graze_geometry object;
        if (graze_world_object(c->world, i, &object) != GRAZE_OK) continue;
        // A name that a link has too means the link: such an object has the policy of all.
        if (graze_robot_find_link(c->robot, object.name) >= 0 ||
            graze_world_find_object(c->world, object.name) != (int32_t)i)
            continue;
        add_policy(r, object.name, gz_object_policy(c, (int32_t)i));
    }
}

/// Lays out the lists, as long as they may be.
static void place_lists(rules *r, gz_arena *arena) {
    const graze_checker *c = r->checker;
    size_t links = (size_t)c->robot->link_count, objects = object_count(c), allowed = 0;
    for (size_t i = 0; c->allowed && i < objects * links; i++) allowed += c->allowed[i] != 0;
    r->of_links = gz_arena_array(arena, links, sizeof *r->of_links);
    r->margins = gz_arena_array(arena, c->pair_count + links, sizeof *r->margins);
    r->allowed = gz_arena_array(arena, c->hidden_count + allowed, sizeof *r->allowed);
    r->policies = gz_arena_array(arena, links + objects, sizeof *r->policies);
}

graze_status gz_cspace_level_make(graze_checker **out, const graze_checker *checker,
                                  const gz_motion_model *motion, const double *half,
                                  graze_error *error) {
    const graze_robot *robot = checker->robot;
    rules r = {.checker = checker, .motion = motion, .half = half};
    gz_arena arena = {0};
    *out = NULL;
    place_lists(&r, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    place_lists(&r, &arena);
    for (int32_t i = 0; i < robot->link_count; i++) r.of_links[i] = -1;
    graze_checker_pairs(checker, add_pair, &r);
    for (int32_t i = 0; i < robot->link_count; i++) {
        const graze_checked_pair world = {.is_world = true, .link = i, .margin = r.of_links[i]};
        if (world.margin >= 0) add_margin(&r, robot->links[i].name, NULL, &world);
    }
    list_allowed(&r);
    list_policies(&r);
    graze_checker_options options = checker->options;
    options.margin = 0;
    options.ignore_srdf_margins = 1;
    options.margins = r.margins;
    options.margin_count = r.margin_count;
    options.allowed = r.allowed;
    options.allowed_count = r.allowed_count;
    options.policies = r.policies;
    options.policy_count = r.policy_count;
    graze_status status = graze_checker_create(out, robot, checker->world, &options, error);
    gz_free(arena.memory);
    return status;
}

// -------------------------------------------------------------------------------------------- caps
//
// Where the surfaces of two parts stay apart in all of a box of configurations, as the verdict at
// the level's margin proves, what is inside of what changes only where one passes a cap of the
// other. Caps lie in the hull of the vertices around them, so in a box around them, and no point of
// a hull moves by more than the margin allows for (gz_cspace_level_margin() bounds it for all
// points of the links' spheres): where that box is farther than this from all of the other part in
// the middle, nothing passes.

static bool list_capped_pair(const graze_checked_pair *pair, void *user) {
    gz_cspace_caps *c = user;
    if (pair->hidden || !gz_pair_moves(c->motion, pair) || !gz_pair_has_caps(c->checker, pair))
        return true;
    c->full = !gz_array_reserve((void **)&c->pairs, &c->capacity, c->count + 1, sizeof *c->pairs);
    if (!c->full) c->pairs[c->count++] = *pair;
    return !c->full;
}

graze_status gz_cspace_caps_make(gz_cspace_caps *caps, const graze_checker *checker,
                                 const gz_motion_model *motion, uint32_t threads,
                                 graze_error *error) {
    *caps = (gz_cspace_caps){.checker = checker, .motion = motion};
    graze_checker_pairs(checker, list_capped_pair, caps);
    if (caps->full) return gz_fail_memory(error);
    if (caps->count == 0) return GRAZE_OK;
    caps->margins = gz_malloc(caps->count, sizeof *caps->margins);
    caps->workspaces = gz_calloc(threads, sizeof(graze_workspace *));
    if (!caps->margins || !caps->workspaces) return gz_fail_memory(error);
    caps->threads = threads;
    for (uint32_t i = 0; i < threads; i++) {
        graze_status status = graze_workspace_create(&caps->workspaces[i], checker, error);
        if (status) return status;
    }
    return GRAZE_OK;
}

void gz_cspace_caps_free(gz_cspace_caps *caps) {
    for (uint32_t i = 0; i < caps->threads; i++) graze_workspace_free(caps->workspaces[i]);
    gz_free(caps->workspaces);
    gz_free(caps->margins);
    gz_free(caps->pairs);
    *caps = (gz_cspace_caps){0};
}

void gz_cspace_caps_bound(gz_cspace_caps *caps, const double *half) {
    for (size_t i = 0; i < caps->count; i++)
        caps->margins[i] = gz_cspace_level_margin(caps->checker, caps->motion, half,
                                                  &caps->pairs[i]);
}

bool gz_cspace_caps_clear(const gz_cspace_caps *caps, uint32_t thread, const double *q,
                          size_t q_count, const double *base) {
    if (caps->count == 0) return true;
    graze_workspace *ws = caps->workspaces[thread];
    if (gz_workspace_pose(ws, q, q_count, base, NULL)) return false;
    for (size_t i = 0; i < caps->count; i++)
        if (!gz_caps_apart(caps->checker, ws, &caps->pairs[i], caps->margins[i])) return false;
    return true;
}
