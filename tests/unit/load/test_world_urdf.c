// A URDF as scenery: at rest, one object per collision geometry. Places are worked out by hand.
#include "unit/load/world_fixture.h"

static const char urdf[] =
    "<robot name='furniture'>\n"
    "<link name='base'>\n"
    "<collision><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>\n"
    "<collision><geometry><sphere radius='0.5'/></geometry></collision>\n"
    "</link>\n"
    "<link name='empty'/>\n"
    "<link name='door'>\n"
    "<visual><geometry><mesh filename='none.dae'/></geometry></visual>\n"
    "<collision><origin xyz='0 0 4' rpy='0 0 1.5707963267948966'/><geometry>\n"
    "<mesh filename='tet.obj' scale='2 1 1'/></geometry></collision>\n"
    "<collision><geometry><cylinder radius='0.25' length='2'/></geometry></collision>\n"
    "</link>\n"
    "<joint name='f' type='fixed'><parent link='base'/><child link='empty'/>"
    "<origin xyz='10 0 0'/></joint>\n"
    "<joint name='slide' type='prismatic'><parent link='empty'/><child link='door'/>"
    "<axis xyz='0 1 0'/><limit lower='0.5' upper='2' effort='1' velocity='1'/></joint>\n"
    "</robot>\n";

static void write_tetrahedron(void) {
    fixture_text("tet.obj",
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
}

static void test_a_urdf_stands_at_rest(void **state) {
    (void)state;
    write_tetrahedron();
    graze_world *world = fixture_load_ok("a.urdf", urdf);
    assert_int_equal(graze_world_object_count(world), 4);
    assert_int_equal(fixture_warnings(world, "urdf-has-joints"), 1);
    graze_geometry g = fixture_object(world, "base");
    assert_true(g.shape == GRAZE_SHAPE_BOX && g.size[2] == 3);
    assert_int_equal(g.line, 3);
    fixture_expect_pose(&g, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1});
    g = fixture_object(world, "base/2");
    assert_true(g.shape == GRAZE_SHAPE_SPHERE && g.radius == 0.5);
    g = fixture_object(world, "door/2");
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.length == 2);
    // 0 is below the limit: the slide rests at 0.5.
    fixture_expect_pose(&g, (double[]){1, 0, 0, 10, 0, 1, 0, 0.5, 0, 0, 1, 0});
    g = fixture_object(world, "door");
    assert_int_equal(g.triangle_count, 4);
    assert_int_equal(g.closed_count, 1);
    assert_string_equal(g.uri, "tet.obj");
    assert_true(g.scale[0] == 2);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < g.vertex_count; i++) {
        const double *v = g.vertices + 3 * i;
        graze_vec3 at = graze_transform_point(&g.origin, (graze_vec3){v[0], v[1], v[2]});
        const double w[3] = {at.x, at.y, at.z};
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], w[k]), high[k] = fmax(high[k], w[k]);
    }
    // Twice as long in x, a quarter turn about z, then (10, 0.5, 4) away.
    static const double least[3] = {9, 0.5, 4}, most[3] = {10, 2.5, 5};
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(low[k] - least[k]) < 1e-14);
        assert_true(fabs(high[k] - most[k]) < 1e-14);
    }
    graze_world_free(world);
}

static void test_xml_without_the_ending_is_known_by_content(void **state) {
    (void)state;
    write_tetrahedron();
    graze_world *world = fixture_load_ok("a.xml", urdf);
    assert_int_equal(graze_world_object_count(world), 4);
    graze_world_free(world);
    world = fixture_load_ok("scenery", urdf);
    assert_int_equal(graze_world_object_count(world), 4);
    graze_world_free(world);
}

static void test_mistakes_leave_the_world_as_it_was(void **state) {
    (void)state;
    write_tetrahedron();
    fixture_expect("a.urdf", "<robot name='r'><link name='a'/></robot>", GRAZE_ERROR_SCHEMA, 0, "",
                   "no link has collision geometry");
    fixture_expect("a.urdf", "<robot name='r'>\n<link name='a'>\n</robot>", GRAZE_ERROR_PARSE, 3,
                   "", "");
    // Two objects of one name, one link each in two files.
    graze_world *world = fixture_load_ok("a.urdf", urdf);
    graze_error e;
    assert_int_equal(graze_world_add_file(world, fixture_path("a.urdf"), NULL, &e),
                     GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(e.message, "'base'"));
    assert_int_equal(e.line, 3);
    assert_int_equal(graze_world_object_count(world), 4);
    graze_world_free(world);
    // One object too many.
    graze_load_options options = graze_load_options_default();
    options.limits.elements = 3;
    assert_int_equal(fixture_load(&world, "a.urdf", urdf, &options, &e), GRAZE_ERROR_LIMIT);
    assert_int_equal(graze_world_object_count(world), 0);
    graze_world_free(world);
}

static void test_a_robot_of_the_test_data_is_where_its_kinematics_put_it(void **state) {
    (void)state;
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("skipped: GRAZE_TEST_DATA is not set\n");
        skip();
    }
    char packages[512], path[600];
    snprintf(packages, sizeof packages, "%s/robots", data);
    snprintf(path, sizeof path, "%s/fetch_description/robots/fetch.urdf", packages);
    graze_load_options options = graze_load_options_default();
    options.package_path = packages;
    graze_robot *robot;
    graze_world *world;
    assert_int_equal(graze_robot_load_urdf(&robot, path, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_file(world, path, &options, NULL), GRAZE_OK);
    size_t count = graze_robot_collision_count(robot), n = graze_robot_q_size(robot);
    assert_int_equal(graze_world_object_count(world), count);
    double *q = calloc(n, sizeof *q);
    graze_transform *links = calloc(graze_robot_link_count(robot), sizeof *links);
    assert_true(q && links);
    graze_robot_rest(robot, q);
    assert_int_equal(graze_robot_pose(robot, q, n, NULL, links, NULL), GRAZE_OK);
    size_t triangles = 0;
    for (size_t i = 0; i < count; i++) {
        graze_geometry a, b;
        graze_robot_collision(robot, i, &a);
        assert_int_equal(graze_world_object(world, i, &b), GRAZE_OK);
        assert_int_equal(a.shape, b.shape);
        assert_int_equal(a.triangle_count, b.triangle_count);
        triangles += b.triangle_count;
        if (a.shape != GRAZE_SHAPE_MESH) continue;
        assert_int_equal(a.vertex_count, b.vertex_count);
        for (size_t v = 0; v < a.vertex_count; v++) { // bit for bit
            graze_vec3 p = {a.vertices[3 * v], a.vertices[3 * v + 1], a.vertices[3 * v + 2]};
            graze_vec3 r = {b.vertices[3 * v], b.vertices[3 * v + 1], b.vertices[3 * v + 2]};
            p = graze_transform_point(&links[a.frame], p);
            r = graze_transform_point(&b.origin, r);
            assert_memory_equal(&p, &r, sizeof p);
        }
    }
    assert_true(triangles > 1000);
    free(q);
    free(links);
    graze_world_free(world);
    graze_robot_free(robot);
}

#ifdef GRAZE_FAULTS
static void test_every_allocation_may_fail(void **state) {
    (void)state;
    write_tetrahedron();
    fixture_fail_everywhere("a.urdf", urdf, 60);
}
#endif

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_a_urdf_stands_at_rest),
        TEST(test_xml_without_the_ending_is_known_by_content),
        TEST(test_mistakes_leave_the_world_as_it_was),
        TEST(test_a_robot_of_the_test_data_is_where_its_kinematics_put_it),
#ifdef GRAZE_FAULTS
        TEST(test_every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
