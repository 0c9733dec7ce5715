// The bound. Count the joints on the path from link a to link b, 1 to n from a. Let q go from the
// middle c of a box to any other place in it, one joint at a time. Joint i turns all that is beyond
// it by an angle of at most t_i about its axis, or slides it by at most s_i, and changes nothing
// else. Seen from a all points of b move, by no more than s_i + min(t_i, 2) B_i, where B_i is the
// greatest distance of a point of b from the axis; seen from b those of a do, by no more than
// s_i + min(t_i, 2) A_i. The distance of the two changes by no more than the lesser, as it does not
// matter from where it is seen.
//
// B_i depends only on the joints between i and b, A_i on those between a and i, and the order of
// the steps is free. Choose k: move joints k, k-1, ..., 1 first, each with all joints between a and
// itself still as in c, then k+1, ..., n, each with all joints between itself and b still as in c.
// So every radius is one in c:
//
//     change <= sum s_i + min over k of (sum_{i<=k} min(t_i,2) A_i + sum_{i>k} min(t_i,2) B_i).
//
// A mimic joint is a joint of its own: distances depend on the pose alone, not on how it was
// reached. A path through q at given rates is a chain of such steps, as short as one likes, so that
// the bound with rates for s_i and t_i, and without the chord's 2, is one of the distance's rate.
//
// The radii. In one configuration they are read off the posed links (gz_motion_set_radii()). For a
// whole range of q (gz_motion_model): between two joints that vary the tree is rigid. The distances
// from the middle of b's bounding sphere to the frame of the last joint that varies, from there to
// the frame of the one before, and so on, never change; a joint that slides adds the most it can
// slide. By the triangle inequality their sum, up to the joint i, and from there to its axis, with
// the sphere's radius, bounds B_i for every q of the range. (The bound of Schwarzer, Saha and
// Latombe, "Adaptive dynamic collision checking for single and multiple articulated robots in
// complex environments", IEEE Transactions on Robotics 21 (2005), section IV, is this one with k =
// 0 and without chords.) These A_i never fall with i, and these B_i never rise: the best k takes
// the lesser of the two for every joint.
//
// What is computed in doubles stands for real numbers so:
//
// - One configuration: poses are off from real ones by rotations of at most E (the sum of
//   gz_pose_error.rotation of both bodies, which grows along the tree) and points by at most
//   epsilon. A distance from an axis: the point epsilon, the axis's own point epsilon, its
//   direction E times the distance between the two; doubled for what is of second order.
// - A whole range: each joint's frame is posed from the nearest body above it that varies, so a
//   length is off by a few units of 2^-53 of the lengths that are rigid between the two, per body;
//   2^-30 covers that, the sums, and what the axis's length is off by. Spheres grow by less than
//   the skew of their pose, which may be more where a body is attached.
// - Origins of joints as stored are rotations but for gz_pose_error.stretch: s bounds how they
//   lengthen and shorten. A chord in a joint's frame is at most s times as long in the world; the
//   distance of two sets, seen from another frame, is another by a factor of at most s. Over n
//   steps (both ways, a's and b's s multiplied) s^(2n+2) on the whole covers it.
#include "kinematics/motion_bound.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kinematics/forward_kinematics.h"
#include "math/transform.h"

#define ROUND_UP (1 + 0x1p-30)

// ---------------------------------------------------------------------------------------- the path

/// The nearest body at or above `body` whose joint counts; 0 for none.
static int32_t counted(const int32_t *varying, int32_t body) {
    return varying ? varying[body] : body;
}

int32_t gz_motion_path(const graze_robot *robot, const int32_t *varying, int32_t body_a,
                       int32_t body_b, gz_path_joint *path) {
    int32_t x = counted(varying, body_a), y = counted(varying, body_b), count = 0, first_of_b = 0;
    // Parents have lower numbers, so the higher of two is never above the other.
    for (int side = 0; side < 2; side++) {
        int32_t up = side ? y : x, other = side ? x : y;
        while (up != other) {
            if (up > other) {
                path[count++] = (gz_path_joint){.body = up, .on_b_side = side};
                up = counted(varying, robot->bodies[up].parent);
            } else {
                other = counted(varying, robot->bodies[other].parent);
            }
        }
        if (side == 0) first_of_b = count;
    }
    for (int32_t i = first_of_b, j = count - 1; i < j; i++, j--) {
        gz_path_joint swapped = path[i];
        path[i] = path[j];
        path[j] = swapped;
    }
    return count;
}

static double share_of(const gz_path_joint *joint, int link) {
    return joint->slide + (joint->chord > 0 ? joint->chord * joint->radius[link] : 0);
}

double gz_motion_sum(gz_path_joint *path, int32_t count) {
    // Joints from k on are seen from a: points of b move.
    double from_b = 0, sum = 0;
    for (int32_t i = count - 1; i >= 0; i--) {
        path[i].share = sum;
        sum += share_of(&path[i], 1);
    }
    double least = sum;
    int32_t best = 0;
    for (int32_t k = 1; k <= count; k++) {
        from_b += share_of(&path[k - 1], 0);
        if (from_b + path[k - 1].share >= least) continue;
        least = from_b + path[k - 1].share;
        best = k;
    }
    sum = 0;
    for (int32_t i = 0; i < count; i++) {
        path[i].share = share_of(&path[i], i >= best);
        sum += path[i].share;
    }
    return sum;
}

double gz_motion_stretch(const graze_robot *robot, int32_t a, int32_t b, int32_t count) {
    double whole = ROUND_UP, stretch = robot->bodies[robot->links[b].body].error.stretch;
    if (a >= 0) stretch *= robot->bodies[robot->links[a].body].error.stretch;
    for (int32_t i = 0; i < 2 * count + 2; i++) whole *= stretch;
    return whole;
}

/// The distance of a point from the line through `on` along the unit vector `axis`.
static double line_distance(const double on[3], const double axis[3], const double p[3]) {
    double from[3], cross[3];
    gz_subtract(p, on, from);
    gz_cross(axis, from, cross);
    return gz_norm(cross);
}

static double distance(const double a[3], const double b[3]) {
    double d[3];
    gz_subtract(a, b, d);
    return gz_norm(d);
}

// ------------------------------------------------------------------------ around one configuration

/// The greatest distance of a corner of a box from the line through `on` along `axis`.
static double box_radius(const graze_obb *box, const double on[3], const double axis[3]) {
    double from[3], middle[3], edges[3][3], most = 0;
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    gz_subtract(GZ_ARRAY3(box->center), on, from);
    gz_cross(axis, from, middle);
    for (int k = 0; k < 3; k++) gz_cross(axis, GZ_ARRAY3(box->axis[k]), edges[k]);
    for (int corner = 0; corner < 8; corner++) {
        double v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = middle[i];
            for (int k = 0; k < 3; k++)
                v[i] += (corner >> k & 1 ? half[k] : -half[k]) * edges[k][i];
        }
        most = fmax(most, gz_dot(v, v));
    }
    return sqrt(most);
}

void gz_motion_set_radii(const graze_robot *r, const double (*bodies)[12],
                         const gz_posed_link links[2], double epsilon, gz_path_joint *path,
                         int32_t count) {
    double turn = r->bodies[r->links[links[0].link].body].error.rotation +
                  r->bodies[r->links[links[1].link].body].error.rotation;
    for (int32_t i = 0; i < count; i++) {
        if (!(path[i].chord > 0)) continue;
        const double *pose = bodies[path[i].body], on[3] = {pose[3], pose[7], pose[11]};
        double axis[3];
        gz_transform_rotate(pose, r->bodies[path[i].body].axis, axis);
        double size = gz_norm(axis);
        for (int k = 0; k < 3; k++) axis[k] /= size;
        for (int k = 0; k < 2; k++) {
            const gz_posed_link *link = &links[k];
            double ball = r->links[link->link].sphere.radius;
            double far = distance(link->center, on) + ball;
            path[i].radius[k] = fmin(line_distance(on, axis, link->center) + ball,
                                     box_radius(link->box, on, axis)) +
                                (4 * epsilon + 2 * turn * far + link->error);
        }
    }
}

// --------------------------------------------------------------------------------- in a whole
// range

static int32_t column_count_of(const gz_body *b) {
    return b->type == GRAZE_JOINT_PLANAR ? 3 : b->type == GRAZE_JOINT_FLOATING ? 7 : 1;
}

static bool varies(const gz_body *b, const double *low, const double *high) {
    if (b->joint < 0 || b->column < 0) return false;
    int32_t count = column_count_of(b);
    if (count == 1 && b->multiplier == 0) return false;
    for (int32_t k = b->column; k < b->column + count; k++)
        if (low[k] < high[k]) return true;
    return false;
}

/// How many columns of a joint of several slide.
static int32_t slide_count_of(const gz_body *b) {
    return b->type == GRAZE_JOINT_PLANAR ? 2 : b->type == GRAZE_JOINT_FLOATING ? 3 : 0;
}

static double slide_range_of(const gz_body *b, const double *low, const double *high) {
    double sum = 0;
    if (b->type == GRAZE_JOINT_PRISMATIC)
        return fmax(fabs(b->multiplier * low[b->column] + b->offset),
                    fabs(b->multiplier * high[b->column] + b->offset));
    for (int32_t k = b->column; k < b->column + slide_count_of(b); k++)
        sum += fmax(fabs(low[k]), fabs(high[k]));
    return sum;
}

/// Poses a body in the frame of the nearest one at or above it that varies.
static void place_body(gz_motion_model *m, int32_t body, const double *low, const double *high) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const gz_body *b = &m->robot->bodies[body];
    double(*poses)[12] = m->poses;
    memcpy(poses[body], identity, sizeof identity);
    m->varying[body] = 0;
    if (body == 0) return;
    if (!varies(b, low, high)) {
        m->varying[body] = m->varying[b->parent];
        gz_pose_body(b, low, poses[b->parent], poses[body]);
        return;
    }
    m->varying[body] = body;
    gz_joint_frame *f = &m->frames[body];
    double pose[12];
    gz_transform_compose(poses[b->parent], b->origin, pose);
    gz_transform_rotate(pose, b->axis, f->axis);
    double size = gz_norm(f->axis);
    for (int i = 0; i < 3; i++) {
        f->origin[i] = pose[4 * i + 3];
        if (size > 0) f->axis[i] /= size;
    }
    f->slide_range = slide_range_of(b, low, high);
}

static void place_sphere(gz_motion_model *m, int32_t link) {
    const gz_link *l = &m->robot->links[link];
    double in_body[3];
    gz_transform_apply(l->in_body.m, GZ_ARRAY3(l->local.sphere.center), in_body);
    gz_transform_apply(m->poses[l->body], in_body, m->centers[link]);
    m->radii[link] = l->local.empty ? 0 : l->local.sphere.radius * (ROUND_UP + l->skew);
}

static void lay_out(gz_motion_model *m, gz_arena *arena) {
    size_t bodies = (size_t)m->robot->body_count, links = (size_t)m->robot->link_count;
    m->varying = gz_arena_array(arena, bodies, sizeof *m->varying);
    m->frames = gz_arena_array(arena, bodies, sizeof *m->frames);
    m->centers = gz_arena_array(arena, links, sizeof *m->centers);
    m->radii = gz_arena_array(arena, links, sizeof *m->radii);
    m->path = gz_arena_array(arena, bodies, sizeof *m->path);
    m->poses = gz_arena_array(arena, bodies, sizeof *m->poses);
}

graze_status gz_motion_model_make(gz_motion_model *m, const graze_robot *robot, const double *low,
                                  const double *high, graze_error *error) {
    gz_arena arena = {0};
    *m = (gz_motion_model){.robot = robot};
    lay_out(m, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    m->memory = arena.memory;
    lay_out(m, &arena);
    for (int32_t i = 0; i < robot->body_count; i++) place_body(m, i, low, high);
    for (int32_t i = 0; i < robot->link_count; i++) place_sphere(m, i);
    return GRAZE_OK;
}

void gz_motion_model_free(gz_motion_model *m) {
    gz_free(m->memory);
    *m = (gz_motion_model){0};
}

static int32_t path_between(const gz_motion_model *m, int32_t a, int32_t b) {
    const gz_link *links = m->robot->links;
    return gz_motion_path(m->robot, m->varying, a < 0 ? 0 : links[a].body, links[b].body, m->path);
}

bool gz_motion_moves(const gz_motion_model *m, int32_t a, int32_t b) {
    return path_between(m, a, b) > 0;
}

/// Sets how far a joint slides, and returns by which angle it turns, while each column changes by
/// its number in `half`.
static double set_motion(const graze_robot *robot, const double *half, gz_path_joint *joint) {
    const gz_body *b = &robot->bodies[joint->body];
    int32_t slides = slide_count_of(b);
    joint->slide = 0;
    for (int32_t k = b->column; k < b->column + slides; k++) joint->slide += half[k];
    if (b->type == GRAZE_JOINT_FLOATING) return 0;
    if (b->type == GRAZE_JOINT_PLANAR) return half[b->column + slides];
    double change = fabs(b->multiplier) * half[b->column];
    if (b->type != GRAZE_JOINT_PRISMATIC) return change;
    joint->slide = change;
    return 0;
}

/// Sets the radii of one link's points about the axes of the path. From the child's side an axis
/// goes through the origin of the child's frame; from the parent's it may have slid away from the
/// joint's.
static void set_range_radii(const gz_motion_model *m, int32_t count, int side, int32_t link) {
    static const double zero[3] = {0};
    const double *near = m->centers[link];
    double sum = m->radii[link];
    for (int32_t i = 0; i < count; i++) {
        gz_path_joint *j = &m->path[side ? count - 1 - i : i];
        const gz_joint_frame *f = &m->frames[j->body];
        bool from_child = j->on_b_side == (side == 1);
        const double *on = from_child ? zero : f->origin;
        const double *axis = from_child ? m->robot->bodies[j->body].axis : f->axis;
        j->radius[side] = sum + (from_child ? 0 : f->slide_range) + line_distance(on, axis, near);
        sum += f->slide_range + distance(on, near);
        near = from_child ? f->origin : zero;
    }
}

/// The bound where a point at 1 m from an axis moves by no more than `most_chord`.
static double bound(const gz_motion_model *m, int32_t a, int32_t b, const double *half,
                    double most_chord, double *turned) {
    gz_path_joint *path = m->path;
    int32_t count = path_between(m, a, b);
    double angles = 0;
    for (int32_t i = 0; i < count; i++) {
        double angle = set_motion(m->robot, half, &path[i]);
        path[i].chord = fmin(angle, most_chord);
        path[i].radius[0] = INFINITY; // the world has points anywhere
        angles += angle;
    }
    if (a >= 0) set_range_radii(m, count, 0, a);
    set_range_radii(m, count, 1, b);
    if (turned) *turned = angles * ROUND_UP;
    double sum = gz_motion_sum(path, count);
    return sum > 0 ? sum * gz_motion_stretch(m->robot, a, b, count) : 0;
}

double gz_motion_bound(const gz_motion_model *m, int32_t a, int32_t b, const double *half,
                       double *turned) {
    return bound(m, a, b, half, 2, turned);
}

double gz_motion_rate(const gz_motion_model *m, int32_t a, int32_t b, const double *rates) {
    return bound(m, a, b, rates, INFINITY, NULL);
}
