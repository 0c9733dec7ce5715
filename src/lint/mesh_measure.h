/// Measures of mesh files and meshes: claims of their headers, simple shapes, closedness,
/// orientation.
///
/// Claims are read from the bytes, whether or not the file can be loaded.
#ifndef GZ_LINT_MESH_MEASURE_H
#define GZ_LINT_MESH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/geometry.h"
#include "graze/robot.h"

/// Binary STL; all zero for other files.
typedef struct gz_stl_facts {
    bool binary;           ///< by its size, or since it is named .stl and no text
    bool says_solid;       ///< the header begins like that of an ASCII file
    uint32_t triangles;    ///< that the header promises
    uint64_t wanted_bytes; ///< 84 + 50 triangles
} gz_stl_facts;

/// Collada; all zero for other files.
typedef struct gz_collada_claims {
    bool is_collada;
    bool has_unit; ///< `<unit meter="...">` with a number above 0
    double meter;  ///< 1 where it has none
    char unit_name[32];
    char up; ///< 'x', 'y', 'z'; 'y' where it is not given, the standard's default
    bool has_up;
    size_t broken;        ///< references to lights and cameras that are not there
    char broken_name[64]; ///< the first of them, "#light"
    int32_t broken_line;  ///< where it stands
} gz_collada_claims;

typedef struct gz_mesh_facts {
    gz_stl_facts stl;
    gz_collada_claims collada;
} gz_mesh_facts;

/// Reads them. @param bytes NUL-terminated beyond size, any content
/// @return false when out of memory. Cost: linear.
bool gz_mesh_facts_read(gz_mesh_facts *out, const char *path, const char *bytes, size_t size);

/// A box, cylinder or sphere that a mesh is.
typedef struct gz_mesh_fit {
    bool found;
    graze_shape shape; ///< GRAZE_SHAPE_BOX, _CYLINDER or _SPHERE
    double size[3];    ///< box: edges; cylinder: radius, length; sphere: radius; m
    double deviation;  ///< the farthest that a vertex is from the shape's surface, m
    double limit;      ///< that it may be, m
} gz_mesh_fit;

/// The area of a triangle, and of a surface. Cost: O(n).
double gz_triangle_area(const double *vertices, const uint32_t triangle[3]);
double gz_surface_area(const double *vertices, const uint32_t *triangles, size_t count);

/// The shape whose surface the mesh follows: every vertex within 0.5 % of the diagonal of the
/// mesh's box from it, the middles of edges and triangles within 3 % (so much is a cylinder of ten
/// sides, or a sphere of such triangles, flatter than the round), area and volume within 8 % (a
/// box: 2 %).
/// @param area, volume of the mesh, which is closed; m^2, m^3
/// A box is looked for first, then a cylinder, then a sphere: along the axes of the mesh's boxes,
/// around the centre of its ball. Allocates nothing. Cost: O(n).
gz_mesh_fit gz_mesh_fit_find(const graze_mesh *mesh, double area, double volume);

/// Measures of a mesh: closedness and orientation, duplicate triangles, shells inside others, size,
/// and the simple shape that it may be.
typedef struct gz_mesh_measure {
    graze_solid_report solids;
    size_t reversed_count;  ///< closed components whose winding is inward and that are no cavities
    size_t duplicate_count; ///< triangles that have the three vertices of an earlier one
    size_t inner_count;     ///< components inside a closed one, surfaces apart; cavities left out
    bool inner_partial;     ///< there may be more: the search was ended
    double area;            ///< of all triangles, m^2
    double volume;          ///< of the closed components, signed, m^3
    gz_mesh_fit fit;
} gz_mesh_measure;

/// Measures a mesh. False when out of memory. Deterministic. Any thread.
/// Cost: O(n log n), and up to 2,000 tests whether a component is inside another.
bool gz_mesh_measure_make(gz_mesh_measure *out, const graze_mesh *mesh);

#endif
