#include "mesh/mesh_type.h"

#include "mesh/cap.h"
#include "mesh/prefilter/mesh_proxy.h"

static const gz_field caps_fields[] = {
    GZ_ARRAY(gz_caps, apexes, apex_count, 3),
    GZ_VALUE(gz_caps, apex_count),
    GZ_ARRAY(gz_caps, triangles, triangle_count, 1),
    GZ_VALUE(gz_caps, triangle_count),
    GZ_ARRAY(gz_caps, tree.nodes, tree.node_count, 1),
    GZ_ARRAY(gz_caps, tree.node_boxes, tree.node_count, 1),
    GZ_VALUE(gz_caps, tree.node_count),
    GZ_ARRAY(gz_caps, tree.leaves, tree.leaf_count, 1),
    GZ_ARRAY(gz_caps, tree.leaf_boxes, tree.leaf_count, 1),
    GZ_VALUE(gz_caps, tree.leaf_count),
    GZ_VALUE(gz_caps, tree.root),
};
static GZ_TYPE_TABLE(type_caps, gz_caps, caps_fields);

static const gz_field proxy_fields[] = {
    GZ_VALUE(gz_mesh_proxy, corners),
    GZ_VALUE(gz_mesh_proxy, probes),
    GZ_VALUE(gz_mesh_proxy, center),
    GZ_VALUE(gz_mesh_proxy, half),
    GZ_NUMBERS(gz_mesh_proxy, span),
    GZ_NUMBERS(gz_mesh_proxy, enclosure),
    GZ_NUMBERS(gz_mesh_proxy, shortest),
    GZ_VALUE(gz_mesh_proxy, spheres),
    GZ_VALUE(gz_mesh_proxy, sphere_count),
    GZ_VALUE(gz_mesh_proxy, fine),
    GZ_VALUE(gz_mesh_proxy, inside.low),
    GZ_VALUE(gz_mesh_proxy, inside.inverse),
    GZ_VALUE(gz_mesh_proxy, inside.pad),
    GZ_VALUE(gz_mesh_proxy, inside.count),
    GZ_ARRAY(gz_mesh_proxy, inside.bits, inside.word_count, 1),
    GZ_VALUE(gz_mesh_proxy, inside.word_count),
    GZ_VALUE(gz_mesh_proxy, clearance.low),
    GZ_VALUE(gz_mesh_proxy, clearance.inverse),
    GZ_VALUE(gz_mesh_proxy, clearance.unit),
    GZ_VALUE(gz_mesh_proxy, clearance.step),
    GZ_VALUE(gz_mesh_proxy, clearance.count),
    GZ_ARRAY(gz_mesh_proxy, clearance.cells, clearance.cell_count, 1),
    GZ_VALUE(gz_mesh_proxy, clearance.cell_count),
    GZ_ARRAY(gz_mesh_proxy, parts, part_count, 1),
    GZ_VALUE(gz_mesh_proxy, part_count),
};
static GZ_TYPE_TABLE(type_proxy, gz_mesh_proxy, proxy_fields);

typedef struct graze_mesh mesh;

static const gz_field mesh_fields[] = {
    GZ_VALUE(mesh, vertex_count),
    GZ_VALUE(mesh, triangle_count),
    GZ_ARRAY(mesh, vertices, vertex_count, 3),
    GZ_ARRAY(mesh, triangles, triangle_count, 3),
    GZ_VALUE(mesh, given_vertex_count),
    GZ_VALUE(mesh, degenerate_count),
    GZ_ARRAY(mesh, component_of, triangle_count, 1),
    GZ_ARRAY(mesh, components, component_count, 1),
    GZ_VALUE(mesh, component_count),
    GZ_VALUE(mesh, closed_count),
    GZ_BOX(mesh, closed_box),
    GZ_MAYBE(mesh, caps, type_caps),
    GZ_NUMBERS(mesh, sphere),
    GZ_BOX(mesh, aabb),
    GZ_NUMBERS(mesh, obb),
    GZ_NUMBERS(mesh, max_abs),
    GZ_ARRAY(mesh, nodes, node_count, 1),
    GZ_ARRAY(mesh, packets, packet_count, 1),
    GZ_ARRAY(mesh, node_boxes, node_count, 1),
    GZ_ARRAY(mesh, packet_boxes, packet_count, 1),
    GZ_VALUE(mesh, node_count),
    GZ_VALUE(mesh, packet_count),
    GZ_VALUE(mesh, root),
    GZ_ARRAY(mesh, component_nodes, component_node_count, 1),
    GZ_VALUE(mesh, component_node_count),
    GZ_VALUE(mesh, component_root),
    GZ_MAYBE(mesh, proxy, type_proxy),
};
static void hold(const void *structure) {
    gz_mesh_hold((struct graze_mesh *)(uintptr_t)structure);
}

static void drop(void *structure) {
    graze_mesh_free(structure);
}

const gz_type gz_type_mesh = {.name = "graze_mesh",
                              .size = sizeof(mesh),
                              .field_count = sizeof mesh_fields / sizeof *mesh_fields,
                              .fields = mesh_fields,
                              .hold = hold,
                              .drop = drop};
