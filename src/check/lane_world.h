/// Links of eight configurations against the objects of the world; file-local parts of lane_body.h.
#ifndef GZ_CHECK_LANE_WORLD_H
#define GZ_CHECK_LANE_WORLD_H

#include <math.h>
#include <string.h>

#include "broad/world_query.h"
#include "check/lane_box.h"
#include "narrow/prefilter/cell_lanes.h"

/// The box's centre is off by u times its size, its axes by u each, and so are its half extents;
/// the mesh's frame by as much of the mesh's reach.
static void see_object(const gz_lane_object *o, const double origin[12], gz_seen_object *out) {
    float size = o->size, center[3], d[3], far = o->mesh ? (float)o->mesh->max_abs : 0;
    for (int k = 0; k < 3; k++) {
        center[k] = (float)(o->center[k] - origin[4 * k + 3]);
        size += fabsf(center[k]);
        d[k] = (float)(origin[4 * k + 3] - o->mesh_origin[k]);
        far += fabsf(d[k]);
    }
    out->pad = size * 0x1p-18f;
    out->mesh_pad = far * 0x1p-18f;
    for (int j = 0; j < 12; j++)
        gz_f8_store(out->box[j], gz_f8_all(j < 9 ? o->axis[j / 3][j % 3] : center[j - 9]));
    for (int k = 0; k < 3; k++) {
        const float *a = o->axis[k], *r = o->to_mesh[k];
        out->along[k] = (a[0] * center[0] + a[1] * center[1]) + a[2] * center[2];
        out->shift[k] = (r[0] * d[0] + r[1] * d[1]) + r[2] * d[2];
    }
}

/// Where all objects are, seen from a base; known already where the last block's was there.
static void see_objects(const gz_lane_model *m, const double base[12], gz_lane_block *block) {
    double origin[3] = {base[3], base[7], base[11]};
    if (block->seen && memcmp(origin, block->seen_origin, sizeof origin) == 0) return;
    memcpy(block->seen_origin, origin, sizeof origin);
    block->seen = true;
    for (size_t k = 0; k < m->object_count; k++)
        see_object(&m->objects[k], base, &block->objects[k]);
}

/// A sphere's centre along an object's axes.
static inline void turn_center(const gz_lane_object *o, float (*center)[GZ_LANES], gz_f8 out[3]) {
    gz_f8 x = load(center[0]), y = load(center[1]), z = load(center[2]);
    for (int k = 0; k < 3; k++) {
        gz_f8 p = gz_f8_mul(x, gz_f8_all(o->axis[k][0]));
        p = gz_f8_muladd(y, gz_f8_all(o->axis[k][1]), p);
        out[k] = gz_f8_muladd(z, gz_f8_all(o->axis[k][2]), p);
    }
}

/// Lanes in which a sphere is farther from an object's box than its reach. Turning rounds by 3 u of
/// the lengths of both centres: less than the fourth part of the link's error that is in the
/// reach four times, and of the object's pad, 64 u of its centre, what see_object() leaves.
static inline unsigned object_apart(const gz_lane_object *o, const gz_seen_object *seen,
                                    const gz_f8 turned[3], float reach) {
    gz_f8 d2 = gz_f8_all(0), none = d2;
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(turned[k], gz_f8_all(seen->along[k])));
        d = gz_f8_max(gz_f8_sub(d, gz_f8_all(o->half[k])), none);
        d2 = gz_f8_muladd(d, d, d2);
    }
    return gz_f8_mask(gz_f8_greater(d2, gz_f8_all(reach * reach * 1.00001f)));
}

/// Lanes of `todo` in which one sphere of a link's cover may touch the mesh. Where an object counts
/// as solid, what is inside of it touches it. `depth`, where wanted: how far the sphere's middle is
/// from the surface, at least, in parts of its radius.
static unsigned sphere_near(const gz_lane_object *o, const gz_seen_object *seen,
                            float (*pose)[GZ_LANES], const float center[3], float reach,
                            unsigned todo, float *depth) {
    moved_points p;
    gz_f8 world[3];
    for (int k = 0; k < 3; k++)
        world[k] = gz_f8_add(rotate_row(pose, k, center), load(pose[4 * k + 3]));
    for (int k = 0; k < 3; k++) {
        p.x[k] = gz_f8_all(seen->shift[k]);
        for (int j = 0; j < 3; j++)
            p.x[k] = multiply_add(p.x[k], world[j], gz_f8_all(o->to_mesh[k][j]));
    }
    ball_answer ball = ask_balls(&o->mesh->proxy->clearance, &p, gz_f8_all(reach));
    if (depth) gz_f8_store(depth, gz_f8_mul(ball.values, gz_f8_all(1 / reach)));
    return todo & (~ball.clear | (o->solid || o->cap ? ball.inside : 0));
}

/// Lanes of `todo` in which a link may touch an object with a map and no caps: first a sphere
/// around all of it, in which nothing of the object lies where it is clear; then its cover, which
/// tells about surfaces only.
static unsigned cover_near(const gz_lane_object *o, const gz_seen_object *seen,
                           const gz_lane_link *l, float (*pose)[GZ_LANES], float pad, unsigned todo,
                           float *depth) {
    const gz_mesh_proxy *sketch = l->mesh->proxy;
    todo = sphere_near(o, seen, pose, l->center, (l->radius + pad) * 1.00001f, todo, depth);
    if (!todo) return 0;
    // A part of the object may lie in the link.
    if (gz_proxy_may_contain(l->mesh, l->solid, l->cap, o->mesh, (double)pad)) return todo;
    unsigned near = 0;
    for (int i = 0; i < sketch->sphere_count && near != todo; i++) {
        const gz_bounding_sphere *sphere = &sketch->spheres[i];
        near |= sphere_near(o, seen, pose, sphere->center, (sphere->radius + pad) * 1.00001f,
                            todo & ~near, NULL);
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
static inline unsigned object_near(const gz_lane_model *m, size_t link, size_t object,
                                   const gz_f8 turned[3], unsigned todo, gz_lane_block *block) {
    const gz_lane_object *o = &m->objects[object];
    const gz_lane_link *l = &m->links[link];
    gz_seen_object *seen = &block->objects[object];
    if (m->allowed && m->allowed[link * m->object_count + object]) return 0;
    float pad = (4 * l->error + seen->pad) * 1.001f;
    if (m->margins) pad += m->margins[link * m->object_count + object];
    // A scene is around the robot: its map says more than its box, and as quickly.
    if (o->has_map && l->mesh && !o->cap)
        return cover_near(o, seen, l, block->poses[l->body], pad + seen->mesh_pad, todo,
                          block->touches[block->touch_count].depth);
    todo &= ~object_apart(o, seen, turned, (l->radius + pad) * 1.00001f);
    if (!todo) return 0;
    // The object comes first: it may be long, and its axes are orthonormal to a few u, which the
    // pad covers for any link. Those of a link at the end of a long chain are not.
    return boxes_near(seen->box, o->half, place_box(m, block, (int32_t)link), l->half, pad, todo);
}

/// Lanes of `wanted` in which a link's sphere may come near some object of a large world. Moving
/// its centre there rounds by u of the sum, twice.
static unsigned vicinity_near(const gz_lane_model *m, size_t link, const double origin[12],
                              const gz_lane_block *block, unsigned wanted) {
    const gz_lane_link *l = &m->links[link];
    unsigned near = 0;
    for (unsigned rest = wanted; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        float center[3], reach = (l->radius + 4 * l->error) * 1.001f;
        for (int k = 0; k < 3; k++) {
            float o = (float)origin[4 * k + 3], c = block->centers[link][k][lane];
            center[k] = o + c;
            reach += 0x1p-20f * (fabsf(o) + fabsf(c));
        }
        near |= (unsigned)gz_vicinity_near(block->vicinity, center, reach) << lane;
    }
    return near;
}

/// Notes a link and an object, whose depth is written already where it has a map.
static inline void add_touch(gz_lane_block *block, size_t link, int32_t object, unsigned lanes) {
    gz_lane_touch *touch = &block->touches[block->touch_count++];
    touch->link = (int32_t)link;
    touch->object = object;
    touch->lanes = lanes;
}

static void filter_links(const gz_lane_model *m, const double origin[12], uint32_t wanted,
                         gz_lane_block *block) {
    block->touch_count = 0;
    if (!wanted) return;
    if (block->vicinity)
        gz_vicinity_aim(block->vicinity, (double[3]){origin[3], origin[7], origin[11]}, m->reach);
    see_objects(m, origin, block);
    for (size_t i = 0; i < m->link_count; i++) {
        if (m->all_near) {
            unsigned lanes = wanted;
            if (block->vicinity) lanes = vicinity_near(m, i, origin, block, wanted);
            if (lanes) add_touch(block, i, -1, lanes);
        }
        unsigned near = m->object_count ? world_near(m, i, origin, block, wanted) : 0;
        gz_f8 turned[3] = {gz_f8_all(0), gz_f8_all(0), gz_f8_all(0)}; // set by the first object
        for (size_t k = 0; near && k < m->object_count; k++) {
            if (!m->objects[k].like_last) turn_center(&m->objects[k], block->centers[i], turned);
            unsigned lanes = object_near(m, i, k, turned, near, block);
            if (lanes) add_touch(block, i, (int32_t)k, lanes);
        }
    }
}

#endif
