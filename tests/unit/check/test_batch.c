// Batches: the same answers as one at a time, whatever the threads, and what failed stays unknown.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "unit/trials.h"

#define ROWS TRIALS(3000, 1000)

typedef struct setup {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    double *q;
    size_t size;
} setup;

static void open_setup(setup *s) {
    graze_error error;
    graze_load_options options = graze_load_options_default();
    options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    if (graze_robot_load_urdf(&s->robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, &error))
        fail_msg("%s: %s", error.file, error.message);
    assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
    if (graze_world_add_file(s->world, GRAZE_SOURCE_DIR "/worlds/shelf.json", NULL, &error) ||
        graze_world_commit(s->world, &error))
        fail_msg("%s: %s", error.file, error.message);
    assert_int_equal(graze_checker_create(&s->checker, s->robot, s->world, NULL, NULL), GRAZE_OK);
    s->size = graze_robot_q_size(s->robot);
    s->q = malloc(ROWS * s->size * sizeof *s->q);
    assert_non_null(s->q);
    gz_random random = gz_random_make(5, 0);
    for (size_t i = 0; i < ROWS * s->size; i++) {
        graze_joint_info joint;
        graze_robot_joint(s->robot, graze_robot_q_joint(s->robot, i % s->size), &joint);
        double low = joint.limited ? joint.lower : -3.14, high = joint.limited ? joint.upper : 3.14;
        s->q[i] = gz_random_range(&random, low, high);
    }
}

static void close_setup(setup *s) {
    free(s->q);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static graze_batch batch_of(const setup *s, uint8_t *verdicts, graze_contact *contacts) {
    graze_batch b = graze_batch_default();
    b.count = ROWS;
    b.q = s->q;
    b.verdicts = verdicts;
    b.contacts = contacts;
    b.answer = GRAZE_ANSWER_FIRST;
    return b;
}

/// Equal value for value; what lies between the members of a structure is nobody's.
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
    assert_memory_equal(a->segment, b->segment, sizeof a->segment);
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    setup s;
    open_setup(&s);
    uint8_t *first = malloc(ROWS), *other = malloc(ROWS);
    graze_contact *contacts = calloc(ROWS, sizeof *contacts);
    graze_contact *more = calloc(ROWS, sizeof *more);
    assert_true(first && other && contacts && more);
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, s.checker, NULL), GRAZE_OK);
    size_t hits = 0;
    for (size_t i = 0; i < ROWS; i++) {
        graze_report report = {.contacts = &contacts[i], .capacity = 1};
        assert_int_equal(graze_check(s.checker, ws, GRAZE_ANSWER_FIRST, s.q + i * s.size, s.size,
                                     NULL, &report, NULL),
                         GRAZE_OK);
        first[i] = (uint8_t)report.verdict;
        hits += first[i];
    }
    graze_workspace_free(ws);
    assert_true(hits > ROWS / 50 && hits < ROWS);
    const uint32_t threads[] = {1, 2, 3, 8, 0};
    graze_stats reference = {0};
    for (size_t t = 0; t < 5; t++) {
        graze_batch b = batch_of(&s, other, more);
        graze_stats stats;
        b.threads = threads[t];
        b.stats = &stats;
        assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_OK);
        assert_memory_equal(first, other, ROWS);
        for (size_t i = 0; i < ROWS; i++)
            if (first[i]) assert_same_contact(&contacts[i], &more[i]);
        assert_int_equal(stats.configurations, ROWS);
        if (t == 0) reference = stats;
        assert_memory_equal(&stats, &reference, sizeof stats);
    }
    free(first);
    free(other);
    free(contacts);
    free(more);
    close_setup(&s);
}

/// The pair by name is the pair of the answer with triangles, one at a time and in a batch.
static void test_pairs_by_name_are_the_first_pairs(void **state) {
    (void)state;
    setup s;
    open_setup(&s);
    uint8_t *verdicts = malloc(ROWS), *first = malloc(ROWS);
    graze_contact *contacts = calloc(ROWS, sizeof *contacts), *named = calloc(ROWS, sizeof *named);
    graze_workspace *ws;
    assert_true(verdicts && first && contacts && named);
    assert_int_equal(graze_workspace_create(&ws, s.checker, NULL), GRAZE_OK);
    graze_batch b = batch_of(&s, first, contacts);
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_OK);
    b = batch_of(&s, verdicts, named);
    b.answer = GRAZE_ANSWER_PAIR;
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_OK);
    assert_memory_equal(verdicts, first, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        graze_contact single = {0};
        graze_report report = {.contacts = &single, .capacity = 1};
        assert_int_equal(graze_check(s.checker, ws, GRAZE_ANSWER_PAIR, s.q + i * s.size, s.size,
                                     NULL, &report, NULL),
                         GRAZE_OK);
        assert_int_equal(report.verdict, first[i]);
        if (!first[i]) continue;
        assert_same_contact(&single, &named[i]);
        const graze_contact *a = &contacts[i];
        assert_true(single.kind == a->kind && single.link == a->link &&
                    single.element == a->element && single.other == a->other &&
                    single.other_element == a->other_element);
        assert_true(single.triangle == -1 && single.other_triangle == -1 && !single.has_segment);
    }
    graze_workspace_free(ws);
    free(verdicts);
    free(first);
    free(contacts);
    free(named);
    close_setup(&s);
}

static void test_rows_that_fail_stay_unknown_and_the_lowest_is_named(void **state) {
    (void)state;
    setup s;
    open_setup(&s);
    uint8_t verdicts[ROWS];
    s.q[700 * s.size + 2] = NAN;
    s.q[123 * s.size + 1] = INFINITY;
    graze_batch b = batch_of(&s, verdicts, NULL);
    b.threads = 2;
    b.answer = GRAZE_ANSWER_ANY;
    graze_error error;
    assert_int_equal(graze_check_batch(s.checker, &b, &error), GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "row 123");
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(verdicts[i] == GRAZE_UNKNOWN, i == 123 || i == 700);
    close_setup(&s);
}

static void test_cancelled_rows_are_unknown(void **state) {
    (void)state;
    setup s;
    open_setup(&s);
    uint8_t verdicts[ROWS];
    volatile int cancel = 1;
    graze_batch b = batch_of(&s, verdicts, NULL);
    b.cancel = &cancel;
    graze_error error;
    assert_int_equal(graze_check_batch(s.checker, &b, &error), GRAZE_ERROR_CANCELLED);
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(verdicts[i], GRAZE_UNKNOWN);
    close_setup(&s);
}

static void test_base_rows_and_a_common_base_agree(void **state) {
    (void)state;
    setup s;
    open_setup(&s);
    uint8_t common[ROWS], each[ROWS];
    double base[6] = {0.1, -0.2, 0, 0, 0, 0.4};
    double *rows = malloc(ROWS * sizeof base);
    assert_non_null(rows);
    for (size_t i = 0; i < ROWS; i++) memcpy(rows + 6 * i, base, sizeof base);
    graze_batch b = batch_of(&s, common, NULL);
    b.base_common = base;
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_OK);
    b = batch_of(&s, each, NULL);
    b.base = rows;
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_OK);
    assert_memory_equal(common, each, ROWS);
    free(rows);
    close_setup(&s);
}

static void test_wrong_batches_are_refused(void **state) {
    (void)state;
    setup s;
    open_setup(&s);
    uint8_t verdicts[ROWS];
    graze_batch b = batch_of(&s, verdicts, NULL);
    b.struct_size = 0;
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_ERROR_ARGUMENT);
    b = batch_of(&s, NULL, NULL);
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_ERROR_ARGUMENT);
    b = batch_of(&s, verdicts, NULL);
    b.answer = GRAZE_ANSWER_ALL;
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_check_batch(NULL, &b, NULL), GRAZE_ERROR_ARGUMENT);
    b = graze_batch_default();
    assert_int_equal(graze_check_batch(s.checker, &b, NULL), GRAZE_OK); // no row, no answer
    close_setup(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_pairs_by_name_are_the_first_pairs),
        cmocka_unit_test(test_rows_that_fail_stay_unknown_and_the_lowest_is_named),
        cmocka_unit_test(test_cancelled_rows_are_unknown),
        cmocka_unit_test(test_base_rows_and_a_common_base_agree),
        cmocka_unit_test(test_wrong_batches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
