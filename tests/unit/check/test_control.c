// What control loops rest on: workspaces in the caller's memory, budgets of work, the stack that a
// check takes.

#include <math.h>
#include <pthread.h>
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
#include "unit/mesh/mesh_maker.h"
#include "unit/robot/robot_text_maker.h"
#include "unit/trials.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

typedef struct scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
} scene;

/// Three links in a row with boxes and curved shapes, and a mesh on the last one; a base that
/// stands still.
static graze_robot *make_robot(gz_random *r) {
    text_maker t = {0};
    text_add(&t, "<robot name='r'><link name='base'><collision><geometry>"
                 "<box size='0.4 0.4 0.4'/></geometry></collision></link>");
    static const char *const shapes[3] = {"<box size='0.2 0.2 0.7'/>",
                                          "<capsule radius='0.1' length='0.5'/>",
                                          "<cylinder radius='0.15' length='0.5'/>"};
    for (int i = 0; i < 3; i++) {
        text_add(&t,
                 "<link name='l%d'><collision><origin xyz='0 0 0.4'/><geometry>%s</geometry>"
                 "</collision><collision><origin xyz='0.1 0 0.2'/><geometry>"
                 "<sphere radius='0.12'/></geometry></collision></link>",
                 i, shapes[i]);
        text_add(&t,
                 "<joint name='j%d' type='continuous'><parent link='%s'/><child link='l%d'/>"
                 "<origin xyz='0 0 0.6'/><axis xyz='%d 1 0'/></joint>",
                 i,
                 i == 0   ? "base"
                 : i == 1 ? "l0"
                          : "l1",
                 i, i);
    }
    text_add(&t, "</robot>");
    graze_robot *robot = text_load(&t), *out;
    graze_world *w;
    graze_geometry g;
    maker m = {0};
    maker_torus(&m, 0.3, 0.08, 24, 12);
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(w, "ring", m.v, m.nv, m.t, m.nt, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_object(w, 0, &g), GRAZE_OK);
    graze_attachment a = {.struct_size = sizeof a,
                          .name = "ring",
                          .link = "l2",
                          .pose = maker_pose(r, 0.2),
                          .geometry = &g};
    assert_int_equal(graze_robot_attach(&out, robot, &a, NULL), GRAZE_OK);
    maker_free(&m);
    graze_world_free(w);
    graze_robot_free(robot);
    return out;
}

static graze_world *make_world(gz_random *r, int objects) {
    graze_world *w;
    double points[3 * 300];
    char name[32];
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    for (int i = 0; i < objects; i++) {
        maker m = {0};
        graze_transform pose = maker_pose(r, 1.8);
        snprintf(name, sizeof name, "o%d", i);
        maker_sphere(&m, (const double[3]){0, 0, 0}, 0.25, 8, 10);
        if (i % 3 == 0) m.nt -= 7; // open: for caps
        assert_int_equal(graze_world_add_mesh(w, name, m.v, m.nv, m.t, m.nt, &pose, NULL),
                         GRAZE_OK);
        maker_free(&m);
    }
    for (int i = 0; i < 900; i++) points[i] = gz_random_range(r, -2, 2);
    if (objects % 2)
        assert_int_equal(graze_world_add_points(w, "cloud", points, 300, 0.02, NULL, NULL),
                         GRAZE_OK);
    // Off a corner of the base, which it does not touch, though their boxes overlap.
    maker m = {0};
    maker_sphere(&m, (const double[3]){0.36, 0.36, 0.36}, 0.25, 8, 10);
    assert_int_equal(graze_world_add_mesh(w, "near base", m.v, m.nv, m.t, m.nt, NULL, NULL),
                     GRAZE_OK);
    maker_free(&m);
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

static void open_scene(scene *s, uint64_t seed, int objects, graze_policy policy, double margin) {
    gz_random r = gz_random_make(91, seed);
    graze_checker_options o = graze_checker_options_default();
    o.policy = policy;
    if (margin > 0) o.margin = margin;
    s->robot = make_robot(&r);
    s->world = make_world(&r, objects);
    graze_error e;
    if (graze_checker_create(&s->checker, s->robot, s->world, &o, &e)) fail_msg("%s", e.message);
    assert_int_equal(graze_workspace_create(&s->ws, s->checker, NULL), GRAZE_OK);
}

static void close_scene(scene *s) {
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static void draw_q(uint64_t seed, uint64_t i, double q[3]) {
    gz_random r = gz_random_make(seed, i);
    for (int k = 0; k < 3; k++) q[k] = gz_random_range(&r, -3, 3);
}

// ------------------------------------------------------------------------- workspaces in memory

static void assert_same_answer(const scene *s, graze_workspace *other, const double q[3]) {
    for (int answer = 0; answer < 4; answer++) {
        graze_contact a[8], b[8];
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        graze_report ra = {.contacts = a, .capacity = 8}, rb = {.contacts = b, .capacity = 8};
        assert_int_equal(
            graze_check(s->checker, s->ws, (graze_answer)answer, q, 3, NULL, &ra, NULL), GRAZE_OK);
        assert_int_equal(
            graze_check(s->checker, other, (graze_answer)answer, q, 3, NULL, &rb, NULL), GRAZE_OK);
        assert_int_equal(ra.verdict, rb.verdict);
        assert_int_equal(ra.count, rb.count);
        for (size_t i = 0; i < ra.count && i < 8; i++) {
            assert_true(a[i].link == b[i].link && a[i].other == b[i].other);
            assert_true(a[i].triangle == b[i].triangle);
            assert_true(a[i].other_triangle == b[i].other_triangle);
            assert_memory_equal(&a[i].point, &b[i].point, sizeof a[i].point);
        }
    }
}

static void test_workspace_in_the_callers_memory(void **state) {
    (void)state;
    for (int objects = 3; objects < 100; objects += 93) { // without and with a tree near the robot
        scene s;
        open_scene(&s, 1, objects, GRAZE_POLICY_SOLID, 0);
        size_t size = graze_workspace_size(s.checker);
        assert_true(size > 1000);
        unsigned char *block = malloc(size + 3 * GRAZE_WORKSPACE_ALIGNMENT);
        assert_non_null(block);
        memset(block, 0xa5, size + 3 * GRAZE_WORKSPACE_ALIGNMENT);
        unsigned char *at = block + GRAZE_WORKSPACE_ALIGNMENT -
                            (uintptr_t)block % GRAZE_WORKSPACE_ALIGNMENT;
        graze_workspace *ws;
        graze_error e;
        assert_int_equal(graze_workspace_place(&ws, s.checker, at, size - 1, &e),
                         GRAZE_ERROR_ARGUMENT);
        assert_null(ws);
        assert_int_equal(graze_workspace_place(&ws, s.checker, at + 8, size + 64, &e),
                         GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_workspace_place(&ws, s.checker, NULL, size, &e),
                         GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_workspace_place(&ws, NULL, at, size, &e), GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_workspace_place(NULL, s.checker, at, size, &e),
                         GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_workspace_place(&ws, s.checker, at, size, &e), GRAZE_OK);
        for (uint64_t i = 0; i < 50; i++) {
            double q[3];
            draw_q(5, i, q);
            assert_same_answer(&s, ws, q);
        }
        for (size_t i = 0; i < GRAZE_WORKSPACE_ALIGNMENT; i++) assert_int_equal(at[size + i], 0xa5);
        graze_workspace_free(ws);
        memset(at, 0, size); // still there
        free(block);
        close_scene(&s);
    }
    assert_int_equal(graze_workspace_size(NULL), 0);
}

// --------------------------------------------------------------------------------------- budgets

typedef struct outcome {
    graze_status status;
    graze_verdict verdict;
    size_t count;
    uint64_t work;
} outcome;

static outcome check(const scene *s, graze_workspace *ws, graze_answer answer, const double q[3],
                     uint64_t budget) {
    graze_report r = {0};
    assert_int_equal(graze_workspace_set_budget(ws, budget, NULL), GRAZE_OK);
    graze_status status = graze_check(s->checker, ws, answer, q, 3, NULL, &r, NULL);
    return (outcome){status, r.verdict, r.count, graze_workspace_work(ws)};
}

/// What a budget may change: an answer to none, and never the other way round.
static void assert_budget_holds(const scene *s, graze_answer answer, const double q[3],
                                uint64_t budget, const outcome *truth) {
    outcome got = check(s, s->ws, answer, q, budget);
    assert_true(got.work <= budget);
    if (got.status == GRAZE_OK) {
        assert_int_equal(got.verdict, truth->verdict);
        assert_int_equal(got.count, truth->count);
    } else {
        assert_int_equal(got.status, GRAZE_ERROR_BUDGET);
        assert_int_equal(got.work, budget);
        assert_int_equal(got.verdict, got.count ? GRAZE_COLLISION : GRAZE_UNKNOWN);
        assert_true(got.count <= truth->count);
        if (answer == GRAZE_ANSWER_ANY || answer == GRAZE_ANSWER_PAIR)
            assert_int_equal(got.count, 0);
    }
    // Whatever the workspace did before.
    graze_workspace *fresh;
    assert_int_equal(graze_workspace_create(&fresh, s->checker, NULL), GRAZE_OK);
    outcome again = check(s, fresh, answer, q, budget);
    graze_workspace_free(fresh);
    assert_int_equal(again.status, got.status);
    assert_int_equal(again.verdict, got.verdict);
    assert_int_equal(again.count, got.count);
    assert_int_equal(again.work, got.work);
}

static void test_spent_budget_is_never_free(void **state) {
    (void)state;
    static const graze_policy policies[3] = {GRAZE_POLICY_SOLID, GRAZE_POLICY_CAP,
                                             GRAZE_POLICY_SURFACE};
    int spent = 0, free_in_time = 0, hits = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        scene s;
        open_scene(&s, seed, seed % 3 == 2 ? 70 : 5 + (int)seed % 2, policies[seed % 3],
                   seed > 3 ? 0.01 : 0);
        for (uint64_t i = 0; i < TRIALS(60, 8); i++) {
            double q[3];
            draw_q(7 + seed, i, q);
            for (int answer = 0; answer < 4; answer++) {
                graze_answer a = (graze_answer)answer;
                outcome truth = check(&s, s.ws, a, q, 0),
                        whole = check(&s, s.ws, a, q, UINT64_MAX / 2);
                assert_int_equal(truth.status, GRAZE_OK);
                assert_int_equal(whole.status, GRAZE_OK);
                assert_int_equal(whole.verdict, truth.verdict);
                hits += truth.verdict == GRAZE_COLLISION;
                // One unit more than is needed is enough; one less, and none, need not be.
                assert_budget_holds(&s, a, q, whole.work + 1, &truth);
                assert_int_equal(check(&s, s.ws, a, q, whole.work + 1).status, GRAZE_OK);
                for (uint64_t budget = 1; budget <= whole.work; budget += 1 + budget / 3) {
                    assert_budget_holds(&s, a, q, budget, &truth);
                    spent += check(&s, s.ws, a, q, budget).status == GRAZE_ERROR_BUDGET;
                }
                free_in_time += truth.verdict == GRAZE_FREE && whole.work > 0;
            }
        }
        close_scene(&s);
    }
    assert_true(spent > 500 && free_in_time > 10 && hits > 50);
}

/// A box in the hole of a ring, whose tube is above it: of the two times that the way up crosses
/// the surface, one alone would prove it inside. Every budget ends somewhere else on that way.
static void test_budget_spent_on_a_winding_number(void **state) {
    (void)state;
    text_maker t = {0};
    text_add(&t,
             "<robot name='r'><link name='base'><collision><geometry><box size='0.02 0.02 0.02'/>"
             "</geometry></collision></link></robot>");
    scene s = {.robot = text_load(&t)};
    maker m = {0};
    const double upright[3] = {0, acos(0), 0}, origin[3] = {0, 0, 0};
    graze_transform pose = graze_transform_from_xyz_rpy(origin, upright);
    maker_torus(&m, 0.5, 0.1, 60, 40);
    assert_int_equal(graze_world_create(&s.world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(s.world, "ring", m.v, m.nv, m.t, m.nt, &pose, NULL),
                     GRAZE_OK);
    maker_free(&m);
    assert_int_equal(graze_world_commit(s.world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&s.checker, s.robot, s.world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s.ws, s.checker, NULL), GRAZE_OK);
    uint64_t most = 0;
    for (int i = -40; i <= 40; i++)
        for (int k = -3; k <= 3; k++) {
            const double base[6] = {0.002 * k, 0.0041 * i, 0.003 * i, 0, 0, 0};
            graze_status status = GRAZE_ERROR_BUDGET;
            for (uint64_t budget = 1; status == GRAZE_ERROR_BUDGET; budget++) {
                graze_report r = {0};
                assert_int_equal(graze_workspace_set_budget(s.ws, budget, NULL), GRAZE_OK);
                status = graze_check(s.checker, s.ws, GRAZE_ANSWER_FIRST, NULL, 0, base, &r, NULL);
                assert_int_equal(r.verdict, status ? GRAZE_UNKNOWN : GRAZE_FREE);
                most = budget > most ? budget : most;
            }
            assert_int_equal(status, GRAZE_OK);
        }
    assert_true(most > 30);
    close_scene(&s);
}

static void test_contacts_under_a_budget(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 1, 6, GRAZE_POLICY_SOLID, 0);
    graze_contact_pair all[32], few[32];
    int cut = 0;
    for (uint64_t i = 0; i < 40; i++) {
        double q[3];
        draw_q(3, i, q);
        graze_contacts_options o = graze_contacts_options_default();
        o.manifolds = 0;
        graze_contact_report whole = {.pairs = all, .pair_capacity = 32};
        assert_int_equal(graze_workspace_set_budget(s.ws, UINT64_MAX - 1, NULL), GRAZE_OK);
        assert_int_equal(graze_check_contacts(s.checker, s.ws, q, 3, NULL, &o, &whole, NULL),
                         GRAZE_OK);
        uint64_t work = graze_workspace_work(s.ws);
        graze_contact_report cut_off = {.pairs = few, .pair_capacity = 32};
        assert_int_equal(graze_workspace_set_budget(s.ws, work / 2 + 1, NULL), GRAZE_OK);
        graze_status status = graze_check_contacts(s.checker, s.ws, q, 3, NULL, &o, &cut_off, NULL);
        if (status == GRAZE_OK) continue;
        assert_int_equal(status, GRAZE_ERROR_BUDGET);
        assert_int_equal(cut_off.verdict, cut_off.pair_count ? GRAZE_COLLISION : GRAZE_UNKNOWN);
        assert_true(cut_off.pair_count <= whole.pair_count);
        assert_true(cut_off.triangle_count <= whole.triangle_count);
        cut++;
    }
    assert_true(cut > 5);
    close_scene(&s);
}

static void test_figures_of_work(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 2, 5, GRAZE_POLICY_SOLID, 0);
    uint64_t most = 0;
    assert_int_equal(graze_workspace_most_work(s.ws), 0);
    for (uint64_t i = 0; i < 100; i++) {
        double q[3];
        draw_q(11, i, q);
        uint64_t work = check(&s, s.ws, GRAZE_ANSWER_FIRST, q, 0).work;
        most = work > most ? work : most;
        assert_int_equal(graze_workspace_most_work(s.ws), most);
    }
    assert_true(most > 10);
    graze_workspace_reset_work(s.ws);
    assert_int_equal(graze_workspace_work(s.ws), 0);
    assert_int_equal(graze_workspace_most_work(s.ws), 0);
    assert_int_equal(graze_workspace_set_budget(NULL, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_workspace_set_coherent(NULL, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_workspace_work(NULL), 0);
    assert_int_equal(graze_workspace_most_work(NULL), 0);
    graze_workspace_reset_work(NULL);
    close_scene(&s);
}

/// Explanations and posed checks go on after a budget was spent.
static void test_spent_budget_is_forgotten(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 3, 5, GRAZE_POLICY_SOLID, 0);
    double q[3];
    for (uint64_t i = 0; i < 30; i++) {
        draw_q(13, i, q);
        outcome truth = check(&s, s.ws, GRAZE_ANSWER_ALL, q, 0);
        check(&s, s.ws, GRAZE_ANSWER_ALL, q, 1);
        outcome again = check(&s, s.ws, GRAZE_ANSWER_ALL, q, 0);
        assert_int_equal(again.status, GRAZE_OK);
        assert_int_equal(again.verdict, truth.verdict);
        assert_int_equal(again.count, truth.count);
    }
    close_scene(&s);
}

// ----------------------------------------------------------------------------------------- stack

#ifndef SANITIZED
#define PAINTED ((size_t)512 * 1024)

typedef struct painted {
    const scene *s;
    const double *q;
    graze_contact_pair pairs[16];
    graze_triangle_pair triangles[64];
    graze_error error;
    graze_report report;
    graze_contact_report list;
} painted;

static void *run_all(void *user) {
    painted *p = user;
    const scene *s = p->s;
    for (int answer = 0; answer < 4; answer++)
        graze_check(s->checker, s->ws, (graze_answer)answer, p->q, 3, NULL, &p->report, &p->error);
    p->list = (graze_contact_report){
        .pairs = p->pairs, .triangles = p->triangles, .pair_capacity = 16, .triangle_capacity = 64};
    graze_check_contacts(s->checker, s->ws, p->q, 3, NULL, NULL, &p->list, &p->error);
    const double bad[3] = {NAN, 0, 0};
    graze_check(s->checker, s->ws, GRAZE_ANSWER_ANY, bad, 3, NULL, &p->report, &p->error);
    return NULL;
}

/// How many bytes of its stack a thread has written to.
static size_t stack_used(painted *work) {
    unsigned char *stack = NULL;
    assert_int_equal(posix_memalign((void **)&stack, 65536, PAINTED), 0);
    memset(stack, 0x5a, PAINTED);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, PAINTED), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_all, work), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < PAINTED && stack[untouched] == 0x5a) untouched++;
    free(stack);
    return PAINTED - untouched;
}
#endif

static void test_stack_is_enough(void **state) {
    (void)state;
#ifdef SANITIZED
    skip();
#else
    static painted work;
    static const graze_policy policies[3] = {GRAZE_POLICY_SOLID, GRAZE_POLICY_CAP,
                                             GRAZE_POLICY_SURFACE};
    size_t most = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        scene s;
        open_scene(&s, seed, seed % 2 ? 71 : 9, policies[seed % 3], seed > 2 ? 0.01 : 0);
        for (uint64_t i = 0; i < TRIALS(40, 8); i++) {
            double q[3];
            draw_q(17, i, q);
            work.s = &s;
            work.q = q;
            size_t used = stack_used(&work);
            most = used > most ? used : most;
        }
        close_scene(&s);
    }
    print_message("a thread that checks has used %zu bytes of stack at most\n", most);
    // The rest is for deeper trees over points than there are here.
    assert_true(most <= GRAZE_CHECK_STACK / 4);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workspace_in_the_callers_memory),
        cmocka_unit_test(test_spent_budget_is_never_free),
        cmocka_unit_test(test_budget_spent_on_a_winding_number),
        cmocka_unit_test(test_contacts_under_a_budget),
        cmocka_unit_test(test_figures_of_work),
        cmocka_unit_test(test_spent_budget_is_forgotten),
        cmocka_unit_test(test_stack_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
