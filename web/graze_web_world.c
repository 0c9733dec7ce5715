// Changing the world of a scene.

#include <math.h>
#include <stdlib.h>

#include "graze_web_scene.h"

/// Checkers of another world in place of those there are; on failure nothing has changed.
static graze_status take_world(graze_web *web, graze_world *world) {
    graze_checker *checker = NULL, *plan = NULL;
    bool one = web->plan_checker == web->checker;
    graze_status status = graze_checker_with_world(&checker, web->checker, world, &web->error);
    if (status == GRAZE_OK && !one && web->plan_checker != NULL)
        status = graze_checker_with_world(&plan, web->plan_checker, world, &web->error);
    if (status == GRAZE_OK) status = graze_workspace_rebind(web->workspace, checker, &web->error);
    if (status != GRAZE_OK) {
        graze_checker_free(plan);
        graze_checker_free(checker);
        return status;
    }
    graze_motion_workspace_free(web->motion);
    graze_motion_workspace_free(web->plan_motion);
    graze_distance_workspace_free(web->distance);
    web->motion = web->plan_motion = NULL;
    web->distance = NULL;
    if (!one) graze_checker_free(web->plan_checker);
    graze_checker_free(web->checker);
    graze_world_free(web->world);
    web->checker = checker;
    web->plan_checker = one ? checker : plan;
    web->world = world;
    web->contact_count = web->hidden_count = web->near_count = 0;
    return GRAZE_OK;
}

/// Of an object of several shapes the first one is moved to a pose: the frame is where it then is.
static void find_frame(const graze_world *world, const char *name, graze_transform *pose) {
    graze_geometry first;
    int32_t index = graze_world_find_object(world, name);
    if (index < 0 || graze_world_object(world, (size_t)index, &first) != GRAZE_OK) return;
    const graze_transform identity = graze_transform_identity();
    if (memcmp(&first.in_object, &identity, sizeof identity) == 0) return;
    const graze_transform back = graze_transform_inverse(&first.in_object);
    *pose = graze_transform_multiply(pose, &back);
}

/// The next version of the world, by changes to the one there is.
static graze_status revise(graze_web *web, const graze_world_change *changes, size_t count) {
    graze_world *empty = NULL, *next = NULL;
    graze_status status = GRAZE_OK;
    if (web->world == NULL) {
        status = graze_world_create(&empty, "world", &web->error);
        if (status == GRAZE_OK) status = graze_world_commit(empty, &web->error);
    }
    if (status == GRAZE_OK)
        status = graze_world_revise(&next, web->world != NULL ? web->world : empty, changes, count,
                                    &web->error);
    if (status == GRAZE_OK) status = take_world(web, next);
    if (status != GRAZE_OK) graze_world_free(next);
    graze_world_free(empty);
    return status;
}

GRAZE_WEB_API graze_status graze_web_keep_world(graze_web *web, double version[1]) {
    graze_world *kept = NULL;
    graze_status status = GRAZE_OK;
    if (web->world != NULL) status = graze_world_revise(&kept, web->world, NULL, 0, &web->error);
    put_pointer(version, kept);
    return status;
}

GRAZE_WEB_API graze_status graze_web_restore_world(graze_web *web, const graze_world *version) {
    graze_world *next = NULL;
    graze_status status = GRAZE_OK;
    if (version != NULL) status = graze_world_revise(&next, version, NULL, 0, &web->error);
    if (status == GRAZE_OK) status = take_world(web, next);
    if (status != GRAZE_OK) graze_world_free(next);
    return status;
}

GRAZE_WEB_API graze_status graze_web_change(graze_web *web, int32_t kind, const char *name,
                                            const double pose[12], const double shape[6]) {
    graze_transform place;
    graze_geometry geometry = {.shape = (graze_shape)shape[0],
                               .size = {shape[1], shape[2], shape[3]},
                               .radius = shape[4],
                               .length = shape[5]};
    graze_world_change change = graze_world_change_default();
    memcpy(place.m, pose, sizeof place.m);
    if (kind == GRAZE_CHANGE_MOVE) find_frame(web->world, name, &place);
    change.kind = (graze_change_kind)kind;
    change.name = name;
    change.pose = kind != GRAZE_CHANGE_REMOVE ? &place : NULL;
    change.geometry = kind == GRAZE_CHANGE_ADD ? &geometry : NULL;
    return revise(web, &change, 1);
}

/// The shapes of an object, as they are; the number of them.
static size_t shapes_of(const graze_world *world, int32_t first, graze_geometry *shapes,
                        size_t capacity) {
    size_t count = 0;
    graze_geometry g;
    for (size_t i = (size_t)first; graze_world_object(world, i, &g) == GRAZE_OK; i++, count++) {
        if (count > 0 && g.element == 0) break; // the next object
        if (count < capacity) shapes[count] = g;
    }
    return count;
}

/// Scales a shape about the origin of its object; `vertices` gets its mesh or its points.
static void scale_shape(graze_geometry *g, graze_placed_shape *placed, double factor,
                        double *vertices) {
    for (int k = 0; k < 3; k++) g->size[k] *= factor;
    g->radius *= factor;
    g->length *= factor;
    if (g->shape == GRAZE_SHAPE_MESH || g->shape == GRAZE_SHAPE_POINTS) {
        for (int k = 0; k < 3; k++) g->scale[k] *= factor;
        for (size_t i = 0; i < 3 * g->vertex_count; i++) vertices[i] = factor * g->vertices[i];
        g->vertices = vertices;
        g->mesh = NULL;
    }
    *placed = (graze_placed_shape){.geometry = g, .pose = g->in_object};
    for (int k = 3; k < 12; k += 4) placed->pose.m[k] *= factor;
}

static bool is_endless(const graze_geometry *g) {
    return g->shape == GRAZE_SHAPE_HALFSPACE || g->shape == GRAZE_SHAPE_PLANE;
}

/// In one step: taken away, and added at the end of the world.
static graze_status replace(graze_web *web, const char *name, const graze_placed_shape *shapes,
                            size_t count) {
    graze_transform pose = shapes->geometry->origin;
    find_frame(web->world, name, &pose);
    graze_world_change changes[2] = {graze_world_change_default(), graze_world_change_default()};
    changes[0].kind = GRAZE_CHANGE_REMOVE;
    changes[1].kind = GRAZE_CHANGE_ADD;
    changes[0].name = changes[1].name = name;
    changes[1].pose = &pose;
    changes[1].shapes = shapes;
    changes[1].shape_count = count;
    return revise(web, changes, 2);
}

GRAZE_WEB_API graze_status graze_web_scale(graze_web *web, const char *name, double factor) {
    int32_t first = graze_world_find_object(web->world, name);
    if (first < 0) return fail(web, GRAZE_ERROR_NOT_FOUND, "there is no such object");
    if (!(factor > 0) || !isfinite(factor))
        return fail(web, GRAZE_ERROR_RANGE, "the factor is not above 0 and finite");
    size_t count = shapes_of(web->world, first, NULL, 0), vertex_count = 0;
    graze_geometry *shapes = calloc(count, sizeof *shapes);
    graze_placed_shape *placed = calloc(count, sizeof *placed);
    graze_status status = shapes && placed ? GRAZE_OK : fail_memory(web);
    if (status == GRAZE_OK) shapes_of(web->world, first, shapes, count);
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        vertex_count += shapes[i].vertex_count;
        if (is_endless(&shapes[i]))
            status = fail(web, GRAZE_ERROR_ARGUMENT, "a half-space or plane has no size to scale");
    }
    double *vertices = status == GRAZE_OK ? calloc(vertex_count + 1, 3 * sizeof *vertices) : NULL;
    if (status == GRAZE_OK && vertices == NULL) status = fail_memory(web);
    double *at = vertices;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        scale_shape(&shapes[i], &placed[i], factor, at);
        at += 3 * shapes[i].vertex_count;
    }
    if (status == GRAZE_OK) status = replace(web, name, placed, count);
    free(vertices);
    free(placed);
    free(shapes);
    return status;
}
