/// @file bullet_model.h
/// Bullet's shapes and poses from our bodies.
#ifndef GRAZE_BENCH_BULLET_MODEL_H
#define GRAZE_BENCH_BULLET_MODEL_H

#include <btBulletCollisionCommon.h>
#include <memory>

#include "scene.h"

namespace bench {

inline btTransform bullet_transform(const graze_transform &pose) {
    const double *m = pose.m;
    auto f = [m](int k) { return (btScalar)m[k]; };
    return btTransform(btMatrix3x3(f(0), f(1), f(2), f(4), f(5), f(6), f(8), f(9), f(10)),
                       btVector3(f(3), f(7), f(11)));
}

/// Bullet's own shape; none of a mesh.
inline std::unique_ptr<btConvexShape> bullet_primitive(const scene::Body &body) {
    const btScalar r = (btScalar)body.radius, l = (btScalar)body.length;
    switch (body.shape) {
    case GRAZE_SHAPE_BOX:
        return std::make_unique<btBoxShape>(
            btVector3((btScalar)body.half[0], (btScalar)body.half[1], (btScalar)body.half[2]));
    case GRAZE_SHAPE_SPHERE:
        return std::make_unique<btSphereShape>(r);
    case GRAZE_SHAPE_CYLINDER:
        return std::make_unique<btCylinderShapeZ>(btVector3(r, r, l / 2));
    case GRAZE_SHAPE_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(r, l);
    default:
        return nullptr;
    }
}

} // namespace bench

#endif
