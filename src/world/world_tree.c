#include "base/memory.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "world/world.h"

bool gz_entry_tree_build(gz_entry_tree *out, const gz_entry *entries, size_t count) {
    *out = (gz_entry_tree){.root = ~0};
    if (count < 2) return true;
    gz_tree_item *items = gz_malloc(count, sizeof *items);
    if (!items) return false;
    for (size_t i = 0; i < count; i++) {
        const graze_aabb *box = &entries[i].box;
        items[i] = gz_tree_item_make(GZ_ARRAY3(box->min), GZ_ARRAY3(box->max), (uint32_t)i);
    }
    gz_box_tree tree;
    bool ok = gz_box_tree_build(&tree, items, count, 1);
    if (ok) {
        gz_box_tree_name(&tree, items);
        *out = (gz_entry_tree){tree.nodes, tree.node_count, tree.root};
        tree.nodes = NULL;
        gz_box_tree_free(&tree);
    }
    gz_free(items);
    return ok;
}
