/// @file scene.h
/// What every engine of a comparison is given: the same robot, triangles, pairs, worlds and
/// configurations, all read through graze's public accessors. Used by the benchmark and by the
/// oracle tests.
#ifndef GRAZE_BENCH_SCENE_H
#define GRAZE_BENCH_SCENE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graze/graze.h"

namespace scene {

/// Prints a message to stderr and exits with 3.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// fail() with the error's own words unless the status is GRAZE_OK.
void require(graze_status status, const graze_error &error, const char *doing);

/// Vertices x y z each, three indices per triangle.
struct Triangles {
    std::vector<double> vertices;
    std::vector<uint32_t> indices;
};

/// One posed geometry: a collision element of a link, or an object of a world. Meshes have
/// triangles; the others are native shapes, centred, axis z.
struct Body {
    graze_shape shape = GRAZE_SHAPE_MESH;
    double size[3] = {};
    double radius = 0, length = 0;
    Triangles mesh;
    int32_t link = -1;         ///< owner, -1 for objects of a world
    graze_transform origin{};  ///< the body's frame in that of `link` (objects: in the world)
    int32_t frame = -1;        ///< link whose pose `origin` is relative to
    double center[3], half[3]; ///< tight box in the body's own frame
    std::string name;

    graze_transform pose(const graze_transform *links) const;
};

/// Computes the box of a body from its shape.
void bound(Body &body);

/// A body's surface as triangles: boxes 12, rounded shapes with `sides`-gons inscribed, cut along
/// the axis into `rings` parts (at least 1).
Triangles tessellate(const Body &body, unsigned sides, unsigned rings);

struct Robot {
    graze_robot *robot = nullptr;
    std::vector<Body> bodies;                        ///< one per collision element
    std::vector<std::pair<int32_t, int32_t>> pairs;  ///< links that are checked, in check order
    std::vector<uint8_t> checked;                    ///< link * link_count + link
    std::vector<std::pair<size_t, size_t>> elements; ///< body pairs of the checked links

    Robot() = default;
    Robot(const Robot &) = delete;
    Robot &operator=(const Robot &) = delete;
    ~Robot() { graze_robot_free(robot); }
    void load(const std::string &urdf, const std::string &srdf, const std::string &package_path);
    int32_t link_count() const { return graze_robot_link_count(robot); }
    size_t q_size() const { return graze_robot_q_size(robot); }
    bool is_checked(int32_t a, int32_t b) const {
        return checked[(size_t)a * (size_t)link_count() + (size_t)b] != 0;
    }
};

/// A world for graze and the same objects as bodies for the others.
struct World {
    std::string name;
    graze_world *world = nullptr; ///< committed
    std::vector<Body> objects;

    World() = default;
    World(const World &) = delete;
    World &operator=(const World &) = delete;
    ~World() { graze_world_free(world); }
    void load(const std::string &path);
    /// Commits the world, and reads its objects.
    void finish();
    void read_objects();
    /// The same objects, each as triangles.
    void triangulate(const World &from, unsigned sides);
    /// All objects as triangles of at most `edge` or so, in one mesh, as a scan would be.
    void merge(const World &from, unsigned sides, double edge);
    bool has_native_shapes() const;
};

/// Rows of configurations, all numbers of q each.
struct Configurations {
    size_t width = 0, count = 0;
    std::vector<double> q;
    const double *row(size_t i) const { return q.data() + i * width; }
};

/// The columns of q with these comma-separated names; empty: all whose joint has limits or turns.
std::vector<size_t> columns_of(const Robot &robot, const std::string &joints);
/// Uniform within the limits (continuous joints: a full turn) in `columns`, at rest elsewhere.
Configurations random_configurations(const Robot &robot, const std::vector<size_t> &columns,
                                     size_t count, uint64_t seed);
/// A NumPy file of doubles, one column each; the other joints at rest.
Configurations read_configurations(const Robot &robot, const std::vector<size_t> &columns,
                                   const std::string &path);
/// A NumPy file of bytes.
std::vector<uint8_t> read_verdicts(const std::string &path);

/// The columns of heron's and Fetch's torso and arm.
constexpr char arm_joints[] =
    "torso_lift_joint,shoulder_pan_joint,shoulder_lift_joint,upperarm_roll_joint,"
    "elbow_flex_joint,forearm_roll_joint,wrist_flex_joint,wrist_roll_joint";

/// A box along the world's axes.
struct Box {
    double low[3], high[3];
    bool apart(const Box &other) const;
};
/// Around a body at a pose, grown by `pad` on all sides.
Box box_at(const Body &body, const graze_transform &pose, double pad);
/// All pairs that a check is about, by number: the bodies of the robot, then the objects.
std::vector<std::pair<size_t, size_t>> body_pairs(const Robot &robot, const World *world);

/// Forward kinematics; fails on any error.
void pose(const Robot &robot, const double *q, graze_transform *links);

/// A checker and a workspace that answer with graze itself.
class Checker {
  public:
    Checker(const Robot &robot, const World *world, graze_policy policy);
    ~Checker();
    Checker(const Checker &) = delete;
    Checker &operator=(const Checker &) = delete;
    bool check(const double *q, graze_answer answer, graze_stats *stats = nullptr);
    /// Every pair that collides, in check order.
    std::vector<graze_contact> all(const double *q);
    const graze_checker *get() const { return checker_; }

  private:
    graze_checker *checker_ = nullptr;
    graze_workspace *workspace_ = nullptr;
    size_t width_;
    std::vector<graze_contact> contacts_;
};

/// splitmix64, so that the same seed gives the same configurations everywhere.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t bits();
    double between(double low, double high);

  private:
    uint64_t state_;
};

} // namespace scene

#endif
