// Nearest neighbours: a forest of k-d trees.

#include "plan/plan_internal.h"

#include <math.h>

#include "base/memory.h"
#include "math/lanes.h"

// Bentley and Saxe, Decomposable searching problems I (1980): the states are held in static trees
// of BUFFER * 2^k states, at most one per k, like the digits of a binary number, and fewer than
// BUFFER in a plain list. An addition that fills the list merges the trees below the first free k
// into one. Each state is so moved O(log n) times.
//
// A tree is ordered as a k-d tree (Bentley 1975) is, into blocks of BLOCK neighbouring states.
// FANOUT neighbouring blocks have their bounding boxes in one group, as many groups in one group of
// the height above, up to one group. Boxes and states are stored axis by axis, so that a compiler
// makes vector code of the scans.
enum { BUFFER = 64, BLOCK = 16, FANOUT = 8, LEVELS = 26, HEIGHTS = 10 };

#define TWO_PI 6.28318530717958647692f

typedef struct level {
    float *blocks;             ///< per block: BLOCK values of the first axis, of the second ...
    int32_t *ids;              ///< per block: BLOCK numbers; free places repeat the last state
    float *boxes;              ///< per group, per axis: FANOUT low values, then as many high ones
    size_t first[HEIGHTS + 1]; ///< group of each height; the last height has one group
    size_t counts[HEIGHTS];    ///< what the groups of a height hold: blocks, or groups
    int heights;
    size_t count; ///< states; 0: the level is free
} level;

struct gz_neighbours {
    size_t dimension;
    unsigned char *kinds; ///< gz_axis_kind per axis
    float *query;         ///< the key that is looked for; the buffer lies behind it
    float *keys;          ///< dimension values per state, angles in [-pi, pi]
    size_t count, capacity;
    size_t first_buffered; ///< states from here on are in no tree
    float *buffer;         ///< those, in blocks; free places repeat the first state of the block
    level levels[LEVELS];
};

gz_neighbours *gz_neighbours_make(const gz_plan_space *space) {
    gz_neighbours *nearest = gz_calloc(1, sizeof *nearest);
    if (!nearest) return NULL;
    nearest->dimension = space->dimension;
    nearest->kinds = gz_malloc(space->dimension, 1);
    nearest->query = gz_malloc(space->dimension, (1 + BUFFER) * sizeof(float));
    if (!nearest->kinds || !nearest->query) {
        gz_neighbours_free(nearest);
        return NULL;
    }
    nearest->buffer = nearest->query + space->dimension;
    for (size_t i = 0; i < space->dimension; i++)
        nearest->kinds[i] = (unsigned char)space->axes[i].kind;
    return nearest;
}

/// Lays out a level of so many blocks, its blocks first: they are what is freed.
static void lay_out(level *l, size_t blocks, size_t dimension, gz_arena *arena) {
    *l = (level){0};
    for (size_t held = blocks;; held = (held + FANOUT - 1) / FANOUT) {
        size_t groups = (held + FANOUT - 1) / FANOUT;
        l->counts[l->heights++] = held;
        l->first[l->heights] = l->first[l->heights - 1] + groups;
        if (groups == 1) break;
    }
    l->blocks = gz_arena_array(arena, blocks * BLOCK, dimension * sizeof(float));
    l->ids = gz_arena_array(arena, blocks * BLOCK, sizeof *l->ids);
    l->boxes = gz_arena_array(arena, l->first[l->heights], 2 * FANOUT * dimension * sizeof(float));
}

void gz_neighbours_free(gz_neighbours *nearest) {
    if (!nearest) return;
    for (int k = 0; k < LEVELS; k++) gz_free(nearest->levels[k].blocks);
    gz_free(nearest->kinds);
    gz_free(nearest->query);
    gz_free(nearest->keys);
    gz_free(nearest);
}

static void make_key(const gz_neighbours *nearest, const double *state, float *key) {
    for (size_t i = 0; i < nearest->dimension; i++)
        key[i] = (float)(nearest->kinds[i] == GRAZE_Q_CIRCLE ? gz_wrap_angle(state[i]) : state[i]);
}

// ------------------------------------------------------------------------------------- building

typedef struct build {
    const gz_neighbours *nearest;
    level *level;
    int32_t *order; ///< the states, being sorted
} build;

static bool before(const build *b, size_t axis, int32_t x, int32_t y) {
    float kx = b->nearest->keys[(size_t)x * b->nearest->dimension + axis];
    float ky = b->nearest->keys[(size_t)y * b->nearest->dimension + axis];
    return kx < ky || (kx == ky && x < y);
}

/// Hoare's selection (1961): moves the `rank` lowest of order[first, last) to its front.
static void select_lowest(const build *b, size_t axis, size_t first, size_t last, size_t rank) {
    ptrdiff_t low = (ptrdiff_t)first, high = (ptrdiff_t)last - 1,
              target = (ptrdiff_t)(first + rank);
    while (low < high) {
        int32_t pivot = b->order[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (before(b, axis, b->order[i], pivot)) i++;
            while (before(b, axis, pivot, b->order[j])) j--;
            if (i > j) break;
            int32_t swap = b->order[i];
            b->order[i++] = b->order[j];
            b->order[j--] = swap;
        }
        // Nothing up to j comes after the pivot, nothing from i on before it.
        if (target <= j)
            high = j;
        else if (target >= i)
            low = i;
        else
            return;
    }
}

/// The axis along which order[first, last) is widest.
static size_t widest_axis(const build *b, size_t first, size_t last) {
    size_t dimension = b->nearest->dimension, widest = 0;
    float most = -1;
    for (size_t i = 0; i < dimension; i++) {
        const float *keys = b->nearest->keys + i;
        float low = keys[(size_t)b->order[first] * dimension], high = low;
        for (size_t k = first + 1; k < last; k++) {
            float x = keys[(size_t)b->order[k] * dimension];
            if (x < low) low = x;
            if (x > high) high = x;
        }
        if (high - low > most) {
            most = high - low;
            widest = i;
        }
    }
    return widest;
}

/// Orders order[first, last) as a k-d tree does. The depth is logarithmic.
static void sort_states(build *b, size_t first, size_t last) {
    size_t count = last - first;
    if (count <= BLOCK) return;
    // Halves of whole blocks leave no block partly filled.
    size_t half = (count / 2 + BLOCK - 1) / BLOCK * BLOCK;
    select_lowest(b, widest_axis(b, first, last), first, last, half);
    sort_states(b, first, first + half);
    sort_states(b, first + half, last);
}

/// The place of a box: its low values, FANOUT apart; the high ones lie FANOUT behind.
static float *box_at(const level *l, size_t dimension, int height, size_t index) {
    size_t group = l->first[height] + index / FANOUT;
    return l->boxes + group * 2 * FANOUT * dimension + index % FANOUT;
}

static void fill_block(build *b, size_t index, size_t count) {
    size_t dimension = b->nearest->dimension, first = index * BLOCK;
    float *block = b->level->blocks + first * dimension;
    float *box = box_at(b->level, dimension, 0, index);
    for (size_t j = 0; j < BLOCK; j++) {
        int32_t id = b->order[first + j < count ? first + j : count - 1];
        b->level->ids[first + j] = id;
        for (size_t i = 0; i < dimension; i++)
            block[i * BLOCK + j] = b->nearest->keys[(size_t)id * dimension + i];
    }
    for (size_t i = 0; i < dimension; i++) {
        float low = block[i * BLOCK], high = low;
        for (size_t j = 1; j < BLOCK; j++) {
            if (block[i * BLOCK + j] < low) low = block[i * BLOCK + j];
            if (block[i * BLOCK + j] > high) high = block[i * BLOCK + j];
        }
        box[2 * FANOUT * i] = low;
        box[2 * FANOUT * i + FANOUT] = high;
    }
}

/// The box of group `index` of the height below: of all that it holds.
static void bound_group(build *b, int height, size_t index) {
    size_t dimension = b->nearest->dimension;
    size_t first = index * FANOUT, last = first + FANOUT, all = b->level->counts[height - 1];
    float *box = box_at(b->level, dimension, height, index);
    for (size_t k = first; k < last && k < all; k++) {
        const float *held = box_at(b->level, dimension, height - 1, k);
        for (size_t i = 0; i < dimension; i++) {
            const float *h = held + 2 * FANOUT * i;
            float *o = box + 2 * FANOUT * i;
            if (k == first || h[0] < o[0]) o[0] = h[0];
            if (k == first || h[FANOUT] > o[FANOUT]) o[FANOUT] = h[FANOUT];
        }
    }
}

/// A tree of the states first .. first + count - 1.
static bool build_level(const gz_neighbours *nearest, level *out, size_t first, size_t count) {
    size_t blocks = (count + BLOCK - 1) / BLOCK;
    build b = {.nearest = nearest, .level = out, .order = gz_malloc(count, sizeof(int32_t))};
    gz_arena arena = {0};
    lay_out(out, blocks, nearest->dimension, &arena);
    bool ok = b.order && gz_arena_create(&arena);
    if (ok) {
        lay_out(out, blocks, nearest->dimension, &arena);
        out->count = count;
        for (size_t i = 0; i < count; i++) b.order[i] = (int32_t)(first + i);
        sort_states(&b, 0, count);
        for (size_t i = 0; i < blocks; i++) fill_block(&b, i, count);
        for (int h = 1; h < out->heights; h++)
            for (size_t i = 0; i < out->counts[h]; i++) bound_group(&b, h, i);
    }
    gz_free(b.order);
    return ok;
}

/// Puts a state into its place of the buffer.
static void put_buffered(gz_neighbours *nearest, size_t id) {
    const float *key = nearest->keys + id * nearest->dimension;
    size_t place = id - nearest->first_buffered, lane = place % BLOCK;
    float *block = nearest->buffer + (place - lane) * nearest->dimension;
    for (size_t i = 0; i < nearest->dimension; i++)
        for (size_t j = lane; j < (lane ? lane + 1 : BLOCK); j++) block[i * BLOCK + j] = key[i];
}

bool gz_neighbours_add(gz_neighbours *nearest, const double *state) {
    size_t dimension = nearest->dimension;
    if (nearest->count >= INT32_MAX) return false;
    if (!gz_array_reserve((void **)&nearest->keys, &nearest->capacity, nearest->count + 1,
                          (dimension ? dimension : 1) * sizeof(float)))
        return false;
    make_key(nearest, state, nearest->keys + nearest->count * dimension);
    size_t buffered = nearest->count + 1 - nearest->first_buffered;
    if (buffered == BUFFER && dimension) {
        // Trees hold runs of numbers, the largest tree the lowest: the runs below the first free
        // level and the list are one run.
        int k = 0;
        while (k < LEVELS - 1 && nearest->levels[k].count) k++;
        size_t count = (size_t)BUFFER << k;
        level merged;
        if (!build_level(nearest, &merged, nearest->count + 1 - count, count)) return false;
        for (int i = 0; i < k; i++) {
            gz_free(nearest->levels[i].blocks);
            nearest->levels[i] = (level){0};
        }
        nearest->levels[k] = merged;
        nearest->first_buffered = nearest->count + 1;
    } else {
        put_buffered(nearest, nearest->count);
    }
    nearest->count++;
    return true;
}

// ------------------------------------------------------------------------------------ searching

typedef struct search {
    const gz_neighbours *nearest;
    const float *key;
    float best; ///< squared distance
    int32_t id;
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

/// Squared distances from the key to states stored axis by axis, BLOCK apart.
static gz_f8 distances(const search *s, const float *states) {
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
        if (s->nearest->kinds[i] == GRAZE_Q_CIRCLE) {
            d = gz_f8_abs(d);
            d = gz_f8_min(d, gz_f8_sub(gz_f8_all(TWO_PI), d));
        }
        sum = gz_f8_add(sum, gz_f8_mul(d, d));
    }
    return sum;
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

static void consider(search *s, float distance, int32_t id) {
    if (distance < s->best || (distance == s->best && id < s->id) || s->id < 0) {
        s->best = distance;
        s->id = id;
    }
}

/// Looks at the states of a block; `ids` has their numbers.
static void search_block(search *s, const float *block, const int32_t *ids) {
    gz_f8 low = distances(s, block), high = distances(s, block + GZ_LANES);
    if (s->id >= 0 && gz_f8_least(gz_f8_min(low, high)) > s->best) return;
    float d[BLOCK];
    gz_f8_store(d, low);
    gz_f8_store(d + GZ_LANES, high);
    for (size_t j = 0; j < BLOCK; j++) consider(s, d[j], ids[j]);
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
static void search_group(search *s, const level *l, int height, size_t group) {
    float bounds[FANOUT];
    size_t first = group * FANOUT, count = l->counts[height] - first;
    if (count > FANOUT) count = FANOUT;
    gz_f8_store(bounds, box_distances(s, box_at(l, s->nearest->dimension, height, first)));
    for (size_t visited = 0; visited < count; visited++) {
        size_t next = 0;
        for (size_t j = 1; j < count; j++)
            if (bounds[j] < bounds[next]) next = j;
        if (s->id >= 0 && bounds[next] > s->best) return;
        bounds[next] = INFINITY;
        if (height == 0)
            search_block(s, l->blocks + (first + next) * BLOCK * s->nearest->dimension,
                         l->ids + (first + next) * BLOCK);
        else
            search_group(s, l, height - 1, first + next);
    }
}

int32_t gz_neighbours_find(gz_neighbours *nearest, const double *state) {
    if (!nearest->count) return -1;
    if (!nearest->dimension) return 0;
    make_key(nearest, state, nearest->query);
    search s = {.nearest = nearest, .key = nearest->query, .id = -1};
    search_buffer(&s);
    for (int k = LEVELS; k-- > 0;)
        if (nearest->levels[k].count)
            search_group(&s, &nearest->levels[k], nearest->levels[k].heights - 1, 0);
    return s.id;
}
