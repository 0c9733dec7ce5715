// Two posed meshes, asked about in other ways.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "metamorphic.h"
#include "posed_mesh.h"
#include "sample_mesh.h"
#include "test_robot.h"

enum { SCALES = 4, INSTRUCTION_SETS = 3 };

static const double scales[SCALES] = {0.25, 0.5, 2, 4};
static const char *const instruction_sets[INSTRUCTION_SETS] = {"avx2", "sse2", "scalar"};

/// A mesh and its other forms.
typedef struct forms {
    const char *name;
    double radius;
    bool lattice; ///< its coordinates are multiples of 1/64 below 4
    sample_mesh mesh;
    graze_mesh *plain, *again, *permuted, *mirrored, *split, *scaled[SCALES];
    uint32_t *origin; ///< of a permuted triangle, its number in the plain mesh
} forms;

enum {
    SWAPPED,
    PERMUTED,
    MIRRORED,
    TURNED,
    SCALED,
    SPLIT,
    AGAIN,
    INSTRUCTIONS,
    POLICIES,
    RELATION_COUNT
};

typedef struct trial {
    forms *a, *b;
    graze_transform pose_a, pose_b;
    graze_policy policy;
    graze_mesh_overlap answer;
    relation *relations;
} trial;

// ------------------------------------------------------------------------------ making the forms

static graze_mesh *build(const sample_mesh *mesh) {
    graze_mesh *out;
    graze_error error;
    if (graze_mesh_create(&out, mesh->vertices, mesh->vertex_count, mesh->triangles,
                          mesh->triangle_count, &error))
        give_up("mesh", error.message);
    return out;
}

static void shuffle(gz_random *random, uint32_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t j = gz_random_below(random, (uint32_t)i);
        uint32_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/// Vertices and triangles in random order, corners turned.
static graze_mesh *build_permuted(gz_random *random, forms *f) {
    const sample_mesh *m = &f->mesh;
    sample_mesh p = sample_mesh_copy(m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    uint32_t *place = allocate(m->vertex_count, sizeof *place);
    shuffle(random, place, m->vertex_count);
    for (size_t i = 0; i < m->vertex_count; i++)
        memcpy(p.vertices + 3 * (size_t)place[i], m->vertices + 3 * i, 3 * sizeof(double));
    f->origin = allocate(m->triangle_count, sizeof *f->origin);
    shuffle(random, f->origin, m->triangle_count);
    for (size_t t = 0; t < m->triangle_count; t++) {
        uint32_t turn = gz_random_below(random, 3);
        for (uint32_t k = 0; k < 3; k++)
            p.triangles[3 * t + k] = place[m->triangles[3 * (size_t)f->origin[t] + (k + turn) % 3]];
    }
    graze_mesh *out = build(&p);
    free(place);
    sample_mesh_clear(&p);
    return out;
}

/// x to -x, and each triangle the other way round.
static graze_mesh *build_mirrored(const sample_mesh *m) {
    sample_mesh p = sample_mesh_copy(m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    for (size_t i = 0; i < p.vertex_count; i++) p.vertices[3 * i] = -p.vertices[3 * i];
    for (size_t t = 0; t < p.triangle_count; t++) {
        p.triangles[3 * t + 1] = m->triangles[3 * t + 2];
        p.triangles[3 * t + 2] = m->triangles[3 * t + 1];
    }
    graze_mesh *out = build(&p);
    sample_mesh_clear(&p);
    return out;
}

static graze_mesh *build_scaled(const sample_mesh *m, double scale) {
    sample_mesh p = sample_mesh_copy(m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    for (size_t i = 0; i < 3 * p.vertex_count; i++) p.vertices[i] *= scale;
    graze_mesh *out = build(&p);
    sample_mesh_clear(&p);
    return out;
}

static void make_forms(gz_random *random, forms *f, const char *name, sample_mesh mesh,
                       bool lattice) {
    *f = (forms){.name = name, .lattice = lattice, .mesh = mesh};
    f->plain = build(&mesh);
    f->again = build(&mesh);
    f->permuted = build_permuted(random, f);
    f->mirrored = build_mirrored(&mesh);
    if (lattice) {
        sample_mesh pieces = sample_split(&mesh);
        f->split = build(&pieces);
        sample_mesh_clear(&pieces);
    }
    for (int i = 0; i < SCALES; i++) f->scaled[i] = build_scaled(&mesh, scales[i]);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        const double *p = mesh.vertices + 3 * i;
        f->radius = fmax(f->radius, hypot(hypot(p[0], p[1]), p[2]));
    }
}

static void clear_forms(forms *f) {
    graze_mesh_free(f->plain);
    graze_mesh_free(f->again);
    graze_mesh_free(f->permuted);
    graze_mesh_free(f->mirrored);
    graze_mesh_free(f->split);
    for (int i = 0; i < SCALES; i++) graze_mesh_free(f->scaled[i]);
    free(f->origin);
    sample_mesh_clear(&f->mesh);
}

// ------------------------------------------------------------------------------------- relations

static graze_mesh_overlap query(const graze_mesh *a, const graze_transform *pose_a,
                                const graze_mesh *b, const graze_transform *pose_b,
                                graze_policy policy) {
    graze_mesh_overlap out;
    graze_error error;
    if (graze_meshes_overlap(a, pose_a, b, pose_b, policy, &out, &error))
        give_up("overlap", error.message);
    return out;
}

static bool same(const graze_mesh_overlap *x, const graze_mesh_overlap *y) {
    return x->overlap == y->overlap && x->contained == y->contained &&
           x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b;
}

static bool same_segment(const graze_mesh_overlap *x, const graze_mesh_overlap *y, double scale) {
    for (int k = 0; k < 6 && x->overlap; k++)
        if (x->segment[k] * scale != y->segment[k]) return false;
    return true;
}

static void note(const trial *t, int which, bool good) {
    char where[1024];
    size_t used = (size_t)snprintf(where, sizeof where, "%s, %s, policy %d; poses", t->a->name,
                                   t->b->name, (int)t->policy);
    for (int i = 0; i < 24 && used < sizeof where; i++)
        used += (size_t)snprintf(where + used, sizeof where - used, " %a",
                                 i < 12 ? t->pose_a.m[i] : t->pose_b.m[i - 12]);
    bool colliding = which == POLICIES ? t->answer.contained : t->answer.overlap;
    relation_note(&t->relations[which], colliding, good, where);
}

static bool triangles_overlap(const trial *t, int64_t a, int64_t b) {
    double corners[2][9];
    for (int side = 0; side < 2; side++) {
        const sample_mesh *m = side ? &t->b->mesh : &t->a->mesh;
        size_t triangle = (size_t)(side ? b : a);
        for (size_t k = 0; k < 3; k++) {
            const double *v = m->vertices + 3 * (size_t)m->triangles[3 * triangle + k];
            graze_vec3 p = graze_transform_point(side ? &t->pose_b : &t->pose_a,
                                                 (graze_vec3){v[0], v[1], v[2]});
            corners[side][3 * k] = p.x;
            corners[side][3 * k + 1] = p.y;
            corners[side][3 * k + 2] = p.z;
        }
    }
    return graze_triangles_overlap(corners[0], corners[1]);
}

/// Whether a pair that was found in another order may stand beside the lowest one.
static bool may_be_found(const trial *t, int64_t a, int64_t b) {
    return (a > t->answer.triangle_a || (a == t->answer.triangle_a && b >= t->answer.triangle_b)) &&
           triangles_overlap(t, a, b);
}

static void try_swapped(const trial *t) {
    graze_mesh_overlap x = query(t->b->plain, &t->pose_b, t->a->plain, &t->pose_a, t->policy);
    bool good = x.overlap == t->answer.overlap && x.contained == t->answer.contained;
    if (good && x.overlap && !x.contained) good = may_be_found(t, x.triangle_b, x.triangle_a);
    note(t, SWAPPED, good);
}

static void try_permuted(const trial *t) {
    graze_mesh_overlap x = query(t->a->permuted, &t->pose_a, t->b->permuted, &t->pose_b, t->policy);
    bool good = x.overlap == t->answer.overlap && x.contained == t->answer.contained;
    if (good && x.contained)
        good = (x.triangle_a < 0) == (t->answer.triangle_a < 0) &&
               (x.triangle_b < 0) == (t->answer.triangle_b < 0);
    else if (good && x.overlap)
        good = may_be_found(t, t->a->origin[x.triangle_a], t->b->origin[x.triangle_b]);
    note(t, PERMUTED, good);
}

static graze_transform mirror(const graze_transform *pose) {
    graze_transform out = *pose;
    for (int i = 0; i < 12; i++)
        if ((i / 4 == 0) != (i % 4 == 0)) out.m[i] = -out.m[i];
    return out;
}

static void try_mirrored(const trial *t) {
    graze_transform pose_a = mirror(&t->pose_a), pose_b = mirror(&t->pose_b);
    graze_mesh_overlap x = query(t->a->mirrored, &pose_a, t->b->mirrored, &pose_b, t->policy);
    note(t, MIRRORED, same(&x, &t->answer));
}

/// A quarter turn of the world about an axis: two rows change places, one of them negated.
static graze_transform turn(const graze_transform *pose, int axis) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    graze_transform out = *pose;
    for (int c = 0; c < 4; c++) {
        out.m[4 * u + c] = -pose->m[4 * v + c];
        out.m[4 * v + c] = pose->m[4 * u + c];
    }
    return out;
}

static void try_turned(const trial *t) {
    for (int axis = 0; axis < 3; axis++) {
        graze_transform pose_a = turn(&t->pose_a, axis), pose_b = turn(&t->pose_b, axis);
        graze_mesh_overlap x = query(t->a->plain, &pose_a, t->b->plain, &pose_b, t->policy);
        note(t, TURNED, same(&x, &t->answer));
    }
}

static void try_scaled(const trial *t) {
    for (int i = 0; i < SCALES; i++) {
        graze_transform pose_a = t->pose_a, pose_b = t->pose_b;
        for (int k = 3; k < 12; k += 4) {
            pose_a.m[k] *= scales[i];
            pose_b.m[k] *= scales[i];
        }
        graze_mesh_overlap x = query(t->a->scaled[i], &pose_a, t->b->scaled[i], &pose_b, t->policy);
        note(t, SCALED, same(&x, &t->answer) && same_segment(&t->answer, &x, scales[i]));
    }
}

/// Only where nothing rounds: the parts of a triangle then fill it exactly.
static void try_split(const trial *t) {
    graze_mesh_overlap x = query(t->a->split, &t->pose_a, t->b->split, &t->pose_b, t->policy);
    bool good = x.overlap == t->answer.overlap && x.contained == t->answer.contained;
    if (good && x.overlap && !x.contained)
        good = x.triangle_a / 4 == t->answer.triangle_a &&
               may_be_found(t, x.triangle_a / 4, x.triangle_b / 4);
    note(t, SPLIT, good);
}

static void try_again(const trial *t) {
    graze_mesh_overlap x = query(t->a->again, &t->pose_a, t->b->again, &t->pose_b, t->policy);
    note(t, AGAIN, same(&x, &t->answer) && same_segment(&t->answer, &x, 1));
}

static void try_instructions(const trial *t) {
    for (int i = 0; i < INSTRUCTION_SETS; i++) {
        choose_instructions(instruction_sets[i]);
        graze_mesh_overlap x = query(t->a->plain, &t->pose_a, t->b->plain, &t->pose_b, t->policy);
        note(t, INSTRUCTIONS, same(&x, &t->answer) && same_segment(&t->answer, &x, 1));
    }
    choose_instructions("");
}

/// What meets as surfaces meets as solids, in the same triangles; solids may contain more.
static void try_policies(const trial *t) {
    graze_mesh_overlap x = query(t->a->plain, &t->pose_a, t->b->plain, &t->pose_b,
                                 GRAZE_POLICY_SURFACE);
    note(t, POLICIES,
         t->answer.overlap && !t->answer.contained ? same(&x, &t->answer) : !x.overlap);
}

static bool try_all(trial *t, bool exact) {
    bool overlap = false;
    for (int policy = 0; policy < 2; policy++) {
        t->policy = (graze_policy)policy;
        t->answer = query(t->a->plain, &t->pose_a, t->b->plain, &t->pose_b, t->policy);
        overlap = t->answer.overlap;
        try_swapped(t);
        try_permuted(t);
        try_mirrored(t);
        try_turned(t);
        try_scaled(t);
        try_again(t);
        try_instructions(t);
        if (t->policy == GRAZE_POLICY_SOLID) try_policies(t);
        if (exact && t->a->lattice && t->b->lattice) try_split(t);
    }
    return overlap;
}

// ----------------------------------------------------------------------------------------- poses

static void place(trial *t, const double p[3], double far, double s) {
    static const double d[3] = {0.6, -0.48, 0.64};
    for (int k = 0; k < 3; k++) t->pose_b.m[4 * k + 3] = p[k] + s * far * d[k];
}

/// A random pose, and twelve on the last steps of a search for contact along a line from it.
static uint64_t try_near(gz_random *random, trial *t) {
    double angles[2][3], at[3], p[3], far = 1.5 * (t->a->radius + t->b->radius);
    for (int k = 0; k < 3; k++) {
        angles[0][k] = gz_random_range(random, -3.15, 3.15);
        angles[1][k] = gz_random_range(random, -3.15, 3.15);
        at[k] = gz_random_range(random, -2, 2);
        p[k] = at[k] + gz_random_range(random, -0.2, 0.2) * far;
    }
    t->pose_a = graze_transform_from_xyz_rpy(at, angles[0]);
    t->pose_b = graze_transform_from_xyz_rpy(at, angles[1]);
    double low = 0, high = 1;
    place(t, p, far, 0);
    if (!try_all(t, false)) return 1;
    uint64_t poses = 1;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        place(t, p, far, middle);
        bool overlap;
        if (step % 4 == 0 || step > 50) {
            overlap = try_all(t, false);
            poses++;
        } else {
            overlap = query(t->a->plain, &t->pose_a, t->b->plain, &t->pose_b, GRAZE_POLICY_SURFACE)
                          .overlap;
        }
        if (middle == low || middle == high) break;
        *(overlap ? &low : &high) = middle;
    }
    return poses;
}

/// Quarter turns and steps of 1/32: touching is common, and nothing rounds.
static void try_lattice(gz_random *random, trial *t) {
    t->pose_a = t->pose_b = graze_transform_identity();
    for (uint32_t i = gz_random_below(random, 4); i > 0; i--)
        t->pose_b = turn(&t->pose_b, (int)gz_random_below(random, 3));
    double range = 0.7 * (t->a->radius + t->b->radius);
    for (int k = 0; k < 3; k++)
        t->pose_b.m[4 * k + 3] = rint(gz_random_range(random, -range, range) * 32) / 32;
    try_all(t, true);
}

// ------------------------------------------------------------------------------------------ runs

/// A ball and a small box beside it: two closed components.
static sample_mesh ball_and_box(void) {
    static const double low[3] = {0.3, -0.03, -0.02}, high[3] = {0.37, 0.04, 0.05};
    sample_mesh ball = sample_icosphere(0.25, 2), box = sample_box(low, high, 2);
    size_t n = ball.vertex_count, m = ball.triangle_count;
    sample_mesh out = {n + box.vertex_count, m + box.triangle_count, NULL, NULL};
    out.vertices = allocate(3 * out.vertex_count, sizeof(double));
    out.triangles = allocate(3 * out.triangle_count, sizeof(uint32_t));
    memcpy(out.vertices, ball.vertices, 3 * n * sizeof(double));
    memcpy(out.vertices + 3 * n, box.vertices, 3 * box.vertex_count * sizeof(double));
    memcpy(out.triangles, ball.triangles, 3 * m * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * box.triangle_count; i++)
        out.triangles[3 * m + i] = box.triangles[i] + (uint32_t)n;
    sample_mesh_clear(&ball);
    sample_mesh_clear(&box);
    return out;
}

static sample_mesh copy_link(const graze_robot *robot, const char *link) {
    graze_geometry g = test_robot_mesh(robot, link);
    return sample_mesh_copy(g.vertices, g.vertex_count, g.triangles, g.triangle_count);
}

enum { FORMS = 9 };

static void make_all(gz_random *random, forms *all) {
    static const double cube[2][3] = {{-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}};
    static const double crumb[2][3] = {{-0.0625, 0, -0.03125}, {0.0625, 0.09375, 0.0625}};
    static const double plate[2][3] = {{-0.3, -0.2, 0}, {0.3, 0.2, 1e-6}};
    graze_robot *heron = test_robot_load("heron");
    make_forms(random, &all[0], "cube", sample_box(cube[0], cube[1], 1), true);
    make_forms(random, &all[1], "fine cube", sample_box(cube[0], cube[1], 8), true);
    make_forms(random, &all[2], "crumb", sample_box(crumb[0], crumb[1], 2), true);
    make_forms(random, &all[3], "lattice", sample_lattice(random, 60), true);
    make_forms(random, &all[4], "plate", sample_box(plate[0], plate[1], 5), false);
    make_forms(random, &all[5], "needles", sample_needles(random, 60), false);
    make_forms(random, &all[6], "ball and box", ball_and_box(), false);
    make_forms(random, &all[7], "gripper_link", copy_link(heron, "gripper_link"), false);
    make_forms(random, &all[8], "head_tilt_link", copy_link(heron, "head_tilt_link"), false);
    graze_robot_free(heron);
}

uint64_t metamorphic_meshes(uint64_t poses, uint64_t seed) {
    relation relations[RELATION_COUNT] = {
        [SWAPPED] = {.name = "a and b swapped"},
        [PERMUTED] = {.name = "vertices, triangles and corners permuted"},
        [MIRRORED] = {.name = "mirrored"},
        [TURNED] = {.name = "turned by a quarter about each axis"},
        [SCALED] = {.name = "scaled by 1/4, 1/2, 2, 4"},
        [SPLIT] = {.name = "each triangle split in four"},
        [AGAIN] = {.name = "meshes made again"},
        [INSTRUCTIONS] = {.name = "avx2, sse2, scalar"},
        [POLICIES] = {.name = "solids and surfaces (collisions: contained)"},
    };
    gz_random random = gz_random_make(seed, 0);
    forms all[FORMS];
    choose_instructions("");
    make_all(&random, all);
    for (uint64_t done = 0; done < poses;) {
        trial t = {.a = &all[gz_random_below(&random, FORMS)],
                   .b = &all[gz_random_below(&random, FORMS)],
                   .relations = relations};
        done += try_near(&random, &t);
        // Those that nothing rounds, oftener: cheap, and full of touching.
        t.a = &all[gz_random_below(&random, 4)];
        t.b = &all[gz_random_below(&random, 4)];
        for (int i = 0; i < 4; i++, done++) try_lattice(&random, &t);
    }
    for (int i = 0; i < FORMS; i++) clear_forms(&all[i]);
    return relations_print(relations, RELATION_COUNT);
}
