/// Oriented boxes of eight configurations; file-local parts of lane_body.h.
#ifndef GZ_CHECK_LANE_BOX_H
#define GZ_CHECK_LANE_BOX_H

#include "check/lane_pose.h"

/// Axes (rows 0 to 8: axis k, coordinate i at 3 k + i) and centre (9 to 11) of a link's box.
static float (*place_box(const gz_lane_model *m, gz_lane_block *block, int32_t index))[GZ_LANES] {
    float(*out)[GZ_LANES] = block->boxes[index];
    if (block->box_ready[index]) return out;
    const gz_lane_link *l = &m->links[index];
    float(*pose)[GZ_LANES] = block->poses[l->body];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) gz_f8_store(out[3 * k + i], rotate_row(pose, i, l->axis[k]));
        gz_f8_store(out[9 + i],
                    gz_f8_add(rotate_row(pose, i, l->box_center), load(pose[4 * i + 3])));
    }
    block->box_ready[index] = 1;
    return out;
}

/// Lanes of `wanted` in which two posed boxes may not be apart: by 15 axes, each beyond the pad.
/// The pad covers four times all that either box may be off, so the rounding of the sums here too
/// (see make_link).
static unsigned boxes_near(float (*a)[GZ_LANES], const float half_a[3], float (*b)[GZ_LANES],
                           const float half_b[3], float pad, unsigned wanted) {
    gz_f8 r[3][3], abs_r[3][3], t[3], d[3], pads = gz_f8_all(pad), apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) d[k] = gz_f8_sub(load(b[9 + k]), load(a[9 + k]));
    for (int i = 0; i < 3; i++) {
        gz_f8 ax = load(a[3 * i]), ay = load(a[3 * i + 1]), az = load(a[3 * i + 2]);
        t[i] = multiply_add(multiply_add(gz_f8_mul(ax, d[0]), ay, d[1]), az, d[2]);
        for (int j = 0; j < 3; j++) {
            gz_f8 sum = gz_f8_mul(ax, load(b[3 * j]));
            sum = multiply_add(sum, ay, load(b[3 * j + 1]));
            r[i][j] = multiply_add(sum, az, load(b[3 * j + 2]));
            abs_r[i][j] = gz_f8_abs(r[i][j]);
        }
        gz_f8 h = gz_f8_add(gz_f8_all(half_a[i]), pads);
        for (int j = 0; j < 3; j++) h = multiply_add(h, abs_r[i][j], gz_f8_all(half_b[j]));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(t[i]), h));
    }
    if (!(wanted & ~gz_f8_mask(apart))) return 0;
    for (int j = 0; j < 3; j++) {
        gz_f8 p = multiply_add(multiply_add(gz_f8_mul(t[0], r[0][j]), t[1], r[1][j]), t[2],
                               r[2][j]);
        gz_f8 h = gz_f8_add(gz_f8_all(half_b[j]), pads);
        for (int i = 0; i < 3; i++) h = multiply_add(h, abs_r[i][j], gz_f8_all(half_a[i]));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
    }
    if (!(wanted & ~gz_f8_mask(apart))) return 0;
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            gz_f8 p = gz_f8_sub(gz_f8_mul(t[i2], r[i1][j]), gz_f8_mul(t[i1], r[i2][j]));
            gz_f8 h = multiply_add(pads, gz_f8_all(half_a[i1]), abs_r[i2][j]);
            h = multiply_add(h, gz_f8_all(half_a[i2]), abs_r[i1][j]);
            h = multiply_add(h, gz_f8_all(half_b[j1]), abs_r[i][j2]);
            h = multiply_add(h, gz_f8_all(half_b[j2]), abs_r[i][j1]);
            apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
        }
    }
    return wanted & ~gz_f8_mask(apart);
}

#endif
