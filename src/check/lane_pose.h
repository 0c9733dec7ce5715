/// Poses of eight configurations in float; file-local parts of lane_body.h.
#ifndef GZ_CHECK_LANE_POSE_H
#define GZ_CHECK_LANE_POSE_H

#include <math.h>
#include <string.h>

#include "check/lane_filter.h"
#include "math/trigonometry.h"

static inline gz_f8 load(const float *p) {
    return gz_f8_load(p);
}

static inline gz_f8 multiply_add(gz_f8 sum, gz_f8 a, gz_f8 b) {
    return gz_f8_muladd(a, b, sum);
}

/// Sine and cosine of eight angles: off by less than 2^-21 = 8 u each, with u = 2^-24, whether
/// products and sums are fused or not. The argument x is reduced in double (n pi with pi in two
/// pieces, the first of 31 bits, so that n times it is exact: off by less than 2^-31 for
/// |x| <= 2^20) to |r| <= pi/2 + 2^-20 and rounded to float; Taylor polynomials go to r^11 and
/// r^12. The sine: truncation r^13/13! below u; rounding r (r cos r) 0.6 u, r^2 0.5 u, r^3 0.7 u,
/// the constants 0.8 u, the inner sums 0.9 u, the last product 0.7 u and sum u: below 6.5 u in all.
/// The cosine: truncation r^14/14! below 0.2 u; rounding r (r sin r) 1.6 u, r^2 0.8 u, the
/// constants 0.3 u, the inner sums and products 1.9 u, the last product u and sum u: below 7 u.
static inline void sine_cosine(const double *value, float *sine, float *cosine) {
    float r[GZ_LANES], turns[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        // The nearest whole number, in double: as gz_f8_whole().
        double n = (value[i] * 0x1.45f306dc9c883p-2 + 0x1.8p52) - 0x1.8p52;
        r[i] = (float)((value[i] - n * 0x1.921fb544p+1) - n * 0x1.0b4611a626331p-33);
        turns[i] = (float)n;
    }
    // Both change sign with every half turn: -1 for odd n, exactly (half of n is a whole number or
    // a half away from one).
    gz_f8 half = gz_f8_mul(load(turns), gz_f8_all(0.5f)), off = gz_f8_sub(half, gz_f8_whole(half));
    gz_f8 sign = gz_f8_muladd(gz_f8_mul(off, off), gz_f8_all(-8), gz_f8_all(1));
    gz_f8 x = gz_f8_mul(load(r), sign), x2 = gz_f8_mul(x, x);
    gz_f8 s = gz_f8_muladd(x2, gz_f8_all(-1.0f / 39916800.0f), gz_f8_all(1.0f / 362880.0f));
    s = gz_f8_muladd(s, x2, gz_f8_all(-1.0f / 5040.0f));
    s = gz_f8_muladd(s, x2, gz_f8_all(1.0f / 120.0f));
    s = gz_f8_muladd(s, x2, gz_f8_all(-1.0f / 6.0f));
    gz_f8_store(sine, gz_f8_muladd(gz_f8_mul(x, x2), s, x));
    gz_f8 c = gz_f8_muladd(x2, gz_f8_all(1.0f / 479001600.0f), gz_f8_all(-1.0f / 3628800.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(1.0f / 40320.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(-1.0f / 720.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(1.0f / 24.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(-0.5f));
    gz_f8_store(cosine, gz_f8_mul(gz_f8_muladd(c, x2, gz_f8_all(1)), sign));
}

/// Finds the columns of q in which any of eight rows differs from that of the last block.
static inline void compare_row(const double *restrict row, size_t n, double *restrict last,
                               uint64_t *restrict differs) {
    for (size_t k = 0; k < n; k++) {
        uint64_t a, b;
        memcpy(&a, &row[k], sizeof a);
        memcpy(&b, &last[k], sizeof b);
        differs[k] |= a ^ b;
        last[k] = row[k];
    }
}

/// The motion of a body's joint in eight rows. Rows out of range become unfit, with value 0.
static inline void make_motion(const gz_lane_body *body, const double *const row[GZ_LANES],
                               gz_lane_motion *motion) {
    double value[GZ_LANES] = {0}, most = body->turns ? GZ_ANGLE_MAX : body->value_max;
    bool fit = true;
    if (body->column >= 0)
        for (int i = 0; i < GZ_LANES; i++) value[i] = row[i][body->column];
    for (int i = 0; i < GZ_LANES; i++) {
        value[i] = body->multiplier * value[i] + body->offset;
        fit = fit && fabs(value[i]) <= most;
    }
    motion->unfit = 0;
    for (int i = 0; !fit && i < GZ_LANES; i++) {
        if (fabs(value[i]) <= most) continue;
        value[i] = 0;
        motion->unfit |= 1u << i;
    }
    if (body->turns)
        sine_cosine(value, motion->sine, motion->cosine);
    else
        for (int i = 0; i < GZ_LANES; i++) motion->sine[i] = (float)value[i];
}

/// The pose of a body that turns about, or slides along, one of its own axes, with an origin that
/// turns its axes into those of its parent: column to[k] of the rotation is sign[k] times column
/// from[k] of the parent's, and a turn mixes two of these.
static inline void pose_along_axis(const gz_lane_body *body, const gz_lane_motion *motion,
                                   float (*parent)[GZ_LANES], float (*out)[GZ_LANES]) {
    const float *p0 = parent[body->from[0]], *p1 = parent[body->from[1]],
                *p2 = parent[body->from[2]], *p3 = parent[3];
    float *o0 = out[body->to[0]], *o1 = out[body->to[1]], *o2 = out[body->to[2]], *o3 = out[3];
    gz_f8 a0 = gz_f8_all(body->sign[0]), a1 = gz_f8_all(body->sign[1]),
          a2 = gz_f8_all(body->sign[2]);
    gz_f8 t0 = gz_f8_all(body->shift[0]), t1 = gz_f8_all(body->shift[1]),
          t2 = gz_f8_all(body->shift[2]);
    gz_f8 s = load(motion->sine), c1 = a1, c2 = a2, s1 = gz_f8_all(0), s2 = s1;
    if (body->turns) {
        gz_f8 c = load(motion->cosine);
        c1 = gz_f8_mul(c, a1);
        c2 = gz_f8_mul(c, a2);
        s1 = gz_f8_sub(s1, gz_f8_mul(s, a1));
        s2 = gz_f8_mul(s, a2);
    } else {
        t0 = gz_f8_muladd(s, a0, t0);
    }
    for (size_t k = 0; k < 3 * 4 * GZ_LANES; k += 4 * GZ_LANES) {
        gz_f8 x = load(p0 + k), y = load(p1 + k), z = load(p2 + k);
        gz_f8_store(o0 + k, gz_f8_mul(x, a0));
        gz_f8_store(o1 + k, gz_f8_muladd(y, c1, gz_f8_mul(z, s2)));
        gz_f8_store(o2 + k, gz_f8_muladd(z, c2, gz_f8_mul(y, s1)));
        gz_f8 t = gz_f8_muladd(x, t0, gz_f8_muladd(y, t1, load(p3 + k)));
        gz_f8_store(o3 + k, gz_f8_muladd(z, t2, t));
    }
}

/// The pose of any other body: the joint's own rotation and translation after its origin, and the
/// product with the parent's.
static void pose_any_way(const gz_lane_body *body, const gz_lane_motion *motion,
                         float (*parent)[GZ_LANES], float (*out)[GZ_LANES]) {
    gz_f8 rotation[9], shift[3];
    for (int k = 0; k < 9; k++) rotation[k] = gz_f8_all(body->still[k]);
    for (int k = 0; k < 3; k++) shift[k] = gz_f8_all(body->shift[k]);
    if (body->turns) {
        gz_f8 c = load(motion->cosine), s = load(motion->sine);
        for (int k = 0; k < 9; k++) {
            rotation[k] = gz_f8_muladd(c, gz_f8_all(body->cosine[k]), rotation[k]);
            rotation[k] = gz_f8_muladd(s, gz_f8_all(body->sine[k]), rotation[k]);
        }
    } else {
        for (int k = 0; k < 3; k++)
            shift[k] = gz_f8_muladd(load(motion->sine), gz_f8_all(body->slide[k]), shift[k]);
    }
    for (int i = 0; i < 3; i++) {
        gz_f8 x = load(parent[4 * i]), y = load(parent[4 * i + 1]), z = load(parent[4 * i + 2]);
        for (int j = 0; j < 3; j++) {
            gz_f8 sum = gz_f8_muladd(y, rotation[3 + j], gz_f8_mul(x, rotation[j]));
            gz_f8_store(out[4 * i + j], gz_f8_muladd(z, rotation[6 + j], sum));
        }
        gz_f8 t = gz_f8_muladd(x, shift[0], gz_f8_muladd(y, shift[1], load(parent[4 * i + 3])));
        gz_f8_store(out[4 * i + 3], gz_f8_muladd(z, shift[2], t));
    }
}

/// The poses of the first body; false where they are those of the last block.
static bool pose_bases(const gz_lane_model *m, size_t count, double (*base)[12],
                       gz_lane_block *block) {
    float(*out)[GZ_LANES] = block->poses[0];
    size_t most = block->one_base ? 1 : count;
    bool same = block->one_base && block->posed &&
                memcmp(block->base, base[0], sizeof block->base) == 0;
    if (same) return false;
    for (size_t i = 0; i < GZ_LANES; i++) {
        const double *own = base[i < most ? i : 0];
        for (int k = 0; k < 12; k++) {
            double x = k % 4 == 3 ? own[k] - base[0][k] : own[k];
            bool fits = fabs(x) <= m->base_max;
            out[k][i] = (float)(fits ? x : 0);
            block->unfit |= fits ? 0 : 1u << i;
        }
    }
    memcpy(block->base, base[0], sizeof block->base);
    block->posed = block->one_base && !block->unfit;
    return true;
}

/// A pose follows from its parent's and the eight values of its joint, bit for bit: where these are
/// those of the last block it stays, and what a block has seen before changes no result.
static void pose_bodies(const gz_lane_model *m, const double *q, size_t q_size, size_t count,
                        double (*base)[12], gz_lane_block *block) {
    const double *row[GZ_LANES];
    for (size_t i = 0; i < GZ_LANES; i++) row[i] = q + q_size * (i < count ? i : 0);
    for (size_t k = 0; k < q_size; k++) block->differs[k] = block->started ? 0 : 1;
    for (size_t i = 0; i < GZ_LANES; i++)
        compare_row(row[i], q_size, block->rows + q_size * i, block->differs);
    block->moved[0] = pose_bases(m, count, base, block);
    // The joints' own motions, which do not wait for each other.
    for (size_t b = 1; b < m->body_count; b++) {
        const gz_lane_body *body = &m->bodies[b];
        bool changed = body->column < 0 ? !block->started : block->differs[body->column] != 0;
        if (changed) make_motion(body, row, &block->motions[b]);
        block->moved[b] = changed || block->moved[body->parent];
        block->unfit |= block->motions[b].unfit;
    }
    block->started = true;
    for (size_t b = 1; b < m->body_count; b++) {
        if (!block->moved[b]) continue;
        const gz_lane_body *body = &m->bodies[b];
        float(*parent)[GZ_LANES] = block->poses[body->parent];
        if (body->along)
            pose_along_axis(body, &block->motions[b], parent, block->poses[b]);
        else
            pose_any_way(body, &block->motions[b], parent, block->poses[b]);
    }
}

/// One row of a rotated direction.
static inline gz_f8 rotate_row(float (*pose)[GZ_LANES], int row, const float v[3]) {
    gz_f8 sum = gz_f8_mul(load(pose[4 * row]), gz_f8_all(v[0]));
    sum = gz_f8_muladd(load(pose[4 * row + 1]), gz_f8_all(v[1]), sum);
    return gz_f8_muladd(load(pose[4 * row + 2]), gz_f8_all(v[2]), sum);
}

static inline void rotate(float (*pose)[GZ_LANES], const float v[3], float (*out)[GZ_LANES]) {
    for (int k = 0; k < 3; k++) gz_f8_store(out[k], rotate_row(pose, k, v));
}

static inline void place_point(float (*pose)[GZ_LANES], const float v[3], float (*out)[GZ_LANES]) {
    for (int k = 0; k < 3; k++)
        gz_f8_store(out[k], gz_f8_add(rotate_row(pose, k, v), load(pose[4 * k + 3])));
}

static void place_spheres(const gz_lane_model *m, gz_lane_block *block) {
    for (size_t i = 0; i < m->link_count; i++) {
        int32_t body = m->links[i].body;
        if (!block->moved[body]) continue;
        place_point(block->poses[body], m->links[i].center, block->centers[i]);
        block->box_ready[i] = 0;
    }
}

#endif
