// FCL, three ways.

#include "fcl_model.h"
#include "peer.h"

namespace bench {
namespace {

class Manager : public Peer {
  public:
    Manager(const scene::Robot &robot, const scene::World *world) : robot_(robot) {
        for (const scene::Body &body : robot.bodies) add(robot_objects_, self_, body);
        if (world)
            for (const scene::Body &body : world->objects) add(world_objects_, world_, body);
        self_.setup();
        world_.setup();
    }

    bool check(const graze_transform *links) override {
        for (size_t i = 0; i < robot_objects_.size(); i++) {
            robot_objects_[i]->setTransform(fcl_transform(robot_.bodies[i].pose(links)));
            robot_objects_[i]->computeAABB();
        }
        self_.update();
        Query query{&robot_, false};
        self_.collide(&query, against_itself);
        if (!query.hit && !world_objects_.empty()) self_.collide(&world_, &query, against_world);
        return query.hit;
    }

  private:
    struct Query {
        const scene::Robot *robot;
        bool hit;
    };

    void add(std::vector<std::unique_ptr<fcl::CollisionObjectd>> &objects,
             fcl::DynamicAABBTreeCollisionManagerd &manager, const scene::Body &body) {
        objects.push_back(
            std::make_unique<fcl::CollisionObjectd>(fcl_geometry<fcl::OBBRSSd>(body)));
        objects.back()->setUserData(const_cast<scene::Body *>(&body));
        // Before it is registered: the manager keeps the box that it finds then.
        objects.back()->setTransform(fcl_transform(body.origin));
        objects.back()->computeAABB();
        manager.registerObject(objects.back().get());
    }

    static bool touch(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, Query *query) {
        query->hit = fcl_collide(a->collisionGeometry().get(), a->getTransform(),
                                 b->collisionGeometry().get(), b->getTransform());
        return query->hit;
    }

    static bool against_world(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data) {
        return touch(a, b, static_cast<Query *>(data));
    }

    static bool against_itself(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data) {
        Query *query = static_cast<Query *>(data);
        int32_t la = static_cast<const scene::Body *>(a->getUserData())->link;
        int32_t lb = static_cast<const scene::Body *>(b->getUserData())->link;
        return query->robot->is_checked(la, lb) && touch(a, b, query);
    }

    const scene::Robot &robot_;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> robot_objects_, world_objects_;
    fcl::DynamicAABBTreeCollisionManagerd self_, world_;
};

template <typename BV> class Loop : public PairLoop {
  public:
    Loop(const scene::Robot &robot, const scene::World *world, bool tuned)
        : PairLoop(robot, world, tuned, tuned), poses_(body_count()) {
        for (size_t i = 0; i < body_count(); i++) geometries_.push_back(fcl_geometry<BV>(body(i)));
        // The trees' own local boxes, which fcl::CollisionObject would otherwise ask for.
        for (auto &geometry : geometries_) geometry->computeLocalAABB();
        place_objects();
    }

  protected:
    void place(size_t i, const graze_transform &pose) override { poses_[i] = fcl_transform(pose); }
    bool collide(size_t a, size_t b) override {
        return fcl_collide(geometries_[a].get(), poses_[a], geometries_[b].get(), poses_[b]);
    }

  private:
    std::vector<FclGeometry> geometries_;
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> poses_;
};

} // namespace

std::unique_ptr<Peer> fcl_manager(const scene::Robot &robot, const scene::World *world) {
    return std::make_unique<Manager>(robot, world);
}

std::unique_ptr<Peer> fcl_loop(const scene::Robot &robot, const scene::World *world) {
    return std::make_unique<Loop<fcl::OBBRSSd>>(robot, world, false);
}

std::unique_ptr<Peer> fcl_tuned(const scene::Robot &robot, const scene::World *world) {
    return std::make_unique<Loop<fcl::OBBd>>(robot, world, true);
}

} // namespace bench
