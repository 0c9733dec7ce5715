// Motions of a planar arm, proved free for all times, and paths over two of its joints: breadth
// first through cells that are proved free, then shortened by such motions.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "planar/cspace/cspace_internal.h"

// --------------------------------------------------------------------------------------- motions

/// Intervals that wait: each split adds one, and 64 splits leave no length at all.
#define SPLIT_MAX 64

graze_planar_leg gz_arm_motion_test(const gz_arm_query *query, const double *from, const double *to,
                                    double resolution) {
    int32_t links = query->scene->arm.link_count;
    double turns[GRAZE_PLANAR_LINK_MAX], q[GRAZE_PLANAR_LINK_MAX], half[GRAZE_PLANAR_LINK_MAX];
    double waiting[SPLIT_MAX + 1][2] = {{0, 1}};
    size_t count = 1;
    bool open = false;
    for (int32_t i = 0; i < links; i++) turns[i] = to[i] - from[i];
    double way = gz_arm_way(query, turns);
    while (count > 0) {
        double low = waiting[count - 1][0], high = waiting[--count][1];
        double middle = 0.5 * (low + high), part = 0.5 * (high - low);
        for (int32_t i = 0; i < links; i++) {
            q[i] = from[i] + middle * turns[i];
            // The middle is off by 3 u of the angles, which are at most 2^10.
            half[i] = turns[i] == 0 ? 0 : part * fabs(turns[i]) * (1 + 0x1p-48) + 0x1p-40;
        }
        gz_arm_verdict v = gz_arm_test(query, q, half);
        if (v.all_free) continue;
        if (v.middle == GRAZE_PLANAR_CELL_BLOCKED) return GRAZE_PLANAR_LEG_BLOCKED;
        if (2 * part * way <= resolution || count + 2 > SPLIT_MAX) {
            open = true;
            continue;
        }
        memcpy(waiting[count++], (double[2]){middle, high}, sizeof waiting[0]);
        memcpy(waiting[count++], (double[2]){low, middle}, sizeof waiting[0]);
    }
    return open ? GRAZE_PLANAR_LEG_OPEN : GRAZE_PLANAR_LEG_FREE;
}

graze_status graze_planar_arm_motion(const graze_planar_arm_scene *scene, const double *from,
                                     const double *to, double resolution, graze_planar_leg *verdict,
                                     graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (verdict) *verdict = GRAZE_PLANAR_LEG_OPEN;
    if (!verdict) return gz_planar_fail_null(error);
    gz_arm_query query;
    GZ_TRY(gz_arm_query_make(&query, scene, error));
    GZ_TRY(gz_arm_angles_check(&query, from, error));
    GZ_TRY(gz_arm_angles_check(&query, to, error));
    GZ_TRY(gz_resolution_check(resolution, error));
    *verdict = gz_arm_motion_test(&query, from, to, resolution);
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- search

#define NOTHING INT32_MIN
/// The ends are joined to cells up to so many away.
#define JOIN_CELLS 2

typedef struct search {
    const gz_arm_query *query;
    const graze_planar_grid *grid;
    const int32_t *joints;
    const uint8_t *cells;
    double q[GRAZE_PLANAR_LINK_MAX];
    graze_vec2 start, goal;
    double resolution;
    int32_t *parent; ///< of each cell: NOTHING: not reached; -1: the start
    uint8_t *ends;   ///< of each cell: 1: joined with the goal
    size_t *queue;
    size_t count; ///< cells reached
    graze_planar_arm_path *path;
} search;

static size_t cell_count(const search *s) {
    return (size_t)s->grid->columns * (size_t)s->grid->rows;
}

static graze_vec2 middle_of(const search *s, size_t cell) {
    size_t columns = (size_t)s->grid->columns;
    return graze_planar_grid_middle(s->grid, (int32_t)(cell % columns), (int32_t)(cell / columns));
}

static bool is_free(search *s, graze_vec2 from, graze_vec2 to) {
    double a[GRAZE_PLANAR_LINK_MAX], b[GRAZE_PLANAR_LINK_MAX];
    memcpy(a, s->q, sizeof a);
    memcpy(b, s->q, sizeof b);
    a[s->joints[0]] = from.x;
    a[s->joints[1]] = from.y;
    b[s->joints[0]] = to.x;
    b[s->joints[1]] = to.y;
    return gz_arm_motion_test(s->query, a, b, s->resolution) == GRAZE_PLANAR_LEG_FREE;
}

/// Where a value lies among cells.
static int32_t index_of(double value, double min, double max, int32_t count) {
    double i = floor((value - min) / (max - min) * (double)count);
    return i < 0 ? 0 : i >= count ? count - 1 : (int32_t)i;
}

static void add(search *s, size_t cell, int32_t parent) {
    if (s->cells[cell] != GRAZE_PLANAR_CELL_FREE_CERTIFIED || s->parent[cell] != NOTHING) return;
    s->parent[cell] = parent;
    s->queue[s->count++] = cell;
}

/// Joins an end with the free cells about it by motions that are free.
static void join(search *s, graze_vec2 end, bool goal) {
    const graze_planar_grid *g = s->grid;
    int32_t column = index_of(end.x, g->min.x, g->max.x, g->columns);
    int32_t row = index_of(end.y, g->min.y, g->max.y, g->rows);
    for (int32_t r = row - JOIN_CELLS; r <= row + JOIN_CELLS; r++) {
        for (int32_t c = column - JOIN_CELLS; c <= column + JOIN_CELLS; c++) {
            if (r < 0 || c < 0 || r >= g->rows || c >= g->columns) continue;
            size_t cell = (size_t)r * (size_t)g->columns + (size_t)c;
            if (s->cells[cell] != GRAZE_PLANAR_CELL_FREE_CERTIFIED) continue;
            if (!is_free(s, end, middle_of(s, cell))) continue;
            if (goal) s->ends[cell] = 1;
            if (!goal) add(s, cell, -1);
        }
    }
}

/// Breadth first; a step to a neighbour, also across a corner, stays in both cells. Returns the
/// first cell that is joined with the goal, or cell_count().
static size_t spread(search *s) {
    int32_t columns = s->grid->columns, rows = s->grid->rows;
    for (size_t done = 0; done < s->count; done++) {
        size_t cell = s->queue[done];
        if (s->ends[cell]) return cell;
        int32_t column = (int32_t)(cell % (size_t)columns), row = (int32_t)(cell / (size_t)columns);
        // Straight neighbours first: of paths with equally many cells, the one with fewer corners.
        static const int8_t steps[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                           {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
        for (int k = 0; k < 8; k++) {
            int32_t c = column + steps[k][0], r = row + steps[k][1];
            if (c < 0 || r < 0 || c >= columns || r >= rows) continue;
            add(s, (size_t)r * (size_t)columns + (size_t)c, (int32_t)cell);
        }
    }
    return cell_count(s);
}

// ---------------------------------------------------------------------------------------- the path

/// The start, the middles of the cells from there to `last`, and the goal.
static graze_vec2 *collect(const search *s, size_t last, size_t *count) {
    size_t n = 2;
    for (int32_t cell = (int32_t)last; cell >= 0; cell = s->parent[cell]) n++;
    graze_vec2 *points = gz_malloc(n, sizeof *points);
    if (!points) return NULL;
    *count = n;
    points[0] = s->start;
    points[--n] = s->goal;
    for (int32_t cell = (int32_t)last; cell >= 0; cell = s->parent[cell])
        points[--n] = middle_of(s, (size_t)cell);
    return points;
}

/// Goes from each point to one as far on as is free. Points that follow each other are joined by
/// cells, or by motions, that are proved free.
static void shorten(search *s, graze_vec2 *points, size_t count) {
    size_t kept = 1;
    double length = 0;
    for (size_t at = 0; at + 1 < count;) {
        size_t next = count - 1;
        while (next > at + 1 && !is_free(s, points[kept - 1], points[next])) {
            size_t step = (next - at) / 16;
            next -= step > 0 ? step : 1;
        }
        length += hypot(points[next].x - points[kept - 1].x, points[next].y - points[kept - 1].y);
        points[kept++] = points[next];
        at = next;
    }
    s->path->points = points;
    s->path->point_count = kept;
    s->path->length = length;
    s->path->outcome = GRAZE_PLANAR_DRIVE_FOUND;
}

static graze_status search_cells(search *s, graze_error *error) {
    size_t cells = cell_count(s), count;
    s->parent = gz_malloc(cells, sizeof *s->parent);
    s->queue = gz_malloc(cells, sizeof *s->queue);
    s->ends = gz_calloc(cells, 1);
    if (!s->parent || !s->queue || !s->ends) return gz_fail_memory(error);
    for (size_t i = 0; i < cells; i++) s->parent[i] = NOTHING;
    if (is_free(s, s->start, s->goal)) {
        graze_vec2 *points = gz_malloc(2, sizeof *points);
        if (!points) return gz_fail_memory(error);
        points[0] = s->start;
        points[1] = s->goal;
        shorten(s, points, 2);
        return GRAZE_OK;
    }
    join(s, s->start, false);
    join(s, s->goal, true);
    size_t last = spread(s);
    s->path->reached = s->count;
    if (last == cells) return GRAZE_OK;
    graze_vec2 *points = collect(s, last, &count);
    if (!points) return gz_fail_memory(error);
    shorten(s, points, count);
    return GRAZE_OK;
}

/// Whether an end is free; what is nearer to contact than the error counts as blocked.
static bool test_end(search *s, graze_vec2 end, graze_planar_drive_outcome blocked) {
    s->q[s->joints[0]] = end.x;
    s->q[s->joints[1]] = end.y;
    graze_planar_arm_pair *pair = &s->path->blocker;
    if (graze_planar_arm_clearance(s->query->scene, s->q, pair, NULL) == GRAZE_OK &&
        pair->distance > pair->error)
        return true;
    s->path->outcome = blocked;
    return false;
}

static graze_status check_ends(const search *s, graze_error *error) {
    const graze_planar_grid *g = s->grid;
    for (int k = 0; k < 2; k++) {
        graze_vec2 p = k == 0 ? s->start : s->goal;
        if (p.x >= g->min.x && p.x <= g->max.x && p.y >= g->min.y && p.y <= g->max.y) continue;
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the %s is (%g, %g); allowed: %g to %g, and %g to %g",
                       k == 0 ? "start" : "goal", p.x, p.y, g->min.x, g->max.x, g->min.y, g->max.y);
    }
    if ((double)g->columns * (double)g->rows > 0x1p30)
        return gz_fail(error, GRAZE_ERROR_RANGE, "the grid has more than 2^30 cells");
    return GRAZE_OK;
}

graze_status graze_planar_arm_plan(const graze_planar_arm_scene *scene, const double *q,
                                   const int32_t joints[2], const graze_planar_grid *grid,
                                   const uint8_t *cells, graze_vec2 start, graze_vec2 goal,
                                   graze_planar_arm_path *path, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (path) *path = (graze_planar_arm_path){.outcome = GRAZE_PLANAR_DRIVE_NONE};
    if (!scene || !q || !joints || !grid || !cells || !path) return gz_planar_fail_null(error);
    gz_arm_query query;
    graze_planar_bounds *boxes = NULL;
    search s = {&query, grid, joints, cells, .start = start, .goal = goal, .path = path};
    GZ_TRY(gz_grid_check(grid, GZ_ARM_ANGLE_MAX, error));
    GZ_TRY(check_ends(&s, error));
    GZ_TRY(gz_arm_query_make(&query, scene, error));
    GZ_TRY(gz_arm_joints_check(&scene->arm, joints, error));
    for (int32_t i = 0; i < scene->arm.link_count; i++)
        s.q[i] = i == joints[0] || i == joints[1] ? 0 : q[i];
    GZ_TRY(gz_arm_angles_check(&query, s.q, error));
    GZ_TRY(gz_arm_boxes_make(&query, &boxes, error));
    s.resolution = fmax(0x1p-14 * (query.length + query.radius), 0x1p-60);
    graze_status status = GRAZE_OK;
    if (test_end(&s, start, GRAZE_PLANAR_DRIVE_START_BLOCKED) &&
        test_end(&s, goal, GRAZE_PLANAR_DRIVE_GOAL_BLOCKED))
        status = search_cells(&s, error);
    gz_free(s.parent);
    gz_free(s.queue);
    gz_free(s.ends);
    gz_free(boxes);
    return status;
}

void graze_planar_arm_path_free(graze_planar_arm_path *path) {
    if (!path) return;
    gz_free(path->points);
    *path = (graze_planar_arm_path){.outcome = GRAZE_PLANAR_DRIVE_NONE};
}
