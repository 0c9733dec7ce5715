// Roadmaps: edges against dense samples, neighbours and shortest ways against brute force, updates
// against roadmaps built anew.
#include "plan_fixture.h"

#include "base/memory.h"
#include "graze/roadmap.h"
#include "graze/space.h"
#include "unit/trials.h"

// Two arms in the plane z = 0, each of 0.5 m; the second is turned about the end of the first.
static const char arm_urdf[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='upper'><collision><origin xyz='0.25 0 0'/><geometry><box size='0.5 0.06 0.06'/>"
    "</geometry></collision></link>"
    "<link name='lower'><collision><origin xyz='0.27 0 0'/><geometry><box size='0.46 0.05 0.05'/>"
    "</geometry></collision></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/>"
    "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='elbow' type='continuous'><parent link='upper'/><child link='lower'/>"
    "<origin xyz='0.5 0 0'/><axis xyz='0 0 1'/></joint></robot>";

// A cube that slides along x.
static const char slider_urdf[] =
    "<robot name='slider'><link name='base'/>"
    "<link name='cube'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='cube'/><axis xyz='1 0 0'/>"
    "<limit lower='-2' upper='2' effort='1' velocity='1'/></joint></robot>";

static void set_up_arm(fixture *f) {
    fixture_begin(f, arm_urdf);
    fixture_box(f, "post", 0.1, 0.1, 0.4, 0.6, 0.45, 0);
    fixture_box(f, "wall", 0.05, 0.6, 0.4, -0.75, 0.1, 0);
    fixture_box(f, "stone", 0.08, 0.08, 0.1, 0.2, -0.8, 0);
    fixture_finish(f);
}

static graze_roadmap_options options_of(uint64_t nodes, uint32_t neighbours) {
    graze_roadmap_options o = graze_roadmap_options_default();
    o.nodes = nodes;
    o.neighbours = neighbours;
    return o;
}

static graze_roadmap *build(const graze_checker *checker, const graze_roadmap_options *o) {
    graze_roadmap *map;
    graze_error error;
    if (graze_roadmap_build(&map, checker, NULL, NULL, o, &error) != GRAZE_OK)
        fail_msg("build: %s %s", error.element, error.message);
    return map;
}

static graze_roadmap_info info_of(const graze_roadmap *map) {
    graze_roadmap_info info;
    assert_int_equal(graze_roadmap_describe(map, &info), GRAZE_OK);
    return info;
}

/// Whether a motion between nodes collides at some of so many places, by this checker.
static bool collides_between(const fixture *f, const graze_checker *checker,
                             graze_workspace *workspace, const double *from, const double *to,
                             int places) {
    static const double base[6] = {0};
    double q[8], b[6];
    for (int k = 0; k <= places; k++) {
        graze_report report = {0};
        between(f, from, base, to, base, (double)k / places, q, b);
        assert_int_equal(
            graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, f->n, b, &report, NULL), GRAZE_OK);
        if (report.verdict != GRAZE_FREE) return true;
    }
    return false;
}

/// Free edges are free at all of 1,000 places; the others come nearer than 6 mm at one of them.
static void test_edges_are_as_dense_samples_say(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    graze_checker_options wide = graze_checker_options_default();
    graze_checker *near;
    graze_workspace *ws, *near_ws;
    wide.margin = 0.006;
    assert_int_equal(graze_checker_create(&near, f.robot, f.world, &wide, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws, f.checker, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&near_ws, near, NULL), GRAZE_OK);
    const graze_roadmap_options o = options_of(TRIALS(120, 30), 6);
    graze_roadmap *map = build(f.checker, &o);
    graze_roadmap_info info = info_of(map);
    size_t free_count = 0, blocked = 0, nodes[2];
    for (size_t i = 0; i < info.edges; i++) {
        double from[2], to[2], base[6];
        int32_t object;
        graze_roadmap_block block = graze_roadmap_edge(map, i, nodes, &object);
        assert_int_equal(graze_roadmap_node(map, nodes[0], from, base), GRAZE_OK);
        assert_int_equal(graze_roadmap_node(map, nodes[1], to, base), GRAZE_OK);
        if (block == GRAZE_ROADMAP_FREE) {
            assert_false(collides_between(&f, f.checker, ws, from, to, 1000));
            free_count++;
        } else {
            assert_true(collides_between(&f, near, near_ws, from, to, 1000));
            assert_int_equal(block, GRAZE_ROADMAP_WORLD); // the arms lie beside each other
            assert_in_range(object, 0, 2);
            blocked++;
        }
    }
    assert_true(free_count > 50 && blocked > 20);
    assert_int_equal(info.free, free_count);
    assert_int_equal(info.world, blocked);
    graze_roadmap_free(map);
    graze_workspace_free(ws);
    graze_workspace_free(near_ws);
    graze_checker_free(near);
    fixture_free(&f);
}

static double distance_of(const fixture *f, const double *a, const double *b) {
    static const double base[6] = {0};
    double q[8], out[6];
    return between(f, a, base, b, base, 0, q, out);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Each node is joined to all that are nearer than its k-th nearest, and to none beyond both.
static void test_neighbours_are_those_of_brute_force(void **context) {
    (void)context;
    enum { NODES = 300, K = 7 };
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(NODES, K);
    graze_roadmap *map = build(f.checker, &o);
    graze_roadmap_info info = info_of(map);
    static double q[NODES][2], farthest[NODES];
    static bool joined[NODES][NODES];
    double base[6];
    memset(joined, 0, sizeof joined);
    assert_int_equal(info.nodes, NODES);
    for (size_t i = 0; i < NODES; i++)
        assert_int_equal(graze_roadmap_node(map, i, q[i], base), GRAZE_OK);
    for (size_t i = 0; i < NODES; i++) {
        double sorted[NODES];
        for (size_t k = 0; k < NODES; k++) sorted[k] = distance_of(&f, q[i], q[k]);
        qsort(sorted, NODES, sizeof *sorted, compare);
        farthest[i] = sorted[K]; // behind itself
    }
    size_t last[2] = {0, 0};
    for (size_t i = 0; i < info.edges; i++) {
        size_t nodes[2];
        graze_roadmap_edge(map, i, nodes, NULL);
        assert_true(nodes[0] < nodes[1]);
        assert_true(i == 0 || nodes[0] > last[0] || (nodes[0] == last[0] && nodes[1] > last[1]));
        memcpy(last, nodes, sizeof last);
        joined[nodes[0]][nodes[1]] = joined[nodes[1]][nodes[0]] = true;
        double d = distance_of(&f, q[nodes[0]], q[nodes[1]]);
        assert_true(d <= fmax(farthest[nodes[0]], farthest[nodes[1]]) + 1e-5);
    }
    for (size_t i = 0; i < NODES; i++)
        for (size_t k = 0; k < NODES; k++)
            if (k != i && distance_of(&f, q[i], q[k]) < farthest[i] - 1e-5)
                assert_true(joined[i][k]);
    graze_roadmap_free(map);
    fixture_free(&f);
}

static void test_the_number_of_neighbours_is_that_of_prm_star(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(100, 0);
    graze_roadmap *map = build(f.checker, &o);
    assert_int_equal(info_of(map).neighbours, 19); // 2.71828 x 1.5 x 4.60517 = 18.78
    graze_roadmap_free(map);
    fixture_free(&f);
}

static void assert_same_bytes(const graze_roadmap *a, const graze_roadmap *b) {
    unsigned char *bytes[2];
    size_t sizes[2];
    assert_int_equal(graze_roadmap_pack(&bytes[0], &sizes[0], a, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_pack(&bytes[1], &sizes[1], b, NULL), GRAZE_OK);
    assert_int_equal(sizes[0], sizes[1]);
    assert_int_equal(sizes[0], info_of(a).bytes);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    graze_roadmap_bytes_free(bytes[0]);
    graze_roadmap_bytes_free(bytes[1]);
}

static void test_any_number_of_threads_makes_the_same_bytes(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    graze_roadmap_options o = options_of(TRIALS(400, 60), 0);
    graze_roadmap *first = build(f.checker, &o);
    for (o.threads = 2; o.threads <= 4; o.threads += 2) {
        graze_roadmap *other = build(f.checker, &o);
        assert_same_bytes(first, other);
        graze_roadmap_free(other);
    }
    graze_roadmap_free(first);
    fixture_free(&f);
}

static void test_another_seed_makes_other_nodes(void **context) {
    (void)context;
    fixture f;
    assert_true(graze_roadmap_options_default().seed == 1);
    assert_true(graze_roadmap_options_default().resolution == 1e-3);
    set_up_arm(&f);
    graze_roadmap_options o = options_of(10, 3);
    double q[2], other[2], base[6];
    graze_roadmap *map = build(f.checker, &o);
    o.seed = 2;
    graze_roadmap *second = build(f.checker, &o);
    assert_int_equal(graze_roadmap_node(map, 0, q, base), GRAZE_OK);
    assert_int_equal(graze_roadmap_node(second, 0, other, base), GRAZE_OK);
    assert_true(q[0] != other[0]);
    graze_roadmap_free(map);
    graze_roadmap_free(second);
    fixture_free(&f);
}

/// Components as labels that free edges carry on until nothing changes, of maps of few edges: each
/// edge counts, the last one, too.
static void test_components_are_what_free_edges_join(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    size_t joined_by_the_last = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        graze_roadmap_options o = options_of(2 + seed % 5, 1);
        o.seed = seed;
        graze_roadmap *map = build(f.checker, &o);
        graze_roadmap_info info = info_of(map);
        size_t label[8], n[2], sizes[8] = {0}, components = 0, largest = 0;
        for (size_t i = 0; i < info.nodes; i++) label[i] = i;
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < info.edges; i++) {
                if (graze_roadmap_edge(map, i, n, NULL) != GRAZE_ROADMAP_FREE) continue;
                size_t least = label[n[0]] < label[n[1]] ? label[n[0]] : label[n[1]];
                changed = changed || label[n[0]] != label[n[1]];
                label[n[0]] = label[n[1]] = least;
            }
        }
        for (size_t i = 0; i < info.nodes; i++) {
            components += label[i] == i;
            sizes[label[i]]++;
            largest = sizes[label[i]] > largest ? sizes[label[i]] : largest;
        }
        assert_int_equal(info.components, components);
        assert_int_equal(info.largest, largest);
        if (info.edges == 1) joined_by_the_last += components < info.nodes;
        graze_roadmap_free(map);
    }
    assert_true(joined_by_the_last > 2);
    fixture_free(&f);
}

// -------------------------------------------------------------------------------------- queries

/// The length of the shortest way from a node to all others, by relaxing every edge until nothing
/// changes (Bellman and Ford).
static void shortest(const fixture *f, const graze_roadmap *map, size_t from, double *lengths) {
    graze_roadmap_info info = info_of(map);
    for (size_t i = 0; i < info.nodes; i++) lengths[i] = i == from ? 0 : HUGE_VAL;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < info.edges; i++) {
            size_t n[2];
            double q[2][2], base[6];
            if (graze_roadmap_edge(map, i, n, NULL) != GRAZE_ROADMAP_FREE) continue;
            for (int k = 0; k < 2; k++) graze_roadmap_node(map, n[k], q[k], base);
            double d = distance_of(f, q[0], q[1]);
            for (int k = 0; k < 2; k++)
                if (lengths[n[k]] + d < lengths[n[1 - k]] - 1e-12) {
                    lengths[n[1 - k]] = lengths[n[k]] + d;
                    changed = true;
                }
        }
    }
}

/// From node to node: an end that stands on a node is joined to that one.
static void test_ways_between_nodes_are_the_shortest(void **context) {
    (void)context;
    enum { NODES = 200 };
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(NODES, 5);
    graze_roadmap *map = build(f.checker, &o);
    graze_roadmap_workspace *ws;
    assert_int_equal(graze_roadmap_workspace_create(&ws, map, NULL), GRAZE_OK);
    size_t longer = 0;
    for (size_t from = 0; from < TRIALS(12u, 2u); from++) {
        double lengths[NODES], start[2], goal[2], base[6];
        shortest(&f, map, from, lengths);
        graze_roadmap_node(map, from, start, base);
        for (size_t to = 0; to < NODES; to++) {
            graze_roadmap_result r;
            graze_roadmap_node(map, to, goal, base);
            assert_int_equal(graze_roadmap_find(ws, start, NULL, goal, NULL, NULL, &r, NULL),
                             GRAZE_OK);
            if (r.outcome != GRAZE_ROADMAP_FOUND || r.waypoints == 2) continue;
            assert_true(fabs(r.length - lengths[to]) <= 1e-9 * (1 + r.length));
            longer++;
        }
    }
    assert_true(longer > 50);
    graze_roadmap_workspace_free(ws);
    graze_roadmap_free(map);
    fixture_free(&f);
}

static void test_paths_are_free_and_as_long_as_they_say(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(300, 0);
    graze_roadmap *map = build(f.checker, &o);
    graze_roadmap_workspace *ws;
    assert_int_equal(graze_roadmap_workspace_create(&ws, map, NULL), GRAZE_OK);
    size_t found = 0, bent = 0;
    for (uint64_t i = 0; i < TRIALS(60u, 20u); i++) {
        double start[2], goal[2], length, q[2], base[6];
        graze_roadmap_result r;
        graze_path *path;
        graze_robot_sample(f.robot, 5, 2 * i, NULL, NULL, start, NULL);
        graze_robot_sample(f.robot, 5, 2 * i + 1, NULL, NULL, goal, NULL);
        assert_int_equal(graze_roadmap_find(ws, start, NULL, goal, NULL, NULL, &r, NULL), GRAZE_OK);
        assert_int_equal(r.outcome == GRAZE_ROADMAP_FOUND, r.waypoints > 0);
        assert_int_equal(graze_roadmap_waypoint(ws, r.waypoints, q, base), GRAZE_ERROR_ARGUMENT);
        if (r.outcome != GRAZE_ROADMAP_FOUND) {
            assert_int_equal(graze_roadmap_path(&path, ws, NULL), GRAZE_ERROR_ARGUMENT);
            continue;
        }
        assert_int_equal(graze_roadmap_path(&path, ws, NULL), GRAZE_OK);
        assert_int_equal(graze_path_count(path), r.waypoints);
        for (size_t k = 0; k < r.waypoints; k++) {
            assert_int_equal(graze_roadmap_waypoint(ws, k, q, base), GRAZE_OK);
            assert_memory_equal(q, graze_path_q(path, k), sizeof q);
        }
        assert_memory_equal(graze_path_q(path, 0), start, sizeof start);
        assert_memory_equal(graze_path_q(path, r.waypoints - 1), goal, sizeof goal);
        assert_int_equal(recheck(&f, path, 0.003, &length), 0);
        assert_true(fabs(length - r.length) <= 1e-9 * (1 + length));
        graze_path_free(path);
        found++;
        bent += r.waypoints > 2;
    }
    assert_true(found > TRIALS(30, 5) && bent > TRIALS(5, 1));
    graze_roadmap_workspace_free(ws);
    graze_roadmap_free(map);
    fixture_free(&f);
}

static graze_roadmap_result find(const graze_roadmap *map, const double *start, const double *goal,
                                 const graze_roadmap_query *options) {
    graze_roadmap_workspace *ws;
    graze_roadmap_result r;
    assert_int_equal(graze_roadmap_workspace_create(&ws, map, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_find(ws, start, NULL, goal, NULL, options, &r, NULL), GRAZE_OK);
    graze_roadmap_workspace_free(ws);
    return r;
}

static void test_each_failure_says_why(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, slider_urdf);
    fixture_box(&f, "wall", 0.1, 1, 1, 0.5, 0, 0);
    fixture_box(&f, "left", 0.0001, 1, 1, -1.9001, 0, 0);
    fixture_finish(&f);
    const graze_roadmap_options o = options_of(60, 5);
    graze_roadmap *map = build(f.checker, &o);
    const double in = 0.5, beyond = 2.5, left = -1, right = 1.5;
    graze_roadmap_result r = find(map, &in, &right, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_START_COLLIDES);
    assert_int_equal(r.contact.kind, GRAZE_CONTACT_WORLD);
    assert_int_equal(r.contact.other, 0);
    r = find(map, &right, &in, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_GOAL_COLLIDES);
    r = find(map, &beyond, &right, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_START_LIMITS);
    assert_int_equal(r.joint, 0);
    r = find(map, &left, &beyond, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_GOAL_LIMITS);
    r = find(map, &left, &right, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_APART);
    assert_int_equal(r.waypoints, 0);
    r = find(map, &left, &left, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_FOUND);
    assert_int_equal(r.waypoints, 2);
    graze_roadmap_free(map);
    fixture_free(&f);
}

/// Walls on both sides of the start, and no node between them.
static void test_an_end_that_is_walled_in_names_what_blocks_it(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, slider_urdf);
    fixture_box(&f, "left", 0.01, 1, 1, -0.0601, 0, 0);
    fixture_box(&f, "right", 0.01, 1, 1, 0.0601, 0, 0);
    fixture_finish(&f);
    const graze_roadmap_options o = options_of(30, 29);
    graze_roadmap *map = build(f.checker, &o);
    const double start = 0, goal = 1.5;
    graze_roadmap_result r = find(map, &start, &goal, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_START_ALONE);
    assert_int_equal(r.contact.kind, GRAZE_CONTACT_WORLD);
    assert_in_range(r.contact.other, 0, 1);
    // More nodes are on one side, all of which one wall blocks.
    assert_true(r.blocked >= 15 && r.blocked <= 29);
    r = find(map, &goal, &start, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_GOAL_ALONE);
    graze_roadmap_free(map);
    fixture_free(&f);
}

static void test_what_does_not_vary_must_stand_where_the_roadmap_has_it(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    graze_roadmap_options o = options_of(20, 4);
    const int32_t shoulder = 0;
    const double fixed[2] = {0, 1}, base[6] = {0, 0, 3, 0, 0, 0};
    o.columns = &shoulder;
    o.column_count = 1;
    graze_roadmap *map;
    assert_int_equal(graze_roadmap_build(&map, f.checker, fixed, base, &o, NULL), GRAZE_OK);
    double q[2], place[6];
    assert_int_equal(graze_roadmap_node(map, 19, q, place), GRAZE_OK);
    assert_true(q[1] == 1 && place[2] == 3);
    const double there[2] = {-2, 1}, elsewhere[2] = {0, 0.5}, low[6] = {0};
    assert_int_equal(find(map, fixed, there, NULL).outcome, GRAZE_ROADMAP_FOUND);
    graze_roadmap_result r = find(map, fixed, elsewhere, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_OTHER_JOINT);
    assert_int_equal(r.joint, 1);
    graze_roadmap_workspace *ws;
    assert_int_equal(graze_roadmap_workspace_create(&ws, map, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_find(ws, fixed, NULL, there, low, NULL, &r, NULL), GRAZE_OK);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_OTHER_JOINT);
    assert_int_equal(r.joint, -1);
    graze_roadmap_workspace_free(ws);
    graze_roadmap_free(map);
    fixture_free(&f);
}

static void test_queries_end_by_their_limits(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(300, 4);
    graze_roadmap *map = build(f.checker, &o);
    // Past the post, with the lower arm stretched out: not straight.
    const double start[2] = {-0.2, 0}, goal[2] = {1.6, 0};
    graze_roadmap_query limits = graze_roadmap_query_default();
    graze_roadmap_result r = find(map, start, goal, NULL);
    assert_int_equal(r.outcome, GRAZE_ROADMAP_FOUND);
    assert_true(r.iterations > 1);
    limits.max_iterations = r.iterations;
    assert_int_equal(find(map, start, goal, &limits).outcome, GRAZE_ROADMAP_FOUND);
    limits.max_iterations = 1;
    assert_int_equal(find(map, start, goal, &limits).outcome, GRAZE_ROADMAP_ITERATIONS);
    limits = graze_roadmap_query_default();
    limits.max_seconds = 1e-12;
    assert_int_equal(find(map, start, goal, &limits).outcome, GRAZE_ROADMAP_TIME);
    const volatile int cancelled = 1;
    limits.cancel = &cancelled;
    assert_int_equal(find(map, start, goal, &limits).outcome, GRAZE_ROADMAP_CANCELLED);
    graze_roadmap_free(map);
    fixture_free(&f);
}

static void test_building_ends_by_its_limits(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    graze_roadmap *map;
    graze_error error;
    const volatile int cancelled = 1;
    graze_roadmap_options o = options_of(1000, 0);
    o.max_samples = 999;
    assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, NULL, &o, &error),
                     GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "max_samples"));
    assert_null(map);
    o = options_of(1000, 0);
    o.max_seconds = 1e-9;
    assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, NULL, &o, &error),
                     GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "max_seconds"));
    o = options_of(1000, 0);
    o.max_bytes = 10000;
    assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, NULL, &o, &error),
                     GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "max_bytes"));
    o = options_of(1000, 0);
    o.cancel = &cancelled;
    assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, NULL, &o, &error),
                     GRAZE_ERROR_CANCELLED);
    o = options_of(5, 5);
    assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, NULL, &o, &error),
                     GRAZE_ERROR_RANGE);
    o = options_of(1, 0);
    assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, NULL, &o, &error),
                     GRAZE_ERROR_RANGE);
    graze_checker_options rules = graze_checker_options_default();
    graze_checker *bounds;
    rules.level = GRAZE_LEVEL_BOUNDS;
    assert_int_equal(graze_checker_create(&bounds, f.robot, f.world, &rules, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_build(&map, bounds, NULL, NULL, NULL, &error),
                     GRAZE_ERROR_UNSUPPORTED);
    graze_checker_free(bounds);
    fixture_free(&f);
}

static void test_numbers_that_are_not_finite_are_named(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const double bad[2] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        double q[32] = {0}, base[6] = {0};
        graze_roadmap *map;
        graze_error error;
        assert_true(f.n >= 2 && f.n <= 32);
        q[1] = bad[k];
        assert_int_equal(graze_roadmap_build(&map, f.checker, q, NULL, NULL, &error),
                         GRAZE_ERROR_RANGE);
        assert_non_null(strstr(error.message, graze_robot_q_name(f.robot, 1)));
        base[5] = bad[k];
        assert_int_equal(graze_roadmap_build(&map, f.checker, NULL, base, NULL, &error),
                         GRAZE_ERROR_RANGE);
        assert_non_null(strstr(error.message, "base yaw"));
        assert_null(map);
    }
    fixture_free(&f);
}

// -------------------------------------------------------------------------------------- updates

/// Another world and its checker.
typedef struct changed {
    graze_world *world;
    graze_checker *checker;
} changed;

static changed change_world(const changed *from, const graze_world_change *changes, size_t count) {
    changed to;
    graze_error error;
    if (graze_world_revise(&to.world, from->world, changes, count, &error) != GRAZE_OK)
        fail_msg("change: %s", error.message);
    assert_int_equal(graze_checker_with_world(&to.checker, from->checker, to.world, NULL),
                     GRAZE_OK);
    return to;
}

static void free_changed(changed *c) {
    graze_checker_free(c->checker);
    graze_world_free(c->world);
}

/// The same free edges, and the same answers to queries, bit for bit. Returns how many are free.
static size_t assert_same_answers(const graze_robot *robot, const graze_roadmap *a,
                                  const graze_roadmap *b) {
    graze_roadmap_info info = info_of(a), other = info_of(b);
    graze_roadmap_workspace *ws[2];
    assert_int_equal(info.edges, other.edges);
    assert_int_equal(info.free, other.free);
    assert_int_equal(info.components, other.components);
    for (size_t i = 0; i < info.edges; i++) {
        size_t n[2], m[2];
        bool is_free = graze_roadmap_edge(a, i, n, NULL) == GRAZE_ROADMAP_FREE;
        assert_int_equal(is_free, graze_roadmap_edge(b, i, m, NULL) == GRAZE_ROADMAP_FREE);
        assert_memory_equal(n, m, sizeof n);
    }
    assert_int_equal(graze_roadmap_workspace_create(&ws[0], a, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_workspace_create(&ws[1], b, NULL), GRAZE_OK);
    for (uint64_t i = 0; i < 10; i++) {
        graze_roadmap_result r[2];
        double start[8], goal[8], q[2][8], base[6];
        graze_robot_sample(robot, 9, 2 * i, NULL, NULL, start, NULL);
        graze_robot_sample(robot, 9, 2 * i + 1, NULL, NULL, goal, NULL);
        for (int k = 0; k < 2; k++)
            assert_int_equal(graze_roadmap_find(ws[k], start, NULL, goal, NULL, NULL, &r[k], NULL),
                             GRAZE_OK);
        assert_int_equal(r[0].outcome, r[1].outcome);
        assert_int_equal(r[0].waypoints, r[1].waypoints);
        assert_true(r[0].length == r[1].length);
        for (size_t w = 0; w < r[0].waypoints; w++) {
            for (int k = 0; k < 2; k++)
                assert_int_equal(graze_roadmap_waypoint(ws[k], w, q[k], base), GRAZE_OK);
            assert_memory_equal(q[0], q[1], graze_robot_q_size(robot) * sizeof(double));
        }
    }
    graze_roadmap_workspace_free(ws[0]);
    graze_roadmap_workspace_free(ws[1]);
    return (size_t)info.free;
}

static double drawn(uint64_t *state, double low, double high) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

/// A change of any kind: of a named object while there are some, or a new one.
static graze_world_change draw_change(const graze_world *world, uint64_t *state,
                                      graze_geometry *shape, graze_transform *pose, char *name) {
    static int added;
    graze_world_change c = graze_world_change_default();
    size_t objects = graze_world_object_count(world);
    *pose = graze_transform_identity();
    pose->m[3] = drawn(state, -1, 1);
    pose->m[7] = drawn(state, -1, 1);
    memset(shape, 0, sizeof *shape);
    double kind = drawn(state, 0, 3);
    c.name = name;
    c.pose = pose;
    if (kind < 1 || objects == 0) {
        c.kind = GRAZE_CHANGE_ADD;
        c.geometry = shape;
        shape->shape = drawn(state, 0, 2) < 1 ? GRAZE_SHAPE_BOX : GRAZE_SHAPE_CYLINDER;
        for (int k = 0; k < 3; k++) shape->size[k] = drawn(state, 0.02, 0.2);
        shape->radius = drawn(state, 0.01, 0.1);
        shape->length = 0.3;
        snprintf(name, 32, "new%d", added++);
        return c;
    }
    graze_geometry object;
    size_t which = (size_t)drawn(state, 0, (double)objects);
    graze_world_object(world, which < objects ? which : 0, &object);
    snprintf(name, 32, "%s", object.name);
    c.kind = kind < 2 ? GRAZE_CHANGE_MOVE : GRAZE_CHANGE_REMOVE;
    if (c.kind == GRAZE_CHANGE_REMOVE) c.pose = NULL;
    return c;
}

/// Forty changes after another; the roadmap is never built but at the beginning.
static void test_an_updated_roadmap_answers_as_one_built_anew(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    graze_roadmap_options o = options_of(TRIALS(250, 40), 6);
    graze_roadmap *map = build(f.checker, &o);
    changed now = {f.world, f.checker};
    uint64_t state = 11, tested = 0, checked = 0, edges = 0;
    size_t opened = 0, closed = 0;
    for (int step = 0; step < TRIALS(40, 8); step++) {
        graze_geometry shape;
        graze_transform pose;
        graze_roadmap *revised, *anew;
        graze_roadmap_update u;
        char name[32];
        graze_world_change c = draw_change(now.world, &state, &shape, &pose, name);
        changed next = change_world(&now, &c, 1);
        o.threads = 1 + (uint32_t)step % 2;
        size_t before = (size_t)info_of(map).free;
        assert_int_equal(graze_roadmap_revise(&revised, map, next.checker, &o, &u, NULL), GRAZE_OK);
        anew = build(next.checker, &o);
        size_t after = assert_same_answers(f.robot, revised, anew);
        assert_int_equal(before + u.opened - u.closed, after);
        assert_int_equal(u.removed, c.kind != GRAZE_CHANGE_ADD);
        assert_int_equal(u.added, c.kind != GRAZE_CHANGE_REMOVE);
        assert_true(c.kind != GRAZE_CHANGE_REMOVE || u.closed == 0);
        assert_true(c.kind != GRAZE_CHANGE_ADD || u.opened == 0);
        opened += (size_t)u.opened;
        closed += (size_t)u.closed;
        tested += u.tested;
        checked += u.checked;
        edges += u.edges;
        graze_roadmap_free(anew);
        graze_roadmap_free(map);
        map = revised;
        if (step) free_changed(&now);
        now = next;
    }
    assert_true(opened > TRIALS(100, 1) && closed > TRIALS(100, 1));
    assert_true(tested < edges / 4 && checked > 0);
    graze_roadmap_free(map);
    free_changed(&now);
    fixture_free(&f);
}

static void test_a_change_too_far_away_tests_nothing(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(100, 6);
    graze_roadmap *map = build(f.checker, &o), *revised;
    graze_roadmap_update u;
    graze_geometry shape = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.1};
    graze_transform pose = graze_transform_identity();
    graze_world_change c = graze_world_change_default();
    pose.m[3] = 1.3;
    c.kind = GRAZE_CHANGE_ADD;
    c.name = "far";
    c.geometry = &shape;
    c.pose = &pose;
    const changed first = {f.world, f.checker};
    changed next = change_world(&first, &c, 1);
    assert_int_equal(graze_roadmap_revise(&revised, map, next.checker, NULL, &u, NULL), GRAZE_OK);
    assert_int_equal(u.added, 1);
    assert_int_equal(u.tested, 0);
    assert_int_equal(u.edges, info_of(map).edges);
    assert_int_equal(info_of(revised).free, info_of(map).free);
    graze_roadmap_free(map);
    graze_roadmap_free(revised);
    free_changed(&next);
    fixture_free(&f);
}

/// The base stays, so that a boundary without it blocks all edges, and one with it none.
static void test_another_boundary_tests_all_that_was_free(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(40, 4);
    graze_roadmap *map = build(f.checker, &o), *revised, *back;
    graze_roadmap_update u;
    changed next;
    size_t nodes[2];
    const double low[3] = {1, 1, 1}, high[3] = {2, 2, 2};
    assert_int_equal(graze_world_create(&next.world, "bounded", NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(next.world, low, high, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(next.world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_with_world(&next.checker, f.checker, next.world, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_roadmap_revise(&revised, map, next.checker, NULL, &u, NULL), GRAZE_OK);
    assert_true(u.tested >= info_of(map).free);
    assert_int_equal(info_of(revised).free, 0);
    assert_int_equal(graze_roadmap_edge(revised, 0, nodes, NULL), GRAZE_ROADMAP_BOUNDARY);
    assert_int_equal(graze_roadmap_revise(&back, revised, f.checker, NULL, &u, NULL), GRAZE_OK);
    assert_int_equal(u.opened, info_of(map).free);
    assert_same_bytes(map, back);
    graze_roadmap_free(map);
    graze_roadmap_free(revised);
    graze_roadmap_free(back);
    free_changed(&next);
    fixture_free(&f);
}

static void test_other_rules_and_robots_are_refused(void **context) {
    (void)context;
    fixture f, other;
    set_up_arm(&f);
    fixture_begin(&other, slider_urdf);
    fixture_finish(&other);
    const graze_roadmap_options o = options_of(20, 4);
    graze_roadmap *map = build(f.checker, &o), *out;
    graze_checker_options rules = graze_checker_options_default();
    graze_checker *strict;
    graze_error error;
    rules.no_self = 1;
    assert_int_equal(graze_checker_create(&strict, f.robot, f.world, &rules, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_revise(&out, map, strict, NULL, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "rules"));
    assert_int_equal(graze_roadmap_revise(&out, map, other.checker, NULL, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_null(out);
    graze_checker_free(strict);
    graze_roadmap_free(map);
    fixture_free(&f);
    fixture_free(&other);
}

/// The margin of an object is a part of what it is.
static void test_other_margins_of_objects_are_other_objects(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(TRIALS(100, 30), 5);
    graze_roadmap *map = build(f.checker, &o), *revised;
    graze_checker_options rules = graze_checker_options_default();
    graze_checker *strict;
    graze_roadmap_update u;
    const graze_pair_margin margin = {"post", NULL, 0.1};
    rules.margins = &margin;
    rules.margin_count = 1;
    assert_int_equal(graze_checker_create(&strict, f.robot, f.world, &rules, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_revise(&revised, map, strict, NULL, &u, NULL), GRAZE_OK);
    assert_int_equal(u.removed, 1);
    assert_int_equal(u.added, 1);
    assert_int_equal(u.opened, 0);
    graze_roadmap *anew = build(strict, &o);
    assert_same_answers(f.robot, revised, anew);
    graze_roadmap_free(anew);
    graze_roadmap_free(revised);
    graze_roadmap_free(map);
    graze_checker_free(strict);
    fixture_free(&f);
}

static void test_a_base_that_moves_updates_as_built_anew(void **context) {
    (void)context;
    fixture f;
    fixture_begin(&f, slider_urdf);
    fixture_box(&f, "a", 0.3, 0.3, 0.3, 0.5, 0.5, 0);
    fixture_box(&f, "b", 0.3, 0.3, 0.3, -0.5, 0.2, 0);
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    assert_int_equal(graze_world_set_boundary(f.world, low, high, NULL), GRAZE_OK);
    fixture_finish(&f);
    graze_roadmap_options o = options_of(TRIALS(200, 40), 6);
    o.planar_base = 1;
    graze_roadmap *map = build(f.checker, &o), *revised;
    assert_int_equal(info_of(map).dimension, 4);
    graze_world_change c = graze_world_change_default();
    graze_transform pose = graze_transform_identity();
    graze_roadmap_update u;
    pose.m[7] = -0.6;
    c.name = "b";
    c.pose = &pose;
    const changed first = {f.world, f.checker};
    changed next = change_world(&first, &c, 1);
    assert_int_equal(graze_roadmap_revise(&revised, map, next.checker, &o, &u, NULL), GRAZE_OK);
    graze_roadmap *anew = build(next.checker, &o);
    assert_int_equal(assert_same_answers(f.robot, revised, anew), info_of(anew).free);
    assert_true(u.opened > 0 && u.closed > 0 && u.tested < u.edges);
    graze_roadmap_free(map);
    graze_roadmap_free(revised);
    graze_roadmap_free(anew);
    free_changed(&next);
    fixture_free(&f);
}

#ifdef GRAZE_FAULTS
static void test_queries_allocate_nothing(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(100, 5);
    graze_roadmap *map = build(f.checker, &o);
    graze_roadmap_workspace *ws;
    assert_int_equal(graze_roadmap_workspace_create(&ws, map, NULL), GRAZE_OK);
    gz_memory_fail_after(1, true);
    for (uint64_t i = 0; i < 10; i++) {
        double start[2], goal[2];
        graze_roadmap_result r;
        graze_robot_sample(f.robot, 5, 2 * i, NULL, NULL, start, NULL);
        graze_robot_sample(f.robot, 5, 2 * i + 1, NULL, NULL, goal, NULL);
        assert_int_equal(graze_roadmap_find(ws, start, NULL, goal, NULL, NULL, &r, NULL), GRAZE_OK);
    }
    long count = gz_memory_allocation_count();
    gz_memory_fail_after(0, false);
    assert_int_equal(count, 0);
    graze_roadmap_workspace_free(ws);
    graze_roadmap_free(map);
    fixture_free(&f);
}

/// Each allocation of building, updating, packing and reading fails in turn.
static void test_a_lack_of_memory_is_an_error_and_nothing_leaks(void **context) {
    (void)context;
    fixture f;
    set_up_arm(&f);
    const graze_roadmap_options o = options_of(20, 3);
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_roadmap *map = NULL, *revised = NULL, *read = NULL;
        graze_roadmap_workspace *ws = NULL;
        unsigned char *bytes = NULL;
        size_t size = 0;
        gz_memory_fail_after(n, false);
        graze_status status = graze_roadmap_build(&map, f.checker, NULL, NULL, &o, NULL);
        if (status == GRAZE_OK)
            status = graze_roadmap_revise(&revised, map, f.checker, NULL, NULL, NULL);
        if (status == GRAZE_OK) status = graze_roadmap_workspace_create(&ws, map, NULL);
        if (status == GRAZE_OK) status = graze_roadmap_pack(&bytes, &size, map, NULL);
        if (status == GRAZE_OK)
            status = graze_roadmap_unpack(&read, bytes, size, f.checker, NULL, NULL, NULL);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_true(status == GRAZE_OK || status == GRAZE_ERROR_NO_MEMORY);
        graze_roadmap_workspace_free(ws);
        graze_roadmap_bytes_free(bytes);
        graze_roadmap_free(map);
        graze_roadmap_free(revised);
        graze_roadmap_free(read);
    }
    fixture_free(&f);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_are_as_dense_samples_say),
        cmocka_unit_test(test_neighbours_are_those_of_brute_force),
        cmocka_unit_test(test_the_number_of_neighbours_is_that_of_prm_star),
        cmocka_unit_test(test_any_number_of_threads_makes_the_same_bytes),
        cmocka_unit_test(test_another_seed_makes_other_nodes),
        cmocka_unit_test(test_components_are_what_free_edges_join),
        cmocka_unit_test(test_ways_between_nodes_are_the_shortest),
        cmocka_unit_test(test_paths_are_free_and_as_long_as_they_say),
        cmocka_unit_test(test_each_failure_says_why),
        cmocka_unit_test(test_an_end_that_is_walled_in_names_what_blocks_it),
        cmocka_unit_test(test_what_does_not_vary_must_stand_where_the_roadmap_has_it),
        cmocka_unit_test(test_queries_end_by_their_limits),
        cmocka_unit_test(test_building_ends_by_its_limits),
        cmocka_unit_test(test_numbers_that_are_not_finite_are_named),
        cmocka_unit_test(test_an_updated_roadmap_answers_as_one_built_anew),
        cmocka_unit_test(test_a_change_too_far_away_tests_nothing),
        cmocka_unit_test(test_another_boundary_tests_all_that_was_free),
        cmocka_unit_test(test_other_rules_and_robots_are_refused),
        cmocka_unit_test(test_other_margins_of_objects_are_other_objects),
        cmocka_unit_test(test_a_base_that_moves_updates_as_built_anew),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_queries_allocate_nothing),
        cmocka_unit_test(test_a_lack_of_memory_is_an_error_and_nothing_leaks),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
