#include "math/transform.h"

#include "base/float_environment.h"
#include "math/trigonometry.h"

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

graze_transform graze_transform_identity(void) {
    return (graze_transform){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
}

// What computes is out of line, so that none of it leaves the promised environment.

GZ_OUT_OF_LINE static graze_transform from_rpy(const double xyz[3], const double rpy[3]) {
    double sr, cr, sp, cp, sy, cy;
    gz_sine_cosine(rpy[0], &sr, &cr);
    gz_sine_cosine(rpy[1], &sp, &cp);
    gz_sine_cosine(rpy[2], &sy, &cy);
    return (graze_transform){{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, xyz[0],
                              sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, xyz[1], -sp,
                              cp * sr, cp * cr, xyz[2]}};
}

graze_transform graze_transform_from_xyz_rpy(const double xyz[3], const double rpy[3]) {
    GZ_FLOAT_ENVIRONMENT;
    static const double zero[3] = {0, 0, 0};
    return from_rpy(xyz ? xyz : zero, rpy ? rpy : zero);
}

GZ_OUT_OF_LINE static graze_transform from_quat(const double xyz[3], const double xyzw[4]) {
    // A power of two takes very long and very short ones to where no square overflows or vanishes,
    // and leaves the bits of all others alone.
    double most = fmax(fmax(fabs(xyzw[0]), fabs(xyzw[1])), fmax(fabs(xyzw[2]), fabs(xyzw[3])));
    double scale = most > 0x1p400 ? 0x1p-600 : most < 0x1p-400 ? 0x1p600 : 1;
    double x = xyzw[0] * scale, y = xyzw[1] * scale, z = xyzw[2] * scale, w = xyzw[3] * scale;
    double n = sqrt(((x * x + y * y) + z * z) + w * w);
    x /= n, y /= n, z /= n, w /= n;
    return (graze_transform){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                              xyz[0], 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
                              2 * (y * z - w * x), xyz[1], 2 * (x * z - w * y), 2 * (y * z + w * x),
                              1 - 2 * (x * x + y * y), xyz[2]}};
}

graze_transform graze_transform_from_xyz_quat(const double xyz[3], const double xyzw[4]) {
    GZ_FLOAT_ENVIRONMENT;
    static const double zero[3] = {0, 0, 0}, one[4] = {0, 0, 0, 1};
    return from_quat(xyz ? xyz : zero, xyzw ? xyzw : one);
}

GZ_OUT_OF_LINE static void multiply(const double a[12], const double b[12], double out[12]) {
    gz_transform_compose(a, b, out);
}

graze_transform graze_transform_multiply(const graze_transform *a, const graze_transform *b) {
    GZ_FLOAT_ENVIRONMENT;
    graze_transform out;
    multiply(a ? a->m : identity, b ? b->m : identity, out.m);
    return out;
}

GZ_OUT_OF_LINE static void invert(const double a[12], double out[12]) {
    gz_transform_relative(identity, a, out);
}

graze_transform graze_transform_inverse(const graze_transform *a) {
    GZ_FLOAT_ENVIRONMENT;
    graze_transform out;
    invert(a ? a->m : identity, out.m);
    return out;
}

GZ_OUT_OF_LINE static void move_point(const double m[12], const double in[3], double out[3]) {
    gz_snap(m, in, out);
}

graze_vec3 graze_transform_point(const graze_transform *a, graze_vec3 p) {
    GZ_FLOAT_ENVIRONMENT;
    double in[3] = {p.x, p.y, p.z}, out[3];
    move_point(a ? a->m : identity, in, out);
    return (graze_vec3){out[0], out[1], out[2]};
}

bool gz_transform_is_rigid(const double m[12], double tolerance) {
    bool rigid = isfinite(m[3]) && isfinite(m[7]) && isfinite(m[11]);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            // Of an entry that is no number or infinite no number, or infinite.
            double dot = (m[i] * m[j] + m[4 + i] * m[4 + j]) + m[8 + i] * m[8 + j];
            rigid = rigid & (fabs(dot - (i == j)) <= tolerance);
        }
    }
    if (!rigid) return false;
    double x[3] = {m[0], m[4], m[8]}, y[3] = {m[1], m[5], m[9]}, z[3] = {m[2], m[6], m[10]};
    double cross[3];
    gz_cross(x, y, cross);
    return gz_dot(cross, z) > 0;
}

/// One step to the nearest rotation: R <- R (3 I - R^T R) / 2. What R^T R lacks to I is squared.
static void orthonormalise(double m[12]) {
    double gram[3][3], next[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            gram[i][j] = 1.5 * (i == j) -
                         0.5 * (m[i] * m[j] + m[4 + i] * m[4 + j] + m[8 + i] * m[8 + j]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            next[i][j] = m[4 * i] * gram[0][j] + m[4 * i + 1] * gram[1][j] +
                         m[4 * i + 2] * gram[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[4 * i + j] = next[i][j];
}

graze_status graze_transform_normalise(graze_transform *out, const graze_transform *in) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out || !in) return GRAZE_ERROR_ARGUMENT;
    if (!gz_transform_is_rigid(in->m, 1e-2)) return GRAZE_ERROR_RANGE;
    graze_transform t = *in;
    // From 3e-2 (the norm of 1e-2 in nine entries): 7e-4, 4e-7, 1e-13, rounding.
    for (int step = 0; step < 5; step++) orthonormalise(t.m);
    *out = t;
    return GRAZE_OK;
}

/// The angles of R = Rz(yaw) Ry(pitch) Rx(roll). Rz(-yaw) R has a second row (0, cos roll, -sin
/// roll) for whatever yaw the first column gives, and that is of length 1: so the angles fit each
/// other where the first column is all but vertical and the yaw is rounding.
GZ_OUT_OF_LINE static void find_angles(const double m[12], double rpy[3]) {
    double s, c;
    rpy[2] = gz_vector_angle(m[4], m[0]);
    gz_sine_cosine(rpy[2], &s, &c);
    rpy[1] = gz_vector_angle(-m[8], c * m[0] + s * m[4]);
    rpy[0] = gz_vector_angle(s * m[2] - c * m[6], c * m[5] - s * m[1]);
}

graze_status graze_transform_to_xyz_rpy(double xyz_rpy[6], const graze_transform *transform) {
    GZ_FLOAT_ENVIRONMENT;
    if (!xyz_rpy || !transform) return GRAZE_ERROR_ARGUMENT;
    graze_transform t = *transform;
    if (!gz_transform_is_rigid(t.m, GZ_RIGID_TOLERANCE)) return GRAZE_ERROR_RANGE;
    graze_transform_normalise(&t, &t);
    for (int k = 0; k < 3; k++) xyz_rpy[k] = t.m[4 * k + 3];
    find_angles(t.m, xyz_rpy + 3);
    return GRAZE_OK;
}

double gz_axis_normalise(const double v[3], graze_vec3 *axis) {
    double w[3] = {v[0], v[1], v[2]}, norm;
    double most = gz_divide_by_largest(w, 3, &norm);
    if (most == 0) return 0;
    *axis = (graze_vec3){w[0] / norm, w[1] / norm, w[2] / norm};
    return norm * most;
}
