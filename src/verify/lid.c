#include "verify/posed_shape.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/verify_memory.h"

bool gz_verify_is_capped(const gz_surface_part *part) {
    return !part->closed && part->triangle_count > 1;
}

void gz_verify_caps_free(gz_verify_caps *lids) {
    gz_verify_free(lids->apexes);
    gz_verify_free(lids->posed);
    gz_verify_free(lids->triangles);
    *lids = (gz_verify_caps){0};
}

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static uint32_t from_of(const gz_surface_edge *edge) {
    return edge->net > 0 ? edge->low : edge->high;
}

// The least bit of a coordinate that a mesh may have is 2^-152.
#define UNIT (-152)

/// The mean that the loader makes of an exact sum: its 64 highest bits, as a double, divided by the
/// count. So it is defined, with three roundings.
static double mean_of(mpz_t sum, unsigned long count) {
    if (mpz_sgn(sum) == 0) return 0;
    bool negative = mpz_sgn(sum) < 0;
    mpz_abs(sum, sum);
    size_t bits = mpz_sizeinbase(sum, 2);
    int shift = (int)bits - 64;
    if (shift > 0) {
        mpz_tdiv_q_2exp(sum, sum, (mp_bitcnt_t)shift);
    } else {
        mpz_mul_2exp(sum, sum, (mp_bitcnt_t)-shift);
    }
    uint64_t top = 0;
    mpz_export(&top, NULL, -1, sizeof top, 0, 0, sum);
    double mean = ldexp((double)top, shift + UNIT) / (double)count;
    return negative ? -mean : mean;
}

/// The edges of one piece of the border, in the surface's order.
typedef struct piece {
    const uint32_t *edges;
    size_t count;
} piece;

/// The apex of a piece: one corner of a lone triangle's border, else the mean of the starting
/// points, kept between them.
static void make_apex(const gz_dump_element *e, const gz_surface *s, piece p, double apex[3]) {
    unsigned long weight = 0;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    mpz_t sum[3], term;
    mpz_inits(sum[0], sum[1], sum[2], term, NULL);
    for (size_t i = 0; i < p.count; i++) {
        const gz_surface_edge *edge = &s->open_edges[p.edges[i]];
        const double *from = e->points[from_of(edge)];
        unsigned long count = (unsigned long)labs(edge->net);
        weight += count;
        for (int k = 0; k < 3; k++) {
            gz_exact_set(term, from[k], UNIT);
            mpz_addmul_ui(sum[k], term, count);
            low[k] = fmin(low[k], from[k]);
            high[k] = fmax(high[k], from[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        double mean = fmin(fmax(mean_of(sum[k], weight), low[k]), high[k]);
        apex[k] = fabs(mean) < 0x1p-100 ? 0 : mean;
    }
    if (p.count == 3)
        memcpy(apex, e->points[from_of(&s->open_edges[p.edges[0]])], 3 * sizeof *apex);
    mpz_clears(sum[0], sum[1], sum[2], term, NULL);
}

static bool equal_points(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void add_triangle(gz_verify_caps *lids, const gz_dump_element *e,
                         const gz_surface_edge *edge, uint32_t apex) {
    gz_verify_cap_triangle t = {.apex = apex,
                                .from = edge->net > 0 ? edge->high : edge->low,
                                .to = from_of(edge),
                                .weight = abs(edge->net)};
    const double *top = lids->apexes[apex];
    if (equal_points(top, e->points[t.from]) || equal_points(top, e->points[t.to])) return;
    lids->triangles[lids->triangle_count++] = t;
}

/// Scratch: the ends of edges joined, and per edge its piece and its place among those of its
/// piece.
typedef struct scratch {
    uint32_t *parent, *number; ///< per vertex
    uint32_t *piece_of, *order, *first;
} scratch;

/// Numbers the pieces by their first edges and sorts the edges by piece.
static void sort_edges(gz_verify_caps *lids, const gz_surface *s, scratch *x) {
    size_t edges = s->open_edge_count;
    for (size_t i = 0; i < edges; i++) {
        const gz_surface_edge *edge = &s->open_edges[i];
        x->piece_of[i] = UINT32_MAX;
        if (!gz_verify_is_capped(&s->parts[edge->part])) continue;
        uint32_t root = find_root(x->parent, edge->low);
        if (x->number[root] == UINT32_MAX) x->number[root] = (uint32_t)lids->apex_count++;
        x->piece_of[i] = x->number[root];
        x->first[x->piece_of[i] + 1]++;
    }
    for (size_t p = 0; p < lids->apex_count; p++) x->first[p + 1] += x->first[p];
    for (size_t i = 0; i < edges; i++)
        if (x->piece_of[i] != UINT32_MAX) x->order[x->first[x->piece_of[i]]++] = (uint32_t)i;
    // Each piece's beginning has moved to its end.
    for (size_t p = lids->apex_count; p > 0; p--) x->first[p] = x->first[p - 1];
    x->first[0] = 0;
}

/// Makes the apexes and triangles, the latter in the order of the edges.
static void make_lids(gz_verify_caps *lids, const gz_dump_element *e, const gz_surface *s,
                      scratch *x) {
    for (uint32_t v = 0; v < e->point_count; v++) {
        x->parent[v] = v;
        x->number[v] = UINT32_MAX;
    }
    for (size_t i = 0; i < s->open_edge_count; i++) {
        uint32_t root = find_root(x->parent, s->open_edges[i].low);
        x->parent[root] = find_root(x->parent, s->open_edges[i].high);
    }
    sort_edges(lids, s, x);
    for (size_t p = 0; p < lids->apex_count; p++)
        make_apex(e, s, (piece){x->order + x->first[p], x->first[p + 1] - x->first[p]},
                  lids->apexes[p]);
    for (size_t i = 0; i < s->open_edge_count; i++)
        if (x->piece_of[i] != UINT32_MAX) add_triangle(lids, e, &s->open_edges[i], x->piece_of[i]);
}

bool gz_verify_caps_make(gz_verify_caps *lids, const gz_dump_element *e, const gz_surface *s) {
    *lids = (gz_verify_caps){0};
    size_t edges = s->open_edge_count;
    lids->apexes = gz_verify_calloc(edges, sizeof *lids->apexes);
    lids->posed = gz_verify_calloc(edges, sizeof *lids->posed);
    lids->triangles = gz_verify_calloc(edges, sizeof *lids->triangles);
    scratch x = {.parent = gz_verify_calloc(e->point_count, sizeof *x.parent),
                 .number = gz_verify_calloc(e->point_count, sizeof *x.number),
                 .piece_of = gz_verify_calloc(edges, sizeof *x.piece_of),
                 .order = gz_verify_calloc(edges, sizeof *x.order),
                 .first = gz_verify_calloc(edges + 1, sizeof *x.first)};
    bool good = lids->apexes != NULL && lids->posed != NULL && lids->triangles != NULL &&
                x.parent != NULL && x.number != NULL && x.piece_of != NULL && x.order != NULL &&
                x.first != NULL;
    if (good) make_lids(lids, e, s, &x);
    gz_verify_free(x.parent);
    gz_verify_free(x.number);
    gz_verify_free(x.piece_of);
    gz_verify_free(x.order);
    gz_verify_free(x.first);
    return good;
}
