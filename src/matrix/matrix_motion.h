/// How much can the distance of a pair change inside a box of its configurations?
#ifndef GZ_MATRIX_MATRIX_MOTION_H
#define GZ_MATRIX_MATRIX_MOTION_H

#include "matrix/matrix_pair.h"

/// Most steps and variables of a pair that proofs are tried for; longer ways have so many
/// configurations that none would end.
#define GZ_MATRIX_STEPS_MAX 24

/// Whether a proof can speak about the pair at all: bounded, short enough, and posed with a known
/// error.
bool gz_matrix_motion_known(const gz_matrix_probe *probe, const gz_matrix_pair *pair);

/// The margin at which a FREE verdict in the middle of a box proves the pair free in all of it, the
/// pair being posed there.
/// @param half  of the box's edges, per variable
/// @param parts [out] what each variable adds to it, metres
double gz_matrix_motion_bound(gz_matrix_probe *probe, const gz_matrix_pair *pair,
                              const double *half, double *parts);

#endif
