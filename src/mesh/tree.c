#include "mesh/tree.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define BINS 16

/// A triangle on its way into the tree: its box, rounded outward.
typedef struct item {
    float low[3], high[3];
    uint32_t triangle;
} item;

/// A run of items with its bounds.
typedef struct range {
    size_t first, count;
    float low[3], high[3];               ///< of the boxes
    float center_low[3], center_high[3]; ///< of the doubled box centres
} range;

typedef struct build {
    graze_mesh *mesh;
    item *items;
    size_t node_capacity, packet_capacity;
    bool ok;
} build;

float gz_float_below(double x) {
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

float gz_float_above(double x) {
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

gz_box gz_box_make(const float low[3], const float high[3]) {
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = (float)(0.5 * ((double)low[k] + (double)high[k]));
        // Differences of floats are exact in double, but for exponents farther apart than 29 bits;
        // then the rounding up to float swallows the double's error.
        double up = (double)high[k] - (double)box.center[k];
        double down = (double)box.center[k] - (double)low[k];
        box.half[k] = nextafterf(gz_float_above(up > down ? up : down), INFINITY);
    }
    return box;
}

void gz_node_clear(gz_node *node) {
    *node = (gz_node){0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < GZ_WIDTH; i++) node->half[k][i] = -1e30f;
}

void gz_node_add(gz_node *node, gz_box box, int32_t child) {
    int i = node->count++;
    for (int k = 0; k < 3; k++) {
        node->center[k][i] = box.center[k];
        node->half[k][i] = box.half[k];
    }
    node->child[i] = child;
}

static float twice_center(const item *it, int axis) {
    return it->low[axis] + it->high[axis];
}

static void measure(const build *b, range *r) {
    for (int k = 0; k < 3; k++) {
        r->low[k] = r->center_low[k] = INFINITY;
        r->high[k] = r->center_high[k] = -INFINITY;
    }
    for (size_t i = r->first; i < r->first + r->count; i++) {
        const item *it = &b->items[i];
        for (int k = 0; k < 3; k++) {
            float c = twice_center(it, k);
            if (it->low[k] < r->low[k]) r->low[k] = it->low[k];
            if (it->high[k] > r->high[k]) r->high[k] = it->high[k];
            if (c < r->center_low[k]) r->center_low[k] = c;
            if (c > r->center_high[k]) r->center_high[k] = c;
        }
    }
}

static float half_area(const float low[3], const float high[3]) {
    float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
}

/// Packets that so many triangles need.
static float packets(size_t count) {
    return (float)((count + GZ_WIDTH - 1) / GZ_WIDTH);
}

typedef struct bin {
    float low[3], high[3];
    size_t count;
} bin;

static void bin_clear(bin *b) {
    *b = (bin){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
}

static void bin_join(bin *b, const float low[3], const float high[3], size_t count) {
    for (int k = 0; k < 3; k++) {
        if (low[k] < b->low[k]) b->low[k] = low[k];
        if (high[k] > b->high[k]) b->high[k] = high[k];
    }
    b->count += count;
}

static int bin_of(const range *r, const item *it, int axis) {
    float width = r->center_high[axis] - r->center_low[axis];
    int i = (int)((float)BINS * ((twice_center(it, axis) - r->center_low[axis]) / width));
    return i < BINS ? i : BINS - 1;
}

/// The cheapest of the BINS - 1 cuts across one axis by the surface-area heuristic (Wald 2007, "On
/// fast construction of SAH-based bounding volume hierarchies"); returns the cost, *cut the last
/// bin of the lower side.
static float best_cut(const build *b, const range *r, int axis, int *cut) {
    bin bins[BINS];
    for (int i = 0; i < BINS; i++) bin_clear(&bins[i]);
    for (size_t i = r->first; i < r->first + r->count; i++) {
        const item *it = &b->items[i];
        bin_join(&bins[bin_of(r, it, axis)], it->low, it->high, 1);
    }
    float upper_cost[BINS];
    bin upper, lower;
    bin_clear(&upper);
    bin_clear(&lower);
    for (int i = BINS - 1; i > 0; i--) {
        bin_join(&upper, bins[i].low, bins[i].high, bins[i].count);
        upper_cost[i] = upper.count ? half_area(upper.low, upper.high) * packets(upper.count) : 0;
    }
    float best = INFINITY;
    for (int i = 0; i < BINS - 1; i++) {
        bin_join(&lower, bins[i].low, bins[i].high, bins[i].count);
        if (!lower.count || lower.count == r->count) continue;
        float cost = half_area(lower.low, lower.high) * packets(lower.count) + upper_cost[i + 1];
        if (cost < best) best = cost, *cut = i;
    }
    return best;
}

static size_t partition(build *b, const range *r, int axis, int cut) {
    size_t i = r->first, j = r->first + r->count;
    while (i < j) {
        if (bin_of(r, &b->items[i], axis) <= cut) {
            i++;
        } else {
            item swap = b->items[--j];
            b->items[j] = b->items[i];
            b->items[i] = swap;
        }
    }
    return i - r->first;
}

/// Splits a range in two. `even` halves it by count, as does a range whose centres coincide.
static void split(build *b, const range *r, bool even, range *lower, range *upper) {
    int axis = -1, cut = 0;
    float best = INFINITY;
    for (int k = 0; k < 3 && !even; k++) {
        int at = 0;
        if (!(r->center_high[k] > r->center_low[k])) continue;
        float cost = best_cut(b, r, k, &at);
        if (cost < best) best = cost, axis = k, cut = at;
    }
    size_t below = axis < 0 ? r->count / 2 : partition(b, r, axis, cut);
    if (below == 0 || below == r->count) below = r->count / 2;
    *lower = (range){.first = r->first, .count = below};
    *upper = (range){.first = r->first + below, .count = r->count - below};
    measure(b, lower);
    measure(b, upper);
}

static int32_t make_packet(build *b, const range *r) {
    graze_mesh *mesh = b->mesh;
    size_t index = mesh->packet_count++;
    gz_packet *packet = &mesh->packets[index];
    packet->count = (int32_t)r->count;
    for (size_t lane = 0; lane < GZ_WIDTH; lane++) {
        uint32_t t = b->items[r->first + (lane < r->count ? lane : 0)].triangle;
        packet->triangle[lane] = t;
        for (size_t corner = 0; corner < 3; corner++) {
            const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)t + corner];
            for (int k = 0; k < 3; k++) packet->vertex[corner][k][lane] = (float)v[k];
        }
    }
    mesh->packet_boxes[index] = gz_box_make(r->low, r->high);
    return ~(int32_t)index;
}

/// The range to split next: the one of largest area that does not fit a packet, or -1.
static int widest(const range *parts, int count) {
    int best = -1;
    float area = -1;
    for (int i = 0; i < count; i++) {
        float a = half_area(parts[i].low, parts[i].high);
        if (parts[i].count > GZ_WIDTH && a > area) area = a, best = i;
    }
    return best;
}

static int32_t make_subtree(build *b, const range *r, int depth) {
    graze_mesh *mesh = b->mesh;
    if (r->count <= GZ_WIDTH) return make_packet(b, r);
    size_t index = mesh->node_count++;
    range parts[GZ_WIDTH];
    int count = 1, next;
    parts[0] = *r;
    // From the given depth on every split halves, so log2 bounds the rest of the depth.
    bool even = depth >= GZ_TREE_DEPTH - 12;
    while (count < GZ_WIDTH && (next = widest(parts, count)) >= 0) {
        range whole = parts[next];
        split(b, &whole, even, &parts[next], &parts[count]);
        count++;
    }
    gz_node node;
    gz_node_clear(&node);
    for (int i = 0; i < count; i++) {
        int32_t child = make_subtree(b, &parts[i], depth + 1);
        gz_node_add(&node, gz_box_make(parts[i].low, parts[i].high), child);
    }
    mesh->nodes[index] = node;
    mesh->node_boxes[index] = gz_box_make(r->low, r->high);
    return (int32_t)index;
}

static void make_items(build *b) {
    const graze_mesh *mesh = b->mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        item *it = &b->items[t];
        it->triangle = (uint32_t)t;
        const double *v[3];
        for (size_t c = 0; c < 3; c++)
            v[c] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
        for (int k = 0; k < 3; k++) {
            double low = fmin(v[0][k], fmin(v[1][k], v[2][k]));
            double high = fmax(v[0][k], fmax(v[1][k], v[2][k]));
            it->low[k] = gz_float_below(low);
            it->high[k] = gz_float_above(high);
        }
    }
}

static void *shrink(void *array, size_t count, size_t size) {
    void *smaller = gz_malloc_aligned(count, size);
    if (!smaller) return array; // keeping the larger one is no harm
    memcpy(smaller, array, count * size);
    gz_free(array);
    return smaller;
}

bool gz_tree_build(graze_mesh *mesh) {
    size_t n = mesh->triangle_count;
    build b = {.mesh = mesh, .items = gz_malloc(n, sizeof *b.items)};
    // A packet holds at least one triangle, and a node at least two children.
    mesh->packets = gz_malloc_aligned(n, sizeof *mesh->packets);
    mesh->packet_boxes = gz_malloc(n, sizeof *mesh->packet_boxes);
    mesh->nodes = gz_malloc_aligned(n, sizeof *mesh->nodes);
    mesh->node_boxes = gz_malloc(n, sizeof *mesh->node_boxes);
    bool ok = b.items && mesh->packets && mesh->packet_boxes && mesh->nodes && mesh->node_boxes;
    if (ok) {
        make_items(&b);
        range all = {.first = 0, .count = n};
        measure(&b, &all);
        mesh->root = make_subtree(&b, &all, 0);
        mesh->root_box = gz_box_make(all.low, all.high);
        mesh->packets = shrink(mesh->packets, mesh->packet_count, sizeof *mesh->packets);
        mesh->packet_boxes = shrink(mesh->packet_boxes, mesh->packet_count, sizeof(gz_box));
        mesh->nodes = shrink(mesh->nodes, mesh->node_count, sizeof *mesh->nodes);
        mesh->node_boxes = shrink(mesh->node_boxes, mesh->node_count, sizeof(gz_box));
    }
    gz_free(b.items);
    return ok;
}
