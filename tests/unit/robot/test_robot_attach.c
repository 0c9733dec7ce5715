// Bodies that links carry. A robot with an attached body must be the robot of a URDF that has the
// same link and a fixed joint at its end: poses, bounds of errors, pairs, and whole reports. Taking
// it off again must give back the robot: its compiled file, byte for byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/graze.h"
#include "robot/robot.h"

static char *read_file(const char *name, size_t *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GRAZE_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

/// The robot heron, with XML put before the end of its URDF.
static graze_robot *load_heron(const char *more) {
    size_t size, end;
    char base[512], srdf[600], *text = read_file("urdf/heron.urdf", &size);
    for (end = size; end > 0 && strncmp(text + end - 1, "</robot>", 8) != 0;) end--;
    assert_true(end > 0);
    char *whole = malloc(size + strlen(more) + 1);
    assert_non_null(whole);
    memcpy(whole, text, end - 1);
    sprintf(whole + end - 1, "%s</robot>", more);
    snprintf(base, sizeof base, "%s/urdf", GRAZE_SOURCE_DIR);
    snprintf(srdf, sizeof srdf, "%s/heron.srdf", base);
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, whole, strlen(whole), "heron", base, &options, &error))
        fail_msg("%s", error.message);
    free(whole);
    free(text);
    return robot;
}

static graze_world *load_world(const char *name) {
    char path[512];
    graze_world *world;
    snprintf(path, sizeof path, "%s/%s", GRAZE_SOURCE_DIR, name);
    assert_int_equal(graze_world_create(&world, "world", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_file(world, path, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    return world;
}

static graze_robot *attach(const graze_robot *robot, const graze_attachment *attachment) {
    graze_robot *out;
    graze_error error;
    if (graze_robot_attach(&out, robot, attachment, &error)) fail_msg("%s", error.message);
    return out;
}

static void draw(const graze_robot *robot, gz_random *random, double *q) {
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info j;
        graze_robot_joint(robot, graze_robot_q_joint(robot, i), &j);
        q[i] = gz_random_range(random, j.limited ? j.lower : -3, j.limited ? j.upper : 3);
    }
}

// ------------------------------------------------------------------------------ a URDF that has it

static void assert_same_links(const graze_robot *a, const graze_robot *b) {
    assert_int_equal(graze_robot_link_count(a), graze_robot_link_count(b));
    assert_int_equal(graze_robot_q_size(a), graze_robot_q_size(b));
    assert_int_equal(a->body_count, b->body_count);
    for (int32_t i = 0; i < a->link_count; i++) {
        const gz_link *x = &a->links[i], *y = &b->links[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->body, y->body);
        assert_memory_equal(&x->in_body, &y->in_body, sizeof x->in_body);
        assert_int_equal(x->first_collision, y->first_collision);
        assert_int_equal(x->collision_count, y->collision_count);
        assert_true(x->skew == y->skew && x->pad == y->pad);
        assert_memory_equal(&x->sphere, &y->sphere, sizeof x->sphere);
        assert_memory_equal(&x->obb, &y->obb, sizeof x->obb);
        assert_memory_equal(&x->local.aabb, &y->local.aabb, sizeof x->local.aabb);
        assert_true(graze_robot_link_pose_error(a, i, 100) ==
                    graze_robot_link_pose_error(b, i, 100));
    }
    for (int32_t i = 0; i < a->body_count; i++)
        assert_memory_equal(&a->bodies[i].error, &b->bodies[i].error, sizeof(gz_pose_error));
}

/// Pairs, but for the touch links, which the URDF's SRDF does not name.
static void assert_same_pairs(const graze_robot *a, const graze_robot *b, const char *touch) {
    size_t touched = 0;
    assert_int_equal(a->pair_count, b->pair_count);
    for (size_t i = 0; i < a->pair_count; i++) {
        const gz_pair *x = &a->pairs[i], *y = &b->pairs[i];
        assert_int_equal(x->a, y->a);
        assert_int_equal(x->b, y->b);
        bool touches = x->b == a->link_count - 1 && strcmp(a->links[x->a].name, touch) == 0;
        touched += touches;
        assert_int_equal(x->state, touches ? GRAZE_PAIR_TOUCH : y->state);
        if (touches) assert_string_equal(x->reason, "touch link of cup");
        if (!touches) assert_string_equal(x->reason ? x->reason : "", y->reason ? y->reason : "");
    }
    assert_int_equal(touched, 1);
}

static void assert_same_contact(const graze_contact *a, const graze_contact *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->link, b->link);
    assert_int_equal(a->other, b->other);
    assert_int_equal(a->element, b->element);
    assert_int_equal(a->other_element, b->other_element);
    assert_int_equal(a->triangle, b->triangle);
    assert_int_equal(a->other_triangle, b->other_triangle);
    assert_int_equal(a->contained, b->contained);
    assert_true(a->point.x == b->point.x && a->point.y == b->point.y && a->point.z == b->point.z);
}

/// Reports of random configurations; returns how many contacts are of the attached body.
static size_t compare_reports(const graze_robot *a, const graze_robot *b, const char *touch,
                              const graze_world *world, double margin) {
    graze_checker *checker[2];
    graze_workspace *ws[2];
    graze_contact contacts[2][64];
    double q[32];
    size_t own = 0;
    const graze_allowed_pair allowed = {touch, "cup"};
    for (int k = 0; k < 2; k++) {
        graze_checker_options o = graze_checker_options_default();
        o.margin = margin;
        o.allowed = &allowed;
        o.allowed_count = (size_t)k; // the touch link, where the robot does not know of it
        assert_int_equal(graze_checker_create(&checker[k], k ? b : a, world, &o, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&ws[k], checker[k], NULL), GRAZE_OK);
    }
    assert_true(graze_checker_epsilon(checker[0]) == graze_checker_epsilon(checker[1]));
    gz_random random = gz_random_make(5, 5);
    for (int i = 0; i < 300; i++) {
        graze_report r[2];
        draw(a, &random, q);
        for (int k = 0; k < 2; k++) {
            r[k] = (graze_report){.contacts = contacts[k], .capacity = 64};
            assert_int_equal(graze_check(checker[k], ws[k], GRAZE_ANSWER_ALL, q,
                                         graze_robot_q_size(a), NULL, &r[k], NULL),
                             GRAZE_OK);
        }
        assert_int_equal(r[0].verdict, r[1].verdict);
        assert_int_equal(r[0].count, r[1].count);
        for (size_t n = 0; n < r[0].count; n++) {
            assert_same_contact(&contacts[0][n], &contacts[1][n]);
            own += contacts[0][n].link == a->link_count - 1 ||
                   (contacts[0][n].kind == GRAZE_CONTACT_SELF &&
                    contacts[0][n].other == a->link_count - 1);
        }
    }
    for (int k = 0; k < 2; k++) {
        graze_workspace_free(ws[k]);
        graze_checker_free(checker[k]);
    }
    return own;
}

static void test_an_attached_body_is_a_link_of_the_urdf(void **state) {
    (void)state;
    static const char *const shapes[] = {
        "<box size=\"0.3 0.2 0.4\"/>", "<cylinder radius=\"0.1\" length=\"0.5\"/>",
        "<sphere radius=\"0.2\"/>",
        "<mesh filename=\"../tests/cli/data/cube.stl\" scale=\"0.2 0.2 0.2\"/>"};
    static const char *const carriers[] = {"gripper_link", "base_link"};
    graze_world *world = load_world("worlds/kitchen.json");
    graze_robot *robot = load_heron("");
    const char *touch = "l_gripper_finger_link";
    for (int i = 0; i < 8; i++) {
        char more[1000];
        snprintf(more, sizeof more,
                 "<link name=\"cup\"><collision><geometry>%s</geometry></collision></link>"
                 "<joint name=\"carry\" type=\"fixed\"><parent link=\"%s\"/><child link=\"cup\"/>"
                 "<origin xyz=\"0.25 0.03 0.01\" rpy=\"0.3 -0.4 1.1\"/></joint>",
                 shapes[i % 4], carriers[i / 4]);
        graze_robot *whole = load_heron(more);
        // The geometry and the pose as the file's robot has them, but for the mesh's place.
        graze_joint_info joint;
        graze_geometry g;
        graze_robot_joint(whole, graze_robot_find_joint(whole, "carry"), &joint);
        graze_robot_collision(whole, graze_robot_collision_count(whole) - 1, &g);
        graze_world *cube = NULL;
        if (g.shape == GRAZE_SHAPE_MESH) {
            char path[600];
            snprintf(path, sizeof path,
                     "{\"format\":\"graze-world-1\",\"objects\":[{\"name\":\"c\",\"shape\":"
                     "\"mesh\",\"file\":\"%s/tests/cli/data/cube.stl\",\"scale\":[0.2,0.2,0.2]}]}",
                     GRAZE_SOURCE_DIR);
            char name[] = "/tmp/graze-attach-XXXXXX.json";
            int fd = mkstemps(name, 5);
            assert_true(fd >= 0);
            FILE *file = fdopen(fd, "w");
            fputs(path, file);
            fclose(file);
            graze_error error;
            assert_int_equal(graze_world_create(&cube, "cube", NULL), GRAZE_OK);
            if (graze_world_add_file(cube, name, NULL, &error)) fail_msg("%s", error.message);
            remove(name);
            graze_world_object(cube, 0, &g);
        }
        const graze_attachment in = {.struct_size = sizeof(graze_attachment),
                                     .name = "cup",
                                     .link = carriers[i / 4],
                                     .pose = joint.origin,
                                     .geometry = &g,
                                     .touch_links = &touch,
                                     .touch_link_count = 1};
        graze_robot *carrying = attach(robot, &in);
        graze_world_free(cube);
        assert_same_links(carrying, whole);
        assert_same_pairs(carrying, whole, touch);
        assert_int_equal(graze_robot_attached_to(carrying, carrying->link_count - 1),
                         graze_robot_find_link(robot, carriers[i / 4]));
        assert_int_equal(graze_robot_attached_to(carrying, 0), -1);
        assert_int_equal(graze_robot_attached_to(whole, whole->link_count - 1), -1);
        size_t own = compare_reports(carrying, whole, touch, world, NAN);
        own += compare_reports(carrying, whole, touch, i % 2 ? world : NULL, 0.01);
        assert_true(own > 5);
        graze_robot_free(carrying);
        graze_robot_free(whole);
    }
    graze_robot_free(robot);
    graze_world_free(world);
}

// ------------------------------------------------------------------------------ on and off again

static void assert_compiled_alike(const graze_robot *a, const graze_robot *b) {
    unsigned char *x, *y;
    size_t m, n;
    assert_int_equal(graze_compile(&x, &m, a, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_compile(&y, &n, b, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
    graze_compiled_free(x);
    graze_compiled_free(y);
}

static graze_robot *detach(const graze_robot *robot, const char *name) {
    graze_robot *out;
    graze_error error;
    if (graze_robot_detach(&out, robot, name, &error)) fail_msg("%s", error.message);
    return out;
}

static void test_what_is_detached_leaves_no_trace(void **state) {
    (void)state;
    graze_robot *robot = load_heron(""), *r[6];
    const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.1},
                         box = {.shape = GRAZE_SHAPE_BOX, .size = {0.1, 0.2, 0.3}};
    graze_attachment in = {.struct_size = sizeof(graze_attachment),
                           .name = "tray",
                           .link = "gripper_link",
                           .pose = graze_transform_identity(),
                           .geometry = &box};
    in.pose.m[3] = 0.3;
    int marks[2];
    assert_int_equal(graze_robot_set_link_user(robot, 3, &marks[0], NULL), GRAZE_OK);
    assert_int_equal(graze_robot_set_link_user(robot, -1, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    r[0] = attach(robot, &in);
    in.name = "cup";
    in.link = "tray";
    in.geometry = &ball;
    r[1] = attach(r[0], &in);
    in.name = "bag";
    in.link = "base_link";
    r[2] = attach(r[1], &in);
    int32_t bag = graze_robot_find_link(r[2], "bag");
    assert_null(graze_robot_link_user(r[2], bag));
    assert_int_equal(graze_robot_set_link_user(r[2], bag, &marks[1], NULL), GRAZE_OK);
    // The meshes of the others are the same ones, not copies.
    for (size_t i = 0; i < robot->collision_count; i++)
        assert_ptr_equal(r[2]->collisions[i].shape.mesh, robot->collisions[i].shape.mesh);
    graze_robot *out;
    graze_error e;
    assert_int_equal(graze_robot_detach(&out, r[2], "tray", &e), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "carries 'cup'"));
    assert_int_equal(graze_robot_detach(&out, r[2], "base_link", &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_detach(&out, r[2], "nobody", &e), GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(graze_robot_detach(&out, r[2], NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_null(out);
    r[3] = detach(r[2], "cup"); // tray and bag are left
    assert_int_equal(graze_robot_find_link(r[3], "bag"), robot->link_count + 1);
    assert_ptr_equal(graze_robot_link_user(r[3], robot->link_count + 1), &marks[1]);
    assert_ptr_equal(graze_robot_link_user(r[3], 3), &marks[0]);
    assert_int_equal(graze_robot_attached_to(r[3], robot->link_count + 1),
                     graze_robot_find_link(robot, "base_link"));
    graze_robot *direct = attach(r[0], &in);
    assert_compiled_alike(r[3], direct);
    r[4] = detach(r[3], "tray");
    r[5] = detach(r[4], "bag");
    assert_compiled_alike(r[5], robot);
    // The first robot goes first: what is left of it is held.
    graze_robot_free(robot);
    for (int i = 0; i < 6; i++) graze_robot_free(r[i]);
    graze_robot_free(direct);
}

static void test_a_robot_of_a_file_carries_too(void **state) {
    (void)state;
    graze_robot *robot = load_heron(""), *opened, *again;
    const graze_geometry ball = {.shape = GRAZE_SHAPE_CAPSULE, .radius = 0.1, .length = 0.2};
    const graze_attachment in = {.struct_size = sizeof(graze_attachment),
                                 .name = "cup",
                                 .link = "gripper_link",
                                 .pose = graze_transform_identity(),
                                 .geometry = &ball};
    unsigned char *bytes;
    size_t size;
    graze_compiled *compiled;
    assert_int_equal(graze_compile(&bytes, &size, robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_open_memory(&compiled, bytes, size, "file", NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_robot(&opened, compiled, NULL), GRAZE_OK);
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
    graze_robot *carrying = attach(opened, &in), *other = attach(robot, &in);
    graze_robot_free(opened);
    assert_compiled_alike(carrying, other);
    // And what carries can be compiled itself, proved, opened, and put down.
    assert_int_equal(graze_compile(&bytes, &size, carrying, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_open_memory(&compiled, bytes, size, "file", NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_verify(compiled, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_robot(&again, compiled, NULL), GRAZE_OK);
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
    graze_robot *empty = detach(again, "cup");
    assert_compiled_alike(empty, robot);
    graze_robot *robots[] = {robot, carrying, other, again, empty};
    for (size_t i = 0; i < 5; i++) graze_robot_free(robots[i]);
}

static void test_mistakes_are_told(void **state) {
    (void)state;
    graze_robot *robot = load_heron("");
    const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.1},
                         flat = {.shape = GRAZE_SHAPE_SPHERE, .radius = -1},
                         dots = {.shape = GRAZE_SHAPE_POINTS, .radius = 1},
                         none = {.shape = GRAZE_SHAPE_MESH}, odd = {.shape = (graze_shape)77};
    const graze_attachment good = {.struct_size = sizeof(graze_attachment),
                                   .name = "cup",
                                   .link = "gripper_link",
                                   .pose = graze_transform_identity(),
                                   .geometry = &ball};
    const char *nobody = "nobody", *itself = "cup", *nothing = NULL;
    graze_attachment in[12];
    for (int i = 0; i < 12; i++) in[i] = good;
    in[0].name = "base_link";
    in[1].name = "";
    in[2].link = "nobody";
    in[3].pose.m[1] = 0.1;
    in[4].geometry = &flat;
    in[5].geometry = &dots;
    in[6].geometry = &none;
    in[7].touch_links = &nobody;
    in[8].touch_links = &itself;
    in[9].touch_links = &nothing;
    in[7].touch_link_count = in[8].touch_link_count = in[9].touch_link_count = 1;
    in[10].geometry = NULL;
    in[11].geometry = &odd;
    static const graze_status want[12] = {
        GRAZE_ERROR_SCHEMA, GRAZE_ERROR_SCHEMA,      GRAZE_ERROR_NOT_FOUND, GRAZE_ERROR_ARGUMENT,
        GRAZE_ERROR_RANGE,  GRAZE_ERROR_UNSUPPORTED, GRAZE_ERROR_ARGUMENT,  GRAZE_ERROR_NOT_FOUND,
        GRAZE_ERROR_SCHEMA, GRAZE_ERROR_NOT_FOUND,   GRAZE_ERROR_ARGUMENT,  GRAZE_ERROR_ARGUMENT};
    static const char *const texts[12] = {"base_link", "empty",  "nobody", "rigid",
                                          "radius",    "points", "mesh",   "touch link is 'nobody'",
                                          "itself",    "NULL",   "NULL",   "shape"};
    for (int i = 0; i < 12; i++) {
        graze_robot *out = robot;
        graze_error e;
        graze_status status = graze_robot_attach(&out, robot, &in[i], &e);
        if (status != want[i]) fail_msg("%d: %s: %s", i, graze_status_name(status), e.message);
        if (!strstr(e.message, texts[i])) fail_msg("'%s' lacks '%s'", e.message, texts[i]);
        assert_null(out);
    }
    assert_int_equal(graze_robot_attach(NULL, robot, &good, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_attached_to(NULL, 0), -1);
    assert_int_equal(graze_robot_attached_to(robot, -1), -1);
    graze_robot_free(robot);
}

// --------------------------------------------------------------------------------- from the world

/// Vertices may be welded in another order: each has to be near one of the others.
static void assert_same_points(const double *here, const double *there, size_t n) {
    for (size_t v = 0; v < n; v++) {
        double least = INFINITY;
        for (size_t u = 0; u < n && least > 1e-12; u++)
            least = fmin(least, fmax(fabs(here[3 * v] - there[3 * u]),
                                     fmax(fabs(here[3 * v + 1] - there[3 * u + 1]),
                                          fabs(here[3 * v + 2] - there[3 * u + 2]))));
        assert_true(least <= 1e-12);
    }
}

static void test_a_grasped_object_stays_where_it_stands(void **state) {
    (void)state;
    graze_robot *robot = load_heron(""), *carrying;
    graze_world *world = load_world("worlds/kitchen.json"), *less;
    double q[32], base[6] = {0.1, -0.2, 0, 0, 0, 0.5};
    gz_random random = gz_random_make(9, 1);
    size_t grasped = 0;
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g, own;
        graze_world_object(world, i, &g);
        draw(robot, &random, q);
        const char *touch = "r_gripper_finger_link";
        const graze_grasp grasp = {.struct_size = sizeof(graze_grasp),
                                   .object = g.name,
                                   .link = "gripper_link",
                                   .q = q,
                                   .q_count = graze_robot_q_size(robot),
                                   .base = base,
                                   .touch_links = &touch,
                                   .touch_link_count = 1};
        graze_error e;
        graze_status status = graze_grasp_object(&carrying, &less, robot, world, &grasp, &e);
        if (g.shape == GRAZE_SHAPE_POINTS) {
            assert_int_equal(status, GRAZE_ERROR_UNSUPPORTED);
            assert_true(!carrying && !less);
            continue;
        }
        if (status) fail_msg("%s", e.message);
        grasped++;
        assert_int_equal(graze_world_find_object(less, g.name), -1);
        assert_int_equal(graze_world_object_count(less), graze_world_object_count(world) - 1);
        // Its points, placed by the robot, are where the world had them, but for rounding.
        graze_transform links[64];
        assert_int_equal(
            graze_robot_pose(carrying, q, graze_robot_q_size(robot), base, links, NULL), GRAZE_OK);
        graze_robot_collision(carrying, graze_robot_collision_count(carrying) - 1, &own);
        size_t n = graze_geometry_point_count(&g);
        assert_int_equal(n, graze_geometry_point_count(&own));
        double *there = malloc(n * 3 * sizeof *there), *here = malloc(n * 3 * sizeof *here);
        assert_true(there && here);
        graze_geometry_snap(&g, &g.origin, there);
        graze_geometry_snap(&own, &links[own.frame], here);
        assert_same_points(here, there, n);
        free(there);
        free(here);
        graze_robot_free(carrying);
        graze_world_free(less);
    }
    assert_true(grasped > 3);
    const graze_grasp nobody = {.struct_size = sizeof(graze_grasp),
                                .object = "nobody",
                                .link = "gripper_link",
                                .q = q,
                                .q_count = graze_robot_q_size(robot),
                                .base = NULL,
                                .touch_links = NULL,
                                .touch_link_count = 0};
    graze_grasp bad = nobody;
    assert_int_equal(graze_grasp_object(&carrying, &less, robot, world, &nobody, NULL),
                     GRAZE_ERROR_NOT_FOUND);
    graze_geometry g;
    graze_world_object(world, 0, &g);
    bad.object = g.name;
    bad.link = "nobody";
    assert_int_equal(graze_grasp_object(&carrying, &less, robot, world, &bad, NULL),
                     GRAZE_ERROR_NOT_FOUND);
    bad.link = "gripper_link";
    bad.q_count = 1;
    assert_int_equal(graze_grasp_object(&carrying, &less, robot, world, &bad, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_true(!carrying && !less);
    graze_robot_free(robot);
    graze_world_free(world);
}

/// The pose of a link.
static graze_transform pose_of(const graze_robot *robot, const char *link, const double *q,
                               const double *base) {
    graze_transform links[64];
    assert_int_equal(graze_robot_pose(robot, q, graze_robot_q_size(robot), base, links, NULL),
                     GRAZE_OK);
    return links[graze_robot_find_link(robot, link)];
}

static void test_a_released_object_stands_where_the_hand_took_it(void **state) {
    (void)state;
    graze_robot *robot = load_heron(""), *carrying, *empty;
    graze_world *world = load_world("worlds/kitchen.json"), *less, *more;
    double q[32], base[6] = {0.1, -0.2, 0, 0, 0, 0.5}, base2[6] = {-1, 2, 0, 0, 0, -2};
    const size_t columns = graze_robot_q_size(robot);
    gz_random random = gz_random_make(9, 2);
    size_t released = 0;
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g, back;
        graze_world_object(world, i, &g);
        if (g.shape == GRAZE_SHAPE_POINTS) continue;
        draw(robot, &random, q);
        const graze_grasp grasp = {.struct_size = sizeof(graze_grasp),
                                   .object = g.name,
                                   .link = "gripper_link",
                                   .q = q,
                                   .q_count = columns,
                                   .base = base,
                                   .touch_links = NULL,
                                   .touch_link_count = 0};
        graze_transform from = pose_of(robot, "gripper_link", q, base);
        assert_int_equal(graze_grasp_object(&carrying, &less, robot, world, &grasp, NULL),
                         GRAZE_OK);
        draw(robot, &random, q);
        graze_transform to = pose_of(robot, "gripper_link", q, base2), inverse, motion, place;
        graze_error e;
        if (graze_release_object(&empty, &more, carrying, less, g.name, q, columns, base2, &e))
            fail_msg("%s", e.message);
        released++;
        assert_int_equal(graze_robot_link_count(empty), graze_robot_link_count(robot));
        assert_int_equal(graze_world_object_count(more), graze_world_object_count(world));
        graze_world_object(more, graze_world_object_count(more) - 1, &back);
        assert_string_equal(back.name, g.name);
        assert_int_equal(back.shape, g.shape);
        inverse = graze_transform_inverse(&from);
        motion = graze_transform_multiply(&to, &inverse);
        place = graze_transform_multiply(&motion, &g.origin);
        for (int k = 0; k < 12; k++) assert_true(fabs(place.m[k] - back.origin.m[k]) < 1e-12);
        size_t n = graze_geometry_point_count(&g);
        assert_int_equal(n, graze_geometry_point_count(&back));
        double *there = malloc(n * 3 * sizeof *there), *here = malloc(n * 3 * sizeof *here);
        assert_true(there && here);
        graze_geometry_snap(&g, &place, there);
        graze_geometry_snap(&back, &back.origin, here);
        assert_same_points(here, there, n);
        free(there);
        free(here);
        // What is not carried cannot be put down.
        graze_robot *no_robot;
        graze_world *no_world;
        assert_int_equal(
            graze_release_object(&no_robot, &no_world, empty, more, g.name, q, columns, NULL, NULL),
            GRAZE_ERROR_NOT_FOUND);
        assert_true(!no_robot && !no_world);
        // Nor where its name is taken.
        assert_int_equal(graze_release_object(&no_robot, &no_world, carrying, world, g.name, q,
                                              columns, NULL, NULL),
                         GRAZE_ERROR_SCHEMA);
        assert_true(!no_robot && !no_world);
        graze_robot_free(empty);
        graze_robot_free(carrying);
        graze_world_free(less);
        graze_world_free(more);
    }
    assert_true(released > 3);
    graze_robot_free(robot);
    graze_world_free(world);
}

static void test_without_memory_nothing_is_left_behind(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_robot *robot = load_heron("");
    graze_world *world = load_world("worlds/shelf.json");
    double q[32] = {0};
    graze_geometry g;
    graze_world_object(world, 0, &g);
    const char *touch = "r_gripper_finger_link";
    const graze_grasp grasp = {.struct_size = sizeof(graze_grasp),
                               .object = g.name,
                               .link = "gripper_link",
                               .q = q,
                               .q_count = graze_robot_q_size(robot),
                               .base = NULL,
                               .touch_links = &touch,
                               .touch_link_count = 1};
    long n = 1;
    for (;; n++) {
        graze_robot *carrying, *empty = NULL;
        graze_world *less;
        gz_memory_fail_after(n, false);
        graze_status status = graze_grasp_object(&carrying, &less, robot, world, &grasp, NULL);
        assert_true((carrying != NULL) == (status == GRAZE_OK));
        assert_true((less != NULL) == (status == GRAZE_OK));
        graze_world *more = NULL;
        if (status == GRAZE_OK)
            status = graze_release_object(&empty, &more, carrying, less, g.name, q, grasp.q_count,
                                          NULL, NULL);
        gz_memory_fail_after(0, false);
        assert_true((more != NULL) == (status == GRAZE_OK));
        graze_world_free(more);
        graze_robot_free(carrying);
        graze_robot_free(empty);
        graze_world_free(less);
        if (status == GRAZE_OK) break;
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
    }
    assert_true(n > 100);
    graze_robot_free(robot);
    graze_world_free(world);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_attached_body_is_a_link_of_the_urdf),
        cmocka_unit_test(test_what_is_detached_leaves_no_trace),
        cmocka_unit_test(test_a_robot_of_a_file_carries_too),
        cmocka_unit_test(test_mistakes_are_told),
        cmocka_unit_test(test_a_grasped_object_stays_where_it_stands),
        cmocka_unit_test(test_a_released_object_stands_where_the_hand_took_it),
        cmocka_unit_test(test_without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
