// What does the SRDF add? Rules of pairs, groups, states and end effectors.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "robot/builder_internal.h"

/// Replaces a string by a copy that lives as long as the builder; false when out of memory.
static bool keep(gz_builder *b, const char **text) {
    if (!*text) return true;
    if (!gz_array_reserve((void **)&b->strings, &b->string_capacity, b->string_count + 1,
                          sizeof *b->strings))
        return false;
    *text = b->strings[b->string_count++] = gz_string_copy(*text);
    return *text != NULL;
}

static bool keep_place(gz_builder *b, gz_place *place) {
    return keep(b, &place->file) && keep(b, &place->element);
}

/// Appends a copy of a structure of the robot to the array of these.
static graze_status append(const gz_type *type, void **array, size_t *capacity, size_t *count,
                           const void *item) {
    if (!gz_array_reserve(array, capacity, *count + 1, type->size)) return GRAZE_ERROR_NO_MEMORY;
    void *own = (unsigned char *)*array + (*count)++ * type->size;
    return gz_type_copy(type, own, item) ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

static graze_status add_rule(gz_builder *b, gz_pair_rule rule) {
    if (!keep(b, &rule.reason) || !gz_array_reserve((void **)&b->rules, &b->rule_capacity,
                                                    b->rule_count + 1, sizeof *b->rules))
        return GRAZE_ERROR_NO_MEMORY;
    b->rules[b->rule_count++] = rule;
    return GRAZE_OK;
}

graze_status gz_builder_disable_pair(gz_builder *b, int32_t a, int32_t c, const char *reason) {
    return add_rule(b, (gz_pair_rule){.a = a, .b = c, .reason = reason});
}

graze_status gz_builder_enable_pair(gz_builder *b, int32_t a, int32_t c) {
    return add_rule(b, (gz_pair_rule){.a = a, .b = c, .enable = true});
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
    const graze_end_effector e = {.name = name,
                                  .group = group ? group : "",
                                  .parent_group = parent_group ? parent_group : "",
                                  .parent_link = parent_link};
    return append(&gz_type_end_effector, (void **)&r->end_effectors, &b->end_effector_capacity,
                  &r->end_effector_count, &e);
}

graze_status gz_builder_add_group(gz_builder *b, const char *name, int32_t *group) {
    graze_robot *r = b->robot;
    const gz_group g = {.name = (char *)(uintptr_t)name};
    *group = (int32_t)r->group_count;
    GZ_TRY(append(&gz_type_group, (void **)&r->groups, &b->group_capacity, &r->group_count, &g));
    bool named = gz_builder_find_group(b, name) >= 0 ||
                 gz_name_table_add(&b->group_names, r->groups[*group].name, *group);
    return named ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
}

int32_t gz_builder_find_group(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->group_names, name);
}

static graze_status add_member(gz_builder *b, pending_member m) {
    if (!keep(b, &m.name) || !keep_place(b, &m.place) ||
        !gz_array_reserve((void **)&b->members, &b->member_capacity, b->member_count + 1,
                          sizeof *b->members))
        return GRAZE_ERROR_NO_MEMORY;
    b->members[b->member_count++] = m;
    return GRAZE_OK;
}

graze_status gz_builder_virtual_joint(gz_builder *b, const char *name, const char *type,
                                      const char *parent_frame, int32_t child, gz_place place) {
    graze_robot *r = b->robot;
    const graze_virtual_joint v = {.name = name,
                                   .type = type,
                                   .parent_frame = parent_frame ? parent_frame : "",
                                   .child = child};
    GZ_TRY(append(&gz_type_virtual_joint, (void **)&r->virtual_joints, &b->virtual_joint_capacity,
                  &r->virtual_joint_count, &v));
    return add_member(b, (pending_member){MEMBER_VIRTUAL, -1, child, 0, name, place});
}

void gz_builder_check_virtual_joints(gz_builder *b) {
    const graze_robot *r = b->robot;
    for (size_t i = 0; i < b->member_count; i++) {
        const pending_member *m = &b->members[i];
        if (m->kind != MEMBER_VIRTUAL || m->a == r->root) continue;
        gz_warn(&b->robot->warnings, "virtual-joint-not-at-root", m->place,
                "virtual joint '%.100s' has the child link '%.100s', but the root is '%.100s', "
                "which is what a base pose places",
                m->name, r->links[m->a].name, r->links[r->root].name);
    }
}

graze_status gz_builder_group_joint(gz_builder *b, int32_t group, int32_t joint) {
    return add_member(b, (pending_member){.kind = MEMBER_JOINT, .group = group, .a = joint});
}

graze_status gz_builder_group_link(gz_builder *b, int32_t group, int32_t link) {
    return add_member(b, (pending_member){.kind = MEMBER_LINK, .group = group, .a = link});
}

graze_status gz_builder_group_chain(gz_builder *b, int32_t group, int32_t base, int32_t tip,
                                    gz_place place) {
    return add_member(b, (pending_member){MEMBER_CHAIN, group, base, tip, NULL, place});
}

graze_status gz_builder_group_subgroup(gz_builder *b, int32_t group, const char *subgroup,
                                       gz_place place) {
    return add_member(b, (pending_member){MEMBER_SUBGROUP, group, 0, 0, subgroup, place});
}

graze_status gz_builder_add_state(gz_builder *b, const char *name, const char *group,
                                  int32_t *state) {
    graze_robot *r = b->robot;
    const gz_state s = {.name = (char *)(uintptr_t)name,
                        .group = (char *)(uintptr_t)(group ? group : "")};
    *state = (int32_t)r->state_count;
    return append(&gz_type_state, (void **)&r->states, &b->state_capacity, &r->state_count, &s);
}

graze_status gz_builder_state_joint(gz_builder *b, int32_t state, int32_t joint,
                                    const double *values, size_t count, gz_place place) {
    if (!keep_place(b, &place) || !gz_array_reserve((void **)&b->values, &b->value_capacity,
                                                    b->value_count + 1, sizeof *b->values))
        return GRAZE_ERROR_NO_MEMORY;
    // 8: wrong for every joint.
    pending_value v = {
        .state = state, .joint = joint, .count = count > 7 ? 8 : count, .place = place};
    for (size_t i = 0; i < count && i < 7; i++) v.value[i] = values[i];
    b->values[b->value_count++] = v;
    return GRAZE_OK;
}

// ----------------------------------------------------------------------- when the tree is known

graze_status gz_builder_resolve_states(gz_builder *b, graze_error *error) {
    graze_robot *r = b->robot;
    for (size_t i = 0; i < b->value_count; i++) {
        const pending_value *v = &b->values[i];
        const graze_joint_info *j = &r->joints[v->joint].info;
        if (j->q_count == 0) {
            gz_warn(&r->warnings, "srdf-state-not-moving", v->place,
                    "joint '%s' has no value of its own (fixed or mimic); left out", j->name);
            continue;
        }
        if ((size_t)j->q_count != v->count)
            return gz_fail_at(error, GRAZE_ERROR_SCHEMA, v->place,
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

/// What is found once, for all groups, and the marks that the members of one leave.
typedef struct group_index {
    gz_builder *builder;
    int32_t *order;         ///< the links, parents before their children
    size_t *first, *behind; ///< lists, in the order of reading: of each group its first member, and
                            ///< the member behind each one; as number + 1, 0 for none
    int32_t *place;         ///< of each link among all; those below it follow right behind it
    int32_t *size;          ///< links of its subtree, itself included
    int32_t *next;          ///< the place of its next child, while links get their places
    uint8_t *joints, *links;
    uint8_t *groups; ///< 1 while a group is being marked, 2 once it is done
    int32_t *ends;   ///< per link: chains with their tip here less chains with their base here
} group_index;

static void lay_out(group_index *x, gz_arena *arena) {
    const graze_robot *r = x->builder->robot;
    size_t links = (size_t)r->link_count;
    x->first = gz_arena_array(arena, r->group_count, sizeof *x->first);
    x->behind = gz_arena_array(arena, x->builder->member_count, sizeof *x->behind);
    x->place = gz_arena_array(arena, links, sizeof *x->place);
    x->size = gz_arena_array(arena, links, sizeof *x->size);
    x->next = gz_arena_array(arena, links, sizeof *x->next);
    x->joints = gz_arena_array(arena, (size_t)r->joint_count, 1);
    x->links = gz_arena_array(arena, links, 1);
    x->groups = gz_arena_array(arena, r->group_count, 1);
    x->ends = gz_arena_array(arena, links, sizeof *x->ends);
}

// ---------------------------------------------------------------------------------------- once

/// The parent of a link that is not the root.
static int32_t parent_of(const graze_robot *r, int32_t link) {
    return r->joints[r->links[link].parent_joint].info.parent;
}

static void place_links(group_index *x) {
    const graze_robot *r = x->builder->robot;
    for (int32_t i = 0; i < r->link_count; i++) x->size[i] = 1;
    for (int32_t i = r->link_count - 1; i > 0; i--)
        x->size[parent_of(r, x->order[i])] += x->size[x->order[i]];
    x->place[r->root] = 0;
    x->next[r->root] = 1;
    for (int32_t i = 1; i < r->link_count; i++) {
        int32_t link = x->order[i], parent = parent_of(r, link);
        x->place[link] = x->next[parent];
        x->next[parent] += x->size[link];
        x->next[link] = x->place[link] + 1;
    }
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
        if (m->kind == MEMBER_CHAIN && !is_below(x, m->b, m->a)) {
            gz_warn(&r->warnings, "srdf-no-chain", m->place,
                    "there is no chain from '%s' down to '%s': left out", r->links[m->a].name,
                    r->links[m->b].name);
            m->group = -1;
        }
        if (m->kind != MEMBER_SUBGROUP) continue;
        m->a = gz_builder_find_group(b, m->name);
        if (m->a >= 0) continue;
        gz_warn(&r->warnings, "srdf-unknown-group", m->place,
                "subgroup '%s' is not a group of this file; left out", m->name);
        m->group = -1;
    }
}

static void list_members(group_index *x) {
    const gz_builder *b = x->builder;
    memset(x->first, 0, b->robot->group_count * sizeof *x->first);
    for (size_t i = b->member_count; i-- > 0;) {
        if (b->members[i].group < 0) continue;
        x->behind[i] = x->first[b->members[i].group];
        x->first[b->members[i].group] = i + 1;
    }
}

// ------------------------------------------------------------------------------------ each group

/// Marks the members of a group; each subgroup once, however often it is named.
static graze_status mark_group(const group_index *x, int32_t group, int depth, graze_error *error) {
    const graze_robot *r = x->builder->robot;
    x->groups[group] = 1;
    for (size_t i = x->first[group]; i; i = x->behind[i - 1]) {
        const pending_member *m = &x->builder->members[i - 1];
        if (m->kind == MEMBER_JOINT) x->joints[m->a] = 1;
        if (m->kind == MEMBER_LINK) {
            x->links[m->a] = 1;
            if (r->links[m->a].parent_joint >= 0) x->joints[r->links[m->a].parent_joint] = 1;
        }
        if (m->kind == MEMBER_CHAIN) {
            x->links[m->a] = 1;
            x->ends[m->b]++;
            x->ends[m->a]--;
        }
        if (m->kind != MEMBER_SUBGROUP || x->groups[m->a] == 2) continue;
        if (x->groups[m->a] == 1)
            return gz_fail_at(error, GRAZE_ERROR_SCHEMA, m->place,
                              "group '%s' contains itself; allowed: groups without a cycle",
                              m->name);
        if (depth > 32)
            return gz_fail_at(error, GRAZE_ERROR_LIMIT, m->place,
                              "groups are nested deeper than 32; allowed: at most 32");
        GZ_TRY(mark_group(x, m->a, depth + 1, error));
    }
    x->groups[group] = 2;
    return GRAZE_OK;
}

/// Marks what lies on chains: a link's joint does when a chain has its tip at or below the link and
/// its base above. With each link's `ends` summed over its subtree, that is how many do.
static void mark_chains(const group_index *x) {
    const graze_robot *r = x->builder->robot;
    for (int32_t at = r->link_count - 1; at > 0; at--) {
        int32_t link = x->order[at];
        if (x->ends[link] > 0) x->joints[r->links[link].parent_joint] = 1;
        x->ends[parent_of(r, link)] += x->ends[link];
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

static graze_status resolve_group(const group_index *x, int32_t index, graze_error *error) {
    graze_robot *r = x->builder->robot;
    gz_group *group = &r->groups[index];
    memset(x->joints, 0, (size_t)r->joint_count);
    memset(x->links, 0, (size_t)r->link_count);
    memset(x->groups, 0, r->group_count);
    memset(x->ends, 0, (size_t)r->link_count * sizeof *x->ends);
    GZ_TRY(mark_group(x, index, 0, error));
    mark_chains(x);
    // The links of a group: those named, and the children of its joints.
    for (int32_t j = 0; j < r->joint_count; j++)
        if (x->joints[j]) x->links[r->joints[j].info.child] = 1;
    return list_marked(x->joints, r->joint_count, &group->joints, &group->joint_count) &&
                   list_marked(x->links, r->link_count, &group->links, &group->link_count)
               ? GRAZE_OK
               : gz_fail_memory(error);
}

static graze_status resolve_groups(group_index *x, graze_error *error) {
    const graze_robot *r = x->builder->robot;
    size_t entries = 0;
    place_links(x);
    find_members(x);
    list_members(x);
    for (size_t g = 0; g < r->group_count; g++) {
        GZ_TRY(resolve_group(x, (int32_t)g, error));
        entries += r->groups[g].joint_count + r->groups[g].link_count;
        if (entries > ENTRIES_MAX)
            return gz_fail(error, GRAZE_ERROR_LIMIT,
                           "the groups up to '%s' have %zu joints and links; allowed: up to %zu",
                           r->groups[g].name, entries, ENTRIES_MAX);
    }
    return GRAZE_OK;
}

graze_status gz_builder_resolve_groups(gz_builder *b, graze_error *error) {
    if (!b->robot->group_count) return GRAZE_OK;
    size_t count;
    group_index x = {.builder = b, .order = gz_robot_order(b->robot, &count)};
    gz_arena arena = {0};
    lay_out(&x, &arena);
    bool ok = gz_arena_create(&arena) && x.order;
    if (ok) lay_out(&x, &arena);
    graze_status status = ok ? resolve_groups(&x, error) : gz_fail_memory(error);
    gz_free(arena.memory);
    gz_free(x.order);
    return status;
}

// Which margins does the SRDF give? Each pair of links one.

graze_status gz_builder_pair_margin(gz_builder *b, int32_t a, int32_t c, double margin,
                                    gz_place place) {
    if (!keep_place(b, &place) || !gz_array_reserve((void **)&b->margins, &b->margin_capacity,
                                                    b->margin_count + 1, sizeof *b->margins))
        return GRAZE_ERROR_NO_MEMORY;
    size_t order = b->margin_count++;
    b->margins[order] = (pending_margin){a < c ? a : c, a < c ? c : a, margin, order, place};
    return GRAZE_OK;
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
    if (m->a < 0)
        gz_warn(&r->warnings, "srdf-two-margins", m->place,
                "the default margin is %g, and %g before: the greater counts", m->margin, before);
    else
        gz_warn(&r->warnings, "srdf-two-margins", m->place,
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
