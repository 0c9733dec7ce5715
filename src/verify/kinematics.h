/// Whether the poses of a dump follow from its q: forward kinematics with 400 bits behind the
/// point, by the definition of the real pose in docs/epsilon.md.
#ifndef GZ_VERIFY_KINEMATICS_H
#define GZ_VERIFY_KINEMATICS_H

#include <gmp.h>
#include <stdbool.h>

#include "verify/dump_text.h"
#include "verify/replay.h"

// ------------------------------------------------------------------------------------ fixed point
// Real numbers to some 300 bits behind the point: big integers in units of 2^-GZ_FIXED_BITS.
//
// Products, quotients and roots are cut off, each by less than one unit. Callers keep magnitudes
// below 2^70 and chains of operations below 2^40: the sum of the errors stays below 2^-150, far
// less than any bound that it is compared with.

#define GZ_FIXED_BITS 400

/// A row-major 3x4 matrix [R | t].
typedef struct gz_fixed_pose {
    mpz_t m[12];
} gz_fixed_pose;

/// out = x, exactly where x is a multiple of 2^-GZ_FIXED_BITS.
void gz_fixed_set(mpz_t out, double x);
/// Sine and cosine of an angle of magnitude below 2^60 rad.
void gz_fixed_sine_cosine(mpz_t sine, mpz_t cosine, const mpz_t angle);

void gz_fixed_pose_identity(gz_fixed_pose *pose);
/// out = a after b; out is neither.
void gz_fixed_pose_multiply(gz_fixed_pose *out, const gz_fixed_pose *a, const gz_fixed_pose *b);
/// Sets R to the turn about the direction of an axis of three numbers (Rodrigues' formula); t
/// stays.
void gz_fixed_pose_turn(gz_fixed_pose *pose, mpz_t *axis, const mpz_t angle);

// ------------------------------------------------------------------------------------------ poses

typedef struct gz_kinematics gz_kinematics;

/// Orders the tree of a scene, which must outlive the result. GRAZE_ERROR_SCHEMA where the joints
/// are no tree, or follow each other in a ring; the error is that of `text`.
graze_status gz_kinematics_create(gz_kinematics **out, const gz_dump_text *text,
                                  const gz_dump_scene *scene);
void gz_kinematics_free(gz_kinematics *k);

/// Compares every snapped point of every link with its real place; farther off than the link's
/// pose_error is a refutation, added to the result.
void gz_kinematics_check(gz_kinematics *k, const gz_dump_configuration *configuration,
                         gz_replay_result *result);

/// Poses every link of the tree at q and a base: the real poses, each number cut off to a double,
/// by less than 2^-52 of it. False, and refuted, where q puts a joint nowhere.
bool gz_kinematics_place(gz_kinematics *k, const double *q, const double base[6],
                         double (*links)[12], gz_replay_result *result);

#endif
