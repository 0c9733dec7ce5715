// A joint that turns by an angle t moves every point beyond it by at most t times the point's
// distance from the axis; one that slides by s moves it by s. Seen from link a, all points of link
// b move by no more than the sum over the joints between the two that the column drives (mimic
// joints are such joints with a factor), and so their distance changes by no more. This holds
// wherever the other joints are, if the distances from the axes do.
//
// How far can a point of link b be from the axis of a joint above it? Between two joints that move
// the tree is rigid, so the distance from the axis to the next joint's frame, from that one's child
// to the frame of the one behind it, and so on to the centre of b's bounding sphere never change; a
// joint that slides adds the longest way within its limits. By the triangle inequality their sum
// with the sphere's radius bounds the distance. Planar and floating joints stay at rest, and are
// rigid.
//
// The lengths are computed once, at rest, by the same forward kinematics as the check; their errors
// are below the epsilon that the sweep adds anyway. SLACK covers the rounding of the sums: some
// tens of operations of relative error 2^-53 on positive numbers. (The bound is that of Schwarzer,
// Saha and Latombe, Adaptive dynamic collision checking (2005), section 4.)
#include "lint/audit_reach.h"

#include <math.h>

#include "base/memory.h"
#include "math/transform.h"

#define SLACK (1 + 0x1p-30)

static double distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(gz_dot(d, d));
}

static double distance_from_axis(const double on[3], const double axis[3], const double p[3]) {
    double d[3] = {p[0] - on[0], p[1] - on[1], p[2] - on[2]}, c[3];
    gz_cross(axis, d, c);
    return sqrt(gz_dot(c, c));
}

static bool turns(const gz_joint *joint) {
    return joint->info.type == GRAZE_JOINT_REVOLUTE || joint->info.type == GRAZE_JOINT_CONTINUOUS;
}

static bool slides(const gz_joint *joint) {
    return joint->info.type == GRAZE_JOINT_PRISMATIC;
}

bool gz_audit_moves(const graze_robot *robot, int32_t joint) {
    const gz_joint *j = &robot->joints[joint];
    return (turns(j) || slides(j)) && j->column >= 0;
}

/// The longest way of a sliding joint from where its frame is. A mimic joint goes wherever its
/// master takes it.
static double longest_way(const graze_robot *robot, const gz_joint *joint) {
    if (!slides(joint)) return 0;
    if (joint->column < 0) return fabs(joint->offset);
    int32_t master = graze_robot_q_joint(robot, (size_t)joint->column);
    const graze_joint_info *m = &robot->joints[master].info;
    // A slide that follows an endless turn is sampled over one turn each way.
    double low = m->limited ? m->lower : -M_PI, high = m->limited ? m->upper : M_PI;
    if (!m->limited && m->type == GRAZE_JOINT_PRISMATIC) return INFINITY;
    return fmax(fabs(joint->multiplier * low + joint->offset),
                fabs(joint->multiplier * high + joint->offset));
}

static void place_joint(gz_audit_reach *r, int32_t at, const graze_transform *links) {
    const gz_joint *joint = &r->robot->joints[at];
    double frame[12];
    gz_transform_compose(links[joint->info.parent].m, joint->info.origin.m, frame);
    const double axis[3] = {joint->info.axis.x, joint->info.axis.y, joint->info.axis.z};
    gz_transform_rotate(frame, axis, r->axes[at]);
    double length = sqrt(gz_dot(r->axes[at], r->axes[at]));
    for (int i = 0; i < 3; i++) {
        r->before[at][i] = frame[4 * i + 3];
        r->after[at][i] = links[joint->info.child].m[4 * i + 3];
        if (length > 0) r->axes[at][i] /= length;
    }
    r->travels[at] = longest_way(r->robot, joint);
}

graze_status gz_audit_reach_make(gz_audit_reach *r, const graze_robot *robot, const double *rest,
                                 graze_error *error) {
    size_t joints = (size_t)robot->joint_count, links = (size_t)robot->link_count;
    *r = (gz_audit_reach){.robot = robot};
    graze_transform *poses = gz_malloc(links, sizeof *poses);
    r->before = gz_malloc(joints, sizeof *r->before);
    r->after = gz_malloc(joints, sizeof *r->after);
    r->axes = gz_malloc(joints, sizeof *r->axes);
    r->centers = gz_malloc(links, sizeof *r->centers);
    r->travels = gz_malloc(joints, sizeof *r->travels);
    bool good = poses && r->before && r->after && r->axes && r->centers && r->travels;
    graze_status status = good ? GRAZE_OK : gz_fail_memory(error);
    if (!status)
        status = graze_robot_pose(robot, rest, graze_robot_q_size(robot), NULL, poses, error);
    for (int32_t i = 0; !status && i < robot->joint_count; i++) place_joint(r, i, poses);
    for (size_t i = 0; !status && i < links; i++) {
        const graze_vec3 c = robot->links[i].local.sphere.center;
        gz_transform_apply(poses[i].m, (double[3]){c.x, c.y, c.z}, r->centers[i]);
    }
    gz_free(poses);
    return status;
}

void gz_audit_reach_free(gz_audit_reach *r) {
    gz_free(r->before);
    gz_free(r->after);
    gz_free(r->axes);
    gz_free(r->centers);
    gz_free(r->travels);
    *r = (gz_audit_reach){0};
}

static int32_t parent_link(const graze_robot *robot, int32_t link) {
    int32_t joint = robot->links[link].parent_joint;
    return joint < 0 ? -1 : robot->joints[joint].info.parent;
}

/// The rates that the joints between `link` and its ancestor `top` add, as seen from `top`.
static double rate_below(const gz_audit_reach *r, int32_t column, int32_t top, int32_t link) {
    const graze_robot *robot = r->robot;
    // Going up, `next` is the frame behind, and `beyond` what lies between it and the link's end.
    const double *next = r->centers[link];
    double beyond = robot->links[link].local.sphere.radius, rate = 0;
    for (int32_t at = link; at != top;) {
        int32_t number = robot->links[at].parent_joint;
        const gz_joint *joint = &robot->joints[number];
        at = joint->info.parent;
        if (!gz_audit_moves(robot, number)) continue; // rigid
        double factor = fabs(joint->multiplier);
        if (joint->column == column && slides(joint)) rate += factor;
        if (joint->column == column && turns(joint))
            rate += factor * (distance_from_axis(r->after[number], r->axes[number], next) + beyond);
        beyond += distance(r->after[number], next) + r->travels[number];
        next = r->before[number];
    }
    return rate;
}

/// Where the ways from two links to the root meet: lift both to one depth, then together.
static int32_t meeting_link(const graze_robot *robot, int32_t a, int32_t b) {
    int32_t depth_a = 0, depth_b = 0, top_a = a, top_b = b;
    for (int32_t i = a; i >= 0; i = parent_link(robot, i)) depth_a++;
    for (int32_t i = b; i >= 0; i = parent_link(robot, i)) depth_b++;
    for (; depth_a > depth_b; depth_a--) top_a = parent_link(robot, top_a);
    for (; depth_b > depth_a; depth_b--) top_b = parent_link(robot, top_b);
    while (top_a != top_b) {
        top_a = parent_link(robot, top_a);
        top_b = parent_link(robot, top_b);
    }
    return top_a;
}

double gz_audit_reach_rate(const gz_audit_reach *r, int32_t column, int32_t a, int32_t b) {
    const graze_robot *robot = r->robot;
    if (robot->links[a].body == robot->links[b].body) return 0;
    int32_t top = meeting_link(robot, a, b);
    return (rate_below(r, column, top, a) + rate_below(r, column, top, b)) * SLACK;
}

int32_t gz_audit_reach_drift(const graze_robot *robot, int32_t column, int32_t a, int32_t b) {
    const int32_t ends[2] = {a, b}, top = meeting_link(robot, a, b);
    for (int k = 0; k < 2; k++) {
        for (int32_t at = ends[k]; at != top; at = parent_link(robot, at)) {
            int32_t number = robot->links[at].parent_joint;
            const gz_joint *joint = &robot->joints[number];
            if (joint->column != column || joint->multiplier == 0) continue;
            bool whole = turns(joint) && joint->multiplier == floor(joint->multiplier);
            if (!whole && (turns(joint) || slides(joint))) return number;
        }
    }
    return -1;
}
