// Paths of a body that drives along its heading and rotates in place: A* on a lattice of positions
// and eight headings, every motion proved free before it is used.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "math/trigonometry.h"
#include "planar/cspace/cspace_internal.h"

#define HEADINGS 8
// Turns smaller than this come from rounding, and are left out.
#define STRAIGHT 0x1p-40

// The states are those of the lattice, (row * cells + column) * HEADINGS + heading, and the goal.
#define NOTHING UINT32_MAX

typedef struct entry {
    double estimate; ///< cost so far, and the straight way to come
    uint32_t state;
} entry;

typedef struct search {
    gz_surroundings around;
    graze_planar_drive_options options;
    graze_planar_pose start, goal;
    graze_planar_drive *drive;
    uint32_t states; ///< of the lattice; the goal is number `states`
    double *cost;
    uint32_t *parent; ///< NOTHING: the start
    bool *closed;
    entry *heap; ///< least estimate first
    size_t heap_count, heap_capacity;
    bool full; ///< memory is out
} search;

// -------------------------------------------------------------------------------------- the heap

static void push(search *s, entry e) {
    s->full |= !gz_array_reserve((void **)&s->heap, &s->heap_capacity, s->heap_count + 1,
                                 sizeof *s->heap);
    if (s->full) return;
    size_t i = s->heap_count++;
    for (; i > 0 && s->heap[(i - 1) / 2].estimate > e.estimate; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = e;
}

static entry pop(search *s) {
    entry top = s->heap[0], last = s->heap[--s->heap_count];
    size_t i = 0;
    for (size_t child = 1; child < s->heap_count; child = 2 * i + 1) {
        if (child + 1 < s->heap_count && s->heap[child + 1].estimate < s->heap[child].estimate)
            child++;
        if (last.estimate <= s->heap[child].estimate) break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

// ------------------------------------------------------------------------------------- motions

static graze_planar_pose pose_of(const search *s, uint32_t state) {
    if (state == s->states) return s->goal;
    uint32_t cells = s->options.cells, place = state / HEADINGS;
    double step = graze_planar_scene_size(s->around.scene) / cells;
    return (graze_planar_pose){(place % cells + 0.5) * step, (place / cells + 0.5) * step,
                               (state % HEADINGS) * (GZ_PI / 4)};
}

static bool is_free(search *s, const graze_planar_pose *from, const graze_planar_pose *to) {
    s->drive->judged++;
    return gz_leg_test(&s->around, from, to) == GRAZE_PLANAR_LEG_FREE;
}

/// The smallest rotation from one heading to another, in [-pi, pi].
static double turn_of(double from, double to) {
    double turn = to - from;
    return turn - GZ_TWO_PI * round(turn / GZ_TWO_PI);
}

/// Turn, drive, turn: the three motions as four poses. Forward or backward, whichever turns less.
/// Headings continue that of the first pose, so that every turn is the smallest.
static void join(const graze_planar_pose *from, const graze_planar_pose *to,
                 graze_planar_pose poses[4]) {
    double dx = to->x - from->x, dy = to->y - from->y;
    double direction = dx != 0 || dy != 0 ? atan2(dy, dx) : from->heading;
    double ahead = fabs(turn_of(from->heading, direction)) + fabs(turn_of(direction, to->heading));
    double back = fabs(turn_of(from->heading, direction + GZ_PI)) +
                  fabs(turn_of(direction + GZ_PI, to->heading));
    double first = turn_of(from->heading, back < ahead ? direction + GZ_PI : direction);
    if (fabs(first) < STRAIGHT) first = 0;
    poses[0] = *from;
    poses[1] = (graze_planar_pose){from->x, from->y, from->heading + first};
    poses[2] = (graze_planar_pose){to->x, to->y, poses[1].heading};
    poses[3] = (graze_planar_pose){to->x, to->y,
                                   poses[2].heading + turn_of(poses[2].heading, to->heading)};
}

static double cost_of(const search *s, const graze_planar_pose *from, const graze_planar_pose *to) {
    return hypot(to->x - from->x, to->y - from->y) +
           s->options.turn_cost * fabs(to->heading - from->heading);
}

/// Whether turn, drive, turn is free, and what it costs; tested only where that is below `most`.
static bool can_join(search *s, const graze_planar_pose *from, const graze_planar_pose *to,
                     double most, double *cost) {
    graze_planar_pose p[4];
    join(from, to, p);
    *cost = cost_of(s, &p[0], &p[1]) + cost_of(s, &p[1], &p[2]) + cost_of(s, &p[2], &p[3]);
    if (!(*cost < most)) return false;
    for (int i = 0; i < 3; i++) {
        bool moves = p[i].x != p[i + 1].x || p[i].y != p[i + 1].y ||
                     p[i].heading != p[i + 1].heading;
        if (moves && !is_free(s, &p[i], &p[i + 1])) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------- search

/// Keeps a path to a state where it is the cheapest so far.
static void relax(search *s, uint32_t state, uint32_t parent, double cost) {
    if (s->closed[state] || cost >= s->cost[state]) return;
    s->cost[state] = cost;
    s->parent[state] = parent;
    graze_planar_pose pose = pose_of(s, state);
    push(s, (entry){cost + hypot(s->goal.x - pose.x, s->goal.y - pose.y), state});
}

/// Relaxes a state by turn, drive, turn from a pose that itself costs `base`.
static void relax_joined(search *s, const graze_planar_pose *from, uint32_t parent, double base,
                         uint32_t state) {
    graze_planar_pose to = pose_of(s, state);
    double cost;
    if (can_join(s, from, &to, s->cost[state] - base, &cost)) relax(s, state, parent, base + cost);
}

/// The lattice places next to a pose: those of the cells within one of its own, as [low, high).
static void neighbours(const search *s, const graze_planar_pose *pose, int64_t low[2],
                       int64_t high[2]) {
    double step = graze_planar_scene_size(s->around.scene) / s->options.cells;
    double at[2] = {pose->x / step, pose->y / step};
    for (int k = 0; k < 2; k++) {
        double cell = fmin(fmax(floor(at[k]), -2), (double)s->options.cells + 1);
        low[k] = cell >= 1 ? (int64_t)cell - 1 : 0;
        high[k] = (int64_t)fmin(cell + 2, (double)s->options.cells);
    }
}

/// Relaxes the goal and the lattice around the start.
static void open_start(search *s) {
    int64_t low[2], high[2];
    relax_joined(s, &s->start, NOTHING, 0, s->states);
    neighbours(s, &s->start, low, high);
    for (int64_t row = low[1]; row < high[1]; row++) {
        for (int64_t column = low[0]; column < high[0]; column++) {
            uint32_t place = (uint32_t)row * s->options.cells + (uint32_t)column;
            for (uint32_t h = 0; h < HEADINGS; h++)
                relax_joined(s, &s->start, NOTHING, 0, place * HEADINGS + h);
        }
    }
}

/// Relaxes the neighbours of a state: the two turns, and a cell forward and backward.
static void expand_lattice(search *s, uint32_t state) {
    static const int steps[HEADINGS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                           {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    int64_t cells = s->options.cells, place = state / HEADINGS, heading = state % HEADINGS;
    graze_planar_pose from = pose_of(s, state);
    for (int move = 0; move < 4; move++) {
        int64_t sign = move % 2 == 0 ? 1 : -1, row = place / cells, column = place % cells;
        int64_t to_heading = heading;
        if (move < 2) {
            to_heading = (heading + sign + HEADINGS) % HEADINGS;
        } else {
            row += sign * steps[heading][1];
            column += sign * steps[heading][0];
        }
        if (row < 0 || column < 0 || row >= cells || column >= cells) continue;
        uint32_t next = (uint32_t)((row * cells + column) * HEADINGS + to_heading);
        graze_planar_pose to = pose_of(s, next);
        to.heading = from.heading + turn_of(from.heading, to.heading);
        double cost = s->cost[state] + cost_of(s, &from, &to);
        if (s->closed[next] || cost >= s->cost[next] || !is_free(s, &from, &to)) continue;
        relax(s, next, state, cost);
    }
}

static void expand_goal(search *s, uint32_t state) {
    graze_planar_pose from = pose_of(s, state);
    double step = graze_planar_scene_size(s->around.scene) / s->options.cells;
    if (fabs(from.x - s->goal.x) <= 1.5 * step && fabs(from.y - s->goal.y) <= 1.5 * step)
        relax_joined(s, &from, state, s->cost[state], s->states);
}

static void run(search *s) {
    open_start(s);
    while (!s->full && s->heap_count > 0 && !s->closed[s->states]) {
        uint32_t state = pop(s).state;
        if (s->closed[state]) continue;
        s->closed[state] = true;
        if (state == s->states) break;
        s->drive->expanded++;
        expand_lattice(s, state);
        expand_goal(s, state);
    }
}

// -------------------------------------------------------------------------------------- answer

/// The states from the start to the goal, the start itself left out, as poses.
static graze_status collect(const search *s, graze_planar_pose **poses, size_t *count,
                            graze_error *error) {
    size_t n = 1;
    for (uint32_t state = s->states; state != NOTHING; state = s->parent[state]) n++;
    *poses = gz_calloc(n, sizeof **poses);
    if (!*poses) return gz_fail_memory(error);
    *count = n;
    for (uint32_t state = s->states; state != NOTHING; state = s->parent[state])
        (*poses)[--n] = pose_of(s, state);
    (*poses)[0] = s->start;
    return GRAZE_OK;
}

/// Whether two poses differ in heading alone.
static bool is_turn(const graze_planar_pose *a, const graze_planar_pose *b) {
    return a->x == b->x && a->y == b->y;
}

/// Adds a pose. Two turns in one place become one: it passes no heading that they did not, but is
/// tested at other headings, and so is tested again.
static void add_pose(search *s, const graze_planar_pose *pose) {
    graze_planar_drive *drive = s->drive;
    graze_planar_pose *poses = drive->poses;
    size_t n = drive->pose_count;
    if (n > 1 && is_turn(&poses[n - 1], pose) && is_turn(&poses[n - 2], pose) &&
        is_free(s, &poses[n - 2], pose))
        n--;
    if (!(is_turn(&poses[n - 1], pose) && poses[n - 1].heading == pose->heading))
        poses[n++] = *pose;
    drive->pose_count = n;
}

/// Adds the motions of turn, drive, turn.
static void add_joined(search *s, const graze_planar_pose *to) {
    graze_planar_pose p[4], last = s->drive->poses[s->drive->pose_count - 1];
    join(&last, to, p);
    for (int i = 1; i < 4; i++) add_pose(s, &p[i]);
}

static void measure(graze_planar_drive *drive) {
    for (size_t i = 1; i < drive->pose_count; i++) {
        const graze_planar_pose *a = &drive->poses[i - 1], *b = &drive->poses[i];
        drive->length += hypot(b->x - a->x, b->y - a->y);
        drive->turned += fabs(b->heading - a->heading);
    }
}

/// Joins each pose with the last one that turn, drive, turn reaches freely. Motions are tested
/// again as they will be returned, their headings continuing those before.
static graze_status shorten(search *s, const graze_planar_pose *poses, size_t count,
                            graze_error *error) {
    graze_planar_drive *drive = s->drive;
    drive->poses = gz_calloc(3 * count + 1, sizeof *drive->poses);
    if (!drive->poses) return gz_fail_memory(error);
    drive->poses[0] = s->start;
    drive->pose_count = 1;
    for (size_t at = 0; at + 1 < count;) {
        size_t next = count - 1;
        double cost;
        graze_planar_pose from = drive->poses[drive->pose_count - 1];
        while (next > at + 1 && !can_join(s, &from, &poses[next], INFINITY, &cost)) next--;
        if (next == at + 1 && !can_join(s, &from, &poses[next], INFINITY, &cost)) {
            // The lattice's own motion was free with other headings in its numbers; that these
            // differ by rounding only, and it is open now, ends the plan rather than the promise.
            drive->outcome = GRAZE_PLANAR_DRIVE_NONE;
            return GRAZE_OK;
        }
        add_joined(s, &poses[next]);
        at = next;
    }
    drive->outcome = GRAZE_PLANAR_DRIVE_FOUND;
    measure(drive);
    return GRAZE_OK;
}

static graze_status answer(search *s, graze_error *error) {
    if (!s->closed[s->states]) return GRAZE_OK;
    graze_planar_pose *poses = NULL;
    size_t count = 0;
    graze_status status = collect(s, &poses, &count, error);
    if (!status) status = shorten(s, poses, count, error);
    gz_free(poses);
    return status;
}

static graze_status plan(search *s, graze_error *error) {
    uint32_t cells = s->options.cells;
    s->states = cells * cells * HEADINGS;
    s->cost = gz_malloc((size_t)s->states + 1, sizeof *s->cost);
    s->parent = gz_malloc((size_t)s->states + 1, sizeof *s->parent);
    s->closed = gz_calloc((size_t)s->states + 1, sizeof *s->closed);
    if (!s->cost || !s->parent || !s->closed) return gz_fail_memory(error);
    for (uint32_t i = 0; i <= s->states; i++) s->cost[i] = INFINITY;
    run(s);
    return s->full ? gz_fail_memory(error) : answer(s, error);
}

static graze_planar_drive_options default_options(void) {
    return (graze_planar_drive_options){.cells = 40, .walls = 1, .turn_cost = 0.1, .resolution = 0};
}

GZ_OPTIONS_INIT(graze_planar_drive_options, default_options)

static graze_status check(const graze_planar_drive_options *o, const graze_planar_pose *start,
                          const graze_planar_pose *goal, graze_error *error) {
    if (o->cells < 2 || o->cells > 500)
        return gz_fail(error, GRAZE_ERROR_RANGE, "cells is %u; allowed: 2 to 500", o->cells);
    if (!(o->turn_cost >= 0 && o->turn_cost <= 0x1p50))
        return gz_fail(error, GRAZE_ERROR_RANGE, "turn_cost is %g; allowed: 0 to 2^50",
                       o->turn_cost);
    if (!(o->resolution >= 0 && o->resolution <= 0x1p50))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "resolution is %g; allowed: above 0, to 2^50, or 0 for the default",
                       o->resolution);
    GZ_TRY(gz_planar_pose_check("the start", start, error));
    return gz_planar_pose_check("the goal", goal, error);
}

graze_status graze_planar_drive_plan(const graze_planar_scene *scene, const graze_planar_body *body,
                                     const graze_planar_pose *start, const graze_planar_pose *goal,
                                     const graze_planar_drive_options *options,
                                     graze_planar_drive *drive, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (drive) *drive = (graze_planar_drive){.outcome = GRAZE_PLANAR_DRIVE_NONE};
    if (!scene || !body || !start || !goal || !drive)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "an argument is NULL; allowed: options only");
    search s = {.start = *start, .goal = *goal, .drive = drive};
    GZ_TRY(GZ_OPTIONS_READ(graze_planar_drive_options, &s.options, options, error));
    GZ_TRY(check(&s.options, start, goal, error));
    double size = graze_planar_scene_size(scene), resolution = s.options.resolution;
    s.around = gz_surroundings_make(scene, body, s.options.walls != 0,
                                    resolution > 0 ? resolution : 0x1p-20 * size);
    graze_status status = GRAZE_OK;
    if (!is_free(&s, start, start))
        drive->outcome = GRAZE_PLANAR_DRIVE_START_BLOCKED;
    else if (!is_free(&s, goal, goal))
        drive->outcome = GRAZE_PLANAR_DRIVE_GOAL_BLOCKED;
    else
        status = plan(&s, error);
    bool at_goal = drive->outcome == GRAZE_PLANAR_DRIVE_GOAL_BLOCKED;
    if (at_goal || drive->outcome == GRAZE_PLANAR_DRIVE_START_BLOCKED)
        drive->blocker = gz_leg_nearest(&s.around, at_goal ? goal : start);
    gz_free(s.cost);
    gz_free(s.parent);
    gz_free(s.closed);
    gz_free(s.heap);
    if (status || drive->outcome != GRAZE_PLANAR_DRIVE_FOUND) {
        gz_free(drive->poses);
        drive->poses = NULL;
        drive->pose_count = 0;
    }
    return status;
}

void graze_planar_drive_free(graze_planar_drive *drive) {
    if (!drive) return;
    gz_free(drive->poses);
    *drive = (graze_planar_drive){.outcome = GRAZE_PLANAR_DRIVE_NONE};
}
