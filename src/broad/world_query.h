/// The objects of a world that an axis-aligned box may overlap.
#ifndef GZ_BROAD_WORLD_QUERY_H
#define GZ_BROAD_WORLD_QUERY_H

#include "base/memory.h"
#include "math/lanes.h"
#include "math/rounding.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "world/world.h"

/// An axis-aligned box as a query, and in float, grown by the rounding.
typedef struct gz_world_question {
    gz_box box;
    float pad[3];
    const double *low, *high;
} gz_world_question;

static inline gz_world_question gz_world_question_make(const double low[3], const double high[3]) {
    gz_world_question q = {.low = low, .high = high};
    for (int k = 0; k < 3; k++) {
        double center = 0.5 * low[k] + 0.5 * high[k], half = 0.5 * (high[k] - low[k]);
        double size = center < 0 ? half - center : half + center;
        q.box.center[k] = (float)center;
        q.box.half[k] = (float)half;
        q.pad[k] = (float)(0x1p-21 * size + 1e-30);
    }
    return q;
}

/// Lanes whose boxes the query may overlap. |d| and the sum of halves are off by at most 2^-24 of
/// their sizes each; the query box is rounded outward by the caller's arithmetic and grown by that.
static inline unsigned gz_world_node_overlap(const gz_node *node, const gz_world_question *q) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_load(node->center[k]), half = gz_f8_load(node->half[k]);
        gz_f8 d = gz_f8_abs(gz_f8_sub(c, gz_f8_all(q->box.center[k])));
        gz_f8 slack = gz_f8_mul(gz_f8_add(gz_f8_abs(c), half), gz_f8_all(0x1p-21f));
        gz_f8 h = gz_f8_add(gz_f8_add(half, slack), gz_f8_all(q->box.half[k] + q->pad[k]));
        apart = gz_f8_or(apart, gz_f8_greater(d, h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

static inline bool gz_object_overlaps(const gz_object *object, const gz_world_question *q) {
    const double *min = GZ_ARRAY3(object->box.min), *max = GZ_ARRAY3(object->box.max);
    for (int k = 0; k < 3; k++)
        if (min[k] > q->high[k] || max[k] < q->low[k]) return false;
    return true;
}

/// Writes the objects whose boxes overlap [low, high] (world frame, closed), in no particular
/// order; returns how many. `out` has room for world->object_count. Tests boxes rounded outward, so
/// no object that overlaps is left out. `stack` has room for 7 references per node of the world,
/// and 8.
size_t gz_world_query(const graze_world *world, const double low[3], const double high[3],
                      int32_t *out, int32_t *stack, uint64_t *node_tests);

/// Worlds of fewer objects have none: their trees are as small.
#define GZ_VICINITY_LEAST 65
/// Most nodes that are held.
#define GZ_LOCAL_TREE_NODES 256

/// The part of a world's tree that is near one place, so that queries there need not descend from
/// the root of a large world.
typedef struct gz_local_tree {
    const graze_world *world; ///< outlives this
    double low[3], high[3];   ///< what overlaps this box is held
    bool aimed;               ///< the box is set
    bool holds;               ///< all of it is: it was not too much
    int32_t roots[2];         ///< as children: of the world's tree, and of a version's own
    int root_count;           ///< 0: nothing is there
    int32_t node_count;
    gz_node nodes[GZ_LOCAL_TREE_NODES]; ///< children below 0: ~object
} gz_local_tree;

/// *out is NULL for small worlds. False when out of memory.
bool gz_local_tree_create(gz_local_tree **out, const graze_world *world);
/// The same in somebody else's memory, which is all that frees it: as gz_arena_array(), so NULL is
/// written until there is memory.
void gz_local_tree_place(gz_local_tree **out, const graze_world *world, gz_arena *arena);
void gz_local_tree_free(gz_local_tree *v);

/// Copies what is within `radius` of a place, and somewhat farther: places near each other have
/// one box, which does not depend on earlier calls. Costs nothing where it is that of the
/// last call.
void gz_local_tree_aim(gz_local_tree *v, const double place[3], double radius);

/// Whether all that overlaps the box [low, high] is held.
static inline bool gz_local_tree_covers(const gz_local_tree *v, const double low[3],
                                        const double high[3]) {
    if (!v->holds) return false;
    for (int k = 0; k < 3; k++)
        if (!(low[k] >= v->low[k] && high[k] <= v->high[k])) return false;
    return true;
}

/// As gz_world_query(), of a box that is covered.
size_t gz_local_tree_query(const gz_local_tree *v, const double low[3], const double high[3],
                           int32_t *out, uint64_t *node_tests);

/// As gz_world_query(), from what is held near a place where that covers the box. `v` may be
/// NULL; place and radius as of gz_local_tree_aim().
size_t gz_world_query_near(gz_local_tree *v, const double place[3], double radius,
                           const graze_world *world, const double low[3], const double high[3],
                           int32_t *out, int32_t *stack, uint64_t *node_tests);

/// Whether a ball may come near the box of some object; true also where it is not covered. `radius`
/// is the ball's radius and all that its centre, in the world's frame, may be off. Where the ball
/// touches the box, the distance d of their centres along an axis is at most half + radius, with
/// half what it was before gz_box_make() took the float above it. Rounding d adds 2^-24 d, and
/// 2^-24 half is no more than that one float: so d - half is radius (1 + 2^-23) at most, and
/// squares and sums round by 2^-24 of themselves.
static inline bool gz_local_tree_near(const gz_local_tree *v, const float center[3], float radius) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = (double)center[k] - (double)radius;
        high[k] = (double)center[k] + (double)radius;
    }
    if (!gz_local_tree_covers(v, low, high)) return true;
    int32_t stack[GZ_TREE_STACK + 1];
    int top = 0;
    for (int i = 0; i < v->root_count; i++) stack[top++] = v->roots[i];
    gz_f8 most = gz_f8_all(radius * radius * GZ_ROUND_UP), none = gz_f8_all(0);
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) return true;
        const gz_node *node = &v->nodes[reference];
        gz_f8 sum = none;
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(center[k]));
            d = gz_f8_max(gz_f8_sub(gz_f8_abs(d), gz_f8_load(node->half[k])), none);
            sum = gz_f8_muladd(d, d, sum);
        }
        unsigned near = ~gz_f8_mask(gz_f8_greater(sum, most)) & ((1u << node->count) - 1);
        for (; near; near &= near - 1) {
            stack[top] = node->child[__builtin_ctz(near)];
            if (stack[top++] < 0) return true;
        }
    }
    return false;
}

#endif
