// From the world into the hand: an object that becomes part of a robot.

#include <math.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "graze/check.h"
#include "math/transform.h"
#include "robot/robot.h"
#include "world/world.h"

/// The pose of an object in a link's frame, both as they stand.
static graze_status find_pose(const graze_robot *robot, const graze_grasp *grasp, int32_t link,
                              const graze_geometry *object, graze_transform *out,
                              graze_error *error) {
    graze_transform *links = gz_malloc((size_t)robot->link_count, sizeof *links);
    if (!links) return gz_fail_memory(error);
    graze_status status = graze_robot_pose(robot, grasp->q, grasp->q_count, grasp->base, links,
                                           error);
    if (status == GRAZE_OK) gz_transform_relative(object->origin.m, links[link].m, out->m);
    gz_free(links);
    return status;
}

static graze_status check_input(const graze_robot *robot, const graze_world *world,
                                const graze_grasp *grasp, graze_error *error) {
    if (!robot || !world || !grasp || !grasp->object || !grasp->link)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "robot, world, grasp, or its object or link is NULL");
    if (!world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "world '%s' is not committed; call graze_world_commit() first", world->name);
    if (graze_world_find_object(world, grasp->object) < 0)
        return gz_fail(error, GRAZE_ERROR_NOT_FOUND,
                       "object is '%s'; allowed: an object of the world '%s'", grasp->object,
                       world->name);
    if (graze_robot_find_link(robot, grasp->link) < 0)
        return gz_fail(error, GRAZE_ERROR_NOT_FOUND, "link is '%s'; allowed: a link of '%s'",
                       grasp->link, robot->name);
    return GRAZE_OK;
}

graze_status graze_grasp_object(graze_robot **new_robot, graze_world **new_world,
                                const graze_robot *robot, const graze_world *world,
                                const graze_grasp *grasp, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!new_robot || !new_world)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "new_robot or new_world is NULL");
    *new_robot = NULL;
    *new_world = NULL;
    graze_status status = check_input(robot, world, grasp, error);
    if (status) return status;
    graze_geometry object;
    graze_world_object(world, (size_t)graze_world_find_object(world, grasp->object), &object);
    graze_attachment attachment = {.name = object.name,
                                   .link = grasp->link,
                                   .geometry = &object,
                                   .touch_links = grasp->touch_links,
                                   .touch_link_count = grasp->touch_link_count};
    status = find_pose(robot, grasp, graze_robot_find_link(robot, grasp->link), &object,
                       &attachment.pose, error);
    graze_robot *carrying = NULL;
    if (status == GRAZE_OK) status = graze_robot_attach(&carrying, robot, &attachment, error);
    graze_world_change removal = {.kind = GRAZE_CHANGE_REMOVE, .name = grasp->object};
    if (status == GRAZE_OK) status = graze_world_revise(new_world, world, &removal, 1, error);
    if (status) {
        graze_robot_free(carrying);
        return status;
    }
    *new_robot = carrying;
    return GRAZE_OK;
}
