// The order of the work. Every stage works on each pair by itself, so that threads only decide who
// does it; what is shared out between pairs, the work for proofs, is shared out between the stages,
// by numbers that do not depend on them.
//
//   1. rest, corners, first samples: most pairs that can collide do so here
//   2. a little proof for each pair that has not; then up to half of the work for proofs, to the
//      pairs that seem to need least of it first: most that never collide end here
//   3. all samples, and the search, for those that are still open
//   4. the rest of the work for proofs
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "kinematics/forward_kinematics.h"
#include "matrix/matrix_internal.h"

/// Work of a first try at a proof.
#define FIRST_WORK 3000

/// The whole in units of progress.
#define PROGRESS 10000

typedef struct run run;
typedef bool (*stage_work)(run *r, gz_matrix_scratch *scratch, gz_matrix_case *c);

struct run {
    const graze_robot *robot;
    const graze_matrix_options *options;
    graze_checker *checker;
    gz_matrix_scratch *scratches; ///< per thread
    uint32_t threads;
    gz_matrix_case *cases;
    uint64_t *grants; ///< per case: work that its proof may do in this stage
    size_t count;
    stage_work stage;
    double done, share; ///< for progress: of the whole, before this stage and of it
    atomic_size_t next;
    atomic_bool no_memory, cancelled;
};

static bool is_cancelled(run *r) {
    if (gz_is_cancelled(r->options->cancel)) atomic_store(&r->cancelled, true);
    return atomic_load(&r->cancelled) || atomic_load(&r->no_memory);
}

static void work_on_thread(void *user, uint32_t thread) {
    GZ_FLOAT_ENVIRONMENT;
    run *r = user;
    for (;;) {
        size_t i = atomic_fetch_add(&r->next, 1);
        if (i >= r->count || is_cancelled(r)) return;
        if (!r->stage(r, &r->scratches[thread], &r->cases[i])) atomic_store(&r->no_memory, true);
        if (thread == 0 && r->options->progress) {
            double done = r->done + r->share * (double)i / (double)r->count;
            r->options->progress((uint64_t)(done * PROGRESS), PROGRESS, r->options->user);
        }
    }
}

/// `share`: of the time of the whole, as a guess.
static graze_status run_stage(run *r, stage_work stage, double share, graze_error *error) {
    r->stage = stage;
    r->share = share;
    atomic_store(&r->next, 0);
    gz_thread_run(r->threads, work_on_thread, r);
    r->done += share;
    if (atomic_load(&r->no_memory)) return gz_fail_memory(error);
    if (is_cancelled(r)) return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- stages

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// Links of one body: the verdict in the body's frame is that of every configuration.
static bool test_fixed(run *r, gz_matrix_scratch *scratch, gz_matrix_case *c) {
    gz_check_pair pair = {.a = c->pair.a, .b = c->pair.b};
    graze_contact contact;
    bool collides = gz_link_pair_test(r->checker, NULL, identity, identity, &pair, GZ_DETAIL_NONE,
                                      false, &contact, &scratch->stats);
    gz_matrix_pair_pose(scratch, &c->pair, scratch->rest);
    c->entry->rest_collides = collides;
    c->entry->nodes = 1;
    c->entry->proved_share = collides ? 0 : 1;
    c->open = false;
    return gz_matrix_case_note(c, scratch, collides);
}

static bool first_tests(run *r, gz_matrix_scratch *scratch, gz_matrix_case *c) {
    const gz_link *links = r->robot->links;
    if (!gz_matrix_pair_make(&c->pair, r->robot, scratch->rest, c->entry->a, c->entry->b))
        return false;
    c->entry->joint_count = c->pair.step_count;
    c->entry->column_count = c->pair.variable_count;
    c->random = gz_random_make(r->options->seed, (uint64_t)c->pair.a << 32 | (uint32_t)c->pair.b);
    c->apart_only = true;
    c->open = true;
    if (links[c->pair.a].body == links[c->pair.b].body) return test_fixed(r, scratch, c);
    if (!gz_matrix_case_start(c, scratch, r->options)) return false;
    c->open = c->apart_only && !c->entry->adjacent;
    return true;
}

static bool wants_proof(const run *r, const gz_matrix_case *c) {
    bool cheap = c->pair.variable_count == 0; // a single box, which is no work worth counting
    bool wanted = r->options->budget > 0 || r->options->quick > 0 || cheap;
    return c->open && wanted && !c->proof.stuck;
}

static bool prove(run *r, gz_matrix_scratch *scratch, gz_matrix_case *c) {
    uint64_t work = r->grants[c - r->cases];
    if (!wants_proof(r, c) || work == 0) return true;
    if (!c->proof.boxes) {
        if (!gz_matrix_proof_possible(scratch, &c->pair)) {
            c->proof.stuck = true;
            return true;
        }
        if (!gz_matrix_proof_start(c)) return false;
    }
    if (!gz_matrix_proof_run(c, scratch, work)) return false;
    c->entry->nodes = c->proof.nodes;
    c->entry->proved_share = c->proof.share;
    bool ended = c->proof.box_count == 0 || !c->apart_only;
    if (ended || c->proof.stuck) gz_matrix_proof_free(&c->proof);
    if (ended) c->open = false;
    return true;
}

static bool sample(run *r, gz_matrix_scratch *scratch, gz_matrix_case *c) {
    if (!c->open) return true;
    if (c->pair.variable_count > 0 && !gz_matrix_case_sample(c, scratch, r->options)) return false;
    c->open = c->apart_only;
    return true;
}

// ------------------------------------------------------------------------------- sharing out work

/// An open proof and the work that it seems to need still.
typedef struct need {
    double work;
    size_t index;
} need;

static int compare_needs(const void *x, const void *y) {
    const need *p = x, *q = y;
    if (p->work != q->work) return p->work < q->work ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/// Grants what is left of the pool to the cheapest first, each what it seems to need and a little
/// more, at least `least`; returns how much was granted. The volume that is proved says how far a
/// proof is: it goes through the limits in order, so that is an estimate, and no more.
static uint64_t grant(run *r, need *needs, uint64_t pool, uint64_t least) {
    size_t count = 0;
    uint64_t granted = 0;
    for (size_t i = 0; i < r->count; i++) {
        const gz_matrix_case *c = &r->cases[i];
        r->grants[i] = 0;
        if (!wants_proof(r, c)) continue;
        double share = fmax(c->proof.share, 1e-12);
        needs[count++] = (need){(double)c->proof.work * (1 - share) / share, i};
    }
    if (count) qsort(needs, count, sizeof *needs, compare_needs);
    for (size_t i = 0; i < count && granted < pool; i++) {
        double wanted = fmax((double)least, fmin(1.2 * needs[i].work, 1e15));
        uint64_t work = fmin(wanted, 4.0 * (double)least) < (double)(pool - granted)
                            ? (uint64_t)fmin(wanted, 4.0 * (double)least)
                            : pool - granted;
        r->grants[needs[i].index] = work;
        granted += work;
    }
    return granted;
}

static uint64_t work_of(const run *r) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->count; i++) sum += r->cases[i].proof.work;
    return sum;
}

/// Proves until that much work is done in all, from `least` a pair; `until` is the progress then.
static graze_status prove_all(run *r, need *needs, uint64_t pool, uint64_t least, double until,
                              graze_error *error) {
    // Rounds grow, so that there are few, and what a guess was wrong about is seen early.
    for (;;) {
        uint64_t used = work_of(r), granted = 0;
        if (used < pool) granted = grant(r, needs, pool - used, least);
        if (granted == 0) break;
        double share = (until - r->done) * (double)granted / (double)(pool - used);
        graze_status status = run_stage(r, prove, share, error);
        if (status) return status;
        least *= 2;
    }
    r->done = until;
    return GRAZE_OK;
}

static void set_kind(gz_matrix_case *c, const graze_matrix_options *options) {
    graze_matrix_entry *e = c->entry;
    uint64_t samples = options->samples;
    bool quick = options->quick > 0;
    // What collides in all samples of a part of the configurations may be apart in the others.
    bool all = c->pair.variable_count == 0 ||
               (e->samples >= samples && e->collisions == e->samples && !c->pair.unbounded);
    e->distance = e->nearest ? e->distance : NAN;
    if (e->adjacent)
        e->kind = GRAZE_MATRIX_ADJACENT;
    else if (!c->apart_only)
        e->kind = all && !e->apart   ? GRAZE_MATRIX_ALWAYS
                  : e->rest_collides ? GRAZE_MATRIX_DEFAULT
                                     : GRAZE_MATRIX_SOMETIMES;
    else if (!c->open)
        e->kind = GRAZE_MATRIX_NEVER_PROVED;
    else
        e->kind = c->pair.unbounded ? GRAZE_MATRIX_UNBOUNDED
                  : quick           ? GRAZE_MATRIX_UNPROVED
                                    : GRAZE_MATRIX_NEVER_SAMPLED;
    if (e->kind == GRAZE_MATRIX_NEVER_PROVED) e->proved_share = 1;
    if (e->kind == GRAZE_MATRIX_NEVER_SAMPLED && e->samples)
        e->rate_bound = fmin(3 / (double)e->samples, 1);
}

static graze_status run_stages(run *r, graze_error *error) {
    need *needs = gz_malloc(r->count, sizeof *needs);
    if (!needs) return gz_fail_memory(error);
    const graze_matrix_options *o = r->options;
    double most = (double)o->budget * (double)r->count;
    uint64_t pool = o->quick ? o->quick : most < 1e18 ? (uint64_t)most : (uint64_t)1e18;
    uint64_t first = o->budget < FIRST_WORK ? o->budget : FIRST_WORK;
    // Of a quick matrix a quarter of the work is for first tries, however many pairs there are.
    if (o->quick)
        first = (uint64_t)fmax(1, fmin(FIRST_WORK, (double)o->quick / 4 / (double)r->count));
    for (size_t i = 0; i < r->count; i++) r->grants[i] = first ? first : 1;
    graze_status status = run_stage(r, first_tests, 0.2, error);
    if (!status) status = run_stage(r, prove, 0.1, error);
    if (!status && o->quick) {
        status = prove_all(r, needs, pool, 4 * first, 1, error);
    } else {
        if (!status) status = prove_all(r, needs, pool / 2, 4 * FIRST_WORK, 0.5, error);
        if (!status) status = run_stage(r, sample, 0.2, error);
        if (!status) status = prove_all(r, needs, pool, 4 * FIRST_WORK, 1, error);
    }
    for (size_t i = 0; !status && i < r->count; i++) set_kind(&r->cases[i], o);
    gz_free(needs);
    return status;
}

// -------------------------------------------------------------------------------------- the whole

static graze_status prepare(run *r, graze_matrix_entry *entries, graze_error *error) {
    graze_checker_options options = graze_checker_options_default();
    options.no_world = 1;
    options.ignore_srdf = 1;
    options.ignore_srdf_margins = 1;
    graze_status status = graze_checker_create(&r->checker, r->robot, NULL, &options, error);
    if (status) return status;
    r->threads = r->options->threads ? r->options->threads : gz_thread_processors();
    if (r->threads > r->count) r->threads = r->count ? (uint32_t)r->count : 1;
    r->scratches = gz_calloc(r->threads, sizeof *r->scratches);
    r->cases = gz_calloc(r->count, sizeof *r->cases);
    r->grants = gz_calloc(r->count, sizeof *r->grants);
    if (!r->scratches || !r->cases || !r->grants) return gz_fail_memory(error);
    for (size_t i = 0; i < r->count; i++) r->cases[i].entry = &entries[i];
    for (uint32_t i = 0; !status && i < r->threads; i++) {
        status = gz_matrix_scratch_make(&r->scratches[i], r->checker, error);
        r->scratches[i].cancel = r->options->cancel;
    }
    // Ranges of joints are cut to what graze_check() takes, which is not nothing if it takes that.
    const gz_matrix_scratch *scratch = &r->scratches[0];
    if (!status) status = gz_pose_check(r->robot, scratch->rest, r->robot->column_count, error);
    return status;
}

/// Fills the kinds and the evidence of all entries, which are sorted and hold their links.
static graze_status run_pairs(const graze_robot *robot, graze_matrix_entry *entries, size_t count,
                              const graze_matrix_options *options, graze_error *error) {
    run r = {.robot = robot, .options = options, .count = count};
    graze_status status = prepare(&r, entries, error);
    if (!status) status = run_stages(&r, error);
    for (uint32_t i = 0; r.scratches && i < r.threads; i++) gz_matrix_scratch_free(&r.scratches[i]);
    for (size_t i = 0; r.cases && i < count; i++) {
        gz_matrix_pair_free(&r.cases[i].pair);
        gz_matrix_proof_free(&r.cases[i].proof);
        gz_free(r.cases[i].coordinates);
    }
    gz_free(r.scratches);
    gz_free(r.cases);
    gz_free(r.grants);
    graze_checker_free(r.checker);
    return status;
}

// ------------------------------------------------------------------------------------- the matrix

struct graze_matrix {
    const graze_robot *robot;
    graze_matrix_options options;
    graze_matrix_entry *entries;
    size_t count;
};

const char *graze_matrix_kind_name(graze_matrix_kind kind) {
    static const char *const names[GRAZE_MATRIX_KIND_COUNT] = {
        "adjacent", "always",    "never-proved", "never-sampled",
        "default",  "sometimes", "unbounded",    "unproved"};
    return (int)kind >= 0 && kind < GRAZE_MATRIX_KIND_COUNT ? names[kind] : "unknown";
}

const char *graze_matrix_kind_reason(graze_matrix_kind kind) {
    static const char *const reasons[GRAZE_MATRIX_KIND_COUNT] = {"Adjacent", "Always", "Never",
                                                                 "Never"};
    return (int)kind >= 0 && kind < GRAZE_MATRIX_KIND_COUNT ? reasons[kind] : NULL;
}

static graze_matrix_options default_options(void) {
    return (graze_matrix_options){
        .threads = 1, .samples = 10000, .seed = 1, .search = 600, .budget = 100000};
}

GZ_OPTIONS_INIT(graze_matrix_options, default_options)

static graze_status check_options(const graze_matrix_options *o, graze_error *error) {
    if (o->samples < 1 || o->samples > 1000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "samples is %llu; allowed: 1 to 1000000000",
                       (unsigned long long)o->samples);
    if (o->search > 1000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "search is %llu; allowed: at most 1000000000",
                       (unsigned long long)o->search);
    if (o->budget > 1000000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "budget is %llu; allowed: at most 1000000000000",
                       (unsigned long long)o->budget);
    if (o->quick > 1000000000000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "quick is %llu; allowed: at most 1000000000000",
                       (unsigned long long)o->quick);
    if (o->threads > 1024)
        return gz_fail(error, GRAZE_ERROR_RANGE, "threads is %u; allowed: at most 1024",
                       (unsigned)o->threads);
    return GRAZE_OK;
}

/// The robot's pairs in their order.
static bool list_entries(graze_matrix *m) {
    m->count = m->robot->pair_count;
    m->entries = gz_calloc(m->count, sizeof *m->entries);
    if (!m->entries) return false;
    for (size_t i = 0; i < m->count; i++) {
        const gz_pair *pair = &m->robot->pairs[i];
        m->entries[i] = (graze_matrix_entry){.a = pair->a,
                                             .b = pair->b,
                                             .adjacent = pair->state == GRAZE_PAIR_ADJACENT,
                                             .distance = NAN};
    }
    return true;
}

graze_status graze_matrix_compute(graze_matrix **out, const graze_robot *robot,
                                  const graze_matrix_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!robot) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL");
    graze_matrix_options o;
    graze_status status = GZ_OPTIONS_READ(graze_matrix_options, &o, options, error);
    if (status == GRAZE_OK) status = check_options(&o, error);
    if (status) return status;
    graze_matrix *m = gz_calloc(1, sizeof *m);
    if (!m) return gz_fail_memory(error);
    m->robot = robot;
    m->options = o;
    status = list_entries(m) ? run_pairs(robot, m->entries, m->count, &o, error)
                             : gz_fail_memory(error);
    if (status) {
        graze_matrix_free(m);
        return status;
    }
    *out = m;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_matrix_free(graze_matrix *m) {
    if (!m) return;
    for (size_t i = 0; m->entries && i < m->count; i++) {
        gz_free((void *)(uintptr_t)m->entries[i].nearest);
        gz_free((void *)(uintptr_t)m->entries[i].witness);
        gz_free((void *)(uintptr_t)m->entries[i].apart);
    }
    gz_free(m->entries);
    gz_free(m);
}

const graze_robot *graze_matrix_robot(const graze_matrix *m) {
    return m ? m->robot : NULL;
}

void graze_matrix_settings_sized(const graze_matrix *m, graze_matrix_options *options,
                                 size_t size) {
    graze_matrix_options counted = m ? m->options : graze_matrix_options_default();
    gz_options_init(options, size, &counted, sizeof counted);
}

size_t graze_matrix_count(const graze_matrix *m) {
    return m ? m->count : 0;
}

const graze_matrix_entry *graze_matrix_at(const graze_matrix *m, size_t index) {
    return m && index < m->count ? &m->entries[index] : NULL;
}

static int compare_links(const void *x, const void *y) {
    const graze_matrix_entry *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

const graze_matrix_entry *graze_matrix_find(const graze_matrix *m, int32_t a, int32_t b) {
    const graze_matrix_entry key = {.a = a < b ? a : b, .b = a < b ? b : a};
    if (!m || !m->count) return NULL;
    return bsearch(&key, m->entries, m->count, sizeof key, compare_links);
}
