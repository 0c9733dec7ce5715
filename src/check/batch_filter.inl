// The filter over eight configurations: included by one source file per instruction set, which
// defines BATCH_FILTER (the identifier of the function pointer) first. Everything is file-local.

#include "broad/world_query.h"
#include "check/batch_pose.inl"
#include "narrow/prefilter/cell_lanes.h"

/// Bit 8 k + i: the spheres of pair first + k may touch in lane i. A squared distance rounds by 6
/// u, fused or not, which the slack in `apart2` covers (fill_pairs).
static uint64_t spheres_near(const gz_filter_pair *first, const gz_batch_block *block) {
    const float *centers = block->centers[0][0];
    uint64_t apart = 0;
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

/// Writes down the items (see items_near) of a pair whose spheres may touch in some lanes; returns
/// how many there are now.
static inline size_t add_items(const gz_filter_model *m, size_t pair, uint32_t lanes,
                               gz_batch_block *block, size_t count) {
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

/// The same, of the pairs that the tree over the links leaves in any of the lanes; of all where
/// links pile up.
static size_t list_found(const gz_filter_model *m, uint32_t wanted, gz_batch_block *block) {
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
    size_t items = m->tree ? list_found(m, wanted, block) : list_items(m, wanted, block);
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
                                    const gz_f8 turned[3], float reach) {
    gz_f8 d2 = gz_f8_all(0), none = d2;
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(turned[k], gz_f8_all(view->along[k])));
        d = gz_f8_max(gz_f8_sub(d, gz_f8_all(o->half[k])), none);
        d2 = gz_f8_muladd(d, d, d2);
    }
    return gz_f8_mask(gz_f8_greater(d2, gz_f8_all(reach * reach * 1.00001f)));
}

/// Lanes of `todo` in which one sphere of a link's cover may touch the mesh. Where an object counts
/// as solid, what is inside of it touches it. `depth`, where wanted: how far the sphere's middle is
/// from the surface, at least, in parts of its radius.
static unsigned sphere_near(const gz_filter_object *o, const gz_filter_view *view,
                            float (*pose)[GZ_LANES], const float center[3], float reach,
                            unsigned todo, float *depth) {
    moved_points p;
    gz_f8 world[3];
    for (int k = 0; k < 3; k++)
        world[k] = gz_f8_add(rotate_row(pose, k, center), load(pose[4 * k + 3]));
    for (int k = 0; k < 3; k++) {
        p.x[k] = gz_f8_all(view->shift[k]);
        for (int j = 0; j < 3; j++)
            p.x[k] = gz_f8_muladd(world[j], gz_f8_all(o->to_mesh[k][j]), p.x[k]);
    }
    ball_answer ball = ask_balls(&o->mesh->proxy->clearance, &p, gz_f8_all(reach));
    if (depth) gz_f8_store(depth, gz_f8_mul(ball.values, gz_f8_all(1 / reach)));
    return todo & (~ball.clear | (o->solid || o->cap ? ball.inside : 0));
}

/// Lanes of `todo` in which a link may touch an object with a map and no caps: first a sphere
/// around all of it, in which nothing of the object lies where it is clear; then its cover, which
/// tells about surfaces only.
static unsigned cover_near(const gz_filter_object *o, const gz_filter_view *view,
                           const gz_filter_link *l, float (*pose)[GZ_LANES], float pad,
                           unsigned todo, float *depth) {
    const gz_mesh_proxy *sketch = l->mesh->proxy;
    todo = sphere_near(o, view, pose, l->center, (l->radius + pad) * 1.00001f, todo, depth);
    if (!todo) return 0;
    // A part of the object may lie in the link.
    if (gz_proxy_may_contain(l->mesh, l->solid, l->cap, o->mesh, (double)pad)) return todo;
    unsigned near = 0;
    for (int i = 0; i < sketch->sphere_count && near != todo; i++) {
        const gz_bounding_sphere *sphere = &sketch->spheres[i];
        near |= sphere_near(o, view, pose, sphere->center, (sphere->radius + pad) * 1.00001f,
                            todo & ~near, NULL);
    }
    return near;
}

/// Lanes of `wanted` in which a link's sphere may come near some object.
static unsigned extent_near(const gz_filter_model *m, size_t link, const gz_batch_block *block,
                            unsigned wanted) {
    gz_f8 reach = gz_f8_all(m->reaches[link]), apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = load(block->centers[link][k]);
        gz_f8 low = gz_f8_sub(gz_f8_all(block->extent[0][k]), reach);
        gz_f8 high = gz_f8_add(gz_f8_all(block->extent[1][k]), reach);
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
    float pad = (4 * l->error + view->pad) * 1.001f + gz_filter_margin(m, link, object);
    // A scene is around the robot: its map says more than its box, and as quickly.
    if (o->has_map && l->mesh && !o->cap)
        return cover_near(o, view, l, block->poses[l->body], pad + view->mesh_pad, todo,
                          block->candidates[block->candidate_count].depth);
    todo &= ~object_apart(o, view, turned, (l->radius + pad) * 1.00001f);
    if (!todo) return 0;
    // The object comes first: it may be long, and its axes are orthonormal to a few u, which the
    // pad covers for any link. Those of a link at the end of a long chain are not.
    return boxes_near(block->seen[object], o->half, place_box(m, block, (int32_t)link), l->half,
                      pad, todo);
}

/// Lanes of `wanted` in which a link's sphere may come near some object of a large world. Moving
/// its centre there rounds by u of the sum, twice.
static unsigned vicinity_near(const gz_filter_model *m, size_t link, const double origin[12],
                              const gz_batch_block *block, unsigned wanted) {
    unsigned near = 0;
    for (unsigned rest = wanted; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        float center[3], reach = m->reaches[link];
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
    if (block->vicinity)
        gz_vicinity_aim(block->vicinity, (double[3]){origin[3], origin[7], origin[11]}, m->reach);
    view_objects(m, origin, block);
    for (size_t i = 0; i < m->link_count; i++) {
        if (m->all_near) {
            unsigned lanes = wanted;
            if (block->vicinity) lanes = vicinity_near(m, i, origin, block, wanted);
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

const gz_batch_filter BATCH_FILTER = filter_block;
