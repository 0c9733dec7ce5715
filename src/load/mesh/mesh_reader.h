/// What all readers of mesh formats work on, and the steps that they share: scale, range, budget,
/// nodes and polygons.
#ifndef GZ_LOAD_MESH_MESH_READER_H
#define GZ_LOAD_MESH_MESH_READER_H

#include <math.h>

#include "base/error.h"
#include "graze/mesh_report.h"
#include "load/mesh/affine.h"
#include "load/mesh/mesh_file.h"
#include "load/token.h"
#include "mesh/mesh.h"

/// Polygons of one file: scratch memory, and what there is to warn of.
typedef struct gz_polygons {
    uint32_t *corners; ///< of the polygon at hand; the format's reader fills them
    size_t capacity;
    uint32_t *rest;
    size_t rest_capacity;
    uint64_t work;  ///< corner comparisons done so far
    uint64_t fans;  ///< polygons that may be concave and were cut as a fan all the same
    size_t skipped; ///< faces of one or two corners
} gz_polygons;

/// One mesh file: where it comes from and what it becomes.
typedef struct gz_mesh_reader {
    const char *path;  ///< for messages, and for glTF's neighbours
    const char *bytes; ///< the file, NUL-terminated beyond size
    size_t size;
    double scale[3];
    bool points_only; ///< PLY: only vertices are wanted; faces are skipped and need not be there
    const graze_load_options *options;
    gz_mesh_budget *budget; ///< what is left; the soup under construction is not yet taken
    bool secret; ///< nothing shows that the file is a mesh, and the caller did not name it: errors
                 ///< quote nothing of it (docs/errors.md)
    gz_warnings *warnings;
    graze_error *error;        ///< the caller's; may be NULL
    gz_soup *soup;             ///< gets the vertices and triangles
    graze_mesh_report *report; ///< gets every node with geometry (Collada, glTF); NULL for none
    size_t node_capacity;      ///< of report->nodes
    gz_text_cursor cursor;     ///< text formats: where the reader is
    uint64_t row;              ///< text formats: the facet, face or row being read, from 1
    gz_polygons polygons;
    uint64_t lines;         ///< what else has no surface and is left out
    const char *lines_name; ///< of those: "lines"
} gz_mesh_reader;

/// A place in the file: line 0 for binary files.
static inline gz_place gz_mesh_place(const gz_mesh_reader *r, int32_t line) {
    return (gz_place){.file = r->path, .line = line};
}

/// Fails at a line: `gz_mesh_fail(r, 0, GRAZE_ERROR_MESH, "%zu bytes; allowed: 84", r->size)`
#define gz_mesh_fail(r, line, status, ...)                                                         \
    gz_fail_at((r)->error, status, gz_mesh_place(r, line), __VA_ARGS__)

/// How binary files store numbers.
typedef enum gz_number_type {
    GZ_I8,
    GZ_U8,
    GZ_I16,
    GZ_U16,
    GZ_I32,
    GZ_U32,
    GZ_F32,
    GZ_F64
} gz_number_type;

/// Bytes of a number.
static inline size_t gz_number_size(gz_number_type type) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

/// Two bytes as a number, little-endian or big-endian.
static inline uint16_t gz_load_u16(const char *p, bool big) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint16_t)(big ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}

/// Four bytes as a number, little-endian or big-endian.
static inline uint32_t gz_load_u32(const char *p, bool big) {
    const unsigned char *b = (const unsigned char *)p;
    uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                    (uint32_t)b[3] << 24;
    return big ? __builtin_bswap32(bits) : bits;
}

/// A stored number: a double holds those of every type.
static inline double gz_load_number(gz_number_type type, const char *p, bool big) {
    const unsigned char *b = (const unsigned char *)p;
    uint32_t bits;
    uint64_t wide;
    float single;
    double value;
    switch (type) {
    case GZ_I8:
        return (int8_t)b[0];
    case GZ_U8:
        return b[0];
    case GZ_I16:
        return (int16_t)gz_load_u16(p, big);
    case GZ_U16:
        return gz_load_u16(p, big);
    case GZ_I32:
        return (int32_t)gz_load_u32(p, big);
    case GZ_U32:
        return gz_load_u32(p, big);
    case GZ_F32:
        bits = gz_load_u32(p, big);
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    case GZ_F64:
        break;
    }
    wide = (uint64_t)gz_load_u32(p + (big ? 0 : 4), big) << 32 |
           gz_load_u32(p + (big ? 4 : 0), big);
    memcpy(&value, &wide, sizeof value);
    return value;
}

/// Reads the file r->path, and has `read` make a soup of it, which is then r->soup; NULL on
/// failure.
graze_status gz_mesh_read_file(gz_mesh_reader *r, graze_status (*read)(gz_mesh_reader *r));

/// Applies the scale. False when a coordinate is then not a number or too large: the scale turns
/// file units into metres, so the range is checked after it.
static inline bool gz_mesh_scale(const gz_mesh_reader *r, const double from[3], double to[3]) {
    bool fine = true;
    for (int k = 0; k < 3; k++) {
        to[k] = from[k] * r->scale[k];
        fine &= fabs(to[k]) <= GZ_COORDINATE_MAX;
    }
    return fine;
}

/// Appends a vertex, scaled, for which there is space. False where gz_mesh_scale() refuses it.
static inline bool gz_mesh_append_vertex(gz_mesh_reader *r, const double from[3]) {
    if (!gz_mesh_scale(r, from, r->soup->vertices + 3 * r->soup->vertex_count)) return false;
    r->soup->vertex_count++;
    return true;
}

/// The error for a vertex that gz_mesh_scale() refused; `format` describes it, e.g. "facet 3".
graze_status gz_mesh_fail_vertex(const gz_mesh_reader *r, int32_t line, const double from[3],
                                 const char *format, ...) GZ_PRINTF(4, 5);

/// Makes space in the soup for so many more, when the budget and 32-bit indices allow it.
graze_status gz_mesh_reserve(const gz_mesh_reader *r, size_t more_vertices, size_t more_triangles);

/// The next carriage return, from `from` on, that is neither before a line feed nor at the end of
/// the text; NULL where there is none.
const char *gz_mesh_lone_return(const gz_mesh_reader *r, const char *from);

/// Refuses a carriage return anywhere but before a line feed or at the end of a text: it would join
/// two lines, and the second would be skipped with the first.
/// @return GRAZE_ERROR_PARSE at the line of such a one
graze_status gz_mesh_check_returns(const gz_mesh_reader *r);

/// Bytes that a soup of this size takes.
uint64_t gz_mesh_cost(uint64_t vertices, uint64_t triangles);

/// GRAZE_ERROR_LIMIT unless a temporary of so many bytes fits beside what is left.
graze_status gz_mesh_check_memory(const gz_mesh_reader *r, uint64_t bytes, const char *what);

/// Warns of what was left out or cut blindly.
void gz_mesh_warn_skipped(gz_mesh_reader *r);

// ------------------------------------------------------------------------------------------ nodes

/// Adds a node that holds geometry and its transform to the report, where one is wanted.
graze_status gz_mesh_add_node(gz_mesh_reader *r, const char *name, const gz_affine *place,
                              size_t geometry_count);

// --------------------------------------------------------------------------------------- polygons

/// Makes space for so many corners.
graze_status gz_polygon_reserve(gz_mesh_reader *r, size_t count);
/// Appends the triangles of the polygon in polygons.corners, vertex indices of the soup already
/// checked. Convex polygons become a fan around their first corner; concave ones are cut ear by
/// ear. Whatever the shape, n corners give n - 2 triangles whose directed edges sum up to the
/// polygon's, so a closed mesh stays closed; faces of fewer than 3 corners are counted and left
/// out.
graze_status gz_polygon_append(gz_mesh_reader *r, size_t count);
void gz_polygons_free(gz_polygons *polygons);

// ---------------------------------------------------------------------------------------- formats

/// Whether the bytes are a binary STL: the size is exactly what the triangle count asks for,
/// whatever the header says (many begin with "solid").
bool gz_stl_is_binary(const char *bytes, size_t size);

/// Whether the bytes are an ASCII STL: text that begins with "solid" and goes on with "facet".
bool gz_stl_is_ascii(const char *bytes, size_t size);

/// Appends the triangles of an STL file, binary or ASCII, unwelded, facet normals ignored. A file
/// that is neither is an error, by what it looks like more.
graze_status gz_stl_read(gz_mesh_reader *r);

/// Appends the faces of a Wavefront OBJ file; no other file is opened. Groups, materials, normals,
/// texture coordinates, lines and points do not count; curves and surfaces are an error, since they
/// would be left out.
graze_status gz_obj_read(gz_mesh_reader *r);

/// Whether the bytes begin as a PLY file.
bool gz_ply_is(const char *bytes, size_t size);

/// Appends the faces of a PLY file, ASCII or binary; other elements and properties are skipped, of
/// any type.
graze_status gz_ply_read(gz_mesh_reader *r);

/// Whether the bytes begin as a cloud of the Point Cloud Library.
bool gz_pcd_is(const char *bytes, size_t size);

/// Appends the points of a PCD file as vertices: text, binary or compressed. Those with a NaN are
/// left out, with a warning that counts them.
graze_status gz_pcd_read(gz_mesh_reader *r);

/// Whether the bytes begin as a binary tree of OctoMap.
bool gz_octomap_is(const char *bytes, size_t size);

/// Appends a cube for each occupied leaf of a binary OctoMap tree (.bt).
graze_status gz_octomap_read(gz_mesh_reader *r);

/// Appends the meshes of a glTF 2.0 scene (one binary file, or JSON with its buffers), node
/// transforms applied. The axes stay as they are in the file. Images are never opened; a buffer is
/// opened only when its URI is a plain name beside the file.
graze_status gz_gltf_read_glb(gz_mesh_reader *r);
graze_status gz_gltf_read_json(gz_mesh_reader *r);

#endif
