/// Links of one configuration against the objects of the world; file-local parts of single_body.h.
#ifndef GZ_CHECK_SINGLE_WORLD_H
#define GZ_CHECK_SINGLE_WORLD_H

#include "broad/world_query.h"
#include "check/single_pose.h"
#include "narrow/prefilter/cell_lanes.h"

/// The box's centre is off by u times its size, its axes by u each, and so are its half extents;
/// the mesh's frame by as much of the mesh's reach.
static void see_object(const gz_lane_object *o, const double origin[12], gz_single_object *out) {
    float size = o->size, d[3], far = o->mesh ? (float)o->mesh->max_abs : 0;
    gz_f4 rows[4];
    for (int k = 0; k < 3; k++) {
        float center = (float)(o->center[k] - origin[4 * k + 3]);
        size += fabsf(center);
        d[k] = (float)(origin[4 * k + 3] - o->mesh_origin[k]);
        far += fabsf(d[k]);
        rows[k] = gz_f4_set(o->axis[0][k], o->axis[1][k], o->axis[2][k], center);
        gz_f4_store(out->box.row[k], rows[k]);
        out->half[k] = o->half[k];
    }
    rows[3] = gz_f4_all(0);
    out->half[3] = 0;
    gz_f4_transpose(rows);
    for (int j = 0; j < 4; j++) gz_f4_store(out->box.column[j], rows[j]);
    out->pad = size * 0x1p-18f;
    out->mesh_pad = far * 0x1p-18f;
    for (int k = 0; k < 3; k++)
        out->shift[k] = (o->to_mesh[k][0] * d[0] + o->to_mesh[k][1] * d[1]) +
                        o->to_mesh[k][2] * d[2];
}

/// Where the objects are, seen from a base; known already where the base is that of the last call.
static void see_objects(const gz_single_model *m, const double base[12], gz_single_scratch *s) {
    if (s->seen && memcmp(s->seen_base, base, sizeof s->seen_base) == 0) return;
    memcpy(s->seen_base, base, sizeof s->seen_base);
    s->seen = true;
    memset(s->places, 0, m->group_count * sizeof *s->places);
    for (size_t k = 0; k < m->object_count; k++) {
        see_object(&m->objects[k], base, &s->objects[k]);
        float(*place)[GZ_LANES] = s->places[k / GZ_LANES];
        for (int i = 0; i < 3; i++) place[i][k % GZ_LANES] = s->objects[k].box.column[3][i];
        place[3][k % GZ_LANES] = s->objects[k].pad;
    }
}

/// Which objects each link may touch: all that are checked, but for those with a map that says that
/// all of the link's sphere is clear of them. Where an object counts as solid, what is inside of it
/// touches it; the map knows nothing of caps. Of the link's errors, four times what a point is off,
/// one part covers the rounding of the way into the mesh's frame.
static void find_possible(const gz_single_model *m, gz_single_scratch *s) {
    memcpy(s->possible, m->present, m->link_count * m->group_count);
    for (size_t k = 0; k < m->object_count; k++) {
        const gz_lane_object *o = &m->objects[k];
        const gz_single_object *seen = &s->objects[k];
        if (!o->has_map || o->cap) continue;
        for (size_t i = 0; i < m->link_count; i += GZ_LANES) {
            moved_points p;
            for (int j = 0; j < 3; j++) {
                p.x[j] = gz_f8_all(seen->shift[j]);
                for (int n = 0; n < 3; n++)
                    p.x[j] = gz_f8_muladd(gz_f8_load(s->centers[n] + i),
                                          gz_f8_all(o->to_mesh[j][n]), p.x[j]);
            }
            float reach[GZ_LANES];
            for (size_t lane = 0; lane < GZ_LANES; lane++) {
                size_t link = i + lane < m->link_count ? i + lane : 0;
                float margin = m->margins ? m->margins[link * m->group_count * GZ_LANES + k] : 0;
                reach[lane] = (m->reaches[i + lane] + 2 * seen->mesh_pad + margin) * 1.00001f;
            }
            ball_answer ball = ask_balls(&o->mesh->proxy->clearance, &p, gz_f8_load(reach));
            unsigned apart = ball.clear & ~(o->solid ? ball.inside : 0) & 0xff;
            for (; apart; apart &= apart - 1) {
                size_t link = i + (size_t)__builtin_ctz(apart);
                if (link < m->link_count)
                    s->possible[link * m->group_count + k / GZ_LANES] &= (uint8_t) ~(
                        1u << k % GZ_LANES);
            }
        }
    }
}

/// The box around all objects, seen from the base's origin, and grown by its rounding.
static void see_extent(const gz_single_model *m, const double origin[12], float extent[2][3]) {
    for (int k = 0; k < 3; k++) {
        float low = (float)(m->extent[0][k] - origin[4 * k + 3]),
              high = (float)(m->extent[1][k] - origin[4 * k + 3]);
        float pad = 0x1p-20f * (fabsf(low) + fabsf(high));
        extent[0][k] = low - pad;
        extent[1][k] = high + pad;
    }
}

/// Which of eight links' spheres may reach the box around all objects.
static unsigned extent_near(const gz_single_model *m, size_t first, float extent[2][3],
                            const gz_single_scratch *s) {
    gz_f8 reach = gz_f8_load(m->reaches + first), apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_load(s->centers[k] + first);
        gz_f8 low = gz_f8_sub(gz_f8_all(extent[0][k]), reach);
        gz_f8 high = gz_f8_add(gz_f8_all(extent[1][k]), reach);
        apart = gz_f8_or(apart, gz_f8_or(gz_f8_greater(low, c), gz_f8_greater(c, high)));
    }
    return ~gz_f8_mask(apart);
}

/// Which of eight objects' boxes the sphere of a link may reach.
static unsigned group_near(const gz_single_model *m, size_t link, size_t group,
                           const gz_single_scratch *s) {
    const gz_single_group *g = &m->groups[group];
    float(*place)[GZ_LANES] = s->places[group];
    gz_f8 d[3], square = gz_f8_all(0), none = gz_f8_all(0);
    for (int k = 0; k < 3; k++)
        d[k] = gz_f8_sub(gz_f8_all(s->centers[k][link]), gz_f8_load(place[k]));
    for (int k = 0; k < 3; k++) {
        gz_f8 p = gz_f8_mul(d[0], gz_f8_load(g->axis[k][0]));
        p = gz_f8_muladd(d[1], gz_f8_load(g->axis[k][1]), p);
        p = gz_f8_muladd(d[2], gz_f8_load(g->axis[k][2]), p);
        gz_f8 out = gz_f8_max(gz_f8_sub(gz_f8_abs(p), gz_f8_load(g->half[k])), none);
        square = gz_f8_muladd(out, out, square);
    }
    // The pads are as look_at_object() has them; what is a little more covers their rounding.
    gz_f8 reach = gz_f8_add(gz_f8_load(place[3]), gz_f8_all(m->reaches[link]));
    if (m->margins)
        reach = gz_f8_add(reach,
                          gz_f8_load(m->margins + (link * m->group_count + group) * GZ_LANES));
    reach = gz_f8_mul(reach, gz_f8_all(1.0015f));
    unsigned apart = gz_f8_mask(gz_f8_greater(square, gz_f8_mul(reach, reach)));
    return s->possible[link * m->group_count + group] & ~apart;
}

/// A link's pose in the frame of an object's mesh, with the error of gz_lane_touch_judge(): the
/// link's pose is off by its errors, the object's frame by its pad. Returns that error.
static double enter_mesh(const gz_lane_object *o, const gz_single_object *seen,
                         const gz_single_link *l, float (*pose)[4], float r[3][3], float t[3]) {
    gz_f4 rows[4];
    for (int j = 0; j < 4; j++) rows[j] = gz_f4_load(pose[j]);
    gz_f4_transpose(rows);
    float size = 0;
    for (int i = 0; i < 3; i++) {
        gz_f4 row = gz_f4_mul(rows[0], gz_f4_all(o->to_mesh[i][0]));
        row = gz_f4_muladd(rows[1], gz_f4_all(o->to_mesh[i][1]), row);
        row = gz_f4_muladd(rows[2], gz_f4_all(o->to_mesh[i][2]), row);
        float out[4];
        gz_f4_store(out, row);
        memcpy(r[i], out, sizeof r[i]);
        t[i] = out[3] + seen->shift[i];
        size += fabsf(t[i]) + fabsf(seen->shift[i]);
    }
    double reach = 2 * (l->mesh->max_abs + o->mesh->max_abs) + (double)size;
    double turn = (double)l->turn + 32 * 0x1p-24;
    return 1.01 * ((double)l->error + (double)seen->mesh_pad + turn * reach);
}

/// Whether a link may touch an object with a map, which all of its sphere may: its cover tells
/// about surfaces only. The pad covers the error of the pose and twice that of asking.
static bool cover_near(const gz_lane_object *o, const gz_single_link *l, const float r[3][3],
                       const float t[3], float pad) {
    if (o->cap) return true; // the map knows nothing of caps
    // A part of the object may lie in the link.
    if (gz_proxy_may_contain(l->mesh, l->solid, l->cap, o->mesh, (double)pad)) return true;
    for (int g = 0; g < l->cover_count; g++) {
        moved_points p = move_group(r, t, l->cover[g]);
        gz_f8 reach = gz_f8_mul(gz_f8_add(gz_f8_load(l->cover[g][3]), gz_f8_all(pad)),
                                gz_f8_all(1.00001f));
        ball_answer ball = ask_balls(&o->mesh->proxy->clearance, &p, reach);
        if ((~ball.clear & 0xff) | (o->solid ? ball.inside : 0)) return true;
    }
    return false;
}

/// What is known of a link and an object whose sphere and box are near.
static gz_proxy_answer look_at_object(const gz_single_model *m, size_t link, size_t object,
                                      bool meet, bool *is_apart, gz_single_scratch *s) {
    const gz_single_link *l = &m->links[link];
    const gz_lane_object *o = &m->objects[object];
    const gz_single_object *seen = &s->objects[object];
    float margin = m->margins ? m->margins[link * m->group_count * GZ_LANES + object] : 0;
    float pad = (4 * l->error + seen->pad) * 1.001f + margin;
    // The object first: see object_near() in lane_world.h.
    *is_apart = boxes_apart(&seen->box, seen->half, place_box(m, s, (int32_t)link), l->half, pad);
    if (*is_apart || !l->mesh || !o->mesh) return GZ_PROXY_UNKNOWN;
    gz_proxy_pair pair = {.a = l->mesh,
                          .b = o->mesh,
                          .meet = meet,
                          .solid_a = l->solid,
                          .part = o->has_map ? NULL : &o->part,
                          .box = o->is_box,
                          .solid_b = o->solid,
                          .cap_a = l->cap,
                          .cap_b = o->cap};
    double error = enter_mesh(o, seen, l, s->poses[l->body], pair.r, pair.t);
    *is_apart = o->has_map && !cover_near(o, l, (const float(*)[3])pair.r, pair.t,
                                          (float)error + 2 * seen->mesh_pad + margin);
    if (*is_apart || !l->moves) return GZ_PROXY_UNKNOWN;
    if (l->mesh->proxy->clearance.cell_count && !o->has_map) return GZ_PROXY_UNKNOWN;
    gz_proxy_pair_grow(&pair, error, (double)margin);
    return m->kernels->proxy_pair(&pair);
}

/// One link against the objects. False where it is certain to meet one. A link that no joint moves
/// goes against the whole world, once per base; so does one near a curved object, or with curved
/// elements, whose verdict could depend on the bounds that are asked on the way.
static bool look_at_link(const gz_single_model *m, size_t link, const uint8_t *free, bool meet,
                         gz_single_scratch *s, graze_stats *stats) {
    const gz_single_link *l = &m->links[link];
    bool counted = false;
    for (size_t g = 0; g < m->group_count; g++) {
        unsigned near = group_near(m, link, g, s);
        for (; near; near &= near - 1) {
            size_t object = g * GZ_LANES + (size_t)__builtin_ctz(near);
            bool is_apart;
            gz_proxy_answer answer = look_at_object(m, link, object, meet, &is_apart, s);
            if (is_apart) continue;
            stats->lane_rejects -= !counted;
            counted = true;
            if (!l->moves || !l->mesh || !m->objects[object].mesh) {
                if (!free || !free[l->link]) s->touches[s->touch_count++] = (gz_touch){l->link, -1};
                return true;
            }
            gz_touch touch = {l->link, (int32_t)object};
            if (answer == GZ_PROXY_OVERLAP) {
                stats->sketch_hits++;
                s->certain_touch = touch;
                return false;
            }
            if (answer == GZ_PROXY_APART)
                stats->sketch_rejects++;
            else
                s->touches[s->touch_count++] = touch;
        }
    }
    return true;
}

/// Whether the tree over the world has an object near a link: the box around the link's oriented
/// box, grown by four times what that may be off, which covers the rounding here and what the box
/// in double is grown by (gz_link.pad, gz_pose_pad()).
static bool world_near(const gz_single_model *m, size_t link, const double origin[12],
                       gz_single_scratch *s, graze_stats *stats) {
    const gz_single_link *l = &m->links[link];
    const gz_single_box *box = place_box(m, s, (int32_t)link);
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        float extent = 4 * l->error;
        for (int j = 0; j < 3; j++) extent += fabsf(box->row[k][j]) * l->half[j];
        double center = origin[4 * k + 3] + (double)box->row[k][3];
        low[k] = center - ((double)extent * (1 + 0x1p-20) + l->reach);
        high[k] = center + ((double)extent * (1 + 0x1p-20) + l->reach);
    }
    const double place[3] = {origin[3], origin[7], origin[11]};
    return gz_world_query_near(s->vicinity, place, s->reach, m->world, low, high, s->candidates,
                               s->stack, &stats->node_tests) > 0;
}

/// Links of a world that is left to the tree over it. What is asked of a link that no joint moves
/// is not counted.
static void list_near_links(const gz_single_model *m, const double base[12], const uint8_t *free,
                            gz_single_scratch *s, graze_stats *stats) {
    for (size_t i = 0; i < m->link_count; i++) {
        const gz_single_link *l = &m->links[i];
        if (l->moves ? world_near(m, i, base, s, stats) : !free || !free[l->link])
            s->touches[s->touch_count++] = (gz_touch){l->link, -1};
        else
            stats->lane_rejects += l->moves;
    }
}

static void list_touches(const gz_single_model *m, const double base[12], const uint8_t *free,
                         bool meet, gz_single_scratch *s, graze_stats *stats) {
    s->touch_count = 0;
    s->certain_touch = (gz_touch){-1, -1};
    if (!m->has_world) return;
    if (m->all_near) {
        list_near_links(m, base, free, s, stats);
        return;
    }
    if (m->object_count == 0) {
        stats->lane_rejects += m->link_count;
        return;
    }
    float extent[2][3];
    see_objects(m, base, s);
    find_possible(m, s);
    see_extent(m, base, extent);
    for (size_t i = 0; i < m->link_count; i += GZ_LANES) {
        unsigned there = m->link_count - i < GZ_LANES ? (1u << (m->link_count - i)) - 1 : 0xff;
        unsigned near = extent_near(m, i, extent, s) & there;
        stats->lane_rejects += (uint64_t)__builtin_popcount(there & ~near);
        for (; near; near &= near - 1) {
            stats->lane_rejects++;
            if (!look_at_link(m, i + (size_t)__builtin_ctz(near), free, meet, s, stats)) return;
        }
    }
}

#endif
