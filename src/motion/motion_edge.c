// How the robot moves along an edge. Real and computed motion: a column goes from a to b, at t in
// real arithmetic a + t d, and graze_robot_interpolate() gives a double near it, or near one that
// is whole turns away. Both are within (t - c) d, and a slack, of the double that is posed at c:
// the difference and the product and the sum round by 2^-53 of |a| + |b| each, taking turns off by
// the double pi in place of the real one by 2^-52 of what is taken off and 2^-53 of the result; t
// is exact. 2^-49 of |a| + |b| + 8 covers all of it twice.
//
// A quaternion goes along p(t) = a + t (b - a) between unit quaternions at most a right angle
// apart, so |p| is at least sqrt(1 - |b - a|^2 / 4), and its direction turns by at most |b - a| /
// |p| for each unit of t; the rotation by twice that.
//
// Along a curve (curve.h) what a column changes by on an interval is what its control points there
// are away from the value in the middle, which is posed, instead of a rate.
//
// The base is one more joint above the first body: it slides by the length of its way, and turns
// about its origin by at most the sum of what its three angles change by.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/space.h"
#include "math/transform.h"
#include "motion/motion_internal.h"

#define SLACK    0x1p-49
#define ROUND_UP (1 + 0x1p-40)

void gz_edge_lay_out(gz_edge *e, const graze_robot *r, gz_arena *arena) {
    size_t bodies = (size_t)r->body_count, links = (size_t)r->link_count;
    e->bodies = gz_arena_array(arena, bodies, sizeof *e->bodies);
    e->varying = gz_arena_array(arena, bodies, sizeof *e->varying);
    e->moves = gz_arena_array(arena, bodies, sizeof *e->moves);
    e->own_radius = gz_arena_array(arena, links, sizeof *e->own_radius);
    e->path = gz_arena_array(arena, bodies, sizeof *e->path);
    e->link_bounds = gz_arena_array(arena, links, sizeof *e->link_bounds);
    e->stamps = gz_arena_array(arena, links + bodies, sizeof *e->stamps);
    e->axes = gz_arena_array(arena, bodies, sizeof *e->axes);
    e->axis_stamps = e->stamps ? e->stamps + links : NULL;
    e->q = gz_arena_array(arena, r->column_count, sizeof *e->q);
    e->low = gz_arena_array(arena, 2 * r->column_count, sizeof *e->low);
    e->high = e->low ? e->low + r->column_count : NULL;
}

// ------------------------------------------------------------------------------------- the robot

/// The greatest distance of a corner of the link's box from the axis of its body, which goes
/// through the origin of the body's frame.
static double own_radius(const gz_link *l, const double axis[3]) {
    double most = 0, size = gz_norm(axis);
    for (int corner = 0; corner < 8; corner++) {
        double p[3], cross[3];
        for (int i = 0; i < 3; i++) {
            p[i] = GZ_ARRAY3(l->obb.center)[i];
            for (int k = 0; k < 3; k++) {
                double half = GZ_ARRAY3(l->obb.half)[k];
                p[i] += (corner >> k & 1 ? half : -half) * GZ_ARRAY3(l->obb.axis[k])[i];
            }
        }
        gz_cross(axis, p, cross);
        most = fmax(most, gz_norm(cross));
    }
    return most / size * (ROUND_UP + 4 * l->skew) + l->pad;
}

/// gz_edge_radius() of joints that slide nowhere: a sum over all bodies is no less than that over
/// any chain of them.
static double static_radius(const graze_robot *r) {
    double far = 0, most = 0;
    for (int32_t i = 1; i < r->body_count; i++) {
        const double *origin = r->bodies[i].origin;
        far += gz_norm((double[3]){origin[3], origin[7], origin[11]});
    }
    for (int32_t i = 0; i < r->link_count; i++)
        if (!r->links[i].local.empty)
            most = fmax(most,
                        gz_norm(GZ_ARRAY3(r->links[i].sphere.center)) + r->links[i].sphere.radius);
    return far + most;
}

static void clear_stamps(gz_edge *e) {
    size_t links = (size_t)e->robot->link_count, bodies = (size_t)e->robot->body_count;
    memset(e->stamps, 0, (links + bodies) * sizeof *e->stamps);
}

void gz_edge_prepare(gz_edge *e, const graze_checker *c) {
    const graze_robot *r = c->robot;
    double stretch = 1, turn = 0;
    e->robot = r;
    for (int32_t i = 0; i < r->body_count; i++) {
        stretch = fmax(stretch, r->bodies[i].error.stretch);
        turn = fmax(turn, r->bodies[i].error.rotation);
    }
    e->stretch = 1 + 0x1p-30;
    for (int32_t i = 0; i < 2 * r->body_count + 2; i++) e->stretch *= stretch * stretch;
    e->point_error = 4 * c->epsilon;
    e->turn_error = 4 * turn;
    e->static_radius = static_radius(r);
    clear_stamps(e);
    for (int32_t i = 0; i < r->link_count; i++)
        e->own_radius[i] = own_radius(&r->links[i], r->bodies[r->links[i].body].axis);
}

// -------------------------------------------------------------------------------------- the edge

/// How a column of q, or (`base`) a coordinate of the base, moves: by at most `change` for each
/// unit of t, and `slack`.
typedef struct column_motion {
    double change, slack;
} column_motion;

static column_motion straight_column(const gz_edge *e, bool base, int32_t k, graze_q_kind kind) {
    double a = base ? e->from_base[k] : e->from[k], b = base ? e->to_base[k] : e->to[k], d = b - a;
    if (a == b) return (column_motion){0};
    if (kind == GRAZE_Q_CIRCLE && e->turn == GRAZE_TURN_SHORTER) d = gz_wrap_angle(d);
    return (column_motion){fabs(d) * ROUND_UP, SLACK * (fabs(a) + fabs(b) + 8)};
}

/// Of a curve on an interval of it: the values are no farther from that in its middle than the
/// control points of the interval. Nothing of what moves stands still.
static column_motion curved_column(const gz_edge *e, bool base, int32_t k, double t0, double t1) {
    const gz_curve *c = base ? &e->base_curve : &e->q_curve;
    size_t column = (size_t)k;
    double low = base ? e->base_low[k] : e->low[k], high = base ? e->base_high[k] : e->high[k];
    if (low == high) return (column_motion){0};
    double half = 0.5 * (t1 - t0), middle = gz_curve_at(c, column, t0 + half), from, to;
    gz_curve_interval(c, column, t0, t1, &from, &to);
    double change = fmax(fmax(to - middle, middle - from), 0x1p-1000);
    return (column_motion){change / half * ROUND_UP,
                           GZ_CURVE_SLACK * (fmax(fabs(low), fabs(high)) + 1)};
}

/// The interval of t that is looked at.
typedef struct gz_span {
    double t0, t1;
} gz_span;

static column_motion column_of(const gz_edge *e, bool base, int32_t k, graze_q_kind kind,
                               gz_span p) {
    return e->q_curve.degree ? curved_column(e, base, k, p.t0, p.t1)
                             : straight_column(e, base, k, kind);
}

static void add_slide(gz_body_motion *m, column_motion c, double factor) {
    m->slide += factor * c.change;
    m->slide_slack += factor * c.slack;
}

static void add_turn(gz_body_motion *m, column_motion c, double factor) {
    m->turn += factor * c.change;
    m->turn_slack += factor * c.slack;
}

static void add_rotation(gz_body_motion *m, const double *a, const double *b) {
    if (memcmp(a, b, 4 * sizeof *a) == 0) return;
    double chord = 0.5 * sqrt(gz_column_square(GRAZE_Q_ROTATION, GRAZE_TURN_SHORTER, a, b));
    m->turn = 2 * ROUND_UP * chord / sqrt(fmax(1 - 0.25 * chord * chord, 0.25));
    m->turn_slack = 0x1p-46;
}

static gz_body_motion motion_of(const gz_edge *e, const gz_body *b, gz_span p) {
    gz_body_motion m = {0};
    if (b->joint < 0 || b->column < 0) return m;
    int32_t at = b->column;
    const graze_q_kind *kinds = e->robot->column_kinds + at;
    switch (b->type) {
    case GRAZE_JOINT_PLANAR:
        for (int k = 0; k < 2; k++) add_slide(&m, column_of(e, false, at + k, kinds[k], p), 1);
        add_turn(&m, column_of(e, false, at + 2, kinds[2], p), 1);
        break;
    case GRAZE_JOINT_FLOATING:
        for (int k = 0; k < 3; k++) add_slide(&m, column_of(e, false, at + k, kinds[k], p), 1);
        add_rotation(&m, e->from + at + 3, e->to + at + 3);
        break;
    case GRAZE_JOINT_PRISMATIC:
        add_slide(&m, column_of(e, false, at, GRAZE_Q_LINE, p), fabs(b->multiplier));
        break;
    default:
        add_turn(&m, column_of(e, false, at, kinds[0], p), fabs(b->multiplier));
    }
    return m;
}

static gz_body_motion base_motion(const gz_edge *e, gz_span p) {
    gz_body_motion m = {0};
    double along[3];
    for (int k = 0; k < 3; k++) {
        column_motion c = column_of(e, true, k, GRAZE_Q_LINE, p);
        along[k] = c.change;
        add_slide(&m, c, 1);
    }
    for (int k = 3; k < 6; k++) add_turn(&m, column_of(e, true, k, GRAZE_Q_CIRCLE, p), 1);
    m.slide = fmin(m.slide, gz_norm(along) * (1 + 0x1p-50));
    return m;
}

static bool any_motion(const gz_body_motion *m) {
    return m->turn > 0 || m->slide > 0;
}

/// How the base moves, for an edge whose ends or control points are set.
static void set_base(gz_edge *e) {
    e->t0 = 0;
    e->t1 = 1;
    e->bodies[0] = base_motion(e, (gz_span){0, 1});
    e->has_root = false;
    e->base_moves = any_motion(&e->bodies[0]);
}

void gz_edge_find_motions(gz_edge *e) {
    const gz_span whole = {0, 1};
    e->varying[0] = 0;
    e->moves[0] = e->base_moves;
    for (int32_t i = 1; i < e->robot->body_count; i++) {
        const gz_body *b = &e->robot->bodies[i];
        e->bodies[i] = motion_of(e, b, whole);
        bool moves = any_motion(&e->bodies[i]);
        e->varying[i] = moves ? i : e->varying[b->parent];
        e->moves[i] = moves || e->moves[b->parent];
    }
}

void gz_edge_set(gz_edge *e, const double *from, const double *to, const double *from_base,
                 const double *to_base, graze_turn turn) {
    static const double identity[6] = {0};
    if (!from_base) from_base = identity;
    if (!to_base) to_base = from_base;
    e->from = from;
    e->to = to;
    e->turn = turn;
    e->q_curve = e->base_curve = (gz_curve){0};
    memcpy(e->from_base, from_base, sizeof e->from_base);
    memcpy(e->to_base, to_base, sizeof e->to_base);
    set_base(e);
}

void gz_edge_set_curve(gz_edge *e, const gz_curve *q, const gz_curve *base) {
    e->from = q->points;
    e->to = q->points + (size_t)q->degree * q->width;
    e->turn = GRAZE_TURN_AS_GIVEN;
    memcpy(e->from_base, base->points, sizeof e->from_base);
    memcpy(e->to_base, base->points + (size_t)base->degree * base->width, sizeof e->to_base);
    e->q_curve = *q;
    e->base_curve = *base;
    for (size_t k = 0; k < q->width; k++) gz_curve_range(q, k, &e->low[k], &e->high[k]);
    for (size_t k = 0; k < 6; k++) gz_curve_range(base, k, &e->base_low[k], &e->base_high[k]);
    set_base(e);
}

void gz_edge_narrow(gz_edge *e, double t0, double t1) {
    const gz_span p = {t0, t1};
    e->t0 = t0;
    e->t1 = t1;
    if (!e->q_curve.degree) return;
    if (e->base_moves) e->bodies[0] = base_motion(e, p);
    for (int32_t i = 1; i < e->robot->body_count; i++)
        if (e->varying[i] == i) e->bodies[i] = motion_of(e, &e->robot->bodies[i], p);
}

bool gz_edge_base_inside(const gz_edge *e, double t0, double t1, const double min[3],
                         const double max[3]) {
    for (size_t k = 0; k < 3; k++) {
        double low = e->base_low[k], high = e->base_high[k];
        double slack = low < high ? GZ_CURVE_SLACK * fmax(fabs(low), fabs(high)) : 0;
        if (low >= min[k] && high <= max[k]) continue; // all of the curve
        if (low < high) gz_curve_interval(&e->base_curve, k, t0, t1, &low, &high);
        if (!(low - slack >= min[k] && high + slack <= max[k])) return false;
    }
    return true;
}

void gz_base_between(const double *from, const double *to, graze_turn turn, double t, double *out) {
    for (int k = 0; k < 6; k++) {
        graze_q_kind kind = k < 3 ? GRAZE_Q_LINE : GRAZE_Q_CIRCLE;
        if (from[k] == to[k] || t == 0)
            out[k] = from[k];
        else if (t == 1)
            out[k] = to[k];
        else
            gz_column_between(kind, turn, &from[k], &to[k], t, &out[k]);
    }
}

void gz_edge_place(gz_edge *e, double t) {
    if (++e->stamp == 0) { // bounds of 2^32 places ago
        clear_stamps(e);
        e->stamp = 1;
    }
    if (!e->q_curve.degree) {
        gz_robot_between(e->robot, e->from, e->to, e->turn, t, e->q);
        gz_base_between(e->from_base, e->to_base, e->turn, t, e->base);
        return;
    }
    gz_curve_place(&e->q_curve, t, e->q);
    gz_curve_place(&e->base_curve, t, e->base);
}

const double *gz_edge_root(gz_edge *e) {
    if (!e->has_root) gz_pose_base(e->base, e->root, NULL);
    e->has_root = !e->base_moves;
    return e->root;
}

/// The greatest magnitude that a joint slides to on the edge.
static double greatest_slide(const gz_edge *e, const gz_body *b) {
    int count = b->type == GRAZE_JOINT_PLANAR      ? 2
                : b->type == GRAZE_JOINT_FLOATING  ? 3
                : b->type == GRAZE_JOINT_PRISMATIC ? 1
                                                   : 0;
    double sum = 0;
    const double *low = e->q_curve.degree ? e->low : e->from;
    const double *high = e->q_curve.degree ? e->high : e->to;
    for (int k = 0; k < count && b->column >= 0; k++)
        sum += fmax(fabs(low[b->column + k]), fabs(high[b->column + k]));
    if (b->type == GRAZE_JOINT_PRISMATIC) return fabs(b->multiplier) * sum + fabs(b->offset);
    return sum;
}

double gz_edge_radius(const gz_edge *e) {
    double far = e->static_radius;
    for (int32_t i = 1; i < e->robot->body_count; i++)
        far += greatest_slide(e, &e->robot->bodies[i]);
    return far * e->stretch * (1 + 0x1p-20);
}

// ------------------------------------------------------------------------------------- the bound

static double turned_by(const gz_body_motion *m, double half) {
    return m->turn > 0 ? m->turn * half + m->turn_slack : 0;
}

static double slid_by(const gz_body_motion *m, double half) {
    return m->slide > 0 ? m->slide * half + m->slide_slack : 0;
}

/// The axis of a body's joint where it is posed.
static const double *posed_axis(gz_edge *e, const double *pose, int32_t body) {
    double *axis = e->axes[body];
    if (e->axis_stamps[body] == e->stamp) return axis;
    gz_transform_rotate(pose, e->robot->bodies[body].axis, axis);
    double scale = 1 / gz_norm(axis);
    for (int k = 0; k < 3; k++) axis[k] *= scale;
    e->axis_stamps[body] = e->stamp;
    return axis;
}

/// The greatest distance of a posed link's points from the axis of a body's joint, or, where that
/// turns about any axis, from the body's origin.
static double radius_about(gz_edge *e, const graze_workspace *ws, int32_t body, int32_t link) {
    const gz_body *b = &e->robot->bodies[body];
    const double *pose = ws->bodies[body], on[3] = {pose[3], pose[7], pose[11]};
    double from[3], cross[3];
    gz_subtract(ws->centers[link], on, from);
    double far = gz_norm(from), ball = ws->radii[link], distance = far;
    if (body > 0 && b->type != GRAZE_JOINT_FLOATING) {
        gz_cross(posed_axis(e, pose, body), from, cross);
        distance = gz_norm(cross) * ROUND_UP;
        if (e->robot->links[link].body == body)
            return fmin(distance + ball, e->own_radius[link]) + e->point_error;
    }
    return distance + ball + (e->point_error + e->turn_error * (far + ball));
}

bool gz_edge_moves(const gz_edge *e, int32_t a, int32_t b) {
    const gz_link *links = e->robot->links;
    if (a < 0) return e->moves[links[b].body];
    return e->varying[links[a].body] != e->varying[links[b].body];
}

double gz_edge_link_bound(gz_edge *e, const graze_workspace *ws, int32_t link, double half) {
    if (e->stamps[link] == e->stamp) return e->link_bounds[link];
    double sum = 0;
    int32_t body = e->varying[e->robot->links[link].body];
    for (; body > 0; body = e->varying[e->robot->bodies[body].parent]) {
        const gz_body_motion *m = &e->bodies[body];
        sum += slid_by(m, half);
        double chord = fmin(turned_by(m, half), 2);
        if (chord > 0) sum += chord * radius_about(e, ws, body, link);
    }
    e->stamps[link] = e->stamp;
    return e->link_bounds[link] = sum * e->stretch;
}

double gz_edge_world_bound(gz_edge *e, const graze_workspace *ws, int32_t link, double half) {
    double sum = gz_edge_link_bound(e, ws, link, half);
    if (!e->base_moves) return sum;
    const gz_body_motion *m = &e->bodies[0];
    return sum + e->stretch * (slid_by(m, half) +
                               fmin(turned_by(m, half), 2) * radius_about(e, ws, 0, link));
}

double gz_edge_table_bound(const gz_edge *e, const gz_pair_table *t, double half) {
    double widths[2] = {0, 0};
    for (int k = 0; k < 2 && t->columns[k] >= 0; k++) {
        int32_t column = t->columns[k];
        const column_motion c = column_of(e, false, column, e->robot->column_kinds[column],
                                          (gz_span){e->t0, e->t1});
        if (c.change > 0) widths[k] = c.change * half + c.slack;
    }
    return GZ_PAIR_TABLE_UNIT * gz_pair_table_within(t, e->q, widths);
}

double gz_edge_pair_bound(gz_edge *e, const graze_workspace *ws, int32_t a, int32_t b,
                          double half) {
    const gz_link *links = e->robot->links;
    gz_path_joint *path = e->path;
    int32_t count = gz_motion_path(e->robot, e->varying, links[a].body, links[b].body, path);
    for (int32_t i = 0; i < count; i++) {
        const gz_body_motion *m = &e->bodies[path[i].body];
        path[i].slide = slid_by(m, half);
        path[i].chord = fmin(turned_by(m, half), 2);
        if (!(path[i].chord > 0)) continue;
        path[i].radius[0] = radius_about(e, ws, path[i].body, a);
        path[i].radius[1] = radius_about(e, ws, path[i].body, b);
    }
    return gz_motion_sum(path, count) * e->stretch;
}
