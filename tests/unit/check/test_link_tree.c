// The tree over the links leaves out only pairs that are apart: checks go as without it, to the
// last counter, and find what distances between the links' balls say.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "check/filters.h"
#include "graze/graze.h"
#include "kinematics/forward_kinematics.h"

#define LINKS_MOST 640

typedef enum shape { SNAKE, STAR, BUSH, HEAP } shape;

typedef struct setup {
    int links;
    double radii[LINKS_MOST]; ///< negative: no geometry
    graze_robot *robot;
    graze_checker *with, *without;
    size_t size;
} setup;

static const char *joint_type(gz_random *random, double odd) {
    static const char *const types[] = {"fixed", "prismatic", "floating", "planar"};
    if (gz_random_range(random, 0, 1) >= odd) return "continuous";
    double x = gz_random_range(random, 0, 1);
    return types[x < 0.5 ? 0 : x < 0.8 ? 1 : x < 0.9 ? 2 : 3];
}

static int parent_of(gz_random *random, shape kind, int link) {
    if (kind == SNAKE) return link - 1;
    if (kind == STAR) return link % 7 ? 0 : link - 1;
    return (int)gz_random_range(random, kind == BUSH && link > 5 ? link - 5 : 0, link);
}

/// Balls at the ends of rods, some links empty; `odd` is the part of joints that do not turn.
static void make_robot(setup *s, gz_random *random, shape kind, double odd) {
    size_t capacity = 700 * (size_t)s->links + 100, used = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    used += (size_t)snprintf(text, capacity, "<robot name='r'>");
    for (int i = 0; i < s->links; i++) {
        s->radii[i] = gz_random_range(random, 0, 1) < 0.1 ? -1
                                                          : gz_random_range(random, 0.01, 0.06);
        used += (size_t)snprintf(text + used, capacity - used, "<link name='l%d'>", i);
        if (s->radii[i] > 0)
            used += (size_t)snprintf(
                text + used, capacity - used,
                "<collision><geometry><sphere radius='%.17g'/></geometry></collision>",
                s->radii[i]);
        used += (size_t)snprintf(text + used, capacity - used, "</link>");
    }
    for (int i = 1; i < s->links; i++) {
        double range = kind == HEAP ? 0 : 0.12;
        const char *type = joint_type(random, odd);
        bool slides = strcmp(type, "prismatic") == 0;
        used += (size_t)snprintf(
            text + used, capacity - used,
            "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
            "<origin xyz='%.17g %.17g %.17g' rpy='%.17g 0 %.17g'/><axis xyz='%d 0 %d'/>%s</joint>",
            i, type, parent_of(random, kind, i), i,
            kind == STAR ? gz_random_range(random, -1, 1) : range,
            kind == STAR ? gz_random_range(random, -1, 1) : 0,
            gz_random_range(random, -1, 1) * range, gz_random_range(random, -1, 1),
            gz_random_range(random, -1, 1), i % 2, 1 - i % 2,
            slides ? "<limit lower='-0.1' upper='0.1' effort='1' velocity='1'/>" : "");
    }
    used += (size_t)snprintf(text + used, capacity - used, "</robot>");
    assert_true(used < capacity);
    graze_error error;
    if (graze_robot_load_urdf_memory(&s->robot, text, used, "test", NULL, NULL, &error))
        fail_msg("%s", error.message);
    s->size = graze_robot_q_size(s->robot);
    free(text);
}

/// One checker with a tree, however few its pairs, and one without.
static void make_checkers(setup *s, const graze_checker_options *options) {
    graze_error error;
    graze_checker **both[2] = {&s->with, &s->without};
    for (int k = 0; k < 2; k++)
        if (gz_checker_create(both[k], s->robot, NULL, options, k ? SIZE_MAX : 0, &error))
            fail_msg("%s", error.message);
    assert_true(!s->with->tree == !s->with->pair_count);
    assert_null(s->without->tree);
}

static void close_setup(setup *s) {
    graze_checker_free(s->with);
    graze_checker_free(s->without);
    graze_robot_free(s->robot);
}

static void draw(const setup *s, gz_random *random, double *q) {
    for (size_t i = 0; i < s->size; i++) q[i] = gz_random_range(random, -0.1, 0.1);
    double turn = gz_random_range(random, 0, 3);
    for (size_t i = 0; i < s->size; i++)
        if (gz_random_range(random, 0, 1) < 0.3) q[i] = gz_random_range(random, -turn, turn);
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(s->robot); j++) {
        graze_joint_info joint;
        assert_int_equal(graze_robot_joint(s->robot, j, &joint), GRAZE_OK);
        if (joint.type == GRAZE_JOINT_FLOATING) q[joint.q_index + 6] = 1;
        if (joint.type == GRAZE_JOINT_PRISMATIC)
            q[joint.q_index] = gz_random_range(random, -0.1, 0.1);
    }
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0;
}

/// Verdict, contacts and counters of all answers; returns the contacts of ALL.
static size_t compare(const setup *s, graze_workspace *const ws[2], const double *q,
                      const double *base, graze_contact *all, size_t most) {
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_PAIR,
                                           GRAZE_ANSWER_ALL};
    graze_contact *other = calloc(most, sizeof *other);
    assert_non_null(other);
    size_t count = 0;
    for (int k = 0; k < 4; k++) {
        graze_report a = {.contacts = all, .capacity = most};
        graze_report b = {.contacts = other, .capacity = most};
        graze_error error;
        if (graze_check(s->with, ws[0], answers[k], q, s->size, base, &a, &error))
            fail_msg("%s", error.message);
        assert_int_equal(graze_check(s->without, ws[1], answers[k], q, s->size, base, &b, NULL),
                         GRAZE_OK);
        assert_int_equal(a.verdict, b.verdict);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
        for (size_t i = 0; i < a.count && i < most; i++)
            if (!same_contact(&all[i], &other[i]))
                fail_msg("answer %d, contact %zu: %d %d with the tree, %d %d without", k, i,
                         all[i].link, all[i].other, other[i].link, other[i].other);
        count = a.count;
    }
    free(other);
    return count;
}

/// The pairs whose balls meet by the links' poses alone, against those of ALL.
static void compare_with_balls(const setup *s, const double *q, const double *base,
                               const graze_contact *all, size_t count) {
    static graze_transform poses[LINKS_MOST];
    assert_int_equal(graze_robot_pose(s->robot, q, s->size, base, poses, NULL), GRAZE_OK);
    size_t at = 0, hits = 0;
    for (size_t i = 0; i < s->without->pair_count; i++) {
        const gz_check_pair *p = &s->without->pairs[i];
        double d2 = 0;
        for (int k = 3; k < 12; k += 4) {
            double d = poses[p->a].m[k] - poses[p->b].m[k];
            d2 += d * d;
        }
        double gap = sqrt(d2) - s->radii[p->a] - s->radii[p->b] - p->margin;
        bool told = at < count && all[at].link == p->a && all[at].other == p->b;
        if (fabs(gap) > 1e-6 && told != (gap < 0))
            fail_msg("%d %d: gap %g, %s", p->a, p->b, gap, told ? "told" : "not told");
        at += told;
        hits += told;
    }
    assert_int_equal(hits, count);
}

typedef struct tally {
    size_t hits, free;
} tally;

static void check_robot(const setup *s, gz_random *random, int poses, const double *base,
                        tally *sum) {
    graze_workspace *ws[2];
    assert_int_equal(graze_workspace_create(&ws[0], s->with, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws[1], s->without, NULL), GRAZE_OK);
    size_t most = s->without->pair_count + 1;
    graze_contact *all = calloc(most, sizeof *all);
    double *q = calloc(s->size + 1, sizeof *q);
    assert_true(all && q);
    for (int i = 0; i < poses; i++) {
        draw(s, random, q);
        size_t count = compare(s, ws, q, base, all, most);
        compare_with_balls(s, q, base, all, count);
        sum->hits += count > 0;
        sum->free += count == 0;
    }
    free(all);
    free(q);
    graze_workspace_free(ws[0]);
    graze_workspace_free(ws[1]);
}

static void test_checks_go_as_without_the_tree(void **state) {
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < 120; seed++) {
        gz_random random = gz_random_make(seed, 0);
        static setup s;
        s = (setup){.links = 2 + (int)(seed * seed % 150)};
        make_robot(&s, &random, (shape)(seed % 4), seed % 3 ? 0 : 0.3);
        make_checkers(&s, NULL);
        const double far[6] = {1e4, -1e4, 3e3, 1, 2, 3};
        check_robot(&s, &random, 6, seed % 5 ? NULL : far, &sum);
        close_setup(&s);
    }
    assert_true(sum.hits > 100 && sum.free > 30);
}

static void test_hundreds_of_links(void **state) {
    (void)state;
    tally sum = {0};
    for (int kind = SNAKE; kind <= BUSH; kind++) {
        gz_random random = gz_random_make(99, (uint64_t)kind);
        static setup s;
        s = (setup){.links = LINKS_MOST};
        make_robot(&s, &random, (shape)kind, 0.01);
        make_checkers(&s, NULL);
        check_robot(&s, &random, 2, NULL, &sum);
        close_setup(&s);
    }
    assert_true(sum.hits > 0);
}

/// Margins of pairs, of links and of all; pairs that are allowed.
static void test_margins_and_allowed_pairs_count(void **state) {
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        gz_random random = gz_random_make(seed, 1);
        static setup s;
        s = (setup){.links = 12 + (int)(seed % 60)};
        make_robot(&s, &random, (shape)(seed % 3), 0.1);
        static char names[LINKS_MOST][16];
        for (int i = 0; i < s.links; i++) snprintf(names[i], sizeof names[i], "l%d", i);
        graze_allowed_pair allowed[30];
        graze_pair_margin margins[5];
        for (int i = 0; i < 30; i++) {
            int a = (int)gz_random_range(&random, 0, s.links);
            allowed[i] = (graze_allowed_pair){names[a], names[(a + 1 + i) % s.links]};
        }
        for (int i = 0; i < 5; i++)
            margins[i] = (graze_pair_margin){names[2 * i], i % 2 ? names[2 * i + 1] : NULL,
                                             gz_random_range(&random, 0, i == 4 ? 3 : 0.2)};
        graze_checker_options options = graze_checker_options_default();
        options.allowed = allowed;
        options.allowed_count = 30;
        options.margins = margins;
        options.margin_count = 5;
        options.margin = seed % 2 ? 0.01 : 0;
        make_checkers(&s, &options);
        check_robot(&s, &random, 8, NULL, &sum);
        close_setup(&s);
    }
    assert_true(sum.hits > 100);
}

/// A bent snake: what the tree leaves holds all that spheres do not reject, and little else.
static void test_found_are_few(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 5);
    static setup s;
    s = (setup){.links = LINKS_MOST};
    make_robot(&s, &random, SNAKE, 0);
    make_checkers(&s, NULL);
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s.with, NULL), GRAZE_OK);
    double *q = calloc(s.size, sizeof *q);
    assert_non_null(q);
    for (int i = 0; i < 5; i++) {
        for (size_t k = 0; k < s.size; k++) q[k] = 0.01 * i;
        assert_int_equal(gz_workspace_pose(ws, q, s.size, NULL, NULL), GRAZE_OK);
        assert_true(gz_link_tree_find(s.with->tree, ws->search, ws));
        size_t near = 0, found = 0;
        int32_t next = gz_link_search_next(ws->search);
        for (int32_t p = 0; p < (int32_t)s.with->pair_count; p++) {
            const gz_check_pair *pair = &s.with->pairs[p];
            bool apart = gz_links_apart(ws, pair->a, pair->b, pair->threshold);
            assert_true(apart || next == p);
            near += !apart;
            if (next != p) continue;
            found++;
            next = gz_link_search_next(ws->search);
        }
        assert_int_equal(next, -1);
        assert_true(found <= near + near / 100);
    }
    free(q);
    graze_workspace_free(ws);
    close_setup(&s);
}

/// Puts two links so far apart along (2, 3, 6), the others 20 m away and on, in float and in the
/// workspace.
static void place_pair(const setup *s, graze_workspace *ws, const gz_check_pair *p, double way,
                       float at[3][LINKS_MOST]) {
    const gz_link_tree *t = s->with->tree;
    static const double unit[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < t->link_count; i++) at[k][i] = k ? 0 : (float)(20 + 10 * (double)i);
        at[k][t->places[p->a]] = 0;
        at[k][t->places[p->b]] = (float)(way * unit[k]);
        for (size_t i = 0; i < t->link_count; i++) ws->centers[t->links[i]][k] = (double)at[k][i];
        ws->centers[p->b][k] = way * unit[k];
    }
}

/// Two links as far apart as their radii allow, and a little farther: both searches keep the pair,
/// and then leave it out. What is for rounding is in the one 2^-15 of each radius, in the other
/// 2^-20, and 2^-22 of the way from the first link.
static void test_two_links_stand_at_their_threshold(void **state) {
    (void)state;
    gz_random random = gz_random_make(9, 9);
    static setup s;
    static float at[3][LINKS_MOST], radii[LINKS_MOST];
    double q[LINKS_MOST] = {0};
    s = (setup){.links = 24};
    make_robot(&s, &random, STAR, 0);
    make_checkers(&s, NULL);
    const gz_link_tree *t = s.with->tree;
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s.with, NULL), GRAZE_OK);
    assert_int_equal(gz_workspace_pose(ws, q, s.size, NULL, NULL), GRAZE_OK);
    for (size_t i = 0; i < t->link_count; i++) radii[i] = 1;
    for (int32_t pair = 0; pair < (int32_t)s.with->pair_count; pair++) {
        const gz_check_pair *p = &s.with->pairs[pair];
        const double exact = ws->radii[p->a] + ws->radii[p->b] + t->thresholds[t->places[p->a]] +
                             t->thresholds[t->places[p->b]];
        for (int far = 0; far < 2; far++) {
            place_pair(&s, ws, p, 2 + far * 1.3e-4, at);
            gz_link_search_begin(ws->search);
            assert_true(gz_link_tree_find_balls(t, ws->search, at[0], at[1], at[2], 1, radii));
            assert_int_equal(gz_link_search_next(ws->search), far ? -1 : pair);
            place_pair(&s, ws, p, exact + far * 3e-5, at);
            gz_link_search_begin(ws->search);
            assert_true(gz_link_tree_find(t, ws->search, ws));
            assert_int_equal(gz_link_search_next(ws->search), far ? -1 : pair);
        }
    }
    graze_workspace_free(ws);
    close_setup(&s);
}

/// Distances of links far out on a snake, in float poses and in double: they differ by less than
/// what the filter leaves for it, which for neighbours is little of what their places are off.
static void test_errors_of_pairs_hold(void **state) {
    (void)state;
    gz_random random = gz_random_make(21, 21);
    static setup s;
    s = (setup){.links = 400};
    make_robot(&s, &random, SNAKE, 0);
    make_checkers(&s, NULL);
    const gz_filter_model *model = s.with->filter;
    assert_non_null(model);
    gz_batch_block block;
    assert_true(gz_batch_block_create(&block, model));
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s.with, NULL), GRAZE_OK);
    double *q = calloc(8 * s.size, sizeof *q), base[8][12], worst = 0;
    assert_non_null(q);
    for (size_t i = 0; i < 8; i++) {
        draw(&s, &random, q + i * s.size);
        assert_int_equal(gz_pose_base(NULL, base[i], NULL), GRAZE_OK);
    }
    block.unfit = 0;
    gz_filter_kernels_choose(s.with->kernels)->batch(model, q, s.size, 8, base, &block);
    assert_int_equal(block.unfit, 0);
    for (size_t lane = 0; lane < 8; lane++) {
        assert_int_equal(gz_workspace_pose(ws, q + lane * s.size, s.size, NULL, NULL), GRAZE_OK);
        for (size_t i = 0; i < model->pair_count; i++) {
            const gz_filter_pair *p = &model->pairs[i];
            const gz_filter_link *a = &model->links[p->a], *b = &model->links[p->b];
            double d2[2] = {0, 0};
            for (int k = 0; k < 3; k++) {
                double in_float = (double)block.centers[p->a][k][lane] -
                                  (double)block.centers[p->b][k][lane];
                double d = ws->centers[a->link][k] - ws->centers[b->link][k];
                d2[0] += in_float * in_float;
                d2[1] += d * d;
            }
            double gap = sqrt((double)p->apart2) - (double)a->radius - (double)b->radius;
            double off = fabs(sqrt(d2[0]) - sqrt(d2[1]));
            // The error grows with the distance, and is meant for those that are near.
            double scale = fmax(1, sqrt(d2[1]) / ((double)a->radius + (double)b->radius));
            worst = fmax(worst, off / (gap * scale));
            assert_true(gap > 0 && gap < 1.1 * ((double)a->error + (double)b->error) + 1e-5);
            if (p->b == p->a + 2 && p->b > 300)
                assert_true(gap < 0.5 * ((double)a->error + (double)b->error));
        }
    }
    printf("worst error: %.3f of its bound\n", worst);
    assert_true(worst > 1e-4 && worst < 1);
    free(q);
    gz_batch_block_free(&block);
    graze_workspace_free(ws);
    close_setup(&s);
}

/// A tree that wants no pair blinds the check: it is what checks ask.
static void test_checks_query_the_tree(void **state) {
    (void)state;
    gz_random random = gz_random_make(7, 7);
    static setup s;
    s = (setup){.links = 60};
    make_robot(&s, &random, HEAP, 0);
    graze_checker_options options = graze_checker_options_default();
    assert_int_equal(gz_checker_create(&s.with, s.robot, NULL, &options, 0, NULL), GRAZE_OK);
    gz_link_tree *t = s.with->tree;
    assert_non_null(t);
    memset(t->wanted, 0, t->levels[0].count * t->levels[0].count * sizeof *t->wanted);
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s.with, NULL), GRAZE_OK);
    double q[LINKS_MOST] = {0};
    graze_report report = {0};
    assert_int_equal(graze_check(s.with, ws, GRAZE_ANSWER_ALL, q, s.size, NULL, &report, NULL),
                     GRAZE_OK);
    assert_int_equal(report.verdict, GRAZE_FREE);
    assert_int_equal(report.stats.sphere_rejects, s.with->pair_count);
    graze_workspace_free(ws);
    close_setup(&s);
}

/// Links that pile up are looked at one by one: too many pairs are found.
static void test_piles_are_given_up(void **state) {
    (void)state;
    gz_random random = gz_random_make(8, 8);
    static setup s;
    s = (setup){.links = 200};
    make_robot(&s, &random, HEAP, 0);
    make_checkers(&s, NULL);
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s.with, NULL), GRAZE_OK);
    double q[LINKS_MOST] = {0};
    assert_int_equal(gz_workspace_pose(ws, q, s.size, NULL, NULL), GRAZE_OK);
    assert_false(gz_link_tree_find(s.with->tree, ws->search, ws));
    assert_int_equal(gz_link_search_next(ws->search), -1);
    tally sum = {0};
    check_robot(&s, &random, 2, NULL, &sum);
    graze_workspace_free(ws);
    close_setup(&s);
}

/// Batches, on one thread and on three, answer as single checks; with the same counters.
static void test_batches_answer_as_single_checks(void **state) {
    (void)state;
    enum { ROWS = 203 };
    for (int kind = SNAKE; kind <= BUSH; kind++) {
        gz_random random = gz_random_make(11, (uint64_t)kind);
        static setup s;
        s = (setup){.links = 90};
        make_robot(&s, &random, (shape)kind, 0);
        assert_int_equal(gz_checker_create(&s.with, s.robot, NULL, NULL, 0, NULL), GRAZE_OK);
        assert_non_null(s.with->tree);
        double *q = calloc(ROWS * s.size, sizeof *q);
        assert_non_null(q);
        for (size_t i = 0; i < ROWS; i++) draw(&s, &random, q + i * s.size);
        uint8_t verdicts[2][ROWS];
        graze_contact contacts[2][ROWS];
        graze_stats stats[2];
        graze_workspace *ws;
        assert_int_equal(graze_workspace_create(&ws, s.with, NULL), GRAZE_OK);
        for (uint32_t k = 0; k < 2; k++) {
            graze_batch b = graze_batch_default();
            b.count = ROWS;
            b.q = q;
            b.answer = GRAZE_ANSWER_PAIR;
            b.threads = 1 + 2 * k;
            b.verdicts = verdicts[k];
            b.contacts = contacts[k];
            b.stats = &stats[k];
            assert_int_equal(graze_check_batch(s.with, &b, NULL), GRAZE_OK);
        }
        assert_memory_equal(verdicts[0], verdicts[1], sizeof verdicts[0]);
        assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
        for (size_t i = 0; i < ROWS; i++) {
            graze_contact contact;
            graze_report report = {.contacts = &contact, .capacity = 1};
            assert_int_equal(graze_check(s.with, ws, GRAZE_ANSWER_PAIR, q + i * s.size, s.size,
                                         NULL, &report, NULL),
                             GRAZE_OK);
            assert_int_equal(report.verdict, verdicts[0][i]);
            for (int k = 0; k < 2 && report.count; k++)
                assert_true(same_contact(&contact, &contacts[k][i]));
        }
        graze_workspace_free(ws);
        free(q);
        close_setup(&s);
    }
}

static graze_world *make_world(const char *name, double radius) {
    graze_world *world;
    const graze_transform pose = graze_transform_identity();
    assert_int_equal(graze_world_create(&world, name, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "ball", radius, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    return world;
}

/// A checker of another world has the tree of the one that it comes from, also when that is gone.
static void test_versions_share_the_tree(void **state) {
    (void)state;
    gz_random random = gz_random_make(13, 13);
    static setup s;
    s = (setup){.links = 80};
    make_robot(&s, &random, BUSH, 0);
    graze_world *first = make_world("first", 0.01), *second = make_world("second", 0.02);
    graze_checker *old;
    assert_int_equal(gz_checker_create(&old, s.robot, first, NULL, 0, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_with_world(&s.with, old, second, NULL), GRAZE_OK);
    assert_non_null(old->tree);
    assert_ptr_equal(s.with->tree, old->tree);
    graze_checker_free(old);
    assert_int_equal(gz_checker_create(&s.without, s.robot, second, NULL, SIZE_MAX, NULL),
                     GRAZE_OK);
    tally sum = {0};
    graze_workspace *ws[2];
    assert_int_equal(graze_workspace_create(&ws[0], s.with, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws[1], s.without, NULL), GRAZE_OK);
    size_t most = s.without->pair_count + 100;
    graze_contact *all = calloc(most, sizeof *all);
    double *q = calloc(s.size + 1, sizeof *q);
    assert_true(all && q);
    for (int i = 0; i < 20; i++) {
        draw(&s, &random, q);
        sum.hits += compare(&s, ws, q, NULL, all, most) > 0;
    }
    assert_true(sum.hits > 0);
    free(all);
    free(q);
    graze_workspace_free(ws[0]);
    graze_workspace_free(ws[1]);
    close_setup(&s);
    graze_world_free(first);
    graze_world_free(second);
}

static void test_without_memory_nothing_is_left_behind(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    gz_random random = gz_random_make(12, 12);
    static setup s;
    s = (setup){.links = 40};
    make_robot(&s, &random, BUSH, 0.2);
    double *q = calloc(s.size + 1, sizeof *q);
    assert_non_null(q);
    draw(&s, &random, q);
    long n = 1;
    for (;; n++) {
        graze_workspace *ws = NULL;
        gz_memory_fail_after(n, false);
        graze_status status = gz_checker_create(&s.with, s.robot, NULL, NULL, 0, NULL);
        if (status == GRAZE_OK) status = graze_workspace_create(&ws, s.with, NULL);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            graze_report report = {0};
            assert_int_equal(
                graze_check(s.with, ws, GRAZE_ANSWER_ALL, q, s.size, NULL, &report, NULL),
                GRAZE_OK);
        }
        graze_workspace_free(ws);
        graze_checker_free(s.with);
        if (status == GRAZE_OK) break;
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
    }
    assert_true(n > 10);
    s.with = NULL;
    free(q);
    close_setup(&s);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks_go_as_without_the_tree),
        cmocka_unit_test(test_hundreds_of_links),
        cmocka_unit_test(test_margins_and_allowed_pairs_count),
        cmocka_unit_test(test_found_are_few),
        cmocka_unit_test(test_two_links_stand_at_their_threshold),
        cmocka_unit_test(test_errors_of_pairs_hold),
        cmocka_unit_test(test_checks_query_the_tree),
        cmocka_unit_test(test_piles_are_given_up),
        cmocka_unit_test(test_batches_answer_as_single_checks),
        cmocka_unit_test(test_versions_share_the_tree),
        cmocka_unit_test(test_without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
