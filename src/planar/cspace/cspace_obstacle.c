// Configuration-space obstacles of a body that translates: exact Minkowski differences, whether a
// place is blocked, and maps.

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "math/expansion.h"
#include "planar/convex/convex_internal.h"
#include "planar/cspace/cspace_internal.h"

// ------------------------------------------------------------------------------- the difference

size_t gz_cspace_obstacle(const gz_convex *obstacle, const gz_convex *part,
                          graze_planar_cspace_vertex *vertices) {
    gz_boundary w = gz_boundary_start(obstacle, part);
    size_t n = 0;
    do {
        graze_vec2 p = obstacle->vertices[w.i], q = part->vertices[w.j];
        vertices[n++] = (graze_planar_cspace_vertex){{p.x - q.x, p.y - q.y}, w.i, w.j};
        if (w.a_left + w.b_left == 0) break;
        gz_boundary_step(&w, gz_boundary_order(&w));
    } while (w.a_left + w.b_left > 0);
    return n;
}

graze_status graze_planar_cspace_obstacle(const graze_planar_scene *scene, size_t index,
                                          const graze_planar_shape *part,
                                          graze_planar_cspace_vertex *vertices, size_t *count,
                                          graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (count) *count = 0;
    if (!scene || !part || !vertices || !count) return gz_planar_fail_null(error);
    const gz_convex *obstacle = gz_scene_polygon(scene, index);
    if (!obstacle)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "polygon %zu of %zu; allowed: one there is",
                       index, graze_planar_scene_count(scene));
    GZ_TRY(graze_planar_shape_check(part, error));
    gz_convex polygon = gz_convex_of(part->vertices, part->count);
    *count = gz_cspace_obstacle(obstacle, &polygon, vertices);
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------- at a place

/// The sign of p + t - r, exactly.
static int sum_sign(double p, double t, double r) {
    double high, low;
    gz_two_sum(p, t, &high, &low);
    if (high != r) return high > r ? 1 : -1; // rounding is monotone, and r is a double
    return gz_sign(low);
}

// Whether a - b contains t: where it is to the right of no edge of the difference. Its vertices
// a_i - b_j, which are no doubles, are not needed: along an edge of a, t lies to the left where
// a_i, a_(i+1), b_j + t turn left; along one of b, taken backwards, where b_j, b_(j+1), a_i - t do.
// Parallel edges are one, and either gives its line. A difference without an area is a point or a
// segment, and everything on one line, where the boxes decide (de Berg et al., Computational
// Geometry, section 13.3).
//
// Of the corners of a rectangle: convex sets that are apart are so along the normal of an edge of
// either, those of the rectangle being those of the box of a - b (Gottschalk, Lin and Manocha
// 1996). So the rectangle meets a - b unless all corners are beyond one of these sides, and lies in
// a - b, which is convex, where all corners do.
//
// True where one side has all places beyond it; *outside has a bit for each that is beyond any.
static bool are_apart(const gz_convex *a, const gz_convex *b, const graze_vec2 *t, int count,
                      unsigned *outside) {
    const double p[4] = {a->bounds.min.x, a->bounds.min.y, a->bounds.max.x, a->bounds.max.y};
    const double q[4] = {b->bounds.min.x, b->bounds.min.y, b->bounds.max.x, b->bounds.max.y};
    const unsigned all = (1u << count) - 1;
    unsigned beyond = 0;
    *outside = 0;
    for (int side = 0; side < 4 && beyond != all; side++, *outside |= beyond) {
        beyond = 0;
        for (int k = 0; k < count; k++) {
            int sign = sum_sign(q[side], side % 2 ? t[k].y : t[k].x, p[(side + 2) % 4]);
            beyond |= (unsigned)(side < 2 ? sign > 0 : sign < 0) << k;
        }
    }
    gz_boundary w = gz_boundary_start(a, b);
    for (int order; w.a_left + w.b_left > 0 && beyond != all; gz_boundary_step(&w, order)) {
        graze_vec2 a0 = a->vertices[w.i], b0 = b->vertices[w.j];
        graze_vec2 a1 = a->vertices[gz_planar_next(w.i, a->count)];
        graze_vec2 b1 = b->vertices[gz_planar_next(w.j, b->count)];
        order = gz_boundary_order(&w);
        beyond = 0;
        for (int k = 0; k < count; k++)
            beyond |= (unsigned)(order <= 0 ? gz_moved_turn(a0, a1, b0, t[k], a0) < 0
                                            : gz_moved_turn(b0, b1, b0, t[k], a0) > 0)
                      << k;
        *outside |= beyond;
    }
    return beyond == all;
}

bool gz_cspace_blocked(const gz_convex *obstacle, const gz_convex *part, graze_vec2 at) {
    if (!obstacle || !part || obstacle->count < 1 || part->count < 1) return true;
    if (!gz_planar_exact_ok(at)) return true;
    unsigned outside;
    return !are_apart(obstacle, part, &at, 1, &outside);
}

// --------------------------------------------------------------------------------------- maps

graze_vec2 graze_planar_grid_middle(const graze_planar_grid *grid, int32_t column, int32_t row) {
    GZ_FLOAT_ENVIRONMENT;
    if (!grid) return (graze_vec2){0, 0};
    return gz_grid_place(grid, column, row, 1, 1);
}

graze_vec2 gz_grid_place(const graze_planar_grid *g, int32_t column, int32_t row, int32_t columns,
                         int32_t rows) {
    double x = ((double)column + 0.5 * (double)columns) / (double)g->columns;
    double y = ((double)row + 0.5 * (double)rows) / (double)g->rows;
    return (graze_vec2){g->min.x + x * (g->max.x - g->min.x), g->min.y + y * (g->max.y - g->min.y)};
}

graze_vec2 gz_grid_half(const graze_planar_grid *g, int32_t columns, int32_t rows) {
    double x = 0.5 * (g->max.x - g->min.x) / (double)g->columns * (double)columns;
    double y = 0.5 * (g->max.y - g->min.y) / (double)g->rows * (double)rows;
    return (graze_vec2){x * (1 + 0x1p-48) + 0x1p-50 * (fabs(g->min.x) + fabs(g->max.x)),
                        y * (1 + 0x1p-48) + 0x1p-50 * (fabs(g->min.y) + fabs(g->max.y))};
}

graze_status gz_grid_check(const graze_planar_grid *grid, double most, graze_error *error) {
    if (grid->columns < 1 || grid->rows < 1 || grid->columns > 65536 || grid->rows > 65536)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the grid has %d columns and %d rows; allowed: 1 to 65536 each",
                       (int)grid->columns, (int)grid->rows);
    bool good = fabs(grid->min.x) <= most && fabs(grid->min.y) <= most &&
                fabs(grid->max.x) <= most && fabs(grid->max.y) <= most &&
                grid->min.x < grid->max.x && grid->min.y < grid->max.y;
    if (good) return GRAZE_OK;
    return gz_fail(
        error, GRAZE_ERROR_RANGE,
        "the grid reaches from (%g, %g) to (%g, %g); allowed: magnitudes at most %g, the "
        "lower corner first",
        grid->min.x, grid->min.y, grid->max.x, grid->max.y, most);
}

/// The polygons that a body may meet with its reference point in one row of a map, in order.
typedef struct row_polygons {
    const graze_planar_scene *scene;
    const gz_convex **items; ///< room for all of the scene
    size_t count;
} row_polygons;

/// Collects them: those whose box is no farther than `away` from y.
static void collect_row(row_polygons *row, double y, double away) {
    row->count = 0;
    for (size_t i = 0; i < graze_planar_scene_count(row->scene); i++) {
        const gz_convex *polygon = gz_scene_polygon(row->scene, i);
        const graze_planar_bounds *box = &polygon->bounds;
        double slack = away + 0x1p-48 * (fabs(y) + fabs(box->min.y) + fabs(box->max.y));
        if (box->min.y - y <= slack && y - box->max.y <= slack) row->items[row->count++] = polygon;
    }
}

static graze_status check_parts(const graze_planar_shape *parts, size_t count, graze_error *error) {
    GZ_TRY(gz_planar_shapes_check("part", parts, count, error));
    for (size_t i = 0; i < count; i++)
        if (parts[i].radius != 0)
            return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                           "part %zu has a radius of %g; allowed: 0", i, parts[i].radius);
    return GRAZE_OK;
}

/// The first part that meets a polygon with the body at the first of some places; -1 for none. Of a
/// cell, its middle and corners: *uniform says that no part meets one from anywhere in it, or that
/// one part meets one polygon from everywhere.
static int32_t test_cell(const row_polygons *row, const gz_convex *parts, size_t count,
                         const graze_vec2 *places, int place_count, bool *uniform) {
    int32_t first = -1;
    bool all_free = true, all_blocked = false;
    for (size_t i = 0; i < row->count * count && !(first >= 0 && all_blocked); i++) {
        unsigned outside;
        const gz_convex *part = &parts[i / row->count];
        all_free &= are_apart(row->items[i % row->count], part, places, place_count, &outside);
        all_blocked |= outside == 0;
        if (first < 0 && (outside & 1) == 0) first = (int32_t)(i / row->count);
    }
    *uniform = first < 0 ? all_free : all_blocked;
    return first;
}

graze_status graze_planar_cspace_map(const graze_planar_scene *scene,
                                     const graze_planar_shape *parts, size_t part_count,
                                     const graze_planar_grid *grid, bool certified, uint8_t *cells,
                                     int32_t *ids, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!scene || !parts || !grid || !cells) return gz_planar_fail_null(error);
    GZ_TRY(gz_grid_check(grid, GRAZE_PLANAR_COORDINATE_MAX, error));
    GZ_TRY(check_parts(parts, part_count, error));
    graze_vec2 half = gz_grid_half(grid, 1, 1);
    double high = 0;
    gz_convex *body = gz_malloc(part_count + 1, sizeof *body);
    row_polygons near = {scene, gz_malloc(graze_planar_scene_count(scene) + 1, sizeof *near.items),
                         0};
    graze_status status = near.items && body ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; !status && i < part_count; i++) {
        body[i] = gz_convex_of(parts[i].vertices, parts[i].count);
        high = fmax(high, fmax(-body[i].bounds.min.y, body[i].bounds.max.y));
    }
    for (int32_t row = 0; !status && row < grid->rows; row++) {
        collect_row(&near, graze_planar_grid_middle(grid, 0, row).y, high + half.y);
        for (int32_t column = 0; column < grid->columns; column++) {
            graze_vec2 at = gz_planar_snap(graze_planar_grid_middle(grid, column, row));
            graze_vec2 places[5] = {at};
            for (int k = 0; k < 4; k++)
                places[k + 1] = gz_planar_snap((graze_vec2){at.x + (k & 1 ? half.x : -half.x),
                                                            at.y + (k & 2 ? half.y : -half.y)});
            bool uniform;
            int32_t part = test_cell(&near, body, part_count, places, certified ? 5 : 1, &uniform);
            *cells++ = (uint8_t)((part < 0 ? GRAZE_PLANAR_CELL_FREE : GRAZE_PLANAR_CELL_BLOCKED) +
                                 (certified && uniform));
            if (ids) *ids++ = part;
        }
    }
    gz_free(near.items);
    gz_free(body);
    return status;
}
