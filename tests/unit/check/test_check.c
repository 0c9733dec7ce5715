// One configuration at a time: verdicts, names, limits, errors, on robots small enough to know
// every answer by hand.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

/// A base cube of edge 1 at the origin, and a slider cube of edge 1 whose centre is at (q + 2, 0,
/// 0); a link without geometry between them keeps no pair adjacent, since it has one more neighbour
/// only through a fixed frame. The third cube hangs on the slider and turns about z.
static const char slider_urdf[] =
    "<robot name='slider'>"
    " <link name='base'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    " <link name='rail'><collision name='rail'><origin xyz='0 0 -9'/><geometry>"
    "  <box size='0.1 0.1 0.1'/></geometry></collision></link>"
    " <link name='cube'><collision name='cube'><geometry><box size='1 1 1'/></geometry></collision>"
    " </link>"
    " <joint name='slide' type='prismatic'><parent link='base'/><child link='rail'/>"
    "  <origin xyz='2 0 0'/><axis xyz='1 0 0'/>"
    "  <limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    " <joint name='turn' type='continuous'><parent link='rail'/><child link='cube'/>"
    "  <axis xyz='0 0 1'/></joint>"
    "</robot>";

static graze_robot *load(const char *text) {
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, strlen(text), "test", NULL, NULL, &error))
        fail_msg("%s:%d: %s (%s)", error.file, error.line, error.message, error.element);
    return robot;
}

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    graze_contact contacts[8];
    int32_t violated[8];
    graze_report report;
    graze_error error;
} fixture;

static void open_fixture(fixture *f, const char *urdf, graze_world *world,
                         const graze_checker_options *options) {
    memset(f, 0, sizeof *f);
    f->robot = load(urdf);
    f->world = world;
    if (world) assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    if (graze_checker_create(&f->checker, f->robot, world, options, &f->error))
        fail_msg("%s", f->error.message);
    assert_int_equal(graze_workspace_create(&f->ws, f->checker, NULL), GRAZE_OK);
    f->report = (graze_report){
        .contacts = f->contacts, .capacity = 8, .violated = f->violated, .violated_capacity = 8};
}

static void close_fixture(fixture *f) {
    graze_workspace_free(f->ws);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
}

static graze_verdict query(fixture *f, graze_answer answer, double slide, double turn) {
    double q[2] = {slide, turn};
    graze_status status = graze_check(f->checker, f->ws, answer, q, 2, NULL, &f->report, &f->error);
    if (status) fail_msg("%s", f->error.message);
    return f->report.verdict;
}

static void test_touching_collides_and_the_next_double_is_free(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, slider_urdf, NULL, NULL);
    // The cubes' faces at x = 0.5 touch when slide = -1 exactly.
    assert_int_equal(query(&f, GRAZE_ANSWER_FIRST, -1, 0), GRAZE_COLLISION);
    assert_int_equal(f.report.count, 1);
    assert_int_equal(f.contacts[0].kind, GRAZE_CONTACT_SELF);
    assert_string_equal(graze_contact_link_name(f.checker, &f.contacts[0]), "base");
    assert_string_equal(graze_contact_other_name(f.checker, &f.contacts[0]), "cube");
    assert_false(f.contacts[0].contained);
    assert_true(f.contacts[0].has_segment);
    assert_true(fabs(f.contacts[0].point.x - 0.5) < 1e-15);
    // One unit in the last place of the cube's own vertices farther, and they are apart.
    assert_int_equal(query(&f, GRAZE_ANSWER_ANY, -1 + 0x1p-51, 0), GRAZE_FREE);
    assert_int_equal(f.report.count, 0);
    assert_int_equal(query(&f, GRAZE_ANSWER_ALL, 0, 0.3), GRAZE_FREE);
    close_fixture(&f);
}

static void test_turned_cube_reaches_farther(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, slider_urdf, NULL, NULL);
    double corner_x = sqrt(0.5); // of the corner, when turned by 45 degrees
    double touch = 0.5 + corner_x - 2;
    assert_int_equal(query(&f, GRAZE_ANSWER_ANY, touch - 1e-12, 0.78539816339744831),
                     GRAZE_COLLISION);
    assert_int_equal(query(&f, GRAZE_ANSWER_ANY, touch + 1e-12, 0.78539816339744831), GRAZE_FREE);
    close_fixture(&f);
}

static void test_limits_are_reported_and_do_not_collide(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, slider_urdf, NULL, NULL);
    assert_int_equal(query(&f, GRAZE_ANSWER_ANY, 1.5, 100), GRAZE_FREE);
    assert_int_equal(f.report.violated_count, 1);
    assert_int_equal(f.violated[0], graze_robot_find_joint(f.robot, "slide"));
    const double far[2] = {1.5, 100}, within[2] = {1, 0};
    f.violated[0] = -1;
    assert_int_equal(graze_robot_limits_violated(f.robot, far, f.violated, 8), 1);
    assert_int_equal(f.violated[0], graze_robot_find_joint(f.robot, "slide"));
    assert_int_equal(graze_robot_limits_violated(f.robot, far, NULL, 0), 1);
    assert_int_equal(graze_robot_limits_violated(f.robot, within, f.violated, 8), 0);
    assert_int_equal(query(&f, GRAZE_ANSWER_ANY, 1, 0), GRAZE_FREE);
    assert_int_equal(f.report.violated_count, 0);
    close_fixture(&f);
}

static void test_an_error_is_never_free(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, slider_urdf, NULL, NULL);
    const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p20 * 1.5};
    for (size_t i = 0; i < 4; i++) {
        double q[2] = {0, bad[i]};
        assert_int_equal(
            graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, q, 2, NULL, &f.report, &f.error),
            GRAZE_ERROR_RANGE);
        assert_int_equal(f.report.verdict, GRAZE_UNKNOWN);
        assert_non_null(strstr(f.error.element, "turn"));
    }
    double q[2] = {0, 0}, base[6] = {0, NAN, 0, 0, 0, 0};
    assert_int_equal(
        graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, q, 1, NULL, &f.report, &f.error),
        GRAZE_ERROR_ARGUMENT);
    assert_int_equal(f.report.verdict, GRAZE_UNKNOWN);
    assert_int_equal(
        graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, q, 2, base, &f.report, &f.error),
        GRAZE_ERROR_RANGE);
    assert_int_equal(f.report.verdict, GRAZE_UNKNOWN);
    base[1] = 0x1p20;
    assert_int_equal(
        graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, q, 2, base, &f.report, &f.error),
        GRAZE_ERROR_RANGE);
    assert_int_equal(
        graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, NULL, 2, NULL, &f.report, &f.error),
        GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check(NULL, f.ws, GRAZE_ANSWER_ANY, q, 2, NULL, &f.report, &f.error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check(f.checker, f.ws, (graze_answer)7, q, 2, NULL, &f.report, &f.error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, q, 2, NULL, NULL, &f.error),
                     GRAZE_ERROR_ARGUMENT);
    close_fixture(&f);
}

static graze_transform at(double x, double y, double z) {
    double xyz[3] = {x, y, z}, rpy[3] = {0, 0, 0};
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

static graze_world *make_world(void) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    return w;
}

static void test_world_contacts_name_link_and_object_in_order(void **state) {
    (void)state;
    graze_world *w = make_world();
    double size[3] = {0.2, 0.2, 0.2}, wide[3] = {9, 9, 0.1};
    graze_transform far = at(2, 0, 0.5), floor_pose = at(0, 0, -0.5);
    assert_int_equal(graze_world_add_box(w, "brick", size, &far, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(w, "floor", wide, &floor_pose, NULL), GRAZE_OK);
    fixture f;
    open_fixture(&f, slider_urdf, w, NULL);
    assert_int_equal(query(&f, GRAZE_ANSWER_ALL, 0, 0), GRAZE_COLLISION);
    assert_int_equal(f.report.count, 3); // base-floor, cube-brick, cube-floor
    const char *want[3][2] = {{"base", "floor"}, {"cube", "brick"}, {"cube", "floor"}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(f.contacts[i].kind, GRAZE_CONTACT_WORLD);
        assert_string_equal(graze_contact_link_name(f.checker, &f.contacts[i]), want[i][0]);
        assert_string_equal(graze_contact_other_name(f.checker, &f.contacts[i]), want[i][1]);
    }
    assert_int_equal(query(&f, GRAZE_ANSWER_FIRST, 0, 0), GRAZE_COLLISION);
    assert_int_equal(f.report.count, 1);
    assert_string_equal(graze_contact_other_name(f.checker, &f.contacts[0]), "floor");
    close_fixture(&f);
}

static void test_reports_with_too_little_room_are_truncated(void **state) {
    (void)state;
    graze_world *w = make_world();
    double wide[3] = {9, 9, 0.1};
    graze_transform pose = at(0, 0, -0.5);
    assert_int_equal(graze_world_add_box(w, "floor", wide, &pose, NULL), GRAZE_OK);
    fixture f;
    open_fixture(&f, slider_urdf, w, NULL);
    for (size_t capacity = 0; capacity < 4; capacity++) {
        f.report.capacity = capacity;
        memset(f.contacts, 0x55, sizeof f.contacts);
        assert_int_equal(query(&f, GRAZE_ANSWER_ALL, 0, 0), GRAZE_COLLISION);
        assert_int_equal(f.report.count, 2);
        assert_int_equal(f.report.truncated, capacity < 2);
        if (capacity < 3) assert_int_equal(f.contacts[capacity].element, 0x55555555);
    }
    f.report.contacts = NULL;
    f.report.capacity = 0;
    assert_int_equal(query(&f, GRAZE_ANSWER_ANY, 0, 0), GRAZE_COLLISION);
    close_fixture(&f);
}

static void test_allowed_pairs_hide_links_and_objects(void **state) {
    (void)state;
    graze_world *w = make_world();
    double wide[3] = {9, 9, 0.1};
    graze_transform pose = at(0, 0, -0.5);
    assert_int_equal(graze_world_add_box(w, "floor", wide, &pose, NULL), GRAZE_OK);
    graze_allowed_pair pairs[] = {{"base", "floor"}, {"floor", "cube"}, {"cube", "base"}};
    graze_checker_options options = graze_checker_options_default();
    options.allowed = pairs;
    options.allowed_count = 3;
    fixture f;
    open_fixture(&f, slider_urdf, w, &options);
    assert_int_equal(query(&f, GRAZE_ANSWER_ALL, -1, 0), GRAZE_FREE);
    graze_checker *bad = (graze_checker *)&f;
    pairs[0].a = "bsae";
    assert_int_equal(graze_checker_create(&bad, f.robot, w, &options, &f.error),
                     GRAZE_ERROR_ARGUMENT);
    assert_null(bad);
    assert_non_null(strstr(f.error.message, "bsae"));
    pairs[0].a = "floor";
    assert_int_equal(graze_checker_create(&bad, f.robot, w, &options, &f.error),
                     GRAZE_ERROR_ARGUMENT);
    close_fixture(&f);
}

static void test_boundary_is_closed_and_names_the_root(void **state) {
    (void)state;
    graze_world *w = make_world();
    double low[3] = {-1, -1, 0}, high[3] = {1, 1, 2};
    assert_int_equal(graze_world_set_boundary(w, low, high, NULL), GRAZE_OK);
    fixture f;
    open_fixture(&f, slider_urdf, w, NULL);
    double q[2] = {0, 0}, base[6] = {1, -1, 2, 0, 0, 3};
    assert_int_equal(graze_check(f.checker, f.ws, GRAZE_ANSWER_FIRST, q, 2, base, &f.report, NULL),
                     GRAZE_OK);
    assert_int_equal(f.report.verdict, GRAZE_FREE); // on it is inside; the extents do not matter
    base[0] = nextafter(1, 2);
    assert_int_equal(graze_check(f.checker, f.ws, GRAZE_ANSWER_FIRST, q, 2, base, &f.report, NULL),
                     GRAZE_OK);
    assert_int_equal(f.report.verdict, GRAZE_COLLISION);
    assert_int_equal(f.contacts[0].kind, GRAZE_CONTACT_BOUNDARY);
    assert_string_equal(graze_contact_link_name(f.checker, &f.contacts[0]), "base");
    assert_string_equal(graze_contact_other_name(f.checker, &f.contacts[0]), "boundary");
    graze_checker_options options = graze_checker_options_default();
    options.no_world = 1;
    graze_checker *without;
    assert_int_equal(graze_checker_create(&without, f.robot, w, &options, NULL), GRAZE_OK);
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, without, NULL), GRAZE_OK);
    assert_int_equal(graze_check(without, ws, GRAZE_ANSWER_FIRST, q, 2, base, &f.report, NULL),
                     GRAZE_OK);
    assert_int_equal(f.report.verdict, GRAZE_FREE);
    graze_workspace_free(ws);
    graze_checker_free(without);
    close_fixture(&f);
}

static void test_contained_meshes_collide_only_as_solids(void **state) {
    (void)state;
    // A closed mesh (a tetrahedron) as the world; the robot's cubes are boxes, always solid.
    static const double corners[] = {-9, -9, -9, 9, -9, -9, 0, 9, -9, 0, 0, 20};
    static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    for (int surface = 0; surface < 2; surface++) {
        graze_world *w = make_world();
        assert_int_equal(graze_world_add_mesh(w, "hull", corners, 4, faces, 4, NULL, NULL),
                         GRAZE_OK);
        graze_checker_options options = graze_checker_options_default();
        options.policy = surface ? GRAZE_POLICY_SURFACE : GRAZE_POLICY_SOLID;
        graze_allowed_pair rail = {"rail", "hull"};
        options.allowed = &rail;
        options.allowed_count = 1;
        fixture f;
        open_fixture(&f, slider_urdf, w, &options);
        assert_int_equal(query(&f, GRAZE_ANSWER_ALL, 0, 0), surface ? GRAZE_FREE : GRAZE_COLLISION);
        if (!surface) {
            assert_int_equal(f.report.count, 2);
            assert_true(f.contacts[0].contained);
            assert_int_equal(f.contacts[0].other_triangle, -1);
            assert_int_equal(f.contacts[0].triangle, 0);
        }
        close_fixture(&f);
    }
}

static void test_uncommitted_worlds_and_stale_options_are_refused(void **state) {
    (void)state;
    graze_robot *robot = load(slider_urdf);
    graze_world *w = make_world();
    graze_checker *c = (graze_checker *)robot;
    graze_error error;
    assert_int_equal(graze_checker_create(&c, robot, w, NULL, &error), GRAZE_ERROR_ARGUMENT);
    assert_null(c);
    graze_checker_options options;
    memset(&options, 0, sizeof options);
    assert_int_equal(graze_checker_create(&c, robot, NULL, &options, &error), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_checker_create(&c, NULL, NULL, NULL, &error), GRAZE_ERROR_ARGUMENT);
    graze_world_free(w);
    graze_robot_free(robot);
}

static void test_pose_is_collision_speaks_as_kineval(void **state) {
    (void)state;
    graze_robot *robot = load(slider_urdf);
    double q[2] = {0, 0};
    assert_null(graze_pose_is_collision(robot, NULL, q));
    q[0] = -1;
    assert_string_equal(graze_pose_is_collision(robot, NULL, q), "base");
    q[0] = NAN;
    assert_string_equal(graze_pose_is_collision(robot, NULL, q), "?");
    assert_string_equal(graze_pose_is_collision(robot, NULL, NULL), "?");
    assert_string_equal(graze_pose_is_collision(NULL, NULL, q), "?");
    graze_world *w = make_world();
    q[0] = 0;
    assert_string_equal(graze_pose_is_collision(robot, w, q), "?"); // not committed
    graze_world_free(w);
    graze_robot_free(robot);
}

static bool name_all(const graze_explanation *e, void *user) {
    const graze_checker *checker = user;
    graze_contact contact = {.kind = e->kind, .link = e->link, .other = e->other};
    assert_non_null(graze_contact_link_name(checker, &contact));
    assert_non_null(graze_contact_other_name(checker, &contact));
    return true;
}

static void test_level_bounds_answers_with_boxes(void **state) {
    (void)state;
    graze_world *w = make_world();
    // A ball beside the corner of the turned cube's box, but outside the cube.
    graze_transform pose = at(2.62, 0.58, 0);
    assert_int_equal(graze_world_add_sphere(w, "ball", 0.1, &pose, NULL), GRAZE_OK);
    graze_checker_options options = graze_checker_options_default();
    options.level = GRAZE_LEVEL_BOUNDS;
    fixture f;
    open_fixture(&f, slider_urdf, w, &options);
    // KinEval's rule: the ball against the box in the link frame, so turning the cube matters, and
    // link against link is not looked at.
    assert_int_equal(query(&f, GRAZE_ANSWER_FIRST, 0, 0), GRAZE_FREE);
    assert_int_equal(query(&f, GRAZE_ANSWER_FIRST, 0.1, 0), GRAZE_COLLISION);
    assert_string_equal(graze_contact_link_name(f.checker, &f.contacts[0]), "cube");
    assert_int_equal(query(&f, GRAZE_ANSWER_FIRST, -1, 0), GRAZE_FREE);
    double q[2] = {0, 0};
    assert_int_equal(
        graze_check_explain(f.checker, f.ws, q, 2, NULL, name_all, f.checker, &f.error),
        GRAZE_ERROR_UNSUPPORTED); // explaining mesh stages would contradict the verdict
    close_fixture(&f);
}

static const char rigid_urdf[] =
    "<robot name='rigid'>"
    " <link name='a'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    " <link name='b'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
    " <link name='c'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    " <joint name='ab' type='fixed'><parent link='a'/><child link='b'/><origin xyz='3 0 0'/></joint>"
    " <joint name='bc' type='fixed'><parent link='b'/><child link='c'/>"
    "  <origin xyz='-2 0 0'/></joint>"
    "</robot>";

static void test_pairs_that_no_joint_moves_are_judged_once(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, rigid_urdf, NULL, NULL); // a and c touch at x = 0.5
    double base[6] = {10, 20, 30, 0.1, 0.2, 0.3};
    for (int answer = 0; answer < 3; answer++) {
        assert_int_equal(
            graze_check(f.checker, f.ws, (graze_answer)answer, NULL, 0, base, &f.report, &f.error),
            GRAZE_OK);
        assert_int_equal(f.report.verdict, GRAZE_COLLISION);
        assert_string_equal(graze_contact_other_name(f.checker, &f.contacts[0]), "c");
        if (answer == GRAZE_ANSWER_ANY) { // names only
            assert_int_equal(f.contacts[0].triangle, -1);
            continue;
        }
        // The place moves with the base.
        graze_transform pose = graze_transform_from_xyz_rpy(base, base + 3);
        graze_transform back = graze_transform_inverse(&pose);
        graze_vec3 p = graze_transform_point(&back, f.contacts[0].point);
        assert_true(fabs(p.x - 0.5) < 1e-12);
        assert_true(f.contacts[0].has_segment);
        for (int k = 0; k < 2; k++) {
            p = graze_transform_point(&back, f.contacts[0].segment[k]);
            assert_true(fabs(p.x - 0.5) < 1e-12 && fabs(p.y) <= 0.5 + 1e-12);
        }
    }
    graze_pair pair;
    assert_int_equal(graze_robot_pair(f.robot, 1, &pair), GRAZE_OK);
    assert_int_equal(pair.state, GRAZE_PAIR_STATIC);
    close_fixture(&f);
}

typedef struct story {
    int told, allowed, collides;
    graze_stage stage[16];
} story;

static bool listen(const graze_explanation *e, void *user) {
    story *s = user;
    s->stage[s->told++] = e->stage;
    s->allowed += e->allowed;
    s->collides += e->collides;
    return true;
}

static void test_explanations_name_stages_and_what_is_allowed(void **state) {
    (void)state;
    graze_allowed_pair allowed = {"cube", "base"};
    graze_checker_options options = graze_checker_options_default();
    options.allowed = &allowed;
    options.allowed_count = 1;
    fixture f;
    open_fixture(&f, slider_urdf, NULL, &options);
    double q[2] = {-1, 0};
    story s = {0};
    assert_int_equal(graze_check_explain(f.checker, f.ws, q, 2, NULL, listen, &s, &f.error),
                     GRAZE_OK);
    assert_int_equal(s.told, 3); // no pair is checked; base-rail, rail-cube adjacent, base-cube
    assert_int_equal(s.collides, 1);
    assert_int_equal(s.allowed, 1);
    close_fixture(&f);
    open_fixture(&f, slider_urdf, NULL, NULL);
    s = (story){0};
    q[0] = 0.5;
    assert_int_equal(graze_check_explain(f.checker, f.ws, q, 2, NULL, listen, &s, &f.error),
                     GRAZE_OK);
    assert_int_equal(s.stage[0], GRAZE_STAGE_SPHERE);
    q[0] = -0.9;
    s = (story){0};
    assert_int_equal(graze_check_explain(f.checker, f.ws, q, 2, NULL, listen, &s, &f.error),
                     GRAZE_OK);
    assert_int_equal(s.stage[0], GRAZE_STAGE_BOX);
    q[0] = -1;
    s = (story){0};
    assert_int_equal(graze_check_explain(f.checker, f.ws, q, 2, NULL, listen, &s, &f.error),
                     GRAZE_OK);
    assert_true(s.stage[0] >= GRAZE_STAGE_TRIANGLE);
    close_fixture(&f);
}

static void test_explanation_of_a_link_that_overlaps_no_object_has_names(void **state) {
    (void)state;
    graze_world *w = make_world();
    double size[3] = {0.2, 0.2, 0.2};
    graze_transform far = at(50, 0, 0);
    assert_int_equal(graze_world_add_box(w, "brick", size, &far, NULL), GRAZE_OK);
    fixture f;
    open_fixture(&f, slider_urdf, w, NULL);
    double q[2] = {0, 0};
    assert_int_equal(
        graze_check_explain(f.checker, f.ws, q, 2, NULL, name_all, f.checker, &f.error), GRAZE_OK);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_touching_collides_and_the_next_double_is_free),
        cmocka_unit_test(test_turned_cube_reaches_farther),
        cmocka_unit_test(test_limits_are_reported_and_do_not_collide),
        cmocka_unit_test(test_an_error_is_never_free),
        cmocka_unit_test(test_world_contacts_name_link_and_object_in_order),
        cmocka_unit_test(test_reports_with_too_little_room_are_truncated),
        cmocka_unit_test(test_allowed_pairs_hide_links_and_objects),
        cmocka_unit_test(test_boundary_is_closed_and_names_the_root),
        cmocka_unit_test(test_contained_meshes_collide_only_as_solids),
        cmocka_unit_test(test_uncommitted_worlds_and_stale_options_are_refused),
        cmocka_unit_test(test_pose_is_collision_speaks_as_kineval),
        cmocka_unit_test(test_level_bounds_answers_with_boxes),
        cmocka_unit_test(test_pairs_that_no_joint_moves_are_judged_once),
        cmocka_unit_test(test_explanations_name_stages_and_what_is_allowed),
        cmocka_unit_test(test_explanation_of_a_link_that_overlaps_no_object_has_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
