/// @file state_space.hpp
/// The configurations of a robot, or of a group of its joints, as a state space of OMPL. States
/// hold the planned columns of q alone, behind them x, y and yaw of the base where that is planned;
/// the rest of q stays as the space has it. Functions of the classes are named as OMPL names its
/// own.
#ifndef GRAZE_OMPL_STATE_SPACE_HPP
#define GRAZE_OMPL_STATE_SPACE_HPP

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ompl/base/ProjectionEvaluator.h>
#include <ompl/base/StateSampler.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Console.h>

#include <graze/graze.hpp>

namespace graze {
namespace ompl {

namespace base = ::ompl::base;
namespace msg = ::ompl::msg; // as the macros of OMPL name it

/// Where the base may be planned, metres; its yaw may be anything.
struct PlanarBase {
    double x_min, x_max, y_min, y_max;
};

/// One value of a state.
struct Axis {
    graze_q_kind kind;
    int column;       ///< of q; -1 - k: number k of the base's x y z roll pitch yaw
    double low, high; ///< what is sampled, and allowed: limits, [-pi, pi], [-1, 1]
};

namespace detail {
constexpr double pi = 3.14159265358979323846;

/// Numbers of a query: in place for robots of up to 64 columns, so that queries do not allocate.
class Scratch {
  public:
    explicit Scratch(std::size_t size) : heap_(size > small_.size() ? size : 0) {}
    double *data() { return heap_.empty() ? small_.data() : heap_.data(); }

  private:
    std::array<double, 64> small_; // left as it is: it is written before it is read
    std::vector<double> heap_;
};

/// Divides four numbers by their length; (0, 0, 0, 1) where that is 0 or not finite.
inline void normalise(double *q) {
    double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0) || !std::isfinite(length)) {
        q[0] = q[1] = q[2] = 0, q[3] = 1;
        return;
    }
    for (int i = 0; i < 4; i++) q[i] /= length;
}

/// The product of two quaternions x y z w.
inline void multiply(const double *a, const double *b, double *out) {
    const double p[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
                         a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    std::memcpy(out, p, sizeof p);
}
} // namespace detail

/// The space. Distances are those of graze_robot_metric(), motions those of
/// graze_robot_interpolate(), both with GRAZE_TURN_SHORTER: what graze_check_motion() proves is
/// what OMPL takes. Where every column is a line it is a RealVectorStateSpace in every respect,
/// with OMPL's informed samplers; else its type is its own, and PathLengthObjective has a sampler
/// for it. Everything but the functions that say so may be called from several threads.
class StateSpace : public base::RealVectorStateSpace {
  public:
    /// @param group a group of the SRDF; empty: all columns but those of passive joints. Columns
    /// whose
    ///              limits are equal are not planned.
    /// @param planar_base given: x, y and yaw of the base are planned, too
    /// Throws std::invalid_argument: no such group, part of a quaternion, nothing to plan.
    explicit StateSpace(Robot robot, const std::string &group = "",
                        std::optional<PlanarBase> planar_base = std::nullopt)
        : StateSpace(robot, columns_of(robot, group), planar_base) {
        if (!group.empty()) setName(getName() + " " + group);
    }
    /// Plans these columns of q, in this order; the four of a quaternion in a row.
    StateSpace(Robot robot, const std::vector<std::int32_t> &columns,
               std::optional<PlanarBase> planar_base = std::nullopt)
        : robot_(std::move(robot)), rest_(robot_.rest()) {
        std::vector<graze_q_kind> kinds(robot_.columns());
        graze_robot_q_kinds(robot_.get(), kinds.data());
        for (std::int32_t column : columns) addColumn(column, kinds);
        checkQuaternions();
        if (planar_base) {
            addAxis("base/x", {GRAZE_Q_LINE, -1, planar_base->x_min, planar_base->x_max});
            addAxis("base/y", {GRAZE_Q_LINE, -2, planar_base->y_min, planar_base->y_max});
            addAxis("base/yaw", {GRAZE_Q_CIRCLE, -6, -detail::pi, detail::pi});
        }
        if (axes_.empty()) throw std::invalid_argument("graze::ompl::StateSpace: no joint moves");
        if (!isFlat()) type_ = base::STATE_SPACE_TYPE_COUNT + 0x67;
        setName("graze " + robot_.name());
        findTip();
    }

    const Robot &robot() const { return robot_; }
    const std::vector<Axis> &axes() const { return axes_; }
    /// Whether every value is a number of an interval.
    bool isFlat() const {
        for (const Axis &axis : axes_)
            if (axis.kind != GRAZE_Q_LINE) return false;
        return true;
    }

    /// Sets the values of what is not planned. Before states are checked; one thread.
    /// @param base x y z roll pitch yaw, or NULL: unchanged (at first the identity)
    void setRest(Values q, const double *base = nullptr) {
        if (q.size() != rest_.size()) throw std::invalid_argument("setRest: length of q");
        rest_.assign(q.data(), q.data() + q.size());
        if (base) std::copy(base, base + 6, base_.begin());
    }
    const std::vector<double> &rest() const { return rest_; }
    /// Sets the interval of a column without limits, as x, y and z of planar and floating joints
    /// are. Before setup(); one thread. Throws std::invalid_argument: not a planned line, or no
    /// interval.
    void setLimits(const std::string &column, double low, double high) {
        int i = getDimensionIndex(column);
        if (i < 0 || axes_[size_t(i)].kind != GRAZE_Q_LINE || !(low < high))
            throw std::invalid_argument("setLimits: " + column +
                                        "; allowed: a planned line, low < high");
        axes_[size_t(i)].low = low, axes_[size_t(i)].high = high;
        bounds_.setLow(unsigned(i), low), bounds_.setHigh(unsigned(i), high);
    }

    /// Writes robot().columns() numbers, and six of the base.
    void toQ(const base::State *state, double *q, double *base) const {
        const double *v = state->as<StateType>()->values;
        std::memcpy(q, rest_.data(), rest_.size() * sizeof(double));
        std::memcpy(base, base_.data(), sizeof base_);
        for (const Axis &axis : axes_)
            (axis.column < 0 ? base[-1 - axis.column] : q[axis.column]) = *v++;
    }
    std::vector<double> toQ(const base::State *state) const {
        std::vector<double> q(rest_.size());
        double base[6];
        toQ(state, q.data(), base);
        return q;
    }
    /// Reads the planned columns of a configuration, and of a base where that is planned.
    /// @param base x y z roll pitch yaw, or NULL: the space's own
    void toState(Values q, base::State *state, const double *base = nullptr) const {
        if (q.size() != rest_.size()) throw std::invalid_argument("toState: length of q");
        if (!base) base = base_.data();
        double *v = state->as<StateType>()->values;
        for (const Axis &axis : axes_)
            *v++ = axis.column < 0 ? base[-1 - axis.column] : q.data()[axis.column];
    }

    double distance(const base::State *a, const base::State *b) const override {
        const double *p = a->as<StateType>()->values, *r = b->as<StateType>()->values;
        double sum = 0;
        for (std::size_t i = 0; i < axes_.size(); i++) {
            if (axes_[i].kind == GRAZE_Q_ROTATION) {
                sum += rotationSquared(p + i, r + i);
                i += 3;
                continue;
            }
            double d = r[i] - p[i];
            if (axes_[i].kind == GRAZE_Q_CIRCLE) d = std::remainder(d, 2 * detail::pi);
            sum += d * d;
        }
        return std::sqrt(sum);
    }
    /// Throws graze::Error where the library refuses a state (one that is not finite).
    void interpolate(const base::State *from, const base::State *to, double t,
                     base::State *state) const override {
        std::size_t n = rest_.size();
        detail::Scratch both(2 * n);
        double *a = both.data(), *b = a + n, base_a[6], base_b[6];
        toQ(from, a, base_a);
        toQ(to, b, base_b);
        graze::detail::must([&](graze_error *e) {
            return graze_robot_interpolate(robot_.get(), a, b, n, GRAZE_TURN_SHORTER, t, a, e);
        });
        double *v = state->as<StateType>()->values;
        for (const Axis &axis : axes_) {
            int k = -1 - axis.column;
            *v++ = k < 0 ? a[axis.column] : between(axis.kind, base_a[k], base_b[k], t);
        }
    }
    bool satisfiesBounds(const base::State *state) const override {
        const double *v = state->as<StateType>()->values;
        for (std::size_t i = 0; i < axes_.size(); i++) {
            if (axes_[i].kind != GRAZE_Q_ROTATION) {
                if (!(v[i] >= axes_[i].low && v[i] <= axes_[i].high)) return false;
                continue;
            }
            double square = 0;
            for (int k = 0; k < 4; k++) square += v[i + size_t(k)] * v[i + size_t(k)];
            if (!(std::fabs(square - 1) < 1e-9)) return false;
            i += 3;
        }
        return true;
    }
    void enforceBounds(base::State *state) const override {
        double *v = state->as<StateType>()->values;
        for (std::size_t i = 0; i < axes_.size(); i++) {
            if (axes_[i].kind == GRAZE_Q_LINE)
                v[i] = std::fmin(std::fmax(v[i], axes_[i].low), axes_[i].high);
            else if (axes_[i].kind == GRAZE_Q_CIRCLE)
                v[i] = std::fabs(v[i]) <= detail::pi ? v[i] : std::remainder(v[i], 2 * detail::pi);
            else
                detail::normalise(v + i), i += 3;
        }
    }
    bool equalStates(const base::State *a, const base::State *b) const override {
        return distance(a, b) <= 2e-15 * double(axes_.size());
    }
    double getMaximumExtent() const override {
        double sum = 0;
        for (std::size_t i = 0; i < axes_.size(); i++) {
            double d = axes_[i].high - axes_[i].low;
            if (axes_[i].kind == GRAZE_Q_CIRCLE) d = detail::pi;
            if (axes_[i].kind == GRAZE_Q_ROTATION)
                d = std::sqrt(8.0), i += 3; // twice a chord of 90 deg
            sum += d * d;
        }
        return std::sqrt(sum);
    }
    double getMeasure() const override {
        double product = 1;
        for (std::size_t i = 0; i < axes_.size(); i++) {
            double size = axes_[i].high - axes_[i].low;
            // Half of the unit sphere's surface in four dimensions, 2 pi^2, in doubled lengths.
            if (axes_[i].kind == GRAZE_Q_ROTATION) size = 8 * detail::pi * detail::pi, i += 3;
            product *= size;
        }
        return product;
    }
    inline base::StateSamplerPtr allocDefaultStateSampler() const override;
    /// The default projection, for planners that lay a grid over the space: where the link is, in
    /// the world, that the most planned columns move (Sucan and Kavraki 2009, "Kinodynamic motion
    /// planning by interior-exterior cell exploration", section 5).
    inline void registerProjections() override;
    /// Throws std::invalid_argument for a column without limits.
    void setup() override {
        for (std::size_t i = 0; i < axes_.size(); i++)
            if (!std::isfinite(axes_[i].high - axes_[i].low))
                throw std::invalid_argument(
                    "graze::ompl::StateSpace: " + getDimensionName(unsigned(i)) +
                    " has no limits; allowed: setLimits() for it");
        base::RealVectorStateSpace::setup();
    }
    /// The link whose place is the default projection.
    int tip() const { return tip_; }

  private:
    /// The columns of a group, or all that are driven, ascending.
    static std::vector<std::int32_t> columns_of(const Robot &robot, const std::string &group) {
        std::vector<std::int32_t> columns;
        if (!group.empty()) {
            std::int32_t index = graze_robot_find_group(robot.get(), group.c_str());
            if (index < 0)
                throw std::invalid_argument("graze::ompl::StateSpace: no group " + group);
            columns.resize(robot.columns());
            columns.resize(graze_robot_group_columns(robot.get(), std::size_t(index),
                                                     columns.data(), columns.size()));
            return columns;
        }
        for (std::size_t i = 0; i < robot.columns(); i++) {
            graze_joint_info joint;
            graze_robot_joint(robot.get(), graze_robot_q_joint(robot.get(), i), &joint);
            if (!joint.passive) columns.push_back(std::int32_t(i));
        }
        return columns;
    }
    void addAxis(const std::string &name, const Axis &axis) {
        axes_.push_back(axis);
        addDimension(name, axis.low, axis.high);
    }
    void addColumn(std::int32_t column, const std::vector<graze_q_kind> &kinds) {
        if (column < 0 || std::size_t(column) >= kinds.size() ||
            getDimensionIndex(robot_.column_name(std::size_t(column))) >= 0)
            throw std::invalid_argument("graze::ompl::StateSpace: column " +
                                        std::to_string(column) + "; allowed: each of q once");
        std::vector<double> low(robot_.columns()), high(low);
        graze_robot_q_limits(robot_.get(), low.data(), high.data());
        std::size_t i = std::size_t(column);
        Axis axis = {kinds[i], column, low[i], high[i]};
        if (axis.low == axis.high) return;
        if (axis.kind == GRAZE_Q_CIRCLE) axis.low = -detail::pi, axis.high = detail::pi;
        if (axis.kind == GRAZE_Q_ROTATION) axis.low = -1, axis.high = 1;
        addAxis(robot_.column_name(i), axis);
    }
    /// Columns of a quaternion come in fours, x y z w.
    void checkQuaternions() const {
        for (std::size_t i = 0; i < axes_.size(); i++) {
            if (axes_[i].kind != GRAZE_Q_ROTATION) continue;
            std::string name = robot_.column_name(std::size_t(axes_[i].column));
            bool whole = name.size() > 3 && name.compare(name.size() - 3, 3, "/qx") == 0;
            for (std::size_t k = 1; k < 4; k++)
                whole = whole && i + k < axes_.size() &&
                        axes_[i + k].column == axes_[i].column + int(k);
            if (!whole)
                throw std::invalid_argument("graze::ompl::StateSpace: " + name +
                                            " without its quaternion; allowed: all four in a row");
            i += 3;
        }
    }
    void findTip() {
        std::size_t most = 0;
        std::vector<std::int32_t> above(graze_robot_link_count(robot_.get()), -1);
        std::vector<graze_joint_info> joints(graze_robot_joint_count(robot_.get()));
        for (std::size_t j = 0; j < joints.size(); j++) {
            graze_robot_joint(robot_.get(), std::int32_t(j), &joints[j]);
            above[size_t(joints[j].child)] = std::int32_t(j);
        }
        tip_ = graze_robot_root(robot_.get());
        for (std::size_t link = 0; link < above.size(); link++) {
            std::size_t count = 0;
            for (std::int32_t j = above[link]; j >= 0; j = above[size_t(joints[size_t(j)].parent)])
                for (const Axis &axis : axes_)
                    count += axis.column >= 0 &&
                             graze_robot_q_joint(robot_.get(), size_t(axis.column)) == j;
            if (count > most) most = count, tip_ = int(link);
        }
    }
    /// The square of twice the chord between two rotations.
    static double rotationSquared(const double *a, const double *b) {
        double p[4], r[4], same = 0, opposite = 0;
        std::memcpy(p, a, sizeof p);
        std::memcpy(r, b, sizeof r);
        detail::normalise(p);
        detail::normalise(r);
        for (int i = 0; i < 4; i++) {
            same += (p[i] - r[i]) * (p[i] - r[i]);
            opposite += (p[i] + r[i]) * (p[i] + r[i]);
        }
        return 4 * std::fmin(same, opposite);
    }
    /// A number of the base at t, as graze_check_motion() moves it.
    static double between(graze_q_kind kind, double a, double b, double t) {
        if (t <= 0) return a;
        if (t >= 1) return b;
        if (kind == GRAZE_Q_CIRCLE)
            return std::remainder(a + t * std::remainder(b - a, 2 * detail::pi), 2 * detail::pi);
        double v = a + t * (b - a);
        return std::fmin(std::fmax(v, std::fmin(a, b)), std::fmax(a, b));
    }

    Robot robot_;
    std::vector<double> rest_;
    std::array<double, 6> base_{};
    std::vector<Axis> axes_;
    int tip_ = 0;
};

/// Draws states with OMPL's random numbers (::ompl::RNG::setSeed()).
class StateSampler : public base::StateSampler {
  public:
    explicit StateSampler(const StateSpace *space)
        : base::StateSampler(space), axes_(space->axes()) {}

    void sampleUniform(base::State *state) override {
        double *v = values(state);
        for (std::size_t i = 0; i < axes_.size(); i++) {
            if (axes_[i].kind == GRAZE_Q_ROTATION)
                rng_.quaternion(v + i), i += 3;
            else
                v[i] = rng_.uniformReal(axes_[i].low, axes_[i].high);
        }
    }
    /// Within `distance` of each value, and of each rotation's angle.
    void sampleUniformNear(base::State *state, const base::State *near, double distance) override {
        const double *from = near->as<StateSpace::StateType>()->values;
        double *v = values(state);
        for (std::size_t i = 0; i < axes_.size(); i++) {
            const Axis &axis = axes_[i];
            if (axis.kind == GRAZE_Q_ROTATION) {
                turn(from + i, distance * std::cbrt(rng_.uniform01()), v + i);
                i += 3;
            } else if (axis.kind == GRAZE_Q_CIRCLE) {
                v[i] = rng_.uniformReal(from[i] - distance, from[i] + distance);
            } else {
                v[i] = rng_.uniformReal(std::fmax(axis.low, from[i] - distance),
                                        std::fmin(axis.high, from[i] + distance));
            }
        }
        space_->enforceBounds(state);
    }
    void sampleGaussian(base::State *state, const base::State *mean, double deviation) override {
        const double *from = mean->as<StateSpace::StateType>()->values;
        double *v = values(state);
        for (std::size_t i = 0; i < axes_.size(); i++) {
            if (axes_[i].kind == GRAZE_Q_ROTATION)
                turn(from + i, rng_.gaussian(0, deviation), v + i), i += 3;
            else
                v[i] = rng_.gaussian(from[i], deviation);
        }
        space_->enforceBounds(state);
    }

  private:
    static double *values(base::State *state) { return state->as<StateSpace::StateType>()->values; }
    /// Turns a rotation by an angle about a random axis.
    void turn(const double *from, double angle, double *to) {
        double axis[3], length = 0, q[4];
        while (!(length > 1e-6)) {
            for (double &x : axis) x = rng_.gaussian01();
            length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        }
        for (int i = 0; i < 3; i++) q[i] = axis[i] / length * std::sin(angle / 2);
        q[3] = std::cos(angle / 2);
        detail::multiply(q, from, to);
    }
    const std::vector<Axis> &axes_;
};

inline base::StateSamplerPtr StateSpace::allocDefaultStateSampler() const {
    return std::make_shared<StateSampler>(this);
}

/// Where a link is in the world: three numbers, metres.
class LinkProjection : public base::ProjectionEvaluator {
  public:
    LinkProjection(const StateSpace *space, int link)
        : base::ProjectionEvaluator(space), robot_space_(space), link_(link) {}
    unsigned int getDimension() const override { return 3; }
    void project(const base::State *state, Eigen::Ref<Eigen::VectorXd> projection) const override {
        detail::Scratch q(robot_space_->robot().columns());
        double base[6];
        robot_space_->toQ(state, q.data(), base);
        graze_transform pose = robot_space_->robot().pose(
            Values(q.data(), robot_space_->robot().columns()), base)[size_t(link_)];
        for (int i = 0; i < 3; i++) projection[i] = pose.m[4 * i + 3];
    }
    /// Five centimetres.
    void defaultCellSizes() override { cellSizes_.assign(3, 0.05); }

  private:
    const StateSpace *robot_space_;
    int link_;
};

inline void StateSpace::registerProjections() {
    registerDefaultProjection(std::make_shared<LinkProjection>(this, tip_));
}

} // namespace ompl
} // namespace graze

#endif
