// Smooth paths: the bend of each corner, as wide as it is proved free, and the curve of all.
#include "graze/smoothing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/options.h"
#include "plan/timing_internal.h"

// Control points of a piece; pieces of a bend.
enum { ROWS = 4, BEND_PIECES = 2 };

static graze_smoothing_options default_options(void) {
    return (graze_smoothing_options){.struct_size = sizeof(graze_smoothing_options), .corner = 0.1};
}

GZ_OPTIONS_INIT(graze_smoothing_options, default_options)

typedef struct smoother {
    gz_timed_path path;
    size_t q_size;
    bool has_base;
    double *rows;        ///< of waypoints, q and base
    graze_q_kind *kinds; ///< of their columns
    double *times;       ///< of the curve's pieces
    double *q, *base;    ///< control points of the curve
    size_t *corner;      ///< of each piece: the corner, or the number of waypoints and the motion
    size_t pieces;
    const graze_checker *checker;
    graze_motion_workspace *workspace;
} smoother;

static void lay_out(smoother *s, gz_arena *arena) {
    gz_timed_path *p = &s->path;
    size_t n = p->width, motions = p->count - 1, pieces = (1 + BEND_PIECES) * motions;
    s->rows = gz_arena_array(arena, p->count * n, sizeof *s->rows);
    s->kinds = gz_arena_array(arena, n, sizeof *s->kinds);
    p->points = gz_arena_array(arena, p->count * n, sizeof *p->points);
    p->directions = gz_arena_array(arena, motions * n, sizeof *p->directions);
    p->lengths = gz_arena_array(arena, motions, sizeof *p->lengths);
    p->cuts = gz_arena_array(arena, p->count, sizeof *p->cuts);
    p->spans = gz_arena_array(arena, 2 * motions, sizeof *p->spans);
    s->times = gz_arena_array(arena, pieces + 1, sizeof *s->times);
    s->q = gz_arena_array(arena, ROWS * pieces * s->q_size, sizeof *s->q);
    s->base = gz_arena_array(arena, ROWS * pieces * GZ_BASE_NUMBERS, sizeof *s->base);
    s->corner = gz_arena_array(arena, pieces, sizeof *s->corner);
}

/// Puts a number into a control point of the piece that comes next.
static void put(smoother *s, size_t row, size_t column, double value) {
    size_t at = ROWS * s->pieces + row;
    if (column < s->q_size)
        s->q[at * s->q_size + column] = value;
    else
        s->base[at * GZ_BASE_NUMBERS + column - s->q_size] = value;
}

/// Adds a piece between two places on a span: the cubic with the curve's places and slopes there,
/// which is the curve itself. Where a piece begins at a waypoint or ends there it has its bits.
static void add_piece(smoother *s, const gz_path_span *span, double from, double to) {
    const gz_timed_path *p = &s->path;
    bool begins = !span->bends && p->cuts[span->at] == 0;
    bool ends = !span->bends && p->cuts[span->at + 1] == 0;
    for (size_t k = 0; k < p->width; k++) {
        double a = gz_timed_path_position(p, span, from, k), slope[2], second;
        double b = gz_timed_path_position(p, span, to, k), third = (to - from) / 3;
        if (begins) a = p->points[span->at * p->width + k];
        if (ends) b = p->points[(span->at + 1) * p->width + k];
        gz_timed_path_slope(p, span, from, k, &slope[0], &second);
        gz_timed_path_slope(p, span, to, k, &slope[1], &second);
        put(s, 0, k, a);
        put(s, 1, k, a + slope[0] * third);
        put(s, 2, k, b - slope[1] * third);
        put(s, 3, k, b);
    }
    s->corner[s->pieces] = span->bends ? span->at : p->count + span->at;
    s->times[s->pieces + 1] = s->times[s->pieces] + (to - from);
    s->pieces++;
}

static void add_span(smoother *s, const gz_path_span *span) {
    if (!span->bends) {
        add_piece(s, span, 0, span->length);
        return;
    }
    add_piece(s, span, 0, 0.5 * span->length);
    add_piece(s, span, 0.5 * span->length, span->length);
}

/// Makes the trajectory of the pieces, and checks it.
static graze_status check_pieces(smoother *s, graze_trajectory **out,
                                 graze_trajectory_report *found, graze_error *error) {
    GZ_TRY(graze_trajectory_from_bezier(out, graze_checker_robot(s->checker), ROWS - 1, s->pieces,
                                        s->times, s->q, s->has_base ? s->base : NULL, error));
    return graze_check_trajectory(s->checker, s->workspace, *out, NULL, found, error);
}

/// Narrows the bend of a corner until it is proved free by itself.
static graze_status fit_bend(smoother *s, size_t corner, graze_smoothing_report *report,
                             graze_error *error) {
    gz_timed_path *p = &s->path;
    int halvings = 0;
    for (bool is_free = false; p->cuts[corner] > 0 && !is_free;) {
        graze_trajectory *bend = NULL;
        graze_trajectory_report found;
        const gz_path_span span = {true, corner, 2 * p->cuts[corner]};
        s->pieces = 0;
        add_span(s, &span);
        graze_status status = check_pieces(s, &bend, &found, error);
        graze_trajectory_free(bend);
        GZ_TRY(status);
        report->rounds++;
        is_free = found.verdict == GRAZE_MOTION_FREE;
        if (is_free) continue;
        halvings++;
        p->cuts[corner] = halvings > GZ_CUT_HALVINGS ? 0 : 0.5 * p->cuts[corner];
    }
    report->smooth += p->cuts[corner] > 0;
    report->sharp += p->cuts[corner] == 0;
    report->tightened += p->cuts[corner] > 0 && halvings > 0;
    return GRAZE_OK;
}

/// The whole curve, which is free where the path's motions are.
static graze_status make_curve(smoother *s, graze_trajectory **out, graze_smoothing_report *report,
                               graze_error *error) {
    gz_timed_path *p = &s->path;
    graze_trajectory_report found;
    for (size_t i = 0; i + 1 < p->count; i++) gz_timed_path_lay(p, i);
    s->pieces = 0;
    for (size_t i = 0; i < p->span_count; i++) add_span(s, p->spans + i);
    GZ_TRY(check_pieces(s, out, &found, error));
    report->verdict = found.verdict;
    report->length = s->times[s->pieces];
    report->motion = p->count - 1;
    if (found.verdict == GRAZE_MOTION_FREE) return GRAZE_OK;
    report->motion = s->corner[found.piece] % p->count;
    report->length = 0;
    graze_trajectory_free(*out);
    *out = NULL;
    return GRAZE_OK;
}

static graze_status smooth(smoother *s, const double *q, const double *base, double corner,
                           graze_trajectory **out, graze_smoothing_report *report,
                           graze_error *error) {
    gz_timed_path *p = &s->path;
    gz_timed_path_kinds(graze_checker_robot(s->checker), s->has_base, s->kinds);
    gz_timed_path_rows(s->rows, q, s->q_size, base, GZ_BASE_NUMBERS, p->count);
    GZ_TRY(gz_timed_path_take(p, s->rows, s->kinds, NULL, error));
    GZ_TRY(graze_motion_workspace_create(&s->workspace, s->checker, error));
    gz_timed_path_cut(p, corner);
    s->times[0] = 0;
    for (size_t i = 1; i + 1 < p->count; i++) GZ_TRY(fit_bend(s, i, report, error));
    return make_curve(s, out, report, error);
}

graze_status graze_smooth_path_sized(graze_trajectory **out, const graze_checker *checker,
                                     const double *q, size_t count, const double *base,
                                     const graze_smoothing_options *given,
                                     graze_smoothing_report *report, size_t size,
                                     graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    const graze_smoothing_report unknown = {.verdict = GRAZE_MOTION_UNKNOWN};
    graze_smoothing_report values = unknown;
    graze_smoothing_options options;
    if (out) *out = NULL;
    if (report) gz_fill(report, size, &values, sizeof values);
    if (!out || !checker || !report)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, checker or report is NULL");
    GZ_TRY(GZ_OPTIONS_READ(graze_smoothing_options, &options, given, error));
    const graze_robot *robot = graze_checker_robot(checker);
    GZ_TRY(gz_timed_path_check(robot, q, base, count, error));
    if (!(options.corner > 0) || !isfinite(options.corner))
        return gz_fail(error, GRAZE_ERROR_RANGE, "corner is %g; allowed: finite, above 0",
                       options.corner);
    smoother s = {
        .checker = checker, .q_size = graze_robot_q_size(robot), .has_base = base != NULL};
    s.path = (gz_timed_path){
        .width = s.q_size + (base ? GZ_BASE_NUMBERS : 0), .count = count, .spline = true};
    gz_arena arena = {0};
    lay_out(&s, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    void *memory = arena.memory;
    lay_out(&s, &arena);
    graze_status status = smooth(&s, q, base, options.corner, out, &values, error);
    if (status) {
        graze_trajectory_free(*out);
        *out = NULL;
        values = unknown;
    }
    graze_motion_workspace_free(s.workspace);
    gz_free(memory);
    gz_fill(report, size, &values, sizeof values);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
