#include "verify/posed_shape.h"

#include <stdlib.h>

#include "verify/verify_memory.h"

void gz_surface_free(gz_surface *surface) {
    gz_verify_free(surface->part_of);
    gz_verify_free(surface->parts);
    gz_verify_free(surface->open_edges);
    *surface = (gz_surface){0};
}

// ------------------------------------------------------------------------------ equal vertices

static int compare_points(const double a[3], const double b[3]) {
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_vertices(const void *a, const void *b, void *user) {
    double(*points)[3] = user;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    int order = compare_points(points[i], points[j]);
    return order != 0 ? order : (i > j) - (i < j);
}

/// same[v] = the lowest vertex at the coordinates of v. `order` is scratch.
static void find_equal(const gz_dump_element *e, uint32_t *order, uint32_t *same) {
    for (uint32_t v = 0; v < e->point_count; v++) order[v] = v;
    qsort_r(order, e->point_count, sizeof *order, compare_vertices, e->points);
    for (size_t i = 0; i < e->point_count; i++) {
        uint32_t v = order[i], before = i > 0 ? order[i - 1] : v;
        same[v] = compare_points(e->points[v], e->points[before]) == 0 ? same[before] : v;
        if (i == 0) same[v] = v;
    }
}

// ---------------------------------------------------------------------------------------- parts

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    parent[find_root(parent, a)] = find_root(parent, b);
}

/// Joins what shares vertices and numbers the parts by their lowest triangles. `number` is scratch.
static bool find_parts(gz_surface *s, const gz_dump_element *e, uint32_t *parent,
                       const uint32_t *same, uint32_t *number) {
    for (uint32_t v = 0; v < e->point_count; v++) {
        parent[v] = v;
        number[v] = UINT32_MAX;
    }
    for (size_t t = 0; t < e->triangle_count; t++) {
        const uint32_t *c = e->triangles[t];
        join(parent, same[c[0]], same[c[1]]);
        join(parent, same[c[0]], same[c[2]]);
    }
    size_t capacity = 0;
    for (size_t t = 0; t < e->triangle_count; t++) {
        uint32_t root = find_root(parent, same[e->triangles[t][0]]);
        if (number[root] == UINT32_MAX) {
            if (!gz_verify_reserve((void **)&s->parts, &capacity, s->part_count + 1,
                                   sizeof *s->parts))
                return false;
            number[root] = (uint32_t)s->part_count;
            s->parts[s->part_count++] = (gz_surface_part){
                .closed = true, .triangle = (uint32_t)t, .vertex = e->triangles[t][0]};
        }
        s->part_of[t] = number[root];
        s->parts[number[root]].triangle_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------- edges

static int compare_edges(const void *a, const void *b) {
    const gz_surface_edge *x = a, *y = b;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

/// Sums the directions along each edge; what is left over makes its part open.
static void cancel_edges(gz_surface *s, gz_surface_edge *edges, size_t count) {
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count;) {
        gz_surface_edge edge = edges[i];
        for (i++; i < count && compare_edges(&edge, &edges[i]) == 0; i++) edge.net += edges[i].net;
        if (edge.net == 0) continue;
        s->parts[edge.part].closed = false;
        edges[s->open_edge_count++] = edge; // never ahead of what is still to be read
    }
}

static bool find_edges(gz_surface *s, const gz_dump_element *e, const uint32_t *same) {
    gz_surface_edge *edges = gz_verify_calloc(3 * e->triangle_count, sizeof *edges);
    if (edges == NULL) return false;
    s->open_edges = edges;
    size_t count = 0;
    for (size_t t = 0; t < e->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            uint32_t from = same[e->triangles[t][k]], to = same[e->triangles[t][(k + 1) % 3]];
            if (from == to) continue; // no edge: a triangle that is a segment or a point
            edges[count++] = (gz_surface_edge){.part = s->part_of[t],
                                               .low = from < to ? from : to,
                                               .high = from < to ? to : from,
                                               .net = from < to ? 1 : -1};
        }
    }
    cancel_edges(s, edges, count);
    return true;
}

bool gz_surface_make(gz_surface *s, const gz_dump_element *e) {
    *s = (gz_surface){0};
    s->part_of = gz_verify_calloc(e->triangle_count, sizeof *s->part_of);
    uint32_t *same = gz_verify_calloc(e->point_count, sizeof *same);
    uint32_t *parent = gz_verify_calloc(e->point_count, sizeof *parent);
    uint32_t *number = gz_verify_calloc(e->point_count, sizeof *number);
    bool good = s->part_of != NULL && same != NULL && parent != NULL && number != NULL;
    if (good) find_equal(e, number, same);
    good = good && find_parts(s, e, parent, same, number) && find_edges(s, e, same);
    gz_verify_free(same);
    gz_verify_free(parent);
    gz_verify_free(number);
    return good;
}
