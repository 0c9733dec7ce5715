/// Which triangles of a shape hang together, and is each part closed?
#ifndef GZ_VERIFY_POSED_SHAPE_H
#define GZ_VERIFY_POSED_SHAPE_H

#include "verify/dump_reader.h"
#include "verify/exact.h"

/// Triangles that hang together through shared vertices. Vertices at equal coordinates are one.
typedef struct gz_surface_part {
    bool closed;       ///< along every edge as many triangles run one way as the other
    uint32_t triangle; ///< its lowest triangle
    uint32_t triangle_count;
    uint32_t vertex; ///< some vertex of it
} gz_surface_part;

/// An edge along which the directions of a part's triangles do not cancel.
typedef struct gz_surface_edge {
    uint32_t part, low, high; ///< vertices low < high, the lowest of equal ones
    int32_t net;              ///< triangles that run from low to high, less those that run back
} gz_surface_edge;

typedef struct gz_surface {
    uint32_t *part_of;      ///< of each triangle
    gz_surface_part *parts; ///< in the order of their lowest triangles
    size_t part_count;
    gz_surface_edge *open_edges; ///< by part, low and high
    size_t open_edge_count;
} gz_surface;

/// Finds the parts of an element's triangles. False when memory is out. Free it also then.
bool gz_surface_make(gz_surface *surface, const gz_dump_element *element);
void gz_surface_free(gz_surface *surface);

/// What closes open parts for the question of containment under the policy `cap` (docs/solids.md):
/// over each connected piece of a part's boundary the cone from the mean of its edges' starting
/// points. Built anew here, from the definition.

/// An apex and an edge, against the direction that the part has too much of.
typedef struct gz_verify_cap_triangle {
    uint32_t apex;     ///< into the apexes
    uint32_t from, to; ///< vertices of the element
    int32_t weight;    ///< how often it counts
} gz_verify_cap_triangle;

typedef struct gz_verify_caps {
    double (*apexes)[3]; ///< in the part's frame
    double (*posed)[3];  ///< snapped; the caller's to fill
    size_t apex_count;
    gz_verify_cap_triangle *triangles;
    size_t triangle_count;
} gz_verify_caps;

/// Whether a part has lids: it is open, and more than one triangle alone.
bool gz_verify_is_capped(const gz_surface_part *part);
/// False when memory is out. Free them also then.
bool gz_verify_caps_make(gz_verify_caps *lids, const gz_dump_element *element,
                         const gz_surface *surface);
void gz_verify_caps_free(gz_verify_caps *lids);

/// One shape at a pose: its snapped points, and a tree of boxes over its items. An item is what
/// exact questions are asked about: a triangle, a ball, the solid around an axis.
///
/// Boxes are compared in doubles as they stand; where a radius or a reach is added they are rounded
/// outward. So the tree leaves out only what is surely apart.

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
