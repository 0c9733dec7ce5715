// The batch loops of signed distance, over lanes of pairs (pair_lanes.h; of polygons:
// polygon_lanes.h); included by distance_base.c and its twins with DISTANCE_NAME and
// DISTANCE_KERNELS defined.

#include "planar/distance/pair_lanes.h"
#include "planar/kernels.h"

#include "planar/distance/distance_kernels.inl"

// Roots and divisions take longest, and each waits for what is before it. So a step takes the root
// of the pairs before while it works on its own: two short chains instead of a long one, of which
// the processor keeps more under way.
ALWAYS void loop_run(const gz_distance_block *block, pair_function *pair, bool is_signed) {
    row_set in;
    row_set_fill(&in, block->a, block->b);
    double *out = block->distances;
    size_t last = block->count - GZ_D_LANES;
    rooted now = pair(&in, 0, 0);
    for (size_t i = 0; i < last; i += GZ_D_LANES) {
        rooted next = pair(&in, i + GZ_D_LANES, i + GZ_D_LANES);
        gz_d_store(out + i, rooted_value(now, is_signed));
        now = next;
    }
    gz_d_store(out + last, rooted_value(now, is_signed));
}

#define DISTANCE_LOOP(name, pair, is_signed)                                                       \
    static void name(const gz_distance_block *block) {                                             \
        loop_run(block, pair, is_signed);                                                          \
    }

DISTANCE_LOOP(circle_circle, disks, false)
DISTANCE_LOOP(circle_capsule, disk_capsule, false)
DISTANCE_LOOP(circle_rectangle, disk_rectangle, false)
DISTANCE_LOOP(capsule_capsule, two_capsules, true)
DISTANCE_LOOP(rectangle_rectangle, two_rectangles, false)

const gz_distance_kernels DISTANCE_KERNELS = {
    .name = DISTANCE_NAME,
    .loops = {[GRAZE_PLANAR_CIRCLE] = {circle_circle, circle_capsule, circle_rectangle, NULL},
              [GRAZE_PLANAR_CAPSULE] = {NULL, capsule_capsule, NULL, NULL},
              [GRAZE_PLANAR_RECTANGLE] = {NULL, NULL, rectangle_rectangle, NULL},
              [GRAZE_PLANAR_POLYGON] = {NULL, NULL, NULL, polygon_polygon}}};
