#include "check/single_filter.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check/margin.h"
#include "check/pair_error.h"
#include "math/transform.h"
#include "math/trigonometry.h"

/// Robots of longer reach, metres, are not covered: the errors would swallow what the filter gains.
#define REACH_MAX 1000.0

typedef gz_pose_bound pose_error;

/// With u = 2^-24. A rotation about an axis of the frame mixes two columns of the parent's (times
/// the origin's: u sqrt 3 for its numbers, and three products that are summed, 3 u sqrt 3 sqrt 3):
/// the errors of sine and cosine, 4 u each (see single_pose.h), times two columns of length 1 each,
/// 12 u; two products and a sum, 3 u of both, 6 u; 29 u in all. About other axes still + cosine c +
/// sine s is off by 12 u for s and c (|cosine|, |sine| <= sqrt 2), 12 u for constants, products and
/// sums, and the product with the parent's rotation by 9 u: 33 u. For both: 40 u. The translation
/// R o + t adds the parent's rotation error times |o| and at most 6 u (|o| + |t|). The base's
/// rotation is rounded once, its translation is 0. Fused or not, each of these holds. The pose in
/// double, which counts, has the base's translation in every sum: each joint rounds it by 2^-51 of
/// at most 2^20 m a coordinate, 2^-30 m in all.
static pose_error next_error(const pose_error *parent, const gz_single_body *body) {
    const double u = 0x1p-24;
    double o = 0;
    for (int k = 0; k < 3; k++) {
        double slide = body->turns ? 0 : fabs((double)body->slide[k]) * body->value_max;
        o += fabs((double)body->shift[k]) + slide;
    }
    pose_error e;
    e.length = parent->length + 1.01 * o;
    e.rotation = parent->rotation * (1 + 64 * u) + 40 * u;
    e.translation = parent->translation + parent->rotation * o + 6 * u * (o + e.length) + 0x1p-30;
    return e;
}

static size_t padded_links(const gz_single_model *m) {
    return (m->link_count + GZ_LANES - 1) / GZ_LANES * GZ_LANES;
}

static void copy_floats(float *out, const double *in, int count) {
    for (int i = 0; i < count; i++) out[i] = (float)in[i];
}

/// Whether a body turns about an axis of its frame: which, or 3.
static int32_t find_axis(const gz_body *b, float *sense) {
    for (int32_t k = 0; k < 3; k++) {
        if (fabs(b->axis[k]) != 1 || b->axis[(k + 1) % 3] != 0 || b->axis[(k + 2) % 3] != 0)
            continue;
        *sense = (float)b->axis[k];
        return k;
    }
    return 3;
}

static void fill_body(const graze_robot *r, const gz_body *b, gz_single_body *out) {
    *out = (gz_single_body){.parent = b->parent,
                            .column = b->column,
                            .turns = b->type != GRAZE_JOINT_PRISMATIC,
                            .straight = true,
                            .sense = 1,
                            .multiplier = b->multiplier,
                            .offset = b->offset,
                            .value_max = GZ_ANGLE_MAX};
    out->axis = find_axis(b, &out->sense);
    for (int i = 0; i < 3; i++) {
        out->shift[i] = (float)b->origin[4 * i + 3];
        for (int j = 0; j < 3; j++) {
            out->straight = out->straight && b->origin[4 * i + j] == (i == j);
            out->rotation[j][i] = (float)b->origin[4 * i + j];
            out->still[j][i] = (float)b->still[3 * i + j];
            out->cosine[j][i] = (float)b->cosine[3 * i + j];
            out->sine[j][i] = (float)b->sine[3 * i + j];
        }
    }
    const graze_joint_info *info = &r->joints[b->joint].info;
    out->lower = info->limited ? info->lower : -INFINITY;
    out->upper = info->limited ? info->upper : INFINITY;
    if (out->turns) return;
    double slide[3];
    gz_transform_rotate(b->origin, b->axis, slide);
    copy_floats(out->slide, slide, 3);
    double reach = info->limited ? fmax(fabs(info->lower), fabs(info->upper)) : 1;
    out->value_max = fmin(reach + 1, GZ_ANGLE_MAX);
}

/// Bodies that turn come first among the slots of values.
static void fill_bodies(gz_single_model *m, const graze_robot *r) {
    size_t turning = 0, sliding = 0;
    for (size_t i = 1; i < m->body_count; i++) {
        gz_single_body *body = &m->bodies[i];
        fill_body(r, &r->bodies[i], body);
        if (body->turns) body->slot = (int32_t)turning++;
    }
    m->turning = (turning + GZ_LANES - 1) / GZ_LANES * GZ_LANES;
    for (size_t i = 1; i < m->body_count; i++)
        if (!m->bodies[i].turns) m->bodies[i].slot = (int32_t)(m->turning + sliding++);
}

/// The spheres of the sketch, for cover_near().
static void fill_cover(gz_single_link *l) {
    const gz_mesh_proxy *sketch = l->mesh->proxy;
    l->cover_count = (sketch->sphere_count + GZ_LANES - 1) / GZ_LANES;
    for (int i = 0; i < l->cover_count * GZ_LANES; i++) {
        int last = i < sketch->sphere_count ? i : sketch->sphere_count - 1;
        const gz_bounding_sphere *sphere = &sketch->spheres[last];
        for (int k = 0; k < 3; k++) l->cover[i / GZ_LANES][k][i % GZ_LANES] = sphere->center[k];
        l->cover[i / GZ_LANES][3][i % GZ_LANES] = sphere->radius;
    }
}

static gz_single_link make_link(const graze_robot *r, const gz_lane_link *lane,
                                const pose_error *e) {
    const gz_link *l = &r->links[lane->link];
    gz_single_link out = {.link = lane->link,
                          .body = l->body,
                          .moves = r->bodies[l->body].moves,
                          .radius = (float)(l->sphere.radius * (1 + 0x1p-22)),
                          .mesh = lane->mesh,
                          .solid = lane->solid,
                          .cap = lane->cap};
    const double *center = GZ_ARRAY3(l->sphere.center), *box = GZ_ARRAY3(l->obb.center);
    const double *half = GZ_ARRAY3(l->obb.half);
    copy_floats(out.center, center, 3);
    copy_floats(out.box[3], box, 3);
    copy_floats(out.half, half, 3);
    for (int k = 0; k < 3; k++) copy_floats(out.box[k], GZ_ARRAY3(l->obb.axis[k]), 3);
    // A point of the bounds, at most `reach` from the body's origin, is off by the pose's errors
    // and by what moving it rounds; the axes and half extents of the box by as much again. The
    // metre more is for moving it in double: gz_pose_pad() of a base 2^20 m away is below 2^-26 m.
    double reach = gz_norm(center) + gz_norm(box) + 2 * l->sphere.radius + 2 * gz_norm(half);
    double far = e->length + reach + 1;
    out.turn = (float)(1.01 * e->rotation + 0x1p-20);
    out.error = (float)(1.01 * (e->translation + 4 * e->rotation * reach + 24 * 0x1p-24 * far) +
                        gz_float_pad(l));
    if (out.mesh) fill_cover(&out);
    return out;
}

static bool is_sketched(const graze_mesh *mesh) {
    return mesh && mesh->proxy && !mesh->proxy->clearance.cell_count;
}

/// Pairs, and rows of those whose second links are in one group of eight.
static void fill_pairs(gz_single_model *m, const graze_checker *c, const int32_t *single_of,
                       const pose_error *errors, int32_t *common) {
    const gz_link *links = c->robot->links;
    gz_single_row *row = NULL;
    int32_t seen_from = -1;
    for (size_t i = 0; i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        if (p->fixed) continue;
        int32_t first = single_of[p->a], second = single_of[p->b];
        const gz_single_link *a = &m->links[first], *b = &m->links[second];
        if (seen_from != a->body) gz_common_bodies(c->robot, a->body, common);
        seen_from = a->body;
        gz_pair_side sides[2] = {{&links[p->a], (double)a->error, &errors[a->body]},
                                 {&links[p->b], (double)b->error, &errors[b->body]}};
        float margin = gz_float_reach(p->margin, (double)a->radius + (double)b->radius,
                                      a->turn + b->turn);
        gz_pair_pads pads = gz_pair_pads_make(&sides[0], &sides[1], &errors[common[b->body]],
                                              (double)margin);
        float reach = (a->radius + b->radius + (float)pads.spheres + margin) * 1.00001f;
        m->pairs[m->pair_count] = (gz_single_pair){.a = first,
                                                   .b = second,
                                                   .pair = (int32_t)i,
                                                   .prefiltered = is_sketched(a->mesh) &&
                                                                  is_sketched(b->mesh),
                                                   .square = reach * reach * 1.00001f,
                                                   .pad = (float)pads.boxes * 1.00001f + margin,
                                                   .margin = margin,
                                                   .error = (float)pads.spheres * 1.00001f};
        if (m->tree) {
            gz_link_widen(m->radii, first, second, (double)reach);
            m->pair_count++;
            continue;
        }
        int32_t lane = second % GZ_LANES, group = second - lane;
        if (!row || row->a != first || row->first != group) {
            row = &m->rows[m->row_count++];
            *row = (gz_single_row){.a = first, .first = group};
            for (int k = 0; k < GZ_LANES; k++) row->square[k] = -1;
        }
        row->pair[lane] = (int32_t)m->pair_count++;
        row->square[lane] = m->pairs[row->pair[lane]].square;
        row->count++;
    }
}

static void fill_group(gz_single_model *m, size_t object) {
    const gz_lane_object *o = &m->objects[object];
    gz_single_group *g = &m->groups[object / GZ_LANES];
    size_t lane = object % GZ_LANES;
    for (int k = 0; k < 3; k++) {
        g->half[k][lane] = o->half[k];
        for (int i = 0; i < 3; i++) g->axis[k][i][lane] = o->axis[k][i];
    }
}

/// A box around all objects, and what their margins reach.
static void fill_world(gz_single_model *m, const graze_world *w) {
    float reach = 0;
    size_t margins = m->margins ? m->link_count * m->group_count * GZ_LANES : 0;
    for (size_t i = 0; i < margins; i++) reach = fmaxf(reach, m->margins[i]);
    for (int k = 0; k < 3; k++) {
        m->extent[0][k] = INFINITY;
        m->extent[1][k] = -INFINITY;
        for (size_t i = 0; i < m->object_count; i++) {
            const graze_aabb *box = &gz_world_at(w, i)->box;
            m->extent[0][k] = fmin(m->extent[0][k], GZ_ARRAY3(box->min)[k]);
            m->extent[1][k] = fmax(m->extent[1][k], GZ_ARRAY3(box->max)[k]);
        }
        m->extent[0][k] -= (double)reach;
        m->extent[1][k] += (double)reach;
    }
}

/// What there is between each link and the objects: which are checked, and their margins.
static bool fill_objects(gz_single_model *m, const graze_checker *c) {
    m->groups = gz_malloc_aligned(m->group_count, sizeof *m->groups);
    m->present = gz_calloc(m->link_count * m->group_count, 1);
    size_t padded = m->group_count * GZ_LANES;
    if (c->margins) m->margins = gz_calloc(m->link_count * padded, sizeof *m->margins);
    if (!m->groups || !m->present || (c->margins && !m->margins)) return false;
    memset(m->groups, 0, m->group_count * sizeof *m->groups);
    for (size_t k = 0; k < m->object_count; k++) {
        fill_group(m, k);
        for (size_t i = 0; i < m->link_count; i++) {
            const gz_single_link *l = &m->links[i];
            if (c->allowed && c->allowed[(size_t)l->link * m->object_count + k]) continue;
            m->present[i * m->group_count + k / GZ_LANES] |= (uint8_t)(1u << k % GZ_LANES);
            if (!c->margins) continue;
            double margin = gz_margins_find(c->margins, l->link, (int32_t)k);
            m->margins[i * padded + k] = gz_float_reach(
                margin, (double)l->radius + (double)m->objects[k].size, l->turn);
        }
    }
    fill_world(m, c->world);
    return true;
}

static bool fill_links(gz_single_model *m, const graze_checker *c, bool *covered) {
    const graze_robot *r = c->robot;
    pose_error *errors = gz_calloc(m->body_count, sizeof *errors);
    int32_t *single_of = gz_calloc((size_t)r->link_count, sizeof *single_of);
    int32_t *common = gz_malloc(m->body_count, sizeof *common);
    bool ok = errors && single_of && common;
    if (ok) errors[0].rotation = 2 * 0x1p-24;
    for (size_t i = 1; ok && i < m->body_count; i++)
        errors[i] = next_error(&errors[m->bodies[i].parent], &m->bodies[i]);
    for (size_t i = 0; ok && i < m->link_count; i++) {
        const gz_lane_link *lane = &c->lanes->links[i];
        const gz_link *l = &r->links[lane->link];
        single_of[lane->link] = (int32_t)i;
        m->links[i] = make_link(r, lane, &errors[l->body]);
        if (c->margins) m->links[i].reach = 2 * c->margins->reaches[lane->link];
        *covered = *covered && errors[l->body].length + l->sphere.radius < REACH_MAX;
        if (m->tree) m->radii[i] = m->links[i].radius;
    }
    for (size_t i = m->link_count; ok && i % GZ_LANES; i++) m->links[i] = m->links[0];
    for (size_t i = 0; ok && i < padded_links(m); i++)
        m->reaches[i] = (m->links[i].radius + 4 * m->links[i].error) * 1.001f;
    if (ok && !c->options.no_self) fill_pairs(m, c, single_of, errors, common);
    gz_free(errors);
    gz_free(single_of);
    gz_free(common);
    return ok;
}

/// The stages of the same instruction set as the kernels.
static const gz_single_stages *choose_stages(const gz_kernels *kernels) {
#ifdef GRAZE_HAVE_AVX2
    if (kernels == &gz_kernels_avx2) return &gz_single_stages_avx2;
#else
    (void)kernels;
#endif
    return &gz_single_stages_base;
}

bool gz_single_model_create(gz_single_model **out, const graze_checker *c) {
    *out = NULL;
    const gz_lane_model *lanes = c->lanes;
    if (!lanes || lanes->link_count == 0) return true;
    gz_single_model *m = gz_calloc(1, sizeof *m);
    if (!m) return false;
    m->kernels = c->kernels;
    m->stages = choose_stages(c->kernels);
    m->body_count = (size_t)c->robot->body_count;
    m->link_count = lanes->link_count;
    m->objects = lanes->objects;
    m->object_count = lanes->object_count;
    m->group_count = (m->object_count + GZ_LANES - 1) / GZ_LANES;
    m->world = c->world;
    m->has_world = c->world && !c->options.no_world;
    m->all_near = lanes->all_near;
    m->bodies = gz_calloc(m->body_count, sizeof *m->bodies);
    m->links = gz_malloc_aligned(padded_links(m), sizeof *m->links);
    m->reaches = gz_malloc(padded_links(m), sizeof *m->reaches);
    m->pairs = gz_malloc(c->pair_count, sizeof *m->pairs);
    m->tree = c->tree;
    m->rows = gz_malloc(m->tree ? 0 : c->pair_count, sizeof *m->rows);
    m->radii = gz_calloc(m->link_count, sizeof *m->radii);
    bool ok = m->bodies && m->links && m->reaches && m->pairs && m->rows && m->radii,
         covered = true;
    if (ok) fill_bodies(m, c->robot);
    ok = ok && fill_links(m, c, &covered) && fill_objects(m, c);
    if (!ok || !covered) {
        gz_single_model_free(m);
        return ok;
    }
    *out = m;
    return true;
}

void gz_single_model_free(gz_single_model *m) {
    if (!m) return;
    gz_free(m->bodies);
    gz_free(m->links);
    gz_free(m->pairs);
    gz_free(m->rows);
    gz_free(m->radii);
    gz_free(m->groups);
    gz_free(m->reaches);
    gz_free(m->margins);
    gz_free(m->present);
    gz_free(m);
}

gz_single_scratch *gz_single_scratch_create(const gz_single_model *m) {
    gz_single_scratch *s = gz_calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t links = padded_links(m),
           touches = m->link_count * (m->object_count ? m->object_count : 1);
    s->values = gz_calloc(m->turning + m->body_count, sizeof *s->values);
    s->sines = gz_malloc_aligned(2 * m->turning, sizeof *s->sines);
    s->poses = gz_malloc_aligned(m->body_count, sizeof *s->poses);
    for (int k = 0; k < 3; k++) s->centers[k] = gz_malloc_aligned(links, sizeof *s->centers[k]);
    s->boxes = gz_malloc_aligned(links, sizeof *s->boxes);
    s->box_ready = gz_calloc(links, 1);
    s->objects = gz_malloc_aligned(m->object_count, sizeof *s->objects);
    s->places = gz_malloc_aligned(m->group_count, sizeof *s->places);
    s->possible = gz_malloc(m->link_count * m->group_count, 1);
    s->pairs = gz_malloc(m->pair_count, sizeof *s->pairs);
    s->touches = gz_malloc(touches, sizeof *s->touches);
    s->links = gz_malloc(2 * m->pair_count + touches, sizeof *s->links);
    // Spheres of links that fill up a group are never set; they must be numbers.
    for (int k = 0; k < 3; k++)
        if (s->centers[k]) memset(s->centers[k], 0, links * sizeof *s->centers[k]);
    if (s->values && s->sines && s->poses && s->centers[0] && s->centers[1] && s->centers[2] &&
        s->boxes && s->box_ready && s->objects && s->places && s->possible && s->pairs &&
        s->touches && s->links)
        return s;
    gz_single_scratch_free(s);
    return NULL;
}

void gz_single_scratch_free(gz_single_scratch *s) {
    if (!s) return;
    gz_free(s->values);
    gz_free(s->sines);
    gz_free(s->poses);
    for (int k = 0; k < 3; k++) gz_free(s->centers[k]);
    gz_free(s->boxes);
    gz_free(s->box_ready);
    gz_free(s->objects);
    gz_free(s->places);
    gz_free(s->possible);
    gz_free(s->pairs);
    gz_free(s->touches);
    gz_free(s->links);
    gz_free(s);
}
