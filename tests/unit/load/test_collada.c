#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "unit/load/comma_locale.h"
#include "unit/load/mesh_case.h"

#define HEAD(asset) "<COLLADA version=\"1.4.1\"><asset>" asset "</asset>\n"
#define PARAMS                                                                                     \
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"                         \
    "<param name=\"Z\" type=\"float\"/>"
#define SOURCE                                                                                     \
    "<source id=\"p\"><float_array id=\"a\" count=\"12\">1 2 3  4 5 6\n 7 8 10 0 0 0"              \
    "</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\">" PARAMS     \
    "</accessor></technique_common></source>"
#define VERTICES "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
#define INPUT    "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
#define TRIANGLE "<triangles count=\"1\">" INPUT "<p>0 1 2</p></triangles>"
#define GEOMETRY(primitives)                                                                       \
    "<library_geometries><geometry id=\"g\"><mesh>" SOURCE VERTICES primitives                     \
    "</mesh></geometry></library_geometries>\n"
#define INSTANCE "<instance_geometry url=\"#g\"/>"
#define SCENE(nodes)                                                                               \
    "<library_visual_scenes><visual_scene id=\"s\">" nodes                                         \
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"    \
    "</COLLADA>"
#define NODE(content)     "<node>" content "</node>"
#define Z_UP              "<up_axis>Z_UP</up_axis>"
#define PLAIN(primitives) HEAD(Z_UP) GEOMETRY(primitives) SCENE(NODE(INSTANCE))

static const double plain[] = {1, 2, 3, 4, 5, 6, 7, 8, 10};

static graze_status read_dae(mesh_case *m, graze_collada profile, const char *text) {
    m->options.collada = profile;
    return mesh_case_text(m, "a.dae", text);
}

static void test_profiles_differ_in_unit_and_axis(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *asset;
        double ros[3], spec[3], moveit[3]; ///< where (1, 2, 3) goes
    } cases[] = {
        {"<asset><unit meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>",
         {.01, .02, .03},
         {.01, .02, .03},
         {1, 2, 3}},
        {"<asset><unit name=\"inch\" meter=\"0.0254\"/><up_axis>Y_UP</up_axis></asset>",
         {.0254, .0508, .0762},
         {.0254, -.0762, .0508},
         {1, 2, 3}},
        {"<asset><unit meter=\"10\"/><up_axis>X_UP</up_axis></asset>",
         {10, 20, 30},
         {-20, -30, 10},
         {1, 2, 3}},
        {"<asset/>", {1, 2, 3}, {1, -3, 2}, {1, 2, 3}}, // the standard: metres, Y up
        {"", {1, 2, 3}, {1, -3, 2}, {1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text, "<COLLADA version=\"1.4.1\">%s%s", cases[i].asset,
                 GEOMETRY(TRIANGLE) SCENE(NODE(INSTANCE)));
        const double *wanted[] = {cases[i].ros, cases[i].spec, cases[i].moveit};
        for (int profile = 0; profile < 3; profile++) {
            assert_int_equal(read_dae(m, (graze_collada)profile, text), GRAZE_OK);
            for (int k = 0; k < 3; k++)
                if (fabs(m->soup->vertices[k] - wanted[profile][k]) > 1e-15 * 32)
                    fail_msg("case %zu profile %d axis %d: %.17g", i, profile, k,
                             m->soup->vertices[k]);
        }
    }
}

static void test_every_transform_of_every_node_counts(void **state) {
    mesh_case *m = *state;
    // The inner node sits on one that is moved and turned; the unit scales the whole.
    const char *text = HEAD("<unit meter=\"0.5\"/>" Z_UP) GEOMETRY(TRIANGLE) SCENE(
        "<node><translate>10 20 30</translate><rotate>0 0 1 90</rotate>"
        "<node><matrix>2 0 0 1  0 2 0 0  0 0 2 0  0 0 0 1</matrix>" INSTANCE "</node></node>");
    // (1,2,3) -> (3,4,6) -> turned (-4,3,6) -> (6,23,36) -> halved
    static const double wanted[] = {3, 11.5, 18, 0, 14.5, 21, -3, 17.5, 25};
    static const double in_moveit[] = {6, 23, 36, 0, 29, 42, -6, 35, 50};
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_triangles(m, wanted, 1, 1e-5);
    assert_int_equal(read_dae(m, GRAZE_COLLADA_MOVEIT, text), GRAZE_OK);
    assert_triangles(m, in_moveit, 1, 1e-5);
}

static void test_instances_are_copies(void **state) {
    mesh_case *m = *state;
    const char *text = HEAD(Z_UP) GEOMETRY(
        TRIANGLE) "<library_nodes><node id=\"arm\"><translate>0 0 1</translate>" INSTANCE
                  "</node></library_nodes>" SCENE(
                      "<node id=\"x\">" INSTANCE "</node>"
                      "<node id=\"y\"><translate>100 0 0</translate><instance_node url=\"#arm\"/></node>"
                      "<node id=\"z\"><translate>0 100 0</translate><instance_node url=\"#arm\"/></node>");
    static const double wanted[] = {1,   2,   3, 4,   5,   6, 7,   8,   10, //
                                    101, 2,   4, 104, 5,   7, 107, 8,   11, //
                                    1,   102, 4, 4,   105, 7, 7,   108, 11};
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_triangles(m, wanted, 3, 1e-5);
    m->budget.triangles_left = 2;
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_ERROR_LIMIT);
}

static void test_mirrored_nodes_turn_the_winding(void **state) {
    mesh_case *m = *state;
    const char *text = HEAD(Z_UP) GEOMETRY(TRIANGLE)
        SCENE(NODE("<scale>-1 1 1</scale>" INSTANCE) NODE("<scale>-1 -1 1</scale>" INSTANCE));
    static const double wanted[] = {-1, 2,  3, -7, 8,  10, -4, 5,  6,
                                    -1, -2, 3, -4, -5, 6,  -7, -8, 10};
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_triangles(m, wanted, 2, 0);
}

static void test_every_primitive_with_a_surface_is_read(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *primitives;
        size_t triangles, skipped;
    } cases[] = {
        {"<polylist count=\"2\">" INPUT "<vcount>3 4</vcount><p>0 1 2 0 1 2 3</p></polylist>", 3,
         0},
        {"<polylist count=\"3\">" INPUT "<vcount>3 2 1</vcount><p>0 1 2 0 1 3</p></polylist>", 1,
         2},
        {"<polygons count=\"2\">" INPUT "<p>0 1 2</p><p>0 1 2 3</p></polygons>", 3, 0},
        {"<tristrips count=\"1\">" INPUT "<p>0 1 2 3</p></tristrips>", 2, 0},
        {TRIANGLE "<lines count=\"2\">" INPUT "<p>0 1 1 2</p></lines>", 1, 2},
        {"<lines count=\"1\">" INPUT "<p>0 1</p></lines>" TRIANGLE TRIANGLE, 2, 1},
        {"<triangles count=\"0\"/>" TRIANGLE, 1, 0},
        // Two indices for each corner, the vertex second.
        {"<triangles count=\"1\"><input semantic=\"NORMAL\" source=\"#p\" offset=\"0\"/>"
         "<input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><p>3 0 3 1 3 2</p></triangles>",
         1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s%s%s",
                 HEAD(Z_UP) "<library_geometries><geometry id=\"g\"><mesh>" SOURCE VERTICES,
                 cases[i].primitives,
                 "</mesh></geometry></library_geometries>\n" SCENE(NODE(INSTANCE)));
        graze_status status = read_dae(m, GRAZE_COLLADA_ROS, text);
        if (status) fail_msg("case %zu: %s", i, m->error.message);
        assert_int_equal(m->soup->triangle_count, cases[i].triangles);
        assert_int_equal(m->soup->skipped, cases[i].skipped);
        assert_int_equal(has_warning(m, "mesh-face-without-area"), cases[i].skipped > 0);
        for (size_t k = 0; k < 9; k++)
            assert_true(m->soup->vertices[3 * (size_t)m->soup->triangles[k / 3] + k % 3] ==
                        plain[k]);
    }
}

static void test_strips_face_one_way(void **state) {
    mesh_case *m = *state;
    static const double wanted[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 7, 8, 10, 4, 5, 6, 0, 0, 0};
    const char *text = PLAIN("<tristrips count=\"1\">" INPUT "<p>0 1 2 3</p></tristrips>");
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 2);
    // The second triangle may begin at any corner; its turn counts.
    const double *v[3];
    for (size_t k = 0; k < 3; k++) v[k] = m->soup->vertices + 3 * (size_t)m->soup->triangles[3 + k];
    size_t shift = 0;
    while (shift < 3 && memcmp(v[shift], wanted + 9, 24) != 0) shift++;
    assert_true(shift < 3);
    assert_memory_equal(v[(shift + 1) % 3], wanted + 12, 24);
    assert_memory_equal(v[(shift + 2) % 3], wanted + 15, 24);
}

static void test_nothing_else_is_opened_or_needed(void **state) {
    mesh_case *m = *state;
    // Opening the pipe would hang. Materials, lights, cameras and animations lead nowhere, and the
    // effect's parameters refer to themselves.
    assert_int_equal(mkfifo(mesh_case_path(m, "pipe.png"), 0600), 0);
    const char *text = HEAD(
        Z_UP) "<library_images><image id=\"i\"><init_from>pipe.png</init_from></image>"
              "<image id=\"k\"><init_from>../../../etc/passwd</init_from></image></library_images>"
              "<library_effects><effect id=\"e\"><profile_COMMON><newparam sid=\"q\"><surface>"
              "<init_from>q</init_from></surface></newparam><technique><phong><diffuse>"
              "<texture texture=\"q\" texcoord=\"t\"/></diffuse></phong></technique></profile_COMMON>"
              "</effect></library_effects>"
              "<library_materials><material id=\"m\"><instance_effect url=\"#e\"/></material>"
              "</library_materials><library_animations><animation><channel source=\"#no\" "
              "target=\"no/no\"/><source id=\"p\"><float_array id=\"a\" count=\"9\">a b</float_array>"
              "<technique_common><accessor source=\"#no\" count=\"7\"/></technique_common>"
              "</source></animation></library_animations><library_lights/>" GEOMETRY(
                  "<!-- <extra> ' --><triangles material=\"w\" count=\"1\">" INPUT
                  "<p>0 1 2</p><extra type=\"a>b/\"><extra/><p>9</p><extra ></extra\n>"
                  "<![CDATA[</extra>]]><!-- </extra> --></extra></triangles><extra>"
                  "<source id=\"p\"/><triangles count=\"5\"/></extra>")
                  SCENE(NODE("<instance_light url=\"#no\"/><instance_camera url=\"#no\"/>"
                             "<instance_geometry url=\"#g\"><bind_material><technique_common>"
                             "<instance_material symbol=\"w\" target=\"#m\"/></technique_common>"
                             "</bind_material></instance_geometry>"));
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_triangles(m, plain, 1, 0);
    assert_int_equal(m->warnings.count, 0);
}

static void test_numbers_are_read_the_same_in_every_locale(void **state) {
    mesh_case *m = *state;
    temporary_folder folder = temporary_folder_make();
    if (!comma_locale_set(&folder)) {
        print_message("no locale with a decimal comma here\n");
        temporary_folder_remove(&folder);
        skip();
    }
    const char *text = HEAD("<unit meter=\"0.5\"/>" Z_UP) GEOMETRY(TRIANGLE)
        SCENE(NODE("<translate>0.25 0 0</translate>" INSTANCE));
    graze_status status = read_dae(m, GRAZE_COLLADA_ROS, text);
    comma_locale_end();
    temporary_folder_remove(&folder);
    assert_int_equal(status, GRAZE_OK);
    assert_true(m->soup->vertices[0] == 0.625);
}

static void test_nodes_multiply_within_limits_only(void **state) {
    mesh_case *m = *state;
    // Ten levels of ten instances each: 10^10 nodes in two thousand bytes.
    char text[16384], *at = text;
    at += sprintf(at, "%s<library_nodes><node id=\"n0\">" INSTANCE "</node>",
                  HEAD(Z_UP) GEOMETRY(TRIANGLE));
    for (int level = 1; level <= 10; level++) {
        at += sprintf(at, "<node id=\"n%d\">", level);
        for (int i = 0; i < 10; i++) at += sprintf(at, "<instance_node url=\"#n%d\"/>", level - 1);
        at += sprintf(at, "</node>\n");
    }
    sprintf(at, "</library_nodes>%s", SCENE(NODE("<instance_node url=\"#n10\"/>")));
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_ERROR_LIMIT);
    assert_message(m, "more than 100000 nodes, instances counted");
    assert_int_equal(m->error.line, 8); // the fifth level

    at = text + sprintf(text, "%s<library_nodes><node id=\"n0\">" INSTANCE "</node>",
                        HEAD(Z_UP) GEOMETRY(TRIANGLE));
    for (int i = 1; i < 70; i++)
        at += sprintf(at, "<node id=\"n%d\"><instance_node url=\"#n%d\"/></node>", i, i - 1);
    sprintf(at, "</library_nodes>%s", SCENE(NODE("<instance_node url=\"#n69\"/>")));
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_ERROR_LIMIT);
    assert_message(m, "nest deeper than 64");
}

static void test_what_would_be_dropped_or_trusted_is_an_error(void **state) {
    mesh_case *m = *state;
    // One replacement each in a document that is otherwise fine.
    static const struct {
        const char *from, *to;
        graze_status status;
        const char *message;
    } cases[] = {
        {"<COLLADA", "<!DOCTYPE COLLADA><COLLADA", GRAZE_ERROR_UNSUPPORTED, "DOCTYPE"},
        {"Z_UP", "W_UP", GRAZE_ERROR_PARSE, "up_axis 'W_UP'"},
        {"<up_axis", "<unit meter=\"0\"/><up_axis", GRAZE_ERROR_RANGE, "unit meter=\"0\""},
        {"<up_axis", "<unit meter=\"nan\"/><up_axis", GRAZE_ERROR_RANGE, "unit"},
        {"<up_axis", "<unit meter=\"-1\"/><up_axis", GRAZE_ERROR_RANGE, "unit"},
        {"<up_axis", "<unit meter=\"1,0\"/><up_axis", GRAZE_ERROR_RANGE, "unit"},
        {"count=\"12\"", "count=\"11\"", GRAZE_ERROR_MESH, "<float_array> values: 12"},
        {"count=\"12\"", "count=\"4294967295\"", GRAZE_ERROR_MESH, "count=\"4294967295\""},
        {"count=\"12\"", "count=\"-12\"", GRAZE_ERROR_MESH, "count=\"-12\""},
        {"1 2 3", "1,5 2 3", GRAZE_ERROR_PARSE, "'1,5' in <float_array>"},
        {"1 2 3", "1 2 1.#IND", GRAZE_ERROR_PARSE, "'1.#IND'"},
        {"1 2 3", "- 2 3", GRAZE_ERROR_PARSE, "'-'"},
        {"1 2 3", "nan 2 3", GRAZE_ERROR_RANGE, "x is not a number"},
        {"1 2 3", "inf 2 3", GRAZE_ERROR_RANGE, "x is infinite"},
        {"1 2 3", "1 2 1e7", GRAZE_ERROR_RANGE, "z is 1e+07"},
        {"source=\"#a\"", "source=\"#b\"", GRAZE_ERROR_MESH, "names no array"},
        {"count=\"4\"", "count=\"5\"", GRAZE_ERROR_MESH, "within the 12 values"},
        {"count=\"4\"", "offset=\"1\" count=\"4\"", GRAZE_ERROR_MESH, "within the 12 values"},
        {"stride=\"3\"", "stride=\"4\"", GRAZE_ERROR_MESH, "within the 12 values"},
        {"stride=\"3\"", "stride=\"0\"", GRAZE_ERROR_MESH, "within the 12 values"},
        {"stride=\"3\"", "stride=\"4294967297\"", GRAZE_ERROR_MESH, "stride"},
        {"<param name=\"Y\"", "<param name=\"W\"", GRAZE_ERROR_MESH, "without X, Y and Z"},
        {"\"POSITION\"", "\"NORMAL\"", GRAZE_ERROR_MESH, "without positions"},
        {"source=\"#p\"", "source=\"#q\"", GRAZE_ERROR_MESH, "names no source"},
        {"source=\"#v\"", "source=\"#w\"", GRAZE_ERROR_MESH, "names no <vertices>"},
        {"\"VERTEX\"", "\"NORMAL\"", GRAZE_ERROR_MESH, "names no source"},
        {"offset=\"0\"", "offset=\"99\"", GRAZE_ERROR_MESH, "offset=\"99\""},
        {"<p>0 1 2<", "<p>0 1 4<", GRAZE_ERROR_MESH, "index 4 in <p>; allowed here: below 4"},
        {"<p>0 1 2<", "<p>0 1 -1<", GRAZE_ERROR_MESH, "index '-1'"},
        {"<p>0 1 2<", "<p>0 1<", GRAZE_ERROR_MESH, "corners: 2"},
        {"<p>0 1 2<", "<p>0 1 2 3<", GRAZE_ERROR_MESH, "corners: 4"},
        {"<p>0 1 2<", "<p>0 1 2</p><p>0 1 2<", GRAZE_ERROR_MESH, "lists <p>: 2"},
        {"<triangles count=\"1\"", "<triangles count=\"0\"", GRAZE_ERROR_MESH, "corners: 3"},
        {"<triangles count=\"1\"", "<triangles", GRAZE_ERROR_MESH, "corners: 3"},
        {TRIANGLE, "<trifans count=\"1\">" INPUT "<p>0 1 2</p></trifans>", GRAZE_ERROR_UNSUPPORTED,
         "<trifans>"},
        {TRIANGLE, "<tristrips count=\"1\">" INPUT "<p>0 1</p></tristrips>", GRAZE_ERROR_MESH,
         "fewer than 3"},
        {TRIANGLE, "<polygons count=\"1\">" INPUT "<ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>",
         GRAZE_ERROR_UNSUPPORTED, "<ph>"},
        {TRIANGLE, "<polygons count=\"2\">" INPUT "<p>0 1 2</p></polygons>", GRAZE_ERROR_MESH,
         "lists <p>: 1"},
        {TRIANGLE, "<polylist count=\"1\">" INPUT "<vcount>4</vcount><p>0 1 2</p></polylist>",
         GRAZE_ERROR_MESH, "corners: 3"},
        {TRIANGLE, "<polylist count=\"1\">" INPUT "<vcount>3 0</vcount><p>0 1 2</p></polylist>",
         GRAZE_ERROR_MESH, "polygons: 2"},
        {TRIANGLE, "<polylist count=\"1\">" INPUT "<p>0 1 2</p></polylist>", GRAZE_ERROR_MESH,
         "polygons: 0"},
        {TRIANGLE,
         "<polylist count=\"1\">" INPUT "<vcount>99999999999</vcount><p>0 1 2</p></polylist>",
         GRAZE_ERROR_MESH, "<vcount>"},
        {TRIANGLE, "<lines count=\"1\">" INPUT "<p>0 1</p></lines>", GRAZE_ERROR_MESH, ""},
        {"url=\"#g\"", "url=\"#h\"", GRAZE_ERROR_MESH, "names no geometry"},
        {"</mesh>", "</mesh><convex_mesh/>", GRAZE_ERROR_UNSUPPORTED, "<convex_mesh>"},
        {"url=\"#g\"", "url=\"other.dae#g\"", GRAZE_ERROR_UNSUPPORTED, "names another file"},
        {INSTANCE, INSTANCE "<instance_node url=\"#n\"/>", GRAZE_ERROR_MESH, "names no node"},
        {"<node>", "<node id=\"n\"><instance_node url=\"#n\"/>", GRAZE_ERROR_MESH,
         "instance of itself"},
        {INSTANCE, "<instance_controller url=\"#c\"/>", GRAZE_ERROR_UNSUPPORTED,
         "<instance_controller>"},
        {INSTANCE, "<scale>1 0 1</scale>" INSTANCE, GRAZE_ERROR_RANGE, "flatten"},
        {INSTANCE, "<translate>2e6 0 0</translate>" INSTANCE, GRAZE_ERROR_RANGE, "x is 2e+06"},
        {INSTANCE, "<matrix>1 0 0 0 0 1 0 0 0 0 1 0 1 0 0 1</matrix>" INSTANCE, GRAZE_ERROR_RANGE,
         "not affine"},
        {INSTANCE, "<translate>1 2</translate>" INSTANCE, GRAZE_ERROR_PARSE, ""},
        {INSTANCE, "<rotate>0 0 1 nan</rotate>" INSTANCE, GRAZE_ERROR_RANGE, ""},
        {INSTANCE, "<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 a</matrix>" INSTANCE, GRAZE_ERROR_PARSE,
         ""},
        {INSTANCE, "", GRAZE_ERROR_MESH, ""},
        {"<library_visual_scenes>",
         "<library_nodes><node id=\"a\"/><node id=\"a\"/><node><instance_node url=\"#a\"/></node>"
         "</library_nodes><library_visual_scenes>",
         GRAZE_ERROR_PARSE, "id 'a' is used twice"},
        {"url=\"#s\"", "url=\"#t\"", GRAZE_ERROR_MESH, "names no visual scene"},
        {"<scene>", "<scene/><scene>", GRAZE_ERROR_MESH, "no <instance_visual_scene>"},
        {"</COLLADA>", "", GRAZE_ERROR_PARSE, ""},
    };
    const char *fine = PLAIN(TRIANGLE);
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, fine), GRAZE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(fine, cases[i].from);
        assert_non_null(at);
        char text[4096];
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - fine), fine, cases[i].to,
                 at + strlen(cases[i].from));
        graze_status status = read_dae(m, GRAZE_COLLADA_ROS, text);
        if (status != cases[i].status || !strstr(m->error.message, cases[i].message))
            fail_msg("%s for %s: status %d: %s", cases[i].to, cases[i].from, (int)status,
                     m->error.message);
        assert_null(m->soup);
    }
}

// A geometry that is not shown, its normals under ids that others have, too.
#define UNREAD(count, numbers)                                                                     \
    "<geometry id=\"h\"><mesh><source id=\"n\"><float_array id=\"m\" count=\"" count "\">" numbers \
    "</float_array><technique_common><accessor source=\"#m\" count=\"1\" stride=\"" count "\"/>"   \
    "</technique_common></source></mesh></geometry>"
#define CAMERAS                                                                                    \
    "<library_cameras><camera id=\"c\"/><camera id=\"c\"/></library_cameras>"                      \
    "<library_nodes><node id=\"c\"/><node id=\"c\"/></library_nodes>"
#define READ                                                                                       \
    "<geometry id=\"g\"><mesh>" SOURCE VERTICES "<triangles count=\"1\">" INPUT                    \
    "<input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/><p>0 0 1 9 2 9</p></triangles>"        \
    "</mesh></geometry>"
#define OTHER_SOURCE                                                                               \
    "<geometry><mesh><source id=\"p\"><float_array id=\"x\" count=\"0\"/><technique_common>"       \
    "<accessor source=\"#x\" count=\"0\"/></technique_common></source></mesh></geometry>"
#define GEOMETRIES "<library_geometries>" UNREAD("1", "1") UNREAD("3", "0 0 1") READ

/// Exporters number cameras and normals from one on in every part of a file.
static void test_ids_used_twice_matter_only_where_they_are_read(void **state) {
    mesh_case *m = *state;
    static const char text[] = HEAD(Z_UP) CAMERAS GEOMETRIES
        "</library_geometries>" SCENE(NODE(INSTANCE));
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_triangles(m, plain, 1, 0);
    assert_int_equal(m->warnings.count, 1);
    assert_string_equal(m->warnings.items[0].code, "mesh-id-twice");
    assert_int_equal(m->warnings.items[0].count, 4); // of m, n, h and c
    // Whatever is read by its id has it alone; the other one stands in a geometry in front.
    static const char *const others[] = {
        "<geometry id=\"g\"/>", OTHER_SOURCE,
        "<geometry><mesh><source><float_array id=\"a\" count=\"0\"/></source></mesh></geometry>"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char twice[4096];
        const char *fine = PLAIN(TRIANGLE), *at = strstr(fine, "<geometry");
        snprintf(twice, sizeof twice, "%.*s%s%s", (int)(at - fine), fine, others[i], at);
        assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, twice), GRAZE_ERROR_PARSE);
        assert_message(m, "is used twice");
    }
}

static void test_blanks_before_the_declaration_are_left_out(void **state) {
    mesh_case *m = *state;
    assert_int_equal(
        read_dae(m, GRAZE_COLLADA_ROS, "\n  <?xml version=\"1.0\"?>\n" PLAIN(TRIANGLE)), GRAZE_OK);
    assert_triangles(m, plain, 1, 0);
    assert_true(has_warning(m, "mesh-blank-before-xml"));
}

static void test_sixteen_bit_text_is_refused(void **state) {
    mesh_case *m = *state;
    char wide[512];
    const char *text = "<COLLADA/>";
    size_t n = 0;
    wide[n++] = (char)0xff;
    wide[n++] = (char)0xfe;
    for (; *text; text++) wide[n++] = *text, wide[n++] = 0;
    mesh_case_write(m, "a.dae", wide, n);
    assert_int_equal(mesh_case_read(m, "a.dae", NULL), GRAZE_ERROR_UNSUPPORTED);
    assert_message(m, "zero byte");
}

static void test_lack_of_memory_is_said(void **state) {
    mesh_case *m = *state;
    const char *text = HEAD(Z_UP)
        GEOMETRY("<lines count=\"1\">" INPUT "<p>0 1</p></lines>"
                 "<polygons count=\"1\">" INPUT
                 "<p>0 1 2 3</p></polygons>") "<library_nodes><node id=\"arm\">" INSTANCE
                                              "</node></library_nodes>" SCENE(NODE(INSTANCE) NODE(
                                                  "<instance_node url=\"#arm\"/>"));
    assert_int_equal(read_dae(m, GRAZE_COLLADA_ROS, text), GRAZE_OK);
    assert_survives_faults(m, "a.dae");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_profiles_differ_in_unit_and_axis),
        MESH_TEST(test_every_transform_of_every_node_counts),
        MESH_TEST(test_instances_are_copies),
        MESH_TEST(test_mirrored_nodes_turn_the_winding),
        MESH_TEST(test_every_primitive_with_a_surface_is_read),
        MESH_TEST(test_strips_face_one_way),
        MESH_TEST(test_nothing_else_is_opened_or_needed),
        MESH_TEST(test_numbers_are_read_the_same_in_every_locale),
        MESH_TEST(test_nodes_multiply_within_limits_only),
        MESH_TEST(test_what_would_be_dropped_or_trusted_is_an_error),
        MESH_TEST(test_ids_used_twice_matter_only_where_they_are_read),
        MESH_TEST(test_blanks_before_the_declaration_are_left_out),
        MESH_TEST(test_sixteen_bit_text_is_refused),
        MESH_TEST(test_lack_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
