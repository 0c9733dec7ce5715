// Binary trees of OctoMap (.bt), "# Octomap OcTree binary file": a header of words by line, then a
// node in two bytes, two bits for each of its children: 0 unknown, 1 free, 2 occupied, 3 one with
// children of its own, which follow in order. Each occupied leaf becomes a cube of 12 triangles,
// but for the faces between two that are equally large: what is left bounds the same set.

#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "load/mesh/mesh_reader.h"

/// Levels below the root. A leaf of the last one is a cube with the resolution as its edge, and
/// the root spans 2^16 of these, half of them on each side of the origin.
#define DEPTH 16

static const char magic[] = "# Octomap OcTree binary file";

/// An occupied cube. Lengths are in units of the resolution; depth first is the order of the codes.
typedef struct leaf {
    uint64_t code;  ///< the bits of its lowest corner, interleaved (Morton 1966)
    int32_t low[3]; ///< its lowest corner
    int32_t edge;
} leaf;

typedef struct octree {
    gz_mesh_reader *reader;
    const char *at, *end; ///< of the nodes
    double resolution;
    uint64_t expected; ///< nodes, the root among them
    uint64_t nodes;    ///< read so far
    leaf *leaves;
    size_t leaf_count, leaf_capacity;
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

static uint64_t code_of(const int32_t low[3]) {
    uint64_t code = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t x = (uint64_t)(low[k] + (1 << (DEPTH - 1)));
        for (int bit = 0; bit < DEPTH; bit++) code |= (x >> bit & 1) << (3 * bit + k);
    }
    return code;
}

static graze_status keep_leaf(octree *t, const int32_t low[3], int32_t edge) {
    GZ_TRY(gz_mesh_check_memory(t->reader, (t->leaf_count + 1) * sizeof(leaf), "the leaves"));
    if (!GZ_RESERVE(t->leaves, t->leaf_capacity, t->leaf_count + 1))
        return gz_fail_memory(t->reader->error);
    t->leaves[t->leaf_count++] = (leaf){code_of(low), {low[0], low[1], low[2]}, edge};
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
        if (kind == 2) GZ_TRY(keep_leaf(t, at, half));
        if (kind == 3) GZ_TRY(read_node(t, at, half));
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------- cubes

/// Whether the neighbour of a leaf across a face is occupied, and as large.
static bool has_twin(const octree *t, const leaf *of, int axis, int side) {
    const int32_t half = 1 << (DEPTH - 1);
    int32_t low[3] = {of->low[0], of->low[1], of->low[2]};
    low[axis] += side ? of->edge : -of->edge;
    if (low[axis] < -half || low[axis] >= half) return false;
    uint64_t code = code_of(low);
    size_t first = 0, behind = t->leaf_count;
    while (first < behind) {
        size_t middle = first + (behind - first) / 2;
        if (t->leaves[middle].code < code)
            first = middle + 1;
        else
            behind = middle;
    }
    return first < t->leaf_count && t->leaves[first].code == code &&
           t->leaves[first].edge == of->edge;
}

/// Adds the faces of a cube that no twin has, too: the two triangles of one are those of the other,
/// wound against them, so what is left is closed where the cubes are. Corners are whole multiples
/// of the resolution, each rounded once: cubes that touch share them bit for bit.
static graze_status add_cube(octree *t, const leaf *c) {
    // Corner i has the sign of bit k of i along axis k, counter-clockwise seen from outside.
    static const uint32_t faces[6][6] = {{0, 4, 6, 0, 6, 2}, {1, 3, 7, 1, 7, 5},
                                         {0, 1, 5, 0, 5, 4}, {2, 6, 7, 2, 7, 3},
                                         {0, 2, 3, 0, 3, 1}, {4, 5, 7, 4, 7, 6}};
    gz_mesh_reader *r = t->reader;
    bool shown[6], any = false;
    for (int f = 0; f < 6; f++) any |= shown[f] = !has_twin(t, c, f / 2, f % 2);
    if (!any) return GRAZE_OK;
    GZ_TRY(gz_mesh_reserve(r, 8, 12));
    gz_soup *soup = r->soup;
    uint32_t first = (uint32_t)soup->vertex_count;
    for (int i = 0; i < 8; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = (c->low[k] + (i >> k & 1 ? c->edge : 0)) * t->resolution;
        if (!gz_mesh_append_vertex(r, p)) return gz_mesh_fail_vertex(r, 0, p, "an occupied cube");
    }
    for (int f = 0; f < 6; f++) {
        if (!shown[f]) continue;
        uint32_t *out = soup->triangles + 3 * soup->triangle_count;
        for (int i = 0; i < 6; i++) out[i] = first + faces[f][i];
        soup->triangle_count += 2;
    }
    return GRAZE_OK;
}

static graze_status read_nodes(octree *t) {
    const int32_t half = 1 << (DEPTH - 1), low[3] = {-half, -half, -half};
    t->nodes = 1;
    if (t->expected) GZ_TRY(read_node(t, low, 2 * half));
    if (t->expected && t->nodes != t->expected)
        return fail_here(t, GRAZE_ERROR_MESH,
                         "%" PRIu64 " nodes; allowed: the size, %" PRIu64 " (byte %zu)", t->nodes,
                         t->expected);
    if (t->at == t->end) return GRAZE_OK;
    return fail_here(t, GRAZE_ERROR_MESH,
                     "%zu bytes behind the last node; allowed: none (byte %zu)",
                     (size_t)(t->end - t->at));
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
    graze_status status = read_nodes(&t);
    for (size_t i = 0; i < t.leaf_count && !status; i++) status = add_cube(&t, &t.leaves[i]);
    gz_free(t.leaves);
    return status;
}
