/// How far snapping alone puts a point off, w = fl(R v + t), for robots and worlds alike.
#ifndef GZ_MESH_SNAP_ERROR_H
#define GZ_MESH_SNAP_ERROR_H

#include "mesh/shape.h"

/// Rounding of R v for a rotation R, relative to |v|, with u = 2^-53. Each coordinate is (x + y) +
/// z of three products: the products are off by u times the row of |R| by |v|, whose length is at
/// most sqrt 3 |v| (each row of |R| has length 1), the first sum by u |x + y| and the second by u
/// of itself, vectors no longer than |v|: (sqrt 3 + 2) u < 3.74 u.
#define GZ_APPLY_ERROR (3.74 * 0x1p-53)

/// What setting three coordinates below 2^-100 to zero adds.
#define GZ_SNAP_ERROR 0x1p-99

/// The most that rounding changes a number whose rounded value is at most `most` > 0 in magnitude:
/// 2^-53 times the power of two at or below `most`.
double gz_half_ulp(double most);

/// A bound of the distance of the mesh's vertices from its frame's origin, tight up to sqrt 3.
double gz_mesh_span(const graze_mesh *mesh);

/// How far any point of a curved solid may be off when each end of its axis is off by at most
/// `error`, and one end seen from the other by at most `apart` (<= 2 error): for a cylinder the
/// rims turn with the axis. An axis of length L turns by a chord of at most 2 `apart` / L, and a
/// rim of radius r by r times that; and no two cylinders, or balls in place of one that lost its
/// axis, of radius r whose ends are off by `error` are farther from each other than `error` + r.
double gz_curved_error(const gz_shape *shape, double error, double apart);

#endif
