/// What closes open parts for the question of containment under the policy `cap` (docs/solids.md):
/// over each connected piece of a part's boundary the cone from the mean of its edges' starting
/// points. Built anew here, from the definition.
#ifndef GZ_VERIFY_LID_H
#define GZ_VERIFY_LID_H

#include "verify/surface.h"

/// An apex and an edge, against the direction that the part has too much of.
typedef struct gz_lid_triangle {
    uint32_t apex;     ///< into the apexes
    uint32_t from, to; ///< vertices of the element
    int32_t weight;    ///< how often it counts
} gz_lid_triangle;

typedef struct gz_lids {
    double (*apexes)[3]; ///< in the part's frame
    double (*posed)[3];  ///< snapped; the caller's to fill
    size_t apex_count;
    gz_lid_triangle *triangles;
    size_t triangle_count;
} gz_lids;

/// Whether a part has lids: it is open, and more than one triangle alone.
bool gz_lids_close(const gz_surface_part *part);
/// False when memory is out. Free them also then.
bool gz_lids_make(gz_lids *lids, const gz_dump_element *element, const gz_surface *surface);
void gz_lids_free(gz_lids *lids);

#endif
