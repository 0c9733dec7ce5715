#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/posed_shape.h"
#include "verify/verify_memory.h"

static const gz_extent nothing = {{INFINITY, INFINITY, INFINITY},
                                  {-INFINITY, -INFINITY, -INFINITY}};

static void include(gz_extent *box, const double p[3]) {
    for (int k = 0; k < 3; k++) {
        if (p[k] < box->low[k]) box->low[k] = p[k];
        if (p[k] > box->high[k]) box->high[k] = p[k];
    }
}

static void include_box(gz_extent *box, const gz_extent *other) {
    include(box, other->low);
    include(box, other->high);
}

void gz_surface_free(gz_surface *surface) {
    gz_verify_free(surface->component_of);
    gz_verify_free(surface->components);
    gz_verify_free(surface->open_edges);
    *surface = (gz_surface){0};
}

// ------------------------------------------------------------------------------ equal vertices

static int compare_points(const double a[3], const double b[3]) {
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

/// Of two places in one array of points.
static int compare_vertices(const void *a, const void *b) {
    const double *p = *(const double *const *)a, *q = *(const double *const *)b;
    int order = compare_points(p, q);
    return order != 0 ? order : (p > q) - (p < q);
}

/// same[v] = the lowest vertex at the coordinates of v. `order` is scratch.
static void find_equal(const gz_dump_element *e, const double **order, uint32_t *same) {
    for (size_t v = 0; v < e->point_count; v++) order[v] = e->points[v];
    qsort(order, e->point_count, sizeof *order, compare_vertices);
    uint32_t before = 0;
    for (size_t i = 0; i < e->point_count; i++) {
        uint32_t v = (uint32_t)((order[i] - e->points[0]) / 3);
        bool again = i > 0 && compare_points(order[i], order[i - 1]) == 0;
        same[v] = again ? same[before] : v;
        before = v;
    }
}

// ------------------------------------------------------------------------------------- components

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    parent[find_root(parent, a)] = find_root(parent, b);
}

/// Joins what shares vertices and numbers the components by their lowest triangles. `number` is
/// scratch.
static bool find_components(gz_surface *s, const gz_dump_element *e, uint32_t *parent,
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
            if (!gz_verify_reserve((void **)&s->components, &capacity, s->component_count + 1,
                                   sizeof *s->components))
                return false;
            number[root] = (uint32_t)s->component_count;
            s->components[s->component_count++] = (gz_surface_component){
                .closed = true, .triangle = (uint32_t)t, .vertex = e->triangles[t][0]};
        }
        s->component_of[t] = number[root];
        s->components[number[root]].triangle_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------- edges

static int compare_edges(const void *a, const void *b) {
    const gz_surface_edge *x = a, *y = b;
    if (x->component != y->component) return x->component < y->component ? -1 : 1;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

/// Sums the directions along each edge; what is left over makes its component open.
static void cancel_edges(gz_surface *s, gz_surface_edge *edges, size_t count) {
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count;) {
        gz_surface_edge edge = edges[i];
        for (i++; i < count && compare_edges(&edge, &edges[i]) == 0; i++) edge.net += edges[i].net;
        if (edge.net == 0) continue;
        s->components[edge.component].closed = false;
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
            edges[count++] = (gz_surface_edge){.component = s->component_of[t],
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
    s->component_of = gz_verify_calloc(e->triangle_count, sizeof *s->component_of);
    uint32_t *same = gz_verify_calloc(e->point_count, sizeof *same);
    uint32_t *parent = gz_verify_calloc(e->point_count, sizeof *parent);
    uint32_t *number = gz_verify_calloc(e->point_count, sizeof *number);
    const double **order = gz_verify_calloc(e->point_count, sizeof *order);
    bool good = s->component_of != NULL && same != NULL && parent != NULL && number != NULL &&
                order != NULL;
    if (good) find_equal(e, order, same);
    gz_verify_free(order);
    good = good && find_components(s, e, parent, same, number) && find_edges(s, e, same);
    gz_verify_free(same);
    gz_verify_free(parent);
    gz_verify_free(number);
    return good;
}

// ------------------------------------------------------------------------------------------- caps

bool gz_verify_is_capped(const gz_surface_component *component) {
    return !component->closed && component->triangle_count > 1;
}

void gz_verify_caps_free(gz_verify_caps *caps) {
    gz_verify_free(caps->apexes);
    gz_verify_free(caps->posed);
    gz_verify_free(caps->triangles);
    *caps = (gz_verify_caps){0};
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
    gz_extent box = nothing;
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
        }
        include(&box, from);
    }
    for (int k = 0; k < 3; k++) {
        double mean = fmin(fmax(mean_of(sum[k], weight), box.low[k]), box.high[k]);
        apex[k] = fabs(mean) < 0x1p-100 ? 0 : mean;
    }
    if (p.count == 3)
        memcpy(apex, e->points[from_of(&s->open_edges[p.edges[0]])], 3 * sizeof *apex);
    mpz_clears(sum[0], sum[1], sum[2], term, NULL);
}

static void add_triangle(gz_verify_caps *caps, const gz_dump_element *e,
                         const gz_surface_edge *edge, uint32_t apex) {
    gz_verify_cap_triangle t = {.apex = apex,
                                .from = edge->net > 0 ? edge->high : edge->low,
                                .to = from_of(edge),
                                .weight = abs(edge->net)};
    const double *top = caps->apexes[apex];
    if (compare_points(top, e->points[t.from]) == 0 || compare_points(top, e->points[t.to]) == 0)
        return;
    caps->triangles[caps->triangle_count++] = t;
}

/// Scratch: the ends of edges joined, and per edge its piece and its place among those of its
/// piece.
typedef struct scratch {
    uint32_t *parent, *number; ///< per vertex
    uint32_t *piece_of, *order, *first;
} scratch;

/// Numbers the pieces by their first edges and sorts the edges by piece.
static void sort_edges(gz_verify_caps *caps, const gz_surface *s, scratch *x) {
    size_t edges = s->open_edge_count;
    for (size_t i = 0; i < edges; i++) {
        const gz_surface_edge *edge = &s->open_edges[i];
        x->piece_of[i] = UINT32_MAX;
        if (!gz_verify_is_capped(&s->components[edge->component])) continue;
        uint32_t root = find_root(x->parent, edge->low);
        if (x->number[root] == UINT32_MAX) x->number[root] = (uint32_t)caps->apex_count++;
        x->piece_of[i] = x->number[root];
        x->first[x->piece_of[i] + 1]++;
    }
    for (size_t p = 0; p < caps->apex_count; p++) x->first[p + 1] += x->first[p];
    for (size_t i = 0; i < edges; i++)
        if (x->piece_of[i] != UINT32_MAX) x->order[x->first[x->piece_of[i]]++] = (uint32_t)i;
    // Each piece's beginning has moved to its end.
    for (size_t p = caps->apex_count; p > 0; p--) x->first[p] = x->first[p - 1];
    x->first[0] = 0;
}

/// Makes the apexes and triangles, the latter in the order of the edges.
static void make_caps(gz_verify_caps *caps, const gz_dump_element *e, const gz_surface *s,
                      scratch *x) {
    for (uint32_t v = 0; v < e->point_count; v++) {
        x->parent[v] = v;
        x->number[v] = UINT32_MAX;
    }
    for (size_t i = 0; i < s->open_edge_count; i++) {
        uint32_t root = find_root(x->parent, s->open_edges[i].low);
        x->parent[root] = find_root(x->parent, s->open_edges[i].high);
    }
    sort_edges(caps, s, x);
    for (size_t p = 0; p < caps->apex_count; p++)
        make_apex(e, s, (piece){x->order + x->first[p], x->first[p + 1] - x->first[p]},
                  caps->apexes[p]);
    for (size_t i = 0; i < s->open_edge_count; i++)
        if (x->piece_of[i] != UINT32_MAX) add_triangle(caps, e, &s->open_edges[i], x->piece_of[i]);
}

bool gz_verify_caps_make(gz_verify_caps *caps, const gz_dump_element *e, const gz_surface *s) {
    *caps = (gz_verify_caps){0};
    size_t edges = s->open_edge_count;
    caps->apexes = gz_verify_calloc(edges, sizeof *caps->apexes);
    caps->posed = gz_verify_calloc(edges, sizeof *caps->posed);
    caps->triangles = gz_verify_calloc(edges, sizeof *caps->triangles);
    scratch x = {.parent = gz_verify_calloc(e->point_count, sizeof *x.parent),
                 .number = gz_verify_calloc(e->point_count, sizeof *x.number),
                 .piece_of = gz_verify_calloc(edges, sizeof *x.piece_of),
                 .order = gz_verify_calloc(edges, sizeof *x.order),
                 .first = gz_verify_calloc(edges + 1, sizeof *x.first)};
    bool good = caps->apexes != NULL && caps->posed != NULL && caps->triangles != NULL &&
                x.parent != NULL && x.number != NULL && x.piece_of != NULL && x.order != NULL &&
                x.first != NULL;
    if (good) make_caps(caps, e, s, &x);
    gz_verify_free(x.parent);
    gz_verify_free(x.number);
    gz_verify_free(x.piece_of);
    gz_verify_free(x.order);
    gz_verify_free(x.first);
    return good;
}

#define LEAF_ITEMS 4

static bool has_triangles(const gz_dump_element *e) {
    return e->shape == GZ_DUMP_BOX || e->shape == GZ_DUMP_MESH;
}

// ------------------------------------------------------------------------------------- the tree

/// The middle of an item, unposed, well enough for sorting.
static void middle_of(const gz_dump_element *e, size_t item, double middle[3]) {
    for (int k = 0; k < 3; k++) {
        if (has_triangles(e)) {
            const uint32_t *c = e->triangles[item];
            middle[k] = (e->points[c[0]][k] + e->points[c[1]][k] + e->points[c[2]][k]) / 3;
        } else {
            middle[k] = e->points[item][k];
        }
    }
}

typedef struct sort_key {
    uint64_t code;
    uint32_t item;
} sort_key;

static int compare_keys(const void *a, const void *b) {
    const sort_key *x = a, *y = b;
    if (x->code != y->code) return x->code < y->code ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/// The bits of 0 to 2^20 - 1, two zeros between each.
static uint64_t spread(uint64_t x) {
    uint64_t out = 0;
    for (int bit = 0; bit < 20; bit++) out |= (x >> bit & 1) << 3 * bit;
    return out;
}

/// Items along Morton's curve (1966): neighbours in the order are near each other.
static bool sort_items(gz_posed_shape *s) {
    const gz_dump_element *e = s->source;
    sort_key *keys = gz_verify_calloc(s->item_count, sizeof *keys);
    if (keys == NULL) return false;
    gz_extent box = nothing;
    for (size_t i = 0; i < s->item_count; i++) {
        double middle[3];
        middle_of(e, i, middle);
        include(&box, middle);
    }
    for (size_t i = 0; i < s->item_count; i++) {
        double middle[3];
        middle_of(e, i, middle);
        keys[i].item = (uint32_t)i;
        for (int k = 0; k < 3; k++) {
            double size = box.high[k] - box.low[k];
            double place = size > 0 ? (middle[k] - box.low[k]) / size * 0xfffff : 0;
            keys[i].code |= spread((uint64_t)fmin(fmax(place, 0), 0xfffff)) << k;
        }
    }
    qsort(keys, s->item_count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < s->item_count; i++) s->order[i] = keys[i].item;
    gz_verify_free(keys);
    return true;
}

/// Halves a range of the order until it is short. Returns the index of its node.
static uint32_t build(gz_posed_shape *s, uint32_t first, uint32_t count) {
    uint32_t own = (uint32_t)s->node_count++;
    s->nodes[own] = (gz_posed_node){.first = first, .count = count};
    if (count > LEAF_ITEMS) {
        uint32_t half = count / 2;
        build(s, first, half);
        s->nodes[own].right = build(s, first + half, count - half);
    }
    return own;
}

bool gz_posed_has_triangles(const gz_posed_shape *s) {
    return has_triangles(s->source);
}

bool gz_posed_shape_make(gz_posed_shape *s, const gz_dump_element *e, bool cap) {
    *s = (gz_posed_shape){.source = e};
    s->item_count = has_triangles(e)             ? e->triangle_count
                    : e->shape == GZ_DUMP_POINTS ? e->point_count
                                                 : 1;
    s->points = gz_verify_calloc(e->point_count, sizeof *s->points);
    s->order = gz_verify_calloc(s->item_count, sizeof *s->order);
    s->nodes = gz_verify_calloc(s->item_count + 1, sizeof *s->nodes); // leaves hold 2 at least
    if (s->points == NULL || s->order == NULL || s->nodes == NULL || !sort_items(s)) return false;
    build(s, 0, (uint32_t)s->item_count);
    if (!has_triangles(e)) return true;
    return gz_surface_make(&s->surface, e) &&
           (!cap || gz_verify_caps_make(&s->caps, e, &s->surface));
}

void gz_posed_shape_free(gz_posed_shape *s) {
    gz_surface_free(&s->surface);
    gz_verify_caps_free(&s->caps);
    gz_verify_free(s->points);
    gz_verify_free(s->nodes);
    gz_verify_free(s->order);
    *s = (gz_posed_shape){0};
}

// ---------------------------------------------------------------------------------------- boxes

bool gz_extents_overlap(const gz_extent *a, const gz_extent *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

gz_extent gz_extent_grown(const gz_extent *box, double by) {
    gz_extent out = *box;
    for (int k = 0; by > 0 && k < 3; k++) {
        out.low[k] = nextafter(out.low[k] - by, -INFINITY);
        out.high[k] = nextafter(out.high[k] + by, INFINITY);
    }
    return out;
}

double gz_posed_radius(const gz_posed_shape *s) {
    return has_triangles(s->source) ? 0 : s->source->radius;
}

void gz_posed_item_box(const gz_posed_shape *s, size_t item, gz_extent *box) {
    gz_simplex simplex;
    gz_posed_item(s, item, &simplex);
    *box = nothing;
    for (int c = 0; c < simplex.count; c++) include(box, simplex.corners[c]);
    *box = gz_extent_grown(box, gz_posed_radius(s));
}

// ---------------------------------------------------------------------------------------- poses

void gz_posed_snap(const double pose[12], const double v[3], double w[3]) {
    for (int i = 0; i < 3; i++) {
        const double *row = pose + 4 * i;
        double sum = row[0] * v[0];
        sum += row[1] * v[1];
        sum += row[2] * v[2];
        sum += row[3];
        w[i] = fabs(sum) < 0x1p-100 ? 0 : sum;
    }
}

bool gz_posed_shape_place(gz_posed_shape *s, const double pose[12]) {
    bool good = true;
    s->box = nothing;
    s->fitted = false;
    for (size_t i = 0; i < s->source->point_count; i++) {
        gz_posed_snap(pose, s->source->points[i], s->points[i]);
        include(&s->box, s->points[i]);
        for (int k = 0; k < 3; k++) good = good && fabs(s->points[i][k]) <= 0x1p20;
    }
    // Between its corners before it is posed, and by what that rounds outside of their box.
    for (size_t i = 0; i < s->caps.apex_count; i++) {
        gz_posed_snap(pose, s->caps.apexes[i], s->caps.posed[i]);
        include(&s->box, s->caps.posed[i]);
    }
    s->box = gz_extent_grown(&s->box, gz_posed_radius(s));
    return good;
}

void gz_posed_item(const gz_posed_shape *s, size_t item, gz_simplex *simplex) {
    const gz_dump_element *e = s->source;
    if (has_triangles(e)) {
        simplex->count = 3;
        for (int c = 0; c < 3; c++)
            memcpy(simplex->corners[c], s->points[e->triangles[item][c]], sizeof(double[3]));
        return;
    }
    simplex->count = e->shape == GZ_DUMP_CAPSULE || e->shape == GZ_DUMP_CYLINDER ? 2 : 1;
    size_t first = e->shape == GZ_DUMP_POINTS ? item : 0;
    for (int c = 0; c < simplex->count; c++)
        memcpy(simplex->corners[c], s->points[first + (size_t)c], sizeof(double[3]));
}

/// The nodes' boxes; children come behind their parents.
static void fit(gz_posed_shape *s) {
    for (size_t i = s->node_count; i-- > 0;) {
        gz_posed_node *node = &s->nodes[i];
        node->box = nothing;
        if (node->right != 0) {
            include_box(&node->box, &s->nodes[i + 1].box);
            include_box(&node->box, &s->nodes[node->right].box);
            continue;
        }
        for (uint32_t k = 0; k < node->count; k++) {
            gz_extent box;
            gz_posed_item_box(s, s->order[node->first + k], &box);
            include_box(&node->box, &box);
        }
    }
    s->fitted = true;
}

// --------------------------------------------------------------------------------------- search

void gz_posed_search_begin(gz_posed_search *search, gz_posed_shape *shape, const gz_extent *box) {
    if (!shape->fitted) fit(shape);
    search->shape = shape;
    search->box = *box;
    search->top = 0;
    search->item = search->end = 0;
    search->stack[search->top++] = 0;
}

bool gz_posed_search_next(gz_posed_search *search, size_t *item) {
    const gz_posed_shape *s = search->shape;
    for (;;) {
        while (search->item < search->end) {
            size_t found = s->order[search->item++];
            gz_extent box;
            gz_posed_item_box(s, found, &box);
            if (!gz_extents_overlap(&box, &search->box)) continue;
            *item = found;
            return true;
        }
        if (search->top == 0) return false;
        uint32_t index = search->stack[--search->top];
        const gz_posed_node *node = &s->nodes[index];
        if (!gz_extents_overlap(&node->box, &search->box)) continue;
        if (node->right != 0) {
            search->stack[search->top++] = node->right;
            search->stack[search->top++] = index + 1;
        } else {
            search->item = node->first;
            search->end = node->first + node->count;
        }
    }
}
