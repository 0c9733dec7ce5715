#include "check/filters.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/transform.h"

/// Which links make a block, and which blocks a block of the next level? What is joined stays
/// together in every configuration: blocks are parts of the tree of joints.

/// A link, or a block, that is to be part of a block.
typedef struct block_item {
    int32_t parent;     ///< -1: none
    double position[3]; ///< where no joint has moved
} block_item;

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
    block_item *items, *made; ///< of this level, of the next one
    member *members;
    open_block *open; ///< of the children of one item
    int32_t *order;   ///< children before their parents
    double (*poses)[12];
    size_t count;
    gz_link_level *level;
} grouping;

static void lay_out_grouping(grouping *g, size_t bodies, size_t links, gz_arena *arena) {
    g->items = gz_arena_array(arena, links, sizeof *g->items);
    g->made = gz_arena_array(arena, links, sizeof *g->made);
    g->members = gz_arena_array(arena, links, sizeof *g->members);
    g->open = gz_arena_array(arena, links, sizeof *g->open);
    g->order = gz_arena_array(arena, links, sizeof *g->order);
    g->poses = gz_arena_array(arena, bodies, sizeof *g->poses);
}

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

static int by_key(const void *x, const void *y) {
    const open_block *p = x, *q = y;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->first > q->first) - (p->first < q->first);
}

static int by_size(const void *x, const void *y) {
    const open_block *p = x, *q = y;
    return p->size != q->size ? (p->size < q->size ? -1 : 1) : by_key(x, y);
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
static block_item item_of_block(const grouping *g, size_t block) {
    const int32_t *children = g->level->children + 8 * block;
    int32_t parent = g->items[children[0]].parent;
    block_item out = {.parent = parent < 0 ? -1 : g->members[parent].block};
    double n = 0;
    for (; n < 8 && children[(int)n] >= 0; n++)
        for (int k = 0; k < 3; k++) out.position[k] += g->items[children[(int)n]].position[k];
    for (int k = 0; k < 3; k++) out.position[k] /= n;
    return out;
}

/// Groups the items of a level, at least one, into blocks of up to eight, and makes items of these
/// blocks in their place.
static void group_level(grouping *g) {
    make_order(g);
    make_keys(g);
    gather_all(g);
    g->count = g->level->count;
    for (size_t i = 0; i < g->count; i++) g->made[i] = item_of_block(g, i);
    memcpy(g->items, g->made, g->count * sizeof *g->made);
}

// ---------------------------------------------------------------------------------------- the tree

/// A search that has found more pairs than this for each link, in the mean, is given up: so many
/// spheres overlap that most of the time goes elsewhere, and a check ends soon.
#define FOUND_MOST 16

/// Bounds of children that are not there: apart from everything.
#define NOWHERE 0x1p120f

// ------------------------------------------------------------------------------------------ making

/// Where the links' spheres are when no joint has moved, whether its limits allow that or not.
static void place_items(const graze_checker *c, grouping *g) {
    const graze_robot *r = c->robot;
    const graze_transform none = graze_transform_identity();
    memcpy(g->poses[0], none.m, sizeof g->poses[0]);
    for (int32_t i = 1; i < r->body_count; i++)
        gz_transform_compose(g->poses[r->bodies[i].parent], r->bodies[i].origin, g->poses[i]);
    for (size_t i = 0; i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        gz_transform_apply(g->poses[l->body], GZ_ARRAY3(l->sphere.center), g->items[i].position);
    }
}

/// The nearest link with geometry on the way to the root, as a place; -1: none.
static int32_t parent_place(const gz_link_tree *t, const graze_robot *r, int32_t link) {
    for (int32_t joint = r->links[link].parent_joint; joint >= 0;
         joint = r->links[link].parent_joint) {
        link = r->joints[joint].info.parent;
        if (t->places[link] >= 0) return t->places[link];
    }
    return -1;
}

/// The levels, from links to one block. False when out of memory.
static bool make_levels(gz_link_tree *t, const graze_checker *c) {
    grouping g = {.count = c->link_count};
    gz_arena arena = {0};
    lay_out_grouping(&g, (size_t)c->robot->body_count, c->link_count, &arena);
    if (!gz_arena_create(&arena)) return false;
    lay_out_grouping(&g, (size_t)c->robot->body_count, c->link_count, &arena);
    place_items(c, &g);
    for (size_t i = 0; i < c->link_count; i++)
        g.items[i].parent = parent_place(t, c->robot, c->links[i]);
    int32_t *space = t->blocks;
    do {
        gz_link_level *l = g.level = &t->levels[t->level_count++];
        *l = (gz_link_level){.children = space, .first = t->block_count};
        group_level(&g);
        l->parents = space + 8 * l->count;
        space = l->parents + l->count;
        t->block_count += l->count;
        for (size_t i = 0; t->level_count > 1 && i < 8 * l->count; i++)
            if (l->children[i] >= 0) l[-1].parents[l->children[i]] = (int32_t)i;
    } while (g.count > 1);
    gz_free(arena.memory);
    return true;
}

/// Which pairs of two blocks are tested, how far each link reaches, and where each one's pairs
/// are.
static bool make_rows(gz_link_tree *t, const graze_checker *c) {
    size_t blocks = t->levels[0].count;
    t->members = gz_malloc(8 * blocks, sizeof *t->members);
    t->wanted = gz_calloc(blocks * blocks, sizeof *t->wanted);
    if (!t->members || !t->wanted) return false;
    const int32_t *children = t->levels[0].children;
    for (size_t i = 0; i < 8 * blocks; i++) {
        t->members[i] = children[i] >= 0 ? children[i] : children[i / 8 * 8];
        if (children[i] >= 0) t->slots[children[i]] = (int32_t)i;
    }
    memset(t->thresholds, 0, t->link_count * sizeof *t->thresholds);
    memset(t->row_ends, 0, t->link_count * sizeof *t->row_ends);
    for (size_t i = 0; i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        int32_t a = t->places[p->a], b = t->places[p->b];
        t->row_ends[a] = (int32_t)i + 1;
        if (p->fixed) continue;
        t->thresholds[a] = fmax(t->thresholds[a], 0.5 * p->threshold);
        t->thresholds[b] = fmax(t->thresholds[b], 0.5 * p->threshold);
        int32_t at[2] = {t->slots[a], t->slots[b]};
        size_t x = (size_t)(at[0] < at[1] ? at[0] : at[1]);
        size_t y = (size_t)(at[0] < at[1] ? at[1] : at[0]);
        t->wanted[x / 8 * blocks + y / 8] |= (uint64_t)1 << (8 * (x % 8) + y % 8);
        if (x / 8 != y / 8)
            t->wanted[y / 8 * blocks + x / 8] |= (uint64_t)1 << (8 * (y % 8) + x % 8);
    }
    for (size_t i = 1; i < t->link_count; i++)
        if (t->row_ends[i] < t->row_ends[i - 1]) t->row_ends[i] = t->row_ends[i - 1];
    return true;
}

static void lay_out_tree(gz_link_tree *t, const graze_checker *c, gz_arena *arena) {
    t->links = gz_arena_array(arena, t->link_count, sizeof *t->links);
    t->thresholds = gz_arena_array(arena, t->link_count, sizeof *t->thresholds);
    t->row_ends = gz_arena_array(arena, t->link_count, sizeof *t->row_ends);
    t->slots = gz_arena_array(arena, t->link_count, sizeof *t->slots);
    t->places = gz_arena_array(arena, (size_t)c->robot->link_count, sizeof *t->places);
    t->fixed = gz_arena_array(arena, t->fixed_count, sizeof *t->fixed);
    t->blocks = gz_arena_array(arena, t->link_count + GZ_LINK_LEVELS, 9 * sizeof *t->blocks);
}

bool gz_link_tree_create(gz_link_tree **out, const graze_checker *c) {
    *out = NULL;
    gz_link_tree *t = gz_calloc(1, sizeof *t);
    gz_arena arena = {0};
    if (!t) return false;
    t->pairs = c->pairs;
    t->pair_count = c->pair_count;
    t->link_count = c->link_count;
    t->find = gz_filter_kernels_choose(c->kernels)->find_links;
    for (size_t i = 0; i < c->pair_count; i++) t->fixed_count += c->pairs[i].fixed;
    lay_out_tree(t, c, &arena);
    bool ok = gz_arena_create(&arena);
    if (ok) {
        t->memory = arena.memory;
        lay_out_tree(t, c, &arena);
        for (int32_t i = 0; i < c->robot->link_count; i++) t->places[i] = -1;
        for (size_t i = 0; i < c->link_count; i++) t->places[c->links[i]] = (int32_t)i;
        memcpy(t->links, c->links, c->link_count * sizeof *t->links);
        for (size_t i = 0, n = 0; i < c->pair_count; i++)
            if (c->pairs[i].fixed) t->fixed[n++] = (int32_t)i;
        ok = make_levels(t, c) && make_rows(t, c);
    }
    if (ok)
        *out = t;
    else
        gz_link_tree_free(t);
    return ok;
}

void gz_link_tree_free(gz_link_tree *t) {
    if (!t) return;
    gz_free(t->memory);
    gz_free(t->members);
    gz_free(t->wanted);
    gz_free(t);
}

size_t gz_link_tree_fixed_before(const gz_link_tree *t, size_t end) {
    size_t low = 0, high = t->fixed_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((size_t)t->fixed[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// --------------------------------------------------------------------------------------- searching

/// Forgets everything; two of eight bounds are never set.
static void clear_search(gz_link_search *s, const gz_link_tree *t) {
    memset(s->summary, 0, s->summary_count * sizeof *s->summary);
    memset(s->found, 0, (t->pair_count + 63) / 64 * sizeof *s->found);
    memset(s->bounds, 0, t->block_count * sizeof *s->bounds);
    for (size_t i = 0; i < t->block_count; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 8; j++) {
                s->boxes[i].low[k][j] = NOWHERE;
                s->boxes[i].high[k][j] = -NOWHERE;
            }
}

void gz_link_search_place(gz_link_search **search, const gz_link_tree *t, gz_arena *arena) {
    size_t words = (t->pair_count + 63) / 64;
    gz_link_search out = {.summary_count = (words + 63) / 64,
                          .found_most = FOUND_MOST * t->link_count};
    *search = gz_arena_array(arena, 1, sizeof **search);
    out.spheres = gz_arena_array(arena, t->levels[0].count, sizeof *out.spheres);
    out.boxes = gz_arena_array(arena, t->block_count, sizeof *out.boxes);
    out.bounds = gz_arena_array(arena, t->block_count, sizeof *out.bounds);
    out.summary = gz_arena_array(arena, out.summary_count, sizeof *out.summary);
    out.found = gz_arena_array(arena, words, sizeof *out.found);
    if (!*search) return;
    **search = out;
    clear_search(*search, t);
}

bool gz_link_search_create(gz_link_search **search, const gz_link_tree *t) {
    gz_arena arena = {0};
    gz_link_search_place(search, t, &arena);
    if (!gz_arena_create(&arena)) return false;
    gz_link_search_place(search, t, &arena);
    return true;
}

void gz_link_search_free(gz_link_search *s) {
    gz_free(s); // the first of its arrays
}

/// A link's ball in float, from `origin`: it holds the ball of radius (r + h) (1 + 2^-21) around
/// the centre c in double, where r is the radius as gz_links_apart() reads it, with its pads, and h
/// half of the greatest reach of the link's pairs. With u = 2^-24 a coordinate of c - origin rounds
/// by u of itself, twice that with the rounding of the difference in double (2^-53); and by u of
/// itself and of the radius again where a box's side is made of both. 2^-22 of the coordinates' sum
/// and 2^-20 of the radius cover that, with room for 2^-21; 2^-60 m keeps squares from underflow.
/// So where such balls are proved apart, the centres are farther apart than r_a + r_b + h_a + h_b
/// by 2^-21 of it and more, h_a + h_b is not less than the reach of the pair, and
/// gz_links_apart(), which rounds by 2^-48, finds so, too.
static void place_ball(gz_link_spheres *out, size_t i, const double center[3], double radius,
                       const double origin[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = center[k] - origin[k];
        out->center[k][i] = (float)d;
        sum += fabs(d);
    }
    out->radius[i] = (float)(radius * (1 + 0x1p-20) + 0x1p-22 * sum + 0x1p-60);
}

bool gz_link_tree_find(const gz_link_tree *t, gz_link_search *s, const graze_workspace *ws) {
    const double *origin = ws->centers[t->links[0]];
    for (size_t b = 0; b < t->levels[0].count; b++)
        for (size_t i = 0; i < 8; i++) {
            int32_t place = t->members[8 * b + i], link = t->links[place];
            place_ball(&s->spheres[b], i, ws->centers[link], ws->radii[link] + t->thresholds[place],
                       origin);
        }
    gz_link_search_begin(s);
    bool ok = t->find(t, s);
    if (!ok) gz_link_search_clear(s);
    for (size_t i = 0; ok && ws->checker->fixed_collision && i < t->fixed_count; i++)
        if (t->pairs[t->fixed[i]].collides) gz_link_search_add(s, (size_t)t->fixed[i]);
    return ok;
}

/// As place_ball(), for centres that are float: a box's side rounds by 2^-24 of the coordinate and
/// of the radius. The 2^-15 are more than gz_link_widen() and sums and squares of filters round, so
/// that what is left out here is apart there, too.
bool gz_link_tree_find_balls(const gz_link_tree *t, gz_link_search *s, const float *x,
                             const float *y, const float *z, size_t stride, const float *radii) {
    for (size_t b = 0; b < t->levels[0].count; b++) {
        gz_link_spheres *out = &s->spheres[b];
        for (size_t i = 0; i < 8; i++) {
            size_t place = (size_t)t->members[8 * b + i], at = stride * place;
            out->center[0][i] = x[at];
            out->center[1][i] = y[at];
            out->center[2][i] = z[at];
            out->radius[i] = radii[place] * (1 + 0x1p-15f) +
                             0x1p-22f * (fabsf(x[at]) + fabsf(y[at]) + fabsf(z[at])) + 0x1p-60f;
        }
    }
    s->found_count = 0;
    if (t->find(t, s)) return true;
    gz_link_search_begin(s);
    return false;
}

int32_t gz_link_search_next(gz_link_search *s) {
    while (s->word < s->summary_count && !s->summary[s->word]) s->word++;
    if (s->word == s->summary_count) return -1;
    size_t i = 64 * s->word + (size_t)__builtin_ctzll(s->summary[s->word]);
    size_t pair = 64 * i + (size_t)__builtin_ctzll(s->found[i]);
    s->found[i] &= s->found[i] - 1;
    if (!s->found[i]) s->summary[s->word] &= s->summary[s->word] - 1;
    return (int32_t)pair;
}

void gz_link_search_clear(gz_link_search *s) {
    for (; s->word < s->summary_count; s->word++)
        for (uint64_t *bits = &s->summary[s->word]; *bits; *bits &= *bits - 1)
            s->found[64 * s->word + (size_t)__builtin_ctzll(*bits)] = 0;
}
