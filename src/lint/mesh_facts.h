/// What the bytes of a mesh file say about themselves: what STL headers and Collada's asset claim,
/// whether or not the file can be read.
#ifndef GZ_LINT_MESH_FACTS_H
#define GZ_LINT_MESH_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    char up; ///< 'x', 'y', 'z'; 'y' where the file says nothing, as the standard has it
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

#endif
