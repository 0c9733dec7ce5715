/// Collada read by graze and by assimp: what assimp is known to misread is found, and every file at
/// hand (the repository's, and those of GRAZE_TEST_DATA) reads alike.
#include <ftw.h>
#include <math.h>

#include "base/random.h"
#include "import/import.h"
#include "load/file.h"
#include "oracle/collada/second_reading.h"
#include "unit/load/collada_text.h"

#define INSTANCE "<instance_geometry url=\"#g\"/>"
#define SCENE(nodes)                                                                               \
    "<library_visual_scenes><visual_scene id=\"S\">" nodes                                         \
    "</visual_scene></library_visual_scenes>\n"
#define NODES SCENE("<node id=\"n\">" INSTANCE "</node>")

/// The readers of a second time: confined, and not.
static const graze_load_options *second_options(mesh_case *m, bool unconfined) {
    m->options.importer = GRAZE_IMPORTER;
    m->options.importer_unconfined = unconfined;
    m->options.importer_seconds = 60;
    return &m->options;
}

/// Reads a file of the folder twice.
static graze_status read_twice(mesh_case *m, const char *path, const double scale[3]) {
    mesh_case_clear(m);
    char *bytes;
    gz_mesh_reader reader = {.path = path,
                             .scale = {1, 1, 1},
                             .options = &m->options,
                             .budget = &m->budget,
                             .warnings = &m->warnings,
                             .error = &m->error};
    if (scale) memcpy(reader.scale, scale, sizeof reader.scale);
    graze_status status = gz_file_read(path, m->options.limits.file_bytes, &bytes, &reader.size,
                                       &m->error);
    if (status) return status;
    reader.bytes = bytes;
    reader.soup = m->soup = gz_soup_create();
    status = gz_second_reading_compare(&reader);
    gz_polygons_free(&reader.polygons);
    gz_free(bytes);
    return status;
}

static graze_status text_twice(mesh_case *m, const char *text) {
    mesh_case_write(m, "a.dae", text, strlen(text));
    return read_twice(m, mesh_case_path(m, "a.dae"), NULL);
}

static graze_status changed_twice(mesh_case *m, const char *from, const char *to) {
    const char *fine = COLLADA_TEXT, *at = strstr(fine, from);
    assert_non_null(at);
    char text[8192];
    int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - fine), fine, to, at + strlen(from));
    assert_true(n > 0 && (size_t)n < sizeof text);
    return text_twice(m, text);
}

static const graze_warning *find_warning(const mesh_case *m, const char *code) {
    for (size_t i = 0; i < m->warnings.count; i++)
        if (strcmp(m->warnings.items[i].code, code) == 0) return &m->warnings.items[i];
    return NULL;
}

static void assert_warned(const mesh_case *m, const char *code, const char *excerpt) {
    const graze_warning *w = find_warning(m, code);
    if (!w) fail_msg("no warning %s; wanted: %s", code, excerpt);
    assert_int_equal(m->warnings.count, 1);
    if (!strstr(w->message, excerpt)) fail_msg("'%s' does not hold '%s'", w->message, excerpt);
    assert_non_null(strstr(w->file, "a.dae"));
}

typedef struct change {
    const char *from, *to, *message;
} change;

#define REFUSED "not compared with assimp: assimp "

/// The warning comes, both ways.
static void assert_differ(mesh_case *m, const change *changes, size_t count) {
    for (size_t i = 0; i < 2 * count; i++) {
        const change *c = &changes[i / 2];
        second_options(m, i % 2);
        assert_int_equal(changed_twice(m, c->from, c->to), GRAZE_OK);
        bool refused = strncmp(c->message, REFUSED, strlen(REFUSED)) == 0;
        assert_warned(m, refused ? "second-reader-failed" : "readers-differ", c->message);
    }
}
#define DIFFER(m, c) assert_differ(m, c, sizeof(c) / sizeof *(c))

// ------------------------------------------------------------------------------- misread files

static void test_instances_that_assimp_drops_or_takes_for_others(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {"<library_nodes/>\n" NODES,
         "<library_nodes><node id=\"L\"><node id=\"in\"><translate>5 0 0</translate>" INSTANCE
         "</node></node></library_nodes>\n" SCENE(
             "<node>" INSTANCE "</node><node><instance_node url=\"#in\"/></node>"),
         REFUSED "would read a part of the file: Collada: Unable to resolve reference to instanced "
                 "node"},
        {"<library_nodes/>\n" NODES,
         "<library_nodes><node id=\"L\"><node id=\"in\">" INSTANCE
         "</node></node></library_nodes>\n" SCENE("<node><instance_node url=\"#in\"/></node>"),
         REFUSED "would read a part of the file: Collada: Unable to resolve"},
        {NODES,
         SCENE("<node id=\"A\" name=\"B\">" INSTANCE "</node><node><translate>0 0 7</translate>"
               "<instance_node url=\"#B\"/></node><node id=\"D\"><node id=\"B\" name=\"x\">"
               "<translate>9 0 0</translate>" INSTANCE "</node></node>"),
         "only graze has 1, the first of them (9 0 7) (10 0 7) (9 1 7); only assimp has 1, the "
         "first of them (0 0 7)"},
    };
    DIFFER(m, changes);
}

static void test_text_that_assimp_reads_partly(void **state) {
    mesh_case *m = *state;
#define POLYGONS(inside)                                                                           \
    "<polygons count=\"1\">" COLLADA_INPUT "<p>0 1 " inside "2 3</p></polygons>"
    static const change changes[] = {
        {COLLADA_TRIANGLES, POLYGONS("<!-- 9 -->"), "graze reads 2 triangles, assimp 0"},
        {COLLADA_TRIANGLES, POLYGONS("<?some thing?>"), "graze reads 2 triangles, assimp 0"},
        {COLLADA_TRIANGLES,
         "<tristrips count=\"1\">" COLLADA_INPUT "<p>0 1 2<!-- --> 3</p></tristrips>",
         "graze reads 2 triangles, assimp 1; only graze has 1"},
    };
    DIFFER(m, changes);
}

static void test_numbers_that_assimp_reads_wrongly(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {COLLADA_POSITIONS, "0 0 0 0.00000000000000000002e20 0 0 0 3 0 0 0 1 1 1 1",
         "only graze has 1, the first of them (0 0 0) (2 0 0) (0 3 0)"},
        {INSTANCE, "<translate>100000000000000000000e-20 0 0</translate>" INSTANCE,
         REFUSED "would read a part of the file: Converting the string"},
    };
    DIFFER(m, changes);
}

static void test_transforms_that_assimp_stretches(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {INSTANCE, "<rotate>0 0 2 90</rotate>" INSTANCE, "only graze has 1"},
        {INSTANCE, "<lookat>0 0 0 1 0 0 1 0 1</lookat>" INSTANCE, "only graze has 1"},
    };
    DIFFER(m, changes);
}

static void test_params_and_inputs_that_assimp_mixes_up(void **state) {
    mesh_case *m = *state;
    static const change changes[] = {
        {"<float_array id=\"ga\" count=\"15\">" COLLADA_POSITIONS
         "</float_array><technique_common><accessor source=\"#ga\" count=\"5\" stride=\"3\">" COLLADA_PARAMS
         "</accessor>",
         "<float_array id=\"ga\" count=\"12\">0 0 0 7 1 0 0 8 0 1 0 9</float_array>"
         "<technique_common><accessor source=\"#ga\" count=\"3\" stride=\"4\">" COLLADA_PARAMS
         "<param name=\"S\"/></accessor>",
         "only graze has 1, the first of them (0 0 0) (1 0 0) (0 1 0)"},
        {COLLADA_TRIANGLES,
         "<polygons count=\"1\">" COLLADA_INPUT "<p>0 0 1 0 2 0</p>"
         "<input semantic=\"NORMAL\" source=\"#gs\" offset=\"1\"/></polygons>",
         "graze reads 1 triangles, assimp 4; only graze has 1"},
    };
    DIFFER(m, changes);
}

/// A file of positions, what is drawn between them, and what is in a node.
static graze_status read_mesh(mesh_case *m, const char *positions, size_t count,
                              const char *primitives, const char *node) {
    char text[8192];
    int n = snprintf(text, sizeof text,
                     "<COLLADA version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset>"
                     "<library_geometries><geometry id=\"g\"><mesh><source id=\"gs\">"
                     "<float_array id=\"ga\" count=\"%zu\">%s</float_array><technique_common>"
                     "<accessor source=\"#ga\" count=\"%zu\" stride=\"3\">" COLLADA_PARAMS
                     "</accessor></technique_common></source><vertices id=\"gv\"><input "
                     "semantic=\"POSITION\" source=\"#gs\"/></vertices>%s</mesh></geometry>"
                     "</library_geometries>" SCENE(
                         "<node>%s</node>") "<scene>"
                                            "<instance_visual_scene url=\"#S\"/></scene></COLLADA>",
                     3 * count, positions, count, primitives, node);
    assert_true(n > 0 && (size_t)n < sizeof text);
    return text_twice(m, text);
}

/// The tip of a pyramid: what is around it is the same wherever it is.
static void test_a_corner_that_triangles_share_and_assimp_misreads(void **state) {
    mesh_case *m = *state;
    second_options(m, true);
    static const char *const triangles = "<triangles count=\"6\">" COLLADA_INPUT
                                         "<p>0 1 4 1 2 4 2 3 4 3 0 4 0 3 2 0 2 1</p></triangles>";
    assert_int_equal(read_mesh(m, "0 0 0 1 0 0 1 1 0 0 1 0 .5 .5 0.00000000000000000002e20", 5,
                               triangles, INSTANCE),
                     GRAZE_OK);
    assert_warned(m, "readers-differ", "only graze has 4, the first of them (0 0 0) (1 0 0)");
    assert_int_equal(read_mesh(m, "0 0 0 1 0 0 1 1 0 0 1 0 .5 .5 2", 5, triangles, INSTANCE),
                     GRAZE_OK);
    assert_int_equal(m->warnings.count, 0);
}

/// A vertex far away that no triangle uses widens nothing that may be apart.
static void test_a_vertex_without_triangles_hides_no_difference(void **state) {
    mesh_case *m = *state;
    second_options(m, true);
    assert_int_equal(read_mesh(m, "0 0 0 1 0 0 0 1 0 1e6 0 0", 4, COLLADA_TRIANGLES,
                               "<rotate>0 0 2 90</rotate>" INSTANCE),
                     GRAZE_OK);
    assert_warned(m, "readers-differ", "bounds up to 1 m apart");
    assert_int_equal(read_mesh(m, "0 0 0 1 0 0 0 1 0 1e6 0 0", 4, COLLADA_TRIANGLES,
                               "<rotate>0 0 1 90</rotate>" INSTANCE),
                     GRAZE_OK);
    assert_int_equal(m->warnings.count, 0);
}

static void test_a_crash_of_assimp_is_a_warning(void **state) {
    mesh_case *m = *state;
    second_options(m, false);
    assert_int_equal(changed_twice(m, COLLADA_TRIANGLES,
                                   "<polylist count=\"1\">" COLLADA_INPUT
                                   "<p>0 1 2</p><vcount>3</vcount></polylist>"),
                     GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
    assert_warned(m, "second-reader-failed",
                  "not compared with assimp: the importer was killed by "
                  "signal 11 (Segmentation fault)");
}

static void test_a_file_that_assimp_refuses_is_a_warning(void **state) {
    mesh_case *m = *state;
    static const char text[] =
        "<triangles count=\"1\">" COLLADA_INPUT "<p>0 0 1 0 2 0</p>"
        "<input semantic=\"NORMAL\" source=\"#gs\" offset=\"1\"/></triangles>";
    for (int i = 0; i < 2; i++) {
        second_options(m, i);
        assert_int_equal(changed_twice(m, COLLADA_TRIANGLES, text), GRAZE_OK);
        assert_int_equal(m->soup->triangle_count, 1);
        assert_warned(m, "second-reader-failed",
                      "not compared with assimp: assimp cannot read the "
                      "file: Expected different index count");
    }
}

// ------------------------------------------------------------------------------- no false alarm

static void test_what_both_read_alike_is_no_warning(void **state) {
    mesh_case *m = *state;
    static const char *const fine[][2] = {
        {"", ""},
        {COLLADA_POSITIONS, "0.1 0.2 0.3 1.7 0 0 0 1e-3 0 0 0 1 1 1 1"},
        {"<up_axis>Z_UP", "<up_axis>X_UP"},
        {"meter=\"1\"", "meter=\"0.0254\""},
        {INSTANCE, "<scale>-1 1 1</scale>" INSTANCE},
        {INSTANCE, "<rotate>0 0 1 33.3</rotate><translate>1000 0 0</translate>" INSTANCE},
        {"<p>0 1 2</p>", "<p>0 0 1</p>"}, // no area
        {COLLADA_TRIANGLES,
         COLLADA_TRIANGLES "<lines count=\"1\">" COLLADA_INPUT "<p>0 1</p></lines>"},
    };
    static const graze_collada profiles[] = {GRAZE_COLLADA_ROS, GRAZE_COLLADA_SPEC,
                                             GRAZE_COLLADA_MOVEIT};
    for (size_t i = 0; i < 6 * (sizeof fine / sizeof *fine); i++) {
        second_options(m, i % 2);
        m->options.collada = profiles[i / 2 % 3];
        assert_int_equal(changed_twice(m, fine[i / 6][0], fine[i / 6][1]), GRAZE_OK);
        for (size_t k = 0; k < m->warnings.count; k++)
            if (strcmp(m->warnings.items[k].code, "mesh-face-without-area") != 0)
                fail_msg("%s: %s", fine[i / 6][1], m->warnings.items[k].message);
    }
}

static void test_a_scale_of_the_robot_is_of_both(void **state) {
    mesh_case *m = *state;
    static const double scales[][3] = {{0.001, 0.001, 0.001}, {-3, 2, 1000}, {1, -1, -1}};
    second_options(m, false);
    mesh_case_write(m, "a.dae", COLLADA_TEXT, strlen(COLLADA_TEXT));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(read_twice(m, mesh_case_path(m, "a.dae"), scales[i]), GRAZE_OK);
        assert_int_equal(m->warnings.count, 0);
    }
}

/// Appends a chain of transforms; pivots far away are gone to and come back from.
static char *put_chain(char *at, gz_random *random) {
    for (unsigned i = 1 + gz_random_below(random, 8); i > 0; i--) {
        double v[3], angle = gz_random_range(random, -720, 720);
        for (int k = 0; k < 3; k++) v[k] = gz_random_range(random, -10, 10);
        double axis = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        switch (gz_random_below(random, 4)) {
        case 0:
            at += sprintf(at, "<translate>%.9g %.9g %.9g</translate>", v[0], v[1], v[2]);
            break;
        case 1:
            at += sprintf(at, "<rotate>%.17g %.17g %.17g %.9g</rotate>", v[0] / axis, v[1] / axis,
                          v[2] / axis, angle);
            break;
        case 2:
            at += sprintf(at, "<scale>%.9g 1.5 0.7</scale>", v[0] / 5);
            break;
        default:
            at += sprintf(at, "<matrix>%.9g 0 1 3 0 1 0 %.9g -1 0 %.9g 5 0 0 0 1</matrix>",
                          v[0] / 5, v[1], v[2] / 10);
        }
    }
    return at;
}

static void test_rounding_of_long_chains_is_no_difference(void **state) {
    mesh_case *m = *state;
    second_options(m, true);
    gz_random random = gz_random_make(5, 9);
    for (int round = 0; round < 300; round++) {
        char nodes[4096], *at = nodes;
        int depth = 1 + (int)gz_random_below(&random, 4);
        for (int i = 0; i < depth; i++) at = put_chain(stpcpy(at, "<node>"), &random);
        at = stpcpy(at, INSTANCE);
        for (int i = 0; i < depth; i++) at = stpcpy(at, "</node>");
        graze_status status = changed_twice(m, "<node id=\"n\">" INSTANCE "</node>", nodes);
        if (status == GRAZE_ERROR_RANGE) continue;
        assert_int_equal(status, GRAZE_OK);
        if (m->warnings.count) fail_msg("%s: %s", nodes, m->warnings.items[0].message);
    }
}

/// Both sides of a sheet, as some programs draw it, with straight angles that rounding bends one
/// way or the other: each side may be cut as the other one is in the other reading.
static void test_both_sides_of_a_sheet_are_cut_alike_or_not(void **state) {
    mesh_case *m = *state;
    static const char *const positions =
        "0 0 0 .3 0 0 1 0 0 2 0 0 2 .7 0 2 1 0 1.1 1 0 0 1 0 0 .9 0";
    static const char *const kinds[] = {
        "<polylist count=\"2\">" COLLADA_INPUT "<vcount>9 9</vcount>"
        "<p>0 1 2 3 4 5 6 7 8 4 3 2 1 0 8 7 6 5</p></polylist>",
        "<polygons count=\"2\">" COLLADA_INPUT "<p>0 1 2 3 4 5 6 7 8</p>"
        "<p>6 5 4 3 2 1 0 8 7</p></polygons>"};
    second_options(m, true);
    for (int i = 0; i < 100; i++) {
        char node[200];
        snprintf(node, sizeof node,
                 "<rotate>.6 0 .8 %d.3</rotate><rotate>.28 .96 0 %d.7</rotate>%s%s", i, 3 * i,
                 INSTANCE, i % 3 ? "" : INSTANCE);
        assert_int_equal(read_mesh(m, positions, 9, kinds[i % 2], node), GRAZE_OK);
        if (m->warnings.count) fail_msg("%s: %s", node, m->warnings.items[0].message);
    }
}

// nftw() hands its visitor no pointer of the caller's.
static mesh_case *visited_case;
static int visited_files, visited_good, visited_warned;

static int visit(const char *path, const struct stat *about, int type, struct FTW *where) {
    (void)about, (void)where;
    size_t n = strlen(path);
    if (type != FTW_F || n < 4 || strcmp(path + n - 4, ".dae") != 0) return 0;
    mesh_case *m = visited_case;
    m->budget = (gz_mesh_budget){.triangles_left = m->options.limits.triangles};
    visited_files++;
    visited_good += read_twice(m, path, NULL) == GRAZE_OK;
    static const char *const codes[] = {"readers-differ", "second-reader-failed"};
    for (int i = 0; i < 2; i++) {
        const graze_warning *w = find_warning(m, codes[i]);
        if (!w) continue;
        print_message("%s:%d: %s: %s\n", path, (int)w->line, w->code, w->message);
        visited_warned++;
    }
    return 0;
}

static void test_every_collada_file_at_hand_reads_alike(void **state) {
    visited_case = *state;
    visited_files = visited_good = visited_warned = 0;
    second_options(*state, false);
    nftw(GRAZE_SOURCE_DIR "/tests/bad/mesh", visit, 16, FTW_PHYS);
    nftw(GRAZE_SOURCE_DIR "/meshes", visit, 16, FTW_PHYS);
    const char *data = getenv("GRAZE_TEST_DATA");
    if (data)
        nftw(data, visit, 32, FTW_PHYS);
    else
        print_message("GRAZE_TEST_DATA is not set: only the repository's files were read\n");
    print_message("%d files, %d of them readable, %d with a warning\n", visited_files, visited_good,
                  visited_warned);
    assert_true(visited_good > 0);
    assert_int_equal(visited_warned, 0);
}

// ---------------------------------------------------------------------------- a hostile importer

static void test_whatever_the_importer_does_the_file_is_read(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *behaviour, *message;
    } cases[] = {{"exit", "ended with exit status 3 without a whole answer"},
                 {"segv", "the importer was killed by signal 11 (Segmentation fault)"},
                 {"crash-after", "the importer was killed by signal 11"},
                 {"garbage", "the importer's answer has the mark"},
                 {"nan", "a coordinate out of range"},
                 {"index", "vertex index 3"},
                 {"more-triangles", "at least 64000001 triangles"},
                 {"long-message", "a message size of 4294967295"},
                 {"odd-message", "not compared with assimp: ??????"},
                 {"hang", "the imports took more than 4 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s", mesh_case_path(m, cases[i].behaviour));
        assert_int_equal(symlink(GRAZE_STAND_IN, path), 0);
        m->options.importer = path;
        m->options.importer_seconds = 1;
        m->budget.import_processor = m->budget.import_clock = 0; // each is a load of its own
        assert_int_equal(changed_twice(m, "", ""), GRAZE_OK);
        assert_int_equal(m->soup->triangle_count, 1);
        assert_warned(m, "second-reader-failed", cases[i].message);
        assert_null(strstr(m->warnings.items[0].message, "allowed"));
    }
    m->options.importer = "/nowhere/graze-import";
    m->budget.import_processor = m->budget.import_clock = 0;
    assert_int_equal(changed_twice(m, "", ""), GRAZE_OK);
    assert_warned(m, "second-reader-failed", "/nowhere/graze-import cannot be started");
}

static void test_an_importer_that_lies_is_a_difference(void **state) {
    mesh_case *m = *state;
    char path[512];
    snprintf(path, sizeof path, "%s", mesh_case_path(m, "fine")); // one triangle, whatever it reads
    assert_int_equal(symlink(GRAZE_STAND_IN, path), 0);
    m->options.importer = path;
    m->options.importer_seconds = 60;
    assert_int_equal(changed_twice(m, "", ""), GRAZE_OK);
    assert_int_equal(m->warnings.count, 0); // it is the right one, by chance
    assert_int_equal(changed_twice(m, "meter=\"1\"", "meter=\"2\""), GRAZE_OK);
    assert_true(m->soup->vertices[3] == 2);
    assert_warned(m, "readers-differ", "bounds up to 1 m apart");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_instances_that_assimp_drops_or_takes_for_others),
        MESH_TEST(test_text_that_assimp_reads_partly),
        MESH_TEST(test_numbers_that_assimp_reads_wrongly),
        MESH_TEST(test_transforms_that_assimp_stretches),
        MESH_TEST(test_params_and_inputs_that_assimp_mixes_up),
        MESH_TEST(test_a_corner_that_triangles_share_and_assimp_misreads),
        MESH_TEST(test_a_vertex_without_triangles_hides_no_difference),
        MESH_TEST(test_a_crash_of_assimp_is_a_warning),
        MESH_TEST(test_a_file_that_assimp_refuses_is_a_warning),
        MESH_TEST(test_what_both_read_alike_is_no_warning),
        MESH_TEST(test_a_scale_of_the_robot_is_of_both),
        MESH_TEST(test_rounding_of_long_chains_is_no_difference),
        MESH_TEST(test_both_sides_of_a_sheet_are_cut_alike_or_not),
        MESH_TEST(test_every_collada_file_at_hand_reads_alike),
        MESH_TEST(test_whatever_the_importer_does_the_file_is_read),
        MESH_TEST(test_an_importer_that_lies_is_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
