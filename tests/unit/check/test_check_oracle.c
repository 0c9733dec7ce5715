// Whole checks against loops over everything: verdicts down to the last unit in the last place,
// the pairs that ALL finds, explanations, what a workspace remembers.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/graze.h"
#include "narrow/triangle/triangle.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/robot/robot_text_maker.h"

// -------------------------------------------------------------------------------- brute force

static void corners_of(const graze_geometry *g, size_t triangle, const graze_transform *pose,
                       double out[3][3]) {
    for (size_t c = 0; c < 3; c++) {
        const double *v = g->vertices + 3 * (size_t)g->triangles[3 * triangle + c];
        graze_vec3 w = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        memcpy(out[c], &w, sizeof w);
    }
}

/// Whether two posed geometries made of triangles meet, by all pairs of triangles.
static bool geometries_overlap(const graze_geometry *a, const graze_transform *pa,
                               const graze_geometry *b, const graze_transform *pb) {
    for (size_t i = 0; i < a->triangle_count; i++)
        for (size_t k = 0; k < b->triangle_count; k++) {
            double x[3][3], y[3][3];
            corners_of(a, i, pa, x);
            corners_of(b, k, pb, y);
            if (gz_triangles_overlap_exact(GZ_CORNERS(x), GZ_CORNERS(y), NULL)) return true;
        }
    return false;
}

typedef struct scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
} scene;

static void open_scene(scene *s) {
    graze_error e;
    if (graze_checker_create(&s->checker, s->robot, s->world, NULL, &e)) fail_msg("%s", e.message);
    assert_int_equal(graze_workspace_create(&s->ws, s->checker, NULL), GRAZE_OK);
}

static void close_scene(scene *s) {
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

/// 'turned' hangs on a revolute joint and 'free' on a floating one, each with its box far from its
/// own frame; the base's box is out of the way.
static graze_robot *make_far_robot(gz_random *r, double far, double size) {
    text_maker t = {0};
    text_add(&t, "<robot name='far'><link name='base'><collision><origin xyz='0 0 -90000'/>"
                 "<geometry><box size='1 1 1'/></geometry></collision></link>");
    for (int i = 0; i < 2; i++) {
        text_add(&t, "<link name='%s'><collision><origin xyz='%.17g %.17g %.17g' rpy='%.17g 1 2'/>",
                 i ? "free" : "turned", gz_random_range(r, -far, far),
                 gz_random_range(r, -far, far), gz_random_range(r, -far, far),
                 gz_random_range(r, -3, 3));
        text_add(&t, "<geometry><box size='%.17g %.17g %.17g'/></geometry></collision></link>",
                 size * gz_random_range(r, 0.5, 1), size, size * gz_random_range(r, 0.5, 1));
    }
    text_add(&t, "<joint name='turn' type='continuous'><parent link='base'/><child link='turned'/>"
                 "<origin rpy='0.1 0.2 0.3'/><axis xyz='1 2 3'/></joint>"
                 "<joint name='fly' type='floating'><parent link='base'/><child link='free'/>"
                 "</joint></robot>");
    return text_load(&t);
}

/// Places the corner of b (link pose built with q) on a corner of a by moving b's three first
/// numbers, then slides it away to the last contact; compares each verdict on the way.
static int slide_apart(scene *s, gz_random *r, double *q, double size, bool against_world) {
    graze_geometry a, b;
    graze_transform links[3];
    if (against_world)
        assert_int_equal(graze_world_object(s->world, 0, &a), GRAZE_OK);
    else
        assert_int_equal(graze_robot_collision(s->robot, 1, &a), GRAZE_OK);
    assert_int_equal(graze_robot_collision(s->robot, 2, &b), GRAZE_OK);
    assert_int_equal(graze_robot_pose(s->robot, q, 8, NULL, links, NULL), GRAZE_OK);
    const graze_transform *pa = against_world ? &a.origin : &links[1];
    size_t ca = 3 * gz_random_below(r, (uint32_t)a.vertex_count), cb = 3 * gz_random_below(r, 8);
    graze_vec3 to = graze_transform_point(
        pa, (graze_vec3){a.vertices[ca], a.vertices[ca + 1], a.vertices[ca + 2]});
    graze_vec3 from = graze_transform_point(
        &links[2], (graze_vec3){b.vertices[cb], b.vertices[cb + 1], b.vertices[cb + 2]});
    double near[3] = {q[1] + to.x - from.x, q[2] + to.y - from.y, q[3] + to.z - from.z}, away[3];
    for (int k = 0; k < 3; k++) near[k] += 0.01 * size * gz_random_range(r, -1, 1);
    for (int k = 0; k < 3; k++) away[k] = near[k] + 4 * size * gz_random_range(r, -1, 1);
    int compared = 0;
    for (int step = 0; step < 90; step++) {
        bool moved = false;
        for (int k = 0; k < 3; k++) {
            q[1 + k] = step == 0 ? near[k] : near[k] + 0.5 * (away[k] - near[k]);
            moved |= q[1 + k] != near[k] && q[1 + k] != away[k];
        }
        if (step && !moved) break;
        assert_int_equal(graze_robot_pose(s->robot, q, 8, NULL, links, NULL), GRAZE_OK);
        bool overlap = geometries_overlap(&a, pa, &b, &links[2]);
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        assert_int_equal(
            graze_check(s->checker, s->ws, GRAZE_ANSWER_FIRST, q, 8, NULL, &report, NULL),
            GRAZE_OK);
        if (overlap && report.verdict != GRAZE_COLLISION)
            fail_msg("size %g: triangles meet, but the verdict is free (%s)", size,
                     report.stats.sphere_rejects   ? "spheres"
                     : report.stats.obb_rejects    ? "boxes"
                     : report.stats.geometry_pairs ? "shapes"
                                                   : "tree");
        if (!overlap && report.verdict == GRAZE_COLLISION) assert_true(contact.contained);
        // ANY, and a batch, say the same.
        uint8_t verdicts[1];
        graze_batch batch = graze_batch_default();
        batch.count = 1;
        batch.q = q;
        batch.verdicts = verdicts;
        assert_int_equal(graze_check_batch(s->checker, &batch, NULL), GRAZE_OK);
        assert_int_equal(verdicts[0], report.verdict);
        compared++;
        bool hit = report.verdict == GRAZE_COLLISION;
        if (step == 0 && !hit) break;
        for (int k = 0; k < 3; k++) *(hit ? &near[k] : &away[k]) = q[1 + k];
    }
    return compared;
}

static void random_far_q(gz_random *r, double far, double q[8]) {
    q[0] = gz_random_range(r, -3, 3);
    for (int k = 1; k < 4; k++) q[k] = gz_random_range(r, -far, far);
    for (int k = 4; k < 8; k++) q[k] = gz_random_range(r, -1, 1);
}

/// Two cubes at the same distance from a common axis, each with a diagonal along its circle, so
/// that they meet corner to corner, where their bounding spheres meet.
static graze_robot *make_carousel(double far, double size) {
    // The turn that takes (1, 1, 1) to y.
    double third = sqrt(1.0 / 3), half = 0.5 * acos(third), s = sin(half) / sqrt(2);
    double q[4] = {-s, 0, s, cos(half)}, zero[3] = {0, 0, 0};
    graze_transform t = graze_transform_from_xyz_quat(zero, q);
    double roll = atan2(t.m[9], t.m[10]), pitch = -asin(t.m[8]), yaw = atan2(t.m[4], t.m[0]);
    text_maker m = {0};
    text_add(&m, "<robot name='carousel'><link name='base'><collision>"
                 "<origin xyz='0 0 -90000'/><geometry><box size='1 1 1'/></geometry>"
                 "</collision></link>");
    for (int i = 0; i < 2; i++)
        text_add(&m,
                 "<link name='l%d'><collision><origin xyz='%.17g 0 0' rpy='%.17g %.17g %.17g'/>"
                 "<geometry><box size='%.17g %.17g %.17g'/></geometry></collision></link>"
                 "<joint name='j%d' type='continuous'><parent link='base'/><child link='l%d'/>"
                 "<axis xyz='0 0 1'/></joint>",
                 i, far, roll, pitch, yaw, size, size, size, i, i);
    text_add(&m, "</robot>");
    return text_load(&m);
}

/// What broke: gz_link.pad was never set, so that boxes far from the frame of their link were
/// called apart by their bounds while their triangles met.
static void test_bounds_never_separate_corners_that_touch_far_from_their_frames(void **state) {
    (void)state;
    gz_random r = gz_random_make(9, 0);
    int met = 0;
    for (int round = 0; round < 60; round++) {
        double far = pow(10, gz_random_range(&r, 2, 4)),
               size = pow(10, gz_random_range(&r, -5, -2));
        scene s = {.robot = make_carousel(far, size)};
        open_scene(&s);
        graze_geometry g[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(graze_robot_collision(s.robot, (size_t)i + 1, &g[i]), GRAZE_OK);
        double q[2] = {gz_random_range(&r, -3, 3), 0}, near = 0, apart = 4 * size / far;
        for (int step = 0; step < 60; step++) {
            graze_transform links[3];
            graze_report report = {0};
            double middle = 0.5 * (near + apart);
            q[1] = q[0] + middle;
            assert_int_equal(graze_robot_pose(s.robot, q, 2, NULL, links, NULL), GRAZE_OK);
            bool overlap = geometries_overlap(&g[0], &links[1], &g[1], &links[2]);
            assert_int_equal(
                graze_check(s.checker, s.ws, GRAZE_ANSWER_ANY, q, 2, NULL, &report, NULL),
                GRAZE_OK);
            if (report.verdict != (overlap ? GRAZE_COLLISION : GRAZE_FREE))
                fail_msg("far %g, size %g: triangles %s, the verdict is %d (%s)", far, size,
                         overlap ? "overlap" : "are apart", (int)report.verdict,
                         report.stats.sphere_rejects ? "spheres" : "boxes or later");
            met += overlap;
            *(overlap ? &near : &apart) = middle;
        }
        close_scene(&s);
    }
    assert_true(met > 500);
}

static void test_bounds_never_separate_links_that_overlap_far_from_their_frames(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    int compared = 0;
    for (int round = 0; round < 90; round++) {
        double far = round % 3 ? pow(10, gz_random_range(&r, 0, 4)) : 0.1;
        double size = round % 3 == 1 ? 1e-5 : pow(10, gz_random_range(&r, -6, 0)), q[8];
        scene s = {.robot = make_far_robot(&r, far, size)};
        open_scene(&s);
        random_far_q(&r, far, q);
        compared += slide_apart(&s, &r, q, size, false);
        close_scene(&s);
    }
    assert_true(compared > 1000);
}

static void test_bounds_never_separate_links_from_objects_that_they_overlap(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    int compared = 0;
    for (int round = 0; round < 90; round++) {
        double far = round % 3 ? pow(10, gz_random_range(&r, 0, 4)) : 0.1;
        double size = round % 3 == 1 ? 1e-5 : pow(10, gz_random_range(&r, -6, 0)), q[8];
        scene s = {.robot = make_far_robot(&r, far, size)};
        assert_int_equal(graze_world_create(&s.world, "w", NULL), GRAZE_OK);
        maker m = {0};
        double center[3], half[3];
        for (int k = 0; k < 3; k++) {
            center[k] = gz_random_range(&r, -far, far);
            half[k] = size * gz_random_range(&r, 0.2, 0.6);
        }
        maker_box(&m, center, half);
        graze_transform pose = maker_pose(&r, far);
        pose.m[11] += 20000; // away from the other link
        assert_int_equal(graze_world_add_mesh(s.world, "o", m.v, m.nv, m.t, m.nt, &pose, NULL),
                         GRAZE_OK);
        maker_free(&m);
        assert_int_equal(graze_world_commit(s.world, NULL), GRAZE_OK);
        open_scene(&s);
        random_far_q(&r, far, q);
        compared += slide_apart(&s, &r, q, size, true);
        close_scene(&s);
    }
    assert_true(compared > 1000);
}

// ----------------------------------------------------------------- a robot with much to collide

#define ARMS    7
#define OBJECTS 6

/// Seven links in a bush, boxes, balls and cylinders close together, the last two fixed to others.
static graze_robot *make_bush(void) {
    text_maker t = {0};
    text_add(&t, "<robot name='bush'>");
    for (int i = 0; i < ARMS; i++) {
        text_add(&t, "<link name='l%d'>", i);
        for (int k = 0; k <= i % 2; k++) {
            text_add(&t, "<collision><origin xyz='%g 0 %g' rpy='0.3 %d 0'/><geometry>", 0.1 * i,
                     0.2 * k, i);
            if (i % 3 == 0) text_add(&t, "<box size='0.3 0.2 0.4'/>");
            if (i % 3 == 1) text_add(&t, "<sphere radius='0.2'/>");
            if (i % 3 == 2) text_add(&t, "<cylinder radius='0.1' length='0.5'/>");
            text_add(&t, "</geometry></collision>");
        }
        text_add(&t, "</link>");
    }
    static const int parents[ARMS] = {-1, 0, 1, 1, 0, 3, 0};
    for (int i = 1; i < ARMS; i++)
        text_add(&t,
                 "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
                 "<origin xyz='0.35 %g 0.1'/><axis xyz='%d %d 1'/></joint>",
                 i, i >= 5 ? "fixed" : "continuous", parents[i], i, 0.3 - 0.1 * i, i % 2, i % 3);
    text_add(&t, "</robot>");
    return text_load(&t);
}

static graze_world *make_clutter(gz_random *r) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "clutter", NULL), GRAZE_OK);
    for (int i = 0; i < OBJECTS; i++) {
        char name[8];
        snprintf(name, sizeof name, "o%d", i);
        graze_transform pose = maker_pose(r, 0.9);
        double size[3] = {0.2, 0.3, 0.4}, points[12];
        for (int k = 0; k < 12; k++) points[k] = gz_random_range(r, -0.4, 0.4);
        graze_status s = i % 3 == 0   ? graze_world_add_box(w, name, size, &pose, NULL)
                         : i % 3 == 1 ? graze_world_add_points(w, name, points, 4, 0.1, &pose, NULL)
                                      : graze_world_add_capsule(w, name, 0.1, 0.3, &pose, NULL);
        assert_int_equal(s, GRAZE_OK);
    }
    double low[3] = {-0.5, -2, -2}, high[3] = {0.5, 2, 2};
    assert_int_equal(graze_world_set_boundary(w, low, high, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

static scene make_scene(uint64_t seed) {
    gz_random r = gz_random_make(seed, 9);
    scene s = {.robot = make_bush(), .world = make_clutter(&r)};
    open_scene(&s);
    return s;
}

static void random_configuration(gz_random *r, double q[4], double base[6]) {
    for (int k = 0; k < 4; k++) q[k] = gz_random_range(r, -3, 3);
    for (int k = 0; k < 6; k++) base[k] = gz_random_range(r, -0.6, 0.6);
}

static void assert_same_contact(const graze_contact *a, const graze_contact *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->link, b->link);
    assert_int_equal(a->element, b->element);
    assert_int_equal(a->other, b->other);
    assert_int_equal(a->other_element, b->other_element);
    assert_int_equal(a->contained, b->contained);
    assert_int_equal(a->triangle, b->triangle);
    assert_int_equal(a->other_triangle, b->other_triangle);
    assert_int_equal(a->has_segment, b->has_segment);
    if (a->has_segment) assert_memory_equal(a->segment, b->segment, sizeof a->segment);
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
}

static size_t check_all(const scene *s, const double *q, const double *base, graze_contact *out) {
    graze_report report = {.contacts = out, .capacity = 64};
    graze_error e;
    if (graze_check(s->checker, s->ws, GRAZE_ANSWER_ALL, q, 4, base, &report, &e))
        fail_msg("%s", e.message);
    assert_false(report.truncated);
    assert_int_equal(report.verdict, report.count ? GRAZE_COLLISION : GRAZE_FREE);
    return report.count;
}

/// A checker that sees one pair only: all others are allowed. `world`: link `a` against object b.
static graze_checker *single_pair(const scene *s, int a, int b, bool world) {
    graze_allowed_pair allowed[ARMS * (ARMS + OBJECTS)];
    size_t count = 0;
    graze_checker_options options = graze_checker_options_default();
    for (int i = 0; i < ARMS; i++) {
        for (int k = i + 1; k < ARMS; k++)
            if (world || i != a || k != b)
                allowed[count++] = (graze_allowed_pair){graze_robot_link_name(s->robot, i),
                                                        graze_robot_link_name(s->robot, k)};
        for (int k = 0; k < OBJECTS; k++) {
            graze_geometry g;
            graze_world_object(s->world, (size_t)k, &g);
            if (!world || i != a || k != b) // named in either order
                allowed[count++] =
                    i % 2 ? (graze_allowed_pair){graze_robot_link_name(s->robot, i), g.name}
                          : (graze_allowed_pair){g.name, graze_robot_link_name(s->robot, i)};
        }
    }
    options.allowed = allowed;
    options.allowed_count = count;
    graze_checker *c;
    assert_int_equal(graze_checker_create(&c, s->robot, s->world, &options, NULL), GRAZE_OK);
    return c;
}

static void test_all_is_the_first_of_every_pair_alone(void **state) {
    (void)state;
    scene s = make_scene(1);
    enum { ROUNDS = 40 };
    gz_random r = gz_random_make(3, 0);
    double q[ROUNDS][4], base[ROUNDS][6];
    graze_contact(*all)[64] = malloc(ROUNDS * sizeof *all);
    size_t count[ROUNDS], next[ROUNDS] = {0}, total = 0;
    assert_non_null(all);
    for (int i = 0; i < ROUNDS; i++) {
        random_configuration(&r, q[i], base[i]);
        base[i][0] *= 0.8; // within the boundary
        count[i] = check_all(&s, q[i], base[i], all[i]);
        total += count[i];
        // FIRST is the first of ALL; ANY is one of them.
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        graze_check(s.checker, s.ws, GRAZE_ANSWER_FIRST, q[i], 4, base[i], &report, NULL);
        assert_int_equal(report.count, count[i] > 0);
        if (count[i]) assert_same_contact(&contact, &all[i][0]);
        graze_check(s.checker, s.ws, GRAZE_ANSWER_ANY, q[i], 4, base[i], &report, NULL);
        assert_int_equal(report.count, count[i] > 0);
        bool listed = count[i] == 0;
        for (size_t k = 0; k < count[i]; k++)
            listed |= contact.kind == all[i][k].kind && contact.link == all[i][k].link &&
                      contact.other == all[i][k].other;
        assert_true(listed);
    }
    assert_true(total > 100);
    for (int world = 0; world < 2; world++)
        for (int a = 0; a < ARMS; a++)
            for (int b = world ? 0 : a + 1; b < (world ? OBJECTS : ARMS); b++) {
                graze_checker *c = single_pair(&s, a, b, world);
                graze_workspace *ws;
                assert_int_equal(graze_workspace_create(&ws, c, NULL), GRAZE_OK);
                for (int i = 0; i < ROUNDS; i++) {
                    graze_contact contact;
                    graze_report report = {.contacts = &contact, .capacity = 1};
                    assert_int_equal(
                        graze_check(c, ws, GRAZE_ANSWER_FIRST, q[i], 4, base[i], &report, NULL),
                        GRAZE_OK);
                    if (!report.count) continue;
                    assert_true(next[i] < count[i]); // in the same order, too
                    assert_same_contact(&contact, &all[i][next[i]++]);
                }
                graze_workspace_free(ws);
                graze_checker_free(c);
            }
    for (int i = 0; i < ROUNDS; i++) assert_int_equal(next[i], count[i]);
    free(all);
    close_scene(&s);
}

static void test_used_workspaces_answer_as_fresh_ones(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    for (uint64_t seed = 1; seed < 5; seed++) {
        scene s = make_scene(seed);
        double q[4], base[6] = {0};
        for (int i = 0; i < 120; i++) {
            double keep[6];
            memcpy(keep, base, sizeof keep);
            random_configuration(&r, q, base);
            // Often the same base again, sometimes one that differs in a single number; then what
            // was learnt of links that do not move must not be kept.
            if (i % 4) memcpy(base, keep, sizeof keep);
            if (i % 4 == 3) base[gz_random_below(&r, 6)] += 0.05;
            if (i % 7 == 0) { // an error in between
                double bad[4] = {0, NAN, 0, 0};
                graze_report report = {0};
                assert_int_equal(
                    graze_check(s.checker, s.ws, GRAZE_ANSWER_ANY, bad, 4, NULL, &report, NULL),
                    GRAZE_ERROR_RANGE);
                base[3] = 0.1;
            }
            graze_workspace *fresh;
            assert_int_equal(graze_workspace_create(&fresh, s.checker, NULL), GRAZE_OK);
            for (int answer = 0; answer < 3; answer++) {
                graze_contact one[64], two[64];
                graze_report used = {.contacts = one, .capacity = 64},
                             new = {.contacts = two, .capacity = 64};
                const double *at = i % 5 ? base : NULL;
                assert_int_equal(
                    graze_check(s.checker, s.ws, (graze_answer)answer, q, 4, at, &used, NULL),
                    GRAZE_OK);
                assert_int_equal(
                    graze_check(s.checker, fresh, (graze_answer)answer, q, 4, at, &new, NULL),
                    GRAZE_OK);
                assert_int_equal(used.verdict, new.verdict);
                assert_int_equal(used.count, new.count);
                for (size_t k = 0; k < used.count; k++) assert_same_contact(&one[k], &two[k]);
            }
            graze_workspace_free(fresh);
        }
        close_scene(&s);
    }
}

// -------------------------------------------------------------------------------- explanations

typedef struct story {
    graze_explanation told[160];
    size_t count, stop_at;
} story;

static bool listen(const graze_explanation *e, void *user) {
    story *s = user;
    assert_true(s->count < 160);
    s->told[s->count++] = *e;
    return s->count != s->stop_at;
}

static void test_explanations_report_each_pair_once_and_agree_with_all(void **state) {
    (void)state;
    scene s = make_scene(2);
    // Rules of three kinds: adjacent pairs by themselves, and two allowed pairs.
    graze_allowed_pair allowed[] = {{"l2", "l5"}, {"l3", "o0"}};
    graze_checker_options options = graze_checker_options_default();
    options.allowed = allowed;
    options.allowed_count = 2;
    graze_checker_free(s.checker);
    graze_workspace_free(s.ws);
    assert_int_equal(graze_checker_create(&s.checker, s.robot, s.world, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s.ws, s.checker, NULL), GRAZE_OK);
    gz_random r = gz_random_make(5, 0);
    size_t hidden_hits = 0, boundary = 0;
    for (int round = 0; round < 60; round++) {
        double q[4], base[6];
        random_configuration(&r, q, base);
        graze_contact all[64];
        size_t count = check_all(&s, q, base, all), at = 0;
        story t = {.stop_at = 0};
        graze_error e;
        assert_int_equal(graze_check_explain(s.checker, s.ws, q, 4, base, listen, &t, &e),
                         GRAZE_OK);
        int self[ARMS][ARMS] = {{0}}, world[ARMS][OBJECTS + 1] = {{0}};
        bool hidden_started = false;
        int32_t last_place[2] = {-1, -1};
        for (size_t i = 0; i < t.count; i++) {
            const graze_explanation *x = &t.told[i];
            assert_non_null(x->reason);
            bool hidden = x->reason[0] != '\0';
            if (x->allowed) assert_true(x->collides && hidden);
            hidden_started |= hidden;
            if (hidden_started) assert_true(hidden); // those that do not count come last
            hidden_hits += x->allowed;
            if (x->kind == GRAZE_CONTACT_BOUNDARY) boundary++;
            if (x->kind == GRAZE_CONTACT_SELF) {
                assert_true(x->link < x->other);
                int32_t place = ARMS * x->link + x->other, *last = &last_place[hidden];
                assert_true(place > *last); // in check order
                *last = place;
                self[x->link][x->other]++;
            }
            if (x->kind == GRAZE_CONTACT_WORLD) world[x->link][x->other + 1]++;
            if (!x->collides || x->allowed) continue;
            // What counts and collides is what ALL lists, in its order.
            assert_true(at < count);
            assert_same_contact(&x->contact, &all[at++]);
        }
        assert_int_equal(at, count);
        for (int a = 0; a < ARMS; a++) {
            for (int b = a + 1; b < ARMS; b++) assert_int_equal(self[a][b], 1);
            int hits = 0;
            for (int b = 1; b <= OBJECTS; b++) {
                assert_true(world[a][b] <= 1);
                if (a != 3 || b != 1) hits += world[a][b];
            }
            assert_int_equal(world[a][0], hits == 0); // one entry for all that it does not meet
        }
        // The listener may end it anywhere.
        for (size_t stop = 1; stop <= t.count; stop += 5) {
            story shorter = {.stop_at = stop};
            assert_int_equal(graze_check_explain(s.checker, s.ws, q, 4, base, listen, &shorter, &e),
                             GRAZE_OK);
            assert_int_equal(shorter.count, stop);
        }
    }
    assert_true(hidden_hits > 20 && boundary > 5);
    double q[4] = {0};
    graze_error e;
    story t = {0};
    assert_int_equal(graze_check_explain(NULL, s.ws, q, 4, NULL, listen, &t, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_explain(s.checker, s.ws, q, 4, NULL, NULL, &t, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_explain(s.checker, s.ws, q, 3, NULL, listen, &t, &e),
                     GRAZE_ERROR_ARGUMENT);
    q[2] = NAN;
    assert_int_equal(graze_check_explain(s.checker, s.ws, q, 4, NULL, listen, &t, &e),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(t.count, 0);
    close_scene(&s);
}

/// What broke: the counters of a link's second object held those of the first, too.
static void test_explanations_count_each_object_for_itself(void **state) {
    (void)state;
    text_maker t = {0};
    text_add(&t, "<robot name='one'><link name='l'><collision><geometry><box size='1 1 1'/>"
                 "</geometry></collision></link></robot>");
    scene s = {.robot = text_load(&t)};
    double size[3] = {1, 1, 1};
    assert_int_equal(graze_world_create(&s.world, "w", NULL), GRAZE_OK);
    for (int i = 0; i < 3; i++) {
        double xyz[3] = {0.3 * i + 0.1, 0.2, 0.1}, rpy[3] = {0.1, 0.2 * i, 0.3};
        graze_transform pose = graze_transform_from_xyz_rpy(xyz, rpy);
        char name[4] = {'o', (char)('0' + i), '\0', '\0'};
        assert_int_equal(graze_world_add_box(s.world, name, size, &pose, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(s.world, NULL), GRAZE_OK);
    open_scene(&s);
    story told = {0};
    assert_int_equal(graze_check_explain(s.checker, s.ws, NULL, 0, NULL, listen, &told, NULL),
                     GRAZE_OK);
    assert_int_equal(told.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(told.told[i].stats.link_pairs, 1);
        assert_int_equal(told.told[i].stats.geometry_pairs, 1);
    }
    close_scene(&s);
}

/// What broke: a check that succeeded left the message of an earlier error standing.
static void test_checks_clear_the_error_on_success(void **state) {
    (void)state;
    scene s = make_scene(7);
    double q[4] = {0};
    graze_error e;
    memset(&e, 0x7f, sizeof e);
    graze_report report = {0};
    assert_int_equal(graze_check(s.checker, s.ws, GRAZE_ANSWER_ANY, q, 4, NULL, &report, &e),
                     GRAZE_OK);
    assert_int_equal(e.status, GRAZE_OK);
    assert_int_equal(e.line, 0);
    assert_string_equal(e.message, "");
    assert_string_equal(e.element, "");
    assert_string_equal(e.file, "");
    close_scene(&s);
}

static void test_self_and_world_can_be_left_out(void **state) {
    (void)state;
    scene s = make_scene(3);
    graze_checker_options options = graze_checker_options_default();
    options.no_world = 1;
    for (int no_self = 0; no_self < 2; no_self++) {
        options.no_self = (uint32_t)no_self;
        graze_checker *c;
        graze_workspace *ws;
        assert_int_equal(graze_checker_create(&c, s.robot, s.world, &options, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&ws, c, NULL), GRAZE_OK);
        gz_random r = gz_random_make(6, 0);
        size_t found = 0;
        for (int i = 0; i < 50; i++) {
            double q[4], base[6];
            random_configuration(&r, q, base);
            graze_contact contacts[64], all[64];
            graze_report report = {.contacts = contacts, .capacity = 64};
            assert_int_equal(graze_check(c, ws, GRAZE_ANSWER_ALL, q, 4, base, &report, NULL),
                             GRAZE_OK);
            size_t count = check_all(&s, q, base, all), own = 0;
            for (size_t k = 0; k < count; k++) own += all[k].kind == GRAZE_CONTACT_SELF;
            assert_int_equal(report.count, no_self ? 0 : own);
            found += report.count;
        }
        assert_true(no_self || found > 20);
        graze_workspace_free(ws);
        graze_checker_free(c);
    }
    close_scene(&s);
}

// --------------------------------------------------------------------------------------- memory

#ifdef GRAZE_FAULTS

static void test_checker_and_workspace_survive_every_fault(void **state) {
    (void)state;
    scene s = make_scene(4);
    graze_allowed_pair allowed[] = {{"l2", "l5"}, {"l3", "o0"}};
    graze_checker_options options = graze_checker_options_default();
    options.allowed = allowed;
    options.allowed_count = 2;
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_checker *c = (graze_checker *)&s;
        graze_workspace *ws = NULL;
        graze_error e;
        gz_memory_fail_after(n, false);
        graze_status status = graze_checker_create(&c, s.robot, s.world, &options, &e);
        if (status) assert_null(c);
        if (status == GRAZE_OK) {
            ws = (graze_workspace *)&s;
            status = graze_workspace_create(&ws, c, &e);
            if (status) assert_null(ws);
        }
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        assert_int_equal(e.status, status);
        graze_workspace_free(ws);
        graze_checker_free(c);
        if (done) assert_true(n > 10);
    }
    close_scene(&s);
}

static void test_batches_survive_every_fault(void **state) {
    (void)state;
    scene s = make_scene(5);
    enum { ROWS = 200 };
    double q[ROWS][4], base[6] = {0.1, 0, 0, 0, 0, 0};
    uint8_t want[ROWS], got[ROWS];
    gz_random r = gz_random_make(7, 0);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 4; k++) q[i][k] = gz_random_range(&r, -3, 3);
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = q[0];
    batch.base_common = base;
    batch.threads = 3;
    batch.verdicts = want;
    assert_int_equal(graze_check_batch(s.checker, &batch, NULL), GRAZE_OK);
    batch.verdicts = got;
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_error e;
        memset(got, 77, sizeof got);
        gz_memory_fail_after(n, false);
        graze_status status = graze_check_batch(s.checker, &batch, &e);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(e.status, status);
        if (status == GRAZE_OK) { // fewer threads or no filter: slower, with the same answers
            assert_memory_equal(got, want, sizeof got);
        } else {
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
            for (int i = 0; i < ROWS; i++) assert_int_equal(got[i], GRAZE_UNKNOWN);
        }
        if (done) assert_true(n > 8);
    }
    // Nothing at all to be had.
    gz_memory_fail_after(1, true);
    graze_status status = graze_check_batch(s.checker, &batch, NULL);
    gz_memory_fail_after(0, false);
    assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
    for (int i = 0; i < ROWS; i++) assert_int_equal(got[i], GRAZE_UNKNOWN);
    close_scene(&s);
}

static void test_checks_allocate_nothing(void **state) {
    (void)state;
    scene s = make_scene(6);
    gz_random r = gz_random_make(8, 0);
    gz_memory_fail_after(1, true);
    for (int i = 0; i < 100; i++) {
        double q[4], base[6];
        random_configuration(&r, q, base);
        graze_contact all[64];
        check_all(&s, q, base, all);
    }
    long used = gz_memory_allocation_count();
    // The question without a status says "?" when it cannot be answered.
    double q[4] = {0};
    const char *name = graze_pose_is_collision(s.robot, s.world, q);
    gz_memory_fail_after(0, false);
    assert_int_equal(used, 0);
    assert_string_equal(name, "?");
    close_scene(&s);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_never_separate_corners_that_touch_far_from_their_frames),
        cmocka_unit_test(test_bounds_never_separate_links_that_overlap_far_from_their_frames),
        cmocka_unit_test(test_bounds_never_separate_links_from_objects_that_they_overlap),
        cmocka_unit_test(test_all_is_the_first_of_every_pair_alone),
        cmocka_unit_test(test_used_workspaces_answer_as_fresh_ones),
        cmocka_unit_test(test_explanations_report_each_pair_once_and_agree_with_all),
        cmocka_unit_test(test_explanations_count_each_object_for_itself),
        cmocka_unit_test(test_checks_clear_the_error_on_success),
        cmocka_unit_test(test_self_and_world_can_be_left_out),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_checker_and_workspace_survive_every_fault),
        cmocka_unit_test(test_batches_survive_every_fault),
        cmocka_unit_test(test_checks_allocate_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
