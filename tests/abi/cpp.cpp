// graze.hpp: what C++ programs see, against the C interface.

#include "graze/graze.hpp"

#include <cstdio>
#include <thread>
#include <type_traits>

static int failures;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static_assert(std::is_nothrow_move_constructible<graze::Workspace>::value, "moves cannot fail");
static_assert(!std::is_copy_constructible<graze::Workspace>::value, "one thread at a time");

static const std::string source = GRAZE_SOURCE_DIR;

/// The checker outlives the names of robot and world: it shares them.
static graze::Checker make_checker() {
    graze::Robot robot = graze::Robot::load(source + "/urdf/heron.urdf",
                                            source + "/urdf/heron.srdf");
    graze::World world("shelf");
    world.add_file(source + "/worlds/shelf.json");
    return graze::Checker(robot, world);
}

static void test_verdicts_are_those_of_c() {
    graze::Checker checker = make_checker();
    graze::Workspace workspace(checker);
    const graze::Robot &robot = checker.robot();
    std::vector<double> rows;
    std::vector<bool> single;
    for (std::uint64_t i = 0; i < 2000; i++) {
        std::vector<double> q = robot.sample(3, i);
        rows.insert(rows.end(), q.begin(), q.end());
        single.push_back(workspace.collides(q));
        std::vector<graze::Contact> contacts = workspace.contacts(q);
        EXPECT(contacts.empty() != single.back());
        std::vector<graze_transform> links = robot.pose(q);
        EXPECT(workspace.collides(links) == single.back() &&
               workspace.contacts(links).size() == contacts.size());
        for (const graze::Contact &c : contacts)
            EXPECT(c.link == graze_robot_link_name(robot.get(), c.at.link) && !c.other.empty());
        if (i % 50) continue;
        graze::ContactList list = workspace.list_contacts(q);
        EXPECT((list.verdict == GRAZE_COLLISION) == single.back());
        EXPECT(list.pairs.size() >= contacts.size() && list.pairs.empty() == contacts.empty());
        for (const graze_contact_pair &p : list.pairs)
            EXPECT(p.first + p.written <= list.triangles.size() && p.depth > 0);
    }
    std::vector<std::uint8_t> one = checker.check(rows), two = checker.check(rows, 2);
    EXPECT(one == two);
    for (std::size_t i = 0; i < single.size(); i++)
        EXPECT((one[i] == GRAZE_COLLISION) == single[i]);
}

static void test_a_scene_moves_and_views_stay() {
    graze::Robot robot = graze::Robot::load(source + "/urdf/heron.urdf",
                                            source + "/urdf/heron.srdf");
    graze::World world;
    const double far[3] = {9, 0, 0}, near[3] = {0, 0, 0.3}, size[3] = {0.4, 0.4, 0.4};
    graze_transform poses[2] = {graze_transform_from_xyz_rpy(far, nullptr),
                                graze_transform_from_xyz_rpy(near, nullptr)};
    world.add_box("box", size, poses[0]);
    graze::Scene scene{graze::Checker(robot, world)};
    std::vector<graze_world_change> changes = {graze_world_change_default()};
    changes[0].id = 1;
    changes[0].pose = &poses[1];
    graze::Scene::View before = scene.view();
    scene.revise(changes);
    graze::Scene::View after = scene.view();
    EXPECT(!before.collides(robot.rest()) && after.collides(robot.rest()));
    EXPECT(before.version() == 1 && after.version() == 2);
    std::atomic<int> flag{1};
    EXPECT(*graze::cancel_flag(flag) == 1);
    EXPECT(graze::Checker(robot).first_hit(robot.rest(), GRAZE_ORDER_BIT_REVERSED) == 1);
}

static void test_errors_are_thrown_with_their_place() {
    try {
        graze::Robot::load(source + "/urdf/nobody.urdf");
        EXPECT(false);
    } catch (const graze::Error &e) {
        EXPECT(e.status() == GRAZE_ERROR_NOT_FOUND &&
               std::string(e.what()).find("nobody") != std::string::npos);
    }
    graze::Checker checker = make_checker();
    graze::Workspace workspace(checker);
    std::vector<double> q = checker.robot().rest();
    q.pop_back();
    try {
        workspace.collides(q);
        EXPECT(false);
    } catch (const graze::Error &e) {
        EXPECT(e.status() == GRAZE_ERROR_ARGUMENT &&
               std::string(e.what()).find("allowed") != std::string::npos);
    }
    bool thrown = false;
    try {
        checker.check(q);
    } catch (const std::invalid_argument &) {
        thrown = true;
    }
    EXPECT(thrown);
}

static void test_threads_share_a_checker() {
    graze::Checker checker = make_checker();
    std::vector<std::thread> threads;
    std::vector<int> counts(4);
    for (std::size_t k = 0; k < counts.size(); k++)
        threads.emplace_back([&, k] {
            graze::Workspace workspace(checker);
            for (std::uint64_t i = 0; i < 500; i++)
                counts[k] += workspace.collides(checker.robot().sample(5, i));
        });
    for (std::thread &t : threads) t.join();
    for (int count : counts) EXPECT(count == counts[0] && count > 0);
}

static void test_motions_and_poses() {
    graze::Robot robot = graze::Robot::load(source + "/urdf/six_axis.urdf");
    std::vector<double> a = robot.sample(1, 0), b = robot.sample(1, 1);
    EXPECT(robot.interpolate(a, b, 0) == a && robot.interpolate(a, b, 1) == b);
    std::vector<graze_transform> links = robot.pose(robot.rest());
    EXPECT(links.size() == graze_robot_link_count(robot.get()));
    EXPECT(links[static_cast<std::size_t>(graze_robot_root(robot.get()))].m[0] == 1);
    graze::World world;
    world.add_sphere("ball", 0.1, links.back())
        .add_box("box", {1, 1, 1}, graze_transform_identity());
    graze::Workspace workspace(graze::Checker(robot, world));
    EXPECT(workspace.collides(robot.rest()));
    graze::Workspace moved = std::move(workspace);
    EXPECT(moved.contacts(robot.rest()).size() > 1);
}

static void test_rules_and_versions() {
    graze::Checker checker = make_checker();
    graze::Workspace workspace(checker);
    graze::Rules rules(checker);
    rules.keep_links({});
    std::vector<double> q = checker.robot().rest();
    for (std::uint64_t i = 0; !workspace.collides(q); i++) q = checker.robot().sample(5, i);
    EXPECT(!workspace.collides(rules, q));
    rules.reset();
    EXPECT(workspace.collides(rules, q));
    bool thrown = false;
    try {
        rules.set(GRAZE_CONTACT_SELF, 0, 0, true);
    } catch (const graze::Error &) {
        thrown = true;
    }
    EXPECT(thrown);
    graze::Checker again = checker.with_robot(checker.robot());
    workspace.rebind(again);
    EXPECT(workspace.collides(q));
    graze::Rules others(again);
    others.set_margin(GRAZE_CONTACT_WORLD, graze_robot_root(checker.robot().get()), 0, 0.01);
    EXPECT(workspace.collides(others, q));
}

int main() {
    test_rules_and_versions();
    test_verdicts_are_those_of_c();
    test_a_scene_moves_and_views_stay();
    test_errors_are_thrown_with_their_place();
    test_threads_share_a_checker();
    test_motions_and_poses();
    std::printf("%d failures\n", failures);
    return failures ? 1 : 0;
}
