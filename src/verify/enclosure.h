/// Whether a shape, or a part of it, lies inside another: winding numbers, exactly.
#ifndef GZ_VERIFY_ENCLOSURE_H
#define GZ_VERIFY_ENCLOSURE_H

#include "verify/exact.h"
#include "verify/posed_shape.h"

typedef enum gz_enclosed {
    GZ_OUTSIDE,
    GZ_INSIDE,
    GZ_ENCLOSED_UNKNOWN ///< no direction was free of edges: no answer
} gz_enclosed;

/// Whether `part`, whose surface is apart from that of `whole`, lies inside it: some part of its
/// surface does, or, where it is curved, its axis. *triangle is the lowest triangle of the lowest
/// such part, -1 for curved shapes. Lids count with cap. `*rays` is raised by the points that were
/// judged.
gz_enclosed gz_enclosure_find(gz_exact_winding *winding, gz_exact *simplices, gz_posed_shape *whole,
                              bool cap, const gz_posed_shape *part, int64_t *triangle,
                              uint64_t *rays);

/// The same question about one point off the surface.
gz_enclosed gz_enclosure_of_point(gz_exact_winding *winding, gz_exact *simplices,
                                  gz_posed_shape *whole, bool cap, const double point[3],
                                  uint64_t *rays);

#endif
