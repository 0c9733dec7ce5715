// The edges of a roadmap: which are free, what blocks the others, and which of them a change of the
// world can reach.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/worker.h"
#include "plan/roadmap_internal.h"

/// How often motions are halved to find out whether a change reaches them: boxes around an eighth
/// of one are small enough that most motions of an arm are kept apart from a thing on a shelf.
enum { HALVINGS = 4 };

// -------------------------------------------------------------------------------------- one edge

graze_status gz_edge_test_make(gz_edge_test *test, const graze_roadmap *map, graze_error *error) {
    *test = (gz_edge_test){.q = gz_malloc(2 * map->space.q_size, sizeof *test->q)};
    if (!test->q) return gz_fail_memory(error);
    graze_status status = graze_motion_workspace_create(&test->motions, map->checker, error);
    if (status) gz_edge_test_free(test);
    return status;
}

void gz_edge_test_free(gz_edge_test *test) {
    graze_motion_workspace_free(test->motions);
    gz_free(test->q);
    *test = (gz_edge_test){0};
}

static int32_t block_of(const graze_motion_report *report) {
    if (report->verdict == GRAZE_MOTION_FREE) return GZ_BLOCK_NONE;
    if (report->spent) return GZ_BLOCK_UNKNOWN;
    switch (report->contact.kind) {
    case GRAZE_CONTACT_SELF:
        return GZ_BLOCK_SELF;
    case GRAZE_CONTACT_BOUNDARY:
        return GZ_BLOCK_BOUNDARY;
    default:
        return report->contact.other >= 0 ? report->contact.other : GZ_BLOCK_UNKNOWN;
    }
}

static void place(gz_edge_test *test, const graze_roadmap *map, const double *from,
                  const double *to) {
    gz_plan_space_write(&map->space, from, test->q, test->base);
    gz_plan_space_write(&map->space, to, test->q + map->space.q_size, test->base + 6);
}

graze_status gz_edge_test_run(gz_edge_test *test, const graze_roadmap *map, const double *from,
                              const double *to, int32_t *block, graze_contact *contact,
                              graze_error *error) {
    // Without a budget of tests a pair is proved, or not, whatever other pairs there are: what one
    // object does to an edge does not depend on the rest of the world.
    graze_motion_options options = graze_motion_options_default();
    options.resolution = map->settings.resolution;
    options.budget = test->budget;
    graze_motion_report report = {0};
    size_t n = map->space.q_size;
    place(test, map, from, to);
    graze_status status = graze_check_motion(map->checker, test->motions, test->q, test->q + n, n,
                                             test->base, test->base + 6, &options, &report, error);
    *block = block_of(&report);
    if (status == GRAZE_ERROR_RANGE) {
        *block = GZ_BLOCK_OUTSIDE;
        report.contact.link = report.contact.other = -1;
        gz_error_clear(error);
        status = GRAZE_OK;
    }
    if (contact) *contact = report.contact;
    return status;
}

// ------------------------------------------------------------------------------------ many edges

/// What threads do with edges.
typedef struct edge_job {
    graze_roadmap *map;
    const uint8_t *marked;  ///< which are tested; NULL: all
    const uint8_t *objects; ///< to be marked instead: the free edges near these
    uint8_t *near;
    double deadline;
} edge_job;

static graze_status make_test(void **workspace, void *user, graze_error *error) {
    gz_edge_test *test = gz_malloc(1, sizeof *test);
    if (!test) return gz_fail_memory(error);
    graze_status status = gz_edge_test_make(test, ((edge_job *)user)->map, error);
    if (status) gz_free(test);
    *workspace = status ? NULL : test;
    return status;
}

static void free_test(void *workspace) {
    gz_edge_test_free(workspace);
    gz_free(workspace);
}

static graze_status run_edge(void *user, void *workspace, size_t i, graze_error *error) {
    edge_job *job = user;
    graze_roadmap *map = job->map;
    gz_edge_test *test = workspace;
    size_t n = map->space.q_size;
    const double *from = gz_state_list_at(&map->nodes, map->ends[2 * i]);
    const double *to = gz_state_list_at(&map->nodes, map->ends[2 * i + 1]);
    if (job->marked && !job->marked[i]) return GRAZE_OK;
    if (job->objects && map->blocks[i] != GZ_BLOCK_NONE) return GRAZE_OK;
    if (gz_monotonic_seconds() >= job->deadline)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "the time is over at one of %zu edges",
                       map->edge_count);
    if (!job->objects) return gz_edge_test_run(test, map, from, to, &map->blocks[i], NULL, error);
    bool reaches;
    place(test, map, from, to);
    GZ_TRY(graze_motion_reaches(map->checker, test->motions, test->q, test->q + n, n, test->base,
                                test->base + 6, GRAZE_TURN_SHORTER, job->objects, HALVINGS,
                                &reaches, error));
    job->near[i] = reaches;
    return GRAZE_OK;
}

static graze_status run_edges(edge_job *job, const graze_roadmap_options *options,
                              graze_error *error) {
    job->deadline = gz_monotonic_seconds() + options->max_seconds;
    const gz_batch_job batch = {.count = job->map->edge_count,
                                .threads = options->threads,
                                .turn = 16,
                                .cancel = options->cancel,
                                .item = "edge",
                                .user = job,
                                .create = make_test,
                                .destroy = free_test,
                                .run = run_edge};
    return gz_batch_job_run(&batch, error);
}

graze_status gz_roadmap_test_edges(graze_roadmap *map, const uint8_t *marked,
                                   const graze_roadmap_options *options, graze_error *error) {
    edge_job job = {.map = map, .marked = marked};
    return run_edges(&job, options, error);
}

graze_status gz_roadmap_mark_near(graze_roadmap *map, const uint8_t *objects, uint8_t *marked,
                                  const graze_roadmap_options *options, graze_error *error) {
    edge_job job = {.map = map, .objects = objects, .near = marked};
    return run_edges(&job, options, error);
}

// ---------------------------------------------------------------------------------- another world

/// What blocks an edge of the old world, which the new objects do not reach, in the new one; *test:
/// that is not known.
static int32_t block_now(int32_t block, const gz_identity_change *change, uint8_t *test) {
    bool gone = block >= 0 && change->kept[block] < 0;
    *test = change->all || gone || block == GZ_BLOCK_UNKNOWN;
    if (*test) return GZ_BLOCK_UNKNOWN;
    return block >= 0 ? change->kept[block] : block;
}

static graze_status renew_edges(graze_roadmap *map, const gz_identity_change *change,
                                uint8_t *marked, const graze_roadmap_options *options,
                                graze_error *error) {
    for (size_t i = 0; i < map->edge_count; i++)
        map->blocks[i] = block_now(map->blocks[i], change, &marked[i]);
    if (change->added_count)
        GZ_TRY(gz_roadmap_mark_near(map, change->added, marked, options, error));
    return gz_roadmap_test_edges(map, marked, options, error);
}

graze_status gz_roadmap_renew(graze_roadmap *map, gz_identity *now,
                              const graze_roadmap_options *options, graze_roadmap_update *update,
                              graze_error *error) {
    double begin = gz_monotonic_seconds();
    gz_identity_change change = {0};
    gz_identity before = map->identity;
    map->identity = *now;
    *now = (gz_identity){0};
    uint8_t *marked = gz_calloc(map->edge_count, 1);
    int32_t *blocks = gz_malloc(map->edge_count, sizeof *blocks);
    graze_status status = marked && blocks ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) status = gz_identity_compare(&change, &before, &map->identity, error);
    if (status == GRAZE_OK) {
        if (map->edge_count) memcpy(blocks, map->blocks, map->edge_count * sizeof *blocks);
        status = renew_edges(map, &change, marked, options, error);
    }
    *update = (graze_roadmap_update){.edges = map->edge_count,
                                     .removed = before.object_count - change.kept_count,
                                     .added = change.added_count};
    for (size_t i = 0; status == GRAZE_OK && i < map->edge_count; i++) {
        bool was = blocks[i] == GZ_BLOCK_NONE, is = map->blocks[i] == GZ_BLOCK_NONE;
        update->tested += marked[i];
        update->opened += is && !was;
        update->closed += was && !is;
    }
    update->seconds = gz_monotonic_seconds() - begin;
    gz_free(marked);
    gz_free(blocks);
    gz_identity_change_free(&change);
    gz_identity_free(&before);
    return status;
}
