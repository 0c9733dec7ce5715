/// glTF 2.0, as one binary file (GLB) or as JSON with its buffers beside it.
///
/// What a mesh needs of glTF is small (accessors, primitives, nodes), and every number in it that
/// could lead a reader astray can be judged when it is met; so this is a reader of its own.
#ifndef GZ_LOAD_MESH_GLTF_INTERNAL_H
#define GZ_LOAD_MESH_GLTF_INTERNAL_H

#include <jansson.h>

#include "load/mesh/mesh_input.h"

typedef struct gz_gltf_buffer {
    const char *bytes;
    size_t size;
    char *owned; ///< what to free, or NULL
} gz_gltf_buffer;

typedef struct gz_gltf {
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    json_t *root;
    const char *chunk; ///< the binary chunk of a GLB, or NULL
    size_t chunk_size;
    gz_gltf_buffer *buffers;
    size_t buffer_count;
    uint64_t read_bytes; ///< in buffers that are owned
    size_t skipped;      ///< primitives of points and lines
} gz_gltf;

/// An error at an element of one of the document's arrays, e.g. /accessors[3]; `array` may be NULL.
graze_status gz_gltf_fail(const gz_gltf *g, graze_status status, const char *array, size_t index,
                          const char *format, ...) GZ_PRINTF(5, 6);

/// Element `index` of a top-level array, which must be an object.
graze_status gz_gltf_element(const gz_gltf *g, const char *array, uint64_t index, json_t **object);
/// A whole number of an object; `missing` where it is not there.
graze_status gz_gltf_whole(const gz_gltf *g, const json_t *object, const char *key,
                           uint64_t missing, uint64_t *value);

#define GZ_GLTF_NONE UINT64_MAX

/// A run of values in a buffer, checked to lie inside it.
typedef struct gz_gltf_values {
    const char *bytes;
    uint64_t count, stride;
    uint32_t type; ///< glTF componentType
    bool normalized;
} gz_gltf_values;

graze_status gz_gltf_load_buffers(gz_gltf *g);
void gz_gltf_free_buffers(gz_gltf *g);
/// @param width components of each value that are wanted: 1 (SCALAR) or 3 (VEC3)
graze_status gz_gltf_values_get(const gz_gltf *g, uint64_t accessor, int width,
                                gz_gltf_values *values);
/// Component k of value i.
double gz_gltf_value(const gz_gltf_values *values, uint64_t i, int k);

/// Appends the meshes of the scene's nodes.
graze_status gz_gltf_append_scene(gz_gltf *g);

#endif
