#include <string.h>

#include "base/memory.h"
#include "check/rules.h"

bool gz_policy_is_known(graze_policy policy) {
    return policy == GRAZE_POLICY_SOLID || policy == GRAZE_POLICY_SURFACE ||
           policy == GRAZE_POLICY_CAP;
}

static const char *policy_name(graze_policy policy) {
    static const char *const names[] = {"solid", "surface", "cap"};
    return names[policy];
}

/// Everything starts with the policy of all.
static graze_policy *fill(const graze_checker *c, size_t count) {
    graze_policy *out = gz_malloc(count, sizeof *out);
    for (size_t i = 0; out && i < count; i++) out[i] = c->options.policy;
    return out;
}

/// Whether some entry may be of an object: worlds are large, and mostly no entry is.
static bool names_object(const graze_checker *c, const graze_checker_options *options) {
    bool found = false;
    for (size_t i = 0; c->world && i < options->policy_count; i++)
        found |= options->policies[i].name &&
                 graze_robot_find_link(c->robot, options->policies[i].name) < 0;
    return found;
}

/// Where the policy of the link or object of that name stands, and *mark whether an entry has named
/// it; NULL when there is none.
static graze_policy *find(graze_checker *c, const char *name, uint8_t *marks, uint8_t **mark) {
    int32_t link = graze_robot_find_link(c->robot, name);
    if (link >= 0) {
        *mark = &marks[link];
        return &c->link_policies[link];
    }
    int32_t object = c->world ? graze_world_find_object(c->world, name) : -1;
    if (object < 0) return NULL;
    *mark = &marks[c->robot->link_count + object];
    return &c->object_policies[object];
}

static graze_status apply(graze_checker *c, const graze_name_policy *entry, size_t i,
                          uint8_t *marks, graze_error *error) {
    if (!entry->name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "policies[%zu] has no name", i);
    if (!gz_policy_is_known(entry->policy))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "policies[%zu] gives '%s' the policy %d; allowed: the enumerators solid, "
                       "surface, cap",
                       i, entry->name, (int)entry->policy);
    uint8_t *mark;
    graze_policy *policy = find(c, entry->name, marks, &mark);
    if (!policy)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "policies[%zu] names '%s', which is neither a link of '%s' nor an object of "
                       "the world",
                       i, entry->name, c->robot->name);
    if (*mark && *policy != entry->policy)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "policies[%zu] gives '%s' the policy %s, an entry before it %s; allowed: "
                       "one policy a name",
                       i, entry->name, policy_name(entry->policy), policy_name(*policy));
    *mark = 1;
    *policy = entry->policy;
    return GRAZE_OK;
}

graze_status gz_policies_make(graze_checker *c, const graze_checker_options *options,
                              graze_error *error) {
    if (!options->policies && options->policy_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "policies is NULL");
    size_t links = (size_t)c->robot->link_count, objects = c->world ? c->world->object_count : 0;
    c->link_policies = fill(c, links);
    if (!c->link_policies) return gz_fail_memory(error);
    if (options->policy_count == 0) return GRAZE_OK;
    if (names_object(c, options)) {
        c->object_policies = fill(c, objects);
        if (!c->object_policies) return gz_fail_memory(error);
    }
    uint8_t *marks = gz_calloc(links + objects, sizeof *marks);
    if (!marks) return gz_fail_memory(error);
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < options->policy_count; i++)
        status = apply(c, &options->policies[i], i, marks, error);
    gz_free(marks);
    return status;
}

static size_t text_size(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static const char *put_text(char **space, const char *text) {
    if (!text) return NULL;
    char *at = *space;
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    *space += size;
    return at;
}

static size_t names_size(const graze_checker_options *o) {
    size_t size = 0;
    for (size_t i = 0; i < o->allowed_count; i++)
        size += text_size(o->allowed[i].a) + text_size(o->allowed[i].b);
    for (size_t i = 0; i < o->margin_count; i++)
        size += text_size(o->margins[i].a) + text_size(o->margins[i].b);
    for (size_t i = 0; i < o->policy_count; i++) size += text_size(o->policies[i].name);
    return size;
}

/// Space for as many entries as the options have, which the options then point to.
static bool make_room(graze_checker_options *o) {
    graze_allowed_pair *allowed = gz_malloc(o->allowed_count, sizeof *allowed);
    graze_pair_margin *margins = gz_malloc(o->margin_count, sizeof *margins);
    graze_name_policy *policies = gz_malloc(o->policy_count, sizeof *policies);
    o->allowed = allowed;
    o->margins = margins;
    o->policies = policies;
    return allowed && margins && policies;
}

void gz_rules_free(graze_checker_options *o) {
    gz_free((void *)(uintptr_t)o->allowed);
    gz_free((void *)(uintptr_t)o->margins);
    gz_free((void *)(uintptr_t)o->policies);
    *o = (graze_checker_options){0};
}

void gz_rule_set_free(gz_rule_set *set) {
    if (!set) return;
    gz_rules_free(&set->options);
    gz_free(set->names);
    gz_free(set);
}

gz_rule_set *gz_rule_set_create(const graze_checker_options *from) {
    gz_rule_set *set = gz_calloc(1, sizeof *set);
    if (!set) return NULL;
    set->options = *from;
    set->names = gz_malloc(names_size(from), 1);
    if (!make_room(&set->options) || !set->names) {
        gz_rule_set_free(set);
        return NULL;
    }
    graze_checker_options *o = &set->options;
    char *space = set->names;
    for (size_t i = 0; i < from->allowed_count; i++) {
        const graze_allowed_pair *p = &from->allowed[i];
        const char *a = put_text(&space, p->a), *b = put_text(&space, p->b);
        ((graze_allowed_pair *)(uintptr_t)o->allowed)[i] = (graze_allowed_pair){a, b};
    }
    for (size_t i = 0; i < from->margin_count; i++) {
        const graze_pair_margin *p = &from->margins[i];
        const char *a = put_text(&space, p->a), *b = put_text(&space, p->b);
        ((graze_pair_margin *)(uintptr_t)o->margins)[i] = (graze_pair_margin){a, b, p->margin};
    }
    for (size_t i = 0; i < from->policy_count; i++) {
        const graze_name_policy *p = &from->policies[i];
        const char *name = put_text(&space, p->name);
        ((graze_name_policy *)(uintptr_t)o->policies)[i] = (graze_name_policy){name, p->policy};
    }
    return set;
}

// -------------------------------------------------------------------------------------- selecting

typedef struct selection {
    const graze_robot *robot;
    const graze_world *world;
} selection;

/// Whether a name means anything; NULL (a margin's second one) needs nothing.
static bool is_known(const selection *s, const char *name) {
    return !name || graze_robot_find_link(s->robot, name) >= 0 ||
           (s->world && graze_world_find_object(s->world, name) >= 0);
}

bool gz_rules_select(const gz_rule_set *set, const graze_robot *robot, const graze_world *world,
                     graze_checker_options *o, size_t *idle) {
    const graze_checker_options *from = &set->options;
    const selection s = {robot, world};
    *o = *from;
    *idle = 0;
    if (!make_room(o)) {
        gz_rules_free(o);
        return false;
    }
    o->allowed_count = o->margin_count = o->policy_count = 0;
    for (size_t i = 0; i < from->allowed_count; i++) {
        const graze_allowed_pair *p = &from->allowed[i];
        if (is_known(&s, p->a) && is_known(&s, p->b))
            ((graze_allowed_pair *)(uintptr_t)o->allowed)[o->allowed_count++] = *p;
    }
    for (size_t i = 0; i < from->margin_count; i++) {
        const graze_pair_margin *p = &from->margins[i];
        if (is_known(&s, p->a) && is_known(&s, p->b))
            ((graze_pair_margin *)(uintptr_t)o->margins)[o->margin_count++] = *p;
    }
    for (size_t i = 0; i < from->policy_count; i++) {
        const graze_name_policy *p = &from->policies[i];
        if (is_known(&s, p->name))
            ((graze_name_policy *)(uintptr_t)o->policies)[o->policy_count++] = *p;
    }
    *idle = from->allowed_count - o->allowed_count + from->margin_count - o->margin_count +
            from->policy_count - o->policy_count;
    return true;
}
