// The rules about files: what is read out of raw bytes, against files made byte by byte and against
// noise; where Collada profiles put a mesh, against the loader in each profile; and what is known
// of Fetch. What each rule finds is shown by the pages of docs/lint.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "lint/mesh_measure.h"
#include "load/file.h"
#include "load/mesh/mesh_file.h"
#include "unit/lint/lint_folder.h"

static gz_mesh_facts facts_of(const char *path, const void *bytes, size_t size) {
    char *copy = malloc(size + 1); // so that a sanitizer sees every byte read beyond
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    gz_mesh_facts facts;
    assert_true(gz_mesh_facts_read(&facts, path, copy, size));
    free(copy);
    return facts;
}

static gz_mesh_facts facts_of_text(const char *text) {
    return facts_of("x.dae", text, strlen(text));
}

static void test_stl_headers_are_read(void **state) {
    (void)state;
    char stl[84 + 100] = "SOLID by some program";
    stl[80] = 2;
    gz_mesh_facts f = facts_of("a.stl", stl, sizeof stl);
    assert_true(f.stl.binary && f.stl.says_solid);
    assert_int_equal(f.stl.triangles, 2);
    assert_int_equal(f.stl.wanted_bytes, sizeof stl);
    f = facts_of("a.STL", stl, sizeof stl - 1);
    assert_true(f.stl.binary && f.stl.wanted_bytes == sizeof stl);
    f = facts_of("a.obj", stl, sizeof stl - 1); // nothing says that it is STL
    assert_false(f.stl.binary);
    stl[0] = 'b';
    assert_false(facts_of("a.obj", stl, sizeof stl).stl.says_solid);
    assert_true(facts_of("a.obj", stl, sizeof stl).stl.binary);
    const char text[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                        "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    assert_false(facts_of("a.stl", text, sizeof text - 1).stl.binary);
    assert_false(facts_of("a.stl", stl, 83).stl.binary);
}

static void test_collada_claims_are_read(void **state) {
    (void)state;
    gz_collada_claims c = facts_of_text("<COLLADA/>").collada;
    assert_true(c.is_collada && !c.has_unit && !c.has_up);
    assert_true(c.meter == 1 && c.up == 'y');
    c = facts_of_text("<?xml version='1.0'?><!-- <unit meter='9'/> --><COLLADA><asset>"
                      "<unit name='a>b' meter = \"0.01\"/><up_axis>\n Z_UP </up_axis></asset>"
                      "<x><unit meter='7'/></x></COLLADA>")
            .collada;
    assert_true(c.is_collada && c.has_unit && c.has_up);
    assert_true(c.meter == 0.01 && c.up == 'z');
    assert_string_equal(c.unit_name, "a>b");
    assert_false(facts_of_text("<robot/>").collada.is_collada);
    assert_false(facts_of_text("<COLLADA><unit meter='-1'/></COLLADA>").collada.has_unit);
}

static void test_references_to_lights_and_cameras_are_matched(void **state) {
    (void)state;
    gz_collada_claims c = facts_of_text("<COLLADA>\n<light id='l'/><camera id=\"c\"/>\n"
                                        "<instance_light url='#l'/><instance_camera url='#c'/>\n"
                                        "<instance_camera url='#l'/><instance_light url='#c'/>\n"
                                        "<![CDATA[<instance_light url='#none'/>]]>"
                                        "<instance_light url='other.dae#l'/></COLLADA>")
                              .collada;
    assert_int_equal(c.broken, 2);
    assert_string_equal(c.broken_name, "#l");
    assert_int_equal(c.broken_line, 4);
}

static void test_noise_is_read_to_its_end(void **state) {
    (void)state;
    static const char *const pieces[] = {"<COLLADA",  "<unit meter='",
                                         "<!--",      "-->",
                                         "<![CDATA[", "]]>",
                                         "<?",        "?>",
                                         "'",         "\"",
                                         "=",         ">",
                                         "/>",        "<",
                                         "url=",      "<light id='",
                                         "#",         "<up_axis>",
                                         "Y_UP",      "<instance_light url='#",
                                         " ",         "id",
                                         "\n"};
    gz_random r = gz_random_make(1, 0);
    for (int round = 0; round < 20000; round++) {
        char text[400] = "<COLLADA>";
        size_t used = strlen(text);
        for (uint32_t n = gz_random_below(&r, 30); n > 0; n--) {
            const char *piece = pieces[gz_random_below(&r, sizeof pieces / sizeof *pieces)];
            if (used + strlen(piece) >= sizeof text) break;
            memcpy(text + used, piece, strlen(piece));
            used += strlen(piece);
        }
        gz_mesh_facts f = facts_of("x.dae", text, used - gz_random_below(&r, 3));
        assert_true(f.collada.meter >= 0);
    }
}

// -------------------------------------------------------------------------------------- profiles

static gz_soup *read_profile(const char *path, graze_collada profile) {
    graze_load_options o = graze_load_options_default();
    o.collada = profile;
    gz_mesh_budget budget = {.triangles_left = o.limits.triangles};
    gz_warnings warnings = {0};
    gz_soup *soup = NULL;
    assert_int_equal(gz_mesh_file_read(&soup, path, NULL, &o, &budget, &warnings, NULL), GRAZE_OK);
    gz_warnings_free(&warnings);
    return soup;
}

static double farthest(const gz_soup *a, const gz_soup *b) {
    double most = 0;
    assert_int_equal(a->vertex_count, b->vertex_count);
    for (size_t i = 0; i < a->vertex_count; i++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++) {
            double d = a->vertices[3 * i + k] - b->vertices[3 * i + k];
            sum += d * d;
        }
        most = fmax(most, sqrt(sum));
    }
    return most;
}

/// The corners of a box, so that the shift of the box is that of some vertex.
static void write_box_dae(const lint_folder *f, const char *asset) {
    char text[4096];
    snprintf(
        text, sizeof text,
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
        "<asset>%s</asset><library_geometries><geometry id=\"g\"><mesh><source id=\"s\">"
        "<float_array id=\"a\" count=\"24\">1 2 3  5 2 3  1 4 3  5 4 3  1 2 9  5 2 9  1 4 9  "
        "5 4 9</float_array><technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\">"
        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>"
        "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
        "<p>0 1 2 3 4 5 6 7 0 1 4 7</p></triangles></mesh></geometry></library_geometries>"
        "<library_visual_scenes><visual_scene id=\"w\"><node id=\"n\">"
        "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
        "<scene><instance_visual_scene url=\"#w\"/></scene></COLLADA>",
        asset);
    lint_folder_text(f, "part.dae", text);
}

static void test_profiles_differ_by_what_the_loader_makes_of_them(void **state) {
    (void)state;
    static const char *const assets[] = {
        "<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>", "<up_axis>X_UP</up_axis>", "",
        "<unit meter=\"0.0254\"/><up_axis>Z_UP</up_axis>", "<up_axis>Z_UP</up_axis>"};
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='a'><collision><geometry>"
                     "<mesh filename='part.dae'/></geometry></collision></link></robot>");
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        write_box_dae(&f, assets[i]);
        gz_soup *soups[3];
        for (int p = 0; p < 3; p++)
            soups[p] = read_profile(lint_folder_path(&f, "part.dae"), (graze_collada)p);
        double wanted = fmax(farthest(soups[0], soups[1]), farthest(soups[0], soups[2]));
        for (int p = 0; p < 3; p++) {
            graze_lint_options o = graze_lint_options_default();
            graze_load_options load = graze_load_options_default();
            o.load = &load;
            load.collada = (graze_collada)p; // what is reported depends on the file alone
            graze_lint_report *report = lint_folder_run(&f, false, &o);
            const graze_finding *found = lint_find(report, "A006", 0);
            assert_int_equal(found != NULL, wanted > 1e-4);
            if (found) assert_true(fabs(found->value - wanted) < 1e-5 * wanted);
            graze_lint_report_free(report);
            gz_soup_free(soups[p]);
        }
    }
    lint_folder_remove(f.path, 1);
}

// --------------------------------------------------------------------------------------- folders

static void test_folders_are_listed_sorted_by_ending(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    static const char *const names[] = {"b.stl", "a.STL", "c.dae", "d.txt", "stl", "e.stlx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) lint_folder_text(&f, names[i], "");
    gz_folder_list list;
    assert_true(gz_folder_list_read(&list, f.path, "stl dae", 100));
    assert_int_equal(list.count, 3);
    assert_string_equal(list.names[0], "a.STL");
    assert_string_equal(list.names[1], "b.stl");
    assert_string_equal(list.names[2], "c.dae");
    gz_folder_list_free(&list);
    assert_true(gz_folder_list_read(&list, f.path, "stl dae", 2));
    assert_int_equal(list.count, 2);
    gz_folder_list_free(&list);
    assert_true(gz_folder_list_read(&list, "/no/such/folder", "stl", 2));
    assert_int_equal(list.count, 0);
    gz_folder_list_free(&list);
    lint_folder_remove(f.path, 1);
}

static void test_a_mesh_named_twice_is_not_unused(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "a.obj", LINT_TETRAHEDRON);
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='a'>"
                     "<visual><geometry><mesh filename='a.obj'/></geometry></visual>"
                     "<collision><geometry><mesh filename='package://r/a.obj'/></geometry>"
                     "</collision></link></robot>");
    graze_lint_report *report = lint_folder_run(&f, false, NULL);
    assert_null(lint_find(report, "A012", 0));
    assert_null(lint_find(report, "A015", 0));
    graze_lint_report_free(report);
    lint_folder_text(&f, "b.obj", LINT_TETRAHEDRON);
    report = lint_folder_run(&f, false, NULL);
    const graze_finding *found = lint_find(report, "A012", 0);
    assert_non_null(found);
    assert_true(found->value == 1 && strstr(found->message, "b.obj"));
    assert_null(lint_find(report, "A012", 1));
    graze_lint_report_free(report);
    lint_folder_remove(f.path, 1);
}

/// Out of range as drawn, a part of 3 m by the scale that the URDF gives.
static void test_a_mesh_in_micrometres_is_read_with_its_scale(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    lint_folder_text(
        &f, "part.obj",
        "v 0 0 0\nv 3e6 0 0\nv 0 3e6 0\nv 0 0 3e6\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    static const char *const scales[] = {"scale='1e-6 1e-6 1e-6'", "", "scale='0.5 0.5 0.5'"};
    for (int i = 0; i < 3; i++) {
        char text[400], path[256];
        snprintf(
            text, sizeof text,
            "<robot name='r'><link name='a'><collision><geometry><mesh filename='part.obj' %s/>"
            "</geometry></collision></link></robot>",
            scales[i]);
        lint_folder_text(&f, "robot.urdf", text);
        snprintf(path, sizeof path, "%s", lint_folder_path(&f, "robot.urdf"));
        graze_lint_report *report = lint_folder_run(&f, false, NULL);
        graze_robot *robot = NULL;
        assert_int_equal(graze_robot_load_urdf(&robot, path, NULL, NULL) == GRAZE_OK, i == 0);
        assert_int_equal(graze_lint_count(report, GRAZE_SEVERITY_ERROR) == 0, i == 0);
        graze_robot_free(robot);
        if (i == 0) assert_null(lint_find(report, "A008", 0)); // and is 3 m long
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
}

/// One file, named by many elements, is as much work for each of them.
static void test_each_use_of_a_mesh_counts(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "part.obj", LINT_TETRAHEDRON);
#define USE "<geometry><mesh filename='part.obj'/></geometry>"
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='a'>\n<visual>" USE "</visual>\n<collision>" USE
                     "</collision>\n<collision>" USE "</collision></link></robot>");
    graze_lint_options o = graze_lint_options_default();
    graze_load_options load = graze_load_options_default();
    o.load = &load;
    for (uint64_t most = 7; most <= 8; most++) {
        load.limits.triangles = most;
        graze_lint_report *report = lint_folder_run(&f, false, &o);
        const graze_finding *found = lint_find(report, "A005", 0);
        assert_int_equal(found != NULL, most < 8);
        if (found) assert_int_equal(found->line, 4);
        assert_null(lint_find(report, "A005", 1));
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
}

static void test_a_folder_by_two_names_is_one(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    mkdir(lint_folder_path(&f, "sub"), 0700);
    lint_folder_text(&f, "a.obj", LINT_TETRAHEDRON);
    lint_folder_text(&f, "b.obj", LINT_TETRAHEDRON);
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='a'>"
                     "<visual><geometry><mesh filename='sub/../a.obj'/></geometry></visual>"
                     "<collision><geometry><mesh filename='b.obj'/></geometry></collision>"
                     "</link></robot>");
    graze_lint_report *report = lint_folder_run(&f, false, NULL);
    assert_null(lint_find(report, "A001", 0));
    assert_null(lint_find(report, "A012", 0));
    graze_lint_report_free(report);
    lint_folder_text(&f, "c.obj", LINT_TETRAHEDRON);
    report = lint_folder_run(&f, false, NULL);
    assert_non_null(lint_find(report, "A012", 0));
    assert_null(lint_find(report, "A012", 1));
    graze_lint_report_free(report);
    lint_folder_remove(f.path, 1);
}

static void test_fetch_shows_cameras_that_are_not_there(void **state) {
    (void)state;
    graze_lint_report *report = lint_fetch();
    if (!report) {
        print_message("GRAZE_TEST_DATA is not set: skipped\n");
        skip();
    }
    const graze_finding *found = lint_find_link(report, "A013", "torso_lift_link");
    assert_non_null(found);
    assert_non_null(strstr(found->message, "#Camera-camera"));
    assert_null(lint_find(report, "A006", 0));
    graze_lint_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stl_headers_are_read),
        cmocka_unit_test(test_collada_claims_are_read),
        cmocka_unit_test(test_references_to_lights_and_cameras_are_matched),
        cmocka_unit_test(test_noise_is_read_to_its_end),
        cmocka_unit_test(test_profiles_differ_by_what_the_loader_makes_of_them),
        cmocka_unit_test(test_folders_are_listed_sorted_by_ending),
        cmocka_unit_test(test_a_mesh_named_twice_is_not_unused),
        cmocka_unit_test(test_fetch_shows_cameras_that_are_not_there),
        cmocka_unit_test(test_a_mesh_in_micrometres_is_read_with_its_scale),
        cmocka_unit_test(test_each_use_of_a_mesh_counts),
        cmocka_unit_test(test_a_folder_by_two_names_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
