// limits.memory_bytes bounds what a load takes: the peak of the resident memory, as the system
// counts it in a process of its own, is within 1.3 of it whether the load succeeds or is refused.

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "graze/graze.h"
#include "unit/load/mesh_case.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RESIDENT_IS_OURS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define RESIDENT_IS_OURS 0
#endif
#endif
#ifndef RESIDENT_IS_OURS
#define RESIDENT_IS_OURS 1
#endif

#define MEGABYTE 1000000.0

// ---------------------------------------------------------------------------------------- inputs

enum { SIDE = 240 }; // squares of the sheet: 115,200 triangles

static FILE *open_file(const mesh_case *m, const char *name) {
    FILE *file = fopen(mesh_case_path(m, name), "wb");
    assert_non_null(file);
    return file;
}

static void close_file(FILE *file) {
    assert_int_equal(ferror(file), 0);
    assert_int_equal(fclose(file), 0);
}

static void sheet_point(int i, int j, float p[3]) {
    p[0] = (float)i / SIDE;
    p[1] = (float)j / SIDE;
    p[2] = 0.05F * sinf(0.1F * (float)i) * cosf(0.08F * (float)j);
}

static const int corners[2][3][2] = {{{0, 0}, {0, 1}, {1, 0}}, {{0, 1}, {1, 1}, {1, 0}}};

static void write_robot(const mesh_case *m, const char *name, const char *mesh) {
    FILE *file = open_file(m, name);
    fprintf(file,
            "<robot name='r'><link name='a'><collision><geometry><mesh filename='%s'/></geometry>"
            "</collision></link></robot>",
            mesh);
    close_file(file);
}

static void make_stl(const mesh_case *m, const char *name) {
    FILE *file = open_file(m, "sheet.stl");
    const char head[80] = "sheet";
    const uint32_t count = 2 * SIDE * SIDE;
    fwrite(head, 1, sizeof head, file);
    fwrite(&count, 1, sizeof count, file);
    for (int square = 0; square < SIDE * SIDE; square++)
        for (int half = 0; half < 2; half++) {
            char facet[50] = {0};
            for (int c = 0; c < 3; c++) {
                float p[3];
                sheet_point(square / SIDE + corners[half][c][0],
                            square % SIDE + corners[half][c][1], p);
                memcpy(facet + 12 + 12 * c, p, sizeof p);
            }
            fwrite(facet, 1, sizeof facet, file);
        }
    close_file(file);
    write_robot(m, name, "sheet.stl");
}

static void make_obj(const mesh_case *m, const char *name) {
    FILE *file = open_file(m, "sheet.obj");
    for (int i = 0; i <= SIDE; i++)
        for (int j = 0; j <= SIDE; j++) {
            float p[3];
            sheet_point(i, j, p);
            fprintf(file, "v %.6f %.6f %.6f\n", (double)p[0], (double)p[1], (double)p[2]);
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            for (int half = 0; half < 2; half++) {
                fputc('f', file);
                for (int c = 0; c < 3; c++)
                    fprintf(file, " %d",
                            (i + corners[half][c][0]) * (SIDE + 1) + j + corners[half][c][1] + 1);
                fputc('\n', file);
            }
    close_file(file);
    write_robot(m, name, "sheet.obj");
}

static void make_name(const mesh_case *m, const char *name) {
    FILE *file = open_file(m, name);
    fputs("<robot name='r'><link name='", file);
    for (int i = 0; i < 10000000; i++) fputc('x', file);
    fputs("'/></robot>", file);
    close_file(file);
}

static void make_cloud(const mesh_case *m, const char *name) {
    FILE *file = open_file(m, "cloud.pcd");
    const int count = 400000;
    fprintf(file,
            "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH %d\nHEIGHT 1\n"
            "POINTS %d\nDATA binary\n",
            count, count);
    uint32_t random = 1;
    for (int i = 0; i < 3 * count; i++) {
        random = random * 1664525U + 1013904223U;
        const float x = (float)(random >> 8) * 0x1p-24F;
        fwrite(&x, 1, sizeof x, file);
    }
    close_file(file);
    file = open_file(m, name);
    fputs("{\"format\":\"graze-world-1\",\"objects\":[{\"name\":\"c\",\"shape\":\"points\","
          "\"file\":\"cloud.pcd\",\"radius\":0.01}]}",
          file);
    close_file(file);
}

static void make_world(const mesh_case *m, const char *name) {
    FILE *file = open_file(m, name);
    fputs("{\"format\":\"graze-world-1\",\"objects\":[", file);
    for (int i = 0; i < 10000; i++)
        fprintf(file,
                "%s{\"name\":\"o%d\",\"shape\":\"box\",\"size\":[1,1,1],\"position\":[%d,0,0]}",
                i ? "," : "", i, i);
    fputs("]}", file);
    close_file(file);
}

static void write_sheet(FILE *file, int k) {
    fprintf(file, "<geometry id='g%d'><mesh><source id='p%d'><float_array id='f%d' count='363'>", k,
            k, k);
    for (int v = 0; v < 121; v++)
        fprintf(file, "%.4f %.4f %.4f ", v / 11 * .1, v % 11 * .1, k * .01);
    fprintf(file,
            "</float_array><technique_common><accessor source='#f%d' count='121' stride='3'>"
            "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' "
            "type='float'/></accessor></technique_common></source><vertices id='v%d'><input "
            "semantic='POSITION' source='#p%d'/></vertices><triangles count='200'><input "
            "semantic='VERTEX' source='#v%d' offset='0'/><p>",
            k, k, k, k);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            for (int c = 0; c < 6; c++)
                fprintf(file, "%d ",
                        (i + corners[c / 3][c % 3][0]) * 11 + j + corners[c / 3][c % 3][1]);
    fputs("</p></triangles></mesh></geometry>", file);
}

static void make_collada(const mesh_case *m, const char *name) {
    FILE *file = open_file(m, "many.dae");
    enum { MESHES = 500 };
    fputs("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>"
          "<unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_geometries>",
          file);
    for (int k = 0; k < MESHES; k++) write_sheet(file, k);
    fputs("</library_geometries><library_visual_scenes><visual_scene id='s'>", file);
    for (int k = 0; k < MESHES; k++)
        fprintf(file, "<node><instance_geometry url='#g%d'/></node>", k);
    fputs("</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene>"
          "</COLLADA>",
          file);
    close_file(file);
    write_robot(m, name, "many.dae");
}

// ---------------------------------------------------------------------------------------- loading

typedef struct outcome {
    graze_status status;
    double taken; ///< bytes of resident memory at the peak, beyond those at the start
} outcome;

static double resident_peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

/// What the linter cannot read within the limit is a finding.
static graze_status lint(const char *path, const graze_load_options *load) {
    graze_lint_options options = graze_lint_options_default();
    options.load = load;
    graze_lint_report *report = NULL;
    graze_status status = graze_lint_urdf(&report, path, &options, NULL);
    return status || !graze_lint_count(report, GRAZE_SEVERITY_ERROR) ? status : GRAZE_ERROR_LIMIT;
}

static graze_status load(const char *path, uint64_t limit) {
    graze_load_options options = graze_load_options_default();
    options.limits.memory_bytes = limit;
    graze_error error = {0};
    graze_robot *robot = NULL;
    graze_world *world = NULL;
    if (strstr(path, "lint.urdf")) return lint(path, &options);
    if (strstr(path, ".urdf")) return graze_robot_load_urdf(&robot, path, &options, &error);
    graze_status status = graze_world_create(&world, "w", &error);
    return status ? status : graze_world_add_file(world, path, &options, &error);
}

/// Loads in a process of its own, which frees nothing.
static outcome load_apart(const char *path, double limit) {
    int ends[2];
    outcome out = {.status = GRAZE_ERROR_CANCELLED};
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        const double before = resident_peak();
        out.status = load(path, (uint64_t)limit);
        out.taken = resident_peak() - before;
        _exit(write(ends[1], &out, sizeof out) != (ssize_t)sizeof out);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &out, sizeof out), sizeof out);
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return out;
}

/// Raises the limit from `least` until the file is accepted.
static void assert_bounded(mesh_case *m, const char *name, double least, double most) {
    char path[256];
    snprintf(path, sizeof path, "%s", mesh_case_path(m, name));
    int refused = 0;
    for (double limit = least; limit <= most; limit *= 1.2) {
        const outcome out = load_apart(path, limit);
        if (RESIDENT_IS_OURS && out.taken > 1.3 * limit)
            fail_msg("%s: %.1f MB taken under a limit of %.1f MB (status %d)", name,
                     out.taken / MEGABYTE, limit / MEGABYTE, out.status);
        if (out.status == GRAZE_OK) {
            assert_true(refused > 0);
            return;
        }
        assert_int_equal(out.status, GRAZE_ERROR_LIMIT);
        refused++;
    }
    fail_msg("%s is refused under %.1f MB", name, most / MEGABYTE);
}

#define BOUNDED(what, file, make, least, most)                                                     \
    static void test_##what##_stays_within_the_memory_limit(void **state) {                        \
        make(*state, file);                                                                        \
        assert_bounded(*state, file, (least)*MEGABYTE, (most)*MEGABYTE);                           \
    }

BOUNDED(a_large_stl, "stl.urdf", make_stl, 4, 30)
BOUNDED(a_linted_stl, "lint.urdf", make_stl, 4, 60)
BOUNDED(a_large_obj, "obj.urdf", make_obj, 4, 30)
BOUNDED(a_long_name, "name.urdf", make_name, 4, 80)
BOUNDED(a_large_cloud, "cloud.json", make_cloud, 4, 50)
BOUNDED(a_large_world, "world.json", make_world, 4, 80)
BOUNDED(a_collada_file_of_many_meshes, "collada.urdf", make_collada, 4, 60)

// ------------------------------------------------------------------------------------- accounting

static void test_a_budget_counts_what_is_held(void **state) {
    (void)state;
    gz_memory_budget outer, inner;
    gz_memory_budget_open(&outer, 100000);
    char *first = gz_malloc(40000, 1);
    assert_non_null(first);
    assert_true(gz_memory_left() <= 60000 && gz_memory_left() > 59000);
    assert_null(gz_malloc(70000, 1));
    assert_int_equal(gz_memory_refused_by(), 100000);
    gz_memory_budget_open(&inner, UINT64_MAX); // gets what the outer one leaves
    assert_int_equal(gz_memory_refused_by(), 0);
    assert_null(gz_calloc(70000, 1));
    char *second = gz_malloc_aligned(50000, 1);
    assert_non_null(second);
    gz_memory_budget_close(&inner);
    assert_true(gz_memory_left() < 10000);
    assert_null(gz_realloc(first, 60000, 1));
    first = gz_realloc(first, 10, 1);
    assert_true(gz_memory_left() > 49000);
    gz_free(first);
    gz_free(second);
    assert_int_equal(gz_memory_left(), 100000);
    gz_memory_budget_close(&outer);
    assert_true(gz_memory_left() == UINT64_MAX);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, mesh_case_setup, mesh_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_a_large_stl_stays_within_the_memory_limit),
        CASE(test_a_linted_stl_stays_within_the_memory_limit),
        CASE(test_a_large_obj_stays_within_the_memory_limit),
        CASE(test_a_long_name_stays_within_the_memory_limit),
        CASE(test_a_large_cloud_stays_within_the_memory_limit),
        CASE(test_a_large_world_stays_within_the_memory_limit),
        CASE(test_a_collada_file_of_many_meshes_stays_within_the_memory_limit),
        cmocka_unit_test(test_a_budget_counts_what_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
