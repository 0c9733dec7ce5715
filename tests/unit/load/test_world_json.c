// graze-world-1. Poses are compared with matrices worked out by hand.
#include "unit/load/world_fixture.h"

#define HEAD         "{\"format\":\"graze-world-1\",\n"
#define OBJECT(rest) HEAD "\"objects\":[\n{\"name\":\"o\",\n" rest "}]}"

static void test_a_whole_world_is_read(void **state) {
    (void)state;
    fixture_text("tet.obj",
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    fixture_text("scan.xyz", "0 0 0\n1 2 3\n");
    graze_world *world = fixture_load_ok(
        "a.json",
        HEAD "\"name\":\"all\",\"description\":\"of it\",\n"
             "\"boundary\":{\"min\":[-5,-5.5,0],\"max\":[5,5,3e0]},\n"
             "\"objects\":[\n"
             "{\"name\":\"board\",\"shape\":\"box\",\"size\":[1.2,1,0.04],\"position\":[0,0,0.8],"
             "\"quaternion\":[0,0,0,1]},\n"
             "{\"name\":\"can\",\"shape\":\"cylinder\",\"radius\":0.03,\"length\":0.14},\n"
             "{\"name\":\"ball\",\"shape\":\"sphere\",\"radius\":0.5,\"position\":[1,2,3]},\n"
             "{\"name\":\"post\",\"shape\":\"capsule\",\"radius\":0.05,\"length\":1,"
             "\"description\":\"x\"},\n"
             "{\"name\":\"rack\",\"shape\":\"mesh\",\"file\":\"tet.obj\",\"scale\":[2,-3,1]},\n"
             "{\"name\":\"scan\",\"shape\":\"points\",\"file\":\"scan.xyz\",\"radius\":0.01,"
             "\"scale\":[1,1,10]}]}");
    assert_string_equal(graze_world_name(world), "all");
    assert_int_equal(graze_world_object_count(world), 6);
    assert_int_equal(graze_world_warning_count(world), 0);
    double min[3], max[3];
    assert_true(graze_world_boundary(world, min, max));
    assert_true(min[0] == -5 && min[1] == -5.5 && min[2] == 0 && max[2] == 3);
    graze_geometry g = fixture_object(world, "board");
    assert_int_equal(g.shape, GRAZE_SHAPE_BOX);
    assert_int_equal(g.line, 5);
    assert_true(g.size[0] == 1.2 && g.size[1] == 1 && g.size[2] == 0.04);
    fixture_expect_pose(&g, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.8});
    g = fixture_object(world, "can");
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.radius == 0.03 && g.length == 0.14);
    g = fixture_object(world, "ball");
    assert_true(g.shape == GRAZE_SHAPE_SPHERE && g.radius == 0.5 && g.origin.m[11] == 3);
    g = fixture_object(world, "post");
    assert_true(g.shape == GRAZE_SHAPE_CAPSULE && g.radius == 0.05 && g.length == 1);
    assert_int_equal(g.line, 8);
    g = fixture_object(world, "rack");
    assert_int_equal(g.vertex_count, 4);
    assert_int_equal(g.triangle_count, 4);
    assert_int_equal(g.closed_count, 1);
    assert_string_equal(g.uri, "tet.obj");
    assert_string_equal(g.file, fixture_path("tet.obj"));
    assert_true(g.scale[1] == -3);
    double extreme[3] = {0};
    for (size_t i = 0; i < 12; i++)
        if (fabs(g.vertices[i]) > fabs(extreme[i % 3])) extreme[i % 3] = g.vertices[i];
    assert_true(extreme[0] == 2 && extreme[1] == -3 && extreme[2] == 1);
    g = fixture_object(world, "scan");
    assert_int_equal(g.shape, GRAZE_SHAPE_POINTS);
    assert_int_equal(g.vertex_count, 2);
    assert_true(g.vertices[3] == 1 && g.vertices[4] == 2 && g.vertices[5] == 30);
    graze_world_free(world);
}

static void test_an_object_of_several_shapes(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.json", HEAD
        "\"objects\":[{\"name\":\"first\",\"shape\":\"sphere\",\"radius\":1},\n"
        "{\"name\":\"table\",\"position\":[1,2,3],\"rpy\":[0,0,1.5707963267948966],\"shapes\":[\n"
        "{\"shape\":\"box\",\"size\":[1,2,0.1],\"position\":[0,0,0.5]},\n"
        "{\"shape\":\"box\",\"size\":[1,1,1],\"position\":[1,0,0]},\n"
        "{\"shape\":\"halfspace\",\"normal\":[0,0,1]}]},\n"
        "{\"name\":\"last\",\"shape\":\"cone\",\"radius\":1,\"length\":2}]}");
    assert_int_equal(graze_world_object_count(world), 5);
    assert_int_equal(graze_world_warning_count(world), 0);
    assert_int_equal(graze_world_find_object(world, "table"), 1);
    assert_int_equal(graze_world_find_object(world, "last"), 4);
    for (size_t i = 1; i < 4; i++) {
        graze_geometry g;
        assert_int_equal(graze_world_object(world, i, &g), GRAZE_OK);
        assert_string_equal(g.name, "table");
        assert_true((size_t)g.element == i - 1 && g.id == 2);
    }
    graze_geometry g;
    assert_int_equal(graze_world_object(world, 2, &g), GRAZE_OK);
    fixture_expect_pose(&g, (double[]){0, -1, 0, 1, 1, 0, 0, 3, 0, 0, 1, 3});
    assert_true(g.in_object.m[3] == 1 && g.line == 5 && g.vertex_count == 8);
    graze_world_free(world);
    static const char *const heads[] = {"\"shapes\":[]", "\"shapes\":[{\"shape\":\"ball\"}]",
                                        ("\"shapes\":[{\"shape\":\"sphere\",\"radius\":1},"
                                         "{\"shape\":\"sphere\",\"radius\":-1}]")};
    static const char *const elements[] = {"/objects[@name='o']/shapes",
                                           "/objects[@name='o']/shapes[0]/shape",
                                           "/objects[@name='o']/shapes[1]/radius"};
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, HEAD "\"objects\":[{\"name\":\"o\",%s}]}", heads[i]);
        fixture_expect("bad.json", text, i == 2 ? GRAZE_ERROR_RANGE : GRAZE_ERROR_SCHEMA, 2,
                       elements[i], "allowed");
    }
}

static void test_rotations_by_quaternion_and_by_angles(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.json", HEAD
        "\"objects\":["
        "{\"name\":\"q\",\"shape\":\"sphere\",\"radius\":1,\"position\":[1,2,3],"
        "\"quaternion\":[0,0,0.7071067811865476,0.7071067811865476]},"
        "{\"name\":\"x\",\"shape\":\"sphere\",\"radius\":1,\"quaternion\":[1,0,0,0]},"
        "{\"name\":\"a\",\"shape\":\"sphere\",\"radius\":1,\"position\":[1,2,3],"
        "\"rpy\":[0,0,1.5707963267948966]},"
        "{\"name\":\"b\",\"shape\":\"sphere\",\"radius\":1,"
        "\"rpy\":[1.5707963267948966,0,1.5707963267948966]},"
        "{\"name\":\"long\",\"shape\":\"sphere\",\"radius\":1,\"quaternion\":[0,0,7,7]},"
        "{\"name\":\"tiny\",\"shape\":\"sphere\",\"radius\":1,\"quaternion\":[0,0,1e-300,1e-300]}"
        "]}");
    static const double quarter[12] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3};
    static const double turn[12] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    static const double half[12] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0};
    // Rz(90) Rx(90): x to y, y to z, z to x.
    static const double both[12] = {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    graze_geometry g = fixture_object(world, "q");
    fixture_expect_pose(&g, quarter);
    g = fixture_object(world, "x");
    fixture_expect_pose(&g, half);
    g = fixture_object(world, "a");
    fixture_expect_pose(&g, quarter);
    g = fixture_object(world, "b");
    fixture_expect_pose(&g, both);
    g = fixture_object(world, "long");
    fixture_expect_pose(&g, turn);
    g = fixture_object(world, "tiny");
    fixture_expect_pose(&g, turn);
    assert_int_equal(fixture_warnings(world, "quaternion-not-unit"), 2);
    assert_int_equal(graze_world_warning(world, 0).line, 2);
    assert_string_equal(graze_world_warning(world, 0).element, "/objects[@name='long']/quaternion");
    graze_world_free(world);
}

static void test_lines_and_elements_of_mistakes_in_meaning(void **state) {
    (void)state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *element, *message;
    } cases[] = {
        {"[]", GRAZE_ERROR_SCHEMA, 1, "/", "a list"},
        {"{\"objects\":[]}", GRAZE_ERROR_SCHEMA, 1, "/", "\"format\" is missing"},
        {"\n{\"format\":\n\"graze-world-2\"}", GRAZE_ERROR_SCHEMA, 3, "/format", "graze-world-1"},
        {HEAD "\"object\":[]}", GRAZE_ERROR_SCHEMA, 1, "/", "\"objects\" is missing"},
        {HEAD "\"objects\":{}}", GRAZE_ERROR_SCHEMA, 2, "/objects", "a map"},
        {HEAD "\"objects\":[\n7]}", GRAZE_ERROR_SCHEMA, 3, "/objects[0]", "a number"},
        {HEAD "\"objects\":[\n{\"shape\":\"box\"}]}", GRAZE_ERROR_SCHEMA, 3, "/objects[0]",
         "\"name\" is missing"},
        {HEAD "\"objects\":[\n{\"name\":\n4}]}", GRAZE_ERROR_SCHEMA, 4, "/objects[0]/name",
         "a number"},
        {HEAD "\"objects\":[\n{\"name\":\n\"\"}]}", GRAZE_ERROR_SCHEMA, 4, "/objects", "empty"},
        {OBJECT("\"radius\":1"), GRAZE_ERROR_SCHEMA, 3, "/objects[@name='o']",
         "\"shape\" is missing"},
        {OBJECT("\"shape\":\"cube\""), GRAZE_ERROR_SCHEMA, 4, "/objects[@name='o']/shape", "box, "},
        {OBJECT("\"shape\":\"sphere\",\n\"radius\":-1"), GRAZE_ERROR_RANGE, 5,
         "/objects[@name='o']/radius", "radius is -1"},
        {OBJECT("\"shape\":\"sphere\",\n\"radius\":\"1\""), GRAZE_ERROR_SCHEMA, 5,
         "/objects[@name='o']/radius", "a string"},
        {OBJECT("\"shape\":\"box\",\n\"size\":[1,2]"), GRAZE_ERROR_SCHEMA, 5,
         "/objects[@name='o']/size", "a list of 2"},
        {OBJECT("\"shape\":\"box\",\n\"size\":[1,2,\nnull]"), GRAZE_ERROR_SCHEMA, 6,
         "/objects[@name='o']/size[2]", "null"},
        {OBJECT("\"shape\":\"sphere\",\"radius\":1,\n\"rpy\":[0,0,0],\n\"quaternion\":[0,0,0,1]"),
         GRAZE_ERROR_SCHEMA, 5, "/objects[@name='o']/rpy", "one of them"},
        {OBJECT("\"shape\":\"sphere\",\"radius\":1,\n\"quaternion\":[0,0,0,0]"), GRAZE_ERROR_RANGE,
         5, "/objects[@name='o']/quaternion", "0 0 0 0"},
        {OBJECT("\"shape\":\"sphere\",\"radius\":1,\n\"position\":[0,2000000,0]"),
         GRAZE_ERROR_RANGE, 5, "/objects[@name='o']/position", "2^20"},
        {OBJECT("\"shape\":\"box\",\"size\":[9,9,9],\n\"position\":[0,1048575,0]"),
         GRAZE_ERROR_RANGE, 3, "/objects[@name='o']", "2^20"},
        {OBJECT(
             "\"shape\":\"sphere\",\"radius\":1,\"description\":\"}]\\\"{\",\n\"rpy\":[0,\n1e9,0]"),
         GRAZE_ERROR_RANGE, 5, "/objects[@name='o']/rpy", "angle"},
        {OBJECT("\"shape\":\"mesh\",\n\"file\":\"no.stl\""), GRAZE_ERROR_NOT_FOUND, 5,
         "/objects[@name='o']/file", "no.stl"},
        {OBJECT("\"shape\":\"mesh\",\n\"file\":\"no.stl\",\"scale\":[1,0,1]"), GRAZE_ERROR_RANGE, 5,
         "/objects[@name='o']/scale", "0 in y"},
        {HEAD "\"objects\":[{\"name\":\"o\",\"shape\":\"sphere\",\"radius\":1},\n"
              "{\n\"name\":\"o\",\"shape\":\"sphere\",\"radius\":1}]}",
         GRAZE_ERROR_SCHEMA, 4, "/objects[@name='o']", "object 0 (line 2"},
        {HEAD "\"boundary\":{\n\"min\":[0,0,0]},\"objects\":[]}", GRAZE_ERROR_SCHEMA, 2,
         "/boundary", "\"max\" is missing"},
        {HEAD "\"boundary\":{\"min\":[0,0,0],\n\"max\":[0,-1,0]},\"objects\":[]}",
         GRAZE_ERROR_RANGE, 2, "/boundary", "min at most max"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fixture_expect("bad.json", cases[i].text, cases[i].status, cases[i].line, cases[i].element,
                       cases[i].message);
}

static void test_mistakes_in_syntax_have_a_line(void **state) {
    (void)state;
    fixture_expect("bad.json", HEAD "\"objects\":[\n{]}", GRAZE_ERROR_PARSE, 3, "", "JSON");
    fixture_expect("bad.json", "", GRAZE_ERROR_PARSE, 1, "", "JSON");
    fixture_expect("bad.json", HEAD "\"objects\":[]}\nmore", GRAZE_ERROR_PARSE, 3, "", "JSON");
    fixture_expect("bad.json", HEAD "\"objects\":[],\n\"objects\":[]}", GRAZE_ERROR_SCHEMA, 3, "",
                   "twice");
    fixture_expect("bad.json", HEAD "\"objects\":[\n1e999]}", GRAZE_ERROR_RANGE, 3, "", "allowed");
    fixture_expect("bad.json", HEAD "\"objects\":[\n\"\xff\"]}", GRAZE_ERROR_PARSE, 3, "",
                   "decode");
}

static void test_columns_count_characters(void **state) {
    (void)state;
    graze_world *world;
    graze_error e;
    fixture_load(&world, "bad.json",
                 HEAD "\"objects\":[ {\"name\":\"\xc3\xa4\xc3\xb6\", \"shape\":\"cube\"}]}", NULL,
                 &e);
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 35);
    assert_string_equal(e.element, "/objects[@name='\xc3\xa4\xc3\xb6']/shape");
    graze_world_free(world);
}

static void test_limits_are_kept(void **state) {
    (void)state;
    graze_load_options options = graze_load_options_default();
    graze_error e;
    graze_world *world;
    char deep[400] = HEAD "\"objects\":\n";
    memset(deep + strlen(deep), '[', 100);
    assert_int_equal(fixture_load(&world, "deep.json", deep, NULL, &e), GRAZE_ERROR_LIMIT);
    assert_int_equal(e.line, 3);
    assert_non_null(strstr(e.message, "64"));
    graze_world_free(world);
    const char *three = HEAD "\"objects\":[{\"name\":\"a\",\"shape\":\"sphere\",\"radius\":1},\n"
                             "{\"name\":\"b\",\"shape\":\"sphere\",\"radius\":1},\n"
                             "{\"name\":\"c\",\"shape\":\"sphere\",\"radius\":1}]}";
    options.limits.elements = 2;
    assert_int_equal(fixture_load(&world, "three.json", three, &options, &e), GRAZE_ERROR_LIMIT);
    assert_int_equal(e.line, 4);
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
    options.limits.elements = 3;
    assert_int_equal(fixture_load(&world, "three.json", three, &options, &e), GRAZE_OK);
    graze_world_free(world);
    options.limits.memory_bytes = 1000;
    assert_int_equal(fixture_load(&world, "three.json", three, &options, &e), GRAZE_ERROR_LIMIT);
    graze_world_free(world);
    options = graze_load_options_default();
    options.limits.file_bytes = 100;
    assert_int_equal(fixture_load(&world, "three.json", three, &options, &e), GRAZE_ERROR_LIMIT);
    graze_world_free(world);
    options.struct_size = 0;
    assert_int_equal(fixture_load(&world, "three.json", three, &options, &e), GRAZE_ERROR_ARGUMENT);
    graze_world_free(world);
}

static void test_unknown_keys_are_warnings_with_the_nearest_name(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok(
        "a.json", HEAD "\"objects\":[\n{\"name\":\"o\",\"shape\":\"sphere\",\"radius\":1,\n"
                       "\"postion\":[1,2,3],\"length\":4}],\"boundry\":1}");
    assert_int_equal(fixture_warnings(world, "unknown-key"), 3);
    bool seen = false;
    for (size_t i = 0; i < graze_world_warning_count(world); i++) {
        graze_warning w = graze_world_warning(world, i);
        if (strcmp(w.element, "/objects[@name='o']/postion") != 0) continue;
        seen = true;
        assert_int_equal(w.line, 4);
        assert_non_null(strstr(w.message, "\"position\""));
    }
    assert_true(seen);
    graze_world_free(world);
    // Nonsense without end makes a bounded list.
    static char many[200000];
    size_t n = (size_t)snprintf(many, sizeof many, HEAD);
    for (int i = 0; i < 9000; i++)
        n += (size_t)snprintf(many + n, sizeof many - n, "\"k%d\":0,", i);
    snprintf(many + n, sizeof many - n, "\"objects\":[]}");
    world = fixture_load_ok("many.json", many);
    assert_true(graze_world_warning_count(world) <= 101);
    assert_int_equal(fixture_warnings(world, "unknown-keys"), 1);
    graze_world_free(world);
}

static void test_a_failed_file_leaves_the_world_as_it_was(void **state) {
    (void)state;
    const double min[3] = {0, 0, 0}, max[3] = {1, 1, 1};
    graze_world *world;
    graze_error e;
    assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "ball", 1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(world, min, max, NULL), GRAZE_OK);
    char text[2000] = HEAD "\"name\":\"new\",\"odd\":1,"
                           "\"boundary\":{\"min\":[-9,-9,-9],\"max\":[9,9,9]},\n\"objects\":[";
    for (int i = 0; i < 9; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n,
                 "{\"name\":\"o%d\",\"shape\":\"sphere\",\"radius\":1},\n", i);
    }
    strcat(text, "{\"name\":\"ball\",\"shape\":\"sphere\",\"radius\":1}]}");
    fixture_text("ten.json", text);
    assert_int_equal(graze_world_add_file(world, fixture_path("ten.json"), NULL, &e),
                     GRAZE_ERROR_SCHEMA);
    assert_int_equal(e.line, 12);
    assert_int_equal(graze_world_object_count(world), 1);
    assert_int_equal(graze_world_find_object(world, "ball"), 0);
    assert_int_equal(graze_world_find_object(world, "o3"), -1);
    assert_int_equal(graze_world_warning_count(world), 0);
    assert_string_equal(graze_world_name(world), "");
    double low[3];
    assert_true(graze_world_boundary(world, low, NULL));
    assert_true(low[0] == 0);
    // And the same names can then be added by another file.
    strcpy(strstr(text, "ball"), "bell\",\"shape\":\"sphere\",\"radius\":1}]}");
    fixture_text("ten.json", text);
    assert_int_equal(graze_world_add_file(world, fixture_path("ten.json"), NULL, &e), GRAZE_OK);
    assert_int_equal(graze_world_object_count(world), 11);
    assert_int_equal(graze_world_find_object(world, "o3"), 4);
    assert_string_equal(graze_world_name(world), "new");
    assert_int_equal(fixture_warnings(world, "boundary-replaced"), 1);
    assert_true(graze_world_boundary(world, low, NULL));
    assert_true(low[0] == -9);
    graze_world_free(world);
}

static void test_errors_in_a_mesh_file_name_that_file(void **state) {
    (void)state;
    graze_world *world;
    graze_error e;
    fixture_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    assert_int_not_equal(
        fixture_load(&world, "a.json", OBJECT("\"shape\":\"mesh\",\"file\":\"bad.obj\""), NULL, &e),
        GRAZE_OK);
    assert_string_equal(e.file, fixture_path("bad.obj"));
    assert_int_equal(e.line, 4);
    assert_string_equal(e.element, "/objects[@name='o']/file");
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
}

static void test_mesh_budget_is_shared_by_the_objects(void **state) {
    (void)state;
    graze_world *world;
    graze_error e;
    fixture_text("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const char *text = HEAD
        "\"objects\":[{\"name\":\"a\",\"shape\":\"mesh\",\"file\":\"one.obj\"},\n"
        "{\"name\":\"b\",\"shape\":\"mesh\",\"file\":\"one.obj\"}]}";
    graze_load_options options = graze_load_options_default();
    options.limits.triangles = 2;
    assert_int_equal(fixture_load(&world, "two.json", text, &options, &e), GRAZE_OK);
    graze_world_free(world);
    options.limits.triangles = 1;
    assert_int_equal(fixture_load(&world, "two.json", text, &options, &e), GRAZE_ERROR_LIMIT);
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
}

static void test_points_come_from_ply_csv_and_xyz(void **state) {
    (void)state;
    static const char ascii[] = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                                "property float y\nproperty float z\nproperty uchar red\n"
                                "end_header\n1 2 3 255\n4 5 6 0\n";
    static const char faces[] =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty double z\nproperty double y\n"
        "property double x\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "3 2 1\n6 5 4\n3 0 1 0\n";
    static const char csv[] = "id;Z;\"x\";y\n7;3;1;2\n8;6;4;5\n";
    static const char xyz[] = "# a scan\n\n1,2,3, 0.5\n 4\t5 6 # last\n// end\n";
    unsigned char binary[200];
    int n = snprintf((char *)binary, sizeof binary,
                     "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty short x\n"
                     "property short y\nproperty short z\nend_header\n");
    for (int i = 1; i <= 6; i++) binary[n++] = 0, binary[n++] = (unsigned char)i;
    fixture_text("p0.ply", ascii);
    fixture_text("p1.ply", faces);
    fixture_text("p2.csv", csv);
    fixture_text("p3.xyz", xyz);
    fixture_write("p4.ply", (const char *)binary, (size_t)n);
    static const char *const files[] = {"p0.ply", "p1.ply", "p2.csv", "p3.xyz", "p4.ply"};
    for (int i = 0; i < 5; i++) {
        char text[300];
        snprintf(text, sizeof text, OBJECT("\"shape\":\"points\",\"radius\":1,\"file\":\"%s\""),
                 files[i]);
        graze_world *world = fixture_load_ok("a.json", text);
        graze_geometry g = fixture_object(world, "o");
        assert_int_equal(g.vertex_count, 2);
        for (int k = 0; k < 6; k++) assert_true(g.vertices[k] == k + 1);
        graze_world_free(world);
    }
}

static void test_bad_files_of_points_are_errors_of_those_files(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        graze_status status;
        int32_t line;
        const char *message;
    } cases[] = {
        {"a.xyz", "1 2 3\n1 2\n", GRAZE_ERROR_PARSE, 2, "2 numbers"},
        {"b.xyz", "1 2 3\n\n1 2 z\n", GRAZE_ERROR_PARSE, 3, "in line 3; allowed"},
        {"c.xyz", "# nothing\n", GRAZE_ERROR_MESH, 0, "no point"},
        {"d.xyz", "", GRAZE_ERROR_MESH, 0, "no point"},
        {"e.xyz", "0 0 nan\n", GRAZE_ERROR_RANGE, 1, "allowed"},
        {"f.xyz", "0 0 2e6\n", GRAZE_ERROR_RANGE, 1, "allowed"},
        {"g.csv", "a,b,c\n1,2,3\n", GRAZE_ERROR_PARSE, 1, "in line 1; allowed"},
        // Points that would be lost, or stand elsewhere.
        {"j.xyz", "1 2 3\r4 5 6\r7 8 9\r", GRAZE_ERROR_PARSE, 1, "carriage return"},
        {"k.csv", "1,5;2,5;3,5\n", GRAZE_ERROR_PARSE, 1, "commas and semicolons"},
        {"l.csv", "x,y,z,i\n1,,3,0.7\n", GRAZE_ERROR_PARSE, 2, "in line 2; allowed"},
        {"m.csv", "1;;3;0.7\n", GRAZE_ERROR_PARSE, 1, "in line 1; allowed"},
        {"n.csv", "x,y,z,i\n1,2,3,4\n1,2,3\n", GRAZE_ERROR_PARSE, 3, "3 fields; allowed: 4"},
        {"o.csv", "x,y,z\n1,2,3,\n", GRAZE_ERROR_PARSE, 2, "4 fields; allowed: 3"},
        {"p.xyz", "1,5 2,5 3,5\n", GRAZE_ERROR_PARSE, 1, "in line 1; allowed"},
        {"h.ply",
         "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n",
         GRAZE_ERROR_MESH, 0, "no point"},
        {"i.ply",
         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n0 0 0\n1 1 1\n",
         GRAZE_ERROR_MESH, 8, "allowed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_world *world;
        graze_error e;
        char text[300];
        fixture_text(cases[i].name, cases[i].text);
        snprintf(text, sizeof text, OBJECT("\"shape\":\"points\",\"radius\":1,\"file\":\"%s\""),
                 cases[i].name);
        assert_int_equal(fixture_load(&world, "a.json", text, NULL, &e), cases[i].status);
        if (!strstr(e.message, cases[i].message) || e.line != cases[i].line)
            fail_msg("%s: line %d '%s'", cases[i].name, e.line, e.message);
        assert_string_equal(e.file, fixture_path(cases[i].name));
        assert_string_equal(e.element, "/objects[@name='o']/file");
        graze_world_free(world);
    }
}

static void test_formats_are_told_by_ending_then_content(void **state) {
    (void)state;
    graze_world *world;
    graze_error e;
    static const char json[] = HEAD
        "\"objects\":[{\"name\":\"a\",\"shape\":\"sphere\",\"radius\":1}]}";
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    static const char stl[] =
        "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
        "vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    world = fixture_load_ok("A.JSON", json);
    graze_world_free(world);
    world = fixture_load_ok("plain", json);
    assert_int_equal(graze_world_find_object(world, "a"), 0);
    graze_world_free(world);
    world = fixture_load_ok("bom.txt", "\xef\xbb\xbf \n" HEAD "\"objects\":[]}");
    graze_world_free(world);
    world = fixture_load_ok("cup.v2.obj", obj);
    graze_geometry g = fixture_object(world, "cup.v2");
    assert_int_equal(g.triangle_count, 1);
    assert_string_equal(g.file, fixture_path("cup.v2.obj"));
    // The same base name again is the name in use.
    fixture_text("cup.v2.stl", stl);
    assert_int_equal(graze_world_add_file(world, fixture_path("cup.v2.stl"), NULL, &e),
                     GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(e.message, "'cup.v2'"));
    assert_int_equal(graze_world_object_count(world), 1);
    graze_world_free(world);
    world = fixture_load_ok("facets", stl);
    assert_int_equal(graze_world_find_object(world, "facets"), 0);
    graze_world_free(world);
    fixture_expect("what.bin", "\x01\x02", GRAZE_ERROR_UNSUPPORTED, 0, "", ".json");
    assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_file(world, fixture_path("none.json"), NULL, &e),
                     GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(graze_world_add_file(world, fixture_path(""), NULL, &e), GRAZE_ERROR_IO);
    assert_int_equal(graze_world_add_file(world, NULL, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_add_file(NULL, "x", NULL, &e), GRAZE_ERROR_ARGUMENT);
    graze_world_free(world);
}

static void test_shipped_worlds_load(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t objects;
        bool boundary;
    } worlds[] = {{"kineval_empty", 0, true}, {"kineval_random", 100, true},
                  {"shelf", 1, false},        {"table", 1, false},
                  {"cage", 1, false},         {"kitchen", 1, false},
                  {"clutter", 1, false}};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        char path[512];
        graze_world *world;
        graze_error e;
        snprintf(path, sizeof path, GRAZE_SOURCE_DIR "/worlds/%s.json", worlds[i].name);
        assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
        if (graze_world_add_file(world, path, NULL, &e)) fail_msg("%s: %s", path, e.message);
        assert_true(graze_world_object_count(world) >= worlds[i].objects);
        if (worlds[i].boundary) assert_true(graze_world_boundary(world, NULL, NULL));
        assert_int_equal(graze_world_warning_count(world), 0);
        assert_int_equal(graze_world_commit(world, &e), GRAZE_OK);
        graze_world_free(world);
    }
}

static void test_the_shelf_of_the_test_data(void **state) {
    (void)state;
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("skipped: GRAZE_TEST_DATA is not set\n");
        skip();
    }
    char path[512];
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
    snprintf(path, sizeof path, "%s/worlds/shelf.json", data);
    assert_int_equal(graze_world_add_file(world, path, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_object_count(world), 7);
    graze_geometry g = fixture_object(world, "can1");
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.radius == 0.03 && g.length == 0.14);
    assert_true(g.origin.m[3] == 0.4051541656631227 && g.origin.m[11] == 0.856895487009837);
    snprintf(path, sizeof path, "%s/worlds/clutter.ply", data);
    assert_int_equal(graze_world_add_file(world, path, NULL, NULL), GRAZE_OK);
    g = fixture_object(world, "clutter");
    assert_int_equal(g.triangle_count, 498400);
    assert_int_equal(g.component_count, 400);
    assert_int_equal(g.closed_count, 400);
    graze_world_free(world);
}

#ifdef GRAZE_FAULTS
static void test_every_allocation_may_fail(void **state) {
    (void)state;
    fixture_text("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    fixture_text("scan.xyz", "0 0 0\n1 2 3\n");
    fixture_fail_everywhere(
        "a.json",
        HEAD "\"name\":\"n\",\"odd\":1,\"boundary\":{\"min\":[0,0,0],\"max\":[1,1,1]},\"objects\":["
             "{\"name\":\"a\",\"shape\":\"mesh\",\"file\":\"one.obj\"},"
             "{\"name\":\"b\",\"shape\":\"points\",\"file\":\"scan.xyz\",\"radius\":1},"
             "{\"name\":\"c\",\"shape\":\"box\",\"size\":[1,1,1],\"quaternion\":[0,0,0,2]}]}",
        60);
}
#endif

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_a_whole_world_is_read),
        TEST(test_an_object_of_several_shapes),
        TEST(test_rotations_by_quaternion_and_by_angles),
        TEST(test_lines_and_elements_of_mistakes_in_meaning),
        TEST(test_mistakes_in_syntax_have_a_line),
        TEST(test_columns_count_characters),
        TEST(test_limits_are_kept),
        TEST(test_unknown_keys_are_warnings_with_the_nearest_name),
        TEST(test_a_failed_file_leaves_the_world_as_it_was),
        TEST(test_errors_in_a_mesh_file_name_that_file),
        TEST(test_mesh_budget_is_shared_by_the_objects),
        TEST(test_points_come_from_ply_csv_and_xyz),
        TEST(test_bad_files_of_points_are_errors_of_those_files),
        TEST(test_formats_are_told_by_ending_then_content),
        TEST(test_shipped_worlds_load),
        TEST(test_the_shelf_of_the_test_data),
#ifdef GRAZE_FAULTS
        TEST(test_every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
