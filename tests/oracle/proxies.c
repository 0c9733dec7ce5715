// Mesh proxies: what the little that is kept of a mesh says for certain is proved again, by methods
// and arithmetic of other kinds: planes by exact dot products over all vertices, hits by triangles
// that meet or winding numbers, maps on points of their cells, and what the filter over eight
// configurations leaves out, in worlds and under margins.
//
// usage: proxies [--poses N] [--seed N] [--without objects|dust|shell|poles]
//
// N: poses of two meshes; --without: leaves a world out

#include "proxies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinematics_robot.h"
#include "narrow/kernel.h"
#include "sample_mesh.h"

void proxy_claim(proxy_campaign *c, int kind, bool claimed, bool good) {
    claim_tally *t = &c->tallies[kind];
    t->tested++;
    t->claimed += claimed;
    t->wrong += claimed && !good;
    if (claimed && !good && t->wrong <= 3) printf("VIOLATION: %s: %s\n", t->name, c->where);
}

proof_body *proxy_home(proxy_subject *s) {
    if (!s->is_home) {
        graze_transform identity = graze_transform_identity();
        proof_body_init(&s->home, s->mesh->vertices, s->mesh->vertex_count, s->mesh->triangles,
                        s->mesh->triangle_count);
        proof_body_place(&s->home, &identity);
        s->is_home = true;
    }
    return &s->home;
}

// ------------------------------------------------------------------------------------ subjects

static void add_subject(proxy_campaign *c, const graze_mesh *mesh) {
    if (!mesh || !mesh->proxy || c->subject_count == PROXY_SUBJECTS) return;
    proxy_subject *s = &c->subjects[c->subject_count++];
    *s = (proxy_subject){.mesh = mesh};
    for (int k = 0; k < 2; k++)
        proof_body_init(&s->body[k], mesh->vertices, mesh->vertex_count, mesh->triangles,
                        mesh->triangle_count);
    if (!mesh->proxy->clearance.cell_count) {
        s->component = gz_component_proxy_make(mesh);
        s->is_box = gz_mesh_is_box(mesh);
    }
    proxy_points(c, s);
}

/// Adds a part, moved and turned inside out or not, and frees it.
static void append(sample_mesh *into, sample_mesh component, double scale, const double at[3],
                   bool flip) {
    size_t nv = into->vertex_count + component.vertex_count,
           nt = into->triangle_count + component.triangle_count;
    sample_mesh sum = {.vertex_count = nv,
                       .triangle_count = nt,
                       .vertices = allocate(3 * nv, sizeof(double)),
                       .triangles = allocate(3 * nt, sizeof(uint32_t))};
    memcpy(sum.vertices, into->vertices, 3 * into->vertex_count * sizeof(double));
    memcpy(sum.triangles, into->triangles, 3 * into->triangle_count * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * component.vertex_count; i++)
        sum.vertices[3 * into->vertex_count + i] = scale * component.vertices[i] + at[i % 3];
    for (size_t i = 0; i < 3 * component.triangle_count; i++) {
        size_t corner = flip && i % 3 ? i + (i % 3 == 1 ? 1 : (size_t)-1) : i;
        sum.triangles[3 * into->triangle_count + i] = component.triangles[corner] +
                                                      (uint32_t)into->vertex_count;
    }
    sample_mesh_clear(into);
    sample_mesh_clear(&component);
    *into = sum;
}

static void add_made(proxy_campaign *c, sample_mesh made, int exponent) {
    for (size_t i = 0; i < 3 * made.vertex_count; i++)
        made.vertices[i] = ldexp(made.vertices[i], exponent);
    graze_mesh *mesh;
    if (c->made_count == sizeof c->made / sizeof *c->made ||
        graze_mesh_create(&mesh, made.vertices, made.vertex_count, made.triangles,
                          made.triangle_count, NULL))
        give_up("proxies", "a made mesh is none");
    c->made[c->made_count++] = mesh;
    add_subject(c, mesh);
    sample_mesh_clear(&made);
}

/// Shells in shells, inside out or not, and one beside: most triangles in another than the largest.
static sample_mesh make_nested(bool flip) {
    static const double at[4][3] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.1, 0.1}, {4, 1, 0}};
    sample_mesh out = {0};
    append(&out, sample_icosphere(1, 2), 1, at[0], false);
    append(&out, sample_icosphere(1, 3), 0.6, at[1], flip);
    append(&out, sample_icosphere(1, 2), 0.2, at[2], false);
    append(&out, sample_icosphere(1, 1), 0.8, at[3], flip);
    return out;
}

/// A closed part in an open one.
static sample_mesh make_open(void) {
    static const double at[2][3] = {{0, 0, 0}, {0.1, 0.3, 0}};
    sample_mesh out = {0}, half = sample_icosphere(1, 3);
    half.triangle_count /= 2;
    append(&out, half, 1, at[0], false);
    append(&out, sample_icosphere(1, 2), 0.3, at[1], false);
    return out;
}

/// Many closed parts: more triangles than a clearance map begins at.
static sample_mesh make_scene(gz_random *random) {
    sample_mesh out = {0};
    for (int i = 0; i < 24; i++) {
        double at[3], low[3] = {-0.2, -0.1, -0.3}, high[3] = {0.2, 0.3, 0.1};
        for (int k = 0; k < 3; k++) at[k] = gz_random_range(random, -1, 1);
        bool ball = i % 3 != 0;
        append(&out, ball ? sample_icosphere(1, 3) : sample_box(low, high, 5),
               gz_random_range(random, 0.03, 0.25), at, false);
    }
    return out;
}

/// A box with walls around everything, hollow, with poles in it: few triangles, and a map.
static sample_mesh make_cavity(void) {
    static const double origin[3] = {0, 0, 0};
    double half = 8, low[3] = {-0.03, -0.03, -1.5}, high[3] = {0.03, 0.03, 1.5};
    sample_mesh out = {0};
    for (int outer = 0; outer < 2; outer++, half++)
        append(&out, sample_box((double[3]){-half, -half, -half}, (double[3]){half, half, half}, 1),
               1, origin, !outer);
    for (int i = 0; i < 4; i++) {
        double at[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0.3 * i};
        append(&out, sample_box(low, high, 1), 1, at, false);
    }
    return out;
}

/// What reaches through openings, and what is thinner than floats place it.
static void make_specials(proxy_campaign *c) {
    double low[3] = {-0.5, -0.4, -0.6}, high[3] = {0.5, 0.5, 0.5};
    c->cups.first = c->subject_count;
    for (int e = -10; e <= 0; e += 10) {
        add_made(c, sample_cut(sample_icosphere(1, 3), 0.3), e);
        add_made(c, sample_cut(sample_box(low, high, 4), 0.5), e);
        for (int k = 2; k > 0; k--) {
            proxy_subject *cup = &c->subjects[c->subject_count - (size_t)k];
            cup->width = ldexp(k == 2 ? 0.8 : 0.4, e);
            cup->opening = ldexp(k == 2 ? 0.3 : 0.5, e);
        }
    }
    c->cups.end = c->rods.first = c->subject_count;
    for (int e = -10; e <= 0; e += 10)
        for (double length = 0.1; length < 10; length *= 4)
            add_made(
                c,
                sample_box((double[3]){-0.02, -0.02, -length}, (double[3]){0.02, 0.02, length}, 2),
                e);
    add_made(c, make_cavity(), 0);
    c->rods.end = c->sheets.first = c->subject_count;
    for (double half = 5e-10; half < 1e-3; half *= 10)
        add_made(c, sample_box((double[3]){-0.5, -0.4, -half}, (double[3]){0.5, 0.4, half}, 2), 0);
    c->sheets.end = c->subject_count;
}

static void make_subjects(proxy_campaign *c) {
    for (int e = -20; e <= 10; e += 10) {
        double low[3] = {-0.5, -0.25, -1}, high[3] = {0.5, 0.5, 0.1};
        add_made(c, sample_icosphere(1, 3), e);
        add_made(c, sample_box(low, high, 3), e);
        add_made(c, sample_needles(&c->random, 200), e);
        add_made(c, sample_lattice(&c->random, 200), e);
        add_made(c, make_nested(false), e);
        add_made(c, make_nested(true), e);
        add_made(c, make_open(), e);
    }
    add_made(c, make_scene(&c->random), 0);
    add_made(c, sample_icosphere(1, 5), 2);
    make_specials(c);
}

static void prepare(proxy_campaign *c, uint64_t seed) {
    static const char *const wanted[] = {"heron", "six_axis", "fetch", "panda", "ur5"};
    static const claim_tally names[CLAIMS] = {
        [POINTS] = {.name = "points, span and enclosure of a proxy"},
        [SPHERES] = {.name = "triangles in the cover"},
        [INSIDE_CLEAR] = {.name = "inner cells, free of triangles"},
        [INSIDE_WINDS] = {.name = "inner cells, wound around"},
        [CLEARANCES] = {.name = "clearance of cells"},
        [PAIRS_APART] = {.name = "two meshes: surely apart"},
        [PAIRS_OVERLAP] = {.name = "two meshes: surely meeting"},
        [PAIRS_ALIKE] = {.name = "two meshes: instruction sets agree"},
        [CAPS_APART] = {.name = "two meshes, capped: surely apart"},
        [SHEETS_OVERLAP] = {.name = "a mesh and a thin sheet: surely meeting"},
        [LANES_LEFT_OUT] = {.name = "lanes: pairs of links left out"},
        [LANES_APART] = {.name = "lanes: proxies surely apart"},
        [LANES_OVERLAP] = {.name = "lanes: proxies surely meeting"},
        [LANES_FREE] = {.name = "lanes: links free of an object"},
        [LANES_ALIKE] = {.name = "lanes: instruction sets agree"},
        [BOXES_APART] = {.name = "boxes of link and object apart"},
        [WORLD_TREE] = {.name = "entries that the world's tree omits"},
    };
    memcpy(c->tallies, names, sizeof names);
    c->random = gz_random_make(seed, 78);
    posed_proof_init(&c->proof, seed);
    c->kernels[c->form_count] = &gz_kernels_base;
    c->filters[c->form_count++] = gz_filter_kernels_base.batch;
#ifdef GRAZE_HAVE_AVX2
    if (__builtin_cpu_supports("avx2")) {
        c->kernels[c->form_count] = &gz_kernels_avx2;
        c->filters[c->form_count++] = gz_filter_kernels_avx2.batch;
    }
#endif
    for (size_t i = 0; i < kinematics_robot_count(); i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (!strcmp(kinematics_robot_name(i), wanted[k]))
                c->robots[c->robot_count++] = kinematics_robot_load(i);
    for (int cups = 1; cups >= 0; cups--) c->robots[c->robot_count++] = proxy_robot_create(cups);
    for (size_t i = 0; i < c->robot_count; i++)
        for (size_t k = 0; k < c->robots[i]->collision_count; k++)
            add_subject(c, c->robots[i]->collisions[k].shape.mesh);
    make_subjects(c);
    proxy_worlds_create(c);
    if (c->robot_count == 0) exit(3);
}

static void clear(proxy_campaign *c) {
    for (size_t i = 0; i < c->subject_count; i++) {
        for (int k = 0; k < 2; k++) proof_body_clear(&c->subjects[i].body[k]);
        if (c->subjects[i].is_home) proof_body_clear(&c->subjects[i].home);
    }
    for (size_t i = 0; i < PROXY_WORLDS; i++) graze_world_free(c->worlds[i]);
    for (size_t i = 0; i < c->made_count; i++) graze_mesh_free(c->made[i]);
    for (size_t i = 0; i < c->robot_count; i++) graze_robot_free(c->robots[i]);
    posed_proof_clear(&c->proof);
}

// -------------------------------------------------------------------------------------- the run

/// Violations, and one for each kind of claim that was never made: that would prove nothing.
static unsigned long report(const proxy_campaign *c) {
    unsigned long wrong = 0, vain = 0;
    printf("%-40s %10s %10s %6s\n", "claim", "tested", "claimed", "wrong");
    for (int k = 0; k < CLAIMS; k++) {
        const claim_tally *t = &c->tallies[k];
        bool none = t->claimed == 0;
        printf("%-40s %10lu %10lu %6lu%s\n", t->name, t->tested, t->claimed, t->wrong,
               none ? "  never claimed" : "");
        wrong += t->wrong;
        vain += none;
    }
    const posed_proof *p = &c->proof;
    printf("apart: %lu by boxes, %lu by planes, %lu triangle by triangle; colliding: %lu by "
           "triangles, %lu by windings\n",
           p->by_boxes, p->by_planes, p->by_triangles, p->by_meeting, p->by_containment);
    printf("planes: %lu by doubles with a bound, %lu by rationals; %llu signs by integers\n",
           p->separation.by_doubles, p->separation.by_rationals, (unsigned long long)p->exact);
    printf("%lu violations\n", wrong + vain);
    return wrong + vain;
}

int main(int count, char **words) {
    static proxy_campaign c;
    unsigned long poses = 5000, seed = 1;
    for (int i = 1; i < count; i += 2) {
        if (i + 1 < count && !strcmp(words[i], "--without")) {
            c.without = words[i + 1];
            continue;
        }
        char *end = NULL;
        unsigned long number = i + 1 < count ? strtoul(words[i + 1], &end, 10) : 0;
        bool known = !strcmp(words[i], "--poses") || !strcmp(words[i], "--seed");
        if (!known || !number || *end) {
            fprintf(stderr,
                    "usage: proxies [--poses N] [--seed N] [--without WORLD], numbers above "
                    "0; worlds: objects, dust, shell, poles\n");
            return 2;
        }
        *(!strcmp(words[i], "--poses") ? &poses : &seed) = number;
    }
    prepare(&c, seed);
    printf("%zu meshes with proxies, %d instruction sets, %lu poses, seed %lu\n", c.subject_count,
           c.form_count, poses, seed);
    for (unsigned long i = 0; i < poses; i++) {
        proxy_pairs(&c);
        if (i % 4 == 0)
            proxy_cells(&c, &c.subjects[gz_random_below(&c.random, (uint32_t)c.subject_count)]);
        if (i % 200 == 0) proxy_lanes(&c);
    }
    unsigned long wrong = report(&c);
    clear(&c);
    return wrong ? 1 : 0;
}
