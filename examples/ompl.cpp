// OMPL (https://ompl.kavrakilab.org) plans, graze says which configurations are free: from a named
// state of a group to values of its joints.
//   ompl ROBOT.urdf ROBOT.srdf WORLD GROUP STATE JOINT=VALUE...
#include <cstdio>
#include <graze/graze.hpp>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

namespace ob = ompl::base;
/// One state space of one dimension for each column of the group: a circle or an interval.
static ob::StateSpacePtr make_space(const graze::Robot &robot,
                                    const std::vector<int32_t> &columns) {
    std::vector<graze_q_kind> kinds(robot.columns());
    std::vector<double> lower(robot.columns()), upper(robot.columns());
    graze_robot_q_kinds(robot.get(), kinds.data());
    graze_robot_q_limits(robot.get(), lower.data(), upper.data());
    auto space = std::make_shared<ob::CompoundStateSpace>();
    for (int32_t c : columns) {
        if (kinds[c] == GRAZE_Q_CIRCLE) {
            space->addSubspace(std::make_shared<ob::SO2StateSpace>(), 1);
            continue;
        }
        auto interval = std::make_shared<ob::RealVectorStateSpace>(1);
        interval->setBounds(lower[c], upper[c]);
        space->addSubspace(interval, 1);
    }
    return space;
}

int main(int argc, char **argv) {
    if (argc < 6)
        return std::fprintf(stderr, "usage: ompl URDF SRDF WORLD GROUP STATE J=V...\n"), 2;
    try {
        graze::Robot robot = graze::Robot::load(argv[1], std::string(argv[2]));
        graze::World world;
        world.add_file(argv[3]);
        graze::Workspace workspace(graze::Checker(robot, world));
        std::vector<int32_t> columns(robot.columns());
        int32_t group = graze_robot_find_group(robot.get(), argv[4]);
        columns.resize(graze_robot_group_columns(robot.get(), static_cast<size_t>(group),
                                                 columns.data(), columns.size()));
        std::vector<double> start = robot.rest(), goal = start, q = start;
        if (graze_robot_apply_state(robot.get(), argv[4], argv[5], start.data(), nullptr))
            return std::fprintf(stderr, "no group %s with %s\n", argv[4], argv[5]), 2;
        for (int i = 6; i < argc; i++) {
            const std::string given = argv[i], name = given.substr(0, given.find('='));
            for (size_t c = 0; c < goal.size(); c++)
                if (robot.column_name(c) == name)
                    goal[c] = std::stod(given.substr(name.size() + 1));
        }
        ompl::RNG::setSeed(1);
        ompl::geometric::SimpleSetup setup(make_space(robot, columns));
        setup.setStateValidityChecker([&](const ob::State *state) {
            std::vector<double> reals;
            setup.getStateSpace()->copyToReals(reals, state);
            for (size_t i = 0; i < columns.size(); i++) q[columns[i]] = reals[i];
            return !workspace.collides(q);
        });
        ob::ScopedState<> from(setup.getStateSpace()), to(from);
        for (unsigned i = 0; i < columns.size(); i++) {
            from[i] = start[columns[i]];
            to[i] = goal[columns[i]];
        }
        setup.setStartAndGoalStates(from, to);
        setup.getSpaceInformation()->setStateValidityCheckingResolution(0.002);
        setup.setPlanner(
            std::make_shared<ompl::geometric::RRTConnect>(setup.getSpaceInformation()));
        if (setup.solve(10) != ob::PlannerStatus::EXACT_SOLUTION)
            return std::puts("no path found"), 1;
        setup.simplifySolution();
        std::printf("path of %zu states, %s\n", setup.getSolutionPath().getStateCount(),
                    setup.getSolutionPath().check() ? "every state and motion free" : "not free");
    } catch (const graze::Error &error) {
        return std::fprintf(stderr, "%s\n", error.what()), 3;
    }
}
