/// Where do the nodes of a Collada file place their geometry?
#ifndef GZ_LOAD_COLLADA_PLACING_H
#define GZ_LOAD_COLLADA_PLACING_H

#include "load/mesh/affine.h"
#include "load/mesh/collada.h"

/// Told of a node that holds geometry, and where it places it.
typedef graze_status gz_collada_visit(void *user, const gz_xml_element *node,
                                      const gz_affine *place);

/// Visits the nodes of the scene that hold geometry, instances of nodes
/// followed, in the order of the file, each node before those below it; ends at
/// the first error. The document has been judged: without cycles, within the
/// limits, every transform with its numbers.
graze_status gz_collada_walk(gz_collada *c, const gz_affine *first, gz_collada_visit *visit,
                             void *user);
/// Lists them.
graze_status gz_collada_list_nodes(gz_collada *c, gz_mesh_nodes *nodes);

#endif
