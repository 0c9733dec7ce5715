// Configuration space in the plane on cases that can be told by hand. The campaign is
// tests/oracle/planar_cspace.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/planar_arm.h"
#include "planar/convex/convex_internal.h"

#define PI 3.141592653589793

static const graze_vec2 square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const graze_vec2 wedge[3] = {{0.12, 0}, {-0.08, 0.05}, {-0.08, -0.05}};
// An L: two convex parts.
static const graze_vec2 angle_iron[6] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

/// A body of one loop, and the polygons of a scene that it drives among.
typedef struct body_case {
    graze_planar_parts parts;
    graze_planar_shape obstacles[16];
    graze_planar_arm_scene scene;
} body_case;

static void make_body(body_case *b, const graze_vec2 *v, size_t count,
                      const graze_planar_scene *scene) {
    static const double lengths[1] = {0};
    static const int32_t links[8];
    assert_int_equal(graze_planar_decompose(&b->parts, &v[0].x, &count, 1, 0, NULL), GRAZE_OK);
    size_t polygons = graze_planar_scene_count(scene), n;
    for (size_t i = 0; i < polygons; i++) {
        const graze_vec2 *p = graze_planar_scene_polygon(scene, i, &n);
        assert_int_equal(graze_planar_polygon(&b->obstacles[i], &p->x, n, 0, NULL), GRAZE_OK);
    }
    b->scene = (graze_planar_arm_scene){{{0, 0}, lengths, 1},
                                        b->parts.items,
                                        links,
                                        b->parts.count,
                                        b->obstacles,
                                        polygons,
                                        false,
                                        true,
                                        graze_planar_scene_size(scene)};
}

static void free_body(body_case *b) {
    graze_planar_parts_free(&b->parts);
}

static gz_convex convex(const graze_vec2 *v, int32_t n) {
    gz_convex c;
    assert_int_equal(gz_convex_make(&c, v, n, NULL), GRAZE_OK);
    return c;
}

static void test_square_minus_triangle(void **state) {
    (void)state;
    const graze_vec2 triangle[3] = {{0, 0}, {1, 0}, {0, 1}};
    gz_convex a = convex(square, 4), b = convex(triangle, 3);
    graze_planar_cspace_vertex v[7], again[7];
    size_t count = gz_cspace_obstacle(&a, &b, v), same = 0;
    const int32_t corners = 4;
    graze_planar_scene *scene = NULL;
    graze_planar_shape part;
    assert_int_equal(graze_planar_scene_create(&scene, 4, square, &corners, 1, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_polygon(&part, &triangle[0].x, 3, 0, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_cspace_obstacle(scene, 0, &part, again, &same, NULL), GRAZE_OK);
    assert_int_equal(same, count);
    for (size_t i = 0; i < count; i++)
        assert_true(v[i].point.x == again[i].point.x && v[i].point.y == again[i].point.y);
    assert_int_equal(graze_planar_cspace_obstacle(scene, 1, &part, again, &same, NULL),
                     GRAZE_ERROR_ARGUMENT);
    graze_planar_scene_free(scene);
    // Two pairs of edges are parallel and joined: five corners of the seven.
    static const graze_vec2 wanted[5] = {{0, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, 0}};
    assert_int_equal(count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(v[i].point.x == wanted[i].x && v[i].point.y == wanted[i].y);
        assert_true(square[v[i].obstacle].x - triangle[v[i].robot].x == wanted[i].x);
        assert_true(gz_cspace_blocked(&a, &b, wanted[i])); // touching
    }
    assert_true(gz_cspace_blocked(&a, &b, (graze_vec2){0, 0}));
    assert_true(gz_cspace_blocked(&a, &b, (graze_vec2){-0.5, -0.5}));
    assert_false(gz_cspace_blocked(&a, &b, (graze_vec2){-0.5, nextafter(-0.5, -1)}));
    assert_false(gz_cspace_blocked(&a, &b, (graze_vec2){nextafter(1, 2), 0}));
    assert_true(gz_cspace_blocked(&a, &b, (graze_vec2){NAN, 0}));
}

/// A map of a square from (0, 0).
static graze_cspace square_map(double edge, uint32_t side, graze_cspace_cell *cells,
                               bool certified) {
    graze_cspace map = graze_cspace_default();
    map.width = map.height = side;
    for (int k = 0; k < 2; k++) {
        map.ranges[k][0] = 0;
        map.ranges[k][1] = edge;
    }
    map.certified = certified;
    map.cells = cells;
    return map;
}

static void test_map_of_an_angle_iron_has_its_notch(void **state) {
    (void)state;
    const graze_vec2 speck[3] = {{2, 2}, {2.125, 2}, {2, 2.125}};
    const int32_t counts[1] = {3};
    graze_planar_scene *scene = NULL;
    body_case body;
    assert_int_equal(graze_planar_scene_create(&scene, 4, speck, counts, 1, NULL), GRAZE_OK);
    make_body(&body, angle_iron, 6, scene);
    graze_cspace_cell cells[64];
    graze_cspace map = square_map(4, 8, cells, false);
    assert_int_equal(graze_planar_cspace_map(scene, body.parts.items, body.parts.count, &map, NULL),
                     GRAZE_OK);
    for (uint32_t row = 0; row < 8; row++) {
        for (uint32_t column = 0; column < 8; column++) {
            // Where the reference point is, the speck is at the rest as the iron sees it.
            graze_vec2 at = graze_planar_map_middle(&map, column, row);
            double x = 2 - at.x, y = 2 - at.y;
            bool in = x > -0.125 && y > -0.125 && x < 2 && y < 2 && (x < 1 || y < 1);
            assert_int_equal(cells[8 * row + column].state, in ? GRAZE_CSPACE_COLLIDING : 0);
        }
    }
    map.width = 0;
    assert_int_equal(graze_planar_cspace_map(scene, body.parts.items, body.parts.count, &map, NULL),
                     GRAZE_ERROR_RANGE);
    map.width = 8;
    // A budget ends in the middle of a row.
    map.budget = 11;
    map.threads = 3;
    assert_int_equal(graze_planar_cspace_map(scene, body.parts.items, body.parts.count, &map, NULL),
                     GRAZE_OK);
    for (int i = 0; i < 64; i++)
        assert_int_equal(cells[i].state == GRAZE_CSPACE_UNDECIDED, i >= 11);
    body.parts.items[0].radius = 0.1;
    assert_int_equal(graze_planar_cspace_map(scene, body.parts.items, body.parts.count, &map, NULL),
                     GRAZE_ERROR_UNSUPPORTED);
    free_body(&body);
    graze_planar_scene_free(scene);
}

/// A frame of 4 m with a hole of 3 m about its reference point: a post may be in the hole.
static void test_a_body_with_a_hole_goes_around_a_post(void **state) {
    (void)state;
    const double frame[16] = {-2,   -2,   2,    -2,  2,   2,   -2,  2,
                              -1.5, -1.5, -1.5, 1.5, 1.5, 1.5, 1.5, -1.5};
    const size_t loops[2] = {4, 4};
    const graze_vec2 post[4] = {{3.9, 3.9}, {4.1, 3.9}, {4.1, 4.1}, {3.9, 4.1}};
    const int32_t counts[1] = {4};
    enum { N = 36 };
    static graze_cspace_cell cells[N * N];
    graze_planar_scene *scene = NULL;
    graze_planar_parts body;
    assert_int_equal(graze_planar_scene_create(&scene, 8, post, counts, 1, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_decompose(&body, frame, loops, 2, 0, NULL), GRAZE_OK);
    graze_cspace map = square_map(8, N, cells, true);
    assert_int_equal(graze_planar_cspace_map(scene, body.items, body.count, &map, NULL), GRAZE_OK);
    int proved = 0;
    for (int32_t i = 0; i < N * N; i++) {
        graze_vec2 at = graze_planar_map_middle(&map, (uint32_t)i % N, (uint32_t)i / N);
        double far = fmax(fabs(at.x - 4), fabs(at.y - 4)), half = 0.5 * 8 / N;
        bool blocked = far > 1.4 && far < 2.1;
        assert_int_equal(cells[i].state >= GRAZE_CSPACE_COLLIDING, blocked);
        assert_int_equal(cells[i].link >= 0, blocked);
        proved += cells[i].state & 1;
        // All of the cell, and not less, is proved.
        if (cells[i].state == GRAZE_CSPACE_FREE_CERTIFIED)
            assert_true(far + half < 1.4 + 1e-9 || far - half > 2.1 - 1e-9);
        else if (!blocked)
            assert_true(far + half > 1.4 - 1e-9 && far - half < 2.1 + 1e-9);
        if (cells[i].state == GRAZE_CSPACE_COLLIDING_CERTIFIED)
            assert_true(far - half > 1.4 - 1e-9 && far + half < 2.1 + 1e-9);
    }
    assert_true(proved > N * N / 2);
    graze_planar_parts_free(&body);
    graze_planar_scene_free(scene);
}

/// A wall across a map of 2 m, with a gap in it.
static graze_planar_scene *walled(double gap) {
    graze_vec2 v[8] = {
        {0.9, 0},           {1.1, 0},           {1.1, 1 - gap / 2}, {0.9, 1 - gap / 2},
        {0.9, 1 + gap / 2}, {1.1, 1 + gap / 2}, {1.1, 2},           {0.9, 2}};
    const int32_t counts[2] = {4, 4};
    graze_planar_scene *scene = NULL;
    assert_int_equal(graze_planar_scene_create(&scene, 2, v, counts, 2, NULL), GRAZE_OK);
    return scene;
}

static graze_planar_leg leg_verdict(const body_case *body, graze_planar_pose from,
                                    graze_planar_pose to) {
    graze_planar_leg verdict;
    assert_int_equal(graze_planar_arm_motion(&body->scene, &from.x, &to.x, 1e-6, &verdict, NULL),
                     GRAZE_OK);
    return verdict;
}

static void test_legs_are_judged_in_between(void **state) {
    (void)state;
    graze_planar_scene *scene = walled(0.3);
    body_case body;
    make_body(&body, wedge, 3, scene);
    graze_planar_pose left = {0.5, 1, 0}, right = {1.5, 1, 0}, low = {0.5, 0.3, 0},
                      far = {1.5, 0.3, 0};
    assert_int_equal(leg_verdict(&body, left, right), GRAZE_PLANAR_LEG_FREE);
    // Both ends are free, the wall is in between.
    assert_int_equal(leg_verdict(&body, low, low), GRAZE_PLANAR_LEG_FREE);
    assert_int_equal(leg_verdict(&body, low, far), GRAZE_PLANAR_LEG_BLOCKED);
    // A turn that sweeps the tip into the wall, both headings being free.
    graze_planar_pose up = {0.8, 0.5, PI / 2}, down = {0.8, 0.5, -PI / 2};
    assert_int_equal(leg_verdict(&body, up, up), GRAZE_PLANAR_LEG_FREE);
    assert_int_equal(leg_verdict(&body, up, down), GRAZE_PLANAR_LEG_BLOCKED);
    // Touching the wall with the tip: neither proved free nor blocked.
    graze_planar_pose touch = {0.78, 0.5, 0};
    assert_int_equal(leg_verdict(&body, touch, touch), GRAZE_PLANAR_LEG_OPEN);
    graze_planar_pose out = {1.95, 1, 0};
    assert_int_equal(leg_verdict(&body, out, out), GRAZE_PLANAR_LEG_BLOCKED);
    free_body(&body);
    graze_planar_scene_free(scene);
}

/// A bar of 2 m that turns about its end at the origin, and a disk of 0.1 m.
static graze_planar_leg turn_bar(graze_vec2 disk, double angle) {
    static const double lengths[1] = {0}, from[3] = {0, 0, 0};
    static const int32_t links[1] = {0};
    graze_planar_shape bar, obstacle;
    const double to[3] = {0, 0, angle};
    graze_planar_leg verdict;
    assert_int_equal(graze_planar_capsule(&bar, (graze_vec2){0, 0}, (graze_vec2){2, 0}, 0.05, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_planar_circle(&obstacle, disk, 0.1, NULL), GRAZE_OK);
    const graze_planar_arm_scene scene = {
        {{0, 0}, lengths, 1}, &bar, links, 1, &obstacle, 1, false, true, 0};
    assert_int_equal(graze_planar_arm_motion(&scene, from, to, 1e-6, &verdict, NULL), GRAZE_OK);
    return verdict;
}

static void test_a_turning_bar_is_judged_at_every_heading(void **state) {
    (void)state;
    const graze_vec2 above = {0, 1.5}, behind = {-1.5, 0}, beyond = {0, 2.5};
    // Its edge comes to the disk at pi / 2 - asin(0.1), about 1.4706 (0.15 of 1.5 m).
    assert_int_equal(turn_bar(above, 1.47), GRAZE_PLANAR_LEG_FREE);
    assert_int_equal(turn_bar(above, 1.472), GRAZE_PLANAR_LEG_BLOCKED);
    assert_int_equal(turn_bar(above, 6), GRAZE_PLANAR_LEG_BLOCKED);
    assert_int_equal(turn_bar(above, -3), GRAZE_PLANAR_LEG_FREE);
    assert_int_equal(turn_bar(behind, 4), GRAZE_PLANAR_LEG_BLOCKED);
    assert_int_equal(turn_bar(behind, 3), GRAZE_PLANAR_LEG_FREE);
    assert_int_equal(turn_bar(beyond, 1000), GRAZE_PLANAR_LEG_FREE);
}

static void test_drive_goes_through_the_door_or_says_no(void **state) {
    (void)state;
    graze_planar_pose start = {0.3, 0.3, 0.2}, goal = {1.7, 0.4, 2.5}, inside = {1, 0.2, 0};
    graze_planar_path d;
    graze_planar_scene *scene = walled(0.3);
    body_case body;
    make_body(&body, wedge, 3, scene);
    assert_int_equal(graze_planar_drive_plan(&body.scene, &start, &goal, NULL, &d, NULL), GRAZE_OK);
    assert_int_equal(d.outcome, GRAZE_PLANAR_PATH_FOUND);
    assert_true(d.length > hypot(1.4, 0.1));
    bool through = false;
    for (size_t i = 0; i + 1 < d.pose_count; i++) {
        graze_planar_pose a = d.poses[i], b = d.poses[i + 1];
        assert_int_equal(leg_verdict(&body, a, b), GRAZE_PLANAR_LEG_FREE);
        double dx = b.x - a.x, dy = b.y - a.y;
        if (dx != 0 || dy != 0) {
            assert_true(a.heading == b.heading);
            assert_true(fabs(dx * sin(a.heading) - dy * cos(a.heading)) < 1e-11);
        }
        through |= (a.x < 1) != (b.x < 1);
    }
    assert_true(through);
    graze_planar_path_free(&d);
    assert_int_equal(graze_planar_drive_plan(&body.scene, &inside, &goal, NULL, &d, NULL),
                     GRAZE_OK);
    assert_int_equal(d.outcome, GRAZE_PLANAR_PATH_START_BLOCKED);
    assert_int_equal(d.blocker.other, 0);
    assert_int_equal(graze_planar_drive_plan(&body.scene, &start, &inside, NULL, &d, NULL),
                     GRAZE_OK);
    assert_int_equal(d.outcome, GRAZE_PLANAR_PATH_GOAL_BLOCKED);
    assert_int_equal(d.blocker.other, 0);
    graze_planar_pose above = {1, 1.8, 0}, outside = {0.01, 1, 0};
    assert_int_equal(graze_planar_drive_plan(&body.scene, &above, &goal, NULL, &d, NULL), GRAZE_OK);
    assert_int_equal(d.blocker.other, 1);
    assert_int_equal(graze_planar_drive_plan(&body.scene, &outside, &goal, NULL, &d, NULL),
                     GRAZE_OK);
    assert_int_equal(d.outcome, GRAZE_PLANAR_PATH_START_BLOCKED);
    assert_int_equal(d.blocker.other, -1);
    graze_planar_scene_free(scene);
    free_body(&body);
    // A gap narrower than the body.
    scene = walled(0.09);
    make_body(&body, wedge, 3, scene);
    assert_int_equal(graze_planar_drive_plan(&body.scene, &start, &goal, NULL, &d, NULL), GRAZE_OK);
    assert_int_equal(d.outcome, GRAZE_PLANAR_PATH_NONE);
    assert_null(d.poses);
    graze_planar_scene_free(scene);
    free_body(&body);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_planar_scene *scene = walled(0.3);
    body_case body;
    make_body(&body, wedge, 3, scene);
    graze_planar_pose start = {0.3, 0.3, 0.2}, goal = {1.7, 0.4, 2.5};
    graze_planar_drive_options o = graze_planar_drive_options_default();
    o.cells = 12;
    for (int what = 0; what < 2; what++) {
        for (long n = 1;; n++) {
            graze_cspace_cell cells[64];
            graze_cspace map = square_map(2, 8, cells, true);
            graze_planar_path d = {0};
            gz_memory_fail_after(n, n % 2 == 0);
            graze_status status =
                what == 0
                    ? graze_planar_cspace_map(scene, body.parts.items, body.parts.count, &map, NULL)
                    : graze_planar_drive_plan(&body.scene, &start, &goal, &o, &d, NULL);
            long used = gz_memory_allocation_count();
            gz_memory_fail_after(0, false);
            graze_planar_path_free(&d);
            if (status == GRAZE_OK && used < n) break;
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
            if (n > 5000) fail_msg("no end of allocations");
        }
    }
    free_body(&body);
    graze_planar_scene_free(scene);
#else
    skip();
#endif
}

static void test_turns_joined_into_one_are_judged_as_one(void **state) {
    (void)state;
    // Two turns in a place, each free at a coarse resolution, of which the sum is not.
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.count = 8;
    o.radius_min = 0.1;
    o.radius_max = 0.25;
    o.seed = 117;
    graze_planar_scene *scene = NULL;
    body_case body;
    assert_int_equal(graze_planar_scene_generate(&scene, &o, NULL), GRAZE_OK);
    make_body(&body, wedge, 3, scene);
    graze_planar_drive_options options = graze_planar_drive_options_default();
    options.cells = 17;
    options.resolution = 0x1.6c4d2458342dfp-1;
    options.turn_cost = 0x1.93404d8ced25ap-6;
    graze_planar_pose start = {0x1.69338acbd3ea4p+0, 0x1.50f5c835697d4p+0, -0x1.bbde1451c974p-2};
    graze_planar_pose goal = {0x1.09e9cf9b8aaaap-1, 0x1.271c0c6f46f6p-1, 0x1.c3c392443e18p+1};
    graze_planar_path d;
    assert_int_equal(graze_planar_drive_plan(&body.scene, &start, &goal, &options, &d, NULL),
                     GRAZE_OK);
    assert_int_equal(d.outcome, GRAZE_PLANAR_PATH_FOUND);
    for (size_t i = 0; i + 1 < d.pose_count; i++) {
        graze_planar_leg verdict;
        assert_int_equal(graze_planar_arm_motion(&body.scene, &d.poses[i].x, &d.poses[i + 1].x,
                                                 options.resolution, &verdict, NULL),
                         GRAZE_OK);
        assert_int_equal(verdict, GRAZE_PLANAR_LEG_FREE);
    }
    graze_planar_path_free(&d);
    free_body(&body);
    graze_planar_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_minus_triangle),
        cmocka_unit_test(test_map_of_an_angle_iron_has_its_notch),
        cmocka_unit_test(test_a_body_with_a_hole_goes_around_a_post),
        cmocka_unit_test(test_legs_are_judged_in_between),
        cmocka_unit_test(test_a_turning_bar_is_judged_at_every_heading),
        cmocka_unit_test(test_drive_goes_through_the_door_or_says_no),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_turns_joined_into_one_are_judged_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
