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

bool gz_refit_create(gz_refit *r, const graze_world *world) {
    size_t nodes = world->node_count, objects = world->object_count;
    *r = (gz_refit){.measure = NAN};
    r->nodes = gz_malloc(nodes, sizeof *r->nodes);
    r->centers = gz_malloc(objects, sizeof *r->centers);
    r->order = gz_malloc(objects, sizeof *r->order);
    r->node_of = gz_malloc(objects, sizeof *r->node_of);
    if (!r->nodes || !r->centers || !r->order || !r->node_of) {
        gz_refit_free(r);
        return false;
    }
    link_nodes(world, r);
    return true;
}

void gz_refit_note(gz_refit *r, size_t object) {
    if (isnan(r->measure)) return; // all is stale
    for (int32_t i = r->node_of[object]; i >= 0 && !r->nodes[i].stale; i = r->nodes[i].parent)
        r->nodes[i].stale = true;
}

void gz_refit_free(gz_refit *r) {
    gz_free(r->nodes);
    gz_free(r->centers);
    gz_free(r->order);
    gz_free(r->node_of);
    *r = (gz_refit){0};
}

static double area_of(const gz_refit_node *n) {
    double x = (double)n->high[0] - (double)n->low[0], y = (double)n->high[1] - (double)n->low[1];
    double z = (double)n->high[2] - (double)n->low[2];
    return x * y + y * z + z * x;
}

/// Fits the boxes of a node's children, which are fitted themselves, and its own. As those of
/// gz_box_make(), boxes hold [low, high] with a float to spare: the differences are off by 2^-24 of
/// themselves, the product by as much again.
static void fit_node(graze_world *world, gz_refit *r, size_t index) {
    gz_node *node = &world->nodes[index];
    gz_refit_node *all = &r->nodes[index];
    for (int k = 0; k < 3; k++) all->low[k] = INFINITY, all->high[k] = -INFINITY;
    for (int lane = 0; lane < node->count; lane++) {
        int32_t child = node->child[lane];
        gz_tree_item item;
        if (child < 0) item = gz_object_item(world->objects[~child], 0);
        const float *low = child < 0 ? item.low : r->nodes[child].low;
        const float *high = child < 0 ? item.high : r->nodes[child].high;
        for (int k = 0; k < 3; k++) {
            float center = 0.5f * (low[k] + high[k]);
            float up = high[k] - center, down = center - low[k];
            node->center[k][lane] = center;
            node->half[k][lane] = (up > down ? up : down) * (1 + 0x1p-21f);
            all->low[k] = low[k] < all->low[k] ? low[k] : all->low[k];
            all->high[k] = high[k] > all->high[k] ? high[k] : all->high[k];
        }
    }
    all->area = area_of(all);
    all->stale = false;
}

/// Fits what is stale, children before parents. Returns the sum of the nodes' areas.
static double fit(graze_world *world, gz_refit *r) {
    double sum = 0;
    for (size_t i = world->node_count; i-- > 0;) {
        if (r->nodes[i].stale) fit_node(world, r, i);
        sum += r->nodes[i].area;
    }
    return sum;
}

/// Puts the `count` objects with the least centres along an axis first (Wirth 1976, after Hoare's
/// selection of 1961).
static void select_lowest(const gz_refit *r, int32_t *order, size_t total, size_t count, int axis) {
    ptrdiff_t first = 0, last = (ptrdiff_t)total - 1, middle = (ptrdiff_t)count;
    while (first < last) {
        float pivot = r->centers[order[middle]][axis];
        ptrdiff_t i = first, j = last;
        do {
            while (r->centers[order[i]][axis] < pivot) i++;
            while (r->centers[order[j]][axis] > pivot) j--;
            if (i > j) break;
            int32_t kept = order[i];
            order[i++] = order[j];
            order[j--] = kept;
        } while (i <= j);
        if (j < middle) first = i;
        if (middle < i) last = j;
    }
}

static int widest_axis(const gz_refit *r, const int32_t *order, size_t count) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        const float *c = r->centers[order[i]];
        for (int k = 0; k < 3; k++) {
            low[k] = c[k] < low[k] ? c[k] : low[k];
            high[k] = c[k] > high[k] ? c[k] : high[k];
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

static void deal_node(graze_world *world, const gz_refit *r, int32_t node, int32_t *order);

/// Deals objects to the lanes [from, to) of a node: halves the lanes, and cuts the objects across
/// their longest side into as many as each half has leaves.
static void deal_lanes(graze_world *world, const gz_refit *r, int32_t index, int from, int to,
                       int32_t *order) {
    gz_node *node = &world->nodes[index];
    if (to - from == 1) {
        if (node->child[from] < 0)
            node->child[from] = ~order[0];
        else
            deal_node(world, r, node->child[from], order);
        return;
    }
    int middle = from + (to - from) / 2;
    size_t lower = 0, total = 0;
    for (int lane = from; lane < to; lane++) {
        total += leaves_of(r, node->child[lane]);
        if (lane < middle) lower = total;
    }
    select_lowest(r, order, total, lower, widest_axis(r, order, total));
    deal_lanes(world, r, index, from, middle, order);
    deal_lanes(world, r, index, middle, to, order + lower);
}

static void deal_node(graze_world *world, const gz_refit *r, int32_t node, int32_t *order) {
    deal_lanes(world, r, node, 0, world->nodes[node].count, order);
}

/// Deals the objects anew to the leaves of the tree, whose form stays: so nothing is allocated.
static void deal(graze_world *world, gz_refit *r) {
    for (size_t i = 0; i < world->object_count; i++) {
        const graze_aabb *box = &world->objects[i]->box;
        const double *low = GZ_ARRAY3(box->min), *high = GZ_ARRAY3(box->max);
        for (int k = 0; k < 3; k++) r->centers[i][k] = (float)(low[k] + high[k]);
        r->order[i] = (int32_t)i;
    }
    deal_node(world, r, 0, r->order);
    link_nodes(world, r);
}

void gz_world_refit(graze_world *world, gz_refit *r) {
    gz_extent extent = {0};
    for (size_t i = 0; i < world->object_count; i++) gz_extent_add(&extent, world->objects[i]);
    world->extent = extent;
    if (!world->node_count) return;
    double measure = fit(world, r);
    if (measure > WORSE * r->measure) {
        deal(world, r);
        r->measure = fit(world, r);
    } else if (!(measure > r->measure)) {
        r->measure = measure;
    }
}
