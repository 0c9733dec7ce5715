// The search for the nearest of the states that nearest.h holds; included by kernels_base.c and
// kernels_avx2.c. No fused operations: the same number with every instruction set.

#include "plan/nearest.h"

#include <math.h>

#include "math/lanes.h"

typedef struct search {
    const gz_neighbours *nearest;
    const float *key;
    gz_near *found; ///< the nearest so far, in order
    size_t count, wanted;
    float best; ///< squared distance that the next one must not exceed
} search;

/// What a rotation adds to a squared distance: the differences to q and to -q, squared, twice over.
static inline gz_f8 nearer_sign(const gz_f8 same[4], const gz_f8 opposite[4]) {
    gz_f8 a = gz_f8_mul(same[0], same[0]), b = gz_f8_mul(opposite[0], opposite[0]);
    for (int k = 1; k < 4; k++) {
        a = gz_f8_add(a, gz_f8_mul(same[k], same[k]));
        b = gz_f8_add(b, gz_f8_mul(opposite[k], opposite[k]));
    }
    return gz_f8_mul(gz_f8_all(4), gz_f8_min(a, b));
}

/// Squared distances from the key to states stored axis by axis, BLOCK apart; some are rotations.
static gz_f8 distances_with_rotations(const search *s, const float *states) {
    gz_f8 sum = gz_f8_all(0);
    for (size_t i = 0; i < s->nearest->dimension; i++) {
        gz_f8 d = gz_f8_sub(gz_f8_load(states + i * BLOCK), gz_f8_all(s->key[i]));
        if (s->nearest->kinds[i] == GRAZE_Q_ROTATION) {
            gz_f8 same[4], opposite[4];
            for (size_t k = 0; k < 4; k++) {
                gz_f8 value = gz_f8_load(states + (i + k) * BLOCK);
                same[k] = gz_f8_sub(value, gz_f8_all(s->key[i + k]));
                opposite[k] = gz_f8_add(value, gz_f8_all(s->key[i + k]));
            }
            sum = gz_f8_add(sum, nearer_sign(same, opposite));
            i += 3;
            continue;
        }
        d = gz_f8_abs(d);
        d = gz_f8_min(d, gz_f8_sub(gz_f8_all(s->nearest->periods[i]), d));
        sum = gz_f8_add(sum, gz_f8_mul(d, d));
    }
    return sum;
}

/// Squared distances to the states of a block.
static inline void distances(const search *s, const float *block, gz_f8 out[2]) {
    if (s->nearest->has_rotation) {
        out[0] = distances_with_rotations(s, block);
        out[1] = distances_with_rotations(s, block + GZ_LANES);
        return;
    }
    gz_f8 low = gz_f8_all(0), high = low;
    for (size_t i = 0; i < s->nearest->dimension; i++, block += BLOCK) {
        gz_f8 x = gz_f8_all(s->key[i]), period = gz_f8_all(s->nearest->periods[i]);
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(block), x));
        gz_f8 e = gz_f8_abs(gz_f8_sub(gz_f8_load(block + GZ_LANES), x));
        d = gz_f8_min(d, gz_f8_sub(period, d));
        e = gz_f8_min(e, gz_f8_sub(period, e));
        low = gz_f8_add(low, gz_f8_mul(d, d));
        high = gz_f8_add(high, gz_f8_mul(e, e));
    }
    out[0] = low;
    out[1] = high;
}

/// How far x is from intervals, 0 inside.
static inline gz_f8 gaps(gz_f8 x, gz_f8 low, gz_f8 high) {
    return gz_f8_max(gz_f8_max(gz_f8_sub(low, x), gz_f8_sub(x, high)), gz_f8_all(0));
}

/// Lower bounds of distances() for every state of the FANOUT boxes of a group. They are the same
/// sums of the same rounded operations, each monotone, over differences that are never larger:
/// bounds also after rounding. Those of boxes that are not there mean nothing.
static gz_f8 box_distances(const search *s, const float *group) {
    gz_f8 sum = gz_f8_all(0);
    for (size_t i = 0; i < s->nearest->dimension; i++) {
        const float *box = group + 2 * FANOUT * i;
        gz_f8 x = gz_f8_all(s->key[i]), low = gz_f8_load(box), high = gz_f8_load(box + FANOUT);
        gz_f8 d = gaps(x, low, high);
        if (s->nearest->kinds[i] == GRAZE_Q_ROTATION) {
            gz_f8 same[4], opposite[4];
            for (size_t k = 0; k < 4; k++) {
                const float *b = box + 2 * FANOUT * k;
                low = gz_f8_load(b);
                high = gz_f8_load(b + FANOUT);
                same[k] = gaps(gz_f8_all(s->key[i + k]), low, high);
                opposite[k] = gaps(gz_f8_all(-s->key[i + k]), low, high);
            }
            sum = gz_f8_add(sum, nearer_sign(same, opposite));
            i += 3;
            continue;
        }
        if (s->nearest->kinds[i] == GRAZE_Q_CIRCLE) {
            // The other way round leads to the end that is farther away.
            gz_f8 far = gz_f8_max(gz_f8_abs(gz_f8_sub(x, low)), gz_f8_abs(gz_f8_sub(x, high)));
            gz_f8 round = gz_f8_min(d, gz_f8_sub(gz_f8_all(TWO_PI), far));
            d = gz_f8_keep(gz_f8_greater(d, gz_f8_all(0)), round);
        }
        sum = gz_f8_add(sum, gz_f8_mul(d, d));
    }
    return sum;
}

/// Puts a state into its place among those found, unless it is there (free places repeat states).
static void consider(search *s, float distance, int32_t id) {
    if (distance > s->best) return;
    size_t place = s->count;
    for (; place > 0; place--) {
        const gz_near *before = &s->found[place - 1];
        if (before->square < distance || (before->square == distance && before->id < id)) break;
        if (before->square == distance && before->id == id) return;
    }
    if (place == s->wanted) return;
    if (s->count < s->wanted) s->count++;
    for (size_t i = s->count - 1; i > place; i--) s->found[i] = s->found[i - 1];
    s->found[place] = (gz_near){distance, id};
    if (s->count == s->wanted) s->best = s->found[s->count - 1].square;
}

/// Looks at the states of a block; `ids` has their numbers.
static void search_block(search *s, const float *block, const int32_t *ids) {
    gz_f8 found[2];
    distances(s, block, found);
    gz_f8 best = gz_f8_all(s->best);
    unsigned beyond = gz_f8_mask(gz_f8_greater(found[0], best)) |
                      gz_f8_mask(gz_f8_greater(found[1], best)) << GZ_LANES;
    unsigned left = ~beyond & ((1u << BLOCK) - 1);
    if (!left) return;
    float d[BLOCK];
    gz_f8_store(d, found[0]);
    gz_f8_store(d + GZ_LANES, found[1]);
    for (; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        consider(s, d[lane], ids[lane]);
    }
}

/// Looks at the states that are in no tree.
static void search_buffer(search *s) {
    const gz_neighbours *nearest = s->nearest;
    for (size_t first = nearest->first_buffered; first < nearest->count; first += BLOCK) {
        int32_t ids[BLOCK];
        for (size_t j = 0; j < BLOCK; j++)
            ids[j] = (int32_t)(first + j < nearest->count ? first + j : first);
        search_block(s, nearest->buffer + (first - nearest->first_buffered) * nearest->dimension,
                     ids);
    }
}

/// Searches what a group holds, the nearest boxes first.
static void search_group(search *s, const gz_nearest_level *l, int height, size_t group) {
    float bounds[FANOUT];
    size_t first = group * FANOUT, count = l->counts[height] - first;
    if (count > FANOUT) count = FANOUT;
    gz_f8_store(bounds, box_distances(s, gz_nearest_box(l, s->nearest->dimension, height, first)));
    for (size_t visited = 0; visited < count; visited++) {
        size_t next = 0;
        for (size_t j = 1; j < count; j++)
            if (bounds[j] < bounds[next]) next = j;
        if (bounds[next] > s->best) return;
        bounds[next] = INFINITY;
        if (height == 0)
            search_block(s, l->blocks + (first + next) * BLOCK * s->nearest->dimension,
                         l->ids + (first + next) * BLOCK);
        else
            search_group(s, l, height - 1, first + next);
    }
}

static size_t search_nearest(const gz_neighbours *nearest, const float *key, size_t wanted,
                             gz_near *found) {
    search s = {.nearest = nearest, .key = key, .found = found, .wanted = wanted, .best = INFINITY};
    search_buffer(&s);
    for (int k = LEVELS; k-- > 0;)
        if (nearest->levels[k].count)
            search_group(&s, &nearest->levels[k], nearest->levels[k].heights - 1, 0);
    return s.count;
}
