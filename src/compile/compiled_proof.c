// Is what a compiled file derived from its meshes and joints what this graze derives from them?

#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "compile/compiled_file.h"
#include "mesh/validation.h"
#include "robot/robot.h"
#include "world/world.h"

/// Whether two structures with all that they point to are the same bytes.
static graze_status compare(const gz_type *type, const void *a, const void *b, const char *what,
                            size_t index, graze_error *error) {
    gz_image_size size = gz_image_write(type, a, NULL), other = gz_image_write(type, b, NULL);
    bool same = size.bytes == other.bytes;
    if (same) {
        unsigned char *first = gz_malloc(size.bytes, 1), *second = gz_malloc(size.bytes, 1);
        bool ok = first && second;
        if (ok) {
            gz_image_write(type, a, first);
            gz_image_write(type, b, second);
            same = memcmp(first, second, size.bytes) == 0;
        }
        gz_free(first);
        gz_free(second);
        if (!ok) return gz_fail_memory(error);
    }
    return same ? GRAZE_OK
                : gz_fail(error, GRAZE_ERROR_MESH,
                          "%s %zu is not what graze makes of it; allowed: compile it anew", what,
                          index);
}

static graze_status prove_mesh(const graze_mesh *mesh, gz_mesh_role role, const char *what,
                               size_t index, graze_error *error) {
    if (!mesh) return GRAZE_OK;
    graze_status status = gz_mesh_validate(mesh, error);
    if (status) return status;
    const gz_soup soup = {.vertices = mesh->vertices,
                          .vertex_count = mesh->vertex_count,
                          .triangles = mesh->triangles,
                          .triangle_count = mesh->triangle_count};
    graze_mesh *anew;
    status = gz_mesh_build(&anew, &soup, NULL, false, role, error);
    if (status) return status;
    anew->given_vertex_count = mesh->given_vertex_count;
    status = compare(&gz_type_mesh, mesh, anew, what, index, error);
    graze_mesh_free(anew);
    return status;
}

/// Builds the tree over a set of points once more.
static graze_status prove_points(const gz_object *object, size_t index, graze_error *error) {
    if (!object->tree) return GRAZE_OK;
    gz_point_tree *anew = gz_point_tree_build(object->points, object->point_count);
    if (!anew) return gz_fail_memory(error);
    graze_status status = compare(&gz_type_point_tree, object->tree, anew, "tree of object", index,
                                  error);
    gz_point_tree_free(anew);
    return status;
}

/// Folds, analyses and bounds the robot once more, from its joints, geometries and their meshes.
static graze_status prove_robot(const graze_robot *robot, graze_error *error) {
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < robot->collision_count; i++)
        status = prove_mesh(robot->collisions[i].shape.mesh, GZ_MESH_LINK, "collision mesh", i,
                            error);
    for (size_t i = 0; status == GRAZE_OK && i < robot->visual_count; i++)
        status = prove_mesh(robot->visuals[i].shape.mesh, GZ_MESH_LINK, "visual mesh", i, error);
    if (status) return status;
    graze_robot anew = *robot;
    anew.bodies = NULL;
    anew.body_count = 0;
    anew.links = gz_calloc((size_t)robot->link_count, sizeof *anew.links);
    if (!anew.links) return gz_fail_memory(error);
    for (int32_t i = 0; i < robot->link_count; i++) {
        const gz_link *l = &robot->links[i];
        anew.links[i].name = l->name;
        anew.links[i].at = l->at;
        anew.links[i].parent_joint = l->parent_joint;
        anew.links[i].body = -1;
        anew.links[i].is_default_disabled = l->is_default_disabled;
        anew.links[i].is_attached = l->is_attached;
    }
    status = gz_robot_fold(&anew, error);
    if (status == GRAZE_OK && (!gz_robot_analyse(&anew) || !gz_robot_bound(&anew)))
        status = gz_fail_memory(error);
    if (status == GRAZE_OK) status = compare(&gz_type_robot, robot, &anew, "robot", 0, error);
    gz_free(anew.bodies);
    gz_free(anew.links);
    return status;
}

graze_status graze_compiled_verify(const graze_compiled *c, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!c) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "compiled is NULL; allowed: an open file");
    graze_status status = GRAZE_OK;
    if (graze_compiled_has_robot(c)) {
        graze_robot *robot;
        status = graze_compiled_robot(c, &robot, error);
        if (status == GRAZE_OK) status = prove_robot(robot, error);
        graze_robot_free(robot);
    }
    if (status == GRAZE_OK && graze_compiled_has_world(c)) {
        graze_world *world;
        status = graze_compiled_world(c, &world, error);
        for (size_t i = 0; status == GRAZE_OK && i < world->object_count; i++) {
            const gz_object *object = world->objects[i];
            bool mesh = object->kind == GRAZE_SHAPE_MESH;
            status = prove_mesh(object->shape.mesh, mesh ? GZ_MESH_OBJECT : GZ_MESH_LINK, "object",
                                i, error);
        }
        for (size_t i = 0; status == GRAZE_OK && i < world->object_count; i++)
            status = prove_points(world->objects[i], i, error);
        graze_world_free(world);
    }
    if (status)
        gz_error_locate(error, (gz_place){.file = c->name});
    else
        gz_error_clear(error);
    return status;
}
