#include "kinematics/forward_kinematics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "math/transform.h"
#include "math/trigonometry.h"

static double single_value(int32_t column, double multiplier, double offset, const double *q) {
    return column < 0 ? offset : multiplier * q[column] + offset;
}

double gz_pose_value(const graze_robot *r, int32_t joint, const double *q) {
    const gz_joint *j = &r->joints[joint];
    return single_value(j->column, j->multiplier, j->offset, q);
}

size_t graze_robot_limits_violated(const graze_robot *r, const double *q, int32_t *joints,
                                   size_t capacity) {
    size_t count = 0;
    for (int32_t j = 0; r && (q || !r->column_count) && j < r->joint_count; j++) {
        const graze_joint_info *info = &r->joints[j].info;
        double v = info->limited ? gz_pose_value(r, j, q) : 0;
        if (!info->limited || !(v < info->lower || v > info->upper)) continue;
        if (joints && count < capacity) joints[count] = j;
        count++;
    }
    return count;
}

static graze_status fail_value(const graze_robot *r, const gz_body *body, const char *column,
                               double value, graze_error *error) {
    char element[GRAZE_PATH_SIZE];
    snprintf(element, sizeof element, "joint '%s'", r->joints[body->joint].info.name);
    return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = element},
                      "value of '%s' is %g; allowed: finite, magnitude at most 2^20", column,
                      value);
}

graze_status gz_pose_check(const graze_robot *r, const double *q, size_t q_count,
                           graze_error *error) {
    if (!q && r->column_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "q is NULL; allowed: %zu numbers",
                       r->column_count);
    if (q_count != r->column_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "q has %zu numbers; allowed: exactly %zu",
                       q_count, r->column_count);
    for (int32_t i = 1; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        int32_t count = r->joints[b->joint].info.q_count;
        if (count <= 1) {
            double v = single_value(b->column, b->multiplier, b->offset, q);
            if (!(fabs(v) <= GZ_ANGLE_MAX))
                return fail_value(r, b, r->joints[b->joint].info.name, v, error);
            continue;
        }
        for (int32_t k = b->column; k < b->column + count; k++)
            if (!(fabs(q[k]) <= GZ_ANGLE_MAX))
                return fail_value(r, b, r->column_names[k], q[k], error);
        if (b->type == GRAZE_JOINT_FLOATING) {
            const double *w = q + b->column + 3;
            double n = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
            if (!(n >= 1e-200))
                return gz_fail_at(error, GRAZE_ERROR_RANGE,
                                  (gz_place){.element = r->joints[b->joint].info.name},
                                  "quaternion of joint '%s' has length %g; allowed: above 1e-100",
                                  r->joints[b->joint].info.name, sqrt(n));
        }
    }
    return GRAZE_OK;
}

graze_status gz_pose_base(const double *base, double out[12], graze_error *error) {
    static const char *const names[] = {"x", "y", "z", "roll", "pitch", "yaw"};
    for (int i = 0; base && i < 6; i++)
        if (!(fabs(base[i]) <= GZ_ANGLE_MAX))
            return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = "base"},
                              "%s of the base is %g; allowed: finite, magnitude at most 2^20",
                              names[i], base[i]);
    graze_transform t = base ? graze_transform_from_xyz_rpy(base, base + 3)
                             : graze_transform_identity();
    memcpy(out, t.m, sizeof t.m);
    return GRAZE_OK;
}

/// The joint's motion about or along its axis, after its origin: out = origin * motion(value).
static void move_single(const gz_body *b, double value, double out[12]) {
    if (b->type == GRAZE_JOINT_PRISMATIC) {
        double shift[3] = {b->axis[0] * value, b->axis[1] * value, b->axis[2] * value};
        memcpy(out, b->origin, 12 * sizeof *out);
        double moved[3];
        gz_transform_apply(b->origin, shift, moved);
        for (int i = 0; i < 3; i++) out[4 * i + 3] = moved[i];
        return;
    }
    double s, c;
    gz_sine_cosine(value, &s, &c);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int k = 3 * i + j;
            out[4 * i + j] = (b->axis_projection[k] + c * b->cosine[k]) + s * b->sine[k];
        }
        out[4 * i + 3] = b->origin[4 * i + 3];
    }
}

void gz_planar_directions(const double axis[3], double u[3], double v[3]) {
    int largest = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) > fabs(axis[largest])) largest = i;
    int next = (largest + 1) % 3;
    for (int i = 0; i < 3; i++) u[i] = (i == next) - axis[next] * axis[i];
    double n = gz_norm(u);
    for (int i = 0; i < 3; i++) u[i] /= n;
    gz_cross(axis, u, v);
}

static void move_planar(const gz_body *b, const double q[3], double out[12]) {
    double u[3], v[3], shift[3], moved[3];
    move_single(b, q[2], out);
    gz_planar_directions(b->axis, u, v);
    for (int i = 0; i < 3; i++) shift[i] = u[i] * q[0] + v[i] * q[1];
    gz_transform_apply(b->origin, shift, moved);
    for (int i = 0; i < 3; i++) out[4 * i + 3] = moved[i];
}

static void move_floating(const gz_body *b, const double q[7], double out[12]) {
    graze_transform t = graze_transform_from_xyz_quat(q, q + 3);
    gz_transform_compose(b->origin, t.m, out);
}

void gz_pose_body(const gz_body *b, const double *q, const double parent[12], double out[12]) {
    double motion[12];
    if (b->type == GRAZE_JOINT_PLANAR)
        move_planar(b, q + b->column, motion);
    else if (b->type == GRAZE_JOINT_FLOATING)
        move_floating(b, q + b->column, motion);
    else
        move_single(b, single_value(b->column, b->multiplier, b->offset, q), motion);
    gz_transform_compose(parent, motion, out);
}

void gz_pose_bodies(const graze_robot *r, const double *q, const double base[12],
                    double (*bodies)[12]) {
    memcpy(bodies[0], base, 12 * sizeof *base);
    for (int32_t i = 1; i < r->body_count; i++) {
        gz_pose_body(&r->bodies[i], q, bodies[r->bodies[i].parent], bodies[i]);
    }
}

void gz_pose_listed(const graze_robot *r, const double *q, const double base[12],
                    const int32_t *list, size_t count, double (*bodies)[12]) {
    memcpy(bodies[0], base, 12 * sizeof *base);
    for (size_t i = 0; i < count; i++) {
        const gz_body *b = &r->bodies[list[i]];
        gz_pose_body(b, q, bodies[b->parent], bodies[list[i]]);
    }
}

graze_status graze_robot_pose(const graze_robot *r, const double *q, size_t q_count,
                              const double *base, graze_transform *links, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!r || !links) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot or links is NULL");
    graze_status status = gz_pose_check(r, q, q_count, error);
    double root[12];
    if (status == GRAZE_OK) status = gz_pose_base(base, root, error);
    if (status) return status;
    // Bodies are posed into the entries of their root links, parents first; then the other links.
    memcpy(links[r->root].m, root, sizeof root);
    for (int32_t i = 1; i < r->body_count; i++) {
        const gz_body *b = &r->bodies[i];
        gz_pose_body(b, q, links[r->bodies[b->parent].root_link].m, links[b->root_link].m);
    }
    for (int32_t i = 0; i < r->link_count; i++) {
        const gz_link *l = &r->links[i];
        int32_t root_link = r->bodies[l->body].root_link;
        if (i != root_link) gz_transform_compose(links[root_link].m, l->in_body.m, links[i].m);
    }
    gz_error_clear(error);
    return GRAZE_OK;
}
