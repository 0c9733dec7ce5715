#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "unit/load/mesh_case.h"

/// The buffer of all tests: four corners as floats (48 bytes), six indices of two bytes (12), and
/// the corners again as signed bytes padded to four (16).
static size_t fill_buffer(unsigned char *bytes) {
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const unsigned char indices[12] = {0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0};
    static const signed char small[16] = {0, 0, 0, 0, 127, 0, 0, 0, 0, -128, 0, 0, 127, 1, 2, 0};
    memcpy(bytes, corners, 48);
    memcpy(bytes + 48, indices, 12);
    memcpy(bytes + 60, small, 16);
    return 76;
}

#define ACCESSORS                                                                                  \
    "\"accessors\":["                                                                              \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                     \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"                   \
    "{\"bufferView\":2,\"componentType\":5120,\"normalized\":true,\"count\":4,\"type\":\"VEC3\"}"  \
    "],\"bufferViews\":["                                                                          \
    "{\"buffer\":0,\"byteLength\":48},"                                                            \
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"                                          \
    "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":16,\"byteStride\":4}]"
#define ASSET            "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
#define BUFFER           ",\"buffers\":[{\"byteLength\":76,\"uri\":\"mesh%20data.bin\"}]}"
#define NODE             "\"nodes\":[{\"mesh\":0}],"
#define MESH(primitives) "\"meshes\":[{\"primitives\":[" primitives "]}],"
#define INDEXED          "{\"attributes\":{\"POSITION\":0,\"NORMAL\":99},\"indices\":1,\"material\":7}"

static graze_status read_json(mesh_case *m, const char *json) {
    unsigned char bytes[76];
    size_t size = fill_buffer(bytes);
    mesh_case_write(m, "mesh data.bin", bytes, size);
    return mesh_case_text(m, "a.gltf", json);
}

static void test_indexed_triangles(void **state) {
    mesh_case *m = *state;
    static const double square[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};
    assert_int_equal(read_json(m, ASSET NODE MESH(INDEXED) ACCESSORS BUFFER), GRAZE_OK);
    assert_triangles(m, square, 2, 0);
}

static void test_strips_and_fans_face_one_way(void **state) {
    mesh_case *m = *state;
    static const double strip[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const double fan[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0};
    assert_int_equal(read_json(m, ASSET NODE MESH("{\"mode\":5,\"attributes\":{\"POSITION\":0}}")
                                      ACCESSORS BUFFER),
                     GRAZE_OK);
    assert_triangles(m, strip, 2, 0);
    assert_int_equal(read_json(m, ASSET NODE MESH("{\"mode\":6,\"attributes\":{\"POSITION\":0}}")
                                      ACCESSORS BUFFER),
                     GRAZE_OK);
    assert_triangles(m, fan, 2, 0);
}

static void test_lines_are_left_out_with_a_warning(void **state) {
    mesh_case *m = *state;
    const char *json = ASSET NODE MESH("{\"mode\":1,\"attributes\":{\"POSITION\":0}}," INDEXED)
        ACCESSORS BUFFER;
    assert_int_equal(read_json(m, json), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 2);
    assert_int_equal(m->soup->skipped, 1);
    assert_true(has_warning(m, "mesh-face-without-area"));
}

static void test_quantised_positions(void **state) {
    mesh_case *m = *state;
    const char *json = ASSET "\"extensionsRequired\":[\"KHR_mesh_quantization\"]," NODE MESH(
        "{\"attributes\":{\"POSITION\":2},\"indices\":1}") ACCESSORS BUFFER;
    static const double wanted[] = {0, 0,  0, 1, 0, 0, 0, -1,        0,
                                    0, -1, 0, 1, 0, 0, 1, 1 / 127.0, 2 / 127.0};
    assert_int_equal(read_json(m, json), GRAZE_OK);
    assert_triangles(m, wanted, 2, 0);
}

static void test_node_transforms_nest_and_mirror(void **state) {
    mesh_case *m = *state;
    // Node 0 moves by (10, 0, 0); its children: a quarter turn about z with a double scale, and a
    // matrix that mirrors x; the same mesh hangs on both.
    const char *json =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":1,\"scenes\":[{\"nodes\":[2]},{\"nodes\":[0]}],"
        "\"nodes\":[{\"children\":[1,2],\"translation\":[10,0,0]},"
        "{\"mesh\":0,\"rotation\":[0,0,0.7071067811865476,0.7071067811865476],\"scale\":[2,2,2]},"
        "{\"mesh\":0,\"matrix\":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]}]," MESH(
            "{\"attributes\":{\"POSITION\":0},\"indices\":1}") ACCESSORS BUFFER;
    static const double wanted[] = {10, 0, 0, 10, 2, 0, 8, 0, 0, 8,  0, 0, 10, 2, 0, 8, 2, 0,
                                    10, 0, 5, 10, 1, 5, 9, 0, 5, 10, 1, 5, 9,  1, 5, 9, 0, 5};
    assert_int_equal(read_json(m, json), GRAZE_OK);
    assert_triangles(m, wanted, 4, 1e-14);
}

static void put_u32(unsigned char *at, size_t value) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/// Wraps a document and the buffer as GLB.
static size_t make_glb(unsigned char *glb, const char *json) {
    size_t length = strlen(json), padded = (length + 3) & ~(size_t)3;
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 12, padded);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', padded);
    memcpy(glb + 20, json, length);
    unsigned char *chunk = glb + 20 + padded;
    size_t size = fill_buffer(chunk + 8);
    put_u32(chunk, size);
    memcpy(chunk + 4, "BIN\0", 4);
    size_t total = 20 + padded + 8 + size;
    put_u32(glb + 8, total);
    return total;
}

#define GLB_JSON ASSET NODE MESH(INDEXED) ACCESSORS ",\"buffers\":[{\"byteLength\":76}]}"

static void test_glb(void **state) {
    mesh_case *m = *state;
    unsigned char glb[4096];
    size_t size = make_glb(glb, GLB_JSON);
    static const double square[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};
    mesh_case_write(m, "a.glb", glb, size);
    assert_int_equal(mesh_case_read(m, "a.glb", NULL), GRAZE_OK);
    assert_triangles(m, square, 2, 0);
    mesh_case_write(m, "b.dae", glb, size);
    assert_int_equal(mesh_case_read(m, "b.dae", NULL), GRAZE_OK);
    assert_true(has_warning(m, "mesh-ending"));
    for (size_t cut = 4; cut < size; cut++) {
        mesh_case_write(m, "c.glb", glb, cut);
        graze_status status = mesh_case_read(m, "c.glb", NULL);
        if (status != GRAZE_ERROR_MESH && status != GRAZE_ERROR_PARSE)
            fail_msg("cut at %zu: status %d", cut, (int)status);
        unsigned char honest[4096]; // says its true length, so the chunks are what is wrong
        memcpy(honest, glb, cut);
        if (cut >= 12) put_u32(honest + 8, cut);
        mesh_case_write(m, "c.glb", honest, cut);
        assert_int_not_equal(mesh_case_read(m, "c.glb", NULL), GRAZE_OK);
    }
    put_u32(glb + 4, 1);
    mesh_case_write(m, "a.glb", glb, size);
    assert_int_equal(mesh_case_read(m, "a.glb", NULL), GRAZE_ERROR_UNSUPPORTED);
}

static void test_only_plain_names_beside_the_file_are_opened(void **state) {
    mesh_case *m = *state;
    assert_int_equal(mkfifo(mesh_case_path(m, "pipe.bin"), 0600), 0);
    static const struct {
        const char *uri;
        graze_status status;
    } cases[] = {
        {"../mesh%20data.bin", GRAZE_ERROR_UNSUPPORTED},
        {"./mesh%20data.bin", GRAZE_ERROR_UNSUPPORTED},
        {"/etc/passwd", GRAZE_ERROR_UNSUPPORTED},
        {"%2e%2e%2fmesh%20data.bin", GRAZE_ERROR_UNSUPPORTED},
        {"..", GRAZE_ERROR_UNSUPPORTED},
        {"", GRAZE_ERROR_UNSUPPORTED},
        {"a%00b", GRAZE_ERROR_UNSUPPORTED},
        {"a%0", GRAZE_ERROR_UNSUPPORTED},
        {"http://example.org/a.bin", GRAZE_ERROR_UNSUPPORTED},
        {"c:x.bin", GRAZE_ERROR_UNSUPPORTED},
        {"a\\\\b.bin", GRAZE_ERROR_UNSUPPORTED},
        {"absent.bin", GRAZE_ERROR_NOT_FOUND},
        {"pipe.bin", GRAZE_ERROR_IO}, // and does not hang
        {"data:;base64,!!!!", GRAZE_ERROR_PARSE},
        {"data:,plain", GRAZE_ERROR_PARSE},
        {"data:;base64,AAAA", GRAZE_ERROR_MESH}, // three bytes, not 76
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[2048];
        snprintf(json, sizeof json, "%s,\"buffers\":[{\"byteLength\":76,\"uri\":\"%s\"}]}",
                 ASSET NODE MESH(INDEXED) ACCESSORS, cases[i].uri);
        graze_status status = read_json(m, json);
        if (status != cases[i].status)
            fail_msg("uri '%s': status %d: %s", cases[i].uri, (int)status, m->error.message);
        assert_null(m->soup);
    }
    const char *image = ASSET "\"images\":[{\"uri\":\"pipe.bin\"},{\"uri\":\"../x.png\"}],"
                              "\"textures\":[{\"source\":0}]," NODE MESH(INDEXED) ACCESSORS BUFFER;
    assert_int_equal(read_json(m, image), GRAZE_OK);
}

static void test_every_bound_is_checked(void **state) {
    mesh_case *m = *state;
    // One replacement each in a document that is otherwise fine.
    static const struct {
        const char *from, *to;
        graze_status status;
        const char *message;
    } cases[] = {
        {"\"2.0\"", "\"1.0\"", GRAZE_ERROR_UNSUPPORTED, "glTF version '1.0'"},
        {"\"2.0\"", "2", GRAZE_ERROR_UNSUPPORTED, "glTF version"},
        {"\"scene\":0", "\"scene\":1", GRAZE_ERROR_MESH, "not there"},
        {"\"scene\":0", "\"scene\":-1", GRAZE_ERROR_PARSE, "\"scene\""},
        {"\"nodes\":[0]", "\"nodes\":[7]", GRAZE_ERROR_MESH, "not there"},
        {"\"nodes\":[0]", "\"nodes\":[\"a\"]", GRAZE_ERROR_PARSE, "node index"},
        {"\"nodes\":[0]", "\"nodes\":[]", GRAZE_ERROR_MESH, "no triangle"},
        {"{\"mesh\":0}", "{\"mesh\":1}", GRAZE_ERROR_MESH, "not there"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"children\":[0]}", GRAZE_ERROR_LIMIT, "in a circle"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"scale\":[0,1,1]}", GRAZE_ERROR_RANGE, "flatten"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"scale\":[1,1]}", GRAZE_ERROR_RANGE, "affine"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"rotation\":[0,0,0,0]}", GRAZE_ERROR_RANGE, "affine"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"translation\":[2e6,0,0]}", GRAZE_ERROR_RANGE, "x is 2e+06"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}",
         GRAZE_ERROR_RANGE, "affine"},
        {"{\"mesh\":0}", "{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}}",
         GRAZE_ERROR_UNSUPPORTED, "instancing"},
        {"[" INDEXED "]", "[]", GRAZE_ERROR_MESH, "no primitives"},
        {"\"POSITION\":0", "\"NOTHING\":0", GRAZE_ERROR_MESH, "without POSITION"},
        {"\"POSITION\":0", "\"POSITION\":1", GRAZE_ERROR_MESH, "allowed here: VEC3"},
        {"\"POSITION\":0", "\"POSITION\":9", GRAZE_ERROR_MESH, "not there"},
        {"\"indices\":1", "\"indices\":0", GRAZE_ERROR_MESH, "allowed here: SCALAR"},
        {"\"material\":7", "\"mode\":9", GRAZE_ERROR_MESH, "mode 9"},
        {"\"material\":7", "\"extensions\":{\"KHR_draco_mesh_compression\":{}}",
         GRAZE_ERROR_UNSUPPORTED, "Draco"},
        {"\"count\":4", "\"count\":5", GRAZE_ERROR_MESH, "within the 48 bytes of the view"},
        {"\"count\":4", "\"count\":9223372036854775807", GRAZE_ERROR_MESH, "within the 48 bytes"},
        {"\"count\":4", "\"count\":92233720368547758070", GRAZE_ERROR_PARSE, "integer"},
        {"\"count\":4", "\"count\":3", GRAZE_ERROR_MESH, "vertex index 3 in triangle 1"},
        {"\"count\":4", "\"count\":0", GRAZE_ERROR_MESH, "count is 0"},
        {"\"count\":6", "\"count\":5", GRAZE_ERROR_MESH, "5 corners"},
        {"\"count\":6", "\"count\":7", GRAZE_ERROR_MESH, "within the 12 bytes"},
        {"5126", "5125", GRAZE_ERROR_MESH, "componentType 5125"},
        {"5123", "5126", GRAZE_ERROR_MESH, "componentType 5126"},
        {"5123", "1", GRAZE_ERROR_MESH, "componentType 1"},
        {"\"byteLength\":48", "\"byteLength\":77", GRAZE_ERROR_MESH, "within the 76 bytes"},
        {"\"byteOffset\":48", "\"byteOffset\":9223372036854775807", GRAZE_ERROR_MESH,
         "within the 76 bytes"},
        {"\"buffer\":0", "\"buffer\":1", GRAZE_ERROR_MESH, "buffer 1"},
        {"\"buffer\":0", "\"buffer\":0,\"byteStride\":4", GRAZE_ERROR_MESH, "byteStride 4"},
        {"\"bufferView\":0", "\"bufferView\":9", GRAZE_ERROR_MESH, "not there"},
        {"\"bufferView\":0,", "", GRAZE_ERROR_MESH, "no bufferView"},
        {"\"bufferView\":0", "\"sparse\":{},\"bufferView\":0", GRAZE_ERROR_UNSUPPORTED, "sparse"},
        {"\"byteLength\":76", "\"byteLength\":77", GRAZE_ERROR_MESH, "there are 76 bytes"},
        {"\"byteLength\":76", "\"byteLength\":5000000000", GRAZE_ERROR_LIMIT, "memory_bytes"},
        {",\"uri\":\"mesh%20data.bin\"", "", GRAZE_ERROR_MESH, "no uri"},
        {"\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
         GRAZE_ERROR_UNSUPPORTED, "KHR_draco"},
        {"\"scene\":0", "\"scene\":0,\"scene\":0", GRAZE_ERROR_PARSE, "duplicate"},
        {"}]}", "}]", GRAZE_ERROR_PARSE, "not JSON"},
    };
    const char *fine = ASSET NODE MESH(INDEXED) ACCESSORS BUFFER;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(fine, cases[i].from);
        if (i + 1 == sizeof cases / sizeof *cases) at = fine + strlen(fine) - strlen(cases[i].from);
        assert_non_null(at);
        char json[4096];
        snprintf(json, sizeof json, "%.*s%s%s", (int)(at - fine), fine, cases[i].to,
                 at + strlen(cases[i].from));
        graze_status status = read_json(m, json);
        if (status != cases[i].status || !strstr(m->error.message, cases[i].message))
            fail_msg("%s for %s: status %d: %s", cases[i].to, cases[i].from, (int)status,
                     m->error.message);
        assert_null(m->soup);
    }
}

static void test_deep_json_hits_the_limit(void **state) {
    mesh_case *m = *state;
    char json[2048], *at = json;
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"extras\":");
    for (int i = 0; i < 64; i++) *at++ = '[';
    for (int i = 0; i < 64; i++) *at++ = ']';
    strcpy(at, "}");
    assert_int_equal(mesh_case_text(m, "a.gltf", json), GRAZE_ERROR_LIMIT);
    assert_message(m, "JSON nests 65 deep");
}

static void test_instances_count_against_the_budget(void **state) {
    mesh_case *m = *state;
    const char *json =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,0,0]}]," NODE MESH(INDEXED)
            ACCESSORS BUFFER;
    m->budget.triangles_left = 6;
    assert_int_equal(read_json(m, json), GRAZE_OK);
    m->budget.triangles_left = 5;
    assert_int_equal(read_json(m, json), GRAZE_ERROR_LIMIT);
    m->budget.triangles_left = 6;
    m->options.limits.elements = 2;
    assert_int_equal(read_json(m, json), GRAZE_ERROR_LIMIT);
    assert_message(m, "elements of 2");
}

static void test_what_moves_a_mesh_from_its_positions_is_refused(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *node, *mesh, *message; ///< message NULL: fine
    } cases[] = {
        {"", "", NULL},
        {"", ",\"weights\":[0,0.0]", NULL},
        {"", ",\"weights\":[0,0.5]", "morph targets"},
        {"", ",\"weights\":1", "morph targets"},
        {",\"weights\":[1]", "", "morph targets"},
        {",\"weights\":[0]", ",\"weights\":[1]", NULL}, // in place of the mesh's
        {",\"skin\":0", "", "skeleton"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 ASSET "\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{\"primitives\":[" INDEXED
                       "]%s}]," ACCESSORS "%s",
                 cases[i].node, cases[i].mesh, BUFFER);
        graze_status status = read_json(m, text);
        if (status != (cases[i].message ? GRAZE_ERROR_UNSUPPORTED : GRAZE_OK))
            fail_msg("case %zu: status %d: %s", i, (int)status, m->error.message);
        if (cases[i].message) assert_message(m, cases[i].message);
    }
}

static void test_one_of_several_scenes_must_be_named(void **state) {
    mesh_case *m = *state;
#define SCENES "\"scenes\":[{\"nodes\":[0]},{\"nodes\":[0,0]}],"
    assert_int_equal(read_json(m, "{\"asset\":{\"version\":\"2.0\"}," SCENES NODE MESH(INDEXED)
                                      ACCESSORS BUFFER),
                     GRAZE_ERROR_UNSUPPORTED);
    assert_message(m, "2 scenes");
    assert_int_equal(read_json(m, "{\"asset\":{\"version\":\"2.0\"},\"scene\":1," SCENES NODE MESH(
                                      INDEXED) ACCESSORS BUFFER),
                     GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 4);
}

/// Files of 200 and 650 kB took a minute and an hour.
/// Files of 200 and 650 kB took a minute and an hour.
static void test_primitives_and_weights_multiply_within_limits_only(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *primitives;
        bool weights;
        graze_status status;
    } cases[] = {
        {INDEXED ",{\"mode\":0}", false, GRAZE_OK},
        // 10,000 looks at a weight, where 6,400 are fine.
        {INDEXED, true, GRAZE_ERROR_LIMIT},
        // Five primitives in each of 100 nodes, where 400 are fine.
        {INDEXED ",{\"mode\":0},{\"mode\":0},{\"mode\":0},{\"mode\":0}", false, GRAZE_ERROR_LIMIT},
    };
    char list[200] = "0"; // 100 of them: nodes, and weights
    for (size_t n = 1; n < 199; n += 2) memcpy(list + n, ",0", 3);
    m->options.limits.elements = 100;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[4096];
        snprintf(json, sizeof json,
                 "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[%s]}]," NODE
                 "\"meshes\":[{\"primitives\":[%s],\"weights\":[%s]}]," ACCESSORS "%s",
                 list, cases[i].primitives, cases[i].weights ? list : "", BUFFER);
        assert_int_equal(read_json(m, json), cases[i].status);
        if (cases[i].status) assert_message(m, "repeated nodes counted");
    }
}

/// Bytes that a buffer does not claim are read all the same: a hundred buffers of none of the bytes
/// of a file of 50 MB took 5 GB.
static void test_buffers_count_with_all_that_is_read(void **state) {
    mesh_case *m = *state;
    static const char zeros[100000];
    char json[4096];
    mesh_case_write(m, "zeros.bin", zeros, sizeof zeros);
    int n = snprintf(json, sizeof json, "%s", ASSET NODE MESH(INDEXED) ACCESSORS BUFFER) - 2;
    for (int i = 0; i < 20; i++)
        n += snprintf(json + n, sizeof json - (size_t)n,
                      ",{\"byteLength\":0,\"uri\":\"zeros.bin\"}");
    snprintf(json + n, sizeof json - (size_t)n, "]}");
    assert_int_equal(read_json(m, json), GRAZE_OK);
    m->options.limits.memory_bytes = 1000000;
    assert_int_equal(read_json(m, json), GRAZE_ERROR_LIMIT);
    assert_message(m, "the buffers takes about");
}

/// An empty object takes some 240 bytes for its three in the file.
static void test_json_counts_with_what_it_takes_in_memory(void **state) {
    mesh_case *m = *state;
    static char json[70000];
    int n = snprintf(json, sizeof json, "{\"extras\":[{}");
    for (int i = 0; i < 20000; i++) n += snprintf(json + n, 4, ",{}");
    snprintf(json + n, sizeof json - (size_t)n, "],%s",
             &ASSET NODE MESH(INDEXED) ACCESSORS BUFFER[1]);
    assert_int_equal(read_json(m, json), GRAZE_OK);
    m->options.limits.memory_bytes = 20000 * 230;
    assert_int_equal(read_json(m, json), GRAZE_ERROR_LIMIT);
    assert_message(m, "JSON takes about");
}

static void test_what_has_two_meanings_or_none_is_refused(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *head, *nodes;
        graze_status status;
        const char *message;
    } cases[] = {
        {ASSET, "{\"mesh\":0,\"rotation\":[1e-9,0,0,2e-9]}", GRAZE_OK, ""},
        // Squares of these have lost digits: the turn would be one by another angle, and stretch.
        {ASSET, "{\"mesh\":0,\"rotation\":[1e-161,0,0,2e-161]}", GRAZE_ERROR_RANGE,
         "no zero quaternion"},
        {ASSET, "{\"mesh\":0,\"children\":{\"0\":1}},{\"mesh\":0}", GRAZE_ERROR_PARSE,
         "children that are no list"},
        {ASSET, "{\"mesh\":0,\"children\":1},{\"mesh\":0}", GRAZE_ERROR_PARSE,
         "children that are no list"},
        {ASSET, "{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"translation\":[1,0,0]}",
         GRAZE_ERROR_PARSE, "both matrix and translation"},
        {"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":\"KHR_draco_mesh_compression\","
         "\"scenes\":[{\"nodes\":[0]}],",
         "{\"mesh\":0}", GRAZE_ERROR_PARSE, "no list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[2048];
        snprintf(json, sizeof json, "%s\"nodes\":[%s]," MESH(INDEXED) ACCESSORS "%s", cases[i].head,
                 cases[i].nodes, BUFFER);
        graze_status status = read_json(m, json);
        if (status != cases[i].status) fail_msg("%s: status %d", cases[i].nodes, (int)status);
        assert_message(m, cases[i].message);
    }
}

static void test_lack_of_memory_is_said(void **state) {
    mesh_case *m = *state;
    assert_int_equal(read_json(m, ASSET NODE MESH(INDEXED) ACCESSORS BUFFER), GRAZE_OK);
    assert_survives_faults(m, "a.gltf");
    unsigned char glb[4096];
    size_t size = make_glb(glb, GLB_JSON);
    mesh_case_write(m, "a.glb", glb, size);
    assert_survives_faults(m, "a.glb");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_indexed_triangles),
        MESH_TEST(test_strips_and_fans_face_one_way),
        MESH_TEST(test_lines_are_left_out_with_a_warning),
        MESH_TEST(test_quantised_positions),
        MESH_TEST(test_node_transforms_nest_and_mirror),
        MESH_TEST(test_glb),
        MESH_TEST(test_only_plain_names_beside_the_file_are_opened),
        MESH_TEST(test_every_bound_is_checked),
        MESH_TEST(test_deep_json_hits_the_limit),
        MESH_TEST(test_instances_count_against_the_budget),
        MESH_TEST(test_what_moves_a_mesh_from_its_positions_is_refused),
        MESH_TEST(test_one_of_several_scenes_must_be_named),
        MESH_TEST(test_primitives_and_weights_multiply_within_limits_only),
        MESH_TEST(test_buffers_count_with_all_that_is_read),
        MESH_TEST(test_json_counts_with_what_it_takes_in_memory),
        MESH_TEST(test_what_has_two_meanings_or_none_is_refused),
        MESH_TEST(test_lack_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
