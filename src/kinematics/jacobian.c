// The geometric Jacobian of a point on a link.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/space.h"
#include "math/transform.h"

/// What a joint's motion is written into, and where the joint stands in the world.
typedef struct mover {
    double *jacobian; ///< six rows, or one: of the point's velocity along a direction
    size_t columns;
    const double *direction; ///< NULL: all six rows
    double point[3];
    double joint[12]; ///< the joint's frame
    double child[3];  ///< origin of the frame of the body that it moves
} mover;

/// A joint that moves the point with the velocity v, and turns with w, at a rate of 1.
static void add_motion(const mover *m, int32_t column, const double v[3], const double w[3],
                       double rate) {
    double *to = m->jacobian + column;
    if (m->direction) {
        *to += rate * gz_dot(m->direction, v);
        return;
    }
    for (size_t k = 0; k < 3; k++) {
        to[k * m->columns] += rate * v[k];
        to[(k + 3) * m->columns] += rate * w[k];
    }
}

static void add_slide(mover *m, int32_t column, const double direction[3], double rate) {
    static const double none[3];
    double d[3];
    gz_transform_rotate(m->joint, direction, d);
    add_motion(m, column, d, none, rate);
}

/// A turn about an axis (in the joint's frame) through a point of the world.
static void add_turn(mover *m, int32_t column, const double axis[3], const double through[3],
                     double rate) {
    double w[3], arm[3], v[3];
    gz_transform_rotate(m->joint, axis, w);
    for (int k = 0; k < 3; k++) arm[k] = m->point[k] - through[k];
    gz_cross(w, arm, v);
    add_motion(m, column, v, w, rate);
}

static void add_planar(mover *m, const gz_body *b) {
    double u[3], v[3];
    gz_planar_directions(b->axis, u, v);
    add_slide(m, b->column, u, 1);
    add_slide(m, b->column + 1, v, 1);
    add_turn(m, b->column + 2, b->axis, m->child, 1);
}

/// For the unit quaternion p = q / |q|: where q_k grows, the body turns with the angular velocity
/// 2 / |q| times the vector part of e_k p*, in the joint's frame; the part of e_k along q only
/// scales, and its product with p* is real.
static void add_floating(mover *m, const gz_body *b, const double *q) {
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) add_slide(m, b->column + k, unit[k], 1);
    const double *x = q + b->column + 3;
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    const double p[4] = {x[0] / length, x[1] / length, x[2] / length, x[3] / length};
    const double turns[4][3] = {
        {p[3], p[2], -p[1]}, {-p[2], p[3], p[0]}, {p[1], -p[0], p[3]}, {-p[0], -p[1], -p[2]}};
    for (int k = 0; k < 4; k++) add_turn(m, b->column + 3 + k, turns[k], m->child, 2 / length);
}

/// What the joint of a body adds, from the poses of that body and its parent.
static void add_body(mover *m, const double parent[12], const double child[12], const gz_body *b,
                     const double *q) {
    gz_transform_compose(parent, b->origin, m->joint);
    const double origin[3] = {m->joint[3], m->joint[7], m->joint[11]};
    for (int k = 0; k < 3; k++) m->child[k] = child[4 * k + 3];
    if (b->type == GRAZE_JOINT_PLANAR)
        add_planar(m, b);
    else if (b->type == GRAZE_JOINT_FLOATING)
        add_floating(m, b, q);
    else if (b->column >= 0 && b->type == GRAZE_JOINT_PRISMATIC)
        add_slide(m, b->column, b->axis, b->multiplier);
    else if (b->column >= 0)
        add_turn(m, b->column, b->axis, origin, b->multiplier);
}

graze_status graze_robot_jacobian(const graze_robot *r, const graze_transform *links,
                                  const double *q, size_t q_count, int32_t link,
                                  const graze_vec3 *point, double *jacobian, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!r || !links || !point || (!jacobian && q_count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot, links, point or jacobian is NULL");
    if (link < 0 || link >= r->link_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "link is %d; allowed: 0 to %d", (int)link,
                       (int)r->link_count - 1);
    graze_status status = gz_pose_check(r, q, q_count, error);
    if (status != GRAZE_OK) return status;
    if (q_count) memset(jacobian, 0, 6 * q_count * sizeof *jacobian);
    mover m = {.jacobian = jacobian, .columns = q_count, .point = {point->x, point->y, point->z}};
    for (int32_t i = r->links[link].body; i > 0; i = r->bodies[i].parent) {
        const gz_body *b = &r->bodies[i];
        add_body(&m, links[r->bodies[b->parent].root_link].m, links[b->root_link].m, b, q);
    }
    gz_error_clear(error);
    return GRAZE_OK;
}

void gz_point_rates(const graze_robot *r, double (*bodies)[12], const double *q, int32_t link,
                    int32_t other, const double point[3], const double direction[3],
                    double *rates) {
    mover m = {.jacobian = rates, .direction = direction, .point = {point[0], point[1], point[2]}};
    // Parents come before children.
    int32_t beside = other >= 0 ? r->links[other].body : 0;
    for (int32_t i = r->links[link].body; i > 0; i = r->bodies[i].parent) {
        while (beside > i) beside = r->bodies[beside].parent;
        if (beside == i) return;
        add_body(&m, bodies[r->bodies[i].parent], bodies[i], &r->bodies[i], q);
    }
}
