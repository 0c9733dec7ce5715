// A robot made by calls of a program: what the loader checks of a file while it reads, checked of
// arguments; all else is the builder's.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "graze/build.h"
#include "math/transform.h"
#include "robot/builder.h"
#include "robot/robot.h"

struct graze_robot_builder {
    gz_builder *builder; ///< NULL: finished
    bool out_of_memory;  ///< a call may have left half of an entry behind
};

static graze_joint_input default_joint(void) {
    return (graze_joint_input){
        .origin = graze_transform_identity(), .axis = {1, 0, 0}, .multiplier = 1};
}

GZ_OPTIONS_INIT(graze_joint_input, default_joint)

graze_status graze_robot_builder_create(graze_robot_builder **out, const char *name,
                                        graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "name is NULL");
    graze_robot_builder *b = gz_calloc(1, sizeof *b);
    if (b) b->builder = gz_builder_create(*name ? name : "unnamed", NULL);
    if (!b || !b->builder) {
        gz_free(b);
        return gz_fail_memory(error);
    }
    *out = b;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_robot_builder_free(graze_robot_builder *b) {
    if (!b) return;
    gz_builder_free(b->builder);
    gz_free(b);
}

// ------------------------------------------------------------------------------------------ checks

static graze_status begin(const graze_robot_builder *b, graze_error *error) {
    gz_error_clear(error);
    if (!b) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "builder is NULL");
    if (b->out_of_memory) return gz_fail_memory(error);
    if (!b->builder)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the builder is finished; allowed: graze_robot_builder_free()");
    return GRAZE_OK;
}

/// Remembers that memory was out, and names the link or joint where the error has no place yet.
static graze_status end(graze_robot_builder *b, graze_status status, const char *what,
                        const char *name, graze_error *error) {
    if (status == GRAZE_OK) return status;
    b->out_of_memory |= status == GRAZE_ERROR_NO_MEMORY;
    if (status == GRAZE_ERROR_NO_MEMORY) return gz_fail_memory(error);
    char element[GRAZE_PATH_SIZE];
    snprintf(element, sizeof element, "/robot/%s[@name='%.200s']", what, name);
    gz_error_locate(error, (gz_place){.element = element});
    return status;
}

static graze_status check_name(const char *name, const char *what, graze_error *error) {
    if (!name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL", what);
    if (!*name)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "%s is empty; allowed: a name of its own", what);
    return GRAZE_OK;
}

static graze_status check_origin(const graze_transform *origin, graze_error *error) {
    for (int i = 0; i < 12; i++)
        if (!isfinite(origin->m[i]) || fabs(origin->m[i]) > GZ_COORDINATE_MAX)
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "origin has the entry %g in row %d, column %d; allowed: magnitudes of "
                           "at most 2^20",
                           origin->m[i], i / 4, i % 4);
    if (gz_transform_is_rigid(origin->m, GZ_RIGID_TOLERANCE)) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                   "origin is not rigid; allowed: a rotation up to 1e-9, without mirroring");
}

static graze_status find_link(const graze_robot_builder *b, const char *name, int32_t *link,
                              graze_error *error) {
    GZ_TRY(check_name(name, "the name of a link", error));
    *link = gz_builder_find_link(b->builder, name);
    if (*link >= 0) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_NOT_FOUND,
                   "there is no link '%s' so far; allowed: a link that was added", name);
}

static graze_status find_joint(const graze_robot_builder *b, const char *name, int32_t *joint,
                               graze_error *error) {
    GZ_TRY(check_name(name, "the name of a joint", error));
    *joint = gz_builder_find_joint(b->builder, name);
    if (*joint >= 0) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_NOT_FOUND,
                   "there is no joint '%s' so far; allowed: a joint that was added", name);
}

// ------------------------------------------------------------------------------- links and joints

graze_status graze_robot_builder_link(graze_robot_builder *b, const char *name,
                                      graze_error *error) {
    int32_t link;
    GZ_TRY(begin(b, error));
    GZ_TRY(check_name(name, "the name of a link", error));
    return end(b, gz_builder_add_link(b->builder, name, (gz_line){0}, &link, error), "link", name,
               error);
}

static graze_status check_limits(const graze_joint_input *in, graze_error *error) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"lower", in->lower},
                   {"upper", in->upper},
                   {"effort", in->effort},
                   {"velocity", in->velocity},
                   {"acceleration", in->acceleration},
                   {"deceleration", in->deceleration},
                   {"jerk", in->jerk},
                   {"multiplier", in->multiplier},
                   {"offset", in->offset}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i].value))
            return gz_fail(error, GRAZE_ERROR_RANGE, "%s is %g; allowed: finite numbers",
                           numbers[i].name, numbers[i].value);
    bool limited = in->type == GRAZE_JOINT_REVOLUTE || in->type == GRAZE_JOINT_PRISMATIC;
    if (limited && in->lower > in->upper)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "lower is %g and upper is %g; allowed: lower not above upper", in->lower,
                       in->upper);
    bool several = in->type == GRAZE_JOINT_PLANAR || in->type == GRAZE_JOINT_FLOATING;
    if (in->mimic && several)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "mimic of a planar or floating joint; allowed: of revolute, continuous and "
                       "prismatic joints");
    return GRAZE_OK;
}

static graze_status check_axis(const graze_joint_input *in, graze_vec3 *axis, graze_error *error) {
    *axis = (graze_vec3){1, 0, 0};
    if (in->type == GRAZE_JOINT_FIXED || in->type == GRAZE_JOINT_FLOATING) return GRAZE_OK;
    const double v[3] = {in->axis.x, in->axis.y, in->axis.z};
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        return gz_fail(error, GRAZE_ERROR_RANGE, "axis is %g %g %g; allowed: finite numbers", v[0],
                       v[1], v[2]);
    if (gz_axis_normalise(v, axis) != 0) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_RANGE,
                   "axis is zero; allowed: a direction, best of length 1");
}

static graze_status add_joint(graze_robot_builder *b, const graze_joint_input *in,
                              graze_error *error) {
    graze_vec3 axis;
    GZ_TRY(check_name(in->parent, "the parent link's name", error));
    GZ_TRY(check_name(in->child, "the child link's name", error));
    if ((int)in->type < 0 || in->type > GRAZE_JOINT_FLOATING)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "joint type is %d; allowed: one of the enumerators", (int)in->type);
    GZ_TRY(check_origin(&in->origin, error));
    GZ_TRY(check_axis(in, &axis, error));
    GZ_TRY(check_limits(in, error));
    const gz_joint_input joint = {.name = in->name,
                                  .type = in->type,
                                  .parent = in->parent,
                                  .child = in->child,
                                  .origin = in->origin,
                                  .axis = axis,
                                  .has_limit = true,
                                  .lower = in->lower,
                                  .upper = in->upper,
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
                                  .mimic = in->type == GRAZE_JOINT_FIXED ? NULL : in->mimic,
                                  .multiplier = in->multiplier,
                                  .offset = in->offset};
    GZ_TRY(gz_builder_add_joint(b->builder, &joint, error));
    if (!in->passive) return GRAZE_OK;
    return gz_builder_passive_joint(b->builder, gz_builder_find_joint(b->builder, in->name));
}

graze_status graze_robot_builder_joint(graze_robot_builder *b, const graze_joint_input *joint,
                                       graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    GZ_TRY(begin(b, error));
    if (!joint) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "joint is NULL");
    graze_joint_input in;
    GZ_TRY(GZ_OPTIONS_READ(graze_joint_input, &in, joint, error));
    GZ_TRY(check_name(in.name, "the name of a joint", error));
    return end(b, add_joint(b, &in, error), "joint", in.name, error);
}

// ---------------------------------------------------------------------------------------- geometry

/// Copies a mesh's arrays; NULL when out of memory.
static gz_soup *copy_arrays(const graze_geometry *g) {
    gz_soup *soup = gz_soup_create();
    if (!soup || !gz_soup_reserve(soup, g->vertex_count, g->triangle_count)) {
        gz_soup_free(soup);
        return NULL;
    }
    memcpy(soup->vertices, g->vertices, 3 * g->vertex_count * sizeof *soup->vertices);
    memcpy(soup->triangles, g->triangles, 3 * g->triangle_count * sizeof *soup->triangles);
    soup->vertex_count = g->vertex_count;
    soup->triangle_count = g->triangle_count;
    return soup;
}

static graze_status add_geometry(graze_robot_builder *b, bool visual, const char *link,
                                 const graze_transform *origin, const graze_geometry *g,
                                 graze_error *error) {
    const bool mesh = g->shape == GRAZE_SHAPE_MESH;
    gz_geometry_input in = {.visual = visual,
                            .name = g->name,
                            .shape = g->shape,
                            .origin = origin ? *origin : graze_transform_identity(),
                            .size = {g->size[0], g->size[1], g->size[2]},
                            .radius = g->radius,
                            .length = g->length,
                            .file = mesh ? g->file : NULL,
                            .uri = mesh ? g->uri : NULL,
                            .scale = {1, 1, 1},
                            .has_color = g->has_color};
    if (g->scale[0] != 0 || g->scale[1] != 0 || g->scale[2] != 0)
        memcpy(in.scale, g->scale, sizeof in.scale);
    memcpy(in.color, g->color, sizeof in.color);
    GZ_TRY(find_link(b, link, &in.link, error));
    GZ_TRY(check_origin(&in.origin, error));
    if (!gz_shape_fits_link(g->shape))
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "points, a half-space or a plane; allowed: box, sphere, cylinder, capsule, "
                       "cone, mesh");
    if (mesh && g->mesh) {
        in.mesh = g->mesh;
    } else if (mesh) {
        if (!g->vertices || !g->triangles)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "mesh, vertices and triangles are NULL; allowed: a mesh, or its arrays");
        in.soup = copy_arrays(g);
        if (!in.soup) return gz_fail_memory(error);
    }
    return gz_builder_add_geometry(b->builder, &in, error);
}

static graze_status add_checked(graze_robot_builder *b, bool visual, const char *link,
                                const graze_transform *origin, const graze_geometry *g,
                                graze_error *error) {
    GZ_TRY(begin(b, error));
    if (!link || !g) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "link or geometry is NULL");
    return end(b, add_geometry(b, visual, link, origin, g, error), "link", link, error);
}

graze_status graze_robot_builder_collision(graze_robot_builder *b, const char *link,
                                           const graze_transform *origin,
                                           const graze_geometry *geometry, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return add_checked(b, false, link, origin, geometry, error);
}

graze_status graze_robot_builder_visual(graze_robot_builder *b, const char *link,
                                        const graze_transform *origin,
                                        const graze_geometry *geometry, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return add_checked(b, true, link, origin, geometry, error);
}

// ---------------------------------------------------------------------------- pairs, groups,
// states

/// Finds the two links of a pair.
static graze_status find_pair(const graze_robot_builder *b, const char *link1, const char *link2,
                              int32_t pair[2], graze_error *error) {
    GZ_TRY(begin(b, error));
    GZ_TRY(find_link(b, link1, &pair[0], error));
    GZ_TRY(find_link(b, link2, &pair[1], error));
    if (pair[0] != pair[1]) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "a pair of '%s' and itself; allowed: two links",
                   link1);
}

graze_status graze_robot_builder_disable_pair(graze_robot_builder *b, const char *link1,
                                              const char *link2, const char *reason,
                                              graze_error *error) {
    int32_t pair[2];
    GZ_TRY(find_pair(b, link1, link2, pair, error));
    return end(b, gz_builder_disable_pair(b->builder, pair[0], pair[1], reason ? reason : ""),
               "link", link1, error);
}

graze_status graze_robot_builder_enable_pair(graze_robot_builder *b, const char *link1,
                                             const char *link2, graze_error *error) {
    int32_t pair[2];
    GZ_TRY(find_pair(b, link1, link2, pair, error));
    return end(b, gz_builder_enable_pair(b->builder, pair[0], pair[1]), "link", link1, error);
}

graze_status graze_robot_builder_disable_default(graze_robot_builder *b, const char *name,
                                                 graze_error *error) {
    int32_t link;
    GZ_TRY(begin(b, error));
    GZ_TRY(find_link(b, name, &link, error));
    return end(b, gz_builder_disable_default(b->builder, link), "link", name, error);
}

graze_status graze_robot_builder_margin(graze_robot_builder *b, const char *link1,
                                        const char *link2, double margin, graze_error *error) {
    int32_t pair[2] = {-1, -1};
    GZ_TRY(begin(b, error));
    if (link1 || link2) GZ_TRY(find_pair(b, link1, link2, pair, error));
    if (!(margin >= 0) || !isfinite(margin))
        return gz_fail(error, GRAZE_ERROR_RANGE, "margin is %g; allowed: finite, not negative",
                       margin);
    return end(b, gz_builder_pair_margin(b->builder, pair[0], pair[1], margin, (gz_place){0}),
               "link", link1 ? link1 : "", error);
}

static graze_status add_member(graze_robot_builder *b, int32_t group, graze_group_member kind,
                               const char *name, const char *tip, graze_error *error) {
    int32_t first, last;
    switch (kind) {
    case GRAZE_GROUP_JOINT:
        GZ_TRY(find_joint(b, name, &first, error));
        return gz_builder_group_joint(b->builder, group, first);
    case GRAZE_GROUP_LINK:
        GZ_TRY(find_link(b, name, &first, error));
        return gz_builder_group_link(b->builder, group, first);
    case GRAZE_GROUP_CHAIN:
        GZ_TRY(find_link(b, name, &first, error));
        GZ_TRY(find_link(b, tip, &last, error));
        return gz_builder_group_chain(b->builder, group, first, last, (gz_place){0});
    case GRAZE_GROUP_SUBGROUP:
        return gz_builder_group_subgroup(b->builder, group, name, (gz_place){0});
    }
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "kind is %d; allowed: one of the enumerators",
                   (int)kind);
}

graze_status graze_robot_builder_group(graze_robot_builder *b, const char *name_of,
                                       graze_group_member kind, const char *name, const char *tip,
                                       graze_error *error) {
    GZ_TRY(begin(b, error));
    GZ_TRY(check_name(name_of, "the name of a group", error));
    int32_t group = gz_builder_find_group(b->builder, name_of);
    graze_status status = GRAZE_OK;
    if (group < 0) status = gz_builder_add_group(b->builder, name_of, &group);
    if (!status && name) status = add_member(b, group, kind, name, tip, error);
    return end(b, status, "group", name_of, error);
}

/// The last state of these names, or -1.
static int32_t find_state(const graze_robot *r, const char *group, const char *name) {
    for (size_t i = r->state_count; i-- > 0;)
        if (strcmp(r->states[i].name, name) == 0 && strcmp(r->states[i].group, group) == 0)
            return (int32_t)i;
    return -1;
}

/// How many numbers a joint has that follows no other one.
static size_t column_count(const graze_joint_info *joint) {
    if (joint->type == GRAZE_JOINT_FIXED) return 0;
    return joint->type == GRAZE_JOINT_PLANAR ? 3 : joint->type == GRAZE_JOINT_FLOATING ? 7 : 1;
}

static graze_status add_values(graze_robot_builder *b, const char *group, const char *name,
                               const char *joint_name, const double *values, size_t count,
                               graze_error *error) {
    const graze_robot *robot = gz_builder_robot(b->builder);
    int32_t joint, state;
    GZ_TRY(find_joint(b, joint_name, &joint, error));
    size_t columns = column_count(&robot->joints[joint].info);
    if (count != columns)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "joint '%s' has %zu values; allowed: exactly %zu",
                       joint_name, count, columns);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE, "value %zu is %g; allowed: finite numbers", i,
                           values[i]);
    state = find_state(robot, group, name);
    if (state < 0) GZ_TRY(gz_builder_add_state(b->builder, name, group, &state));
    return gz_builder_state_joint(b->builder, state, joint, values, count, (gz_place){0});
}

graze_status graze_robot_builder_state(graze_robot_builder *b, const char *group_name,
                                       const char *name, const char *joint_name,
                                       const double *values, size_t count, graze_error *error) {
    GZ_TRY(begin(b, error));
    GZ_TRY(check_name(name, "the name of a state", error));
    if (!group_name || !values)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "group_name or values is NULL");
    return end(b, add_values(b, group_name, name, joint_name, values, count, error), "group_state",
               name, error);
}

graze_status graze_robot_builder_finish(graze_robot_builder *b, graze_robot **out,
                                        graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (out) *out = NULL;
    GZ_TRY(begin(b, error));
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    gz_builder *builder = b->builder;
    b->builder = NULL; // which the builder frees in any case
    return gz_builder_finish(builder, out, error);
}
