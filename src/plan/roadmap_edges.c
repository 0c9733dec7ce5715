// The edges of a roadmap: which are free, what blocks the others, and which of them a change of the
// world can reach.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/roadmap_internal.h"

/// How often motions are halved to find out whether a change reaches them: each time more of them
/// are kept apart, of an arm and a shelf up to about the sixth.
enum { HALVINGS = 6 };

// -------------------------------------------------------------------------------------- one edge

/// What blocks an edge, by the pair that was found.
static int32_t block_of(const graze_contact *contact) {
    switch (contact->kind) {
    case GRAZE_CONTACT_SELF:
        return GZ_BLOCK_SELF;
    case GRAZE_CONTACT_BOUNDARY:
        return GZ_BLOCK_BOUNDARY;
    default:
        return contact->other >= 0 ? contact->other : GZ_BLOCK_UNKNOWN;
    }
}

static void place(gz_roadmap_worker *w, const graze_roadmap *map, const double *from,
                  const double *to) {
    gz_plan_space_write(&map->space, from, w->q, w->base);
    gz_plan_space_write(&map->space, to, w->q + map->space.q_size, w->base + 6);
}

graze_status gz_roadmap_test_motion(gz_roadmap_worker *w, const graze_roadmap *map,
                                    const double *from, const double *to, gz_motion_block *found,
                                    graze_error *error) {
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
    *found = (gz_motion_block){block_of(&report.contact), GZ_NO_HIT, report.contact};
    if (status == GRAZE_ERROR_RANGE) {
        found->block = GZ_BLOCK_OUTSIDE;
        found->contact.link = found->contact.other = -1;
        gz_error_clear(error);
        return GRAZE_OK;
    }
    if (report.verdict == GRAZE_MOTION_FREE) found->block = GZ_BLOCK_NONE;
    if (report.verdict == GRAZE_MOTION_HIT) found->hit = (float)report.latest;
    if (report.verdict == GRAZE_MOTION_UNDECIDED && report.spent) found->block = GZ_BLOCK_UNKNOWN;
    return status;
}

// ------------------------------------------------------------------------------------ many edges

/// What is done with edges.
typedef struct edge_work {
    graze_roadmap *map;
    uint8_t *marked;        ///< which are to be tested; NULL: all
    const uint8_t *objects; ///< that are new
} edge_work;

static const double *end_of(const graze_roadmap *map, size_t edge, size_t k) {
    return gz_state_list_at(&map->nodes, map->ends[2 * edge + k]);
}

static graze_status test_edge(void *user, gz_roadmap_worker *w, size_t i, graze_error *error) {
    const edge_work *e = user;
    gz_motion_block found;
    if (e->marked && !e->marked[i]) return GRAZE_OK;
    GZ_TRY(gz_roadmap_test_motion(w, e->map, end_of(e->map, i, 0), end_of(e->map, i, 1), &found,
                                  error));
    e->map->blocks[i] = found.block;
    e->map->hits[i] = found.hit;
    return GRAZE_OK;
}

/// Whether an edge collides where it did before, which shows that it is not free.
static graze_status check_hit(edge_work *e, gz_roadmap_worker *w, size_t i, graze_error *error) {
    const graze_roadmap *map = e->map;
    size_t n = map->space.q_size;
    double t = (double)map->hits[i];
    graze_contact contact = {0};
    graze_report report = {.contacts = &contact, .capacity = 1};
    place(w, map, end_of(map, i, 0), end_of(map, i, 1));
    GZ_TRY(graze_motion_base(w->base, w->base + 6, GRAZE_TURN_SHORTER, t, w->base, error));
    GZ_TRY(graze_robot_interpolate(graze_checker_robot(map->checker), w->q, w->q + n, n,
                                   GRAZE_TURN_SHORTER, t, w->q, error));
    GZ_TRY(
        graze_check(map->checker, w->check, GRAZE_ANSWER_PAIR, w->q, n, w->base, &report, error));
    if (report.verdict != GRAZE_COLLISION) return GRAZE_OK;
    map->blocks[i] = block_of(&contact);
    e->marked[i] = 0;
    return GRAZE_OK;
}

/// Sets or takes away the mark of an edge by what is cheaper than a test.
static graze_status mark_edge(void *user, gz_roadmap_worker *w, size_t i, graze_error *error) {
    edge_work *e = user;
    const graze_roadmap *map = e->map;
    size_t n = map->space.q_size;
    bool reaches;
    if (e->marked[i] && map->hits[i] >= 0) return check_hit(e, w, i, error);
    if (map->blocks[i] != GZ_BLOCK_NONE || !e->objects) return GRAZE_OK;
    place(w, map, end_of(map, i, 0), end_of(map, i, 1));
    GZ_TRY(graze_motion_reaches(map->checker, w->motions, w->q, w->q + n, n, w->base, w->base + 6,
                                GRAZE_TURN_SHORTER, e->objects, HALVINGS, &reaches, error));
    e->marked[i] = reaches;
    return GRAZE_OK;
}

static graze_status run_edges(edge_work *work, bool mark, const graze_roadmap_options *options,
                              double deadline, graze_error *error) {
    const gz_roadmap_job job = {.map = work->map,
                                .checker = work->map->checker,
                                .options = options,
                                .deadline = deadline,
                                .count = work->map->edge_count,
                                .item = "edge",
                                .user = work,
                                .run = mark ? mark_edge : test_edge};
    return gz_roadmap_run(&job, error);
}

graze_status gz_roadmap_test_edges(graze_roadmap *map, const graze_roadmap_options *options,
                                   double deadline, graze_error *error) {
    edge_work work = {.map = map};
    return run_edges(&work, false, options, deadline, error);
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
                                graze_roadmap_update *update, graze_error *error) {
    const double deadline = gz_monotonic_seconds() + options->max_seconds;
    edge_work work = {.map = map, .marked = marked};
    if (change->added_count) work.objects = change->added;
    for (size_t i = 0; i < map->edge_count; i++) {
        map->blocks[i] = block_now(map->blocks[i], change, &marked[i]);
        update->checked += marked[i] && map->hits[i] >= 0;
    }
    GZ_TRY(run_edges(&work, true, options, deadline, error));
    return run_edges(&work, false, options, deadline, error);
}

/// Counts what has become of the edges that were free, or not, before.
static void count_changes(const graze_roadmap *map, const int32_t *before, const uint8_t *marked,
                          graze_roadmap_update *update) {
    for (size_t i = 0; i < map->edge_count; i++) {
        bool was = before[i] == GZ_BLOCK_NONE, is = map->blocks[i] == GZ_BLOCK_NONE;
        update->tested += marked[i];
        update->opened += is && !was;
        update->closed += was && !is;
    }
}

graze_status gz_roadmap_renew(graze_roadmap *map, gz_identity *now,
                              const graze_roadmap_options *options, graze_roadmap_update *update,
                              graze_error *error) {
    double begin = gz_monotonic_seconds();
    gz_identity_change change = {0};
    gz_identity before = map->identity;
    map->identity = *now;
    *now = (gz_identity){0};
    *update = (graze_roadmap_update){.edges = map->edge_count};
    uint8_t *marked = gz_calloc(map->edge_count, 1);
    int32_t *blocks = gz_malloc(map->edge_count, sizeof *blocks);
    graze_status status = marked && blocks ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) status = gz_identity_compare(&change, &before, &map->identity, error);
    if (status == GRAZE_OK) {
        if (map->edge_count) memcpy(blocks, map->blocks, map->edge_count * sizeof *blocks);
        status = renew_edges(map, &change, marked, options, update, error);
    }
    update->removed = before.object_count - change.kept_count;
    update->added = change.added_count;
    if (status == GRAZE_OK) count_changes(map, blocks, marked, update);
    update->seconds = gz_monotonic_seconds() - begin;
    gz_free(marked);
    gz_free(blocks);
    gz_identity_change_free(&change);
    gz_identity_free(&before);
    return status;
}
