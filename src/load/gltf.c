#include "load/mesh/gltf_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

graze_status gz_gltf_fail(const gz_gltf *g, graze_status status, const char *array, size_t index,
                          const char *format, ...) {
    char message[512], element[128];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(element, sizeof element, "/%s[%zu]", array ? array : "", index);
    gz_place place = {.file = g->input->path, .element = array ? element : NULL};
    return gz_fail_at(g->error, status, place, "%s", message);
}

graze_status gz_gltf_element(const gz_gltf *g, const char *array, uint64_t index, json_t **object) {
    json_t *all = json_object_get(g->root, array);
    *object = index < json_array_size(all) ? json_array_get(all, (size_t)index) : NULL;
    if (json_is_object(*object)) return GRAZE_OK;
    return gz_gltf_fail(g, GRAZE_ERROR_MESH, array, (size_t)index,
                        "not there, or not an object; allowed: objects, %zu there are",
                        json_array_size(all));
}

graze_status gz_gltf_whole(const gz_gltf *g, const json_t *object, const char *key,
                           uint64_t missing, uint64_t *value) {
    const json_t *number = json_object_get(object, key);
    *value = missing;
    if (!number) return GRAZE_OK;
    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return gz_gltf_fail(g, GRAZE_ERROR_PARSE, NULL, 0,
                            "\"%s\" is not a whole number; allowed: 0 or more", key);
    *value = (uint64_t)json_integer_value(number);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- document

/// Extensions that change nothing about a mesh's triangles, or that are read.
static bool is_harmless(const char *extension) {
    static const char *const prefixes[] = {"KHR_materials_", "KHR_texture_",
                                           "KHR_lights_",    "EXT_texture_",
                                           "MSFT_texture_",  "KHR_mesh_quantization"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(extension, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static graze_status check_asset(const gz_gltf *g) {
    const char *version = json_string_value(
        json_object_get(json_object_get(g->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2) != 0)
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, NULL, 0,
                            "glTF version '%.20s'; allowed: 2.x", version ? version : "");
    json_t *required = json_object_get(g->root, "extensionsRequired");
    if (required && !json_is_array(required))
        return gz_gltf_fail(g, GRAZE_ERROR_PARSE, NULL, 0,
                            "extensionsRequired is no list; allowed: a list of names");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (!name || !is_harmless(name))
            return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "extensionsRequired", i,
                                "'%.80s'; allowed: KHR_mesh_quantization, and what concerns "
                                "materials, textures and lights",
                                name ? name : "");
    }
    return GRAZE_OK;
}

/// How deep brackets nest, strings aside, and about how much memory jansson takes: for an empty
/// object 224 bytes and its place in a list, for a member 112 and its key, for a string 80 and its
/// text, which is copied as its buffer grows, for a number 32.
static uint32_t nesting(const char *bytes, size_t size, uint64_t *memory) {
    uint32_t depth = 0, deepest = 0;
    uint64_t taken = 4 * (uint64_t)size;
    bool in_string = false;
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        if (in_string) {
            if (c == '\\') i++;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
            taken += 96;
        } else if (c == ',' || c == ':') {
            taken += 64;
        } else if (c == '[' || c == '{') {
            taken += 256;
            if (++depth > deepest) deepest = depth;
        } else if ((c == ']' || c == '}') && depth) {
            depth--;
        }
    }
    *memory = taken;
    return deepest;
}

static graze_status read_document(gz_gltf *g, const char *bytes, size_t size) {
    const graze_limits *limits = &g->input->options->limits;
    uint64_t memory;
    uint32_t depth = nesting(bytes, size, &memory);
    if (depth > limits->depth)
        return gz_gltf_fail(g, GRAZE_ERROR_LIMIT, NULL, 0,
                            "JSON nests %" PRIu32 " deep; allowed: depth of %" PRIu32, depth,
                            limits->depth);
    graze_status status = gz_mesh_check_memory(g->input, memory, "JSON", g->error);
    if (status) return status;
    json_error_t why;
    g->root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &why);
    if (!g->root) {
        if (json_error_code(&why) == json_error_out_of_memory) return gz_fail_memory(g->error);
        gz_place place = {.file = g->input->path, .line = why.line, .column = why.column};
        return gz_fail_at(g->error, GRAZE_ERROR_PARSE, place, "not JSON: %s", why.text);
    }
    status = check_asset(g);
    if (!status) status = gz_gltf_load_buffers(g);
    if (!status) status = gz_gltf_append_scene(g);
    gz_gltf_free_buffers(g);
    json_decref(g->root);
    if (status || !g->skipped) return status;
    g->soup->skipped += g->skipped;
    gz_warn(g->input->warnings, "mesh-face-without-area", gz_mesh_place(g->input, 0),
            "%zu primitives of points or lines were left out", g->skipped);
    return GRAZE_OK;
}

graze_status gz_gltf_read_json(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    gz_gltf g = {.input = input, .soup = soup, .error = error};
    size_t mark = input->size >= 3 && memcmp(input->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return read_document(&g, input->bytes + mark, input->size - mark);
}

// ------------------------------------------------------------------------------------------ GLB

static uint32_t load_u32(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };
#define CHUNK_JSON UINT32_C(0x4e4f534a)
#define CHUNK_BIN  UINT32_C(0x004e4942)

/// The chunk at *at, which moves behind it; false when it does not fit.
static bool next_chunk(const gz_mesh_input *input, size_t *at, uint32_t *type, const char **bytes,
                       size_t *size) {
    size_t left = input->size - *at;
    if (left < CHUNK_HEADER) return false;
    *size = load_u32(input->bytes + *at);
    *type = load_u32(input->bytes + *at + 4);
    *bytes = input->bytes + *at + CHUNK_HEADER;
    if (*size > left - CHUNK_HEADER) return false;
    *at += CHUNK_HEADER + *size;
    return true;
}

graze_status gz_gltf_read_glb(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    gz_gltf g = {.input = input, .soup = soup, .error = error};
    if (input->size < GLB_HEADER || memcmp(input->bytes, "glTF", 4) != 0)
        return gz_gltf_fail(&g, GRAZE_ERROR_PARSE, NULL, 0,
                            "does not begin as GLB; allowed: \"glTF\" and a header of 12 bytes");
    uint32_t version = load_u32(input->bytes + 4), length = load_u32(input->bytes + 8);
    if (version != 2)
        return gz_gltf_fail(&g, GRAZE_ERROR_UNSUPPORTED, NULL, 0,
                            "GLB version %" PRIu32 "; allowed: 2", version);
    if (length != input->size)
        return gz_gltf_fail(&g, GRAZE_ERROR_MESH, NULL, 0,
                            "GLB of %zu bytes says %" PRIu32 "; allowed: the same", input->size,
                            length);
    size_t at = GLB_HEADER, json_size, size;
    const char *json, *bytes;
    uint32_t type;
    if (!next_chunk(input, &at, &type, &json, &json_size) || type != CHUNK_JSON)
        return gz_gltf_fail(&g, GRAZE_ERROR_MESH, NULL, 0,
                            "the first chunk is not whole, or not JSON; allowed: JSON");
    while (at < input->size) {
        if (!next_chunk(input, &at, &type, &bytes, &size))
            return gz_gltf_fail(&g, GRAZE_ERROR_MESH, NULL, 0,
                                "a chunk ends beyond the file; allowed: whole chunks");
        if (type != CHUNK_BIN || g.chunk) continue;
        g.chunk = bytes;
        g.chunk_size = size;
    }
    return read_document(&g, json, json_size);
}
