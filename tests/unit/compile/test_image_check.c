// What no robot and no world can be is refused when a file is opened, before anybody asks it.
// Compiling opens what it has written, and so refuses what was forged in memory.
#include <math.h>

#include "base/memory.h"
#include "mesh/cap.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "robot/robot.h"
#include "unit/compile/compiled_pair.h"
#include "world/world.h"

static void expect(graze_status expected, const graze_robot *robot, const graze_world *world,
                   const char *said) {
    unsigned char *bytes;
    size_t size;
    graze_error error;
    graze_status status = graze_compile(&bytes, &size, robot, world, NULL, &error);
    graze_compiled_free(bytes);
    assert_int_equal(status, expected);
    if (status && !strstr(error.message, said)) fail_msg("%s", error.message);
}

static void refuse(const graze_robot *robot, const graze_world *world, const char *said) {
    expect(GRAZE_ERROR_PARSE, robot, world, said);
}

static void accept(const graze_robot *robot, const graze_world *world) {
    expect(GRAZE_OK, robot, world, "");
}

// ------------------------------------------------------------------------------------ attached
// links

static graze_robot *carrying_robot(void) {
    graze_robot *robot = ship_robot("heron");
    const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = .1};
    static const char *const names[2] = {"cup", "spoon"};
    for (int i = 0; i < 2; i++) {
        graze_robot *with;
        const graze_attachment a = {.struct_size = sizeof(graze_attachment),
                                    .name = names[i],
                                    .link = graze_robot_link_name(robot, 1),
                                    .pose = graze_transform_identity(),
                                    .geometry = &ball};
        assert_int_equal(graze_robot_attach(&with, robot, &a, NULL), GRAZE_OK);
        graze_robot_free(robot);
        robot = with;
    }
    return robot;
}

/// Makes bodies of links and joints that have changed.
static void fold(graze_robot *robot) {
    gz_free(robot->bodies);
    robot->body_count = 0;
    assert_int_equal(gz_robot_fold(robot, NULL), GRAZE_OK);
}

/// A root that was said to be attached was asked for its parent joint, and taken out of the robot.
static void test_a_root_cannot_have_been_attached(void **state) {
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='base'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link></robot>";
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "r", NULL, NULL, NULL),
        GRAZE_OK);
    accept(robot, NULL);
    robot->links[0].is_attached = true;
    refuse(robot, NULL, "cannot have been attached");
    graze_robot_free(robot);
}

/// Without a link that a joint moved, the numbers of q had no joint.
static void test_only_what_a_fixed_joint_holds_behind_all_others_was_attached(void **state) {
    (void)state;
    graze_robot *robot = carrying_robot();
    accept(robot, NULL);
    for (int32_t i = 0; i < robot->link_count - 2; i++) {
        robot->links[i].is_attached = true;
        refuse(robot, NULL, "attached");
        robot->links[i].is_attached = false;
    }
    // Behind all others, but moved, or of several geometries.
    graze_robot *plain = ship_robot("six_axis");
    plain->links[plain->link_count - 1].is_attached = true;
    refuse(plain, NULL, "cannot have been attached");
    // The first of two, said to be the robot's own.
    robot->links[robot->link_count - 2].is_attached = false;
    fold(robot);
    accept(robot, NULL);
    robot->links[robot->link_count - 2].is_attached = true;
    robot->links[robot->link_count - 1].is_attached = false;
    refuse(robot, NULL, "cannot have been attached");
    graze_robot_free(robot);
    graze_robot_free(plain);
}

/// Detaching moves indices up: what else named the link was left with that of another, or none.
static void test_nothing_of_the_robot_names_what_was_attached(void **state) {
    (void)state;
    static const char said[] = "names a link that was attached";
    graze_robot *robot = carrying_robot();
    const int32_t link = robot->link_count - 1, joint = robot->joint_count - 1;
    const size_t own_link_count = robot->groups[0].link_count;
    assert_true(robot->group_count && robot->groups[0].joint_count && robot->visual_count &&
                robot->virtual_joint_count && robot->end_effector_count);
    robot->groups[0].link_count = 1;
    int32_t *const own_links = robot->groups[0].links, stranger = link;
    robot->groups[0].links = (int32_t *)(uintptr_t)&stranger;
    refuse(robot, NULL, said);
    robot->groups[0].links = own_links;
    robot->groups[0].link_count = own_link_count;
    int32_t *const places[] = {&robot->groups[0].joints[0], &robot->virtual_joints[0].child,
                               &robot->visuals[robot->visual_count - 1].link,
                               &robot->end_effectors[0].parent_link};
    for (int i = 0; i < 4; i++) {
        const int32_t was = *places[i];
        *places[i] = i == 0 ? joint : link;
        refuse(robot, NULL, said);
        *places[i] = was;
    }
    graze_link_margin margin = {.a = 0, .b = link, .margin = .1}, *own = robot->margins;
    const size_t own_count = robot->margin_count;
    robot->margins = &margin;
    robot->margin_count = 1;
    refuse(robot, NULL, said);
    robot->margins = own;
    robot->margin_count = own_count;
    accept(robot, NULL);
    graze_robot_free(robot);
}

/// Nor does a joint hang on it, or mimic its joint.
static void test_no_joint_of_the_robot_needs_what_was_attached(void **state) {
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='base'/><link name='arm'/><link name='tip'/><link name='flag'/>"
        "<joint name='j1' type='continuous'><parent link='base'/><child link='arm'/></joint>"
        "<joint name='j2' type='continuous'><parent link='arm'/><child link='tip'/>"
        "<mimic joint='j1'/></joint>"
        "<joint name='j3' type='fixed'><parent link='tip'/><child link='flag'/></joint></robot>";
    const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = .1};
    const graze_attachment a = {.struct_size = sizeof(graze_attachment),
                                .name = "cup",
                                .link = "tip",
                                .pose = graze_transform_identity(),
                                .geometry = &ball};
    graze_robot *plain, *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&plain, urdf, sizeof urdf - 1, "r", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_robot_attach(&robot, plain, &a, NULL), GRAZE_OK);
    const char said[] = "names a link that was attached";
    accept(robot, NULL);
    robot->joints[1].info.mimic = 3;
    refuse(robot, NULL, said);
    robot->joints[1].info.mimic = 0;
    accept(robot, NULL);
    robot->joints[2].info.parent = 4;
    fold(robot);
    refuse(robot, NULL, said);
    graze_robot_free(plain);
    graze_robot_free(robot);
}

// ------------------------------------------------------------------------------------------- boxes

static graze_world *make_world(void) {
    const double size[3] = {.5, .5, .5}, points[6] = {0, 0, 1, 0, 1, 0};
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(world, "box", size, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_capsule(world, "capsule", .1, .2, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "points", points, 2, .1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    return world;
}

/// A tree over boxes that were inside out was split without end when the world was revised.
static void test_boxes_inside_out_are_none(void **state) {
    (void)state;
    graze_world *world = make_world();
    for (size_t i = 0; i < world->object_count; i++)
        for (int k = 0; k < 3; k++) {
            graze_aabb *box = &world->objects[i]->box;
            const graze_aabb was = *box;
            (&box->min.x)[k] = 20;
            (&box->max.x)[k] = -20;
            refuse(NULL, world, "no box");
            *box = was;
        }
    accept(NULL, world);
    graze_world_free(world);
    graze_robot *robot = ship_robot("six_axis");
    for (int32_t i = 0; i < robot->link_count; i++) {
        graze_aabb *box = &robot->links[i].aabb;
        const double was = box->min.y;
        box->min.y = box->max.y + 1;
        refuse(robot, NULL, "no box");
        box->min.y = was;
    }
    accept(robot, NULL);
    graze_robot_free(robot);
}

/// Moving a solid makes it anew from its sizes: a negative one turned its box inside out.
static void test_sizes_of_objects_are_those_of_solids(void **state) {
    (void)state;
    static const double bad[] = {-1, -0x1p-1074, 0x1p21};
    graze_world *world = make_world();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double *const places[] = {&world->objects[0]->size[1], &world->objects[1]->radius,
                                  &world->objects[1]->length, &world->objects[2]->radius};
        for (int k = 0; k < 4; k++) {
            const double was = *places[k];
            *places[k] = bad[i];
            refuse(NULL, world, "size that is out of range");
            *places[k] = was;
        }
    }
    world->boundary_min[1] = 1;
    refuse(NULL, world, "boundary that is inside out");
    world->boundary_min[1] = 0;
    accept(NULL, world);
    graze_world_free(world);
}

// ------------------------------------------------------------------------------------------ joints

/// Bounds of poses take rotations and axes to be rounded ones; those of 1e-9 passed.
static void test_joints_are_placed_by_rotations(void **state) {
    (void)state;
    graze_robot *robot = ship_robot("heron");
    for (int32_t i = 0; i < robot->joint_count; i++) {
        graze_joint_info *info = &robot->joints[i].info;
        double *const places[] = {&info->origin.m[0], &info->origin.m[6], &info->axis.x,
                                  &info->axis.y, &info->axis.z};
        for (int k = 0; k < 5; k++) {
            if (k > 1 && fabs(*places[k]) < 0.5) continue;
            const double was = *places[k];
            *places[k] += 1e-12;
            refuse(robot, NULL, "does not fit");
            *places[k] = was;
        }
    }
    accept(robot, NULL);
    graze_robot_free(robot);
}

/// Attaching to such a robot wrote behind its memory, planning for it never ended.
static void test_joints_do_not_follow_each_other_in_a_ring(void **state) {
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
        "<joint name='k' type='continuous'><parent link='a'/><child link='c'/><mimic joint='j'/>"
        "</joint>"
        "<joint name='l' type='continuous'><parent link='a'/><child link='d'/><mimic joint='k'/>"
        "</joint></robot>";
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "r", NULL, NULL, NULL),
        GRAZE_OK);
    accept(robot, NULL);
    const int32_t j = graze_robot_find_joint(robot, "j"), k = graze_robot_find_joint(robot, "k"),
                  l = graze_robot_find_joint(robot, "l");
    for (int own = 0; own < 2; own++) {
        robot->joints[k].info.mimic = own ? k : l;
        refuse(robot, NULL, "'info.mimic' is not what its links and joints make of it");
    }
    robot->joints[k].info.mimic = j;
    accept(robot, NULL);
    graze_robot_free(robot);
}

// ---------------------------------------------------------------------------------------- lattices

/// A map of fewer cells than the words of eight lanes were read before its first byte; along an
/// axis of more than 2^22 a float does not tell in which cell a point is.
static void test_lattices_are_of_as_many_cells_as_lanes_take_for_granted(void **state) {
    (void)state;
    static const double corners[24] = {-3, -3, -1, 3, -3, -1, -3, 3, -1, 3, 3, -1,
                                       -3, -3, 3,  3, -3, 3,  -3, 3, 3,  3, 3, 3};
    static const uint32_t walls[36] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                       2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
    enum { MANY = (1 << 22) + 1 };
    static const int32_t bad[][3] = {{1, 1, 1}, {2, 1, 1}, {13, 2, 1}, {3, 3, 2}, {1, 1, MANY}};
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(world, "hall", corners, 8, walls, 12, NULL, NULL), 0);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    gz_clearance_map *map = &world->objects[0]->shape.mesh->proxy->clearance;
    const gz_clearance_map was = *map;
    assert_true(map->cell_count > 1000);
    uint8_t *cells = gz_calloc(MANY, 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        map->cells = cells;
        map->cell_count = 1;
        for (int k = 0; k < 3; k++) {
            map->count[k] = bad[i][k];
            map->cell_count *= (size_t)bad[i][k];
        }
        refuse(NULL, world, "not one a cell");
    }
    for (int k = 0; k < 3; k++) map->count[k] = 3;
    map->cell_count = 27;
    accept(NULL, world);
    *map = was;
    accept(NULL, world);
    gz_free(cells);
    graze_world_free(world);
}

/// The proof of a file made the mean of an opening's corners in a sum of fixed point, which a
/// coordinate below 2^-100 left by millions of limbs.
static void test_coordinates_are_those_that_meshes_have(void **state) {
    (void)state;
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t open[9] = {0, 2, 1, 0, 1, 3, 1, 2, 3};
    static const double bad[] = {
        0x1p-1074, 1e-321, -0x1p-1022, 0x1.fffffffffffffp-101, -0x1.0000000000001p20,
        INFINITY,  -NAN};
    static const double good[] = {0.0, -0.0, 0x1p-100, -0x1p-100, -0x1p-30};
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(world, "cup", corners, 4, open, 9 / 3, NULL, NULL), 0);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    graze_mesh *mesh = world->objects[0]->shape.mesh;
    assert_non_null(mesh->caps);
    double *const places[] = {mesh->vertices, mesh->vertices + 11, mesh->caps->apexes + 1,
                              &mesh->components[0].box.min.y};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const double was = *places[p];
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            *places[p] = bad[i];
            refuse(NULL, world, "");
        }
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            *places[p] = good[i];
            accept(NULL, world);
        }
        *places[p] = was;
    }
    mesh->vertices[4] = 1e-321;
    refuse(NULL, world, "a vertex is out of range; allowed: 0, and magnitudes from 2^-100 to 2^20");
    graze_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_root_cannot_have_been_attached),
        cmocka_unit_test(test_only_what_a_fixed_joint_holds_behind_all_others_was_attached),
        cmocka_unit_test(test_nothing_of_the_robot_names_what_was_attached),
        cmocka_unit_test(test_no_joint_of_the_robot_needs_what_was_attached),
        cmocka_unit_test(test_boxes_inside_out_are_none),
        cmocka_unit_test(test_sizes_of_objects_are_those_of_solids),
        cmocka_unit_test(test_joints_are_placed_by_rotations),
        cmocka_unit_test(test_joints_do_not_follow_each_other_in_a_ring),
        cmocka_unit_test(test_lattices_are_of_as_many_cells_as_lanes_take_for_granted),
        cmocka_unit_test(test_coordinates_are_those_that_meshes_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
