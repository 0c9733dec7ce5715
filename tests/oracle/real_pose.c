#include "real_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N MPFR_RNDN

void *real_allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (p) return p;
    fprintf(stderr, "out of memory\n");
    exit(3);
}

static void pose_init(real_pose *p) {
    for (int i = 0; i < 12; i++) mpfr_init2(p->m[i], REAL_BITS);
}

static void pose_clear(real_pose *p) {
    for (int i = 0; i < 12; i++) mpfr_clear(p->m[i]);
}

void real_robot_init(real_robot *real, const graze_robot *robot) {
    *real = (real_robot){.robot = robot, .link_count = (int32_t)graze_robot_link_count(robot)};
    size_t count = (size_t)real->link_count;
    real->links = real_allocate(count, sizeof *real->links);
    real->above = real_allocate(count, sizeof *real->above);
    real->order = real_allocate(count, sizeof *real->order);
    for (size_t i = 0; i < count; i++) pose_init(&real->links[i]);
    for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
        graze_joint_info info;
        if (graze_robot_joint(robot, j, &info) == GRAZE_OK) real->above[info.child] = info;
    }
    // Parents first: links whose parent is already there, until all are.
    bool *there = real_allocate(count, sizeof *there);
    int32_t filled = 0;
    real->order[filled++] = graze_robot_root(robot);
    there[graze_robot_root(robot)] = true;
    while (filled < real->link_count) {
        for (int32_t i = 0; i < real->link_count; i++) {
            if (there[i] || !there[real->above[i].parent]) continue;
            there[i] = true;
            real->order[filled++] = i;
        }
    }
    free(there);
    mpfr_inits2(REAL_BITS, real->x, real->y, real->z, real->sine, real->cosine, (mpfr_ptr)0);
    pose_init(&real->motion);
    pose_init(&real->turned);
}

void real_robot_clear(real_robot *real) {
    for (int32_t i = 0; i < real->link_count; i++) pose_clear(&real->links[i]);
    free(real->links);
    free(real->above);
    free(real->order);
    mpfr_clears(real->x, real->y, real->z, real->sine, real->cosine, (mpfr_ptr)0);
    pose_clear(&real->motion);
    pose_clear(&real->turned);
}

void real_robot_value(real_robot *real, const graze_joint_info *joint, const double *q,
                      mpfr_t value) {
    if (joint->type == GRAZE_JOINT_FIXED) {
        mpfr_set_zero(value, 1);
    } else if (joint->mimic < 0) {
        mpfr_set_d(value, q[joint->q_index], N);
    } else {
        graze_joint_info other;
        if (graze_robot_joint(real->robot, joint->mimic, &other)) abort();
        real_robot_value(real, &other, q, value);
        mpfr_mul_d(value, value, joint->multiplier, N);
        mpfr_add_d(value, value, joint->offset, N);
    }
}

/// out = a after b, b a pose of doubles.
static void compose_doubles(real_robot *real, const real_pose *a, const double b[12],
                            real_pose *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            mpfr_t *sum = &out->m[4 * i + j];
            mpfr_mul_d(*sum, a->m[4 * i], b[j], N);
            for (int k = 1; k < 3; k++) {
                mpfr_mul_d(real->x, a->m[4 * i + k], b[4 * k + j], N);
                mpfr_add(*sum, *sum, real->x, N);
            }
            if (j == 3) mpfr_add(*sum, *sum, a->m[4 * i + 3], N);
        }
    }
}

/// out = a after b.
static void compose(real_robot *real, const real_pose *a, const real_pose *b, real_pose *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            mpfr_t *sum = &out->m[4 * i + j];
            mpfr_mul(*sum, a->m[4 * i], b->m[j], N);
            for (int k = 1; k < 3; k++) {
                mpfr_mul(real->x, a->m[4 * i + k], b->m[4 * k + j], N);
                mpfr_add(*sum, *sum, real->x, N);
            }
            if (j == 3) mpfr_add(*sum, *sum, a->m[4 * i + 3], N);
        }
    }
}

static void set_identity(real_pose *p) {
    for (int i = 0; i < 12; i++) mpfr_set_si(p->m[i], i % 5 == 0, N);
}

static void unit_of(real_robot *real, mpfr_t v[3]) {
    mpfr_set_zero(real->y, 1);
    for (int k = 0; k < 3; k++) {
        mpfr_sqr(real->x, v[k], N);
        mpfr_add(real->y, real->y, real->x, N);
    }
    mpfr_sqrt(real->y, real->y, N);
    for (int k = 0; k < 3; k++) mpfr_div(v[k], v[k], real->y, N);
}

/// The turn by an angle about a unit axis: Rodrigues' formula, entry by entry.
static void turn_about(real_robot *real, mpfr_t axis[3], const mpfr_t angle, real_pose *out) {
    mpfr_sin_cos(real->sine, real->cosine, angle, N);
    mpfr_si_sub(real->y, 1, real->cosine, N);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            mpfr_mul(real->x, axis[i], axis[j], N);
            mpfr_mul(out->m[4 * i + j], real->x, real->y, N);
        }
        mpfr_add(out->m[4 * i + i], out->m[4 * i + i], real->cosine, N);
    }
    for (int i = 0; i < 3; i++) { // - a_i s in row i+1, column i+2; + in row i+2, column i+1
        int r = (i + 1) % 3, c = (i + 2) % 3;
        mpfr_mul(real->x, axis[i], real->sine, N);
        mpfr_sub(out->m[4 * r + c], out->m[4 * r + c], real->x, N);
        mpfr_add(out->m[4 * c + r], out->m[4 * c + r], real->x, N);
    }
}

/// The plane of a planar joint, as graze_joint_type says: the coordinate direction after the axis's
/// largest component, made perpendicular to it; then the direction that makes both right-handed.
static void shift_in_plane(real_robot *real, const double given[3], mpfr_t axis[3],
                           const double q[2], real_pose *out) {
    int largest = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(given[i]) > fabs(given[largest])) largest = i;
    int next = (largest + 1) % 3;
    mpfr_t u[3], v;
    mpfr_init2(v, REAL_BITS);
    for (int i = 0; i < 3; i++) {
        mpfr_init2(u[i], REAL_BITS);
        mpfr_mul(u[i], axis[next], axis[i], N);
        mpfr_si_sub(u[i], i == next, u[i], N);
    }
    unit_of(real, u);
    for (int i = 0; i < 3; i++) {
        mpfr_mul(v, axis[(i + 1) % 3], u[(i + 2) % 3], N);
        mpfr_mul(real->x, axis[(i + 2) % 3], u[(i + 1) % 3], N);
        mpfr_sub(v, v, real->x, N);
        mpfr_mul_d(v, v, q[1], N);
        mpfr_mul_d(real->x, u[i], q[0], N);
        mpfr_add(out->m[4 * i + 3], v, real->x, N);
    }
    for (int i = 0; i < 3; i++) mpfr_clear(u[i]);
    mpfr_clear(v);
}

/// The turn of a quaternion x y z w of any length: with n its square, (w^2 + x^2 - ...) / n and so
/// on, the form that needs no unit quaternion.
static void turn_by(real_robot *real, const double q[4], real_pose *out) {
    static const signed char sign[3][4] = {{1, -1, -1, 1}, {-1, 1, -1, 1}, {-1, -1, 1, 1}};
    mpfr_t n;
    mpfr_init2(n, REAL_BITS);
    mpfr_set_zero(n, 1);
    for (int k = 0; k < 4; k++) {
        mpfr_set_d(real->x, q[k], N);
        mpfr_sqr(real->x, real->x, N);
        mpfr_add(n, n, real->x, N);
    }
    for (int i = 0; i < 3; i++) {
        mpfr_set_zero(out->m[5 * i], 1);
        for (int k = 0; k < 4; k++) {
            mpfr_set_d(real->x, q[k], N);
            mpfr_sqr(real->x, real->x, N);
            mpfr_mul_si(real->x, real->x, sign[i][k], N);
            mpfr_add(out->m[5 * i], out->m[5 * i], real->x, N);
        }
        int a = (i + 1) % 3, b = (i + 2) % 3; // 2 (q_a q_b -+ q_i w)
        mpfr_set_d(real->x, q[a], N);
        mpfr_mul_d(real->x, real->x, 2 * q[b], N);
        mpfr_set_d(real->y, q[i], N);
        mpfr_mul_d(real->y, real->y, 2 * q[3], N);
        mpfr_sub(out->m[4 * a + b], real->x, real->y, N);
        mpfr_add(out->m[4 * b + a], real->x, real->y, N);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) mpfr_div(out->m[4 * i + j], out->m[4 * i + j], n, N);
    mpfr_clear(n);
}

/// The joint's own motion, after its origin.
static void move_joint(real_robot *real, const graze_joint_info *joint, const double *q,
                       real_pose *out) {
    const double given[3] = {joint->axis.x, joint->axis.y, joint->axis.z};
    mpfr_t axis[3];
    for (int k = 0; k < 3; k++) {
        mpfr_init2(axis[k], REAL_BITS);
        mpfr_set_d(axis[k], given[k], N);
    }
    unit_of(real, axis);
    set_identity(out);
    if (joint->type == GRAZE_JOINT_FLOATING) {
        const double *own = q + joint->q_index;
        turn_by(real, own + 3, out);
        for (int k = 0; k < 3; k++) mpfr_set_d(out->m[4 * k + 3], own[k], N);
    } else if (joint->type == GRAZE_JOINT_PLANAR) {
        const double *own = q + joint->q_index;
        mpfr_set_d(real->z, own[2], N);
        turn_about(real, axis, real->z, out);
        shift_in_plane(real, given, axis, own, out);
    } else if (joint->type != GRAZE_JOINT_FIXED) {
        real_robot_value(real, joint, q, real->z);
        if (joint->type == GRAZE_JOINT_PRISMATIC)
            for (int k = 0; k < 3; k++) mpfr_mul(out->m[4 * k + 3], axis[k], real->z, N);
        else
            turn_about(real, axis, real->z, out);
    }
    for (int k = 0; k < 3; k++) mpfr_clear(axis[k]);
}

/// Rz(yaw) Ry(pitch) Rx(roll), one turn after the other.
static void pose_base(real_robot *real, const double base[6], real_pose *out) {
    mpfr_t axis[3];
    for (int k = 0; k < 3; k++) mpfr_init2(axis[k], REAL_BITS);
    set_identity(out);
    for (int k = 0; k < 3; k++) mpfr_set_d(out->m[4 * k + 3], base[k], N);
    for (int turn = 2; turn >= 0; turn--) {
        for (int k = 0; k < 3; k++) mpfr_set_si(axis[k], k == turn, N);
        set_identity(&real->motion);
        mpfr_set_d(real->z, base[3 + turn], N);
        turn_about(real, axis, real->z, &real->motion);
        compose(real, out, &real->motion, &real->turned);
        for (int i = 0; i < 12; i++) mpfr_swap(out->m[i], real->turned.m[i]);
    }
    for (int k = 0; k < 3; k++) mpfr_clear(axis[k]);
}

void real_robot_pose(real_robot *real, const double *q, const double base[6]) {
    pose_base(real, base, &real->links[real->order[0]]);
    for (int32_t i = 1; i < real->link_count; i++) {
        int32_t link = real->order[i];
        const graze_joint_info *joint = &real->above[link];
        const real_pose *parent = &real->links[joint->parent];
        if (joint->type == GRAZE_JOINT_FIXED) {
            compose_doubles(real, parent, joint->origin.m, &real->links[link]);
            continue;
        }
        compose_doubles(real, parent, joint->origin.m, &real->turned);
        move_joint(real, joint, q, &real->motion);
        compose(real, &real->turned, &real->motion, &real->links[link]);
    }
}

void real_point(real_robot *real, const real_pose *pose, const double v[3], mpfr_t out[3]) {
    for (int i = 0; i < 3; i++) {
        mpfr_set(out[i], pose->m[4 * i + 3], N);
        for (int k = 0; k < 3; k++) {
            mpfr_mul_d(real->x, pose->m[4 * i + k], v[k], N);
            mpfr_add(out[i], out[i], real->x, N);
        }
    }
}

double real_distance(real_robot *real, const double p[3], mpfr_t real_p[3]) {
    mpfr_set_zero(real->y, 1);
    for (int i = 0; i < 3; i++) {
        mpfr_sub_d(real->x, real_p[i], p[i], N);
        mpfr_sqr(real->x, real->x, N);
        mpfr_add(real->y, real->y, real->x, N);
    }
    mpfr_sqrt(real->y, real->y, N);
    return mpfr_get_d(real->y, MPFR_RNDU);
}
