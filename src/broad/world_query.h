/// Which entries of the world may an axis-aligned box touch?
#ifndef GZ_BROAD_WORLD_QUERY_H
#define GZ_BROAD_WORLD_QUERY_H

#include "math/lanes.h"
#include "math/transform.h"
#include "mesh/bvh/box_tree.h"
#include "world/world.h"

/// An axis-aligned box that is asked about, and in float, grown by what that rounds.
typedef struct gz_world_question {
    gz_box box;
    float pad[3];
    const double *low, *high;
} gz_world_question;

static inline gz_world_question gz_world_question_make(const double low[3], const double high[3]) {
    gz_world_question q = {.low = low, .high = high};
    for (int k = 0; k < 3; k++) {
        double center = 0.5 * low[k] + 0.5 * high[k], half = 0.5 * (high[k] - low[k]);
        double size = center < 0 ? half - center : half + center;
        q.box.center[k] = (float)center;
        q.box.half[k] = (float)half;
        q.pad[k] = (float)(0x1p-21 * size + 1e-30);
    }
    return q;
}

/// Lanes whose boxes the query may overlap. |d| and the sum of halves are off by at most 2^-24 of
/// their sizes each; the query box is rounded outward by the caller's arithmetic and grown by that.
static inline unsigned gz_world_node_overlap(const gz_node *node, const gz_world_question *q) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_load(node->center[k]), half = gz_f8_load(node->half[k]);
        gz_f8 d = gz_f8_abs(gz_f8_sub(c, gz_f8_all(q->box.center[k])));
        gz_f8 slack = gz_f8_mul(gz_f8_add(gz_f8_abs(c), half), gz_f8_all(0x1p-21f));
        gz_f8 h = gz_f8_add(gz_f8_add(half, slack), gz_f8_all(q->box.half[k] + q->pad[k]));
        apart = gz_f8_or(apart, gz_f8_greater(d, h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

static inline bool gz_entry_overlaps(const gz_entry *entry, const gz_world_question *q) {
    const double *min = GZ_ARRAY3(entry->box.min), *max = GZ_ARRAY3(entry->box.max);
    for (int k = 0; k < 3; k++)
        if (min[k] > q->high[k] || max[k] < q->low[k]) return false;
    return true;
}

/// Writes the entries whose boxes overlap [low, high] (world frame, closed), in no particular
/// order; returns how many. `out` has room for world->entry_count. Tests boxes rounded outward, so
/// no entry that overlaps is left out. `stack` has room for 7 references per node of the world,
/// and 8.
size_t gz_world_query(const graze_world *world, const double low[3], const double high[3],
                      int32_t *out, int32_t *stack, uint64_t *node_tests);

#endif
