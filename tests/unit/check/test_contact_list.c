// All contacts of a configuration against loops over all pairs of triangles, in their order;
// limits; normals; what lies inside, what no joint moves, clouds of points; and depths, by moving
// objects.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/robot/robot_text_maker.h"
#include "unit/trials.h"

typedef struct scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
} scene;

static void open_scene(scene *s, double margin) {
    graze_error e;
    graze_checker_options o = graze_checker_options_default();
    if (margin > 0) o.margin = margin;
    assert_int_equal(graze_world_commit(s->world, NULL), GRAZE_OK);
    if (graze_checker_create(&s->checker, s->robot, s->world, &o, &e)) fail_msg("%s", e.message);
    assert_int_equal(graze_workspace_create(&s->ws, s->checker, NULL), GRAZE_OK);
}

static void close_scene(scene *s) {
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static graze_world *new_world(void) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "world", NULL), GRAZE_OK);
    return w;
}

static void add_mesh(graze_world *w, const char *name, maker *m, const graze_transform *pose) {
    assert_int_equal(graze_world_add_mesh(w, name, m->v, m->nv, m->t, m->nt, pose, NULL), GRAZE_OK);
    maker_free(m);
}

/// A link of two boxes on a floating joint, and one of a box and a sphere on a revolute one.
static graze_robot *make_robot(void) {
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='base'/>"
                 "<link name='free'><collision><geometry><box size='0.8 0.3 0.5'/></geometry>"
                 "</collision><collision><origin xyz='0.3 0.1 0.2' rpy='1 2 3'/><geometry>"
                 "<box size='0.2 0.9 0.2'/></geometry></collision></link>");
    text_add(&t,
             "<link name='turned'><collision><origin xyz='0.2 0 0'/><geometry>"
             "<box size='0.9 0.2 0.3'/></geometry></collision><collision>"
             "<origin xyz='0.6 0 0.1'/><geometry><sphere radius='0.25'/></geometry></collision>"
             "</link>"
             "<joint name='fly' type='floating'><parent link='base'/><child link='free'/></joint>"
             "<joint name='turn' type='continuous'><parent link='base'/><child link='turned'/>"
             "<axis xyz='0 0 1'/></joint></robot>");
    return text_load(&t);
}

/// The same with a mesh on the floating link.
static graze_robot *make_mesh_robot(gz_random *r) {
    graze_robot *robot = make_robot(), *out;
    graze_world *w = new_world();
    maker m = {0};
    maker_torus(&m, 0.4, 0.1, 12, 7);
    if (gz_random_below(r, 2)) maker_needles(&m, r, 12);
    add_mesh(w, "ring", &m, NULL);
    graze_geometry g;
    assert_int_equal(graze_world_object(w, 0, &g), GRAZE_OK);
    graze_attachment a = {.struct_size = sizeof a,
                          .name = "ring",
                          .link = "free",
                          .pose = maker_pose(r, 0.3),
                          .geometry = &g};
    assert_int_equal(graze_robot_attach(&out, robot, &a, NULL), GRAZE_OK);
    graze_world_free(w);
    graze_robot_free(robot);
    return out;
}

static graze_world *make_world(gz_random *r) {
    static const double origin[3] = {0, 0, 0};
    const double size[3] = {0.7, 0.4, 0.9};
    graze_world *w = new_world();
    graze_transform pose = maker_pose(r, 0.5);
    maker m = {0};
    maker_sphere(&m, origin, 0.5, 9, 12);
    add_mesh(w, "ball", &m, &pose);
    pose = maker_pose(r, 0.5);
    assert_int_equal(graze_world_add_box(w, "box", size, &pose, NULL), GRAZE_OK);
    maker_soup(&m, r, 60, 0.3);
    pose = maker_pose(r, 0.2);
    add_mesh(w, "soup", &m, &pose);
    pose = maker_pose(r, 0.5);
    assert_int_equal(graze_world_add_sphere(w, "round", 0.3, &pose, NULL), GRAZE_OK);
    return w;
}

static void draw_q(gz_random *r, double q[8]) {
    double norm = 0;
    for (int k = 0; k < 3; k++) q[k] = gz_random_range(r, -0.7, 0.7);
    for (int k = 3; k < 7; k++) {
        q[k] = gz_random_range(r, -1, 1);
        norm += q[k] * q[k];
    }
    for (int k = 3; k < 7; k++) q[k] /= sqrt(norm);
    q[7] = gz_random_range(r, -3, 3);
}

// ---------------------------------------------------------------------------------- brute force

typedef struct expected {
    graze_triangle_pair *items;
    size_t count, capacity;
} expected;

/// Snapped points, by the public function for that.
static double *snap(const graze_geometry *g, const graze_transform *pose) {
    double *out = malloc(graze_geometry_point_count(g) * 3 * sizeof *out);
    assert_non_null(out);
    graze_geometry_snap(g, pose, out);
    return out;
}

static void corners(const graze_geometry *g, const double *points, size_t t, double out[9]) {
    for (size_t c = 0; c < 3; c++)
        memcpy(out + 3 * c, points + 3 * (size_t)g->triangles[3 * t + c], 3 * sizeof *out);
}

static void expect_pair(expected *e, const graze_geometry *a, const graze_transform *pa,
                        const graze_geometry *b, const graze_transform *pb, bool world) {
    if (!a->triangle_count || !b->triangle_count) return;
    double *points_a = snap(a, pa), *points_b = snap(b, pb), x[9], y[9];
    for (size_t i = 0; i < a->triangle_count; i++)
        for (size_t k = 0; k < b->triangle_count; k++) {
            corners(a, points_a, i, x);
            corners(b, points_b, k, y);
            if (!graze_triangles_overlap(x, y)) continue;
            if (e->count == e->capacity) {
                e->capacity = 2 * e->capacity + 64;
                e->items = realloc(e->items, e->capacity * sizeof *e->items);
                assert_non_null(e->items);
            }
            e->items[e->count++] = (graze_triangle_pair){.kind = world ? GRAZE_CONTACT_WORLD
                                                                       : GRAZE_CONTACT_SELF,
                                                         .link = a->owner,
                                                         .element = a->element,
                                                         .other = b->owner,
                                                         .other_element = b->element,
                                                         .triangle = (int64_t)i,
                                                         .other_triangle = (int64_t)k};
        }
    free(points_a);
    free(points_b);
}

typedef struct search {
    const scene *s;
    const graze_transform *links;
    expected *e;
} search;

static bool expect_checked(const graze_checked_pair *pair, void *user) {
    const search *f = user;
    if (pair->hidden) return true;
    for (size_t i = 0; i < graze_robot_collision_count(f->s->robot); i++) {
        graze_geometry a, b;
        assert_int_equal(graze_robot_collision(f->s->robot, i, &a), GRAZE_OK);
        if (a.owner != pair->link) continue;
        if (pair->is_world) {
            assert_int_equal(graze_world_object(f->s->world, (size_t)pair->other, &b), GRAZE_OK);
            expect_pair(f->e, &a, &f->links[a.frame], &b, &b.origin, true);
            continue;
        }
        for (size_t k = 0; k < graze_robot_collision_count(f->s->robot); k++) {
            assert_int_equal(graze_robot_collision(f->s->robot, k, &b), GRAZE_OK);
            if (b.owner == pair->other)
                expect_pair(f->e, &a, &f->links[a.frame], &b, &f->links[b.frame], false);
        }
    }
    return true;
}

static bool same_pair(const graze_triangle_pair *x, const graze_triangle_pair *y) {
    return x->kind == y->kind && x->link == y->link && x->element == y->element &&
           x->other == y->other && x->other_element == y->other_element &&
           x->triangle == y->triangle && x->other_triangle == y->other_triangle;
}

/// With its place, bit for bit.
static bool same_entry(const graze_triangle_pair *x, const graze_triangle_pair *y) {
    return same_pair(x, y) && x->overlap == y->overlap &&
           memcmp(x->segment, y->segment, sizeof x->segment) == 0 &&
           memcmp(x->normal, y->normal, sizeof x->normal) == 0;
}

/// The unit normal of a snapped triangle, or 0, in long double.
static void assert_normal(const graze_geometry *g, const graze_transform *pose, int64_t t,
                          graze_vec3 got) {
    double *points = snap(g, pose), c[9];
    corners(g, points, (size_t)t, c);
    long double e[3], f[3], n[3], norm = 0;
    for (int k = 0; k < 3; k++) {
        e[k] = (long double)c[3 + k] - (long double)c[k];
        f[k] = (long double)c[6 + k] - (long double)c[k];
    }
    for (int k = 0; k < 3; k++) {
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        norm += n[k] * n[k];
    }
    const double have[3] = {got.x, got.y, got.z};
    norm = sqrtl(norm);
    free(points);
    if (norm < 1e-10L) { // needles, whose normals round
        double square = have[0] * have[0] + have[1] * have[1] + have[2] * have[2];
        assert_true(square == 0 || fabs(square - 1) < 1e-14);
        if (norm == 0) assert_true(square == 0);
        return;
    }
    for (int k = 0; k < 3; k++) assert_true(fabsl((long double)have[k] - n[k] / norm) < 1e-5L);
}

static bool within(const graze_geometry *g, const graze_transform *pose, int64_t t, graze_vec3 p) {
    double *points = snap(g, pose), c[9];
    corners(g, points, (size_t)t, c);
    free(points);
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        double low = fmin(c[k], fmin(c[3 + k], c[6 + k])),
               high = fmax(c[k], fmax(c[3 + k], c[6 + k]));
        if (at[k] < low || at[k] > high) return false;
    }
    return true;
}

/// The geometry of an element, and where it is.
static const graze_transform *find_geometry(const scene *s, const graze_transform *links,
                                            int32_t link, int32_t element, graze_geometry *out) {
    for (size_t i = 0; i < graze_robot_collision_count(s->robot); i++) {
        assert_int_equal(graze_robot_collision(s->robot, i, out), GRAZE_OK);
        if (out->owner == link && out->element == element) return &links[out->frame];
    }
    fail();
    return NULL;
}

static void assert_places(const scene *s, const graze_transform *links,
                          const graze_triangle_pair *t) {
    graze_geometry g, h;
    const graze_transform *pg = find_geometry(s, links, t->link, t->element, &g), *ph;
    if (t->kind == GRAZE_CONTACT_WORLD) {
        assert_int_equal(graze_world_object(s->world, (size_t)t->other, &h), GRAZE_OK);
        ph = &h.origin;
    } else {
        ph = find_geometry(s, links, t->other, t->other_element, &h);
    }
    assert_true(t->overlap);
    assert_normal(&g, pg, t->triangle, t->normal[0]);
    assert_normal(&h, ph, t->other_triangle, t->normal[1]);
    for (int i = 0; i < 2; i++) {
        assert_true(within(&g, pg, t->triangle, t->segment[i]));
        assert_true(within(&h, ph, t->other_triangle, t->segment[i]));
    }
}

// --------------------------------------------------------------------------------------- listing

/// Counts, makes capacity, fills; asserts that both calls agree. Free both arrays.
static graze_contact_report list(const scene *s, const double *q, size_t q_count,
                                 const graze_contacts_options *options) {
    graze_contact_report r = {0}, counted;
    graze_error e;
    if (graze_check_contacts(s->checker, s->ws, q, q_count, NULL, options, &r, &e))
        fail_msg("%s", e.message);
    counted = r;
    assert_int_equal(r.triangles_written, 0);
    assert_int_equal(r.truncated, r.pair_count > 0);
    r.pair_capacity = r.pair_count;
    r.triangle_capacity = r.triangle_count;
    r.pairs = calloc(r.pair_count + 1, sizeof *r.pairs);
    r.triangles = calloc(r.triangle_count + 1, sizeof *r.triangles);
    assert_true(r.pairs && r.triangles);
    if (graze_check_contacts(s->checker, s->ws, q, q_count, NULL, options, &r, &e))
        fail_msg("%s", e.message);
    assert_int_equal(r.pair_count, counted.pair_count);
    assert_int_equal(r.triangle_count, counted.triangle_count);
    assert_int_equal(r.verdict, counted.verdict);
    return r;
}

static void free_list(graze_contact_report *r) {
    free(r->pairs);
    free(r->triangles);
}

/// The triangles of the list whose sides are both meshes or boxes, in place.
static size_t drop_curved(graze_triangle_pair *t, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (t[i].triangle >= 0 && t[i].other_triangle >= 0) t[n++] = t[i];
    return n;
}

static void assert_pairs_own_their_triangles(const graze_contact_report *r) {
    size_t next = 0;
    for (size_t i = 0; i < r->pair_count; i++) {
        const graze_contact_pair *p = &r->pairs[i];
        assert_int_equal(p->first, next);
        assert_int_equal(p->written, p->triangle_count);
        assert_int_equal(p->contained, p->triangle_count == 0);
        for (size_t k = p->first; k < p->first + p->written; k++) {
            const graze_triangle_pair *t = &r->triangles[k];
            assert_true(t->kind == p->kind && t->link == p->link && t->element == p->element &&
                        t->other == p->other && t->other_element == p->other_element);
        }
        next += p->written;
        assert_in_range(p->point_count, 1, GRAZE_MANIFOLD_POINTS);
    }
    assert_int_equal(next, r->triangles_written);
}

/// Limits keep the first ones.
static void assert_limits(const scene *s, const double *q, const graze_contact_report *all,
                          gz_random *r) {
    graze_contacts_options o = graze_contacts_options_default();
    o.triangle_limit = 1 + gz_random_below(r, 5);
    o.manifolds = 0;
    graze_contact_pair pairs[8];
    graze_triangle_pair triangles[40];
    graze_contact_report few = {.pairs = pairs,
                                .triangles = triangles,
                                .pair_capacity = gz_random_below(r, 9),
                                .triangle_capacity = gz_random_below(r, 41)};
    assert_int_equal(graze_check_contacts(s->checker, s->ws, q, 8, NULL, &o, &few, NULL), GRAZE_OK);
    assert_int_equal(few.pair_count, all->pair_count);
    assert_int_equal(few.triangle_count, all->triangle_count);
    size_t next = 0;
    for (size_t i = 0; i < all->pair_count; i++) {
        const graze_contact_pair *p = &all->pairs[i];
        size_t want = p->triangle_count < o.triangle_limit ? p->triangle_count : o.triangle_limit;
        if (want > few.triangle_capacity - next) want = few.triangle_capacity - next;
        if (i < few.pair_capacity) {
            assert_int_equal(pairs[i].first, next);
            assert_int_equal(pairs[i].written, want);
            assert_int_equal(pairs[i].point_count, 0);
        }
        for (size_t k = 0; k < want; k++)
            assert_true(same_entry(&triangles[next + k], &all->triangles[p->first + k]));
        next += want;
    }
    assert_int_equal(few.triangles_written, next);
    assert_int_equal(few.truncated,
                     all->pair_count > few.pair_capacity || all->triangle_count > next);
}

static void assert_is_expected(const scene *s, const double *q, gz_random *random, bool *hit) {
    graze_transform links[4];
    assert_int_equal(graze_robot_pose(s->robot, q, 8, NULL, links, NULL), GRAZE_OK);
    expected e = {0};
    search f = {s, links, &e};
    graze_checker_pairs(s->checker, expect_checked, &f);
    graze_contact_report r = list(s, q, 8, NULL);
    assert_int_equal(r.triangles_written, r.triangle_count);
    assert_pairs_own_their_triangles(&r);
    assert_limits(s, q, &r, random);
    graze_report verdict = {0};
    assert_int_equal(graze_check(s->checker, s->ws, GRAZE_ANSWER_ANY, q, 8, NULL, &verdict, NULL),
                     GRAZE_OK);
    assert_int_equal(r.verdict, verdict.verdict);
    assert_int_equal(r.verdict == GRAZE_FREE, r.pair_count == 0);
    graze_contact_report posed = {.triangles = malloc((r.triangle_count + 1) * sizeof *r.triangles),
                                  .triangle_capacity = r.triangle_count};
    size_t count = graze_robot_link_count(s->robot);
    assert_int_equal(
        graze_check_posed_contacts(s->checker, s->ws, links, count, NULL, &posed, NULL), GRAZE_OK);
    assert_int_equal(posed.triangle_count, r.triangle_count);
    for (size_t i = 0; i < r.triangle_count; i++)
        assert_true(same_entry(&posed.triangles[i], &r.triangles[i]));
    free(posed.triangles);
    size_t flat = drop_curved(r.triangles, r.triangle_count);
    assert_int_equal(flat, e.count);
    for (size_t i = 0; i < flat; i++) {
        assert_true(same_pair(&r.triangles[i], &e.items[i]));
        if (i % 7 == 0) assert_places(s, links, &r.triangles[i]);
    }
    *hit = flat > 0;
    free(e.items);
    free_list(&r);
}

static void test_list_is_that_of_all_pairs_of_triangles(void **state) {
    (void)state;
    int hits = 0, tries = 0;
    for (int i = 0; i < TRIALS(60, 8); i++) {
        gz_random r = gz_random_make(81, (uint64_t)i);
        scene s = {.robot = make_mesh_robot(&r), .world = make_world(&r)};
        open_scene(&s, 0);
        for (int k = 0; k < 6; k++) {
            double q[8];
            bool hit;
            draw_q(&r, q);
            if (k == 5) q[0] += 9; // only link against link, or nothing
            assert_is_expected(&s, q, &r, &hit);
            hits += hit;
            tries++;
        }
        close_scene(&s);
    }
    assert_true(2 * hits > tries);
}

// -------------------------------------------------------------------------------------- special

/// Distance of a point from a triangle, by many points of it; too great by at most `step`.
static double sampled_distance(const double c[9], const double p[3], int n) {
    double least = INFINITY;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= n - i; k++) {
            double sum = 0;
            for (int x = 0; x < 3; x++) {
                double at = (c[x] * (n - i - k) + c[3 + x] * i + c[6 + x] * k) / n - p[x];
                sum += at * at;
            }
            least = fmin(least, sum);
        }
    return sqrt(least);
}

/// A sphere in a mesh of large triangles: which it meets, and which way is out.
static void test_triangles_of_a_sphere(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0};
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='base'><collision><geometry><sphere radius='0.3'/>"
                 "</geometry></collision></link></robot>");
    scene s = {.robot = text_load(&t), .world = new_world()};
    maker m = {0};
    maker_sphere(&m, origin, 1, 12, 16);
    graze_transform pose = graze_transform_identity();
    pose.m[3] = 0.9;
    add_mesh(s.world, "ball", &m, &pose);
    open_scene(&s, 0);
    graze_contact_report r = list(&s, NULL, 0, NULL);
    graze_geometry g;
    assert_int_equal(graze_world_object(s.world, 0, &g), GRAZE_OK);
    double *points = snap(&g, &g.origin), c[9];
    size_t next = 0;
    for (size_t i = 0; i < g.triangle_count; i++) {
        corners(&g, points, i, c);
        double distance = sampled_distance(c, origin, 200);
        bool listed = next < r.triangle_count && r.triangles[next].other_triangle == (int64_t)i;
        if (distance < 0.3) assert_true(listed);
        if (distance > 0.31) assert_false(listed);
        if (!listed) continue;
        const graze_triangle_pair *p = &r.triangles[next++];
        assert_int_equal(p->triangle, -1);
        assert_normal(&g, &g.origin, (int64_t)i, p->normal[1]);
        // Out of the sphere is towards the triangle's nearest point.
        double back[3] = {distance * p->normal[0].x, distance * p->normal[0].y,
                          distance * p->normal[0].z};
        assert_true(sampled_distance(c, back, 200) < 0.02);
    }
    assert_int_equal(next, r.triangle_count);
    assert_true(next > 3);
    free(points);
    free_list(&r);
    close_scene(&s);
}

/// Points of a cloud, each with the triangles that its ball meets, in order.
static void test_points_are_listed_in_order(void **state) {
    (void)state;
    gz_random r = gz_random_make(83, 0);
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='base'><collision><geometry><box size='1 1 1'/>"
                 "</geometry></collision><collision><origin xyz='0 0 0.6'/><geometry>"
                 "<sphere radius='0.3'/></geometry></collision></link></robot>");
    scene s = {.robot = text_load(&t), .world = new_world()};
    double points[3 * 400];
    for (int i = 0; i < 1200; i++) points[i] = gz_random_range(&r, -1, 1);
    assert_int_equal(graze_world_add_points(s.world, "cloud", points, 400, 0.02, NULL, NULL),
                     GRAZE_OK);
    open_scene(&s, 0);
    graze_contact_report l = list(&s, NULL, 0, NULL);
    assert_pairs_own_their_triangles(&l);
    size_t next = 0, with_triangles = 0;
    for (int element = 0; element < 2; element++)
        for (int i = 0; i < 400; i++) {
            const double *p = points + 3 * i;
            double out = 0, square = 0;
            for (int k = 0; k < 3; k++) {
                double gap = element ? p[k] - (k == 2 ? 0.6 : 0) : fmax(0, fabs(p[k]) - 0.5);
                square += gap * gap;
            }
            out = sqrt(square) - (element ? 0.32 : 0.02);
            bool listed = next < l.pair_count && l.pairs[next].other_element == i &&
                          l.pairs[next].element == element;
            assert_int_equal(listed, out <= 0);
            if (!listed) continue;
            with_triangles += !element && l.pairs[next].triangle_count > 0;
            next++;
        }
    assert_int_equal(next, l.pair_count);
    assert_true(with_triangles > 10 && next > 60);
    // Of a cloud limits count all points together.
    graze_contact_pair first[3];
    graze_contact_report few = {.pairs = first, .pair_capacity = 3};
    assert_int_equal(graze_check_contacts(s.checker, s.ws, NULL, 0, NULL, NULL, &few, NULL),
                     GRAZE_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(first[i].other_element, l.pairs[i].other_element);
    free_list(&l);
    close_scene(&s);
}

static void test_what_lies_inside_and_what_left(void **state) {
    (void)state;
    const double small[3] = {0.1, 0.1, 0.1}, large[3] = {1, 1, 1}, low[3] = {5, 5, 5},
                 high[3] = {6, 6, 6};
    scene s = {.robot = make_robot(), .world = new_world()};
    graze_transform pose = graze_transform_identity();
    assert_int_equal(graze_world_add_box(s.world, "speck", small, &pose, NULL), GRAZE_OK);
    pose.m[3] = 20;
    assert_int_equal(graze_world_add_box(s.world, "far", large, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(s.world, low, high, NULL), GRAZE_OK);
    open_scene(&s, 0);
    const double q[8] = {0, 0, 0, 0, 0, 0, 1, 3};
    graze_contact_report r = list(&s, q, 8, NULL);
    assert_true(r.pair_count >= 2);
    assert_int_equal(r.pairs[0].kind, GRAZE_CONTACT_BOUNDARY);
    assert_int_equal(r.pairs[0].point_count, 0);
    bool inside = false;
    for (size_t i = 1; i < r.pair_count; i++) {
        const graze_contact_pair *p = &r.pairs[i];
        if (p->kind != GRAZE_CONTACT_WORLD || p->element != 0 || p->link != 1) continue;
        assert_true(p->contained && p->triangle_count == 0 && p->point_count > 0);
        assert_true(fabs(p->depth - 0.2) < 1e-9); // out of the thinnest side, 0.3, and half of 0.1
        inside = true;
    }
    assert_true(inside);
    free_list(&r);
    close_scene(&s);
}

/// Links of one body are judged in its frame, once: so is their list.
static void test_what_no_joint_moves_is_listed(void **state) {
    (void)state;
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='base'/><link name='a'><collision><geometry>"
                 "<box size='1 1 1'/></geometry></collision></link><link name='b'/><link name='c'>"
                 "<collision><origin xyz='0 0 0.75'/><geometry><box size='0.5 0.5 1'/></geometry>"
                 "</collision></link><joint name='fly' type='floating'><parent link='base'/>"
                 "<child link='a'/></joint><joint name='ab' type='fixed'><parent link='a'/>"
                 "<child link='b'/></joint><joint name='bc' type='fixed'><parent link='b'/>"
                 "<child link='c'/></joint></robot>");
    scene s = {.robot = text_load(&t), .world = new_world()};
    open_scene(&s, 0);
    size_t count = 0;
    for (int i = 0; i < 10; i++) {
        gz_random r = gz_random_make(84, (uint64_t)i);
        double q[8];
        draw_q(&r, q);
        graze_report verdict = {0};
        assert_int_equal(graze_check(s.checker, s.ws, GRAZE_ANSWER_ALL, q, 7, NULL, &verdict, NULL),
                         GRAZE_OK);
        graze_contact_report l = list(&s, q, 7, NULL);
        assert_int_equal(l.pair_count, verdict.count);
        if (i == 0) count = l.triangle_count;
        assert_int_equal(l.triangle_count, count);
        graze_transform links[4];
        graze_geometry g, h;
        assert_int_equal(graze_robot_pose(s.robot, q, 7, NULL, links, NULL), GRAZE_OK);
        const graze_transform *pg = find_geometry(&s, links, 1, 0, &g);
        const graze_transform *ph = find_geometry(&s, links, 3, 0, &h);
        for (size_t k = 0; k < l.triangle_count; k++) {
            const graze_triangle_pair *p = &l.triangles[k];
            assert_normal(&g, pg, p->triangle, p->normal[0]);
            assert_normal(&h, ph, p->other_triangle, p->normal[1]);
        }
        free_list(&l);
    }
    close_scene(&s);
}

/// A world whose object is moved out by normal and depth is free for the exact check.
static void test_objects_moved_by_the_depth_are_free(void **state) {
    (void)state;
    int moved = 0;
    for (int i = 0; i < TRIALS(400, 60); i++) {
        gz_random r = gz_random_make(85, (uint64_t)i);
        text_maker t = {0};
        static const char *const shapes[4] = {
            "<box size='0.5 0.4 0.3'/>", "<sphere radius='0.25'/>",
            "<cylinder radius='0.2' length='0.6'/>", "<capsule radius='0.2' length='0.4'/>"};
        text_add(&t,
                 "<robot name='r'><link name='base'><collision><geometry>%s</geometry>"
                 "</collision></link></robot>",
                 shapes[gz_random_below(&r, 4)]);
        scene s = {.robot = text_load(&t), .world = new_world()};
        graze_transform pose = maker_pose(&r, 0.35);
        maker m = {0};
        maker_sphere(&m, (const double[3]){0, 0, 0}, 0.3, 5, 6);
        if (gz_random_below(&r, 2)) maker_soup(&m, &r, 3, 0.1);
        add_mesh(s.world, "thing", &m, &pose);
        open_scene(&s, gz_random_below(&r, 3) ? 0 : 0.01);
        graze_contact_report l = list(&s, NULL, 0, NULL);
        if (l.pair_count) {
            const graze_contact_pair *p = &l.pairs[0];
            const double n[3] = {p->normal.x, p->normal.y, p->normal.z};
            for (int k = 0; k < 3; k++) pose.m[4 * k + 3] += p->depth * n[k];
            graze_world_change change = {.struct_size = sizeof change,
                                         .kind = GRAZE_CHANGE_MOVE,
                                         .name = "thing",
                                         .pose = &pose};
            graze_world *next;
            graze_error e;
            if (graze_world_revise(&next, s.world, &change, 1, &e)) fail_msg("%s", e.message);
            graze_checker *checker;
            graze_workspace *ws;
            graze_report report = {0};
            assert_int_equal(graze_checker_with_world(&checker, s.checker, next, NULL), GRAZE_OK);
            assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
            assert_int_equal(
                graze_check(checker, ws, GRAZE_ANSWER_ANY, NULL, 0, NULL, &report, NULL), GRAZE_OK);
            assert_int_equal(report.verdict, GRAZE_FREE);
            graze_workspace_free(ws);
            graze_checker_free(checker);
            graze_world_free(next);
            moved++;
        }
        free_list(&l);
        close_scene(&s);
    }
    assert_true(moved > 20);
}

static void test_bad_arguments(void **state) {
    (void)state;
    scene s = {.robot = make_robot(), .world = new_world()};
    open_scene(&s, 0);
    const double q[8] = {0, 0, 0, 0, 0, 0, 1, 0};
    graze_contact_report r = {0};
    assert_int_equal(graze_check_contacts(s.checker, s.ws, q, 8, NULL, NULL, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_contacts(NULL, s.ws, q, 8, NULL, NULL, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_contacts(s.checker, NULL, q, 8, NULL, NULL, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_contacts(s.checker, s.ws, q, 7, NULL, NULL, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(r.verdict, GRAZE_UNKNOWN);
    assert_int_equal(graze_check_posed_contacts(s.checker, s.ws, NULL, 3, NULL, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    graze_contacts_options o = {0};
    assert_int_equal(graze_check_contacts(s.checker, s.ws, q, 8, NULL, &o, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    graze_checker_options bounds = graze_checker_options_default();
    bounds.level = GRAZE_LEVEL_BOUNDS;
    graze_checker *checker;
    graze_workspace *ws;
    assert_int_equal(graze_checker_create(&checker, s.robot, s.world, &bounds, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
    assert_int_equal(graze_check_contacts(checker, ws, q, 8, NULL, NULL, &r, NULL),
                     GRAZE_ERROR_UNSUPPORTED);
    graze_workspace_free(ws);
    graze_checker_free(checker);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_is_that_of_all_pairs_of_triangles),
        cmocka_unit_test(test_triangles_of_a_sphere),
        cmocka_unit_test(test_points_are_listed_in_order),
        cmocka_unit_test(test_what_lies_inside_and_what_left),
        cmocka_unit_test(test_what_no_joint_moves_is_listed),
        cmocka_unit_test(test_objects_moved_by_the_depth_are_free),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
