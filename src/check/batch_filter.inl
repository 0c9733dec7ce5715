// The filter of eight configurations side by side: poses and boxes in float.

#include "broad/world_query.h"
#include "check/filters.h"
#include "narrow/prefilter/cell_lanes.h"

static inline gz_f8 load(const float *p) {
    return gz_f8_load(p);
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
static inline void make_motion(const gz_filter_body *body, const double *const row[GZ_LANES],
                               gz_batch_motion *motion) {
    double value[GZ_LANES] = {0}, most = body->value_max;
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
        gz_filter_sine_cosine(value, motion->sine, motion->cosine);
    else
        for (int i = 0; i < GZ_LANES; i++) motion->sine[i] = (float)value[i];
}

/// Poses a body that turns about, or slides along, one of its own axes, with an origin that turns
/// its axes into those of its parent: column to[k] of the rotation is sign[k] times column from[k]
/// of the parent's, and a turn mixes two of these.
static inline void pose_permuted(const gz_filter_body *body, const gz_batch_motion *motion,
                                 float (*parent)[GZ_LANES], float (*out)[GZ_LANES]) {
    const float *p0 = parent[body->from[0]], *p1 = parent[body->from[1]],
                *p2 = parent[body->from[2]], *p3 = parent[3];
    float *o0 = out[body->to[0]], *o1 = out[body->to[1]], *o2 = out[body->to[2]], *o3 = out[3];
    gz_f8 a0 = gz_f8_all(body->sign[0]), a1 = gz_f8_all(body->sign[1]),
          a2 = gz_f8_all(body->sign[2]);
    gz_f8 t0 = gz_f8_all(body->shift[body->from[0]]), t1 = gz_f8_all(body->shift[body->from[1]]),
          t2 = gz_f8_all(body->shift[body->from[2]]);
    gz_f8 s = gz_f8_mul(load(motion->sine), gz_f8_all(body->sense)), c1 = a1, c2 = a2,
          s1 = gz_f8_all(0), s2 = s1;
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

/// Poses any other body: the joint's own rotation and translation after its origin, and the product
/// with the parent's.
static void pose_general(const gz_filter_body *body, const gz_batch_motion *motion,
                         float (*parent)[GZ_LANES], float (*out)[GZ_LANES]) {
    gz_f8 rotation[9], shift[3];
    const float(*columns)[4] = body->turns ? body->projection : body->rotation;
    for (int k = 0; k < 9; k++) rotation[k] = gz_f8_all(columns[k % 3][k / 3]);
    for (int k = 0; k < 3; k++) shift[k] = gz_f8_all(body->shift[k]);
    if (body->turns) {
        gz_f8 c = load(motion->cosine), s = load(motion->sine);
        for (int k = 0; k < 9; k++) {
            rotation[k] = gz_f8_muladd(c, gz_f8_all(body->cosine[k % 3][k / 3]), rotation[k]);
            rotation[k] = gz_f8_muladd(s, gz_f8_all(body->sine[k % 3][k / 3]), rotation[k]);
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
static bool pose_bases(const gz_filter_model *m, size_t count, double (*base)[12],
                       gz_batch_block *block) {
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
static void pose_bodies(const gz_filter_model *m, const double *q, size_t q_size, size_t count,
                        double (*base)[12], gz_batch_block *block) {
    const double *row[GZ_LANES];
    for (size_t i = 0; i < GZ_LANES; i++) row[i] = q + q_size * (i < count ? i : 0);
    for (size_t k = 0; k < q_size; k++) block->differs[k] = block->started ? 0 : 1;
    for (size_t i = 0; i < GZ_LANES; i++)
        compare_row(row[i], q_size, block->rows + q_size * i, block->differs);
    block->moved[0] = pose_bases(m, count, base, block);
    // The joints' own motions, which do not wait for each other.
    for (size_t b = 1; b < m->body_count; b++) {
        const gz_filter_body *body = &m->bodies[b];
        bool changed = body->column < 0 ? !block->started : block->differs[body->column] != 0;
        if (changed) make_motion(body, row, &block->motions[b]);
        block->moved[b] = changed || block->moved[body->parent];
        block->unfit |= block->motions[b].unfit;
    }
    block->started = true;
    for (size_t b = 1; b < m->body_count; b++) {
        if (!block->moved[b]) continue;
        const gz_filter_body *body = &m->bodies[b];
        float(*parent)[GZ_LANES] = block->poses[body->parent];
        if (body->permutes)
            pose_permuted(body, &block->motions[b], parent, block->poses[b]);
        else
            pose_general(body, &block->motions[b], parent, block->poses[b]);
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

static void place_spheres(const gz_filter_model *m, gz_batch_block *block) {
    for (size_t i = 0; i < m->link_count; i++) {
        int32_t body = m->links[i].body;
        if (!block->moved[body]) continue;
        place_point(block->poses[body], m->links[i].center, block->centers[i]);
        block->box_ready[i] = 0;
    }
}

static void make_box(const gz_filter_model *m, gz_batch_block *block, int32_t index) {
    const gz_filter_link *l = &m->links[index];
    float(*pose)[GZ_LANES] = block->poses[l->body], (*out)[GZ_LANES] = block->boxes[index];
    for (int k = 0; k < 3; k++) rotate(pose, l->box[k], out + 3 * k);
    place_point(pose, l->box[3], out + 9);
    block->box_ready[index] = 1;
}

/// Axes (rows 0 to 8: axis k, coordinate i at 3 k + i) and centre (9 to 11) of a link's box.
static inline float (*place_box(const gz_filter_model *m, gz_batch_block *block,
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

/// Tests one pair of boxes in all lanes, as near_boxes().
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
/// fill_pairs): in most pairs this decides what two spheres do not.
static inline unsigned ball_apart(const gz_filter_model *m, gz_batch_block *block,
                                  const gz_filter_pair *p) {
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
static unsigned items_near(const gz_filter_model *m, gz_batch_block *block,
                           const uint32_t item[GZ_LANES]) {
    const float *a[GZ_LANES], *b[GZ_LANES], *from[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        const gz_filter_pair *p = &m->pairs[item[i] / GZ_LANES];
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

// The filter over eight configurations: included by one source file per instruction set, which
// defines BATCH_FILTER (the identifier of the function pointer) first. Everything is file-local.

/// Bit 8 k + i: the spheres of pair first + k may touch in lane i. A squared distance rounds by 6
/// u, fused or not, which the slack in `apart2` covers (fill_pairs).
static uint64_t spheres_near(const gz_filter_pair *first, const gz_batch_block *block) {
    const float *centers = block->centers[0][0];
    uint64_t apart = 0;
#pragma GCC unroll 8
    for (size_t k = 0; k < GZ_LANES; k++) {
        const float *a = centers + first[k].center_a, *b = centers + first[k].center_b;
        gz_f8 x = gz_f8_sub(load(a), load(b)),
              y = gz_f8_sub(load(a + GZ_LANES), load(b + GZ_LANES)),
              z = gz_f8_sub(load(a + 2 * GZ_LANES), load(b + 2 * GZ_LANES));
        gz_f8 d2 = gz_f8_muladd(z, z, gz_f8_muladd(y, y, gz_f8_mul(x, x)));
        apart |= (uint64_t)gz_f8_mask(gz_f8_greater(d2, gz_f8_all(first[k].apart2))) << 8 * k;
    }
    return ~apart;
}

/// Lanes of `wanted` in which the table of a pair proves it free.
static unsigned table_apart(const gz_filter_model *m, const gz_batch_block *block,
                            const gz_filter_pair *p, unsigned wanted) {
    unsigned apart = 0;
    for (unsigned rest = wanted; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        const double *q = block->rows + m->q_size * (size_t)lane;
        apart |= (unsigned)(gz_pair_table_at(p->table, q) >= p->table_least) << lane;
    }
    return apart;
}

/// Writes down the items (see items_near) of a pair whose spheres may touch in some lanes; returns
/// how many there are now.
static inline size_t add_items(const gz_filter_model *m, size_t pair, uint32_t lanes,
                               gz_batch_block *block, size_t count) {
    if (m->pairs[pair].table) lanes &= ~table_apart(m, block, &m->pairs[pair], lanes);
    lanes &= ~ball_apart(m, block, &m->pairs[pair]);
    for (; lanes; lanes &= lanes - 1)
        block->items[count++] = (uint32_t)(GZ_LANES * pair) + (uint32_t)__builtin_ctz(lanes);
    return count;
}

/// Fills up the last eight items with the last one, which changes nothing.
static size_t end_items(gz_batch_block *block, size_t count) {
    for (size_t k = count; count && k % GZ_LANES; k++) block->items[k] = block->items[count - 1];
    return count;
}

/// Writes down the items, in order, that spheres leave in the wanted lanes; the pairs come in whole
/// eights.
static size_t list_items(const gz_filter_model *m, uint32_t wanted, gz_batch_block *block) {
    size_t n = 0;
    for (size_t i = 0; i < m->pair_count; i += GZ_LANES) {
        uint64_t near = spheres_near(&m->pairs[i], block) & wanted * 0x0101010101010101u;
        while (near) {
            uint32_t k = (uint32_t)__builtin_ctzll(near) / GZ_LANES, first = GZ_LANES * k;
            n = add_items(m, i + k, (uint32_t)(near >> first) & 0xff, block, n);
            near &= ~((uint64_t)0xff << first);
        }
    }
    return end_items(block, n);
}

/// Writes down the items of the pairs that the tree over the links leaves in any of the lanes; of
/// all pairs where too many links are in one place.
static size_t list_tree_items(const gz_filter_model *m, uint32_t wanted, gz_batch_block *block) {
    const float *centers = block->centers[0][0];
    gz_link_search_begin(block->search);
    for (uint32_t lanes = wanted; lanes; lanes &= lanes - 1) {
        const float *own = centers + __builtin_ctz(lanes);
        if (!gz_link_tree_find_balls(m->tree, block->search, own, own + GZ_LANES,
                                     own + 2 * GZ_LANES, 3 * GZ_LANES, m->radii))
            return list_items(m, wanted, block);
    }
    size_t n = 0;
    for (int32_t pair; (pair = gz_link_search_next(block->search)) >= 0;) {
        size_t i = (size_t)pair - gz_link_tree_fixed_before(m->tree, (size_t)pair);
        const gz_filter_pair *p = &m->pairs[i];
        gz_f8 d2 = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(load(centers + p->center_a + k * GZ_LANES),
                                load(centers + p->center_b + k * GZ_LANES));
            d2 = gz_f8_muladd(d, d, d2);
        }
        uint32_t near = ~gz_f8_mask(gz_f8_greater(d2, gz_f8_all(p->apart2))) & wanted;
        if (near) n = add_items(m, i, near, block, n);
    }
    return end_items(block, n);
}

static void filter_pairs(const gz_filter_model *m, uint32_t wanted, gz_batch_block *block) {
    size_t items = m->tree ? list_tree_items(m, wanted, block) : list_items(m, wanted, block);
    gz_batch_pair *last = NULL;
    block->pair_count = 0;
    for (size_t first = 0; first < items; first += GZ_LANES) {
        unsigned near = items_near(m, block, block->items + first);
        for (; near; near &= near - 1) {
            uint32_t item = block->items[first + (size_t)__builtin_ctz(near)];
            int32_t own = (int32_t)(item / GZ_LANES);
            if (!last || last->own != own) {
                last = &block->pairs[block->pair_count++];
                *last = (gz_batch_pair){m->pairs[own].pair, own, 0};
            }
            last->lanes |= 1u << item % GZ_LANES;
        }
    }
}

// ----------------------------------------------------------------------------------------- objects

/// Where all objects are, seen from a base; known already where the last block's was there.
static void view_objects(const gz_filter_model *m, const double base[12], gz_batch_block *block) {
    double origin[3] = {base[3], base[7], base[11]};
    if (block->has_views && memcmp(origin, block->origin, sizeof origin) == 0) return;
    memcpy(block->origin, origin, sizeof origin);
    block->has_views = true;
    gz_filter_view_extent(m, base, block->extent);
    for (size_t k = 0; k < m->object_count; k++) {
        const gz_filter_object *o = &m->objects[k];
        block->views[k] = gz_filter_view_make(o, base);
        for (int j = 0; j < 12; j++)
            gz_f8_store(block->seen[k][j],
                        gz_f8_all(j < 9 ? o->axis[j / 3][j % 3] : block->views[k].center[j - 9]));
    }
}

/// A sphere's centre along an object's axes.
static inline void turn_center(const gz_filter_object *o, float (*center)[GZ_LANES], gz_f8 out[3]) {
    gz_f8 x = load(center[0]), y = load(center[1]), z = load(center[2]);
    for (int k = 0; k < 3; k++) {
        gz_f8 p = gz_f8_mul(x, gz_f8_all(o->axis[k][0]));
        p = gz_f8_muladd(y, gz_f8_all(o->axis[k][1]), p);
        out[k] = gz_f8_muladd(z, gz_f8_all(o->axis[k][2]), p);
    }
}

/// Lanes in which a sphere is farther from an object's box than its reach. Turning rounds by 3 u of
/// the lengths of both centres: less than the fourth part of the link's error that is in the
/// reach four times, and of the object's pad, 64 u of its centre, what gz_filter_view_make()
/// leaves.
static inline unsigned object_apart(const gz_filter_object *o, const gz_filter_view *view,
                                    const gz_f8 turned[3], float threshold) {
    gz_f8 d2 = gz_f8_all(0), none = d2;
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(turned[k], gz_f8_all(view->along[k])));
        d = gz_f8_max(gz_f8_sub(d, gz_f8_all(o->half[k])), none);
        d2 = gz_f8_muladd(d, d, d2);
    }
    return gz_f8_mask(gz_f8_greater(d2, gz_f8_all(threshold * threshold * GZ_ROUND_UP)));
}

/// Lanes of `todo` in which one of a link's bounding spheres, posed, may touch the mesh. Where an
/// object counts as solid, what is inside of it touches it. `depth`, where wanted: how far the
/// sphere's middle is from the surface, at least, in parts of its radius.
static unsigned sphere_near(const gz_filter_object *o, const gz_filter_view *view,
                            float (*center)[GZ_LANES], float threshold, unsigned todo,
                            float *depth) {
    moved_points p;
    for (int k = 0; k < 3; k++) {
        p.x[k] = gz_f8_all(view->shift[k]);
        for (int j = 0; j < 3; j++)
            p.x[k] = gz_f8_muladd(load(center[j]), gz_f8_all(o->to_mesh[k][j]), p.x[k]);
    }
    ball_answer ball = query_balls(&o->mesh->proxy->clearance, &p, gz_f8_all(threshold));
    if (depth) gz_f8_store(depth, gz_f8_mul(ball.values, gz_f8_all(1 / threshold)));
    return todo & (~ball.clear | (o->solid || o->cap ? ball.inside : 0));
}

/// Lanes of `todo` in which a link may touch an object with a map and no caps: first a sphere
/// around all of it, in which nothing of the object lies where it is clear; then its sphere set,
/// which bounds surfaces only.
static unsigned spheres_near_map(const gz_filter_object *o, const gz_filter_view *view,
                                 const gz_filter_link *l, float (*pose)[GZ_LANES],
                                 float (*center)[GZ_LANES], float pad, unsigned todo,
                                 float *depth) {
    const gz_mesh_proxy *proxy = l->mesh->proxy;
    todo = sphere_near(o, view, center, (l->radius + pad) * GZ_ROUND_UP, todo, depth);
    if (!todo) return 0;
    // A part of the object may lie in the link.
    if (gz_proxy_may_contain(l->mesh, l->solid, l->cap, o->mesh, (double)pad)) return todo;
    unsigned near = 0;
    for (int i = 0; i < proxy->sphere_count && near != todo; i++) {
        const gz_bounding_sphere *sphere = &proxy->spheres[i];
        float at[3][GZ_LANES];
        place_point(pose, sphere->center, at);
        near |= sphere_near(o, view, at, (sphere->radius + pad) * GZ_ROUND_UP, todo & ~near, NULL);
    }
    return near;
}

/// Lanes of `wanted` in which a link's sphere may come near some object.
static unsigned extent_near(const gz_filter_model *m, size_t link, const gz_batch_block *block,
                            unsigned wanted) {
    gz_f8 threshold = gz_f8_all(m->radius_bounds[link]), apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = load(block->centers[link][k]);
        gz_f8 low = gz_f8_sub(gz_f8_all(block->extent[0][k]), threshold);
        gz_f8 high = gz_f8_add(gz_f8_all(block->extent[1][k]), threshold);
        apart = gz_f8_or(apart, gz_f8_or(gz_f8_greater(low, c), gz_f8_greater(c, high)));
    }
    return wanted & ~gz_f8_mask(apart);
}

/// Lanes of `todo` in which a link may touch an object.
static inline unsigned object_near(const gz_filter_model *m, size_t link, size_t object,
                                   const gz_f8 turned[3], unsigned todo, gz_batch_block *block) {
    const gz_filter_object *o = &m->objects[object];
    const gz_filter_link *l = &m->links[link];
    const gz_filter_view *view = &block->views[object];
    if (m->allowed && m->allowed[(size_t)l->link * m->object_count + object]) return 0;
    float pad = (4 * l->error + view->pad) * GZ_PAD_ROUND_UP + gz_filter_margin(m, link, object);
    // A scene is around the robot: its map decides more than its box, and as quickly.
    if (o->has_map && l->mesh && !o->cap)
        return spheres_near_map(o, view, l, block->poses[l->body], block->centers[link],
                                pad + view->mesh_pad, todo,
                                block->candidates[block->candidate_count].depth);
    todo &= ~object_apart(o, view, turned, (l->radius + pad) * GZ_ROUND_UP);
    if (!todo) return 0;
    // The object comes first: it may be long, and its axes are orthonormal to a few u, which the
    // pad covers for any link. Those of a link at the end of a long chain are not.
    return boxes_near(block->seen[object], o->half, place_box(m, block, (int32_t)link), l->half,
                      pad, todo);
}

/// Lanes of `wanted` in which a link's sphere may come near some object of a large world. Moving
/// its centre there rounds by u of the sum, twice.
static unsigned local_tree_near(const gz_filter_model *m, size_t link, const double origin[12],
                                const gz_batch_block *block, unsigned wanted) {
    unsigned near = 0;
    for (unsigned rest = wanted; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        float center[3], threshold = m->radius_bounds[link];
        for (int k = 0; k < 3; k++) {
            float o = (float)origin[4 * k + 3], c = block->centers[link][k][lane];
            center[k] = o + c;
            threshold += 0x1p-20f * (fabsf(o) + fabsf(c));
        }
        near |= (unsigned)gz_local_tree_near(block->local_tree, center, threshold) << lane;
    }
    return near;
}

/// Notes a link and an object, whose depth is written already where it has a map.
static inline void add_candidate(gz_batch_block *block, size_t link, int32_t object,
                                 unsigned lanes) {
    gz_batch_candidate *candidate = &block->candidates[block->candidate_count++];
    candidate->link = (int32_t)link;
    candidate->object = object;
    candidate->lanes = lanes;
}

static void filter_links(const gz_filter_model *m, const double origin[12], uint32_t wanted,
                         gz_batch_block *block) {
    block->candidate_count = 0;
    if (!wanted) return;
    if (block->local_tree)
        gz_local_tree_aim(block->local_tree, (double[3]){origin[3], origin[7], origin[11]},
                          m->workspace_radius);
    view_objects(m, origin, block);
    for (size_t i = 0; i < m->link_count; i++) {
        if (m->all_near) {
            unsigned lanes = wanted;
            if (block->local_tree) lanes = local_tree_near(m, i, origin, block, wanted);
            if (lanes) add_candidate(block, i, -1, lanes);
        }
        unsigned near = m->object_count ? extent_near(m, i, block, wanted) : 0;
        gz_f8 turned[3] = {gz_f8_all(0), gz_f8_all(0), gz_f8_all(0)}; // set by the first object
        for (size_t k = 0; near && k < m->object_count; k++) {
            if (!m->objects[k].like_last) turn_center(&m->objects[k], block->centers[i], turned);
            unsigned lanes = object_near(m, i, k, turned, near, block);
            if (lanes) add_candidate(block, i, (int32_t)k, lanes);
        }
    }
}

static void filter_block(const gz_filter_model *m, const double *q, size_t q_size, size_t count,
                         double (*base)[12], gz_batch_block *block) {
    pose_bodies(m, q, q_size, count, base, block);
    place_spheres(m, block);
    uint32_t wanted = ((1u << count) - 1) & ~block->unfit;
    filter_pairs(m, wanted, block);
    filter_links(m, base[0], wanted, block);
    block->left = 0;
    for (size_t i = 0; i < block->pair_count; i++) block->left |= block->pairs[i].lanes;
    for (size_t i = 0; i < block->candidate_count; i++) block->left |= block->candidates[i].lanes;
}
