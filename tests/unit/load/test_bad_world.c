// The must-fail world files of tests/bad/world: each has its status, file at fault, line and
// element written down by hand in expected_world.tsv, and leaves the world as it was.
#include "unit/load/world_fixture.h"

#include <dirent.h>

#include "base/random.h"

#define BAD_DIR GRAZE_SOURCE_DIR "/tests/bad/"

enum { COLUMNS = 6 };

static bool split(char *line, char *fields[COLUMNS]) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') return false;
    for (int i = 0; i < COLUMNS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        if (*line) *line++ = '\0';
    }
    return true;
}

static graze_world *make_world(void) {
    static const double min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "before", 1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(world, min, max, NULL), GRAZE_OK);
    return world;
}

static void assert_unchanged(const graze_world *world) {
    double min[3], max[3];
    assert_int_equal(graze_world_object_count(world), 1);
    assert_int_equal(graze_world_find_object(world, "before"), 0);
    assert_int_equal(graze_world_find_object(world, "o"), -1);
    assert_int_equal(graze_world_find_object(world, "o0"), -1);
    assert_int_equal(graze_world_warning_count(world), 0);
    assert_true(graze_world_boundary(world, min, max));
    assert_true(min[2] == -1 && max[2] == 1);
    assert_string_equal(graze_world_name(world), "");
}

static void test_every_bad_world_fails_as_written_down(void **state) {
    (void)state;
    FILE *table = fopen(BAD_DIR "expected_world.tsv", "r");
    assert_non_null(table);
    char line[2048], path[512], fault[512];
    int replayed = 0, wrong = 0;
    graze_load_options options = graze_load_options_default();
    options.use_environment = 0;
    while (fgets(line, sizeof line, table)) {
        char *fields[COLUMNS];
        if (!split(line, fields)) continue;
        snprintf(path, sizeof path, BAD_DIR "world/%s", fields[0]);
        bool same = strcmp(fields[1], "-") == 0;
        snprintf(fault, sizeof fault, BAD_DIR "world/%s", same ? fields[0] : fields[1]);
        const char *element = strcmp(fields[4], "-") == 0 ? "" : fields[4];
        graze_world *world = make_world();
        graze_error e;
        memset(&e, 0x55, sizeof e);
        graze_status status = graze_world_add_file(world, path, &options, &e);
        replayed++;
        if (strcmp(graze_status_name(status), fields[2]) != 0 || e.status != status ||
            e.line != atoi(fields[3]) || strcmp(e.element, element) != 0 ||
            !strstr(e.message, fields[5]) || strcmp(e.file, fault) != 0) {
            print_error("%s: got %s %s:%d:%d '%s' '%s'\n", fields[0], graze_status_name(status),
                        e.file, e.line, e.column, e.element, e.message);
            wrong++;
        }
        assert_unchanged(world);
        assert_int_equal(graze_world_add_file(world, path, &options, NULL), status);
        assert_unchanged(world);
        graze_world_free(world);
    }
    fclose(table);
    assert_int_equal(wrong, 0);
    assert_true(replayed >= 100);
}

static void test_every_bad_file_is_written_down(void **state) {
    (void)state;
    static char table[65536];
    FILE *file = fopen(BAD_DIR "expected_world.tsv", "r");
    assert_non_null(file);
    table[fread(table, 1, sizeof table - 1, file)] = '\0';
    fclose(file);
    DIR *folder = opendir(BAD_DIR "world");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && !strstr(table, entry->d_name))
            fail_msg("%s is not in expected_world.tsv", entry->d_name);
    closedir(folder);
}

/// Damages a file a little: bytes changed, lost or doubled.
static size_t damage(char *bytes, size_t size, gz_random *random) {
    static const char telling[] = "{}[]\",:*.&-+0e9 \n\t\xff#'";
    for (uint32_t n = 1 + gz_random_below(random, 3); n && size > 1; n--) {
        size_t at = gz_random_below(random, (uint32_t)size);
        switch (gz_random_below(random, 4)) {
        case 0:
            size = at;
            break;
        case 1:
            memmove(bytes + at, bytes + at + 1, --size - at);
            break;
        case 2:
            bytes[at] = telling[gz_random_below(random, sizeof telling)];
            break;
        default:
            bytes[at] = (char)gz_random_below(random, 256);
        }
    }
    return size;
}

static void test_damaged_worlds_load_whole_or_not_at_all(void **state) {
    (void)state;
    static const char *const seeds[][2] = {
        {"a.json",
         "{\"format\":\"graze-world-1\",\"boundary\":{\"min\":[0,0,0],\"max\":[1,1,1]},"
         "\"objects\":[{\"name\":\"o\",\"shape\":\"box\",\"size\":[1,2,3],\"rpy\":[0,1,2]},"
         "{\"name\":\"p\",\"shape\":\"capsule\",\"radius\":1,\"length\":2,\"quaternion\":"
         "[0,0,0,1]}]}"},
        {"a.scene",
         "s\n* o\n0 0 0\n0 0 0 1\n2\nmesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 2\n0 0 0\n"
         "0 0 0 1\n0 0 0 0\nbox\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n1\nt\n0 0 0\n0 0 0 1\n.\n"},
        {"a.yaml",
         "fixed_frame_transforms:\n- child_frame_id: f\n  transform: {translation: [0, 0, "
         "1]}\nworld:\n  collision_objects:\n  - id: o\n    header: {frame_id: f}\n    "
         "primitives:\n    - type: box\n      dimensions: [1, 2, 3]\n    primitive_poses:\n "
         "   - {position: [1, 2, 3], orientation: [0, 0, 0, 1]}\n    meshes:\n    - "
         "vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n      triangles: [[0, 1, 2]]\n"}};
    gz_random random = gz_random_make(2024, 0);
    int failed = 0;
    for (int round = 0; round < 3000; round++) {
        const char *const *seed = seeds[round % 3];
        char bytes[1024];
        size_t size = strlen(seed[1]);
        assert_true(size < sizeof bytes);
        memcpy(bytes, seed[1], size);
        size = damage(bytes, size, &random);
        fixture_write(seed[0], bytes, size);
        graze_world *world = make_world();
        graze_error e;
        if (graze_world_add_file(world, fixture_path(seed[0]), NULL, &e)) {
            assert_unchanged(world);
            assert_true(e.message[0] && !strpbrk(e.message, "\n\r\t"));
            failed++;
        }
        assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
        graze_world_free(world);
    }
    assert_true(failed > 1000);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_world_fails_as_written_down),
        cmocka_unit_test(test_every_bad_file_is_written_down),
        TEST(test_damaged_worlds_load_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
