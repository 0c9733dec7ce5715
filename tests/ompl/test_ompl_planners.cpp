// Planners of OMPL on bindings/ompl: from the tucked arm into the shelf, each path certified.
#include "fixture.hpp"

#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/pdst/PDST.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/geometric/planners/rrt/pRRT.h>

namespace og = ompl::geometric;
using graze::ompl::StateSpace;

/// Whether graze_check() finds 1000 configurations of every edge of a path free.
static bool samples_are_free(const og::PathGeometric &path, const graze::Checker &checker) {
    graze::Workspace workspace(checker);
    auto space = path.getSpaceInformation()->getStateSpace()->as<StateSpace>();
    std::vector<double> q(space->robot().columns());
    double base[6];
    ob::State *state = space->allocState();
    bool free = true;
    for (size_t i = 0; i + 1 < path.getStateCount(); i++)
        for (int k = 0; k <= 1000 && free; k++) {
            space->interpolate(path.getState(unsigned(i)), path.getState(unsigned(i + 1)),
                               k / 1000.0, state);
            space->toQ(state, q.data(), base);
            free = !workspace.collides(q, base);
        }
    space->freeState(state);
    return free;
}

/// Plans with one planner until its first path, or 60 seconds; the path is certified and ends at
/// the goal.
template <class Planner>
static void plan(const std::shared_ptr<StateSpace> &space, const graze::Checker &checker,
                 const ob::ScopedState<> &start, const ob::ScopedState<> &goal) {
    auto si = graze::ompl::make_space_information(space, checker);
    auto problem = std::make_shared<ob::ProblemDefinition>(si);
    problem->setStartAndGoalStates(start, goal, 1e-6);
    auto objective = std::make_shared<graze::ompl::PathLengthObjective>(si);
    objective->setCostThreshold(
        objective->infiniteCost()); // ends those that would shorten for ever
    problem->setOptimizationObjective(objective);
    auto planner = std::make_shared<Planner>(si);
    si->setup();
    planner->setProblemDefinition(problem);
    planner->setup();
    ob::PlannerStatus status = planner->solve(ob::timedPlannerTerminationCondition(60));
    auto validator = std::static_pointer_cast<graze::ompl::MotionValidator>(
        si->getMotionValidator());
    std::printf("%-12s %s, %llu motions free, %llu not\n", planner->getName().c_str(),
                status.asString().c_str(), (unsigned long long)validator->freeCount(),
                (unsigned long long)(validator->hitCount() + validator->undecidedCount()));
    REQUIRE(status == ob::PlannerStatus::EXACT_SOLUTION && validator->errorCount() == 0);
    auto &path = *problem->getSolutionPath()->as<og::PathGeometric>();
    REQUIRE(space->distance(path.getState(unsigned(path.getStateCount() - 1)), goal.get()) < 2e-6);
    graze::ompl::Certificate certificate = graze::ompl::certify(path, checker);
    REQUIRE(certificate && certificate.report.verdict == GRAZE_MOTION_FREE);
    REQUIRE(samples_are_free(path, checker));
    double length = path.length();
    og::PathSimplifier(si).simplify(path, 0.2);
    REQUIRE(path.length() <= length * (1 + 1e-9) && graze::ompl::certify(path, checker, 2));
}

/// A path through the shelf is not certified, and the certificate says where it hits what.
static void a_blocked_path_has_no_certificate(const Heron &heron,
                                              const std::shared_ptr<StateSpace> &space,
                                              const ob::ScopedState<> &start) {
    auto si = graze::ompl::make_space_information(space, heron.checker);
    ob::ScopedState<> inside(space);
    ob::StateSamplerPtr sampler = space->allocStateSampler();
    do sampler->sampleUniform(inside.get());
    while (si->isValid(inside.get()));
    og::PathGeometric path(si);
    path.append(start.get());
    path.append(start.get());
    path.append(inside.get());
    graze::ompl::Certificate certificate = graze::ompl::certify(path, heron.checker);
    REQUIRE(!certificate && !certificate.free && certificate.motion == 1);
    REQUIRE(certificate.report.verdict == GRAZE_MOTION_HIT);
    REQUIRE(graze_contact_link_name(heron.checker.get(), &certificate.report.contact));
    REQUIRE(graze::ompl::certify(og::PathGeometric(si, start.get()), heron.checker));
    REQUIRE(!graze::ompl::certify(og::PathGeometric(si, inside.get()), heron.checker));
    inside = start;
    inside[0] = space->axes()[0].high + 1e-3;
    certificate = graze::ompl::certify(og::PathGeometric(si, inside.get()), heron.checker);
    REQUIRE(!certificate && !certificate.within_bounds);
}

int main() {
    ompl::RNG::setSeed(3);
    ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
    Heron heron;
    auto space = std::make_shared<StateSpace>(heron.robot, "arm_with_torso");
    space->setup();
    ob::ScopedState<> start(space), goal(space);
    space->toState(heron.state("tuck"), start.get());
    space->toState(heron.in_shelf(), goal.get());
    plan<og::RRTConnect>(space, heron.checker, start, goal);
    plan<og::PRM>(space, heron.checker, start, goal);
    plan<og::RRTstar>(space, heron.checker, start, goal);
    plan<og::BITstar>(space, heron.checker, start, goal);
    plan<og::KPIECE1>(space, heron.checker, start, goal);
    plan<og::PDST>(space, heron.checker, start, goal);
    plan<og::pRRT>(space, heron.checker, start, goal);
    a_blocked_path_has_no_certificate(heron, space, start);
    std::puts("planners: ok");
}
