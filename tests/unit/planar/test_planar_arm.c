// Arms with links of any shape on cases that can be told by hand. The campaign is
// tests/oracle/planar_arms.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/planar_arm.h"

#define PI 3.141592653589793

static const double lengths[3] = {1, 1, 1}, zero[3] = {0, 0, 0};

/// An arm of capsules, and one disk.
typedef struct arm_case {
    graze_planar_shape links[3], obstacle;
    int32_t of[3];
    graze_planar_arm_scene scene;
} arm_case;

static void make(arm_case *c, int32_t links, double radius, graze_vec2 center, double disk) {
    memset(c, 0, sizeof *c);
    for (int32_t i = 0; i < links; i++) {
        c->of[i] = i;
        assert_int_equal(graze_planar_capsule(&c->links[i], (graze_vec2){0, 0}, (graze_vec2){1, 0},
                                              radius, NULL),
                         GRAZE_OK);
    }
    assert_int_equal(graze_planar_circle(&c->obstacle, center, disk, NULL), GRAZE_OK);
    c->scene = (graze_planar_arm_scene){
        {{0, 0}, lengths, links}, c->links, c->of, (size_t)links, &c->obstacle, 1, false, false, 0};
}

static graze_planar_arm_pair clearance(const arm_case *c, double a, double b) {
    graze_planar_arm_pair pair;
    const double q[3] = {a, b, 0};
    assert_int_equal(graze_planar_arm_clearance(&c->scene, q, &pair, NULL), GRAZE_OK);
    return pair;
}

static void test_clearance_of_links_with_width(void **state) {
    (void)state;
    arm_case c;
    make(&c, 2, 0.125, (graze_vec2){2, 1}, 0.25);
    // Stretched along x: the tip is 1 below the disk.
    graze_planar_arm_pair p = clearance(&c, 0, 0);
    assert_true(fabs(p.distance - 0.625) <= p.error && p.error > 0 && p.error < 1e-12);
    assert_int_equal(p.shape, 1);
    assert_int_equal(p.other, 0);
    assert_false(p.self);
    // Upwards and to the right: the second link ends in the disk's rim's direction.
    p = clearance(&c, PI / 2, -PI / 2);
    assert_true(fabs(p.distance - (1 - 0.375)) <= 1e-12);
    graze_planar_shape placed[2];
    const double q[2] = {PI / 2, -PI / 2};
    assert_int_equal(graze_planar_arm_place(&c.scene, q, placed, NULL), GRAZE_OK);
    assert_true(fabs(placed[1].vertices[1].x - 1) < 1e-15 &&
                fabs(placed[1].vertices[1].y - 1) < 1e-15);
}

static void test_links_that_no_joint_connects_collide_where_wanted(void **state) {
    (void)state;
    arm_case c;
    make(&c, 3, 0.125, (graze_vec2){9, 9}, 0.25);
    // A triangle of three links: the third one's tip lies on the first one's joint.
    const double q[3] = {0, 2 * PI / 3, 2 * PI / 3};
    graze_planar_arm_pair p;
    assert_int_equal(graze_planar_arm_clearance(&c.scene, q, &p, NULL), GRAZE_OK);
    assert_true(p.distance > 5);
    c.scene.self = true;
    assert_int_equal(graze_planar_arm_clearance(&c.scene, q, &p, NULL), GRAZE_OK);
    assert_true(fabs(p.distance + 0.25) < 1e-12);
    assert_true(p.self && p.shape == 2 && p.other == 0);
}

enum { N = 64 };

/// A map over all angles of the first two joints.
static graze_cspace angles(graze_cspace_cell *cells, bool certified) {
    graze_cspace map = graze_cspace_default();
    map.width = map.height = N;
    for (int k = 0; k < 2; k++) {
        map.ranges[k][0] = -PI;
        map.ranges[k][1] = PI;
    }
    map.certified = certified;
    map.cells = cells;
    return map;
}

static void test_map_says_free_blocked_and_proved(void **state) {
    (void)state;
    static graze_cspace_cell sampled[N * N], cells[N * N];
    arm_case c;
    make(&c, 2, 0.05, (graze_vec2){0.9, 0.7}, 0.3);
    graze_cspace map = angles(sampled, false), proofs = angles(cells, true);
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_arm_map(&c.scene, &proofs, NULL), GRAZE_OK);
    int blocked = 0, proved = 0;
    for (int32_t i = 0; i < N * N; i++) {
        graze_vec2 at = graze_planar_map_middle(&map, (uint32_t)i % N, (uint32_t)i / N);
        graze_planar_arm_pair p = clearance(&c, at.x, at.y);
        assert_int_equal(sampled[i].state,
                         p.distance < 0 ? GRAZE_CSPACE_COLLIDING : GRAZE_CSPACE_FREE);
        assert_int_equal(cells[i].state & 2, sampled[i].state & 2);
        assert_int_equal(sampled[i].link, cells[i].link);
        assert_int_equal(sampled[i].link >= 0, p.distance < 0);
        blocked += p.distance < 0;
        proved += cells[i].state & 1;
        // Half a cell moves no point by more than this; farther from contact, all is proved.
        double most = 2 * 3 * PI / N;
        if (p.distance > most) assert_int_equal(cells[i].state, GRAZE_CSPACE_FREE_CERTIFIED);
        if (p.distance < -most) assert_int_equal(cells[i].state, GRAZE_CSPACE_COLLIDING_CERTIFIED);
    }
    assert_true(blocked > 100 && blocked < N * N / 2 && proved > N * N * 3 / 4);
}

static void note_progress(uint64_t done, uint64_t total, void *user) {
    uint64_t *last = user;
    assert_true(done >= *last && done <= total);
    *last = done;
}

/// The same cells for any number of threads, with a budget, too, which leaves the rest undecided.
static void test_threads_and_budget(void **state) {
    (void)state;
    static graze_cspace_cell one[N * N], cells[N * N];
    static uint8_t rows[N];
    arm_case c;
    make(&c, 2, 0.05, (graze_vec2){0.9, 0.7}, 0.3);
    for (int certified = 0; certified < 2; certified++) {
        for (uint64_t budget = 0; budget < 3000; budget = 2 * budget + 1000) {
            graze_cspace map = angles(one, certified), parallel = angles(cells, certified);
            uint64_t done = 0, left = 0;
            map.budget = parallel.budget = budget;
            parallel.threads = budget ? 7 : UINT32_MAX; // as many as are of use
            parallel.progress = note_progress;
            parallel.user = &done;
            parallel.rows = rows;
            assert_int_equal(graze_planar_arm_map(&c.scene, &map, NULL), GRAZE_OK);
            assert_int_equal(graze_planar_arm_map(&c.scene, &parallel, NULL), GRAZE_OK);
            assert_memory_equal(one, cells, sizeof one);
            for (int i = 0; i < N * N; i++) left += cells[i].state == GRAZE_CSPACE_UNDECIDED;
            assert_int_equal(left, N * N - done);
            assert_int_equal(left > 0, budget > 0);
            if (budget && !certified) assert_int_equal(done, budget);
            assert_int_equal(rows[N - 1], 1);
        }
    }
    int stop = 1;
    graze_cspace map = angles(cells, true);
    map.cancel = &stop;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, NULL), GRAZE_ERROR_CANCELLED);
    assert_int_equal(cells[0].state, GRAZE_CSPACE_UNDECIDED);
}

static void test_path_goes_around_a_disk(void **state) {
    (void)state;
    static graze_cspace_cell cells[N * N];
    arm_case c;
    make(&c, 2, 0.05, (graze_vec2){1.6, 0}, 0.3);
    graze_cspace map = angles(cells, true);
    graze_planar_path path;
    graze_vec2 start = {-1, 0}, goal = {1, 0}, inside = {0, 0}, out = {4, 0};
    graze_error e;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_arm_plan(&c.scene, &map, start, goal, &path, NULL), GRAZE_OK);
    assert_int_equal(path.outcome, GRAZE_PLANAR_PATH_FOUND);
    assert_true(path.pose_count > 2 && path.length > 2);
    assert_memory_equal(&path.poses[0].x, &start, sizeof start);
    assert_memory_equal(&path.poses[path.pose_count - 1].x, &goal, sizeof goal);
    for (size_t i = 0; i + 1 < path.pose_count; i++)
        for (int k = 0; k <= 1000; k++) {
            graze_planar_pose a = path.poses[i], b = path.poses[i + 1];
            double s = k / 1000.0;
            assert_true(clearance(&c, a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)).distance > 0);
        }
    graze_planar_path_free(&path);
    assert_null(path.poses);
    // The straight motion, and ends in contact.
    graze_planar_leg verdict;
    assert_int_equal(graze_planar_arm_motion(&c.scene, &start.x, &goal.x, 1e-6, &verdict, NULL),
                     GRAZE_OK);
    assert_int_equal(verdict, GRAZE_PLANAR_LEG_BLOCKED);
    assert_int_equal(graze_planar_arm_motion(&c.scene, &start.x, &start.x, 1e-6, &verdict, NULL),
                     GRAZE_OK);
    assert_int_equal(verdict, GRAZE_PLANAR_LEG_FREE);
    assert_int_equal(graze_planar_arm_plan(&c.scene, &map, inside, goal, &path, NULL), GRAZE_OK);
    assert_int_equal(path.outcome, GRAZE_PLANAR_PATH_START_BLOCKED);
    assert_int_equal(path.blocker.shape, 1);
    assert_int_equal(graze_planar_arm_plan(&c.scene, &map, start, inside, &path, NULL), GRAZE_OK);
    assert_int_equal(path.outcome, GRAZE_PLANAR_PATH_GOAL_BLOCKED);
    assert_int_equal(graze_planar_arm_plan(&c.scene, &map, start, out, &path, &e),
                     GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "the goal is (4, 0)"));
}

/// The first link hits from q0 = -0.2 to 0.2 whatever q1 is: no way through.
static void test_no_path_through_a_wall(void **state) {
    (void)state;
    static graze_cspace_cell cells[N * N];
    arm_case c;
    make(&c, 2, 0.05, (graze_vec2){0.8, 0}, 0.1);
    graze_cspace map = angles(cells, true);
    graze_planar_path path;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, NULL), GRAZE_OK);
    assert_int_equal(
        graze_planar_arm_plan(&c.scene, &map, (graze_vec2){-1, 0}, (graze_vec2){1, 0}, &path, NULL),
        GRAZE_OK);
    assert_int_equal(path.outcome, GRAZE_PLANAR_PATH_NONE);
    assert_null(path.poses);
    assert_true(path.reached > N * N / 4 && path.reached < N * N / 2 + N);
}

static void test_what_is_refused(void **state) {
    (void)state;
    graze_cspace_cell cell;
    graze_error e;
    graze_planar_arm_pair pair;
    arm_case c;
    make(&c, 2, 0.05, (graze_vec2){0.8, 0}, 0.1);
    graze_cspace map = angles(&cell, true);
    map.width = map.height = 1;
    map.columns[0] = 1;
    const double wild[2] = {NAN, 0};
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, &e), GRAZE_ERROR_ARGUMENT);
    map.columns[0] = 0;
    map.ranges[1][1] = 0x1p11;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "angle 1 is 2048"));
    map.ranges[1][0] = NAN;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "the range of y is nan to 2048"));
    map.width = GRAZE_CSPACE_SIZE_MAX + 1;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, &e), GRAZE_ERROR_RANGE);
    map.cells = NULL;
    assert_int_equal(graze_planar_arm_map(&c.scene, &map, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_arm_map(&c.scene, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_arm_clearance(&c.scene, wild, &pair, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "angle 0 is nan"));
    c.of[0] = 1;
    c.of[1] = 0;
    assert_int_equal(graze_planar_arm_clearance(&c.scene, zero, &pair, &e), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "shape 1 is of link 0; allowed: 1 to 1"));
    c.of[0] = 0;
    c.links[0].radius = -1;
    assert_int_equal(graze_planar_arm_clearance(&c.scene, zero, &pair, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "shape 0: "));
    c.scene.shape_count = 0;
    assert_int_equal(graze_planar_arm_clearance(&c.scene, zero, &pair, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_arm_clearance(NULL, zero, &pair, &e), GRAZE_ERROR_ARGUMENT);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    static graze_cspace_cell cells[N * N];
    arm_case c;
    make(&c, 2, 0.05, (graze_vec2){1.6, 0}, 0.3);
    graze_cspace map = angles(cells, true);
    for (int plan = 0; plan < 2; plan++) {
        for (long n = 1;; n++) {
            graze_planar_path path = {0};
            gz_memory_fail_after(n, false);
            graze_status status = plan ? graze_planar_arm_plan(&c.scene, &map, (graze_vec2){-1, 0},
                                                               (graze_vec2){1, 0}, &path, NULL)
                                       : graze_planar_arm_map(&c.scene, &map, NULL);
            long used = gz_memory_allocation_count();
            gz_memory_fail_after(0, false);
            graze_planar_path_free(&path);
            if (status == GRAZE_OK && used < n) break;
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
            if (n > 100) fail_msg("no end of allocations");
        }
    }
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clearance_of_links_with_width),
        cmocka_unit_test(test_links_that_no_joint_connects_collide_where_wanted),
        cmocka_unit_test(test_map_says_free_blocked_and_proved),
        cmocka_unit_test(test_threads_and_budget),
        cmocka_unit_test(test_path_goes_around_a_disk),
        cmocka_unit_test(test_no_path_through_a_wall),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
