#include "verify/posed_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_memory.h"

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
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < s->item_count; i++) {
        double middle[3];
        middle_of(e, i, middle);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], middle[k]);
            high[k] = fmax(high[k], middle[k]);
        }
    }
    for (size_t i = 0; i < s->item_count; i++) {
        double middle[3];
        middle_of(e, i, middle);
        keys[i].item = (uint32_t)i;
        for (int k = 0; k < 3; k++) {
            double size = high[k] - low[k];
            double place = size > 0 ? (middle[k] - low[k]) / size * 0xfffff : 0;
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
           (!cap || gz_verify_caps_make(&s->lids, e, &s->surface));
}

void gz_posed_shape_free(gz_posed_shape *s) {
    gz_surface_free(&s->surface);
    gz_verify_caps_free(&s->lids);
    gz_verify_free(s->points);
    gz_verify_free(s->nodes);
    gz_verify_free(s->order);
    *s = (gz_posed_shape){0};
}

// ---------------------------------------------------------------------------------------- boxes

static const gz_extent nothing = {{INFINITY, INFINITY, INFINITY},
                                  {-INFINITY, -INFINITY, -INFINITY}};

static void include(gz_extent *box, const double p[3]) {
    for (int k = 0; k < 3; k++) {
        if (p[k] < box->low[k]) box->low[k] = p[k];
        if (p[k] > box->high[k]) box->high[k] = p[k];
    }
}

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
    for (size_t i = 0; i < s->lids.apex_count; i++) {
        gz_posed_snap(pose, s->lids.apexes[i], s->lids.posed[i]);
        include(&s->box, s->lids.posed[i]);
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
            const gz_extent *boxes[2] = {&s->nodes[i + 1].box, &s->nodes[node->right].box};
            for (int k = 0; k < 2; k++) {
                include(&node->box, boxes[k]->low);
                include(&node->box, boxes[k]->high);
            }
            continue;
        }
        for (uint32_t k = 0; k < node->count; k++) {
            gz_extent box;
            gz_posed_item_box(s, s->order[node->first + k], &box);
            include(&node->box, box.low);
            include(&node->box, box.high);
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
