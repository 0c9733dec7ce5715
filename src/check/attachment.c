// From the world into the hand, and back: an object that becomes part of a robot, and a body that
// becomes an object.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "graze/check.h"
#include "math/transform.h"
#include "robot/robot.h"
#include "world/world.h"

/// The pose of one link.
static graze_status pose_link(const graze_robot *robot, int32_t link, const double *q,
                              size_t q_count, const double *base, graze_transform *out,
                              graze_error *error) {
    graze_transform *links = gz_malloc((size_t)robot->link_count, sizeof *links);
    if (!links) return gz_fail_memory(error);
    graze_status status = graze_robot_pose(robot, q, q_count, base, links, error);
    if (status == GRAZE_OK) *out = links[link];
    gz_free(links);
    return status;
}

static graze_status check_input(const graze_robot *robot, const graze_world *world,
                                const graze_grasp *grasp, graze_error *error) {
    if (!robot || !world || !grasp->object || !grasp->link)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "robot, world, or the object or link of the grasp is NULL");
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

static graze_grasp no_grasp(void) {
    return (graze_grasp){.object = NULL};
}

GZ_OPTIONS_INIT(graze_grasp, no_grasp)

graze_status graze_grasp_object(graze_robot **new_robot, graze_world **new_world,
                                const graze_robot *robot, const graze_world *world,
                                const graze_grasp *given, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!new_robot || !new_world)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "new_robot or new_world is NULL");
    *new_robot = NULL;
    *new_world = NULL;
    graze_grasp in;
    const graze_grasp *const grasp = &in;
    GZ_TRY(GZ_OPTIONS_READ(graze_grasp, &in, given, error));
    graze_status status = check_input(robot, world, grasp, error);
    if (status) return status;
    graze_geometry object;
    graze_world_object(world, (size_t)graze_world_find_object(world, grasp->object), &object);
    graze_attachment attachment = graze_attachment_default();
    attachment.name = object.name;
    attachment.link = grasp->link;
    attachment.geometry = &object;
    attachment.touch_links = grasp->touch_links;
    attachment.touch_link_count = grasp->touch_link_count;
    graze_transform hand;
    status = pose_link(robot, graze_robot_find_link(robot, grasp->link), grasp->q, grasp->q_count,
                       grasp->base, &hand, error);
    if (status == GRAZE_OK) gz_transform_relative(object.origin.m, hand.m, attachment.pose.m);
    graze_robot *carrying = NULL;
    if (status == GRAZE_OK) status = graze_robot_attach(&carrying, robot, &attachment, error);
    graze_world_change removal = graze_world_change_default();
    removal.kind = GRAZE_CHANGE_REMOVE;
    removal.name = grasp->object;
    if (status == GRAZE_OK) status = graze_world_revise(new_world, world, &removal, 1, error);
    if (status) {
        graze_robot_free(carrying);
        return status;
    }
    *new_robot = carrying;
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------ putting down

/// Takes the vertices of a body back from the frame of its rigid body into its own, rounded once.
static double *own_vertices(const graze_geometry *body, const graze_transform *in_body) {
    double *out = gz_malloc(body->vertex_count, 3 * sizeof *out);
    graze_transform back = graze_transform_inverse(in_body);
    for (size_t i = 0; out && i < body->vertex_count; i++)
        gz_transform_apply(back.m, body->vertices + 3 * i, out + 3 * i);
    return out;
}

static graze_status check_release(const graze_robot *robot, const graze_world *world,
                                  const char *name, int32_t *link, graze_error *error) {
    if (!robot || !world || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot, world or object is NULL");
    *link = graze_robot_find_link(robot, name);
    if (graze_robot_attached_to(robot, *link) < 0)
        return gz_fail(error, GRAZE_ERROR_NOT_FOUND,
                       "object is '%s'; allowed: a body that a link of '%s' carries", name,
                       robot->name);
    return GRAZE_OK;
}

/// Adds the body to a version of the world, where its link stands.
static graze_status put_down(graze_world **out, const graze_robot *robot, const graze_world *world,
                             int32_t link, const graze_transform *pose, graze_error *error) {
    const gz_link *l = &robot->links[link];
    graze_geometry body;
    graze_robot_collision(robot, l->first_collision, &body);
    graze_transform in_body, place;
    gz_transform_compose(l->in_body.m, body.origin.m, in_body.m);
    gz_transform_compose(pose->m, body.origin.m, place.m);
    double *vertices = NULL;
    const graze_transform identity = graze_transform_identity();
    if (body.shape == GRAZE_SHAPE_MESH && memcmp(&in_body, &identity, sizeof identity) != 0) {
        body.vertices = vertices = own_vertices(&body, &in_body);
        body.mesh = NULL;
        if (!vertices) return gz_fail_memory(error);
    }
    graze_world_change addition = graze_world_change_default();
    addition.kind = GRAZE_CHANGE_ADD;
    addition.name = l->name;
    addition.pose = &place;
    addition.geometry = &body;
    graze_status status = graze_world_revise(out, world, &addition, 1, error);
    gz_free(vertices);
    return status;
}

graze_status graze_release_object(graze_robot **new_robot, graze_world **new_world,
                                  const graze_robot *robot, const graze_world *world,
                                  const char *object, const double *q, size_t q_count,
                                  const double *base, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!new_robot || !new_world)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "new_robot or new_world is NULL");
    *new_robot = NULL;
    *new_world = NULL;
    int32_t link = -1;
    graze_transform pose;
    graze_status status = check_release(robot, world, object, &link, error);
    if (status == GRAZE_OK) status = pose_link(robot, link, q, q_count, base, &pose, error);
    graze_world *with = NULL;
    if (status == GRAZE_OK) status = put_down(&with, robot, world, link, &pose, error);
    if (status == GRAZE_OK) status = graze_robot_detach(new_robot, robot, object, error);
    if (status) {
        graze_world_free(with);
        return status;
    }
    *new_world = with;
    return GRAZE_OK;
}
