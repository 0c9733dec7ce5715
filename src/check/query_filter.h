/// One configuration in float: which pairs of links, and which links with the world, may touch?
/// Poses of all bodies, spheres of eight links or objects side by side, boxes, mesh proxies. It
/// reports "surely apart", and where nobody asks for a place, "surely overlapping"; what it leaves
/// is posed and tested in double. As batch_filter.h, with the lanes across pairs instead of
/// configurations.
#ifndef GZ_CHECK_QUERY_FILTER_H
#define GZ_CHECK_QUERY_FILTER_H

#include "check/filter_pose.h"

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
} gz_query_object;

/// Scratch of one workspace, and the result.
typedef struct gz_query_scratch {
    double *values;       ///< by slot
    float *sines;         ///< by slot, sine and cosine in groups of eight
    float (*poses)[4][4]; ///< per body: columns of rotation and translation
    float *centers[3];    ///< per link, of the sphere
    gz_query_box *boxes;  ///< per link
    uint8_t *box_ready;
    gz_query_object *objects;     ///< seen from the origin
    float (*places)[4][GZ_LANES]; ///< per group: centres and pads of objects
    float extent[2][3];           ///< the box around all objects, from there
    double origin[3];
    bool has_views;
    uint8_t *possible;      ///< as present, without objects whose map says that the link is clear
    bool beyond;            ///< [out] some joint is beyond its limits
    gz_link_search *search; ///< the workspace's, of the tree

    int32_t *entries, *stack;     ///< the workspace's, for gz_world_query()
    struct gz_vicinity *vicinity; ///< the same, NULL in a small world
    int32_t *pairs;               ///< [out] left for the trees, as gz_check_candidates()
    gz_candidate *candidates;     ///< [out] the same, by link, then by object
    size_t pair_count, candidate_count;
    int32_t certain_pair; ///< [out] index of checker->pairs: overlaps for certain; else -1
    gz_candidate certain; ///< [out] overlaps for certain, where link >= 0
    void *memory;
} gz_query_scratch;

/// NULL when out of memory.
gz_query_scratch *gz_query_scratch_create(const gz_filter_model *model);
void gz_query_scratch_free(gz_query_scratch *scratch);

/// The stages of the same instruction set as the kernels.
const struct gz_query_stages *gz_query_stages_choose(const gz_kernels *kernels);

/// The stages, compiled once per instruction set. Where `meet` is set, nobody asks for a place.
typedef struct gz_query_stages {
    /// Poses all bodies from the base's origin; false where a value is out of range.
    bool (*pose)(const gz_filter_model *model, const double *q, const double base[12],
                 gz_query_scratch *scratch);
    /// Lists pairs that may touch, up to the first that is certain to.
    void (*pairs)(const gz_filter_model *model, bool meet, gz_query_scratch *scratch,
                  graze_stats *stats);
    /// The same of links and objects. `free`: links that are known to be, by their index; or NULL.
    void (*objects)(const gz_filter_model *model, const double base[12], const uint8_t *free,
                    bool meet, gz_query_scratch *scratch, graze_stats *stats);
} gz_query_stages;
extern const gz_query_stages gz_query_stages_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_query_stages gz_query_stages_avx2;
#endif

#endif
