// Damaged and forged compiled files: refused, or harmless.
#include "base/memory.h"
#include "mesh/mesh.h"
#include "robot/robot.h"
#include "unit/compile/compiled_exercise.h"
#include "unit/compile/compiled_pair.h"
#include "unit/trials.h"

/// A robot with meshes, an open one among them, boxes, and a world of points and a solid: every
/// kind of array is in its file, which is small.
static file_bytes small_file(void) {
    char path[512];
    graze_robot *robot = load_robot(source_path(&path, "tests/cli/data/stall.urdf"), NULL, NULL);
    graze_world *world = load_world(source_path(&path, "tests/cli/data/scan.json"));
    file_bytes b = compile(robot, world);
    graze_robot_free(robot);
    graze_world_free(world);
    return b;
}

static graze_status status_of(file_bytes b, graze_error *error) {
    graze_compiled *compiled;
    graze_status status = graze_compiled_open_memory(&compiled, b.at, b.size, "file", error);
    assert_true((status == GRAZE_OK) == (compiled != NULL));
    graze_compiled_close(compiled);
    return status;
}

static void test_every_flipped_byte_is_refused(void **state) {
    (void)state;
    file_bytes b = small_file();
    assert_int_equal(status_of(b, NULL), GRAZE_OK);
    for (size_t i = 0; i < b.size; i += TRIALS(1, 7)) {
        graze_error error;
        b.at[i] ^= (unsigned char)(1U << i % 8);
        graze_status status = status_of(b, &error);
        if (status != GRAZE_ERROR_PARSE && status != GRAZE_ERROR_UNSUPPORTED)
            fail_msg("byte %zu: %s", i, graze_status_name(status));
        assert_true(error.message[0] && error.file[0]);
        b.at[i] ^= (unsigned char)(1U << i % 8);
    }
    assert_int_equal(status_of(b, NULL), GRAZE_OK);
    graze_compiled_free(b.at);
}

static void test_every_shorter_file_is_refused(void **state) {
    (void)state;
    file_bytes b = small_file();
    for (size_t n = 0; n < b.size; n += n < 300 ? 1 : 61) {
        file_bytes cut = {b.at, n};
        assert_int_equal(status_of(cut, NULL), GRAZE_ERROR_PARSE);
        // And so it is where the header owns up to it.
        if (n < sizeof(gz_file_header)) continue;
        unsigned char *copy = malloc(n);
        gz_file_header header;
        memcpy(copy, b.at, n);
        memcpy(&header, copy, sizeof header);
        header.file_bytes = n;
        memcpy(copy, &header, sizeof header);
        compiled_seal(copy, n);
        assert_int_equal(status_of((file_bytes){copy, n}, NULL), GRAZE_ERROR_PARSE);
        free(copy);
    }
    graze_compiled_free(b.at);
}

/// Forged: the checksum is true. Every byte takes a few other values.
static void test_forged_bytes_are_refused_or_harmless(void **state) {
    (void)state;
    static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x10};
    file_bytes b = small_file();
    size_t passed = 0, refused = 0;
    for (size_t i = 0; i < b.size; i++) {
        unsigned char change = changes[i % sizeof changes];
        b.at[i] ^= change;
        compiled_seal(b.at, b.size);
        if (exercise_compiled(b.at, b.size))
            passed++;
        else
            refused++;
        b.at[i] ^= change;
    }
    compiled_seal(b.at, b.size);
    assert_int_equal(status_of(b, NULL), GRAZE_OK);
    // Numbers of vertices and boxes pass, what leads somewhere does not: both happened.
    assert_true(passed > b.size / 10 && refused > b.size / 10);
    graze_compiled_free(b.at);
}

static gz_file_header header_of(file_bytes b) {
    gz_file_header header;
    memcpy(&header, b.at, sizeof header);
    return header;
}

static void test_other_versions_and_machines_are_told(void **state) {
    (void)state;
    file_bytes b = small_file();
    const gz_file_header good = header_of(b);
    gz_file_header bad[4] = {good, good, good, good};
    bad[0].byte_order = 0x04030201;
    bad[1].format++;
    memcpy(bad[2].version, "0.0.9", 6);
    bad[3].layout ^= 1;
    static const char *const said[4] = {"byte order", "format", "graze 0.0.9", "another build"};
    for (int i = 0; i < 4; i++) {
        graze_error error;
        memcpy(b.at, &bad[i], sizeof bad[i]);
        compiled_seal(b.at, b.size);
        assert_int_equal(status_of(b, &error), GRAZE_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, said[i]));
        assert_non_null(strstr(error.message, "allowed: compile it"));
    }
    graze_compiled_free(b.at);
}

/// The first occurrence of some bytes in the robot's section.
static size_t find(file_bytes b, const void *what, size_t size) {
    gz_file_section section = header_of(b).sections[GZ_SECTION_ROBOT];
    for (size_t i = (size_t)section.at; i + size <= (size_t)(section.at + section.bytes); i++)
        if (memcmp(b.at + i, what, size) == 0) return i;
    fail_msg("not in the file");
    return 0;
}

static graze_status verify(file_bytes b, graze_error *error) {
    compiled_seal(b.at, b.size);
    graze_compiled *compiled = open_bytes(b);
    graze_status status = graze_compiled_verify(compiled, error);
    graze_compiled_close(compiled);
    return status;
}

/// What opening lets pass, verifying finds: a smaller box, a moved origin, a flag.
static void test_forged_numbers_are_found_by_verify(void **state) {
    (void)state;
    graze_robot *robot = ship_robot("heron");
    file_bytes b = compile(robot, NULL);
    assert_int_equal(verify(b, NULL), GRAZE_OK);
    const graze_mesh *mesh = NULL;
    for (size_t i = 0; i < robot->collision_count && !mesh; i++)
        if (robot->collisions[i].shape.mesh && robot->collisions[i].shape.mesh->node_count > 2)
            mesh = robot->collisions[i].shape.mesh;
    assert_non_null(mesh);
    graze_error error;
    // A box of the tree that lost a millimetre.
    size_t at = find(b, &mesh->nodes[1], sizeof mesh->nodes[1]) + offsetof(gz_node, half);
    float half, less;
    memcpy(&half, b.at + at, sizeof half);
    less = half - 0.001f;
    memcpy(b.at + at, &less, sizeof less);
    assert_int_equal(verify(b, &error), GRAZE_ERROR_MESH);
    memcpy(b.at + at, &half, sizeof half);
    // A component that is open, said to be closed or the other way round.
    at = find(b, mesh->components, sizeof *mesh->components);
    b.at[at] ^= 1;
    compiled_seal(b.at, b.size);
    bool opens = exercise_compiled(b.at, b.size); // the count of closed ones betrays it
    assert_false(opens);
    b.at[at] ^= 1;
    // The place of a joint in its body is derived anew at every opening.
    at = find(b, robot->bodies[2].origin, sizeof robot->bodies[2].origin);
    b.at[at + 8 * 3 + 5] ^= 1;
    compiled_seal(b.at, b.size);
    assert_false(exercise_compiled(b.at, b.size));
    b.at[at + 8 * 3 + 5] ^= 1;
    // So is how far a pose may be off.
    at = find(b, &robot->bodies[2].error, sizeof robot->bodies[2].error);
    b.at[at] ^= 1;
    compiled_seal(b.at, b.size);
    assert_false(exercise_compiled(b.at, b.size));
    b.at[at] ^= 1;
    // A link's bounds are not.
    at = find(b, &robot->links[2].sphere, sizeof robot->links[2].sphere);
    b.at[at] ^= 1;
    assert_int_equal(verify(b, &error), GRAZE_ERROR_MESH);
    assert_non_null(strstr(error.message, "robot"));
    b.at[at] ^= 1;
    assert_int_equal(verify(b, NULL), GRAZE_OK);
    graze_compiled_free(b.at);
    graze_robot_free(robot);
}

/// With an infinite box, the empty lanes of a node overlapped it, and a query did not end.
static void test_bounds_beyond_all_lengths_are_refused(void **state) {
    (void)state;
    static const double beyond[] = {1e300, 1e13, -1e13};
    graze_robot *robot = ship_robot("six_axis");
    graze_world *world = ship_world("shelf");
    file_bytes b = compile(robot, world);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        for (int32_t l = 0; l < robot->link_count; l++) {
            if (!robot->links[l].collision_count) continue;
            size_t at = find(b, &robot->links[l].sphere, sizeof robot->links[l].sphere);
            for (size_t k = 0; k < sizeof(graze_sphere); k += sizeof(double)) {
                double was;
                memcpy(&was, b.at + at + k, sizeof was);
                memcpy(b.at + at + k, &beyond[i], sizeof was);
                compiled_seal(b.at, b.size);
                assert_false(exercise_compiled(b.at, b.size));
                memcpy(b.at + at + k, &was, sizeof was);
            }
        }
    graze_compiled_free(b.at);
    graze_robot_free(robot);
    graze_world_free(world);
}

#ifdef GRAZE_FAULTS
static graze_status compile_open_and_verify(const graze_robot *robot, const graze_world *world) {
    unsigned char *at;
    size_t size;
    graze_robot *again = NULL;
    graze_world *again_world = NULL;
    graze_compiled *compiled = NULL;
    graze_status status = graze_compile(&at, &size, robot, world, NULL, NULL);
    if (!status) status = graze_compiled_open_memory(&compiled, at, size, "file", NULL);
    if (!status) status = graze_compiled_robot(&again, compiled, NULL);
    if (!status) status = graze_compiled_world(&again_world, compiled, NULL);
    if (!status) status = graze_compiled_verify(compiled, NULL);
    graze_source_state now;
    if (!status) status = graze_compiled_source_now(compiled, 0, &now, NULL);
    assert_true(!status || !again || graze_robot_link_count(again) > 0);
    graze_robot_free(again);
    graze_world_free(again_world);
    graze_compiled_close(compiled);
    graze_compiled_free(at);
    return status;
}
#endif

static void test_without_memory_nothing_is_left_behind(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    char path[512];
    graze_robot *robot = load_robot(source_path(&path, "tests/cli/data/stall.urdf"), NULL, NULL);
    graze_world *world = load_world(source_path(&path, "tests/cli/data/scan.json"));
    for (long n = 1;; n++) {
        gz_memory_fail_after(n, false);
        graze_status status = compile_open_and_verify(robot, world);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            assert_true(n > 30);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
    }
    graze_robot_free(robot);
    graze_world_free(world);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_flipped_byte_is_refused),
        cmocka_unit_test(test_every_shorter_file_is_refused),
        cmocka_unit_test(test_forged_bytes_are_refused_or_harmless),
        cmocka_unit_test(test_other_versions_and_machines_are_told),
        cmocka_unit_test(test_forged_numbers_are_found_by_verify),
        cmocka_unit_test(test_bounds_beyond_all_lengths_are_refused),
        cmocka_unit_test(test_without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
