// What has the loader said so far? Links, joints and geometries, as read.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "robot/builder.h"
#include "robot/builder_internal.h"
#include "robot/robot.h"

gz_builder *gz_builder_create(const char *name, const char *file) {
    gz_builder *b = gz_calloc(1, sizeof *b);
    if (!b) return NULL;
    b->robot = gz_calloc(1, sizeof *b->robot);
    if (b->robot) {
        b->robot->default_margin = NAN;
        b->robot->name = gz_string_copy(name ? name : "");
        b->robot->file = gz_string_copy(file ? file : "");
    }
    if (!b->robot || !b->robot->name || !b->robot->file) {
        gz_builder_free(b);
        return NULL;
    }
    return b;
}

void gz_builder_free(gz_builder *b) {
    if (!b) return;
    for (size_t i = 0; i < b->geometry_count; i++) {
        gz_type_clear(&gz_type_geometry, &b->geometries[i].geometry);
        gz_soup_free(b->geometries[i].soup);
        graze_mesh_free(b->geometries[i].mesh);
    }
    for (size_t i = 0; i < b->string_count; i++) gz_free(b->strings[i]);
    gz_free(b->strings);
    gz_free(b->geometries);
    gz_free(b->rules);
    gz_free(b->members);
    gz_free(b->values);
    gz_free(b->margins);
    gz_name_table_free(&b->link_names);
    gz_name_table_free(&b->joint_names);
    gz_name_table_free(&b->group_names);
    graze_robot_free(b->robot);
    gz_free(b);
}

gz_warnings *gz_builder_warnings(gz_builder *b) {
    return &b->robot->warnings;
}
const graze_robot *gz_builder_robot(const gz_builder *b) {
    return b->robot;
}
int32_t gz_builder_find_link(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->link_names, name);
}
int32_t gz_builder_find_joint(const gz_builder *b, const char *name) {
    return gz_name_table_find(&b->joint_names, name);
}

/// A name that is in use; `line` is that of its owner, 0 where there is no file.
static graze_status fail_twice(const graze_robot *r, const char *what, const char *name, gz_line at,
                               int32_t line, graze_error *error) {
    char where[32] = "";
    if (line) snprintf(where, sizeof where, " (line %d)", (int)line);
    return gz_fail_at(error, GRAZE_ERROR_SCHEMA, gz_robot_place(r, at, NULL),
                      "%s name '%s' is in use%s; allowed: each name once", what, name, where);
}

graze_status gz_builder_add_link(gz_builder *b, const char *name, gz_line at, int32_t *link,
                                 graze_error *error) {
    graze_robot *r = b->robot;
    int32_t same = gz_builder_find_link(b, name);
    if (same >= 0) return fail_twice(r, "link", name, at, r->links[same].at.line, error);
    if (!gz_array_reserve((void **)&r->links, &b->link_capacity, (size_t)r->link_count + 1,
                          sizeof *r->links))
        return gz_fail_memory(error);
    gz_link *l = &r->links[r->link_count];
    *l = (gz_link){.name = gz_string_copy(name), .at = at, .parent_joint = -1, .body = -1};
    if (!l->name) return gz_fail_memory(error);
    *link = r->link_count++;
    return gz_name_table_add(&b->link_names, l->name, *link) ? GRAZE_OK : gz_fail_memory(error);
}

graze_status gz_builder_add_joint(gz_builder *b, const gz_joint_input *in, graze_error *error) {
    graze_robot *r = b->robot;
    int32_t same = gz_builder_find_joint(b, in->name);
    if (same >= 0) return fail_twice(r, "joint", in->name, in->at, r->joints[same].at.line, error);
    if (!gz_array_reserve((void **)&r->joints, &b->joint_capacity, (size_t)r->joint_count + 1,
                          sizeof *r->joints))
        return gz_fail_memory(error);
    bool limited = in->type == GRAZE_JOINT_REVOLUTE || in->type == GRAZE_JOINT_PRISMATIC;
    const gz_joint j = {
        .info = {.name = in->name,
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
        .parent_name = (char *)(uintptr_t)in->parent,
        .child_name = (char *)(uintptr_t)in->child,
        .mimic_name = (char *)(uintptr_t)in->mimic,
        .column = -1,
    };
    gz_joint *own = &r->joints[r->joint_count++];
    bool ok = gz_type_copy(&gz_type_joint, own, &j) &&
              gz_name_table_add(&b->joint_names, own->info.name, r->joint_count - 1);
    return ok ? GRAZE_OK : gz_fail_memory(error);
}

graze_status gz_builder_add_geometry(gz_builder *b, const gz_geometry_input *in,
                                     graze_error *error) {
    graze_status status = GRAZE_OK;
    if (in->shape != GRAZE_SHAPE_MESH)
        status = gz_shape_check(in->shape, in->size, in->radius, in->length, error);
    gz_geometry own, g = {.name = (char *)(uintptr_t)(in->name ? in->name : ""),
                          .link = in->link,
                          .kind = in->shape,
                          .origin = in->origin,
                          .radius = in->radius,
                          .length = in->length,
                          .file = (char *)(uintptr_t)in->file,
                          .uri = (char *)(uintptr_t)in->uri,
                          .has_color = in->has_color,
                          .at = in->at};
    memcpy(g.size, in->size, sizeof g.size);
    memcpy(g.scale, in->scale, sizeof g.scale);
    memcpy(g.color, in->color, sizeof g.color);
    if (in->soup) g.file_triangle_count = in->soup->triangle_count;
    if (in->mesh) g.file_triangle_count = in->mesh->triangle_count;
    bool copied = gz_type_copy(&gz_type_geometry, &own, &g) &&
                  gz_array_reserve((void **)&b->geometries, &b->geometry_capacity,
                                   b->geometry_count + 1, sizeof *b->geometries);
    if (status == GRAZE_OK && !copied) status = gz_fail_memory(error);
    if (status) {
        gz_type_clear(&gz_type_geometry, &own);
        gz_soup_free(in->soup);
        gz_error_locate(error, gz_robot_place(b->robot, in->at, NULL));
        return status;
    }
    b->geometries[b->geometry_count++] = (pending_geometry){
        .geometry = own,
        .soup = in->soup,
        .mesh = in->mesh ? gz_mesh_hold(in->mesh) : NULL,
        .visual = in->visual};
    return GRAZE_OK;
}

// Is what was said a robot? The steps from a filled builder to the immutable robot.

static graze_status shape_geometry(const graze_robot *r, gz_geometry *g, gz_soup *soup,
                                   const graze_mesh *given, graze_error *error) {
    graze_transform place;
    gz_transform_compose(r->links[g->link].in_body.m, g->origin.m, place.m);
    graze_status status = GRAZE_OK;
    if (g->kind != GRAZE_SHAPE_MESH) {
        status = gz_shape_primitive(&g->shape, g->kind, g->size, g->radius, g->length, &place,
                                    error);
    } else if (soup || given) {
        graze_mesh *mesh;
        status = given ? gz_mesh_share_at(&mesh, given, &place, GZ_MESH_LINK, error)
                       : gz_mesh_build_of(&mesh, soup, &place, GZ_MESH_LINK, error);
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

/// Moves the geometries of one kind into the robot, sorted by link, then file order, and makes
/// their shapes.
static graze_status shape_geometries(gz_builder *b, bool visual, graze_error *error) {
    graze_robot *r = b->robot;
    gz_geometry **list = visual ? &r->visuals : &r->collisions;
    size_t *count = visual ? &r->visual_count : &r->collision_count, n = 0;
    size_t *next = gz_calloc((size_t)r->link_count + 1, sizeof *next); // of each link
    for (size_t i = 0; i < b->geometry_count; i++) n += b->geometries[i].visual == visual;
    pending_geometry **sorted = gz_malloc(n, sizeof *sorted);
    *list = gz_calloc(n, sizeof **list);
    bool ok = next && sorted && *list;
    for (size_t i = 0; ok && i < b->geometry_count; i++)
        if (b->geometries[i].visual == visual) next[b->geometries[i].geometry.link + 1]++;
    for (int32_t l = 0; ok && l < r->link_count; l++) next[l + 1] += next[l];
    for (size_t i = 0; ok && i < b->geometry_count; i++)
        if (b->geometries[i].visual == visual)
            sorted[next[b->geometries[i].geometry.link]++] = &b->geometries[i];
    graze_status status = ok ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; status == GRAZE_OK && i < n; i++) {
        gz_geometry *g = &(*list)[(*count)++];
        *g = sorted[i]->geometry;
        g->element = i && g[-1].link == g->link ? g[-1].element + 1 : 0;
        sorted[i]->geometry = (gz_geometry){0};
        status = shape_geometry(r, g, sorted[i]->soup, sorted[i]->mesh, error);
        gz_soup_free(sorted[i]->soup);
        graze_mesh_free(sorted[i]->mesh);
        sorted[i]->soup = NULL;
        sorted[i]->mesh = NULL;
    }
    gz_free(next);
    gz_free(sorted);
    return status;
}

graze_status gz_builder_finish(gz_builder *b, graze_robot **out, graze_error *error) {
    *out = NULL;
    graze_robot *r = b->robot;
    graze_status status = gz_robot_connect(r, error);
    if (status == GRAZE_OK) status = gz_robot_fold(r, error);
    if (status == GRAZE_OK) status = shape_geometries(b, false, error);
    if (status == GRAZE_OK) status = shape_geometries(b, true, error);
    if (status == GRAZE_OK) gz_builder_check_virtual_joints(b);
    if (status == GRAZE_OK) status = gz_builder_resolve_groups(b, error);
    if (status == GRAZE_OK) status = gz_builder_resolve_states(b, error);
    if (status == GRAZE_OK) status = gz_builder_resolve_margins(b, error);
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
