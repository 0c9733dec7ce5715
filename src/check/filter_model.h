/// The float filters' picture of a checker: bodies, links, pairs and objects with the errors of
/// their float poses. Both filters read it: that of one configuration (query_filter.inl) and that
/// of eight side by side (batch_filter.inl). Neither ever decides more than "surely apart" and, by
/// mesh proxies, "surely overlapping"; the rest is posed and tested in double.
#ifndef GZ_CHECK_FILTER_MODEL_H
#define GZ_CHECK_FILTER_MODEL_H

#include <math.h>
#include <string.h>

#include "check/link_tree.h"
#include "math/float_quad.h"
#include "math/lanes.h"
#include "math/rounding.h"

/// Safety factors: of sums of radii, errors and pads in float, which round by a few u = 2^-24 and
/// hold what the first order of an error leaves out; of the same once more squared; of errors that
/// are bounded in double to first order.
#define GZ_PAD_ROUND_UP    1.001f
#define GZ_SQUARE_ROUND_UP 1.0015f
#define GZ_BOUND_SLACK     1.01

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
    double lower, upper; ///< limits of the joint, which it may be beyond
    double value_max; ///< the errors were derived for |value| up to this; no more than the robot's
    float shift[3], slide[3]; ///< translation of the origin; its change per value, for prismatic
    float rotation[3][4];     ///< of the origin
    float projection[3][4], cosine[3][4], sine[3][4]; ///< R = projection + cos cosine + sin sine
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
    const graze_mesh *mesh; ///< all that the link collides with, with a proxy; else NULL
    bool solid;             ///< what lies in a closed component of it collides
    bool cap;               ///< what lies in an open one, closed by its caps, does, too
    double world_threshold; ///< by which it must be apart from every object, for its margins
    float spheres[2][4]
                 [GZ_LANES]; ///< centres and radii of the mesh's sphere set; the last sphere fills
    int32_t sphere_group_count; ///< up the last group
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
    float error;       ///< by how much both are off to each other (filter_error.h), besides `turn`
    bool has_proxies;  ///< both are meshes with proxies, and without clearance maps
    const struct gz_pair_table *table; ///< or NULL
    uint32_t table_least;              ///< in its units: what proves the pair free; or beyond all
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
    float size;                   ///< |half|, for the error
    bool like_last;               ///< its axes are those of the object before
    const graze_mesh *mesh;       ///< that it is; NULL for curved shapes
    gz_component_proxy component; ///< the mesh as one, where it has no map
    bool solid, cap;              ///< as of a link
    bool has_map;                 ///< the mesh has a clearance map
    bool is_box;                  ///< gz_mesh_is_box() of the mesh
    float to_mesh[3][3];          ///< rotation of the world into the mesh's frame
    double mesh_origin[3];        ///< the mesh's origin in the world
} gz_filter_object;

/// The boxes of eight objects.
typedef struct gz_filter_group {
    float axis[3][3][GZ_LANES], half[3][GZ_LANES];
    bool upright; ///< the last axis of each is that of z, up or down, exactly
} gz_filter_group;

/// Everything above for one checker, immutable.
typedef struct gz_filter_model {
    const gz_kernels *kernels;
    const struct gz_filter_kernels *filters; ///< of the same instruction set
    const graze_world *world;
    gz_filter_body *bodies;
    gz_filter_link *links; ///< whole groups of eight: the last ones repeat the first link
    gz_filter_pair *pairs; ///< whole groups of eight: the last ones are always apart
    gz_filter_row *rows;   ///< by a, then by first: their pairs ascend; none where there is a tree
    gz_filter_object *objects;
    gz_filter_group *groups;
    const gz_link_tree *tree; ///< over the links, the checker's; NULL where pairs are few
    float *radii;             ///< per link, for the tree
    float *radius_bounds;     ///< of links, padded: radii and errors
    float *margins;   ///< of links * padded objects: what the distance must exceed besides errors;
                      ///< NULL where all are 0
    uint8_t *present; ///< of links * groups: objects that are checked against the link
    const uint8_t *allowed; ///< the checker's
    size_t q_size, body_count, link_count, pair_count, row_count, object_count, group_count;
    size_t turning;           ///< slots of bodies that turn: whole groups of eight
    double extent[2][3];      ///< a box that holds all objects and their margins
    bool has_world, all_near; ///< the world is checked; it is left to the tree over it
    const graze_world *large; ///< it, where bounding spheres are held to that; else NULL
    double workspace_radius;  ///< of the robot
    double base_max; ///< farthest base from the origin of the poses that the errors are for
    struct gz_pose_bound *errors; ///< per body
    int32_t *own_index;           ///< of links, by those of the robot
    int32_t *common; ///< per body, while pairs are made: gz_common_bodies() of the first
    void *memory;
} gz_filter_model;

/// Worlds of more objects than this are left to the tree over them.
#define GZ_FILTER_OBJECTS 64

/// Builds the model; *model is NULL (and true returned) for robots that the filters do not cover:
/// planar or floating joints, no collision geometry. False when out of memory. `known`: the model
/// of another version of the checker, whose proxies are taken over where meshes are the same; or
/// NULL.
bool gz_filter_model_create(gz_filter_model **model, const graze_checker *checker,
                            const gz_filter_model *known);
void gz_filter_model_free(gz_filter_model *model);

/// Reads the world of the checker anew, whose objects have moved. Allocates nothing.
void gz_filter_model_follow(gz_filter_model *model, const graze_checker *checker);

/// Whether the filters cover a base: so far from the end of the range that no link of a robot
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

/// Float arithmetic that both filters share: sine and cosine, objects seen from an origin, and the
/// relative poses in which mesh proxies are tested.

/// Sine and cosine of eight angles: off by less than 2^-21 = 8 u each, with u = 2^-24, whether
/// products and sums are fused or not. The argument x is reduced in double (n pi with pi in two
/// pieces, the first of 31 bits, so that n times it is exact: off by less than 2^-31 for
/// |x| <= 2^20) to |r| <= pi/2 + 2^-20 and rounded to float; Taylor polynomials go to r^11 and
/// r^12. The sine: truncation r^13/13! below u; rounding r (r cos r) 0.6 u, r^2 0.5 u, r^3 0.7 u,
/// the constants 0.8 u, the inner sums 0.9 u, the last product 0.7 u and sum u: below 6.5 u in all.
/// The cosine: truncation r^14/14! below 0.2 u; rounding r (r sin r) 1.6 u, r^2 0.8 u, the
/// constants 0.3 u, the inner sums and products 1.9 u, the last product u and sum u: below 7 u.
static inline void gz_filter_sine_cosine(const double *value, float *sine, float *cosine) {
    float r[GZ_LANES], turns[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) {
        // The nearest whole number, in double: as gz_f8_whole().
        double n = (value[i] * 0x1.45f306dc9c883p-2 + 0x1.8p52) - 0x1.8p52;
        r[i] = (float)((value[i] - n * 0x1.921fb544p+1) - n * 0x1.0b4611a626331p-33);
        turns[i] = (float)n;
    }
    // Both change sign with every half turn: -1 for odd n, exactly (half of n is a whole number or
    // a half away from one).
    gz_f8 half = gz_f8_mul(gz_f8_load(turns), gz_f8_all(0.5f));
    gz_f8 off = gz_f8_sub(half, gz_f8_whole(half));
    gz_f8 sign = gz_f8_muladd(gz_f8_mul(off, off), gz_f8_all(-8), gz_f8_all(1));
    gz_f8 x = gz_f8_mul(gz_f8_load(r), sign), x2 = gz_f8_mul(x, x);
    gz_f8 s = gz_f8_muladd(x2, gz_f8_all(-1.0f / 39916800.0f), gz_f8_all(1.0f / 362880.0f));
    s = gz_f8_muladd(s, x2, gz_f8_all(-1.0f / 5040.0f));
    s = gz_f8_muladd(s, x2, gz_f8_all(1.0f / 120.0f));
    s = gz_f8_muladd(s, x2, gz_f8_all(-1.0f / 6.0f));
    gz_f8_store(sine, gz_f8_muladd(gz_f8_mul(x, x2), s, x));
    gz_f8 c = gz_f8_muladd(x2, gz_f8_all(1.0f / 479001600.0f), gz_f8_all(-1.0f / 3628800.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(1.0f / 40320.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(-1.0f / 720.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(1.0f / 24.0f));
    c = gz_f8_muladd(c, x2, gz_f8_all(-0.5f));
    gz_f8_store(cosine, gz_f8_mul(gz_f8_muladd(c, x2, gz_f8_all(1)), sign));
}

/// An object of the world seen from the origin of the poses.
typedef struct gz_filter_view {
    float center[3], along[3]; ///< of its box, and along the box's axes
    float pad;                 ///< by how much the box is off
    float shift[3];            ///< the origin in the mesh's frame
    float mesh_pad;            ///< by how much shift and to_mesh place a point off, near the mesh
} gz_filter_view;

/// The centre of an object's box, and its pad: the centre is off by u times its size, its axes by u
/// each, and so are its half extents.
static inline void gz_filter_view_place(const gz_filter_object *o, const double origin[12],
                                        gz_filter_view *out) {
    float size = o->size;
    for (int k = 0; k < 3; k++) {
        out->center[k] = (float)(o->center[k] - origin[4 * k + 3]);
        size += fabsf(out->center[k]);
    }
    out->pad = size * 0x1p-18f;
}

/// The rest: the mesh's frame is off by as much of the mesh's reach.
static inline void gz_filter_view_turn(const gz_filter_object *o, const double origin[12],
                                       gz_filter_view *out) {
    float d[3], far = o->mesh ? (float)o->mesh->max_abs : 0;
    for (int k = 0; k < 3; k++) {
        d[k] = (float)(origin[4 * k + 3] - o->mesh_origin[k]);
        far += fabsf(d[k]);
    }
    out->mesh_pad = far * 0x1p-18f;
    for (int k = 0; k < 3; k++) {
        const float *a = o->axis[k], *r = o->to_mesh[k], *c = out->center;
        out->along[k] = (a[0] * c[0] + a[1] * c[1]) + a[2] * c[2];
        out->shift[k] = (r[0] * d[0] + r[1] * d[1]) + r[2] * d[2];
    }
}

/// All of it.
static inline gz_filter_view gz_filter_view_make(const gz_filter_object *o,
                                                 const double origin[12]) {
    gz_filter_view out;
    gz_filter_view_place(o, origin, &out);
    gz_filter_view_turn(o, origin, &out);
    return out;
}

/// The box around all objects, seen from an origin, and grown by its rounding.
static inline void gz_filter_view_extent(const gz_filter_model *m, const double origin[12],
                                         float extent[2][3]) {
    for (int k = 0; k < 3; k++) {
        float low = (float)(m->extent[0][k] - origin[4 * k + 3]);
        float high = (float)(m->extent[1][k] - origin[4 * k + 3]);
        float pad = 0x1p-20f * (fabsf(low) + fabsf(high));
        extent[0][k] = low - pad;
        extent[1][k] = high + pad;
    }
}

/// Moves a pose into another frame: `row` holds coordinate k of the pose's axes, and last of its
/// origin; `to` has the other frame's axes as rows.
static inline void gz_filter_turn(const gz_f4 row[3], const float *const to[3], float r[3][3],
                                  float t[3]) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        gz_f4 sum = gz_f4_mul(row[0], gz_f4_all(to[i][0]));
        sum = gz_f4_muladd(row[1], gz_f4_all(to[i][1]), sum);
        sum = gz_f4_muladd(row[2], gz_f4_all(to[i][2]), sum);
        float out[4];
        gz_f4_store(out, sum);
        memcpy(r[i], out, sizeof r[i]);
        t[i] = out[3];
    }
}

/// The meshes of a pair that is has_proxies: `row` as above of the first link with the distance of
/// the origins, `to` the axes of the second. A vertex of a, moved into b's frame, is off by the
/// errors of both poses, and by the error of b's rotation times its distance, in the other
/// direction of a's; and by what composing the two in float rounds, fused or not: 5 u of the size
/// for the rotation, 8 u for the translation, with u = 2^-24.
static inline void gz_filter_place_pair(const gz_filter_model *m, const gz_filter_pair *p,
                                        const gz_f4 row[3], const float *const to[3],
                                        const float between[3], gz_proxy_pair *out) {
    const gz_filter_link *a = &m->links[p->a], *b = &m->links[p->b];
    out->a = a->mesh;
    out->b = b->mesh;
    out->solid_a = a->solid;
    out->solid_b = b->solid;
    out->cap_a = a->cap;
    out->cap_b = b->cap;
    out->component = NULL;
    out->hint = NULL;
    out->plane = NULL;
    gz_filter_turn(row, to, out->r, out->t);
    double size = (double)(fabsf(between[0]) + fabsf(between[1]) + fabsf(between[2]));
    double span = 2 * (a->mesh->max_abs + b->mesh->max_abs) + size;
    double turn = (double)a->turn + (double)b->turn + 32 * 0x1p-24;
    gz_proxy_pair_grow(out, GZ_BOUND_SLACK * ((double)p->error + turn * span), (double)p->margin);
}

/// Places a link, by the rows of its pose, in the frame of an object's mesh. The error, which is
/// returned, is bounded as that of two links: the link's pose is off by its errors, the object's
/// frame by its pad. The pads of the pair are left to the caller.
static inline double gz_filter_place_object(const gz_filter_link *l, const gz_filter_object *o,
                                            const gz_filter_view *view, const gz_f4 row[3],
                                            gz_proxy_pair *out) {
    out->a = l->mesh;
    out->b = o->mesh;
    out->solid_a = l->solid;
    out->solid_b = o->solid;
    out->cap_a = l->cap;
    out->cap_b = o->cap;
    out->component = o->has_map ? NULL : &o->component;
    out->box = o->is_box;
    out->hint = NULL;
    out->plane = NULL;
    const float *const to[3] = {o->to_mesh[0], o->to_mesh[1], o->to_mesh[2]};
    gz_filter_turn(row, to, out->r, out->t);
    float size = 0;
    for (int i = 0; i < 3; i++) {
        out->t[i] += view->shift[i];
        size += fabsf(out->t[i]) + fabsf(view->shift[i]);
    }
    double span = 2 * (l->mesh->max_abs + o->mesh->max_abs) + (double)size;
    double turn = (double)l->turn + 32 * 0x1p-24;
    return GZ_BOUND_SLACK * ((double)l->error + (double)view->mesh_pad + turn * span);
}

/// Whether the meshes of a link and an object have proxies that can be tested against each other.
static inline bool gz_filter_has_proxies(const gz_filter_link *l, const gz_filter_object *o) {
    return l->mesh && o->mesh && (o->has_map || !l->mesh->proxy->clearance.cell_count);
}

#endif
