#include "fcl_meshes.h"

#include <fcl/fcl.h>

struct fcl_mesh {
    fcl::BVHModel<fcl::OBBRSSd> model;
};

fcl_mesh *fcl_mesh_create(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                          size_t triangle_count) {
    fcl_mesh *mesh = new fcl_mesh;
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> faces;
    for (size_t i = 0; i < vertex_count; i++) points.emplace_back(vertices + 3 * i);
    for (size_t i = 0; i < triangle_count; i++)
        faces.emplace_back(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
    mesh->model.beginModel((int)triangle_count, (int)vertex_count);
    mesh->model.addSubModel(points, faces);
    mesh->model.endModel();
    return mesh;
}

void fcl_mesh_free(fcl_mesh *mesh) {
    delete mesh;
}

static fcl::Transform3d transform(const double m[12]) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) out.matrix()(r, c) = m[4 * r + c];
    return out;
}

bool fcl_meshes_overlap(const fcl_mesh *a, const double pose_a[12], const fcl_mesh *b,
                        const double pose_b[12]) {
    static const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    fcl::collide(&a->model, transform(pose_a), &b->model, transform(pose_b), request, result);
    return result.isCollision();
}
