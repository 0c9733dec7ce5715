/// @file ompl.hpp
/// graze for planners of OMPL (https://ompl.kavrakilab.org), 1.5 and later: C++17, header-only over
/// graze.hpp. docs/ompl.md has an example.
#ifndef GRAZE_OMPL_HPP
#define GRAZE_OMPL_HPP

#include <ompl/base/objectives/PathLengthOptimizationObjective.h>
#include <ompl/base/samplers/informed/RejectionInfSampler.h>
#include <ompl/geometric/PathGeometric.h>

#include "ompl/state_space.hpp"
#include "ompl/validity.hpp"

namespace graze {
namespace ompl {

/// A space information whose states and motions graze checks. The space may be changed by its owner
/// until setup().
inline base::SpaceInformationPtr make_space_information(const std::shared_ptr<StateSpace> &space,
                                                        const Checker &checker) {
    auto si = std::make_shared<base::SpaceInformation>(space);
    si->setStateValidityChecker(std::make_shared<StateValidityChecker>(si, checker));
    si->setMotionValidator(std::make_shared<MotionValidator>(si, checker));
    return si;
}

/// The length of a path, for planners that shorten theirs. OMPL's own objective has no informed
/// sampler for spaces with continuous joints, rotations or a base, and BIT* ends with an exception;
/// for these this one rejects samples that cannot shorten the path.
class PathLengthObjective : public base::PathLengthOptimizationObjective {
  public:
    explicit PathLengthObjective(const base::SpaceInformationPtr &si)
        : base::PathLengthOptimizationObjective(si) {}
    base::InformedSamplerPtr allocInformedStateSampler(const base::ProblemDefinitionPtr &problem,
                                                       unsigned int calls) const override {
        if (si_->getStateSpace()->getType() == base::STATE_SPACE_REAL_VECTOR)
            return base::PathLengthOptimizationObjective::allocInformedStateSampler(problem, calls);
        return std::make_shared<base::RejectionInfSampler>(problem, calls);
    }
};

/// What is known of a path.
struct Certificate {
    bool free;          ///< every motion of the path is proved free, at every t
    bool within_bounds; ///< every state is in the bounds of the space
    std::size_t motion; ///< of the first motion that is not proved: from state `motion` to the next
    graze_motion_report report; ///< of that motion
    explicit operator bool() const { return free && within_bounds; }
};

/// Proves every motion of a path of states of a graze::ompl::StateSpace, whatever planner or
/// simplifier made it. A path of one state is a motion that stays.
/// @param threads 0: one per processor
/// Throws std::invalid_argument (no states, another space), graze::Error. Cost: motions times that
/// of graze_check_motion().
inline Certificate certify(const ::ompl::geometric::PathGeometric &path, const Checker &checker,
                           std::uint32_t threads = 1) {
    const StateSpace *space = detail::space_of(path.getSpaceInformation().get(), checker);
    std::size_t count = path.getStateCount(), n = space->robot().columns();
    if (!count) throw std::invalid_argument("certify: a path without states");
    std::size_t rows = count + (count == 1); // a lone state twice
    std::vector<double> q(rows * n), base(rows * 6);
    Certificate out = {true, true, 0, {}};
    for (std::size_t i = 0; i < rows; i++) {
        const base::State *state = path.getState(unsigned(i < count ? i : 0));
        space->toQ(state, &q[i * n], &base[i * 6]);
        out.within_bounds = out.within_bounds && space->satisfiesBounds(state);
    }
    std::vector<std::uint8_t> verdicts(rows - 1);
    graze_motion_batch batch = graze_motion_batch_default();
    batch.threads = threads, batch.rows = rows, batch.count = rows - 1, batch.stop = 1;
    batch.q = q.data(), batch.base = base.data(), batch.verdicts = verdicts.data();
    graze::detail::must([&](graze_error *e) {
        return graze_check_motion_batch(checker.get(), &batch, &out.motion, e);
    });
    out.free = out.motion == rows - 1;
    if (out.free) {
        out.report.verdict = GRAZE_MOTION_FREE;
        out.report.earliest = out.report.latest = 1;
        return out;
    }
    auto workspace = detail::MotionPool(checker).borrow();
    const double *from = &q[out.motion * n], *from_base = &base[out.motion * 6];
    graze::detail::must([&](graze_error *e) {
        return graze_check_motion(checker.get(), workspace.get(), from, from + n, n, from_base,
                                  from_base + 6, nullptr, &out.report, e);
    });
    return out;
}

} // namespace ompl
} // namespace graze

#endif
