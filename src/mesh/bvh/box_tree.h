/// Bounding-volume trees over boxes: eight children a node, built by the surface-area heuristic, of
/// bounded depth, deterministic; and their traversal.
#ifndef GZ_MESH_BVH_BOX_TREE_H
#define GZ_MESH_BVH_BOX_TREE_H

#include "math/lanes.h"
#include "mesh/mesh.h"

/// Levels of nodes never exceed this, so that a traversal's stack has a fixed size.
#define GZ_TREE_DEPTH 40
/// Entries that a depth-first traversal's stack needs at most.
#define GZ_TREE_STACK (GZ_TREE_DEPTH * (GZ_WIDTH - 1) + 1)

/// A thing on its way into a tree: its box, in float, rounded outward.
typedef struct gz_tree_item {
    float low[3];
    uint32_t index;
    float high[3];
    uint32_t bins; ///< 0; used while building
} gz_tree_item;

/// A run of items that share a leaf.
typedef struct gz_tree_leaf {
    uint32_t first, count;
} gz_tree_leaf;

typedef struct gz_box_tree {
    gz_node *nodes; ///< parents before children; child < 0 is leaf ~child
    gz_box *node_boxes;
    size_t node_count;
    gz_tree_leaf *leaves;
    gz_box *leaf_boxes;
    size_t leaf_count;
    int32_t root; ///< 0, or ~0 where one leaf holds all
} gz_box_tree;

/// Builds a tree whose leaves hold up to leaf_size items (at most GZ_WIDTH); reorders the items so
/// that each leaf is a run. count > 0. False when out of memory. Cost: O(n log n).
bool gz_box_tree_build(gz_box_tree *out, gz_tree_item *items, size_t count, size_t leaf_size);
void gz_box_tree_free(gz_box_tree *tree);

/// Where leaves hold one item each: makes child < 0 mean item ~child, by the items' indices.
void gz_box_tree_name(gz_box_tree *tree, const gz_tree_item *items);

/// An item around [low, high], rounded outward.
gz_tree_item gz_tree_item_make(const double low[3], const double high[3], uint32_t index);

/// The box that contains [low, high]: half is rounded up so that center - half <= low and
/// high <= center + half hold as real numbers.
gz_box gz_box_make(const float low[3], const float high[3]);

/// The float nearest to x from below, and from above.
float gz_float_below(double x);
float gz_float_above(double x);

/// Makes a node with no child in use: boxes that overlap nothing.
void gz_node_clear(gz_node *node);
void gz_node_add(gz_node *node, gz_box box, int32_t child);

/// The box of one child.
static inline gz_box gz_node_box(const gz_node *node, int lane) {
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = node->center[k][lane];
        box.half[k] = node->half[k][lane];
    }
    return box;
}

/// The box of a node or packet of a mesh, named as by gz_node.child.
static inline const gz_box *gz_mesh_tree_box(const graze_mesh *mesh, int32_t reference) {
    return reference >= 0 ? &mesh->node_boxes[reference] : &mesh->packet_boxes[~reference];
}

/// A measure of a box: the sum of its half extents.
static inline float gz_box_size(const gz_box *box) {
    return box->half[0] + box->half[1] + box->half[2];
}

/// Builds nodes, packets and the component tree of a mesh whose vertices, triangles and components
/// are set. Returns false when out of memory. Cost: O(n log n).
bool gz_tree_build(graze_mesh *mesh);

/// The children of a node that a box of the same frame may overlap, a bit each. `pad` covers the
/// errors of the box's coordinates, and 2^-22 of the sizes involved for the rounding here.
static inline unsigned gz_node_overlap(const gz_node *node, const gz_box *box, float pad) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(box->center[k])));
        gz_f8 h = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(box->half[k] + pad));
        apart = gz_f8_or(apart, gz_f8_greater(d, h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

/// A depth-first traversal: the references, as gz_node.child, that are still to be visited.
typedef struct gz_traversal {
    int top;
    int32_t stack[GZ_TREE_STACK];
} gz_traversal;

static inline void gz_traversal_start(gz_traversal *t, int32_t root) {
    t->stack[0] = root;
    t->top = 1;
}

/// Takes the reference to visit next; false at the end.
static inline bool gz_traversal_next(gz_traversal *t, int32_t *reference) {
    if (t->top == 0) return false;
    *reference = t->stack[--t->top];
    return true;
}

static inline void gz_traversal_push(gz_traversal *t, int32_t reference) {
    t->stack[t->top++] = reference;
}

/// Pushes some children of a node, a bit each.
static inline void gz_traversal_add(gz_traversal *t, const gz_node *node, unsigned children) {
    for (; children; children &= children - 1)
        gz_traversal_push(t, node->child[__builtin_ctz(children)]);
}

/// Goes on to the next leaf that a box may overlap, as gz_node_overlap(); false at the end.
static inline bool gz_traversal_next_in_box(gz_traversal *t, const gz_node *nodes,
                                            const gz_box *box, float pad, int32_t *leaf) {
    for (int32_t reference; gz_traversal_next(t, &reference);) {
        *leaf = ~reference;
        if (reference < 0) return true;
        gz_traversal_add(t, &nodes[reference], gz_node_overlap(&nodes[reference], box, pad));
    }
    return false;
}

#endif
