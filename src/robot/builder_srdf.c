// What does the SRDF add? Rules of pairs, groups, states and end effectors.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "robot/builder_internal.h"

static graze_status add_rule(gz_builder *b, gz_pair_rule rule, const char *reason) {
    if (!gz_array_reserve((void **)&b->rules, &b->rule_capacity, b->rule_count + 1,
                          sizeof *b->rules))
        return GRAZE_ERROR_NO_MEMORY;
    rule.reason = gz_string_copy(reason ? reason : "");
    if (!rule.reason) return GRAZE_ERROR_NO_MEMORY;
    b->rules[b->rule_count++] = rule;
    return GRAZE_OK;
}

graze_status gz_builder_disable_pair(gz_builder *b, int32_t a, int32_t c, const char *reason) {
    return add_rule(b, (gz_pair_rule){.a = a, .b = c}, reason);
}

graze_status gz_builder_enable_pair(gz_builder *b, int32_t a, int32_t c) {
    return add_rule(b, (gz_pair_rule){.a = a, .b = c, .enable = true}, NULL);
}

graze_status gz_builder_disable_default(gz_builder *b, int32_t link) {
    b->robot->links[link].is_default_disabled = true;
    return GRAZE_OK;
}

graze_status gz_builder_passive_joint(gz_builder *b, int32_t joint) {
    b->robot->joints[joint].info.passive = true;
    return GRAZE_OK;
}

graze_status gz_builder_end_effector(gz_builder *b, const char *name, const char *group,
                                     const char *parent_group, int32_t parent_link) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->end_effectors, &b->end_effector_capacity,
                          r->end_effector_count + 1, sizeof *r->end_effectors))
        return GRAZE_ERROR_NO_MEMORY;
    graze_end_effector *e = &r->end_effectors[r->end_effector_count++];
    *e = (graze_end_effector){.name = gz_string_copy(name),
                              .group = gz_string_copy(group ? group : ""),
                              .parent_group = gz_string_copy(parent_group ? parent_group : ""),
                              .parent_link = parent_link};
    return e->name && e->group && e->parent_group ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_builder_add_group(gz_builder *b, const char *name, int32_t *group) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->groups, &b->group_capacity, r->group_count + 1,
                          sizeof *r->groups))
        return GRAZE_ERROR_NO_MEMORY;
    gz_group *g = &r->groups[r->group_count];
    *g = (gz_group){.name = gz_string_copy(name)};
    if (!g->name) return GRAZE_ERROR_NO_MEMORY;
    *group = (int32_t)r->group_count++;
    if (gz_builder_find_group(b, name) < 0 && !gz_name_table_add(&b->group_names, g->name, *group))
        return GRAZE_ERROR_NO_MEMORY;
    return GRAZE_OK;
}

int32_t gz_builder_find_group(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->group_names, name);
}

static graze_status add_member(gz_builder *b, pending_member m, const char *name, gz_place place) {
    if (!gz_array_reserve((void **)&b->members, &b->member_capacity, b->member_count + 1,
                          sizeof *b->members))
        return GRAZE_ERROR_NO_MEMORY;
    m.name = gz_string_copy(name);
    m.file = gz_string_copy(place.file);
    m.element = gz_string_copy(place.element);
    m.line = place.line;
    m.column = place.column;
    b->members[b->member_count++] = m;
    bool ok = (!name || m.name) && (!place.file || m.file) && (!place.element || m.element);
    return ok ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_builder_virtual_joint(gz_builder *b, const char *name, const char *type,
                                      const char *parent_frame, int32_t child, gz_place place) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->virtual_joints, &b->virtual_joint_capacity,
                          r->virtual_joint_count + 1, sizeof *r->virtual_joints))
        return GRAZE_ERROR_NO_MEMORY;
    graze_virtual_joint *v = &r->virtual_joints[r->virtual_joint_count++];
    *v = (graze_virtual_joint){.name = gz_string_copy(name),
                               .type = gz_string_copy(type),
                               .parent_frame = gz_string_copy(parent_frame ? parent_frame : ""),
                               .child = child};
    if (!v->name || !v->type || !v->parent_frame) return GRAZE_ERROR_NO_MEMORY;
    return add_member(b, (pending_member){.kind = MEMBER_VIRTUAL, .group = -1, .a = child}, name,
                      place);
}

void gz_builder_check_virtual_joints(gz_builder *b) {
    const graze_robot *r = b->robot;
    for (size_t i = 0; i < b->member_count; i++) {
        const pending_member *m = &b->members[i];
        if (m->kind != MEMBER_VIRTUAL || m->a == r->root) continue;
        gz_place place = {m->file, m->element, m->line, m->column};
        gz_warn(&b->robot->warnings, "virtual-joint-not-at-root", place,
                "virtual joint '%.100s' has the child link '%.100s', but the root is '%.100s', "
                "which is what a base pose places",
                m->name, r->links[m->a].name, r->links[r->root].name);
    }
}

graze_status gz_builder_group_joint(gz_builder *b, int32_t group, int32_t joint) {
    return add_member(b, (pending_member){.kind = MEMBER_JOINT, .group = group, .a = joint}, NULL,
                      (gz_place){0});
}

graze_status gz_builder_group_link(gz_builder *b, int32_t group, int32_t link) {
    return add_member(b, (pending_member){.kind = MEMBER_LINK, .group = group, .a = link}, NULL,
                      (gz_place){0});
}

graze_status gz_builder_group_chain(gz_builder *b, int32_t group, int32_t base, int32_t tip,
                                    gz_place place) {
    return add_member(b,
                      (pending_member){.kind = MEMBER_CHAIN, .group = group, .a = base, .b = tip},
                      NULL, place);
}

graze_status gz_builder_group_subgroup(gz_builder *b, int32_t group, const char *subgroup,
                                       gz_place place) {
    return add_member(b, (pending_member){.kind = MEMBER_SUBGROUP, .group = group}, subgroup,
                      place);
}

graze_status gz_builder_add_state(gz_builder *b, const char *name, const char *group,
                                  int32_t *state) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->states, &b->state_capacity, r->state_count + 1,
                          sizeof *r->states))
        return GRAZE_ERROR_NO_MEMORY;
    gz_state *s = &r->states[r->state_count];
    *s = (gz_state){.name = gz_string_copy(name), .group = gz_string_copy(group ? group : "")};
    *state = (int32_t)r->state_count++;
    return s->name && s->group ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_builder_state_joint(gz_builder *b, int32_t state, int32_t joint,
                                    const double *values, size_t count, gz_place place) {
    if (!gz_array_reserve((void **)&b->values, &b->value_capacity, b->value_count + 1,
                          sizeof *b->values))
        return GRAZE_ERROR_NO_MEMORY;
    pending_value v = {.state = state,
                       .joint = joint,
                       .count = count > 7 ? 8 : count, // 8: wrong for every joint
                       .file = gz_string_copy(place.file),
                       .element = gz_string_copy(place.element),
                       .line = place.line,
                       .column = place.column};
    for (size_t i = 0; i < count && i < 7; i++) v.value[i] = values[i];
    b->values[b->value_count++] = v;
    bool ok = (!place.file || v.file) && (!place.element || v.element);
    return ok ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

// ----------------------------------------------------------------------- when the tree is known

graze_status gz_builder_resolve_states(gz_builder *b, graze_error *error) {
    graze_robot *r = b->robot;
    for (size_t i = 0; i < b->value_count; i++) {
        const pending_value *v = &b->values[i];
        const graze_joint_info *j = &r->joints[v->joint].info;
        gz_place place = {v->file, v->element, v->line, v->column};
        if (j->q_count == 0) {
            gz_warn(&r->warnings, "srdf-state-not-moving", place,
                    "joint '%s' has no value of its own (fixed or mimic); left out", j->name);
            continue;
        }
        if ((size_t)j->q_count != v->count)
            return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place,
                              "joint '%s' has %zu values; allowed: exactly %d", j->name, v->count,
                              j->q_count);
        gz_state *s = &r->states[v->state];
        gz_state_value *more = gz_realloc(s->values, s->value_count + v->count, sizeof *s->values);
        if (!more) return gz_fail_memory(error);
        s->values = more;
        for (size_t k = 0; k < v->count; k++)
            more[s->value_count++] = (gz_state_value){j->q_index + (int32_t)k, v->value[k]};
    }
    return GRAZE_OK;
}

// Which joints and links is each group of the SRDF? Its members name them one by one, as chains,
// and as other groups.

/// So many joints and links may all groups name together. Each chain of a long robot is a line of
/// the file and a list as long as the robot.
#define ENTRIES_MAX ((size_t)1 << 24)

/// What is found once, for all groups.
typedef struct group_index {
    gz_builder *builder;
    size_t *start;   ///< of each group's members in `members`; one more than groups
    size_t *members; ///< by group, in the order of reading
    int32_t *order;  ///< the links, each with those below it right behind it
    int32_t *place;  ///< of each link in `order`
    int32_t *size;   ///< links of its subtree, itself included
} group_index;

/// The marks that a group's members leave.
typedef struct group_marks {
    uint8_t *joints, *links;
    uint8_t *groups; ///< 1 while a group is being marked, 2 once it is done
    int32_t *ends;   ///< per link: chains with their tip here less chains with their base here
} group_marks;

// ---------------------------------------------------------------------------------------- once

static bool walk_tree(group_index *x) {
    const graze_robot *r = x->builder->robot;
    size_t n = (size_t)r->link_count, count = 0, at = 0;
    int32_t *first = gz_malloc(n, sizeof *first), *next = gz_malloc(n, sizeof *next);
    int32_t *stack = gz_malloc(n, sizeof *stack);
    bool ok = first && next && stack;
    if (ok) {
        for (size_t i = 0; i < n; i++) first[i] = next[i] = -1;
        for (int32_t j = 0; j < r->joint_count; j++) {
            const graze_joint_info *info = &r->joints[j].info;
            next[info->child] = first[info->parent];
            first[info->parent] = info->child;
        }
        stack[count++] = r->root;
        while (count) {
            int32_t link = stack[--count];
            x->size[link] = 1;
            x->place[link] = (int32_t)at;
            x->order[at++] = link;
            for (int32_t child = first[link]; child >= 0; child = next[child])
                stack[count++] = child;
        }
        while (--at > 0) {
            int32_t link = x->order[at];
            x->size[r->joints[r->links[link].parent_joint].info.parent] += x->size[link];
        }
    }
    gz_free(first);
    gz_free(next);
    gz_free(stack);
    return ok;
}

static bool is_below(const group_index *x, int32_t link, int32_t top) {
    int32_t behind = x->place[link] - x->place[top];
    return behind >= 0 && behind < x->size[top];
}

/// Finds the subgroups by name. A chain whose base is not above its tip is a warning, as in MoveIt,
/// and so is a group that the file does not have: both are found in the wild, and no verdict
/// depends on them. They are taken out of their groups.
static void find_members(const group_index *x) {
    gz_builder *b = x->builder;
    graze_robot *r = b->robot;
    for (size_t i = 0; i < b->member_count; i++) {
        pending_member *m = &b->members[i];
        gz_place place = {m->file, m->element, m->line, m->column};
        if (m->kind == MEMBER_CHAIN && !is_below(x, m->b, m->a)) {
            gz_warn(&r->warnings, "srdf-no-chain", place,
                    "there is no chain from '%s' down to '%s': left out", r->links[m->a].name,
                    r->links[m->b].name);
            m->group = -1;
        }
        if (m->kind != MEMBER_SUBGROUP) continue;
        m->a = gz_builder_find_group(b, m->name);
        if (m->a >= 0) continue;
        gz_warn(&r->warnings, "srdf-unknown-group", place,
                "subgroup '%s' is not a group of this file; left out", m->name);
        m->group = -1;
    }
}

static void sort_members(const group_index *x) {
    const gz_builder *b = x->builder;
    size_t groups = b->robot->group_count;
    for (size_t i = 0; i < b->member_count; i++)
        if (b->members[i].group >= 0) x->start[b->members[i].group + 1]++;
    for (size_t g = 0; g < groups; g++) x->start[g + 1] += x->start[g];
    size_t total = x->start[groups];
    // From the last to the first, so that each group's end becomes its start.
    for (size_t i = b->member_count; i-- > 0;)
        if (b->members[i].group >= 0) x->members[--x->start[b->members[i].group + 1]] = i;
    memmove(x->start, x->start + 1, groups * sizeof *x->start);
    x->start[groups] = total;
}

static bool index_groups(group_index *x) {
    const gz_builder *b = x->builder;
    size_t links = (size_t)b->robot->link_count;
    x->start = gz_calloc(b->robot->group_count + 1, sizeof *x->start);
    x->members = gz_malloc(b->member_count, sizeof *x->members);
    x->order = gz_malloc(links, sizeof *x->order);
    x->place = gz_malloc(links, sizeof *x->place);
    x->size = gz_malloc(links, sizeof *x->size);
    if (!x->start || !x->members || !x->order || !x->place || !x->size || !walk_tree(x))
        return false;
    find_members(x);
    sort_members(x);
    return true;
}

// ------------------------------------------------------------------------------------ each group

/// Marks the members of a group; each subgroup once, however often it is named.
static graze_status mark_group(const group_index *x, int32_t group, int depth, group_marks marks,
                               graze_error *error) {
    const graze_robot *r = x->builder->robot;
    marks.groups[group] = 1;
    for (size_t i = x->start[group]; i < x->start[group + 1]; i++) {
        const pending_member *m = &x->builder->members[x->members[i]];
        if (m->kind == MEMBER_JOINT) marks.joints[m->a] = 1;
        if (m->kind == MEMBER_LINK) {
            marks.links[m->a] = 1;
            if (r->links[m->a].parent_joint >= 0) marks.joints[r->links[m->a].parent_joint] = 1;
        }
        if (m->kind == MEMBER_CHAIN) {
            marks.links[m->a] = 1;
            marks.ends[m->b]++;
            marks.ends[m->a]--;
        }
        if (m->kind != MEMBER_SUBGROUP || marks.groups[m->a] == 2) continue;
        gz_place place = {m->file, m->element, m->line, m->column};
        if (marks.groups[m->a] == 1)
            return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place,
                              "group '%s' contains itself; allowed: groups without a cycle",
                              m->name);
        if (depth > 32)
            return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                              "groups are nested deeper than 32; allowed: at most 32");
        graze_status status = mark_group(x, m->a, depth + 1, marks, error);
        if (status) return status;
    }
    marks.groups[group] = 2;
    return GRAZE_OK;
}

/// Marks what lies on chains: a link's joint does when a chain has its tip at or below the link and
/// its base above. With each link's `ends` summed over its subtree, that is how many do.
static void mark_chains(const group_index *x, group_marks marks) {
    const graze_robot *r = x->builder->robot;
    for (int32_t at = r->link_count - 1; at > 0; at--) {
        int32_t link = x->order[at], joint = r->links[link].parent_joint;
        if (marks.ends[link] > 0) marks.joints[joint] = 1;
        marks.ends[r->joints[joint].info.parent] += marks.ends[link];
    }
}

static bool list_marked(const uint8_t *marks, int32_t count, int32_t **out, size_t *out_count) {
    size_t n = 0;
    for (int32_t i = 0; i < count; i++) n += marks[i];
    *out = gz_malloc(n, sizeof **out);
    if (!*out) return false;
    for (int32_t i = 0; i < count; i++)
        if (marks[i]) (*out)[(*out_count)++] = i;
    return true;
}

static graze_status resolve_group(const group_index *x, int32_t index, group_marks marks,
                                  graze_error *error) {
    graze_robot *r = x->builder->robot;
    gz_group *group = &r->groups[index];
    memset(marks.joints, 0, (size_t)r->joint_count);
    memset(marks.links, 0, (size_t)r->link_count);
    memset(marks.groups, 0, r->group_count);
    memset(marks.ends, 0, (size_t)r->link_count * sizeof *marks.ends);
    graze_status status = mark_group(x, index, 0, marks, error);
    if (status) return status;
    mark_chains(x, marks);
    // The links of a group: those named, and the children of its joints.
    for (int32_t j = 0; j < r->joint_count; j++)
        if (marks.joints[j]) marks.links[r->joints[j].info.child] = 1;
    return list_marked(marks.joints, r->joint_count, &group->joints, &group->joint_count) &&
                   list_marked(marks.links, r->link_count, &group->links, &group->link_count)
               ? GRAZE_OK
               : gz_fail_memory(error);
}

graze_status gz_builder_resolve_groups(gz_builder *b, graze_error *error) {
    const graze_robot *r = b->robot;
    if (!r->group_count) return GRAZE_OK;
    group_index x = {.builder = b};
    size_t links = (size_t)r->link_count;
    group_marks marks = {gz_malloc((size_t)r->joint_count, 1), gz_malloc(links, 1),
                         gz_malloc(r->group_count, 1), gz_malloc(links, sizeof *marks.ends)};
    bool ok = marks.joints && marks.links && marks.groups && marks.ends && index_groups(&x);
    graze_status status = ok ? GRAZE_OK : gz_fail_memory(error);
    size_t entries = 0;
    for (size_t g = 0; status == GRAZE_OK && g < r->group_count; g++) {
        status = resolve_group(&x, (int32_t)g, marks, error);
        entries += r->groups[g].joint_count + r->groups[g].link_count;
        if (status == GRAZE_OK && entries > ENTRIES_MAX)
            status = gz_fail(error, GRAZE_ERROR_LIMIT,
                             "the groups up to '%s' have %zu joints and links; allowed: up to %zu",
                             r->groups[g].name, entries, ENTRIES_MAX);
    }
    gz_free(marks.joints);
    gz_free(marks.links);
    gz_free(marks.groups);
    gz_free(marks.ends);
    gz_free(x.start);
    gz_free(x.members);
    gz_free(x.order);
    gz_free(x.place);
    gz_free(x.size);
    return status;
}

// Which margins does the SRDF give? Each pair of links one.

graze_status gz_builder_pair_margin(gz_builder *b, int32_t a, int32_t c, double margin,
                                    gz_place place) {
    if (!gz_array_reserve((void **)&b->margins, &b->margin_capacity, b->margin_count + 1,
                          sizeof *b->margins))
        return GRAZE_ERROR_NO_MEMORY;
    pending_margin m = {.a = a < c ? a : c,
                        .b = a < c ? c : a,
                        .margin = margin,
                        .order = b->margin_count,
                        .file = gz_string_copy(place.file),
                        .element = gz_string_copy(place.element),
                        .line = place.line,
                        .column = place.column};
    b->margins[b->margin_count++] = m;
    bool ok = (!place.file || m.file) && (!place.element || m.element);
    return ok ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

static int compare_margins(const void *x, const void *y) {
    const pending_margin *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    return (p->order > q->order) - (p->order < q->order);
}

/// Warns of a margin that is not the one given before it for the same pair.
static void warn(gz_builder *b, const pending_margin *m, double before) {
    graze_robot *r = b->robot;
    gz_place place = {m->file, m->element, m->line, m->column};
    if (m->a < 0)
        gz_warn(&r->warnings, "srdf-two-margins", place,
                "the default margin is %g, and %g before: the greater counts", m->margin, before);
    else
        gz_warn(&r->warnings, "srdf-two-margins", place,
                "the margin of links %.100s and %.100s is %g, and %g before: the greater counts",
                r->links[m->a].name, r->links[m->b].name, m->margin, before);
}

graze_status gz_builder_resolve_margins(gz_builder *b, graze_error *error) {
    graze_robot *r = b->robot;
    if (b->margin_count == 0) return GRAZE_OK;
    r->margins = gz_calloc(b->margin_count, sizeof *r->margins);
    if (!r->margins) return gz_fail_memory(error);
    qsort(b->margins, b->margin_count, sizeof *b->margins, compare_margins);
    const pending_margin *last = NULL;
    for (size_t i = 0; i < b->margin_count; i++) {
        const pending_margin *m = &b->margins[i];
        bool again = last && last->a == m->a && last->b == m->b;
        last = m;
        if (!again && m->a >= 0)
            r->margins[r->margin_count++] = (graze_link_margin){.a = m->a, .b = m->b};
        double *kept = m->a < 0 ? &r->default_margin : &r->margins[r->margin_count - 1].margin;
        if (again && *kept != m->margin) warn(b, m, *kept);
        if (!again || m->margin > *kept) *kept = m->margin;
    }
    return GRAZE_OK;
}
