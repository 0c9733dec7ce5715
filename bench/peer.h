/// @file peer.h
/// One way to use a collision library: given the poses of all links, does anything collide?
#ifndef GRAZE_BENCH_PEER_H
#define GRAZE_BENCH_PEER_H

#include <memory>
#include <vector>

#include "scene.h"

namespace bench {

class Peer {
  public:
    virtual ~Peer() = default;
    virtual bool check(const graze_transform *links) = 0;
    /// Looks at configurations that are not the measured ones.
    virtual void learn(const std::vector<std::vector<graze_transform>> &) {}
};

/// The loop that every library without a broad phase of its own is given: all pairs of bodies,
/// stopping at the first hit. With `prefilter`, tight world-frame boxes of the bodies are compared
/// first. learn() sorts the pairs by how often they hit.
class PairLoop : public Peer {
  public:
    PairLoop(const scene::Robot &robot, const scene::World *world, bool prefilter, bool ordered);
    bool check(const graze_transform *links) override;
    void learn(const std::vector<std::vector<graze_transform>> &training) override;

  protected:
    /// Bodies of the robot first, then the objects of the world.
    size_t body_count() const { return robot_count_ + object_count_; }
    const scene::Body &body(size_t i) const;
    virtual void place(size_t body, const graze_transform &pose) = 0;
    virtual bool collide(size_t a, size_t b) = 0;
    /// To be called at the end of a constructor: the objects of the world never move.
    void place_objects();

  private:
    struct Pair {
        size_t a, b;
        size_t hits;
    };
    void place_bodies(const graze_transform *links);
    void place_body(size_t i, const graze_transform &pose);
    bool pair_collides(const Pair &pair);

    const scene::Robot &robot_;
    const scene::World *world_;
    size_t robot_count_, object_count_;
    bool prefilter_, ordered_;
    std::vector<Pair> pairs_;
    std::vector<scene::Box> boxes_;
};

/// FCL: BVHModel<OBBRSS> in a DynamicAABBTreeCollisionManager; pairs filtered in the callback.
std::unique_ptr<Peer> fcl_manager(const scene::Robot &robot, const scene::World *world);
/// FCL: fcl::collide on every pair in turn, OBBRSS trees.
std::unique_ptr<Peer> fcl_loop(const scene::Robot &robot, const scene::World *world);
/// FCL: OBB trees, prefilter, pairs sorted by hits.
std::unique_ptr<Peer> fcl_tuned(const scene::Robot &robot, const scene::World *world);
/// Bullet: GImpact for the robot, static triangle trees for the world, prefilter.
std::unique_ptr<Peer> bullet_gimpact(const scene::Robot &robot, const scene::World *world);
/// ODE: triangle meshes (OPCODE), prefilter.
std::unique_ptr<Peer> ode_trimesh(const scene::Robot &robot, const scene::World *world);

} // namespace bench

#endif
