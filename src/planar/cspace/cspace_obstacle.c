// Configuration-space obstacles of a body that translates: exact differences, places, maps.

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
    GZ_ENTER(error);
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

/// A body and the polygons around it.
typedef struct body_map {
    graze_cspace map;
    const graze_planar_scene *scene;
    gz_convex *parts;
    size_t part_count;
    double away; ///< along y no point of a body in a row is farther from the row's middle
} body_map;

/// Collects the polygons whose box is no farther than that from y.
static size_t collect_row(const body_map *m, double y, const gz_convex **near) {
    size_t count = 0;
    for (size_t i = 0; i < graze_planar_scene_count(m->scene); i++) {
        const gz_convex *polygon = gz_scene_polygon(m->scene, i);
        const graze_planar_bounds *box = &polygon->bounds;
        double slack = m->away + 0x1p-48 * (fabs(y) + fabs(box->min.y) + fabs(box->max.y));
        if (box->min.y - y <= slack && y - box->max.y <= slack) near[count++] = polygon;
    }
    return count;
}

/// The first part that meets a polygon with the body at the first of some places; -1 for none. Of a
/// cell, its middle and corners: *uniform says that no part meets one from anywhere in it, or that
/// one part meets one polygon from everywhere.
static int32_t test_cell(const body_map *m, const gz_convex *const *near, size_t count,
                         const graze_vec2 *places, int place_count, bool *uniform) {
    int32_t first = -1;
    bool all_free = true, all_blocked = false;
    for (size_t i = 0; i < count * m->part_count && !(first >= 0 && all_blocked); i++) {
        unsigned outside;
        const gz_convex *part = &m->parts[i / count];
        all_free &= are_apart(near[i % count], part, places, place_count, &outside);
        all_blocked |= outside == 0;
        if (first < 0 && (outside & 1) == 0) first = (int32_t)(i / count);
    }
    *uniform = first < 0 ? all_free : all_blocked;
    return first;
}

static bool map_row(const void *user, void *memory, const gz_cell_box *row) {
    const body_map *m = user;
    const gz_convex **near = memory; // room for all of the scene
    size_t count = collect_row(m, gz_map_place(&m->map, row).y, near);
    graze_vec2 half = gz_map_half(&m->map, 1, 1);
    for (uint32_t x = 0; x < row->size[0]; x++) {
        const gz_cell_box cell = {{x, row->at[1]}, {1, 1}, false};
        graze_vec2 at = gz_planar_snap(gz_map_place(&m->map, &cell)), places[5] = {at};
        for (int k = 0; k < 4; k++)
            places[k + 1] = gz_planar_snap(
                (graze_vec2){at.x + (k & 1 ? half.x : -half.x), at.y + (k & 2 ? half.y : -half.y)});
        bool uniform;
        int32_t part = test_cell(m, near, count, places, m->map.certified ? 5 : 1, &uniform);
        int state = part < 0 ? GRAZE_CSPACE_FREE : GRAZE_CSPACE_COLLIDING;
        gz_map_put(&m->map, &cell, (uint8_t)(state + (m->map.certified && uniform)), part);
    }
    return true;
}

/// The parts as polygons.
static graze_status read_parts(body_map *m, const graze_planar_shape *parts, graze_error *error) {
    for (size_t i = 0; i < m->part_count; i++) {
        if (parts[i].radius != 0)
            return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                           "part %zu has a radius of %g; allowed: 0", i, parts[i].radius);
        m->parts[i] = gz_convex_of(parts[i].vertices, parts[i].count);
        m->away = fmax(m->away, fmax(-m->parts[i].bounds.min.y, m->parts[i].bounds.max.y));
    }
    m->away += gz_map_half(&m->map, 1, 1).y;
    return GRAZE_OK;
}

graze_status graze_planar_cspace_map(const graze_planar_scene *scene,
                                     const graze_planar_shape *parts, size_t part_count,
                                     const graze_cspace *map, graze_error *error) {
    GZ_ENTER(error);
    body_map m = {.scene = scene, .part_count = part_count};
    if (!scene || !parts || !map) return gz_planar_fail_null(error);
    GZ_TRY(gz_map_read(&m.map, map, error));
    GZ_TRY(gz_planar_shapes_check("part", parts, part_count, error));
    m.parts = gz_malloc(part_count + 1, sizeof *m.parts);
    graze_status status = m.parts ? read_parts(&m, parts, error) : gz_fail_memory(error);
    size_t near = (graze_planar_scene_count(scene) + 1) * sizeof(gz_convex *);
    if (!status) status = gz_map_run(&m.map, false, map_row, &m, near, error);
    gz_free(m.parts);
    return status;
}
