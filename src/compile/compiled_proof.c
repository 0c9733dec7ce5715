// Is what a compiled file derived from its meshes and joints what this graze derives from them?

#include "base/float_environment.h"
#include "compile/compiled_file.h"
#include "compile/proof.h"
#include "mesh/mesh.h"

graze_status gz_proof_compare(const gz_type *type, const void *said, const void *anew,
                              const char *what, size_t index, graze_error *error) {
    const char *field = gz_image_difference(type, said, anew);
    return field ? gz_fail(error, GRAZE_ERROR_MESH,
                           "%s %zu: '%s' is not what graze makes of it; allowed: compile it anew",
                           what, index, field)
                 : GRAZE_OK;
}

static graze_status make_mesh(graze_mesh **anew, const graze_mesh *mesh, gz_mesh_role role,
                              graze_error *error) {
    graze_status status = gz_mesh_validate(mesh, error);
    if (status) return status;
    const gz_soup soup = {.vertices = mesh->vertices,
                          .vertex_count = mesh->vertex_count,
                          .triangles = mesh->triangles,
                          .triangle_count = mesh->triangle_count};
    status = gz_mesh_build(anew, &soup, NULL, false, role, error);
    if (status == GRAZE_OK) (*anew)->given_vertex_count = mesh->given_vertex_count;
    return status;
}

graze_status gz_proof_shape(gz_shape *out, const gz_proof_input *in, graze_error *error) {
    *out = (gz_shape){0};
    if (in->kind == GRAZE_SHAPE_MESH) {
        graze_mesh *mesh;
        graze_status status = make_mesh(&mesh, in->mesh, in->role, error);
        if (status == GRAZE_OK) gz_shape_mesh(out, mesh);
        return status;
    }
    graze_status status = gz_shape_check(in->kind, in->size, in->radius, in->length, error);
    if (status == GRAZE_OK)
        status = gz_shape_primitive(out, in->kind, in->size, in->radius, in->length, in->origin,
                                    error);
    if (status == GRAZE_OK && in->mesh) status = gz_mesh_validate(in->mesh, error);
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
        status = graze_compiled_robot(c, &robot, error);
        if (status == GRAZE_OK) status = conclude(gz_robot_prove(robot, error), error);
        graze_robot_free(robot);
    }
    if (status == GRAZE_OK && graze_compiled_has_world(c)) {
        graze_world *world;
        status = graze_compiled_world(c, &world, error);
        if (status == GRAZE_OK) status = conclude(gz_world_prove(world, error), error);
        graze_world_free(world);
    }
    if (status)
        gz_error_locate(error, (gz_place){.file = c->name});
    else
        gz_error_clear(error);
    return status;
}
