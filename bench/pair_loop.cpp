// The loop over pairs, its prefilter and its order.

#include <algorithm>

#include "peer.h"

namespace bench {

PairLoop::PairLoop(const scene::Robot &robot, const scene::World *world, bool prefilter,
                   bool ordered)
    : robot_(robot), world_(world), robot_count_(robot.bodies.size()),
      object_count_(world ? world->objects.size() : 0), prefilter_(prefilter), ordered_(ordered) {
    for (const auto &pair : scene::body_pairs(robot, world))
        pairs_.push_back({pair.first, pair.second, 0});
    boxes_.resize(body_count());
}

const scene::Body &PairLoop::body(size_t i) const {
    return i < robot_count_ ? robot_.bodies[i] : world_->objects[i - robot_count_];
}

void PairLoop::place_objects() {
    for (size_t i = robot_count_; i < body_count(); i++) place_body(i, body(i).origin);
}

void PairLoop::place_body(size_t i, const graze_transform &pose) {
    place(i, pose);
    // A nanometre of pad, far above the rounding there: it can only let more pairs through.
    if (prefilter_) boxes_[i] = scene::box_at(body(i), pose, 1e-9);
}

void PairLoop::place_bodies(const graze_transform *links) {
    for (size_t i = 0; i < robot_count_; i++) place_body(i, body(i).pose(links));
}

bool PairLoop::pair_collides(const Pair &pair) {
    if (prefilter_ && boxes_[pair.a].apart(boxes_[pair.b])) return false;
    return collide(pair.a, pair.b);
}

bool PairLoop::check(const graze_transform *links) {
    place_bodies(links);
    for (const Pair &pair : pairs_)
        if (pair_collides(pair)) return true;
    return false;
}

void PairLoop::learn(const std::vector<std::vector<graze_transform>> &training) {
    if (!ordered_) return;
    for (const auto &links : training) {
        place_bodies(links.data());
        for (Pair &pair : pairs_) pair.hits += pair_collides(pair);
    }
    std::stable_sort(pairs_.begin(), pairs_.end(),
                     [](const Pair &a, const Pair &b) { return a.hits > b.hits; });
}

} // namespace bench
