#include "robot/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "robot/name_table.h"
#include "robot/robot.h"

/// A geometry waiting for its link's body to be known.
typedef struct pending_geometry {
    gz_geometry geometry;
    gz_soup *soup;
    bool visual;
} pending_geometry;

typedef struct pending_member {
    enum { MEMBER_JOINT, MEMBER_LINK, MEMBER_CHAIN, MEMBER_SUBGROUP } kind;
    int32_t group, a, b;
    char *name;
    char *file, *element; ///< for the error of an unknown subgroup or a broken chain
    int32_t line, column;
} pending_member;

typedef struct pending_value {
    int32_t state, joint;
    double value[7];
    size_t count;
    char *file, *element;
    int32_t line, column;
} pending_value;

struct gz_builder {
    graze_robot *robot;
    gz_name_table link_names, joint_names;
    pending_geometry *geometries;
    gz_pair_rule *rules;
    pending_member *members;
    pending_value *values;
    size_t geometry_count, geometry_capacity, rule_count, rule_capacity;
    size_t member_count, member_capacity, value_count, value_capacity;
    size_t link_capacity, joint_capacity, group_capacity, state_capacity;
    size_t end_effector_capacity, virtual_joint_capacity;
};

gz_builder *gz_builder_create(const char *name, const char *file) {
    gz_builder *b = gz_calloc(1, sizeof *b);
    if (!b) return NULL;
    b->robot = gz_calloc(1, sizeof *b->robot);
    if (b->robot) {
        b->robot->name = gz_string_copy(name ? name : "");
        b->robot->file = gz_string_copy(file ? file : "");
    }
    if (!b->robot || !b->robot->name || !b->robot->file) {
        gz_builder_free(b);
        return NULL;
    }
    return b;
}

static void free_place(char *file, char *element) {
    gz_free(file);
    gz_free(element);
}

static void geometry_clear(gz_geometry *g) {
    gz_free(g->name);
    gz_free(g->file);
    gz_free(g->uri);
    if (g->has_shape) gz_shape_clear(&g->shape);
}

void gz_builder_free(gz_builder *b) {
    if (!b) return;
    for (size_t i = 0; i < b->geometry_count; i++) {
        geometry_clear(&b->geometries[i].geometry);
        gz_soup_free(b->geometries[i].soup);
    }
    for (size_t i = 0; i < b->rule_count; i++) gz_free(b->rules[i].reason);
    for (size_t i = 0; i < b->member_count; i++) {
        gz_free(b->members[i].name);
        free_place(b->members[i].file, b->members[i].element);
    }
    for (size_t i = 0; i < b->value_count; i++) free_place(b->values[i].file, b->values[i].element);
    gz_free(b->geometries);
    gz_free(b->rules);
    gz_free(b->members);
    gz_free(b->values);
    gz_name_table_free(&b->link_names);
    gz_name_table_free(&b->joint_names);
    graze_robot_free(b->robot);
    gz_free(b);
}

gz_warnings *gz_builder_warnings(gz_builder *b) {
    return &b->robot->warnings;
}
const char *gz_builder_name(const gz_builder *b) {
    return b->robot->name;
}
int32_t gz_builder_link_count(const gz_builder *b) {
    return b->robot->link_count;
}
int32_t gz_builder_joint_count(const gz_builder *b) {
    return b->robot->joint_count;
}
const char *gz_builder_link_name(const gz_builder *b, int32_t link) {
    return b->robot->links[link].name;
}
const char *gz_builder_joint_name(const gz_builder *b, int32_t joint) {
    return b->robot->joints[joint].info.name;
}
int32_t gz_builder_find_link(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->link_names, name);
}
int32_t gz_builder_find_joint(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->joint_names, name);
}

graze_status gz_builder_add_link(gz_builder *b, const char *name, gz_line at, int32_t *link,
                                 graze_error *error) {
    graze_robot *r = b->robot;
    int32_t same = gz_builder_find_link(b, name);
    if (same >= 0)
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, gz_robot_place(r, at, NULL),
                          "link name '%s' is in use (line %d); allowed: each name once", name,
                          r->links[same].at.line);
    if (!gz_array_reserve((void **)&r->links, &b->link_capacity, (size_t)r->link_count + 1,
                          sizeof *r->links))
        return gz_fail_memory(error);
    gz_link *l = &r->links[r->link_count];
    *l = (gz_link){.name = gz_string_copy(name), .at = at, .parent_joint = -1, .body = -1};
    if (!l->name) return gz_fail_memory(error);
    *link = r->link_count++;
    return gz_name_table_add(&b->link_names, l->name, *link) ? GRAZE_OK : gz_fail_memory(error);
}

static void joint_clear(gz_joint *j) {
    gz_free((void *)(uintptr_t)j->info.name);
    gz_free(j->parent_name);
    gz_free(j->child_name);
    gz_free(j->mimic_name);
}

graze_status gz_builder_add_joint(gz_builder *b, const gz_joint_input *in, graze_error *error) {
    graze_robot *r = b->robot;
    int32_t same = gz_builder_find_joint(b, in->name);
    if (same >= 0)
        return gz_fail_at(error, GRAZE_ERROR_SCHEMA, gz_robot_place(r, in->at, NULL),
                          "joint name '%s' is in use (line %d); allowed: each name once", in->name,
                          r->joints[same].at.line);
    if (!gz_array_reserve((void **)&r->joints, &b->joint_capacity, (size_t)r->joint_count + 1,
                          sizeof *r->joints))
        return gz_fail_memory(error);
    bool limited = in->type == GRAZE_JOINT_REVOLUTE || in->type == GRAZE_JOINT_PRISMATIC;
    gz_joint j = {
        .info = {.name = gz_string_copy(in->name),
                 .type = in->type,
                 .parent = -1,
                 .child = -1,
                 .origin = in->origin,
                 .axis = in->axis,
                 .q_index = -1,
                 .limited = limited,
                 .lower = limited ? in->lower : -INFINITY,
                 .upper = limited ? in->upper : INFINITY,
                 .has_effort = in->has_effort,
                 .has_velocity = in->has_velocity,
                 .has_acceleration = in->has_acceleration,
                 .has_deceleration = in->has_deceleration,
                 .has_jerk = in->has_jerk,
                 .effort = in->effort,
                 .velocity = in->velocity,
                 .acceleration = in->acceleration,
                 .deceleration = in->deceleration,
                 .jerk = in->jerk,
                 .mimic = -1,
                 .multiplier = in->mimic ? in->multiplier : 1,
                 .offset = in->mimic ? in->offset : 0},
        .at = in->at,
        .parent_at = in->parent_at,
        .child_at = in->child_at,
        .limit_at = in->limit_at,
        .mimic_at = in->mimic_at,
        .parent_name = gz_string_copy(in->parent),
        .child_name = gz_string_copy(in->child),
        .mimic_name = gz_string_copy(in->mimic),
        .column = -1,
    };
    if (!j.info.name || !j.parent_name || !j.child_name || (in->mimic && !j.mimic_name) ||
        !gz_name_table_add(&b->joint_names, j.info.name, r->joint_count)) {
        joint_clear(&j);
        return gz_fail_memory(error);
    }
    r->joints[r->joint_count++] = j;
    return GRAZE_OK;
}

graze_status gz_builder_add_geometry(gz_builder *b, const gz_geometry_input *in,
                                     graze_error *error) {
    graze_status status = GRAZE_OK;
    if (in->shape != GRAZE_SHAPE_MESH)
        status = gz_shape_check(in->shape, in->size, in->radius, in->length, error);
    gz_geometry g = {.name = gz_string_copy(in->name ? in->name : ""),
                     .link = in->link,
                     .kind = in->shape,
                     .origin = in->origin,
                     .radius = in->radius,
                     .length = in->length,
                     .file = gz_string_copy(in->file),
                     .uri = gz_string_copy(in->uri),
                     .has_color = in->has_color,
                     .at = in->at};
    memcpy(g.size, in->size, sizeof g.size);
    memcpy(g.scale, in->scale, sizeof g.scale);
    memcpy(g.color, in->color, sizeof g.color);
    if (in->soup) g.file_triangle_count = in->soup->triangle_count;
    if (status == GRAZE_OK && (!g.name || (in->file && !g.file) || (in->uri && !g.uri) ||
                               !gz_array_reserve((void **)&b->geometries, &b->geometry_capacity,
                                                 b->geometry_count + 1, sizeof *b->geometries)))
        status = gz_fail_memory(error);
    if (status) {
        geometry_clear(&g);
        gz_soup_free(in->soup);
        if (error) gz_error_locate(error, gz_robot_place(b->robot, in->at, NULL));
        return status;
    }
    b->geometries[b->geometry_count++] = (pending_geometry){
        .geometry = g, .soup = in->soup, .visual = in->visual};
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------ the SRDF

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

graze_status gz_builder_virtual_joint(gz_builder *b, const char *name, const char *type,
                                      const char *parent_frame, int32_t child) {
    graze_robot *r = b->robot;
    if (!gz_array_reserve((void **)&r->virtual_joints, &b->virtual_joint_capacity,
                          r->virtual_joint_count + 1, sizeof *r->virtual_joints))
        return GRAZE_ERROR_NO_MEMORY;
    graze_virtual_joint *v = &r->virtual_joints[r->virtual_joint_count++];
    *v = (graze_virtual_joint){.name = gz_string_copy(name),
                               .type = gz_string_copy(type),
                               .parent_frame = gz_string_copy(parent_frame ? parent_frame : ""),
                               .child = child};
    return v->name && v->type && v->parent_frame ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY;
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
    return GRAZE_OK;
}

int32_t gz_builder_find_group(const gz_builder *b, const char *name) {
    for (size_t i = 0; i < b->robot->group_count; i++)
        if (strcmp(b->robot->groups[i].name, name) == 0) return (int32_t)i;
    return -1;
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

// ----------------------------------------------------------------------------------- finishing

/// The bytes that a group's members leave marks in.
typedef struct group_marks {
    uint8_t *joints, *links;
    uint8_t *groups; ///< 1 while a group is being marked, 2 once it is done
} group_marks;

/// Marks a chain from its tip up to its base; a base that is not above the tip is a warning, as in
/// MoveIt: such groups are found in the wild, and no verdict depends on them.
static void mark_chain(const gz_builder *b, const pending_member *m, gz_place place,
                       group_marks marks) {
    const graze_robot *r = b->robot;
    int32_t top = m->b;
    while (top != m->a && r->links[top].parent_joint >= 0)
        top = r->joints[r->links[top].parent_joint].info.parent;
    if (top != m->a) {
        gz_warn(&b->robot->warnings, "srdf-no-chain", place,
                "there is no chain from '%s' down to '%s': left out", r->links[m->a].name,
                r->links[m->b].name);
        return;
    }
    for (int32_t link = m->b;; link = r->joints[r->links[link].parent_joint].info.parent) {
        marks.links[link] = 1;
        if (link == m->a) return;
        marks.joints[r->links[link].parent_joint] = 1;
    }
}

/// Marks the members of a group; each subgroup once, however often it is named.
static graze_status mark_group(const gz_builder *b, int32_t group, int depth, group_marks marks,
                               graze_error *error) {
    const graze_robot *r = b->robot;
    marks.groups[group] = 1;
    for (size_t i = 0; i < b->member_count; i++) {
        const pending_member *m = &b->members[i];
        if (m->group != group) continue;
        gz_place place = {m->file, m->element, m->line, m->column};
        if (m->kind == MEMBER_JOINT) marks.joints[m->a] = 1;
        if (m->kind == MEMBER_LINK) {
            marks.links[m->a] = 1;
            if (r->links[m->a].parent_joint >= 0) marks.joints[r->links[m->a].parent_joint] = 1;
        }
        if (m->kind == MEMBER_CHAIN) mark_chain(b, m, place, marks);
        if (m->kind == MEMBER_SUBGROUP) {
            int32_t sub = gz_builder_find_group(b, m->name);
            if (sub < 0) {
                gz_warn(&b->robot->warnings, "srdf-unknown-group", place,
                        "subgroup '%s' is not a group of this file; left out", m->name);
                continue;
            }
            if (marks.groups[sub] == 1)
                return gz_fail_at(error, GRAZE_ERROR_SCHEMA, place,
                                  "group '%s' contains itself; allowed: groups without a cycle",
                                  m->name);
            if (depth > 32)
                return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                                  "groups are nested deeper than 32; allowed: at most 32");
            graze_status status = marks.groups[sub] ? GRAZE_OK
                                                    : mark_group(b, sub, depth + 1, marks, error);
            if (status) return status;
        }
    }
    marks.groups[group] = 2;
    return GRAZE_OK;
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

static graze_status resolve_groups(gz_builder *b, graze_error *error) {
    graze_robot *r = b->robot;
    for (size_t g = 0; g < r->group_count; g++) {
        uint8_t *joints = gz_calloc((size_t)r->joint_count, 1);
        uint8_t *links = gz_calloc((size_t)r->link_count, 1);
        uint8_t *groups = gz_calloc(r->group_count, 1);
        graze_status status = GRAZE_ERROR_NO_MEMORY;
        if (joints && links && groups)
            status = mark_group(b, (int32_t)g, 0, (group_marks){joints, links, groups}, error);
        gz_group *group = &r->groups[g];
        // The links of a group: those named, and the children of its joints.
        for (int32_t j = 0; status == GRAZE_OK && j < r->joint_count; j++)
            if (joints[j]) links[r->joints[j].info.child] = 1;
        if (status == GRAZE_OK &&
            (!list_marked(joints, r->joint_count, &group->joints, &group->joint_count) ||
             !list_marked(links, r->link_count, &group->links, &group->link_count)))
            status = GRAZE_ERROR_NO_MEMORY;
        gz_free(joints);
        gz_free(links);
        gz_free(groups);
        if (status == GRAZE_ERROR_NO_MEMORY) return gz_fail_memory(error);
        if (status) return status;
    }
    return GRAZE_OK;
}

static graze_status resolve_states(gz_builder *b, graze_error *error) {
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

/// Moves the geometries of one kind into the robot, sorted by link, then file order.
static bool sort_geometries(gz_builder *b, bool visual, gz_geometry **out, size_t *out_count,
                            gz_soup ***soups) {
    size_t n = 0, *next = gz_calloc((size_t)b->robot->link_count + 1, sizeof *next);
    for (size_t i = 0; i < b->geometry_count; i++) n += b->geometries[i].visual == visual;
    *out = gz_calloc(n, sizeof **out);
    *soups = gz_calloc(n, sizeof **soups);
    if (!next || !*out || !*soups) {
        gz_free(next);
        return false;
    }
    for (size_t i = 0; i < b->geometry_count; i++)
        if (b->geometries[i].visual == visual) next[b->geometries[i].geometry.link + 1]++;
    for (int32_t l = 0; l < b->robot->link_count; l++) next[l + 1] += next[l];
    for (size_t i = 0; i < b->geometry_count; i++) {
        pending_geometry *p = &b->geometries[i];
        if (p->visual != visual) continue;
        size_t at = next[p->geometry.link]++;
        (*out)[at] = p->geometry;
        (*soups)[at] = p->soup;
        p->soup = NULL;
        p->geometry = (gz_geometry){0};
        bool first = at == 0 || (*out)[at - 1].link != (*out)[at].link;
        (*out)[at].element = first ? 0 : (*out)[at - 1].element + 1;
    }
    *out_count = n;
    gz_free(next);
    return true;
}

static graze_status shape_geometry(const graze_robot *r, gz_geometry *g, const gz_soup *soup,
                                   graze_error *error) {
    graze_transform place;
    gz_transform_compose(r->links[g->link].in_body.m, g->origin.m, place.m);
    graze_status status = GRAZE_OK;
    if (g->kind != GRAZE_SHAPE_MESH) {
        status = gz_shape_primitive(&g->shape, g->kind, g->size, g->radius, g->length, &place,
                                    error);
    } else if (soup) {
        graze_mesh *mesh;
        status = gz_mesh_build(&mesh, soup, &place, false, error);
        if (status == GRAZE_OK) gz_shape_mesh(&g->shape, mesh);
    } else {
        return GRAZE_OK;
    }
    if (status) {
        char element[512];
        snprintf(element, sizeof element, "/robot/link[@name='%s']", r->links[g->link].name);
        gz_error_locate(error, (gz_place){g->file, element, 0, 0});
        return status;
    }
    g->has_shape = true;
    return GRAZE_OK;
}

static graze_status shape_geometries(gz_builder *b, bool visual, graze_error *error) {
    graze_robot *r = b->robot;
    gz_soup **soups = NULL;
    gz_geometry **list = visual ? &r->visuals : &r->collisions;
    size_t *count = visual ? &r->visual_count : &r->collision_count;
    if (!sort_geometries(b, visual, list, count, &soups)) {
        gz_free(soups);
        return gz_fail_memory(error);
    }
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < *count; i++) {
        if (status == GRAZE_OK) status = shape_geometry(r, &(*list)[i], soups[i], error);
        gz_soup_free(soups[i]);
    }
    gz_free(soups);
    return status;
}

graze_status gz_builder_finish(gz_builder *b, graze_robot **out, graze_error *error) {
    *out = NULL;
    graze_robot *r = b->robot;
    graze_status status = gz_robot_connect(r, error);
    if (status == GRAZE_OK) status = gz_robot_fold(r, error);
    if (status == GRAZE_OK) status = shape_geometries(b, false, error);
    if (status == GRAZE_OK) status = shape_geometries(b, true, error);
    if (status == GRAZE_OK) status = resolve_groups(b, error);
    if (status == GRAZE_OK) status = resolve_states(b, error);
    if (status == GRAZE_OK) status = gz_robot_pair_up(r, b->rules, b->rule_count, error);
    if (status == GRAZE_OK && r->warnings.out_of_memory) status = gz_fail_memory(error);
    if (status == GRAZE_OK) {
        *out = r;
        b->robot = NULL;
        gz_error_clear(error);
    }
    gz_builder_free(b);
    return status;
}

void graze_robot_free(graze_robot *r) {
    if (!r) return;
    for (int32_t i = 0; i < r->link_count; i++) gz_free(r->links[i].name);
    for (int32_t i = 0; i < r->joint_count; i++) joint_clear(&r->joints[i]);
    for (size_t i = 0; i < r->collision_count; i++) geometry_clear(&r->collisions[i]);
    for (size_t i = 0; i < r->visual_count; i++) geometry_clear(&r->visuals[i]);
    for (size_t i = 0; i < r->pair_count; i++) gz_free(r->pairs[i].reason);
    for (size_t i = 0; i < r->column_count; i++) gz_free(r->column_names[i]);
    for (size_t i = 0; i < r->group_count; i++) {
        gz_free(r->groups[i].name);
        gz_free(r->groups[i].joints);
        gz_free(r->groups[i].links);
    }
    for (size_t i = 0; i < r->state_count; i++) {
        gz_free(r->states[i].name);
        gz_free(r->states[i].group);
        gz_free(r->states[i].values);
    }
    for (size_t i = 0; i < r->end_effector_count; i++) {
        gz_free((void *)(uintptr_t)r->end_effectors[i].name);
        gz_free((void *)(uintptr_t)r->end_effectors[i].group);
        gz_free((void *)(uintptr_t)r->end_effectors[i].parent_group);
    }
    for (size_t i = 0; i < r->virtual_joint_count; i++) {
        gz_free((void *)(uintptr_t)r->virtual_joints[i].name);
        gz_free((void *)(uintptr_t)r->virtual_joints[i].type);
        gz_free((void *)(uintptr_t)r->virtual_joints[i].parent_frame);
    }
    void *arrays[] = {r->links,         r->joints,         r->bodies,  r->column_names, r->pairs,
                      r->column_joints, r->collisions,     r->visuals, r->groups,       r->states,
                      r->end_effectors, r->virtual_joints, r->name,    r->file};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) gz_free(arrays[i]);
    gz_warnings_free(&r->warnings);
    gz_free(r);
}
