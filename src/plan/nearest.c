// Nearest neighbours: building a forest of k-d trees.

#include "plan/nearest.h"

#include <math.h>

#include "base/memory.h"
#include "base/processor.h"

gz_neighbours *gz_neighbours_make(const gz_plan_space *space) {
    gz_neighbours *nearest = gz_calloc(1, sizeof *nearest);
    if (!nearest) return NULL;
    nearest->dimension = space->dimension;
    nearest->kinds = gz_malloc(space->dimension, 1);
    nearest->query = gz_malloc(space->dimension, (2 + BUFFER) * sizeof(float));
    if (!nearest->kinds || !nearest->query) {
        gz_neighbours_free(nearest);
        return NULL;
    }
    nearest->periods = nearest->query + space->dimension;
    nearest->buffer = nearest->periods + space->dimension;
    nearest->has_rotation = space->has_rotation;
    for (size_t i = 0; i < space->dimension; i++) {
        nearest->kinds[i] = (unsigned char)space->axes[i].kind;
        nearest->periods[i] = nearest->kinds[i] == GRAZE_Q_CIRCLE ? TWO_PI : INFINITY;
    }
    nearest->search = gz_nearest_search_base;
#ifdef GRAZE_HAVE_AVX2
    if (gz_isa_choose() == GZ_ISA_AVX2) nearest->search = gz_nearest_search_avx2;
#endif
    return nearest;
}

/// Lays out a level of so many blocks, its blocks first: they are what is freed.
static void lay_out(gz_nearest_level *l, size_t blocks, size_t dimension, gz_arena *arena) {
    *l = (gz_nearest_level){0};
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
    gz_nearest_level *level;
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

static void fill_block(build *b, size_t index, size_t count) {
    size_t dimension = b->nearest->dimension, first = index * BLOCK;
    float *block = b->level->blocks + first * dimension;
    float *box = gz_nearest_box(b->level, dimension, 0, index);
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
    float *box = gz_nearest_box(b->level, dimension, height, index);
    for (size_t k = first; k < last && k < all; k++) {
        const float *held = gz_nearest_box(b->level, dimension, height - 1, k);
        for (size_t i = 0; i < dimension; i++) {
            const float *h = held + 2 * FANOUT * i;
            float *o = box + 2 * FANOUT * i;
            if (k == first || h[0] < o[0]) o[0] = h[0];
            if (k == first || h[FANOUT] > o[FANOUT]) o[FANOUT] = h[FANOUT];
        }
    }
}

/// A tree of the states first .. first + count - 1.
static bool build_level(const gz_neighbours *nearest, gz_nearest_level *out, size_t first,
                        size_t count) {
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
        gz_nearest_level merged;
        if (!build_level(nearest, &merged, nearest->count + 1 - count, count)) return false;
        for (int i = 0; i < k; i++) {
            gz_free(nearest->levels[i].blocks);
            nearest->levels[i] = (gz_nearest_level){0};
        }
        nearest->levels[k] = merged;
        nearest->first_buffered = nearest->count + 1;
    } else {
        put_buffered(nearest, nearest->count);
    }
    nearest->count++;
    return true;
}

int32_t gz_neighbours_find(gz_neighbours *nearest, const double *state) {
    if (!nearest->count) return -1;
    if (!nearest->dimension) return 0;
    gz_near found;
    make_key(nearest, state, nearest->query);
    nearest->search(nearest, nearest->query, 1, &found);
    return found.id;
}

size_t gz_neighbours_list(const gz_neighbours *nearest, const double *state, float *key,
                          size_t wanted, gz_near *found) {
    if (!nearest->count || !wanted) return 0;
    make_key(nearest, state, key);
    return nearest->search(nearest, key, wanted, found);
}
