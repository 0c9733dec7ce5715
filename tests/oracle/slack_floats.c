#include "slack_floats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_internal.h"
#include "check/filter_model.h"
#include "check/filters.h"
#include "check/workspace.h"
#include "kinematics_robot.h"
#include "math/transform.h"
#include "mesh/mesh.h"
#include "narrow/kernel.h"

#define U 0x1p-24L

bool slack_pose(const double *x, double pose[12]) {
    if (!(fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + fabs(x[3]) > 1e-3)) return false;
    const double shift[3] = {x[4], x[5], x[6]};
    graze_transform t = graze_transform_from_xyz_quat(shift, x);
    memcpy(pose, t.m, sizeof t.m);
    return true;
}

static double most_of(const double *v) {
    return fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
}

/// Two meshes as large as numbers say, a in a pose, b at the origin. Returns S.
static long double prepare(graze_mesh *a, graze_mesh *b, double size_a, double size_b,
                           const double pose[12], gz_tree_pair *pair) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    a->max_abs = size_a;
    b->max_abs = size_b;
    gz_tree_pair_prepare(pair, a, pose, b, identity, false);
    long double square = 0;
    for (int k = 3; k < 12; k += 4) square += (long double)pose[k] * (long double)pose[k];
    return sqrtl(square) + sqrtl(3) * ((long double)size_a + (long double)size_b);
}

static long double exact_row(const double *m, const double *v) {
    return (long double)m[0] * (long double)v[0] + (long double)m[1] * (long double)v[1] +
           (long double)m[2] * (long double)v[2];
}

/// As move_packet() (src/narrow/tree_pair.inl).
static void move_float(const gz_tree_pair *p, const double *v, float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = (float)v[0] * p->to_b[i][0];
        for (int j = 1; j < 3; j++) out[i] = out[i] + (float)v[j] * p->to_b[i][j];
        out[i] = out[i] + p->to_b_shift[i];
    }
}

static float dot_float(const float *a, const float *b) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

double slack_triangles(const double *x) {
    double pose[12];
    graze_mesh a = {0}, b = {0};
    gz_tree_pair pair;
    if (!slack_pose(x, pose)) return 0;
    const double *v = x + 7, *w = x + 10;
    const float n[3] = {(float)x[13], (float)x[14], (float)x[15]};
    const long double s = prepare(&a, &b, most_of(v), most_of(w), pose, &pair);
    float moved[3];
    move_float(&pair, v, moved);
    const float other[3] = {(float)w[0], (float)w[1], (float)w[2]};
    const float gap = dot_float(n, moved) - dot_float(n, other);
    long double exact = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        long double place = exact_row(pose + 4 * i, v) + (long double)pose[4 * i + 3];
        exact += (long double)n[i] * (place - (long double)w[i]);
        size += fabsl((long double)n[i]);
    }
    return size > 0 && s > 0 ? (double)(fabsl((long double)gap - exact) / (U * s * size)) : 0;
}

double slack_vertex(const double *x) {
    double pose[12];
    graze_mesh a = {0}, b = {0};
    gz_tree_pair pair;
    if (!slack_pose(x, pose)) return 0;
    const double *v = x + 7;
    const long double s = prepare(&a, &b, most_of(v), 0, pose, &pair);
    float moved[3];
    move_float(&pair, v, moved);
    long double square = 0;
    for (int i = 0; i < 3; i++) {
        long double d = (long double)moved[i] - exact_row(pose + 4 * i, v) -
                        (long double)pose[4 * i + 3];
        square += d * d;
    }
    return s > 0 ? (double)(sqrtl(square) / (U * s)) : 0;
}

/// As combine(), along() and gz_f4_dot() (src/narrow/prefilter/proxy_pair.inl), of vertices.
double slack_planes(const double *x) {
    double pose[12];
    graze_mesh a = {0}, b = {0};
    gz_tree_pair pair;
    if (!slack_pose(x, pose)) return 0;
    const double *v = x + 7, *w = x + 10;
    const long double s = prepare(&a, &b, most_of(v), most_of(w), pose, &pair);
    const float sum = fabsf((float)x[13]) + fabsf((float)x[14]) + fabsf((float)x[15]);
    if (!(sum > 1e-3f && s > 0)) return 0;
    float d[3], own[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        d[k] = (float)x[13 + k] * (1 / sum);
        p[k] = (float)v[k];
        q[k] = (float)w[k];
    }
    for (int k = 0; k < 3; k++)
        own[k] = pair.to_b[2][k] * d[2] + (pair.to_b[1][k] * d[1] + pair.to_b[0][k] * d[0]);
    const float shift = dot_float(pair.to_b_shift, d);
    const float at = p[2] * own[2] + (p[1] * own[1] + p[0] * own[0]);
    const float other = q[2] * d[2] + (q[1] * d[1] + q[0] * d[0]);
    const float gap = (at + shift) - other;
    long double exact = 0;
    for (int i = 0; i < 3; i++)
        exact += (long double)d[i] *
                 (exact_row(pose + 4 * i, v) + (long double)pose[4 * i + 3] - (long double)w[i]);
    return (double)(fabsl((long double)gap - exact) / (U * s));
}

/// A box of a in b's frame against a node of b, as axes_mask(): the error of |p| - h.
static long double axis_error(float p, float h, long double exact_p, long double exact_h) {
    return fabsl((long double)fabsf(p) - (long double)h - (fabsl(exact_p) - exact_h));
}

double slack_boxes(const double *x) {
    double pose[12];
    graze_mesh ma = {0}, mb = {0};
    gz_tree_pair pair;
    if (!slack_pose(x, pose)) return 0;
    float a[3], ha[3], b[3], hb[3], distance[3];
    double size_a = 0, size_b = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = (float)x[7 + k], ha[k] = fabsf((float)x[10 + k]);
        b[k] = (float)x[13 + k], hb[k] = fabsf((float)x[16 + k]);
        size_a = fmax(size_a, (double)(fabsf(a[k]) + ha[k]));
        size_b = fmax(size_b, (double)(fabsf(b[k]) + hb[k]));
    }
    const long double s = prepare(&ma, &mb, size_a, size_b, pose, &pair);
    float(*r)[3] = pair.to_b, (*q)[3] = pair.abs_to_b;
    long double exact[3], worst = 0;
    for (int i = 0; i < 3; i++) {
        float c = ((r[i][0] * a[0] + r[i][1] * a[1]) + r[i][2] * a[2]) + pair.to_b_shift[i];
        float h = (q[i][0] * ha[0] + q[i][1] * ha[1]) + q[i][2] * ha[2];
        long double place = (long double)pose[4 * i + 3], half = (long double)hb[i];
        for (int j = 0; j < 3; j++) {
            place += (long double)pose[4 * i + j] * (long double)a[j];
            half += fabsl((long double)pose[4 * i + j]) * (long double)ha[j];
        }
        distance[i] = b[i] - c;
        exact[i] = (long double)b[i] - place;
        worst = fmaxl(worst, axis_error(distance[i], h + hb[i], exact[i], half));
    }
    for (int j = 0; j < 3; j++) {
        float p = distance[2] * r[2][j] + (distance[1] * r[1][j] + distance[0] * r[0][j]);
        float h = hb[2] * q[2][j] + (hb[1] * q[1][j] + (hb[0] * q[0][j] + ha[j]));
        long double along = 0, half = (long double)ha[j];
        for (int i = 0; i < 3; i++) {
            along += exact[i] * (long double)pose[4 * i + j];
            half += (long double)hb[i] * fabsl((long double)pose[4 * i + j]);
        }
        worst = fmaxl(worst, axis_error(p, h, along, half));
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            float p = distance[i2] * r[i1][j] - distance[i1] * r[i2][j];
            float own = ha[j1] * q[i][j2] + ha[j2] * q[i][j1];
            float h = hb[i1] * q[i2][j] + (hb[i2] * q[i1][j] + own);
            const long double r1 = (long double)pose[4 * i1 + j],
                              r2 = (long double)pose[4 * i2 + j];
            long double along = exact[i2] * r1 - exact[i1] * r2;
            long double half = (long double)hb[i2] * fabsl(r1) + (long double)hb[i1] * fabsl(r2) +
                               (long double)ha[j1] * fabsl((long double)pose[4 * i + j2]) +
                               (long double)ha[j2] * fabsl((long double)pose[4 * i + j1]);
            worst = fmaxl(worst, axis_error(p, h, along, half));
        }
    return s > 0 ? (double)(worst / (U * s)) : 0;
}

double slack_spheres(const double *x) {
    long double exact = 0;
    float d[3];
    for (int k = 0; k < 3; k++) {
        const float a = (float)x[k], b = (float)x[3 + k];
        const long double e = (long double)a - (long double)b;
        d[k] = a - b;
        exact += e * e;
    }
    const float square = (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
    return exact > 0 ? (double)(fabsl((long double)square - exact) / (U * exact)) : 0;
}

double slack_view(const double *x) {
    double pose[12], turned[12];
    if (!slack_pose(x, pose)) return 0;
    memcpy(turned, pose, sizeof turned);
    gz_filter_object o = {.size = fabsf((float)x[10]) + 0x1p-10f};
    for (int k = 0; k < 3; k++) {
        o.center[k] = x[7 + k];
        for (int j = 0; j < 3; j++) o.axis[k][j] = (float)turned[4 * j + k];
    }
    const gz_filter_view view = gz_filter_view_make(&o, pose);
    long double place[3], off = 0, size = (long double)o.size, worst = 0;
    for (int k = 0; k < 3; k++) {
        place[k] = (long double)o.center[k] - (long double)pose[4 * k + 3];
        off += powl((long double)view.center[k] - place[k], 2);
        size += fabsl(place[k]);
    }
    for (int k = 0; k < 3; k++) {
        long double along = 0;
        for (int j = 0; j < 3; j++) along += place[j] * (long double)turned[4 * j + k];
        worst = fmaxl(worst, fabsl((long double)view.along[k] - along));
    }
    return (double)(fmaxl(worst, sqrtl(off)) / (U * size));
}

double slack_sine(const double *x) {
    double value[GZ_LANES];
    float sine[GZ_LANES], cosine[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) value[i] = x[0];
    gz_filter_sine_cosine(value, sine, cosine);
    const long double exact = (long double)x[0];
    return (double)(fmaxl(fabsl((long double)sine[0] - sinl(exact)),
                          fabsl((long double)cosine[0] - cosl(exact))) /
                    U);
}

// ------------------------------------------------------------------------------------- the chain

enum { ROBOTS = 3 }; // the first of those that ship

static struct {
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *workspace;
    gz_batch_block block;
} chains[ROBOTS];

void slack_chain_begin(void) {
    for (size_t i = 0; i < ROBOTS; i++) {
        chains[i].robot = kinematics_robot_load(i);
        if (graze_checker_create(&chains[i].checker, chains[i].robot, NULL, NULL, NULL) ||
            !chains[i].checker->filter ||
            graze_workspace_create(&chains[i].workspace, chains[i].checker, NULL) ||
            !gz_batch_block_create(&chains[i].block, chains[i].checker->filter)) {
            fputs("slack: no filter for a robot\n", stderr);
            exit(3);
        }
    }
}

void slack_chain_end(void) {
    for (size_t i = 0; i < ROBOTS; i++) {
        gz_batch_block_free(&chains[i].block);
        graze_workspace_free(chains[i].workspace);
        graze_checker_free(chains[i].checker);
        graze_robot_free(chains[i].robot);
    }
}

static double off_centers(size_t which, const double *x) {
    const graze_checker *c = chains[which].checker;
    const size_t width = c->robot->column_count;
    double base[GZ_LANES][12] = {{0}}, own[6], rows[GZ_LANES * 64];
    if (width > 64) return 0;
    for (int k = 0; k < 6; k++) own[k] = k < 3 ? 4 * x[14 + k] : 3 * x[14 + k];
    for (size_t j = 0; j < width; j++) {
        const graze_joint_info *info = &c->robot->joints[c->robot->column_joints[j]].info;
        const double low = info->limited ? info->lower : -3.2,
                     high = info->limited ? info->upper : 3.2;
        const double value = low + (high - low) * (0.5 + 0.5 * x[j % 14]);
        for (int i = 0; i < GZ_LANES; i++) rows[(size_t)i * width + j] = value;
    }
    // The first lane's base is the origin; the others are up to 4 m away.
    graze_transform t = graze_transform_from_xyz_rpy(own, own + 3);
    for (int i = 0; i < GZ_LANES; i++) {
        memcpy(base[i], t.m, sizeof base[i]);
        for (int k = 3; k < 12 && i == 0; k += 4) base[i][k] = 0;
    }
    gz_batch_block *block = &chains[which].block;
    block->unfit = 0;
    gz_filter_kernels_choose(c->kernels)->batch(c->filter, rows, width, GZ_LANES, base, block);
    if (block->unfit & 2 || gz_workspace_pose(chains[which].workspace, rows, width, own, NULL))
        return 0;
    double worst = 0;
    for (size_t i = 0; i < c->filter->link_count; i++) {
        const gz_filter_link *l = &c->filter->links[i];
        double off = 0;
        for (int k = 0; k < 3; k++) {
            const double d = chains[which].workspace->centers[l->link][k] -
                             (double)block->centers[i][k][1];
            off += d * d;
        }
        worst = fmax(worst, sqrt(off) / (double)l->error);
    }
    return worst;
}

double slack_chain(const double *x) {
    double worst = 0;
    for (size_t i = 0; i < ROBOTS; i++) worst = fmax(worst, off_centers(i, x));
    return worst;
}
