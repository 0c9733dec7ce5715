// graze_plan(): options, start and goal, search, shortcuts, and the proof of what was found.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "graze/smoothing.h"
#include "plan/plan_internal.h"

// Streams of random numbers of one seed, for trees; that of shortcuts is the next one. A repair
// takes two from the third on, a round of improvement two from 2^32 on.
enum { STREAM_TREES = 0, STREAM_REPAIRS = 2 };
#define STREAM_IMPROVE (UINT64_C(1) << 32)

static graze_plan_options default_options(void) {
    return (graze_plan_options){
        .base_min = {1, 1},
        .base_max = {-1, -1},
        .step = 1.0,
        .resolution = 0.05,
        .recheck = 100,
        .certify = 1,
        .seed = 1,
        .max_iterations = 1000000,
        .max_seconds = 10,
        .shortcut_rounds = 800,
        .threads = 1,
    };
}

GZ_OPTIONS_INIT(graze_plan_options, default_options)

static graze_status check_options(const graze_plan_options *o, graze_error *error) {
    if (!(o->resolution >= 1e-6 && o->resolution <= 1e6))
        return gz_fail(error, GRAZE_ERROR_RANGE, "resolution is %g; allowed: 1e-6 to 1e6",
                       o->resolution);
    if (!(o->step >= o->resolution && o->step <= 1e6))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "step is %g; allowed: at least the resolution, %g, and at most 1e6", o->step,
                       o->resolution);
    if (!(o->max_seconds >= 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "max_seconds is %g; allowed: 0 and above",
                       o->max_seconds);
    if (!(o->good_length >= 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "good_length is %g; allowed: 0 and above",
                       o->good_length);
    if (!(o->smooth >= 0) || !isfinite(o->smooth))
        return gz_fail(error, GRAZE_ERROR_RANGE, "smooth is %g; allowed: finite, 0 and above",
                       o->smooth);
    if (o->sampler > GRAZE_PLAN_SAMPLER_HALTON)
        return gz_fail(
            error, GRAZE_ERROR_RANGE,
            "sampler is %u; allowed: GRAZE_PLAN_SAMPLER_RANDOM, GRAZE_PLAN_SAMPLER_HALTON",
            o->sampler);
    if (o->recheck > 1000)
        return gz_fail(error, GRAZE_ERROR_RANGE, "recheck is %u; allowed: 0 to 1000", o->recheck);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------- start and goal

/// One end of the plan as the caller gave it.
typedef struct plan_end {
    const char *name;
    const double *q;
    double base[6];
    graze_plan_outcome collides, limits;
} plan_end;

/// Whether an end is free; a collision goes to the result.
static graze_status check_end(gz_edges *edges, const plan_end *end, const double *state,
                              graze_plan_result *result, graze_error *error) {
    size_t n = edges->space->q_size;
    graze_contact contact = {0};
    graze_report report = {.contacts = &contact, .capacity = 1};
    // As the path will hold it: quaternions are normalised.
    if (n) memcpy(edges->q, end->q, n * sizeof(double));
    memcpy(edges->base, end->base, sizeof end->base);
    gz_plan_space_place(edges->space, state, edges->q, edges->base);
    graze_status status = graze_check(edges->checker, edges->workspace, GRAZE_ANSWER_FIRST,
                                      edges->q, n, edges->base, &report, error);
    edges->configurations++;
    if (status == GRAZE_OK && report.verdict != GRAZE_FREE) {
        result->outcome = end->collides;
        result->contact = contact;
    }
    return status;
}

// ------------------------------------------------------------------------------------- planning

// Detours are local: few shortcuts are enough.
enum { REPAIR_ROUNDS = 30 };

/// The last repair of a path.
typedef struct last_repair {
    size_t rest; ///< waypoints from the end of the edge on
    uint32_t attempt;
} last_repair;

typedef struct plan {
    const graze_plan_options *options;
    gz_plan_space space;
    gz_budget budget;
    gz_edges edges;
    gz_state_list path;
    double *start, *goal, *middle; ///< states
    uint64_t repairs;
    graze_plan_result *result;
    graze_error *error;
} plan;

typedef struct search_limits {
    double resolution;
    double bound;     ///< of the path's length; INFINITY: any
    uint64_t samples; ///< of this search, at most
    uint32_t rounds;  ///< of shortcuts
} search_limits;

/// Searches by trees for a path, then shortens it, at one resolution.
static graze_status search(plan *p, const double *start, const double *goal, search_limits limits,
                           uint64_t stream, gz_state_list *path, gz_rrt_result *found) {
    const graze_plan_options *o = p->options;
    bool improves = limits.bound < INFINITY;
    uint64_t *drawn = improves ? &p->result->improve_iterations : &p->result->iterations;
    uint64_t left = (improves ? o->improve_iterations : o->max_iterations) - *drawn;
    gz_rrt_options options = {.step = o->step,
                              .resolution = limits.resolution,
                              .bound = limits.bound,
                              .halton = o->sampler == GRAZE_PLAN_SAMPLER_HALTON,
                              .max_iterations = left < limits.samples ? left : limits.samples};
    if (stream == STREAM_TREES) {
        options.on_node = o->on_node;
        options.on_node_user = o->on_node_user;
    }
    gz_random trees = gz_random_make(o->seed, stream);
    gz_random shortcuts = gz_random_make(o->seed, stream + 1);
    graze_status status = gz_rrt_connect(&p->edges, start, goal, &options, &trees, path, found);
    *drawn += found->iterations;
    if (status != GRAZE_OK || found->outcome != GRAZE_PLAN_FOUND) return status;
    if (stream == STREAM_TREES) {
        p->result->length_raw = gz_path_length(&p->space, path);
        p->result->first_seconds = gz_monotonic_seconds() - p->budget.start;
    }
    return gz_path_shorten(&p->edges, path, limits.rounds, limits.resolution, &shortcuts);
}

/// Plans a detour for the edge that ends at waypoint `last` and is blocked between the
/// configurations checked before; its ends are free. A detour counts as an iteration, so that
/// repairs end where time is not limited.
static graze_status plan_detour(plan *p, size_t last, double resolution) {
    if (p->result->iterations >= p->options->max_iterations) {
        p->result->outcome = GRAZE_PLAN_ITERATIONS;
        return GRAZE_OK;
    }
    p->result->iterations++;
    gz_state_list detour = gz_state_list_make(p->space.dimension);
    p->edges.proves = p->edges.motions != NULL;
    gz_rrt_result found;
    uint64_t stream = STREAM_REPAIRS + 2 * p->repairs++;
    uint32_t rounds = p->options->shortcut_rounds;
    if (rounds > REPAIR_ROUNDS) rounds = REPAIR_ROUNDS;
    // The search for a detour is limited in time again.
    p->budget.unlimited = false;
    graze_status status = search(
        p, gz_state_list_at(&p->path, last - 1), gz_state_list_at(&p->path, last),
        (search_limits){resolution, INFINITY, UINT64_MAX, rounds}, stream, &detour, &found);
    p->budget.unlimited = true;
    p->edges.proves = false;
    if (status == GRAZE_OK && found.outcome == GRAZE_PLAN_FOUND &&
        !gz_state_list_replace(&p->path, last - 1, last + 1, &detour))
        status = gz_fail_memory(p->error);
    if (status == GRAZE_OK) p->result->outcome = found.outcome;
    gz_state_list_free(&detour);
    return status;
}

/// Inserts the middle of an edge into the path, if it is free. Long edges are blocked in one place,
/// around which a detour is found sooner than around the whole edge.
static graze_status split(plan *p, size_t last, double resolution, bool *done) {
    const double *a = gz_state_list_at(&p->path, last - 1), *b = gz_state_list_at(&p->path, last);
    const gz_state_list middle = {.values = p->middle, .dimension = p->space.dimension, .count = 1};
    gz_plan_space_interpolate(&p->space, a, b, 0.5, p->middle);
    gz_edge_verdict verdict = gz_edge_check(&p->edges, p->middle, p->middle, GZ_EDGE_TO,
                                            resolution);
    *done = verdict == GZ_EDGE_FREE;
    if (verdict == GZ_EDGE_FAILED) return p->edges.status;
    bool ok = !*done || gz_state_list_replace(&p->path, last, last, &middle);
    return ok ? GRAZE_OK : gz_fail_memory(p->error);
}

/// What is left of a path to look at, and how.
typedef struct recheck_state {
    size_t i;          ///< the edge that ends at waypoint i is next
    double resolution; ///< of samples
    bool removed;      ///< a waypoint of this edge was removed: halving it would bring it back
    last_repair last;
} recheck_state;

/// Repairs a blocked edge: halves it while it is long, else plans a detour: of edges that are
/// proved, or at an ever finer resolution. What is inserted is checked again.
static graze_status repair_edge(plan *p, recheck_state *r) {
    const double *a = gz_state_list_at(&p->path, r->i - 1), *b = gz_state_list_at(&p->path, r->i);
    if (gz_plan_space_distance(&p->space, a, b) > 2 * p->options->step && !r->removed) {
        bool halved;
        GZ_TRY(split(p, r->i, r->resolution, &halved));
        if (halved) return GRAZE_OK;
    }
    if (p->edges.motions) return plan_detour(p, r->i, r->resolution);
    // An edge farther from the path's end than the last one repaired is a part of that detour. At
    // the finest resolution such a part is checked exactly as when it was found, so that this
    // terminates.
    last_repair *m = &r->last;
    size_t rest = p->path.count - r->i;
    m->attempt = m->attempt > 0 && rest >= m->rest ? m->attempt + 1 : 1;
    m->rest = rest;
    double resolution = ldexp(p->options->resolution, -(int)(m->attempt < 20 ? m->attempt : 20));
    return plan_detour(p, r->i, resolution > r->resolution ? resolution : r->resolution);
}

/// Removes an end of a blocked edge where nothing can be proved, if there is one; *given_up where
/// that is the start or the goal. Detours have no such waypoints, and an edge that lost one is not
/// halved, so that this terminates.
static graze_status remove_tight(plan *p, recheck_state *r, bool *removed, bool *given_up) {
    const gz_state_list nothing = {0};
    const double *a = gz_state_list_at(&p->path, r->i - 1), *b = gz_state_list_at(&p->path, r->i);
    bool tight_a, tight_b;
    *removed = *given_up = false;
    GZ_TRY(gz_edge_is_tight(&p->edges, a, b, &tight_a));
    GZ_TRY(gz_edge_is_tight(&p->edges, b, a, &tight_b));
    if (!tight_a && !tight_b) return GRAZE_OK;
    size_t which = tight_a ? r->i - 1 : r->i;
    *given_up = which == 0 || which + 1 == p->path.count;
    if (*given_up) return GRAZE_OK;
    gz_state_list_replace(&p->path, which, which + 1, &nothing); // shrinks: cannot fail
    r->i = which;
    r->removed = *removed = true;
    return GRAZE_OK;
}

static gz_edge_verdict recheck_edge(plan *p, const recheck_state *r) {
    const double *a = gz_state_list_at(&p->path, r->i - 1), *b = gz_state_list_at(&p->path, r->i);
    return p->edges.motions ? gz_edge_prove(&p->edges, a, b)
                            : gz_edge_check(&p->edges, a, b, GZ_EDGE_NO_END, r->resolution);
}

/// Checks a path edge by edge, and repairs it; ignores the time limit. With a workspace for proofs
/// edges are proved, until *given_up: at a start or goal that is tight, or outside of the domain;
/// without one they are looked at, at the finest resolution.
static graze_status recheck(plan *p, double finest, bool *given_up) {
    recheck_state r = {.i = 1, .resolution = finest};
    p->budget.unlimited = true;
    *given_up = false;
    while (r.i < p->path.count && p->result->outcome == GRAZE_PLAN_FOUND && !*given_up) {
        gz_edge_verdict verdict = recheck_edge(p, &r);
        if (verdict == GZ_EDGE_FAILED) return p->edges.status;
        if (verdict == GZ_EDGE_STOPPED) p->result->outcome = GRAZE_PLAN_CANCELLED;
        if (verdict == GZ_EDGE_FREE) {
            r.i++;
            r.removed = false;
        } else if (verdict == GZ_EDGE_BLOCKED && p->edges.motions && p->edges.beyond) {
            *given_up = true;
        } else if (verdict == GZ_EDGE_BLOCKED) { // and the same place again
            bool removed = false;
            if (p->edges.motions) GZ_TRY(remove_tight(p, &r, &removed, given_up));
            if (!removed && !*given_up) GZ_TRY(repair_edge(p, &r));
        }
    }
    return GRAZE_OK;
}

/// Proves a path, or where that cannot be looks at it once more.
static graze_status certify(plan *p) {
    bool given_up = false;
    if (p->edges.motions) GZ_TRY(recheck(p, p->options->resolution, &given_up));
    p->result->certified = p->edges.motions && !given_up;
    if (p->result->certified || p->options->recheck < 2) return GRAZE_OK;
    graze_motion_workspace_free(p->edges.motions);
    p->edges.motions = NULL;
    return recheck(p, p->options->resolution / p->options->recheck, &given_up);
}

// Samples of a round of improvement that finds nothing; the next one may draw twice as many.
enum { ROUND_SAMPLES = 2000, ROUND_DOUBLINGS = 20 };

/// Searches for shorter and shorter paths, until samples or time are spent or the path is good; of
/// edges that are proved where the first path is. Each round begins with new trees: what an old one
/// has chosen badly does not stay.
static graze_status improve(plan *p) {
    const graze_plan_options *o = p->options;
    graze_plan_result *r = p->result;
    double length = gz_path_length(&p->space, &p->path);
    double direct = gz_plan_space_distance(&p->space, p->start, p->goal);
    double least = fmax(o->good_length, direct * (1 + 1e-9));
    gz_state_list other = gz_state_list_make(p->space.dimension);
    graze_status status = GRAZE_OK;
    int failures = 0;
    r->length_first = length;
    p->edges.proves = r->certified;
    p->budget.unlimited = false;
    for (uint64_t round = 0; length > least && r->improve_iterations < o->improve_iterations &&
                             !gz_budget_spent(&p->budget);
         round++) {
        gz_rrt_result found;
        status = search(p, p->start, p->goal,
                        (search_limits){o->resolution, length, (uint64_t)ROUND_SAMPLES << failures,
                                        o->shortcut_rounds},
                        STREAM_IMPROVE + 2 * round, &other, &found);
        if (status != GRAZE_OK) break;
        if (found.outcome != GRAZE_PLAN_FOUND) {
            failures += failures < ROUND_DOUBLINGS;
            continue;
        }
        failures = 0;
        length = gz_path_length(&p->space, &other);
        const gz_state_list shorter = other;
        other = p->path;
        p->path = shorter;
        r->improvements++;
    }
    p->edges.proves = false;
    gz_state_list_free(&other);
    return status;
}

/// The path's curve, where one is wanted and proved.
static graze_status smooth(plan *p) {
    graze_plan_result *r = p->result;
    if (!(p->options->smooth > 0) || !r->certified || p->path.count < 2) return GRAZE_OK;
    graze_smoothing_options options = graze_smoothing_options_default();
    graze_smoothing_report report;
    options.corner = p->options->smooth;
    graze_status status = graze_smooth_path(&r->curve, p->edges.checker, r->path->q, p->path.count,
                                            r->path->base, &options, &report, p->error);
    r->smooth_corners = report.smooth;
    r->sharp_corners = report.sharp;
    if (status == GRAZE_ERROR_UNSUPPORTED || status == GRAZE_ERROR_RANGE) {
        gz_error_clear(p->error);
        return GRAZE_OK;
    }
    if (status == GRAZE_OK) return GRAZE_OK;
    graze_path_free(r->path);
    r->path = NULL;
    return status;
}

static graze_status find_path(plan *p) {
    gz_rrt_result found;
    const search_limits limits = {p->options->resolution, INFINITY, UINT64_MAX,
                                  p->options->shortcut_rounds};
    graze_status status = search(p, p->start, p->goal, limits, STREAM_TREES, &p->path, &found);
    p->result->outcome = found.outcome;
    for (int i = 0; i < 2; i++) p->result->tree_size[i] = found.tree_size[i];
    if (status != GRAZE_OK || found.outcome != GRAZE_PLAN_FOUND) return status;
    const double begin = gz_monotonic_seconds();
    status = certify(p);
    p->result->proof_seconds = gz_monotonic_seconds() - begin;
    if (status == GRAZE_OK && p->result->outcome == GRAZE_PLAN_FOUND) status = improve(p);
    bool checked = p->result->certified || p->result->improvements == 0;
    if (status == GRAZE_OK && !checked) status = certify(p);
    if (status == GRAZE_OK && p->budget.cancelled) p->result->outcome = GRAZE_PLAN_CANCELLED;
    if (status != GRAZE_OK || p->result->outcome != GRAZE_PLAN_FOUND) return status;
    p->result->length = gz_path_length(&p->space, &p->path);
    p->result->path = gz_path_make(&p->space, &p->path);
    return p->result->path ? smooth(p) : gz_fail_memory(p->error);
}

/// Plans, after the arguments are checked and everything is allocated.
static graze_status run(plan *p, const graze_robot *robot, const plan_end *start,
                        const plan_end *goal) {
    const plan_end *ends[2] = {start, goal};
    double *states[2] = {p->start, p->goal};
    p->result->outcome = GRAZE_PLAN_FOUND;
    for (int i = 0; i < 2 && p->result->outcome == GRAZE_PLAN_FOUND; i++) {
        gz_plan_space_read(&p->space, ends[i]->q, ends[i]->base, states[i]);
        p->result->joint = gz_plan_violated_joint(robot, ends[i]->q);
        if (p->result->joint >= 0) p->result->outcome = ends[i]->limits;
    }
    for (int i = 0; i < 2 && p->result->outcome == GRAZE_PLAN_FOUND; i++)
        GZ_TRY(check_end(&p->edges, ends[i], states[i], p->result, p->error));
    if (p->result->outcome != GRAZE_PLAN_FOUND) return GRAZE_OK;
    if (gz_plan_space_differs(&p->space, robot, goal->q, goal->base, &p->result->joint)) {
        p->result->outcome = GRAZE_PLAN_UNREACHABLE;
        return GRAZE_OK;
    }
    return find_path(p);
}

/// Plans into a result that has its defaults.
static graze_status plan_into(const graze_checker *checker, const double *start,
                              const double *start_base, const double *goal, const double *goal_base,
                              const graze_plan_options *options, graze_plan_result *result,
                              graze_error *error) {
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    const graze_robot *robot = graze_checker_robot(checker);
    if ((!start || !goal) && graze_robot_q_size(robot) > 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "start or goal is NULL; allowed: %zu numbers",
                       graze_robot_q_size(robot));
    graze_plan_options o;
    graze_status status = GZ_OPTIONS_READ(graze_plan_options, &o, options, error);
    plan_end ends[2] = {{.name = "start",
                         .q = start,
                         .collides = GRAZE_PLAN_START_COLLIDES,
                         .limits = GRAZE_PLAN_START_LIMITS},
                        {.name = "goal",
                         .q = goal,
                         .collides = GRAZE_PLAN_GOAL_COLLIDES,
                         .limits = GRAZE_PLAN_GOAL_LIMITS}};
    if (start_base) memcpy(ends[0].base, start_base, sizeof ends[0].base);
    if (goal_base) memcpy(ends[1].base, goal_base, sizeof ends[1].base);
    if (status == GRAZE_OK) status = check_options(&o, error);
    for (int i = 0; i < 2 && status == GRAZE_OK; i++)
        status = gz_plan_check_numbers(robot, ends[i].name, ends[i].q, ends[i].base, error);

    plan p = {.options = &o, .result = result, .error = error};
    p.budget = (gz_budget){
        .start = gz_monotonic_seconds(), .cancel = o.cancel, .max_seconds = o.max_seconds};
    if (status == GRAZE_OK)
        status = gz_plan_space_make(&p.space, checker, start, start_base, goal, goal_base, &o,
                                    error);
    if (status == GRAZE_OK)
        status = gz_edges_make(&p.edges, checker, &p.space, o.threads, o.certify, &p.budget, error);
    if (status == GRAZE_OK) {
        p.path = gz_state_list_make(p.space.dimension);
        p.start = gz_malloc(p.space.dimension, 3 * sizeof(double));
        if (!p.start) status = gz_fail_memory(error);
    }
    if (status == GRAZE_OK) {
        p.goal = p.start + p.space.dimension;
        p.middle = p.goal + p.space.dimension;
        status = run(&p, robot, &ends[0], &ends[1]);
    }
    result->configurations_checked = p.edges.configurations;
    result->edges_checked = p.edges.checked;
    result->motions_proved = p.edges.proved;
    if (status != GRAZE_OK) result->outcome = GRAZE_PLAN_ITERATIONS; // anything but FOUND
    result->certified = result->certified && result->path;
    result->seconds = gz_monotonic_seconds() - p.budget.start;
    gz_free(p.start);
    gz_state_list_free(&p.path);
    gz_edges_free(&p.edges);
    gz_plan_space_free(&p.space);
    return status;
}

graze_status graze_plan_sized(const graze_checker *checker, const double *start,
                              const double *start_base, const double *goal, const double *goal_base,
                              const graze_plan_options *options, graze_plan_result *result,
                              size_t size, graze_error *error) {
    GZ_ENTER(error);
    if (!result || size < offsetof(graze_plan_result, contact))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "result is NULL or too short");
    graze_plan_result own = {.outcome = GRAZE_PLAN_ITERATIONS, .joint = -1};
    graze_status status = plan_into(checker, start, start_base, goal, goal_base, options, &own,
                                    error);
    gz_fill(result, size, &own, sizeof own);
    return status;
}
