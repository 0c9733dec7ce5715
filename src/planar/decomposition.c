// Simple polygons of any number of vertices, with holes, as convex parts: the public function.
#include "planar/convex/convex_internal.h"

#include "base/float_environment.h"
#include "base/memory.h"

static graze_status count_vertices(const size_t *loop_sizes, size_t loop_count, size_t *size,
                                   graze_error *error) {
    *size = 0;
    for (size_t l = 0; l < loop_count; l++) {
        if (loop_sizes[l] < 3) {
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "loop %zu has %zu vertices; allowed: at least 3", l, loop_sizes[l]);
        }
        if (loop_sizes[l] > GZ_DECOMPOSITION_VERTEX_MAX - *size) {
            return gz_fail(error, GRAZE_ERROR_LIMIT, "more than %d vertices; allowed: at most %d",
                           GZ_DECOMPOSITION_VERTEX_MAX, GZ_DECOMPOSITION_VERTEX_MAX);
        }
        *size += loop_sizes[l];
    }
    return GRAZE_OK;
}

// The direction of a loop: 1 counter-clockwise. Its first vertex by x, then y, is a corner, unless
// the loop turns back on itself there: then 0.
static int loop_turn(const graze_vec2 *points, uint32_t first, uint32_t end) {
    uint32_t low = first, size = end - first;
    for (uint32_t i = first; i < end; i++) {
        if (gz_planar_before(points[i], points[low])) low = i;
    }
    uint32_t k = low - first;
    return gz_planar_turn(points[first + (k + size - 1) % size], points[low],
                          points[first + (k + 1) % size]);
}

static void reverse(gz_loops *loops, uint32_t first, uint32_t end) {
    for (uint32_t i = first, k = end - 1; i < k; i++, k--) {
        graze_vec2 point = loops->points[i];
        uint32_t number = loops->number[i];
        loops->points[i] = loops->points[k];
        loops->number[i] = loops->number[k];
        loops->points[k] = point;
        loops->number[k] = number;
    }
}

static graze_status loops_fill(gz_loops *loops, const double *xy, const size_t *loop_sizes,
                               graze_error *error) {
    loops->first[0] = 0;
    for (uint32_t l = 0; l < loops->count; l++) {
        uint32_t first = loops->first[l], end = first + (uint32_t)loop_sizes[l];
        loops->first[l + 1] = end;
        for (uint32_t i = first; i < end; i++) {
            graze_vec2 p = {xy[2 * (size_t)i], xy[2 * (size_t)i + 1]};
            graze_status status = gz_planar_point_check(p, i, error);
            if (status != GRAZE_OK) return status;
            loops->points[i] = gz_planar_snap(p);
            loops->number[i] = i;
        }
        int turn = loop_turn(loops->points, first, end);
        if (turn == 0) {
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "loop %u turns back on itself; allowed: simple loops with an area", l);
        }
        // The inside to the left: the outer loop counter-clockwise, holes clockwise.
        if ((turn > 0) != (l == 0)) reverse(loops, first, end);
    }
    return GRAZE_OK;
}

// The parts' corners; what lies on a line between its neighbours is none.
static void part_fill(graze_planar_shape *out, gz_half_edge *edges, uint32_t h, double radius) {
    graze_vec2 corners[GRAZE_PLANAR_VERTEX_MAX];
    size_t n = 0;
    uint32_t i = h;
    do {
        edges[i].done = true;
        corners[n++] = edges[i].origin;
        i = edges[i].next;
    } while (i != h && n < GRAZE_PLANAR_VERTEX_MAX);
    gz_planar_shape_fill_nearly(out, corners, n, radius);
}

static graze_status parts_fill(graze_planar_parts *out, gz_ring *ring, double radius,
                               graze_error *error) {
    // At most one part a triangle.
    graze_planar_shape *items = gz_malloc(ring->edge_count / 3, sizeof *items);
    if (items == NULL) return gz_fail_memory(error);
    size_t count = 0;
    for (uint32_t h = 0; h < ring->edge_count; h++) {
        if (!ring->edges[h].done) part_fill(&items[count++], ring->edges, h, radius);
    }
    graze_planar_shape *fitted = gz_realloc(items, count, sizeof *items);
    out->items = fitted ? fitted : items;
    out->count = count;
    return GRAZE_OK;
}

static graze_status split(graze_planar_parts *out, const gz_loops *loops, gz_ring *ring,
                          double radius, graze_error *error) {
    graze_status status = gz_loops_check(loops, error);
    if (status == GRAZE_OK) status = gz_ring_join(ring, loops, error);
    if (status == GRAZE_OK) status = gz_ring_cut(ring, error);
    if (status != GRAZE_OK) return status;
    gz_ring_merge(ring);
    return parts_fill(out, ring, radius, error);
}

static GZ_OUT_OF_LINE graze_status decompose(graze_planar_parts *out, const double *xy,
                                             const size_t *loop_sizes, size_t loop_count,
                                             double radius, graze_error *error) {
    size_t size;
    graze_status status = count_vertices(loop_sizes, loop_count, &size, error);
    if (status != GRAZE_OK) return status;
    gz_loops loops = {.count = (uint32_t)loop_count, .size = (uint32_t)size};
    gz_ring ring = {0};
    size_t corners = size + 2 * loop_count;
    loops.points = gz_malloc(size, sizeof *loops.points);
    loops.number = gz_malloc(size, sizeof *loops.number);
    loops.first = gz_malloc(loop_count + 1, sizeof *loops.first);
    ring.corners = gz_malloc(corners, sizeof *ring.corners);
    ring.bridge_sides = gz_malloc(loop_count, sizeof *ring.bridge_sides);
    ring.edges = gz_malloc(3 * corners, sizeof *ring.edges);
    bool allocated = loops.points && loops.number && loops.first && ring.corners &&
                     ring.bridge_sides && ring.edges;
    status = allocated ? loops_fill(&loops, xy, loop_sizes, error) : gz_fail_memory(error);
    if (status == GRAZE_OK) {
        for (size_t k = 0; k < loop_count; k++) ring.bridge_sides[k] = GZ_NONE;
        status = split(out, &loops, &ring, radius, error);
    }
    gz_free(loops.points);
    gz_free(loops.number);
    gz_free(loops.first);
    gz_free(ring.corners);
    gz_free(ring.bridge_sides);
    gz_free(ring.edges);
    return status;
}

graze_status graze_planar_decompose(graze_planar_parts *out, const double *xy,
                                    const size_t *loop_sizes, size_t loop_count, double radius,
                                    graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (out != NULL) *out = (graze_planar_parts){0};
    if (out == NULL || xy == NULL || loop_sizes == NULL || loop_count == 0) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no loops; allowed: at least 1 loop");
    }
    graze_status status = gz_planar_radius_check(radius, error);
    if (status == GRAZE_OK) {
        status = decompose(out, xy, loop_sizes, loop_count, radius, error);
    }
    return status;
}

void graze_planar_parts_free(graze_planar_parts *parts) {
    if (parts == NULL) return;
    gz_free(parts->items);
    *parts = (graze_planar_parts){0};
}
