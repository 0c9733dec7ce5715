// Worlds whose objects move in place: each object is the world's own, and its tree is refitted.
// Only for who knows that nobody reads the world meanwhile.

#include "world/world.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"

/// A tree that has grown by this since objects were dealt to its leaves is dealt anew.
#define WORSE 1.5
/// By so much it grows where objects do not move, but jump.
#define JUMPED 3.0

graze_status gz_world_own(graze_world **out, const graze_world *world, graze_error *error) {
    GZ_TRY(gz_world_flatten(out, world, error));
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < (*out)->object_count; i++) {
        gz_object *shared = (*out)->objects[i], *own;
        status = gz_object_move(shared, &shared->pose, &own, error);
        if (status) break;
        (*out)->objects[i] = own;
        gz_object_drop(shared);
    }
    if (status == GRAZE_OK) return GRAZE_OK;
    graze_world_free(*out);
    *out = NULL;
    return status;
}

static bool has_one_owner(const gz_shared *shared) {
    return atomic_load_explicit(&((gz_shared *)(uintptr_t)shared)->others, memory_order_acquire) ==
           0;
}

bool gz_world_may_move(const graze_world *world) {
    return has_one_owner(&world->shared);
}

/// An object that nobody else has: a copy where a version of somebody's has it.
static graze_status take_object(graze_world *world, size_t index, gz_object **out,
                                graze_error *error) {
    *out = world->objects[index];
    if (has_one_owner(&(*out)->shared)) return GRAZE_OK;
    gz_object *shared = *out;
    GZ_TRY(gz_object_move(shared, &shared->pose, out, error));
    world->objects[index] = *out;
    gz_object_drop(shared);
    return GRAZE_OK;
}

graze_status gz_world_place(graze_world *world, size_t index, const graze_transform *pose,
                            graze_error *error) {
    gz_object *object;
    GZ_TRY(gz_object_check_pose(pose, error));
    GZ_TRY(take_object(world, index, &object, error));
    object->pose = *pose;
    return gz_object_place(object, error);
}

graze_status gz_world_place_as(graze_world *world, size_t index, const gz_object *from,
                               graze_error *error) {
    gz_object *object;
    GZ_TRY(take_object(world, index, &object, error));
    object->pose = from->pose;
    object->box = from->box;
    object->posed = from->posed;
    object->error = from->error;
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- the tree

/// Notes how the tree hangs together: children follow their parents.
static void link_nodes(const graze_world *world, gz_refit *r) {
    for (size_t i = world->node_count; i-- > 0;) {
        const gz_node *node = &world->nodes[i];
        r->nodes[i] = (gz_refit_node){.parent = -1, .stale = true};
        for (int k = 0; k < node->count; k++) {
            int32_t child = node->child[k];
            r->nodes[i].leaves += child < 0 ? 1 : r->nodes[child].leaves;
            *(child < 0 ? &r->node_of[~child] : &r->nodes[child].parent) = (int32_t)i;
        }
    }
}

static double area_of(const gz_refit_box *n) {
    double x = (double)n->high[0] - (double)n->low[0], y = (double)n->high[1] - (double)n->low[1];
    double z = (double)n->high[2] - (double)n->low[2];
    return x * y + y * z + z * x;
}

/// Fits the boxes of a node's children, which are fitted themselves, and its own. As those of
/// gz_box_make(), boxes hold [low, high] with a float to spare: the differences are off by 2^-24 of
/// themselves, the product by as much again.
static void fit_node(graze_world *world, gz_refit *r, size_t index, bool boxes_known) {
    gz_node *node = &world->nodes[index];
    gz_refit_node *all = &r->nodes[index];
    gz_refit_box whole = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int lane = 0; lane < node->count; lane++) {
        int32_t child = node->child[lane];
        gz_refit_box *box = child < 0 ? &r->boxes[~child] : &r->nodes[child].box;
        if (child < 0 && !boxes_known) {
            gz_tree_item item = gz_object_item(world->objects[~child], 0);
            memcpy(box->low, item.low, sizeof box->low);
            memcpy(box->high, item.high, sizeof box->high);
        }
        const float *low = box->low, *high = box->high;
        for (int k = 0; k < 3; k++) {
            float center = 0.5f * (low[k] + high[k]);
            float up = high[k] - center, down = center - low[k];
            node->center[k][lane] = center;
            node->half[k][lane] = (up > down ? up : down) * (1 + 0x1p-21f);
            whole.low[k] = low[k] < whole.low[k] ? low[k] : whole.low[k];
            whole.high[k] = high[k] > whole.high[k] ? high[k] : whole.high[k];
        }
    }
    all->box = whole;
    all->area = area_of(&whole);
    all->stale = false;
}

/// Fits what is stale, children before parents. Returns the sum of the nodes' areas.
static double fit(graze_world *world, gz_refit *r, bool boxes_known) {
    double sum = 0;
    for (size_t i = world->node_count; i-- > 0;) {
        if (r->nodes[i].stale) fit_node(world, r, i, boxes_known);
        sum += r->nodes[i].area;
    }
    return sum;
}

bool gz_refit_create(gz_refit *r, graze_world *world) {
    size_t nodes = world->node_count, objects = world->object_count;
    *r = (gz_refit){0};
    r->nodes = gz_malloc(nodes, sizeof *r->nodes);
    for (int k = 0; k < 2; k++) r->keys[k] = gz_malloc(objects, sizeof *r->keys[k]);
    r->boxes = gz_malloc(objects, sizeof *r->boxes);
    r->node_of = gz_malloc(objects, sizeof *r->node_of);
    if (!r->boxes || !r->nodes || !r->keys[0] || !r->keys[1] || !r->node_of) {
        gz_refit_free(r);
        return false;
    }
    for (size_t i = 0; i < objects; i++) r->node_of[i] = -1; // of a single object there is no tree
    link_nodes(world, r);
    r->measure = fit(world, r, false);
    return true;
}

void gz_refit_note(gz_refit *r, size_t object) {
    for (int32_t i = r->node_of[object]; i >= 0 && !r->nodes[i].stale; i = r->nodes[i].parent)
        r->nodes[i].stale = true;
}

void gz_refit_free(gz_refit *r) {
    gz_free(r->nodes);
    for (int k = 0; k < 2; k++) gz_free(r->keys[k]);
    gz_free(r->boxes);
    gz_free(r->node_of);
    *r = (gz_refit){0};
}

/// Places along an axis, and bits of them.
enum { PLACE_BITS = 8, PLACES = 1 << PLACE_BITS };

/// The bits of a place, with two others between each.
static uint32_t spread_bits(uint32_t x) {
    x = (x | x << 8) & 0x00f00fu;
    x = (x | x << 4) & 0x0c30c3u;
    return (x | x << 2) & 0x249249u;
}

/// Where a cell is on Hilbert's curve, any stretch of which lies together (Skilling 2004,
/// "Programming the Hilbert curve").
static uint32_t curve_place(uint32_t x[3]) {
    uint32_t flip = 0;
    for (int bit = PLACE_BITS - 1; bit > 0; bit--) {
        uint32_t below = (1u << bit) - 1;
        for (int k = 0; k < 3; k++) {
            uint32_t upper = 0u - (x[k] >> bit & 1), swapped = (x[0] ^ x[k]) & below & ~upper;
            x[0] ^= (below & upper) ^ swapped;
            x[k] ^= swapped;
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    for (int bit = PLACE_BITS - 1; bit > 0; bit--)
        flip ^= (0u - (x[2] >> bit & 1)) & ((1u << bit) - 1);
    for (int k = 0; k < 3; k++) x[k] ^= flip;
    return spread_bits(x[0]) << 2 | spread_bits(x[1]) << 1 | spread_bits(x[2]);
}

/// Twice the middle of an object's box.
static float center_of(const gz_refit *r, const gz_refit_key *key, int axis) {
    const gz_refit_box *box = &r->boxes[key->object];
    return box->low[axis] + box->high[axis];
}

/// Keys of the objects, with `places` by the places of their centres along the widest side of all.
static void make_keys(gz_refit *r, size_t count, bool places) {
    for (size_t i = 0; i < count; i++) r->keys[0][i] = (gz_refit_key){.object = (int32_t)i};
    if (!places) return;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    float widest = 0;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            float center = center_of(r, &r->keys[0][i], k);
            low[k] = center < low[k] ? center : low[k];
            high[k] = center > high[k] ? center : high[k];
        }
    }
    for (int k = 0; k < 3; k++) widest = high[k] - low[k] > widest ? high[k] - low[k] : widest;
    float factor = widest > 0x1p-100f ? (PLACES - 1) / widest : 0;
    for (size_t i = 0; i < count; i++) {
        gz_refit_key *key = &r->keys[0][i];
        uint32_t x[3];
        for (int k = 0; k < 3; k++) x[k] = (uint32_t)((center_of(r, key, k) - low[k]) * factor);
        key->key = curve_place(x);
    }
}

/// Sorts the keys, by counting, a third of their bits at a time. Returns where they are then.
static const gz_refit_key *sort_keys(gz_refit *r, size_t count) {
    uint32_t starts[PLACES];
    for (int pass = 0; pass < 3; pass++) {
        const gz_refit_key *from = r->keys[pass % 2];
        gz_refit_key *to = r->keys[1 - pass % 2];
        uint32_t sum = 0;
        memset(starts, 0, sizeof starts);
        for (size_t i = 0; i < count; i++)
            starts[from[i].key >> PLACE_BITS * pass & (PLACES - 1)]++;
        for (size_t d = 0; d < PLACES; d++) {
            uint32_t here = starts[d];
            starts[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            to[starts[from[i].key >> PLACE_BITS * pass & (PLACES - 1)]++] = from[i];
    }
    return r->keys[1];
}

/// Deals objects in their order to the leaves below a node, in that of its lanes.
static const gz_refit_key *deal_node(graze_world *world, int32_t index, const gz_refit_key *next) {
    gz_node *node = &world->nodes[index];
    for (int lane = 0; lane < node->count; lane++) {
        if (node->child[lane] < 0)
            node->child[lane] = ~(next++)->object;
        else
            next = deal_node(world, node->child[lane], next);
    }
    return next;
}

/// Puts the `count` objects with the least centres along an axis first (Wirth 1976, after Hoare's
/// selection of 1961).
static void select_lowest(const gz_refit *r, gz_refit_key *order, size_t total, size_t count,
                          int axis) {
    ptrdiff_t first = 0, last = (ptrdiff_t)total - 1, middle = (ptrdiff_t)count;
    while (first < last) {
        float pivot = center_of(r, &order[middle], axis);
        ptrdiff_t i = first, j = last;
        do {
            while (center_of(r, &order[i], axis) < pivot) i++;
            while (center_of(r, &order[j], axis) > pivot) j--;
            if (i > j) break;
            gz_refit_key kept = order[i];
            order[i++] = order[j];
            order[j--] = kept;
        } while (i <= j);
        if (j < middle) first = i;
        if (middle < i) last = j;
    }
}

static int widest_axis(const gz_refit *r, const gz_refit_key *order, size_t count) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            float center = center_of(r, &order[i], k);
            low[k] = center < low[k] ? center : low[k];
            high[k] = center > high[k] ? center : high[k];
        }
    }
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[best] - low[best]) best = k;
    return best;
}

static size_t leaves_of(const gz_refit *r, int32_t child) {
    return child < 0 ? 1 : r->nodes[child].leaves;
}

/// Puts the objects of the lanes [from, to) of a node in order: halves the lanes, and cuts the
/// objects across their widest side into as many as each half has leaves. Lanes that are leaves
/// need none.
static void order_lanes(const graze_world *world, gz_refit *r, int32_t index, int from, int to,
                        gz_refit_key *order) {
    const gz_node *node = &world->nodes[index];
    int32_t child = node->child[from];
    if (to - from == 1) {
        if (child >= 0) order_lanes(world, r, child, 0, world->nodes[child].count, order);
        return;
    }
    int middle = from + (to - from) / 2;
    size_t lower = 0, total = 0;
    for (int lane = from; lane < to; lane++) {
        total += leaves_of(r, node->child[lane]);
        if (lane < middle) lower = total;
    }
    if (total == (size_t)(to - from)) return;
    select_lowest(r, order, total, lower, widest_axis(r, order, total));
    order_lanes(world, r, index, from, middle, order);
    order_lanes(world, r, index, middle, to, order + lower);
}

/// Deals the objects anew to the leaves of the tree, whose form stays: so nothing is allocated.
/// Where they have jumped, and so may again, along the curve (Kamel and Faloutsos 1993, "On packing
/// R-trees"), which costs a third of halving, for a tree that queries find half as large again.
static void deal(graze_world *world, gz_refit *r, bool jumped) {
    const gz_refit_key *order = r->keys[0];
    make_keys(r, world->object_count, jumped);
    if (jumped)
        order = sort_keys(r, world->object_count);
    else
        order_lanes(world, r, 0, 0, world->nodes[0].count, r->keys[0]);
    deal_node(world, 0, order);
    link_nodes(world, r);
}

void gz_world_refit(graze_world *world, gz_refit *r) {
    gz_extent extent = {0};
    for (size_t i = 0; i < world->object_count; i++) gz_extent_add(&extent, world->objects[i]);
    world->extent = extent;
    if (!world->node_count) return;
    double measure = fit(world, r, false);
    if (measure > WORSE * r->measure) {
        deal(world, r, measure > JUMPED * r->measure);
        r->measure = fit(world, r, true);
    } else if (!(measure > r->measure)) {
        r->measure = measure;
    }
}
