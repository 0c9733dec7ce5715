// What a world says of itself.

#include <string.h>

#include "world/world.h"

const char *graze_world_name(const graze_world *world) {
    return world ? world->name : NULL;
}

size_t graze_world_object_count(const graze_world *world) {
    return world ? world->object_count : 0;
}

graze_status graze_world_object(const graze_world *world, size_t index, graze_geometry *geometry) {
    if (!world || !geometry || index >= world->object_count) return GRAZE_ERROR_ARGUMENT;
    const gz_object *object = gz_world_at(world, index);
    *geometry = (graze_geometry){.name = object->name,
                                 .owner = (int32_t)index,
                                 .shape = object->kind,
                                 .origin = object->pose,
                                 .frame = -1,
                                 .radius = object->radius,
                                 .length = object->length,
                                 .file = object->file,
                                 .uri = object->uri,
                                 .file_triangle_count = object->file_triangle_count,
                                 .line = object->line};
    memcpy(geometry->size, object->size, sizeof geometry->size);
    memcpy(geometry->scale, object->scale, sizeof geometry->scale);
    const graze_mesh *mesh = object->shape.mesh;
    if (object->kind == GRAZE_SHAPE_POINTS) {
        geometry->vertex_count = object->point_count;
        geometry->vertices = object->points;
    } else if (mesh) {
        geometry->vertex_count = mesh->vertex_count;
        geometry->vertices = mesh->vertices;
        geometry->triangle_count = mesh->triangle_count;
        geometry->triangles = mesh->triangles;
        geometry->degenerate_count = mesh->degenerate_count;
        geometry->component_count = mesh->component_count;
        geometry->closed_count = mesh->closed_count;
        geometry->mesh = mesh;
    } else {
        memcpy(geometry->ends[0], object->shape.a, sizeof geometry->ends[0]);
        memcpy(geometry->ends[1], object->shape.b, sizeof geometry->ends[1]);
    }
    return GRAZE_OK;
}

int32_t graze_world_find_object(const graze_world *world, const char *name) {
    return world && name ? gz_world_find(world, name, gz_object_hash(name)) : -1;
}

bool graze_world_boundary(const graze_world *world, double min[3], double max[3]) {
    if (!world || !world->has_boundary) return false;
    if (min) memcpy(min, world->boundary_min, sizeof world->boundary_min);
    if (max) memcpy(max, world->boundary_max, sizeof world->boundary_max);
    return true;
}

size_t graze_world_warning_count(const graze_world *world) {
    return world ? world->warnings.count : 0;
}

graze_warning graze_world_warning(const graze_world *world, size_t index) {
    if (!world || index >= world->warnings.count)
        return (graze_warning){.code = "", .message = "", .file = "", .element = ""};
    return world->warnings.items[index];
}
