// A row of a batch is what the check of that row alone says, contact and error included: far from
// the origin, with values out of range, in batches of any size; and few rows cost no memory.

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
#include "base/thread.h"
#include "graze/graze.h"

#define ROWS 600

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    size_t q_size;
    double *q, base[ROWS][6];
} fixture;

static void start(fixture *f, const char *urdf, const char *srdf) {
    static const double size[3] = {0.3, 0.3, 1};
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    assert_int_equal(graze_robot_load_urdf(&f->robot, urdf, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_world_create(&f->world, "w", NULL), GRAZE_OK);
    graze_transform pose = graze_transform_identity();
    pose.m[3] = 0.9;
    pose.m[11] = 0.7;
    assert_int_equal(graze_world_add_box(f->world, "post", size, &pose, NULL), GRAZE_OK);
    pose.m[3] = -0.8;
    assert_int_equal(graze_world_add_sphere(f->world, "ball", 0.2, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f->checker, f->robot, f->world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f->workspace, f->checker, NULL), GRAZE_OK);
    f->q_size = graze_robot_q_size(f->robot);
    f->q = calloc(ROWS * f->q_size, sizeof *f->q);
    assert_non_null(f->q);
    gz_random random = gz_random_make(8, 0);
    for (size_t i = 0; i < ROWS; i++) {
        graze_robot_rest(f->robot, f->q + i * f->q_size);
        for (size_t k = 0; k < f->q_size; k++)
            f->q[i * f->q_size + k] += gz_random_range(&random, -0.8, 0.8);
        for (size_t k = 0; k < 6; k++) f->base[i][k] = gz_random_range(&random, -0.2, 0.2);
    }
}

static void end(fixture *f) {
    graze_workspace_free(f->workspace);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    free(f->q);
}

/// The contact that `any` names is some pair, without a place; that of `first` is the row's own.
static void compare_contacts(graze_answer answer, const graze_contact *c,
                             const graze_contact *contact) {
    if (answer == GRAZE_ANSWER_ANY) {
        assert_true(c->triangle == -1 && c->other_triangle == -1 && !c->has_segment);
        return;
    }
    assert_true(c->kind == contact->kind && c->link == contact->link);
    assert_true(c->other == contact->other && c->triangle == contact->triangle);
    assert_true(c->other_triangle == contact->other_triangle);
    assert_true(c->has_segment == contact->has_segment);
    assert_memory_equal(c->segment, contact->segment, sizeof contact->segment);
    assert_memory_equal(&c->point, &contact->point, sizeof contact->point);
}

/// Returns how many rows collide.
static size_t compare_answers(const fixture *f, graze_answer answer) {
    static uint8_t verdicts[ROWS];
    static graze_contact contacts[ROWS];
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = f->q;
    batch.base = &f->base[0][0];
    batch.verdicts = verdicts;
    batch.contacts = contacts;
    batch.answer = answer;
    graze_error of_batch, of_row, first = {0};
    graze_status status = graze_check_batch(f->checker, &batch, &of_batch), expected = GRAZE_OK;
    size_t hits = 0;
    for (size_t i = ROWS; i-- > 0;) {
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        graze_status s = graze_check(f->checker, f->workspace, answer, f->q + i * f->q_size,
                                     f->q_size, f->base[i], &report, &of_row);
        if (report.verdict != verdicts[i])
            fail_msg("row %zu: alone %d, in the batch %d", i, report.verdict, verdicts[i]);
        if (s) expected = s, first = of_row;
        if (report.verdict != GRAZE_COLLISION) continue;
        hits++;
        compare_contacts(answer, &contacts[i], &contact);
    }
    assert_int_equal(status, expected);
    if (status) assert_string_equal(of_batch.message, first.message);
    return hits;
}

static size_t compare_rows(const fixture *f) {
    size_t hits = compare_answers(f, GRAZE_ANSWER_FIRST);
    assert_int_equal(compare_answers(f, GRAZE_ANSWER_ANY), hits);
    return hits;
}

/// Checks the rows in batches of a few, and compares with one batch of all.
static void compare_small_batches(const fixture *f, const uint8_t *expected, size_t rows) {
    uint8_t verdicts[ROWS];
    graze_batch batch = graze_batch_default();
    for (size_t i = 0; i < ROWS; i += rows) {
        batch.count = ROWS - i < rows ? ROWS - i : rows;
        batch.q = f->q + i * f->q_size;
        batch.base = f->base[i];
        batch.verdicts = verdicts + i;
        assert_int_equal(graze_check_batch(f->checker, &batch, NULL), GRAZE_OK);
    }
    assert_memory_equal(verdicts, expected, ROWS);
}

typedef struct small_run {
    const fixture *f;
    const uint8_t *expected;
} small_run;

static void check_small(void *user, uint32_t i) {
    const small_run *run = user;
    for (size_t rows = 1 + i; rows < 20; rows += 4)
        compare_small_batches(run->f, run->expected, rows);
}

/// Threads share one checker, and so the worker that it keeps from batch to batch.
static void test_batches_of_a_few_rows_answer_as_one_of_all(void **state) {
    (void)state;
    fixture f;
    uint8_t expected[ROWS];
    start(&f, GRAZE_SOURCE_DIR "/urdf/heron.urdf", GRAZE_SOURCE_DIR "/urdf/heron.srdf");
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = f.q;
    batch.base = &f.base[0][0];
    batch.verdicts = expected;
    assert_int_equal(graze_check_batch(f.checker, &batch, NULL), GRAZE_OK);
    small_run run = {&f, expected};
    gz_thread_run(4, check_small, &run);
    end(&f);
}

#ifdef GRAZE_FAULTS
static void test_small_batches_allocate_nothing_but_the_first_time(void **state) {
    (void)state;
    fixture f;
    uint8_t verdicts[ROWS];
    start(&f, GRAZE_SOURCE_DIR "/urdf/heron.urdf", GRAZE_SOURCE_DIR "/urdf/heron.srdf");
    graze_batch batch = graze_batch_default();
    batch.q = f.q;
    batch.verdicts = verdicts;
    for (size_t rows = 1; rows <= 64; rows *= 2) {
        batch.count = rows;
        gz_memory_fail_after(1000, false);
        assert_int_equal(graze_check_batch(f.checker, &batch, NULL), GRAZE_OK);
        long count = gz_memory_allocation_count();
        gz_memory_fail_after(1, true);
        assert_int_equal(graze_check_batch(f.checker, &batch, NULL), GRAZE_OK);
        gz_memory_fail_after(0, false);
        assert_in_range(count, 0, 6);
    }
    end(&f);
}
#endif

static void test_contacts_of_a_batch_have_their_place(void **state) {
    (void)state;
    fixture f;
    start(&f, GRAZE_SOURCE_DIR "/urdf/heron.urdf", GRAZE_SOURCE_DIR "/urdf/heron.srdf");
    assert_in_range(compare_rows(&f), ROWS / 20, ROWS * 19 / 20);
    end(&f);
}

static void test_rows_out_of_range_are_unknown_in_a_batch_too(void **state) {
    (void)state;
    fixture f;
    start(&f, GRAZE_SOURCE_DIR "/urdf/two_link.urdf", NULL);
    gz_random random = gz_random_make(9, 0);
    // Where links begin to reach beyond 2^20 m, nothing else of this robot is near anything.
    for (size_t i = 0; i < ROWS; i++) f.base[i][0] = 0x1p20 - gz_random_range(&random, 0, 2);
    compare_rows(&f);
    for (size_t i = 0; i < ROWS; i++) f.base[i][i % 3] = gz_random_range(&random, -5e3, 5e3);
    compare_rows(&f);
    for (size_t i = 0; i < ROWS; i += 7) f.q[i * f.q_size] = i % 2 ? NAN : 0x1p21;
    compare_rows(&f);
    for (size_t i = 0; i < ROWS; i += 5) f.base[i][5] = i % 2 ? INFINITY : 0x1p21;
    compare_rows(&f);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_a_batch_have_their_place),
        cmocka_unit_test(test_rows_out_of_range_are_unknown_in_a_batch_too),
        cmocka_unit_test(test_batches_of_a_few_rows_answer_as_one_of_all),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_small_batches_allocate_nothing_but_the_first_time),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
