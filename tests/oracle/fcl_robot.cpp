// graze against FCL on whole robots: which links collide, on random configurations and next to the
// places where the verdict changes.
//
// FCL's OBBRSS trees and its double-precision triangle test share no code with graze; they answer
// for surfaces, so graze is asked with the policy surface, and every body is a triangle mesh. FCL
// is good to about 1e-9 m: what it says closer to a touching pose proves nothing.
//
// usage: fcl_robot [--long] [--seed N]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "fcl_model.h"
#include "scene.h"

namespace {

using Pair = std::pair<int32_t, int32_t>; // link and link, or link and -1 - object

class FclScene {
  public:
    FclScene(const scene::Robot &robot, const scene::World *world)
        : robot_(robot), world_(world), links_((size_t)robot.link_count()) {
        for (const scene::Body &body : robot.bodies)
            bodies_.push_back(bench::fcl_geometry<fcl::OBBRSSd>(body));
        if (!world) return;
        for (const scene::Body &body : world->objects)
            objects_.push_back(bench::fcl_geometry<fcl::OBBRSSd>(body));
    }

    std::set<Pair> all(const double *q) {
        scene::pose(robot_, q, links_.data());
        std::set<Pair> out;
        std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> poses;
        for (const scene::Body &body : robot_.bodies)
            poses.push_back(bench::fcl_transform(body.pose(links_.data())));
        for (const auto &pair : robot_.elements)
            if (bench::fcl_collide(bodies_[pair.first].get(), poses[pair.first],
                                   bodies_[pair.second].get(), poses[pair.second]))
                out.emplace(robot_.bodies[pair.first].link, robot_.bodies[pair.second].link);
        for (size_t i = 0; i < bodies_.size(); i++)
            for (size_t j = 0; j < objects_.size(); j++)
                if (bench::fcl_collide(bodies_[i].get(), poses[i], objects_[j].get(),
                                       bench::fcl_transform(world_->objects[j].origin)))
                    out.emplace(robot_.bodies[i].link, -1 - (int32_t)j);
        return out;
    }

  private:
    const scene::Robot &robot_;
    const scene::World *world_;
    std::vector<graze_transform> links_;
    std::vector<bench::FclGeometry> bodies_, objects_;
};

std::set<Pair> graze_all(scene::Checker &checker, const double *q) {
    std::set<Pair> out;
    for (const graze_contact &c : checker.all(q))
        out.emplace(c.link, c.kind == GRAZE_CONTACT_WORLD ? -1 - c.other : c.other);
    return out;
}

/// Robot and world under comparison, with its counts.
class Trial {
  public:
    Trial(const char *name, const scene::Robot &robot, const scene::World *world,
          const std::string &joints, uint64_t seed)
        : name_(name), robot_(robot), fcl_(robot, world),
          checker_(robot, world, GRAZE_POLICY_SURFACE), columns_(scene::columns_of(robot, joints)),
          seed_(seed) {}

    bool run(size_t random_count, size_t near_count) {
        scene::Configurations rows = scene::random_configurations(robot_, columns_, random_count,
                                                                  seed_);
        std::vector<size_t> free, hit;
        for (size_t i = 0; i < rows.count; i++) (compare(rows.row(i)) ? hit : free).push_back(i);
        random_ = compared_;
        if (free.empty() || hit.empty()) {
            std::printf("%s: every configuration has the same verdict; nothing near contact\n",
                        name_);
            near_count = 0;
        }
        scene::Random random(seed_ + 1);
        for (size_t i = 0; i < near_count; i++)
            near(rows.row(free[random.bits() % free.size()]),
                 rows.row(hit[random.bits() % hit.size()]));
        std::printf("%-28s %6zu random configurations (%zu in collision), %6zu near contact: "
                    "%zu wrong, %zu within 1e-8 of touching\n",
                    name_, random_, hit.size(), compared_ - random_, wrong_, touching_);
        std::fflush(stdout);
        // Touching poses prove nothing, so they must stay rare.
        return wrong_ == 0 && touching_ * 100 <= compared_;
    }

  private:
    /// Returns graze's verdict.
    bool compare(const double *q) {
        compared_++;
        std::set<Pair> mine = graze_all(checker_, q), theirs = fcl_.all(q);
        bool any = checker_.check(q, GRAZE_ANSWER_ANY),
             first = checker_.check(q, GRAZE_ANSWER_FIRST);
        if (any != !mine.empty() || first != any) report("any, first and all differ", q);
        if (mine == theirs) return any;
        if (is_touching(q, mine)) {
            touching_++;
            return any;
        }
        report("graze and FCL differ", q);
        for (const Pair &pair : mine)
            if (!theirs.count(pair)) print_pair("graze alone", pair);
        for (const Pair &pair : theirs)
            if (!mine.count(pair)) print_pair("FCL alone", pair);
        return any;
    }

    /// Whether the pairs change when a joint moves by 1e-8.
    bool is_touching(const double *q, const std::set<Pair> &pairs) {
        std::vector<double> moved(q, q + robot_.q_size());
        for (size_t column : columns_)
            for (double step : {1e-8, -1e-8}) {
                moved[column] = q[column] + step;
                if (graze_all(checker_, moved.data()) != pairs) return true;
                moved[column] = q[column];
            }
        return false;
    }

    /// Bisects to where graze's verdict changes, and compares on both sides of it.
    void near(const double *free, const double *hit) {
        size_t width = robot_.q_size();
        std::vector<double> q(width);
        double span = 0;
        for (size_t i = 0; i < width; i++) span = std::fmax(span, std::fabs(hit[i] - free[i]));
        auto at = [&](double t) {
            for (size_t i = 0; i < width; i++) q[i] = free[i] + t * (hit[i] - free[i]);
            return q.data();
        };
        double low = 0, high = 1;
        while ((high - low) * span > 1e-7) {
            double middle = 0.5 * (low + high);
            (checker_.check(at(middle), GRAZE_ANSWER_ANY) ? high : low) = middle;
        }
        for (double step : {-1e-6, -1e-7, 1e-7, 1e-6})
            compare(at((step < 0 ? low : high) + step / span));
    }

    void report(const char *what, const double *q) {
        if (wrong_++ >= 5) return;
        std::printf("%s: %s at q =", name_, what);
        for (size_t i = 0; i < robot_.q_size(); i++) std::printf(" %.17g", q[i]);
        std::printf("\n");
    }

    void print_pair(const char *who, const Pair &pair) const {
        if (wrong_ > 5) return;
        if (pair.second < 0)
            std::printf("  %s: %s, object %d\n", who,
                        graze_robot_link_name(robot_.robot, pair.first), -1 - pair.second);
        else
            std::printf("  %s: %s, %s\n", who, graze_robot_link_name(robot_.robot, pair.first),
                        graze_robot_link_name(robot_.robot, pair.second));
    }

    const char *name_;
    const scene::Robot &robot_;
    FclScene fcl_;
    scene::Checker checker_;
    std::vector<size_t> columns_;
    uint64_t seed_;
    size_t compared_ = 0, random_ = 0, wrong_ = 0, touching_ = 0;
};

struct Case {
    const char *name, *urdf, *srdf, *packages, *joints, *world;
    size_t random_count, near_count;
};

bool run_case(const std::string &root, const Case &c, size_t factor, uint64_t seed) {
    scene::Robot robot;
    robot.load(root + c.urdf, *c.srdf ? root + c.srdf : "", *c.packages ? root + c.packages : "");
    scene::World native, meshes;
    if (*c.world) {
        native.load(root + c.world);
        meshes.triangulate(native, 32);
    }
    Trial trial(c.name, robot, *c.world ? &meshes : nullptr, c.joints, seed);
    return trial.run(c.random_count * factor, c.near_count * factor);
}

} // namespace

int main(int argc, char **argv) {
    size_t factor = 1;
    uint64_t seed = 20;
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "--long"))
            factor = 20;
        else if (!std::strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = std::strtoull(argv[++i], nullptr, 10);
        else {
            std::fprintf(stderr, "usage: fcl_robot [--long] [--seed N]\n");
            return 2;
        }
    }
    const Case shipped[] = {
        {"heron", "/urdf/heron.urdf", "/urdf/heron.srdf", "", "", "", 3000, 300},
        {"heron, arm, shelf", "/urdf/heron.urdf", "/urdf/heron.srdf", "", scene::arm_joints,
         "/worlds/shelf.json", 1000, 200},
        {"heron, arm, kitchen", "/urdf/heron.urdf", "/urdf/heron.srdf", "", scene::arm_joints,
         "/worlds/kitchen.json", 500, 100},
        {"heron, arm, clutter", "/urdf/heron.urdf", "/urdf/heron.srdf", "", scene::arm_joints,
         "/worlds/clutter.json", 300, 50},
    };
    const Case data[] = {
        {"fetch", "/robots/fetch_description/robots/fetch.urdf", "/verdicts/fetch_75.srdf",
         "/robots", scene::arm_joints, "", 3000, 500},
        {"fetch, every joint", "/robots/fetch_description/robots/fetch.urdf",
         "/robots/fetch_mbm.srdf", "/robots", "", "", 1000, 200},
        {"fetch, shelf", "/robots/fetch_description/robots/fetch.urdf", "/verdicts/fetch_75.srdf",
         "/robots", scene::arm_joints, "/worlds/shelf.json", 1000, 200},
        {"fetch, clutter", "/robots/fetch_description/robots/fetch.urdf", "/verdicts/fetch_75.srdf",
         "/robots", scene::arm_joints, "/worlds/clutter.ply", 1000, 200},
        {"panda", "/robots/panda_mbm/panda.urdf", "/robots/panda_mbm/panda.srdf", "/robots", "", "",
         1000, 200},
        {"panda, STL", "/robots/example-robot-data/robots/panda_description/urdf/panda.urdf",
         "/robots/example-robot-data/robots/panda_description/srdf/panda.srdf", "/robots", "", "",
         1000, 200},
        {"ur5", "/robots/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf",
         "/robots/example-robot-data/robots/ur_description/srdf/ur5.srdf", "/robots", "", "", 1000,
         200},
        {"fanuc", "/robots/moveit_resources_fanuc_description/urdf/fanuc.urdf", "", "/robots", "",
         "", 1000, 200},
    };
    bool good = true;
    for (const Case &c : shipped) good = run_case(GRAZE_SOURCE_DIR, c, factor, seed) && good;
    const char *root = std::getenv("GRAZE_TEST_DATA");
    if (!root) std::printf("GRAZE_TEST_DATA is not set: the real robots are skipped\n");
    for (const Case &c : data)
        if (root) good = run_case(root, c, factor, seed) && good;
    return good ? 0 : 1;
}
