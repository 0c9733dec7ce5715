// The collision map of a planar arm over two coordinates of its configuration: boxes of cells are
// judged whole, and split where that decides nothing.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "planar/cspace/cspace_internal.h"

/// Sides of a cell are halved so often for its proof.
#define PROOF_DEPTH 2

typedef struct arm_map {
    const gz_arm_query *query;
    const graze_planar_grid *grid;
    const int32_t *joints;
    double q[GZ_ARM_COORDINATES_MAX], half[GZ_ARM_COORDINATES_MAX];
    uint8_t *cells;
    int32_t *links; ///< nullable
} arm_map;

/// Cells from column and row on.
typedef struct cell_box {
    int32_t column, row, columns, rows;
} cell_box;

static gz_arm_verdict test(arm_map *m, graze_vec2 at, graze_vec2 half) {
    m->q[m->joints[0]] = at.x;
    m->q[m->joints[1]] = at.y;
    m->half[m->joints[0]] = half.x;
    m->half[m->joints[1]] = half.y;
    return gz_arm_test(m->query, m->q, m->half);
}

/// Whether all of a box can be proved to be free, or blocked, in parts.
static bool prove(arm_map *m, graze_vec2 at, graze_vec2 half, uint8_t wanted, int depth) {
    gz_arm_verdict v = test(m, at, half);
    bool all = wanted == GRAZE_PLANAR_CELL_FREE ? v.all_free : v.all_blocked;
    if (all || v.middle != wanted || depth == 0) return all;
    graze_vec2 part = {0.5 * half.x * (1 + 0x1p-48) + 0x1p-50 * fabs(at.x),
                       0.5 * half.y * (1 + 0x1p-48) + 0x1p-50 * fabs(at.y)};
    for (int k = 0; k < 4; k++) {
        graze_vec2 corner = {at.x + (k & 1 ? 0.5 : -0.5) * half.x,
                             at.y + (k & 2 ? 0.5 : -0.5) * half.y};
        if (!prove(m, corner, part, wanted, depth - 1)) return false;
    }
    return true;
}

static void put(const arm_map *m, const cell_box *box, uint8_t cell, int32_t link) {
    for (int32_t row = box->row; row < box->row + box->rows; row++) {
        size_t first = (size_t)row * (size_t)m->grid->columns + (size_t)box->column;
        memset(m->cells + first, cell, (size_t)box->columns);
        for (int32_t i = 0; m->links && i < box->columns; i++) m->links[first + (size_t)i] = link;
    }
}

static void map_cell(arm_map *m, const cell_box *cell, bool certified) {
    graze_vec2 at = graze_planar_grid_middle(m->grid, cell->column, cell->row);
    graze_vec2 half = certified ? gz_grid_half(m->grid, 1, 1) : (graze_vec2){0, 0};
    gz_arm_verdict v = test(m, at, half);
    uint8_t state = v.middle;
    if (certified && state != GRAZE_PLANAR_CELL_OPEN && prove(m, at, half, state, PROOF_DEPTH))
        state = state == GRAZE_PLANAR_CELL_FREE ? GRAZE_PLANAR_CELL_FREE_CERTIFIED
                                                : GRAZE_PLANAR_CELL_BLOCKED_CERTIFIED;
    put(m, cell, state, state == GRAZE_PLANAR_CELL_OPEN ? -2 : v.middle_link);
}

/// Depth first; a box is larger than a cell, and its longer side is halved.
static void map_box(arm_map *m, cell_box box) {
    if (box.columns == 1 && box.rows == 1) {
        map_cell(m, &box, true);
        return;
    }
    gz_arm_verdict v = test(m, gz_grid_place(m->grid, box.column, box.row, box.columns, box.rows),
                            gz_grid_half(m->grid, box.columns, box.rows));
    if (v.all_free) {
        put(m, &box, GRAZE_PLANAR_CELL_FREE_CERTIFIED, -1);
    } else if (v.sole_link >= 0) {
        put(m, &box, GRAZE_PLANAR_CELL_BLOCKED_CERTIFIED, v.sole_link);
    } else {
        cell_box first = box, second = box;
        if (box.columns >= box.rows) {
            first.columns = box.columns / 2;
            second.column += first.columns;
            second.columns -= first.columns;
        } else {
            first.rows = box.rows / 2;
            second.row += first.rows;
            second.rows -= first.rows;
        }
        map_box(m, first);
        map_box(m, second);
    }
}

graze_status gz_arm_plane_make(gz_arm_query *query, const graze_planar_arm_scene *scene,
                               const double *q, const int32_t joints[2],
                               const graze_planar_grid *grid, double *rest, graze_error *error) {
    GZ_TRY(gz_arm_query_make(query, scene, error));
    if (!(joints[0] >= 0 && joints[1] >= 0 && joints[0] < query->count &&
          joints[1] < query->count && joints[0] != joints[1]))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the joints are %d and %d; allowed: two different ones of 0 to %d",
                       (int)joints[0], (int)joints[1], (int)query->count - 1);
    bool places = joints[0] < query->first && joints[1] < query->first;
    GZ_TRY(gz_grid_check(grid, places ? GZ_ARM_PLACE_MAX : GZ_ARM_ANGLE_MAX, error));
    for (int32_t i = 0; i < query->count; i++)
        rest[i] = i == joints[0] || i == joints[1] ? 0 : q[i];
    GZ_TRY(gz_arm_check(query, rest, error));
    return gz_arm_boxes_make(query, error);
}

graze_status gz_arm_boxes_make(gz_arm_query *query, graze_error *error) {
    size_t count = query->scene->obstacle_count;
    query->boxes = gz_malloc(count + 1, sizeof *query->boxes);
    if (!query->boxes) return gz_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        query->boxes[i] = graze_planar_shape_bounds(&query->scene->obstacles[i]);
    return GRAZE_OK;
}

graze_status graze_planar_arm_map(const graze_planar_arm_scene *scene, const double *q,
                                  const int32_t joints[2], const graze_planar_grid *grid,
                                  bool certified, uint8_t *cells, int32_t *links,
                                  graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!scene || !q || !joints || !grid || !cells)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "an argument is NULL; allowed: only links");
    gz_arm_query query;
    arm_map m = {.query = &query, .grid = grid, .joints = joints, .cells = cells, .links = links};
    GZ_TRY(gz_arm_plane_make(&query, scene, q, joints, grid, m.q, error));
    if (certified) map_box(&m, (cell_box){0, 0, grid->columns, grid->rows});
    for (int32_t row = 0; !certified && row < grid->rows; row++)
        for (int32_t column = 0; column < grid->columns; column++)
            map_cell(&m, &(cell_box){column, row, 1, 1}, false);
    gz_free(query.boxes);
    return GRAZE_OK;
}
