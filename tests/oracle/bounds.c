// Bounds: everything that the filters of the engine call "surely apart" is proved again on the
// vertices as snapped, by directions that separate them exactly (doubles with a bound, then
// rationals), and else triangle by triangle in rational arithmetic. And how far are the filters'
// numbers off, relative to the pads that are to cover it?
//
// usage: bounds [--tests N] [--seed N]      N: node-poses, in the sense of box against box

#include "bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinematics_robot.h"
#include "mesh/mesh.h"
#include "sample_mesh.h"

double *bounds_points(campaign *c, int which, size_t count) {
    if (count > c->capacity[which]) {
        free(c->points[which]);
        c->points[which] = allocate(c->capacity[which] = 2 * count, 3 * sizeof(double));
    }
    return c->points[which];
}

void bounds_pose(campaign *c, double far, double pose[12]) {
    double xyz[3], q[4];
    for (int k = 0; k < 3; k++) xyz[k] = gz_random_range(&c->random, -far, far);
    for (int k = 0; k < 4; k++) q[k] = gz_random_range(&c->random, -1, 1);
    // One in four aligned with the axes, where edges and faces are parallel.
    if (gz_random_below(&c->random, 4) == 0)
        for (int k = 0; k < 4; k++) q[k] = k == (int)gz_random_below(&c->random, 4) || k == 3;
    graze_transform t = graze_transform_from_xyz_quat(xyz, q);
    memcpy(pose, t.m, sizeof t.m);
}

void bounds_measure(tally *t, double error, double allowed) {
    t->measured++;
    t->worst = fmax(t->worst, error / allowed);
    t->wrong += !(error <= allowed); // the claim's pad does not cover what it is for
}

static void add_mesh(campaign *c, graze_mesh *mesh) {
    graze_error error;
    if (gz_mesh_validate(mesh, &error)) {
        printf("VIOLATION: %s\n", error.message);
        exit(1);
    }
    if (c->mesh_count < sizeof c->meshes / sizeof *c->meshes) c->meshes[c->mesh_count++] = mesh;
}

static void add_made(campaign *c, sample_mesh made, double scale) {
    graze_mesh *mesh;
    for (size_t i = 0; i < 3 * made.vertex_count; i++) made.vertices[i] *= scale;
    if (c->mesh_count < sizeof c->meshes / sizeof *c->meshes &&
        graze_mesh_create(&mesh, made.vertices, made.vertex_count, made.triangles,
                          made.triangle_count, NULL) == GRAZE_OK)
        add_mesh(c, mesh);
    sample_mesh_clear(&made);
}

/// Packets of triangles a ten-thousandth of the way between them long: the pads, which grow with
/// the mesh, count more there than what a packet adds for its own size.
static sample_mesh make_clusters(gz_random *random) {
    enum { CLUSTERS = 30, TRIANGLES = CLUSTERS * GZ_WIDTH };
    double vertices[9 * TRIANGLES], center[3] = {0};
    uint32_t triangles[3 * TRIANGLES];
    for (size_t i = 0; i < 9 * TRIANGLES; i++) {
        if (i % (9 * GZ_WIDTH) == 0)
            for (int k = 0; k < 3; k++) center[k] = gz_random_range(random, -0.5, 0.5);
        vertices[i] = center[i % 3] + gz_random_range(random, -5e-5, 5e-5);
    }
    for (size_t i = 0; i < 3 * TRIANGLES; i++) triangles[i] = (uint32_t)i;
    return sample_mesh_copy(vertices, 3 * TRIANGLES, triangles, TRIANGLES);
}

static void prepare(campaign *c, unsigned long seed) {
    static const char *const wanted[] = {"heron", "six_axis", "fetch", "panda", "ur5"};
    static const tally tree[TREE_KINDS] = {
        {.name = "nodes of two trees", .of = "gap of two boxes"},
        {.name = "triangle against packet's box", .of = "gap of what meets"},
        {.name = "triangle against packet", .of = "gap of what meets"},
        {.name = "nodes, margins", .of = ""},
        {.name = "packet's box, margins", .of = ""},
        {.name = "packet, margins", .of = ""},
    };
    static const tally names[KINDS] = {
        [SPHERES] = {.name = "spheres of links", .of = ""},
        [BOXES] = {.name = "oriented boxes of links", .of = ""},
        [BALL_HOLDS] = {.name = "posed spheres hold vertices", .of = "out of the sphere"},
        [BOX_HOLDS] = {.name = "posed boxes hold vertices", .of = "out of the box"},
        [BALL_HOLDS_RIM] = {.name = "posed spheres hold coins", .of = "out of the sphere"},
        [BOX_HOLDS_RIM] = {.name = "posed boxes hold coins", .of = "out of the box"},
        [OBJECT_HOLDS_RIM] = {.name = "objects' boxes hold coins", .of = "out of the box"},
        [LANES] = {.name = "pairs of links, eight lanes", .of = ""},
        [LANE_CENTER] = {.name = "spheres' centres, eight lanes", .of = "place of the centre"},
    };
    memcpy(c->tallies, names, sizeof names);
    for (int form = BASE_TREE; form < SPHERES; form += TREE_KINDS)
        memcpy(c->tallies + form, tree, sizeof tree);
    c->random = gz_random_make(seed, 77);
    separation_init(&c->separation);
    c->clip = rational_clip_create();
    c->distance = rational_distance_create();
    for (size_t i = 0; i < kinematics_robot_count(); i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (!strcmp(kinematics_robot_name(i), wanted[k]))
                c->robots[c->robot_count++] = kinematics_robot_load(i);
    for (size_t i = 0; i < c->robot_count; i++)
        for (size_t k = 0; k < c->robots[i]->collision_count; k++)
            if (c->robots[i]->collisions[k].shape.mesh)
                add_mesh(c, c->robots[i]->collisions[k].shape.mesh);
    c->made_from = c->mesh_count;
    for (int e = -20; e <= 10; e += 10) {
        add_made(c, sample_icosphere(1, 3), ldexp(1, e));
        add_made(c, sample_needles(&c->random, 200), ldexp(1, e));
        add_made(c, sample_lattice(&c->random, 200), ldexp(1, e));
        for (int i = 0; i < 4; i++) add_made(c, make_clusters(&c->random), ldexp(1, e));
    }
    if (!c->clip || c->robot_count == 0) exit(3);
}

static void clear(campaign *c) {
    for (size_t i = c->made_from; i < c->mesh_count; i++) graze_mesh_free(c->meshes[i]);
    for (size_t i = 0; i < c->robot_count; i++) graze_robot_free(c->robots[i]);
    separation_clear(&c->separation);
    rational_clip_free(c->clip);
    rational_distance_free(c->distance);
    free(c->points[0]);
    free(c->points[1]);
}

static const char *instructions_of(int kind) {
    return kind < AVX2_TREE ? "base" : kind < SCALAR_TREE ? "avx2" : kind < SPHERES ? "scalar" : "";
}

static unsigned long nodes_tested(const campaign *c) {
    unsigned long sum = 0;
    for (int form = BASE_TREE; form < SPHERES; form += TREE_KINDS)
        sum += c->tallies[form + NODES].tested + c->tallies[form + NODES + TREE_KINDS / 2].tested;
    return sum;
}

static unsigned long report(const campaign *c) {
    unsigned long wrong = 0;
    printf("%-7s%-32s %10s %10s %5s   %-20s %9s %9s\n", "", "claim", "tested", "apart", "wrong",
           "error measured", "times", "of pad");
    for (int k = 0; k < KINDS; k++) {
        const tally *t = &c->tallies[k];
        if (t->tested == 0 && *instructions_of(k)) continue; // the processor has it not
        printf("%-7s%-32s %10lu %10lu %5lu   %-20s ", instructions_of(k), t->name, t->tested,
               t->apart, t->wrong, t->of);
        if (t->measured)
            printf("%9lu %9.2e%s\n", t->measured, t->worst,
                   t->worst < 1e-3 ? "  loose: below 1/1000" : "");
        else
            printf("%9s %9s\n", "-", "-");
        wrong += t->wrong;
    }
    printf("all nodes %lu\nproofs: %lu by doubles with a bound, %lu by rationals\n",
           nodes_tested(c), c->separation.by_doubles, c->separation.by_rationals);
    printf("%lu violations\n", wrong);
    return wrong;
}

/// The forms that this processor has.
static int list_forms(const bounds_form **out) {
    int count = 0;
    out[count++] = &bounds_form_base;
    out[count++] = &bounds_form_scalar;
#ifdef GRAZE_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) out[count++] = &bounds_form_avx2;
#endif
    return count;
}

int main(int count, char **words) {
    unsigned long tests = 200000, seed = 1;
    for (int i = 1; i < count; i += 2) {
        char *end = NULL;
        unsigned long number = i + 1 < count ? strtoul(words[i + 1], &end, 10) : 0;
        bool known = !strcmp(words[i], "--tests") || !strcmp(words[i], "--seed");
        if (!known || !number || *end) {
            fprintf(stderr, "usage: bounds [--tests N] [--seed N], numbers above 0\n");
            return 2;
        }
        *(!strcmp(words[i], "--tests") ? &tests : &seed) = number;
    }
    static campaign c;
    prepare(&c, seed);
    printf("%zu meshes, all validated exactly; seed %lu\n", c.mesh_count, seed);
    const bounds_form *forms[3];
    unsigned long form_count = (unsigned long)list_forms(forms);
    for (unsigned long i = 0; nodes_tested(&c) < tests; i++) {
        const bounds_form *form = forms[i % form_count];
        form->nodes(&c);
        if (i % 2 == 0) form->packets(&c);
        if (i % 8 == 0) bounds_links(&c);
        if (i % 8 == 0) bounds_coins(&c);
        if (i % 8192 == 0) bounds_lanes(&c);
    }
    unsigned long wrong = report(&c);
    clear(&c);
    return wrong ? 1 : 0;
}
