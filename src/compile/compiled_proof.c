/// Is what a compiled file says derived from what it is given? Whole robots and worlds are made
/// anew from their inputs, as loading makes them, and compared bit for bit.
///
/// Inputs, which are trusted: vertices and triangles of meshes; of shapes their kind, sizes and
/// origin; points and their radius; poses of objects; of links and joints all that a URDF says of
/// them; pairs, margins, groups, states, end effectors and virtual joints; whether there are tables
/// of pairs, and of how many cells; the boundary of a world; names, files, colours, places in files
/// and warnings. Whatever else a structure has is made anew.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "compile/compiled_file.h"
#include "compile/image.h"
#include "graze/tables.h"
#include "math/transform.h"
#include "mesh/mesh.h"
#include "robot/robot.h"
#include "world/world.h"

/// What a shape is made of: sizes and an origin, or the vertices and triangles of a mesh.
typedef struct proof_input {
    graze_shape kind;
    const double *size;
    double radius, length;
    const graze_transform *origin;
    const graze_mesh *mesh; ///< the mesh that the file has for it; NULL for curved shapes
    gz_mesh_role role;
} proof_input;

// Is what a compiled file derived from its meshes and joints what this graze derives from them?

/// Whether a structure is what was made anew; GRAZE_ERROR_MESH, which calls it "WHAT INDEX".
static graze_status compare(const gz_type *type, const void *said, const void *anew,
                            const char *what, size_t index, graze_error *error) {
    const char *field = gz_image_difference(type, said, anew);
    return field ? gz_fail(error, GRAZE_ERROR_MESH,
                           "%s %zu: '%s' is not what graze makes of it; allowed: compile it anew",
                           what, index, field)
                 : GRAZE_OK;
}

static graze_status make_mesh(graze_mesh **anew, const graze_mesh *mesh, gz_mesh_role role,
                              graze_error *error) {
    GZ_TRY(gz_mesh_validate(mesh, error));
    const gz_soup soup = {.vertices = mesh->vertices,
                          .vertex_count = mesh->vertex_count,
                          .triangles = mesh->triangles,
                          .triangle_count = mesh->triangle_count};
    GZ_TRY(gz_mesh_build(anew, &soup, NULL, false, role, error));
    (*anew)->given_vertex_count = mesh->given_vertex_count;
    return GRAZE_OK;
}

/// Makes a shape anew, free it with gz_shape_clear(), and proves that the boxes of the mesh that
/// the file has hold what is below them.
static graze_status make_shape(gz_shape *out, const proof_input *in, graze_error *error) {
    *out = (gz_shape){0};
    if (in->kind == GRAZE_SHAPE_MESH) {
        graze_mesh *mesh;
        GZ_TRY(make_mesh(&mesh, in->mesh, in->role, error));
        gz_shape_mesh(out, mesh);
        return GRAZE_OK;
    }
    GZ_TRY(gz_shape_check(in->kind, in->size, in->radius, in->length, error));
    GZ_TRY(gz_shape_primitive(out, in->kind, in->size, in->radius, in->length, in->origin, error));
    return in->mesh ? gz_mesh_validate(in->mesh, error) : GRAZE_OK;
}

// Is a compiled robot what graze makes of its links, joints and meshes?

/// Makes each geometry's shape anew in the frame of its body.
static graze_status prove_geometries(const graze_robot *r, bool visual, graze_error *error) {
    const gz_geometry *list = visual ? r->visuals : r->collisions;
    size_t count = visual ? r->visual_count : r->collision_count;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        gz_geometry g = list[i];
        graze_transform place;
        gz_transform_compose(r->links[g.link].in_body.m, g.origin.m, place.m);
        g.element = i && list[i - 1].link == g.link ? list[i - 1].element + 1 : 0;
        const proof_input input = {g.kind, g.size,       g.radius,    g.length,
                                   &place, g.shape.mesh, GZ_MESH_LINK};
        g.shape = (gz_shape){0};
        if (g.has_shape) status = make_shape(&g.shape, &input, error);
        if (status == GRAZE_OK)
            status = compare(&gz_type_geometry, &list[i], &g,
                             visual ? "visual geometry" : "collision geometry", i, error);
        gz_shape_clear(&g.shape);
    }
    return status;
}

/// Makes the tables anew, which are of as many cells in one column as in two by its fourth part.
static graze_status prove_tables(const graze_robot *r, graze_error *error) {
    if (!r->table_count) return GRAZE_OK;
    const gz_pair_table *first = &r->tables[0];
    graze_tabulate_options options = graze_tabulate_options_default();
    options.cells = (uint32_t)(first->columns[1] < 0 ? first->counts[0] / 4 : first->counts[0]);
    graze_robot *anew;
    GZ_TRY(graze_robot_tabulate(&anew, r, &options, error));
    graze_status status = anew->table_count == r->table_count
                              ? GRAZE_OK
                              : gz_fail(error, GRAZE_ERROR_MESH,
                                        "%zu tables; allowed: %zu, which its pairs have",
                                        r->table_count, anew->table_count);
    for (size_t i = 0; status == GRAZE_OK && i < r->table_count; i++)
        status = compare(&gz_type_pair_table, &r->tables[i], &anew->tables[i], "table", i, error);
    graze_robot_free(anew);
    return status;
}

/// GRAZE_ERROR_NO_MEMORY, or any other error where it is not what graze makes. Its tree, bodies and
/// columns have been made anew to be opened.
static graze_status prove_robot(const graze_robot *r, graze_error *error) {
    GZ_TRY(prove_geometries(r, false, error));
    GZ_TRY(prove_geometries(r, true, error));
    GZ_TRY(prove_tables(r, error));
    graze_robot anew = *r;
    anew.links = gz_calloc((size_t)r->link_count, sizeof *anew.links);
    for (int32_t i = 0; anew.links && i < r->link_count; i++) {
        const gz_link *l = &r->links[i]; // all but its bounds
        anew.links[i] = (gz_link){.name = l->name,
                                  .at = l->at,
                                  .parent_joint = l->parent_joint,
                                  .body = l->body,
                                  .in_body = l->in_body,
                                  .skew = l->skew,
                                  .is_default_disabled = l->is_default_disabled,
                                  .is_attached = l->is_attached};
    }
    bool bounded = anew.links && gz_robot_bound(&anew);
    graze_status status = bounded ? compare(&gz_type_robot, r, &anew, "robot", 0, error)
                                  : gz_fail_memory(error);
    gz_free(anew.links);
    return status;
}

// Is a compiled world what graze makes of its objects?

/// Makes an object anew from its inputs; its name, points and files are borrowed. What has been
/// made is the caller's to free, whatever is returned.
static graze_status make_object(gz_object *anew, const gz_object *o, graze_error *error) {
    static const graze_transform identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    *anew = (gz_object){.name = o->name,
                        .kind = o->kind,
                        .points = o->points,
                        .point_count = o->point_count,
                        .size = {o->size[0], o->size[1], o->size[2]},
                        .radius = o->radius,
                        .length = o->length,
                        .pose = o->pose,
                        .in_object = o->in_object,
                        .element = o->element,
                        .file = o->file,
                        .uri = o->uri,
                        .scale = {o->scale[0], o->scale[1], o->scale[2]},
                        .file_triangle_count = o->file_triangle_count,
                        .line = o->line,
                        .name_hash = gz_object_hash(o->name)};
    GZ_TRY(gz_object_check_pose(&o->pose, error));
    if (o->kind == GRAZE_SHAPE_POINTS) {
        anew->tree = gz_point_tree_build(o->points, o->point_count);
        if (!anew->tree) return gz_fail_memory(error);
    } else {
        const proof_input input = {o->kind,   o->size,       o->radius,     o->length,
                                   &identity, o->shape.mesh, GZ_MESH_OBJECT};
        GZ_TRY(make_shape(&anew->shape, &input, error));
    }
    return gz_object_place(anew, error);
}

static graze_status prove_object(const gz_object *o, size_t index, graze_error *error) {
    gz_object anew;
    graze_status status = make_object(&anew, o, error);
    if (status == GRAZE_OK) status = compare(&gz_type_object, o, &anew, "object", index, error);
    gz_point_tree_free(anew.tree);
    gz_shape_clear(&anew.shape);
    return status;
}

/// The table of names may have room for more: it is right where every name is found, as it has as
/// many entries as there are objects.
static graze_status prove_names(const graze_world *w, graze_error *error) {
    for (size_t i = 0; i < w->object_count; i++)
        if (gz_world_find(w, w->objects[i]->name, w->objects[i]->name_hash) !=
            (int32_t)i - w->objects[i]->element)
            return gz_fail(error, GRAZE_ERROR_MESH,
                           "object %zu is not found by its name; allowed: compile it anew", i);
    return GRAZE_OK;
}

static graze_status prove_world(const graze_world *w, graze_error *error) {
    for (size_t i = 0; i < w->object_count; i++) GZ_TRY(prove_object(w->objects[i], i, error));
    GZ_TRY(prove_names(w, error));
    // The tree over the objects, and the extent.
    graze_world anew = *w;
    GZ_TRY(gz_world_build_tree(&anew, error));
    graze_status status = compare(&gz_type_world, w, &anew, "world", 0, error);
    gz_free(anew.nodes);
    return status;
}

/// Inputs that graze refuses are as little a proof as what differs.
static graze_status conclude(graze_status status, graze_error *error) {
    if (status == GRAZE_OK || status == GRAZE_ERROR_NO_MEMORY) return status;
    if (error) error->status = GRAZE_ERROR_MESH;
    return GRAZE_ERROR_MESH;
}

graze_status graze_compiled_verify(const graze_compiled *c, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!c) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "compiled is NULL; allowed: an open file");
    graze_status status = GRAZE_OK;
    if (graze_compiled_has_robot(c)) {
        graze_robot *robot;
        status = graze_compiled_robot(&robot, c, error);
        if (status == GRAZE_OK) status = conclude(prove_robot(robot, error), error);
        graze_robot_free(robot);
    }
    if (status == GRAZE_OK && graze_compiled_has_world(c)) {
        graze_world *world;
        status = graze_compiled_world(&world, c, error);
        if (status == GRAZE_OK) status = conclude(prove_world(world, error), error);
        graze_world_free(world);
    }
    if (status)
        gz_error_locate(error, (gz_place){.file = c->name});
    else
        gz_error_clear(error);
    return status;
}
