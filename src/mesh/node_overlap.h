/// Which children of a node may a box of the same frame overlap?
#ifndef GZ_MESH_NODE_OVERLAP_H
#define GZ_MESH_NODE_OVERLAP_H

#include "math/lanes.h"
#include "mesh/mesh.h"

/// Bit i for child i. `pad` covers all that the query box may be off, in each coordinate, and 2^-22
/// of the sizes involved for the rounding here.
static inline unsigned gz_node_overlap(const gz_node *node, const gz_box *box, float pad) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(box->center[k])));
        gz_f8 h = gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(box->half[k] + pad));
        apart = gz_f8_or(apart, gz_f8_greater(d, h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

#endif
