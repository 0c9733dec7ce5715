// Motions of arms and bodies in the plane, proved free for all times, and paths of such motions:
// A* over the proved cells of an arm's map, or over a lattice of positions and eight headings of
// what drives along its heading and rotates in place; then shortened.

#include <float.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/options.h"
#include "math/trigonometry.h"
#include "planar/cspace/cspace_internal.h"

// --------------------------------------------------------------------------------------- motions

/// Intervals that wait: each split adds one, and 64 splits leave no length at all.
#define SPLIT_MAX 64

/// The configuration in the middle of a part of a motion, and what that part changes from there.
/// The middle is off by the rounding of the difference, of its product and of the sum, 5 u of the
/// larger end: 2^-50 of it, and 2^-40 of angles, which are at most 2^10.
static void middle_of(const gz_arm_query *query, const double *from, const double *to, double low,
                      double high, double *q, double *half) {
    double middle = 0.5 * (low + high), part = 0.5 * (high - low);
    for (int32_t i = 0; i < query->count; i++) {
        double change = to[i] - from[i];
        double slack = i < query->first ? 0x1p-50 * fmax(fabs(from[i]), fabs(to[i])) : 0x1p-40;
        q[i] = from[i] + middle * change;
        half[i] = change == 0 ? 0 : part * fabs(change) * (1 + 0x1p-48) + slack;
    }
}

graze_planar_leg gz_arm_motion_test(const gz_arm_query *query, const double *from, const double *to,
                                    double resolution) {
    double change[GZ_ARM_COORDINATES_MAX], q[GZ_ARM_COORDINATES_MAX], half[GZ_ARM_COORDINATES_MAX];
    double waiting[SPLIT_MAX + 1][2] = {{0, 1}};
    size_t count = 1;
    bool open = false;
    for (int32_t i = 0; i < query->count; i++) change[i] = to[i] - from[i];
    double way = gz_arm_way(query, change);
    while (count > 0) {
        double low = waiting[count - 1][0], high = waiting[--count][1], middle = 0.5 * (low + high);
        middle_of(query, from, to, low, high, q, half);
        gz_arm_verdict v = gz_arm_test(query, q, half);
        if (v.touched < 0) continue;
        if (v.middle == GRAZE_CSPACE_COLLIDING) return GRAZE_PLANAR_LEG_BLOCKED;
        if ((high - low) * way <= resolution || count + 2 > SPLIT_MAX) {
            open = true;
            continue;
        }
        // The later half waits, so that the earlier one is tested first.
        memcpy(waiting[count++], (double[2]){middle, high}, sizeof waiting[0]);
        memcpy(waiting[count++], (double[2]){low, middle}, sizeof waiting[0]);
    }
    return open ? GRAZE_PLANAR_LEG_OPEN : GRAZE_PLANAR_LEG_FREE;
}

graze_status graze_planar_arm_motion(const graze_planar_arm_scene *scene, const double *from,
                                     const double *to, double resolution, graze_planar_leg *verdict,
                                     graze_error *error) {
    GZ_ENTER(error);
    if (verdict) *verdict = GRAZE_PLANAR_LEG_OPEN;
    if (!verdict) return gz_planar_fail_null(error);
    gz_arm_query query;
    GZ_TRY(gz_arm_query_make(&query, scene, error));
    GZ_TRY(gz_arm_check(&query, from, error));
    GZ_TRY(gz_arm_check(&query, to, error));
    GZ_TRY(gz_planar_range_check("the resolution", resolution, DBL_TRUE_MIN, 0x1p50,
                                 "above 0, to 2^50", error));
    *verdict = gz_arm_motion_test(&query, from, to, resolution);
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- search

#define HEADINGS 8
/// Turns smaller than this come from rounding, and are left out.
#define STRAIGHT 0x1p-40
#define NOTHING  UINT32_MAX

/// A search for a path. Its states are the places of a lattice, (row * columns + column) * headings
/// + heading, and the goal. Poses are those of what drives; else of two joints, x and y.
typedef struct search {
    const gz_arm_query *query;
    graze_cspace map; ///< its cells' middles are the places; without cells: of what drives
    double q[GZ_ARM_COORDINATES_MAX];
    graze_planar_pose start, goal;
    double resolution, turn_cost;
    uint32_t headings, states;
    int32_t near; ///< the ends are joined with places of so many cells around
    graze_planar_path *path;
    struct node {
        double cost;
        uint32_t parent; ///< NOTHING: the start
        bool closed;
    } * nodes;    ///< of the states
    gz_heap open; ///< states, by the cost so far and the straight way to come
    bool full;    ///< memory is out
} search;

static graze_planar_pose pose_of(const search *s, uint32_t state) {
    if (state == s->states) return s->goal;
    uint32_t place = state / s->headings, width = s->map.width;
    graze_vec2 at = gz_map_place(&s->map,
                                 &(gz_cell_box){{place % width, place / width}, {1, 1}, false});
    return (graze_planar_pose){at.x, at.y, (state % s->headings) * (GZ_PI / 4)};
}

static void put_pose(const search *s, const graze_planar_pose *pose, double *q) {
    memcpy(q, s->q, sizeof s->q);
    q[s->map.columns[0]] = pose->x;
    q[s->map.columns[1]] = pose->y;
    if (!s->map.cells) q[2] = pose->heading;
}

static bool is_free(search *s, const graze_planar_pose *from, const graze_planar_pose *to) {
    double ends[2][GZ_ARM_COORDINATES_MAX];
    put_pose(s, from, ends[0]);
    put_pose(s, to, ends[1]);
    s->path->judged++;
    return gz_arm_motion_test(s->query, ends[0], ends[1], s->resolution) == GRAZE_PLANAR_LEG_FREE;
}

/// The smallest rotation from one heading to another, in [-pi, pi].
static double turn_of(double from, double to) {
    double turn = to - from;
    return turn - GZ_TWO_PI * round(turn / GZ_TWO_PI);
}

/// The motions from one pose to another, as poses; their number. Of joints: one. Of what drives:
/// turn, drive, turn, forward or backward, whichever turns less. Headings continue that of the
/// first pose, so that every turn is the smallest.
static int join(const search *s, const graze_planar_pose *from, const graze_planar_pose *to,
                graze_planar_pose poses[4]) {
    poses[0] = *from;
    poses[1] = *to;
    if (s->map.cells) return 2;
    double dx = to->x - from->x, dy = to->y - from->y;
    double direction = dx != 0 || dy != 0 ? atan2(dy, dx) : from->heading;
    double ahead = fabs(turn_of(from->heading, direction)) + fabs(turn_of(direction, to->heading));
    double back = fabs(turn_of(from->heading, direction + GZ_PI)) +
                  fabs(turn_of(direction + GZ_PI, to->heading));
    double first = turn_of(from->heading, back < ahead ? direction + GZ_PI : direction);
    if (fabs(first) < STRAIGHT) first = 0;
    poses[1] = (graze_planar_pose){from->x, from->y, from->heading + first};
    poses[2] = (graze_planar_pose){to->x, to->y, poses[1].heading};
    poses[3] = (graze_planar_pose){to->x, to->y,
                                   poses[2].heading + turn_of(poses[2].heading, to->heading)};
    return 4;
}

static double cost_of(const search *s, const graze_planar_pose *from, const graze_planar_pose *to) {
    return hypot(to->x - from->x, to->y - from->y) +
           s->turn_cost * fabs(to->heading - from->heading);
}

/// Whether the motions are free, and what they cost; tested only where that is below `most`.
static bool can_join(search *s, const graze_planar_pose *from, const graze_planar_pose *to,
                     double most, double *cost) {
    graze_planar_pose p[4];
    int n = join(s, from, to, p);
    *cost = 0;
    for (int i = 0; i + 1 < n; i++) *cost += cost_of(s, &p[i], &p[i + 1]);
    if (!(*cost < most)) return false;
    for (int i = 0; i + 1 < n; i++) {
        bool moves = p[i].x != p[i + 1].x || p[i].y != p[i + 1].y ||
                     p[i].heading != p[i + 1].heading;
        if (moves && !is_free(s, &p[i], &p[i + 1])) return false;
    }
    return true;
}

/// Keeps a path to a state where it is the cheapest so far.
static void relax(search *s, uint32_t state, uint32_t parent, double cost) {
    if (s->nodes[state].closed || cost >= s->nodes[state].cost) return;
    s->nodes[state].cost = cost;
    s->nodes[state].parent = parent;
    graze_planar_pose pose = pose_of(s, state);
    s->full |= !gz_heap_push(&s->open, cost + hypot(s->goal.x - pose.x, s->goal.y - pose.y), state);
}

/// Relaxes a state by motions from a pose that itself costs `base`.
static void relax_joined(search *s, const graze_planar_pose *from, uint32_t parent, double base,
                         uint32_t state) {
    graze_planar_pose to = pose_of(s, state);
    double cost;
    if (can_join(s, from, &to, s->nodes[state].cost - base, &cost))
        relax(s, state, parent, base + cost);
}

/// Whether a place of the lattice may be used: there, and, of a map, proved free.
static bool is_place(const search *s, int64_t row, int64_t column) {
    if (row < 0 || column < 0 || row >= s->map.height || column >= s->map.width) return false;
    return !s->map.cells ||
           s->map.cells[row * s->map.width + column].state == GRAZE_CSPACE_FREE_CERTIFIED;
}

/// The cell of a value among `count`; 2 outside, where it is farther off.
static int64_t cell_of(double value, const double range[2], uint32_t count) {
    double cell = floor((value - range[0]) / (range[1] - range[0]) * (double)count);
    return (int64_t)fmin(fmax(cell, -2), (double)count + 1);
}

/// Relaxes the goal and the lattice around the start.
static void open_start(search *s) {
    const graze_cspace *m = &s->map;
    relax_joined(s, &s->start, NOTHING, 0, s->states);
    int64_t from_row = cell_of(s->start.y, m->ranges[1], m->height) - s->near;
    int64_t from_column = cell_of(s->start.x, m->ranges[0], m->width) - s->near;
    for (int64_t row = from_row; row <= from_row + 2 * s->near; row++) {
        for (int64_t column = from_column; column <= from_column + 2 * s->near; column++) {
            if (!is_place(s, row, column)) continue;
            uint32_t place = (uint32_t)(row * m->width + column);
            for (uint32_t h = 0; h < s->headings; h++)
                relax_joined(s, &s->start, NOTHING, 0, place * s->headings + h);
        }
    }
}

/// Relaxes the neighbours of a state. Of a map: the eight cells around, as a step to one stays in
/// both. Of what drives: the two turns, and a cell forward and backward.
static void expand(search *s, uint32_t state) {
    static const int steps[HEADINGS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                           {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    int64_t columns = s->map.width, place = state / s->headings, heading = state % s->headings;
    graze_planar_pose from = pose_of(s, state);
    for (int move = 0; move < (s->map.cells ? HEADINGS : 4); move++) {
        int64_t sign = s->map.cells || move % 2 == 0 ? 1 : -1, to_heading = heading;
        int64_t row = place / columns, column = place % columns;
        if (!s->map.cells && move < 2) {
            to_heading = (heading + sign + HEADINGS) % HEADINGS;
        } else {
            const int *step = steps[s->map.cells ? move : heading];
            row += sign * step[1];
            column += sign * step[0];
        }
        if (!is_place(s, row, column)) continue;
        uint32_t next = (uint32_t)((row * columns + column) * s->headings + to_heading);
        graze_planar_pose to = pose_of(s, next);
        to.heading = from.heading + turn_of(from.heading, to.heading);
        double cost = s->nodes[state].cost + cost_of(s, &from, &to);
        if (s->nodes[next].closed || cost >= s->nodes[next].cost) continue;
        if (s->map.cells || is_free(s, &from, &to)) relax(s, next, state, cost);
    }
    const graze_cspace *m = &s->map;
    double wide = (m->ranges[0][1] - m->ranges[0][0]) / m->width * (s->near + 0.5);
    double high = (m->ranges[1][1] - m->ranges[1][0]) / m->height * (s->near + 0.5);
    if (fabs(from.x - s->goal.x) <= wide && fabs(from.y - s->goal.y) <= high)
        relax_joined(s, &from, state, s->nodes[state].cost, s->states);
}

static void run(search *s) {
    open_start(s);
    while (!s->full && s->open.count > 0 && !s->nodes[s->states].closed) {
        uint32_t state = gz_heap_pop(&s->open).item;
        if (s->nodes[state].closed) continue;
        s->nodes[state].closed = true;
        if (state == s->states) break;
        s->path->reached++;
        expand(s, state);
    }
}

// ---------------------------------------------------------------------------------------- the path

/// The poses of the start and of the states from there to the goal.
static graze_status collect(const search *s, graze_planar_pose **poses, size_t *count,
                            graze_error *error) {
    size_t n = 1;
    for (uint32_t state = s->states; state != NOTHING; state = s->nodes[state].parent) n++;
    *poses = gz_calloc(n, sizeof **poses);
    if (!*poses) return gz_fail_memory(error);
    *count = n;
    for (uint32_t state = s->states; state != NOTHING; state = s->nodes[state].parent)
        (*poses)[--n] = pose_of(s, state);
    (*poses)[0] = s->start;
    return GRAZE_OK;
}

/// Whether two poses differ in heading alone.
static bool is_turn(const graze_planar_pose *a, const graze_planar_pose *b) {
    return a->x == b->x && a->y == b->y;
}

/// Adds the motions to a pose. Two turns in one place become one: it passes no heading that they
/// did not, but is tested at other headings, and so is tested again.
static void add_joined(search *s, const graze_planar_pose *to) {
    graze_planar_path *path = s->path;
    graze_planar_pose p[4], *poses = path->poses;
    int count = join(s, &poses[path->pose_count - 1], to, p);
    for (int i = 1; i < count; i++) {
        size_t n = path->pose_count;
        if (n > 1 && is_turn(&poses[n - 1], &p[i]) && is_turn(&poses[n - 2], &p[i]) &&
            is_free(s, &poses[n - 2], &p[i]))
            n--;
        if (!(is_turn(&poses[n - 1], &p[i]) && poses[n - 1].heading == p[i].heading))
            poses[n++] = p[i];
        path->pose_count = n;
    }
}

/// Joins each pose with one as far on as motions reach freely. What drives is tested again as it
/// will be returned, its headings continuing those before.
static graze_status shorten(search *s, const graze_planar_pose *poses, size_t count,
                            graze_error *error) {
    graze_planar_path *path = s->path;
    path->poses = gz_calloc(3 * count + 1, sizeof *path->poses);
    if (!path->poses) return gz_fail_memory(error);
    path->poses[0] = s->start;
    path->pose_count = 1;
    for (size_t at = 0, next; at + 1 < count; at = next) {
        double cost;
        graze_planar_pose from = path->poses[path->pose_count - 1];
        for (next = count - 1;
             next > at + 1 && !can_join(s, &from, &poses[next], INFINITY, &cost);) {
            size_t step = s->map.cells ? (next - at) / 16 : 1;
            next -= step > 0 ? step : 1;
        }
        // Neighbours in a map are joined by cells that are proved free. The lattice's own motion
        // was free with other headings in its numbers; that these differ by rounding only, and it
        // is open now, ends the plan rather than the promise.
        if (next == at + 1 && !s->map.cells && !can_join(s, &from, &poses[next], INFINITY, &cost))
            return GRAZE_OK;
        add_joined(s, &poses[next]);
    }
    for (size_t i = 1; i < path->pose_count; i++) {
        const graze_planar_pose *a = &path->poses[i - 1], *b = &path->poses[i];
        path->length += hypot(b->x - a->x, b->y - a->y);
        path->turned += fabs(b->heading - a->heading);
    }
    path->outcome = GRAZE_PLANAR_PATH_FOUND;
    return GRAZE_OK;
}

static graze_status find(search *s, graze_error *error) {
    size_t states = (size_t)s->states + 1;
    s->nodes = gz_calloc(states, sizeof *s->nodes);
    if (!s->nodes) return gz_fail_memory(error);
    for (size_t i = 0; i < states; i++) s->nodes[i].cost = INFINITY;
    run(s);
    if (s->full) return gz_fail_memory(error);
    if (!s->nodes[s->states].closed) return GRAZE_OK;
    graze_planar_pose *poses = NULL;
    size_t count = 0;
    graze_status status = collect(s, &poses, &count, error);
    if (!status) status = shorten(s, poses, count, error);
    gz_free(poses);
    return status;
}

/// Whether an end is free; what is nearer to contact than the error counts as blocked.
static bool end_is_free(search *s, const graze_planar_pose *end,
                        graze_planar_path_outcome blocked) {
    graze_planar_arm_pair *pair = &s->path->blocker;
    double q[GZ_ARM_COORDINATES_MAX];
    put_pose(s, end, q);
    if (graze_planar_arm_clearance(s->query->scene, q, pair, NULL) == GRAZE_OK &&
        pair->distance > pair->error)
        return true;
    s->path->outcome = blocked;
    return false;
}

static graze_status check_ends(const search *s, graze_error *error) {
    const double(*r)[2] = s->map.ranges;
    for (int k = 0; k < 2; k++) {
        const graze_planar_pose *p = k ? &s->goal : &s->start;
        if (p->x >= r[0][0] && p->x <= r[0][1] && p->y >= r[1][0] && p->y <= r[1][1]) continue;
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the %s is (%g, %g); allowed: %g to %g, and %g to %g", k ? "goal" : "start",
                       p->x, p->y, r[0][0], r[0][1], r[1][0], r[1][1]);
    }
    return GRAZE_OK;
}

/// Searches, and frees what the search needed.
static graze_status plan(search *s, graze_error *error) {
    graze_status status = s->map.cells ? check_ends(s, error) : GRAZE_OK;
    s->states = s->map.width * s->map.height * s->headings;
    if (!status && end_is_free(s, &s->start, GRAZE_PLANAR_PATH_START_BLOCKED) &&
        end_is_free(s, &s->goal, GRAZE_PLANAR_PATH_GOAL_BLOCKED))
        status = find(s, error);
    gz_free(s->nodes);
    gz_free(s->open.entries);
    gz_free(s->query->boxes);
    if (status == GRAZE_OK && s->path->outcome == GRAZE_PLANAR_PATH_FOUND) return GRAZE_OK;
    gz_free(s->path->poses);
    s->path->poses = NULL;
    s->path->pose_count = 0;
    return status;
}

graze_status graze_planar_arm_plan(const graze_planar_arm_scene *scene, const graze_cspace *map,
                                   graze_vec2 start, graze_vec2 goal, graze_planar_path *path,
                                   graze_error *error) {
    GZ_ENTER(error);
    if (!path) return gz_planar_fail_null(error);
    *path = (graze_planar_path){.outcome = GRAZE_PLANAR_PATH_NONE};
    gz_arm_query query;
    search s = {.query = &query,
                .path = path,
                .start = {start.x, start.y, 0},
                .goal = {goal.x, goal.y, 0},
                .headings = 1,
                .near = 2};
    GZ_TRY(gz_arm_plane_make(&query, scene, map, &s.map, s.q, error));
    s.resolution = fmax(0x1p-14 * (query.length + query.radius), 0x1p-60);
    return plan(&s, error);
}

static graze_planar_drive_options default_options(void) {
    return (graze_planar_drive_options){.cells = 40, .size = 2, .turn_cost = 0.1, .resolution = 0};
}

GZ_OPTIONS_INIT(graze_planar_drive_options, default_options)

static graze_status check_drive(const graze_planar_drive_options *o, const gz_arm_query *query,
                                const graze_planar_pose *start, const graze_planar_pose *goal,
                                graze_error *error) {
    if (query->first == 0 || query->count != 3)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the arm has %d links, its base %s; allowed: one link on a base that drives",
                       (int)(query->count - query->first), query->first ? "drives" : "is fixed");
    if (o->cells < 2 || o->cells > 500)
        return gz_fail(error, GRAZE_ERROR_RANGE, "cells is %u; allowed: 2 to 500", o->cells);
    GZ_TRY(gz_planar_range_check("size", o->size, 0x1p-50, 0x1p50, "2^-50 to 2^50", error));
    GZ_TRY(gz_planar_range_check("turn_cost", o->turn_cost, 0, 0x1p50, "0 to 2^50", error));
    GZ_TRY(gz_planar_range_check("resolution", o->resolution, 0, 0x1p50,
                                 "above 0, to 2^50, or 0 for the default", error));
    GZ_TRY(gz_arm_check(query, &start->x, error));
    return gz_arm_check(query, &goal->x, error);
}

graze_status graze_planar_drive_plan(const graze_planar_arm_scene *scene,
                                     const graze_planar_pose *start, const graze_planar_pose *goal,
                                     const graze_planar_drive_options *options,
                                     graze_planar_path *path, graze_error *error) {
    GZ_ENTER(error);
    if (path) *path = (graze_planar_path){.outcome = GRAZE_PLANAR_PATH_NONE};
    if (!scene || !start || !goal || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "an argument is NULL; allowed: options only");
    graze_planar_drive_options o;
    gz_arm_query query;
    GZ_TRY(GZ_OPTIONS_READ(graze_planar_drive_options, &o, options, error));
    GZ_TRY(gz_arm_query_make(&query, scene, error));
    GZ_TRY(check_drive(&o, &query, start, goal, error));
    GZ_TRY(gz_arm_boxes_make(&query, error));
    search s = {.query = &query,
                .map = {.columns = {0, 1},
                        .ranges = {{0, o.size}, {0, o.size}},
                        .width = o.cells,
                        .height = o.cells},
                .path = path,
                .start = *start,
                .goal = *goal,
                .turn_cost = o.turn_cost,
                .resolution = o.resolution > 0 ? o.resolution : 0x1p-20 * o.size,
                .headings = HEADINGS,
                .near = 1};
    return plan(&s, error);
}

void graze_planar_path_free(graze_planar_path *path) {
    if (!path) return;
    gz_free(path->poses);
    *path = (graze_planar_path){.outcome = GRAZE_PLANAR_PATH_NONE};
}
