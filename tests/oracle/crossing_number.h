/// Winding numbers of posed meshes by a way of their own: signed crossings of a half line in a
/// direction drawn per query, drawn again where it meets an edge or a vertex, every sign decided in
/// rational arithmetic. The library counts along a vertical line and breaks ties symbolically.
///
/// Welding, components, closedness and caps are found here anew from docs/solids.md.
#ifndef GRAZE_TESTS_CROSSING_NUMBER_H
#define GRAZE_TESTS_CROSSING_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "graze/types.h"
#include "rational_clip.h"

typedef struct crossing_mesh {
    size_t vertex_count, triangle_count, component_count;
    double *vertices;      ///< welded, then the apexes of the caps
    double *snapped;       ///< of all of them
    uint32_t *triangles;   ///< of welded vertices, as given
    uint32_t *of_triangle; ///< component, numbered by the lowest triangle
    uint32_t *of_vertex;   ///< component; UINT32_MAX where no triangle has the vertex
    bool *closed;          ///< per component
    uint32_t *first;       ///< lowest triangle, per component
    size_t apex_count, cap_count;
    uint32_t (*caps)[3]; ///< vertices of a cap's triangle, the apex first
    int *counts;         ///< how often it counts
    double box[6];       ///< around all that is snapped
} crossing_mesh;

/// Copies. Ends the program without memory.
void crossing_mesh_init(crossing_mesh *mesh, const double *vertices, size_t vertex_count,
                        const uint32_t *triangles, size_t triangle_count);
void crossing_mesh_clear(crossing_mesh *mesh);
void crossing_mesh_place(crossing_mesh *mesh, const graze_transform *pose);

/// The winding number of a world point that is on no triangle that counts: of the closed
/// components, or with `cap` of all with their caps. *exact counts the signs that plain doubles
/// could not tell.
int crossing_number(const crossing_mesh *mesh, const double point[3], bool cap, gz_random *random,
                    uint64_t *exact);

/// Whether a world point lies on a cap.
bool crossing_mesh_cap_touches(const crossing_mesh *mesh, const double point[3],
                               rational_clip *clip);

#endif
