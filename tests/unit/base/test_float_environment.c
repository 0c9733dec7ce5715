// Whatever rounding, flushing and traps the host has set, the answers are the same bytes, and the
// host finds its settings again.

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/float_environment.h"
#include "base/random.h"
#include "graze/graze.h"
#include "unit/trials.h"

#define ROWS      TRIALS(2000, 400)
#define TRIANGLES TRIALS(4000, 800)
#define SPREAD    0.8 ///< of joints about the rest configuration: some hit, some do not

// -------------------------------------------------------------------------- what a host may do

/// The control word of the unit that doubles are computed in, without its sticky flags; on x86-64
/// with the one that the C library looks at when it reads numbers.
static uint64_t control_word(void) {
#if defined(__SSE2__)
    return (__builtin_ia32_stmxcsr() & ~0x3fu) | (uint64_t)fegetround() << 32;
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    return control;
#else
    return (uint64_t)fegetround();
#endif
}

/// Takes subnormal inputs for zero and flushes subnormal results, where the machine can.
static void flush_subnormals(void) {
#if defined(__SSE2__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);
#elif defined(__aarch64__)
    __asm__ __volatile__("msr fpcr, %0" ::"r"(control_word() | (UINT64_C(1) << 24)));
#endif
}

typedef struct host {
    const char *name;
    int rounding;
    bool flush, trap;
} host;

static const host hosts[] = {
    {"as C has it", FE_TONEAREST, false, false},
    {"flushing", FE_TONEAREST, true, false},
    {"upward", FE_UPWARD, false, false},
    {"downward", FE_DOWNWARD, false, false},
    {"toward zero", FE_TOWARDZERO, false, false},
    {"upward, flushing", FE_UPWARD, true, false},
    {"downward, flushing", FE_DOWNWARD, true, false},
    {"trapping", FE_TONEAREST, false, true},
};
#define HOSTS (sizeof hosts / sizeof hosts[0])

static fenv_t clean;

static uint64_t left; ///< the control word when the host's settings were complete

static void become(const host *h) {
    fesetround(h->rounding);
    if (h->flush) flush_subnormals();
    if (h->trap)
        feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
    left = control_word();
}

/// Back to the C default; fails when the host's settings were not found as they had been left.
static void resign(const host *h) {
    uint64_t found = control_word();
    fesetenv(&clean);
    if (found != left) fail_msg("%s: settings were not given back", h->name);
}

// ------------------------------------------------------------------------------- what is asked

typedef struct answers {
    graze_transform transforms[4];
    graze_vec3 point;
    graze_transform poses[64];
    uint8_t verdicts[ROWS], batch[ROWS], threaded[ROWS];
    uint8_t triangles[TRIANGLES], bounds[TRIANGLES];
    double segments[TRIANGLES][6];
    size_t explained;
    graze_mesh_info mesh;
    graze_mesh_overlap overlap;
    size_t waypoints;
    double middle[32];
    graze_contact contacts[ROWS]; // last: what lies between its members is nobody's
} answers;

static double configurations[ROWS][16], corners[TRIANGLES][18];
static graze_sphere spheres[TRIANGLES];
static graze_aabb boxes[TRIANGLES];
static graze_obb turned[TRIANGLES];
static double goal[16];
static size_t q_size;

static graze_robot *load_robot(void) {
    graze_robot *robot;
    graze_load_options options = graze_load_options_default();
    options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    assert_int_equal(
        graze_robot_load_urdf(&robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, NULL),
        GRAZE_OK);
    return robot;
}

static bool count(const graze_explanation *explanation, void *user) {
    (void)explanation;
    ++*(size_t *)user;
    return true;
}

static graze_world *make_world(void) {
    static const double size[3] = {0.3, 0.3, 1.2}, low[3] = {-5, -5, -5}, high[3] = {5, 5, 5};
    static const double xyz[3] = {0.9, 0.1, 0.8}, quat[4] = {0.1, 0.2, 0.3, 0.9};
    static const double points[6] = {-0.8, 0.2, 1.1, 0.3, -0.7, 0.9};
    graze_transform pose = graze_transform_from_xyz_quat(xyz, quat);
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(world, "post", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "cloud", points, 2, 0.05, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(world, low, high, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    return world;
}

static void query_transforms(answers *a) {
    static const double xyz[3] = {0.1, 0.2, 0.3}, rpy[3] = {0.7, -1.1, 2.3};
    static const double quat[4] = {0.1, 0.7, -0.3, 0.2};
    a->transforms[0] = graze_transform_from_xyz_rpy(xyz, rpy);
    a->transforms[1] = graze_transform_from_xyz_quat(xyz, quat);
    a->transforms[2] = graze_transform_multiply(&a->transforms[0], &a->transforms[1]);
    a->transforms[3] = graze_transform_inverse(&a->transforms[2]);
    a->point = graze_transform_point(&a->transforms[2], (graze_vec3){1.1, -2.2, 3.3});
}

static void query_bounds(size_t i, uint8_t *out) {
    unsigned sphere = graze_sphere_aabb_overlap(&spheres[i], &boxes[i]);
    *out = (uint8_t)(2 * sphere + graze_obb_overlap(&turned[0], &turned[i]));
}

static void query_triangles(answers *a) {
    for (size_t i = 0; i < TRIANGLES; i++) {
        const double *c = corners[i];
        bool overlap;
        graze_status status = graze_triangles_overlap_checked(c, c + 9, &overlap, a->segments[i]);
        a->triangles[i] = (uint8_t)(graze_triangles_overlap(c, c + 9) + 2 * overlap +
                                    4 * (int)status);
        query_bounds(i, &a->bounds[i]);
    }
}

static void query_meshes(answers *a) {
    static const graze_transform beside = {{1, 0, 0, 0.4, 0, 1, 0, 0.3, 0, 0, 1, 0.1}};
    double vertices[8 * 9];
    uint32_t triangles[24];
    for (uint32_t i = 0; i < 24; i++) triangles[i] = i;
    for (size_t i = 0; i < 8; i++) memcpy(vertices + 9 * i, corners[i], 9 * sizeof(double));
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, vertices, 24, triangles, 8, NULL), GRAZE_OK);
    assert_int_equal(graze_mesh_describe(mesh, &a->mesh), GRAZE_OK);
    assert_int_equal(graze_meshes_overlap(mesh, &a->transforms[2], mesh, &beside,
                                          GRAZE_POLICY_SOLID, &a->overlap, NULL),
                     GRAZE_OK);
    graze_mesh_free(mesh);
}

static void query_checks(answers *a, const graze_checker *checker) {
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    for (size_t i = 0; i < ROWS; i++) {
        graze_report report = {.contacts = &a->contacts[i], .capacity = 1};
        assert_int_equal(graze_check(checker, workspace, GRAZE_ANSWER_FIRST, configurations[i],
                                     q_size, NULL, &report, NULL),
                         GRAZE_OK);
        a->verdicts[i] = (uint8_t)report.verdict;
        if (i % 50 == 0)
            graze_check_explain(checker, workspace, configurations[i], q_size, NULL, count,
                                &a->explained, NULL);
    }
    graze_workspace_free(workspace);
    double *rows = malloc(ROWS * q_size * sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < ROWS; i++)
        memcpy(rows + i * q_size, configurations[i], q_size * sizeof *rows);
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = rows;
    batch.verdicts = a->batch;
    assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
    batch.verdicts = a->threaded;
    batch.threads = 3;
    assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
    free(rows);
}

static void query_plan(answers *a, const graze_checker *checker, const graze_robot *robot) {
    graze_plan_options options = graze_plan_options_default();
    options.max_iterations = 50;
    options.max_seconds = INFINITY;
    double rest[16], base[6];
    graze_robot_rest(robot, rest);
    graze_plan_result result;
    graze_status status = graze_plan(checker, rest, NULL, goal, NULL, &options, &result, NULL);
    a->waypoints = graze_path_count(result.path) * 100 + (size_t)status * 10 + result.outcome;
    if (result.path) graze_path_interpolate(result.path, 0, 1.0 / 3, a->middle, base);
    graze_path_free(result.path);
}

/// Everything that is asked was computed before. All of it, from the loading on, under the settings
/// of one host.
static void query_all(const host *h, answers *a) {
    memset(a, 0, sizeof *a);
    become(h);
    query_transforms(a);
    query_triangles(a);
    query_meshes(a);
    graze_robot *robot = load_robot();
    graze_world *world = make_world();
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, robot, world, NULL, NULL), GRAZE_OK);
    assert_true(graze_robot_link_count(robot) <= 64);
    assert_int_equal(graze_robot_pose(robot, configurations[1], q_size, NULL, a->poses, NULL),
                     GRAZE_OK);
    query_checks(a, checker);
    query_plan(a, checker, robot);
    graze_pose_is_collision(robot, world, configurations[2]);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
    resign(h);
}

// ------------------------------------------------------------------------------------- the tests

static void fill_questions(void) {
    gz_random random = gz_random_make(5, 0);
    graze_robot *robot = load_robot();
    q_size = graze_robot_q_size(robot);
    assert_true(q_size > 0 && q_size <= 16);
    graze_robot_rest(robot, goal);
    goal[0] += 0.3;
    graze_robot_free(robot);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < q_size; k++)
            configurations[i][k] = goal[k] + gz_random_range(&random, -SPREAD, SPREAD);
    // Some triangles share planes and corners up to the last bit, some are tiny.
    for (size_t i = 0; i < TRIANGLES; i++) {
        double scale = i % 7 == 0 ? 0x1p-130 : 1;
        for (int k = 0; k < 18; k++) corners[i][k] = scale * gz_random_range(&random, -1, 1);
        if (i % 3 == 0)
            for (int k = 0; k < 3; k++) {
                double s = 0.1 * (double)(i % 9);
                corners[i][9 + k] = corners[i][k] + s * (corners[i][3 + k] - corners[i][k]);
            }
        const double *c = corners[i];
        spheres[i] = (graze_sphere){{c[0], c[1], c[2]}, fabs(c[3])};
        boxes[i] = (graze_aabb){{c[4] - 0.1, c[5] - 0.1, c[6] - 0.1}, {c[4], c[5], c[6]}};
        graze_transform t = graze_transform_from_xyz_rpy(c, c + 3);
        turned[i] = (graze_obb){
            .center = {c[6], c[7], c[8]},
            .axis = {{t.m[0], t.m[4], t.m[8]}, {t.m[1], t.m[5], t.m[9]}, {t.m[2], t.m[6], t.m[10]}},
            .half = {fabs(c[9]), fabs(c[10]), fabs(c[11])}};
        if (i % 11 == 0) corners[i][4] = 0x1p-1060; // out of range, also where it reads as zero
    }
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           memcmp(a->segment, b->segment, sizeof a->segment) == 0 &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0;
}

static void test_every_host_gets_the_same_bytes_and_its_settings_back(void **state) {
    (void)state;
    answers *expected = calloc(1, sizeof *expected), *got = calloc(1, sizeof *got);
    assert_true(expected && got);
    fill_questions();
    query_all(&hosts[0], expected);
    size_t hits = 0;
    for (size_t i = 0; i < ROWS; i++) hits += expected->verdicts[i] == GRAZE_COLLISION;
    print_message("%zu of %d collide\n", hits, ROWS);
    assert_true(hits > ROWS / 20 && hits < ROWS - ROWS / 20);
    for (size_t h = 1; h < HOSTS; h++) {
        query_all(&hosts[h], got);
        const unsigned char *x = (const unsigned char *)expected, *y = (const unsigned char *)got;
        for (size_t i = 0; i < offsetof(answers, contacts); i++)
            if (x[i] != y[i]) fail_msg("%s: byte %zu differs", hosts[h].name, i);
        for (size_t i = 0; i < ROWS; i++)
            if (!same_contact(&expected->contacts[i], &got->contacts[i]))
                fail_msg("%s: contact %zu differs", hosts[h].name, i);
    }
    free(expected);
    free(got);
}

static void test_what_is_set_already_is_not_written(void **state) {
    (void)state;
    uint64_t nearest = control_word();
    gz_float_environment outer = gz_float_environment_enter();
    assert_false(outer.changed);
    fesetround(FE_DOWNWARD);
    uint64_t downward = control_word();
    gz_float_environment inner = gz_float_environment_enter();
    assert_true(inner.changed);
    assert_true(control_word() == nearest);
    gz_float_environment nested = gz_float_environment_enter();
    assert_false(nested.changed);
    gz_float_environment_leave(&nested);
    assert_true(control_word() == nearest);
    gz_float_environment_leave(&inner);
    assert_true(control_word() == downward && downward != nearest);
    fesetround(FE_TONEAREST);
}

static void test_errors_give_the_settings_back_too(void **state) {
    (void)state;
    for (size_t h = 0; h < HOSTS; h++) {
        graze_mesh *mesh;
        graze_robot *robot;
        double segment[6];
        bool overlap;
        become(&hosts[h]);
        graze_mesh_create(&mesh, NULL, 3, NULL, 1, NULL);
        graze_robot_load_urdf(&robot, "/nowhere/at/all.urdf", NULL, NULL);
        graze_triangles_overlap_checked(NULL, NULL, &overlap, segment);
        graze_triangles_overlap(NULL, NULL);
        resign(&hosts[h]);
    }
}

int main(void) {
    fegetenv(&clean);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_host_gets_the_same_bytes_and_its_settings_back),
        cmocka_unit_test(test_what_is_set_already_is_not_written),
        cmocka_unit_test(test_errors_give_the_settings_back_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
