#include <stddef.h>
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

/// Where the policy of the link or object of that name stands, which has *count of them, one for
/// each shape, and *mark whether an entry has named it; NULL when there is none, or, with a mark,
/// when out of memory.
static graze_policy *find(graze_checker *c, const char *name, uint8_t *marks, uint8_t **mark,
                          int32_t *count) {
    gz_named found;
    if (!gz_find_named(c->robot, c->world, name, &found)) return NULL;
    *mark = &marks[found.link >= 0 ? found.link : c->robot->link_count + found.object];
    *count = found.link >= 0 ? 1 : found.end - found.object;
    if (found.link >= 0) return &c->link_policies[found.link];
    // Worlds are large, and mostly no entry is of an object.
    if (!c->object_policies) c->object_policies = fill(c, c->world->object_count);
    return c->object_policies ? &c->object_policies[found.object] : NULL;
}

static graze_status apply(graze_checker *c, const graze_name_policy *entry, size_t i,
                          uint8_t *marks, graze_error *error) {
    if (!entry->name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "policies[%zu] has no name", i);
    if (!gz_policy_is_known(entry->policy))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "policies[%zu] gives '%s' the policy %d; allowed: the enumerators solid, "
                       "surface, cap",
                       i, entry->name, (int)entry->policy);
    uint8_t *mark = NULL;
    int32_t count;
    graze_policy *policy = find(c, entry->name, marks, &mark, &count);
    if (!policy && mark) return gz_fail_memory(error);
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
    for (int32_t k = 0; k < count; k++) policy[k] = entry->policy;
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
    uint8_t *marks = gz_calloc(links + objects, sizeof *marks);
    if (!marks) return gz_fail_memory(error);
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < options->policy_count; i++)
        status = apply(c, &options->policies[i], i, marks, error);
    gz_free(marks);
    return status;
}

/// One list of a checker's options. Its entries begin with their names.
typedef struct rule_list {
    char *entries;
    size_t count, size, names;
} rule_list;

enum { LISTS = 3 };
_Static_assert(offsetof(graze_allowed_pair, b) == sizeof(char *), "names come first");
_Static_assert(offsetof(graze_pair_margin, b) == sizeof(char *), "names come first");

static void lists_of(const graze_checker_options *o, rule_list out[LISTS]) {
    out[0] = (rule_list){(char *)(uintptr_t)o->allowed, o->allowed_count, sizeof *o->allowed, 2};
    out[1] = (rule_list){(char *)(uintptr_t)o->margins, o->margin_count, sizeof *o->margins, 2};
    out[2] = (rule_list){(char *)(uintptr_t)o->policies, o->policy_count, sizeof *o->policies, 1};
}

static const char **names_at(const rule_list *list, size_t entry) {
    return (const char **)(void *)(list->entries + entry * list->size);
}

static size_t text_size(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static size_t list_size(const rule_list *list) {
    size_t size = list->count * list->size;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->names; k++) size += text_size(names_at(list, i)[k]);
    return size;
}

/// Whether all names of an entry mean something; NULL (a margin's second one) needs nothing.
static bool is_known(const rule_list *list, size_t entry, const graze_robot *robot,
                     const graze_world *world) {
    for (size_t k = 0; k < list->names; k++) {
        const char *name = names_at(list, entry)[k];
        gz_named found;
        if (name && !gz_find_named(robot, world, name, &found)) return false;
    }
    return true;
}

void gz_rule_set_free(gz_rule_set *set) {
    if (!set) return;
    gz_free(set->memory);
    gz_free(set);
}

/// Copies a list's entries, all or the known ones, to where there is space, without their texts.
static rule_list copy_entries(const rule_list *from, const graze_robot *robot,
                              const graze_world *world, char **space) {
    rule_list out = {*space, 0, from->size, from->names};
    for (size_t i = 0; i < from->count; i++) {
        if (robot && !is_known(from, i, robot, world)) continue;
        memcpy(*space, names_at(from, i), from->size);
        *space += from->size;
        out.count++;
    }
    return out;
}

static void copy_texts(const rule_list *list, char **space) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->names; k++) {
            const char **name = &names_at(list, i)[k];
            size_t size = text_size(*name);
            if (size) *name = memcpy(*space, *name, size);
            *space += size;
        }
}

gz_rule_set *gz_rule_set_create(const graze_checker_options *from, const graze_robot *robot,
                                const graze_world *world) {
    rule_list lists[LISTS];
    size_t size = 0;
    lists_of(from, lists);
    for (int i = 0; i < LISTS; i++) size += list_size(&lists[i]);
    gz_rule_set *set = gz_calloc(1, sizeof *set);
    char *space = set ? gz_malloc(size, 1) : NULL;
    if (!space) {
        gz_free(set);
        return NULL;
    }
    set->options = *from;
    set->memory = space;
    for (int i = 0; i < LISTS; i++) {
        set->idle += lists[i].count;
        lists[i] = copy_entries(&lists[i], robot, world, &space);
        set->idle -= lists[i].count;
    }
    for (int i = 0; i < LISTS; i++) copy_texts(&lists[i], &space);
    graze_checker_options *o = &set->options;
    o->allowed = (const graze_allowed_pair *)(const void *)lists[0].entries;
    o->allowed_count = lists[0].count;
    o->margins = (const graze_pair_margin *)(const void *)lists[1].entries;
    o->margin_count = lists[1].count;
    o->policies = (const graze_name_policy *)(const void *)lists[2].entries;
    o->policy_count = lists[2].count;
    return set;
}
