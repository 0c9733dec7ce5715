// The filter over eight configurations: included by one source file per instruction set, which
// defines LANE_FILTER (the identifier of the function pointer) first. Everything is file-local.

#include "check/lane_world.h"

static void filter_pairs(const gz_lane_model *m, uint32_t wanted, gz_lane_block *block) {
    block->pair_count = 0;
    for (size_t i = 0; i < m->pair_count; i++) {
        const gz_lane_pair *p = &m->pairs[i];
        gz_f8 d2 = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(load(block->centers[p->a][k]), load(block->centers[p->b][k]));
            d2 = multiply_add(d2, d, d);
        }
        uint32_t near = ~gz_f8_mask(gz_f8_greater(d2, gz_f8_all(p->reach * p->reach * 1.00001f)));
        near &= wanted;
        if (!near) continue;
        near = boxes_near(place_box(m, block, p->a), m->links[p->a].half, place_box(m, block, p->b),
                          m->links[p->b].half, p->pad, near);
        if (near) block->pairs[block->pair_count++] = (gz_lane_survivor){p->pair, (int32_t)i, near};
    }
}

static void filter(const gz_lane_model *m, const double *q, size_t q_size, size_t count,
                   double (*base)[12], gz_lane_block *block) {
    pose_bodies(m, q, q_size, count, base, block);
    place_spheres(m, block);
    uint32_t wanted = ((1u << count) - 1) & ~block->unfit;
    filter_pairs(m, wanted, block);
    filter_links(m, base[0], wanted, block);
}

const gz_lane_filter LANE_FILTER = filter;
