// MoveIt planning scenes in YAML, as MotionBenchMaker and robowflex write them.
#include <time.h>

#include "base/random.h"
#include "unit/load/world_fixture.h"

#define WORLD      "world:\n  collision_objects:\n"
#define SPHERE(id) "  - id: " id "\n    primitives: [{type: sphere, dimensions: [1]}]\n"

static const char scene[] =
    "name: (noname)\n"
    "robot_model_name: fetch\n"
    "robot_state:\n"
    "  joint_state:\n"
    "    name: [torso_lift_joint]\n"
    "    position: [0.05]\n"
    "fixed_frame_transforms:\n"
    "  - header: {frame_id: world}\n"
    "    child_frame_id: base_link\n"
    "    transform:\n"
    "      translation: [0, 0, 100]\n"
    "      rotation: [0, 0, 0, 1]\n"
    "allowed_collision_matrix: {entry_names: [a, b]}\n"
    "world:\n"
    "  collision_objects:\n"
    "    - header:\n"
    "        frame_id: base_link\n"
    "      id: Can1\n"
    "      primitives:\n"
    "        - type: cylinder\n"
    "          dimensions: [0.14, 0.03]\n"
    "      primitive_poses:\n"
    "        - position: [0.8, 0, 0.55]\n"
    "          orientation: [0, 0, 0, 1]\n"
    "    - id: both\n"
    "      pose:\n"
    "        position: {x: 10, y: 20, z: 30}\n"
    "        orientation: {x: 0, y: 0, z: 0.70710678118654757, w: 0.70710678118654757}\n"
    "      primitives:\n"
    "        - {type: 1, dimensions: [1, 2, 3]}\n"
    "        - {type: 2, dimensions: [0.5]}\n"
    "        - {type: SPHERE, dimensions: [0.25]}\n"
    "        - {dimensions: [4, 5], type: 3}\n"
    "      primitive_poses:\n"
    "        - position: [1, 2, 3]\n"
    "          orientation: [0, 0, 0, 1]\n"
    "        - position: [0, 0, 0]\n"
    "          orientation: [0, 0, 0, 1]\n"
    "        - {}\n"
    "        - position: [.5, 1e-3, -0.]\n"
    "    - id: 7\n"
    "      operation: add\n"
    "      meshes:\n"
    "        - vertices:\n"
    "            - [0, 0, 0]\n"
    "            - {x: 1, y: 0, z: 0}\n"
    "            - [0, 1, 0]\n"
    "            - [0, 0, 1]\n"
    "          triangles: [[0, 2, 1], {vertex_indices: [0, 1, 3]}, [0, 3, 2], [1, 2, 3]]\n"
    "        - resource: tet.obj\n"
    "          dimensions: [2, 2, -2]\n"
    "      mesh_poses:\n"
    "        - position: [0, 0, 5]\n"
    "          orientation: [0, 0, 0, 1]\n"
    "        - position: [0, 0, 0]\n"
    "          orientation: [1, 0, 0, 0]\n";

static void write_tetrahedron(void) {
    fixture_text("tet.obj",
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
}

static void test_a_planning_scene_is_read(void **state) {
    (void)state;
    write_tetrahedron();
    graze_world *world = fixture_load_ok("a.yaml", scene);
    assert_int_equal(graze_world_object_count(world), 7);
    assert_int_equal(graze_world_warning_count(world), 0);
    graze_geometry g = fixture_object(world, "Can1");
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.radius == 0.03 && g.length == 0.14);
    assert_int_equal(g.line, 20);
    fixture_expect_pose(&g, (double[]){1, 0, 0, 0.8, 0, 1, 0, 0, 0, 0, 1, 100.55});
    g = fixture_object(world, "both");
    assert_true(g.shape == GRAZE_SHAPE_BOX && g.size[0] == 1 && g.size[1] == 2 && g.size[2] == 3);
    fixture_expect_pose(&g, (double[]){0, -1, 0, 8, 1, 0, 0, 21, 0, 0, 1, 33});
    g = fixture_object(world, "both#2");
    assert_true(g.shape == GRAZE_SHAPE_SPHERE && g.radius == 0.5);
    fixture_expect_pose(&g, (double[]){0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30});
    g = fixture_object(world, "both#3");
    assert_true(g.shape == GRAZE_SHAPE_SPHERE && g.radius == 0.25);
    fixture_expect_pose(&g, (double[]){0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30});
    g = fixture_object(world, "both#4");
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.radius == 5 && g.length == 4);
    fixture_expect_pose(&g, (double[]){0, -1, 0, 10 - 1e-3, 1, 0, 0, 20.5, 0, 0, 1, 30});
    g = fixture_object(world, "7");
    assert_int_equal(g.closed_count, 1);
    assert_true(g.origin.m[11] == 5);
    g = fixture_object(world, "7#2");
    assert_true(g.scale[2] == -2);
    assert_string_equal(g.uri, "tet.obj");
    fixture_expect_pose(&g, (double[]){1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0});
    graze_world_free(world);
}

static void test_frames_that_the_file_does_not_place(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.yml", WORLD "  - {id: a, header: {frame_id: odom}, primitives: [{type: sphere, "
                       "dimensions: [1]}]}\n"
                       "  - {id: b, header: {frame_id: odom}, primitives: [{type: sphere, "
                       "dimensions: [1]}]}\n"
                       "  - {id: c, header: {frame_id: ''}, primitives: [{type: sphere, "
                       "dimensions: [1]}]}\n");
    assert_int_equal(fixture_warnings(world, "frame-assumed"), 1);
    assert_int_equal(graze_world_warning(world, 0).line, 3);
    graze_world_free(world);
    fixture_expect("a.yml",
                   WORLD "  - {id: a, header: {frame_id: odom}, primitives: [{type: sphere, "
                         "dimensions: [1]}]}\n"
                         "  - {id: b, header: {frame_id: map}, primitives: [{type: sphere, "
                         "dimensions: [1]}]}\n",
                   GRAZE_ERROR_UNSUPPORTED, 4, "/world/collision_objects[@id='b']/header/frame_id",
                   "odom");
}

static void test_unset_poses_and_quaternions_of_other_lengths(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.yaml", WORLD "  - id: a\n"
                        "    pose: {position: [0, 0, 0], orientation: [0, 0, 0, 0]}\n"
                        "    primitives: [{type: sphere, dimensions: [1]}]\n"
                        "    primitive_poses:\n"
                        "    - {position: [1, 2, 3], orientation: [0, 0.383, 0, 0.924]}\n");
    assert_int_equal(fixture_warnings(world, "pose-unset"), 1);
    assert_int_equal(fixture_warnings(world, "quaternion-not-unit"), 1);
    graze_geometry g = fixture_object(world, "a");
    double n = 0.383 * 0.383 + 0.924 * 0.924;
    fixture_expect_pose(&g,
                        (double[]){1 - 2 * 0.383 * 0.383 / n, 0, 2 * 0.383 * 0.924 / n, 1, 0, 1, 0,
                                   2, -2 * 0.383 * 0.924 / n, 0, 1 - 2 * 0.383 * 0.383 / n, 3});
    graze_world_free(world);
}

static void test_planes_and_cones_are_read_as_moveit_means_them(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.yaml", WORLD "  - id: a\n"
                        "    pose: {position: [1, 2, 3], orientation: [0, 0, 0, 1]}\n"
                        "    primitives:\n    - {type: cone, dimensions: [0.5, 0.25]}\n"
                        "    planes: [{coef: [0, 0, 2, -8]}]\n"
                        "    plane_poses: [{position: [0, 0, 1], orientation: [0, 0, 0, 1]}]\n");
    graze_geometry g;
    assert_int_equal(graze_world_object_count(world), 2);
    assert_int_equal(graze_world_object(world, 0, &g), GRAZE_OK);
    assert_int_equal(g.shape, GRAZE_SHAPE_CONE);
    assert_true(g.length == 0.5 && g.radius == 0.25);
    // 2 z - 8 = 0 is z = 4 of its frame, which is at 3 + 1.
    assert_int_equal(graze_world_object(world, 1, &g), GRAZE_OK);
    assert_int_equal(g.shape, GRAZE_SHAPE_PLANE);
    fixture_expect_pose(&g, (double[]){1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 8});
    graze_world_free(world);
}

static void test_empty_and_odd_things_are_warned_of(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok("a.yaml", WORLD "  - {id: a, primitives: [], planes: []}\n"
                                                         "  - {id: b, primitve_poses: []}\n"
                                                         "colour: 1\n");
    assert_int_equal(graze_world_object_count(world), 0);
    assert_int_equal(fixture_warnings(world, "object-empty"), 2);
    assert_int_equal(fixture_warnings(world, "unknown-key"), 2);
    graze_world_free(world);
    world = fixture_load_ok("a.yaml", "world: {collision_objects: []}\n");
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
}

static void test_mistakes_have_a_line_and_an_element(void **state) {
    (void)state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *element, *message;
    } cases[] = {
        {"", GRAZE_ERROR_PARSE, 1, "", "no YAML document"},
        {"# nothing\n", GRAZE_ERROR_PARSE, 1, "", "no YAML document"},
        {"- 1\n", GRAZE_ERROR_SCHEMA, 1, "/", "a list"},
        {"a: [1, 2\n", GRAZE_ERROR_PARSE, 2, "", "YAML"},
        {"a: b: c\n", GRAZE_ERROR_PARSE, 1, "", "YAML"},
        {"a: \"\xff\"\n", GRAZE_ERROR_PARSE, 1, "", "YAML"},
        {"x: 1\ny: 2\nx: 3\n", GRAZE_ERROR_SCHEMA, 3, "/x", "twice"},
        {"x: &a 1\ny: *a\n", GRAZE_ERROR_UNSUPPORTED, 1, "", "anchor"},
        {"y: *a\n", GRAZE_ERROR_UNSUPPORTED, 1, "", "alias"},
        {"? [a]\n: 1\n", GRAZE_ERROR_UNSUPPORTED, 1, "", "key"},
        {"world:\n  collision_objects: []\n---\na: 1\n", GRAZE_ERROR_UNSUPPORTED, 3, "", "second"},
        {"name: x\n", GRAZE_ERROR_SCHEMA, 1, "/", "\"world\" is missing"},
        {"name: x\nworld: 4\n", GRAZE_ERROR_SCHEMA, 2, "/world", "a number"},
        {"world:\n  x: 1\n", GRAZE_ERROR_SCHEMA, 2, "/world", "collision_objects"},
        {WORLD "  - 4\n", GRAZE_ERROR_SCHEMA, 3, "/world/collision_objects[0]", "a number"},
        {WORLD "  - primitives: []\n", GRAZE_ERROR_SCHEMA, 3, "/world/collision_objects[0]",
         "\"id\" is missing"},
        {WORLD "  - id: a\n    primitives: 5\n", GRAZE_ERROR_SCHEMA, 4,
         "/world/collision_objects[@id='a']/primitives", "a list"},
        {WORLD "  - id: a\n    primitives: [4]\n", GRAZE_ERROR_SCHEMA, 4, "/primitives[0]",
         "a map"},
        {WORLD "  - id: a\n    primitives:\n    - dimensions: [1]\n", GRAZE_ERROR_SCHEMA, 5,
         "/primitives[0]", "\"type\" is missing"},
        {WORLD "  - id: a\n    primitives:\n    - type: blob\n", GRAZE_ERROR_SCHEMA, 5,
         "/primitives[0]/type", "blob"},
        {WORLD "  - id: a\n    primitives:\n    - type: 5\n", GRAZE_ERROR_UNSUPPORTED, 5,
         "/primitives[0]/type", "prism"},
        {WORLD "  - id: a\n    primitives:\n    - type: prism\n", GRAZE_ERROR_UNSUPPORTED, 5,
         "/primitives[0]/type", "prism"},
        {WORLD "  - id: a\n    primitives:\n    - type: box\n      dimensions: [1, 2]\n",
         GRAZE_ERROR_SCHEMA, 6, "/primitives[0]/dimensions", "a list of 2"},
        {WORLD "  - id: a\n    primitives:\n    - type: cylinder\n      dimensions: [1, -2]\n",
         GRAZE_ERROR_RANGE, 6, "/primitives[0]/dimensions", "dimension 1 is -2"},
        {WORLD "  - id: a\n    primitives:\n    - type: sphere\n      dimensions: ['1']\n",
         GRAZE_ERROR_SCHEMA, 6, "/primitives[0]/dimensions[0]", "a string"},
        {WORLD "  - id: a\n    primitives:\n    - type: sphere\n      dimensions: [.nan]\n",
         GRAZE_ERROR_RANGE, 6, "/dimensions[0]", "nan"},
        {WORLD SPHERE("a") "    primitive_poses:\n    - {orientation: [0, 0, 0, 0], "
                           "position: [1, 0, 0]}\n",
         GRAZE_ERROR_RANGE, 6, "/primitive_poses[0]/orientation", "0 0 0 0"},
        {WORLD SPHERE("a") "    primitive_poses: [{}, {}]\n", GRAZE_ERROR_SCHEMA, 5,
         "/primitive_poses", "2 primitive_poses for 1 primitives"},
        {WORLD SPHERE("a") "    primitive_poses: [{position: [1, 2]}]\n", GRAZE_ERROR_SCHEMA, 5,
         "/primitive_poses[0]/position", "a list of 2"},
        {WORLD SPHERE("a") "    primitive_poses: [{position: {x: 1, y: 2}}]\n", GRAZE_ERROR_SCHEMA,
         5, "/primitive_poses[0]/position", "\"z\" is missing"},
        {WORLD SPHERE("a") "    primitive_poses: [{position: [1, 2, 1e9]}]\n", GRAZE_ERROR_RANGE, 4,
         "/primitives[0]", "2^20"},
        {WORLD SPHERE("a") SPHERE("b") SPHERE("a"), GRAZE_ERROR_SCHEMA, 8,
         "/world/collision_objects[@id='a']", "object 0 (line 4"},
        {WORLD SPHERE("a") "    planes: [{coef: [0, 0, 0, 1]}]\n", GRAZE_ERROR_RANGE, 5,
         "/planes[0]/coef", "0 0 0"},
        {WORLD SPHERE("a") "    planes: [{coef: [1, 0, 0]}]\n", GRAZE_ERROR_SCHEMA, 5,
         "/planes[0]/coef", "a list of 3"},
        {WORLD SPHERE("a") "    operation: remove\n", GRAZE_ERROR_UNSUPPORTED, 5, "/operation",
         "add"},
        {WORLD SPHERE("a") "    operation: 2\n", GRAZE_ERROR_UNSUPPORTED, 5, "/operation", "add"},
        {WORLD "  - id: a\n    meshes:\n    - resource: none.stl\n", GRAZE_ERROR_NOT_FOUND, 5,
         "/meshes[0]/resource", "none.stl"},
        {WORLD "  - id: a\n    meshes:\n    - vertices: [[0, 0, 0]]\n", GRAZE_ERROR_MESH, 5,
         "/meshes[0]", "no triangles"},
        {WORLD "  - id: a\n    meshes:\n    - vertices: [[0, 0, 0]]\n      triangles:\n"
               "      - [0, 0, 1]\n",
         GRAZE_ERROR_MESH, 7, "/meshes[0]/triangles[0]", "vertex 1"},
        {WORLD SPHERE("a") "robot_state:\n  attached_collision_objects:\n  - {}\n",
         GRAZE_ERROR_UNSUPPORTED, 7, "/robot_state/attached_collision_objects", "attached"},
        {"world:\n  collision_objects: []\n  octomap:\n    octomap:\n      data: [1, 2]\n",
         GRAZE_ERROR_UNSUPPORTED, 5, "/world/octomap/octomap/data", "octomap"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fixture_expect("bad.yaml", cases[i].text, cases[i].status, cases[i].line, cases[i].element,
                       cases[i].message);
}

/// A path is made for every shape. Looking for the id behind all other keys took 14 s for 20,000
/// shapes in an object of 50,000 keys.
static void test_an_id_behind_many_keys_is_not_looked_for_in_paths(void **state) {
    (void)state;
    static char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, "%s  - k: 0\n", WORLD);
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "    k%d: 0\n", i);
    snprintf(text + n, sizeof text - n,
             "    primitives: [{type: sphere, dimensions: [-1]}]\n    id: x\n");
    graze_world *world = NULL;
    graze_error e;
    assert_int_equal(fixture_load(&world, "a.yaml", text, NULL, &e), GRAZE_ERROR_RANGE);
    assert_string_equal(e.element, "/world/collision_objects[0]/primitives[0]/dimensions");
    graze_world_free(world);
}

/// Appends a map of keys whose hash, as a table of them once had it, begins in the first slots of
/// the table, or of any keys.
static void append_keys(char *text, size_t size, bool alike) {
    enum { KEYS = 5000, SLOTS = 16384 };
    size_t n = (size_t)snprintf(text, size, "world: {collision_objects: []}\nmap:\n");
    unsigned long number = 0;
    for (int i = 0; i < KEYS; number++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        char key[20];
        snprintf(key, sizeof key, "%lx", number);
        for (const char *c = key; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        if (alike && (gz_random_mix(hash) & (SLOTS - 1)) > 3) continue;
        n += (size_t)snprintf(text + n, size - n, "  %s: 0\n", key);
        i++;
    }
}

static double seconds_to_load(const char *text) {
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        graze_world *world;
        clock_t start = clock();
        assert_int_equal(fixture_load(&world, "a.yaml", text, NULL, NULL), GRAZE_OK);
        double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
        graze_world_free(world);
        if (taken < best) best = taken;
    }
    return best;
}

/// 20,000 keys that fell into one slot took 4 s.
static void test_no_keys_are_slower_than_others(void **state) {
    (void)state;
    static char text[100000];
    append_keys(text, sizeof text, false);
    double any = seconds_to_load(text);
    append_keys(text, sizeof text, true);
    double alike = seconds_to_load(text);
    if (alike > 4 * any + 0.01) fail_msg("%g s, others take %g s", alike, any);
}

static void test_limits_are_kept(void **state) {
    (void)state;
    graze_load_options options = graze_load_options_default();
    graze_world *world;
    graze_error e;
    char deep[200] = "a: ";
    memset(deep + 3, '[', 100);
    assert_int_equal(fixture_load(&world, "deep.yaml", deep, NULL, &e), GRAZE_ERROR_LIMIT);
    assert_int_equal(e.line, 1);
    graze_world_free(world);
    options.limits.elements = 3;
    write_tetrahedron();
    assert_int_equal(fixture_load(&world, "a.yaml", "{a: 1, b: 2, c: 3, d: 4}", &options, &e),
                     GRAZE_ERROR_LIMIT);
    graze_world_free(world);
    assert_int_equal(fixture_load(&world, "a.yaml",
                                  WORLD SPHERE("a") SPHERE("b") SPHERE("c") SPHERE("d"), &options,
                                  &e),
                     GRAZE_ERROR_LIMIT);
    assert_int_equal(e.line, 10);
    graze_world_free(world);
    options = graze_load_options_default();
    options.limits.triangles = 7;
    assert_int_equal(fixture_load(&world, "a.yaml", scene, &options, &e), GRAZE_ERROR_LIMIT);
    graze_world_free(world);
    options = graze_load_options_default();
    options.limits.memory_bytes = 5000;
    assert_int_equal(fixture_load(&world, "a.yaml", scene, &options, &e), GRAZE_ERROR_LIMIT);
    graze_world_free(world);
}

static void test_every_truncation_ends_well(void **state) {
    (void)state;
    write_tetrahedron();
    char text[sizeof scene];
    for (size_t n = 0; n < sizeof scene; n++) {
        graze_world *world;
        graze_error e;
        memcpy(text, scene, n);
        text[n] = '\0';
        graze_status status = fixture_load(&world, "cut.yaml", text, NULL, &e);
        // Some cuts leave a smaller scene that is whole; none leaves part of one that is not.
        assert_true(status == GRAZE_OK || graze_world_object_count(world) == 0);
        graze_world_free(world);
    }
}

static void test_maps_of_many_keys_are_checked_for_twice(void **state) {
    (void)state;
    static char text[400000];
    size_t n = (size_t)snprintf(text, sizeof text, "world: {collision_objects: []}\n");
    for (int i = 0; i < 20000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "key%d: 0\n", i);
    graze_world *world = fixture_load_ok("many.yaml", text);
    assert_true(graze_world_warning_count(world) <= 101);
    graze_world_free(world);
    snprintf(text + n, sizeof text - n, "key77: 0\n");
    fixture_expect("many.yaml", text, GRAZE_ERROR_SCHEMA, 20002, "/key77", "first in line 79");
}

#ifdef GRAZE_FAULTS
static void test_every_allocation_may_fail(void **state) {
    (void)state;
    write_tetrahedron();
    fixture_fail_everywhere("a.yaml", scene, 60);
}
#endif

#define FRAME(header, child, x, y, z)                                                              \
    "  - {" header "child_frame_id: " child ", transform: {translation: [" x ", " y ", " z         \
    "], rotation: [0, 0, 0.70710678118654757, 0.70710678118654757]}}\n"
#define IN(frame)    "header: {frame_id: " frame "}, "
#define BALL(id, in) "  - {id: " id ", " IN(in) "primitives: [{type: sphere, dimensions: [1]}]}\n"

static void test_frames_are_placed_in_each_other(void **state) {
    (void)state;
    // The tray, listed first, stands on the table, and both turn by a quarter.
    graze_world *world = fixture_load_ok(
        "a.yaml", "fixed_frame_transforms:\n" FRAME(IN("table"), "tray", "1", "0", "5")
                      FRAME(IN("world"), "table", "5", "6", "0") WORLD BALL("can", "tray")
                          BALL("leg", "table") BALL("lamp", "world"));
    assert_int_equal(graze_world_warning_count(world), 0);
    graze_geometry g = fixture_object(world, "can");
    fixture_expect_pose(&g, (double[]){-1, 0, 0, 5, 0, -1, 0, 7, 0, 0, 1, 5});
    g = fixture_object(world, "leg");
    fixture_expect_pose(&g, (double[]){0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 0});
    g = fixture_object(world, "lamp");
    fixture_expect_pose(&g, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    graze_world_free(world);
}

static void test_a_table_of_moveit_names_frames_in_its_headers(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.yaml", "fixed_frame_transforms:\n" FRAME(IN("camera"), "base", "5", "6", "0")
                      FRAME(IN("bench"), "base", "7", "0", "0") "  - {" IN(
                          "base") "child_frame_id: base}\n" WORLD BALL("a", "camera")
                          BALL("b", "bench") BALL("c", "base"));
    graze_geometry g = fixture_object(world, "a");
    fixture_expect_pose(&g, (double[]){0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 0});
    g = fixture_object(world, "b");
    fixture_expect_pose(&g, (double[]){0, -1, 0, 7, 1, 0, 0, 0, 0, 0, 1, 0});
    g = fixture_object(world, "c");
    fixture_expect_pose(&g, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    graze_world_free(world);
}

static void test_frames_without_one_meaning_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        graze_status status;
        int32_t line;
        const char *element, *message;
    } cases[] = {
        {FRAME("", "a", "0", "0", "0") FRAME("", "a", "5", "5", "5"), GRAZE_ERROR_SCHEMA, 3,
         "/fixed_frame_transforms[1]", "\"a\" is placed here and in line 2"},
        {FRAME(IN("w"), "a", "0", "0", "0") FRAME(IN("v"), "a", "5", "5", "5"), GRAZE_ERROR_SCHEMA,
         3, "/fixed_frame_transforms[1]", "\"a\" is placed here and in line 2"},
        {FRAME(IN("b"), "a", "1", "0", "0") FRAME(IN("a"), "b", "1", "0", "0"), GRAZE_ERROR_SCHEMA,
         2, "/fixed_frame_transforms[0]", "cycle"},
        {FRAME(IN("a"), "a", "1", "0", "0"), GRAZE_ERROR_SCHEMA, 2, "/fixed_frame_transforms[0]",
         "\"a\" is placed in itself"},
        {FRAME(IN("odom"), "a", "1", "0", "0") FRAME(IN("map"), "b", "1", "0", "0"),
         GRAZE_ERROR_UNSUPPORTED, 3, "/fixed_frame_transforms[1]", "\"odom\" and in \"map\""},
        {"  - {header: {frame_id: [w]}, child_frame_id: a}\n", GRAZE_ERROR_SCHEMA, 2, "frame_id",
         "a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "fixed_frame_transforms:\n%s" WORLD "%s", cases[i].frames,
                 BALL("o", "a"));
        fixture_expect("a.yaml", text, cases[i].status, cases[i].line, cases[i].element,
                       cases[i].message);
    }
    // What objects stand in must be placed as well, or be where the file's frames are placed.
    fixture_expect("a.yaml",
                   "fixed_frame_transforms:\n" FRAME(IN("map"), "a", "1", "0", "0")
                       WORLD BALL("o", "odom"),
                   GRAZE_ERROR_UNSUPPORTED, 5, "/header/frame_id", "odom");
}

static void test_padding_is_not_left_out_without_a_word(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.yaml",
        "link_padding: [{link_name: a, padding: 0.05}, {link_name: b, padding: 0}]\n"
        "link_scale: [{link_name: a, scale: 1.5}, {link_name: b, scale: 2}]\n" WORLD SPHERE("o"));
    assert_int_equal(fixture_warnings(world, "padding-ignored"), 2);
    assert_non_null(strstr(graze_world_warning(world, 0).message, "link_padding changes 1 link "));
    assert_non_null(strstr(graze_world_warning(world, 1).message, "link_scale changes 2 links "));
    graze_world_free(world);
    world = fixture_load_ok("a.yaml", "link_padding: [{link_name: a, padding: 0}]\n"
                                      "link_scale: [{link_name: a, scale: 1}]\n" WORLD SPHERE("o"));
    assert_int_equal(graze_world_warning_count(world), 0);
    graze_world_free(world);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_a_planning_scene_is_read),
        TEST(test_frames_that_the_file_does_not_place),
        TEST(test_unset_poses_and_quaternions_of_other_lengths),
        TEST(test_planes_and_cones_are_read_as_moveit_means_them),
        TEST(test_empty_and_odd_things_are_warned_of),
        TEST(test_mistakes_have_a_line_and_an_element),
        TEST(test_limits_are_kept),
        TEST(test_no_keys_are_slower_than_others),
        TEST(test_an_id_behind_many_keys_is_not_looked_for_in_paths),
        TEST(test_every_truncation_ends_well),
        TEST(test_maps_of_many_keys_are_checked_for_twice),
#ifdef GRAZE_FAULTS
        TEST(test_every_allocation_may_fail),
#endif
        TEST(test_frames_are_placed_in_each_other),
        TEST(test_a_table_of_moveit_names_frames_in_its_headers),
        TEST(test_frames_without_one_meaning_are_refused),
        TEST(test_padding_is_not_left_out_without_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
