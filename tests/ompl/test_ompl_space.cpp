// The state space of bindings/ompl: that it measures and moves as the library does, keeps its
// bounds, and holds to what OMPL asks of any space.
#include "fixture.hpp"

#include <algorithm>

using graze::ompl::StateSpace;
using Columns = std::vector<std::int32_t>;

/// Twice 2000 states: distances and motions are those of the library, to rounding and bit for bit.
static void measures_and_moves_as_the_library(const std::shared_ptr<StateSpace> &space) {
    const graze::Robot &robot = space->robot();
    ob::StateSamplerPtr sampler = space->allocStateSampler();
    ob::ScopedState<> a(space), b(space), c(space);
    ompl::RNG random;
    std::vector<double> q(robot.columns());
    double base_a[6], base_b[6], base_c[6];
    for (int i = 0; i < 2000; i++) {
        sampler->sampleUniform(a.get());
        sampler->sampleUniformNear(b.get(), a.get(), i % 2 ? 0.01 : 3);
        double t = random.uniform01(), expected, base_square = 0;
        space->toQ(a.get(), q.data(), base_a);
        std::vector<double> from = q;
        space->toQ(b.get(), q.data(), base_b);
        REQUIRE(!graze_robot_metric(robot.get(), from.data(), q.data(), q.size(),
                                    GRAZE_TURN_SHORTER, &expected, nullptr));
        for (int k = 0; k < 6; k++) {
            double d = base_b[k] - base_a[k];
            if (k == 5) d = std::min(std::fabs(d), 6.283185307179586 - std::fabs(d));
            base_square += d * d;
        }
        expected = std::sqrt(expected * expected + base_square);
        REQUIRE(std::fabs(space->distance(a.get(), b.get()) - expected) < 1e-12 * (1 + expected));
        space->interpolate(a.get(), b.get(), t, c.get());
        std::vector<double> between = robot.interpolate(from, q, t);
        space->toQ(c.get(), q.data(), base_c);
        REQUIRE(q == between);
        REQUIRE(space->satisfiesBounds(a.get()) && space->satisfiesBounds(c.get()));
        for (int k = 0; k < 2; k++)
            REQUIRE(std::fabs(base_c[k] - (base_a[k] + t * (base_b[k] - base_a[k]))) < 1e-14);
        double yaw = std::fabs(base_c[5] - base_a[5]), way = std::fabs(base_b[5] - base_a[5]);
        REQUIRE(std::fabs(std::min(yaw, 6.283185307179586 - yaw) -
                          t * std::min(way, 6.283185307179586 - way)) < 1e-13);
        for (double end : {0.0, 1.0}) {
            space->interpolate(a.get(), b.get(), end, c.get());
            const ob::State *same = end > 0 ? b.get() : a.get();
            REQUIRE(!std::memcmp(c.get()->as<StateSpace::StateType>()->values,
                                 same->as<StateSpace::StateType>()->values,
                                 sizeof(double) * space->getDimension()));
        }
        space->toState(q, c.get(), base_c);
        REQUIRE(space->distance(a.get(), b.get()) <= space->getMaximumExtent());
    }
}

/// Angles beyond a half turn and quaternions of any length come back into the bounds, as the same
/// pose.
static void bounds_are_enforced(const std::shared_ptr<StateSpace> &space) {
    ob::ScopedState<> a(space), b(space);
    ob::StateSamplerPtr sampler = space->allocStateSampler();
    ompl::RNG random;
    for (int i = 0; i < 500; i++) {
        sampler->sampleUniform(a.get());
        b = a;
        double *v = b.get()->as<StateSpace::StateType>()->values;
        double factor = random.uniformReal(-3, 3);
        for (size_t k = 0; k < space->axes().size(); k++) {
            if (space->axes()[k].kind == GRAZE_Q_CIRCLE)
                v[k] += 6.283185307179586 * random.uniformInt(-4, 4);
            if (space->axes()[k].kind == GRAZE_Q_ROTATION) v[k] *= factor;
        }
        space->enforceBounds(b.get());
        REQUIRE(space->satisfiesBounds(b.get()));
        REQUIRE(space->distance(a.get(), b.get()) < 1e-12);
        sampler->sampleGaussian(b.get(), a.get(), 5);
        REQUIRE(space->satisfiesBounds(b.get()));
    }
    double *v = b.get()->as<StateSpace::StateType>()->values;
    v[0] = NAN;
    REQUIRE(!space->satisfiesBounds(b.get()));
}

/// What cannot be a space is refused, by name.
static void wrong_spaces_are_refused(const Heron &heron) {
    auto fails = [](auto make) {
        try {
            make();
        } catch (const std::invalid_argument &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    REQUIRE(fails([&] { StateSpace(heron.robot, "arm_with_torsos"); }).find("arm_with_torsos") !=
            std::string::npos);
    const std::string whole = "allowed: all four in a row", once = "allowed: each of q once";
    graze::Robot odd = make_odd_robot();
    REQUIRE(fails([&] { StateSpace(odd, Columns{4, 5, 6, 7}); }).find(whole) != std::string::npos);
    REQUIRE(fails([&] { StateSpace(odd, Columns{3, 4, 5}); }).find(whole) != std::string::npos);
    REQUIRE(fails([&] {
                StateSpace(odd, Columns{3, 4, 5, 6, 3});
            }).find(once) != std::string::npos);
    REQUIRE(fails([&] { StateSpace(odd, Columns{99}); }).find(once) != std::string::npos);
    REQUIRE(StateSpace(odd, Columns{3, 4, 5, 6}).getDimension() == 4);
    StateSpace unlimited(make_odd_robot());
    REQUIRE(fails([&] { unlimited.setup(); }).find("float/x has no limits") != std::string::npos);
    REQUIRE(fails([&] { unlimited.setLimits("spin", 0, 1); }).find("spin") != std::string::npos);
    auto space = std::make_shared<StateSpace>(make_odd_robot());
    REQUIRE(fails([&] {
                graze::ompl::make_space_information(space, heron.checker);
            }).find("another robot") != std::string::npos);
}

/// The tip of an arm is moved by each of its joints; projections place it where the library does.
static void projection_is_the_place_of_the_tip(const Heron &heron) {
    auto space = std::make_shared<StateSpace>(heron.robot, "arm_with_torso");
    space->setup();
    ob::ScopedState<> a(space);
    space->toState(heron.in_shelf(), a.get());
    Eigen::VectorXd place(3);
    space->getDefaultProjection()->project(a.get(), place);
    graze_transform pose = heron.robot.pose(space->toQ(a.get()))[size_t(space->tip())];
    for (int i = 0; i < 3; i++) REQUIRE(place[i] == pose.m[4 * i + 3]);
    REQUIRE(std::string(graze_robot_link_name(heron.robot.get(), space->tip())) != "base_link");
    REQUIRE(place.norm() > 0.3);
}

int main() {
    ompl::RNG::setSeed(7);
    Heron heron;
    auto arm = std::make_shared<StateSpace>(heron.robot, "arm_with_torso");
    auto flat = std::make_shared<StateSpace>(
        graze::Robot::load(GRAZE_SOURCE_DIR "/urdf/six_axis.urdf"));
    auto odd = make_odd_space(make_odd_robot());
    for (const auto &space : {arm, flat, odd}) {
        space->setup();
        measures_and_moves_as_the_library(space);
        bounds_are_enforced(space);
        if (space != odd) space->sanityChecks(); // chords of rotations do not add up along an arc
    }
    REQUIRE(flat->isFlat() && flat->getType() == ob::STATE_SPACE_REAL_VECTOR);
    REQUIRE(!odd->isFlat() && odd->getType() != ob::STATE_SPACE_REAL_VECTOR);
    wrong_spaces_are_refused(heron);
    projection_is_the_place_of_the_tip(heron);
    std::puts("state space: ok");
}
