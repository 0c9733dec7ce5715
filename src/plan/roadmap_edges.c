// The edges of a roadmap: which are free, what blocks the others, and which of them a change of the
// world can reach.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/roadmap_internal.h"

/// How often motions are halved to find out whether a change reaches them: boxes around an eighth
/// of one are small enough that most motions of an arm are kept apart from a thing on a shelf.
enum { HALVINGS = 4 };

// -------------------------------------------------------------------------------------- one edge

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

static void place(gz_roadmap_worker *w, const graze_roadmap *map, const double *from,
                  const double *to) {
    gz_plan_space_write(&map->space, from, w->q, w->base);
    gz_plan_space_write(&map->space, to, w->q + map->space.q_size, w->base + 6);
}

graze_status gz_roadmap_test_motion(gz_roadmap_worker *w, const graze_roadmap *map,
                                    const double *from, const double *to, int32_t *block,
                                    graze_contact *contact, graze_error *error) {
    // Without a budget of tests a pair is proved, or not, whatever other pairs there are: what one
    // object does to an edge does not depend on the rest of the world.
    graze_motion_options options = graze_motion_options_default();
    options.resolution = map->settings.resolution;
    options.budget = w->budget;
    graze_motion_report report = {0};
    size_t n = map->space.q_size;
    place(w, map, from, to);
    graze_status status = graze_check_motion(map->checker, w->motions, w->q, w->q + n, n, w->base,
                                             w->base + 6, &options, &report, error);
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

/// What is done with edges.
typedef struct edge_work {
    graze_roadmap *map;
    const uint8_t *marked;  ///< which are tested; NULL: all
    const uint8_t *objects; ///< free edges near these are marked
    uint8_t *near;
} edge_work;

static const double *end_of(const graze_roadmap *map, size_t edge, size_t k) {
    return gz_state_list_at(&map->nodes, map->ends[2 * edge + k]);
}

static graze_status test_edge(void *user, gz_roadmap_worker *w, size_t i, graze_error *error) {
    const edge_work *e = user;
    if (e->marked && !e->marked[i]) return GRAZE_OK;
    return gz_roadmap_test_motion(w, e->map, end_of(e->map, i, 0), end_of(e->map, i, 1),
                                  &e->map->blocks[i], NULL, error);
}

static graze_status mark_edge(void *user, gz_roadmap_worker *w, size_t i, graze_error *error) {
    const edge_work *e = user;
    size_t n = e->map->space.q_size;
    bool reaches;
    if (e->map->blocks[i] != GZ_BLOCK_NONE) return GRAZE_OK;
    place(w, e->map, end_of(e->map, i, 0), end_of(e->map, i, 1));
    GZ_TRY(graze_motion_reaches(e->map->checker, w->motions, w->q, w->q + n, n, w->base,
                                w->base + 6, GRAZE_TURN_SHORTER, e->objects, HALVINGS, &reaches,
                                error));
    e->near[i] = reaches;
    return GRAZE_OK;
}

static gz_roadmap_job job_of(edge_work *work, const graze_roadmap_options *options,
                             double deadline) {
    return (gz_roadmap_job){.map = work->map,
                            .checker = work->map->checker,
                            .options = options,
                            .deadline = deadline,
                            .count = work->map->edge_count,
                            .item = "edge",
                            .user = work,
                            .run = work->objects ? mark_edge : test_edge};
}

graze_status gz_roadmap_test_edges(graze_roadmap *map, const uint8_t *marked,
                                   const graze_roadmap_options *options, double deadline,
                                   graze_error *error) {
    edge_work work = {.map = map, .marked = marked};
    const gz_roadmap_job job = job_of(&work, options, deadline);
    return gz_roadmap_run(&job, error);
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
    const double deadline = gz_monotonic_seconds() + options->max_seconds;
    edge_work work = {.map = map, .objects = change->added, .near = marked};
    const gz_roadmap_job job = job_of(&work, options, deadline);
    if (change->added_count) GZ_TRY(gz_roadmap_run(&job, error));
    return gz_roadmap_test_edges(map, marked, options, deadline, error);
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
