/// Where do the nodes of a Collada file place their geometry?
#ifndef GZ_LOAD_COLLADA_PLACING_H
#define GZ_LOAD_COLLADA_PLACING_H

#include "load/collada.h"
#include "load/mesh_node.h"

/// Lists the nodes of the scene that hold geometry, of a document that gz_collada_check() has found
/// to be valid: without cycles, within the limits, every transform with its numbers.
graze_status gz_collada_place_nodes(gz_mesh_nodes *nodes, const gz_mesh_input *input,
                                    graze_error *error);

#endif
