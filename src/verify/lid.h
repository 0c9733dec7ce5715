/// What closes open parts for the question of containment under the policy `cap` (docs/solids.md):
/// over each connected piece of a part's boundary the cone from the mean of its edges' starting
/// points. Built anew here, from the definition.
#ifndef GZ_VERIFY_LID_H
#define GZ_VERIFY_LID_H

#include "verify/posed_shape.h"

/// An apex and an edge, against the direction that the part has too much of.
typedef struct gz_verify_cap_triangle {
    uint32_t apex;     ///< into the apexes
    uint32_t from, to; ///< vertices of the element
    int32_t weight;    ///< how often it counts
} gz_verify_cap_triangle;

typedef struct gz_verify_caps {
    double (*apexes)[3]; ///< in the part's frame
    double (*posed)[3];  ///< snapped; the caller's to fill
    size_t apex_count;
    gz_verify_cap_triangle *triangles;
    size_t triangle_count;
} gz_verify_caps;

/// Whether a part has lids: it is open, and more than one triangle alone.
bool gz_verify_is_capped(const gz_surface_part *part);
/// False when memory is out. Free them also then.
bool gz_verify_caps_make(gz_verify_caps *lids, const gz_dump_element *element,
                         const gz_surface *surface);
void gz_verify_caps_free(gz_verify_caps *lids);

#endif
