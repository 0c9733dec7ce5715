// Pairs that neither column moves are posed from the same numbers everywhere in the map, so their
// verdict is the same, too, and keeps its margin. So it is for links that are one body. For all
// others, FREE at margin m proves a real distance above m, which is above
//
//     max(margin, epsilon) + epsilon + GZ_CURVED_TOLERANCE
//
// after any motion in the box; there the checker cannot say COLLISION, which is never farther off
// than margin + epsilon (docs/contract.md). GZ_CURVED_TOLERANCE covers what the verdict on curved
// shapes leaves open besides (1e-9 m, narrow/curved/curved.h), and that a cell's middle is rounded.
// Where the two span more than 400 m, that verdict leaves open 2.5e-12 of the span S instead. S is
// the sum of both sets' extents from an end of one of them, in the 1-norm and with their radii: for
// parts of diameters d and e, a gap g apart, at most sqrt 3 (2 d + e + g) + d + e < 5 (d + e + g);
// and where the verdict is in doubt g is the margin.

#include <math.h>

#include "base/memory.h"
#include "cspace/cspace.h"
#include "narrow/curved/curved.h"

typedef struct rules {
    const graze_checker *checker;
    const gz_motion_model *motion;
    const double *half;
    graze_pair_margin *margins;
    size_t margin_count, margin_capacity;
    graze_allowed_pair *allowed;
    size_t allowed_count, allowed_capacity;
    graze_name_policy *policies;
    size_t policy_count, policy_capacity;
    double *of_links; ///< per link: the greatest margin against any object; below 0: none
    bool full;
} rules;

/// What verdicts on sets as large as these leave open, metres.
static double tolerance_of(const graze_checker *checker, int32_t a, int32_t b, double margin) {
    const gz_link *links = checker->robot->links;
    double other = a >= 0 ? 2 * links[a].sphere.radius : checker->world->extent.size;
    double span = 5 * (2 * links[b].sphere.radius + other + margin);
    return GZ_CURVED_TOLERANCE + fmax(0, 2.5e-12 * span - 1e-9);
}

double gz_cspace_level_margin(const graze_checker *checker, const gz_motion_model *motion,
                              const double *half, const graze_checked_pair *pair) {
    const gz_link *links = checker->robot->links;
    int32_t a = gz_pair_first(pair), b = gz_pair_second(pair);
    double epsilon = checker->epsilon, margin = pair->margin;
    if (!gz_pair_moves(motion, pair) || (a >= 0 && links[a].body == links[b].body)) return margin;
    return fmax(margin, epsilon) + 2 * epsilon + tolerance_of(checker, a, b, margin) +
           gz_motion_bound(motion, a, b, half, NULL);
}

/// A further entry of a growing array; NULL when out of memory.
static void *add_entry(rules *r, void *array, size_t *count, size_t *capacity, size_t size) {
    r->full = r->full || !gz_array_reserve(array, capacity, *count + 1, size);
    return r->full ? NULL : *(char **)array + size * (*count)++;
}

static bool add_margin(rules *r, const char *a, const char *b, const graze_checked_pair *pair) {
    graze_pair_margin *m = add_entry(r, &r->margins, &r->margin_count, &r->margin_capacity,
                                     sizeof *m);
    if (m)
        *m = (graze_pair_margin){a, b,
                                 gz_cspace_level_margin(r->checker, r->motion, r->half, pair)};
    return m;
}

static void add_allowed(rules *r, const char *a, const char *b) {
    graze_allowed_pair *p = add_entry(r, &r->allowed, &r->allowed_count, &r->allowed_capacity,
                                      sizeof *p);
    if (p) *p = (graze_allowed_pair){a, b};
}

static void add_policy(rules *r, const char *name, graze_policy policy) {
    if (policy == r->checker->options.policy) return;
    graze_name_policy *p = add_entry(r, &r->policies, &r->policy_count, &r->policy_capacity,
                                     sizeof *p);
    if (p) *p = (graze_name_policy){name, policy};
}

static bool add_pair(const graze_checked_pair *pair, void *user) {
    rules *r = user;
    const gz_link *links = r->checker->robot->links;
    if (pair->hidden) return true;
    if (!pair->is_world)
        return add_margin(r, links[pair->link].name, links[pair->other].name, pair);
    r->of_links[pair->link] = fmax(r->of_links[pair->link], pair->margin);
    return true;
}

/// The pairs that options have hidden; the SRDF's and the robot's own hide themselves again.
static void list_allowed(rules *r) {
    const graze_checker *c = r->checker;
    for (size_t i = 0; i < c->hidden_count && !r->full; i++) {
        const gz_check_pair *p = &c->hidden[i];
        add_allowed(r, c->robot->links[p->a].name, c->robot->links[p->b].name);
    }
    size_t objects = c->world ? graze_world_object_count(c->world) : 0;
    for (size_t i = 0; c->allowed && i < objects * (size_t)c->robot->link_count && !r->full; i++) {
        graze_geometry object;
        if (!c->allowed[i] || graze_world_object(c->world, i % objects, &object) != GRAZE_OK)
            continue;
        add_allowed(r, c->robot->links[i / objects].name, object.name);
    }
}

static void list_policies(rules *r) {
    const graze_checker *c = r->checker;
    for (int32_t i = 0; i < c->robot->link_count && !r->full; i++)
        add_policy(r, c->robot->links[i].name, c->link_policies[i]);
    size_t objects = c->world ? graze_world_object_count(c->world) : 0;
    for (size_t i = 0; i < objects && !r->full; i++) {
        graze_geometry object;
        if (graze_world_object(c->world, i, &object) != GRAZE_OK) continue;
        // A name that a link has too means the link: such an object has the policy of all.
        if (graze_robot_find_link(c->robot, object.name) >= 0 ||
            graze_world_find_object(c->world, object.name) != (int32_t)i)
            continue;
        add_policy(r, object.name, gz_object_policy(c, (int32_t)i));
    }
}

graze_status gz_cspace_level_make(graze_checker **out, const graze_checker *checker,
                                  const gz_motion_model *motion, const double *half,
                                  graze_error *error) {
    const graze_robot *robot = checker->robot;
    rules r = {.checker = checker, .motion = motion, .half = half};
    graze_status status = GRAZE_OK;
    *out = NULL;
    r.of_links = gz_malloc((size_t)robot->link_count, sizeof *r.of_links);
    if (!r.of_links) return gz_fail_memory(error);
    for (int32_t i = 0; i < robot->link_count; i++) r.of_links[i] = -1;
    graze_checker_pairs(checker, add_pair, &r);
    for (int32_t i = 0; i < robot->link_count && !r.full; i++) {
        const graze_checked_pair world = {.is_world = true, .link = i, .margin = r.of_links[i]};
        if (world.margin >= 0) add_margin(&r, robot->links[i].name, NULL, &world);
    }
    if (!r.full) list_allowed(&r);
    if (!r.full) list_policies(&r);
    if (r.full) status = gz_fail_memory(error);
    if (!status) {
        graze_checker_options options = checker->options;
        options.margin = 0;
        options.ignore_srdf_margins = 1;
        options.margins = r.margins;
        options.margin_count = r.margin_count;
        options.allowed = r.allowed;
        options.allowed_count = r.allowed_count;
        options.policies = r.policies;
        options.policy_count = r.policy_count;
        status = graze_checker_create(out, robot, checker->world, &options, error);
    }
    gz_free(r.of_links);
    gz_free(r.margins);
    gz_free(r.allowed);
    gz_free(r.policies);
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

typedef struct pair_listing {
    gz_cspace_caps *caps;
    bool full;
} pair_listing;

static bool list_capped_pair(const graze_checked_pair *pair, void *user) {
    pair_listing *l = user;
    gz_cspace_caps *c = l->caps;
    if (pair->hidden || !gz_pair_moves(c->motion, pair) || !gz_pair_has_caps(c->checker, pair))
        return true;
    if (!gz_array_reserve((void **)&c->pairs, &c->capacity, c->count + 1, sizeof *c->pairs)) {
        l->full = true;
        return false;
    }
    c->pairs[c->count++] = *pair;
    return true;
}

graze_status gz_cspace_caps_make(gz_cspace_caps *caps, const graze_checker *checker,
                                 const gz_motion_model *motion, uint32_t threads,
                                 graze_error *error) {
    *caps = (gz_cspace_caps){.checker = checker, .motion = motion};
    pair_listing l = {.caps = caps};
    graze_checker_pairs(checker, list_capped_pair, &l);
    if (l.full) return gz_fail_memory(error);
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
