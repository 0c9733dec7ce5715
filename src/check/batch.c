#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "broad/world_query.h"
#include "check/call_rules.h"
#include "check/filters.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"

static void lay_out_block(gz_batch_block *b, const gz_filter_model *m, gz_arena *arena) {
    size_t candidates = gz_filter_candidates_max(m);
    b->rows = gz_arena_array(arena, m->q_size, GZ_LANES * sizeof *b->rows);
    b->differs = gz_arena_array(arena, m->q_size, sizeof *b->differs);
    b->motions = gz_arena_array(arena, m->body_count, sizeof *b->motions);
    b->moved = gz_arena_array(arena, m->body_count, sizeof *b->moved);
    b->poses = gz_arena_array(arena, m->body_count, sizeof *b->poses);
    b->centers = gz_arena_array(arena, m->link_count, sizeof *b->centers);
    b->boxes = gz_arena_array(arena, m->link_count, sizeof *b->boxes);
    b->box_ready = gz_arena_array(arena, m->link_count, sizeof *b->box_ready);
    b->views = gz_arena_array(arena, m->object_count, sizeof *b->views);
    b->seen = gz_arena_array(arena, m->object_count, sizeof *b->seen);
    b->items = gz_arena_array(arena, m->pair_count + 1, GZ_LANES * sizeof *b->items);
    b->pairs = gz_arena_array(arena, m->pair_count, sizeof *b->pairs);
    b->candidates = gz_arena_array(arena, candidates, sizeof *b->candidates);
    b->lane_pairs = gz_arena_array(arena, m->pair_count, sizeof *b->lane_pairs);
    b->lane_candidates = gz_arena_array(arena, candidates, sizeof *b->lane_candidates);
    b->lane_scenes = gz_arena_array(arena, candidates, sizeof *b->lane_scenes);
}

bool gz_batch_block_create(gz_batch_block *b, const gz_filter_model *m) {
    *b = (gz_batch_block){0};
    gz_arena arena = {0};
    lay_out_block(b, m, &arena);
    bool ok = gz_arena_create(&arena);
    if (ok) {
        b->memory = arena.memory;
        lay_out_block(b, m, &arena);
        memset(b->rows, 0, m->q_size * GZ_LANES * sizeof *b->rows);
        ok = (!m->tree || gz_link_search_create(&b->search, m->tree)) &&
             gz_local_tree_create(&b->local_tree, m->large);
    }
    if (!ok) gz_batch_block_free(b);
    return ok;
}

void gz_batch_block_free(gz_batch_block *b) {
    gz_link_search_free(b->search);
    gz_local_tree_free(b->local_tree);
    gz_free(b->memory);
    *b = (gz_batch_block){0};
}

/// Rows of a body's rotation in one lane, each with a coordinate of a point.
static void gather_rows(float (*pose)[GZ_LANES], size_t lane, const float point[3], gz_f4 row[3]) {
    for (int k = 0; k < 3; k++)
        row[k] = gz_f4_set(pose[4 * k][lane], pose[4 * k + 1][lane], pose[4 * k + 2][lane],
                           point[k]);
}

bool gz_batch_pair_place(const gz_filter_model *m, const gz_batch_block *block,
                         const gz_batch_pair *own, size_t lane, gz_proxy_pair *pair) {
    const gz_filter_pair *p = &m->pairs[own->own];
    if (!p->has_proxies) return false; // large links: in double, with the larger one second
    float(*a)[GZ_LANES] = block->poses[m->links[p->a].body];
    float(*b)[GZ_LANES] = block->poses[m->links[p->b].body], between[3], axis[3][3];
    for (int k = 0; k < 3; k++) {
        between[k] = a[4 * k + 3][lane] - b[4 * k + 3][lane];
        for (int i = 0; i < 3; i++) axis[i][k] = b[4 * k + i][lane];
    }
    const float *const to[3] = {axis[0], axis[1], axis[2]};
    gz_f4 row[3];
    gather_rows(a, lane, between, row);
    gz_filter_place_pair(m, p, row, to, between, pair);
    return true;
}

gz_proxy_answer gz_batch_candidate_test(const gz_filter_model *m, const gz_batch_block *block,
                                        const gz_batch_candidate *candidate, size_t lane,
                                        gz_proxy_question question) {
    size_t link = (size_t)candidate->link, object = (size_t)candidate->object;
    const gz_filter_link *l = &m->links[link];
    if (candidate->object < 0 || !gz_filter_has_proxies(l, &m->objects[object]))
        return GZ_PROXY_UNKNOWN;
    float(*pose)[GZ_LANES] = block->poses[l->body];
    const float origin[3] = {pose[3][lane], pose[7][lane], pose[11][lane]};
    gz_f4 row[3];
    gather_rows(pose, lane, origin, row);
    gz_proxy_pair pair;
    double error = gz_filter_place_object(l, &m->objects[object], &block->views[object], row,
                                          &pair);
    pair.question = question;
    gz_proxy_pair_grow(&pair, error, (double)gz_filter_margin(m, link, object));
    return m->kernels->proxy_pair(&pair);
}

// Many configurations, on any number of threads, with the same results as one at a time.

/// Rows that a thread takes at a time.
#define CHUNK 64

/// Fewer rows of a block go one by one: a block costs about as much however many it has.
#define BLOCK_ROWS_MIN 3

/// Checkers of more pairs, or worlds of more entries, keep no worker for the next batch.
enum { KEPT_PAIRS_MAX = 8192, KEPT_ENTRIES_MAX = 65536 };

typedef struct gz_batch_worker {
    graze_workspace *ws;
    gz_batch_block block;
    bool has_block; ///< rows may go through the filter, eight at a time
    graze_stats stats;
    size_t failed_row; ///< lowest row of this worker that failed; SIZE_MAX for none
    graze_error error;
} worker;

typedef struct batch_run {
    const graze_checker *checker;
    const graze_batch *batch;
    size_t q_size;
    worker **workers;       ///< per thread
    size_t contact_size;    ///< in the caller's array, bytes
    bool any;               ///< yes or no will do
    gz_batch_filter filter; ///< NULL: every row on its own
    atomic_size_t next;
    atomic_bool cancelled;
} batch_run;

static graze_batch default_options(void) {
    return (graze_batch){.threads = 1};
}

GZ_OPTIONS_INIT(graze_batch, default_options)

/// A row without a contact: NULL.
static void store_contact(const batch_run *run, size_t row, const graze_contact *contact) {
    static const graze_contact none;
    if (run->batch->contacts)
        gz_fill((unsigned char *)run->batch->contacts + row * run->contact_size, run->contact_size,
                contact ? contact : &none, sizeof none);
}

static void store_row(const batch_run *run, worker *w, size_t row, const graze_report *report,
                      const graze_contact *contact, graze_status status, const graze_error *error) {
    const graze_batch *b = run->batch;
    b->verdicts[row] = (uint8_t)report->verdict;
    store_contact(run, row, report->count ? contact : NULL);
    graze_stats_add(&w->stats, &report->stats);
    if (status && row < w->failed_row) {
        w->failed_row = row;
        w->error = *error;
        w->error.status = status;
    }
}

static const double *row_base(const graze_batch *b, size_t row) {
    return b->base ? b->base + 6 * row : b->base_common;
}

static const double *row_q(const batch_run *run, size_t row) {
    return run->batch->q ? run->batch->q + run->q_size * row : NULL;
}

static void check_row(batch_run *run, worker *w, size_t row) {
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = run->batch->contacts ? 1 : 0};
    graze_error error;
    graze_status status = graze_check(run->checker, w->ws, run->batch->answer, row_q(run, row),
                                      run->q_size, row_base(run->batch, row), &report, &error);
    store_row(run, w, row, &report, &contact, status, &error);
}

/// Lists the pairs that the filter leaves in one lane of the block, and how many in *count. Where
/// any pair will do, tests for overlaps on the way: true at the first one. Most rows that collide
/// end here, before any plane is searched for.
static bool list_lane_pairs(const batch_run *run, const gz_batch_block *block, size_t lane,
                            size_t *count, graze_report *report) {
    const gz_filter_model *m = run->checker->filter;
    *count = 0;
    const gz_batch_pair *end = block->pairs + block->pair_count;
    for (const gz_batch_pair *s = block->pairs; s < end; s++) {
        if (!(s->lanes >> lane & 1)) continue;
        const gz_check_pair *pair = &run->checker->pairs[s->index];
        if (run->batch->rules && !gz_rules_plain(run->batch->rules, pair->a, pair->b)) continue;
        gz_lane_pair *left = &block->lane_pairs[(*count)++];
        report->stats.lane_rejects--;
        left->index = s->index;
        left->placed = gz_batch_pair_place(m, block, s, lane, &left->meshes);
        if (!left->placed || !run->any) continue;
        left->meshes.question = GZ_PROXY_TEST_OVERLAP;
        if (m->kernels->proxy_pair(&left->meshes) == GZ_PROXY_OVERLAP) {
            report->stats.proxy_hits++;
            gz_report_add_pair(report, run->checker, &run->checker->pairs[left->index]);
            return true;
        }
        left->meshes.question = GZ_PROXY_TEST_APART;
    }
    return false;
}

/// Tests the proxies of a link and an object in one lane; true where they overlap. What they do not
/// decide is listed for the trees.
static bool test_candidate(const batch_run *run, const gz_batch_block *block,
                           const gz_batch_candidate *t, size_t lane, size_t *count,
                           graze_report *report) {
    const gz_filter_model *m = run->checker->filter;
    gz_proxy_answer answer = gz_batch_candidate_test(
        m, block, t, lane, run->any ? GZ_PROXY_TEST_BOTH : GZ_PROXY_TEST_APART);
    report->stats.proxy_hits += answer == GZ_PROXY_OVERLAP;
    report->stats.proxy_rejects += answer == GZ_PROXY_APART;
    int32_t link = m->links[t->link].link;
    if (answer == GZ_PROXY_OVERLAP) gz_report_add_object(report, run->checker, link, t->object);
    if (answer == GZ_PROXY_UNKNOWN)
        block->lane_candidates[(*count)++] = (gz_candidate){link, t->object};
    return answer == GZ_PROXY_OVERLAP;
}

/// Removes from the list the candidate whose link is deepest in a scene.
static const gz_batch_candidate *remove_deepest(const gz_batch_block *block, size_t lane,
                                                size_t *count) {
    int32_t *list = block->lane_scenes;
    size_t best = 0;
    for (size_t i = 1; i < *count; i++)
        if (block->candidates[list[i]].depth[lane] < block->candidates[list[best]].depth[lane])
            best = i;
    const gz_batch_candidate *out = &block->candidates[list[best]];
    list[best] = list[--*count];
    return out;
}

/// Lists the links and objects that one lane leaves for the trees; SIZE_MAX where one is certain to
/// overlap. A link that no joint moves goes against the whole world, once per base; so does one
/// near a curved object, or with curved elements, whose verdict could depend on the bounds that are
/// tested on the way. Where any hit will do, scenes are tested last, the deepest link first: it is
/// the likeliest to overlap, and most of the others need no test.
static size_t list_candidates_of_lane(const batch_run *run, worker *w, size_t lane,
                                      const double base[12], graze_report *report) {
    const gz_batch_block *block = &w->block;
    const gz_filter_model *m = run->checker->filter;
    size_t n = 0, scenes = 0;
    int32_t counted = -1, whole = -1; // model's links: seen here, and against the whole world
    for (size_t i = 0; i < block->candidate_count; i++) {
        const gz_batch_candidate *t = &block->candidates[i];
        if (!(t->lanes >> lane & 1)) continue;
        int32_t link = m->links[t->link].link;
        if (run->batch->rules && t->object >= 0 &&
            gz_object_hidden(run->checker, run->batch->rules, link, t->object))
            continue;
        report->stats.lane_rejects -= t->link != counted;
        counted = t->link;
        if (t->link == whole) continue;
        if (!m->links[t->link].moves || t->object < 0 || !m->links[t->link].mesh ||
            !m->objects[t->object].mesh) {
            if (!gz_workspace_is_free(w->ws, link, base))
                block->lane_candidates[n++] = (gz_candidate){link, -1};
            whole = t->link;
        } else if (run->any && m->objects[t->object].has_map && !m->objects[t->object].cap) {
            block->lane_scenes[scenes++] = (int32_t)i;
        } else if (test_candidate(run, block, t, lane, &n, report)) {
            return SIZE_MAX;
        }
    }
    while (scenes)
        if (test_candidate(run, block, remove_deepest(block, lane, &scenes), lane, &n, report))
            return SIZE_MAX;
    return n;
}

/// Tests the pairs of a lane in order, up to the first that collides: a separating plane, else the
/// trees at once. Most pairs without a plane do collide.
static void check_pairs(const batch_run *run, worker *w, size_t row, const double base[12],
                        size_t count, graze_report *report) {
    for (size_t i = 0; i < count && report->verdict == GRAZE_FREE; i++) {
        gz_lane_pair *left = &w->block.lane_pairs[i];
        if (left->placed && run->checker->kernels->proxy_pair(&left->meshes) == GZ_PROXY_APART) {
            report->stats.proxy_rejects++;
            continue;
        }
        int32_t pair = left->placed ? ~left->index : left->index;
        gz_candidates list = {.pairs = &pair, .pair_count = 1};
        gz_check_candidates(run->checker, w->ws, run->batch->answer, row_q(run, row), base, &list,
                            report);
    }
}

/// Decides what the filter leaves of one lane. Overlaps first: they are cheaper to find than
/// planes.
static void check_left(const batch_run *run, worker *w, size_t row, size_t lane,
                       const double base[12], graze_report *report) {
    size_t pairs, objects = 0;
    bool hit = list_lane_pairs(run, &w->block, lane, &pairs, report);
    if (!hit) {
        objects = list_candidates_of_lane(run, w, lane, base, report);
        hit = objects == SIZE_MAX;
    }
    if (hit) return;
    check_pairs(run, w, row, base, pairs, report);
    if (report->verdict != GRAZE_FREE) return;
    gz_candidates list = {.objects = w->block.lane_candidates, .object_count = objects};
    gz_check_candidates(run->checker, w->ws, run->batch->answer, row_q(run, row), base, &list,
                        report);
}

/// One row of a block: most are decided by the filter and by proxies.
static void check_lane(batch_run *run, worker *w, size_t row, size_t lane, const double base[12]) {
    const graze_checker *c = run->checker;
    graze_contact contact;
    graze_report report = {.verdict = GRAZE_FREE,
                           .contacts = &contact,
                           .capacity = run->batch->contacts ? 1 : 0,
                           .contact_size = sizeof contact};
    report.stats.configurations = 1;
    report.stats.lane_rejects = c->pair_count + c->link_count;
    memcpy(w->ws->bodies[0], base, sizeof w->ws->bodies[0]);
    if (gz_boundary_left(c, w->ws, &contact))
        gz_report_add(&report, &contact);
    else
        check_left(run, w, row, lane, base, &report);
    store_row(run, w, row, &report, &contact, GRAZE_OK, NULL);
}

/// One row of which the filter has left nothing.
static void pass_lane(const batch_run *run, worker *w, size_t row) {
    const graze_checker *c = run->checker;
    run->batch->verdicts[row] = GRAZE_FREE;
    store_contact(run, row, NULL);
    w->stats.configurations++;
    w->stats.lane_rejects += c->pair_count + c->link_count;
}

/// Up to eight rows through the filter.
static void check_block(batch_run *run, worker *w, size_t first, size_t count) {
    double base[GZ_LANES][12];
    w->block.unfit = 0;
    w->block.one_base = !run->batch->base;
    for (size_t i = 0; i < count; i++) {
        if (i && !run->batch->base) { // one base for all: posed once a block
            memcpy(base[i], base[0], sizeof base[0]);
            w->block.unfit |= (w->block.unfit & 1) << i;
            continue;
        }
        if (gz_pose_base(row_base(run->batch, first + i), base[i], NULL) ||
            !gz_filter_base_fits(base[i])) {
            gz_pose_base(NULL, base[i], NULL);
            w->block.unfit |= 1u << i;
        }
    }
    const graze_checker *c = run->checker;
    run->filter(c->filter, row_q(run, first), run->q_size, count, base, &w->block);
    uint32_t open = c->world && c->world->has_boundary ? ~0u : w->block.left;
    for (size_t i = 0; i < count; i++) {
        if (c->has_margins && !gz_domain_surely(c, row_q(run, first + i), base[i]))
            w->block.unfit |= 1u << i; // what the filter has found does not matter
        if (w->block.unfit >> i & 1)
            check_row(run, w, first + i);
        else if (!(open >> i & 1))
            pass_lane(run, w, first + i);
        else
            check_lane(run, w, first + i, i, base[i]);
    }
}

static void check_rows(batch_run *run, worker *w, size_t first, size_t end) {
    size_t blocks_end = !run->filter || !w->has_block ? first : end;
    if ((blocks_end - first) % GZ_LANES < BLOCK_ROWS_MIN)
        blocks_end -= (blocks_end - first) % GZ_LANES;
    for (size_t row = first; row < blocks_end; row += GZ_LANES)
        check_block(run, w, row, end - row < GZ_LANES ? end - row : GZ_LANES);
    for (size_t row = blocks_end; row < end; row++) check_row(run, w, row);
}

static void work(void *user, uint32_t index) {
    GZ_FLOAT_ENVIRONMENT;
    batch_run *run = user;
    worker *w = run->workers[index];
    for (;;) {
        size_t first = atomic_fetch_add(&run->next, CHUNK);
        if (first >= run->batch->count) return;
        if (run->batch->cancel && *run->batch->cancel) {
            atomic_store(&run->cancelled, true);
            return;
        }
        size_t end = first + CHUNK < run->batch->count ? first + CHUNK : run->batch->count;
        check_rows(run, w, first, end);
    }
}

// ----------------------------------------------------------------------------------------- workers

void gz_batch_worker_free(worker *w) {
    if (!w) return;
    graze_workspace_free(w->ws);
    if (w->has_block) gz_batch_block_free(&w->block);
    gz_free(w);
}

static worker *create_worker(const graze_checker *c) {
    worker *w = gz_calloc(1, sizeof *w);
    if (w && graze_workspace_create(&w->ws, c, NULL)) {
        gz_free(w);
        return NULL;
    }
    return w;
}

/// Where a checker keeps a worker between batches, which is no part of what it is.
static _Atomic(worker *) *kept_worker(const graze_checker *c) {
    return &((graze_checker *)(uintptr_t)c)->kept_worker;
}

/// The worker that the last batch has left, or a new one; NULL when out of memory.
static worker *open_worker(const batch_run *run) {
    const graze_checker *c = run->checker;
    worker *w = atomic_exchange(kept_worker(c), NULL);
    if (!w) w = create_worker(c);
    if (!w) return NULL;
    w->stats = (graze_stats){0};
    w->failed_row = SIZE_MAX;
    w->ws->rules = run->batch->rules;
    // Without memory for the filter rows are checked one by one.
    if (run->filter && !w->has_block) w->has_block = gz_batch_block_create(&w->block, c->filter);
    return w;
}

/// Leaves a worker to the next batch, or frees it where there is one, or where it is large.
static void close_worker(const graze_checker *c, worker *w) {
    worker *none = NULL;
    w->ws->rules = NULL;
    bool large = c->pair_count > KEPT_PAIRS_MAX ||
                 (c->world && c->world->object_count > KEPT_ENTRIES_MAX);
    if (large || !atomic_compare_exchange_strong(kept_worker(c), &none, w)) gz_batch_worker_free(w);
}

// ------------------------------------------------------------------------------------------- batch

static graze_status check_batch_arguments(const graze_checker *checker, const graze_batch *b,
                                          graze_error *error) {
    if (!checker || !b) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or batch is NULL");
    if (b->count && !b->verdicts) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "verdicts is NULL");
    if (b->answer != GRAZE_ANSWER_ANY && b->answer != GRAZE_ANSWER_FIRST &&
        b->answer != GRAZE_ANSWER_PAIR)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "answer of a batch is %d; allowed: any, first or pair", (int)b->answer);
    if (b->rules && b->rules->checker != checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the rules are of another checker");
    return GRAZE_OK;
}

/// The error of the lowest row that failed, over all workers.
static graze_status lowest_error(const batch_run *run, uint32_t threads, graze_error *error) {
    const worker *worst = NULL;
    for (uint32_t i = 0; i < threads; i++) {
        const worker *w = run->workers[i];
        if (w->failed_row != SIZE_MAX && (!worst || w->failed_row < worst->failed_row)) worst = w;
    }
    if (!worst) return GRAZE_OK;
    if (error) {
        *error = worst->error;
        snprintf(error->element, sizeof error->element, "row %zu", worst->failed_row);
    }
    return worst->error.status;
}

graze_status graze_check_batch_sized(const graze_checker *checker, const graze_batch *batch,
                                     size_t contact_size, size_t stats_size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_batch read;
    graze_status status = GZ_OPTIONS_READ(graze_batch, &read, batch, error);
    if (status == GRAZE_OK) status = check_batch_arguments(checker, batch ? &read : NULL, error);
    if (status) return status;
    batch = &read;
    if (batch->verdicts && batch->count) memset(batch->verdicts, GRAZE_UNKNOWN, batch->count);
    uint32_t threads = batch->threads ? batch->threads : gz_thread_processors();
    size_t chunks = (batch->count + CHUNK - 1) / CHUNK;
    if (threads > chunks) threads = chunks ? (uint32_t)chunks : 1;
    worker *only;
    batch_run run = {.checker = checker,
                     .batch = batch,
                     .q_size = graze_robot_q_size(graze_checker_robot(checker)),
                     .contact_size = contact_size,
                     .any = batch->answer == GRAZE_ANSWER_ANY,
                     .workers = threads > 1 ? gz_calloc(threads, sizeof *run.workers) : &only};
    if (!run.workers) return gz_fail_memory(error);
    // What the filter leaves keeps its order. A fixed pair that collides decides all.
    bool filters = checker->filter && !gz_ruled_collision(checker, batch->rules) &&
                   gz_rules_only_hide(checker, batch->rules) && batch->q;
    if (filters && batch->count >= BLOCK_ROWS_MIN) run.filter = checker->filter->filters->batch;
    uint32_t ready = 0; // one worker is enough; more are a gain
    while (ready < threads && (run.workers[ready] = open_worker(&run))) ready++;
    gz_thread_run(ready, work, &run);
    status = ready ? lowest_error(&run, ready, error) : gz_fail_memory(error);
    graze_stats sum = {0};
    for (uint32_t i = 0; i < ready; i++) {
        graze_stats_add(&sum, &run.workers[i]->stats);
        close_worker(checker, run.workers[i]);
    }
    if (batch->stats && ready) gz_fill(batch->stats, stats_size, &sum, sizeof sum);
    if (threads > 1) gz_free(run.workers);
    if (status == GRAZE_OK && atomic_load(&run.cancelled))
        return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
