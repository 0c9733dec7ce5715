/// @file fcl_model.h
/// FCL's shapes and trees from our bodies.
#ifndef GRAZE_BENCH_FCL_MODEL_H
#define GRAZE_BENCH_FCL_MODEL_H

#include <fcl/fcl.h>
#include <memory>

#include "scene.h"

namespace bench {

using FclGeometry = std::shared_ptr<fcl::CollisionGeometryd>;

inline fcl::Transform3d fcl_transform(const graze_transform &pose) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) out.matrix()(r, c) = pose.m[4 * r + c];
    return out;
}

/// A tree over a mesh, or FCL's own shape.
template <typename BV> FclGeometry fcl_geometry(const scene::Body &body) {
    switch (body.shape) {
    case GRAZE_SHAPE_BOX:
        return std::make_shared<fcl::Boxd>(body.size[0], body.size[1], body.size[2]);
    case GRAZE_SHAPE_SPHERE:
        return std::make_shared<fcl::Sphered>(body.radius);
    case GRAZE_SHAPE_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(body.radius, body.length);
    case GRAZE_SHAPE_CAPSULE:
        return std::make_shared<fcl::Capsuled>(body.radius, body.length);
    default:
        break;
    }
    auto model = std::make_shared<fcl::BVHModel<BV>>();
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < body.mesh.vertices.size(); i += 3)
        points.emplace_back(&body.mesh.vertices[i]);
    for (size_t i = 0; i < body.mesh.indices.size(); i += 3)
        triangles.emplace_back(body.mesh.indices[i], body.mesh.indices[i + 1],
                               body.mesh.indices[i + 2]);
    model->beginModel((int)triangles.size(), (int)points.size());
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

inline bool fcl_collide(const fcl::CollisionGeometryd *a, const fcl::Transform3d &pose_a,
                        const fcl::CollisionGeometryd *b, const fcl::Transform3d &pose_b) {
    static const fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    fcl::collide(a, pose_a, b, pose_b, request, result);
    return result.isCollision();
}

} // namespace bench

#endif
