// Programs that were compiled against a shorter or a longer structure than the library's, of those
// that the library fills: nothing behind is written, what both know is what the library says.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "graze/graze.h"

enum { CONTACTS = 6, LONGER = 40, FILL = 0xa5 };

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_mesh *mesh;
    graze_compiled *compiled;
    unsigned char *bytes; ///< of compiled
} fixture;

// ------------------------------------------------------- structures that are written as a whole

#define READS(name, call)                                                                          \
    static graze_status name(const fixture *f, void *out, size_t size) {                           \
        return call;                                                                               \
    }
static const graze_transform identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
READS(bounds, graze_robot_link_bounds_sized(f->robot, 0, out, size))
READS(joint, graze_robot_joint_sized(f->robot, 0, out, size))
READS(collision, graze_robot_collision_sized(f->robot, 1, out, size))
READS(visual, graze_robot_visual_sized(f->robot, 0, out, size))
READS(pair, graze_robot_pair_sized(f->robot, 0, out, size))
READS(margin, graze_robot_margin_sized(f->robot, 0, out, size))
READS(group, graze_robot_group_sized(f->robot, 0, out, size))
READS(end_effector, graze_robot_end_effector_sized(f->robot, 0, out, size))
READS(virtual_joint, graze_robot_virtual_joint_sized(f->robot, 0, out, size))
READS(object, graze_world_object_sized(f->world, 1, out, size))
READS(mesh, graze_mesh_describe_sized(f->mesh, out, size))
READS(solids, graze_mesh_solids_sized(f->mesh, out, size, NULL, 0, 0, NULL))
READS(component, graze_mesh_solids_sized(f->mesh, &(graze_solid_report){0},
                                         sizeof(graze_solid_report), out, size, 1, NULL))
READS(overlap, graze_meshes_overlap_sized(f->mesh, &identity, f->mesh, &identity,
                                          GRAZE_POLICY_SOLID, out, size, NULL))
READS(source, graze_compiled_source_sized(f->compiled, 0, out, size))

static graze_status cspace(const fixture *f, void *out, size_t size) {
    graze_cspace_cell cells[4];
    graze_cspace map = graze_cspace_default();
    map.columns[1] = 1;
    map.width = map.height = 2;
    map.cells = cells;
    return graze_cspace_map_sized(f->checker, &map, out, size, NULL);
}

static graze_status add_stats(const fixture *f, void *out, size_t size) {
    (void)f;
    memset(out, 0, size < sizeof(graze_stats) ? size : sizeof(graze_stats));
    unsigned char *more = malloc(size);
    memset(more, 1, size);
    graze_stats_add_sized(out, (const graze_stats *)(const void *)more, size);
    free(more);
    return GRAZE_OK;
}

static graze_status batch_stats(const fixture *f, void *out, size_t size) {
    const double q[2] = {0};
    uint8_t verdict;
    graze_batch batch = graze_batch_default();
    batch.count = 1;
    batch.q = q;
    batch.verdicts = &verdict;
    batch.stats = out;
    return graze_check_batch_sized(f->checker, &batch, sizeof(graze_contact), size, NULL);
}

/// What differs between two runs is left out: the path, and the time.
static graze_status plan(const fixture *f, void *out, size_t size) {
    const double start[2] = {5, 0}, goal[2] = {0};
    return graze_plan_sized(f->checker, start, NULL, goal, NULL, NULL, out, size, NULL);
}

static graze_status ik(const fixture *f, void *out, size_t size) {
    const double start[2] = {0};
    double solution[2];
    return graze_ik_sized(f->checker, 1, &identity, start, NULL, NULL, solution, 1, out, size,
                          NULL);
}

static graze_status timed(const fixture *f, void *out, size_t size) {
    const double path[4] = {0, 0, 0.01, 0}, limits[2] = {1, 1};
    graze_timing_options options = graze_timing_options_default();
    options.velocities = options.accelerations = limits;
    graze_trajectory *trajectory;
    graze_status status = graze_time_path_sized(&trajectory, f->checker, path, 2, NULL, &options,
                                                out, size, NULL);
    graze_trajectory_free(trajectory);
    return status;
}

static graze_status smoothed(const fixture *f, void *out, size_t size) {
    const double path[4] = {0, 0, 0.01, 0};
    graze_trajectory *curve;
    graze_status status = graze_smooth_path_sized(&curve, f->checker, path, 2, NULL, NULL, out,
                                                  size, NULL);
    graze_trajectory_free(curve);
    return status;
}

/// `from` and `to`: bytes that may differ between two calls (padding, or a time).
#define TYPE(type, read, from, to)                                                                 \
    { #type, sizeof(type), read, from, to, 8, 0 }
#define AFTER(type, member) offsetof(type, member) + sizeof(((type *)0)->member)
static const struct {
    const char *name;
    size_t size;
    graze_status (*read)(const fixture *f, void *out, size_t size);
    size_t from, to, least;
    bool tail_untouched; ///< of a longer one, in place of 0
} types[] = {
    TYPE(graze_link_bounds, bounds, 0, 0),
    TYPE(graze_joint_info, joint, 0, 0),
    TYPE(graze_geometry, collision, 0, 0),
    TYPE(graze_geometry, visual, 0, 0),
    TYPE(graze_pair, pair, AFTER(graze_pair, state), offsetof(graze_pair, reason)),
    TYPE(graze_link_margin, margin, 0, 0),
    TYPE(graze_group, group, 0, 0),
    TYPE(graze_end_effector, end_effector, 0, 0),
    TYPE(graze_virtual_joint, virtual_joint, 0, 0),
    TYPE(graze_geometry, object, 0, 0),
    TYPE(graze_mesh_info, mesh, 0, 0),
    TYPE(graze_solid_report, solids, 0, 0),
    TYPE(graze_component_info, component, 0, 0),
    TYPE(graze_mesh_overlap, overlap, 0, 0),
    TYPE(graze_source, source, AFTER(graze_source, known), offsetof(graze_source, size)),
    TYPE(graze_cspace_summary, cspace, 0, 0),
    TYPE(graze_stats, batch_stats, 0, 0),
    // Without what lies between the members of its contact.
    TYPE(graze_ik_result, ik, AFTER(graze_ik_result, contact.contained),
         offsetof(graze_ik_result, contact.segment)),
    TYPE(graze_timing_report, timed, 0, 0),
    TYPE(graze_smoothing_report, smoothed, 0, 0),
    {"graze_stats", sizeof(graze_stats), add_stats, 0, 0, 8, true},
    {"graze_plan_result", sizeof(graze_plan_result), plan, offsetof(graze_plan_result, seconds),
     offsetof(graze_plan_result, length_raw), offsetof(graze_plan_result, contact), false},
};

static void test_structures_are_filled_in_the_callers_size(void **state) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        unsigned char *whole = malloc(types[i].size);
        assert_int_equal(types[i].read(*state, whole, types[i].size), GRAZE_OK);
        for (size_t size = types[i].least; size <= types[i].size + LONGER; size += 4) {
            // In memory of exactly its size, so that a sanitizer sees what is written behind it.
            unsigned char *own = malloc(size);
            memset(own, FILL, size);
            assert_int_equal(types[i].read(*state, own, size), GRAZE_OK);
            for (size_t k = 0; k < size; k++) {
                if (k >= types[i].from && k < types[i].to) continue;
                unsigned char behind = types[i].tail_untouched ? FILL : 0;
                if (own[k] != (k < types[i].size ? whole[k] : behind))
                    fail_msg("%s of %zu bytes: byte %zu", types[i].name, size, k);
            }
            free(own);
        }
        free(whole);
    }
}

static void test_too_short_for_what_must_not_be_lost(void **state) {
    const fixture *f = *state;
    const double q[2] = {0};
    unsigned char own[8];
    memset(own, FILL, sizeof own);
    assert_int_equal(plan(f, own, sizeof own), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_sized(f->checker, f->workspace, GRAZE_ANSWER_ANY, q, 2, NULL,
                                       (graze_report *)(void *)own, sizeof own,
                                       sizeof(graze_contact), NULL),
                     GRAZE_ERROR_ARGUMENT);
    for (size_t k = 0; k < sizeof own; k++) assert_int_equal(own[k], FILL);
}

static void test_options_of_a_matrix_are_written_in_the_callers_size(void **state) {
    (void)state;
    for (uint32_t size = 8; size <= sizeof(graze_matrix_options) + LONGER; size += 4) {
        graze_matrix_options whole = graze_matrix_settings(NULL);
        unsigned char *own = malloc(size);
        graze_matrix_settings_sized(NULL, (graze_matrix_options *)(void *)own, size);
        whole.struct_size = size;
        size_t known = size < sizeof whole ? size : sizeof whole;
        assert_memory_equal(own, &whole, known);
        for (size_t k = known; k < size; k++) assert_int_equal(own[k], 0);
        free(own);
    }
}

// ----------------------------------------------------------------------- reports and contacts

/// Compares a contact of `size` bytes but for its padding.
static void assert_contact(const unsigned char *own, size_t size, const graze_contact *expected) {
    unsigned char a[sizeof *expected], b[sizeof *expected];
    size_t known = size < sizeof a ? size : sizeof a;
    memcpy(a, expected, sizeof a);
    memcpy(b, expected, sizeof b);
    memcpy(b, own, known);
    static const size_t padding[][2] = {
        {AFTER(graze_contact, contained), offsetof(graze_contact, triangle)},
        {AFTER(graze_contact, has_segment), offsetof(graze_contact, segment)}};
    for (int i = 0; i < 2; i++)
        memcpy(b + padding[i][0], a + padding[i][0], padding[i][1] - padding[i][0]);
    assert_memory_equal(a, b, sizeof a);
    for (size_t k = known; k < size; k++) assert_int_equal(own[k], 0);
}

static void check_report(const fixture *f, size_t report_size, size_t contact_size,
                         const graze_report *expected) {
    const double q[2] = {0};
    enum { CAPACITY = CONTACTS - 1 };
    unsigned char *contacts = malloc(CAPACITY * contact_size), *own = malloc(report_size);
    graze_report given = {.contacts = (graze_contact *)(void *)contacts, .capacity = CAPACITY};
    memset(own, FILL, report_size);
    memcpy(own, &given, report_size < sizeof given ? report_size : sizeof given);
    assert_int_equal(graze_check_sized(f->checker, f->workspace, GRAZE_ANSWER_ALL, q, 2, NULL,
                                       (graze_report *)(void *)own, report_size, contact_size,
                                       NULL),
                     GRAZE_OK);
    graze_report told = *expected;
    memcpy(&told, own, report_size < sizeof told ? report_size : sizeof told);
    assert_true(told.verdict == GRAZE_COLLISION && told.truncated);
    assert_true(told.count == CONTACTS && told.capacity == CAPACITY);
    assert_true(told.contacts == given.contacts && told.contact_size == contact_size);
    assert_memory_equal(&told.stats, &expected->stats, sizeof told.stats);
    for (size_t k = sizeof told; k < report_size; k++) assert_int_equal(own[k], FILL);
    for (size_t i = 0; i < CAPACITY; i++)
        assert_contact(contacts + i * contact_size, contact_size, &expected->contacts[i]);
    free(contacts);
    free(own);
}

static void test_reports_and_their_contacts_keep_the_callers_sizes(void **state) {
    const fixture *f = *state;
    const double q[2] = {0};
    graze_contact contacts[CONTACTS];
    graze_report expected = {.contacts = contacts, .capacity = CONTACTS};
    assert_int_equal(
        graze_check(f->checker, f->workspace, GRAZE_ANSWER_ALL, q, 2, NULL, &expected, NULL),
        GRAZE_OK);
    assert_int_equal(expected.count, CONTACTS);
    for (size_t size = offsetof(graze_report, stats); size <= sizeof expected + LONGER; size += 8)
        check_report(f, size, sizeof(graze_contact), &expected);
    for (size_t size = 8; size <= sizeof(graze_contact) + LONGER; size += 4)
        check_report(f, sizeof expected - 8, size, &expected);
}

static void test_contacts_of_a_batch_keep_the_callers_size(void **state) {
    const fixture *f = *state;
    enum { ROWS = 9 }; // a block of the filter, and one row by itself
    const double q[ROWS][2] = {{0}};
    uint8_t verdicts[ROWS];
    double base[ROWS][6] = {{0}};
    for (int i = 1; i < ROWS; i += 2) base[i][0] = 50; // free
    graze_contact contacts[ROWS];
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = q[0];
    batch.base = base[0];
    batch.answer = GRAZE_ANSWER_FIRST;
    batch.verdicts = verdicts;
    batch.contacts = contacts;
    assert_int_equal(graze_check_batch(f->checker, &batch, NULL), GRAZE_OK);
    assert_true(verdicts[0] == GRAZE_COLLISION && verdicts[1] == GRAZE_FREE);
    for (size_t size = 8; size <= sizeof(graze_contact) + LONGER; size += 4) {
        unsigned char *own = malloc(ROWS * size);
        batch.contacts = (graze_contact *)(void *)own;
        assert_int_equal(graze_check_batch_sized(f->checker, &batch, size, 0, NULL), GRAZE_OK);
        for (size_t i = 0; i < ROWS; i++) assert_contact(own + i * size, size, &contacts[i]);
        free(own);
    }
}

// ------------------------------------------------------------------------------------ fixture

static const char urdf[] =
    "<robot name='r'>"
    "<link name='a'><visual><geometry><box size='1 1 1'/></geometry></visual>"
    "<collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    "<link name='b'><collision><geometry><sphere radius='0.5'/></geometry></collision></link>"
    "<link name='c'/>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='k' type='prismatic'><parent link='a'/><child link='c'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";
static const char srdf[] =
    "<robot name='r'><virtual_joint name='v' type='fixed' parent_frame='world' child_link='a'/>"
    "<group name='g'><joint name='j'/></group><group name='h'><link name='b'/></group>"
    "<end_effector name='e' parent_link='a' group='h' parent_group='g'/>"
    "<collision_margins default_margin='0'><pair_margin link1='a' link2='b' margin='0.1'/>"
    "</collision_margins></robot>";

static void load_robot(fixture *f) {
    char path[] = "/tmp/graze_test_sizes_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, srdf, sizeof srdf - 1) == (ssize_t)sizeof srdf - 1);
    close(file);
    graze_load_options options = graze_load_options_default();
    options.srdf = path;
    options.visuals = GRAZE_VISUALS_LOAD;
    graze_compile_options sources = graze_compile_options_default();
    sources.srdf = path;
    size_t size;
    assert_int_equal(
        graze_robot_load_urdf_memory(&f->robot, urdf, sizeof urdf - 1, "r", NULL, &options, NULL),
        GRAZE_OK);
    assert_int_equal(graze_compile(&f->bytes, &size, f->robot, NULL, &sources, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_open_memory(&f->compiled, f->bytes, size, "r", NULL), GRAZE_OK);
    unlink(path);
}

static int make_fixture(void **state) {
    static fixture f;
    load_robot(&f);
    assert_int_equal(graze_world_create(&f.world, "w", NULL), GRAZE_OK);
    const double size[3] = {0.2, 0.3, 0.4};
    assert_int_equal(graze_world_add_box(f.world, "box", size, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(f.world, "ball", 0.1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_capsule(f.world, "pill", 0.1, 0.2, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f.checker, f.robot, f.world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f.workspace, f.checker, NULL), GRAZE_OK);
    const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t triangles[9] = {0, 1, 2, 0, 3, 1, 1, 3, 2};
    assert_int_equal(graze_mesh_create(&f.mesh, corners, 4, triangles, 3, NULL), GRAZE_OK);
    *state = &f;
    return 0;
}

static int free_fixture(void **state) {
    fixture *f = *state;
    graze_compiled_close(f->compiled);
    graze_compiled_free(f->bytes);
    graze_mesh_free(f->mesh);
    graze_workspace_free(f->workspace);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structures_are_filled_in_the_callers_size),
        cmocka_unit_test(test_too_short_for_what_must_not_be_lost),
        cmocka_unit_test(test_options_of_a_matrix_are_written_in_the_callers_size),
        cmocka_unit_test(test_reports_and_their_contacts_keep_the_callers_sizes),
        cmocka_unit_test(test_contacts_of_a_batch_keep_the_callers_size),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
