// A body that a link carries: a version of the robot with one link more, or without it again.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "math/transform.h"
#include "robot/robot.h"

// ---------------------------------------------------------------------------------------- copying

/// Makes room for `more` elements behind an array's `count`; false when out of memory.
static bool extend(void **array, size_t count, size_t more, size_t size) {
    void *longer = gz_realloc(*array, count + more, size);
    if (longer) *array = longer;
    return longer != NULL;
}

/// Copies everything but the bodies and the pairs of links, with room for one more link and joint,
/// `shapes` more collision geometries, and for `pair_room` pairs. Meshes are shared. NULL when out
/// of memory.
static graze_robot *copy_robot(const graze_robot *robot, size_t shapes, size_t pair_room) {
    graze_robot from = *robot;
    from.bodies = NULL;
    from.pairs = NULL;
    from.body_count = 0;
    from.pair_count = 0;
    graze_robot *r = gz_robot_copy(&from);
    if (!r) return NULL;
    bool ok = extend((void **)&r->links, (size_t)r->link_count, 1, sizeof *r->links) &&
              extend((void **)&r->joints, (size_t)r->joint_count, 1, sizeof *r->joints) &&
              extend((void **)&r->collisions, r->collision_count, shapes, sizeof *r->collisions) &&
              extend((void **)&r->pairs, 0, pair_room, sizeof *r->pairs);
    if (ok) return r;
    graze_robot_free(r);
    return NULL;
}

/// Appends a copy of a pair, whose space is reserved; false when out of memory.
static bool copy_pair(graze_robot *robot, const gz_pair *pair) {
    return gz_type_copy(&gz_type_pair, &robot->pairs[robot->pair_count++], pair);
}

// -------------------------------------------------------------------------------------- attaching

/// What is attached, with its links found.
typedef struct attaching {
    const graze_robot *robot;
    const graze_attachment *input;
    const graze_placed_shape *shapes;
    size_t shape_count;
    int32_t link;
    uint8_t *touches; ///< per link
} attaching;

static graze_status fail_link(const graze_robot *r, const char *what, const char *name,
                              graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_NOT_FOUND, "%s is '%s'; allowed: a link of '%s'", what, name,
                   r->name);
}

static graze_status check_input(const graze_robot *r, const graze_attachment *in,
                                graze_error *error) {
    if (!r || !in->name || !in->link)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "robot, or the name or link of the attachment is NULL");
    if (!in->touch_links && in->touch_link_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "touch_links is NULL");
    if (!*in->name)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "the name is empty; allowed: a name of its own");
    if (graze_robot_find_link(r, in->name) >= 0)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the name '%s' is that of a link; allowed: a name that is new in '%s'",
                       in->name, r->name);
    if (!gz_transform_is_rigid(in->pose.m, GZ_RIGID_TOLERANCE))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "pose is not rigid; allowed: a rotation up to 1e-9, without mirroring, and "
                       "finite numbers");
    return GRAZE_OK;
}

static graze_status check_shapes(const attaching *a, graze_error *error) {
    for (size_t i = 0; i < a->shape_count; i++) {
        const graze_placed_shape *s = &a->shapes[i];
        if (!s->geometry)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT, "geometry of shape %zu is NULL", i);
        if (!gz_shape_fits_link(s->geometry->shape))
            return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                           "'%s' is %s; allowed: box, sphere, cylinder, capsule, cone, mesh",
                           a->input->name,
                           gz_shape_is_unbounded(s->geometry->shape) ? "a shape without an end"
                                                                     : "a set of points");
        if (!gz_transform_is_rigid(s->pose.m, GZ_RIGID_TOLERANCE))
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "pose of shape %zu is not rigid; allowed: a rotation up to 1e-9, "
                           "without mirroring, and finite numbers",
                           i);
    }
    return GRAZE_OK;
}

static graze_status find_links(attaching *a, graze_error *error) {
    const graze_attachment *in = a->input;
    a->link = graze_robot_find_link(a->robot, in->link);
    if (a->link < 0) return fail_link(a->robot, "link", in->link, error);
    a->touches = gz_calloc((size_t)a->robot->link_count, 1);
    if (!a->touches) return gz_fail_memory(error);
    for (size_t i = 0; i < in->touch_link_count; i++) {
        const char *name = in->touch_links[i] ? in->touch_links[i] : "(NULL)";
        if (strcmp(name, in->name) == 0)
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "a touch link is '%s', the body itself; allowed: other links", name);
        int32_t link = graze_robot_find_link(a->robot, name);
        if (link < 0) return fail_link(a->robot, "a touch link", name, error);
        a->touches[link] = 1;
    }
    return GRAZE_OK;
}

/// Appends the link and its joint.
static graze_status add_link(graze_robot *r, const attaching *a, graze_error *error) {
    int32_t link = r->link_count++, joint = r->joint_count++;
    char *name = (char *)(uintptr_t)a->input->name;
    const gz_link l = {.name = name, .parent_joint = joint, .body = -1, .is_attached = true};
    const gz_joint j = {.info = {.type = GRAZE_JOINT_FIXED,
                                 .parent = a->link,
                                 .child = link,
                                 .origin = a->input->pose,
                                 .axis = {1, 0, 0},
                                 .q_index = -1,
                                 .lower = -INFINITY,
                                 .upper = INFINITY,
                                 .mimic = -1,
                                 .multiplier = 1},
                        .parent_name = r->links[a->link].name,
                        .child_name = name,
                        .column = -1,
                        .multiplier = 1};
    bool ok = gz_type_copy(&gz_type_link, &r->links[link], &l);
    ok = gz_type_copy(&gz_type_joint, &r->joints[joint], &j) && ok;
    char *joint_name = gz_string_format("%s (attached)", name);
    r->joints[joint].info.name = joint_name;
    if (!ok || !joint_name) return gz_fail_memory(error);
    if (graze_robot_find_joint(a->robot, joint_name) >= 0)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the name '%s' is that of a joint; allowed: a body of another name",
                       joint_name);
    return GRAZE_OK;
}

static graze_status make_mesh(const graze_geometry *in, const graze_transform *place,
                              graze_mesh **mesh, graze_error *error) {
    *mesh = NULL;
    if (in->mesh) return gz_mesh_share_at(mesh, in->mesh, place, GZ_MESH_LINK, error);
    if (!in->vertices || !in->triangles)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "mesh, vertices and triangles are NULL; allowed: a mesh, or its arrays");
    // Read only: the soup borrows the arrays.
    const gz_soup soup = {.vertices = (double *)(uintptr_t)in->vertices,
                          .vertex_count = in->vertex_count,
                          .triangles = (uint32_t *)(uintptr_t)in->triangles,
                          .triangle_count = in->triangle_count};
    return gz_mesh_build(mesh, &soup, place, false, GZ_MESH_LINK, error);
}

/// Appends a geometry, in the frame of the link's body, which folding has found.
static graze_status add_geometry(graze_robot *r, const attaching *a, size_t shape,
                                 graze_error *error) {
    const graze_geometry *in = a->shapes[shape].geometry;
    graze_transform place;
    int32_t link = r->link_count - 1;
    gz_geometry *g = &r->collisions[r->collision_count++];
    bool box = in->shape == GRAZE_SHAPE_BOX, mesh = in->shape == GRAZE_SHAPE_MESH;
    bool scaled = in->scale[0] != 0 || in->scale[1] != 0 || in->scale[2] != 0;
    gz_geometry own = {.name = (char *)(uintptr_t) "",
                       .link = link,
                       .kind = in->shape,
                       .element = (int32_t)shape,
                       .origin = a->shapes[shape].pose,
                       .radius = box || mesh ? 0 : in->radius,
                       .length = box || mesh ? 0 : in->length,
                       .scale = {1, 1, 1},
                       .file = (char *)(uintptr_t)in->file,
                       .uri = (char *)(uintptr_t)in->uri,
                       .file_triangle_count = in->file_triangle_count};
    if (box) memcpy(own.size, in->size, sizeof own.size);
    if (scaled) memcpy(own.scale, in->scale, sizeof own.scale);
    if (!gz_type_copy(&gz_type_geometry, g, &own)) return gz_fail_memory(error);
    gz_transform_compose(r->links[link].in_body.m, own.origin.m, place.m);
    graze_status status = GRAZE_OK;
    if (mesh) {
        graze_mesh *made;
        status = make_mesh(in, &place, &made, error);
        if (status == GRAZE_OK) gz_shape_mesh(&g->shape, made);
        if (!g->file_triangle_count && made) g->file_triangle_count = made->triangle_count;
    } else {
        status = gz_shape_check(in->shape, in->size, in->radius, in->length, error);
        if (status == GRAZE_OK)
            status = gz_shape_primitive(&g->shape, g->kind, g->size, g->radius, g->length, &place,
                                        error);
    }
    g->has_shape = status == GRAZE_OK;
    return status;
}

/// Why the body and another link are checked, or not.
static bool add_pair(graze_robot *r, const attaching *a, int32_t other) {
    int32_t body = r->link_count - 1;
    gz_pair *p = &r->pairs[r->pair_count++];
    *p = (gz_pair){.a = other, .b = body, .state = GRAZE_PAIR_CHECKED};
    if (r->links[other].body == r->links[body].body) p->state = GRAZE_PAIR_STATIC;
    if (r->links[other].is_default_disabled) p->state = GRAZE_PAIR_DEFAULT;
    if (a->touches[other]) {
        p->state = GRAZE_PAIR_TOUCH;
        p->reason = gz_string_format("touch link of %s", a->input->name);
        return p->reason != NULL;
    }
    if (other == a->link) p->state = GRAZE_PAIR_ADJACENT;
    return true;
}

/// The old pairs and those of the body, in order.
static bool add_pairs(graze_robot *r, const attaching *a) {
    const graze_robot *from = a->robot;
    size_t at = 0;
    for (int32_t link = 0; link < from->link_count; link++) {
        if (!from->links[link].collision_count) continue;
        for (; at < from->pair_count && from->pairs[at].a == link; at++)
            if (!copy_pair(r, &from->pairs[at])) return false;
        if (!add_pair(r, a, link)) return false;
    }
    return true;
}

static graze_status attach(graze_robot **out, attaching *a, graze_error *error) {
    GZ_TRY(find_links(a, error));
    size_t full = 0;
    for (int32_t i = 0; i < a->robot->link_count; i++)
        full += a->robot->links[i].collision_count > 0;
    if (a->robot->link_count == INT32_MAX || a->robot->pair_count + full > GZ_PAIRS_MAX)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "%zu pairs of links; allowed: up to %zu",
                       a->robot->pair_count + full, GZ_PAIRS_MAX);
    graze_robot *r = copy_robot(a->robot, a->shape_count, a->robot->pair_count + full);
    graze_status status = r ? add_link(r, a, error) : gz_fail_memory(error);
    if (status == GRAZE_OK) status = gz_robot_fold(r, error);
    for (size_t i = 0; status == GRAZE_OK && i < a->shape_count; i++)
        status = add_geometry(r, a, i, error);
    if (status == GRAZE_OK && (!gz_robot_bound_last(r, a->shape_count) || !add_pairs(r, a)))
        status = gz_fail_memory(error);
    if (status) {
        graze_robot_free(r);
        return status;
    }
    *out = r;
    gz_error_clear(error);
    return GRAZE_OK;
}

static graze_attachment no_attachment(void) {
    return (graze_attachment){.pose = graze_transform_identity()};
}

GZ_OPTIONS_INIT(graze_attachment, no_attachment)

graze_status graze_robot_attach(graze_robot **out, const graze_robot *robot,
                                const graze_attachment *attachment, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    graze_attachment in;
    GZ_TRY(GZ_OPTIONS_READ(graze_attachment, &in, attachment, error));
    GZ_TRY(check_input(robot, &in, error));
    attaching a = {
        .robot = robot, .input = &in, .shapes = in.shapes, .shape_count = in.shape_count};
    graze_placed_shape own;
    GZ_TRY(gz_placed_shapes(in.geometry, &a.shapes, &a.shape_count, &own, error));
    GZ_TRY(check_shapes(&a, error));
    graze_status status = attach(out, &a, error);
    gz_free(a.touches);
    return status;
}

int32_t graze_robot_attached_to(const graze_robot *r, int32_t link) {
    if (!r || link < 0 || link >= r->link_count || !r->links[link].is_attached) return -1;
    return r->joints[r->links[link].parent_joint].info.parent;
}

// -------------------------------------------------------------------------------------- detaching

static int32_t behind(int32_t index, int32_t removed) {
    return index > removed ? index - 1 : index;
}

/// Takes a link, its joint and its geometries out of a copy.
static void remove_link(graze_robot *r, int32_t link) {
    int32_t joint = r->links[link].parent_joint;
    size_t geometry = r->links[link].first_collision, shapes = r->links[link].collision_count;
    gz_free(r->links[link].name);
    gz_type_clear(&gz_type_joint, &r->joints[joint]);
    for (size_t i = 0; i < shapes; i++)
        gz_type_clear(&gz_type_geometry, &r->collisions[geometry + i]);
    r->link_count--;
    r->joint_count--;
    r->collision_count -= shapes;
    memmove(r->links + link, r->links + link + 1,
            (size_t)(r->link_count - link) * sizeof *r->links);
    memmove(r->joints + joint, r->joints + joint + 1,
            (size_t)(r->joint_count - joint) * sizeof *r->joints);
    memmove(r->collisions + geometry, r->collisions + geometry + shapes,
            (r->collision_count - geometry) * sizeof *r->collisions);
    // Only attached bodies stand behind it, so nothing else has these indices.
    for (int32_t i = link; i < r->link_count; i++) {
        r->links[i].parent_joint = behind(r->links[i].parent_joint, joint);
        r->links[i].first_collision -= shapes;
    }
    for (int32_t i = joint; i < r->joint_count; i++) {
        r->joints[i].info.parent = behind(r->joints[i].info.parent, link);
        r->joints[i].info.child = behind(r->joints[i].info.child, link);
    }
    for (size_t i = geometry; i < r->collision_count; i++)
        r->collisions[i].link = behind(r->collisions[i].link, link);
}

static bool copy_pairs_without(graze_robot *out, const graze_robot *r, int32_t link) {
    for (size_t i = 0; i < r->pair_count; i++) {
        gz_pair p = r->pairs[i];
        if (p.a == link || p.b == link) continue;
        p.a = behind(p.a, link);
        p.b = behind(p.b, link);
        if (!copy_pair(out, &p)) return false;
    }
    return true;
}

static graze_status check_detaching(const graze_robot *r, const char *name, int32_t *link,
                                    graze_error *error) {
    if (!r || !name) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot or name is NULL");
    *link = graze_robot_find_link(r, name);
    if (*link < 0) return fail_link(r, "what is to be detached", name, error);
    if (!r->links[*link].is_attached)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "link '%s' is part of '%s'; allowed: a body that was attached", name,
                       r->name);
    for (int32_t i = 0; i < r->joint_count; i++)
        if (r->joints[i].info.parent == *link)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "'%s' carries '%s'; allowed: after that is detached", name,
                           r->links[r->joints[i].info.child].name);
    return GRAZE_OK;
}

graze_status graze_robot_detach(graze_robot **out, const graze_robot *robot, const char *name,
                                graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    int32_t link = -1;
    GZ_TRY(check_detaching(robot, name, &link, error));
    graze_robot *r = copy_robot(robot, 0, robot->pair_count);
    if (!r) return gz_fail_memory(error);
    remove_link(r, link);
    graze_status status = copy_pairs_without(r, robot, link) ? gz_robot_fold(r, error)
                                                             : gz_fail_memory(error);
    if (status) {
        graze_robot_free(r);
        return status;
    }
    *out = r;
    gz_error_clear(error);
    return GRAZE_OK;
}
