/// Eight configurations side by side, in float: which pairs of links, and which links with the
/// world, may touch? Only "surely apart" is ever decided here; the rest goes the ordinary way, one
/// configuration at a time, in double.
#ifndef GZ_CHECK_LANE_FILTER_H
#define GZ_CHECK_LANE_FILTER_H

#include "check/checker.h"
#include "math/lanes.h"

/// A rigid body with the constants of its joint in float.
typedef struct gz_lane_body {
    int32_t parent, column;
    bool turns; ///< revolute or continuous; else prismatic
    double multiplier, offset;
    double value_max; ///< prismatic: the bound on |value| that the errors were derived for
    float still[9], cosine[9], sine[9];
    float rotation[9];        ///< of the origin, for prismatic joints
    float shift[3], slide[3]; ///< translation of the origin; its change per value, for prismatic
} gz_lane_body;

typedef struct gz_lane_link {
    int32_t link, body;
    float center[3], radius;                  ///< bounding sphere
    float box_center[3], axis[3][3], half[3]; ///< oriented box, axis[k] its k-th direction
    float error; ///< bound on how far float places any point of the bounds off, m
    float turn;  ///< bound on the error of the pose's rotation, and so of a unit vector's length
    const graze_mesh *mesh; ///< all that the link collides with, with a sketch; else NULL
    bool solid;             ///< what lies in a closed component of it collides
    bool cap;               ///< what lies in an open one, closed by its caps, does, too
} gz_lane_link;

typedef struct gz_lane_pair {
    int32_t a, b;     ///< indices of gz_lane_link
    int32_t pair;     ///< index of checker->pairs
    float reach, pad; ///< radii and errors of both; errors of both for the boxes; both with the
                      ///< pair's margin
    float margin;     ///< that is taken for the pair's: not less
} gz_lane_pair;

/// An object of the world: its oriented box, posed.
typedef struct gz_lane_object {
    double center[3];
    float axis[3][3], half[3];
    float size;             ///< |half|, for the error
    const graze_mesh *mesh; ///< that it is; NULL for curved shapes
    gz_part part;           ///< the mesh as one, where it has no map
    bool solid, cap;        ///< as of a link
    bool has_map;           ///< the mesh has a clearance map
    float to_mesh[3][3];    ///< rotation of the world into the mesh's frame
    double mesh_origin[3];  ///< the mesh's origin in the world
} gz_lane_object;

/// Everything above for one checker, immutable.
typedef struct gz_lane_model {
    const gz_kernels *kernels;
    gz_lane_body *bodies;
    gz_lane_link *links;
    gz_lane_pair *pairs;
    gz_lane_object *objects;
    float *margins;   ///< of lane link * object_count + object; NULL where all are 0
    uint8_t *allowed; ///< the same: not checked; NULL where all are
    size_t body_count, link_count, pair_count, object_count;
    float world[2][3]; ///< a box that holds all objects and their margins
    bool all_near;     ///< the world is left to the tree over it
    double base_max;   ///< farthest base from the block's origin that the errors were derived for
} gz_lane_model;

/// Worlds of more objects than this are left to the tree over them.
#define GZ_LANE_OBJECTS 64

/// What eight configurations leave to look at.
typedef struct gz_lane_survivor {
    int32_t index;  ///< of checker->pairs
    int32_t own;    ///< of the model's pairs
    uint32_t lanes; ///< bit i: configuration i
} gz_lane_survivor;

/// A link and an object of the world that may touch.
typedef struct gz_lane_touch {
    int32_t link, object; ///< of the model
    uint32_t lanes;
} gz_lane_touch;

/// An object's box and its mesh's frame, seen from the block's origin, in float.
typedef struct gz_seen_object {
    float box[12][GZ_LANES]; ///< as of a link
    float center[3], pad;    ///< by how much the box is off
    float shift[3];          ///< the block's origin in the mesh's frame
    float mesh_pad;          ///< by how much shift and to_mesh place a point off, near the mesh
} gz_seen_object;

/// Scratch of one thread, and the result.
typedef struct gz_lane_block {
    float (*poses)[12][GZ_LANES];  ///< per body
    float (*centers)[3][GZ_LANES]; ///< per lane link: of the sphere
    float (*boxes)[12][GZ_LANES];  ///< per lane link: axes and centre of the box
    uint8_t *box_ready;
    gz_seen_object *objects; ///< per object
    uint32_t unfit;          ///< [in, out] lanes that the filter must not speak about
    gz_lane_survivor *pairs;
    gz_lane_touch *touches; ///< by link, then by object
    size_t pair_count, touch_count;
} gz_lane_block;

/// Builds the model; *model is NULL (and true returned) for robots that the filter does not cover:
/// planar or floating joints. False when out of memory.
bool gz_lane_model_create(gz_lane_model **model, const graze_checker *checker);
void gz_lane_model_free(gz_lane_model *model);
/// Room that a block keeps for touches.
size_t gz_lane_touches_most(const gz_lane_model *model);
bool gz_lane_block_create(gz_lane_block *block, const gz_lane_model *model);
void gz_lane_block_free(gz_lane_block *block);

/// Runs the filter on `count` (1 to 8) rows of q, with one base pose (12 numbers) for each; floats
/// count from the first row's base. Rows with values out of range end up in block->unfit.
typedef void (*gz_lane_filter)(const gz_lane_model *model, const double *q, size_t q_size,
                               size_t count, double (*base)[12], gz_lane_block *block);
extern const gz_lane_filter gz_lane_filter_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_lane_filter gz_lane_filter_avx2;
#endif

/// What the sketches of a pair that survived say of one lane. `meet`: nobody asks where.
gz_sketch_answer gz_lane_pair_judge(const gz_lane_model *model, const gz_lane_block *block,
                                    const gz_lane_survivor *survivor, size_t lane, bool meet);

/// The same of a link and an object.
gz_sketch_answer gz_lane_touch_judge(const gz_lane_model *model, const gz_lane_block *block,
                                     const gz_lane_touch *touch, size_t lane, bool meet);

/// The filter of the same instruction set as the kernels.
gz_lane_filter gz_lane_filter_choose(const gz_kernels *kernels);

#endif
