// graze_plan() as a whole, on the real engine.
#include "plan_fixture.h"
#include "unit/trials.h"

// A sphere of 0.1 m that moves in the plane.
#define PUCK                                                                                       \
    "<robot name='puck'><link name='table'/><link name='ball'><collision><geometry>"               \
    "<sphere radius='0.1'/></geometry></collision></link><joint name='move' type='planar'>"        \
    "<parent link='table'/><child link='ball'/><axis xyz='0 0 1'/></joint></robot>"

// A plank that flies.
#define DRONE                                                                                      \
    "<robot name='drone'><link name='world'/><link name='plank'><collision><geometry>"             \
    "<box size='1.2 0.1 0.1'/></geometry></collision></link><joint name='fly' type='floating'>"    \
    "<parent link='world'/><child link='plank'/></joint></robot>"

// Two bars on one axis: a continuous and a revolute one.
#define CLOCK                                                                                      \
    "<robot name='clock'><link name='face'/>"                                                      \
    "<link name='hour'><collision><origin xyz='0.5 0 0'/><geometry><box size='0.6 0.05 0.05'/>"    \
    "</geometry></collision></link>"                                                               \
    "<link name='alarm'><collision><origin xyz='0.5 0 1'/><geometry><box size='0.6 0.05 0.05'/>"   \
    "</geometry></collision></link>"                                                               \
    "<joint name='turn' type='continuous'><parent link='face'/><child link='hour'/>"               \
    "<axis xyz='0 0 1'/></joint>"                                                                  \
    "<joint name='set' type='revolute'><parent link='face'/><child link='alarm'/>"                 \
    "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>"

/// A puck in one half of a square, with a gap in the wall at x = 0.
static void make_halves(fixture *f, bool gap) {
    fixture_begin(f, PUCK);
    fixture_box(f, "wall", 0.1, 4, 1, 0, -2, 0);
    if (gap)
        fixture_box(f, "other_wall", 0.1, 4, 1, 0, 2.4, 0);
    else
        fixture_box(f, "other_wall", 0.1, 5, 1, 0, 2.4, 0);
    const double low[3] = {-2, -2, -1}, end[3] = {2, 2, 1};
    fixture_box(f, "north", 5, 0.1, 1, 0, 2, 0);
    fixture_box(f, "south", 5, 0.1, 1, 0, -2, 0);
    fixture_box(f, "east", 0.1, 5, 1, 2, 0, 0);
    fixture_box(f, "west", 0.1, 5, 1, -2, 0, 0);
    assert_int_equal(graze_world_set_boundary(f->world, low, end, NULL), GRAZE_OK);
    fixture_finish(f);
}

static const double left_half[3] = {-1, -1, 3}, right_half[3] = {1, -1, -3};

static void test_the_straight_way_is_taken_where_it_is_free(void **context) {
    (void)context;
    fixture f;
    fixture_load(&f, "two_link", NULL);
    double start[2] = {-1, 0.5}, goal[2] = {1.2, -0.7};
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result r = plan_and_recheck(&f, start, NULL, goal, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    assert_int_equal(graze_path_count(r.path), 2);
    assert_int_equal(r.iterations, 0);
    assert_true(fabs(r.length - hypot(2.2, 1.2)) < 1e-12);
    graze_path_free(r.path);
    r = plan_and_recheck(&f, start, NULL, start, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    assert_int_equal(graze_path_count(r.path), 2);
    assert_true(r.length == 0);
    graze_path_free(r.path);
    fixture_free(&f);
}

/// The nodes that were reported.
typedef struct seen_nodes {
    const fixture *f;
    graze_workspace *workspace;
    size_t count[2], root_count, wrong;
    double root[2][3];
} seen_nodes;

static void see_node(void *user, const graze_plan_node *node) {
    seen_nodes *seen = user;
    graze_report report = {0};
    assert_int_equal(graze_check(seen->f->checker, seen->workspace, GRAZE_ANSWER_ANY, node->q,
                                 seen->f->n, node->base, &report, NULL),
                     GRAZE_OK);
    if (node->parent < 0) {
        memcpy(seen->root[node->tree], node->q, sizeof seen->root[0]);
        seen->root_count++;
    }
    bool first = seen->count[node->tree]++ == 0;
    seen->wrong += report.verdict != GRAZE_FREE || first != (node->parent < 0) ||
                   node->parent + 1 >= (int64_t)seen->count[node->tree];
}

static void test_nodes_of_the_search_are_reported_and_change_nothing(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result quiet = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    seen_nodes seen = {.f = &f};
    assert_int_equal(graze_workspace_create(&seen.workspace, f.checker, NULL), GRAZE_OK);
    options.on_node = see_node;
    options.on_node_user = &seen;
    graze_plan_result reported = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    assert_int_equal(seen.wrong, 0);
    assert_int_equal(seen.root_count, 2);
    assert_memory_equal(seen.root[0], left_half, sizeof left_half);
    assert_memory_equal(seen.root[1], right_half, sizeof right_half);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seen.count[i], reported.tree_size[i]);
        assert_int_equal(reported.tree_size[i], quiet.tree_size[i]);
    }
    assert_int_equal(graze_path_count(reported.path), graze_path_count(quiet.path));
    assert_true(reported.length == quiet.length && seen.count[0] > 2 && seen.count[1] > 2);
    graze_path_free(quiet.path);
    graze_path_free(reported.path);
    graze_workspace_free(seen.workspace);
    fixture_free(&f);
}

static void test_a_gap_is_found_with_every_seed(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    for (options.seed = 1; options.seed <= 25; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        // Through the gap at y = 0.2 and back: at least 2 * 1.5 long.
        assert_true(r.length > 3 && r.iterations > 0);
        graze_path_free(r.path);
    }
    fixture_free(&f);
}

/// How many samples at the resolution of the planner are not free, by its own rule.
static size_t count_blocked(const fixture *f, const graze_path *path, double resolution) {
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, f->checker, NULL), GRAZE_OK);
    size_t blocked = 0;
    for (size_t i = 0; i + 1 < graze_path_count(path); i++) {
        uint64_t steps = graze_path_steps(path, i, resolution);
        for (uint64_t k = 0; k <= steps; k++) {
            double q[3], base[6];
            graze_report report = {0};
            assert_int_equal(graze_path_interpolate(path, i, (double)k / (double)steps, q, base),
                             GRAZE_OK);
            assert_int_equal(
                graze_check(f->checker, workspace, GRAZE_ANSWER_ANY, q, 3, base, &report, NULL),
                GRAZE_OK);
            blocked += report.verdict != GRAZE_FREE;
        }
    }
    graze_workspace_free(workspace);
    return blocked;
}

/// The wall is thinner than an eighth of a step: the first points of many edges miss it, trees meet
/// through it, and the edges between are found blocked by the rest of their points.
static void test_trees_that_join_through_a_wall_check_all_samples(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    options.certify = options.recheck = options.shortcut_rounds = 0;
    options.step = 2;
    for (options.seed = 1; options.seed <= 100; options.seed++) {
        graze_plan_result r;
        graze_error error;
        assert_int_equal(
            graze_plan(f.checker, left_half, NULL, right_half, NULL, &options, &r, &error),
            GRAZE_OK);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_int_equal(count_blocked(&f, r.path, options.resolution), 0);
        graze_path_free(r.path);
    }
    fixture_free(&f);
}

static void test_arms_are_planned_around_what_stands_in_their_way(void **context) {
    (void)context;
    fixture f;
    fixture_load(&f, "two_link", NULL);
    assert_int_equal(graze_world_create(&f.world, "post", NULL), GRAZE_OK);
    graze_checker_free(f.checker);
    fixture_box(&f, "post", 0.1, 0.1, 1, 0.7, 0, 0);
    fixture_finish(&f);
    double start[2] = {-0.8, 0.2}, goal[2] = {0.8, -0.2};
    graze_plan_options options = graze_plan_options_default();
    for (options.seed = 1; options.seed <= 10; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, start, NULL, goal, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_true(r.iterations > 0 && graze_path_count(r.path) > 2);
        graze_path_free(r.path);
    }
    fixture_free(&f);

    fixture_load(&f, "six_axis", NULL);
    graze_checker_free(f.checker);
    assert_int_equal(graze_world_create(&f.world, "column", NULL), GRAZE_OK);
    fixture_box(&f, "column", 0.1, 0.1, 2, 0.6, 0, 1);
    fixture_finish(&f);
    double left[6] = {1.2, 0.6, 0.6, 0, 0.3, 0}, right[6] = {-1.2, 0.6, 0.6, 0, 0.3, 0};
    for (options.seed = 1; options.seed <= 5; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, left, NULL, right, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        graze_path_free(r.path);
    }
    fixture_free(&f);
}

static void test_a_plank_turns_to_fly_through_a_slot(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, DRONE);
    // A slot 0.5 m wide and 3 m high in a wall: the plank across it does not fit.
    fixture_box(&f, "left", 0.1, 4, 3, 0, 2.25, 0);
    fixture_box(&f, "right", 0.1, 4, 3, 0, -2.25, 0);
    fixture_box(&f, "floor", 6, 9, 0.1, 0, 0, -1.5);
    fixture_box(&f, "roof", 6, 9, 0.1, 0, 0, 1.5);
    fixture_finish(&f);
    const double across = 0.70710678118654752;
    double start[7] = {-1.5, 0, 0, 0, 0, across, across}, goal[7] = {1.5, 0, 0, 0, 0, 2, -2};
    graze_plan_options options = graze_plan_options_default();
    options.step = 0.5;
    for (options.seed = 1; options.seed <= 3; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, start, NULL, goal, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        for (size_t i = 0; i < graze_path_count(r.path); i++) {
            const double *q = graze_path_q(r.path, i) + 3;
            assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-12);
        }
        graze_path_free(r.path);
    }
    fixture_free(&f);
}

static void test_continuous_joints_and_yaw_take_the_shorter_way(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, CLOCK);
    fixture_finish(&f);
    double start[2] = {3, -2.9}, goal[2] = {-3, 2.9};
    double start_base[6] = {0, 0, 0, 0, 0, -3}, goal_base[6] = {0, 0, 0, 0, 0, 3};
    graze_plan_options options = graze_plan_options_default();
    options.planar_base = 1;
    graze_plan_result r = plan_and_recheck(&f, start, start_base, goal, goal_base, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    double turned = 2 * M_PI - 6;
    assert_true(fabs(r.length - sqrt(2 * turned * turned + 5.8 * 5.8)) < 1e-9);
    double q[2], base[6];
    assert_int_equal(graze_path_interpolate(r.path, 0, 0.5, q, base), GRAZE_OK);
    assert_true(fabs(fabs(q[0]) - M_PI) < 1e-9 && fabs(q[1]) < 1e-9);
    assert_true(fabs(fabs(base[5]) - M_PI) < 1e-9);
    graze_path_free(r.path);

    // With a post on the short side, the hand must go the long way.
    graze_checker_free(f.checker);
    graze_world_free(f.world);
    assert_int_equal(graze_world_create(&f.world, "post", NULL), GRAZE_OK);
    fixture_box(&f, "post", 0.1, 0.02, 0.1, -0.6, 0, 0);
    fixture_finish(&f);
    options.planar_base = 0;
    double there[2] = {2.8, 0}, back[2] = {-2.8, 0};
    r = plan_and_recheck(&f, there, NULL, back, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    assert_true(r.length > 5.5);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void test_threads_change_nothing_and_seeds_do(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    options.max_seconds = INFINITY;
    options.max_iterations = 3000;
    graze_plan_result first = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    assert_int_equal(first.outcome, GRAZE_PLAN_FOUND);
    for (options.threads = 0; options.threads <= 3; options.threads++) {
        graze_plan_result r = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
        assert_int_equal(graze_path_count(r.path), graze_path_count(first.path));
        for (size_t i = 0; i < graze_path_count(r.path); i++) {
            assert_memory_equal(graze_path_q(r.path, i), graze_path_q(first.path, i),
                                3 * sizeof(double));
            assert_memory_equal(graze_path_base(r.path, i), graze_path_base(first.path, i),
                                6 * sizeof(double));
        }
        assert_true(r.iterations == first.iterations && r.edges_checked == first.edges_checked);
        assert_true(r.configurations_checked == first.configurations_checked);
        assert_true(r.tree_size[0] == first.tree_size[0] && r.tree_size[1] == first.tree_size[1]);
        assert_true(r.length == first.length && r.length_raw == first.length_raw);
        graze_path_free(r.path);
    }
    options.threads = 1;
    options.seed = 2;
    graze_plan_result other = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    assert_true(other.length != first.length);
    graze_path_free(other.path);
    graze_path_free(first.path);
    fixture_free(&f);
}

static void test_limits_of_start_and_goal_are_named(void **context) {
    (void)context;
    fixture f;
    fixture_load(&f, "two_link", NULL);
    double inside[2] = {0, 0}, outside[2] = {0, 100};
    int32_t elbow = graze_robot_q_joint(f.robot, 1);
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result r = plan_and_recheck(&f, outside, NULL, inside, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_START_LIMITS);
    assert_int_equal(r.joint, elbow);
    r = plan_and_recheck(&f, inside, NULL, outside, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_GOAL_LIMITS);
    assert_int_equal(r.joint, elbow);
    graze_joint_info info;
    assert_int_equal(graze_robot_joint(f.robot, elbow, &info), GRAZE_OK);
    double at_limit[2] = {0, info.upper};
    r = plan_and_recheck(&f, inside, NULL, at_limit, NULL, &options);
    assert_int_not_equal(r.outcome, GRAZE_PLAN_GOAL_LIMITS);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void test_collisions_of_start_and_goal_are_named(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    double in_wall[3] = {0.05, -1, 0};
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result r = plan_and_recheck(&f, in_wall, NULL, right_half, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_START_COLLIDES);
    assert_string_equal(graze_contact_link_name(f.checker, &r.contact), "ball");
    assert_string_equal(graze_contact_other_name(f.checker, &r.contact), "wall");
    r = plan_and_recheck(&f, left_half, NULL, in_wall, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_GOAL_COLLIDES);
    assert_string_equal(graze_contact_other_name(f.checker, &r.contact), "wall");
    fixture_free(&f);
}

static void test_what_is_not_planned_does_not_move(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    const int32_t xy[2] = {1, 0};
    options.columns = xy;
    options.column_count = 2;
    double start[3] = {-1, -1, 0.7}, goal[3] = {1, -1, 0.7};
    graze_plan_result r = plan_and_recheck(&f, start, NULL, goal, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    for (size_t i = 0; i < graze_path_count(r.path); i++)
        assert_true(graze_path_q(r.path, i)[2] == 0.7);
    graze_path_free(r.path);
    goal[2] = 0.8;
    r = plan_and_recheck(&f, start, NULL, goal, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_UNREACHABLE);
    assert_int_equal(r.joint, 0);
    goal[2] = 0.7;
    double base[6] = {0, 0, 0, 0, 0, 0.1};
    r = plan_and_recheck(&f, start, NULL, goal, base, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_UNREACHABLE);
    assert_int_equal(r.joint, -1);
    options.planar_base = 1;
    r = plan_and_recheck(&f, start, NULL, goal, base, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    graze_path_free(r.path);
    base[2] = 0.01;
    r = plan_and_recheck(&f, start, NULL, goal, base, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_UNREACHABLE);
    // The base alone: the ball rides on it through the gap.
    double center[3] = {0, 0, 0}, west[6] = {-1, -1, 0, 0, 0, 0}, east[6] = {1, -1, 0, 0, 0, 3};
    options.column_count = 0;
    r = plan_and_recheck(&f, center, west, center, east, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    assert_true(r.length > 3);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void test_budgets_end_a_plan_that_cannot_succeed(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, false);
    graze_plan_options options = graze_plan_options_default();
    options.max_iterations = 100;
    graze_plan_result r = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_ITERATIONS);
    assert_int_equal(r.iterations, 100);
    assert_true(r.tree_size[0] > 1 && r.tree_size[1] > 1);
    options.max_iterations = UINT64_MAX;
    options.max_seconds = 0.2;
    r = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_TIME);
    assert_true(r.seconds >= 0.2 && r.seconds < 5);
    // Neither tree leaves the other behind.
    double ratio = (double)r.tree_size[0] / (double)r.tree_size[1];
    assert_true(ratio > 0.25 && ratio < 4);
    const volatile int cancel = 1;
    options.cancel = &cancel;
    options.max_seconds = INFINITY;
    r = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_CANCELLED);
    fixture_free(&f);
}

/// The goal is in a slot that leaves the puck 0.02 m: next to no extension there is free.
static void test_a_tree_in_a_narrow_slot_is_not_left_behind(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, false);
    graze_checker_free(f.checker);
    graze_world_free(f.world);
    assert_int_equal(graze_world_create(&f.world, "slot", NULL), GRAZE_OK);
    const double low[3] = {-3, -3, -1}, end[3] = {3, 3, 1};
    fixture_box(&f, "below", 2, 0.1, 1, 1, -0.16, 0);
    fixture_box(&f, "above", 2, 0.1, 1, 1, 0.16, 0);
    fixture_box(&f, "back", 0.1, 1, 1, 2, 0, 0);
    assert_int_equal(graze_world_set_boundary(f.world, low, end, NULL), GRAZE_OK);
    fixture_finish(&f);
    const double hall[3] = {2.5, 1.5, 0}, slot[3] = {1.5, 0, 1};
    graze_plan_options options = graze_plan_options_default();
    options.max_seconds = INFINITY;
    options.max_iterations = 20000;
    uint64_t nodes = 0, in_slot = 0;
    for (options.seed = 1; options.seed <= 10; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, hall, NULL, slot, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        graze_path_free(r.path);
        nodes += r.tree_size[0];
        in_slot += r.tree_size[1];
    }
    assert_true(2 * in_slot > nodes);
    fixture_free(&f);
}

/// The slot has a wall before its mouth, and the space is so large that hardly any sample is in the
/// slot: a step of 1 out of it ends in the wall.
static void test_a_tree_takes_shorter_steps_where_all_are_blocked(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, PUCK);
    const double low[3] = {-200, -200, -1}, end[3] = {200, 200, 1};
    fixture_box(&f, "below", 2, 0.1, 1, 1, -0.2, 0);
    fixture_box(&f, "above", 2, 0.1, 1, 1, 0.2, 0);
    fixture_box(&f, "back", 0.1, 1, 1, 2, 0, 0);
    fixture_box(&f, "front", 0.1, 1, 1, -0.35, 0, 0);
    assert_int_equal(graze_world_set_boundary(f.world, low, end, NULL), GRAZE_OK);
    fixture_finish(&f);
    const double outside[3] = {24, 18, 0}, slot[3] = {0.5, 0, 0};
    const int32_t xy[2] = {0, 1};
    graze_plan_options options = graze_plan_options_default();
    options.columns = xy;
    options.column_count = 2;
    options.max_seconds = INFINITY;
    options.max_iterations = 20000;
    for (options.seed = 1; options.seed <= 10; options.seed++) {
        graze_plan_result r = plan_and_recheck(&f, outside, NULL, slot, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        graze_path_free(r.path);
    }
    fixture_free(&f);
}

static void test_the_base_is_sampled_where_the_caller_says(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, CLOCK);
    fixture_box(&f, "wall", 0.1, 20, 1, 0, 0, 0);
    fixture_finish(&f);
    // Nothing within the given range leads around the wall; a wider one does.
    double q[2] = {0, 0}, west[6] = {-2, 8, 0, 0, 0, 0}, east[6] = {2, 8, 0, 0, 0, 0};
    graze_plan_options options = graze_plan_options_default();
    options.planar_base = 1;
    options.max_iterations = 300;
    options.base_min[0] = options.base_min[1] = -9;
    options.base_max[0] = options.base_max[1] = 9;
    graze_plan_result r = plan_and_recheck(&f, q, west, q, east, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_ITERATIONS);
    options.max_iterations = 100000;
    options.base_max[1] = 20;
    r = plan_and_recheck(&f, q, west, q, east, &options);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void expect_error(const fixture *f, const double *start, const graze_plan_options *options,
                         graze_status expected, const char *text) {
    graze_plan_result r;
    graze_error error;
    double goal[7] = {1, -1, 0, 0, 0, 0, 1};
    graze_status status = graze_plan(f->checker, start, NULL, goal, NULL, options, &r, &error);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
    if (!strstr(error.message, text)) fail_msg("'%s' lacks '%s'", error.message, text);
    assert_null(r.path);
    assert_int_not_equal(r.outcome, GRAZE_PLAN_FOUND);
}

static void test_mistakes_of_the_caller_are_errors(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, DRONE);
    fixture_finish(&f);
    double start[7] = {-1, -1, 0, 0, 0, 0, 1};
    graze_plan_options options = graze_plan_options_default(), good = options;
    options.struct_size = 0;
    expect_error(&f, start, &options, GRAZE_ERROR_ARGUMENT, "struct_size");
    options = good;
    options.resolution = 0;
    expect_error(&f, start, &options, GRAZE_ERROR_RANGE, "resolution is 0");
    options.resolution = NAN;
    expect_error(&f, start, &options, GRAZE_ERROR_RANGE, "resolution");
    options = good;
    options.step = 0.01;
    expect_error(&f, start, &options, GRAZE_ERROR_RANGE, "step is 0.01");
    options = good;
    options.max_seconds = -1;
    expect_error(&f, start, &options, GRAZE_ERROR_RANGE, "max_seconds is -1");
    options = good;
    options.planar_base = 1;
    options.base_min[0] = INFINITY;
    expect_error(&f, start, &options, GRAZE_ERROR_RANGE, "base x");
    options = good;
    const int32_t beyond[1] = {7}, twice[2] = {1, 1}, partial[3] = {0, 3, 4}, rest[1] = {6};
    options.columns = beyond;
    options.column_count = 1;
    expect_error(&f, start, &options, GRAZE_ERROR_ARGUMENT, "column 0 is 7; allowed: 0 to 6");
    options.columns = twice;
    options.column_count = 2;
    expect_error(&f, start, &options, GRAZE_ERROR_ARGUMENT, "twice");
    options.columns = partial;
    options.column_count = 3;
    expect_error(&f, start, &options, GRAZE_ERROR_UNSUPPORTED, "quaternion");
    options.columns = rest;
    options.column_count = 1;
    expect_error(&f, start, &options, GRAZE_ERROR_UNSUPPORTED, "fly/qw");
    expect_error(&f, NULL, &good, GRAZE_ERROR_ARGUMENT, "start or goal is NULL");
    start[1] = NAN;
    expect_error(&f, start, &good, GRAZE_ERROR_RANGE, "start: fly/y is nan");
    start[1] = 0;
    start[6] = 0; // a zero quaternion
    expect_error(&f, start, &good, GRAZE_ERROR_RANGE, "");
    graze_plan_result r;
    assert_int_equal(graze_plan(NULL, start, NULL, start, NULL, NULL, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_plan(f.checker, start, NULL, start, NULL, NULL, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    fixture_free(&f);
}

static void test_paths_answer_for_their_waypoints_only(void **context) {
    (void)context;
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result r = plan_and_recheck(&f, left_half, NULL, right_half, NULL, &options);
    size_t n = graze_path_count(r.path);
    assert_null(graze_path_q(r.path, n));
    assert_null(graze_path_base(r.path, n));
    double q[3], base[6];
    for (size_t i = 0; i + 1 < n; i++) {
        for (int k = 0; k < 2; k++) {
            assert_int_equal(graze_path_interpolate(r.path, i, k, q, base), GRAZE_OK);
            assert_memory_equal(q, graze_path_q(r.path, i + (size_t)k), sizeof q);
            assert_memory_equal(base, graze_path_base(r.path, i + (size_t)k), sizeof base);
        }
    }
    assert_int_equal(graze_path_interpolate(r.path, n - 1, 0, q, base), GRAZE_ERROR_ARGUMENT);
    // Steps: as many as the metric needs, and none where there is no motion.
    double all = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        double fine = (double)graze_path_steps(r.path, i, r.length * 1e-6);
        assert_int_equal(graze_path_steps(r.path, i, r.length), 1);
        all += fine;
    }
    assert_true(all >= 1e6 && all < 1.5e6 + (double)n);
    assert_int_equal(graze_path_steps(r.path, n - 1, 0.1), 0);
    assert_int_equal(graze_path_steps(r.path, 0, 0), 0);
    assert_int_equal(graze_path_steps(r.path, 0, NAN), 0);
    assert_int_equal(graze_path_steps(NULL, 0, 0.1), 0);
    assert_int_equal(graze_path_interpolate(r.path, 0, 1.5, q, base), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_path_interpolate(r.path, 0, NAN, q, base), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_path_interpolate(NULL, 0, 0, q, base), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_path_count(NULL), 0);
    graze_path_free(NULL);
    graze_path_free(r.path);
    fixture_free(&f);
}

/// A puck in one half of a square, with a wall between them that is a micrometre thick and, if
/// wanted, has a gap in the north.
static void make_foil(fixture *f, double thickness, bool gap) {
    fixture_begin(f, PUCK);
    fixture_box(f, "sheet", thickness, 4, 1, 0, gap ? -0.5 : 0, 0);
    fixture_box(f, "north", 5, 0.1, 1, 0, 2, 0);
    fixture_box(f, "south", 5, 0.1, 1, 0, -2, 0);
    fixture_box(f, "east", 0.1, 5, 1, 2, 0, 0);
    fixture_box(f, "west", 0.1, 5, 1, -2, 0, 0);
    fixture_finish(f);
}

/// Whether the puck's centre comes closer to the sheet than its radius, by the sheet's half-plane
/// x = 0, y <= 1.5, and plane geometry alone.
static bool overlaps_sheet(const double *a, const double *b) {
    for (int i = 0; i <= 10000; i++) {
        double t = i / 10000.0, x = a[0] + t * (b[0] - a[0]), y = a[1] + t * (b[1] - a[1]);
        if (hypot(x, fmax(y - 1.5, 0)) < 0.1) return true;
    }
    return false;
}

/// Samples half a metre apart step over a sheet: a proof does not.
static void test_no_path_goes_through_a_sheet_that_samples_miss(void **context) {
    (void)context;
    const double west[3] = {-1, 0.5, 0}, east[3] = {1, 0.5, 0};
    graze_plan_options options = graze_plan_options_default();
    options.resolution = 0.7;
    options.recheck = 0;
    for (uint64_t seed = 1; seed <= TRIALS(40, 10); seed++) {
        fixture f;
        graze_plan_result r;
        options.seed = seed;
        options.certify = 0;
        make_foil(&f, 1e-6, true);
        assert_int_equal(graze_plan(f.checker, west, NULL, east, NULL, &options, &r, NULL),
                         GRAZE_OK);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_int_equal(graze_path_count(r.path), 2); // straight through
        assert_true(overlaps_sheet(west, east) && !r.certified && r.motions_proved == 0);
        graze_path_free(r.path);
        options.certify = 1;
        assert_int_equal(graze_plan(f.checker, west, NULL, east, NULL, &options, &r, NULL),
                         GRAZE_OK);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_true(r.certified && r.motions_proved > 0);
        for (size_t i = 0; i + 1 < graze_path_count(r.path); i++)
            assert_false(overlaps_sheet(graze_path_q(r.path, i), graze_path_q(r.path, i + 1)));
        graze_path_free(r.path);
        fixture_free(&f);
    }
}

/// Where there is no way no path is returned, however thin what closes it.
static void test_no_path_leads_out_of_a_room_of_foil(void **context) {
    (void)context;
    const double west[3] = {-1, 0.5, 0}, east[3] = {1, 0.5, 0};
    graze_plan_options options = graze_plan_options_default();
    options.max_iterations = TRIALS(3000, 300);
    options.max_seconds = INFINITY;
    options.resolution = 0.3;
    for (double thickness = 1e-3; thickness > 1e-10; thickness *= 1e-2) {
        fixture f;
        make_foil(&f, thickness, false);
        graze_plan_result r = plan_and_recheck(&f, west, NULL, east, NULL, &options);
        assert_int_equal(r.outcome, GRAZE_PLAN_ITERATIONS);
        assert_null(r.path);
        assert_false(r.certified);
        fixture_free(&f);
    }
}

/// A start that nearly touches: nothing can be proved there, so the path is looked at, and that
/// is said.
static void test_a_start_that_nearly_touches_is_not_certified(void **context) {
    (void)context;
    const double gaps[] = {1e-3, 2e-10};
    for (int i = 0; i < 2; i++) {
        fixture f;
        fixture_begin(&f, PUCK);
        fixture_box(&f, "wall", 2, 4, 1, -1, 0, 0);
        fixture_box(&f, "post", 0.2, 0.2, 1, 1, 0.05, 0);
        fixture_finish(&f);
        const double start[3] = {0.1 + 1e-9 + gaps[i], 0, 0}, goal[3] = {2, 0, 0};
        graze_plan_options options = graze_plan_options_default();
        graze_plan_result r;
        assert_int_equal(graze_plan(f.checker, start, NULL, goal, NULL, &options, &r, NULL),
                         GRAZE_OK);
        assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
        assert_int_equal(r.certified, i == 0);
        double length;
        assert_int_equal(recheck(&f, r.path, options.resolution / 10, &length), 0);
        graze_path_free(r.path);
        fixture_free(&f);
    }
}

/// At margin 0 there is a verdict outside of the domain, where epsilon does not hold, but no proof.
static void test_a_way_outside_of_the_domain_is_not_certified(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, PUCK);
    fixture_finish(&f);
    const double start[3] = {150, 0, 0}, goal[3] = {152, 0, 0};
    graze_plan_options options = graze_plan_options_default();
    graze_plan_result r;
    assert_int_equal(graze_plan(f.checker, start, NULL, goal, NULL, &options, &r, NULL), GRAZE_OK);
    assert_int_equal(r.outcome, GRAZE_PLAN_FOUND);
    assert_false(r.certified);
    graze_path_free(r.path);
    fixture_free(&f);
}

static void test_planning_survives_every_failing_allocation(void **context) {
    (void)context;
#ifdef GRAZE_FAULTS
    fixture f;
    make_halves(&f, true);
    graze_plan_options options = graze_plan_options_default();
    options.resolution = 0.05;
    options.recheck = 2;
    fixture_fail_allocations(&f, left_half, right_half, &options);
    fixture_free(&f);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_straight_way_is_taken_where_it_is_free),
        cmocka_unit_test(test_nodes_of_the_search_are_reported_and_change_nothing),
        cmocka_unit_test(test_a_gap_is_found_with_every_seed),
        cmocka_unit_test(test_trees_that_join_through_a_wall_check_all_samples),
        cmocka_unit_test(test_arms_are_planned_around_what_stands_in_their_way),
        cmocka_unit_test(test_a_plank_turns_to_fly_through_a_slot),
        cmocka_unit_test(test_continuous_joints_and_yaw_take_the_shorter_way),
        cmocka_unit_test(test_threads_change_nothing_and_seeds_do),
        cmocka_unit_test(test_limits_of_start_and_goal_are_named),
        cmocka_unit_test(test_collisions_of_start_and_goal_are_named),
        cmocka_unit_test(test_what_is_not_planned_does_not_move),
        cmocka_unit_test(test_budgets_end_a_plan_that_cannot_succeed),
        cmocka_unit_test(test_a_tree_in_a_narrow_slot_is_not_left_behind),
        cmocka_unit_test(test_a_tree_takes_shorter_steps_where_all_are_blocked),
        cmocka_unit_test(test_the_base_is_sampled_where_the_caller_says),
        cmocka_unit_test(test_mistakes_of_the_caller_are_errors),
        cmocka_unit_test(test_no_path_goes_through_a_sheet_that_samples_miss),
        cmocka_unit_test(test_no_path_leads_out_of_a_room_of_foil),
        cmocka_unit_test(test_a_start_that_nearly_touches_is_not_certified),
        cmocka_unit_test(test_a_way_outside_of_the_domain_is_not_certified),
        cmocka_unit_test(test_paths_answer_for_their_waypoints_only),
        cmocka_unit_test(test_planning_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
