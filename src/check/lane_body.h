// The filter over eight configurations: included by one source file per instruction set, which
// defines LANE_FILTER (the identifier of the function pointer) first. Everything is file-local.

#include "check/lane_world.h"

/// Bit 8 k + i: the spheres of pair first + k may touch in lane i. A squared distance rounds by 6
/// u, fused or not, which the slack in `apart2` covers (fill_pairs).
static uint64_t spheres_near(const gz_lane_pair *first, const gz_lane_block *block) {
    const float *centers = block->centers[0][0];
    uint64_t apart = 0;
    for (size_t k = 0; k < GZ_LANES; k++) {
        const float *a = centers + first[k].center_a, *b = centers + first[k].center_b;
        gz_f8 x = gz_f8_sub(load(a), load(b)),
              y = gz_f8_sub(load(a + GZ_LANES), load(b + GZ_LANES)),
              z = gz_f8_sub(load(a + 2 * GZ_LANES), load(b + 2 * GZ_LANES));
        gz_f8 d2 = gz_f8_muladd(z, z, gz_f8_muladd(y, y, gz_f8_mul(x, x)));
        apart |= (uint64_t)gz_f8_mask(gz_f8_greater(d2, gz_f8_all(first[k].apart2))) << 8 * k;
    }
    return ~apart;
}

/// Writes down the items (see items_near) of a pair whose spheres may touch in some lanes; returns
/// how many there are now.
static inline size_t add_items(const gz_lane_model *m, size_t pair, uint32_t lanes,
                               gz_lane_block *block, size_t count) {
    lanes &= ~ball_apart(m, block, &m->pairs[pair]);
    for (; lanes; lanes &= lanes - 1)
        block->items[count++] = (uint32_t)(GZ_LANES * pair) + (uint32_t)__builtin_ctz(lanes);
    return count;
}

/// Fills up the last eight items with the last one, which changes nothing.
static size_t end_items(gz_lane_block *block, size_t count) {
    for (size_t k = count; count && k % GZ_LANES; k++) block->items[k] = block->items[count - 1];
    return count;
}

/// Writes down the items, in order, that spheres leave in the wanted lanes; the pairs come in whole
/// eights.
static size_t list_items(const gz_lane_model *m, uint32_t wanted, gz_lane_block *block) {
    size_t n = 0;
    for (size_t i = 0; i < m->pair_count; i += GZ_LANES) {
        uint64_t near = spheres_near(&m->pairs[i], block) & wanted * 0x0101010101010101u;
        while (near) {
            uint32_t k = (uint32_t)__builtin_ctzll(near) / GZ_LANES, first = GZ_LANES * k;
            n = add_items(m, i + k, (uint32_t)(near >> first) & 0xff, block, n);
            near &= ~((uint64_t)0xff << first);
        }
    }
    return end_items(block, n);
}

/// The same, of the pairs that the tree over the links leaves in any of the lanes; of all where
/// links pile up.
static size_t list_found(const gz_lane_model *m, uint32_t wanted, gz_lane_block *block) {
    const float *centers = block->centers[0][0];
    gz_link_search_begin(block->search);
    for (uint32_t lanes = wanted; lanes; lanes &= lanes - 1) {
        const float *own = centers + __builtin_ctz(lanes);
        if (!gz_link_tree_find_balls(m->tree, block->search, own, own + GZ_LANES,
                                     own + 2 * GZ_LANES, 3 * GZ_LANES, m->radii))
            return list_items(m, wanted, block);
    }
    size_t n = 0;
    for (int32_t pair; (pair = gz_link_search_next(block->search)) >= 0;) {
        size_t i = (size_t)pair - gz_link_tree_fixed_before(m->tree, (size_t)pair);
        const gz_lane_pair *p = &m->pairs[i];
        gz_f8 d2 = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(load(centers + p->center_a + k * GZ_LANES),
                                load(centers + p->center_b + k * GZ_LANES));
            d2 = gz_f8_muladd(d, d, d2);
        }
        uint32_t near = ~gz_f8_mask(gz_f8_greater(d2, gz_f8_all(p->apart2))) & wanted;
        if (near) n = add_items(m, i, near, block, n);
    }
    return end_items(block, n);
}

static void filter_pairs(const gz_lane_model *m, uint32_t wanted, gz_lane_block *block) {
    size_t items = m->tree ? list_found(m, wanted, block) : list_items(m, wanted, block);
    gz_lane_survivor *last = NULL;
    block->pair_count = 0;
    for (size_t first = 0; first < items; first += GZ_LANES) {
        unsigned near = items_near(m, block, block->items + first);
        for (; near; near &= near - 1) {
            uint32_t item = block->items[first + (size_t)__builtin_ctz(near)];
            int32_t own = (int32_t)(item / GZ_LANES);
            if (!last || last->own != own) {
                last = &block->pairs[block->pair_count++];
                *last = (gz_lane_survivor){m->pairs[own].pair, own, 0};
            }
            last->lanes |= 1u << item % GZ_LANES;
        }
    }
}

static void filter(const gz_lane_model *m, const double *q, size_t q_size, size_t count,
                   double (*base)[12], gz_lane_block *block) {
    pose_bodies(m, q, q_size, count, base, block);
    place_spheres(m, block);
    uint32_t wanted = ((1u << count) - 1) & ~block->unfit;
    filter_pairs(m, wanted, block);
    filter_links(m, base[0], wanted, block);
    block->left = 0;
    for (size_t i = 0; i < block->pair_count; i++) block->left |= block->pairs[i].lanes;
    for (size_t i = 0; i < block->touch_count; i++) block->left |= block->touches[i].lanes;
}

const gz_lane_filter LANE_FILTER = filter;
