// The rows of a batch: what is read of each, how it is checked, what is written of it.

#include "check/batch_internal.h"
#include "check/call_rules.h"

#include <string.h>

#include "base/options.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"

// ------------------------------------------------------------------------------------ what is read

static const double *row_base(const gz_batch_run *run, size_t row) {
    const graze_batch *b = run->batch;
    return b->base ? b->base + run->base_stride * row : b->base_common;
}

/// Fills all lanes with the values of the columns that rows do not have.
static void prepare_rows(const gz_batch_run *run, gz_batch_worker *w) {
    if (w->has_rest || !run->batch->columns) return;
    if (run->batch->rest)
        memcpy(w->rows, run->batch->rest, run->q_size * sizeof *w->rows);
    else
        graze_robot_rest(run->checker->robot, w->rows);
    for (size_t i = 1; i < GZ_LANES; i++)
        memcpy(w->rows + i * run->q_size, w->rows, run->q_size * sizeof *w->rows);
    w->has_rest = true;
}

/// Copies a row's numbers to their columns in one lane.
static const double *gather_row(const gz_batch_run *run, gz_batch_worker *w, size_t row,
                                size_t lane) {
    const graze_batch *b = run->batch;
    double *out = w->rows + lane * run->q_size;
    size_t first = row * run->q_stride;
    for (size_t k = 0; k < run->row_size; k++)
        out[b->columns ? (size_t)b->columns[k] : k] = b->q ? b->q[first + k]
                                                           : (double)b->q_float[first + k];
    return out;
}

/// Finds the numbers of rows that do not stand side by side.
static void gather_rows(const gz_batch_run *run, gz_batch_worker *w, gz_batch_row *rows,
                        size_t count) {
    prepare_rows(run, w);
    for (size_t i = 0; i < count; i++) rows[i].q = gather_row(run, w, rows[i].number, i);
}

// --------------------------------------------------------------------------------- what is written

/// A row without a contact: NULL.
static void store_contact(const gz_batch_run *run, size_t row, const graze_contact *contact) {
    static const graze_contact none = {.link = -1, .other = -1};
    static const graze_contact blank;
    const graze_batch *b = run->batch;
    const graze_contact *c = contact ? contact : &none;
    if (b->contacts && b->answer != GRAZE_ANSWER_ALL)
        gz_fill((unsigned char *)b->contacts + row * run->contact_size, run->contact_size,
                contact ? contact : &blank, sizeof blank);
    if (b->links) b->links[row] = c->link;
    if (b->others) b->others[row] = c->other;
    if (b->kinds) b->kinds[row] = (uint8_t)c->kind;
}

void gz_batch_forget_row(const gz_batch_run *run, size_t row) {
    run->batch->verdicts[row] = GRAZE_UNKNOWN;
    if (run->wants_contact) store_contact(run, row, NULL);
    if (run->batch->counts) run->batch->counts[row] = 0;
    if (run->batch->outside_limits) run->batch->outside_limits[row] = 0;
}

/// Ends the batch with this row, if with none before it.
static void stop_at(gz_batch_run *run, const gz_batch_row *row) {
    size_t lowest = atomic_load(&run->stop);
    while (row->position < lowest &&
           !atomic_compare_exchange_weak(&run->stop, &lowest, row->position)) {
    }
}

/// `contact`: the first of the row's, where it has one and contacts are wanted.
static void store_row(gz_batch_run *run, gz_batch_worker *w, const gz_batch_row *row,
                      const graze_report *report, const graze_contact *contact) {
    const graze_batch *b = run->batch;
    b->verdicts[row->number] = (uint8_t)report->verdict;
    if (run->wants_contact) store_contact(run, row->number, report->count ? contact : NULL);
    if (b->stats) graze_stats_add(&w->stats, &report->stats);
    if (!run->wants_more) return;
    if (b->counts) b->counts[row->number] = report->count;
    if (b->outside_limits) b->outside_limits[row->number] = report->violated_count > 0;
    if (b->stop_at_first && report->verdict != GRAZE_FREE) stop_at(run, row);
}

static void store_error(gz_batch_worker *w, const gz_batch_row *row, graze_status status,
                        const graze_error *error) {
    if (!status || row->number >= w->failed_row) return;
    w->failed_row = row->number;
    w->error = *error;
    w->error.status = status;
}

// -------------------------------------------------------------------------------------- one by one

/// Where a row's contacts go: `one`, or to its place among those of all rows, if it has one.
static graze_report open_report(const gz_batch_run *run, size_t row, graze_contact *one) {
    const graze_batch *b = run->batch;
    size_t places = b->answer == GRAZE_ANSWER_ALL && b->contacts
                        ? b->offsets[row + 1] - b->offsets[row]
                        : 0;
    if (!places) return (graze_report){.contacts = one, .capacity = run->wants_contact};
    unsigned char *to = (unsigned char *)b->contacts + b->offsets[row] * run->contact_size;
    return (graze_report){.contacts = (graze_contact *)(void *)to, .capacity = places};
}

static void check_row(gz_batch_run *run, gz_batch_worker *w, const gz_batch_row *row) {
    const graze_batch *b = run->batch;
    graze_contact one;
    graze_report report = open_report(run, row->number, &one);
    bool own = report.contacts == &one;
    graze_error error;
    graze_status status = graze_check_sized(run->checker, w->ws, b->answer, row->q, run->q_size,
                                            row_base(run, row->number), &report, sizeof report,
                                            own ? sizeof one : run->contact_size, &error);
    if (!own && report.count) gz_fill(&one, sizeof one, report.contacts, run->contact_size);
    store_row(run, w, row, &report, &one);
    store_error(w, row, status, &error);
}

// ----------------------------------------------------------------------------------- eight a time

/// Lists the pairs that the filter leaves in one lane of the block, and how many in *count. Where
/// any pair will do, tests for overlaps on the way: true at the first one. Most rows that collide
/// end here, before any plane is searched for.
static bool list_lane_pairs(const gz_batch_run *run, const gz_batch_block *block, size_t lane,
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
static bool test_candidate(const gz_batch_run *run, const gz_batch_block *block,
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
static size_t list_candidates_of_lane(const gz_batch_run *run, gz_batch_worker *w, size_t lane,
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
static void check_pairs(const gz_batch_run *run, gz_batch_worker *w, const double *q,
                        const double base[12], size_t count, graze_report *report) {
    for (size_t i = 0; i < count && report->verdict == GRAZE_FREE; i++) {
        gz_lane_pair *left = &w->block.lane_pairs[i];
        if (left->placed && run->checker->kernels->proxy_pair(&left->meshes) == GZ_PROXY_APART) {
            report->stats.proxy_rejects++;
            continue;
        }
        int32_t pair = left->placed ? ~left->index : left->index;
        gz_candidates list = {.pairs = &pair, .pair_count = 1};
        gz_check_candidates(run->checker, w->ws, run->batch->answer, q, base, &list, report);
    }
}

/// Decides what the filter leaves of one lane. Overlaps first: they are cheaper to find than
/// planes.
static void check_left(const gz_batch_run *run, gz_batch_worker *w, const double *q, size_t lane,
                       const double base[12], graze_report *report) {
    size_t pairs, objects = 0;
    bool hit = list_lane_pairs(run, &w->block, lane, &pairs, report);
    if (!hit) {
        objects = list_candidates_of_lane(run, w, lane, base, report);
        hit = objects == SIZE_MAX;
    }
    if (hit) return;
    check_pairs(run, w, q, base, pairs, report);
    if (report->verdict != GRAZE_FREE) return;
    gz_candidates list = {.objects = w->block.lane_candidates, .object_count = objects};
    gz_check_candidates(run->checker, w->ws, run->batch->answer, q, base, &list, report);
}

/// How many joints are outside their limits, where that is wanted.
static size_t count_outside(const gz_batch_run *run, const double *q) {
    if (!run->batch->outside_limits) return 0;
    return graze_robot_limits_violated(run->checker->robot, q, NULL, 0);
}

/// One row of a block: most are decided by the filter and by proxies.
static void check_lane(gz_batch_run *run, gz_batch_worker *w, const gz_batch_row *row, size_t lane,
                       const double base[12]) {
    const graze_checker *c = run->checker;
    graze_contact contact;
    graze_report report = {.verdict = GRAZE_FREE,
                           .contacts = &contact,
                           .capacity = run->wants_contact,
                           .violated_count = count_outside(run, row->q),
                           .contact_size = sizeof contact};
    report.stats.configurations = 1;
    report.stats.lane_rejects = c->pair_count + c->link_count;
    if (gz_boundary_left(c, base, &contact))
        gz_report_add(&report, &contact);
    else
        check_left(run, w, row->q, lane, base, &report);
    store_row(run, w, row, &report, &contact);
}

/// One row of which the filter has left nothing.
static inline void pass_lane(const gz_batch_run *run, const gz_batch_row *row) {
    const graze_batch *b = run->batch;
    b->verdicts[row->number] = GRAZE_FREE;
    if (run->wants_contact) store_contact(run, row->number, NULL);
    if (!run->wants_more) return;
    if (b->counts) b->counts[row->number] = 0;
    if (b->outside_limits) b->outside_limits[row->number] = count_outside(run, row->q) > 0;
}

/// Base poses of the rows of a block; what cannot be posed is unfit.
static void pose_bases(const gz_batch_run *run, gz_batch_worker *w, const gz_batch_row *rows,
                       size_t count, double (*base)[12]) {
    w->block.unfit = 0;
    w->block.one_base = !run->batch->base;
    for (size_t i = 0; i < count; i++) {
        if (i && !run->batch->base) { // one base for all: posed once a block
            memcpy(base[i], base[0], sizeof base[0]);
            w->block.unfit |= (w->block.unfit & 1) << i;
            continue;
        }
        if (gz_pose_base(row_base(run, rows[i].number), base[i], NULL) ||
            !gz_filter_base_fits(base[i])) {
            gz_pose_base(NULL, base[i], NULL);
            w->block.unfit |= 1u << i;
        }
    }
}

static bool is_over(const gz_batch_run *run, const gz_batch_row *row) {
    return run->batch->stop_at_first && atomic_load(&run->stop) <= row->position;
}

/// Up to eight rows through the filter.
static void check_block(gz_batch_run *run, gz_batch_worker *w, const gz_batch_row *rows,
                        size_t count) {
    double base[GZ_LANES][12];
    pose_bases(run, w, rows, count, base);
    const graze_checker *c = run->checker;
    run->filter(c->filter, rows[0].q, run->q_size, count, base, &w->block);
    bool all = run->batch->answer == GRAZE_ANSWER_ALL; // the filter knows of none, or of one
    bool stops = run->batch->stop_at_first, has_domain = gz_ruled_domain(c, NULL);
    uint32_t open = c->world && c->world->has_boundary ? ~0u : w->block.left, passed = 0;
    for (size_t i = 0; i < count; i++) {
        if (stops && is_over(run, &rows[i])) break;
        if (has_domain && !gz_domain_surely(c, rows[i].q, base[i]))
            w->block.unfit |= 1u << i; // what the filter has found does not matter
        bool alone = (w->block.unfit | (all ? open : 0)) >> i & 1;
        if (alone) {
            check_row(run, w, &rows[i]);
        } else if (open >> i & 1) {
            check_lane(run, w, &rows[i], i, base[i]);
        } else {
            pass_lane(run, &rows[i]);
            passed++;
        }
    }
    w->stats.configurations += passed;
    w->stats.lane_rejects += passed * (c->pair_count + c->link_count);
}

size_t gz_batch_check_rows(gz_batch_run *run, gz_batch_worker *w, gz_batch_row *rows,
                           size_t count) {
    // Under a budget, which is one row's, rows are checked alone.
    bool side_by_side = run->filter && w->has_block && w->ws->budget == UINT64_MAX;
    size_t blocks_end = side_by_side ? count : 0, done = 0;
    if (blocks_end % GZ_LANES < GZ_BLOCK_ROWS_MIN) blocks_end -= blocks_end % GZ_LANES;
    while (done < count && !is_over(run, &rows[done])) {
        size_t left = done < blocks_end ? count - done : 1;
        size_t next = left < GZ_LANES ? left : GZ_LANES;
        if (run->gathers) gather_rows(run, w, rows + done, next);
        if (done < blocks_end)
            check_block(run, w, rows + done, next);
        else
            check_row(run, w, rows + done);
        done += next;
    }
    return done;
}
