// FCL's conservative advancement and Bullet's cast hulls, over the same pairs.

#include "motion_peers.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <LinearMath/btConvexHullComputer.h>
#include <algorithm>
#include <cmath>

#include "bullet_model.h"
#include "fcl_model.h"

namespace bench {

MotionPeer::MotionPeer(const scene::Robot &robot, const scene::World *world)
    : robot_(robot), world_(world), robot_count_(robot.bodies.size()),
      pairs_(scene::body_pairs(robot, world)),
      boxes_(robot_count_ + (world ? world->objects.size() : 0)) {}

/// How far a point at most `radius` from the body's origin moves: by the way of the origin and the
/// angle between both orientations.
static double way_of(const graze_transform &from, const graze_transform &to, double radius) {
    double way = 0, trace = 0;
    for (int i = 0; i < 3; i++) {
        const double step = to.m[4 * i + 3] - from.m[4 * i + 3];
        way += step * step;
        for (int j = 0; j < 3; j++) trace += from.m[4 * i + j] * to.m[4 * i + j];
    }
    return std::sqrt(way) + radius * std::acos(std::min(1.0, std::max(-1.0, (trace - 1) / 2)));
}

void MotionPeer::move(size_t i, const graze_transform &from, const graze_transform &to) {
    const scene::Body &shape = body(i);
    double radius = 0;
    for (int k = 0; k < 3; k++) {
        const double far = std::fabs(shape.center[k]) + shape.half[k];
        radius += far * far;
    }
    boxes_[i] = scene::box_at(shape, from, way_of(from, to, std::sqrt(radius)) + 1e-9);
    place(i, from, to);
}

void MotionPeer::move_all(const graze_transform *from, const graze_transform *to) {
    for (size_t i = 0; i < robot_count_; i++) move(i, body(i).pose(from), body(i).pose(to));
    for (size_t i = robot_count_; i < body_count(); i++) move(i, body(i).origin, body(i).origin);
}

bool MotionPeer::pair_collides(const std::pair<size_t, size_t> &pair) {
    return !boxes_[pair.first].apart(boxes_[pair.second]) && collide(pair.first, pair.second);
}

bool MotionPeer::collides(const graze_transform *from, const graze_transform *to) {
    move_all(from, to);
    for (const auto &pair : pairs_)
        if (pair_collides(pair)) return true;
    return false;
}

size_t MotionPeer::drop_false(const std::vector<std::vector<graze_transform>> &free) {
    const size_t before = pairs_.size();
    for (const auto &links : free) {
        move_all(links.data(), links.data());
        pairs_.erase(std::remove_if(pairs_.begin(), pairs_.end(),
                                    [this](const auto &pair) { return pair_collides(pair); }),
                     pairs_.end());
    }
    return before - pairs_.size();
}

namespace {

class Advancement : public MotionPeer {
  public:
    Advancement(const scene::Robot &robot, const scene::World *world)
        : MotionPeer(robot, world), from_(body_count()), to_(body_count()) {
        for (size_t i = 0; i < body_count(); i++) {
            geometries_.push_back(fcl_geometry<fcl::OBBRSSd>(body(i)));
            geometries_.back()->computeLocalAABB();
        }
        request_.num_max_iterations = 100;
        request_.ccd_motion_type = fcl::CCDM_LINEAR;
        request_.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    }

  protected:
    void place(size_t i, const graze_transform &from, const graze_transform &to) override {
        from_[i] = fcl_transform(from);
        to_[i] = fcl_transform(to);
    }
    bool collide(size_t a, size_t b) override {
        fcl::ContinuousCollisionResultd result;
        fcl::continuousCollide(geometries_[a].get(), from_[a], to_[a], geometries_[b].get(),
                               from_[b], to_[b], request_, result);
        return result.is_collide;
    }

  private:
    using Poses = std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>>;
    fcl::ContinuousCollisionRequestd request_;
    std::vector<FclGeometry> geometries_;
    Poses from_, to_;
};

/// A convex shape where the object is, and moved by `way` from there, and what is between.
class CastHull : public btConvexShape {
  public:
    explicit CastHull(std::unique_ptr<btConvexShape> shape) : shape_(std::move(shape)) {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    }
    btVector3 localGetSupportingVertex(const btVector3 &d) const override {
        const btVector3 first = shape_->localGetSupportingVertexWithoutMargin(d);
        const btVector3 last = way *
                               shape_->localGetSupportingVertexWithoutMargin(d * way.getBasis());
        return first.dot(d) > last.dot(d) ? first : last;
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &d) const override {
        return localGetSupportingVertex(d);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *d, btVector3 *out,
                                                           int count) const override {
        for (int i = 0; i < count; i++) out[i] = localGetSupportingVertex(d[i]);
    }
    void getAabb(const btTransform &at, btVector3 &low, btVector3 &high) const override {
        getAabbSlow(at, low, high);
    }
    void getAabbSlow(const btTransform &at, btVector3 &low, btVector3 &high) const override {
        btVector3 a, b;
        shape_->getAabb(at, low, high);
        shape_->getAabb(at * way, a, b);
        low.setMin(a);
        high.setMax(b);
    }
    void setLocalScaling(const btVector3 &) override {}
    const btVector3 &getLocalScaling() const override { return shape_->getLocalScaling(); }
    void setMargin(btScalar) override {}
    btScalar getMargin() const override { return 0; }
    int getNumPreferredPenetrationDirections() const override { return 0; }
    void getPreferredPenetrationDirection(int, btVector3 &) const override {}
    void calculateLocalInertia(btScalar, btVector3 &) const override {}
    const char *getName() const override { return "CastHull"; }

    btTransform way;

  private:
    std::unique_ptr<btConvexShape> shape_;
};

std::unique_ptr<btConvexShape> convex_of(const scene::Body &body) {
    std::unique_ptr<btConvexShape> shape = bullet_primitive(body);
    if (!shape) {
        btConvexHullComputer hull;
        const std::vector<double> &v = body.mesh.vertices;
        hull.compute(v.data(), 3 * (int)sizeof(double), (int)(v.size() / 3), 0, 0);
        auto points = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < hull.vertices.size(); i++) points->addPoint(hull.vertices[i], false);
        points->recalcLocalAabb();
        shape = std::move(points);
    }
    shape->setMargin(0);
    return shape;
}

class CastHulls : public MotionPeer {
  public:
    CastHulls(const scene::Robot &robot, const scene::World *world)
        : MotionPeer(robot, world), from_(body_count()), to_(body_count()) {
        for (size_t i = 0; i < body_count(); i++)
            hulls_.push_back(std::make_unique<CastHull>(convex_of(body(i))));
    }

  protected:
    void place(size_t i, const graze_transform &from, const graze_transform &to) override {
        from_[i] = bullet_transform(from);
        to_[i] = bullet_transform(to);
    }
    /// In the frame of a, so that what both do alike sweeps nothing.
    bool collide(size_t a, size_t b) override {
        const btTransform from = from_[a].inverse() * from_[b], to = to_[a].inverse() * to_[b];
        hulls_[a]->way = btTransform::getIdentity();
        hulls_[b]->way = from.inverse() * to;
        btGjkPairDetector detector(hulls_[a].get(), hulls_[b].get(), &simplex_, &depth_);
        btGjkPairDetector::ClosestPointInput input;
        btPointCollector points;
        input.m_transformA = btTransform::getIdentity();
        input.m_transformB = from;
        detector.getClosestPoints(input, points, nullptr);
        return points.m_hasResult && points.m_distance <= 0;
    }

  private:
    std::vector<std::unique_ptr<CastHull>> hulls_;
    std::vector<btTransform> from_, to_;
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver depth_;
};

} // namespace

std::unique_ptr<MotionPeer> fcl_advancement(const scene::Robot &robot, const scene::World *world) {
    return std::make_unique<Advancement>(robot, world);
}

std::unique_ptr<MotionPeer> bullet_cast_hulls(const scene::Robot &robot,
                                              const scene::World *world) {
    return std::make_unique<CastHulls>(robot, world);
}

} // namespace bench
