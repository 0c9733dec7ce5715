#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/mesh/gltf_internal.h"
#include "load/token.h"

// ------------------------------------------------------------------------------------ where from

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Decodes into fresh memory; *fine is false for what is no base64, NULL alone is lack of memory.
static char *decode_base64(const char *text, size_t *size, bool *fine) {
    size_t n = strlen(text), filled = 0;
    while (n && text[n - 1] == '=') n--;
    char *bytes = gz_malloc(n / 4 * 3 + 3, 1);
    *fine = n % 4 != 1;
    if (!bytes) return NULL;
    uint32_t bits = 0;
    for (size_t i = 0; i < n && *fine; i++) {
        int digit = base64_digit(text[i]);
        *fine = digit >= 0;
        bits = bits << 6 | (uint32_t)(digit & 63);
        if (i % 4 == 0) continue; // of 8 bits each, the first digit has 6
        bytes[filled++] = (char)(unsigned char)(bits >> (2 * (3 - i % 4)) & 0xff);
    }
    *size = filled;
    return bytes;
}

/// Undoes %20 and the like in place; false for what is no name of a file beside this one.
static bool decode_name(char *name) {
    for (const char *p = name; (p = strchr(p, '%')); p++)
        if (gz_hex_digit(p[1]) < 0 || gz_hex_digit(p[2]) < 0 || (p[1] == '0' && p[2] == '0'))
            return false;
    gz_percent_decode(name);
    return name[0] && !strpbrk(name, "/\\:") && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static graze_status open_beside(gz_gltf *g, size_t index, const char *uri, gz_gltf_buffer *buffer) {
    const char *path = g->m->path, *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *name = gz_string_copy(uri);
    if (!name) return gz_fail_memory(g->m->error);
    if (!decode_name(name)) {
        gz_free(name);
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "buffers", index,
                            "uri '%.100s'; allowed: the plain name of a file beside this one, or "
                            "base64 data",
                            uri);
    }
    char *full = gz_string_format("%.*s%s", (int)folder, path, name);
    gz_free(name);
    if (!full) return gz_fail_memory(g->m->error);
    graze_status status = gz_load_read(full, g->m->options->files, g->m->options->limits.file_bytes,
                                       &buffer->owned, &buffer->size, g->m->error);
    gz_free(full);
    buffer->bytes = buffer->owned;
    return status;
}

static graze_status open_data(gz_gltf *g, size_t index, const char *uri, gz_gltf_buffer *buffer) {
    const char *comma = strchr(uri, ',');
    bool fine = comma && comma - uri >= 7 && memcmp(comma - 7, ";base64", 7) == 0;
    if (fine) {
        buffer->owned = decode_base64(comma + 1, &buffer->size, &fine);
        if (!buffer->owned) return gz_fail_memory(g->m->error);
        buffer->bytes = buffer->owned;
    }
    if (fine) return GRAZE_OK;
    return gz_gltf_fail(g, GRAZE_ERROR_PARSE, "buffers", index,
                        "a data: URI that is not base64; allowed: data:...;base64,...");
}

static graze_status load_buffer(gz_gltf *g, size_t index) {
    gz_gltf_buffer *buffer = &g->buffers[index];
    json_t *object;
    uint64_t length;
    GZ_TRY(gz_gltf_element(g, "buffers", index, &object));
    GZ_TRY(gz_gltf_whole(g, object, "byteLength", 0, &length));
    GZ_TRY(gz_mesh_check_memory(g->m, length, "a buffer"));
    const char *uri = json_string_value(json_object_get(object, "uri"));
    if (!uri && index == 0 && g->chunk)
        *buffer = (gz_gltf_buffer){g->chunk, g->chunk_size, NULL};
    else if (!uri)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "buffers", index,
                            "no uri; allowed: none only for the first buffer of a GLB with a BIN "
                            "chunk");
    else if (strncmp(uri, "data:", 5) == 0)
        GZ_TRY(open_data(g, index, uri, buffer));
    else
        GZ_TRY(open_beside(g, index, uri, buffer));
    // What was read stays in memory, however small its byteLength.
    if (buffer->owned) g->read_bytes += buffer->size;
    GZ_TRY(gz_mesh_check_memory(g->m, g->read_bytes, "the buffers"));
    if (buffer->size < length)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "buffers", index,
                            "byteLength is %" PRIu64 ", there are %zu bytes; allowed: no more than "
                            "there are",
                            length, buffer->size);
    buffer->size = (size_t)length;
    return GRAZE_OK;
}

graze_status gz_gltf_load_buffers(gz_gltf *g) {
    size_t count = json_array_size(json_object_get(g->root, "buffers"));
    const graze_limits *limits = &g->m->options->limits;
    if (count > limits->elements)
        return gz_gltf_fail(g, GRAZE_ERROR_LIMIT, "buffers", count,
                            "%zu buffers; allowed: elements of %" PRIu32, count, limits->elements);
    g->buffers = gz_calloc(count, sizeof *g->buffers);
    if (!g->buffers) return gz_fail_memory(g->m->error);
    g->buffer_count = count;
    for (size_t i = 0; i < count; i++) GZ_TRY(load_buffer(g, i));
    return GRAZE_OK;
}

void gz_gltf_free_buffers(gz_gltf *g) {
    for (size_t i = 0; i < g->buffer_count; i++) gz_free(g->buffers[i].owned);
    gz_free(g->buffers);
}

// ------------------------------------------------------------------------------------ accessors

/// glTF's componentType of GZ_I8; the others follow in order.
enum { FIRST_TYPE = 5120 };

/// Bounds the accessor by its view, and the view by its buffer, in 64 bits.
static graze_status locate(const gz_gltf *g, size_t index, const json_t *accessor, uint64_t width,
                           gz_gltf_values *values) {
    uint64_t view_index, buffer, view_offset, view_size, offset;
    json_t *view;
    GZ_TRY(gz_gltf_whole(g, accessor, "bufferView", GZ_GLTF_NONE, &view_index));
    if (view_index == GZ_GLTF_NONE)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "accessors", index, "no bufferView; allowed: one");
    GZ_TRY(gz_gltf_element(g, "bufferViews", view_index, &view));
    GZ_TRY(gz_gltf_whole(g, view, "buffer", GZ_GLTF_NONE, &buffer));
    GZ_TRY(gz_gltf_whole(g, view, "byteOffset", 0, &view_offset));
    GZ_TRY(gz_gltf_whole(g, view, "byteLength", 0, &view_size));
    GZ_TRY(gz_gltf_whole(g, view, "byteStride", width, &values->stride));
    GZ_TRY(gz_gltf_whole(g, accessor, "byteOffset", 0, &offset));
    if (buffer >= g->buffer_count)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "bufferViews", (size_t)view_index,
                            "buffer %" PRIu64 " of %zu; allowed: one that there is, counted from 0",
                            buffer, g->buffer_count);
    uint64_t size = g->buffers[buffer].size;
    if (view_offset > size || view_size > size - view_offset)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "bufferViews", (size_t)view_index,
                            "%" PRIu64 " bytes from %" PRIu64 "; allowed: within the %" PRIu64
                            " bytes of the buffer",
                            view_size, view_offset, size);
    if (values->stride < width || values->stride > 252)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "bufferViews", (size_t)view_index,
                            "byteStride %" PRIu64 "; allowed: %" PRIu64 " to 252", values->stride,
                            width);
    if (offset > view_size || width > view_size - offset ||
        values->count - 1 > (view_size - offset - width) / values->stride)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "accessors", index,
                            "%" PRIu64 " values of %" PRIu64 " bytes from %" PRIu64 "; allowed: "
                            "within the %" PRIu64 " bytes of the view",
                            values->count, width, offset, view_size);
    values->bytes = g->buffers[buffer].bytes + view_offset + offset;
    return GRAZE_OK;
}

graze_status gz_gltf_values_get(const gz_gltf *g, uint64_t accessor, int width,
                                gz_gltf_values *values) {
    *values = (gz_gltf_values){0};
    json_t *object;
    uint64_t type;
    GZ_TRY(gz_gltf_element(g, "accessors", accessor, &object));
    GZ_TRY(gz_gltf_whole(g, object, "componentType", 0, &type));
    GZ_TRY(gz_gltf_whole(g, object, "count", 0, &values->count));
    size_t index = (size_t)accessor;
    if (json_object_get(object, "sparse"))
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "accessors", index,
                            "sparse; allowed: plain accessors");
    const char *shape = json_string_value(json_object_get(object, "type"));
    if (!shape || strcmp(shape, width == 3 ? "VEC3" : "SCALAR") != 0)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "accessors", index,
                            "type '%.20s'; allowed here: %s", shape ? shape : "",
                            width == 3 ? "VEC3" : "SCALAR");
    bool is_index = width == 1;
    const unsigned indices = 1 << GZ_U8 | 1 << GZ_U16 | 1 << GZ_U32;
    const unsigned coordinates = 1 << GZ_I8 | 1 << GZ_U8 | 1 << GZ_I16 | 1 << GZ_U16 | 1 << GZ_F32;
    if (type - FIRST_TYPE > GZ_F32 ||
        !((is_index ? indices : coordinates) >> (type - FIRST_TYPE) & 1))
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "accessors", index,
                            "componentType %" PRIu64 "; allowed here: %s", type,
                            is_index ? "5121, 5123, 5125" : "5120 to 5123, 5126");
    if (values->count == 0)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "accessors", index,
                            "count is 0; allowed: above 0");
    values->type = (gz_number_type)(type - FIRST_TYPE);
    values->normalized = json_is_true(json_object_get(object, "normalized"));
    return locate(g, index, object, gz_number_size(values->type) * (uint64_t)width, values);
}

double gz_gltf_value(const gz_gltf_values *values, uint64_t i, size_t k) {
    static const double most[] = {127, 255, 32767, 65535};
    const char *at = values->bytes + i * values->stride + k * gz_number_size(values->type);
    double value = gz_load_number(values->type, at, false);
    if (!values->normalized || values->type > GZ_U16) return value;
    return fmax(value / most[values->type], -1.0);
}
