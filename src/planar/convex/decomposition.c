// Convex decomposition of simple polygons with holes: the public function, and checks of the loops.

#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "planar/convex/convex_internal.h"

static graze_status count_vertices(const size_t *loop_sizes, size_t loop_count, size_t *size,
                                   graze_error *error) {
    *size = 0;
    for (size_t l = 0; l < loop_count; l++) {
        if (loop_sizes[l] < 3)
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "loop %zu has %zu vertices; allowed: at least 3", l, loop_sizes[l]);
        if (loop_sizes[l] > GZ_DECOMPOSITION_VERTEX_MAX - *size)
            return gz_fail(error, GRAZE_ERROR_LIMIT, "more than %d vertices; allowed: at most %d",
                           GZ_DECOMPOSITION_VERTEX_MAX, GZ_DECOMPOSITION_VERTEX_MAX);
        *size += loop_sizes[l];
    }
    return GRAZE_OK;
}

// The direction of a loop: 1 counter-clockwise. Its first vertex by x, then y, is a corner, unless
// the loop turns back on itself there: then 0.
static int loop_turn(const graze_vec2 *points, uint32_t first, uint32_t end) {
    uint32_t low = first, size = end - first;
    for (uint32_t i = first; i < end; i++)
        if (gz_planar_before(points[i], points[low])) low = i;
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
            GZ_TRY(gz_planar_point_check(p, i, error));
            loops->points[i] = gz_planar_snap(p);
            loops->number[i] = i;
        }
        int turn = loop_turn(loops->points, first, end);
        if (turn == 0)
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "loop %u turns back on itself; allowed: simple loops with an area", l);
        // The inside to the left: the outer loop counter-clockwise, holes clockwise.
        if ((turn > 0) != (l == 0)) reverse(loops, first, end);
    }
    return GRAZE_OK;
}

static graze_status split(graze_planar_parts *out, const gz_loops *loops, gz_ring *ring,
                          double radius, graze_error *error) {
    GZ_TRY(gz_loops_check(loops, error));
    GZ_TRY(gz_ring_join(ring, loops, error));
    // At most one part a triangle.
    out->items = gz_malloc(ring->count, sizeof *out->items);
    graze_status status = out->items ? gz_ring_cut(ring, out, radius, error)
                                     : gz_fail_memory(error);
    if (status) {
        graze_planar_parts_free(out);
        return status;
    }
    graze_planar_shape *fitted = gz_realloc(out->items, out->count, sizeof *out->items);
    out->items = fitted ? fitted : out->items;
    return GRAZE_OK;
}

static GZ_OUT_OF_LINE graze_status decompose(graze_planar_parts *out, const double *xy,
                                             const size_t *loop_sizes, size_t loop_count,
                                             double radius, graze_error *error) {
    size_t size;
    GZ_TRY(count_vertices(loop_sizes, loop_count, &size, error));
    gz_loops loops = {.count = (uint32_t)loop_count, .size = (uint32_t)size};
    gz_ring ring = {0};
    size_t corners = size + 2 * loop_count;
    loops.points = gz_malloc(size, sizeof *loops.points);
    loops.number = gz_malloc(size, sizeof *loops.number);
    loops.first = gz_malloc(loop_count + 1, sizeof *loops.first);
    ring.corners = gz_malloc(corners, sizeof *ring.corners);
    bool allocated = loops.points && loops.number && loops.first && ring.corners;
    graze_status status = allocated ? loops_fill(&loops, xy, loop_sizes, error)
                                    : gz_fail_memory(error);
    if (status == GRAZE_OK) status = split(out, &loops, &ring, radius, error);
    gz_free(loops.points);
    gz_free(loops.number);
    gz_free(loops.first);
    gz_free(ring.corners);
    return status;
}

graze_status graze_planar_decompose(graze_planar_parts *out, const double *xy,
                                    const size_t *loop_sizes, size_t loop_count, double radius,
                                    graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (out != NULL) *out = (graze_planar_parts){0};
    if (out == NULL || xy == NULL || loop_sizes == NULL || loop_count == 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no loops; allowed: at least 1 loop");
    GZ_TRY(gz_planar_radius_check(radius, error));
    return decompose(out, xy, loop_sizes, loop_count, radius, error);
}

void graze_planar_parts_free(graze_planar_parts *parts) {
    if (parts == NULL) return;
    gz_free(parts->items);
    *parts = (graze_planar_parts){0};
}

// ------------------------------------------------------------------------------ checks of loops

// An edge with its extent along x.
typedef struct span {
    double low, high;
    uint32_t from, to; ///< vertices
} span;

static int compare_spans(const void *a, const void *b) {
    span p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return (p.low > q.low) - (p.low < q.low);
}

bool gz_segments_intersect(graze_vec2 a, graze_vec2 b, graze_vec2 c, graze_vec2 d) {
    if (fmax(a.x, b.x) < fmin(c.x, d.x) || fmax(c.x, d.x) < fmin(a.x, b.x) ||
        fmax(a.y, b.y) < fmin(c.y, d.y) || fmax(c.y, d.y) < fmin(a.y, b.y))
        return false;
    int abc = gz_planar_turn(a, b, c), abd = gz_planar_turn(a, b, d);
    int cda = gz_planar_turn(c, d, a), cdb = gz_planar_turn(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && gz_planar_in_box(a, b, c)) || (abd == 0 && gz_planar_in_box(a, b, d)) ||
           (cda == 0 && gz_planar_in_box(c, d, a)) || (cdb == 0 && gz_planar_in_box(c, d, b));
}

// Whether two edges intersect where they must not.
static bool edges_clash(const gz_loops *loops, const span *e, const span *f) {
    const graze_vec2 *p = loops->points;
    if (e->from == f->to || e->to == f->from) {
        // Neighbours share a vertex, and more only where the outline turns back on itself. In a
        // triangle without area both ends are shared, and it turns back, too.
        graze_vec2 middle = p[e->from == f->to ? e->from : e->to];
        graze_vec2 a = p[e->from == f->to ? e->to : e->from];
        graze_vec2 c = p[e->from == f->to ? f->from : f->to];
        return gz_planar_turn(a, middle, c) == 0 &&
               (gz_planar_in_box(middle, c, a) || gz_planar_in_box(middle, a, c));
    }
    return gz_segments_intersect(p[e->from], p[e->to], p[f->from], p[f->to]);
}

static graze_status fail_clash(const gz_loops *loops, const span *e, const span *f,
                               graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_SCHEMA,
                   "the edges between vertices %u, %u and %u, %u meet; allowed: loops that do not "
                   "touch themselves or each other",
                   loops->number[e->from], loops->number[e->to], loops->number[f->from],
                   loops->number[f->to]);
}

// Sweeps over the edges by their least x; each is compared with those that begin before it ends.
static graze_status check_edges(const gz_loops *loops, graze_error *error) {
    span *spans = gz_malloc(loops->size, sizeof *spans);
    if (spans == NULL) return gz_fail_memory(error);
    for (uint32_t l = 0; l < loops->count; l++) {
        for (uint32_t i = loops->first[l]; i < loops->first[l + 1]; i++) {
            uint32_t to = i + 1 < loops->first[l + 1] ? i + 1 : loops->first[l];
            double x = loops->points[i].x, y = loops->points[to].x;
            spans[i] = (span){fmin(x, y), fmax(x, y), i, to};
        }
    }
    qsort(spans, loops->size, sizeof *spans, compare_spans);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < loops->size && status == GRAZE_OK; i++) {
        for (uint32_t k = i + 1; k < loops->size && spans[k].low <= spans[i].high; k++) {
            if (!edges_clash(loops, &spans[i], &spans[k])) continue;
            status = fail_clash(loops, &spans[i], &spans[k], error);
            break;
        }
    }
    gz_free(spans);
    return status;
}

bool gz_loop_contains(const gz_loops *loops, uint32_t loop, graze_vec2 p) {
    bool inside = false;
    uint32_t first = loops->first[loop], end = loops->first[loop + 1];
    for (uint32_t i = first; i < end; i++) {
        graze_vec2 a = loops->points[i], b = loops->points[i + 1 < end ? i + 1 : first];
        // Edges that pass p's height, their upper end left out; does p lie to their left?
        if ((a.y <= p.y) == (b.y <= p.y)) continue;
        bool left = a.y < b.y ? gz_planar_turn(a, b, p) > 0 : gz_planar_turn(b, a, p) > 0;
        inside = inside != left;
    }
    return inside;
}

graze_status gz_loops_check(const gz_loops *loops, graze_error *error) {
    GZ_TRY(check_edges(loops, error));
    // No edges intersect, so one vertex decides where its loop is.
    for (uint32_t l = 1; l < loops->count; l++) {
        graze_vec2 p = loops->points[loops->first[l]];
        if (!gz_loop_contains(loops, 0, p))
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "hole %u lies outside the outer loop; allowed: inside", l);
        for (uint32_t other = 1; other < loops->count; other++) {
            if (other == l || !gz_loop_contains(loops, other, p)) continue;
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "hole %u lies inside hole %u; allowed: holes apart", l, other);
        }
    }
    return GRAZE_OK;
}
