// Many configurations, on any number of threads, with the same results as one at a time.

#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "broad/world_query.h"
#include "check/batch_internal.h"
#include "check/call_rules.h"

/// Checkers of more pairs, or worlds of more entries, keep no worker for the next batch.
enum { KEPT_PAIRS_MAX = 8192, KEPT_ENTRIES_MAX = 65536 };

static graze_batch default_options(void) {
    return (graze_batch){.threads = 1};
}

GZ_OPTIONS_INIT(graze_batch, default_options)

// ------------------------------------------------------------------------------------------- order

static size_t reversed(size_t value, unsigned bits) {
    size_t result = 0;
    for (unsigned i = 0; i < bits; i++, value >>= 1) result = (result << 1) | (value & 1);
    return result;
}

/// The row at a position; there is none where it is not below the batch's count.
static size_t row_at(const gz_batch_run *run, size_t position) {
    return run->batch->order == GRAZE_ORDER_ROWS ? position : reversed(position, run->bits);
}

/// How many positions there are, and in how many bits these are reversed.
static void lay_out_order(gz_batch_run *run) {
    run->positions = run->batch->count;
    if (run->batch->order == GRAZE_ORDER_ROWS) return;
    for (run->positions = run->batch->count ? 1 : 0; run->positions < run->batch->count;
         run->positions *= 2)
        run->bits++;
}

// ----------------------------------------------------------------------------------------- workers

void gz_batch_worker_free(gz_batch_worker *w) {
    if (w) graze_workspace_free(w->ws);
}

void gz_workspace_drop_batch(graze_workspace *ws) {
    if (!ws->batch) return;
    if (ws->batch->has_block) gz_batch_block_free(&ws->batch->block);
    gz_free(ws->batch);
    ws->batch = NULL;
}

/// The worker of a workspace, made where it has none; NULL when out of memory.
static gz_batch_worker *worker_of(graze_workspace *ws) {
    size_t q_size = ws->checker->robot->column_count;
    if (!ws->batch)
        ws->batch = gz_calloc(1, sizeof *ws->batch + GZ_LANES * q_size * sizeof(double));
    if (ws->batch) ws->batch->ws = ws;
    return ws->batch;
}

/// Makes room for rows side by side, where the checker's filter takes them. False when out of
/// memory: then rows are checked one by one.
static bool make_block(gz_batch_worker *w) {
    const gz_filter_model *model = w->ws->checker->filter;
    if (model && !w->has_block) w->has_block = gz_batch_block_create(&w->block, model);
    return w->has_block || !model;
}

graze_status graze_workspace_prepare_batch(graze_workspace *workspace, graze_error *error) {
    if (!workspace) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "workspace is NULL");
    gz_batch_worker *w = worker_of(workspace);
    if (!w || !make_block(w)) return gz_fail_memory(error);
    gz_error_clear(error);
    return GRAZE_OK;
}

void gz_batch_renew(gz_batch_worker *w) {
    w->block.has_views = false;
    if (w->block.local_tree) w->block.local_tree->aimed = w->block.local_tree->holds = false;
}

/// Where a checker keeps a worker between batches, which is no part of what it is.
static _Atomic(gz_batch_worker *) *kept_worker(const graze_checker *c) {
    return &((graze_checker *)(uintptr_t)c)->kept_worker;
}

/// The worker that the last batch has left, or a new one; NULL when out of memory.
static gz_batch_worker *take_worker(const graze_checker *c) {
    gz_batch_worker *w = atomic_exchange(kept_worker(c), NULL);
    graze_workspace *ws;
    if (w) return w;
    if (graze_workspace_create(&ws, c, NULL)) return NULL;
    w = worker_of(ws);
    if (!w) graze_workspace_free(ws);
    return w;
}

/// The worker of a thread: of the caller's workspace, else one of the batch's own.
static gz_batch_worker *worker_at(const gz_batch_run *run, uint32_t i) {
    return run->batch->workspaces ? run->batch->workspaces[i]->batch : run->workers[i];
}

/// Makes a thread's worker ready; false when out of memory.
static bool open_worker(const gz_batch_run *run, uint32_t i) {
    gz_batch_worker *w = run->batch->workspaces ? worker_of(run->batch->workspaces[i])
                                                : (run->workers[i] = take_worker(run->checker));
    if (!w) return false;
    gz_workspace_follow(w->ws);
    w->stats = (graze_stats){0};
    w->failed_row = SIZE_MAX;
    w->has_rest = false;
    w->ws->rules = run->batch->rules;
    w->ws->left = w->ws->budget;
    if (run->filter) make_block(w);
    return true;
}

/// Leaves a worker of the batch's own to the next one, or frees it where there is one, or where it
/// is large.
static void close_worker(const gz_batch_run *run, uint32_t i) {
    worker_at(run, i)->ws->rules = NULL;
    if (run->batch->workspaces) return;
    const graze_checker *c = run->checker;
    gz_batch_worker *none = NULL, *w = run->workers[i];
    bool large = c->pair_count > KEPT_PAIRS_MAX ||
                 (c->world && c->world->object_count > KEPT_ENTRIES_MAX);
    if (large || !atomic_compare_exchange_strong(kept_worker(c), &none, w)) gz_batch_worker_free(w);
}

// ------------------------------------------------------------------------------------- one thread

/// The rows of a turn. Returns how many there are.
static size_t list_rows(const gz_batch_run *run, size_t first, gz_batch_row rows[GZ_BATCH_CHUNK]) {
    const graze_batch *b = run->batch;
    size_t count = 0, end = first + GZ_BATCH_CHUNK;
    if (end > run->positions) end = run->positions;
    if (b->order == GRAZE_ORDER_ROWS && !run->gathers) {
        const double *q = b->q ? b->q + first * run->q_size : NULL;
        for (size_t p = first; p < end; p++) {
            rows[count++] = (gz_batch_row){p, p, q};
            if (q) q += run->q_size;
        }
        return count;
    }
    for (size_t p = first; p < end; p++) {
        size_t row = row_at(run, p);
        if (row < b->count) rows[count++] = (gz_batch_row){.number = row, .position = p};
    }
    return count;
}

static void work(void *user, uint32_t index) {
    GZ_FLOAT_ENVIRONMENT;
    gz_batch_run *run = user;
    const graze_batch *b = run->batch;
    gz_batch_row rows[GZ_BATCH_CHUNK];
    for (;;) {
        size_t first = atomic_fetch_add(&run->next, GZ_BATCH_CHUNK);
        if (first >= run->positions || first >= atomic_load(&run->stop)) return;
        if (gz_is_cancelled(b->cancel)) {
            atomic_store(&run->cancelled, true);
            return;
        }
        size_t count = list_rows(run, first, rows);
        size_t done = gz_batch_check_rows(run, worker_at(run, index), rows, count);
        if (!b->progress) continue;
        done += atomic_fetch_add(&run->done, done);
        if (index == 0) b->progress(done, b->count, b->user);
    }
}

// --------------------------------------------------------------------------------------- arguments

static graze_status check_rows_given(const graze_checker *c, const graze_batch *b,
                                     graze_error *error) {
    if (b->q && b->q_float)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "q and q_float are both set; allowed: one");
    for (size_t i = 0; b->columns && i < b->column_count; i++)
        if (b->columns[i] < 0 || (size_t)b->columns[i] >= c->robot->column_count)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "columns[%zu] is %d; allowed: 0 to %zu, the columns of q", i,
                           (int)b->columns[i], c->robot->column_count - 1);
    if (b->order != GRAZE_ORDER_ROWS && b->order != GRAZE_ORDER_BIT_REVERSED)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "order is not one of the enumerators");
    return GRAZE_OK;
}

/// Where all contacts go.
static graze_status check_places(const graze_batch *b, graze_error *error) {
    if (b->answer != GRAZE_ANSWER_ALL || !b->count) return GRAZE_OK;
    if (!b->counts)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "answer of a batch is all, and counts is NULL; allowed: a number a row");
    if (!b->contacts) return GRAZE_OK;
    if (!b->offsets)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "contacts are wanted, and offsets is NULL");
    for (size_t i = 0; i < b->count; i++)
        if (b->offsets[i] > b->offsets[i + 1])
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "offsets[%zu] is %zu, and the next one %zu; allowed: ascending", i,
                           b->offsets[i], b->offsets[i + 1]);
    if (b->offsets[b->count] > b->contact_capacity)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "offsets end at %zu; allowed: up to contact_capacity, %zu",
                       b->offsets[b->count], b->contact_capacity);
    return GRAZE_OK;
}

static graze_status check_workspaces(const graze_checker *c, const graze_batch *b,
                                     graze_error *error) {
    if (!b->workspaces != !b->workspace_count || b->workspace_count > UINT32_MAX)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "workspaces is NULL, or there are %zu of them; allowed: one or more",
                       b->workspace_count);
    for (size_t i = 0; i < b->workspace_count; i++) {
        const graze_workspace *ws = b->workspaces[i];
        if (!ws || ws->checker != c)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "workspaces[%zu] is NULL, or of another checker", i);
        for (size_t k = 0; k < i; k++)
            if (b->workspaces[k] == ws)
                return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                               "workspaces[%zu] is workspaces[%zu]; allowed: one for each thread",
                               i, k);
    }
    return GRAZE_OK;
}

static graze_status check_arguments(const graze_checker *checker, const graze_batch *b,
                                    graze_error *error) {
    if (!checker || !b) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or batch is NULL");
    if (b->count && !b->verdicts) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "verdicts is NULL");
    if (b->answer != GRAZE_ANSWER_ANY && b->answer != GRAZE_ANSWER_FIRST &&
        b->answer != GRAZE_ANSWER_ALL && b->answer != GRAZE_ANSWER_PAIR)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "answer of a batch is %d; allowed: the enumerators", (int)b->answer);
    if (b->rules && !gz_rules_fit(b->rules, checker))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the rules are of another checker");
    GZ_TRY(check_rows_given(checker, b, error));
    GZ_TRY(check_places(b, error));
    return check_workspaces(checker, b, error);
}

// ------------------------------------------------------------------------------------------- batch

static gz_batch_run make_run(const graze_checker *c, const graze_batch *b, size_t contact_size) {
    gz_batch_run run = {.checker = c,
                        .batch = b,
                        .q_size = c->robot->column_count,
                        .contact_size = contact_size,
                        .any = b->answer == GRAZE_ANSWER_ANY,
                        .base_stride = b->base_stride ? b->base_stride : 6,
                        .wants_contact = (b->contacts && b->answer != GRAZE_ANSWER_ALL) ||
                                         b->links || b->others || b->kinds};
    bool stored = b->q || b->q_float || (b->columns && !b->column_count);
    run.wants_more = b->counts || b->outside_limits || b->stop_at_first;
    run.row_size = b->columns ? b->column_count : run.q_size;
    run.q_stride = b->q_stride ? b->q_stride : run.row_size;
    run.gathers = stored && (b->columns || b->q_float || b->order != GRAZE_ORDER_ROWS ||
                             run.q_stride != run.q_size);
    lay_out_order(&run);
    atomic_store_explicit(&run.stop, SIZE_MAX, memory_order_relaxed);
    // What the filter leaves keeps its order. A fixed pair that collides decides all.
    bool filters = c->filter && !gz_ruled_collision(c, b->rules) &&
                   gz_rules_only_hide(c, b->rules) && stored;
    if (filters && b->count >= GZ_BLOCK_ROWS_MIN) run.filter = c->filter->filters->batch;
    return run;
}

/// What holds until a row is done.
static void clear_rows(const gz_batch_run *run) {
    const graze_batch *b = run->batch;
    if (b->first) *b->first = SIZE_MAX;
    if (b->truncated) *b->truncated = false;
    if (!b->count) return;
    memset(b->verdicts, GRAZE_UNKNOWN, b->count);
    if (b->links) memset(b->links, 0xff, b->count * sizeof *b->links);
    if (b->others) memset(b->others, 0xff, b->count * sizeof *b->others);
    if (b->kinds) memset(b->kinds, 0, b->count);
    if (b->outside_limits) memset(b->outside_limits, 0, b->count);
    if (b->counts) memset(b->counts, 0, b->count * sizeof *b->counts);
}

/// Ends a batch at its first row that is not free: rows behind it were looked at or not as threads
/// went, and none of them counts.
static void end_at_first(gz_batch_run *run) {
    size_t stop = atomic_load(&run->stop), next = atomic_load(&run->next);
    bool known = !atomic_load(&run->cancelled);
    if (run->batch->first && known)
        *run->batch->first = stop == SIZE_MAX ? run->batch->count : row_at(run, stop);
    for (size_t p = stop; p != SIZE_MAX && ++p < run->positions && p < next;)
        if (row_at(run, p) < run->batch->count) gz_batch_forget_row(run, row_at(run, p));
}

/// The error of the lowest row that failed, over all workers; of those that count.
static graze_status lowest_error(const gz_batch_run *run, uint32_t threads, graze_error *error) {
    const gz_batch_worker *worst = NULL;
    size_t stop = atomic_load(&run->stop);
    for (uint32_t i = 0; i < threads; i++) {
        const gz_batch_worker *w = worker_at(run, i);
        if (w->failed_row == SIZE_MAX || (stop != SIZE_MAX && w->failed_row != row_at(run, stop)))
            continue;
        if (!worst || w->failed_row < worst->failed_row) worst = w;
    }
    if (!worst) return GRAZE_OK;
    if (error) {
        *error = worst->error;
        snprintf(error->element, sizeof error->element, "row %zu", worst->failed_row);
    }
    return worst->error.status;
}

/// Adds up where contacts are to go, or finds whether there was room for all.
static void end_contacts(const graze_batch *b) {
    if (b->offsets && !b->contacts) b->offsets[0] = 0;
    for (size_t i = 0; b->offsets && i < b->count; i++) {
        if (!b->contacts)
            b->offsets[i + 1] = b->offsets[i] + b->counts[i];
        else if (b->truncated && b->counts[i] > b->offsets[i + 1] - b->offsets[i])
            *b->truncated = true;
    }
}

/// Writes what is known once all threads are done.
static graze_status end_run(gz_batch_run *run, uint32_t threads, size_t stats_size,
                            graze_error *error) {
    const graze_batch *b = run->batch;
    graze_stats sum = {0};
    for (uint32_t i = 0; i < threads; i++) graze_stats_add(&sum, &worker_at(run, i)->stats);
    if (b->stop_at_first) end_at_first(run);
    if (b->stats) gz_fill(b->stats, stats_size, &sum, sizeof sum);
    if (b->answer == GRAZE_ANSWER_ALL) end_contacts(b);
    if (b->progress) b->progress(atomic_load(&run->done), b->count, b->user);
    GZ_TRY(lowest_error(run, threads, error));
    if (atomic_load(&run->cancelled)) return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    gz_error_clear(error);
    return GRAZE_OK;
}

/// How many threads are to work.
static uint32_t count_threads(const gz_batch_run *run) {
    const graze_batch *b = run->batch;
    size_t turns = (run->positions + GZ_BATCH_CHUNK - 1) / GZ_BATCH_CHUNK;
    size_t threads = b->workspaces ? b->workspace_count
                     : b->threads  ? b->threads
                                   : gz_thread_processors();
    if (threads > turns) threads = turns ? turns : 1;
    return (uint32_t)threads;
}

graze_status graze_check_batch_sized(const graze_checker *checker, const graze_batch *batch,
                                     size_t contact_size, size_t stats_size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_batch read;
    graze_status status = GZ_OPTIONS_READ(graze_batch, &read, batch, error);
    if (status == GRAZE_OK) status = check_arguments(checker, batch ? &read : NULL, error);
    if (status) return status;
    gz_batch_run run = make_run(checker, &read, contact_size);
    clear_rows(&run);
    uint32_t threads = count_threads(&run), ready = 0;
    gz_batch_worker *only;
    bool own = threads > 1 && !read.workspaces;
    run.workers = own ? gz_calloc(threads, sizeof *run.workers) : &only;
    if (!run.workers) return gz_fail_memory(error);
    while (ready < threads && open_worker(&run, ready)) ready++; // one is enough; more are a gain
    gz_thread_run(ready, work, &run);
    status = ready ? end_run(&run, ready, stats_size, error) : gz_fail_memory(error);
    for (uint32_t i = 0; i < ready; i++) close_worker(&run, i);
    if (own) gz_free(run.workers);
    return status;
}
