#include "robot/robot_copy.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/// A copy of `count` elements with room for `more`; NULL when out of memory.
static void *copy_array(const void *from, size_t count, size_t more, size_t size) {
    void *out = gz_calloc(count + more, size);
    if (out && count) memcpy(out, from, count * size);
    return out;
}

/// Replaces a string that was copied as a pointer by one of its own; true unless out of memory.
static bool own(char **text) {
    if (!*text) return true;
    *text = gz_string_copy(*text);
    return *text != NULL;
}

static bool own_const(const char **text) {
    char *copy = (char *)(uintptr_t)*text;
    bool ok = own(&copy);
    *text = copy;
    return ok;
}

// Each list grows element by element, so that what has been copied can be freed at any time.

static bool copy_links(graze_robot *out, const graze_robot *r) {
    out->links = gz_calloc((size_t)r->link_count + 1, sizeof *out->links);
    for (int32_t i = 0; out->links && i < r->link_count; i++) {
        gz_link *l = &out->links[out->link_count++];
        *l = r->links[i];
        l->body = -1;
        if (!own(&l->name)) return false;
    }
    return out->links != NULL;
}

static bool copy_joints(graze_robot *out, const graze_robot *r) {
    out->joints = gz_calloc((size_t)r->joint_count + 1, sizeof *out->joints);
    for (int32_t i = 0; out->joints && i < r->joint_count; i++) {
        gz_joint *j = &out->joints[out->joint_count++];
        *j = r->joints[i];
        // All four are replaced, whatever fails: none may be freed for the original.
        bool name = own_const(&j->info.name), parent = own(&j->parent_name);
        bool child = own(&j->child_name), mimic = own(&j->mimic_name);
        if (!name || !parent || !child || !mimic) return false;
    }
    return out->joints != NULL;
}

static bool copy_columns(graze_robot *out, const graze_robot *r) {
    out->column_names = gz_calloc(r->column_count, sizeof *out->column_names);
    out->column_joints = copy_array(r->column_joints, r->column_count, 0,
                                    sizeof *out->column_joints);
    if (!out->column_names || !out->column_joints) return false;
    for (size_t i = 0; i < r->column_count; i++) {
        char **name = &out->column_names[out->column_count++];
        *name = gz_string_copy(r->column_names[i]);
        if (!*name) return false;
    }
    return true;
}

static bool copy_geometries(gz_geometry **out, size_t *out_count, const gz_geometry *from,
                            size_t count) {
    *out = gz_calloc(count + 1, sizeof **out);
    for (size_t i = 0; *out && i < count; i++) {
        gz_geometry *g = &(*out)[(*out_count)++];
        *g = from[i];
        bool name = own(&g->name), file = own(&g->file), uri = own(&g->uri);
        if (g->has_shape && g->shape.mesh) gz_mesh_hold(g->shape.mesh);
        if (!name || !file || !uri) return false;
    }
    return *out != NULL;
}

static bool copy_groups(graze_robot *out, const graze_robot *r) {
    out->groups = gz_calloc(r->group_count, sizeof *out->groups);
    for (size_t i = 0; out->groups && i < r->group_count; i++) {
        const gz_group *from = &r->groups[i];
        gz_group *g = &out->groups[out->group_count++];
        *g = (gz_group){.name = gz_string_copy(from->name),
                        .joints = copy_array(from->joints, from->joint_count, 0, sizeof *g->joints),
                        .links = copy_array(from->links, from->link_count, 0, sizeof *g->links),
                        .joint_count = from->joint_count,
                        .link_count = from->link_count};
        if (!g->name || !g->joints || !g->links) return false;
    }
    return out->groups != NULL;
}

static bool copy_states(graze_robot *out, const graze_robot *r) {
    out->states = gz_calloc(r->state_count, sizeof *out->states);
    for (size_t i = 0; out->states && i < r->state_count; i++) {
        const gz_state *from = &r->states[i];
        gz_state *s = &out->states[out->state_count++];
        *s = (gz_state){.name = gz_string_copy(from->name),
                        .group = gz_string_copy(from->group),
                        .values = copy_array(from->values, from->value_count, 0, sizeof *s->values),
                        .value_count = from->value_count};
        if (!s->name || !s->group || !s->values) return false;
    }
    return out->states != NULL;
}

static bool copy_ends(graze_robot *out, const graze_robot *r) {
    out->end_effectors = gz_calloc(r->end_effector_count, sizeof *out->end_effectors);
    out->virtual_joints = gz_calloc(r->virtual_joint_count, sizeof *out->virtual_joints);
    if (!out->end_effectors || !out->virtual_joints) return false;
    for (size_t i = 0; i < r->end_effector_count; i++) {
        graze_end_effector *e = &out->end_effectors[out->end_effector_count++];
        *e = r->end_effectors[i];
        bool name = own_const(&e->name), group = own_const(&e->group);
        bool parent = own_const(&e->parent_group);
        if (!name || !group || !parent) return false;
    }
    for (size_t i = 0; i < r->virtual_joint_count; i++) {
        graze_virtual_joint *v = &out->virtual_joints[out->virtual_joint_count++];
        *v = r->virtual_joints[i];
        bool name = own_const(&v->name), type = own_const(&v->type);
        bool frame = own_const(&v->parent_frame);
        if (!name || !type || !frame) return false;
    }
    return true;
}

static bool copy_rest(graze_robot *out, const graze_robot *r) {
    out->root = r->root;
    out->default_margin = r->default_margin;
    out->name = gz_string_copy(r->name);
    out->file = gz_string_copy(r->file);
    out->margins = copy_array(r->margins, r->margin_count, 0, sizeof *out->margins);
    out->margin_count = r->margin_count;
    gz_warnings_copy(&out->warnings, &r->warnings);
    return out->name && out->file && out->margins && !out->warnings.out_of_memory;
}

graze_robot *gz_robot_copy(const graze_robot *r, size_t pair_room) {
    graze_robot *out = gz_calloc(1, sizeof *out);
    if (!out) return NULL;
    bool ok = copy_rest(out, r) && copy_links(out, r) && copy_joints(out, r) &&
              copy_columns(out, r) && copy_groups(out, r) && copy_states(out, r) &&
              copy_ends(out, r) &&
              copy_geometries(&out->collisions, &out->collision_count, r->collisions,
                              r->collision_count) &&
              copy_geometries(&out->visuals, &out->visual_count, r->visuals, r->visual_count);
    out->pairs = gz_calloc(pair_room, sizeof *out->pairs);
    if (ok && out->pairs) return out;
    graze_robot_free(out);
    return NULL;
}

bool gz_robot_copy_pair(graze_robot *robot, const gz_pair *pair) {
    gz_pair *p = &robot->pairs[robot->pair_count++];
    *p = *pair;
    return own(&p->reason);
}

graze_status gz_robot_copy_finish(graze_robot *robot, graze_error *error) {
    graze_status status = gz_robot_fold(robot, error);
    if (status == GRAZE_OK && !gz_robot_analyse(robot)) status = gz_fail_memory(error);
    return status;
}
