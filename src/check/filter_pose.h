/// Float arithmetic that both filters share: sine and cosine, objects seen from an origin, and the
/// relative poses in which mesh proxies are tested.
#ifndef GZ_CHECK_FILTER_POSE_H
#define GZ_CHECK_FILTER_POSE_H

#include <math.h>
#include <string.h>

#include "check/filter_model.h"
#include "math/float_quad.h"

/// Sine and cosine of eight angles: off by less than 2^-21 = 8 u each, with u = 2^-24, whether
/// products and sums are fused or not. The argument x is reduced in double (n pi with pi in two
/// pieces, the first of 31 bits, so that n times it is exact: off by less than 2^-31 for
/// |x| <= 2^20) to |r| <= pi/2 + 2^-20 and rounded to float; Taylor polynomials go to r^11 and
/// r^12. The sine: truncation r^13/13! below u; rounding r (r cos r) 0.6 u, r^2 0.5 u, r^3 0.7 u,
/// the constants 0.8 u, the inner sums 0.9 u, the last product 0.7 u and sum u: below 6.5 u in all.
/// The cosine: truncation r^14/14! below 0.2 u; rounding r (r sin r) 1.6 u, r^2 0.8 u, the
/// constants 0.3 u, the inner sums and products 1.9 u, the last product u and sum u: below 7 u.
static inline void gz_filter_sine_cosine(const double *value, float *sine, float *cosine) {
    float r[GZ_LANES], turns[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        // The nearest whole number, in double: as gz_f8_whole().
        double n = (value[i] * 0x1.45f306dc9c883p-2 + 0x1.8p52) - 0x1.8p52;
        r[i] = (float)((value[i] - n * 0x1.921fb544p+1) - n * 0x1.0b4611a626331p-33);
        turns[i] = (float)n;
    }
    // Both change sign with every half turn: -1 for odd n, exactly (half of n is a whole number or
    // a half away from one).
    gz_f8 half = gz_f8_mul(gz_f8_load(turns), gz_f8_all(0.5f));
    gz_f8 off = gz_f8_sub(half, gz_f8_whole(half));
    gz_f8 sign = gz_f8_muladd(gz_f8_mul(off, off), gz_f8_all(-8), gz_f8_all(1));
    gz_f8 x = gz_f8_mul(gz_f8_load(r), sign), x2 = gz_f8_mul(x, x);
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

/// An object of the world seen from the origin of the poses.
typedef struct gz_filter_view {
    float center[3], along[3]; ///< of its box, and along the box's axes
    float pad;                 ///< by how much the box is off
    float shift[3];            ///< the origin in the mesh's frame
    float mesh_pad;            ///< by how much shift and to_mesh place a point off, near the mesh
} gz_filter_view;

/// The box's centre is off by u times its size, its axes by u each, and so are its half extents;
/// the mesh's frame by as much of the mesh's reach.
static inline gz_filter_view gz_filter_view_make(const gz_filter_object *o,
                                                 const double origin[12]) {
    gz_filter_view out;
    float size = o->size, d[3], far = o->mesh ? (float)o->mesh->max_abs : 0;
    for (int k = 0; k < 3; k++) {
        out.center[k] = (float)(o->center[k] - origin[4 * k + 3]);
        size += fabsf(out.center[k]);
        d[k] = (float)(origin[4 * k + 3] - o->mesh_origin[k]);
        far += fabsf(d[k]);
    }
    out.pad = size * 0x1p-18f;
    out.mesh_pad = far * 0x1p-18f;
    for (int k = 0; k < 3; k++) {
        const float *a = o->axis[k], *r = o->to_mesh[k], *c = out.center;
        out.along[k] = (a[0] * c[0] + a[1] * c[1]) + a[2] * c[2];
        out.shift[k] = (r[0] * d[0] + r[1] * d[1]) + r[2] * d[2];
    }
    return out;
}

/// The box around all objects, seen from an origin, and grown by its rounding.
static inline void gz_filter_view_extent(const gz_filter_model *m, const double origin[12],
                                         float extent[2][3]) {
    for (int k = 0; k < 3; k++) {
        float low = (float)(m->extent[0][k] - origin[4 * k + 3]);
        float high = (float)(m->extent[1][k] - origin[4 * k + 3]);
        float pad = 0x1p-20f * (fabsf(low) + fabsf(high));
        extent[0][k] = low - pad;
        extent[1][k] = high + pad;
    }
}

/// Moves a pose into another frame: `row` holds coordinate k of the pose's axes, and last of its
/// origin; `to` has the other frame's axes as rows.
static inline void gz_filter_turn(const gz_f4 row[3], const float *const to[3], float r[3][3],
                                  float t[3]) {
    for (int i = 0; i < 3; i++) {
        gz_f4 sum = gz_f4_mul(row[0], gz_f4_all(to[i][0]));
        sum = gz_f4_muladd(row[1], gz_f4_all(to[i][1]), sum);
        sum = gz_f4_muladd(row[2], gz_f4_all(to[i][2]), sum);
        float out[4];
        gz_f4_store(out, sum);
        memcpy(r[i], out, sizeof r[i]);
        t[i] = out[3];
    }
}

/// The meshes of a pair that is sketched: `row` as above of the first link with the distance of the
/// origins, `to` the axes of the second. A vertex of a, moved into b's frame, is off by the errors
/// of both poses, and by the error of b's rotation times its distance, in the other direction of
/// a's; and by what composing the two in float rounds, fused or not: 5 u of the size for the
/// rotation, 8 u for the translation, with u = 2^-24.
static inline void gz_filter_place_pair(const gz_filter_model *m, const gz_filter_pair *p,
                                        const gz_f4 row[3], const float *const to[3],
                                        const float between[3], gz_proxy_pair *out) {
    const gz_filter_link *a = &m->links[p->a], *b = &m->links[p->b];
    *out = (gz_proxy_pair){.a = a->mesh,
                           .b = b->mesh,
                           .solid_a = a->solid,
                           .solid_b = b->solid,
                           .cap_a = a->cap,
                           .cap_b = b->cap};
    gz_filter_turn(row, to, out->r, out->t);
    double size = (double)(fabsf(between[0]) + fabsf(between[1]) + fabsf(between[2]));
    double reach = 2 * (a->mesh->max_abs + b->mesh->max_abs) + size;
    double turn = (double)a->turn + (double)b->turn + 32 * 0x1p-24;
    gz_proxy_pair_grow(out, 1.01 * ((double)p->error + turn * reach), (double)p->margin);
}

/// A link, by the rows of its pose, in the frame of an object's mesh. The error, which is returned,
/// is bounded as that of two links: the link's pose is off by its errors, the object's frame by its
/// pad. The pads of the pair are left to the caller.
static inline double gz_filter_place_object(const gz_filter_link *l, const gz_filter_object *o,
                                            const gz_filter_view *view, const gz_f4 row[3],
                                            gz_proxy_pair *out) {
    *out = (gz_proxy_pair){.a = l->mesh,
                           .b = o->mesh,
                           .solid_a = l->solid,
                           .part = o->has_map ? NULL : &o->part,
                           .box = o->is_box,
                           .solid_b = o->solid,
                           .cap_a = l->cap,
                           .cap_b = o->cap};
    const float *const to[3] = {o->to_mesh[0], o->to_mesh[1], o->to_mesh[2]};
    gz_filter_turn(row, to, out->r, out->t);
    float size = 0;
    for (int i = 0; i < 3; i++) {
        out->t[i] += view->shift[i];
        size += fabsf(out->t[i]) + fabsf(view->shift[i]);
    }
    double reach = 2 * (l->mesh->max_abs + o->mesh->max_abs) + (double)size;
    double turn = (double)l->turn + 32 * 0x1p-24;
    return 1.01 * ((double)l->error + (double)view->mesh_pad + turn * reach);
}

/// Whether the meshes of a link and an object have proxies that can be tested against each other.
static inline bool gz_filter_has_proxies(const gz_filter_link *l, const gz_filter_object *o) {
    return l->mesh && o->mesh && (o->has_map || !l->mesh->proxy->clearance.cell_count);
}

#endif
