// What a scene's map and parts say of meshes in random poses, held to all pairs of triangles
// (exact, one by one) and to solid angles: apart is apart and not inside, overlap is overlap.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../mesh/mesh_maker.h"
#include "graze/geometry.h"
#include "math/transform.h"
#include "mesh/prefilter/mesh_proxy.h"
#include "narrow/kernel.h"
#include "unit/trials.h"

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static graze_mesh *make(maker *m) {
    graze_mesh *mesh = NULL;
    graze_error error;
    if (graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &error)) fail_msg("%s", error.message);
    maker_free(m);
    return mesh;
}

static void random_pose(gz_random *random, double spread, double pose[12]) {
    double q[4], n = 0;
    for (int i = 0; i < 4; i++) q[i] = gz_random_unit(random) * 2 - 1;
    for (int i = 0; i < 4; i++) n += q[i] * q[i];
    n = sqrt(n);
    double w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
    double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                   2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                   2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        memcpy(pose + 4 * i, r + 3 * i, 3 * sizeof *r);
        pose[4 * i + 3] = spread * (gz_random_unit(random) * 2 - 1);
    }
}

static void corners_of(const graze_mesh *mesh, const double pose[12], size_t t, double out[9]) {
    for (size_t k = 0; k < 3; k++)
        gz_snap(pose, mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k], out + 3 * k);
}

static bool boxes_apart(const double *a, const double *b) {
    for (int k = 0; k < 3; k++)
        if (fmin(a[k], fmin(a[3 + k], a[6 + k])) > fmax(b[k], fmax(b[3 + k], b[6 + k])) ||
            fmin(b[k], fmin(b[3 + k], b[6 + k])) > fmax(a[k], fmax(a[3 + k], a[6 + k])))
            return true;
    return false;
}

static bool surfaces_overlap(const graze_mesh *a, const double pa[12], const graze_mesh *b,
                             const double pb[12]) {
    double all[9], (*corners)[9] = malloc(a->triangle_count * sizeof *corners);
    for (size_t i = 0; i < a->triangle_count; i++) corners_of(a, pa, i, corners[i]);
    for (int k = 0; k < 3; k++) { // the box of a, as a triangle's
        all[k] = all[3 + k] = INFINITY;
        all[6 + k] = -INFINITY;
        for (size_t i = 0; i < 3 * a->triangle_count; i++) {
            all[k] = all[3 + k] = fmin(all[k], corners[i / 3][3 * (i % 3) + (size_t)k]);
            all[6 + k] = fmax(all[6 + k], corners[i / 3][3 * (i % 3) + (size_t)k]);
        }
    }
    bool overlap = false;
    for (size_t j = 0; j < b->triangle_count && !overlap; j++) {
        double tb[9];
        corners_of(b, pb, j, tb);
        if (boxes_apart(all, tb)) continue;
        for (size_t i = 0; i < a->triangle_count && !overlap; i++)
            overlap = !boxes_apart(corners[i], tb) && graze_triangles_overlap(corners[i], tb);
    }
    free(corners);
    return overlap;
}

/// How often the posed mesh winds around a point, by solid angles (van Oosterom and Strackee 1983).
static double winding(const graze_mesh *mesh, const double pose[12], const double p[3]) {
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (!mesh->components[mesh->component_of[t]].closed) continue;
        double c[9], l[3], n[3];
        corners_of(mesh, pose, t, c);
        for (int i = 0; i < 9; i++) c[i] -= p[i % 3];
        for (int i = 0; i < 3; i++) l[i] = gz_norm(c + 3 * i);
        gz_cross(c + 3, c + 6, n);
        sum += 2 * atan2(gz_dot(c, n), l[0] * l[1] * l[2] + gz_dot(c, c + 3) * l[2] +
                                           gz_dot(c + 3, c + 6) * l[0] + gz_dot(c + 6, c) * l[1]);
    }
    return sum / (4 * 3.141592653589793);
}

/// Whether a component of b, whose surface a's does not meet, lies in a.
static bool contains(const graze_mesh *a, const double pa[12], const graze_mesh *b,
                     const double pb[12]) {
    for (size_t i = 0; i < b->component_count; i++) {
        double p[3], seen[3];
        gz_snap(pb, b->vertices + 3 * (size_t)b->components[i].vertex, p);
        for (int k = 0; k < 3; k++) seen[k] = p[k] - pa[4 * k + 3];
        if (gz_norm(seen) > 2 * a->max_abs) continue;
        if (fabs(winding(a, pa, p)) > 0.5) return true;
    }
    return false;
}

typedef struct tally {
    size_t apart, overlap, unknown;
} tally;

static void evaluate(const graze_mesh *mesh, const double pose[12], const graze_mesh *scene,
                     const gz_component_proxy *inner, bool solid, tally *t) {
    gz_proxy_pair pair;
    gz_proxy_pair_prepare(&pair, mesh, pose, scene, identity, 0);
    pair.question = GZ_PROXY_TEST_BOTH;
    pair.component = inner;
    pair.box = inner && gz_mesh_is_box(scene);
    pair.solid_a = pair.solid_b = solid;
    gz_proxy_answer answer = gz_kernels_choose()->proxy_pair(&pair);
    assert_int_equal(gz_kernels_base.proxy_pair(&pair), answer); // whatever the instruction set
    t->apart += answer == GZ_PROXY_APART;
    t->overlap += answer == GZ_PROXY_OVERLAP;
    t->unknown += answer == GZ_PROXY_UNKNOWN;
    if (answer == GZ_PROXY_UNKNOWN) return;
    bool surfaces = surfaces_overlap(mesh, pose, scene, identity);
    bool inside = !surfaces && solid &&
                  (contains(mesh, pose, scene, identity) || contains(scene, identity, mesh, pose));
    if (answer == GZ_PROXY_APART) assert_false(surfaces || inside);
    if (answer == GZ_PROXY_OVERLAP) assert_true(surfaces || inside);
}

static tally answers_are_true(const graze_mesh *mesh, const graze_mesh *scene, double spread,
                              int poses, uint64_t seed) {
    gz_random random = gz_random_make(seed, 0);
    tally t = {0};
    for (int i = 0; i < poses; i += TRIALS(1, 5)) {
        double pose[12];
        random_pose(&random, spread, pose);
        evaluate(mesh, pose, scene, NULL, i & 1, &t);
    }
    print_message("apart %zu, overlap %zu, left to the trees %zu\n", t.apart, t.overlap, t.unknown);
    return t;
}

static graze_mesh *make_torus(void) {
    maker m = {0};
    maker_torus(&m, 0.3, 0.08, 16, 8);
    return make(&m);
}

static graze_mesh *make_ball(double radius) {
    maker m = {0};
    maker_sphere(&m, (double[3]){0.02, 0.01, 0}, radius, 9, 12);
    return make(&m);
}

/// Two balls side by side: components, of which one may be inside and the other not.
static graze_mesh *make_pair(void) {
    maker m = {0};
    maker_sphere(&m, (double[3]){-0.2, 0, 0}, 0.09, 7, 9);
    maker_sphere(&m, (double[3]){0.2, 0, 0}, 0.06, 7, 9);
    return make(&m);
}

/// Balls and boxes all over, one ball with a cavity, and a sheet: closed, open and nested parts.
static graze_mesh *make_clutter(void) {
    maker m = {0};
    gz_random random = gz_random_make(77, 0);
    for (int i = 0; i < 90; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = gz_random_range(&random, -1, 1);
        if (i % 3)
            maker_sphere(&m, at, gz_random_range(&random, 0.02, 0.12), 16, 24);
        else
            maker_box(&m, at, (double[3]){0.03, gz_random_range(&random, 0.01, 0.1), 0.05});
    }
    for (int i = 0; i < 6; i++) {
        uint32_t a = maker_vertex(&m, -1 + 0.3 * i, -0.4, 0.1), b = maker_vertex(&m, -0.7, 0.4, 0);
        maker_triangle(&m, a, b, maker_vertex(&m, -1 + 0.2 * i, 0.5, 0.3));
    }
    maker_sphere(&m, (double[3]){0.5, 0.5, 0.5}, 0.4, 12, 16);
    size_t first = m.nt;
    maker_sphere(&m, (double[3]){0.5, 0.5, 0.5}, 0.3, 12, 16);
    for (size_t t = first; t < m.nt; t++) {
        uint32_t *c = m.t + 3 * t, keep = c[1];
        c[1] = c[2];
        c[2] = keep;
    }
    while (m.nt < 21000) maker_sphere(&m, (double[3]){-0.6, -0.6, 0.6}, 0.25, 40, 60);
    return make(&m);
}

static graze_mesh *make_box(double x, double y, double z) {
    maker m = {0};
    maker_box(&m, (double[3]){0.1, -0.05, 0.02}, (double[3]){x, y, z});
    return make(&m);
}

/// A ball with a box as its hole: parts of it are out of every core, and in its box.
static graze_mesh *make_hollow(void) {
    maker m = {0};
    maker_sphere(&m, (double[3]){0}, 0.3, 9, 12);
    size_t first = m.nt;
    maker_box(&m, (double[3]){0.02, 0, 0}, (double[3]){0.1, 0.12, 0.1});
    maker_flip(&m, first);
    return make(&m);
}

static tally component_answers_are_true(const graze_mesh *mesh, graze_mesh *object, double spread,
                                        uint64_t seed) {
    gz_random random = gz_random_make(seed, 0);
    gz_component_proxy inner = gz_component_proxy_make(object);
    assert_true(inner.inner_count > 0);
    tally t = {0};
    for (int i = 0; i < 800; i++) {
        double pose[12];
        random_pose(&random, spread, pose);
        evaluate(mesh, pose, object, &inner, i & 1, &t);
    }
    print_message("apart %zu, overlap %zu, left to the trees %zu\n", t.apart, t.overlap, t.unknown);
    graze_mesh_free(object);
    return t;
}

static void a_small_object_is_judged_truly_by_its_ellipsoids(void **state) {
    (void)state;
    graze_mesh *torus = make_torus(), *two = make_pair(), *small = make_ball(0.05);
    // A board: it is nearly all core, and pokes through a torus without a vertex in it.
    graze_mesh *board = make_box(0.5, 0.4, 0.02);
    assert_true(gz_mesh_is_box(board));
    tally t = component_answers_are_true(torus, board, 0.6, 11);
    assert_true(t.overlap > 300 / TRIALS(1, 6) && t.unknown < 150);
    t = component_answers_are_true(two, make_box(0.3, 0.02, 0.1), 0.4, 12);
    assert_true(t.overlap > 100 / TRIALS(1, 6) && t.unknown < 200);
    // What lies in a box meets it as a solid, and not as a surface.
    t = component_answers_are_true(small, make_box(0.2, 0.2, 0.2), 0.3, 13);
    assert_true(t.overlap > 100 / TRIALS(1, 6) && t.apart > 50 / TRIALS(1, 6));
    graze_mesh *hollow = make_hollow();
    assert_false(gz_mesh_is_box(hollow));
    t = component_answers_are_true(small, hollow, 0.3, 14);
    assert_true(t.overlap > 50 / TRIALS(1, 6));
    t = component_answers_are_true(two, make_ball(0.2), 0.4, 15);
    assert_true(t.overlap > 100 / TRIALS(1, 6));
    graze_mesh_free(torus);
    graze_mesh_free(two);
    graze_mesh_free(small);
}

static void a_clutter_of_components_is_judged_truly(void **state) {
    (void)state;
    graze_mesh *scene = make_clutter(), *torus = make_torus(), *ball = make_ball(0.1),
               *large = make_ball(0.5), *two = make_pair();
    assert_true(scene->proxy->clearance.cell_count > 0);
    tally t = answers_are_true(torus, scene, 1.2, 400, 1);
    assert_true(t.apart > 20 / TRIALS(1, 6) && t.overlap > 100 / TRIALS(1, 6));
    t = answers_are_true(ball, scene, 1.1, 600, 2);
    assert_true(t.apart > 100 / TRIALS(1, 6) && t.overlap > 30 / TRIALS(1, 6));
    t = answers_are_true(large, scene, 1.5, 300, 3);
    assert_true(t.overlap > 30 / TRIALS(1, 6));
    t = answers_are_true(two, scene, 1.1, 400, 4);
    assert_true(t.apart > 50 / TRIALS(1, 6) && t.overlap > 30 / TRIALS(1, 6));
    graze_mesh_free(scene);
    graze_mesh_free(torus);
    graze_mesh_free(ball);
    graze_mesh_free(large);
    graze_mesh_free(two);
}

/// A finely meshed ball, with a cavity or without.
static graze_mesh *make_shell(bool cavity) {
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 1, 90, 120);
    size_t first = m.nt;
    if (cavity) maker_sphere(&m, (double[3]){0, 0, 0}, 0.8, 30, 40);
    for (size_t t = first; t < m.nt; t++) {
        uint32_t *c = m.t + 3 * t, keep = c[1];
        c[1] = c[2];
        c[2] = keep;
    }
    return make(&m);
}

static void what_lies_in_a_large_component_overlaps_it_and_in_a_cavity_does_not(void **state) {
    (void)state;
    graze_mesh *ball = make_ball(0.1), *torus = make_torus();
    for (int cavity = 0; cavity < 2; cavity++) {
        graze_mesh *shell = make_shell(cavity);
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, ball, identity, shell, identity, 0);
        pair.question = GZ_PROXY_TEST_BOTH;
        pair.solid_a = pair.solid_b = true;
        assert_int_equal(gz_kernels_choose()->proxy_pair(&pair),
                         cavity ? GZ_PROXY_APART : GZ_PROXY_OVERLAP);
        pair.cap_b = true; // what a cap closes is not in the map
        assert_int_equal(gz_kernels_choose()->proxy_pair(&pair), GZ_PROXY_UNKNOWN);
        tally t = answers_are_true(ball, shell, 1, 300, 5);
        assert_true(t.apart > 50 / TRIALS(1, 6));
        answers_are_true(torus, shell, 1, 200, 6);
        graze_mesh_free(shell);
    }
    graze_mesh_free(ball);
    graze_mesh_free(torus);
}

/// The packets and the subtree that a hint names are enough to find what there is.
static void a_hint_leaves_out_nothing_that_overlaps(void **state) {
    (void)state;
    graze_mesh *scene = make_clutter(), *torus = make_torus();
    gz_random random = gz_random_make(8, 0);
    size_t hints = 0, hits = 0;
    for (int i = 0; i < 600; i++) {
        double pose[12];
        random_pose(&random, 1.2, pose);
        gz_scene_hint hint = {.count = 0};
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, torus, pose, scene, identity, 0);
        pair.hint = &hint;
        if (gz_kernels_choose()->proxy_pair(&pair) != GZ_PROXY_UNKNOWN || !hint.count) continue;
        hints++;
        gz_tree_pair all, some;
        graze_stats stats = {0};
        gz_tree_pair_prepare(&all, torus, pose, scene, identity, true);
        some = all;
        some.hint = &hint;
        gz_kernels_choose()->tree_pair(&all, &stats);
        gz_kernels_choose()->tree_pair(&some, &stats);
        assert_int_equal(some.hit, all.hit);
        hits += all.hit;
        if (!all.hit) continue;
        assert_int_equal(some.triangle_a, all.triangle_a);
        assert_int_equal(some.triangle_b, all.triangle_b);
    }
    print_message("%zu hints, %zu hits\n", hints, hits);
    assert_true(hints > 100 && hits > 50 && hits < hints);
    graze_mesh_free(scene);
    graze_mesh_free(torus);
}

/// Under a margin, what is called apart is farther apart: of a ball, all of it.
static void apart_under_a_margin_is_farther_than_it(void **state) {
    (void)state;
    graze_mesh *scene = make_clutter(), *ball = make_ball(0.1);
    gz_random random = gz_random_make(9, 0);
    size_t apart = 0;
    for (int i = 0; i < 1000; i++) {
        double pose[12], center[3], least = INFINITY;
        random_pose(&random, 1.2, pose);
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, ball, pose, scene, identity, 0.05);
        if (gz_kernels_choose()->proxy_pair(&pair) != GZ_PROXY_APART) continue;
        apart++;
        gz_snap(pose, (double[3]){0.02, 0.01, 0}, center);
        for (size_t v = 0; v < scene->vertex_count; v++) {
            double d[3];
            gz_subtract(scene->vertices + 3 * v, center, d);
            least = fmin(least, gz_norm(d));
        }
        assert_true(least > 0.05 + 0.93 * 0.1);
    }
    assert_true(apart > 50);
    graze_mesh_free(scene);
    graze_mesh_free(ball);
}

static void turn_to(const double axis[3], double pose[12]) {
    const double other[3] = {1, 0, 0};
    double x[3], y[3], length;
    gz_cross(other, axis, x);
    length = gz_norm(x);
    for (int k = 0; k < 3; k++) x[k] /= length;
    gz_cross(axis, x, y);
    for (int k = 0; k < 3; k++) {
        pose[4 * k] = x[k];
        pose[4 * k + 1] = y[k];
        pose[4 * k + 2] = axis[k];
    }
}

/// A ball just above a sheet that is thinner than what floats place it wrong: where its lowest
/// vertex is in the sheet's middle, in float, there is no core that it could be in.
static void a_sheet_thinner_than_the_error_has_no_ellipsoid(void **state) {
    (void)state;
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 0.1, 9, 12);
    graze_mesh *ball = make(&m);
    gz_random random = gz_random_make(16, 0);
    tally t = {0};
    for (double half = 5e-10; half < 2e-5; half *= 10) {
        graze_mesh *sheet = NULL;
        maker_box(&m, (double[3]){0, 0, 0}, (double[3]){0.5, 0.5, half});
        sheet = make(&m);
        gz_component_proxy inner = gz_component_proxy_make(sheet);
        assert_int_equal(inner.inner_count, 1);
        for (int i = 0; i < 600; i++) {
            double pose[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
            double gap = pow(10, gz_random_range(&random, -10, -6));
            pose[3] = gz_random_range(&random, -0.3, 0.3);
            pose[7] = gz_random_range(&random, -0.3, 0.3);
            pose[11] = 0.1 + half + gap;
            evaluate(ball, pose, sheet, &inner, i & 1, &t);
        }
        graze_mesh_free(sheet);
    }
    assert_true(t.unknown > 0 && t.overlap == 0);
    graze_mesh_free(ball);
}

/// Puts the vertex of a mesh that is highest, as it is turned, onto the lowest of another.
static void put_below(const graze_mesh *mesh, const graze_mesh *other, double pose[12]) {
    double highest[3] = {0, 0, -INFINITY}, lowest[3] = {0, 0, INFINITY};
    pose[3] = pose[7] = pose[11] = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double p[3];
        gz_snap(pose, mesh->vertices + 3 * i, p);
        if (p[2] > highest[2]) memcpy(highest, p, sizeof p);
    }
    for (size_t i = 0; i < other->vertex_count; i++)
        if (other->vertices[3 * i + 2] < lowest[2])
            memcpy(lowest, other->vertices + 3 * i, sizeof lowest);
    for (int k = 0; k < 3; k++) pose[4 * k + 3] = lowest[k] - highest[k];
}

/// Meshes so small that the squares of their distances underflow in float touch in one vertex.
static void what_touches_below_the_underflow_of_squares_is_not_apart(void **state) {
    (void)state;
    gz_random random = gz_random_make(17, 0);
    tally t = {0};
    for (int i = 0; i < TRIALS(4000, 600); i++) {
        maker m = {0}, n = {0};
        double pose[12], size = exp2(gz_random_range(&random, -78, -62));
        maker_torus(&m, 0.3, 0.08, 16, 8);
        maker_scale(&m, size);
        maker_sphere(&n, (double[3]){0.01, 0.02, 0}, 1, 5, 6);
        maker_scale(&n, size);
        graze_mesh *torus = make(&m), *ball = make(&n);
        gz_component_proxy inner = gz_component_proxy_make(ball);
        random_pose(&random, 0, pose);
        put_below(torus, ball, pose);
        evaluate(torus, pose, ball, &inner, i & 1, &t);
        graze_mesh_free(torus);
        graze_mesh_free(ball);
    }
    assert_true(t.unknown > TRIALS(2000, 300));
}

/// Every triangle in four.
static void split(maker *m) {
    size_t count = m->nt;
    for (size_t t = 0; t < count; t++) {
        uint32_t corner[3], middle[3];
        for (size_t k = 0; k < 3; k++) corner[k] = m->t[3 * t + k];
        for (size_t k = 0; k < 3; k++) {
            const double *a = m->v + 3 * (size_t)corner[k],
                         *b = m->v + 3 * (size_t)corner[(k + 1) % 3];
            middle[k] = maker_vertex(m, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]),
                                     0.5 * (a[2] + b[2]));
        }
        memcpy(m->t + 3 * t, middle, sizeof middle);
        for (size_t k = 0; k < 3; k++) maker_triangle(m, corner[k], middle[k], middle[(k + 2) % 3]);
    }
}

/// A needle along a cube's diagonal, a little longer than that, far from the origin: where snapping
/// has put its ends into the cube it lies in it, and meets no surface.
static void a_needle_that_snapping_puts_into_a_box_does_not_overlap_its_surface(void **state) {
    (void)state;
    // Half units of the last place there. Both ends of the needle are off the cube's corners by
    // half a unit, outward; snapping takes them in by one in x and y, and the corners out by one.
    const double unit = 0x1p-33, steps = 74000, far = 0x1p20 - 1;
    double way[3] = {(steps + 0.49) * unit, (steps + 0.49) * unit, (steps + 1.49) * unit};
    double corner = (steps + 0.51) * unit, length = gz_norm(way);
    double cube_pose[12] = {2 / 3.0,  -1 / 3.0, 2 / 3.0,  far,     2 / 3.0, 2 / 3.0,
                            -1 / 3.0, far,      -1 / 3.0, 2 / 3.0, 2 / 3.0, far};
    double needle_pose[12] = {0, 0, 0, far, 0, 0, 0, far, 0, 0, 0, far};
    maker m = {0};
    for (size_t k = 0; k < 3; k++) way[k] /= length;
    turn_to(way, needle_pose);
    maker_sphere(&m, (double[3]){0, 0, 0}, length, 9, 12);
    for (size_t i = 0; i < 3 * m.nv; i++) m.v[i] *= i % 3 < 2 ? 0.05 : 1;
    graze_mesh *needle = make(&m);
    for (int fine = 0; fine < 2; fine++) {
        maker_box(&m, (double[3]){0, 0, 0}, (double[3]){corner, corner, corner});
        if (fine) split(&m);
        graze_mesh *cube = make(&m);
        gz_component_proxy inner = gz_component_proxy_make(cube);
        gz_proxy_pair pair;
        assert_false(surfaces_overlap(needle, needle_pose, cube, cube_pose));
        assert_true(contains(cube, cube_pose, needle, needle_pose));
        gz_proxy_pair_prepare(&pair, needle, needle_pose, cube, cube_pose, 0);
        pair.question = GZ_PROXY_TEST_BOTH;
        // By its core, or by its map of what is inside.
        pair.component = fine ? NULL : &inner;
        pair.box = !fine;
        assert_int_equal(inner.inner_count, 1);
        if (fine)
            assert_true(cube->proxy->inside.word_count && pair.error < cube->proxy->inside.pad);
        assert_int_not_equal(gz_kernels_base.proxy_pair(&pair), GZ_PROXY_OVERLAP);
        assert_int_not_equal(gz_kernels_choose()->proxy_pair(&pair), GZ_PROXY_OVERLAP);
        graze_mesh_free(cube);
    }
    graze_mesh_free(needle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clutter_of_components_is_judged_truly),
        cmocka_unit_test(a_small_object_is_judged_truly_by_its_ellipsoids),
        cmocka_unit_test(what_lies_in_a_large_component_overlaps_it_and_in_a_cavity_does_not),
        cmocka_unit_test(a_hint_leaves_out_nothing_that_overlaps),
        cmocka_unit_test(apart_under_a_margin_is_farther_than_it),
        cmocka_unit_test(a_sheet_thinner_than_the_error_has_no_ellipsoid),
        cmocka_unit_test(what_touches_below_the_underflow_of_squares_is_not_apart),
        cmocka_unit_test(a_needle_that_snapping_puts_into_a_box_does_not_overlap_its_surface),
    };
    return cmocka_run_group_tests_name("scene_pair", tests, NULL, NULL);
}
