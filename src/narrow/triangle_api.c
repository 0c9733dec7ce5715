// The public triangle test of graze/geometry.h: the range check around narrow/triangle.h.

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "graze/geometry.h"
#include "math/predicate.h"
#include "narrow/triangle/triangle.h"

// Whether the exact verdict holds for these coordinates; false for NaN and infinity.
GZ_OUT_OF_LINE static bool in_range(const double t[9]) {
    for (int i = 0; i < 9; i++) {
        double magnitude = fabs(t[i]);
        if (magnitude != 0 && !(magnitude >= GZ_EXACT_MIN && magnitude <= GZ_EXACT_MAX)) {
            return false;
        }
    }
    return true;
}

bool graze_triangles_overlap(const double a[9], const double b[9]) {
    GZ_FLOAT_ENVIRONMENT;
    if (a == NULL || b == NULL || !in_range(a) || !in_range(b)) return true;
    return gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL);
}

graze_status graze_triangles_overlap_checked(const double a[9], const double b[9], bool *overlap,
                                             double segment[6]) {
    GZ_FLOAT_ENVIRONMENT;
    if (overlap != NULL) *overlap = true;
    if (a == NULL || b == NULL || overlap == NULL) return GRAZE_ERROR_ARGUMENT;
    if (!in_range(a) || !in_range(b)) return GRAZE_ERROR_RANGE;
    *overlap = gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), NULL);
    if (*overlap && segment != NULL) {
        double ends[2][3];
        gz_triangles_segment(GZ_CORNERS(a), GZ_CORNERS(b), ends);
        memcpy(segment, ends, sizeof ends);
    }
    return GRAZE_OK;
}
