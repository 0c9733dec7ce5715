/// Eight configurations side by side, in float: which pairs of links, and which links with the
/// world, may touch? Only "surely apart" is ever decided here; the rest goes on one configuration
/// at a time: by mesh proxies, then in double.
#ifndef GZ_CHECK_BATCH_FILTER_H
#define GZ_CHECK_BATCH_FILTER_H

#include "check/filter_pose.h"

/// What eight configurations leave to look at.
typedef struct gz_batch_pair {
    int32_t index;  ///< of checker->pairs
    int32_t own;    ///< of the model's pairs
    uint32_t lanes; ///< bit i: configuration i
} gz_batch_pair;

/// A link and an object of the world that may touch.
typedef struct gz_batch_candidate {
    int32_t link, object; ///< of the model
    uint32_t lanes;
    float depth[GZ_LANES]; ///< where the object has a map: how far the link's middle is from it, at
                           ///< least, in parts of the link's radius
} gz_batch_candidate;

/// A joint in eight rows: what its body's pose is made of.
typedef struct gz_batch_motion {
    float cosine[GZ_LANES], sine[GZ_LANES]; ///< of its value; of a slide's the value, in `sine`
    uint32_t unfit;                         ///< lanes whose values are out of range
} gz_batch_motion;

/// Scratch of one thread, and the result.
typedef struct gz_batch_block {
    bool one_base;                 ///< [in] all rows have the first one's base
    bool started;                  ///< rows, motions and poses are those of a block
    bool posed;                    ///< `base` is the one that all poses come from
    double base[12];               ///< of the first row
    double *rows;                  ///< eight rows of q, the last block's
    uint64_t *differs;             ///< per column: not 0 where these differ from those before them
    gz_batch_motion *motions;      ///< per body
    bool *moved;                   ///< per body: has another pose than in the last block
    float (*poses)[12][GZ_LANES];  ///< per body
    float (*centers)[3][GZ_LANES]; ///< per lane link: of the sphere
    float (*boxes)[12][GZ_LANES];  ///< per lane link: axes and centre of the box
    uint8_t *box_ready;
    gz_link_search *search;      ///< of the tree
    uint32_t *items;             ///< pairs and lanes whose spheres may touch, 8 to a pair
    gz_filter_view *views;       ///< per object, seen from the origin
    float (*seen)[12][GZ_LANES]; ///< the objects' boxes from there, as of a link
    float extent[2][3];          ///< the box around all objects from there
    double origin[3];
    bool has_views;               ///< the views are those from the origin
    struct gz_vicinity *vicinity; ///< of the robot, in a large world; else NULL
    uint32_t unfit;               ///< [in, out] lanes that the filter must not speak about
    gz_batch_pair *pairs;
    gz_batch_candidate *candidates; ///< by link, then by object
    size_t pair_count, candidate_count;
    uint32_t left; ///< lanes in which there is any of both
    void *memory;
} gz_batch_block;

/// False when out of memory.
bool gz_batch_block_create(gz_batch_block *block, const gz_filter_model *model);
void gz_batch_block_free(gz_batch_block *block);

/// Runs the filter on `count` (1 to 8) rows of q, with one base pose (12 numbers) for each; floats
/// count from the first row's base. Rows with values out of range end up in block->unfit.
typedef void (*gz_batch_filter)(const gz_filter_model *model, const double *q, size_t q_size,
                                size_t count, double (*base)[12], gz_batch_block *block);
extern const gz_batch_filter gz_batch_filter_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_batch_filter gz_batch_filter_avx2;
#endif

/// Two links that may touch in one lane, as their proxies are tested; pair->meet is left to the
/// caller. False where proxies are not tested in float.
bool gz_batch_pair_place(const gz_filter_model *model, const gz_batch_block *block,
                         const gz_batch_pair *own, size_t lane, gz_proxy_pair *pair);

/// Tests the proxies of a link and an object that may touch in one lane. `meet`: nobody asks where.
gz_proxy_answer gz_batch_candidate_test(const gz_filter_model *model, const gz_batch_block *block,
                                        const gz_batch_candidate *candidate, size_t lane,
                                        bool meet);

/// The filter of the same instruction set as the kernels.
gz_batch_filter gz_batch_filter_choose(const gz_kernels *kernels);

#endif
