// A shape against a tree of points: included by one source file per instruction set, which defines
// POINT_KERNELS (the identifier of the function pointers) first. Everything is file-local.

#include "narrow/points/point_mesh.inl"
#include "narrow/points/point_pair.inl"

/// The tree as one child, where it is no more than a leaf.
static gz_node only_leaf(const gz_point_tree *tree) {
    gz_node node;
    gz_node_clear(&node);
    gz_node_add(&node, tree->box, tree->root);
    return node;
}

static void traverse(gz_point_pair *p) {
    const gz_point_tree *tree = p->query->tree;
    gz_node single;
    const gz_node *root = tree->nodes;
    if (tree->root < 0) {
        single = only_leaf(tree);
        root = &single;
    }
    if (p->mesh)
        visit_node(p, root, &p->mesh->root, 1);
    else
        visit_curved(p, root);
}

const gz_point_kernels POINT_KERNELS = {traverse, look_for_box, look_for_lowest};
