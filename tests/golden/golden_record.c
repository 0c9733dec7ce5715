// Loads the shipped robots and worlds, and listens to what the loader says to the builders. The
// linker
// (--wrap) leads each call of these functions here first; they pass it on.
#include <stdlib.h>

#include "golden_scenes.h"
#include "world/world.h"

static const char *const robot_names[] = {"heron", "six_axis", "two_link"};
static const char *const world_names[] = {"cage",
                                          "clutter",
                                          "kineval_barrier",
                                          "kineval_basic",
                                          "kineval_empty",
                                          "kineval_random",
                                          "kineval_local_minima",
                                          "kineval_s",
                                          "kitchen",
                                          "shelf",
                                          "table"};

/// Who listens: the functions below are called by the loader, which knows of no stream.
static golden_stream *listener;

static golden_stream *begin(int tag) {
    if (listener && fputc(tag, listener->file) == EOF) golden_give_up("recording", "cannot write");
    return listener;
}

// The names are the linker's: __real_NAME is the library's own, __wrap_NAME what is called instead.
#define LISTEN(type, name, parameters)                                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters

LISTEN(gz_builder *, gz_builder_create, (const char *name, const char *file)) {
    golden_stream *stream = begin(GOLDEN_ROBOT);
    if (stream) golden_string(stream, &name);
    return __real_gz_builder_create(name, file);
}

LISTEN(graze_status, gz_builder_add_link,
       (gz_builder * builder, const char *name, gz_line at, int32_t *link, graze_error *error)) {
    golden_stream *stream = begin(GOLDEN_LINK);
    if (stream) golden_string(stream, &name);
    return __real_gz_builder_add_link(builder, name, at, link, error);
}

LISTEN(graze_status, gz_builder_add_joint,
       (gz_builder * builder, const gz_joint_input *joint, graze_error *error)) {
    golden_stream *stream = begin(GOLDEN_JOINT);
    gz_joint_input copy = *joint;
    if (stream) golden_joint(stream, &copy);
    return __real_gz_builder_add_joint(builder, joint, error);
}

LISTEN(graze_status, gz_builder_add_geometry,
       (gz_builder * builder, const gz_geometry_input *input, graze_error *error)) {
    // Visual geometry has no part in poses and verdicts.
    golden_stream *stream = input->visual ? NULL : begin(GOLDEN_GEOMETRY);
    gz_geometry_input copy = *input;
    if (stream) golden_geometry(stream, &copy);
    return __real_gz_builder_add_geometry(builder, input, error);
}

LISTEN(graze_status, gz_builder_disable_pair,
       (gz_builder * builder, int32_t a, int32_t b, const char *reason)) {
    golden_stream *stream = begin(GOLDEN_DISABLE_PAIR);
    if (stream) {
        golden_int32(stream, &a);
        golden_int32(stream, &b);
        golden_string(stream, &reason);
    }
    return __real_gz_builder_disable_pair(builder, a, b, reason);
}

LISTEN(graze_status, gz_builder_enable_pair, (gz_builder * builder, int32_t a, int32_t b)) {
    golden_stream *stream = begin(GOLDEN_ENABLE_PAIR);
    if (stream) {
        golden_int32(stream, &a);
        golden_int32(stream, &b);
    }
    return __real_gz_builder_enable_pair(builder, a, b);
}

LISTEN(graze_status, gz_builder_disable_default, (gz_builder * builder, int32_t link)) {
    golden_stream *stream = begin(GOLDEN_DISABLE_DEFAULT);
    if (stream) golden_int32(stream, &link);
    return __real_gz_builder_disable_default(builder, link);
}

LISTEN(graze_status, gz_builder_passive_joint, (gz_builder * builder, int32_t joint)) {
    golden_stream *stream = begin(GOLDEN_PASSIVE);
    if (stream) golden_int32(stream, &joint);
    return __real_gz_builder_passive_joint(builder, joint);
}

LISTEN(graze_status, gz_builder_pair_margin,
       (gz_builder * builder, int32_t a, int32_t b, double margin, gz_place place)) {
    golden_stream *stream = begin(GOLDEN_PAIR_MARGIN);
    if (stream) {
        golden_int32(stream, &a);
        golden_int32(stream, &b);
        golden_doubles(stream, &margin, 1);
    }
    return __real_gz_builder_pair_margin(builder, a, b, margin, place);
}

LISTEN(graze_status, gz_builder_finish,
       (gz_builder * builder, graze_robot **out, graze_error *error)) {
    begin(GOLDEN_ROBOT_END);
    return __real_gz_builder_finish(builder, out, error);
}

static void world_object(golden_stream *stream, const char *name, const graze_transform *pose) {
    graze_transform placed = pose ? *pose : graze_transform_identity();
    golden_string(stream, &name);
    golden_doubles(stream, placed.m, 12);
}

LISTEN(graze_status, gz_world_add_primitive,
       (graze_world * world, const char *name, graze_shape kind, const double size[3],
        double radius, double length, const graze_transform *pose, const gz_origin *origin,
        graze_error *error)) {
    golden_stream *stream = begin(GOLDEN_PRIMITIVE);
    if (stream) {
        int32_t shape = (int32_t)kind;
        double edges[3] = {size ? size[0] : 0, size ? size[1] : 0, size ? size[2] : 0};
        world_object(stream, name, pose);
        golden_int32(stream, &shape);
        golden_doubles(stream, edges, 3);
        golden_doubles(stream, &radius, 1);
        golden_doubles(stream, &length, 1);
    }
    return __real_gz_world_add_primitive(world, name, kind, size, radius, length, pose, origin,
                                         error);
}

LISTEN(graze_status, gz_world_add_soup,
       (graze_world * world, const char *name, gz_soup *soup, const graze_transform *pose,
        const gz_origin *origin, graze_error *error)) {
    golden_stream *stream = begin(GOLDEN_SOUP);
    if (stream) {
        world_object(stream, name, pose);
        golden_soup(stream, &soup);
    }
    return __real_gz_world_add_soup(world, name, soup, pose, origin, error);
}

LISTEN(graze_status, gz_world_add_points,
       (graze_world * world, const char *name, double *points, size_t point_count, double radius,
        const graze_transform *pose, const gz_origin *origin, graze_error *error)) {
    golden_stream *stream = begin(GOLDEN_POINTS);
    if (stream) {
        world_object(stream, name, pose);
        golden_doubles(stream, &radius, 1);
        golden_size(stream, &point_count);
        golden_doubles(stream, points, 3 * point_count);
    }
    return __real_gz_world_add_points(world, name, points, point_count, radius, pose, origin,
                                      error);
}

LISTEN(graze_status, graze_world_set_boundary,
       (graze_world * world, const double min[3], const double max[3], graze_error *error)) {
    golden_stream *stream = begin(GOLDEN_BOUNDARY);
    if (stream) {
        double box[6] = {min[0], min[1], min[2], max[0], max[1], max[2]};
        golden_doubles(stream, box, 6);
    }
    return __real_graze_world_set_boundary(world, min, max, error);
}

static graze_robot *robot_load(const char *root, const char *name) {
    char urdf[2048], srdf[2048];
    snprintf(urdf, sizeof urdf, "%s/urdf/%s.urdf", root, name);
    snprintf(srdf, sizeof srdf, "%s/urdf/%s.srdf", root, name);
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.use_environment = 0;
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, urdf, &options, &error)) golden_give_up(urdf, error.message);
    return robot;
}

static graze_world *world_load(const char *root, const char *name) {
    char path[2048];
    snprintf(path, sizeof path, "%s/worlds/%s.json", root, name);
    graze_world *world;
    graze_error error;
    golden_stream *stream = begin(GOLDEN_WORLD);
    if (stream) golden_string(stream, &name);
    if (graze_world_create(&world, name, &error) ||
        graze_world_add_file(world, path, NULL, &error) || graze_world_commit(world, &error))
        golden_give_up(path, error.message);
    begin(GOLDEN_WORLD_END);
    return world;
}

void golden_scenes_load(golden_scenes *scenes, const char *root, golden_stream *recording) {
    *scenes = (golden_scenes){.world_count = 1};
    listener = recording;
    for (size_t i = 0; i < sizeof robot_names / sizeof *robot_names; i++)
        scenes->robots[scenes->robot_count++] = robot_load(root, robot_names[i]);
    for (size_t i = 0; i < sizeof world_names / sizeof *world_names; i++)
        scenes->worlds[scenes->world_count++] = world_load(root, world_names[i]);
    begin(GOLDEN_END);
    listener = NULL;
}
