// The descent of a tree over links against itself: included by one source file per instruction set,
// which defines LINK_FINDER (the identifier of the function pointer) first. Everything is
// file-local.

#include <math.h>

#include "check/link_tree.h"
#include "math/lanes.h"
#include "math/rounding.h"

/// The index of the pair of two links, which is one of the checker's. In its row the pairs stand in
/// the order of the later link, at most as many places before where they would with all of them as
/// there are pairs left out.
static size_t pair_index(const gz_link_tree *t, int32_t a, int32_t b) {
    int32_t later = t->links[b];
    size_t end = (size_t)t->row_ends[a], start = a ? (size_t)t->row_ends[a - 1] : 0;
    size_t most = start + (size_t)(b - a - 1),
           missing = t->link_count - (size_t)a - 1 - (end - start);
    size_t low = most - start > missing ? most - missing : start,
           high = most < end ? most : end - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->pairs[middle].b < later)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_pair(const gz_link_tree *t, gz_link_search *s, int32_t a, int32_t b) {
    gz_link_search_add(s, a < b ? pair_index(t, a, b) : pair_index(t, b, a));
}

/// Lanes of b whose spheres may touch sphere i of a. The square is off by at most 6 roundings of
/// 2^-24, the right side by 4: less than the factor covers.
static unsigned link_spheres_near(const gz_link_spheres *a, unsigned i, const gz_link_spheres *b) {
    gz_f8 d2 = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_sub(gz_f8_load(b->center[k]), gz_f8_all(a->center[k][i]));
        d2 = gz_f8_muladd(d, d, d2);
    }
    gz_f8 r = gz_f8_add(gz_f8_load(b->radius), gz_f8_all(a->radius[i]));
    gz_f8 r2 = gz_f8_mul(gz_f8_mul(r, r), gz_f8_all(GZ_ROUND_UP));
    return ~gz_f8_mask(gz_f8_greater(d2, r2)) & 255;
}

/// Lanes of a block's spheres whose boxes overlap that of another block; as bound_links() rounds.
static unsigned link_spheres_near_box(const gz_link_spheres *a, const float bound[8]) {
    gz_f8 apart = gz_f8_all(0), r = gz_f8_load(a->radius);
    for (int k = 0; k < 3; k++) {
        gz_f8 x = gz_f8_load(a->center[k]);
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_sub(x, r), gz_f8_all(bound[k])));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_all(-bound[4 + k]), gz_f8_add(x, r)));
    }
    return ~gz_f8_mask(apart) & 255;
}

/// Pairs of some links of a block with those of another one, or of the same.
static void find_links(const gz_link_tree *t, gz_link_search *s, int32_t a, unsigned from,
                       int32_t b) {
    uint64_t wanted = t->wanted[(size_t)a * t->levels[0].count + (size_t)b];
    const int32_t *own = t->levels[0].children + 8 * a, *other = t->levels[0].children + 8 * b;
    for (; from; from &= from - 1) {
        unsigned i = (unsigned)__builtin_ctz(from), row = (unsigned)(wanted >> 8 * i) & 255;
        if (!row) continue;
        unsigned near = link_spheres_near(&s->spheres[a], i, &s->spheres[b]) & row;
        for (; near; near &= near - 1) add_pair(t, s, own[i], other[__builtin_ctz(near)]);
    }
}

/// Lanes of a block's boxes that a box overlaps. No rounding: boxes are compared as they are.
static unsigned link_boxes_near(const gz_link_boxes *boxes, const float low[3],
                                const float high[3]) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_load(boxes->low[k]), gz_f8_all(high[k])));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_all(low[k]), gz_f8_load(boxes->high[k])));
    }
    return ~gz_f8_mask(apart) & 255;
}

/// Lanes of a block's boxes that the whole of another block of the level overlaps.
static unsigned children_near(const gz_link_search *s, const gz_link_boxes *boxes, size_t block) {
    const float *b = s->bounds[block];
    const float low[3] = {-b[4], -b[5], -b[6]};
    return link_boxes_near(boxes, low, b);
}

static unsigned child_near(const gz_link_boxes *from, unsigned i, const gz_link_boxes *boxes) {
    const float low[3] = {from->low[0][i], from->low[1][i], from->low[2][i]};
    const float high[3] = {from->high[0][i], from->high[1][i], from->high[2][i]};
    return link_boxes_near(boxes, low, high);
}

/// Two blocks of one level. Gives up where too much is found.
static void find_between(const gz_link_tree *t, gz_link_search *s, size_t level, int32_t a,
                         int32_t b) {
    if (level == 0) {
        find_links(t, s, a, link_spheres_near_box(&s->spheres[a], s->bounds[b]), b);
        return;
    }
    const gz_link_level *l = &t->levels[level];
    const gz_link_boxes *boxes_a = &s->boxes[l->first + (size_t)a];
    const gz_link_boxes *boxes_b = &s->boxes[l->first + (size_t)b];
    unsigned from = children_near(s, boxes_a, l->first + (size_t)b);
    unsigned to = children_near(s, boxes_b, l->first + (size_t)a);
    for (; to && from; from &= from - 1) {
        if (s->found_count > s->found_most) return;
        unsigned i = (unsigned)__builtin_ctz(from), near = child_near(boxes_a, i, boxes_b) & to;
        for (; near; near &= near - 1)
            find_between(t, s, level - 1, l->children[8 * a + (int32_t)i],
                         l->children[8 * b + (int32_t)__builtin_ctz(near)]);
    }
}

/// A block against itself.
static void find_within(const gz_link_tree *t, gz_link_search *s, size_t level, int32_t a) {
    if (level == 0) {
        find_links(t, s, a, 255, a);
        return;
    }
    const gz_link_level *l = &t->levels[level];
    const gz_link_boxes *boxes = &s->boxes[l->first + (size_t)a];
    const int32_t *children = l->children + 8 * a;
    for (unsigned i = 0; i < 8 && children[i] >= 0; i++) {
        if (s->found_count > s->found_most) return;
        find_within(t, s, level - 1, children[i]);
        unsigned near = child_near(boxes, i, boxes) & (254u << i);
        for (; near; near &= near - 1)
            find_between(t, s, level - 1, children[i], children[__builtin_ctz(near)]);
    }
}

/// A block's box, put down among its siblings.
static void place_bound(const gz_link_tree *t, gz_link_search *s, size_t level, size_t block) {
    const gz_link_level *l = &t->levels[level];
    const float *own = s->bounds[l->first + block];
    if (level + 1 == t->level_count) return;
    size_t place = (size_t)l->parents[block];
    gz_link_boxes *boxes = &s->boxes[t->levels[level + 1].first + place / 8];
    for (int k = 0; k < 3; k++) {
        boxes->high[k][place % 8] = own[k];
        boxes->low[k][place % 8] = -own[4 + k];
    }
}

static void bound_links(const gz_link_tree *t, gz_link_search *s) {
    const gz_link_level *l = &t->levels[0];
    for (size_t b = 0; b < l->count; b++) {
        const gz_link_spheres *own = &s->spheres[b];
        float *bound = s->bounds[l->first + b];
        gz_f8 r = gz_f8_load(own->radius);
        for (int k = 0; k < 3; k++) {
            gz_f8 x = gz_f8_load(own->center[k]);
            bound[k] = -gz_f8_least(gz_f8_sub(gz_f8_sub(gz_f8_all(0), x), r));
            bound[4 + k] = -gz_f8_least(gz_f8_sub(x, r));
        }
        place_bound(t, s, 0, b);
    }
}

static bool find_pairs(const gz_link_tree *t, gz_link_search *s) {
    bound_links(t, s);
    for (size_t level = 1; level < t->level_count; level++) {
        const gz_link_level *l = &t->levels[level], *below = l - 1;
        for (size_t b = 0; b < l->count; b++) {
            gz_f8 bound = gz_f8_all(-INFINITY);
            for (unsigned i = 0; i < 8 && l->children[8 * b + i] >= 0; i++)
                bound = gz_f8_max(
                    bound, gz_f8_load(s->bounds[below->first + (size_t)l->children[8 * b + i]]));
            gz_f8_store(s->bounds[l->first + b], bound);
            place_bound(t, s, level, b);
        }
    }
    find_within(t, s, t->level_count - 1, 0);
    return s->found_count <= s->found_most;
}
