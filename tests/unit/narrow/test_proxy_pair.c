// What proxies say of pairs of meshes in random poses, near contact too, held to all pairs of
// triangles (exact, one by one) and to solid angles: apart is apart and not inside, overlap is
// overlap.

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
#include "narrow/kernel.h"
#include "unit/trials.h"

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

static bool surfaces_overlap(const graze_mesh *a, const double pa[12], const graze_mesh *b,
                             const double pb[12]) {
    for (size_t i = 0; i < a->triangle_count; i++) {
        double ta[9];
        corners_of(a, pa, i, ta);
        for (size_t j = 0; j < b->triangle_count; j++) {
            double tb[9];
            corners_of(b, pb, j, tb);
            if (graze_triangles_overlap(ta, tb)) return true;
        }
    }
    return false;
}

/// How often the posed mesh winds around a point, by solid angles (van Oosterom and Strackee 1983).
static double winding(const graze_mesh *mesh, const double pose[12], const double p[3]) {
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
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

static bool contains(const graze_mesh *a, const double pa[12], const graze_mesh *b,
                     const double pb[12]) {
    double p[3];
    gz_snap(pb, b->vertices, p);
    return fabs(winding(a, pa, p)) > 0.5;
}

typedef struct tally {
    size_t apart, overlap, unknown;
} tally;

/// @param planes of earlier poses of the two, for both instruction sets; or NULL
static void evaluate_along(const graze_mesh *a, const double pa[12], const graze_mesh *b,
                           const double pb[12], bool solid, gz_proxy_plane *planes, tally *t) {
    gz_proxy_pair pair;
    gz_proxy_pair_prepare(&pair, a, pa, b, pb, 0);
    pair.question = GZ_PROXY_TEST_BOTH;
    pair.solid_a = pair.solid_b = solid;
    pair.plane = planes;
    gz_proxy_answer answer = gz_kernels_choose()->proxy_pair(&pair);
    // Another instruction set may round otherwise, but does not contradict.
    pair.plane = planes ? &planes[1] : NULL;
    gz_proxy_answer base = gz_kernels_base.proxy_pair(&pair);
    assert_true(base == answer || base == GZ_PROXY_UNKNOWN || answer == GZ_PROXY_UNKNOWN);
    t->apart += answer == GZ_PROXY_APART;
    t->overlap += answer == GZ_PROXY_OVERLAP;
    t->unknown += answer == GZ_PROXY_UNKNOWN;
    if (answer == GZ_PROXY_UNKNOWN) return;
    bool surfaces = surfaces_overlap(a, pa, b, pb);
    bool inside = !surfaces && (contains(a, pa, b, pb) || contains(b, pb, a, pa));
    if (answer == GZ_PROXY_APART) assert_false(surfaces || inside);
    if (answer == GZ_PROXY_OVERLAP) assert_true(surfaces || (solid && inside));
}

static void evaluate(const graze_mesh *a, const double pa[12], const graze_mesh *b,
                     const double pb[12], bool solid, tally *t) {
    evaluate_along(a, pa, b, pb, solid, NULL, t);
}

static void answers_are_true(const graze_mesh *a, const graze_mesh *b, double spread, int poses,
                             uint64_t seed, tally *t) {
    gz_random random = gz_random_make(seed, 0);
    for (int i = 0; i < poses; i += TRIALS(1, 5)) {
        double pa[12], pb[12];
        random_pose(&random, spread, pa);
        random_pose(&random, spread, pb);
        evaluate(a, pa, b, pb, i & 1, t);
    }
}

static graze_mesh *make_torus(void) {
    maker m = {0};
    maker_torus(&m, 0.3, 0.12, 16, 10);
    return make(&m);
}

static graze_mesh *make_ball(double radius) {
    maker m = {0};
    maker_sphere(&m, (double[3]){0.02, 0.01, 0}, radius, 9, 12);
    return make(&m);
}

static void answers_on_random_poses_are_true(void **state) {
    (void)state;
    graze_mesh *torus = make_torus(), *ball = make_ball(0.2);
    tally t = {0};
    answers_are_true(torus, ball, 0.35, 400, 1, &t);
    answers_are_true(torus, torus, 0.35, 250, 2, &t);
    print_message("apart %zu, overlap %zu, left to the trees %zu\n", t.apart, t.overlap, t.unknown);
    assert_true(t.apart > TRIALS(100, 20) && t.overlap > TRIALS(100, 20));
    graze_mesh_free(torus);
    graze_mesh_free(ball);
}

/// A small ball in a large one: a collision of solids only.
static void a_ball_in_a_ball_overlaps_only_as_a_solid(void **state) {
    (void)state;
    graze_mesh *large = make_ball(0.5), *small = make_ball(0.1);
    double pose[12] = {1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 1, 0};
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int solid = 0; solid < 2; solid++) {
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, large, identity, small, pose, 0);
        pair.question = GZ_PROXY_TEST_BOTH;
        pair.solid_a = pair.solid_b = solid;
        assert_int_equal(gz_kernels_choose()->proxy_pair(&pair),
                         solid ? GZ_PROXY_OVERLAP : GZ_PROXY_UNKNOWN);
    }
    tally t = {0};
    answers_are_true(large, small, 0.3, 400, 3, &t);
    assert_true(t.overlap > TRIALS(20, 4));
    graze_mesh_free(large);
    graze_mesh_free(small);
}

/// Bisects the distance of two meshes to the last ulp of contact, and asks around it.
static void answers_at_contact_are_true(void **state) {
    (void)state;
    graze_mesh *torus = make_torus(), *ball = make_ball(0.2);
    gz_random random = gz_random_make(4, 0);
    tally t = {0};
    for (int i = 0; i < TRIALS(12, 4); i++) {
        double pa[12], pb[12];
        random_pose(&random, 0, pa);
        random_pose(&random, 0, pb);
        double low = 0, high = 1;
        while (nextafter(low, high) < high) {
            double middle = low + 0.5 * (high - low);
            pb[3] = 0.1 + middle;
            *(surfaces_overlap(torus, pa, ball, pb) ? &low : &high) = middle;
            if (high - low < 1e-15) break;
        }
        for (int k = -3; k <= 3; k++) {
            pb[3] = 0.1 + high + k * 1e-7 * pow(10, 1.8 * abs(k));
            evaluate(torus, pa, ball, pb, i & 1, &t);
        }
        pb[3] = 0.1 + high;
        evaluate(torus, pa, ball, pb, false, &t);
        pb[3] = 0.1 + low;
        evaluate(torus, pa, ball, pb, false, &t);
    }
    assert_true(t.apart > TRIALS(5, 1));
    graze_mesh_free(torus);
    graze_mesh_free(ball);
}

/// From far apart to contact, to its last ulp and through it, with the plane of the pose before.
static void answers_along_kept_planes_are_true(void **state) {
    (void)state;
    graze_mesh *torus = make_torus(), *ball = make_ball(0.2);
    gz_random random = gz_random_make(8, 0);
    tally t = {0};
    for (int i = 0; i < TRIALS(12, 4); i++) {
        gz_proxy_plane planes[2] = {{.high = 0}, {.high = 0}};
        double pa[12], pb[12], low = 0, high = 1;
        random_pose(&random, 0, pa);
        random_pose(&random, 0, pb);
        for (int step = 0; step < 60 && high - low > 1e-16; step++) {
            double middle = 0.5 * (low + high);
            pb[3] = 0.1 + high;
            evaluate_along(torus, pa, ball, pb, i & 1, planes, &t);
            pb[3] = 0.1 + middle;
            evaluate_along(torus, pa, ball, pb, i & 1, planes, &t);
            *(surfaces_overlap(torus, pa, ball, pb) ? &low : &high) = middle;
        }
    }
    print_message("apart %zu, overlap %zu, left to the trees %zu\n", t.apart, t.overlap, t.unknown);
    assert_true(t.apart > TRIALS(150, 50) && t.overlap > TRIALS(10, 3));
    graze_mesh_free(torus);
    graze_mesh_free(ball);
}

/// Two blocks that slide along x, in numbers that floats have: the kept plane lies half a pad
/// before the one, and the other must be a pad beyond it, to the last ulp.
static void a_kept_plane_stands_at_the_pad(void **state) {
    (void)state;
    const gz_kernels *kernels[2] = {&gz_kernels_base, gz_kernels_choose()};
    maker m = {0};
    const double half[3] = {1, 0.5, 0.5}, thin[3] = {0.5, 0.25, 0.25};
    maker_box(&m, (double[3]){0, 0, 0}, half);
    maker_box(&m, (double[3]){0, 0, 0}, thin);
    graze_mesh *block = make(&m);
    for (int k = 0; k < 2; k++) {
        gz_proxy_plane plane = {.high = 0};
        gz_proxy_pair pair = {.a = block,
                              .b = block,
                              .r = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                              .t = {4, 0, 0},
                              .pad = 0.25f,
                              .plane = &plane};
        assert_int_equal(kernels[k]->proxy_pair(&pair), GZ_PROXY_APART);
        assert_true(plane.normal[0] == 1 && plane.high == 1.125f);
        pair.t[0] = 2.375f; // a gap of three halves of the pad, which a search does not find
        assert_int_equal(kernels[k]->proxy_pair(&pair), GZ_PROXY_UNKNOWN);
        pair.t[0] = nextafterf(2.375f, 3);
        assert_int_equal(kernels[k]->proxy_pair(&pair), GZ_PROXY_APART);
        pair.question = GZ_PROXY_TEST_OVERLAP;
        assert_int_equal(kernels[k]->proxy_pair(&pair), GZ_PROXY_UNKNOWN);
        // Turned about, the other side of the same block is where it was.
        pair.question = GZ_PROXY_TEST_APART;
        for (int i = 0; i < 2; i++) pair.r[i][i] = -1;
        assert_int_equal(kernels[k]->proxy_pair(&pair), GZ_PROXY_APART);
        pair.t[0] = 2.375f;
        assert_int_equal(kernels[k]->proxy_pair(&pair), GZ_PROXY_UNKNOWN);
    }
    graze_mesh_free(block);
}

/// What is apart under a margin is farther apart: the distance of vertices from a ball's centre.
static void apart_under_a_margin_is_farther_than_it(void **state) {
    (void)state;
    graze_mesh *torus = make_torus(), *ball = make_ball(0.2);
    gz_random random = gz_random_make(5, 0);
    size_t apart = 0;
    for (int i = 0; i < 2000; i++) {
        double pa[12], pb[12], least = INFINITY, center[3];
        random_pose(&random, 0.5, pa);
        random_pose(&random, 0.5, pb);
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, torus, pa, ball, pb, 0.1);
        if (gz_kernels_choose()->proxy_pair(&pair) != GZ_PROXY_APART) continue;
        apart++;
        gz_snap(pb, (double[3]){0.02, 0.01, 0}, center);
        for (size_t v = 0; v < torus->vertex_count; v++) {
            double p[3], d[3];
            gz_snap(pa, torus->vertices + 3 * v, p);
            gz_subtract(p, center, d);
            least = fmin(least, gz_norm(d));
        }
        // The ball's facets lie up to 7 % of the radius inside it.
        assert_true(least > 0.1 + 0.93 * 0.2);
    }
    assert_true(apart > 100);
    graze_mesh_free(torus);
    graze_mesh_free(ball);
}

/// Balls with a gap between them that is a fiftieth of their size, or more, in any direction: the
/// corners' hulls are apart, and the search must not give up.
static void a_plane_is_found_between_balls(void **state) {
    (void)state;
    graze_mesh *large = make_ball(0.5), *small = make_ball(0.2);
    gz_random random = gz_random_make(6, 0);
    for (int i = 0; i < 1000; i++) {
        double pa[12], pb[12], middle[3], away[3], way[3];
        random_pose(&random, 1, pa);
        random_pose(&random, 1, pb);
        gz_transform_apply(pa, (double[3]){0.02, 0.01, 0}, middle);
        gz_transform_rotate(pb, (double[3]){0.02, 0.01, 0}, away);
        gz_transform_rotate(pa, (double[3]){0, 0, 1}, way);
        double gap = 0.72 + 0.3 * gz_random_unit(&random);
        for (int k = 0; k < 3; k++) pb[4 * k + 3] = middle[k] - away[k] + gap * way[k];
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, large, pa, small, pb, 0);
        assert_int_equal(gz_kernels_choose()->proxy_pair(&pair), GZ_PROXY_APART);
        assert_int_equal(gz_kernels_base.proxy_pair(&pair), GZ_PROXY_APART);
    }
    graze_mesh_free(large);
    graze_mesh_free(small);
}

/// Asked for hits only, proxies say nothing else, and the same hits.
static void hits_only_are_the_hits(void **state) {
    (void)state;
    graze_mesh *torus = make_torus(), *ball = make_ball(0.2);
    gz_random random = gz_random_make(7, 0);
    size_t hits = 0, apart = 0;
    for (int i = 0; i < 500; i++) {
        double pa[12], pb[12];
        random_pose(&random, 0.35, pa);
        random_pose(&random, 0.35, pb);
        gz_proxy_pair pair;
        gz_proxy_pair_prepare(&pair, torus, pa, ball, pb, 0);
        pair.question = GZ_PROXY_TEST_BOTH;
        gz_proxy_answer all = gz_kernels_choose()->proxy_pair(&pair);
        pair.question = GZ_PROXY_TEST_OVERLAP;
        assert_int_equal(gz_kernels_choose()->proxy_pair(&pair),
                         all == GZ_PROXY_OVERLAP ? GZ_PROXY_OVERLAP : GZ_PROXY_UNKNOWN);
        hits += all == GZ_PROXY_OVERLAP;
        apart += all == GZ_PROXY_APART;
    }
    assert_true(hits > 50 && apart > 50);
    graze_mesh_free(torus);
    graze_mesh_free(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_on_random_poses_are_true),
        cmocka_unit_test(a_ball_in_a_ball_overlaps_only_as_a_solid),
        cmocka_unit_test(answers_at_contact_are_true),
        cmocka_unit_test(answers_along_kept_planes_are_true),
        cmocka_unit_test(a_kept_plane_stands_at_the_pad),
        cmocka_unit_test(apart_under_a_margin_is_farther_than_it),
        cmocka_unit_test(a_plane_is_found_between_balls),
        cmocka_unit_test(hits_only_are_the_hits),
    };
    return cmocka_run_group_tests_name("sketch_pair", tests, NULL, NULL);
}
