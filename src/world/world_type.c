#include "world/world.h"

#include "mesh/shape.h"

static const gz_field point_tree_fields[] = {
    GZ_ARRAY(gz_point_tree, nodes, node_count, 1),
    GZ_ARRAY(gz_point_tree, lowest, node_count, 1),
    GZ_SIZE(gz_point_tree, node_count),
    GZ_ARRAY(gz_point_tree, leaves, leaf_count, 1),
    GZ_SIZE(gz_point_tree, leaf_count),
    GZ_VALUE(gz_point_tree, root),
    GZ_VALUE(gz_point_tree, box),
    GZ_NUMBERS(gz_point_tree, max_abs),
};
static GZ_TYPE_TABLE(type_point_tree, gz_point_tree, point_tree_fields);

static const gz_field object_fields[] = {
    GZ_TEXT(gz_object, name),
    GZ_CHOICE(gz_object, kind, GRAZE_SHAPE_PLANE),
    GZ_SHAPE_FIELDS(gz_object, shape),
    GZ_ARRAY(gz_object, points, point_count, 3),
    GZ_SIZE(gz_object, point_count),
    GZ_MAYBE(gz_object, tree, type_point_tree),
    GZ_NUMBERS(gz_object, size),
    GZ_NUMBERS(gz_object, radius),
    GZ_NUMBERS(gz_object, length),
    GZ_NUMBERS(gz_object, pose),
    GZ_NUMBERS(gz_object, in_object),
    GZ_VALUE(gz_object, element),
    GZ_BOX(gz_object, box),
    GZ_NUMBERS(gz_object, posed),
    GZ_NUMBERS(gz_object, error),
    GZ_MAYBE_TEXT(gz_object, file),
    GZ_MAYBE_TEXT(gz_object, uri),
    GZ_NUMBERS(gz_object, scale),
    GZ_SIZE(gz_object, file_triangle_count),
    GZ_VALUE(gz_object, line),
    GZ_VALUE(gz_object, name_hash),
};

static void hold(const void *structure) {
    gz_object_hold(structure);
}

static void drop(void *structure) {
    gz_object_drop(structure);
}

const gz_type gz_type_object = {.name = "gz_object",
                                .size = sizeof(gz_object),
                                .field_count = sizeof object_fields / sizeof *object_fields,
                                .fields = object_fields,
                                .hold = hold,
                                .drop = drop};

typedef struct object_slot {
    gz_object *object;
} object_slot;

static const gz_field object_slot_fields[] = {GZ_MAYBE(object_slot, object, gz_type_object)};
static GZ_TYPE_TABLE(type_object_slot, object_slot, object_slot_fields);

typedef struct graze_world world;

static const gz_field world_fields[] = {
    GZ_TEXT(world, name),
    GZ_STRUCTS(world, objects, object_count, type_object_slot),
    GZ_SIZE(world, object_count),
    GZ_ARRAY(world, name_slots, name_slot_count, 1),
    GZ_SIZE(world, name_slot_count),
    GZ_BOOLEAN(world, has_boundary),
    GZ_NUMBERS(world, boundary_min),
    GZ_NUMBERS(world, boundary_max),
    GZ_STRUCTS(world, warnings.items, warnings.count, gz_type_warning),
    GZ_SIZE(world, warnings.count),
    GZ_BOOLEAN(world, committed),
    GZ_ARRAY(world, nodes, node_count, 1),
    GZ_SIZE(world, node_count),
    GZ_VALUE(world, root),
    GZ_NUMBERS(world, extent.error),
    GZ_NUMBERS(world, extent.size),
    GZ_NUMBERS(world, extent.frame),
    GZ_SIZE(world, extent.error_count),
    GZ_SIZE(world, extent.size_count),
    GZ_SIZE(world, extent.frame_count),
    GZ_SIZE(world, extent.unbounded_count),
};
GZ_TYPE_TABLE(gz_type_world, graze_world, world_fields);
