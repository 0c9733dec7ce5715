/// @file motion_peers.h
/// How collision libraries look for a collision of bodies that move: FCL's conservative advancement
/// of triangle trees, and Bullet's GJK between convex hulls of each body at both ends of a step.
#ifndef GRAZE_BENCH_MOTION_PEERS_H
#define GRAZE_BENCH_MOTION_PEERS_H

#include <memory>
#include <vector>

#include "scene.h"

namespace bench {

/// All pairs of bodies that are checked, one after the other, those first whose boxes are compared.
class MotionPeer {
  public:
    MotionPeer(const scene::Robot &robot, const scene::World *world);
    virtual ~MotionPeer() = default;
    /// Whether anything is found to collide while the links go from one pose to another.
    bool collides(const graze_transform *from, const graze_transform *to);
    /// Leaves out the pairs that it calls colliding in these poses, in which nothing collides:
    /// their convex hulls overlap, for example. Returns how many.
    size_t drop_false(const std::vector<std::vector<graze_transform>> &free);
    size_t pair_count() const { return pairs_.size(); }

  protected:
    size_t body_count() const { return boxes_.size(); }
    const scene::Body &body(size_t i) const {
        return i < robot_count_ ? robot_.bodies[i] : world_->objects[i - robot_count_];
    }
    /// Called before pairs of a step are tested.
    virtual void place(size_t body, const graze_transform &from, const graze_transform &to) = 0;
    virtual bool collide(size_t a, size_t b) = 0;

  private:
    void move(size_t body, const graze_transform &from, const graze_transform &to);
    void move_all(const graze_transform *from, const graze_transform *to);
    bool pair_collides(const std::pair<size_t, size_t> &pair);

    const scene::Robot &robot_;
    const scene::World *world_;
    size_t robot_count_;
    std::vector<std::pair<size_t, size_t>> pairs_;
    std::vector<scene::Box> boxes_; ///< which bodies do not leave, by the peer's own motion
};

/// FCL: OBBRSS trees, native shapes, each body moved from pose to pose by fcl::InterpMotion.
std::unique_ptr<MotionPeer> fcl_advancement(const scene::Robot &robot, const scene::World *world);
/// Bullet: the convex hull of each body at both ends of a step, as Tesseract and TrajOpt cast
/// hulls.
std::unique_ptr<MotionPeer> bullet_cast_hulls(const scene::Robot &robot, const scene::World *world);

} // namespace bench

#endif
