/// @file graze.hpp
/// graze for C++17: objects that free themselves, exceptions in place of statuses, vectors in place
/// of pointers and counts. Header-only, over the C interface, which everything else is reached by:
/// get() gives the C object.
///
/// Objects are moved, not copied. A Checker shares its Robot and World, so that these live as long
/// as it. Any function may throw graze::Error; std::bad_alloc comes from the vectors alone. Threads
/// are as in C: robots, worlds and checkers are shared freely, a Workspace is of one thread at a
/// time.
#ifndef GRAZE_GRAZE_HPP
#define GRAZE_GRAZE_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graze.h"

namespace graze {

/// A status that is not GRAZE_OK, with its place. what() is "file:line: message".
class Error : public std::runtime_error {
  public:
    explicit Error(graze_status status, const graze_error &error)
        : std::runtime_error(text(error)), status_(status), error_(error) {}
    graze_status status() const noexcept { return status_; }
    /// File, line, column and element, as in C.
    const graze_error &place() const noexcept { return error_; }

  private:
    static std::string text(const graze_error &e) {
        std::string where = e.file[0] ? std::string(e.file) + ":" + std::to_string(e.line) + ": "
                                      : "";
        return where + e.message;
    }
    graze_status status_;
    graze_error error_;
};

namespace detail {
template <class T, void (*Free)(T *)> struct Free_ {
    void operator()(T *object) const noexcept { Free(object); }
};
template <class T, void (*Free)(T *)> using Handle = std::unique_ptr<T, Free_<T, Free>>;

/// Calls f(&error) and throws unless it returns GRAZE_OK.
template <class F> void must(F f) {
    graze_error error;
    error.status = GRAZE_OK;
    error.file[0] = error.message[0] = error.element[0] = '\0';
    graze_status status = f(&error);
    if (status != GRAZE_OK) throw Error(status, error);
}
} // namespace detail

/// The `cancel` field of a batch, map, matrix or plan for a flag that any thread may set.
inline const volatile int *cancel_flag(const std::atomic<int> &flag) noexcept {
    static_assert(sizeof(std::atomic<int>) == sizeof(int) && std::atomic<int>::is_always_lock_free,
                  "an atomic int is laid out as an int");
    return reinterpret_cast<const volatile int *>(&flag);
}

/// Numbers that somebody else owns: what a vector, an array or a pointer with a count converts to.
class Values {
  public:
    Values(const std::vector<double> &v) : data_(v.data()), size_(v.size()) {}
    template <std::size_t N> Values(const double (&v)[N]) : data_(v), size_(N) {}
    Values(const double *data, std::size_t size) : data_(data), size_(size) {}
    const double *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

  private:
    const double *data_;
    std::size_t size_;
};

/// A robot, immutable. Copies share it.
class Robot {
  public:
    /// Loads a URDF. @param options NULL for the defaults
    static Robot load(const std::string &urdf, const graze_load_options *options = nullptr) {
        graze_robot *r = nullptr;
        detail::must(
            [&](graze_error *e) { return graze_robot_load_urdf(&r, urdf.c_str(), options, e); });
        return Robot(r);
    }
    /// Loads a URDF with its SRDF.
    static Robot load(const std::string &urdf, const std::string &srdf) {
        graze_load_options options = graze_load_options_default();
        options.srdf = srdf.c_str();
        return load(urdf, &options);
    }
    /// Takes over a robot that C made.
    explicit Robot(graze_robot *robot) : robot_(robot, graze_robot_free) {}

    const graze_robot *get() const noexcept { return robot_.get(); }
    std::string name() const { return graze_robot_name(get()); }
    std::size_t columns() const noexcept { return graze_robot_q_size(get()); }
    std::string column_name(std::size_t i) const {
        const char *name = graze_robot_q_name(get(), i);
        if (!name) throw std::out_of_range("column of q");
        return name;
    }
    std::vector<double> rest() const {
        std::vector<double> q(columns());
        graze_robot_rest(get(), q.data());
        return q;
    }
    /// Number `index` of the random configurations of a seed.
    std::vector<double> sample(std::uint64_t seed, std::uint64_t index) const {
        std::vector<double> q(columns());
        detail::must([&](graze_error *e) {
            return graze_robot_sample(get(), seed, index, nullptr, nullptr, q.data(), e);
        });
        return q;
    }
    /// The configuration at t in [0, 1] of the straight motion between two.
    std::vector<double> interpolate(Values from, Values to, double t,
                                    graze_turn turn = GRAZE_TURN_SHORTER) const {
        if (from.size() != to.size()) throw std::invalid_argument("q of two sizes");
        std::vector<double> q(columns());
        detail::must([&](graze_error *e) {
            return graze_robot_interpolate(get(), from.data(), to.data(), from.size(), turn, t,
                                           q.data(), e);
        });
        return q;
    }
    /// The pose of every link. @param base x y z roll pitch yaw, or NULL for the identity
    std::vector<graze_transform> pose(Values q, const double *base = nullptr) const {
        std::vector<graze_transform> links(graze_robot_link_count(get()));
        detail::must([&](graze_error *e) {
            return graze_robot_pose(get(), q.data(), q.size(), base, links.data(), e);
        });
        return links;
    }

  private:
    std::shared_ptr<graze_robot> robot_;
};

/// A world: filled, then committed by the first Checker. Copies share it.
class World {
  public:
    explicit World(const std::string &name = "world") {
        graze_world *w = nullptr;
        detail::must([&](graze_error *e) { return graze_world_create(&w, name.c_str(), e); });
        world_.reset(w, graze_world_free);
    }
    /// Takes over a world that C made.
    explicit World(graze_world *world) : world_(world, graze_world_free) {}
    const graze_world *get() const noexcept { return world_.get(); }
    World &add_box(const std::string &name, const double (&size)[3], const graze_transform &pose) {
        return add([&](graze_error *e) {
            return graze_world_add_box(world_.get(), name.c_str(), size, &pose, e);
        });
    }
    World &add_sphere(const std::string &name, double radius, const graze_transform &pose) {
        return add([&](graze_error *e) {
            return graze_world_add_sphere(world_.get(), name.c_str(), radius, &pose, e);
        });
    }
    World &add_file(const std::string &path, const graze_load_options *options = nullptr) {
        return add([&](graze_error *e) {
            return graze_world_add_file(world_.get(), path.c_str(), options, e);
        });
    }
    /// Ends the building; a second call does nothing.
    World &commit() {
        return add([&](graze_error *e) { return graze_world_commit(world_.get(), e); });
    }

  private:
    template <class F> World &add(F f) {
        detail::must(f);
        return *this;
    }
    std::shared_ptr<graze_world> world_;
};

class Workspace;
class Rules;

/// A robot in a world with rules, immutable. Copies share it.
class Checker {
  public:
    explicit Checker(Robot robot, const graze_checker_options *options = nullptr)
        : Checker(std::move(robot), nullptr, options) {}
    Checker(Robot robot, World world, const graze_checker_options *options = nullptr)
        : Checker(std::move(robot), std::make_shared<World>(std::move(world.commit())), options) {}
    const graze_checker *get() const noexcept { return checker_.get(); }
    const Robot &robot() const noexcept { return robot_; }
    /// Verdicts of rows of robot().columns() numbers each, one byte a row: GRAZE_FREE or
    /// GRAZE_COLLISION. @param threads 0: one per processor
    std::vector<std::uint8_t> check(Values rows, std::uint32_t threads = 1) const {
        graze_batch batch = graze_batch_default();
        std::size_t columns = robot_.columns();
        if (columns ? rows.size() % columns : rows.size()) throw std::invalid_argument("rows of q");
        batch.count = columns ? rows.size() / columns : 1;
        std::vector<std::uint8_t> verdicts(batch.count);
        batch.q = rows.data();
        batch.threads = threads;
        batch.verdicts = verdicts.data();
        detail::must([&](graze_error *e) { return graze_check_batch(get(), &batch, e); });
        return verdicts;
    }

    /// The same world and rules for another version of the robot.
    Checker with_robot(Robot robot) const {
        graze_checker *c = nullptr;
        detail::must(
            [&](graze_error *e) { return graze_checker_with_robot(&c, get(), robot.get(), e); });
        Checker out = *this;
        out.robot_ = std::move(robot);
        out.checker_.reset(c, graze_checker_free);
        return out;
    }
    /// The first row that is not free, from coarse to fine if so wished; the number of rows where
    /// all are free.
    std::size_t first_hit(Values rows, graze_batch_order order = GRAZE_ORDER_ROWS,
                          std::uint32_t threads = 1) const {
        graze_batch batch = graze_batch_default();
        std::size_t columns = robot_.columns(), first = 0;
        if (columns ? rows.size() % columns : rows.size()) throw std::invalid_argument("rows of q");
        batch.count = columns ? rows.size() / columns : 1;
        std::vector<std::uint8_t> verdicts(batch.count);
        batch.q = rows.data();
        batch.threads = threads;
        batch.verdicts = verdicts.data();
        batch.order = order;
        batch.stop_at_first = 1;
        batch.first = &first;
        detail::must([&](graze_error *e) { return graze_check_batch(get(), &batch, e); });
        return first;
    }

  private:
    friend class Workspace;
    Checker(Robot robot, std::shared_ptr<World> world, const graze_checker_options *options)
        : robot_(std::move(robot)), world_(std::move(world)) {
        graze_checker *c = nullptr;
        detail::must([&](graze_error *e) {
            return graze_checker_create(&c, robot_.get(), world_ ? world_->get() : nullptr, options,
                                        e);
        });
        checker_.reset(c, graze_checker_free);
    }
    Robot robot_;
    std::shared_ptr<World> world_;
    std::shared_ptr<graze_checker> checker_;
};

/// Which pairs a single check looks at, and at which margins, by index: rules.h.
class Rules {
  public:
    explicit Rules(Checker checker) : checker_(std::move(checker)) {
        graze_rules *r = nullptr;
        detail::must([&](graze_error *e) { return graze_rules_create(&r, checker_.get(), e); });
        rules_.reset(r);
    }
    graze_rules *get() const noexcept { return rules_.get(); }
    void reset() { graze_rules_reset(get()); }
    void set(graze_contact_kind kind, std::int32_t link, std::int32_t other, bool checked) {
        detail::must(
            [&](graze_error *e) { return graze_rules_set(get(), kind, link, other, checked, e); });
    }
    void set_margin(graze_contact_kind kind, std::int32_t link, std::int32_t other, double margin) {
        detail::must([&](graze_error *e) {
            return graze_rules_set_margin(get(), kind, link, other, margin, e);
        });
    }
    void keep_links(const std::vector<std::int32_t> &links) {
        detail::must([&](graze_error *e) {
            return graze_rules_keep_links(get(), links.data(), links.size(), e);
        });
    }

  private:
    Checker checker_;
    detail::Handle<graze_rules, graze_rules_free> rules_;
};

/// A contact with its names.
struct Contact {
    graze_contact at;
    std::string link, other;
};

/// All contacts of a configuration: pairs of geometries, and their pairs of triangles.
struct ContactList {
    graze_verdict verdict;
    std::vector<graze_contact_pair> pairs;
    std::vector<graze_triangle_pair> triangles;
};

/// What one thread at a time checks with.
class Workspace {
  public:
    explicit Workspace(Checker checker) : checker_(std::move(checker)) {
        graze_workspace *w = nullptr;
        detail::must([&](graze_error *e) { return graze_workspace_create(&w, checker_.get(), e); });
        workspace_.reset(w);
    }
    graze_workspace *get() const noexcept { return workspace_.get(); }
    /// Whether a configuration collides. Allocates nothing.
    bool collides(Values q, const double *base = nullptr) {
        graze_report report = {};
        run(GRAZE_ANSWER_ANY, q, base, report);
        return report.verdict != GRAZE_FREE;
    }
    /// The same under rules of the workspace's checker.
    bool collides(const Rules &rules, Values q, const double *base = nullptr) {
        graze_report report = {};
        detail::must([&](graze_error *e) {
            return graze_check_ruled(rules.get(), get(), GRAZE_ANSWER_ANY, q.data(), q.size(), base,
                                     &report, e);
        });
        return report.verdict != GRAZE_FREE;
    }
    /// Makes this a workspace of another checker, mostly the next version of its own.
    void rebind(Checker checker) {
        detail::must(
            [&](graze_error *e) { return graze_workspace_rebind(get(), checker.get(), e); });
        checker_ = std::move(checker);
    }
    /// Whether poses of all links in the world collide, as Robot::pose() gives them.
    bool collides(const std::vector<graze_transform> &links) {
        graze_report report = {};
        run(GRAZE_ANSWER_ANY, links, report);
        return report.verdict != GRAZE_FREE;
    }
    /// All contacts of a configuration, one for each pair that collides.
    std::vector<Contact> contacts(Values q, const double *base = nullptr) {
        return gather([&](graze_report &r) { run(GRAZE_ANSWER_ALL, q, base, r); });
    }
    std::vector<Contact> contacts(const std::vector<graze_transform> &links) {
        return gather([&](graze_report &r) { run(GRAZE_ANSWER_ALL, links, r); });
    }

    /// Every pair of geometries and of triangles that overlaps. @param options NULL: the defaults
    ContactList list_contacts(Values q, const double *base = nullptr,
                              const graze_contacts_options *options = nullptr) {
        graze_contact_report r = {};
        ContactList list;
        for (int pass = 0; pass < 2; pass++) { // counts, then fills
            list.pairs.resize(r.pair_count);
            list.triangles.resize(r.triangle_count);
            r.pairs = list.pairs.data();
            r.triangles = list.triangles.data();
            r.pair_capacity = r.pair_count;
            r.triangle_capacity = r.triangle_count;
            detail::must([&](graze_error *e) {
                return graze_check_contacts(checker_.get(), get(), q.data(), q.size(), base,
                                            options, &r, e);
            });
        }
        list.triangles.resize(r.triangles_written);
        list.verdict = r.verdict;
        return list;
    }
    /// Limits the work of each later check, which throws Error with GRAZE_ERROR_BUDGET where that
    /// is spent; 0: no limit.
    void set_budget(std::uint64_t units) {
        detail::must([&](graze_error *e) { return graze_workspace_set_budget(get(), units, e); });
    }
    /// Whether the configurations that are checked next follow each other in small steps.
    void set_coherent(bool coherent) {
        detail::must([&](graze_error *e) {
            return graze_workspace_set_coherent(get(), coherent ? 1 : 0, e);
        });
    }

  private:
    void run(graze_answer answer, Values q, const double *base, graze_report &report) {
        detail::must([&](graze_error *e) {
            return graze_check(checker_.get(), get(), answer, q.data(), q.size(), base, &report, e);
        });
    }
    void run(graze_answer answer, const std::vector<graze_transform> &links, graze_report &report) {
        detail::must([&](graze_error *e) {
            return graze_check_posed(checker_.get(), get(), answer, links.data(), links.size(),
                                     &report, e);
        });
    }
    /// Calls check(report) to count, and again to fill.
    template <class Check> std::vector<Contact> gather(Check check) {
        graze_report report = {};
        check(report);
        std::vector<graze_contact> found(report.count);
        report.contacts = found.data();
        report.capacity = found.size();
        if (!found.empty()) check(report);
        std::vector<Contact> named;
        for (const graze_contact &c : found)
            named.push_back({c, graze_contact_link_name(checker_.get(), &c),
                             graze_contact_other_name(checker_.get(), &c)});
        return named;
    }
    Checker checker_;
    detail::Handle<graze_workspace, graze_workspace_free> workspace_;
};

/// A checker whose world moves: one thread moves objects, any thread views the version of the
/// moment. Copies share it.
class Scene {
  public:
    /// One version, which stays as it is as long as the view lives.
    class View {
      public:
        const graze_checker *checker() const noexcept { return graze_view_checker(view_.get()); }
        graze_workspace *workspace() const noexcept { return graze_view_workspace(view_.get()); }
        std::uint64_t version() const noexcept { return graze_view_version(view_.get()); }
        bool collides(Values q, const double *base = nullptr) {
            graze_report report = {};
            detail::must([&](graze_error *e) {
                return graze_check(checker(), workspace(), GRAZE_ANSWER_ANY, q.data(), q.size(),
                                   base, &report, e);
            });
            return report.verdict != GRAZE_FREE;
        }

      private:
        friend class Scene;
        explicit View(std::shared_ptr<graze_scene> scene) : scene_(std::move(scene)) {
            graze_view *v = nullptr;
            detail::must([&](graze_error *e) { return graze_view_acquire(&v, scene_.get(), e); });
            view_.reset(v);
        }
        std::shared_ptr<graze_scene> scene_;
        detail::Handle<graze_view, graze_view_release> view_;
    };

    /// Begins with the checker's world.
    explicit Scene(const Checker &checker) : robot_(checker.robot()) {
        graze_scene *s = nullptr;
        detail::must([&](graze_error *e) { return graze_scene_create(&s, checker.get(), e); });
        scene_.reset(s, graze_scene_free);
    }
    graze_scene *get() const noexcept { return scene_.get(); }
    /// Makes the next version; all changes or none.
    void revise(const std::vector<graze_world_change> &changes) {
        detail::must([&](graze_error *e) {
            return graze_scene_revise(get(), changes.data(), changes.size(), e);
        });
    }
    View view() const { return View(scene_); }

  private:
    Robot robot_;
    std::shared_ptr<graze_scene> scene_;
};

} // namespace graze

#endif
