// Which joints and links is each group of the SRDF? Its members name them one by one, as chains,
// and as other groups.

#include <string.h>

#include "base/memory.h"
#include "robot/builder_internal.h"

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
