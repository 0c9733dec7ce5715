/// One shape at a pose: its snapped points, and a tree of boxes over its items. An item is what
/// exact questions are asked about: a triangle, a ball, the solid around an axis.
///
/// Boxes are compared in doubles as they stand; where a radius or a reach is added they are rounded
/// outward. So the tree leaves out only what is surely apart.
#ifndef GZ_VERIFY_POSED_SHAPE_H
#define GZ_VERIFY_POSED_SHAPE_H

#include "verify/dump_reader.h"
#include "verify/exact.h"
#include "verify/posed_shape.h"

/// A closed axis-aligned box.
typedef struct gz_extent {
    double low[3], high[3];
} gz_extent;

/// A node of the tree: items order[first] to order[first + count - 1]; leaves have no children.
typedef struct gz_posed_node {
    gz_extent box;
    uint32_t first, count;
    uint32_t right; ///< the left child comes next in the array; 0: a leaf
} gz_posed_node;

typedef struct gz_posed_shape {
    const gz_dump_element *source;
    gz_surface surface;  ///< of boxes and meshes
    gz_verify_caps lids; ///< under the policy cap
    size_t item_count;
    double (*points)[3]; ///< snapped
    gz_extent box;       ///< of all items
    gz_posed_node *nodes;
    size_t node_count;
    uint32_t *order;
    bool fitted; ///< the nodes' boxes are those of this pose
} gz_posed_shape;

/// Makes a shape; with lids where `cap` is set. False when memory is out. Free it also then.
bool gz_posed_shape_make(gz_posed_shape *shape, const gz_dump_element *element, bool cap);
/// Whether it is a box or a mesh.
bool gz_posed_has_triangles(const gz_posed_shape *shape);
void gz_posed_shape_free(gz_posed_shape *shape);

/// w = fl(R v + t) of one point, by the rule of the contract: each row summed from left to right,
/// coordinates of magnitude below 2^-100 set to zero.
void gz_posed_snap(const double pose[12], const double v[3], double w[3]);
/// Snaps all points. False when a coordinate leaves the contract's range of 2^20 m.
bool gz_posed_shape_place(gz_posed_shape *shape, const double pose[12]);
/// The item as exact arithmetic takes it; its radius and its box.
void gz_posed_item(const gz_posed_shape *shape, size_t item, gz_simplex *simplex);
double gz_posed_radius(const gz_posed_shape *shape);
void gz_posed_item_box(const gz_posed_shape *shape, size_t item, gz_extent *box);

bool gz_extents_overlap(const gz_extent *a, const gz_extent *b);
/// A box grown by a length, rounded outward.
gz_extent gz_extent_grown(const gz_extent *box, double by);

#define GZ_POSED_STACK 96
/// Which items have boxes that overlap a box, one at a time, in no order.
typedef struct gz_posed_search {
    const gz_posed_shape *shape;
    gz_extent box;
    uint32_t stack[GZ_POSED_STACK];
    int top;
    uint32_t item, end; ///< of the leaf that is being looked at
} gz_posed_search;

void gz_posed_search_begin(gz_posed_search *search, gz_posed_shape *shape, const gz_extent *box);
bool gz_posed_search_next(gz_posed_search *search, size_t *item);

#endif
