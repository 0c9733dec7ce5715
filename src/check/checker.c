// Making a checker: which pairs count, which are decided once, and what the world adds.

#include "check/checker.h"
#include "check/check_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "check/filter_model.h"
#include "check/margin.h"
#include "check/rules.h"

static graze_checker_options default_options(void) {
    return (graze_checker_options){.margin = NAN, .domain = GRAZE_DOMAIN};
}

GZ_OPTIONS_INIT(graze_checker_options, default_options)

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static graze_status check_options(const graze_world *world, const graze_checker_options *o,
                                  graze_error *error) {
    if (world && !world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "world '%s' is not committed; call graze_world_commit() first", world->name);
    if ((o->level != GRAZE_LEVEL_MESH && o->level != GRAZE_LEVEL_BOUNDS) ||
        !gz_policy_is_known(o->policy))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "level or policy is not one of the enumerators");
    if (!o->allowed && o->allowed_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "allowed is NULL");
    return GRAZE_OK;
}

static bool is_fixed(const graze_checker *c, const gz_check_pair *pair) {
    const gz_link *links = c->robot->links;
    return c->options.level != GRAZE_LEVEL_BOUNDS && links[pair->a].body == links[pair->b].body;
}

static int compare_pairs(const void *x, const void *y) {
    return gz_pair_comes_before(y, x) - gz_pair_comes_before(x, y);
}

/// Whether a link has the same geometry in its body in two versions of a robot.
static bool is_same_link(const graze_robot *r, const graze_robot *other, int32_t link) {
    if (link >= other->link_count) return false;
    const gz_link *l = &r->links[link], *o = &other->links[link];
    if (l->collision_count != o->collision_count) return false;
    for (size_t i = 0; i < l->collision_count; i++) {
        const gz_geometry *g = &r->collisions[l->first_collision + i];
        const gz_geometry *h = &other->collisions[o->first_collision + i];
        const gz_shape *x = &g->shape, *y = &h->shape;
        if (g->element != h->element || x->kind != y->kind || x->mesh != y->mesh ||
            x->radius != y->radius || memcmp(x->a, y->a, sizeof x->a) != 0 ||
            memcmp(x->b, y->b, sizeof x->b) != 0)
            return false;
    }
    return true;
}

/// The pair in a checker of another version of the robot, where it has been judged by the same
/// shapes, policies and margin; else NULL.
static const gz_check_pair *find_judged(const graze_checker *c, const graze_checker *from,
                                        const gz_check_pair *p) {
    const gz_check_pair *old = from->pair_count ? bsearch(p, from->pairs, from->pair_count,
                                                          sizeof *p, compare_pairs)
                                                : NULL;
    const int32_t links[2] = {p->a, p->b};
    if (!old || !old->fixed || old->margin != p->margin) return NULL;
    for (int k = 0; k < 2; k++)
        if (!is_same_link(c->robot, from->robot, links[k]) ||
            c->link_policies[links[k]] != from->link_policies[links[k]])
            return NULL;
    return old;
}

/// Decides pairs of links of one body in the body's frame; `from`: a checker of another version of
/// the robot, or NULL.
static bool decide_fixed(graze_checker *c, const graze_checker *from) {
    size_t count = 0;
    for (size_t i = 0; i < c->pair_count; i++) count += is_fixed(c, &c->pairs[i]);
    gz_fixed_verdict *next = c->verdicts = gz_calloc(count, sizeof *next);
    if (!next) return false;
    for (size_t i = 0; i < c->pair_count; i++) {
        gz_check_pair *p = &c->pairs[i];
        if (!is_fixed(c, p)) continue;
        p->fixed = true;
        p->verdict = next;
        const gz_check_pair *judged = from ? find_judged(c, from, p) : NULL;
        if (judged) *next = *judged->verdict;
        p->collides = judged ? judged->collides
                             : gz_link_pair_test(c, NULL, identity, identity, p, GZ_DETAIL_WITNESS,
                                                 false, &next->contact, &next->stats);
        c->fixed_collision |= p->collides;
        next++;
    }
    return true;
}

static bool is_by_srdf(const gz_pair *p) {
    return p->state == GRAZE_PAIR_DISABLED || p->state == GRAZE_PAIR_DEFAULT;
}

static bool is_checked(const graze_checker *c, const gz_pair *p) {
    return p->state == GRAZE_PAIR_CHECKED || p->state == GRAZE_PAIR_STATIC ||
           (is_by_srdf(p) && c->options.ignore_srdf);
}

/// Sorts the robot's pairs into checked and hidden ones, of which so many more may be to come.
static bool choose_pairs(graze_checker *c, size_t more_hidden) {
    const graze_robot *r = c->robot;
    size_t checked = 0;
    for (size_t i = 0; i < r->pair_count; i++) checked += is_checked(c, &r->pairs[i]);
    size_t more = more_hidden < checked ? more_hidden : checked;
    c->pairs = gz_malloc(checked, sizeof *c->pairs);
    c->hidden = gz_malloc(r->pair_count - checked + more, sizeof *c->hidden);
    if (!c->pairs || !c->hidden) return false;
    for (size_t i = 0; i < r->pair_count; i++) {
        const gz_pair *p = &r->pairs[i];
        bool by_srdf = is_by_srdf(p);
        gz_check_pair pair = {.a = p->a, .b = p->b, .reason = p->reason ? p->reason : ""};
        if (is_checked(c, p)) {
            c->pairs[c->pair_count++] = pair;
        } else {
            if (p->state == GRAZE_PAIR_ADJACENT) pair.reason = "adjacent";
            if (by_srdf && !pair.reason[0])
                pair.reason = p->state == GRAZE_PAIR_DEFAULT ? "disabled by default" : "disabled";
            c->hidden[c->hidden_count++] = pair;
        }
    }
    return true;
}

static graze_status fail_name(const graze_checker *c, const char *name, graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "allowed pair names '%s', which is neither a link of '%s' nor an object of the "
                   "world",
                   name ? name : "(NULL)", c->robot->name);
}

/// Marks a checked pair as allowed.
static void allow_pair(graze_checker *c, int32_t a, int32_t b) {
    const gz_check_pair key = {.a = a < b ? a : b, .b = a < b ? b : a};
    gz_check_pair *found = NULL;
    if (c->pair_count) found = bsearch(&key, c->pairs, c->pair_count, sizeof key, compare_pairs);
    if (found) found->allowed = true;
}

/// Moves the allowed pairs to the hidden ones, each to its place.
static void hide_allowed(graze_checker *c) {
    size_t allowed = 0, left = c->hidden_count, kept = 0;
    for (size_t i = 0; i < c->pair_count; i++) allowed += c->pairs[i].allowed;
    size_t to = c->hidden_count += allowed;
    for (size_t i = c->pair_count; to > left && i-- > 0;) {
        const gz_check_pair *p = &c->pairs[i];
        if (!p->allowed) continue;
        while (left > 0 && gz_pair_comes_before(p, &c->hidden[left - 1]))
            c->hidden[--to] = c->hidden[--left];
        c->hidden[--to] = *p;
        c->hidden[to].reason = "allowed";
    }
    for (size_t i = 0; allowed && i < c->pair_count; i++)
        if (!c->pairs[i].allowed) c->pairs[kept++] = c->pairs[i];
    if (allowed) c->pair_count = kept;
}

static graze_status find_sides(const graze_checker *c, const graze_allowed_pair *pair,
                               gz_named sides[2], graze_error *error) {
    const char *names[2] = {pair->a, pair->b};
    for (int k = 0; k < 2; k++)
        if (!gz_find_named(c->robot, c->world, names[k], &sides[k]))
            return fail_name(c, names[k], error);
    if (sides[0].link < 0 && sides[1].link < 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "allowed pair '%s', '%s' names two objects; allowed: at least one link",
                       names[0], names[1]);
    return GRAZE_OK;
}

/// Applies an allowed pair: of two links, where pairs are not shared, or of a link and an object.
static graze_status allow(graze_checker *c, const graze_allowed_pair *pair, bool shares,
                          graze_error *error) {
    gz_named s[2];
    graze_status status = find_sides(c, pair, s, error);
    if (status) return status;
    if (s[0].link >= 0 && s[1].link >= 0) {
        if (!shares) allow_pair(c, s[0].link, s[1].link);
        return GRAZE_OK;
    }
    int which = s[0].link >= 0 ? 0 : 1;
    size_t objects = c->world->object_count;
    if (!c->allowed) c->allowed = gz_calloc((size_t)c->robot->link_count, objects);
    if (!c->allowed) return gz_fail_memory(error);
    for (int32_t i = s[1 - which].object; i < s[1 - which].end; i++)
        c->allowed[(size_t)s[which].link * objects + (size_t)i] = 1;
    return GRAZE_OK;
}

static bool list_links(graze_checker *c) {
    const graze_robot *r = c->robot;
    c->links = gz_malloc((size_t)r->link_count, sizeof *c->links);
    if (!c->links) return false;
    for (int32_t i = 0; i < r->link_count; i++)
        if (r->links[i].collision_count) c->links[c->link_count++] = i;
    return true;
}

/// Tables are of surfaces and solids; caps are more than these.
static void find_tables(graze_checker *c) {
    const graze_robot *r = c->robot;
    for (size_t i = 0; r->table_count && i < c->pair_count; i++) {
        gz_check_pair *p = &c->pairs[i];
        bool caps = c->link_policies[p->a] == GRAZE_POLICY_CAP ||
                    c->link_policies[p->b] == GRAZE_POLICY_CAP;
        if (!p->fixed && !caps)
            p->table = gz_pair_table_find(r->tables, r->table_count, p->a, p->b);
    }
}

static bool list_bounds(graze_checker *c) {
    c->bounds = gz_malloc(c->pair_count, sizeof *c->bounds);
    if (!c->bounds) return false;
    for (size_t i = 0; i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        c->bounds[i] = (gz_pair_bound){p->fixed ? -1 : p->a, p->b, p->threshold};
    }
    return true;
}

/// Makes the pairs of links, and decides those that no joint moves. False when out of memory.
static bool make_pairs(graze_checker *c, const graze_checker_options *rules,
                       const graze_checker *from) {
    hide_allowed(c);
    c->rules = gz_rule_set_create(rules, NULL, NULL);
    if (!c->rules || !decide_fixed(c, from) || !list_bounds(c)) return false;
    find_tables(c);
    bool wants_tree = c->pair_count >= c->tree_pairs && c->pair_count && !c->options.no_self;
    return !wants_tree || gz_link_tree_create(&c->tree, c);
}

/// Whether pairs of links count as in another checker of the same rules: of the same robot, their
/// margins depend on the world only through epsilon.
static bool has_same_pairs(const graze_checker *c, const graze_checker *from) {
    return c->robot == from->robot &&
           (c->epsilon == from->epsilon || (!c->has_margins && !from->has_margins));
}

static void share_pairs(graze_checker *c, const graze_checker *from) {
    const graze_checker *owner = from->source ? from->source : from;
    gz_shared_hold(&owner->shared);
    c->source = (graze_checker *)(uintptr_t)owner;
    c->pairs = owner->pairs;
    c->pair_count = owner->pair_count;
    c->bounds = owner->bounds;
    c->hidden = owner->hidden;
    c->hidden_count = owner->hidden_count;
    c->verdicts = owner->verdicts;
    c->tree = owner->tree;
    c->fixed_collision = owner->fixed_collision;
    c->rules = owner->rules;
}

/// All that a checker is made of; `from` is one of the same rules, or NULL. `rules` are
/// those, of which `options` are what counts here.
static graze_status make_contents(graze_checker *c, const graze_checker_options *options,
                                  const graze_checker_options *rules, const graze_checker *from,
                                  graze_error *error) {
    if (!list_links(c)) return gz_fail_memory(error);
    graze_status status = gz_policies_make(c, options, error);
    if (status == GRAZE_OK) status = gz_margins_read(c, options, error);
    if (status == GRAZE_OK) status = gz_domain_prepare(c, error);
    if (status) return status;
    bool shares = from && has_same_pairs(c, from);
    if (!shares && !choose_pairs(c, options->allowed_count)) return gz_fail_memory(error);
    gz_margins_resolve(c);
    for (size_t i = 0; i < options->allowed_count; i++) {
        status = allow(c, &options->allowed[i], shares, error);
        if (status) return status;
    }
    if (shares) share_pairs(c, from);
    bool ok = (shares || make_pairs(c, rules, from)) &&
              gz_filter_model_create(&c->filter, c, from ? from->filter : NULL);
    return ok ? GRAZE_OK : gz_fail_memory(error);
}

static graze_status make_checker(graze_checker **out, const graze_robot *robot,
                                 const graze_world *world, const graze_checker_options *options,
                                 const graze_checker_options *rules, const graze_checker *from,
                                 size_t tree_pairs, graze_error *error) {
    graze_checker *c = gz_calloc(1, sizeof *c);
    if (!c) return gz_fail_memory(error);
    c->tree_pairs = tree_pairs;
    c->robot = robot;
    c->world = world;
    c->options = *options;
    c->options.allowed = NULL;
    c->options.allowed_count = 0;
    c->options.margins = NULL;
    c->options.margin_count = 0;
    c->options.policies = NULL;
    c->options.policy_count = 0;
    c->kernels = gz_kernels_choose();
    c->robot_error = from && from->robot == robot ? from->robot_error : NAN;
    graze_status status = make_contents(c, options, rules, from, error);
    if (status) {
        graze_checker_free(c);
        return status;
    }
    *out = c;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_checker_create(graze_checker **out, const graze_robot *robot,
                                  const graze_world *world, const graze_checker_options *options,
                                  graze_error *error) {
    return gz_checker_create(out, robot, world, options, GZ_LINK_TREE_PAIRS, error);
}

graze_status gz_checker_create(graze_checker **out, const graze_robot *robot,
                               const graze_world *world, const graze_checker_options *options,
                               size_t tree_pairs, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!robot) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL");
    graze_checker_options o;
    graze_status status = GZ_OPTIONS_READ(graze_checker_options, &o, options, error);
    if (status == GRAZE_OK) status = check_options(world, &o, error);
    if (status) return status;
    return make_checker(out, robot, world, &o, &o, NULL, tree_pairs, error);
}

graze_status graze_checker_with_world(graze_checker **out, const graze_checker *checker,
                                      const graze_world *world, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    const graze_checker_options *rules = &checker->rules->options;
    graze_status status = check_options(world, rules, error);
    if (status) return status;
    gz_rule_set *known = gz_rule_set_create(rules, checker->robot, world);
    if (!known) return gz_fail_memory(error);
    status = make_checker(out, checker->robot, world, &known->options, rules, checker,
                          checker->tree_pairs, error);
    if (status == GRAZE_OK) (*out)->idle_rules = known->idle;
    gz_rule_set_free(known);
    return status;
}

graze_status graze_checker_with_robot(graze_checker **out, const graze_checker *checker,
                                      const graze_robot *robot, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker || !robot) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or robot is NULL");
    const graze_checker_options *rules = &checker->rules->options;
    gz_rule_set *known = gz_rule_set_create(rules, robot, checker->world);
    if (!known) return gz_fail_memory(error);
    graze_status status = make_checker(out, robot, checker->world, &known->options, rules, checker,
                                       checker->tree_pairs, error);
    if (status == GRAZE_OK) (*out)->idle_rules = known->idle;
    gz_rule_set_free(known);
    return status;
}

void graze_checker_settings_sized(const graze_checker *checker, graze_checker_options *options,
                                  size_t size) {
    graze_checker_options own = checker ? checker->rules->options : default_options();
    gz_options_init(options, size, &own, sizeof own);
}

size_t graze_checker_idle_rules(const graze_checker *checker) {
    return checker ? checker->idle_rules : 0;
}

void graze_checker_free(graze_checker *c) {
    if (!c || !gz_shared_drop(&c->shared)) return;
    if (!c->source) {
        gz_free(c->pairs);
        gz_free(c->bounds);
        gz_free(c->hidden);
        gz_free(c->verdicts);
        gz_link_tree_free(c->tree);
        gz_rule_set_free(c->rules);
    }
    gz_batch_worker_free(atomic_load(&c->kept_worker));
    gz_free(c->links);
    gz_free(c->allowed);
    gz_free(c->link_policies);
    gz_free(c->object_policies);
    gz_margins_free(c->margins);
    gz_filter_model_free(c->filter);
    graze_checker_free(c->source);
    gz_free(c);
}

const graze_robot *graze_checker_robot(const graze_checker *c) {
    return c ? c->robot : NULL;
}
const graze_world *graze_checker_world(const graze_checker *c) {
    return c ? c->world : NULL;
}
