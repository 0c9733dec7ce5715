/// Which pairs of links may touch, for robots of hundreds of links: a tree whose shape follows the
/// robot's joints, so that what hangs together lies together in every configuration, and whose
/// boxes are made anew for each. Eight links are a block, eight blocks a block of the level above,
/// and so on; pairs are found by the tree's descent against itself, eight children at a time.
///
/// The tree only leaves out pairs whose spheres are apart (gz_links_apart()); what it leaves over
/// is a bit per pair, read in the pairs' order, so that a check goes through the same pairs in the
/// same order as without, and counts the same.
#ifndef GZ_CHECK_LINK_TREE_H
#define GZ_CHECK_LINK_TREE_H

#include "base/memory.h"
#include "check/workspace.h"

/// Fewer pairs are tested one by one.
#define GZ_LINK_TREE_PAIRS 8192

struct gz_link_tree;
struct gz_link_search;
/// Adds the pairs whose spheres, as filled in, may touch; false where they are too many.
typedef bool (*gz_link_finder)(const struct gz_link_tree *tree, struct gz_link_search *search);

typedef struct gz_link_level {
    size_t count;      ///< of blocks
    int32_t *children; ///< of block i from 8 i on: blocks of the level below, at level 0 places in
                       ///< checker->links; -1 where there is none, behind all others
    int32_t *parents;  ///< of block i: 8 * block of the level above + which child
    size_t first;      ///< block 0's place among the blocks of all levels
} gz_link_level;

/// More levels than there are: a level has at most a quarter of the items below it as blocks, and
/// one more (link_tree.c).
#define GZ_LINK_LEVELS 20

/// Immutable.
typedef struct gz_link_tree {
    gz_link_level levels[GZ_LINK_LEVELS]; ///< the last one has one block
    size_t level_count, block_count;
    int32_t *members; ///< as the children of level 0, the first one again where there is none
    uint64_t *wanted; ///< of blocks a and b of level 0: bit 8 i + j, child i of a and j of b
    const gz_check_pair *pairs; ///< the checker's
    size_t pair_count, link_count;
    gz_link_finder find;
    int32_t *links;     ///< as the checker's
    double *thresholds; ///< per place: half of the greatest reach of its pairs
    int32_t *row_ends;  ///< per place: the last of its pairs as the earlier link, and one more
    int32_t *places;    ///< per link of the robot
    int32_t *fixed;     ///< pairs that no joint moves, ascending: not in `wanted`
    size_t fixed_count;
    int32_t *slots;  ///< per place: 8 * block + child, of level 0
    int32_t *blocks; ///< children and parents of all levels
    void *memory;    ///< of these but `members` and `wanted`
} gz_link_tree;

/// Spheres of eight links, in float, from an origin near them.
typedef struct gz_link_spheres {
    float center[3][8], radius[8];
} gz_link_spheres;

/// Boxes of the children of a block.
typedef struct gz_link_boxes {
    float low[3][8], high[3][8];
} gz_link_boxes;

/// Scratch of one thread, and what was found.
typedef struct gz_link_search {
    gz_link_spheres *spheres;  ///< per block of level 0; the caller's to fill
    gz_link_boxes *boxes;      ///< per block; unused at level 0
    float (*bounds)[8];        ///< per block: highest x, y, z, -, and of -x, -y, -z, -
    uint64_t *found, *summary; ///< a bit per pair; a bit per word of these that is not 0
    size_t summary_count, found_count, found_most;
    size_t word; ///< of the summary, where gz_link_search_next() goes on
} gz_link_search;

/// The tree of a checker whose pairs are effective. False when out of memory.
bool gz_link_tree_create(gz_link_tree **tree, const graze_checker *checker);
void gz_link_tree_free(gz_link_tree *tree);
bool gz_link_search_create(gz_link_search **search, const gz_link_tree *tree);
/// Lays a search out in somebody else's memory, which is all that frees it: as gz_arena_array(), so
/// NULL is written until there is memory.
void gz_link_search_place(gz_link_search **search, const gz_link_tree *tree, gz_arena *arena);
void gz_link_search_free(gz_link_search *search);

/// The next pair found, ascending; -1 after the last. Each is removed as it is returned.
int32_t gz_link_search_next(gz_link_search *search);
/// Forgets the rest.
void gz_link_search_clear(gz_link_search *search);

/// Before anything is found.
static inline void gz_link_search_begin(gz_link_search *s) {
    gz_link_search_clear(s);
    s->found_count = s->word = 0;
}

/// Adds the pairs that may touch where the centres of the links' spheres, in the order of
/// checker->links and `stride` numbers apart, are in float, and whose reach is not more than the
/// sum of two `radii`. Fixed pairs are not among them. False as gz_link_tree_find().
bool gz_link_tree_find_balls(const gz_link_tree *tree, gz_link_search *search, const float *x,
                             const float *y, const float *z, size_t stride, const float *radii);

/// Widens two radii so that their sum is at least `threshold`.
static inline void gz_link_widen(float *radii, int32_t a, int32_t b, double threshold) {
    double missing = threshold - (double)radii[a] - (double)radii[b];
    if (!(missing > 0)) return;
    radii[a] += (float)(0.5 * missing);
    radii[b] += (float)(0.5 * missing);
}

/// Finds the pairs of a posed workspace that may touch, and the fixed ones that collide. False
/// where links pile up and there are so many that the tree is no help: then nothing is found.
bool gz_link_tree_find(const gz_link_tree *tree, gz_link_search *search, const graze_workspace *ws);

static inline void gz_link_search_add(gz_link_search *s, size_t pair) {
    s->found[pair / 64] |= (uint64_t)1 << pair % 64;
    s->summary[pair / 4096] |= (uint64_t)1 << pair / 64 % 64;
    s->found_count++;
}

/// How many of the pairs before `end` are fixed.
size_t gz_link_tree_fixed_before(const gz_link_tree *tree, size_t end);

#endif
