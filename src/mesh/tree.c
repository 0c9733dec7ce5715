#include "mesh/bvh/box_tree.h"

#include <string.h>

#include "base/memory.h"
#include "math/transform.h"

// Comparisons rather than fmin() and fmax(), which are calls: no vertex is NaN.
static void make_items(const graze_mesh *mesh, gz_tree_item *items) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *v[3];
        double low[3], high[3];
        for (size_t c = 0; c < 3; c++)
            v[c] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
        for (int k = 0; k < 3; k++) {
            double a = v[0][k], b = v[1][k], c = v[2][k];
            double least = a < b ? a : b, most = a > b ? a : b;
            low[k] = c < least ? c : least;
            high[k] = c > most ? c : most;
        }
        items[t] = gz_tree_item_make(low, high, (uint32_t)t);
    }
}

static void fill_packet(const graze_mesh *mesh, const gz_tree_item *items, size_t count,
                        gz_packet *packet) {
    packet->count = (int32_t)count;
    for (size_t lane = 0; lane < GZ_WIDTH; lane++) {
        uint32_t t = items[lane < count ? lane : 0].index;
        packet->triangle[lane] = t;
        for (size_t corner = 0; corner < 3; corner++) {
            const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)t + corner];
            for (int k = 0; k < 3; k++) packet->vertex[corner][k][lane] = (float)v[k];
        }
    }
}

/// A copy of an array in memory that is aligned and no larger than needed.
static void *pack(const void *array, size_t count, size_t size) {
    void *out = gz_malloc_aligned(count, size);
    gz_memory_populate(out, count, size);
    if (out && count) memcpy(out, array, count * size);
    return out;
}

static bool build_triangle_tree(graze_mesh *mesh) {
    size_t n = mesh->triangle_count;
    gz_tree_item *items = gz_malloc(n, sizeof *items);
    gz_box_tree tree = {0};
    bool ok = items != NULL;
    gz_memory_populate(items, n, sizeof *items);
    if (ok) make_items(mesh, items);
    ok = ok && gz_box_tree_build(&tree, items, n, GZ_WIDTH);
    if (ok) {
        mesh->packets = gz_malloc_aligned(tree.leaf_count, sizeof *mesh->packets);
        gz_memory_populate(mesh->packets, tree.leaf_count, sizeof *mesh->packets);
        mesh->packet_boxes = pack(tree.leaf_boxes, tree.leaf_count, sizeof *tree.leaf_boxes);
        mesh->nodes = pack(tree.nodes, tree.node_count, sizeof *tree.nodes);
        mesh->node_boxes = pack(tree.node_boxes, tree.node_count, sizeof *tree.node_boxes);
        ok = mesh->packets && mesh->packet_boxes && mesh->nodes && mesh->node_boxes;
    }
    for (size_t i = 0; ok && i < tree.leaf_count; i++)
        fill_packet(mesh, items + tree.leaves[i].first, tree.leaves[i].count, &mesh->packets[i]);
    mesh->packet_count = ok ? tree.leaf_count : 0;
    mesh->node_count = ok ? tree.node_count : 0;
    mesh->root = tree.root;
    gz_box_tree_free(&tree);
    gz_free(items);
    return ok;
}

static bool build_component_tree(graze_mesh *mesh) {
    size_t n = mesh->component_count;
    gz_tree_item *items = gz_malloc(n, sizeof *items);
    gz_box_tree tree = {0};
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const graze_aabb *box = &mesh->components[i].box;
        items[i] = gz_tree_item_make(GZ_ARRAY3(box->min), GZ_ARRAY3(box->max), (uint32_t)i);
    }
    ok = ok && gz_box_tree_build(&tree, items, n, 1);
    if (ok) {
        gz_box_tree_name(&tree, items);
        mesh->component_nodes = pack(tree.nodes, tree.node_count, sizeof *tree.nodes);
        ok = mesh->component_nodes != NULL;
        mesh->component_node_count = tree.node_count;
        mesh->component_root = tree.root;
    }
    gz_box_tree_free(&tree);
    gz_free(items);
    return ok;
}

bool gz_tree_build(graze_mesh *mesh) {
    return build_triangle_tree(mesh) && build_component_tree(mesh);
}
