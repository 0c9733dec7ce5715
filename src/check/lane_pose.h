/// Poses of eight configurations in float; file-local parts of lane_body.h.
#ifndef GZ_CHECK_LANE_POSE_H
#define GZ_CHECK_LANE_POSE_H

#include <math.h>

#include "check/lane_filter.h"
#include "math/trigonometry.h"

static inline gz_f8 load(const float *p) {
    return gz_f8_load(p);
}

static inline gz_f8 multiply_add(gz_f8 sum, gz_f8 a, gz_f8 b) {
    return gz_f8_add(sum, gz_f8_mul(a, b));
}

/// Sine and cosine of eight angles. The argument is reduced in double (n pi/2 with pi/2 in two
/// pieces: off by less than 2^-31 for |x| <= 2^20), rounded to float (2^-25), and goes into Taylor
/// polynomials to r^9 and r^8 on |r| <= pi/4 + 2^-20: truncation below 2^-29 (r^11/11!) and 2^-25
/// (r^10/10!), rounding below 2^-23 in all. So each result is off by less than 2^-22.
static void sine_cosine(const double *value, gz_f8 *sine, gz_f8 *cosine) {
    float r[GZ_LANES], turns[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        // The nearest whole number, in double: as gz_f8_whole().
        double n = (value[i] * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52;
        r[i] = (float)((value[i] - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34);
        turns[i] = (float)n;
    }
    gz_f8 x = load(r), x2 = gz_f8_mul(x, x);
    gz_f8 s = gz_f8_all(1.0f / 362880.0f);
    s = multiply_add(gz_f8_all(-1.0f / 5040.0f), s, x2);
    s = multiply_add(gz_f8_all(1.0f / 120.0f), s, x2);
    s = multiply_add(gz_f8_all(-1.0f / 6.0f), s, x2);
    s = multiply_add(x, gz_f8_mul(x, x2), s);
    gz_f8 c = gz_f8_all(1.0f / 40320.0f);
    c = multiply_add(gz_f8_all(-1.0f / 720.0f), c, x2);
    c = multiply_add(gz_f8_all(1.0f / 24.0f), c, x2);
    c = multiply_add(gz_f8_all(-0.5f), c, x2);
    c = multiply_add(gz_f8_all(1), c, x2);
    // The quarter, n modulo 4, exact: n / 4 - 3/8 is nearest to the floor of n / 4.
    gz_f8 n = load(turns), none = gz_f8_all(0), one = gz_f8_all(1);
    gz_f8 floor4 = gz_f8_whole(gz_f8_sub(gz_f8_mul(n, gz_f8_all(0.25f)), gz_f8_all(0.375f)));
    gz_f8 quarter = gz_f8_sub(n, gz_f8_mul(floor4, gz_f8_all(4)));
    // 0: s, c. 1: c, -s. 2: -s, -c. 3: -c, s.
    gz_f8 off = gz_f8_abs(gz_f8_sub(quarter, gz_f8_all(2)));    // 2, 1, 0, 1
    gz_f8 far = gz_f8_abs(gz_f8_sub(quarter, gz_f8_all(1.5f))); // 1.5, .5, .5, 1.5
    gz_f8 odd = gz_f8_greater(gz_f8_all(0.5f), gz_f8_abs(gz_f8_sub(off, one)));
    gz_f8 a = gz_f8_select(s, c, odd), b = gz_f8_select(c, s, odd);
    *sine = gz_f8_select(a, gz_f8_sub(none, a), gz_f8_greater(quarter, gz_f8_all(1.5f)));
    *cosine = gz_f8_select(b, gz_f8_sub(none, b), gz_f8_greater(one, far));
}

/// The values of a body's joint in all rows; rows out of range become unfit, with value 0.
static void read_values(const gz_lane_body *body, const double *q, size_t q_size, size_t count,
                        double *value, uint32_t *unfit) {
    double most = body->turns ? GZ_ANGLE_MAX : body->value_max;
    bool fit = true;
    for (size_t i = 0; i < GZ_LANES; i++) {
        size_t row = i < count ? i : 0;
        double v = body->column < 0
                       ? body->offset
                       : body->multiplier * q[q_size * row + (size_t)body->column] + body->offset;
        value[i] = v;
        fit = fit && fabs(v) <= most;
    }
    for (size_t i = 0; i < GZ_LANES && !fit; i++) {
        if (fabs(value[i]) <= most) continue;
        value[i] = 0;
        *unfit |= 1u << i;
    }
}

/// The joint's own rotation and translation, after its origin.
static void move_joint(const gz_lane_body *body, const double *value, gz_f8 rotation[9],
                       gz_f8 shift[3]) {
    if (body->turns) {
        gz_f8 s, c;
        sine_cosine(value, &s, &c);
        for (int k = 0; k < 9; k++) {
            gz_f8 sum = multiply_add(gz_f8_all(body->still[k]), c, gz_f8_all(body->cosine[k]));
            rotation[k] = multiply_add(sum, s, gz_f8_all(body->sine[k]));
        }
        for (int k = 0; k < 3; k++) shift[k] = gz_f8_all(body->shift[k]);
        return;
    }
    float values[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) values[i] = (float)value[i];
    gz_f8 v = load(values);
    for (int k = 0; k < 9; k++) rotation[k] = gz_f8_all(body->rotation[k]);
    for (int k = 0; k < 3; k++)
        shift[k] = multiply_add(gz_f8_all(body->shift[k]), v, gz_f8_all(body->slide[k]));
}

static void pose_bodies(const gz_lane_model *m, const double *q, size_t q_size, size_t count,
                        double (*base)[12], gz_lane_block *block) {
    for (size_t i = 0; i < GZ_LANES; i++) {
        const double *own = base[i < count ? i : 0];
        for (int k = 0; k < 12; k++) {
            double x = k % 4 == 3 ? own[k] - base[0][k] : own[k];
            bool fits = fabs(x) <= m->base_max;
            block->poses[0][k][i] = (float)(fits ? x : 0);
            block->unfit |= fits ? 0 : 1u << i;
        }
    }
    for (size_t b = 1; b < m->body_count; b++) {
        const gz_lane_body *body = &m->bodies[b];
        double value[GZ_LANES];
        gz_f8 rotation[9], shift[3];
        read_values(body, q, q_size, count, value, &block->unfit);
        move_joint(body, value, rotation, shift);
        float(*parent)[GZ_LANES] = block->poses[body->parent], (*out)[GZ_LANES] = block->poses[b];
        for (int i = 0; i < 3; i++) {
            gz_f8 p0 = load(parent[4 * i]), p1 = load(parent[4 * i + 1]),
                  p2 = load(parent[4 * i + 2]);
            for (int j = 0; j < 3; j++) {
                gz_f8 sum = gz_f8_mul(p0, rotation[j]);
                sum = multiply_add(sum, p1, rotation[3 + j]);
                gz_f8_store(out[4 * i + j], multiply_add(sum, p2, rotation[6 + j]));
            }
            gz_f8 t = gz_f8_mul(p0, shift[0]);
            t = multiply_add(t, p1, shift[1]);
            t = multiply_add(t, p2, shift[2]);
            gz_f8_store(out[4 * i + 3], gz_f8_add(t, load(parent[4 * i + 3])));
        }
    }
}

static inline gz_f8 rotate_row(float (*pose)[GZ_LANES], int row, const float v[3]) {
    gz_f8 sum = gz_f8_mul(load(pose[4 * row]), gz_f8_all(v[0]));
    sum = multiply_add(sum, load(pose[4 * row + 1]), gz_f8_all(v[1]));
    return multiply_add(sum, load(pose[4 * row + 2]), gz_f8_all(v[2]));
}

static void place_spheres(const gz_lane_model *m, gz_lane_block *block) {
    for (size_t i = 0; i < m->link_count; i++) {
        float(*pose)[GZ_LANES] = block->poses[m->links[i].body];
        for (int k = 0; k < 3; k++)
            gz_f8_store(block->centers[i][k],
                        gz_f8_add(rotate_row(pose, k, m->links[i].center), load(pose[4 * k + 3])));
        block->box_ready[i] = 0;
    }
}

#endif
