// The distance of two links depends on the joints between them alone: in real arithmetic exactly,
// as computed up to the error of a pose. So every pair is taken over its own few numbers of q,
// with all others at rest, and only the bodies above the two links are posed.
#include "matrix/matrix_internal.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check/margin.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/motion_bound.h"
#include "math/transform.h"
#include "math/trigonometry.h"

// ------------------------------------------------------------------------------------ the limits

/// Narrows a range to where value = multiplier * x + offset of a joint is between two numbers.
static void clip(gz_matrix_variable *v, const gz_joint *joint, double lower, double upper) {
    double ends[2] = {(lower - joint->offset) / joint->multiplier,
                      (upper - joint->offset) / joint->multiplier};
    v->low = fmax(v->low, fmin(ends[0], ends[1]));
    v->high = fmin(v->high, fmax(ends[0], ends[1]));
}

/// Narrows a range by the limits of a joint that follows the column. What is left empty stays as it
/// is: such limits cannot all be kept.
static void narrow(gz_matrix_variable *v, const gz_joint *joint) {
    gz_matrix_variable narrower = *v;
    if (!joint->info.limited || joint->multiplier == 0) return;
    clip(&narrower, joint, joint->info.lower, joint->info.upper);
    if (narrower.low <= narrower.high) *v = narrower;
}

/// A column of a joint with one number: its limits, narrowed by those of all that follow it;
/// infinite where there are none.
static gz_matrix_variable variable_of(const graze_robot *r, int32_t column) {
    const gz_joint *own = &r->joints[r->column_joints[column]];
    gz_matrix_variable v = {.column = column, .low = -INFINITY, .high = INFINITY};
    if (own->info.limited) {
        v.low = own->info.lower;
        v.high = own->info.upper;
    }
    for (int32_t j = 0; j < r->joint_count; j++) {
        const gz_joint *other = &r->joints[j];
        if (other->column == column && other->info.mimic >= 0) narrow(&v, other);
    }
    return v;
}

/// The numbers of a column for which graze_check() takes the values of all joints that hang on it,
/// magnitudes of at most GZ_ANGLE_MAX, but for a little that is kept for rounding. Never empty: the
/// number at rest is one of them (prepare() in matrix.c).
static gz_matrix_variable allowed_of(const graze_robot *r, int32_t column, double rest) {
    gz_matrix_variable v = {.column = column, .low = -GZ_ANGLE_MAX, .high = GZ_ANGLE_MAX};
    for (int32_t j = 0; j < r->joint_count; j++) {
        const gz_joint *other = &r->joints[j];
        if (other->column != column || other->multiplier == 0) continue;
        double most = GZ_ANGLE_MAX * (1 - 0x1p-40) - 0x1p-50 * fabs(other->offset);
        clip(&v, other, -most, most);
    }
    v.low = fmin(v.low, rest);
    v.high = fmax(v.high, rest);
    return v;
}

/// Cuts a range to what graze_check() takes: beyond, there are neither poses nor verdicts. `whole`:
/// it holds all that the limits allow; else what is cut off is missing from a turn. Nothing is
/// claimed where something is missing, or nothing is left.
static void cut_range(gz_matrix_pair *p, const graze_robot *r, gz_matrix_variable *v, bool whole,
                      double rest) {
    gz_matrix_variable allowed = allowed_of(r, v->column, rest);
    if (v->low >= allowed.low && v->high <= allowed.high) return;
    v->low = fmax(v->low, allowed.low);
    v->high = fmin(v->high, allowed.high);
    bool empty = !(v->low <= v->high);
    if (empty) v->low = v->high = rest;
    if (empty || !whole) p->unbounded = true;
}

/// Only where each joint turns by a whole number of turns. A slide, or a wheel of half the rate,
/// goes on. (Rates are those that poses are computed with, mimic chains resolved.)
bool gz_matrix_comes_round(const gz_matrix_pair *p, int32_t variable) {
    for (int32_t s = 0; s < p->step_count; s++) {
        const gz_matrix_step *step = &p->steps[s];
        if (step->variable == variable && !(step->turns && step->rate == floor(step->rate)))
            return false;
    }
    return true;
}

/// Numbers without limits, once all steps are known: one turn holds all there is of what comes
/// round; of what does not nothing is claimed, and the range only limits where contacts are
/// searched.
static void close_ranges(gz_matrix_pair *p, const graze_robot *r, const double *rest) {
    for (int32_t i = 0; i < p->variable_count; i++) {
        gz_matrix_variable *v = &p->variables[i];
        const graze_joint_info *own = &r->joints[r->column_joints[v->column]].info;
        if (own->q_count != 1) continue; // add_free() has set it
        bool known = v->low <= v->high && isfinite(v->low) && isfinite(v->high);
        bool round = gz_matrix_comes_round(p, i);
        bool whole = known && (own->limited || !round || v->high - v->low <= 2 * M_PI);
        if (!whole) {
            double middle = known ? v->low / 2 + v->high / 2 : 0;
            double half = own->type == GRAZE_JOINT_PRISMATIC ? 1 : M_PI;
            if (!round) p->unbounded = true;
            v->low = middle - half;
            v->high = middle + half;
        }
        cut_range(p, r, v, whole, rest[v->column]);
    }
}

// -------------------------------------------------------------------------------------- the path

static int32_t depth_of(const graze_robot *r, int32_t body) {
    int32_t depth = 0;
    for (; r->bodies[body].parent >= 0; body = r->bodies[body].parent) depth++;
    return depth;
}

static void add_variable(gz_matrix_pair *p, const graze_robot *r, int32_t column) {
    for (int32_t i = 0; i < p->variable_count; i++)
        if (p->variables[i].column == column) return;
    p->variables[p->variable_count++] = variable_of(r, column);
}

/// Planar and floating joints have no limits.
static void add_free(gz_matrix_pair *p, int32_t column, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        bool angle = count == 3 && k == 2;
        p->variables[p->variable_count++] = (gz_matrix_variable){
            .column = column + k, .low = angle ? -M_PI : -1, .high = angle ? M_PI : 1};
    }
    p->unbounded = true;
}

static void add_step(gz_matrix_pair *p, const graze_robot *r, int32_t body) {
    const gz_body *b = &r->bodies[body];
    if (b->type == GRAZE_JOINT_PLANAR || b->type == GRAZE_JOINT_FLOATING) {
        add_free(p, b->column, b->type == GRAZE_JOINT_PLANAR ? 3 : 7);
        p->steps[p->step_count++] = (gz_matrix_step){.body = body};
        return;
    }
    if (b->column < 0 || b->multiplier == 0) return; // it follows a joint that does not move
    add_variable(p, r, b->column);
    p->steps[p->step_count++] = (gz_matrix_step){.body = body,
                                                 .variable = b->column,
                                                 .turns = b->type != GRAZE_JOINT_PRISMATIC,
                                                 .rate = fabs(b->multiplier)};
}

static void sort_variables(gz_matrix_pair *p) {
    for (int32_t i = 1; i < p->variable_count; i++) {
        gz_matrix_variable v = p->variables[i];
        int32_t at = i;
        for (; at > 0 && p->variables[at - 1].column > v.column; at--)
            p->variables[at] = p->variables[at - 1];
        p->variables[at] = v;
    }
    // Steps name columns so far.
    for (int32_t s = 0; s < p->step_count; s++) {
        int32_t at = 0;
        while (at + 1 < p->variable_count && p->variables[at].column != p->steps[s].variable) at++;
        p->steps[s].variable = at;
    }
}

/// The bodies from the root's children down to both links', each once; ascending numbers have
/// parents first.
static void list_bodies(gz_matrix_pair *p, const graze_robot *r, int32_t body_a, int32_t body_b) {
    int32_t x = body_a, y = body_b;
    while (x > 0 || y > 0) {
        int32_t top = x > y ? x : y;
        p->bodies[p->body_count++] = top;
        if (x == top) x = r->bodies[x].parent;
        if (y == top) y = r->bodies[y].parent;
    }
    for (int32_t i = 0; i < p->body_count / 2; i++) {
        int32_t other = p->bodies[i];
        p->bodies[i] = p->bodies[p->body_count - 1 - i];
        p->bodies[p->body_count - 1 - i] = other;
    }
}

bool gz_matrix_pair_make(gz_matrix_pair *p, const graze_robot *r, const double *rest, int32_t a,
                         int32_t b) {
    *p = (gz_matrix_pair){.a = a, .b = b};
    p->radii = r->links[a].sphere.radius + r->links[b].sphere.radius;
    int32_t x = r->links[a].body, y = r->links[b].body;
    size_t most = (size_t)depth_of(r, x) + (size_t)depth_of(r, y);
    gz_path_joint *path = gz_malloc(most, sizeof *path);
    p->steps = gz_malloc(most, sizeof *p->steps);
    p->variables = gz_malloc(7 * most, sizeof *p->variables);
    p->bodies = gz_malloc(most, sizeof *p->bodies);
    bool ok = path && p->steps && p->variables && p->bodies;
    if (ok) {
        list_bodies(p, r, x, y);
        int32_t count = gz_motion_path(r, NULL, x, y, path);
        for (int32_t i = 0; i < count; i++) add_step(p, r, path[i].body);
        sort_variables(p);
        close_ranges(p, r, rest);
    }
    gz_free(path);
    return ok;
}

void gz_matrix_pair_free(gz_matrix_pair *p) {
    gz_free(p->steps);
    gz_free(p->variables);
    gz_free(p->bodies);
    *p = (gz_matrix_pair){0};
}

// ------------------------------------------------------------------------------------- the scratch

graze_status gz_matrix_scratch_make(gz_matrix_scratch *scratch, const graze_checker *checker,
                                    graze_error *error) {
    *scratch = (gz_matrix_scratch){.checker = checker};
    const graze_robot *r = checker->robot;
    scratch->rest = gz_malloc(3, r->column_count * sizeof *scratch->rest);
    if (!scratch->rest) return gz_fail_memory(error);
    scratch->q = scratch->rest + r->column_count;
    scratch->values = scratch->q + r->column_count;
    graze_status status = graze_workspace_create(&scratch->ws, checker, error);
    if (!status) status = gz_pose_base(NULL, scratch->base, error);
    if (status) return status;
    graze_robot_rest(r, scratch->rest);
    memcpy(scratch->q, scratch->rest, r->column_count * sizeof *scratch->q);
    return GRAZE_OK;
}

void gz_matrix_scratch_free(gz_matrix_scratch *scratch) {
    graze_workspace_free(scratch->ws);
    gz_free(scratch->rest);
    *scratch = (gz_matrix_scratch){0};
}

/// How far the link's geometry is from the origin, in any coordinate.
static double far_of(const gz_matrix_scratch *scratch, int32_t link) {
    const double *c = scratch->ws->centers[link];
    double radius = scratch->checker->robot->links[link].sphere.radius;
    return fmax(fabs(c[0]), fmax(fabs(c[1]), fabs(c[2]))) + radius;
}

void gz_matrix_pair_pose(gz_matrix_scratch *scratch, const gz_matrix_pair *p, const double *x) {
    const graze_robot *r = scratch->checker->robot;
    graze_workspace *ws = scratch->ws;
    // Back to rest, whatever the last pair was, then this pair's numbers.
    memcpy(scratch->q, scratch->rest, r->column_count * sizeof *scratch->q);
    for (int32_t i = 0; i < p->variable_count; i++) scratch->q[p->variables[i].column] = x[i];
    gz_pose_listed(r, scratch->q, scratch->base, p->bodies, (size_t)p->body_count, ws->bodies);
    const int32_t links[2] = {p->a, p->b};
    scratch->inside = scratch->valid = true;
    for (int k = 0; k < 2; k++) {
        gz_workspace_place_link(ws, links[k]);
        double far = far_of(scratch, links[k]);
        scratch->inside = scratch->inside && far <= scratch->checker->options.domain;
        scratch->valid = scratch->valid && far <= GZ_COORDINATE_MAX;
    }
    for (int32_t i = 0; i < p->body_count; i++)
        scratch->inside = scratch->inside && gz_transform_far(ws->bodies[p->bodies[i]]) <=
                                                 scratch->checker->options.domain;
    scratch->stats.configurations++;
}

static bool check(gz_matrix_scratch *scratch, const gz_matrix_pair *p, double margin,
                  gz_detail detail, graze_contact *contact) {
    if (!scratch->valid) return false;
    gz_check_pair pair = {.a = p->a, .b = p->b, .margin = margin};
    pair.threshold = gz_margin_threshold(margin, p->radii);
    return gz_link_pair_check(scratch->checker, scratch->ws, &pair, detail, contact,
                              &scratch->stats);
}

bool gz_matrix_pair_collides(gz_matrix_scratch *scratch, const gz_matrix_pair *p, double margin) {
    graze_contact contact;
    return check(scratch, p, margin, GZ_DETAIL_NONE, &contact);
}

bool gz_matrix_pair_contact(gz_matrix_scratch *scratch, const gz_matrix_pair *p, double margin,
                            double points[2][3], bool *found) {
    graze_contact contact;
    *found = false;
    if (!check(scratch, p, margin, GZ_DETAIL_PLACE, &contact)) return false;
    *found = contact.has_segment && !contact.contained;
    const int32_t links[2] = {p->a, p->b};
    for (int k = 0; k < 2 && *found; k++) {
        const double *pose = gz_link_pose(scratch->checker, scratch->ws, links[k]);
        const graze_vec3 *at = &contact.segment[k];
        double from[3] = {at->x - pose[3], at->y - pose[7], at->z - pose[11]};
        gz_transform_unrotate(pose, from, points[k]);
    }
    return true;
}

double gz_matrix_pair_gap(const gz_matrix_scratch *scratch, const gz_matrix_pair *p,
                          double points[2][3]) {
    double a[3], b[3], d[3];
    gz_transform_apply(gz_link_pose(scratch->checker, scratch->ws, p->a), points[0], a);
    gz_transform_apply(gz_link_pose(scratch->checker, scratch->ws, p->b), points[1], b);
    gz_subtract(a, b, d);
    return gz_norm(d);
}

double gz_matrix_pair_span(const gz_matrix_scratch *scratch, const gz_matrix_pair *p) {
    double d[3];
    gz_subtract(scratch->ws->centers[p->a], scratch->ws->centers[p->b], d);
    return gz_norm(d) + p->radii;
}

void gz_matrix_pair_configuration(const gz_matrix_scratch *scratch, double *q) {
    memcpy(q, scratch->q, scratch->checker->robot->column_count * sizeof *q);
}

uint64_t gz_matrix_scratch_work(const gz_matrix_scratch *scratch) {
    const graze_stats *s = &scratch->stats;
    // Weights are rough times on one machine; they only have to be the same everywhere.
    return s->configurations + s->geometry_pairs + s->node_tests / 4 + s->packet_tests / 8 +
           s->triangle_tests + 20 * s->exact_tests + 2 * s->shape_tests + 20 * s->containment_tests;
}
