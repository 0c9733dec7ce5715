// Two meshes, one of them moved along a line.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "narrow/shape_pair.h"
#include "near_contact.h"
#include "sample_mesh.h"
#include "test_robot.h"

// A link "robot:link", or one of our own meshes.
static const struct row {
    const char *name, *a, *b;
} rows[] = {
    {"line: heron gripper, head", "heron:gripper_link", "heron:head_tilt_link"},
    {"line: heron forearm, base", "heron:forearm_roll_link", "heron:base_link"},
    {"line: heron upper arm, torso", "heron:upperarm_roll_link", "heron:torso_fixed_link"},
    {"line: heron finger, wheel", "heron:l_gripper_finger_link", "heron:l_wheel_link"},
    {"line: cube, cube", "cube", "cube"},
    {"line: cube, fine box on a lattice", "cube", "fine"},
    {"line: brick, brick", "brick", "brick"},
    {"line: icosphere, cube", "icosphere", "cube"},
    {"line: icosphere, icosphere", "icosphere", "icosphere"},
    {"line: thin plates", "plate", "plate"},
    {"line: thin plate, icosphere", "plate", "icosphere"},
    {"line: needles", "needles", "needles"},
    {"line: needles, cube", "needles", "cube"},
    {"line: shared vertices", "lattice", "lattice"},
    {"line: shared vertices, fine box", "lattice", "fine"},
    {"line: a mesh and itself", "heron:wrist_flex_link", "heron:wrist_flex_link"},
    {"line: fetch gripper, head", "fetch:gripper_link", "fetch:head_tilt_link"},
    {"line: fetch forearm, base", "fetch:forearm_roll_link", "fetch:base_link"},
    {"line: fetch elbow, torso", "fetch:elbow_flex_link", "fetch:torso_lift_link"},
    {"line: panda hand, link 0", "panda:panda_hand", "panda:panda_link0"},
    {"line: panda link 6, link 2", "panda:panda_link6", "panda:panda_link2"},
    {"line: ur5 wrist 3, upper arm", "ur5:wrist_3_link", "ur5:upper_arm_link"},
    {"line: ur5 forearm, base", "ur5:forearm_link", "ur5:base_link"},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

const char *near_lines_name(size_t row) {
    return row < ROW_COUNT ? rows[row].name : NULL;
}

typedef struct subject {
    const char *name;
    sample_mesh mesh;
    graze_mesh *graze;
    gz_shape shape;
    fcl_mesh *fcl;
    posed_mesh posed;
    double radius; // of a ball around the frame's origin
} subject;

typedef struct line {
    near_family family;
    subject *a, *b;
    graze_transform pose_a, pose_b;
    int axis; // the parameter is this coordinate of b's translation
    double start[3], slope[3];
} line;

// ------------------------------------------------------------------------------- what is moved

static bool load_link(const char *name, sample_mesh *mesh) {
    char robot_name[32];
    size_t length = (size_t)(strchr(name, ':') - name);
    snprintf(robot_name, sizeof robot_name, "%.*s", (int)length, name);
    graze_robot *robot = test_robot_load(robot_name);
    if (!robot) return false;
    graze_geometry g = test_robot_mesh(robot, name + length + 1);
    *mesh = sample_mesh_copy(g.vertices, g.vertex_count, g.triangles, g.triangle_count);
    graze_robot_free(robot);
    return true;
}

static bool make_mesh(const char *name, gz_random *random, sample_mesh *mesh) {
    if (strchr(name, ':')) return load_link(name, mesh);
    const double cube[2][3] = {{-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}};
    const double brick[2][3] = {{-0.1, -0.23, -0.37}, {0.11, 0.3, 0.07}};
    const double plate[2][3] = {{-0.3, -0.2, 0}, {0.3, 0.2, 1e-6}};
    if (!strcmp(name, "cube"))
        *mesh = sample_box(cube[0], cube[1], 1);
    else if (!strcmp(name, "fine"))
        *mesh = sample_box(cube[0], cube[1], 8);
    else if (!strcmp(name, "brick"))
        *mesh = sample_box(brick[0], brick[1], 3);
    else if (!strcmp(name, "plate"))
        *mesh = sample_box(plate[0], plate[1], 5);
    else if (!strcmp(name, "icosphere"))
        *mesh = sample_icosphere(0.25, 3);
    else if (!strcmp(name, "needles"))
        *mesh = sample_needles(random, 60);
    else if (!strcmp(name, "lattice"))
        *mesh = sample_lattice(random, 100);
    else
        give_up(name, "no such mesh");
    return true;
}

static bool make_subject(subject *s, const char *name, gz_random *random) {
    *s = (subject){.name = name};
    if (!make_mesh(name, random, &s->mesh)) return false;
    const sample_mesh *m = &s->mesh;
    graze_error error;
    if (graze_mesh_create(&s->graze, m->vertices, m->vertex_count, m->triangles, m->triangle_count,
                          &error))
        give_up(name, error.message);
    s->shape = (gz_shape){.kind = GRAZE_SHAPE_MESH, .mesh = s->graze};
    s->fcl = fcl_mesh_create(m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    posed_mesh_init(&s->posed, m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const double *p = m->vertices + 3 * i;
        s->radius = fmax(s->radius, hypot(hypot(p[0], p[1]), p[2]));
    }
    return true;
}

static void clear_subject(subject *s) {
    posed_mesh_clear(&s->posed);
    if (s->fcl) fcl_mesh_free(s->fcl);
    graze_mesh_free(s->graze);
    sample_mesh_clear(&s->mesh);
}

// --------------------------------------------------------------------------------------- poses

static graze_transform random_rotation(gz_random *random) {
    double angles[3], none[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) angles[k] = gz_random_range(random, -3.15, 3.15);
    return graze_transform_from_xyz_rpy(none, angles);
}

// One of the 24 turns that map axes to axes, exactly.
static graze_transform quarter_turns(gz_random *random) {
    graze_transform out = graze_transform_identity();
    for (uint32_t i = gz_random_below(random, 4); i < 4; i++) {
        int u = (int)gz_random_below(random, 3), v = (u + 1) % 3;
        for (int c = 0; c < 3; c++) {
            double swap = out.m[4 * u + c];
            out.m[4 * u + c] = 0 - out.m[4 * v + c];
            out.m[4 * v + c] = swap;
        }
    }
    return out;
}

static graze_transform rotation(gz_random *random) {
    switch (gz_random_below(random, 3)) {
    case 0:
        return graze_transform_identity();
    case 1:
        return quarter_turns(random);
    default:
        return random_rotation(random);
    }
}

// At the origin, on a lattice, somewhere near, or far away, where doubles are coarse.
static void place_first(gz_random *random, graze_transform *pose) {
    uint32_t kind = gz_random_below(random, 8);
    for (int k = 0; k < 3; k++) {
        double t = 0;
        if (kind >= 2 && kind < 4) t = (double)gz_random_below(random, 17) / 8 - 1;
        if (kind >= 4 && kind < 7) t = gz_random_range(random, -2, 2);
        if (kind == 7) t = gz_random_range(random, -100, 100);
        pose->m[4 * k + 3] = t;
    }
}

// A vertex, the middle of an edge, or a triangle's middle.
static graze_vec3 anchor(gz_random *random, const subject *s, const graze_transform *pose) {
    size_t t = gz_random_below(random, (uint32_t)s->mesh.triangle_count);
    uint32_t corners = 1 + gz_random_below(random, 3);
    double p[3] = {0, 0, 0};
    for (size_t k = 0; k < corners; k++)
        for (size_t i = 0; i < 3; i++)
            p[i] += s->mesh.vertices[3 * (size_t)s->mesh.triangles[3 * t + k] + i] / corners;
    return graze_transform_point(pose, (graze_vec3){p[0], p[1], p[2]});
}

static void draw_direction(gz_random *random, double d[3]) {
    uint32_t kind = gz_random_below(random, 3);
    double size = 0;
    while (size == 0) {
        for (int k = 0; k < 3; k++) {
            d[k] = kind == 2 ? gz_random_range(random, -1, 1) : gz_random_below(random, 3) - 1.0;
            size += fabs(d[k]);
        }
    }
    if (kind == 0) {
        int axis = (int)gz_random_below(random, 3);
        for (int k = 0; k < 3; k++) d[k] = k != axis ? 0 : d[k] < 0 ? -1 : 1;
    }
}

// A line through a pose in which a point of one lies on a point of the other; returns the
// parameter there, and in *far one where they are apart.
static double draw_line(gz_random *random, line *l, double *far) {
    l->pose_a = rotation(random);
    l->pose_b = gz_random_below(random, 3) ? rotation(random) : l->pose_a;
    place_first(random, &l->pose_a);
    for (int k = 0; k < 3; k++) l->pose_b.m[4 * k + 3] = 0;
    graze_vec3 p = anchor(random, l->a, &l->pose_a), q = anchor(random, l->b, &l->pose_b);
    double d[3], near[3] = {p.x - q.x, p.y - q.y, p.z - q.z};
    draw_direction(random, d);
    l->axis = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    if (fabs(d[2]) > fabs(d[l->axis])) l->axis = 2;
    for (int k = 0; k < 3; k++) {
        l->start[k] = near[k];
        l->slope[k] = d[k] / d[l->axis];
    }
    posed_mesh_place(&l->a->posed, &l->pose_a);
    *far = near[l->axis] + copysign(2.5 * (l->a->radius + l->b->radius), d[l->axis]);
    return near[l->axis];
}

// --------------------------------------------------------------------------------------- judge

static void print_pose(const char *name, const graze_transform *pose) {
    printf("  %s at", name);
    for (int i = 0; i < 12; i++) printf(" %a", pose->m[i]);
    printf("\n");
}

static void report(const line *l, const graze_mesh_overlap *mine, bool any, bool overlap,
                   const int64_t pair[2]) {
    printf("violation: graze %s%s (any: %s) %lld %lld, oracle %s %lld %lld\n",
           mine->overlap ? "meet" : "apart", mine->contained ? " contained" : "",
           any ? "meet" : "apart", (long long)mine->triangle_a, (long long)mine->triangle_b,
           overlap ? "meet" : "apart", (long long)pair[0], (long long)pair[1]);
    print_pose(l->a->name, &l->pose_a);
    print_pose(l->b->name, &l->pose_b);
}

static bool evaluate(near_family *family, double x, near_tally *tally, bool *fcl_wrong) {
    line *l = (line *)family;
    for (int k = 0; k < 3; k++)
        l->pose_b.m[4 * k + 3] = k == l->axis ? x
                                              : l->start[k] + (x - l->start[l->axis]) * l->slope[k];
    posed_mesh_place(&l->b->posed, &l->pose_b);
    int64_t pair[2];
    bool overlap = posed_meshes_overlap(family->clip, &l->a->posed, &l->b->posed, pair);

    graze_mesh_overlap mine;
    graze_error error;
    if (graze_meshes_overlap(l->a->graze, &l->pose_a, l->b->graze, &l->pose_b, GRAZE_POLICY_SURFACE,
                             &mine, &error))
        give_up(l->a->name, error.message);
    // The narrow phase behind it once more, as a check of yes or no asks it, with its counters.
    gz_shape_rule rule = {.kernels = gz_kernels_choose(),
                          .policy_a = GRAZE_POLICY_SURFACE,
                          .policy_b = GRAZE_POLICY_SURFACE};
    gz_shape_contact meeting;
    graze_stats stats = {0};
    bool any = gz_shapes_collide(&l->a->shape, l->pose_a.m, &l->b->shape, l->pose_b.m, &rule,
                                 &meeting, &stats);

    bool good = mine.overlap == overlap && any == overlap && !mine.contained &&
                (!overlap || (mine.triangle_a == pair[0] && mine.triangle_b == pair[1]));
    if (!good) report(l, &mine, any, overlap, pair);
    tally->poses++;
    tally->meeting += overlap;
    tally->violations += !good;
    tally->exact += stats.exact_tests != 0;
    *fcl_wrong = fcl_meshes_overlap(l->a->fcl, l->pose_a.m, l->b->fcl, l->pose_b.m) != overlap;
    return overlap;
}

bool near_lines_run(size_t row, uint64_t poses, uint64_t seed, near_tally *tally) {
    gz_random random = gz_random_make(seed, row);
    subject a, b = {0};
    bool ready = make_subject(&a, rows[row].a, &random) && make_subject(&b, rows[row].b, &random);
    line l = {.family = {evaluate, rational_clip_create(), true}, .a = &a, .b = &b};
    while (ready && tally->poses < poses) {
        double far, near = draw_line(&random, &l, &far);
        near_bisect(&l.family, far, near, tally);
    }
    rational_clip_free(l.family.clip);
    clear_subject(&a);
    clear_subject(&b);
    return ready;
}
