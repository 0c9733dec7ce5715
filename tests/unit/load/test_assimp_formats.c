#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <math.h>

#include "base/random.h"
#include "graze/graze.h"
#include "import/import.h"
#include "unit/load/mesh_case.h"
#include "unit/trials.h"

// The cube and a link of the shipped robot in formats that only assimp reads. assimp's own exporter
// writes three of them; two are written here.

#define CUBE GRAZE_SOURCE_DIR "/tests/cli/data/cube.stl"
#define LINK GRAZE_SOURCE_DIR "/meshes/heron/collision/wrist_roll_link.stl"

static const char *const endings[] = {"off", "ac", "3ds", "fbx", "x3d"};
enum { FORMATS = sizeof endings / sizeof *endings };

static void use_importer(mesh_case *m) {
    m->options.importer = GRAZE_IMPORTER;
    m->options.importer_seconds = 60;
}

// --------------------------------------------------------------------------------------- writing

static void write_off(FILE *file, const gz_soup *soup) {
    fprintf(file, "OFF\n%zu %zu 0\n", soup->vertex_count, soup->triangle_count);
    for (size_t i = 0; i < soup->vertex_count; i++)
        fprintf(file, "%.9g %.9g %.9g\n", soup->vertices[3 * i], soup->vertices[3 * i + 1],
                soup->vertices[3 * i + 2]);
    for (size_t i = 0; i < soup->triangle_count; i++)
        fprintf(file, "3 %u %u %u\n", soup->triangles[3 * i], soup->triangles[3 * i + 1],
                soup->triangles[3 * i + 2]);
}

static void write_ac(FILE *file, const gz_soup *soup) {
    fprintf(file,
            "AC3Db\nMATERIAL \"\" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 10 trans 0\n"
            "OBJECT world\nkids 1\nOBJECT poly\nname \"mesh\"\nnumvert %zu\n",
            soup->vertex_count);
    for (size_t i = 0; i < soup->vertex_count; i++)
        fprintf(file, "%.9g %.9g %.9g\n", soup->vertices[3 * i], soup->vertices[3 * i + 1],
                soup->vertices[3 * i + 2]);
    fprintf(file, "numsurf %zu\n", soup->triangle_count);
    for (size_t i = 0; i < soup->triangle_count; i++)
        fprintf(file, "SURF 0x10\nmat 0\nrefs 3\n%u 0 0\n%u 0 0\n%u 0 0\n", soup->triangles[3 * i],
                soup->triangles[3 * i + 1], soup->triangles[3 * i + 2]);
    fputs("kids 0\n", file);
}

/// Writes an STL as "mesh.ENDING" into the folder.
static void write_as(mesh_case *m, const char *stl, const char *ending) {
    char name[32], path[256];
    snprintf(name, sizeof name, "mesh.%s", ending);
    snprintf(path, sizeof path, "%s", mesh_case_path(m, name));
    bool off = strcmp(ending, "off") == 0;
    if (!off && strcmp(ending, "ac") != 0) {
        const struct aiScene *scene = aiImportFile(stl, 0);
        assert_non_null(scene);
        // What 5.2.5 writes as binary FBX it cannot read.
        const char *format = strcmp(ending, "fbx") == 0 ? "fbxa" : ending;
        assert_int_equal(aiExportScene(scene, format, path, 0), aiReturn_SUCCESS);
        aiReleaseImport(scene);
        return;
    }
    mesh_case_clear(m);
    assert_int_equal(
        gz_mesh_file_read(&m->soup, stl, NULL, &m->options, &m->budget, &m->warnings, &m->error),
        GRAZE_OK);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    if (off)
        write_off(file, m->soup);
    else
        write_ac(file, m->soup);
    assert_int_equal(fclose(file), 0);
}

static char *read_whole(mesh_case *m, const char *name, size_t *size) {
    FILE *file = fopen(mesh_case_path(m, name), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

// --------------------------------------------------------------------------------------- reading

static void test_each_format_gives_the_triangles_of_the_stl(void **state) {
    mesh_case *m = *state;
    static const char *const files[] = {CUBE, LINK};
    use_importer(m);
    for (int i = 0; i < 2 * FORMATS; i++) {
        char name[32];
        snprintf(name, sizeof name, "mesh.%s", endings[i / 2]);
        write_as(m, files[i % 2], endings[i / 2]);
        mesh_case_clear(m);
        gz_soup *wanted;
        assert_int_equal(gz_mesh_file_read(&wanted, files[i % 2], NULL, &m->options, &m->budget,
                                           &m->warnings, &m->error),
                         GRAZE_OK);
        double *corners = malloc(9 * wanted->triangle_count * sizeof *corners);
        for (size_t k = 0; k < 9 * wanted->triangle_count; k++)
            corners[k] = wanted->vertices[3 * (size_t)wanted->triangles[k / 3] + k % 3];
        graze_status status = mesh_case_read(m, name, NULL);
        if (status) fail_msg("%s: %s", name, m->error.message);
        assert_triangles(m, corners, wanted->triangle_count, 1e-7);
        assert_int_equal(m->warnings.count, 1);
        assert_true(has_warning(m, "read-by-assimp"));
        bool fbx = strcmp(endings[i / 2], "fbx") == 0;
        const char *message = m->warnings.items[0].message;
        assert_true(fbx ==
                    (strstr(message, "; 1 in the file is 0.01 m, which is not applied") != NULL));
        free(corners);
        gz_soup_free(wanted);
    }
}

// -------------------------------------------------------------------------------------- verdicts

enum { ROWS = TRIALS(1000, 150) };

static graze_robot *load_robot(const char *text, const graze_load_options *options) {
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, strlen(text), "heron.urdf", NULL, options,
                                     &error))
        fail_msg("%s", error.message);
    return robot;
}

static graze_world *load_world(const char *path, const graze_load_options *options) {
    graze_world *world;
    graze_error error;
    assert_int_equal(graze_world_create(&world, "world", &error), GRAZE_OK);
    if (graze_world_add_file(world, path, options, &error)) fail_msg("%s", error.message);
    assert_int_equal(graze_world_commit(world, &error), GRAZE_OK);
    return world;
}

/// How many pairs collide in each of so many random configurations.
static void check_all(const graze_robot *robot, const graze_world *world, size_t pairs[ROWS]) {
    graze_checker *checker;
    graze_workspace *workspace;
    graze_error error;
    size_t n = graze_robot_q_size(robot);
    assert_int_equal(graze_checker_create(&checker, robot, world, NULL, &error), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, checker, &error), GRAZE_OK);
    gz_random random = gz_random_make(3, 1);
    double q[64];
    assert_true(n <= 64);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < n; k++) {
            graze_joint_info joint;
            assert_int_equal(graze_robot_joint(robot, graze_robot_q_joint(robot, k), &joint),
                             GRAZE_OK);
            q[k] = gz_random_range(&random, joint.limited ? joint.lower : -3,
                                   joint.limited ? joint.upper : 3);
        }
        graze_report report = {0};
        assert_int_equal(
            graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, n, NULL, &report, &error),
            GRAZE_OK);
        pairs[i] = report.count;
    }
    graze_workspace_free(workspace);
    graze_checker_free(checker);
}

/// The robot's text with one collision mesh replaced.
static char *replace_mesh(const char *path) {
    static const char stl[] = "package://graze/meshes/heron/collision/wrist_roll_link.stl";
    FILE *file = fopen(GRAZE_SOURCE_DIR "/urdf/heron.urdf", "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 17);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 17) - 1024, file);
    fclose(file);
    char *at = strstr(text, stl);
    assert_true(size > 0 && at);
    memmove(at + strlen(path), at + sizeof stl - 1, strlen(at + sizeof stl - 1) + 1);
    memcpy(at, path, strlen(path));
    return text;
}

static void test_each_format_gives_the_verdicts_of_the_stl(void **state) {
    mesh_case *m = *state;
    static size_t wanted[ROWS], found[ROWS];
    size_t free_rows = 0;
    const graze_package package = {"graze", GRAZE_SOURCE_DIR};
    use_importer(m);
    m->options.packages = &package;
    m->options.package_count = 1;
    m->options.visuals = GRAZE_VISUALS_SKIP;
    m->options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    graze_world *shelf = load_world(GRAZE_SOURCE_DIR "/worlds/shelf.json", &m->options),
                *cube = load_world(CUBE, &m->options);
    for (int i = -1; i < FORMATS; i++) {
        char name[32], path[512];
        snprintf(path, sizeof path, "%s", LINK);
        if (i >= 0) {
            write_as(m, LINK, endings[i]);
            snprintf(name, sizeof name, "mesh.%s", endings[i]);
            snprintf(path, sizeof path, "%s", mesh_case_path(m, name));
        }
        char *text = replace_mesh(path);
        graze_robot *robot = load_robot(text, &m->options);
        check_all(robot, shelf, i < 0 ? wanted : found);
        if (i >= 0) assert_memory_equal(wanted, found, sizeof wanted);
        graze_robot_free(robot);
        free(text);
    }
    for (size_t i = 0; i < ROWS; i++) free_rows += wanted[i] == 0;
    assert_true(free_rows > ROWS / 20 && free_rows < ROWS - ROWS / 20);
    // And as an obstacle.
    char *text = replace_mesh(LINK);
    graze_robot *robot = load_robot(text, &m->options);
    check_all(robot, cube, wanted);
    for (int i = 0; i < FORMATS; i++) {
        char name[32];
        write_as(m, CUBE, endings[i]);
        snprintf(name, sizeof name, "mesh.%s", endings[i]);
        graze_world *world = load_world(mesh_case_path(m, name), &m->options);
        assert_int_equal(graze_world_warning_count(world), 1);
        assert_string_equal(graze_world_warning(world, 0).code, "read-by-assimp");
        check_all(robot, world, found);
        assert_memory_equal(wanted, found, sizeof wanted);
        graze_world_free(world);
    }
    graze_robot_free(robot);
    free(text);
    graze_world_free(shelf);
    graze_world_free(cube);
}

// ------------------------------------------------------------------------------- nodes and roots

#define SQUARE                                                                                     \
    "<Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/>"         \
    "</IndexedFaceSet></Shape>"

static void test_transforms_of_nodes_are_applied(void **state) {
    mesh_case *m = *state;
    use_importer(m);
    static const double corners[] = {2, 0, 0, 4, 0, 0, 2, 2, 0, 0, 1, 0, -1, 1, 0, 0, 1, 1};
    assert_int_equal(mesh_case_text(m, "a.x3d",
                                    "<X3D><Scene><Transform translation='2 0 0'><Transform "
                                    "scale='2 2 2'>" SQUARE "</Transform></Transform>"
                                    "<Transform translation='0 1 0' rotation='0 0.7071067811865476 "
                                    "0.7071067811865476 3.141592653589793'>" SQUARE
                                    "</Transform></Scene></X3D>"),
                     GRAZE_OK);
    assert_triangles(m, corners, 2, 1e-6);
    // A root of the file's own is not taken for a turn of assimp's.
    static const double turned[] = {0, 0, 0, 1, 0, 0, 0, 0, -1};
    assert_int_equal(
        mesh_case_text(
            m, "a.ac",
            "AC3Db\nMATERIAL \"\" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 10 trans "
            "0\nOBJECT world\nrot 1 0 0 0 0 1 0 -1 0\nkids 1\nOBJECT poly\nnumvert "
            "3\n0 0 0\n1 0 0\n0 1 0\nnumsurf 1\nSURF 0x10\nmat 0\nrefs 3\n0 0 0\n1 0 "
            "0\n2 0 0\nkids 0\n"),
        GRAZE_OK);
    assert_triangles(m, turned, 1, 1e-6);
}

// ------------------------------------------------------------------------------------- bad files

/// Reads bytes that nobody vouches for: an error with its reason, or a warned mesh.
/// @return whether it was read
static bool read_untrusted(mesh_case *m, const char *name, const char *bytes, size_t size) {
    mesh_case_write(m, name, bytes, size);
    graze_status status = mesh_case_read(m, name, NULL);
    if (status) {
        if (!strstr(m->error.message, "; allowed: ") && status != GRAZE_ERROR_PARSE)
            fail_msg("%s, %zu bytes: %s", name, size, m->error.message);
        assert_null(m->soup);
        return false;
    }
    assert_true(has_warning(m, "read-by-assimp"));
    for (size_t i = 0; i < 3 * m->soup->triangle_count; i++)
        assert_true(m->soup->triangles[i] < m->soup->vertex_count);
    return true;
}

/// Cuts fall all over each file. A cut in the last number of a text may be a shorter number.
static void test_cut_files_are_not_read_partially(void **state) {
    mesh_case *m = *state;
    use_importer(m);
    for (int i = 0; i < FORMATS; i++) {
        char name[32];
        size_t size, accepted = 0;
        write_as(m, CUBE, endings[i]);
        snprintf(name, sizeof name, "mesh.%s", endings[i]);
        char *bytes = read_whole(m, name, &size);
        for (size_t n = 1; n < size; n += 1 + size / 100) {
            if (!read_untrusted(m, name, bytes, n)) continue;
            assert_int_equal(m->soup->triangle_count, 12);
            accepted++;
        }
        assert_true(accepted <= 3);
        free(bytes);
    }
}

static void test_flipped_bytes_do_no_harm(void **state) {
    mesh_case *m = *state;
    use_importer(m);
    gz_random random = gz_random_make(1, 7);
    for (int i = 0; i < FORMATS; i++) {
        char name[32];
        size_t size, accepted = 0;
        write_as(m, CUBE, endings[i]);
        snprintf(name, sizeof name, "mesh.%s", endings[i]);
        char *bytes = read_whole(m, name, &size);
        for (int n = 0; n < 100; n++) {
            size_t at = gz_random_below(&random, (uint32_t)size);
            char was = bytes[at];
            bytes[at] = (char)(was ^ (1 << gz_random_below(&random, 8)));
            accepted += read_untrusted(m, name, bytes, size);
            bytes[at] = was;
        }
        assert_true(accepted < 100);
        free(bytes);
    }
}

#define AC(numvert, numsurf, refs, last)                                                           \
    "AC3Db\nMATERIAL \"\" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 10 trans 0\nOBJECT "       \
    "world\nkids 1\nOBJECT poly\nnumvert " numvert "\n0 0 0\n1 0 0\n0 1 0\nnumsurf " numsurf       \
    "\nSURF 0x10\nmat 0\nrefs " refs "\n0 0 0\n1 0 0\n" last " 0 0\nkids 0\n"
#define X3D(inside) "<X3D><Scene><Shape>" inside "</Shape></Scene></X3D>"

static void test_files_that_lie_are_refused(void **state) {
    mesh_case *m = *state;
    use_importer(m);
    m->options.limits.memory_bytes = 64 << 20;
    static const struct {
        const char *name, *text;
        graze_status status;
    } cases[] = {
        {"fine.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", GRAZE_OK},
        {"vertices.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", GRAZE_ERROR_MESH},
        {"faces.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", GRAZE_ERROR_MESH},
        {"index.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", GRAZE_ERROR_MESH},
        {"corners.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n0\n", GRAZE_ERROR_MESH},
        {"huge.off", "OFF\n4000000000 1 0\n0 0 0\n", GRAZE_ERROR_LIMIT},
        {"nan.off", "OFF\n3 1 0\n0 0 0\nnan 0 0\n0 1 0\n3 0 1 2\n", GRAZE_ERROR_RANGE},
        {"far.off", "OFF\n3 1 0\n0 0 0\n1e7 0 0\n0 1 0\n3 0 1 2\n", GRAZE_ERROR_RANGE},
        {"fine.ac", AC("3", "1", "3", "2"), GRAZE_OK},
        {"index.ac", AC("3", "1", "3", "3"), GRAZE_ERROR_MESH},
        {"vertices.ac", AC("4", "1", "3", "2"), GRAZE_ERROR_MESH},
        {"surfaces.ac", AC("3", "2", "3", "2"), GRAZE_ERROR_MESH},
        {"fine.x3d",
         X3D("<IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/>"
             "</IndexedFaceSet>"),
         GRAZE_OK},
        {"index.x3d",
         X3D("<IndexedFaceSet coordIndex='0 1 3 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/>"
             "</IndexedFaceSet>"),
         GRAZE_ERROR_MESH},
        {"lines.x3d",
         X3D("<IndexedLineSet coordIndex='0 1 -1'><Coordinate point='0 0 0 1 0 0 0 1 0'/>"
             "</IndexedLineSet>"),
         GRAZE_ERROR_MESH},
        {"empty.x3d", X3D(""), GRAZE_ERROR_MESH},
        {"empty.ac", "", GRAZE_ERROR_MESH},
        {"other.lws", "LWSC\n5\n\nLoadObjectLayer 1 body.lwo\n", GRAZE_ERROR_UNSUPPORTED},
        {"what.txt", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", GRAZE_ERROR_UNSUPPORTED},
        {"long.abcdefghijklmnopqrstuvwxyz", "anything", GRAZE_ERROR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_status status = mesh_case_text(m, cases[i].name, cases[i].text);
        if (status != cases[i].status)
            fail_msg("%s: status %d, not %d: %s", cases[i].name, (int)status, (int)cases[i].status,
                     status ? m->error.message : m->warnings.items[0].message);
    }
}

// --------------------------------------------------------------------------------------- options

static void test_without_an_importer_the_error_names_the_format(void **state) {
    mesh_case *m = *state;
    static const char text[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    assert_int_equal(mesh_case_text(m, "a.off", text), GRAZE_ERROR_UNSUPPORTED);
    assert_message(m,
                   "neither content nor ending \".off\" shows a mesh format; allowed: STL (.stl)");
    assert_message(m, "; by an importer (the program graze-import), what assimp reads");
    m->options.reader = GRAZE_READER_ASSIMP;
    assert_int_equal(mesh_case_text(m, "a.stl", text), GRAZE_ERROR_UNSUPPORTED);
    assert_message(m, "there is no importer; allowed: graze_load_options.importer, the path of");
    m->options.reader = GRAZE_READER_GRAZE;
    use_importer(m);
    assert_int_equal(mesh_case_text(m, "a.OFF", text), GRAZE_OK);
    assert_string_equal(m->warnings.items[0].message,
                        "read by assimp, in single precision, and perhaps not whole: OFF Importer");
    assert_int_equal(mesh_case_text(m, "nothing", text), GRAZE_ERROR_UNSUPPORTED);
    assert_message(m, "neither content nor ending \".\" shows a mesh format; allowed: STL");
}

/// With the other reader assimp reads what graze has a reader for, too, both ways.
static void test_assimp_reads_all_formats_when_asked(void **state) {
    mesh_case *m = *state;
    static const char *const files[] = {CUBE, GRAZE_SOURCE_DIR "/tests/cli/data/crate.obj",
                                        GRAZE_SOURCE_DIR "/tests/cli/data/crate_nodes.dae",
                                        GRAZE_SOURCE_DIR
                                        "/meshes/heron/visual/wrist_roll_link.dae"};
    for (size_t i = 0; i < 8; i++) {
        m->options = mesh_case_options();
        mesh_case_clear(m);
        gz_soup *ours;
        assert_int_equal(gz_mesh_file_read(&ours, files[i / 2], NULL, &m->options, &m->budget,
                                           &m->warnings, &m->error),
                         GRAZE_OK);
        assert_int_equal(m->warnings.count, 0);
        m->options.reader = GRAZE_READER_ASSIMP;
        use_importer(m);
        m->options.importer_unconfined = i % 2;
        assert_int_equal(gz_mesh_file_read(&m->soup, files[i / 2], NULL, &m->options, &m->budget,
                                           &m->warnings, &m->error),
                         GRAZE_OK);
        assert_true(has_warning(m, "read-by-assimp"));
        assert_int_equal(m->soup->triangle_count, ours->triangle_count);
        for (size_t k = 0; k < 3 * ours->triangle_count; k++)
            for (size_t c = 0; c < 3; c++)
                assert_true(fabs(ours->vertices[3 * (size_t)ours->triangles[k] + c] -
                                 m->soup->vertices[3 * (size_t)m->soup->triangles[k] + c]) < 1e-6);
        gz_soup_free(ours);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_each_format_gives_the_triangles_of_the_stl),
        MESH_TEST(test_each_format_gives_the_verdicts_of_the_stl),
        MESH_TEST(test_transforms_of_nodes_are_applied),
        MESH_TEST(test_cut_files_are_not_read_partially),
        MESH_TEST(test_flipped_bytes_do_no_harm),
        MESH_TEST(test_files_that_lie_are_refused),
        MESH_TEST(test_without_an_importer_the_error_names_the_format),
        MESH_TEST(test_assimp_reads_all_formats_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
