/// @file fixture.hpp
/// Robots and worlds of the tests of bindings/ompl, and what a test says where it fails.
#ifndef GRAZE_TESTS_OMPL_FIXTURE_HPP
#define GRAZE_TESTS_OMPL_FIXTURE_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <graze/ompl.hpp>
#include <ompl/base/ScopedState.h>
#include <ompl/util/RandomNumbers.h>

namespace ob = ompl::base;

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);           \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

/// The shipped robot at its shelf.
struct Heron {
    graze::Robot robot = graze::Robot::load(GRAZE_SOURCE_DIR "/urdf/heron.urdf",
                                            std::string(GRAZE_SOURCE_DIR "/urdf/heron.srdf"));
    graze::Checker checker{robot, world()};

    static graze::World world() {
        graze::World out;
        out.add_file(GRAZE_SOURCE_DIR "/worlds/shelf.json");
        return out;
    }
    /// A named state of the arm with its torso, some joints changed.
    std::vector<double>
    state(const char *name, const std::vector<std::pair<std::string, double>> &changes = {}) const {
        std::vector<double> q = robot.rest();
        REQUIRE(!graze_robot_apply_state(robot.get(), "arm_with_torso", name, q.data(), nullptr));
        for (const auto &change : changes)
            q[size_t(graze_robot_find_q(robot.get(), change.first.c_str()))] = change.second;
        return q;
    }
    /// Before the shelf, the hand in it.
    std::vector<double> in_shelf() const {
        return state("tuck", {{"torso_lift_joint", 0.1},
                              {"shoulder_lift_joint", 0.35},
                              {"elbow_flex_joint", -0.35},
                              {"wrist_flex_joint", 0.1}});
    }
};

/// A body that floats, on it a joint that turns for ever, one with limits, and a wheel on wheels
/// that slides: every kind of column.
inline graze::Robot make_odd_robot() {
    static const char urdf[] =
        "<robot name='odd'><link name='ground'/><link name='body'><collision><geometry>"
        "<box size='0.4 0.3 0.2'/></geometry></collision></link>"
        "<link name='cart'><collision><origin xyz='0 0 -2'/><geometry><box size='0.2 0.2 0.2'/>"
        "</geometry></collision></link>"
        "<link name='arm'><collision><origin xyz='0.3 0 0.3'/><geometry><box size='0.5 0.1 0.1'/>"
        "</geometry></collision></link>"
        "<link name='hand'><collision><origin xyz='0.2 0 0'/><geometry><sphere radius='0.1'/>"
        "</geometry></collision></link>"
        "<joint name='float' type='floating'><parent link='ground'/><child link='body'/></joint>"
        "<joint name='plane' type='planar'><parent link='ground'/><child link='cart'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='spin' type='continuous'><parent link='body'/><child link='arm'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='bend' type='revolute'><parent link='arm'/><child link='hand'/>"
        "<origin xyz='0.6 0 0.3'/><axis xyz='0 1 0'/>"
        "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";
    graze_robot *robot = nullptr;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, urdf, std::strlen(urdf), "odd", nullptr, nullptr,
                                     &error))
        std::fprintf(stderr, "%s\n", error.message);
    REQUIRE(robot);
    return graze::Robot(robot);
}

/// A space of every kind of column, with a base that is planned, and intervals for what has none.
inline std::shared_ptr<graze::ompl::StateSpace> make_odd_space(const graze::Robot &robot) {
    auto space = std::make_shared<graze::ompl::StateSpace>(robot, "",
                                                           graze::ompl::PlanarBase{-1, 1, -2, 2});
    for (const char *column : {"float/x", "float/y", "float/z", "plane/x", "plane/y"})
        space->setLimits(column, -1.5, 1.5);
    return space;
}

#endif
