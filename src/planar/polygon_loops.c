// Are the loops of a polygon simple, apart, and nested as an outline with holes?
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "planar/convex/convex_internal.h"

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

static bool in_box(graze_vec2 a, graze_vec2 b, graze_vec2 p) {
    return p.x >= fmin(a.x, b.x) && p.x <= fmax(a.x, b.x) && p.y >= fmin(a.y, b.y) &&
           p.y <= fmax(a.y, b.y);
}

bool gz_segments_meet(graze_vec2 a, graze_vec2 b, graze_vec2 c, graze_vec2 d) {
    if (fmax(a.x, b.x) < fmin(c.x, d.x) || fmax(c.x, d.x) < fmin(a.x, b.x) ||
        fmax(a.y, b.y) < fmin(c.y, d.y) || fmax(c.y, d.y) < fmin(a.y, b.y))
        return false;
    int abc = gz_planar_turn(a, b, c), abd = gz_planar_turn(a, b, d);
    int cda = gz_planar_turn(c, d, a), cdb = gz_planar_turn(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && in_box(a, b, c)) || (abd == 0 && in_box(a, b, d)) ||
           (cda == 0 && in_box(c, d, a)) || (cdb == 0 && in_box(c, d, b));
}

// Two edges: do they meet where they may not?
static bool edges_clash(const gz_loops *loops, const span *e, const span *f) {
    const graze_vec2 *p = loops->points;
    if (e->from == f->to || e->to == f->from) {
        // Neighbours share a vertex; more only where the outline turns back on itself. In a
        // triangle without area both ends are shared, and then it turns back, too.
        graze_vec2 middle = p[e->from == f->to ? e->from : e->to];
        graze_vec2 a = p[e->from == f->to ? e->to : e->from];
        graze_vec2 c = p[e->from == f->to ? f->from : f->to];
        return gz_planar_turn(a, middle, c) == 0 && (in_box(middle, c, a) || in_box(middle, a, c));
    }
    return gz_segments_meet(p[e->from], p[e->to], p[f->from], p[f->to]);
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

bool gz_loop_holds(const gz_loops *loops, uint32_t loop, graze_vec2 p) {
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
    graze_status status = check_edges(loops, error);
    if (status != GRAZE_OK) return status;
    // No edges meet, so one vertex tells where its loop is.
    for (uint32_t l = 1; l < loops->count; l++) {
        graze_vec2 p = loops->points[loops->first[l]];
        if (!gz_loop_holds(loops, 0, p)) {
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "hole %u lies outside the outer loop; allowed: inside", l);
        }
        for (uint32_t other = 1; other < loops->count; other++) {
            if (other == l || !gz_loop_holds(loops, other, p)) continue;
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "hole %u lies inside hole %u; allowed: holes apart", l, other);
        }
    }
    return GRAZE_OK;
}
