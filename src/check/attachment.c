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

/// The shapes of an object, with their poses in its frame; NULL when out of memory.
typedef struct taken_shapes {
    graze_geometry *geometries;
    graze_placed_shape *shapes;
    size_t count;
} taken_shapes;

static bool take_shapes(taken_shapes *t, size_t count) {
    *t = (taken_shapes){gz_malloc(count, sizeof *t->geometries),
                        gz_malloc(count, sizeof *t->shapes), count};
    bool good = t->geometries && t->shapes;
    for (size_t i = 0; good && i < count; i++) t->shapes[i].geometry = &t->geometries[i];
    return good;
}

static void drop_shapes(taken_shapes *t) {
    gz_free(t->geometries);
    gz_free(t->shapes);
}

/// A version of the robot whose hand, which is at that pose, carries the object.
static graze_status pick_up(graze_robot **out, const graze_robot *robot, const graze_world *world,
                            const graze_grasp *grasp, const graze_transform *hand,
                            graze_error *error) {
    size_t first = (size_t)graze_world_find_object(world, grasp->object);
    taken_shapes t;
    bool taken = take_shapes(&t, gz_world_shapes(world, first));
    for (size_t i = 0; taken && i < t.count; i++) {
        graze_world_object(world, first + i, &t.geometries[i]);
        t.shapes[i].pose = t.geometries[i].in_object;
    }
    graze_attachment attachment = graze_attachment_default();
    attachment.name = grasp->object;
    attachment.link = grasp->link;
    attachment.shapes = t.shapes;
    attachment.shape_count = t.count;
    attachment.touch_links = grasp->touch_links;
    attachment.touch_link_count = grasp->touch_link_count;
    const graze_transform frame = gz_object_frame(gz_world_at(world, first));
    gz_transform_relative(frame.m, hand->m, attachment.pose.m);
    graze_status status = taken ? graze_robot_attach(out, robot, &attachment, error)
                                : gz_fail_memory(error);
    drop_shapes(&t);
    return status;
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
    graze_transform hand;
    status = pose_link(robot, graze_robot_find_link(robot, grasp->link), grasp->q, grasp->q_count,
                       grasp->base, &hand, error);
    graze_robot *carrying = NULL;
    if (status == GRAZE_OK) status = pick_up(&carrying, robot, world, grasp, &hand, error);
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

/// Reads a geometry of a body, a mesh with vertices of its own where it is turned in the frame of
/// its rigid body: they are written to *own.
static bool read_shape(const graze_robot *robot, int32_t link, size_t shape,
                       graze_placed_shape *out, graze_geometry *body, double **own) {
    const gz_link *l = &robot->links[link];
    graze_transform in_body;
    graze_robot_collision(robot, l->first_collision + shape, body);
    out->pose = body->origin;
    *own = NULL;
    gz_transform_compose(l->in_body.m, body->origin.m, in_body.m);
    if (body->shape != GRAZE_SHAPE_MESH || gz_transform_is_identity(&in_body)) return true;
    body->vertices = *own = own_vertices(body, &in_body);
    body->mesh = NULL;
    return *own != NULL;
}

/// Adds the body to a version of the world, where its link stands.
static graze_status put_down(graze_world **out, const graze_robot *robot, const graze_world *world,
                             int32_t link, const graze_transform *pose, graze_error *error) {
    taken_shapes t;
    bool taken = take_shapes(&t, robot->links[link].collision_count);
    double **own = gz_calloc(t.count, sizeof *own);
    for (size_t i = 0; taken && own && i < t.count; i++)
        taken = read_shape(robot, link, i, &t.shapes[i], &t.geometries[i], &own[i]);
    graze_world_change addition = graze_world_change_default();
    addition.kind = GRAZE_CHANGE_ADD;
    addition.name = robot->links[link].name;
    addition.pose = pose;
    addition.shapes = t.shapes;
    addition.shape_count = t.count;
    graze_status status = taken && own ? graze_world_revise(out, world, &addition, 1, error)
                                       : gz_fail_memory(error);
    for (size_t i = 0; own && i < t.count; i++) gz_free(own[i]);
    gz_free(own);
    drop_shapes(&t);
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
