#include "broad/world_query.h"

#include "math/lanes.h"
#include "math/transform.h"
#include "mesh/box_tree.h"

static bool overlaps(const gz_entry *entry, const double low[3], const double high[3]) {
    const double *min = GZ_ARRAY3(entry->box.min), *max = GZ_ARRAY3(entry->box.max);
    for (int k = 0; k < 3; k++)
        if (min[k] > high[k] || max[k] < low[k]) return false;
    return true;
}

/// Lanes whose boxes the query may overlap. |d| and the sum of halves are off by at most 2^-24 of
/// their sizes each; the query box is rounded outward by the caller's arithmetic and grown by that.
static unsigned overlap_mask(const gz_node *node, const gz_box *box, const float pad[3]) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_load(node->center[k]), half = gz_f8_load(node->half[k]);
        gz_f8 d = gz_f8_abs(gz_f8_sub(c, gz_f8_all(box->center[k])));
        gz_f8 slack = gz_f8_mul(gz_f8_add(gz_f8_abs(c), half), gz_f8_all(0x1p-21f));
        gz_f8 h = gz_f8_add(gz_f8_add(half, slack), gz_f8_all(box->half[k] + pad[k]));
        apart = gz_f8_or(apart, gz_f8_greater(d, h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

size_t gz_world_query(const graze_world *world, const double low[3], const double high[3],
                      int32_t *out, int32_t *stack, uint64_t *node_tests) {
    if (!world->entry_count) return 0;
    gz_box box;
    float pad[3];
    for (int k = 0; k < 3; k++) {
        double center = 0.5 * low[k] + 0.5 * high[k], half = 0.5 * (high[k] - low[k]);
        double size = center < 0 ? half - center : half + center;
        box.center[k] = (float)center;
        box.half[k] = (float)half;
        pad[k] = (float)(0x1p-21 * size + 1e-30);
    }
    size_t count = 0, top = 0;
    stack[top++] = world->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (overlaps(&world->entries[~reference], low, high)) out[count++] = ~reference;
            continue;
        }
        const gz_node *node = &world->nodes[reference];
        ++*node_tests;
        for (unsigned mask = overlap_mask(node, &box, pad); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return count;
}
