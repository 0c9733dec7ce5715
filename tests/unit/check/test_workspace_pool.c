// Workspaces that serve many checkers: rebound, and lent by a pool to any number of threads. What
// they answer is what workspaces of their own answer.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/thread.h"
#include "check/checker.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { CHECKERS = 6, SAMPLES = 40, COLUMNS = 32, CONTACTS = 64, THREADS = 8 };

/// A checker, and what its own workspace answers.
typedef struct subject {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    size_t columns;
    double q[SAMPLES][COLUMNS];
    size_t counts[SAMPLES];
    graze_contact first[SAMPLES];
} subject;

static graze_error error;

static void must(graze_status status) {
    if (status) fail_msg("%s", error.message);
}

static graze_robot *load(const char *name) {
    char urdf[512], srdf[512];
    graze_robot *robot;
    graze_load_options o = graze_load_options_default();
    snprintf(urdf, sizeof urdf, "%s/urdf/%s.urdf", GRAZE_SOURCE_DIR, name);
    snprintf(srdf, sizeof srdf, "%s/urdf/%s.srdf", GRAZE_SOURCE_DIR, name);
    o.srdf = srdf;
    must(graze_robot_load_urdf(&robot, urdf, &o, &error));
    return robot;
}

static graze_world *load_world(const char *name) {
    char path[512];
    graze_world *world;
    snprintf(path, sizeof path, "%s/worlds/%s.json", GRAZE_SOURCE_DIR, name);
    must(graze_world_create(&world, name, &error));
    must(graze_world_add_file(world, path, NULL, &error));
    must(graze_world_commit(world, &error));
    return world;
}

/// All contacts of sample `i` in a workspace; the first one.
static size_t check(const subject *s, graze_workspace *ws, int i, graze_contact *first) {
    graze_contact contacts[CONTACTS];
    graze_report report = {.contacts = contacts, .capacity = CONTACTS};
    assert_int_equal(
        graze_check(s->checker, ws, GRAZE_ANSWER_ALL, s->q[i], s->columns, NULL, &report, NULL),
        GRAZE_OK);
    if (report.count) *first = contacts[0];
    return report.count;
}

/// Whether a workspace answers sample `i` as it should, by all ways. For any thread.
static bool is_right(const subject *s, graze_workspace *ws, int i) {
    graze_contact contacts[CONTACTS];
    for (int answer = GRAZE_ANSWER_ANY; answer <= GRAZE_ANSWER_ALL; answer++) {
        graze_report report = {.contacts = contacts, .capacity = CONTACTS};
        if (graze_check(s->checker, ws, (graze_answer)answer, s->q[i], s->columns, NULL, &report,
                        NULL) ||
            (report.verdict == GRAZE_COLLISION) != (s->counts[i] > 0))
            return false;
        if (answer == GRAZE_ANSWER_ANY || !report.count) continue;
        if (contacts[0].link != s->first[i].link || contacts[0].other != s->first[i].other ||
            contacts[0].triangle != s->first[i].triangle ||
            memcmp(&contacts[0].point, &s->first[i].point, sizeof contacts[0].point) != 0)
            return false;
        if (answer == GRAZE_ANSWER_ALL && report.count != s->counts[i]) return false;
    }
    return true;
}

static void fill(subject *s, graze_robot *robot, graze_world *world, double margin, size_t tree) {
    graze_checker_options o = graze_checker_options_default();
    o.margin = margin;
    *s = (subject){.robot = robot, .world = world, .columns = graze_robot_q_size(robot)};
    assert_true(s->columns <= COLUMNS);
    must(gz_checker_create(&s->checker, robot, world, &o, tree, &error));
    graze_workspace *ws;
    must(graze_workspace_create(&ws, s->checker, &error));
    for (int i = 0; i < SAMPLES; i++) {
        must(graze_robot_sample(robot, 3, (uint64_t)i, NULL, NULL, s->q[i], &error));
        s->counts[i] = check(s, ws, i, &s->first[i]);
    }
    graze_workspace_free(ws);
}

static subject subjects[CHECKERS];

static int make_subjects(void **state) {
    (void)state;
    fill(&subjects[0], load("heron"), load_world("shelf"), 0, SIZE_MAX);
    fill(&subjects[1], load("heron"), load_world("clutter"), 0, SIZE_MAX);
    fill(&subjects[2], load("two_link"), load_world("kineval_basic"), 0, SIZE_MAX);
    fill(&subjects[3], load("six_axis"), NULL, 0.02, SIZE_MAX);
    fill(&subjects[4], load("heron"), load_world("cage"), 0.01, 1);
    fill(&subjects[5], load("heron"), load_world("kineval_random"), 0, SIZE_MAX);
    return 0;
}

static void free_subject(subject *s) {
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static int free_subjects(void **state) {
    (void)state;
    for (int i = 0; i < CHECKERS; i++) free_subject(&subjects[i]);
    return 0;
}

static void test_a_rebound_workspace_answers_as_a_new_one(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 0);
    graze_workspace *ws;
    must(graze_workspace_create(&ws, subjects[2].checker, &error));
    for (int n = 0; n < TRIALS(600, 60); n++) {
        const subject *s = &subjects[gz_random_below(&random, CHECKERS)];
        must(graze_workspace_rebind(ws, s->checker, &error));
        for (uint32_t k = gz_random_below(&random, 4); k > 0; k--)
            assert_true(is_right(s, ws, (int)gz_random_below(&random, SAMPLES)));
    }
    assert_int_equal(graze_workspace_rebind(NULL, subjects[0].checker, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_workspace_rebind(ws, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    graze_workspace_free(ws);
}

/// A version of the world per tick, one workspace: the old checker is freed before it is rebound.
static void test_a_workspace_outlives_versions_of_a_world(void **state) {
    (void)state;
    subject *s = &subjects[5];
    graze_world *world = NULL;
    graze_checker *checker = NULL;
    graze_workspace *ws;
    must(graze_workspace_create(&ws, s->checker, &error));
    gz_random random = gz_random_make(6, 0);
    for (int n = 0; n < TRIALS(60, 12); n++) {
        graze_transform pose = graze_transform_identity();
        graze_geometry g, ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.2};
        const graze_world *from = world ? world : s->world;
        char name[32];
        assert_int_equal(graze_world_object(from, gz_random_below(&random, 30), &g), GRAZE_OK);
        for (int k = 0; k < 3; k++) pose.m[4 * k + 3] = gz_random_range(&random, -1, 1);
        snprintf(name, sizeof name, "new %d", n);
        graze_world_change changes[] = {graze_world_change_default(), graze_world_change_default()};
        changes[0].name = g.name;
        changes[0].pose = &pose;
        changes[1].kind = GRAZE_CHANGE_ADD;
        changes[1].name = name;
        changes[1].pose = &pose;
        changes[1].geometry = &ball;
        graze_world *next;
        graze_checker *version;
        must(graze_world_revise(&next, from, changes, 2, &error));
        must(graze_checker_with_world(&version, checker ? checker : s->checker, next, &error));
        graze_checker_free(checker);
        graze_world_free(world);
        world = next;
        checker = version;
        must(graze_workspace_rebind(ws, checker, &error));
        subject now = {.checker = checker, .columns = s->columns};
        graze_workspace *own;
        must(graze_workspace_create(&own, checker, &error));
        memcpy(now.q, s->q, sizeof now.q);
        for (int i = 0; i < 8; i++) {
            now.counts[i] = check(&now, own, i, &now.first[i]);
            assert_true(is_right(&now, ws, i));
        }
        graze_workspace_free(own);
    }
    graze_workspace_free(ws);
    graze_checker_free(checker);
    graze_world_free(world);
}

// --------------------------------------------------------------------------------------------
// pools

typedef struct host {
    graze_workspace_pool *pool;
    graze_rules *rules; ///< of subject 0: nothing is checked
    int rounds;
    atomic_int wrong;
} host;

static void use_pool(void *user, uint32_t index) {
    host *h = user;
    gz_random random = gz_random_make(8, index);
    for (int n = 0; n < h->rounds; n++) {
        // Mostly one checker, as where a version is in use for a while.
        const subject *s =
            &subjects[gz_random_below(&random, 4) ? 0 : gz_random_below(&random, CHECKERS)];
        int i = (int)gz_random_below(&random, SAMPLES);
        graze_workspace *ws;
        bool right = graze_workspace_pool_borrow(&ws, h->pool, s->checker, NULL) == GRAZE_OK &&
                     is_right(s, ws, i);
        if (right && s == &subjects[0]) {
            graze_report report = {0};
            right = graze_check_ruled(h->rules, ws, GRAZE_ANSWER_ANY, s->q[i], s->columns, NULL,
                                      &report, NULL) == GRAZE_OK &&
                    report.verdict == GRAZE_FREE;
        }
        graze_workspace_pool_give_back(h->pool, ws);
        if (!right) atomic_fetch_add(&h->wrong, 1);
    }
}

static void test_a_pool_under_eight_threads(void **state) {
    (void)state;
    host h = {.rounds = TRIALS(2000, 150)};
    must(graze_workspace_pool_create(&h.pool, &error));
    must(graze_rules_create(&h.rules, subjects[0].checker, &error));
    must(graze_rules_keep_links(h.rules, NULL, 0, &error));
    gz_thread_run(THREADS, use_pool, &h);
    assert_int_equal(atomic_load(&h.wrong), 0);
    graze_rules_free(h.rules);
    graze_workspace_pool_free(h.pool);
}

static void test_a_pool_gives_back_what_it_was_given(void **state) {
    (void)state;
    enum { MANY = 300 };
    graze_workspace_pool *pool;
    graze_workspace *all[MANY], *again;
    must(graze_workspace_pool_create(&pool, &error));
    for (int i = 0; i < MANY; i++)
        must(graze_workspace_pool_borrow(&all[i], pool, subjects[2].checker, &error));
    for (int i = 0; i < MANY; i++) {
        for (int k = 0; k < i; k++) assert_ptr_not_equal(all[i], all[k]);
        graze_workspace_pool_give_back(pool, all[i]); // the last ones are freed
    }
    must(graze_workspace_pool_borrow(&again, pool, subjects[2].checker, &error));
    assert_ptr_equal(again, all[0]);
    graze_workspace_pool_give_back(NULL, again);
    graze_workspace_pool_give_back(pool, NULL);
    assert_int_equal(graze_workspace_pool_borrow(&again, pool, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    assert_null(again);
    assert_int_equal(graze_workspace_pool_borrow(&again, NULL, subjects[0].checker, NULL),
                     GRAZE_ERROR_ARGUMENT);
    graze_workspace_pool_free(pool);
    graze_workspace_pool_free(NULL);
}

/// The memory of a freed checker may be the next one's: a workspace must not be taken for its.
static void test_a_pool_outlives_checkers(void **state) {
    (void)state;
    graze_workspace_pool *pool;
    graze_workspace *ws;
    must(graze_workspace_pool_create(&pool, &error));
    for (int n = 0; n < 20; n++) {
        const subject *like = &subjects[n % 2 ? 2 : 0];
        subject s = *like;
        graze_robot *robot = load(n % 2 ? "two_link" : "heron");
        must(graze_checker_create(&s.checker, robot, like->world, NULL, &error));
        must(graze_workspace_pool_borrow(&ws, pool, s.checker, &error));
        for (int i = 0; i < 5; i++) assert_true(is_right(&s, ws, i));
        // A caller may rebind what it has borrowed.
        if (n % 3 == 0) must(graze_workspace_rebind(ws, subjects[1].checker, &error));
        graze_workspace_pool_give_back(pool, ws);
        must(graze_workspace_pool_borrow(&ws, pool, s.checker, &error));
        assert_true(is_right(&s, ws, 5));
        graze_workspace_pool_give_back(pool, ws);
        graze_checker_free(s.checker);
        graze_robot_free(robot);
    }
    must(graze_workspace_pool_borrow(&ws, pool, subjects[0].checker, &error));
    graze_workspace_pool_free(pool);
    assert_true(is_right(&subjects[0], ws, 0));
    graze_workspace_free(ws);
}

#ifdef GRAZE_FAULTS
/// Calls with every allocation failing in turn; how many there are.
static long fail_each(graze_status (*call)(void *user), void *user) {
    for (long n = 1;; n++) {
        gz_memory_fail_after(n, false);
        graze_status status = call(user);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) return n - 1;
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
    }
}

static graze_status rebind_to_clutter(void *user) {
    graze_status status = graze_workspace_rebind(user, subjects[1].checker, NULL);
    if (status) assert_true(is_right(&subjects[2], user, 0)); // still the other one's
    return status;
}

static graze_status borrow_for_cage(void *user) {
    graze_workspace *ws;
    graze_status status = graze_workspace_pool_borrow(&ws, user, subjects[4].checker, NULL);
    assert_true((ws != NULL) == (status == GRAZE_OK));
    if (ws) assert_true(is_right(&subjects[4], ws, 0));
    graze_workspace_pool_give_back(user, ws);
    return status;
}

static graze_status make_rules(void *user) {
    graze_rules *rules;
    const graze_contact_kind self = GRAZE_CONTACT_SELF, world = GRAZE_CONTACT_WORLD;
    (void)user;
    graze_status status = graze_rules_create(&rules, subjects[2].checker, NULL);
    for (int32_t link = 1; status == GRAZE_OK && link < 3; link++) {
        status = graze_rules_set(rules, self, link - 1, link, true, NULL);
        if (status == GRAZE_OK) status = graze_rules_set_margin(rules, world, link, 0, 0.1, NULL);
    }
    graze_rules_free(rules);
    return status;
}
#endif

static void test_without_memory_nothing_is_lost(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_workspace *ws;
    graze_workspace_pool *pool;
    must(graze_workspace_create(&ws, subjects[2].checker, &error));
    assert_true(fail_each(rebind_to_clutter, ws) >= 1);
    assert_true(is_right(&subjects[1], ws, 0));
    graze_workspace_free(ws);
    must(graze_workspace_pool_create(&pool, &error));
    must(graze_workspace_pool_borrow(&ws, pool, subjects[2].checker, &error));
    graze_workspace_pool_give_back(pool, ws);
    assert_true(fail_each(borrow_for_cage, pool) >= 1);
    assert_true(fail_each(make_rules, NULL) >= 3);
    // A pool that is warm allocates nothing, nor does a workspace that has been large enough.
    gz_memory_fail_after(1, true);
    for (int i = 0; i < 10; i++) {
        must(graze_workspace_pool_borrow(&ws, pool, subjects[4].checker, &error));
        assert_true(is_right(&subjects[4], ws, i));
        graze_workspace_pool_give_back(pool, ws);
    }
    must(graze_workspace_pool_borrow(&ws, pool, subjects[2].checker, &error));
    assert_true(is_right(&subjects[2], ws, 0));
    gz_memory_fail_after(0, false);
    graze_workspace_pool_give_back(pool, ws);
    graze_workspace_pool_free(pool);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rebound_workspace_answers_as_a_new_one),
        cmocka_unit_test(test_a_workspace_outlives_versions_of_a_world),
        cmocka_unit_test(test_a_pool_under_eight_threads),
        cmocka_unit_test(test_a_pool_gives_back_what_it_was_given),
        cmocka_unit_test(test_a_pool_outlives_checkers),
        cmocka_unit_test(test_without_memory_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, make_subjects, free_subjects);
}
