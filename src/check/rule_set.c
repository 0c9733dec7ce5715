#include "check/rule_set.h"

#include <string.h>

#include "base/memory.h"

static size_t text_size(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static const char *put_text(char **room, const char *text) {
    if (!text) return NULL;
    char *at = *room;
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    *room += size;
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

/// Room for as many entries as the options have, which the options then point to.
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
    char *room = set->names;
    for (size_t i = 0; i < from->allowed_count; i++) {
        const graze_allowed_pair *p = &from->allowed[i];
        const char *a = put_text(&room, p->a), *b = put_text(&room, p->b);
        ((graze_allowed_pair *)(uintptr_t)o->allowed)[i] = (graze_allowed_pair){a, b};
    }
    for (size_t i = 0; i < from->margin_count; i++) {
        const graze_pair_margin *p = &from->margins[i];
        const char *a = put_text(&room, p->a), *b = put_text(&room, p->b);
        ((graze_pair_margin *)(uintptr_t)o->margins)[i] = (graze_pair_margin){a, b, p->margin};
    }
    for (size_t i = 0; i < from->policy_count; i++) {
        const graze_name_policy *p = &from->policies[i];
        const char *name = put_text(&room, p->name);
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
