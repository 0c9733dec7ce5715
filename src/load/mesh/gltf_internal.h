/// glTF 2.0, as one binary file (GLB) or as JSON with its buffers beside it.
#ifndef GZ_LOAD_MESH_GLTF_INTERNAL_H
#define GZ_LOAD_MESH_GLTF_INTERNAL_H

#include <jansson.h>

#include "load/mesh/mesh_reader.h"

typedef struct gz_gltf_buffer {
    const char *bytes;
    size_t size;
    char *owned; ///< what to free, or NULL
} gz_gltf_buffer;

typedef struct gz_gltf {
    gz_mesh_reader *m;
    json_t *root;
    const char *chunk; ///< the binary chunk of a GLB, or NULL
    size_t chunk_size;
    gz_gltf_buffer *buffers;
    size_t buffer_count;
    uint64_t read_bytes; ///< in buffers that are owned
} gz_gltf;

/// The place of an element of one of the document's arrays, e.g. /accessors[3], which is written to
/// `element`; `array` may be NULL: then `element` stays.
gz_place gz_gltf_place(const gz_gltf *g, const char *array, size_t index, char element[128]);

/// Fails there.
#define gz_gltf_fail(g, status, array, index, ...)                                                 \
    gz_fail_at((g)->m->error, status, gz_gltf_place(g, array, index, (char[128]){0}), __VA_ARGS__)

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
    gz_number_type type;
    bool normalized;
} gz_gltf_values;

graze_status gz_gltf_load_buffers(gz_gltf *g);
void gz_gltf_free_buffers(gz_gltf *g);
/// @param width components of each value that are wanted: 1 (SCALAR) or 3 (VEC3)
graze_status gz_gltf_values_get(const gz_gltf *g, uint64_t accessor, int width,
                                gz_gltf_values *values);
/// Component k of value i.
double gz_gltf_value(const gz_gltf_values *values, uint64_t i, size_t k);

#endif
