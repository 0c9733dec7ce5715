/// One configuration in float: which pairs of links, and which links with the world, may touch?
/// Poses of all bodies, spheres of eight links or objects side by side, boxes, sketches. It says
/// "surely apart", and where nobody asks for a place, "surely meeting"; what it leaves is posed and
/// judged in double. As lane_filter.h, with the lanes across pairs instead of configurations.
#ifndef GZ_CHECK_SINGLE_FILTER_H
#define GZ_CHECK_SINGLE_FILTER_H

#include "check/lane_filter.h"
#include "check/link_tree.h"

/// A rigid body with the constants of its joint in float, as columns of four.
typedef struct gz_single_body {
    int32_t parent, column;
    int32_t slot;  ///< of its value: bodies that turn come first, whole groups of eight
    bool turns;    ///< revolute or continuous; else prismatic
    int32_t axis;  ///< 0 to 2: turns about this axis of its frame; 3: about another one
    bool straight; ///< the origin does not rotate
    float sense;   ///< 1 or -1: against the axis
    double multiplier, offset;
    double lower, upper;                         ///< limits of the joint, which it may be beyond
    double value_max;                            ///< the errors were derived for |value| up to this
    float rotation[3][4];                        ///< of the origin
    float still[3][4], cosine[3][4], sine[3][4]; ///< of gz_body, for other axes
    float shift[3], slide[3]; ///< translation of the origin; its change per value, for prismatic
} gz_single_body;

typedef struct gz_single_link {
    int32_t link, body;
    bool moves;
    float center[3], radius;     ///< bounding sphere
    float box[4][4];             ///< axes and centre of the oriented box
    float half[4];               ///< the last is 0
    float error, turn;           ///< as of gz_lane_link
    const graze_mesh *mesh;      ///< as of gz_lane_link
    bool solid, cap;             ///< as of gz_lane_link
    double reach;                ///< by which it must be apart from every object, for its margins
    float cover[2][4][GZ_LANES]; ///< centres and radii of the sketch's cover; the last sphere fills
    int32_t cover_count;         ///< up the last group
} gz_single_link;

typedef struct gz_single_pair {
    int32_t a, b;     ///< links of the model
    int32_t pair;     ///< index of checker->pairs
    bool prefiltered; ///< both are meshes with sketches, and without clearance maps
    float square;     ///< of the distance up to which spheres are near
    float pad;        ///< errors of both for the boxes, with the margin
    float margin;     ///< that is taken for the pair's: not less
    float error;      ///< by how much both are off to each other (pair_error.h), besides `turn`
} gz_single_pair;

/// Pairs of one link with some of eight that follow each other.
typedef struct gz_single_row {
    int32_t a, first, count;
    int32_t pair[GZ_LANES];
    float square[GZ_LANES]; ///< of the distance up to which spheres are near; -1 where no pair is
} gz_single_row;

/// Eight objects of the world.
typedef struct gz_single_group {
    float axis[3][3][GZ_LANES], half[3][GZ_LANES];
} gz_single_group;

/// All that is known of one checker; immutable.
typedef struct gz_single_model {
    const gz_kernels *kernels;
    const struct gz_single_stages *stages; ///< of the same instruction set
    const graze_world *world;
    const gz_lane_object *objects; ///< of the checker's lanes
    gz_single_body *bodies;
    gz_single_link *links; ///< whole groups of eight: the last ones repeat the first link
    gz_single_pair *pairs;
    gz_single_row *rows; ///< by a, then by first: their pairs ascend; none where there is a tree
    const gz_link_tree *tree; ///< the checker's
    float *radii;             ///< per link, for the tree
    gz_single_group *groups;
    float *reaches;   ///< of links, padded: radii and errors
    float *margins;   ///< of links * padded objects: what the distance must exceed besides errors
    uint8_t *present; ///< of links * groups: objects that are there, and checked against the link
    size_t body_count, link_count, pair_count, row_count, object_count, group_count;
    size_t turning;           ///< slots of bodies that turn: whole groups of eight
    double extent[2][3];      ///< a box that holds all objects and their margins
    bool has_world, all_near; ///< the world is asked for; it is left to the tree over it
} gz_single_model;

/// A posed oriented box.
typedef struct gz_single_box {
    float column[4][4]; ///< axes and centre
    float row[3][4];    ///< the same by coordinate
} gz_single_box;

/// An object seen from the base's origin.
typedef struct gz_single_object {
    gz_single_box box;
    float half[4];
    float pad;      ///< by how much the box is off
    float shift[3]; ///< the base's origin in the mesh's frame
    float mesh_pad; ///< by how much shift and to_mesh place a point off, near the mesh
} gz_single_object;

/// Scratch of one workspace, and the result.
typedef struct gz_single_scratch {
    double *values;       ///< by slot
    float *sines;         ///< by slot, sine and cosine in groups of eight
    float (*poses)[4][4]; ///< per body: columns of rotation and translation
    float *centers[3];    ///< per link, of the sphere
    gz_single_box *boxes; ///< per link
    uint8_t *box_ready;
    gz_single_object *objects;    ///< seen from seen_base
    float (*places)[4][GZ_LANES]; ///< per group: centres and pads of objects
    double seen_base[12];
    bool seen;
    uint8_t *possible;      ///< as present, without objects whose map says that the link is clear
    bool beyond;            ///< [out] some joint is beyond its limits
    gz_link_search *search; ///< the workspace's, of the tree

    int32_t *candidates, *stack;  ///< the workspace's, for gz_world_query()
    struct gz_vicinity *vicinity; ///< the same, NULL in a small world
    double reach;                 ///< of the robot from its base, for the vicinity
    int32_t *pairs;               ///< [out] left for the trees, as gz_check_survivors()
    gz_touch *touches;            ///< [out] the same, by link, then by object
    int32_t *links;               ///< whose poses those need
    size_t pair_count, touch_count;
    int32_t certain_pair;   ///< [out] index of checker->pairs: meets for certain; else -1
    gz_touch certain_touch; ///< [out] meets for certain, where link >= 0
} gz_single_scratch;

/// Builds the model; NULL (and true returned) where the lane filter does not speak either. The
/// checker's lanes and tree are known. False when out of memory.
bool gz_single_model_create(gz_single_model **model, const graze_checker *checker);
void gz_single_model_free(gz_single_model *model);
/// NULL when out of memory.
gz_single_scratch *gz_single_scratch_create(const gz_single_model *model);
void gz_single_scratch_free(gz_single_scratch *scratch);

/// The stages, compiled once per instruction set. Where `meet` is set, nobody asks for a place.
typedef struct gz_single_stages {
    /// Poses all bodies from the base's origin; false where a value is out of range.
    bool (*pose)(const gz_single_model *model, const double *q, const double base[12],
                 gz_single_scratch *scratch);
    /// Lists pairs that may touch, up to the first that is certain to.
    void (*pairs)(const gz_single_model *model, bool meet, gz_single_scratch *scratch,
                  graze_stats *stats);
    /// The same of links and objects. `free`: links that are known to be, by their index; or NULL.
    void (*touches)(const gz_single_model *model, const double base[12], const uint8_t *free,
                    bool meet, gz_single_scratch *scratch, graze_stats *stats);
} gz_single_stages;
extern const gz_single_stages gz_single_stages_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_single_stages gz_single_stages_avx2;
#endif

#endif
