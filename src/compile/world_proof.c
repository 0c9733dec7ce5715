// Is a compiled world what graze makes of its objects?

#include "base/memory.h"
#include "compile/proof.h"

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
                        .file = o->file,
                        .uri = o->uri,
                        .scale = {o->scale[0], o->scale[1], o->scale[2]},
                        .file_triangle_count = o->file_triangle_count,
                        .line = o->line,
                        .name_hash = gz_object_hash(o->name)};
    graze_status status = gz_object_check_pose(&o->pose, error);
    if (status) return status;
    if (o->kind == GRAZE_SHAPE_POINTS) {
        anew->tree = gz_point_tree_build(o->points, o->point_count);
        if (!anew->tree) return gz_fail_memory(error);
    } else {
        const gz_proof_input input = {o->kind,   o->size,       o->radius,     o->length,
                                      &identity, o->shape.mesh, GZ_MESH_OBJECT};
        status = gz_proof_shape(&anew->shape, &input, error);
        if (status) return status;
    }
    return gz_object_place(anew, error);
}

static graze_status prove_object(const gz_object *o, size_t index, graze_error *error) {
    gz_object anew;
    graze_status status = make_object(&anew, o, error);
    if (status == GRAZE_OK)
        status = gz_proof_compare(&gz_type_object, o, &anew, "object", index, error);
    gz_point_tree_free(anew.tree);
    gz_shape_clear(&anew.shape);
    return status;
}

/// The table of names may have room for more: it is right where every name is found, as it has as
/// many entries as there are objects.
static graze_status prove_names(const graze_world *w, graze_error *error) {
    for (size_t i = 0; i < w->object_count; i++)
        if (gz_world_find(w, w->objects[i]->name, w->objects[i]->name_hash) != (int32_t)i)
            return gz_fail(error, GRAZE_ERROR_MESH,
                           "object %zu is not found by its name; allowed: compile it anew", i);
    return GRAZE_OK;
}

graze_status gz_world_prove(const graze_world *w, graze_error *error) {
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < w->object_count; i++)
        status = prove_object(w->objects[i], i, error);
    if (status == GRAZE_OK) status = prove_names(w, error);
    if (status) return status;
    // Entries, the tree over them, and the extent.
    graze_world anew = *w;
    anew.entries = NULL;
    anew.nodes = NULL;
    status = gz_world_settle(&anew, error);
    if (status) return status;
    status = gz_proof_compare(&gz_type_world, w, &anew, "world", 0, error);
    gz_free(anew.entries);
    gz_free(anew.nodes);
    return status;
}
