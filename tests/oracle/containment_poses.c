// Containment: overlap verdicts of two posed meshes under every policy, against rational surface
// tests and winding numbers of another kind.
//
//   containment_poses [--poses N] [--seed S]
//
// Poses are drawn anywhere, on a lattice (where things touch), with one part inside the other, and
// bisected to the last representable step between two answers. Some of them are asked about again
// with vertices and triangles in another order, mirrored, and turned by quarter turns, which must
// not change any answer. Prints what was done in each category; exits with 1 on any violation.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crossing_number.h"
#include "graze/graze.h"
#include "posed_mesh.h"
#include "solid_shapes.h"

enum { ANYWHERE, LATTICE, INSIDE, CONTACT, CATEGORIES };
enum { SURFACES, CONTAINED, APART, ANSWERS };
enum { SCALES = 3, FORMS = 3, POLICIES = 3 };

static const char *const category_names[CATEGORIES] = {"anywhere", "lattice", "inside", "contact"};
static const char *const policy_names[POLICIES] = {"solid", "surface", "cap"};
static const double scales[SCALES] = {1, 0.25, 0.0625};

/// One mesh with its oracle and its other forms.
typedef struct specimen {
    const char *name;
    double scale;
    bool lattice;
    crossing_mesh oracle;
    posed_mesh posed;
    graze_mesh *plain, *permuted, *mirrored;
} specimen;

typedef struct answer {
    bool overlap, contained;
    int64_t triangle_a, triangle_b;
} answer;

typedef struct campaign {
    specimen *items;
    size_t count;
    gz_random random;
    rational_clip *clip;
    uint64_t done[CATEGORIES], answers[CATEGORIES][POLICIES][ANSWERS], questions, relations;
    uint64_t windings, on_caps, exact, violations;
} campaign;

// ------------------------------------------------------------------------------------ specimens

static graze_mesh *build(const double *v, size_t nv, const uint32_t *t, size_t nt) {
    graze_mesh *mesh;
    graze_error error;
    if (graze_mesh_create(&mesh, v, nv, t, nt, &error)) give_up("mesh", error.message);
    return mesh;
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

static graze_mesh *build_permuted(gz_random *random, const maker *m) {
    uint32_t *place = allocate(m->nv, sizeof *place), *from = allocate(m->nt, sizeof *from);
    double *v = allocate(3 * m->nv, sizeof *v);
    uint32_t *t = allocate(3 * m->nt, sizeof *t);
    shuffle(random, place, m->nv);
    shuffle(random, from, m->nt);
    for (size_t i = 0; i < m->nv; i++)
        memcpy(v + 3 * (size_t)place[i], m->v + 3 * i, 3 * sizeof *v);
    for (size_t i = 0; i < m->nt; i++) {
        uint32_t turn = gz_random_below(random, 3);
        for (uint32_t k = 0; k < 3; k++)
            t[3 * i + k] = place[m->t[3 * (size_t)from[i] + (k + turn) % 3]];
    }
    graze_mesh *mesh = build(v, m->nv, t, m->nt);
    free(place);
    free(from);
    free(v);
    free(t);
    return mesh;
}

/// x to -x; triangles keep their order of corners, so that every winding number changes its sign.
static graze_mesh *build_mirrored(const maker *m) {
    double *v = allocate(3 * m->nv, sizeof *v);
    for (size_t i = 0; i < 3 * m->nv; i++) v[i] = i % 3 ? m->v[i] : -m->v[i];
    graze_mesh *mesh = build(v, m->nv, m->t, m->nt);
    free(v);
    return mesh;
}

static void make_specimen(campaign *c, specimen *s, const solid_shape *shape, double scale) {
    maker m = {.nv = shape->mesh.nv, .nt = shape->mesh.nt};
    m.v = allocate(3 * m.nv, sizeof *m.v);
    m.t = shape->mesh.t;
    for (size_t i = 0; i < 3 * m.nv; i++) m.v[i] = scale * shape->mesh.v[i];
    *s = (specimen){.name = shape->name, .scale = scale, .lattice = shape->lattice};
    crossing_mesh_init(&s->oracle, m.v, m.nv, m.t, m.nt);
    posed_mesh_init(&s->posed, s->oracle.vertices, s->oracle.vertex_count, s->oracle.triangles,
                    s->oracle.triangle_count);
    s->plain = build(m.v, m.nv, m.t, m.nt);
    s->permuted = build_permuted(&c->random, &m);
    s->mirrored = build_mirrored(&m);
    free(m.v);
}

static void make_specimens(campaign *c) {
    size_t count;
    solid_shape *shapes = solid_shapes_make(&count);
    c->items = allocate(SCALES * count, sizeof *c->items);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < SCALES; k++)
            make_specimen(c, &c->items[c->count++], &shapes[i], scales[k]);
    printf("%zu shapes, each in %d sizes\n", count, SCALES);
    solid_shapes_free(shapes, count);
}

static void clear_specimens(campaign *c) {
    for (size_t i = 0; i < c->count; i++) {
        specimen *s = &c->items[i];
        posed_mesh_clear(&s->posed);
        crossing_mesh_clear(&s->oracle);
        graze_mesh_free(s->plain);
        graze_mesh_free(s->permuted);
        graze_mesh_free(s->mirrored);
    }
    free(c->items);
}

// --------------------------------------------------------------------------------------- oracle

static void complain(campaign *c, const specimen *a, const graze_transform *pa, const specimen *b,
                     const graze_transform *pb, int policy, const char *what) {
    if (++c->violations > 20) return;
    printf("VIOLATION: %s: %s x %g, %s x %g, %s; poses", what, a->name, a->scale, b->name, b->scale,
           policy_names[policy]);
    for (int i = 0; i < 24; i++) printf(" %a", i < 12 ? pa->m[i] : pb->m[i - 12]);
    printf("\n");
}

/// The lowest component of `inner` that lies inside, or -1. A component that no surface meets has
/// the same winding number everywhere, which is checked, too; with caps any vertex off them tells.
static int64_t find_contained(campaign *c, const specimen *whole, const specimen *inner, bool cap,
                              bool *constant) {
    const crossing_mesh *p = &inner->oracle;
    int64_t found = -1;
    int *number = allocate(p->component_count, sizeof *number);
    bool *seen = allocate(p->component_count, sizeof *seen);
    *constant = true;
    for (size_t v = 0; v < p->vertex_count; v++) {
        uint32_t component = p->of_vertex[v];
        const double *point = p->snapped + 3 * v;
        if (component == UINT32_MAX) continue;
        if (cap && found >= 0 && component >= found) continue;
        if (cap && crossing_mesh_cap_touches(&whole->oracle, point, c->clip)) {
            c->on_caps++;
            continue;
        }
        int winding = crossing_number(&whole->oracle, point, cap, &c->random, &c->exact);
        c->windings++;
        if (seen[component] && !cap) *constant &= number[component] == winding;
        seen[component] = true;
        number[component] = winding;
        if (winding == 0 || (found >= 0 && component >= found)) continue;
        found = component;
    }
    free(number);
    free(seen);
    return found;
}

static answer expect(campaign *c, const specimen *a, const graze_transform *pa, const specimen *b,
                     const graze_transform *pb, int policy, const int64_t pair[2]) {
    if (pair[0] >= 0) return (answer){true, false, pair[0], pair[1]};
    answer out = {false, false, -1, -1};
    if (policy == GRAZE_POLICY_SURFACE) return out;
    bool constant;
    int64_t found = find_contained(c, a, b, policy == GRAZE_POLICY_CAP, &constant);
    if (!constant) complain(c, a, pa, b, pb, policy, "winding numbers differ");
    if (found >= 0) return (answer){true, true, -1, b->oracle.first[found]};
    found = find_contained(c, b, a, policy == GRAZE_POLICY_CAP, &constant);
    if (!constant) complain(c, a, pa, b, pb, policy, "winding numbers differ");
    if (found >= 0) return (answer){true, true, a->oracle.first[found], -1};
    return out;
}

static graze_mesh_overlap query(const graze_mesh *a, const graze_transform *pa, const graze_mesh *b,
                                const graze_transform *pb, int policy) {
    graze_mesh_overlap out;
    graze_error error;
    if (graze_meshes_overlap(a, pa, b, pb, (graze_policy)policy, &out, &error))
        give_up("overlap", error.message);
    return out;
}

// ------------------------------------------------------------------------------------- relations

static graze_transform mirror(const graze_transform *t) {
    graze_transform out = *t;
    out.m[1] = -out.m[1];
    out.m[2] = -out.m[2];
    out.m[3] = -out.m[3];
    out.m[4] = -out.m[4];
    out.m[8] = -out.m[8];
    return out;
}

/// A quarter turn of the world about an axis: rows change places, exactly.
static graze_transform quarter_turn(const graze_transform *t, int axis) {
    graze_transform out = *t;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 4; k++) {
        out.m[4 * u + k] = -t->m[4 * v + k];
        out.m[4 * v + k] = t->m[4 * u + k];
    }
    return out;
}

static void check_relations(campaign *c, const specimen *a, const graze_transform *pa,
                            const specimen *b, const graze_transform *pb, int policy,
                            const graze_mesh_overlap *told) {
    int axis = (int)gz_random_below(&c->random, 3);
    graze_transform ma = mirror(pa), mb = mirror(pb), ta = quarter_turn(pa, axis),
                    tb = quarter_turn(pb, axis);
    const graze_mesh_overlap again[] = {
        query(a->permuted, pa, b->permuted, pb, policy),
        query(a->mirrored, &ma, b->mirrored, &mb, policy),
        query(a->plain, &ta, b->plain, &tb, policy),
        query(b->plain, pb, a->plain, pa, policy),
    };
    static const char *const names[] = {"permuted", "mirrored", "turned", "swapped"};
    for (size_t i = 0; i < sizeof again / sizeof *again; i++) {
        c->relations++;
        if (again[i].overlap != told->overlap || again[i].contained != told->contained)
            complain(c, a, pa, b, pb, policy, names[i]);
    }
}

// ----------------------------------------------------------------------------------------- poses

static bool same(const graze_mesh_overlap *told, const answer *want) {
    return told->overlap == want->overlap && told->contained == want->contained &&
           told->triangle_a == want->triangle_a && told->triangle_b == want->triangle_b;
}

static void check_pose(campaign *c, specimen *a, const graze_transform *pa, specimen *b,
                       const graze_transform *pb, int category) {
    posed_mesh_place(&a->posed, pa);
    posed_mesh_place(&b->posed, pb);
    crossing_mesh_place(&a->oracle, pa);
    crossing_mesh_place(&b->oracle, pb);
    int64_t pair[2];
    posed_meshes_overlap(c->clip, &a->posed, &b->posed, pair);
    bool relations = c->done[category]++ % 4 == 0;
    for (int policy = 0; policy < POLICIES; policy++) {
        answer want = expect(c, a, pa, b, pb, policy, pair);
        graze_mesh_overlap told = query(a->plain, pa, b->plain, pb, policy);
        c->questions++;
        if (!same(&told, &want)) complain(c, a, pa, b, pb, policy, "verdict");
        int which = !want.overlap ? APART : want.contained ? CONTAINED : SURFACES;
        c->answers[category][policy][which]++;
        if (relations) check_relations(c, a, pa, b, pb, policy, &told);
    }
}

static graze_transform lattice_pose(gz_random *random, double step, int range) {
    graze_transform t = graze_transform_identity();
    for (uint32_t turns = gz_random_below(random, 6); turns > 0; turns--)
        t = quarter_turn(&t, (int)gz_random_below(random, 3));
    for (int k = 0; k < 3; k++)
        t.m[4 * k + 3] = step * ((int)gz_random_below(random, (uint32_t)(2 * range + 1)) - range);
    return t;
}

/// A pose that brings some vertex of b to a point near a's middle, or to a place in its caps.
static graze_transform inner_pose(campaign *c, const specimen *a, const graze_transform *pa,
                                  const specimen *b) {
    graze_transform pose = maker_pose(&c->random, 0);
    double spread = gz_random_below(&c->random, 2) ? 0.5 : 0.95;
    graze_vec3 x = {a->scale * gz_random_range(&c->random, -spread, spread),
                    a->scale * gz_random_range(&c->random, -spread, spread),
                    a->scale * gz_random_range(&c->random, -spread, spread)};
    if (a->oracle.apex_count && gz_random_below(&c->random, 2)) {
        uint32_t which = gz_random_below(&c->random, (uint32_t)a->oracle.apex_count);
        const double *p = a->oracle.vertices + 3 * (a->oracle.vertex_count + which);
        double off = b->scale * gz_random_range(&c->random, 0, 1.2);
        x = (graze_vec3){p[0] + off * gz_random_range(&c->random, -1, 1),
                         p[1] + off * gz_random_range(&c->random, -1, 1),
                         p[2] + off * gz_random_range(&c->random, -1, 1)};
    }
    graze_vec3 w = graze_transform_point(pa, x);
    pose.m[3] = w.x, pose.m[7] = w.y, pose.m[11] = w.z;
    return pose;
}

/// Moves b along a line until two neighbouring doubles differ in the answer; both are checked.
static void check_contact(campaign *c, specimen *a, const graze_transform *pa, specimen *b,
                          graze_transform pb) {
    int axis = 4 * (int)gz_random_below(&c->random, 3) + 3,
        policy = (int)gz_random_below(&c->random, POLICIES);
    double low = pb.m[axis], high = low + gz_random_range(&c->random, 0.5, 2.5);
    graze_mesh_overlap first = query(a->plain, pa, b->plain, &pb, policy), last;
    pb.m[axis] = high;
    last = query(a->plain, pa, b->plain, &pb, policy);
    if (first.overlap == last.overlap && first.contained == last.contained) return;
    for (;;) {
        double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high) break;
        pb.m[axis] = middle;
        graze_mesh_overlap now = query(a->plain, pa, b->plain, &pb, policy);
        bool like_first = now.overlap == first.overlap && now.contained == first.contained;
        *(like_first ? &low : &high) = middle;
    }
    pb.m[axis] = low;
    check_pose(c, a, pa, b, &pb, CONTACT);
    pb.m[axis] = high;
    check_pose(c, a, pa, b, &pb, CONTACT);
}

/// Another specimen than `not`: each has one place.
static specimen *draw(campaign *c, const specimen * not, bool lattice, double at_most) {
    for (;;) {
        specimen *s = &c->items[gz_random_below(&c->random, (uint32_t)c->count)];
        if (s != not &&(s->lattice || !lattice) && s->scale <= at_most) return s;
    }
}

static void check_some(campaign *c) {
    uint32_t way = gz_random_below(&c->random, 10);
    bool lattice = way < 3;
    specimen *a = draw(c, NULL, lattice, 1), *b = draw(c, a, lattice, 1);
    graze_transform pa = maker_pose(&c->random, gz_random_below(&c->random, 4) ? 0.5 : 50), pb;
    if (lattice) {
        pa = lattice_pose(&c->random, 0.0625, 8);
        pb = lattice_pose(&c->random, 0.0625, 16);
        if (a->oracle.apex_count && way < 2) {
            // Next to a cap, where vertices lie on it.
            b = draw(c, a, true, a->scale / 4 + 0.05);
            pb = lattice_pose(&c->random, b->scale / 4, 6);
            const double *p = a->oracle.vertices + 3 * a->oracle.vertex_count;
            graze_vec3 x = graze_transform_point(&pa, (graze_vec3){p[0], p[1], p[2]});
            pb.m[3] += x.x, pb.m[7] += x.y, pb.m[11] += x.z;
        }
        check_pose(c, a, &pa, b, &pb, LATTICE);
        return;
    }
    if (way < 7) b = draw(c, a, false, way < 6 ? a->scale / 4 + 0.05 : 1);
    pb = inner_pose(c, a, &pa, b);
    if (way < 7) {
        check_pose(c, a, &pa, b, &pb, INSIDE);
    } else if (way < 8) {
        for (int k = 3; k < 12; k += 4) pb.m[k] += gz_random_range(&c->random, -1.5, 1.5);
        check_pose(c, a, &pa, b, &pb, ANYWHERE);
    } else {
        check_contact(c, a, &pa, b, pb);
    }
}

// ------------------------------------------------------------------------------------------ main

static void print_results(const campaign *c) {
    for (int i = 0; i < CATEGORIES; i++) {
        printf("%-9s %8llu poses;", category_names[i], (unsigned long long)c->done[i]);
        for (int k = 0; k < POLICIES; k++)
            printf(" %s: %llu meet, %llu contained, %llu apart%s", policy_names[k],
                   (unsigned long long)c->answers[i][k][SURFACES],
                   (unsigned long long)c->answers[i][k][CONTAINED],
                   (unsigned long long)c->answers[i][k][APART], k < POLICIES - 1 ? ";" : "\n");
    }
    printf("%llu verdicts, %llu asked in other ways; %llu winding numbers, %llu vertices on "
           "caps, %llu signs by big integers; %llu violations\n",
           (unsigned long long)c->questions, (unsigned long long)c->relations,
           (unsigned long long)c->windings, (unsigned long long)c->on_caps,
           (unsigned long long)c->exact, (unsigned long long)c->violations);
}

static uint64_t parse(const char *text, const char *what) {
    char *end;
    unsigned long long n = strtoull(text, &end, 10);
    if (*end || end == text) give_up(what, "not a number");
    return n;
}

int main(int argc, char **argv) {
    uint64_t poses = 10000, seed = 1, sum = 0;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--poses"))
            poses = parse(argv[i + 1], "--poses");
        else if (i + 1 < argc && !strcmp(argv[i], "--seed"))
            seed = parse(argv[i + 1], "--seed");
        else
            give_up("usage", "containment_poses [--poses N] [--seed S]");
    }
    campaign c = {.random = gz_random_make(seed, 0), .clip = rational_clip_create()};
    make_specimens(&c);
    while (sum < poses) {
        check_some(&c);
        sum = 0;
        for (int i = 0; i < CATEGORIES; i++) sum += c.done[i];
    }
    print_results(&c);
    rational_clip_free(c.clip);
    clear_specimens(&c);
    return c.violations > 0;
}
