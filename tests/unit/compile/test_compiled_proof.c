// What graze derives, verify derives anew: whoever forges it is found out.
#include <math.h>

#include "base/memory.h"
#include "robot/robot.h"
#include "unit/compile/compiled_exercise.h"
#include "unit/compile/compiled_pair.h"
#include "unit/load/temporary_folder.h"
#include "unit/trials.h"
#include "world/world.h"

// --------------------------------------------------------------------------------- what is forged

static const char urdf[] =
    "<robot name='r'><link name='base'><visual><geometry><mesh filename='ball.obj'/></geometry>"
    "</visual><collision name='b'><origin xyz='.1 .2 .3' rpy='.1 .2 .3'/><geometry>"
    "<mesh filename='ball.obj' scale='1 1 2'/></geometry></collision></link>"
    "<link name='arm'><collision><geometry><mesh filename='cup.obj'/></geometry></collision>"
    "<collision><origin xyz='0 0 1' rpy='1 0 0'/><geometry><cylinder radius='.05' length='.3'/>"
    "</geometry></collision></link>"
    "<link name='hand'><collision><geometry><box size='.1 .1 .1'/></geometry></collision></link>"
    "<link name='flag'><visual><geometry><sphere radius='.1'/></geometry></visual></link>"
    "<link name='fork'><collision><origin xyz='.6 0 0'/><geometry><box size='.1 .1 .1'/></geometry>"
    "</collision><collision><origin xyz='-.6 0 0'/><geometry><box size='.1 .1 .1'/></geometry>"
    "</collision></link>"
    "<joint name='j1' type='revolute'><parent link='base'/><child link='arm'/>"
    "<origin xyz='0 0 .3' rpy='.1 0 0'/><axis xyz='0 1 0'/>"
    "<limit lower='-1.5' upper='1.5' effort='1' velocity='1'/></joint>"
    "<joint name='j2' type='prismatic'><parent link='arm'/><child link='hand'/>"
    "<origin xyz='0 .1 .3'/><axis xyz='0 0 1'/>"
    "<limit lower='0' upper='1' effort='1' velocity='1'/>"
    "<mimic joint='j1' multiplier='2' offset='.1'/></joint>"
    "<joint name='j3' type='fixed'><parent link='hand'/><child link='flag'/>"
    "<origin xyz='0 0 .2' rpy='0 .5 0'/></joint>"
    "<joint name='j4' type='revolute'><parent link='arm'/><child link='fork'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";

static const char srdf[] =
    "<robot name='r'><virtual_joint name='v' type='planar' parent_frame='world' child_link='base'/>"
    "<group name='g'><joint name='j1'/><link name='arm'/></group>"
    "<group_state name='home' group='g'><joint name='j1' value='.5'/></group_state>"
    "<end_effector name='e' parent_link='hand' group='g' parent_group='g'/>"
    "<disable_collisions link1='base' link2='hand' reason='Never'/>"
    "<collision_margins default_margin='.01'>"
    "<pair_margin link1='base' link2='hand' margin='.02'/></collision_margins></robot>";

/// A ball of 2 * 4 * 12 triangles; without its last ring a cup, whose cap is so large that it has a
/// tree.
static void write_ball(temporary_folder *folder, const char *name, bool open) {
    enum { RINGS = 5, TURNS = 12 };
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    for (int i = 1; i < RINGS; i++)
        for (int k = 0; k < TURNS; k++) {
            double a = 3.14159 * i / RINGS, b = 2 * 3.14159 * k / TURNS;
            fprintf(f, "v %.9f %.9f %.9f\n", .2 * sin(a) * cos(b), .2 * sin(a) * sin(b),
                    .2 * cos(a));
        }
    fprintf(f, "v 0 0 .2\nv 0 0 -.2\n");
    const int north = (RINGS - 1) * TURNS + 1, last = (RINGS - 2) * TURNS;
    for (int k = 0; k < TURNS; k++) {
        int next = (k + 1) % TURNS;
        fprintf(f, "f %d %d %d\n", north, k + 1, next + 1);
        for (int i = 0; i < RINGS - 2; i++) {
            int a = i * TURNS + k + 1, b = i * TURNS + next + 1;
            fprintf(f, "f %d %d %d\nf %d %d %d\n", a, a + TURNS, b + TURNS, a, b + TURNS, b);
        }
        if (!open) fprintf(f, "f %d %d %d\n", north + 1, last + next + 1, last + k + 1);
    }
    if (open) // and beside it a tetrahedron
        fprintf(f, "v 1 0 0\nv 1 .1 0\nv 1 0 .1\nv 1.1 0 0\n"
                   "f -4 -3 -2\nf -4 -2 -1\nf -4 -1 -3\nf -3 -1 -2\n");
    fclose(f);
    temporary_write_text(folder, name, text);
    free(text);
}

/// The robot with a small table of its base and its fork, which holds the base between its ends.
static graze_robot *tabulate(graze_robot *robot) {
    graze_robot *out;
    graze_tabulate_options options = graze_tabulate_options_default();
    options.cells = 16;
    assert_int_equal(graze_robot_tabulate(&out, robot, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_robot_table_count(out), 1);
    graze_robot_free(robot);
    return out;
}

/// A robot of every kind of part.
static graze_robot *make_robot(void) {
    temporary_folder folder = temporary_folder_make();
    temporary_write_text(&folder, "r.urdf", urdf);
    temporary_write_text(&folder, "r.srdf", srdf);
    write_ball(&folder, "ball.obj", false);
    write_ball(&folder, "cup.obj", true);
    char path[600], rules[600];
    snprintf(path, sizeof path, "%s/r.urdf", folder.path);
    snprintf(rules, sizeof rules, "%s/r.srdf", folder.path);
    graze_load_options options = graze_load_options_default();
    options.srdf = rules;
    options.visuals = GRAZE_VISUALS_LOAD;
    options.use_environment = 0;
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf(&robot, path, &options, &error)) fail_msg("%s", error.message);
    gz_warn(&robot->warnings, "code", (gz_place){.file = "f"}, "said");
    temporary_folder_remove(&folder);
    return tabulate(robot);
}

static const double corners[24] = {-3, -3, -1, 3, -3, -1, -3, 3, -1, 3, 3, -1,
                                   -3, -3, 3,  3, -3, 3,  -3, 3, 3,  3, 3, 3};
static const uint32_t walls[36] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                   2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};

/// A world of every kind of object: a hall, which has clearances and components, among them.
static graze_world *make_world(void) {
    const double size[3] = {.2, .3, .4}, xyz[3] = {.5, .6, .7}, rpy[3] = {.1, .2, .3};
    const double low[3] = {-4, -4, -4}, high[3] = {4, 4, 4};
    graze_transform pose = graze_transform_from_xyz_rpy(xyz, rpy);
    double points[120];
    for (int i = 0; i < 120; i++) points[i] = sin(i) + i % 3;
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(world, "hall", corners, 8, walls, 12, NULL, NULL), 0);
    const gz_origin origin = {.file = "/nowhere.json", .uri = "nowhere", .line = 3};
    assert_int_equal(
        gz_world_add_primitive(world, "box", GRAZE_SHAPE_BOX, size, 0, 0, &pose, &origin, NULL),
        GRAZE_OK);
    assert_int_equal(graze_world_add_capsule(world, "capsule", .1, .2, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "points", points, 40, .1, &pose, NULL), 0);
    assert_int_equal(graze_world_set_boundary(world, low, high, NULL), GRAZE_OK);
    gz_warn(&world->warnings, "code", (gz_place){.file = "f"}, "said");
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    return world;
}

/// Compiles what may be forged; the status of what first refuses it: compiling, which opens what it
/// has written, opening, or verifying.
static graze_status prove(const graze_robot *robot, const graze_world *world) {
    unsigned char *bytes;
    size_t size;
    graze_status status = graze_compile(&bytes, &size, robot, world, NULL, NULL);
    if (status) return status;
    graze_compiled *compiled = open_bytes((file_bytes){bytes, size});
    status = graze_compiled_verify(compiled, NULL);
    graze_compiled_close(compiled);
    graze_compiled_free(bytes);
    return status;
}

// ------------------------------------------------------------------------------------ every field

/// The fields that are trusted, as compiled_proof.c and docs/compiled.md name them. Those of a
/// shape's sizes that its kind does not use are among them.
static const char *const inputs[] = {"graze_mesh.vertices",
                                     "graze_mesh.triangles",
                                     "graze_mesh.given_vertex_count",
                                     "gz_geometry.name",
                                     "gz_geometry.link",
                                     "gz_geometry.origin",
                                     "gz_geometry.size",
                                     "gz_geometry.radius",
                                     "gz_geometry.length",
                                     "gz_geometry.scale",
                                     "gz_geometry.file",
                                     "gz_geometry.uri",
                                     "gz_geometry.file_triangle_count",
                                     "gz_geometry.has_color",
                                     "gz_geometry.color",
                                     "gz_geometry.at",
                                     "gz_link.at",
                                     "gz_link.is_default_disabled",
                                     "gz_link.is_attached",
                                     "gz_joint.info.name",
                                     "gz_joint.info.origin",
                                     "gz_joint.info.axis",
                                     "gz_joint.info.limited",
                                     "gz_joint.info.lower",
                                     "gz_joint.info.upper",
                                     "gz_joint.info.has_effort",
                                     "gz_joint.info.has_velocity",
                                     "gz_joint.info.has_acceleration",
                                     "gz_joint.info.has_deceleration",
                                     "gz_joint.info.has_jerk",
                                     "gz_joint.info.effort",
                                     "gz_joint.info.velocity",
                                     "gz_joint.info.acceleration",
                                     "gz_joint.info.deceleration",
                                     "gz_joint.info.jerk",
                                     "gz_joint.info.multiplier",
                                     "gz_joint.info.offset",
                                     "gz_joint.info.passive",
                                     "gz_joint.at",
                                     "gz_joint.parent_at",
                                     "gz_joint.child_at",
                                     "gz_joint.limit_at",
                                     "gz_joint.mimic_at",
                                     "gz_pair.a",
                                     "gz_pair.b",
                                     "gz_pair.state",
                                     "gz_pair.reason",
                                     "gz_group.name",
                                     "gz_group.joints",
                                     "gz_group.links",
                                     "gz_group.joint_count",
                                     "gz_group.link_count",
                                     "gz_state_value.column",
                                     "gz_state_value.value",
                                     "gz_state.name",
                                     "gz_state.group",
                                     "gz_state.value_count",
                                     "graze_end_effector.name",
                                     "graze_end_effector.group",
                                     "graze_end_effector.parent_group",
                                     "graze_end_effector.parent_link",
                                     "graze_virtual_joint.name",
                                     "graze_virtual_joint.type",
                                     "graze_virtual_joint.parent_frame",
                                     "graze_virtual_joint.child",
                                     "graze_warning.code",
                                     "graze_warning.message",
                                     "graze_warning.file",
                                     "graze_warning.element",
                                     "graze_warning.line",
                                     "graze_warning.column",
                                     "graze_warning.count",
                                     "graze_robot.name",
                                     "graze_robot.file",
                                     "graze_robot.pair_count",
                                     "graze_robot.visual_count",
                                     "graze_robot.default_margin",
                                     "graze_robot.margins",
                                     "graze_robot.margin_count",
                                     "graze_robot.group_count",
                                     "graze_robot.state_count",
                                     "graze_robot.end_effector_count",
                                     "graze_robot.virtual_joint_count",
                                     "graze_robot.warnings.count",
                                     "graze_robot.table_count",
                                     "gz_object.points",
                                     "gz_object.size",
                                     "gz_object.radius",
                                     "gz_object.length",
                                     "gz_object.pose",
                                     "gz_object.in_object",
                                     "gz_object.element",
                                     "gz_object.file",
                                     "gz_object.uri",
                                     "gz_object.scale",
                                     "gz_object.file_triangle_count",
                                     "gz_object.line",
                                     "graze_world.name",
                                     "graze_world.has_boundary",
                                     "graze_world.boundary_min",
                                     "graze_world.boundary_max",
                                     "graze_world.warnings.count"};

// Of many words SOME are forged.
enum { INPUTS = sizeof inputs / sizeof *inputs, FIELDS_MOST = 512, SOME = TRIALS(8, 2) };

/// A walk through a robot and a world, and what it has forged.
typedef struct forging {
    graze_robot *robot;
    graze_world *world;
    const gz_field *seen[FIELDS_MOST];
    size_t seen_count, refused, trusted;
} forging;

static void see(forging *f, const gz_field *field) {
    for (size_t i = 0; i < f->seen_count; i++)
        if (f->seen[i] == field) return;
    assert_true(f->seen_count < FIELDS_MOST);
    f->seen[f->seen_count++] = field;
}

static bool is_input(const gz_type *type, const gz_field *field) {
    char name[200];
    snprintf(name, sizeof name, "%s.%s", type->name, field->name);
    for (size_t i = 0; i < INPUTS; i++)
        if (strcmp(inputs[i], name) == 0) return true;
    return false;
}

/// Asks of what has just been forged.
static void expect(forging *f, const gz_type *type, const gz_field *field) {
    see(f, field);
    if (prove(f->robot, f->world)) {
        f->refused++;
    } else {
        f->trusted++;
        if (!is_input(type, field)) fail_msg("%s.%s is trusted", type->name, field->name);
    }
}

/// Changes words of some bytes in their lowest bit, each by itself: all of a few, some of many.
static void forge_words(forging *f, const gz_type *type, const gz_field *field, unsigned char *at,
                        size_t size) {
    size_t step = size <= 32 ? 4 : (size / SOME + 3) / 4 * 4;
    for (size_t i = 0; i < size; i += step) {
        at[i] ^= 1;
        expect(f, type, field);
        at[i] ^= 1;
    }
}

static bool is_count(const gz_type *type, const gz_field *field) {
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].kind >= GZ_FIELD_STRUCTS &&
            type->fields[i].count_offset == field->offset)
            return true;
    return false;
}

/// One less: what has more cannot be written.
static void forge_count(forging *f, const gz_type *type, const gz_field *field, unsigned char *at) {
    uint64_t count = 0; // of 4 bytes or 8, lowest first
    memcpy(&count, at, field->size);
    if (!count) return;
    uint64_t less = count - 1;
    memcpy(at, &less, field->size);
    expect(f, type, field);
    memcpy(at, &count, field->size);
}

static void forge_structure(forging *f, const gz_type *type, unsigned char *at);

static void forge_target(forging *f, const gz_type *type, const gz_field *field,
                         unsigned char *at) {
    unsigned char *target, *const none = NULL;
    memcpy(&target, at, sizeof target);
    size_t count = field->kind >= GZ_FIELD_STRUCTS ? gz_field_count(field, at - field->offset)
                                                   : target != NULL;
    if (!count) return;
    see(f, field);
    bool may_go = field->kind == GZ_FIELD_MAYBE || field->kind == GZ_FIELD_MAYBE_TEXT;
    if (may_go && strcmp(type->name, "object_slot") != 0) { // compiling looks at every object
        memcpy(at, &none, sizeof none);
        expect(f, type, field);
        memcpy(at, &target, sizeof target);
    }
    if (field->kind == GZ_FIELD_TEXT || field->kind == GZ_FIELD_MAYBE_TEXT) {
        if (*target) forge_words(f, type, field, target, 1);
    } else if (field->kind == GZ_FIELD_ARRAY) {
        forge_words(f, type, field, target, count * field->unit);
    } else { // structures: all of a few, some of many
        for (size_t i = 0; i < count; i += (count + 7) / 8)
            forge_structure(f, field->type, target + i * field->type->size);
    }
}

static void forge_structure(forging *f, const gz_type *type, unsigned char *at) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *field = &type->fields[i];
        if (field->kind >= GZ_FIELD_TEXT)
            forge_target(f, type, field, at + field->offset);
        else if (is_count(type, field))
            forge_count(f, type, field, at + field->offset);
        else
            forge_words(f, type, field, at + field->offset, field->size);
    }
}

/// Whether every field was there to be forged, so that one that is added later will be.
static void assert_all_seen(const forging *f, const gz_type *type) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *field = &type->fields[i];
        bool seen = false;
        for (size_t k = 0; k < f->seen_count; k++) seen = seen || f->seen[k] == field;
        if (!seen) fail_msg("%s.%s was nowhere forged", type->name, field->name);
        if (field->type) assert_all_seen(f, field->type);
    }
}

static void test_every_field_is_derived_anew_or_a_named_input(void **state) {
    (void)state;
    forging f = {.robot = make_robot(), .world = make_world()};
    assert_int_equal(prove(f.robot, f.world), GRAZE_OK);
    forge_structure(&f, &gz_type_robot, (unsigned char *)f.robot);
    forge_structure(&f, &gz_type_world, (unsigned char *)f.world);
    assert_int_equal(prove(f.robot, f.world), GRAZE_OK);
    assert_all_seen(&f, &gz_type_robot);
    assert_all_seen(&f, &gz_type_world);
    assert_true(f.refused > 125 * SOME && f.trusted > INPUTS / 2);
    graze_robot_free(f.robot);
    graze_world_free(f.world);
}

// --------------------------------------------------------------------------- what was once
// trusted

/// A box of the world that is said to be elsewhere was proved, and every question about it was
/// answered with FREE.
static void test_a_forged_place_of_an_object_was_believed(void **state) {
    (void)state;
    graze_world *world = make_world();
    for (size_t i = 0; i < world->object_count; i++) {
        gz_object *o = world->objects[i];
        const gz_object was = *o;
        o->box.min.x += 100;
        o->box.max.x += 100;
        o->posed.center.x += 100;
        assert_int_equal(prove(NULL, world), GRAZE_ERROR_MESH);
        o->box = was.box;
        o->posed = was.posed;
        o->error = 0;
        assert_int_equal(prove(NULL, world), GRAZE_ERROR_MESH);
        o->error = was.error;
    }
    assert_int_equal(prove(NULL, world), GRAZE_OK);
    graze_world_free(world);
}

/// Links are bounded by their shapes, which were not proved: the robot was.
static void test_forged_bounds_of_a_shape_were_believed(void **state) {
    (void)state;
    graze_robot *robot = make_robot();
    for (size_t i = 0; i < robot->collision_count; i++) {
        gz_shape *s = &robot->collisions[i].shape;
        const gz_shape was = *s;
        s->sphere.radius *= 0.5;
        s->obb.half.x *= 0.5;
        for (int forged = 1; forged >= 0; forged--) {
            for (int32_t k = 0; k < robot->link_count; k++)
                robot->links[k].collision_count = robot->links[k].triangle_count =
                    robot->links[k].first_collision = 0;
            assert_true(gz_robot_bound(robot));
            assert_int_equal(prove(robot, NULL), forged ? GRAZE_ERROR_MESH : GRAZE_OK);
            *s = was;
        }
    }
    graze_robot_free(robot);
}

/// What joints say of q follows from their names and types.
static void test_forged_columns_were_believed(void **state) {
    (void)state;
    graze_robot *robot = make_robot();
    assert_int_equal(prove(robot, NULL), GRAZE_OK);
    robot->joints[1].multiplier = 3; // of q; what the joint says of the one it mimics stays
    gz_free(robot->bodies);
    robot->body_count = 0;
    assert_int_equal(gz_robot_fold(robot, NULL), GRAZE_OK);
    assert_int_equal(prove(robot, NULL), GRAZE_ERROR_PARSE);
    graze_robot_free(robot);
}

// --------------------------------------------------------------------------------- what is genuine

static void attach(graze_robot **robot, const char *name, const char *link,
                   const graze_geometry *geometry) {
    const double xyz[3] = {.3, -.2, .1}, rpy[3] = {.4, .5, .6};
    const graze_attachment attachment = {.struct_size = sizeof(graze_attachment),
                                         .name = name,
                                         .link = link,
                                         .geometry = geometry,
                                         .pose = graze_transform_from_xyz_rpy(xyz, rpy)};
    graze_robot *with;
    graze_error error;
    if (graze_robot_attach(&with, *robot, &attachment, &error)) fail_msg("%s", error.message);
    graze_robot_free(*robot);
    *robot = with;
}

/// Robots that carry things, on links inside of a body and on each other, and those that have put
/// some of them down; worlds in which objects have moved.
static void test_versions_of_robots_and_worlds_are_proved(void **state) {
    (void)state;
    graze_robot *robot = make_robot(), *without;
    graze_world *world = make_world(), *moved, *less;
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, corners, 8, walls, 12, NULL), GRAZE_OK);
    const graze_geometry shapes[4] = {
        {.shape = GRAZE_SHAPE_BOX, .size = {.1, .2, .3}},
        {.shape = GRAZE_SHAPE_CYLINDER, .radius = .1, .length = .3},
        {.shape = GRAZE_SHAPE_MESH, .mesh = mesh},
        {.shape = GRAZE_SHAPE_SPHERE, .radius = .2},
    };
    static const char *const names[4] = {"a", "b", "c", "d"}, *const links[4] = {"flag", "a", "arm",
                                                                                 "b"};
    for (int i = 0; i < 4; i++) {
        attach(&robot, names[i], links[i], &shapes[i]);
        assert_int_equal(prove(robot, world), GRAZE_OK);
    }
    assert_int_equal(graze_robot_detach(&without, robot, "c", NULL), GRAZE_OK);
    assert_int_equal(prove(without, world), GRAZE_OK);
    const double xyz[3] = {1, 2, 3}, rpy[3] = {.3, .2, .1};
    graze_transform pose = graze_transform_from_xyz_rpy(xyz, rpy);
    const graze_world_change changes[2] = {{.struct_size = sizeof(graze_world_change),
                                            .kind = GRAZE_CHANGE_MOVE,
                                            .name = "capsule",
                                            .pose = &pose},
                                           {.struct_size = sizeof(graze_world_change),
                                            .kind = GRAZE_CHANGE_ADD,
                                            .name = "more",
                                            .pose = &pose,
                                            .geometry = &shapes[2]}};
    const graze_world_change removal = {
        .struct_size = sizeof(graze_world_change), .kind = GRAZE_CHANGE_REMOVE, .name = "box"};
    assert_int_equal(graze_world_revise(&moved, world, changes, 2, NULL), GRAZE_OK);
    assert_int_equal(prove(NULL, moved), GRAZE_OK);
    assert_int_equal(graze_world_revise(&less, moved, &removal, 1, NULL), GRAZE_OK);
    assert_int_equal(prove(NULL, less), GRAZE_OK);
    graze_mesh_free(mesh);
    graze_robot_free(robot);
    graze_robot_free(without);
    graze_world_free(world);
    graze_world_free(moved);
    graze_world_free(less);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field_is_derived_anew_or_a_named_input),
        cmocka_unit_test(test_a_forged_place_of_an_object_was_believed),
        cmocka_unit_test(test_forged_bounds_of_a_shape_were_believed),
        cmocka_unit_test(test_forged_columns_were_believed),
        cmocka_unit_test(test_versions_of_robots_and_worlds_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
