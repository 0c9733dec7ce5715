/// Flat-ended cylinders against everything: integers prove what doubles have found.
///
/// A pair is proved apart by a direction along which a gap exceeds the threshold, and near by a
/// point that is inside the cylinder and near the other; doubles only propose which direction and
/// which point. Between the two lies a zone of some 1e-12 m in which nothing is proved.
#ifndef GZ_VERIFY_EXACT_CYLINDER_H
#define GZ_VERIFY_EXACT_CYLINDER_H

#include "verify/exact.h"

/// The points within `radius` of a simplex; with flat ends the cylinder around a segment.
typedef struct gz_solid {
    gz_simplex simplex;
    double radius;
    bool flat_ended; ///< then the simplex has two different ends
} gz_solid;

typedef enum gz_nearness {
    GZ_APART,    ///< proved: farther apart than the threshold
    GZ_NEAR,     ///< proved: at most the threshold apart
    GZ_UNDECIDED ///< within some 1e-12 m of the threshold
} gz_nearness;

typedef struct gz_exact_cylinder gz_exact_cylinder;

/// NULL when memory is out.
gz_exact_cylinder *gz_exact_cylinder_create(void);
void gz_exact_cylinder_free(gz_exact_cylinder *x);

/// How deep inside a cylinder a point must be to prove that something as near to it overlaps the
/// cylinder.
#define GZ_CYLINDER_DEPTH 0x1p-40

/// The two sides of a proof of nearness, exactly: whether the ball of that radius around a point
/// lies in a cylinder; and whether a point is at most threshold[0] + threshold[1] and that radius
/// from a solid.
bool gz_exact_cylinder_is_deep(gz_exact_cylinder *x, const gz_solid *cylinder,
                               const double point[3]);
bool gz_exact_cylinder_is_near(gz_exact_cylinder *x, gz_exact *simplices, const double point[3],
                               const gz_solid *solid, const double threshold[2]);

/// Whether two solids, at least one of them with flat ends, are at most threshold[0] + threshold[1]
/// apart.
gz_nearness gz_exact_cylinder_within(gz_exact_cylinder *x, gz_exact *simplices, const gz_solid *a,
                                     const gz_solid *b, const double threshold[2]);

#endif
