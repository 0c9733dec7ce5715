// MoveIt's scene text, the older form and the newer one with poses of objects and subframes.
#include "unit/load/world_fixture.h"

static const char older[] = "my scene\n"
                            "* table top\n"
                            "1\n"
                            "box\n"
                            "2.58 1.36 0.31\n"
                            "1.5 1 0.17\n"
                            "0 0 0.70710678118654757 0.70710678118654757\n"
                            "0 0 1 0.3\n"
                            "* two\n"
                            "2\n"
                            "cylinder\n"
                            "0.02 0.5\n"
                            "0.4 0.5 0.3\n"
                            "0 0 0 1\n"
                            "0 0 0 0\n"
                            "sphere\n"
                            "0.25\n"
                            "1 2 3\n"
                            "0 0 0 1\n"
                            "0 0 0 0\n"
                            ".\n";

static const char newer[] = "(noname)\n"
                            "* part\n"
                            "10 20 30\n"
                            "0 0 0.70710678118654757 0.70710678118654757\n"
                            "2\n"
                            "mesh\n"
                            "4 4\n"
                            "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                            "0 2 1\n0 1 3\n0 3 2\n1 2 3\n"
                            "1 2 3\n"
                            "0 0 0 1\n"
                            "0 0 0 0\n"
                            "box\n"
                            "1 1 1\n"
                            "0 0 0\n"
                            "0 0 0 1\n"
                            "0.5 0.5 0.5 1\n"
                            "1\n"
                            "tip\n"
                            "0 0 1\n"
                            "0 0 0 1\n"
                            "* frames only\n"
                            "0 0 0\n"
                            "0 0 0 1\n"
                            "0\n"
                            "0\n"
                            "* ball\n"
                            "0 0 1\n"
                            "0 0 0 1\n"
                            "1\n"
                            "sphere\n"
                            "0.5\n"
                            "0 0 0\n"
                            "0 0 0 1\n"
                            "0 0 0 0\n"
                            "0\n"
                            ".\n";

static void test_the_older_form(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok("a.scene", older);
    assert_int_equal(graze_world_object_count(world), 3);
    assert_int_equal(graze_world_warning_count(world), 0);
    graze_geometry g = fixture_object(world, "table top");
    assert_int_equal(g.shape, GRAZE_SHAPE_BOX);
    assert_int_equal(g.line, 4);
    assert_true(g.size[0] == 2.58 && g.size[1] == 1.36 && g.size[2] == 0.31);
    fixture_expect_pose(&g, (double[]){0, -1, 0, 1.5, 1, 0, 0, 1, 0, 0, 1, 0.17});
    g = fixture_object(world, "two");
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.radius == 0.02 && g.length == 0.5);
    g = fixture_object(world, "two#2");
    assert_true(g.shape == GRAZE_SHAPE_SPHERE && g.radius == 0.25);
    fixture_expect_pose(&g, (double[]){1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3});
    graze_world_free(world);
}

static void test_the_newer_form(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok("a.scene", newer);
    assert_int_equal(graze_world_object_count(world), 3);
    assert_int_equal(fixture_warnings(world, "object-empty"), 1);
    graze_geometry g = fixture_object(world, "part");
    assert_int_equal(g.triangle_count, 4);
    assert_int_equal(g.closed_count, 1);
    // The shape's (1 2 3) seen from the object, a quarter turn about z and then moved.
    fixture_expect_pose(&g, (double[]){0, -1, 0, 10 - 2, 1, 0, 0, 20 + 1, 0, 0, 1, 33});
    g = fixture_object(world, "part#2");
    fixture_expect_pose(&g, (double[]){0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30});
    g = fixture_object(world, "ball");
    assert_true(g.radius == 0.5 && g.origin.m[11] == 1);
    graze_world_free(world);
}

static void test_windows_line_ends_and_an_empty_scene(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok("a.scene", "name\r\n* o\r\n1\r\nsphere\r\n1\r\n0 0 0\r\n"
                                                    "0 0 0 1\r\n0 0 0 0\r\n.\r\n");
    assert_int_equal(graze_world_find_object(world, "o"), 0);
    graze_world_free(world);
    world = fixture_load_ok("a.scene", "name\n.\n");
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
    world = fixture_load_ok("a.scene", "name\n.\nmore\n");
    assert_int_equal(fixture_warnings(world, "text-behind-end"), 1);
    assert_int_equal(graze_world_warning(world, 0).line, 3);
    graze_world_free(world);
}

static void test_six_digits_are_no_reason_for_a_warning(void **state) {
    (void)state;
    const char *text = "n\n* o\n1\nsphere\n1\n0 0 0\n%s\n0 0 0 0\n.\n";
    char scene[200];
    snprintf(scene, sizeof scene, text, "0 0 0.640941 0.76759");
    graze_world *world = fixture_load_ok("a.scene", scene);
    assert_int_equal(graze_world_warning_count(world), 0);
    graze_world_free(world);
    snprintf(scene, sizeof scene, text, "0 0 0.64 0.76759");
    world = fixture_load_ok("a.scene", scene);
    assert_int_equal(fixture_warnings(world, "quaternion-not-unit"), 1);
    assert_int_equal(graze_world_warning(world, 0).line, 7);
    graze_world_free(world);
}

static void test_every_truncation_is_refused(void **state) {
    (void)state;
    static const char *const scenes[] = {older, newer};
    char text[1000];
    for (int i = 0; i < 2; i++) {
        size_t end = (size_t)(strrchr(scenes[i], '.') - scenes[i]);
        for (size_t n = 0; n <= end; n++) {
            graze_world *world;
            graze_error e;
            memcpy(text, scenes[i], n);
            text[n] = '\0';
            graze_status status = fixture_load(&world, "cut.scene", text, NULL, &e);
            assert_int_not_equal(status, GRAZE_OK);
            assert_true(e.line >= 1 && e.message[0]);
            assert_int_equal(graze_world_object_count(world), 0);
            graze_world_free(world);
        }
    }
}

#define SHAPE(text) "n\n* o\n1\n" text "\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n"

static void test_planes_and_cones(void **state) {
    (void)state;
    graze_world *world = fixture_load_ok("a.scene", SHAPE("cone\n1 2"));
    graze_geometry g = fixture_object(world, "o");
    assert_true(g.shape == GRAZE_SHAPE_CONE && g.radius == 1 && g.length == 2);
    graze_world_free(world);
    world = fixture_load_ok("a.scene", SHAPE("plane\n4 0 0 2"));
    g = fixture_object(world, "o");
    assert_int_equal(g.shape, GRAZE_SHAPE_PLANE);
    assert_true(g.origin.m[2] == 1 && g.origin.m[3] == -0.5);
    graze_world_free(world);
}

static void test_mistakes_have_a_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *element, *message;
    } cases[] = {
        {"", GRAZE_ERROR_PARSE, 1, "", "ends"},
        {"n\n", GRAZE_ERROR_PARSE, 2, "", "ends"},
        {"n\nobject\n.\n", GRAZE_ERROR_PARSE, 2, "", "'object'"},
        {"n\n*\n1\n.\n", GRAZE_ERROR_PARSE, 2, "", "no name"},
        {SHAPE("octree\n1 2"), GRAZE_ERROR_UNSUPPORTED, 4, "/object[@name='o']/shape[0]", "octree"},
        {SHAPE("plane\n0 0 0 4"), GRAZE_ERROR_RANGE, 5, "shape[0]", "not 0 0 0"},
        {SHAPE("blob\n1"), GRAZE_ERROR_PARSE, 4, "shape[0]", "'blob'"},
        {SHAPE("box\n1 2"), GRAZE_ERROR_PARSE, 9, "shape[0]", "'.'"},
        {SHAPE("box\n1 2 x"), GRAZE_ERROR_PARSE, 5, "shape[0]", "'x'"},
        {SHAPE("box\n1 2 nan"), GRAZE_ERROR_RANGE, 5, "shape[0]", "nan"},
        {SHAPE("box\n1 2 -1"), GRAZE_ERROR_RANGE, 4, "shape[0]", "allowed"},
        {SHAPE("sphere\n-1"), GRAZE_ERROR_RANGE, 4, "shape[0]", "allowed"},
        {SHAPE("mesh\n9999999 1"), GRAZE_ERROR_PARSE, 5, "shape[0]", "9999999"},
        {SHAPE("mesh\n1e30 1"), GRAZE_ERROR_PARSE, 5, "shape[0]", "at most"},
        {SHAPE("mesh\n3 0\n0 0 0\n1 0 0\n0 1 0"), GRAZE_ERROR_MESH, 5, "shape[0]", "triangle"},
        {SHAPE("mesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1\n3"), GRAZE_ERROR_MESH, 10, "shape[0]",
         "vertex 3"},
        {SHAPE("mesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 -1"), GRAZE_ERROR_MESH, 9, "shape[0]",
         "vertex -1"},
        {SHAPE("mesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 1.5"), GRAZE_ERROR_MESH, 9, "shape[0]", "1.5"},
        {"n\n* o\n2.5\n.\n", GRAZE_ERROR_PARSE, 3, "", "whole"},
        {"n\n* o\n-1\n.\n", GRAZE_ERROR_PARSE, 3, "", "whole"},
        {"n\n* o\n100000000\n.\n", GRAZE_ERROR_PARSE, 3, "", "at most"},
        {"n\n* o\n1\nsphere\n1\n0 0 0\n0 0 0 0\n0 0 0 0\n.\n", GRAZE_ERROR_RANGE, 7, "shape[0]",
         "0 0 0 0"},
        {"n\n* o\n1\nsphere\n1\n0 9e9 0\n0 0 0 1\n0 0 0 0\n.\n", GRAZE_ERROR_RANGE, 4, "shape[0]",
         "2^20"},
        {"n\n* o\n1\nsphere\n1\n0 0 0\n0 0 0 1\n0 0 0 0\n"
         "* o\n1\nsphere\n1\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n",
         GRAZE_ERROR_SCHEMA, 11, "/object[@name='o']", "line 4"},
        {"n\n* o\n0 0 0\n0 0 0 1\n1\nsphere\n1\n0 0 0\n0 0 0 1\n0 0 0 0\n1\ntip\n0 0 0\n0 0 0\n.\n",
         GRAZE_ERROR_PARSE, 15, "", "subframe"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fixture_expect("bad.scene", cases[i].text, cases[i].status, cases[i].line, cases[i].element,
                       cases[i].message);
}

static void test_limits_are_kept(void **state) {
    (void)state;
    graze_load_options options = graze_load_options_default();
    graze_world *world;
    graze_error e;
    options.limits.elements = 2;
    assert_int_equal(fixture_load(&world, "a.scene", older, &options, &e), GRAZE_ERROR_LIMIT);
    assert_int_equal(e.line, 16);
    graze_world_free(world);
    options = graze_load_options_default();
    options.limits.triangles = 3;
    assert_int_equal(fixture_load(&world, "a.scene", newer, &options, &e), GRAZE_ERROR_LIMIT);
    graze_world_free(world);
}

#ifdef GRAZE_FAULTS
static void test_every_allocation_may_fail(void **state) {
    (void)state;
    fixture_fail_everywhere("a.scene", newer, 30);
}
#endif

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_the_older_form),
        TEST(test_the_newer_form),
        TEST(test_windows_line_ends_and_an_empty_scene),
        TEST(test_six_digits_are_no_reason_for_a_warning),
        TEST(test_every_truncation_is_refused),
        TEST(test_planes_and_cones),
        TEST(test_mistakes_have_a_line),
        TEST(test_limits_are_kept),
#ifdef GRAZE_FAULTS
        TEST(test_every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
