// Do the links and joints form one tree, and which numbers of q move them?

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "robot/name_table.h"
#include "robot/robot.h"

gz_place gz_robot_place(const graze_robot *robot, gz_line at, const char *element) {
    return (gz_place){robot->file, element, at.line, at.column};
}

/// Writes /robot/joint[@name='...']suffix.
static const char *joint_element(char *out, size_t size, const gz_joint *j, const char *suffix) {
    snprintf(out, size, "/robot/joint[@name='%s']%s", j->info.name, suffix);
    return out;
}

GZ_PRINTF(6, 7)
static graze_status fail_joint(const graze_robot *r, const gz_joint *j, gz_line at,
                               const char *suffix, graze_error *error, const char *format, ...) {
    char element[GRAZE_PATH_SIZE], what[GRAZE_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return gz_fail_at(error, GRAZE_ERROR_SCHEMA,
                      gz_robot_place(r, at, joint_element(element, sizeof element, j, suffix)),
                      "%s", what);
}

static graze_status find_ends(graze_robot *r, const gz_name_table *links, graze_error *error) {
    for (int32_t i = 0; i < r->joint_count; i++) {
        gz_joint *j = &r->joints[i];
        j->info.parent = gz_name_table_find(links, j->parent_name);
        j->info.child = gz_name_table_find(links, j->child_name);
        if (j->info.parent < 0)
            return fail_joint(r, j, j->parent_at, "/parent", error,
                              "parent link '%s' does not exist; allowed: the name of a link",
                              j->parent_name);
        if (j->info.child < 0)
            return fail_joint(r, j, j->child_at, "/child", error,
                              "child link '%s' does not exist; allowed: the name of a link",
                              j->child_name);
        if (j->info.parent == j->info.child)
            return fail_joint(r, j, j->at, "", error, "joint connects link '%s' with itself",
                              j->child_name);
        gz_link *child = &r->links[j->info.child];
        if (child->parent_joint >= 0)
            return fail_joint(r, j, j->child_at, "/child", error,
                              "link '%s' is already the child of joint '%s' (line %d); allowed: "
                              "one parent joint a link",
                              child->name, r->joints[child->parent_joint].info.name,
                              r->joints[child->parent_joint].at.line);
        child->parent_joint = i;
    }
    return GRAZE_OK;
}

/// Appends 'name' to a list in a message, and says "..." once where the message is full.
static void append_name(char *out, size_t size, const char *separator, const char *name) {
    size_t used = strlen(out);
    if (used + strlen(separator) + strlen(name) + 8 < size)
        snprintf(out + used, size - used, "%s'%s'", separator, name);
    else if (used + 5 < size && (used < 3 || strcmp(out + used - 3, "...") != 0))
        snprintf(out + used, size - used, ", ...");
}

/// Names the links of the cycle that `link` leads into, going from child to parent.
static graze_status fail_cycle(const graze_robot *r, int32_t link, graze_error *error) {
    for (int32_t i = 0; i < r->link_count; i++) // after that many steps we are on the cycle
        link = r->joints[r->links[link].parent_joint].info.parent;
    char names[GRAZE_MESSAGE_SIZE / 2] = "";
    int32_t at = link;
    do {
        append_name(names, sizeof names, names[0] ? " <- " : "", r->links[at].name);
        at = r->joints[r->links[at].parent_joint].info.parent;
    } while (at != link);
    append_name(names, sizeof names, " <- ", r->links[link].name);
    const gz_joint *j = &r->joints[r->links[link].parent_joint];
    return fail_joint(r, j, j->at, "", error, "links form a cycle: %s; allowed: a tree", names);
}

int32_t *gz_robot_order(const graze_robot *r, size_t *count) {
    size_t n = (size_t)r->link_count, tail = 0;
    int32_t *order = gz_malloc(n, 3 * sizeof *order);
    if (!order) return NULL;
    // The children of each link as a list: first child, next sibling.
    int32_t *first = order + n, *next = first + n;
    for (size_t i = 0; i < n; i++) first[i] = next[i] = -1;
    for (int32_t j = r->joint_count - 1; j >= 0; j--) {
        const graze_joint_info *info = &r->joints[j].info;
        next[info->child] = first[info->parent];
        first[info->parent] = info->child;
    }
    // Without recursion: a chain of 100,000 links must not exhaust the stack.
    order[tail++] = r->root;
    for (size_t head = 0; head < tail; head++)
        for (int32_t link = first[order[head]]; link >= 0; link = next[link]) order[tail++] = link;
    *count = tail;
    return order;
}

/// Whether the root reaches all links: there may be a cycle apart from it.
static graze_status find_stray(const graze_robot *r, graze_error *error) {
    size_t count;
    int32_t *order = gz_robot_order(r, &count), stray = 0;
    uint8_t *reached = gz_calloc((size_t)r->link_count, 1);
    bool ok = order && reached;
    for (size_t i = 0; ok && i < count; i++) reached[order[i]] = 1;
    while (ok && stray < r->link_count && reached[stray]) stray++;
    gz_free(order);
    gz_free(reached);
    if (!ok) return gz_fail_memory(error);
    return stray == r->link_count ? GRAZE_OK : fail_cycle(r, stray, error);
}

static graze_status find_root(graze_robot *r, graze_error *error) {
    char names[GRAZE_MESSAGE_SIZE / 2] = "";
    int32_t roots = 0;
    for (int32_t i = 0; i < r->link_count; i++) {
        if (r->links[i].parent_joint >= 0) continue;
        if (roots++ == 0) r->root = i;
        append_name(names, sizeof names, names[0] ? ", " : "", r->links[i].name);
    }
    if (r->link_count == 0)
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, gz_robot_place(r, (gz_line){1, 1}, "/robot"),
                          "robot has no link; allowed: at least one");
    if (roots == 0) return fail_cycle(r, 0, error);
    if (roots > 1)
        return gz_fail_at(
            error, GRAZE_ERROR_SCHEMA, gz_robot_place(r, r->links[r->root].at, "/robot"),
            "%d root links: %s; allowed: exactly one link without a parent joint", roots, names);
    return find_stray(r, error);
}

static graze_status find_mimics(graze_robot *r, const gz_name_table *joints, graze_error *error) {
    for (int32_t i = 0; i < r->joint_count; i++) {
        gz_joint *j = &r->joints[i];
        if (!j->mimic_name) continue;
        if (j->info.type == GRAZE_JOINT_FIXED) {
            char element[GRAZE_PATH_SIZE];
            gz_warn(
                &r->warnings, "mimic-on-fixed",
                gz_robot_place(r, j->mimic_at, joint_element(element, sizeof element, j, "/mimic")),
                "mimic on a fixed joint has no effect");
            continue;
        }
        if (j->info.type == GRAZE_JOINT_PLANAR || j->info.type == GRAZE_JOINT_FLOATING)
            return fail_joint(r, j, j->mimic_at, "/mimic", error,
                              "a planar or floating joint cannot mimic; allowed: revolute, "
                              "continuous, prismatic");
        j->info.mimic = gz_name_table_find(joints, j->mimic_name);
        if (j->info.mimic < 0)
            return fail_joint(r, j, j->mimic_at, "/mimic", error,
                              "mimicked joint '%s' does not exist; allowed: the name of a joint",
                              j->mimic_name);
        graze_joint_type type = r->joints[j->info.mimic].info.type;
        if (type == GRAZE_JOINT_PLANAR || type == GRAZE_JOINT_FLOATING)
            return fail_joint(r, j, j->mimic_at, "/mimic", error,
                              "mimicked joint '%s' has several values; allowed: a joint with one",
                              j->mimic_name);
    }
    return GRAZE_OK;
}

/// Composes value = multiplier * end + offset along each mimic chain, from its end upwards. Each
/// joint is looked at once. end[i] is the joint at the end of i's chain where that is known; for
/// those on the way, the one before.
static graze_status resolve_chain(graze_robot *r, int32_t joint, int32_t *end, uint8_t *known,
                                  graze_error *error) {
    int32_t at = joint, last = -1;
    while (!known[at] && r->joints[at].info.mimic >= 0) {
        known[at] = 2; // on the way
        end[at] = last;
        last = at;
        at = r->joints[at].info.mimic;
        if (known[at] == 2)
            return fail_joint(r, &r->joints[joint], r->joints[joint].mimic_at, "/mimic", error,
                              "mimic joints form a cycle");
    }
    if (!known[at]) {
        gz_joint *j = &r->joints[at];
        j->multiplier = 1;
        j->offset = 0;
        j->column = j->info.q_index;
        known[at] = 1;
        end[at] = at;
    }
    while (last >= 0) {
        int32_t before = end[last];
        gz_joint *j = &r->joints[last];
        const gz_joint *other = &r->joints[j->info.mimic];
        j->multiplier = j->info.multiplier * other->multiplier;
        j->offset = j->info.multiplier * other->offset + j->info.offset;
        j->column = other->column;
        // Else a value of 0 would be no number.
        if (!isfinite(j->multiplier) || !isfinite(j->offset))
            return fail_joint(r, j, j->mimic_at, "/mimic", error,
                              "multipliers and offsets are beyond all numbers along the chain of "
                              "mimic joints; allowed: products and sums below 1.8e308");
        known[last] = 1;
        end[last] = end[at];
        last = before;
    }
    return GRAZE_OK;
}

/// Chains that end in a fixed joint, whose value is 0.
static void warn_of_fixed(graze_robot *r, const int32_t *end) {
    for (int32_t i = 0; i < r->joint_count; i++) {
        const gz_joint *j = &r->joints[i];
        if (end[i] == i || r->joints[end[i]].info.type != GRAZE_JOINT_FIXED) continue;
        char element[GRAZE_PATH_SIZE];
        gz_warn(&r->warnings, "mimic-of-fixed",
                gz_robot_place(r, j->mimic_at, joint_element(element, sizeof element, j, "/mimic")),
                "mimics the fixed joint '%s', whose value is 0", r->joints[end[i]].info.name);
    }
}

static graze_status resolve_mimics(graze_robot *r, graze_error *error) {
    size_t n = (size_t)r->joint_count;
    int32_t *end = gz_malloc(n, sizeof *end);
    uint8_t *known = gz_calloc(n, 1);
    graze_status status = end && known ? GRAZE_OK : gz_fail_memory(error);
    for (int32_t i = 0; status == GRAZE_OK && i < r->joint_count; i++)
        status = resolve_chain(r, i, end, known, error);
    if (status == GRAZE_OK) warn_of_fixed(r, end);
    gz_free(end);
    gz_free(known);
    return status;
}

static bool add_column(graze_robot *r, int32_t joint, const char *suffix) {
    char *name = gz_string_format("%s%s", r->joints[joint].info.name, suffix);
    if (!name) return false;
    r->column_names[r->column_count] = name;
    r->column_joints[r->column_count++] = joint;
    return true;
}

static const char *const planar_suffixes[] = {"/x", "/y", "/angle"};
static const char *const floating_suffixes[] = {"/x", "/y", "/z", "/qx", "/qy", "/qz", "/qw"};

static int32_t value_count(const gz_joint *j) {
    if (j->info.type == GRAZE_JOINT_FIXED || j->info.mimic >= 0) return 0;
    if (j->info.type == GRAZE_JOINT_PLANAR) return 3;
    return j->info.type == GRAZE_JOINT_FLOATING ? 7 : 1;
}

static graze_status number_columns(graze_robot *r, graze_error *error) {
    size_t total = 0;
    for (int32_t i = 0; i < r->joint_count; i++) total += (size_t)value_count(&r->joints[i]);
    r->column_names = gz_calloc(total, sizeof *r->column_names);
    r->column_joints = gz_calloc(total, sizeof *r->column_joints);
    r->column_kinds = gz_calloc(total, sizeof *r->column_kinds);
    if (!r->column_names || !r->column_joints || !r->column_kinds) return gz_fail_memory(error);
    for (int32_t i = 0; i < r->joint_count; i++) {
        gz_joint *j = &r->joints[i];
        j->info.q_count = value_count(j);
        if (j->info.q_count) j->info.q_index = (int32_t)r->column_count;
        for (int32_t k = 0; k < j->info.q_count; k++) {
            const char *suffix = "";
            if (j->info.type == GRAZE_JOINT_PLANAR) suffix = planar_suffixes[k];
            if (j->info.type == GRAZE_JOINT_FLOATING) suffix = floating_suffixes[k];
            if (!add_column(r, i, suffix)) return gz_fail_memory(error);
        }
    }
    return GRAZE_OK;
}

/// Whether a full turn of the joint that this one follows brings this one back, too: a prismatic
/// one does not return, nor one of half the rate; one with limits may not make a full turn. Along a
/// chain of mimics all are tested: where each multiplier is whole, so is their product.
static bool returns_after_turn(const graze_joint_info *mimic) {
    bool turns = mimic->type == GRAZE_JOINT_REVOLUTE || mimic->type == GRAZE_JOINT_CONTINUOUS;
    return turns && !mimic->limited && mimic->multiplier == floor(mimic->multiplier);
}

/// The kind of a column by its own joint, whatever mimics that.
static graze_q_kind own_kind(const graze_robot *r, size_t column) {
    const graze_joint_info *info = &r->joints[r->column_joints[column]].info;
    int32_t offset = (int32_t)column - info->q_index;
    bool angle = info->type == GRAZE_JOINT_CONTINUOUS ||
                 (info->type == GRAZE_JOINT_PLANAR && offset == 2);
    if (info->type == GRAZE_JOINT_FLOATING && offset >= 3) return GRAZE_Q_ROTATION;
    return angle ? GRAZE_Q_CIRCLE : GRAZE_Q_LINE;
}

/// Sets the kinds of the columns, once mimic chains are resolved.
static void classify_columns(graze_robot *r) {
    for (size_t i = 0; i < r->column_count; i++) r->column_kinds[i] = own_kind(r, i);
    for (int32_t i = 0; i < r->joint_count; i++) {
        const gz_joint *j = &r->joints[i];
        if (j->info.mimic >= 0 && j->column >= 0 && !returns_after_turn(&j->info))
            r->column_kinds[j->column] = GRAZE_Q_LINE;
    }
}

graze_status gz_robot_connect(graze_robot *r, graze_error *error) {
    gz_name_table links = {0}, joints = {0};
    bool ok = true;
    for (int32_t i = 0; ok && i < r->link_count; i++)
        ok = gz_name_table_add(&links, r->links[i].name, i);
    for (int32_t i = 0; ok && i < r->joint_count; i++)
        ok = gz_name_table_add(&joints, r->joints[i].info.name, i);
    graze_status status = ok ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) status = find_ends(r, &links, error);
    if (status == GRAZE_OK) status = find_root(r, error);
    if (status == GRAZE_OK) status = find_mimics(r, &joints, error);
    if (status == GRAZE_OK) status = number_columns(r, error);
    if (status == GRAZE_OK) status = resolve_mimics(r, error);
    if (status == GRAZE_OK) classify_columns(r);
    gz_name_table_free(&links);
    gz_name_table_free(&joints);
    return status;
}
