// Distances: arguments, workspace, options.
#include "graze/distance.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "check/margin.h"
#include "distance/distance_internal.h"

static graze_distance_options default_options(void) {
    return (graze_distance_options){.struct_size = sizeof(graze_distance_options),
                                    .answer = GRAZE_DISTANCE_LEAST,
                                    .threshold = INFINITY};
}

GZ_OPTIONS_INIT(graze_distance_options, default_options)

// ------------------------------------------------------------------------------------- workspace

static void lay_out(graze_distance_workspace *d, gz_arena *arena) {
    d->list = gz_arena_array(arena, d->capacity, sizeof *d->list);
    d->fixed = gz_arena_array(arena, d->fixed_count, sizeof *d->fixed);
    gz_rough_lay_out(d, arena);
    d->frontier.searches = gz_arena_array(arena, GZ_FRONTIER_SEARCHES,
                                          sizeof *d->frontier.searches);
    size_t columns = d->checker->robot->column_count;
    d->by_q = gz_arena_array(arena, columns, sizeof *d->by_q);
    d->by_sum = gz_arena_array(arena, columns, sizeof *d->by_sum);
    d->frontier.entries = gz_arena_array(arena, GZ_FRONTIER_ENTRIES, sizeof *d->frontier.entries);
}

static bool fill(graze_distance_workspace *d) {
    const graze_checker *c = d->checker;
    size_t objects = c->world ? c->world->object_count : 0;
    d->kernels = gz_distance_kernels_choose();
    d->capacity = c->pair_count + (objects <= GZ_NEAR_OBJECTS ? objects * c->link_count : objects);
    for (size_t i = 0; i < c->pair_count; i++) d->fixed_count += c->pairs[i].fixed;
    gz_arena arena = {0};
    lay_out(d, &arena);
    if (!gz_arena_create(&arena)) return false;
    d->memory = arena.memory;
    lay_out(d, &arena);
    for (size_t i = 0, at = 0; i < c->pair_count; i++)
        if (c->pairs[i].fixed) d->fixed[at++].pair = (int32_t)i;
    gz_near_prepare_fixed(d);
    return true;
}

GZ_OUT_OF_LINE static graze_status create(graze_distance_workspace **out,
                                          const graze_checker *checker, graze_error *error) {
    graze_distance_workspace *d = gz_calloc(1, sizeof *d);
    if (!d) return gz_fail_memory(error);
    d->checker = checker;
    d->revision = checker->revision;
    graze_status status = graze_workspace_create(&d->ws, checker, error);
    if (status == GRAZE_OK && !fill(d)) status = gz_fail_memory(error);
    if (status) {
        graze_distance_workspace_free(d);
        return status;
    }
    *out = d;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_distance_workspace_create(graze_distance_workspace **out,
                                             const graze_checker *checker, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    if (checker->options.level == GRAZE_LEVEL_BOUNDS)
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "distances of bounding volumes are not supported; allowed: a checker of "
                       "GRAZE_LEVEL_MESH");
    return create(out, checker, error);
}

void graze_distance_workspace_free(graze_distance_workspace *d) {
    if (!d) return;
    graze_workspace_free(d->ws);
    gz_free(d->memory);
    gz_free(d);
}

// ------------------------------------------------------------------------------------- arguments

static graze_status check_options(const graze_distance_options *o, graze_error *error) {
    if ((int)o->answer < GRAZE_DISTANCE_LEAST || o->answer > GRAZE_DISTANCE_NEAREST)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "answer is %d; allowed: 0 to 3",
                       (int)o->answer);
    if (o->depth > 1 || o->reserved)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "depth is %u, reserved %u; allowed: 0 or 1, 0",
                       (unsigned)o->depth, (unsigned)o->reserved);
    if (!(o->threshold >= 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "threshold is %g m; allowed: at least 0",
                       o->threshold);
    if (!(o->accuracy >= 0 && o->accuracy < INFINITY))
        return gz_fail(error, GRAZE_ERROR_RANGE, "accuracy is %g m; allowed: finite, at least 0",
                       o->accuracy);
    return GRAZE_OK;
}

static graze_status check_arguments(const graze_checker *checker, const graze_distance_workspace *d,
                                    const graze_distance_options *options,
                                    const graze_distance_report *report, graze_error *error) {
    if (!checker || !d || d->checker != checker)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "checker or workspace is NULL, or the workspace is of another checker");
    if (options->answer == GRAZE_DISTANCE_NEAREST && (!report->pairs || !report->capacity))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the nearest pairs are wanted, and there is room for none; allowed: a "
                       "capacity of at least 1");
    return GRAZE_OK;
}

/// What a check says: that no pair overlaps, or which is the first that does, or one that does,
/// where any will do. Under margins, and where the boundary is left, that is not known. `root`: the
/// base where the filter poses the configuration, else NULL.
static gz_near_verdict check_overlap(graze_distance_workspace *d, graze_answer answer,
                                     const double *q, size_t q_count, const double *base,
                                     const double **root, graze_contact *contact) {
    graze_report report = {.contacts = contact, .capacity = 1, .contact_size = sizeof *contact};
    d->ws->left = d->ws->budget;
    *root = gz_check_by_filter(d->checker, d->ws, answer, q, q_count, base, &report);
    if (!*root && graze_check(d->checker, d->ws, answer, q, q_count, base, &report, NULL))
        return GZ_NEAR_UNKNOWN;
    if (report.verdict == GRAZE_FREE) return GZ_NEAR_FREE;
    bool sure = !d->checker->has_margins && contact->kind != GRAZE_CONTACT_BOUNDARY;
    return sure ? GZ_NEAR_OVERLAP : GZ_NEAR_UNKNOWN;
}

/// Poses the robot; in the domain where the world has what has no end, which is held there.
static graze_status pose(graze_distance_workspace *d, const double *q, size_t q_count,
                         const double *base, graze_error *error) {
    const graze_world *world = d->checker->world;
    GZ_TRY(gz_workspace_pose(d->ws, q, q_count, base, error));
    return world && world->extent.unbounded_count ? gz_domain_check_places(d->checker, d->ws, error)
                                                  : GRAZE_OK;
}

/// Objects may have moved in place since the last call.
static void follow_scene(graze_distance_workspace *d) {
    if (d->revision == d->checker->revision) return;
    d->revision = d->checker->revision;
    d->hint.found = false;
}

GZ_OUT_OF_LINE graze_status gz_distance_measure(const graze_checker *checker,
                                                graze_distance_workspace *d, const double *q,
                                                size_t q_count, const double *base,
                                                const graze_distance_options *given,
                                                gz_smooth_sum *smooth,
                                                graze_distance_report *report, graze_error *error) {
    graze_distance_options options;
    GZ_TRY(GZ_OPTIONS_READ(graze_distance_options, &options, given, error));
    GZ_TRY(check_options(&options, error));
    GZ_TRY(check_arguments(checker, d, &options, report, error));
    follow_scene(d);
    gz_workspace_follow(d->ws);
    gz_near_query query;
    memset(&query, 0, offsetof(gz_near_query, nearest));
    gz_nearest_start(&query.nearest, options.threshold);
    query.d = d;
    query.q = q;
    query.options = &options;
    query.report = report;
    query.smooth = smooth;
    query.left = options.budget ? options.budget + 1 : UINT64_MAX;
    query.nearest.slack = fmax(0, options.accuracy - GZ_NEAREST_WIDTH);
    if (report->by_q || report->by_base || smooth) query.nearest.tie = GZ_NEAR_TIE;
    if (options.answer == GRAZE_DISTANCE_BOUND) query.nearest.shrink = 0.9;
    report->stats.configurations = 1;
    const double *root = NULL;
    graze_contact contact;
    bool several = options.answer >= GRAZE_DISTANCE_PAIRS,
         names = options.answer != GRAZE_DISTANCE_BOUND || (report->capacity && report->pairs);
    gz_near_verdict verdict = several
                                  ? GZ_NEAR_UNKNOWN
                                  : check_overlap(d, names ? GRAZE_ANSWER_PAIR : GRAZE_ANSWER_ANY,
                                                  q, q_count, base, &root, &contact);
    query.links_done = verdict == GZ_NEAR_FREE && root && gz_near_search_roughly(&query, root);
    if (query.links_done && gz_near_object_count(&query) == 0) {
        gz_near_report_least(&query);
        return GRAZE_OK;
    }
    if (verdict != GZ_NEAR_OVERLAP || options.depth) GZ_TRY(pose(d, q, q_count, base, error));
    if (checker->robot->table_count && verdict != GZ_NEAR_OVERLAP &&
        gz_domain_surely(checker, q, d->ws->bodies[0]))
        query.table_q = q;
    gz_near_search(&query, verdict, &contact);
    return GRAZE_OK;
}

graze_status graze_distance_sized(const graze_checker *checker, graze_distance_workspace *workspace,
                                  const double *q, size_t q_count, const double *base,
                                  const graze_distance_options *options,
                                  graze_distance_report *report, size_t report_size,
                                  size_t proximity_size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!report || report_size < offsetof(graze_distance_report, stats))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "report is NULL or too short");
    const graze_distance_report none = {.pairs = report->pairs,
                                        .capacity = report->capacity,
                                        .by_q = report->by_q,
                                        .by_base = report->by_base,
                                        .least = {0, INFINITY},
                                        .proximity_size = proximity_size};
    graze_distance_report filled = none;
    graze_status status = gz_distance_measure(checker, workspace, q, q_count, base, options, NULL,
                                              &filled, error);
    if (status) filled = none;
    gz_fill(report, report_size, &filled, sizeof filled);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
