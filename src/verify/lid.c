#include "verify/lid.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/exact_vector.h"
#include "verify/verify_memory.h"

bool gz_lids_close(const gz_surface_part *part) {
    return !part->closed && part->triangle_count > 1;
}

void gz_lids_free(gz_lids *lids) {
    gz_verify_free(lids->apexes);
    gz_verify_free(lids->posed);
    gz_verify_free(lids->triangles);
    *lids = (gz_lids){0};
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

/// The apex of the piece whose root is `root`: one corner of a lone triangle's border, else the
/// mean of the starting points, kept between them.
static void make_apex(const gz_dump_element *e, const gz_surface *s, uint32_t *parent,
                      uint32_t root, double apex[3]) {
    size_t edges = 0;
    unsigned long weight = 0;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const double *corner = NULL;
    mpz_t sum[3], term;
    mpz_inits(sum[0], sum[1], sum[2], term, NULL);
    for (size_t i = 0; i < s->open_edge_count; i++) {
        const gz_surface_edge *edge = &s->open_edges[i];
        if (find_root(parent, edge->low) != root) continue;
        const double *p = e->points[from_of(edge)];
        unsigned long count = (unsigned long)labs(edge->net);
        if (edges++ == 0) corner = p;
        weight += count;
        for (int k = 0; k < 3; k++) {
            gz_exact_set(term, p[k], UNIT);
            mpz_addmul_ui(sum[k], term, count);
            low[k] = fmin(low[k], p[k]);
            high[k] = fmax(high[k], p[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        double mean = fmin(fmax(mean_of(sum[k], weight), low[k]), high[k]);
        apex[k] = fabs(mean) < 0x1p-100 ? 0 : mean;
    }
    if (edges == 3) memcpy(apex, corner, 3 * sizeof *apex);
    mpz_clears(sum[0], sum[1], sum[2], term, NULL);
}

static bool equal_points(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/// Numbers the pieces and makes their apexes and triangles. `parent` has the ends of edges joined,
/// `number` is scratch.
static void make_lids(gz_lids *lids, const gz_dump_element *e, const gz_surface *s,
                      uint32_t *parent, uint32_t *number) {
    for (size_t i = 0; i < s->open_edge_count; i++) {
        const gz_surface_edge *edge = &s->open_edges[i];
        if (!gz_lids_close(&s->parts[edge->part])) continue;
        uint32_t root = find_root(parent, edge->low);
        if (number[root] == UINT32_MAX) {
            number[root] = (uint32_t)lids->apex_count;
            make_apex(e, s, parent, root, lids->apexes[lids->apex_count++]);
        }
        gz_lid_triangle t = {.apex = number[root],
                             .from = edge->net > 0 ? edge->high : edge->low,
                             .to = from_of(edge),
                             .weight = abs(edge->net)};
        const double *apex = lids->apexes[t.apex];
        if (equal_points(apex, e->points[t.from]) || equal_points(apex, e->points[t.to])) continue;
        lids->triangles[lids->triangle_count++] = t;
    }
}

bool gz_lids_make(gz_lids *lids, const gz_dump_element *e, const gz_surface *s) {
    *lids = (gz_lids){0};
    size_t edges = s->open_edge_count;
    lids->apexes = gz_verify_calloc(edges, sizeof *lids->apexes);
    lids->posed = gz_verify_calloc(edges, sizeof *lids->posed);
    lids->triangles = gz_verify_calloc(edges, sizeof *lids->triangles);
    uint32_t *parent = gz_verify_calloc(e->point_count, sizeof *parent);
    uint32_t *number = gz_verify_calloc(e->point_count, sizeof *number);
    bool good = lids->apexes != NULL && lids->posed != NULL && lids->triangles != NULL &&
                parent != NULL && number != NULL;
    if (good) {
        for (uint32_t v = 0; v < e->point_count; v++) {
            parent[v] = v;
            number[v] = UINT32_MAX;
        }
        for (size_t i = 0; i < edges; i++)
            parent[find_root(parent, s->open_edges[i].low)] = find_root(parent,
                                                                        s->open_edges[i].high);
        make_lids(lids, e, s, parent, number);
    }
    gz_verify_free(parent);
    gz_verify_free(number);
    return good;
}
