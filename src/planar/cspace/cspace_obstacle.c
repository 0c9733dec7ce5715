// Rigid bodies as convex parts at any heading, and their configuration-space obstacles.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "math/expansion.h"
#include "planar/convex/convex_internal.h"
#include "planar/cspace/cspace_internal.h"

void graze_planar_body_free(graze_planar_body *body) {
    gz_free(body);
}

/// A body with memory behind it for its parts, and behind these for their vertices.
static graze_planar_body *body_alloc(size_t count, size_t vertex_count) {
    size_t parts = count * sizeof(graze_planar_convex);
    graze_planar_body *body = gz_calloc(1,
                                        sizeof *body + parts + vertex_count * sizeof(graze_vec2));
    if (!body) return NULL;
    body->parts = (graze_planar_convex *)(body + 1);
    body->vertices = (graze_vec2 *)(body->parts + count);
    return body;
}

/// Adds a part whose vertices are at the end of the list already.
static graze_status add_part(graze_planar_body *body, size_t count, graze_error *error) {
    graze_vec2 *first = body->vertices + body->vertex_count;
    GZ_TRY(graze_planar_convex_make(&body->parts[body->count], first, (int32_t)count, error));
    body->count++;
    body->vertex_count += count;
    for (size_t i = 0; i < count; i++) {
        // hypot is right to an ulp; two more to be above it.
        double radius = hypot(first[i].x, first[i].y) * (1 + 0x1p-50);
        body->radius = radius > body->radius ? radius : body->radius;
    }
    return GRAZE_OK;
}

static graze_status add_parts(graze_planar_body *body, const graze_planar_parts *parts,
                              graze_error *error) {
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < parts->count && !status; i++) {
        const graze_planar_shape *part = &parts->items[i];
        for (int32_t k = 0; k < part->count; k++)
            body->vertices[body->vertex_count + (size_t)k] = (graze_vec2){part->x[k], part->y[k]};
        status = add_part(body, (size_t)part->count, error);
    }
    return status;
}

graze_status graze_planar_body_create(graze_planar_body **body, const double *xy,
                                      const size_t *loop_sizes, size_t loop_count,
                                      graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (body) *body = NULL;
    if (!body || !xy || !loop_sizes) return gz_planar_fail_null(error);
    graze_planar_parts parts = {0};
    GZ_TRY(graze_planar_decompose(&parts, xy, loop_sizes, loop_count, 0, error));
    size_t total = 0;
    for (size_t i = 0; i < parts.count; i++) total += (size_t)parts.items[i].count;
    graze_planar_body *made = body_alloc(parts.count, total);
    graze_status status = made ? add_parts(made, &parts, error) : gz_fail_memory(error);
    graze_planar_parts_free(&parts);
    if (status) {
        graze_planar_body_free(made);
        return status;
    }
    *body = made;
    return GRAZE_OK;
}

/// Turns one part; `scratch` has room for its vertices.
static graze_status turn_part(graze_planar_body *made, const graze_planar_convex *part, double c,
                              double s, graze_vec2 *scratch, graze_error *error) {
    for (int32_t i = 0; i < part->count; i++) {
        graze_vec2 v = part->vertices[i];
        scratch[i] = gz_planar_snap((graze_vec2){c * v.x - s * v.y, s * v.x + c * v.y});
    }
    size_t corners = 0;
    graze_vec2 *to = made->vertices + made->vertex_count;
    graze_status status = graze_planar_hull_corners(&to[0].x, &corners, &scratch[0].x,
                                                    (size_t)part->count, error);
    return status ? status : add_part(made, corners, error);
}

graze_status graze_planar_body_turned(graze_planar_body **turned, const graze_planar_body *body,
                                      double c, double s, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (turned) *turned = NULL;
    if (!turned || !body)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !turned ? "turned" : "body");
    if (!(fabs(c * c + s * s - 1) <= 1e-9))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "cosine and sine are %g and %g; allowed: squares that sum to 1", c, s);
    graze_planar_body *made = body_alloc(body->count, body->vertex_count);
    graze_vec2 *scratch = gz_calloc(body->vertex_count, sizeof *scratch);
    graze_status status = made && scratch ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; i < body->count && !status; i++)
        status = turn_part(made, &body->parts[i], c, s, scratch, error);
    gz_free(scratch);
    if (status) {
        graze_planar_body_free(made);
        return status;
    }
    *turned = made;
    return GRAZE_OK;
}

size_t graze_planar_body_part_count(const graze_planar_body *body) {
    return body ? body->count : 0;
}

const graze_planar_convex *graze_planar_body_part(const graze_planar_body *body, size_t index) {
    return body && index < body->count ? &body->parts[index] : NULL;
}

double graze_planar_body_reach(const graze_planar_body *body) {
    return body ? body->radius : 0;
}

// ------------------------------------------------------------------------------- the difference

graze_status graze_planar_cspace_obstacle(const graze_planar_convex *obstacle,
                                          const graze_planar_convex *part,
                                          graze_planar_cspace_vertex *vertices, size_t *count,
                                          graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (count) *count = 0;
    if (!obstacle || !part || !vertices || !count || obstacle->count < 1 || part->count < 1)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "a polygon, the vertices or their count are NULL or empty; allowed: "
                       "polygons, and places for the answer");
    gz_boundary w = gz_boundary_start(obstacle, part);
    size_t n = 0;
    do {
        graze_vec2 p = obstacle->vertices[w.i], q = part->vertices[w.j];
        vertices[n++] = (graze_planar_cspace_vertex){{p.x - q.x, p.y - q.y}, w.i, w.j};
        if (w.a_left + w.b_left == 0) break;
        gz_boundary_step(&w, gz_boundary_order(&w));
    } while (w.a_left + w.b_left > 0);
    *count = n;
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

/// p + t - r as an expansion of length 0 to 3.
static size_t moved_gap(double p, double t, double r, double h[3]) {
    double pair[2], high, low, less = -r;
    size_t n = 0;
    gz_two_sum(p, t, &high, &low);
    if (low != 0) pair[n++] = low;
    if (high != 0) pair[n++] = high;
    return gz_expansion_sum(pair, n, &less, less != 0, h);
}

/// The sign of (e1 - e0) x (p + t - r), exactly.
///
/// Filter: with u = 2^-53, s = fl(p + t) and d = fl(s - r), d is off by at most u |s| + u |d|, the
/// edge by u of itself, the product and the subtraction round once more each: the error is below
/// 6 u (|ex| (|sy| + |dy|) + |ey| (|sx| + |dx|)) with higher powers, and that bound is itself
/// computed with a few roundings: 8 u cover them. Expansions: as in math/predicate.h, with numbers
/// of 2^-100 to 2^100 only.
static int moved_turn(graze_vec2 e0, graze_vec2 e1, graze_vec2 p, graze_vec2 t, graze_vec2 r) {
    double ex = e1.x - e0.x, ey = e1.y - e0.y, sx = p.x + t.x, sy = p.y + t.y;
    double dx = sx - r.x, dy = sy - r.y, value = ex * dy - ey * dx;
    double bound = 0x8p-53 * (fabs(ex) * (fabs(sy) + fabs(dy)) + fabs(ey) * (fabs(sx) + fabs(dx)));
    if (fabs(value) > bound) return value > 0 ? 1 : -1;
    if (bound == 0) return 0;
    double gx[2], gy[2], mx[3], my[3], left[12], right[12], all[24];
    size_t gx_n = gz_expansion_difference(e1.x, e0.x, gx);
    size_t gy_n = gz_expansion_difference(e1.y, e0.y, gy);
    size_t mx_n = moved_gap(p.x, t.x, r.x, mx), my_n = moved_gap(p.y, t.y, r.y, my);
    size_t left_n = gz_expansion_multiply(my, my_n, gx, gx_n, left);
    size_t right_n = gz_expansion_multiply(mx, mx_n, gy, gy_n, right);
    gz_expansion_negate(right, right_n);
    size_t n = gz_expansion_sum(left, left_n, right, right_n, all);
    return n > 0 ? gz_sign(all[n - 1]) : 0;
}

/// Whether the boxes of a and of b moved by t have a common point, exactly.
static bool moved_boxes_overlap(const graze_planar_bounds *a, const graze_planar_bounds *b,
                                graze_vec2 t) {
    return sum_sign(b->min.x, t.x, a->max.x) <= 0 && sum_sign(b->max.x, t.x, a->min.x) >= 0 &&
           sum_sign(b->min.y, t.y, a->max.y) <= 0 && sum_sign(b->max.y, t.y, a->min.y) >= 0;
}

// Whether a - b contains t: where it is to the right of no edge of the difference. Its vertices
// a_i - b_j, which are no doubles, are not needed: along an edge of a, t lies to the left where
// a_i, a_(i+1), b_j + t turn left; along one of b, taken backwards, where b_j, b_(j+1), a_i - t do.
// Parallel edges are one, and either gives its line. A difference without an area is a point or a
// segment, and everything on one line, where the boxes decide (de Berg et al., Computational
// Geometry, section 13.3).
static bool blocked(const graze_planar_convex *a, const graze_planar_convex *b, graze_vec2 t) {
    if (!moved_boxes_overlap(&a->bounds, &b->bounds, t)) return false;
    gz_boundary w = gz_boundary_start(a, b);
    while (w.a_left + w.b_left > 0) {
        int order = gz_boundary_order(&w);
        graze_vec2 a0 = a->vertices[w.i], b0 = b->vertices[w.j];
        graze_vec2 a1 = a->vertices[gz_planar_next(w.i, a->count)];
        graze_vec2 b1 = b->vertices[gz_planar_next(w.j, b->count)];
        int side = order <= 0 ? moved_turn(a0, a1, b0, t, a0) : -moved_turn(b0, b1, b0, t, a0);
        if (side < 0) return false;
        gz_boundary_step(&w, order);
    }
    return true;
}

bool graze_planar_cspace_blocked(const graze_planar_convex *obstacle,
                                 const graze_planar_convex *part, graze_vec2 at) {
    GZ_FLOAT_ENVIRONMENT;
    if (!obstacle || !part || obstacle->count < 1 || part->count < 1) return true;
    if (!gz_planar_exact_ok(at)) return true;
    return blocked(obstacle, part, at);
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
    const graze_planar_convex **items; ///< room for all of the scene
    size_t count;
} row_polygons;

/// Collects them: those whose box is no farther than `away` from y.
static void collect_row(row_polygons *row, double y, double away) {
    row->count = 0;
    for (size_t i = 0; i < graze_planar_scene_count(row->scene); i++) {
        const graze_planar_convex *polygon = graze_planar_scene_polygon(row->scene, i);
        const graze_planar_bounds *box = &polygon->bounds;
        double slack = away + 0x1p-48 * (fabs(y) + fabs(box->min.y) + fabs(box->max.y));
        if (box->min.y - y <= slack && y - box->max.y <= slack) row->items[row->count++] = polygon;
    }
}

/// The first part that meets a polygon with the body at `at`; -1 for none.
static int32_t first_blocked(const row_polygons *row, const graze_planar_body *body,
                             graze_vec2 at) {
    for (size_t k = 0; k < body->count; k++)
        for (size_t i = 0; i < row->count; i++)
            if (blocked(row->items[i], &body->parts[k], at)) return (int32_t)k;
    return -1;
}

/// The body grown by a cell: every part's hull with its reference point in all four corners. Where
/// it meets nothing with its reference point in the middle, the body meets nothing from anywhere in
/// the cell.
static graze_status grow(graze_planar_body **grown, const graze_planar_body *body, graze_vec2 half,
                         graze_error *error) {
    graze_planar_body *made = body_alloc(body->count, 5 * body->vertex_count);
    graze_vec2 *points = gz_calloc(4 * body->vertex_count, sizeof *points);
    graze_status status = made && points ? GRAZE_OK : gz_fail_memory(error);
    for (size_t i = 0; i < body->count && !status; i++) {
        const graze_planar_convex *part = &body->parts[i];
        size_t n = 0, corners = 0;
        for (int32_t k = 0; k < 4 * part->count; k++) {
            graze_vec2 v = part->vertices[k / 4];
            // Outward of what rounds.
            double x = half.x + 0x1p-51 * fabs(v.x), y = half.y + 0x1p-51 * fabs(v.y);
            points[n++] = gz_planar_snap(
                (graze_vec2){v.x + (k & 1 ? x : -x), v.y + (k & 2 ? y : -y)});
        }
        graze_vec2 *to = made->vertices + made->vertex_count;
        status = graze_planar_hull_corners(&to[0].x, &corners, &points[0].x, n, error);
        if (!status) status = add_part(made, corners, error);
    }
    gz_free(points);
    if (status) graze_planar_body_free(made);
    if (!status) *grown = made;
    return status;
}

/// Whether one part meets one polygon from all corners of a cell, and so, as both are convex, from
/// all of it.
static bool blocked_throughout(const row_polygons *row, const graze_planar_body *body,
                               graze_vec2 at, graze_vec2 half) {
    for (size_t i = 0; i < row->count; i++) {
        for (size_t k = 0; k < body->count; k++) {
            int corners = 0;
            for (; corners < 4; corners++) {
                graze_vec2 corner = {at.x + (corners & 1 ? half.x : -half.x),
                                     at.y + (corners & 2 ? half.y : -half.y)};
                if (!blocked(row->items[i], &body->parts[k], gz_planar_snap(corner))) break;
            }
            if (corners == 4) return true;
        }
    }
    return false;
}

graze_status graze_planar_cspace_map(const graze_planar_scene *scene, const graze_planar_body *body,
                                     const graze_planar_grid *grid, bool certified, uint8_t *cells,
                                     int32_t *parts, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!scene || !body || !grid || !cells)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene  ? "scene"
                       : !body ? "body"
                       : !grid ? "grid"
                               : "cells");
    graze_planar_body *grown = NULL;
    GZ_TRY(gz_grid_check(grid, GRAZE_PLANAR_COORDINATE_MAX, error));
    graze_vec2 half = gz_grid_half(grid, 1, 1);
    row_polygons near = {scene, gz_malloc(graze_planar_scene_count(scene) + 1, sizeof *near.items),
                         0};
    graze_status status = near.items ? GRAZE_OK : gz_fail_memory(error);
    if (!status && certified) status = grow(&grown, body, half, error);
    double away = status ? 0 : (certified ? grown : body)->radius;
    for (int32_t row = 0; !status && row < grid->rows; row++) {
        collect_row(&near, graze_planar_grid_middle(grid, 0, row).y, away + half.y);
        for (int32_t column = 0; column < grid->columns; column++) {
            graze_vec2 at = gz_planar_snap(graze_planar_grid_middle(grid, column, row));
            int32_t part = first_blocked(&near, body, at);
            bool all = certified && (part < 0 ? first_blocked(&near, grown, at) < 0
                                              : blocked_throughout(&near, body, at, half));
            *cells++ = (uint8_t)((part < 0 ? GRAZE_PLANAR_CELL_FREE : GRAZE_PLANAR_CELL_BLOCKED) +
                                 (all ? 1 : 0));
            if (parts) *parts++ = part;
        }
    }
    gz_free(near.items);
    graze_planar_body_free(grown);
    return status;
}
