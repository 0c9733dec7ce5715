// The public accessors of a robot, and its end.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "graze/robot.h"
#include "math/transform.h"
#include "robot/robot.h"

void graze_robot_free(graze_robot *r) {
    if (!r) return;
    if (r->keeper) {
        gz_keeper_drop(r->keeper);
        return;
    }
    gz_type_clear(&gz_type_robot, r);
    gz_free(r);
}

graze_robot *gz_robot_copy(const graze_robot *robot) {
    graze_robot *r = gz_malloc(1, sizeof *r);
    if (!r) return NULL;
    if (!gz_type_copy(&gz_type_robot, r, robot)) {
        graze_robot_free(r);
        return NULL;
    }
    for (int32_t i = 0; i < r->link_count; i++) r->links[i].user = robot->links[i].user;
    return r;
}

/// For NULL: a robot without anything.
static const graze_robot no_robot = {.root = -1, .default_margin = NAN};
static const graze_robot *given(const graze_robot *r) {
    return r ? r : &no_robot;
}

const char *graze_robot_name(const graze_robot *r) {
    return given(r)->name;
}
size_t graze_robot_warning_count(const graze_robot *r) {
    return given(r)->warnings.count;
}
graze_warning graze_robot_warning(const graze_robot *r, size_t i) {
    r = given(r);
    return i < r->warnings.count ? r->warnings.items[i] : (graze_warning){0};
}

static bool is_link(const graze_robot *r, int32_t link) {
    return link >= 0 && link < r->link_count;
}

size_t graze_robot_link_count(const graze_robot *r) {
    return (size_t)given(r)->link_count;
}
const char *graze_robot_link_name(const graze_robot *r, int32_t link) {
    r = given(r);
    return is_link(r, link) ? r->links[link].name : NULL;
}
graze_status graze_robot_set_link_user(graze_robot *r, int32_t link, void *user,
                                       graze_error *error) {
    if (!r || !is_link(r, link))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL, or has no link %d", (int)link);
    r->links[link].user = user;
    gz_error_clear(error);
    return GRAZE_OK;
}
void *graze_robot_link_user(const graze_robot *r, int32_t link) {
    r = given(r);
    return is_link(r, link) ? r->links[link].user : NULL;
}
int32_t graze_robot_find_link(const graze_robot *r, const char *name) {
    r = given(r);
    for (int32_t i = 0; name && i < r->link_count; i++)
        if (strcmp(r->links[i].name, name) == 0) return i;
    return -1;
}
int32_t graze_robot_root(const graze_robot *r) {
    return given(r)->root;
}
int32_t graze_robot_link_body(const graze_robot *r, int32_t link) {
    r = given(r);
    return is_link(r, link) ? r->links[link].body : -1;
}
size_t graze_robot_body_count(const graze_robot *r) {
    return (size_t)given(r)->body_count;
}

graze_status graze_robot_link_bounds_sized(const graze_robot *r, int32_t link,
                                           graze_link_bounds *bounds, size_t size) {
    r = given(r);
    if (!bounds || !is_link(r, link)) return GRAZE_ERROR_ARGUMENT;
    gz_fill(bounds, size, &r->links[link].local, sizeof *bounds);
    return GRAZE_OK;
}

size_t graze_robot_joint_count(const graze_robot *r) {
    return (size_t)given(r)->joint_count;
}
graze_status graze_robot_joint_sized(const graze_robot *r, int32_t joint, graze_joint_info *info,
                                     size_t size) {
    r = given(r);
    if (!info || joint < 0 || joint >= r->joint_count) return GRAZE_ERROR_ARGUMENT;
    gz_fill(info, size, &r->joints[joint].info, sizeof *info);
    return GRAZE_OK;
}
int32_t graze_robot_find_joint(const graze_robot *r, const char *name) {
    r = given(r);
    for (int32_t i = 0; name && i < r->joint_count; i++)
        if (strcmp(r->joints[i].info.name, name) == 0) return i;
    return -1;
}

size_t graze_robot_q_size(const graze_robot *r) {
    return given(r)->column_count;
}
const char *graze_robot_q_name(const graze_robot *r, size_t i) {
    r = given(r);
    return i < r->column_count ? r->column_names[i] : NULL;
}
int32_t graze_robot_q_joint(const graze_robot *r, size_t i) {
    r = given(r);
    return i < r->column_count ? r->column_joints[i] : -1;
}
int32_t graze_robot_find_q(const graze_robot *r, const char *name) {
    r = given(r);
    for (size_t i = 0; name && i < r->column_count; i++)
        if (strcmp(r->column_names[i], name) == 0) return (int32_t)i;
    return -1;
}

void graze_robot_rest(const graze_robot *r, double *q) {
    for (size_t i = 0; r && q && i < r->column_count; i++) {
        const graze_joint_info *j = &r->joints[r->column_joints[i]].info;
        q[i] = 0;
        if (j->limited && j->lower > 0) q[i] = j->lower;
        if (j->limited && j->upper < 0) q[i] = j->upper;
        if (j->type == GRAZE_JOINT_FLOATING && (int32_t)i == j->q_index + 6) q[i] = 1;
    }
}

static void show_geometry(const graze_robot *r, const gz_geometry *g, graze_geometry *geometry,
                          size_t size) {
    graze_geometry out = {.name = g->name,
                          .owner = g->link,
                          .element = g->element,
                          .shape = g->kind,
                          .origin = g->origin,
                          .frame = r->bodies[r->links[g->link].body].root_link,
                          .radius = g->radius,
                          .length = g->length,
                          .file = g->file,
                          .uri = g->uri,
                          .file_triangle_count = g->file_triangle_count,
                          .has_color = g->has_color,
                          .line = g->at.line,
                          .in_object = graze_transform_identity()};
    memcpy(out.size, g->size, sizeof out.size);
    memcpy(out.scale, g->scale, sizeof out.scale);
    memcpy(out.color, g->color, sizeof out.color);
    if (g->has_shape) gz_shape_show(&g->shape, &out);
    gz_fill(geometry, size, &out, sizeof out);
}

size_t graze_robot_collision_count(const graze_robot *r) {
    return given(r)->collision_count;
}
graze_status graze_robot_collision_sized(const graze_robot *r, size_t i, graze_geometry *out,
                                         size_t size) {
    r = given(r);
    if (!out || i >= r->collision_count) return GRAZE_ERROR_ARGUMENT;
    show_geometry(r, &r->collisions[i], out, size);
    return GRAZE_OK;
}
size_t graze_robot_visual_count(const graze_robot *r) {
    return given(r)->visual_count;
}
graze_status graze_robot_visual_sized(const graze_robot *r, size_t i, graze_geometry *out,
                                      size_t size) {
    r = given(r);
    if (!out || i >= r->visual_count) return GRAZE_ERROR_ARGUMENT;
    show_geometry(r, &r->visuals[i], out, size);
    return GRAZE_OK;
}

size_t graze_robot_pair_count(const graze_robot *r) {
    return given(r)->pair_count;
}
graze_status graze_robot_pair_sized(const graze_robot *r, size_t i, graze_pair *pair, size_t size) {
    r = given(r);
    if (!pair || i >= r->pair_count) return GRAZE_ERROR_ARGUMENT;
    const gz_pair *p = &r->pairs[i];
    graze_pair found = {
        .a = p->a, .b = p->b, .state = p->state, .reason = p->reason ? p->reason : ""};
    gz_fill(pair, size, &found, sizeof found);
    return GRAZE_OK;
}

size_t graze_robot_margin_count(const graze_robot *r) {
    return given(r)->margin_count;
}
graze_status graze_robot_margin_sized(const graze_robot *r, size_t i, graze_link_margin *margin,
                                      size_t size) {
    r = given(r);
    if (!margin || i >= r->margin_count) return GRAZE_ERROR_ARGUMENT;
    gz_fill(margin, size, &r->margins[i], sizeof *margin);
    return GRAZE_OK;
}
double graze_robot_default_margin(const graze_robot *r) {
    return given(r)->default_margin;
}

size_t graze_robot_group_count(const graze_robot *r) {
    return given(r)->group_count;
}
graze_status graze_robot_group_sized(const graze_robot *r, size_t i, graze_group *group,
                                     size_t size) {
    r = given(r);
    if (!group || i >= r->group_count) return GRAZE_ERROR_ARGUMENT;
    const gz_group *g = &r->groups[i];
    graze_group found = {.name = g->name,
                         .joints = g->joints,
                         .joint_count = g->joint_count,
                         .links = g->links,
                         .link_count = g->link_count};
    gz_fill(group, size, &found, sizeof found);
    return GRAZE_OK;
}

int32_t graze_robot_find_group(const graze_robot *r, const char *name) {
    for (size_t i = 0; r && name && i < r->group_count; i++)
        if (strcmp(r->groups[i].name, name) == 0) return (int32_t)i;
    return -1;
}

size_t graze_robot_group_columns(const graze_robot *r, size_t group, int32_t *columns,
                                 size_t capacity) {
    size_t count = 0;
    if (!r || group >= r->group_count) return 0;
    for (size_t i = 0; i < r->groups[group].joint_count; i++) {
        const graze_joint_info *info = &r->joints[r->groups[group].joints[i]].info;
        for (int32_t k = 0; k < info->q_count; k++, count++)
            if (columns && count < capacity) columns[count] = info->q_index + k;
    }
    return count;
}

size_t graze_robot_state_count(const graze_robot *r) {
    return given(r)->state_count;
}
graze_status graze_robot_state(const graze_robot *r, size_t i, const char **name,
                               const char **group) {
    r = given(r);
    if (i >= r->state_count) return GRAZE_ERROR_ARGUMENT;
    if (name) *name = r->states[i].name;
    if (group) *group = r->states[i].group;
    return GRAZE_OK;
}

int32_t graze_robot_find_state(const graze_robot *r, const char *group, const char *state) {
    for (size_t i = 0; r && state && i < r->state_count; i++)
        if (strcmp(r->states[i].name, state) == 0 &&
            (!group || !group[0] || strcmp(r->states[i].group, group) == 0))
            return (int32_t)i;
    return -1;
}

graze_status graze_robot_apply_state(const graze_robot *r, const char *group, const char *state,
                                     double *q, graze_error *error) {
    if (!r || !state || !q)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot, state or q is NULL");
    int32_t found = graze_robot_find_state(r, group, state);
    if (found >= 0) {
        const gz_state *s = &r->states[found];
        for (size_t k = 0; k < s->value_count; k++) q[s->values[k].column] = s->values[k].value;
        gz_error_clear(error);
        return GRAZE_OK;
    }
    char names[GRAZE_MESSAGE_SIZE / 2] = "";
    for (size_t i = 0; i < r->state_count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s/%s", used ? ", " : "", r->states[i].group,
                 r->states[i].name);
    }
    return gz_fail(error, GRAZE_ERROR_NOT_FOUND, "no group state '%s'%s%s; there are: %s", state,
                   group && group[0] ? " of group " : "", group ? group : "",
                   names[0] ? names : "none");
}

size_t graze_robot_end_effector_count(const graze_robot *r) {
    return given(r)->end_effector_count;
}
graze_status graze_robot_end_effector_sized(const graze_robot *r, size_t i, graze_end_effector *out,
                                            size_t size) {
    r = given(r);
    if (!out || i >= r->end_effector_count) return GRAZE_ERROR_ARGUMENT;
    gz_fill(out, size, &r->end_effectors[i], sizeof *out);
    return GRAZE_OK;
}

size_t graze_robot_virtual_joint_count(const graze_robot *r) {
    return given(r)->virtual_joint_count;
}
graze_status graze_robot_virtual_joint_sized(const graze_robot *r, size_t i,
                                             graze_virtual_joint *out, size_t size) {
    r = given(r);
    if (!out || i >= r->virtual_joint_count) return GRAZE_ERROR_ARGUMENT;
    gz_fill(out, size, &r->virtual_joints[i], sizeof *out);
    return GRAZE_OK;
}

// The points that a verdict is about, for anybody who wants to check one.

static bool is_curved(const graze_geometry *geometry) {
    return geometry->shape == GRAZE_SHAPE_SPHERE || geometry->shape == GRAZE_SHAPE_CYLINDER ||
           geometry->shape == GRAZE_SHAPE_CAPSULE;
}

size_t graze_geometry_point_count(const graze_geometry *geometry) {
    if (!geometry) return 0;
    return is_curved(geometry) ? 2 : geometry->vertex_count;
}

GZ_OUT_OF_LINE static void snap_all(const double pose[12], const double *in, size_t count,
                                    double *out) {
    for (size_t i = 0; i < count; i++) gz_snap(pose, in + 3 * i, out + 3 * i);
}

void graze_geometry_snap(const graze_geometry *geometry, const graze_transform *pose,
                         double *points) {
    GZ_FLOAT_ENVIRONMENT;
    if (!geometry || !pose || !points) return;
    const double *in = is_curved(geometry) ? geometry->ends[0] : geometry->vertices;
    snap_all(pose->m, in, graze_geometry_point_count(geometry), points);
}
