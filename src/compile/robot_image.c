// Is a compiled robot one that can be posed and checked?

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "compile/image.h"
#include "math/transform.h"
#include "robot/name_table.h"

static bool in(int32_t index, int32_t least, size_t count) {
    return index >= least && (index < 0 || (size_t)index < count);
}

/// Whether all names differ, as everything that is asked by name takes for granted; they stand
/// `stride` bytes apart.
static graze_status check_unique(const gz_image_checker *c, const char *what, size_t count,
                                 const void *names, size_t stride) {
    gz_name_table seen = {0};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        const char *name;
        memcpy(&name, (const unsigned char *)names + i * stride, sizeof name);
        if (gz_name_table_find(&seen, name) >= 0)
            status = gz_image_fail(c, "two %s are called '%s'", what, name);
        else if (!gz_name_table_add(&seen, name, (int32_t)i))
            status = gz_fail_memory(c->error);
    }
    gz_name_table_free(&seen);
    return status;
}

/// Whether the geometries are the links', one run after the other.
static graze_status check_links(const gz_image_checker *c, const graze_robot *r) {
    size_t next = 0;
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        if (l->first_collision != (l->collision_count ? next : 0) ||
            l->collision_count > r->collision_count - next || !(fabs(l->pad) <= GZ_NUMBER_MAX) ||
            !(l->tilt >= 0) || !(l->rim >= 0) || !(l->sphere.radius >= 0) ||
            !(l->local.sphere.radius >= 0) || l->local.empty != (l->collision_count == 0))
            return gz_image_fail(c, "link %d does not fit its geometry", (int)i);
        next += l->collision_count;
    }
    if (next != r->collision_count)
        return gz_image_fail(c, "%zu geometries of links; there are %zu", next, r->collision_count);
    return GRAZE_OK;
}

/// Links that were attached come last, with their joints, and nothing else of the robot names them:
/// detaching takes one out and moves what is behind it up, indices and all.
static graze_status check_attached(const gz_image_checker *c, const graze_robot *r) {
    int32_t own = r->link_count;
    while (own > 0 && r->links[own - 1].is_attached) own--;
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        if (i < own
                ? l->is_attached
                : l->parent_joint < 0 || l->parent_joint != i - 1 ||
                      r->joints[i - 1].info.type != GRAZE_JOINT_FIXED || l->collision_count != 1)
            return gz_image_fail(c,
                                 "link %d cannot have been attached; allowed: behind all others, "
                                 "by a fixed joint, with one geometry",
                                 (int)i);
    }
    bool apart = true;
    for (int32_t i = 0; i < r->joint_count; i++) {
        const graze_joint_info *info = &r->joints[i].info;
        apart = apart && info->mimic < own - 1 && (info->child >= own || info->parent < own);
    }
    for (size_t i = 0; i < r->margin_count; i++) apart = apart && r->margins[i].b < own;
    for (size_t i = 0; i < r->group_count; i++) {
        const gz_group *g = &r->groups[i];
        for (size_t k = 0; k < g->joint_count; k++) apart = apart && g->joints[k] < own - 1;
        for (size_t k = 0; k < g->link_count; k++) apart = apart && g->links[k] < own;
    }
    for (size_t i = 0; i < r->end_effector_count; i++)
        apart = apart && r->end_effectors[i].parent_link < own;
    for (size_t i = 0; i < r->virtual_joint_count; i++)
        apart = apart && r->virtual_joints[i].child < own;
    for (size_t i = 0; i < r->visual_count; i++) apart = apart && r->visuals[i].link < own;
    return apart ? GRAZE_OK
                 : gz_image_fail(c, "the robot itself names a link that was attached to it");
}

/// Whether a joint's origin and axis are as loading leaves them, on which bounds of poses rest
/// (SKEW_OF_JOINT): with R^T R off by at most 2^-48 in each entry, by 3 * 2^-48 = 96 u in the
/// 2-norm with u = 2^-53, a rotation is at most 48 u away, less than the 60 u that entries within
/// 20 u make up. An axis is divided by its rounded length: off by 4 u, and 3 u of measuring it
/// here. What is attached moves nothing, and may be as far off as graze_robot_attach() takes it.
static bool is_placed(const graze_robot *r, const graze_joint_info *info) {
    double most = r->links[info->child].is_attached ? 1e-9 : 0x1p-48;
    return gz_transform_is_rigid(info->origin.m, most) &&
           fabs(gz_norm(GZ_ARRAY3(info->axis)) - 1) <= 0x1p-50;
}

static graze_status check_joints(const gz_image_checker *c, const graze_robot *r) {
    for (int32_t i = 0; i < r->joint_count; i++) {
        const graze_joint_info *info = &r->joints[i].info;
        if (!(info->lower <= info->upper) || !is_placed(r, info) || !isfinite(info->multiplier) ||
            !isfinite(info->offset))
            return gz_image_fail(c, "joint %d does not fit its links or q", (int)i);
    }
    return GRAZE_OK;
}

/// Copies a robot but for what connecting and folding find. Only the links and joints are its own.
static bool copy_inputs(graze_robot *anew, const graze_robot *r) {
    size_t links = (size_t)r->link_count, joints = (size_t)r->joint_count;
    *anew = *r;
    anew->bodies = NULL;
    anew->column_names = NULL;
    anew->column_joints = NULL;
    anew->column_kinds = NULL;
    anew->column_count = 0;
    anew->body_count = 0;
    anew->root = -1;
    anew->warnings = (gz_warnings){0};
    anew->links = gz_malloc(links, sizeof *anew->links);
    anew->joints = gz_malloc(joints, sizeof *anew->joints);
    if (!anew->links || !anew->joints) return false;
    memcpy(anew->links, r->links, links * sizeof *anew->links);
    memcpy(anew->joints, r->joints, joints * sizeof *anew->joints);
    for (size_t i = 0; i < links; i++) anew->links[i].parent_joint = -1;
    for (size_t i = 0; i < joints; i++)
        anew->joints[i].info.mimic = anew->joints[i].info.q_index = -1;
    return true;
}

static void free_found(graze_robot *anew) {
    for (size_t i = 0; i < anew->column_count; i++) gz_free(anew->column_names[i]);
    gz_free(anew->column_names);
    gz_free(anew->column_joints);
    gz_free(anew->column_kinds);
    gz_free(anew->bodies);
    gz_free(anew->links);
    gz_free(anew->joints);
}

/// What connecting or folding says against the robot.
static graze_status refuse(const gz_image_checker *c, graze_status status, const graze_error *why) {
    return status == GRAZE_ERROR_NO_MEMORY ? gz_fail_memory(c->error)
                                           : gz_image_fail(c, "%s", why->message);
}

static graze_status check_tree(const gz_image_checker *c, const graze_robot *r, graze_robot *anew) {
    graze_error why;
    graze_status status = gz_robot_connect(anew, &why);
    gz_warnings_free(&anew->warnings);
    anew->warnings = r->warnings;
    if (status) return refuse(c, status, &why);
    GZ_TRY(check_attached(c, r));
    GZ_TRY(check_joints(c, anew));
    status = gz_robot_fold(anew, &why);
    if (status) return refuse(c, status, &why);
    const char *field = gz_image_difference(&gz_type_robot, r, anew);
    return field ? gz_image_fail(c, "'%s' is not what its links and joints make of it", field)
                 : GRAZE_OK;
}

/// The tree of links and joints, the bodies and the columns of q are made once more from the links
/// and joints, which takes microseconds: so their indices are right, walking along joints and
/// mimics ends, and posing moves rigidly and cannot leave the range of numbers. Of two links of one
/// name joints find one alone, so the other would be in no tree.
static graze_status check_making(const gz_image_checker *c, const graze_robot *r) {
    graze_robot anew;
    graze_status status = copy_inputs(&anew, r) ? check_tree(c, r, &anew)
                                                : gz_fail_memory(c->error);
    free_found(&anew);
    return status;
}

static graze_status check_geometries(gz_image_checker *c, const graze_robot *r, bool visual) {
    const gz_geometry *list = visual ? r->visuals : r->collisions;
    size_t count = visual ? r->visual_count : r->collision_count;
    for (size_t i = 0; i < count; i++) {
        const gz_geometry *g = &list[i];
        snprintf(c->element, sizeof c->element, "%s geometry %zu", visual ? "visual" : "collision",
                 i);
        if (!in(g->link, i ? list[i - 1].link : 0, (size_t)r->link_count) || g->element < 0 ||
            !gz_shape_fits_link(g->kind) || (!visual && !g->has_shape))
            return gz_image_fail(c, "does not fit its link");
        if (!visual && (i < r->links[g->link].first_collision ||
                        i - r->links[g->link].first_collision >= r->links[g->link].collision_count))
            return gz_image_fail(c, "is not one of its link's");
        GZ_TRY(gz_shape_image_check(c, g->kind, &g->shape, g->has_shape));
    }
    snprintf(c->element, sizeof c->element, "robot");
    return GRAZE_OK;
}

/// Whether a and b are links, the lower first, and follow the pair before; they become that.
static bool follows(const graze_robot *r, int32_t a, int32_t b, int32_t before[2]) {
    bool ok = in(b, 0, (size_t)r->link_count) && a >= 0 && a < b &&
              (a > before[0] || (a == before[0] && b > before[1]));
    before[0] = a;
    before[1] = b;
    return ok;
}

static graze_status check_pairs(const gz_image_checker *c, const graze_robot *r) {
    int32_t pair[2] = {-1, -1}, margin[2] = {-1, -1};
    for (size_t i = 0; i < r->pair_count; i++) {
        const gz_pair *p = &r->pairs[i];
        if (!follows(r, p->a, p->b, pair) || !r->links[p->a].collision_count ||
            !r->links[p->b].collision_count)
            return gz_image_fail(c,
                                 "pair %zu is links %d and %d; allowed: two with geometry, "
                                 "each pair once, in order",
                                 i, (int)p->a, (int)p->b);
    }
    for (size_t i = 0; i < r->margin_count; i++) {
        const graze_link_margin *m = &r->margins[i];
        if (!follows(r, m->a, m->b, margin) || !(m->margin >= 0 && m->margin < INFINITY))
            return gz_image_fail(c, "margin %zu does not fit its links", i);
    }
    if (!isnan(r->default_margin) && !(r->default_margin >= 0 && r->default_margin < INFINITY))
        return gz_image_fail(c, "default margin is %g; allowed: none, or finite and not negative",
                             r->default_margin);
    return GRAZE_OK;
}

/// Whether cells are found where they are. That they are right rests on the checksum, or on
/// graze_compiled_verify(), as it does of all that is derived from meshes.
static graze_status check_tables(const gz_image_checker *c, const graze_robot *r) {
    int32_t pair[2] = {-1, -1};
    for (size_t i = 0; i < r->table_count; i++) {
        const gz_pair_table *t = &r->tables[i];
        bool fits = follows(r, t->a, t->b, pair) && in(t->columns[0], 0, r->column_count) &&
                    in(t->columns[1], -1, r->column_count);
        for (int k = 0; k < 2 && fits; k++)
            fits = t->counts[k] >= 1 && t->counts[k] <= GZ_PAIR_TABLE_CELLS_MAX &&
                   (t->columns[k] < 0 ? t->counts[k] == 1 : t->low[k] < t->high[k]);
        if (!fits || t->cell_count != (size_t)t->counts[0] * (size_t)t->counts[1])
            return gz_image_fail(c, "table %zu does not fit its links or columns of q", i);
    }
    return GRAZE_OK;
}

static graze_status check_names(const gz_image_checker *c, const graze_robot *r) {
    for (size_t i = 0; i < r->group_count; i++) {
        const gz_group *g = &r->groups[i];
        for (size_t k = 0; k < g->joint_count; k++)
            if (!in(g->joints[k], 0, (size_t)r->joint_count))
                return gz_image_fail(c, "group %zu has joint %d", i, (int)g->joints[k]);
        for (size_t k = 0; k < g->link_count; k++)
            if (!in(g->links[k], 0, (size_t)r->link_count))
                return gz_image_fail(c, "group %zu has link %d", i, (int)g->links[k]);
    }
    for (size_t i = 0; i < r->state_count; i++)
        for (size_t k = 0; k < r->states[i].value_count; k++)
            if (!in(r->states[i].values[k].column, 0, r->column_count))
                return gz_image_fail(c, "state %zu sets column %d", i,
                                     (int)r->states[i].values[k].column);
    for (size_t i = 0; i < r->end_effector_count; i++)
        if (!in(r->end_effectors[i].parent_link, -1, (size_t)r->link_count))
            return gz_image_fail(c, "end effector %zu has no link", i);
    for (size_t i = 0; i < r->virtual_joint_count; i++)
        if (!in(r->virtual_joints[i].child, 0, (size_t)r->link_count))
            return gz_image_fail(c, "virtual joint %zu has no link", i);
    for (size_t i = 0; i < r->warnings.count; i++)
        if (!r->warnings.items[i].count || !*r->warnings.items[i].code ||
            !*r->warnings.items[i].message)
            return gz_image_fail(c, "warning %zu says nothing", i);
    GZ_TRY(check_unique(c, "joints", (size_t)r->joint_count,
                        (const unsigned char *)r->joints + offsetof(gz_joint, info.name),
                        sizeof *r->joints));
    return check_unique(c, "columns of q", r->column_count, r->column_names,
                        sizeof *r->column_names);
}

graze_status gz_robot_image_check(gz_image_checker *c, const void *robot) {
    const graze_robot *r = robot;
    GZ_TRY(check_links(c, r));
    GZ_TRY(check_making(c, r));
    GZ_TRY(check_geometries(c, r, false));
    GZ_TRY(check_geometries(c, r, true));
    GZ_TRY(check_pairs(c, r));
    GZ_TRY(check_tables(c, r));
    return check_names(c, r);
}
