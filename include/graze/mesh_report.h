/// @file mesh_report.h
/// What a mesh file says before anything is made of it: its format, content, unit, up axis, and
/// where its nodes place their geometry.
#ifndef GRAZE_MESH_REPORT_H
#define GRAZE_MESH_REPORT_H

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A node of the file that holds geometry; one that is instanced counts each time.
typedef struct graze_mesh_node {
    const char *name;      ///< the node's, else its id; "" where it has none
    bool known;            ///< false: it is turned by `lookat` or `skew`, and transform is zero
    double transform[12];  ///< row-major 3x4: of the node and all above it, in the file's units and
                           ///< axes; the unit and the up axis are not applied
    size_t geometry_count; ///< meshes that hang directly on it
} graze_mesh_node;

/// A file's facts. Strings live as long as the report.
typedef struct graze_mesh_report {
    const char *format; ///< "STL", "Collada", "OBJ", "PLY", "GLB", "glTF"; static
    uint64_t bytes;     ///< of the file
    uint64_t hash;      ///< FNV-1a, 64 bits, of its bytes: tells files apart, and defends against
                        ///< nobody
    double unit;        ///< metres per unit; 0 where the format has none (STL, OBJ, PLY)
    char up;            ///< 'x', 'y' or 'z'; 0 where the format has none
    const graze_mesh_node *nodes; ///< in the order of the scene; none for STL, OBJ and PLY
    size_t node_count;
} graze_mesh_report;

/// Reads the facts of a mesh file, which is judged as for loading. Nothing is read a second time.
/// @param out    [out] free with graze_mesh_report_free(); NULL on failure
/// @param limits NULL for the defaults
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); the errors of loading such a file, with its place
/// Any thread. Allocates. Cost: linear in the file's size. Nullable: limits, error.
GRAZE_API graze_status graze_mesh_report_create(graze_mesh_report **out, const char *path,
                                                const graze_limits *limits, graze_error *error);

/// Frees a report; NULL is allowed. Any thread. Allocates nothing. Cost: O(nodes).
GRAZE_API void graze_mesh_report_free(graze_mesh_report *report);

#ifdef __cplusplus
}
#endif

#endif
