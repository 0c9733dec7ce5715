#include "check/lane_filter.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check/margin.h"
#include "math/transform.h"

/// Farthest base from the block's origin, metres per coordinate, that the filter speaks about.
#define BASE_MAX 4.0

/// Robots of longer reach, metres, are not covered: the errors would swallow what the filter gains.
#define REACH_MAX 1000.0

/// Errors of a body's float pose: of its rotation (Frobenius norm) and its translation (metres),
/// and the bound on its translation's length from the base.
typedef struct pose_error {
    double rotation, translation, length;
} pose_error;

/// With u = 2^-24. A joint's rotation J = still + c cosine + s sine is off by
///   the errors of s and c, 2^-22 each (see lane_body.h), times |cosine|, |sine| <= sqrt 2:  12 u,
///   the rounding of the constants (u each), of products and sums (3 u), times the norms:    12 u,
/// and the product with the parent's rotation, entries summed from three products, rounds by 3 u
/// sqrt 3 sqrt 3 = 9 u; 40 u in all. The translation R o + t adds the parent's rotation error times
/// |o| and at most 6 u (|o| + |t|). The base's own numbers are rounded once: u, and u BASE_MAX
/// sqrt 3.
static pose_error next_error(const pose_error *parent, const gz_lane_body *body) {
    const double u = 0x1p-24;
    double o = 0;
    for (int k = 0; k < 3; k++)
        o += fabs((double)body->shift[k]) + fabs((double)body->slide[k]) * body->value_max;
    pose_error e;
    e.length = parent->length + 1.01 * o;
    e.rotation = parent->rotation * (1 + 64 * u) + 40 * u;
    e.translation = parent->translation + parent->rotation * o +
                    6 * u * (o + e.length + 2 * BASE_MAX);
    return e;
}

static void copy_floats(float *out, const double *in, int count) {
    for (int i = 0; i < count; i++) out[i] = (float)in[i];
}

static bool fill_body(const graze_robot *r, int32_t index, gz_lane_body *out) {
    const gz_body *b = &r->bodies[index];
    if (b->type == GRAZE_JOINT_PLANAR || b->type == GRAZE_JOINT_FLOATING) return false;
    *out = (gz_lane_body){.parent = b->parent,
                          .column = b->column,
                          .turns = b->type != GRAZE_JOINT_PRISMATIC,
                          .multiplier = b->multiplier,
                          .offset = b->offset};
    copy_floats(out->still, b->still, 9);
    copy_floats(out->cosine, b->cosine, 9);
    copy_floats(out->sine, b->sine, 9);
    for (int i = 0; i < 3; i++) {
        out->shift[i] = (float)b->origin[4 * i + 3];
        for (int j = 0; j < 3; j++) out->rotation[3 * i + j] = (float)b->origin[4 * i + j];
    }
    if (out->turns) return true;
    double slide[3];
    gz_transform_rotate(b->origin, b->axis, slide);
    copy_floats(out->slide, slide, 3);
    const graze_joint_info *info = &r->joints[b->joint].info;
    double reach = info->limited ? fmax(fabs(info->lower), fabs(info->upper)) : 1;
    out->value_max = reach + 1;
    return true;
}

static gz_lane_link make_link(const gz_link *l, int32_t index, const pose_error *e) {
    gz_lane_link out = {
        .link = index, .body = l->body, .radius = (float)(l->sphere.radius * (1 + 0x1p-22))};
    const double *center = GZ_ARRAY3(l->sphere.center), *box = GZ_ARRAY3(l->obb.center);
    const double *half = GZ_ARRAY3(l->obb.half);
    copy_floats(out.center, center, 3);
    copy_floats(out.box_center, box, 3);
    copy_floats(out.half, half, 3);
    for (int k = 0; k < 3; k++) copy_floats(out.axis[k], GZ_ARRAY3(l->obb.axis[k]), 3);
    // A point of the bounds, at most `reach` from the body's origin, is off by the pose's errors
    // and by what moving it rounds; the axes and half extents of the box by as much again.
    double reach = gz_norm(center) + gz_norm(box) + 2 * l->sphere.radius + 2 * gz_norm(half);
    double far = e->length + reach + 2 * BASE_MAX;
    out.turn = (float)(1.01 * e->rotation + 0x1p-20);
    out.error = (float)(1.01 * (e->translation + 4 * e->rotation * reach + 24 * 0x1p-24 * far) +
                        l->pad);
    return out;
}

/// The mesh that is all of a link, where a sketch of it can speak for the link.
static void find_mesh(const graze_checker *c, const gz_link *l, gz_lane_link *out) {
    const gz_shape *shape = &c->robot->collisions[l->first_collision].shape;
    if (l->collision_count != 1 || !shape->mesh || !shape->mesh->sketch) return;
    graze_policy policy = c->link_policies[out->link];
    out->mesh = shape->mesh;
    out->solid = shape->kind == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
    out->cap = policy == GRAZE_POLICY_CAP && shape->mesh->caps;
}

/// What bounds in float must be apart by, besides their errors: more than in double
/// (gz_margin_reach()), so that nothing is called apart here that is not there. A gap along an axis
/// is as long as the axis is, up to 1 + the error of its rotation; twice that, and rounding.
static float lane_reach(double margin, double radii, float turn) {
    double reach = 2 * gz_margin_reach(margin, radii) - margin;
    return (float)(reach * (1.00001 + 2 * (double)turn));
}

static void fill_pairs(gz_lane_model *m, const graze_checker *c, const int32_t *lane_of) {
    for (size_t i = 0; i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        if (p->fixed) continue;
        const gz_lane_link *a = &m->links[lane_of[p->a]], *b = &m->links[lane_of[p->b]];
        float errors = (a->error + b->error) * 1.001f;
        float margin = lane_reach(p->margin, (double)a->radius + (double)b->radius,
                                  a->turn + b->turn);
        m->pairs[m->pair_count++] = (gz_lane_pair){
            .a = lane_of[p->a],
            .b = lane_of[p->b],
            .pair = (int32_t)i,
            .reach = (a->radius + b->radius + errors + margin) * 1.00001f,
            .pad = 4 * errors + margin,
            .margin = margin};
    }
}

/// Margins of every link against every object; there are at most GZ_LANE_OBJECTS of these.
static bool fill_margins(gz_lane_model *m, const graze_checker *c) {
    if (!c->margins || m->object_count == 0) return true;
    m->margins = gz_malloc(m->link_count * m->object_count, sizeof *m->margins);
    if (!m->margins) return false;
    for (size_t i = 0; i < m->link_count; i++)
        for (size_t k = 0; k < m->object_count; k++) {
            const gz_lane_link *l = &m->links[i];
            double margin = gz_margins_find(c->margins, l->link, (int32_t)k);
            m->margins[i * m->object_count + k] = lane_reach(
                margin, (double)l->radius + (double)m->objects[k].size, l->turn);
        }
    return true;
}

/// The mesh that an object is, where a sketch of it can speak.
static void find_object_mesh(const graze_checker *c, int32_t index, gz_lane_object *o) {
    const gz_object *object = gz_world_at(c->world, (size_t)index);
    const graze_mesh *mesh = object->shape.mesh;
    graze_policy policy = gz_object_policy(c, index);
    if (!mesh) return;
    o->mesh = mesh;
    o->has_map = mesh->sketch && mesh->sketch->clearance.cell_count > 0;
    if (!o->has_map) o->part = gz_part_make(mesh);
    o->solid = object->kind == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
    o->cap = policy == GRAZE_POLICY_CAP && mesh->caps;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) o->to_mesh[k][j] = (float)object->pose.m[4 * j + k];
        o->mesh_origin[k] = object->pose.m[4 * k + 3];
    }
}

static void fill_objects(gz_lane_model *m, const graze_checker *c) {
    for (size_t i = 0; i < m->object_count; i++) {
        const gz_object *object = gz_world_at(c->world, i);
        const graze_obb *box = &object->posed;
        gz_lane_object *o = &m->objects[i];
        memcpy(o->center, GZ_ARRAY3(box->center), sizeof o->center);
        copy_floats(o->half, GZ_ARRAY3(box->half), 3);
        for (int k = 0; k < 3; k++) copy_floats(o->axis[k], GZ_ARRAY3(box->axis[k]), 3);
        o->size = (float)gz_norm(GZ_ARRAY3(box->half));
        find_object_mesh(c, (int32_t)i, o);
    }
}

/// A box around all objects and what their margins reach, rounded outward.
static void fill_world(gz_lane_model *m, const graze_checker *c) {
    double reach = 0;
    for (size_t i = 0; m->margins && i < m->link_count * m->object_count; i++)
        reach = fmax(reach, (double)m->margins[i]);
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < m->object_count; i++) {
            const graze_aabb *box = &gz_world_at(c->world, i)->box;
            low = fmin(low, GZ_ARRAY3(box->min)[k]);
            high = fmax(high, GZ_ARRAY3(box->max)[k]);
        }
        m->world[0][k] = (float)(low - reach - 0x1p-22 * fabs(low));
        m->world[1][k] = (float)(high + reach + 0x1p-22 * fabs(high));
    }
}

/// Links and objects that are not checked.
static bool fill_allowed(gz_lane_model *m, const graze_checker *c) {
    if (!c->allowed || m->object_count == 0) return true;
    m->allowed = gz_malloc(m->link_count * m->object_count, 1);
    if (!m->allowed) return false;
    for (size_t i = 0; i < m->link_count; i++)
        memcpy(m->allowed + i * m->object_count,
               c->allowed + (size_t)m->links[i].link * m->object_count, m->object_count);
    return true;
}

/// Whether the world's objects can be looked at one by one.
static bool covers_world(const graze_checker *c) {
    if (!c->world || c->options.no_world || c->world->object_count > GZ_LANE_OBJECTS) return false;
    for (size_t i = 0; i < c->world->object_count; i++)
        if (gz_world_at(c->world, i)->kind == GRAZE_SHAPE_POINTS) return false;
    return true;
}

static bool fill_model(gz_lane_model *m, const graze_checker *c, bool *covered) {
    const graze_robot *r = c->robot;
    size_t bodies = (size_t)r->body_count;
    pose_error *errors = gz_calloc(bodies, sizeof *errors);
    int32_t *lane_of = gz_calloc((size_t)r->link_count, sizeof *lane_of);
    bool ok = errors && lane_of;
    if (ok)
        errors[0] = (pose_error){.rotation = 2 * 0x1p-24, .translation = 2 * 0x1p-24 * BASE_MAX};
    for (size_t i = 1; ok && i < bodies; i++)
        errors[i] = next_error(&errors[m->bodies[i].parent], &m->bodies[i]);
    for (size_t i = 0; ok && i < c->link_count; i++) {
        const gz_link *l = &r->links[c->links[i]];
        lane_of[c->links[i]] = (int32_t)i;
        gz_lane_link *out = &m->links[m->link_count++];
        *out = make_link(l, c->links[i], &errors[l->body]);
        find_mesh(c, l, out);
        *covered = *covered && errors[l->body].length + l->sphere.radius < REACH_MAX;
    }
    if (ok && !c->options.no_self) fill_pairs(m, c, lane_of);
    if (ok) fill_objects(m, c);
    ok = ok && fill_margins(m, c) && fill_allowed(m, c);
    if (ok) fill_world(m, c);
    gz_free(errors);
    gz_free(lane_of);
    return ok;
}

bool gz_lane_model_create(gz_lane_model **out, const graze_checker *c) {
    *out = NULL;
    const graze_robot *r = c->robot;
    if (c->options.level != GRAZE_LEVEL_MESH) return true;
    gz_lane_model *m = gz_calloc(1, sizeof *m);
    if (!m) return false;
    m->kernels = c->kernels;
    m->body_count = (size_t)r->body_count;
    m->base_max = BASE_MAX;
    bool covers = covers_world(c);
    m->object_count = covers ? c->world->object_count : 0;
    m->all_near = c->world && !c->options.no_world && !covers;
    m->bodies = gz_calloc(m->body_count, sizeof *m->bodies);
    m->links = gz_calloc(c->link_count, sizeof *m->links);
    m->pairs = gz_calloc(c->pair_count, sizeof *m->pairs);
    m->objects = gz_calloc(m->object_count, sizeof *m->objects);
    bool ok = m->bodies && m->links && m->pairs && m->objects;
    for (int32_t i = 1; ok && i < r->body_count; i++) {
        if (fill_body(r, i, &m->bodies[i])) continue;
        gz_lane_model_free(m); // planar or floating: not covered
        return true;
    }
    bool covered = true;
    ok = ok && fill_model(m, c, &covered);
    if (!ok || !covered) {
        gz_lane_model_free(m);
        return ok;
    }
    *out = m;
    return true;
}

void gz_lane_model_free(gz_lane_model *m) {
    if (!m) return;
    gz_free(m->bodies);
    gz_free(m->links);
    gz_free(m->pairs);
    gz_free(m->objects);
    gz_free(m->margins);
    gz_free(m->allowed);
    gz_free(m);
}

size_t gz_lane_touches_most(const gz_lane_model *m) {
    return m->link_count * (m->object_count ? m->object_count : 1);
}

bool gz_lane_block_create(gz_lane_block *b, const gz_lane_model *m) {
    *b = (gz_lane_block){.poses = gz_malloc_aligned(m->body_count, sizeof *b->poses),
                         .centers = gz_malloc_aligned(m->link_count, sizeof *b->centers),
                         .boxes = gz_malloc_aligned(m->link_count, sizeof *b->boxes),
                         .box_ready = gz_calloc(m->link_count, 1),
                         .objects = gz_malloc_aligned(m->object_count, sizeof *b->objects),
                         .pairs = gz_malloc(m->pair_count, sizeof *b->pairs),
                         .touches = gz_malloc(gz_lane_touches_most(m), sizeof *b->touches)};
    if (b->poses && b->centers && b->boxes && b->box_ready && b->objects && b->pairs && b->touches)
        return true;
    gz_lane_block_free(b);
    return false;
}

void gz_lane_block_free(gz_lane_block *b) {
    gz_free(b->poses);
    gz_free(b->centers);
    gz_free(b->boxes);
    gz_free(b->box_ready);
    gz_free(b->objects);
    gz_free(b->pairs);
    gz_free(b->touches);
    *b = (gz_lane_block){0};
}

gz_lane_filter gz_lane_filter_choose(const gz_kernels *kernels) {
#ifdef GRAZE_HAVE_AVX2
    if (kernels == &gz_kernels_avx2) return gz_lane_filter_avx2;
#else
    (void)kernels;
#endif
    return gz_lane_filter_base;
}
