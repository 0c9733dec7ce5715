// Binary trees of OctoMap (.bt), "# Octomap OcTree binary file": a header of words by line, then a
// node in two bytes, two bits for each of its children: 0 unknown, 1 free, 2 occupied, 3 one with
// children of its own, which follow in order. Each occupied leaf becomes a cube of 12 triangles.

#include <inttypes.h>
#include <math.h>

#include "load/mesh/mesh_reader.h"

/// Levels below the root. A leaf of the last one is a cube with the resolution as its edge, and
/// the root spans 2^16 of these, half of them on each side of the origin.
#define DEPTH 16

static const char magic[] = "# Octomap OcTree binary file";

typedef struct octree {
    gz_mesh_reader *reader;
    const char *at, *end; ///< of the nodes
    double resolution;
    uint64_t expected; ///< nodes, the root among them
    uint64_t nodes;    ///< read so far
} octree;

bool gz_octomap_is(const char *bytes, size_t size) {
    return size >= sizeof magic - 1 && memcmp(bytes, magic, sizeof magic - 1) == 0;
}

// ------------------------------------------------------------------------------------------ header

static graze_status read_value(octree *t, gz_word key, bool *has_size) {
    gz_mesh_reader *r = t->reader;
    gz_word value;
    if (!gz_cursor_line_word(&r->cursor, &value))
        return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE, "'%.*s' without a value",
                            gz_word_shown(key), key.text);
    if (gz_word_is(key, "id")) {
        if (gz_word_index(value, "octree coloroctree octreestamped 1") >= 0) return GRAZE_OK;
        return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_UNSUPPORTED,
                            "the id is '%.*s'; allowed: OcTree, ColorOcTree, OcTreeStamped",
                            gz_word_shown(value), value.text);
    }
    if (gz_word_is(key, "size")) {
        *has_size = gz_whole_parse(value, UINT32_MAX, &t->expected);
        if (*has_size) return GRAZE_OK;
        return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE,
                            "the size is '%.*s'; allowed: a number of nodes", gz_word_shown(value),
                            value.text);
    }
    if (!gz_number_parse(value.text, value.size, &t->resolution) || !(t->resolution > 0) ||
        t->resolution > GZ_COORDINATE_MAX)
        return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_RANGE,
                            "res is '%.*s'; allowed: above 0 and at most 2^20 m",
                            gz_word_shown(value), value.text);
    return GRAZE_OK;
}

static graze_status read_header(octree *t) {
    gz_mesh_reader *r = t->reader;
    bool has_size = false;
    for (gz_word key; gz_cursor_word(&r->cursor, &key); gz_cursor_skip_line(&r->cursor)) {
        if (key.text[0] == '#') continue;
        if (gz_word_is(key, "data")) {
            gz_cursor_skip_line(&r->cursor);
            if (has_size && t->resolution > 0) return GRAZE_OK;
            return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE,
                                "no %s before 'data'; allowed: size and res",
                                has_size ? "res" : "size");
        }
        if (gz_word_index(key, "id size res") < 0)
            return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE,
                                "'%.*s'; allowed: id, size, res, data", gz_word_shown(key),
                                key.text);
        GZ_TRY(read_value(t, key, &has_size));
    }
    return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE,
                        "the header ends without 'data'; allowed: id, size, res, data");
}

// ------------------------------------------------------------------------------------------- nodes

/// Fails at a byte of the nodes, which the message ends with.
#define fail_here(t, status, ...)                                                                  \
    gz_mesh_fail((t)->reader, 0, status, __VA_ARGS__, (size_t)((t)->at - (t)->reader->bytes))

/// A cube whose lowest corner and edge are whole multiples of the resolution, each rounded once, so
/// that cubes that touch share corners bit for bit.
static graze_status add_cube(octree *t, const int32_t low[3], int32_t edge) {
    // Corner i has the sign of bit k of i along axis k, counter-clockwise seen from outside.
    static const uint32_t faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                          {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                          {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    gz_mesh_reader *r = t->reader;
    GZ_TRY(gz_mesh_reserve(r, 8, 12));
    gz_soup *soup = r->soup;
    uint32_t first = (uint32_t)soup->vertex_count;
    for (int i = 0; i < 8; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = (low[k] + (i >> k & 1 ? edge : 0)) * t->resolution;
        if (!gz_mesh_append_vertex(r, p)) return gz_mesh_fail_vertex(r, 0, p, "an occupied cube");
    }
    uint32_t *out = soup->triangles + 3 * soup->triangle_count;
    for (int i = 0; i < 36; i++) out[i] = first + faces[i / 3][i % 3];
    soup->triangle_count += 12;
    return GRAZE_OK;
}

/// Reads a node with children, whose cube this is; calls itself at most DEPTH times within itself.
static graze_status read_node(octree *t, const int32_t low[3], int32_t edge) {
    if (edge == 1)
        return fail_here(t, GRAZE_ERROR_MESH,
                         "a node below level %d; allowed: %d levels (byte %zu)", DEPTH, DEPTH);
    if (t->end - t->at < 2)
        return fail_here(t, GRAZE_ERROR_MESH,
                         "the file ends at node %" PRIu64 " of %" PRIu64 " (byte %zu)", t->nodes,
                         t->expected);
    unsigned children = gz_load_u16(t->at, false);
    if (!children)
        return fail_here(t, GRAZE_ERROR_MESH,
                         "a node without a child; allowed: at least one known (byte %zu)");
    t->at += 2;
    int32_t half = edge / 2;
    for (int i = 0; i < 8; i++) t->nodes += (children >> 2 * i & 3) != 0;
    if (t->nodes > t->expected)
        return fail_here(t, GRAZE_ERROR_MESH, "more nodes than the size, %" PRIu64 " (byte %zu)",
                         t->expected);
    for (int i = 0; i < 8; i++) {
        unsigned kind = children >> 2 * i & 3;
        const int32_t at[3] = {low[0] + (i & 1 ? half : 0), low[1] + (i & 2 ? half : 0),
                               low[2] + (i & 4 ? half : 0)};
        if (kind == 2) GZ_TRY(add_cube(t, at, half));
        if (kind == 3) GZ_TRY(read_node(t, at, half));
    }
    return GRAZE_OK;
}

graze_status gz_octomap_read(gz_mesh_reader *r) {
    octree t = {.reader = r};
    r->cursor = (gz_text_cursor){r->bytes, r->bytes + r->size, 1};
    if (!gz_octomap_is(r->bytes, r->size))
        return gz_mesh_fail(r, 1, GRAZE_ERROR_UNSUPPORTED,
                            "the first line is not \"%s\"; allowed: binary trees (.bt)", magic);
    GZ_TRY(read_header(&t));
    t.at = r->cursor.at;
    t.end = r->bytes + r->size;
    const int32_t half = 1 << (DEPTH - 1), low[3] = {-half, -half, -half};
    t.nodes = 1;
    if (t.expected) GZ_TRY(read_node(&t, low, 2 * half));
    if (t.expected && t.nodes != t.expected)
        return fail_here(&t, GRAZE_ERROR_MESH,
                         "%" PRIu64 " nodes; allowed: the size, %" PRIu64 " (byte %zu)", t.nodes,
                         t.expected);
    if (t.at == t.end) return GRAZE_OK;
    return fail_here(&t, GRAZE_ERROR_MESH,
                     "%zu bytes behind the last node; allowed: none (byte %zu)",
                     (size_t)(t.end - t.at));
}
