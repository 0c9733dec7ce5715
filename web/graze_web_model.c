// What a scene is made of: joints, geometries, bounds, pairs.

#include "graze_web_scene.h"

GRAZE_WEB_API graze_status graze_web_joint(const graze_web *web, int32_t joint, double *row) {
    graze_joint_info j;
    graze_status status = graze_robot_joint(web->robot, joint, &j);
    if (status != GRAZE_OK) return status;
    row = put_pointer(row, j.name);
    row = put(put(put(row, j.type), j.parent), j.child);
    row = put_vector(put_all(row, j.origin.m, 12), j.axis);
    row = put(put(put(row, j.q_index), j.q_count), j.limited);
    row = put(put(put(row, j.lower), j.upper), j.velocity);
    put(put(put(put(row, j.mimic), j.multiplier), j.offset), j.passive);
    return GRAZE_OK;
}

GRAZE_WEB_API size_t graze_web_geometry_count(const graze_web *web, graze_web_kind kind) {
    if (kind == GRAZE_WEB_COLLISION) return graze_robot_collision_count(web->robot);
    if (kind == GRAZE_WEB_VISUAL) return graze_robot_visual_count(web->robot);
    return graze_world_object_count(web->world);
}

static graze_status geometry_at(const graze_web *web, graze_web_kind kind, size_t index,
                                graze_geometry *g) {
    return kind == GRAZE_WEB_COLLISION ? graze_robot_collision(web->robot, index, g)
           : kind == GRAZE_WEB_VISUAL  ? graze_robot_visual(web->robot, index, g)
                                       : graze_world_object(web->world, index, g);
}

GRAZE_WEB_API graze_status graze_web_geometry(const graze_web *web, graze_web_kind kind,
                                              size_t index, double *row) {
    graze_geometry g;
    graze_status status = geometry_at(web, kind, index, &g);
    if (status != GRAZE_OK) return status;
    row = put_pointer(put_pointer(row, g.name), g.uri);
    row = put(put(put(put(row, g.owner), g.element), g.shape), g.frame);
    row = put_all(put_all(put_all(row, g.origin.m, 12), g.size, 3), g.scale, 3);
    row = put(put(row, g.radius), g.length);
    row = put_pointer(put(row, (double)g.vertex_count), g.vertices);
    row = put_pointer(put(row, (double)g.triangle_count), g.triangles);
    row = put(put_all(row, &g.ends[0][0], 6), g.has_color);
    put_all(row, g.color, 4);
    return GRAZE_OK;
}

GRAZE_WEB_API bool graze_web_is_closed(const graze_web *web, graze_web_kind kind, size_t index) {
    graze_geometry g;
    if (geometry_at(web, kind, index, &g) != GRAZE_OK) return false;
    if (g.shape != GRAZE_SHAPE_MESH) return true;
    graze_solid_report r = {0};
    return graze_mesh_solids(g.mesh, &r, NULL, 0, NULL) == GRAZE_OK && r.open_count == 0 &&
           r.reversed_count == r.cavity_count;
}

GRAZE_WEB_API size_t graze_web_tree_level(const graze_web *web, graze_web_kind kind, size_t index,
                                          uint32_t level, graze_aabb *boxes, size_t capacity) {
    graze_geometry g;
    if (geometry_at(web, kind, index, &g) != GRAZE_OK) return 0;
    return graze_mesh_tree_level(g.mesh, level, boxes, capacity);
}

GRAZE_WEB_API graze_status graze_web_bounds(const graze_web *web, int32_t link, double *row) {
    graze_link_bounds b;
    graze_status status = graze_robot_link_bounds(web->robot, link, &b);
    if (status != GRAZE_OK) return status;
    row = put(put(row, b.empty), (double)b.triangle_count);
    row = put(put_vector(row, b.sphere.center), b.sphere.radius);
    row = put_vector(put_vector(row, b.aabb.min), b.aabb.max);
    row = put_vector(row, b.obb.center);
    for (int k = 0; k < 3; k++) row = put_vector(row, b.obb.axis[k]);
    put_vector(row, b.obb.half);
    return GRAZE_OK;
}

GRAZE_WEB_API graze_status graze_web_pair(const graze_web *web, size_t index, double *row) {
    graze_pair pair;
    graze_status status = graze_robot_pair(web->robot, index, &pair);
    if (status != GRAZE_OK) return status;
    put_pointer(put(put(put(row, pair.a), pair.b), pair.state), pair.reason);
    return GRAZE_OK;
}

GRAZE_WEB_API bool graze_web_boundary(const graze_web *web, double row[6]) {
    return graze_world_boundary(web->world, row, row + 3);
}

GRAZE_WEB_API graze_status graze_web_state(const graze_web *web, size_t index, double row[2]) {
    const char *name, *group;
    graze_status status = graze_robot_state(web->robot, index, &name, &group);
    if (status == GRAZE_OK) put_pointer(put_pointer(row, name), group);
    return status;
}

GRAZE_WEB_API double graze_web_epsilon(const graze_web *web) {
    return graze_checker_epsilon(web->checker);
}
