#include <math.h>

#include "base/random.h"
#include "unit/load/collada_text.h"

// ------------------------------------------------------------------------------ what a file says

/// One change to the file, and the triangles that it then has.
typedef struct reading {
    const char *from, *to;
    size_t count;
    double corners[27];
} reading;

static void assert_readings(mesh_case *m, const reading *readings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const reading *r = &readings[i];
        if (read_changed(m, r->from, r->to)) fail_msg("%s: %s", r->to, m->error.message);
        assert_triangles(m, r->corners, r->count, 1e-12);
        assert_int_equal(m->warnings.count, 0);
    }
}
#define READINGS(m, r) assert_readings(m, r, sizeof(r) / sizeof *(r))

#define TRIANGLE 0, 0, 0, 1, 0, 0, 0, 1, 0
#define SCENE(nodes)                                                                               \
    "<library_visual_scenes><visual_scene id=\"S\">" nodes                                         \
    "</visual_scene></library_visual_scenes>\n"
#define INSTANCE "<instance_geometry url=\"#g\"/>"
#define NODES                                                                                      \
    "<library_visual_scenes><visual_scene id=\"S\"><node id=\"n\">" INSTANCE "</node>"             \
    "</visual_scene></library_visual_scenes>\n"

static void test_instances_of_any_node_of_the_file_are_there(void **state) {
    mesh_case *m = *state;
    static const reading readings[] = {
        // Nested in a library.
        {"<library_nodes/>\n" NODES,
         "<library_nodes><node id=\"L\"><node id=\"in\"><translate>5 0 0</translate>" INSTANCE
         "</node></node></library_nodes>\n" SCENE(
             "<node>" INSTANCE "</node><node><instance_node url=\"#in\"/></node>"),
         2,
         {TRIANGLE, 5, 0, 0, 6, 0, 0, 5, 1, 0}},
        // Of a scene that is not shown.
        {NODES,
         SCENE("<node>" INSTANCE "</node><node><instance_node url=\"#z\"/></node>"
               "</visual_scene><visual_scene id=\"T\"><node id=\"z\"><scale>2 2 2</scale>" INSTANCE
               "</node>"),
         2,
         {TRIANGLE, 0, 0, 0, 2, 0, 0, 0, 2, 0}},
        // By id, whatever another's name is.
        {NODES,
         SCENE("<node id=\"A\" name=\"B\">" INSTANCE "</node><node><translate>0 0 7</translate>"
               "<instance_node url=\"#B\"/></node><node id=\"D\"><node id=\"B\" name=\"x\">"
               "<translate>9 0 0</translate>" INSTANCE "</node></node>"),
         3,
         {TRIANGLE, 9, 0, 7, 10, 0, 7, 9, 1, 7, 9, 0, 0, 10, 0, 0, 9, 1, 0}},
        {NODES, SCENE("<node>" INSTANCE INSTANCE "</node>"), 2, {TRIANGLE, TRIANGLE}},
    };
    READINGS(m, readings);
}

static void test_comments_in_text_are_not_its_end(void **state) {
    mesh_case *m = *state;
#define POLYGONS(inside)                                                                           \
    "<polygons count=\"1\">" COLLADA_INPUT "<p>0 1 " inside "2 3</p></polygons>"
#define SQUARE                                                                                     \
    { TRIANGLE, 0, 0, 0, 0, 1, 0, 0, 0, 1 }
    static const reading readings[] = {
        {COLLADA_TRIANGLES, POLYGONS("<!-- 9 -->"), 2, SQUARE},
        {COLLADA_TRIANGLES, POLYGONS("<?some thing?>"), 2, SQUARE},
        {COLLADA_TRIANGLES,
         "<polygons count=\"1\">" COLLADA_INPUT "<p>0 1<![CDATA[ 2 ]]>3</p></polygons>", 2, SQUARE},
        {COLLADA_TRIANGLES,
         "<polylist count=\"1\">" COLLADA_INPUT
         "<vcount><!-- 3 -->4</vcount><p>0 1 <!-- -->2 3</p></polylist>",
         2, SQUARE},
        {COLLADA_TRIANGLES,
         "<tristrips count=\"1\">" COLLADA_INPUT "<p>0 1<!-- --> 2 3</p></tristrips>",
         2,
         {TRIANGLE, 1, 0, 0, 0, 0, 1, 0, 1, 0}},
    };
    READINGS(m, readings);
}

static void test_the_order_of_children_changes_nothing(void **state) {
    mesh_case *m = *state;
    static const reading readings[] = {
        {COLLADA_TRIANGLES,
         "<triangles count=\"1\">" COLLADA_INPUT "<p>0 0 1 0 2 0</p>"
         "<input semantic=\"NORMAL\" source=\"#gs\" offset=\"1\"/></triangles>",
         1,
         {TRIANGLE}},
        {COLLADA_TRIANGLES,
         "<polylist count=\"1\">" COLLADA_INPUT "<p>0 1 2</p><vcount>3</vcount></polylist>",
         1,
         {TRIANGLE}},
    };
    READINGS(m, readings);
}

static void test_numbers_of_any_length_are_rounded_correctly(void **state) {
    mesh_case *m = *state;
    static const reading readings[] = {
        {COLLADA_POSITIONS,
         "0 0 0 0.00000000000000000002e20 0 0 0 3 0 0 0 1 1 1 1",
         1,
         {0, 0, 0, 2, 0, 0, 0, 3, 0}},
        {COLLADA_POSITIONS,
         "0 0 0 100000000000000000000e-20 0 0 0 3 0 0 0 1 1 1 1",
         1,
         {0, 0, 0, 1, 0, 0, 0, 3, 0}},
        {COLLADA_POSITIONS,
         "0 0 0 00000000000000000000000000004 0 0 0 3 0 0 0 1 1 1 1",
         1,
         {0, 0, 0, 4, 0, 0, 0, 3, 0}},
        {COLLADA_POSITIONS, "+0 -0 .0 1. 0 0 0 1.E0 0 0 0 1 1 1 1", 1, {TRIANGLE}},
        {INSTANCE,
         "<translate>0.00000000000000000002e20 0 0</translate>" INSTANCE,
         1,
         {2, 0, 0, 3, 0, 0, 2, 1, 0}},
    };
    READINGS(m, readings);
    assert_int_equal(read_changed(m, COLLADA_POSITIONS, "0.1 0 0 1 0 0 0 1 0 0 0 1 1 1 1"),
                     GRAZE_OK);
    assert_true(m->soup->vertices[0] == 0.1); // the nearest double, not the nearest float
}

static void test_params_of_other_names_pass_over_a_value(void **state) {
    mesh_case *m = *state;
    static const char *const names[] = {"S", "T", "P", "R", "G", "B", "U", "V", "W", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<float_array id=\"ga\" count=\"12\">0 0 0 7 1 0 0 8 0 1 0 9</float_array>"
                 "<technique_common><accessor source=\"#ga\" count=\"3\" stride=\"4\">%s"
                 "<param name=\"%s\"/></accessor>",
                 COLLADA_PARAMS, names[i]);
        static const reading wanted = {.corners = {TRIANGLE}};
        assert_int_equal(read_changed(m,
                                      "<float_array id=\"ga\" count=\"15\">" COLLADA_POSITIONS
                                      "</float_array><technique_common><accessor source=\"#ga\" "
                                      "count=\"5\" stride=\"3\">" COLLADA_PARAMS "</accessor>",
                                      text),
                         GRAZE_OK);
        assert_triangles(m, wanted.corners, 1, 0);
    }
    static const reading turned[] = {{COLLADA_PARAMS,
                                      "<param name=\"Z\"/><param name=\"Y\"/><param name=\"X\"/>",
                                      1,
                                      {0, 0, 0, 0, 0, 1, 0, 1, 0}}};
    READINGS(m, turned);
}

static void test_turns_keep_lengths_and_angles(void **state) {
    mesh_case *m = *state;
    static const reading readings[] = {
        {INSTANCE, "<rotate>0 0 2 90</rotate>" INSTANCE, 1, {0, 0, 0, 0, 1, 0, -1, 0, 0}},
        {INSTANCE, "<rotate>0 0 1e-300 90</rotate>" INSTANCE, 1, {0, 0, 0, 0, 1, 0, -1, 0, 0}},
        {INSTANCE, "<rotate>0 0 1e300 -270</rotate>" INSTANCE, 1, {0, 0, 0, 0, 1, 0, -1, 0, 0}},
        {INSTANCE, "<rotate>0 0 1 36000090</rotate>" INSTANCE, 1, {0, 0, 0, 0, 1, 0, -1, 0, 0}},
        {INSTANCE, "<rotate>0 0 0 0</rotate>" INSTANCE, 1, {TRIANGLE}},
        // From (0 0 5) down to 0, y up; then the same with an up that leans towards the view.
        {INSTANCE, "<lookat>0 0 5 0 0 0 0 1 0</lookat>" INSTANCE, 1, {0, 0, 5, 1, 0, 5, 0, 1, 5}},
        {INSTANCE, "<lookat>0 0 5 0 0 0 0 3 -3</lookat>" INSTANCE, 1, {0, 0, 5, 1, 0, 5, 0, 1, 5}},
        // Along x: -z becomes x, x becomes -y.
        {INSTANCE, "<lookat>0 0 0 4 0 0 0 0 1</lookat>" INSTANCE, 1, {0, 0, 0, 0, -1, 0, 0, 0, 1}},
    };
    READINGS(m, readings);
    static const struct {
        const char *transform;
        graze_status status;
        const char *message;
    } bad[] = {
        {"<skew>45 0 1 0 1 0 0</skew>", GRAZE_ERROR_UNSUPPORTED, "<skew>"},
        {"<rotate>0 0 0 90</rotate>", GRAZE_ERROR_RANGE, "<rotate> is not finite"},
        {"<lookat>0 0 5 0 0 5 0 1 0</lookat>", GRAZE_ERROR_RANGE, "<lookat> is not finite"},
        {"<lookat>0 0 5 0 0 0 0 0 1</lookat>", GRAZE_ERROR_RANGE, "<lookat> is not finite"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", bad[i].transform, INSTANCE);
        assert_int_equal(read_changed(m, INSTANCE, text), bad[i].status);
        assert_message(m, bad[i].message);
    }
}

// --------------------------------------------------------------------------------- random scenes

/// A file in the making, with the corners that its scene has. Nothing here parses: the corners are
/// computed beside the text, point by point, one transform after the other.
typedef struct made {
    gz_random random;
    char text[65536];
    size_t size;
    struct step {
        int kind; ///< 0 translate, 1 scale, 2 a turn about an axis of the frame, 3 matrix
        int axis;
        double v[12];
    } steps[64]; ///< from the root to the node at hand
    int depth;
    double corners[9 * 4096];
    size_t count;
} made;

static void put(made *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(f->text + f->size, sizeof f->text - f->size, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof f->text - f->size);
    f->size += (size_t)n;
}

/// A number with few digits, written in one of two ways; never 0, so that no scale flattens.
static double number(made *f) {
    double value = (1 + gz_random_below(&f->random, 2000)) / 1000.0;
    if (gz_random_below(&f->random, 2)) value = -value;
    put(f, gz_random_below(&f->random, 2) ? "%.3f " : "%.10e\n", value);
    return value;
}

static void apply(const struct step *s, double p[3]) {
    double q[3] = {p[0], p[1], p[2]};
    int i = (s->axis + 1) % 3, j = (s->axis + 2) % 3;
    switch (s->kind) {
    case 0:
        for (int k = 0; k < 3; k++) p[k] += s->v[k];
        break;
    case 1:
        for (int k = 0; k < 3; k++) p[k] *= s->v[k];
        break;
    case 2:
        p[i] = cos(s->v[0] * M_PI / 180) * q[i] - sin(s->v[0] * M_PI / 180) * q[j];
        p[j] = sin(s->v[0] * M_PI / 180) * q[i] + cos(s->v[0] * M_PI / 180) * q[j];
        break;
    default:
        for (int k = 0; k < 3; k++)
            p[k] = s->v[4 * k] * q[0] + s->v[4 * k + 1] * q[1] + s->v[4 * k + 2] * q[2] +
                   s->v[4 * k + 3];
    }
}

static void put_transform(made *f) {
    static const char *const tags[] = {"translate", "scale", "rotate", "matrix"};
    struct step *s = &f->steps[f->depth++];
    *s = (struct step){.kind = (int)gz_random_below(&f->random, 4),
                       .axis = (int)gz_random_below(&f->random, 3)};
    put(f, "<%s>", tags[s->kind]);
    if (s->kind == 2) {
        static const char *const axes[] = {"3 0 0 ", "0 0.5 0 ", "0 0 1 "};
        put(f, "%s", axes[s->axis]);
        s->v[0] = number(f);
    } else {
        for (int k = 0; k < (s->kind == 3 ? 12 : 3); k++) s->v[k] = number(f);
    }
    put(f, "%s</%s>", s->kind == 3 ? "0 0 0 1" : "", tags[s->kind]);
}

enum { GEOMETRIES = 4, POINTS = 12 };

typedef struct geometry {
    double points[POINTS][3];
    int corners[24][3], count;
} geometry;

/// A geometry of triangles, triangles in polygons, and strips, its positions in a random layout.
static void put_geometry(made *f, geometry *g, int index) {
    int stride = 3 + (int)gz_random_below(&f->random, 3);
    int x = (int)gz_random_below(&f->random, (unsigned)(stride - 2));
    int offset = (int)gz_random_below(&f->random, 3);
    put(f, "<geometry id=\"g%d\"><mesh><source id=\"s%d\"><float_array id=\"a%d\" count=\"%d\">",
        index, index, index, offset + POINTS * stride);
    for (int i = 0; i < offset; i++) number(f);
    for (int i = 0; i < POINTS * stride; i++) {
        double value = number(f);
        int at = i % stride - x;
        if (at >= 0 && at < 3) g->points[i / stride][at] = value;
    }
    put(f,
        "</float_array><technique_common><accessor source=\"#a%d\" count=\"%d\" offset=\"%d\" "
        "stride=\"%d\">",
        index, POINTS, offset, stride);
    for (int i = 0; i < x; i++) put(f, "<param name=\"S\"/>");
    put(f,
        COLLADA_PARAMS "</accessor></technique_common></source><vertices id=\"v%d\"><input "
                       "semantic=\"POSITION\" source=\"#s%d\"/></vertices>",
        index, index);
    g->count = 0;
    for (int round = 0; round < 4; round++) {
        static const char *const tags[] = {"triangles", "polylist", "polygons", "tristrips"};
        const char *tag = tags[round];
        bool second = gz_random_below(&f->random, 2);
        int strip = round == 3 ? 5 : 3;
        put(f, "<%s count=\"%d\"><input semantic=\"VERTEX\" source=\"#v%d\" offset=\"%d\"/>", tag,
            round == 0 ? 2 : 1, index, second);
        if (second) put(f, "<input semantic=\"NORMAL\" source=\"#s%d\" offset=\"0\"/>", index);
        put(f, "%s<p>", round == 1 ? "<vcount>3</vcount>" : "");
        int list[6];
        for (int i = 0; i < (round == 0 ? 6 : strip); i++) {
            list[i] = (int)gz_random_below(&f->random, POINTS);
            if (second) put(f, "%u ", gz_random_below(&f->random, POINTS));
            put(f, "%d%s", list[i], gz_random_below(&f->random, 4) ? " " : " <!-- 1 -->");
        }
        put(f, "</p></%s>", tag);
        int triangles = round == 0 ? 2 : strip - 2, pace = round == 0 ? 3 : 1;
        for (int t = 0; t < triangles; t++)
            for (int k = 0; k < 3; k++) {
                bool odd = round == 3 && t % 2 && k;
                g->corners[g->count + t][k] = list[pace * t + (odd ? 3 - k : k)];
            }
        g->count += triangles;
    }
    put(f, "</mesh></geometry>\n");
}

static void expect(made *f, const geometry *g, const struct step *more, int more_count) {
    // The points, and where the frame's origin and axes go: whether that is mirrored.
    double placed[POINTS + 4][3] = {{0}};
    memcpy(placed, g->points, sizeof g->points);
    for (int k = 0; k < 3; k++) placed[POINTS + 1 + k][k] = 1;
    for (int i = 0; i < POINTS + 4; i++) {
        for (int k = more_count; k-- > 0;) apply(&more[k], placed[i]);
        for (int k = f->depth; k-- > 0;) apply(&f->steps[k], placed[i]);
    }
    double d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) d[i][k] = placed[POINTS + 1 + i][k] - placed[POINTS][k];
    double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                 d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                 d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    for (int t = 0; t < g->count; t++, f->count++)
        for (int k = 0; k < 3; k++)
            memcpy(f->corners + 9 * f->count + 3 * k,
                   placed[g->corners[t][det < 0 && k ? 3 - k : k]], sizeof placed[0]);
}

/// A node with transforms, instances and nodes of its own.
static void put_node(made *f, const geometry *all, const made *library, int shared, int levels) {
    int depth = f->depth;
    put(f, "<node>");
    for (unsigned i = gz_random_below(&f->random, 3); i > 0; i--) put_transform(f);
    for (unsigned i = gz_random_below(&f->random, 3); i > 0; i--) {
        unsigned g = gz_random_below(&f->random, GEOMETRIES);
        put(f, "<instance_geometry url=\"#g%u\"/>", g);
        expect(f, &all[g], NULL, 0);
    }
    if (gz_random_below(&f->random, 2)) {
        put(f, "<instance_node url=\"#shared\"/>");
        expect(f, &all[shared], library->steps, library->depth);
    }
    for (unsigned i = gz_random_below(&f->random, 3); i > 0 && levels > 0; i--)
        put_node(f, all, library, shared, levels - 1);
    put(f, "</node>\n");
    f->depth = depth;
}

static void test_random_scenes_stand_where_their_nodes_put_them(void **state) {
    mesh_case *m = *state;
    made *f = malloc(sizeof *f), *library = malloc(sizeof *library);
    assert_non_null(f);
    assert_non_null(library);
    size_t triangles = 0;
    for (int round = 0; round < 200; round++) {
        geometry all[GEOMETRIES];
        f->random = gz_random_make(77, (uint64_t)round);
        f->size = f->count = 0;
        f->depth = 0;
        put(f, "<COLLADA><asset><up_axis>Z_UP</up_axis></asset>\n<library_geometries>");
        for (int i = 0; i < GEOMETRIES; i++) put_geometry(f, &all[i], i);
        put(f, "</library_geometries><library_nodes><node><node id=\"shared\" name=\"g0\">");
        put_transform(f);
        put_transform(f);
        library->depth = f->depth;
        memcpy(library->steps, f->steps, sizeof f->steps);
        f->depth = 0;
        put(f,
            "<instance_geometry url=\"#g%d\"/></node></node></library_nodes>\n"
            "<library_visual_scenes><visual_scene id=\"S\"><node><instance_geometry url=\"#g0\"/>"
            "</node>",
            round % GEOMETRIES);
        expect(f, &all[0], NULL, 0);
        for (int i = 0; i < 3; i++) put_node(f, all, library, round % GEOMETRIES, 3);
        put(f, "</visual_scene></library_visual_scenes><scene><instance_visual_scene "
               "url=\"#S\"/></scene></COLLADA>");
        graze_status status = mesh_case_text(m, "a.dae", f->text);
        if (status) fail_msg("round %d: %s\n%s", round, m->error.message, f->text);
        double most = 1;
        for (size_t i = 0; i < 9 * f->count; i++) most = fmax(most, fabs(f->corners[i]));
        assert_triangles(m, f->corners, f->count, 1e-12 * most);
        triangles += f->count;
    }
    assert_true(triangles > 10000);
    free(f);
    free(library);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_instances_of_any_node_of_the_file_are_there),
        MESH_TEST(test_comments_in_text_are_not_its_end),
        MESH_TEST(test_the_order_of_children_changes_nothing),
        MESH_TEST(test_numbers_of_any_length_are_rounded_correctly),
        MESH_TEST(test_params_of_other_names_pass_over_a_value),
        MESH_TEST(test_turns_keep_lengths_and_angles),
        MESH_TEST(test_random_scenes_stand_where_their_nodes_put_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
