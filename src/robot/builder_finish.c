// Is what was said a robot? The steps from a filled builder to the immutable robot.

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"
#include "robot/builder_internal.h"

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
        status = gz_mesh_build(&mesh, soup, &place, false, GZ_MESH_LINK, error);
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
    if (status == GRAZE_OK && !gz_robot_analyse(r)) status = gz_fail_memory(error);
    if (status == GRAZE_OK) status = shape_geometries(b, false, error);
    if (status == GRAZE_OK) status = shape_geometries(b, true, error);
    if (status == GRAZE_OK) gz_builder_look_at_virtual_joints(b);
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
