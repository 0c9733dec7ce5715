// The validity checker and the motion validator of bindings/ompl: what OMPL asks of them.
#include "fixture.hpp"

using graze::ompl::MotionValidator;
using graze::ompl::StateSpace;
using graze::ompl::StateValidityChecker;

/// Whether graze_check() finds every configuration free on the first part of a motion.
static bool is_free_until(graze::Workspace &workspace, const StateSpace &space,
                          const ob::State *from, const ob::State *to, double end, int samples) {
    ob::State *state = space.allocState();
    std::vector<double> q(space.robot().columns());
    double base[6];
    bool free = true;
    for (int i = 0; i <= samples && free; i++) {
        space.interpolate(from, to, end * i / samples, state);
        space.toQ(state, q.data(), base);
        free = !workspace.collides(q, base);
    }
    space.freeState(state);
    return free;
}

/// Valid is what is in bounds and free; an error is not valid, and is kept.
static void states_have_the_verdict_of_the_library(const Heron &heron) {
    auto space = std::make_shared<StateSpace>(heron.robot, "arm_with_torso");
    auto si = graze::ompl::make_space_information(space, heron.checker);
    si->setup();
    auto checker = std::static_pointer_cast<StateValidityChecker>(si->getStateValidityChecker());
    graze::Workspace workspace(heron.checker);
    ob::StateSamplerPtr sampler = si->allocStateSampler();
    ob::ScopedState<> a(space);
    int valid = 0;
    for (int i = 0; i < 3000; i++) {
        sampler->sampleUniform(a.get());
        bool expected = !workspace.collides(space->toQ(a.get()));
        REQUIRE(si->isValid(a.get()) == expected);
        valid += expected;
    }
    REQUIRE(valid > 100 && valid < 2900);
    // A margin below the clearance leaves a state free, one above makes it collide; overlap has
    // none.
    REQUIRE(checker->getSpecs().clearanceComputationType ==
            ob::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE);
    for (int i = 0; i < 30; i++) {
        sampler->sampleUniform(a.get());
        double clearance = checker->clearance(a.get());
        REQUIRE((clearance > 0) == si->isValid(a.get()));
        if (!(clearance > 1e-6)) continue;
        for (double factor : {0.999, 1.001}) {
            graze_checker_options options = graze_checker_options_default();
            options.margin = factor * clearance;
            graze::Workspace wide(graze::Checker(heron.robot, Heron::world(), &options));
            REQUIRE(wide.collides(space->toQ(a.get())) == (factor > 1));
        }
    }
    space->toState(heron.state("tuck"), a.get());
    REQUIRE(si->isValid(a.get()));
    a[0] = 99; // the lift, in free space above its limit
    REQUIRE(!si->isValid(a.get()) && checker->errorCount() == 0);
    // A place beyond what the checker's bound of errors holds for is an error, and so not valid.
    auto far = std::make_shared<StateSpace>(heron.robot, "arm_with_torso",
                                            graze::ompl::PlanarBase{-1e12, 1e12, -1, 1});
    auto far_si = graze::ompl::make_space_information(far, heron.checker);
    ob::ScopedState<> b(far);
    const double base[6] = {9e11, 0, 0, 0, 0, 0};
    far->toState(heron.state("tuck"), b.get(), base);
    auto far_checker = std::static_pointer_cast<StateValidityChecker>(
        far_si->getStateValidityChecker());
    REQUIRE(!far_si->isValid(b.get()) && !far_si->isValid(b.get()));
    REQUIRE(far_checker->errorCount() == 2 && !far_checker->firstError().empty());
}

/// OMPL's contract: on true the last valid state stays as it is; on false it is valid, reached by a
/// motion without a collision, and it may be either end's own memory, or nobody's.
static void last_valid_is_reachable(const std::shared_ptr<StateSpace> &space,
                                    const graze::Checker &checker, double distance) {
    auto si = graze::ompl::make_space_information(space, checker);
    si->setup();
    auto validator = std::static_pointer_cast<MotionValidator>(si->getMotionValidator());
    graze::Workspace workspace(checker);
    ob::StateSamplerPtr sampler = si->allocStateSampler();
    ob::ScopedState<> a(space), b(space), last(space), untouched(space);
    int free = 0, hit = 0, inside = 0;
    for (int i = 0; i < 400; i++) {
        do sampler->sampleUniform(a.get());
        while (!si->isValid(a.get()));
        sampler->sampleUniformNear(b.get(), a.get(), distance);
        sampler->sampleUniform(last.get());
        untouched = last;
        std::pair<ob::State *, double> pair(last.get(), -7), none(nullptr, -7);
        bool valid = si->checkMotion(a.get(), b.get(), pair);
        REQUIRE(si->checkMotion(a.get(), b.get(), none) == valid && none.second == pair.second);
        REQUIRE(si->checkMotion(a.get(), b.get()) == valid);
        if (valid) {
            REQUIRE(pair.second == -7 &&
                    !std::memcmp(last.get()->as<StateSpace::StateType>()->values,
                                 untouched.get()->as<StateSpace::StateType>()->values,
                                 sizeof(double) * space->getDimension()));
            REQUIRE(is_free_until(workspace, *space, a.get(), b.get(), 1, 500));
            free++;
            continue;
        }
        REQUIRE(pair.first == last.get() && pair.second >= 0 && pair.second < 1);
        REQUIRE(si->isValid(last.get()));
        REQUIRE(is_free_until(workspace, *space, a.get(), b.get(), pair.second, 500));
        REQUIRE(si->checkMotion(a.get(), last.get()) || pair.second > 0);
        hit++;
        inside += pair.second > 0;
        double t = pair.second;
        std::pair<ob::State *, double> own(i % 2 ? a.get() : b.get(), 0);
        REQUIRE(!si->checkMotion(a.get(), b.get(), own) && own.second == t);
        REQUIRE(space->equalStates(own.first, last.get()));
    }
    std::printf("motions: %d free, %d not, %d of these with a free beginning\n", free, hit, inside);
    REQUIRE(free > 20 && hit > 20 && inside * 10 > hit * 9);
    REQUIRE(validator->undecidedCount() * 20 < validator->hitCount());
    // A target out of bounds, in free space or not.
    a.random();
    b = a;
    b[0] = space->axes()[0].high + 1;
    std::pair<ob::State *, double> out(last.get(), -7);
    REQUIRE(!si->checkMotion(a.get(), b.get(), out) && out.second == 0);
    REQUIRE(space->equalStates(last.get(), a.get()));
}

int main() {
    ompl::RNG::setSeed(11);
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    Heron heron;
    states_have_the_verdict_of_the_library(heron);
    last_valid_is_reachable(std::make_shared<StateSpace>(heron.robot, "arm_with_torso"),
                            heron.checker, 0.4);
    last_valid_is_reachable(std::make_shared<StateSpace>(heron.robot, "arm_with_torso",
                                                         graze::ompl::PlanarBase{-1, 1, -1, 1}),
                            heron.checker, 0.3);
    graze::Robot odd = make_odd_robot();
    graze::World hall("hall");
    hall.add_box("post", {0.3, 0.3, 0.3}, {{1, 0, 0, 0.6, 0, 1, 0, 0, 0, 0, 1, 0}});
    last_valid_is_reachable(make_odd_space(odd), graze::Checker(odd, hall), 2);
    std::puts("states and motions: ok");
}
