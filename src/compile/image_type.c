#include "compile/image.h"

#include <string.h>

#include "base/random.h"
#include "mesh/cap.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "robot/robot.h"
#include "world/world.h"

// A new value of a structure is one line here, and so is a new array. What is left out is 0 in a
// robot that was compiled (test_image_type.c finds what was forgotten).

#define SIZE_OF(s, f) sizeof(((s *)0)->f)
#define PLACE(s, f)   .name = #f, .offset = offsetof(s, f), .size = SIZE_OF(s, f)
#define PLAIN(s, f)                                                                                \
    { PLACE(s, f), .kind = GZ_FIELD_PLAIN }
#define BOOLEAN(s, f)                                                                              \
    { PLACE(s, f), .kind = GZ_FIELD_BOOL }
#define NUMBERS(s, f)                                                                              \
    { PLACE(s, f), .kind = GZ_FIELD_NUMBERS }
#define BOX(s, f)                                                                                  \
    { PLACE(s, f), .kind = GZ_FIELD_BOX }
#define CHOICE(s, f, max)                                                                          \
    { PLACE(s, f), .kind = GZ_FIELD_CHOICE, .limit = (max) }
#define TEXT(s, f)                                                                                 \
    { PLACE(s, f), .kind = GZ_FIELD_TEXT }
#define MAYBE_TEXT(s, f)                                                                           \
    { PLACE(s, f), .kind = GZ_FIELD_MAYBE_TEXT }
#define MAYBE(s, f, t)                                                                             \
    { PLACE(s, f), .kind = GZ_FIELD_MAYBE, .type = &(t) }
#define COUNT(s, n) .count_offset = offsetof(s, n), .count_size = SIZE_OF(s, n)
#define STRUCTS(s, f, n, t)                                                                        \
    { PLACE(s, f), .kind = GZ_FIELD_STRUCTS, COUNT(s, n), .type = &(t) }
/// `per`: elements of the C array for each that is counted.
#define ARRAY(s, f, n, per)                                                                        \
    {                                                                                              \
        PLACE(s, f), .kind = GZ_FIELD_ARRAY, COUNT(s, n),                                          \
                     .unit = (uint32_t)((per) * sizeof *((s *)0)->f)                               \
    }
#define TYPE(variable, s, table)                                                                   \
    const gz_type variable = {#s, sizeof(s), sizeof(table) / sizeof *(table), table}

// ---------------------------------------------------------------------------------------- meshes

static const gz_field caps_fields[] = {
    ARRAY(gz_caps, apexes, apex_count, 3),
    PLAIN(gz_caps, apex_count),
    ARRAY(gz_caps, triangles, triangle_count, 1),
    PLAIN(gz_caps, triangle_count),
    ARRAY(gz_caps, tree.nodes, tree.node_count, 1),
    ARRAY(gz_caps, tree.node_boxes, tree.node_count, 1),
    PLAIN(gz_caps, tree.node_count),
    ARRAY(gz_caps, tree.leaves, tree.leaf_count, 1),
    ARRAY(gz_caps, tree.leaf_boxes, tree.leaf_count, 1),
    PLAIN(gz_caps, tree.leaf_count),
    PLAIN(gz_caps, tree.root),
};
static TYPE(type_caps, gz_caps, caps_fields);

static const gz_field sketch_fields[] = {
    PLAIN(gz_mesh_proxy, corners),
    PLAIN(gz_mesh_proxy, probes),
    PLAIN(gz_mesh_proxy, center),
    PLAIN(gz_mesh_proxy, half),
    NUMBERS(gz_mesh_proxy, span),
    NUMBERS(gz_mesh_proxy, enclosure),
    NUMBERS(gz_mesh_proxy, shortest),
    PLAIN(gz_mesh_proxy, cover),
    PLAIN(gz_mesh_proxy, cover_count),
    PLAIN(gz_mesh_proxy, fine),
    PLAIN(gz_mesh_proxy, inside.low),
    PLAIN(gz_mesh_proxy, inside.inverse),
    PLAIN(gz_mesh_proxy, inside.pad),
    PLAIN(gz_mesh_proxy, inside.count),
    ARRAY(gz_mesh_proxy, inside.bits, inside.word_count, 1),
    PLAIN(gz_mesh_proxy, inside.word_count),
    PLAIN(gz_mesh_proxy, clearance.low),
    PLAIN(gz_mesh_proxy, clearance.inverse),
    PLAIN(gz_mesh_proxy, clearance.unit),
    PLAIN(gz_mesh_proxy, clearance.step),
    PLAIN(gz_mesh_proxy, clearance.count),
    ARRAY(gz_mesh_proxy, clearance.cells, clearance.cell_count, 1),
    PLAIN(gz_mesh_proxy, clearance.cell_count),
    ARRAY(gz_mesh_proxy, parts, part_count, 1),
    PLAIN(gz_mesh_proxy, part_count),
};
static TYPE(type_sketch, gz_mesh_proxy, sketch_fields);

typedef struct graze_mesh mesh;

static const gz_field mesh_fields[] = {
    PLAIN(mesh, vertex_count),
    PLAIN(mesh, triangle_count),
    ARRAY(mesh, vertices, vertex_count, 3),
    ARRAY(mesh, triangles, triangle_count, 3),
    PLAIN(mesh, given_vertex_count),
    PLAIN(mesh, degenerate_count),
    ARRAY(mesh, component_of, triangle_count, 1),
    ARRAY(mesh, components, component_count, 1),
    PLAIN(mesh, component_count),
    PLAIN(mesh, closed_count),
    BOX(mesh, closed_box),
    MAYBE(mesh, caps, type_caps),
    NUMBERS(mesh, sphere),
    BOX(mesh, aabb),
    NUMBERS(mesh, obb),
    NUMBERS(mesh, reach),
    ARRAY(mesh, nodes, node_count, 1),
    ARRAY(mesh, packets, packet_count, 1),
    ARRAY(mesh, node_boxes, node_count, 1),
    ARRAY(mesh, packet_boxes, packet_count, 1),
    PLAIN(mesh, node_count),
    PLAIN(mesh, packet_count),
    PLAIN(mesh, root),
    ARRAY(mesh, component_nodes, component_node_count, 1),
    PLAIN(mesh, component_node_count),
    PLAIN(mesh, component_root),
    MAYBE(mesh, sketch, type_sketch),
};
TYPE(gz_type_mesh, graze_mesh, mesh_fields);

/// The fields of a gz_shape that is the member `f` of s.
#define SHAPE(s, f)                                                                                \
    CHOICE(s, f.kind, GRAZE_SHAPE_POINTS), MAYBE(s, f.mesh, gz_type_mesh), NUMBERS(s, f.a),        \
        NUMBERS(s, f.b), NUMBERS(s, f.radius), NUMBERS(s, f.sphere), BOX(s, f.aabb),               \
        NUMBERS(s, f.obb)

// ----------------------------------------------------------------------------------------- robots

typedef struct text_slot {
    char *text;
} text_slot;

static const gz_field text_fields[] = {TEXT(text_slot, text)};
static TYPE(type_text, text_slot, text_fields);

static const gz_field warning_fields[] = {
    TEXT(graze_warning, code),    TEXT(graze_warning, message), TEXT(graze_warning, file),
    TEXT(graze_warning, element), PLAIN(graze_warning, line),   PLAIN(graze_warning, column),
    PLAIN(graze_warning, count),
};
static TYPE(type_warning, graze_warning, warning_fields);

static const gz_field geometry_fields[] = {
    TEXT(gz_geometry, name),         PLAIN(gz_geometry, link),
    PLAIN(gz_geometry, element),     CHOICE(gz_geometry, kind, GRAZE_SHAPE_POINTS),
    NUMBERS(gz_geometry, origin),    NUMBERS(gz_geometry, size),
    NUMBERS(gz_geometry, radius),    NUMBERS(gz_geometry, length),
    NUMBERS(gz_geometry, scale),     MAYBE_TEXT(gz_geometry, file),
    MAYBE_TEXT(gz_geometry, uri),    PLAIN(gz_geometry, file_triangle_count),
    BOOLEAN(gz_geometry, has_color), NUMBERS(gz_geometry, color),
    PLAIN(gz_geometry, at),          BOOLEAN(gz_geometry, has_shape),
    SHAPE(gz_geometry, shape),
};
TYPE(gz_type_geometry, gz_geometry, geometry_fields);

static const gz_field link_fields[] = {
    TEXT(gz_link, name),
    PLAIN(gz_link, at),
    PLAIN(gz_link, parent_joint),
    PLAIN(gz_link, body),
    NUMBERS(gz_link, in_body),
    PLAIN(gz_link, first_collision),
    PLAIN(gz_link, collision_count),
    PLAIN(gz_link, triangle_count),
    NUMBERS(gz_link, sphere),
    BOX(gz_link, aabb),
    NUMBERS(gz_link, obb),
    PLAIN(gz_link, skew),
    PLAIN(gz_link, pad),
    PLAIN(gz_link, tilt),
    PLAIN(gz_link, rim),
    BOOLEAN(gz_link, local.empty),
    PLAIN(gz_link, local.triangle_count),
    NUMBERS(gz_link, local.sphere),
    BOX(gz_link, local.aabb),
    NUMBERS(gz_link, local.obb),
    BOOLEAN(gz_link, is_default_disabled),
    BOOLEAN(gz_link, is_attached),
};
static TYPE(type_link, gz_link, link_fields);

static const gz_field joint_fields[] = {
    TEXT(gz_joint, info.name),
    CHOICE(gz_joint, info.type, GRAZE_JOINT_FLOATING),
    PLAIN(gz_joint, info.parent),
    PLAIN(gz_joint, info.child),
    NUMBERS(gz_joint, info.origin),
    NUMBERS(gz_joint, info.axis),
    PLAIN(gz_joint, info.q_index),
    PLAIN(gz_joint, info.q_count),
    BOOLEAN(gz_joint, info.limited),
    PLAIN(gz_joint, info.lower),
    PLAIN(gz_joint, info.upper),
    BOOLEAN(gz_joint, info.has_effort),
    BOOLEAN(gz_joint, info.has_velocity),
    BOOLEAN(gz_joint, info.has_acceleration),
    BOOLEAN(gz_joint, info.has_deceleration),
    BOOLEAN(gz_joint, info.has_jerk),
    PLAIN(gz_joint, info.effort),
    PLAIN(gz_joint, info.velocity),
    PLAIN(gz_joint, info.acceleration),
    PLAIN(gz_joint, info.deceleration),
    PLAIN(gz_joint, info.jerk),
    PLAIN(gz_joint, info.mimic),
    PLAIN(gz_joint, info.multiplier),
    PLAIN(gz_joint, info.offset),
    BOOLEAN(gz_joint, info.passive),
    PLAIN(gz_joint, at),
    PLAIN(gz_joint, parent_at),
    PLAIN(gz_joint, child_at),
    PLAIN(gz_joint, limit_at),
    PLAIN(gz_joint, mimic_at),
    TEXT(gz_joint, parent_name),
    TEXT(gz_joint, child_name),
    MAYBE_TEXT(gz_joint, mimic_name),
    PLAIN(gz_joint, column),
    PLAIN(gz_joint, multiplier),
    PLAIN(gz_joint, offset),
};
static TYPE(type_joint, gz_joint, joint_fields);

static const gz_field body_fields[] = {
    PLAIN(gz_body, root_link), PLAIN(gz_body, parent),
    PLAIN(gz_body, joint),     CHOICE(gz_body, type, GRAZE_JOINT_FLOATING),
    PLAIN(gz_body, column),    PLAIN(gz_body, multiplier),
    PLAIN(gz_body, offset),    NUMBERS(gz_body, origin),
    NUMBERS(gz_body, axis),    NUMBERS(gz_body, still),
    NUMBERS(gz_body, cosine),  NUMBERS(gz_body, sine),
    BOOLEAN(gz_body, moves),   PLAIN(gz_body, error),
    PLAIN(gz_body, value_max),
};
static TYPE(type_body, gz_body, body_fields);

static const gz_field pair_fields[] = {
    PLAIN(gz_pair, a),
    PLAIN(gz_pair, b),
    CHOICE(gz_pair, state, GRAZE_PAIR_TOUCH),
    MAYBE_TEXT(gz_pair, reason),
};
static TYPE(type_pair, gz_pair, pair_fields);

static const gz_field group_fields[] = {
    TEXT(gz_group, name),
    ARRAY(gz_group, joints, joint_count, 1),
    ARRAY(gz_group, links, link_count, 1),
    PLAIN(gz_group, joint_count),
    PLAIN(gz_group, link_count),
};
static TYPE(type_group, gz_group, group_fields);

static const gz_field value_fields[] = {
    PLAIN(gz_state_value, column),
    NUMBERS(gz_state_value, value),
};
static TYPE(type_value, gz_state_value, value_fields);

static const gz_field state_fields[] = {
    TEXT(gz_state, name),
    TEXT(gz_state, group),
    STRUCTS(gz_state, values, value_count, type_value),
    PLAIN(gz_state, value_count),
};
static TYPE(type_state, gz_state, state_fields);

static const gz_field end_effector_fields[] = {
    TEXT(graze_end_effector, name),
    TEXT(graze_end_effector, group),
    TEXT(graze_end_effector, parent_group),
    PLAIN(graze_end_effector, parent_link),
};
static TYPE(type_end_effector, graze_end_effector, end_effector_fields);

static const gz_field virtual_joint_fields[] = {
    TEXT(graze_virtual_joint, name),
    TEXT(graze_virtual_joint, type),
    TEXT(graze_virtual_joint, parent_frame),
    PLAIN(graze_virtual_joint, child),
};
static TYPE(type_virtual_joint, graze_virtual_joint, virtual_joint_fields);

typedef struct graze_robot robot;

static const gz_field robot_fields[] = {
    TEXT(robot, name),
    TEXT(robot, file),
    STRUCTS(robot, links, link_count, type_link),
    STRUCTS(robot, joints, joint_count, type_joint),
    STRUCTS(robot, bodies, body_count, type_body),
    PLAIN(robot, link_count),
    PLAIN(robot, joint_count),
    PLAIN(robot, body_count),
    PLAIN(robot, root),
    STRUCTS(robot, column_names, column_count, type_text),
    ARRAY(robot, column_joints, column_count, 1),
    PLAIN(robot, column_count),
    STRUCTS(robot, collisions, collision_count, gz_type_geometry),
    STRUCTS(robot, visuals, visual_count, gz_type_geometry),
    PLAIN(robot, collision_count),
    PLAIN(robot, visual_count),
    STRUCTS(robot, pairs, pair_count, type_pair),
    PLAIN(robot, pair_count),
    PLAIN(robot, default_margin),
    ARRAY(robot, margins, margin_count, 1),
    PLAIN(robot, margin_count),
    STRUCTS(robot, groups, group_count, type_group),
    STRUCTS(robot, states, state_count, type_state),
    STRUCTS(robot, end_effectors, end_effector_count, type_end_effector),
    STRUCTS(robot, virtual_joints, virtual_joint_count, type_virtual_joint),
    PLAIN(robot, group_count),
    PLAIN(robot, state_count),
    PLAIN(robot, end_effector_count),
    PLAIN(robot, virtual_joint_count),
    STRUCTS(robot, warnings.items, warnings.count, type_warning),
    PLAIN(robot, warnings.count),
};
TYPE(gz_type_robot, graze_robot, robot_fields);

// ----------------------------------------------------------------------------------------- worlds

static const gz_field point_tree_fields[] = {
    ARRAY(gz_point_tree, nodes, node_count, 1),
    ARRAY(gz_point_tree, lowest, node_count, 1),
    PLAIN(gz_point_tree, node_count),
    ARRAY(gz_point_tree, leaves, leaf_count, 1),
    PLAIN(gz_point_tree, leaf_count),
    PLAIN(gz_point_tree, root),
    PLAIN(gz_point_tree, box),
    NUMBERS(gz_point_tree, reach),
};
static TYPE(type_point_tree, gz_point_tree, point_tree_fields);

static const gz_field object_fields[] = {
    TEXT(gz_object, name),
    CHOICE(gz_object, kind, GRAZE_SHAPE_POINTS),
    SHAPE(gz_object, shape),
    ARRAY(gz_object, points, point_count, 3),
    PLAIN(gz_object, point_count),
    MAYBE(gz_object, tree, type_point_tree),
    NUMBERS(gz_object, size),
    NUMBERS(gz_object, radius),
    NUMBERS(gz_object, length),
    NUMBERS(gz_object, pose),
    BOX(gz_object, box),
    NUMBERS(gz_object, posed),
    NUMBERS(gz_object, error),
    MAYBE_TEXT(gz_object, file),
    MAYBE_TEXT(gz_object, uri),
    NUMBERS(gz_object, scale),
    PLAIN(gz_object, file_triangle_count),
    PLAIN(gz_object, line),
    PLAIN(gz_object, name_hash),
};
TYPE(gz_type_object, gz_object, object_fields);

typedef struct object_slot {
    gz_object *object;
} object_slot;

static const gz_field object_slot_fields[] = {MAYBE(object_slot, object, gz_type_object)};
static TYPE(type_object_slot, object_slot, object_slot_fields);

typedef struct graze_world world;

static const gz_field world_fields[] = {
    TEXT(world, name),
    STRUCTS(world, objects, object_count, type_object_slot),
    PLAIN(world, object_count),
    ARRAY(world, name_slots, name_slot_count, 1),
    PLAIN(world, name_slot_count),
    BOOLEAN(world, has_boundary),
    NUMBERS(world, boundary_min),
    NUMBERS(world, boundary_max),
    STRUCTS(world, warnings.items, warnings.count, type_warning),
    PLAIN(world, warnings.count),
    BOOLEAN(world, committed),
    ARRAY(world, entries, entry_count, 1),
    PLAIN(world, entry_count),
    ARRAY(world, nodes, node_count, 1),
    PLAIN(world, node_count),
    PLAIN(world, root),
    NUMBERS(world, extent.error),
    NUMBERS(world, extent.size),
    PLAIN(world, extent.error_count),
    PLAIN(world, extent.size_count),
};
TYPE(gz_type_world, graze_world, world_fields);

// ---------------------------------------------------------------------------------------- sources

static const gz_field source_fields[] = {
    TEXT(gz_source, path),  PLAIN(gz_source, kind), PLAIN(gz_source, known),
    PLAIN(gz_source, size), PLAIN(gz_source, hash),
};
static TYPE(type_source, gz_source, source_fields);

static const gz_field source_list_fields[] = {
    STRUCTS(gz_source_list, items, count, type_source),
    PLAIN(gz_source_list, count),
};
TYPE(gz_type_source_list, gz_source_list, source_list_fields);

// ------------------------------------------------------------------------------------ the tables

static uint64_t add_type(uint64_t hash, const gz_type *type) {
    hash = gz_random_mix(hash ^ type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        const uint32_t parts[] = {f->offset, f->size,         (uint32_t)f->kind, f->limit,
                                  f->unit,   f->count_offset, f->count_size};
        // FNV-1a: this is a good part of what opening a small file takes.
        for (const char *c = f->name; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            hash = (hash ^ parts[k]) * UINT64_C(0x100000001b3);
        hash = gz_random_mix(hash);
        if (f->type) hash = add_type(hash, f->type);
    }
    return hash;
}

uint64_t gz_type_fingerprint(void) {
    // What lies in arrays has a size, too, but no table: its parts are told apart here.
    const uint64_t inside[] = {
        offsetof(gz_node, child),   offsetof(gz_node, count),         offsetof(gz_packet, triangle),
        offsetof(gz_packet, count), offsetof(gz_component, triangle), offsetof(gz_component, box),
        offsetof(gz_entry, box),    offsetof(gz_point_leaf, point),   sizeof(long double)};
    uint64_t hash = 1;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        hash = gz_random_mix(hash ^ inside[i]);
    hash = add_type(hash, &gz_type_source_list);
    hash = add_type(hash, &gz_type_robot);
    return add_type(hash, &gz_type_world);
}

size_t gz_field_count(const gz_field *field, const void *structure) {
    const unsigned char *at = (const unsigned char *)structure + field->count_offset;
    if (field->count_size == sizeof(int32_t)) {
        int32_t count;
        memcpy(&count, at, sizeof count);
        return count < 0 ? SIZE_MAX : (size_t)count;
    }
    size_t count;
    memcpy(&count, at, sizeof count);
    return count;
}
