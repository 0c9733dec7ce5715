/// The header of a PLY file: which elements with which properties follow.
#ifndef GZ_LOAD_PLY_HEADER_H
#define GZ_LOAD_PLY_HEADER_H

#include "load/mesh/mesh_input.h"
#include "load/token.h"

enum { GZ_PLY_ELEMENTS = 32, GZ_PLY_PROPERTIES = 128 };

typedef enum gz_ply_type {
    GZ_PLY_I8,
    GZ_PLY_U8,
    GZ_PLY_I16,
    GZ_PLY_U16,
    GZ_PLY_I32,
    GZ_PLY_U32,
    GZ_PLY_F32,
    GZ_PLY_F64
} gz_ply_type;

/// What a property is to a mesh.
typedef enum gz_ply_role {
    GZ_PLY_OTHER = -1,
    GZ_PLY_X = 0,
    GZ_PLY_Y = 1,
    GZ_PLY_Z = 2,
    GZ_PLY_CORNERS = 3
} gz_ply_role;

typedef struct gz_ply_property {
    bool list;
    gz_ply_type count_type; ///< of lists
    gz_ply_type type;
    gz_ply_role role;
} gz_ply_property;

typedef enum gz_ply_kind { GZ_PLY_SKIPPED, GZ_PLY_VERTEX, GZ_PLY_FACE } gz_ply_kind;

typedef struct gz_ply_element {
    gz_ply_kind kind;
    gz_word name;
    uint64_t count;
    int32_t first, property_count; ///< in gz_ply_header.properties
} gz_ply_element;

typedef enum gz_ply_format { GZ_PLY_ASCII, GZ_PLY_LITTLE, GZ_PLY_BIG } gz_ply_format;

typedef struct gz_ply_header {
    gz_ply_format format;
    gz_ply_element elements[GZ_PLY_ELEMENTS];
    gz_ply_property properties[GZ_PLY_PROPERTIES];
    int32_t element_count, property_count;
    uint64_t vertex_count, face_count;
} gz_ply_header;

/// Bytes of a value in a binary file.
int gz_ply_type_size(gz_ply_type type);

/// Reads and judges the header; on success the cursor is at the first byte of the body.
graze_status gz_ply_header_read(gz_ply_header *header, const gz_mesh_input *input,
                                gz_text_cursor *cursor, graze_error *error);

#endif
