#include "unit/load/collada_text.h"

typedef struct change {
    const char *from, *to;
    graze_status status;
    const char *message;
} change;

static void assert_refused(mesh_case *m, const change *c) {
    graze_status status = read_changed(m, c->from, c->to);
    if (status != c->status || !strstr(m->error.message, c->message) || m->error.line < 1)
        fail_msg("%s: status %d at line %d: %s", c->to, (int)status, (int)m->error.line,
                 m->error.message);
    assert_null(m->soup);
}

#define INSTANCE "<instance_geometry url=\"#g\"/>"

static void test_geometry_below_what_is_not_read_is_an_error(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {"<library_nodes/>", "<foo><geometry id=\"h\"><mesh/></geometry></foo>", GRAZE_ERROR_MESH,
         "<geometry> in <foo>; allowed: in <library_geometries>"},
        {"<library_nodes/>", "<foo><node/></foo>", GRAZE_ERROR_MESH, "<node> in <foo>"},
        {INSTANCE, INSTANCE "<foo>" INSTANCE "</foo>", GRAZE_ERROR_UNSUPPORTED, "<foo> in <node>"},
        {INSTANCE, INSTANCE "<foo><node>" INSTANCE "</node></foo>", GRAZE_ERROR_UNSUPPORTED,
         "<foo> in <node>"},
        {INSTANCE, INSTANCE "<c:instance_geometry url=\"#g\"/>", GRAZE_ERROR_UNSUPPORTED,
         "<c:instance_geometry> in <node>"},
        {INSTANCE, INSTANCE "<library_lights><node>" INSTANCE "</node></library_lights>",
         GRAZE_ERROR_UNSUPPORTED, "<library_lights> in <node>"},
        {INSTANCE, INSTANCE "<technique>" INSTANCE "</technique>", GRAZE_ERROR_MESH,
         "<technique> in <node>"},
        {COLLADA_TRIANGLES, COLLADA_TRIANGLES "<triangle_fans/>", GRAZE_ERROR_UNSUPPORTED,
         "<triangle_fans> in <mesh>"},
        {COLLADA_TRIANGLES,
         "<triangles count=\"1\">" COLLADA_INPUT "<q><p>0 1 2</p></q></triangles>",
         GRAZE_ERROR_MESH, "corners"},
        {"<library_nodes/>", "<library_nodes><instance_geometry url=\"#g\"/></library_nodes>",
         GRAZE_ERROR_MESH, "<instance_geometry> in <library_nodes>; allowed: in <node>"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) assert_refused(m, &changes[i]);
    // What is somebody's own, and holds nothing that counts, does no harm.
    assert_int_equal(read_changed(m, "<library_nodes/>", "<foo><bar>1</bar></foo>"), GRAZE_OK);
    assert_int_equal(read_changed(m, INSTANCE, INSTANCE "<extra><foo><node/></foo></extra>"),
                     GRAZE_OK);
}

static void test_only_one_where_one_is_looked_for(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {"</mesh>", "</mesh><mesh/>", GRAZE_ERROR_MESH, "2 of <mesh>"},
        {"</vertices>",
         "</vertices><vertices><input semantic=\"POSITION\" source=\"#gs\"/></vertices>",
         GRAZE_ERROR_MESH, "2 of <vertices>"},
        {"</technique_common>", "</technique_common><technique_common/>", GRAZE_ERROR_MESH,
         "2 of <technique_common>"},
        {"</accessor>", "</accessor><accessor/>", GRAZE_ERROR_MESH, "2 of <accessor>"},
        {"</scene>", "</scene><scene/>", GRAZE_ERROR_MESH, "2 of <scene>"},
        {"<scene>", "<scene><instance_visual_scene url=\"#S\"/>", GRAZE_ERROR_MESH,
         "2 of <instance_visual_scene>"},
        {"<visual_scene", "<visual_scene id=\"S\"/><visual_scene", GRAZE_ERROR_PARSE,
         "id 'S' is used twice"},
        {"<unit", "<unit meter=\"2\"/><unit", GRAZE_ERROR_MESH, "2 of <unit>"},
        {"</asset>", "</asset><asset/>", GRAZE_ERROR_MESH, "2 of <asset>"},
        // Two positions of a vertex: programs take the first, the last or the primitive's.
        {"</vertices>", "<input semantic=\"POSITION\" source=\"#gs\"/></vertices>",
         GRAZE_ERROR_MESH, "without positions, or with several"},
        {COLLADA_INPUT, COLLADA_INPUT COLLADA_INPUT, GRAZE_ERROR_MESH,
         "without vertices, or with several"},
        {COLLADA_INPUT, COLLADA_INPUT "<input semantic=\"POSITION\" source=\"#gs\" offset=\"0\"/>",
         GRAZE_ERROR_MESH, "none with \"POSITION\""},
        {"count=\"5\" stride=\"3\">", "count=\"3\" stride=\"4\"><param name=\"X\"/>",
         GRAZE_ERROR_MESH, "one <param> for each"},
        {"stride=\"3\"", "stride=\"2\"", GRAZE_ERROR_MESH, "within its stride"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) assert_refused(m, &changes[i]);
}

static void test_elements_in_text_are_an_error(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {COLLADA_TRIANGLES,
         COLLADA_TRIANGLES "<polygons count=\"1\">" COLLADA_INPUT "<p>0 1 2<extra/></p></polygons>",
         GRAZE_ERROR_MESH, "<extra> in <p>; allowed: text"},
        {COLLADA_TRIANGLES,
         COLLADA_TRIANGLES "<polylist count=\"0\">" COLLADA_INPUT
                           "<vcount>3<extra/></vcount><p/></polylist>",
         GRAZE_ERROR_MESH, "<extra> in <vcount>"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) assert_refused(m, &changes[i]);
}

static void test_a_mesh_counts_its_own_vertices(void **state) {
    mesh_case *m = *state;
    static const change other = {
        COLLADA_TRIANGLES,
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#hv\" "
        "offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>" COLLADA_MESH("h"),
        GRAZE_ERROR_MESH, "names no <vertices> of the mesh"};
    assert_refused(m, &other);
    static const change words = {
        "<float_array id=\"ga\" count=\"15\">" COLLADA_POSITIONS "</float_array>",
        "<Name_array id=\"ga\" count=\"15\">" COLLADA_POSITIONS "</Name_array>", GRAZE_ERROR_MESH,
        "positions that are no numbers"};
    assert_refused(m, &words);
}

static void test_words_that_are_two_numbers_are_an_error(void **state) {
    mesh_case *m = *state;
    static const char *const words[] = {"1-2", "1.2.3", "1e", "2e5e5", "+-1", ".", "1e+", "0x1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s 0 0 1 0 0 0 1 0 0 0 1 1 1 1", words[i]);
        assert_int_equal(read_changed(m, COLLADA_POSITIONS, text), GRAZE_ERROR_PARSE);
        assert_message(m, "in <float_array>; allowed: numbers");
    }
}

static void test_instances_of_geometry_count_against_the_limit(void **state) {
    mesh_case *m = *state;
    m->options.limits.elements = 3;
    assert_int_equal(read_changed(m, "", ""), GRAZE_OK); // a scene, a node, an instance
    assert_int_equal(read_changed(m, INSTANCE, INSTANCE INSTANCE), GRAZE_ERROR_LIMIT);
    assert_message(m, "instances counted");
}

/// Node n0 holds `what`, `times` times; n1 to n3 hold two instances each of the one before, and the
/// scene shows n3.
static graze_status read_nested(mesh_case *m, const char *what, int times) {
    static char text[16384];
    static const char *const nested =
        "<node id='n1'><instance_node url='#n0'/><instance_node url='#n0'/></node>"
        "<node id='n2'><instance_node url='#n1'/><instance_node url='#n1'/></node>"
        "<node id='n3'><instance_node url='#n2'/><instance_node url='#n2'/></node></library_nodes>";
    static const char *const fine = COLLADA_TEXT;
    const char *at = strstr(fine, "<library_nodes/>"), *shown = strstr(fine, INSTANCE);
    int n = snprintf(text, sizeof text, "%.*s<library_nodes><node id='n0'>", (int)(at - fine),
                     fine);
    for (int i = 0; i < times; i++) n += snprintf(text + n, sizeof text - (size_t)n, "%s", what);
    at += strlen("<library_nodes/>");
    n += snprintf(text + n, sizeof text - (size_t)n, "</node>%s%.*s<instance_node url='#n3'/>%s",
                  nested, (int)(shown - at), at, shown);
    assert_true((size_t)n < sizeof text);
    return mesh_case_text(m, "a.dae", text);
}

/// A file of 400 kB took hours: 15 nodes that double, the innermost of 20,000 transforms.
static void test_what_nodes_hold_multiplies_within_limits_only(void **state) {
    mesh_case *m = *state;
    static char digits[3100];
    int zeros = snprintf(digits, sizeof digits, "<scale>1 1 1.%03000d</scale>", 0);
    assert_true(zeros > 3000 && (size_t)zeros < sizeof digits);
    static const struct {
        const char *what;
        int times;
    } cases[] = {{"<extra/>", 200}, {"<scale>1 1 1</scale>", 200}, {digits, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        m->options.limits.elements = 100;
        assert_int_equal(read_nested(m, cases[i].what, cases[i].times), GRAZE_OK);
        m->options.limits.elements = 20; // 18 nodes and instances
        assert_int_equal(read_nested(m, cases[i].what, cases[i].times), GRAZE_ERROR_LIMIT);
        assert_message(m, "what nodes hold");
        assert_int_equal(read_nested(m, "<extra/>", 20), GRAZE_OK);
    }
}

/// The standard's scope of a unit: from the <asset> that has it downwards.
static void test_units_within_the_file_are_not_lost(void **state) {
    mesh_case *m = *state;
#define OWN(asset) "<asset>" asset "</asset>"
#define UNIT       "unit meter=\"0.001\"/>"
    static const change changes[] = {
        {"<library_geometries>", "<library_geometries>" OWN("<" UNIT), GRAZE_ERROR_UNSUPPORTED,
         "the <asset> of <library_geometries> says 0.001 m"},
        {"<geometry id=\"g\">", "<geometry id=\"g\">" OWN("<" UNIT), GRAZE_ERROR_UNSUPPORTED,
         "of <geometry> says 0.001 m"},
        {"<visual_scene id=\"S\">", "<visual_scene id=\"S\">" OWN("<up_axis>Y_UP</up_axis>"),
         GRAZE_ERROR_UNSUPPORTED,
         "of <visual_scene> says 1 m and y up, that of the file 1 m and z up"},
        {"<node id=\"n\">", "<node id=\"n\">" OWN("<unit meter=\"no\"/>"), GRAZE_ERROR_RANGE,
         "a number above 0"},
        {"<node id=\"n\">", "<node id=\"n\">" OWN("<" UNIT "<" UNIT), GRAZE_ERROR_MESH,
         "2 of <unit>"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) assert_refused(m, &changes[i]);
    // What says the same, or nothing of these, or belongs to what no mesh needs.
    static const char *const fine[] = {
        "<library_geometries>" OWN("<unit meter=\"1\"/><up_axis>Z_UP</up_axis>"),
        "<library_geometries>" OWN("<created>now</created>"),
        "<library_images>" OWN("<" UNIT) "</library_images><library_geometries>"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        assert_int_equal(read_changed(m, "<library_geometries>", fine[i]), GRAZE_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_geometry_below_what_is_not_read_is_an_error),
        MESH_TEST(test_only_one_where_one_is_looked_for),
        MESH_TEST(test_elements_in_text_are_an_error),
        MESH_TEST(test_a_mesh_counts_its_own_vertices),
        MESH_TEST(test_words_that_are_two_numbers_are_an_error),
        MESH_TEST(test_instances_of_geometry_count_against_the_limit),
        MESH_TEST(test_what_nodes_hold_multiplies_within_limits_only),
        MESH_TEST(test_units_within_the_file_are_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
