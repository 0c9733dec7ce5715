// Nearest neighbours: a forest of k-d trees.

#include "plan/plan_internal.h"

#include <math.h>

#include "base/memory.h"

// Bentley and Saxe, Decomposable searching problems I (1980): the states are held in static trees
// of BUFFER * 2^k states, at most one per k, like the digits of a binary number, and fewer than
// BUFFER in a plain list. An addition that fills the list merges the trees below the first free k
// into one. Each state is so moved O(log n) times.
//
// The trees are k-d trees (Bentley 1975) with a bounding box per node and BLOCK states per leaf,
// stored axis by axis so that a compiler makes vector code of the scan.
enum { BUFFER = 64, BLOCK = 16, LEVELS = 26 };

#define TWO_PI 6.28318530717958647692f

typedef struct node {
    int32_t left, right; ///< node indices; leaf: left = -1 - block, right unused
} node;

typedef struct level {
    node *nodes;   ///< the root is node 0
    float *boxes;  ///< per node: dimension low values, then as many high ones
    float *blocks; ///< per leaf: BLOCK values of the first axis, of the second ...
    int32_t *ids;  ///< per leaf: BLOCK numbers; a leaf's free places repeat its last state
    size_t count;  ///< states; 0: the level is free
} level;

struct gz_neighbours {
    size_t dimension;
    unsigned char *kinds; ///< gz_axis_kind per axis
    float *query;         ///< the key that is looked for
    float *keys;          ///< dimension values per state, angles in [-pi, pi]
    size_t count, capacity;
    size_t first_buffered; ///< states from here on are in no tree
    level levels[LEVELS];
};

gz_neighbours *gz_neighbours_make(const gz_plan_space *space) {
    gz_neighbours *nearest = gz_calloc(1, sizeof *nearest);
    if (!nearest) return NULL;
    nearest->dimension = space->dimension;
    nearest->kinds = gz_malloc(space->dimension, 1);
    nearest->query = gz_malloc(space->dimension, sizeof(float));
    if (!nearest->kinds || !nearest->query) {
        gz_neighbours_free(nearest);
        return NULL;
    }
    for (size_t i = 0; i < space->dimension; i++)
        nearest->kinds[i] = (unsigned char)space->axes[i].kind;
    return nearest;
}

/// Lays out a level of so many blocks, its blocks first: they are what is freed.
static void lay_out(level *l, size_t blocks, size_t dimension, gz_arena *arena) {
    l->blocks = gz_arena_array(arena, blocks * BLOCK, dimension * sizeof(float));
    l->nodes = gz_arena_array(arena, 2 * blocks, sizeof *l->nodes);
    l->boxes = gz_arena_array(arena, 2 * blocks, 2 * dimension * sizeof(float));
    l->ids = gz_arena_array(arena, blocks * BLOCK, sizeof *l->ids);
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
    size_t node_count, block_count;
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

static void fill_block(build *b, size_t first, size_t last) {
    size_t dimension = b->nearest->dimension;
    float *block = b->level->blocks + b->block_count * BLOCK * dimension;
    int32_t *ids = b->level->ids + b->block_count * BLOCK;
    for (size_t j = 0; j < BLOCK; j++) {
        int32_t id = b->order[first + j < last ? first + j : last - 1];
        ids[j] = id;
        for (size_t i = 0; i < dimension; i++)
            block[i * BLOCK + j] = b->nearest->keys[(size_t)id * dimension + i];
    }
    b->block_count++;
}

/// The bounds of order[first, last) as the box of node `at`; the widest axis.
static size_t bound(const build *b, size_t at, size_t first, size_t last) {
    size_t dimension = b->nearest->dimension;
    float *low = b->level->boxes + at * 2 * dimension, *high = low + dimension;
    for (size_t k = first; k < last; k++) {
        const float *key = b->nearest->keys + (size_t)b->order[k] * dimension;
        for (size_t i = 0; i < dimension; i++) {
            if (k == first || key[i] < low[i]) low[i] = key[i];
            if (k == first || key[i] > high[i]) high[i] = key[i];
        }
    }
    size_t widest = 0;
    for (size_t i = 1; i < dimension; i++)
        if (high[i] - low[i] > high[widest] - low[widest]) widest = i;
    return widest;
}

/// The node of order[first, last) and all below it; its index. The depth is logarithmic.
static int32_t build_node(build *b, size_t first, size_t last) {
    size_t at = b->node_count++;
    size_t axis = bound(b, at, first, last), count = last - first;
    if (count <= BLOCK) {
        b->level->nodes[at] = (node){.left = -1 - (int32_t)b->block_count};
        fill_block(b, first, last);
        return (int32_t)at;
    }
    // Halves of whole blocks leave no leaf partly filled.
    size_t half = (count / 2 + BLOCK - 1) / BLOCK * BLOCK;
    select_lowest(b, axis, first, last, half);
    int32_t left = build_node(b, first, first + half);
    int32_t right = build_node(b, first + half, last);
    b->level->nodes[at] = (node){.left = left, .right = right};
    return (int32_t)at;
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
        build_node(&b, 0, count);
    }
    gz_free(b.order);
    return ok;
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

static float least(float a, float b) {
    return a < b ? a : b;
}

/// Squared distances from the key to `count` states stored axis by axis, `stride` apart.
static void distances(const search *s, const float *block, size_t stride, size_t count,
                      float out[BLOCK]) {
    for (size_t j = 0; j < count; j++) out[j] = 0;
    for (size_t i = 0; i < s->nearest->dimension; i++) {
        float x = s->key[i];
        const float *values = block + i * stride;
        if (s->nearest->kinds[i] == GRAZE_Q_LINE) {
            for (size_t j = 0; j < count; j++) {
                float d = values[j] - x;
                out[j] += d * d;
            }
        } else if (s->nearest->kinds[i] == GRAZE_Q_CIRCLE) {
            for (size_t j = 0; j < count; j++) {
                float d = fabsf(values[j] - x);
                d = least(d, TWO_PI - d);
                out[j] += d * d;
            }
        } else {
            for (size_t j = 0; j < count; j++) {
                float same = 0, opposite = 0;
                for (size_t k = 0; k < 4; k++) {
                    float d = 2 * (values[k * stride + j] - s->key[i + k]);
                    float e = 2 * (values[k * stride + j] + s->key[i + k]);
                    same += d * d;
                    opposite += e * e;
                }
                out[j] += least(same, opposite);
            }
            i += 3;
        }
    }
}

/// How far x is from the interval, 0 inside.
static float gap(float x, float low, float high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

/// A lower bound of distances() for every state of a box. It is the same sum of the same rounded
/// operations, each monotone, over differences that are never larger: a bound also after rounding.
static float box_distance(const search *s, const float *low, const float *high) {
    float sum = 0;
    for (size_t i = 0; i < s->nearest->dimension; i++) {
        float x = s->key[i];
        if (s->nearest->kinds[i] == GRAZE_Q_LINE) {
            float d = gap(x, low[i], high[i]);
            sum += d * d;
        } else if (s->nearest->kinds[i] == GRAZE_Q_CIRCLE) {
            float d = gap(x, low[i], high[i]);
            // The other way round leads to the end that is farther away.
            float far = fabsf(x - low[i]), other = fabsf(x - high[i]);
            d = d > 0 ? least(d, TWO_PI - (far > other ? far : other)) : 0;
            sum += d * d;
        } else {
            float same = 0, opposite = 0;
            for (size_t k = i; k < i + 4; k++) {
                float d = 2 * gap(s->key[k], low[k], high[k]);
                float e = 2 * gap(-s->key[k], low[k], high[k]);
                same += d * d;
                opposite += e * e;
            }
            sum += least(same, opposite);
            i += 3;
        }
    }
    return sum;
}

static void consider(search *s, float distance, int32_t id) {
    if (distance < s->best || (distance == s->best && id < s->id) || s->id < 0) {
        s->best = distance;
        s->id = id;
    }
}

/// Searches below a node whose box is at least that squared distance away.
static void search_node(search *s, const level *l, int32_t at, float at_least) {
    if (s->id >= 0 && at_least > s->best) return;
    size_t dimension = s->nearest->dimension;
    const node *n = &l->nodes[at];
    if (n->left < 0) {
        size_t block = (size_t)(-1 - n->left);
        float d[BLOCK];
        distances(s, l->blocks + block * BLOCK * dimension, BLOCK, BLOCK, d);
        for (size_t j = 0; j < BLOCK; j++) consider(s, d[j], l->ids[block * BLOCK + j]);
        return;
    }
    const float *a = l->boxes + (size_t)n->left * 2 * dimension;
    const float *b = l->boxes + (size_t)n->right * 2 * dimension;
    float left = box_distance(s, a, a + dimension), right = box_distance(s, b, b + dimension);
    if (left <= right) {
        search_node(s, l, n->left, left);
        search_node(s, l, n->right, right);
    } else {
        search_node(s, l, n->right, right);
        search_node(s, l, n->left, left);
    }
}

int32_t gz_neighbours_find(gz_neighbours *nearest, const double *state) {
    if (!nearest->count) return -1;
    if (!nearest->dimension) return 0;
    make_key(nearest, state, nearest->query);
    search s = {.nearest = nearest, .key = nearest->query, .id = -1};
    for (size_t id = nearest->first_buffered; id < nearest->count; id++) {
        float d[BLOCK];
        distances(&s, nearest->keys + id * nearest->dimension, 1, 1, d);
        consider(&s, d[0], (int32_t)id);
    }
    for (int k = LEVELS; k-- > 0;)
        if (nearest->levels[k].count) search_node(&s, &nearest->levels[k], 0, 0);
    return s.id;
}
