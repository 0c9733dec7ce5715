/// Which triangles of a shape hang together, and is each part closed?
#ifndef GZ_VERIFY_SURFACE_H
#define GZ_VERIFY_SURFACE_H

#include "verify/dump_reader.h"

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

#endif
