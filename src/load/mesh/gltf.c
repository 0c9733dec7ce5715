#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/affine.h"
#include "load/mesh/gltf_internal.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"

gz_place gz_gltf_place(const gz_gltf *g, const char *array, size_t index, char element[128]) {
    if (array) snprintf(element, 128, "/%s[%zu]", array, index);
    return (gz_place){.file = g->m->path, .element = element};
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

typedef struct entry {
    uint64_t node;
    uint32_t depth;
    gz_affine parent;
} entry;

typedef struct walk {
    gz_gltf *g;
    entry *stack; ///< nodes still to visit, the next one last
    size_t count, capacity;
    uint64_t visited;
    uint64_t steps; ///< what the nodes visited so far have cost beside that
} walk;

// ----------------------------------------------------------------------------------- primitives

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/// Corner k (0 to 2) of triangle i, as a position in the list of corners.
static uint64_t corner_of(uint64_t mode, uint64_t i, uint64_t k) {
    if (mode == TRIANGLES) return 3 * i + k;
    if (mode == FAN) return k == 0 ? 0 : i + k;
    // Every other triangle of a strip is turned, so that all face the same way.
    return k == 0 ? i : i + (i % 2 ? 3 - k : k);
}

static graze_status append_vertices(gz_gltf *g, size_t mesh, const gz_gltf_values *positions,
                                    const gz_affine *place) {
    for (uint64_t i = 0; i < positions->count; i++) {
        double from[3], moved[3];
        for (size_t k = 0; k < 3; k++) from[k] = gz_gltf_value(positions, i, k);
        gz_affine_apply(place, from, moved);
        if (!gz_mesh_append_vertex(g->m, moved))
            return gz_mesh_fail_vertex(g->m, 0, gz_affine_bad_point(from, moved),
                                       "vertex %" PRIu64 " of /meshes[%zu]", i, mesh);
    }
    return GRAZE_OK;
}

static graze_status append_triangles(gz_gltf *g, size_t mesh, uint64_t mode, uint64_t triangles,
                                     const gz_gltf_values *positions, const gz_gltf_values *indices,
                                     bool flip) {
    gz_soup *soup = g->m->soup;
    uint64_t base = soup->vertex_count - positions->count;
    for (uint64_t i = 0; i < triangles; i++) {
        uint32_t *triangle = soup->triangles + 3 * soup->triangle_count;
        for (uint64_t k = 0; k < 3; k++) {
            uint64_t index = corner_of(mode, i, flip && k ? 3 - k : k);
            if (indices->bytes) index = (uint64_t)gz_gltf_value(indices, index, 0);
            if (index >= positions->count)
                return gz_gltf_fail(g, GRAZE_ERROR_MESH, "meshes", mesh,
                                    "vertex index %" PRIu64 " in triangle %" PRIu64 ", of %" PRIu64
                                    " vertices; allowed: one that there is, counted from 0",
                                    index, i, positions->count);
            triangle[k] = (uint32_t)(base + index);
        }
        soup->triangle_count++;
    }
    return GRAZE_OK;
}

static graze_status append_primitive(gz_gltf *g, size_t mesh, const json_t *primitive,
                                     const gz_affine *place) {
    uint64_t mode, position, index;
    GZ_TRY(gz_gltf_whole(g, primitive, "mode", TRIANGLES, &mode));
    if (mode > FAN)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "meshes", mesh,
                            "mode %" PRIu64 "; allowed: 0 to 6", mode);
    if (mode < TRIANGLES) {
        g->m->lines++;
        return GRAZE_OK;
    }
    if (json_object_get(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression"))
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "meshes", mesh,
                            "Draco compression; allowed: plain accessors");
    gz_gltf_values positions, indices = {0};
    const json_t *attributes = json_object_get(primitive, "attributes");
    GZ_TRY(gz_gltf_whole(g, attributes, "POSITION", GZ_GLTF_NONE, &position));
    if (position == GZ_GLTF_NONE)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "meshes", mesh,
                            "a primitive without POSITION; allowed: with");
    GZ_TRY(gz_gltf_values_get(g, position, 3, &positions));
    GZ_TRY(gz_gltf_whole(g, primitive, "indices", GZ_GLTF_NONE, &index));
    if (index != GZ_GLTF_NONE) GZ_TRY(gz_gltf_values_get(g, index, 1, &indices));

    uint64_t corners = indices.bytes ? indices.count : positions.count;
    if (corners < 3 || (mode == TRIANGLES && corners % 3))
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "meshes", mesh,
                            "%" PRIu64 " corners; allowed: 3 or more, in threes for triangles",
                            corners);
    uint64_t triangles = mode == TRIANGLES ? corners / 3 : corners - 2;
    GZ_TRY(gz_mesh_reserve(g->m, positions.count, triangles));
    GZ_TRY(append_vertices(g, mesh, &positions, place));
    return append_triangles(g, mesh, mode, triangles, &positions, &indices,
                            gz_affine_determinant(place) < 0);
}

/// Looks at a mesh take time in its primitives and weights, and any number of nodes may have it: as
/// much is fine as would be for XML, a primitive counted as 16 elements.
static graze_status check_steps(walk *w, uint64_t index, const json_t *node, uint64_t mesh) {
    const uint32_t elements = w->g->m->options->limits.elements;
    const json_t *all = json_object_get(w->g->root, "meshes");
    const json_t *object = json_array_get(all, (size_t)mesh);
    w->steps += 16 * (uint64_t)json_array_size(json_object_get(object, "primitives")) +
                json_array_size(json_object_get(object, "weights")) +
                json_array_size(json_object_get(node, "weights"));
    if (w->steps <= 64 * (uint64_t)elements) return GRAZE_OK;
    return gz_gltf_fail(w->g, GRAZE_ERROR_LIMIT, "nodes", (size_t)index,
                        "more than %" PRIu64 " primitives or %" PRIu64 " weights, repeated nodes "
                        "counted; allowed: 4 and 64 times elements of %" PRIu32,
                        4 * (uint64_t)elements, 64 * (uint64_t)elements, elements);
}

static graze_status append_mesh(gz_gltf *g, uint64_t index, const gz_affine *place) {
    json_t *mesh;
    GZ_TRY(gz_gltf_element(g, "meshes", index, &mesh));
    double det = gz_affine_determinant(place);
    if (!isfinite(det) || det == 0)
        return gz_gltf_fail(g, GRAZE_ERROR_RANGE, "meshes", (size_t)index,
                            "node transforms flatten it or overflow; allowed: a determinant other "
                            "than 0");
    json_t *primitives = json_object_get(mesh, "primitives");
    if (json_array_size(primitives) == 0)
        return gz_gltf_fail(g, GRAZE_ERROR_MESH, "meshes", (size_t)index,
                            "no primitives; allowed: at least 1");
    for (size_t i = 0; i < json_array_size(primitives); i++)
        GZ_TRY(append_primitive(g, (size_t)index, json_array_get(primitives, i), place));
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- nodes

/// Reads `count` numbers; false when the array is there and is not that.
static bool read_numbers(const json_t *node, const char *key, size_t count, double *values) {
    const json_t *array = json_object_get(node, key);
    if (!array) return true;
    if (json_array_size(array) != count) return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) return false;
        values[i] = json_number_value(number);
    }
    return true;
}

/// Whether weights, if there are any, leave every morph target out.
static bool all_zero(const json_t *weights) {
    bool fine = !weights || json_is_array(weights);
    for (size_t i = 0; i < json_array_size(weights) && fine; i++) {
        const json_t *weight = json_array_get(weights, i);
        fine = json_is_number(weight) && json_number_value(weight) == 0;
    }
    return fine;
}

/// Refuses what moves a mesh's vertices away from their POSITION: a skeleton, which takes the place
/// of the node's transform, and morph targets that count at rest (the node's weights before the
/// mesh's).
static graze_status check_deformation(const gz_gltf *g, uint64_t index, const json_t *node,
                                      uint64_t mesh) {
    if (json_object_get(node, "skin"))
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "nodes", (size_t)index,
                            "a mesh that hangs on a skeleton; allowed: no \"skin\"");
    const json_t *all = json_object_get(g->root, "meshes");
    const json_t *weights = json_object_get(node, "weights");
    if (!weights) weights = json_object_get(json_array_get(all, (size_t)mesh), "weights");
    if (all_zero(weights)) return GRAZE_OK;
    return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "nodes", (size_t)index,
                        "a mesh with morph targets at work; allowed: \"weights\" of 0");
}

/// Translation, rotation (a quaternion x y z w, normalised here) and scale, in that order.
static gz_affine compose(const double t[3], const double q[4], const double s[3]) {
    double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double f = n >= 0x1p-500 ? 2.0 / n : (double)INFINITY; // below, squares have lost their digits
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return (gz_affine){{{(1.0 - f * (y * y + z * z)) * s[0], f * (x * y - z * w) * s[1],
                         f * (x * z + y * w) * s[2], t[0]},
                        {f * (x * y + z * w) * s[0], (1.0 - f * (x * x + z * z)) * s[1],
                         f * (y * z - x * w) * s[2], t[1]},
                        {f * (x * z - y * w) * s[0], f * (y * z + x * w) * s[1],
                         (1.0 - f * (x * x + y * y)) * s[2], t[2]}}};
}

static graze_status node_transform(const gz_gltf *g, uint64_t index, const json_t *node,
                                   gz_affine *out) {
    double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    bool fine = read_numbers(node, "matrix", 16, m) && read_numbers(node, "translation", 3, t) &&
                read_numbers(node, "rotation", 4, q) && read_numbers(node, "scale", 3, s);
    if (fine && json_object_get(node, "matrix")) { // in columns
        static const char *const others[] = {"translation", "rotation", "scale"};
        for (int i = 0; i < 3; i++)
            if (json_object_get(node, others[i]))
                return gz_gltf_fail(g, GRAZE_ERROR_PARSE, "nodes", (size_t)index,
                                    "both matrix and %s; allowed: one of them", others[i]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) out->m[i][j] = m[4 * j + i];
        fine = gz_affine_is_last_row(m[3], m[7], m[11], m[15]);
    } else if (fine) {
        *out = compose(t, q, s);
    }
    if (fine && gz_affine_is_finite(out)) return GRAZE_OK;
    return gz_gltf_fail(g, GRAZE_ERROR_RANGE, "nodes", (size_t)index,
                        "matrix, translation, rotation or scale is not a finite affine transform; "
                        "allowed: 16, 3, 4 and 3 numbers, no zero quaternion");
}

static graze_status push(walk *w, const json_t *index, const gz_affine *parent, uint32_t depth) {
    const graze_limits *limits = &w->g->m->options->limits;
    if (!json_is_integer(index) || json_integer_value(index) < 0)
        return gz_gltf_fail(w->g, GRAZE_ERROR_PARSE, NULL, 0,
                            "a node index that is not a whole number; allowed: 0 or more");
    if (depth > limits->depth)
        return gz_gltf_fail(w->g, GRAZE_ERROR_LIMIT, "nodes", (size_t)json_integer_value(index),
                            "nodes nest deeper than %" PRIu32 ", or in a circle; allowed: depth of "
                            "%" PRIu32,
                            limits->depth, limits->depth);
    if (++w->visited > limits->elements)
        return gz_gltf_fail(w->g, GRAZE_ERROR_LIMIT, "nodes", (size_t)json_integer_value(index),
                            "more than %" PRIu32 " nodes, repeated ones counted; allowed: elements "
                            "of %" PRIu32,
                            limits->elements, limits->elements);
    if (!GZ_RESERVE(w->stack, w->capacity, w->count + 1)) return gz_fail_memory(w->g->m->error);
    w->stack[w->count++] = (entry){(uint64_t)json_integer_value(index), depth, *parent};
    return GRAZE_OK;
}

/// Last one first, so that they are taken off the stack in order.
static graze_status push_all(walk *w, const json_t *indices, const gz_affine *parent,
                             uint32_t depth) {
    if (indices && !json_is_array(indices))
        return gz_gltf_fail(w->g, GRAZE_ERROR_PARSE, NULL, 0,
                            "nodes or children that are no list; allowed: a list of node indices");
    for (size_t i = json_array_size(indices); i-- > 0;)
        GZ_TRY(push(w, json_array_get(indices, i), parent, depth));
    return GRAZE_OK;
}

static graze_status visit(walk *w, const entry *at) {
    gz_gltf *g = w->g;
    json_t *node;
    gz_affine own = {0}, place;
    uint64_t mesh;
    GZ_TRY(gz_gltf_element(g, "nodes", at->node, &node));
    GZ_TRY(node_transform(g, at->node, node, &own));
    GZ_TRY(gz_gltf_whole(g, node, "mesh", GZ_GLTF_NONE, &mesh));
    if (json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing"))
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, "nodes", (size_t)at->node,
                            "EXT_mesh_gpu_instancing; allowed: a node for each instance");
    place = gz_affine_multiply(&at->parent, &own);
    if (mesh != GZ_GLTF_NONE) {
        GZ_TRY(check_steps(w, at->node, node, mesh));
        GZ_TRY(check_deformation(g, at->node, node, mesh));
        GZ_TRY(append_mesh(g, mesh, &place));
        const char *name = json_string_value(json_object_get(node, "name"));
        GZ_TRY(gz_mesh_add_node(g->m, name, &place, 1));
    }
    return push_all(w, json_object_get(node, "children"), &place, at->depth + 1);
}

/// Appends the meshes of the scene's nodes.
static graze_status append_scene(gz_gltf *g) {
    json_t *scene;
    uint64_t index;
    size_t scenes = json_array_size(json_object_get(g->root, "scenes"));
    if (scenes > 1 && !json_object_get(g->root, "scene"))
        return gz_gltf_fail(g, GRAZE_ERROR_UNSUPPORTED, NULL, 0,
                            "%zu scenes, and no \"scene\" says which is shown; allowed: "
                            "\"scene\", or one scene",
                            scenes);
    GZ_TRY(gz_gltf_whole(g, g->root, "scene", 0, &index));
    GZ_TRY(gz_gltf_element(g, "scenes", index, &scene));
    walk w = {.g = g};
    gz_affine identity = gz_affine_scale(1.0);
    graze_status status = push_all(&w, json_object_get(scene, "nodes"), &identity, 1);
    while (!status && w.count) {
        entry at = w.stack[--w.count];
        status = visit(&w, &at);
    }
    gz_free(w.stack);
    return status;
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
    const graze_limits *limits = &g->m->options->limits;
    uint64_t memory;
    uint32_t depth = nesting(bytes, size, &memory);
    if (depth > limits->depth)
        return gz_gltf_fail(g, GRAZE_ERROR_LIMIT, NULL, 0,
                            "JSON nests %" PRIu32 " deep; allowed: depth of %" PRIu32, depth,
                            limits->depth);
    GZ_TRY(gz_mesh_check_memory(g->m, memory, "JSON"));
    json_error_t why;
    g->root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &why);
    if (!g->root) {
        if (json_error_code(&why) == json_error_out_of_memory) return gz_fail_memory(g->m->error);
        gz_place place = {.file = g->m->path, .line = why.line, .column = why.column};
        return gz_fail_at(g->m->error, GRAZE_ERROR_PARSE, place, "not JSON: %s", why.text);
    }
    g->m->lines_name = "primitives of points or lines";
    graze_status status = check_asset(g);
    if (!status) status = gz_gltf_load_buffers(g);
    if (!status) status = append_scene(g);
    gz_gltf_free_buffers(g);
    json_decref(g->root);
    return status;
}

graze_status gz_gltf_read_json(gz_mesh_reader *r) {
    size_t mark = gz_byte_order_mark(r->bytes, r->size);
    return read_document(&(gz_gltf){.m = r}, r->bytes + mark, r->size - mark);
}

// ------------------------------------------------------------------------------------------ GLB

enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };
#define CHUNK_JSON UINT32_C(0x4e4f534a)
#define CHUNK_BIN  UINT32_C(0x004e4942)

/// The chunk at *at, which moves behind it; false when it does not fit.
static bool next_chunk(const gz_mesh_reader *r, size_t *at, uint32_t *type, const char **bytes,
                       size_t *size) {
    size_t left = r->size - *at;
    if (left < CHUNK_HEADER) return false;
    *size = gz_load_u32(r->bytes + *at, false);
    *type = gz_load_u32(r->bytes + *at + 4, false);
    *bytes = r->bytes + *at + CHUNK_HEADER;
    if (*size > left - CHUNK_HEADER) return false;
    *at += CHUNK_HEADER + *size;
    return true;
}

graze_status gz_gltf_read_glb(gz_mesh_reader *r) {
    gz_gltf g = {.m = r};
    if (r->size < GLB_HEADER || memcmp(r->bytes, "glTF", 4) != 0)
        return gz_gltf_fail(&g, GRAZE_ERROR_PARSE, NULL, 0,
                            "does not begin as GLB; allowed: \"glTF\" and a header of 12 bytes");
    uint32_t version = gz_load_u32(r->bytes + 4, false), length = gz_load_u32(r->bytes + 8, false);
    if (version != 2)
        return gz_gltf_fail(&g, GRAZE_ERROR_UNSUPPORTED, NULL, 0,
                            "GLB version %" PRIu32 "; allowed: 2", version);
    if (length != r->size)
        return gz_gltf_fail(&g, GRAZE_ERROR_MESH, NULL, 0,
                            "GLB of %zu bytes says %" PRIu32 "; allowed: the same", r->size,
                            length);
    size_t at = GLB_HEADER, json_size, size;
    const char *json, *bytes;
    uint32_t type;
    if (!next_chunk(r, &at, &type, &json, &json_size) || type != CHUNK_JSON)
        return gz_gltf_fail(&g, GRAZE_ERROR_MESH, NULL, 0,
                            "the first chunk is not whole, or not JSON; allowed: JSON");
    while (at < r->size) {
        if (!next_chunk(r, &at, &type, &bytes, &size))
            return gz_gltf_fail(&g, GRAZE_ERROR_MESH, NULL, 0,
                                "a chunk ends beyond the file; allowed: whole chunks");
        if (type != CHUNK_BIN || g.chunk) continue;
        g.chunk = bytes;
        g.chunk_size = size;
    }
    return read_document(&g, json, json_size);
}
