#include "check/lane_filter.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "broad/world_query.h"
#include "check/margin.h"
#include "check/pair_error.h"
#include "math/transform.h"
#include "math/trigonometry.h"

/// Farthest base from the block's origin, metres per coordinate, that the filter speaks about.
#define BASE_MAX 4.0

/// Robots of longer reach, metres, are not covered: the errors would swallow what the filter gains.
#define REACH_MAX 1000.0

typedef gz_pose_bound pose_error;

/// With u = 2^-24. The matrix J of a turn about one of the body's axes has two rows and columns of
/// sines and cosines, off by 8 u each (see lane_pose.h), 16 u in all; the products with the
/// parent's columns, two each, round six entries by 2 u times a norm of at most 1, below 5 u; and J
/// stands for one that is `bent`. 24 u and that.
/// Any other J = still + c cosine + s sine is off by
///   the errors of s and c times |cosine|, |sine| <= sqrt 2:                                  23 u,
///   the rounding of the constants (u each), of products and sums (3 u), times the norms:    16 u,
/// and the product with the parent's rotation, entries summed from three products, rounds by 3 u
/// sqrt 3 sqrt 3 = 9 u; 56 u in all.
/// The translation R o + t adds the parent's rotation error times |o|, the rounding of o (its
/// constants, the value of a slide, products and sums: 4 u |o|) and of products and sums (4 u times
/// sqrt 3 |o| + |t|): below 12 u |o| + 4 u |t|, where |t| is less than e.length and the base's
/// offset, and e.length holds |o| once more. All of it holds with fused products, which round less.
/// The base's own numbers are rounded once: u, and u BASE_MAX sqrt 3.
static pose_error next_error(const pose_error *parent, const gz_lane_body *body) {
    const double u = 0x1p-24;
    double o = 0, slide = body->turns ? 0 : body->value_max;
    for (int k = 0; k < 3; k++) {
        o += fabs((double)body->shift[k]);
        if (!body->along) o += fabs((double)body->slide[k]) * slide;
    }
    if (body->along) o += slide;
    pose_error e;
    e.length = parent->length + 1.01 * o;
    e.rotation = parent->rotation * (1 + 64 * u) + (body->along ? 24 * u : 56 * u) +
                 1.01 * body->bent;
    e.translation = parent->translation + (parent->rotation + 1.01 * body->bent) * o +
                    6 * u * (o + e.length + 2 * BASE_MAX);
    return e;
}

static void copy_floats(float *out, const double *in, int count) {
    for (int i = 0; i < count; i++) out[i] = (float)in[i];
}

/// How far a vector is from the nearest of the coordinate axes and their opposites.
static double nearest_axis(const double v[3], int32_t *axis, double *sign) {
    *axis = 0;
    for (int32_t k = 1; k < 3; k++)
        if (fabs(v[k]) > fabs(v[*axis])) *axis = k;
    *sign = v[*axis] < 0 ? -1 : 1;
    double d[3] = {v[0], v[1], v[2]};
    d[*axis] -= *sign;
    return gz_norm(d);
}

/// Finds whether a body moves along one of its axes, as most do. With |O - P| for the origin's
/// rotation and |a - e| for the axis, O R(a) is off P R(e) by |O - P| + 2 sqrt 2 |a - e|: turning
/// R(e) from e to a costs |S - 1| = sqrt 2 |a - e| twice. What is less than a float's own error
/// counts as none, for angles that a file gives with few digits.
static void find_axis(const gz_body *b, gz_lane_body *out) {
    int32_t axis, from[3];
    double sense, sign[3], off = 0, bent = 3 * nearest_axis(b->axis, &axis, &sense);
    for (int j = 0; j < 3; j++) {
        double column[3] = {b->origin[j], b->origin[4 + j], b->origin[8 + j]};
        double d = nearest_axis(column, &from[j], &sign[j]);
        off += d * d;
    }
    bent += sqrt(off);
    if (from[0] == from[1] || from[1] == from[2] || from[2] == from[0] || bent > 0x1p-20) return;
    out->along = true;
    out->bent = bent;
    for (int k = 0; k < 3; k++) {
        out->to[k] = (axis + k) % 3;
        out->from[k] = from[out->to[k]];
        out->sign[k] = (float)sign[out->to[k]];
        out->shift[k] = (float)b->origin[4 * out->from[k] + 3];
    }
    // About or along the opposite of an axis is the opposite value.
    out->multiplier *= sense;
    out->offset *= sense;
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
    for (int i = 0; i < 3; i++) out->shift[i] = (float)b->origin[4 * i + 3];
    find_axis(b, out);
    if (out->turns) return true;
    for (int i = 0; i < 9; i++) out->still[i] = (float)b->origin[4 * (i / 3) + i % 3];
    double slide[3];
    gz_transform_rotate(b->origin, b->axis, slide);
    copy_floats(out->slide, slide, 3);
    const graze_joint_info *info = &r->joints[b->joint].info;
    double reach = info->limited ? fmax(fabs(info->lower), fabs(info->upper)) : 1;
    out->value_max = fmin(reach + 1, GZ_ANGLE_MAX); // what is beyond that is an error
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
                        gz_float_pad(l));
    return out;
}

/// The mesh that is all of a link, where a sketch of it can speak for the link.
static void find_mesh(const graze_checker *c, const gz_link *l, gz_lane_link *out) {
    const gz_shape *shape = &c->robot->collisions[l->first_collision].shape;
    if (l->collision_count != 1 || !shape->mesh || !shape->mesh->proxy) return;
    graze_policy policy = c->link_policies[out->link];
    out->mesh = shape->mesh;
    out->solid = shape->kind == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
    out->cap = policy == GRAZE_POLICY_CAP && shape->mesh->caps;
}

/// How far the ball of the smaller link must be from the box of the larger one to be apart. Float
/// puts the ball's centre off by its link's error at most, the box's centre by the other's; the
/// box's axes turn what is as far from it as the ball ends, no more than twice its size, by as much
/// again, and so do half extents and the rounding of the products, fused or not: four times both
/// errors are enough.
static void fill_ball(gz_lane_pair *p, const gz_lane_link *a, const gz_lane_link *b) {
    bool first = a->radius > b->radius;
    p->box = first ? p->a : p->b;
    p->ball = first ? p->b : p->a;
    memcpy(p->sizes, (first ? a : b)->half, sizeof a->half);
    memcpy(p->sizes + 3, (first ? b : a)->half, sizeof b->half);
    float reach = (first ? b : a)->radius + 4.01f * (a->error + b->error) + p->margin;
    p->outside2 = reach * reach * 1.00002f;
}

static void fill_pairs(gz_lane_model *m, const graze_checker *c, const int32_t *lane_of,
                       const pose_error *errors, int32_t *common) {
    const gz_link *links = c->robot->links;
    int32_t seen_from = -1;
    for (size_t i = 0; i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        if (p->fixed) continue;
        const gz_lane_link *a = &m->links[lane_of[p->a]], *b = &m->links[lane_of[p->b]];
        if (seen_from != a->body) gz_common_bodies(c->robot, a->body, common);
        seen_from = a->body;
        gz_pair_side sides[2] = {{&links[p->a], (double)a->error, &errors[a->body]},
                                 {&links[p->b], (double)b->error, &errors[b->body]}};
        float margin = gz_float_reach(p->margin, (double)a->radius + (double)b->radius,
                                      a->turn + b->turn);
        // The slack is for the rounding of a squared distance: 6 u, fused or not.
        gz_pair_pads pads = gz_pair_pads_make(&sides[0], &sides[1], &errors[common[b->body]],
                                              (double)margin);
        float reach = (a->radius + b->radius + (float)pads.spheres + margin) * 1.00001f;
        gz_lane_pair *out = &m->pairs[m->pair_count++];
        *out = (gz_lane_pair){.a = lane_of[p->a],
                              .b = lane_of[p->b],
                              .pair = (int32_t)i,
                              .center_a = lane_of[p->a] * 3 * GZ_LANES,
                              .center_b = lane_of[p->b] * 3 * GZ_LANES,
                              .apart2 = reach * reach * 1.00001f,
                              .margin = margin,
                              .error = (float)pads.spheres * 1.00001f};
        out->sizes[6] = (float)pads.boxes * 1.00001f + margin;
        fill_ball(out, a, b);
        if (m->tree) gz_link_widen(m->radii, out->a, out->b, (double)reach);
    }
    // Whole eights: the rest, of any link with itself, is always apart.
    for (size_t i = m->pair_count; i % GZ_LANES; i++) m->pairs[i] = (gz_lane_pair){.apart2 = -1};
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
            m->margins[i * m->object_count + k] = gz_float_reach(
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
    o->has_map = mesh->proxy && mesh->proxy->clearance.cell_count > 0;
    if (!o->has_map) o->part = gz_component_proxy_make(mesh);
    o->is_box = !o->has_map && gz_mesh_is_box(mesh);
    o->solid = object->kind == GRAZE_SHAPE_BOX || policy != GRAZE_POLICY_SURFACE;
    o->cap = policy == GRAZE_POLICY_CAP && mesh->caps;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) o->to_mesh[k][j] = (float)object->pose.m[4 * j + k];
        o->mesh_origin[k] = object->pose.m[4 * k + 3];
    }
}

/// Gives a box the axes of another in their order, where they are the same but for order and sign;
/// whether they are. A box is the same whatever order and sign its axes have.
static bool match_axes(gz_lane_object *o, const gz_lane_object *last) {
    float half[3];
    for (int k = 0; k < 3; k++) {
        int same = -1;
        for (int j = 0; j < 3; j++) {
            const float *a = last->axis[k], *b = o->axis[j];
            if ((a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) ||
                (a[0] == -b[0] && a[1] == -b[1] && a[2] == -b[2]))
                same = j;
        }
        if (same < 0) return false;
        half[k] = o->half[same];
    }
    memcpy(o->half, half, sizeof half);
    memcpy(o->axis, last->axis, sizeof o->axis);
    return true;
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
        o->like_last = i > 0 && match_axes(o, o - 1);
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
    int32_t *common = gz_malloc(bodies, sizeof *common);
    bool ok = errors && lane_of && common;
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
        if (m->tree) m->radii[i] = out->radius;
        *covered = *covered && errors[l->body].length + l->sphere.radius < REACH_MAX;
    }
    if (ok && !c->options.no_self) fill_pairs(m, c, lane_of, errors, common);
    if (ok) fill_objects(m, c);
    ok = ok && fill_margins(m, c) && fill_allowed(m, c);
    if (ok) fill_world(m, c);
    gz_free(errors);
    gz_free(lane_of);
    gz_free(common);
    return ok;
}

bool gz_lane_model_create(gz_lane_model **out, const graze_checker *c) {
    *out = NULL;
    const graze_robot *r = c->robot;
    if (c->options.level != GRAZE_LEVEL_MESH) return true;
    gz_lane_model *m = gz_calloc(1, sizeof *m);
    if (!m) return false;
    m->kernels = c->kernels;
    m->q_size = r->column_count;
    m->body_count = (size_t)r->body_count;
    m->base_max = BASE_MAX;
    bool covers = covers_world(c);
    m->object_count = covers ? c->world->object_count : 0;
    m->all_near = c->world && !c->options.no_world && !covers;
    m->large = m->all_near && !c->margins ? c->world : NULL;
    m->reach = c->reach;
    m->bodies = gz_calloc(m->body_count, sizeof *m->bodies);
    m->links = gz_calloc(c->link_count, sizeof *m->links);
    m->pairs = gz_calloc(c->pair_count + GZ_LANES, sizeof *m->pairs);
    m->objects = gz_calloc(m->object_count, sizeof *m->objects);
    m->tree = c->tree;
    m->radii = gz_calloc(m->tree ? c->link_count : 0, sizeof *m->radii);
    bool ok = m->bodies && m->links && m->pairs && m->objects && m->radii;
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
    gz_free(m->radii);
    gz_free(m->margins);
    gz_free(m->allowed);
    gz_free(m);
}

size_t gz_lane_touches_most(const gz_lane_model *m) {
    return m->link_count * (m->object_count ? m->object_count : 1);
}

bool gz_lane_block_create(gz_lane_block *b, const gz_lane_model *m) {
    *b = (gz_lane_block){.rows = gz_calloc(m->q_size, GZ_LANES * sizeof *b->rows),
                         .differs = gz_calloc(m->q_size, sizeof *b->differs),
                         .motions = gz_calloc(m->body_count, sizeof *b->motions),
                         .moved = gz_calloc(m->body_count, sizeof *b->moved),
                         .poses = gz_malloc_aligned(m->body_count, sizeof *b->poses),
                         .centers = gz_malloc_aligned(m->link_count, sizeof *b->centers),
                         .boxes = gz_malloc_aligned(m->link_count, sizeof *b->boxes),
                         .box_ready = gz_calloc(m->link_count, 1),
                         .items = gz_malloc(m->pair_count + 1, GZ_LANES * sizeof *b->items),
                         .objects = gz_malloc_aligned(m->object_count, sizeof *b->objects),
                         .pairs = gz_malloc(m->pair_count, sizeof *b->pairs),
                         .touches = gz_malloc(gz_lane_touches_most(m), sizeof *b->touches)};
    bool ok = !m->tree || gz_link_search_create(&b->search, m->tree);
    ok = ok && gz_vicinity_create(&b->vicinity, m->large);
    if (!ok || !b->rows || !b->differs || !b->motions || !b->moved || !b->poses || !b->centers ||
        !b->boxes || !b->box_ready || !b->items || !b->objects || !b->pairs || !b->touches) {
        gz_lane_block_free(b);
        return false;
    }
    return true;
}

void gz_lane_block_free(gz_lane_block *b) {
    gz_link_search_free(b->search);
    gz_free(b->rows);
    gz_free(b->differs);
    gz_free(b->motions);
    gz_free(b->moved);
    gz_free(b->poses);
    gz_free(b->centers);
    gz_free(b->boxes);
    gz_free(b->box_ready);
    gz_free(b->items);
    gz_free(b->objects);
    gz_free(b->pairs);
    gz_free(b->touches);
    gz_vicinity_free(b->vicinity);
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
