// Convex decomposition of simple polygons with holes: the public function, and checks of the loops.

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

// ------------------------------------------------------------------------------ checks of loops

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

// Whether the edges that begin at two corners intersect where they must not.
static bool edges_clash(const gz_corner *c, size_t e, size_t f) {
    graze_vec2 e0 = c[e].point, e1 = c[c[e].next].point, f0 = c[f].point, f1 = c[c[f].next].point;
    if (e != c[f].next && f != c[e].next) return gz_segments_intersect(e0, e1, f0, f1);
    // Neighbours share a vertex, and more only where the outline turns back on itself. In a
    // triangle without area both ends are shared, and it turns back, too.
    graze_vec2 middle = e == c[f].next ? e0 : e1, a = e == c[f].next ? e1 : e0;
    graze_vec2 b = e == c[f].next ? f0 : f1;
    return gz_planar_turn(a, middle, b) == 0 &&
           (gz_planar_in_box(middle, b, a) || gz_planar_in_box(middle, a, b));
}

// Sweeps over the edges by their least x; each is compared with those that begin before it ends.
static graze_status check_edges(const gz_rings *rings, graze_error *error) {
    const gz_corner *c = rings->corners;
    gz_planar_span *spans = gz_malloc(rings->count, sizeof *spans);
    if (spans == NULL) return gz_fail_memory(error);
    for (uint32_t i = 0; i < rings->count; i++) {
        double x = c[i].point.x, y = c[c[i].next].point.x;
        spans[i] = (gz_planar_span){fmin(x, y), fmax(x, y), i};
    }
    gz_planar_spans_sort(spans, rings->count);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < rings->count && status == GRAZE_OK; i++) {
        const gz_planar_span *e = &spans[i], *f = e + 1, *end = spans + rings->count;
        while (f < end && f->low <= e->high && !edges_clash(c, e->index, f->index)) f++;
        if (f == end || f->low > e->high) continue;
        const gz_corner *from = &c[e->index], *other = &c[f->index];
        status = gz_fail(
            error, GRAZE_ERROR_SCHEMA,
            "the edges between vertices %u, %u and %u, %u meet; allowed: loops that do "
            "not touch themselves or each other",
            from->number, c[from->next].number, other->number, c[other->next].number);
    }
    gz_free(spans);
    return status;
}

// Whether a point that is not on the loop of a corner lies inside it, by crossings of a ray. Exact.
static bool loop_contains(const gz_corner *c, uint32_t start, graze_vec2 p) {
    bool inside = false;
    uint32_t i = start;
    do {
        graze_vec2 a = c[i].point, b = c[c[i].next].point;
        i = c[i].next;
        // Edges that pass p's height, their upper end left out; does p lie to their left?
        if ((a.y <= p.y) == (b.y <= p.y)) continue;
        bool left = a.y < b.y ? gz_planar_turn(a, b, p) > 0 : gz_planar_turn(b, a, p) > 0;
        inside = inside != left;
    } while (i != start);
    return inside;
}

static graze_status check_loops(const gz_rings *rings, const size_t *loop_sizes, size_t loop_count,
                                graze_error *error) {
    GZ_TRY(check_edges(rings, error));
    // No edges intersect, so one vertex decides where its loop is.
    uint32_t hole = 0, other;
    for (size_t l = 1; l < loop_count; l++) {
        hole += (uint32_t)loop_sizes[l - 1];
        graze_vec2 p = rings->corners[hole].point;
        if (!loop_contains(rings->corners, 0, p))
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "hole %zu lies outside the outer loop; allowed: inside", l);
        other = (uint32_t)loop_sizes[0];
        for (size_t k = 1; k < loop_count; other += (uint32_t)loop_sizes[k++]) {
            if (k == l || !loop_contains(rings->corners, other, p)) continue;
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "hole %zu lies inside hole %zu; allowed: holes apart", l, k);
        }
    }
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------- decomposition

// The direction of a loop: 1 counter-clockwise. Its first vertex by x, then y, is a corner, unless
// the loop turns back on itself there: then 0.
static int loop_turn(const gz_corner *loop, uint32_t size) {
    uint32_t low = 0;
    for (uint32_t i = 0; i < size; i++)
        if (gz_planar_before(loop[i].point, loop[low].point)) low = i;
    return gz_planar_turn(loop[(low + size - 1) % size].point, loop[low].point,
                          loop[(low + 1) % size].point);
}

// Adds a loop to the rings.
static graze_status add_loop(gz_rings *rings, const double *xy, uint32_t size, uint32_t number,
                             graze_error *error) {
    uint32_t first = rings->count;
    gz_corner *loop = rings->corners + first;
    for (uint32_t i = 0; i < size; i++) {
        loop[i] = (gz_corner){.number = first + i, .hole = number > 0};
        GZ_TRY(gz_planar_point_read(&loop[i].point, xy, first + i, error));
    }
    int turn = loop_turn(loop, size);
    if (turn == 0)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "loop %u turns back on itself; allowed: simple loops with an area", number);
    // The inside to the left: the outer loop counter-clockwise, holes clockwise.
    for (uint32_t i = 0, k = size - 1; (turn > 0) != (number == 0) && i < k; i++, k--) {
        gz_corner corner = loop[i];
        loop[i] = loop[k];
        loop[k] = corner;
    }
    for (uint32_t i = 0; i < size; i++) gz_corners_link(rings, first + i, first + (i + 1) % size);
    rings->count += size;
    return GRAZE_OK;
}

static graze_status split(graze_planar_parts *out, gz_rings *rings, const double *xy,
                          const size_t *loop_sizes, size_t loop_count, double radius,
                          graze_error *error) {
    for (size_t l = 0; l < loop_count; l++)
        GZ_TRY(add_loop(rings, xy, (uint32_t)loop_sizes[l], (uint32_t)l, error));
    GZ_TRY(check_loops(rings, loop_sizes, loop_count, error));
    // At most one part a triangle.
    out->items = gz_malloc(rings->count + 2 * loop_count, sizeof *out->items);
    graze_status status = out->items ? gz_rings_cut(rings, out, radius, error)
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
    // A diagonal repeats both its ends; with h holes there are at most size + 3 h - 3 of them.
    gz_rings rings = {.most = (uint32_t)(3 * size + 6 * loop_count)};
    rings.corners = gz_malloc(rings.most, sizeof *rings.corners);
    if (!rings.corners) return gz_fail_memory(error);
    graze_status status = split(out, &rings, xy, loop_sizes, loop_count, radius, error);
    gz_free(rings.corners);
    return status;
}

graze_status graze_planar_decompose(graze_planar_parts *out, const double *xy,
                                    const size_t *loop_sizes, size_t loop_count, double radius,
                                    graze_error *error) {
    GZ_ENTER(error);
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
