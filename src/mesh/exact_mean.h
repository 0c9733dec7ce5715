/// The mean of coordinates, the same bits whatever their order.
#ifndef GZ_MESH_EXACT_MEAN_H
#define GZ_MESH_EXACT_MEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A sum in fixed point: 256 bits in two's complement, least significant limb first, in units of
/// 2^-152. A coordinate of a mesh is 0 or of magnitude 2^-100 (GZ_SNAP_MIN) to 2^20
/// (GZ_COORDINATE_MAX), so it is a whole number of units; 2^32 of them stay below 2^204 units.
/// Zero-initialise.
typedef struct gz_exact_sum {
    uint64_t limb[4];
} gz_exact_sum;

/// Adds a coordinate of a mesh, exactly.
void gz_exact_sum_add(gz_exact_sum *sum, double x);

/// The sum divided by count > 0, rounded three times, each by at most 2^-53 of it. It depends on
/// the value of the sum alone, and the negated sum has the negated mean.
double gz_exact_sum_mean(const gz_exact_sum *sum, size_t count);

#endif
