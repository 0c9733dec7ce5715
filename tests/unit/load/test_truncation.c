/// One file of each format that graze reads, cut off at every byte: what is left is refused, with
/// the file and what was found, or it is read as the whole file is. Formats that say nowhere how
/// much there is (OBJ, CSV) may hold less; nothing may hold more, or crash.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/input/configuration.h"
#include "graze/compiled.h"
#include "graze/graze.h"
#include "temporary_folder.h"
#include "unit/verify/dump_sample.h"

/// What was read, as a number; 0 where it was refused. `amount` is how much: triangles, points,
/// rows, links.
typedef struct reading {
    uint64_t hash;
    size_t amount;
} reading;

typedef reading (*reader)(const char *path, const void *bytes, size_t size, graze_error *error);

static void mix(reading *r, const void *bytes, size_t size) {
    if (r->hash == 0) r->hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        r->hash = (r->hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
}

static void mix_geometry(reading *r, const graze_geometry *g) {
    mix(r, g->name, strlen(g->name) + 1);
    mix(r, &g->shape, sizeof g->shape);
    mix(r, g->origin.m, sizeof g->origin.m);
    mix(r, g->size, sizeof g->size);
    mix(r, &g->radius, sizeof g->radius);
    mix(r, g->ends, sizeof g->ends);
    if (g->vertex_count > 0) mix(r, g->vertices, 3 * g->vertex_count * sizeof *g->vertices);
    if (g->triangle_count > 0) mix(r, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
    r->amount += g->vertex_count + g->triangle_count + 1;
}

static reading of_world(const graze_world *world) {
    reading r = {0};
    mix(&r, "world", 5);
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g;
        assert_int_equal(graze_world_object(world, i, &g), GRAZE_OK);
        mix_geometry(&r, &g);
    }
    return r;
}

static reading of_robot(const graze_robot *robot) {
    reading r = {.amount = graze_robot_link_count(robot)};
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
        graze_joint_info info;
        assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
        mix(&r, info.name, strlen(info.name));
        mix(&r, info.origin.m, sizeof info.origin.m);
        mix(&r, &info.lower, sizeof info.lower);
        mix(&r, &info.upper, sizeof info.upper);
    }
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        assert_int_equal(graze_robot_collision(robot, i, &g), GRAZE_OK);
        mix_geometry(&r, &g);
    }
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        assert_int_equal(graze_robot_pair(robot, i, &pair), GRAZE_OK);
        mix(&r, &pair.state, sizeof pair.state);
    }
    return r;
}

static reading read_world(const char *path, const void *bytes, size_t size, graze_error *error) {
    (void)bytes, (void)size;
    graze_world *world;
    reading r = {0};
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    if (graze_world_add_file(world, path, NULL, error) == GRAZE_OK)
        r = of_world(world);
    else
        assert_int_equal(graze_world_object_count(world), 0); // as it was
    graze_world_free(world);
    return r;
}

#define BOX_LINK(name)                                                                             \
    "<link name='" name "'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
static const char urdf[] = "<?xml version='1.0'?>\n<robot name='arm'>" BOX_LINK("a") BOX_LINK("b")
    BOX_LINK(
        "c") "<joint name='one' type='revolute'><parent link='a'/><child link='b'/><origin xyz='2 0 0' "
             "rpy='0 0.5 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
             "<joint name='two' type='continuous'><parent link='b'/><child link='c'/></joint></robot>\n";

static reading read_urdf(const char *path, const void *bytes, size_t size, graze_error *error) {
    (void)bytes, (void)size;
    graze_robot *robot;
    reading r = {0};
    if (graze_robot_load_urdf(&robot, path, NULL, error) == GRAZE_OK) r = of_robot(robot);
    graze_robot_free(robot);
    return r;
}

static reading read_srdf(const char *path, const void *bytes, size_t size, graze_error *error) {
    (void)bytes, (void)size;
    graze_robot *robot;
    graze_load_options options = graze_load_options_default();
    reading r = {0};
    options.srdf = path;
    if (graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "arm.urdf", NULL, &options,
                                     error) == GRAZE_OK)
        r = of_robot(robot);
    graze_robot_free(robot);
    return r;
}

static reading read_compiled(const char *path, const void *bytes, size_t size, graze_error *error) {
    graze_compiled *compiled;
    graze_robot *robot = NULL;
    reading r = {0};
    (void)path;
    if (graze_compiled_open_memory(&compiled, bytes, size, "file", error) == GRAZE_OK &&
        graze_compiled_robot(&robot, compiled, error) == GRAZE_OK)
        r = of_robot(robot);
    graze_robot_free(robot);
    graze_compiled_close(compiled);
    return r;
}

/// Rows of a file of configurations of the arm.
static reading read_rows(const char *path, const void *bytes, size_t size, graze_error *error) {
    (void)bytes, (void)size;
    graze_robot *robot;
    gz_posture rest;
    gz_configuration_file file;
    double q[8], base[4 * GZ_BASE_SIZE];
    size_t count = 1;
    reading r = {0}, all = {0};
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "arm", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(gz_posture_make(&rest, robot, &(gz_posture_options){0}, error), GRAZE_OK);
    graze_status status = gz_configuration_file_open(&file, path, robot, NULL, &rest, error);
    while (status == GRAZE_OK && count > 0) {
        status = gz_configuration_file_read(&file, 4, q, base, &count, error);
        mix(&all, q, status == GRAZE_OK ? 2 * count * sizeof *q : 0);
        all.amount += status == GRAZE_OK ? count : 0;
    }
    gz_configuration_file_close(&file);
    gz_posture_free(&rest);
    graze_robot_free(robot);
    return status == GRAZE_OK ? all : r;
}

static reading read_trajectory(const char *path, const void *bytes, size_t size,
                               graze_error *error) {
    (void)bytes, (void)size;
    graze_robot *robot;
    graze_trajectory *t;
    double q[2];
    reading r = {0};
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "arm", NULL, NULL, NULL),
        GRAZE_OK);
    if (graze_trajectory_load(&t, robot, path, NULL, NULL, NULL, error) == GRAZE_OK) {
        for (size_t i = 0; i <= graze_trajectory_piece_count(t); i++, r.amount++) {
            const double time = graze_trajectory_time(t, i);
            assert_int_equal(graze_trajectory_at(t, time, q, NULL), GRAZE_OK);
            mix(&r, &time, sizeof time);
            mix(&r, q, sizeof q);
        }
    }
    graze_trajectory_free(t);
    graze_robot_free(robot);
    return r;
}

static reading read_dump(const char *path, const void *bytes, size_t size, graze_error *error) {
    (void)bytes, (void)size;
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    gz_dump_text text = {.stream = stream, .name = path, .error = error};
    gz_dump_scene scene = {0};
    gz_dump_configuration c = {0};
    reading r = {0}, all = {0};
    bool end = false;
    graze_status status = gz_dump_read_scene(&text, &scene);
    while (status == GRAZE_OK && !end) {
        status = gz_dump_read_configuration(&text, &scene, all.amount, &c, &end);
        if (status != GRAZE_OK || end) continue;
        mix(&all, c.q, scene.q_size * sizeof *c.q);
        mix(&all, &c.verdict, sizeof c.verdict);
        all.amount++;
    }
    gz_dump_configuration_free(&c);
    gz_dump_scene_free(&scene);
    gz_dump_text_free(&text);
    fclose(stream);
    return status == GRAZE_OK ? all : r;
}

// ------------------------------------------------------------------------------------------
// cutting

/// How a format says how much there is.
typedef enum extent {
    SAID,   ///< what is short is refused, but for white space at the end
    UNSAID, ///< a part is a file, too
    UNNAMED ///< said, and the reader takes bytes, not a path
} extent;

/// Cuts a file at every byte.
static void cut(const char *name, reader read, const void *bytes, size_t size, extent said) {
    temporary_folder folder = temporary_folder_make();
    graze_error error = {0};
    temporary_write(&folder, name, bytes, size);
    reading whole = read(folder.last, bytes, size, &error);
    if (whole.hash == 0) print_message("%s: %s\n", name, error.message);
    assert_true(whole.hash != 0);
    size_t read_whole = 0;
    for (size_t length = 0; length < size; length++) {
        // A block of its own, so that a sanitizer sees a byte read beyond.
        void *cut_off = malloc(length > 0 ? length : 1);
        assert_non_null(cut_off);
        memcpy(cut_off, bytes, length);
        error = (graze_error){0};
        temporary_write(&folder, name, cut_off, length);
        reading r = read(folder.last, cut_off, length, &error);
        bool refused = r.hash == 0;
        bool placed = error.status != GRAZE_OK && error.message[0] != '\0' &&
                      (said == UNNAMED || strstr(error.file, name) != NULL);
        bool fine = refused ? placed
                            : r.hash == whole.hash || (said == UNSAID && r.amount <= whole.amount);
        if (!fine)
            print_message("%s, %zu of %zu bytes: %s, %s: %s\n", name, length, size,
                          refused ? "refused" : "read", error.file, error.message);
        assert_true(fine);
        read_whole += !refused;
        free(cut_off);
    }
    // Little but white space and a last comment can be missing from what says how much there is.
    if (said != UNSAID) assert_true(read_whole <= 16);
    temporary_folder_remove(&folder);
}

static void cut_text(const char *name, reader read, const char *text, extent said) {
    cut(name, read, text, strlen(text), said);
}

static void test_robots(void **state) {
    (void)state;
    cut_text("arm.urdf", read_urdf, urdf, SAID);
    cut_text("arm.srdf", read_srdf,
             "<robot name='arm'><group name='g'><joint name='one'/></group>\n<group_state name='s' "
             "group='g'><joint name='one' value='0.5'/></group_state><disable_collisions link1='a' "
             "link2='c' reason='Never'/>\n</robot>\n",
             SAID);
}

static void test_compiled_files(void **state) {
    (void)state;
    graze_robot *robot;
    unsigned char *bytes;
    size_t size;
    static const char small[] = "<robot name='r'><link name='a'><collision><geometry><sphere "
                                "radius='1'/></geometry></collision></link></robot>";
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, small, sizeof small - 1, "r", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_compile(&bytes, &size, robot, NULL, NULL, NULL), GRAZE_OK);
    cut("robot.graze", read_compiled, bytes, size, UNNAMED);
    graze_compiled_free(bytes);
    graze_robot_free(robot);
}

// -------------------------------------------------------------------------------------------
// meshes

static void test_text_meshes(void **state) {
    (void)state;
    cut_text("mesh.stl", read_world,
             "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
             "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\n"
             "vertex 0 1 0\nendloop\nendfacet\nendsolid s\n",
             SAID);
    cut_text("mesh.obj", read_world,
             "# wedge\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
             UNSAID);
    cut_text("mesh.ply", read_world,
             "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
             "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
             "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
             SAID);
    cut_text("mesh.dae", read_world,
             "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
             "version='1.4.1'><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry "
             "id='g'><mesh><source id='p'><float_array id='f' count='9'>0 0 0 1 0 0 0 1 0"
             "</float_array><technique_common><accessor source='#f' count='3' stride='3'><param "
             "name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
             "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
             "source='#p'/></vertices><triangles count='1'><input semantic='VERTEX' source='#v' "
             "offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
             "<library_visual_scenes><visual_scene id='s'><node><instance_geometry url='#g'/>"
             "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
             "url='#s'/></scene></COLLADA>\n",
             SAID);
}

#define GLTF(uri)                                                                                  \
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["        \
    "{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"             \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","       \
    "\"min\":[0,0,0],\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"        \
    "\"buffers\":[{\"byteLength\":36" uri "}]}"

static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

/// Bytes of a file as they are put behind each other; little-endian, as the machine is.
typedef struct builder {
    unsigned char bytes[2048];
    size_t size;
} builder;

static void put(builder *b, const void *bytes, size_t size) {
    assert_true(b->size + size <= sizeof b->bytes);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static void put_text(builder *b, const char *text) {
    put(b, text, strlen(text));
}

static void put_u32(builder *b, uint32_t x) {
    put(b, &x, sizeof x);
}

static void test_binary_meshes(void **state) {
    (void)state;
    builder stl = {.size = 80}, ply = {0};
    put_u32(&stl, 2);
    for (int t = 0; t < 2; t++) {
        static const float normal[3] = {0, 0, 1};
        put(&stl, normal, sizeof normal);
        put(&stl, corners, sizeof corners);
        put(&stl, "\0", 2);
        stl.bytes[stl.size - 3] = t == 0 ? 0 : 0x3f; // another triangle
    }
    cut("binary.stl", read_world, stl.bytes, stl.size, SAID);
    put_text(&ply, "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n"
                   "property float y\nproperty float z\nelement face 1\nproperty list uchar int "
                   "vertex_indices\nend_header\n");
    put(&ply, corners, sizeof corners);
    put(&ply, "\3", 1);
    for (uint32_t i = 0; i < 3; i++) put_u32(&ply, i);
    cut("binary.ply", read_world, ply.bytes, ply.size, SAID);
    static const unsigned char nodes[] = {0x06, 0xc0, 0x00, 0x08};
    builder tree = {0};
    put_text(&tree, "# Octomap OcTree binary file\nid OcTree\nsize 5\nres 0.5\ndata\n");
    put(&tree, nodes, sizeof nodes);
    cut("tree.bt", read_world, tree.bytes, tree.size, SAID);
}

static void test_gltf(void **state) {
    (void)state;
    static const char json[] = GLTF("");
    cut_text("mesh.gltf", read_world,
             GLTF(",\"uri\":\"data:application/octet-stream;base64,"
                  "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\""),
             SAID);
    builder b = {0};
    size_t length = sizeof json - 1, padded = (length + 3) / 4 * 4;
    put_text(&b, "glTF");
    put_u32(&b, 2);
    put_u32(&b, (uint32_t)(12 + 8 + padded + 8 + sizeof corners));
    put_u32(&b, (uint32_t)padded);
    put_text(&b, "JSON");
    put_text(&b, json);
    put(&b, "   ", padded - length);
    put_u32(&b, sizeof corners);
    put(&b, "BIN\0", 4);
    put(&b, corners, sizeof corners);
    cut("mesh.glb", read_world, b.bytes, b.size, SAID);
}

// -------------------------------------------------------------------------------------------
// worlds

/// Cuts a cloud of points that a world names.
static reading read_cloud(const char *path, const void *bytes, size_t size, graze_error *error) {
    char world[2048], text[2048];
    snprintf(world, sizeof world, "%s.json", path);
    snprintf(text, sizeof text,
             "{\"format\":\"graze-world-1\",\"objects\":[{\"name\":\"scan\",\"shape\":\"points\","
             "\"file\":\"%s\",\"radius\":0.1}]}",
             strrchr(path, '/') + 1);
    FILE *file = fopen(world, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return read_world(world, bytes, size, error);
}

static void test_clouds(void **state) {
    (void)state;
#define PCD(kind)                                                                                  \
    "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 3\nHEIGHT 1\n"          \
    "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\nDATA " kind "\n"
    cut_text("cloud.pcd", read_cloud, PCD("ascii") "0 0 0\n1 0 0\n0 1 0\n", SAID);
    builder b = {0};
    put_text(&b, PCD("binary"));
    put(&b, corners, sizeof corners);
    cut("binary.pcd", read_cloud, b.bytes, b.size, SAID);
}

static void test_worlds(void **state) {
    (void)state;
    cut_text("world.json", read_world,
             "{\"format\": \"graze-world-1\", \"objects\": [{\"name\": \"ball\", \"shape\": "
             "\"sphere\", \"radius\": 0.5, \"position\": [1, 2, 3]}, {\"name\": \"box\", "
             "\"shape\": \"box\", \"size\": [1, 2, 3]}]}\n",
             SAID);
    cut_text("world.scene", read_world,
             "(noname)\n* ball\n1\nsphere\n0.25\n1 2 3\n0 0 0 1\n0 0 0 0\n* box\n1\nbox\n1 2 3\n"
             "0 0 0\n0 0 0 1\n0 0 0 0\n.\n",
             SAID);
    // A list may end anywhere, and a number may have fewer digits.
    cut_text("world.yaml", read_world,
             "world:\n  collision_objects:\n    - id: ball\n      primitives:\n        - type: "
             "sphere\n          dimensions: [0.5]\n      primitive_poses:\n        - position: "
             "[1, 2, 3]\n          orientation: [0, 0, 0, 1]\n",
             UNSAID);
}

// ------------------------------------------------------------------------------------------ the
// rest

static void test_configurations(void **state) {
    (void)state;
    cut_text("rows.csv", read_rows, "one,two\n0.5,1.5\n-0.25,2\n0,3\n", UNSAID);
    builder b = {0};
    static const double rows[6] = {0.5, 1.5, -0.25, 2, 0, 3};
    char header[118 + 1];
    snprintf(header, sizeof header, "%-117s\n",
             "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }");
    put(&b, "\x93NUMPY\x01\x00\x76\x00", 10);
    put_text(&b, header);
    put(&b, rows, sizeof rows);
    cut("rows.npy", read_rows, b.bytes, b.size, SAID);
}

static void test_trajectories(void **state) {
    (void)state;
    cut_text("way.json", read_trajectory,
             "{\"joint_names\": [\"one\", \"two\"], \"points\": [{\"positions\": [0, 0.5], "
             "\"velocities\": [0, 0], \"time_from_start\": 0}, {\"positions\": [0.5, 1.5], "
             "\"velocities\": [0, 0], \"time_from_start\": {\"sec\": 1, \"nanosec\": 5}}]}\n",
             SAID);
    // A list may end anywhere, and a number may have fewer digits.
    cut_text(
        "way.yaml", read_trajectory,
        "joint_names: [one, two]\npoints:\n- positions: [0, 0.5]\n  time_from_start: {secs: 0, "
        "nsecs: 0}\n- positions:\n  - 0.5\n  - 1.5\n  time_from_start:\n    secs: 1\n    "
        "nsecs: 500\n- positions: [0, 0]\n  time_from_start: 2.5\n---\n",
        UNSAID);
}

static void test_dumps(void **state) {
    (void)state;
    cut_text("verdicts.dump", read_dump, DUMP_WHOLE, SAID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robots),       cmocka_unit_test(test_compiled_files),
        cmocka_unit_test(test_text_meshes),  cmocka_unit_test(test_binary_meshes),
        cmocka_unit_test(test_gltf),         cmocka_unit_test(test_clouds),
        cmocka_unit_test(test_worlds),       cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_trajectories), cmocka_unit_test(test_dumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
