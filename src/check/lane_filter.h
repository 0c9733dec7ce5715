/// Eight configurations side by side, in float: which pairs of links, and which links with the
/// world, may touch? Only "surely apart" is ever decided here; the rest goes the ordinary way, one
/// configuration at a time, in double.
#ifndef GZ_CHECK_LANE_FILTER_H
#define GZ_CHECK_LANE_FILTER_H

#include "check/link_tree.h"
#include "math/lanes.h"

/// A rigid body with the constants of its joint in float.
typedef struct gz_lane_body {
    int32_t parent, column;
    bool turns; ///< revolute or continuous; else prismatic
    bool along; ///< about or along one of its own axes, with an origin that permutes axes
    double multiplier, offset;
    double value_max; ///< prismatic: the bound on |value| that the errors were derived for
    float shift[3];   ///< translation of the origin; along an axis by from[]
    // Along an axis, to[0], which turns to[1] into to[2]: column to[k] of the origin's rotation is
    // sign[k] times the unit vector from[k].
    int32_t to[3], from[3];
    float sign[3];
    double bent; ///< by how much (Frobenius norm) that is off
    // Else: rotation of the origin and, folded in, of the joint (gz_body); translation per value.
    float still[9], cosine[9], sine[9], slide[3];
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
    int32_t a, b;               ///< indices of gz_lane_link
    int32_t pair;               ///< index of checker->pairs
    int32_t center_a, center_b; ///< where a block has their spheres' centres
    float apart2;      ///< squared distance of the spheres' centres from which on they are apart
    int32_t box, ball; ///< the larger link and the smaller one
    float outside2;    ///< squared distance of the ball's centre from the box, the same
    float sizes[7];    ///< half extents of these two's boxes, and by how much they must be apart
    float margin;      ///< that is taken for the pair's: not less
    float error;       ///< by how much both are off to each other (pair_error.h), besides `turn`
} gz_lane_pair;

/// An object of the world: its oriented box, posed.
typedef struct gz_lane_object {
    double center[3];
    float axis[3][3], half[3];
    float size;              ///< |half|, for the error
    bool like_last;          ///< its axes are those of the object before
    const graze_mesh *mesh;  ///< that it is; NULL for curved shapes
    gz_component_proxy part; ///< the mesh as one, where it has no map
    bool solid, cap;         ///< as of a link
    bool has_map;            ///< the mesh has a clearance map
    bool is_box;             ///< gz_mesh_is_box() of the mesh
    float to_mesh[3][3];     ///< rotation of the world into the mesh's frame
    double mesh_origin[3];   ///< the mesh's origin in the world
} gz_lane_object;

/// Everything above for one checker, immutable.
typedef struct gz_lane_model {
    const gz_kernels *kernels;
    gz_lane_body *bodies;
    gz_lane_link *links;
    gz_lane_pair *pairs;
    gz_lane_object *objects;
    const gz_link_tree *tree; ///< over the links, the checker's; NULL where pairs are few
    float *radii;             ///< per link, for the tree
    float *margins;           ///< of lane link * object_count + object; NULL where all are 0
    uint8_t *allowed;         ///< the same: not checked; NULL where all are
    size_t q_size, body_count, link_count, pair_count, object_count;
    float world[2][3];        ///< a box that holds all objects and their margins
    bool all_near;            ///< the world is left to the tree over it
    const graze_world *large; ///< it, where bounding spheres are held to that; else NULL
    double reach;             ///< of the robot
    double base_max; ///< farthest base from the block's origin that the errors were derived for
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
    float depth[GZ_LANES]; ///< where the object has a map: how far the link's middle is from it, at
                           ///< least, in parts of the link's radius
} gz_lane_touch;

/// An object's box and its mesh's frame, seen from the block's origin, in float.
typedef struct gz_seen_object {
    float box[12][GZ_LANES]; ///< as of a link
    float along[3], pad;     ///< its centre along its axes; by how much the box is off
    float shift[3];          ///< the block's origin in the mesh's frame
    float mesh_pad;          ///< by how much shift and to_mesh place a point off, near the mesh
} gz_seen_object;

/// A joint in eight rows: what its body's pose is made of.
typedef struct gz_lane_motion {
    float cosine[GZ_LANES], sine[GZ_LANES]; ///< of its value; of a slide's the value, in `sine`
    uint32_t unfit;                         ///< lanes whose values are out of range
} gz_lane_motion;

/// Scratch of one thread, and the result.
typedef struct gz_lane_block {
    bool one_base;                 ///< [in] all rows have the first one's base
    bool started;                  ///< rows, motions and poses are those of a block
    bool posed;                    ///< `base` is the one that all poses come from
    double base[12];               ///< of the first row
    double *rows;                  ///< eight rows of q, the last block's
    uint64_t *differs;             ///< per column: not 0 where these differ from those before them
    gz_lane_motion *motions;       ///< per body
    bool *moved;                   ///< per body: has another pose than in the last block
    float (*poses)[12][GZ_LANES];  ///< per body
    float (*centers)[3][GZ_LANES]; ///< per lane link: of the sphere
    float (*boxes)[12][GZ_LANES];  ///< per lane link: axes and centre of the box
    uint8_t *box_ready;
    gz_link_search *search;  ///< of the tree
    uint32_t *items;         ///< pairs and lanes whose spheres may touch, 8 to a pair
    gz_seen_object *objects; ///< per object, seen from there
    double seen_origin[3];
    bool seen;                    ///< they have been
    struct gz_vicinity *vicinity; ///< of the robot, in a large world; else NULL
    uint32_t unfit;               ///< [in, out] lanes that the filter must not speak about
    gz_lane_survivor *pairs;
    gz_lane_touch *touches; ///< by link, then by object
    size_t pair_count, touch_count;
    uint32_t left; ///< lanes in which there is any of both
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

/// Two links of a mesh each that survived in one lane, as their sketches are asked; pair->meet is
/// left to the caller. False where sketches are not asked in float.
bool gz_lane_pair_place(const gz_lane_model *model, const gz_lane_block *block,
                        const gz_lane_survivor *survivor, size_t lane, gz_proxy_pair *pair);

/// What the sketches of a link and an object that survived say of one lane. `meet`: nobody asks
/// where.
gz_proxy_answer gz_lane_touch_judge(const gz_lane_model *model, const gz_lane_block *block,
                                    const gz_lane_touch *touch, size_t lane, bool meet);

/// The filter of the same instruction set as the kernels.
gz_lane_filter gz_lane_filter_choose(const gz_kernels *kernels);

#endif
