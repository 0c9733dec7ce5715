// The rules about collision geometry: distances between what is seen and what collides where they
// are known by hand, edges counted from a file's bytes, and what is known of Fetch. What each rule
// finds is shown by the pages of docs/lint.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "unit/lint/lint_folder.h"

static graze_lint_report *lint(const char *text) {
    graze_lint_report *report = NULL;
    assert_int_equal(
        graze_lint_urdf_memory(&report, text, strlen(text), "test.urdf", NULL, NULL, NULL),
        GRAZE_OK);
    return report;
}

/// Lints a link with these two geometries.
static graze_lint_report *lint_pair(const char *visual, const char *collision) {
    char text[1000];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><visual>%s</visual><collision>%s</collision></link>"
             "</robot>",
             visual, collision);
    return lint(text);
}

#define BOX(size)  "<geometry><box size='" size "'/></geometry>"
#define BALL(r)    "<geometry><sphere radius='" r "'/></geometry>"
#define ROD(r, l)  "<geometry><cylinder radius='" r "' length='" l "'/></geometry>"
#define PILL(r, l) "<geometry><capsule radius='" r "' length='" l "'/></geometry>"

/// Expects the finding with a value a little below the true greatest distance, mm: 400 points need
/// not hit the farthest one.
static void expect_distance(const char *rule, const char *visual, const char *collision,
                            double truth) {
    graze_lint_report *report = lint_pair(visual, collision);
    const graze_finding *f = lint_find(report, rule, 0);
    assert_int_equal(f != NULL, truth > 0);
    if (f && !(f->value <= truth * 1.004 && f->value >= 0.85 * truth))
        fail_msg("%s: %g mm; allowed: 0.85 to 1.004 of %g", rule, f->value, truth);
    graze_lint_report_free(report);
}

static void test_what_sticks_out_is_measured(void **state) {
    (void)state;
    // A beam of 400 mm around a cube of 100 mm: 150 mm at both ends.
    expect_distance("G008", BOX("0.4 0.1 0.1"), BOX("0.1 0.1 0.1"), 150);
    expect_distance("G008", BOX("0.4 0.1 0.1"), BOX("0.4 0.1 0.1"), 0);
    // A ball of radius 200 mm around one of 50 mm, and the other way around.
    expect_distance("G008", BALL("0.2"), BALL("0.05"), 150);
    expect_distance("G009", BALL("0.05"), BALL("0.2"), 150);
    expect_distance("G008", BALL("0.05"), BALL("0.2"), 0);
    // A rod of 1 m in a pill whose cylinder is 0.2 m long: 0.5 - 0.1 - 0.05 on the axis.
    expect_distance("G008", ROD("0.02", "1"), PILL("0.05", "0.2"), 350);
    // Inside a solid nothing is uncovered, however far its surface is.
    expect_distance("G008", BALL("0.05"), BOX("1 1 1"), 0);
    expect_distance("G009", BOX("0.3 0.3 0.3"), BOX("0.3 0.3 0.9"), 300);
}

static void test_a_moved_or_turned_shape_is_judged_in_its_place(void **state) {
    (void)state;
    expect_distance("G008", BOX("0.4 0.1 0.1"),
                    "<origin rpy='0 0 1.5707963267948966'/>" BOX("0.1 0.4 0.1"), 0);
    expect_distance("G008", BOX("0.4 0.1 0.1"), "<origin xyz='0 0 0.2'/>" BOX("0.4 0.1 0.1"), 200);
}

static void test_sizes_that_are_absurd_are_left_to_other_rules(void **state) {
    (void)state;
    static const char *const shapes[] = {BALL("-1"),   BALL("1e30"),  BALL("nan"),
                                         BOX("0 0 0"), ROD("0", "0"), "<geometry/>"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        graze_lint_report_free(lint_pair(BOX("0.4 0.1 0.1"), shapes[i]));
        graze_lint_report_free(lint_pair(shapes[i], BOX("0.4 0.1 0.1")));
    }
}

// ------------------------------------------------------------------------------ edges from bytes

typedef struct stl_edge {
    float ends[6]; ///< the lower end first
    int count;
} stl_edge;

static int compare_edges(const void *a, const void *b) {
    const stl_edge *x = a, *y = b;
    for (int i = 0; i < 6; i++)
        if (x->ends[i] != y->ends[i]) return x->ends[i] < y->ends[i] ? -1 : 1;
    return 0;
}

static int compare_points(const float *a, const float *b) {
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/// Counts edges with one triangle, and with more than two, of a binary STL.
static bool count_edges(const char *path, size_t *single, size_t *many) {
    FILE *file = fopen(path, "rb");
    uint32_t count = 0;
    if (!file) return false;
    assert_int_equal(fseek(file, 80, SEEK_SET), 0);
    assert_int_equal(fread(&count, 4, 1, file), 1);
    stl_edge *edges = calloc(3 * (size_t)count, sizeof *edges);
    assert_non_null(edges);
    for (size_t t = 0; t < count; t++) {
        float facet[12];
        uint16_t attribute;
        assert_int_equal(fread(facet, sizeof facet, 1, file), 1);
        assert_int_equal(fread(&attribute, sizeof attribute, 1, file), 1);
        for (size_t i = 0; i < 3; i++) {
            float *a = facet + 3 + 3 * i, *b = facet + 3 + 3 * ((i + 1) % 3);
            bool swap = compare_points(a, b) > 0;
            for (int k = 0; k < 3; k++) {
                edges[3 * t + i].ends[k] = (swap ? b : a)[k] + 0.0f; // no minus zero
                edges[3 * t + i].ends[3 + k] = (swap ? a : b)[k] + 0.0f;
            }
        }
    }
    fclose(file);
    qsort(edges, 3 * (size_t)count, sizeof *edges, compare_edges);
    *single = *many = 0;
    for (size_t i = 0, n = 0; i < 3 * (size_t)count; i += n) {
        for (n = 1; i + n < 3 * (size_t)count && !compare_edges(&edges[i], &edges[i + n]); n++) {
        }
        *single += n == 1;
        *many += n > 2;
    }
    free(edges);
    return true;
}

static graze_lint_report *fetch_or_skip(void) {
    graze_lint_report *report = lint_fetch();
    if (!report) {
        print_message("GRAZE_TEST_DATA is not set: skipped\n");
        skip();
    }
    return report;
}

static void test_fetch_torso_lift_has_the_edges_that_its_bytes_have(void **state) {
    (void)state;
    graze_lint_report *report = fetch_or_skip();
    char path[512], wanted[100];
    snprintf(path, sizeof path, "%s/robots/fetch_description/meshes/torso_lift_link_collision.STL",
             getenv("GRAZE_TEST_DATA"));
    size_t single = 0, many = 0;
    assert_true(count_edges(path, &single, &many));
    assert_true(many > 0); // the known truth: it is not manifold
    const graze_finding *f = lint_find_link(report, "G004", "torso_lift_link");
    assert_non_null(f);
    assert_true(f->value == (double)(single + many));
    snprintf(wanted, sizeof wanted, "%zu edges have one triangle, %zu more than two", single, many);
    assert_non_null(strstr(f->message, wanted));
    graze_lint_report_free(report);
}

static void test_fetch_laser_and_estop_collide_with_their_visual(void **state) {
    (void)state;
    graze_lint_report *report = fetch_or_skip();
    const graze_finding *laser = lint_find_link(report, "G002", "laser_link");
    const graze_finding *estop = lint_find_link(report, "G002", "estop_link");
    assert_non_null(laser);
    assert_non_null(estop);
    assert_non_null(strstr(laser->message, "with its visual mesh"));
    assert_non_null(strstr(estop->message, "with the geometry of its visual mesh"));
    assert_null(lint_find(report, "G002", 2));
    graze_lint_report_free(report);
}

/// Lints a link with that geometry, which collides, in a folder with a tetrahedron of 1 m; whether
/// there is an error, and whether the robot loads.
static bool has_error(const lint_folder *f, const char *geometry, bool *loads) {
    char text[1000], path[256];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><collision>%s</collision></link></robot>", geometry);
    lint_folder_text(f, "robot.urdf", text);
    snprintf(path, sizeof path, "%s", lint_folder_path(f, "robot.urdf"));
    graze_lint_report *report = lint_folder_run(f, false, NULL);
    assert_non_null(report);
    bool error = graze_lint_count(report, GRAZE_SEVERITY_ERROR) > 0;
    assert_int_equal(error, lint_find(report, "G010", 0) != NULL);
    graze_lint_report_free(report);
    graze_robot *robot = NULL;
    *loads = graze_robot_load_urdf(&robot, path, NULL, NULL) == GRAZE_OK;
    graze_robot_free(robot);
    return error;
}

#define SCALED(scale) "<geometry><mesh filename='part.obj' scale='" scale "'/></geometry>"
#define AT(x)         "<origin xyz='" x " 0 0'/>"

#define ON_SIDE(x) "<origin xyz='" x " 0 0' rpy='0 1.5707963267948966 0'/>"

static void test_what_is_too_large_to_load_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *geometry;
        bool loads;
    } cases[] = {{SCALED("1 1 1"), true},
                 {SCALED("-1 1 0.001"), true},
                 {SCALED("0 1 1"), false},
                 {SCALED("1 -0.0 1"), false},
                 {SCALED("1 1 2e6"), false},
                 {SCALED("1 1 1048576"), true},
                 {AT("1048576") SCALED("1 1 1"), false},
                 {AT("1048575") SCALED("1 1 1"), true},
                 {AT("-1048576") BOX("1 1 1"), false},
                 {AT("1048575") BOX("1 1 1"), true},
                 {AT("1048576") BALL("1"), true},
                 {AT("1048576") ROD("1", "1"), true},
                 {BOX("0 1 -0.0"), true},
                 {BOX("0 1 -1"), false},
                 {BALL("0"), true},
                 {PILL("0", "0"), true},
                 {ROD("0", "0"), true},
                 {ROD("0", "1"), true},
                 {ROD("1", "0"), false},
                 {ON_SIDE("1048576") ROD("1", "1"), false},
                 {ON_SIDE("1048575") ROD("1", "1"), true},
                 {ON_SIDE("-1048576") PILL("1", "1"), false}};
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "part.obj", LINT_TETRAHEDRON);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool loads, error = has_error(&f, cases[i].geometry, &loads);
        if (error == loads) print_message("%s\n", cases[i].geometry);
        assert_int_equal(loads, cases[i].loads);
        assert_int_equal(error, !loads);
    }
    lint_folder_remove(f.path, 1);
}

/// A quarter of a turn about z, in numbers whose squares no double holds.
static void test_a_quaternion_of_any_length_turns(void **state) {
    (void)state;
    static const char *const lengths[] = {"1", "1e-170", "1e200", "5e-324"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char turned[300];
        snprintf(turned, sizeof turned, "<origin quat_xyzw='0 0 %s %s'/>" BOX("1 0.1 0.1"),
                 lengths[i], lengths[i]);
        graze_lint_report *report = lint_pair(turned, BOX("0.1 1 0.1"));
        assert_null(lint_find(report, "G008", 0));
        assert_null(lint_find(report, "G009", 0));
        graze_lint_report_free(report);
    }
}

/// What the loader refuses: it cannot know whether the cone was meant to collide, too.
static void test_what_stands_beside_a_shape_is_an_error(void **state) {
    (void)state;
    static const char both[] = "<geometry>\n<cone/><box size='1 1 1'/></geometry>";
    static const char own[] = "<geometry><gazebo/><box size='1 1 1'/></geometry>";
    graze_lint_report *report = lint_pair(BOX("1 1 1"), both);
    const graze_finding *found = lint_find(report, "G014", 0);
    assert_true(found && found->line == 2 && strstr(found->message, "<cone>"));
    assert_null(lint_find(report, "G014", 1));
    graze_lint_report_free(report);
    report = lint_pair(both, own); // a visual is left out then
    assert_null(lint_find(report, "G014", 0));
    graze_lint_report_free(report);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "a.obj",
                     LINT_TETRAHEDRON
                     "v .1 .1 .1\nv .2 .1 .1\nv .1 .2 .1\nv .1 .1 .2\nf 5 7 6\nf 5 6 8\nf 6 7 8\n"
                     "f 7 5 8\n");
    lint_folder_text(&f, "b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='a'>"
                     "<visual><geometry><box size='3 3 3'/></geometry></visual>"
                     "<collision><geometry><mesh filename='a.obj'/></geometry></collision></link>"
                     "<link name='b'><collision><geometry><mesh filename='A.OBJ'/></geometry>"
                     "</collision></link></robot>");
    graze_lint_report *whole = lint_folder_run(&f, false, NULL);
    size_t wanted = graze_lint_finding_count(whole);
    static const char *const rules[] = {"A001", "A004", "A012", "G007", "G008"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_non_null(lint_find(whole, rules[i], 0));
    graze_lint_report_free(whole);
    bool done = false;
    int failed = 0;
    for (long n = 1; !done; n++) {
        gz_memory_fail_after(n, false);
        graze_lint_report *report = lint_folder_run(&f, false, NULL);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        // Giving memory back may fail, and nothing is lost: all is found, or nothing.
        failed += report == NULL;
        if (report && graze_lint_finding_count(report) != wanted)
            fail_msg("allocation %ld: %zu findings", n, graze_lint_finding_count(report));
        if (done) assert_non_null(report);
        graze_lint_report_free(report);
    }
    assert_true(failed > 100);
    lint_folder_remove(f.path, 1);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_sticks_out_is_measured),
        cmocka_unit_test(test_a_moved_or_turned_shape_is_judged_in_its_place),
        cmocka_unit_test(test_sizes_that_are_absurd_are_left_to_other_rules),
        cmocka_unit_test(test_fetch_torso_lift_has_the_edges_that_its_bytes_have),
        cmocka_unit_test(test_fetch_laser_and_estop_collide_with_their_visual),
        cmocka_unit_test(test_what_is_too_large_to_load_is_an_error),
        cmocka_unit_test(test_what_stands_beside_a_shape_is_an_error),
        cmocka_unit_test(test_a_quaternion_of_any_length_turns),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
