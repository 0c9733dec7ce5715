// Is a compiled robot what graze makes of its links, joints and meshes?

#include <string.h>

#include "base/memory.h"
#include "compile/proof.h"
#include "math/transform.h"

/// Copies a robot but for all that is derived. Strings and arrays that are not are borrowed.
static bool copy_inputs(graze_robot *anew, const graze_robot *r) {
    *anew = *r;
    anew->root = -1;
    anew->bodies = NULL;
    anew->column_names = NULL;
    anew->column_joints = NULL;
    anew->body_count = 0;
    anew->column_count = 0;
    anew->warnings = (gz_warnings){0};
    anew->links = gz_calloc((size_t)r->link_count, sizeof *anew->links);
    anew->joints = gz_calloc((size_t)r->joint_count, sizeof *anew->joints);
    if (!anew->links || !anew->joints) return false;
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        anew->links[i] = (gz_link){.name = l->name,
                                   .at = l->at,
                                   .parent_joint = -1,
                                   .body = -1,
                                   .is_default_disabled = l->is_default_disabled,
                                   .is_attached = l->is_attached};
    }
    for (int32_t i = 0; i < r->joint_count; i++) {
        gz_joint *j = &anew->joints[i];
        *j = r->joints[i];
        j->info.parent = j->info.child = j->info.q_index = j->info.mimic = -1;
        j->info.q_count = j->column = 0;
        j->multiplier = j->offset = 0;
    }
    return true;
}

static void free_derived(graze_robot *anew) {
    for (size_t i = 0; i < anew->column_count; i++) gz_free(anew->column_names[i]);
    gz_free(anew->column_names);
    gz_free(anew->column_joints);
    gz_free(anew->bodies);
    gz_free(anew->links);
    gz_free(anew->joints);
}

/// Makes each geometry's shape anew in the frame of its body.
static graze_status prove_geometries(const graze_robot *anew, bool visual, graze_error *error) {
    const gz_geometry *list = visual ? anew->visuals : anew->collisions;
    size_t count = visual ? anew->visual_count : anew->collision_count;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) {
        gz_geometry g = list[i];
        graze_transform place;
        gz_transform_compose(anew->links[g.link].in_body.m, g.origin.m, place.m);
        g.element = i && list[i - 1].link == g.link ? list[i - 1].element + 1 : 0;
        const gz_proof_input input = {g.kind, g.size,       g.radius,    g.length,
                                      &place, g.shape.mesh, GZ_MESH_LINK};
        g.shape = (gz_shape){0};
        if (g.has_shape) status = gz_proof_shape(&g.shape, &input, error);
        if (status == GRAZE_OK)
            status = gz_proof_compare(&gz_type_geometry, &list[i], &g,
                                      visual ? "visual geometry" : "collision geometry", i, error);
        gz_shape_clear(&g.shape);
    }
    return status;
}

graze_status gz_robot_prove(const graze_robot *r, graze_error *error) {
    graze_robot anew;
    graze_status status = copy_inputs(&anew, r) ? GRAZE_OK : gz_fail_memory(error);
    // As gz_builder_finish().
    if (status == GRAZE_OK) status = gz_robot_connect(&anew, error);
    gz_warnings_free(&anew.warnings);
    anew.warnings = r->warnings;
    if (status == GRAZE_OK) status = gz_robot_fold(&anew, error);
    if (status == GRAZE_OK && !gz_robot_analyse(&anew)) status = gz_fail_memory(error);
    if (status == GRAZE_OK) status = prove_geometries(&anew, false, error);
    if (status == GRAZE_OK) status = prove_geometries(&anew, true, error);
    if (status == GRAZE_OK && !gz_robot_bound(&anew)) status = gz_fail_memory(error);
    if (status == GRAZE_OK) status = gz_proof_compare(&gz_type_robot, r, &anew, "robot", 0, error);
    free_derived(&anew);
    return status;
}
