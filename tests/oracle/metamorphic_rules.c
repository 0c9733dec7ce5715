// Two posed meshes under margins, and with their openings capped, asked about in other ways. Both
// answers are exact, so nothing may depend on which mesh comes first, on the order of vertices and
// triangles, on quarter turns and mirrors, or on powers of two that scale lengths and margin alike.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metamorphic.h"
#include "narrow/shape_pair.h"
#include "posed_mesh.h"
#include "sample_mesh.h"

enum { PLAIN, PERMUTED, MIRRORED, DOUBLED, SMALL, FORM_COUNT };
enum { SUBJECTS = 7 };

/// How the question is put otherwise.
enum { SWAP, PERMUTE, MIRROR, TURN, SCALE, INSTRUCT, GROW, WAYS };

/// A mesh in several forms.
typedef struct subject {
    const char *name;
    gz_shape form[FORM_COUNT];
    double max_abs;
} subject;

typedef struct question {
    const subject *a, *b;
    graze_transform pose_a, pose_b;
    graze_policy policy;
    double margin;
} question;

static const double form_scale[FORM_COUNT] = {1, 1, 1, 2, 0.125};

// ------------------------------------------------------------------------------------- subjects

static void permute(sample_mesh *m, gz_random *random) {
    uint32_t *place = allocate(m->vertex_count, sizeof *place);
    double *moved = allocate(m->vertex_count, 3 * sizeof *moved);
    for (size_t i = 0; i < m->vertex_count; i++) place[i] = (uint32_t)i;
    for (size_t i = m->vertex_count; i > 1; i--) {
        size_t j = gz_random_below(random, (uint32_t)i);
        uint32_t swap = place[i - 1];
        place[i - 1] = place[j];
        place[j] = swap;
    }
    for (size_t i = 0; i < m->vertex_count; i++)
        memcpy(moved + 3 * (size_t)place[i], m->vertices + 3 * i, 3 * sizeof *moved);
    memcpy(m->vertices, moved, m->vertex_count * 3 * sizeof *moved);
    for (size_t i = 0; i < 3 * m->triangle_count; i++) m->triangles[i] = place[m->triangles[i]];
    for (size_t i = m->triangle_count; i > 1; i--) {
        size_t j = gz_random_below(random, (uint32_t)i), turn = gz_random_below(random, 3);
        uint32_t t[3];
        memcpy(t, m->triangles + 3 * (i - 1), sizeof t);
        memcpy(m->triangles + 3 * (i - 1), m->triangles + 3 * j, sizeof t);
        for (size_t k = 0; k < 3; k++) m->triangles[3 * j + k] = t[(k + turn) % 3];
    }
    free(place);
    free(moved);
}

static gz_shape make_form(const sample_mesh *mesh, int form, gz_random *random) {
    sample_mesh m = sample_mesh_copy(mesh->vertices, mesh->vertex_count, mesh->triangles,
                                     mesh->triangle_count);
    for (size_t i = 0; i < 3 * m.vertex_count; i++) m.vertices[i] *= form_scale[form];
    if (form == PERMUTED) permute(&m, random);
    for (size_t i = 0; form == MIRRORED && i < m.vertex_count; i++) m.vertices[3 * i] *= -1;
    for (size_t t = 0; form == MIRRORED && t < m.triangle_count; t++) {
        m.triangles[3 * t + 1] = mesh->triangles[3 * t + 2];
        m.triangles[3 * t + 2] = mesh->triangles[3 * t + 1];
    }
    gz_shape shape = {.kind = GRAZE_SHAPE_MESH};
    graze_error error;
    if (graze_mesh_create(&shape.mesh, m.vertices, m.vertex_count, m.triangles, m.triangle_count,
                          &error))
        give_up("mesh", error.message);
    sample_mesh_clear(&m);
    return shape;
}

static void make_subject(subject *s, const char *name, sample_mesh mesh, gz_random *random) {
    *s = (subject){.name = name};
    for (int i = 0; i < FORM_COUNT; i++) s->form[i] = make_form(&mesh, i, random);
    for (size_t i = 0; i < 3 * mesh.vertex_count; i++)
        s->max_abs = fmax(s->max_abs, fabs(mesh.vertices[i]));
    sample_mesh_clear(&mesh);
}

/// Without its first triangles: an opening.
static sample_mesh opened(sample_mesh mesh, size_t left_out) {
    mesh.triangle_count -= left_out;
    memmove(mesh.triangles, mesh.triangles + 3 * left_out,
            3 * mesh.triangle_count * sizeof *mesh.triangles);
    return mesh;
}

static void make_subjects(subject s[SUBJECTS], gz_random *random) {
    static const double low[3] = {-0.25, -0.125, -0.5}, high[3] = {0.25, 0.25, 0.25},
                        small[2][3] = {{-0.0625, 0, -0.03125}, {0.0625, 0.09375, 0.0625}};
    make_subject(&s[0], "brick", sample_box(low, high, 2), random);
    make_subject(&s[1], "crumb", sample_box(small[0], small[1], 1), random);
    make_subject(&s[2], "open brick", opened(sample_box(low, high, 2), 3), random);
    make_subject(&s[3], "ball", sample_icosphere(0.3, 1), random);
    make_subject(&s[4], "open ball", opened(sample_icosphere(0.3, 2), 25), random);
    make_subject(&s[5], "needles", sample_needles(random, 15), random);
    make_subject(&s[6], "lattice", sample_lattice(random, 20), random);
}

// ------------------------------------------------------------------------------------ questions

static bool query(const question *q, int form, const graze_transform *pose_a,
                  const graze_transform *pose_b, double margin, bool swapped) {
    const gz_shape *a = &q->a->form[form], *b = &q->b->form[form];
    gz_shape_rule rule = {.kernels = gz_kernels_choose(),
                          .policy_a = q->policy,
                          .policy_b = q->policy,
                          .margin = margin,
                          .detail = GZ_DETAIL_WITNESS};
    gz_shape_contact meeting;
    graze_stats stats = {0};
    return swapped ? gz_shapes_collide(b, pose_b->m, a, pose_a->m, &rule, &meeting, &stats)
                   : gz_shapes_collide(a, pose_a->m, b, pose_b->m, &rule, &meeting, &stats);
}

static graze_transform mirror(const graze_transform *pose) {
    graze_transform out = *pose;
    for (int i = 0; i < 12; i++)
        if ((i / 4 == 0) != (i % 4 == 0)) out.m[i] = -out.m[i];
    return out;
}

static graze_transform turn(const graze_transform *pose, int axis) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    graze_transform out = *pose;
    for (int c = 0; c < 4; c++) {
        out.m[4 * u + c] = -pose->m[4 * v + c];
        out.m[4 * v + c] = pose->m[4 * u + c];
    }
    return out;
}

static graze_transform scale(const graze_transform *pose, double factor) {
    graze_transform out = *pose;
    for (int k = 3; k < 12; k += 4) out.m[k] *= factor;
    return out;
}

static bool query_otherwise(const question *q, int way, int variant) {
    graze_transform a = q->pose_a, b = q->pose_b;
    int form = PLAIN;
    double margin = q->margin;
    static const char *const sets[] = {"scalar", "sse2", "avx2"};
    switch (way) {
    case PERMUTE:
        form = PERMUTED;
        break;
    case MIRROR:
        form = MIRRORED;
        a = mirror(&a), b = mirror(&b);
        break;
    case TURN:
        a = turn(&a, variant), b = turn(&b, variant);
        break;
    case SCALE:
        form = variant ? SMALL : DOUBLED;
        a = scale(&a, form_scale[form]), b = scale(&b, form_scale[form]);
        margin *= form_scale[form];
        break;
    case INSTRUCT:
        choose_instructions(sets[variant]);
        break;
    default:
        break;
    }
    bool out = query(q, form, &a, &b, margin, way == SWAP);
    if (way == INSTRUCT) choose_instructions("");
    return out;
}

static void note(relation *r, const question *q, bool hit, bool good) {
    char where[1024];
    size_t used = (size_t)snprintf(where, sizeof where, "%s, %s, margin %a; poses", q->a->name,
                                   q->b->name, q->margin);
    for (int i = 0; i < 24 && used < sizeof where; i++)
        used += (size_t)snprintf(where + used, sizeof where - used, " %a",
                                 i < 12 ? q->pose_a.m[i] : q->pose_b.m[i - 12]);
    relation_note(r, hit, good, where);
}

/// All the ways; `relations` are those of margins or those of caps. Returns the plain answer.
static bool try_all(const question *q, relation *relations) {
    static const int variants[WAYS] = {1, 1, 1, 3, 2, 3, 0};
    bool hit = query(q, PLAIN, &q->pose_a, &q->pose_b, q->margin, false);
    for (int way = 0; way < GROW; way++)
        for (int v = 0; v < variants[way]; v++)
            note(&relations[way], q, hit, query_otherwise(q, way, v) == hit);
    // What is near stays near under a greater margin.
    bool more = query(q, PLAIN, &q->pose_a, &q->pose_b, q->margin * (1 + 0x1p-40) + 0x1p-60, false);
    note(&relations[GROW], q, hit, more || !hit);
    return hit;
}

static graze_transform draw_pose(gz_random *random, bool lattice) {
    double at[3], angles[3];
    graze_transform out = graze_transform_identity();
    for (int k = 0; k < 3; k++) {
        at[k] = gz_random_range(random, -1, 1);
        angles[k] = gz_random_range(random, -3.15, 3.15);
        if (lattice) out.m[4 * k + 3] = rint(32 * at[k]) / 32;
    }
    if (!lattice) return graze_transform_from_xyz_rpy(at, angles);
    for (uint32_t i = gz_random_below(random, 4); i > 0; i--)
        out = turn(&out, (int)gz_random_below(random, 3));
    return out;
}

/// A pair, moved together along a line until the verdict is about to change; the last steps are
/// asked about in all ways.
static uint64_t try_line(gz_random *random, const subject s[SUBJECTS], bool cap,
                         relation *relations) {
    bool lattice = gz_random_below(random, 3) == 0;
    question q = {.a = &s[gz_random_below(random, SUBJECTS)],
                  .b = &s[gz_random_below(random, SUBJECTS)],
                  .policy = cap ? GRAZE_POLICY_CAP : GRAZE_POLICY_SURFACE};
    q.pose_a = draw_pose(random, lattice);
    q.pose_b = draw_pose(random, lattice);
    if (!cap)
        q.margin = lattice ? (1 + gz_random_below(random, 64)) / 256.0
                           : pow(10, gz_random_range(random, -9, -0.3));
    double inside = gz_random_range(random, 0, 0.4), start[3], way[3],
           far = q.a->max_abs + q.b->max_abs;
    int axis = (int)gz_random_below(random, 3);
    for (int k = 0; k < 3; k++) {
        double off = inside * gz_random_range(random, -1, 1) * far;
        start[k] = q.pose_a.m[4 * k + 3] + (lattice ? rint(32 * off) / 32 : off);
        way[k] = lattice ? (k == axis) * 4 * far : gz_random_range(random, -4, 4) * far;
    }
    double low = 0, high = 1;
    uint64_t asked = 0;
    for (int step = -1; step < 56; step++) {
        double at = step < 0 ? 0 : 0.5 * (low + high);
        for (int k = 0; k < 3; k++) q.pose_b.m[4 * k + 3] = start[k] + at * way[k];
        bool all = step < 2 || step % 8 == 0 || step > 46;
        bool hit = all ? try_all(&q, relations)
                       : query(&q, PLAIN, &q.pose_a, &q.pose_b, q.margin, false);
        asked += all;
        if (step < 0 && !hit) return asked;
        if (step >= 0) *(hit ? &low : &high) = at;
    }
    return asked;
}

uint64_t metamorphic_rules(uint64_t poses, uint64_t seed) {
    relation relations[2][WAYS] = {{{.name = "margin: a and b swapped"},
                                    {.name = "margin: vertices and triangles permuted"},
                                    {.name = "margin: mirrored"},
                                    {.name = "margin: turned by a quarter about each axis"},
                                    {.name = "margin: scaled by 2 and 1/8, margin too"},
                                    {.name = "margin: avx2, sse2, scalar"},
                                    {.name = "margin: a greater one"}},
                                   {{.name = "caps: a and b swapped"},
                                    {.name = "caps: vertices and triangles permuted"},
                                    {.name = "caps: mirrored"},
                                    {.name = "caps: turned by a quarter about each axis"},
                                    {.name = "caps: scaled by 2 and 1/8"},
                                    {.name = "caps: avx2, sse2, scalar"},
                                    {.name = "caps: with a margin of 2^-60"}}};
    gz_random random = gz_random_make(seed, 2);
    subject s[SUBJECTS];
    choose_instructions("");
    make_subjects(s, &random);
    for (uint64_t done = 0; done < poses;) {
        done += try_line(&random, s, false, relations[0]);
        done += try_line(&random, s, true, relations[1]);
    }
    for (int i = 0; i < SUBJECTS; i++)
        for (int form = 0; form < FORM_COUNT; form++) gz_shape_clear(&s[i].form[form]);
    return relations_print(relations[0], WAYS) + relations_print(relations[1], WAYS);
}
