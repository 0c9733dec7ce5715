// Compiled robots and worlds answer, bit for bit, as those that they were made from.
#include "base/random.h"
#include "unit/compile/compiled_pair.h"
#include "unit/load/temporary_folder.h"
#include "unit/trials.h"

enum { CONFIGURATIONS = TRIALS(300, 20), CONTACTS = 64 };

typedef struct asked {
    graze_checker *checker;
    graze_workspace *workspace;
    graze_contact contacts[CONTACTS];
    graze_report report;
} asked;

static void query_begin(asked *a, const graze_robot *robot, const graze_world *world,
                        const graze_checker_options *options) {
    graze_error error;
    if (graze_checker_create(&a->checker, robot, world, options, &error) ||
        graze_workspace_create(&a->workspace, a->checker, &error))
        fail_msg("%s", error.message);
}

static void query(asked *a, graze_answer answer, const double *q, size_t n) {
    memset(a->contacts, 0, sizeof a->contacts);
    a->report = (graze_report){.contacts = a->contacts, .capacity = CONTACTS};
    assert_int_equal(graze_check(a->checker, a->workspace, answer, q, n, NULL, &a->report, NULL),
                     GRAZE_OK);
}

static void query_end(asked *a) {
    graze_workspace_free(a->workspace);
    graze_checker_free(a->checker);
}

/// Contacts without what lies between their fields.
static void assert_same_contact(const graze_contact *a, const graze_contact *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->link, b->link);
    assert_int_equal(a->element, b->element);
    assert_int_equal(a->other, b->other);
    assert_int_equal(a->other_element, b->other_element);
    assert_int_equal(a->contained, b->contained);
    assert_int_equal(a->triangle, b->triangle);
    assert_int_equal(a->other_triangle, b->other_triangle);
    assert_int_equal(a->has_segment, b->has_segment);
    assert_memory_equal(a->segment, b->segment, sizeof a->segment);
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
}

static void random_configuration(const graze_robot *robot, gz_random *random, double *q) {
    graze_robot_rest(robot, q);
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info joint;
        assert_int_equal(graze_robot_joint(robot, graze_robot_q_joint(robot, i), &joint), GRAZE_OK);
        double low = joint.limited ? joint.lower : -3, high = joint.limited ? joint.upper : 3;
        q[i] = low + (high - low) * gz_random_unit(random);
    }
}

/// Asks both the same; returns how many configurations collided.
static size_t compare_answers(const graze_robot *robot, const graze_world *world,
                              const graze_robot *other_robot, const graze_world *other_world,
                              const graze_checker_options *options) {
    asked *a = calloc(2, sizeof *a);
    assert_non_null(a);
    query_begin(&a[0], robot, world, options);
    query_begin(&a[1], other_robot, other_world, options);
    assert_true(graze_checker_epsilon(a[0].checker) == graze_checker_epsilon(a[1].checker));
    size_t n = graze_robot_q_size(robot), collisions = 0;
    double *q = calloc(n + 1, sizeof *q);
    assert_non_null(q);
    gz_random random = gz_random_make(7, 0);
    for (int i = 0; i < CONFIGURATIONS; i++) {
        random_configuration(robot, &random, q);
        for (int answer = GRAZE_ANSWER_ANY; answer <= GRAZE_ANSWER_ALL; answer++) {
            for (int k = 0; k < 2; k++) query(&a[k], (graze_answer)answer, q, n);
            assert_int_equal(a[0].report.verdict, a[1].report.verdict);
            assert_int_equal(a[0].report.count, a[1].report.count);
            // The same work, too: the trees are the same.
            assert_memory_equal(&a[0].report.stats, &a[1].report.stats, sizeof(graze_stats));
            for (size_t c = 0; c < a[0].report.count && c < CONTACTS; c++)
                assert_same_contact(&a[0].contacts[c], &a[1].contacts[c]);
        }
        collisions += a[0].report.verdict == GRAZE_COLLISION;
    }
    free(q);
    for (int k = 0; k < 2; k++) query_end(&a[k]);
    free(a);
    return collisions;
}

/// Compiles both, and compares under every policy and with a margin.
static void compare(graze_robot *robot, graze_world *world, bool both_ways) {
    file_bytes b = compile(robot, world);
    graze_compiled *compiled = open_bytes(b);
    graze_robot *other;
    graze_world *other_world = NULL;
    assert_int_equal(graze_compiled_robot(&other, compiled, NULL), GRAZE_OK);
    assert_true(graze_compiled_has_world(compiled) == (world != NULL));
    if (world) assert_int_equal(graze_compiled_world(&other_world, compiled, NULL), GRAZE_OK);
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    for (int policy = 0; policy <= GRAZE_POLICY_CAP; policy++) {
        graze_checker_options options = graze_checker_options_default();
        options.policy = (graze_policy)policy;
        size_t hits = compare_answers(robot, world, other, other_world, &options);
        if (both_ways) assert_in_range(hits, 1, CONFIGURATIONS - 1);
    }
    graze_checker_options options = graze_checker_options_default();
    options.margin = 0.01;
    compare_answers(robot, world, other, other_world, &options);
    graze_robot_free(robot);
    graze_robot_free(other);
    graze_world_free(world);
    graze_world_free(other_world);
}

static void test_compiled_robots_answer_as_those_they_were_made_from(void **state) {
    (void)state;
    compare(ship_robot("heron"), NULL, true);
    compare(ship_robot("heron"), ship_world("shelf"), true);
    compare(ship_robot("six_axis"), ship_world("table"), false);
    compare(ship_robot("two_link"), ship_world("kineval_random"), false);
}

static void test_open_meshes_points_and_floating_joints_survive(void **state) {
    (void)state;
    static const char *const robots[] = {"stall", "chest", "drone", "gantry"};
    char path[512], name[600];
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        snprintf(name, sizeof name, "tests/cli/data/%s.urdf", robots[i]);
        graze_robot *robot = load_robot(source_path(&path, name), NULL, NULL);
        compare(robot, load_world(source_path(&path, "tests/cli/data/scan.json")), false);
    }
}

/// Meshes are proved as what they were built for: of a robot, of a world, or a box.
static void test_halls_and_large_boxes_are_proved(void **state) {
    (void)state;
    static const double corners[24] = {-3, -3, -1, 3, -3, -1, -3, 3, -1, 3, 3, -1,
                                       -3, -3, 3,  3, -3, 3,  -3, 3, 3,  3, 3, 3},
                        size[3] = {2, 3, 4};
    static const uint32_t walls[36] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                       2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
    const double far[3] = {9, 0, 0}, level[3] = {0, 0, 0};
    graze_transform beside = graze_transform_from_xyz_rpy(far, level);
    graze_robot *robot = ship_robot("heron");
    graze_world *world;
    graze_error error;
    assert_int_equal(graze_world_create(&world, "hall", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(world, "walls", corners, 8, walls, 12, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_add_box(world, "box", size, &beside, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    file_bytes b = compile(robot, world);
    graze_compiled *compiled = open_bytes(b);
    if (graze_compiled_verify(compiled, &error)) fail_msg("%s", error.message);
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    compare(robot, world, false);
}

static void test_all_that_can_be_read_of_a_robot_is_the_same(void **state) {
    (void)state;
    graze_robot *robot = ship_robot("heron"), *other;
    file_bytes b = compile(robot, NULL);
    graze_compiled *compiled = open_bytes(b);
    assert_int_equal(graze_compiled_robot(&other, compiled, NULL), GRAZE_OK);
    assert_string_equal(graze_robot_name(robot), graze_robot_name(other));
    assert_int_equal(graze_robot_warning_count(robot), graze_robot_warning_count(other));
    assert_int_equal(graze_robot_pair_count(robot), graze_robot_pair_count(other));
    assert_true(graze_robot_pair_count(robot) > 10);
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair x, y;
        assert_int_equal(graze_robot_pair(robot, i, &x) | graze_robot_pair(other, i, &y), GRAZE_OK);
        assert_true(x.a == y.a && x.b == y.b && x.state == y.state);
        assert_string_equal(x.reason, y.reason);
    }
    assert_true(graze_robot_group_count(robot) > 0 && graze_robot_state_count(robot) > 0);
    assert_int_equal(graze_robot_group_count(robot), graze_robot_group_count(other));
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group x, y;
        graze_robot_group(robot, i, &x);
        graze_robot_group(other, i, &y);
        assert_string_equal(x.name, y.name);
        assert_int_equal(x.joint_count, y.joint_count);
        assert_memory_equal(x.joints, y.joints, x.joint_count * sizeof *x.joints);
    }
    const char *name, *group;
    size_t n = graze_robot_q_size(robot);
    double *q = calloc(2 * n, sizeof *q);
    assert_int_equal(graze_robot_state(robot, 0, &name, &group), GRAZE_OK);
    assert_int_equal(graze_robot_apply_state(robot, group, name, q, NULL), GRAZE_OK);
    assert_int_equal(graze_robot_apply_state(other, group, name, q + n, NULL), GRAZE_OK);
    assert_memory_equal(q, q + n, n * sizeof *q);
    free(q);
    for (int32_t i = 0; i < (int32_t)graze_robot_link_count(robot); i++)
        assert_true(graze_robot_link_pose_error(robot, i, 100) ==
                    graze_robot_link_pose_error(other, i, 100));
    // The file may go first.
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    graze_robot_free(robot);
    assert_int_equal(graze_robot_find_link(other, graze_robot_link_name(other, 3)), 3);
    graze_robot_free(other);
}

static void test_compiling_again_gives_the_same_bytes(void **state) {
    (void)state;
    graze_robot *robots[3] = {ship_robot("heron"), ship_robot("heron"), NULL};
    graze_world *worlds[3] = {ship_world("shelf"), ship_world("shelf"), NULL};
    file_bytes b[3];
    for (int i = 0; i < 2; i++) b[i] = compile(robots[i], worlds[i]);
    // And a compiled robot compiles to itself.
    graze_compiled *compiled = open_bytes(b[0]);
    assert_int_equal(graze_compiled_robot(&robots[2], compiled, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_world(&worlds[2], compiled, NULL), GRAZE_OK);
    b[2] = compile(robots[2], worlds[2]);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(b[0].size, b[i].size);
        assert_memory_equal(b[0].at, b[i].at, b[0].size);
    }
    graze_compiled_close(compiled);
    for (int i = 0; i < 3; i++) {
        graze_compiled_free(b[i].at);
        graze_robot_free(robots[i]);
        graze_world_free(worlds[i]);
    }
}

static void test_sources_show_what_has_changed(void **state) {
    (void)state;
    static const char urdf[] = "<robot name='r'><link name='a'/></robot>";
    temporary_folder folder = temporary_folder_make();
    temporary_write_text(&folder, "r.urdf", urdf);
    temporary_write_text(&folder, "r.srdf", "<robot name='r'/>");
    char path[600], srdf[600], file[600];
    snprintf(path, sizeof path, "%s/r.urdf", folder.path);
    snprintf(srdf, sizeof srdf, "%s/r.srdf", folder.path);
    snprintf(file, sizeof file, "%s/r.graze", folder.path);
    graze_robot *robot = load_robot(path, srdf, NULL);
    graze_compile_options options = graze_compile_options_default();
    options.srdf = srdf;
    file_bytes b;
    assert_int_equal(graze_compile(&b.at, &b.size, robot, NULL, &options, NULL), GRAZE_OK);
    temporary_write(&folder, "r.graze", b.at, b.size);
    assert_true(graze_compiled_recognise_file(file));
    assert_false(graze_compiled_recognise_file(path));
    assert_false(graze_compiled_recognise_file(folder.path));
    graze_compiled *compiled;
    assert_int_equal(graze_compiled_open(&compiled, file, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_source_count(compiled), 2);
    graze_source source;
    assert_int_equal(graze_compiled_source(compiled, 0, &source), GRAZE_OK);
    assert_string_equal(source.path, path);
    assert_int_equal(source.kind, GRAZE_SOURCE_URDF);
    assert_int_equal(source.size, sizeof urdf - 1);
    assert_int_equal(graze_compiled_source(compiled, 2, &source), GRAZE_ERROR_ARGUMENT);
    graze_source_state now;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(graze_compiled_source_now(compiled, i, &now, NULL), GRAZE_OK);
        assert_int_equal(now, GRAZE_SOURCE_SAME);
    }
    // The same length, another content.
    temporary_write_text(&folder, "r.urdf", "<robot name='s'><link name='a'/></robot>");
    assert_int_equal(graze_compiled_source_now(compiled, 0, &now, NULL), GRAZE_OK);
    assert_int_equal(now, GRAZE_SOURCE_CHANGED);
    unlink(srdf);
    assert_int_equal(graze_compiled_source_now(compiled, 1, &now, NULL), GRAZE_OK);
    assert_int_equal(now, GRAZE_SOURCE_MISSING);
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    graze_robot_free(robot);
    temporary_folder_remove(&folder);
}

static void test_a_robot_from_memory_has_a_source_that_is_no_file(void **state) {
    (void)state;
    static const char urdf[] = "<robot name='r'><link name='a'/></robot>";
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "<made>", NULL, NULL, NULL),
        GRAZE_OK);
    file_bytes b = compile(robot, NULL);
    graze_compiled *compiled = open_bytes(b);
    graze_source source;
    graze_source_state now;
    assert_int_equal(graze_compiled_source(compiled, 0, &source), GRAZE_OK);
    assert_false(source.known);
    assert_int_equal(graze_compiled_source_now(compiled, 0, &now, NULL), GRAZE_OK);
    assert_int_equal(now, GRAZE_SOURCE_UNKNOWN);
    graze_world *world;
    graze_error error;
    assert_int_equal(graze_compiled_world(&world, compiled, &error), GRAZE_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "holds no world"));
    assert_null(world);
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    graze_robot_free(robot);
}

static void test_callers_mistakes_are_errors(void **state) {
    (void)state;
    unsigned char *at;
    size_t size;
    graze_error error;
    graze_compiled *compiled;
    graze_world *world;
    assert_int_equal(graze_compile(&at, &size, NULL, NULL, NULL, &error), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_compile(NULL, &size, NULL, NULL, NULL, &error), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_compile(&at, &size, NULL, world, NULL, &error), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "not committed"));
    graze_compile_options options = {0};
    assert_int_equal(graze_compile(&at, &size, NULL, world, &options, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_null(at);
    graze_world_free(world);
    assert_int_equal(graze_compiled_open(&compiled, "/nowhere.graze", &error),
                     GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(graze_compiled_open(&compiled, "/", &error), GRAZE_ERROR_IO);
    assert_int_equal(graze_compiled_open(NULL, "x", &error), GRAZE_ERROR_ARGUMENT);
    graze_robot *robot;
    assert_int_equal(graze_robot_open_compiled(&robot, "/nowhere.graze", &error),
                     GRAZE_ERROR_NOT_FOUND);
    assert_null(robot);
    graze_compiled_close(NULL);
}

/// The shared configurations: 20,000 of Fetch, with known verdicts of others.
static void test_fetch_gives_the_same_20000_verdicts(void **state) {
    (void)state;
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("GRAZE_TEST_DATA is not set\n");
        skip();
    }
    char urdf[600], srdf[600], packages[600], npy[600], clutter[600];
    snprintf(urdf, sizeof urdf, "%s/robots/fetch_description/robots/fetch.urdf", data);
    snprintf(srdf, sizeof srdf, "%s/verdicts/fetch_75.srdf", data);
    snprintf(packages, sizeof packages, "%s/robots", data);
    snprintf(npy, sizeof npy, "%s/verdicts/fetch_configs.npy", data);
    snprintf(clutter, sizeof clutter, "%s/worlds/clutter.ply", data);
    enum { ROWS = 20000, COLUMNS = 8 };
    static const char *const joints[COLUMNS] = {
        "torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
        "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint",    "wrist_roll_joint"};
    double *rows = malloc(ROWS * COLUMNS * sizeof *rows);
    FILE *file = fopen(npy, "rb");
    assert_true(file && rows && fseek(file, 128, SEEK_SET) == 0);
    assert_int_equal(fread(rows, COLUMNS * sizeof *rows, ROWS, file), ROWS);
    fclose(file);
    graze_robot *robots[2] = {load_robot(urdf, srdf, packages), NULL};
    graze_world *worlds[2] = {load_world(clutter), NULL};
    file_bytes b = compile(robots[0], worlds[0]);
    graze_compiled *compiled = open_bytes(b);
    assert_int_equal(graze_compiled_robot(&robots[1], compiled, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_world(&worlds[1], compiled, NULL), GRAZE_OK);
    size_t n = graze_robot_q_size(robots[0]);
    double *q = calloc(ROWS * n, sizeof *q);
    uint8_t *verdicts = calloc(4, ROWS);
    assert_true(q && verdicts);
    for (size_t i = 0; i < ROWS; i++) {
        graze_robot_rest(robots[0], q + i * n);
        for (size_t k = 0; k < COLUMNS; k++)
            q[i * n + (size_t)graze_robot_find_q(robots[0], joints[k])] = rows[i * COLUMNS + k];
    }
    for (size_t k = 0; k < 4; k++) {
        graze_checker *checker;
        assert_int_equal(
            graze_checker_create(&checker, robots[k % 2], k < 2 ? NULL : worlds[k % 2], NULL, NULL),
            GRAZE_OK);
        graze_batch batch = graze_batch_default();
        batch.q = q;
        batch.count = ROWS;
        batch.verdicts = verdicts + k * ROWS;
        assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
        graze_checker_free(checker);
    }
    size_t hits[4] = {0};
    for (size_t i = 0; i < 4 * ROWS; i++) hits[i / ROWS] += verdicts[i] == GRAZE_COLLISION;
    assert_int_equal(hits[0], 2914);
    assert_in_range(hits[2], hits[0] + 1, ROWS - 1);
    assert_memory_equal(verdicts, verdicts + ROWS, ROWS);
    assert_memory_equal(verdicts + 2 * ROWS, verdicts + 3 * ROWS, ROWS);
    free(rows);
    free(q);
    free(verdicts);
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    for (int i = 0; i < 2; i++) {
        graze_robot_free(robots[i]);
        graze_world_free(worlds[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiled_robots_answer_as_those_they_were_made_from),
        cmocka_unit_test(test_open_meshes_points_and_floating_joints_survive),
        cmocka_unit_test(test_halls_and_large_boxes_are_proved),
        cmocka_unit_test(test_all_that_can_be_read_of_a_robot_is_the_same),
        cmocka_unit_test(test_compiling_again_gives_the_same_bytes),
        cmocka_unit_test(test_sources_show_what_has_changed),
        cmocka_unit_test(test_a_robot_from_memory_has_a_source_that_is_no_file),
        cmocka_unit_test(test_callers_mistakes_are_errors),
        cmocka_unit_test(test_fetch_gives_the_same_20000_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
