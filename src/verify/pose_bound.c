#include "verify/pose_bound.h"

#include <math.h>

#include "verify/verify_memory.h"

// A forward error analysis, coarser than the engine's and derived without it. With u = 2^-53, for a
// computed rotation R' and translation t' of a link,
//
//     rotation >= |R' - R|,   translation >= |t' - t|,   stretch >= |R|, |R^-1|.
//
// A product of two rotations rounds 9 sums of 3 products of entries at most 1: below 3 * 3 u each
// in norm, 9 u. Sine and cosine are a few units each, four times in a rotation; Rodrigues' formula
// has three products and two sums an entry; an axis that was normalised in doubles is a direction
// up to 4 u, which enters six times: 64 u hold all of it where the axis is a coordinate direction,
// 128 u where it is not, and for planes and quaternions. A sum in the domain of size D rounds each
// coordinate by u D. What is of second order is held by SLACK.
//
// The bounds themselves are computed in doubles: sums, products and roots of numbers that are not
// negative, each of which rounds by a relative u. What subtracts has terms of its own for that
// (skew_of, value_error). n operations are off by less than 2 n u, below SLACK for n < 2^41: more
// than a dump of the largest size takes for a link. So no rounding makes a bound too small.
#define U          0x1p-53
#define PRODUCT    (16 * U)
#define MOTION     (64 * U)
#define SKEW_AXIS  (128 * U)
#define SLACK      (1 + 0x1p-10)
#define SNAP       0x1p-98 // coordinates below 2^-100 become 0
#define ANGLE_MAX  0x1p20  // of the contract
#define BEYOND     1.0     // beyond their limits values have bounds, rad or m
#define CHAIN_MOST 1000

static double length_of(const double *v, size_t stride) {
    return sqrt(v[0] * v[0] + v[stride] * v[stride] + v[2 * stride] * v[2 * stride]);
}

/// |O^T O - I|, rounded up.
static double skew_of(const double m[12]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = m[i] * m[j] + m[4 + i] * m[4 + j] + m[8 + i] * m[8 + j];
            sum += (dot - (i == j)) * (dot - (i == j));
        }
    }
    return sqrt(sum) + 64 * U;
}

static bool is_coordinate_axis(const double a[3]) {
    return (a[0] != 0) + (a[1] != 0) + (a[2] != 0) == 1;
}

/// The most that a slide can be long where both its ends are in the domain.
static double slide_most(const gz_dump_scene *s, double stretch) {
    return 2 * sqrt(3) * s->domain * stretch * SLACK;
}

/// The value of a joint of one number, along its chain of mimics, off by at most value_error().
static double value_at(const gz_dump_scene *s, const gz_dump_joint *joint, const double *q) {
    double offset = 0, factor = 1;
    for (int steps = 0; joint->mimic >= 0 && steps < CHAIN_MOST; steps++) {
        offset += factor * joint->offset;
        factor *= joint->multiplier;
        joint = &s->joints[joint->mimic];
    }
    return joint->column >= 0 ? factor * q[joint->column] + offset : offset;
}

/// The rounding of a value along a chain of mimics: each of its links multiplies and adds,
/// whichever way the factors are composed.
static double value_error(const gz_dump_scene *s, const gz_dump_joint *joint, double most) {
    double sum = 0, factor = 1;
    int steps = 0;
    for (const gz_dump_joint *j = joint; j->mimic >= 0 && steps < CHAIN_MOST; steps++) {
        sum += factor * fabs(j->offset);
        factor *= fabs(j->multiplier);
        j = &s->joints[j->mimic];
    }
    return steps == 0 ? 0 : 4 * (steps + 1) * U * (most + sum);
}

/// The magnitude up to which a joint's value has a bound; at a q what it is there.
static double value_most(const gz_dump_scene *s, const gz_dump_joint *j, const double *q) {
    bool slides = j->type == GZ_DUMP_PRISMATIC, turns = j->type == GZ_DUMP_REVOLUTE;
    if (q != NULL && (slides || turns || j->type == GZ_DUMP_CONTINUOUS)) {
        double value = fabs(value_at(s, j, q));
        return (value + value_error(s, j, value)) * SLACK;
    }
    if (j->limited && (slides || (turns && j->mimic >= 0)))
        return fmax(fabs(j->lower), fabs(j->upper)) + BEYOND;
    return ANGLE_MAX;
}

/// Follows a fixed joint: the fold composes it with what is in front of it.
static void follow_fixed(gz_link_bound *out, const gz_link_bound *parent, double move,
                         double skew) {
    out->stretch = parent->stretch * (1 + skew);
    out->rotation = parent->rotation * (1 + skew) + 2 * PRODUCT * out->stretch;
    out->folded = parent->folded + move * (1 + skew);
    out->translation = parent->translation + (parent->rotation + 8 * U * out->stretch) * move +
                       8 * U * out->folded * out->stretch;
}

static void follow_moving(gz_link_bound *out, const gz_dump_scene *s, const gz_link_bound *parent,
                          const gz_dump_joint *j, const double *q) {
    double skew = skew_of(j->origin), origin = length_of(j->origin + 3, 4), move = origin;
    double most = value_most(s, j, q), wrong = value_error(s, j, most), shift = 0;
    bool slides = j->type == GZ_DUMP_PRISMATIC;
    double motion = j->type == GZ_DUMP_FLOATING || !is_coordinate_axis(j->axis) ? SKEW_AXIS
                                                                                : MOTION;
    out->stretch = parent->stretch * (1 + skew);
    out->rotation = parent->rotation * (1 + skew) +
                    (motion + 2 * PRODUCT + (slides ? 0 : 2 * wrong)) * out->stretch;
    if (slides && (j->limited || q != NULL)) {
        shift = most;
        move += (1 + skew) * most;
    } else if (slides || j->type == GZ_DUMP_PLANAR || j->type == GZ_DUMP_FLOATING) {
        move = slide_most(s, parent->stretch) + origin;
        shift = (1 + skew) * move;
    }
    double own = (2 * SKEW_AXIS + parent->rotation) * shift + 4 * U * move;
    if (slides) own += 2 * wrong;
    // Where the fold before it has rounded the origin, too.
    own += 8 * U * (parent->folded + origin);
    out->translation = parent->translation + (parent->rotation + 8 * U * out->stretch) * move +
                       own * out->stretch + sqrt(3) * U * s->domain;
    out->folded = 0;
}

/// The bounds of all links of the tree.
static void follow_tree(gz_link_bound *links, const gz_dump_scene *s, const int32_t *order,
                        const double *q) {
    links[s->root] = (gz_link_bound){.rotation = 2 * MOTION, .stretch = 1};
    for (size_t i = 0; i < s->joint_count; i++) {
        const gz_dump_joint *j = &s->joints[order[i]];
        gz_link_bound *out = &links[j->child];
        if (j->type == GZ_DUMP_FIXED)
            follow_fixed(out, &links[j->parent], length_of(j->origin + 3, 4), skew_of(j->origin));
        else
            follow_moving(out, s, &links[j->parent], j, q);
    }
}

// -------------------------------------------------------------------------------------- the shapes

/// A length that no point of a shape is beyond, whichever ball or box the engine keeps of it.
static double span_of(const gz_dump_element *e) {
    double most[3] = {0, 0, 0};
    for (size_t i = 0; i < e->point_count; i++)
        for (int k = 0; k < 3; k++) most[k] = fmax(most[k], fabs(e->points[i][k]));
    double largest = fmax(most[0], fmax(most[1], most[2]));
    return sqrt(3) * largest;
}

/// How far the rims of a cylinder are off where its ends are, seen from each other, by `apart`.
static double rims_error(const gz_dump_element *e, double apart) {
    if (e->shape != GZ_DUMP_CYLINDER || e->point_count < 2) return 0;
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = e->points[1][k] - e->points[0][k];
    double length = length_of(axis, 1);
    return length > 0 ? fmin(2 * e->radius * apart / length, e->radius) : e->radius;
}

/// fl(R v + t): the products and sums, each coordinate's last sum, and the snap to 0.
static double apply_error(double span, double largest) {
    return 8 * U * span + sqrt(3) * U * largest + SNAP;
}

static double link_error(const gz_dump_scene *s, const gz_dump_body *body,
                         const gz_link_bound *at) {
    double most = 0;
    for (size_t i = 0; i < body->element_count; i++) {
        const gz_dump_element *e = &body->elements[i];
        double span = span_of(e), apply = apply_error(span * at->stretch, s->domain);
        double apart = 2 * at->rotation * span + 2 * apply;
        most = fmax(most, at->translation + at->rotation * span + apply + rims_error(e, apart));
    }
    return most * SLACK;
}

static double object_error(const gz_dump_body *body) {
    double most = 0, shift = length_of(body->pose + 3, 4);
    for (size_t i = 0; i < body->element_count; i++) {
        const gz_dump_element *e = &body->elements[i];
        double largest = (span_of(e) + shift + e->radius) * SLACK;
        double error = apply_error(sqrt(3) * largest + shift, largest);
        most = fmax(most, error + rims_error(e, 2 * error));
    }
    return most * SLACK;
}

/// The bounds of all links with geometry, over the domain or at a q.
static void bound_links(double *out, const gz_pose_bounds *b, const gz_dump_scene *s,
                        const int32_t *order, const double *q) {
    follow_tree(b->tree, s, order, q);
    for (size_t i = 0; i < s->link_count; i++)
        out[i] = link_error(s, &s->bodies[i], &b->tree[s->frames[s->bodies[i].frame]]);
}

bool gz_pose_bounds_make(gz_pose_bounds *bounds, const gz_dump_scene *s, const int32_t *order) {
    *bounds = (gz_pose_bounds){.stated = gz_verify_calloc(s->link_count, sizeof(double)),
                               .possible = gz_verify_calloc(s->link_count, sizeof(double)),
                               .tree = gz_verify_calloc(s->tree_size, sizeof *bounds->tree)};
    if (bounds->tree == NULL || bounds->stated == NULL || bounds->possible == NULL) return false;
    double robot = 0, world = 0;
    bound_links(bounds->stated, bounds, s, order, NULL);
    for (size_t i = 0; i < s->link_count; i++) robot = fmax(robot, bounds->stated[i]);
    for (size_t i = s->link_count; i < s->body_count; i++)
        world = fmax(world, object_error(&s->bodies[i]));
    bounds->epsilon = robot + fmax(robot, world);
    return true;
}

void gz_pose_bounds_follow(gz_pose_bounds *bounds, const gz_dump_scene *s, const int32_t *order,
                           const double *q) {
    bound_links(bounds->possible, bounds, s, order, q);
}

void gz_pose_bounds_free(gz_pose_bounds *bounds) {
    gz_verify_free(bounds->stated);
    gz_verify_free(bounds->possible);
    gz_verify_free(bounds->tree);
}
