#include "check/policy.h"

#include "base/memory.h"

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
