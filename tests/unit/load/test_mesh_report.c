// What a mesh file says of itself, against what its readers make of it: a node's transform takes
// the file's own numbers to where the loader puts them.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/graze.h"

static char path[256];

static void write_file(const char *ending, const char *text, size_t size) {
    snprintf(path, sizeof path, "/tmp/graze-report-%d.%s", (int)getpid(), ending);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
}

static graze_mesh_report *describe(void) {
    graze_mesh_report *report = NULL;
    graze_error error;
    graze_status status = graze_mesh_report_create(&report, path, NULL, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    return report;
}

/// The mesh as the loader places it, in one profile.
static graze_robot *load(graze_collada profile) {
    char urdf[512];
    snprintf(urdf, sizeof urdf,
             "<robot name='r'><link name='l'><collision><geometry><mesh filename='%s'/></geometry>"
             "</collision></link></robot>",
             path);
    graze_load_options options = graze_load_options_default();
    options.collada = profile;
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "t", NULL,
                                                       &options, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    return robot;
}

static const double corner[3] = {1, 2, 3};

/// Whether some vertex of the loaded mesh is where the node puts the corner.
static bool is_placed(const graze_robot *robot, const graze_mesh_node *node, double unit) {
    graze_geometry g;
    assert_int_equal(graze_robot_collision(robot, 0, &g), GRAZE_OK);
    double p[3];
    for (int i = 0; i < 3; i++) {
        const double *row = node->transform + 4 * i;
        p[i] = unit * (row[0] * corner[0] + row[1] * corner[1] + row[2] * corner[2] + row[3]);
    }
    for (size_t i = 0; i < g.vertex_count; i++) {
        const double *v = g.vertices + 3 * i;
        double off = fabs(v[0] - p[0]) + fabs(v[1] - p[1]) + fabs(v[2] - p[2]);
        if (off < 1e-5 * (1 + fabs(p[0]) + fabs(p[1]) + fabs(p[2]))) return true;
    }
    return false;
}

static const char head[] =
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
    "version='1.4.1'><asset><unit meter='0.5'/><up_axis>X_UP</up_axis></asset>"
    "<library_geometries><geometry id='g'><mesh><source id='s'><float_array id='a' count='9'>"
    "1 2 3 4 5 6 0 0 1</float_array><technique_common><accessor source='#a' count='3' stride='3'>"
    "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
    "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
    "source='#s'/></vertices><triangles count='1'><input semantic='VERTEX' source='#v' "
    "offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>";

static int make_transform(gz_random *random, char *out, size_t size) {
    double v[12];
    for (int i = 0; i < 12; i++) v[i] = gz_random_range(random, -2, 2);
    switch (gz_random_below(random, 4)) {
    case 0:
        return snprintf(out, size, "<translate>%.6f %.6f %.6f</translate>", v[0], v[1], v[2]);
    case 1:
        return snprintf(out, size, "<rotate>%.6f %.6f %.6f %.4f</rotate>", v[0], v[1], v[2],
                        200 * v[3]);
    case 2:
        return snprintf(out, size, "<scale>%.6f %.6f %.6f</scale>", v[0], v[1], v[2]);
    default:
        return snprintf(out, size,
                        "<matrix>%.6f %.6f %.6f %.6f %.6f %.6f %.6f %.6f %.6f %.6f %.6f %.6f 0 0 0 "
                        "1</matrix>",
                        v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]);
    }
}

static void test_collada_nodes_lie_where_the_reader_puts_them(void **state) {
    (void)state;
    gz_random random = gz_random_make(21, 1);
    for (int round = 0; round < 60; round++) {
        char text[8192], *p = text, *end = text + sizeof text;
        p += snprintf(p, (size_t)(end - p), "%s<library_nodes><node id='shared' name='shared'>",
                      head);
        p += make_transform(&random, p, (size_t)(end - p));
        p += snprintf(p, (size_t)(end - p),
                      "<instance_geometry url='#g'/></node></library_nodes><library_visual_scenes>"
                      "<visual_scene id='vs'><node name='outer'>");
        p += make_transform(&random, p, (size_t)(end - p));
        p += make_transform(&random, p, (size_t)(end - p));
        p += snprintf(p, (size_t)(end - p), "<node id='inner'>");
        p += make_transform(&random, p, (size_t)(end - p));
        p += snprintf(p, (size_t)(end - p),
                      "<instance_geometry url='#g'/></node><instance_node url='#shared'/></node>"
                      "<node name='last'><instance_geometry url='#g'/></node></visual_scene>"
                      "</library_visual_scenes><scene><instance_visual_scene url='#vs'/></scene>"
                      "</COLLADA>");
        write_file("dae", text, strlen(text));
        graze_mesh_report *r = describe();
        assert_string_equal(r->format, "Collada");
        assert_true(r->unit == 0.5 && r->up == 'x');
        assert_int_equal(r->bytes, strlen(text));
        assert_int_equal(r->node_count, 3);
        assert_string_equal(r->nodes[0].name, "inner");
        assert_string_equal(r->nodes[1].name, "shared");
        assert_string_equal(r->nodes[2].name, "last");
        graze_robot *ros = load(GRAZE_COLLADA_ROS), *moveit = load(GRAZE_COLLADA_MOVEIT);
        for (int i = 0; i < 3; i++) {
            assert_true(r->nodes[i].known);
            assert_true(is_placed(ros, &r->nodes[i], 0.5));
            assert_true(is_placed(moveit, &r->nodes[i], 1));
        }
        graze_robot_free(ros);
        graze_robot_free(moveit);
        graze_mesh_report_free(r);
    }
    unlink(path);
}

static void test_gltf_nodes_lie_where_the_reader_puts_them(void **state) {
    (void)state;
    // Three corners, (1 2 3) the first, as floats in base64.
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"name\":\"up\",\"translation\":[5,0,0],\"rotation\":[0,0,0.6,0.8],"
        "\"children\":[1,2]},{\"name\":\"leaf\",\"mesh\":0,\"scale\":[1,2,3]},{\"mesh\":0,"
        "\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,0,0,7,1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,"
        "\"uri\":\"data:application/octet-stream;base64,"
        "AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAAAAAAAAAAAAAIA/\"}]}";
    write_file("gltf", text, sizeof text - 1);
    graze_mesh_report *r = describe();
    assert_string_equal(r->format, "glTF");
    assert_true(r->unit == 1 && r->up == 'y');
    assert_int_equal(r->node_count, 2);
    assert_string_equal(r->nodes[0].name, "leaf");
    assert_string_equal(r->nodes[1].name, "");
    graze_robot *robot = load(GRAZE_COLLADA_ROS);
    for (int i = 0; i < 2; i++) assert_true(is_placed(robot, &r->nodes[i], 1));
    graze_robot_free(robot);
    graze_mesh_report_free(r);
    unlink(path);
}

static void test_the_hash_is_that_of_the_bytes(void **state) {
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    write_file("obj", text, sizeof text - 1);
    graze_mesh_report *a = describe();
    assert_string_equal(a->format, "OBJ");
    assert_true(a->unit == 0 && a->up == 0 && a->node_count == 0);
    write_file("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n", sizeof text - 1);
    graze_mesh_report *b = describe();
    assert_int_equal(a->bytes, b->bytes);
    assert_true(a->hash != b->hash);
    // FNV-1a of "a", from its authors' test vectors.
    write_file("obj", "a", 1);
    graze_mesh_report *c = describe();
    assert_true(c->hash == UINT64_C(0xaf63dc4c8601ec8c));
    graze_mesh_report_free(a);
    graze_mesh_report_free(b);
    graze_mesh_report_free(c);
    unlink(path);
}

static void test_what_is_no_mesh_is_an_error(void **state) {
    (void)state;
    graze_mesh_report *r = (graze_mesh_report *)&state;
    graze_error e;
    assert_int_equal(graze_mesh_report_create(NULL, "x", NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_mesh_report_create(&r, NULL, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_null(r);
    assert_int_equal(graze_mesh_report_create(&r, "/no/such.stl", NULL, &e), GRAZE_ERROR_NOT_FOUND);
    write_file("txt", "", 0);
    assert_int_equal(graze_mesh_report_create(&r, path, NULL, &e), GRAZE_ERROR_UNSUPPORTED);
    unlink(path);
    write_file("dae", "<COLLADA><asset><unit meter='-1'/></asset></COLLADA>", 52);
    assert_int_equal(graze_mesh_report_create(&r, path, NULL, &e), GRAZE_ERROR_RANGE);
    assert_string_equal(e.file, path);
    graze_limits limits = graze_load_options_default().limits;
    limits.file_bytes = 10;
    assert_int_equal(graze_mesh_report_create(&r, path, &limits, &e), GRAZE_ERROR_LIMIT);
    assert_null(r);
    graze_mesh_report_free(NULL);
    unlink(path);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    char text[4096];
    snprintf(text, sizeof text,
             "%s<library_nodes><node id='n'><instance_geometry url='#g'/></node></library_nodes>"
             "<library_visual_scenes><visual_scene id='vs'><node><instance_node url='#n'/></node>"
             "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#vs'/>"
             "</scene></COLLADA>",
             head);
    write_file("dae", text, strlen(text));
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_mesh_report *r = (graze_mesh_report *)&state;
        gz_memory_fail_after(n, false);
        graze_status status = graze_mesh_report_create(&r, path, NULL, NULL);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        if (!done) assert_null(r);
        graze_mesh_report_free(r);
    }
    unlink(path);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collada_nodes_lie_where_the_reader_puts_them),
        cmocka_unit_test(test_gltf_nodes_lie_where_the_reader_puts_them),
        cmocka_unit_test(test_the_hash_is_that_of_the_bytes),
        cmocka_unit_test(test_what_is_no_mesh_is_an_error),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
