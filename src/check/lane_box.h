/// Oriented boxes of eight configurations; file-local parts of lane_body.h.
#ifndef GZ_CHECK_LANE_BOX_H
#define GZ_CHECK_LANE_BOX_H

#include "check/lane_pose.h"

static void make_box(const gz_lane_model *m, gz_lane_block *block, int32_t index) {
    const gz_lane_link *l = &m->links[index];
    float(*pose)[GZ_LANES] = block->poses[l->body], (*out)[GZ_LANES] = block->boxes[index];
    for (int k = 0; k < 3; k++) rotate(pose, l->axis[k], out + 3 * k);
    place_point(pose, l->box_center, out + 9);
    block->box_ready[index] = 1;
}

/// Axes (rows 0 to 8: axis k, coordinate i at 3 k + i) and centre (9 to 11) of a link's box.
static inline float (*place_box(const gz_lane_model *m, gz_lane_block *block,
                                int32_t index))[GZ_LANES] {
    if (!block->box_ready[index]) make_box(m, block, index);
    return block->boxes[index];
}

/// Lanes of `wanted` in which two posed boxes may not be apart: by 15 axes, each beyond the pad.
/// The pad covers four times all that either box may be off, so the rounding of the sums here too,
/// fused or not (see make_link), and what the axes of the first, `a`, are off the orthonormal ones
/// times the size of the second (gz_pair_pads_make()). Where the lanes are one pair's, the first
/// axes often decide all.
static inline unsigned near_boxes(float (*a)[GZ_LANES], const gz_f8 half_a[3], float (*b)[GZ_LANES],
                                  const gz_f8 half_b[3], gz_f8 pads, unsigned wanted,
                                  bool one_pair) {
    gz_f8 r[3][3], abs_r[3][3], t[3], d[3], apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) d[k] = gz_f8_sub(load(b[9 + k]), load(a[9 + k]));
    // The axes of a.
    for (int i = 0; i < 3; i++) {
        gz_f8 ax = load(a[3 * i]), ay = load(a[3 * i + 1]), az = load(a[3 * i + 2]);
        t[i] = gz_f8_muladd(az, d[2], gz_f8_muladd(ay, d[1], gz_f8_mul(ax, d[0])));
        gz_f8 h = gz_f8_add(half_a[i], pads);
        for (int j = 0; j < 3; j++) {
            gz_f8 sum = gz_f8_muladd(ay, load(b[3 * j + 1]), gz_f8_mul(ax, load(b[3 * j])));
            r[i][j] = gz_f8_muladd(az, load(b[3 * j + 2]), sum);
            abs_r[i][j] = gz_f8_abs(r[i][j]);
            h = gz_f8_muladd(abs_r[i][j], half_b[j], h);
        }
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(t[i]), h));
    }
    if (one_pair && !(wanted & ~gz_f8_mask(apart))) return 0;
    // The axes of b.
    for (int j = 0; j < 3; j++) {
        gz_f8 p = gz_f8_muladd(t[1], r[1][j], gz_f8_mul(t[0], r[0][j]));
        p = gz_f8_muladd(t[2], r[2][j], p);
        gz_f8 h = gz_f8_add(half_b[j], pads);
        for (int i = 0; i < 3; i++) h = gz_f8_muladd(abs_r[i][j], half_a[i], h);
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
    }
    if (one_pair && !(wanted & ~gz_f8_mask(apart))) return 0;
    // Their cross products.
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            gz_f8 p = gz_f8_sub(gz_f8_mul(t[i2], r[i1][j]), gz_f8_mul(t[i1], r[i2][j]));
            gz_f8 h = gz_f8_muladd(half_a[i1], abs_r[i2][j], pads);
            h = gz_f8_muladd(half_a[i2], abs_r[i1][j], h);
            h = gz_f8_muladd(half_b[j1], abs_r[i][j2], h);
            h = gz_f8_muladd(half_b[j2], abs_r[i][j1], h);
            apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
        }
    }
    return wanted & ~gz_f8_mask(apart);
}

/// The same of one pair of boxes in all lanes.
static unsigned boxes_near(float (*a)[GZ_LANES], const float half_a[3], float (*b)[GZ_LANES],
                           const float half_b[3], float pad, unsigned wanted) {
    gz_f8 ha[3], hb[3];
    for (int k = 0; k < 3; k++) {
        ha[k] = gz_f8_all(half_a[k]);
        hb[k] = gz_f8_all(half_b[k]);
    }
    return near_boxes(a, ha, b, hb, gz_f8_all(pad), wanted, true);
}

/// Lanes in which the sphere around one link of a pair is apart from the other's box (see
/// fill_pairs): in most pairs this settles what two spheres do not.
static inline unsigned ball_apart(const gz_lane_model *m, gz_lane_block *block,
                                  const gz_lane_pair *p) {
    float(*box)[GZ_LANES] = place_box(m, block, p->box),
    (*center)[GZ_LANES] = block->centers[p->ball];
    gz_f8 d[3], d2 = gz_f8_all(0);
    for (int k = 0; k < 3; k++) d[k] = gz_f8_sub(load(center[k]), load(box[9 + k]));
    for (int k = 0; k < 3; k++) {
        gz_f8 x = gz_f8_muladd(load(box[3 * k + 1]), d[1], gz_f8_mul(load(box[3 * k]), d[0]));
        x = gz_f8_abs(gz_f8_muladd(load(box[3 * k + 2]), d[2], x));
        gz_f8 out = gz_f8_max(gz_f8_sub(x, gz_f8_all(p->sizes[k])), gz_f8_all(0));
        d2 = gz_f8_muladd(out, out, d2);
    }
    return gz_f8_mask(gz_f8_greater(d2, gz_f8_all(p->outside2)));
}

/// Rows of eight boxes, GZ_LANES floats apart: out[k][i] = from[i][GZ_LANES k].
static inline void gather_rows(const float *const from[GZ_LANES], float (*out)[GZ_LANES]) {
    const float *const own[GZ_LANES] = {from[0], from[1], from[2], from[3],
                                        from[4], from[5], from[6], from[7]};
#pragma GCC unroll 1 // so that the eight stay in registers
    for (size_t k = 0; k < 12; k++) gz_f8_store(out[k], gz_f8_gather(own, GZ_LANES * k));
}

/// Of eight items, each a pair and a lane (8 times the pair, plus the lane), those whose boxes may
/// not be apart: what the spheres leave is one lane in most pairs, so eight such go side by side.
static unsigned items_near(const gz_lane_model *m, gz_lane_block *block,
                           const uint32_t item[GZ_LANES]) {
    const float *a[GZ_LANES], *b[GZ_LANES], *from[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        const gz_lane_pair *p = &m->pairs[item[i] / GZ_LANES];
        uint32_t lane = item[i] % GZ_LANES;
        a[i] = place_box(m, block, p->box)[0] + lane;
        b[i] = place_box(m, block, p->ball)[0] + lane;
        from[i] = p->sizes;
    }
    float box_a[12][GZ_LANES], box_b[12][GZ_LANES];
    gather_rows(a, box_a);
    gather_rows(b, box_b);
    gz_f8 sizes[7];
    for (size_t k = 0; k < 7; k++) sizes[k] = gz_f8_gather(from, k);
    return near_boxes(box_a, sizes, box_b, sizes + 3, sizes[6], 0xff, false);
}

#endif
