// The filter over eight configurations: included by one source file per instruction set, which
// defines LANE_FILTER (the identifier of the function pointer) first. Everything is file-local.

#include <math.h>
#include <string.h>

#include "check/lane_filter.h"
#include "math/trigonometry.h"
#include "narrow/clearance_ball.h"

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

/// The box's centre is off by u times its size, its axes by u each, and so are its half extents;
/// the mesh's frame by as much of the mesh's reach.
static void see_object(const gz_lane_object *o, const double origin[12], gz_seen_object *out) {
    float size = o->size, d[3], far = o->mesh ? (float)o->mesh->reach : 0;
    for (int k = 0; k < 3; k++) {
        out->center[k] = (float)(o->center[k] - origin[4 * k + 3]);
        size += out->center[k] < 0 ? -out->center[k] : out->center[k];
        d[k] = (float)(origin[4 * k + 3] - o->mesh_origin[k]);
        far += d[k] < 0 ? -d[k] : d[k];
    }
    out->pad = size * 0x1p-18f;
    out->mesh_pad = far * 0x1p-18f;
    for (int j = 0; j < 12; j++)
        gz_f8_store(out->box[j], gz_f8_all(j < 9 ? o->axis[j / 3][j % 3] : out->center[j - 9]));
    for (int k = 0; k < 3; k++)
        out->shift[k] = (o->to_mesh[k][0] * d[0] + o->to_mesh[k][1] * d[1]) +
                        o->to_mesh[k][2] * d[2];
}

/// Lanes in which a sphere is farther from an object's box than its reach.
static unsigned object_apart(const gz_lane_object *o, const gz_seen_object *seen,
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

/// Lanes of `todo` in which one sphere of a link's cover may touch the mesh. Where an object counts
/// as solid, what is inside of it touches it.
static unsigned sphere_near(const gz_lane_object *o, const gz_seen_object *seen,
                            float (*pose)[GZ_LANES], const float center[3], float reach,
                            unsigned todo) {
    moved_points p;
    gz_f8 world[3];
    for (int k = 0; k < 3; k++)
        world[k] = gz_f8_add(rotate_row(pose, k, center), load(pose[4 * k + 3]));
    for (int k = 0; k < 3; k++) {
        p.x[k] = gz_f8_all(seen->shift[k]);
        for (int j = 0; j < 3; j++)
            p.x[k] = multiply_add(p.x[k], world[j], gz_f8_all(o->to_mesh[k][j]));
    }
    ball_answer ball = ask_balls(&o->mesh->sketch->clearance, &p, gz_f8_all(reach));
    return todo & (~ball.clear | (o->solid || o->cap ? ball.inside : 0));
}

/// Lanes of `todo` in which a link may touch an object with a map: first a sphere around all of it,
/// in which nothing of the object lies where it is clear; then its cover, which tells about
/// surfaces only.
static unsigned cover_near(const gz_lane_object *o, const gz_seen_object *seen,
                           const gz_lane_link *l, float (*pose)[GZ_LANES], float pad,
                           unsigned todo) {
    const gz_sketch *sketch = l->mesh->sketch;
    if (o->cap) return todo; // the map knows nothing of caps
    todo = sphere_near(o, seen, pose, l->center, (l->radius + pad) * 1.00001f, todo);
    if (!todo) return 0;
    // A part of the object may lie in the link.
    if ((l->solid || l->cap) && o->mesh->sketch->shortest <= sketch->enclosure) return todo;
    unsigned near = 0;
    for (int i = 0; i < sketch->cover_count && near != todo; i++) {
        const gz_cover_sphere *sphere = &sketch->cover[i];
        near |= sphere_near(o, seen, pose, sphere->center, (sphere->radius + pad) * 1.00001f,
                            todo & ~near);
    }
    return near;
}

/// Lanes of `wanted` in which a link's sphere may come near some object.
static unsigned world_near(const gz_lane_model *m, size_t link, const double origin[12],
                           const gz_lane_block *block, unsigned wanted) {
    const gz_lane_link *l = &m->links[link];
    float reach = (l->radius + 4 * l->error) * 1.001f;
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = load(block->centers[link][k]);
        float low = m->world[0][k] - (float)origin[4 * k + 3],
              high = m->world[1][k] - (float)origin[4 * k + 3];
        float pad = reach + 0x1p-18f * (fabsf(low) + fabsf(high) + fabsf((float)origin[4 * k + 3]));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_all(low - pad), c));
        apart = gz_f8_or(apart, gz_f8_greater(c, gz_f8_all(high + pad)));
    }
    return wanted & ~gz_f8_mask(apart);
}

/// Lanes of `todo` in which a link may touch an object.
static unsigned object_near(const gz_lane_model *m, size_t link, size_t object, unsigned todo,
                            gz_lane_block *block) {
    const gz_lane_object *o = &m->objects[object];
    const gz_lane_link *l = &m->links[link];
    gz_seen_object *seen = &block->objects[object];
    if (m->allowed && m->allowed[link * m->object_count + object]) return 0;
    float pad = (4 * l->error + seen->pad) * 1.001f;
    if (m->margins) pad += m->margins[link * m->object_count + object];
    todo &= ~object_apart(o, seen, block->centers[link], (l->radius + pad) * 1.00001f);
    if (!todo) return 0;
    todo = boxes_near(place_box(m, block, (int32_t)link), l->half, seen->box, o->half, pad, todo);
    if (todo && o->has_map && l->mesh)
        todo = cover_near(o, seen, l, block->poses[l->body], pad + seen->mesh_pad, todo);
    return todo;
}

static void filter_links(const gz_lane_model *m, const double origin[12], uint32_t wanted,
                         gz_lane_block *block) {
    block->touch_count = 0;
    if (!wanted) return;
    for (size_t k = 0; k < m->object_count; k++)
        see_object(&m->objects[k], origin, &block->objects[k]);
    for (size_t i = 0; i < m->link_count; i++) {
        if (m->all_near)
            block->touches[block->touch_count++] = (gz_lane_touch){(int32_t)i, -1, wanted};
        unsigned near = m->object_count ? world_near(m, i, origin, block, wanted) : 0;
        for (size_t k = 0; near && k < m->object_count; k++) {
            unsigned lanes = object_near(m, i, k, near, block);
            if (lanes)
                block->touches[block->touch_count++] = (gz_lane_touch){(int32_t)i, (int32_t)k,
                                                                       lanes};
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
}

const gz_lane_filter LANE_FILTER = filter;
