/// @file types.h
/// Plain value types: vectors, rotations, transforms and bounds.
///
/// Units and frames, once for the whole library: metres, radians, seconds, right-handed axes.
/// A pose maps the body's own frame to the world: p_world = R p + t.
#ifndef GRAZE_TYPES_H
#define GRAZE_TYPES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A point or direction, metres unless said otherwise.
typedef struct graze_vec3 {
    double x, y, z;
} graze_vec3;

/// A rotation as a unit quaternion, x y z w.
typedef struct graze_quat {
    double x, y, z, w;
} graze_quat;

/// A rigid transform as the row-major 3x4 matrix [R | t]: m[4*row + column]; p' = R p + t.
typedef struct graze_transform {
    double m[12];
} graze_transform;

/// A closed ball; radius >= 0.
typedef struct graze_sphere {
    graze_vec3 center;
    double radius;
} graze_sphere;

/// A closed axis-aligned box; min <= max in every coordinate.
typedef struct graze_aabb {
    graze_vec3 min, max;
} graze_aabb;

/// A closed oriented box: center + sum of s_i axis[i], |s_i| <= half_i. The axes are unit and
/// mutually orthogonal, right-handed; half.x belongs to axis[0].
typedef struct graze_obb {
    graze_vec3 center;
    graze_vec3 axis[3];
    graze_vec3 half;
} graze_obb;

/// The identity transform. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_transform graze_transform_identity(void);

/// A transform from a translation and URDF's fixed-axis angles, R = Rz(yaw) Ry(pitch) Rx(roll).
/// @param xyz translation, metres
/// @param rpy roll, pitch, yaw, radians, |angle| <= 2^20
/// The same bits on every machine: graze's own sine and cosine. Any thread. Cost: constant.
/// Allocates nothing.
GRAZE_API graze_transform graze_transform_from_xyz_rpy(const double xyz[3], const double rpy[3]);

/// A transform from a translation and a quaternion.
/// @param xyz translation, metres
/// @param xyzw x y z w; not zero; normalised here
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_transform graze_transform_from_xyz_quat(const double xyz[3], const double xyzw[4]);

/// The product of two transforms, a after b: maps p to a(b(p)). Any thread. Allocates nothing.
/// Cost: O(1).
GRAZE_API graze_transform graze_transform_multiply(const graze_transform *a,
                                                   const graze_transform *b);

/// The inverse of a rigid transform, by the transposed rotation. Any thread. Allocates nothing.
/// Cost: O(1).
GRAZE_API graze_transform graze_transform_inverse(const graze_transform *a);

/// Makes a transform rigid that is nearly so, as one that went through float or was multiplied very
/// often: its rotation becomes the nearest one (in the Frobenius norm), orthonormal to 1e-15; the
/// translation stays. Poses have to be rigid up to 1e-9 wherever graze takes one.
/// @param out [out] may be `in`; untouched on failure
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE (NaN, infinity, R^T R further
///         than 1e-2 from the identity in an entry, a mirror image)
/// Any thread. Allocates nothing. Cost: O(1). Source: the Newton-Schulz iteration of the polar
/// decomposition, Higham, Functions of Matrices (2008), section 8.3.
GRAZE_API graze_status graze_transform_normalise(graze_transform *out, const graze_transform *in);

/// The translation and URDF's fixed-axis angles of a transform, as q's base takes them: the way
/// back of graze_transform_from_xyz_rpy(), for programs whose bases are quaternions or matrices.
/// @param xyz_rpy   [out] x y z, metres, and roll pitch yaw, radians: |pitch| <= pi/2, the others
///                  in [-pi, pi]; untouched on failure
/// @param transform rigid up to 1e-9. What its angles give is within 4e-15, entry by entry, of the
///                  nearest rigid transform, also where the pitch is +-pi/2 and roll and yaw are
///                  not unique
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE (not rigid, NaN, infinity)
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_transform_to_xyz_rpy(double xyz_rpy[6],
                                                  const graze_transform *transform);

/// R p + t, each row summed from left to right without fused operations, coordinates of magnitude
/// below 2^-100 set to 0: the snapped vertex of a verdict. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API graze_vec3 graze_transform_point(const graze_transform *a, graze_vec3 p);

#ifdef __cplusplus
}
#endif

#endif
