// T: links and joints as a tree.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "lint/lint.h"
#include "load/token.h"

/// A list of names that is cut where it gets long.
typedef struct name_list {
    char text[320];
    size_t size, count, shown;
} name_list;

static void list_name(name_list *list, const char *name) {
    list->count++;
    if (list->shown + 1 < list->count) return;
    int n = snprintf(list->text + list->size, sizeof list->text - list->size, "%s'%.60s'",
                     list->shown ? ", " : "", name);
    if (n < 0 || (size_t)n >= sizeof list->text - list->size) {
        list->text[list->size] = '\0';
        return;
    }
    list->size += (size_t)n;
    list->shown++;
}

static const char *list_end(name_list *list) {
    if (list->shown < list->count) {
        size_t at = list->size < sizeof list->text - 32 ? list->size : sizeof list->text - 32;
        snprintf(list->text + at, sizeof list->text - at, " and %zu more",
                 list->count - list->shown);
    }
    return list->text;
}

// ------------------------------------------------------------------------------- roots and cycles

/// Whether joints can speak of a link: one without a name, or with that of a link before it, is not
/// another root but a mistake that has its own rule.
static bool can_be_named(const gz_lint_context *c, size_t link) {
    return gz_lint_find_link(c, c->links[link].name) == (int32_t)link;
}

static void check_roots(gz_lint_context *c) {
    name_list roots = {{0}, 0, 0, 0};
    int32_t second = -1;
    for (size_t i = 0; i < c->link_count; i++) {
        if (c->links[i].parent_count || !can_be_named(c, i)) continue;
        if (roots.count == 1) second = (int32_t)i;
        list_name(&roots, c->links[i].name);
    }
    if (roots.count < 2) return;
    gz_lint_place place = gz_lint_measured(gz_lint_at_link(&c->links[second], NULL),
                                           (double)roots.count, 1, "");
    gz_lint_add(c, place, "%zu links are no joint's child: %s; allowed: one root", roots.count,
                list_end(&roots));
}

/// Follows parents from a link; marks what it passes with `mark`. Returns a link of the cycle that
/// it runs into, or -1.
static int32_t climb(const gz_lint_context *c, int32_t link, uint32_t mark, uint32_t *marks) {
    while (link >= 0 && !marks[link]) {
        marks[link] = mark;
        int32_t joint = c->links[link].parent_joint;
        link = joint < 0 ? -1 : c->joints[joint].parent_link;
    }
    return link >= 0 && marks[link] == mark ? link : -1;
}

static void report_cycle(gz_lint_context *c, int32_t start) {
    name_list path = {{0}, 0, 0, 0};
    int32_t link = start;
    do {
        list_name(&path, c->links[link].name);
        link = c->joints[c->links[link].parent_joint].parent_link;
    } while (link != start);
    gz_lint_add(c, gz_lint_at_joint(&c->joints[c->links[start].parent_joint], NULL),
                "links %s are each other's ancestors; allowed: a tree", list_end(&path));
}

static void check_cycles(gz_lint_context *c) {
    uint32_t *marks = gz_calloc(c->link_count, sizeof *marks);
    if (!marks) {
        c->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < c->link_count; i++) {
        int32_t link = climb(c, (int32_t)i, (uint32_t)i + 1, marks);
        if (link >= 0) report_cycle(c, link);
    }
    gz_free(marks);
    if (!c->link_count)
        gz_lint_add(c, (gz_lint_place){.element = gz_xml_root(c->urdf)},
                    "the robot has no link; allowed: at least one");
}

static void check_parents(gz_lint_context *c, const gz_lint_joint *joint) {
    if (joint->child_link < 0) return;
    const gz_lint_link *child = &c->links[joint->child_link];
    if (child->parent_count < 2 || &c->joints[child->parent_joint] == joint) return;
    gz_lint_place place = gz_lint_at_joint(joint, gz_xml_child(joint->element, "child"));
    place.link = child->name;
    gz_lint_add(c, place,
                "link '%.100s' is the child of joint '%.100s' and of '%.100s'; allowed: one parent",
                child->name, c->joints[child->parent_joint].name, joint->name);
}

// ---------------------------------------------------------------------------------------- names

/// Unknown names beyond these get no suggestion: looking for the nearest takes time with the number
/// of links, and a file may hold as many unknown names.
#define SUGGESTIONS 100

static void report_unknown(gz_lint_context *c, const gz_lint_joint *joint, const char *tag,
                           const char *name, size_t *reported) {
    gz_lint_place place = gz_lint_at_joint(joint, gz_xml_child(joint->element, tag));
    if (!name[0]) {
        gz_lint_add(c, place, "joint '%.100s' names no %s; allowed: <%s link=\"LINK\"/>",
                    joint->name, tag, tag);
        return;
    }
    const char *nearest = (*reported)++ < SUGGESTIONS ? gz_lint_nearest_link(c, name) : NULL;
    gz_lint_add(c, place, "%s '%.100s' of joint '%.100s' is no link%s%.100s%s", tag, name,
                joint->name, nearest ? "; nearest: '" : "", nearest ? nearest : "",
                nearest ? "'" : "");
}

static void check_ends(gz_lint_context *c) {
    size_t reported = 0;
    for (size_t j = 0; j < c->joint_count; j++) {
        const gz_lint_joint *joint = &c->joints[j];
        if (joint->parent_link < 0) report_unknown(c, joint, "parent", joint->parent, &reported);
        if (joint->child_link < 0) report_unknown(c, joint, "child", joint->child, &reported);
    }
}

/// @param first the element that had the name first; NULL where there is none
static void check_duplicate(gz_lint_context *c, gz_lint_place place, const char *what,
                            const char *name, const gz_xml_element *first) {
    if (!name[0])
        gz_lint_add(c, place, "a %s has no name; allowed: a name of its own", what);
    else if (first != place.element)
        gz_lint_add(c, place,
                    "%s '%.100s' is there already, at line %d; allowed: names of their own", what,
                    name, (int)first->line);
}

static void check_duplicate_link(gz_lint_context *c, const gz_lint_link *link) {
    int32_t first = gz_lint_find_link(c, link->name);
    check_duplicate(c, gz_lint_at_link(link, NULL), "link", link->name,
                    first < 0 ? NULL : c->links[first].element);
}

static void check_duplicate_joint(gz_lint_context *c, const gz_lint_joint *joint) {
    int32_t first = gz_lint_find_joint(c, joint->name);
    check_duplicate(c, gz_lint_at_joint(joint, NULL), "joint", joint->name,
                    first < 0 ? NULL : c->joints[first].element);
}

/// What find_tops() knows of a link: nothing yet, or that it is on the way that is being climbed.
enum { UNKNOWN_TOP = -2, CLIMBING = -3 };

/// The tops of all links, -1 where a cycle is above: each link takes its parent's, so that long
/// chains cost no more, and a way that meets itself ends, so that many short cycles do not either.
static void find_tops(const gz_lint_context *c, int32_t *tops, int32_t *path) {
    for (size_t i = 0; i < c->link_count; i++) tops[i] = UNKNOWN_TOP;
    for (size_t i = 0; i < c->link_count; i++) {
        size_t n = 0;
        int32_t link = (int32_t)i, top = -1;
        while (tops[link] == UNKNOWN_TOP) {
            int32_t joint = c->links[link].parent_joint;
            path[n++] = link;
            tops[link] = CLIMBING;
            if (joint < 0 || c->joints[joint].parent_link < 0) {
                top = link;
                break;
            }
            link = c->joints[joint].parent_link;
            if (tops[link] >= 0) top = tops[link];
        }
        while (n) tops[path[--n]] = top;
    }
}

static void report_islands(gz_lint_context *c, const int32_t *tops, size_t *counts) {
    int32_t main_top = -1;
    for (size_t i = 0; i < c->link_count; i++) {
        if (tops[i] < 0) continue;
        counts[tops[i]]++;
        if (main_top < 0 || counts[tops[i]] > counts[main_top]) main_top = tops[i];
    }
    for (size_t i = 0; main_top >= 0 && i < c->link_count; i++) {
        bool in_cycle = tops[i] < 0;
        if (!in_cycle && (tops[i] != (int32_t)i || (int32_t)i == main_top)) continue;
        if (!can_be_named(c, i)) continue;
        gz_lint_add(c, gz_lint_at_link(&c->links[i], NULL),
                    "link '%.100s'%s is not joined to '%.100s', the root of the largest tree; "
                    "allowed: one tree",
                    c->links[i].name, in_cycle || counts[i] < 2 ? "" : " with its descendants",
                    c->links[main_top].name);
    }
}

static void check_islands(gz_lint_context *c) {
    size_t n = c->link_count ? c->link_count : 1;
    int32_t *tops = gz_calloc(n, sizeof *tops), *path = gz_calloc(n, sizeof *path);
    size_t *counts = gz_calloc(n, sizeof *counts);
    if (tops && path && counts) {
        find_tops(c, tops, path);
        report_islands(c, tops, counts);
    } else {
        c->out_of_memory = true;
    }
    gz_free(tops);
    gz_free(path);
    gz_free(counts);
}

static void check_shared_names(gz_lint_context *c, const gz_lint_joint *joint) {
    int32_t link = gz_lint_find_link(c, joint->name);
    if (link < 0) return;
    gz_lint_place place = gz_lint_at_joint(joint, NULL);
    place.link = joint->name;
    gz_lint_add(c, place,
                "a joint and the link at line %d are both called '%.100s'; allowed by URDF, "
                "but tools that keep one list of names mix them up",
                (int)c->links[link].element->line, joint->name);
}

static void check_name(gz_lint_context *c, gz_lint_place place, const char *what,
                       const char *name) {
    for (const char *p = name; *p; p++) {
        // Characters that are no ASCII are bytes above that; a plain char may have a sign.
        bool is_ascii = (unsigned char)*p > ' ' && (unsigned char)*p < 0x7f;
        if (is_ascii && !strchr("/\\\"'", *p)) continue;
        gz_lint_add(c, place, "%s '%.100s' has %s in its name; allowed: letters, digits, '_'", what,
                    name, *p == ' ' ? "a blank" : "a character that tools stumble over");
        return;
    }
}

static int compare_case(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcasecmp(x, y);
    return order ? order : strcmp(x, y);
}

/// Compares each of the names with the next, in an order that brings together what differs in case
/// alone. @param joints whether they are joints' names, else links'
static void check_case(gz_lint_context *c, const char **names, size_t count, bool joints) {
    qsort(names, count, sizeof *names, compare_case);
    for (size_t i = 1; i < count; i++) {
        if (strcasecmp(names[i - 1], names[i]) || !strcmp(names[i - 1], names[i])) continue;
        gz_lint_place place =
            joints ? gz_lint_at_joint(&c->joints[gz_lint_find_joint(c, names[i])], NULL)
                   : gz_lint_at_link(&c->links[gz_lint_find_link(c, names[i])], NULL);
        gz_lint_add(c, place,
                    "%s '%.100s' and '%.100s' differ in case alone; allowed: names that differ "
                    "otherwise",
                    joints ? "joints" : "links", names[i - 1], names[i]);
    }
}

static void check_names(gz_lint_context *c) {
    for (size_t i = 0; i < c->link_count; i++)
        check_name(c, gz_lint_at_link(&c->links[i], NULL), "link", c->links[i].name);
    for (size_t j = 0; j < c->joint_count; j++)
        check_name(c, gz_lint_at_joint(&c->joints[j], NULL), "joint", c->joints[j].name);
    size_t most = c->link_count > c->joint_count ? c->link_count : c->joint_count;
    const char **names = gz_malloc(most, sizeof *names);
    if (!names) {
        c->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < c->link_count; i++) names[i] = c->links[i].name;
    check_case(c, names, c->link_count, false);
    for (size_t j = 0; j < c->joint_count; j++) names[j] = c->joints[j].name;
    check_case(c, names, c->joint_count, true);
    gz_free((void *)names);
}

static void check_root_inertia(gz_lint_context *c) {
    if (c->root < 0 || !c->links[c->root].inertial) return;
    const gz_lint_link *root = &c->links[c->root];
    gz_lint_add(c, gz_lint_at_link(root, root->inertial),
                "root link '%.100s' has an <inertial>, which KDL ignores with a warning; usual: a "
                "root without, and a fixed joint below it",
                root->name);
}

// --------------------------------------------------------------------------------------- groups

/// A group of an SRDF while the references between groups are walked.
typedef struct group {
    const gz_xml_element *next; ///< the reference in it that is to be followed next
    int32_t above;              ///< the group that led to it, -1 where the walk began
    bool seen, on_path;
} group;

static void enter(group *g, int32_t above) {
    g->above = above;
    g->seen = g->on_path = true;
}

/// Walks the groups below one, depth first; each knows the way back, as groups may nest as deep as
/// there are groups. Reports each reference back to a group on the way.
static void walk_groups(gz_lint_context *c, const gz_name_table *names, group *groups, int32_t at) {
    enter(&groups[at], -1);
    while (at >= 0) {
        const gz_xml_element *e = groups[at].next;
        if (!e) {
            groups[at].on_path = false;
            at = groups[at].above;
            continue;
        }
        groups[at].next = gz_xml_next(e);
        const char *name = gz_xml_get(e, "name");
        int32_t next = name ? gz_name_table_find(names, name) : -1;
        if (next >= 0 && groups[next].on_path)
            gz_lint_add(c, (gz_lint_place){.srdf = true, .element = e},
                        "group '%.100s' contains itself; allowed: groups without a cycle", name);
        if (next < 0 || groups[next].seen) continue;
        enter(&groups[next], at);
        at = next;
    }
}

/// Of two groups with one name the first counts.
static void check_groups(gz_lint_context *c, const gz_xml_element *root) {
    const gz_xml_element *e = gz_xml_child(root, "group");
    group *groups = gz_calloc(e ? e->namesakes : 0, sizeof *groups);
    gz_name_table names = {0};
    int32_t count = 0;
    bool good = groups != NULL;
    for (; good && e; e = gz_xml_next(e)) {
        const char *name = gz_xml_get(e, "name");
        if (!name || gz_name_table_find(&names, name) >= 0) continue;
        good = gz_name_table_add(&names, name, count);
        groups[count++].next = gz_xml_child(e, "group");
    }
    c->out_of_memory |= !good;
    for (int32_t i = 0; good && i < count; i++)
        if (!groups[i].seen) walk_groups(c, &names, groups, i);
    gz_free(groups);
    gz_name_table_free(&names);
}

#define RULE(...) GZ_LINT_RULE(TOPOLOGY, __VA_ARGS__)

static const gz_lint_rule rules[] = {
    RULE("T001", "several-roots", ERROR, "More than one link is no joint's child.",
         "Join the trees, or remove the links that belong to nothing.", .check = check_roots),
    RULE("T002", "cycle", ERROR, "Links are each other's ancestors, or there is no link at all.",
         "Break the loop: a URDF is a tree; closed chains need another format.",
         .check = check_cycles),
    RULE("T003", "two-parents", ERROR, "A link is the child of two joints.",
         "Keep the joint that moves the link, remove the other.", .check_joint = check_parents),
    RULE("T004", "unknown-link", ERROR, "A joint's parent or child is no link of the robot.",
         "Correct the name, or add the link.", .check = check_ends),
    RULE("T005", "duplicate-name", ERROR, "Two links or two joints have one name, or one has none.",
         "Give each a name of its own.", .check_link = check_duplicate_link,
         .check_joint = check_duplicate_joint),
    RULE("T006", "unreachable", WARNING, "A part of the robot is not joined to the rest.",
         "Add the joint that is missing.", .check = check_islands),
    RULE("T007", "joint-link-same-name", WARNING, "A joint and a link share a name.",
         "Rename one: the usual endings are _joint and _link.", .check_joint = check_shared_names),
    RULE("T008", "awkward-name", WARNING,
         "A name holds a blank, a slash or a quote, or differs from another in case alone.",
         "Use letters, digits and '_'.", .check = check_names),
    RULE("T009", "root-inertia", INFO, "The root link has inertia.",
         "Put an empty root in front of it with a fixed joint, if you use KDL.",
         .check = check_root_inertia),
    RULE("T010", "group-cycle", ERROR, "A group of the SRDF contains itself.",
         "Remove one of the groups that the circle goes through.", .check_srdf = check_groups),
};

const gz_lint_tier gz_lint_tier_topology = {rules, sizeof rules / sizeof *rules};
