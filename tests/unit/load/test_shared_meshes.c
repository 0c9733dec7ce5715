// Every mesh file of the shared robots and worlds must be read, whole.

#include <ftw.h>
#include <math.h>
#include <strings.h>
#include <time.h>

#include "unit/load/mesh_case.h"

// nftw() has no argument of the caller's.
static mesh_case *reading;
static size_t files, failed;
static double stl_seconds;

static bool is_mesh(const char *path) {
    static const char *const endings[] = {".stl", ".dae", ".obj", ".ply", ".glb", ".gltf"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return false;
}

/// The triangle count that a binary STL's size gives, or 0 for other files.
static size_t stl_count(const char *path, size_t size) {
    if (strcasecmp(strrchr(path, '.'), ".stl") != 0) return 0;
    char head[6] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bool ascii = fread(head, 1, 5, file) == 5 && strcmp(head, "solid") == 0;
    fclose(file);
    return ascii ? 0 : (size - 84) / 50;
}

static int visit(const char *path, const struct stat *about, int type, struct FTW *place) {
    (void)place;
    mesh_case *m = reading;
    if (type != FTW_F || !is_mesh(path)) return 0;
    mesh_case_clear(m);
    m->budget = (gz_mesh_budget){.triangles_left = m->options.limits.triangles};
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    graze_status status = gz_mesh_file_read(&m->soup, path, NULL, &m->options, &m->budget,
                                            &m->warnings, &m->error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    files++;
    if (status) {
        failed++;
        print_error("%s:%d: %s\n", path, (int)m->error.line, m->error.message);
        return 0;
    }
    size_t count = stl_count(path, (size_t)about->st_size);
    if (count) {
        stl_seconds += (double)(end.tv_sec - start.tv_sec) +
                       1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        assert_int_equal(m->soup->triangle_count, count);
        assert_int_equal(m->soup->vertex_count, 3 * count);
    }
    for (size_t i = 0; i < 3 * m->soup->triangle_count; i++)
        assert_true(m->soup->triangles[i] < m->soup->vertex_count);
    for (size_t i = 0; i < 3 * m->soup->vertex_count; i++)
        assert_true(fabs(m->soup->vertices[i]) < 100);
    return 0;
}

static void test_every_shared_mesh_is_read(void **state) {
    reading = *state;
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("GRAZE_TEST_DATA is not set: no meshes to read\n");
        skip();
    }
    assert_int_equal(nftw(data, visit, 16, FTW_PHYS), 0);
    print_message("%zu mesh files read, %zu failed; all STL in %.1f ms\n", files, failed,
                  1e3 * stl_seconds);
    assert_int_equal(failed, 0);
    assert_true(files >= 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {MESH_TEST(test_every_shared_mesh_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
