// OMPL (https://ompl.kavrakilab.org) plans, graze says which states and motions are free: from a
// named state of a group to values of its joints. The path is shortened, then certified.
//   ompl ROBOT.urdf ROBOT.srdf WORLD GROUP STATE JOINT=VALUE...
#include <cstdio>
#include <graze/ompl.hpp>
#include <ompl/base/ScopedState.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

namespace ob = ompl::base;

int main(int argc, char **argv) {
    if (argc < 6)
        return std::fprintf(stderr, "usage: ompl URDF SRDF WORLD GROUP STATE J=V...\n"), 2;
    try {
        graze::Robot robot = graze::Robot::load(argv[1], std::string(argv[2]));
        graze::World world;
        world.add_file(argv[3]);
        graze::Checker checker(robot, world);
        std::vector<double> q = robot.rest();
        if (graze_robot_apply_state(robot.get(), argv[4], argv[5], q.data(), nullptr))
            return std::fprintf(stderr, "no group %s with %s\n", argv[4], argv[5]), 2;

        auto space = std::make_shared<graze::ompl::StateSpace>(robot, argv[4]);
        space->setRest(q); // where the joints beside the group stay
        ompl::RNG::setSeed(1);
        ompl::geometric::SimpleSetup setup(graze::ompl::make_space_information(space, checker));
        ob::ScopedState<> start(space), goal(space);
        space->toState(q, start.get());
        for (int i = 6; i < argc; i++) {
            const std::string given = argv[i];
            int32_t column = graze_robot_find_q(robot.get(),
                                                given.substr(0, given.find('=')).c_str());
            if (column < 0) return std::fprintf(stderr, "%s: no such joint\n", argv[i]), 2;
            q[size_t(column)] = std::stod(given.substr(given.find('=') + 1));
        }
        space->toState(q, goal.get());
        setup.setStartAndGoalStates(start, goal);
        setup.setPlanner(
            std::make_shared<ompl::geometric::RRTConnect>(setup.getSpaceInformation()));
        if (setup.solve(10) != ob::PlannerStatus::EXACT_SOLUTION)
            return std::puts("no path found"), 1;
        setup.simplifySolution();
        auto certificate = graze::ompl::certify(setup.getSolutionPath(), checker);
        std::printf("path of %zu states, %s\n", setup.getSolutionPath().getStateCount(),
                    certificate ? "every motion proved free" : "not proved free");
        return certificate ? 0 : 1;
    } catch (const std::exception &error) {
        return std::fprintf(stderr, "%s\n", error.what()), 3;
    }
}
