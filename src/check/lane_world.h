/// Links of eight configurations against the objects of the world; file-local parts of lane_body.h.
#ifndef GZ_CHECK_LANE_WORLD_H
#define GZ_CHECK_LANE_WORLD_H

#include <math.h>

#include "check/lane_box.h"
#include "narrow/clearance_ball.h"

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

#endif
