// Poses of links from outside: graze_check() and graze_meshes_overlap() are the oracles, by the
// poses of graze_robot_pose(), rigid motions of all, and poses that no q has.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/trials.h"

enum { LINKS = 64, CONTACTS = 64 };

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    size_t link_count, q_count;
    graze_transform links[LINKS];
    graze_contact contacts[CONTACTS];
    graze_report report;
    graze_error error;
} fixture;

static void must(fixture *f, graze_status status) {
    if (status) fail_msg("%s: %s", f->error.element, f->error.message);
}

static const char *source(const char *file) {
    static char path[2][512];
    static int turn;
    snprintf(path[turn ^= 1], sizeof path[0], "%s/%s", GRAZE_SOURCE_DIR, file);
    return path[turn];
}

static void check_with(fixture *f, const graze_checker_options *options) {
    must(f, graze_checker_create(&f->checker, f->robot, f->world, options, &f->error));
    must(f, graze_workspace_create(&f->ws, f->checker, &f->error));
    f->link_count = graze_robot_link_count(f->robot);
    f->q_count = graze_robot_q_size(f->robot);
    assert_true(f->link_count <= LINKS && f->q_count <= LINKS);
    f->report = (graze_report){.contacts = f->contacts, .capacity = CONTACTS};
}

static void open_robot(fixture *f, const char *name, const char *world) {
    char urdf[64], srdf[64];
    memset(f, 0, sizeof *f);
    snprintf(urdf, sizeof urdf, "urdf/%s.urdf", name);
    snprintf(srdf, sizeof srdf, "urdf/%s.srdf", name);
    graze_load_options options = graze_load_options_default();
    options.srdf = source(srdf);
    must(f, graze_robot_load_urdf(&f->robot, source(urdf), &options, &f->error));
    if (!world) return;
    must(f, graze_world_create(&f->world, world, &f->error));
    must(f, graze_world_add_file(f->world, source(world), NULL, &f->error));
    must(f, graze_world_commit(f->world, &f->error));
}

static void open_text(fixture *f, const char *urdf, graze_world *world) {
    memset(f, 0, sizeof *f);
    must(f,
         graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "t", NULL, NULL, &f->error));
    f->world = world;
    if (world) must(f, graze_world_commit(world, &f->error));
}

static void close_fixture(fixture *f) {
    graze_workspace_free(f->ws);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
}

static graze_verdict posed(fixture *f, graze_answer answer) {
    must(f, graze_check_posed(f->checker, f->ws, answer, f->links, f->link_count, &f->report,
                              &f->error));
    return f->report.verdict;
}

static bool same_point(graze_vec3 a, graze_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Whether two contacts are the same, their places bit for bit.
static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           (!a->has_segment || (same_point(a->segment[0], b->segment[0]) &&
                                same_point(a->segment[1], b->segment[1]))) &&
           same_point(a->point, b->point);
}

/// Checks one sample by q and by its poses, in the same workspace.
static graze_verdict compare(fixture *f, uint64_t index, graze_answer answer, const double *base) {
    double q[LINKS];
    graze_contact contacts[CONTACTS];
    graze_report report = {.contacts = contacts, .capacity = CONTACTS};
    must(f, graze_robot_sample(f->robot, 17, index, NULL, NULL, q, &f->error));
    must(f, graze_robot_pose(f->robot, q, f->q_count, base, f->links, &f->error));
    must(f, graze_check(f->checker, f->ws, answer, q, f->q_count, base, &report, &f->error));
    posed(f, answer);
    assert_int_equal(f->report.verdict, report.verdict);
    assert_int_equal(f->report.violated_count, 0);
    if (answer == GRAZE_ANSWER_ANY) return report.verdict;
    assert_int_equal(f->report.count, report.count);
    assert_int_equal(f->report.truncated, report.truncated);
    for (size_t i = 0; i < report.count && i < CONTACTS; i++)
        if (!same_contact(&contacts[i], &f->contacts[i])) fail_msg("contact %zu of %zu", i, index);
    return report.verdict;
}

static void compare_many(fixture *f, uint64_t count) {
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_PAIR,
                                           GRAZE_ANSWER_ALL};
    uint64_t collisions = 0;
    for (uint64_t i = 0; i < count; i++) {
        double t = (double)(i % 1000) * 1e-3, base[6] = {0.4 * t, -0.3 * t, 0.1 * t, t, -t, 3 * t};
        collisions += compare(f, i, answers[i % 4], i % 3 ? NULL : base) == GRAZE_COLLISION;
    }
    assert_in_range(collisions, count / 50, count - count / 50);
}

static void test_poses_of_q_give_the_verdict_of_q(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"heron", "worlds/shelf.json"},
                                           {"six_axis", "worlds/table.json"}};
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_robot(&f, cases[k][0], cases[k][1]);
        check_with(&f, NULL);
        compare_many(&f, TRIALS(15000, 1000));
        close_fixture(&f);
    }
}

/// Poses are tested in float first, as those of q are; only what that leaves is in double.
static void test_poses_go_through_the_filter(void **state) {
    (void)state;
    fixture f;
    graze_stats by_q = {0}, by_poses = {0};
    open_robot(&f, "heron", "worlds/shelf.json");
    check_with(&f, NULL);
    for (uint64_t i = 0; i < TRIALS(500, 50); i++) {
        double q[LINKS];
        graze_report report = {0};
        must(&f, graze_robot_sample(f.robot, 11, i, NULL, NULL, q, &f.error));
        must(&f, graze_robot_pose(f.robot, q, f.q_count, NULL, f.links, &f.error));
        must(&f, graze_check(f.checker, f.ws, GRAZE_ANSWER_PAIR, q, f.q_count, NULL, &report,
                             &f.error));
        graze_stats_add(&by_q, &report.stats);
        posed(&f, GRAZE_ANSWER_PAIR);
        graze_stats_add(&by_poses, &f.report.stats);
    }
    assert_true(by_poses.lane_rejects > 0);
    assert_in_range(by_poses.lane_rejects, by_q.lane_rejects * 99 / 100,
                    by_q.lane_rejects * 101 / 100);
    assert_in_range(by_poses.sphere_rejects, 0, by_q.sphere_rejects * 101 / 100 + 10);
    close_fixture(&f);
}

static void test_margins_and_the_level_of_bounds_as_by_q(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_robot(&f, "heron", "worlds/shelf.json");
        graze_checker_options options = graze_checker_options_default();
        if (k == 0)
            options.margin = 0.001;
        else
            options.level = GRAZE_LEVEL_BOUNDS;
        check_with(&f, &options);
        compare_many(&f, TRIALS(2000, 200));
        close_fixture(&f);
    }
}

static void test_attached_bodies_have_poses_too(void **state) {
    (void)state;
    fixture f;
    open_robot(&f, "heron", "worlds/shelf.json");
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {0.3, 0.2, 0.1}};
    graze_attachment carried = {.struct_size = sizeof(graze_attachment),
                                .name = "box",
                                .link = "gripper_link",
                                .geometry = &box};
    const double way[3] = {0.1, 0, 0.2}, turn[3] = {0.3, -0.5, 1};
    carried.pose = graze_transform_from_xyz_rpy(way, turn);
    graze_robot *free_handed = f.robot;
    must(&f, graze_robot_attach(&f.robot, free_handed, &carried, &f.error));
    graze_robot_free(free_handed);
    check_with(&f, NULL);
    compare_many(&f, TRIALS(2000, 200));
    // Where it stands elsewhere than its carrier takes it, it is named.
    int32_t body = graze_robot_find_link(f.robot, "box");
    f.links[body].m[3] += 1e-5;
    assert_int_equal(graze_check_posed(f.checker, f.ws, GRAZE_ANSWER_ANY, f.links, f.link_count,
                                       &f.report, &f.error),
                     GRAZE_ERROR_ARGUMENT);
    assert_string_equal(f.error.element, "box");
    close_fixture(&f);
}

/// A world of the same objects, all moved; without a boundary, which does not turn.
static graze_world *move_world(fixture *f, const graze_transform *motion) {
    graze_world *empty, *moved;
    size_t count = graze_world_object_count(f->world);
    static graze_geometry objects[LINKS];
    static graze_transform poses[LINKS];
    static graze_world_change changes[LINKS];
    assert_true(count <= LINKS);
    for (size_t i = 0; i < count; i++) {
        must(f, graze_world_object(f->world, i, &objects[i]));
        poses[i] = graze_transform_multiply(motion, &objects[i].origin);
        changes[i] = (graze_world_change){.struct_size = sizeof(graze_world_change),
                                          .kind = GRAZE_CHANGE_ADD,
                                          .name = objects[i].name,
                                          .pose = &poses[i],
                                          .geometry = &objects[i]};
    }
    must(f, graze_world_create(&empty, "moved", &f->error));
    must(f, graze_world_commit(empty, &f->error));
    must(f, graze_world_revise(&moved, empty, changes, count, &f->error));
    graze_world_free(empty);
    return moved;
}

static void test_a_rigid_motion_of_all_changes_no_verdict(void **state) {
    (void)state;
    fixture f, moved;
    open_robot(&f, "six_axis", "worlds/table.json");
    const double way[3] = {12, -7, 3}, turn[4] = {0.1, 0.7, -0.4, 0.5};
    const graze_transform motion = graze_transform_from_xyz_quat(way, turn),
                          none = graze_transform_identity();
    graze_world *same = move_world(&f, &none);
    moved = f;
    moved.world = move_world(&f, &motion);
    graze_world_free(f.world);
    f.world = same;
    check_with(&f, NULL);
    check_with(&moved, NULL);
    for (uint64_t i = 0; i < TRIALS(5000, 300); i++) {
        double q[LINKS];
        must(&f, graze_robot_sample(f.robot, 5, i, NULL, NULL, q, &f.error));
        must(&f, graze_robot_pose(f.robot, q, f.q_count, NULL, f.links, &f.error));
        for (size_t k = 0; k < f.link_count; k++)
            moved.links[k] = graze_transform_multiply(&motion, &f.links[k]);
        assert_int_equal(posed(&f, GRAZE_ANSWER_ALL), posed(&moved, GRAZE_ANSWER_ALL));
        assert_int_equal(f.report.count, moved.report.count);
        for (size_t k = 0; k < f.report.count; k++) {
            assert_int_equal(f.contacts[k].link, moved.contacts[k].link);
            assert_int_equal(f.contacts[k].other, moved.contacts[k].other);
        }
    }
    moved.robot = NULL;
    close_fixture(&moved);
    close_fixture(&f);
}

// ------------------------------------------------------------------------- poses that no q has

/// Two cubes of edge 200; %s: more elements of each.
static const char cubes_urdf[] =
    "<robot name='cubes'>"
    " <link name='a'><collision><geometry><box size='200 200 200'/></geometry></collision>%s</link>"
    " <link name='between'><collision><origin xyz='0 0 -950'/><geometry><box size='1 1 1'/>"
    "  </geometry></collision></link>"
    " <link name='b'><collision><geometry><box size='200 200 200'/></geometry></collision>%s</link>"
    " <joint name='x' type='continuous'><parent link='a'/><child link='between'/></joint>"
    " <joint name='y' type='prismatic'><parent link='between'/><child link='b'/>"
    "  <limit lower='-900' upper='900' effort='1' velocity='1'/></joint>"
    "</robot>";
static const char speck[] = "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>";

/// Whether the two cubes overlap: graze_meshes_overlap(), which knows no bounds of links.
static bool cubes_overlap(fixture *f, size_t b) {
    graze_geometry cubes[2];
    graze_mesh_overlap overlap;
    must(f, graze_robot_collision(f->robot, 0, &cubes[0]));
    must(f, graze_robot_collision(f->robot, b, &cubes[1]));
    must(f, graze_meshes_overlap(cubes[0].mesh, &f->links[0], cubes[1].mesh, &f->links[2],
                                 GRAZE_POLICY_SOLID, &overlap, &f->error));
    return overlap.overlap;
}

/// Moves the second cube along a direction until it is free by a neighbouring double.
static void separate_cubes(fixture *f, size_t b, const double along[3]) {
    double near = 150, far = 300;
    for (int step = 0; step < 80; step++) {
        double t = 0.5 * (near + far);
        for (int k = 0; k < 3; k++) f->links[2].m[4 * k + 3] = along[k] * t;
        *(cubes_overlap(f, b) ? &near : &far) = t;
    }
    for (int k = 0; k < 3; k++) f->links[2].m[4 * k + 3] = along[k] * near;
    assert_true(cubes_overlap(f, b));
    assert_int_equal(posed(f, GRAZE_ANSWER_ANY), GRAZE_COLLISION);
    for (int k = 0; k < 3; k++) f->links[2].m[4 * k + 3] = along[k] * far;
    assert_false(cubes_overlap(f, b));
    assert_int_equal(posed(f, GRAZE_ANSWER_FIRST), GRAZE_FREE);
    // By q the bounds are as tight as before.
    graze_report report = {0};
    must(f, graze_check(f->checker, f->ws, GRAZE_ANSWER_ALL, (const double[2]){0, 200 + 1e-7}, 2,
                        NULL, &report, &f->error));
    assert_int_equal(report.verdict, GRAZE_FREE);
    assert_int_equal(report.stats.obb_rejects, 1);
}

/// What is stretched by 4.9e-10, as is allowed, reaches farther than its bounds in the link frame.
static void test_bounds_hold_what_is_as_far_off_rigid_as_is_allowed(void **state) {
    (void)state;
    static const double along[][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0.3, -0.2}};
    for (size_t several = 0; several < 2; several++) {
        char urdf[1024];
        fixture f;
        snprintf(urdf, sizeof urdf, cubes_urdf, several ? speck : "", several ? speck : "");
        open_text(&f, urdf, NULL);
        check_with(&f, NULL);
        for (int stretched = 0; stretched < 2; stretched++) {
            for (int i = 0; i < 4; i++) {
                for (int k = 0; k < 3; k++) f.links[k] = graze_transform_identity();
                for (int k = 0; k < 3; k++)
                    f.links[0].m[5 * k] = f.links[2].m[5 * k] = stretched ? 1 + 4.9e-10 : 1;
                separate_cubes(&f, 2 + several, along[i]);
            }
        }
        close_fixture(&f);
    }
}

/// Links out of reach of the base, in a world of many objects, one after the other at each.
static void test_links_may_be_anywhere(void **state) {
    (void)state;
    enum { BALLS = 100 };
    graze_world *world;
    char name[16], urdf[1024];
    fixture f;
    assert_int_equal(graze_world_create(&world, "balls", NULL), GRAZE_OK);
    for (int i = 0; i < BALLS; i++) {
        graze_transform pose = graze_transform_identity();
        pose.m[3] = 2000.0 * (i + 1);
        snprintf(name, sizeof name, "ball%d", i);
        assert_int_equal(graze_world_add_sphere(world, name, 1, &pose, NULL), GRAZE_OK);
    }
    snprintf(urdf, sizeof urdf, cubes_urdf, "", "");
    open_text(&f, urdf, world);
    check_with(&f, NULL);
    const double q[2] = {0.5, 0};
    for (int i = 0; i < BALLS; i++) {
        for (int k = 0; k < 3; k++) f.links[k] = graze_transform_identity();
        f.links[2].m[7] = 300;
        assert_int_equal(posed(&f, GRAZE_ANSWER_ALL), GRAZE_FREE);
        f.links[2].m[3] = 2000.0 * (i + 1);
        f.links[2].m[7] = 100;
        assert_int_equal(posed(&f, GRAZE_ANSWER_ALL), GRAZE_COLLISION);
        assert_int_equal(f.report.count, 1);
        assert_int_equal(f.contacts[0].other, i);
        // The base, which no joint moves, by itself.
        f.links[2].m[7] = 300;
        f.links[0].m[3] = 2000.0 * (i + 1);
        assert_int_equal(posed(&f, GRAZE_ANSWER_FIRST), GRAZE_COLLISION);
        assert_int_equal(f.contacts[0].link, 0);
        graze_report report = {0};
        must(&f, graze_check(f.checker, f.ws, GRAZE_ANSWER_ALL, q, 2, NULL, &report, &f.error));
        assert_int_equal(report.count, 1); // the cubes lie in each other
    }
    close_fixture(&f);
}

/// A joint that follows a fixed one does not move with q, and moves all the same with its pose.
static void test_what_no_joint_moves_is_looked_at_anew(void **state) {
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='a'/>"
        "<link name='f'/><link name='m'><collision><geometry><box size='1 1 1'/></geometry>"
        "</collision></link>"
        "<joint name='x' type='fixed'><parent link='a'/><child link='f'/></joint>"
        "<joint name='y' type='revolute'><parent link='f'/><child link='m'/><mimic joint='x'/>"
        "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";
    graze_world *world;
    fixture f;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "s", 1, NULL, NULL), GRAZE_OK);
    open_text(&f, urdf, world);
    check_with(&f, NULL);
    assert_int_equal(f.q_count, 0);
    for (int k = 0; k < 3; k++) f.links[k] = graze_transform_identity();
    for (int i = 0; i < 3; i++) {
        f.links[2].m[3] = 0;
        assert_int_equal(posed(&f, GRAZE_ANSWER_ANY), GRAZE_COLLISION);
        f.links[2].m[3] = 10;
        assert_int_equal(posed(&f, GRAZE_ANSWER_ANY), GRAZE_FREE);
        graze_report report = {0};
        must(&f, graze_check(f.checker, f.ws, i ? GRAZE_ANSWER_ANY : GRAZE_ANSWER_ALL, NULL, 0,
                             NULL, &report, &f.error));
        assert_int_equal(report.verdict, GRAZE_COLLISION);
    }
    close_fixture(&f);
}

// ------------------------------------------------------------------------------------- errors

static void refuse(fixture *f, int32_t link, graze_status status) {
    graze_transform kept = f->links[link];
    f->report.verdict = GRAZE_FREE;
    graze_status got = graze_check_posed(f->checker, f->ws, GRAZE_ANSWER_ANY, f->links,
                                         f->link_count, &f->report, &f->error);
    assert_int_equal(got, status);
    assert_int_equal(f->report.verdict, GRAZE_UNKNOWN);
    assert_string_equal(f->error.element, graze_robot_link_name(f->robot, link));
    assert_memory_equal(&kept, &f->links[link], sizeof kept);
    must(f, graze_robot_pose(f->robot, (const double[LINKS]){0}, f->q_count, NULL, f->links,
                             &f->error));
    must(f, graze_check_posed(f->checker, f->ws, GRAZE_ANSWER_ANY, f->links, f->link_count,
                              &f->report, &f->error));
    assert_int_equal(f->error.status, GRAZE_OK);
}

/// The root link of the body of a link with collision geometry.
static int32_t frame_of(const fixture *f, int32_t link) {
    graze_geometry g;
    for (size_t i = 0; i < graze_robot_collision_count(f->robot); i++)
        if (graze_robot_collision(f->robot, i, &g) == GRAZE_OK && g.owner == link) return g.frame;
    return -1;
}

static void test_poses_that_are_none_are_refused_by_name(void **state) {
    (void)state;
    fixture f;
    open_robot(&f, "heron", "worlds/shelf.json");
    check_with(&f, NULL);
    must(&f,
         graze_robot_pose(f.robot, (const double[LINKS]){0}, f.q_count, NULL, f.links, &f.error));
    int roots = 0, followers = 0;
    for (int32_t i = 0; i < (int32_t)f.link_count; i++) {
        int32_t frame = frame_of(&f, i);
        if (frame < 0) continue;
        const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p20 + 1};
        for (int k = 0; k < 4; k++) {
            f.links[i].m[(i + 5 * k) % 12] = bad[k];
            refuse(&f, i, GRAZE_ERROR_RANGE);
        }
        if (frame != i) {
            f.links[i].m[7] += 1e-5;
            refuse(&f, i, GRAZE_ERROR_ARGUMENT);
            followers++;
            continue;
        }
        f.links[i].m[0] += 1e-6;
        refuse(&f, i, GRAZE_ERROR_ARGUMENT);
        for (int k = 0; k < 3; k++) f.links[i].m[4 * k] *= -1; // a mirror image
        refuse(&f, i, GRAZE_ERROR_ARGUMENT);
        roots++;
    }
    assert_true(roots > 5 && followers > 0);
    close_fixture(&f);
}

static void test_poses_in_float_are_made_rigid_first(void **state) {
    (void)state;
    fixture f;
    double q[LINKS];
    open_robot(&f, "heron", "worlds/shelf.json");
    check_with(&f, NULL);
    for (uint64_t i = 0; i < TRIALS(500, 50); i++) {
        graze_report report = {0};
        must(&f, graze_robot_sample(f.robot, 9, i, NULL, NULL, q, &f.error));
        must(&f, graze_robot_pose(f.robot, q, f.q_count, NULL, f.links, &f.error));
        must(&f,
             graze_check(f.checker, f.ws, GRAZE_ANSWER_ANY, q, f.q_count, NULL, &report, &f.error));
        for (size_t k = 0; k < f.link_count; k++)
            for (int j = 0; j < 12; j++) f.links[k].m[j] = (double)(float)f.links[k].m[j];
        assert_int_equal(graze_check_posed(f.checker, f.ws, GRAZE_ANSWER_ANY, f.links, f.link_count,
                                           &f.report, &f.error),
                         GRAZE_ERROR_ARGUMENT);
        assert_non_null(strstr(f.error.message, "graze_transform_normalise"));
        for (size_t k = 0; k < f.link_count; k++)
            must(&f, graze_transform_normalise(&f.links[k], &f.links[k]));
        assert_int_equal(posed(&f, GRAZE_ANSWER_ANY), report.verdict);
    }
    close_fixture(&f);
}

static void test_arguments(void **state) {
    (void)state;
    fixture f, other;
    open_robot(&f, "two_link", NULL);
    open_robot(&other, "two_link", NULL);
    graze_checker_options options = graze_checker_options_default();
    options.margin = 0.01;
    options.domain = 5;
    check_with(&f, &options);
    check_with(&other, NULL);
    must(&f,
         graze_robot_pose(f.robot, (const double[LINKS]){0}, f.q_count, NULL, f.links, &f.error));
    const graze_answer any = GRAZE_ANSWER_ANY;
    size_t n = f.link_count;
    graze_report *r = &f.report;
    const struct {
        const graze_checker *checker;
        graze_workspace *ws;
        const graze_transform *links;
        size_t count;
        graze_answer answer;
    } bad[] = {{NULL, f.ws, f.links, n, any},          {f.checker, NULL, f.links, n, any},
               {f.checker, other.ws, f.links, n, any}, {f.checker, f.ws, NULL, n, any},
               {f.checker, f.ws, f.links, n - 1, any}, {f.checker, f.ws, f.links, n + 1, any},
               {f.checker, f.ws, f.links, 0, any},     {f.checker, f.ws, f.links, n, 9}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        r->verdict = GRAZE_FREE;
        assert_int_equal(graze_check_posed(bad[i].checker, bad[i].ws, bad[i].answer, bad[i].links,
                                           bad[i].count, r, &f.error),
                         GRAZE_ERROR_ARGUMENT);
        assert_int_equal(r->verdict, GRAZE_UNKNOWN);
    }
    assert_int_equal(graze_check_posed(f.checker, f.ws, any, f.links, n, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    // Under a margin epsilon holds in the domain alone.
    for (size_t i = 0; i < n; i++) f.links[i].m[3] += 5;
    r->verdict = GRAZE_FREE;
    assert_int_equal(graze_check_posed(f.checker, f.ws, any, f.links, n, r, &f.error),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(r->verdict, GRAZE_UNKNOWN);
    assert_int_equal(graze_check_posed(other.checker, other.ws, any, f.links, n, r, &f.error),
                     GRAZE_OK);
    close_fixture(&other);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_of_q_give_the_verdict_of_q),
        cmocka_unit_test(test_poses_go_through_the_filter),
        cmocka_unit_test(test_margins_and_the_level_of_bounds_as_by_q),
        cmocka_unit_test(test_attached_bodies_have_poses_too),
        cmocka_unit_test(test_a_rigid_motion_of_all_changes_no_verdict),
        cmocka_unit_test(test_bounds_hold_what_is_as_far_off_rigid_as_is_allowed),
        cmocka_unit_test(test_links_may_be_anywhere),
        cmocka_unit_test(test_what_no_joint_moves_is_looked_at_anew),
        cmocka_unit_test(test_poses_that_are_none_are_refused_by_name),
        cmocka_unit_test(test_poses_in_float_are_made_rigid_first),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
