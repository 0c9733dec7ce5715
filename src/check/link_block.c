#include "check/link_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// From the leaves to the roots every item gathers the open blocks of its children into its own,
// smallest first, while there is room for eight. Those left over are joined among themselves, along
// a curve through the places where they are when no joint has moved, and closed. Blocks hang
// together as items did: the parent of a closed block's first members is in one block, too.
//
// So a chain becomes runs of eight; of a hub's many spokes each block holds neighbours. Two blocks
// that were not joined have more than eight items together, so that a level has fewer blocks than
// items wherever there is more than one.

/// An item on its way into a block.
typedef struct member {
    uint64_t key;           ///< near keys are near places
    int32_t child, sibling; ///< first child, next one of the same parent; -1: none
    int32_t waiting;        ///< children that are not through
    int32_t next, last;     ///< of its open block: the member after it, -1: none; the last one
    int32_t size;           ///< of its open block
    int32_t block;
} member;

typedef struct open_block {
    uint64_t key;
    int32_t size, first;
} open_block;

typedef struct grouping {
    gz_block_item *items;
    member *members;
    open_block *open; ///< of the children of one item
    int32_t *order;   ///< children before their parents
    size_t count;
    gz_link_level *level;
} grouping;

/// The first 16 bits of the coordinates, shuffled (Morton's order).
static uint64_t place_key(const double p[3], const double low[3], double size) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double x = size > 0 ? (p[k] - low[k]) / size * 65535 : 0;
        uint64_t cell = x > 0 ? (uint64_t)fmin(x, 65535) : 0;
        for (int bit = 0; bit < 16; bit++) key |= (cell >> bit & 1) << (3 * bit + k);
    }
    return key;
}

static void make_keys(grouping *g) {
    double low[3], size = 0;
    for (int k = 0; k < 3; k++) {
        double high = -INFINITY;
        low[k] = INFINITY;
        for (size_t i = 0; i < g->count; i++) {
            low[k] = fmin(low[k], g->items[i].position[k]);
            high = fmax(high, g->items[i].position[k]);
        }
        size = fmax(size, high - low[k]);
    }
    for (size_t i = 0; i < g->count; i++)
        g->members[i].key = place_key(g->items[i].position, low, size);
}

/// Children lists, and an order in which children come before their parents.
static void make_order(grouping *g) {
    for (size_t i = 0; i < g->count; i++)
        g->members[i] = (member){.child = -1, .next = -1, .last = (int32_t)i, .size = 1};
    for (size_t i = 0; i < g->count; i++) {
        int32_t parent = g->items[i].parent;
        if (parent < 0) continue;
        g->members[i].sibling = g->members[parent].child;
        g->members[parent].child = (int32_t)i;
        g->members[parent].waiting++;
    }
    size_t n = 0;
    for (size_t i = 0; i < g->count; i++)
        if (!g->members[i].waiting) g->order[n++] = (int32_t)i;
    for (size_t i = 0; i < n; i++) {
        int32_t parent = g->items[g->order[i]].parent;
        if (parent >= 0 && --g->members[parent].waiting == 0) g->order[n++] = parent;
    }
}

static void join_blocks(grouping *g, int32_t into, int32_t from) {
    member *a = &g->members[into], *b = &g->members[from];
    g->members[a->last].next = from;
    a->last = b->last;
    a->size += b->size;
}

static void close_block(grouping *g, int32_t first) {
    size_t block = g->level->count++;
    int32_t *children = g->level->children + 8 * block;
    for (int k = 0; k < 8; k++) children[k] = -1;
    for (int32_t i = first; i >= 0; i = g->members[i].next) {
        *children++ = i;
        g->members[i].block = (int32_t)block;
    }
}

static int by_size(const void *x, const void *y) {
    const open_block *p = x, *q = y;
    if (p->size != q->size) return p->size < q->size ? -1 : 1;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->first > q->first) - (p->first < q->first);
}

static int by_key(const void *x, const void *y) {
    const open_block *p = x, *q = y;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->first > q->first) - (p->first < q->first);
}

/// Gathers open blocks into that of their parent, and closes the others. -1: closes all.
static void gather(grouping *g, int32_t parent, size_t count) {
    open_block *open = g->open;
    size_t taken = 0;
    if (parent >= 0 && count) qsort(open, count, sizeof *open, by_size);
    while (parent >= 0 && taken < count && g->members[parent].size + open[taken].size <= 8)
        join_blocks(g, parent, open[taken++].first);
    if (count > taken) qsort(open + taken, count - taken, sizeof *open, by_key);
    for (size_t i = taken; i < count;) {
        int32_t first = open[i++].first;
        while (i < count && g->members[first].size + open[i].size <= 8)
            join_blocks(g, first, open[i++].first);
        close_block(g, first);
    }
}

static open_block open_of(const grouping *g, int32_t i) {
    return (open_block){g->members[i].key, g->members[i].size, i};
}

static void gather_all(grouping *g) {
    for (size_t i = 0; i < g->count; i++) {
        size_t n = 0;
        for (int32_t k = g->members[g->order[i]].child; k >= 0; k = g->members[k].sibling)
            g->open[n++] = open_of(g, k);
        gather(g, g->order[i], n);
    }
    size_t roots = 0;
    for (size_t i = 0; i < g->count; i++)
        if (g->items[i].parent < 0) g->open[roots++] = open_of(g, (int32_t)i);
    gather(g, -1, roots);
}

/// The blocks as items: a block's parent is that of its first member, or, where its members are
/// open blocks of siblings, of all of them.
static gz_block_item block_item(const grouping *g, size_t block) {
    const int32_t *children = g->level->children + 8 * block;
    int32_t parent = g->items[children[0]].parent;
    gz_block_item out = {.parent = parent < 0 ? -1 : g->members[parent].block};
    double n = 0;
    for (; n < 8 && children[(int)n] >= 0; n++)
        for (int k = 0; k < 3; k++) out.position[k] += g->items[children[(int)n]].position[k];
    for (int k = 0; k < 3; k++) out.position[k] /= n;
    return out;
}

static bool make_items(grouping *g) {
    size_t count = g->level->count;
    gz_block_item *made = gz_malloc(count, sizeof *made);
    g->level->parents = gz_calloc(count, sizeof *g->level->parents);
    if (made && g->level->parents) {
        for (size_t i = 0; i < count; i++) made[i] = block_item(g, i);
        memcpy(g->items, made, count * sizeof *made);
    }
    gz_free(made);
    return made && g->level->parents;
}

bool gz_link_level_group(gz_link_level *level, gz_block_item *items, size_t count) {
    level->count = 0;
    level->children = gz_malloc(8 * count, sizeof *level->children);
    grouping g = {.items = items,
                  .members = gz_malloc(count, sizeof *g.members),
                  .open = gz_malloc(count, sizeof *g.open),
                  .order = gz_malloc(count, sizeof *g.order),
                  .count = count,
                  .level = level};
    bool ok = level->children && g.members && g.open && g.order;
    if (ok) {
        make_order(&g);
        make_keys(&g);
        gather_all(&g);
        ok = make_items(&g);
    }
    gz_free(g.members);
    gz_free(g.open);
    gz_free(g.order);
    return ok;
}
