/// The two float filters and what they write to: that of eight configurations side by side (batch)
/// and that of one configuration with eight pairs side by side (query). Which pairs of links, and
/// which links with the world, may touch? Only "surely apart" is decided here, and by mesh proxies,
/// where no place is wanted, "surely overlapping"; what is left is posed and tested in double.
#ifndef GZ_CHECK_FILTERS_H
#define GZ_CHECK_FILTERS_H

#include "check/check_internal.h"
#include "check/filter_model.h"

/// A pair of links that may touch in some of eight configurations.
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

/// A pair of links that the filter leaves in one lane.
typedef struct gz_lane_pair {
    int32_t index;        ///< of checker->pairs
    bool placed;          ///< its proxies can be tested
    gz_proxy_pair meshes; ///< where placed
} gz_lane_pair;

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
    float (*centers)[3][GZ_LANES]; ///< per link: of the sphere
    float (*boxes)[12][GZ_LANES];  ///< per link: axes and centre of the box
    uint8_t *box_ready;
    gz_link_search *search;      ///< of the tree
    uint32_t *items;             ///< pairs and lanes whose spheres may touch, 8 to a pair
    gz_filter_view *views;       ///< per object, seen from the origin
    float (*seen)[12][GZ_LANES]; ///< the objects' boxes from there, as of a link
    float extent[2][3];          ///< the box around all objects from there
    double origin[3];
    bool has_views;                   ///< the views are those from the origin
    struct gz_local_tree *local_tree; ///< of the robot, in a large world; else NULL
    uint32_t unfit;                   ///< [in, out] lanes that the filter does not cover
    gz_lane_pair *lane_pairs;         ///< that the filter leaves in one lane
    gz_candidate *lane_candidates;    ///< the same, for the trees
    int32_t *lane_scenes; ///< of the candidates: links and scenes that are still to test
    gz_batch_pair *pairs;
    gz_batch_candidate *candidates; ///< by link, then by object
    size_t pair_count, candidate_count;
    uint32_t left; ///< lanes in which there is any of both
    void *memory;
} gz_batch_block;

/// False when out of memory.
bool gz_batch_block_create(gz_batch_block *block, const gz_filter_model *model);
void gz_batch_block_free(gz_batch_block *block);

/// Two links that may touch in one lane, as their proxies are tested; pair->question is left to the
/// caller. False where proxies are not tested in float.
bool gz_batch_pair_place(const gz_filter_model *model, const gz_batch_block *block,
                         const gz_batch_pair *own, size_t lane, gz_proxy_pair *pair);

/// Tests the proxies of a link and an object that may touch in one lane.
gz_proxy_answer gz_batch_candidate_test(const gz_filter_model *model, const gz_batch_block *block,
                                        const gz_batch_candidate *candidate, size_t lane,
                                        gz_proxy_question question);

/// A posed oriented box.
typedef struct gz_query_box {
    float column[4][4]; ///< axes and centre
    float row[3][4];    ///< the same by coordinate
} gz_query_box;

/// An object seen from the base's origin.
typedef struct gz_query_object {
    gz_query_box box;
    float half[4];
    gz_filter_view view;
    bool ready; ///< all of it is known; else the view's centre and pad alone
} gz_query_object;

/// Scratch of one workspace, and the result.
typedef struct gz_query_scratch {
    const double *q;      ///< of the pose; NULL where poses are the caller's
    double *values;       ///< by slot
    float *sines;         ///< by slot, sine and cosine in groups of eight
    float (*poses)[4][4]; ///< per body: columns of rotation and translation
    float *centers[3];    ///< per link, of the sphere
    float *clear[4]; ///< per link: where it was seen clear of all objects, and the square of how
                     ///< far it may move from there and is clear of them; used as planes are
    gz_query_box *boxes; ///< per link
    uint8_t *box_ready;
    gz_query_object *objects;     ///< seen from the origin
    float (*places)[4][GZ_LANES]; ///< per group: centres and pads of objects
    float extent[2][3];           ///< the box around all objects, from there
    double origin[3];
    bool has_views;
    uint8_t *possible; ///< as present, without objects whose map shows that the link is clear
    gz_proxy_plane *pair_planes;   ///< per pair of the model, of earlier configurations
    gz_proxy_plane *object_planes; ///< the same per link and padded object
    bool keeps_planes;             ///< [in] they and `clear` are used, and kept
    bool beyond;                   ///< [out] some joint is beyond its limits
    gz_link_search *search;        ///< the workspace's, of the tree

    int32_t *entries, *stack;         ///< the workspace's, for gz_world_query()
    struct gz_local_tree *local_tree; ///< the same, NULL in a small world
    int32_t *pairs;                   ///< [out] left for the trees, as gz_check_candidates()
    gz_candidate *candidates;         ///< [out] the same, by link, then by object
    size_t pair_count, candidate_count;
    const graze_rules *rules;    ///< [in] the workspace's
    const gz_check_pair *before; ///< [in] with rules: only pairs before this one count; or NULL
    int32_t certain_pair;        ///< [out] index of checker->pairs: overlaps for certain; else -1
    gz_candidate certain;        ///< [out] overlaps for certain, where link >= 0
} gz_query_scratch;

/// Runs the filter on `count` (1 to 8) rows of q, with one base pose (12 numbers) for each; floats
/// count from the first row's base. Rows with values out of range end up in block->unfit.
typedef void (*gz_batch_filter)(const gz_filter_model *model, const double *q, size_t q_size,
                                size_t count, double (*base)[12], gz_batch_block *block);

/// Everything that is compiled once per instruction set.
typedef struct gz_filter_kernels {
    /// Poses all bodies from the base's origin; false where a value is out of range.
    bool (*pose)(const gz_filter_model *model, const double *q, const double base[12],
                 gz_query_scratch *scratch);
    /// Takes the poses of all bodies in place of that; false where one is farther from the root
    /// than the errors are for.
    bool (*take)(const gz_filter_model *model, double (*bodies)[12], gz_query_scratch *scratch);
    /// Lists pairs that may touch, up to the first that is certain to overlap.
    void (*pairs)(const gz_filter_model *model, gz_proxy_question question,
                  gz_query_scratch *scratch, graze_stats *stats);
    /// Lower bounds of the distances of the model's pairs, by the links' spheres, where it has
    /// rows: a key for each lane of a row, INFINITY where no pair is; and the least of each row,
    /// up to a whole eight.
    void (*bounds)(const gz_filter_model *model, const gz_query_scratch *scratch, float *keys,
                   float *least);
    /// The place of the least of such keys, of fewer than 2^24, once that at *at may have changed.
    /// Returns the least of all others.
    float (*least)(const float *keys, float *least, size_t rows, size_t *at);
    /// Places the meshes of a pair that has proxies; the question is left to the caller.
    void (*place)(const gz_filter_model *model, const gz_filter_pair *pair,
                  const gz_query_scratch *scratch, gz_proxy_pair *out);
    /// Lists links and objects that may touch, up to the first that are certain to overlap. `free`:
    /// links that are known to be free of the world, by their index; or NULL.
    void (*objects)(const gz_filter_model *model, const double base[12], const uint8_t *free,
                    gz_proxy_question question, gz_query_scratch *scratch, graze_stats *stats);
    gz_batch_filter batch;
    gz_link_finder find_links;
} gz_filter_kernels;
extern const gz_filter_kernels gz_filter_kernels_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_filter_kernels gz_filter_kernels_avx2;
#endif
/// Those of the same instruction set as the kernels of the narrow phase.
const gz_filter_kernels *gz_filter_kernels_choose(const gz_kernels *kernels);

#endif
