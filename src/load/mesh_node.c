#include "load/mesh/mesh_input.h"

#include <string.h>

#include "base/memory.h"

bool gz_mesh_nodes_add(gz_mesh_nodes *nodes, const char *name, const gz_affine *place,
                       size_t geometry_count) {
    char *copy = gz_string_copy(name ? name : "");
    if (!copy || !gz_array_reserve((void **)&nodes->items, &nodes->capacity, nodes->count + 1,
                                   sizeof *nodes->items)) {
        gz_free(copy);
        return false;
    }
    graze_mesh_node *node = &nodes->items[nodes->count++];
    *node = (graze_mesh_node){.name = copy, .known = place, .geometry_count = geometry_count};
    if (place) memcpy(node->transform, place->m, sizeof node->transform);
    return true;
}

void gz_mesh_nodes_free(gz_mesh_nodes *nodes) {
    for (size_t i = 0; i < nodes->count; i++) gz_free((void *)(uintptr_t)nodes->items[i].name);
    gz_free(nodes->items);
    *nodes = (gz_mesh_nodes){0};
}
