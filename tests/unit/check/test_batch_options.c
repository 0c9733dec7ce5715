// What a batch can be told: rows of any stride, of some columns, of floats; any order; its end
// at the first hit; all contacts; limits; the caller's workspaces. Each draw wants some of it at
// once, and every row is compared with the check of that row alone.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { ROWS = 300, WIDTH = 40, THREADS = 3, CONTACTS = 60 };
#define DRAWS TRIALS(400, 80)

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *alone, *own[THREADS];
    size_t columns;
    gz_random random;
} fixture;

/// A batch with everything that it reads and writes.
typedef struct request {
    graze_batch batch;
    double q[ROWS * WIDTH], base[ROWS * 8], rest[WIDTH];
    float q_float[ROWS * WIDTH];
    int32_t columns[WIDTH];
    uint8_t verdicts[ROWS], kinds[ROWS], outside[ROWS];
    int32_t links[ROWS], others[ROWS];
    size_t counts[ROWS], offsets[ROWS + 1], first;
    graze_contact *contacts; ///< ROWS * CONTACTS
    bool truncated;
} request;

/// What a row's own check says.
typedef struct answer {
    graze_status status;
    graze_report report;
    graze_contact contacts[CONTACTS];
} answer;

static int start(void **state) {
    static fixture f;
    graze_load_options options = graze_load_options_default();
    options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    assert_int_equal(
        graze_robot_load_urdf(&f.robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, NULL), 0);
    assert_int_equal(graze_world_create(&f.world, "w", NULL), 0);
    assert_int_equal(
        graze_world_add_file(f.world, GRAZE_SOURCE_DIR "/worlds/shelf.json", NULL, NULL), 0);
    const double low[3] = {-0.5, -0.5, -1}, high[3] = {0.5, 0.5, 1};
    assert_int_equal(graze_world_set_boundary(f.world, low, high, NULL), 0);
    assert_int_equal(graze_world_commit(f.world, NULL), 0);
    assert_int_equal(graze_checker_create(&f.checker, f.robot, f.world, NULL, NULL), 0);
    assert_int_equal(graze_workspace_create(&f.alone, f.checker, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(graze_workspace_create(&f.own[i], f.checker, NULL), 0);
    f.columns = graze_robot_q_size(f.robot);
    assert_in_range(f.columns, 10, WIDTH - 5);
    f.random = gz_random_make(77, 0);
    *state = &f;
    return 0;
}

static int end(void **state) {
    fixture *f = *state;
    graze_workspace_free(f->alone);
    for (int i = 0; i < THREADS; i++) graze_workspace_free(f->own[i]);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    return 0;
}

static bool coin(fixture *f) {
    return gz_random_range(&f->random, 0, 1) < 0.5;
}

static size_t draw(fixture *f, size_t below) {
    return (size_t)gz_random_range(&f->random, 0, (double)below) % below;
}

// ------------------------------------------------------------------------------- drawing a batch

/// Some columns in any order, without which rows are near rest: few of them collide.
static void draw_columns(fixture *f, request *a) {
    size_t count = draw(f, f->columns + 1);
    for (size_t i = 0; i < f->columns; i++) a->columns[i] = (int32_t)i;
    for (size_t i = 0; i + 1 < f->columns; i++) {
        size_t k = i + draw(f, f->columns - i);
        int32_t c = a->columns[i];
        a->columns[i] = a->columns[k];
        a->columns[k] = c;
    }
    a->batch.columns = a->columns;
    a->batch.column_count = count;
    if (coin(f)) {
        a->batch.rest = a->rest;
        for (size_t i = 0; i < f->columns; i++) a->rest[i] = gz_random_range(&f->random, -1, 1);
    }
}

static void draw_rows(fixture *f, request *a) {
    graze_batch *b = &a->batch;
    if (coin(f)) draw_columns(f, a);
    size_t row = b->columns ? b->column_count : f->columns;
    if (coin(f)) b->q_stride = row + draw(f, 5);
    bool floats = coin(f);
    double range = coin(f) ? 0.3 : 2;
    for (size_t i = 0; i < ROWS * WIDTH; i++) {
        a->q[i] = gz_random_range(&f->random, -range, range);
        a->q_float[i] = (float)a->q[i];
    }
    // A few rows that cannot be checked.
    for (size_t i = draw(f, 3); i-- > 0;) {
        size_t at = draw(f, ROWS * WIDTH / 2);
        a->q[at] = NAN;
        a->q_float[at] = INFINITY;
    }
    if (floats)
        b->q_float = a->q_float;
    else
        b->q = a->q;
    for (size_t i = 0; i < ROWS * 8; i++) a->base[i] = gz_random_range(&f->random, -0.7, 0.7);
    if (coin(f)) {
        b->base = a->base;
        b->base_stride = coin(f) ? 8 : 0;
    } else if (coin(f)) {
        b->base_common = a->base;
    }
}

static void draw_request(fixture *f, request *a) {
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_PAIR,
                                           GRAZE_ANSWER_ALL};
    graze_batch *b = &a->batch;
    *b = graze_batch_default();
    b->count = coin(f) ? 1 + draw(f, 20) : 1 + draw(f, ROWS);
    b->answer = answers[draw(f, 4)];
    b->threads = 1 + (uint32_t)draw(f, THREADS);
    draw_rows(f, a);
    b->order = coin(f) ? GRAZE_ORDER_BIT_REVERSED : GRAZE_ORDER_ROWS;
    b->stop_at_first = coin(f);
    b->first = &a->first;
    b->verdicts = a->verdicts;
    if (coin(f)) b->links = a->links;
    if (coin(f)) b->others = a->others;
    if (coin(f)) b->kinds = a->kinds;
    if (coin(f)) b->outside_limits = a->outside;
    if (coin(f) || b->answer == GRAZE_ANSWER_ALL) b->counts = a->counts;
    if (coin(f) && b->answer != GRAZE_ANSWER_ALL) b->contacts = a->contacts;
    b->truncated = &a->truncated;
    if (!coin(f)) return;
    b->workspaces = f->own;
    b->workspace_count = b->threads;
}

// ------------------------------------------------------------------------------------- the oracle

static answer check_alone(const fixture *f, const request *a, size_t row) {
    const graze_batch *b = &a->batch;
    double q[WIDTH];
    size_t size = b->columns ? b->column_count : f->columns;
    size_t first = row * (b->q_stride ? b->q_stride : size);
    graze_robot_rest(f->robot, q);
    if (b->rest) memcpy(q, b->rest, f->columns * sizeof *q);
    for (size_t k = 0; k < size; k++)
        q[b->columns ? (size_t)b->columns[k] : k] = b->q ? b->q[first + k]
                                                         : (double)b->q_float[first + k];
    const double *base = b->base ? b->base + row * (b->base_stride ? b->base_stride : 6)
                                 : b->base_common;
    answer out = {.status = GRAZE_OK};
    out.report = (graze_report){.contacts = out.contacts, .capacity = CONTACTS};
    out.status = graze_check(f->checker, f->alone, b->answer, q, f->columns, base, &out.report,
                             NULL);
    return out;
}

/// The rows in the order of the bits reversed, found by sorting what the fractions are.
static void list_order(const request *a, size_t *rows) {
    size_t count = a->batch.count, bits = 0, n = 0;
    while (((size_t)1 << bits) < count) bits++;
    for (size_t k = 0; k < (size_t)1 << bits; k++) {
        double fraction = 0;
        for (size_t i = 0; i < bits; i++)
            fraction += (double)(k >> i & 1) / (double)((size_t)2 << i);
        size_t row = (size_t)(fraction * (double)((size_t)1 << bits));
        if (a->batch.order == GRAZE_ORDER_ROWS) row = k;
        if (row < count) rows[n++] = row;
    }
    assert_int_equal(n, count);
}

static void assert_same_place(const graze_contact *a, const graze_contact *b) {
    assert_true(a->kind == b->kind && a->link == b->link && a->other == b->other);
    assert_true(a->element == b->element && a->other_element == b->other_element);
    assert_true(a->triangle == b->triangle && a->other_triangle == b->other_triangle);
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
}

static void compare_row(const request *a, size_t row, const answer *own) {
    const graze_batch *b = &a->batch;
    const graze_contact *c = own->contacts;
    bool hit = own->report.verdict == GRAZE_COLLISION, any = b->answer == GRAZE_ANSWER_ANY;
    assert_int_equal(a->verdicts[row], own->report.verdict);
    if (b->outside_limits) assert_int_equal(a->outside[row], own->report.violated_count > 0);
    if (b->counts) assert_int_equal(a->counts[row], own->report.count);
    if (b->links && (!any || !hit)) assert_int_equal(a->links[row], hit ? c->link : -1);
    if (b->others && (!any || !hit)) assert_int_equal(a->others[row], hit ? c->other : -1);
    if (b->links && hit) assert_true(a->links[row] >= 0);
    if (b->kinds && (!any || !hit)) assert_int_equal(a->kinds[row], hit ? (int)c->kind : 0);
    if (b->contacts && b->answer != GRAZE_ANSWER_ALL && hit && !any)
        assert_same_place(&a->contacts[row], c);
}

static void assert_not_done(const request *a, size_t row) {
    assert_int_equal(a->verdicts[row], GRAZE_UNKNOWN);
    if (a->batch.outside_limits) assert_int_equal(a->outside[row], 0);
    if (a->batch.counts) assert_int_equal(a->counts[row], 0);
    if (a->batch.links) assert_int_equal(a->links[row], -1);
}

/// The contacts of all rows, from the offsets that were counted, or of places for some only.
static void compare_contacts(fixture *f, request *a, const answer *own) {
    graze_batch *b = &a->batch;
    size_t done = b->offsets[b->count], missing = 0, places[ROWS];
    assert_true(done <= ROWS * CONTACTS);
    size_t most = coin(f) ? CONTACTS : draw(f, 3);
    for (size_t i = 0; i < b->count; i++) {
        assert_int_equal(a->offsets[i + 1] - a->offsets[i], a->counts[i]);
        places[i] = a->counts[i] < most ? a->counts[i] : most;
        missing += a->counts[i] - places[i];
    }
    for (size_t i = 0; i < b->count; i++) a->offsets[i + 1] = a->offsets[i] + places[i];
    b->contacts = a->contacts;
    b->contact_capacity = a->offsets[b->count];
    memset(a->contacts, 0xff, ROWS * CONTACTS * sizeof *a->contacts);
    graze_check_batch(f->checker, b, NULL);
    for (size_t i = 0; i < b->count; i++) {
        if (a->verdicts[i] == GRAZE_COLLISION) assert_int_equal(a->counts[i], own[i].report.count);
        for (size_t k = 0; a->verdicts[i] == GRAZE_COLLISION && k < places[i]; k++)
            assert_same_place(&a->contacts[a->offsets[i] + k], &own[i].contacts[k]);
    }
    assert_int_equal(a->truncated, missing > 0);
    if (b->offsets[b->count]) {
        b->contact_capacity--;
        assert_int_equal(graze_check_batch(f->checker, b, NULL), GRAZE_ERROR_ARGUMENT);
    }
    b->contacts = NULL;
}

/// Returns whether the batch ended before its last row.
static bool compare(fixture *f, request *a, answer *own) {
    graze_batch *b = &a->batch;
    size_t order[ROWS], stop = b->count, failed = SIZE_MAX;
    graze_error error;
    b->offsets = b->answer == GRAZE_ANSWER_ALL ? a->offsets : NULL;
    graze_status status = graze_check_batch(f->checker, b, &error);
    list_order(a, order);
    for (size_t i = 0; i < b->count; i++) {
        size_t row = order[i];
        if (stop < b->count) {
            assert_not_done(a, row);
            continue;
        }
        own[row] = check_alone(f, a, row);
        compare_row(a, row, &own[row]);
        if (own[row].status && row < failed) failed = row;
        if (b->stop_at_first && own[row].report.verdict != GRAZE_FREE) stop = i;
    }
    assert_int_equal(status, failed == SIZE_MAX ? GRAZE_OK : own[failed].status);
    if (failed != SIZE_MAX) assert_int_equal(atol(error.element + 4), failed);
    if (b->stop_at_first)
        assert_int_equal(a->first, stop < b->count ? order[stop] : b->count);
    else
        assert_int_equal(a->first, SIZE_MAX);
    if (b->offsets) compare_contacts(f, a, own);
    return stop + 1 < b->count;
}

static void test_rows_are_those_of_single_checks_whatever_is_wanted(void **state) {
    fixture *f = *state;
    request *a = calloc(1, sizeof *a);
    answer *own = calloc(ROWS, sizeof *own);
    a->contacts = calloc(ROWS * CONTACTS, sizeof *a->contacts);
    assert_true(a && own && a->contacts);
    size_t stopped = 0;
    for (int i = 0; i < DRAWS; i++) {
        draw_request(f, a);
        stopped += compare(f, a, own);
    }
    assert_in_range(stopped, DRAWS / 10, DRAWS * 9 / 10);
    free(a->contacts);
    free(a);
    free(own);
}

// --------------------------------------------------------------------------------------- the rest

typedef struct watch {
    size_t calls;
    uint64_t done;
    _Atomic int *cancel;
} watch;

static void note_progress(uint64_t done, uint64_t total, void *user) {
    watch *w = user;
    assert_true(done >= w->done && done <= total);
    w->done = done;
    if (++w->calls == 2 && w->cancel) atomic_store(w->cancel, 1);
}

static void test_progress_and_an_atomic_that_cancels(void **state) {
    fixture *f = *state;
    enum { MANY = 64 * 40 };
    double *q = calloc(MANY * WIDTH, sizeof *q);
    uint8_t verdicts[MANY];
    _Atomic int cancel = 0;
    watch seen = {0};
    size_t first = 7;
    assert_non_null(q);
    for (int round = 0; round < 2; round++) {
        graze_batch b = graze_batch_default();
        seen = (watch){.cancel = round ? &cancel : NULL};
        b.count = MANY;
        b.q = q;
        b.verdicts = verdicts;
        b.progress = note_progress;
        b.user = &seen;
        b.stop_at_first = 1;
        b.first = &first;
        b.cancel = (const volatile int *)&cancel;
        graze_status status = graze_check_batch(f->checker, &b, NULL);
        size_t left = 0;
        for (size_t i = 0; i < MANY; i++) left += verdicts[i] == GRAZE_UNKNOWN;
        assert_int_equal(status, round ? GRAZE_ERROR_CANCELLED : GRAZE_OK);
        assert_int_equal(left, round ? MANY - 2 * 64 : 0);
        assert_int_equal(first, round ? SIZE_MAX : MANY); // nothing is known of the rest
        assert_int_equal(seen.done, round ? 2 * 64 : MANY);
        assert_true(seen.calls >= 3);
    }
    free(q);
}

static void test_wrong_requests_are_refused(void **state) {
    fixture *f = *state;
    double q[WIDTH] = {0};
    float q_float[WIDTH] = {0};
    uint8_t verdict;
    size_t count, offsets[2] = {1, 0};
    graze_contact contact;
    int32_t column = (int32_t)f->columns;
    graze_workspace *twice[2] = {f->own[0], f->own[0]};
    graze_checker *other;
    graze_workspace *strange;
    assert_int_equal(graze_checker_create(&other, f->robot, f->world, NULL, NULL), 0);
    assert_int_equal(graze_workspace_create(&strange, other, NULL), 0);
    graze_batch good = graze_batch_default(), b;
    good.count = 1;
    good.q = q;
    good.verdicts = &verdict;
#define REFUSED assert_int_equal(graze_check_batch(f->checker, &b, NULL), GRAZE_ERROR_ARGUMENT)
    b = good, b.q_float = q_float;
    REFUSED;
    b = good, b.columns = &column, b.column_count = 1;
    REFUSED;
    column = -1;
    REFUSED;
    b = good, b.order = (graze_batch_order)7;
    REFUSED;
    b = good, b.answer = GRAZE_ANSWER_ALL;
    REFUSED;
    b.counts = &count, b.contacts = &contact, b.contact_capacity = 1;
    REFUSED;
    b.offsets = offsets;
    REFUSED;
    offsets[1] = 2;
    REFUSED;
    b = good, b.workspaces = twice;
    REFUSED;
    b.workspace_count = 2;
    REFUSED;
    b.workspaces = &strange, b.workspace_count = 1;
    REFUSED;
    b = good;
    assert_int_equal(graze_check_batch(f->checker, &b, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_prepare_batch(NULL, NULL), GRAZE_ERROR_ARGUMENT);
    graze_workspace_free(strange);
    graze_checker_free(other);
}

#ifdef GRAZE_FAULTS
/// Prepared before, no batch with the caller's workspaces needs memory.
static void test_nothing_is_allocated_with_the_callers_workspaces(void **state) {
    fixture *f = *state;
    request *a = calloc(1, sizeof *a);
    a->contacts = calloc(ROWS * CONTACTS, sizeof *a->contacts);
    assert_true(a && a->contacts);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(graze_workspace_prepare_batch(f->own[i], NULL), GRAZE_OK);
    for (int i = 0; i < DRAWS / 4; i++) {
        draw_request(f, a);
        a->batch.workspaces = f->own;
        a->batch.workspace_count = 1 + draw(f, THREADS);
        gz_memory_fail_after(1, true);
        graze_check_batch(f->checker, &a->batch, NULL);
        long count = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        assert_int_equal(count, 0);
    }
    free(a->contacts);
    free(a);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_those_of_single_checks_whatever_is_wanted),
        cmocka_unit_test(test_progress_and_an_atomic_that_cancels),
        cmocka_unit_test(test_wrong_requests_are_refused),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_nothing_is_allocated_with_the_callers_workspaces),
#endif
    };
    return cmocka_run_group_tests(tests, start, end);
}
