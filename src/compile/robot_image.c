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

static int32_t width_of(graze_joint_type type) {
    if (type == GRAZE_JOINT_FIXED) return 0;
    return type == GRAZE_JOINT_PLANAR ? 3 : type == GRAZE_JOINT_FLOATING ? 7 : 1;
}

/// Whether a joint of that type can take its numbers from there: column -1 is a value that stays,
/// which joints of several numbers do not have.
static bool column_fits(const graze_robot *r, graze_joint_type type, int32_t column) {
    int32_t width = width_of(type);
    if (width > 1 && column < 0) return false;
    return in(column, -1, r->column_count) &&
           (column < 0 || (size_t)column + (size_t)(width ? width : 1) <= r->column_count);
}

/// Whether all names differ, as everything that is asked by name takes for granted.
static graze_status check_unique(const gz_image_checker *c, const char *what, size_t count,
                                 const char *(*name)(const graze_robot *r, size_t i),
                                 const graze_robot *r) {
    gz_name_table seen = {0};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        if (gz_name_table_find(&seen, name(r, i)) >= 0)
            status = gz_image_fail(c, "two %s are called '%s'", what, name(r, i));
        else if (!gz_name_table_add(&seen, name(r, i), (int32_t)i))
            status = gz_fail_memory(c->error);
    }
    gz_name_table_free(&seen);
    return status;
}

static const char *link_name(const graze_robot *r, size_t i) {
    return r->links[i].name;
}
static const char *joint_name(const graze_robot *r, size_t i) {
    return r->joints[i].info.name;
}
static const char *column_name(const graze_robot *r, size_t i) {
    return r->column_names[i];
}

static graze_status check_links(gz_image_checker *c, const graze_robot *r) {
    size_t next = 0;
    if (r->link_count < 1 || r->joint_count != r->link_count - 1 ||
        !in(r->root, 0, (size_t)r->link_count) || r->links[r->root].parent_joint != -1)
        return gz_image_fail(c, "%d links, root %d; allowed: one root, a joint for each other link",
                             (int)r->link_count, (int)r->root);
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        if (!in(l->parent_joint, i == r->root ? -1 : 0, (size_t)r->joint_count) ||
            (l->parent_joint >= 0 && r->joints[l->parent_joint].info.child != i) ||
            !in(l->body, 0, (size_t)r->body_count) ||
            l->first_collision != (l->collision_count ? next : 0) ||
            l->collision_count > r->collision_count - next || !(fabs(l->skew) <= 1) ||
            !(fabs(l->pad) <= GZ_NUMBER_MAX) || !(l->tilt >= 0) || !(l->rim >= 0) ||
            !(l->sphere.radius >= 0) || !(l->local.sphere.radius >= 0) ||
            l->local.empty != (l->collision_count == 0))
            return gz_image_fail(c, "link %d does not fit its joint, body or geometry", (int)i);
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

/// Walks from each link towards the root: 1 marks who is on the way, 2 who gets there.
static graze_status check_no_cycle(gz_image_checker *c, const graze_robot *r) {
    uint8_t *marks = gz_image_marks(c, (size_t)r->link_count);
    if (!marks) return gz_fail_memory(c->error);
    marks[r->root] = 2;
    for (int32_t i = 0; i < r->link_count; i++) {
        int32_t at = i;
        for (; !marks[at]; at = r->joints[r->links[at].parent_joint].info.parent) marks[at] = 1;
        if (marks[at] == 1) return gz_image_fail(c, "links form a cycle at link %d", (int)at);
        for (at = i; marks[at] == 1; at = r->joints[r->links[at].parent_joint].info.parent)
            marks[at] = 2;
    }
    return GRAZE_OK;
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
        const gz_joint *j = &r->joints[i];
        const graze_joint_info *info = &j->info;
        bool moves = info->q_count > 0;
        if (!in(info->parent, 0, (size_t)r->link_count) ||
            !in(info->child, 0, (size_t)r->link_count) || r->links[info->child].parent_joint != i ||
            info->parent == info->child || !in(info->mimic, -1, (size_t)r->joint_count) ||
            !column_fits(r, info->mimic >= 0 ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_FIXED,
                         j->column) ||
            info->q_count != (info->mimic < 0 ? width_of(info->type) : 0) ||
            (moves ? !column_fits(r, info->type, info->q_index) || info->q_index < 0
                   : info->q_index != -1) ||
            !(info->lower <= info->upper) || !is_placed(r, info) || !isfinite(info->multiplier) ||
            !isfinite(info->offset) || !isfinite(j->multiplier) || !isfinite(j->offset))
            return gz_image_fail(c, "joint %d does not fit its links or q", (int)i);
    }
    for (size_t i = 0; i < r->column_count; i++) {
        int32_t joint = r->column_joints[i];
        if (!in(joint, 0, (size_t)r->joint_count))
            return gz_image_fail(c, "column %zu of q is of joint %d", i, (int)joint);
        const graze_joint_info *info = &r->joints[joint].info;
        if ((int32_t)i < info->q_index || (int32_t)i >= info->q_index + info->q_count)
            return gz_image_fail(c, "column %zu of q is not one of joint %d", i, (int)joint);
        // Mimic joints make lines of some circles: whether of this one, --verify finds out.
        graze_q_kind kind = gz_robot_column_kind(r, i);
        if (r->column_kinds[i] != kind &&
            !(kind == GRAZE_Q_CIRCLE && r->column_kinds[i] == GRAZE_Q_LINE))
            return gz_image_fail(c, "column %zu of q has the kind %d", i, (int)r->column_kinds[i]);
    }
    return GRAZE_OK;
}

/// Whether every chain of joints that follow each other ends: 1 marks who is on the way, 2 whose
/// chain does. Planning and attaching walk along them.
static graze_status check_mimics(gz_image_checker *c, const graze_robot *r) {
    uint8_t *marks = gz_image_marks(c, (size_t)r->joint_count);
    if (!marks) return gz_fail_memory(c->error);
    for (int32_t i = 0; i < r->joint_count; i++) {
        int32_t at = i;
        for (; at >= 0 && !marks[at]; at = r->joints[at].info.mimic) marks[at] = 1;
        if (at >= 0 && marks[at] == 1)
            return gz_image_fail(c, "joints follow each other in a ring at joint %d", (int)at);
        for (at = i; at >= 0 && marks[at] == 1; at = r->joints[at].info.mimic) marks[at] = 2;
    }
    return GRAZE_OK;
}

/// Bodies are folded once more from the links and joints, which takes microseconds: so posing them
/// moves rigidly and cannot leave the range of numbers.
static graze_status check_folding(const gz_image_checker *c, const graze_robot *r) {
    graze_robot anew = *r;
    anew.bodies = NULL;
    anew.body_count = 0;
    anew.links = gz_calloc((size_t)r->link_count, sizeof *anew.links);
    if (!anew.links) return gz_fail_memory(c->error);
    for (int32_t i = 0; i < r->link_count; i++) {
        anew.links[i].name = r->links[i].name;
        anew.links[i].parent_joint = r->links[i].parent_joint;
        anew.links[i].is_attached = r->links[i].is_attached;
    }
    graze_status status = gz_robot_fold(&anew, c->error);
    bool same = status == GRAZE_OK && anew.body_count == r->body_count;
#define SAME(a, b, field) (memcmp(&(a)->field, &(b)->field, sizeof(a)->field) == 0)
    for (int32_t i = 0; same && i < r->link_count; i++) {
        const gz_link *a = &r->links[i], *b = &anew.links[i];
        same = SAME(a, b, body) && SAME(a, b, in_body) && SAME(a, b, skew);
    }
    for (int32_t i = 0; same && i < r->body_count; i++) {
        const gz_body *a = &r->bodies[i], *b = &anew.bodies[i];
        same = SAME(a, b, root_link) && SAME(a, b, parent) && SAME(a, b, joint) &&
               SAME(a, b, type) && SAME(a, b, column) && SAME(a, b, multiplier) &&
               SAME(a, b, offset) && SAME(a, b, origin) && SAME(a, b, axis) &&
               SAME(a, b, axis_projection) && SAME(a, b, cosine) && SAME(a, b, sine) &&
               SAME(a, b, moves);
    }
#undef SAME
    gz_free(anew.bodies);
    gz_free(anew.links);
    if (status == GRAZE_ERROR_NO_MEMORY) return status;
    return same ? GRAZE_OK
                : gz_image_fail(c, "bodies are not what its links and joints make of them");
}

static graze_status check_bodies(const gz_image_checker *c, const graze_robot *r) {
    for (int32_t i = 0; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        if (!in(b->root_link, 0, (size_t)r->link_count) || r->links[b->root_link].body != i ||
            b->parent < (i ? 0 : -1) || b->parent >= i ||
            !in(b->joint, i ? 0 : -1, (size_t)r->joint_count) ||
            (i && !column_fits(r, b->type, b->column)) || isnan(b->value_max))
            return gz_image_fail(c, "body %d does not fit its links, joint or parent", (int)i);
    }
    return r->body_count < 1 ? gz_image_fail(c, "no body; allowed: at least one") : GRAZE_OK;
}

static graze_status check_geometries(gz_image_checker *c, const graze_robot *r, bool visual) {
    const gz_geometry *list = visual ? r->visuals : r->collisions;
    size_t count = visual ? r->visual_count : r->collision_count;
    for (size_t i = 0; i < count; i++) {
        const gz_geometry *g = &list[i];
        snprintf(c->element, sizeof c->element, "%s geometry %zu", visual ? "visual" : "collision",
                 i);
        if (!in(g->link, i ? list[i - 1].link : 0, (size_t)r->link_count) || g->element < 0 ||
            g->kind == GRAZE_SHAPE_POINTS || (!visual && !g->has_shape))
            return gz_image_fail(c, "does not fit its link");
        if (!visual && (i < r->links[g->link].first_collision ||
                        i - r->links[g->link].first_collision >= r->links[g->link].collision_count))
            return gz_image_fail(c, "is not one of its link's");
        graze_status status = gz_shape_image_check(c, g->kind, &g->shape, g->has_shape);
        if (status) return status;
    }
    snprintf(c->element, sizeof c->element, "robot");
    return GRAZE_OK;
}

static graze_status check_pairs(const gz_image_checker *c, const graze_robot *r) {
    int32_t a = -1, b = -1;
    for (size_t i = 0; i < r->pair_count; i++) {
        const gz_pair *p = &r->pairs[i];
        if (!in(p->b, 0, (size_t)r->link_count) || p->a < 0 || p->a >= p->b ||
            !r->links[p->a].collision_count || !r->links[p->b].collision_count ||
            !(p->a > a || (p->a == a && p->b > b)))
            return gz_image_fail(c,
                                 "pair %zu is links %d and %d; allowed: two with geometry, "
                                 "each pair once, in order",
                                 i, (int)p->a, (int)p->b);
        a = p->a;
        b = p->b;
    }
    a = b = -1;
    for (size_t i = 0; i < r->margin_count; i++) {
        const graze_link_margin *m = &r->margins[i];
        if (!in(m->b, 0, (size_t)r->link_count) || m->a < 0 || m->a >= m->b ||
            !(m->a > a || (m->a == a && m->b > b)) || !(m->margin >= 0 && m->margin < INFINITY))
            return gz_image_fail(c, "margin %zu does not fit its links", i);
        a = m->a;
        b = m->b;
    }
    if (!isnan(r->default_margin) && !(r->default_margin >= 0 && r->default_margin < INFINITY))
        return gz_image_fail(c, "default margin is %g; allowed: none, or finite and not negative",
                             r->default_margin);
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
    graze_status status = check_unique(c, "links", (size_t)r->link_count, link_name, r);
    if (status == GRAZE_OK)
        status = check_unique(c, "joints", (size_t)r->joint_count, joint_name, r);
    if (status == GRAZE_OK)
        status = check_unique(c, "columns of q", r->column_count, column_name, r);
    return status;
}

graze_status gz_robot_image_check(const graze_robot *r, const char *file, graze_error *error) {
    gz_image_checker c = {.file = file, .element = "robot", .error = error};
    graze_status status = check_links(&c, r);
    if (status == GRAZE_OK) status = check_joints(&c, r);
    if (status == GRAZE_OK) status = check_mimics(&c, r);
    if (status == GRAZE_OK) status = check_attached(&c, r);
    if (status == GRAZE_OK) status = check_no_cycle(&c, r);
    if (status == GRAZE_OK) status = check_bodies(&c, r);
    if (status == GRAZE_OK) status = check_folding(&c, r);
    if (status == GRAZE_OK) status = check_geometries(&c, r, false);
    if (status == GRAZE_OK) status = check_geometries(&c, r, true);
    if (status == GRAZE_OK) status = check_pairs(&c, r);
    if (status == GRAZE_OK) status = check_names(&c, r);
    gz_free(c.marks);
    return status;
}
