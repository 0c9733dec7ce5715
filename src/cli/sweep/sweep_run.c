// The run of a sweep: shard after shard, in blocks of rows that are made, checked, and put into the
// memory of the shard.
#include "cli/sweep/sweep_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/sweep/sweep_edges.h"
#include "cli/sweep/sweep_manifest.h"
#include "cli/sweep/sweep_store.h"
#include "cli/text.h"

enum { BLOCK_ROWS = 32768 };

typedef struct sweep_run {
    gz_sweep_options *o;
    gz_sweep_source source;
    gz_sweep_edges edges;
    gz_sweep_store store;
    uint64_t world;   ///< that the checker is of
    double *q, *base; ///< of a block and the row behind it
    bool has_base;    ///< rows differ in their bases
    graze_contact *contacts;
    graze_interval *bounds;
    graze_proximity *nearest;
    double batch_seconds; ///< processor time of checks
    uint64_t done;        ///< configurations and edges
} sweep_run;

/// Rows of a sweep that are in memory.
typedef struct block {
    uint64_t first; ///< of them, in the sweep
    uint64_t at;    ///< the same, in the shard
    size_t count;
    const double *q, *base;
} block;

/// Processor time of all threads, seconds.
static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// An error of row or motion `element` of a block, by its number in the whole sweep: no verdict is
/// ever made up for it.
static graze_status fail_in_block(const graze_error *problem, const char *word, const char *what,
                                  uint64_t first, graze_error *error) {
    uint64_t row;
    size_t length = strlen(word);
    bool named = strncmp(problem->element, word, length) == 0 &&
                 gz_decimal_parse_count(problem->element + length, &row);
    if (!named) {
        *error = *problem;
        return problem->status;
    }
    return gz_fail(error, problem->status, "%s %" PRIu64 " has no verdict: %s", what, first + row,
                   problem->message);
}

static graze_status check_rows(sweep_run *run, const block *b, graze_error *error) {
    graze_error problem;
    graze_batch batch = graze_batch_default();
    batch.threads = run->o->threads;
    batch.count = b->count;
    batch.q = b->q;
    batch.base = run->has_base ? b->base : NULL;
    batch.base_common = run->source.rest.base;
    batch.answer = run->o->pairs ? GRAZE_ANSWER_PAIR : GRAZE_ANSWER_ANY;
    batch.verdicts = run->store.values + b->at;
    batch.contacts = run->contacts;
    batch.cancel = gz_interrupt_flag();
    graze_status status = graze_check_batch(run->o->input.checker, &batch, &problem);
    if (status != GRAZE_OK)
        return fail_in_block(&problem, "row ", "configuration", b->first, error);
    for (size_t i = 0; run->o->pairs && i < b->count; i++) {
        int32_t sides[2] = {-1, -1};
        if (batch.verdicts[i] == GRAZE_COLLISION)
            gz_sweep_pair(&run->o->input, &run->contacts[i], sides);
        gz_sweep_store_put_pair(&run->store, GZ_SWEEP_PAIR, b->at + i, sides[0], sides[1]);
    }
    return GRAZE_OK;
}

static graze_status measure_rows(sweep_run *run, const block *b, graze_error *error) {
    graze_error problem;
    graze_distance_batch batch = graze_distance_batch_default();
    batch.threads = run->o->threads;
    batch.count = b->count;
    batch.q = b->q;
    batch.base = b->base;
    batch.bounds = run->bounds;
    batch.nearest = run->nearest;
    batch.cancel = gz_interrupt_flag();
    graze_status status = graze_distance_batch_run(run->o->input.checker, &batch, &problem);
    if (status != GRAZE_OK)
        return fail_in_block(&problem, "row ", "configuration", b->first, error);
    for (size_t i = 0; i < b->count; i++) {
        const graze_proximity *p = &run->nearest[i];
        const graze_contact contact = {.kind = p->kind, .link = p->link, .other = p->other};
        const double bounds[2] = {run->bounds[i].lower, run->bounds[i].upper};
        int32_t sides[2] = {-1, -1};
        if (p->link >= 0) gz_sweep_pair(&run->o->input, &contact, sides);
        gz_sweep_store_put_pair(&run->store, GZ_SWEEP_NEAREST, b->at + i, sides[0], sides[1]);
        gz_sweep_store_put_numbers(&run->store, GZ_SWEEP_DISTANCE, 2 * (b->at + i), bounds, 2);
    }
    return GRAZE_OK;
}

/// Puts the configurations themselves.
static void put_rows(sweep_run *run, const block *b) {
    size_t size = run->source.rest.size, base = run->has_base ? GZ_BASE_SIZE : 0;
    for (size_t i = 0; i < b->count; i++) {
        uint64_t place = (b->at + i) * (base + size);
        gz_sweep_store_put_numbers(&run->store, GZ_SWEEP_CONFIGURATION, place,
                                   b->base + i * GZ_BASE_SIZE, base);
        gz_sweep_store_put_numbers(&run->store, GZ_SWEEP_CONFIGURATION, place + base,
                                   b->q + i * size, size);
    }
}

/// Checks motions into item `at` of an array of the shard: between the rows, one to the next, or
/// along edges.
static graze_status check_motions(sweep_run *run, gz_sweep_array_kind kind, uint64_t first,
                                  uint64_t at, graze_motion_batch *batch, graze_error *error) {
    graze_error problem;
    batch->threads = run->o->threads;
    batch->verdicts = run->store.arrays[kind].bytes + at;
    batch->cancel = gz_interrupt_flag();
    graze_status status = graze_check_motion_batch(run->o->input.checker, batch, NULL, &problem);
    if (status == GRAZE_OK) return status;
    return fail_in_block(&problem, "motion ", kind == GZ_SWEEP_EDGE ? "edge" : "configuration",
                         first, error);
}

/// Ways, each from a row of the block to the next.
static graze_status check_ways(sweep_run *run, const block *b, size_t ways, graze_error *error) {
    graze_motion_batch batch = graze_motion_batch_default();
    batch.rows = ways + 1;
    batch.count = ways;
    batch.q = b->q;
    batch.base = b->base;
    return check_motions(run, GZ_SWEEP_MOTION, b->first, b->at, &batch, error);
}

/// The configurations of a shard, from the first that is its own.
static graze_status run_rows(sweep_run *run, uint64_t first, graze_error *error) {
    const gz_sweep_options *o = run->o;
    uint64_t left = run->source.count - first;
    uint64_t length = left < run->store.chunk ? left : run->store.chunk;
    for (uint64_t at = 0; at < length; at += BLOCK_ROWS) {
        size_t count = length - at < BLOCK_ROWS ? (size_t)(length - at) : BLOCK_ROWS;
        bool last = first + at + count == run->source.count;
        size_t rows = count + (o->motion && !last);
        block b = {first + at, at, count, run->q, run->base};
        if (run->edges.path != NULL) {
            b.q = run->edges.q + (first + at) * run->source.rest.size;
            b.base = run->edges.base + (first + at) * GZ_BASE_SIZE;
        } else {
            GZ_TRY(gz_sweep_source_read(&run->source, first + at, rows, run->q, run->base, error));
        }
        double started = processor_time();
        GZ_TRY(check_rows(run, &b, error));
        if (o->motion && rows > 1) GZ_TRY(check_ways(run, &b, rows - 1, error));
        if (o->distances) GZ_TRY(measure_rows(run, &b, error));
        run->batch_seconds += processor_time() - started;
        if (o->with_q) put_rows(run, &b);
        if (o->map.name != NULL)
            GZ_TRY(gz_sweep_map_add(&run->o->map, &run->source, &run->store, count, b.q, b.base,
                                    run->store.values + at, error));
        run->done += count;
    }
    return GRAZE_OK;
}

/// The edges of a shard, likewise.
static graze_status run_edges(sweep_run *run, uint64_t first, graze_error *error) {
    uint64_t left = run->edges.count - first;
    uint64_t length = left < run->store.chunk ? left : run->store.chunk;
    double started = processor_time();
    for (uint64_t at = 0; at < length; at += BLOCK_ROWS) {
        graze_motion_batch batch = graze_motion_batch_default();
        batch.rows = (size_t)run->source.count;
        batch.count = length - at < BLOCK_ROWS ? (size_t)(length - at) : BLOCK_ROWS;
        batch.q = run->edges.q;
        batch.base = run->edges.base;
        batch.ends = run->edges.ends + 2 * (first + at);
        GZ_TRY(check_motions(run, GZ_SWEEP_EDGE, first + at, at, &batch, error));
        run->done += batch.count;
    }
    run->batch_seconds += processor_time() - started;
    return GRAZE_OK;
}

/// Computes one shard in memory.
static graze_status run_shard(sweep_run *run, uint64_t shard, graze_error *error) {
    uint64_t first = shard % gz_sweep_store_world_shards(&run->store) * run->store.chunk;
    gz_sweep_store_clear(&run->store);
    if (first < run->source.count) GZ_TRY(run_rows(run, first, error));
    return first < run->edges.count ? run_edges(run, first, error) : GRAZE_OK;
}

/// Makes the checker of a shard's world.
static int choose_world(sweep_run *run, uint64_t shard) {
    gz_sweep_options *o = run->o;
    uint64_t world = shard / gz_sweep_store_world_shards(&run->store);
    if (o->worlds.count == 0 || world == run->world) return GZ_EXIT_FINE;
    run->world = world;
    return gz_robot_input_change_world(&o->input, o->worlds.items[world], true);
}

static void print_outcome(const sweep_run *run, double seconds) {
    uint64_t shards = gz_sweep_store_shards(&run->store), missing = 0;
    for (uint64_t i = 0; i < shards; i++) missing += !gz_sweep_store_has_shard(&run->store, i);
    if (!run->o->input.quiet)
        fprintf(stderr,
                "%" PRIu64 " configurations%s checked; %" PRIu64 " of %" PRIu64 " shards missing\n",
                run->done, run->edges.path != NULL ? " and edges" : "", missing, shards);
    if (run->o->stats && run->done > 0)
        fprintf(stderr, "mean %.3f us/config in checks, %.3f us/config in all\n",
                1e6 * run->batch_seconds / (double)run->done, 1e6 * seconds / (double)run->done);
}

/// Computes and writes a shard.
static int make_shard(sweep_run *run, uint64_t shard, gz_progress *progress) {
    graze_error error;
    GZ_TRY_EXIT(choose_world(run, shard));
    graze_status computed = run_shard(run, shard, &error);
    gz_progress_update(progress, run->done,
                       (double)shard / (double)gz_sweep_store_shards(&run->store),
                       "configurations");
    if (computed != GRAZE_OK) gz_progress_clear(progress);
    if (gz_interrupted()) return gz_interrupt_exit();
    if (computed != GRAZE_OK) return gz_message_error("sweep", &error);
    return gz_sweep_store_write(&run->store, shard);
}

/// Computes and writes what is missing of this process's share.
static int run_shards(sweep_run *run) {
    const gz_sweep_options *o = run->o;
    uint64_t shards = gz_sweep_store_shards(&run->store);
    double started = processor_time();
    int status = GZ_EXIT_FINE;
    gz_progress progress = gz_progress_start(o->input.quiet);
    for (uint64_t i = o->share; i < shards && status == GZ_EXIT_FINE;
         i = shards - i > o->shares ? i + o->shares : shards)
        if (!gz_sweep_store_has_shard(&run->store, i)) status = make_shard(run, i, &progress);
    gz_progress_clear(&progress);
    if (status == GZ_EXIT_FINE) print_outcome(run, processor_time() - started);
    return status;
}

// ------------------------------------------------------------------------------------ preparation

static graze_status make_source(sweep_run *run, graze_error *error) {
    const gz_sweep_options *o = run->o;
    gz_sweep_source *source = &run->source;
    source->robot = o->input.robot;
    source->joints = o->input.posture.joints;
    source->path = o->configs;
    source->seed = o->seed;
    source->count = o->count;
    source->threads = o->threads;
    GZ_TRY(gz_posture_make(&source->rest, o->input.robot, &o->input.posture, error));
    if (o->grid.count > 0)
        GZ_TRY(gz_sweep_source_grid(source, &o->grid, error));
    else
        GZ_TRY(o->configs != NULL ? gz_sweep_source_file(source, error)
                                  : gz_sweep_source_draw(source, error));
    run->has_base = gz_sweep_source_has_base(source);
    run->edges.path = o->edges;
    return o->edges != NULL ? gz_sweep_edges_make(&run->edges, source, error) : GRAZE_OK;
}

/// Memory of a block.
static bool make_block(sweep_run *run) {
    const gz_sweep_options *o = run->o;
    size_t row = run->source.rest.size + GZ_BASE_SIZE;
    bool got = (run->q = gz_malloc((BLOCK_ROWS + 1) * row, sizeof *run->q)) != NULL;
    if (o->pairs)
        got = got && (run->contacts = gz_malloc(BLOCK_ROWS, sizeof *run->contacts)) != NULL;
    if (o->distances)
        got = got && (run->bounds = gz_malloc(BLOCK_ROWS, sizeof *run->bounds)) != NULL &&
              (run->nearest = gz_malloc(BLOCK_ROWS, sizeof *run->nearest)) != NULL;
    if (got) run->base = run->q + (BLOCK_ROWS + 1) * run->source.rest.size;
    return got;
}

static void choose_arrays(sweep_run *run) {
    const gz_sweep_options *o = run->o;
    gz_sweep_array *arrays = run->store.arrays;
    uint64_t count = run->source.count;
    size_t columns = run->source.rest.size + (run->has_base ? GZ_BASE_SIZE : 0);
    arrays[GZ_SWEEP_COLLISION] = (gz_sweep_array){.used = true, .length = count};
    arrays[GZ_SWEEP_PAIR] = (gz_sweep_array){o->pairs, count, {2}, 1, NULL};
    arrays[GZ_SWEEP_MOTION] = (gz_sweep_array){.used = o->motion && count > 1, .length = count - 1};
    arrays[GZ_SWEEP_EDGE] = (gz_sweep_array){.used = o->edges != NULL, .length = run->edges.count};
    arrays[GZ_SWEEP_CONFIGURATION] = (gz_sweep_array){o->with_q, count, {columns}, 1, NULL};
    arrays[GZ_SWEEP_DISTANCE] = (gz_sweep_array){o->distances, count, {2}, 1, NULL};
    arrays[GZ_SWEEP_NEAREST] = (gz_sweep_array){o->distances, count, {2}, 1, NULL};
    if (o->map.name != NULL) gz_sweep_map_arrays(&o->map, &run->store);
}

static graze_status make_store(sweep_run *run, graze_error *error) {
    const gz_sweep_options *o = run->o;
    gz_sweep_store *store = &run->store;
    // Some megabytes of a shard, whatever is written of a row.
    uint64_t chunk = (uint64_t)1 << (o->with_q || o->distances ? 16 : o->edges != NULL ? 20 : 23);
    if (o->chunk > 0) chunk = o->chunk;
    store->folder = o->output;
    store->count = run->source.count > run->edges.count ? run->source.count : run->edges.count;
    store->chunk = chunk < store->count ? chunk : store->count;
    store->worlds = o->worlds.count;
    if (!make_block(run)) return gz_fail_memory(error);
    if (o->map.name != NULL)
        GZ_TRY(gz_sweep_map_make(&run->o->map, &run->source, BLOCK_ROWS, run->q, run->base, error));
    choose_arrays(run);
    return gz_sweep_store_make(store) ? GRAZE_OK : gz_fail_memory(error);
}

/// Everything that the shards need, and the folder.
static int prepare(sweep_run *run) {
    gz_sweep_options *o = run->o;
    graze_error error;
    char *manifest = NULL;
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_CHECK, NULL, false));
    gz_interrupt_catch();
    graze_status made = make_source(run, &error);
    if (made == GRAZE_OK) made = make_store(run, &error);
    GZ_TRY_EXIT(gz_message_outcome("sweep", made, &error));
    const gz_sweep_subject subject = {&o->input, &run->source, &run->edges,
                                      &o->map,   &o->worlds,   &run->store};
    run->world = o->worlds.count - 1;
    int status = gz_sweep_manifest_make(&manifest, &subject);
    if (status == GZ_EXIT_FINE) status = gz_sweep_store_open(&run->store, manifest);
    free(manifest);
    return status;
}

int gz_sweep_run(gz_sweep_options *o) {
    sweep_run run = {.o = o};
    int status = prepare(&run);
    if (status == GZ_EXIT_FINE) status = run_shards(&run);
    gz_free(run.q);
    gz_free(run.contacts);
    gz_free(run.bounds);
    gz_free(run.nearest);
    gz_sweep_store_free(&run.store);
    gz_sweep_edges_free(&run.edges);
    gz_sweep_map_free(&o->map);
    gz_sweep_source_free(&run.source);
    return status;
}
