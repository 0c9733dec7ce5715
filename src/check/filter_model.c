#include "check/filter_model.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check/filter_error.h"
#include "check/filters.h"
#include "check/margin.h"
#include "math/transform.h"
#include "math/trigonometry.h"

/// Robots of longer reach, metres, are not covered: the errors would swallow what the filter gains.
#define LENGTH_MAX 1000.0

static size_t whole_eights(size_t count) {
    return (count + GZ_LANES - 1) / GZ_LANES * GZ_LANES;
}

static void copy_floats(float *out, const double *in, int count) {
    for (int i = 0; i < count; i++) out[i] = (float)in[i];
}

// ------------------------------------------------------------------------------------------ bodies

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

/// Finds whether a body moves about or along an axis of its frame, exactly or nearly, as most do.
/// With |O - P| for the origin's rotation and |a - e| for the axis, O R(a) is off P R(e) by |O - P|
/// + 2 sqrt 2 |a - e|: turning R(e) from e to a costs |S - 1| = sqrt 2 |a - e| twice. What is less
/// than a float's own error counts as none, for angles that a file gives with few digits.
static void find_axis(const gz_body *b, gz_filter_body *out) {
    int32_t axis, from[3];
    double sense, sign[3], off = 0, bent = 3 * nearest_axis(b->axis, &axis, &sense);
    out->sense = (float)sense;
    out->axis = bent == 0 ? axis : 3;
    for (int j = 0; j < 3; j++) {
        double column[3] = {b->origin[j], b->origin[4 + j], b->origin[8 + j]};
        double d = nearest_axis(column, &from[j], &sign[j]);
        off += d * d;
    }
    bent += sqrt(off);
    if (from[0] == from[1] || from[1] == from[2] || from[2] == from[0] || bent > 0x1p-20) return;
    out->permutes = true;
    out->bent = bent;
    for (int k = 0; k < 3; k++) {
        out->to[k] = (axis + k) % 3;
        out->from[k] = from[out->to[k]];
        out->sign[k] = (float)sign[out->to[k]];
    }
}

static void fill_body(const graze_robot *r, const gz_body *b, gz_filter_body *out) {
    *out = (gz_filter_body){.parent = b->parent,
                            .column = b->column,
                            .turns = b->type != GRAZE_JOINT_PRISMATIC,
                            .straight = true,
                            .multiplier = b->multiplier,
                            .offset = b->offset,
                            .value_max = fmin(GZ_ANGLE_MAX, b->value_max)};
    find_axis(b, out);
    for (int i = 0; i < 3; i++) {
        out->shift[i] = (float)b->origin[4 * i + 3];
        for (int j = 0; j < 3; j++) {
            out->straight = out->straight && b->origin[4 * i + j] == (i == j);
            out->rotation[j][i] = (float)b->origin[4 * i + j];
            out->projection[j][i] = (float)b->axis_projection[3 * i + j];
            out->cosine[j][i] = (float)b->cosine[3 * i + j];
            out->sine[j][i] = (float)b->sine[3 * i + j];
        }
    }
    const graze_joint_info *info = &r->joints[b->joint].info;
    out->lower = info->limited ? info->lower : -INFINITY;
    out->upper = info->limited ? info->upper : INFINITY;
    if (out->turns) return;
    double slide[3], range = info->limited ? fmax(fabs(info->lower), fabs(info->upper)) : 1;
    gz_transform_rotate(b->origin, b->axis, slide);
    copy_floats(out->slide, slide, 3);
    out->value_max = fmin(out->value_max, range + 1); // what is beyond that is an error
}

/// Bodies that turn come first among the slots of values. False for planar and floating joints.
static bool fill_bodies(gz_filter_model *m, const graze_robot *r) {
    size_t turning = 0, sliding = 0;
    for (size_t i = 1; i < m->body_count; i++) {
        graze_joint_type type = r->bodies[i].type;
        if (type == GRAZE_JOINT_PLANAR || type == GRAZE_JOINT_FLOATING) return false;
        fill_body(r, &r->bodies[i], &m->bodies[i]);
        if (m->bodies[i].turns) m->bodies[i].slot = (int32_t)turning++;
    }
    m->turning = whole_eights(turning);
    for (size_t i = 1; i < m->body_count; i++)
        if (!m->bodies[i].turns) m->bodies[i].slot = (int32_t)(m->turning + sliding++);
    return true;
}

// ------------------------------------------------------------------------------------------- links

/// Fills the mesh's bounding spheres, in groups of eight.
static void fill_spheres(gz_filter_link *l) {
    const gz_mesh_proxy *proxy = l->mesh->proxy;
    l->sphere_group_count = (proxy->sphere_count + GZ_LANES - 1) / GZ_LANES;
    for (int i = 0; i < l->sphere_group_count * GZ_LANES; i++) {
        int last = i < proxy->sphere_count ? i : proxy->sphere_count - 1;
        const gz_bounding_sphere *sphere = &proxy->spheres[last];
        for (int k = 0; k < 3; k++) l->spheres[i / GZ_LANES][k][i % GZ_LANES] = sphere->center[k];
        l->spheres[i / GZ_LANES][3][i % GZ_LANES] = sphere->radius;
    }
}

/// Finds the mesh that is all of a link, where it has a proxy.
static void find_mesh(const graze_checker *c, const gz_link *l, gz_filter_link *out) {
    const gz_shape *shape = &c->robot->collisions[l->first_collision].shape;
    if (l->collision_count != 1 || !shape->mesh || !shape->mesh->proxy) return;
    graze_policy policy = c->link_policies[out->link];
    out->mesh = shape->mesh;
    out->solid = gz_shape_is_polyhedron(shape->kind) || policy != GRAZE_POLICY_SURFACE;
    out->cap = policy == GRAZE_POLICY_CAP && shape->mesh->caps;
    fill_spheres(out);
}

static gz_filter_link make_link(const graze_checker *c, int32_t index, const gz_pose_bound *e) {
    const gz_link *l = &c->robot->links[index];
    gz_filter_link out = {.link = index,
                          .body = l->body,
                          .moves = c->robot->bodies[l->body].moves,
                          .radius = (float)(l->sphere.radius * (1 + 0x1p-22))};
    const double *center = GZ_ARRAY3(l->sphere.center), *box = GZ_ARRAY3(l->obb.center);
    const double *half = GZ_ARRAY3(l->obb.half);
    copy_floats(out.center, center, 3);
    copy_floats(out.box[3], box, 3);
    copy_floats(out.half, half, 3);
    for (int k = 0; k < 3; k++) copy_floats(out.box[k], GZ_ARRAY3(l->obb.axis[k]), 3);
    // A point of the bounds, at most `extent` from the body's origin, is off by the pose's errors
    // and by what moving it rounds; the axes and half extents of the box by as much again. The
    // double of GZ_FILTER_BASE_MAX also holds the metre that moving it in double takes:
    // gz_pose_pad() of a base 2^20 m away is below 2^-26 m.
    double extent = gz_norm(center) + gz_norm(box) + 2 * l->sphere.radius + 2 * gz_norm(half);
    double far = e->length + extent + 2 * GZ_FILTER_BASE_MAX;
    out.turn = (float)(GZ_BOUND_SLACK * e->rotation + 0x1p-20);
    out.error = (float)(GZ_BOUND_SLACK *
                            (e->translation + 4 * e->rotation * extent + 24 * 0x1p-24 * far) +
                        gz_filter_pad(l));
    if (c->margins) out.world_threshold = 2 * c->margins->thresholds[index];
    find_mesh(c, l, &out);
    return out;
}

/// Bounds on the errors of all bodies' poses.
static void bound_errors(gz_filter_model *m) {
    gz_pose_bound *errors = m->errors;
    errors[0] = (gz_pose_bound){.rotation = 2 * 0x1p-24,
                                .translation = 2 * 0x1p-24 * GZ_FILTER_BASE_MAX};
    for (size_t i = 1; i < m->body_count; i++)
        errors[i] = gz_pose_bound_next(&errors[m->bodies[i].parent], &m->bodies[i]);
}

/// Fills the links. False where the robot reaches too far.
static bool fill_links(gz_filter_model *m, const graze_checker *c) {
    bool covered = true;
    for (size_t i = 0; i < m->link_count; i++) {
        const gz_link *l = &c->robot->links[c->links[i]];
        const gz_pose_bound *e = &m->errors[l->body];
        m->own_index[c->links[i]] = (int32_t)i;
        m->links[i] = make_link(c, c->links[i], e);
        covered = covered && e->length + l->sphere.radius < LENGTH_MAX;
        if (m->tree) m->radii[i] = m->links[i].radius;
    }
    for (size_t i = m->link_count; i % GZ_LANES; i++) m->links[i] = m->links[0];
    for (size_t i = 0; i < whole_eights(m->link_count); i++)
        m->radius_bounds[i] = (m->links[i].radius + 4 * m->links[i].error) * GZ_PAD_ROUND_UP;
    return covered;
}

// ------------------------------------------------------------------------------------------- pairs

static bool has_plain_proxy(const graze_mesh *mesh) {
    return mesh && mesh->proxy && !mesh->proxy->clearance.cell_count;
}

/// How far the ball of the smaller link must be from the box of the larger one to be apart. Float
/// puts the ball's centre off by its link's error at most, the box's centre by the other's; the
/// box's axes turn what is as far from it as the ball ends, no more than twice its size, by as much
/// again, and so do half extents and the rounding of the products, fused or not: four times both
/// errors are enough.
static void fill_ball(gz_filter_pair *p, const gz_filter_link *a, const gz_filter_link *b) {
    bool first = a->radius > b->radius;
    p->box = first ? p->a : p->b;
    p->ball = first ? p->b : p->a;
    memcpy(p->sizes, (first ? a : b)->half, 3 * sizeof *a->half);
    memcpy(p->sizes + 3, (first ? b : a)->half, 3 * sizeof *a->half);
    float threshold = (first ? b : a)->radius + 4.01f * (a->error + b->error) + p->margin;
    p->outside2 = threshold * threshold * 1.00002f;
}

static gz_filter_pair make_pair(const gz_filter_model *m, const graze_checker *c, size_t index) {
    const gz_pose_bound *errors = m->errors;
    const gz_check_pair *p = &c->pairs[index];
    int32_t first = m->own_index[p->a], second = m->own_index[p->b];
    const gz_filter_link *a = &m->links[first], *b = &m->links[second];
    gz_pair_side sides[2] = {{&c->robot->links[p->a], (double)a->error, &errors[a->body]},
                             {&c->robot->links[p->b], (double)b->error, &errors[b->body]}};
    float margin = gz_filter_threshold(p->margin, (double)a->radius + (double)b->radius,
                                       a->turn + b->turn);
    gz_pair_pads pads = gz_pair_pads_make(&sides[0], &sides[1], &errors[m->common[b->body]],
                                          (double)margin);
    // The slack is for the rounding of a squared distance: 6 u, fused or not.
    float threshold = (a->radius + b->radius + (float)pads.spheres + margin) * GZ_ROUND_UP;
    gz_filter_pair out = {.a = first,
                          .b = second,
                          .pair = (int32_t)index,
                          .center_a = first * 3 * GZ_LANES,
                          .center_b = second * 3 * GZ_LANES,
                          .apart2 = threshold * threshold * GZ_ROUND_UP,
                          .margin = margin,
                          .error = (float)pads.spheres * GZ_ROUND_UP,
                          .has_proxies = has_plain_proxy(a->mesh) && has_plain_proxy(b->mesh)};
    fill_ball(&out, a, b);
    out.sizes[6] = (float)pads.boxes * GZ_ROUND_UP + margin;
    if (m->tree) gz_link_widen(m->radii, first, second, (double)threshold);
    return out;
}

/// From which number of a table's units on it proves each pair free. It is at least one unit, 15
/// um: where the domain does not count, poses up to 2^20 m out are off by far less.
static void set_tables(gz_filter_model *m, const graze_checker *c) {
    for (size_t i = 0; c->robot->table_count && i < m->pair_count; i++) {
        gz_filter_pair *p = &m->pairs[i];
        const gz_check_pair *pair = &c->pairs[p->pair];
        p->table = pair->table;
        if (!pair->table) continue;
        double need = gz_margin_certified(c, pair->a, pair->b, pair->margin) / GZ_PAIR_TABLE_UNIT;
        p->table_least = need < UINT16_MAX ? 1 + (uint32_t)need : UINT32_MAX;
    }
}

/// Adds a pair to the row of its first link and the eight of its second.
static void add_to_row(gz_filter_model *m, size_t index) {
    const gz_filter_pair *p = &m->pairs[index];
    int32_t lane = p->b % GZ_LANES, first = p->b - lane;
    gz_filter_row *row = m->row_count ? &m->rows[m->row_count - 1] : NULL;
    if (!row || row->a != p->a || row->first != first) {
        row = &m->rows[m->row_count++];
        *row = (gz_filter_row){.a = p->a, .first = first};
        for (int k = 0; k < GZ_LANES; k++) row->apart2[k] = -1;
    }
    row->pair[lane] = (int32_t)index;
    row->apart2[lane] = p->apart2;
    row->count++;
}

static void fill_pairs(gz_filter_model *m, const graze_checker *c) {
    int32_t common_of = -1;
    for (size_t i = 0; i < c->pair_count; i++) {
        const gz_check_pair *p = &c->pairs[i];
        if (p->fixed) continue;
        int32_t body = c->robot->links[p->a].body;
        if (common_of != body) gz_common_bodies(c->robot, body, m->common);
        common_of = body;
        m->pairs[m->pair_count] = make_pair(m, c, i);
        if (!m->tree) add_to_row(m, m->pair_count);
        m->pair_count++;
    }
    set_tables(m, c);
    // Whole eights: the rest, of any link with itself, is always apart.
    for (size_t i = m->pair_count; i % GZ_LANES; i++) m->pairs[i] = (gz_filter_pair){.apart2 = -1};
}

// ----------------------------------------------------------------------------------------- objects

/// The proxy of a mesh as one component, which may have been made of it before.
static gz_component_proxy find_component(const graze_mesh *mesh, const gz_filter_object *known) {
    return known->mesh == mesh && !known->has_map ? known->component
                                                  : gz_component_proxy_make(mesh);
}

/// Finds the mesh that an object is. `known`: what another model, or this one, knew of it.
static void find_object_mesh(const graze_checker *c, int32_t index, const gz_filter_object *known,
                             gz_filter_object *o) {
    const gz_object *object = gz_world_at(c->world, (size_t)index);
    const graze_mesh *mesh = object->shape.mesh;
    graze_policy policy = gz_object_policy(c, index);
    if (!mesh) return;
    o->mesh = mesh;
    o->has_map = mesh->proxy && mesh->proxy->clearance.cell_count > 0;
    if (!o->has_map) o->component = find_component(mesh, known);
    o->is_box = !o->has_map && gz_mesh_is_box(mesh);
    o->solid = gz_shape_is_polyhedron(object->kind) || policy != GRAZE_POLICY_SURFACE;
    o->cap = policy == GRAZE_POLICY_CAP && mesh->caps;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) o->to_mesh[k][j] = (float)object->pose.m[4 * j + k];
        o->mesh_origin[k] = object->pose.m[4 * k + 3];
    }
}

/// Gives a box the axes of another in their order, where they are the same but for order and sign;
/// whether they are. A box is the same whatever order and sign its axes have.
static bool match_axes(gz_filter_object *o, const gz_filter_object *last) {
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

/// Whether a box stands on one of its faces: then which of its axes is that of z, else -1.
static int upright_axis(const gz_filter_object *o) {
    for (int k = 0; k < 3; k++)
        if (o->axis[k][0] == 0 && o->axis[k][1] == 0 && fabsf(o->axis[k][2]) == 1 &&
            o->axis[(k + 1) % 3][2] == 0 && o->axis[(k + 2) % 3][2] == 0)
            return k;
    return -1;
}

/// The boxes of a group are added in order. A box is the same whatever the order of its axes: that
/// of z comes last.
static void add_to_group(gz_filter_group *g, size_t lane, const gz_filter_object *o) {
    int last = upright_axis(o);
    g->upright = last >= 0 && (lane == 0 || g->upright);
    for (int k = 0; k < 3; k++) {
        int from = last < 0 ? k : (last + 1 + k) % 3;
        g->half[k][lane] = o->half[from];
        for (int i = 0; i < 3; i++) g->axis[k][i][lane] = o->axis[from][i];
    }
}

static void fill_object(gz_filter_model *m, const graze_checker *c, size_t index,
                        const gz_filter_object *known) {
    const graze_obb *box = &gz_world_at(c->world, index)->posed;
    gz_filter_object *o = &m->objects[index];
    const gz_filter_object before = known ? *known : (gz_filter_object){0}; // may be *o itself
    *o = (gz_filter_object){.size = (float)gz_norm(GZ_ARRAY3(box->half))};
    memcpy(o->center, GZ_ARRAY3(box->center), sizeof o->center);
    copy_floats(o->half, GZ_ARRAY3(box->half), 3);
    for (int k = 0; k < 3; k++) copy_floats(o->axis[k], GZ_ARRAY3(box->axis[k]), 3);
    o->like_last = index > 0 && match_axes(o, o - 1);
    find_object_mesh(c, (int32_t)index, &before, o);
    add_to_group(&m->groups[index / GZ_LANES], index % GZ_LANES, o);
}

/// Whether an object is checked against each link, and its margins.
static void fill_margins(gz_filter_model *m, const graze_checker *c, size_t object) {
    for (size_t i = 0; i < m->link_count; i++) {
        const gz_filter_link *l = &m->links[i];
        if (m->allowed && m->allowed[(size_t)l->link * m->object_count + object]) continue;
        m->present[i * m->group_count + object / GZ_LANES] |= (uint8_t)(1u << object % GZ_LANES);
        if (!m->margins) continue;
        double margin = gz_margins_find(c->margins, l->link, (int32_t)object);
        m->margins[i * m->group_count * GZ_LANES + object] = gz_filter_threshold(
            margin, (double)l->radius + (double)m->objects[object].size, l->turn);
    }
}

/// A box around all objects, and what their margins reach.
static void bound_world(gz_filter_model *m, const graze_world *w) {
    float threshold = 0;
    size_t margins = m->margins ? m->link_count * m->group_count * GZ_LANES : 0;
    for (size_t i = 0; i < margins; i++) threshold = fmaxf(threshold, m->margins[i]);
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < m->object_count; i++) {
            const graze_aabb *box = &gz_world_at(w, i)->box;
            low = fmin(low, GZ_ARRAY3(box->min)[k]);
            high = fmax(high, GZ_ARRAY3(box->max)[k]);
        }
        m->extent[0][k] = low - (double)threshold;
        m->extent[1][k] = high + (double)threshold;
    }
}

static void fill_world(gz_filter_model *m, const graze_checker *c, const gz_filter_model *known) {
    for (size_t i = 0; i < m->object_count; i++) {
        fill_object(m, c, i, known && i < known->object_count ? &known->objects[i] : NULL);
        fill_margins(m, c, i);
    }
    bound_world(m, c->world);
}

// ------------------------------------------------------------------------------------------- model

/// Whether the world's objects can be tested one by one.
static bool covers_world(const graze_checker *c) {
    if (!c->world || c->options.no_world || c->world->object_count > GZ_FILTER_OBJECTS)
        return false;
    for (size_t i = 0; i < c->world->object_count; i++)
        if (gz_world_at(c->world, i)->kind == GRAZE_SHAPE_POINTS) return false;
    return true;
}

static void lay_out(gz_filter_model *m, const graze_checker *c, gz_arena *arena) {
    size_t links = whole_eights(m->link_count), pairs = whole_eights(c->pair_count + 1);
    size_t slots = m->link_count * m->group_count;
    m->bodies = gz_arena_array(arena, m->body_count, sizeof *m->bodies);
    m->links = gz_arena_array(arena, links, sizeof *m->links);
    m->radius_bounds = gz_arena_array(arena, links, sizeof *m->radius_bounds);
    m->radii = gz_arena_array(arena, m->tree ? links : 0, sizeof *m->radii);
    m->objects = gz_arena_array(arena, m->object_count, sizeof *m->objects);
    m->groups = gz_arena_array(arena, m->group_count, sizeof *m->groups);
    m->present = gz_arena_array(arena, slots, sizeof *m->present);
    if (c->margins) m->margins = gz_arena_array(arena, slots * GZ_LANES, sizeof *m->margins);
    m->pairs = gz_arena_array(arena, pairs, sizeof *m->pairs);
    m->rows = gz_arena_array(arena, m->tree ? 0 : c->pair_count, sizeof *m->rows);
    m->errors = gz_arena_array(arena, m->body_count, sizeof *m->errors);
    m->common = gz_arena_array(arena, m->body_count, sizeof *m->common);
    m->own_index = gz_arena_array(arena, (size_t)c->robot->link_count, sizeof *m->own_index);
}

/// Fills a model that is laid out; false where the filters do not cover the robot.
static bool fill_model(gz_filter_model *m, const graze_checker *c, const gz_filter_model *known) {
    if (!fill_bodies(m, c->robot)) return false;
    bound_errors(m);
    if (!fill_links(m, c)) return false;
    if (!c->options.no_self) fill_pairs(m, c);
    fill_world(m, c, known);
    return true;
}

const gz_filter_kernels *gz_filter_kernels_choose(const gz_kernels *kernels) {
#ifdef GRAZE_HAVE_AVX2
    if (kernels == &gz_kernels_avx2) return &gz_filter_kernels_avx2;
#else
    (void)kernels;
#endif
    return &gz_filter_kernels_base;
}

bool gz_filter_model_create(gz_filter_model **out, const graze_checker *c,
                            const gz_filter_model *known) {
    *out = NULL;
    if (c->options.level != GRAZE_LEVEL_MESH || c->link_count == 0) return true;
    bool covers = covers_world(c), covered = false;
    gz_filter_model *m = gz_calloc(1, sizeof *m);
    if (!m) return false;
    *m = (gz_filter_model){.kernels = c->kernels,
                           .filters = gz_filter_kernels_choose(c->kernels),
                           .world = c->world,
                           .tree = c->tree,
                           .allowed = c->allowed,
                           .q_size = c->robot->column_count,
                           .body_count = (size_t)c->robot->body_count,
                           .link_count = c->link_count,
                           .object_count = covers ? c->world->object_count : 0,
                           .has_world = c->world && !c->options.no_world,
                           .workspace_radius = c->workspace_radius,
                           .base_max = GZ_FILTER_BASE_MAX};
    m->group_count = (m->object_count + GZ_LANES - 1) / GZ_LANES;
    m->all_near = m->has_world && !covers;
    m->large = m->all_near && !c->margins ? c->world : NULL;
    gz_arena arena = {0};
    lay_out(m, c, &arena);
    size_t size = arena.size;
    bool ok = gz_arena_create(&arena);
    if (ok) {
        m->memory = memset(arena.memory, 0, size);
        lay_out(m, c, &arena);
        covered = fill_model(m, c, known);
    }
    if (covered)
        *out = m;
    else
        gz_filter_model_free(m);
    return ok;
}

void gz_filter_model_follow(gz_filter_model *m, const graze_checker *c) {
    for (size_t i = 0; c->margins && i < whole_eights(m->link_count); i++)
        m->links[i].world_threshold = 2 * c->margins->thresholds[m->links[i].link];
    set_tables(m, c); // epsilon may be another
    memset(m->present, 0, m->link_count * m->group_count * sizeof *m->present);
    if (c->world) fill_world(m, c, m);
}

void gz_filter_model_free(gz_filter_model *m) {
    if (!m) return;
    gz_free(m->memory);
    gz_free(m);
}

bool gz_filter_base_fits(const double base[12]) {
    return gz_transform_far(base) < 0.5 * GZ_COORDINATE_MAX;
}
