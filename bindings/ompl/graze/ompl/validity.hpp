/// @file validity.hpp
/// Which states are valid, and which motions, for planners of OMPL. Any number of threads of a
/// planner may call these: each call borrows a workspace of a pool. OMPL's own counters of motions
/// stay as they are, since two threads would race on them; there are atomic ones in place of them.
#ifndef GRAZE_OMPL_VALIDITY_HPP
#define GRAZE_OMPL_VALIDITY_HPP

#include <atomic>
#include <mutex>
#include <utility>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/util/Console.h>

#include "state_space.hpp"

namespace graze {
namespace ompl {

namespace detail {
/// The space of a space information, which must be of the checker's robot.
inline const StateSpace *space_of(const base::SpaceInformation *si, const Checker &checker) {
    auto space = dynamic_cast<const StateSpace *>(si->getStateSpace().get());
    if (!space)
        throw std::invalid_argument(
            "graze::ompl: allowed: a space information of a graze::ompl::StateSpace");
    bool same = space->robot().columns() == checker.robot().columns();
    for (std::size_t i = 0; same && i < checker.robot().columns(); i++)
        same = space->robot().column_name(i) == checker.robot().column_name(i);
    if (!same)
        throw std::invalid_argument("graze::ompl: the checker is of another robot than the space");
    return space;
}

/// Errors of queries. What failed counts as invalid, and is never lost: the first is kept, and
/// logged.
class Errors {
  public:
    void add(const graze_error &error) {
        if (count_.fetch_add(1, std::memory_order_relaxed)) return;
        std::lock_guard<std::mutex> lock(mutex_);
        first_ = error.message;
        OMPL_ERROR("graze: %s (counts as invalid; further ones are counted)", error.message);
    }
    std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
    std::string first() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return first_;
    }

  private:
    std::atomic<std::uint64_t> count_{0};
    mutable std::mutex mutex_;
    std::string first_;
};

/// Workspaces of one checker that nobody uses now: of motions, or of distances.
template <class T, graze_status (*Create)(T **, const graze_checker *, graze_error *),
          void (*Free)(T *)>
class Pool {
  public:
    using Handle = graze::detail::Handle<T, Free>;
    explicit Pool(Checker checker) : checker_(std::move(checker)) {}
    const Checker &checker() const { return checker_; }
    Handle borrow() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!free_.empty()) {
                Handle out = std::move(free_.back());
                free_.pop_back();
                return out;
            }
        }
        T *made = nullptr;
        graze::detail::must([&](graze_error *e) { return Create(&made, checker_.get(), e); });
        return Handle(made);
    }
    void give_back(Handle workspace) {
        std::lock_guard<std::mutex> lock(mutex_);
        free_.push_back(std::move(workspace));
    }

  private:
    Checker checker_; // outlives the workspaces
    std::mutex mutex_;
    std::vector<Handle> free_;
};
using MotionPool =
    Pool<graze_motion_workspace, graze_motion_workspace_create, graze_motion_workspace_free>;
using DistancePool =
    Pool<graze_distance_workspace, graze_distance_workspace_create, graze_distance_workspace_free>;
} // namespace detail

/// A state is valid where it is in the space's bounds and graze_check() says FREE. An error is not
/// valid: NaN, a base outside of the checker's domain.
class StateValidityChecker : public base::StateValidityChecker {
  public:
    /// @param si of a graze::ompl::StateSpace. Throws std::invalid_argument, graze::Error.
    StateValidityChecker(const base::SpaceInformationPtr &si, Checker checker)
        : base::StateValidityChecker(si), space_(detail::space_of(si.get(), checker)),
          checker_(std::move(checker)), distances_(checker_) {
        specs_.clearanceComputationType = base::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
        graze_workspace_pool *pool = nullptr;
        graze::detail::must([&](graze_error *e) { return graze_workspace_pool_create(&pool, e); });
        pool_.reset(pool);
    }
    using base::StateValidityChecker::isValid;
    bool isValid(const base::State *state) const override {
        if (!space_->satisfiesBounds(state)) return false;
        detail::Scratch q(space_->robot().columns());
        double base[6];
        space_->toQ(state, q.data(), base);
        graze_workspace *workspace = nullptr;
        graze_report report = {};
        graze_error error;
        graze_status status = graze_workspace_pool_borrow(&workspace, pool_.get(), checker_.get(),
                                                          &error);
        if (!status)
            status = graze_check(checker_.get(), workspace, GRAZE_ANSWER_ANY, q.data(),
                                 space_->robot().columns(), base, &report, &error);
        graze_workspace_pool_give_back(pool_.get(), workspace);
        if (status) errors_.add(error);
        return !status && report.verdict == GRAZE_FREE;
    }
    using base::StateValidityChecker::clearance;
    /// A lower bound of the least distance of all pairs that are checked, metres, as
    /// graze_distance() gives it; 0 where something overlaps, infinity where no pair is checked. An
    /// error is 0, and counts. Throws graze::Error where the checker has no distances
    /// (GRAZE_LEVEL_BOUNDS).
    double clearance(const base::State *state) const override {
        detail::Scratch q(space_->robot().columns());
        double base[6];
        space_->toQ(state, q.data(), base);
        graze_distance_report report = {};
        graze_error error;
        detail::DistancePool::Handle workspace = distances_.borrow();
        graze_status status = graze_distance(checker_.get(), workspace.get(), q.data(),
                                             space_->robot().columns(), base, nullptr, &report,
                                             &error);
        distances_.give_back(std::move(workspace));
        if (status) errors_.add(error);
        return status ? 0 : report.least.lower;
    }
    const Checker &checker() const { return checker_; }
    /// How many states could not be checked, and what was said of the first.
    std::uint64_t errorCount() const { return errors_.count(); }
    std::string firstError() const { return errors_.first(); }

  private:
    const StateSpace *space_;
    Checker checker_;
    graze::detail::Handle<graze_workspace_pool, graze_workspace_pool_free> pool_;
    mutable detail::DistancePool distances_;
    mutable detail::Errors errors_;
};

/// A motion is valid where graze_check_motion() proves it free, at every t. What can be neither
/// proved nor refuted is not valid, nor is an error.
class MotionValidator : public base::MotionValidator {
  public:
    /// @param options NULL: the defaults. `turn` and `answer` are set here.
    /// Throws std::invalid_argument, graze::Error (as graze_motion_workspace_create()).
    MotionValidator(const base::SpaceInformationPtr &si, Checker checker,
                    const graze_motion_options *options = nullptr)
        : base::MotionValidator(si), space_(detail::space_of(si.get(), checker)),
          pool_(std::move(checker)), options_(options ? *options : graze_motion_options_default()) {
        options_.turn = GRAZE_TURN_SHORTER;
        pool_.give_back(pool_.borrow());
    }
    bool checkMotion(const base::State *s1, const base::State *s2) const override {
        graze_motion_report report;
        return check(s1, s2, GRAZE_MOTION_ANY, &report);
    }
    /// On false `last.second` is a t before which the motion is proved free, and `last.first` the
    /// state there: s1 and 0 where nothing is proved, or where s2 is out of bounds. On true both
    /// stay.
    bool checkMotion(const base::State *s1, const base::State *s2,
                     std::pair<base::State *, double> &last) const override {
        graze_motion_report report;
        if (check(s1, s2, GRAZE_MOTION_FIRST, &report)) return true;
        // Proved is the interval without its end.
        double t = report.earliest > 0 ? std::nextafter(report.earliest, 0.0) : 0;
        if (last.first && t > 0)
            space_->interpolate(s1, s2, t, last.first);
        else if (last.first)
            si_->copyState(last.first, s1);
        last.second = t;
        return false;
    }
    /// Motions that were proved free, that hit something (or leave the bounds), that were neither.
    std::uint64_t freeCount() const { return free_.load(std::memory_order_relaxed); }
    std::uint64_t hitCount() const { return hit_.load(std::memory_order_relaxed); }
    std::uint64_t undecidedCount() const { return undecided_.load(std::memory_order_relaxed); }
    /// How many motions could not be checked, and what was said of the first.
    std::uint64_t errorCount() const { return errors_.count(); }
    std::string firstError() const { return errors_.first(); }

  private:
    bool check(const base::State *s1, const base::State *s2, graze_motion_answer answer,
               graze_motion_report *report) const {
        report->earliest = 0;
        if (!space_->satisfiesBounds(s2)) {
            hit_.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        std::size_t n = space_->robot().columns();
        detail::Scratch both(2 * n);
        double *from = both.data(), *to = from + n, from_base[6], to_base[6];
        space_->toQ(s1, from, from_base);
        space_->toQ(s2, to, to_base);
        graze_motion_options options = options_;
        options.answer = answer;
        graze_error error;
        detail::MotionPool::Handle workspace = pool_.borrow();
        graze_status status = graze_check_motion(pool_.checker().get(), workspace.get(), from, to,
                                                 n, from_base, to_base, &options, report, &error);
        pool_.give_back(std::move(workspace));
        if (status) {
            errors_.add(error);
            report->earliest = 0;
            return false;
        }
        bool proved = report->verdict == GRAZE_MOTION_FREE;
        (proved                                ? free_
         : report->verdict == GRAZE_MOTION_HIT ? hit_
                                               : undecided_)
            .fetch_add(1, std::memory_order_relaxed);
        return proved;
    }
    const StateSpace *space_;
    mutable detail::MotionPool pool_;
    graze_motion_options options_;
    mutable std::atomic<std::uint64_t> free_{0}, hit_{0}, undecided_{0};
    mutable detail::Errors errors_;
};

} // namespace ompl
} // namespace graze

#endif
