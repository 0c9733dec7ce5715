// The filter over eight configurations: included by one source file per instruction set, which
// defines LANE_FILTER (the identifier of the function pointer) first. Everything is file-local.

#include <math.h>
#include <string.h>

#include "check/lane_filter.h"
#include "math/trigonometry.h"

typedef struct lane_vector {
    gz_f8 x[3];
} lane_vector;

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
static void sine_cosine(const double *value, float *sine, float *cosine) {
    float r[GZ_LANES], quadrant[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        double n = floor(value[i] * 0x1.45f306dc9c883p-1 + 0.5);
        r[i] = (float)((value[i] - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34);
        quadrant[i] = (float)(n - 4 * floor(n * 0.25));
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
    float plain_s[GZ_LANES], plain_c[GZ_LANES];
    gz_f8_store(plain_s, s);
    gz_f8_store(plain_c, c);
    for (int i = 0; i < GZ_LANES; i++) {
        int q = (int)quadrant[i];
        float a = q & 1 ? plain_c[i] : plain_s[i], b = q & 1 ? plain_s[i] : plain_c[i];
        sine[i] = q & 2 ? -a : a;
        cosine[i] = q == 1 || q == 2 ? -b : b;
    }
}

/// The values of a body's joint in all rows; rows out of range become unfit, with value 0.
static void read_values(const gz_lane_body *body, const double *q, size_t q_size, size_t count,
                        double *value, uint32_t *unfit) {
    double most = body->turns ? GZ_ANGLE_MAX : body->value_max;
    for (size_t i = 0; i < GZ_LANES; i++) {
        size_t row = i < count ? i : 0;
        double v = body->column < 0
                       ? body->offset
                       : body->multiplier * q[q_size * row + (size_t)body->column] + body->offset;
        bool fits = fabs(v) <= most;
        value[i] = fits ? v : 0;
        *unfit |= fits ? 0 : 1u << i;
    }
}

/// The joint's own rotation and translation, after its origin.
static void move_joint(const gz_lane_body *body, const double *value, gz_f8 rotation[9],
                       gz_f8 shift[3]) {
    if (body->turns) {
        float sine[GZ_LANES], cosine[GZ_LANES];
        sine_cosine(value, sine, cosine);
        gz_f8 s = load(sine), c = load(cosine);
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

/// Lanes in which two posed boxes are apart, by 15 axes, each beyond the pad. The pad covers four
/// times all that either box may be off, so the rounding of the sums here too (see make_link).
static unsigned boxes_apart(float (*a)[GZ_LANES], const float half_a[3], float (*b)[GZ_LANES],
                            const float half_b[3], float pad) {
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
    if (gz_f8_mask(apart) == 0xff) return 0xff;
    for (int j = 0; j < 3; j++) {
        gz_f8 p = multiply_add(multiply_add(gz_f8_mul(t[0], r[0][j]), t[1], r[1][j]), t[2],
                               r[2][j]);
        gz_f8 h = gz_f8_add(gz_f8_all(half_b[j]), pads);
        for (int i = 0; i < 3; i++) h = multiply_add(h, abs_r[i][j], gz_f8_all(half_a[i]));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
    }
    if (gz_f8_mask(apart) == 0xff) return 0xff;
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
    return gz_f8_mask(apart);
}

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
        if (!(near & wanted)) continue;
        near &= ~boxes_apart(place_box(m, block, p->a), m->links[p->a].half,
                             place_box(m, block, p->b), m->links[p->b].half, p->pad);
        if (near & wanted)
            block->pairs[block->pair_count++] = (gz_lane_survivor){p->pair, near & wanted};
    }
}

/// An object's box, seen from the block's origin, in float, as place_box() gives it. Its centre is
/// off by u times its size, its axes by u each, and so are its half extents.
typedef struct seen_object {
    float box[12][GZ_LANES];
    float center[3], pad;
} seen_object;

static void see_object(const gz_lane_object *o, const double origin[12], seen_object *out) {
    float size = o->size;
    for (int k = 0; k < 3; k++) {
        out->center[k] = (float)(o->center[k] - origin[4 * k + 3]);
        size += out->center[k] < 0 ? -out->center[k] : out->center[k];
    }
    out->pad = size * 0x1p-18f;
    for (int j = 0; j < 12; j++)
        gz_f8_store(out->box[j], gz_f8_all(j < 9 ? o->axis[j / 3][j % 3] : out->center[j - 9]));
}

/// Lanes in which a sphere is farther from an object's box than its reach.
static unsigned object_apart(const gz_lane_object *o, const seen_object *seen,
                             float (*center)[GZ_LANES], float reach) {
    gz_f8 d[3], d2 = gz_f8_all(0);
    for (int k = 0; k < 3; k++) d[k] = gz_f8_sub(load(center[k]), gz_f8_all(seen->center[k]));
    for (int k = 0; k < 3; k++) {
        gz_f8 p = gz_f8_mul(d[0], gz_f8_all(o->axis[k][0]));
        p = multiply_add(p, d[1], gz_f8_all(o->axis[k][1]));
        p = multiply_add(p, d[2], gz_f8_all(o->axis[k][2]));
        gz_f8 out = gz_f8_max(gz_f8_sub(gz_f8_abs(p), gz_f8_all(o->half[k])), gz_f8_all(0));
        d2 = multiply_add(d2, out, out);
    }
    return gz_f8_mask(gz_f8_greater(d2, gz_f8_all(reach * reach * 1.00001f)));
}

/// Adds the lanes in which each link may touch one object.
static void filter_object(const gz_lane_model *m, size_t object, const double origin[12],
                          uint32_t wanted, gz_lane_block *block) {
    const gz_lane_object *o = &m->objects[object];
    seen_object seen;
    see_object(o, origin, &seen);
    for (size_t i = 0; i < m->link_count; i++) {
        const gz_lane_link *l = &m->links[i];
        uint32_t todo = wanted & ~block->near[i];
        if (!todo) continue;
        float pad = (4 * l->error + seen.pad) * 1.001f;
        if (m->margins) pad += m->margins[i * m->object_count + object];
        todo &= ~object_apart(o, &seen, block->centers[i], (l->radius + pad) * 1.00001f);
        if (!todo) continue;
        block->near[i] |= todo & ~boxes_apart(place_box(m, block, (int32_t)i), l->half, seen.box,
                                              o->half, pad);
    }
}

static void filter_links(const gz_lane_model *m, const double origin[12], uint32_t wanted,
                         gz_lane_block *block) {
    for (size_t i = 0; i < m->link_count; i++) block->near[i] = m->all_near ? wanted : 0;
    for (size_t k = 0; k < m->object_count; k++) filter_object(m, k, origin, wanted, block);
    block->link_count = 0;
    for (size_t i = 0; i < m->link_count; i++)
        if (block->near[i])
            block->links[block->link_count++] = (gz_lane_survivor){m->links[i].link,
                                                                   block->near[i]};
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
