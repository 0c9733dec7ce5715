/// The float filters' picture of a checker: bodies, links, pairs and objects with the errors of
/// their float poses. Both filters read it: that of one configuration (query_filter.h) and that of
/// eight side by side (batch_filter.h). Neither ever decides more than "surely apart" and, by mesh
/// proxies, "surely overlapping"; the rest is posed and tested in double.
#ifndef GZ_CHECK_FILTER_MODEL_H
#define GZ_CHECK_FILTER_MODEL_H

#include "check/link_tree.h"
#include "math/lanes.h"

/// A rigid body with the constants of its joint in float. Arrays of four are columns.
typedef struct gz_filter_body {
    int32_t parent, column;
    int32_t slot;  ///< of its value: bodies that turn come first, in whole groups of eight
    bool turns;    ///< revolute or continuous; else prismatic
    bool straight; ///< the origin does not rotate
    bool permutes; ///< about or along one of its own axes, with an origin that permutes axes
    int32_t axis;  ///< 0 to 2: exactly about or along this axis of its frame; 3: another one
    float sense;   ///< 1 or -1: against the axis that is nearest
    double multiplier, offset;
    double lower, upper;  ///< limits of the joint, which it may be beyond
    double value_max;     ///< the errors were derived for |value| up to this
    float rotation[3][4]; ///< of the origin
    float projection[3][4], cosine[3][4], sine[3][4]; ///< R = projection + cos cosine + sin sine
    float shift[3], slide[3]; ///< translation of the origin; its change per value, for prismatic
    // Where it permutes: about axis to[0], which turns to[1] into to[2]; column to[k] of the
    // origin's rotation is sign[k] times the unit vector from[k].
    int32_t to[3], from[3];
    float sign[3];
    double bent; ///< by how much (Frobenius norm) that is off
} gz_filter_body;

typedef struct gz_filter_link {
    int32_t link, body;
    bool moves;
    float center[3], radius; ///< bounding sphere
    float box[4][4];         ///< axes and centre of the oriented box
    float half[4];           ///< its half extents; the last is 0
    float error;             ///< bound on how far float places any point of the bounds off, m
    float turn; ///< bound on the error of the pose's rotation, and so of a unit vector's length
    const graze_mesh *mesh;      ///< all that the link collides with, with a sketch; else NULL
    bool solid;                  ///< what lies in a closed component of it collides
    bool cap;                    ///< what lies in an open one, closed by its caps, does, too
    double world_reach;          ///< by which it must be apart from every object, for its margins
    float cover[2][4][GZ_LANES]; ///< centres and radii of the sketch's cover; the last sphere fills
    int32_t cover_count;         ///< up the last group
} gz_filter_link;

typedef struct gz_filter_pair {
    int32_t a, b;               ///< links of the model
    int32_t pair;               ///< index of checker->pairs
    int32_t center_a, center_b; ///< where a block of eight has their spheres' centres
    float apart2;      ///< squared distance of the spheres' centres from which on they are apart
    int32_t box, ball; ///< the larger link and the smaller one
    float outside2;    ///< squared distance of the ball's centre from the box, the same
    float sizes[7];    ///< half extents of these two's boxes, and by how much they must be apart
    float margin;      ///< that is taken for the pair's: not less
    float error;       ///< by how much both are off to each other (pair_error.h), besides `turn`
    bool prefiltered;  ///< both are meshes with sketches, and without clearance maps
} gz_filter_pair;

/// Pairs of one link with some of eight that follow each other.
typedef struct gz_filter_row {
    int32_t a, first, count;
    int32_t pair[GZ_LANES];
    float apart2[GZ_LANES]; ///< of the pairs; -1 where no pair is
} gz_filter_row;

/// An object of the world: its oriented box, posed.
typedef struct gz_filter_object {
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
} gz_filter_object;

/// The boxes of eight objects.
typedef struct gz_filter_group {
    float axis[3][3][GZ_LANES], half[3][GZ_LANES];
} gz_filter_group;

/// Everything above for one checker, immutable.
typedef struct gz_filter_model {
    const gz_kernels *kernels;
    const struct gz_query_stages *stages; ///< of the same instruction set
    const graze_world *world;
    gz_filter_body *bodies;
    gz_filter_link *links; ///< whole groups of eight: the last ones repeat the first link
    gz_filter_pair *pairs; ///< whole groups of eight: the last ones are always apart
    gz_filter_row *rows;   ///< by a, then by first: their pairs ascend; none where there is a tree
    gz_filter_object *objects;
    gz_filter_group *groups;
    const gz_link_tree *tree; ///< over the links, the checker's; NULL where pairs are few
    float *radii;             ///< per link, for the tree
    float *reaches;           ///< of links, padded: radii and errors
    float *margins;   ///< of links * padded objects: what the distance must exceed besides errors;
                      ///< NULL where all are 0
    uint8_t *present; ///< of links * groups: objects that are checked against the link
    const uint8_t *allowed; ///< the checker's
    size_t q_size, body_count, link_count, pair_count, row_count, object_count, group_count;
    size_t turning;           ///< slots of bodies that turn: whole groups of eight
    double extent[2][3];      ///< a box that holds all objects and their margins
    bool has_world, all_near; ///< the world is asked for; it is left to the tree over it
    const graze_world *large; ///< it, where bounding spheres are held to that; else NULL
    double reach;             ///< of the robot
    double base_max; ///< farthest base from the origin of the poses that the errors are for
    void *memory;
} gz_filter_model;

/// Worlds of more objects than this are left to the tree over them.
#define GZ_FILTER_OBJECTS 64

/// Builds the model; *model is NULL (and true returned) for robots that the filters do not cover:
/// planar or floating joints, no collision geometry. False when out of memory.
bool gz_filter_model_create(gz_filter_model **model, const graze_checker *checker);
void gz_filter_model_free(gz_filter_model *model);

/// Whether the filters speak about a base: so far from the end of the range that no link of a robot
/// that they cover reaches it. The check in double reports what is wrong with others.
bool gz_filter_base_fits(const double base[12]);

/// Upper bound on the number of links and objects that may touch.
static inline size_t gz_filter_candidates_max(const gz_filter_model *m) {
    return m->link_count * (m->object_count ? m->object_count : 1);
}

/// The margin of a link against an object.
static inline float gz_filter_margin(const gz_filter_model *m, size_t link, size_t object) {
    return m->margins ? m->margins[link * m->group_count * GZ_LANES + object] : 0;
}

#endif
