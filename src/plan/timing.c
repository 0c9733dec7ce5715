// Timed paths: the curve through waypoints with its corners cut, its knots, and the trajectory
// that is proved free and within the limits.
#include "graze/timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/space.h"
#include "plan/timing_internal.h"

// Cells of a straight way and of a parabola: even numbers, since the fastest way from rest to rest
// changes over in the middle. A short way between parabolas has fewer: its cells would take so
// little time that the nanoseconds of knots count.
enum { STRAIGHT_CELLS = 32, SHORT_CELLS = 8, BEND_CELLS = 16 };
// So much shorter than the longest motion is short.
#define SHORT 0.25
// How often less of the limits is used, since rounding makes derivatives greater.
enum { JERK_ROUNDS = 60 };

static graze_timing_options default_options(void) {
    return (graze_timing_options){.struct_size = sizeof(graze_timing_options), .corner = 0.1};
}

GZ_OPTIONS_INIT(graze_timing_options, default_options)

// ----------------------------------------------------------------------------------- the curve

/// Where cell i of a span begins, of its length. Cells of straight ways are short at their ends,
/// where speeds change, however long the way is.
static double cell_begin(bool bends, size_t i, size_t cells) {
    double t = (double)i / (double)cells;
    return bends ? t : t * t * (3 - 2 * t);
}

static void add_cells(gz_timed_path *p, size_t span, size_t cells) {
    const gz_path_span *on = p->spans + span;
    for (size_t i = 0; i < cells; i++)
        p->cells[p->cell_count++] = (gz_path_cell){
            span, on->length * cell_begin(on->bends, i, cells),
            on->length * cell_begin(on->bends, i + 1, cells)};
}

static size_t straight_cells(const gz_timed_path *p, size_t motion, double length, double longest) {
    bool rests = p->cuts[motion] == 0 || p->cuts[motion + 1] == 0;
    return rests || length > SHORT * longest ? STRAIGHT_CELLS : SHORT_CELLS;
}

/// Lays spans and cells along the waypoints, as the cuts say; stops[i]: knot i is a corner that is
/// not cut. Returns how many these are.
static size_t lay_spans(gz_timed_path *p, bool *stops) {
    size_t count = 0;
    double longest = 0;
    for (size_t i = 0; i + 1 < p->count; i++) longest = fmax(longest, p->lengths[i]);
    p->cell_count = 0;
    for (size_t i = 0; i + 1 < p->count; i++) {
        size_t first = p->cell_count;
        bool rests = i > 0 && p->cuts[i] == 0;
        gz_timed_path_lay(p, i);
        size_t last = p->span_count - 1;
        if (p->cuts[i] > 0) add_cells(p, last - 1, BEND_CELLS);
        add_cells(p, last, straight_cells(p, i, p->spans[last].length, longest));
        for (size_t k = first; k < p->cell_count; k++) stops[k] = false;
        stops[first] = rests;
        count += rests;
    }
    stops[p->cell_count] = true;
    return count;
}

/// Places and velocities at knots.
static void set_knots(gz_timed_path *p) {
    for (size_t i = 0; i <= p->cell_count; i++) {
        const gz_path_cell *cell = p->cells + (i < p->cell_count ? i : i - 1);
        const gz_path_span *span = p->spans + cell->span;
        double at = i < p->cell_count ? cell->from : cell->to, speed = sqrt(p->speeds[i]);
        for (size_t k = 0; k < p->width; k++) {
            double first, second;
            gz_timed_path_slope(p, span, at, k, &first, &second);
            p->q[i * p->width + k] = gz_timed_path_position(p, span, at, k);
            p->rates[i * p->width + k] = first * speed;
        }
    }
}

/// Times at knots, where acceleration along the curve is constant between them.
static void set_times(gz_timed_path *p) {
    p->times[0] = 0;
    for (size_t i = 0; i < p->cell_count; i++)
        p->times[i + 1] = p->times[i] + 2 * (p->cells[i].to - p->cells[i].from) /
                                            (sqrt(p->speeds[i]) + sqrt(p->speeds[i + 1]));
}

// ---------------------------------------------------------------------------------- the limits

/// The greatest fractions of limits that cubic pieces between the knots use. The derivative of such
/// a piece lies between its control points, of which the middle one is 3 D - v0 - v1 with D the
/// mean velocity; the second derivative is linear, and greatest at an end; the third is constant.
static void measure(const gz_timed_path *p, graze_timing_report *report) {
    report->velocity = report->acceleration = report->jerk = 0;
    for (size_t i = 0; i < p->cell_count; i++)
        for (size_t k = 0; k < p->width; k++) {
            size_t a = i * p->width + k, b = a + p->width;
            double span = p->times[i + 1] - p->times[i], mean = (p->q[b] - p->q[a]) / span;
            double v0 = p->rates[a], v1 = p->rates[b];
            double v = fmax(fabs(3 * mean - v0 - v1), fmax(fabs(v0), fabs(v1)));
            double a0 = (6 * mean - 4 * v0 - 2 * v1) / span;
            double a1 = (2 * v0 + 4 * v1 - 6 * mean) / span;
            double acceleration = fmax(fabs(a0), fabs(a1)) / p->accelerations[k];
            report->velocity = fmax(report->velocity, v / p->velocities[k]);
            report->acceleration = fmax(report->acceleration, acceleration);
            if (p->jerks) report->jerk = fmax(report->jerk, fabs(a1 - a0) / span / p->jerks[k]);
        }
}

/// Seconds, to whole nanoseconds: the sum that seconds and nanoseconds of a message make.
static double whole_nanoseconds(double time) {
    double seconds = floor(time), rest = nearbyint((time - seconds) * 1e9);
    return rest < 1e9 ? seconds + rest / 1e9 : seconds + 1;
}

/// Stretches the times where limits are exceeded, until none is.
static void stretch(gz_timed_path *p, graze_timing_report *report) {
    for (;;) {
        for (size_t i = 1; i <= p->cell_count; i++) {
            p->times[i] = whole_nanoseconds(p->times[i]);
            if (p->times[i] <= p->times[i - 1])
                p->times[i] = whole_nanoseconds(p->times[i - 1] + 1e-9);
        }
        measure(p, report);
        double factor = fmax(report->velocity, sqrt(report->acceleration));
        if (!(factor > 1) || !isfinite(factor)) return;
        factor *= 1 + 1e-9;
        for (size_t i = 0; i <= p->cell_count; i++) p->times[i] *= factor;
        for (size_t i = 0; i < (p->cell_count + 1) * p->width; i++) p->rates[i] /= factor;
    }
}

/// Within limits of jerk: less and less of all limits is used, until rounding does not count.
/// False where that does not help.
static bool limit_jerk(gz_timed_path *p, double *scratch, graze_timing_report *report) {
    double share = 1, least = 1e-9;
    for (int round = 0; round < JERK_ROUNDS; round++, least *= 2) {
        gz_timed_path_jerk_limited(p, share, scratch);
        set_knots(p);
        measure(p, report);
        double most = fmax(fmax(report->velocity, report->acceleration), report->jerk);
        if (most <= 1) return true;
        share /= fmax(most, 1 + least);
    }
    return false;
}

enum { VELOCITY = 0, ACCELERATION = 1, JERK = 2 };

/// A limit of a column: what is given, or the description's; of jerk there may be none.
static graze_status read_limit(const graze_robot *robot, size_t column, bool moves,
                               const double *given, int order, double *out, graze_error *error) {
    static const char *const names[] = {"velocity", "acceleration", "jerk"};
    static const char *const base_names[] = {"base x",    "base y",     "base z",
                                             "base roll", "base pitch", "base yaw"};
    size_t q_size = graze_robot_q_size(robot);
    bool joint = column < q_size;
    char element[GRAZE_PATH_SIZE];
    graze_joint_info info = {0};
    if (joint) GZ_TRY(graze_robot_joint(robot, graze_robot_q_joint(robot, column), &info));
    double described[] = {info.velocity, info.acceleration, info.has_jerk ? info.jerk : INFINITY};
    double value = given ? given[joint ? column : column - q_size] : described[order];
    *out = moves ? value : INFINITY;
    if (!moves || (value > 0 && (order == JERK || isfinite(value)))) return GRAZE_OK;
    snprintf(element, sizeof element, "column %s",
             joint ? graze_robot_q_name(robot, column) : base_names[column - q_size]);
    return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = element},
                      "the limit of %s is %g%s; allowed: %sabove 0", names[order], value,
                      given   ? ""
                      : joint ? ", or the description has none"
                              : " as none is given",
                      order == JERK ? "" : "finite, ");
}

// ------------------------------------------------------------------------------------ the trials

typedef struct timing {
    gz_timed_path path;
    bool *stops, *moves;
    graze_q_kind *kinds;
    double *limits;  ///< a row of each order
    double *scratch; ///< two numbers for each waypoint
    size_t q_size;
    double *rows;     ///< waypoints: q, and the base behind it where there is one
    double *knots[4]; ///< of q, its velocities, the base, its velocities: a row for each knot
    unsigned char *halved;
    const graze_checker *checker;
    graze_motion_workspace *workspace;
} timing;

static void lay_out(timing *t, gz_arena *arena) {
    gz_timed_path *p = &t->path;
    size_t n = p->width, motions = p->count - 1;
    size_t cells = motions * (STRAIGHT_CELLS + BEND_CELLS), knots = cells + 1;
    p->points = gz_arena_array(arena, p->count * n, sizeof *p->points);
    p->directions = gz_arena_array(arena, motions * n, sizeof *p->directions);
    p->lengths = gz_arena_array(arena, motions, sizeof *p->lengths);
    p->cuts = gz_arena_array(arena, p->count, sizeof *p->cuts);
    p->spans = gz_arena_array(arena, 2 * motions, sizeof *p->spans);
    p->cells = gz_arena_array(arena, cells, sizeof *p->cells);
    p->speeds = gz_arena_array(arena, knots, sizeof *p->speeds);
    p->times = gz_arena_array(arena, knots, sizeof *p->times);
    p->q = gz_arena_array(arena, knots * n, sizeof *p->q);
    p->rates = gz_arena_array(arena, knots * n, sizeof *p->rates);
    t->stops = gz_arena_array(arena, knots, sizeof *t->stops);
    t->moves = gz_arena_array(arena, n, sizeof *t->moves);
    t->kinds = gz_arena_array(arena, n, sizeof *t->kinds);
    t->limits = gz_arena_array(arena, 3 * n, sizeof *t->limits);
    t->scratch = gz_arena_array(arena, 2 * p->count, sizeof *t->scratch);
    t->halved = gz_arena_array(arena, p->count, sizeof *t->halved);
    t->rows = gz_arena_array(arena, p->count * n, sizeof *t->rows);
    for (int i = 0; i < 4; i++)
        t->knots[i] = gz_arena_array(arena, knots * (i < 2 ? t->q_size : n - t->q_size),
                                     sizeof(double));
}

/// The knots, with the columns of q and those of the base apart.
static graze_trajectory_knots make_knots(timing *t) {
    const gz_timed_path *p = &t->path;
    size_t n = t->q_size, base = p->width - n;
    for (size_t i = 0; i <= p->cell_count; i++)
        for (int order = 0; order < 2; order++) {
            const double *row = (order ? p->rates : p->q) + i * p->width;
            memcpy(t->knots[order] + i * n, row, n * sizeof *row);
            if (base > 0) memcpy(t->knots[2 + order] + i * base, row + n, base * sizeof *row);
        }
    graze_trajectory_knots knots = graze_trajectory_knots_default();
    knots.count = p->cell_count + 1;
    knots.times = p->times;
    knots.q = t->knots[0];
    knots.velocities = t->knots[1];
    if (base > 0) {
        knots.base = t->knots[2];
        knots.base_velocities = t->knots[3];
    }
    return knots;
}

/// Makes the trajectory of the cuts as they are, and checks it.
static graze_status try_cuts(timing *t, graze_trajectory **out, graze_timing_report *report,
                             graze_trajectory_report *found, graze_error *error) {
    gz_timed_path *p = &t->path;
    report->stops = lay_spans(p, t->stops);
    if (p->jerks) {
        if (!limit_jerk(p, t->scratch, report))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "the limits are too low to be kept in whole nanoseconds; allowed: more");
    } else {
        gz_timed_path_speeds(p, t->stops);
        set_knots(p);
        set_times(p);
        stretch(p, report);
    }
    report->seconds = p->times[p->cell_count];
    const graze_trajectory_knots knots = make_knots(t);
    GZ_TRY(graze_trajectory_from_knots(out, graze_checker_robot(t->checker), &knots, error));
    return graze_check_trajectory(t->checker, t->workspace, *out, NULL, found, error);
}

/// Tries until the trajectory is free, or the path itself is not.
static graze_status try_all(timing *t, graze_trajectory **out, graze_timing_report *report,
                            graze_error *error) {
    gz_timed_path *p = &t->path;
    for (;;) {
        graze_trajectory_report found;
        report->rounds++;
        GZ_TRY(try_cuts(t, out, report, &found, error));
        report->verdict = found.verdict;
        report->motion = p->count - 1;
        if (found.verdict == GRAZE_MOTION_FREE) return GRAZE_OK;
        graze_trajectory_free(*out);
        *out = NULL;
        const gz_path_span *span = p->spans + p->cells[found.piece].span;
        report->motion = span->at;
        if (!span->bends) return GRAZE_OK;
        p->cuts[span->at] = ++t->halved[span->at] > GZ_CUT_HALVINGS ? 0 : 0.5 * p->cuts[span->at];
    }
}

/// Reads the limits of all columns. Limits of jerk are wanted where there is one.
static graze_status read_limits(timing *t, const graze_timing_options *o, graze_error *error) {
    gz_timed_path *p = &t->path;
    const double *const given[2][3] = {{o->velocities, o->accelerations, o->jerks},
                                       {o->base_velocities, o->base_accelerations, o->base_jerks}};
    for (size_t k = 0; k < p->width; k++)
        for (int order = VELOCITY; order <= JERK; order++)
            GZ_TRY(read_limit(graze_checker_robot(t->checker), k, t->moves[k],
                              given[k >= t->q_size][order], order,
                              t->limits + (size_t)order * p->width + k, error));
    p->velocities = t->limits;
    p->accelerations = t->limits + p->width;
    for (size_t k = 0; k < p->width; k++)
        if (isfinite(t->limits[JERK * p->width + k])) p->jerks = t->limits + JERK * p->width;
    return GRAZE_OK;
}

/// @param base a row for each waypoint, or one for all, or NULL
static graze_status prepare(timing *t, const double *q, const double *base, bool moves,
                            const graze_timing_options *options, graze_error *error) {
    gz_timed_path *p = &t->path;
    memset(t->moves, 0, p->width * sizeof *t->moves);
    memset(t->halved, 0, p->count);
    gz_timed_path_kinds(graze_checker_robot(t->checker), base != NULL, t->kinds);
    gz_timed_path_rows(t->rows, q, t->q_size, base, moves ? GZ_BASE_NUMBERS : 0, p->count);
    GZ_TRY(gz_timed_path_take(p, t->rows, t->kinds, t->moves, error));
    GZ_TRY(read_limits(t, options, error));
    // The acceleration of what is run through jumps where the curve's second derivative does.
    p->spline = p->spline || p->jerks != NULL;
    gz_timed_path_cut(p, options->corner);
    return graze_motion_workspace_create(&t->workspace, t->checker, error);
}

graze_status graze_time_path_sized(graze_trajectory **out, const graze_checker *checker,
                                   const double *q, size_t count, const double *base,
                                   const graze_timing_options *given, graze_timing_report *report,
                                   size_t size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_timing_report values = {.verdict = GRAZE_MOTION_UNKNOWN};
    graze_timing_options options;
    if (out) *out = NULL;
    if (report) gz_fill(report, size, &values, sizeof values);
    if (!out || !checker || !report)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, checker or report is NULL");
    GZ_TRY(GZ_OPTIONS_READ(graze_timing_options, &options, given, error));
    const graze_robot *robot = graze_checker_robot(checker);
    GZ_TRY(gz_timed_path_check(robot, q, options.bases, count, error));
    if (!(options.corner >= 0) || !isfinite(options.corner))
        return gz_fail(error, GRAZE_ERROR_RANGE, "corner is %g; allowed: finite, 0 at least",
                       options.corner);
    const bool moves = options.bases != NULL;
    if (moves) base = options.bases;
    timing t = {.checker = checker, .q_size = graze_robot_q_size(robot)};
    t.path = (gz_timed_path){.width = t.q_size + (base ? GZ_BASE_NUMBERS : 0),
                             .count = count,
                             .spline = options.spline != 0};
    gz_arena arena = {0};
    lay_out(&t, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    void *memory = arena.memory;
    lay_out(&t, &arena);
    graze_status status = prepare(&t, q, base, moves, &options, error);
    if (status == GRAZE_OK) status = try_all(&t, out, &values, error);
    if (status) {
        graze_trajectory_free(*out);
        *out = NULL;
        values = (graze_timing_report){.verdict = GRAZE_MOTION_UNKNOWN};
    }
    graze_motion_workspace_free(t.workspace);
    gz_free(memory);
    gz_fill(report, size, &values, sizeof values);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
