/// The C API called in an order that the input decides, with arguments that it decides, right and
/// wrong. Only what the headers ask of the caller is kept: what an object was made from outlives
/// it, and pointers are NULL or good.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { SLOTS = 3, NUMBERS = 24 };

typedef struct machine {
    fuzz_bytes bytes;
    graze_robot *robots[SLOTS];
    graze_world *worlds[SLOTS];
    graze_checker *checkers[SLOTS];
    int robot_of[SLOTS], world_of[SLOTS]; ///< slots that a checker was made from; -1: none
    graze_workspace *workspaces[SLOTS];
    int checker_of[SLOTS];
    graze_mesh *meshes[SLOTS];
    graze_path *path;
    graze_error error;
} machine;

static size_t slot(machine *m) {
    return fuzz_choice(&m->bytes, SLOTS);
}

/// One call in sixteen goes without what it should have.
static bool forgets(machine *m) {
    return fuzz_choice(&m->bytes, 16) == 15;
}

static void expect(machine *m, graze_status status) {
    if (status) fuzz_exercise_error(status, &m->error);
}

static void numbers(machine *m, double *out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = fuzz_number(&m->bytes);
}

// ----------------------------------------------------------------------------------------- freeing

static void free_workspace(machine *m, size_t i) {
    graze_workspace_free(m->workspaces[i]);
    m->workspaces[i] = NULL;
}

static void free_checker(machine *m, size_t i) {
    for (size_t k = 0; k < SLOTS; k++)
        if (m->workspaces[k] && m->checker_of[k] == (int)i) free_workspace(m, k);
    graze_checker_free(m->checkers[i]);
    m->checkers[i] = NULL;
}

static void free_robot(machine *m, size_t i) {
    for (size_t k = 0; k < SLOTS; k++)
        if (m->checkers[k] && m->robot_of[k] == (int)i) free_checker(m, k);
    graze_path_free(m->path);
    m->path = NULL;
    graze_robot_free(m->robots[i]);
    m->robots[i] = NULL;
}

static void free_world(machine *m, size_t i) {
    for (size_t k = 0; k < SLOTS; k++)
        if (m->checkers[k] && m->world_of[k] == (int)i) free_checker(m, k);
    graze_world_free(m->worlds[i]);
    m->worlds[i] = NULL;
}

static void free_mesh(machine *m, size_t i) {
    graze_mesh_free(m->meshes[i]);
    m->meshes[i] = NULL;
}

// ------------------------------------------------------------------------------------------ making

#define GEOMETRY(inside) "<collision><geometry>" inside "</geometry></collision>"
#define JOINT(name, type, parent, child, more)                                                     \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"  \
    "<origin xyz='0 0 .5'/><axis xyz='0 1 0'/>" more "</joint>"
#define LIMIT "<limit lower='-2' upper='2' effort='1' velocity='1'/>"

static const char *const robots[] = {
    "<robot name='ball'><link name='l'>" GEOMETRY("<sphere radius='.2'/>") "</link></robot>",
    "<robot name='arm'><link name='a'>" GEOMETRY("<box size='.2 .2 .2'/>") "</link><link name='b'>" GEOMETRY(
        "<box size='.1 .1 .6'/>") "</link><link name='c'>" GEOMETRY("<mesh filename='cube.stl'/>") "</link>" JOINT("j",
                                                                                                                   "revolute",
                                                                                                                   "a",
                                                                                                                   "b",
                                                                                                                   LIMIT)
        JOINT("k", "continuous", "b", "c", "") "</robot>",
    "<robot name='drone'><link name='w'/><link name='d'>" GEOMETRY("<capsule radius='.1' length='.3'/>") "</link><link name='e'>" GEOMETRY(
        "<cylinder radius='.1' length='.3'/>") "</link>" JOINT("f", "floating", "w", "d", "")
        JOINT("p", "planar", "d", "e", "") "</robot>",
    "<robot name='bad'><link name='a'/><link name='b'/></robot>",
};

static void make_robot(machine *m) {
    size_t i = slot(m);
    const char *text = robots[fuzz_choice(&m->bytes, sizeof robots / sizeof *robots)];
    graze_load_options options = fuzz_options();
    if (forgets(m)) options.struct_size = 3;
    if (forgets(m)) options.srdf = "/no/such.srdf";
    if (forgets(m)) options.collada = (graze_collada)3;
    free_robot(m, i);
    expect(m, graze_robot_load_urdf_memory(&m->robots[i], forgets(m) ? NULL : text, strlen(text),
                                           "api.urdf", fuzz_scratch(), forgets(m) ? NULL : &options,
                                           &m->error));
}

static void make_world(machine *m) {
    size_t i = slot(m);
    free_world(m, i);
    expect(m, graze_world_create(&m->worlds[i], forgets(m) ? NULL : "world", &m->error));
}

static void add_mesh(machine *m, graze_world *world, const char *name,
                     const graze_transform *pose) {
    double vertices[NUMBERS];
    uint32_t triangles[12];
    numbers(m, vertices, NUMBERS);
    for (size_t i = 0; i < 12; i++) triangles[i] = fuzz_choice(&m->bytes, forgets(m) ? 9 : 8);
    size_t count = fuzz_choice(&m->bytes, 5);
    if (world) {
        expect(m, graze_world_add_mesh(world, name, forgets(m) ? NULL : vertices, NUMBERS / 3,
                                       triangles, count, pose, &m->error));
        return;
    }
    size_t i = slot(m);
    free_mesh(m, i);
    expect(m, graze_mesh_create(&m->meshes[i], forgets(m) ? NULL : vertices, NUMBERS / 3, triangles,
                                count, &m->error));
    graze_mesh_info info;
    if (m->meshes[i]) FUZZ_CHECK(graze_mesh_describe(m->meshes[i], &info) == GRAZE_OK);
}

static void add_object(machine *m) {
    static const char *const names[] = {"a", "b", "c", "l", "", "a long name of an object"};
    graze_world *world = m->worlds[slot(m)];
    const char *name = forgets(m) ? NULL : names[fuzz_choice(&m->bytes, 6)];
    double v[6];
    numbers(m, v, 6);
    graze_transform pose = graze_transform_from_xyz_rpy(v, v + 3);
    const graze_transform *at = forgets(m) ? NULL : &pose;
    numbers(m, v, 3);
    switch (fuzz_choice(&m->bytes, 7)) {
    case 0:
        expect(m, graze_world_add_box(world, name, v, at, &m->error));
        break;
    case 1:
        expect(m, graze_world_add_sphere(world, name, v[0], at, &m->error));
        break;
    case 2:
        expect(m, graze_world_add_cylinder(world, name, v[0], v[1], at, &m->error));
        break;
    case 3:
        expect(m, graze_world_add_capsule(world, name, v[0], v[1], at, &m->error));
        break;
    case 4:
        expect(m, graze_world_add_points(world, name, v, 1, v[2], at, &m->error));
        break;
    case 5:
        if (world) add_mesh(m, world, name, at);
        break;
    default:
        numbers(m, v, 6);
        expect(m, graze_world_set_boundary(world, v, v + 3, &m->error));
    }
}

static void commit(machine *m) {
    expect(m, graze_world_commit(m->worlds[slot(m)], &m->error));
}

static void make_checker(machine *m) {
    size_t i = slot(m), robot = slot(m), world = slot(m);
    bool with_world = fuzz_byte(&m->bytes) % 2;
    graze_allowed_pair pair = {"a", fuzz_byte(&m->bytes) % 2 ? "b" : "nobody"};
    graze_checker_options options = graze_checker_options_default();
    options.level = (graze_level)fuzz_choice(&m->bytes, 3);
    options.policy = (graze_policy)fuzz_choice(&m->bytes, 4);
    options.no_self = fuzz_choice(&m->bytes, 3);
    if (forgets(m)) options.struct_size = 0;
    if (fuzz_byte(&m->bytes) % 4 == 0) {
        options.allowed = forgets(m) ? NULL : &pair;
        options.allowed_count = 1;
    }
    free_checker(m, i);
    m->robot_of[i] = (int)robot;
    m->world_of[i] = with_world ? (int)world : -1;
    expect(m, graze_checker_create(&m->checkers[i], m->robots[robot],
                                   with_world ? m->worlds[world] : NULL,
                                   forgets(m) ? NULL : &options, &m->error));
}

static void make_workspace(machine *m) {
    size_t i = slot(m), checker = slot(m);
    free_workspace(m, i);
    m->checker_of[i] = (int)checker;
    expect(m, graze_workspace_create(&m->workspaces[i], m->checkers[checker], &m->error));
}

// ------------------------------------------------------------------------------------------ asking

static bool keep_going(const graze_explanation *explanation, void *user) {
    (void)explanation;
    return --*(int *)user > 0;
}

static void check(machine *m) {
    size_t i = slot(m), checker = slot(m);
    double q[NUMBERS], base[6];
    graze_contact contacts[2];
    int32_t violated[2];
    numbers(m, q, NUMBERS);
    numbers(m, base, 6);
    const graze_robot *robot = m->checkers[checker] ? graze_checker_robot(m->checkers[checker])
                                                    : NULL;
    size_t count = robot && !forgets(m) ? graze_robot_q_size(robot) : fuzz_choice(&m->bytes, 9);
    const double *at = fuzz_byte(&m->bytes) % 2 ? base : NULL;
    graze_report report = {.contacts = contacts,
                           .capacity = fuzz_choice(&m->bytes, 3),
                           .violated = violated,
                           .violated_capacity = fuzz_choice(&m->bytes, 3)};
    graze_answer answer = (graze_answer)fuzz_choice(&m->bytes, 4);
    if (fuzz_byte(&m->bytes) % 4 == 0) {
        int left = (int)fuzz_choice(&m->bytes, 20) + 1;
        expect(m, graze_check_explain(m->checkers[checker], m->workspaces[i], q, count, at,
                                      keep_going, &left, &m->error));
        return;
    }
    graze_status status = graze_check(m->checkers[checker], m->workspaces[i], answer, q, count, at,
                                      &report, &m->error);
    expect(m, status);
    FUZZ_CHECK((status != GRAZE_OK) == (report.verdict == GRAZE_UNKNOWN));
}

static void check_batch(machine *m) {
    double q[NUMBERS], base[6];
    uint8_t verdicts[NUMBERS];
    const graze_checker *checker = m->checkers[slot(m)];
    numbers(m, q, NUMBERS);
    numbers(m, base, 6);
    size_t size = checker ? graze_robot_q_size(graze_checker_robot(checker)) : 1;
    graze_batch batch = graze_batch_default();
    batch.count = size ? fuzz_choice(&m->bytes, (uint32_t)(NUMBERS / size) + 1) : NUMBERS;
    batch.q = forgets(m) ? NULL : q;
    batch.base_common = fuzz_byte(&m->bytes) % 2 ? base : NULL;
    batch.verdicts = forgets(m) ? NULL : verdicts;
    batch.threads = 1;
    expect(m, graze_check_batch(checker, &batch, &m->error));
}

static void plan(machine *m) {
    const graze_checker *checker = m->checkers[slot(m)];
    double start[NUMBERS] = {0}, goal[NUMBERS];
    numbers(m, goal, NUMBERS);
    if (checker) graze_robot_rest(graze_checker_robot(checker), start);
    graze_plan_options options = graze_plan_options_default();
    options.max_iterations = 20;
    options.max_seconds = 0.05;
    options.shortcut_rounds = 2;
    options.recheck = 0;
    options.resolution = forgets(m) ? fuzz_number(&m->bytes) : 0.5;
    if (!(options.resolution > 0.01)) options.resolution = 0.5; // a smaller one takes for ever
    options.step = fuzz_number(&m->bytes);
    options.planar_base = fuzz_byte(&m->bytes) % 2;
    // Without options a search may take 10 s, so that there it has none to make.
    bool no_options = forgets(m);
    if (no_options) memcpy(goal, start, sizeof goal);
    graze_plan_result result = {0};
    expect(m, graze_plan(checker, start, NULL, goal, NULL, no_options ? NULL : &options, &result,
                         &m->error));
    graze_path_free(m->path);
    m->path = result.path;
}

static void walk_path(machine *m) {
    double q[NUMBERS], base[6];
    if (!m->path) return;
    size_t i = fuzz_choice(&m->bytes, 5);
    (void)graze_path_interpolate(m->path, i, fuzz_number(&m->bytes), q, base);
    FUZZ_CHECK((graze_path_q(m->path, i) == NULL) == (i >= graze_path_count(m->path)));
}

static void overlap(machine *m) {
    graze_transform poses[2];
    for (int k = 0; k < 2; k++) {
        double v[6];
        numbers(m, v, 6);
        poses[k] = graze_transform_from_xyz_rpy(v, v + 3);
    }
    graze_mesh_overlap result[2] = {0};
    const graze_mesh *a = m->meshes[slot(m)], *b = m->meshes[slot(m)];
    graze_policy policy = (graze_policy)fuzz_choice(&m->bytes, 4);
    graze_status status = graze_meshes_overlap(a, &poses[0], b, &poses[1], policy, &result[0],
                                               &m->error);
    expect(m, status);
    graze_status turned = graze_meshes_overlap(b, &poses[1], a, &poses[0], policy, &result[1],
                                               NULL);
    FUZZ_CHECK((status == GRAZE_OK) == (turned == GRAZE_OK));
    if (!status) FUZZ_CHECK(result[0].overlap == result[1].overlap);
}

static void triangles(machine *m) {
    double v[18], segment[6];
    bool there, back;
    numbers(m, v, 18);
    graze_status status = graze_triangles_overlap_checked(v, v + 9, &there, segment);
    FUZZ_CHECK(status == graze_triangles_overlap_checked(v + 9, v, &back, NULL));
    FUZZ_CHECK(there == back && there == graze_triangles_overlap(v, v + 9));
}

static void query(machine *m) {
    const graze_robot *robot = m->robots[slot(m)];
    if (robot) fuzz_exercise_robot(robot);
    const graze_world *world = m->worlds[slot(m)];
    double q[NUMBERS];
    numbers(m, q, NUMBERS);
    if (robot && graze_robot_q_size(robot) <= NUMBERS)
        (void)graze_pose_is_collision(robot, world, q);
    graze_geometry geometry;
    if (world) (void)graze_world_object(world, fuzz_choice(&m->bytes, 9), &geometry);
}

static void free_something(machine *m) {
    size_t i = slot(m);
    static void (*const ways[])(machine *, size_t) = {free_robot, free_world, free_checker,
                                                      free_workspace, free_mesh};
    ways[fuzz_choice(&m->bytes, 5)](m, i);
}

static void make_mesh(machine *m) {
    add_mesh(m, NULL, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const calls[])(machine *) = {
        make_robot, make_world, add_object, commit,      make_checker,  make_workspace,
        check,      check,      add_object, check_batch, plan,          walk_path,
        make_mesh,  overlap,    triangles,  query,       free_something};
    machine m = {.bytes = {data, data + size}};
    fuzz_guard_begin();
    for (int n = 0; n < 60 && m.bytes.at < m.bytes.end; n++)
        calls[fuzz_choice(&m.bytes, sizeof calls / sizeof *calls)](&m);
    for (size_t i = 0; i < SLOTS; i++) {
        free_robot(&m, i);
        free_world(&m, i);
        free_checker(&m, i);
        free_workspace(&m, i);
        free_mesh(&m, i);
    }
    fuzz_guard_end();
    return 0;
}
