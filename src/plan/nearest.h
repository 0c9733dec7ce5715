/// Between the files of nearest neighbours: how states are held, and the search, which is compiled
/// once per instruction set.
#ifndef GZ_PLAN_NEAREST_H
#define GZ_PLAN_NEAREST_H

#include "plan/plan_internal.h"

// Bentley and Saxe, Decomposable searching problems I (1980): the states are held in static trees
// of BUFFER * 2^k states, at most one per k, like the digits of a binary number, and fewer than
// BUFFER in a plain list. An addition that fills the list merges the trees below the first free k
// into one. Each state is so moved O(log n) times.
//
// A tree is ordered as a k-d tree (Bentley 1975) is, into blocks of BLOCK neighbouring states.
// FANOUT neighbouring blocks have their bounding boxes in one group, as many groups in one group of
// the height above, up to one group. Boxes and states are stored axis by axis, so that a compiler
// makes vector code of the scans.
#define TWO_PI 6.28318530717958647692f

enum { BUFFER = 64, BLOCK = 16, FANOUT = 8, LEVELS = 26, HEIGHTS = 10 };

/// A static tree.
typedef struct gz_nearest_level {
    float *blocks;             ///< per block: BLOCK values of the first axis, of the second ...
    int32_t *ids;              ///< per block: BLOCK numbers; free places repeat the last state
    float *boxes;              ///< per group, per axis: FANOUT low values, then as many high ones
    size_t first[HEIGHTS + 1]; ///< group of each height; the last height has one group
    size_t counts[HEIGHTS];    ///< what the groups of a height hold: blocks, or groups
    int heights;
    size_t count; ///< states; 0: the level is free
} gz_nearest_level;

/// The states nearest to a key, `wanted` > 0 or all that there are; returns how many.
typedef size_t (*gz_nearest_search)(const gz_neighbours *nearest, const float *key, size_t wanted,
                                    gz_near *found);

struct gz_neighbours {
    size_t dimension;
    bool has_rotation;
    unsigned char *kinds; ///< gz_axis_kind per axis
    float *periods;       ///< per axis: of angles 2 pi, else infinite
    float *query;         ///< the key that is looked for; periods and buffer lie behind it
    float *keys;          ///< dimension values per state, angles in [-pi, pi]
    size_t count, capacity;
    size_t first_buffered; ///< states from here on are in no tree
    float *buffer;         ///< those, in blocks; free places repeat the first state of the block
    gz_nearest_level levels[LEVELS];
    gz_nearest_search search;
};

/// The place of a box: its low values, FANOUT apart; the high ones lie FANOUT behind.
static inline float *gz_nearest_box(const gz_nearest_level *l, size_t dimension, int height,
                                    size_t index) {
    size_t group = l->first[height] + index / FANOUT;
    return l->boxes + group * 2 * FANOUT * dimension + index % FANOUT;
}

/// The same results with every instruction set.
extern const gz_nearest_search gz_nearest_search_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_nearest_search gz_nearest_search_avx2;
#endif

#endif
