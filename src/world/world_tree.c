#include "base/memory.h"
#include "math/transform.h"
#include "mesh/box_tree.h"
#include "world/world.h"

graze_status gz_world_tree_build(graze_world *world, graze_error *error) {
    world->root = ~0;
    if (world->entry_count < 2) return GRAZE_OK;
    gz_tree_item *items = gz_malloc(world->entry_count, sizeof *items);
    if (!items) return gz_fail_memory(error);
    for (size_t i = 0; i < world->entry_count; i++) {
        const graze_aabb *box = &world->entries[i].box;
        items[i] = gz_tree_item_make(GZ_ARRAY3(box->min), GZ_ARRAY3(box->max), (uint32_t)i);
    }
    gz_box_tree tree;
    bool ok = gz_box_tree_build(&tree, items, world->entry_count, 1);
    if (ok) {
        gz_box_tree_name(&tree, items);
        world->root = tree.root;
        world->nodes = tree.nodes;
        world->node_count = tree.node_count;
        tree.nodes = NULL;
        gz_box_tree_free(&tree);
    }
    gz_free(items);
    return ok ? GRAZE_OK : gz_fail_memory(error);
}
