// FCL's ways to check a robot against points.

#include <fcl/geometry/octree/octree.h>

#include "fcl_model.h"
#include "growth.h"

namespace growth {
namespace {

using Object = fcl::CollisionObjectd;
using Manager = fcl::DynamicAABBTreeCollisionManagerd;

/// The robot in a manager of its own, posed anew for every configuration, against a world that a
/// derived class holds.
class Peer {
  public:
    explicit Peer(const Case &c) : robot_(*c.robot) {
        for (const scene::Body &body : robot_.bodies) {
            links_.push_back(make_object(body));
            all_.push_back(links_.back().get());
        }
        manager_.registerObjects(all_);
        manager_.setup();
    }
    virtual ~Peer() = default;

    bool check(const graze_transform *links) {
        for (size_t i = 0; i < links_.size(); i++) {
            links_[i]->setTransform(bench::fcl_transform(robot_.bodies[i].pose(links)));
            links_[i]->computeAABB();
        }
        manager_.update();
        Query query{&robot_, false};
        if (!robot_.pairs.empty()) manager_.collide(&query, against_itself);
        if (!query.hit) collide_world(manager_, query);
        return query.hit;
    }

  protected:
    struct Query {
        const scene::Robot *robot;
        bool hit;
    };
    virtual void collide_world(Manager &, Query &) {}

    static std::unique_ptr<Object> make_object(const scene::Body &body) {
        auto object = std::make_unique<Object>(bench::fcl_geometry<fcl::OBBRSSd>(body));
        object->setUserData(const_cast<scene::Body *>(&body));
        object->setTransform(bench::fcl_transform(body.origin));
        object->computeAABB();
        return object;
    }

    static bool against_world(Object *a, Object *b, void *data) {
        return touch(a, b, static_cast<Query *>(data));
    }

  private:
    static bool touch(Object *a, Object *b, Query *query) {
        query->hit = bench::fcl_collide(a->collisionGeometry().get(), a->getTransform(),
                                        b->collisionGeometry().get(), b->getTransform());
        return query->hit;
    }
    static bool against_itself(Object *a, Object *b, void *data) {
        Query *query = static_cast<Query *>(data);
        int32_t la = static_cast<const scene::Body *>(a->getUserData())->link;
        int32_t lb = static_cast<const scene::Body *>(b->getUserData())->link;
        return query->robot->is_checked(la, lb) && touch(a, b, query);
    }

    const scene::Robot &robot_;
    std::vector<std::unique_ptr<Object>> links_;
    std::vector<Object *> all_;
    Manager manager_;
};

/// Objects, and the world's meshes, in a second manager.
class Objects : public Peer {
  public:
    Objects(const Case &c, Cost &cost) : Peer(c) {
        Meter meter;
        std::vector<Object *> all;
        for (const scene::Body &body : c.world->objects) {
            objects_.push_back(make_object(body));
            all.push_back(objects_.back().get());
        }
        world_.registerObjects(all);
        world_.setup();
        cost = meter.cost();
    }

  protected:
    void collide_world(Manager &robot, Query &query) override {
        robot.collide(&world_, &query, against_world);
    }

  private:
    std::vector<std::unique_ptr<Object>> objects_;
    Manager world_;
};

/// The cells that hold a point.
class Octree : public Peer {
  public:
    Octree(const Case &c, Cost &cost) : Peer(c) {
        Meter meter;
        auto tree = std::make_shared<octomap::OcTree>(c.cell);
        for (size_t i = 0; i < c.points.size(); i += 3)
            tree->updateNode(octomap::point3d((float)c.points[i], (float)c.points[i + 1],
                                              (float)c.points[i + 2]),
                             true, true);
        tree->updateInnerOccupancy();
        tree->prune();
        object_ = std::make_unique<Object>(
            std::make_shared<fcl::OcTreed>(std::shared_ptr<const octomap::OcTree>(tree)));
        object_->computeAABB();
        cost = meter.cost();
    }

  protected:
    void collide_world(Manager &robot, Query &query) override {
        robot.collide(object_.get(), &query, against_world);
    }

  private:
    std::unique_ptr<Object> object_;
};

class Spheres : public Peer {
  public:
    Spheres(const Case &c, Cost &cost) : Peer(c) {
        Meter meter;
        auto ball = std::make_shared<fcl::Sphered>(c.radius);
        std::vector<Object *> all;
        for (size_t i = 0; i < c.points.size(); i += 3) {
            objects_.push_back(std::make_unique<Object>(
                ball, fcl::Matrix3d(fcl::Matrix3d::Identity()), fcl::Vector3d(&c.points[i])));
            all.push_back(objects_.back().get());
        }
        world_.registerObjects(all);
        world_.setup();
        cost = meter.cost();
    }

  protected:
    void collide_world(Manager &robot, Query &query) override {
        robot.collide(&world_, &query, against_world);
    }

  private:
    std::vector<std::unique_ptr<Object>> objects_;
    Manager world_;
};

void add(Case &c, const char *method, const Cost &cost, std::shared_ptr<Peer> peer) {
    Way way;
    way.library = "FCL";
    way.method = method;
    way.build = cost;
    const scene::Configurations *configs = &c.configs;
    std::shared_ptr<scene::Robot> robot = c.robot;
    auto links = std::make_shared<std::vector<graze_transform>>((size_t)robot->link_count());
    way.run = [peer, configs, robot, links](uint8_t *verdicts) {
        for (size_t i = 0; i < configs->count; i++) {
            scene::pose(*robot, configs->row(i), links->data());
            verdicts[i] = peer->check(links->data());
        }
    };
    c.ways.push_back(std::move(way));
}

} // namespace

void add_manager(Case &c) {
    if (c.world) {
        Cost cost;
        auto peer = std::make_shared<Objects>(c, cost);
        add(c, "manager", cost, peer);
        return;
    }
    Meter meter;
    auto peer = std::make_shared<Peer>(c);
    add(c, "manager", meter.cost(), peer);
}

void add_octree(Case &c) {
    Cost cost;
    auto peer = std::make_shared<Octree>(c, cost);
    add(c, "octree", cost, peer);
    c.ways.back().same_question = false;
}

void add_spheres(Case &c) {
    Cost cost;
    auto peer = std::make_shared<Spheres>(c, cost);
    add(c, "a sphere each", cost, peer);
}

} // namespace growth
